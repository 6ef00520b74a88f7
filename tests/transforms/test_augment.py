"""Automatic augmentation and mixing of batches, beside torchvision's: texts, draws and results, from one seed."""

from __future__ import annotations

import pytest
import torch

from tests.harness.capi import OK, ffi, lib, ok, out
from tests.harness.vision import has_torchvision, torchvision
from tests.transforms.calls import agree, create, make, mark, marked, outcome
from tests.transforms.test_colour import image
from tests.transforms.test_colour_classes import run

if not has_torchvision():
    pytest.skip("torchvision for this torch is not there", allow_module_level=True)

v2, tv = torchvision("transforms.v2"), torchvision("tv_tensors")

CASES = [
    *(("AutoAugment", {"policy": p}) for p in ("imagenet", "cifar10", "svhn")),
    ("AutoAugment", {"interpolation": "bilinear", "fill": 127}),
    ("AutoAugment", {"policy": "svhn", "fill": [1.0, 2.0, 3.0]}),
    ("RandAugment", {}),
    ("RandAugment", {"num_ops": 5, "magnitude": 29, "interpolation": "bilinear"}),
    ("RandAugment", {"num_ops": 0}),
    ("RandAugment", {"num_ops": 3, "magnitude": -1, "num_magnitude_bins": 4, "fill": 0.5}),
    ("RandAugment", {"magnitude": 31}),
    ("RandAugment", {"num_magnitude_bins": 1, "magnitude": 0}),
    ("RandAugment", {"interpolation": "box"}),
    ("TrivialAugmentWide", {}),
    ("TrivialAugmentWide", {"num_magnitude_bins": 5, "interpolation": "bilinear", "fill": 200}),
    ("TrivialAugmentWide", {"num_magnitude_bins": 0}),
    ("AugMix", {}),
    ("AugMix", {"severity": 10, "mixture_width": 2, "chain_depth": 2, "alpha": 0.5}),
    ("AugMix", {"all_ops": False, "interpolation": "nearest", "fill": [10.0, 20.0, 30.0]}),
    ("AugMix", {"mixture_width": 0}),
]
INPUTS = [((3, 21, 18), torch.uint8), ((2, 3, 16, 17), torch.uint8), ((1, 12, 13), torch.uint8),
          ((3, 16, 17), torch.float32), ((5,), torch.uint8), ((3, 16, 17), torch.int16)]  # fmt: skip


def theirs(name, options):
    options = dict(options)
    if "policy" in options:
        options["policy"] = v2.AutoAugmentPolicy(options["policy"])
    return getattr(v2, name)(**options)


@pytest.mark.turns
@pytest.mark.parametrize("shape_and_dtype", INPUTS, ids=str)
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_results_draws_and_texts(name, options, shape_and_dtype):
    c, python = make(name, **options), theirs(name, options)
    assert repr(c) == repr(python)
    given = image(*shape_and_dtype)
    for seed in range(40):
        (made, drawn), (expected, after) = run(c, seed, given), run(python, seed, given)
        agree(made, expected)
        assert torch.equal(drawn, after)
    assert torch.equal(given, image(*shape_and_dtype))


@pytest.mark.parametrize("kind", ["Image", "Video"])
@pytest.mark.parametrize("name", ["AutoAugment", "RandAugment", "TrivialAugmentWide", "AugMix"])
def test_in_a_sample(name, kind):
    data = image((2, 3, 9, 8), torch.uint8)
    for seed in range(12):
        (made, drawn), (expected, after) = (
            run(make(name), seed, {"a": 3, "b": [mark(data, kind), torch.zeros(2)]}),
            run(theirs(name, {}), seed, {"a": 3, "b": [marked(data, kind), torch.zeros(2)]}),
        )
        assert torch.equal(drawn, after)
        assert made["a"] == 3
        agree(made["b"][0], expected["b"][0])
        assert torch.equal(made["b"][1], torch.zeros(2))


@pytest.mark.parametrize("name", ["AutoAugment", "RandAugment", "TrivialAugmentWide", "AugMix"])
def test_samples_that_are_refused(name):
    data = image((3, 9, 8), torch.uint8)
    samples = [
        lambda m: (m(data, "Image"), m(data, "Image")),
        lambda m: (m(data, "Image"), m(data[:1], "Mask")),
        lambda m: (m(data, "Image"), m(torch.rand(2, 4), "BoundingBoxes")),
        lambda m: (m(data, "Image"), m(torch.rand(2, 2), "KeyPoints")),
        lambda m: ("text", 3),
    ]
    for sample in samples:
        assert run(make(name), 0, *sample(mark))[0] == run(theirs(name, {}), 0, *sample(marked))[0] == "TYPE"


def test_fills_by_kind():
    data = image((3, 12, 13), torch.uint8)
    for seed in range(20):
        fill = {"Image": 50, "others": 200}
        classes = {tv.Image: 50, "others": 200}
        for m, n in ((mark, marked), (lambda x, _: x, lambda x, _: x)):
            made = run(make("TrivialAugmentWide", fill=fill), seed, m(data, "Image"))[0]
            agree(made, run(v2.TrivialAugmentWide(fill=classes), seed, n(data, "Image"))[0])


@pytest.mark.parametrize(("name", "options"), [
    ("AutoAugment", {"fill": "black"}), ("RandAugment", {"num_ops": -1}), ("AugMix", {"severity": 0}),
    ("AugMix", {"severity": 11}), ("TrivialAugmentWide", {"fill": "black"}),
])  # fmt: skip
def test_what_is_refused(name, options):
    found = outcome(make, name, **options)
    assert found == outcome(theirs, name, options)
    assert isinstance(found, str)


def test_an_unknown_policy():
    assert outcome(make, "AutoAugment", policy="mnist") == "VALUE"


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_by_name_from_values(name, options):
    assert repr(create(name, **options)) == repr(theirs(name, options))


# Mixing.


def batch(dtype=torch.float32, shape=(4, 3, 9, 8), classes=5, dims=1):
    labels = torch.randint(classes, shape[:1], generator=torch.Generator().manual_seed(1))
    return image(shape, dtype), labels if dims == 1 else torch.nn.functional.one_hot(labels, classes)


MIXING = [("MixUp", {"alpha": 0.4, "num_classes": 5}), ("CutMix", {"alpha": 1.0, "num_classes": 5}),
          ("MixUp", {"num_classes": 5}), ("CutMix", {"alpha": 3.0, "num_classes": 5})]  # fmt: skip


def compare(name, options, sample, seeds=8, mark_ours=lambda x: x, mark_theirs=lambda x: x):
    for seed in range(seeds):
        (made, drawn), (expected, after) = (
            run(make(name, **options), seed, *mark_ours(sample)),
            run(getattr(v2, name)(**options), seed, *mark_theirs(sample)),
        )
        assert torch.equal(drawn, after)
        if isinstance(made, str) or isinstance(expected, str):
            assert made == expected
            continue
        for a, b in zip(flat(made), flat(expected), strict=True):
            agree(a, b) if isinstance(b, torch.Tensor) else None
            assert isinstance(b, torch.Tensor) or a == b


def flat(item):
    if isinstance(item, dict):
        return [x for v in item.values() for x in flat(v)]
    return [x for v in item for x in flat(v)] if isinstance(item, (list, tuple)) else [item]


@pytest.mark.parametrize(("name", "options"), MIXING, ids=str)
def test_batches(name, options):
    assert repr(make(name, **options)) == repr(getattr(v2, name)(**options))
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.uint8):
        for dims in (1, 2):
            compare(name, options, batch(dtype, dims=dims))
    compare(name, options, batch(shape=(4, 3, 0, 8)))
    compare(name, options, batch(shape=(1, 3, 4, 4)))


@pytest.mark.parametrize(("name", "options"), MIXING, ids=str)
@pytest.mark.parametrize("kind", ["Image", "Video"])
def test_batches_with_marks(name, options, kind):
    pictures, labels = batch(shape=(4, 2, 3, 9, 8) if kind == "Video" else (4, 3, 9, 8))
    for make_sample in (
        lambda m: (m(pictures, kind), {"Labels": labels, "other": 3}),
        lambda m: (m(pictures, kind), {"other": torch.zeros(3), "my_LABEL": labels}),
        lambda m: ({"images": m(pictures, kind), "labels": labels},),
        lambda m: ([m(pictures, kind), labels, m(pictures, kind)],),
    ):
        compare(name, options, None, 3, lambda _, f=make_sample: f(mark), lambda _, f=make_sample: f(marked))


@pytest.mark.parametrize("name", ["MixUp", "CutMix"])
def test_batches_that_are_refused(name, monkeypatch):
    monkeypatch.setattr(torch.distributions.Distribution, "_validate_args", True)  # torch.compile turns it off
    pictures, labels = batch()
    options = {"num_classes": 5}
    for sample in (
        (pictures,),
        (pictures[0], labels),
        (pictures, labels[:2]),
        (pictures, labels[:, None, None]),
        (pictures, torch.rand(4, 6)),
        (pictures, labels + 1),
        (pictures, labels.float()),
        (pictures, "text"),
        ({"a": pictures, "b": labels},),
        ({"a": pictures, "labels": "text"},),
        ([pictures],),
    ):
        compare(name, options, sample, 1)
    compare(name, {}, (pictures, labels), 1)
    for kind, data in (
        ("Mask", torch.rand(4, 9, 8)),
        ("BoundingBoxes", torch.rand(4, 4)),
        ("KeyPoints", torch.rand(4, 2)),
    ):
        compare(name, options, None, 1, lambda _, k=kind, d=data: (pictures, labels, mark(d, k)),
                lambda _, k=kind, d=data: (pictures, labels, marked(d, k)))  # fmt: skip
    for wrong in ({"alpha": 0.0}, {"alpha": -1.0}, {"alpha": float("nan")}):
        assert outcome(make, name, **wrong) == outcome(getattr(v2, name), **wrong) == "VALUE"
    assert outcome(make, name, labels_getter="other") == "VALUE"


@pytest.mark.parametrize("name", ["MixUp", "CutMix"])
def test_labels_that_are_found_by_a_transform(name):
    @ffi.callback("ctorch_transform_callback")
    def third(result, given, generator, error, payload):
        made = out("ctorch_value *")
        ok(lib.ctorch_value_get(made, given, 2))
        result[0] = made[0]
        return OK

    getter = out("ctorch_transform *")
    ok(lib.ctorch_transform_from_callback(getter, ffi.NULL, third, True, ffi.NULL, ffi.NULL))
    held = out("ctorch_value *")
    ok(lib.ctorch_value_from_transform(held, getter[0]))
    pictures, labels = batch()
    made = make(name, num_classes=5, labels_getter=held[0])
    for seed in range(4):
        (found, drawn), (expected, after) = (
            run(made, seed, pictures, 7, labels),
            run(getattr(v2, name)(num_classes=5, labels_getter=lambda x: x[2]), seed, pictures, 7, labels),
        )
        assert torch.equal(drawn, after)
        agree(found[0], expected[0])
        agree(found[2], expected[2])
    assert run(made, 0, pictures, 7, "text")[0] == "VALUE"
    lib.ctorch_value_release(held[0])
    lib.ctorch_transform_release(getter[0])
