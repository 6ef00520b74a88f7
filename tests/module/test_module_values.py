"""Modules as values: what makes modules by name takes them, alone and in lists and dicts."""

from __future__ import annotations

from collections import OrderedDict

import pytest
import torch

from tests.nn.test_nn import ctorch, raw, theirs

nn = ctorch.nn


def create(name, *args, **kwargs):
    return raw.nn_create(name, args, kwargs)


def both(name, *args, **kwargs):
    """The same by name here and by its class in Python: `args` are made by functions of torch or ctorch."""
    made = []
    for t in (ctorch, torch):
        torch.manual_seed(3)
        given = [a(t) if callable(a) else a for a in args], {k: a(t) if callable(a) else a for k, a in kwargs.items()}
        make = create if t is ctorch else lambda name, *a, **k: getattr(torch.nn, name)(*a, **k)
        made.append(make(name, *given[0], **given[1]))
    return made


def layer(t):
    return t.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)


CASES = {
    "encoder": ("TransformerEncoder", [layer, 2], {}),
    "encoder by keywords": (
        "TransformerEncoder",
        [],
        {"encoder_layer": layer, "num_layers": 3, "norm": lambda t: t.nn.LayerNorm(8), "enable_nested_tensor": False},
    ),
    "encoder without a norm": ("TransformerEncoder", [layer, 1, None], {}),
    "decoder": ("TransformerDecoder", [lambda t: t.nn.TransformerDecoderLayer(8, 2, 16), 2], {}),
    "transformer": (
        "Transformer",
        [8, 2],
        {"custom_encoder": lambda t: t.nn.Identity(), "custom_decoder": lambda t: t.nn.Linear(8, 8)},
    ),
    "activation": ("TransformerEncoderLayer", [8, 2, 16], {"activation": lambda t: t.nn.LeakyReLU(0.2)}),
    "sequential": ("Sequential", [lambda t: t.nn.Linear(3, 4), lambda t: t.nn.ReLU(), lambda t: t.nn.Linear(4, 2)], {}),
    "sequential of nothing": ("Sequential", [], {}),
    "sequential of a dict": (
        "Sequential",
        [lambda t: OrderedDict(first=t.nn.Linear(3, 4), second=t.nn.Tanh())],
        {},
    ),
    "list": ("ModuleList", [lambda t: [t.nn.Linear(2, 2), t.nn.Linear(2, 2)]], {}),
    "list of a tuple": ("ModuleList", [lambda t: (t.nn.Linear(2, 2), t.nn.Identity())], {}),
    "list by its keyword": ("ModuleList", [], {"modules": lambda t: [t.nn.GELU()]}),
    "list of None": ("ModuleList", [None], {}),
    "dict": ("ModuleDict", [lambda t: {"a": t.nn.Linear(2, 2), "b": t.nn.Identity()}], {}),
    "ordered dict": ("ModuleDict", [], {"modules": lambda t: OrderedDict(z=t.nn.Linear(1, 1), a=t.nn.Identity())}),
    "parameters": ("ParameterDict", [lambda t: {"w": t.nn.Parameter(t.ones(2, 3)), "b": None}], {}),
}


@pytest.mark.parametrize("name", CASES)
def test_creation_by_name_takes_modules(name):
    kind, args, kwargs = CASES[name]
    mine, wanted = both(kind, *args, **kwargs)
    assert type(mine).__name__ == kind
    if kind != "ParameterDict":  # whose text Python fits to the tensors
        assert repr(mine) == repr(wanted)
    state, expected = mine.state_dict(), wanted.state_dict()
    assert list(state) == list(expected)
    for key, tensor in expected.items():
        assert torch.equal(theirs(state[key]), tensor), key


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "message"),
    [
        ("TransformerEncoder", [1, 2], {}, "argument 'encoder_layer' must be Module, not int"),
        ("TransformerEncoder", [], {"num_layers": 2}, "missing required argument: 'encoder_layer'"),
        ("Sequential", [nn.ReLU(), 3], {}, "'1' must be Module, not int"),
        ("Sequential", [[nn.ReLU()]], {}, "'0' must be Module, not list"),
        ("Sequential", [], {"input": nn.ReLU()}, "takes no keyword arguments"),
        ("ModuleList", [nn.ReLU()], {}, "argument 'modules' must be list, not Module"),
        ("ModuleList", [[nn.ReLU()], 1], {}, "takes 1 argument, 'modules', but 2 were given"),
        ("ModuleList", [], {"values": []}, "unexpected keyword argument 'values'"),
        ("ModuleDict", [[nn.ReLU()]], {}, "argument 'modules' must be dict, not list"),
        ("ModuleDict", [{1: nn.ReLU()}], {}, "str"),
        ("ParameterDict", [{"a": nn.ReLU()}], {}, "'a' must be Tensor, not Module"),
        ("Linear", [nn.ReLU(), 2], {}, "argument 'in_features' must be int, not Module"),
    ],
)
def test_what_is_no_module_or_no_place_for_one(name, args, kwargs, message):
    with pytest.raises(TypeError, match=message):
        create(name, *args, **kwargs)


def test_a_value_holds_the_module_itself():
    module = nn.Linear(2, 3)
    value = ctorch.to_value([module, module])
    again = ctorch.from_value(value)
    assert again[0] is module and again[1] is module
    assert raw.value_kind_of(raw.value_get(value, 0)) == 21
    assert str(raw.value_repr(value)) == f"[{module!r}, {module!r}]"
    other = ctorch.to_value([module, nn.Linear(2, 3)])
    assert raw.value_equal(value, value) and not raw.value_equal(value, other)


def test_a_deep_copy_of_a_value_copies_modules_once():
    module = nn.Linear(2, 3)
    copied = ctorch.from_value(raw.value_deep_copy(ctorch.to_value([module, {"a": module}])))
    assert copied[0] is copied[1]["a"] and copied[0] is not module
    assert torch.equal(theirs(copied[0].weight), theirs(module.weight))
    with ctorch.no_grad():
        module.weight.zero_()
    assert not torch.equal(theirs(copied[0].weight), theirs(module.weight))


def test_what_is_no_module():
    for other in (None, 1, [nn.ReLU()], ctorch.ones(2)):
        with pytest.raises(TypeError, match="expected Module, found"):
            raw.value_to_module(ctorch.to_value(other))


def test_operators_refuse_modules():
    with pytest.raises(TypeError):
        raw.op_call("aten::relu", "", [nn.ReLU()], None)


def test_a_forward_of_ones_own_takes_modules():
    class Applied(nn.Module):
        def forward(self, x, inner):
            return inner(x), inner

    linear = nn.Linear(2, 2)
    x = ctorch.ones(1, 2)
    y, given = Applied()(x, linear)
    assert given is linear and torch.equal(theirs(y), theirs(linear(x)))
