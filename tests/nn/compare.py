"""A module of ctorch beside Python's: everything that both have of a module is compared."""

from __future__ import annotations

import contextlib
import warnings

import pytest
import torch

from tests.nn.test_nn import DTYPES, ctorch, raw, theirs


def ours(tensor):
    """A tensor of ctorch's with the same memory, a leaf."""
    own = ctorch.from_dlpack(tensor.detach().clone())
    if tensor.requires_grad:
        own.requires_grad_()
    return own


def across(value):
    """Arguments for ctorch in place of those for torch."""
    if isinstance(value, torch.Tensor):
        return ours(value)
    if isinstance(value, (list, tuple)):
        return type(value)(across(v) for v in value)
    return value


def flat(value) -> list:
    """The tensors of a result, in order; None stays."""
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flat(v)]
    return [value]


def create(name, arguments, dtype=None):
    """Both modules, from the same seed; the generators of both stand where the other's does."""
    options = dict(arguments)
    positional = options.pop("args", ())
    of_dtype = [{}, {}] if dtype is None else [{"dtype": dtype}, {"dtype": DTYPES[dtype]}]
    torch.manual_seed(5)
    expected = getattr(torch.nn, name)(*positional, **options, **of_dtype[0])
    drawn = torch.rand(3)
    torch.manual_seed(5)
    module = getattr(ctorch.nn, name)(*across(positional), **{k: across(v) for k, v in options.items()}, **of_dtype[1])
    assert torch.equal(torch.rand(3), drawn)
    mine = list(raw.module_parameters(module, True))
    assert len(mine) == len(list(expected.parameters()))
    for a, b in zip(mine, expected.parameters()):
        assert same(a, b) and a.requires_grad == b.requires_grad
    return module, expected


def same(mine, wanted, tolerance=0.0) -> bool:
    if wanted is None or mine is None:
        return wanted is None and mine is None
    got = theirs(mine)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    return torch.allclose(got, wanted.detach(), rtol=tolerance, atol=tolerance, equal_nan=True)


def call(module, inputs, keywords):
    if len(inputs) == 1 and not keywords and isinstance(inputs[0], ctorch.Tensor):
        return raw.module_forward(module, inputs[0])
    return raw.module_call(module, inputs, keywords)


@contextlib.contextmanager
def one_thread():
    """Small tensors take ten times as long on all cores while others use them too."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@one_thread()
def compare(name, arguments, inputs, keywords=None, dtype=None, tolerance=0.0, evaluate=(False,)):
    """Create, apply twice, go back: parameters, outputs, gradients and buffers are the same, and so is the text."""
    module, expected = create(name, arguments, dtype)
    if hasattr(raw, "module_repr"):
        assert str(raw.module_repr(module)) == repr(expected)
    keywords = keywords or {}
    for turn in range(2):
        torch.manual_seed(turn)
        own_inputs, own_keywords = across(tuple(inputs)), {k: across(v) for k, v in keywords.items()}
        torch.manual_seed(turn)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                want = flat(expected(*inputs, **keywords))
            except NotImplementedError as missing:  # a dtype that the operator lacks: ctorch has to say so too
                with pytest.raises(type(missing)):
                    call(module, own_inputs, own_keywords)
                return
        torch.manual_seed(turn)
        got = flat(call(module, own_inputs, own_keywords))
        assert len(got) == len(want)
        for a, b in zip(got, want):
            assert same(a, b, tolerance), (a, b)
        leaves = [t for t in flat([*inputs, *keywords.values()]) if isinstance(t, torch.Tensor) and t.requires_grad]
        own_leaves = [
            t for t in flat([*own_inputs, *own_keywords.values()]) if isinstance(t, ctorch.Tensor) and t.requires_grad
        ]
        parameters, own_parameters = list(expected.parameters()), list(raw.module_parameters(module, True))
        for t in [*leaves, *parameters]:
            t.grad = None
        for t in own_parameters:
            t.grad = None
        differentiable = [(a, b) for a, b in zip(got, want) if b is not None and b.requires_grad]
        assert all(a.requires_grad for a, _ in differentiable)
        for index, (a, b) in enumerate(differentiable):
            weight = torch.rand(b.shape, dtype=torch.float64).to(b.dtype)
            again = index + 1 < len(differentiable)
            b.backward(weight, retain_graph=again)
            a.backward(ctorch.from_dlpack(weight), retain_graph=again)
        for a, b in zip([*own_leaves, *own_parameters], [*leaves, *parameters]):
            assert (a.grad is None) == (b.grad is None)
            assert b.grad is None or same_gradient(a.grad, b.grad, tolerance), (a.grad, b.grad)
        for a, b in zip(raw.module_buffers(module, True), expected.buffers()):
            assert same(a, b, tolerance)


def same_gradient(mine, wanted, tolerance):
    if wanted.is_sparse:
        return same(mine.to_dense(), wanted.to_dense(), tolerance)
    return same(mine, wanted, tolerance)


def refuses(name, arguments, inputs=None, keywords=None, kind=None):
    """Where Python raises, ctorch does, with the same kind unless another is said."""
    options = dict(arguments)
    positional = options.pop("args", ())

    def python():
        module = getattr(torch.nn, name)(*positional, **options)
        if inputs is not None:
            module(*inputs, **(keywords or {}))

    def mine():
        module = getattr(ctorch.nn, name)(*across(positional), **options)
        if inputs is not None:
            call(module, across(tuple(inputs)), {k: across(v) for k, v in (keywords or {}).items()})

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception) as raised:
            python()
        with pytest.raises(kind or raised.type):
            mine()
