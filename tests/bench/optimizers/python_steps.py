"""What bench_optimizers measures, in Python: python_steps.py NAME TENSORS ELEMENTS ROUNDS THREADS [fused|foreach]"""

import sys
import time

import torch

name, tensors, elements, rounds, threads = sys.argv[1], *map(int, sys.argv[2:6])
torch.set_num_threads(threads)
params = [torch.randn(elements, requires_grad=True) for _ in range(tensors)]
for p in params:
    p.grad = torch.randn(elements)
optimizer = getattr(torch.optim, name)(params, **dict.fromkeys(sys.argv[6:], True))
best = 1e300
for _ in range(rounds):
    begin = time.perf_counter()
    optimizer.step()
    best = min(best, time.perf_counter() - begin)
print(f"{best * 1e6:.3f}")
