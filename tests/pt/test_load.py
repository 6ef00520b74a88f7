"""Files that Python's `torch.save` wrote, read by ctorch: what `torch.load` makes of them, down to the bits, the
strides and what is shared."""

from __future__ import annotations

import argparse
import collections
import fractions
import io
import itertools
import math
import pickle
import struct
import tarfile
import warnings
import zipfile

import numpy as np
import pytest
import torch

from tests.harness.capi import CtorchError, ffi, lib, ok
from tests.pt.contents import CONTENTS
from tests.pt.loading import Described, Objects, load, load_value, refused
from tests.pt.same import same
from tests.pt.saving import python_save

warnings.filterwarnings("ignore", message=".*(TypedStorage|nested tensor|[Ss]parse|ComplexHalf|quantized|protocol).*")

# What Python keeps beside a tensor has no place in a tensor of ctorch's.
WITHOUT_ATTRIBUTES = {"parameter_with_attributes"}


def saved(item, **options):
    buffer = io.BytesIO()
    torch.save(item, buffer, **options)
    return buffer.getvalue()


def python_load(data, **options):
    loaded = torch.load(io.BytesIO(data), weights_only=False, **options)
    return loaded._untyped_storage if isinstance(loaded, torch.TypedStorage) else loaded


def without_attributes(item):
    for parameter in item:
        parameter.__dict__.clear()
    return item


def expected_of(name, data):
    try:
        loaded = python_load(data)
    except AttributeError:  # Python cannot read all that it writes in the format before 1.6
        loaded = ALL[name]()
    return without_attributes(loaded) if name in WITHOUT_ATTRIBUTES else loaded


# Contents ------------------------------------------------------------------------------------------------------------

# Beyond those that weights_only=True reads.
MORE = {
    "defaultdict": lambda: collections.defaultdict(list, {"a": [1], "b": []}),
    "defaultdict without": lambda: collections.defaultdict(None, {1: 2}),
    "frozenset": lambda: [frozenset({1, 2, 3}), frozenset()],
    "sets": lambda: [{1, "a", None, (2, 3)}, set()],
    "empty bytes": lambda: b"",
    "classes of Python": lambda: [int, float, str, list, dict, bool, tuple, bytes, object],
    "counter with attributes": lambda: collections.Counter("abracadabra"),
    "parameters in a list": lambda: [torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2), False)],
    "deep": lambda: _deep(200),
    "a tensor as a key": lambda: _keyed(),
}


def _deep(n):
    item = []
    for i in range(n):
        item = [item] if i % 3 == 0 else (item,) if i % 3 == 1 else {"next": item}
    return item


def _keyed():
    x = torch.ones(2)
    return [x, {x: 1}]


ALL = {**CONTENTS, **MORE}


@pytest.mark.turns
@pytest.mark.parametrize("name", ALL)
def test_zip(name):
    data = python_save(ALL[name]())
    same(expected_of(name, data), load(data))


LEGACY_SKIPS = ("nested_tensor", "texts_of_pytorchs_own")  # Python reads sizes before the file's; a coincidence of keys


@pytest.mark.turns
@pytest.mark.parametrize("name", [n for n in ALL if n not in LEGACY_SKIPS])
def test_before_1_6(name):
    try:
        data = saved(ALL[name](), _use_new_zipfile_serialization=False)
    except RuntimeError as e:
        pytest.skip(str(e))
    for source in ("memory", "callback"):
        same(expected_of(name, data), load(data, source))


@pytest.mark.turns
@pytest.mark.parametrize("protocol", [1, 3, 4, 5])
def test_protocols(protocol):
    """torch.save writes protocol 2, unless it is told otherwise."""
    for name, make in ALL.items():
        if protocol == 1 and name in ("layouts",) or name.startswith("layout "):
            continue
        for zipped in (True, False):
            if not zipped and name in LEGACY_SKIPS:
                continue
            try:
                data = saved(make(), pickle_protocol=protocol, _use_new_zipfile_serialization=zipped)
            except (RuntimeError, pickle.PicklingError, TypeError):
                continue
            try:
                same(expected_of(name, data), load(data))
            except AssertionError as e:
                raise AssertionError(f"{name}, {zipped}") from e


PLAIN = {
    n: f
    for n, f in ALL.items()
    if n.startswith(
        (
            "int",
            "float",
            "text",
            "bytes",
            "list of",
            "dict of",
            "tuple of",
            "set",
            "nested",
            "many",
            "one_",
            "equal",
            "list_in",
            "dict_in",
            "keys",
            "True",
            "False",
            "None",
            "complex",
            "nan",
            "empty",
            "bytearray",
            "frozenset",
            "defaultdict",
            "counter",
            "classes",
            "ordered",
        )
    )
}


def with_pickle(pickled, **records):
    """A zip file of torch.save with this pickle."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in {"data.pkl": pickled, "byteorder": b"little", "version": b"3\n", **records}.items():
            file.writestr("archive/" + name, content)
    return buffer.getvalue()


@pytest.mark.turns
@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("pickler", [pickle.dumps, pickle._dumps], ids=["C", "Python"])
def test_pickles_alone(protocol, pickler):
    """Every protocol, by both of Python's picklers, without tensors."""
    count = 0
    for name, make in PLAIN.items():
        item = make()
        if isinstance(item, torch.Tensor) or (protocol == 0 and "surrogate" in name):
            continue
        try:
            data = pickler(item, protocol)
        except (pickle.PicklingError, RuntimeError, TypeError, RecursionError):
            continue
        if b"torch" in data:
            continue
        loaded = load(with_pickle(data))
        try:
            same(pickle.loads(data), loaded)
        except AssertionError as e:
            raise AssertionError(name) from e
        count += 1
    assert count > 80


def test_opcodes_that_python_itself_does_not_write():
    def pickled(code):
        return load(with_pickle(code))

    assert pickled(b"(I1\nI2\nlp0\n.") == [1, 2]
    assert pickled(b"(S'a'\nI1\nS'b'\nL2L\nd.") == {"a": 1, "b": 2}
    assert pickled(b"K\x01K\x020.") == 1  # POP
    assert pickled(b"K\x01(K\x02K\x031.") == 1  # POP_MARK
    item = pickled(b"]2a.")
    assert item[0] is item
    assert pickled(b"(ccollections\nOrderedDict\no.") == collections.OrderedDict()
    assert pickled(b"(K\x01G?\xf0\x00\x00\x00\x00\x00\x00i__builtin__\ncomplex\n.") == 1 + 1j
    assert pickled(b"S'it\\'s \\x41\\n\\101\\q'\n.") == "it's A\nA\\q"
    assert pickled(b'S"\\xff"\n.') == b"\xff"
    assert pickled(b"U\x03abc.") == "abc"
    assert pickled(b"T\x02\0\0\0\xc3\x28.") == b"\xc3("
    assert pickled(b"Va\\u20ac\\U0001f600\xe9\\\\\n.") == "a€😀é\\\\"
    assert pickled(b"F1e-3\n.") == 0.001 and math.isnan(pickled(b"Fnan\n."))
    assert pickled(b"I01\n.") is True and pickled(b"I00\n.") is False and pickled(b"I-7\n.") == -7
    assert pickled(b"\x8b\x02\0\0\0\xff\x7f.") == 32767 and pickled(b"\x8a\0.") == 0
    assert pickled(b"\x8d\x02\0\0\0\0\0\0\0ab.") == "ab" and pickled(b"\x8e\x02\0\0\0\0\0\0\0ab.") == b"ab"
    assert pickled(b"\x96\x02\0\0\0\0\0\0\0ab.") == bytearray(b"ab")
    assert pickled(b"(K\x01K\x01K\x02\x91.") == frozenset({1, 2})
    assert pickled(b"ccollections\nOrderedDict\n)}\x92.") == collections.OrderedDict()
    assert pickled(b"c_codecs\nencode\n(X\x02\0\0\0\xc3\xbfX\x06\0\0\0latin1tR.") == b"\xff"
    # Two states: what another shares the first with does not get the second.
    ordered, shared = pickled(b"ccollections\nOrderedDict\n)R}q\0X\1\0\0\0aK\1sb}X\1\0\0\0bK\2sbh\0\x86.")
    assert vars(ordered) == {"a": 1, "b": 2} and shared == {"a": 1}


def test_python_2():
    """Its str is bytes, of which those that are UTF-8 become texts; its modules have other names."""
    assert load(
        with_pickle(
            b"(dp0\nS'weight'\np1\nccopy_reg\n_reconstructor\np2\n(c__builtin__\nset\np3\nc__builtin__\nobject\np4\nNtp5\nRp6\ns."
        )
    ) == {"weight": set()}
    data = with_pickle(b"ccollections\nOrderedDict\n((lp0\n(lp1\nS'b'\naI1\naa(lp2\nS'a'\naI2\naatR.")
    assert list(load(data).items()) == [("b", 1), ("a", 2)]


def test_many_keys_before_1_6():
    """The value is read twice, and what its keys take counts once."""
    item = {(i, i, i, i): None for i in range(50000)}
    value = load_value(saved(item, _use_new_zipfile_serialization=False))
    assert lib.ctorch_value_len(value) == 50000


# Sources -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["copy", "memory", "callback"])
def test_sources(source):
    for name in ("views_of_one", "optimizer", "tensor of torch.complex128", "storage"):
        data = python_save(CONTENTS[name]())
        same(python_load(data), load(data, source))


@pytest.mark.parametrize("mmap", [True, False])
def test_files(tmp_path, mmap):
    path = str(tmp_path / "größe.pt")
    torch.save({"x": torch.arange(100000), "y": [torch.ones(3)]}, path)
    same(torch.load(path), load(path, "mmap" if mmap else "read"))


def test_tensors_share_the_memory_of_the_reader():
    data = python_save({"x": torch.arange(1000), "y": torch.arange(3, dtype=torch.uint8)})
    from tests.weights.weights import Reader

    reader = Reader(data, "memory")
    begin = int(ffi.cast("uintptr_t", reader.kept))
    value = ffi.new("ctorch_value **")
    ok(lib.ctorch_serialization_load(value, reader.handle, ffi.NULL))
    loaded = Objects()(ffi.gc(value[0], lib.ctorch_value_release))
    aligned = begin % 16 == 0
    for x in loaded.values():
        assert (begin <= x.data_ptr() < begin + len(data)) == aligned
    loaded["x"][0] = 77
    offset = data.index(struct.pack("<qqq", 1, 2, 3)) - 8
    assert struct.unpack_from("<q", ffi.buffer(reader.kept), offset)[0] == (77 if aligned else 0)


def test_a_mapped_file_is_not_written_to(tmp_path):
    path = tmp_path / "x.pt"
    torch.save(torch.zeros(100), path)
    before = path.read_bytes()
    x = load(str(path), "mmap")
    x.fill_(1)
    assert path.read_bytes() == before and x.sum() == 100


def test_bytes_are_read_once_and_into_their_place():
    x = torch.arange(100000)
    data = python_save([x, x[5:]])
    from tests.weights.weights import Reader

    reader = Reader(data, "callback")
    value = ffi.new("ctorch_value **")
    ok(lib.ctorch_serialization_load(value, reader.handle, ffi.NULL))
    loaded = Objects()(ffi.gc(value[0], lib.ctorch_value_release))
    same([x, x[5:]], loaded)
    assert reader.nbytes_read < x.nbytes + 10000


# Places --------------------------------------------------------------------------------------------------------------


def located(location, item=None):
    """A file whose storages lie elsewhere."""
    data = io.BytesIO(python_save(torch.ones(2) if item is None else item))
    with zipfile.ZipFile(data) as file:
        records = {n.split("/", 1)[1]: file.read(n) for n in file.namelist()}
    old = b"X\x03\0\0\0cpu"
    assert records["data.pkl"].count(old) == 1
    new = b"X" + struct.pack("<I", len(location)) + location.encode()
    pickled = records.pop("data.pkl").replace(old, new)
    return with_pickle(pickled, **records)


def test_a_device_that_is_not_there():
    if not torch.cuda.is_available():
        for location in ("cuda:0", "cuda"):
            kind, message = refused(located(location))
            assert kind == "RUNTIME" and f"'{location}'" in message and "map_location" in message
        kind, message = refused(located("cpu"), device_name="cuda")
        assert kind == "RUNTIME" and message.startswith("data: ")
    kind, message = refused(located("cuda:99"))
    assert kind == "RUNTIME" and "cuda:99" in message
    kind, message = refused(located("nowhere"))
    assert kind == "RUNTIME" and "nowhere" in message
    for location in ("cuda:0", "cuda:99", "nowhere", "mps", "xla:1"):
        same(torch.ones(2), load(located(location), device_name="cpu"))


def test_meta():
    item = [torch.ones(2, 3), torch.ones(4)[1:]]
    data = python_save(item)
    for loaded in (load(data, device_name="meta"), load(data, map_location=lambda _: "meta")):
        assert [(x.shape, x.stride(), x.storage_offset(), x.device.type) for x in loaded] == [
            (x.shape, x.stride(), x.storage_offset(), "meta") for x in item
        ]


def test_map_location_is_asked_once_for_each_storage():
    x, y = torch.ones(2), torch.zeros(3)
    for options in ({}, {"_use_new_zipfile_serialization": False}):
        asked = []
        loaded = load(saved([x, x[1:], y, x], **options), map_location=lambda location: asked.append(location))
        assert asked == ["cpu", "cpu"]
        same([x, x[1:], y, x], loaded)
    assert load(located("nowhere"), map_location=lambda location: "cpu" if location == "nowhere" else None).sum() == 2


def test_what_map_location_fails_with_comes_out():
    def fail(location):
        raise CtorchError("OUT_OF_MEMORY", "no place like " + location, "")

    assert refused(python_save(torch.ones(1)), map_location=fail) == ("OUT_OF_MEMORY", "no place like cpu")


# Classes -------------------------------------------------------------------------------------------------------------


class Outer:
    class Inner(list):
        pass


def test_unknown_classes_are_refused_unless_they_are_allowed():
    item = [argparse.Namespace(lr=0.1, model="x"), fractions.Fraction(1, 3), argparse.Namespace(lr=1)]
    data = python_save(item)
    kind, message = refused(data)
    assert kind == "FORMAT" and "'argparse.Namespace'" in message and "allow" in message and "data.pkl, byte" in message
    asked = []

    def allow(module, name):
        asked.append(f"{module}.{name}")
        return True

    loaded = load(data, allow=allow, describe=True)
    assert asked == ["argparse.Namespace", "fractions.Fraction"]
    assert loaded[0] == Described("argparse.Namespace", (), None, {"lr": 0.1, "model": "x"})
    assert loaded[1].name == "fractions.Fraction"
    kind, message = refused(data, allow=lambda module, name: name == "Namespace")
    assert kind == "FORMAT" and "'fractions.Fraction'" in message


def test_allowed_classes_that_hold_something():
    item = [collections.deque([1, 2], 5), Outer.Inner([3, 4]), torch.Generator().get_state().numpy()]
    loaded = load(saved(item[:2], pickle_protocol=4), allow=lambda module, name: True, describe=True)
    assert loaded[0].name == "collections.deque" and loaded[0].items == [1, 2]
    assert loaded[1] == Described(f"{__name__}.Outer.Inner", (), [3, 4])


def test_what_allow_fails_with_comes_out():
    def fail(module, name):
        raise CtorchError("VALUE", f"not {name}", "")

    assert refused(python_save(fractions.Fraction(1, 2)), allow=fail) == ("VALUE", "not Fraction")


def test_subclasses_of_tensor():
    class Own(torch.Tensor):
        pass

    Own.__qualname__ = "Own"
    globals()["Own"] = Own
    item = torch.ones(2).as_subclass(Own)
    item.tag = "x"
    loaded = load(python_save(item), allow=lambda module, name: name == "Own", describe=True)
    assert (
        loaded.name == f"{__name__}.Own" and torch.equal(loaded.args[0], torch.ones(2)) and loaded.state == {"tag": "x"}
    )
    plain = torch.ones(2)
    plain.tag = "y"
    assert torch.equal(load(python_save(plain)), torch.ones(2))


# NumPy ---------------------------------------------------------------------------------------------------------------

NUMBERS = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("protocol", [2, 4, 5])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_arrays(dtype, protocol):
    array = np.arange(12).reshape(3, 4).astype(dtype)
    other = array.astype(np.dtype(dtype).newbyteorder(">"))
    item = [array, array[:, ::2], np.asfortranarray(array), other, array[0:0], np.array(array[0, 1]), array]
    loaded = load(saved(item, pickle_protocol=protocol))
    for a, x in zip(item, loaded, strict=True):
        expected = torch.from_numpy(np.ascontiguousarray(a.astype(dtype)))
        assert x.dtype == expected.dtype and torch.equal(x, expected.reshape(a.shape))
    assert loaded[0] is loaded[-1]
    assert loaded[2].stride() == (1, 3)
    for number in (array[1, 1], other[1, 2]):
        assert load(saved(number, pickle_protocol=protocol)) == number.item()


def test_other_arrays_stay_descriptions():
    for array in (
        np.array(["a", "b"]),
        np.array([{"a": 1}, None], dtype=object),
        np.array(["2020-01-01"], "M8[D]"),
        np.zeros(2, [("x", "f4")]),
        np.zeros(2, np.longdouble),
        np.float128(1),
        np.datetime64(1, "s"),
    ):
        loaded = load(saved(array, pickle_protocol=2), describe=True)
        assert loaded.name.endswith(("_reconstruct", "scalar"))


def test_tensors_of_other_devices_by_numpy():
    import torch._utils

    class By:
        def __reduce__(self):
            array = np.arange(3, dtype=np.float32)
            return torch._utils._rebuild_device_tensor_from_numpy, (array, torch.float64, "cpu", True)

    loaded = load(python_save([By()]))[0]
    same(torch.arange(3, dtype=torch.float64).requires_grad_(), loaded)


# Order of bytes, compression, skipped data ----------------------------------------------------------------------------


def swapped(data):
    """The same file as a big-endian machine would write it."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        records = {n.split("/", 1)[1]: file.read(n) for n in file.namelist()}
    records["byteorder"] = b"big"
    return records


@pytest.mark.parametrize(
    "dtype",
    [
        "int16",
        "int32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "uint8",
        "bool",
    ],
)
def test_the_other_order_of_bytes(dtype):
    x = torch.arange(7).to(getattr(torch, dtype))
    records = swapped(python_save(x))
    size = x.element_size() // (2 if x.is_complex() else 1)
    records["data/0"] = (
        b"".join(bytes(part[::-1]) for part in itertools.batched(records["data/0"], size))
        if hasattr(itertools, "batched")
        else b"".join(records["data/0"][i : i + size][::-1] for i in range(0, x.nbytes, size))
    )
    pickled = records.pop("data.pkl")
    for source in ("memory", "callback"):
        same(x, load(with_pickle(pickled, **records), source))


@pytest.mark.parametrize("source", ["memory", "callback"])
def test_compressed_by_a_zip_program(source):
    item = {"x": torch.arange(1000), "y": torch.ones(3, 4)[1:], "z": [1, "a"]}
    data = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(python_save(item))) as file, zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as to:
        for name in file.namelist():
            to.writestr(name, file.read(name))
    same(python_load(python_save(item)), load(data.getvalue(), source))


def test_skipped_data():
    item = {"x": torch.ones(5), "y": torch.ones(2, 3).t()}
    with torch.serialization.skip_data():
        data = python_save(item)
    loaded = load(data)
    assert {k: (v.shape, v.stride()) for k, v in loaded.items()} == {k: (v.shape, v.stride()) for k, v in item.items()}
    assert loaded["x"].sum() == 0


def test_storages_of_a_part_of_an_element():
    """Python cannot read them either: a storage of 5 bytes that is saved as one int32."""
    data = python_save([torch.arange(5, dtype=torch.uint8)[:4].view(torch.int32)])
    with pytest.raises(RuntimeError):
        python_load(data)
    assert refused(data)[0] == "FORMAT"


def test_torchscript_is_no_value():
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), buffer)
    kind, message = refused(buffer.getvalue())
    assert kind == "UNSUPPORTED" and "TorchScript" in message


# Files before 0.4 -----------------------------------------------------------------------------------------------------


def legacy(pickled, keys, storages):
    """A file before 1.6 with this pickle."""
    parts = [pickle.dumps(n, 2) for n in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True})]
    body = b"".join(struct.pack("<q", numel) + content for numel, content in storages)
    return b"".join(parts) + pickled + pickle.dumps(keys, 2) + body


class Storage:
    def __init__(self, *identity):
        self.identity = identity


class Pickler(pickle.Pickler):
    def persistent_id(self, item):
        return item.identity if isinstance(item, Storage) else None


class Call:
    """Pickled as a call."""

    def __init__(self, function, *args, state=None):
        self.function, self.args, self.state = function, args, state

    def __reduce__(self):
        return (self.function, self.args) if self.state is None else (self.function, self.args, self.state)


def pickled(item, protocol=2):
    buffer = io.BytesIO()
    Pickler(buffer, protocol).dump(item)
    return buffer.getvalue()


def test_parts_of_storages():
    """Files before 0.4 could have storages that are parts of others."""
    root = ("storage", torch.FloatStorage, "7", "cpu", 6)
    first, second = Storage(*root, ("8", 1, 3)), Storage(*root, ("9", 2, 4))
    build = torch._utils._rebuild_tensor
    item = [
        Call(build, first, 0, (3,), (1,)),
        Call(build, second, 1, (2,), (1,)),
        Call(build, Storage(*root, None), 0, (2, 3), (3, 1)),
        Call(build, first, 1, (2,), (1,)),
    ]
    numbers = torch.arange(6.0)
    data = legacy(pickled(item), ["7"], [(6, numbers.numpy().tobytes())])
    for source in ("memory", "callback"):
        a, b, c, d = load(data, source)
        assert a.tolist() == [1, 2, 3] and b.tolist() == [3, 4] and torch.equal(c, numbers.view(2, 3))
        assert d.tolist() == [2, 3] and a.untyped_storage().nbytes() == 12
        c.zero_()
        assert a.sum() == b.sum() == d.sum() == 0
        assert a.untyped_storage()._cdata == d.untyped_storage()._cdata != c.untyped_storage()._cdata


def test_variables_and_parameters_of_0_3():
    storage = Storage("storage", torch.FloatStorage, "7", "cpu", 2, None)
    tensor = Call(torch._utils._rebuild_tensor, storage, 0, (2,), (1,))
    parameter = Call(torch.nn.Parameter, tensor, state=(True, False, collections.OrderedDict()))
    frozen = Call(torch.nn.Parameter, tensor, False, state=(False, False, collections.OrderedDict()))
    data = legacy(pickled([parameter, frozen, tensor]), ["7"], [(2, torch.ones(2).numpy().tobytes())])
    a, b, c = load(data)
    assert isinstance(a, torch.nn.Parameter) and a.requires_grad and isinstance(b, torch.nn.Parameter)
    assert not b.requires_grad and type(c) is torch.Tensor and a.data_ptr() == c.data_ptr() and c.sum() == 2


def test_tensors_that_get_their_memory_later():
    storage = Storage("storage", torch.DoubleStorage, "7", "cpu", 2, None)
    code = io.BytesIO()
    p = Pickler(code, 2)
    p.dump(storage)
    inner = code.getvalue()[2:-1]
    body = b"\x80\x02ctorch\nDoubleTensor\nq\x05)\x81q\x06(" + inner + b"K\x00K\x02\x85K\x01\x85tb."
    data = legacy(body, ["7"], [(2, torch.ones(2).double().numpy().tobytes())])
    same(torch.ones(2).double(), load(data))


def tar_file(storages, views, tensors, value):
    """A file before 0.2."""
    parts = {
        "sys_info": pickle.dumps({}, 2),
        "storages": pickle.dumps(len(storages), 2)
        + b"".join(pickle.dumps(entry, 2) + struct.pack("<q", n) + content for entry, n, content in storages)
        + pickle.dumps(views, 2),
        "tensors": pickle.dumps(len(tensors), 2)
        + b"".join(
            pickle.dumps(entry, 2) + struct.pack(f"<ii{2 * len(sizes) + 1}q", len(sizes), 99, *sizes, *strides, offset)
            for entry, sizes, strides, offset in tensors
        ),
        "pickle": pickled(value),
    }
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:", format=tarfile.PAX_FORMAT) as file:
        for name, content in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def an_old_tar_file():
    numbers = torch.arange(6.0)
    storages = [
        ((11, "cpu", torch.FloatStorage), 6, numbers.numpy().tobytes()),
        ((12, "cpu", torch.LongStorage), 2, torch.tensor([5, 6]).numpy().tobytes()),
    ]
    tensors = [
        ((21, 11, torch.FloatTensor), (2, 3), (3, 1), 0),
        ((22, 12, torch.LongTensor), (2,), (1,), 0),
        ((23, 13, torch.FloatTensor), (2,), (1,), 1),
    ]

    class Id(Storage):
        pass

    t = [Id.__new__(Id) for _ in range(4)]
    for item, number in zip(t, (21, 22, 23, 13)):
        item.identity = number
    value = collections.OrderedDict(a=t[0], b=t[1], again=t[0], view=t[2], storage=t[3])
    return tar_file(storages, [(13, 11, 2, 3)], tensors, value)


@pytest.mark.parametrize("source", ["memory", "callback"])
def test_before_0_2(tmp_path, source):
    data = an_old_tar_file()
    path = tmp_path / "old.pt"
    path.write_bytes(data)
    loaded = load(data, source)
    same(torch.arange(6.0).view(2, 3), loaded["a"])
    same(torch.tensor([5, 6]), loaded["b"])
    assert loaded["again"] is loaded["a"]
    assert loaded["view"].tolist() == [3, 4] and loaded["storage"].nbytes() == 12
    loaded["a"].zero_()
    assert loaded["view"].sum() == 0
    python = torch.load(path, weights_only=False)
    assert torch.equal(python["view"], torch.tensor([3.0, 4.0])) and python["b"].tolist() == [5, 6]
