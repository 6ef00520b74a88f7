"""A hundred thousand updates of five metrics: memory does not grow. Handles are counted by check_metric.c."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

UPDATES, MOST_GROWTH = 20_000, 1 << 20


def cases():
    import torch

    generator = torch.Generator().manual_seed(0)
    preds, target = torch.rand(8, generator=generator), torch.randint(0, 2, (8,), generator=generator)
    scores, classes = torch.rand(8, 3, generator=generator), torch.randint(0, 3, (8,), generator=generator)
    texts = ["the cat is on the mat", "a b"], [["there is a cat on the mat"], ["b a", "a c"]]
    yield "MulticlassF1Score", {"num_classes": 3}, (scores, classes)
    yield "BinaryAUROC", {"thresholds": 5}, (preds, target)
    yield "MeanSquaredError", {}, (preds, preds.flip(0))
    yield "BLEUScore", {}, texts
    yield "PeakSignalNoiseRatio", {"data_range": 1.0}, (preds, preds.flip(0))


def update() -> dict[str, int]:
    import torch

    from tests.harness.capi import lib, ok, out
    from tests.harness.malloc import allocated
    from tests.harness.values import value

    torch.set_num_threads(1)
    found = {}
    for name, options, inputs in cases():
        place, given = out("ctorch_metric *"), value(inputs)
        ok(lib.ctorch_metric_create(place, name.encode(), value(()), value(options)))
        for i in range(UPDATES):
            if i == UPDATES // 10:
                begin = allocated()
            ok(lib.ctorch_metric_update_value(place[0], given))
        assert lib.ctorch_metric_update_count(place[0]) == UPDATES
        found[name] = allocated() - begin
        lib.ctorch_metric_release(place[0])
    return found


def test_many_updates_cost_no_memory():
    command = [sys.executable, "-m", "tests.metrics.test_soak"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == 5
    assert sum(found.values()) < MOST_GROWTH, found


if __name__ == "__main__":
    print(json.dumps(update()))
