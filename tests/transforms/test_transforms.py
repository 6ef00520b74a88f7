"""Transforms of transforms, callbacks, marks, samples, and the names that torchvision has."""

from __future__ import annotations

import gc
from typing import Any

import pytest
import torch

from tests.harness import values
from tests.harness.capi import OK, CtorchError, error, fails, ffi, handle, lib, ok, out, owned, tensor, text
from tests.transforms import vision
from tests.transforms.vision import (
    Ours,
    as_value,
    boxes,
    call,
    compare,
    compare_made,
    everything,
    image,
    keypoints,
    make,
    mark,
    mask,
    needs_torchvision,
    ours,
    pixels,
    same,
    seeded,
    theirs,
    unmark,
    video,
)

pytestmark = needs_torchvision


# What is there.

# Names of torchvision.transforms.v2 that have no function, and why.
ABSENT = {
    "AutoAugmentPolicy": "an enumeration: texts in C",
    "InterpolationMode": "an enumeration: texts in C",
    "PILToTensor": "of PIL's images alone",
    "ToPILImage": "makes PIL's images",
    "ToTensor": "deprecated, of PIL's images and NumPy's arrays",
    "Transform": "the base of Python's classes: ctorch_transform_from_callback",
    "functional": "a module: transforms_functional",
    "check_type": "Python's isinstance: ctorch_tv_tensor_kind_of",
    "has_all": "Python's isinstance: ctorch_tv_tensor_kind_of",
    "has_any": "Python's isinstance: ctorch_tv_tensor_kind_of",
    "get_bounding_boxes": "for transforms written in Python",
    "get_keypoints": "for transforms written in Python",
    "query_chw": "for transforms written in Python",
    "query_size": "for transforms written in Python",
}
# The same of torchvision.transforms.v2.functional.
ABSENT_FUNCTIONALS = {
    "InterpolationMode": "an enumeration: texts in C",
    "pil_to_tensor": "of PIL's images alone",
    "to_pil_image": "makes PIL's images",
    "to_tensor": "deprecated, of PIL's images and NumPy's arrays",
    "get_image_size": "deprecated: get_size",
    "register_kernel": "of classes of Python's",
    "hflip": "another name of horizontal_flip",
    "vflip": "another name of vertical_flip",
    "elastic_transform": "another name of elastic",
    "get_image_num_channels": "another name of get_num_channels",
}
KERNELS = ("_image", "_video", "_mask", "_bounding_boxes", "_keypoints")


def test_every_transform_is_there_or_absent_with_a_reason():
    names = {n for n in dir(vision.v2) if not n.startswith("_")}
    there = {n.removeprefix("ctorch_transforms_") for n in vision.declarations()}
    missing = {n for n in names if n not in there and n not in ABSENT}
    assert not missing
    assert not set(ABSENT) & there and set(ABSENT) <= names


def test_every_functional_is_there_or_absent_with_a_reason():
    names = {n for n in dir(vision.F) if not n.startswith("_")}
    there = {n.removeprefix("ctorch_transforms_functional_") for n in vision.declarations()}
    # The kernel for one mark is the functional of a tensor with that mark.
    kernels = {
        n
        for n in names
        if n.endswith(KERNELS) and n[: n.rindex(max((k for k in KERNELS if n.endswith(k)), key=len))] in names
    }
    missing = names - there - ABSENT_FUNCTIONALS.keys() - kernels - {"to_image"}
    assert not missing
    assert not set(ABSENT_FUNCTIONALS) & there and set(ABSENT_FUNCTIONALS) <= names


def test_every_tv_tensor_is_there():
    names = {n for n in dir(vision.tv) if not n.startswith("_") and n not in ("torch", "TVTensor", "BoundingBoxFormat")}
    there = {n.removeprefix("ctorch_tv_tensors_") for n in vision.declarations()}
    # What operators give has no mark, whatever torchvision is told.
    assert names - there == {"set_return_type"}


# Containers.


def pair(names: list[tuple[str, tuple, dict]]) -> tuple[list[Any], list[Ours]]:
    return [getattr(vision.v2, n)(*a, **k) for n, a, k in names], [make(n, *a, **k) for n, a, k in names]


PARTS = [
    ("RandomResizedCrop", (12,), {}),
    ("RandomHorizontalFlip", (), {}),
    ("ToDtype", (torch.float64,), {"scale": True}),
    ("RandomRotation", (20.0,), {}),
]


@pytest.mark.parametrize(
    "name, kwargs",
    [
        ("Compose", {}),
        ("RandomApply", {}),
        ("RandomApply", {"p": 0.9}),
        ("RandomChoice", {}),
        ("RandomChoice", {"p": [1.0, 2.0, 3.0, 4.0]}),
        ("RandomOrder", {}),
    ],
)
def test_containers(name, kwargs):
    reference, own = pair(PARTS)
    theirs_, ours_ = getattr(vision.v2, name)(reference, **kwargs), make(name, own, **kwargs)
    assert repr(ours_) == repr(theirs_)
    for sample in (everything(), pixels(), (image(), boxes("CXCYWH"), 3)):
        compare_made(theirs_, ours_, sample, seeds=8)
    nested, own_nested = vision.v2.Compose([theirs_, theirs_]), make("Compose", [ours_, ours_])
    assert repr(own_nested) == repr(nested)
    compare_made(nested, own_nested, everything(), seeds=4)
    typed = call(f"ctorch_transforms_{name}", own, **kwargs)
    assert repr(typed) == repr(theirs_) and typed.may_thread
    one, own_one = getattr(vision.v2, name)(reference[:1]), make(name, own[:1])
    assert repr(own_one) == repr(one)


def test_containers_that_are_refused():
    flip = make("RandomHorizontalFlip")
    for name in ("Compose", "RandomApply", "RandomChoice", "RandomOrder"):
        with pytest.raises(CtorchError, match="VALUE"):
            make(name, [])
        for wrong in (3, "text", [3], None):
            with pytest.raises(CtorchError, match="TYPE"):
                make(name, wrong)
    with pytest.raises(CtorchError, match="VALUE"):
        make("RandomApply", [flip], p=1.5)
    with pytest.raises(CtorchError, match="VALUE"):
        make("RandomChoice", [flip], p=[1.0, 2.0])
    deep = flip
    with pytest.raises(CtorchError, match="RUNTIME.*500"):
        for _ in range(600):
            deep = make("Compose", [deep])


def test_identity():
    compare("Identity", everything())
    plain = pixels()
    assert make("Identity").raw(plain).data_ptr() == plain.data_ptr()


def test_an_error_of_a_part_comes_out():
    composed = make("Compose", [make("RandomHorizontalFlip"), make("RandomCrop", 100)])
    with pytest.raises(CtorchError, match="VALUE") as failure:
        composed(image())
    assert failure.value.function == "ctorch_transform_call"


# Callbacks.

KEPT: list[Any] = []  # as long as any transform may call them


def from_callback(function: Any, name: str | None = "<lambda>", may_thread: bool = True) -> tuple[Ours, list[Any]]:
    """A transform that calls function(sample, generator) -> sample; the list gets None when it is destroyed."""
    ended: list[Any] = []

    @ffi.callback("ctorch_transform_callback")
    def callback(out_, given, generator, failure, payload):
        try:
            lib.ctorch_value_retain(given)
            made = values.value(function(values.python(ffi.gc(given, lib.ctorch_value_release)), generator))
            lib.ctorch_value_retain(made)
            out_[0] = made
            return OK
        except CtorchError as problem:
            failure[0] = error(problem.kind, problem.message)
            return 0
        except ZeroDivisionError:
            return 0

    @ffi.callback("void(void *)")
    def destroy(payload):
        ended.append(None)

    made = out("ctorch_transform *")
    chars = ffi.NULL if name is None else name.encode()
    ok(lib.ctorch_transform_from_callback(made, chars, callback, may_thread, destroy, ffi.NULL))
    KEPT.extend((callback, destroy))
    return Ours(made[0]), ended


def test_a_callback_gets_the_sample():
    seen = []

    def double(sample, generator):
        seen.append(sample)
        return {"x": sample["x"] * 2, "y": sample["y"]}

    transform, ended = from_callback(double, "Double")
    assert repr(transform) == "Double()" and transform.may_thread
    plain = pixels()
    same(transform({"x": plain, "y": "text"}), {"x": plain * 2, "y": "text"})
    composed = make("Compose", [transform, transform])
    same(composed({"x": plain, "y": 1}), {"x": plain * 4, "y": 1})
    assert len(seen) == 3
    del transform, composed
    gc.collect()
    assert len(ended) == 1


def test_what_a_callback_fails_with_comes_out():
    def refuse(sample, generator):
        raise CtorchError("INDEX", "no such thing", "")

    transform, _ = from_callback(refuse)
    with pytest.raises(CtorchError, match="INDEX: no such thing"):
        transform(pixels())
    transform, _ = from_callback(lambda sample, generator: 1 // 0)
    with pytest.raises(CtorchError, match="CALLBACK"):
        make("Compose", [transform])(pixels())


def test_who_calls_back_may_refuse_other_threads():
    transform, _ = from_callback(lambda s, g: s, may_thread=False)
    assert not transform.may_thread
    flip = make("RandomHorizontalFlip")
    for name in ("Compose", "RandomApply", "RandomChoice", "RandomOrder"):
        assert not make(name, [flip, transform]).may_thread
        assert make(name, [flip]).may_thread
    assert not make("Lambda", transform).may_thread
    assert not make("SanitizeBoundingBoxes", labels_getter=transform).may_thread
    assert not lib.ctorch_transform_may_thread(ffi.NULL)


@pytest.mark.parametrize(
    "types",
    [(), (torch.Tensor,), (int,), (str, torch.Tensor)],
)
def test_lambda(types):
    seen: list[Any] = []

    def count(sample, generator=None):
        seen.append(type(sample).__name__)
        return sample

    reference = vision.v2.Lambda(count, *types)
    part, _ = from_callback(count, "count")
    own = make("Lambda", part, [t.__name__ for t in types] or None)
    assert repr(own) == repr(reference)
    sample = {"a": pixels(), "b": (1, True, "text", None, 2.0), "c": [pixels()], "d": image() if types else 1}
    same(own(sample), reference(sample))
    half = len(seen) // 2
    plain = [s if s not in ("Image",) else "Tensor" for s in seen]
    assert plain[:half] == plain[half:] and half > 0


def test_lambda_by_marks():
    part, _ = from_callback(lambda sample, generator: sample * 0)
    own = make("Lambda", part, ["Mask", "BoundingBoxes"])
    sample = ours(everything())
    got = own.raw(sample)
    assert torch.equal(got["image"], sample["image"]) and not got["boxes"].any() and not got["more"][1][0].any()
    for wrong in (3, [3]):
        with pytest.raises(CtorchError, match="TYPE"):
            make("Lambda", part, wrong)


def test_labels_by_a_callback():
    getter, _ = from_callback(lambda sample, generator: (sample["x"], sample["y"]))
    own = make("SanitizeBoundingBoxes", min_size=6.0, labels_getter=getter)
    reference = vision.v2.SanitizeBoundingBoxes(min_size=6.0, labels_getter=lambda s: (s["x"], s["y"]))
    compare_made(reference, own, {"boxes": boxes(), "x": torch.arange(5), "y": torch.arange(10).view(5, 2)})


# Calls.


def test_a_generator_of_ones_own():
    generator = out("ctorch_generator *")
    ok(lib.ctorch_generator_new(generator, ffi.NULL))
    sample = everything()
    for name, args, kwargs in PARTS:
        reference, own = getattr(vision.v2, name)(*args, **kwargs), make(name, *args, **kwargs)
        for seed in range(3):
            expected, _ = seeded(seed, reference, sample)
            ok(lib.ctorch_generator_manual_seed(generator[0], seed))
            before = torch.get_rng_state()
            same(own(sample, generator=generator[0]), expected)
            assert torch.equal(torch.get_rng_state(), before)
    lib.ctorch_generator_release(generator[0])


def test_one_tensor():
    made = out("ctorch_tensor *")
    sample = pixels()
    crop = make("CenterCrop", 5)
    ok(lib.ctorch_transform_call_tensor(crop.handle, made, handle(sample), ffi.NULL))
    assert torch.equal(tensor(made[0]), vision.v2.CenterCrop(5)(sample))
    five = make("FiveCrop", 5)
    assert fails(lib.ctorch_transform_call_tensor(five.handle, made, handle(sample), ffi.NULL))[0] == "TYPE"
    for arguments in (
        (ffi.NULL, made, handle(sample)),
        (crop.handle, ffi.NULL, handle(sample)),
        (crop.handle, made, ffi.NULL),
    ):
        assert fails(lib.ctorch_transform_call_tensor(*arguments, ffi.NULL))[0] == "NULL_ARGUMENT"


def test_what_is_no_tensor_passes():
    for sample in (3, "text", None, [], {}, (1, [2, {"a": None}]), 2.5, b"bytes"):
        for name, args in (("RandomHorizontalFlip", (1.0,)), ("Resize", (3,)), ("CenterCrop", (3,)), ("ToImage", ())):
            same(make(name, *args)(sample), sample)
    one = pixels()
    same(make("Resize", 5)((one, one)), vision.v2.Resize(5)((one, one)))


def test_nesting_has_an_end():
    flip, made = make("RandomHorizontalFlip", 1.0), out("ctorch_value *")
    deep = values.value([pixels()])
    for _ in range(450):
        deep = values.value([deep])
    ok(lib.ctorch_transform_call(flip.handle, made, deep, ffi.NULL))
    lib.ctorch_value_release(made[0])
    for _ in range(100):
        deep = values.value([deep])
    kind, message = fails(lib.ctorch_transform_call(flip.handle, made, deep, ffi.NULL))
    assert kind == "RUNTIME" and "500" in message
    itself = values.value([])
    ok(lib.ctorch_value_list_append(itself, itself))
    assert fails(lib.ctorch_transform_call(flip.handle, made, itself, ffi.NULL))[0] == "RUNTIME"
    ok(lib.ctorch_value_clear(itself))


def test_gradients_go_through():
    rotation = {"interpolation": "bilinear", "fill": None}
    for name, args, kwargs in (
        ("Resize", (9,), {}),
        ("RandomRotation", (30.0,), rotation),
        ("Pad", (2,), {}),
        ("Normalize", ([0.5], [2.0]), {}),
    ):
        a, b = pixels().requires_grad_(), pixels().requires_grad_()
        expected, _ = seeded(0, getattr(vision.v2, name)(*args, **kwargs), a)
        got, _ = seeded(0, make(name, *args, **kwargs), b)
        expected.square().sum().backward()
        got.square().sum().backward()
        assert torch.equal(a.grad, b.grad)


# By name.


def test_names_and_arguments_that_are_refused():
    for name, args, kwargs, kind in (
        ("Nothing", [], {}, "INDEX"),
        ("Resize", [], {}, "TYPE"),
        ("Resize", ["text"], {}, "TYPE"),
        ("Resize", [3], {"other": 1}, "TYPE"),
        ("Resize", [3], {"size": 1}, "TYPE"),
        ("Resize", [3], {"interpolation": "other"}, "VALUE"),
        ("CenterCrop", [[1, 2, 3]], {}, "INVALID_ARGUMENT"),
        ("RandomHorizontalFlip", ["often"], {}, "TYPE"),
    ):
        with pytest.raises(CtorchError) as failure:
            make(name, *args, **kwargs)
        assert failure.value.kind == kind, failure.value
    made = out("ctorch_transform *")
    none, three = values.value(None), values.value(3)
    ok(lib.ctorch_transform_create(made, b"Identity", none, none))
    lib.ctorch_transform_release(made[0])
    for arguments, kind in (
        ((ffi.NULL, b"Identity", ffi.NULL, ffi.NULL), "NULL_ARGUMENT"),
        ((made, ffi.NULL, ffi.NULL, ffi.NULL), "NULL_ARGUMENT"),
        ((made, b"Identity", three, ffi.NULL), "TYPE"),
        ((made, b"Identity", ffi.NULL, three), "TYPE"),
        ((made, b"\xff", ffi.NULL, ffi.NULL), "INVALID_ARGUMENT"),
    ):
        assert fails(lib.ctorch_transform_create(*arguments))[0] == kind


def test_values():
    flip = make("RandomHorizontalFlip")
    held = flip.value()
    assert values.kind(held) == "Transform" and values.repr_of(held) == "RandomHorizontalFlip(p=0.5)"
    assert values.type_of(held) == "torchvision.transforms.v2.Transform"
    assert values.equal(held, flip.value()) and not values.equal(held, make("RandomHorizontalFlip").value())
    copy = values.made("ctorch_value_deep_copy", held)
    assert values.equal(copy, held)
    made = out("ctorch_transform *")
    assert fails(lib.ctorch_value_to_transform(made, values.value(3)))[0] == "TYPE"
    assert fails(lib.ctorch_value_to_transform(made, ffi.NULL))[0] == "NULL_ARGUMENT"
    assert as_value(flip) is not None


# Marks.


def test_marks_are_those_of_torchvision():
    for sample in (
        image(), image(5, 6), video(), mask(), mask(4), keypoints(), keypoints(2), keypoints(2, 3, 2),
        *(boxes(f, mode=m) for f in vision.FORMATS for m in ("soft", "hard", None)),
    ):  # fmt: skip
        got = unmark(mark(sample))
        same(got, sample)
        assert mark(sample).data_ptr() == sample.data_ptr()


def made_both(name: str, data: torch.Tensor, **kwargs: Any) -> None:
    expected = getattr(vision.tv, name)(data.clone(), **kwargs)
    if "clamping_mode" in kwargs:
        kwargs["clamping_mode"] = kwargs["clamping_mode"] or "none"
    got = call(f"ctorch_tv_tensors_{name}", data, **kwargs)
    same(unmark(got), expected)
    assert got.requires_grad == expected.requires_grad


def test_made_in_another_type():
    for dtype in (torch.float64, torch.int32, torch.float32):
        made_both("Image", pixels(4, 5), dtype=dtype)
        made_both("Mask", pixels(4, 5), dtype=dtype)
        made_both("Video", pixels(2, 3, 4, 5), dtype=dtype, device=torch.device("cpu"))
        made_both("KeyPoints", pixels(2), dtype=dtype, canvas_size=(3, 4))
        made_both("BoundingBoxes", pixels(4), dtype=dtype, format="xywh", canvas_size=(3, 4), clamping_mode=None)
    made_both("Image", pixels(4, 5), requires_grad=True)
    made_both("Image", pixels(4, 5).requires_grad_())
    leaf = pixels(4, 5).requires_grad_()
    assert not call("ctorch_tv_tensors_Image", leaf, requires_grad=False).requires_grad and leaf.requires_grad
    with pytest.raises(CtorchError, match="RUNTIME.*leaf"):
        call("ctorch_tv_tensors_Image", leaf * 1, requires_grad=False)


@pytest.mark.parametrize(
    "name, kind, data, kwargs",
    [
        ("Image", "VALUE", (4,), {}),
        ("Video", "VALUE", (3, 4, 5), {}),
        ("BoundingBoxes", "VALUE", (2, 3, 4), {"format": "XYXY", "canvas_size": (3, 4)}),
        ("BoundingBoxes", "INDEX", (2, 4), {"format": "XY", "canvas_size": (3, 4)}),
        ("BoundingBoxes", "VALUE", (2, 4), {"format": "XYXY", "canvas_size": (3, 4), "clamping_mode": "weak"}),
        ("BoundingBoxes", "VALUE", (2, 5), {"format": "XYWHR", "canvas_size": (3, 4), "dtype": torch.int64}),
        ("KeyPoints", "VALUE", (2, 3), {"canvas_size": (3, 4)}),
        ("Image", "RUNTIME", (4, 5), {"dtype": torch.int64, "requires_grad": True}),
    ],
)
def test_marks_that_are_refused(name, kind, data, kwargs):
    with pytest.raises(vision.KINDS[kind]):
        getattr(vision.tv, name)(pixels(*data), **kwargs)
    with pytest.raises(CtorchError) as failure:
        call(f"ctorch_tv_tensors_{name}", pixels(*data), **kwargs)
    assert failure.value.kind == kind


def test_operators_give_tensors_without_marks():
    sample = mark(image())
    for made in (sample + 1, sample.clone(), sample.detach(), sample[0], sample.view(-1), sample.to(torch.float64)):
        assert lib.ctorch_tv_tensor_kind_of(handle(made)) == 0
    assert lib.ctorch_tv_tensor_kind_of(handle(sample)) == 1


def test_wrap():
    for sample in (image(), video(), mask(), boxes(), keypoints()):
        plain = sample.as_subclass(torch.Tensor) + 1
        expected = vision.tv.wrap(plain, like=sample)
        same(unmark(call("ctorch_tv_tensors_wrap", plain, like=mark(sample))), expected)
    plain = pixels(2, 4)
    expected = vision.tv.wrap(
        plain, like=boxes(), format=vision.tv.BoundingBoxFormat.XYWH, canvas_size=(3, 4), clamping_mode="hard"
    )
    got = call(
        "ctorch_tv_tensors_wrap", plain, like=mark(boxes()), format="XYWH", canvas_size=(3, 4), clamping_mode="hard"
    )
    same(unmark(got), expected)
    assert call("ctorch_tv_tensors_wrap", plain, like=plain).data_ptr() == plain.data_ptr()


def test_rotated_formats():
    for name in [*vision.FORMATS, "xywhr", "other"]:
        assert call("ctorch_tv_tensors_is_rotated_bounding_format", name) == vision.tv.is_rotated_bounding_format(name)


def test_marks_of_what_has_none():
    assert lib.ctorch_tv_tensor_kind_of(ffi.NULL) == 0 and lib.ctorch_tv_tensor_kind_name(6) == ffi.NULL
    plain = pixels()
    assert lib.ctorch_tv_tensor_format(handle(plain)) == ffi.NULL
    assert lib.ctorch_tv_tensor_clamping_mode(ffi.NULL) == ffi.NULL
    height, width = out("int64_t"), out("int64_t")
    assert fails(lib.ctorch_tv_tensor_canvas_size(height, width, handle(plain)))[0] == "TYPE"
    assert fails(lib.ctorch_tv_tensor_canvas_size(height, ffi.NULL, handle(plain)))[0] == "NULL_ARGUMENT"
    assert text(lib.ctorch_tv_tensor_kind_name(4)) == "BoundingBoxes"
    assert theirs(owned(plain)) is not None
