"""The same numbers as scikit-learn's, where both have the metric."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from sklearn import metrics as sk

from tests.metrics.measures import ours

AVERAGES = ("micro", "macro", "weighted", "none")


def number(metric: str, preds, target, **options):
    made = ours(metric, **options)
    for half in (slice(0, 37), slice(37, None)):
        made.update(preds[half], target[half])
    return made.compute()


def close(a, b):
    return torch.allclose(
        a.double(), torch.as_tensor(np.ascontiguousarray(b), dtype=torch.float64), rtol=1e-5, atol=1e-6
    )


@pytest.fixture(params=range(12))
def drawn(request):
    generator = torch.Generator().manual_seed(request.param)
    target = torch.randint(0, 4, (100,), generator=generator)
    labels = torch.where(
        torch.rand(100, generator=generator) < 0.6, target, torch.randint(0, 4, (100,), generator=generator)
    )
    scores = (torch.rand(100, 4, generator=generator) + torch.nn.functional.one_hot(target, 4) * 0.3).softmax(1)
    return target, labels, scores


def test_classes(drawn):
    target, labels, scores = drawn
    n, options = {"num_classes": 4}, {"zero_division": 0}
    assert close(number("MulticlassAccuracy", labels, target, average="micro", **n), sk.accuracy_score(target, labels))
    assert close(number("MulticlassAccuracy", labels, target, **n), sk.balanced_accuracy_score(target, labels))
    top = sk.top_k_accuracy_score(target, scores.numpy(), k=2)
    assert close(number("MulticlassAccuracy", scores, target, average="micro", top_k=2, **n), top)
    for average in AVERAGES:
        name = None if average == "none" else average
        precision, recall, f, _ = sk.precision_recall_fscore_support(target, labels, average=name, beta=0.5, **options)
        assert close(number("MulticlassPrecision", labels, target, average=average, **n), precision)
        assert close(number("MulticlassRecall", labels, target, average=average, **n), recall)
        assert close(number("MulticlassFBetaScore", labels, target, average=average, beta=0.5, **n), f)
        jaccard = sk.jaccard_score(target, labels, average=name)
        assert close(number("MulticlassJaccardIndex", labels, target, average=average, **n), jaccard)
    for normalize in ("true", "pred", "all", None):
        table = sk.confusion_matrix(target, labels, normalize=normalize)
        assert close(number("MulticlassConfusionMatrix", labels, target, normalize=normalize or "none", **n), table)
    for weights in (None, "linear", "quadratic"):
        kappa = sk.cohen_kappa_score(target, labels, weights=weights)
        assert close(number("MulticlassCohenKappa", labels, target, weights=weights or "none", **n), kappa)
    assert close(number("MulticlassMatthewsCorrCoef", labels, target, **n), sk.matthews_corrcoef(target, labels))
    for average in ("macro", "weighted"):
        area = sk.roc_auc_score(target, scores.numpy(), multi_class="ovr", average=average)
        assert close(number("MulticlassAUROC", scores, target, average=average, **n), area)


def test_two_classes(drawn):
    target, labels, scores = (drawn[0] > 1).long(), (drawn[1] > 1).long(), drawn[2][:, 2:].sum(1)
    assert close(number("BinaryAccuracy", labels, target), sk.accuracy_score(target, labels))
    assert close(number("BinaryF1Score", labels, target), sk.f1_score(target, labels))
    assert close(number("BinarySpecificity", labels, target), sk.recall_score(target, labels, pos_label=0))
    assert close(number("BinaryMatthewsCorrCoef", labels, target), sk.matthews_corrcoef(target, labels))
    assert close(number("BinaryAUROC", scores, target), sk.roc_auc_score(target, scores))
    for most in (0.2, 0.7):
        assert close(
            number("BinaryAUROC", scores, target, max_fpr=most), sk.roc_auc_score(target, scores, max_fpr=most)
        )
    assert close(number("BinaryAveragePrecision", scores, target), sk.average_precision_score(target, scores))
    fpr, tpr, _ = sk.roc_curve(target, scores, drop_intermediate=False)
    ours_fpr, ours_tpr, _ = number("BinaryROC", scores, target)
    assert close(ours_fpr, fpr) and close(ours_tpr, tpr)
    precision, recall, thresholds = sk.precision_recall_curve(target, scores)
    mine = number("BinaryPrecisionRecallCurve", scores, target)
    assert close(mine[0], precision) and close(mine[1], recall) and close(mine[2], thresholds)


def test_labels(drawn):
    generator = torch.Generator().manual_seed(int(drawn[0].sum()))
    target = torch.randint(0, 2, (100, 3), generator=generator)
    scores = torch.rand(100, 3, generator=generator) * 0.7 + target * 0.3
    for average in AVERAGES:
        name = None if average == "none" else average
        n = {"num_labels": 3, "average": average}
        assert close(number("MultilabelF1Score", scores, target, **n), sk.f1_score(target, scores > 0.5, average=name))
        assert close(number("MultilabelAUROC", scores, target, **n), sk.roc_auc_score(target, scores, average=name))
        expected = sk.average_precision_score(target, scores, average=name)
        assert close(number("MultilabelAveragePrecision", scores, target, **n), expected)
    assert close(
        number("MultilabelConfusionMatrix", scores, target, num_labels=3),
        sk.multilabel_confusion_matrix(target, scores > 0.5),
    )


def test_numbers(drawn):
    generator = torch.Generator().manual_seed(int(drawn[0].sum()))
    target = torch.randn(100, 3, generator=generator)
    preds = target + torch.randn(100, 3, generator=generator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert close(number("MeanSquaredError", preds, target), sk.mean_squared_error(target, preds))
        assert close(number("MeanAbsoluteError", preds, target), sk.mean_absolute_error(target, preds))
        assert close(
            number("MeanSquaredError", preds, target, squared=False, num_outputs=1),
            sk.mean_squared_error(target.flatten(), preds.flatten()) ** 0.5,
        )
        for multioutput in ("raw_values", "uniform_average", "variance_weighted"):
            o = {"multioutput": multioutput}
            assert close(number("R2Score", preds, target, **o), sk.r2_score(target, preds, **o))
            assert close(
                number("ExplainedVariance", preds, target, **o), sk.explained_variance_score(target, preds, **o)
            )
