"""Losses as modules beside Python's; test_losses.py has the functions, with all of their arguments."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, compare_call, ctorch, raw, refuses

torch.manual_seed(7)
N, C = 4, 5


def logits(*shape):
    return torch.randn(shape or (N, C), requires_grad=True)


def probabilities():
    return torch.rand(N, C).clamp(0.05, 0.95).requires_grad_()


CLASSES = torch.tensor([0, 3, 4, 3])
SIGNS = torch.tensor([1.0, -1.0, 1.0, -1.0])
WEIGHT = torch.rand(C)
FLOATS = torch.randn(N, C)
CASES = [
    ("L1Loss", [{}], [logits(), FLOATS]),
    ("MSELoss", [{}], [logits(), FLOATS]),
    ("SmoothL1Loss", [{}, {"beta": 0.3}, {"beta": 0.0}], [logits(), FLOATS]),
    ("HuberLoss", [{}, {"delta": 0.3}], [logits(), FLOATS]),
    ("SoftMarginLoss", [{}], [logits(N), SIGNS]),
    ("MultiLabelMarginLoss", [{}], [logits(), torch.tensor([[3, 0, -1, 1, 2]] * N)]),
    ("HingeEmbeddingLoss", [{}, {"margin": 0.5}], [logits(N), SIGNS]),
    ("KLDivLoss", [{}, {"log_target": True}, {"reduction": "batchmean"}], [logits(), FLOATS.softmax(1)]),
    ("PoissonNLLLoss", [{}, {"log_input": False, "full": True, "eps": 0.1}], [probabilities(), FLOATS.abs()]),
    ("GaussianNLLLoss", [{}, {"full": True, "eps": 0.1}], [logits(), FLOATS, probabilities()]),
    ("CosineEmbeddingLoss", [{}, {"margin": 0.2}], [logits(), logits(), SIGNS]),
    ("MarginRankingLoss", [{}, {"margin": 0.2}], [logits(N), logits(N), SIGNS]),
    ("NLLLoss", [{}, {"weight": WEIGHT, "ignore_index": 3}], [logits(), CLASSES]),
    ("CrossEntropyLoss", [{}, {"weight": WEIGHT, "ignore_index": 3, "label_smoothing": 0.1}], [logits(), CLASSES]),
    ("CrossEntropyLoss", [{}, {"weight": WEIGHT}], [logits(), FLOATS.softmax(1)]),
    ("BCELoss", [{}, {"weight": WEIGHT}], [probabilities(), torch.rand(N, C)]),
    ("BCEWithLogitsLoss", [{}, {"weight": WEIGHT, "pos_weight": WEIGHT + 1}], [logits(), torch.rand(N, C)]),
    ("MultiLabelSoftMarginLoss", [{}, {"weight": WEIGHT}], [logits(), torch.rand(N, C).round()]),
    ("MultiMarginLoss", [{}, {"p": 2, "margin": 0.5, "weight": WEIGHT}], [logits(), CLASSES]),
    ("TripletMarginLoss", [{}, {"margin": 2.0, "p": 1.0, "swap": True}], [logits(), logits(), logits()]),
    ("TripletMarginWithDistanceLoss", [{}, {"margin": 2.0, "swap": True}], [logits(), logits(), logits()]),
    ("LinearCrossEntropyLoss", [{"args": (C, 6)}, {"args": (C, 6), "bias": True}], [logits(), CLASSES]),
    (
        "LinearCrossEntropyLoss",
        [{"args": (C, 6), "weight": torch.rand(6), "ignore_index": 3, "label_smoothing": 0.1}],
        [logits(), CLASSES],
    ),
    ("LinearCrossEntropyLoss", [{"args": (C, 6)}], [logits(C), torch.tensor(2)]),
    (
        "LinearCrossEntropyLoss",
        [{"args": (C, 6), "out_features": (2, 3), "bias": True}],
        [logits(), torch.zeros(N, 2, 3, dtype=torch.int64)],
    ),
    (
        "CTCLoss",
        [{}, {"blank": 2, "zero_infinity": True}],
        [
            torch.randn(8, N, C).log_softmax(2).requires_grad_(),
            torch.tensor([[1, 3, 4]] * N),
            torch.full((N,), 8),
            torch.tensor([1, 2, 3, 3]),
        ],
    ),
]
ALL = [
    (name, options | reduction, inputs)
    for name, some, inputs in CASES
    for options in some
    for reduction in ([{}] if "reduction" in options else [{}, {"reduction": "sum"}, {"reduction": "none"}])
]


@pytest.mark.parametrize("name, options, inputs", ALL, ids=lambda v: None if isinstance(v, list) else str(v)[:60])
def test_loss(name, options, inputs):
    compare(name, options, inputs)


@pytest.mark.parametrize("name", sorted({name for name, _, _ in CASES}))
def test_an_unknown_reduction_is_a_bad_value(name):
    """In Python when it is applied."""
    arguments = (2, 3) if name.startswith("Linear") else ()
    with pytest.raises(ValueError, match="reduction"):
        getattr(ctorch.nn, name)(*arguments, reduction="most")


@pytest.mark.parametrize(
    "name, options, inputs, kind",
    [
        ("MultiMarginLoss", {"p": 3}, None, None),
        ("MultiMarginLoss", {"weight": torch.zeros(2, 2)}, None, None),
        ("TripletMarginLoss", {"margin": 0.0}, None, None),
        ("TripletMarginWithDistanceLoss", {"margin": -1.0}, None, None),
        ("LinearCrossEntropyLoss", {"args": (2, 3), "weight": torch.zeros(2)}, None, None),
        ("LinearCrossEntropyLoss", {"args": (2, 3), "label_smoothing": 2.0}, None, None),
        ("LinearCrossEntropyLoss", {"args": (2, 3)}, [torch.zeros(1, 3), torch.zeros(1, dtype=torch.int64)], None),
        ("LinearCrossEntropyLoss", {"args": (2, 3)}, [torch.zeros(1, 1, 2), torch.tensor([0])], None),
        ("CrossEntropyLoss", {}, [logits(), CLASSES + 9], None),
        ("BCELoss", {}, [probabilities(), torch.rand(N)], None),
        ("NLLLoss", {}, [logits()], None),
    ],
    ids=lambda v: None if isinstance(v, list) else str(v)[:60],
)
def test_where_python_raises_so_does_it(name, options, inputs, kind):
    refuses(name, options, inputs, kind=kind)


def test_lengths_and_variances_as_numbers():
    inputs = [
        torch.randn(8, N, C).log_softmax(2).requires_grad_(),
        torch.tensor([[1, 3, 4]] * N),
        [8] * N,
        (1, 2, 3, 3),
    ]
    compare("CTCLoss", {}, inputs)
    compare("GaussianNLLLoss", {}, [logits(), FLOATS, 0.5])
    refuses("GaussianNLLLoss", {}, [logits(), FLOATS, -0.5])
    refuses("CTCLoss", {}, [*inputs[:3], (1, 2)])


def test_a_distance_of_ones_own():
    expected = torch.nn.TripletMarginWithDistanceLoss(distance_function=torch.nn.CosineSimilarity(), swap=True)
    module = ctorch.nn.TripletMarginWithDistanceLoss(distance_function=ctorch.nn.CosineSimilarity(), swap=True)
    assert str(raw.module_repr(module)) == repr(expected)
    compare_call(module, expected, [logits(), logits(), logits()], {})
