"""Summaries of models: their numbers beside closed forms and Python's flop counter."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.nn.compare import across, constructor, from_value, one_thread
from tests.nn.test_nn import ctorch, raw

# name, arguments, shapes of the inputs; FLOPs as torch.utils.flop_counter counts them.
COUNTED = [
    ("Linear", {"args": (3, 4)}, [(2, 5, 3)]),
    ("Linear", {"args": (3, 4), "bias": False}, [(3,)]),
    ("Conv1d", {"args": (4, 6, 3), "padding": 1, "groups": 2}, [(2, 4, 9)]),
    ("Conv2d", {"args": (3, 8, (3, 2)), "stride": 2}, [(2, 3, 9, 8)]),
    ("Conv2d", {"args": (3, 8, 3)}, [(3, 9, 8)]),
    ("Conv3d", {"args": (2, 3, 2), "dilation": 2}, [(1, 2, 5, 6, 7)]),
    ("ConvTranspose1d", {"args": (4, 6, 3), "stride": 2}, [(2, 4, 9)]),
    ("ConvTranspose2d", {"args": (4, 6, 3), "groups": 2}, [(2, 4, 5, 6)]),
    ("ConvTranspose3d", {"args": (2, 3, 2)}, [(1, 2, 3, 4, 5)]),
    ("MultiheadAttention", {"args": (8, 2)}, [(5, 3, 8), (7, 3, 8), (7, 3, 8)]),
    (
        "MultiheadAttention",
        {"args": (8, 2), "batch_first": True, "kdim": 4, "vdim": 6},
        [(3, 5, 8), (3, 7, 4), (3, 7, 6)],
    ),
    ("MultiheadAttention", {"args": (8, 4), "add_bias_kv": True, "add_zero_attn": True}, [(5, 8), (7, 8), (7, 8)]),
    ("RNNCell", {"args": (3, 4)}, [(2, 3)]),
    ("LSTMCell", {"args": (3, 4)}, [(2, 3)]),
    ("GRUCell", {"args": (3, 4)}, [(3,)]),
    ("TransformerEncoderLayer", {"args": (8, 2, 16)}, [(5, 3, 8)]),
    ("TransformerDecoderLayer", {"args": (8, 2, 16)}, [(5, 3, 8), (4, 3, 8)]),
    ("ReLU", {}, [(3, 4)]),
]


def rows(module, *inputs, **keywords):
    return from_value(raw.module_summary_rows(module, list(inputs), keywords))


def both(name, arguments):
    options = dict(arguments)
    positional = options.pop("args", ())
    return constructor(ctorch.nn, name)(*across(positional), **options), getattr(nn, name)(*positional, **options)


@one_thread()
@pytest.mark.parametrize("number", range(len(COUNTED)), ids=lambda i: f"{COUNTED[i][0]} {i}")
def test_flops_are_pythons(number):
    name, arguments, shapes = COUNTED[number]
    mine, wanted = both(name, arguments)
    inputs = [torch.randn(shape) for shape in shapes]
    wanted.train()  # without the fast path, which hooks keep ctorch from too
    with FlopCounterMode(display=False) as counter:
        output = wanted(*inputs)
    found = rows(mine, *map(across, inputs))
    assert found[0]["flops"] == counter.get_total_flops()
    assert [r["name"] for r in found] == [n for n, _ in wanted.named_modules()]
    assert [r["class"] for r in found] == [type(m).__name__ for m in wanted.modules()]
    for row, module in zip(found, wanted.modules()):
        assert row["parameters"] == row["trainable_parameters"] == sum(p.numel() for p in module.parameters())
        assert row["bytes"] == sum(t.nbytes for t in (*module.parameters(), *module.buffers()))
    shape = lambda x: list(x.shape) if isinstance(x, torch.Tensor) else tuple(map(shape, x))  # noqa: E731
    assert found[0]["output_shape"] == shape(output) and found[0]["calls"] == 1


@one_thread()
@pytest.mark.parametrize(
    "name, gates, options",
    [
        ("RNN", 1, {}),
        ("GRU", 3, {"batch_first": True}),
        ("LSTM", 4, {}),
        ("LSTM", 4, {"proj_size": 2}),
        ("LSTM", 4, {"bidirectional": True}),
    ],
)
def test_flops_of_recurrences(name, gates, options):
    mine = getattr(ctorch.nn, name)(3, 5, num_layers=2, **options)
    steps, batch, hidden = 7, 2, options.get("proj_size", 5)
    directions = 2 if options.get("bidirectional") else 1
    each = 0
    for width in (3, hidden * directions):
        each += directions * (gates * 5 * (width + hidden) + (5 * hidden if "proj_size" in options else 0))
    x = torch.randn(batch, steps, 3) if options.get("batch_first") else torch.randn(steps, batch, 3)
    assert rows(mine, across(x))[0]["flops"] == 2 * steps * batch * each


def sequential(*modules):
    made = ctorch.nn.Sequential()
    for module in modules:
        raw.module_append(made, module)
    return made


def model():
    head = sequential(ctorch.nn.Linear(144, 5), ctorch.nn.ReLU())
    return sequential(
        ctorch.nn.Conv2d(1, 4, 3), ctorch.nn.BatchNorm2d(4), ctorch.nn.Dropout(0.5), ctorch.nn.Flatten(), head
    )


def test_rows_of_a_model():
    found = rows(model(), ctorch.aten.ones([2, 1, 8, 8]))
    conv, linear = 2 * 2 * 36 * 4 * 9, 2 * 2 * 144 * 5
    assert [(r["name"], r["class"], r["output_shape"], r["flops"]) for r in found] == [
        ("", "Sequential", [2, 5], conv + linear),
        ("0", "Conv2d", [2, 4, 6, 6], conv),
        ("1", "BatchNorm2d", [2, 4, 6, 6], 0),
        ("2", "Dropout", [2, 4, 6, 6], 0),
        ("3", "Flatten", [2, 144], 0),
        ("4", "Sequential", [2, 5], linear),
        ("4.0", "Linear", [2, 5], linear),
        ("4.1", "ReLU", [2, 5], 0),
    ]
    assert [r["parameters"] for r in found] == [40 + 8 + 725, 40, 8, 0, 0, 725, 725, 0]
    assert found[2]["bytes"] == 4 * (8 + 8) + 8  # weight, bias, mean, variance, and a count in int64


def test_the_table():
    small = sequential(ctorch.nn.Linear(5, 4), ctorch.nn.ReLU(), ctorch.nn.Linear(4, 3))
    assert str(raw.module_summary(small, [ctorch.aten.ones([2, 5])], None)).splitlines() == [
        "Layer  Class       Output shape  Parameters  FLOPs",
        "       Sequential  [2, 3]                39    128",
        "0      Linear      [2, 4]                24     80",
        "1      ReLU        [2, 4]                 0      0",
        "2      Linear      [2, 3]                15     48",
        "Parameters: 39, 39 of them trainable",
        "FLOPs: 128",
        "Size: 156 bytes",
    ]


def modes(module):
    found = raw.module_named_modules(module, None, True)
    return [raw.module_training(raw.named_modules_get(found, i)) for i in range(raw.named_modules_len(found))]


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_is_changed(fails):
    module = model()
    raw.module_train(module, True)
    found = raw.module_named_modules(module, None, True)
    raw.module_train(raw.named_modules_get(found, 5), False)
    before, text = modes(module), str(raw.module_repr(module))
    buffers = [torch.from_dlpack(b).clone() for b in raw.module_buffers(module, True)]
    assert True in before and False in before
    state, x = torch.get_rng_state(), ctorch.aten.ones([2, 1, 8, 9 if fails else 8])
    x.requires_grad_()
    for _ in range(2):
        if fails:
            with pytest.raises((RuntimeError, ctorch.errors.ShapeMismatchError), match="4.0"):
                rows(module, x)
        else:
            assert rows(module, x)[0]["calls"] == 1
    assert modes(module) == before and str(raw.module_repr(module)) == text
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(torch.from_dlpack(a), b) for a, b in zip(raw.module_buffers(module, True), buffers))
    assert raw.grad_mode_enabled()


def test_shared_modules_count_under_their_first_name():
    shared = ctorch.nn.Linear(4, 4)
    found = rows(sequential(shared, sequential(shared)), ctorch.aten.ones([1, 4]))
    assert [(r["name"], r["calls"], r["flops"], r["parameters"]) for r in found] == [
        ("", 1, 64, 20),
        ("0", 2, 64, 20),
        ("1", 1, 0, 20),
    ]


def test_what_is_not_applied_has_no_shape():
    found = rows(ctorch.nn.MultiheadAttention(4, 2), *[ctorch.aten.ones([3, 1, 4])] * 3)
    assert found[1]["name"] == "out_proj" and found[1]["calls"] == 0 and found[1]["output_shape"] is None


def test_frozen_parameters():
    module = model()
    raw.module_requires_grad_(raw.module_get_submodule(module, "0"), False)
    found = rows(module, ctorch.aten.ones([2, 1, 8, 8]))
    assert (found[0]["parameters"], found[0]["trainable_parameters"]) == (773, 733)


def test_on_meta_nothing_is_computed():
    meta = ctorch.device("meta")
    module = sequential(ctorch.nn.Linear(10**6, 10**6, device=meta), ctorch.nn.ReLU())
    for x in (ctorch.aten.ones([3, 10**6]), ctorch.aten.ones([3, 10**6], device=meta)):
        found = rows(module, x)
        assert found[0]["flops"] == 6 * 10**12 and found[0]["bytes"] == 4 * (10**12 + 10**6)
        assert found[0]["output_shape"] == [3, 10**6]
    assert rows(ctorch.nn.Linear(4, 3, device=meta), input=ctorch.aten.ones([2, 4]))[0]["flops"] == 48


def test_keywords():
    q = ctorch.aten.ones([3, 1, 4])
    assert rows(ctorch.nn.MultiheadAttention(4, 2), query=q, key=q, value=q)[0]["flops"] > 0
    assert rows(ctorch.nn.Linear(4, 3), input=q)[0]["flops"] == 72


def test_numbers_that_do_not_fit():
    meta = ctorch.device("meta")
    module = ctorch.nn.Linear(2**20, 2**20, device=meta)
    assert rows(module, ctorch.aten.ones([2**22, 2**20], device=meta))[0]["flops"] == 2**63 - 1


def test_bad_arguments():
    for f in (raw.module_summary, raw.module_summary_rows):
        for args, kwargs, argument in ((3, None, "args"), (None, [1], "kwargs")):
            with pytest.raises(TypeError, match=argument):
                f(model(), args, kwargs)
        with pytest.raises(TypeError):
            f(model(), None, None)
