"""npy and npz beside NumPy: the same bytes, the same arrays, and what is refused."""

from __future__ import annotations

import io
import random
import struct
import warnings
import zipfile

import numpy as np
import pytest
import torch

from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out
from tests.harness.values import value
from tests.weights.weights import SOURCES, Weights, random_tensor, same, written

DTYPES = [
    getattr(torch, name)
    for name in "bool uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 "
    "complex64 complex128".split()
]


def npy(array, **options) -> bytes:
    data = io.BytesIO()
    np.save(data, array, **options)
    return data.getvalue()


def npz(arrays, compressed=False) -> bytes:
    data = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(data, **arrays)
    return data.getvalue()


def layouts(tensor, rng):
    """The tensor, or one with its elements that lies otherwise."""
    choice = rng.randrange(4)
    if choice == 1 and tensor.ndim > 1:
        return tensor.permute(*reversed(range(tensor.ndim)))
    if choice == 2 and tensor.ndim > 1:
        return tensor.transpose(0, -1)[:, ::1]
    if choice == 3 and tensor.ndim > 0 and tensor.shape[0] > 1:
        return tensor[::2]
    return tensor


def some(seed):
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    shape = tuple(rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(rng.randint(0, 4)))
    return layouts(random_tensor(generator, rng.choice(DTYPES), shape), rng), rng


@pytest.mark.parametrize("seed", range(300))
def test_the_bytes_are_numpys(seed):
    tensor, rng = some(seed)
    data = written("ctorch_npy_write", handle(tensor), source=rng.choice(["memory", "callback"]))
    assert data == npy(tensor.numpy())
    same(tensor, torch.from_numpy(np.load(io.BytesIO(data)).copy()))


@pytest.mark.parametrize("seed", range(300))
def test_the_arrays_are_numpys(seed):
    """In either order of bytes and of dimensions, in each version."""
    tensor, rng = some(seed)
    array = tensor.numpy().astype(tensor.numpy().dtype.newbyteorder(rng.choice("<>=")))
    array = np.asarray(array, order=rng.choice("CFA"))
    data = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.lib.format.write_array(data, array, version=rng.choice([None, (1, 0), (2, 0), (3, 0)]))
    behind = rng.choice([b"", b"something else"])
    with Weights(data.getvalue() + behind, SOURCES[seed % 3]) as file:
        assert file.format == "npy" and file.names() == [""] and file.metadata() == {}
        assert (file.dtype(""), file.shape("")) == (tensor.dtype, tuple(tensor.shape))
        assert file.type("") == np.lib.format.dtype_to_descr(array.dtype) and file.nbytes("") == array.nbytes
        got = file.tensor("")
        same(tensor, got)
        if array.flags.f_contiguous and not array.flags.c_contiguous:
            assert got.t().is_contiguous() if got.ndim == 2 else got.permute(*reversed(range(got.ndim))).is_contiguous()
        for _ in range(10):
            bounds = [(rng.randint(-6, 6), rng.randint(-6, 6)) for _ in range(rng.randint(0, tensor.ndim))]
            same(tensor[tuple(slice(*b) for b in bounds)], file.slice("", *bounds), str(bounds))


def test_a_file_and_its_mapping(tmp_path):
    path, x = tmp_path / "x.npy", torch.arange(12.0).reshape(3, 4)
    ok(lib.ctorch_npy_write_file(handle(x), str(path).encode()))
    assert np.array_equal(np.load(path), x.numpy())
    for source in ("mmap", "read"):
        with Weights(str(path), source) as file:
            same(x, file.tensor(""))
    with Weights(str(path), "mmap") as file:
        assert file.tensor("").data_ptr() == file.tensor("").data_ptr()


@pytest.mark.parametrize(
    "tensor, kind",
    [
        (torch.zeros(2, dtype=torch.bfloat16), "UNSUPPORTED"),
        (torch.zeros(2).to(torch.float8_e5m2), "UNSUPPORTED"),
        (torch.zeros(2, dtype=torch.complex32), "UNSUPPORTED"),
        (torch.zeros([1] * 65), "UNSUPPORTED"),
        (torch.zeros([1] * 30000), "UNSUPPORTED"),  # whose header would be longer than its length can tell
        (torch.zeros(2).to_sparse(), "VALUE"),
        (torch.zeros(2, device="meta"), "NOT_IMPLEMENTED"),
    ],
)
def test_what_cannot_be_written(tensor, kind):
    archive = value({"x": tensor}), False
    for function, argument in (("ctorch_npy_write", [handle(tensor)]), ("ctorch_npz_write", archive)):
        with pytest.raises(CtorchError) as error:
            written(function, *argument)
        assert error.value.kind == kind


OTHERS = [
    (np.array(["a", "bc"]), "<U2", "has not"),
    (np.array([b"a"]), "|S1", "has not"),
    (np.array([1, "x", None], dtype=object), "|O", "pickle"),
    (np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4", (2,))]), "structured", "has not"),
    (np.zeros(2, "datetime64[s]"), "<M8[s]", "has not"),
    (np.zeros(2, "<V2"), "|V2", "bfloat16"),
    (np.zeros(2, np.longdouble), "<f16", "has not"),
    (np.zeros(2, np.clongdouble), "<c32", "has not"),
]


@pytest.mark.parametrize("array, type_, why", OTHERS)
def test_arrays_of_other_types_are_listed_and_not_read(array, type_, why):
    for data, name in ((npy(array), ""), (npz({"x": array, "y": np.arange(3)}), "x")):
        with Weights(data) as file:
            assert file.type(name) == type_ and file.shape(name) == array.shape
            for read in (file.tensor, file.dtype, file.slice, lambda _: file.load()):
                with pytest.raises(CtorchError) as error:
                    read(name)
                assert error.value.kind == "UNSUPPORTED" and type_ in error.value.message
            with pytest.raises(CtorchError, match=why):
                file.tensor(name)
            if name:
                assert file.tensor("y").tolist() == [0, 1, 2]


def test_bfloat16_of_ml_dtypes_is_refused():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    with Weights(npy(np.zeros(2, ml_dtypes.bfloat16))) as file, pytest.raises(CtorchError, match="bfloat16") as error:
        file.tensor("")
    assert error.value.kind == "UNSUPPORTED"


def header_of(text: bytes, version=1, length=None) -> bytes:
    length = len(text) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", length) + text


GOOD = b"{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n"
HEADERS = [
    (GOOD, True),
    (GOOD.replace(b"'", b'"'), True),
    (b" { 'shape' :( 2 , ) ,\n'descr':'<i4','fortran_order':False} ", None),  # NumPy takes no blank in front
    (b"{'shape':(2,),'descr':'<i4','fortran_order':False}", True),
    (GOOD.replace(b"(2,)", b"(2L,)"), True),
    (GOOD.replace(b"(2,)", b"(2L, 1L)"), True),
    (GOOD.replace(b"(2,)", b"(1, 2)"), True),
    (GOOD.replace(b"(2,)", b"()"), True),
    (GOOD.replace(b"(2,)", b"(0, 5)"), True),
    (GOOD.replace(b"'<i4'", b"'=i4'"), True),
    (GOOD.replace(b"'<i4'", b"'i4'"), True),
    (GOOD.replace(b"'<i4'", b"'|b1'"), True),
    (GOOD.replace(b"'<i4'", b"'?'"), True),
    (GOOD.replace(b"(2,)", b"(2)"), False),
    (GOOD.replace(b"(2,)", b"[2]"), False),
    (GOOD.replace(b"(2,)", b"2"), False),
    (GOOD.replace(b"(2,)", b"(,)"), False),
    (GOOD.replace(b"(2,)", b"(2,,)"), False),
    (GOOD.replace(b"(2,)", b"(2 1)"), False),
    (GOOD.replace(b"(2,)", b"(-2,)"), False),
    (GOOD.replace(b"(2,)", b"(2.0,)"), False),
    (GOOD.replace(b"(2,)", b"('2',)"), False),
    (GOOD.replace(b"(2,)", b"(02,)"), False),
    (GOOD.replace(b"(2,)", b"(3,)"), False),
    (GOOD.replace(b"(2,)", b"(9223372036854775807,)"), False),
    (GOOD.replace(b"(2,)", b"(99999999999999999999,)"), False),
    (GOOD.replace(b"(2,)", b"(4294967296, 4294967296, 4294967296)"), False),
    (GOOD.replace(b"False", b"false"), False),
    (GOOD.replace(b"False", b"0"), False),
    (GOOD.replace(b"False", b"None"), False),
    (GOOD.replace(b"'shape'", b"'shapes'"), False),
    (GOOD.replace(b"'shape': (2,), ", b""), False),
    (GOOD.replace(b"}", b"'more': 1}"), False),
    (GOOD.replace(b"}", b""), False),
    (GOOD.replace(b"{", b""), False),
    (GOOD.replace(b"{", b"["), False),
    (GOOD + b"1", False),
    (GOOD.replace(b"'<i4'", b"__import__('os')"), False),
    (GOOD.replace(b"'<i4'", b"'<i4"), False),
    (GOOD.replace(b"'<i4'", b"[" * 5000), False),
    (b"", False),
    (b"\n", False),
]


@pytest.mark.parametrize("number", range(len(HEADERS)))
def test_the_table_of_headers(number):
    text, is_good = HEADERS[number]
    for version in (1, 2):
        data = header_of(text, version) + struct.pack("<2i", 7, 8)
        if is_good is not None:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = np.lib.format.read_array(io.BytesIO(data))
            except Exception:  # of many kinds
                assert not is_good, "NumPy"
            else:
                assert is_good, "NumPy"
        if is_good is False:
            with pytest.raises(CtorchError) as error:
                Weights(data)
            assert error.value.kind == "FORMAT"
        else:
            with Weights(data) as file:
                if is_good:
                    same(torch.from_numpy(expected.copy()), file.tensor(""))


@pytest.mark.parametrize(
    "data",
    [
        header_of(GOOD, 4) + bytes(8),
        header_of(GOOD, 0) + bytes(8),
        header_of(GOOD.replace(b"(2,)", b"(2L,)"), 3) + bytes(8),
        header_of(GOOD, 2, 2**32 - 1) + bytes(8),
        header_of(GOOD, 1, 65535) + bytes(8),
        header_of(GOOD, 1, 3) + bytes(8),
        b"\x93NUMPY\x01\x01\x00\x00",
        b"\x93NUMPY",
    ],
)
def test_headers_that_are_no_headers(data):
    with pytest.raises(CtorchError) as error:
        Weights(data)
    assert error.value.kind == "FORMAT"


def survives(data: bytes, arrays) -> bool:
    """A damaged file is refused as FORMAT or UNSUPPORTED, or read as something. Whether all of it is as it was."""
    try:
        file = Weights(data)
    except CtorchError as error:
        assert error.kind in ("FORMAT", "UNSUPPORTED"), error
        return False
    with file:
        found = {}
        for name in file.names():
            try:
                found[name] = file.tensor(name)
            except CtorchError as error:
                assert error.kind in ("FORMAT", "UNSUPPORTED"), error
                return False
    return found.keys() == arrays.keys() and all(np.array_equal(arrays[k], found[k].numpy()) for k in arrays)


ARRAYS = {"a": np.arange(5.0), "b/c": np.arange(6, dtype=np.int16).reshape(2, 3), "": np.zeros((), np.uint8)}


@pytest.mark.parametrize("data", [npy(ARRAYS["a"]), npz(ARRAYS), npz(ARRAYS, True)], ids=["npy", "stored", "deflated"])
def test_a_file_cut_off_at_each_byte_and_with_each_byte_changed(data):
    arrays = {"": ARRAYS["a"]} if data[:1] == b"\x93" else ARRAYS
    assert survives(data, arrays)
    for length in range(len(data)):
        assert not survives(data[:length], arrays)
    rng = random.Random(3)
    changed = 0
    for at in range(len(data)):
        damaged = data[:at] + bytes([data[at] ^ rng.choice([1, 4, 32, 128, 255])]) + data[at + 1 :]
        changed += not survives(damaged, arrays)
    assert changed > len(data) // 4


# npz


@pytest.mark.parametrize("seed", range(200))
def test_archives_beside_numpy(seed):
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    names = rng.sample(
        ["a", "b", "layer.0.weight", "x/y", "\u00e4\u20ac", "n" * 200, "arr_0", "z.npy"], rng.randint(0, 6)
    )
    tensors = {}
    for name in names:
        shape = tuple(rng.choice([0, 1, 2, 3, 40]) for _ in range(rng.randint(0, 3)))
        tensors[name] = layouts(random_tensor(generator, rng.choice(DTYPES), shape), rng)
    compressed = rng.random() < 0.5
    data = written("ctorch_npz_write", value(tensors), compressed, source=["memory", "callback"][seed % 2])
    assert data == written("ctorch_npz_write", value(tensors), compressed)
    with np.load(io.BytesIO(data)) as found:
        assert sorted(found.files) == sorted(names)
        for name in names:
            same(tensors[name], torch.from_numpy(np.array(found[name])), name)
    assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
    for bytes_ in (data, npz({k: v.numpy() for k, v in tensors.items()}, compressed)):
        with Weights(bytes_, SOURCES[seed % 3]) as file:
            assert file.format == "npz" and file.names() == names
            for name, tensor in tensors.items():
                same(tensor, file.tensor(name), name)
                bounds = [(rng.randint(-4, 4), rng.randint(-4, 4)) for _ in range(rng.randint(0, tensor.ndim))]
                same(tensor[tuple(slice(*b) for b in bounds)], file.slice(name, *bounds), name)
                assert file.nbytes(name) == tensor.nbytes and file.dtype(name) == tensor.dtype


def test_what_is_stored_is_shared_and_what_is_deflated_is_not(tmp_path):
    tensors = {f"x{i}": torch.arange(10.0 + i, dtype=torch.float64) for i in range(9)}
    for compressed in (False, True):
        path = tmp_path / f"{compressed}.npz"
        ok(lib.ctorch_npz_write_file(value(tensors), compressed, str(path).encode()))
        with Weights(str(path), "mmap") as file:
            for name in tensors:
                first, second = file.tensor(name), file.tensor(name)
                assert (first.data_ptr() == second.data_ptr()) == (not compressed)
                assert compressed or first.data_ptr() % 64 == 0


def test_one_array_is_read_without_the_others():
    tensors = {"large": torch.zeros(1 << 18), "small": torch.ones(4)}
    for compressed in (False, True):
        data = written("ctorch_npz_write", value({"large": torch.rand(1 << 18), "small": tensors["small"]}), compressed)
        with Weights(data, "callback") as file:
            assert file.reader.nbytes_read < 200_000
            before = file.reader.nbytes_read
            same(tensors["small"], file.tensor("small"))
            assert file.reader.nbytes_read - before < 100_000
            if not compressed:
                before = file.reader.nbytes_read
                file.slice("large", (5, 9))
                assert file.reader.nbytes_read - before == 16


def archive(entries, method=zipfile.ZIP_STORED) -> bytes:
    data = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(data, "w", method) as file:
        warnings.simplefilter("ignore")
        for name, content in entries:
            file.writestr(name, content)
    return data.getvalue()


def refused(data, kind="FORMAT", match="."):
    with pytest.raises(CtorchError, match=match) as error, Weights(data) as file:
        file.load()
    assert error.value.kind == kind


def test_archives_that_are_refused():
    array = npy(np.arange(4.0))
    refused(archive([("a.npy", array), ("a.npy", array)]), match='two tensors are called "a"')
    refused(archive([("a.npy", array), ("b.npy", b"")]), match='"b": data: zip')
    refused(archive([("a.npy", array), ("b.npy", b"\x93NUMPY")]))
    refused(archive([("a.npy", array + b"more")]), match='"a": data: an entry of .* expected')
    refused(archive([("a.npy", array[:-1])]), match="expected")
    refused(archive([("a.npy", array)], zipfile.ZIP_BZIP2), "UNSUPPORTED", '"a" is of compression method 12')
    data = bytearray(archive([("a.npy", array)]))
    data[data.index(b"PK\1\2") + 8] |= 1
    refused(bytes(data), "UNSUPPORTED", '"a" is encrypted')
    data = bytearray(archive([("a\xffb.npy", array)]))
    refused(bytes(data).replace("a\xffb".encode(), b"a\xff\xfeb"), match="UTF-8")
    refused(bytes(archive([("a_b.npy", array)])).replace(b"a_b", b"a\0b"))
    refused(archive([("a.txt", array)]))


def test_other_entries_are_passed_over():
    with Weights(archive([("a.npy", npy(np.arange(3.0))), ("readme.txt", b"hello")])) as file:
        assert file.names() == ["a"]


def test_a_checksum_that_is_wrong():
    for compressed in (False, True):
        data = bytearray(npz({"a": np.arange(4.0)}, compressed))
        data[data.index(b"PK\3\4") + 14] ^= 1
        data[data.index(b"PK\1\2") + 16] ^= 1
        with Weights(bytes(data), "callback") as file, pytest.raises(CtorchError, match="checksum") as error:
            file.tensor("a")
        assert error.value.kind == "FORMAT"


def test_bombs():
    """What inflates further than its header says, than deflate can, and what lies over each other."""
    huge = header_of(b"{'descr': '|u1', 'fortran_order': False, 'shape': (1099511627776,), }\n")
    refused(archive([("a.npy", huge)], zipfile.ZIP_DEFLATED), match="expected")
    refused(archive([("a.npy", npy(np.zeros(4)) + bytes(10_000_000))], zipfile.ZIP_DEFLATED), match="expected")
    data = bytearray(archive([("a.npy", huge + bytes(100))], zipfile.ZIP_DEFLATED))
    for signature, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        at = data.index(signature) + offset
        data[at : at + 4] = struct.pack("<I", 2**32 - 2)
    refused(bytes(data), match="larger than it can be")
    zeros = npz({"a": np.zeros(1_000_000, np.uint8)}, True)  # as far as deflate goes, it is read
    with Weights(zeros) as file:
        assert file.tensor("a").shape == (1_000_000,)
    one = archive([("a.npy", npy(np.zeros(1000)))])
    central = one.index(b"PK\1\2")
    directory, end = one[central : one.index(b"PK\5\6")], one[one.index(b"PK\5\6") :]
    copies = b"".join(directory.replace(b"a.npy", b"%c.npy" % (97 + i)) for i in range(20))
    end = end[:8] + struct.pack("<HHII", 20, 20, len(copies), central) + end[20:]
    refused(one[:central] + copies + end)


def test_null_and_names():
    result = out("ctorch_weights *")
    for error in (
        lib.ctorch_npy_write(ffi.NULL, handle(torch.zeros(1))),
        lib.ctorch_npz_write(ffi.NULL, value({}), False),
        lib.ctorch_npz_write_file(ffi.NULL, False, b"x"),
        lib.ctorch_npy_write_file(handle(torch.zeros(1)), ffi.NULL),
        lib.ctorch_weights_open(result, ffi.NULL),
    ):
        assert lib.ctorch_error_kind_of(error) == lib.c.CTORCH_ERROR_NULL_ARGUMENT
        lib.ctorch_error_release(error)
    with pytest.raises(CtorchError, match="longer than"):
        written("ctorch_npz_write", value({"x" * 65001: torch.zeros(1)}), False)


def test_an_archive_behind_something_else():
    """Offsets count from where the archive begins."""
    writer = out("ctorch_writer *")
    ok(lib.ctorch_writer_new(writer))
    ok(lib.ctorch_writer_write(writer[0], b"something else", 14))
    ok(lib.ctorch_npz_write(writer[0], value({"a": torch.arange(4), "b": torch.ones(2)}), False))
    ok(lib.ctorch_writer_finish(writer[0]))
    data = bytes(ffi.buffer(lib.ctorch_writer_data(writer[0]), lib.ctorch_writer_nbytes(writer[0])))
    lib.ctorch_writer_release(writer[0])
    assert data[:14] == b"something else"
    with np.load(io.BytesIO(data[14:])) as found:
        assert found["a"].tolist() == [0, 1, 2, 3] and found["b"].tolist() == [1, 1]
