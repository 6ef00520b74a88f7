"""Attention beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import across, call, compare, create, flat, raw, refuses, same

DTYPES = [torch.float32, torch.float64, torch.bfloat16]
OPTIONS = [
    {},
    {"bias": False, "dropout": 0.3},
    {"add_bias_kv": True, "batch_first": True},
    {"add_zero_attn": True, "add_bias_kv": True},
    {"kdim": 5, "vdim": 6, "batch_first": True},
    {"kdim": 5, "bias": False},
]
BOTH = ("train", "eval")
L, S, N, E, H = 4, 3, 2, 8, 2


def shapes(options, batched):
    widths = [E, options.get("kdim", E), options.get("vdim", E)]
    for length, width in zip((L, S, S), widths):
        batch = (N,) if batched else ()
        yield (*batch, length, width) if options.get("batch_first") else (length, *batch, width)


def masks(batched):
    yield {}
    yield {"need_weights": False}
    yield {"average_attn_weights": False, "attn_mask": torch.rand(L, S) > 0.7}
    padding = torch.tensor([[False, False, True], [False, True, True]])
    yield {"key_padding_mask": padding if batched else padding[0]}
    yield {
        "key_padding_mask": padding if batched else padding[0],
        "attn_mask": torch.randn(L, S) > 2,
        "need_weights": False,
    }
    yield {"attn_mask": torch.randn(N * H if batched else H, L, S), "need_weights": False}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("batched", [True, False])
def test_attention(options, batched, dtype):
    for keywords in masks(batched):
        keywords = {
            k: v.to(dtype) if isinstance(v, torch.Tensor) and v.is_floating_point() else v for k, v in keywords.items()
        }
        torch.manual_seed(0)
        inputs = [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes(options, batched)]
        compare("MultiheadAttention", {"args": (E, H)} | options, inputs, keywords, dtype=dtype, modes=BOTH)


SELF = [{}, {"batch_first": True}, {"bias": False, "batch_first": True}, {"add_zero_attn": True}]


def same_input(name, options, x, keywords, mode, again=False):
    """Self-attention: the same tensor three times, and key and value the same."""
    module, expected = create(name, options)
    raw.module_train(module, mode == "train")
    expected.train(mode == "train")
    own = across(x)
    pick = (lambda t, other: (other, t, t)) if again else (lambda t, other: (t, t, t))
    other, own_other = x.detach() + 1, across(x.detach() + 1)
    own_keywords = {k: across(v) for k, v in keywords.items()}
    torch.manual_seed(1)
    want = expected(*pick(x, other), **keywords)
    torch.manual_seed(1)
    got = call(module, pick(own, own_other), own_keywords)
    for a, b in zip(flat(got), flat(want)):
        assert same(a, b)
    if want[0].requires_grad:
        want[0].sum().backward()
        flat(got)[0].sum().backward()
        for a, b in zip(raw.module_parameters(module, True), expected.parameters()):
            assert same(a.grad, b.grad)
        if x.requires_grad:
            assert same(own.grad, x.grad)


@pytest.mark.parametrize("mode", BOTH)
@pytest.mark.parametrize("options", SELF, ids=str)
def test_self_attention(options, mode):
    for keywords in ({}, {"attn_mask": torch.ones(L, L).triu(1).bool(), "is_causal": True, "need_weights": False}):
        for again in (False, True):
            x = torch.randn((N, L, E) if options.get("batch_first") else (L, N, E), requires_grad=True)
            same_input("MultiheadAttention", {"args": (E, H)} | options, x, keywords, mode, again)


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"need_weights": False},
        {"average_attn_weights": False},
        {"attn_mask": torch.ones(L, L).triu(1).bool()},
        {"key_padding_mask": torch.tensor([[False, False, False, True], [False, False, True, True]])},
        {
            "attn_mask": torch.ones(L, L).triu(1).bool(),
            "key_padding_mask": torch.tensor([[False, False, False, True], [False, False, True, True]]),
        },
    ],
    ids=str,
)
def test_the_fused_operator_where_python_takes_it(keywords):
    with torch.no_grad():
        module, expected = create("MultiheadAttention", {"args": (E, H), "batch_first": True})
        raw.module_train(module, False)
        expected.eval()
        x = torch.randn(N, L, E)
        own = across(x)
        want = expected(x, x, x, **keywords)
        raw.grad_mode_push(False)
        try:
            got = call(module, (own, own, own), {k: across(v) for k, v in keywords.items()})
        finally:
            raw.grad_mode_pop()
        assert want[1] is None or len(flat(got)) == 2
        for a, b in zip(flat(got), flat(want)):
            assert same(a, b)


@pytest.mark.parametrize(
    "options, inputs, keywords, kind",
    [
        ({"args": (0, 2)}, None, None, None),
        ({"args": (8, 0)}, None, None, None),
        ({"args": (8, 3)}, None, None, ValueError),
        ({"args": (8, 2)}, [(4,)] * 3, None, ValueError),
        ({"args": (8, 2)}, [(4, 2, 8), (4, 8), (4, 8)], None, ValueError),
        ({"args": (8, 2)}, [(4, 2, 6)] * 3, None, ValueError),
        ({"args": (8, 2)}, [(4, 2, 8), (3, 2, 8), (4, 2, 8)], None, ValueError),
        ({"args": (8, 2)}, [(4, 2, 8)] * 3, {"attn_mask": torch.zeros(3, 3)}, None),
        ({"args": (8, 2)}, [(4, 2, 8)] * 3, {"attn_mask": torch.zeros(3, 4, 4)}, None),
        ({"args": (8, 2)}, [(4, 2, 8)] * 3, {"attn_mask": torch.zeros(4)}, ValueError),
        ({"args": (8, 2)}, [(4, 2, 8)] * 3, {"attn_mask": torch.zeros(4, 4, dtype=torch.int64)}, ValueError),
        ({"args": (8, 2)}, [(4, 2, 8)] * 3, {"key_padding_mask": torch.zeros(4)}, ValueError),
        ({"args": (8, 2)}, [(4, 2, 8)] * 3, {"key_padding_mask": torch.zeros(2, 3)}, ValueError),
        ({"args": (8, 2)}, [(4, 2, 8)] * 3, {"is_causal": True}, None),
        ({"args": (8, 2), "kdim": 5}, [(4, 2, 8)] * 3, None, ValueError),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(options, inputs, keywords, kind):
    refuses("MultiheadAttention", options, inputs and [torch.zeros(s) for s in inputs], keywords, kind=kind)
