"""Modules that move elements, beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, refuses

CASES = [
    ("Flatten", {}, (2, 3, 4, 5)),
    ("Flatten", {"start_dim": 0}, (2, 3)),
    ("Flatten", {"start_dim": -3, "end_dim": 2}, (2, 3, 4, 5)),
    ("Flatten", {"start_dim": 0}, ()),
    ("Unflatten", {"dim": 1, "unflattened_size": (2, 3)}, (4, 6)),
    ("Unflatten", {"dim": -2, "unflattened_size": (-1, 3, 1)}, (4, 6, 5)),
    ("Unflatten", {"dim": 0, "unflattened_size": (4,)}, (4, 6)),
    ("PixelShuffle", {"upscale_factor": 3}, (2, 18, 4, 5)),
    ("PixelShuffle", {"upscale_factor": 2}, (8, 4, 5)),
    ("PixelUnshuffle", {"downscale_factor": 3}, (2, 2, 6, 9)),
    ("PixelUnshuffle", {"downscale_factor": 1}, (2, 6, 9)),
    ("ChannelShuffle", {"groups": 2}, (2, 6, 4, 3)),
    ("ChannelShuffle", {"groups": 3}, (2, 6, 4)),
    ("Unfold", {"kernel_size": 3}, (2, 3, 7, 8)),
    ("Unfold", {"kernel_size": (2, 3), "dilation": (2, 1), "padding": (1, 2), "stride": (1, 2)}, (2, 3, 7, 8)),
    ("Unfold", {"kernel_size": 2, "padding": 1, "stride": 3}, (3, 7, 8)),
    ("Fold", {"output_size": (4, 5), "kernel_size": (2, 2)}, (2, 12, 12)),
    ("Fold", {"output_size": 6, "kernel_size": 3, "dilation": 2, "padding": 1, "stride": 2}, (9, 4)),
]


@pytest.mark.parametrize("name, options, shape", CASES, ids=str)
def test_shape(name, options, shape):
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(0)
        compare(name, options, [torch.randn(shape, dtype=dtype, requires_grad=True)])


@pytest.mark.parametrize(
    "name, options, shape",
    [
        ("Flatten", {"start_dim": 3}, (2, 3)),
        ("Flatten", {"start_dim": 1, "end_dim": 0}, (2, 3)),
        ("Unflatten", {"dim": 1, "unflattened_size": (2, 2)}, (4, 6)),
        ("Unflatten", {"dim": 2, "unflattened_size": (2, 3)}, (4, 6)),
        ("Unflatten", {"dim": 1, "unflattened_size": ()}, (4, 6)),
        ("PixelShuffle", {"upscale_factor": 2}, (3, 4, 5)),
        ("PixelShuffle", {"upscale_factor": 0}, (4, 4, 5)),
        ("PixelUnshuffle", {"downscale_factor": 2}, (4, 5)),
        ("ChannelShuffle", {"groups": 4}, (2, 6, 4)),
        ("Unfold", {"kernel_size": 9}, (2, 3, 7, 8)),
        ("Unfold", {"kernel_size": 2, "stride": 0}, (2, 3, 7, 8)),
        ("Fold", {"output_size": (4, 5), "kernel_size": (2, 2)}, (2, 12, 11)),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(name, options, shape):
    refuses(name, options, [torch.randn(shape)])
