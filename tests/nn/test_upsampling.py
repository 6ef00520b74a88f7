"""Upsampling and distances beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, ctorch, one_thread, refuses, theirs

SHAPES = {1: (2, 3, 5), 2: (2, 3, 5, 4), 3: (2, 3, 3, 4, 5)}
MODES = {1: ["linear"], 2: ["bilinear", "bicubic"], 3: ["trilinear"]}
SIZED = [{"size": 7}, {"scale_factor": 1.5}, {"scale_factor": 2, "recompute_scale_factor": True}]
CASES = [
    (dims, {"mode": mode} | size | corners)
    for dims in (1, 2, 3)
    for mode in ["nearest", "nearest-exact", "area", *MODES[dims]]
    for size in [*SIZED, {"size": (7, 3, 6)[:dims]} if dims > 1 else {"size": 3}]
    for corners in ([{}, {"align_corners": True}] if "linear" in mode or mode == "bicubic" else [{}])
]


@pytest.mark.parametrize("dims, options", CASES, ids=str)
def test_upsample(dims, options):
    for dtype in (torch.float32, torch.bfloat16) if options.get("size") == 7 else (torch.float64,):
        torch.manual_seed(0)
        compare("Upsample", options, [torch.randn(SHAPES[dims], dtype=dtype, requires_grad=True)])


@pytest.mark.parametrize("options", [{"size": 7}, {"size": (7, 3)}, {"scale_factor": 2}, {"scale_factor": (2.0, 1.5)}])
@pytest.mark.parametrize("name", ["UpsamplingNearest2d", "UpsamplingBilinear2d"])
def test_upsampling_of_images(name, options):
    compare(name, options, [torch.randn(SHAPES[2], requires_grad=True)])


@one_thread()
@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "lanczos"])
def test_antialias(mode):
    x = torch.randn(1, 2, 8, 9)
    expected = torch.nn.functional.interpolate(x, (4, 5), mode=mode, antialias=True)
    assert torch.equal(
        theirs(ctorch.functional.interpolate(ctorch.from_dlpack(x), [4, 5], mode=mode, antialias=True)), expected
    )


@pytest.mark.parametrize(
    "options, shape",
    [
        ({}, (2, 3, 5)),
        ({"size": 2, "scale_factor": 2.0}, (2, 3, 5)),
        ({"size": (2, 3)}, (2, 3, 5)),
        ({"size": (2, 3)}, (2, 3, 5, 5, 5)),
        ({"scale_factor": (2.0, 3.0)}, (2, 3, 5)),
        ({"size": 2, "align_corners": True}, (2, 3, 5)),
        ({"size": 2, "recompute_scale_factor": True}, (2, 3, 5)),
        ({"size": 2, "mode": "linear"}, (2, 3, 5, 5)),
        ({"size": 2, "mode": "bilinear"}, (2, 3, 5)),
        ({"size": 2, "mode": "trilinear"}, (2, 3, 5)),
        ({"size": 2, "mode": "cubic"}, (2, 3, 5)),
        ({"size": 2}, (2, 3)),
        ({"size": 0}, (2, 3, 5)),
        ({"scale_factor": -1.0}, (2, 3, 5)),
        ({"size": 2, "mode": "lanczos"}, (2, 3, 5, 5)),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(options, shape):
    refuses("Upsample", options, [torch.randn(shape)])


def test_antialias_is_for_some_modes():
    x = ctorch.aten.zeros([1, 1, 4, 4])
    for options in ({"mode": "nearest"}, {"mode": "lanczos", "align_corners": True}):
        with pytest.raises(ValueError):
            ctorch.functional.interpolate(x, 2, antialias=True, **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("options", [{}, {"p": 1.0, "keepdim": True}, {"eps": 0.1}], ids=str)
def test_pairwise_distance(options, dtype):
    for shape in ((4, 5), (5,)):
        inputs = [torch.randn(shape, dtype=dtype, requires_grad=True) for _ in range(2)]
        compare("PairwiseDistance", options, inputs)


@pytest.mark.parametrize("options", [{}, {"dim": 0, "eps": 0.5}, {"dim": -1}], ids=str)
def test_cosine_similarity(options):
    for shape in ((4, 5), (2, 3, 4)):
        compare("CosineSimilarity", options, [torch.randn(shape, requires_grad=True) for _ in range(2)])


def test_distances_refuse_what_python_refuses():
    refuses("CosineSimilarity", {"dim": 3}, [torch.randn(2, 2), torch.randn(2, 2)])
    refuses("CosineSimilarity", {}, [torch.randn(2, 2), torch.randn(2, 3)])
    refuses("PairwiseDistance", {}, [torch.randn(2, 2), torch.randn(3, 3)])
    refuses("PairwiseDistance", {}, [torch.randn(2, 2)])
