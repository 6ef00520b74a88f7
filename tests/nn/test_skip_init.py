"""Modules without initial values, beside Python's: the same tensors, and no draw."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tests.module.test_module import LOOKUP, Net
from tests.nn.test_nn import ctorch, raw

SKIPPED = [
    ("Conv2d", (1, 4, (3, 2)), {"padding": "same", "bias": False}),
    ("Linear", (3, 4), {"dtype": torch.float64}),
    ("Embedding", (5, 3), {}),
    ("BatchNorm2d", (3,), {}),
    ("MultiheadAttention", (4, 2), {}),
    ("TransformerEncoderLayer", (4, 2, 8), {}),
    ("Bilinear", (2, 3, 4), {"device": "cpu"}),
    ("Linear", (3, 4), {"device": "meta"}),
    ("Linear", (3, 4), {"device": None}),
]


@pytest.mark.parametrize("number", range(len(SKIPPED)), ids=lambda i: f"{SKIPPED[i][0]} {i}")
def test_skip_init_draws_nothing(number):
    name, args, kwargs = SKIPPED[number]
    across = {
        k: ctorch.float64 if v is torch.float64 else ctorch.device(v) if k == "device" and v else v
        for k, v in kwargs.items()
    }
    torch.manual_seed(1)
    before = torch.get_rng_state()
    mine = Net(raw.nn_skip_init(name, args, across))
    assert torch.equal(torch.get_rng_state(), before)
    wanted = nn.utils.skip_init(getattr(nn, name), *args, **kwargs)
    assert repr(mine) == repr(wanted)
    mine_named = dict(mine.named_parameters())
    assert list(mine_named) == [n for n, _ in wanted.named_parameters()]
    for n, p in wanted.named_parameters():
        q = mine_named[n]
        assert tuple(q.shape) == tuple(p.shape) and str(q.device) == str(p.device) and q.requires_grad
        assert str(q.dtype).split(".")[-1] == str(p.dtype).split(".")[-1]


def test_recurrent_modules_are_made_too():
    """Python refuses them, because their signature is *args."""
    before = torch.get_rng_state()
    mine = Net(raw.nn_skip_init("LSTM", (3, 4), {"num_layers": 2}))
    assert torch.equal(torch.get_rng_state(), before)
    assert repr(mine) == repr(nn.LSTM(3, 4, num_layers=2)) and len(mine.parameters()) == 8


def test_skip_init_refuses_what_python_refuses():
    for name, kwargs in (("Sequential", None), ("ReLU", {}), ("Dropout", {"device": ctorch.device("cpu")})):
        with pytest.raises(RuntimeError, match="'device' arg"):
            raw.nn_skip_init(name, None, kwargs)
    for args, kwargs in (((3,), {}), ((3, 4), {"device": 3.5}), ((3, 4, True, ctorch.device("cpu")), {}), (3, None)):
        with pytest.raises(TypeError):
            raw.nn_skip_init("Linear", args, kwargs)
    with pytest.raises(LOOKUP, match="no attribute 'Linea'"):
        raw.nn_skip_init("Linea", None, None)
