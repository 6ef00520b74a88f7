"""Weights by weight_norm, spectral_norm and orthogonal, beside torch.nn.utils.parametrizations."""

from __future__ import annotations

import copy
import warnings

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

from tests.nn.net import Net, make, raw
from tests.nn.test_nn import theirs
from tests.nn_utils.test_utils import ours, same

LOOKUP = (KeyError, AttributeError, IndexError)


def weight_norm(module, name=None, dim=0):
    raw.module_parametrize_weight_norm(module.module, name, -1 if dim is None else dim)


def spectral_norm(module, name=None, n_power_iterations=1, eps=1e-12, dim=None):
    raw.module_parametrize_spectral_norm(module.module, name, n_power_iterations, eps, dim)


def orthogonal(module, name=None, orthogonal_map=None, use_trivialization=True):
    raw.module_parametrize_orthogonal(module.module, name, orthogonal_map, use_trivialization)


MINE = {"weight_norm": weight_norm, "spectral_norm": spectral_norm, "orthogonal": orthogonal}

LAYERS = {
    "wide": ("Linear", (4, 3), (5, 4)),
    "tall": ("Linear", (3, 5), (5, 3)),
    "square": ("Linear", (4, 4), (5, 4)),
    "conv": ("Conv2d", (2, 3, 2), (1, 2, 4, 4)),
    "transposed conv": ("ConvTranspose1d", (2, 3, 2), (1, 2, 4)),
    "embedding": ("Embedding", (5, 3), None),
}


def both(layer, how, **options):
    name, args, shape = LAYERS[layer]
    torch.manual_seed(0)
    expected, mine = getattr(nn, name)(*args), make(name, *args)
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    torch.manual_seed(1)
    getattr(parametrizations, how)(expected, **options)
    state = torch.get_rng_state()
    torch.manual_seed(1)
    MINE[how](mine, **options)
    assert torch.equal(torch.get_rng_state(), state)
    return expected, mine, torch.tensor([[0, 2], [3, 1]]) if shape is None else torch.randn(shape)


def equal(mine, expected) -> bool:
    found, wanted = mine.state_dict(), expected.state_dict()
    return list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)


def get(mine, name="weight"):
    return raw.module_get_tensor(mine.module, name)


def train(expected, mine, x, steps=10):
    for _ in range(steps):
        got, want = mine(ours(x)), expected(x)
        assert same(got, want)
        want.square().sum().backward()
        (got * got).sum().backward()
        with torch.no_grad():
            for a, b in zip(mine.parameters(), expected.parameters(), strict=True):
                assert (a.grad is None) == (b.grad is None)
                if b.grad is not None:
                    assert torch.allclose(theirs(a.grad), b.grad, rtol=1e-4, atol=1e-5)
                    b.sub_(b.grad, alpha=0.01)
                theirs(a).copy_(b)
        mine.zero_grad()
        expected.zero_grad()


CASES = [
    *(("weight_norm", dict(dim=dim)) for dim in (0, 1, None)),
    ("spectral_norm", {}),
    ("spectral_norm", dict(n_power_iterations=3, dim=-1, eps=1e-6)),
    *(
        ("orthogonal", dict(orthogonal_map=name, use_trivialization=base))
        for name in (None, "matrix_exp", "cayley", "householder")
        for base in (True, False)
    ),
]


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("how, options", CASES, ids=lambda x: str(x))
def test_training_beside_python(layer, how, options):
    expected, mine, x = both(layer, how, **options)
    assert equal(mine, expected) and repr(mine) == repr(expected)
    train(expected, mine, x)
    assert equal(mine, expected)
    for module in (expected, mine):
        module.eval()
    assert same(mine(ours(x)), expected(x)) and same(get(mine), expected.weight) and equal(mine, expected)
    theirs_, twin = copy.deepcopy(expected), Net(raw.module_copy(mine.module))
    assert equal(twin, theirs_) and same(twin(ours(x)), theirs_(x))
    fresh, my_fresh, _ = both(layer, how, **options)
    fresh.load_state_dict({k: theirs(v).clone() for k, v in mine.state_dict().items()})
    my_fresh.load_state_dict({k: ours(v.clone()) for k, v in expected.state_dict().items()})
    assert equal(my_fresh, expected) and same(my_fresh(ours(x)), fresh(x))
    parametrize.remove_parametrizations(expected, "weight")
    raw.module_remove_parametrizations(mine.module, "weight", True)
    found, wanted = mine.state_dict(), expected.state_dict()
    assert set(found) == set(wanted) and all(same(found[k], wanted[k]) for k in wanted)


def test_assigned():
    for layer in ("square", "tall", "wide"):
        for base in (True, False):
            expected, mine, _ = both(layer, "orthogonal", orthogonal_map="householder", use_trivialization=base)
            for value in (torch.randn_like(expected.weight), torch.linalg.qr(torch.randn_like(expected.weight))[0]):
                if value.shape != expected.weight.shape:
                    continue
                torch.manual_seed(3)
                expected.weight = value.clone()
                torch.manual_seed(3)
                raw.module_set_parametrized(mine.module, "weight", ours(value.clone()))
                assert equal(mine, expected) and same(get(mine), expected.weight)
    expected, mine, _ = both("square", "orthogonal", use_trivialization=False)
    with pytest.raises(NotImplementedError, match="It is not possible to assign to the matrix exponential"):
        raw.module_set_parametrized(mine.module, "weight", ours(torch.ones(4, 4)))
    expected, mine, _ = both("square", "orthogonal")
    with pytest.raises(ValueError, match="Expected a matrix or batch of matrices of shape") as found:
        raw.module_set_parametrized(mine.module, "weight", ours(torch.ones(4, 3)))
    with pytest.raises(ValueError) as wanted:
        expected.weight = torch.ones(4, 3)
    assert str(wanted.value) in str(found.value)


def test_complex_batches():
    for shape in ((2, 4, 4), (3, 5, 2), (2, 5)):
        for dtype in (torch.complex64, torch.complex128, torch.float64):
            weight = torch.randn(shape, dtype=dtype)
            expected, mine = nn.Module(), make("Sequential")
            expected.w = nn.Parameter(weight.clone())
            mine.register_parameter("w", ours(weight.clone()).requires_grad_())
            torch.manual_seed(2)
            parametrizations.orthogonal(expected, "w", "cayley")
            torch.manual_seed(2)
            orthogonal(mine, "w", "cayley")
            assert same(get(mine, "w"), expected.w) and equal(mine, expected)
    with pytest.raises(ValueError, match="does not support complex tensors"):
        other = make("Sequential")
        other.register_parameter("w", ours(torch.ones(2, 2, dtype=torch.complex64)))
        orthogonal(other, "w", "householder")


def test_a_vector_of_length_one():
    weight = torch.randn(5)
    expected, mine = nn.Module(), make("Sequential")
    expected.w = nn.Parameter(weight.clone())
    mine.register_parameter("w", ours(weight.clone()).requires_grad_())
    parametrizations.spectral_norm(expected, "w")
    spectral_norm(mine, "w")
    assert same(get(mine, "w"), expected.w) and equal(mine, expected)


def test_state_of_the_old_weight_norm():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        old = nn.Sequential(nn.utils.weight_norm(nn.Linear(3, 4)))
    mine = make("Linear", 3, 4)
    weight_norm(mine)
    net = make("Sequential")
    net.append(mine)
    net = Net(raw.module_copy(net.module))
    assert net.load_state_dict({k: ours(v) for k, v in old.state_dict().items()}) == ([], [])
    x = torch.randn(2, 3)
    assert same(net(ours(x)), old(x))


def test_what_is_refused():
    mine, expected = make("Linear", 3, 4, False), nn.Linear(3, 4, False)
    said = repr(mine)
    for how in MINE.values():
        with pytest.raises(ValueError, match="has no parameter or buffer with name 'odd'"):
            how(mine, "odd")
        with pytest.raises(ValueError, match="has no parameter or buffer with name 'bias'"):
            how(mine, "bias")
    for arguments in (dict(n_power_iterations=0), dict(n_power_iterations=-1)):
        with pytest.raises(ValueError, match="Expected n_power_iterations to be positive"):
            spectral_norm(mine, **arguments)
        with pytest.raises(ValueError):
            parametrizations.spectral_norm(expected, **arguments)
    for dim in (2, -3, 2**60):
        with pytest.raises(IndexError, match="Dimension out of range") as found:
            spectral_norm(mine, dim=dim)
        with pytest.raises(IndexError) as wanted:
            parametrizations.spectral_norm(expected, dim=dim)
        assert str(wanted.value) in str(found.value)
    with pytest.raises(ValueError, match="orthogonal_map has to be one of"):
        orthogonal(mine, orthogonal_map="odd")
    with pytest.raises(ValueError, match="Got a tensor of 1 dimensions"):
        orthogonal(make("Linear", 3, 4), "bias")
    with pytest.raises((RuntimeError, IndexError)):
        weight_norm(mine, dim=7)
    assert repr(mine) == said and list(mine.state_dict()) == ["weight"]
    spectral_norm(mine)
    parametrizations.spectral_norm(expected)
    orthogonal(mine)
    parametrizations.orthogonal(expected)
    with pytest.raises(TypeError, match="unsupported operand"):
        get(mine)
    with pytest.raises(TypeError, match="unsupported operand"):
        print(expected.weight)
