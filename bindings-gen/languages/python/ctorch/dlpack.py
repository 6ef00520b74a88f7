"""DLPack: tensors of other libraries without a copy, and ours for them (https://dmlc.github.io/dlpack)."""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_int, c_void_p, py_object, pythonapi
from typing import Any

from . import aten, raw
from .capsules import NAMES, USED, is_valid, new, pointer, set_name
from .constants import DlpackFlag
from .library import native
from .tensor import Tensor

VERSION = (1, 3)  # the newest that is understood


def from_dlpack(source: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor that shares the memory of an array of another library: one with `__dlpack__`, or a capsule of it.

    There are no tensors that cannot be written to. Of an array that says so of itself (NumPy's with `writeable=False`,
    JAX's) this makes a copy; `copy=False` shares it all the same, for a program that only reads.
    """
    capsule = _capsule(source, device, copy)
    for name in NAMES:
        if is_valid(capsule, NAMES[name]):
            managed = pointer(capsule, NAMES[name])
            set_name(capsule, USED[name])  # it is taken over from here on, also if that fails
            if name == "dltensor":
                return raw.tensor_from_dlpack_unversioned(managed)
            return _writable(*raw.tensor_from_dlpack(managed), copy)
    raise TypeError("from_dlpack(): not a DLPack capsule, or one that was used already")


def _writable(tensor: Tensor, flags: int, copy: bool | None) -> Tensor:
    """The imported tensor; a copy if its memory must not be written to, unless the caller wants none."""
    if copy is not False and flags & DlpackFlag.READ_ONLY:
        return raw.tensor_to(tensor, None, None, False, True, None)
    return tensor


def _capsule(source: Any, device: Any, copy: bool | None) -> Any:
    if type(source).__name__ == "PyCapsule":
        return source
    if not hasattr(source, "__dlpack__"):
        raise TypeError(
            f"from_dlpack(): argument 'source' (position 1) must have __dlpack__, not {type(source).__name__}"
        )
    request: dict[str, Any] = {"max_version": VERSION}
    if copy is not None:
        request["copy"] = copy
    if device is not None:
        request["dl_device"] = _dl_device(device)
    kind, index = source.__dlpack_device__()
    if kind in (2, 10):  # CUDA and ROCm: the producer makes this stream wait
        request["stream"] = raw.stream_native_handle(raw.stream_current(f"cuda:{index}")) or (1 if kind == 2 else 0)
    try:
        return source.__dlpack__(**request)
    except TypeError:  # a producer of before DLPack 1.0 knows neither
        if copy is not None or device is not None:
            raise
        request.pop("max_version")
        return source.__dlpack__(**request)


def _dl_device(device: Any) -> tuple[int, int]:
    return raw.tensor_dlpack_device(aten.empty.memory_format([0], device=device))


# The C exchange API: a table of C functions on the type, which libraries call instead of `__dlpack__` (dlpack.h, struct
# DLPackExchangeAPI). What needs no Python object is ctorch's own. A function that fails answers -1; ctypes cannot leave
# Python's exception set behind it, so the caller reports a SystemError, and the exception is printed here.


class _ExchangeAPI(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", c_void_p),
        ("managed_tensor_allocator", c_void_p),
        ("managed_tensor_from_py_object_no_sync", c_void_p),
        ("managed_tensor_to_py_object_no_sync", c_void_p),
        ("dltensor_from_py_object_no_sync", c_void_p),
        ("current_work_stream", c_void_p),
    )


def _export(source: int, out: int) -> int:
    managed = raw.tensor_to_dlpack(_object(source), None, None, None, False)
    c_void_p.from_address(out).value = managed
    return 0


def _import(managed: int, out: int) -> int:
    tensor = _writable(*raw.tensor_from_dlpack(managed), None)
    pythonapi.Py_IncRef(py_object(tensor))
    c_void_p.from_address(out).value = id(tensor)
    return 0


def _describe(source: int, out: int) -> int:
    raw.tensor_to_dltensor(_object(source), out, False)
    return 0


def _object(address: int) -> Any:
    return ctypes.cast(address, py_object).value


def _answering(function: Any) -> Any:
    def call(source: int, out: int) -> int:
        try:
            return function(source, out)
        except BaseException as exception:
            import traceback  # which loads much, for what hardly ever happens

            print(f"ctorch: DLPack exchange failed in {function.__name__}:", file=sys.stderr)
            traceback.print_exception(exception)
            return -1

    return ctypes.PYFUNCTYPE(c_int, c_void_p, c_void_p)(call)


_FUNCTIONS = tuple(_answering(function) for function in (_export, _import, _describe))


def _exchange_api() -> Any:
    own = ctypes.cast(native.ctorch_dlpack_exchange_api(), ctypes.POINTER(_ExchangeAPI)).contents
    table = _ExchangeAPI.from_buffer_copy(own)
    table.previous = None
    for name, function in zip(("from_py_object", "to_py_object"), _FUNCTIONS):
        setattr(table, f"managed_tensor_{name}_no_sync", ctypes.cast(function, c_void_p))
    table.dltensor_from_py_object_no_sync = ctypes.cast(_FUNCTIONS[2], c_void_p)
    return table


_TABLE, _TABLE_NAME = _exchange_api(), b"dlpack_exchange_api"
Tensor.__dlpack_c_exchange_api__ = new(ctypes.addressof(_TABLE), _TABLE_NAME, None)  # type: ignore[attr-defined]
