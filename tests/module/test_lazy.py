"""Layers that take their sizes from the first input, beside Python's."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.nn.parameter import is_lazy

from tests.nn.compare import ctorch, from_value, ours, raw, to_value
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


CONVOLUTION = [{}, {"bias": False}, {"stride": 2, "padding": 1}, {"groups": 2, "dilation": 2}, {"dtype": "float64"}]
CONV = [{"padding_mode": "circular", "padding": 1}, {"padding": "same"}, {"padding": "valid"}]
TRANSPOSED = [{"stride": 2, "output_padding": 1}]
NORM = [
    {},
    {"affine": False},
    {"bias": False},
    {"track_running_stats": False},
    {"affine": False, "track_running_stats": False},
    {"eps": 0.1, "momentum": 0.5, "dtype": "float64"},
    {"momentum": None},
]
SIZES = {1: (2, 4, 9), 2: (2, 4, 7, 6), 3: (2, 4, 5, 6, 7)}
CASES = [
    *((f"LazyConv{n}d", (6, 3), o, SIZES[n]) for n in SIZES for o in CONVOLUTION + CONV),
    *((f"LazyConv{n}d", (6, 3), {}, SIZES[n][1:]) for n in SIZES),
    *((f"LazyConvTranspose{n}d", (6, 3), o, SIZES[n]) for n in SIZES for o in CONVOLUTION + TRANSPOSED),
    *((f"LazyBatchNorm{n}d", (), o, SIZES[n]) for n in SIZES for o in NORM),
    *((f"LazyInstanceNorm{n}d", (), o, SIZES[n]) for n in SIZES for o in NORM),
    *((f"LazyInstanceNorm{n}d", (), {"affine": False, "track_running_stats": False}, SIZES[n][1:]) for n in SIZES),
    *(("LazyLinear", (4,), o, (2, 3, 5)) for o in ({}, {"bias": False}, {"dtype": "float64"})),
]


def pair(name, args, options):
    """Python's module and ours."""
    kinds = [{k: getattr(m, v) if k == "dtype" else v for k, v in options.items()} for m in (torch, ctorch)]
    return getattr(torch.nn, name)(*args, **kinds[0]), getattr(ctorch.nn, name)(*args, **kinds[1])


def tensors(module):
    found = raw.module_state_dict(module, None, False)[0]
    return {k: theirs(v) for k, v in from_value(found).items()}


def same(module, expected):
    waits = getattr(expected, "has_uninitialized_params", bool)()
    assert raw.module_has_uninitialized_params(module) == waits
    mine, wanted = tensors(module), expected.state_dict()
    assert list(mine) == list(wanted)
    for key in mine:
        if is_lazy(wanted[key]):
            assert tuple(mine[key].shape) == (0,) and mine[key].dtype == wanted[key].dtype
        else:
            assert torch.equal(mine[key], wanted[key]) and mine[key].dtype == wanted[key].dtype
    assert str(module) == str(expected)


def both(module, expected, x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(3)
        wanted = expected(x)
        torch.manual_seed(3)
        return theirs(raw.module_forward(module, ours(x))), wanted


@pytest.mark.parametrize("name, args, options, shape", CASES, ids=str)
def test_first_forward(name, args, options, shape):
    expected, module = pair(name, args, options)
    same(module, expected)
    x = torch.randn(shape, dtype=getattr(torch, options.get("dtype", "float32")))
    for _ in range(2):
        mine, wanted = both(module, expected, x)
        assert torch.equal(mine, wanted)
        same(module, expected)
    raw.module_reset_parameters(module)
    assert raw.module_name(module) == name.removeprefix("Lazy")


@pytest.mark.parametrize("name, args, options, shape", CASES, ids=str)
def test_a_state_dict_tells_the_sizes(name, args, options, shape):
    sizes = {"LazyLinear": (shape[-1],)}.get(name, (4,))
    eager = getattr(torch.nn, name.removeprefix("Lazy"))
    kinds = {k: getattr(torch, v) if k == "dtype" else v for k, v in options.items()}
    if "Instance" in name:
        kinds = {"affine": True, "track_running_stats": True} | kinds
    source = eager(*sizes, *args, **kinds)
    expected, module = pair(name, args, options)
    expected.load_state_dict(source.state_dict())
    raw.module_load_state_dict(
        module, to_value({k: ours(v) for k, v in source.state_dict().items()}), None, True, False
    )
    same(module, expected)
    x = torch.randn(shape, dtype=getattr(torch, options.get("dtype", "float32")))
    if "Instance" in name and expected.affine:  # num_features is 0, which Python's forward refuses too
        for call in (lambda: expected(x), lambda: raw.module_forward(module, ours(x))):
            with pytest.raises(ValueError, match="num_features"):
                call()
    else:
        mine, wanted = both(module, expected, x)
        assert torch.equal(mine, wanted)
    same(module, expected)


@pytest.mark.parametrize("name, args, shape", [(c[0], c[1], c[3]) for c in CASES if not c[2]], ids=str)
def test_before_the_first_forward(name, args, shape):
    expected, module = pair(name, args, {})
    state = torch.get_rng_state()
    raw.module_reset_parameters(module)
    assert torch.equal(torch.get_rng_state(), state)
    raw.module_to(module, None, ctorch.float64, False, None)
    expected.to(torch.float64)
    same(module, expected)
    raw.module_load_state_dict(module, raw.module_state_dict(module, None, False)[0], None, True, False)
    same(module, expected)
    copied = raw.module_copy(module)
    same(copied, expected)
    x = torch.randn(shape, dtype=torch.float64)
    mine, wanted = both(module, expected, x)
    assert torch.equal(mine, wanted)
    same(module, expected)
    assert raw.module_name(copied) == name  # a copy is one of its own
    torch.manual_seed(3)
    assert torch.equal(theirs(raw.module_forward(copied, ours(x))), wanted)


BAD = [
    ("LazyConv2d", (6, 3), {}, (3,), RuntimeError),
    ("LazyConv2d", (6, 3), {"groups": 2}, (1, 3, 5, 5), ValueError),
    ("LazyConv2d", (-6, 3), {}, (1, 3, 5, 5), RuntimeError),
    ("LazyConv2d", (6, 3), {"groups": 4}, (1, 4, 5, 5), RuntimeError),
    ("LazyConv2d", (6, 9), {}, (1, 4, 5, 5), RuntimeError),
    ("LazyBatchNorm2d", (), {}, (3,), IndexError),
    ("LazyBatchNorm2d", (), {}, (3, 4), ValueError),
    ("LazyInstanceNorm1d", (), {}, (3, 4), ValueError),
    ("LazyInstanceNorm1d", (), {"affine": False}, (3, 4), RuntimeError),
    ("LazyBatchNorm1d", (), {}, (1, 4), ValueError),
]


@pytest.mark.parametrize("name, args, options, shape, kind", BAD, ids=str)
def test_first_forward_refuses(name, args, options, shape, kind):
    expected, module = pair(name, args, options)
    x = torch.randn(shape)
    with pytest.raises(kind):
        expected(x)
    with pytest.raises(kind):
        raw.module_forward(module, ours(x))
    assert raw.module_name(module) == type(expected).__name__  # a failure of the forward itself comes after


@pytest.mark.parametrize(
    "name, args, options",
    [
        ("LazyConv2d", (6, 3), {"groups": 0}),
        ("LazyConv2d", (6, 3), {"padding_mode": "x"}),
        ("LazyConv2d", (6, 3), {"padding": "same", "stride": 2}),
        ("LazyConvTranspose2d", (6, 3), {"padding_mode": "reflect"}),
    ],
    ids=str,
)
def test_constructors_refuse(name, args, options):
    for module in (torch.nn, ctorch.nn):
        with pytest.raises(ValueError):
            getattr(module, name)(*args, **options)


@pytest.mark.parametrize(
    "name, args, state, shape",
    [
        ("LazyLinear", (4,), {"weight": (4, 5)}, (2, 5)),
        ("LazyConv1d", (4, 3), {"bias": (4,)}, (2, 5, 6)),
        ("LazyBatchNorm1d", (), {"running_mean": (5,)}, (2, 5)),
    ],
    ids=str,
)
def test_refuses_half_a_state_dict(name, args, state, shape):
    module = getattr(ctorch.nn, name)(*args)
    raw.module_load_state_dict(module, to_value({k: ours(torch.ones(v)) for k, v in state.items()}), None, False, False)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="not been fully initialized"):
            raw.module_forward(module, ours(torch.ones(shape)))
    assert raw.module_name(module) == name
    for key, tensor in tensors(module).items():
        assert key not in state or torch.equal(tensor, torch.ones(state[key]))


def test_what_cannot_do_without_sizes():
    module = ctorch.nn.LazyLinear(3)
    for call in (
        lambda: raw.module_num_parameters(module, False),
        lambda: raw.module_requires_grad_(module, False),
        lambda: raw.module_weight_norm(module, "weight", 0),
    ):
        with pytest.raises(ValueError, match="uninitialized parameter"):
            call()
    raw.module_zero_grad(module, True)
    with pytest.raises(RuntimeError, match="size mismatch"):
        raw.module_load_state_dict(
            ctorch.nn.Linear(5, 3), raw.module_state_dict(module, None, False)[0], None, True, False
        )
    raw.module_forward(module, ours(torch.ones(2, 5)))
    assert raw.module_num_parameters(module, False) == 18


def test_another_size_than_what_was_loaded():
    expected, module = pair("LazyLinear", (3,), {})
    state = torch.nn.Linear(5, 3).state_dict()
    expected.load_state_dict(state)
    raw.module_load_state_dict(module, to_value({k: ours(v) for k, v in state.items()}), None, True, False)
    with pytest.raises(AssertionError) as wanted:
        expected(torch.ones(2, 4))
    with pytest.raises(RuntimeError, match=str(wanted.value)):
        raw.module_forward(module, ours(torch.ones(2, 4)))


def test_sizes_are_known_before_the_hooks_of_the_module():
    seen = []
    for make in (torch.nn, ctorch.nn):
        module = make.LazyConv1d(4, 3)
        module.register_forward_pre_hook(lambda m, args: seen.append((type(m).__name__, str(m))))
        module((torch if make is torch.nn else ctorch).ones(2, 5, 6))
    assert seen[0] == seen[1] and seen[0][0] == "Conv1d"


def test_typed_forwards_of_what_it_became():
    module = ctorch.nn.LazyConvTranspose2d(4, 3, stride=2)
    expected = torch.nn.LazyConvTranspose2d(4, 3, stride=2)
    x = torch.randn(1, 2, 4, 4)
    for _ in range(2):
        torch.manual_seed(2)
        wanted = expected(x, output_size=(10, 10))
        torch.manual_seed(2)
        mine = ctorch.nn.LazyConvTranspose2d_forward(module, ours(x), [10, 10])
        assert torch.equal(theirs(mine), wanted)
        assert torch.equal(theirs(ctorch.nn.ConvTranspose2d_forward(module, ours(x), [10, 10])), wanted)


def test_functional_call_gives_the_sizes_for_the_time_of_the_call():
    module, expected = ctorch.nn.LazyLinear(3), torch.nn.LazyLinear(3)
    x, weights = torch.ones(2, 5), {"weight": torch.ones(3, 5), "bias": torch.ones(3)}
    wanted = torch.func.functional_call(expected, weights, (x,))
    given = to_value({k: ours(v) for k, v in weights.items()})
    mine = from_value(raw.module_functional_call(module, given, [ours(x)], {}, True, False))
    assert torch.equal(theirs(mine), wanted)
    assert str(module) == str(expected)


def test_classes_of_python_change():
    layer, norm = ctorch.nn.LazyConv1d(4, 3), ctorch.nn.LazyBatchNorm1d()
    net = ctorch.nn.Sequential(layer, norm)
    assert isinstance(net[1], ctorch.nn.LazyBatchNorm1d)
    net(ctorch.ones(2, 5, 6))
    assert type(layer) is type(net[0]) is ctorch.nn.Conv1d and type(norm) is ctorch.nn.BatchNorm1d
    assert net[0] is layer

    class Own(ctorch.nn.LazyLinear):
        pass

    own = Own(3)
    own(ctorch.ones(2, 5))
    assert type(own) is ctorch.nn.Linear  # as in Python
