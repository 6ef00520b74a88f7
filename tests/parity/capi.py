"""ctorch through ctypes, driven by api.json alone.

`Library.call` takes a function's entry in api.json and Python values by argument name, converts each by its schema
type, calls the function, and hands back its outputs as Python values or raises CtorchError. A `ctorch_tensor *` is the
address of PyTorch's own tensor object, so tensors go in as `Tensor._cdata` and come out as they are: no copy stands
between the call and the comparison.
"""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any

import torch

from parity import values

UNTOUCHED = 0x5AFE5AFE5AFE5AFE  # what outputs hold before a call, to see that a failure leaves them alone
C_TYPES = {
    "bool": ctypes.c_bool,
    "double": ctypes.c_double,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
}
QSCHEMES = {0: torch.per_tensor_affine, 1: torch.per_channel_affine, 2: torch.per_tensor_symmetric}
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


class CtorchError(Exception):
    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def kind_of(error: Exception) -> str:
    if isinstance(error, CtorchError):
        return error.kind
    return next((EXCEPTIONS[c.__name__] for c in type(error).__mro__ if c.__name__ in EXCEPTIONS), type(error).__name__)


def same_kind(ours: str | None, theirs: str | None) -> bool:
    """Whether ctorch's code fits PyTorch's exception.

    The refined codes replace several of its kinds, and Python sees any other std::exception as a RuntimeError.
    """
    return ours == theirs or ours in REFINED or (ours == "STD" and theirs == "RUNTIME")


class Scalar(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("i", ctypes.c_int64),
        ("re", ctypes.c_double),
        ("im", ctypes.c_double),
    )


class Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("index", ctypes.c_int32))


class Stream(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int64), ("device_type", ctypes.c_int32), ("device_index", ctypes.c_int32))


class Library:
    """The loaded library. One object of this class per process is enough."""

    def __init__(self, library_path: str, api_path: str):
        self.c = ctypes.CDLL(library_path)
        with open(api_path, encoding="utf-8") as file:
            api = json.load(file)
        self.enums = {e["name"]: e["values"] for e in api["enums"]}
        self.core = {f["name"]: f for f in api["functions"] if f["kind"] == "core"}
        self.numbers = self._numbers()
        self.error_kinds = {number: name for name, number in self._enum("ctorch_error_kind", "CTORCH_ERROR_").items()}
        self._declared: dict[str, Any] = {}

    def _enum(self, name: str, prefix: str) -> dict[str, int]:
        return {n.removeprefix(prefix): v for n, v in self.enums[name].items()}

    def _numbers(self) -> dict[Any, int]:
        """PyTorch's Python objects -> the numbers of ctorch's enumerations."""
        numbers: dict[Any, int] = {}
        for name, number in self._enum("ctorch_dtype", "CTORCH_DTYPE_").items():
            numbers[getattr(torch, name.lower())] = number
        for name, number in self._enum("ctorch_layout", "CTORCH_LAYOUT_").items():
            numbers[torch._mkldnn if name == "MKLDNN" else getattr(torch, name.lower())] = number
        for name, number in self._enum("ctorch_memory_format", "CTORCH_MEMORY_FORMAT_").items():
            name = name.lower() + ("_format" if name in ("CONTIGUOUS", "PRESERVE") else "")
            numbers[getattr(torch, name)] = number
        return numbers | {scheme: number for number, scheme in QSCHEMES.items()}

    # Declarations

    def function(self, entry: dict[str, Any]) -> Any:
        """The C function of an entry of api.json, with its types declared."""
        if entry["name"] not in self._declared:
            c_function = getattr(self.c, entry["name"])
            c_function.argtypes = [self.c_type(p["c_type"]) for p in entry["params"]]
            c_function.restype = None if entry["returns"] == "void" else self.c_type(entry["returns"])
            self._declared[entry["name"]] = c_function
        return self._declared[entry["name"]]

    def c_type(self, c_type: str) -> Any:
        if c_type in ("const char *", "char *"):
            return ctypes.c_char_p
        if "*" in c_type:
            return ctypes.c_void_p
        return C_TYPES.get(c_type) or (ctypes.c_int32 if c_type in self.enums else None)

    def __getattr__(self, name: str) -> Any:
        """A hand-written function by its name: `library.ctorch_tensor_release`."""
        if name.startswith("ctorch_"):
            return self.function(self.core[name])
        raise AttributeError(name)

    # Calls

    def call(self, entry: dict[str, Any], values_by_name: dict[str, Any]) -> list[Any]:
        """Call an operator; a missing name means the schema's default. The outputs in their order."""
        arguments: list[Any] = []
        outputs: list[tuple[str, Any]] = []
        lengths: dict[str, int] = {}
        alive: list[Any] = []
        self._owned: list[tuple[Any, int]] = []
        for param in entry["params"]:
            if param["role"] == "out":
                cell = self._output_cell(param["c_type"])
                outputs.append((param["c_type"], cell))
                arguments.append(ctypes.addressof(cell))
            elif param["role"] == "len":
                arguments.append(lengths[param["len_of"]])
            else:
                c_value, keep = self._input(param, values_by_name, lengths)
                alive.append(keep)
                arguments.append(c_value)
        try:
            error = self.function(entry)(*arguments)
        finally:
            for release, handle in self._owned:
                release(handle)
        if error:
            touched = [c for c, cell in outputs if bytes(cell) != bytes(self._output_cell(c))]
            raise self._take_error(error, f" [and {touched} touched]" if touched else "")
        return [self._take_output(c_type, cell) for c_type, cell in outputs]

    def _take_error(self, error: int, suffix: str) -> CtorchError:
        kind = self.error_kinds.get(self.ctorch_error_code(error), "?")
        message = self.ctorch_error_message(error).decode()
        self.ctorch_error_release(error)
        return CtorchError(kind, message + suffix)

    def _output_cell(self, c_type: str) -> Any:
        """Memory for one output, filled with a pattern."""
        target = c_type.removesuffix("*").strip()
        if target.endswith("*"):
            return ctypes.c_uint64(UNTOUCHED)
        if target == "ctorch_scalar":
            return Scalar(-1, -1, -1, -1.0, -1.0)
        cell_type = self.c_type(target)
        return cell_type(1 if cell_type is ctypes.c_bool else 77)

    def _take_output(self, c_type: str, cell: Any) -> Any:
        target = c_type.removesuffix("*").strip()
        if target == "ctorch_tensor *":
            return self._take_tensor(cell.value)
        if target == "ctorch_tensor_list *":
            handle = cell.value
            count = self.ctorch_tensor_list_len(handle)
            data = self.ctorch_tensor_list_data(handle)
            items = (ctypes.c_void_p * count).from_address(data) if count else ()
            tensors = [tensor_at(address) for address in items]
            self.ctorch_tensor_list_release(handle)
            return tensors
        if target == "ctorch_scalar":
            return {0: cell.i, 1: cell.re, 2: bool(cell.i), 3: complex(cell.re, cell.im), 4: cell.i % 2**64}[cell.kind]
        return cell.value

    def _take_tensor(self, address: int) -> torch.Tensor | None:
        tensor = tensor_at(address)
        self.ctorch_tensor_release(address or None)
        return tensor

    # Arguments

    def _input(self, param: dict[str, Any], values_by_name: dict[str, Any], lengths: dict[str, int]) -> tuple[Any, Any]:
        """The C argument and what must stay alive for the call."""
        name, c_type, schema_type = param["name"], param["c_type"], param["type"]
        given = name in values_by_name
        value = values_by_name.get(name)
        if "*" not in c_type:  # passed by value: its default has to be written out
            return (self._number(value) if given else param["default"]), None
        lengths[name] = 0
        if value is None:
            return None, None
        if "[" in schema_type:
            items = value if isinstance(value, list | tuple) else [value] * self._fixed_length(schema_type)
            lengths[name] = len(items)
            array = self._array(schema_type.partition("[")[0], c_type, items)
            return ctypes.addressof(array), (array, items)
        return self._pointer(c_type, value)

    def _fixed_length(self, schema_type: str) -> int:
        digits = schema_type.partition("[")[2].partition("]")[0]
        return int(digits or 1)

    def _array(self, element: str, c_type: str, items: Any) -> Any:
        """A C array of the items, never NULL: an empty list is a pointer with length 0."""
        count = max(len(items), 1)
        if element.startswith("Tensor"):
            return (ctypes.c_void_p * count)(*[None if t is None else t._cdata for t in items])
        if element == "Scalar":
            return (Scalar * count)(*[self._scalar(v) for v in items])
        target = c_type.replace("const", "").removesuffix("*").strip()
        return (self.c_type(target) * count)(*[self._number(v) for v in items])

    def _pointer(self, c_type: str, value: Any) -> tuple[Any, Any]:
        target = c_type.replace("const", "").removesuffix("*").strip()
        if target == "ctorch_tensor":
            return value._cdata, value
        if target == "char":
            return value.encode(), value
        if target == "ctorch_generator":
            return self._generator(value), value
        if target == "ctorch_storage":
            return self._storage(value), value
        if target == "ctorch_scalar":
            cell: Any = self._scalar(value)
        elif target == "ctorch_device":
            cell = self._device(value)
        elif target == "ctorch_stream":
            cell = Stream(value.id, value.device_type, value.device_index)
        else:
            cell = self.c_type(target)(self._number(value))
        return ctypes.addressof(cell), cell

    def _number(self, value: Any) -> Any:
        return value if isinstance(value, bool | int | float) else self.numbers[value]

    def _scalar(self, value: Any) -> Scalar:
        if isinstance(value, bool):
            return Scalar(2, 0, int(value), 0.0, 0.0)
        if isinstance(value, int):
            return Scalar(0, 0, value, 0.0, 0.0) if value < 2**63 else Scalar(4, 0, value - 2**64, 0.0, 0.0)
        if isinstance(value, complex):
            return Scalar(3, 0, 0, value.real, value.imag)
        return Scalar(1, 0, 0, value, 0.0)

    def _device(self, value: Any) -> Device:
        value = torch.device(value)
        types = self._enum("ctorch_device_type", "CTORCH_DEVICE_TYPE_")
        return Device(types[value.type.upper()], -1 if value.index is None else value.index)

    def _generator(self, value: values.Generator) -> int:
        handle = ctypes.c_void_p()
        self._check(self.ctorch_generator_new(ctypes.addressof(handle), None))
        self._owned.append((self.ctorch_generator_release, handle.value))
        self._check(self.ctorch_generator_manual_seed(handle.value, value.seed))
        return handle.value

    def _storage(self, value: values.Storage) -> int:
        handle = ctypes.c_void_p()
        tensor = torch.empty(0, dtype=torch.uint8).set_(value.storage)
        self._check(self.ctorch_storage_from_tensor(ctypes.addressof(handle), tensor._cdata))
        self._owned.append((self.ctorch_storage_release, handle.value))
        return handle.value

    def _check(self, error: int | None) -> None:
        if error:
            raise self._take_error(error, "")
