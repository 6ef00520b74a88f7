"""DLPack capsules: what one library hands to another, with PyCapsule of the C API of Python."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int, c_void_p, py_object, pythonapi
from typing import Any

from . import raw
from .library import native

new = pythonapi.PyCapsule_New
new.restype, new.argtypes = py_object, (c_void_p, c_char_p, c_void_p)
pointer = pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = c_void_p, (py_object, c_char_p)
is_valid = pythonapi.PyCapsule_IsValid
is_valid.restype, is_valid.argtypes = c_int, (py_object, c_char_p)
set_name = pythonapi.PyCapsule_SetName
set_name.restype, set_name.argtypes = c_int, (py_object, c_char_p)

RELEASE = {"dltensor_versioned": "ctorch_dlpack_release", "dltensor": "ctorch_dlpack_unversioned_release"}
# A capsule keeps the pointer to its name: these live as long as the process.
NAMES = {name: name.encode() for name in RELEASE}
USED = {name: f"used_{name}".encode() for name in RELEASE}


def _release_unused(address: int) -> None:
    """What a capsule does in the end: give its tensor back if no consumer has renamed it.

    The capsule is being destroyed here: it must not get a reference again, so it stays an address.
    """
    for name, release in RELEASE.items():
        if _raw_is_valid(address, NAMES[name]):
            getattr(native, release)(c_void_p(_raw_pointer(address, NAMES[name])))


_raw_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", pythonapi))
_raw_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", pythonapi))
_DESTRUCTOR = ctypes.PYFUNCTYPE(None, c_void_p)(_release_unused)
_destructor = ctypes.cast(_DESTRUCTOR, c_void_p)


def capsule(tensor: Any, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
    """What `Tensor.__dlpack__` gives: a capsule for one consumer."""
    address, name = raw.tensor_dlpack(tensor, stream, max_version, dl_device, copy)
    return new(address, NAMES[name], _destructor)
