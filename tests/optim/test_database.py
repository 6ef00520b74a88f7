"""PyTorch's own database of optimizers, `optim_db`: all its options work, and are refused where Python refuses them."""

from __future__ import annotations

import sys
import types

import pytest
import torch

from . import cases
from .compare import Pair, across, create, ours, raw

DATABASE = "torch.testing._internal.common_optimizers"


def database():
    """Its entries. What is not installed with torch and only decorates its tests is left out."""
    if "expecttest" not in sys.modules:
        try:
            __import__("expecttest")
        except ImportError:
            sys.modules["expecttest"] = types.SimpleNamespace(TestCase=object)
    __import__(DATABASE)
    return sys.modules[DATABASE].optim_db


ENTRIES = {info.optim_cls.__name__: info for info in database()}


def test_it_has_every_optimizer():
    assert set(ENTRIES) == {*cases.OPTIONS, "LBFGS"}


def step(pair, name, generator):
    grads = [torch.randn(p.shape, generator=generator) for p in pair.torch_params]
    if name == "SparseAdam":
        grads = [g.to_sparse() for g in grads]
    pair.give(grads)
    if name != "LBFGS":
        pair.torch.step()
        raw.optimizer_step(pair.ctorch)
        return
    loss = torch.ones(())
    pair.torch.step(lambda: loss)
    raw.optimizer_step_closure(pair.ctorch, lambda: ours(loss))


@pytest.mark.parametrize("name", ENTRIES)
def test_all_inputs(name):
    info = ENTRIES[name]
    for entry in info.optim_inputs_func(device="cpu"):
        kwargs = {k: v for k, v in entry.kwargs.items() if not (k == "capturable" and v)}
        for flags in [{}, *({"foreach": f} for f in (True, False) if "foreach" in info.supported_impls)]:
            wanted = {**kwargs, **flags}
            if not flags and name in cases.FUSED:
                wanted["fused"] = True
            if not cases.accepted(name, wanted):
                continue
            pair = Pair(name, [torch.randn(3, 4).requires_grad_(), torch.randn(2, 2).requires_grad_()], **wanted)
            generator = torch.Generator().manual_seed(8)
            for _ in range(4):
                step(pair, name, generator)
            pair.check(f"{entry.desc} {wanted}: ")


def shared(value, known):
    """The parameters for ctorch, each tensor once, however often it is there."""
    if isinstance(value, torch.Tensor):
        return known.setdefault(id(value), ours(value))
    if isinstance(value, dict):
        return {k: shared(v, known) if k == "params" else v for k, v in value.items()}
    return type(value)(shared(v, known) for v in value) if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("name", ENTRIES)
def test_all_error_inputs(name):
    """Values that the constructor refuses: the same kind of error. What comes of step() is not here."""
    for entry in ENTRIES[name].optim_error_inputs_func(device="cpu", dtype=torch.float32):
        error = entry.optimizer_error_input
        params = [] if error.params is None else error.params
        kinds = [torch.Tensor, dict, tuple]
        if not isinstance(params, (list, tuple)) or not all(isinstance(p, tuple(kinds)) for p in params):
            continue
        mine = shared(params, {})  # Python takes names out of the dicts that it is given
        try:
            getattr(torch.optim, name)(params, **error.kwargs)
        except Exception as e:
            expected = e
        else:
            continue
        with pytest.raises(Exception) as found:
            create(name, mine, across(error.kwargs))
        same_kind = isinstance(found.value, type(expected)) or isinstance(expected, AssertionError)
        assert same_kind, f"{error.desc}: {found.value!r}, expected {expected!r}"
