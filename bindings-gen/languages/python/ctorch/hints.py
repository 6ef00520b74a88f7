"""Names for the annotations of the emitted functions in `raw`, for type checkers: nothing imports it at run time."""

from collections.abc import Callable, Sequence
from typing import Any

from .collections import String, TensorList
from .objects import *  # noqa: F403
from .plain_data import Stream, device, dtype, layout, memory_format
from .tensor import Tensor

address = int
number = bool | int | float | complex
Buffer = Any  # what memoryview() takes; Python 3.12 has a name for it
WritableBuffer = Any

__all__ = [
    "Buffer",
    "Callable",
    "Sequence",
    "Stream",
    "String",
    "Tensor",
    "TensorList",
    "WritableBuffer",
    "address",
    "device",
    "dtype",
    "layout",
    "memory_format",
    "number",
]
