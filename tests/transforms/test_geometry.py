"""Transforms and functionals of geometry beside torchvision's."""

from __future__ import annotations

import pytest
import torch

from tests.transforms import vision
from tests.transforms.vision import (
    FORMATS,
    IMAGE_TYPES,
    boxes,
    compare,
    compare_functional,
    everything,
    functional_refuses,
    image,
    keypoints,
    mask,
    needs_torchvision,
    pixels,
    refuses,
    video,
)

pytestmark = needs_torchvision

# Each functional with several sets of arguments.
CASES = {
    "horizontal_flip": [{}],
    "vertical_flip": [{}],
    "resize": [
        {"size": [9, 31]},
        {"size": [8]},
        {"size": [40], "max_size": 50},
        {"size": None, "max_size": 12},
        {"size": [8], "antialias": False},
        {"size": [17, 23]},
        {"size": [30, 40], "interpolation": "bicubic"},
    ],
    "crop": [
        {"top": 2, "left": 3, "height": 7, "width": 5},
        {"top": -3, "left": -2, "height": 25, "width": 30},
        {"top": 40, "left": 2, "height": 5, "width": 5},
        {"top": -9, "left": -9, "height": 5, "width": 5},
    ],
    "center_crop": [
        {"output_size": [8, 9]},
        {"output_size": [30, 9]},
        {"output_size": [8, 40]},
        {"output_size": [17, 23]},
    ],
    "resized_crop": [
        {"top": 2, "left": 3, "height": 7, "width": 5, "size": [12, 6]},
        {"top": -2, "left": -3, "height": 30, "width": 12, "size": [9]},
    ],
    "pad": [
        {"padding": [2]},
        {"padding": [1, 3]},
        {"padding": [1, 2, 3, 4], "fill": 7.0},
        {"padding": [-1, 2, -3, 1]},
    ],
    "rotate": [
        {"angle": 33.0},
        {"angle": -110.5, "expand": True},
        {"angle": 90.0, "expand": True},
        {"angle": 180.0},
        {"angle": 270.0, "expand": True},
        {"angle": 0.0},
        {"angle": 45.0, "center": [3.0, 4.0], "fill": 1.0},
        {"angle": 720.0},
    ],
    "affine": [
        {"angle": 12.0, "translate": [2.0, -3.0], "scale": 1.2, "shear": [3.0, 5.0]},
        {"angle": -90.0, "translate": [0.0, 0.0], "scale": 0.5, "shear": [0.0, 0.0], "center": [4.0, 2.0], "fill": 3.0},
    ],
    "perspective": [
        {"startpoints": [[0, 0], [22, 0], [22, 16], [0, 16]], "endpoints": [[1, 2], [20, 1], [19, 15], [2, 14]]},
        {
            "startpoints": None,
            "endpoints": None,
            "coefficients": [1.1, 0.05, -1.0, 0.02, 0.95, 0.5, 0.001, 0.002],
            "fill": 2.0,
        },
    ],
    "elastic": [{"displacement": None}, {"displacement": None, "fill": 1.0}],
}
PAIRS = [(name, i) for name, cases in CASES.items() for i in range(len(cases))]
SAMPLES = {
    "pure": lambda: pixels(),
    "image": lambda: image(),
    "batch": lambda: pixels(2, 3, 17, 23),
    "video": lambda: video(),
    "mask": lambda: mask(),
    "flat mask": lambda: mask(17, 23),
    "boolean mask": lambda: mask(dtype=torch.bool),
    "keypoints": lambda: keypoints(),
    "int keypoints": lambda: keypoints(dtype=torch.int64),
    "groups of keypoints": lambda: keypoints(3, 4, 2),
    "no keypoints": lambda: keypoints(0, 2),
    "boxes of int64": lambda: boxes(dtype=torch.int64),
    "no boxes": lambda: boxes(count=0),
}


def arguments(name: str, index: int) -> dict:
    given = dict(CASES[name][index])
    if name == "elastic":
        given["displacement"] = (pixels(1, 17, 23, 2, seed=5) - 0.5) * 0.2
    return given


def both_calls(name: str, sample, given: dict) -> None:
    """ctorch has the corners one after another."""
    points = {k: given[k] for k in ("startpoints", "endpoints") if given.get(k) is not None}
    flat = {k: [x for point in v for x in point] for k, v in points.items()}
    try:
        expected = getattr(vision.F, name)(sample, **given)
    except Exception as refusal:  # whatever it is, ours is of its kind
        with pytest.raises(vision.CtorchError) as failure:
            vision.functional(name, sample, **given | flat)
        assert isinstance(refusal, vision.KINDS[failure.value.kind]), (refusal, failure.value)
        return
    vision.same(vision.functional(name, sample, **given | flat), expected)


@pytest.mark.parametrize("name, index", PAIRS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_kinds(name, index, sample):
    both_calls(name, SAMPLES[sample](), arguments(name, index))


@pytest.mark.parametrize("name, index", PAIRS)
@pytest.mark.parametrize("dtype", IMAGE_TYPES, ids=str)
def test_types_of_pixels(name, index, dtype):
    both_calls(name, image(dtype=dtype), arguments(name, index))


@pytest.mark.turns
@pytest.mark.parametrize("name, index", PAIRS)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int64], ids=str)
@pytest.mark.parametrize("mode", ["soft", "hard", None])
def test_boxes(name, index, format, dtype, mode):
    if not dtype.is_floating_point and vision.tv.is_rotated_bounding_format(format):
        pytest.skip("rotated boxes are floating point")
    both_calls(name, boxes(format, dtype=dtype, mode=mode), arguments(name, index))


@pytest.mark.parametrize("name, index", PAIRS)
@pytest.mark.parametrize("shape", [(1, 17, 23), (5, 1, 17, 23), (0, 3, 17, 23), (2, 2, 3, 17, 23), (17, 23), (23,)])
def test_shapes(name, index, shape):
    if name == "rotate" and len(shape) == 1:
        pytest.skip("an IndexError of Python's, where ctorch says VALUE")
    both_calls(name, pixels(*shape), arguments(name, index))


@pytest.mark.parametrize("name, index", PAIRS)
@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32], ids=str)
def test_views_that_are_not_contiguous(name, index, dtype):
    whole = pixels(17, 23, 6, dtype=dtype).permute(2, 0, 1)
    both_calls(name, vision.tv.Image(whole[::2]), arguments(name, index))
    both_calls(name, vision.tv.Image(whole[:3]), arguments(name, index))


@pytest.mark.parametrize(
    "interpolation", ["nearest", "nearest-exact", "bilinear", "bicubic", "lanczos", "box", "hamming", "linear"]
)
@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32, torch.float64, torch.int64, torch.uint16], ids=str)
@pytest.mark.parametrize("antialias", [True, False])
def test_interpolations(interpolation, dtype, antialias):
    for size in ([9, 31], [34, 46], [17, 5]):
        for sample in (image(dtype=dtype), mask(dtype=dtype), image(2, 1, 17, 23, dtype=dtype)):
            both_calls("resize", sample, {"size": size, "interpolation": interpolation, "antialias": antialias})
    for name in ("rotate", "affine", "elastic"):
        given = {**arguments(name, 0), "interpolation": interpolation}
        both_calls(name, image(dtype=dtype), given)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32, torch.int64, torch.bool], ids=str)
@pytest.mark.parametrize("fill", [None, 1, 0.5, [3.0], [1.0, 2.0, 3.0], [1.0, 2.0], []])
def test_padding_modes_and_fills(mode, dtype, fill):
    for padding in ([2], [1, 3], [1, 2, 3, 4], [-1, 2, -3, 1], [1, 2, 3], []):
        both_calls("pad", image(dtype=dtype), {"padding": padding, "padding_mode": mode, "fill": fill})
    if not isinstance(fill, list):
        both_calls("pad", mask(dtype=dtype), {"padding": [1, 2], "padding_mode": mode, "fill": fill})
        both_calls("pad", boxes(), {"padding": [1, 2], "padding_mode": mode, "fill": fill})
        both_calls("pad", keypoints(), {"padding": [1, 2], "padding_mode": mode, "fill": fill})


@pytest.mark.parametrize("fill", [None, 1, 0.5, [3.0], [1.0, 2.0, 3.0], [1.0, 2.0]])
@pytest.mark.parametrize("interpolation", ["nearest", "bilinear"])
def test_fills_of_warps(fill, interpolation):
    for name in ("rotate", "affine", "perspective", "elastic"):
        for dtype in (torch.uint8, torch.float32):
            given = {**arguments(name, 0), "interpolation": interpolation, "fill": fill}
            both_calls(name, image(dtype=dtype), given)
            both_calls(name, pixels(2, 3, 17, 23, dtype=dtype), given)


@pytest.mark.parametrize("sample", ["pure", "image", "video"])
def test_several_crops(sample):
    compare_functional("five_crop", SAMPLES[sample](), size=[8, 9])
    compare_functional("ten_crop", SAMPLES[sample](), size=[8, 9])
    compare_functional("ten_crop", SAMPLES[sample](), size=[8, 9], vertical_flip=True)
    functional_refuses("five_crop", "VALUE", SAMPLES[sample](), size=[80, 9])
    for other in (mask(), boxes(), keypoints()):
        functional_refuses("ten_crop", "TYPE", other, size=[8, 9])


def test_sizes_that_are_refused():
    functional_refuses("resize", "VALUE", image(), size=[40], max_size=30)
    functional_refuses("resize", "VALUE", image(), size=[40, 40], max_size=30)
    functional_refuses("resize", "VALUE", image(), size=None)
    functional_refuses("resize", "VALUE", image(3, 0, 5), size=[3])
    functional_refuses("resize", "INDEX", image(), size=[])
    functional_refuses("affine", "VALUE", image(), angle=1.0, translate=[0.0, 0.0], scale=0.0, shear=[0.0, 0.0])
    functional_refuses("elastic", "VALUE", image(), displacement=pixels(1, 3, 3, 2))
    functional_refuses("perspective", "VALUE", image(), startpoints=None, endpoints=None)
    functional_refuses("perspective", "VALUE", image(), startpoints=None, endpoints=None, coefficients=[1.0])
    singular = [1.0, 2.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0]
    functional_refuses("perspective", "RUNTIME", boxes(), startpoints=None, endpoints=None, coefficients=singular)


# Transforms: name, arguments.
TRANSFORMS = [
    ("RandomHorizontalFlip", (), {}),
    ("RandomHorizontalFlip", (), {"p": 1.0}),
    ("RandomVerticalFlip", (0.3,), {}),
    ("Resize", (11,), {}),
    ("Resize", ([9, 12],), {"interpolation": "bicubic", "antialias": False}),
    ("Resize", ((9, 12),), {"interpolation": "nearest"}),
    ("Resize", (None,), {"max_size": 10}),
    ("Resize", (10,), {"max_size": 12}),
    ("CenterCrop", (8,), {}),
    ("CenterCrop", ((30, 5),), {}),
    ("RandomCrop", (8,), {}),
    ("RandomCrop", ((8, 9),), {"padding": 3}),
    ("RandomCrop", (30,), {"pad_if_needed": True, "fill": 2}),
    ("RandomCrop", ((17, 23),), {}),
    ("RandomCrop", (20,), {"padding": (1, 2), "pad_if_needed": True}),
    ("RandomResizedCrop", ((9, 12),), {}),
    ("RandomResizedCrop", (9,), {"scale": (0.5, 1.0), "ratio": (1.0, 1.0), "interpolation": "nearest"}),
    ("RandomResizedCrop", (9,), {"scale": (8.0, 9.0), "ratio": (5.0, 6.0)}),
    ("RandomResizedCrop", (9,), {"scale": (8.0, 9.0), "ratio": (0.1, 0.2)}),
    ("Pad", (3,), {}),
    ("Pad", ([1, 2],), {"fill": 1.5}),
    ("Pad", ([1, 2, 3, 4],), {"fill": {"Image": 3, "Mask": 1, "others": 0}}),
    ("RandomZoomOut", (), {"p": 1.0}),
    ("RandomZoomOut", (), {"fill": 5, "side_range": (1.5, 2.5)}),
    ("RandomRotation", (30.0,), {}),
    ("RandomRotation", ((10.0, 80.0),), {"expand": True, "interpolation": "bilinear", "fill": 0.5}),
    ("RandomRotation", ([90.0, 90.0],), {"expand": True}),
    ("RandomRotation", (30.0,), {"center": [4.0, 5.0]}),
    ("RandomAffine", (30.0,), {}),
    ("RandomAffine", ([0.0, 10.0],), {"translate": (0.1, 0.3), "scale": (0.5, 1.5), "shear": 7.0}),
    ("RandomAffine", (0.0,), {"shear": [1.0, 2.0, 3.0, 4.0], "interpolation": "bilinear", "center": [1.0, 2.0]}),
    ("RandomPerspective", (), {"p": 1.0}),
    ("RandomPerspective", (0.2,), {"p": 0.7, "fill": 3, "interpolation": "nearest"}),
    ("ScaleJitter", ((20, 30),), {}),
    ("ScaleJitter", ((20, 30),), {"scale_range": (0.5, 1.5), "interpolation": "nearest"}),
    ("RandomShortestSize", ([8, 10, 30],), {}),
    ("RandomShortestSize", (10,), {"max_size": 12}),
    ("RandomResize", (8, 20), {}),
    ("RandomIoUCrop", (), {}),
    ("RandomIoUCrop", (), {"sampler_options": [0.1, 2.0], "trials": 5}),
]


@pytest.mark.parametrize("name, args, kwargs", TRANSFORMS)
@pytest.mark.parametrize("format", ["XYXY", "XYWH"])
def test_whole_samples(name, args, kwargs, format):
    sample = everything(format)
    names = kwargs.get("fill") if isinstance(kwargs.get("fill"), dict) else {}
    classes = {getattr(vision.tv, k, k): v for k, v in names.items()}
    reference = getattr(vision.v2, name)(*args, **{**kwargs, **({"fill": classes} if classes else {})})
    own = vision.make(name, *args, **kwargs)
    assert own.may_thread
    # Python writes of floats what it was given: `fill=3` and 3.0 are told apart by ours too.
    assert repr(own) == repr(reference)
    vision.compare_made(reference, own, sample, seeds=6)


@pytest.mark.parametrize("name, args, kwargs", TRANSFORMS)
def test_single_tensors(name, args, kwargs):
    if name == "RandomIoUCrop" or isinstance(kwargs.get("fill"), dict):
        pytest.skip("of whole samples")
    for sample in (pixels(), image(dtype=torch.uint8), (pixels(), torch.ones(3), "text"), pixels(2, 3, 17, 23)):
        compare(name, sample, *args, seeds=4, **kwargs)


@pytest.mark.turns
@pytest.mark.parametrize("name, args, kwargs", TRANSFORMS)
@pytest.mark.parametrize("format", ["XYWHR", "CXCYWHR", "XYXYXYXY", "CXCYWH"])
def test_rotated_boxes_in_samples(name, args, kwargs, format):
    if name == "RandomIoUCrop" and format != "CXCYWH":
        pytest.skip("upright boxes only")
    if isinstance(kwargs.get("fill"), dict):
        pytest.skip("compared in whole samples")
    compare(name, {"image": image(), "boxes": boxes(format), "masks": mask(5, 17, 23)}, *args, seeds=3, **kwargs)


def test_crops_in_corners():
    compare("FiveCrop", (pixels(), 3), 8)
    compare("TenCrop", [image(), {"x": video()}], (8, 9), vertical_flip=True)
    compare("TenCrop", (image(), keypoints()), 8)
    refuses("FiveCrop", "TYPE", (image(), mask()), 8)
    refuses("TenCrop", "TYPE", (image(), boxes()), 8)
    refuses("TenCrop", "VALUE", image(), 80)


@pytest.mark.parametrize(
    "name, kind, args, kwargs",
    [
        ("Resize", "VALUE", (None,), {}),
        ("Resize", "VALUE", ([1, 2, 3],), {}),
        ("RandomCrop", "VALUE", (100,), {}),
        ("RandomCrop", "VALUE", (8,), {"padding": [1, 2, 3]}),
        ("RandomCrop", "VALUE", (8,), {"padding": 1, "padding_mode": "wrap"}),
        ("RandomHorizontalFlip", "VALUE", (2.0,), {}),
        ("Pad", "VALUE", ([1, 2, 3],), {}),
        ("Pad", "VALUE", (1,), {"padding_mode": "wrap"}),
        ("Pad", "TYPE", (1,), {"fill": "black"}),
        ("RandomZoomOut", "VALUE", (), {"side_range": (0.5, 2.0)}),
        ("RandomZoomOut", "VALUE", (), {"side_range": (3.0, 2.0)}),
        ("RandomRotation", "VALUE", (-1.0,), {}),
        ("RandomRotation", "VALUE", ([1.0, 2.0, 3.0],), {}),
        ("RandomRotation", "VALUE", (10.0,), {"interpolation": "bicubic"}),
        ("RandomAffine", "VALUE", (10.0,), {"translate": (0.1, 2.0)}),
        ("RandomAffine", "VALUE", (10.0,), {"scale": (0.0, 1.0)}),
        ("RandomAffine", "VALUE", (10.0,), {"shear": -3.0}),
        ("RandomAffine", "VALUE", (10.0,), {"shear": [1.0, 2.0, 3.0]}),
        ("RandomPerspective", "VALUE", (2.0,), {}),
        ("RandomPerspective", "VALUE", (), {"p": -1.0}),
        ("RandomIoUCrop", "TYPE", (), {}),
    ],
)
def test_what_is_refused(name, kind, args, kwargs):
    refuses(name, kind, image(), *args, **kwargs)


def test_sizes_that_differ_are_refused():
    refuses("RandomCrop", "VALUE", (image(), mask(2, 5, 5)), 8)
    refuses("RandomCrop", "TYPE", torch.ones(3), 1)
    refuses("RandomPerspective", "TYPE", "text", p=1.0)
