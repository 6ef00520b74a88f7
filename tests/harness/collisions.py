"""Keys whose hashes LibTorch takes for one: a table of its own would need 2^n slots for n of them."""

from __future__ import annotations

import contextlib
import functools
import resource
from collections.abc import Iterator

import numpy

LENGTH = 15


def ints(count: int) -> list[int]:
    """LibTorch multiplies an int by 2^64 over the golden ratio, and takes the first bits."""
    inverse = pow(11400714819323198485, -1, 2**64)
    return [(i * inverse + 2**63) % 2**64 - 2**63 for i in range(count)]


@functools.cache
def texts(count: int) -> list[str]:
    """Texts of ASCII whose hash is 0, as tests/harness/colliding_keys.h finds them."""
    factor = numpy.uint64(0xC6A4A7935BD1E995)
    start = numpy.uint64(0xC70F6907 ^ (LENGTH * int(factor)) % 2**64)
    found: list[str] = []
    for first in range(1, 2**40, 2**20):
        number = numpy.arange(first, first + 2**20, dtype=numpy.uint64)
        word = numpy.zeros_like(number)
        for _ in range(8):
            word = word << numpy.uint64(8) | (number % numpy.uint64(26) + numpy.uint64(0x61))
            number //= numpy.uint64(26)
        mixed = word * factor
        mixed = (start ^ ((mixed ^ mixed >> numpy.uint64(47)) * factor)) * factor
        rest = mixed.view(numpy.uint8).reshape(-1, 8)
        good = (rest[:, 7] == 0) & ((rest[:, :7] >= 0x20) & (rest[:, :7] <= 0x7E)).all(axis=1)
        for index in numpy.flatnonzero(good):
            found.append((word[index].tobytes() + rest[index, :7].tobytes()).decode("ascii"))
            if len(found) == count:
                return found
    raise AssertionError


@contextlib.contextmanager
def no_more_memory(nbytes: int = 512 << 20) -> Iterator[None]:
    """Allocations beyond this fail, so that a table that grows without end is an error."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + nbytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
