#!/usr/bin/env python3
"""Updates of metrics beside torchmetrics', of batches so small that the time around the operators is what counts.

    PYTHONPATH=. tests/bench/metric_updates.py

Prints microseconds for an update, the best of several rounds, both in one run on one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from tests.metrics.measures import handle, lib, ok, ours, theirs

ROUNDS, UPDATES = 7, 300


def best(update: Callable[[], None]) -> float:
    """Microseconds of one update."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(UPDATES):
            update()
        times.append(time.perf_counter() - begin)
    return min(times) / UPDATES * 1e6


def cases(generator: torch.Generator):
    preds, target = torch.rand(32, generator=generator), torch.randint(0, 2, (32,), generator=generator)
    scores, classes = torch.randn(32, 10, generator=generator), torch.randint(0, 10, (32,), generator=generator)
    yield "BinaryAccuracy", {}, (preds, target)
    yield "MulticlassAccuracy", {"num_classes": 10}, (scores, classes)
    yield "MulticlassF1Score", {"num_classes": 10}, (scores, classes)
    yield "MulticlassConfusionMatrix", {"num_classes": 10}, (scores, classes)
    yield "BinaryAUROC", {"thresholds": 50}, (preds, target)
    yield "MeanSquaredError", {}, (preds, preds.flip(0))
    yield "R2Score", {}, (preds, preds.flip(0))


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'metric':28}{'ctorch':>10}{'torchmetrics':>14}{'ratio':>8}")
    for name, options, (preds, target) in cases(torch.Generator().manual_seed(0)):
        mine, other = ours(name, **options), theirs(name, **options)
        given = mine.pointer, handle(preds), handle(target)
        here = best(lambda: ok(lib.ctorch_metric_update(*given)))
        there = best(lambda: other.update(preds, target))
        print(f"{name:28}{here:10.1f}{there:14.1f}{there / here:8.1f}")


if __name__ == "__main__":
    main()
