"""Transforms over samples: which part each gets, and what they draw, with any number of workers."""

from __future__ import annotations

import threading

import pytest
import torch

from tests.data.objects import (
    Dataset,
    Object,
    attempt,
    dataset_of,
    forget,
    iterable_of,
    kept,
    loader,
    payload,
    same,
    tensor_dataset,
)
from tests.harness.capi import CtorchError, ffi
from tests.harness.values import owned, python

X, Y = torch.arange(24.0).view(6, 1, 2, 2), torch.arange(6)


class Transform(Object):
    type = "transform"


@ffi.callback(
    "ctorch_callback_status(ctorch_value **, const ctorch_value *, ctorch_generator *, ctorch_error **, void *)"
)
def run(place, input_, _generator, error_place, payload_):
    (call,) = kept(payload_)

    def give():
        place[0] = owned(call(python(input_)))

    return attempt(give, error_place)


def of(call, may_thread=True):
    return Transform.made("ctorch_transform_from_callback", ffi.NULL, run, may_thread, forget, payload(call))


def transformed(dataset, transform=None, target_transform=None, transforms=None):
    given = [ffi.NULL if t is None else t.pointer for t in (transform, target_transform, transforms)]
    return Dataset.made("ctorch_data_TransformedDataset", dataset.pointer, *given)


@pytest.mark.parametrize("may_thread", [False, True])
@pytest.mark.parametrize("workers", [0, 2])
def test_each_part_has_its_own(workers, may_thread):
    threads = set()

    def double(x):
        threads.add(threading.get_ident())
        return x * 2

    ours = transformed(tensor_dataset(X, Y), of(double, may_thread), of(lambda y: y + 1, may_thread))
    assert same(ours[2], (X[2] * 2, Y[2] + 1))
    threads.clear()
    assert same(list(iter(loader(ours, 6, num_workers=workers))), [[X * 2, Y + 1]])
    assert (threads == {threading.get_ident()}) == (workers == 0 or not may_thread)
    joint = transformed(tensor_dataset(X, Y), of(double), None, of(lambda sample: [sample[1], sample[0]]))
    assert same(joint[3], [Y[3], X[3] * 2])


def test_samples_that_are_no_lists():
    assert transformed(dataset_of(lambda i: i, 3), of(lambda i: i + 10), of(lambda i: -i))[1] == 11
    assert transformed(dataset_of(lambda i: i, 3), None, of(lambda i: -i))[1] == 1


def test_draws_depend_on_the_sample_and_not_on_the_workers():
    flip = Transform.made("ctorch_transforms_RandomHorizontalFlip", 0.5)
    big = torch.arange(400.0).view(100, 1, 2, 2)

    def epochs(workers):
        torch.manual_seed(5)
        made = loader(transformed(tensor_dataset(big), flip), 10, num_workers=workers)
        return [torch.cat([batch[0] for batch in iter(made)]) for _ in range(2)]

    first = epochs(0)
    assert all(map(torch.equal, first, epochs(3)))
    assert not torch.equal(first[0], first[1]) and not torch.equal(first[0], big)


def test_failures():
    broken = transformed(tensor_dataset(X), of(lambda x: 1 / 0))
    with pytest.raises(CtorchError, match="division by zero"):
        broken[0]
    with pytest.raises(CtorchError, match="sample 0: .*division by zero"):
        list(iter(loader(broken, 2, num_workers=1)))
    with pytest.raises(CtorchError, match="TYPE: dataset: the samples"):
        transformed(iterable_of(lambda: []), of(lambda x: x))
