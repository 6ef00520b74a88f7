"""What all metrics do: merging, states, copies, collections, and what is refused."""

from __future__ import annotations

import itertools
import pickle

import pytest
import torch

from tests.harness.capi import CtorchError, fails, ffi, lib, ok, out
from tests.harness.values import made, value
from tests.metrics.measures import Metric, collection, ours, same, theirs
from tests.metrics.test_classification import binary_batches, class_batches

BATCHES = list(class_batches(0, (20,), 4, "float32", None))
CASES = [
    ("MulticlassAccuracy", {"num_classes": 4}),
    ("MulticlassF1Score", {"num_classes": 4, "multidim_average": "global"}),
    ("MulticlassConfusionMatrix", {"num_classes": 4}),
    ("MulticlassAUROC", {"num_classes": 4}),
    ("MulticlassAUROC", {"num_classes": 4, "thresholds": 7}),
    ("MulticlassCalibrationError", {"num_classes": 4}),
]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_any_parts_merge_to_the_whole(name, options):
    """A batch cut anywhere, in metrics that are merged in any order, is the batch."""
    preds, target = BATCHES[0]
    whole = ours(name, **options)
    whole.update(preds, target)
    for cuts in ([5], [1, 19], [3, 7, 11]):
        parts = []
        for a, b in itertools.pairwise([0, *cuts, 20]):
            parts.append(ours(name, **options))
            parts[-1].update(preds[a:b], target[a:b])
        for order in itertools.permutations(parts):
            merged = order[0].clone()
            for part in order[1:]:
                merged.merge(part)
            assert same(merged.compute(), whole.compute(), 1e-6, 1e-6)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_states_are_those_of_torchmetrics(name, options):
    mine, other = ours(name, **options), theirs(name, **options)
    other.persistent(True)
    for batch in BATCHES:
        mine.update(*batch)
        other.update(*batch)
    state, expected = mine.state_dict(), dict(other.state_dict())
    assert list(state) == list(expected) and same(state, expected)
    assert mine.reductions() == {
        k: getattr(r, "__name__", "").removeprefix("dim_zero_") for k, r in other._reductions.items()
    }
    fresh = ours(name, **options)
    fresh.load_state_dict(expected)  # that of torchmetrics itself
    assert same(fresh.compute(), mine.compute())
    fresh.load_state_dict(pickle.loads(pickle.dumps(state)))
    assert same(fresh.compute(), mine.compute())


@pytest.mark.parametrize(("name", "options"), CASES)
def test_states_are_saved_and_loaded_as_torch_does(name, options, tmp_path):
    """From ctorch's file to torchmetrics, and from torch's to ctorch."""
    mine, other = ours(name, **options), theirs(name, **options)
    mine_file, other_file = tmp_path / "mine.pt", tmp_path / "other.pt"
    other.persistent(True)
    mine.update(*BATCHES[0])
    other.update(*BATCHES[1])
    state = made("ctorch_metric_state_dict", mine.pointer)
    ok(lib.ctorch_serialization_save_file(state, str(mine_file).encode()))
    torch.save(dict(other.state_dict()), other_file)

    loaded = theirs(name, **options)
    loaded.persistent(True)
    loaded.load_state_dict(torch.load(mine_file))
    loaded._update_count = 1  # it warns without an update
    assert same(mine.compute(), loaded.compute())
    assert not same(mine.compute(), other.compute())

    fresh = ours(name, **options)
    state = made("ctorch_serialization_load_file", str(other_file).encode(), False, ffi.NULL)
    ok(lib.ctorch_metric_load_state_dict(fresh.pointer, state))
    assert same(fresh.compute(), other.compute())


def test_states_reduced_as_they_say_are_the_whole():
    for name, options in CASES:
        parts = [ours(name, **options) for _ in BATCHES]
        for part, batch in zip(parts, BATCHES):
            part.update(*batch)
        whole = ours(name, **options)
        for batch in BATCHES:
            whole.update(*batch)
        reduced = {}
        for key, how in whole.reductions().items():
            states = [part.state_dict()[key] for part in parts]
            reduced[key] = sum(states) if how == "sum" else [x for state in states for x in state]
        result = ours(name, **options)
        result.load_state_dict(reduced)
        assert same(result.compute(), whole.compute())


def test_a_state_is_a_copy():
    metric = ours("SumMetric")
    metric.update(torch.ones(3))
    metric.state_dict()["sum_value"].zero_()
    assert metric.compute() == 3
    state = metric.state_dict()
    other = ours("SumMetric")
    other.load_state_dict(state)
    state["sum_value"].zero_()
    assert other.compute() == 3
    other.reset()
    assert other.compute() == 0


def test_what_was_given_may_change_afterwards():
    preds, target = torch.rand(10), torch.randint(0, 2, (10,))
    metric = ours("BinaryAUROC")
    metric.update(preds, target)
    before = metric.compute()
    preds.fill_(0.5)
    target.fill_(0)
    assert same(metric.compute(), before)


def test_graphs_are_not_kept():
    preds = torch.rand(10, requires_grad=True)
    for name in ("BinaryAUROC", "MeanSquaredError"):
        metric = ours(name)
        metric.update(preds * 1, torch.randint(0, 2, (10,)))
        assert not metric.compute().requires_grad
        assert all(
            not t.requires_grad for s in metric.state_dict().values() for t in (s if isinstance(s, list) else [s])
        )


def test_sums_in_another_type():
    metric = ours("SumMetric").to(lib.CTORCH_DTYPE_FLOAT64)
    other = theirs("SumMetric").set_dtype(torch.float64)
    for x in (1e8, 1.0, 1e-3):
        metric.update(x)
        other.update(x)
    assert same(metric.compute(), other.compute()) and metric.compute().dtype == torch.float64


def test_a_collection_is_its_metrics():
    names = ["MulticlassAccuracy", "MulticlassPrecision", "MulticlassRecall", "MulticlassConfusionMatrix"]
    single = [ours(name, num_classes=4) for name in names]
    together = collection(single, prefix="val_", postfix="_")
    assert together.name == "MetricCollection"
    from torchmetrics import MetricCollection

    other = MetricCollection([theirs(name, num_classes=4) for name in names], prefix="val_", postfix="_")
    for batch in BATCHES:
        together.update(*batch)
        other.update(*batch)
        for metric in single:
            metric.update(*batch)
    assert same(together.compute(), dict(other.compute()))
    assert list(together.compute().values())[0] == single[0].compute()
    assert set(together.state_dict()) >= {"MulticlassAccuracy.tp", "MulticlassConfusionMatrix.confmat"}
    again = collection([ours(name, num_classes=4) for name in names], prefix="val_", postfix="_")
    again.load_state_dict(together.state_dict())
    assert same(again.compute(), together.compute())
    again.merge(together)
    assert again.compute()["val_MulticlassConfusionMatrix_"].sum() == 120
    assert same(together.forward(*BATCHES[0]), dict(other(*BATCHES[0])))
    together.reset()
    assert together.compute()["val_MulticlassConfusionMatrix_"].sum() == 0


def test_a_collection_counts_all_or_nothing():
    together = collection([ours("BinaryAccuracy"), ours("BinaryAUROC")], ["a", "b"])
    preds, target = torch.rand(6), torch.randint(0, 2, (6,))
    together.update(preds, target)
    before = together.state_dict()
    with pytest.raises(CtorchError, match="VALUE"):
        together.update((preds > 0.5).long(), target)  # labels do for accuracy, but not for a curve
    assert same(together.state_dict(), before) and together.update_count == 1


REFUSED = [
    ("BinaryAccuracy", {}, (torch.rand(3), torch.zeros(4, dtype=torch.long)), "SHAPE_MISMATCH", "target"),
    ("BinaryAccuracy", {}, (torch.rand(3), torch.tensor([0, 1, 2])), "RUNTIME", "target"),
    ("BinaryAccuracy", {}, (torch.tensor([0, 3]), torch.tensor([0, 1])), "RUNTIME", "preds"),
    ("BinaryAccuracy", {"multidim_average": "samplewise"}, (torch.rand(3), torch.ones(3)), "VALUE", "2 dimensions"),
    ("MulticlassAccuracy", {"num_classes": 3}, (torch.rand(2, 3), torch.tensor([0, 3])), "RUNTIME", "target"),
    ("MulticlassAccuracy", {"num_classes": 3}, (torch.rand(2, 4), torch.tensor([0, 1])), "VALUE", "preds.shape"),
    ("MulticlassAccuracy", {"num_classes": 3}, (torch.rand(2, 3, 4), torch.tensor([0, 1])), "VALUE", "preds"),
    ("MulticlassAccuracy", {"num_classes": 3}, (torch.ones(2, 3, dtype=torch.long), torch.ones(2)), "VALUE", "float"),
    ("MulticlassAccuracy", {"num_classes": 3}, (torch.rand(2, 3, 5), torch.ones(2, 4)), "SHAPE_MISMATCH", "shape"),
    ("MultilabelAccuracy", {"num_labels": 3}, (torch.rand(2, 4), torch.zeros(2, 4)), "VALUE", "labels"),
    ("BinaryAUROC", {}, (torch.rand(2), torch.rand(2)), "VALUE", "target"),
    ("BinaryAUROC", {}, (torch.tensor([0, 1]), torch.tensor([0, 1])), "VALUE", "preds"),
    ("MulticlassAUROC", {"num_classes": 3}, (torch.rand(2), torch.tensor([0, 1])), "VALUE", "dimension"),
    ("MeanSquaredError", {}, (torch.rand(2), torch.rand(3)), "SHAPE_MISMATCH", "target"),
    ("R2Score", {}, (torch.rand(2, 2, 2), torch.rand(2, 2, 2)), "VALUE", "dimensions"),
    ("CosineSimilarity", {}, (torch.rand(2), torch.rand(2)), "VALUE", "2D"),
    ("Perplexity", {}, (torch.rand(2, 3), torch.ones(2, 3, dtype=torch.long)), "VALUE", "preds"),
    ("Perplexity", {}, (torch.rand(2, 3, 4), torch.ones(2, 3)), "TYPE", "target"),
    ("StructuralSimilarityIndexMeasure", {}, (torch.rand(2, 3), torch.rand(2, 3)), "VALUE", "BxCxHxW"),
    ("MeanMetric", {}, ("text",), "TYPE", "value"),
    ("BinaryAccuracy", {}, ("text", "text"), "TYPE", "preds"),
]


@pytest.mark.parametrize(("name", "options", "inputs", "kind", "said"), REFUSED)
def test_inputs_that_are_refused_change_nothing(name, options, inputs, kind, said):
    metric = ours(name, **options)
    before = metric.state_dict()
    with pytest.raises(CtorchError, match=said) as refused:
        metric.update(*inputs)
    assert refused.value.kind == kind and refused.value.function.startswith("ctorch_metric_update")
    assert same(metric.state_dict(), before) and metric.update_count == 0


ARGUMENTS = [
    ("BinaryAccuracy", {"threshold": 1.5}, "threshold"),
    ("BinaryAccuracy", {"multidim_average": "all"}, "multidim_average"),
    ("MulticlassAccuracy", {"num_classes": 1}, "num_classes"),
    ("MulticlassAccuracy", {"num_classes": 3, "top_k": 4}, "top_k"),
    ("MulticlassAccuracy", {"num_classes": 3, "top_k": 0}, "top_k"),
    ("MulticlassAccuracy", {"num_classes": 3, "average": "mean"}, "average"),
    ("MulticlassAccuracy", {}, "num_classes"),
    ("MultilabelAccuracy", {"num_labels": 1}, "num_labels"),
    ("BinaryFBetaScore", {"beta": 0.0}, "beta"),
    ("BinaryPrecision", {"zero_division": 0.5}, "zero_division"),
    ("BinaryConfusionMatrix", {"normalize": "rows"}, "normalize"),
    ("BinaryCohenKappa", {"weights": "cubic"}, "weights"),
    ("BinaryAUROC", {"max_fpr": 0.0}, "max_fpr"),
    ("BinaryAUROC", {"thresholds": 1}, "thresholds"),
    ("BinaryAUROC", {"thresholds": [0.5, 1.5]}, "thresholds"),
    ("BinaryAUROC", {"thresholds": torch.rand(2, 2)}, "thresholds"),
    ("MulticlassAUROC", {"num_classes": 3, "average": "micro"}, "average"),
    ("BinaryCalibrationError", {"n_bins": 0}, "n_bins"),
    ("BinaryCalibrationError", {"norm": "l3"}, "norm"),
    ("MeanSquaredError", {"num_outputs": 0}, "num_outputs"),
    ("R2Score", {"adjusted": -1}, "adjusted"),
    ("R2Score", {"multioutput": "sum"}, "multioutput"),
    ("CosineSimilarity", {"reduction": "max"}, "reduction"),
    ("MeanMetric", {"nan_strategy": "drop"}, "nan_strategy"),
    ("RunningMean", {"window": 0}, "window"),
    ("BLEUScore", {"weights": [1.0]}, "weights"),
    ("ROUGEScore", {"rouge_keys": "rouge10"}, "rouge"),
    ("ROUGEScore", {"accumulate": "worst"}, "accumulate"),
    ("PeakSignalNoiseRatio", {"data_range": "1"}, "data_range"),
    ("StructuralSimilarityIndexMeasure", {"kernel_size": 4}, "kernel_size"),
    ("StructuralSimilarityIndexMeasure", {"sigma": 0.0}, "sigma"),
]


@pytest.mark.parametrize(("name", "options", "said"), ARGUMENTS)
def test_arguments_that_are_refused(name, options, said):
    with pytest.raises(CtorchError, match=said) as refused:
        ours(name, **options)
    assert refused.value.kind == "VALUE"


def test_states_that_are_refused_change_nothing():
    metric = ours("MulticlassAccuracy", num_classes=4)
    metric.update(*BATCHES[0])
    before = metric.state_dict()
    wrong = [
        (3, "TYPE"),
        ({}, "INDEX"),
        ({**before, "more": torch.ones(1)}, "VALUE"),
        ({**before, "tp": torch.ones(5)}, "SHAPE_MISMATCH"),
        ({**before, "tp": "text"}, "TYPE"),
    ]
    for state, kind in wrong:
        assert fails(lib.ctorch_metric_load_state_dict(metric.pointer, value(state)))[0] == kind
    assert same(metric.state_dict(), before)
    for other in (ours("MulticlassAccuracy", num_classes=5), ours("MulticlassF1Score", num_classes=4)):
        with pytest.raises(CtorchError, match="same arguments"):
            metric.merge(other)
    with pytest.raises(CtorchError, match="same arguments"):
        ours("BinaryAUROC", thresholds=[0.2, 0.4]).merge(ours("BinaryAUROC", thresholds=[0.2, 0.5]))
    place = out("ctorch_metric *")
    assert fails(lib.ctorch_metric_create(place, b"Accuracies", ffi.NULL, ffi.NULL))[0] == "INDEX"
    assert fails(lib.ctorch_metric_update(metric.pointer, ffi.NULL, ffi.NULL))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_metric_collection(place, ffi.NULL, 0, ffi.NULL, 0, ffi.NULL, ffi.NULL))[0] == "VALUE"
    with pytest.raises(CtorchError, match="both named"):
        collection([metric, metric])
    with pytest.raises(CtorchError, match="collection itself"):
        collection([collection([metric])])


def test_nothing_accumulated_is_refused_by_lists_alone():
    with pytest.raises(CtorchError, match="No samples to concatenate"):
        ours("BinaryAUROC").compute()
    assert ours("MeanSquaredError").compute().isnan()
    assert isinstance(ours("CatMetric"), Metric) and ours("CatMetric").compute() == []


def test_ten_thousand_updates_hold_no_more_memory_than_one():
    metric = ours("MulticlassAccuracy", num_classes=4)
    held = []
    for i in range(10_000):
        metric.update(*BATCHES[0])
        if i in (10, 9_999):
            held.append(lib.ctorch_memory_pressure_held_bytes())
    assert held[1] <= held[0]
    preds, target = next(iter(binary_batches(0, (5,), "labels", None)))
    metric = ours("BinaryStatScores")
    metric.update(preds, target)
    assert metric.compute()[-1] == target.sum()
