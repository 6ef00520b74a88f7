"""From C results to Python values. A `Cell…` is memory for one result that is a struct."""

from __future__ import annotations

from ctypes import Structure, c_double, c_int32, c_int64, c_void_p, string_at
from typing import Any

from .library import native
from .objects import TensorHandle
from .payloads import kept
from .plain_data import Stream, device, device_of, dtype, layout, memory_format


class CellScalar(Structure):
    _fields_ = (("kind", c_int32), ("reserved", c_int32), ("i", c_int64), ("re", c_double), ("im", c_double))


class CellDevice(Structure):
    _fields_ = (("type", c_int32), ("index", c_int32))


class CellStream(Structure):
    _fields_ = (("id", c_int64), ("device_type", c_int32), ("device_index", c_int32))


def from_scalar(cell: CellScalar) -> bool | int | float | complex:
    kind = cell.kind
    if kind == 0:
        return cell.i
    if kind == 1:
        return cell.re
    if kind == 2:
        return bool(cell.i)
    return complex(cell.re, cell.im) if kind == 3 else cell.i % 2**64


def from_device(cell: CellDevice) -> device:
    return device_of(cell.type, cell.index)


def from_stream(cell: CellStream) -> Stream:
    return Stream(cell.id, cell.device_type, cell.device_index)


def from_dtype(number: int) -> dtype | None:
    return dtype.by_number.get(number)  # type: ignore[return-value]


def from_layout(number: int) -> layout | None:
    return layout.by_number.get(number)  # type: ignore[return-value]


def from_memory_format(number: int) -> memory_format | None:
    return memory_format.by_number.get(number)  # type: ignore[return-value]


def from_text(text: bytes | None) -> str | None:
    return None if text is None else text.decode()


def from_bytes(address: c_void_p, length: Any) -> str:
    """A text that may have zeros in it, and surrogates alone, as Python's pickles write them."""
    data = string_at(address, length.value) if address else b""
    try:
        return data.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return data.decode(errors="surrogateescape")


def from_list(pointer: Any, length: int) -> tuple[Any, ...]:
    return tuple(pointer[:length]) if length else ()


def from_array(pointer: Any, length: int) -> tuple[Any, ...] | None:
    return tuple(pointer[:length]) if pointer else None


def from_tensor_array(address: int | None, length: int) -> list[Any]:
    """The tensors in an array that belongs to somebody else, each with a reference of its own."""
    from .tensor import Tensor

    tensors: list[Any] = []
    for entry in (c_void_p * length).from_address(address) if address and length else ():
        if entry is None:
            tensors.append(None)
        else:
            handle = TensorHandle(entry)
            native.ctorch_tensor_retain(handle)
            tensors.append(Tensor(handle))
    return tensors


def from_tensor_list(handle: c_void_p) -> list[Any]:
    return from_tensor_array(native.ctorch_tensor_list_data(handle), native.ctorch_tensor_list_len(handle))


def from_payload(key: int | None) -> Any:
    """The Python object that a payload stands for."""
    return None if key is None else kept(key)
