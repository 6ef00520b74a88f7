"""What a program in each language trains, in Python: the losses, parameters and factors that it must print.

The program is the same everywhere, in float64, so that its numbers are equal to the last bit: three small trainings of
one linear layer on four points.

1. AdamW, whose learning rate StepLR halves every third step, on both parameters.
2. SGD by name, with a group for each parameter; each step gets a closure.
3. SGD with a GradScaler, one of whose losses is infinite.
"""

import json
import os
import subprocess
import sys

STEPS = 8
PROGRAM = """
import json
import torch
from torch import optim

numbers = []
x = torch.arange(12, dtype=torch.float64).view(4, 3) / 10
y = torch.arange(4, dtype=torch.float64).view(4, 1) / 4


def layer():
    weight = torch.tensor([[0.1, -0.2, 0.3]], dtype=torch.float64, requires_grad=True)
    return weight, torch.tensor([0.05], dtype=torch.float64, requires_grad=True)


def loss_of(weight, bias):
    return torch.nn.functional.mse_loss(torch.nn.functional.linear(x, weight, bias), y)


def keep(*tensors):
    numbers.extend(n for t in tensors for n in t.detach().flatten().tolist())


weight, bias = layer()
optimizer = optim.AdamW([weight, bias], lr=0.05, weight_decay=0.1, fused=True)
scheduler = optim.lr_scheduler.StepLR(optimizer, 3, gamma=0.5)
for _ in range(STEPS):
    optimizer.zero_grad()
    loss = loss_of(weight, bias)
    loss.backward()
    optimizer.step()
    scheduler.step()
    keep(loss)
    numbers.extend(scheduler.get_last_lr())
keep(weight, bias)

weight, bias = layer()
groups = [{"params": [weight]}, {"params": [bias], "lr": 0.01}]
optimizer = optim.SGD(groups, lr=0.05, momentum=0.9, weight_decay=0.001, fused=True)


def closure():
    optimizer.zero_grad()
    loss = loss_of(weight, bias)
    loss.backward()
    return loss


for _ in range(STEPS):
    keep(optimizer.step(closure))
keep(weight, bias)

weight, bias = layer()
optimizer = optim.SGD([weight, bias], lr=0.05, fused=True)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2)
for i in range(STEPS):
    optimizer.zero_grad()
    loss = loss_of(weight, bias)
    scaler.scale(loss * float("inf") if i == 3 else loss).backward()
    scaler.step(optimizer)
    scaler.update()
    keep(loss)
    numbers.append(scaler.get_scale())
keep(weight, bias)
print(json.dumps(numbers))
"""


def numbers() -> list[float]:
    """In another process: where this one has loaded libctorch, LibTorch is that already, and its threads are set."""
    done = subprocess.run(
        [sys.executable, "-c", f"STEPS = {STEPS}\n{PROGRAM}"],
        env={k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(output: str) -> None:
    """That a program has printed them, one a line, each with all its digits."""
    expected, got = numbers(), [float(line) for line in output.split()]
    assert len(got) == len(expected) == 4 * STEPS + STEPS + 12, output
    assert got == expected
