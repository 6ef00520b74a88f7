"""Event files: written by Python's SummaryWriter and by ctorch, read as messages by the package tensorboard."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import torch
from tensorboard.compat.proto.event_pb2 import Event
from torch.utils.tensorboard import SummaryWriter

from tests.harness.capi import ffi, lib, ok, out, text

NULL = ffi.NULL


class Writer:
    """A `ctorch_summary_writer`: `writer.add_scalar(tag, ...)` calls the function of that name, and must succeed."""

    def __init__(self, folder: Path | None, *, purge_step=None, max_queue=10, flush_secs=120.0, suffix=None) -> None:
        self.handle = out("ctorch_summary_writer *")
        purge = NULL if purge_step is None else ffi.new("int64_t *", purge_step)
        ok(
            lib.ctorch_summary_writer_open(
                self.handle, chars(folder), NULL, purge, max_queue, flush_secs, chars(suffix)
            )
        )
        self.handle = self.handle[0]

    def __getattr__(self, name: str) -> Any:
        function = getattr(lib, "ctorch_summary_writer_finish" if name == "close" else f"ctorch_summary_writer_{name}")
        return lambda *args: ok(function(self.handle, *map(argument, args)))

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: Any) -> None:
        lib.ctorch_summary_writer_release(self.handle)


def chars(value: Any) -> Any:
    return NULL if value is None else ffi.new("char[]", str(value).encode())


def argument(value: Any) -> Any:
    if value is None:
        return NULL
    if isinstance(value, (str, Path)):
        return str(value).encode()
    return ffi.cast("ctorch_tensor *", value._cdata) if isinstance(value, torch.Tensor) else value


def wall(seconds: float) -> Any:
    return ffi.new("double *", seconds)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if "tfevents" in path.name)


def records(path: Path) -> list[bytes]:
    """The data of the records, by the lengths alone."""
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        found.append(data[at + 12 : at + 12 + length])
        at += 12 + length + 4
    assert at == len(data)
    return found


def messages(folder: Path) -> list[Event]:
    """The events of a run without the versions of its files."""
    events = [Event.FromString(record) for path in files(folder) for record in records(path)]
    return [event for event in events if not event.HasField("file_version")]


class Reader:
    """What a `ctorch_summary_reader` finds, one after the other: (kind, tag, step, wall time)."""

    def __init__(self, path: Path) -> None:
        handle = out("ctorch_summary_reader *")
        ok(lib.ctorch_summary_reader_open(handle, str(path).encode()))
        self.handle = handle[0]

    def next(self) -> bool:
        there = out("bool")
        ok(lib.ctorch_summary_reader_next(there, self.handle))
        return there[0]

    def where(self) -> tuple[int, str, int, float]:
        return (
            lib.ctorch_summary_reader_kind(self.handle),
            text(lib.ctorch_summary_reader_tag(self.handle)),
            lib.ctorch_summary_reader_step(self.handle),
            lib.ctorch_summary_reader_wall_time(self.handle),
        )

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: Any) -> None:
        lib.ctorch_summary_reader_release(self.handle)


def same(tmp_path, theirs, ours):
    """What both write in folders of their own, as messages."""
    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        theirs(writer)
    with Writer(tmp_path / "ours") as writer:
        ours(writer)
        writer.close()
    expected, got = messages(tmp_path / "theirs"), messages(tmp_path / "ours")
    assert expected
    assert got == expected
    return got


def floats(values):
    """A list argument and its length."""
    return ffi.new("double[]", values), len(values)


def texts(values):
    """The same of texts, which live until the next call."""
    kept = [chars(value) for value in values]
    texts.kept = kept
    return ffi.new("char *[]", kept), len(kept)
