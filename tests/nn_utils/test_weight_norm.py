"""Weights as a direction and a length, beside torch.nn.utils.weight_norm."""

from __future__ import annotations

import copy
import warnings

import pytest
import torch
from torch import nn

from tests.nn.net import Net, make, raw, sequential
from tests.nn.test_nn import theirs
from tests.nn_utils.test_utils import ours, same

LOOKUP = (KeyError, AttributeError, IndexError)
LAYERS = {
    "Linear": ((3, 4), (5, 3)),
    "Conv2d": ((2, 3, 2), (1, 2, 4, 4)),
    "ConvTranspose1d": ((2, 3, 2), (1, 2, 4)),
    "Bilinear": ((2, 3, 4), None),
}


def normalize(module, name="weight", dim=0):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nn.utils.weight_norm(module, name, dim)


def both(name, *args, weight="weight", dim=0):
    torch.manual_seed(0)
    expected, mine = getattr(nn, name)(*args), make(name, *args)
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    normalize(expected, weight, dim)
    raw.module_weight_norm(mine.module, weight, -1 if dim is None else dim)
    return expected, mine


def equal(mine, expected) -> bool:
    found, wanted = mine.state_dict(), expected.state_dict()
    return list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)


def apply(expected, mine, shape):
    torch.manual_seed(1)
    inputs = [torch.randn(shape)] if shape else [torch.randn(5, 2), torch.randn(5, 3)]
    return mine.call(*[ours(x) for x in inputs]), expected(*inputs)


def value(of):
    return raw.value_to_tensor(of)


@pytest.mark.parametrize("dim", [0, 1, None, -1])
@pytest.mark.parametrize("name", LAYERS)
def test_values_gradients_and_state(name, dim):
    expected, mine = both(name, *LAYERS[name][0], dim=dim)
    assert equal(mine, expected) and repr(mine) == repr(expected)
    assert [n for n, _ in mine.named_parameters()] == [n for n, _ in expected.named_parameters()]
    for _ in range(2):
        got, want = apply(expected, mine, LAYERS[name][1])
        assert same(value(got), want)
        want.square().sum().backward()
        out = value(got)
        (out * out).sum().backward()
        for a, b in zip(mine.parameters(), expected.parameters(), strict=True):
            assert torch.allclose(theirs(a.grad), b.grad, rtol=1e-5, atol=1e-6)
        with torch.no_grad():  # a step: the weight of the next call follows
            for a, b in zip(mine.parameters(), expected.parameters()):
                b.add_(0.5)
                theirs(a).copy_(b)


def test_a_recurrent_weight():
    expected, mine = both("LSTM", 3, 4, weight="weight_hh_l0")
    x = torch.randn(2, 5, 3)
    assert same(raw.value_to_tensor(raw.value_get(mine.call(ours(x)), 0)), expected(x)[0])
    assert equal(mine, expected)


def test_removed_again():
    expected, mine = both("Linear", 3, 4)
    with torch.no_grad():
        expected.weight_g.mul_(2)
        theirs(mine.get_parameter("weight_g")).mul_(2)
    nn.utils.remove_weight_norm(expected)
    raw.module_remove_weight_norm(mine.module, None)
    found, wanted = mine.state_dict(), expected.state_dict()
    assert set(found) == set(wanted) and all(same(found[k], wanted[k]) for k in wanted)
    assert all(p.requires_grad and p.is_leaf for p in mine.parameters())
    got, want = apply(expected, mine, (5, 3))
    assert same(value(got), want)
    raw.module_weight_norm(mine.module, "weight", 0)
    assert list(mine.state_dict()) == ["bias", "weight_g", "weight_v"]


def test_a_copy_is_computed_from_its_own():
    _, mine = both("Linear", 3, 4)
    other = Net(raw.module_copy(mine.module))
    x = ours(torch.randn(2, 3))
    before = mine(x)
    with torch.no_grad():
        theirs(other.get_parameter("weight_g")).zero_()
    assert same(mine(x), theirs(before))
    assert same(other(x), theirs(other.get_parameter("bias")).expand(2, 4))
    raw.module_remove_weight_norm(other.module, None)
    assert "weight_g" in mine.state_dict() and same(mine(x), theirs(before))


def test_loaded_and_converted():
    expected, mine = both("Linear", 3, 4)
    state = {k: v + 1 for k, v in expected.state_dict().items()}
    expected.load_state_dict(state)
    mine.load_state_dict({k: ours(v) for k, v in state.items()})
    net = sequential(mine)
    net.to(dtype=ours(torch.zeros((), dtype=torch.float64)).dtype)
    x = torch.randn(2, 3).double()
    assert same(net(ours(x)), copy.deepcopy(expected_without_graph(expected)).double()(x))
    net.requires_grad_(False)
    assert not net(ours(x)).requires_grad
    assert raw.module_num_parameters(net.module, False) == 4 + 12 + 4


def expected_without_graph(module):
    module.weight = module.weight.detach()
    return module


def test_what_is_refused():
    _, mine = both("Linear", 3, 4)
    with pytest.raises(RuntimeError, match="Cannot register two weight_norm hooks on the same parameter weight"):
        raw.module_weight_norm(mine.module, None, 0)
    with pytest.raises(LOOKUP, match="already exists"):
        mine.register_buffer("weight", ours(torch.ones(1)))
    with pytest.raises(LOOKUP, match="already exists"):
        mine.register_parameter("weight", ours(torch.ones(1)))
    with pytest.raises(LOOKUP, match="is not an nn.Parameter"):
        mine.get_parameter("weight")
    with pytest.raises(ValueError, match="weight_norm of 'bias' not found in Linear"):
        raw.module_remove_weight_norm(mine.module, "bias")
    with pytest.raises(LOOKUP):
        raw.module_weight_norm(mine.module, "odd", 0)
    plain = make("Linear", 3, 4, False)
    with pytest.raises(TypeError, match="is None"):
        raw.module_weight_norm(plain.module, "bias", 0)
    plain.register_buffer("weight_v", ours(torch.ones(1)))
    before = list(plain.state_dict())
    with pytest.raises(LOOKUP, match="'weight_v' already exists"):
        raw.module_weight_norm(plain.module, "weight", 0)
    with pytest.raises((IndexError, RuntimeError)):
        raw.module_weight_norm(make("Linear", 3, 4).module, "weight", 7)
    assert list(plain.state_dict()) == before
    del mine.weight_g
    with pytest.raises(RuntimeError, match="no weight_g"):
        mine(ours(torch.ones(2, 3)))
