"""The memory of a tensor for other code in this process, and of NumPy's arrays for tensors.

NumPy and everything else that reads `__array_interface__` shares the memory of a CPU tensor on any version of Python.
Python's own buffer protocol can be implemented in Python from 3.12 on (PEP 688: `__buffer__`), so `memoryview(x)` works
there; `x.memoryview()` gives the same on every version. Whoever has such a view keeps the memory, also when the tensor
is closed. (A tensor that is resized beyond its storage moves it, which no view survives.)
"""

from __future__ import annotations

from ctypes import c_char
from typing import Any

from . import aten, raw
from .elements import READ
from .plain_data import dtype

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
    if tensor.layout.name != "strided":
        raise TypeError(f"can't share the memory of a tensor of layout {tensor.layout.name}; use x.to_dense()")
    if tensor.is_meta:
        raise TypeError("a tensor on the device meta has no elements; use ctorch.zeros_like(x, device='cpu')")
    if not tensor.is_cpu:
        raise TypeError(f"can't share the memory of a tensor on {tensor.device}; use x.to('cpu')")
    if tensor.is_quantized:
        raise TypeError(f"no other library knows {tensor.dtype} by this protocol; use x.int_repr() or x.dequantize()")
    if aten.is_conj(tensor) or aten.is_neg(tensor):
        raise RuntimeError("can't share the memory of a lazy conjugate or negative; use x.resolve_conj().resolve_neg()")
    if tensor.dtype.name not in TYPES:
        use = "x.to(ctorch.complex64)" if tensor.is_complex() else "x.float()"
        raise TypeError(f"no other library knows {tensor.dtype} by this protocol; use {use}")


def array_interface(tensor: Any) -> dict[str, Any]:
    """What NumPy asks for (https://numpy.org/doc/stable/reference/arrays.interface.html)."""
    _readable(tensor)
    itemsize, shape, strides = tensor.itemsize, tensor.shape, tensor.stride()
    last = sum((size - 1) * stride for size, stride in zip(shape, strides))
    return {
        "version": 3,
        "shape": shape,
        "typestr": TYPES[tensor.dtype.name],
        "data": _memory(tensor, 0 if 0 in shape else (last + 1) * itemsize),  # an address alone would keep nothing
        "strides": tuple(stride * itemsize for stride in strides),
    }


def _memory(tensor: Any, nbytes: int) -> Any:
    """The bytes from the first element on, as an object that keeps the storage."""
    memory_type = type("Memory", (c_char * nbytes,), {})
    if not nbytes:
        return memory_type()
    memory = memory_type.from_address(tensor.data_ptr())
    memory.storage = tensor.storage()
    return memory


def view(tensor: Any) -> memoryview:
    """The elements as a buffer of the tensor's shape; row-major ones alone, as a buffer of ctypes has no strides."""
    _readable(tensor)
    if not tensor.is_contiguous():
        raise BufferError("the buffer of a tensor that is not contiguous; use x.contiguous()")
    code = READ.get(tensor.dtype.name)
    if code is None:
        raise BufferError(f"Python's buffers have no elements like {tensor.dtype}")
    flat = memoryview(_memory(tensor, tensor.nbytes)).cast("B")
    if tensor.ndim == 0 or 0 in tensor.shape:
        return flat.cast(code, ()) if tensor.ndim == 0 else flat.cast(code)
    return flat.cast(code, list(tensor.shape))


def of_interface(array: Any) -> Any:
    """A tensor in the memory of an array, by NumPy's protocol."""
    interface = array.__array_interface__
    kind: Any = dtype.by_name[NAMES[interface["typestr"]]]
    address, _ = interface["data"]
    strides = interface.get("strides")
    if strides is not None:
        if any(stride < 0 or stride % kind.itemsize for stride in strides):
            raise ValueError("an array with negative strides, or with strides between its elements; make a copy first")
        strides = tuple(stride // kind.itemsize for stride in strides)
    return raw.tensor_from_buffer(address, interface["shape"], strides, kind, array)
