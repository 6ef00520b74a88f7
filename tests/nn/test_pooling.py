"""Pooling modules beside Python's."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from tests.nn.compare import compare, ctorch, raw, refuses

SHAPES = {1: (2, 3, 13), 2: (2, 3, 10, 11), 3: (2, 3, 7, 8, 9)}
SIZES = {1: (3,), 2: (3, 2), 3: (3, 2, 2)}
STRIDES = {1: (2,), 2: (2, 1), 3: (2, 1, 2)}
PADDINGS = {1: (1,), 2: (1, 0), 3: (1, 0, 1)}


def windows(dims):
    size, stride, padding = SIZES[dims], STRIDES[dims], PADDINGS[dims]
    if dims == 1:  # a tuple of one is a number
        size, stride, padding = 3, 2, 1
    yield {"kernel_size": 3}
    yield {"kernel_size": size, "stride": stride}
    yield {"kernel_size": size, "padding": padding, "ceil_mode": True}
    yield {"kernel_size": 2, "stride": stride, "padding": 1, "ceil_mode": True}


CASES = [
    (f"{kind}Pool{dims}d", dims, options)
    for dims in (1, 2, 3)
    for kind, more in (
        ("Max", [{}, {"dilation": 2}]),
        ("Avg", [{}, {"count_include_pad": False}] + ([{"divisor_override": 5}] if dims > 1 else [])),
    )
    for window in windows(dims)
    for extra in more
    for options in [window | extra]
]
CASES += [
    (f"LPPool{dims}d", dims, {"norm_type": p} | window)
    for dims in (1, 2, 3)
    for p in (2.0, 1.0, 3.0, math.inf, -math.inf)
    for window in ({"kernel_size": 2}, {"kernel_size": 3, "stride": 2, "ceil_mode": True})
]
CASES += [
    (f"Adaptive{kind}Pool{dims}d", dims, {"output_size": size})
    for dims in (1, 2, 3)
    for kind in ("Avg", "Max")
    for size in (4, (5, 3, 4)[:dims] if dims > 1 else 1)
]


@pytest.mark.parametrize("name, dims, options", CASES, ids=str)
def test_pooling(name, dims, options):
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            torch.manual_seed(0)
            compare(name, options, [torch.randn(shape, dtype=dtype, requires_grad=True)])


@pytest.mark.parametrize(
    "name, options, shape",
    [
        ("MaxPool2d", {"kernel_size": 2, "padding": 2}, (1, 1, 8, 8)),
        ("MaxPool2d", {"kernel_size": 0}, (1, 1, 8, 8)),
        ("MaxPool1d", {"kernel_size": 2, "stride": 0}, (1, 1, 8)),
        ("MaxPool3d", {"kernel_size": 9}, (1, 1, 8, 8, 8)),
        ("MaxPool2d", {"kernel_size": 2}, (8, 8)),
        ("AvgPool2d", {"kernel_size": 2, "divisor_override": 0}, (1, 1, 8, 8)),
        ("AvgPool1d", {"kernel_size": 2, "padding": 2}, (1, 1, 8)),
        ("AvgPool3d", {"kernel_size": 2}, (8, 8)),
        ("AdaptiveAvgPool2d", {"output_size": -2}, (1, 1, 8, 8)),
        ("AdaptiveMaxPool2d", {"output_size": 2}, (1, 1, 0, 8)),
        ("AdaptiveAvgPool1d", {"output_size": 2}, (8,)),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(name, options, shape):
    refuses(name, options, [torch.randn(shape)])


def test_a_norm_of_order_0_is_a_bad_value():
    refuses("LPPool1d", {"norm_type": 0, "kernel_size": 2}, [torch.randn(1, 1, 8)], kind=ValueError)


@pytest.mark.parametrize("dims", (1, 2, 3))
def test_indices(dims):
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        x = torch.randn(shape, requires_grad=True)
        window = {"kernel_size": 3, "stride": 2, "padding": 1, "dilation": 1, "return_indices": True}
        compare(f"MaxPool{dims}d", window, [x])
        compare(f"AdaptiveMaxPool{dims}d", {"output_size": 3, "return_indices": True}, [x])


@pytest.mark.parametrize("dims", (1, 2, 3))
def test_with_indices_there_is_no_single_tensor(dims):
    module = getattr(ctorch.nn, f"MaxPool{dims}d")(2, return_indices=True)
    with pytest.raises(TypeError, match="return_indices"):
        raw.module_forward(module, ctorch.aten.zeros(SHAPES[dims]))


@pytest.mark.parametrize("dims", (1, 2, 3))
def test_unpooling(dims):
    pool = getattr(functional, f"max_pool{dims}d")
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        for window in ({"kernel_size": 2}, {"kernel_size": 3, "stride": 2}, {"kernel_size": 3, "padding": 1}):
            found, indices = pool(torch.randn(shape), return_indices=True, **window)
            found.requires_grad_()
            size = list(shape[-dims:])
            for keywords in ({"output_size": size}, {"output_size": [1, 1, *size]}):
                compare(f"MaxUnpool{dims}d", window, [found, indices], keywords)
    found, indices = pool(torch.randn(2, 3, *[8] * dims), 2, return_indices=True)
    compare(f"MaxUnpool{dims}d", {"args": (2,)}, [found.requires_grad_(), indices])


@pytest.mark.parametrize("dims", (1, 2, 3))
def test_unpooling_refuses_what_python_refuses(dims):
    found = torch.zeros(1, 1, *[2] * dims)
    indices = torch.zeros(1, 1, *[2] * dims, dtype=torch.int64)
    for size in ([1] * (dims + 1), [9] * dims, [1] * dims):
        refuses(f"MaxUnpool{dims}d", {"args": (2,)}, [found, indices], {"output_size": size})
    refuses(f"MaxUnpool{dims}d", {"args": (2,)}, [found, indices[..., :1]])
    refuses(f"MaxUnpool{dims}d", {"args": (2,)}, [found])


@pytest.mark.parametrize("dims", (2, 3))
@pytest.mark.parametrize("indices", [False, True])
def test_windows_at_random(dims, indices):
    samples = torch.rand(2, 3, dims)
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        for some in (
            {"output_size": 4},
            {"output_ratio": 0.5},
            {"output_size": (3, 4, 5)[:dims]},
            {"output_ratio": (0.5, 0.6, 0.7)[:dims]},
            {"output_size": 4, "_random_samples": samples[: 1 if len(shape) == dims + 1 else 2]},
        ):
            options = {"args": (2,), "return_indices": indices} | some
            compare(f"FractionalMaxPool{dims}d", options, [torch.randn(shape, requires_grad=True)])


@pytest.mark.parametrize("dims", (2, 3))
@pytest.mark.parametrize(
    "options, shape",
    [
        ({}, None),
        ({"output_size": 2, "output_ratio": 0.5}, None),
        ({"output_ratio": 1.5}, None),
        ({"output_ratio": 0.0}, None),
        ({"output_size": 9}, (1, 1, 4, 4, 4)),
        ({"output_size": 2}, (4,)),
    ],
    ids=str,
)
def test_windows_at_random_refuse_what_python_refuses(dims, options, shape):
    inputs = None if shape is None else [torch.randn(shape[: dims + 2])]
    refuses(f"FractionalMaxPool{dims}d", {"args": (2,)} | options, inputs)
