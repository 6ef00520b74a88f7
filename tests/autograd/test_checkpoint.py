"""ctorch_checkpoint beside torch.utils.checkpoint.checkpoint(use_reentrant=False): values, gradients, how often the
function runs and how far, random numbers, failures. The operators are Python's, in a process with Python's engine."""

from __future__ import annotations

import threading
import warnings

import pytest
import torch
import torch.utils.checkpoint
from torch.nn.functional import dropout

from tests.autograd.test_saved_tensors_hooks import CtorchHooks, TorchHooks, logging
from tests.harness.capi import OK, error, fails, ffi, handles, lib, ok, out
from tests.harness.functions import (
    Ctorch,
    attempt,
    borrowed_tensors,
    facts,
    kind_of,
    many,
    message_of,
    new_list,
    tensors,
)


class CtorchCheckpoint(CtorchHooks):
    live = 0

    @classmethod
    def checkpoint(cls, function, *inputs, preserve_rng_state=None, determinism_check=None, early_stop=None):
        @ffi.callback("ctorch_tensors_callback")
        def call(result, values, values_len, failure, payload):
            try:
                result[0] = new_list(many(function(*borrowed_tensors(values, values_len))))
                return OK
            except Exception as exception:
                failure[0] = error(kind_of(exception), message_of(exception))
                return 0

        @ffi.callback("void (*)(void *)")
        def destroy(payload):
            cls.live -= 1

        _alive.append((call, destroy))
        result = out("ctorch_tensor_list *")
        arguments = (
            ffi.NULL if preserve_rng_state is None else ffi.new("bool *", preserve_rng_state),
            ffi.NULL if determinism_check is None else determinism_check.encode(),
            ffi.NULL if early_stop is None else ffi.new("bool *", early_stop),
        )
        ok(lib.ctorch_checkpoint(result, call, *handles(list(inputs)), *arguments, destroy, ffi.NULL))
        cls.live += 1
        outputs = tuple(tensors(result[0]))
        return outputs[0] if len(outputs) == 1 else outputs


_alive = []


class TorchCheckpoint(TorchHooks):
    @staticmethod
    def checkpoint(function, *inputs, **options):
        return torch.utils.checkpoint.checkpoint(
            function, *inputs, use_reentrant=False, **{k: v for k, v in options.items() if v is not None}
        )


SCENARIOS = []


def scenario(function):
    SCENARIOS.append(pytest.param(function, id=function.__name__))
    return function


def leaf(*values):
    return torch.tensor(values, dtype=torch.double, requires_grad=True)


def without_tip(result):
    """Python's errors end with advice about Python's options."""
    if isinstance(result, tuple) and result[:1] == ("error",):
        return *result[:2], result[2].split("\n\nTip:")[0].rstrip("\n")
    return result


class Counted:
    """A function that notes how far it came each time."""

    def __init__(self, *steps):
        self.steps = steps
        self.log = []

    def __call__(self, x):
        self.log.append(0)
        for step in self.steps:
            x = step(x)
            self.log[-1] += 1
        return x


# The plain cases -----------------------------------------------------------------------------------------------------


@scenario
def a_chain_of_operators(implementation):
    f = Counted(torch.sin, torch.exp, torch.cos)
    x = leaf(0.5, 1)
    y = implementation.checkpoint(f, x)
    before = list(f.log)
    implementation.backward(y.sum())
    return y, x.grad, before, f.log


@scenario
def early_stop_leaves_the_rest_out(implementation):
    f = Counted(torch.exp, lambda x: x + 1, lambda x: x * 2, torch.neg)
    g = Counted(*f.steps)
    x = leaf(0.5)
    implementation.backward(implementation.checkpoint(f, x))
    implementation.backward(implementation.checkpoint(g, x, early_stop=False))
    return x.grad, f.log, g.log


@scenario
def several_inputs_and_outputs(implementation):
    def f(x, nothing, y):
        assert nothing is None
        return x * y, x + y, x

    x, y = leaf(2), leaf(3)
    a, b, c = implementation.checkpoint(f, x, None, y)
    implementation.backward(a * b * c)
    return a, b, c is x, x.grad, y.grad


@scenario
def inputs_that_need_no_gradient(implementation):
    w = leaf(3)
    f = Counted(lambda x: (x * w).exp())
    x = torch.ones(1, dtype=torch.double)
    y = implementation.checkpoint(f, x)
    implementation.backward(y)
    return y, w.grad, x.grad, f.log


@scenario
def no_inputs(implementation):
    w = leaf(3)
    y = implementation.checkpoint(lambda: w.exp() * w)
    implementation.backward(y)
    return y, w.grad


@scenario
def nothing_is_recorded_without_grad_mode(implementation):
    f = Counted(torch.sin, torch.exp)
    with torch.no_grad():
        y = implementation.checkpoint(f, leaf(1))
    with torch.inference_mode():
        z = implementation.checkpoint(f, leaf(1))
    return y, z, f.log


@scenario
def nothing_to_save(implementation):
    f = Counted(lambda x: x + 1)
    x = leaf(1)
    implementation.backward(implementation.checkpoint(f, x))
    return x.grad, f.log


@scenario
def intermediate_inputs(implementation):
    x = leaf(0.5)
    f, g = Counted(torch.sin, torch.exp), Counted(torch.exp, torch.sin)
    y = implementation.checkpoint(g, implementation.checkpoint(f, x * 2) * 3) * 4
    implementation.backward(y)
    return y, x.grad, f.log, g.log


@scenario
def views_and_changes_in_place_inside(implementation):
    def f(x):
        y = x * 2
        y[1:].exp_()
        z = y.view(3, 1) @ y.view(1, 3)
        return z.relu_()

    x = leaf(0.1, 0.2, 0.3)
    y = implementation.checkpoint(f, x)
    implementation.backward(y.sum())
    return y, x.grad


@scenario
def modules_and_their_parameters(implementation):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    x = torch.randn(5, 4)
    y = implementation.checkpoint(model, x)
    implementation.backward(y.square().sum())
    return y, [p.grad for p in model.parameters()], list(model.buffers())


@scenario
def an_lstm(implementation):
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(3, 4)
    x = torch.randn(6, 2, 3, requires_grad=True)
    y, h, c = implementation.checkpoint(lambda x: (lambda y, s: (y, *s))(*lstm(x)), x)
    implementation.backward(y.sum() + h.square().sum() + c.sum())
    return y, h, c, x.grad, [p.grad for p in lstm.parameters()]


# Graphs that are used more than once ---------------------------------------------------------------------------------


@scenario
def each_pass_recomputes(implementation):
    f = Counted(torch.sin, torch.exp)
    x = leaf(0.5)
    y = implementation.checkpoint(f, x)
    implementation.backward(y, retain_graph=True)
    implementation.backward(y, retain_graph=True)
    implementation.backward(y)
    return x.grad, f.log, attempt(lambda: implementation.backward(y))


@scenario
def a_pass_may_need_a_part(implementation):
    f = Counted(torch.sin, torch.exp)
    x, w = leaf(0.5), leaf(2)
    y = implementation.checkpoint(lambda x: f(x) * w, x)
    (for_w,) = torch.autograd.grad(y, w, retain_graph=True)
    (for_x,) = torch.autograd.grad(y, x)
    return for_w, for_x, f.log


@scenario
def higher_derivatives(implementation):
    f = Counted(torch.sin, lambda x: x**4)
    x = leaf(0.5)
    y = implementation.checkpoint(f, x)
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    implementation.backward(second)
    return first, second, x.grad, f.log


@scenario
def gradients_of_gradients_inside(implementation):
    def f(x):
        y = x.sin().exp()
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        return g * y

    x = leaf(0.5, 0.25)
    y = implementation.checkpoint(f, x)
    implementation.backward(y.sum())
    return y, x.grad


@scenario
def saved_tensors_may_be_looked_at(implementation):
    f = Counted(torch.exp, torch.sin)
    x = leaf(0.5)
    y = implementation.checkpoint(f, x)
    seen = [y.grad_fn._saved_self, y.grad_fn._saved_self]
    before = list(f.log)
    implementation.backward(y)
    return seen, before, f.log, x.grad


# Backward inside -----------------------------------------------------------------------------------------------------


@scenario
def backward_inside_with_a_retained_graph(implementation):
    def f(x):
        log.append(0)
        y = x.sin()
        z = y.cos()
        (g,) = torch.autograd.grad(z, x, retain_graph=True)
        log[-1] += 1
        return g, z

    results = []
    for early_stop in (True, False):
        log = []
        x = leaf(0.5)
        g, z = implementation.checkpoint(f, x, early_stop=early_stop)
        implementation.backward(z)
        results.append((g, z, x.grad, log))
    return results


@scenario
def backward_inside_with_a_freed_graph(implementation):
    def f(x):
        log.append(0)
        y = x.sin()
        z = y.cos()
        (g,) = torch.autograd.grad(z, x)
        log[-1] += 1
        return x.cos() * g

    results = []
    for early_stop in (True, False):
        log = []
        x = leaf(0.5)
        y = implementation.checkpoint(f, x, early_stop=early_stop)
        implementation.backward(y)
        results.append((y, x.grad, log))
    return results


# Nesting, after TestNestedCheckpoint in PyTorch's test_autograd.py ---------------------------------------------------


def gradient(function):
    def wrapped(x):
        with torch.enable_grad():
            (g,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
        return g

    return wrapped


def nesting(early_stop):
    def run(implementation):
        def checkpointed(function):
            return lambda x: implementation.checkpoint(function, x, early_stop=early_stop)

        def f(x):
            return x.sin().exp().sin()

        def g(x):
            return x.cos().sin().exp()

        def chain(x):
            return checkpointed(g)(checkpointed(f)(x))

        def inner_and_outer(x):
            return checkpointed(lambda t: checkpointed(checkpointed(torch.exp))(t.sin()).sin())(x)

        def tree(x):
            return checkpointed(lambda t: checkpointed(f)(t) + checkpointed(g)(checkpointed(f)(t)) * t)(x)

        c = checkpointed
        return [
            function(leaf(0.3, 0.7))
            for function in [
                gradient(f),
                gradient(c(f)),
                gradient(c(c(f))),
                gradient(c(c(c(f)))),
                gradient(c(gradient(c(f)))),
                gradient(gradient(c(c(f)))),
                gradient(c(gradient(c(c(f))))),
                gradient(c(gradient(c(gradient(c(f)))))),
                gradient(chain),
                gradient(c(chain)),
                gradient(c(gradient(c(chain)))),
                gradient(inner_and_outer),
                gradient(gradient(inner_and_outer)),
                gradient(c(gradient(c(inner_and_outer)))),
                gradient(tree),
                gradient(c(gradient(c(tree)))),
            ]
        ]

    return run


SCENARIOS.append(pytest.param(nesting(None), id="nested_checkpoints"))
SCENARIOS.append(pytest.param(nesting(False), id="nested_checkpoints_without_early_stop"))


@scenario
def how_often_nested_checkpoints_run(implementation):
    inner, outer, last = Counted(torch.sin, torch.exp), Counted(torch.cos, torch.exp), Counted(torch.sin, torch.neg)

    def f(x):
        return last(implementation.checkpoint(inner, outer(x)))

    x = leaf(0.5)
    y = implementation.checkpoint(f, x)
    implementation.backward(y)
    return y, x.grad, inner.log, outer.log, last.log


@scenario
def in_pythons_checkpoint(implementation):
    f, g = Counted(torch.sin, torch.exp), Counted(torch.cos, torch.exp)
    x = leaf(0.5)
    y = TorchCheckpoint.checkpoint(lambda t: implementation.checkpoint(f, g(t)).sin(), x)
    implementation.backward(y)
    return y, x.grad, f.log, g.log


@scenario
def around_pythons_checkpoint(implementation):
    f, g = Counted(torch.sin, torch.exp), Counted(torch.cos, torch.exp)
    x = leaf(0.5)
    y = implementation.checkpoint(lambda t: TorchCheckpoint.checkpoint(f, g(t)).sin(), x)
    implementation.backward(y)
    return y, x.grad, f.log, g.log


@scenario
def around_pythons_reentrant_checkpoint(implementation):
    f = Counted(torch.sin, torch.exp)
    x = leaf(0.5)
    y = implementation.checkpoint(lambda t: torch.utils.checkpoint.checkpoint(f, t.cos(), use_reentrant=True).sin(), x)
    implementation.backward(y)
    return y, x.grad


# What the function finds ---------------------------------------------------------------------------------------------


@scenario
def the_same_random_numbers(implementation):
    torch.manual_seed(7)
    x = torch.ones(50, requires_grad=True)
    y = implementation.checkpoint(lambda t: dropout(dropout(t, 0.5) * t, 0.5).exp(), x)
    torch.rand(3)
    implementation.backward(y.sum())
    return y, x.grad, torch.rand(5)


@scenario
def other_random_numbers(implementation):
    torch.manual_seed(7)
    x = torch.ones(50, requires_grad=True)
    y = implementation.checkpoint(lambda t: dropout(dropout(t, 0.5) * t, 0.5).exp(), x, preserve_rng_state=False)
    torch.rand(3)
    implementation.backward(y.sum())
    return y, x.grad, torch.rand(5)


@scenario
def random_numbers_after_a_failure(implementation):
    calls = []

    def f(x):
        calls.append(1)
        y = dropout(x, 0.5).exp()
        if len(calls) > 1:
            raise ValueError("not again")
        return y.exp()

    torch.manual_seed(7)
    y = implementation.checkpoint(f, torch.ones(5, requires_grad=True), early_stop=False)
    return attempt(lambda: implementation.backward(y.sum())), torch.rand(5)


@scenario
def autocast(implementation):
    def f(x):
        y = x @ x
        seen.append((str(y.dtype), torch.is_autocast_enabled("cpu"), torch.is_autocast_cache_enabled()))
        return y.exp()

    seen = []
    torch.manual_seed(0)
    x = torch.randn(4, 4, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = implementation.checkpoint(f, x)
    with torch.autocast("cpu", dtype=torch.float16, cache_enabled=False):
        z = implementation.checkpoint(f, x)
    u = implementation.checkpoint(f, x)
    implementation.backward(y.sum().float() + z.sum().float())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        implementation.backward(u.sum())
    return y, z, u, x.grad, seen, torch.is_autocast_enabled("cpu")


@scenario
def grad_mode(implementation):
    def f(x):
        seen.append((torch.is_grad_enabled(), x.requires_grad, x.is_leaf))
        return x.exp().sin()

    seen = []
    x = leaf(0.5) * 1
    y = implementation.checkpoint(f, x)
    implementation.backward(y)
    return seen


@scenario
def another_thread_runs_backward(implementation):
    f = Counted(torch.sin, torch.exp)
    x = leaf(0.5)
    y = implementation.checkpoint(f, x)
    thread = threading.Thread(target=lambda: implementation.backward(y))
    thread.start()
    thread.join()
    return x.grad, f.log


# With others ---------------------------------------------------------------------------------------------------------


@scenario
def hooks_see_the_inputs_only(implementation):
    log = []
    x = leaf(0.5)
    with implementation.hooks(*logging(log)):
        y = implementation.checkpoint(lambda t: t.sin().exp().sin(), x * 1)
    implementation.backward(y)
    return log, x.grad


@scenario
def hooks_inside_win(implementation):
    log = []

    def f(x):
        y = x.sin()
        with implementation.hooks(*logging(log)):
            y = y.exp()
        return y.sin()

    x = leaf(0.5)
    y = implementation.checkpoint(f, x)
    implementation.backward(y)
    return log, x.grad


@scenario
def custom_functions(implementation):
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return grad * y

    exp = implementation.function("Exp", forward, backward)
    x = leaf(0.5)
    y = implementation.checkpoint(lambda t: exp.apply(exp.apply(t).sin()), x)
    implementation.backward(y)
    return y, x.grad


@scenario
def custom_functions_may_unpack_once(implementation):
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0] * ctx.saved_tensors[0]

    f = implementation.function("Twice", lambda ctx, x: (ctx.save_for_backward(x), x**2)[1], backward)
    y = implementation.checkpoint(lambda t: f.apply(t).sin(), leaf(0.5))
    return attempt(lambda: implementation.backward(y))


@scenario
def hooks_may_be_forbidden(implementation):
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        return attempt(lambda: implementation.checkpoint(torch.exp, leaf(1)))


# Failures ------------------------------------------------------------------------------------------------------------


@scenario
def the_function_fails(implementation):
    def f(x):
        x.exp()
        raise IndexError("at once")

    return attempt(lambda: implementation.checkpoint(f, leaf(1)))


@scenario
def the_function_fails_the_second_time(implementation):
    calls = []

    def f(x):
        calls.append(1)
        if len(calls) == 2:
            raise ValueError("only once")
        return x.exp().sin()

    x = leaf(1)
    y = implementation.checkpoint(f, x)
    failure = attempt(lambda: implementation.backward(y, retain_graph=True))
    implementation.backward(y)
    return failure, x.grad, len(calls)


@scenario
def an_input_changes(implementation):
    x = leaf(1) * 1
    y = implementation.checkpoint(lambda t: t.exp().sin(), x)
    x.add_(1)
    failure = attempt(lambda: implementation.backward(y))
    return failure[0], failure[1], failure[2].replace("torch.DoubleTensor", "CPUDoubleType")


@scenario
def another_shape_the_second_time(implementation):
    calls = []

    def f(x):
        calls.append(1)
        return (x.exp() if len(calls) == 1 else x.repeat(2).exp()).sin().sum()

    y = implementation.checkpoint(f, leaf(1, 2))
    return without_tip(attempt(lambda: implementation.backward(y)))


@scenario
def another_dtype_the_second_time(implementation):
    calls = []

    def f(x):
        calls.append(1)
        return (x.exp() if len(calls) == 1 else x.float().exp()).sin().sum()

    y = implementation.checkpoint(f, torch.tensor(1.0, dtype=torch.double, requires_grad=True))
    return without_tip(attempt(lambda: implementation.backward(y)))


@scenario
def unchecked(implementation):
    calls = []

    def f(x):
        calls.append(1)
        return (x.exp() if len(calls) == 1 else x.float().exp()).sum()

    x = leaf(1, 2)
    y = implementation.checkpoint(f, x, determinism_check="none")
    implementation.backward(y)
    return x.grad


@scenario
def fewer_tensors_the_second_time(implementation):
    calls = []

    def f(x):
        calls.append(1)
        return x.exp().sin().cos() if len(calls) == 1 else x.exp()

    y = implementation.checkpoint(f, leaf(1))
    return without_tip(attempt(lambda: implementation.backward(y)))


@scenario
def more_tensors_the_second_time(implementation):
    results = []
    for early_stop in (True, False):
        calls = []

        def f(x):
            calls.append(1)
            return x.exp() if len(calls) == 1 else x.exp().sin().cos()

        x = leaf(1)
        y = implementation.checkpoint(f, x, early_stop=early_stop)
        results.append((without_tip(attempt(lambda: implementation.backward(y))), x.grad))
    return results


@scenario
def an_unknown_check(implementation):
    return attempt(lambda: implementation.checkpoint(torch.exp, leaf(1), determinism_check="maybe"))


@pytest.mark.parametrize("run", SCENARIOS)
def test_it_goes_as_with_python(run):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, got = facts(run(TorchCheckpoint)), facts(run(CtorchCheckpoint))
    assert got == expected


# What has no counterpart in a scenario -------------------------------------------------------------------------------


def test_gradients_are_those_of_the_plain_function_to_the_bit():
    def run(call):
        torch.manual_seed(3)
        layers = [torch.nn.TransformerEncoderLayer(16, 4, 32, dropout=0.3) for _ in range(4)]
        x = torch.randn(7, 2, 16, requires_grad=True)
        y = x
        for layer in layers:
            y = call(layer, y)
        y.square().sum().backward()
        return [y, x.grad, *(p.grad for layer in layers for p in layer.parameters()), torch.rand(4)]

    plain = run(lambda layer, y: layer(y))
    checkpointed = run(CtorchCheckpoint.checkpoint)
    assert all(torch.equal(a, b) for a, b in zip(plain, checkpointed, strict=True))


def test_payloads_are_destroyed_with_the_graph():
    before = CtorchCheckpoint.live
    x = leaf(0.5)
    y = CtorchCheckpoint.checkpoint(lambda t: t.exp().sin(), x)
    z = CtorchCheckpoint.checkpoint(lambda t: t.exp().sin(), x)
    assert CtorchCheckpoint.live == before + 2
    y.backward()
    assert CtorchCheckpoint.live == before + 1
    del z
    assert CtorchCheckpoint.live == before
    with torch.no_grad():
        CtorchCheckpoint.checkpoint(torch.exp, x)
    CtorchCheckpoint.checkpoint(torch.neg, x)
    assert CtorchCheckpoint.live == before


def test_what_a_pass_leaves_over_is_freed_with_it():
    """Python keeps it until the graph goes."""
    x, w = torch.ones(1000, requires_grad=True), torch.ones(1000, requires_grad=True)
    y = CtorchCheckpoint.checkpoint(lambda x: x.exp().sin() * w, x)

    def kept(**options):
        with torch.profiler.profile(profile_memory=True) as profile:
            torch.autograd.grad(y.sum(), w, retain_graph=True, **options)
        return sum(e.nbytes() for e in profile.profiler.kineto_results.events() if e.name() == "[memory]")

    kept()
    assert kept() == 0


def test_a_tensor_that_escapes_a_failing_call_fails_in_backward():
    escaped = []

    def f(x):
        escaped.append(x.exp())
        raise ValueError("too late")

    before = CtorchCheckpoint.live
    assert attempt(lambda: CtorchCheckpoint.checkpoint(f, leaf(1)))[1] == "VALUE"
    assert CtorchCheckpoint.live == before
    assert attempt(lambda: Ctorch.backward(escaped[0]))[1:] == (
        "RUNTIME",
        "the checkpoint that saved this tensor failed",
    )


def peak(run):
    """The most bytes of CPU tensors at a time, counted from the allocator's own reports."""
    with torch.profiler.profile(profile_memory=True) as profile:
        result = run()
    now = most = 0
    events = [e for e in profile.profiler.kineto_results.events() if e.name() == "[memory]"]
    for event in sorted(events, key=lambda e: e.start_ns()):
        now += event.nbytes()
        most = max(most, now)
    return result, most


def test_memory_is_saved_as_with_python():
    layers, width, rows = 16, 64, 2048
    torch.manual_seed(0)
    weights = [torch.randn(width, width) / width**0.5 for _ in range(layers)]
    for w in weights:
        w.requires_grad_()

    def block(w):
        return lambda x: (x @ w).sin().exp().tanh().cos()

    def run(call):
        y = torch.ones(rows, width)
        for w in weights:
            y = call(block(w), y)
        return torch.autograd.grad(y.sum(), weights)

    plain, without = peak(lambda: run(lambda f, x: f(x)))
    python, with_python = peak(lambda: run(TorchCheckpoint.checkpoint))
    ours, with_ours = peak(lambda: run(CtorchCheckpoint.checkpoint))
    assert all(torch.equal(a, b) for a, b in zip(plain, ours, strict=True))
    activation = rows * width * 4
    assert without > layers * 4 * activation
    assert with_ours < (layers + 8) * activation
    assert with_ours <= with_python * 1.02
    print(f"peak of CPU tensors: {without} without checkpoints, {with_ours} with ours, {with_python} with Python's")


def test_bad_arguments_are_refused():
    result = out("ctorch_tensor_list *")
    nothing = (ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL)
    call = _alive[0][0] if _alive else ffi.cast("ctorch_tensors_callback", 1)
    assert fails(lib.ctorch_checkpoint(ffi.NULL, call, ffi.NULL, 0, *nothing))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_checkpoint(result, ffi.NULL, ffi.NULL, 0, *nothing))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_checkpoint(result, call, ffi.NULL, 1, *nothing))[0] == "NULL_ARGUMENT"
    assert result[0] == ffi.NULL
