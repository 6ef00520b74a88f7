"""safetensors beside the Python package: the same bytes, the same tensors, and the same files are refused."""

from __future__ import annotations

import json
import random
import struct

import numpy as np
import pytest
import safetensors
import safetensors.torch
import torch

from tests.harness import collisions
from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out
from tests.harness.values import python, value
from tests.weights.weights import SOURCES, Weights, random_tensor, same, written

DTYPES = [
    getattr(torch, name)
    for name in "bool uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64 complex64 "
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float4_e2m1fn_x2".split()
]
NAMES = ["a", "b", "layer.0.weight", "layer.0.bias", "", " ", "\u00e4", "\U0001f600", 'quo"te', "back\\slash"]
NAMES += ["a\tb\n\x01\x1f\x7f", "z" * 300]


def write(tensors, metadata=None, source="memory"):
    extra = None if metadata is None else value(metadata)
    return written("ctorch_safetensors_write", value(tensors), extra, source=source)


def contents(seed):
    """A dict of tensors and metadata, of which more than one entry have no order in Python."""
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    tensors = {}
    for name in rng.sample(NAMES, rng.randint(0, len(NAMES))):
        shape = tuple(rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(rng.randint(0, 4)))
        dtype = rng.choice(DTYPES)
        if dtype == torch.float4_e2m1fn_x2 and not shape:
            shape = (3,)
        tensors[name] = random_tensor(generator, dtype, shape)
    return tensors, rng.choice([None, {}, {"format": "pt"}, {'k"\\\u00e4': "v\n\U0001f600\x00"}])


@pytest.mark.parametrize("seed", range(300))
def test_the_bytes_and_the_tensors_are_those_of_python(seed):
    tensors, metadata = contents(seed)
    expected = safetensors.torch.save(tensors, metadata)
    if not tensors and metadata == {}:  # of which Python makes what nobody can read
        expected = file_of(b'{"__metadata__":{}}     ')
    data = write(tensors, metadata, ["memory", "callback"][seed % 2])
    assert data == expected
    with Weights(data, SOURCES[seed % 3]) as file:
        assert file.format == "safetensors" and set(file.names()) == set(tensors) and len(file) == len(tensors)
        assert file.metadata() == (metadata or {})
        for name, tensor in tensors.items():
            same(tensor, file.tensor(name), name)
            assert (file.dtype(name), file.shape(name)) == (tensor.dtype, tuple(tensor.shape))
            assert file.nbytes(name) == tensor.nbytes
        loaded = file.load()
        assert list(loaded) == file.names()
        for name, tensor in loaded.items():
            same(tensors[name], tensor, name)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_in_a_file(dtype, tmp_path):
    tensor = random_tensor(torch.Generator().manual_seed(1), dtype, (3, 4, 2))
    path = str(tmp_path / "x.safetensors")
    safetensors.torch.save_file({"x": tensor}, path)
    for source in ("mmap", "read"):
        with Weights(path, source) as file:
            same(tensor, file.tensor("x"))
            with safetensors.safe_open(path, "pt") as python_file:
                assert file.type("x") == python_file.get_slice("x").get_dtype()
    ok(lib.ctorch_safetensors_write_file(value({"x": tensor}), ffi.NULL, path.encode()))
    same(tensor, safetensors.torch.load_file(path)["x"])


def test_metadata_is_sorted():
    data = write({}, {"b": "1", "a": "2", "\u00e4": "3"})
    assert json.loads(data[8:]) == {"__metadata__": {"a": "2", "b": "1", "\u00e4": "3"}}
    assert data[8:].startswith(b'{"__metadata__":{"a":"2","b":"1",') and len(data) % 8 == 0


def test_names_of_one_hash():
    """LibTorch's table alone would take 2^60 slots."""
    names = collisions.texts(60)
    data = safetensors.torch.save({name: torch.ones(1) for name in names}, dict.fromkeys(names, "text"))
    with collisions.no_more_memory():
        weights = Weights(data)
        assert weights.metadata() == dict.fromkeys(names, "text")
        assert weights.names() == names


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x.t(),
        lambda x: x[::2, 1:],
        lambda x: x.expand(2, 4, 6),
        lambda x: x.to(torch.complex64).conj(),
        lambda x: x.to(torch.complex64).conj().imag,
        lambda x: x.clone().requires_grad_(),
        lambda x: torch.nn.Parameter(x),
        lambda x: x.reshape(1, 4, 2, 3).to(memory_format=torch.channels_last),
    ],
)
def test_what_does_not_lie_row_by_row_is_written_so(make):
    tensor = make(torch.arange(24.0).reshape(4, 6))
    plain = tensor.detach().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
    assert write({"x": tensor}) == safetensors.torch.save({"x": plain})


BASE = torch.arange(12.0)


@pytest.mark.parametrize(
    "tensors, kind, message",
    [
        ({"a": BASE, "b": BASE}, "RUNTIME", '"a" and "b" share memory'),
        ({"a": BASE[:8], "b": BASE[4:]}, "RUNTIME", "share memory"),
        ({"a": BASE, "b": BASE[3:4]}, "RUNTIME", "share memory"),
        ({"a": BASE[:5], "b": BASE[4:]}, "RUNTIME", "share memory"),
        ({"a": BASE[:5:2], "b": BASE[4:]}, "RUNTIME", "share memory"),
        ({"a": BASE.to_sparse()}, "VALUE", '"a" is sparse_coo'),
        ({"a": torch.nested.nested_tensor([BASE, BASE[:2]])}, "VALUE", '"a" is nested'),
        ({"a": BASE.to(torch.complex128)}, "UNSUPPORTED", "complex128"),
        ({"a": torch.quantize_per_tensor(BASE, 0.1, 0, torch.qint8)}, "UNSUPPORTED", "qint8"),
        ({"__metadata__": BASE}, "VALUE", "__metadata__"),
        ({"a\0b": BASE}, "VALUE", "NUL"),
        ({1: BASE}, "TYPE", "expected names"),
        ({"a": 1}, "TYPE", '"a" is no tensor but int'),
        ({"a": None}, "TYPE", "no tensor"),
        ([BASE], "TYPE", "expected a dict"),
    ],
)
def test_what_is_refused(tensors, kind, message):
    with pytest.raises(CtorchError) as error:
        write(tensors)
    assert error.value.kind == kind and message in error.value.message
    if kind in ("RUNTIME", "VALUE") and all("_" not in k and "\0" not in k for k in tensors):
        with pytest.raises((ValueError, RuntimeError, AttributeError)):
            safetensors.torch.save(tensors)


@pytest.mark.parametrize("metadata", [{"a": 1}, {1: "a"}, {"a": "x", "b": None}, ["a"], "a"])
def test_metadata_are_texts(metadata):
    with pytest.raises(CtorchError, match="metadata") as error:
        write({"a": BASE}, metadata)
    assert error.value.kind == "TYPE"


def test_views_that_share_no_element_may_be_written():
    halves = {"a": BASE[:6], "b": BASE[6:]}
    assert write(halves) == safetensors.torch.save(halves)
    strided = {"a": BASE[:5:2], "b": BASE[5:]}
    assert write(strided) == safetensors.torch.save({k: v.clone() for k, v in strided.items()})


@pytest.mark.parametrize("source", SOURCES)
def test_slices(source):
    x = random_tensor(torch.Generator().manual_seed(3), torch.float32, (5, 4, 6))
    data = safetensors.torch.save({"w": torch.zeros(3), "x": x, "s": torch.tensor(2.5)})
    rng = random.Random(5)
    with Weights(data, source) as file:
        same(torch.tensor(2.5), file.slice("s"))
        for _ in range(200):
            bounds = [(rng.randint(-8, 8), rng.randint(-8, 8)) for _ in range(rng.randint(0, 3))]
            same(x[tuple(slice(*b) for b in bounds)], file.slice("x", *bounds), str(bounds))
        same(x[1:, :, 2**62 :], file.slice("x", (1, 2**63 - 1), (-(2**63), 4), (2**62, 2**63 - 1)))
        for bounds, length in ((([0] * 4), 4), (([0]), 0)):
            result = out("ctorch_tensor *")
            error = lib.ctorch_weights_slice(result, file.handle, b"x", bounds, len(bounds), bounds, length)
            assert error != ffi.NULL and result[0] == ffi.NULL
            assert lib.ctorch_error_kind_of(error) == lib.c.CTORCH_ERROR_INVALID_ARGUMENT
            lib.ctorch_error_release(error)


def test_a_slice_reads_its_own_bytes_alone():
    x = torch.arange(1000.0).reshape(10, 10, 10)
    data = safetensors.torch.save({"x": x})
    with Weights(data, "callback") as file:
        for bounds, count in (([(2, 5)], 300), ([(2, 3), (4, 6)], 20), ([(0, 10), (3, 4), (7, 8)], 10), ([(5, 5)], 0)):
            before = file.reader.nbytes_read
            same(x[tuple(slice(*b) for b in bounds)], file.slice("x", *bounds))
            assert file.reader.nbytes_read - before == 4 * count


def test_opening_and_one_tensor_read_no_others(tmp_path):
    """Of a file of 64 GiB that has no bytes but its header, one tensor of a KiB is read."""
    tensors = {f"layer.{i}": [2**30 - (i == 40) * 0] for i in range(63)} | {"small": [1024]}
    header, at = {}, 0
    for name, shape in tensors.items():
        header[name] = {"dtype": "U8", "shape": shape, "data_offsets": [at, at + shape[0]]}
        at += shape[0]
    text = json.dumps(header).encode()
    path = tmp_path / "large.safetensors"
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + at)
    with Weights(str(path), "mmap") as file, Weights(str(path), "read") as other:
        assert (file.tensor("small") == 0).all() and file.nbytes("layer.5") == 2**30
        assert (other.tensor("small") == 0).all() and (other.slice("layer.60", (2**29, 2**29 + 4)) == 0).all()
    head = path.open("rb").read(8 + len(text))

    class Sparse(bytes):
        def __len__(self):
            return 8 + len(text) + at

        def __getitem__(self, part):
            found = head[part]
            return found + bytes(part.stop - part.start - len(found))

    with Weights(Sparse(), "callback") as file:
        assert file.reader.nbytes_read <= len(head) + 4096
        file.tensor("small")
        assert file.reader.nbytes_read <= len(head) + 4096 + 1024


def test_tensors_share_the_memory_they_are_read_from():
    data = safetensors.torch.save({"x": torch.arange(4.0), "y": torch.arange(6.0).reshape(2, 3)})
    with Weights(data, "memory") as file:
        first, second, part = file.tensor("y"), file.tensor("y"), file.slice("y", (0, 2), (1, 2))
        assert first.data_ptr() == second.data_ptr() == part.data_ptr() - 4 and part.stride() == (3, 1)
    first[0, 1] = 7
    assert part[0, 0] == 7 == second[0, 1]


def test_what_is_not_aligned_is_copied():
    text = (
        b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"x":{"dtype":"F64","shape":[2],"data_offsets":[1,17]}}'
    )
    data = struct.pack("<Q", len(text)) + text + b"\x05" + struct.pack("<2d", 1.5, -2)
    for source in SOURCES:
        with Weights(data, source) as file:
            assert file.tensor("x").tolist() == [1.5, -2] and file.slice("x", (1, 2)).tolist() == [-2]


# Hostile files.


def file_of(header, nbytes=0, length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + bytes(nbytes)


def verdict(data):
    """What Python reads, or None where it refuses."""
    try:
        return {k: v for k, v in safetensors.deserialize(data)}
    except safetensors.SafetensorError:
        return None


def entry(dtype="F32", shape=(2,), offsets=(0, 8), **more):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets), **more}


X = b'{"dtype":"F32","shape":[2],"data_offsets":[0,8]}'
TABLE = [
    (file_of({"x": entry()}, 8), True),
    (file_of({"x": entry()}, 7), False),
    (file_of({"x": entry()}, 9), False),
    (file_of({}), True),
    (file_of({}, 1), False),
    (file_of(b"{}    \n\t\r "), True),
    (file_of(b"  {}"), True),
    (file_of(b"{}x"), False),
    (file_of(b"[]"), False),
    (file_of(b"null"), False),
    (file_of(b""), False),
    (file_of(b"{"), False),
    (file_of(b'{"x":' + X), False),
    (file_of({"x": entry(shape=[3])}, 8), False),
    (file_of({"x": entry(shape=[1, 2])}, 8), True),
    (file_of({"x": entry(shape=[])}, 8), False),
    (file_of({"x": entry(shape=[], offsets=[0, 4])}, 4), True),
    (file_of({"x": entry(shape=[2.0])}, 8), False),
    (file_of({"x": entry(shape=[-2])}, 8), False),
    (file_of({"x": entry(shape=["2"])}, 8), False),
    (file_of({"x": entry(shape=[True])}, 8), False),
    (file_of({"x": {**entry(), "shape": 2}}, 8), False),
    (file_of({"x": {**entry(), "shape": None}}, 8), False),
    (file_of({"x": entry(shape=[2**63, 2])}, 8), False),
    (file_of({"x": entry(shape=[2**64])}, 8), False),
    (file_of({"x": entry(shape=[2**32, 2**32, 2**32])}, 8), False),
    (file_of({"x": entry(shape=[2**40, 2**40, 0], offsets=[0, 0])}), False),
    (file_of({"x": entry(shape=[0, 3], offsets=[0, 0])}), True),
    (file_of({"x": entry(offsets=[0, 8, 16])}, 8), False),
    (file_of({"x": entry(offsets=[0])}, 8), False),
    (file_of({"x": entry(offsets=[8, 0])}, 8), False),
    (file_of({"x": entry(offsets=[-8, 0])}, 8), False),
    (file_of({"x": entry(offsets=[0, 2**63])}, 8), False),
    (file_of({"x": entry(offsets=[0.0, 8])}, 8), False),
    (file_of({"x": entry(offsets=[8, 16])}, 16), False),
    (file_of({"x": entry(), "y": entry()}, 8), False),
    (file_of({"x": entry(), "y": entry(offsets=[4, 12])}, 12), False),
    (file_of({"x": entry(), "y": entry(offsets=[12, 20])}, 20), False),
    (file_of({"y": entry(offsets=[8, 16]), "x": entry()}, 16), True),
    (file_of({"x": entry(), "y": entry(shape=[0], offsets=[0, 0])}, 8), True),
    (file_of({"x": entry(), "y": entry(shape=[0], offsets=[8, 8])}, 8), True),
    (file_of({"x": entry(), "y": entry(shape=[0], offsets=[4, 4])}, 8), False),
    (file_of({"x": entry("f32")}, 8), False),
    (file_of({"x": entry("F128")}, 8), False),
    (file_of({"x": entry("F6_E2M3", [4], [0, 3])}, 3), True),
    (file_of({"x": entry("F6_E3M2", [3], [0, 2])}, 2), False),
    (file_of({"x": entry("F4", [3], [0, 1])}, 1), False),
    (file_of({"x": entry("F4", [2, 3], [0, 3])}, 3), True),
    (file_of({"x": {"shape": [2], "data_offsets": [0, 8]}}, 8), False),
    (file_of({"x": {"dtype": "F32", "data_offsets": [0, 8]}}, 8), False),
    (file_of({"x": {"dtype": "F32", "shape": [2]}}, 8), False),
    (file_of({"x": {**entry(), "dtype": 1}}, 8), False),
    (file_of({"x": entry(more=[1, {"a": None}])}, 8), True),
    (file_of({"x": None}), False),
    (file_of({"x": "F32"}), False),
    (file_of({"__metadata__": {"a": "b"}, "x": entry()}, 8), True),
    (file_of({"__metadata__": None}), True),
    (file_of({"__metadata__": {}}), True),
    (file_of({"__metadata__": {"a": 1}}), False),
    (file_of({"__metadata__": {"a": None}}), False),
    (file_of({"__metadata__": []}), False),
    (file_of({"__metadata__": "a"}), False),
    (file_of({"__metadata__": entry()}, 8), False),
    (file_of(b'{"\xff":' + X + b"}", 8), False),
    (file_of(b'{"\\ud800":' + X + b"}", 8), False),
    (file_of(b'{"\\ud83d\\ude00":' + X + b"}", 8), True),
    (file_of(b'{"x":' + X + b",}", 8), False),
    (file_of(b"{'x':" + X + b"}", 8), False),
    (file_of(b'{"x":' + X + b'}"', 8), False),
    (file_of(b'{"x":' + X.replace(b"2", b"02") + b"}", 8), False),
    (file_of(b'{"x":' + X.replace(b"2", b"+2") + b"}", 8), False),
    (file_of(b'{"x":' + X.replace(b"2", b"2e0") + b"}", 8), False),
    (file_of(b'{"x":' + X.replace(b"2", b"NaN") + b"}", 8), False),
    (file_of(b'{"x":' + b"[" * 200 + b"]" * 200 + b"}"), False),
    (file_of(b'{"x":' + b"[" * 100000), False),
    (file_of(b"{}", length=100_000_001), False),
    (file_of(b"{}", length=2**64 - 1), False),
    (file_of(b"{}", length=2**63), False),
    (file_of(b"{}", length=3), False),
    (file_of(b"{}", length=1), False),
    (b"", False),
    (b"\0" * 7, False),
    (b"\0" * 8, False),
    (b"\x02\0\0\0\0\0\0\0", False),
]


@pytest.mark.parametrize("number", range(len(TABLE)))
def test_the_table_of_headers(number):
    data, is_good = TABLE[number]
    assert (verdict(data) is not None) == is_good, "Python"
    for source in SOURCES:
        if is_good:
            with Weights(data, source) as file:
                assert set(file.names()) == set(verdict(data))
        else:
            with pytest.raises(CtorchError) as error:
                Weights(data, source)
            assert error.value.kind == "FORMAT" and error.value.function == "ctorch_weights_open"


def test_what_python_lets_pass():
    """Names that are there twice, which the format forbids; a NUL in a name; lists in place of objects."""
    for header in (
        b'{"x":' + X + b',"x":' + X + b"}",
        b'{"x\\u0000":' + X + b"}",
        b'{"x":["F32",[2],[0,8]]}',
    ):
        assert verdict(file_of(header, 8)) is not None
        with pytest.raises(CtorchError) as error:
            Weights(file_of(header, 8))
        assert error.value.kind == "FORMAT"


@pytest.mark.parametrize("type_, shape, nbytes", [("F6_E2M3", [4], 3), ("F4", [2, 3], 3)])
def test_types_without_a_dtype_are_listed_and_not_read(type_, shape, nbytes):
    other = entry("U8", [1], [nbytes, nbytes + 1])
    with Weights(file_of({"x": entry(type_, shape, [0, nbytes]), "y": other}, nbytes + 1)) as file:
        assert file.type("x") == type_ and file.shape("x") == tuple(shape) and file.tensor("y").tolist() == [0]
        for read in (file.tensor, file.dtype, file.slice, lambda _: file.load()):
            with pytest.raises(CtorchError) as error:
                read("x")
            assert error.value.kind == "UNSUPPORTED" and type_ in error.value.message


def check(data):
    """ctorch and Python agree about a file, but for what the test above lists."""
    expected = verdict(data)
    try:
        file = Weights(data)
    except CtorchError as error:
        assert error.kind == "FORMAT", error
        assert expected is None or b"duplicate" in error.message.encode() or "NUL" in error.message, (data, error)
        return False
    with file:
        assert expected is not None and set(file.names()) == set(expected), data
        for name, found in expected.items():
            if found["dtype"] not in ("F4", "F6_E2M3", "F6_E3M2"):
                got = file.tensor(name)
                assert list(got.shape) == found["shape"] and file.type(name) == found["dtype"]
                assert bytes(got.reshape(-1).view(torch.uint8).numpy()) == bytes(found["data"])
    return True


SMALL = write({"x": torch.arange(3.0), "yy": torch.arange(2, dtype=torch.uint8)}, {"a": "b"})


def test_a_file_cut_off_at_each_byte():
    for length in range(len(SMALL)):
        assert not check(SMALL[:length])
    assert check(SMALL)


def test_a_file_with_each_byte_changed():
    accepted = 0
    for at in range(len(SMALL)):
        for change in (1, 2, 4, 8, 16, 32, 64, 128, 255):
            accepted += check(SMALL[:at] + bytes([SMALL[at] ^ change]) + SMALL[at + 1 :])
    assert 0 < accepted < len(SMALL) * 9


def test_headers_with_pieces_moved_about():
    rng = random.Random(11)
    header = SMALL[8 : 8 + struct.unpack("<Q", SMALL[:8])[0]].rstrip()
    pieces = [
        b"0",
        b"-1",
        b"99999999999999999999",
        b'"x"',
        b"{}",
        b"[]",
        b"[",
        b"}",
        b",",
        b"null",
        b"1.5",
        b" ",
        b"\\",
        b'"',
        b":",
    ]
    for _ in range(3000):
        text = bytearray(header)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 3)] = rng.choice(pieces)
        check(struct.pack("<Q", len(text)) + bytes(text) + SMALL[-14:])


def test_a_large_header_is_read():
    names = {f"tensor.{i}": torch.zeros(1) for i in range(20000)}
    data = write(names)
    assert data == safetensors.torch.save(names)
    with Weights(data) as file:
        assert len(file) == 20000 and file.index("tensor.19999") == file.names().index("tensor.19999")


# Models whose tensors share memory.


class Module(torch.nn.Module):
    """Parameters by their names, in Python and in ctorch."""

    def __init__(self, tensors):
        super().__init__()
        self.handle = out("ctorch_module *")
        ok(lib.ctorch_module_new(self.handle, b"Model", self.forward_callback, ffi.NULL, ffi.NULL))
        self.handle = ffi.gc(self.handle[0], lib.ctorch_module_release)
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor)
            ok(lib.ctorch_module_register_buffer(self.handle, name.encode(), handle(tensor), True))

    @staticmethod
    @ffi.callback("ctorch_module_forward_callback")
    def forward_callback(*_):
        return 0


def models():
    x, y, z = torch.arange(6.0), torch.arange(4.0), torch.arange(24.0)
    return {
        "one": {"a": x},
        "tied": {"b": x, "a": x, "c": y},
        "view": {"b": x.view(2, 3), "a": x[:3], "c": y},
        "reshaped": {"b": x.view(2, 3), "a": x.view(3, 2)},
        "transposed": {"b": x.view(2, 3).t(), "a": x[2:]},
        "part": {"a": x[:3]},
        "parts": {"a": x[:4], "b": x[2:]},
        "halves": {"a": x[:3], "b": x[3:]},
        "chain": {"whole": z, "b": z[10:12], "c": z[15:18]},
        "empty": {"a": torch.zeros(0), "b": torch.zeros(0, 3), "c": x},
        "empty part": {"a": x[:0], "b": x},
        "four": {"d": x, "c": x, "b": y, "a": y},
        "nothing": {},
        "named": {"b": x, "a": x, "format": y, "z": y},
    }


@pytest.mark.parametrize("metadata", [None, {"format": "pt"}, {"a": "mine"}])
@pytest.mark.parametrize("name", models())
def test_models_are_saved_and_loaded_as_by_python(name, metadata, tmp_path):
    model, path, python_path = Module(models()[name]), str(tmp_path / "ours"), str(tmp_path / "theirs")
    try:
        safetensors.torch.save_model(model, python_path, None if metadata is None else dict(metadata))
    except RuntimeError as refusal:
        if "view size" in str(refusal):  # Python cannot tell where a transposed tensor ends
            assert name == "transposed"
            return
        with pytest.raises(CtorchError, match="part of a storage") as error:
            written("ctorch_safetensors_write_model", model.handle, None if metadata is None else value(metadata))
        assert error.value.kind == "RUNTIME"
        return
    kept = None if metadata is None else value(metadata)
    ok(lib.ctorch_safetensors_write_model_file(model.handle, ffi.NULL if kept is None else kept, path.encode()))
    assert kept is None or python(kept) == metadata
    with safetensors.safe_open(path, "pt") as ours, safetensors.safe_open(python_path, "pt") as theirs:
        assert ours.metadata() == theirs.metadata() and ours.keys() == theirs.keys()
        for key in ours.keys():
            same(theirs.get_tensor(key), ours.get_tensor(key))
    other = Module({k: torch.zeros_like(v) for k, v in models()[name].items()})
    for target in (Module(models()[name]), other):
        compare_loading(target, path)


def compare_loading(model, path):
    """Python's load_model and ours, strict and not, into the same model."""
    before = {k: v.clone() for k, v in model.state_dict().items()}
    try:
        missing, unexpected = safetensors.torch.load_model(model, path, strict=False)
    except RuntimeError:
        missing = None
    expected = {k: v.clone() for k, v in model.state_dict().items()}
    with torch.no_grad():
        for key, tensor in model.state_dict().items():
            tensor.copy_(before[key])
    lists = [out("ctorch_value *"), out("ctorch_value *")]
    error = lib.ctorch_safetensors_load_model_file(*lists, model.handle, path.encode(), False)
    if missing is None:
        assert lib.ctorch_error_kind_of(error) == lib.c.CTORCH_ERROR_RUNTIME
        lib.ctorch_error_release(error)
        return
    ok(error)
    found = [python(ffi.gc(entry[0], lib.ctorch_value_release)) for entry in lists]
    assert set(found[0]) == set(missing) and sorted(found[1]) == sorted(unexpected)
    for key, tensor in model.state_dict().items():
        same(expected[key], tensor, key)
    error = lib.ctorch_safetensors_load_model_file(ffi.NULL, ffi.NULL, model.handle, path.encode(), True)
    assert (error == ffi.NULL) == (not missing and not unexpected)
    lib.ctorch_error_release(error)


@pytest.mark.parametrize("change", [{"d": torch.ones(1)}, {"a": None}])
def test_a_strict_load_tells_what_does_not_fit(change, tmp_path):
    path = str(tmp_path / "x")
    safetensors.torch.save_file({"a": torch.ones(2), "b": torch.ones(3)}, path)
    tensors = {"a": torch.zeros(2), "b": torch.zeros(3), **change}
    compare_loading(Module({k: v for k, v in tensors.items() if v is not None}), path)


def test_numpy_reads_it_too(tmp_path):
    from safetensors.numpy import load_file

    ok(lib.ctorch_safetensors_write_file(value({"x": BASE}), ffi.NULL, str(tmp_path / "x").encode()))
    assert np.array_equal(load_file(tmp_path / "x")["x"], BASE.numpy())
