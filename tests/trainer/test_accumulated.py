"""Metrics that a trainer accumulates over an epoch, beside those of a plain loop."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from tests.harness.capi import fails, ffi, lib, ok
from tests.metrics.measures import Metric, collection, ours
from tests.trainer.test_trainer import VX, VY, Ours, with_snapshots


def add(trainer, name: str, metric: Metric) -> None:
    ok(lib.ctorch_trainer_add_accumulated_metric(trainer.pointer, name.encode(), metric.pointer))


def test_validation_is_the_metric_of_all_of_it():
    """The mean over batches is not the F1 of all samples; the accumulated metric is."""
    run = Ours(epochs=2, validation=True)
    f1 = ours("MulticlassF1Score", num_classes=3)
    add(run.trainer, "f1", f1)
    add(run.trainer, "auroc", ours("MulticlassAUROC", num_classes=3))
    run.run()
    first, last = run.trainer.history()
    assert {"f1", "val_f1", "auroc", "val_auroc"} <= set(last) and first["val_f1"] != last["val_f1"]
    weights = run.model.parameters()
    hidden = torch.tanh(F.linear(VX, weights[0], weights[1]))
    scores = F.linear(hidden, weights[2], weights[3])
    whole, area = ours("MulticlassF1Score", num_classes=3), ours("MulticlassAUROC", num_classes=3)
    whole.update(scores, VY)
    area.update(scores, VY)
    assert last["val_f1"] == whole.compute().item()
    assert abs(last["val_auroc"] - area.compute().item()) < 1e-6
    assert f1.update_count == 0  # it was copied
    evaluated = run.trainer.evaluate(run.validation)
    assert evaluated["f1"] == last["val_f1"]


def test_results_of_several_numbers_have_names_of_their_own():
    run = Ours(epochs=1)
    both = collection(
        [ours("MulticlassAccuracy", num_classes=3, average="micro"), ours("MulticlassRecall", num_classes=3)]
    )
    add(run.trainer, "all", both)
    add(run.trainer, "recall", ours("MulticlassRecall", num_classes=3, average="none"))
    run.trainer.metric("accuracy")
    run.run()
    (entry,) = run.trainer.history()
    assert entry["all/MulticlassAccuracy"] == pytest.approx(entry["accuracy"], abs=1e-6)
    several = [entry[f"recall/{i}"] for i in range(3)]
    assert sum(several) / 3 == pytest.approx(entry["all/MulticlassRecall"], abs=1e-6)


def test_what_was_accumulated_survives_a_snapshot(tmp_path):
    def told(run):
        add(run.trainer, "f1", ours("MulticlassF1Score", num_classes=3))
        add(run.trainer, "auroc", ours("MulticlassAUROC", num_classes=3))
        return run

    whole = told(Ours(epochs=2))
    whole.run()
    first = told(Ours(epochs=2))
    with_snapshots(first, tmp_path)
    first.trainer.on("STEP", lambda _: first.trainer.step == 9 and lib.ctorch_trainer_stop(first.trainer.pointer))
    first.run()
    second = told(Ours(epochs=2))
    with_snapshots(second, tmp_path)
    second.run()
    assert second.trainer.history() == whole.trainer.history()


def test_it_refuses():
    run = Ours(epochs=1)
    metric = ours("MulticlassAccuracy", num_classes=3)
    add(run.trainer, "accuracy", metric)
    call = lib.ctorch_trainer_add_accumulated_metric
    assert fails(call(run.trainer.pointer, b"accuracy", metric.pointer))[0] == "VALUE"
    assert fails(call(run.trainer.pointer, b"loss", metric.pointer))[0] == "VALUE"
    assert fails(lib.ctorch_trainer_add_metric(run.trainer.pointer, b"accuracy", *(ffi.NULL,) * 3))[0] == "VALUE"
    assert fails(call(run.trainer.pointer, b"more", ffi.NULL)) == ("NULL_ARGUMENT", "metric must not be NULL")
    add(run.trainer, "table", ours("MulticlassConfusionMatrix", num_classes=3))
    with pytest.raises(Exception, match="table is a tensor of 2 dimensions"):
        run.run()
