"""backward, grad, the state of tensors in the graph, and modes: results and errors are those of Python's torch."""

import threading
import warnings

import pytest
import torch

from tests.harness.capi import CtorchError, call, fails, ffi, handle, handles, lib, ok, out, tensor

KINDS = {RuntimeError: {"RUNTIME", "SHAPE_MISMATCH", "DTYPE_MISMATCH", "DEVICE_MISMATCH"}, ValueError: {"VALUE"}}
KINDS[IndexError] = {"INDEX"}
NONE = (ffi.NULL, 0)


def flag(value):
    return ffi.NULL if value is None else ffi.new("bool *", value)


def tensors_of(owned_list):
    """The tensors of an owned list, which is released."""
    result = []
    for i in range(lib.ctorch_tensor_list_len(owned_list)):
        y = out("ctorch_tensor *")
        ok(lib.ctorch_tensor_list_get(y, owned_list, i))
        result.append(tensor(y[0]) if y[0] else None)
    lib.ctorch_tensor_list_release(owned_list)
    return result


def given(values):
    return NONE if values is None else handles(values)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    keep, grads, leaves = handles(tensors), given(grad_tensors), given(inputs)
    ok(lib.ctorch_autograd_backward(*keep, *grads, flag(retain_graph), create_graph, *leaves))


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    y = out("ctorch_tensor_list *")
    a, b, c = handles(outputs), handles(inputs), given(grad_outputs)
    error = lib.ctorch_autograd_grad(
        y, *a, *b, *c, flag(retain_graph), create_graph, flag(allow_unused), is_grads_batched, materialize_grads
    )
    if error != ffi.NULL:
        assert y[0] == ffi.NULL  # untouched
    ok(error)
    return tensors_of(y[0])


def leaf(*shape, dtype=torch.float64, seed=0):
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed)).requires_grad_()


def same_grads(a, b):
    assert len(a) == len(b)
    for x, y in zip(a, b, strict=True):
        assert (x is None) == (y is None)
        if x is not None:
            assert torch.equal(x, y) and x.dtype == y.dtype and x.requires_grad == y.requires_grad


def two_leaves():
    x, w = leaf(3, seed=1), leaf(3, seed=2)
    return x, w, [(x * w).exp(), (x + w).sum()], torch.ones(2, dtype=torch.float64, requires_grad=True)


GRAD_CASES = {
    "one scalar": lambda x, w, y, unused: ([y[1]], [x], {}),
    "both leaves": lambda x, w, y, unused: ([y[1]], [x, w], {}),
    "two outputs": lambda x, w, y, unused: (y, [x, w], {"grad_outputs": [torch.arange(3.0).double(), None]}),
    "an intermediate input": lambda x, w, y, unused: ([y[0].sum()], [y[0], x], {"allow_unused": True}),
    "output is the input": lambda x, w, y, unused: ([y[1]], [y[1], w], {}),
    "the same input twice": lambda x, w, y, unused: ([y[1]], [x, x], {}),
    "create graph": lambda x, w, y, unused: ([y[0].sum()], [x, w], {"create_graph": True}),
    "unused and allowed": lambda x, w, y, unused: ([y[1]], [unused, x], {"allow_unused": True}),
    "unused and zeros": lambda x, w, y, unused: ([y[1]], [unused, x], {"materialize_grads": True}),
    "zeros that require grad": lambda x, w, y, unused: (
        [y[1]],
        [unused],
        {"materialize_grads": True, "create_graph": True},
    ),
    "a batch of gradients": lambda x, w, y, unused: (
        [y[0]],
        [x, w],
        {"grad_outputs": [torch.eye(3).double()], "is_grads_batched": True},
    ),
    "a batch over two outputs": lambda x, w, y, unused: (
        y,
        [x, w],
        {"grad_outputs": [torch.ones(4, 3).double(), torch.arange(4.0).double()], "is_grads_batched": True},
    ),
    "a batch and an unused input": lambda x, w, y, unused: (
        [y[0]],
        [unused, w],
        {"grad_outputs": [torch.eye(3).double()], "is_grads_batched": True, "materialize_grads": True},
    ),
    "a batch with a graph": lambda x, w, y, unused: (
        [y[0]],
        [x],
        {"grad_outputs": [torch.eye(3).double()], "is_grads_batched": True, "create_graph": True},
    ),
}


@pytest.mark.parametrize("case", GRAD_CASES)
def test_grad_gives_what_python_gives(case):
    expected_args = GRAD_CASES[case](*two_leaves())
    got_args = GRAD_CASES[case](*two_leaves())
    expected = torch.autograd.grad(*expected_args[:2], **expected_args[2])
    same_grads(grad(*got_args[:2], **got_args[2]), expected)
    assert all(i.grad is None for i in got_args[1] if i.is_leaf)


GRAD_ERRORS = {
    "no inputs": lambda x, w, y, unused: ([y[1]], [], {}),
    "nothing asked": lambda x, w, y, unused: ([], [x], {}),
    "not a scalar": lambda x, w, y, unused: ([y[0]], [x], {}),
    "not real": lambda x, w, y, unused: ([(y[0] * 1j).sum()], [x], {}),
    "no graph": lambda x, w, y, unused: ([torch.ones(())], [x], {}),
    "no graph and not a scalar": lambda x, w, y, unused: ([torch.ones(3)], [x], {}),
    "second of two has no graph": lambda x, w, y, unused: ([y[1], torch.ones(())], [x], {}),
    "an input without grad": lambda x, w, y, unused: ([y[1]], [torch.ones(3)], {}),
    "unused": lambda x, w, y, unused: ([y[1]], [x, unused], {}),
    "unused and not allowed": lambda x, w, y, unused: ([y[1]], [unused], {"allow_unused": False}),
    "zeros but not allowed": lambda x, w, y, unused: (
        [y[1]],
        [x],
        {"materialize_grads": True, "allow_unused": False},
    ),
    "no gradient for the output": lambda x, w, y, unused: ([y[1]], [x], {"grad_outputs": []}),
    "another shape": lambda x, w, y, unused: ([y[1]], [x], {"grad_outputs": [torch.ones(3).double()]}),
    "another shape behind": lambda x, w, y, unused: (
        y,
        [x],
        {"grad_outputs": [torch.ones(3).double(), torch.ones(1, 1).double()]},
    ),
    "complex for real": lambda x, w, y, unused: (
        [y[1]],
        [x],
        {"grad_outputs": [torch.ones((), dtype=torch.complex128)]},
    ),
    "real for complex": lambda x, w, y, unused: (
        [y[0] * 1j],
        [x],
        {"grad_outputs": [torch.ones(3, dtype=torch.float64)]},
    ),
    "batches of several sizes": lambda x, w, y, unused: (
        y,
        [x],
        {"grad_outputs": [torch.ones(2, 3).double(), torch.ones(4).double()], "is_grads_batched": True},
    ),
    "a batch of another shape": lambda x, w, y, unused: (
        [y[0]],
        [x],
        {"grad_outputs": [torch.ones(3).double()], "is_grads_batched": True},
    ),
    "no batch": lambda x, w, y, unused: (
        [y[1]],
        [x],
        {"grad_outputs": [torch.ones(()).double()], "is_grads_batched": True},
    ),
    "an empty batch": lambda x, w, y, unused: (
        [y[0]],
        [x],
        {"grad_outputs": [torch.ones(0, 3).double()], "is_grads_batched": True},
    ),
    "an implicit gradient for a batch": lambda x, w, y, unused: ([y[1]], [x], {"is_grads_batched": True}),
}
OWN_WORDS = {
    "another shape behind",
    "no batch",
    "an empty batch",
    "an implicit gradient for a batch",
    "batches of several sizes",
}


@pytest.mark.parametrize("case", GRAD_ERRORS)
def test_grad_fails_as_python_fails(case):
    args = GRAD_ERRORS[case](*two_leaves())
    with pytest.raises(tuple(KINDS)) as expected:
        torch.autograd.grad(*args[:2], **args[2])
    args = GRAD_ERRORS[case](*two_leaves())
    with pytest.raises(CtorchError) as got:
        grad(*args[:2], **args[2])
    assert got.value.kind in KINDS[expected.type]
    if case not in OWN_WORDS:
        assert str(expected.value) in got.value.message


BACKWARD_CASES = {
    "one scalar": lambda x, w, y, unused: ([y[1]], {}),
    "two tensors": lambda x, w, y, unused: (y, {"grad_tensors": [torch.arange(3.0).double(), None]}),
    "some of the leaves": lambda x, w, y, unused: ([y[1]], {"inputs": [w]}),
    "an unused leaf": lambda x, w, y, unused: ([y[1]], {"inputs": [w, unused]}),
    "nothing": lambda x, w, y, unused: ([], {}),
    "an intermediate": lambda x, w, y, unused: ([(z := x * 3).sum() + z.prod()], {"inputs": [z, x]}),
    "create graph": lambda x, w, y, unused: ([y[1] ** 2], {"create_graph": True}),
}


@pytest.mark.parametrize("case", BACKWARD_CASES)
def test_backward_accumulates_what_python_accumulates(case):
    grads = []
    for run in (torch.autograd.backward, backward):
        leaves = two_leaves()
        tensors, options = BACKWARD_CASES[case](*leaves)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(tensors, **options)
            watched = [leaves[0], leaves[1], leaves[3], *options.get("inputs", [])]
            grads.append([t.grad for t in watched] + [t.retains_grad for t in watched])
        for leaf_ in leaves[:2]:
            leaf_.grad = None
    same_grads(grads[0][: len(grads[0]) // 2], grads[1][: len(grads[1]) // 2])
    assert grads[0][len(grads[0]) // 2 :] == grads[1][len(grads[1]) // 2 :]


BACKWARD_ERRORS = {
    "no inputs": lambda x, w, y, unused: ([y[1]], {"inputs": []}),
    "an input without grad": lambda x, w, y, unused: ([y[1]], {"inputs": [torch.ones(1)]}),
    "not a scalar": lambda x, w, y, unused: ([y[0]], {}),
    "no graph": lambda x, w, y, unused: ([torch.ones(())], {}),
    "another shape": lambda x, w, y, unused: ([y[0]], {"grad_tensors": [torch.ones(2).double()]}),
    "fewer gradients": lambda x, w, y, unused: (y, {"grad_tensors": [torch.ones(3).double()]}),
}


@pytest.mark.parametrize("case", BACKWARD_ERRORS)
def test_backward_fails_as_python_fails(case):
    tensors, options = BACKWARD_ERRORS[case](*two_leaves())
    with pytest.raises(tuple(KINDS)) as expected:
        torch.autograd.backward(tensors, **options)
    tensors, options = BACKWARD_ERRORS[case](*two_leaves())
    with pytest.raises(CtorchError) as got:
        backward(tensors, **options)
    assert got.value.kind in KINDS[expected.type]
    assert str(expected.value) in got.value.message


def test_a_shape_mismatch_tells_both_shapes():
    y, gradient = leaf(3) * 2, torch.ones(2).double()
    error = lib.ctorch_tensor_backward(handle(y), handle(gradient), ffi.NULL, False)
    dims, length = ffi.new("const int64_t **"), ffi.new("size_t *")
    assert lib.ctorch_error_expected_shape(error, dims, length) and list(dims[0][0 : length[0]]) == [3]
    assert lib.ctorch_error_got_shape(error, dims, length) and list(dims[0][0 : length[0]]) == [2]
    assert fails(error)[0] == "SHAPE_MISMATCH"


def test_a_freed_graph_and_a_changed_saved_tensor_are_errors():
    x = leaf(3)
    y = x.exp()
    backward([y.sum()], retain_graph=True)
    z = y.sum()
    backward([z])
    with pytest.raises(CtorchError, match="second time"):
        backward([z])
    y = x.exp()
    y.add_(1)
    with pytest.raises(CtorchError, match="modified by an inplace operation"):
        backward([y.sum()])


def test_backward_inside_a_function_transform_is_refused_like_pythons():
    x = leaf(2)
    y = (x * x).sum()

    def run(f):
        with pytest.raises((RuntimeError, CtorchError)) as error:
            torch.func.grad(lambda t: (f(), t.sum())[1])(torch.ones(2))
        return error.value

    expected = run(lambda: y.backward())
    got = run(lambda: backward([y]))
    assert isinstance(got, CtorchError) and got.kind == "RUNTIME" and str(expected) in got.message


# The state of a tensor ------------------------------------------------------------------------------------------------


def graph_states():
    x = leaf(4)
    with torch.inference_mode():
        inference = torch.ones(2)
    y = x * 2
    split = y.split(2)
    changed = x * 3
    changed.mul_(2)
    retaining = x * 5
    retaining.retain_grad()
    return {
        "leaf": x,
        "plain": torch.ones(2),
        "result": y,
        "split 0": split[0],
        "split 1": split[1],
        "view of a view": y[1:][1:],
        "view without grad": torch.ones(4)[1:3],
        "changed": changed,
        "retaining": retaining,
        "inference": inference,
        "ints": torch.arange(3),
    }


@pytest.mark.parametrize("state", graph_states())
def test_accessors_say_what_python_says(state):
    t = graph_states()[state]
    h = handle(t)
    assert lib.ctorch_tensor_is_view(h) == t._is_view()
    assert lib.ctorch_tensor_requires_grad(h) == t.requires_grad
    assert lib.ctorch_tensor_grad_dtype(h) == lib.ctorch_tensor_dtype(h)
    base = out("ctorch_tensor *")
    ok(lib.ctorch_tensor_base(base, h))
    assert (tensor(base[0]) if base[0] else None) is t._base
    version = out("int64_t")
    if t.is_inference():
        assert fails(lib.ctorch_aten__version(version, h)) == (
            "RUNTIME",
            "Inference tensors do not track version counter.",
        )
        ok(lib.ctorch_tensor_increment_version(h))
    else:
        before = t._version
        ok(lib.ctorch_aten__version(version, h))
        assert version[0] == before
        ok(lib.ctorch_tensor_increment_version(h))
        assert t._version == before + 1


STATE_ERRORS = {
    "requires_grad of a result": (
        lambda x: (x * 2).requires_grad_(False),
        lambda x: call("ctorch_tensor_set_requires_grad", x * 2, False),
    ),
    "requires_grad of an inference tensor": (
        lambda x: graph_states()["inference"].requires_grad_(),
        lambda x: call("ctorch_tensor_set_requires_grad", graph_states()["inference"], True),
    ),
    "retain_grad without grad": (
        lambda x: torch.ones(2).retain_grad(),
        lambda x: call("ctorch_aten_retain_grad", torch.ones(2)),
    ),
    "detach_ a view": (lambda x: (x * 2)[1:].detach_(), lambda x: call("ctorch_aten_detach_", (x * 2)[1:])),
    "data of another layout": (
        lambda x: setattr(x, "data", torch.eye(2).to_sparse()),
        lambda x: call("ctorch_aten_set_data", x, torch.eye(2).to_sparse()),
    ),
    "data that cannot require grad": (
        lambda x: setattr(x, "data", torch.arange(3)),
        lambda x: call("ctorch_aten_set_data", x, torch.arange(3)),
    ),
}


@pytest.mark.parametrize("case", STATE_ERRORS)
def test_changing_the_state_fails_as_in_python(case):
    python, ours = STATE_ERRORS[case]
    with pytest.raises(RuntimeError) as expected:
        python(leaf(3))
    with pytest.raises(CtorchError) as got:
        ours(leaf(3))
    assert got.value.kind == "RUNTIME"
    assert str(expected.value) in got.value.message


def test_set_data_and_variable_data():
    x = leaf(2)
    value = torch.arange(5.0)
    call("ctorch_aten_set_data", x, value)
    assert x.requires_grad and torch.equal(x.detach(), value) and x.data_ptr() == value.data_ptr()
    y = out("ctorch_tensor *")
    ok(lib.ctorch_aten_data(y, handle(x)))
    data = tensor(y[0])
    assert not data.requires_grad and data.data_ptr() == x.data_ptr()
    version = x._version
    data.add_(1)
    assert x._version == version


def test_detach_in_place_makes_a_leaf():
    x = leaf(2)
    y = x * 2
    call("ctorch_aten_detach_", y)
    assert y.is_leaf and not y.requires_grad


def test_retain_grad_keeps_the_gradient_of_a_result():
    x = leaf(2)
    y = x * 2
    call("ctorch_aten_retain_grad", y)
    backward([(y * 3).sum()])
    assert torch.equal(y.grad, torch.full((2,), 3.0).double())


def test_gradients_of_another_dtype():
    x = torch.ones(2, requires_grad=True)
    double = ffi.new("ctorch_dtype *", lib.c.CTORCH_DTYPE_FLOAT64)
    ok(lib.ctorch_tensor_set_grad_dtype(handle(x), double))
    assert x.grad_dtype == torch.float64 and lib.ctorch_tensor_grad_dtype(handle(x)) == double[0]
    backward([x.sum()])
    assert x.grad.dtype == torch.float64
    single = ffi.new("ctorch_dtype *", lib.c.CTORCH_DTYPE_FLOAT32)
    assert fails(lib.ctorch_tensor_set_grad_dtype(handle(x), single))[0] == "RUNTIME"
    gradient, y = torch.ones(2), x * 2
    assert fails(lib.ctorch_tensor_set_grad(handle(x), handle(gradient)))[0] == "DTYPE_MISMATCH"
    call("ctorch_tensor_set_grad", x, torch.ones(2).double())
    assert fails(lib.ctorch_tensor_set_grad_dtype(handle(y), single)) == (
        "RUNTIME",
        "grad_dtype can only be set on leaf tensors",
    )
    call("ctorch_tensor_set_grad", x, None)
    ok(lib.ctorch_tensor_set_grad_dtype(handle(x), ffi.NULL))
    assert x.grad_dtype is None and lib.ctorch_tensor_grad_dtype(handle(x)) == -1


SET_GRAD = {
    "sparse": (lambda: torch.ones(2, 2), lambda: torch.eye(2).to_sparse()),
    "dense for sparse": (lambda: torch.ones(2, 2).to_sparse(), lambda: torch.eye(2)),
    "csr": (lambda: torch.ones(2, 2), lambda: torch.eye(2).to_sparse_csr()),
    "mkldnn": (lambda: torch.ones(2, 2), lambda: torch.eye(2).to_mkldnn()),
    "meta": (lambda: torch.ones(2, 2), lambda: torch.ones(2, 2, device="meta")),
    "another dtype": (lambda: torch.ones(2, 2), lambda: torch.ones(2, 2).double()),
    "another shape": (lambda: torch.ones(2, 2), lambda: torch.ones(4)),
    "fits": (lambda: torch.ones(2, 2), lambda: torch.ones(2, 2)),
}


@pytest.mark.parametrize("case", SET_GRAD)
def test_a_gradient_may_be_set_if_python_allows_it(case):
    make, make_grad = SET_GRAD[case]
    t, g = make(), make_grad()
    try:
        t.grad = g
    except RuntimeError:
        t = make()
        assert fails(lib.ctorch_tensor_set_grad(handle(t), handle(g)))[0] in KINDS[RuntimeError]
        assert t.grad is None
    else:
        t = make()
        call("ctorch_tensor_set_grad", t, g)
        assert t.grad is g


# Modes ----------------------------------------------------------------------------------------------------------------

MODES = {
    "ctorch_grad_mode": torch.set_grad_enabled,
    "ctorch_inference_mode": torch.inference_mode,
    "ctorch_multithreading_mode": torch.autograd.set_multithreading_enabled,
    "ctorch_grad_layout_policy": torch.autograd.enforce_grad_layout_policy,
}


def modes():
    """What Python and LibTorch see of the modes of this thread."""
    x = torch.ones(2)
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.autograd.is_multithreading_enabled(),
        torch._C._is_grad_layout_enforcement_enabled(),
        torch.autograd.forward_ad._is_fwd_grad_enabled(),
        torch._C._dispatch_tls_is_dispatch_key_included("ADInplaceOrView"),
        torch._C._dispatch_tls_is_dispatch_key_excluded("AutogradFunctionality"),
        torch._C._dispatch_tls_is_dispatch_key_excluded("AutogradOther"),
        x.is_inference(),
        lib.ctorch_grad_mode_enabled() == torch.is_grad_enabled(),
        lib.ctorch_inference_mode_enabled() == torch.is_inference_mode_enabled(),
        lib.ctorch_multithreading_mode_enabled() == torch.autograd.is_multithreading_enabled(),
        lib.ctorch_grad_layout_policy_enabled() == torch._C._is_grad_layout_enforcement_enabled(),
    )


def nestings():
    names = list(MODES)
    generator = torch.Generator().manual_seed(3)
    for _ in range(60):
        n = int(torch.randint(1, 7, (), generator=generator))
        picks = torch.randint(0, 2 * len(names), (n,), generator=generator).tolist()
        yield [(names[p // 2], bool(p % 2)) for p in picks]


def test_modes_nest_like_pythons():
    before = modes()
    for nesting in nestings():
        with_ours, with_pythons, left = [], [], []
        for name, enabled in nesting:
            ok(getattr(lib, name + "_push")(enabled))
            with_ours.append(modes())
        for name, _ in reversed(nesting):
            ok(getattr(lib, name + "_pop")())
            left.append(modes())

        def enter(rest, seen=with_pythons):
            if rest:
                name, enabled = rest[0]
                # enforce_grad_layout_policy and inference_mode: what LibTorch's own guard resets is compared apart
                with MODES[name](enabled):
                    seen.append(modes())
                    enter(rest[1:])

        enter(nesting)
        # LibTorch's inference mode also resets the layout policy inside; ours leaves it alone.
        for ours, pythons in zip(with_ours, with_pythons, strict=True):
            assert ours[:3] + ours[4:] == pythons[:3] + pythons[4:], nesting
        assert left == [*reversed(with_ours[:-1]), before]
        assert modes() == before


def test_modes_popped_in_any_order_leave_nothing_behind():
    before = modes()
    generator = torch.Generator().manual_seed(4)
    crossed = 0
    for nesting in nestings():
        for name, enabled in nesting:
            ok(getattr(lib, name + "_push")(enabled))
        order = [nesting[i] for i in torch.randperm(len(nesting), generator=generator).tolist()]
        crossed += order != nesting[::-1]
        remaining = list(nesting)
        for name, _ in order:
            ok(getattr(lib, name + "_pop")())
            at = max(i for i, (n, _) in enumerate(remaining) if n == name)
            remaining.pop(at)
            now = modes()
            for other, enabled in reversed(remaining):  # a pushed mode that nothing overrides holds
                if other == "ctorch_inference_mode":
                    assert now[1] is enabled and now[8] is enabled and now[6] is enabled
                    break
        assert modes() == before
    assert crossed > 20


def test_inference_mode_off_inside_on_records_again():
    x = leaf(2)
    ok(lib.ctorch_inference_mode_push(True))
    a = x * 2
    ok(lib.ctorch_inference_mode_push(False))
    b = x * 2
    ok(lib.ctorch_inference_mode_pop())
    c = x * 2
    ok(lib.ctorch_inference_mode_pop())
    assert (a.is_inference(), a.requires_grad) == (True, False)
    assert (b.is_inference(), b.requires_grad) == (False, True)
    assert (c.is_inference(), c.requires_grad) == (True, False)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved"):
        x * a


@pytest.mark.parametrize("name", [*MODES, "ctorch_anomaly_mode"])
def test_a_pop_needs_a_push_of_this_thread(name):
    push, pop = getattr(lib, name + "_push"), getattr(lib, name + "_pop")
    ok(push(False, True) if "anomaly" in name else push(False))
    answers = []
    thread = threading.Thread(target=lambda: answers.append(fails(pop())))
    thread.start()
    thread.join()
    assert answers[0][0] == "RUNTIME" and "pushed on this thread" in answers[0][1]
    ok(pop())
    assert fails(pop())[0] == "RUNTIME"


def test_modes_inside_pythons_modes():
    with torch.no_grad():
        ok(lib.ctorch_grad_mode_push(True))
        assert torch.is_grad_enabled()
        with torch.inference_mode():
            ok(lib.ctorch_grad_mode_push(True))
            ok(lib.ctorch_grad_mode_pop())
            assert not torch.is_grad_enabled()
        ok(lib.ctorch_grad_mode_pop())
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def anomaly():
    return (
        torch.is_anomaly_enabled(),
        torch.is_anomaly_check_nan_enabled(),
        lib.ctorch_anomaly_mode_enabled() == torch.is_anomaly_enabled(),
        lib.ctorch_anomaly_mode_check_nan() == torch.is_anomaly_check_nan_enabled(),
    )


def nan_in_backward():
    x = torch.zeros(2, requires_grad=True)
    return (x.sqrt() * 0).sum()


def test_anomaly_mode_names_the_function_that_makes_nan():
    with pytest.raises(RuntimeError) as expected, torch.autograd.set_detect_anomaly(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nan_in_backward().backward()
    ok(lib.ctorch_anomaly_mode_push(True, True))
    y = nan_in_backward()
    with pytest.raises(CtorchError) as got, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        backward([y])
    ok(lib.ctorch_anomaly_mode_pop())
    assert "SqrtBackward0' returned nan" in str(expected.value)
    assert (got.value.kind, got.value.message) == ("RUNTIME", str(expected.value))


def test_anomaly_mode_without_the_nan_check_lets_nan_pass():
    ok(lib.ctorch_anomaly_mode_push(True, False))
    assert anomaly() == (True, False, True, True)
    backward([nan_in_backward()])
    ok(lib.ctorch_anomaly_mode_pop())


def test_anomaly_modes_of_two_threads_overlap():
    before = anomaly()
    step = [threading.Event() for _ in range(2)]
    failed = []

    def other():
        try:
            ok(lib.ctorch_anomaly_mode_push(True, False))
            step[0].set()
            step[1].wait()
            ok(lib.ctorch_anomaly_mode_pop())
        except CtorchError as error:
            failed.append(error)
            step[0].set()

    ok(lib.ctorch_anomaly_mode_push(True, True))
    thread = threading.Thread(target=other)
    thread.start()
    step[0].wait()
    assert anomaly() == (True, False, True, True)  # the latest push counts
    ok(lib.ctorch_anomaly_mode_pop())  # the earlier one ends first
    assert anomaly() == (True, False, True, True)
    step[1].set()
    thread.join()
    assert not failed and anomaly() == before
