"""Weights with a spectral norm of 1, beside torch.nn.utils.spectral_norm."""

from __future__ import annotations

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
}
OPTIONS = [{}, dict(n_power_iterations=3, eps=1e-6), dict(dim=1), dict(name="bias")]


def spectral(module, name=None, n_power_iterations=1, eps=1e-12, dim=None):
    raw.module_spectral_norm(module.module, name, n_power_iterations, eps, dim)


def both(layer, *args, **options):
    torch.manual_seed(0)
    expected, mine = getattr(nn, layer)(*args), make(layer, *args)
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    torch.manual_seed(1)
    nn.utils.spectral_norm(expected, **options)
    state = torch.get_rng_state()
    torch.manual_seed(1)
    spectral(mine, **options)
    assert torch.equal(torch.get_rng_state(), state)
    return expected, mine


def equal(mine, expected) -> bool:
    found, wanted = mine.state_dict(), expected.state_dict()
    return list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)


def values(module) -> dict:
    return {k: ours(v.clone()) for k, v in module.state_dict().items()}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("layer", LAYERS)
def test_training_beside_python(layer, options):
    args, shape = LAYERS[layer]
    if options.get("name") == "bias":
        options = {**options, "dim": 0}
    expected, mine = both(layer, *args, **options)
    assert equal(mine, expected) and repr(mine) == repr(expected)
    assert mine.metadata() == {k: dict(v) for k, v in expected.state_dict()._metadata.items()}
    assert [n for n, _ in mine.named_parameters()] == [n for n, _ in expected.named_parameters()]
    x, name = torch.randn(shape), options.get("name", "weight")
    for _ in range(10):
        got, want = mine(ours(x)), expected(x)
        assert same(got, want) and same(raw.module_get_tensor(mine.module, name), getattr(expected, name))
        want.square().sum().backward()
        (got * got).sum().backward()
        with torch.no_grad():
            for a, b in zip(mine.parameters(), expected.parameters(), strict=True):
                assert torch.allclose(theirs(a.grad), b.grad, rtol=1e-4, atol=1e-5)
                b.sub_(b.grad, alpha=0.01)
                theirs(a).copy_(b)
        mine.zero_grad()
        expected.zero_grad()
    assert equal(mine, expected)
    expected.eval()
    mine.eval()
    for _ in range(2):
        assert same(mine(ours(x)), expected(x)) and equal(mine, expected)
    twin = Net(raw.module_copy(mine.module))
    assert equal(twin, expected) and same(twin(ours(x)), expected(x))
    nn.utils.remove_spectral_norm(expected, name)
    raw.module_remove_spectral_norm(mine.module, name)
    found, wanted = mine.state_dict(), expected.state_dict()
    assert set(found) == set(wanted) and all(same(found[k], wanted[k]) for k in wanted)
    assert same(mine(ours(x)), expected(x)) and mine.metadata() == {"": {"version": 1}}
    assert all(p.requires_grad and p.is_leaf for p in mine.parameters())


def test_state_into_python_and_back():
    expected, mine = both("Linear", 3, 4)
    other, my_other = both("Linear", 3, 4)
    x = torch.randn(2, 3)
    expected(x)
    metadata = {k: dict(v) for k, v in expected.state_dict()._metadata.items()}
    assert mine.load_state_dict(values(expected), metadata=metadata) == ([], [])
    other.load_state_dict({k: theirs(v).clone() for k, v in mine.state_dict().items()})
    assert my_other.load_state_dict(values(expected)) == ([], [])  # without metadata, as new as can be
    assert equal(mine, other) and equal(my_other, other)
    assert same(mine(ours(x)), other(x))


def old_state(expected) -> dict:
    """As version 0 saved it: the weight in the place of v."""
    state = {k: v.clone() for k, v in expected.state_dict().items()}
    state["weight"] = state["weight_orig"] / 3
    del state["weight_v"]
    return state


@pytest.mark.parametrize("nested", [False, True])
def test_state_of_version_0(nested):
    expected, mine = both("Linear", 3, 4)
    prefix = "0." if nested else ""
    state = {prefix + k: v for k, v in old_state(expected).items()}
    if nested:
        expected, mine = nn.Sequential(expected), sequential(mine)
    expected.load_state_dict({k: v.clone() for k, v in state.items()})
    assert mine.load_state_dict({k: ours(v) for k, v in state.items()}) == ([], [])
    assert equal(mine, expected)


@pytest.mark.parametrize("missing", ["weight", "weight_u", "weight_orig"])
def test_missing_in_version_0(missing):
    expected, mine = both("Linear", 3, 4)
    state = old_state(expected)
    del state[missing]
    for load in (
        lambda: expected.load_state_dict({k: v.clone() for k, v in state.items()}),
        lambda: mine.load_state_dict({k: ours(v) for k, v in state.items()}),
    ):
        with pytest.raises(RuntimeError, match=f'Missing key.*"{missing}"'):
            load()
    found = mine.load_state_dict({k: ours(v) for k, v in state.items()}, strict=False)
    wanted = expected.load_state_dict({k: v.clone() for k, v in state.items()}, strict=False)
    assert found == (list(wanted.missing_keys), list(wanted.unexpected_keys))


def test_two_weights_and_both_norms():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, mine = both("LSTM", 3, 4, name="weight_hh_l0")
        torch.manual_seed(2)
        nn.utils.spectral_norm(expected, "weight_ih_l0")
    torch.manual_seed(2)
    spectral(mine, "weight_ih_l0")
    x = torch.randn(2, 5, 3)
    assert same(raw.value_to_tensor(raw.value_get(mine.call(ours(x)), 0)), expected(x)[0])
    assert equal(mine, expected)
    assert mine.metadata() == {k: dict(v) for k, v in expected.state_dict()._metadata.items()}


def test_what_is_refused():
    mine, expected = make("Linear", 3, 4, False), nn.Linear(3, 4, False)
    said = repr(mine)
    with pytest.raises(LOOKUP):
        spectral(mine, "odd")
    with pytest.raises(ValueError, match="`SpectralNorm` cannot be applied as parameter `bias` is None"):
        spectral(mine, "bias")
    with pytest.raises(ValueError, match="Expected n_power_iterations to be positive"):
        spectral(mine, n_power_iterations=0)
    with pytest.raises(ValueError, match="n_power_iterations: expected at most 1000000"):
        spectral(mine, n_power_iterations=2**62)
    for dim in (2, -1, 2**60):
        with pytest.raises((RuntimeError, IndexError)):
            nn.utils.spectral_norm(expected, dim=dim)
        with pytest.raises(RuntimeError, match="dim"):
            spectral(mine, dim=dim)
    with pytest.raises(ValueError, match="spectral_norm of 'weight' not found in Linear"):
        raw.module_remove_spectral_norm(mine.module, None)
    mine.register_parameter("weight_v", ours(torch.ones(1)))
    with pytest.raises(LOOKUP, match="'weight_v' already exists"):
        spectral(mine)
    del mine.weight_v
    assert repr(mine) == said and list(mine.state_dict()) == ["weight"]
    spectral(mine)
    with pytest.raises(RuntimeError, match="Cannot register two spectral_norm hooks on the same parameter weight"):
        spectral(mine)
    with pytest.raises(RuntimeError, match="computed already"):
        raw.module_weight_norm(mine.module, None, 0)
    with pytest.raises(ValueError, match="does not have a parameter"):
        raw.module_register_parametrization(mine.module, "weight", make("ReLU").module, False)
    del mine.weight_u
    with pytest.raises(RuntimeError, match="no weight_u"):
        mine(ours(torch.ones(2, 3)))
