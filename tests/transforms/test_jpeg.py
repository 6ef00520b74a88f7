"""JPEG compression of images, beside Pillow's, since torchvision's own codec is not there."""

from __future__ import annotations

import io

import numpy as np
import pytest
import torch
from PIL import Image

from tests.harness.capi import lib
from tests.harness.vision import has_torchvision, torchvision
from tests.transforms.calls import KINDS, create, functional, kind, make, mark, outcome, same
from tests.transforms.test_colour import image

if not has_torchvision() or not lib.ctorch_image_supports(b"jpeg"):
    pytest.skip("torchvision for this torch, or libjpeg, is not there", allow_module_level=True)

v2 = torchvision("transforms.v2")
SHAPES = ((3, 17, 23), (1, 9, 8), (2, 3, 16, 16), (2, 2, 1, 5, 7), (0, 3, 4, 4), (2, 0, 3, 4, 4))


def pillow(data: torch.Tensor, quality: int) -> torch.Tensor:
    """Each picture, written and read."""
    made = []
    for picture in data.reshape(-1, *data.shape[-3:]):
        stream = io.BytesIO()
        array = picture.permute(1, 2, 0).numpy()
        Image.fromarray(array[..., 0] if len(picture) == 1 else array).save(stream, "JPEG", quality=quality)
        read = torch.from_numpy(np.array(Image.open(stream)))
        made.append(read[None] if read.ndim == 2 else read.permute(2, 0, 1))
    return torch.stack(made).reshape(data.shape) if made else data.clone()


@pytest.mark.parametrize("quality", [1, 35, 75, 100])
def test_images_of_all_shapes(quality):
    for shape in SHAPES:
        given = image(shape, torch.uint8)
        assert same(functional("jpeg", given, quality), pillow(given, quality))
    given = image((3, 24, 20), torch.uint8).mT
    assert same(functional("jpeg", given, quality), pillow(given, quality))


@pytest.mark.parametrize("quality", [0, -1, 101, 2**40])
def test_qualities_that_there_are_not(quality):
    assert outcome(functional, "jpeg", image((3, 8, 8), torch.uint8), quality) == "VALUE"


def test_what_is_no_image():
    for given in (image((3, 8, 8), torch.float32), image((3, 8, 8), torch.int16), image((2, 8, 8), torch.uint8),
                  image((8, 8), torch.uint8), image((8,), torch.uint8), image((), torch.uint8),
                  image((3, 0, 8), torch.uint8), image((2, 3, 3, 8, 8), torch.uint8).transpose(0, 1)):  # fmt: skip
        assert outcome(functional, "jpeg", given, 50) == "RUNTIME"


@pytest.mark.parametrize("which", KINDS)
def test_marks(which):
    given = torch.rand(4, 4) if which == "BoundingBoxes" else torch.rand(4, 2)
    given = given if which in ("BoundingBoxes", "KeyPoints") else image((2, 3, 8, 8), torch.uint8)
    made = outcome(functional, "jpeg", mark(given, which), 50)
    passed = outcome(make("JPEG", 50), mark(given, which))
    assert kind(passed) == which
    if which in ("Tensor", "Image", "Video"):
        assert kind(made) == which
        assert torch.equal(made, pillow(given, 50))
        assert torch.equal(passed, made)
    else:
        assert made == "TYPE"
        assert torch.equal(passed, given)


@pytest.mark.parametrize("quality", [75, (10, 20), (5, 95), (100, 100)])
def test_qualities_are_drawn_as_in_python(quality):
    c, python = make("JPEG", quality), v2.JPEG(quality)
    assert repr(c) == repr(python) == repr(create("JPEG", quality))
    given = image((3, 12, 13), torch.uint8)
    for seed in range(10):
        torch.manual_seed(seed)
        drawn = python.make_params([])["quality"]
        after = torch.rand(2)
        torch.manual_seed(seed)
        assert same(c(given), pillow(given, drawn))
        assert torch.equal(torch.rand(2), after)


@pytest.mark.parametrize("quality", [0, 101, -5, (0, 5), (20, 10), (50, 101), (1, 2, 3), ()])
def test_what_is_refused(quality):
    assert outcome(make, "JPEG", quality) == outcome(v2.JPEG, quality) == "VALUE"
