"""Memory: what Python should collect before it runs out, and what the heap keeps."""

from __future__ import annotations

import ctypes
import gc
import os

from . import raw

# The largest block that raises glibc's thresholds (DEFAULT_MMAP_THRESHOLD_MAX, 32 MiB), with room for its header.
_LARGEST = 2**25 - 2**16


def keep_heap() -> None:
    """Let the heap keep what temporaries of some megabytes leave.

    glibc gives the end of its heap back to the system when more than `M_TRIM_THRESHOLD` is free there, and takes it
    again, page by page, for the next temporary: 128 KiB, until a program frees a larger block, which raises the
    threshold to twice its size, 64 MiB at most. Freeing one such block here, which costs nothing because its pages are
    never touched, makes it 64 MiB. Thresholds that the program has set (mallopt, MALLOC_TRIM_THRESHOLD_) stay.

    It is done when ctorch is imported, unless the environment has CTORCH_KEEP_HEAP=0.
    """
    if os.environ.get("CTORCH_KEEP_HEAP", "1") != "0":
        libc = ctypes.CDLL(None)
        libc.malloc.restype, libc.malloc.argtypes, libc.free.argtypes = (
            ctypes.c_void_p,
            [ctypes.c_size_t],
            [ctypes.c_void_p],
        )
        libc.free(libc.malloc(_LARGEST))


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
