"""Every sample of PyTorch's own database of modules, for every class that ctorch has."""

from __future__ import annotations

import sys
import warnings

import pytest
import torch

from tests.nn.compare import (
    across,
    call,
    chunk_keywords,
    compare_call,
    compare_state,
    ctorch,
    database,
    one_thread,
    ours,
    raw,
)

ShapeMismatchError = sys.modules["ctorch.errors"].ShapeMismatchError

DATABASE = {info.name.removeprefix("nn."): info for info in database() if hasattr(ctorch.nn, info.name[3:])}


def arguments(name, given):
    """What both take: Python's None in an output size is -1 here, and a momentum of None comes by its name."""
    args = tuple(encoder_layer(a) if isinstance(a, torch.nn.TransformerEncoderLayer) else a for a in given.args)
    options = {k: v for k, v in given.kwargs.items() if k != "options"}
    if len(args) > 2 and "Norm" in name and args[2] is None:
        options |= dict(zip(("momentum", "affine", "track_running_stats"), args[2:]))
        args = args[:2]
    if name.endswith("Cell") and len(args) > 2 and isinstance(args[2], str):  # a bias that Python does not look at
        args = (*args[:2], True)
    for named, function in (("relu", torch.nn.functional.relu), ("gelu", torch.nn.functional.gelu)):
        args = tuple(named if a is function else a for a in args)
        options = {k: named if v is function else v for k, v in options.items()}
    if name.startswith("Adaptive"):
        args = tuple(tuple(-1 if v is None else v for v in a) if isinstance(a, tuple) else a for a in args)
    if given.kwargs.get("options") is not None:  # of LinearCrossEntropyLoss
        options |= chunk_keywords(given.kwargs["options"])
    return across(args), {k: across(v) for k, v in options.items()}


def samples(info, training, dtype=torch.float32):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=True, training=training)


def encoder_layer(layer):
    """The same for ctorch."""
    module = ctorch.nn.TransformerEncoderLayer(
        layer.self_attn.embed_dim,
        layer.self_attn.num_heads,
        layer.linear1.out_features,
        layer.dropout.p,
        layer.activation.__name__,
        layer.norm1.eps,
        layer.self_attn.batch_first,
        layer.norm_first,
        bias=layer.linear1.bias is not None,
        dtype=across(layer.linear1.weight.dtype),
    )
    module.load_state_dict({k: ours(v) for k, v in layer.state_dict().items()})
    return module


DTYPES = [torch.float32, torch.float64, torch.bfloat16]
MOST = 100  # samples of other dtypes than float32


@pytest.mark.turns
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", DATABASE)
@one_thread()
def test_sample(name, dtype, training):
    found = samples(DATABASE[name], training, dtype)
    for sample in found if dtype == torch.float32 else found[:: len(found) // MOST + 1]:
        given, forward = sample.constructor_input, sample.forward_input
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.manual_seed(3)
            expected = getattr(torch.nn, name)(*given.args, **given.kwargs).train(training)
            torch.manual_seed(3)
            args, options = arguments(name, given)
            module = getattr(ctorch.nn, name)(*args, **options)
        expected.to(dtype)
        raw.module_to(module, None, across(dtype), False, None)
        raw.module_train(module, training)
        if not name.startswith("Lazy"):  # whose values have no sizes yet
            compare_state(module, expected)
        if forward is None:
            continue
        compare_call(module, expected, forward.args, forward.kwargs)
        compare_state(module, expected)


def errors():
    for name, info in DATABASE.items():
        if info.module_error_inputs_func is None:
            continue
        found = info.module_error_inputs_func(
            info, device="cpu", dtype=torch.float32, requires_grad=False, training=True
        )
        for index, error in enumerate(found):
            yield pytest.param(name, error, id=f"{name}-{index}")


@pytest.mark.parametrize("name, error", list(errors()))
def test_error(name, error):
    given, forward = error.module_error_input.constructor_input, error.module_error_input.forward_input
    with pytest.raises((error.error_type, ShapeMismatchError)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        args, options = arguments(name, given)
        module = getattr(ctorch.nn, name)(*args, **options)
        gives_tensor = name not in ("RNN", "LSTM", "GRU", "LSTMCell")
        call(module, across(tuple(forward.args)), {k: across(v) for k, v in forward.kwargs.items()}, gives_tensor)
