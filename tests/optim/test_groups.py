"""Groups of parameters, their options, names, texts and hooks beside Python's, and what is refused."""

from __future__ import annotations

import inspect

import pytest
import torch

from . import cases
from .compare import Pair, across, back, create, ctorch, from_value, ours, raw, same, to_value

ALL = [*cases.OPTIONS, "LBFGS"]


def leaf(*shape, dtype=torch.float32):
    return torch.ones(shape, dtype=dtype).requires_grad_()


def test_the_schema_has_every_optimizer_of_python():
    expected = {n for n in dir(torch.optim) if inspect.isclass(getattr(torch.optim, n))} - {"Optimizer"}
    assert expected == set(ALL)
    with pytest.raises(IndexError, match="Adamant"):
        create("Adamant", [ours(leaf(2))], {})


@pytest.mark.parametrize("name", ALL)
def test_arguments_and_defaults_are_pythons(name):
    """Made without options, and with all of them by position: the same groups."""
    pair = Pair(name, [leaf(2, 2)])
    same(pair.torch.defaults, back(from_value(raw.optimizer_defaults(pair.ctorch))), name)
    assert [type(v) for v in pair.torch.defaults.values()] == [
        type(from_value(raw.optimizer_defaults(pair.ctorch))[k]) for k in pair.torch.defaults
    ]
    assert str(raw.optimizer_repr(pair.ctorch)) == repr(pair.torch)
    parameters = list(inspect.signature(getattr(torch.optim, name)).parameters.values())[1:]
    positional = [p.default for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    keywords = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    whole = raw.optim_create(name, to_value(([ours(leaf(2, 2))], *positional)), to_value(keywords))
    same(pair.torch.defaults, back(from_value(raw.optimizer_defaults(whole))), name)
    with pytest.raises(TypeError):
        raw.optim_create(name, to_value(([ours(leaf(2, 2))], *positional, 1)), to_value(keywords))
    with pytest.raises(TypeError, match="unknown"):
        create(name, [ours(leaf(2, 2))], {"unknown": 1})


def test_adafactors_eps_may_be_two_arguments():
    for given, expected in [({"eps1": 1e-2}, (1e-2, 1e-3)), ({"eps2": 1e-2}, (None, 1e-2)), ({"eps": (1, 2)}, (1, 2))]:
        optimizer = create("Adafactor", [ours(leaf(2))], given)
        assert from_value(raw.optimizer_get_option(optimizer, 0, "eps")) == expected
    with pytest.raises(TypeError, match="both"):
        create("Adafactor", [ours(leaf(2))], {"eps": (1, 2), "eps1": 1})


@pytest.mark.parametrize("name", [n for n in cases.DENSE if n not in cases.FUSED])
def test_groups_with_options_of_their_own(name):
    option = next(o for o in cases.OPTIONS[name] if "lr" not in o)
    groups = [{"params": [0]}, {"params": [1, 2], "lr": 0.3, **option}]
    pair = Pair(name, [leaf(3, 2), leaf(2, 2), leaf(4, 3)], groups=groups)
    cases.steps(pair, 3)
    pair.check("groups: ")
    more, own = leaf(2, 5), None
    own = ours(more)
    pair.torch.add_param_group({"params": more, "lr": 0.2})
    raw.optimizer_add_param_group(pair.ctorch, to_value({"params": own, "lr": 0.2}))
    pair.torch_params.append(more)
    pair.ctorch_params.append(own)
    pair.torch.param_groups[0]["lr"] = 0.01
    raw.optimizer_set_option(pair.ctorch, 0, "lr", to_value(0.01))
    cases.steps(pair, 3)
    pair.check("one more: ")
    assert str(raw.optimizer_repr(pair.ctorch)) == repr(pair.torch)


@pytest.mark.parametrize("name", [n for n in ALL if n != "LBFGS"])
def test_names(name):
    param = leaf(2, 2)
    named = getattr(torch.optim, name)([("weight", param)])
    own = create(name, [("weight", ours(param))], {})
    same(named.state_dict(), back(from_value(raw.optimizer_state_dict(own))), name)
    with pytest.raises(ValueError, match="names"):
        create(name, [("weight", ours(param)), ours(leaf(2, 2))], {})
    with pytest.raises(ValueError, match="names"):
        raw.optimizer_add_param_group(own, to_value({"params": [ours(leaf(2, 2))]}))


# What a constructor refuses besides what the database has.
WRONG = {
    "SGD": [{"momentum": -1.0}, {"nesterov": True}, {"weight_decay": -0.1}],
    "Adamax": [{"betas": (1.0, 0.9)}, {"eps": -1.0}],
    "NAdam": [{"momentum_decay": -1.0}],
    "RAdam": [{"betas": (0.9, 1.5)}],
    "Adagrad": [{"lr_decay": -1.0}, {"initial_accumulator_value": -1.0}, {"eps": -1.0}],
    "Adadelta": [{"rho": 1.1}, {"rho": -0.1}, {"eps": -1.0}],
    "Adafactor": [{"beta2_decay": 0.1}, {"d": 0.5}, {"eps": (-1.0, 1.0)}, {"eps": (None, -1.0)}],
    "ASGD": [{"weight_decay": -1.0}],
    "RMSprop": [{"momentum": -1.0}, {"alpha": -1.0}, {"eps": -1.0}],
    "Rprop": [{"etas": (0.5, 0.9)}, {"etas": (1.0, 1.2)}, {"etas": (0.0, 1.2)}],
    "SparseAdam": [{"lr": 0.0}, {"eps": 0.0}],
    "Muon": [{"momentum": -1.0}, {"adjust_lr_fn": "other"}],
}


@pytest.mark.parametrize("name", WRONG)
def test_numbers_out_of_their_range(name):
    no_numbers = [] if name == "SGD" else [{"lr": float("nan")}]  # which Python's SGD takes
    for kwargs in [*WRONG[name], {"lr": -1.0}, {"lr": torch.tensor([0.1, 0.2])}, *no_numbers]:
        with pytest.raises(ValueError, match="."):
            getattr(torch.optim, name)([leaf(2, 2)], **kwargs)
        with pytest.raises(ValueError, match=next(iter(kwargs))):
            create(name, [ours(leaf(2, 2))], across(kwargs))


@pytest.mark.parametrize("name", [n for n in cases.DENSE if n not in ("SGD", "Adagrad")])
def test_sparse_gradients_are_refused(name):
    pair = Pair(name, [leaf(3, 2)])
    pair.give([torch.sparse_coo_tensor(torch.tensor([[1]]), torch.ones(1, 2), (3, 2))])
    with pytest.raises(RuntimeError, match="sparse"):
        pair.torch.step()
    with pytest.raises(RuntimeError, match="sparse"):
        raw.optimizer_step(pair.ctorch)


def test_sparse_adam_refuses_dense_gradients_and_other_parameters():
    pair = Pair("SparseAdam", [leaf(3, 2)])
    pair.give([torch.ones(3, 2)])
    for step in (pair.torch.step, lambda: raw.optimizer_step(pair.ctorch)):
        with pytest.raises(RuntimeError, match="dense gradients"):
            step()
    for param in (leaf(3, dtype=torch.complex64), torch.ones(2, 2).to_sparse().requires_grad_()):
        for make in (torch.optim.SparseAdam, lambda p: create("SparseAdam", [ours(p[0])], {})):
            with pytest.raises(ValueError, match="complex|parse"):
                make([param])


def test_weight_decay_and_sparse_gradients_do_not_go_together_in_adagrad():
    pair = Pair("Adagrad", [leaf(3, 2)], weight_decay=0.1)
    pair.give([torch.sparse_coo_tensor(torch.tensor([[1]]), torch.ones(1, 2), (3, 2))])
    for step in (pair.torch.step, lambda: raw.optimizer_step(pair.ctorch)):
        with pytest.raises(RuntimeError, match="weight_decay"):
            step()


@pytest.mark.parametrize("name", ["Adafactor", "Muon"])
def test_complex_parameters_are_refused_by_some(name):
    pair = Pair(name, [leaf(3, 2, dtype=torch.complex64)])
    pair.give([torch.ones(3, 2, dtype=torch.complex64)])
    for step in (pair.torch.step, lambda: raw.optimizer_step(pair.ctorch)):
        with pytest.raises(RuntimeError, match="complex"):
            step()


def test_muon_takes_matrices_and_few_steps():
    for make in (torch.optim.Muon, lambda p: create("Muon", [ours(p[0])], {})):
        with pytest.raises(ValueError, match="2D"):
            make([leaf(3)])
    pair = Pair("Muon", [leaf(3, 2)], ns_steps=100)
    pair.give([torch.ones(3, 2)])
    for step in (pair.torch.step, lambda: raw.optimizer_step(pair.ctorch)):
        with pytest.raises(ValueError, match="less than 100"):
            step()


CAPTURABLE = ["Adam", "AdamW", "Adamax", "NAdam", "RAdam", "Adadelta", "ASGD", "RMSprop", "Rprop"]


@pytest.mark.parametrize("name", CAPTURABLE)
def test_nothing_is_captured_on_the_cpu(name):
    for way in cases.WAYS:
        pair = Pair(name, [leaf(3, 2)], capturable=True, **way)
        pair.give([torch.ones(3, 2)])
        with pytest.raises(AssertionError, match="capturable"):
            pair.torch.step()
        with pytest.raises(ValueError, match="capturable"):
            raw.optimizer_step(pair.ctorch)


@pytest.mark.parametrize("name", [*CAPTURABLE, "Adagrad"])
def test_lists_have_no_gradients_to_flow_through(name):
    pair = Pair(name, [leaf(3, 2)], foreach=True, differentiable=True)
    pair.give([torch.ones(3, 2)])
    with pytest.raises(AssertionError, match="autograd"):
        pair.torch.step()
    with pytest.raises(ValueError, match="differentiable"):
        raw.optimizer_step(pair.ctorch)


def test_an_option_that_does_not_fit_is_an_error_of_the_step():
    pair = Pair("RMSprop", [leaf(3, 2)])
    pair.give([torch.ones(3, 2)])
    for name, value in [("momentum", "x"), ("lr", None), ("centered", [1])]:
        before = raw.optimizer_get_option(pair.ctorch, 0, name)
        raw.optimizer_set_option(pair.ctorch, 0, name, to_value(value))
        with pytest.raises(TypeError, match=name):
            raw.optimizer_step(pair.ctorch)
        raw.optimizer_set_option(pair.ctorch, 0, name, before)
    raw.optimizer_step(pair.ctorch)


def test_a_closure_computes_the_loss():
    pair = Pair("NAdam", [leaf(3)])

    def closure():
        own = pair.ctorch_params[0]
        own.grad = None
        loss = (own * own).sum()
        loss.backward()
        return loss

    loss = raw.optimizer_step_closure(pair.ctorch, closure)
    assert isinstance(loss, ctorch.Tensor) and float(loss) == 3.0

    def in_python():
        pair.torch.zero_grad()
        loss = (pair.torch_params[0] ** 2).sum()
        loss.backward()
        return loss

    pair.torch.step(in_python)
    pair.check()
