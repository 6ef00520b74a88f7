"""The calls of tests/languages/c/overhead.c with Python's own torch."""

import time

import torch

torch.set_num_threads(1)
NUMBERS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
TENSORS = [torch.tensor(NUMBERS) for _ in range(4)]
X, Y = TENSORS[:2]

CASES = {
    "version": (lambda: torch.__version__, 500_000),
    "size": (lambda: X.size(0), 500_000),
    "add": (lambda: torch.add(X, Y), 50_000),
    "cat": (lambda: torch.cat(TENSORS), 50_000),
}
for name, (call, calls) in CASES.items():
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter_ns() - start) / calls)
    print(f"{name} {best:.1f}")
