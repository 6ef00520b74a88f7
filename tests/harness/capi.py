"""libctorch through cffi, for tests that compare it with Python's torch in the same process.

    y = out("ctorch_tensor *")
    ok(lib.ctorch_aten_add_Tensor(y, handle(a), handle(b), ffi.NULL))
    assert torch.equal(tensor(y[0]), a + b)
    assert fails(lib.ctorch_aten_add_Tensor(y, ffi.NULL, handle(b), ffi.NULL)) == ("NULL_ARGUMENT", ...)

A `ctorch_tensor *` is the address of PyTorch's own tensor object: handle() borrows a Python tensor, tensor() takes over
an owned handle. The declarations are ctorch.cdef.h as it is; operators are declared when they are first used.
"""

from __future__ import annotations

import re
from typing import Any

import cffi
import torch

from tests.harness.build import BUILD, LIBRARY
from tests.harness.exceptions import tensor_at

_declarations = (BUILD / "generated" / "ctorch.cdef.h").read_text()
_operator = re.compile(r"^ctorch_error \*(ctorch_aten_\w+)\(.*\);\n", re.MULTILINE)
_operators = {m[1]: m[0] for m in _operator.finditer(_declarations)}

ffi = cffi.FFI()
ffi.cdef(_operator.sub("", _declarations))
OK = 1  # CTORCH_CALLBACK_OK


class _Library:
    def __init__(self) -> None:
        self.c = ffi.dlopen(LIBRARY)

    def __getattr__(self, name: str) -> Any:
        if name in _operators:
            ffi.cdef(_operators[name])
        setattr(self, name, getattr(self.c, name))
        return self.__dict__[name]


lib = _Library()


class CtorchError(Exception):
    def __init__(self, kind: str, message: str, function: str):
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.function = kind, message, function


def text(chars: Any) -> str:
    return ffi.string(chars).decode()


def fails(error: Any, function: str | None = None) -> tuple[str, str]:
    """Code and message of a call that must fail, and must name `function` if that is given; the error is released."""
    assert error != ffi.NULL, "the call succeeded"
    if function is not None:
        assert text(lib.ctorch_error_function(error)) == function
    result = text(lib.ctorch_error_kind_name(lib.ctorch_error_kind_of(error))), text(lib.ctorch_error_message(error))
    lib.ctorch_error_release(error)
    return result


def ok(error: Any) -> None:
    if error != ffi.NULL:
        function = text(lib.ctorch_error_function(error))
        raise CtorchError(*fails(error), function)


def out(c_type: str) -> Any:
    """A zeroed place for an output: `out("int64_t")`, `out("ctorch_tensor *")`; read it as `[0]`."""
    return ffi.new(c_type + ("*" if c_type.endswith("*") else " *"))


def handle(value: torch.Tensor | None) -> Any:
    """The tensor as a borrowed `ctorch_tensor *`; it must outlive the use. None is NULL."""
    return ffi.NULL if value is None else ffi.cast("ctorch_tensor *", value._cdata)


def handles(values: list[torch.Tensor | None]) -> tuple[Any, int]:
    """A list argument and its length."""
    return ffi.new("ctorch_tensor *[]", [handle(v) for v in values]), len(values)


def borrowed(address: Any) -> torch.Tensor | None:
    """The Python tensor behind a borrowed handle, with a reference of its own."""
    return tensor_at(int(ffi.cast("uintptr_t", address)))


def tensor(owned: Any) -> torch.Tensor | None:
    """The Python tensor behind an owned handle, which is released."""
    result = borrowed(owned)
    lib.ctorch_tensor_release(owned)
    return result


def owned(value: torch.Tensor | None) -> Any:
    """The tensor as an owned handle, as a callback hands it over."""
    result = handle(value)
    lib.ctorch_tensor_retain(result)
    return result


def string(owned_string: Any) -> str:
    """The text of an owned `ctorch_string *`, which is released."""
    result = text(lib.ctorch_string_data(owned_string))
    lib.ctorch_string_release(owned_string)
    return result


def error(kind: str, message: str) -> Any:
    """An owned error, as a failing callback hands it over."""
    result = out("ctorch_error *")
    ok(lib.ctorch_error_new(result, getattr(lib.c, f"CTORCH_ERROR_{kind}"), message.encode()))
    return result[0]


def call(name: str, *args: Any) -> None:
    """ok(lib.<name>(*args)), with tensors and text as they are."""
    convert = {torch.Tensor: handle, str: str.encode, type(None): lambda _: ffi.NULL}
    ok(getattr(lib, name)(*(convert.get(type(a), lambda a: a)(a) for a in args)))
