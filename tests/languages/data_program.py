"""What the programs `data` of the languages print, by Python's torch and torchvision: a line of numbers for each case.

A program gets a folder, in which `give` has put images. Loaders draw from the default generator, which is seeded before
each case, so that a case may be run by itself.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import torch

PROGRAM = """
import json
import sys
import torch
from tests.harness.vision import has_torchvision, torchvision
from torch import nn
from torch.utils import data

numbers = {}
x = torch.arange(40, dtype=torch.float32).view(10, 4) / 8
y = torch.arange(10) % 3
pairs = data.TensorDataset(x, torch.arange(10))


def generator(seed):
    return torch.Generator().manual_seed(seed)


def labels(loader):
    return [n for _, labels in loader for n in [*labels.tolist(), -1]]


for workers in (0, 2):
    torch.manual_seed(5)
    loader = data.DataLoader(pairs, 3, shuffle=True)
    numbers[f"shuffled {workers}"] = labels(loader) + labels(loader)

random = data.RandomSampler(pairs, generator=generator(1))
numbers["random"] = [*random, *random]
numbers["replaced"] = list(data.RandomSampler(pairs, replacement=True, num_samples=7, generator=generator(2)))
weights = [0.1, 0.2, 0.3, 0.4]
numbers["weighted"] = list(data.WeightedRandomSampler(weights, 6, generator=generator(3)))
numbers["subset"] = list(data.SubsetRandomSampler([4, 6, 8, 9], generator=generator(4)))
distributed = data.DistributedSampler(pairs, 3, 1, seed=6)
distributed.set_epoch(2)
numbers["distributed"] = [n for batch in data.BatchSampler(distributed, 3, False) for n in [*batch, -1]]
parts = data.random_split(pairs, [7, 3], generator(7))
numbers["split"] = [n for part in parts for n in part.indices]


class Squares(data.Dataset):
    def __len__(self):
        return 7

    def __getitem__(self, index):
        return torch.full((2,), float(index)), index * index


for workers in (0, 2):
    batches = data.DataLoader(Squares(), 3)
    numbers[f"callback {workers}"] = [n for a, b in batches for n in [*a.flatten().tolist(), *b.tolist()]]

image = torch.arange(3 * 8 * 8, dtype=torch.uint8).view(3, 8, 8)
if has_torchvision():
    v2 = torchvision("transforms.v2")
    both = v2.Compose([v2.RandomCrop([4, 4]), v2.RandomHorizontalFlip(0.5), v2.ToDtype(torch.float32, scale=True)])
    torch.manual_seed(8)
    numbers["transformed"] = [n for _ in range(3) for n in both(image).flatten().tolist()]
torch.manual_seed(9)
numbers["noisy"] = [n for _ in range(3) for n in (image[0, 0, :3] + torch.rand(3)).tolist()]

if has_torchvision():
    images = torchvision("datasets").ImageFolder(sys.argv[1] + "/images", v2.PILToTensor())
    numbers["folder"] = [n for pixels, label in images for n in [*pixels.flatten().tolist(), label]]


def trained(epochs):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=False)
    loss_of = nn.CrossEntropyLoss()
    batches = data.DataLoader(data.TensorDataset(x, y), 3, shuffle=True)
    validation = data.DataLoader(data.TensorDataset(x[:4], y[:4]), 2)
    losses, history = [], []
    for _ in range(epochs):
        of_epoch, hits = [], 0
        for inputs, targets in batches:
            output = model(inputs)
            loss = loss_of(output, targets)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            of_epoch.append((loss.item(), len(targets)))
            hits += (output.argmax(1) == targets).sum().item()
        with torch.no_grad():
            outputs = [(model(a), b) for a, b in validation]
        history += [
            sum(loss for loss, _ in of_epoch) / len(of_epoch),
            hits / 10,
            sum(loss_of(o, b).item() for o, b in outputs) / 2,
            sum((o.argmax(1) == b).sum().item() for o, b in outputs) / 4,
        ]
        losses += [loss for loss, _ in of_epoch]
    return losses, history


numbers["losses"], numbers["history"] = trained(2)
numbers["resumed"] = numbers["losses"][4:]
numbers["step"] = numbers["losses"]
print(json.dumps(numbers))
"""
OF_TORCHVISION = {"transformed", "folder"}  # which may be missing
NOT_EXACT = ("history",)  # means, which may be added up in another order


def give(folder: Path) -> Path:
    """images/cat/ and images/dog/, with two PNGs and one."""
    for name, seed in (("cat/a", 1), ("cat/b", 2), ("dog/a", 3)):
        path = folder / f"images/{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        pixels = torch.randint(256, (5, 6, 3), generator=torch.Generator().manual_seed(seed), dtype=torch.uint8)
        write_png(path, pixels)
    return folder


def write_png(path: Path, pixels: torch.Tensor) -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + bytes(row.flatten().tolist()) for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))


def expected(folder: Path) -> dict[str, list[float]]:
    """In another process: where this one has loaded libctorch, LibTorch is that already, and its threads are set."""
    root = str(Path(__file__).resolve().parents[2])
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, folder], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(output: str, folder: Path, without: frozenset[str] = frozenset()) -> None:
    """That a program has printed them, each with all its digits; without what its language cannot do."""
    lines = [line.split(": ") for line in output.splitlines() if ": " in line]
    found = {name: [float(number) for number in numbers.split()] for name, numbers in lines}
    wanted = {name: numbers for name, numbers in expected(folder).items() if name not in without}
    assert set(found) == set(wanted) | OF_TORCHVISION
    for name, numbers in wanted.items():
        if name in NOT_EXACT:
            torch.testing.assert_close(found[name], numbers, rtol=1e-12, atol=0, msg=name)
        else:
            assert found[name] == numbers, name
