"""Operators that this LibTorch lacks and policy.toml has a substitute for: what gives the same in Python.

Each has the schema of api.json, and stands where `torch.ops.aten` has nothing. Python's methods of a tensor are there
in every version; of what was removed, PyTorch's own message names what to call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def _mode(some: bool) -> str:
    return "reduced" if some else "complete"


CALLS: dict[str, Callable[..., Any]] = {
    "dim": lambda self: self.dim(),
    "numel": lambda self: self.numel(),
    "storage_offset": lambda self: self.storage_offset(),
    "get_device": lambda self: self.get_device(),
    "is_contiguous": lambda self: self.is_contiguous(),
    "is_contiguous.memory_format": lambda self, memory_format: self.is_contiguous(memory_format=memory_format),
    "cholesky": lambda self, upper=False: torch.linalg.cholesky(self, upper=upper),
    "cholesky.out": lambda self, upper=False, *, out: torch.linalg.cholesky(self, upper=upper, out=out),
    "qr": lambda self, some=True: torch.linalg.qr(self, _mode(some)),
    "qr.Q": lambda self, some=True, *, Q, R: torch.linalg.qr(self, _mode(some), out=(Q, R)),
}


class Substitute:
    """To be called like an overload of `torch.ops`."""

    def __init__(self, name: str, schema: str):
        self._call = CALLS[name]
        self._schema = torch._C.parse_schema(schema)

    def __call__(this, /, *arguments: Any, **named: Any) -> Any:  # `self` is an argument of theirs
        return this._call(*arguments, **named)
