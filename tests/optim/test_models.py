"""Whole models trained by ctorch's optimizers beside Python's: twenty steps give the same losses, parameters, buffers
and states to the last bit."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import one_thread, ours
from tests.nn.models import MODELS
from tests.nn.test_models import STEPS, build, compare_states
from tests.nn.test_nn import ctorch
from tests.optim.compare import back, same

OPTIMIZERS = {
    "AdamW": lambda o, params: o.AdamW(params, lr=1e-3, weight_decay=0.05, fused=True),
    "AdamW, amsgrad": lambda o, params: o.AdamW(params, lr=1e-3, amsgrad=True, foreach=True),
    "SGD": lambda o, params: o.SGD(params, lr=1e-2, momentum=0.9, weight_decay=1e-4, fused=True),
    "SGD, nesterov": lambda o, params: o.SGD(params, lr=1e-2, momentum=0.9, nesterov=True, foreach=False),
}


def train(t, model, net, optimizer, batch) -> list[float]:
    losses = []
    for step in range(STEPS):
        torch.manual_seed(step)  # both draw from the same generator
        optimizer.zero_grad()
        loss = model.loss(t, net, *batch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.turns
@pytest.mark.parametrize("name", MODELS)
@one_thread()
def test_a_model_is_trained_as_in_python(name):
    model = MODELS[name]
    torch.manual_seed(3)
    batch = model.batch()
    own_batch = [ours(x) for x in batch]
    # One optimizer a model in turn, so that each is met by every kind of parameters; two for the first models.
    index = list(MODELS).index(name)
    for label in [list(OPTIMIZERS)[index % 4], list(OPTIMIZERS)[(index + 2) % 4]][: 2 if index < 8 else 1]:
        make = OPTIMIZERS[label]
        wanted, mine = build(torch, model), build(ctorch, model)
        theirs_, own = make(torch.optim, wanted.parameters()), make(ctorch.optim, mine.parameters())
        losses = train(torch, model, wanted, theirs_, batch)
        assert train(ctorch, model, mine, own, own_batch) == losses, label
        assert losses[-1] < losses[0], label
        compare_states(mine, wanted)
        same(theirs_.state_dict(), back(own.state_dict()), label)
