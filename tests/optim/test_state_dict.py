"""State dicts between Python's optimizers and ctorch's: saved by one and continued by the other, bit for bit."""

from __future__ import annotations

import copy

import pytest
import torch

from . import cases
from .compare import Pair, across, back, from_value, ours, raw, same, to_value


def load(optimizer, state_dict):
    raw.optimizer_load_state_dict(optimizer, to_value(across(state_dict)))


def exchanged(pair, name, kwargs):
    """A new pair over the same values, where each has what the other one saved."""
    params = [p.detach().clone().requires_grad_() for p in pair.torch_params]
    other = Pair(name, params, **kwargs)
    python, own = copy.deepcopy(pair.torch.state_dict()), pair.state_dict()
    other.torch.load_state_dict(own)
    load(other.ctorch, python)
    return other


@pytest.mark.parametrize("name", cases.DENSE)
def test_one_continues_where_the_other_stopped(name):
    for dtype in (cases.F32, cases.BF16):
        for way in [w for w in cases.ways(name) if w or name not in cases.FUSED]:
            for options in [{}, *cases.OPTIONS[name][1:]]:
                kwargs = {**way, **options}
                skips = name == "SGD" and way.get("fused") and dtype == cases.BF16
                if not cases.accepted(name, kwargs) or skips:
                    continue
                params = [torch.randn(s, dtype=dtype).requires_grad_() for s in [(3, 4), (2, 5)]]
                pair = Pair(name, params, **kwargs)
                cases.steps(pair, 3, name, way)
                pair = exchanged(pair, name, kwargs)
                pair.check(f"{kwargs} loaded: ")
                cases.steps(pair, 3, name, way, first=3)
                pair.check(f"{kwargs} continued: ")


@pytest.mark.parametrize("name", cases.DENSE)
def test_a_state_dict_of_another_dtype_is_converted(name):
    pair = Pair(name, [torch.randn(3, 4).requires_grad_()])
    pair.torch = getattr(torch.optim, name)(pair.torch_params)
    cases.steps(pair, 2)
    other = Pair(name, [torch.randn(3, 4, dtype=cases.F64).requires_grad_()])
    saved = pair.torch.state_dict()
    other.torch.load_state_dict(copy.deepcopy(saved))
    load(other.ctorch, saved)
    other.check()


# What state dicts of versions before some options lack.
LATE = {
    "SGD": ["foreach", "maximize", "differentiable", "fused", "nesterov"],
    "Adam": ["foreach", "maximize", "capturable", "differentiable", "fused", "amsgrad", "decoupled_weight_decay"],
    "AdamW": ["foreach", "maximize", "capturable", "differentiable", "fused", "amsgrad", "decoupled_weight_decay"],
    "Adamax": ["foreach", "maximize", "capturable", "differentiable"],
    "NAdam": ["foreach", "maximize", "capturable", "differentiable", "decoupled_weight_decay"],
    "RAdam": ["foreach", "maximize", "capturable", "differentiable", "decoupled_weight_decay"],
    "Adagrad": ["foreach", "maximize", "differentiable", "fused"],
    "Adadelta": ["foreach", "maximize", "capturable", "differentiable"],
    "Adafactor": ["foreach"],
    "ASGD": ["foreach", "maximize", "capturable", "differentiable"],
    "RMSprop": ["foreach", "maximize", "capturable", "differentiable", "momentum", "centered"],
    "Rprop": ["foreach", "maximize", "capturable", "differentiable"],
}
NUMBERS = ("step", "mu_product", "eta", "mu")


@pytest.mark.parametrize("name", LATE)
def test_state_dicts_of_old_versions(name):
    """Options that are missing are as they were, and numbers become tensors."""
    params = [torch.randn(3, 4).requires_grad_()]
    kwargs = {"momentum": 0.9} if name == "SGD" else {}
    pair = Pair(name, params, **kwargs)
    cases.steps(pair, 2, first=1)
    old = copy.deepcopy(pair.torch.state_dict())
    for key in LATE[name]:
        del old["param_groups"][0][key]
    for key in NUMBERS:
        if key in old["state"][0]:
            old["state"][0][key] = old["state"][0][key].item()
    other = Pair(name, [params[0].detach().clone().requires_grad_()], **kwargs)
    other.torch.load_state_dict(copy.deepcopy(old))
    load(other.ctorch, old)
    other.check()


def test_sparse_adams_step_is_an_int():
    pair = Pair("SparseAdam", [torch.zeros(3, 2).requires_grad_()])
    gradient = torch.sparse_coo_tensor(torch.tensor([[1]]), torch.ones(1, 2), (3, 2))
    pair.step([gradient])
    assert pair.state_dict()["state"][0]["step"] == 1 and isinstance(pair.state_dict()["state"][0]["step"], int)
    pair = exchanged(pair, "SparseAdam", {})
    pair.step([gradient])
    pair.check()


# States that no optimizer made: an error at the next step, or one of tensors, and nothing worse.
BAD = [
    torch.zeros(()),
    torch.zeros(0),
    torch.zeros(7),
    torch.zeros(3, 4, dtype=torch.int64),
    torch.zeros(4, 3).T,
    3,
    "x",
    None,
]


@pytest.mark.parametrize("name", [*cases.DENSE, "SparseAdam"])
def test_states_that_do_not_fit_are_no_crash(name):
    generator = torch.Generator().manual_seed(5)
    for way in cases.ways(name):
        way = {"momentum": 0.9, **way} if name == "SGD" else way
        good = Pair(name, [torch.randn(3, 4).requires_grad_()], **way)
        gradient = torch.randn(3, 4, generator=generator)
        good.step([gradient.to_sparse() if name == "SparseAdam" else gradient])
        for key in good.torch.state_dict()["state"][0]:
            for bad in BAD:
                param = ours(torch.zeros(3, 4).requires_grad_())
                param.grad = ours(gradient.to_sparse() if name == "SparseAdam" else gradient)
                optimizer = raw.optim_create(name, to_value(([param],)), to_value(way))
                state = {**good.state_dict()["state"][0], key: bad}
                raw.optimizer_set_state(optimizer, param, to_value(across(state)))
                for _ in range(2):
                    try:
                        raw.optimizer_step(optimizer)
                    except Exception as error:
                        assert str(error)
                back(from_value(raw.optimizer_state_dict(optimizer)))
        with pytest.raises(IndexError, match="param"):
            raw.optimizer_set_state(optimizer, ours(torch.zeros(1)), to_value({}))


@pytest.mark.parametrize("name", [n for n in cases.DENSE if n != "SGD"])
def test_a_state_without_an_entry_is_a_key_error(name):
    pair = Pair(name, [torch.randn(3, 4).requires_grad_()])
    raw.optimizer_set_state(pair.ctorch, pair.ctorch_params[0], to_value({"other": 1}))
    pair.give([torch.ones(3, 4)])
    if name == "Muon":
        return raw.optimizer_step(pair.ctorch)  # it makes the momentum that is not there
    with pytest.raises(IndexError, match="no 'step'"):
        raw.optimizer_step(pair.ctorch)


def test_states_that_belong_to_no_parameter_are_kept():
    pair = Pair("Adamax", [torch.randn(2).requires_grad_()])
    cases.steps(pair, 1, "SGD", {"fused": True})
    saved = copy.deepcopy(pair.torch.state_dict())
    saved["state"]["more"] = {"note": 1}
    pair.torch.load_state_dict(copy.deepcopy(saved))
    load(pair.ctorch, saved)
    same(pair.torch.state_dict(), pair.state_dict(), "more")
