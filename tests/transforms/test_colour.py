"""Functionals of colours, blur, noise and erasing, beside torchvision's of tensors: to the bit."""

from __future__ import annotations

import pytest
import torch

from tests.harness.vision import has_torchvision, torchvision
from tests.transforms.calls import KINDS, agree, functional, kind, mark, marked, outcome, same

if not has_torchvision():
    pytest.skip("torchvision for this torch is not there", allow_module_level=True)

F = torchvision("transforms.v2.functional")

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16)
DTYPES = (*FLOATS, *INTEGERS, torch.bool, torch.complex64)
SHAPES = ((3, 7, 9), (1, 7, 9), (2, 3, 6, 5), (2, 1, 4, 1, 3, 5, 6), (3, 1, 1), (3, 0, 4), (0, 3, 4, 4), (3, 2, 2))
WRONG_SHAPES = ((2, 5, 6), (4, 5, 6), (0, 5, 6), (5, 6), (5,), (), (0, 3))

CALLS = [
    *(("adjust_brightness", {"brightness_factor": x}) for x in (0.0, 0.1, 0.5, 1.0, 2.5)),
    *(("adjust_saturation", {"saturation_factor": x}) for x in (0.0, 0.1, 0.5, 1.0, 2.5)),
    *(("adjust_contrast", {"contrast_factor": x}) for x in (0.0, 0.1, 0.5, 1.0, 2.5)),
    *(("adjust_sharpness", {"sharpness_factor": x}) for x in (0.0, 0.1, 0.5, 1.0, 2.5)),
    *(("adjust_hue", {"hue_factor": x}) for x in (0.0, 0.1, -0.3, 0.5, -0.5)),
    *(("adjust_gamma", {"gamma": g, "gain": k}) for g, k in ((0.0, 1), (0.5, 1.0), (2.2, 1.5), (1.0, 0.3), (3, 2))),
    *(("posterize", {"bits": x}) for x in (0, 1, 3, 7, 8)),
    *(("solarize", {"threshold": x}) for x in (0.0, 0.4, 1.0, -3.0, 100.0)),
    *((name, {}) for name in ("autocontrast", "equalize", "invert", "rgb_to_grayscale", "grayscale_to_rgb")),
    ("rgb_to_grayscale", {"num_output_channels": 3}),
    ("to_grayscale", {"num_output_channels": 3}),
    ("gaussian_blur", {"kernel_size": [3, 3]}),
    ("gaussian_blur", {"kernel_size": [3, 5], "sigma": [0.8, 1.3]}),
    ("gaussian_blur", {"kernel_size": [1, 3], "sigma": [0.1]}),
]
WRONG_CALLS = [
    *((f"adjust_{name}", {f"{name}_factor": -0.1}) for name in ("brightness", "saturation", "contrast", "sharpness")),
    *(("adjust_hue", {"hue_factor": x}) for x in (-0.6, 0.51, float("nan"))),
    ("adjust_gamma", {"gamma": -0.5}),
    ("posterize", {"bits": -1}),
    ("posterize", {"bits": 9}),
    ("solarize", {"threshold": 256.0}),
    *(("rgb_to_grayscale", {"num_output_channels": x}) for x in (0, 2, 4, -1)),
    *(("permute_channels", {"permutation": x}) for x in ([0, 1], [0, 1, 2, 3], [0, 1, 3], [0, 1, -4])),
    *(("gaussian_blur", {"kernel_size": x}) for x in ([2, 3], [3, 0], [-1, 3], [3, 3, 3], [])),
    *(("gaussian_blur", {"kernel_size": [3, 3], "sigma": x}) for x in ([0.0], [1.0, -1.0], [1.0, 1.0, 1.0], [])),
    ("gaussian_blur", {"kernel_size": [99, 3]}),
    ("gaussian_noise", {"sigma": -0.1}),
]


def image(shape, dtype, seed=0):
    """Values of the whole range, and equal ones."""
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.rand(shape, generator=generator).to(dtype)
    if dtype == torch.bool:
        return torch.randint(2, shape, generator=generator).bool()
    if dtype == torch.uint16:
        return torch.randint(2**16, shape, generator=generator, dtype=torch.int32).to(dtype)
    return torch.randint(torch.iinfo(dtype).max, shape, generator=generator, dtype=dtype)


def compare(name, given, options):
    before = given.clone()
    agree(outcome(functional, name, given, **options), outcome(getattr(F, name), given, **options))
    assert same(given, before) if given.ndim else True  # it is not changed


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("name", "options"), CALLS, ids=str)
def test_all_dtypes_and_shapes(name, options, dtype):
    for shape in SHAPES:
        compare(name, image(shape, dtype), options)


@pytest.mark.parametrize(("name", "options"), CALLS, ids=str)
def test_shapes_that_are_no_images(name, options):
    for shape in WRONG_SHAPES:
        for dtype in (torch.uint8, torch.float32):
            compare(name, image(shape, dtype), options)


@pytest.mark.parametrize(("name", "options"), CALLS, ids=str)
def test_strides(name, options):
    for dtype in (torch.uint8, torch.float32):
        whole = image((2, 3, 8, 10), dtype)
        for view in (
            whole.mT,
            whole[..., ::2],
            whole.to(memory_format=torch.channels_last),
            whole[:1].expand(3, 3, 8, 10),
        ):
            compare(name, view, options)


@pytest.mark.parametrize("name", ["adjust_hue", "adjust_saturation", "autocontrast", "equalize", "adjust_contrast"])
def test_planes_of_one_value(name):
    for dtype in (torch.uint8, torch.float32, torch.float16):
        for filled in (0, 1, 0.5, 200):
            given = torch.full((2, 3, 5, 6), filled).to(dtype)
            given[1, 1] = 0
            compare(name, given, {f"{name[7:]}_factor": 0.3} if name.startswith("adjust") else {})


def test_values_out_of_range_and_nan():
    given = torch.tensor([float("nan"), float("inf"), -float("inf"), -1.0, 2.0, 0.3, -0.0, 1e-40]).repeat(3, 2, 1)
    for name, options in CALLS:
        if name not in ("equalize",):  # whose bytes of such numbers are not defined
            compare(name, given, options)


@pytest.mark.parametrize(("name", "options"), WRONG_CALLS, ids=str)
def test_what_is_refused(name, options):
    ours = outcome(functional, name, image((3, 8, 9), torch.uint8), **options)
    assert isinstance(ours, str)
    assert ours == outcome(getattr(F, name), image((3, 8, 9), torch.uint8), **options)


def test_thresholds_beyond_the_brightest_value():
    for dtype in (*FLOATS, *INTEGERS, torch.bool):
        for threshold in (1.0, 1.1, 127.5, 128.0, 255.0, 32768.0, 65535.5, 2.0**31, 2.0**63, float("inf")):
            compare("solarize", image((3, 4, 5), dtype), {"threshold": threshold})


@pytest.mark.parametrize("permutation", [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 0, 0], [-1, -2, -3]])
def test_permute_channels(permutation):
    for shape in SHAPES:
        for dtype in (torch.uint8, torch.float32):
            compare("permute_channels", image(shape, dtype), {"permutation": permutation})


@pytest.mark.parametrize("mean", [0.0, 0.3, -0.2])
@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_noise_is_drawn_as_in_python(dtype, clip, mean):
    for shape in ((3, 7, 9), (2, 3, 33, 5), (3, 0, 4), (5,), ()):
        for sigma in (0.0, 0.1, 2.0):
            given = image(shape, dtype)
            options = {"mean": mean, "sigma": sigma, "clip": clip}
            torch.manual_seed(7)
            ours = outcome(functional, "gaussian_noise", given, **options)
            after = torch.get_rng_state()
            torch.manual_seed(7)
            theirs = outcome(F.gaussian_noise, given, **options)
            assert torch.equal(after, torch.get_rng_state())
            agree(ours, theirs)


def test_noise_from_a_generator():
    from tests.harness.capi import ffi, lib, ok, out

    generator = out("ctorch_generator *")
    ok(lib.ctorch_generator_new(generator, ffi.NULL))
    ok(lib.ctorch_generator_manual_seed(generator[0], 11))
    for dtype in (torch.float32, torch.float64, torch.uint8):
        given = image((3, 8, 9), dtype)
        ok(lib.ctorch_generator_manual_seed(generator[0], 11))
        state = torch.get_rng_state()
        ours = functional("gaussian_noise", given, generator=generator[0])
        assert torch.equal(state, torch.get_rng_state())
        torch.manual_seed(11)
        assert same(ours, F.gaussian_noise(given))
    lib.ctorch_generator_release(generator[0])


PLACES = ((0, 0, 2, 3), (1, 2, 3, 4), (-2, -3, 2, 3), (0, 0, 0, 0), (4, 5, 99, 99), (3, 3, -1, 2), (0, 0, 2**63 - 1, 3))


@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize("dtype", (*FLOATS, *INTEGERS, torch.bool), ids=str)
def test_erase(dtype, inplace):
    for shape in ((3, 7, 9), (2, 3, 7, 9), (7, 9), (9,), ()):
        for i, j, h, w in PLACES:
            for v in (
                torch.tensor(0.0),
                torch.tensor([[[0.2]], [[0.7]], [[9.0]]]),
                torch.rand(3, 2, 3),
                torch.rand(1, 1, 3, 1, 1),
            ):
                given, copy = image(shape, dtype), image(shape, dtype)
                ours = outcome(functional, "erase", given, i, j, h, w, v, inplace=inplace)
                theirs = outcome(F.erase, copy, i, j, h, w, v, inplace=inplace)
                agree(ours, theirs)
                assert same(given, copy)
                assert isinstance(ours, str) or (ours.data_ptr() == given.data_ptr()) == inplace or not given.numel()


@pytest.mark.parametrize("which", KINDS)
def test_marks(which):
    given = (
        torch.rand(4, 4)
        if which == "BoundingBoxes"
        else torch.rand(4, 2)
        if which == "KeyPoints"
        else torch.rand(2, 3, 5, 6)
    )
    noise = [("gaussian_noise", {})]
    others = [
        ("permute_channels", {"permutation": [1, 2, 0]}),
        ("erase", {"i": 0, "j": 0, "h": 2, "w": 2, "v": torch.tensor(0.5)}),
    ]
    for name, options in (*CALLS, *noise, *others):
        torch.manual_seed(1)
        ours = outcome(functional, name, mark(given, which), **options)
        torch.manual_seed(1)
        theirs = outcome(getattr(F, name), marked(given, which), **options)
        agree(ours, theirs)
        if which in ("Mask", "BoundingBoxes", "KeyPoints"):
            assert ours == "TYPE"


def test_what_changes_nothing_is_the_tensor_itself():
    for name, options, shape in (
        ("adjust_hue", {"hue_factor": 0.2}, (1, 4, 4)),
        ("adjust_saturation", {"saturation_factor": 0.2}, (1, 4, 4)),
        ("adjust_sharpness", {"sharpness_factor": 0.2}, (3, 2, 9)),
        ("grayscale_to_rgb", {}, (3, 4, 4)),
        ("equalize", {}, (3, 0, 4)),
    ):
        given = image(shape, torch.uint8)
        assert functional(name, given, **options) is given
        video = mark(given[None], "Video")
        made = outcome(functional, name, video, **options)
        assert isinstance(made, str) or (kind(made) == "Video" and made.data_ptr() == video.data_ptr())


@pytest.mark.parametrize("name", ["adjust_brightness", "adjust_contrast", "adjust_saturation", "adjust_sharpness"])
def test_gradients(name):
    """Of sharpness there are none, since its blur is of values that are changed afterwards."""

    def gradient(function):
        leaf = torch.rand(2, 3, 6, 7, generator=torch.Generator().manual_seed(3)).requires_grad_()
        function(leaf, 0.7).square().sum().backward()
        return leaf.grad

    ours = outcome(gradient, lambda x, factor: functional(name, x, factor))
    agree(ours, outcome(gradient, getattr(F, name)))
    assert isinstance(ours, str) == (name == "adjust_sharpness")


def test_another_default_dtype():
    torch.set_default_dtype(torch.float64)
    try:
        for name, options in CALLS:
            compare(name, image((3, 7, 9), torch.uint8), options)
    finally:
        torch.set_default_dtype(torch.float32)
