"""Curves over thresholds, and what is below them, beside torchmetrics."""

from __future__ import annotations

import itertools

import pytest
import torch

from tests.metrics.measures import agree
from tests.metrics.test_classification import binary_batches, class_batches

THRESHOLDS = (None, 5, [0.0, 0.3, 0.5, 0.9], torch.tensor([0.1, 0.6]))
CURVES = ("PrecisionRecallCurve", "ROC", "AUROC", "AveragePrecision")
CLASS_AVERAGES = ("macro", "weighted", "none")


@pytest.mark.parametrize("metric", CURVES)
@pytest.mark.parametrize("form", ["probabilities", "logits", "float64"])
def test_binary(metric, form):
    for thresholds, ignored, sizes in itertools.product(THRESHOLDS, (None, -1), ((20,), (5, 4))):
        batches = list(binary_batches(1, sizes, form, ignored))
        agree(f"Binary{metric}", batches, thresholds=thresholds, ignore_index=ignored)


@pytest.mark.parametrize("metric", CURVES)
@pytest.mark.parametrize("form", ["float32", "float64"])
def test_multiclass(metric, form):
    has_average = metric in ("AUROC", "AveragePrecision")
    averages = [{"average": a} for a in CLASS_AVERAGES] if has_average else [{}]
    cases = itertools.product(THRESHOLDS, (None, -1), ((20,), (5, 4)), averages)
    for thresholds, ignored, sizes, options in cases:
        batches = list(class_batches(1, sizes, 4, form, ignored))
        agree(f"Multiclass{metric}", batches, num_classes=4, thresholds=thresholds, ignore_index=ignored, **options)


@pytest.mark.parametrize("metric", CURVES)
@pytest.mark.parametrize("form", ["probabilities", "logits"])
def test_multilabel(metric, form):
    has_average = metric in ("AUROC", "AveragePrecision")
    averages = [{"average": a} for a in ("micro", *CLASS_AVERAGES)] if has_average else [{}]
    cases = itertools.product(THRESHOLDS, (None, -1), ((20, 3), (5, 3, 4)), averages)
    for thresholds, ignored, sizes, options in cases:
        batches = list(binary_batches(1, sizes, form, ignored))
        agree(f"Multilabel{metric}", batches, num_labels=3, thresholds=thresholds, ignore_index=ignored, **options)


@pytest.mark.parametrize("max_fpr", [0.1, 0.35, 0.5, 0.99, 1.0])
def test_part_of_the_area(max_fpr):
    for seed, thresholds in itertools.product(range(4), (None, 11)):
        agree(
            "BinaryAUROC",
            list(binary_batches(seed, (40,), "probabilities", None)),
            max_fpr=max_fpr,
            thresholds=thresholds,
        )


@pytest.mark.parametrize("metric", CURVES)
def test_targets_of_one_kind(metric):
    preds = torch.rand(6, generator=torch.Generator().manual_seed(0))
    for target in (torch.zeros(6, dtype=torch.long), torch.ones(6, dtype=torch.long)):
        for thresholds in (None, 5):
            agree(f"Binary{metric}", [(preds, target)], thresholds=thresholds)


def test_ties_make_one_point():
    preds = torch.tensor([0.5, 0.5, 0.5, 0.2, 0.2, 0.9])
    target = torch.tensor([1, 0, 1, 0, 1, 0])
    for metric in CURVES:
        agree(f"Binary{metric}", [(preds, target)])


def test_many_rows_are_counted_in_pieces():
    generator = torch.Generator().manual_seed(0)
    preds = torch.rand(200_000, generator=generator)
    target = torch.randint(0, 2, (200_000,), generator=generator)
    agree("BinaryAUROC", [(preds, target)], thresholds=40)
    agree("MultilabelAUROC", [(preds.reshape(-1, 2), target.reshape(-1, 2))], num_labels=2, thresholds=40)
