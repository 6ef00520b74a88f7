"""What PyTorch's Python side and ctorch have in common: tensors by their address, and kinds of exceptions."""

from __future__ import annotations

import ctypes
from pathlib import Path

import torch

REFINED = {"SHAPE_MISMATCH", "DEVICE_MISMATCH", "DTYPE_MISMATCH"}
EXCEPTIONS = {
    "NotImplementedError": "NOT_IMPLEMENTED",
    "OutOfMemoryError": "OUT_OF_MEMORY",
    "LinAlgError": "LINALG",
    "_LinAlgError": "LINALG",
    "IndexError": "INDEX",
    "ValueError": "VALUE",
    "TypeError": "TYPE",
    "SyntaxError": "SYNTAX",
    "BufferError": "BUFFER",
    "AcceleratorError": "ACCELERATOR",
    "RuntimeError": "RUNTIME",
}

# PyTorch's own way from a C++ tensor to a Python one (it adds a reference). `torch._C._wrap_tensor_impl` does the same
# from a bare address, but refuses tensors without a storage, such as sparse ones.
_python = ctypes.PyDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_python.so"))
_wrap = _python._Z16THPVariable_WrapRKN2at10TensorBaseE
_wrap.restype = ctypes.py_object
_wrap.argtypes = (ctypes.c_void_p,)


def tensor_at(address: int | None) -> torch.Tensor | None:
    """The Python tensor for a `ctorch_tensor *`, with a reference of its own."""
    return _wrap(ctypes.addressof(ctypes.c_void_p(address))) if address else None


def kind_of(error: Exception) -> str:
    """The code of an error of ctorch's, or the one for an exception of PyTorch's."""
    if kind := getattr(error, "kind", None):
        return kind
    return next((EXCEPTIONS[c.__name__] for c in type(error).__mro__ if c.__name__ in EXCEPTIONS), type(error).__name__)


def same_kind(ours: str | None, theirs: str | None) -> bool:
    """Whether ctorch's code fits PyTorch's exception.

    The refined codes replace several of its kinds, and Python sees any other std::exception as a RuntimeError.
    """
    return ours == theirs or ours in REFINED or (ours == "STD" and theirs == "RUNTIME")
