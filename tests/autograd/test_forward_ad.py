"""Forward-mode differentiation: the derivatives that Python's forward_ad gives, and its errors."""

import threading

import pytest
import torch
import torch.autograd.forward_ad as fw

from tests.autograd.test_autograd import leaf
from tests.harness.capi import fails, ffi, handle, lib, ok, out, tensor


def level_of(value):
    return ffi.NULL if value is None else ffi.new("int64_t *", value)


def make_dual(primal, tangent, level=None):
    result = out("ctorch_tensor *")
    ok(lib.ctorch_tensor_make_dual(result, handle(primal), handle(tangent), level_of(level)))
    return tensor(result[0])


def unpack_dual(dual, level=None):
    primal, tangent = out("ctorch_tensor *"), out("ctorch_tensor *")
    ok(lib.ctorch_tensor_unpack_dual(primal, tangent, handle(dual), level_of(level)))
    return tensor(primal[0]), tensor(tangent[0]) if tangent[0] else None


class Level:
    def __enter__(self):
        ok(lib.ctorch_dual_level_push())

    def __exit__(self, *args):
        ok(lib.ctorch_dual_level_pop())


def values(*shape, seed=0, dtype=torch.float64):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype) + 0.1


A, B, M = values(3, 4), values(3, 4, seed=1), values(4, 4, seed=2)
FUNCTIONS = {
    "add": (lambda x, y: x + y, (A, B)),
    "sub": (lambda x, y: torch.sub(x, y, alpha=3), (A, B)),
    "mul": (lambda x, y: x * y, (A, B)),
    "div": (lambda x, y: x / y, (A, B)),
    "pow": (lambda x, y: x**y, (A, B)),
    "atan2": (torch.atan2, (A, B)),
    "maximum": (torch.maximum, (A, B)),
    "sin": (torch.sin, (A,)),
    "exp": (torch.exp, (A,)),
    "log": (torch.log, (A,)),
    "sqrt": (torch.sqrt, (A,)),
    "tanh": (torch.tanh, (A,)),
    "sigmoid": (torch.sigmoid, (A,)),
    "erf": (torch.erf, (A,)),
    "lgamma": (torch.lgamma, (A,)),
    "relu": (torch.relu, (A - 0.5,)),
    "gelu": (torch.nn.functional.gelu, (A,)),
    "softplus": (torch.nn.functional.softplus, (A,)),
    "softmax": (lambda x: x.softmax(1), (A,)),
    "log_softmax": (lambda x: x.log_softmax(0), (A,)),
    "logsumexp": (lambda x: x.logsumexp(1), (A,)),
    "sum": (lambda x: x.sum(0), (A,)),
    "prod": (lambda x: x.prod(1), (A,)),
    "mean": (torch.mean, (A,)),
    "var": (lambda x: x.var(1), (A,)),
    "norm": (lambda x: torch.linalg.vector_norm(x, 3), (A,)),
    "max": (lambda x: x.max(1).values, (A,)),
    "cumsum": (lambda x: x.cumsum(1), (A,)),
    "cumprod": (lambda x: x.cumprod(0), (A,)),
    "sort": (lambda x: x.sort(1).values, (A,)),
    "matmul": (lambda x, y: x @ y, (A, M)),
    "einsum": (lambda x, y: torch.einsum("ij,kj->ik", x, y), (A, B)),
    "inverse": (torch.linalg.inv, (M,)),
    "det": (torch.linalg.det, (M,)),
    "solve": (torch.linalg.solve, (M, values(4, 2, seed=3))),
    "cholesky": (lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(4)), (M,)),
    "transpose": (lambda x: x.t(), (A,)),
    "reshape": (lambda x: x.reshape(2, 6), (A,)),
    "slice": (lambda x: x[1:, ::2], (A,)),
    "gather": (lambda x: x.gather(1, torch.tensor([[0, 1], [2, 3], [0, 0]])), (A,)),
    "cat": (lambda x, y: torch.cat([x, y], 1), (A, B)),
    "where": (lambda x, y: torch.where(x > y, x * 2, y), (A, B)),
    "roll": (lambda x: x.roll(1, 0), (A,)),
    "flip": (lambda x: x.flip(1), (A,)),
    "tril": (torch.tril, (A,)),
    "clamp": (lambda x: x.clamp(0.3, 0.7), (A,)),
    "conv1d": (torch.nn.functional.conv1d, (values(2, 3, 8), values(4, 3, 3, seed=1))),
    "linear": (torch.nn.functional.linear, (A, B, values(3, seed=2))),
    "layer_norm": (lambda x: torch.nn.functional.layer_norm(x, (4,)), (A,)),
    "avg_pool": (lambda x: torch.nn.functional.avg_pool1d(x, 2), (values(1, 2, 6),)),
    "mse_loss": (torch.nn.functional.mse_loss, (A, B)),
    "complex mul": (lambda x, y: x * y.conj(), (values(3, dtype=torch.complex128), values(3, dtype=torch.complex128))),
    "complex abs": (torch.abs, (values(3, dtype=torch.complex128),)),
    "complex exp": (torch.exp, (values(3, dtype=torch.complex128),)),
    "in place": (lambda x, y: x.clone().mul_(y).add_(x), (A, B)),
    "no derivative": (lambda x: (x > 0.5).double(), (A,)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_tangents_are_pythons(name):
    function, inputs = FUNCTIONS[name]
    tangents = [torch.randn(t.shape, dtype=t.dtype, generator=torch.Generator().manual_seed(9)) for t in inputs]
    for moving in ([True] * len(inputs), [True] + [False] * (len(inputs) - 1)):
        moved = [(t, d) for t, d, m in zip(inputs, tangents, moving, strict=True) if m]
        still = [t for t, m in zip(inputs, moving, strict=True) if not m]
        with fw.dual_level():
            expected = fw.unpack_dual(function(*(fw.make_dual(t, d) for t, d in moved), *still))
        with Level():
            got = unpack_dual(function(*(make_dual(t, d) for t, d in moved), *still))
        assert torch.equal(got[0], expected.primal)
        assert (got[1] is None) == (expected.tangent is None)
        if got[1] is not None:
            assert torch.equal(got[1], expected.tangent)


def test_the_derivative_of_sine_is_cosine():
    x = values(5)
    with Level():
        primal, tangent = unpack_dual(make_dual(x, torch.ones_like(x)).sin())
    assert torch.equal(primal, x.sin()) and torch.allclose(tangent, x.cos(), rtol=1e-15, atol=0)


def test_tangents_are_forgotten_at_the_end_of_the_level():
    x = values(2)
    with Level():
        dual = make_dual(x, x)
        assert unpack_dual(dual)[1] is not None
    primal, tangent = unpack_dual(dual)
    assert primal is dual and tangent is None
    with Level():
        assert unpack_dual(dual)[1] is None


def test_backward_through_a_dual_tensor():
    x = leaf(3)
    with Level():
        _, tangent = unpack_dual((make_dual(x, torch.ones_like(x)) ** 3).sum())
        (second,) = torch.autograd.grad(tangent, x)
    assert torch.allclose(second, 6 * x.detach())


def test_levels_do_not_nest():
    assert lib.ctorch_dual_level_current() == -1
    with Level():
        assert lib.ctorch_dual_level_current() == 0
        with pytest.raises(RuntimeError) as expected:
            fw.enter_dual_level()
        assert fails(lib.ctorch_dual_level_push()) == ("RUNTIME", str(expected.value))
        assert lib.ctorch_dual_level_current() == 0
    assert lib.ctorch_dual_level_current() == -1
    assert fails(lib.ctorch_dual_level_pop())[0] == "RUNTIME"


def test_a_level_of_pythons_is_seen():
    x = values(2)
    with fw.dual_level():
        assert lib.ctorch_dual_level_current() == 0
        assert torch.equal(fw.unpack_dual(make_dual(x, x * 2)).tangent, x * 2)
        assert fails(lib.ctorch_dual_level_pop())[0] == "RUNTIME"


def test_only_the_thread_that_started_a_level_ends_it():
    answers = []
    x = values(2)

    def other():
        answers.append(fails(lib.ctorch_dual_level_pop()))
        answers.append(unpack_dual(make_dual(x, x).exp())[1])

    with Level():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert answers[0][0] == "RUNTIME" and "pushed on this thread" in answers[0][1]
    assert torch.allclose(answers[1], x * x.exp())


ERRORS = {
    "another shape": (lambda: (values(2), values(3)), None),
    "ints": (lambda: (torch.arange(3), values(3)), None),
    "an int tangent": (lambda: (values(3), torch.arange(3)), None),
    "a level that is not open": (lambda: (values(3), values(3)), 3),
}


@pytest.mark.parametrize("case", ERRORS)
def test_make_dual_fails_like_pythons(case):
    make, level = ERRORS[case]
    primal, tangent = make()
    result = out("ctorch_tensor *")
    with fw.dual_level():
        with pytest.raises((RuntimeError, ValueError)) as expected:
            fw.make_dual(primal, tangent, level=level)
        kind, message = fails(
            lib.ctorch_tensor_make_dual(result, handle(primal), handle(tangent), level_of(level)),
        )
    assert kind in {RuntimeError: ("RUNTIME", "SHAPE_MISMATCH"), ValueError: ("VALUE",)}[expected.type]
    assert str(expected.value) in message
    assert result[0] == ffi.NULL


def test_make_dual_outside_of_a_level_and_of_a_dual():
    x, result = values(2), out("ctorch_tensor *")
    for level in (None, -1):
        with pytest.raises(RuntimeError) as expected:
            fw.make_dual(x, x, level=level)
        kind, message = fails(lib.ctorch_tensor_make_dual(result, handle(x), handle(x), level_of(level)))
        assert kind == "RUNTIME" and str(expected.value) in message
    with Level():
        dual = make_dual(x, x)
        kind, message = fails(lib.ctorch_tensor_make_dual(result, handle(dual), handle(x), ffi.NULL))
        assert kind == "RUNTIME" and "already has a forward gradient" in message
    for args in ((ffi.NULL, handle(x)), (handle(x), ffi.NULL)):
        assert fails(lib.ctorch_tensor_make_dual(result, *args, ffi.NULL))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_tensor_unpack_dual(result, result, ffi.NULL, ffi.NULL))[0] == "NULL_ARGUMENT"
    assert result[0] == ffi.NULL
