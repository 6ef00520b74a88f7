"""Batches of samples beside Python's default_collate and default_convert."""

from __future__ import annotations

import pytest
import torch
from torch.utils.data import default_collate, default_convert

from tests.data.objects import same
from tests.harness.capi import CtorchError
from tests.harness.values import made, python, value

T = torch.tensor
torch.manual_seed(0)
BATCHES = [
    [1, 2, 3],
    [True, False],
    [True, 2],
    [1, True],
    [1.5, 2.5],
    [1.5, 2],
    [1, 2.5],
    [True, 2.5],
    [2**62, -5],
    [float("inf"), -0.0],
    ["a", "b"],
    ["only"],
    [b"x", b"yz"],
    ["text", 1],
    [T([1.0, 2.0]), T([3.0, 4.0])],
    [T(1), T(2)],
    [T([], dtype=torch.int8), T([], dtype=torch.int8)],
    [torch.ones(2, 3, dtype=torch.bfloat16)] * 3,
    [torch.ones(2, 3, dtype=torch.complex64)] * 2,
    [torch.arange(6).view(2, 3).t()] * 2,
    [torch.randn(3, 4, 5).to(torch.float64)] * 4,
    [torch.randn(1, 3, 4, 5).to(memory_format=torch.channels_last)[0]] * 2,
    [(T([1.0]), 3), (T([2.0]), 4)],
    [[T([1.0]), 3], [T([2.0]), 4]],
    [(1, [2, (3.0, "x")]), (4, [5, (6.0, "y")])],
    [{"a": 1, "b": T([1.0])}, {"b": T([2.0]), "a": 2, "c": 9}],
    [{"a": {"b": (1, 2)}}, {"a": {"b": (3, 4)}}],
    [{1: 2, "x": 3.0}, {1: 4, "x": 5.0}],
    [(), ()],
    [[], []],
    [{}, {}],
    [(1, 2), [3, 4]],
    [[1, 2], (3, 4)],
    [T([1, 2], dtype=torch.int32), T([3, 4], dtype=torch.int64)],
]


def ours(batch):
    return python(made("ctorch_data_default_collate", value(batch)))


@pytest.mark.parametrize("batch", BATCHES, ids=range(len(BATCHES)))
@pytest.mark.parametrize("as_tuple", [False, True])
def test_batches(batch, as_tuple):
    batch = tuple(batch) if as_tuple else batch
    assert same(ours(batch), default_collate(batch))


REFUSED = [
    ([None, None], "TYPE"),
    ([torch.float32, torch.float32], "TYPE"),
    ([1j, 2j], "TYPE"),
    ([], "INDEX"),
    ([{"a": 1}, {"b": 1}], "INDEX"),
    ([[1], [1, 2]], "RUNTIME"),
    ([(1, 2), (1,)], "RUNTIME"),
    ([T([1.0]), 2], "TYPE"),
    ([1, "a"], "TYPE"),
    ([1.0, "a"], "TYPE"),
    ([1, 2**70], "RUNTIME|VALUE"),
    ([T([1.0]), T([1.0, 2.0])], "SHAPE_MISMATCH|RUNTIME"),
    ([T([[1.0]]).to_sparse()] * 2, "RUNTIME"),
    ([[None], [None]], "TYPE"),
]


@pytest.mark.parametrize("batch, kind", REFUSED)
def test_what_is_refused(batch, kind):
    with pytest.raises((TypeError, IndexError, KeyError, RuntimeError, ValueError)):
        default_collate(batch)
    with pytest.raises(CtorchError, match=kind):
        ours(batch)


@pytest.mark.parametrize("batch", [1, "text", {}, T([1.0]), None])
def test_what_is_no_batch(batch):
    with pytest.raises(CtorchError, match="TYPE: batch: expected a list"):
        ours(batch)


def nested(depth, leaf):
    for _ in range(depth):
        leaf = [leaf]
    return leaf


def test_depth():
    deep = value(1)
    for _ in range(1100):
        deep = value([deep])
    with pytest.raises(CtorchError, match="RUNTIME: values nested more than 1000 deep"):
        made("ctorch_data_default_collate", deep)
    with pytest.raises(CtorchError, match="RUNTIME: values nested more than 1000 deep"):
        made("ctorch_data_default_convert", deep)
    assert same(ours([nested(200, 1)] * 2), default_collate([nested(200, 1)] * 2))


@pytest.mark.parametrize("sample", [b for batch in BATCHES for b in batch[:1]] + [None, torch.float32])
def test_single_samples(sample):
    assert same(python(made("ctorch_data_default_convert", value(sample))), default_convert(sample))


def test_default_dtype():
    torch.set_default_dtype(torch.float64)
    try:
        assert same(ours([1, 2.5]), default_collate([1, 2.5]))
    finally:
        torch.set_default_dtype(torch.float32)


def test_gradients_go_back():
    a, b = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
    (ours([a, b]) * torch.arange(6.0).view(2, 3)).sum().backward()
    assert torch.equal(a.grad, torch.arange(3.0)) and torch.equal(b.grad, torch.arange(3.0, 6.0))
