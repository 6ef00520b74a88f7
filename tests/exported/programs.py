"""Exported programs through cffi, beside Python's own.

program = Program(path)
assert torch.equal(program.call(x), exported.module()(x))
"""

from __future__ import annotations

from typing import Any

from runtime.capi import ffi, lib, ok, out, string
from runtime.values import made, python, value, values


class Program:
    def __init__(self, source):
        loaded = out("ctorch_exported_program *")
        if isinstance(source, bytes):
            data = ffi.from_buffer(source)
            reader = out("ctorch_reader *")
            ok(lib.ctorch_reader_from_data(reader, data, len(source), ffi.NULL, ffi.NULL))
            try:
                ok(lib.ctorch_exported_program_load(loaded, reader[0]))
            finally:
                lib.ctorch_reader_release(reader[0])
        else:
            ok(lib.ctorch_exported_program_load_file(loaded, str(source).encode()))
        self.owned = ffi.gc(loaded[0], lib.ctorch_exported_program_release)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        data, length, _kept = values(args)
        named = value(kwargs) if kwargs else ffi.NULL
        return python(made("ctorch_exported_program_call", self.owned, data, length, named))

    def told(self, what: str) -> Any:
        """What it says of itself: "missing", "state_dict" …"""
        return python(made(f"ctorch_exported_program_{what}", self.owned))

    def text(self) -> str:
        made_text = out("ctorch_string *")
        ok(lib.ctorch_exported_program_text(made_text, self.owned))
        return string(made_text[0])
