"""Tensors from Python values, from arrays of other libraries, and in the memory of others."""

from __future__ import annotations

from ctypes import addressof, c_char
from typing import Any

from . import raw
from .arguments import NotAnArgument, constant
from .buffer import NAMES, of_interface
from .dlpack import from_dlpack
from .elements import from_numbers
from .plain_data import dtype as dtype_
from .tensor import Tensor


def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Make a tensor of a number, of nested lists of numbers, or of a copy of another array.

    Without a dtype it is what torch.tensor chooses: int64, the default dtype, bool or complex; that of an array.
    """
    dtype = None if dtype is None else _dtype(dtype)
    if isinstance(data, Tensor):
        result = raw.tensor_to(data.detach(), dtype, None, False, True, None)
    elif hasattr(data, "__dlpack__") or hasattr(data, "__array_interface__"):
        result = raw.tensor_to(from_array(data), dtype, None, False, True, None)
    else:
        result = from_numbers(data, dtype)
    if device is not None:
        result = result.to(device)
    if requires_grad:
        result.requires_grad_()
    return result


def _dtype(value: Any) -> dtype_:
    try:
        return constant(value, dtype_)
    except NotAnArgument:
        raise TypeError(f"tensor(): argument 'dtype' must be dtype, not {type(value).__name__}") from None


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
    result = raw.tensor_from_buffer(
        addressof(memory) + offset, (room // itemsize if count < 0 else count,), None, _dtype(dtype), memory
    )
    return result.requires_grad_() if requires_grad else result


def from_array(array: Any) -> Tensor:
    """A tensor that shares the memory of an array: by DLPack, else by NumPy's protocol."""
    interface = getattr(array, "__array_interface__", None)
    if interface is None or interface["typestr"] not in NAMES or not isinstance(interface["data"], tuple):
        return from_dlpack(array)
    return of_interface(array)


def from_numpy(array: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array that can be written to."""
    interface = getattr(array, "__array_interface__", None)
    if interface is None:
        raise TypeError(
            f"from_numpy(): argument 'array' (position 1) must be numpy.ndarray, not {type(array).__name__}"
        )
    if interface["data"][1]:
        raise ValueError("from_numpy(): the array cannot be written to; ctorch.tensor() makes a copy")
    if interface["typestr"] not in NAMES:
        raise TypeError(f"from_numpy(): no dtype for NumPy's {interface['typestr']}")
    return of_interface(array)
