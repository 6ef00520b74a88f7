"""Hooks on states and hooks for all modules, buffers as objects, and shared memory, written as for torch.nn."""

import pytest
import torch

from tests.languages.test_python import ctorch, raw
from tests.languages.test_python_modules import ours, theirs

import ctorch.nn.modules.module as every  # isort: skip


@pytest.fixture(params=[torch, ctorch], ids=["torch", "ctorch"])
def t(request):
    return request.param


@pytest.fixture
def net(t):
    t.manual_seed(1)
    return t.nn.Sequential(t.nn.Linear(2, 2), t.nn.Sequential(t.nn.BatchNorm1d(2)))


def test_a_hook_changes_the_state_that_is_made(net):
    seen = []

    def rename(module, state, prefix, local):
        seen.append((type(module).__name__, prefix, local, list(state)))
        state[prefix + "w"] = state.pop(prefix + "weight")
        local["note"] = 3

    handle = net[0].register_state_dict_post_hook(rename)
    state = net.state_dict()
    assert seen == [("Linear", "0.", {"version": 1, "note": 3}, ["0.weight", "0.bias"])]
    assert list(state)[:2] == ["0.bias", "0.w"] and state["0.w"].data_ptr() == net[0].weight.data_ptr()
    assert state._metadata["0"] == {"version": 1, "note": 3}
    handle.remove()
    assert list(net.state_dict())[:2] == ["0.weight", "0.bias"]
    net.register_state_dict_post_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match="must return None"):
        net.state_dict()


@pytest.mark.parametrize("strict", [True, False])
def test_a_hook_changes_the_state_that_is_loaded(net, strict):
    seen = []

    def rename(module, state, prefix, local, strict, missing, unexpected, errors):
        seen.append((type(module).__name__, prefix, local, strict, [*missing], [*unexpected], [*errors]))
        state[prefix + "weight"] = state.pop(prefix + "w")
        missing.append("thing")

    handle = net[0].register_load_state_dict_pre_hook(rename)
    state = net.state_dict()
    state["0.w"] = state.pop("0.weight") + 1
    wanted = state["0.w"].tolist()
    if strict:
        with pytest.raises(RuntimeError, match='Missing key.*"thing"'):
            net.load_state_dict(state)
    else:
        assert net.load_state_dict(state, strict=False).missing_keys == ["thing"]
    assert seen == [("Linear", "0.", {"version": 1}, True, [], [], [])]
    assert net[0].weight.tolist() == wanted and "0.weight" not in state
    handle.remove()
    with pytest.raises(RuntimeError, match="0.weight"):
        net.load_state_dict(state)


def test_a_hook_says_what_is_wrong(net):
    def complain(module, state, prefix, local, strict, missing, unexpected, errors):
        errors += ["one", "two"]

    net[1].register_load_state_dict_pre_hook(complain)
    for strict in (True, False):
        with pytest.raises(RuntimeError, match="one\n\ttwo"):
            net.load_state_dict(net.state_dict(), strict=strict)


def log_of(t, register):
    """What the hooks for all modules see of a net, and what they make of it."""
    log, net = [], t.nn.Sequential(t.nn.Identity(), t.nn.Tanh())
    x = t.ones(2, requires_grad=True)

    def before(module, args):
        log.append(("before", type(module).__name__, [a.tolist() for a in args]))
        return (args[0] * 2,) if isinstance(module, t.nn.Identity) else None

    def after(module, args, kwargs, output):
        log.append(("after", type(module).__name__, len(args), kwargs))
        return output + 1 if isinstance(module, t.nn.Tanh) else None

    def grad_before(module, grad_output):
        log.append(("grad before", type(module).__name__, len(grad_output)))

    def grad_after(module, grad_input, grad_output):
        log.append(("grad after", type(module).__name__, len(grad_input), len(grad_output)))
        return (grad_input[0] * 3,) if isinstance(module, t.nn.Tanh) else None

    handles = [
        register.register_module_forward_pre_hook(before),
        register.register_module_forward_hook(after, with_kwargs=True),
        register.register_module_full_backward_pre_hook(grad_before),
        register.register_module_full_backward_hook(grad_after),
    ]
    y = net(x)
    y.sum().backward()
    for handle in handles:
        handle.remove()
    net(x)
    return log, y.tolist(), x.grad.tolist()


def test_hooks_for_all_modules():
    wanted = log_of(torch, torch.nn.modules.module)
    assert len(wanted[0]) == 12
    assert log_of(ctorch, every) == wanted
    assert ctorch.nn.modules.Linear is ctorch.nn.Linear


def test_buffers(t):
    nn = t.nn
    module = nn.Module()
    module.kept = nn.Buffer(t.ones(2))
    module.passing = nn.Buffer(t.ones(1), persistent=False)
    module.empty = nn.Buffer()
    assert list(dict(module.named_buffers())) == ["kept", "passing", "empty"]
    assert list(module.state_dict()) == ["kept", "empty"] and not list(module.parameters())
    assert not module.kept.requires_grad and module.empty.shape == (0,)
    module.kept = t.zeros(2)  # stays a buffer
    assert module.state_dict()["kept"].tolist() == [0, 0]
    module.passing = nn.Buffer(t.ones(3))
    assert list(module.state_dict()) == ["kept", "passing", "empty"]
    data = t.ones(2)
    module.kept = nn.Buffer(data)
    data.add_(1)
    assert module.kept.tolist() == [2, 2]
    module.weight, module.inner, module.number = nn.Parameter(t.ones(1)), nn.ReLU(), 3
    for name, error in (("weight", TypeError), ("inner", TypeError), ("number", KeyError)):
        with pytest.raises(error, match=name):
            setattr(module, name, nn.Buffer(data))
    assert isinstance(nn.parameter.Buffer(data), t.Tensor)


def test_shared_memory(net, t):
    assert net.share_memory() is net
    shared = [p.is_shared() if t is torch else raw.tensor_is_shared(p) for p in net.parameters()]
    assert len(shared) == 4 and all(shared)
    x = torch.ones(3, 2)
    assert net(x if t is torch else ours(x)).shape == (3, 2)
    assert theirs(net[0].weight).shape == (2, 2)
