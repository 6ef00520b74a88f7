"""Transforms of geometry and element type beside torchvision's, on images, videos, masks, boxes and keypoints."""

from __future__ import annotations

import pytest
import torch

from tests.transforms.vision import compare, compare_functional, needs_torchvision, tv

pytestmark = needs_torchvision
SIZE = (17, 23)


def pixels(*shape: int, dtype: torch.dtype = torch.uint8) -> torch.Tensor:
    generator = torch.Generator().manual_seed(sum(shape))
    if dtype.is_floating_point:
        return torch.rand(shape, generator=generator, dtype=torch.float32).to(dtype)
    return torch.randint(0, 200, shape, generator=generator).to(dtype)


def boxes(kind: str = "XYXY", n: int = 3):
    generator = torch.Generator().manual_seed(n)
    corner = torch.randint(0, 8, (n, 2), generator=generator)
    size = torch.randint(2, 8, (n, 2), generator=generator)
    data = {
        "XYXY": torch.cat([corner, corner + size], 1),
        "XYWH": torch.cat([corner, size], 1),
        "CXCYWH": torch.cat([corner + 4, size], 1),
    }[kind]
    return tv.BoundingBoxes(data.float(), format=kind, canvas_size=SIZE)


def samples() -> dict:
    return {
        "image": tv.Image(pixels(3, *SIZE)),
        "floats": tv.Image(pixels(3, *SIZE, dtype=torch.float32)),
        "plain": pixels(3, *SIZE, dtype=torch.float32),
        "gray": tv.Image(pixels(1, *SIZE)),
        "batch": tv.Image(pixels(2, 3, *SIZE)),
        "video": tv.Video(pixels(2, 4, 3, *SIZE)),
        "mask": tv.Mask(pixels(2, *SIZE) % 2),
        "boxes": boxes("XYXY"),
        "sizes": boxes("XYWH"),
        "centres": boxes("CXCYWH"),
        "keypoints": tv.KeyPoints(torch.tensor([[1.0, 2.0], [20.0, 15.0]]), canvas_size=SIZE),
    }


def together() -> dict:
    every = samples()
    return {k: every[k] for k in ("image", "mask", "boxes", "keypoints")} | {"label": 3, "name": "x"}


TRANSFORMS = [
    ("Identity",),
    ("Resize", [8, 9]), ("Resize", 12), ("Resize", [10], "nearest"), ("Resize", 12, "bicubic", 15),
    ("Resize", [30, 40], "bilinear", None, False),
    ("CenterCrop", 9), ("CenterCrop", (20, 30)),
    ("RandomCrop", 8), ("RandomCrop", (9, 8), [2, 3]), ("RandomCrop", (25, 30), None, True, 7, "constant"),
    ("RandomResizedCrop", (6, 7)), ("RandomResizedCrop", 8, (0.2, 0.5), (0.5, 2.0), "nearest"),
    ("RandomHorizontalFlip",), ("RandomVerticalFlip", 0.7),
    ("Pad", 3), ("Pad", [1, 2]), ("Pad", [1, 2, 3, 4], 9), ("RandomZoomOut",), ("RandomZoomOut", 5, (1.0, 2.0), 1.0),
    ("RandomRotation", 30), ("RandomRotation", [10, 50], "bilinear", True),
    ("RandomRotation", 45, "nearest", False, [3.0, 4.0]),
    ("RandomAffine", 20), ("RandomAffine", [-9, 9], (0.1, 0.2), (0.8, 1.2), [5, 6, -3, 2], "bilinear", 4),
    ("RandomPerspective",), ("RandomPerspective", 0.3, 1.0, "nearest", 5),
    ("ElasticTransform", [30.0, 20.0], [3.0, 4.0], "nearest"),
    ("ElasticTransform", 9.0, 1.0, "bicubic"),
    ("ScaleJitter", (20, 20)), ("RandomShortestSize", 10, 30), ("RandomShortestSize", [8, 12]), ("RandomResize", 8, 20),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["image", "floats", "plain", "gray", "batch", "video", "mask", "boxes", "keypoints"])
@pytest.mark.parametrize("given", TRANSFORMS, ids=[f"{i}-{t[0]}" for i, t in enumerate(TRANSFORMS)])
def test_kinds(given, kind):
    compare(given[0], samples()[kind], *given[1:])


@pytest.mark.parametrize("given", TRANSFORMS, ids=[f"{i}-{t[0]}" for i, t in enumerate(TRANSFORMS)])
def test_together(given):
    compare(given[0], together(), *given[1:])
    compare(given[0], (samples()["image"], [samples()["sizes"], samples()["centres"]], None, "text"), *given[1:])


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.int64, torch.float16, torch.float64, torch.bool])
@pytest.mark.parametrize("given", TRANSFORMS[::3], ids=[f"{i}-{t[0]}" for i, t in enumerate(TRANSFORMS[::3])])
def test_element_types(given, dtype):
    image = tv.Image((pixels(3, *SIZE) % 2).to(dtype) if dtype is torch.bool else pixels(3, *SIZE, dtype=dtype))
    try:
        from tests.transforms.vision import v2

        torch.manual_seed(0)
        getattr(v2, given[0])(*given[1:])(image)
    except (RuntimeError, NotImplementedError, TypeError, ValueError):
        pytest.skip("torchvision does not take it")
    compare(given[0], image, *given[1:])


@pytest.mark.parametrize("name", ["ToImage", "ToPureTensor"])
@pytest.mark.parametrize("kind", ["image", "plain", "mask", "boxes"])
def test_marks(name, kind):
    if name == "ToImage" and kind in ("mask", "boxes"):
        pytest.skip("no images")
    compare(name, samples()[kind])


@pytest.mark.parametrize("to", [torch.uint8, torch.int32, torch.int64, torch.float32, torch.float64, torch.float16])
@pytest.mark.parametrize("kind", ["image", "floats", "mask"])
def test_to_dtype(kind, to):
    for scale in (False, True):
        if kind == "floats" and scale and to in (torch.int32, torch.int64):
            continue  # refused
        compare_functional("to_dtype", samples()[kind], dtype=to, scale=scale)


def test_normalize():
    compare("Normalize", samples()["floats"], [0.1, 0.2, 0.3], [0.5, 0.6, 0.7])
    compare_functional("normalize", samples()["plain"], mean=[0.1], std=[0.4])


@pytest.mark.parametrize("new", ["XYXY", "XYWH", "CXCYWH"])
@pytest.mark.parametrize("old", ["XYXY", "XYWH", "CXCYWH"])
def test_box_formats(old, new):
    compare("ConvertBoundingBoxFormat", boxes(old), new)


@pytest.mark.parametrize("kind", ["boxes", "sizes", "centres"])
def test_clamping(kind):
    item = samples()[kind] * 3
    item = tv.wrap(item, like=samples()[kind])
    compare("ClampBoundingBoxes", item)


def test_five_and_ten_crops():
    for name in ("FiveCrop", "TenCrop"):
        compare(name, samples()["image"], 8)
        compare(name, samples()["plain"], (9, 8))


@pytest.mark.parametrize("fill", [None, 7, [1.0, 2.0, 3.0]])
@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
def test_functionals(mode, fill):
    image = samples()["floats"]
    compare_functional(
        "affine", image, angle=20.0, translate=[2, 3], scale=1.1, shear=[5.0, 6.0], interpolation=mode, fill=fill
    )
    compare_functional("rotate", image, angle=33.0, interpolation=mode, expand=True, fill=fill)
    compare_functional("pad", image, padding=[1, 2, 3, 4], fill=fill)


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric"])
def test_padding_modes(mode):
    for kind in ("image", "floats", "video", "mask"):
        compare_functional("pad", samples()[kind], padding=[1, 2], padding_mode=mode)


def test_the_blur_of_an_elastic_transform_takes_room():
    compare("ElasticTransform", tv.Image(pixels(3, 50, 60)))
