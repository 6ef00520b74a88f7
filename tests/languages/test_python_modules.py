"""torch.nn as a new user of the Python package writes it, beside Python's torch."""

import collections
import copy
import gc
import threading
import weakref

import pytest
import torch
import torch.nn.utils.prune

from tests.languages.test_python import ctorch, raw

nn = ctorch.nn


def ours(tensor):
    return ctorch.from_dlpack(tensor.detach().clone())


def theirs(tensor):
    return torch.from_dlpack(tensor.detach())


def build(nn, one):
    """The same net in both: a class of one's own with parameters, buffers, a list and a dict of modules."""

    class Block(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.linear = nn.Linear(size, size)
            self.scale = nn.Parameter(one(size))
            self.register_buffer("offset", one(size))
            self.register_buffer("cache", one(1), persistent=False)
            self.register_parameter("absent", None)

        def forward(self, x, *, residual=True):
            y = self.linear(x).relu() * self.scale + self.offset
            return x + y if residual else y

        def extra_repr(self):
            return f"size={self.linear.weight.shape[0]}"

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.ModuleList([Block(3), Block(3)])
            self.heads = nn.ModuleDict({"a": nn.Linear(3, 2), "b": nn.Sequential(Block(3), nn.Tanh())})
            self.extra = nn.ParameterList([nn.Parameter(one(2)), nn.Parameter(one(3))])

        def forward(self, x, head="a"):
            for block in self.blocks:
                x = block(x)
            return self.heads[head](x), x

    return Net()


@pytest.fixture
def both():
    torch.manual_seed(3)
    expected = build(torch.nn, lambda n: torch.ones(n))
    ctorch.manual_seed(3)
    return build(nn, lambda n: ctorch.ones(n)), expected


def test_a_net_of_ones_own_is_pythons(both):
    mine, expected = both
    assert repr(mine) == repr(expected)
    assert list(mine.state_dict()) == list(expected.state_dict())
    assert mine.state_dict()._metadata == expected.state_dict()._metadata
    for kind in ("named_parameters", "named_buffers", "named_modules", "named_children"):
        assert [k for k, _ in getattr(mine, kind)()] == [k for k, _ in getattr(expected, kind)()], kind
    for (name, a), b in zip(mine.named_parameters(), expected.parameters()):
        assert torch.equal(theirs(a), b.detach()), name
    x = torch.randn(4, 3)
    for head in "ab":
        got, wanted = mine(ours(x), head=head), expected(x, head=head)
        assert all(torch.equal(theirs(a), b.detach()) for a, b in zip(got, wanted))
    mine(ours(x))[0].sum().backward()
    expected(x)[0].sum().backward()
    for (name, a), b in zip(mine.named_parameters(), expected.parameters()):
        assert (a.grad is None) == (b.grad is None), name
        assert a.grad is None or torch.equal(theirs(a.grad), b.grad), name


def test_attributes_are_what_was_assigned(both):
    mine, _ = both
    block = mine.blocks[0]
    assert block.linear is block.linear and block.linear is mine.get_submodule("blocks.0.linear")
    assert isinstance(block.linear, nn.Linear) and isinstance(mine.blocks, nn.ModuleList)
    assert block.scale is block.scale and isinstance(block.scale, nn.Parameter)
    assert isinstance(block.linear.weight, nn.Parameter) and not isinstance(block.offset, nn.Parameter)
    assert block.absent is None and next(mine.parameters()) is mine.blocks[0].scale
    assert {"linear", "scale", "offset", "forward"} <= {*dir(block)}
    block.offset = ctorch.zeros(3)
    block.scale = None
    assert "blocks.0.scale" not in mine.state_dict() and block.scale is None
    block.note = [1, 2]
    assert block.note == [1, 2] and "note" in vars(block)
    del block.note, block.linear
    with pytest.raises(AttributeError, match="'Block' object has no attribute 'linear'"):
        _ = block.linear
    block.linear = nn.Identity()
    assert isinstance(mine.blocks[0].linear, nn.Identity)


def test_a_name_may_stand_for_something_else_first(both):
    """`self.downsample = None`, and a module later: the module is part of the net."""
    kinds = [
        lambda own, one: None,
        lambda own, one: "text",
        lambda own, one: own.Parameter(one(2)),
        lambda own, one: own.ReLU(),
    ]
    for before in kinds:
        for after in kinds[2:]:
            states = []
            for own, one in ((nn, ctorch.ones), (torch.nn, torch.ones)):
                net = own.Sequential(own.Linear(1, 1))
                net.register_buffer("offset", one(1))
                net.part = before(own, one)
                if isinstance(net.part, own.Parameter) and isinstance(after(own, one), own.ReLU):
                    with pytest.raises(TypeError, match="as parameter 'part'"):
                        net.part = after(own, one)
                else:
                    net.part = after(own, one)
                    assert "part" not in vars(net) and net.part is net.part
                net.offset = after(own, one)
                states.append(([*net.state_dict()], [n for n, _ in net.named_modules()], repr(net)))
            assert states[0] == states[1]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda m, nn, t: setattr(m, "scale", t), TypeError),
        (lambda m, nn, t: setattr(m, "linear", t), TypeError),
        (lambda m, nn, t: setattr(m, "offset", "text"), TypeError),
        (lambda m, nn, t: m.register_parameter("p", t), TypeError),
        (lambda m, nn, t: m.register_parameter("a.b", None), KeyError),
        (lambda m, nn, t: m.register_parameter("", None), KeyError),
        (lambda m, nn, t: m.register_buffer("linear", t), KeyError),
        (lambda m, nn, t: m.register_buffer("forward", t), KeyError),
        (lambda m, nn, t: m.register_buffer("x", "text"), TypeError),
        (lambda m, nn, t: m.add_module("x", t), TypeError),
        (lambda m, nn, t: m.add_module("scale", nn.ReLU()), KeyError),
        (lambda m, nn, t: m.get_parameter("nothing"), AttributeError),
        (lambda m, nn, t: m.get_submodule("scale"), AttributeError),
        (lambda m, nn, t: m.get_buffer("linear.weight"), AttributeError),
        (lambda m, nn, t: m.nothing, AttributeError),
        (lambda m, nn, t: m.__delattr__("nothing"), AttributeError),
        (lambda m, nn, t: m.to(t.to(dtype=getattr(t, "dtype")).long()), TypeError),
        (lambda m, nn, t: m.train("yes"), ValueError),
        (lambda m, nn, t: m.load_state_dict({}), RuntimeError),
        (lambda m, nn, t: m.load_state_dict([]), TypeError),
        (lambda m, nn, t: nn.ModuleList([t]), TypeError),
        (lambda m, nn, t: nn.Sequential(nn.ReLU())[1], IndexError),
        (lambda m, nn, t: nn.ModuleDict({})["x"], KeyError),
        (lambda m, nn, t: nn.Module()(t), NotImplementedError),
    ],
)
def test_refusals_are_pythons(both, change, error):
    for m, own, t in zip(both, (nn, torch.nn), (ctorch.ones(3), torch.ones(3))):
        with pytest.raises(error):
            change(m.blocks[0], own, t)


def test_before_init():
    for own in (nn, torch.nn):

        class Early(own.Module):
            def __init__(self, own=own):
                self.layer = own.ReLU()

        with pytest.raises(AttributeError, match=r"Module\.__init__\(\)"):
            Early()


def derived(t):
    class Doubled(t.nn.LayerNorm):
        _version = 3

        def __init__(self, size, note):
            super().__init__(size)
            self.note = note

        def forward(self, x):
            return super().forward(x) * 2 + len(self.note)

    class Residual(t.nn.Sequential):
        def forward(self, x, scale=1.0):
            return x + super().forward(x) * scale

    class Wide(t.nn.Linear):
        def __init__(self):
            super().__init__(4, 8)

    t.manual_seed(1)
    return t.nn.Sequential(Residual(Doubled(4, "abc"), t.nn.Linear(4, 4)), Wide())


def test_classes_derived_from_layers():
    mine, expected = derived(ctorch), derived(torch)
    x = torch.randn(2, 4)
    assert repr(mine) == repr(expected)
    assert torch.equal(theirs(mine(ours(x))), expected(x).detach())
    assert torch.equal(theirs(mine[0](ours(x), scale=0.5)), expected[0](x, scale=0.5).detach())
    assert torch.equal(theirs(mine[0].forward(ours(x))), expected[0](x).detach())
    assert mine.state_dict()._metadata == expected.state_dict()._metadata
    assert isinstance(mine[1], nn.Linear) and mine[1].weight.shape == (8, 4)
    seen = []
    hook = mine[0].register_forward_hook(lambda module, args, output: seen.append(type(module).__name__))
    mine(ours(x))
    mine[0].forward(ours(x))
    assert seen == ["Residual"]
    hook.remove()

    copied = copy.deepcopy(mine)
    with torch.no_grad():
        mine[0][0].weight.fill_(0)
    assert repr(copied) == repr(expected)
    assert [type(m) for m in copied.modules()] == [type(m) for m in mine.modules()]
    assert copied[0][0].note == "abc" and copied[0][0] is not mine[0][0]
    assert torch.equal(theirs(copied(ours(x))), expected(x).detach())


def written(t):
    """Classes with texts of their own: of a layer, of an own module, in whole and in part."""

    class Noise(t.nn.Module):
        def __init__(self, p):
            super().__init__()
            self.p = p

        def forward(self, x):
            return x

        def __repr__(self):
            return f"Noise(\n  p={self.p}\n)"

    class Loud(Noise):
        def __repr__(self):
            return super().__repr__() + "!"

    class Marked(t.nn.Linear):
        def __repr__(self):
            return super().__repr__() + f" # {self.in_features}"

    class Short(t.nn.Linear):
        def extra_repr(self):
            return f"{self.in_features} -> {self.out_features}"

    return t.nn.Sequential(Noise(0.5), t.nn.ModuleList([Loud(1), Loud(1), Marked(2, 3)]), Short(2, 3))


def test_texts_of_ones_own():
    mine, expected = written(ctorch), written(torch)
    assert repr(mine) == repr(expected)
    for module, other in zip(mine.modules(), expected.modules()):
        assert repr(module) == repr(other)
    copied = copy.deepcopy(mine)
    mine[0].p = 2
    assert repr(copied) == repr(expected) != repr(mine)
    raw.module_set_repr(mine[2], lambda module: "text\n  of its own")
    assert str(raw.module_repr(mine[2])) == "text\n  of its own"
    assert str(raw.module_repr_of_class(mine[2])) == "Short(2 -> 3)"
    raw.module_set_repr(mine[2], None)
    assert str(raw.module_repr(mine[2])) == "Short(2 -> 3)"
    raw.module_set_repr(mine[2], lambda module: 3)
    with pytest.raises(TypeError, match="the callback repr gave int, no text"):
        repr(mine)


def test_a_derived_object_that_is_gone():
    class Mine(nn.Identity):
        def forward(self, x):
            return x + 1

    net = nn.Sequential()
    raw.module_append(net, Mine())
    with pytest.raises(RuntimeError, match="the object of this Mine is gone"):
        net(ctorch.ones(1))


def test_modes_and_casts(both):
    mine, expected = both
    for m in both:
        m.blocks.training = False
    assert [m.training for m in mine.modules()] == [m.training for m in expected.modules()]
    for m in both:
        assert m.eval() is m and m.train() is m and m.requires_grad_(False) is m
    assert not any(p.requires_grad for p in mine.parameters()) and mine.training
    for m, d in zip(both, (ctorch.float64, torch.float64)):
        assert m.double() is m and m.float() is m and m.to(d) is m and m.to("cpu", d) is m and m.to(dtype=d) is m
    assert {str(p.dtype).rpartition(".")[2] for p in mine.parameters()} == {"float64"}
    mine.to(ctorch.zeros(1, dtype=ctorch.float16))
    assert {str(p.dtype).rpartition(".")[2] for p in mine.parameters()} == {"float16"}
    assert mine.num_parameters() == sum(p.numel() for p in expected.parameters())
    seen = [[], []]
    for m, found in zip(both, seen):
        m.apply(lambda module, found=found: found.append(type(module).__name__))
    assert seen[0] == seen[1]


def test_copies_are_whole(both):
    mine, _ = both
    mine.blocks[0].note = [1]
    whole = nn.Sequential(mine)
    made = copy.deepcopy(whole)
    x = ctorch.randn(2, 3)
    wanted = mine(x)[0]
    with ctorch.no_grad():
        mine.blocks[0].linear.weight.zero_()
    del whole, mine
    gc.collect()
    inner = made[0]
    assert inner.blocks[0].note == [1] and type(inner).__name__ == "Net"
    assert ctorch.equal(inner(x)[0], wanted)
    only = inner.heads["b"]
    del made, inner
    gc.collect()
    assert only(x).shape == (2, 3)
    with pytest.raises(TypeError, match="deepcopy"):
        copy.copy(only)


def test_objects_go_when_nobody_needs_them():
    mine = build(nn, lambda n: ctorch.ones(n))
    made = copy.deepcopy(mine)
    seen = [weakref.ref(m) for net in (mine, made) for m in net.modules() if type(m).__name__ in ("Net", "Block")]
    assert len(seen) == 8 and all(one() is not None for one in seen)
    del mine, made
    gc.collect()
    assert all(one() is None for one in seen)


def test_an_object_that_is_gone_says_so():
    class Own(nn.Module):
        def forward(self, x):
            return x

    kept = nn.Sequential()
    own = Own()
    raw.module_append(kept, own)  # behind the back of the container's object
    del own
    gc.collect()
    with pytest.raises(RuntimeError, match="the object of this Own is gone: keep it"):
        kept(ctorch.ones(1))


def test_extra_state_and_reset():
    def make(own, fill):
        class Counting(own.Module):
            def __init__(self):
                super().__init__()
                self.weight = own.Parameter(fill())
                self.count = 0

            def reset_parameters(self):
                self.count += 1

            def get_extra_state(self):
                return {"count": self.count}

            def set_extra_state(self, state):
                self.count = state["count"]

            def forward(self, x):
                self.count += 1
                return x * self.weight

        return Counting(), Counting()

    for own, one in ((nn, lambda: ctorch.ones(1)), (torch.nn, lambda: torch.ones(1))):
        a, b = make(own, one)
        a(one())
        state = a.state_dict()
        assert list(state) == ["weight", "_extra_state"] and state["_extra_state"] == {"count": 1}
        assert str(b.load_state_dict(state)) == "<All keys matched successfully>"
        assert b.count == 1
    raw.module_reset_parameters(a if isinstance(a, nn.Module) else make(nn, lambda: ctorch.ones(1))[0])


def test_state_dicts_go_both_ways(both):
    mine, expected = both
    state = {k: theirs(v) for k, v in mine.state_dict().items()}
    expected.load_state_dict(state)
    back = collections.OrderedDict((k, ours(v + 1)) for k, v in expected.state_dict().items())
    keys = mine.load_state_dict(back)
    assert keys.missing_keys == [] and keys.unexpected_keys == []
    assert torch.equal(theirs(mine.blocks[0].scale), torch.full((3,), 2.0))
    found = mine.load_state_dict({"x": ctorch.ones(1)}, strict=False)
    assert found.unexpected_keys == ["x"] and found.missing_keys == list(expected.state_dict())
    with pytest.raises(RuntimeError, match=r"Missing key\(s\) in state_dict"):
        mine.load_state_dict({})


def test_hooks(both):
    logs = []
    for m, x in zip(both, (ctorch.ones(2, 3), torch.ones(2, 3))):
        log = []
        block = m.blocks[0]
        hooks = [
            block.register_forward_pre_hook(lambda m, args, log=log: log.append(("pre", len(args)))),
            block.register_forward_pre_hook(lambda m, args: (args[0] * 2,), prepend=True),
            block.register_forward_pre_hook(
                lambda m, args, kwargs: (args, {**kwargs, "residual": False}), with_kwargs=True
            ),
            block.register_forward_hook(lambda m, args, out, log=log: log.append(("post", out.sum().item()))),
            block.register_forward_hook(lambda m, args, kwargs, out: out + 1, with_kwargs=True, prepend=True),
            block.register_full_backward_hook(lambda m, gi, go, log=log: log.append(("back", len(gi), len(go)))),
            block.register_full_backward_pre_hook(lambda m, go, log=log: log.append(("back pre", len(go)))),
            m.register_state_dict_pre_hook(lambda m, prefix, keep, log=log: log.append(("state", prefix, keep))),
            m.register_load_state_dict_post_hook(lambda m, keys, log=log: keys.missing_keys.clear()),
        ]
        m(x)[0].sum().backward()
        m.state_dict()
        state = m.state_dict()
        del state["heads.a.weight"]
        m.load_state_dict(state)
        for hook in hooks:
            hook.remove()
        m(x)
        logs.append(log)
    assert logs[0] == logs[1] and len(logs[0]) == 6


def test_errors_of_a_forward_come_out_as_they_are():
    class Failing(nn.Module):
        def forward(self, x):
            raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        nn.Sequential(Failing())(ctorch.ones(1))

    class Giving(nn.Module):
        def forward(self, x):
            return object()

    with pytest.raises(TypeError, match="what a value can hold"):
        Giving()(ctorch.ones(1))


def test_containers():
    results = []
    for own in (nn, torch.nn):
        s = own.Sequential(collections.OrderedDict(first=own.ReLU(), second=own.Tanh()))
        t = own.Sequential(own.ReLU(), own.Tanh(), own.Sigmoid())
        t.append(own.GELU()).insert(1, own.SiLU())
        t += own.Sequential(own.ELU())
        last = t.pop(-1)
        del t[0]
        t[0] = own.Identity()
        modules = own.ModuleList([own.ReLU()] * 2)
        modules.extend([own.Tanh()])
        named = own.ModuleDict([("a", own.ReLU()), ("b", own.Tanh())])
        popped = named.pop("a")
        dict_ = own.ParameterDict({"x": own.Parameter((ctorch if own is nn else torch).ones(2))})
        results.append(
            [repr(s), repr(t), repr(t[1:]), repr(last), repr(modules), repr(named), repr(popped), len(t), "b" in named]
            + [list(named), [*dict_], len(modules), repr(s[1:]), type(modules[:1]).__name__, len(dict_)]
            + [repr(own.Sequential(own.ReLU()) + own.Sequential(own.Tanh())), [n for n, _ in s.named_children()]]
        )
        assert modules[0] is modules[1]
    assert results[0] == results[1]


def test_classes_keep_their_constructors():
    table = ctorch.ones(4, 2)
    assert isinstance(nn.Embedding.from_pretrained(table), nn.Embedding)
    assert nn.MaxPool1d(2, return_indices=True)(ctorch.arange(4.0).view(1, 4))[1].tolist() == [[1, 3]]
    with pytest.raises(TypeError, match="Linear"):
        nn.Linear("three", 4)
    lstm = nn.LSTM(3, 4)
    output, (h, _) = lstm(ctorch.ones(5, 2, 3))
    assert output.shape == (5, 2, 4) and h.shape == (1, 2, 4)
    closed = nn.ReLU()
    closed.close()
    assert repr(closed) == "<ReLU closed>" and closed.closed
    with pytest.raises((AttributeError, ValueError)):
        closed(table)


def test_threads_share_a_net(both):
    mine, expected = both
    mine.eval()
    x = torch.randn(4, 3)
    wanted, found = expected.eval()(x)[0], []

    def work():
        for _ in range(20):
            found.append(torch.equal(theirs(mine(ours(x))[0]), wanted.detach()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(found)


def test_parameters():
    data = ctorch.ones(2)
    parameter = nn.Parameter(data)
    assert parameter.requires_grad and not data.requires_grad and parameter.is_leaf
    data.add_(1)
    assert parameter.tolist() == [2, 2]
    assert repr(parameter) == repr(torch.nn.Parameter(torch.full((2,), 2.0)))
    assert not nn.Parameter(data, requires_grad=False).requires_grad
    assert isinstance(copy.deepcopy(parameter), nn.Parameter)
    linear = nn.Linear(2, 2)
    linear.weight = parameter = nn.Parameter(ctorch.zeros(2, 2))
    assert linear.weight is parameter and linear(ctorch.ones(2)).shape == (2,)


@pytest.mark.parametrize("leave", [True, False])
def test_a_weight_that_a_module_computes(leave):
    P = ctorch.parametrize

    class Twice(nn.Module):
        def forward(self, x):
            return x * 2

        def right_inverse(self, y):
            return y * 0.5

    linear = nn.Linear(2, 2)
    before = linear.weight.tolist()
    assert P.register_parametrization(linear, "weight", Twice()) is linear
    gc.collect()
    assert P.is_parametrized(linear) and P.is_parametrized(linear, "weight") and not P.is_parametrized(linear, "bias")
    assert type(linear) is nn.Linear is P.type_before_parametrizations(linear)
    assert repr(linear).startswith("ParametrizedLinear(") and isinstance(linear.parametrizations.weight[0], Twice)
    assert linear.weight.tolist() == before and linear.weight.requires_grad
    linear.weight = ctorch.ones(2, 2)
    assert linear.weight.tolist() == [[1, 1], [1, 1]] and "weight" not in dict(linear.named_parameters())
    assert linear.parametrizations.weight.original.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert type(copy.deepcopy(linear)) is nn.Linear
    with P.cached():
        assert linear.weight is linear.weight or linear.weight.data_ptr() == linear.weight.data_ptr()
    for wrong in (nn.ReLU(), None, 3):
        with pytest.raises(TypeError):
            linear.weight = wrong
    other = nn.Linear(2, 2)
    P.transfer_parametrizations_and_params(linear, other)
    gc.collect()
    assert other.weight.tolist() == linear.weight.tolist()
    P.remove_parametrizations(linear, "weight", leave)
    assert linear.weight.tolist() == [[1.0 if leave else 0.5] * 2] * 2 and isinstance(linear.weight, nn.Parameter)
    assert not P.is_parametrized(linear) and not hasattr(linear, "parametrizations")


def test_a_weight_with_a_norm_of_its_own():
    linear = nn.Linear(2, 3)
    before = linear.weight
    raw.module_weight_norm(linear, None, 0)
    assert linear.weight.shape == (3, 2) and ctorch.allclose(linear.weight, before)
    with pytest.raises(ValueError):
        linear.weight = ctorch.ones(3, 2)


# Arguments as Python takes them


@pytest.mark.parametrize(
    "make",
    [
        lambda nn: nn.BatchNorm1d(10, 1e-3, None),
        lambda nn: nn.LazyBatchNorm2d(1e-3, None),
        lambda nn: nn.AdaptiveAvgPool2d((None, 5)),
        lambda nn: nn.AdaptiveMaxPool3d((None, 5, 2), True),
        lambda nn: nn.Softplus(beta=2),
        lambda nn: nn.Threshold(1, 20),
        lambda nn: nn.Dropout(0),
        lambda nn: nn.LayerNorm(3, eps=1),
        lambda nn: nn.LPPool2d(2, 3),
        lambda nn: nn.Embedding(3, 4, max_norm=1),
    ],
)
def test_a_layer_is_printed_as_it_was_made(make):
    assert repr(make(nn)) == repr(make(torch.nn))


def test_a_layer_that_is_made_of_ints_draws_the_same_numbers():
    torch.manual_seed(4)  # the same generator, if it is the same LibTorch
    expected = torch.nn.Embedding(3, 4, max_norm=1).weight, torch.randn(3)
    torch.manual_seed(4)
    assert torch.equal(theirs(nn.Embedding(3, 4, max_norm=1).weight), expected[0])
    assert torch.equal(theirs(ctorch.randn(3)), expected[1])
    for wrong in (lambda: nn.Dropout(1, p=1), lambda: nn.Dropout(1, True, 2), lambda: nn.Dropout(3)):
        with pytest.raises((TypeError, ValueError)):
            wrong()


def test_none_is_the_size_of_the_input():
    x = torch.randn(1, 2, 7, 9)
    for module in (ctorch.nn, torch.nn):
        assert module.AdaptiveAvgPool2d((None, 5)).output_size == (None, 5)
    expected = torch.nn.functional.adaptive_avg_pool2d(x, (None, 5))
    assert torch.equal(theirs(nn.AdaptiveAvgPool2d((None, 5))(ours(x))), expected)
    assert torch.equal(theirs(nn.functional.adaptive_avg_pool2d(ours(x), (None, 5))), expected)
    values, places = nn.functional.adaptive_max_pool2d(ours(x), [3, None], return_indices=True)
    expected = torch.nn.functional.adaptive_max_pool2d(x, [3, None], return_indices=True)
    assert torch.equal(theirs(values), expected[0]) and torch.equal(theirs(places), expected[1])


# torch.nn.utils


def test_sequences_are_packed_for_recurrent_modules():
    torch.manual_seed(5)
    sequences = [torch.randn(n, 3) for n in (2, 4, 3)]
    expected = torch.nn.LSTM(3, 5, batch_first=True)
    mine = nn.LSTM(3, 5, batch_first=True)
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})

    def run(rnn, model, sequences, lengths):
        padded = rnn.pad_sequence(sequences, batch_first=True, padding_value=1.5)
        packed = rnn.pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False)
        output, (h, _) = model(packed)
        assert type(output) is rnn.PackedSequence
        padded_again, lengths_again = rnn.pad_packed_sequence(output, batch_first=True, total_length=6)
        packed_at_once = rnn.pack_sequence(sequences, enforce_sorted=False)
        unpadded = rnn.unpad_sequence(padded, lengths_again, batch_first=True)
        return [padded, packed.data, packed.batch_sizes, packed.unsorted_indices, output.data, h, padded_again,
                lengths_again, packed_at_once.data, *rnn.unpack_sequence(packed), *unpadded]  # fmt: skip

    from ctorch.nn.utils import rnn

    found = run(rnn, mine, [ours(s) for s in sequences], ctorch.tensor([2, 4, 3]))
    wanted = run(torch.nn.utils.rnn, expected, sequences, torch.tensor([2, 4, 3]))
    assert all(torch.equal(theirs(a), b) for a, b in zip(found, wanted, strict=True))
    assert rnn.pack_padded_sequence(ctorch.ones(4, 2, 3), [4, 1]).to(ctorch.float64).data.dtype is ctorch.float64


def pruned(nn, tensor):
    """What torch.nn.utils.prune and weight_norm make of the same layers."""
    prune, layers = nn.utils.prune, [nn.Linear(4, 3) for _ in range(6)]
    for number, layer in enumerate(layers):
        layer.load_state_dict({"weight": tensor(number), "bias": tensor(number)[:, 0]})
    assert prune.l1_unstructured(layers[0], "weight", 0.3) is layers[0]
    prune.ln_structured(layers[1], "weight", amount=1, n=2, dim=0)
    prune.ln_structured(layers[1], "weight", amount=1, n="fro", dim=1)
    prune.identity(layers[2], "bias")
    prune.custom_from_mask(layers[2], "weight", tensor(2) > 0)
    prune.global_unstructured([(layers[3], "weight"), (layers[4], "weight")], prune.L1Unstructured, amount=5)

    class Largest(prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def __init__(self, bound):
            self.bound = bound

        def compute_mask(self, t, default_mask):
            return default_mask * (t < self.bound)

    Largest.apply(layers[5], "weight", 0.25)
    prune.global_unstructured([(layers[5], "weight"), (layers[4], "weight")], Largest, bound=0.1)
    assert [prune.is_pruned(layer) for layer in layers] == [True] * 6
    prune.remove(layers[0], "weight")
    assert not prune.is_pruned(layers[0])
    nn.utils.weight_norm(layers[0], dim=None)
    nn.utils.parametrizations.weight_norm(layers[1], "bias")
    states = [layer.state_dict() for layer in layers]
    return [(key, value) for state in states for key, value in state.items()]


def test_pruning_and_weight_norm_are_those_of_torch():
    torch.manual_seed(6)
    weights = [torch.randn(3, 4) for _ in range(6)]
    found = pruned(nn, lambda number: ours(weights[number]))
    wanted = pruned(torch.nn, lambda number: weights[number].clone())
    assert [key for key, _ in found] == [key for key, _ in wanted]
    for (key, a), (_, b) in zip(found, wanted):
        torch.testing.assert_close(theirs(a), b.detach(), msg=key)


def test_norms_of_weights_come_and_go():
    torch.manual_seed(7)
    weight = torch.randn(3, 4)
    layer = nn.Linear(4, 3)
    layer.load_state_dict({"weight": ours(weight), "bias": ctorch.zeros(3)})
    x = ctorch.randn(2, 4)
    before = theirs(layer(x))
    nn.utils.weight_norm(layer)
    assert [name for name, _ in layer.named_parameters()] == ["bias", "weight_g", "weight_v"]
    torch.testing.assert_close(theirs(layer(x)), before)
    assert nn.utils.remove_weight_norm(layer) is layer
    assert {name for name, _ in layer.named_parameters()} == {"weight", "bias"}
    nn.utils.spectral_norm(layer, n_power_iterations=30)
    layer(x)
    singular = torch.linalg.svdvals(weight)[0]
    layer.eval()
    torch.testing.assert_close(theirs(layer(x)), theirs(x) @ (weight / singular).T, rtol=1e-3, atol=1e-4)
    nn.utils.remove_spectral_norm(layer)
    nn.utils.parametrizations.orthogonal(layer)
    w = theirs(layer.weight)
    torch.testing.assert_close(w @ w.T, torch.eye(3))
