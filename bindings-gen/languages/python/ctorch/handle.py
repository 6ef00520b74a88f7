"""Handles, and the Python objects that own them.

A handle is a ctypes pointer that gives its reference back when nothing in Python needs it any more. An object holds it
in an attribute of the class's own, such as `_tensor`: the emitted functions read that attribute, so that having it is
the check of the argument's type, and so that an object that is closed, which has it no more, is found out. A call that
is under way holds the handle itself: an object that another thread closes meanwhile lives until the call returns.
"""

from __future__ import annotations

from ctypes import PYFUNCTYPE, c_void_p, py_object, pythonapi

from .library import native

# Makes a method of a callable of C, as `def` does of Python code.
_method = PYFUNCTYPE(py_object, py_object)(("PyInstanceMethod_New", pythonapi))


def handle_type(name: str, release: str) -> type[c_void_p]:
    """The class of handles of a C type. Its finalizer is the C function itself: Ctrl-C could end Python code before it
    releases the handle, and would be lost there."""
    give_back = _method(getattr(native, release))
    return type(name, (c_void_p,), {"__slots__": (), "__del__": give_back, "__doc__": f"A {name} * with a reference."})


class Resource:
    """An object of the C API. `close()`, the end of a `with` block or the garbage collector give it back."""

    __slots__ = ("__weakref__",)
    _slot: str

    def __init__(self, handle: c_void_p) -> None:
        setattr(self, self._slot, handle)

    def close(self) -> None:
        """Give the object back now. Closing twice is harmless; any other use of a closed object is a ValueError."""
        try:
            delattr(self, self._slot)
        except AttributeError:
            pass

    @property
    def closed(self) -> bool:
        return not hasattr(self, self._slot)

    def __enter__(self):
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object: it lives in this process alone")

    def __repr__(self) -> str:
        handle = getattr(self, self._slot, None)
        state = "closed" if handle is None else f"at {handle.value or 0:#x}"
        return f"<ctorch.raw.{type(self).__name__} {state}>"


def is_tensor(value: object) -> bool:
    """Whether it is a Tensor, also if it was closed: for what Tensor itself is made of."""
    return hasattr(type(value), "_tensor")
