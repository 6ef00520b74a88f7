"""DLPack: tensors of other libraries without a copy, and ours for them (https://dmlc.github.io/dlpack)."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p, py_object
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
# DLPackExchangeAPI). The functions are ctorch's own, and call these methods; what is raised here reaches the caller.


class _Exchange:
    @staticmethod
    def from_object(source: Any) -> int:
        return raw.tensor_to_dlpack(source.detach() if source.requires_grad else source, None, None, None, False)

    @staticmethod
    def to_object(managed: int) -> Tensor:
        return _writable(*raw.tensor_from_dlpack(managed), None)

    @staticmethod
    def describe(source: Any, out: int) -> None:
        raw.tensor_to_dltensor(out, source, False)


def _exchange_api() -> Any:
    with_gil = ctypes.PYFUNCTYPE(c_void_p, py_object)(("ctorch_dlpack_python_exchange_api", native))
    return new(with_gil(_Exchange), b"dlpack_exchange_api", None)


Tensor.__dlpack_c_exchange_api__ = _exchange_api()  # type: ignore[attr-defined]
