"""The cross entropy of a linear layer in chunks beside Python's: values, gradients, options, errors."""

from __future__ import annotations

import itertools
import warnings

import pytest
import torch

from tests.nn.compare import chunk_keywords, one_thread, ours
from tests.nn.test_nn import ctorch, raw, theirs

pytestmark = pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="other versions compute otherwise")

Options = getattr(torch.nn, "LinearCrossEntropyOptions", None)
DTYPES = [torch.float32, torch.float64, torch.bfloat16, torch.float16]


def given(dtype, n=37, d=8, c=21, bias=True, seed=0):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, d, generator=generator).to(dtype)
    w = torch.randn(c, d, generator=generator).to(dtype)
    b = torch.randn(c, generator=generator).to(dtype) if bias else None
    return x, w, b, torch.randint(c, (n,), generator=generator)


def leaf(tensor):
    return None if tensor is None else tensor.clone().requires_grad_()


def own_leaf(tensor):
    return None if tensor is None else ours(tensor).requires_grad_()


def compare(x, w, b, target, options, *, grad=None, weight=None, **kwargs):
    theirs_in, mine_in = [leaf(t) for t in (x, w, b)], [own_leaf(t) for t in (x, w, b)]
    expected = torch.nn.functional.linear_cross_entropy(
        theirs_in[0], theirs_in[1], target, linear_bias=theirs_in[2], weight=weight, options=options, **kwargs
    )
    found = ctorch.functional.linear_cross_entropy(
        mine_in[0],
        mine_in[1],
        ours(target),
        linear_bias=mine_in[2],
        weight=None if weight is None else ours(weight),
        **chunk_keywords(options),
        **kwargs,
    )
    assert torch.equal(theirs(found), expected.detach()) or (found.isnan().all() and expected.isnan().all())
    grad = torch.ones_like(expected) if grad is None else grad
    expected.backward(grad)
    found.backward(ours(grad))
    for mine, wanted in zip(mine_in, theirs_in):
        assert mine is None or torch.equal(theirs(mine.grad), wanted.grad)
    return found


POLICIES = ["auto", "accurate", "balanced", "compact"]
METHODS = [{}, {"chunking_method": "aspect_ratio"}, {"chunking_method": "aspect_ratio:4"}]
METHODS += [{"chunking_method": None}, {"chunking_method": None, "batch_chunk_size": 5}, {"batch_chunk_size": 64}]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@one_thread()
def test_values_and_gradients_are_pythons(dtype, reduction):
    half = dtype in (torch.bfloat16, torch.float16)
    for policy, method, acc in itertools.product(POLICIES, METHODS, [None, torch.float32] if half else [None]):
        options = Options(acc_policy=policy, acc_dtype=acc, **method)
        for bias in (False, True):
            x, w, b, target = given(dtype, bias=bias)
            grad = (
                torch.randn(37, generator=torch.Generator().manual_seed(1)).to(dtype) if reduction == "none" else None
            )
            compare(x, w, b, target, options, reduction=reduction, grad=grad)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@one_thread()
def test_class_weights_and_ignored_rows(reduction):
    x, w, b, target = given(torch.float32)
    weight = torch.rand(21)
    for ignore_index in (None, 3, -100, 50):
        if ignore_index is not None:
            target = target.clone()
            target[::4] = ignore_index
        for policy in ("accurate", "compact"):
            options = Options(acc_policy=policy, batch_chunk_size=10)
            compare(x, w, b, target, options, reduction=reduction, ignore_index=ignore_index, weight=weight)
            compare(x, w, b, target, options, reduction=reduction, ignore_index=ignore_index)


@one_thread()
def test_wide_and_narrow_and_empty():
    for shape in ({"n": 5, "d": 40, "c": 3}, {"n": 64, "d": 2, "c": 50}, {"n": 1}, {"n": 0}):
        for dtype, reduction in itertools.product(DTYPES, ("mean", "sum", "none")):
            x, w, b, target = given(dtype, **shape)
            compare(x, w, b, target, Options(), reduction=reduction)


@one_thread()
def test_one_row_without_a_batch():
    x, w, b, target = given(torch.float32)
    for reduction in ("mean", "sum", "none"):
        assert compare(x[0], w, b, target[0], Options(), reduction=reduction).shape == ()


def test_only_what_requires_gradients_has_some():
    x, w, b, target = (None if t is None else ours(t) for t in given(torch.float32))
    w.requires_grad_()
    loss = ctorch.functional.linear_cross_entropy(x, w, target, linear_bias=b, acc_policy="auto")
    loss.backward()
    assert x.grad is None and b.grad is None and w.grad is not None
    with ctorch.no_grad():
        assert not ctorch.functional.linear_cross_entropy(x, w, target, acc_policy="auto").requires_grad


def test_a_second_backward():
    x, w, _, target = given(torch.float32)
    for allowed in (False, True):
        mine = own_leaf(x)
        loss = ctorch.functional.linear_cross_entropy(
            mine, ours(w), ours(target), acc_policy="auto", allow_retain_graph=allowed
        )
        loss.backward(retain_graph=True)
        first = theirs(mine.grad).clone()
        if allowed:
            loss.backward()
            assert torch.equal(theirs(mine.grad), 2 * first)
        else:
            with pytest.raises(RuntimeError, match="linear_cross_entropy chunked backward called twice"):
                loss.backward()
    mine = own_leaf(x)
    losses = ctorch.functional.linear_cross_entropy(mine, ours(w), ours(target), acc_policy="auto", reduction="none")
    losses.sum().backward(retain_graph=True)
    first = theirs(mine.grad).clone()
    losses.sum().backward()
    assert torch.equal(theirs(mine.grad), 2 * first)


def test_what_chunks_cannot_do_is_computed_at_once_with_a_warning():
    x, w, b, target = given(torch.float32)
    probabilities = torch.softmax(torch.randn(37, 21), 1)
    for goal, kwargs in ((target, {"label_smoothing": 0.1}), (probabilities, {})):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = torch.nn.functional.linear_cross_entropy(x, w, goal, linear_bias=b, options=Options(), **kwargs)
        with pytest.warns(UserWarning, match="``options`` ignored"):
            found = ctorch.functional.linear_cross_entropy(
                ours(x), ours(w), ours(goal), linear_bias=ours(b), acc_policy="auto", **kwargs
            )
        assert torch.equal(theirs(found), wanted)


@pytest.mark.parametrize(
    "chosen",
    [
        {"acc_policy": "fast"},
        {"chunking_method": "aspect"},
        {"chunking_method": "aspect_ratio:0"},
        {"chunking_method": "aspect_ratio:-1"},
        {"chunking_method": "aspect_ratio:"},
        {"batch_chunk_size": 0},
        {"batch_chunk_size": -3},
        {"acc_dtype": torch.int64},
    ],
)
def test_choices_that_do_not_exist(chosen):
    with pytest.raises(ValueError) as theirs_error:
        Options(**chosen)
    mine = {"acc_policy": "auto", **chosen}
    if "acc_dtype" in mine:
        mine["acc_dtype"] = ctorch.int64
    with pytest.raises(ValueError) as error:
        ctorch.nn.LinearCrossEntropyLoss(3, 4, **mine)
    words = str(theirs_error.value).split(",")[0].replace("torch.", "").split("{")[0]
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("dtype", "chosen", "kind"),
    [
        (torch.float32, {"batch_chunk_size": 3, "chunking_method": "aspect_ratio"}, ValueError),
        (torch.float32, {"acc_dtype": torch.float64}, RuntimeError),
        (torch.float64, {"acc_dtype": torch.float32}, RuntimeError),
        (torch.float16, {"acc_dtype": torch.bfloat16}, RuntimeError),
    ],
)
def test_choices_that_do_not_fit_the_input(dtype, chosen, kind):
    x, w, _, target = given(dtype)
    options = Options(**chosen)
    with pytest.raises(kind) as theirs_error:
        torch.nn.functional.linear_cross_entropy(x, w, target, options=options)
    with pytest.raises(kind) as error:
        ctorch.functional.linear_cross_entropy(ours(x), ours(w), ours(target), **chunk_keywords(options))
    assert str(theirs_error.value)[:30] in str(error.value)


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"acc_policy": "compact", "chunking_method": "aspect_ratio:2"},
        {"chunking_method": None, "batch_chunk_size": 4},
        {"allow_retain_graph": True, "acc_dtype": torch.float32, "chunking_method": "aspect_ratio"},
    ],
)
@one_thread()
def test_the_module(chosen):
    options = Options(**chosen)
    torch.manual_seed(2)
    wanted = torch.nn.LinearCrossEntropyLoss(8, 21, bias=True, options=options)
    torch.manual_seed(2)
    mine = ctorch.nn.LinearCrossEntropyLoss(8, 21, bias=True, **chunk_keywords(options))
    assert repr(mine) == repr(wanted)
    x, _, _, target = given(torch.float32)
    expected, found = wanted(x, target), mine(ours(x), ours(target))
    assert torch.equal(theirs(found), expected.detach())
    expected.backward()
    found.backward()
    for a, b in zip(mine.parameters(), wanted.parameters()):
        assert torch.equal(theirs(a.grad), b.grad)
    assert repr(raw.module_copy(mine)) == repr(wanted)
