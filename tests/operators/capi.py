"""ctorch through its Python package, for comparison with Python's torch in the same process.

`Library.call` takes a function's entry in api.json and Python values of torch's by argument name, calls the overload of
`ctorch.aten` that the entry is about, and hands back its results as torch's values or raises CtorchError. A
`ctorch_tensor *` is the address of PyTorch's own tensor object, so tensors go in as `Tensor._cdata` and come out as
they are: no copy stands between the call and the comparison, and no reference but the caller's.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

import torch

from tests.harness.build import BUILD
from tests.harness.exceptions import tensor_at
from tests.operators import values

os.environ.setdefault("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))
sys.path.insert(0, str(BUILD / "generated" / "bindings" / "python"))
import ctorch  # noqa: E402
from ctorch import aten, raw  # noqa: E402
from ctorch.library import native  # noqa: E402

QSCHEMES = {0: torch.per_tensor_affine, 1: torch.per_channel_affine, 2: torch.per_tensor_symmetric}


class CtorchError(Exception):
    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


class Library:
    """The operators, with torch's values for arguments and results. One object of this class per process is enough."""

    def __init__(self, library_path: str, api_path: str):
        loaded = os.path.realpath(native._name)
        assert loaded == os.path.realpath(library_path), f"the package has loaded {loaded}"
        self.touched: list[str] = []

    def ctorch_debug_live_handles(self) -> int:
        return raw.debug_live_handles()

    def call(self, entry: dict[str, Any], values_by_name: dict[str, Any]) -> list[Any]:
        """Call an operator; a missing name means the schema's default. The new results in their order."""
        operator, overload = self.overload(entry)
        self.watch(entry["name"])
        types = {p["name"]: p["type"] for p in entry["params"]}
        arguments = {parameter(name): argument(value, types[name]) for name, value in values_by_name.items()}
        try:
            returned = overload(**arguments)
        except ctorch.Error as error:
            touched = f" [and {self.touched} touched]" if self.touched else ""
            raise CtorchError(error.code_name, error.message + touched) from None
        results = returned if isinstance(returned, tuple) else () if returned is None else (returned,)
        given = {id(a) for a in arguments.values() if isinstance(a, ctorch.Tensor | list)}
        return [result(r) for r in self.new(entry, results, given)]

    @staticmethod
    def overload(entry: dict[str, Any]) -> tuple[Any, Any]:
        name, _, overload = entry["schema"].partition("(")[0].removeprefix("aten::").partition(".")
        operator = getattr(aten, name)
        return operator, getattr(operator, parameter(overload or "default"))

    @staticmethod
    def new(entry: dict[str, Any], results: tuple[Any, ...], given: set[int]) -> list[Any]:
        """The results that are no arguments. An argument that the schema returns must come back as that very object."""
        outputs = [p for p in entry["params"] if p["role"] == "out"]
        if outputs and len(outputs) == 1 and len(results) == 0:
            return [None]  # an undefined tensor
        fresh = [r for r in results if id(r) not in given or r is None]
        assert len(fresh) == len(outputs), f"{entry['name']}: {len(fresh)} results for {len(outputs)} outputs"
        return fresh

    def watch(self, name: str) -> None:
        """See that a failure leaves the outputs alone: they hold a pattern before the call that the package makes."""
        function = native[name]

        def watched(*arguments: Any) -> Any:
            outputs = [a._obj for a in arguments if type(a) is OUTPUT]
            before = [fill(cell) for cell in outputs]
            error = function(*arguments)
            self.touched = []
            if error:
                for cell, pattern in zip(outputs, before):
                    if bytes(cell) != pattern:
                        self.touched.append(type(cell).__name__)
                    ctypes.memset(ctypes.addressof(cell), 0, ctypes.sizeof(cell))  # nothing to be given back
            return error

        setattr(native, name, watched)


OUTPUT = type(ctypes.byref(ctypes.c_int()))


def fill(cell: Any) -> bytes:
    """Fill the memory of an output with a pattern; that of a bool must be 0 or 1."""
    pattern = b"\1" if isinstance(cell, ctypes.c_bool) else bytes.fromhex("5afe") * 32
    ctypes.memmove(ctypes.addressof(cell), pattern, ctypes.sizeof(cell))
    return bytes(cell)


def parameter(name: str) -> str:
    return name + "_" if name == "from" else name


# From torch's values to ctorch's, and back


ENUMERATIONS = {"ScalarType": ctorch.dtype, "Layout": ctorch.layout, "MemoryFormat": ctorch.memory_format}


def argument(value: Any, type_: str) -> Any:
    if isinstance(value, list | tuple):
        return [argument(entry, "") for entry in value]
    if type(value) is int and type_.removesuffix("?") in ENUMERATIONS:  # so the schema's own defaults are given
        return ENUMERATIONS[type_.removesuffix("?")].by_number[value]
    if isinstance(value, torch.Tensor):
        return borrowed(value)
    if isinstance(value, torch.dtype):
        return getattr(ctorch.constants, str(value).removeprefix("torch."))
    if isinstance(value, torch.layout):
        return getattr(ctorch, str(value).removeprefix("torch.").removeprefix("_"))
    if isinstance(value, torch.memory_format):
        return getattr(ctorch, str(value).removeprefix("torch."))
    if isinstance(value, torch.device):
        return ctorch.device(str(value))
    if isinstance(value, values.Generator):
        generator = raw.generator_new()
        raw.generator_manual_seed(generator, value.seed)
        return generator
    if isinstance(value, values.Storage):
        tensor = torch.empty(0, dtype=torch.uint8).set_(value.storage)
        return raw.storage_from_tensor(borrowed(tensor))
    if isinstance(value, values.Stream):
        return ctorch.Stream(value.id, value.device_type, value.device_index)
    return value


def borrowed(tensor: torch.Tensor) -> ctorch.Tensor:
    """A tensor for the time of a call: its handle has no reference of its own to give back."""
    result = ctorch.Tensor.__new__(ctorch.Tensor)
    result._tensor = ctypes.c_void_p(tensor._cdata)
    return result


def result(value: Any) -> Any:
    if isinstance(value, list):
        return [result(entry) for entry in value]
    if isinstance(value, ctorch.Tensor):
        return tensor_at(value._tensor.value)
    return value.number if isinstance(value, ctorch.dtype) else value
