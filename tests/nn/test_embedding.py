"""Embeddings beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, ctorch, refuses, same

DTYPES = [torch.float32, torch.float64, torch.bfloat16]
OPTIONS = [
    {},
    {"padding_idx": 2},
    {"padding_idx": -1, "scale_grad_by_freq": True},
    {"max_norm": 1.5},
    {"max_norm": 0.5, "norm_type": 1.0, "padding_idx": 0},
    {"sparse": True},
    {"_freeze": True},
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_embedding(options, dtype):
    if dtype == torch.bfloat16 and "max_norm" in options:
        pytest.skip("no such kernel")
    for index in (torch.tensor([[1, 2], [2, 6]]), torch.tensor(3), torch.tensor([0, 6, 6], dtype=torch.int32)):
        compare("Embedding", {"args": (7, 4)} | options, [index], dtype=dtype)


BAGS = [
    {},
    {"mode": "sum", "padding_idx": 1},
    {"mode": "max"},
    {"mode": "sum", "sparse": True},
    {"mode": "mean", "max_norm": 1.0, "scale_grad_by_freq": True},
    {"padding_idx": -2, "norm_type": 1.0},
]


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
@pytest.mark.parametrize("options", BAGS, ids=str)
def test_bag(options, dtype):
    index, offsets = torch.tensor([1, 2, 6, 2, 0, 5]), torch.tensor([0, 2, 5])
    compare("EmbeddingBag", {"args": (7, 4)} | options, [index, offsets], dtype=dtype)
    compare("EmbeddingBag", {"args": (7, 4)} | options, [index.reshape(2, 3)], dtype=dtype)
    if options.get("mode") == "sum":
        factors = torch.rand(6, dtype=dtype, requires_grad="sparse" not in options)
        compare("EmbeddingBag", {"args": (7, 4)} | options, [index, offsets, factors], dtype=dtype)


def test_bag_with_the_last_offset():
    index, offsets = torch.tensor([1, 2, 6, 2]), torch.tensor([0, 2, 4])
    compare("EmbeddingBag", {"args": (7, 4), "include_last_offset": True}, [index, offsets])


@pytest.mark.parametrize("name", ["Embedding", "EmbeddingBag"])
@pytest.mark.parametrize("options", [{}, {"freeze": False}, {"padding_idx": 1, "max_norm": 1.0}], ids=str)
def test_given_rows(name, options):
    rows = torch.randn(5, 3)
    module, _ = compare(f"{name}.from_pretrained", {"args": (rows,)} | options, [torch.tensor([[0, 1], [4, 4]])])
    compare(name, {"args": (5, 3), "_weight": rows}, [torch.tensor([[0, 1], [4, 4]])])


def test_given_rows_share_their_memory():
    rows = ctorch.aten.zeros([2, 2])
    module = ctorch.nn.Embedding.from_pretrained(rows)
    rows.add_(ctorch.aten.ones([2, 2]))
    assert same(ctorch.raw.module_parameters(module, True)[0], torch.ones(2, 2))


@pytest.mark.parametrize(
    "name, options, inputs, kind",
    [
        ("Embedding", {"args": (5, 3), "padding_idx": 5}, None, ValueError),
        ("Embedding", {"args": (5, 3), "padding_idx": -6}, None, ValueError),
        ("Embedding", {"args": (5, 3), "_weight": torch.zeros(4, 3)}, None, ValueError),
        ("Embedding", {"args": (0, 3), "padding_idx": 0}, None, None),
        ("Embedding", {"args": (-1, 3)}, None, None),
        ("Embedding.from_pretrained", {"args": (torch.zeros(3),)}, None, ValueError),
        ("Embedding", {"args": (5, 3)}, [torch.tensor([5])], None),
        ("Embedding", {"args": (5, 3)}, [torch.tensor([1.0])], None),
        ("EmbeddingBag", {"args": (5, 3), "padding_idx": 5}, None, ValueError),
        ("EmbeddingBag", {"args": (5, 3), "mode": "most"}, [torch.tensor([[1]])], None),
        ("EmbeddingBag", {"args": (5, 3)}, [torch.tensor([1])], None),
        ("EmbeddingBag", {"args": (5, 3)}, [torch.tensor([1]), torch.tensor(0)], None),
        ("EmbeddingBag", {"args": (5, 3)}, [torch.tensor([[1]]), torch.tensor([0])], None),
        ("EmbeddingBag", {"args": (5, 3)}, [torch.tensor([[[1]]])], None),
        ("EmbeddingBag", {"args": (5, 3)}, [torch.tensor([[1]]), None, torch.tensor([[1.0]])], None),
        ("EmbeddingBag", {"args": (5, 3), "mode": "sum"}, [torch.tensor([[1]]), None, torch.tensor([1.0])], None),
        ("EmbeddingBag", {"args": (5, 3), "mode": "max", "sparse": True}, [torch.tensor([[1]])], None),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(name, options, inputs, kind):
    refuses(name, options, inputs, kind=kind)
