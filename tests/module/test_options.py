"""What a module's constructor was given, read and changed, as Python's attributes are."""

from __future__ import annotations

import copy
import sys
import warnings

import pytest
import torch

from tests.nn.compare import across, compare_state, create, ctorch, ours, raw, refuses
from tests.nn.test_database import DATABASE, arguments, samples

from_value = sys.modules["ctorch.values"].from_value
nn = ctorch.nn


def options(module) -> dict:
    return from_value(raw.module_options(module))


def is_option(value) -> bool:
    return not isinstance(value, (torch.Tensor, torch.nn.Module, list)) and not callable(value)


def compare_options(module, expected):
    """Both have the same values under the names that both have; -1 stands for None in an output size."""
    mine = options(module)
    for name, value in mine.items():
        if isinstance(value, tuple) and name == "output_size":
            value = tuple(None if v == -1 else v for v in value)
        theirs = getattr(expected, name, value)
        if name in expected._parameters or name in expected._buffers or not is_option(theirs):
            continue
        assert value == theirs and isinstance(value, tuple) == isinstance(theirs, tuple), name
        assert from_value(raw.module_get_option(module, name)) == mine[name]
        assert hasattr(nn.Module, name) or getattr(module, name) == mine[name]
    return mine


@pytest.mark.parametrize("name", DATABASE)
def test_the_database(name):
    for sample in samples(DATABASE[name], True):
        given = sample.constructor_input
        if any(isinstance(a, torch.nn.Module) for a in given.args):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = getattr(torch.nn, name)(*given.args, **given.kwargs)
            args, keywords = arguments(name, given)
            compared = compare_options(getattr(nn, name)(*args, **keywords), expected)
            assert compared or not given.args


CASES = [
    ("Upsample", {"scale_factor": 2.0}),
    ("Upsample", {"scale_factor": (2.0, 3.0), "mode": "bilinear", "align_corners": True}),
    ("Upsample", {"size": (3, 4)}),
    ("Upsample", {"size": 3}),
    ("AvgPool1d", {"args": (3,)}),
    ("MaxUnpool2d", {"args": (2,)}),
    ("MaxUnpool3d", {"args": (2, (1, 2, 1))}),
    ("LPPool2d", {"args": (2, 3)}),
    ("FractionalMaxPool2d", {"args": (2,), "output_size": 3}),
    ("Conv2d", {"args": (2, 4, 3), "padding": "same"}),
    ("ConvTranspose2d", {"args": (2, 4, 3), "output_padding": 1, "stride": 2}),
    ("LayerNorm", {"args": (5,)}),
    ("LayerNorm", {"args": ((2, 3),), "bias": False}),
    ("RMSNorm", {"args": (5,)}),
    ("Embedding", {"args": (4, 3), "padding_idx": -1}),
    ("Embedding.from_pretrained", {"args": (torch.ones(4, 3),), "padding_idx": -2, "max_norm": 1.5}),
    ("EmbeddingBag.from_pretrained", {"args": (torch.ones(4, 3),), "mode": "sum"}),
    ("MultiheadAttention", {"args": (4, 2), "kdim": 3}),
    ("LSTM", {"args": (3, 4, 2), "proj_size": 2, "bias": False}),
    ("GRUCell", {"args": (3, 4)}),
    ("BatchNorm2d", {"args": (3,), "momentum": None, "eps": 1e-3}),
    ("InstanceNorm1d", {"args": (3,), "track_running_stats": True}),
    ("GroupNorm", {"args": (2, 4)}),
    ("Bilinear", {"args": (2, 3, 4)}),
    ("Unflatten", {"args": (1, (2, 3))}),
    ("Fold", {"args": ((4, 5), 2), "padding": 1}),
    ("ZeroPad2d", {"args": (1,)}),
    ("ConstantPad1d", {"args": ((1, 2), 3.5)}),
    ("TripletMarginLoss", {"margin": 2.0, "swap": True}),
    ("CTCLoss", {"blank": 1, "zero_infinity": True}),
    ("CrossEntropyLoss", {"weight": torch.ones(3), "label_smoothing": 0.1, "reduction": "sum"}),
    ("AdaptiveLogSoftmaxWithLoss", {"args": (8, 10, [3, 6])}),
    ("PixelShuffle", {"args": (2,)}),
    ("CosineSimilarity", {"dim": 0}),
    ("SyncBatchNorm", {"args": (3,)}),
    ("Threshold", {"args": (0.5, 2.0)}),
    ("RReLU", {"lower": 0.1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given"), CASES)
def test_what_python_has(name, given):
    module, expected = create(name, given)
    assert compare_options(module, expected)


def test_c_knows_what_it_was_given_in_the_constructors_order():
    assert options(nn.Conv2d(2, 4, (3, 5), padding=1, bias=False)) == {
        "in_channels": 2, "out_channels": 4, "kernel_size": (3, 5), "stride": (1, 1), "padding": (1, 1),
        "dilation": (1, 1), "groups": 1, "bias": False, "padding_mode": "zeros",
    }  # fmt: skip
    assert list(options(nn.Linear(2, 3))) == ["in_features", "out_features", "bias"]
    assert options(nn.Sequential(nn.ReLU())) == {}
    given = options(nn.Dropout(0.25))
    assert given == {"p": 0.25, "inplace": False}


def test_parts_of_layers_have_theirs():
    layer, expected = create("TransformerEncoderLayer", {"args": (8, 2, 16)})
    for part, other in zip(layer.modules(), expected.modules()):
        compare_options(part, other)
    assert (layer.linear1.in_features, layer.linear2.in_features, layer.norm1.normalized_shape) == (8, 16, (8,))
    adaptive = nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 6])
    assert adaptive.tail[0][0].out_features == 2


def test_lazy_modules_learn_theirs():
    for name, size, lazy, x in (
        ("Linear", "in_features", nn.LazyLinear(3), torch.ones(2, 5)),
        ("Conv1d", "in_channels", nn.LazyConv1d(3, 2), torch.ones(2, 5, 4)),
        ("BatchNorm1d", "num_features", nn.LazyBatchNorm1d(), torch.ones(2, 5)),
    ):
        assert size not in options(lazy)
        twin = copy.deepcopy(lazy)
        lazy(ours(x))
        assert (getattr(lazy, size), type(lazy).__name__) == (5, name)
        assert size not in options(twin)


CHANGES = [
    ("Dropout", {"args": (0.5,)}, "p", 0.25, torch.ones(4, 5)),
    ("ReLU", {}, "inplace", True, torch.randn(4)),
    ("LeakyReLU", {}, "negative_slope", 0.5, torch.randn(4)),
    ("Softmax", {"dim": 0}, "dim", 1, torch.randn(3, 4)),
    ("GELU", {}, "approximate", "tanh", torch.randn(5)),
    ("BatchNorm2d", {"args": (3,)}, "momentum", None, torch.randn(2, 3, 4, 4)),
    ("BatchNorm2d", {"args": (3,)}, "momentum", 0.5, torch.randn(2, 3, 4, 4)),
    ("BatchNorm2d", {"args": (3,)}, "eps", 0.1, torch.randn(2, 3, 4, 4)),
    ("LayerNorm", {"args": (4,)}, "eps", 0.1, torch.randn(3, 4)),
    ("GroupNorm", {"args": (2, 4)}, "num_groups", 4, torch.randn(3, 4, 2)),
    ("Conv2d", {"args": (2, 4, 3)}, "stride", (2, 2), torch.randn(1, 2, 9, 9)),
    ("Conv2d", {"args": (2, 4, 3)}, "padding", (1, 2), torch.randn(1, 2, 9, 9)),
    ("Conv2d", {"args": (2, 4, 3)}, "padding", "same", torch.randn(1, 2, 9, 9)),
    ("Conv2d", {"args": (2, 4, 3)}, "dilation", (2, 1), torch.randn(1, 2, 9, 9)),
    ("MaxPool2d", {"args": (2,)}, "kernel_size", 3, torch.randn(1, 2, 9, 9)),
    ("MaxPool2d", {"args": (2,)}, "ceil_mode", True, torch.randn(1, 2, 9, 9)),
    ("AvgPool2d", {"args": (2,)}, "stride", (1, 1), torch.randn(1, 2, 9, 9)),
    ("AdaptiveAvgPool2d", {"args": (2,)}, "output_size", (1, 3), torch.randn(1, 2, 9, 9)),
    ("Upsample", {"scale_factor": 2.0}, "mode", "bilinear", torch.randn(1, 2, 3, 3)),
    ("Flatten", {}, "start_dim", 0, torch.randn(2, 3)),
    ("Embedding", {"args": (4, 3)}, "max_norm", 0.5, torch.tensor([1, 3])),
    ("Embedding", {"args": (4, 3)}, "padding_idx", 1, torch.tensor([1, 3])),
    ("ConstantPad1d", {"args": (1, 2.0)}, "value", -1.5, torch.randn(2, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "option", "value", "x"), CHANGES)
def test_a_changed_option_is_used(name, given, option, value, x):
    module, expected = create(name, given)
    parameters = [torch.from_dlpack(p.detach()).data_ptr() for p in module.parameters()]
    setattr(module, option, value)
    setattr(expected, option, value)
    assert [torch.from_dlpack(p.detach()).data_ptr() for p in module.parameters()] == parameters
    assert getattr(module, option) == value and option not in vars(module)
    torch.manual_seed(3)
    wanted = expected(x.clone())
    torch.manual_seed(3)
    got = torch.from_dlpack(module(ours(x.clone())).detach())
    assert torch.equal(got, wanted.detach())
    compare_state(module, expected)


def test_changes_of_losses_and_recurrent_layers():
    loss, expected = create("CrossEntropyLoss", {"weight": torch.tensor([1.0, 2.0, 3.0])})
    x, y = torch.randn(4, 3), torch.tensor([0, 1, 2, 1])
    for name, value in (("reduction", "sum"), ("label_smoothing", 0.25), ("ignore_index", 1)):
        setattr(loss, name, value)
        setattr(expected, name, value)
        assert loss(ours(x), ours(y)).item() == expected(x, y).item()
    lstm, expected = create("LSTM", {"args": (3, 4, 2)})
    lstm.batch_first = expected.batch_first = True
    x = torch.randn(2, 5, 3)
    assert torch.equal(torch.from_dlpack(lstm(ours(x))[0].detach()), expected(x)[0].detach())
    assert str(lstm) == str(expected)


def test_a_copy_has_options_of_its_own():
    module = nn.Dropout(0.5)
    twin = copy.deepcopy(module)
    module.p = 0.25
    assert (module.p, twin.p) == (0.25, 0.5)
    given = options(module)
    given["p"] = 0.75
    assert module.p == 0.25
    net = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)).eval()
    net[1].p = 0.1
    assert not net[1].training and net[1].p == 0.1


def test_what_cannot_be_changed_is_left():
    lstm = nn.LSTM(2, 3, 2)
    before = options(lstm)
    for name, value in (("num_layers", 3), ("bidirectional", True), ("bias", False), ("proj_size", 2)):
        with pytest.raises(RuntimeError, match=rf"{name} of LSTM cannot be changed"):
            setattr(lstm, name, value)
    with pytest.raises(ValueError):
        lstm.dropout = 2.0
    with pytest.raises(TypeError):
        lstm.batch_first = "yes"
    assert options(lstm) == before
    lstm(ctorch.ones([4, 2]))
    with pytest.raises(AttributeError, match="'LSTM' object has no attribute 'kernel_size'"):
        lstm.kernel_size  # noqa: B018
    for function in (raw.module_get_option, lambda m, n: raw.module_set_option(m, n, 1)):
        with pytest.raises(IndexError, match="'LSTM' object has no attribute 'kernel_size'"):
            function(lstm, "kernel_size")
    conv = nn.Conv2d(2, 4, 3)
    for name, value in (("groups", 3), ("padding_mode", "mirror"), ("stride", (1, 2, 3)), ("padding", "some")):
        with pytest.raises((ValueError, RuntimeError, TypeError)):
            setattr(conv, name, value)
        assert options(conv) == options(nn.Conv2d(2, 4, 3))
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 1)
    with pytest.raises((TypeError, RuntimeError)):
        encoder.num_layers = 2
    assert encoder.num_layers == 1


def test_tensors_come_before_options():
    linear = nn.Linear(2, 3, bias=False)
    assert linear.bias is None and nn.Linear(2, 3).bias.shape == (3,)
    assert "bias" not in vars(linear)
    gru = nn.GRU(2, 3)
    assert gru.bias is True
    linear.in_features = 7
    assert linear.in_features == 7 and linear.weight.shape == (3, 2)


def test_classes_of_ones_own():
    class Scaled(nn.Linear):
        def __init__(self, features):
            super().__init__(features, features)
            self.scale = 2

        def forward(self, x):
            return super().forward(x) * self.scale

    scaled = Scaled(3)
    assert (scaled.in_features, scaled.scale) == (3, 2)
    assert "in_features" in dir(scaled)
    assert scaled(ctorch.zeros([1, 3])).shape == (1, 3)
    net = nn.Sequential(nn.Linear(4, 5))
    net[0] = nn.Linear(net[0].in_features, 2)
    assert net(ctorch.zeros([1, 4])).shape == (1, 2)


OTHERS = {bool: (True, False), int: (0, 1, 2, -1, 7, 2**62), float: (0.0, 0.5, -1.0, float("nan"), 1e300)}


@pytest.mark.parametrize("name", DATABASE)
def test_whatever_is_changed_nothing_breaks(name):
    """Any value either is refused, with everything as it was, or leaves a module that can be called."""
    sample = samples(DATABASE[name], True)[0]
    given, forward = sample.constructor_input, sample.forward_input
    if any(isinstance(a, torch.nn.Module) for a in given.args):
        return
    args, keywords = arguments(name, given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for option, value in options(getattr(nn, name)(*args, **keywords)).items():
            others = OTHERS.get(type(value), ("zeros", "none", None, (1, 2), (0,), (), [3] * 7))
            for other in (*others, None, "sum", (2, 2, 2)):
                module = getattr(nn, name)(*args, **keywords)
                before = options(module)
                try:
                    raw.module_set_option(module, option, other)
                except Exception:  # noqa: BLE001
                    assert options(module) == before
                try:
                    if forward is not None and other != 2**62:
                        module(*across(forward.args))
                except Exception:  # noqa: BLE001, S110
                    pass
                assert str(module)


def test_hostile_names():
    refuses("Dropout", {"args": (2.0,)})
    module = nn.Dropout()
    for bad in ("", "P", "p ", "p\n"):
        with pytest.raises(IndexError):
            raw.module_get_option(module, bad)
