"""Types and values of pixels, marks, and what a tensor is about, beside torchvision's."""

from __future__ import annotations

import itertools

import pytest
import torch

from tests.transforms import vision
from tests.transforms.vision import (
    boxes,
    call,
    compare,
    compare_functional,
    everything,
    functional_refuses,
    image,
    keypoints,
    make,
    mask,
    needs_torchvision,
    ours,
    pixels,
    refuses,
    same,
    video,
)

pytestmark = needs_torchvision
TYPES = [
    torch.uint8, torch.int8, torch.int16, torch.uint16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
    torch.float32, torch.float64, torch.bool,
]  # fmt: skip


@pytest.mark.parametrize("old, new", list(itertools.product(TYPES, TYPES)), ids=str)
@pytest.mark.parametrize("scale", [False, True])
def test_types_of_pixels(old, new, scale):
    if old in (torch.float16, torch.bfloat16) and not new.is_floating_point and scale:
        sample = vision.tv.Image((pixels() * 0.001).to(old))  # what does not fit is undefined
    else:
        sample = vision.tv.Image(pixels(dtype=old) if old is not torch.uint16 else pixels(dtype=torch.int32).to(old))
    try:
        expected = vision.F.to_dtype(sample, dtype=new, scale=scale)
    except Exception as refusal:  # noqa: BLE001
        with pytest.raises(vision.CtorchError) as failure:
            vision.functional("to_dtype", sample, dtype=new, scale=scale)
        assert isinstance(refusal, vision.KINDS[failure.value.kind]), (refusal, failure.value)
        return
    same(vision.functional("to_dtype", sample, dtype=new, scale=scale), expected)


def test_types_of_other_tensors():
    for sample in (mask(), boxes(), keypoints(), video(dtype=torch.uint8), pixels(dtype=torch.uint8)):
        compare_functional("to_dtype", sample, dtype=torch.float64, scale=True)
        compare_functional("to_dtype", sample, dtype=torch.int32)
    compare_functional("convert_image_dtype", pixels(dtype=torch.uint8))
    functional_refuses("to_dtype", "RUNTIME", image(), dtype=torch.int64, scale=True)
    functional_refuses("to_dtype", "TYPE", image(dtype=torch.bool), dtype=torch.uint8, scale=True)


def test_to_dtype():
    everywhere = everything()
    for dtype, scale in itertools.product((torch.float64, torch.uint8, torch.float32), (False, True)):
        compare("ToDtype", everywhere, dtype, scale=scale)
        compare("ToDtype", (pixels(), boxes()), dtype, scale)
        compare("ConvertImageDtype", image(dtype=torch.uint8), dtype)
    compare("ConvertImageDtype", (pixels(dtype=torch.uint8), mask()))
    tv = vision.tv
    compare("ToDtype", everywhere, {tv.Image: torch.float64, tv.Mask: torch.int64, "others": None})
    compare("ToDtype", everywhere, {tv.BoundingBoxes: torch.float64, "others": torch.float32}, scale=True)
    compare("ToDtype", pixels(), {torch.Tensor: torch.float64})
    refuses("ToDtype", "VALUE", everywhere, {tv.Image: torch.float64})
    refuses("ToDtype", "VALUE", everywhere, "no dtype")  # by name, "float32" is one here


NORMAL = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
def test_normalize(dtype):
    for sample in (pixels(dtype=dtype), image(dtype=dtype), video(dtype=dtype), pixels(2, 3, 5, 5, dtype=dtype)):
        compare_functional("normalize", sample, **NORMAL)
        compare("Normalize", sample, **NORMAL)
    compare_functional("normalize", image(1, 4, 4), mean=[0.5], std=[2.0])
    compare_functional("normalize", image(), mean=[0.5], std=[2.0])
    compare("Normalize", everything(), **NORMAL)
    functional_refuses("normalize", "TYPE", image(dtype=torch.uint8), **NORMAL)
    functional_refuses("normalize", "TYPE", mask(dtype=torch.float32), **NORMAL)
    functional_refuses("normalize", "VALUE", pixels(4, 4), **NORMAL)
    functional_refuses("normalize", "VALUE", image(), mean=[0.5], std=[0.0])
    refuses("Normalize", "TYPE", image(dtype=torch.uint8), **NORMAL)


def test_normalize_in_place():
    sample = pixels()
    expected = vision.F.normalize(sample, **NORMAL)
    given = sample.clone()
    got = call("ctorch_transforms_functional_normalize", given, inplace=True, **NORMAL)
    assert torch.equal(given, expected) and got.data_ptr() == given.data_ptr()


def test_marks():
    everywhere = everything()
    compare("ToImage", pixels())
    compare("ToImage", pixels(5, 6))
    compare("ToImage", (pixels(), 3, pixels()))
    compare("ToImage", everywhere)
    compare("ToPureTensor", everywhere)
    refuses("ToImage", "VALUE", pixels(5))
    compare_functional("to_image", pixels())
    plain = pixels()
    assert make("ToImage").raw(plain).data_ptr() == plain.data_ptr()
    for sample in (pixels(), image(), boxes()):
        assert call("ctorch_transforms_functional_is_pure_tensor", ours(sample)) == vision.F.is_pure_tensor(sample)


def test_linear_transformation():
    matrix, mean = pixels(3 * 4 * 5, 3 * 4 * 5), pixels(3 * 4 * 5)
    for sample in (pixels(3, 4, 5), image(3, 4, 5), video(2, 3, 3, 4, 5), (image(3, 4, 5), mask())):
        compare("LinearTransformation", sample, matrix, mean)
    refuses("LinearTransformation", "VALUE", image(), matrix, mean)
    refuses("LinearTransformation", "VALUE", image(), matrix[:5], mean)
    refuses("LinearTransformation", "VALUE", image(), matrix, mean[:5])
    refuses("LinearTransformation", "VALUE", image(), matrix, mean.double())


@pytest.mark.parametrize("num_samples", [1, 2, 4, 9])
def test_frames(num_samples):
    for sample in (video(), pixels(4, 3, 5, 5), (video(), image(), boxes())):
        compare("UniformTemporalSubsample", sample, num_samples)
    compare_functional("uniform_temporal_subsample", video(), num_samples=num_samples)
    functional_refuses("uniform_temporal_subsample", "TYPE", image(), num_samples=num_samples)
    functional_refuses("uniform_temporal_subsample", "INDEX", pixels(), num_samples=num_samples)


def test_sizes():
    for name in ("get_size", "get_dimensions", "get_num_channels"):
        for sample in (pixels(), image(), video(), pixels(4, 5), pixels(2, 3, 4, 5)):
            compare_sizes(name, sample)
        functional_refuses(name, "TYPE", pixels(4))
    for sample in (mask(), boxes(), keypoints()):
        compare_sizes("get_size", sample)
        functional_refuses("get_dimensions", "TYPE", sample)
        functional_refuses("get_num_channels", "TYPE", sample)
    for sample in (video(), pixels(4, 3, 5, 5)):
        compare_sizes("get_num_frames", sample)
    functional_refuses("get_num_frames", "TYPE", image())
    functional_refuses("get_num_frames", "INDEX", pixels())


def compare_sizes(name: str, sample) -> None:
    expected = getattr(vision.F, name)(sample)
    assert vision.functional(name, sample) == (tuple(expected) if isinstance(expected, list) else expected)
