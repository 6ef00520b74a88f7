"""Where files are read from and written to: a path, an object with `read` or `write`, or bytes.

What is written to a path is written under another name, and has its own when it is complete: a failure leaves what was
there before. Streams are read from where they stand.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import string_at
from typing import Any

from . import raw
from .library import native


@contextmanager
def reading(f: Any, mmap: bool = False, progress: Callable[[int], Any] | None = None) -> Iterator[raw.Reader]:
    """A reader of `f` for a `with` block. Tensors that share its memory keep that."""
    if isinstance(f, raw.Reader):
        yield f
        return
    with _reader(f, mmap) as file:
        if progress is not None:
            raw.reader_set_progress(file, progress)
        yield file


def is_path(f: Any) -> bool:
    return isinstance(f, str | os.PathLike)


def path_of(f: Any) -> str:
    return os.fsdecode(os.fspath(f))


def _reader(f: Any, mmap: bool) -> raw.Reader:
    if is_path(f):
        return raw.reader_open(path_of(f), mmap)
    if mmap:
        raise ValueError("mmap=True takes the path of a file")
    if not hasattr(f, "read"):
        return raw.reader_from_data(f)
    if not (hasattr(f, "seek") and hasattr(f, "tell") and getattr(f, "seekable", lambda: True)()):
        return raw.reader_from_data(f.read())
    start = f.tell()
    end = f.seek(0, os.SEEK_END) or f.tell()
    f.seek(start)
    lock = threading.Lock()  # several threads may read at once, and the stream has one place where it stands

    def read(nbytes: int, offset: int) -> bytes:
        with lock:
            f.seek(start + offset)
            return _read_all(f, nbytes)

    return raw.reader_from_callback(max(end - start, 0), read)


def _read_all(f: Any, nbytes: int) -> bytes:
    """That many bytes, of a stream that may give fewer at a time; fewer if it ends."""
    parts = [f.read(nbytes)]
    missing = nbytes - len(parts[0])
    while parts[-1] and missing > 0:
        parts.append(f.read(missing))
        missing -= len(parts[-1])
    return parts[0] if len(parts) == 1 else b"".join(parts)


@contextmanager
def writing(f: Any, progress: Callable[[int], Any] | None = None) -> Iterator[raw.Writer]:
    """A writer to `f` for a `with` block, at whose end it is finished. After a failure the path is as it was."""
    if isinstance(f, raw.Writer):  # somebody else finishes it
        yield f
        return
    write = getattr(f, "write", None)
    if write is None and not is_path(f):
        raise TypeError(f"expected a path or an object with a method 'write', not {type(f).__name__}")
    with raw.writer_open(path_of(f)) if write is None else raw.writer_from_callback(_write_all(write)) as file:
        if progress is not None:
            raw.writer_set_progress(file, progress)
        yield file
        raw.writer_finish(file)


def _write_all(write: Callable[[Any], int | None]) -> Callable[[bytes], None]:
    """`write` of a stream that may take fewer bytes at a time than it is given. Those that return None take all."""

    def write_all(data: bytes) -> None:
        taken = write(data)
        while taken is not None and taken < len(data):
            if taken == 0:
                raise OSError("the stream takes no more bytes")
            data = data[taken:]
            taken = write(data)

    return write_all


def written(write: Callable[[raw.Writer], None]) -> bytes:
    """The bytes that a function writes."""
    with raw.writer_new() as file:
        write(file)
        raw.writer_finish(file)
        return string_at(native.ctorch_writer_data(file._writer), raw.writer_nbytes(file))
