"""Recurrent layers and cells beside Python's."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.nn.utils.rnn import pack_sequence

from tests.nn.compare import across, compare, compare_call, create, ctorch, raw, refuses, same

DTYPES = [torch.float32, torch.float64, torch.bfloat16]
LAYERS = ["RNN", "LSTM", "GRU"]
OPTIONS = [
    {},
    {"num_layers": 2, "bidirectional": True},
    {"bias": False, "batch_first": True},
    {"num_layers": 3, "dropout": 0.4, "batch_first": True, "bidirectional": True},
]
OWN = {"RNN": [{"nonlinearity": "relu", "num_layers": 2}], "LSTM": [{"proj_size": 2, "num_layers": 2}], "GRU": []}
OWN["LSTM"].append({"proj_size": 1, "bias": False, "bidirectional": True})
CASES = [(name, options) for name in LAYERS for options in [*OPTIONS, *OWN[name]]]
BOTH = ("train", "eval")


def hidden(name, options, *batch, dtype=torch.float32):
    """First hidden states."""
    count = options.get("num_layers", 1) * (2 if options.get("bidirectional") else 1)
    sizes = [options.get("proj_size", 0) or 4, 4] if name == "LSTM" else [4]
    states = [torch.randn(count, *batch, size, dtype=dtype, requires_grad=True) for size in sizes]
    return states if name == "LSTM" else states[0]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name, options", CASES, ids=str)
def test_layer(name, options, dtype):
    for batch in ((), (2,)):
        torch.manual_seed(0)
        shape = (*batch, 5, 3) if options.get("batch_first") else (5, *batch, 3)
        x = torch.randn(shape, dtype=dtype, requires_grad=True)
        arguments = {"args": (3, 4)} | options
        compare(name, arguments, [x], dtype=dtype, modes=BOTH)
        compare(name, arguments, [x, hidden(name, options, *batch, dtype=dtype)], dtype=dtype, modes=BOTH)


@pytest.mark.parametrize("name, options", CASES, ids=str)
def test_packed(name, options):
    for lengths in ((5, 3, 2), (2, 5, 3)):
        torch.manual_seed(0)
        packed = pack_sequence([torch.randn(n, 3) for n in lengths], enforce_sorted=lengths[0] == 5)
        arguments = {"args": (3, 4)} | options
        compare(name, arguments, [packed], modes=BOTH)
        compare(name, arguments, [packed, hidden(name, options, 3)], modes=BOTH)


@pytest.mark.parametrize("name", LAYERS)
def test_typed_forwards(name):
    module, expected = create(name, {"args": (3, 4)})
    x, hx = torch.randn(5, 2, 3), hidden(name, {}, 2)
    want = expected(x, hx if name == "GRU" or name == "RNN" else tuple(hx))
    got = getattr(ctorch.nn, f"{name}_forward")(module, across(x), across(hx))
    flat = [want[0], *(want[1] if name == "LSTM" else want[1:])]
    assert len(got) == len(flat) and all(same(a, b) for a, b in zip(got, flat))
    packed = pack_sequence([torch.randn(n, 3) for n in (2, 4)], enforce_sorted=False)
    want = expected(packed)
    got = getattr(ctorch.nn, f"{name}_forward_packed")(module, *across(tuple(packed)))
    flat = [want[0][0], *(want[1] if name == "LSTM" else want[1:])]
    assert len(got) == len(flat) and all(same(a, b) for a, b in zip(got, flat))


def test_a_packed_forward_is_for_its_class():
    x, sizes = ctorch.aten.zeros([2, 3]), across(torch.tensor([2]))
    with pytest.raises(TypeError, match="GRU"):
        ctorch.nn.GRU_forward_packed(ctorch.nn.LSTM(3, 4), x, sizes)


CELLS = [("RNNCell", {}), ("RNNCell", {"nonlinearity": "relu", "bias": False}), ("LSTMCell", {}), ("GRUCell", {})]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "name, options", [*CELLS, ("LSTMCell", {"bias": False}), ("GRUCell", {"bias": False})], ids=str
)
def test_cell(name, options, dtype):
    for batch in ((), (2,)):
        torch.manual_seed(0)
        x, *states = [torch.randn(*batch, n, dtype=dtype, requires_grad=True) for n in (3, 4, 4)]
        compare(name, {"args": (3, 4)} | options, [x], dtype=dtype)
        hx = states if name == "LSTMCell" else states[0]
        compare(name, {"args": (3, 4)} | options, [x, hx], dtype=dtype)


@pytest.mark.parametrize(
    "name, options",
    [
        ("RNN", {"args": (0, 4)}),
        ("GRU", {"args": (3, 0)}),
        ("LSTM", {"args": (3, 4), "num_layers": 0}),
        ("LSTM", {"args": (3, 4), "dropout": 1.5}),
        ("LSTM", {"args": (3, 4), "dropout": -0.5}),
        ("LSTM", {"args": (3, 4), "proj_size": 4}),
        ("LSTM", {"args": (3, 4), "proj_size": -1}),
        ("RNN", {"args": (3, 4), "nonlinearity": "gelu"}),
        ("GRUCell", {"args": (-1, 4)}),
    ],
    ids=str,
)
def test_constructors_refuse_what_python_refuses(name, options):
    refuses(name, options)


@pytest.mark.parametrize("name", LAYERS)
def test_forward_refuses_what_python_refuses(name):
    def states(*shape):
        return [torch.zeros(shape)] * 2 if name == "LSTM" else torch.zeros(shape)

    for inputs in (
        [torch.zeros(3)],
        [torch.zeros(1, 1, 1, 3)],
        [torch.zeros(5, 2, 4)],
        [torch.zeros(5, 2, 3, dtype=torch.float64)],
        [torch.zeros(5, 2, 3), states(1, 3, 4)],
        [torch.zeros(5, 2, 3), states(1, 4)],
        [torch.zeros(5, 3), states(1, 2, 4)],
        [torch.zeros(5, 2, 3), states(2, 2, 4)],
    ):
        refuses(name, {"args": (3, 4)}, inputs)
    for inputs in ([torch.zeros(3, 3, 3)], [torch.zeros(3), torch.zeros(2, 2, 2, 4)], [torch.zeros(2, 5)]):
        if len(inputs) > 1 and name == "LSTM":
            inputs = [inputs[0], [inputs[1], inputs[1]]]
        refuses(f"{name}Cell", {"args": (3, 4)}, inputs)


def test_an_lstm_wants_two_states():
    module = ctorch.nn.LSTM(3, 4)
    with pytest.raises(ValueError, match="h_0 and c_0"):
        ctorch.nn.LSTM_forward(module, ctorch.aten.zeros([5, 2, 3]), [ctorch.aten.zeros([1, 2, 4])])


def test_a_parameter_that_is_gone():
    module = ctorch.nn.GRU(3, 4)
    raw.module_unregister(module, "weight_hh_l0")
    with pytest.raises(RuntimeError, match="expected 4 parameters, has 3"):
        raw.module_call(module, [ctorch.aten.zeros([5, 2, 3])], {})


def test_dropout_of_one_layer_warns():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ctorch.nn.LSTM(3, 4, dropout=0.5)
    assert "dropout" in str(caught[0].message)


def test_copies_compute_the_same():
    module, expected = create("LSTM", {"args": (3, 4), "num_layers": 2})
    compare_call(raw.module_copy(module), expected, [torch.randn(5, 2, 3)], {})
