"""Runs saved by ctorch and continued by Python: models, optimizers and schedulers, to the last bit."""

from __future__ import annotations

import pytest
import torch

from tests.nn.compare import one_thread, ours
from tests.nn.models import MODELS
from tests.nn.test_models import build
from tests.nn.test_nn import ctorch, raw
from tests.optim.compare import to_value
from tests.pt.saving import is_pythons

OPTIMIZERS = {
    "AdamW": {"lr": 1e-3, "amsgrad": True, "fused": True},
    "SGD": {"lr": 1e-2, "momentum": 0.9, "nesterov": True, "foreach": False},
    "NAdam": {"lr": 1e-3, "foreach": True},
    "Adagrad": {"lr": 1e-2, "fused": True},
}


def train(t, model, net, optimizer, batch, steps) -> list[float]:
    losses = []
    for step in steps:
        torch.manual_seed(step)  # both draw from the same generator
        optimizer.zero_grad()
        loss = model.loss(t, net, *batch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def state_of(module):
    """Its state dict as Python has it: an OrderedDict with `_metadata`."""
    state, metadata = raw.module_state_dict(getattr(module, "module", module), "", False)
    result = raw.value_from_python_object("collections", "OrderedDict", (), state, None)
    raw.value_set_attribute(
        result, "_metadata", raw.value_from_python_object("collections", "OrderedDict", (), metadata, None)
    )
    return result


@pytest.mark.parametrize("name", list(MODELS)[:6])
@one_thread()
def test_python_continues_what_ctorch_saved(tmp_path, name):
    model = MODELS[name]
    torch.manual_seed(3)
    batch = model.batch()
    own_batch = [ours(x) for x in batch]
    optimizer, options = list(OPTIMIZERS.items())[list(MODELS).index(name) % 4]
    mine = build(ctorch, model)
    own = getattr(ctorch.optim, optimizer)(mine.parameters(), **options)
    train(ctorch, model, mine, own, own_batch, range(5))
    checkpoint = to_value({"model": state_of(mine), "optimizer": own.state_dict(), "epoch": 5})
    raw.serialization_save_file(checkpoint, str(tmp_path / "run.pt"))
    loaded = torch.load(tmp_path / "run.pt", weights_only=True)
    wanted = build(torch, model)
    theirs = getattr(torch.optim, optimizer)(wanted.parameters(), **options)
    wanted.load_state_dict(loaded["model"])
    theirs.load_state_dict(loaded["optimizer"])
    expected = train(ctorch, model, mine, own, own_batch, range(5, 9))
    assert train(torch, model, wanted, theirs, batch, range(5, 9)) == expected


@pytest.mark.parametrize("name", list(MODELS)[:6])
def test_a_state_dict_is_pythons_to_the_byte(tmp_path, name):
    model = MODELS[name]
    wanted, mine = build(torch, model), build(ctorch, model)
    torch.save(wanted.state_dict(), tmp_path / "model.pt")
    expected = (tmp_path / "model.pt").read_bytes()
    raw.serialization_save_file(state_of(mine), str(tmp_path / "model.pt"))
    assert is_pythons((tmp_path / "model.pt").read_bytes(), expected)
