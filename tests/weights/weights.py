"""Files of tensors through ctorch: what is written as bytes, and what is read as tensors of Python's torch.

data = written("ctorch_safetensors_write", value({"weight": x}), None)
with Weights(data) as file:
    assert torch.equal(file.tensor("weight"), x)
"""

from __future__ import annotations

from typing import Any

import torch

from tests.harness.capi import ffi, lib, ok, out, tensor, text
from tests.harness.values import DTYPES, made, python

SOURCES = ["copy", "memory", "callback"]


def written(function: str, *args: Any, source: str = "memory") -> bytes:
    """What a function writes to a writer, which is its first argument; to memory, or handed to a callback."""
    writer = out("ctorch_writer *")
    arguments = [ffi.NULL if a is None else a for a in args]
    pieces: list[bytes] = []

    @ffi.callback("ctorch_writer_write_callback")
    def write(data, nbytes, error, payload):
        pieces.append(bytes(ffi.buffer(data, nbytes)))
        return 1

    if source == "memory":
        ok(lib.ctorch_writer_new(writer))
    else:
        ok(lib.ctorch_writer_from_callback(writer, write, ffi.NULL, ffi.NULL))
    owned = ffi.gc(writer[0], lib.ctorch_writer_release)
    ok(getattr(lib, function)(owned, *arguments))
    ok(lib.ctorch_writer_finish(owned))
    if source != "memory":
        return b"".join(pieces)
    return bytes(ffi.buffer(lib.ctorch_writer_data(owned), lib.ctorch_writer_nbytes(owned)))


class Reader:
    """A reader of bytes: a copy of them, the very ones, or through a callback, which counts them."""

    def __init__(self, data: bytes, source: str = "copy"):
        self.data, self.nbytes_read = data, 0
        reader = out("ctorch_reader *")
        if source == "copy":
            ok(lib.ctorch_reader_from_data(reader, data, len(data), ffi.NULL, ffi.NULL))
        elif source == "memory":
            self.kept = ffi.from_buffer(bytearray(data))
            destroy = ffi.cast("void (*)(void *)", ffi.addressof(lib.c, "ctorch_error_release"))  # of NULL: nothing
            ok(lib.ctorch_reader_from_data(reader, self.kept, len(data), destroy, ffi.NULL))
        else:
            self.kept = ffi.callback("ctorch_reader_read_callback", self._read)
            ok(lib.ctorch_reader_from_callback(reader, len(data), self.kept, ffi.NULL, ffi.NULL))
        self.handle = ffi.gc(reader[0], lib.ctorch_reader_release)

    def _read(self, data, nbytes, offset, error, payload):
        ffi.buffer(data, nbytes)[:] = self.data[offset : offset + nbytes]
        self.nbytes_read += nbytes
        return 1


class Weights:
    """A file that is open: bytes, or with a str the path of a file."""

    def __init__(self, data: bytes | str, source: str = "copy"):
        opened = out("ctorch_weights *")
        if isinstance(data, str):
            ok(lib.ctorch_weights_open_file(opened, data.encode(), source == "mmap"))
        else:
            self.reader = Reader(data, source)
            ok(lib.ctorch_weights_open(opened, self.reader.handle))
        self.handle = opened[0]

    def __enter__(self) -> Weights:
        return self

    def __exit__(self, *_: object) -> None:
        lib.ctorch_weights_release(self.handle)

    format = property(lambda self: text(lib.ctorch_weights_format(self.handle)))

    def __len__(self) -> int:
        return lib.ctorch_weights_len(self.handle)

    def names(self) -> list[str]:
        return [text(lib.ctorch_weights_name(self.handle, i)) for i in range(len(self))]

    def index(self, name: str) -> int:
        result = out("size_t")
        ok(lib.ctorch_weights_find(result, self.handle, name.encode()))
        return result[0]

    def dtype(self, name: str) -> torch.dtype:
        result = out("ctorch_dtype")
        ok(lib.ctorch_weights_dtype(result, self.handle, self.index(name)))
        return DTYPES[result[0]]

    def shape(self, name: str) -> tuple[int, ...]:
        sizes, length = ffi.new("const int64_t **"), out("size_t")
        ok(lib.ctorch_weights_shape(sizes, length, self.handle, self.index(name)))
        return tuple(sizes[0][i] for i in range(length[0]))

    def type(self, name: str) -> str:
        return text(lib.ctorch_weights_type(self.handle, self.index(name)))

    def nbytes(self, name: str) -> int:
        return lib.ctorch_weights_nbytes(self.handle, self.index(name))

    def tensor(self, name: str) -> torch.Tensor:
        result = out("ctorch_tensor *")
        ok(lib.ctorch_weights_tensor(result, self.handle, name.encode()))
        return tensor(result[0])

    def slice(self, name: str, *bounds: tuple[int, int]) -> torch.Tensor:
        result = out("ctorch_tensor *")
        begin, end = ([b[i] for b in bounds] for i in (0, 1))
        ok(lib.ctorch_weights_slice(result, self.handle, name.encode(), begin, len(begin), end, len(end)))
        return tensor(result[0])

    def metadata(self) -> dict[str, Any]:
        return python(made("ctorch_weights_metadata", self.handle))

    def objects(self) -> list[tuple[str, str]]:
        """The names and classes of those that are left out."""
        accessors = lib.ctorch_weights_object_name, lib.ctorch_weights_object_class
        assert all(
            accessor(self.handle, lib.ctorch_weights_objects_len(self.handle)) == ffi.NULL for accessor in accessors
        )
        return [
            tuple(text(accessor(self.handle, i)) for accessor in accessors)
            for i in range(lib.ctorch_weights_objects_len(self.handle))
        ]

    def load(self) -> dict[str, torch.Tensor]:
        return python(made("ctorch_weights_load", self.handle, ffi.NULL))


def bits(tensor: torch.Tensor) -> bytes:
    """The elements row by row."""
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    return bytes(flat.as_strided((flat.numel(),), (1,)).view(torch.uint8).numpy())


def same(expected: torch.Tensor, got: torch.Tensor, where: str = "") -> None:
    """Equal to the last bit, whatever the dtype."""
    assert got.dtype == expected.dtype and got.shape == expected.shape, (where, got.dtype, got.shape, expected.shape)
    assert bits(expected) == bits(got), where


def random_tensor(generator: torch.Generator, dtype: torch.dtype, shape: tuple[int, ...]) -> torch.Tensor:
    """Any bits; of bool, 0 and 1."""
    nbytes = torch.empty(shape, dtype=dtype, device="meta").nbytes
    data = torch.randint(0, 256, (nbytes,), dtype=torch.uint8, generator=generator)
    if dtype == torch.bool:
        data = data % 2
    return data.view(dtype).reshape(shape) if nbytes else torch.empty(shape, dtype=dtype)
