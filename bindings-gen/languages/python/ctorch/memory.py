"""Memory: what Python should collect before it runs out."""

from __future__ import annotations

import gc
from typing import Any

from . import raw


def collect_under_pressure(threshold: int = 2**30) -> None:
    """Run Python's garbage collector when tensors hold `threshold` more bytes than before, and when memory runs out.

    Reference counting frees a tensor as soon as it is forgotten. One that is part of a reference cycle waits for the
    garbage collector, to which it is a few bytes, whatever memory is behind it.
    """

    def relieve(reason: int, held_bytes: int, requested_bytes: int) -> None:
        gc.collect(1)
        freed = held_bytes - raw.memory_pressure_held_bytes()
        if freed < threshold // 2 or requested_bytes:  # what it has seen alive before is in the oldest generation
            gc.collect()

    raw.memory_pressure_set(relieve, threshold)


def ignore_pressure() -> None:
    """Undo collect_under_pressure."""
    raw.memory_pressure_clear()


def live_handles() -> int:
    """References that Python and others hold, with CTORCH_DEBUG_HANDLES=1 in the environment; else -1."""
    return raw.debug_live_handles()


def on_pressure(callback: Any, threshold: int) -> None:
    """Call `callback(reason, held_bytes, requested_bytes)` instead of the garbage collector."""
    raw.memory_pressure_set(callback, threshold)
