"""Make 10,000 tensors of 10 MB in reference cycles, and print the most bytes that were held at once, and in the end."""

import gc

import ctorch
from ctorch import aten, raw


class Cycle:
    def __init__(self):
        self.me, self.tensor = self, aten.empty([10**7], dtype=ctorch.uint8)


ctorch.collect_under_pressure(100 * 10**6)
gc.disable()
most = 0
for _ in range(10_000):
    Cycle()
    most = max(most, raw.memory_pressure_held_bytes())
gc.collect()
print(most, raw.memory_pressure_held_bytes())
