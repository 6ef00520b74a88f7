#!/usr/bin/env python3
"""What loading data costs, beside Python's DataLoader and torch::data of LibTorch's C++ frontend: Markdown.

    tests/bench/data.py                       needs the targets bench_loaders and bench_trainer, torchvision, Pillow
    tests/bench/data.py --only files --workers 0 2

An epoch in random order, in a process of its own that takes the best of three; the opponents take turns, and the best
of their rounds counts. All have as many workers: threads of ctorch and torch::data, processes of Python, whose start
counts as it does in every epoch of a program that does not keep them. Each has to load the same number of samples and
bytes. Files are in the system's memory. torch::data reads no JPEG. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CTORCH_BUILD", ROOT / "build/cmake"))
BATCH_SIZE = {"memory": 64, "files": 64, "jpeg": 32, "tokens": 16}
MEMORY, FILE_BYTES, BLOCK = (60000, 784), 784, 1024
EPOCHS = 3


def make_data(kind: str, folder: Path, count: int) -> Path:
    import numpy

    rng, path = numpy.random.default_rng(0), folder / kind
    if kind == "tokens":
        rng.integers(0, 50257, 50_000_000, numpy.uint16).tofile(path)
        return path
    path.mkdir()
    if kind == "files":
        for i in range(count):
            (path / f"{i:06}").write_bytes(rng.bytes(FILE_BYTES))
    elif kind == "jpeg":
        from PIL import Image

        for i in range(count):
            low = Image.fromarray(rng.integers(0, 256, (12, 16, 3), numpy.uint8))
            (path / str(i % 10)).mkdir(exist_ok=True)
            low.resize((500, 375), Image.Resampling.BICUBIC).save(path / str(i % 10) / f"{i:06}.jpg", quality=90)
    return path


# Python ---------------------------------------------------------------------------------------------------------------


def python_dataset(kind: str, path: Path, count: int):
    import numpy
    import torch
    from torch.utils import data

    class Files(data.Dataset):
        def __len__(self):
            return count

        def __getitem__(self, index):
            return torch.from_numpy(numpy.fromfile(path / f"{index:06}", numpy.uint8)), index % 10

    class Tokens(data.Dataset):
        def __init__(self):
            self.tokens = numpy.memmap(path, numpy.uint16, "r")

        def __len__(self):
            return (len(self.tokens) - 1) // BLOCK

        def __getitem__(self, index):
            window = self.tokens[index * BLOCK : (index + 1) * BLOCK + 1].astype(numpy.int64)
            return torch.from_numpy(window[:-1]), torch.from_numpy(window[1:])

    if kind == "memory":
        return data.TensorDataset(torch.rand(MEMORY), torch.randint(10, MEMORY[:1]))
    if kind == "jpeg":
        sys.path.insert(0, str(ROOT))
        from tests.harness.vision import torchvision

        v2 = torchvision("transforms.v2")
        numbers = [v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])]
        parts = [v2.PILToTensor(), v2.RandomResizedCrop(224), v2.RandomHorizontalFlip(), *numbers]
        return torchvision("datasets").ImageFolder(path, v2.Compose(parts))
    return Files() if kind == "files" else Tokens()


def python_epochs(kind: str, path: Path, workers: int, count: int) -> None:
    import torch

    torch.set_num_threads(1)
    loader = torch.utils.data.DataLoader(
        python_dataset(kind, path, count), BATCH_SIZE[kind], shuffle=True, num_workers=workers
    )
    best, samples, nbytes = float("inf"), 0, 0
    for _ in range(EPOCHS):
        begin, samples, nbytes = time.perf_counter(), 0, 0
        for batch in loader:
            samples += len(batch[0])
            nbytes += batch[0].nbytes
        best = min(best, time.perf_counter() - begin)
    print(best, samples, nbytes, 0)


# ----------------------------------------------------------------------------------------------------------------------


def measured(who: str, kind: str, path: Path, workers: int, count: int, busy: float = 0) -> tuple[float, str, float]:
    """Seconds, what was loaded, the share of the time that the consumer waited."""
    if who == "Python":
        command = [sys.executable, __file__, "--python", kind, path, str(workers), str(count)]
    else:
        numbers = map(str, (BATCH_SIZE[kind], workers, count, busy))
        command = [BUILD / "tests/bench/bench_loaders", who, kind, path, *numbers]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise SystemExit(f"{who} {kind}: {found.stderr}")
    best, samples, nbytes, waited = found.stdout.split()
    return float(best), f"{samples} samples, {nbytes} bytes", float(waited)


def compare(kind: str, path: Path, workers: int, count: int, rounds: int) -> None:
    who = ["ctorch", "Python"] + ([] if kind == "jpeg" else ["libtorch"])
    best = dict.fromkeys(who, float("inf"))
    loads = {}
    for _ in range(rounds):
        for name in who:
            seconds, loads[name], _ = measured(name, kind, path, workers, count)
            best[name] = min(best[name], seconds)
    if len(set(loads.values())) > 1:
        raise SystemExit(f"{kind}: not the same was loaded: {loads}")
    ours = best["ctorch"]
    ratios = [
        f"{best[name]:.3f} | {best[name] / ours:.1f}" if name in best else "– | –" for name in ("Python", "libtorch")
    ]
    print(f"| {kind} | {workers} | {ours:.3f} | {' | '.join(ratios)} |", flush=True)


def compare_trainer(rounds: int) -> None:
    print("\n| MLP | batch | loop s | trainer s | ratio |\n|---|---|---|---|---|")
    for width, batch_size in ((32, 1), (128, 32), (512, 256)):
        loop, trainer = float("inf"), float("inf")
        for _ in range(rounds):
            command = [BUILD / "tests/bench/bench_trainer", str(width), str(batch_size), "5"]
            found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            loop, trainer = min(loop, float(found[0])), min(trainer, float(found[1]))
        print(f"| {width} | {batch_size} | {loop:.4f} | {trainer:.4f} | {trainer / loop:.3f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", nargs="*", default=[*BATCH_SIZE, "wait", "trainer"], help="kinds of data; wait; trainer"
    )
    parser.add_argument("--workers", nargs="*", type=int, default=[0, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--python", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.python:
        kind, path, workers, count = options.python
        python_epochs(kind, Path(path), int(workers), int(count))
        return
    counts = {"files": 60000, "jpeg": 1000}
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        print("| data | workers | ctorch s | Python s | times | torch::data s | times |\n|---|---|---|---|---|---|---|")
        for kind in (k for k in BATCH_SIZE if k in options.only):
            paths[kind] = make_data(kind, Path(folder), counts.get(kind, 0))
            for workers in options.workers:
                compare(kind, paths[kind], workers, counts.get(kind, 0), options.rounds)
        if "wait" in options.only:
            path = paths.get("tokens") or make_data("tokens", Path(folder), 0)
            shares = [measured("ctorch", "tokens", path, 1, 0, busy=1000)[2] for _ in range(options.rounds)]
            print(
                f"\nA consumer that works 1 ms on each batch of tokens, one worker: it waits {100 * min(shares):.2f} %"
            )
        if "trainer" in options.only:
            compare_trainer(options.rounds)


if __name__ == "__main__":
    main()
