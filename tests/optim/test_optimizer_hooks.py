"""Hooks of optimizers beside Python's: what is called, in which order, and with what."""

from __future__ import annotations

import copy

import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from .compare import Pair, back, from_value, raw, same, to_value


def pair_of(name="RMSprop"):
    pair = Pair(name, [torch.ones(2, 3).requires_grad_()])
    pair.give([torch.ones(2, 3)])
    return pair


def test_the_order_of_all_hooks():
    pair = pair_of()
    expected, got = [], []

    def python(what):
        return lambda *_: expected.append(what)

    def own(what):
        return lambda *_: got.append(what)

    handles = [
        register_optimizer_step_pre_hook(python("all before")),
        register_optimizer_step_post_hook(python("all after")),
        pair.torch.register_step_pre_hook(python("before 1")),
        pair.torch.register_step_pre_hook(python("before 2")),
        pair.torch.register_step_post_hook(python("after 1")),
        pair.torch.register_step_post_hook(python("after 2")),
        pair.torch.register_state_dict_pre_hook(python("saving 1")),
        pair.torch.register_state_dict_pre_hook(python("saving 0"), prepend=True),
        pair.torch.register_state_dict_post_hook(python("saved 1")),
        pair.torch.register_state_dict_post_hook(python("saved 0"), prepend=True),
        pair.torch.register_load_state_dict_pre_hook(python("loading")),
        pair.torch.register_load_state_dict_post_hook(python("loaded")),
    ]
    optimizer = pair.ctorch
    hooks = [
        raw.optimizer_register_step_pre_hook_for_all(own("all before")),
        raw.optimizer_register_step_post_hook_for_all(own("all after")),
        raw.optimizer_register_step_pre_hook(optimizer, own("before 1")),
        raw.optimizer_register_step_pre_hook(optimizer, own("before 2")),
        raw.optimizer_register_step_post_hook(optimizer, own("after 1")),
        raw.optimizer_register_step_post_hook(optimizer, own("after 2")),
        raw.optimizer_register_state_dict_pre_hook(optimizer, own("saving 1"), False),
        raw.optimizer_register_state_dict_pre_hook(optimizer, own("saving 0"), True),
        raw.optimizer_register_state_dict_post_hook(optimizer, own("saved 1"), False),
        raw.optimizer_register_state_dict_post_hook(optimizer, own("saved 0"), True),
        raw.optimizer_register_load_state_dict_pre_hook(optimizer, own("loading"), False),
        raw.optimizer_register_load_state_dict_post_hook(optimizer, own("loaded"), False),
    ]
    pair.torch.step()
    pair.torch.load_state_dict(copy.deepcopy(pair.torch.state_dict()))
    raw.optimizer_step(optimizer)
    raw.optimizer_load_state_dict(optimizer, raw.optimizer_state_dict(optimizer))
    assert expected == got and len(got) == 12
    for handle, hook in zip(handles, hooks):
        handle.remove()
        raw.hook_remove(hook)
        raw.hook_remove(hook)  # a second time is harmless
    raw.optimizer_step(optimizer)
    assert len(got) == 12


def test_a_state_dict_may_be_replaced():
    pair = pair_of()
    raw.optimizer_step(pair.ctorch)
    pair.torch.step()

    def without_states(_, state_dict):
        return {**state_dict, "state": {}}

    pair.torch.register_state_dict_post_hook(without_states)
    raw.optimizer_register_state_dict_post_hook(
        pair.ctorch, lambda o, d: to_value(without_states(o, from_value(d))), False
    )
    expected = pair.torch.state_dict()
    assert expected["state"] == {}
    same(expected, pair.state_dict(), "saved")

    def faster(_, state_dict):
        group = {**state_dict["param_groups"][0], "lr": 0.5}
        return {**state_dict, "param_groups": [group]}

    pair.torch.register_load_state_dict_pre_hook(faster)
    raw.optimizer_register_load_state_dict_pre_hook(pair.ctorch, lambda o, d: to_value(faster(o, from_value(d))), False)
    pair.torch.load_state_dict(expected)
    raw.optimizer_load_state_dict(pair.ctorch, raw.optimizer_state_dict(pair.ctorch))
    assert raw.optimizer_get_lr(pair.ctorch, 0) == pair.torch.param_groups[0]["lr"] == 0.5
    same(pair.torch.state_dict(), pair.state_dict(), "loaded")


def test_what_a_hook_raises_comes_out():
    pair = pair_of()

    def fails(*_):
        raise KeyError("mine")

    before = back(from_value(raw.optimizer_state_dict(pair.ctorch)))
    hook = raw.optimizer_register_step_pre_hook(pair.ctorch, fails)
    with pytest.raises(KeyError, match="mine"):
        raw.optimizer_step(pair.ctorch)
    raw.hook_remove(hook)
    same(before, pair.state_dict(), "no step was taken")
    raw.optimizer_register_load_state_dict_pre_hook(pair.ctorch, fails, False)
    with pytest.raises(KeyError, match="mine"):
        raw.optimizer_load_state_dict(pair.ctorch, to_value(before))
    raw.optimizer_step(pair.ctorch)


def test_a_hook_may_change_the_gradients():
    pair = pair_of()

    def halve(params):
        for p in params:
            p.grad = p.grad * 0.5

    pair.torch.register_step_pre_hook(lambda *_: halve(pair.torch_params))
    raw.optimizer_register_step_pre_hook(pair.ctorch, lambda *_: halve(pair.ctorch_params))
    pair.torch.step()
    raw.optimizer_step(pair.ctorch)
    pair.check()
