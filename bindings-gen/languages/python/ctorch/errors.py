"""What a failed call raises.

Every class is derived from `Error` and from the exception that Python's PyTorch raises in that case, so that code
written for either works: `except ctorch.Error`, `except IndexError`. The classes have the names of the C API's codes;
those whose names Python has itself are found in this module, `ctorch.errors.IndexError`. Arguments that do
not fit are found before C is called, by an `ArgumentError`: a TypeError that names the function and the argument.
"""

from __future__ import annotations

import builtins
from ctypes import POINTER, byref, c_int64, c_size_t, c_uint64
from typing import Any, ClassVar

from .constants import ErrorKind
from .library import native
from .mismatch import ArgumentError as ArgumentError
from .objects import ErrorObjectHandle
from .payloads import raised, signal_of
from .results import CellDevice, c_int32, from_device, from_dtype, from_list


class Error(Exception):
    """A failed call.

    `code` is what to branch on, `message` what to show, `function` the C function that failed.
    """

    code: ErrorKind
    message: str
    function: str
    _kind: ClassVar[ErrorKind] = ErrorKind.UNKNOWN

    def __init__(self, message: str = "", *, function: str = "", handle: Any = None, **details: Any) -> None:
        super().__init__(message)
        self.code, self.message, self.function = self._kind, message, function
        self._handle = handle
        for name, value in details.items():
            setattr(self, name, value)

    def __str__(self) -> str:
        return self.message

    @property
    def code_name(self) -> str:
        """The name of the code: "SHAPE_MISMATCH"."""
        return self.code.name

    @property
    def backtrace(self) -> str:
        """Where in LibTorch the error was thrown, a frame per line. Made when first asked for: milliseconds."""
        return native.ctorch_error_backtrace(self._handle).decode(errors="replace") if self._handle else ""

    def __reduce__(self):
        details = {name: value for name, value in vars(self).items() if name not in ("_handle", "code", "message")}
        return _unpickled, (type(self), self.message, details)


def _unpickled(kind: type[Error], message: str, details: dict[str, Any]) -> Error:
    error = kind(message)
    vars(error).update(details)
    return error


CLASSES: dict[int, type[Error]] = {}


def _class(name: str, kind: ErrorKind, *bases: type[BaseException]) -> Any:
    """The exception for a code. Its class has a place for what the error tells beyond its text."""
    parents = bases if issubclass(bases[0], Error) else (Error, *bases)
    result = type(name, parents, {"_kind": kind, "__module__": __name__, "__doc__": f"An error {kind.name}."})
    CLASSES[kind] = result
    return result


RuntimeError = _class("RuntimeError", ErrorKind.RUNTIME, builtins.RuntimeError)
IndexError = _class("IndexError", ErrorKind.INDEX, builtins.IndexError)
ValueError = _class("ValueError", ErrorKind.VALUE, builtins.ValueError)
TypeError = _class("TypeError", ErrorKind.TYPE, builtins.TypeError)
NotImplementedError = _class("NotImplementedError", ErrorKind.NOT_IMPLEMENTED, builtins.NotImplementedError)
LinAlgError = _class("LinAlgError", ErrorKind.LINALG, builtins.RuntimeError)
SyntaxError = _class("SyntaxError", ErrorKind.SYNTAX, builtins.SyntaxError)
BufferError = _class("BufferError", ErrorKind.BUFFER, builtins.BufferError)
AcceleratorError = _class("AcceleratorError", ErrorKind.ACCELERATOR, builtins.RuntimeError)
DistError = _class("DistError", ErrorKind.DIST, builtins.RuntimeError)
DistBackendError = _class("DistBackendError", ErrorKind.DIST_BACKEND, DistError)
DistStoreError = _class("DistStoreError", ErrorKind.DIST_STORE, DistError)
DistNetworkError = _class("DistNetworkError", ErrorKind.DIST_NETWORK, DistError)
DistQueueEmptyError = _class("DistQueueEmptyError", ErrorKind.DIST_QUEUE_EMPTY, DistStoreError)
NullArgumentError = _class("NullArgumentError", ErrorKind.NULL_ARGUMENT, builtins.TypeError)
InvalidArgumentError = _class("InvalidArgumentError", ErrorKind.INVALID_ARGUMENT, builtins.ValueError)
UnsupportedError = _class("UnsupportedError", ErrorKind.UNSUPPORTED, builtins.NotImplementedError)
InvalidHandleError = _class("InvalidHandleError", ErrorKind.INVALID_HANDLE, builtins.ValueError)
IOError = _class("IOError", ErrorKind.IO, builtins.OSError)
FormatError = _class("FormatError", ErrorKind.FORMAT, builtins.ValueError)
CallbackError = _class("CallbackError", ErrorKind.CALLBACK, builtins.RuntimeError)
PythonError = _class("PythonError", ErrorKind.PYTHON, builtins.RuntimeError)
StdError = _class("StdError", ErrorKind.STD, builtins.RuntimeError)
InternalError = _class("InternalError", ErrorKind.INTERNAL, builtins.RuntimeError)
UnknownError = _class("UnknownError", ErrorKind.UNKNOWN, builtins.RuntimeError)


class OutOfMemoryError(Error, builtins.RuntimeError, builtins.MemoryError):
    """An error OUT_OF_MEMORY: `requested_bytes` and `available_bytes`, None where LibTorch does not tell them."""

    _kind = ErrorKind.OUT_OF_MEMORY
    requested_bytes: int | None = None
    available_bytes: int | None = None


class ShapeMismatchError(Error, builtins.RuntimeError):
    """An error SHAPE_MISMATCH: the shapes `expected` and `got`, None where the message does not tell them."""

    _kind = ErrorKind.SHAPE_MISMATCH
    expected: tuple[int, ...] | None = None
    got: tuple[int, ...] | None = None


class DeviceMismatchError(Error, builtins.RuntimeError):
    """An error DEVICE_MISMATCH: the devices `expected` and `got`, None where the message does not tell them."""

    _kind = ErrorKind.DEVICE_MISMATCH
    expected: Any = None
    got: Any = None


class DtypeMismatchError(Error, builtins.RuntimeError):
    """An error DTYPE_MISMATCH: the dtypes `expected` and `got`, None where the message does not tell them."""

    _kind = ErrorKind.DTYPE_MISMATCH
    expected: Any = None
    got: Any = None


for _refined in (OutOfMemoryError, ShapeMismatchError, DeviceMismatchError, DtypeMismatchError):
    CLASSES[_refined._kind] = _refined


def failure(address: int) -> BaseException:
    """The exception for an error that a call has returned: the callback's own, if it comes from one."""
    handle = ErrorObjectHandle(address)
    exception = raised(handle)
    if exception is not None:
        return exception
    kind = CLASSES.get(native.ctorch_error_kind_of(handle), UnknownError)
    exception = signal_of() if kind is CallbackError else None
    if exception is not None:
        return exception
    message = native.ctorch_error_message(handle).decode(errors="replace")
    function = native.ctorch_error_function(handle).decode()
    return kind(message, function=function, handle=handle, **_details(kind, handle))


def _details(kind: type[Error], handle: ErrorObjectHandle) -> dict[str, Any]:
    if kind is ShapeMismatchError:
        return {side: _shape(getattr(native, f"ctorch_error_{side}_shape"), handle) for side in ("expected", "got")}
    if kind is DeviceMismatchError:
        return {side: _device(getattr(native, f"ctorch_error_{side}_device"), handle) for side in ("expected", "got")}
    if kind is DtypeMismatchError:
        return {side: _dtype(getattr(native, f"ctorch_error_{side}_dtype"), handle) for side in ("expected", "got")}
    if kind is OutOfMemoryError:
        names = ("requested_bytes", "available_bytes")
        return {name: _bytes(getattr(native, f"ctorch_error_{name}"), handle) for name in names}
    return {}


def _shape(function: Any, handle: ErrorObjectHandle) -> tuple[int, ...] | None:
    dims, length = POINTER(c_int64)(), c_size_t()
    return from_list(dims, length.value) if function(handle, byref(dims), byref(length)) else None


def _device(function: Any, handle: ErrorObjectHandle) -> Any:
    cell = CellDevice()
    return from_device(cell) if function(handle, byref(cell)) else None


def _dtype(function: Any, handle: ErrorObjectHandle) -> Any:
    cell = c_int32()
    return from_dtype(cell.value) if function(handle, byref(cell)) else None


def _bytes(function: Any, handle: ErrorObjectHandle) -> int | None:
    cell = c_uint64()
    return cell.value if function(handle, byref(cell)) else None
