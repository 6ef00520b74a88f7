"""Generators of random numbers, as torch.Generator."""

from __future__ import annotations

from typing import Any

from . import raw
from .objects import Generator as Base
from .objects import GeneratorHandle
from .plain_data import device as device_


class Generator(Base):
    """Random numbers of a device: `ctorch.Generator().manual_seed(7)`."""

    def __init__(self, device: Any = "cpu") -> None:
        made = device if isinstance(device, GeneratorHandle) else raw.generator_new(device)._generator
        self._generator = made

    def manual_seed(self, seed: int) -> Generator:
        """Begin anew with a seed."""
        raw.generator_manual_seed(self, seed % 2**64 if isinstance(seed, int) else seed)
        return self

    def initial_seed(self) -> int:
        """What it was last seeded with."""
        return raw.generator_initial_seed(self)

    def seed(self) -> int:
        """Begin anew with a seed that nobody knows before."""
        return raw.generator_seed(self)

    def get_state(self) -> Any:
        """Where it is: a tensor of bytes."""
        return raw.generator_get_state(self)

    def set_state(self, new_state: Any) -> None:
        """Go on where a generator was."""
        raw.generator_set_state(self, new_state)

    def clone_state(self) -> Generator:
        """Another one that goes on from here."""
        return raw.generator_clone(self)  # type: ignore[return-value]

    @property
    def device(self) -> device_:
        """Whose random numbers it makes."""
        return raw.generator_device(self)


def from_generator(handle: Any) -> Any:
    return Generator(handle) if handle else None
