"""Tensors from Python values, and back; conversions between dtypes and devices."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from ctypes import c_char
from typing import Any

from . import aten, raw
from .arguments import INT64_MAX, INT64_MIN, PYTHON_TYPES, UINT64_MAX, NotAnArgument, constant, number
from .constants import bool as bool_
from .constants import complex64, complex128, float64, int64, uint64
from .plain_data import device as device_
from .plain_data import dtype as dtype_
from .tensor import Tensor

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


def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Make a tensor of a number, of nested lists of numbers, or of a copy of another array.

    Without a dtype it is what torch.tensor chooses: int64, the default dtype, bool or complex; that of an array.
    """
    dtype = None if dtype is None else _dtype(dtype)
    if isinstance(data, Tensor):
        result = raw.tensor_to(data.detach(), dtype, None, False, True, None)
    elif hasattr(data, "__dlpack__") or hasattr(data, "__array_interface__"):
        from .buffer import from_array

        result = raw.tensor_to(from_array(data), dtype, None, False, True, None)
    else:
        result = _from_numbers(data, dtype)
    if device is not None:
        result = to(result, device)
    if requires_grad:
        result.requires_grad_()
    return result


def _dtype(value: Any) -> dtype_:
    try:
        return constant(value, dtype_)
    except NotAnArgument:
        raise TypeError(f"tensor(): argument 'dtype' must be dtype, not {type(value).__name__}") from None


def _from_numbers(data: Any, dtype: dtype_ | None) -> Tensor:
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


def _as(result: Tensor, dtype: Any) -> Tensor:
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
    return (
        isinstance(data, Sequence) and not isinstance(data, str | bytes) or (isinstance(data, Tensor) and data.ndim > 0)
    )


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


def to_list(value: Tensor) -> Any:
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


def _elements(plain: Tensor) -> list[Any]:
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


def to(
    self: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """`x.to(dtype)`, `x.to(device)`, `x.to(device, dtype)`, `x.to(other)`; then `non_blocking` and `copy`."""
    rest = list(args)
    if rest and isinstance(rest[0], Tensor):
        other = rest.pop(0)
        non_blocking, copy = _flags(rest, non_blocking, copy)
        return raw.tensor_to_other(self, other, non_blocking, copy, memory_format)
    if rest and isinstance(rest[0], str | device_):
        device = device_(rest.pop(0))
    if rest and (isinstance(rest[0], dtype_) or rest[0] in PYTHON_TYPES):
        dtype = rest.pop(0)
    non_blocking, copy = _flags(rest, non_blocking, copy)
    return raw.tensor_to(self, dtype, device, non_blocking, copy, memory_format)


def _flags(rest: list[Any], non_blocking: bool, copy: bool) -> tuple[bool, bool]:
    if len(rest) > 2 or not all(isinstance(flag, bool) for flag in rest):
        raise TypeError(f"to() received an invalid combination of arguments: {rest[0]!r} is no dtype, device or Tensor")
    return (*rest, *(non_blocking, copy)[len(rest) :])  # type: ignore[return-value]


def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A tensor of one dimension that shares the memory of a buffer which can be written to."""
    view = memoryview(buffer)
    if view.readonly:
        raise ValueError("frombuffer(): the buffer cannot be written to; ctorch.tensor() makes a copy")
    memory = (c_char * view.nbytes).from_buffer(view)
    itemsize = _dtype(dtype).itemsize
    if offset < 0 or (offset >= view.nbytes and view.nbytes):
        raise ValueError(f"frombuffer(): offset {offset} is not within the {view.nbytes} bytes of the buffer")
    room = view.nbytes - offset
    if count < 0 and room % itemsize:
        raise ValueError(f"frombuffer(): {room} bytes are no multiple of the {itemsize} of an element")
    if count >= 0 and count * itemsize > room:
        raise ValueError(f"frombuffer(): {count} elements of {itemsize} bytes are more than the {room} bytes there are")
    from .buffer import address_of

    result = raw.tensor_from_buffer(
        address_of(memory) + offset, (room // itemsize if count < 0 else count,), None, _dtype(dtype), memory
    )
    return result.requires_grad_() if requires_grad else result
