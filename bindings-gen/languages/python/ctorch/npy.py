"""NumPy's npy files, which hold one tensor: `ctorch.npy.save("x.npy", x)` is `numpy.save`, without NumPy."""

from __future__ import annotations

from typing import Any

from . import raw
from .streams import writing
from .tensor import Tensor
from .weights import opened


def save(file: Any, tensor: Tensor) -> None:
    """Write a tensor to a path or a stream. Nothing is appended to the path."""
    with writing(file) as writer:
        raw.npy_write(writer, tensor)


def load(file: Any) -> Tensor:
    """Read the tensor of a path, a stream or bytes."""
    with opened(file, "load", "npy") as weights:
        return weights[""]


__all__ = ["load", "save"]
