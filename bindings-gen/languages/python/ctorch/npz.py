"""NumPy's npz files, which hold tensors by their names: `ctorch.npz.save("x.npz", {"x": x})` is `numpy.savez`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import raw
from .streams import writing
from .tensor import Tensor
from .weights import opened


def save(file: Any, tensors: Mapping[str, Tensor], compressed: bool = False) -> None:
    """Write tensors to a path or a stream. Nothing is appended to the path."""
    with writing(file) as writer:
        raw.npz_write(writer, dict(tensors), compressed)


def load(file: Any) -> dict[str, Tensor]:
    """Read the tensors of a path, a stream or bytes."""
    with opened(file, "load", "npz") as weights:
        return weights.load()


__all__ = ["load", "save"]
