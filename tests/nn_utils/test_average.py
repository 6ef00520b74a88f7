"""Averages of models beside torch.optim.swa_utils: the same numbers, state dicts and errors."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.optim import swa_utils

from tests.module.test_module import is_same
from tests.nn.net import Net, make, raw, sequential
from tests.nn.test_nn import theirs
from tests.nn_utils.test_utils import ours, same


def net(seed):
    torch.manual_seed(seed)
    expected = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2).double())
    expected[1].register_buffer("steps", torch.tensor([3, 5]))
    expected[1].running_mean.uniform_()
    mine = sequential(make("Linear", 3, 4), make("BatchNorm1d", 4), make("Linear", 4, 2))
    mine[2].to(dtype=raw_dtype(torch.float64))
    mine[1].register_buffer("steps", ours(torch.tensor([0, 0])))
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    return expected, mine


def raw_dtype(dtype):
    return ours(torch.zeros((), dtype=dtype)).dtype


def equal(mine, expected) -> bool:
    found, wanted = mine.state_dict(), expected.state_dict()
    return list(found) == list(wanted) and all(same(found[k], wanted[k]) for k in wanted)


def step(pair):
    for expected, mine in zip(pair[0].state_dict().values(), pair[1].state_dict().values()):
        if expected.is_floating_point():
            expected.add_(torch.randn_like(expected))
        theirs(mine).copy_(expected)


def averaged(mine, decay=None, foreach=None, use_buffers=False):
    return Net(raw.module_averaged_model(mine.module, None, decay, foreach, use_buffers))


KINDS = {
    "equal": ({}, {}),
    "equal by lists": ({"multi_avg_fn": swa_utils.get_swa_multi_avg_fn()}, {"foreach": True}),
    "equal one by one": ({"avg_fn": swa_utils.get_swa_avg_fn()}, {"foreach": False}),
    "ema": ({"multi_avg_fn": swa_utils.get_ema_multi_avg_fn(0.9)}, {"decay": 0.9}),
    "ema one by one": ({"avg_fn": swa_utils.get_ema_avg_fn(0.9)}, {"decay": 0.9, "foreach": False}),
}


@pytest.mark.parametrize("use_buffers", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_averages(kind, use_buffers):
    pair = net(0)
    if kind == "equal by lists" and use_buffers:
        for n in (1, "steps"), (1, "num_batches_tracked"):  # lists of integers have no addcdiv
            delattr(pair[0][n[0]], n[1])
            delattr(pair[1][n[0]], n[1])
    expected = swa_utils.AveragedModel(pair[0], use_buffers=use_buffers, **KINDS[kind][0])
    mine = averaged(pair[1], use_buffers=use_buffers, **KINDS[kind][1])
    assert equal(mine, expected) and mine.metadata() == expected.state_dict()._metadata
    for _ in range(4):
        step(pair)
        expected.update_parameters(pair[0])
        raw.module_update_parameters(mine.module, pair[1].module)
        assert equal(mine, expected)


def test_its_text_and_its_forward():
    expected, mine = net(1)
    del expected[2], mine[2]
    want, got = swa_utils.AveragedModel(expected), averaged(mine)
    assert repr(got) == repr(want)
    x = torch.randn(5, 3)
    assert same(got(ours(x)), want(x))
    assert [n for n, _ in got.named_parameters()] == [n for n, _ in want.named_parameters()]
    assert not any(is_same(a, b) for a in got.parameters() for b in mine.parameters())
    again = Net(raw.module_copy(got.module))
    raw.module_update_parameters(again.module, mine.module)
    assert int(again.get_buffer("n_averaged")) == 1 and int(got.get_buffer("n_averaged")) == 0


def test_lists_of_integers():
    pair = net(2)
    expected = swa_utils.AveragedModel(pair[0], multi_avg_fn=swa_utils.get_swa_multi_avg_fn(), use_buffers=True)
    mine = averaged(pair[1], foreach=True, use_buffers=True)
    expected.update_parameters(pair[0])
    raw.module_update_parameters(mine.module, pair[1].module)
    with pytest.raises(RuntimeError) as theirs_is:
        expected.update_parameters(pair[0])
    with pytest.raises(RuntimeError) as mine_is:
        raw.module_update_parameters(mine.module, pair[1].module)
    assert str(theirs_is.value).splitlines()[0] in str(mine_is.value)


@pytest.mark.parametrize("multi", [False, True])
def test_functions_of_ones_own(multi):
    pair = net(3)
    seen = []

    def most(a, b, n):
        return torch.maximum(a, b) + n

    def most_of_all(averaged, current, n):
        for a, b in zip(averaged, current):
            a.copy_(most(a, b, n))

    def function(inputs):
        tensors = [theirs(t) for t in inputs]
        count = (len(tensors) - 1) // 2
        seen.append(count)
        return [ours(most(a, b, tensors[-1])) for a, b in zip(tensors[:count], tensors[count:-1])]

    expected = swa_utils.AveragedModel(pair[0], **{"multi_avg_fn": most_of_all} if multi else {"avg_fn": most})
    mine = Net(raw.module_averaged_model_by(pair[1].module, None, function, multi, False))
    copied = Net(raw.module_copy(mine.module))
    for _ in range(3):
        step(pair)
        expected.update_parameters(pair[0])
        raw.module_update_parameters(mine.module, pair[1].module)
        assert equal(mine, expected)
    assert seen == ([4, 2] if multi else [1] * 6) * 2
    del mine
    raw.module_update_parameters(copied.module, pair[1].module)
    raw.module_update_parameters(copied.module, pair[1].module)
    assert int(copied.get_buffer("n_averaged")) == 2


def test_a_function_that_fails():
    pair = net(4)

    def fails(inputs):
        raise ValueError("no average")

    for function, message in ((fails, "no average"), (lambda _: [], "gave 0 tensors, not 1")):
        mine = Net(raw.module_averaged_model_by(pair[1].module, None, function, False, False))
        raw.module_update_parameters(mine.module, pair[1].module)
        with pytest.raises(Exception, match=message):
            raw.module_update_parameters(mine.module, pair[1].module)
        assert int(mine.get_buffer("n_averaged")) == 1


@pytest.mark.parametrize("decay", [-0.1, 1.1, float("nan")])
def test_a_decay_that_is_none(decay):
    with pytest.raises(ValueError, match=f"Invalid decay value {decay} provided"):
        averaged(make("Tanh"), decay=decay)


def test_what_is_no_average_and_what_does_not_fit():
    _, mine = net(5)
    with pytest.raises(TypeError, match="AveragedModel, not Sequential"):
        raw.module_update_parameters(mine.module, mine.module)
    average = averaged(mine)
    with pytest.raises(ValueError, match="0 buffers, but the average has 4"):
        raw.module_update_parameters(average.module, make("Linear", 3, 4).module)
    with pytest.raises(RuntimeError):
        raw.module_update_parameters(averaged(make("Linear", 3, 4)).module, make("Linear", 5, 4).module)
    del average.n_averaged
    with pytest.raises(RuntimeError, match="no n_averaged any more"):
        raw.module_update_parameters(average.module, mine.module)


# Statistics of batch norms.


def norms(momentum):
    torch.manual_seed(7)
    inner = nn.Sequential(nn.BatchNorm1d(3, momentum=momentum), nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.0))
    norm = make("BatchNorm1d", 3) if momentum is not None else make("BatchNorm1d", 3, momentum=None)
    mine = sequential(norm, make("Linear", 3, 3), make("BatchNorm1d", 3), make("Dropout", 0.0))
    mine.load_state_dict({k: ours(v) for k, v in inner.state_dict().items()})
    for m in (inner, mine):
        m.eval()
    inner[3].train()
    mine[3].train()
    return inner, mine


@pytest.mark.parametrize("loader", [False, True])
@pytest.mark.parametrize("momentum", [0.1, None])
def test_statistics_anew(momentum, loader):
    expected, mine = norms(momentum)
    batches = [torch.randn(6, 3) for _ in range(4)]
    own = [ours(b) for b in batches]
    swa_utils.update_bn(batches, expected)
    if loader:
        rest = iter(own)
        raw.module_update_bn_from(mine.module, lambda _: [b for b in [next(rest, None)] if b is not None], None)
    else:
        raw.module_update_bn(mine.module, own, None)
    assert equal(mine, expected) and repr(mine) == repr(expected)
    assert [m.training for _, m in mine.named_modules()] == [m.training for m in expected.modules()]


def test_without_batch_norms_nothing_is_asked_for():
    def never(_):
        raise AssertionError

    raw.module_update_bn_from(make("Linear", 3, 3).module, never, None)


def test_after_an_error_modes_and_momenta_are_as_before():
    _, mine = norms(0.1)
    text = repr(mine)

    def fails(_):
        raise ValueError("no batch")

    for give in (
        lambda: raw.module_update_bn(mine.module, [ours(torch.ones(2, 5))], None),
        lambda: raw.module_update_bn_from(mine.module, fails, None),
    ):
        with pytest.raises((RuntimeError, ValueError)):
            give()
        assert repr(mine) == text and not mine.training and not mine[0].training
