"""Convolutions and transposed ones beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, refuses

DTYPES = [torch.float32, torch.float64, torch.bfloat16]
SHAPES = {1: (2, 4, 9), 2: (2, 4, 7, 9), 3: (2, 4, 5, 6, 7)}
SIZES = {1: (3,), 2: (3, 2), 3: (3, 2, 2)}
PADDINGS = {1: (2,), 2: (1, 2), 3: (1, 0, 1)}
pytestmark = pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths")


def options(dims):
    size, padding = SIZES[dims], PADDINGS[dims]
    yield {"kernel_size": 3}
    yield {"kernel_size": size, "stride": 2, "padding": padding, "groups": 2, "bias": False}
    yield {"kernel_size": size, "dilation": 2, "groups": 4, "padding": "valid"}
    yield {"kernel_size": size, "dilation": 2, "padding": "same"}
    for mode in ("reflect", "replicate", "circular"):
        yield {"kernel_size": size, "padding": padding, "padding_mode": mode, "stride": 2}
    yield {"kernel_size": size, "padding": "same", "padding_mode": "circular"}
    yield {"kernel_size": 1, "padding": "valid", "padding_mode": "reflect", "bias": False}


CASES = [(dims, some) for dims in (1, 2, 3) for some in options(dims)]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("dims, some", CASES, ids=str)
def test_convolution(dims, some, dtype):
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        torch.manual_seed(0)
        x = torch.randn(shape, dtype=dtype, requires_grad=True)
        compare(f"Conv{dims}d", {"args": (4, 8)} | some, [x], dtype=dtype)


TRANSPOSED = [
    {"kernel_size": 3},
    {"kernel_size": 3, "stride": 2, "padding": 1, "output_padding": 1},
    {"kernel_size": 2, "stride": 2, "groups": 2, "bias": False},
    {"kernel_size": 3, "stride": 1, "dilation": 2, "groups": 4},
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("some", TRANSPOSED, ids=str)
@pytest.mark.parametrize("dims", (1, 2, 3))
def test_transposed(dims, some, dtype):
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        torch.manual_seed(0)
        x = torch.randn(shape, dtype=dtype, requires_grad=True)
        compare(f"ConvTranspose{dims}d", {"args": (4, 8)} | some, [x], dtype=dtype)


@pytest.mark.parametrize("dims", (1, 2, 3))
def test_the_size_of_the_output(dims):
    for shape in (SHAPES[dims], SHAPES[dims][1:]):
        x = torch.randn(shape, requires_grad=True)
        for more in (0, 1):
            size = [2 * n - 1 + more for n in shape[-dims:]]
            for given in (size, [*shape[:-dims], *size]):
                keywords = {"output_size": given}
                compare(f"ConvTranspose{dims}d", {"args": (4, 8, 3), "stride": 2, "padding": 1}, [x], keywords=keywords)


@pytest.mark.parametrize(
    "some",
    [
        {"in_channels": 3, "groups": 2},
        {"out_channels": 3, "groups": 2},
        {"groups": 0},
        {"groups": -1},
        {"padding": "full"},
        {"padding": "same", "stride": 2},
        {"padding_mode": "zero"},
        {"padding": "same", "padding_mode": "Zeros"},
        {"kernel_size": -1},
    ],
    ids=str,
)
@pytest.mark.parametrize("dims", (1, 2, 3))
def test_constructors_refuse_what_python_refuses(dims, some):
    refuses(f"Conv{dims}d", {"in_channels": 4, "out_channels": 4, "kernel_size": 3} | some)


@pytest.mark.parametrize("some", [{"groups": 3}, {"groups": 0}, {"padding_mode": "reflect"}], ids=str)
@pytest.mark.parametrize("dims", (1, 2, 3))
def test_transposed_constructors_refuse_what_python_refuses(dims, some):
    refuses(f"ConvTranspose{dims}d", {"in_channels": 4, "out_channels": 4, "kernel_size": 3} | some)


@pytest.mark.parametrize("dims", (1, 2, 3))
def test_forward_refuses_what_python_refuses(dims):
    for shape in (SHAPES[dims][:-1][1:], (2, 3, *SHAPES[dims][2:]), (2, 4, *[1] * dims)):
        refuses(f"Conv{dims}d", {"args": (4, 4, 3)}, [torch.randn(shape)])
    refuses(f"ConvTranspose{dims}d", {"args": (4, 4, 3)}, [torch.randn(2, 3, *SHAPES[dims][2:])])
    x = torch.randn(SHAPES[dims])
    for size in ([1] * dims, [99] * dims, [1] * (dims + 3), []):
        refuses(f"ConvTranspose{dims}d", {"args": (4, 4, 3, 2)}, [x], {"output_size": size})
    refuses(f"ConvTranspose{dims}d", {"args": (4, 4, 3)}, [torch.randn(4)], {"output_size": [1] * dims})
