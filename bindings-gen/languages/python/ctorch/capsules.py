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

# A capsule keeps the pointer to its name: these live as long as the process.
NAMES = {name: name.encode() for name in ("dltensor_versioned", "dltensor")}
USED = {name: f"used_{name}".encode() for name in NAMES}


# In C, since an exception may be waiting when a capsule ends, that of a consumer which refused it: no state for Python
# code to run in.
_destructor = ctypes.cast(native.ctorch_dlpack_capsule_destroy, c_void_p)


def capsule(tensor: Any, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
    """What `Tensor.__dlpack__` gives: a capsule for one consumer."""
    address, name = raw.tensor_dlpack(tensor, stream, max_version, dl_device, copy)
    return new(address, NAMES[name], _destructor)
