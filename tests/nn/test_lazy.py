"""Layers that take their sizes from the first input, beside Python's."""

from __future__ import annotations

import warnings

import pytest
import torch

from tests.nn.compare import ctorch, ours, raw, to_value
from tests.nn.test_nn import theirs

warnings.filterwarnings("ignore", message="Lazy modules are a new feature")


def parameters(module):
    return [theirs(p) for p in raw.module_parameters(module, True)]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_linear(bias, dtype):
    kind = getattr(torch, dtype)
    expected = torch.nn.LazyLinear(4, bias=bias, dtype=kind)
    module = ctorch.nn.LazyLinear(4, bias=bias, dtype=getattr(ctorch, dtype))
    assert str(module) == str(expected)
    before = list(raw.module_parameters(module, True))
    assert [tuple(theirs(p).shape) for p in before] == [(0,)] * (1 + bias)
    assert all(p.requires_grad and theirs(p).dtype == kind for p in before)
    copied = raw.module_copy(module)
    x = torch.randn(3, 5, dtype=kind)
    torch.manual_seed(1)
    wanted = expected(x)
    torch.manual_seed(1)
    assert torch.equal(theirs(raw.module_forward(module, ours(x))), wanted)
    assert str(module) == str(expected) == f"Linear(in_features=5, out_features=4, bias={bias})"
    for old, mine, theirs_ in zip(before, parameters(module), expected.parameters()):
        assert torch.equal(mine, theirs_) and torch.equal(theirs(old), theirs_)  # the same tensors, with sizes
        assert old.requires_grad
    assert "LazyLinear" in str(copied)
    torch.manual_seed(1)
    assert torch.equal(theirs(raw.module_forward(copied, ours(x))), wanted)


def test_linear_takes_its_sizes_from_a_state_dict():
    source = torch.nn.Linear(5, 4)
    expected, module = torch.nn.LazyLinear(4), ctorch.nn.LazyLinear(4)
    expected.load_state_dict(source.state_dict())
    state = to_value({k: ours(v) for k, v in source.state_dict().items()})
    raw.module_load_state_dict(module, state, None, True, False)
    assert str(module) == str(expected)  # lazy until its first forward
    x = torch.randn(3, 5)
    assert torch.equal(theirs(raw.module_forward(module, ours(x))), expected(x))
    assert str(module) == str(expected)
    for mine, wanted in zip(parameters(module), source.parameters()):
        assert torch.equal(mine, wanted)


def test_linear_draws_nothing_before_it_has_sizes():
    module = ctorch.nn.LazyLinear(4)
    state = torch.get_rng_state()
    raw.module_reset_parameters(module)
    assert torch.equal(torch.get_rng_state(), state)
    empty = raw.module_state_dict(module, None, False)[0]
    raw.module_load_state_dict(module, empty, None, True, False)
    assert "LazyLinear" in str(module)


@pytest.mark.parametrize("features, shape", [(-1, (2, 3)), (4, ())], ids=str)
def test_linear_refuses(features, shape):
    module = ctorch.nn.LazyLinear(features)
    with pytest.raises((RuntimeError, IndexError)):
        raw.module_forward(module, ours(torch.randn(shape)))
    assert "LazyLinear" in str(module)


def test_linear_refuses_half_a_state_dict():
    module = ctorch.nn.LazyLinear(4)
    raw.module_load_state_dict(module, to_value({"weight": ours(torch.ones(4, 5))}), None, False, False)
    with pytest.raises(RuntimeError, match="not been fully initialized"):
        raw.module_forward(module, ours(torch.ones(2, 5)))
    assert torch.equal(parameters(module)[0], torch.ones(4, 5))
