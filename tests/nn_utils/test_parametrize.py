"""Tensors that modules compute, beside torch.nn.utils.parametrize."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize

from tests.nn.net import Net, make, raw, sequential
from tests.nn.test_nn import ctorch, theirs
from tests.nn_utils.test_utils import ours, same

LOOKUP = (KeyError, AttributeError, IndexError)


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)

    def right_inverse(self, a):
        return a.triu()


class Scale(nn.Module):
    def __init__(self, by=2.0):
        super().__init__()
        self.by = nn.Parameter(torch.tensor(by))

    def forward(self, x):
        return x * self.by


class Sum(nn.Module):
    def forward(self, x, y):
        return x + y

    def right_inverse(self, z):
        return z * 0.25, z * 0.75


class Shorter(nn.Module):
    def forward(self, x):
        return x[:2]


class Double(nn.Module):
    def forward(self, x):
        return x.double()


class MySymmetric(ctorch.nn.Module):
    def forward(self, x):
        return ctorch.triu(x) + ctorch.triu(x, 1).transpose(-1, -2)

    def right_inverse(self, a):
        return ctorch.triu(a)


class MyScale(ctorch.nn.Module):
    def __init__(self, by=2.0):
        super().__init__()
        self.by = ctorch.nn.Parameter(ours(torch.tensor(by)))

    def forward(self, x):
        return x * self.by


class MySum(ctorch.nn.Module):
    def forward(self, x, y):
        return x + y

    def right_inverse(self, z):
        return z * 0.25, z * 0.75


class MyShorter(ctorch.nn.Module):
    def forward(self, x):
        return x[:2]


class MyDouble(ctorch.nn.Module):
    def forward(self, x):
        return x.to(ctorch.float64)


KEPT: list = []  # raw functions keep no objects of Python's


def keep(module):
    KEPT.append(module)
    return module


def mine_of(parametrization):
    """The module of ctorch that does the same."""
    kind = globals()["My" + type(parametrization).__name__]
    made = kind(parametrization.by.item()) if isinstance(parametrization, Scale) else kind()
    return keep(made)


def both(name, *args, tensor="weight", by=(Symmetric,), unsafe=False):
    torch.manual_seed(0)
    expected, mine = getattr(nn, name)(*args), make(name, *args)
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    for kind in by:
        one = kind()
        parametrize.register_parametrization(expected, tensor, one, unsafe=unsafe)
        raw.module_register_parametrization(mine.module, tensor, mine_of(one), unsafe)
    return expected, mine


def equal(mine, expected) -> bool:
    found, wanted = mine.state_dict(), expected.state_dict()
    return list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)


def get(mine, name="weight"):
    return raw.module_get_tensor(mine.module, name)


def text(module) -> str:
    return repr(module).replace("My", "")


CASES = {
    "one": dict(by=(Symmetric,)),
    "chain": dict(by=(Symmetric, Scale)),
    "several originals": dict(by=(Sum, Symmetric)),
    "no right inverse": dict(by=(Scale,)),
}


@pytest.mark.parametrize("case", CASES)
def test_training_beside_python(case):
    expected, mine = both("Linear", 4, 4, **CASES[case])
    assert equal(mine, expected) and text(mine) == repr(expected)
    assert [n for n, _ in mine.named_parameters()] == [n for n, _ in expected.named_parameters()]
    for step in range(10):
        x = torch.randn(3, 4)
        got, want = mine(ours(x)), expected(x)
        assert same(got, want) and same(get(mine), expected.weight)
        want.square().sum().backward()
        (got * got).sum().backward()
        with torch.no_grad():
            for a, b in zip(mine.parameters(), expected.parameters(), strict=True):
                assert torch.allclose(theirs(a.grad), b.grad, rtol=1e-5, atol=1e-6), step
                b.sub_(b.grad, alpha=0.05)
                theirs(a).copy_(b)
        mine.zero_grad()
        expected.zero_grad()
    assert equal(mine, expected)


def test_the_parameter_stays_the_object_that_it_is():
    mine = make("Linear", 4, 4)
    before = mine.get_parameter("weight")
    raw.module_register_parametrization(mine.module, "weight", mine_of(Symmetric()), False)
    after = mine.get_parameter("parametrizations.weight.original")
    assert theirs(before).data_ptr() == theirs(after).data_ptr()
    assert same(before, theirs(after)) and torch.equal(theirs(before), theirs(before).triu())


@pytest.mark.parametrize("leave", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_removed_again(case, leave):
    expected, mine = both("Linear", 4, 4, **CASES[case])
    if case == "several originals" and not leave:
        for remove in (
            lambda: parametrize.remove_parametrizations(expected, "weight", leave),
            lambda: raw.module_remove_parametrizations(mine.module, "weight", leave),
        ):
            with pytest.raises(ValueError, match="Cannot leave unparametrized"):
                remove()
        return
    parametrize.remove_parametrizations(expected, "weight", leave)
    raw.module_remove_parametrizations(mine.module, "weight", leave)
    found, wanted = mine.state_dict(), expected.state_dict()
    assert set(found) == set(wanted) and all(same(found[k], wanted[k]) for k in wanted)
    assert repr(mine) == repr(expected)
    assert all(p.requires_grad and p.is_leaf for p in mine.parameters())
    x = torch.randn(2, 4)
    assert same(mine(ours(x)), expected(x))


def test_a_buffer():
    expected, mine = both("BatchNorm1d", 3, tensor="running_mean", by=(Sum,))
    assert equal(mine, expected) and text(mine) == repr(expected)
    expected.eval()
    mine.eval()
    with torch.no_grad():
        expected.parametrizations.running_mean.original0.fill_(3)
    theirs(mine.get_buffer("parametrizations.running_mean.original0")).fill_(3)
    x = torch.randn(5, 3)
    assert same(mine(ours(x)), expected(x)) and same(get(mine, "running_mean"), expected.running_mean)
    with pytest.raises(LOOKUP, match="already exists"):
        mine.register_buffer("running_mean", ours(torch.ones(3)))
    raw.module_remove_parametrizations(mine.module, "running_mean", True)
    parametrize.remove_parametrizations(expected, "running_mean")
    assert set(mine.state_dict()) == set(expected.state_dict()) and same(mine(ours(x)), expected(x))


def test_assigned():
    for by in ((Symmetric,), (Sum,)):
        expected, mine = both("Linear", 4, 4, by=by)
        value = torch.randn(4, 4)
        expected.weight = value.clone()
        raw.module_set_parametrized(mine.module, "weight", ours(value))
        assert equal(mine, expected) and same(get(mine), expected.weight)
    expected, mine = both("Linear", 4, 4, by=(Scale,))
    with pytest.raises(RuntimeError, match="parametrization Scale does not implement right_inverse"):
        expected.weight = value
    with pytest.raises(RuntimeError, match="parametrization MyScale does not implement right_inverse"):
        raw.module_set_parametrized(mine.module, "weight", ours(value))


def test_state_conversion_mode_and_copy():
    expected, mine = both("Linear", 4, 4, by=(Sum, Scale))
    state = {k: v + 1 for k, v in expected.state_dict().items()}
    expected.load_state_dict(state)
    mine.load_state_dict({k: ours(v) for k, v in state.items()})
    net, other = sequential(mine), nn.Sequential(expected)
    assert text(net) == repr(other)
    twin, theirs_ = Net(raw.module_copy(net.module)), copy.deepcopy(other)
    net.to(dtype=ctorch.float64)
    other.double()
    net.eval()
    other.eval()
    for a, b, x in ((net, other, torch.randn(2, 4).double()), (twin, theirs_, torch.randn(2, 4))):
        assert same(a(ours(x)), b(x)) and text(a) == repr(b)
        assert [m.training for _, m in a.named_modules()] == [m.training for m in b.modules()]
    net.requires_grad_(False)
    assert not net(ours(torch.randn(2, 4).double())).requires_grad
    assert all(p.requires_grad for p in twin.parameters())
    assert raw.module_num_parameters(twin.module, True) == sum(p.numel() for p in theirs_.parameters())


def test_functional_call():
    expected, mine = both("Linear", 4, 4, by=(Symmetric,))
    names = {"parametrizations.weight.original": torch.randn(4, 4), "bias": torch.randn(4)}
    x = torch.randn(3, 4)
    want = torch.func.functional_call(expected, names, (x,))
    got = raw.module_functional_call(mine.module, {k: ours(v) for k, v in names.items()}, (ours(x),), {}, True, True)
    assert same(raw.value_to_tensor(got), want) and same(mine(ours(x)), expected(x))


def test_cached():
    calls = []

    class Counting(ctorch.nn.Module):
        def forward(self, x):
            calls.append(1)
            return x * 2

    mine = make("Linear", 4, 4)
    raw.module_register_parametrization(mine.module, "weight", keep(Counting()), False)
    x = ours(torch.randn(2, 4))
    calls.clear()
    mine(x)
    mine(x)
    assert len(calls) == 2
    raw.module_cached_push()
    mine(x)
    raw.module_cached_push()
    a = get(mine)
    raw.module_cached_pop()
    mine(x)
    assert len(calls) == 3 and theirs(get(mine)).data_ptr() == theirs(a).data_ptr()
    raw.module_cached_pop()
    mine(x)
    assert len(calls) == 4
    with pytest.raises(RuntimeError, match="nothing was pushed"):
        raw.module_cached_pop()


@pytest.mark.parametrize("name", [None, "weight"])
def test_transferred(name):
    expected, mine = both("Linear", 4, 4, by=(Sum, Scale))
    to, my_to = nn.Linear(4, 4, bias=False), make("Linear", 4, 4, False)
    parametrize.transfer_parametrizations_and_params(expected, to, name)
    raw.module_transfer_parametrizations_and_params(mine.module, my_to.module, name)
    assert list(my_to.state_dict()) == list(to.state_dict()) and same(get(my_to), to.weight)
    with torch.no_grad():
        theirs(mine.get_parameter("parametrizations.weight.original0")).zero_()
        expected.parametrizations.weight.original0.zero_()
    assert same(get(my_to), to.weight)
    plain, my_plain = nn.ReLU(), make("ReLU")
    parametrize.transfer_parametrizations_and_params(expected, plain, name)
    raw.module_transfer_parametrizations_and_params(mine.module, my_plain.module, name)
    assert list(my_plain.state_dict()) == list(plain.state_dict()) and same(get(my_plain), plain.weight)
    raw.module_transfer_parametrizations_and_params(make("ReLU").module, my_plain.module, None)
    with pytest.raises(LOOKUP):
        raw.module_transfer_parametrizations_and_params(mine.module, my_plain.module, "bias")


def test_what_it_is_called():
    mine = make("Linear", 4, 4)
    assert not raw.module_is_parametrized(mine.module, None)
    raw.module_register_parametrization(mine.module, "weight", keep(MySymmetric()), False)
    assert raw.module_is_parametrized(mine.module, None) and raw.module_is_parametrized(mine.module, "weight")
    assert not raw.module_is_parametrized(mine.module, "bias")
    assert raw.module_name(mine.module) == "ParametrizedLinear"
    assert raw.module_type_before_parametrizations(mine.module) == "Linear"
    raw.module_register_parametrization(mine.module, "bias", keep(MyScale()), False)
    raw.module_remove_parametrizations(mine.module, "weight", True)
    assert raw.module_name(mine.module) == "ParametrizedLinear"
    raw.module_remove_parametrizations(mine.module, "bias", True)
    assert raw.module_name(mine.module) == "Linear" and not mine.named_children()


@pytest.mark.parametrize("by, said", [(Shorter, "may not change the shape"), (Double, "may not change the dtype")])
@pytest.mark.parametrize("first", [True, False])
def test_checked_unless_unsafe(by, said, first):
    expected, mine = both("Linear", 4, 4, by=() if first else (Symmetric,))
    before = mine.state_dict()
    one = by()
    with pytest.raises(ValueError, match=said) as wanted:
        parametrize.register_parametrization(expected, "weight", one)
    with pytest.raises(ValueError, match=said) as found:
        raw.module_register_parametrization(mine.module, "weight", mine_of(one), False)
    assert str(wanted.value) in str(found.value)
    after = mine.state_dict()
    assert list(after) == list(before) and all(same(after[k], theirs(before[k])) for k in before)
    assert text(mine) == repr(expected)
    parametrize.register_parametrization(expected, "weight", one, unsafe=True)
    raw.module_register_parametrization(mine.module, "weight", mine_of(one), True)
    assert same(get(mine), expected.weight)


RIGHT_INVERSES = [
    (lambda x: None, RuntimeError),
    (lambda x: 3, ValueError),
    (lambda x: (x, 3), ValueError),
    (lambda x: x.to(ctorch.float64), ValueError),
    (lambda x: 1 // 0, ZeroDivisionError),
]


@pytest.mark.parametrize("right_inverse, kind", RIGHT_INVERSES)
def test_right_inverses_that_fail_change_nothing(right_inverse, kind):
    mine = make("Linear", 4, 4)
    before, said = mine.state_dict(), repr(mine)
    one = type("Wrong", (MyScale,), {"right_inverse": lambda self, x: right_inverse(x)})()
    with pytest.raises(kind):
        raw.module_register_parametrization(mine.module, "weight", one, False)
    after = mine.state_dict()
    assert list(after) == list(before) and all(same(after[k], theirs(before[k])) for k in before)
    assert repr(mine) == said


def test_a_check_that_fails_gives_the_memory_back():
    class Wrong(ctorch.nn.Module):
        def forward(self, x):
            return x[:2]

        def right_inverse(self, x):
            return x * 3

    mine = make("Linear", 4, 4)
    weight = mine.get_parameter("weight")
    before, at = theirs(weight).clone(), theirs(weight).data_ptr()
    with pytest.raises(ValueError, match="may not change the shape"):
        raw.module_register_parametrization(mine.module, "weight", keep(Wrong()), False)
    assert same(weight, before) and theirs(weight).data_ptr() == at


def test_what_is_refused():
    mine = make("Linear", 4, 4, False)
    with pytest.raises(ValueError, match="a buffer, or a parametrized element with name 'odd'"):
        raw.module_register_parametrization(mine.module, "odd", keep(MyScale()), False)
    with pytest.raises(TypeError, match="is None"):
        raw.module_register_parametrization(mine.module, "bias", keep(MyScale()), False)
    with pytest.raises(ValueError, match="does not have a parametrization on weight"):
        raw.module_remove_parametrizations(mine.module, "weight", True)
    for inside in (mine, sequential(mine)):
        with pytest.raises(RuntimeError):
            raw.module_register_parametrization(mine.module, "weight", inside.module, True)
    assert repr(mine) == repr(nn.Linear(4, 4, False)) and list(mine.state_dict()) == ["weight"]
    with pytest.raises(LOOKUP):
        raw.module_get_tensor(mine.module, "odd")
    with pytest.raises(ValueError):
        raw.module_set_parametrized(mine.module, "weight", ours(torch.ones(4, 4)))
    with pytest.raises(TypeError):
        raw.module_set_right_inverse(make("ReLU").module, lambda module, args, kwargs: args[0])
    raw.module_register_parametrization(mine.module, "weight", keep(MyScale()), False)
    with pytest.raises(LOOKUP, match="already exists"):
        mine.register_parameter("weight", ours(torch.ones(1)))
    with pytest.raises(LOOKUP, match="is not an nn.Parameter"):
        mine.get_parameter("weight")
    mine.register_buffer("parametrizations_", ours(torch.ones(1)))
    del mine.parametrizations
    with pytest.raises(LOOKUP):
        mine(ours(torch.ones(2, 4)))


@pytest.mark.parametrize("train", [True, False])
def test_what_is_inside_and_not_called(train):
    torch.manual_seed(0)
    expected, mine = nn.MultiheadAttention(4, 2), make("MultiheadAttention", 4, 2)
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    parametrize.register_parametrization(expected.out_proj, "weight", Symmetric())
    one = keep(MySymmetric())
    raw.module_register_parametrization(mine.get_submodule("out_proj").module, "weight", one, False)
    parametrize.register_parametrization(expected, "in_proj_weight", Scale())
    raw.module_register_parametrization(mine.module, "in_proj_weight", keep(MyScale()), False)
    expected.train(train)
    mine.train(train)
    assert equal(mine, expected)
    x = torch.randn(3, 1, 4)
    got = raw.value_to_tensor(raw.value_get(mine.call(*[ours(x)] * 3), 0))
    assert torch.allclose(theirs(got), expected(x, x, x)[0], rtol=1e-5, atol=1e-6)
    layer, my_layer = nn.TransformerEncoderLayer(4, 2, 8), make("TransformerEncoderLayer", 4, 2, 8)
    my_layer.load_state_dict({k: ours(v) for k, v in layer.state_dict().items()})
    parametrize.register_parametrization(layer.linear1, "weight", Scale())
    raw.module_register_parametrization(my_layer.get_submodule("linear1").module, "weight", keep(MyScale()), False)
    layer.eval()
    my_layer.eval()
    with torch.no_grad():
        assert torch.allclose(theirs(my_layer(ours(x))), layer(x), rtol=1e-5, atol=1e-6)
