"""A module of ctorch beside Python's: everything that both have of a module is compared.

A family's test is a table of classes, arguments and inputs. `compare` makes both modules from one seed, applies them
twice in each mode, goes back, and compares parameters, buffers, their names, outputs, gradients and the text; `refuses`
is for what Python refuses. `samples` are those of PyTorch's own database of modules.
"""

from __future__ import annotations

import contextlib
import sys
import types
import unittest
import warnings

import pytest
import torch
from torch.nn.utils.rnn import PackedSequence

from tests.nn.test_nn import DTYPES, ctorch, raw, theirs

from_value, to_value = sys.modules["ctorch.values"].from_value, sys.modules["ctorch.values"].to_value
DTYPES = {**DTYPES, torch.float16: ctorch.float16, torch.int64: ctorch.int64}


def ours(tensor):
    """A tensor of ctorch's with a copy of the data, a leaf."""
    own = ctorch.from_dlpack(tensor.detach().clone())
    if tensor.requires_grad:
        own.requires_grad_()
    return own


def across(value):
    """Arguments for ctorch in place of those for torch."""
    if isinstance(value, torch.Tensor):
        return ours(value)
    if isinstance(value, torch.dtype):
        return DTYPES[value]
    if isinstance(value, (list, tuple)):  # a packed sequence is a tuple
        return tuple(across(v) for v in value) if isinstance(value, tuple) else [across(v) for v in value]
    return value


def copied(value):
    """The same arguments for torch, leaves of their own."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, PackedSequence):
        return PackedSequence(*map(copied, value))
    if isinstance(value, (list, tuple)):
        return type(value)(copied(v) for v in value)
    return value


def flat(value) -> list:
    """The tensors of a result, in order; None stays."""
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flat(v)]
    return [value]


def names(found) -> list[str]:
    return [raw.named_tensors_name(found, i) for i in range(raw.named_tensors_len(found))]


def constructor(module, name):
    """`Embedding` or `Embedding.from_pretrained`."""
    for part in name.split("."):
        module = getattr(module, part)
    return module


def create(name, arguments, dtype=None):
    """Both modules, from the same seed; the generators of both stand where the other's does."""
    options = dict(arguments)
    positional = options.pop("args", ())
    if dtype is not None:
        options["dtype"] = dtype
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(5)
        expected = constructor(torch.nn, name)(*positional, **options)
        drawn = torch.rand(3)
        torch.manual_seed(5)
        module = constructor(ctorch.nn, name)(*across(positional), **{k: across(v) for k, v in options.items()})
    assert torch.equal(torch.rand(3), drawn), "another number of draws"
    compare_state(module, expected)
    return module, expected


def compare_state(module, expected, tolerance=0.0):
    """Parameters and buffers: their names, their order, their values."""
    mine = list(raw.module_parameters(module, True))
    assert names(raw.module_named_parameters(module, None, True, True)) == [n for n, _ in expected.named_parameters()]
    for a, (name, b) in zip(mine, expected.named_parameters()):
        assert same(a, b, tolerance) and a.requires_grad == b.requires_grad, name
    assert names(raw.module_named_buffers(module, None, True, True)) == [n for n, _ in expected.named_buffers()]
    for a, (name, b) in zip(raw.module_buffers(module, True), expected.named_buffers()):
        assert same(a, b, tolerance), name
    state, metadata = map(from_value, raw.module_state_dict(module, None, False))
    wanted = expected.state_dict()
    assert list(state) == list(wanted)
    assert {k: v["version"] for k, v in metadata.items()} == {k: v["version"] for k, v in wanted._metadata.items()}


def same(mine, wanted, tolerance=0.0) -> bool:
    if wanted is None or mine is None:
        return wanted is None and mine is None
    got = theirs(mine)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    if got.is_floating_point():
        return torch.allclose(got, wanted.detach(), rtol=tolerance, atol=tolerance, equal_nan=True)
    return torch.equal(got, wanted)


def call(module, inputs, keywords, gives_tensor=True):
    if len(inputs) == 1 and not keywords and isinstance(inputs[0], ctorch.Tensor) and gives_tensor:
        return raw.module_forward(module, inputs[0])
    return from_value(raw.module_call(module, list(inputs), keywords))


@contextlib.contextmanager
def one_thread():
    """Small tensors take ten times as long on all cores while others use them too."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@one_thread()
def compare(name, arguments, inputs, keywords=None, dtype=None, tolerance=0.0, modes=("train",), text=True):
    """Create, apply twice in each mode, go back."""
    module, expected = create(name, arguments, dtype)
    if text:
        assert str(raw.module_repr(module)) == repr(expected)
    for mode in modes:
        raw.module_train(module, mode == "train")
        expected.train(mode == "train")
        for turn in range(2):
            if not compare_call(module, expected, inputs, keywords or {}, turn, tolerance):
                return module, expected
            compare_state(module, expected, tolerance)
    return module, expected


def compare_call(module, expected, inputs, keywords, seed=0, tolerance=0.0) -> bool:
    """Whether Python could apply it; what it refuses as missing is refused in ctorch too."""
    own_inputs, own_keywords = across(tuple(inputs)), {k: across(v) for k, v in keywords.items()}
    inputs, keywords = copied(tuple(inputs)), {k: copied(v) for k, v in keywords.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(seed)
        try:
            result = expected(*inputs, **keywords)
            want = flat(result)
        except (NotImplementedError, RuntimeError) as missing:  # a dtype that the operator lacks
            if "not implemented for" not in str(missing):
                raise
            with pytest.raises(type(missing)):
                call(module, own_inputs, own_keywords)
            return False
        torch.manual_seed(seed)
        got = flat(call(module, own_inputs, own_keywords, isinstance(result, torch.Tensor)))
    assert len(got) == len(want)
    for a, b in zip(got, want):
        assert same(a, b, tolerance), (a, b)
    for a, b in zip(flat(own_inputs), flat(inputs)):  # what changes its input changes it here too
        if isinstance(b, torch.Tensor):
            assert same(a, b, tolerance)
    leaves = [t for t in flat([*inputs, *keywords.values()]) if isinstance(t, torch.Tensor) and t.requires_grad]
    own_leaves = [
        t for t in flat([*own_inputs, *own_keywords.values()]) if isinstance(t, ctorch.Tensor) and t.requires_grad
    ]
    parameters, own_parameters = list(expected.parameters()), list(raw.module_parameters(module, True))
    for t in [*parameters, *own_parameters]:
        t.grad = None
    differentiable = [(a, b) for a, b in zip(got, want) if b is not None and b.requires_grad]
    assert all(a is None or a.requires_grad == b.requires_grad for a, b in zip(got, want))
    for index, (a, b) in enumerate(differentiable):
        weight = torch.rand(b.shape, dtype=torch.float64).to(b.dtype)
        again = index + 1 < len(differentiable)
        b.backward(weight, retain_graph=again)
        a.backward(ctorch.from_dlpack(weight), retain_graph=again)
    for a, b in zip([*own_leaves, *own_parameters], [*leaves, *parameters]):
        assert (a.grad is None) == (b.grad is None)
        assert b.grad is None or same_gradient(a.grad, b.grad, tolerance), (a.grad, b.grad)
    return True


def same_gradient(mine, wanted, tolerance):
    if wanted.is_sparse:
        return same(mine.to_dense(), wanted.to_dense(), tolerance)
    return same(mine, wanted, tolerance)


def refuses(name, arguments, inputs=None, keywords=None, kind=None, mode="train"):
    """Where Python raises, ctorch does, with the same kind unless another is said, and a message of its own."""
    options = dict(arguments)
    positional = options.pop("args", ())

    def python():
        module = constructor(torch.nn, name)(*positional, **options).train(mode == "train")
        if inputs is not None:
            module(*copied(tuple(inputs)), **(keywords or {}))

    def mine():
        module = constructor(ctorch.nn, name)(*across(positional), **{k: across(v) for k, v in options.items()})
        raw.module_train(module, mode == "train")
        if inputs is not None:
            call(module, across(tuple(inputs)), {k: across(v) for k, v in (keywords or {}).items()})

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception) as raised:
            python()
        with pytest.raises(kind or raised.type) as own:
            mine()
    assert str(own.value)


def database():
    """torch.testing's module_db, which imports a package for tests of text that nothing here needs."""
    if "expecttest" not in sys.modules:
        stub = types.ModuleType("expecttest")
        stub.TestCase, stub.assert_expected_inline = unittest.TestCase, None
        sys.modules["expecttest"] = stub
    from torch.testing._internal.common_modules import module_db

    return module_db


def chunk_keywords(options) -> dict:
    """What linear_cross_entropy takes for Python's LinearCrossEntropyOptions."""
    chosen = {field: getattr(options, field) for field in options.__slots__}
    chosen["chunking_method"] = "none" if chosen["chunking_method"] is None else chosen["chunking_method"]
    if chosen["acc_dtype"] is not None:
        chosen["acc_dtype"] = getattr(ctorch, str(chosen["acc_dtype"]).removeprefix("torch."))
    return chosen
