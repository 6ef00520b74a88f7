"""Which object stands for which optimizer of C's: there is one for each, as long as somebody needs it."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from .library import native

classes: dict[str, Any] = {}  # by name: Optimizer (optimizers.py) and those of torch.optim
_known: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by the address in C


def from_optimizer(handle: Any) -> Any:
    """The object for an optimizer of C's: the one that it has, or a new one of its class."""
    if not handle:
        return None
    found = _known.get(handle.value)
    if found is None or found.closed:
        name = (native.ctorch_optimizer_name(handle) or b"").decode()
        kind = classes.get(name, classes["Optimizer"])
        found = kind.__new__(kind)
        adopt(found, handle)
    return found


def adopt(self: Any, handle: Any) -> None:
    """From now on this object is that of an optimizer of C's."""
    self._optimizer = handle
    _known[handle.value] = self
