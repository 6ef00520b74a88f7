"""IDX files, in which MNIST and its like come: `ctorch.idx.load("train-images-idx3-ubyte.gz")`."""

from __future__ import annotations

from typing import Any

from . import raw
from .streams import reading
from .tensor import Tensor


def load(file: Any) -> Tensor:
    """Read the array of a path, a stream or bytes."""
    with reading(file) as reader:
        return raw.idx_read(reader)  # type: ignore[return-value]


__all__ = ["load"]
