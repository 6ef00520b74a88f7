"""The memory of a tensor for other code in this process (construction.py: theirs for tensors).

NumPy and everything else that reads `__array_interface__` shares the memory of a CPU tensor on any version of Python.
Python's own buffer protocol can be implemented in Python from 3.12 on (PEP 688: `__buffer__`), so `memoryview(x)` works
there; `x.memoryview()` gives the same on every version.
"""

from __future__ import annotations

from ctypes import c_char
from typing import Any

from . import aten
from .elements import READ

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


def _readable(tensor: Any) -> None:
    if tensor.requires_grad:
        raise RuntimeError("can't share the memory of a tensor that requires grad; use x.detach()")
    if tensor.layout.name != "strided" or not tensor.is_cpu:
        raise TypeError(f"can't share the memory of a {tensor.layout.name} tensor on {tensor.device}; use x.to('cpu')")
    if aten.is_conj(tensor) or aten.is_neg(tensor):
        raise RuntimeError("can't share the memory of a lazy conjugate or negative; use x.resolve_conj().resolve_neg()")
    if tensor.dtype.name not in TYPES:
        raise TypeError(f"no other library knows {tensor.dtype} by this protocol; x.__dlpack__() may do")


def array_interface(tensor: Any) -> dict[str, Any]:
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


def view(tensor: Any) -> memoryview:
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
