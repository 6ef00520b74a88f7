"""Readers of bytes, in memory and through a callback, and what is written to a writer."""

from __future__ import annotations

from typing import Any

from tests.harness.capi import ffi, lib, ok, out

SOURCES = ["memory", "callback"]


def reader(data: bytes, source: str = "memory") -> Any:
    """A reader that is released with the Python object."""
    made = out("ctorch_reader *")
    if source == "memory":
        ok(lib.ctorch_reader_from_data(made, data, len(data), ffi.NULL, ffi.NULL))
        return ffi.gc(made[0], lib.ctorch_reader_release)

    @ffi.callback("ctorch_reader_read_callback")
    def read(to, nbytes, offset, error, payload):
        ffi.buffer(to, nbytes)[:] = data[offset : offset + nbytes]
        return 1

    ok(lib.ctorch_reader_from_callback(made, len(data), read, ffi.NULL, ffi.NULL))
    return ffi.gc(made[0], lambda handle, _kept=read: lib.ctorch_reader_release(handle))


def written(function: str, *args: Any) -> bytes:
    """What a function writes to its first argument."""
    writer = out("ctorch_writer *")
    ok(lib.ctorch_writer_new(writer))
    try:
        ok(getattr(lib, function)(writer[0], *args))
        ok(lib.ctorch_writer_finish(writer[0]))
        return ffi.buffer(lib.ctorch_writer_data(writer[0]), lib.ctorch_writer_nbytes(writer[0]))[:]
    finally:
        lib.ctorch_writer_release(writer[0])
