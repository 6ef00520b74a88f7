"""Linear layers beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, refuses

DTYPES = [torch.float32, torch.float64, torch.bfloat16]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 3, 5), (0, 5)], ids=str)
@pytest.mark.parametrize("options", [{}, {"bias": False}], ids=str)
def test_linear(options, shape, dtype):
    torch.manual_seed(0)
    compare("Linear", {"args": (5, 4)} | options, [torch.randn(shape, dtype=dtype, requires_grad=True)], dtype=dtype)


@pytest.mark.filterwarnings("ignore:Initializing zero-element")
@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (0, 0)], ids=str)
def test_linear_without_features(sizes):
    compare("Linear", {"args": sizes}, [torch.randn(2, sizes[0], requires_grad=True)])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("options", [{}, {"bias": False}], ids=str)
def test_bilinear(options, dtype):
    for shape in ((), (3,), (2, 3)):
        torch.manual_seed(0)
        inputs = [torch.randn(*shape, n, dtype=dtype, requires_grad=True) for n in (4, 5)]
        compare("Bilinear", {"args": (4, 5, 6)} | options, inputs, dtype=dtype)


def test_identity():
    compare("Identity", {}, [torch.randn(2, 3, requires_grad=True)])


@pytest.mark.parametrize(
    "name, sizes, shapes",
    [
        ("Linear", (-1, 2), None),
        ("Linear", (2, -1), None),
        ("Linear", (4, 2), [(3, 5)]),
        ("Linear", (4, 2), [()]),
        ("Bilinear", (0, 2, 3), None),
        ("Bilinear", (2, -2, 3), None),
        ("Bilinear", (2, 3, 4), [(1, 2), (1, 2)]),
        ("Bilinear", (2, 3, 4), [(1, 2), (2, 3)]),
        ("Bilinear", (2, 3, 4), [(1, 2)]),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(name, sizes, shapes):
    refuses(name, {"args": sizes}, shapes and [torch.randn(s) for s in shapes])
