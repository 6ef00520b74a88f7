"""Activations beside Python's."""

from __future__ import annotations

import warnings

import pytest
import torch

from tests.nn.compare import compare, ctorch, one_thread, refuses, theirs

IN_PLACE = [
    ("ReLU", [()]),
    ("ReLU6", [()]),
    ("RReLU", [(), (0.1, 0.2)]),
    ("Hardtanh", [(), (-2.0, 0.5)]),
    ("Threshold", [(0.1, 20.0)]),
    ("Hardsigmoid", [()]),
    ("SiLU", [()]),
    ("Mish", [()]),
    ("Hardswish", [()]),
    ("ELU", [(), (0.5,)]),
    ("CELU", [(), (0.5,)]),
    ("SELU", [()]),
    ("LeakyReLU", [(), (0.2,)]),
]
PURE = [
    ("Sigmoid", [()]),
    ("Tanh", [()]),
    ("LogSigmoid", [()]),
    ("Softsign", [()]),
    ("Tanhshrink", [()]),
    ("GLU", [(), (0,), (1,)]),
    ("GELU", [(), ("tanh",)]),
    ("Hardshrink", [(), (0.1,)]),
    ("Softshrink", [(), (0.1,)]),
    ("Softplus", [(), (2.0, 1.0)]),
    ("PReLU", [(), (4,), (4, 0.1)]),
    ("Softmin", [(1,), (-1,), (None,)]),
    ("Softmax", [(1,), (-2,), ()]),
    ("LogSoftmax", [(1,), (0,), ()]),
]
CASES = [(name, args) for name, some in IN_PLACE + PURE for args in some]
BOTH = ("train", "eval")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name, args", CASES, ids=str)
def test_activation(name, args, dtype):
    for shape in ((6, 4), (2, 4, 6), (4,)):
        if (name == "GLU" and args == (1,) and len(shape) == 1) or (name == "PReLU" and args and len(shape) == 1):
            continue
        if name in ("Softmin", "Softmax", "LogSoftmax") and len(shape) == 1 and args not in [(), (None,), (0,), (-1,)]:
            continue
        torch.manual_seed(0)
        x = torch.randn(shape, dtype=dtype, requires_grad=True)
        compare(name, {"args": args}, [x], modes=BOTH, dtype=dtype if name == "PReLU" else None)


@pytest.mark.parametrize("name, args", [(name, args) for name, some in IN_PLACE for args in some], ids=str)
def test_in_place(name, args):
    torch.manual_seed(0)
    compare(name, {"args": args, "inplace": True}, [torch.randn(3, 4)], modes=BOTH)


def test_softmax2d():
    for shape in ((2, 3, 4, 5), (3, 4, 5)):
        compare("Softmax2d", {}, [torch.randn(shape, requires_grad=True)])


@pytest.mark.parametrize(
    "name, args, shape, kind",
    [
        ("GLU", (), (3,), None),
        ("GLU", (), (), None),
        ("GLU", (2,), (2, 2), None),
        ("Softmax2d", (), (2, 3), None),
        ("Softmax", (3,), (2, 3), None),
        ("PReLU", (3,), (2, 4), None),
        ("GELU", ("exact",), (2,), None),
        ("Softshrink", (-1.0,), (2,), None),
        ("RReLU", (0.5, 0.1), (2,), None),
        ("CELU", (0.0,), (2,), None),
        ("Hardtanh", (1.0, -1.0), None, ValueError),  # an AssertionError in Python
        ("PReLU", (-1,), None, None),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(name, args, shape, kind):
    refuses(name, {"args": args}, None if shape is None else [torch.randn(shape)], kind=kind)


@one_thread()
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("options", [{}, {"tau": 0.3, "dim": 0}], ids=str)
def test_gumbel_softmax(options, hard):
    logits = torch.randn(3, 5, requires_grad=True)
    own = ctorch.from_dlpack(logits.detach().clone())
    own.requires_grad_()
    torch.manual_seed(1)
    expected = torch.nn.functional.gumbel_softmax(logits, hard=hard, **options)
    torch.manual_seed(1)
    got = ctorch.functional.gumbel_softmax(own, hard=hard, **options)
    assert torch.equal(theirs(got), expected.detach())
    weight = torch.rand(3, 5)
    expected.backward(weight)
    got.backward(ctorch.from_dlpack(weight))
    assert torch.equal(theirs(own.grad), logits.grad)


def test_softmax_without_a_dimension_warns():
    module = ctorch.nn.Softmax()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ctorch.raw.module_forward(module, ctorch.aten.ones([2, 3]))
    assert "Implicit dimension choice" in str(caught[0].message)
