"""Metrics of numbers, and aggregation, beside torchmetrics."""

from __future__ import annotations

import itertools
import warnings

import pytest
import torch

from tests.metrics.measures import agree, ours, outcome, same, theirs

MULTIOUTPUT = ("raw_values", "uniform_average", "variance_weighted")


def number_batches(seed: int, sizes: tuple[int, ...], dtype: torch.dtype):
    generator = torch.Generator().manual_seed(seed)
    for _ in range(3):
        target = torch.randn(sizes, generator=generator, dtype=torch.float64)
        preds = target + torch.randn(sizes, generator=generator, dtype=torch.float64)
        yield preds.to(dtype), target.to(dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
@pytest.mark.parametrize("seed", range(4))
def test_mean_errors(dtype, seed):
    for squared, sizes in itertools.product((True, False), ((7,), (4, 3), (2, 3, 4))):
        agree("MeanSquaredError", list(number_batches(seed, sizes, dtype)), squared=squared)
    for sizes in ((7,), (4, 3), (2, 3, 4)):
        agree("MeanAbsoluteError", list(number_batches(seed, sizes, dtype)))
        agree("MeanAbsolutePercentageError", list(number_batches(seed, sizes, dtype)))
    batches = list(number_batches(seed, (5, 3), dtype))
    agree("MeanSquaredError", batches, num_outputs=3)
    agree("MeanAbsoluteError", batches, num_outputs=3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("multioutput", MULTIOUTPUT)
@pytest.mark.parametrize("seed", range(3))
def test_variances(dtype, multioutput, seed):
    for sizes in ((7,), (8, 3)):
        batches = list(number_batches(seed, sizes, dtype))
        for adjusted in (0, 2, 5, 6, 30):
            agree("R2Score", batches, multioutput=multioutput, adjusted=adjusted)
        agree("ExplainedVariance", batches, multioutput=multioutput)


def test_variances_of_what_does_not_vary():
    constant, other = torch.full((6,), 2.0), torch.arange(6.0)
    for preds, target in ((constant, constant), (other, constant), (constant, other), (other, other)):
        agree("R2Score", [(preds, target)])
        agree("ExplainedVariance", [(preds, target)])
    agree("R2Score", [(torch.ones(1), torch.ones(1))])  # one sample is refused by both


@pytest.mark.parametrize("reduction", ["sum", "mean", "none"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
def test_cosine_similarity(reduction, dtype):
    for seed, sizes in itertools.product(range(3), ((4, 3), (1, 5), (6, 17))):
        batches = [((a * 9).to(dtype), (b * 9).to(dtype)) for a, b in number_batches(seed, sizes, torch.float64)]
        agree("CosineSimilarity", batches, reduction=reduction)


AGGREGATIONS = ("MeanMetric", "SumMetric", "MinMetric", "MaxMetric", "CatMetric")


def value_batches(seed: int, with_nan: bool):
    generator = torch.Generator().manual_seed(seed)
    for sizes in ((5,), (2, 3), (), (1,)):
        value = torch.randn(sizes, generator=generator)
        if with_nan and sizes:
            value.view(-1)[0] = torch.nan
        yield (value,)
    yield (2.5,)
    yield (3,)


@pytest.mark.parametrize("name", AGGREGATIONS)
@pytest.mark.parametrize("strategy", ["warn", "ignore", "disable", 1.5])
@pytest.mark.parametrize("with_nan", [False, True])
@pytest.mark.filterwarnings("ignore")
def test_aggregation(name, strategy, with_nan):
    for seed in range(3):
        batches = [
            tuple(x.clone() if isinstance(x, torch.Tensor) else x for x in b) for b in value_batches(seed, with_nan)
        ]
        mine, other = ours(name, nan_strategy=strategy), theirs(name, nan_strategy=strategy)
        for batch in batches:
            mine.update(*batch)
            other.update(*(x.clone() if isinstance(x, torch.Tensor) else x for x in batch))
            a, b = outcome(mine.compute), outcome(other.compute)
            assert same(a, b), (name, strategy, a, b)


def test_weights():
    generator = torch.Generator().manual_seed(0)
    for sizes, weight_sizes in (((5,), (5,)), ((4, 3), (3,)), ((4, 3), (4, 1)), ((), ())):
        batches = [
            (torch.randn(sizes, generator=generator), torch.rand(weight_sizes, generator=generator)) for _ in range(3)
        ]
        agree("MeanMetric", batches)
    agree("MeanMetric", [(2.0, 3.0), (torch.ones(3), 0.5)])


def test_nan_is_an_error_where_it_is_to_be():
    mine = ours("SumMetric", nan_strategy="error")
    mine.update(torch.ones(2))
    assert outcome(mine.update, torch.tensor([1.0, torch.nan])) == "refused"
    assert mine.compute() == 2 and mine.update_count == 1


@pytest.mark.parametrize("name", ["RunningMean", "RunningSum"])
@pytest.mark.parametrize("window", [1, 3, 5])
def test_running(name, window):
    generator = torch.Generator().manual_seed(window)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine, other = ours(name, window=window), theirs(name, window=window)
        for i in range(12):
            value = torch.randn(i % 4 + 1, generator=generator)
            if i % 2:
                mine.update(value)
                other.update(value)
            else:
                assert same(mine.forward(value), other(value))
            assert same(mine.compute(), other.compute()), (i, mine.compute(), other.compute())
    assert len(mine.state_dict()["mean_value" if name == "RunningMean" else "sum_value"]) == window
