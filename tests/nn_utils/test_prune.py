"""Pruned parameters, beside torch.nn.utils.prune."""

from __future__ import annotations

import copy
import math

import pytest
import torch
from torch import nn
from torch.nn.utils import prune

from tests.nn.net import Net, make, raw, sequential
from tests.nn.test_nn import theirs
from tests.nn_utils.test_utils import ours, same

LOOKUP = (KeyError, AttributeError, IndexError)
LAYERS = {
    "Linear": (4, 5),
    "Conv1d": (4, 6, 3),
    "Conv2d": (4, 6, 3),
    "Conv3d": (2, 4, 2),
}
SHAPES = {"Linear": (3, 4), "Conv1d": (2, 4, 7), "Conv2d": (2, 4, 5, 5), "Conv3d": (1, 2, 4, 4, 4)}
METHODS = {
    "identity": [()],
    "random_unstructured": [(0.3,), (5,), (0,), (1.0,), (0.125,)],
    "l1_unstructured": [(0.3,), (5,), (0,), (1.0,), (0.5,), (0.0,)],
    "random_structured": [(0.5, 0), (1, 1), (2, -1), (0, 0), (1.0, -2)],
    "ln_structured": [
        *((0.5, 2, 0), (1, 1, 1), (2, math.inf, -1), (0.25, -math.inf, 1), (1, 0, 0), (1, 0.5, 1), (0, 2, 0)),
        *((1.0, 2, 0), (1, "fro", 0), (1, "nuc", 0), (1, "odd", 0), (1, "fro", 1)),
    ],
}
CASES = [(method, args) for method, many in METHODS.items() for args in many]
SCORED = ("l1_unstructured", "ln_structured")


def both(name, *args, seed=0):
    args = args or LAYERS[name]
    torch.manual_seed(seed)
    expected, mine = getattr(nn, name)(*args), make(name, *args)
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    return expected, mine


def equal(mine, expected) -> bool:
    found, wanted = mine.state_dict(), expected.state_dict()
    names = [[n for n, _ in module.named_parameters()] for module in (mine, expected)]
    return names[0] == names[1] and list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)


def prune_ours(method, module, name, *args, importance_scores=None):
    if method == "ln_structured" and isinstance(args[1], str):
        method = "ln_structured_str"
    scores = (ours(importance_scores),) if method.removesuffix("_str") in SCORED else ()
    getattr(raw, f"module_prune_{method}")(module.module, name, *args, *scores)


def prune_both(method, expected, mine, name, *args, **kwargs):
    """From the same seed; what Python refuses is refused, with its kind and words."""
    refused = None
    torch.manual_seed(7)
    try:
        getattr(prune, method)(expected, name, *args, **kwargs)
    except Exception as error:  # noqa: BLE001
        refused = error
    torch.manual_seed(7)
    if refused is None:
        prune_ours(method, mine, name, *args, **kwargs)
    else:
        before = mine.state_dict()
        kind = ValueError if isinstance(refused, AssertionError) else type(refused)
        with pytest.raises(kind if kind is not AttributeError else LOOKUP):
            prune_ours(method, mine, name, *args, **kwargs)
        assert list(mine.state_dict()) == list(before)
    return refused


def forward(expected, mine, name):
    x = torch.randn(SHAPES[name])
    want, got = expected(x), mine(ours(x))
    assert same(got, want)
    return want, got


def train(expected, mine, name, steps=10):
    """Plain steps of both, from the same inputs."""
    for _ in range(steps):
        want, got = forward(expected, mine, name)
        want.square().sum().backward()
        (got * got).sum().backward()
        with torch.no_grad():
            for a, b in zip(mine.parameters(), expected.parameters(), strict=True):
                assert same(a.grad, b.grad)
                b -= 0.01 * b.grad
                theirs(a).sub_(0.01 * theirs(a.grad))
                a.grad = b.grad = None


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("method, args", CASES)
def test_masks_values_and_training(method, args, name):
    expected, mine = both(name)
    if prune_both(method, expected, mine, "weight", *args) is None:
        assert equal(mine, expected) and repr(mine) == repr(expected)
        assert raw.module_is_pruned(sequential(mine).module)
        train(expected, mine, name, 10 if name == "Linear" else 2)
        assert equal(mine, expected)
        x = torch.randn(SHAPES[name])
        prune.remove(expected, "weight")
        raw.module_prune_remove(mine.module, "weight")
        assert same(mine(ours(x)), expected(x))
    assert not raw.module_is_pruned(mine.module) and not prune.is_pruned(expected)


SECOND = [
    *(("identity", ()), ("random_unstructured", (0.4,)), ("random_unstructured", (7,)), ("l1_unstructured", (3,))),
    *(("l1_unstructured", (0.5,)), ("random_structured", (1, 0)), ("random_structured", (0.5, -1))),
    *(("ln_structured", (1, 2, 0)), ("ln_structured", (0.5, math.inf, 1)), ("ln_structured", (2, 1, -1))),
]


@pytest.mark.parametrize("first", SECOND, ids=str)
@pytest.mark.parametrize("second", SECOND, ids=str)
def test_pruned_again(first, second):
    for name in ("Linear", "Conv2d"):
        expected, mine = both(name)
        for method, args in (first, second, first):
            refused = prune_both(method, expected, mine, "weight", *args)
            assert equal(mine, expected)
            if refused is not None:  # more than there are; Python's is not computed any more
                assert "should be smaller than the number of parameters to prune" in str(refused)
                break
            train(expected, mine, name, 2)
            assert equal(mine, expected)


def test_a_vector_has_channels_where_it_was_pruned_before():
    """As in Python, whose sum over no dimensions is one over all."""
    for method, args in [("random_structured", (1, 0)), ("ln_structured", (1, 2, 0)), ("random_structured", (1, -1))]:
        expected, mine = both("Linear")
        assert prune_both("identity", expected, mine, "bias") is None
        prune_both(method, expected, mine, "bias", *args)
        assert same(mine.state_dict()["bias_mask"], expected.bias_mask)


@pytest.mark.parametrize("method, args", [("l1_unstructured", (0.4,)), ("ln_structured", (2, 2, 1))])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
def test_importance_scores(method, args, dtype):
    expected, mine = both("Conv2d")
    for seed in (1, 2):
        torch.manual_seed(seed)
        scores = (torch.randn(6, 4, 3, 3) * 9).to(dtype)
        prune_both(method, expected, mine, "weight", *args, importance_scores=scores)
        assert not prune.is_pruned(expected) or equal(mine, expected)
    other, mine = both("Conv2d")
    refused = prune_both(method, other, mine, "weight", *args, importance_scores=torch.ones(6, 4, 3))
    assert "torch.Size([6, 4, 3]) vs torch.Size([6, 4, 3, 3])" in str(refused)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bool, torch.int64, torch.float64])
def test_custom_from_mask(dtype):
    expected, mine = both("Linear")
    for _ in range(2):
        mask = (torch.rand(5, 4) > 0.3).to(dtype)
        prune.custom_from_mask(expected, "weight", mask)
        raw.module_prune_custom_from_mask(mine.module, "weight", ours(mask))
        assert equal(mine, expected)
        train(expected, mine, "Linear", 3)
    with pytest.raises(ValueError, match=r"default_mask shape torch.Size\(\[5, 4\]\) must match"):
        raw.module_prune_custom_from_mask(mine.module, "weight", ours(torch.ones(4)))


class Every(prune.BasePruningMethod):
    """Prunes every second of what it is given."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        mask = default_mask.clone()
        mask.view(-1)[::2] = 0
        return mask


class Rows(Every):
    PRUNING_TYPE = "structured"
    dim = 0


class All(Every):
    PRUNING_TYPE = "global"


@pytest.mark.parametrize("method", [Every, Rows, All])
def test_a_method_of_ones_own(method):
    expected, mine = both("Linear")
    seen = []

    def compute_mask(inputs):
        tensor, mask = inputs
        seen.append((list(tensor.shape), list(mask.shape)))
        return [ours(method.compute_mask(None, theirs(tensor), theirs(mask)))]

    dim = getattr(method, "dim", None)
    for _ in range(3):
        method.apply(expected, "weight")
        raw.module_prune_by(mine.module, "weight", compute_mask, method.PRUNING_TYPE, dim, None)
        assert equal(mine, expected)
        train(expected, mine, "Linear", 2)
    assert len(seen) == 3 and all(a == b for a, b in seen)
    if method is Rows:
        with pytest.raises(LOOKUP, match="need to have the attribute `dim` defined"):
            raw.module_prune_by(mine.module, "weight", compute_mask, "structured", None, None)


def test_what_a_method_of_ones_own_does_wrong():
    _, mine = both("Linear")
    before = mine.state_dict()

    def by(function, kind="unstructured"):
        raw.module_prune_by(mine.module, "weight", function, kind, None, None)

    def fail(inputs):
        raise KeyError("mine")

    def take_out(inputs):
        del mine.weight
        return [inputs[1]]

    with pytest.raises(KeyError, match="mine"):
        by(fail)
    with pytest.raises(RuntimeError, match="not a mask"):
        by(lambda inputs: [inputs[0], inputs[1]])
    with pytest.raises(RuntimeError, match="not a mask"):
        by(lambda inputs: [])
    with pytest.raises((RuntimeError, ValueError)):
        by(lambda inputs: [ours(torch.ones(7))])
    with pytest.raises(ValueError, match="Unrecognized PRUNING_TYPE odd"):
        by(lambda inputs: [inputs[1]], "odd")
    assert list(mine.state_dict()) == list(before) and not raw.module_is_pruned(mine.module)
    with pytest.raises(RuntimeError, match="changed the parameter 'weight' itself"):
        by(take_out)
    assert list(mine.state_dict()) == ["bias"]


def net(pruned=()):
    torch.manual_seed(3)
    expected = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Sequential(nn.Linear(6, 3)))
    mine = sequential(make("Linear", 4, 6), make("ReLU"), sequential(make("Linear", 6, 3)))
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    for name in pruned:
        parent, _, last = name.rpartition(".")
        prune.l1_unstructured(expected.get_submodule(parent), last, 0.4)
        raw.module_prune_l1_unstructured(mine.get_submodule(parent).module, last, 0.4, None)
    return expected, mine


NAMES = ["0.weight", "0.bias", "2.0.weight"]


def global_both(expected, mine, names, method, scores=None, **kwargs):
    places = [(expected.get_submodule(n.rpartition(".")[0]), n.rpartition(".")[2]) for n in names]
    given = {} if scores is None else {p: s for p, s in zip(places, scores) if s is not None}
    torch.manual_seed(5)
    prune.global_unstructured(places, getattr(prune, method), given, **kwargs)
    torch.manual_seed(5)
    own = [ours(s) for s in scores or []]
    raw.module_prune_global_unstructured(mine.module, names, method, kwargs.get("amount"), own)


@pytest.mark.parametrize("pruned", [(), ("0.weight",), NAMES], ids=str)
@pytest.mark.parametrize(
    "method, kwargs",
    [("L1Unstructured", {"amount": 0.4}), ("L1Unstructured", {"amount": 11}), ("Identity", {})]
    + [("RandomUnstructured", {"amount": a}) for a in (0.25, 3, 0)],
    ids=str,
)
def test_global_unstructured(method, kwargs, pruned):
    expected, mine = net(pruned)
    torch.manual_seed(9)
    for scores in (None, [None, torch.rand(6), torch.rand(3, 6)]):
        global_both(expected, mine, NAMES, method, scores, **kwargs)
        assert equal(mine, expected)
        x = torch.randn(2, 4)
        assert same(mine(ours(x)), expected(x))
    for name in NAMES:
        parent, _, last = name.rpartition(".")
        prune.remove(expected.get_submodule(parent), last)
        raw.module_prune_remove(mine.get_submodule(parent).module, last)
    assert same(mine(ours(x)), expected(x))


def test_global_by_a_method_of_ones_own():
    expected, mine = net()
    places = [(expected[0], "weight"), (expected[0], "bias"), (expected[2][0], "weight")]
    for _ in range(2):
        prune.global_unstructured(places, Every)
        raw.module_prune_global_by(
            mine.module, NAMES, lambda inputs: [ours(Every().compute_mask(None, theirs(inputs[1])))]
        )
        assert equal(mine, expected)


def test_what_global_pruning_refuses():
    _, mine = net()
    before = mine.state_dict()

    def by(names, method="L1Unstructured", amount=0.5, scores=()):
        raw.module_prune_global_unstructured(mine.module, names, method, amount, list(scores))

    for method in ("LnStructured", "RandomStructured", "CustomFromMask"):
        with pytest.raises(TypeError, match='Only "unstructured" PRUNING_TYPE supported'):
            by(NAMES, method)
    with pytest.raises(ValueError, match="no method 'odd'"):
        by(NAMES, "odd")
    with pytest.raises(ValueError):
        by([])
    with pytest.raises(LOOKUP, match="no attribute 'odd'"):
        by([*NAMES, "0.odd"])
    with pytest.raises(LOOKUP):
        by([*NAMES, "3.weight"])
    with pytest.raises(ValueError, match="amount=49 should be smaller than the number of parameters to prune=48"):
        by(NAMES, amount=49)
    with pytest.raises(RuntimeError, match="shape of the mask"):  # Python's IndexError
        by(NAMES, scores=[ours(torch.ones(1)), None, None])
    with pytest.raises(ValueError):
        by(NAMES, scores=[None])
    assert list(mine.state_dict()) == list(before)


@pytest.mark.parametrize("amount", [-1, -0.1, 1.1, 21, math.inf, 1j, math.nan])
@pytest.mark.parametrize(
    "method, rest", [("l1_unstructured", ()), ("random_unstructured", ()), ("ln_structured", (2, 0))]
)
def test_amounts_that_are_refused(method, rest, amount):
    expected, mine = both("Linear")
    refused = prune_both(method, expected, mine, "weight", amount, *rest)
    assert refused is not None
    with pytest.raises(type(refused)) as found:
        prune_ours(method, mine, "weight", amount, *rest)
    assert str(refused) in str(found.value)


def test_what_is_refused():
    for method, args in [
        ("random_structured", (1, 2)),
        ("random_structured", (1, -3)),
        ("ln_structured", (1, 2, 2)),
        ("ln_structured", (1, 2, -3)),
    ]:
        expected, mine = both("Linear")
        assert isinstance(prune_both(method, expected, mine, "weight", *args), IndexError)
        expected, mine = both("Linear")
        prune_both("identity", expected, mine, "weight")
        assert isinstance(prune_both(method, expected, mine, "weight", *args), IndexError)
    expected, mine = both("Linear")
    assert "multidimensional" in str(prune_both("random_structured", expected, mine, "bias", 1, 0))
    assert prune_both("l1_unstructured", expected, mine, "odd", 1) is not None
    for function in (prune.remove, lambda _, name: raw.module_prune_remove(mine.module, name)):
        with pytest.raises(ValueError, match="has to be pruned before pruning can be removed"):
            function(expected, "weight")
    for name, kind in [("weight_orig", "parameter"), ("weight_mask", "buffer")]:
        mine = make("Linear", 4, 5)
        getattr(mine, f"register_{kind}")(name, ours(torch.ones(1)))
        with pytest.raises(LOOKUP, match=f"'{name}' already exists"):
            raw.module_prune_identity(mine.module, "weight")
    bare = make("Linear", 4, 5, False)
    with pytest.raises(TypeError, match="None"):
        raw.module_prune_identity(bare.module, "bias")
    with pytest.raises(TypeError, match="no parameter"):
        raw.module_prune_identity(make("BatchNorm1d", 3).module, "running_mean")
    raw.module_weight_norm(bare.module, "weight", 0)
    with pytest.raises(RuntimeError, match="computed already"):
        raw.module_prune_identity(bare.module, "weight")
    raw.module_prune_identity(bare.module, "weight_v")
    del bare.weight_v_mask
    with pytest.raises(RuntimeError, match="weight_v_mask"):
        bare(ours(torch.ones(2, 4)))
    with pytest.raises(RuntimeError, match="weight_v_mask"):
        raw.module_prune_remove(bare.module, "weight_v")


def test_state_dicts_are_exchanged():
    expected, mine = net(NAMES)
    train_state = {k: v + 1 if k.endswith("orig") else v for k, v in expected.state_dict().items()}
    expected.load_state_dict(train_state)
    mine.load_state_dict({k: ours(v) for k, v in train_state.items()})
    x = torch.randn(2, 4)
    assert same(mine(ours(x)), expected(x))
    other, _ = net(NAMES)
    other.load_state_dict({k: theirs(v) for k, v in mine.state_dict().items()})
    assert torch.equal(other(x), expected(x))
    plain, _ = net()
    with pytest.raises(RuntimeError, match="weight_orig"):
        mine.load_state_dict({k: ours(v) for k, v in plain.state_dict().items()})


def test_copied_converted_and_called_with_others():
    expected, mine = net(NAMES)
    x = torch.randn(2, 4)
    twin = Net(raw.module_copy(mine.module))
    with torch.no_grad():
        for p in twin.parameters():
            theirs(p).zero_()
    assert same(mine(ours(x)), expected(x))
    assert not theirs(twin(ours(x))).any()
    raw.module_prune_remove(twin.get_submodule("0").module, "weight")
    assert raw.module_is_pruned(mine.get_submodule("0").module)
    state = {k: v * 2 for k, v in expected.state_dict().items()}
    want = torch.func.functional_call(expected, state, (x,))
    got = raw.module_functional_call(mine.module, {k: ours(v) for k, v in state.items()}, (ours(x),), None, True, True)
    assert same(raw.value_to_tensor(got), want)
    assert same(mine(ours(x)), expected(x))
    mine.to(dtype=ours(torch.zeros(1, dtype=torch.float64)).dtype)
    expected.double()
    assert equal(mine, expected) and same(mine(ours(x.double())), expected(x.double()))


def test_an_optimizer_goes_on_with_what_was_pruned():
    _, mine = both("Linear")
    weight = mine.get_parameter("weight")
    raw.module_prune_l1_unstructured(mine.module, "weight", 0.5, None)
    assert theirs(mine.get_parameter("weight_orig")).data_ptr() == theirs(weight).data_ptr()
    with pytest.raises(LOOKUP, match="is not an nn.Parameter"):
        mine.get_parameter("weight")
    raw.module_prune_remove(mine.module, "weight")
    assert theirs(mine.get_parameter("weight")).data_ptr() == theirs(weight).data_ptr()
    assert int((theirs(weight) == 0).sum()) == 10 and weight.requires_grad


def test_a_recurrent_weight_and_a_frozen_one():
    torch.manual_seed(1)
    expected, mine = both("LSTM", 3, 4)
    for name in ("weight_hh_l0", "weight_ih_l0"):
        assert prune_both("ln_structured", expected, mine, name, 0.5, 2, 0) is None
    x = torch.randn(2, 5, 3)
    want = expected(x)[0]
    got = raw.value_to_tensor(raw.value_get(mine.call(ours(x)), 0))
    assert same(got, want) and equal(mine, expected)
    expected, mine = both("Linear")
    expected.requires_grad_(False)
    mine.requires_grad_(False)
    assert prune_both("l1_unstructured", expected, mine, "weight", 0.5) is None
    assert not mine.get_parameter("weight_orig").requires_grad
    assert not mine(ours(torch.ones(2, 4))).requires_grad
    assert copy.deepcopy(expected) is not None
