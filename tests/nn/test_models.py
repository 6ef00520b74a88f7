"""Whole models beside Python's: the same seed gives the same parameters, twenty steps of descent give the same losses,
parameters and buffers to the last bit, and each loads the state of the other."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import one_thread, ours
from tests.nn.models import MODELS
from tests.nn.test_nn import ctorch, theirs

STEPS = 20


def build(t, model):
    torch.manual_seed(11)  # both draw from the same generator
    return model.build(t)


def train(t, model, net, batch, steps=STEPS) -> list[float]:
    """Descent with momentum, written by hand; the losses."""
    momenta, losses = {}, []
    for step in range(steps):
        torch.manual_seed(step)
        loss = model.loss(t, net, *batch)
        loss.backward()
        with t.no_grad():
            for name, p in net.named_parameters():
                momenta[name] = p.grad.clone() if step == 0 else momenta[name].mul_(0.9).add_(p.grad)
                p.sub_(momenta[name], alpha=model.lr)
        net.zero_grad()
        losses.append(loss.item())
    return losses


def compare_states(mine, wanted) -> None:
    state, expected = mine.state_dict(), wanted.state_dict()
    assert list(state) == list(expected) and state._metadata == expected._metadata
    for name, value in expected.items():
        torch.testing.assert_close(theirs(state[name]), value, rtol=0, atol=0, equal_nan=True, msg=name)


def value(t, model, net, batch) -> float:
    torch.manual_seed(1)
    with t.no_grad():
        return model.loss(t, net.eval(), *batch).item()


@pytest.mark.turns
@pytest.mark.parametrize("name", MODELS)
@one_thread()
def test_a_model_is_trained_as_in_python(name):
    model = MODELS[name]
    wanted, mine = build(torch, model), build(ctorch, model)
    assert repr(mine) == repr(wanted)
    assert mine.num_parameters() == sum(p.numel() for p in wanted.parameters())
    compare_states(mine, wanted)
    torch.manual_seed(3)
    batch = model.batch()
    own_batch = [ours(x) for x in batch]
    losses = train(torch, model, wanted, batch)
    assert train(ctorch, model, mine, own_batch) == losses
    assert losses[-1] < losses[0]
    compare_states(mine, wanted)

    expected = value(torch, model, wanted, batch)
    assert value(ctorch, model, mine, own_batch) == expected
    loaded = model.build(ctorch)
    assert value(ctorch, model, loaded, own_batch) != expected
    loaded.load_state_dict({name: ours(x) for name, x in wanted.state_dict().items()})
    assert value(ctorch, model, loaded, own_batch) == expected
    loaded = model.build(torch)
    loaded.load_state_dict({name: theirs(x) for name, x in mine.state_dict().items()})
    assert value(torch, model, loaded, batch) == expected
