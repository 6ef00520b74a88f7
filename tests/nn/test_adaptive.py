"""Adaptive softmax beside Python's."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import across, compare, create, ctorch, one_thread, refuses, same

CASES = [
    {"args": (8, 20, [5, 10])},
    {"args": (8, 20, [5, 10, 15]), "div_value": 2.0, "head_bias": True},
    {"args": (9, 12, (3,)), "div_value": 1.7},
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("options", CASES, ids=str)
def test_adaptive_softmax(options, dtype):
    width, classes, cutoffs = options["args"]
    for targets in ([0, 11, cutoffs[0], 3, classes - 1], [1, 2, 0], [classes - 1]):
        torch.manual_seed(0)
        x = torch.randn(len(targets), width, dtype=dtype, requires_grad=True)
        compare("AdaptiveLogSoftmaxWithLoss", options, [x, torch.tensor(targets)], dtype=dtype)
        compare(
            "AdaptiveLogSoftmaxWithLoss",
            options,
            [x.detach()[0].requires_grad_(), torch.tensor(targets[0])],
            dtype=dtype,
        )


@one_thread()
@pytest.mark.parametrize("options", CASES, ids=str)
def test_all_classes(options):
    module, expected = create("AdaptiveLogSoftmaxWithLoss", options)
    for scale in (0.1, 3.0, 30.0):
        x = torch.randn(40, options["args"][0]) * scale
        got = ctorch.nn.AdaptiveLogSoftmaxWithLoss_log_prob(module, across(x))
        assert same(got, expected.log_prob(x))
        assert same(ctorch.nn.AdaptiveLogSoftmaxWithLoss_predict(module, across(x)), expected.predict(x))


@pytest.mark.parametrize(
    "args, inputs",
    [
        ((8, 20, []), None),
        ((8, 20, [10, 5]), None),
        ((8, 20, [5, 5]), None),
        ((8, 20, [0, 5]), None),
        ((8, 20, [5, 20]), None),
        ((-8, 20, [5]), None),
        ((8, 20, [5]), [torch.zeros(2, 8), torch.tensor([0, 20])]),
        ((8, 20, [5]), [torch.zeros(2, 8), torch.tensor([-1, 2])]),
        ((8, 20, [5]), [torch.zeros(2, 8), torch.tensor([[1, 2]])]),
        ((8, 20, [5]), [torch.zeros(2, 8), torch.tensor([1])]),
        ((8, 20, [5]), [torch.zeros(8), torch.tensor([1, 2, 3, 4, 5, 6, 7, 8])]),
        ((8, 20, [5]), [torch.zeros(2, 8), torch.tensor(1)]),
    ],
    ids=str,
)
def test_where_python_raises_so_does_it(args, inputs):
    refuses("AdaptiveLogSoftmaxWithLoss", {"args": args}, inputs)


def test_other_modules_are_refused():
    with pytest.raises(TypeError, match="Linear"):
        ctorch.nn.AdaptiveLogSoftmaxWithLoss_predict(ctorch.nn.Linear(8, 2), ctorch.aten.zeros([1, 8]))
