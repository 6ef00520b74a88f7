#!/usr/bin/env python3
"""Events of a summary writer beside those of torch.utils.tensorboard, into files of one folder.

    PYTHONPATH=. tests/bench/summary_writer.py
    PYTHONPATH=. tests/bench/summary_writer.py --folder /dev/shm

Prints microseconds for an event, the best of several rounds, the last flush included, both in one run on one thread.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch.utils.tensorboard import SummaryWriter

from tests.tensorboard.events import NULL, Writer, argument, ffi, lib, ok

ROUNDS = 5


def best(events: int, begin: Callable[[], tuple[Callable[[int], None], Callable[[], None]]]) -> float:
    """Microseconds of one event."""
    times = []
    for _ in range(ROUNDS):
        add, end = begin()
        start = time.perf_counter()
        for step in range(events):
            add(step)
        end()
        times.append(time.perf_counter() - start)
    return min(times) / events * 1e6


def cases(generator: torch.Generator):
    """Name, number of events, what ctorch adds, what Python adds."""
    values, image = torch.randn(10_000, generator=generator), torch.rand(3, 64, 64, generator=generator)
    pair, numbers, tags = torch.rand(2, generator=generator), ffi.new("double[]", [0.5, 0.25]), ["a", "b"]
    texts = [ffi.new("char[]", tag.encode()) for tag in tags]
    names = ffi.new("char *[]", texts)
    add = lib.ctorch_summary_writer_add_scalar
    yield (
        "add_scalar",
        20_000,
        lambda w, step: ok(add(w, b"loss", 0.5, step, NULL, False, False)),
        lambda w, step: w.add_scalar("loss", 0.5, step),
    )
    yield (
        "add_scalars",
        2_000,
        lambda w, step: ok(lib.ctorch_summary_writer_add_scalars(w, b"both", names, 2, numbers, 2, step, NULL)),
        lambda w, step: w.add_scalars("both", {"a": 0.5, "b": 0.25}, step),
    )
    yield (
        "add_histogram",
        300,
        lambda w, step: ok(lib.ctorch_summary_writer_add_histogram(w, b"h", argument(values), step, NULL, NULL, 0)),
        lambda w, step: w.add_histogram("h", values, step),
    )
    yield (
        "add_tensor",
        2_000,
        lambda w, step: ok(lib.ctorch_summary_writer_add_tensor(w, b"t", argument(pair), step, NULL)),
        lambda w, step: w.add_tensor("t", pair, step),
    )
    yield (
        "add_text",
        5_000,
        lambda w, step: ok(lib.ctorch_summary_writer_add_text(w, b"note", b"a *text*", step, NULL)),
        lambda w, step: w.add_text("note", "a *text*", step),
    )
    yield (
        "add_image",
        100,
        lambda w, step: ok(lib.ctorch_summary_writer_add_image(w, b"i", argument(image), step, NULL, NULL)),
        lambda w, step: w.add_image("i", image, step),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", help="where the files are written; a temporary folder")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{'event':20}{'ctorch':>10}{'tensorboard':>14}{'ratio':>8}")
    for name, events, mine, other in cases(torch.Generator().manual_seed(0)):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:

            def ours(folder=folder, mine=mine):
                writer = Writer(Path(folder) / "ours")
                return lambda step: mine(writer.handle, step), lambda: writer.__exit__()

            def theirs(folder=folder, other=other):
                writer = SummaryWriter(str(Path(folder) / "theirs"))
                return lambda step: other(writer, step), writer.close

            here, there = best(events, ours), best(events, theirs)
        print(f"{name:20}{here:10.1f}{there:14.1f}{there / here:8.1f}")


if __name__ == "__main__":
    main()
