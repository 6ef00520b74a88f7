"""Snapshots beside Python: what they hold, and that a run which is interrupted computes what it would have computed."""

from __future__ import annotations

import pytest
import torch

from tests.languages.test_python import ctorch, raw  # noqa: E402

STEPS, STOP = 12, 5
OPTIMIZERS = {
    "AdamW": {"lr": 1e-2, "amsgrad": True, "fused": True},
    "SGD": {"lr": 1e-2, "momentum": 0.9, "nesterov": True},
    "Adafactor": {"lr": 1e-2},
    "RMSprop": {"lr": 1e-2, "centered": True, "momentum": 0.5},
}


class Run:
    """A small training run: dropout, batch norm, an optimizer and a scheduler; its data are drawn as it goes."""

    def __init__(self, folder, optimizer, seed, is_async=False):
        nn = ctorch.nn
        raw.random_manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.Dropout(0.3), nn.Linear(16, 3))
        options = OPTIMIZERS[optimizer]
        self.optimizer = getattr(ctorch.optim, optimizer)(self.model.parameters(), **options)
        self.scheduler = ctorch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.9)
        self.scaler = ctorch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
        self.snapshots = raw.snapshots_open(str(folder))
        raw.snapshots_add_module(self.snapshots, "model", self.model)
        raw.snapshots_add_optimizer(self.snapshots, "optimizer", self.optimizer)
        raw.snapshots_add_lr_scheduler(self.snapshots, "scheduler", self.scheduler)
        raw.snapshots_add_grad_scaler(self.snapshots, "scaler", self.scaler)
        raw.snapshots_set_every(self.snapshots, STOP)
        raw.snapshots_set_async(self.snapshots, is_async)

    def train(self, first, last):
        losses = []
        for step in range(first, last):
            x = ctorch.from_dlpack(torch.zeros(8, 6)).normal_()
            self.optimizer.zero_grad()
            loss = (self.model(x) ** 2).mean()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.scheduler.step()
            losses.append(loss.item())
            raw.snapshots_step(self.snapshots, 0, step + 1, loss.item())
        return losses


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_run_that_goes_on_computes_what_it_would_have(tmp_path, optimizer, is_async):
    whole = Run(tmp_path / "whole", optimizer, 7).train(0, STEPS)
    first = Run(tmp_path / "run", optimizer, 7, is_async)
    begun = first.train(0, STOP + 2)  # two steps beyond the snapshot, which are lost
    assert begun == whole[: STOP + 2]
    raw.snapshots_wait(first.snapshots)
    second = Run(tmp_path / "run", optimizer, 99)
    found, epoch, step = raw.snapshots_resume(second.snapshots, None)
    assert (found, epoch, step) == (True, 0, STOP)
    assert second.train(step, STEPS) == whole[STOP:]


def test_python_reads_a_snapshot(tmp_path):
    run = Run(tmp_path, "AdamW", 7)
    losses = run.train(0, STOP)
    state = torch.load(tmp_path / f"snapshot-{STOP:012}.pt")
    assert {name: state[name] for name in ("format", "version", "epoch", "step", "metric")} == {
        "format": "ctorch.snapshot",
        "version": 1,
        "epoch": 0,
        "step": STOP,
        "metric": losses[-1],
    }
    assert state["generators"]["cpu"].dtype == torch.uint8
    parts = state["parts"]
    nn = torch.nn
    model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.Dropout(0.3), nn.Linear(16, 3))
    assert parts["model"]._metadata == model.state_dict()._metadata
    model.load_state_dict(parts["model"])
    optimizer = torch.optim.AdamW(model.parameters(), **OPTIMIZERS["AdamW"])
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    scaler = torch.amp.GradScaler("cpu")
    optimizer.load_state_dict(parts["optimizer"])
    scheduler.load_state_dict(parts["scheduler"])
    scaler.load_state_dict(parts["scaler"])
    # Python goes on as this run does.
    torch.set_rng_state(state["generators"]["cpu"])
    theirs = []
    for _ in range(STOP, STEPS):
        x = torch.zeros(8, 6).normal_()
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        theirs.append(loss.item())
    torch.set_rng_state(state["generators"]["cpu"])  # the two have one generator here
    assert run.train(STOP, STEPS) == theirs
