"""Formats, clamping and sanitizing of bounding boxes and keypoints, beside torchvision's."""

from __future__ import annotations

import itertools

import pytest
import torch

from tests.transforms import vision
from tests.transforms.vision import (
    FORMATS,
    SIZE,
    boxes,
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
)

pytestmark = needs_torchvision
TYPES = [torch.float32, torch.float64, torch.float16, torch.int64, torch.int32]


@pytest.mark.parametrize("old, new", list(itertools.product(FORMATS, FORMATS)))
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_formats(old, new, dtype):
    if not dtype.is_floating_point and vision.tv.is_rotated_bounding_format(old):
        pytest.skip("rotated boxes are floating point")
    sample = boxes(old, dtype=dtype)
    plain = sample.as_subclass(torch.Tensor)
    if vision.tv.is_rotated_bounding_format(old) != vision.tv.is_rotated_bounding_format(new):
        functional_refuses("convert_bounding_box_format", "VALUE", sample, new_format=new)
        return
    compare_functional("convert_bounding_box_format", sample, new_format=new)
    compare_functional("convert_bounding_box_format", plain, old_format=old, new_format=new.lower())
    compare("ConvertBoundingBoxFormat", (image(), sample), new)
    expected, got = plain.clone(), plain.clone()
    expected = vision.F.convert_bounding_box_format(expected, old_format=old, new_format=new, inplace=True)
    same(vision.functional("convert_bounding_box_format", got, old_format=old, new_format=new, inplace=True), expected)


def test_formats_that_are_refused():
    functional_refuses("convert_bounding_box_format", "TYPE", boxes())
    functional_refuses("convert_bounding_box_format", "TYPE", image(), new_format="XYWH")
    functional_refuses("convert_bounding_box_format", "VALUE", boxes(), old_format="XYXY", new_format="XYWH")
    functional_refuses("convert_bounding_box_format", "VALUE", pixels(3, 4), new_format="XYWH")
    functional_refuses("convert_bounding_box_format", "INDEX", boxes(), new_format="XYZ")


@pytest.mark.turns
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("mode", ["soft", "hard", None, "auto"])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_clamping(format, mode, dtype):
    if not dtype.is_floating_point and vision.tv.is_rotated_bounding_format(format):
        pytest.skip("rotated boxes are floating point")
    sample = boxes(format, dtype=dtype, count=30, mode="hard")
    word = mode or "none"
    expected = vision.F.clamp_bounding_boxes(sample, clamping_mode=mode)
    same(vision.functional("clamp_bounding_boxes", sample, clamping_mode=word), expected)
    compare("ClampBoundingBoxes", (image(), sample), mode)
    compare("ClampBoundingBoxes", sample)
    if mode != "auto":
        plain, meta = sample.as_subclass(torch.Tensor), {"format": format, "canvas_size": SIZE}
        enumerated = {**meta, "format": vision.tv.BoundingBoxFormat[format]}
        expected = vision.F.clamp_bounding_boxes(plain, clamping_mode=mode, **enumerated)
        same(vision.functional("clamp_bounding_boxes", plain, clamping_mode=word, **meta), expected)


def test_clamping_that_is_refused():
    for kwargs in ({}, {"format": "XYXY", "canvas_size": (3, 3)}, {"canvas_size": (3, 3), "clamping_mode": "soft"}):
        functional_refuses("clamp_bounding_boxes", "VALUE", pixels(3, 4), **kwargs)
    functional_refuses("clamp_bounding_boxes", "VALUE", boxes(), format="XYXY")
    functional_refuses("clamp_bounding_boxes", "VALUE", boxes(), clamping_mode="other")
    functional_refuses("clamp_bounding_boxes", "TYPE", image())
    functional_refuses("clamp_keypoints", "TYPE", image())
    functional_refuses("clamp_keypoints", "VALUE", pixels(3, 2))
    functional_refuses("clamp_keypoints", "VALUE", keypoints(), canvas_size=(3, 3))


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_keypoints(dtype):
    sample = vision.tv.KeyPoints(keypoints(dtype=torch.float32).mul(1.5).to(dtype), canvas_size=SIZE)
    compare_functional("clamp_keypoints", sample)
    compare_functional("clamp_keypoints", sample.as_subclass(torch.Tensor), canvas_size=SIZE)
    compare_functional("sanitize_keypoints", sample)
    compare_functional("sanitize_keypoints", sample.as_subclass(torch.Tensor), canvas_size=SIZE)
    compare("ClampKeyPoints", (image(), sample))
    groups = vision.tv.KeyPoints(keypoints(4, 3, 2).mul(1.2).to(dtype), canvas_size=SIZE)
    compare_functional("sanitize_keypoints", groups)
    functional_refuses("sanitize_keypoints", "VALUE", boxes())
    functional_refuses("sanitize_keypoints", "VALUE", sample, canvas_size=(3, 3))
    functional_refuses("sanitize_keypoints", "VALUE", pixels(3, 2))


def test_modes_of_clamping():
    for mode in ("soft", "hard", None):
        compare("SetClampingMode", everything(), mode)
    refuses("SetClampingMode", "VALUE", boxes(), "auto")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("sizes", [{}, {"min_size": 5.0}, {"min_area": 60.0}])
def test_sanitized_boxes(format, sizes):
    sample = boxes(format, count=30)
    clamped = vision.F.clamp_bounding_boxes(sample)
    for given in (sample, clamped, boxes(format, count=0)):
        compare_functional("sanitize_bounding_boxes", given, **sizes)
        plain, meta = given.as_subclass(torch.Tensor), {"format": format, "canvas_size": SIZE}
        compare_functional("sanitize_bounding_boxes", plain, **meta, **sizes)
        labels = torch.arange(len(given))
        for where in (
            (image(), {"boxes": given, "labels": labels, "masks": mask(len(given), *SIZE), "mask": mask(*SIZE)}),
            {"image": image(), "boxes": given, "MyLabels": labels},
            {"image": image(), "boxes": given, "label": 3, "Labels": labels},
        ):
            compare("SanitizeBoundingBoxes", where, **sizes)
        compare("SanitizeBoundingBoxes", (image(), given, labels), **sizes, labels_getter=None)


def test_what_cannot_be_sanitized():
    labels = torch.arange(5)
    functional_refuses("sanitize_bounding_boxes", "VALUE", image())
    functional_refuses("sanitize_bounding_boxes", "VALUE", boxes(), format="XYXY")
    functional_refuses("sanitize_bounding_boxes", "VALUE", pixels(3, 4), format="XYXY")
    refuses("SanitizeBoundingBoxes", "VALUE", {"boxes": boxes()})
    refuses("SanitizeBoundingBoxes", "VALUE", {"labels": labels})
    refuses("SanitizeBoundingBoxes", "VALUE", {"boxes": boxes(), "labels": labels[:3]})
    refuses("SanitizeBoundingBoxes", "VALUE", {"boxes": boxes(), "labels": "text"})
    refuses("SanitizeBoundingBoxes", "VALUE", {"boxes": boxes(), "labels": [labels, 3]})
    refuses("SanitizeBoundingBoxes", "VALUE", boxes())
    refuses("SanitizeBoundingBoxes", "VALUE", boxes(), min_size=0.0)
    refuses("SanitizeBoundingBoxes", "VALUE", boxes(), min_area=0.5)
    refuses("SanitizeBoundingBoxes", "VALUE", boxes(), labels_getter="other")
    refuses("SanitizeKeyPoints", "VALUE", image())
    refuses("SanitizeKeyPoints", "VALUE", {"points": keypoints(), "labels": labels}, labels_getter="default")


def test_sanitized_keypoints():
    sample = vision.tv.KeyPoints(keypoints().mul(1.5), canvas_size=SIZE)
    compare("SanitizeKeyPoints", (image(), sample))
    compare("SanitizeKeyPoints", {"points": sample, "labels": torch.arange(6)}, labels_getter="default")
    compare("SanitizeKeyPoints", {"points": sample, "labels": torch.arange(6)}, labels_getter=None)


def test_the_same_tensor_is_a_label_wherever_it_is():
    labels = torch.arange(5)
    made = make("SanitizeBoundingBoxes", min_size=4.0).raw(
        ours([image(), {"boxes": boxes(), "labels": labels, "x": labels}])
    )
    assert made[1]["x"].shape == made[1]["labels"].shape
