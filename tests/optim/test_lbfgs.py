"""LBFGS beside Python's: losses, parameters and states equal to the last bit, with and without the line search."""

from __future__ import annotations

import copy

import pytest
import torch

from . import cases
from .compare import Pair, across, ours, raw, theirs, to_value

OPTIONS = [
    {},
    {"lr": 0.1},
    {"max_iter": 4, "history_size": 2, "lr": 0.5},
    {"max_eval": 3},
    {"tolerance_grad": 10.0},
    {"tolerance_change": 0.1},
    {"lr": torch.tensor(0.05)},
    {"line_search_fn": "strong_wolfe"},
    {"line_search_fn": "strong_wolfe", "history_size": 3, "max_iter": 7},
    {"line_search_fn": "strong_wolfe", "max_eval": 5},
    {"line_search_fn": "strong_wolfe", "lr": 2.0, "max_iter": 50, "max_eval": 60},
    {"line_search_fn": "strong_wolfe", "lr": torch.tensor([0.05])},
    {"line_search_fn": "strong_wolfe", "tolerance_change": 0.1},
]
SHAPES = [[(3, 4), (5,)], [(7,)], [(2, 2), (0,), (), (3,)]]


class Valley:
    """A narrow valley around a target, whose loss and gradients torch computes for both."""

    def __init__(self, shapes, dtype, **kwargs):
        generator = torch.Generator().manual_seed(6)
        params = [torch.randn(s, dtype=dtype, generator=generator).requires_grad_() for s in shapes]
        self.targets = [torch.randn(p.numel(), dtype=dtype, generator=generator) for p in params]
        self.pair = Pair("LBFGS", params, **kwargs)
        self.calls = [0, 0]

    def loss(self, params):
        total = 0
        for p, target in zip(params, self.targets):
            x = p.reshape(-1) - target
            y = x.abs() ** 2
            total = total + (y * y).sum() + (100 * ((x[1:] - x[:-1]).abs() ** 2) ** 2).sum() + (3 * y).sum()
        return total

    def in_python(self):
        self.calls[0] += 1
        self.pair.torch.zero_grad()
        loss = self.loss(self.pair.torch_params)
        loss.backward()
        return loss

    def in_ctorch(self):
        self.calls[1] += 1
        params = [theirs(p).detach().clone().requires_grad_() for p in self.pair.ctorch_params]
        loss = self.loss(params)
        loss.backward()
        for own, p in zip(self.pair.ctorch_params, params):
            own.grad = ours(p.grad)
        return ours(loss.detach())

    def step(self):
        expected = self.pair.torch.step(self.in_python)
        got = raw.optimizer_step_closure(self.pair.ctorch, self.in_ctorch)
        assert torch.equal(expected.detach(), theirs(got))
        assert self.calls[0] == self.calls[1]


@pytest.mark.parametrize("dtype", [cases.F32, cases.F64, cases.C64], ids=str)
@pytest.mark.parametrize("kwargs", OPTIONS, ids=str)
def test_steps(kwargs, dtype):
    for shapes in SHAPES:
        valley = Valley(shapes, dtype, **kwargs)
        for number in range(5):
            valley.step()
            valley.pair.check(f"{shapes} {number}: ")


@pytest.mark.parametrize("kwargs", [OPTIONS[0], OPTIONS[8]], ids=str)
def test_one_continues_where_the_other_stopped(kwargs):
    for dtype in (cases.F32, cases.C64):
        valley = Valley(SHAPES[0], dtype, **kwargs)
        for _ in range(2):
            valley.step()
        python, own = copy.deepcopy(valley.pair.torch.state_dict()), valley.pair.state_dict()
        params = [p.detach().clone().requires_grad_() for p in valley.pair.torch_params]
        valley.pair = Pair("LBFGS", params, **kwargs)
        valley.pair.torch.load_state_dict(own)
        raw.optimizer_load_state_dict(valley.pair.ctorch, to_value(across(python)))
        for number in range(3):
            valley.step()
            valley.pair.check(f"{number}: ")


def test_a_parameter_without_a_gradient_stays():
    """Its gradient is 0, and so is its part of each direction."""
    valley = Valley(SHAPES[0], cases.F32)
    other = torch.ones(3, requires_grad=True)
    valley.pair.torch_params.append(other)
    valley.targets.append(torch.zeros(3))
    valley.pair = Pair("LBFGS", valley.pair.torch_params)
    whole = valley.loss
    valley.loss = lambda params: whole(params[:2])

    def in_ctorch():
        params = [theirs(p).detach().clone().requires_grad_() for p in valley.pair.ctorch_params]
        loss = valley.loss(params)
        loss.backward()
        for own, p in zip(valley.pair.ctorch_params, params):
            own.grad = None if p.grad is None else ours(p.grad)
        return ours(loss.detach())

    valley.pair.torch.step(valley.in_python)
    raw.optimizer_step_closure(valley.pair.ctorch, in_ctorch)
    valley.pair.check()


def test_what_it_refuses():
    params = [torch.ones(2, requires_grad=True)]
    with pytest.raises(ValueError, match="groups"):
        Pair("LBFGS", [*params, torch.ones(1, requires_grad=True)], groups=[{"params": [0]}, {"params": [1]}])
    with pytest.raises(ValueError, match="lr"):
        raw.optim_create("LBFGS", to_value(([ours(params[0])],)), to_value({"lr": -1.0}))
    pair = Pair("LBFGS", params, line_search_fn="golden")
    with pytest.raises(TypeError, match="closure"):
        raw.optimizer_step(pair.ctorch)
    with pytest.raises(TypeError, match="loss"):
        raw.optimizer_step_closure(pair.ctorch, lambda: None)

    def closure():
        pair.ctorch_params[0].grad = ours(torch.ones(2))
        return ours(torch.ones(()))

    with pytest.raises(RuntimeError, match="strong_wolfe"):
        raw.optimizer_step_closure(pair.ctorch, closure)

    def fails():
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        raw.optimizer_step_closure(pair.ctorch, fails)


@pytest.mark.parametrize("key", ["d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "al", "n_iter"])
def test_states_that_do_not_fit_are_no_crash(key):
    for bad in (None, 3, "x", torch.zeros(1), [torch.zeros(1)], [], [None], {"a": 1}):
        valley = Valley(SHAPES[1], cases.F32)
        valley.step()
        state = {**valley.pair.state_dict()["state"][0], key: bad}
        param = valley.pair.ctorch_params[0]
        raw.optimizer_set_state(valley.pair.ctorch, param, to_value(across(state)))
        for _ in range(2):
            try:
                raw.optimizer_step_closure(valley.pair.ctorch, valley.in_ctorch)
            except Exception as error:
                assert str(error)
