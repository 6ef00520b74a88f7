"""Which object stands for which module of C's: there is one for each, as long as somebody needs it."""

from __future__ import annotations

import threading
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from .library import native

classes: dict[str, Any] = {}  # by name: Module (modules.py) and those of torch.nn (layers.py)
lazy: WeakSet[Any] = WeakSet()  # objects of classes that become others when they are first called
_known: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by the address in C


class _Copies(threading.local):
    """Objects made for copies, until whoever holds them is made too."""

    def __init__(self) -> None:
        self.made: list[Any] = []


copies = _Copies()


def from_module(handle: Any) -> Any:
    """The object for a module that C gave, which holds whatever was made for copies meanwhile."""
    found = object_of(handle) if handle else None
    if copies.made and found is not None:
        alive, copies.made = copies.made, []
        hold_all(found, set())
        alive.clear()
    return found


def object_of(handle: Any) -> Any:
    """The object for a module of C's: the one that it has, or a new one of its class."""
    found = _known.get(handle.value)
    if found is None or found.closed:
        name = (native.ctorch_module_type_before_parametrizations(handle) or b"").decode()
        kind = classes.get(name, classes["Module"])
        found = kind.__new__(kind)
        adopt(found, handle)
    elif found in lazy:
        become(found)
    return found


def become(self: Any) -> None:
    """Let an object be of the class that its module in C has become."""
    name = (native.ctorch_module_name(self._module) or b"").decode()
    if not name.startswith("Lazy"):
        lazy.discard(self)
        self.__class__ = classes[name]


def become_all() -> None:
    """The same for all objects whose modules have been called since."""
    for one in list(lazy):
        if not one.closed:
            become(one)


def adopt(self: Any, handle: Any) -> None:
    """From now on this object is that of a module of C's."""
    object.__setattr__(self, "_held", {})
    object.__setattr__(self, "_module", handle)
    _known[handle.value] = self
    if self._is_lazy:
        lazy.add(self)


def hold_all(self: Any, seen: set[int]) -> None:
    """Keep the objects of all modules inside, where some were made for a copy and nobody else has them."""
    seen.add(id(self))
    for name, child in self.named_children():
        self._held[name] = child
        if id(child) not in seen:
            hold_all(child, seen)
