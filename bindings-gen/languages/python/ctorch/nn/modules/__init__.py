"""What torch.nn.modules has: the layers, and `module` with the hooks for all modules."""

from typing import Any

from ... import nn


def __getattr__(name: str) -> Any:
    return getattr(nn, name)
