"""Exported programs through cffi.

with Program(path) as program:
    assert program.state_dict().keys() == exported.state_dict.keys()
"""

from __future__ import annotations

from typing import Any

from tests.harness.capi import ffi, lib, ok, out, string
from tests.harness.values import made, python


class Program:
    def __init__(self, source, name=None):
        opened = out("ctorch_exported_program *")
        name = ffi.NULL if name is None else name.encode()
        if isinstance(source, bytes):
            reader = out("ctorch_reader *")
            ok(lib.ctorch_reader_from_data(reader, source, len(source), ffi.NULL, ffi.NULL))
            kept = ffi.gc(reader[0], lib.ctorch_reader_release)
            ok(lib.ctorch_exported_program_open(opened, kept, name))
        else:
            ok(lib.ctorch_exported_program_open_file(opened, str(source).encode(), name))
        self.owned = ffi.gc(opened[0], lib.ctorch_exported_program_release)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        ffi.release(self.owned)

    def __getattr__(self, what: str) -> Any:
        """What ctorch_exported_program_<what> answers: a value."""
        return lambda: python(made(f"ctorch_exported_program_{what}", self.owned))

    def _string(self, function: str) -> str:
        text = out("ctorch_string *")
        ok(getattr(lib, function)(text, self.owned))
        return string(text[0])

    def text(self) -> str:
        return self._string("ctorch_exported_program_text")

    def requirements(self) -> str:
        return self._string("ctorch_exported_program_requirements")
