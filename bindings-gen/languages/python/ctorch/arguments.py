"""From Python values to C arguments.

Each `as_…` takes a Python value and gives what ctypes passes: a ctypes number, None for NULL, or for everything behind
a pointer a `bytes` object that holds the C data, which lives as long as the call. Lists give a pointer and a length. A
value of another kind is a NotAnArgument, of which the emitted functions make a TypeError that names the argument
(mismatch.py).
"""

from __future__ import annotations

import operator
import struct
from array import array
from collections.abc import Callable, Sequence
from ctypes import (
    c_char,
    c_char_p,
    c_double,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint64,
    c_void_p,
)
from typing import Any

from .constants import bool as bool_
from .constants import complex128, float64, int64
from .library import native
from .plain_data import Stream, device, dtype, layout, memory_format

SCALAR = struct.Struct("iiqdd")
INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1
PYTHON_TYPES = {bool: bool_, int: int64, float: float64, complex: complex128}
NOTHING = (None, c_size_t(0))


class NotAnArgument(Exception):
    """A value that cannot be converted; the text says why if its type does not."""


NOT_AN_ARGUMENT = (AttributeError, NotAnArgument)


class _Default:
    def __repr__(self) -> str:
        return "DEFAULT"

    def __reduce__(self):
        return "DEFAULT"


DEFAULT = _Default()  # an argument that is left to the default in the schema


# Numbers


def integer(value: Any, low: int, high: int) -> int:
    if type(value) is not int:
        try:
            value = operator.index(value)
        except (TypeError, ValueError, RuntimeError):
            raise NotAnArgument from None
    if low <= value <= high:
        return value
    raise NotAnArgument(f"must be from {low} to {high}, not {value}")


def as_int64(value: Any) -> c_int64:
    if type(value) is int and INT64_MIN <= value <= INT64_MAX:
        return c_int64(value)
    return c_int64(integer(value, INT64_MIN, INT64_MAX))


def as_uint64(value: Any) -> c_uint64:
    return c_uint64(integer(value, 0, UINT64_MAX))


def as_size(value: Any) -> c_size_t:
    return c_size_t(integer(value, 0, UINT64_MAX))


def as_int32(value: Any) -> int:
    return integer(value, -(2**31), 2**31 - 1)


def as_uint8(value: Any) -> c_uint8:
    return c_uint8(integer(value, 0, 2**8 - 1))


def as_uint16(value: Any) -> c_uint16:
    return c_uint16(integer(value, 0, 2**16 - 1))


def as_double(value: Any) -> c_double:
    return c_double(value) if type(value) is float else c_double(real(value))


def real(value: Any) -> float:
    """A Python number, a number of NumPy's, or a tensor of one element; no text."""
    try:
        return float(value) if hasattr(value, "__float__") else float(operator.index(value))
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise NotAnArgument from None


def as_bool(value: Any) -> bool:
    if value is True or value is False:
        return value
    if type(value).__name__ in ("bool", "bool_") and type(value).__module__ == "numpy":
        return bool(value)
    raise NotAnArgument


def as_scalar(value: Any) -> bytes:
    kind = type(value)
    if kind is float:
        return SCALAR.pack(1, 0, 0, value, 0.0)
    if kind is int:
        if INT64_MIN <= value <= INT64_MAX:
            return SCALAR.pack(0, 0, value, 0.0, 0.0)
        if INT64_MAX < value <= UINT64_MAX:
            return SCALAR.pack(4, 0, value - 2**64, 0.0, 0.0)
        raise NotAnArgument(f"must fit in 64 bits, not {value}")
    if kind is bool:
        return SCALAR.pack(2, 0, value, 0.0, 0.0)
    if kind is complex:
        return SCALAR.pack(3, 0, 0, value.real, value.imag)
    return as_scalar(number(value))


def number(value: Any) -> bool | int | float | complex:
    """The Python number that a value stands for: a number of NumPy's or of another library, a tensor of one element."""
    if hasattr(value, "_tensor"):
        if value.ndim:
            raise NotAnArgument
        return value.item()
    if isinstance(value, int | float | complex):  # a class of the user's that is derived from them
        for kind in (int, float, complex):
            if isinstance(value, kind):
                return kind(value)
    for name, convert in (("__index__", operator.index), ("__float__", float), ("__complex__", complex)):
        if hasattr(value, name) and not hasattr(value, "__len__"):
            try:
                return convert(value)
            except (TypeError, ValueError, OverflowError):
                continue
    try:
        return as_bool(value)
    except NotAnArgument:
        raise NotAnArgument from None


# Behind a pointer: a number that may be left out


def as_int64_pointer(value: Any) -> bytes:
    return struct.pack("q", integer(value, INT64_MIN, INT64_MAX))


def as_int32_pointer(value: Any) -> bytes:
    return struct.pack("i", as_int32(value))


def as_double_pointer(value: Any) -> bytes:
    return struct.pack("d", real(value))


def as_bool_pointer(value: Any) -> bytes:
    return b"\1" if as_bool(value) else b"\0"


# Lists


def sequence(values: Any) -> Sequence[Any]:
    if type(values) is list or type(values) is tuple:
        return values
    if isinstance(values, Sequence) and not isinstance(values, str | bytes | bytearray | memoryview):
        return values
    raise NotAnArgument


def numbers(values: Any, typecode: str, count: int | None) -> tuple[bytes, c_size_t]:
    """An array of numbers. Where the schema says how many they are, one stands for all of them."""
    if type(values) is not list and type(values) is not tuple:
        values = sequence(values) if count is None or isinstance(values, Sequence) else (values,) * count
    try:
        data = array(typecode, values)
    except OverflowError as error:
        raise NotAnArgument(f"must hold numbers that fit in 64 bits: {error}") from None
    except (TypeError, ValueError, RuntimeError):
        raise NotAnArgument from None
    return data.tobytes(), c_size_t(len(data))


def as_int64_list(values: Any, count: int | None = None) -> tuple[bytes, c_size_t]:
    return numbers(values, "q", count)


def as_uint64_list(values: Any) -> tuple[bytes, c_size_t]:
    return numbers(values, "Q", None)


def as_int32_list(values: Any) -> tuple[bytes, c_size_t]:
    return numbers(values, "i", None)


def as_double_list(values: Any, count: int | None = None) -> tuple[bytes, c_size_t]:
    return numbers(values, "d", count)


def as_bool_list(values: Any, count: int | None = None) -> tuple[bytes, c_size_t]:
    data = bytes(map(as_bool, sequence(values)))
    return data, c_size_t(len(data))


def as_scalar_list(values: Any, count: int | None = None) -> tuple[bytes, c_size_t]:
    return joined([as_scalar(value) for value in sequence(values)])


def as_device_list(values: Any) -> tuple[bytes, c_size_t]:
    return joined([as_device(value) for value in sequence(values)])


def joined(entries: list[bytes]) -> tuple[bytes, c_size_t]:
    return b"".join(entries), c_size_t(len(entries))


class Pointers(bytes):
    """An array of addresses, which keeps alive what they point to."""

    handles: list[c_void_p | None]


def pointers(handles: list[c_void_p | None]) -> tuple[Pointers, c_size_t]:
    data = Pointers(array("Q", [0 if handle is None else handle.value or 0 for handle in handles]))
    data.handles = handles
    return data, c_size_t(len(handles))


def as_tensors(values: Any) -> tuple[Pointers, c_size_t]:
    handles = [value._tensor for value in sequence(values)]
    data = Pointers(array("Q", [handle.value for handle in handles]))
    data.handles = handles
    return data, c_size_t(len(handles))


def as_optional_tensors(values: Any) -> tuple[Pointers, c_size_t]:
    return pointers([None if value is None else value._tensor for value in sequence(values)])


def as_handles(values: Any, slot: str) -> tuple[Pointers, c_size_t]:
    return pointers([None if value is None else getattr(value, slot) for value in sequence(values)])


# Text and memory


def as_text(value: Any) -> bytes:
    if not isinstance(value, str):
        raise NotAnArgument
    if "\0" in value:
        raise NotAnArgument("must not contain a NUL character")
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise NotAnArgument(f"must be text that UTF-8 can encode: {error}") from None


def as_texts(values: Any) -> tuple[Any, c_size_t]:
    texts = [as_text(value) for value in sequence(values)]
    return (c_char_p * max(len(texts), 1))(*texts), c_size_t(len(texts))


def as_bytes(data: Any) -> tuple[bytes, c_size_t]:
    """Memory that is read during the call."""
    try:
        data = data if type(data) is bytes else memoryview(data).tobytes()
    except TypeError:
        raise NotAnArgument from None
    return data, c_size_t(len(data))


def as_buffer(data: Any) -> tuple[Any, c_size_t]:
    """Memory that is written to: a bytearray, a NumPy array, a ctypes array."""
    if data is None:
        return NOTHING
    try:
        view = memoryview(data)
        return (c_char * view.nbytes).from_buffer(view), c_size_t(view.nbytes)
    except (TypeError, ValueError, BufferError):
        raise NotAnArgument("must be a contiguous buffer that can be written to") from None


def as_address(value: Any) -> c_void_p | None:
    if isinstance(value, c_void_p):
        return value
    return c_void_p(integer(value, 0, UINT64_MAX))


# Plain data


def as_dtype(value: Any) -> int:
    return constant(value, dtype).number


def as_dtype_pointer(value: Any) -> bytes:
    return constant(value, dtype).packed


def constant(value: Any, kind: Any) -> Any:
    if type(value) is kind:
        return value
    if kind is dtype and isinstance(value, type) and value in PYTHON_TYPES:
        return PYTHON_TYPES[value]
    raise NotAnArgument


def as_layout(value: Any) -> int:
    return constant(value, layout).number


def as_layout_pointer(value: Any) -> bytes:
    return constant(value, layout).packed


def as_memory_format(value: Any) -> int:
    return constant(value, memory_format).number


def as_memory_format_pointer(value: Any) -> bytes:
    return constant(value, memory_format).packed


def as_device(value: Any) -> bytes:
    if type(value) is device:
        return value.packed
    if isinstance(value, str):
        try:
            return device(value).packed
        except ValueError as error:
            raise NotAnArgument(f"must be a device: {error}") from None
    raise NotAnArgument


def as_stream(value: Any) -> bytes:
    if type(value) is Stream:
        return value.packed
    raise NotAnArgument


# Objects


# What stands for an object of the user's where C takes one of its own, by the type in the schema.
OBJECTS: dict[str, Callable[[Any], Any]] = {}


def as_object(self: Any, kind: type) -> Any:
    if not isinstance(self, kind):
        raise TypeError(f"argument 'self' (position 1) must be {kind.__name__}, not {type(self).__name__}")
    return self


def as_another(self: Any) -> Any:
    """A second object for the same thing, with a reference of its own."""
    slot = self._slot
    try:
        handle = getattr(self, slot)
    except AttributeError:
        raise ValueError(f"the {type(self).__name__} was closed") from None
    getattr(native, f"ctorch{slot}_retain")(handle)
    return type(self)(type(handle)(handle.value))
