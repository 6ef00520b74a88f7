"""An optimizer of ctorch beside Python's: parameters, states and options after each of many steps."""

from __future__ import annotations

import math
import sys

import torch

from tests.nn.test_nn import ctorch, raw, theirs

from_value, to_value = sys.modules["ctorch.values"].from_value, sys.modules["ctorch.values"].to_value


def ours(tensor):
    """A tensor of ctorch's with a copy of the data, a leaf; sparse ones part by part."""
    if tensor.layout == torch.sparse_coo:
        tensor = tensor.detach()
        return ctorch.aten.sparse_coo_tensor(
            ours(tensor._indices()),
            ours(tensor._values()),
            list(tensor.shape),
            is_coalesced=tensor.is_coalesced(),
        )
    copy = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype)  # gaps between elements included
    own = ctorch.from_dlpack(copy.copy_(tensor.detach()))
    if tensor.requires_grad and tensor.is_leaf:
        own.requires_grad_()
    return own


def across(value):
    """A value for ctorch in the place of one for torch."""
    if isinstance(value, torch.Tensor):
        return ours(value)
    if isinstance(value, dict):
        return {k: across(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(across(v) for v in value)
    return value


def back(value):
    """What ctorch gave, as torch has it."""
    if isinstance(value, ctorch.Tensor):
        return theirs(value)
    if isinstance(value, dict):
        return {k: back(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(back(v) for v in value)
    return value


def same(expected, got, where, tolerance=0.0):
    """Equal to the last bit, or within the tolerance."""
    if isinstance(expected, torch.Tensor):
        assert isinstance(got, torch.Tensor), f"{where}: {type(got)} in place of a tensor"
        assert expected.dtype == got.dtype and expected.shape == got.shape, (
            f"{where}: {got.dtype} {got.shape}, expected {expected.dtype} {expected.shape}"
        )
        expected, got = expected.detach(), got.detach()
        if tolerance:
            torch.testing.assert_close(got, expected, rtol=tolerance, atol=tolerance, equal_nan=True, msg=where)
        else:
            a, b = expected.contiguous(), got.contiguous()
            equal = torch.equal(a, b) or torch.allclose(a, b, rtol=0, atol=0, equal_nan=True)
            assert equal, f"{where}: differs by {(a - b).abs().max().item()}"
    elif isinstance(expected, dict):
        assert set(expected) == set(got), f"{where}: {sorted(map(str, got))}, expected {sorted(map(str, expected))}"
        for key, value in expected.items():
            same(value, got[key], f"{where}[{key!r}]", tolerance)
    elif isinstance(expected, (list, tuple)):
        assert len(expected) == len(got), f"{where}: {len(got)} entries, expected {len(expected)}"
        for i, (a, b) in enumerate(zip(expected, got)):
            same(a, b, f"{where}[{i}]", tolerance)
    elif isinstance(expected, float) and math.isnan(expected):
        assert math.isnan(got), where
    elif isinstance(expected, float) and tolerance:
        assert math.isclose(expected, got, rel_tol=tolerance, abs_tol=tolerance), f"{where}: {got}, expected {expected}"
    else:
        assert expected == got, f"{where}: {got!r}, expected {expected!r}"


def create(name, params, kwargs):
    """ctorch's optimizer by the name of its class; `params` as Python takes them, but of ctorch's tensors."""
    return raw.optim_create(name, to_value((params,)), to_value(kwargs))


class Pair:
    """The same optimizer twice, over the same parameters: `torch` has Python's, `ctorch` ours."""

    def __init__(self, name, params, groups=None, **kwargs):
        """`groups` is what the constructors get, with numbers in the place of parameters; None for all in a list."""
        self.torch_params = params
        self.ctorch_params = [ours(p) for p in params]
        self.torch = getattr(torch.optim, name)(_filled(groups, self.torch_params), **kwargs)
        self.ctorch = create(name, _filled(groups, self.ctorch_params), across(kwargs))

    def give(self, grads):
        """The same gradients to both; None for none."""
        for p, q, grad in zip(self.torch_params, self.ctorch_params, grads):
            p.grad = grad
            q.grad = None if grad is None else ours(grad)

    def step(self, grads):
        self.give(grads)
        self.torch.step()
        raw.optimizer_step(self.ctorch)

    def state_dict(self):
        return back(from_value(raw.optimizer_state_dict(self.ctorch)))

    def check(self, where="", tolerance=0.0):
        for i, (p, q) in enumerate(zip(self.torch_params, self.ctorch_params)):
            same(p.detach(), theirs(q).detach(), f"{where}parameter {i}", tolerance)
        same(self.torch.state_dict(), self.state_dict(), f"{where}state_dict", tolerance)


def _filled(groups, params):
    if groups is None:
        return list(params)
    return [{k: [params[i] for i in v] if k == "params" else v for k, v in group.items()} for group in groups]
