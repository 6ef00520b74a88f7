"""Loaders beside Python's: the same batches in the same order from the same seed, with any number of workers."""

from __future__ import annotations

import gc
import itertools
import threading

import pytest
import torch
from torch.utils import data

from tests.data.objects import (
    alive,
    dataset_of,
    iterable_of,
    joined,
    loader,
    same,
    sampler_of,
    state,
    subset,
    tensor_dataset,
    worker_info,
)
from tests.harness.capi import CtorchError, ffi, lib, ok, out, tensor
from tests.harness.values import python

X, Y = torch.arange(51.0).view(17, 3), torch.arange(17)
WORKERS = [0, 1, 2, 3]


def both(ours, theirs, epochs=2, **arguments):
    """Batches of both from the same seed, and where the generators are then. Python loads on its own thread, but for
    the base seed and the order, which are drawn alike."""
    results = []
    for make, source in ((loader, ours), (data.DataLoader, theirs)):
        torch.manual_seed(3)
        given = dict(arguments)
        if given.pop("with_generator", False):
            given["generator"] = torch.Generator().manual_seed(8)
        if make is data.DataLoader:
            for name in ("num_workers", "prefetch_factor"):
                given.pop(name, None)
        made = make(source, **given)
        batches = [list(iter(made)) for _ in range(epochs)]
        generator = given.get("generator")
        results.append((len(made), batches, state(), generator.get_state() if generator else torch.zeros(1)))
    assert results[0][0] == results[1][0]
    assert same(results[0][1], results[1][1])
    assert torch.equal(results[0][2], results[1][2])
    assert torch.equal(results[0][3], results[1][3])


@pytest.mark.parametrize("num_workers", WORKERS)
@pytest.mark.parametrize("with_generator", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(
    "batch_size, drop_last", [(1, False), (4, False), (4, True), (17, False), (50, True), (None, False)]
)
def test_tensors(batch_size, drop_last, shuffle, with_generator, num_workers):
    both(
        tensor_dataset(X, Y),
        data.TensorDataset(X, Y),
        batch_size=batch_size,
        drop_last=drop_last,
        shuffle=shuffle,
        with_generator=with_generator,
        num_workers=num_workers,
    )


SAMPLES = {
    "numbers": lambda i: i,
    "tuples": lambda i: (torch.full((2,), float(i)), i, f"name {i}"),
    "dicts": lambda i: {"x": torch.tensor(i), "meta": {"id": i, "odd": i % 2 == 1}},
    "lists": lambda i: [i, float(i)],
}


class Of(data.Dataset):
    def __init__(self, get, length):
        self.get, self.length = get, length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return self.get(index)


@pytest.mark.parametrize("num_workers", WORKERS)
@pytest.mark.parametrize("may_thread", [False, True])
@pytest.mark.parametrize("batch_size", [None, 4])
@pytest.mark.parametrize("name", SAMPLES)
def test_callbacks(name, batch_size, may_thread, num_workers):
    get = SAMPLES[name]
    both(dataset_of(get, 17, may_thread), Of(get, 17), batch_size=batch_size, shuffle=True, num_workers=num_workers)


@pytest.mark.parametrize("num_workers", WORKERS)
def test_datasets_of_datasets(num_workers):
    ours = joined("ConcatDataset", [subset(tensor_dataset(X, Y), [3, 1, 16]), tensor_dataset(X, Y)])
    theirs = data.ConcatDataset([data.Subset(data.TensorDataset(X, Y), [3, 1, 16]), data.TensorDataset(X, Y)])
    both(ours, theirs, batch_size=3, shuffle=True, num_workers=num_workers)
    both(subset(tensor_dataset(X, Y), [5, 4, 3, 9]), data.Subset(data.TensorDataset(X, Y), [5, 4, 3, 9]),
         batch_size=3, shuffle=True, num_workers=num_workers)  # fmt: skip


@pytest.mark.parametrize(
    "tensors", [[X.t().contiguous().t()], [torch.randn(5, 3, 4, 4).to(memory_format=torch.channels_last)]]
)
def test_memory_formats(tensors):
    both(tensor_dataset(*tensors), data.TensorDataset(*tensors), batch_size=3)


@pytest.mark.parametrize("prefetch_factor", [1, 3])
def test_more_epochs(prefetch_factor):
    both(
        tensor_dataset(X, Y),
        data.TensorDataset(X, Y),
        epochs=5,
        batch_size=2,
        shuffle=True,
        num_workers=2,
        prefetch_factor=prefetch_factor,
    )


def test_persistent_workers_draw_one_base_seed():
    """As Python's do, whose workers are processes here."""
    results = []
    for make, source in ((loader, tensor_dataset(X)), (data.DataLoader, data.TensorDataset(X))):
        torch.manual_seed(3)
        made = make(source, batch_size=4, shuffle=True, num_workers=2, persistent_workers=True)
        results.append(([list(iter(made)) for _ in range(3)], state()))
    assert same(results[0][0], results[1][0])
    assert torch.equal(results[0][1], results[1][1])


def numbers_for(info, n):
    return range(info[0] if info[1] else 0, n, info[1] or 1)


class Numbers(data.IterableDataset):
    def __init__(self, n, share):
        self.n, self.share = n, share

    def __iter__(self):
        info = data.get_worker_info() if self.share else None
        return iter(numbers_for((info.id, info.num_workers) if info else (-1, 0), self.n))


@pytest.mark.turns
@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("num_workers", WORKERS)
@pytest.mark.parametrize("may_thread", [False, True])
@pytest.mark.parametrize("batch_size, drop_last", [(None, False), (3, False), (3, True), (100, False)])
def test_iterables(batch_size, drop_last, may_thread, num_workers, share):
    def iterate():
        return iter(numbers_for(worker_info()[:2] if share else (-1, 0), 10))

    ours = loader(iterable_of(iterate, 10, may_thread), batch_size, drop_last=drop_last, num_workers=num_workers)
    theirs = data.DataLoader(Numbers(10, share), batch_size, drop_last=drop_last, num_workers=num_workers)
    for _ in range(2):
        assert same(list(iter(ours)), list(theirs))


@pytest.mark.parametrize("num_workers", WORKERS)
def test_samplers_of_callbacks(num_workers):
    order = [3, 1, 2, 2]
    both(tensor_dataset(X), data.TensorDataset(X), batch_size=3, num_workers=num_workers)
    ours = loader(tensor_dataset(X), 3, sampler=sampler_of(lambda: order, 4), num_workers=num_workers)
    theirs = data.DataLoader(data.TensorDataset(X), 3, sampler=order)
    assert same(list(iter(ours)), list(theirs))
    batches = [[1, 2], [], [5]][::2]
    ours = loader(tensor_dataset(X), batch_sampler=sampler_of(lambda: batches), num_workers=num_workers)
    assert same(list(iter(ours)), list(data.DataLoader(data.TensorDataset(X), batch_sampler=batches)))


@pytest.mark.turns
@pytest.mark.parametrize("may_thread", [False, True])
@pytest.mark.parametrize("num_workers", WORKERS)
def test_collation_of_ones_own(num_workers, may_thread):
    before = alive()
    ours = loader(tensor_dataset(X, Y), 4, num_workers=num_workers)
    ours.set_collate(lambda samples: len(samples), may_thread)
    assert list(iter(ours)) == [4, 4, 4, 4, 1]
    ours = loader(tensor_dataset(Y), None, num_workers=num_workers)
    ours.set_collate(lambda sample: sample[0] * 2, may_thread)
    assert torch.equal(torch.stack(list(iter(ours))), Y * 2)
    ours.release()
    del ours
    assert alive() <= before


# Draws -----------------------------------------------------------------------------------------------------------


def drawn(i):
    generator, numbers = out("ctorch_generator *"), out("ctorch_tensor *")
    ok(lib.ctorch_dataset_generator(generator))
    sizes = ffi.new("int64_t[]", [3])
    ok(lib.ctorch_aten_rand_generator(numbers, sizes, 1, generator[0], *[ffi.NULL] * 4))
    lib.ctorch_generator_release(generator[0])
    return tensor(numbers[0]).tolist()


@pytest.mark.parametrize("may_thread", [False, True])
def test_draws_of_ones_own_depend_on_the_seed_and_the_sample_alone(may_thread):
    def epochs(num_workers, seed):
        torch.manual_seed(seed)
        made = loader(dataset_of(drawn, 40, may_thread), 4, num_workers=num_workers)
        return [[torch.stack(batch).tolist() for batch in iter(made)] for _ in range(2)]

    expected = epochs(2, 5)
    for num_workers in (0, 1, 2, 3, 3):
        assert epochs(num_workers, 5) == expected
    assert epochs(2, 6) != expected and expected[0] != expected[1]
    assert len({str(batch) for epoch in expected for batch in epoch}) == 20


def test_outside_of_a_loader_draws_come_from_the_default_generator():
    torch.manual_seed(3)
    expected = [torch.rand(3).tolist() for _ in range(2)]
    torch.manual_seed(3)
    dataset = dataset_of(drawn, 2)
    assert [dataset[i] for i in range(2)] == expected


# Threads ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("may_thread", [False, True])
def test_where_callbacks_run(may_thread):
    here, seen = threading.get_ident(), set()

    def get(i):
        seen.add(threading.get_ident())
        return i

    made = loader(dataset_of(get, 40, may_thread), 2, num_workers=3)
    assert [len(b) for b in iter(made)] == [2] * 20
    assert (seen == {here}) if not may_thread else (here not in seen)


@pytest.mark.parametrize("may_thread", [False, True])
@pytest.mark.parametrize("persistent", [False, True])
def test_workers_are_told(may_thread, persistent):
    begun, seen = [], set()
    torch.manual_seed(0)
    base = torch.empty((), dtype=torch.int64).random_().item()
    torch.manual_seed(0)

    def get(i):
        worker, count, seed = worker_info()
        seen.add((worker, count, seed - worker == base))
        return i

    made = loader(dataset_of(get, 40, may_thread), 2, num_workers=3, persistent_workers=persistent)
    made.set_worker_init(lambda w: begun.append((w, worker_info()[0])), may_thread)
    list(iter(made))
    assert sorted(begun) == [(0, 0), (1, 1), (2, 2)]
    assert seen == {(0, 3, True), (1, 3, True), (2, 3, True)}
    list(iter(made))
    assert len(begun) == (3 if persistent else 6)
    assert worker_info() == (-1, 0, 0)


@pytest.mark.parametrize("may_thread", [False, True])
@pytest.mark.parametrize("num_workers", WORKERS)
def test_errors_come_with_their_sample(num_workers, may_thread):
    def get(i):
        if i in (5, 11):
            raise IndexError(f"no {i}")
        return i

    made = iter(loader(dataset_of(get, 16, may_thread), 4, num_workers=num_workers))
    assert next(made).tolist() == [0, 1, 2, 3]
    with pytest.raises(CtorchError) as caught:
        next(made)
    assert (caught.value.kind, caught.value.message) == ("INDEX", "sample 5: no 5")
    with pytest.raises(CtorchError, match="INDEX: sample 11: no 11"):
        next(made)
    assert next(made).tolist() == [12, 13, 14, 15]
    assert list(made) == [] and list(made) == []


def test_errors_of_workers_that_cannot_begin():
    made = loader(tensor_dataset(X), 4, num_workers=2)

    def init(worker):
        raise ValueError(f"worker {worker}")

    made.set_worker_init(init)
    iterator = iter(made)
    for worker in (0, 1, 0):
        with pytest.raises(CtorchError, match=f"VALUE: worker {worker}"):
            next(iterator)


def test_errors_of_samplers():
    def order():
        yield 1
        raise ValueError("lost")

    for num_workers in WORKERS:
        made = loader(tensor_dataset(X), 1, sampler=sampler_of(order), num_workers=num_workers)
        with pytest.raises(CtorchError, match="VALUE: lost"):
            list(iter(made))


@pytest.mark.turns
@pytest.mark.parametrize("may_thread", [False, True])
@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("taken", [0, 1, 5])
def test_ending_early(taken, persistent, may_thread):
    before = alive()
    made = loader(dataset_of(lambda i: i, 1000, may_thread), 4, num_workers=3, persistent_workers=persistent)
    for _ in range(3):
        iterator = iter(made)
        for _ in range(taken):
            next(iterator)
        iterator.release()
    made.release()
    del made, iterator
    gc.collect()
    assert alive() <= before


def test_persistent_workers_have_one_iteration():
    made = loader(tensor_dataset(X), 4, num_workers=2, persistent_workers=True)
    first = iter(made)
    next(first)
    second = iter(made)
    with pytest.raises(CtorchError, match="RUNTIME: the persistent workers of the loader have begun another"):
        next(first)
    assert len(list(second)) == 5
    first.release()
    assert len(list(iter(made))) == 5


def test_timeouts():
    blocked = threading.Event()
    made = iter(loader(dataset_of(lambda i: blocked.wait() and i, 4), 2, num_workers=1, timeout=0.05))
    with pytest.raises(CtorchError, match="RUNTIME: DataLoader timed out after 0.05 seconds"):
        next(made)
    blocked.set()
    batches = []
    while len(batches) < 2:
        try:
            batches.append(next(made).tolist())
        except CtorchError:  # it was still not in time
            pass
    assert batches == [[0, 1], [2, 3]]


def test_out_of_order():
    """A worker that is slow does not hold the others up."""
    blocked = threading.Event()

    def get(i):
        if i == 0:
            blocked.wait()
        return i

    made = iter(loader(dataset_of(get, 8), None, num_workers=2, in_order=False))
    first = [next(made) for _ in range(3)]
    assert 0 not in first
    blocked.set()
    assert sorted(first + list(made)) == list(range(8))


def test_asked_for_more_by_its_own_callback():
    iterators = []

    def get(i):
        next(iterators[0])

    iterators.append(iter(loader(dataset_of(get, 3), 1)))
    with pytest.raises(CtorchError, match="RUNTIME: sample 0: the iterator is asked for more while"):
        next(iterators[0])


# States -------------------------------------------------------------------------------------------------------------

KINDS = {
    "in order": {},
    "shuffled": {"shuffle": True},
    "shuffled with a generator": {"shuffle": True, "with_generator": True},
    "single": {"batch_size": None, "shuffle": True},
}


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("then", [0, 2])
@pytest.mark.parametrize("first", [0, 2])
@pytest.mark.parametrize("taken", [0, 1, 3, 6])
@pytest.mark.parametrize("kind", KINDS)
def test_going_on(kind, taken, first, then, persistent):
    """A position saved with one number of workers goes on with another, and the next epoch is the same too."""
    arguments = {"batch_size": 3, **KINDS[kind]}
    with_generator = arguments.pop("with_generator", False)

    def make(workers):
        generator = torch.Generator().manual_seed(8) if with_generator else None
        given = {"num_workers": workers, "persistent_workers": persistent and workers > 0}
        return loader(tensor_dataset(X, Y), **arguments, **given, generator=generator)

    torch.manual_seed(3)
    whole = make(first)
    list(iter(whole))
    epoch = iter(whole)
    for _ in range(taken):
        next(epoch)
    saved = python(epoch.state())
    default = state()
    tail = list(epoch)

    torch.manual_seed(77)
    other = make(then)
    if taken == 0 and "shuffle" in arguments and first == 0:
        return  # the order is not drawn yet, and will be from wherever the generator is
    again = other.iterate_from(saved)
    assert same(list(again), tail)
    if with_generator or taken == 0:
        return
    third = make(then)
    before = iter(third)
    torch.set_rng_state(default)
    before.load(saved)
    assert same(list(before), tail)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("taken", [0, 2, 4])
def test_iterables_go_on(taken, workers):
    def make():
        return loader(iterable_of(lambda: range(10)), 3, num_workers=workers)

    whole = iter(make())
    for _ in range(taken):
        next(whole)
    saved = whole.state()
    tail = list(whole)
    assert same(list(make().iterate_from(saved)), tail)


def test_going_on_out_of_order():
    blocked = threading.Event()

    def get(i):
        if i == 0 and not blocked.is_set():
            blocked.wait()
        return i

    def make():
        return loader(dataset_of(get, 8), None, num_workers=2, in_order=False)

    iterator = iter(make())
    taken = [next(iterator) for _ in range(3)]
    saved = python(iterator.state())
    blocked.set()
    assert saved["yielded"] == 0 and sorted(saved["ahead"]) == sorted(taken)
    rest = list(make().iterate_from(saved))
    assert sorted(taken + rest) == list(range(8))


def test_states_that_are_none():
    good = python(iter(loader(tensor_dataset(X), 3, shuffle=True)).state())
    cases = [1, {}, {**good, "yielded": -1}, {**good, "yielded": 1000}, {**good, "epoch": -3}, {**good, "sampler": 3},
             {**good, "ahead": [None]}, {**good, "base_seed": "x"}]  # fmt: skip
    for bad, workers in itertools.product(cases, (0, 2)):
        with pytest.raises(CtorchError, match="TYPE|INDEX|VALUE"):
            loader(tensor_dataset(X), 3, shuffle=True, num_workers=workers).iterate_from(bad)


def test_a_position_is_loaded_before_the_first_batch():
    iterator = iter(loader(tensor_dataset(X), 3))
    saved = iterator.state()
    next(iterator)
    with pytest.raises(CtorchError, match="RUNTIME: values were taken from the iterator already"):
        iterator.load(saved)


# Refusals -----------------------------------------------------------------------------------------------------------


def test_arguments_that_exclude_each_other():
    """Where Python refuses, with its kind of error."""
    order = {"sampler": ([0], sampler_of(lambda: [0]))}
    batches = {"batch_sampler": ([[0]], sampler_of(lambda: [[0]]))}
    cases = [
        {"num_workers": -1},
        {"timeout": -1.0},
        {"prefetch_factor": 2},
        {"num_workers": 1, "prefetch_factor": -1},
        {"persistent_workers": True},
        {"shuffle": True, **order},
        {"batch_size": 2, **batches},
        {"shuffle": True, **batches},
        {"drop_last": True, **batches},
        {**order, **batches},
        {"batch_size": None, "drop_last": True},
        {"batch_size": -1},
    ]
    for case in cases:
        for is_ours in (False, True):
            given = {k: v[is_ours] if isinstance(v, tuple) else v for k, v in case.items()}
            if is_ours:
                with pytest.raises(CtorchError, match="VALUE"):
                    loader(tensor_dataset(X), **given)
            else:
                with pytest.raises(ValueError):
                    data.DataLoader(data.TensorDataset(X), **given)
    iterable = iterable_of(lambda: [])
    for given in ({"shuffle": True}, {"sampler": order["sampler"][1]}, {"batch_sampler": batches["batch_sampler"][1]}):
        with pytest.raises(CtorchError, match="VALUE: DataLoader with IterableDataset"):
            loader(iterable, **given)


def test_setting_callbacks_too_late():
    made = loader(tensor_dataset(X), 3)
    iterator = iter(made)
    with pytest.raises(CtorchError, match="RUNTIME: an iterator of the loader is alive"):
        made.set_collate(len)
    iterator.release()
    made.set_collate(len)
    assert next(iter(made)) == 3


def test_statistics():
    made = loader(tensor_dataset(X), 3, num_workers=2)
    assert made.statistics() == (0, 0.0, 0.0, 0.0)
    list(iter(made))
    batches, consumer, _, worked = made.statistics()
    assert batches == 6 and consumer > 0 and worked > 0


def test_pinning_without_an_accelerator(recwarn):
    if torch.accelerator.is_available():
        pytest.skip("there is one")
    assert same(list(iter(loader(tensor_dataset(X), 20, pin_memory=True))), [[X]])
