"""Padding modules beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, refuses

SHAPES = {1: (2, 3, 7), 2: (2, 3, 6, 7), 3: (2, 3, 5, 6, 7)}
GIVEN = {1: [2, (1, 3)], 2: [1, (1, 2, 3, 0)], 3: [2, (1, 2, 3, 0, 2, 1)]}
CASES = [
    (f"{kind}Pad{dims}d", dims, padding, values)
    for kind in ("Constant", "Zero", "Reflection", "Replication", "Circular")
    for dims in (1, 2, 3)
    for padding in GIVEN[dims]
    for values in ([(0.5,), (-3,)] if kind == "Constant" else [()])
]


@pytest.mark.parametrize("name, dims, padding, values", CASES, ids=str)
def test_padding(name, dims, padding, values):
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        for dtype in (torch.float32, torch.bfloat16):
            torch.manual_seed(0)
            compare(name, {"args": (padding, *values)}, [torch.randn(shape, dtype=dtype, requires_grad=True)])


@pytest.mark.parametrize("name", ["ConstantPad2d", "ZeroPad2d"])
def test_a_negative_padding_takes_away(name):
    values = (1.5,) if name.startswith("C") else ()
    compare(name, {"args": ((-1, 2, 0, -2), *values)}, [torch.randn(2, 3, 6, 7, requires_grad=True)])


@pytest.mark.parametrize(
    "name, padding, shape",
    [
        ("CircularPad1d", 1, (5,)),
        ("CircularPad2d", 1, (5, 5)),
        ("CircularPad3d", 1, (5, 5, 5)),
        ("CircularPad1d", 9, (1, 1, 4)),
        ("ReflectionPad1d", 4, (1, 1, 4)),
        ("ReflectionPad2d", 1, (5, 5)),
        ("ReplicationPad2d", 1, (5, 5)),
        ("ZeroPad1d", -9, (1, 1, 4)),
    ],
)
def test_where_python_raises_so_does_it(name, padding, shape):
    refuses(name, {"args": (padding,)}, [torch.randn(shape)])
