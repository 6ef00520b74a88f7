"""The module object beside Python's: names, order, sharing, modes, conversion, copies, text, calls and errors."""

from __future__ import annotations

import copy
import random

import pytest
import torch
from torch import nn

from tests.nn.net import Net, make, sequential
from tests.nn.test_nn import ctorch, raw, theirs
from tests.nn_utils.test_utils import ours, same

LOOKUP = (KeyError, AttributeError, IndexError)  # what INDEX is in Python


def is_same(a, b) -> bool:
    """One tensor, not two with the same memory: handles are addresses."""
    return a._tensor.value == b._tensor.value


def both():
    """One tree in Python and here: lists, dicts, a block in two places, a tensor in two places, None everywhere."""
    torch.manual_seed(3)
    block = nn.Sequential(nn.Conv2d(2, 3, 1), nn.Conv2d(3, 2, (1, 2), bias=False))
    expected = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ModuleList([block, block]), nn.ModuleDict({"a": block}))
    expected[2].register_module("none", None)
    expected.register_buffer("mean", torch.arange(3.0))
    expected.register_buffer("hidden", torch.ones(2), persistent=False)
    expected.register_buffer("nothing", None)
    expected[0].register_buffer("count", torch.tensor(4))
    expected.register_parameter("scale", nn.Parameter(torch.tensor([2.0])))
    expected.register_parameter("absent", None)
    expected[2].register_parameter("scale_again", expected.scale)

    torch.manual_seed(3)
    mine_block = sequential(make("Conv2d", 2, 3, 1), make("Conv2d", 3, 2, (1, 2), bias=False))
    listed, named = make("ModuleList"), make("ModuleDict")
    listed.append(mine_block)
    listed.append(mine_block)
    named.register_module("a", mine_block)
    mine = sequential(make("Conv2d", 1, 2, 3), listed, named)
    for path, tensor in expected.named_parameters():  # the blocks were made in another order
        if "scale" not in path:
            with torch.no_grad():
                theirs(mine.get_parameter(path)).copy_(tensor)
    named.register_module("none", None)
    mine.register_buffer("mean", ours(expected.mean))
    mine.register_buffer("hidden", ours(expected.hidden), persistent=False)
    mine.register_buffer("nothing", None)
    mine[0].register_buffer("count", ours(expected[0].count))
    scale = ours(expected.scale)
    mine.register_parameter("scale", scale)
    mine.register_parameter("absent", None)
    named.register_parameter("scale_again", scale)
    return expected, mine


def pairs(expected, mine) -> bool:
    """The same names in the same order, for the same values; an object in two places is one object in both."""
    expected = list(expected)
    first = {id(t): i for i, (_, t) in reversed(list(enumerate(expected)))}
    again = [first[id(t)] for _, t in expected]
    return [n for n, _ in mine] == [n for n, _ in expected] and all(
        same(m, e) and (again[i] == i or is_same(mine[again[i]][1], m))
        for i, ((_, m), (_, e)) in enumerate(zip(mine, expected))
    )


@pytest.mark.parametrize("remove_duplicate", [True, False])
@pytest.mark.parametrize("recurse", [True, False])
@pytest.mark.parametrize("prefix", ["", "net", "a.b"])
def test_names(prefix, recurse, remove_duplicate):
    expected, mine = both()
    given = (prefix, recurse, remove_duplicate)
    assert pairs(expected.named_parameters(*given), mine.named_parameters(*given))
    assert pairs(expected.named_buffers(*given), mine.named_buffers(*given))
    found = mine.named_modules(prefix, remove_duplicate)
    wanted = list(expected.named_modules(prefix=prefix, remove_duplicate=remove_duplicate))
    assert [(n, repr(m)) for n, m in found] == [(n, repr(m)) for n, m in wanted]


def test_lists_without_names():
    expected, mine = both()
    for recurse in (True, False):
        for kind in ("parameters", "buffers"):
            wanted = list(getattr(expected, kind)(recurse))
            found = getattr(mine, kind)(recurse)
            assert len(found) == len(wanted) and all(map(same, found, wanted))
    assert [n for n, _ in mine.named_children()] == [n for n, _ in expected.named_children()]
    # Children that are None, or in two places, count once or not at all.
    assert [n for n, _ in mine[1].named_children()] == [n for n, _ in expected[1].named_children()] == ["0"]
    assert [n for n, _ in mine[2].named_children()] == [n for n, _ in expected[2].named_children()] == ["a"]
    assert raw.module_num_parameters(mine.module, False) == sum(p.numel() for p in expected.parameters())


def test_the_text_is_pythons():
    expected, mine = both()
    assert repr(mine) == repr(expected)
    for (_, a), (_, b) in zip(mine.named_modules(), expected.named_modules()):
        assert repr(a) == repr(b)
    lists = nn.ModuleList([nn.Conv2d(1, 1, 1), nn.Conv2d(1, 1, 1), nn.Conv2d(1, 2, 1), nn.Conv2d(1, 1, 1)])
    own = make("ModuleList")
    for child in lists:
        own.append(make("Conv2d", child.in_channels, child.out_channels, 1))
    assert repr(own) == repr(lists)
    assert repr(make("ModuleList")) == repr(nn.ModuleList())
    assert repr(make("Sequential")) == repr(nn.Sequential())
    assert repr(make("ModuleDict")) == repr(nn.ModuleDict())
    nested, own_nested = nn.ModuleList([lists, nn.Sequential(lists)]), make("ModuleList")
    own_nested.append(own)
    own_nested.append(sequential(own))
    assert repr(own_nested) == repr(nested)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.complex64, torch.float64], ids=str)
def test_parameters_in_lists_and_dicts(dtype):
    values = [torch.ones(2, 3, dtype=dtype), torch.zeros((), dtype=dtype), torch.empty(0, dtype=dtype)]
    expected = nn.ParameterList(values)
    mine = make("ParameterList", [ours(nn.Parameter(v)) for v in values])
    assert repr(mine) == repr(expected)
    assert pairs(expected.named_parameters(), mine.named_parameters())
    expected = nn.ParameterDict({"left": values[0], "right": values[2]})
    mine = make("ParameterDict")
    mine.register_parameter("left", ours(nn.Parameter(values[0])))
    mine.register_parameter("right", ours(nn.Parameter(values[2])))
    assert repr(mine) == repr(expected)
    assert pairs(expected.named_parameters(), mine.named_parameters())


def test_by_dotted_name():
    expected, mine = both()
    for path, module in expected.named_modules(remove_duplicate=False):
        assert repr(mine.get_submodule(path)) == repr(module)
    for path, tensor in expected.named_parameters(remove_duplicate=False):
        assert same(mine.get_parameter(path), tensor)
    for path, tensor in expected.named_buffers():
        assert same(mine.get_buffer(path), tensor)
    for get in ("get_submodule", "get_parameter", "get_buffer"):
        for path in ("9", "0.9", "0..weight", ".", "0.", "mean.x", "weight", "0.weight.x", "1.0", "scale", "mean"):
            try:
                wanted = getattr(expected, get)(path)
            except LOOKUP:
                with pytest.raises(LOOKUP):
                    getattr(mine, get)(path)
            else:
                assert getattr(mine, get)(path) is not None and wanted is not None
        with pytest.raises(LOOKUP, match="absent|nothing|none"):
            getattr(mine, get)({"get_submodule": "2.none", "get_parameter": "absent", "get_buffer": "nothing"}[get])
    with pytest.raises(LOOKUP, match="1: ModuleList has no attribute `7`"):
        mine.get_submodule("1.7.0")


def test_set_submodule():
    expected, mine = both()
    for net, layer in ((expected, nn.Conv2d(1, 1, 1)), (mine, make("Conv2d", 1, 1, 1))):
        net.set_submodule("1.0.1", layer)
        net.set_submodule("2.b", layer)
        net.set_submodule("2.a", layer, strict=True)
        for path in ("9.9", "2.zzz", "0.weight"):
            with pytest.raises(LOOKUP):
                net.set_submodule(path, layer, strict=True)
        with pytest.raises(ValueError):
            net.set_submodule("", layer)
    assert repr(mine) == repr(expected)


NAMES = ["", "a.b", "weight", "count", "training", "0", "über"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["parameter", "buffer", "module"])
def test_names_that_are_taken(kind, name):
    expected, mine = nn.Sequential(nn.Conv2d(1, 1, 1)), sequential(make("Conv2d", 1, 1, 1))
    for net, tensor in ((expected, torch.tensor(1)), (mine, ctorch.tensor(1))):
        net.register_buffer("count", tensor)
        net.register_parameter("weight", None)
    value = {
        "parameter": (nn.Parameter(torch.ones(2)), ours(nn.Parameter(torch.ones(2)))),
        "buffer": (torch.ones(2), ctorch.ones(2)),
        "module": (nn.Conv2d(1, 1, 1), make("Conv2d", 1, 1, 1)),
    }[kind]
    try:
        getattr(expected, f"register_{kind}")(name, value[0])
    except LOOKUP:
        with pytest.raises(LOOKUP):
            getattr(mine, f"register_{kind}")(name, value[1])
    else:
        getattr(mine, f"register_{kind}")(name, value[1])
        # To register under a name again is to replace, in the same place.
        getattr(expected, f"register_{kind}")(name, value[0])
        getattr(mine, f"register_{kind}")(name, value[1])
    assert repr(mine) == repr(expected)
    for names in ("named_parameters", "named_buffers"):
        assert [n for n, _ in getattr(mine, names)()] == [n for n, _ in getattr(expected, names)()]


def test_taking_out():
    expected, mine = both()
    for path, name in (("", "scale"), ("", "mean"), ("2", "a"), ("0", "count"), ("", "nothing"), ("1", "0")):
        delattr(expected.get_submodule(path), name)
        delattr(mine.get_submodule(path), name)
    assert repr(mine) == repr(expected)
    assert pairs(expected.named_parameters(), mine.named_parameters())
    assert pairs(expected.named_buffers(), mine.named_buffers())
    with pytest.raises(LOOKUP, match="Sequential has no attribute 'scale'"):
        del mine.scale


def test_what_no_parameter_can_be():
    mine = make("Sequential")
    computed = ctorch.ones(2).requires_grad_() * 2
    with pytest.raises(ValueError, match="non-leaf"):
        mine.register_parameter("w", computed)
    assert mine.parameters() == []
    with pytest.raises(ValueError, match="non-leaf"):
        make("nn_ParameterList", [ctorch.ones(1), computed])  # C's, which makes no parameters of tensors


def test_modules_that_would_contain_themselves():
    inner = make("ModuleList")
    middle = sequential(inner)
    outer = sequential(middle, middle)
    for net in (outer, middle, inner):
        with pytest.raises(RuntimeError, match="cannot contain itself"):
            inner.append(net)
        with pytest.raises(RuntimeError, match="cannot contain itself"):
            inner.register_module("x", net)
        with pytest.raises(RuntimeError, match="cannot contain itself"):
            outer.set_submodule("0.0.x", net)
    assert len(inner) == 0


def test_lists_of_modules():
    layers = [nn.Conv2d(1, i + 1, 1) for i in range(5)]
    own = [make("Conv2d", 1, i + 1, 1) for i in range(5)]
    for container, mine in ((nn.Sequential(), make("Sequential")), (nn.ModuleList(), make("ModuleList"))):
        steps = [(0, 0), (0, 1), (1, 2), (2, 3), (4, 4)]
        for index, which in steps:
            container.insert(index, layers[which])
            mine.insert(index, own[which])
            assert repr(mine) == repr(container) and len(mine) == len(container)
        for index in (0, -1, 1):
            del container[index]
            del mine[index]
            assert repr(mine) == repr(container)
        container.append(layers[0])
        mine.append(own[0])
        assert [repr(mine[i]) for i in (0, 1, 2, -1, -3)] == [repr(container[i]) for i in (0, 1, 2, -1, -3)]
        for index in (3, -4, 2**62, -(2**62)):
            with pytest.raises(IndexError):
                container[index]
            with pytest.raises(IndexError):
                mine[index]
            with pytest.raises(IndexError):
                mine.insert(index + 1 if index > 0 else index, own[0])
    with pytest.raises(TypeError, match="Sequential or ModuleList, not Conv2d"):
        own[0].append(own[1])


def test_modes():
    expected, mine = both()
    for net in (expected, mine):
        net.eval()
        net.get_submodule("2").train()
    assert [m.training for _, m in mine.named_modules()] == [m.training for m in expected.modules()]
    mine.train()
    assert all(m.training for _, m in mine.named_modules())


def test_gradients():
    expected, mine = both()
    for net in (expected, mine):
        net.requires_grad_(False)
        net.get_submodule("0").requires_grad_()
    assert [p.requires_grad for p in mine.parameters()] == [p.requires_grad for p in expected.parameters()]
    assert raw.module_num_parameters(mine.module, True) == sum(
        p.numel() for p in expected.parameters() if p.requires_grad
    )
    x = torch.randn(1, 1, 5, 5)
    for net, given in ((expected, x), (mine, ours(x))):
        net.get_submodule("0")(given).sum().backward()
    layer, wanted = mine.get_submodule("0"), expected.get_submodule("0")
    for set_to_none in (False, True):
        assert all(map(same, [p.grad for p in layer.parameters()], [p.grad for p in wanted.parameters()]))
        expected.zero_grad(set_to_none)
        mine.zero_grad(set_to_none)
    assert all(p.grad is None for p in mine.parameters())


@pytest.mark.filterwarnings("ignore:Complex modules are a new feature")
@pytest.mark.parametrize(
    "given",
    [
        dict(dtype=torch.float64),
        dict(dtype=torch.bfloat16),
        dict(dtype=torch.complex64),
        dict(memory_format=torch.channels_last),
        dict(dtype=torch.float16, memory_format=torch.channels_last),
        dict(device="cpu"),
    ],
    ids=str,
)
def test_to(given):
    expected, mine = both()
    x = torch.randn(1, 1, 5, 5)
    for net, value in ((expected, x), (mine, ours(x))):
        net.get_submodule("0")(value).sum().backward()
    before = mine.parameters()
    expected.to(**given)
    mine.to(**{k: getattr(ctorch, str(v).removeprefix("torch.")) if k != "device" else v for k, v in given.items()})
    after = mine.parameters()
    assert all(is_same(a, b) for a, b in zip(before, after))  # an optimizer goes on with them
    for mine_tensors, wanted in ((after, expected.parameters()), (mine.buffers(), expected.buffers())):
        for a, b in zip(mine_tensors, wanted, strict=True):
            assert same(a, b) and tuple(a.stride()) == b.stride() and a.requires_grad == b.requires_grad
            assert same(a.grad, b.grad) if b.grad is not None else a.grad is None


def test_to_what_a_module_cannot_be():
    mine = make("Conv2d", 1, 1, 1)
    for dtype in (ctorch.int64, ctorch.bool, ctorch.quint8):
        with pytest.raises(TypeError, match="floating point or complex"):
            mine.to(dtype=dtype)
    mine.to(device="meta")
    with pytest.raises(NotImplementedError):
        mine.to(device="cpu")
    mine.to_empty(device="cpu")
    assert [p.device.type for p in mine.parameters()] == ["cpu", "cpu"]
    assert all(p.requires_grad for p in mine.parameters())
    assert [tuple(p.shape) for p in mine.parameters()] == [(1, 1, 1, 1), (1,)]


def test_to_empty_without_what_is_inside():
    mine = sequential(make("Conv2d", 1, 1, 1))
    mine.register_buffer("own", ctorch.ones(3))
    mine.to_empty(device="meta", recurse=False)
    assert [p.device.type for p in mine.parameters()] == ["cpu", "cpu"]
    assert [b.device.type for b in mine.buffers()] == ["meta"]


def test_copies():
    expected, mine = both()
    mine.get_submodule("1").eval()
    expected.get_submodule("1").eval()
    mine.get_submodule("0").requires_grad_(False)
    expected.get_submodule("0").requires_grad_(False)
    own, wanted = Net(raw.module_copy(mine.module)), copy.deepcopy(expected)
    assert repr(own) == repr(wanted)
    for kind in ("named_parameters", "named_buffers"):
        found = getattr(own, kind)(remove_duplicate=False)
        assert pairs(getattr(wanted, kind)(remove_duplicate=False), found)  # what was shared is shared
        assert [t.requires_grad for _, t in found] == [
            t.requires_grad for _, t in getattr(wanted, kind)(remove_duplicate=False)
        ]
    assert [m.training for _, m in own.named_modules()] == [m.training for m in wanted.modules()]
    before = [theirs(p).clone() for p in mine.parameters()]
    for p in own.parameters():
        theirs(p).add_(1)  # the copy has memory of its own
    assert all(map(same, mine.parameters(), before))
    own.append(make("Conv2d", 1, 1, 1))
    assert len(mine) == 3


def test_a_copy_of_a_buffer_that_was_computed_is_refused():
    mine = make("Sequential")
    mine.register_buffer("b", ctorch.ones(2).requires_grad_() * 2)
    with pytest.raises(RuntimeError, match="b: only Tensors created explicitly"):
        raw.module_copy(mine.module)
    expected = nn.Sequential()
    expected.register_buffer("b", torch.ones(2).requires_grad_() * 2)
    with pytest.raises(RuntimeError):
        copy.deepcopy(expected)


def test_reset_parameters():
    mine = sequential(make("Conv2d", 2, 3, 2), make("Conv2d", 3, 1, 1))
    expected = nn.Sequential(nn.Conv2d(2, 3, 2), nn.Conv2d(3, 1, 1))
    torch.manual_seed(8)
    for layer in expected:
        layer.reset_parameters()
    torch.manual_seed(8)
    raw.module_reset_parameters(mine.module)
    assert pairs(expected.named_parameters(), mine.named_parameters())


def test_apply_goes_from_the_innermost_outwards():
    expected, mine = both()
    wanted, found = [], []
    expected.apply(lambda module: wanted.append(repr(module)))
    raw.module_apply(mine.module, lambda module: found.append(repr(Net(module))))
    assert found == wanted
    with pytest.raises(ZeroDivisionError):
        raw.module_apply(mine.module, lambda module: 1 / 0)


def test_calls():
    expected, mine = nn.Sequential(nn.Conv2d(1, 2, 2), nn.Conv2d(2, 1, 2)), None
    mine = sequential(make("Conv2d", 1, 2, 2), make("Conv2d", 2, 1, 2))
    for a, b in zip(mine.parameters(), expected.parameters()):
        theirs(a).copy_(b)
    x = torch.randn(2, 1, 6, 6)
    assert same(mine(ours(x)), expected(x))
    assert same(raw.value_to_tensor(mine.call(ours(x))), expected(x))
    assert same(raw.value_to_tensor(mine[0].call(input=ours(x))), expected[0](input=x))
    own = ours(x)
    assert is_same(make("Sequential")(own), own)
    for net, value in ((nn.Conv2d(1, 1, 1), x), (make("Conv2d", 1, 1, 1), own)):
        call = net.call if isinstance(net, Net) else net
        for args, kwargs in (((), {}), ((value, value), {}), ((value,), {"x": 1}), ((value,), {"input": value})):
            with pytest.raises(TypeError):
                call(*args, **kwargs)
        with pytest.raises(TypeError):
            call(3)
    with pytest.raises(RuntimeError, match="ParameterDict should not be called"):
        make("ParameterDict")(own)
    for name in ("ModuleList", "ModuleDict"):
        with pytest.raises(NotImplementedError, match=r'Module \[\w+\] is missing the required "forward" function'):
            make(name)(own)
        with pytest.raises(NotImplementedError):
            getattr(nn, name)()(x)


def test_an_error_names_the_module_by_its_path():
    inner = sequential(make("Conv2d", 1, 1, 1), make("Conv2d", 5, 1, 1))
    mine = sequential(make("Conv2d", 1, 1, 1), inner)
    for call in (mine, mine.call):
        with pytest.raises(RuntimeError, match=r"^1\.1: Given groups=1"):
            call(ctorch.randn(1, 1, 4, 4))
        with pytest.raises(RuntimeError, match=r"^0: Given groups=1"):
            call(ctorch.randn(1, 2, 4, 4))
    with pytest.raises(RuntimeError, match=r"^1: Given groups=1"):
        inner(ctorch.randn(1, 1, 4, 4))
    with pytest.raises(RuntimeError, match=r"^Given groups=1"):
        inner[1](ctorch.randn(1, 1, 4, 4))
    with pytest.raises(RuntimeError, match=r"^1\.1: Given groups=1"):  # and the next one is told anew
        mine(ctorch.randn(1, 1, 4, 4))
    mine.append(make("ModuleList"))
    inner.set_submodule("1", make("Conv2d", 1, 1, 1))
    with pytest.raises(NotImplementedError, match=r"^2: Module \[ModuleList\]"):
        mine(ctorch.randn(1, 1, 4, 4))
    mine.register_module("2", None)
    with pytest.raises(TypeError, match="^2: 'NoneType' object is not callable"):
        mine(ctorch.randn(1, 1, 4, 4))


def test_a_path_through_modules_that_share_others():
    """Two ways down at each of 40 levels are a million million paths; one is enough."""
    net = sequential(make("Conv2d", 5, 1, 1))
    for _ in range(40):
        net = sequential(net, net)
    with pytest.raises(RuntimeError, match=r"^(0\.){40}0: Given groups=1"):
        net(ctorch.randn(1, 1, 4, 4))
    assert [n for n, _ in net.named_parameters()] == ["0." * 41 + "weight", "0." * 41 + "bias"]


def test_chains_that_are_too_deep():
    """Built from the inside out registration refuses them, from the outside in whatever goes through them."""
    net = make("Sequential")
    with pytest.raises(RuntimeError, match="nested deeper than 1000"):
        for _ in range(1100):
            net = sequential(net)
    net = innermost = make("Sequential")
    for _ in range(20_000):
        child = make("Sequential")
        innermost.append(child)
        innermost = child
    x = ctorch.ones(1)
    for call in (
        lambda: net(x),
        lambda: net.call(x),
        lambda: repr(net),
        lambda: net.named_modules(),
        lambda: net.eval(),
        lambda: raw.module_copy(net.module),
        lambda: raw.module_apply(net.module, lambda module: None),
    ):
        with pytest.raises(RuntimeError, match="nested deeper than 1000"):
            call()
    net = call = child = innermost = None  # all of them go, one after another


def test_a_parameter_list_shares_its_tensors():
    tensor = ours(nn.Parameter(torch.ones(3)))
    mine = make("nn_ParameterList", [tensor, tensor])
    assert all(is_same(p, tensor) for _, p in mine.named_parameters(remove_duplicate=False))
    assert len(mine.parameters()) == 1


def test_creation_by_name():
    torch.manual_seed(1)
    wanted = nn.Conv2d(1, 4, (3, 2), padding="same", bias=False)
    torch.manual_seed(1)
    mine = Net(raw.nn_create("Conv2d", (1, 4, (3, 2)), {"padding": "same", "bias": False}))
    assert repr(mine) == repr(wanted) and pairs(wanted.named_parameters(), mine.named_parameters())
    assert repr(Net(raw.nn_create("Sequential", None, None))) == "Sequential()"
    for name, args, kwargs in (
        ("Conv2d", (1,), {}),
        ("Conv2d", (1, 1, 1), {"in_channels": 2}),
        ("Conv2d", (1, 1, 1), {"colour": 2}),
        ("Conv2d", (1, 1, "a"), {}),
        ("Conv2d", tuple(range(20)), {}),
        ("Sequential", (1, None), {}),
    ):
        with pytest.raises(TypeError):
            raw.nn_create(name, args, kwargs)
    with pytest.raises(ValueError):
        raw.nn_create("Conv2d", (1, 1, 1), {"padding_mode": "none"})
    with pytest.raises(LOOKUP, match="module 'torch.nn' has no attribute 'Conv9d'"):
        raw.nn_create("Conv9d", None, None)
    with pytest.raises(TypeError, match="args"):
        raw.nn_create("Conv2d", 3, None)


@pytest.mark.parametrize(
    "name, args",
    [
        ("BatchNorm1d", (10, 1e-3, None)),
        ("LazyBatchNorm2d", (1e-3, None)),
        ("AdaptiveAvgPool2d", ((None, 5),)),
        ("AdaptiveMaxPool3d", ((None, 5, 2), True)),
        ("AdaptiveAvgPool1d", (3,)),
        ("Softplus", (2, 10)),
        ("Threshold", (1, 20)),
        ("Hardtanh", (-2, 2.5)),
        ("Dropout", (0,)),
        ("LayerNorm", (3, 1)),
        ("GroupNorm", (2, 4, 1)),
        ("LPPool2d", (2, 3)),
        ("LocalResponseNorm", (2, 1, 2, 3)),
        ("Embedding", (3, 4, None, 1, 3)),
        ("Hardshrink", (1,)),
        ("LSTM", (2, 3, 2, True, False, 0)),  # whose dropout Python makes a float
    ],
    ids=str,
)
def test_by_name_a_module_is_printed_as_python_prints_it(name, args):
    mine = Net(raw.nn_create(name, args, None))
    assert repr(mine) == repr(getattr(nn, name)(*args))


def test_by_name_sizes_of_the_input_are_none():
    x = torch.randn(1, 2, 7, 9)
    for name in ("AdaptiveAvgPool2d", "AdaptiveMaxPool2d"):
        mine = Net(raw.nn_create(name, ((None, 5),), None))
        assert torch.equal(theirs(mine(ours(x))), getattr(nn, name)((None, 5))(x))
    for wrong, kind in ((("x",), TypeError), ((None, 2, 3), ValueError), ((2.5, 1), TypeError)):
        with pytest.raises(kind, match="output_size"):
            raw.nn_create("AdaptiveAvgPool2d", (wrong,), None)


def test_by_name_devices_and_dtypes_may_be_texts():
    for dtype, text in ((torch.float64, "float64"), (torch.float16, "torch.half"), (torch.bfloat16, "bfloat16")):
        for device in ("cpu", "meta"):
            mine = Net(raw.nn_create("Linear", (2, 3), {"device": device, "dtype": text}))
            assert {(repr(p.dtype), str(p.device)) for p in mine.parameters()} == {(f"c{dtype}", device)}
    assert repr(Net(raw.nn_skip_init("Linear", (2, 3), {"device": "cpu"}))) == repr(nn.Linear(2, 3))
    for wrong in ({"device": "gpu"}, {"device": "cuda:"}, {"dtype": "float31"}, {"dtype": "torch"}):
        with pytest.raises(TypeError, match=f"argument '{[*wrong][0]}' must be torch"):
            raw.nn_create("Linear", (2, 3), wrong)


def test_a_sequence_takes_its_input_by_name():
    torch.manual_seed(0)
    expected, x = nn.Sequential(nn.Linear(3, 2), nn.ReLU()), torch.randn(4, 3)
    mine = sequential(make("Linear", 3, 2), make("ReLU"))
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    assert same(raw.value_to_tensor(mine.call(input=ours(x))), expected(input=x))
    for args, kwargs in [((), {}), ((x, x), {}), ((x,), {"input": x}), ((), {"other": x}), ((x,), {"other": x})]:
        with pytest.raises(TypeError):
            expected(*args, **kwargs)
        with pytest.raises(TypeError):
            mine.call(*[ours(a) for a in args], **{k: ours(v) for k, v in kwargs.items()})


def test_many_names_are_found_as_in_python():
    """Registered, replaced, taken out, inserted and copied in a random order, past the length from which on names are
    looked up in a table."""
    generator = random.Random(5)
    expected, mine = nn.ModuleDict(), make("ModuleDict")
    for step in range(600):
        name = f"n{generator.randrange(120)}"
        kind = generator.choice(["child", "child", "buffer", "gone"])
        if kind == "gone" and name in expected._modules | expected._buffers:
            delattr(expected, name)
            raw.module_unregister(mine.module, name)
        elif kind == "child" and name not in expected._buffers:
            expected.register_module(name, nn.Identity())
            mine.register_module(name, make("Identity"))
        elif kind == "buffer" and name not in expected._modules:
            expected.register_buffer(name, torch.tensor(step))
            mine.register_buffer(name, ours(torch.tensor(step)))
        if step % 50 == 49:
            for one in (mine, Net(raw.module_copy(mine.module))):
                assert [n for n, _ in one.named_children()] == list(expected._modules)
                assert [(n, t.item()) for n, t in one.named_buffers()] == [
                    (n, t.item()) for n, t in expected._buffers.items()
                ]
                for i in range(120):
                    kinds = raw.module_member_kind_of(one.module, f"n{i}")
                    assert (kinds == ctorch.ModuleMemberKind.MODULE) == (f"n{i}" in expected._modules)
                    assert (kinds == ctorch.ModuleMemberKind.BUFFER) == (f"n{i}" in expected._buffers)
    assert len(expected._modules) > 30 and len(expected._buffers) > 20


def test_long_lists_keep_their_numbers():
    expected, mine = nn.ModuleList(), make("ModuleList")
    generator = random.Random(6)
    for size in range(1, 80):
        place = generator.randrange(len(expected) + 1)
        expected.insert(place, nn.Linear(1, size, bias=False))
        mine.insert(place, make("Linear", 1, size, bias=False))
        if size % 5 == 0:
            place = generator.randrange(len(expected))
            del expected[place]
            raw.module_remove_at(mine.module, place)
    for i, child in enumerate(expected):
        assert repr(mine.get_submodule(str(i))) == repr(child)
