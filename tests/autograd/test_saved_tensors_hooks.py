"""ctorch_saved_tensors_hooks_push beside torch.autograd.graph.saved_tensors_hooks: who is called with what, how often.

The operators are Python's: hooks of ctorch's serve them, because they are asked for where LibTorch saves a tensor.
"""

from __future__ import annotations

import contextlib
import threading
import warnings

import pytest
import torch

from tests.harness.capi import OK, borrowed, error, fails, ffi, lib, ok, owned
from tests.harness.functions import Ctorch, Torch, attempt, facts, kind_of, message_of


class CtorchHooks(Ctorch):
    """saved_tensors_hooks(pack, unpack) out of C callbacks; what is packed is a number, the key of a Python object."""

    packed: dict[int, object] = {}
    destroyed = 0

    @classmethod
    @contextlib.contextmanager
    def hooks(cls, pack, unpack):
        def guarded(failure, action):
            try:
                action()
                return OK
            except Exception as exception:
                failure[0] = error(kind_of(exception), message_of(exception))
                return 0

        @ffi.callback("ctorch_saved_tensors_pack_callback")
        def c_pack(result, tensor, failure, payload):
            def action():
                value = pack(borrowed(tensor))
                key = max(cls.packed, default=0) + 1
                cls.packed[key] = value
                result[0] = ffi.cast("void *", key)

            return guarded(failure, action)

        @ffi.callback("ctorch_saved_tensors_unpack_callback")
        def c_unpack(result, packed, failure, payload):
            def action():
                value = unpack(cls.packed[int(ffi.cast("intptr_t", packed))])
                result[0] = owned(value)

            return guarded(failure, action)

        @ffi.callback("ctorch_saved_tensors_destroy_callback")
        def c_destroy(packed, payload):
            cls.destroyed += 1
            del cls.packed[int(ffi.cast("intptr_t", packed))]

        _alive.append((c_pack, c_unpack, c_destroy))
        ok(lib.ctorch_saved_tensors_hooks_push(c_pack, c_unpack, c_destroy, ffi.NULL, ffi.NULL))
        try:
            yield
        finally:
            ok(lib.ctorch_saved_tensors_hooks_pop())


_alive = []


class TorchHooks(Torch):
    hooks = torch.autograd.graph.saved_tensors_hooks


SCENARIOS = []


def scenario(function):
    SCENARIOS.append(pytest.param(function, id=function.__name__))
    return function


def leaf(*values):
    return torch.tensor(values, dtype=torch.double, requires_grad=True)


def logging(log, name=""):
    """Hooks that log. Python's see an output as part of the graph, and a cycle if they keep it; ours do not."""

    def pack(x):
        log.append((name + "pack", facts(x.detach())))
        return x.detach()

    def unpack(x):
        log.append((name + "unpack", facts(x)))
        return x

    return pack, unpack


@scenario
def inputs_and_outputs_are_saved(implementation):
    log = []
    x, y = leaf(2, 3), leaf(5, 7)
    with implementation.hooks(*logging(log)):
        z = (x * y).exp().sum()
    implementation.backward(z)
    return log, x.grad, y.grad


@scenario
def constants_are_not_saved(implementation):
    log = []
    x, c = leaf(2, 3), torch.tensor([5.0, 7.0]).double()
    with implementation.hooks(*logging(log)):
        z = (x * c).sum()
        c * c
    implementation.backward(z)
    return log, x.grad


@scenario
def numbers_are_saved_as_they_are(implementation):
    log = []
    x = leaf(2, 3)
    with implementation.hooks(*logging(log)):
        z = (x * 3.0 + x / 2.0).sum()
    implementation.backward(z)
    return log, x.grad


@scenario
def what_unpack_returns_is_used(implementation):
    x = leaf(2, 3)
    with implementation.hooks(lambda t: t.tolist(), lambda v: torch.tensor(v).double() * 100):
        z = (x * x).sum()
    implementation.backward(z)
    return x.grad


@scenario
def a_retained_graph_unpacks_again(implementation):
    log = []
    x = leaf(2)
    with implementation.hooks(*logging(log)):
        z = x.exp()
    implementation.backward(z, retain_graph=True)
    implementation.backward(z)
    return log, x.grad, attempt(lambda: implementation.backward(z))


@scenario
def a_recorded_backward_unpacks_too(implementation):
    log = []
    x = leaf(2)
    with implementation.hooks(*logging(log)):
        z = x**3
    (first,) = torch.autograd.grad(z, x, create_graph=True)
    implementation.backward(first)
    return log, first, x.grad


@scenario
def a_recorded_backward_packs_too(implementation):
    log = []
    x = leaf(2)
    z = x**3
    with implementation.hooks(*logging(log)):
        (first,) = torch.autograd.grad(z, x, create_graph=True)
    implementation.backward(first)
    return log, x.grad


@scenario
def views_and_changes_in_place(implementation):
    log = []
    x = leaf(1, 2, 3)
    with implementation.hooks(*logging(log)):
        y = x * 2
        part = y[1:]
        part.exp_()
        z = (y * y).sum()
    implementation.backward(z)
    return log, x.grad


@scenario
def a_change_after_packing_goes_unnoticed(implementation):
    x = leaf(2) * 1
    with implementation.hooks(lambda t: t.clone(), lambda t: t):
        y = x * x
    x.add_(1)
    implementation.backward(y)
    return attempt(lambda: x.grad)


@scenario
def the_innermost_hooks_are_called(implementation):
    log = []
    x = leaf(2)
    with implementation.hooks(*logging(log, "outer ")):
        y = x.exp()
        with implementation.hooks(*logging(log, "inner ")):
            y = y.exp()
        y = y.sin()
    implementation.backward(y)
    return log, x.grad


@scenario
def grad_mode_inside_hooks(implementation):
    log = []

    def pack(t):
        log.append(("pack", torch.is_grad_enabled()))
        return t.detach()

    def unpack(t):
        log.append(("unpack", torch.is_grad_enabled()))
        return t

    x = leaf(2)
    with implementation.hooks(pack, unpack):
        y = (x.exp() * x).sin()
    implementation.backward(y)
    with implementation.hooks(pack, unpack):
        y = x**3
    torch.autograd.grad(y, x, create_graph=True)
    return log


@scenario
def nothing_is_saved_without_grad_mode(implementation):
    log = []
    with implementation.hooks(*logging(log)), torch.no_grad():
        leaf(2) * leaf(3)
    return log


@scenario
def pack_fails(implementation):
    def pack(t):
        raise ValueError("no room")

    x = leaf(2)
    with implementation.hooks(pack, lambda t: t):
        result = attempt(lambda: x * x)
    return result[0], result[2], x * 2  # Python's operators raise what Python raised


@scenario
def unpack_fails(implementation):
    def unpack(t):
        raise ValueError("lost")

    with implementation.hooks(lambda t: t, unpack):
        y = leaf(2).exp()
    return attempt(lambda: implementation.backward(y))


@scenario
def pack_changes_its_tensor(implementation):
    def pack(t):
        t.add_(1)
        return t

    with implementation.hooks(pack, lambda t: t):
        return attempt(lambda: leaf(2).exp())


@scenario
def another_shape_comes_back(implementation):
    with implementation.hooks(lambda t: t, lambda t: t.repeat(3)):
        y = leaf(2).exp()
    return attempt(lambda: implementation.backward(y))


@scenario
def custom_functions(implementation):
    def forward(ctx, x, y):
        z = x * y
        ctx.save_for_backward(x, None, z, x + y)
        return z

    def backward(ctx, grad):
        x, nothing, z, total = ctx.saved_tensors
        assert nothing is None
        return grad * z, grad * total

    log = []
    f = implementation.function("Saves", forward, backward)
    x, y = leaf(2), leaf(3)
    with implementation.hooks(*logging(log)):
        z = f.apply(x, y)
    implementation.backward(z)
    return log, x.grad, y.grad


@scenario
def a_checkpoint_inside(implementation):
    from torch.utils.checkpoint import checkpoint

    log = []
    x = leaf(2)
    with implementation.hooks(*logging(log)):
        y = checkpoint(lambda t: t.exp().sin(), x * 1, use_reentrant=False)
    implementation.backward(y)
    return log, x.grad


@scenario
def a_reentrant_checkpoint_inside(implementation):
    from torch.utils.checkpoint import checkpoint

    log = []
    x = leaf(2)
    with implementation.hooks(*logging(log)):
        y = checkpoint(lambda t: t.exp().sin(), x * 1, use_reentrant=True)
    implementation.backward(y)
    return log, x.grad


@scenario
def pythons_hooks_inside_win(implementation):
    log = []
    x = leaf(0.1)
    with implementation.hooks(*logging(log, "outer ")):
        y = x.exp()
        with torch.autograd.graph.saved_tensors_hooks(*logging(log, "inner ")):
            y = y.exp()
            with implementation.hooks(*logging(log, "innermost ")):
                y = y.exp()
            y = y.cos()
        y = y.sin()
    implementation.backward(y)
    return log, x.grad


@scenario
def pythons_hooks_outside_lose(implementation):
    log = []
    x = leaf(2)
    with torch.autograd.graph.saved_tensors_hooks(*logging(log, "outer ")):
        y = x.exp()
        with implementation.hooks(*logging(log, "inner ")):
            y = y.exp()
        y = y.sin()
    implementation.backward(y)
    return log, x.grad


@scenario
def save_on_cpu_inside_wins(implementation):
    log = []
    x = leaf(2)
    with implementation.hooks(*logging(log)), torch.autograd.graph.save_on_cpu():
        y = x.exp()
    implementation.backward(y)
    return log, x.grad


@scenario
def hooks_may_be_forbidden(implementation):
    def use():
        with implementation.hooks(lambda t: t, lambda t: t):
            pass

    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        return attempt(use)


@scenario
def other_threads_have_none(implementation):
    log = []
    x = leaf(2)

    def work():
        implementation.backward((x * x).exp())

    with implementation.hooks(*logging(log)):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    return log, x.grad


@scenario
def deep_reentrant_backward_carries_the_hooks_along(implementation):
    """From a depth of 60 on, LibTorch goes on with another thread."""
    depth = []
    packs = []

    def backward(ctx, grad):
        depth.append(1)
        with torch.enable_grad():
            x = torch.ones(1, dtype=torch.double, requires_grad=True)
            packs.append(0)
            y = x.exp()
            if len(depth) < 70:
                y = f.apply(y)
        implementation.backward(y)
        return grad

    def pack(t):
        packs[-1] += 1
        return t

    f = implementation.function("Deep", lambda ctx, x: x * 1, backward)
    y = f.apply(leaf(1))
    with implementation.hooks(pack, lambda t: t):
        implementation.backward(y)
    return packs


@pytest.mark.parametrize("run", SCENARIOS)
def test_it_goes_as_with_python(run):
    expected, got = facts(run(TorchHooks)), facts(run(CtorchHooks))
    assert got == expected


# What has no counterpart in a scenario -------------------------------------------------------------------------------


def test_everything_packed_is_destroyed():
    CtorchHooks.destroyed = 0
    log = []
    x = leaf(2)
    with CtorchHooks.hooks(*logging(log)):
        y = (x.exp() * x).sin()
        unused = x.cos()
    Ctorch.backward(y)
    del unused
    packs = sum(event == "pack" for event, _ in log)
    assert packs == 5
    assert CtorchHooks.destroyed == packs
    assert not CtorchHooks.packed


def test_a_packed_handle_makes_no_cycle():
    """`pack` may keep what it is given, also of an output, which refers to the node that saves it."""
    seen = []

    def pack(t):
        seen.append((t.requires_grad, t.grad_fn))
        return t

    CtorchHooks.destroyed = 0
    with CtorchHooks.hooks(pack, lambda t: t):
        leaf(2).exp()
    assert seen == [(False, None)]
    assert CtorchHooks.destroyed == 1


def test_pop_without_push_is_refused():
    assert fails(lib.ctorch_saved_tensors_hooks_pop()) == (
        "RUNTIME",
        "no saved tensors hooks were pushed on this thread",
    )
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        assert fails(lib.ctorch_saved_tensors_hooks_pop())[0] == "RUNTIME"  # Python's are not ours to pop


@pytest.mark.parametrize("pin_memory", [False, True])
def test_save_on_cpu_agrees_with_python(pin_memory):
    def gradient(push, pop):
        x = leaf(0.5, 1)
        push()
        y = (x.exp() * x).sum()
        pop()
        y.backward()
        return x.grad

    hooks = torch.autograd.graph.save_on_cpu(pin_memory)
    expected = gradient(hooks.__enter__, lambda: hooks.__exit__(None, None, None))
    got = gradient(
        lambda: ok(lib.ctorch_saved_tensors_hooks_push_save_on_cpu(pin_memory)),
        lambda: ok(lib.ctorch_saved_tensors_hooks_pop()),
    )
    assert torch.equal(got, expected)


def test_pythons_engine_is_still_behind_ours():
    """What only Python's engine does: tracebacks of anomaly mode, its exceptions, callbacks at the end of backward."""
    with CtorchHooks.hooks(lambda t: t, lambda t: t):
        pass  # now the engine in front is ours
    with warnings.catch_warnings(record=True) as caught, torch.autograd.detect_anomaly():
        warnings.simplefilter("always")
        x = leaf(-1.0)
        y = x.sqrt()
        kind, message = attempt(y.backward)[1:]
    assert (kind, message) == ("RUNTIME", "Function 'SqrtBackward0' returned nan values in its 0th output.")
    assert any("test_pythons_engine_is_still_behind_ours" in str(w.message) for w in caught)

    class Callback(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            torch.autograd.Variable._execution_engine.queue_callback(lambda: ran.append(1))
            return grad

    ran = []
    Callback.apply(leaf(1)).backward()
    Ctorch.backward(Callback.apply(leaf(1)))
    assert ran == [1, 1]

    class Fails(Callback):
        @staticmethod
        def backward(ctx, grad):
            raise KeyError("python's own")

    with pytest.raises(KeyError, match="python's own"):
        Fails.apply(leaf(1)).backward()
