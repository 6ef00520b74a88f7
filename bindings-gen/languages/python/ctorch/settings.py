"""What holds for the whole process: versions, seeds, threads."""

from __future__ import annotations

from . import raw
from .generators import Generator


def version() -> str:
    """The version of ctorch: "0.1.0"."""
    return raw.version()


def manual_seed(seed: int) -> Generator:
    """Seed the default generators of the CPU and of every device; gives that of the CPU."""
    raw.random_manual_seed(seed % 2**64 if isinstance(seed, int) else seed)
    return raw.generator_default()  # type: ignore[return-value]


def initial_seed() -> int:
    """What the default generator of the CPU was last seeded with."""
    return raw.random_initial_seed()


def set_num_threads(number: int) -> None:
    """How many threads an operator may use on the CPU."""
    raw.threads_set_num(number)


def get_num_threads() -> int:
    """How many threads an operator uses on the CPU."""
    return raw.threads_num()
