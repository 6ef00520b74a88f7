"""Dropout beside Python's, from the same seed."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import compare, refuses

SHAPES = {
    "Dropout": [(3, 4), ()],
    "AlphaDropout": [(3, 4)],
    "FeatureAlphaDropout": [(3, 4, 5), (3, 4)],
    "Dropout1d": [(3, 4, 5), (4, 5)],
    "Dropout2d": [(3, 4, 5, 6), (3, 4, 5), (3, 4)],
    "Dropout3d": [(2, 4, 3, 3, 3), (4, 3, 3, 3), (3, 4)],
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("options", [{}, {"p": 0.2}, {"p": 0.0}, {"p": 1.0}], ids=str)
@pytest.mark.parametrize("name", SHAPES)
def test_dropout(name, options, dtype):
    for shape in SHAPES[name]:
        torch.manual_seed(0)
        compare(name, options, [torch.randn(shape, dtype=dtype, requires_grad=True)], modes=("train", "eval"))


@pytest.mark.parametrize("name", SHAPES)
def test_in_place(name):
    for shape in SHAPES[name]:
        compare(name, {"inplace": True}, [torch.randn(shape)], modes=("train", "eval"))


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_no_probability_is_refused(name, p):
    refuses(name, {"p": p})


@pytest.mark.parametrize("shape", [(3,), (2, 3, 4, 5)], ids=str)
def test_dropout1d_wants_its_dimensions(shape):
    refuses("Dropout1d", {}, [torch.randn(shape)])
