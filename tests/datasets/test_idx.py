"""IDX files: every type and shape, packed or not, beside NumPy; and what is refused."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest
import torch

from tests.datasets.files import SOURCES, reader
from tests.harness.capi import CtorchError, fails, ffi, lib, ok, out, tensor

TYPES = {"u1": 0x08, "i1": 0x09, "i2": 0x0B, "i4": 0x0C, "f4": 0x0D, "f8": 0x0E}
PACKED = [pytest.param(lambda data: data, id="plain"), pytest.param(gzip.compress, id="gzip")]


def idx(array: np.ndarray) -> bytes:
    kind = array.dtype.str[1:]
    head = struct.pack(">HBB", 0, TYPES[kind], array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.astype(f">{kind}").tobytes()


def read(data: bytes, source: str = "memory") -> torch.Tensor:
    result, file = out("ctorch_tensor *"), reader(data, source)
    ok(lib.ctorch_idx_read(result, file))
    return tensor(result[0])


def refused(data: bytes) -> str:
    for source in SOURCES:
        with pytest.raises(CtorchError) as failure:
            read(data, source)
        assert failure.value.kind == "FORMAT" and failure.value.function == "ctorch_idx_read"
        assert failure.value.message.startswith("data: ")
    return failure.value.message


@pytest.mark.parametrize("pack", PACKED)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 0, 2), (7, 4, 3), (70000,)])
def test_arrays(kind, shape, source, pack):
    rng = np.random.default_rng(1)
    array = (rng.standard_normal(shape) * 50).astype(kind) if kind != "u1" else rng.integers(0, 256, shape).astype(kind)
    result = read(pack(idx(np.asarray(array))), source)
    expected = torch.from_numpy(np.array(array))
    assert result.dtype == expected.dtype and result.shape == expected.shape and torch.equal(result, expected)


@pytest.mark.parametrize("pack", PACKED)
def test_every_cut_is_refused(pack):
    data = pack(idx(np.arange(24, dtype="i2").reshape(2, 3, 4)))
    for end in range(len(data)):
        refused(data[:end])


@pytest.mark.parametrize("pack", PACKED)
@pytest.mark.parametrize(
    "data",
    [
        b"\0\0\x08\x01" + struct.pack(">I", 5) + bytes(6),
        b"\0\0\x08\x01" + struct.pack(">I", 2**32 - 1) + bytes(6),
        b"\0\0\x0e\x04" + struct.pack(">4I", *[2**32 - 1] * 4) + bytes(6),
        b"\0\0\x08\x02" + struct.pack(">2I", 2**31, 2**31) + bytes(6),
        b"\0\0\x0a\x01" + struct.pack(">I", 2) + bytes(2),
        b"\0\1\x08\x01" + struct.pack(">I", 2) + bytes(2),
        b"\0\0\x08\xff" + bytes(30),
        b"",
    ],
)
def test_what_is_no_array_is_refused(data, pack):
    refused(pack(data))


def test_gzip_is_pythons():
    data = idx(np.arange(100000, dtype="i4"))
    half = len(data) // 2
    two = gzip.compress(data[:half]) + gzip.compress(data[half:])
    for packed in (two, two + bytes(1000), gzip.compress(data, 0)):
        assert gzip.decompress(packed) == data
        assert torch.equal(read(packed, "callback"), torch.arange(100000, dtype=torch.int32))
    for damaged in (two + b"x", two + b"\x1f\x8b", two[:-1], two[:-8] + bytes(8)):
        with pytest.raises((OSError, EOFError)):
            gzip.decompress(damaged)
        refused(damaged)


def test_a_small_file_does_not_unpack_to_a_large_one():
    head = b"\0\0\x08\x02" + struct.pack(">2I", 2**20, 2**20)
    assert "ends early" in refused(gzip.compress(head + bytes(10**6)))


def test_files(tmp_path):
    result = out("ctorch_tensor *")
    path = tmp_path / "ä-idx1-ubyte.gz"
    path.write_bytes(gzip.compress(idx(np.arange(7, dtype="u1"))))
    ok(lib.ctorch_idx_read_file(result, str(path).encode()))
    assert tensor(result[0]).tolist() == list(range(7))
    path.write_bytes(path.read_bytes()[:-1])
    kind, message = fails(lib.ctorch_idx_read_file(result, str(path).encode()), "ctorch_idx_read_file")
    assert kind == "FORMAT" and message.startswith(f"{path}: ")
    assert fails(lib.ctorch_idx_read_file(result, b"/no/such/file"))[0] == "IO"
    assert fails(lib.ctorch_idx_read_file(result, ffi.NULL))[0] == "NULL_ARGUMENT"
    assert lib.ctorch_idx_supports_gzip()
