"""Datasets beside Python's: lengths, samples, negative indices, refusals."""

from __future__ import annotations

import pytest
import torch
from torch.utils import data

from tests.data.objects import (
    Dataset,
    alive,
    dataset_of,
    iterable_of,
    joined,
    pointer,
    same,
    state,
    subset,
    tensor_dataset,
)
from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out, tensor
from tests.harness.values import value

X, Y = torch.arange(30.0).view(10, 3), torch.arange(10)
torch.manual_seed(0)
CHANNELS_LAST = torch.randn(4, 3, 5, 5).to(memory_format=torch.channels_last)
TENSORS = [
    [X],
    [X, Y],
    [X.to(torch.bfloat16), Y.to(torch.uint8), X[:, :0]],
    [X.t().contiguous().t()],
    [X.expand(5, 10, 3).transpose(0, 1)],
    [CHANNELS_LAST],
    [torch.zeros(0, 3)],
]


def agree(ours, theirs):
    n = len(theirs)
    assert len(ours) == n
    for i in range(-n, n):
        assert same(ours[i], theirs[i])
    for i in (n, -n - 1, 2**62, -(2**63)):
        with pytest.raises(CtorchError, match="INDEX: index .* is out of range"):
            ours[i]
    assert all(same(a, b) for a, b in zip(iter(ours), (theirs[i] for i in range(n)), strict=True))


@pytest.mark.parametrize("tensors", TENSORS)
def test_tensors(tensors):
    agree(tensor_dataset(*tensors), data.TensorDataset(*tensors))


def test_concat():
    parts = [[X], [X[:0]], [X[2:4]]]
    agree(joined("ConcatDataset", [tensor_dataset(*p) for p in parts]),
          data.ConcatDataset([data.TensorDataset(*p) for p in parts]))  # fmt: skip


def test_stack():
    parts = [[X], [Y], [X[:, 1]]]
    ours = [tensor_dataset(*p) for p in parts]
    agree(joined("StackDataset", ours), data.StackDataset(*(data.TensorDataset(*p) for p in parts)))
    pointers = ffi.new("ctorch_dataset *[]", [o.pointer for o in ours])
    named = Dataset.made("ctorch_data_StackDataset_named", pointers, 3, value(["a", "b", "c"]))
    agree(named, data.StackDataset(**{n: data.TensorDataset(*p) for n, p in zip("abc", parts)}))


@pytest.mark.parametrize("indices", [[], [3], [9, 0, 0, -1, -10]])
def test_subset(indices):
    agree(subset(tensor_dataset(X, Y), indices), data.Subset(data.TensorDataset(X, Y), indices))
    for dtype in (torch.int64, torch.int32):
        tensor = torch.tensor(indices, dtype=dtype)
        ours = Dataset.made("ctorch_data_Subset_tensor", tensor_dataset(X, Y).pointer, handle(tensor))
        agree(ours, data.Subset(data.TensorDataset(X, Y), indices))


def test_subset_of_what_is_not_there():
    ours = subset(tensor_dataset(X), [3, 10])
    assert same(ours[0], (X[3],))
    with pytest.raises(CtorchError, match="INDEX: index 10 is out of range of TensorDataset with 10 samples"):
        ours[1]


def split(name, c_type, dataset, lengths, generator):
    place = out("ctorch_tensor_list *")
    ok(getattr(lib, name)(place, dataset.pointer, ffi.new(c_type, lengths), len(lengths), pointer(generator)))
    length = lib.ctorch_tensor_list_len(place[0])
    result = []
    for i in range(length):
        t = out("ctorch_tensor *")
        ok(lib.ctorch_tensor_list_get(t, place[0], i))
        result.append(tensor(t[0]).tolist())
    lib.ctorch_tensor_list_release(place[0])
    return result


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("lengths", [[10], [3, 7], [0, 10, 0], [0.5, 0.5], [0.35, 0.33, 0.32], [0.0, 1.0], [0.1] * 10])
def test_random_split(lengths, given):
    results = []
    for ours in (True, False):
        torch.manual_seed(4)
        generator = torch.Generator().manual_seed(7) if given else None
        if ours:
            fractions = isinstance(lengths[0], float)
            name = "ctorch_data_random_split" + ("_fractions" if fractions else "")
            parts = split(name, "double[]" if fractions else "int64_t[]", tensor_dataset(X), lengths, generator)
        else:
            given_generator = {"generator": generator} if given else {}
            parts = [list(p.indices) for p in data.random_split(data.TensorDataset(X), lengths, **given_generator)]
        results.append((parts, state().tolist()))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "lengths", [[3], [3, 8], [-1, 11], [2**63 - 1, 2**63 - 1], [0.5], [0.5, 0.6], [-0.5, 1.5], [float("nan"), 1.0]]
)
def test_random_splits_that_are_refused(lengths):
    fractions = isinstance(lengths[0], float)
    name = "ctorch_data_random_split" + ("_fractions" if fractions else "")
    with pytest.raises(CtorchError, match="VALUE: lengths"):
        split(name, "double[]" if fractions else "int64_t[]", tensor_dataset(X), lengths, None)


def test_cached():
    asked = []

    def get(i):
        asked.append(i)
        return torch.full((2,), i), i

    ours = Dataset.made("ctorch_data_CachedDataset", dataset_of(get, 5).pointer)
    for _ in range(3):
        assert [ours[i][1] for i in (4, 0, 4, -1)] == [4, 0, 4, 4]
    assert asked == [4, 0]
    assert ours[0][0].data_ptr() == ours[0][0].data_ptr()


def test_callbacks():
    before = alive()
    ours = dataset_of(lambda i: {"index": i}, 3)
    assert [ours[i] for i in (0, -1)] == [{"index": 0}, {"index": 2}]
    failing = dataset_of(lambda i: {}[i], 3)
    with pytest.raises(CtorchError, match="KEY|RUNTIME|INDEX"):
        failing[1]
    ours.release()
    failing.release()
    assert alive() <= before


def test_iterables():
    a, b = iterable_of(lambda: range(3)), iterable_of(lambda: "xy")
    assert list(iter(a)) == [0, 1, 2] and list(iter(a)) == [0, 1, 2]
    chain = joined("ChainDataset", [a, b, a])
    assert list(iter(chain)) == [0, 1, 2, "x", "y", 0, 1, 2]
    with pytest.raises(CtorchError, match="TYPE: dataset: the samples of IterableDataset come one after another"):
        a[0]
    with pytest.raises(CtorchError, match="TYPE: IterableDataset does not know its length"):
        len(a)
    assert len(joined("ChainDataset", [iterable_of(lambda: [], 3), iterable_of(lambda: [], 4)])) == 7


def test_what_is_refused():
    short, iterable = tensor_dataset(X[:3]), iterable_of(lambda: [])
    cases = [
        (lambda: tensor_dataset(), "VALUE: tensors: expected at least one"),
        (lambda: tensor_dataset(X, Y[:3]), "VALUE: tensors.1.: Size mismatch"),
        (lambda: tensor_dataset(torch.tensor(1.0)), "INDEX"),
        (lambda: joined("ConcatDataset", []), "VALUE: datasets should not be"),
        (lambda: joined("ConcatDataset", [short, iterable]), "VALUE: datasets.1.: ConcatDataset does not"),
        (lambda: joined("ChainDataset", [iterable, short]), "VALUE: datasets.1.: ChainDataset only"),
        (lambda: joined("StackDataset", []), "VALUE: At least one dataset"),
        (lambda: joined("StackDataset", [short, tensor_dataset(X)]), "VALUE: datasets.1.: Size mismatch"),
        (lambda: joined("StackDataset", [short, iterable]), "TYPE: datasets: the samples"),
        (lambda: subset(iterable, [0]), "TYPE: dataset: the samples"),
        (lambda: Dataset.made("ctorch_data_CachedDataset", iterable.pointer), "TYPE: dataset: the samples"),
        (lambda: dataset_of(None, -1), "INVALID_ARGUMENT: len"),
        (lambda: iterable_of(None, -1), "INVALID_ARGUMENT: len"),
        (lambda: Dataset.made("ctorch_data_Subset_tensor", short.pointer, handle(X)), "TYPE: indices"),
        (lambda: Dataset.made("ctorch_data_Subset_tensor", short.pointer, handle(Y.view(2, 5))), "VALUE: indices"),
    ]
    for call, message in cases:
        with pytest.raises(CtorchError, match=message):
            call()


def test_depth():
    deep = tensor_dataset(X)
    for _ in range(1000):
        deep = subset(deep, list(range(10)))
    assert same(deep[3], (X[3],))
    with pytest.raises(CtorchError, match="RUNTIME: datasets inside each other more than 1000 deep"):
        subset(deep, [0])


def test_attributes():
    place = out("ctorch_value *")
    with pytest.raises(CtorchError, match="INDEX: TensorDataset has no attribute 'classes'"):
        ok(lib.ctorch_dataset_attribute(place, tensor_dataset(X).pointer, b"classes"))
    assert tensor_dataset(X).name == "TensorDataset"
