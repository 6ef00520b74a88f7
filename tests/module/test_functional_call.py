"""Modules as functions of their parameters, beside torch.func.functional_call and stack_module_state."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.func import functional_call, grad, jvp, stack_module_state, vmap

from tests.module.test_module import is_same
from tests.nn.net import make, plain, raw, sequential
from tests.nn.test_nn import theirs
from tests.nn_utils.test_utils import ours, same

LOOKUP = (KeyError, AttributeError, IndexError)


def both(*layers, seed=0):
    torch.manual_seed(seed)
    expected = nn.Sequential(*[getattr(nn, name)(*args) for name, *args in layers])
    mine = sequential(*[make(name, *args) for name, *args in layers])
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    return expected, mine


def call(mine, given, *args, tie_weights=True, strict=False, **kwargs):
    return raw.module_functional_call(mine.module, given, args, kwargs, tie_weights, strict)


def result(*args, **kwargs):
    return plain(call(*args, **kwargs))


def unchanged(mine, before) -> bool:
    return all(is_same(a, b) for a, b in zip(mine.parameters() + mine.buffers(), before, strict=True))


NET = (("Linear", 3, 4), ("Tanh",), ("Linear", 4, 2))


def given_for(expected):
    return {k: torch.randn_like(v) for k, v in expected.named_parameters()}


@pytest.mark.parametrize("names", [("0.weight",), ("2.bias", "0.bias"), ("0.weight", "0.bias", "2.weight", "2.bias")])
@pytest.mark.parametrize("form", [dict, list, tuple])
def test_parameters_that_are_given_take_the_place_of_the_modules(names, form):
    expected, mine = both(*NET)
    before = mine.parameters() + mine.buffers()
    x = torch.randn(5, 3)
    given = {k: v for k, v in given_for(expected).items() if k in names}
    dicts = given if form is dict else form([{k: v} for k, v in given.items()])
    own = {k: ours(v) for k, v in given.items()}
    own_dicts = own if form is dict else form([{k: v} for k, v in own.items()])
    assert same(result(mine, own_dicts, ours(x)), functional_call(expected, dicts, (x,)))
    assert unchanged(mine, before)


def test_none_takes_the_place_too():
    expected, mine = both(("Linear", 3, 4))
    x = torch.randn(5, 3)
    assert same(result(mine, {"0.bias": None}, ours(x)), functional_call(expected, {"0.bias": None}, (x,)))
    assert "0.bias" in dict(mine.named_parameters())


def test_keyword_arguments():
    expected, mine = both(("Linear", 3, 4))
    x, w = torch.randn(5, 3), torch.randn(4, 3)
    want = functional_call(expected[0], {"weight": w}, (), {"input": x})
    assert same(result(mine[0], {"weight": ours(w)}, input=ours(x)), want)


def test_running_statistics_land_in_what_is_given():
    expected, mine = both(("BatchNorm1d", 3))
    x = torch.randn(8, 3)
    given = {k: v.clone() for k, v in expected.named_buffers()}
    own = {k: ours(v) for k, v in given.items()}
    assert same(result(mine, own, ours(x)), functional_call(expected, given, (x,)))
    assert all(same(own[k], given[k]) for k in given) and int(given["0.num_batches_tracked"]) == 1
    assert all(same(a, b) for a, b in zip(mine.buffers(), expected.buffers()))  # these have not moved


def tied():
    expected, mine = both(("Linear", 3, 3, False), ("Linear", 3, 3, False))
    expected[1].weight = expected[0].weight
    mine[1].register_parameter("weight", mine[0].get_parameter("weight"))
    return expected, mine


@pytest.mark.parametrize("tie_weights", [True, False])
@pytest.mark.parametrize("name", ["0.weight", "1.weight"])
def test_tied_weights(tie_weights, name):
    expected, mine = tied()
    x, w = torch.randn(2, 3), torch.randn(3, 3)
    want = functional_call(expected, {name: w}, (x,), tie_weights=tie_weights)
    assert same(result(mine, {name: ours(w)}, ours(x), tie_weights=tie_weights), want)


def test_several_values_for_one_tensor():
    expected, mine = tied()
    x, w = torch.randn(2, 3), torch.randn(3, 3)
    one, other = ours(w), ours(w + 1)
    with pytest.raises(ValueError) as theirs_is:
        functional_call(expected, {"1.weight": w + 1, "0.weight": w}, (x,))
    with pytest.raises(ValueError) as mine_is:
        call(mine, {"1.weight": other, "0.weight": one}, ours(x))
    assert str(theirs_is.value) in str(mine_is.value)
    given = {"0.weight": w, "1.weight": w}
    assert same(result(mine, {"0.weight": one, "1.weight": one}, ours(x)), functional_call(expected, given, (x,)))
    given["1.weight"] = w + 1
    want = functional_call(expected, given, (x,), tie_weights=False)
    assert same(result(mine, {"0.weight": one, "1.weight": other}, ours(x), tie_weights=False), want)


@pytest.mark.parametrize(
    "names",
    [("0.weight",), ("0.weight", "0.bias", "2.weight", "2.bias", "zz", "a"), ("0.weight", "0.bias", "odd"), ()],
)
def test_strict(names):
    expected, mine = both(*NET)
    given = {n: torch.ones(()) for n in names}
    with pytest.raises(RuntimeError) as theirs_is:
        functional_call(expected, given, (torch.ones(3),), strict=True)
    with pytest.raises(RuntimeError) as mine_is:
        call(mine, {k: ours(v) for k, v in given.items()}, ours(torch.ones(3)), strict=True)
    assert str(theirs_is.value) in str(mine_is.value)


def test_strict_takes_all_names_and_tied_ones():
    expected, mine = tied()
    x, w = torch.randn(2, 3), torch.randn(3, 3)
    want = functional_call(expected, {"0.weight": w}, (x,), strict=True)
    assert same(result(mine, {"0.weight": ours(w)}, ours(x), strict=True), want)


def test_unknown_names_are_left_aside():
    expected, mine = both(*NET)
    x = torch.randn(5, 3)
    assert same(result(mine, {"odd": ours(x), "0.odd": ours(x)}, ours(x)), expected(x))


ODD = {
    "no dict": 3,
    "no dicts": [{}, 3],
    "in two": [{"0.bias": "bias"}, {"0.bias": "bias"}],
    "no text": {3: "bias"},
    "no tensor": {"0.bias": 3.0},
    "a module": {"0": "bias"},
    "no module": {"odd.bias": "bias"},
    "in a parameter": {"0.bias.bias": "bias"},
    "empty": {"": "bias"},
    "empty inside": {"0.": "bias"},
    "attribute": {"0.training": "bias"},
}


def with_tensors(given, tensor):
    if isinstance(given, dict):
        return {k: tensor if v == "bias" else v for k, v in given.items()}
    return [with_tensors(g, tensor) for g in given] if isinstance(given, list) else given


@pytest.mark.parametrize("name", ODD)
def test_what_is_refused_leaves_the_module_as_it_was(name):
    expected, mine = both(*NET)
    before = mine.parameters()
    x = torch.randn(5, 3)
    first = {"0.weight": torch.randn(4, 3)}
    given = with_tensors(ODD[name], torch.randn(4))
    own = with_tensors(ODD[name], ours(torch.randn(4)))
    if isinstance(given, dict) and name != "no text":
        given, own = first | given, {"0.weight": ours(first["0.weight"])} | own
    with pytest.raises(Exception) as theirs_is:
        functional_call(expected, given, (x,))
    kinds = {KeyError: LOOKUP, AttributeError: (*LOOKUP, TypeError)}.get(theirs_is.type, (theirs_is.type, *LOOKUP))
    with pytest.raises(kinds):
        call(mine, own, ours(x))
    assert unchanged(mine, before)


def test_a_call_that_fails_leaves_the_module_as_it_was():
    _, mine = both(*NET)
    before = mine.parameters()
    with pytest.raises(RuntimeError, match="0: "):
        call(mine, {"2.weight": ours(torch.ones(1)), "0.weight": ours(torch.ones(2, 2))}, ours(torch.ones(5, 3)))
    assert unchanged(mine, before)


def test_a_module_in_two_places():
    expected, mine = both(("Linear", 3, 3))
    expected.append(expected[0])
    mine.append(mine[0])
    before = mine.parameters()
    x, one, other = torch.randn(2, 3), torch.randn(3, 3), torch.randn(3, 3)
    own = {"0.weight": ours(one), "1.weight": ours(other)}
    want = functional_call(expected, {"0.weight": one, "1.weight": other}, (x,), tie_weights=False)
    assert same(result(mine, own, ours(x), tie_weights=False), want)
    assert unchanged(mine, before)


def test_what_a_hook_puts_in_place_comes_back_in_the_dict():
    _, mine = both(("BatchNorm1d", 3))
    put, given = ours(torch.full((3,), 7.0)), ours(torch.zeros(3))

    def hook(module, args, kwargs):
        raw.module_register_buffer(module, "running_mean", put, True)

    raw.module_register_forward_pre_hook(mine[0].module, hook, False, False)
    before = mine.buffers()
    value = raw.value_from_dict([raw.value_from_string("0.running_mean")], [raw.value_from_tensor(given)])
    call(mine, value, ours(torch.randn(4, 3)))
    assert is_same(plain(value)["0.running_mean"], put)
    assert unchanged(mine[0], mine.parameters() + before)


# Transforms.


@pytest.fixture
def problem():
    expected, mine = both(*NET)
    parameters = {k: v.detach() for k, v in expected.named_parameters()}
    x, t = torch.randn(6, 3), torch.randn(6, 2)

    def loss(tensors, x, t):
        return ((functional_call(expected, tensors, (x,)) - t) ** 2).mean()

    def own(given):
        *tensors, a, b = given
        d = result(mine, dict(zip(parameters, tensors, strict=True)), a) - b
        return [(d * d).mean()]

    inputs = [ours(v) for v in (*parameters.values(), x, t)]
    return parameters, x, t, loss, own, inputs


def close(mine, expected) -> bool:
    return torch.allclose(theirs(mine), expected, rtol=1e-6, atol=1e-7)


def test_gradients_by_parameters(problem):
    parameters, x, t, loss, own, inputs = problem
    want = grad(loss)(parameters, x, t)
    got, _ = raw.func_grad(own, inputs, range(len(parameters)), 0)
    assert all(close(a, b) for a, b in zip(got, want.values(), strict=True))


def test_gradients_of_each_sample(problem):
    parameters, x, t, loss, own, inputs = problem
    want = vmap(grad(loss), (None, 0, 0))(parameters, x, t)

    def gradients(given):
        return list(raw.func_grad(own, list(given), range(len(parameters)), 0)[0])

    dims = [-1000] * len(parameters) + [0, 0]
    got = raw.func_vmap(gradients, inputs, dims, None, 0)
    assert all(close(a, b) for a, b in zip(got, want.values(), strict=True))


def test_directional_derivatives(problem):
    parameters, x, t, loss, own, inputs = problem
    tangents = {k: torch.randn_like(v) for k, v in parameters.items()}
    _, want = jvp(lambda p: loss(p, x, t), (parameters,), (tangents,))
    directions = [ours(v) for v in tangents.values()]

    def of_parameters(given):
        return own([*given, *inputs[-2:]])

    got = raw.func_jvp(of_parameters, inputs[:-2], directions, False, 0)
    assert close(list(got[1])[0], want)


# Ensembles.


def ensemble(*layers, count=3):
    pairs = [both(*layers, seed=s) for s in range(count)]
    listed = make("ModuleList")
    for _, mine in pairs:
        listed.append(mine)
    return [e for e, _ in pairs], [m for _, m in pairs], listed


@pytest.mark.parametrize("layers", [NET, (("Linear", 3, 3), ("BatchNorm1d", 3)), (("Tanh",),)], ids=str)
def test_stacked_state(layers):
    expected, _, listed = ensemble(*layers)
    for want, got in zip(stack_module_state(expected), raw.module_stack_state(listed.module)):
        got = plain(got)
        assert list(got) == list(want)
        assert all(same(got[k], want[k]) and got[k].requires_grad == want[k].requires_grad for k in want)
        assert all(got[k].is_leaf for k in got)


def test_an_ensemble_under_vmap():
    expected, nets, listed = ensemble(*NET)
    x = torch.randn(5, 3)
    parameters, buffers = stack_module_state(expected)
    want = vmap(lambda p, b, x: functional_call(expected[0], (p, b), (x,)), (0, 0, None))(parameters, buffers, x)
    stacked = plain(raw.module_stack_state(listed.module)[0])

    def one(given):
        given = list(given)
        return [result(nets[0], [dict(zip(stacked, given[:-1], strict=True)), {}], given[-1])]

    got = raw.func_vmap(one, [*stacked.values(), ours(x)], [0] * len(stacked) + [-1000], None, 0)
    assert close(list(got)[0], want)


def test_stacks_that_are_refused():
    empty = make("ModuleList")
    with pytest.raises(RuntimeError, match="Expected at least one model, got 0"):
        raw.module_stack_state(empty.module)
    _, nets, listed = ensemble(*NET)
    nets[1].eval()
    with pytest.raises(RuntimeError, match="same training/eval mode"):
        raw.module_stack_state(listed.module)
    nets[1].train()
    nets[1][0].requires_grad_(False)
    with pytest.raises(RuntimeError, match=r"Expected 0\.weight from each model to have the same \.requires_grad"):
        raw.module_stack_state(listed.module)
    nets[1][0].requires_grad_(True)
    nets[2].register_module("0", make("Linear", 3, 5))
    with pytest.raises(RuntimeError):
        raw.module_stack_state(listed.module)
    nets[2].register_module("0", make("Linear", 3, 4, False))
    with pytest.raises(LOOKUP, match=r"0\.bias"):
        raw.module_stack_state(listed.module)
    listed.append(make("Tanh"))
    with pytest.raises(RuntimeError, match="of the same class"):
        raw.module_stack_state(listed.module)
