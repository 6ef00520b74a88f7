"""Counts of classes, and what is made of them, beside torchmetrics: all averages, ignored classes, shapes and types."""

from __future__ import annotations

import itertools

import pytest
import torch

from tests.metrics.measures import agree

AVERAGES = ("micro", "macro", "weighted", "none")
STATS = ("StatScores", "Accuracy", "Precision", "Recall", "Specificity", "F1Score", "FBetaScore")
ZERO_DIVISION = ("Precision", "Recall", "F1Score", "FBetaScore")


def drawn(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def binary_batches(seed: int, sizes: tuple[int, ...], form: str, ignored: int | None):
    generator = drawn(seed)
    for _ in range(3):
        target = torch.randint(0, 2, sizes, generator=generator)
        if ignored is not None:
            target[torch.rand(sizes, generator=generator) < 0.2] = ignored
        if form == "labels":
            preds = torch.randint(0, 2, sizes, generator=generator)
        elif form == "logits":
            preds = torch.randn(sizes, generator=generator) * 3
        else:
            preds = torch.rand(sizes, generator=generator, dtype=torch.float64 if form == "float64" else torch.float32)
        yield preds, target


def class_batches(seed: int, sizes: tuple[int, ...], classes: int, form: str, ignored: int | None):
    generator = drawn(seed)
    for _ in range(3):
        # Some classes are missing.
        target = torch.randint(0, max(2, classes - 1), sizes, generator=generator)
        if ignored is not None:
            target[torch.rand(sizes, generator=generator) < 0.2] = ignored
        if form == "labels":
            preds = torch.randint(0, classes, sizes, generator=generator)
        else:
            dtype = torch.float64 if form == "float64" else torch.float32
            preds = torch.randn((sizes[0], classes, *sizes[1:]), generator=generator, dtype=dtype)
        yield preds, target


@pytest.mark.parametrize("stat", STATS)
@pytest.mark.parametrize("form", ["labels", "probabilities", "logits", "float64"])
def test_binary(stat, form):
    for ignored, multidim, sizes in itertools.product(
        (None, -1, 0), ("global", "samplewise"), ((12,), (5, 4), (3, 4, 2))
    ):
        if multidim == "samplewise" and len(sizes) < 2:
            continue
        more = {"beta": 0.5} if stat == "FBetaScore" else {}
        batches = list(binary_batches(len(sizes), sizes, form, ignored))
        agree(f"Binary{stat}", batches, multidim_average=multidim, ignore_index=ignored, threshold=0.4, **more)


@pytest.mark.parametrize("stat", STATS)
@pytest.mark.parametrize("form", ["labels", "float32", "float64"])
@pytest.mark.parametrize("average", AVERAGES)
def test_multiclass(stat, form, average):
    cases = itertools.product((None, -1, 1), ("global", "samplewise"), ((20,), (6, 4), (3, 4, 2)))
    for ignored, multidim, sizes in cases:
        if multidim == "samplewise" and len(sizes) < 2:
            continue
        more = {"beta": 2.0} if stat == "FBetaScore" else {}
        batches = list(class_batches(len(sizes), sizes, 4, form, ignored))
        options = {"average": average, "multidim_average": multidim, "ignore_index": ignored, "num_classes": 4}
        agree(f"Multiclass{stat}", batches, **options, **more)


@pytest.mark.parametrize("stat", STATS)
@pytest.mark.parametrize("average", AVERAGES)
def test_several_highest_scores(stat, average):
    cases = itertools.product((2, 3), (None, -1, 1), ((20,), (6, 4)), ("global", "samplewise"))
    for top_k, ignored, sizes, multidim in cases:
        if multidim == "samplewise" and len(sizes) < 2:
            continue
        more = {"beta": 2.0} if stat == "FBetaScore" else {}
        batches = list(class_batches(top_k, sizes, 5, "float32", ignored))
        options = {"average": average, "multidim_average": multidim, "ignore_index": ignored, "top_k": top_k}
        agree(f"Multiclass{stat}", batches, num_classes=5, **options, **more)


@pytest.mark.parametrize("stat", STATS)
@pytest.mark.parametrize("form", ["labels", "probabilities", "logits"])
@pytest.mark.parametrize("average", AVERAGES)
def test_multilabel(stat, form, average):
    for ignored, multidim, sizes in itertools.product((None, -1), ("global", "samplewise"), ((8, 3), (4, 3, 5))):
        if multidim == "samplewise" and len(sizes) < 3:
            continue
        more = {"beta": 2.0} if stat == "FBetaScore" else {}
        batches = list(binary_batches(len(sizes), sizes, form, ignored))
        options = {"average": average, "multidim_average": multidim, "ignore_index": ignored, "num_labels": 3}
        agree(f"Multilabel{stat}", batches, **options, **more)


@pytest.mark.parametrize("stat", ZERO_DIVISION)
@pytest.mark.parametrize("zero", [0, 1])
def test_what_is_zero_by_zero(stat, zero):
    nothing = [(torch.zeros(4, dtype=torch.long), torch.zeros(4, dtype=torch.long))]
    more = {"beta": 2.0} if stat == "FBetaScore" else {}
    agree(f"Binary{stat}", nothing, zero_division=zero, **more)
    for average in AVERAGES:
        agree(f"Multiclass{stat}", nothing, num_classes=3, average=average, zero_division=zero, **more)
        rows = [(torch.zeros(4, 3, dtype=torch.long), torch.zeros(4, 3, dtype=torch.long))]
        agree(f"Multilabel{stat}", rows, num_labels=3, average=average, zero_division=zero, **more)


@pytest.mark.parametrize("stat", ["Accuracy", "StatScores", "Precision"])
def test_classes_that_are_not_counted_beforehand(stat):
    batches = list(class_batches(0, (20,), 4, "labels", None))
    agree(f"Multiclass{stat}", batches, num_classes=None, average="micro")


CONFUSION = ("ConfusionMatrix", "CohenKappa", "MatthewsCorrCoef", "JaccardIndex")


def options_of(metric: str, task: str) -> list[dict]:
    if metric == "ConfusionMatrix":
        return [{"normalize": n} for n in ("none", "true", "pred", "all")]
    if metric == "CohenKappa":
        return [{"weights": w} for w in ("none", "linear", "quadratic")]
    if metric == "JaccardIndex":
        averages = [{}] if task == "Binary" else [{"average": a} for a in AVERAGES]
        return [{**a, "zero_division": z} for a in averages for z in (0.0, 1.0)]
    return [{}]


@pytest.mark.parametrize("metric", CONFUSION)
@pytest.mark.parametrize("form", ["labels", "probabilities", "logits", "float64"])
def test_confusion_of_two(metric, form):
    for ignored, sizes in itertools.product((None, -1, 0), ((12,), (5, 4))):
        for options in options_of(metric, "Binary"):
            agree(f"Binary{metric}", list(binary_batches(1, sizes, form, ignored)), ignore_index=ignored, **options)


@pytest.mark.parametrize("metric", CONFUSION)
@pytest.mark.parametrize("form", ["labels", "float32", "float64"])
def test_confusion_of_several(metric, form):
    for ignored, sizes in itertools.product((None, -1, 1), ((30,), (6, 4))):
        for options in options_of(metric, "Multiclass"):
            batches = list(class_batches(1, sizes, 4, form, ignored))
            agree(f"Multiclass{metric}", batches, 1e-6, num_classes=4, ignore_index=ignored, **options)


@pytest.mark.parametrize("metric", ["ConfusionMatrix", "MatthewsCorrCoef", "JaccardIndex"])
@pytest.mark.parametrize("form", ["labels", "probabilities", "logits"])
def test_confusion_of_labels(metric, form):
    for ignored, sizes in itertools.product((None, -1), ((12, 3), (5, 3, 4))):
        for options in options_of(metric, "Multilabel"):
            batches = list(binary_batches(1, sizes, form, ignored))
            agree(f"Multilabel{metric}", batches, num_labels=3, ignore_index=ignored, **options)


def test_matthews_of_tables_with_nothing_in_them():
    """All tables of two classes with 0 to 2 in each cell: the limits of those that are singular."""
    for counts in itertools.product(range(3), repeat=4):
        if sum(counts) == 0:
            continue
        target = torch.tensor([0, 0, 1, 1]).repeat_interleave(torch.tensor(counts))
        preds = torch.tensor([0, 1, 0, 1]).repeat_interleave(torch.tensor(counts))
        agree("BinaryMatthewsCorrCoef", [(preds, target)], 1e-6)


@pytest.mark.parametrize("norm", ["l1", "l2", "max"])
@pytest.mark.parametrize("form", ["probabilities", "logits", "float64"])
def test_calibration(norm, form):
    for ignored, bins, sizes in itertools.product((None, -1), (5, 15), ((30,), (6, 5))):
        batches = list(binary_batches(2, sizes, form, ignored))
        agree("BinaryCalibrationError", batches, norm=norm, n_bins=bins, ignore_index=ignored)
        scores = "float64" if form == "float64" else "float32"
        batches = list(class_batches(2, sizes, 4, scores, ignored))
        agree("MulticlassCalibrationError", batches, num_classes=4, norm=norm, n_bins=bins, ignore_index=ignored)


@pytest.mark.parametrize("dtype", [torch.int8, torch.int32, torch.uint8, torch.bool])
def test_labels_of_other_types(dtype):
    batches = [(p.to(dtype), t.to(dtype)) for p, t in binary_batches(3, (12,), "labels", None)]
    agree("BinaryAccuracy", batches)
    agree("BinaryF1Score", batches)
    if dtype != torch.bool:
        batches = [(p.to(dtype), t.to(dtype)) for p, t in class_batches(3, (12,), 4, "labels", None)]
        agree("MulticlassAccuracy", batches, num_classes=4)
