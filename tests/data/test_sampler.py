"""Orders of samples beside Python's: the same indices from the same seed, and the same state of generators behind."""

from __future__ import annotations

import pytest
import torch
from torch.utils import data

from tests.data.objects import Sampler, dataset_of, optional, pointer, sampler_of, state, value
from tests.harness.capi import CtorchError, ffi

LENGTHS = [1, 2, 7, 31, 32, 33, 64, 100]


def dataset(n):
    return dataset_of(lambda i: i, n)


def sequential(n, **_):
    return Sampler.made("ctorch_data_SequentialSampler", dataset(n).pointer)


def random(n, replacement=False, num_samples=None, generator=None):
    arguments = replacement, optional("int64_t", num_samples), pointer(generator)
    return Sampler.made("ctorch_data_RandomSampler", dataset(n).pointer, *arguments)


def subset_random(indices, generator=None):
    return Sampler.made(
        "ctorch_data_SubsetRandomSampler", ffi.new("int64_t[]", indices), len(indices), pointer(generator)
    )


def weighted(weights, num_samples, replacement=True, generator=None):
    arguments = ffi.new("double[]", weights), len(weights), num_samples, replacement, pointer(generator)
    return Sampler.made("ctorch_data_WeightedRandomSampler", *arguments)


def batches(sampler, batch_size, drop_last):
    return Sampler.made("ctorch_data_BatchSampler", sampler.pointer, batch_size, drop_last)


def distributed(n, num_replicas, rank, shuffle=True, seed=0, drop_last=False):
    arguments = dataset(n).pointer, num_replicas, rank, shuffle, seed, drop_last
    return Sampler.made("ctorch_data_DistributedSampler", *arguments)


def compare(make_ours, make_theirs, epochs=3):
    """Both from the same states: indices, and where the default and the given generator are afterwards."""
    results = []
    for make in (make_ours, make_theirs):
        torch.manual_seed(5)
        generator = torch.Generator().manual_seed(11)
        sampler = make(generator)
        drawn = []
        for _ in range(epochs):
            drawn.append(list(sampler))
            drawn.append(len(sampler))
        results.append((drawn, state(), generator.get_state()))
    ours, theirs = results
    assert ours[0] == theirs[0]
    assert torch.equal(ours[1], theirs[1])
    assert torch.equal(ours[2], theirs[2])


@pytest.mark.parametrize("n", [0, *LENGTHS])
def test_sequential(n):
    compare(lambda _: sequential(n), lambda _: data.SequentialSampler(range(n)))


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("num_samples", [None, 1, 5, 32, 64, 65])
@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("n", LENGTHS)
def test_random(n, replacement, num_samples, given):
    arguments = {"replacement": replacement, "num_samples": num_samples}
    compare(
        lambda g: random(n, **arguments, generator=g if given else None),
        lambda g: data.RandomSampler(range(n), **arguments, generator=g if given else None),
    )


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("indices", [[], [3], [5, 1, 9, 1], list(range(100, 0, -3))])
def test_subset_random(indices, given):
    compare(
        lambda g: subset_random(indices, g if given else None),
        lambda g: data.SubsetRandomSampler(indices, g if given else None),
    )


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("weights", [[1.0, 2.0, 3.0], [0.1, 0.9, 0.4, 0.7, 3.0, 0.6], [0.0, 1.0, 1e-3, 5.0] * 10])
def test_weighted(weights, replacement, given):
    for count in (1, 2, 3):
        compare(
            lambda g: weighted(weights, count, replacement, g if given else None),
            lambda g: data.WeightedRandomSampler(weights, count, replacement, g if given else None),
        )


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("batch_size", [1, 2, 3, 32, 100, 1000])
@pytest.mark.parametrize("n", LENGTHS)
def test_batches(n, batch_size, drop_last):
    compare(
        lambda g: batches(random(n, generator=g), batch_size, drop_last),
        lambda g: data.BatchSampler(data.RandomSampler(range(n), generator=g), batch_size, drop_last),
    )


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("replicas", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [1, 2, 7, 32, 33])
def test_distributed(n, replicas, shuffle, drop_last):
    for rank in range(replicas):
        ours = distributed(n, replicas, rank, shuffle, 3, drop_last)
        theirs = data.DistributedSampler(range(n), replicas, rank, shuffle, 3, drop_last)
        assert len(ours) == len(theirs)
        for epoch in (0, 1, 1, 7):
            ours.set_epoch(epoch)
            theirs.set_epoch(epoch)
            assert list(ours) == list(theirs)


def test_epochs_go_through_batches():
    inner = distributed(20, 2, 1)
    ours = batches(inner, 3, False)
    theirs = data.DistributedSampler(range(20), 2, 1)
    ours.set_epoch(4)
    theirs.set_epoch(4)
    assert list(ours) == list(data.BatchSampler(theirs, 3, False))
    with pytest.raises(CtorchError, match="INDEX: SequentialSampler has no attribute 'set_epoch'"):
        sequential(3).set_epoch(1)


STATES = {
    "sequential": lambda g: sequential(40),
    "random": lambda g: random(40),
    "random, twice": lambda g: random(40, num_samples=90),
    "random of a generator": lambda g: random(40, generator=g),
    "random, twice, of a generator": lambda g: random(40, num_samples=90, generator=g),
    "replacement": lambda g: random(40, True, 90),
    "replacement of a generator": lambda g: random(40, True, 90, g),
    "subset": lambda g: subset_random(list(range(10, 50))),
    "subset of a generator": lambda g: subset_random(list(range(10, 50)), g),
    "weighted": lambda g: weighted([1.0, 2.0, 3.0], 40),
    "weighted of a generator": lambda g: weighted([1.0, 2.0, 3.0], 40, True, g),
    "distributed": lambda g: distributed(90, 2, 1),
    "batches": lambda g: batches(random(90, generator=g), 4, False),
    "batches without a generator": lambda g: batches(random(90), 4, False),
    "callback": lambda g: sampler_of(lambda: range(40)),
}


@pytest.mark.parametrize("taken", [0, 1, 13, 22])
@pytest.mark.parametrize("name", STATES)
def test_an_order_goes_on_from_its_state(name, taken):
    make = STATES[name]
    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(2)
    whole = iter(make(generator))
    head = [next(whole) for _ in range(taken)]
    saved = whole.state()
    tail = list(whole)
    default, given = state(), generator.get_state()
    if taken == 0 and name != "callback":
        return  # nothing was drawn yet: there is nothing to come back to
    torch.manual_seed(99)
    other = torch.Generator().manual_seed(98)
    before = state()
    again = iter(make(other))
    again.load(saved)
    assert torch.equal(state(), before), "the default generator is not drawn from"
    assert list(again) == tail
    assert len(head) == taken
    if "of a generator" in name or name == "batches":
        assert torch.equal(other.get_state(), given), "the next epoch draws as it would have"
    assert default is not None


def test_what_is_refused():
    with pytest.raises(
        CtorchError, match="VALUE: num_samples should be a positive integer value, but got num_samples=0"
    ):
        random(0)
    with pytest.raises(CtorchError, match="VALUE: num_samples should be a positive"):
        random(3, False, -1)
    with pytest.raises(CtorchError, match="VALUE: num_samples should be a positive"):
        weighted([1.0], 0)
    with pytest.raises(CtorchError, match="VALUE: batch_size should be a positive"):
        batches(sequential(3), 0, False)
    with pytest.raises(CtorchError, match="TYPE: sampler: expected one of ints"):
        batches(batches(sequential(3), 1, False), 1, False)
    with pytest.raises(CtorchError, match="VALUE: Invalid rank 2, rank should be in the interval"):
        distributed(3, 2, 2)
    with pytest.raises(CtorchError, match="VALUE: num_replicas"):
        distributed(3, 0, 0)
    with pytest.raises(CtorchError, match="RUNTIME"):
        list(weighted([-1.0, 2.0], 1))
    with pytest.raises(CtorchError, match="RUNTIME"):
        list(weighted([1.0, 0.0], 3, False))
    with pytest.raises(CtorchError, match="VALUE: data_source: the dataset has no samples"):
        list(random(0, False, 3))
    with pytest.raises(CtorchError, match="TYPE: a sampler gives ints"):
        list(iter(sampler_of(lambda: ["a"])))


@pytest.mark.parametrize("state_", [1, {}, {"yielded": -1}, {"yielded": 3}, {"yielded": 3, "generator": 5}])
def test_states_that_are_none(state_):
    iterator = iter(random(3))
    with pytest.raises(CtorchError, match="TYPE|INDEX|VALUE"):
        iterator.load(value(state_))


def test_states_that_go_too_far():
    iterator = iter(sequential(3))
    with pytest.raises(CtorchError, match="VALUE: state: yielded is more"):
        iterator.load({"yielded": 4, "generator": None})
