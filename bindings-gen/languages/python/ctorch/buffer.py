"""The memory of a tensor for other code in this process, and theirs for tensors.

NumPy and everything else that reads `__array_interface__` shares the memory of a CPU tensor on any version of Python.
Python's own buffer protocol can be implemented in Python from 3.12 on (PEP 688: `__buffer__`), so `memoryview(x)` works
there; `x.memoryview()` gives the same on every version.
"""

from __future__ import annotations

from ctypes import addressof, c_char
from typing import Any

from . import aten, raw
from .construction import READ
from .plain_data import dtype
from .tensor import Tensor

TYPES = {  # dtype -> what NumPy calls it
    "uint8": "|u1",
    "int8": "|i1",
    "bool": "|b1",
    **{f"{kind}{8 * size}": f"<{kind[0]}{size}" for kind in ("int", "uint") for size in (2, 4, 8)},
    **{f"float{8 * size}": f"<f{size}" for size in (2, 4, 8)},
    "complex64": "<c8",
    "complex128": "<c16",
}
NAMES = {text: name for name, text in TYPES.items()}


def _readable(tensor: Tensor) -> None:
    if tensor.requires_grad:
        raise RuntimeError("can't share the memory of a tensor that requires grad; use x.detach()")
    if tensor.layout.name != "strided" or not tensor.is_cpu:
        raise TypeError(f"can't share the memory of a {tensor.layout.name} tensor on {tensor.device}; use x.to('cpu')")
    if aten.is_conj(tensor) or aten.is_neg(tensor):
        raise RuntimeError("can't share the memory of a lazy conjugate or negative; use x.resolve_conj().resolve_neg()")
    if tensor.dtype.name not in TYPES:
        raise TypeError(f"no other library knows {tensor.dtype} by this protocol; x.__dlpack__() may do")


def array_interface(tensor: Tensor) -> dict[str, Any]:
    """What NumPy asks for (https://numpy.org/doc/stable/reference/arrays.interface.html)."""
    _readable(tensor)
    itemsize = tensor.itemsize
    return {
        "version": 3,
        "shape": tensor.shape,
        "typestr": TYPES[tensor.dtype.name],
        "data": (tensor.data_ptr(), False),
        "strides": tuple(stride * itemsize for stride in tensor.stride()),
    }


def view(tensor: Tensor) -> memoryview:
    """The elements as a buffer of the tensor's shape; row-major ones alone, as a buffer of ctypes has no strides."""
    _readable(tensor)
    if not tensor.is_contiguous():
        raise BufferError("the buffer of a tensor that is not contiguous; use x.contiguous()")
    code = READ.get(tensor.dtype.name)
    if code is None:
        raise BufferError(f"Python's buffers have no elements like {tensor.dtype}")
    memory_type = type("Memory", (c_char * max(tensor.nbytes, 0),), {})
    memory = memory_type.from_address(tensor.data_ptr()) if tensor.nbytes else memory_type()
    memory.tensor = tensor
    flat = memoryview(memory).cast("B")
    if tensor.ndim == 0 or 0 in tensor.shape:
        return flat.cast(code, ()) if tensor.ndim == 0 else flat.cast(code)
    return flat.cast(code, list(tensor.shape))


def address_of(memory: Any) -> int:
    return addressof(memory)


def from_array(array: Any) -> Tensor:
    """A tensor that shares the memory of an array: by DLPack, else by NumPy's protocol."""
    interface = getattr(array, "__array_interface__", None)
    if interface is None or interface["typestr"] not in NAMES:
        from .dlpack import from_dlpack

        return from_dlpack(array)
    kind: Any = dtype.by_name[NAMES[interface["typestr"]]]
    address, _ = interface["data"]
    shape = interface["shape"]
    strides = interface.get("strides")
    if strides is not None:
        if any(stride < 0 or stride % kind.itemsize for stride in strides):
            raise ValueError("an array with negative strides, or with strides between its elements; make a copy first")
        strides = tuple(stride // kind.itemsize for stride in strides)
    return raw.tensor_from_buffer(address, shape, strides, kind, array)


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
    return from_array(array)
