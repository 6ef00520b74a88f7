"""The elements of tensors from Python numbers, and back."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from . import aten, raw
from .arguments import INT64_MAX, INT64_MIN, PYTHON_TYPES, UINT64_MAX, NotAnArgument, number
from .constants import bool as bool_
from .constants import complex64, complex128, float64, int64, uint64
from .handle import is_tensor
from .plain_data import device as device_
from .plain_data import dtype as dtype_

INTEGERS = {  # the range of each dtype of whole numbers
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
}
READ = {  # dtype of a tensor -> how the module array and ctypes read its elements
    "uint8": "B",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
    "bool": "?",
}


def from_numbers(data: Any, dtype: dtype_ | None) -> Any:
    shape = _shape(data)
    values = [_number(value) for value in _flatten(data, shape, 0)]
    kind = _kind(values)
    if dtype is not None and dtype.name in INTEGERS:
        low, high = INTEGERS[dtype.name]
        if kind is complex:
            raise TypeError("can't convert complex numbers to whole ones")
        values = [int(value) for value in values]
        if values and (min(values) < low or max(values) > high):
            raise RuntimeError(f"value cannot be converted to type {dtype.name} without overflow")
        kind = int
    if kind is complex:
        flat = array("d", [part for value in values for part in (complex(value).real, complex(value).imag)])
        result = raw.tensor_from_data(flat, shape, complex128)
        wide = raw.defaults_dtype() is float64
        return _as(result, dtype or (complex128 if wide else complex64))
    if kind is float:
        result = raw.tensor_from_data(array("d", map(float, values)), shape, float64)
        return _as(result, dtype or raw.defaults_dtype())
    if kind is bool:
        return _as(raw.tensor_from_data(bytes(values), shape, bool_), dtype or bool_)
    if values and not (INT64_MIN <= min(values) and max(values) <= INT64_MAX):
        if min(values) < 0 or max(values) > UINT64_MAX or dtype is not uint64:
            raise OverflowError("Python integer out of range for int64")
        return raw.tensor_from_data(array("Q", values), shape, uint64)
    return _as(raw.tensor_from_data(array("q", values), shape, int64), dtype or int64)


def _as(result: Any, dtype: Any) -> Any:
    return raw.tensor_to(result, dtype, None, False, False, None)


def _kind(values: list[Any]) -> type:
    """The widest kind of number among them; floats if there are none."""
    kinds = {type(value) for value in values} or {float}
    return next(kind for kind in (complex, float, int, bool) if kind in kinds)


def _number(value: Any) -> Any:
    if type(value) in PYTHON_TYPES:
        return value
    try:
        return number(value)
    except NotAnArgument:
        raise TypeError(f"tensor(): a {type(value).__name__} is not a number") from None


def _is_list(data: Any) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str | bytes) or (is_tensor(data) and data.ndim > 0)


def _shape(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while _is_list(data):
        if len(shape) == 64:
            raise ValueError("tensor(): more than 64 dimensions")
        shape.append(len(data))
        if len(data) == 0:
            break
        data = data[0]
    return tuple(shape)


def _flatten(data: Any, shape: tuple[int, ...], depth: int) -> Iterator[Any]:
    if depth == len(shape):
        if _is_list(data):
            raise TypeError(f"expected a number at dim {depth}, but got a sequence")
        yield data
        return
    if not _is_list(data):
        raise TypeError(f"expected a sequence at dim {depth}, but got {type(data).__name__}")
    if len(data) != shape[depth]:
        raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})")
    for entry in data:
        yield from _flatten(entry, shape, depth + 1)


# Back to Python


def to_list(value: Any) -> Any:
    if value.layout.name != "strided":
        raise TypeError(f"can't convert a tensor of layout {value.layout.name} to a list; to_dense() makes it strided")
    plain = raw.tensor_to(value.detach(), None, device_("cpu"), False, False, None)
    elements = _elements(plain)
    for size in reversed(plain.shape[1:]):
        elements = [elements[i : i + size] for i in range(0, len(elements), size)] if size else _empty(plain.shape)
        if not size:
            return elements
    return elements if plain.ndim else elements[0]


def _empty(shape: tuple[int, ...]) -> Any:
    """Nested lists of a shape without elements."""
    return [] if not shape or shape[0] == 0 else [_empty(shape[1:]) for _ in range(shape[0])]


def _elements(plain: Any) -> list[Any]:
    """The numbers in row-major order."""
    dtype = plain.dtype
    if dtype.is_complex:
        pairs = _elements(aten.view_as_real(aten.resolve_conj(_as(plain, complex128))).flatten())
        return [complex(*pairs[i : i + 2]) for i in range(0, len(pairs), 2)]
    if plain.is_quantized:
        return _elements(aten.dequantize.self(plain))
    if dtype.name not in READ:  # half and smaller floats: exact in a double
        dtype, plain = float64, _as(plain, float64)
    memory = bytearray(plain.numel() * plain.itemsize)
    raw.tensor_copy_to_buffer(plain, memory if memory else None, dtype)
    return memoryview(memory).cast("B").cast(READ[dtype.name]).tolist() if memory else []
