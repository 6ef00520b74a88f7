"""ctorch_func_* against torch.func: the same functions under the same transforms, in one process.

A case of CASES computes with a module `F`, once torch.func and once runtime.func, which is ctorch. The same operators
run under the same transforms, so results are equal bit for bit, with the exceptions in ANOTHER_WAY. A case of ERRORS
fails with both, for the same reason.
"""

import random
import warnings

import pytest
import torch
import torch.func
from torch.utils._pytree import tree_leaves

from tests.harness import func as ctorch_func
from tests.harness.capi import CtorchError
from tests.harness.exceptions import kind_of, same_kind
from tests.harness.func import returns

SEED = 20240613
f64 = torch.float64


def numbers(*shape, dtype=f64):
    """The same numbers for both modules: cases draw from a generator of their own."""
    return torch.randn(shape, dtype=f64, generator=numbers.generator).to(dtype)


numbers.generator = torch.Generator()


def wave(x):
    return (x.sin() * x.exp()).sum()


def elementwise(x):
    return x.sin() * x + x.tanh()


@returns(2)
def two(x):
    return x.sin(), x.cumsum(0).cos()


@returns(2)
def mixed(x, y):
    return x @ y, (x * x).sum()


@returns(3)
def loss_and_aux(x):
    return wave(x), (x * 2, (x > 0).to(f64))


@returns(2)
def value_and_aux(x):
    y = x.sin() * x
    return y, y.exp()


def model(weight, bias, x, target):
    return torch.nn.functional.mse_loss(torch.tanh(x @ weight + bias), target)


def classifier(weight, x, target):
    return torch.nn.functional.cross_entropy((x @ weight).unsqueeze(0), target.unsqueeze(0))


CAPTURED = torch.linspace(-1, 1, 3, dtype=f64)

CASES = {
    # vmap: dimensions
    "vmap of one input": lambda F: F.vmap(elementwise)(numbers(4, 3)),
    "vmap of a function of scalars": lambda F: F.vmap(torch.sin)(numbers(4)),
    "vmap with in_dims 1": lambda F: F.vmap(torch.sum, in_dims=1)(numbers(4, 3)),
    "vmap with in_dims -1": lambda F: F.vmap(elementwise, in_dims=-1)(numbers(2, 3, 5)),
    "vmap with in_dims -2, out_dims -1": lambda F: F.vmap(elementwise, -2, -1)(numbers(2, 3, 5)),
    "vmap of two inputs": lambda F: F.vmap(torch.dot)(numbers(4, 3), numbers(4, 3)),
    "vmap over different dimensions": lambda F: F.vmap(torch.dot, (0, 1))(numbers(4, 3), numbers(3, 4)),
    "vmap with an input that is not mapped": lambda F: F.vmap(torch.mv, (0, None))(numbers(4, 3, 5), numbers(5)),
    "vmap with the first input not mapped": lambda F: F.vmap(torch.mv, (None, 0))(numbers(3, 5), numbers(4, 5)),
    "vmap with out_dims 1": lambda F: F.vmap(elementwise, out_dims=1)(numbers(4, 3)),
    "vmap with out_dims 2 of a matrix": lambda F: F.vmap(torch.outer, out_dims=2)(numbers(4, 3), numbers(4, 5)),
    "vmap of two outputs": lambda F: F.vmap(two)(numbers(4, 3)),
    "vmap of two outputs with out_dims each": lambda F: F.vmap(two, out_dims=(1, 0))(numbers(4, 3)),
    "vmap of matmul": lambda F: F.vmap(torch.matmul)(numbers(4, 2, 3), numbers(4, 3, 5)),
    "vmap of inputs of two dtypes": lambda F: F.vmap(torch.add)(numbers(4, 3), torch.arange(12).reshape(4, 3)),
    "vmap of a batch of one": lambda F: F.vmap(elementwise)(numbers(1, 3)),
    "vmap of an empty batch": lambda F: F.vmap(elementwise)(numbers(0, 3)),
    "vmap of empty samples": lambda F: F.vmap(elementwise)(numbers(4, 0)),
    # vmap: what a function may return
    "vmap of a function that returns its input": lambda F: F.vmap(lambda x: x)(numbers(4, 3)),
    "vmap that moves the dimension of an input": lambda F: F.vmap(lambda x: x, 1, 0)(numbers(4, 3)),
    "vmap of a constant": lambda F: F.vmap(lambda x: CAPTURED)(numbers(4, 2)),
    "vmap of an unmapped output": lambda F: F.vmap(returns(2)(lambda x: (x, CAPTURED)), out_dims=(0, None))(numbers(4)),
    "vmap of an input that is ignored": lambda F: F.vmap(lambda x, y: x)(numbers(4, 3), numbers(4)),
    "vmap of a view": lambda F: F.vmap(lambda x: x[1:].t())(numbers(4, 3, 2)),
    "vmap of a factory": lambda F: F.vmap(lambda x: torch.zeros(2, dtype=f64) + x.sum())(numbers(4, 3)),
    "vmap with a captured tensor": lambda F: F.vmap(lambda x: x * CAPTURED)(numbers(4, 3)),
    "vmap that changes its input in place": lambda F: F.vmap(lambda x: x.add_(1))(numbers(4, 3)),
    "vmap of half precision": lambda F: F.vmap(elementwise)(numbers(4, 3, dtype=torch.bfloat16)),
    "vmap of complex": lambda F: F.vmap(lambda x: x.conj() * x)(numbers(4, 3, dtype=torch.complex128)),
    "vmap of booleans": lambda F: F.vmap(torch.logical_not)(numbers(4, 3) > 0),
    # vmap: chunks
    "vmap in chunks of 1": lambda F: F.vmap(elementwise, chunk_size=1)(numbers(5, 3)),
    "vmap in chunks of 2": lambda F: F.vmap(elementwise, chunk_size=2)(numbers(5, 3)),
    "vmap in chunks larger than the batch": lambda F: F.vmap(elementwise, chunk_size=100)(numbers(5, 3)),
    "vmap in chunks along 1 into 1": lambda F: F.vmap(two, 1, 1, chunk_size=2)(numbers(3, 5)),
    "vmap in chunks with an input not mapped": lambda F: F.vmap(torch.mv, (0, None), chunk_size=3)(
        numbers(4, 3, 5), numbers(5)
    ),
    # vmap: randomness
    "random numbers that differ": lambda F: F.vmap(lambda x: x + torch.rand(3), randomness="different")(numbers(4, 3)),
    "random numbers that are the same": lambda F: F.vmap(lambda x: x + torch.rand(3), randomness="same")(numbers(4, 3)),
    "dropout that differs": lambda F: F.vmap(lambda x: torch.dropout(x, 0.5, True), randomness="different")(
        numbers(4, 9)
    ),
    "dropout that is the same": lambda F: F.vmap(lambda x: torch.dropout(x, 0.5, True), randomness="same")(
        numbers(4, 9)
    ),
    "the same random numbers in every chunk": lambda F: F.vmap(
        lambda x: x + torch.rand(3), randomness="same", chunk_size=2
    )(numbers(5, 3)),
    "different random numbers in chunks": lambda F: F.vmap(
        lambda x: x + torch.rand(3), randomness="different", chunk_size=2
    )(numbers(5, 3)),
    "randn_like that differs": lambda F: F.vmap(torch.randn_like, randomness="different")(numbers(4, 3)),
    # grad
    "grad": lambda F: F.grad(wave)(numbers(3)),
    "grad of a scalar": lambda F: F.grad(torch.sin)(numbers()),
    "grad by the second input": lambda F: F.grad(torch.dot, argnums=1)(numbers(3), numbers(3)),
    "grad by the last input": lambda F: F.grad(torch.dot, argnums=-1)(numbers(3), numbers(3)),
    "grad by both inputs": lambda F: F.grad(torch.dot, argnums=(0, 1))(numbers(3), numbers(3)),
    "grad by both inputs, reversed": lambda F: F.grad(torch.dot, argnums=(-1, 0))(numbers(3), numbers(3)),
    "grad with aux": lambda F: F.grad(loss_and_aux, has_aux=True)(numbers(3)),
    "grad and value": lambda F: F.grad_and_value(wave)(numbers(3)),
    "grad and value with aux": lambda F: F.grad_and_value(loss_and_aux, has_aux=True)(numbers(3)),
    "grad and value by two inputs": lambda F: F.grad_and_value(torch.dot, argnums=(1, 0))(numbers(3), numbers(3)),
    "grad of a constant": lambda F: F.grad(lambda x: CAPTURED.sum())(numbers(3)),
    "grad by an input that is ignored": lambda F: F.grad(lambda x, y: y.sum())(numbers(3), numbers(2)),
    "grad of the identity": lambda F: F.grad_and_value(lambda x: x)(numbers()),
    "grad with an integer input beside": lambda F: F.grad(lambda x, i: x[i].sum())(numbers(3), torch.tensor([0, 0, 2])),
    "grad of an integer output": lambda F: F.grad(lambda x: (x > 0).sum())(numbers(3)),
    "grad of a real function of complex": lambda F: F.grad(lambda z: (z * z.conj()).real.sum())(
        numbers(3, dtype=torch.complex128)
    ),
    "grad with a captured tensor": lambda F: F.grad(lambda x: (x * CAPTURED).sin().sum())(numbers(3)),
    "grad through an in-place operator": lambda F: F.grad(lambda x: (x * 2).mul_(x).sum())(numbers(3)),
    "grad that writes into a factory's tensor": lambda F: F.grad(
        lambda x: torch.zeros(3, dtype=f64).copy_(x).sin().sum()
    )(numbers(3)),
    "grad of a model by its parameters": lambda F: F.grad(model, argnums=(0, 1))(
        numbers(3, 2), numbers(2), numbers(5, 3), numbers(5, 2)
    ),
    "grad in float32": lambda F: F.grad(wave)(numbers(3, dtype=torch.float32)),
    # vjp
    "vjp": lambda F: vjp_of(F, elementwise, (numbers(3),), numbers(3)),
    "vjp called twice": lambda F: (lambda g: (g(numbers(3)), g(numbers(3))))(F.vjp(elementwise, numbers(3))[1]),
    "vjp of two outputs": lambda F: vjp_of(F, two, (numbers(3),), (numbers(3), numbers(3))),
    "vjp of two inputs and outputs": lambda F: vjp_of(
        F, mixed, (numbers(2, 3), numbers(3, 2)), (numbers(2, 2), numbers())
    ),
    "vjp with aux": lambda F: (lambda y, g, aux: (y, g(numbers(3)), aux))(
        *F.vjp(value_and_aux, numbers(3), has_aux=True)
    ),
    "vjp of the identity": lambda F: vjp_of(F, lambda x: x, (numbers(3),), numbers(3)),
    "vjp of a constant": lambda F: vjp_of(F, lambda x: CAPTURED, (numbers(2),), numbers(3)),
    "vjp of a complex function": lambda F: vjp_of(
        F, lambda z: z * z, (numbers(3, dtype=torch.complex128),), numbers(3, dtype=torch.complex128)
    ),
    "rows of a Jacobian by vmap of a vjp": lambda F: F.vmap(F.vjp(elementwise, numbers(3))[1])(torch.eye(3, dtype=f64)),
    "vjp of a vjp": lambda F: F.vjp(lambda x: F.vjp(elementwise, x)[1](x.cos())[0], numbers(3))[1](numbers(3)),
    "vjp differentiated by its cotangents": lambda F: F.grad(
        lambda c: F.vjp(elementwise, CAPTURED)[1](c)[0].sin().sum()
    )(numbers(3)),
    # jvp
    "jvp": lambda F: F.jvp(elementwise, (numbers(3),), (numbers(3),)),
    "jvp of two inputs": lambda F: F.jvp(torch.dot, (numbers(3), numbers(3)), (numbers(3), numbers(3))),
    "jvp of two outputs": lambda F: F.jvp(two, (numbers(3),), (numbers(3),)),
    "jvp with aux": lambda F: F.jvp(value_and_aux, (numbers(3),), (numbers(3),), has_aux=True),
    "jvp of a constant": lambda F: F.jvp(lambda x: CAPTURED, (numbers(2),), (numbers(2),)),
    "jvp of the identity": lambda F: F.jvp(lambda x: x, (numbers(3),), (numbers(3),)),
    "strict jvp": lambda F: F.jvp(elementwise, (numbers(3),), (numbers(3),), strict=True),
    "jvp of complex": lambda F: F.jvp(
        lambda z: z.exp(), (numbers(2, dtype=torch.complex64),), (numbers(2, dtype=torch.complex64),)
    ),
    "jvp with a tangent of another dtype": lambda F: F.jvp(
        elementwise, (numbers(3),), (numbers(3, dtype=torch.float32),)
    ),
    "jvp of a jvp": lambda F: F.jvp(lambda x: F.jvp(elementwise, (x,), (x.cos(),))[1], (numbers(3),), (numbers(3),)),
    "many jvps by vmap": lambda F: F.vmap(lambda t: F.jvp(elementwise, (CAPTURED,), (t,))[1])(numbers(4, 3)),
    # linearize
    "linearize": lambda F: (lambda y, j: (y, j(numbers(3)), j(numbers(3))))(*F.linearize(elementwise, numbers(3))),
    "linearize of two inputs and outputs": lambda F: (lambda y, j: (y, j(numbers(2, 3), numbers(3, 2))))(
        *F.linearize(mixed, numbers(2, 3), numbers(3, 2))
    ),
    "linearize of a linear function": lambda F: (lambda y, j: (y, j(numbers(3))))(
        *F.linearize(lambda x: x * CAPTURED, numbers(3))
    ),
    # Jacobians
    "jacrev": lambda F: F.jacrev(elementwise)(numbers(3)),
    "jacrev of a matrix": lambda F: F.jacrev(lambda x: x @ x.t())(numbers(2, 3)),
    "jacrev of scalar to scalar": lambda F: F.jacrev(torch.sin)(numbers()),
    "jacrev of a scalar output": lambda F: F.jacrev(wave)(numbers(2, 3)),
    "jacrev of a scalar input": lambda F: F.jacrev(lambda x: x * CAPTURED)(numbers()),
    "jacrev of two outputs": lambda F: F.jacrev(two)(numbers(3)),
    "jacrev by two inputs": lambda F: F.jacrev(torch.mv, argnums=(0, 1))(numbers(2, 3), numbers(3)),
    "jacrev of two outputs by two inputs": lambda F: F.jacrev(mixed, argnums=(0, 1))(numbers(2, 3), numbers(3, 2)),
    "jacrev by the last input": lambda F: F.jacrev(torch.mv, argnums=-1)(numbers(2, 3), numbers(3)),
    "jacrev with aux": lambda F: F.jacrev(value_and_aux, has_aux=True)(numbers(3)),
    "jacrev in chunks of 1": lambda F: F.jacrev(two, chunk_size=1)(numbers(3)),
    "jacrev in chunks of 2": lambda F: F.jacrev(mixed, argnums=(0, 1), chunk_size=2)(numbers(2, 3), numbers(3, 2)),
    "jacrev in one chunk": lambda F: F.jacrev(two, chunk_size=100)(numbers(3)),
    "jacrev of a constant": lambda F: F.jacrev(lambda x: CAPTURED)(numbers(2)),
    "jacrev of what vmap cannot do, row by row": lambda F: F.jacrev(
        lambda x: x * x.detach().sum().item(), chunk_size=1
    )(numbers(3)),
    "jacfwd": lambda F: F.jacfwd(elementwise)(numbers(3)),
    "jacfwd of a matrix": lambda F: F.jacfwd(lambda x: x @ x.t())(numbers(2, 3)),
    "jacfwd of scalar to scalar": lambda F: F.jacfwd(torch.sin)(numbers()),
    "jacfwd of a scalar input": lambda F: F.jacfwd(lambda x: x * CAPTURED)(numbers()),
    "jacfwd of two outputs": lambda F: F.jacfwd(two)(numbers(3)),
    "jacfwd of two outputs by two inputs": lambda F: F.jacfwd(mixed, argnums=(0, 1))(numbers(2, 3), numbers(3, 2)),
    "jacfwd by the second input": lambda F: F.jacfwd(torch.mv, argnums=1)(numbers(2, 3), numbers(3)),
    "jacfwd with aux": lambda F: F.jacfwd(value_and_aux, has_aux=True)(numbers(3)),
    "jacfwd of a constant": lambda F: F.jacfwd(lambda x: CAPTURED)(numbers(2)),
    "jacfwd with random numbers": lambda F: F.jacfwd(lambda x: x * torch.rand(3, dtype=f64), randomness="same")(
        numbers(3)
    ),
    "hessian": lambda F: F.hessian(wave)(numbers(3)),
    "hessian of a vector function": lambda F: F.hessian(elementwise)(numbers(3)),
    "hessian of two outputs": lambda F: F.hessian(two)(numbers(3)),
    "hessian by two inputs": lambda F: F.hessian(lambda x, y: (x.sin() * y.exp()).sum(), argnums=(0, 1))(
        numbers(3), numbers(3)
    ),
    "hessian of a model": lambda F: F.hessian(model, argnums=(0, 1))(
        numbers(3, 2), numbers(2), numbers(5, 3), numbers(5, 2)
    ),
    # nesting
    "vmap of vmap": lambda F: F.vmap(F.vmap(torch.dot))(numbers(4, 2, 3), numbers(4, 2, 3)),
    "vmap of vmap over two dimensions": lambda F: F.vmap(F.vmap(torch.dot, (None, 0)), (0, None))(
        numbers(4, 3), numbers(5, 3)
    ),
    "vmap of vmap that returns the outer input": lambda F: F.vmap(lambda x: F.vmap(lambda y: x)(CAPTURED))(
        numbers(4, 2)
    ),
    "vmap of vmap with out_dims": lambda F: F.vmap(F.vmap(elementwise, 0, 1), 1, 2)(numbers(4, 5, 3)),
    "vmap of chunks of vmap": lambda F: F.vmap(F.vmap(elementwise, chunk_size=2), chunk_size=3)(numbers(4, 5, 3)),
    "three vmaps": lambda F: F.vmap(F.vmap(F.vmap(torch.dot)))(numbers(2, 3, 4, 5), numbers(2, 3, 4, 5)),
    "vmap of grad": lambda F: F.vmap(F.grad(wave))(numbers(4, 3)),
    "vmap of grad of a model, per sample": lambda F: F.vmap(F.grad(model, argnums=(0, 1)), (None, None, 0, 0))(
        numbers(3, 2), numbers(2), numbers(5, 3), numbers(5, 2)
    ),
    "vmap of grad of cross entropy, per sample": lambda F: F.vmap(F.grad(classifier), (None, 0, 0))(
        numbers(3, 4), numbers(5, 3), torch.tensor([0, 3, 1, 1, 2])
    ),
    "grad of vmap": lambda F: F.grad(lambda x: F.vmap(elementwise)(x).sum())(numbers(4, 3)),
    "grad of grad": lambda F: F.grad(F.grad(torch.sin))(numbers()),
    "four grads": lambda F: F.grad(F.grad(F.grad(F.grad(lambda x: x.exp().sin()))))(numbers()),
    "vmap of grad of grad": lambda F: F.vmap(F.grad(F.grad(torch.tanh)))(numbers(5)),
    "grad of vmap of grad": lambda F: F.grad(lambda x: F.vmap(F.grad(wave))(x).cos().sum())(numbers(4, 3)),
    "grad by a tensor of the outer grad": lambda F: F.grad(lambda x: F.grad(lambda y: (x * y * y).sum())(x).sum())(
        numbers(3)
    ),
    "jacfwd of jacrev": lambda F: F.jacfwd(F.jacrev(wave))(numbers(3)),
    "jacrev of jacfwd": lambda F: F.jacrev(F.jacfwd(wave))(numbers(3)),
    "jacrev of jacrev": lambda F: F.jacrev(F.jacrev(two))(numbers(3)),
    "jacfwd of jacfwd": lambda F: F.jacfwd(F.jacfwd(elementwise))(numbers(3)),
    "vmap of hessian": lambda F: F.vmap(F.hessian(wave))(numbers(4, 3)),
    "vmap of jacrev": lambda F: F.vmap(F.jacrev(elementwise))(numbers(4, 3)),
    "vmap of jacfwd": lambda F: F.vmap(F.jacfwd(two))(numbers(4, 3)),
    "jvp of grad, a product with the Hessian": lambda F: F.jvp(F.grad(wave), (numbers(3),), (numbers(3),)),
    "grad of jvp": lambda F: F.grad(lambda x: F.jvp(wave, (x,), (CAPTURED,))[1])(numbers(3)),
    "vmap of jvp": lambda F: F.vmap(lambda x, t: F.jvp(wave, (x,), (t,))[1])(numbers(4, 3), numbers(4, 3)),
    "jvp of vmap": lambda F: F.jvp(F.vmap(elementwise), (numbers(4, 3),), (numbers(4, 3),)),
    "vmap of vjp": lambda F: F.vmap(lambda x, c: F.vjp(elementwise, x)[1](c)[0])(numbers(4, 3), numbers(4, 3)),
    "random numbers in vmap of vmap": lambda F: F.vmap(
        F.vmap(lambda x: x + torch.rand(3), randomness="different"), randomness="same"
    )(numbers(2, 4, 3)),
    "random numbers in grad in vmap": lambda F: F.vmap(
        F.grad(lambda x: (x * torch.rand(3, dtype=f64)).sin().sum()), randomness="different"
    )(numbers(4, 3)),
    # modes
    "grad outside of autograd": lambda F: under(torch.no_grad(), lambda: F.grad(wave)(numbers(3))),
    "grad of what the function does not record": lambda F: F.grad(lambda x: (x - without_grad(x * x)).sum())(
        numbers(3)
    ),
    "grad of grad outside of autograd": lambda F: under(torch.no_grad(), lambda: F.grad(F.grad(torch.sin))(numbers())),
    "vjp outside of autograd": lambda F: under(
        torch.no_grad(), lambda: vjp_of(F, elementwise, (numbers(3),), numbers(3))
    ),
    "jvp outside of autograd": lambda F: under(
        torch.no_grad(), lambda: F.jvp(elementwise, (numbers(3),), (numbers(3),))
    ),
    "grad in inference mode": lambda F: under(torch.inference_mode(), lambda: F.grad(wave)(numbers(3))),
    "vjp in inference mode": lambda F: under(
        torch.inference_mode(), lambda: vjp_of(F, elementwise, (numbers(3),), numbers(3))
    ),
    "jvp in inference mode": lambda F: under(
        torch.inference_mode(), lambda: F.jvp(elementwise, (numbers(3),), (numbers(3),))
    ),
    "vmap in inference mode": lambda F: under(torch.inference_mode(), lambda: F.vmap(elementwise)(numbers(4, 3))),
    "hessian in inference mode": lambda F: under(torch.inference_mode(), lambda: F.hessian(wave)(numbers(3))),
    "autograd through vmap": lambda F: outer_grad(F.vmap(elementwise), numbers(4, 3)),
    "autograd through grad": lambda F: outer_grad(F.grad(wave), numbers(3)),
    "autograd through a vjp": lambda F: outer_grad(lambda x: F.vjp(elementwise, x)[1](CAPTURED)[0], numbers(3)),
    "autograd through jvp": lambda F: outer_grad(lambda x: F.jvp(elementwise, (x,), (CAPTURED,))[1], numbers(3)),
    "autograd through jacrev": lambda F: outer_grad(F.jacrev(elementwise), numbers(3)),
    "autograd by a captured tensor": lambda F: outer_grad(
        lambda w: F.vmap(lambda x: (w * x).sin())(CAPTURED), numbers()
    ),
    "autograd.grad inside grad": lambda F: F.grad(lambda x: inner_autograd(x))(numbers(3)),
    "autocast inside vmap": lambda F: under(
        torch.autocast("cpu", torch.bfloat16),
        lambda: F.vmap(torch.mv)(numbers(4, 3, 2, dtype=torch.float32), numbers(4, 2, dtype=torch.float32)),
    ),
}


def vjp_of(F, function, primals, cotangents):
    value, product = F.vjp(function, *primals)
    return value, product(cotangents)


def under(mode, call):
    with mode:
        return call()


def without_grad(x):
    with torch.no_grad():
        return x * 1


def outer_grad(function, x):
    x.requires_grad_()
    result = function(x)
    assert result.requires_grad
    return result.detach(), torch.autograd.grad(result.sin().sum(), x)


def inner_autograd(x):
    y = (x.sin() * x).sum()
    return torch.autograd.grad(y, x, create_graph=True)[0].cos().sum()


# Python traces the forward derivative; ctorch transposes the reverse one.
ANOTHER_WAY = {name for name in CASES if name.startswith("linearize")}


# Where zeros are the right answer, which would hide a result that was never written.
ZERO = {
    "vmap of an empty batch",
    "vmap of empty samples",
    "grad of a constant",
    "grad by an input that is ignored",
    "grad of an integer output",
    "jacrev of a constant",
    "jacfwd of a constant",
}


def compute(case, module):
    torch.manual_seed(SEED)
    numbers.generator.manual_seed(SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return case(module)


def assert_same(ours, theirs, exactly=True):
    ours_flat, theirs_flat = tree_leaves(ours), tree_leaves(theirs)
    assert len(ours_flat) == len(theirs_flat)
    for mine, other in zip(ours_flat, theirs_flat, strict=True):
        assert (mine.shape, mine.dtype) == (other.shape, other.dtype)
        tolerance = {"rtol": 0, "atol": 0} if exactly else {}
        torch.testing.assert_close(mine, other, equal_nan=True, **tolerance)


@pytest.mark.parametrize("name", CASES)
def test_equals_python(name):
    expected = compute(CASES[name], torch.func)
    for _ in range(2):  # a transform leaves nothing behind that a second one would trip over
        assert_same(compute(CASES[name], ctorch_func), expected, exactly=name not in ANOTHER_WAY)
        assert ctorch_func.depth() == 0
    assert any(t.any() for t in tree_leaves(expected)) != (name in ZERO)


class Alternating:
    """Every other transform is Python's."""

    def __init__(self, first):
        self.modules = [first, ctorch_func if first is torch.func else torch.func]

    def __getattr__(self, name):
        self.modules.reverse()
        return getattr(self.modules[-1], name)


# Python counts the jvps that it is inside of, and does not know of ctorch's.
OURS_AROUND_PYTHONS_JVP = {"jacfwd", "jvp", "hessian"}
NESTED = [
    name
    for name in CASES
    if " of " in name and name.split(" of ")[1].split()[0] in torch.func.__all__ and "per sample" not in name
]


@pytest.mark.parametrize("name", NESTED)
def test_nests_with_python(name):
    expected = compute(CASES[name], torch.func)
    for first in torch.func, ctorch_func:
        try:
            ours = compute(CASES[name], Alternating(first))
        except (CtorchError, RuntimeError) as nested:
            assert "Nested forward mode AD" in str(nested) and any(n in name for n in OURS_AROUND_PYTHONS_JVP)
            continue
        assert_same(ours, expected)
    assert ctorch_func.depth() == 0


def change_captured(x):
    captured = torch.zeros(3, dtype=f64)
    return lambda y: captured.add_(y).sum()


def fail_with(message):
    def function(*args):
        raise IndexError(message)

    return function


class Hooks(torch.autograd.graph.saved_tensors_hooks):
    def __init__(self):
        super().__init__(lambda t: t, lambda t: t)


ERRORS = {
    "vmap of no input": lambda F: F.vmap(elementwise)(),
    "vmap with nothing mapped": lambda F: F.vmap(elementwise, None)(numbers(3)),
    "vmap with nothing mapped of two": lambda F: F.vmap(torch.dot, (None, None))(numbers(3), numbers(3)),
    "vmap with in_dims too large": lambda F: F.vmap(elementwise, 1)(numbers(3)),
    "vmap with in_dims too small": lambda F: F.vmap(elementwise, -2)(numbers(3)),
    "vmap of a scalar": lambda F: F.vmap(elementwise)(numbers()),
    "vmap of batches of two sizes": lambda F: F.vmap(torch.dot)(numbers(4, 3), numbers(5, 3)),
    "vmap of batches of two sizes along two dimensions": lambda F: F.vmap(torch.dot, (0, 1))(
        numbers(4, 3), numbers(4, 3)
    ),
    "vmap in chunks of 0": lambda F: F.vmap(elementwise, chunk_size=0)(numbers(3)),
    "vmap in chunks of -1": lambda F: F.vmap(elementwise, chunk_size=-1)(numbers(3)),
    "vmap with out_dims too large": lambda F: F.vmap(elementwise, out_dims=2)(numbers(4, 3)),
    "vmap with out_dims too small": lambda F: F.vmap(elementwise, out_dims=-3)(numbers(4, 3)),
    "vmap with a mapped output that is to be unmapped": lambda F: F.vmap(elementwise, out_dims=None)(numbers(4, 3)),
    "random numbers": lambda F: F.vmap(lambda x: x + torch.rand(3))(numbers(4, 3)),
    "random numbers in place": lambda F: F.vmap(lambda x: x.clone().normal_())(numbers(4, 3)),
    "dropout": lambda F: F.vmap(lambda x: torch.dropout(x, 0.5, True))(numbers(4, 3)),
    "random numbers in grad in vmap": lambda F: F.vmap(F.grad(lambda x: (x * torch.rand(3)).sum()))(numbers(4, 3)),
    "a number read under vmap": lambda F: F.vmap(lambda x: x * x.sum().item())(numbers(4, 3)),
    "control flow under vmap": lambda F: F.vmap(lambda x: x if x.sum() > 0 else -x)(numbers(4, 3)),
    "a shape that depends on data under vmap": lambda F: F.vmap(torch.nonzero)(numbers(4, 3)),
    "a captured tensor changed under vmap": lambda F: F.vmap(change_captured(0))(numbers(4, 3)),
    "a captured tensor changed under grad": lambda F: F.grad(change_captured(0))(numbers(3)),
    "a captured tensor changed under jvp": lambda F: F.jvp(change_captured(0), (numbers(3),), (numbers(3),)),
    "a leaf changed in place under grad": lambda F: F.grad(lambda x: x.mul_(2).sum())(numbers(3)),
    "shapes that do not fit": lambda F: F.vmap(torch.dot)(numbers(4, 3), numbers(4, 2)),
    "grad of a vector": lambda F: F.grad(elementwise)(numbers(3)),
    "grad of a vector of one": lambda F: F.grad(elementwise)(numbers(1)),
    "grad of no input": lambda F: F.grad(wave)(),
    "grad by an input too many": lambda F: F.grad(wave, argnums=1)(numbers(3)),
    "grad by an input before the first": lambda F: F.grad(wave, argnums=-2)(numbers(3)),
    "grad by an input twice": lambda F: F.grad(torch.dot, argnums=(0, -2))(numbers(3), numbers(3)),
    "grad by nothing": lambda F: F.grad(wave, argnums=())(numbers(3)),
    "grad by integers": lambda F: F.grad(lambda x: x.sum())(torch.arange(3)),
    "vjp by integers": lambda F: F.vjp(lambda x: x.sum() * 1.0, torch.arange(3)),
    "vjp of integers": lambda F: F.vjp(lambda x: x > 0, numbers(3)),
    "vjp with a cotangent of another shape": lambda F: F.vjp(elementwise, numbers(3))[1](numbers(2)),
    "vjp with a cotangent that broadcasts": lambda F: F.vjp(elementwise, numbers(3))[1](numbers()),
    "vjp with a cotangent that could be summed": lambda F: F.vjp(elementwise, numbers(3))[1](numbers(2, 3)),
    "vjp with a complex cotangent": lambda F: F.vjp(elementwise, numbers(3))[1](numbers(3, dtype=torch.complex128)),
    "vjp called again after its graph was freed": lambda F: (
        lambda g: (g(numbers(3), retain_graph=False), g(numbers(3)))
    )(F.vjp(elementwise, numbers(3))[1]),
    "jvp with a tangent of another shape": lambda F: F.jvp(elementwise, (numbers(3),), (numbers(2),)),
    "jvp by integers": lambda F: F.jvp(lambda x: x * 1.0, (torch.arange(3),), (torch.arange(3),)),
    "jvp with an integer tangent": lambda F: F.jvp(elementwise, (numbers(3),), (torch.arange(3),)),
    "jvp of nothing": lambda F: F.jvp(lambda: CAPTURED, (), ()),
    "strict jvp of a constant": lambda F: F.jvp(lambda x: CAPTURED, (numbers(3),), (numbers(3),), strict=True),
    "jvp inside a dual level": lambda F: under(
        torch.autograd.forward_ad.dual_level(), lambda: F.jvp(elementwise, (numbers(3),), (numbers(3),))
    ),
    "jvp of what has no forward derivative": lambda F: F.jvp(
        lambda x: torch.nn.functional.grid_sample(x, torch.zeros(1, 1, 1, 2, dtype=f64), align_corners=False),
        (numbers(1, 1, 2, 2),),
        (numbers(1, 1, 2, 2),),
    ),
    "linearize with a tangent of another shape": lambda F: F.linearize(elementwise, numbers(3))[1](numbers(1)),
    "linearize with a tangent of another dtype": lambda F: F.linearize(elementwise, numbers(3))[1](
        numbers(3, dtype=torch.float32)
    ),
    "jacrev of complex": lambda F: F.jacrev(torch.abs)(numbers(3, dtype=torch.complex128)),
    "jacrev to complex": lambda F: F.jacrev(lambda x: x * 1j)(numbers(3)),
    "jacrev of a complex input beside": lambda F: F.jacrev(lambda x, z: x * z.abs())(
        numbers(3), numbers(3, dtype=torch.complex128)
    ),
    "jacrev in chunks of 0": lambda F: F.jacrev(elementwise, chunk_size=0)(numbers(3)),
    "jacrev by an input too many": lambda F: F.jacrev(elementwise, argnums=1)(numbers(3)),
    "jacrev by integers": lambda F: F.jacrev(lambda x: x * 1.0)(torch.arange(3)),
    "jacfwd of complex": lambda F: F.jacfwd(torch.abs)(numbers(3, dtype=torch.complex128)),
    "jacfwd to complex": lambda F: F.jacfwd(lambda x: x * 1j)(numbers(3)),
    "jacfwd by an input too many": lambda F: F.jacfwd(elementwise, argnums=(0, 1))(numbers(3)),
    "jacfwd by integers": lambda F: F.jacfwd(lambda x: x * 1.0)(torch.arange(3)),
    "jacfwd with random numbers": lambda F: F.jacfwd(lambda x: x * torch.rand(3))(numbers(3)),
    "hessian by an input too many": lambda F: F.hessian(wave, argnums=3)(numbers(3)),
    "requires_grad_ under grad": lambda F: F.grad(lambda x: x.clone().requires_grad_().sum())(numbers(3)),
    "retain_grad under grad": lambda F: F.grad(lambda x: retained(x * 2).sum())(numbers(3)),
    "backward under grad": lambda F: F.grad(lambda x: backward(x.sin().sum()))(numbers(3)),
    "saved tensor hooks around grad": lambda F: under(Hooks(), lambda: F.grad(wave)(numbers(3))),
    "saved tensor hooks around vjp": lambda F: under(Hooks(), lambda: F.vjp(elementwise, numbers(3))),
    "saved tensor hooks inside jacrev": lambda F: F.jacrev(lambda x: under(Hooks(), lambda: x.sin()))(numbers(3)),
    "an autograd function without setup_context": lambda F: F.grad(lambda x: Doubled.apply(x).sum())(numbers(3)),
    "a failure in vmap": lambda F: F.vmap(fail_with("one"))(numbers(3)),
    "a failure in grad in vmap": lambda F: F.vmap(F.grad(fail_with("two")))(numbers(3)),
    "a failure in jvp in grad in vmap": lambda F: F.vmap(F.grad(lambda x: F.jvp(fail_with("three"), (x,), (x,))[1]))(
        numbers(3)
    ),
    "a failure in a hessian in a jacobian": lambda F: F.jacrev(F.hessian(fail_with("five")))(numbers(3)),
    "a failure after an inner transform": lambda F: F.vmap(lambda x: (F.grad(wave)(x), fail_with("four")())[0])(
        numbers(4, 3)
    ),
}


def retained(x):
    x.retain_grad()
    return x


def backward(x):
    x.backward()
    return x


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


@pytest.mark.parametrize("name", ERRORS)
def test_fails_as_python_does(name):
    with pytest.raises(Exception) as theirs:
        compute(ERRORS[name], torch.func)
    for _ in range(2):
        with pytest.raises(CtorchError) as ours:
            compute(ERRORS[name], ctorch_func)
        assert ctorch_func.depth() == 0
        assert same_kind(ours.value.kind, kind_of(theirs.value)) or (
            ours.value.kind == "INVALID_ARGUMENT" and "length" in ours.value.message
        ), f"{ours.value.kind}: {ours.value.message}\n{theirs.value!r}"
    after = torch.linspace(0, 1, 3, dtype=f64)
    assert torch.equal(ctorch_func.grad(wave)(after), torch.func.grad(wave)(after))
    assert torch.autograd.forward_ad._current_level == -1
    assert torch.is_grad_enabled() and torch._C._autograd._saved_tensors_hooks_is_enabled()


@pytest.mark.parametrize("name", [name for name in ERRORS if name.startswith("a failure")])
def test_a_failure_arrives_unchanged(name):
    with pytest.raises(IndexError) as theirs:
        compute(ERRORS[name], torch.func)
    with pytest.raises(CtorchError) as ours:
        compute(ERRORS[name], ctorch_func)
    assert (ours.value.kind, ours.value.message) == ("INDEX", str(theirs.value))


def tower(module, seed):
    """A random stack of transforms over a function of a tensor, and an input for it."""
    source = random.Random(seed)
    function, in_ndim, out_ndim = elementwise, 1, 1

    def stack(kind, inner):
        match kind:
            case "vmap":
                chunk_size = source.choice((None, None, 1, 2))
                in_dim, out_dim = source.randrange(in_ndim + 1), source.randrange(-out_ndim - 1, out_ndim + 1)
                return module.vmap(inner, in_dim, out_dim, chunk_size=chunk_size)
            case "grad":
                return module.grad(lambda x: inner(x).sin().sum())
            case "value":
                return lambda x: module.grad_and_value(lambda y: inner(y).sin().sum())(x)[1] * x
            case "vjp":
                return lambda x: module.vjp(inner, x)[1](inner(x).cos())[0]
            case "jvp":
                return lambda x: module.jvp(inner, (x,), (x.cos(),))[1]
            case "jacrev":
                return module.jacrev(inner, chunk_size=source.choice((None, 1, 3)))
            case "jacfwd":
                return module.jacfwd(inner)
            case "hessian":
                return module.hessian(lambda x: inner(x).sin().sum())

    for _ in range(source.randint(2, 4)):
        kind = source.choice(("vmap", "vmap", "grad", "value", "vjp", "jvp", "jacrev", "jacfwd", "hessian"))
        if kind in ("jacrev", "jacfwd", "hessian") and in_ndim + out_ndim > 3:
            kind = "vmap"
        function = stack(kind, function)
        if kind == "vmap":
            in_ndim, out_ndim = in_ndim + 1, out_ndim + 1
        elif kind in ("grad", "value", "vjp"):
            out_ndim = in_ndim
        elif kind in ("jacrev", "jacfwd"):
            out_ndim += in_ndim
        elif kind == "hessian":
            out_ndim = 2 * in_ndim
    return function(numbers(*(source.choice((1, 2, 3)) for _ in range(in_ndim))))


@pytest.mark.parametrize("seed", range(60))
def test_random_towers_equal_python(seed):
    expected = compute(lambda module: tower(module, seed), torch.func)
    assert_same(compute(lambda module: tower(module, seed), ctorch_func), expected)
    assert ctorch_func.depth() == 0
