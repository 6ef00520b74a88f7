"""Exported programs through cffi, beside Python's own.

program = Program(path)
assert torch.equal(program.module().call(x), exported.module()(x))
"""

from __future__ import annotations

from typing import Any

from tests.harness.capi import ffi, lib, ok, out, string
from tests.harness.values import made, python, value


class Module:
    def __init__(self, pointer):
        self.owned = ffi.gc(pointer, lib.ctorch_module_release)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        named = value(kwargs) if kwargs else ffi.NULL
        return python(made("ctorch_module_call", self.owned, value(args), named))

    def state_dict(self) -> Any:
        return python(made("ctorch_module_state_dict", ffi.NULL, self.owned, ffi.NULL, True))

    def copy(self) -> Module:
        place = out("ctorch_module *")
        ok(lib.ctorch_module_copy(place, self.owned))
        return Module(place[0])

    def set_tape(self, most: int) -> None:
        ok(lib.ctorch_module_set_tape(self.owned, most, False))


class Program:
    def __init__(self, source):
        opened = out("ctorch_exported_program *")
        if isinstance(source, bytes):
            reader = out("ctorch_reader *")
            self.data = ffi.from_buffer(source)
            ok(lib.ctorch_reader_from_data(reader, self.data, len(source), ffi.NULL, ffi.NULL))
            try:
                ok(lib.ctorch_exported_program_open(opened, reader[0], ffi.NULL))
            finally:
                lib.ctorch_reader_release(reader[0])
        else:
            ok(lib.ctorch_exported_program_open_file(opened, str(source).encode(), ffi.NULL))
        self.owned = ffi.gc(opened[0], lib.ctorch_exported_program_release)

    def module(self) -> Module:
        place = out("ctorch_module *")
        ok(lib.ctorch_exported_program_module(place, self.owned))
        return Module(place[0])

    def told(self, what: str) -> Any:
        """What it says of itself: "missing_operators", "metadata" …"""
        return python(made(f"ctorch_exported_program_{what}", self.owned))

    def text(self) -> str:
        made_text = out("ctorch_string *")
        ok(lib.ctorch_exported_program_text(made_text, self.owned))
        return string(made_text[0])
