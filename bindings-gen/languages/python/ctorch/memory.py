"""Memory: what Python should collect before it runs out."""

from __future__ import annotations

import gc

from . import raw


def collect_under_pressure(threshold: int = 2**30) -> None:
    """Run Python's garbage collector when tensors, graphs and modules hold `threshold` more bytes, or memory runs out.

    Reference counting frees a tensor as soon as it is forgotten. One that is part of a reference cycle waits for the
    garbage collector, to which it is a few bytes, whatever memory is behind it.
    """

    def counted() -> int:
        return max(raw.memory_pressure_held_bytes(), raw.memory_pressure_allocated_bytes())

    floor = 0  # what was counted after the last full collection

    def relieve(reason: int, held_bytes: int, requested_bytes: int) -> None:
        nonlocal floor
        gc.collect(1)
        # What an earlier collection has seen alive is in the oldest generation, which takes longer to look through.
        if requested_bytes or counted() > floor + threshold // 2:
            gc.collect()
            floor = counted()

    raw.memory_pressure_set_callback(relieve, threshold)


def ignore_pressure() -> None:
    """Undo collect_under_pressure."""
    raw.memory_pressure_clear_callback()
