"""What the programs `training` of the bindings compute, by Python's torch: losses and parameters, to the last bit.

A linear layer learns four points, with an optimizer, a scheduler and a scaler of each kind that is made in a way of its
own. Half way everything goes through state dicts into new objects.
"""

from __future__ import annotations

import re
from typing import Any

import torch

STEPS = 12


def train(torch: Any, make_optimizer: Any, make_scheduler: Any, scaler: Any = None) -> list[float]:
    weight = torch.tensor([[0.5, -1.25, 2.0]], requires_grad=True)
    bias = torch.tensor([0.125], requires_grad=True)
    inputs = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0], [-1.0, 0.0, 2.0]]) / 8
    targets = torch.tensor([[1.0], [0.0], [2.0], [-1.0]])
    optimizer = make_optimizer(weight, bias)
    scheduler = make_scheduler(optimizer)
    numbers: list[float] = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(torch.nn.functional.linear(inputs, weight, bias), targets)
        numbers.append(loss.item())
        if scaler:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
        if isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
            scheduler.step(loss.detach())
        else:
            scheduler.step()
    rates = [group["lr"] for group in optimizer.param_groups]
    return [*numbers, *weight.flatten().tolist(), *bias.tolist(), *rates, scaler.get_scale() if scaler else 1.0]


def computed(torch: Any) -> dict[str, list[float]]:
    """By Python's torch, or by a package that has what it has."""
    optim, lr = torch.optim, torch.optim.lr_scheduler
    return {
        "groups": train(
            torch,
            lambda w, b: optim.AdamW(
                [{"params": [w], "lr": 0.1}, {"params": [b]}],
                lr=0.05,
                betas=(0.75, 0.875),
                weight_decay=0.125,
                amsgrad=True,
                fused=True,
            ),
            lambda o: lr.LambdaLR(o, [lambda epoch: 1 / (1 + epoch), lambda epoch: 1 - epoch / 16]),
        ),
        "sequence": train(
            torch,
            lambda w, b: optim.SGD([w, b], 0.05, momentum=0.9, weight_decay=0.01, nesterov=True, fused=True),
            lambda o: lr.SequentialLR(o, [lr.LinearLR(o, 0.5, total_iters=3), lr.StepLR(o, 2, gamma=0.5)], [3]),
        ),
        "plateau": train(
            torch,
            lambda w, b: optim.Adam([w, b], lr=0.75, fused=True),
            lambda o: lr.ReduceLROnPlateau(o, factor=0.5, patience=0),
        ),
        "scaled": train(
            torch,
            lambda w, b: optim.SGD([w, b], 0.1, momentum=0.5, foreach=False),
            lambda o: lr.CyclicLR(o, 0.01, 0.2, step_size_up=3, scale_fn=lambda cycle: 1 / cycle, base_momentum=0.5),
            torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=2),
        ),
    }


def assert_equal(output: str) -> None:
    """`output` has a line for each of them: its name and its numbers."""
    lines = [line.split() for line in output.splitlines() if not line.startswith("live ")]
    found = {name: [float(number) for number in numbers] for name, *numbers in lines}
    assert found == computed(torch)
    assert re.search(r"^live 0$", output, re.MULTILINE)
