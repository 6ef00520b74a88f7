"""Transforms of colours, blur, noise and erasing, beside torchvision's: texts, draws and results, from one seed."""

from __future__ import annotations

import contextlib
import itertools

import pytest
import torch

from tests.harness.capi import ffi, lib, ok, out, text
from tests.harness.vision import has_torchvision, torchvision
from tests.transforms.calls import KINDS, agree, create, make, mark, marked, outcome, same
from tests.transforms.test_colour import image

if not has_torchvision():
    pytest.skip("torchvision for this torch is not there", allow_module_level=True)

v2, tv = torchvision("transforms.v2"), torchvision("tv_tensors")

CASES = [
    *(("Grayscale", {"num_output_channels": x}) for x in (1, 3)),
    ("Grayscale", {}),
    ("RGB", {}),
    *(("RandomGrayscale", {"p": p}) for p in (0.0, 0.5, 1.0)),
    *(("ColorJitter", {name: (0.2, 0.4)}) for name in ("brightness", "contrast", "saturation", "hue")),
    *(("ColorJitter", {name: 0.5}) for name in ("brightness", "contrast", "saturation", "hue")),
    ("ColorJitter", {"brightness": 1.7, "contrast": 1.2, "saturation": 2, "hue": 0.1}),
    ("ColorJitter", {"brightness": (1.0, 1.0), "contrast": 0, "hue": (0.0, 0.0), "saturation": (0.0, 0.0)}),
    ("ColorJitter", {}),
    ("RandomChannelPermutation", {}),
    ("RandomPhotometricDistort", {}),
    *(("RandomPhotometricDistort", {"p": p, "brightness": (0.1, 3.0), "hue": (-0.4, 0.4)}) for p in (0.0, 0.3, 1.0)),
    *((name, {"p": p}) for name in ("RandomEqualize", "RandomInvert", "RandomAutocontrast") for p in (0.0, 0.5, 1.0)),
    *(("RandomPosterize", {"bits": b, "p": p}) for b, p in ((0, 1.0), (3, 0.5), (8, 1.0), (9, 1.0), (-1, 0.0))),
    *(("RandomSolarize", {"threshold": t, "p": p}) for t, p in ((128.0, 0.5), (0.5, 1.0), (256.0, 1.0))),
    *(("RandomAdjustSharpness", {"sharpness_factor": x, "p": p}) for x, p in ((0.5, 1.0), (2.0, 0.5), (-1.0, 1.0))),
    ("GaussianBlur", {"kernel_size": (3, 5)}),
    ("GaussianBlur", {"kernel_size": 3, "sigma": 0.7}),
    ("GaussianBlur", {"kernel_size": 3, "sigma": (0.5, 1.5)}),
    ("GaussianNoise", {}),
    ("GaussianNoise", {"mean": 0.2, "sigma": 0.5, "clip": False}),
    ("GaussianNoise", {"sigma": -0.5}),
    *(
        ("RandomErasing", {"p": p, **options})
        for p in (0.3, 1.0)
        for options in (
            {},
            {"value": 0.7},
            {"value": [0.1, 0.5, 0.9]},
            {"value": "random"},
            {"value": [1.0, 2.0]},
            {"scale": (0.6, 0.9), "ratio": (0.5, 2.0)},
            {"scale": (0.99, 1.0), "ratio": (20.0, 30.0)},
            {"inplace": True, "value": "random"},
        )
    ),
]
WRONG = [
    *((name, {"p": p})
      for name in ("RandomGrayscale", "RandomEqualize", "RandomInvert", "RandomAutocontrast", "RandomErasing")
      for p in (-0.1, 1.1, float("nan"))),
    *(("ColorJitter", {name: x}) for name in ("brightness", "contrast", "saturation", "hue")
      for x in (-0.5, (0.5, 0.1), (-1.0, 1.0), (0.1, 0.2, 0.3), ())),
    ("ColorJitter", {"hue": 0.6}),
    *(("GaussianBlur", {"kernel_size": x}) for x in ([2, 3], [3, 0], [-1, 3], [3, 3, 3], [], 4, 0)),
    *(("GaussianBlur", {"kernel_size": 3, "sigma": x}) for x in (0.0, (-1.0, 2.0), (2.0, 1.0), (1.0, 2.0, 3.0), ())),
    *(("RandomErasing", {"scale": x}) for x in ((-0.1, 0.5), (0.1, 1.5))),
    ("RandomErasing", {"value": "zeros"}),
]  # fmt: skip
INPUTS = [((3, 7, 9), torch.uint8), ((1, 7, 9), torch.float32), ((2, 3, 8, 8), torch.float32),
          ((2, 8, 8), torch.uint8), ((7, 9), torch.float32), ((3, 0, 4), torch.uint8), ((5,), torch.float32),
          ((3, 7, 9), torch.int32)]  # fmt: skip


def ours(name, options):
    random = name == "RandomErasing" and isinstance(options.get("value"), str)
    return make(f"{name}_random" if random else name, **options)


def run(transform, seed, *sample):
    """The result, or the kind of error, and what is drawn next."""
    torch.manual_seed(seed)
    return outcome(transform, *sample), torch.rand(3)


@pytest.mark.turns
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_results_draws_and_texts(name, options):
    c, python = ours(name, options), getattr(v2, name)(**options)
    assert repr(c) == repr(python)
    for (shape, dtype), seed in itertools.product(INPUTS, range(6)):
        given, copy = image(shape, dtype), image(shape, dtype)
        (made, drawn), (expected, after) = run(c, seed, given), run(python, seed, copy)
        agree(made, expected)
        assert torch.equal(drawn, after)
        assert torch.equal(given, copy)


@pytest.mark.turns
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_marks_and_samples(name, options, kind):
    """A pair of an image and something else: what is drawn suits both; and something else alone."""
    data = torch.rand(4, 4) if kind == "BoundingBoxes" else torch.rand(4, 2) if kind == "KeyPoints" else None
    data = image((2, 3, 6, 5), torch.uint8) if data is None else data
    c, python = ours(name, options), getattr(v2, name)(**options)
    for seed in range(3):
        (made, drawn), (expected, after) = run(c, seed, mark(data, kind)), run(python, seed, marked(data, kind))
        agree(made, expected)
        assert torch.equal(drawn, after)
        sample = mark(data.clone(), kind), mark(image((3, 6, 5), torch.uint8), "Image"), 7, "text"
        theirs = marked(data.clone(), kind), marked(image((3, 6, 5), torch.uint8), "Image"), 7, "text"
        (made, drawn), (expected, after) = run(c, seed, *sample), run(python, seed, *theirs)
        assert torch.equal(drawn, after)
        if isinstance(made, str) or isinstance(expected, str):
            assert made == expected
        else:
            agree(made[0], expected[0])
            agree(made[1], expected[1])
            assert made[2:] == expected[2:]


@pytest.mark.parametrize(("name", "options"), WRONG, ids=str)
def test_what_is_refused(name, options):
    found = outcome(ours, name, options)
    assert isinstance(found, str)
    assert found == outcome(getattr(v2, name), **options)


@pytest.mark.parametrize(("name", "options"), [*CASES, *WRONG], ids=str)
def test_by_name_from_values(name, options):
    found = outcome(create, name, **options)
    expected = outcome(getattr(v2, name), **options)
    assert (found if isinstance(found, str) else repr(found)) == (
        expected if isinstance(expected, str) else repr(expected)
    )


def test_images_of_several_sizes_are_refused():
    for name in ("RandomGrayscale", "RandomChannelPermutation", "RandomPhotometricDistort", "RandomErasing"):
        options = {"p": 1.0} if name in ("RandomGrayscale", "RandomErasing") else {}
        sizes = (3, 6, 5), (3, 5, 5)
        made = run(make(name, **options), 0, *(mark(image(s, torch.uint8), "Image") for s in sizes))
        expected = run(getattr(v2, name)(**options), 0, *(marked(image(s, torch.uint8), "Image") for s in sizes))
        assert made[0] == expected[0] == "VALUE"


def test_a_generator_of_the_call():
    generator = out("ctorch_generator *")
    ok(lib.ctorch_generator_new(generator, ffi.NULL))
    for name, options in CASES:
        c, python = ours(name, options), getattr(v2, name)(**options)
        c.generator = generator[0]
        given = image((3, 7, 9), torch.uint8)
        state = torch.get_rng_state()
        ok(lib.ctorch_generator_manual_seed(generator[0], 5))
        made = outcome(c, given)
        assert torch.equal(state, torch.get_rng_state())
        agree(made, run(python, 5, given)[0])
    lib.ctorch_generator_release(generator[0])


def test_erasing_in_place():
    for value in (0.5, "random"):
        given = image((3, 7, 9), torch.float32)
        torch.manual_seed(1)
        made = ours("RandomErasing", {"p": 1.0, "value": value, "inplace": True})(given)
        assert made is given
        assert not same(given, image((3, 7, 9), torch.float32))


@contextlib.contextmanager
def warnings_heard():
    """The warnings of ctorch meanwhile, as texts."""
    heard = []
    ok(lib.ctorch_warnings_push())
    yield heard
    place = out("ctorch_warnings *")
    ok(lib.ctorch_warnings_pop(place))
    heard += [text(lib.ctorch_warnings_message(place[0], i)) for i in range(lib.ctorch_warnings_len(place[0]))]
    lib.ctorch_warnings_release(place[0])


def test_what_erasing_passes_by_has_a_warning():
    c = make("RandomErasing", p=1.0)
    torch.manual_seed(0)
    with warnings_heard() as heard:
        c(mark(image((3, 9, 9), torch.uint8), "Image"), mark(torch.rand(1, 9, 9), "Mask"))
    assert ["Mask" in message for message in heard] == [True]


def test_a_range_in_the_wrong_order_has_a_warning():
    for given, expected in (({"scale": (0.5, 0.1)}, [True]), ({"ratio": (2.0, 0.1)}, [True]), ({}, [])):
        with warnings_heard() as heard:
            make("RandomErasing", **given)
        assert ["min, max" in message for message in heard] == expected
