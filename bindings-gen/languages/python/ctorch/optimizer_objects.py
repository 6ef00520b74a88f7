"""Which object stands for which optimizer or scheduler of C's: there is one for each, as long as somebody needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from .library import native


class Objects:
    """The objects of one kind of handle: `classes` has a class for each name that C has, and one for all others."""

    def __init__(self, base: str, slot: str, name_of: Callable[[Any], bytes | None]) -> None:
        self.classes: dict[str, Any] = {}
        self._base, self._slot, self._name_of = base, slot, name_of
        self._known: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by the address in C

    def of(self, handle: Any) -> Any:
        """The object for a handle of C's: the one that it has, or a new one of its class."""
        if not handle:
            return None
        found = self._known.get(handle.value)
        if found is None or found.closed:
            name = (self._name_of(handle) or b"").decode()
            kind = self.classes.get(name, self.classes[self._base])
            found = kind.__new__(kind)
            self.adopt(found, handle)
        return found

    def adopt(self, object_: Any, handle: Any) -> None:
        """From now on this object is that of a handle of C's."""
        object.__setattr__(object_, self._slot, handle)
        self._known[handle.value] = object_


optimizers = Objects("Optimizer", "_optimizer", native.ctorch_optimizer_name)
schedulers = Objects("LRScheduler", "_lr_scheduler", native.ctorch_lr_scheduler_name)
from_optimizer, from_lr_scheduler = optimizers.of, schedulers.of
