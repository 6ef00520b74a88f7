"""TorchScript modules of ctorch's, with Python's values for arguments.

module = load(saved(torch.jit.script(model)))
same(module(x), model(x))
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import torch

from tests.harness.capi import ffi, lib, ok, out, string, text
from tests.harness.values import made, python, value, values


class Module:
    """Takes an owned handle over."""

    def __init__(self, place: Any) -> None:
        self.handle = ffi.gc(place[0], lib.ctorch_jit_module_release)

    def call(self, method: str | None, *args: Any, **kwargs: Any) -> Any:
        return self._call(method, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(None, *args, **kwargs)

    def _call(self, _method: str | None, *args: Any, **kwargs: Any) -> Any:
        given, given_len, _kept = values(args)
        keywords = value(kwargs) if kwargs else ffi.NULL
        name = ffi.NULL if _method is None else _method.encode()
        return python(made("ctorch_jit_module_call", self.handle, name, given, given_len, keywords))

    def value(self, function: str, *args: Any) -> Any:
        return python(made(f"ctorch_jit_module_{function}", self.handle, *args))

    def text(self, function: str, *args: Any) -> str:
        result = out("ctorch_string *")
        ok(getattr(lib, f"ctorch_jit_module_{function}")(result, self.handle, *args))
        return string(result[0])

    @property
    def name(self) -> str:
        return text(lib.ctorch_jit_module_name(self.handle))

    def parameters(self) -> dict[str, torch.Tensor]:
        return self.value("named_parameters", True)

    def train(self, training: bool = True) -> Module:
        ok(lib.ctorch_jit_module_train(self.handle, training))
        return self

    def made(self, function: str, *args: Any) -> Module:
        """Another module, as ctorch_jit_module_<function> makes it of this one."""
        result = out("ctorch_jit_module *")
        ok(getattr(lib, f"ctorch_jit_module_{function}")(result, self.handle, *args))
        return Module(result)


def saved(module: Any, **extra_files: Any) -> bytes:
    """What Python saves of a script module."""
    file = io.BytesIO()
    torch.jit.save(module, file, _extra_files=extra_files)
    return file.getvalue()


def reader(data: bytes) -> Any:
    place = out("ctorch_reader *")
    ok(lib.ctorch_reader_from_data(place, data, len(data), ffi.NULL, ffi.NULL))
    return ffi.gc(place[0], lib.ctorch_reader_release)


def load(data: bytes, device: Any = ffi.NULL) -> Module:
    place = out("ctorch_jit_module *")
    ok(lib.ctorch_jit_load(place, reader(data), device))
    return Module(place)


def written(module: Module, function: str = "ctorch_jit_save", *args: Any) -> bytes:
    """What ctorch saves of a module."""
    place = out("ctorch_writer *")
    ok(lib.ctorch_writer_new(place))
    writer = ffi.gc(place[0], lib.ctorch_writer_release)
    ok(getattr(lib, function)(module.handle, writer, *args))
    ok(lib.ctorch_writer_finish(writer))
    return bytes(ffi.buffer(lib.ctorch_writer_data(writer), lib.ctorch_writer_nbytes(writer)))


def in_python(data: bytes) -> torch.jit.ScriptModule:
    return torch.jit.load(io.BytesIO(data))


def compiled(source: str) -> Module:
    place = out("ctorch_jit_module *")
    ok(lib.ctorch_jit_compile(place, source.encode()))
    return Module(place)


def callback(function: Callable[..., Any]) -> Any:
    """A function of Python's as ctorch_jit_trace_callback; to be kept while it is used."""

    @ffi.callback("ctorch_jit_trace_callback")
    def traced(results, results_len, args, args_len, error, payload):
        result = value(function(*(python(args[i]) for i in range(args_len))))
        lib.ctorch_value_retain(result)
        results[0] = result
        return 1

    return traced


def same(got: Any, expected: Any) -> None:
    """Bit for bit, with the same containers."""
    if isinstance(expected, torch.Tensor):
        assert got.dtype == expected.dtype and got.shape == expected.shape
        assert torch.equal(got.detach().nan_to_num(), expected.detach().nan_to_num())
        assert torch.equal(got.detach().isnan(), expected.detach().isnan())
    elif isinstance(expected, dict):
        assert list(got) == list(expected)
        for key in expected:
            same(got[key], expected[key])
    elif isinstance(expected, (list, tuple)):
        assert isinstance(got, (list, tuple)) and len(got) == len(expected)
        for mine, theirs in zip(got, expected, strict=True):
            same(mine, theirs)
    else:
        assert got == expected and type(got) is type(expected)
