"""What the programs `data_sample` of the bindings load, transform and train, by Python's torch.

Each prints lines of a name, a number of workers, and numbers: batches of all kinds of samplers, samples of a dict that
are collated, a transform's draws, and a training of two epochs with a metric, validation, clipping and a scheduler. The
run that was saved after one epoch and resumed prints the same as `resumed`.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils import data

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.harness.vision import has_torchvision, torchvision  # noqa: E402

WORKERS = ("0", "2")


def flat(item: Any) -> Iterator[float]:
    if isinstance(item, torch.Tensor):
        yield from map(float, item.flatten().tolist())
    elif isinstance(item, (list, tuple)):
        for part in item:
            yield from flat(part)
    elif isinstance(item, dict):
        yield from flat(list(item.values()))
    else:
        yield float(item)


def rows() -> data.TensorDataset:
    return data.TensorDataset(torch.arange(20.0).reshape(10, 2), torch.arange(10))


def shuffled() -> Any:
    torch.manual_seed(5)
    loader = data.DataLoader(rows(), 4, shuffle=True)
    return [list(loader) for _ in range(2)]


def drawn() -> Any:
    torch.manual_seed(6)
    return list(data.DataLoader(rows(), 4, sampler=data.RandomSampler(rows(), True, 7), drop_last=True))


def weighted() -> Any:
    torch.manual_seed(7)
    sampler = data.WeightedRandomSampler([1.0, 2.0, 3.0, 4.0, 0.5, 0.0, 1.0, 1.0, 1.0, 1.0], 8)
    return list(data.DataLoader(rows(), batch_sampler=data.BatchSampler(sampler, 3, False)))


def distributed() -> Any:
    sampler = data.DistributedSampler(rows(), 3, 1, seed=4)
    found = []
    for epoch in (0, 3):
        sampler.set_epoch(epoch)
        found.append(list(sampler))
    return found


def split() -> Any:
    torch.manual_seed(8)
    return [list(part) for lengths in ([7, 3], [0.5, 0.5]) for part in data.random_split(rows(), lengths)]


class Dicts(data.Dataset):
    def __len__(self) -> int:
        return 7

    def __getitem__(self, i: int) -> Any:
        return {"number": i, "pair": (i / 2, torch.tensor([i, i + 1]))}


def collated() -> Any:
    return list(data.DataLoader(Dicts(), 3))


def transformed() -> Any:
    v2 = torchvision("transforms.v2")
    transform = v2.Compose([v2.RandomCrop(3), v2.RandomHorizontalFlip(), v2.Lambda(lambda x: x * 2)])
    torch.manual_seed(9)
    return [transform(torch.arange(48.0).reshape(3, 4, 4)) for _ in range(4)]


def trained() -> tuple[list[float], list[float]]:
    """The loss of each batch and the parameters, which have to be the same to the last bit; and the history."""
    torch.manual_seed(0)
    x, y, vx, vy = torch.randn(50, 4), torch.randint(3, (50,)), torch.randn(20, 4), torch.randint(3, (20,))
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=False)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
    batches = data.DataLoader(data.TensorDataset(x, y), 8, shuffle=True)
    validation = data.DataLoader(data.TensorDataset(vx, vy), 20)
    loss_of = nn.CrossEntropyLoss()
    losses, history = [], []
    for _ in range(2):
        model.train()
        of_epoch, hits = [], 0
        for inputs, targets in batches:
            output = model(inputs)
            loss = loss_of(output, targets)
            hits += (output.argmax(1) == targets).sum().item()
            of_epoch.append(loss.item())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            [(inputs, targets)] = validation
            output = model(inputs)
            validated = [loss_of(output, targets).item(), (output.argmax(1) == targets).sum().item() / 20]
        scheduler.step()
        losses += of_epoch
        history += [sum(of_epoch) / len(of_epoch), hits / 50, *validated]
    return [*losses, *flat([p.detach() for p in model.parameters()])], history


def assert_equal(output: str, without: tuple[str, ...] = ()) -> None:
    """`without` are names of what a program leaves out."""
    lines = [line.split() for line in output.splitlines() if not line.startswith("live ")]
    found = {(name, workers): [float(number) for number in numbers] for name, workers, *numbers in lines}
    exact, history = trained()
    loaded = (f for f in (shuffled, drawn, weighted, distributed, split, collated) if f.__name__ not in without)
    expected = {f.__name__: list(flat(f())) for f in loaded}
    if has_torchvision():
        expected["transformed"] = list(flat(transformed()))
    for workers in WORKERS:
        for name, numbers in {**expected, "trained": exact}.items():
            assert found[name, workers] == numbers, (name, workers)
        for name in ("history", "resumed"):
            assert len(found[name, workers]) == len(history)
            assert all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(found[name, workers], history))
        assert found["resumed", workers] == found["history", workers]
    assert re.search(r"^live 0$", output, re.MULTILINE)
