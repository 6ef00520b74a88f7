"""GGUF files as the Python package `gguf` writes them: what that reads and dequantizes is what ctorch reads."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from gguf.constants import GGML_QUANT_SIZES, GGUFEndian, GGUFValueType
from gguf.constants import GGMLQuantizationType as Type

from tests.harness import collisions
from tests.harness.capi import error, fails, ffi, lib, ok, out, tensor, text
from tests.harness.values import made, python

PLAIN = {
    Type.F32: (np.float32, torch.float32),
    Type.F16: (np.float16, torch.float16),
    Type.F64: (np.float64, torch.float64),
    Type.I8: (np.int8, torch.int8),
    Type.I16: (np.int16, torch.int16),
    Type.I32: (np.int32, torch.int32),
    Type.I64: (np.int64, torch.int64),
    Type.BF16: (np.uint16, torch.bfloat16),
}
BLOCKS = [
    Type[name]
    for name in "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS TQ1_0 TQ2_0 MXFP4 NVFP4".split()
]
QUANTIZED = [Type[name] for name in "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 TQ1_0 TQ2_0 MXFP4".split()]  # by the package
UNREAD = [Type[name] for name in "Q8_1 IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ3_S IQ2_S IQ1_M Q1_0".split()]


ROOT = Path(__file__).parents[2]
KEPT = []  # callbacks, which weights may call as long as they live


class Callback:
    """A reader of what a callback gives."""

    def __init__(self, data: bytes):
        self.data, self.read = data, 0

        @ffi.callback("ctorch_callback_status(void *, size_t, size_t, ctorch_error **, void *)")
        def read(to, nbytes, offset, out_error, payload):
            if offset + nbytes > len(self.data):
                out_error[0] = error("IO", "asked for what is not there")
                return 0
            self.read += nbytes
            ffi.memmove(to, self.data[offset : offset + nbytes], nbytes)
            return 1

        KEPT.append(read)
        made_reader = out("ctorch_reader *")
        ok(lib.ctorch_reader_from_callback(made_reader, len(data), read, ffi.NULL, ffi.NULL))
        self.reader = ffi.gc(made_reader[0], lib.ctorch_reader_release)


def reader_of(data: bytes):
    made_reader = out("ctorch_reader *")
    ok(lib.ctorch_reader_from_data(made_reader, data, len(data), ffi.NULL, ffi.NULL))
    return ffi.gc(made_reader[0], lib.ctorch_reader_release)


def opened(reader):
    result = out("ctorch_weights *")
    ok(lib.ctorch_weights_open(result, reader))
    return ffi.gc(result[0], lib.ctorch_weights_release)


def refused(data: bytes) -> tuple[str, str]:
    """Why a file is not opened: whatever it is read from."""
    answers = set()
    for reader in (reader_of(data), Callback(data).reader):
        result = out("ctorch_weights *")
        answers.add(fails(lib.ctorch_weights_open(result, reader), "ctorch_weights_open"))
        assert result[0] == ffi.NULL
    assert len(answers) == 1, answers
    return answers.pop()


def read(weights, name: str) -> torch.Tensor:
    result = out("ctorch_tensor *")
    ok(lib.ctorch_weights_tensor(result, weights, name.encode()))
    return tensor(result[0])


def sliced(weights, name: str, *bounds: tuple[int, int]) -> torch.Tensor:
    result = out("ctorch_tensor *")
    begin, end = ([b[i] for b in bounds] for i in (0, 1))
    ok(lib.ctorch_weights_slice(result, weights, name.encode(), begin, len(begin), end, len(end)))
    return tensor(result[0])


def metadata(weights) -> dict:
    return python(made("ctorch_weights_metadata", weights))


def shape_of(weights, index: int) -> list[int]:
    data, length = ffi.new("const int64_t **"), out("size_t")
    ok(lib.ctorch_weights_shape(data, length, weights, index))
    return list(data[0][0 : length[0]]) if length[0] else []


def write(path, build, endian=GGUFEndian.LITTLE):
    writer = gguf.GGUFWriter(path, "test", endianess=endian)
    build(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path.read_bytes()


def random_bytes(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def blocks(kind: Type, rows: int, columns: int, seed: int = 1) -> np.ndarray:
    """Any bits, among them infinite scales and those that are no numbers."""
    block_len, nbytes = GGML_QUANT_SIZES[kind]
    return random_bytes(seed + kind.value, rows, columns // block_len * nbytes)


def same_bits(mine: torch.Tensor, expected: np.ndarray) -> bool:
    """But for NaNs, which are only NaN."""
    mine, expected = mine.contiguous().numpy(), np.ascontiguousarray(expected)
    nan = np.isnan(expected)
    return (
        mine.shape == expected.shape
        and np.array_equal(np.isnan(mine), nan)
        and np.array_equal(mine.view(np.uint32)[~nan], expected.view(np.uint32)[~nan])
    )


# Tensors --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", BLOCKS, ids=lambda k: k.name)
def test_quantized_elements_are_those_of_the_package(tmp_path, kind):
    raw = blocks(kind, 7 * 300, 512).reshape(7, 300, -1)
    write(tmp_path / "q.gguf", lambda w: w.add_tensor("x", raw, raw_dtype=kind))
    with np.errstate(all="ignore"):
        expected = gguf.quants.dequantize(raw, kind)
    assert np.isfinite(expected).sum() > expected.size / 2
    for reader in (Callback((tmp_path / "q.gguf").read_bytes()).reader, reader_of((tmp_path / "q.gguf").read_bytes())):
        weights = opened(reader)
        assert text(lib.ctorch_weights_type(weights, 0)) == kind.name
        assert shape_of(weights, 0) == [7, 300, 512]
        assert lib.ctorch_weights_nbytes(weights, 0) == raw.size
        x = read(weights, "x")
        assert x.dtype == torch.float32 and x.is_contiguous()
        assert same_bits(x, expected)


@pytest.mark.parametrize("kind", QUANTIZED, ids=lambda k: k.name)
def test_rows_that_the_package_quantized_come_back(tmp_path, kind):
    """The scales of real weights."""
    values = np.random.default_rng(5).normal(size=(64, 256)).astype(np.float32)
    raw = gguf.quants.quantize(values, kind)
    weights = opened(reader_of(write(tmp_path / "q.gguf", lambda w: w.add_tensor("x", raw, raw_dtype=kind))))
    assert same_bits(read(weights, "x"), gguf.quants.dequantize(raw, kind))
    assert np.abs(read(weights, "x").numpy() - values).mean() < 0.8


def test_q8_k(tmp_path):
    """The package does not read it: a float, 256 signed bytes, and sums that nobody needs."""
    raw = random_bytes(3, 5, 292 * 2)
    raw.reshape(5, 2, 292)[:, :, :4] = np.frombuffer(np.float32([0.5]).tobytes(), np.uint8)
    weights = opened(reader_of(write(tmp_path / "q.gguf", lambda w: w.add_tensor("x", raw, raw_dtype=Type.Q8_K))))
    expected = raw.reshape(5, 2, 292)[:, :, 4:260].view(np.int8).astype(np.float32) * np.float32(0.5)
    assert same_bits(read(weights, "x"), expected.reshape(5, 512))


def big_endian(raw: np.ndarray, kind: Type) -> np.ndarray:
    """The numbers in blocks with their highest byte first, as on the machines that have them so."""
    block_len, nbytes = GGML_QUANT_SIZES[kind]
    swapped = raw.reshape(-1, nbytes).copy()
    fields = {
        **{k: [(0, 2)] for k in (Type.Q4_0, Type.Q8_0, Type.IQ4_NL)},
        **{k: [(0, 2), (2, 2)] for k in (Type.Q4_1, Type.Q4_K, Type.Q5_K, Type.IQ4_XS)},
        Type.Q5_0: [(0, 2), (2, 4)],
        Type.Q5_1: [(0, 2), (2, 2), (4, 4)],
        Type.Q2_K: [(80, 2), (82, 2)],
        Type.Q3_K: [(108, 2)],
        Type.Q6_K: [(208, 2)],
        Type.TQ1_0: [(52, 2)],
        Type.TQ2_0: [(64, 2)],
        Type.MXFP4: [],
        Type.NVFP4: [],
    }[kind]
    for at, n in fields:
        swapped[:, at : at + n] = swapped[:, at : at + n][:, ::-1]
    return swapped.reshape(raw.shape)


@pytest.mark.parametrize("kind", BLOCKS, ids=lambda k: k.name)
def test_big_endian_blocks(tmp_path, kind):
    raw = blocks(kind, 16, 512, seed=9)
    data = write(
        tmp_path / "q.gguf",
        lambda w: w.add_tensor("x", big_endian(raw, kind), raw_dtype=kind, tensor_endianess=GGUFEndian.BIG),
        GGUFEndian.BIG,
    )
    with np.errstate(all="ignore"):
        assert same_bits(read(opened(reader_of(data)), "x"), gguf.quants.dequantize(raw, kind))


@pytest.mark.parametrize("endian", GGUFEndian, ids=lambda e: e.name)
@pytest.mark.parametrize("kind", PLAIN, ids=lambda k: k.name)
def test_plain_elements(tmp_path, kind, endian):
    numpy_type, torch_type = PLAIN[kind]
    raw = random_bytes(kind.value, 3, 4, 5 * np.dtype(numpy_type).itemsize).view(numpy_type)
    data = write(tmp_path / "p.gguf", lambda w: w.add_tensor("x", raw, raw_dtype=kind), endian)
    expected = torch.from_numpy(raw.view(f"i{raw.itemsize}").copy())
    for reader in (Callback(data).reader, reader_of(data)):
        weights = opened(reader)
        assert text(lib.ctorch_weights_format(weights)) == "gguf"
        assert text(lib.ctorch_weights_type(weights, 0)) == kind.name
        x = read(weights, "x")
        assert x.dtype == torch_type and torch.equal(x.view(expected.dtype), expected)
        assert torch.equal(sliced(weights, "x", (1, 3), (0, 2)).contiguous().view(expected.dtype), expected[1:3, 0:2])


def test_plain_elements_share_a_mapped_file(tmp_path):
    raw = np.arange(60, dtype=np.float32).reshape(3, 20)
    write(tmp_path / "p.gguf", lambda w: (w.add_tensor("a", raw), w.add_tensor("b", raw + 1)))
    for mmap in (True, False):
        weights = out("ctorch_weights *")
        ok(lib.ctorch_weights_open_file(weights, str(tmp_path / "p.gguf").encode(), mmap))
        a, again = read(weights[0], "a"), read(weights[0], "a")
        assert (a.data_ptr() == again.data_ptr()) == mmap
        lib.ctorch_weights_release(weights[0])
        assert np.array_equal(a.numpy(), raw)  # the mapping lives on


def test_shapes_are_pytorchs(tmp_path):
    shapes = {"a": (4,), "b": (2, 3), "c": (2, 3, 4), "d": (2, 3, 4, 5)}

    def build(w):
        for name, shape in shapes.items():
            w.add_tensor(name, np.zeros(shape, np.float32))

    weights = opened(reader_of(write(tmp_path / "s.gguf", build)))
    assert lib.ctorch_weights_len(weights) == 4
    for i, (name, shape) in enumerate(shapes.items()):
        assert text(lib.ctorch_weights_name(weights, i)) == name
        assert shape_of(weights, i) == list(shape) == list(read(weights, name).shape)


@pytest.mark.parametrize("kind", [Type.Q4_0, Type.Q6_K], ids=lambda k: k.name)
def test_slices_of_quantized_tensors(tmp_path, kind):
    raw = blocks(kind, 12, 1024).reshape(3, 4, -1)
    data = write(tmp_path / "q.gguf", lambda w: w.add_tensor("x", raw, raw_dtype=kind))
    with np.errstate(all="ignore"):
        expected = gguf.quants.dequantize(raw, kind)
    for source in (Callback(data).reader, reader_of(data)):
        weights = opened(source)
        for bounds in [
            [(1, 2)],
            [(0, 3), (1, 3)],
            [(2, 3), (0, 4)],
            [(0, 3), (0, 4), (5, 700)],
            [(1, 3), (2, 4), (31, 33)],
            [(0, 1), (0, 1), (1023, 1024)],
            [(0, 3), (0, 4), (256, 512)],
            [(-1, 3), (-2, -1), (-5, 1024)],
            [(1, 1)],
            [(0, 3), (0, 4), (7, 7)],
        ]:
            index = tuple(slice(*b) for b in bounds)
            assert same_bits(sliced(weights, "x", *bounds), expected[index]), bounds


def test_a_slice_reads_no_more_blocks_than_it_takes(tmp_path):
    raw = blocks(Type.Q4_0, 1000, 1024)
    source = Callback(write(tmp_path / "q.gguf", lambda w: w.add_tensor("x", raw, raw_dtype=Type.Q4_0)))
    weights = opened(source.reader)
    for bounds, expected in {
        ((10, 20),): 10 * 32 * 18,
        ((10, 11), (40, 50)): 18,
        ((0, 4), (31, 33)): 4 * 2 * 18,
        ((3, 3),): 0,
    }.items():
        source.read = 0
        sliced(weights, "x", *bounds)
        assert source.read == expected, bounds
    source.read = 0
    read(weights, "x")
    assert source.read == raw.size


@pytest.mark.parametrize("kind", UNREAD, ids=lambda k: k.name)
def test_types_that_are_not_read_are_listed(tmp_path, kind):
    block_len, nbytes = GGML_QUANT_SIZES[kind]
    raw = random_bytes(1, 2, nbytes)

    def build(w):
        w.add_tensor("x", raw, raw_dtype=kind)
        w.add_tensor("y", np.ones(3, np.float32))

    weights = opened(reader_of(write(tmp_path / "q.gguf", build)))
    assert text(lib.ctorch_weights_type(weights, 0)) == kind.name
    assert shape_of(weights, 0) == [2, block_len] and lib.ctorch_weights_nbytes(weights, 0) == 2 * nbytes
    for failure in (
        lib.ctorch_weights_tensor(out("ctorch_tensor *"), weights, b"x"),
        lib.ctorch_weights_slice(out("ctorch_tensor *"), weights, b"x", [0], 1, [1], 1),
        lib.ctorch_weights_dtype(out("ctorch_dtype"), weights, 0),
    ):
        code, message = fails(failure)
        assert code == "UNSUPPORTED" and kind.name in message
    assert read(weights, "y").tolist() == [1, 1, 1]


# Keys -----------------------------------------------------------------------------------------------------------------

KEYS = {
    "u8": (GGUFValueType.UINT8, 255),
    "i8": (GGUFValueType.INT8, -128),
    "u16": (GGUFValueType.UINT16, 65535),
    "i16": (GGUFValueType.INT16, -32768),
    "u32": (GGUFValueType.UINT32, 2**32 - 1),
    "i32": (GGUFValueType.INT32, -(2**31)),
    "u64": (GGUFValueType.UINT64, 2**64 - 1),
    "i64": (GGUFValueType.INT64, -(2**63)),
    "f32": (GGUFValueType.FLOAT32, 0.1),
    "f64": (GGUFValueType.FLOAT64, 0.1),
    "yes": (GGUFValueType.BOOL, True),
    "no": (GGUFValueType.BOOL, False),
    "text": (GGUFValueType.STRING, "größe\0日本"),
    "empty": (GGUFValueType.STRING, ""),
}
LISTS = {
    "u8s": (GGUFValueType.UINT8, [0, 255]),
    "i8s": (GGUFValueType.INT8, [-128, 127]),
    "u16s": (GGUFValueType.UINT16, list(range(5000))),
    "i16s": (GGUFValueType.INT16, [-1]),
    "u32s": (GGUFValueType.UINT32, [2**32 - 1, 0]),
    "i32s": (GGUFValueType.INT32, [-1, 1]),
    "u64s": (GGUFValueType.UINT64, [1, 2]),
    "large u64s": (GGUFValueType.UINT64, [1, 2**63, 2**64 - 1]),
    "i64s": (GGUFValueType.INT64, [-(2**63), 2**63 - 1]),
    "f32s": (GGUFValueType.FLOAT32, [0.1, -0.0]),
    "f64s": (GGUFValueType.FLOAT64, [0.1, 1e300]),
    "bools": (GGUFValueType.BOOL, [True, False]),
    "tokens": (GGUFValueType.STRING, ["<s>", "", "größe"] + [f"token {i}" for i in range(3000)]),
}


@pytest.mark.parametrize("endian", GGUFEndian, ids=lambda e: e.name)
def test_keys_of_every_type(tmp_path, endian):
    def build(w):
        for key, (kind, value) in KEYS.items():
            w.add_key_value(key, value, kind)
        for key, (kind, values) in LISTS.items():
            w.add_key_value(key, values, GGUFValueType.ARRAY, sub_type=kind)

    data = write(tmp_path / "k.gguf", build, endian)
    read_fields = gguf.GGUFReader(tmp_path / "k.gguf").fields
    expected = {k: f.contents() for k, f in read_fields.items() if not k.startswith("GGUF.")}
    for reader in (Callback(data).reader, reader_of(data)):
        found = metadata(opened(reader))
        assert list(found) == ["general.architecture", *KEYS, *LISTS]
        assert found == expected
        assert [type(v) for v in found.values()] == [type(v) for v in expected.values()]


# A file by hand: what the package does not write, and what nobody should ---------------------------------------------


def number(n: int, value: int, order: str = "<") -> bytes:
    return struct.pack(order + {1: "B", 2: "H", 4: "I", 8: "Q"}[n], value)


def string(value: bytes, version: int = 3) -> bytes:
    return number(4 if version == 1 else 8, len(value)) + value


def key(name: bytes, kind: int, value: bytes, version: int = 3) -> bytes:
    return string(name, version) + number(4, kind) + value


def info(name: bytes, dims: list[int], kind: int, offset: int, version: int = 3) -> bytes:
    sizes = b"".join(number(4 if version == 1 else 8, d) for d in dims)
    return string(name, version) + number(4, len(dims)) + sizes + number(4, kind) + number(8, offset)


def file(keys=(), infos=(), data=b"", version=3, alignment=32, n_keys=None, n_infos=None) -> bytes:
    n = 4 if version == 1 else 8
    head = b"GGUF" + number(4, version) + number(n, len(infos) if n_infos is None else n_infos)
    head += number(n, len(keys) if n_keys is None else n_keys) + b"".join(keys) + b"".join(infos)
    return head + (b"\0" * (-len(head) % alignment) + data if data else b"")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_versions(version):
    keys = [key(b"a", 4, number(4, 7), version), key(b"s", 8, string(b"text", version), version)]
    keys.append(key(b"l", 9, number(4, 8) + number(4 if version == 1 else 8, 1) + string(b"x", version), version))
    data = struct.pack("<6f", *range(6))
    weights = opened(reader_of(file(keys, [info(b"x", [3, 2], 0, 0, version)], data, version)))
    assert metadata(weights) == {"a": 7, "s": "text", "l": ["x"]}
    assert read(weights, "x").tolist() == [[0, 1, 2], [3, 4, 5]]


def test_alignment():
    for alignment in (1, 8, 64, 4096):
        keys = [key(b"general.alignment", 4, number(4, alignment))]
        infos = [info(b"x", [2], 0, 0), info(b"y", [1], 24, 8 * max(alignment, 1))]
        data = struct.pack("<2f", 1, 2).ljust(8 * alignment, b"\0") + b"\x05"
        weights = opened(reader_of(file(keys, infos, data, alignment=alignment)))
        assert read(weights, "x").tolist() == [1, 2] and read(weights, "y").tolist() == [5]


def test_lists_of_lists():
    inner = [number(4, 4) + number(8, 2) + number(4, 1) + number(4, 2), number(4, 8) + number(8, 1) + string(b"x")]
    weights = opened(reader_of(file([key(b"l", 9, number(4, 9) + number(8, 2) + b"".join(inner))])))
    assert metadata(weights) == {"l": [[1, 2], ["x"]]}


def test_keys_of_one_hash():
    """LibTorch's table alone would take 2^60 slots."""
    names = collisions.texts(60)
    weights = opened(reader_of(file([key(name.encode(), 4, number(4, 7)) for name in names])))
    with collisions.no_more_memory():
        assert metadata(weights) == dict.fromkeys(names, 7)


def test_texts_of_any_bytes_and_empty_lists():
    keys = [key(b"s", 8, string(b"\xff\x00")), *(key(b"%d" % k, 9, number(4, k) + number(8, 0)) for k in range(13))]
    weights = opened(reader_of(file(keys)))
    value = made("ctorch_weights_metadata", weights)
    entry = made("ctorch_value_dict_at", value, b"s")
    data, length = ffi.new("const char **"), out("size_t")
    ok(lib.ctorch_value_to_string(data, length, entry))
    assert bytes(ffi.buffer(data[0], length[0])) == b"\xff\x00"
    ok(lib.ctorch_value_dict_remove(value, python_key("s")))
    assert python(value) == {str(k): [] for k in range(13)}


def python_key(name: str):
    return made("ctorch_value_from_string", name.encode())


def test_empty_tensors_scalars_and_no_tensors():
    weights = opened(reader_of(file()))
    assert lib.ctorch_weights_len(weights) == 0 and metadata(weights) == {}
    infos = [info(b"e", [0, 5], 0, 0), info(b"q", [0, 5], 2, 0), info(b"s", [], 0, 0), info(b"r", [32, 0], 2, 32)]
    weights = opened(reader_of(file(infos=infos, data=struct.pack("<f", 2.5))))
    assert read(weights, "e").shape == (5, 0) and read(weights, "s").item() == 2.5
    assert read(weights, "q").shape == (5, 0) and read(weights, "r").shape == (0, 32)


def test_an_unknown_type_is_listed_and_not_read():
    data = file(infos=[info(b"x", [4], 99, 0), info(b"y", [1], 24, 0), info(b"z", [4], 31, 0)], data=b"\x07")
    weights = opened(reader_of(data))
    assert text(lib.ctorch_weights_type(weights, 0)) == "type 99" and lib.ctorch_weights_nbytes(weights, 0) == 0
    assert text(lib.ctorch_weights_type(weights, 2)) == "type 31" and shape_of(weights, 0) == [4]
    assert read(weights, "y").tolist() == [7]
    code, message = fails(lib.ctorch_weights_tensor(out("ctorch_tensor *"), weights, b"x"))
    assert code == "UNSUPPORTED" and "type 99" in message


ONE = [info(b"x", [4], 0, 0)]
DEEP = b"".join(number(4, 9) + number(8, 1) for _ in range(9)) + number(4, 0) + number(8, 0)
HOSTILE = {
    "no version": (b"GGUF", "ends early"),
    "half a version": (b"GGUF\x03\0", "ends early"),
    "no counts": (b"GGUF" + number(4, 3), "ends early"),
    "more keys than bytes": (file(n_keys=2**64 - 1), "ends early"),
    "more tensors than bytes": (file(n_infos=2**61), "ends early"),
    "a key less": (file([key(b"a", 0, b"\1")], n_keys=2), "ends early"),
    "a tensor less": (file(infos=ONE, data=b"\0" * 40, n_infos=2), ""),
    "a key beyond the end": (file([number(8, 2**63) + b"x" * 20]), "ends early"),
    "a key of 2^64 - 1 bytes": (file([number(8, 2**64 - 1) + b"x" * 20]), "ends early"),
    "a key that is not UTF-8": (file([key(b"\xff", 0, b"\1")]), "is no text"),
    "a key with a NUL": (file([key(b"a\0b", 0, b"\1")]), "is no text"),
    "an unknown type of value": (file([key(b"a", 13, b"\1" * 9)]), "unknown type 13"),
    "an unknown type in a list": (file([key(b"a", 9, number(4, 99) + number(8, 1) + b"\1")]), "unknown type 99"),
    "a list beyond the end": (file([key(b"a", 9, number(4, 4) + number(8, 2**62))]), "ends early"),
    "a list of texts beyond the end": (file([key(b"a", 9, number(4, 8) + number(8, 2**62))]), "ends early"),
    "a list of lists beyond the end": (file([key(b"a", 9, number(4, 9) + number(8, 2**62))]), "ends early"),
    "lists nested too deep": (file([key(b"a", 9, DEEP)]), "nested too deep"),
    "an alignment of 0": (file([key(b"general.alignment", 4, number(4, 0))]), "general.alignment"),
    "an alignment of 24": (file([key(b"general.alignment", 4, number(4, 24))]), "general.alignment"),
    "an alignment of another type": (file([key(b"general.alignment", 10, number(8, 32))]), "general.alignment"),
    "an alignment twice": (file([key(b"general.alignment", 4, number(4, 32))] * 2), "general.alignment"),
    "a name that is not UTF-8": (file(infos=[info(b"\xff", [1], 0, 0)], data=b"\0" * 4), "is no text"),
    "two tensors of one name": (file(infos=[*ONE, *ONE], data=b"\0" * 16), "two tensors"),
    "65 dimensions": (file(infos=[info(b"x", [1] * 65, 0, 0)], data=b"\0" * 4), "65 dimensions"),
    "2^32 - 1 dimensions": (file(infos=[string(b"x") + number(4, 2**32 - 1) + b"\0" * 99]), "dimensions"),
    "a size beyond 63 bits": (file(infos=[info(b"x", [2**63], 0, 0)]), "too large"),
    "a product beyond 63 bits": (file(infos=[info(b"x", [2**32, 2**31], 0, 0)]), "too large"),
    "a product of 0 beyond 63 bits": (file(infos=[info(b"x", [2**62, 2**62, 0], 0, 0)]), "too large"),
    "blocks beyond 63 bits": (file(infos=[info(b"x", [2**60], 8, 0)]), ""),
    "elements beyond the end": (file(infos=ONE, data=b"\0" * 15), 'before "x" does'),
    "no elements": (file(infos=ONE), 'before "x" does'),
    "an offset beyond the end": (file(infos=[info(b"x", [4], 0, 2**62)], data=b"\0" * 16), 'before "x" does'),
    "an offset that overflows": (file(infos=[info(b"x", [4], 0, 2**64 - 32)], data=b"\0" * 16), 'before "x" does'),
    "an offset that is not aligned": (file(infos=[info(b"x", [4], 0, 16)], data=b"\0" * 99), "no multiple of 32"),
    "tensors that lie over each other": (
        file(infos=[info(b"x%d" % i, [9999], 0, 0) for i in range(3)], data=b"\0" * 40000),
        '"x1" lies over',
    ),
    "rows of half a block": (file(infos=[info(b"x", [16], 2, 0)], data=b"\0" * 99), "blocks of Q4_0 have 32"),
    "rows of no whole block": (file(infos=[info(b"x", [48, 2], 2, 0)], data=b"\0" * 99), "rows of 48"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_damaged_files_are_refused(name):
    data, message = HOSTILE[name]
    kind, found = refused(data)
    assert kind == "FORMAT" and found.startswith("data: ") and message in found, found


@pytest.mark.parametrize("version", [0, 4, 2**31, 3 << 16])
def test_other_versions_are_unsupported(version):
    kind, found = refused(b"GGUF" + number(4, version) + b"\0" * 16)
    assert kind == "UNSUPPORTED" and "GGUF of version" in found


@pytest.mark.parametrize(
    "keys, message",
    [
        ([key(b"a", 0, b"\1")] * 2, 'the key "a" stands twice'),
        ([key(b"a", 7, b"\2")], "a bool"),
        ([key(b"a", 9, number(4, 7) + number(8, 2) + b"\1\xff")], "a bool"),
    ],
)
def test_damaged_keys_are_refused_when_they_are_read(keys, message):
    weights = opened(reader_of(file(keys)))
    kind, found = fails(lib.ctorch_weights_metadata(out("ctorch_value *"), weights))
    assert kind == "FORMAT" and message in found


def test_a_file_that_ends_anywhere_is_refused():
    keys = [key(b"a", 9, number(4, 8) + number(8, 2) + string(b"x") + string(b"yz")), key(b"b", 12, b"\0" * 8)]
    data = file(keys, [info(b"x", [32, 2], 2, 0), info(b"y", [3], 0, 64)], b"\0" * 76)
    ok_weights = opened(reader_of(data))
    assert metadata(ok_weights) == {"a": ["x", "yz"], "b": 0.0}
    for n in range(4, len(data)):
        assert refused(data[:n])[0] == "FORMAT"


def test_what_a_callback_fails_with_comes_out():
    data = file(infos=[info(b"x", [32], 2, 0)], data=b"\0" * 18)
    source = Callback(data)
    weights = opened(source.reader)
    source.data = data[:-1]
    assert fails(lib.ctorch_weights_tensor(out("ctorch_tensor *"), weights, b"x")) == (
        "IO",
        "asked for what is not there",
    )


def test_the_header_names_the_types_that_are_not_read():
    header = (ROOT / "include/ctorch/weights/weights.h").read_text()
    part = header[header.index('- "gguf"') : header.index('- "pt2"')]
    assert {kind.name for kind in Type if re.search(rf"\b{kind.name}\b", part)} == {kind.name for kind in UNREAD}
    known = {*PLAIN, *BLOCKS, *UNREAD, Type.Q8_K}
    assert known == {*Type}
