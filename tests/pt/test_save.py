"""Files that ctorch writes as `torch.save` does: `torch.load` reads them, and they are Python's to the byte."""

from __future__ import annotations

import collections
import fractions
import io
import pickle
import sys
import types
import warnings
import zipfile

import pytest
import torch

from tests.harness.capi import error, fails, ffi, lib, ok, out
from tests.pt.contents import CONTENTS
from tests.pt.same import same
from tests.pt.saving import (
    ANY,
    NO_CRC32,
    SKIP_DATA,
    Values,
    Written,
    is_pythons,
    load,
    python_save,
    save,
    writer,
    written,
)

warnings.filterwarnings("ignore", message=".*(TypedStorage|nested tensor|[Ss]parse|ComplexHalf|quantized).*")


def refused(item, flags=0):
    """Why a value cannot be written; nothing was."""
    target = writer()
    kind, message = fails(lib.ctorch_serialization_save(target, Values()(item), flags), "ctorch_serialization_save")
    assert lib.ctorch_writer_nbytes(target) == 0
    return kind, message


@pytest.mark.parametrize("name", CONTENTS)
def test_python_loads_it_and_would_write_the_same_bytes(name):
    item = CONTENTS[name]()
    data = save(item)
    loaded = load(data, weights_only=True)
    if isinstance(item, torch.UntypedStorage):
        loaded = loaded._untyped_storage  # as Python's own files come back too
    same(item, loaded)
    assert is_pythons(data, python_save(item))
    assert save(item) == data


# What ctorch holds in other words: these are loaded as the same, but in other bytes.
OTHER_WORDS = {"empty bytearray", "counter", "scheduler"}
FORGOTTEN = {"parameter_with_attributes"}  # what tensors of ctorch cannot keep


@pytest.mark.parametrize("name", sorted(set(CONTENTS) - FORGOTTEN))
def test_what_was_loaded_is_written_again(name):
    item = CONTENTS[name]()
    data = python_save(item)
    made_reader, loaded = out("ctorch_reader *"), out("ctorch_value *")
    ok(lib.ctorch_reader_from_data(made_reader, data, len(data), ffi.NULL, ffi.NULL))
    ok(lib.ctorch_serialization_load(loaded, made_reader[0], ffi.NULL))
    again = save(ffi.gc(loaded[0], lib.ctorch_value_release))
    lib.ctorch_reader_release(made_reader[0])
    assert is_pythons(again, data) == (name not in OTHER_WORDS)
    if name in OTHER_WORDS:
        same(item, load(again))


# What is loaded as well as Python's files are, but is not Python's to the byte ---------------------------------------


def test_equal_texts_are_one():
    """Python knows texts by identity: those that a program makes anew are written each time."""
    item = ["".join(["a", "b"]), "".join(["a", "b"])]
    data = save(item)
    same(item, load(data))
    assert not is_pythons(data, python_save(item))


def test_no_bytes_at_all_are_encoded_as_others_are():
    """Python's own file of them cannot be loaded with weights_only=True."""
    with pytest.raises(pickle.UnpicklingError):
        load(python_save(b""))
    assert load(save(b"")) == b""
    assert is_pythons(save(b"", ANY), python_save(b""))


def test_what_has_no_identity_is_written_each_time():
    for item in (torch.device("cpu"), 1j):
        data = save([item, item])
        assert load(data) == [item, item]
        assert not is_pythons(data, python_save([item, item]))


def test_a_set_is_written_in_its_own_order():
    """Python's is that of its hash table."""
    item = Written("builtins", "set", ([4000, 3, 77],))
    assert load(save(item)) == {3, 77, 4000}


def test_tensors_of_several_dtypes_share_memory():
    """Python refuses to write them."""
    base = torch.arange(6, dtype=torch.float32)
    item = {"f": base, "i": base.view(torch.int32)[1:], "u": base.view(torch.uint16), "list": [base.view(torch.int32)]}
    other = torch.zeros(2)
    item["other"] = other
    with pytest.raises(RuntimeError, match="view the same data as different types"):
        python_save(item)
    loaded = load(save(item))
    same(item, loaded)
    assert loaded["f"].untyped_storage()._cdata == loaded["u"].untyped_storage()._cdata
    item = [base.untyped_storage(), base.t()]
    loaded = load(save(item))
    assert loaded[0]._untyped_storage._cdata == loaded[1].untyped_storage()._cdata


def test_a_quantized_tensor_shares_memory_with_no_other_dtype():
    quantized = torch.quantize_per_tensor(torch.arange(3.0), 0.1, 0, torch.qint8)
    for item in ([quantized, quantized.int_repr()], [quantized, quantized.untyped_storage()]):
        if item[1] is not item[0] and isinstance(item[1], torch.Tensor):
            item[1] = torch.empty(0, dtype=torch.int8).set_(quantized.untyped_storage(), 0, (3,))
        kind, message = refused(item)
        assert kind == "UNSUPPORTED" and "value[0]: a quantized tensor" in message


# What Python loads with weights_only=False alone ----------------------------------------------------------------------


class Plain:
    """A class like those that files know by their names."""

    def __init__(self, a, b=2):
        self.a, self.b = a, b

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__


class Entries(list):
    pass


def tuple_in_itself(n):
    inner = []
    item = (inner, *range(n - 1))
    inner.append(item)
    return item


def generator():
    result = torch.Generator()
    result.manual_seed(2**63 + 11)
    torch.rand(3, generator=result)
    return result


def plain(**state):
    result = Plain.__new__(Plain)
    result.__dict__.update(state)
    return result


def entries():
    result = Entries([1, 2])
    result.name = "x"
    return result


NEW = types.SimpleNamespace  # of a module that pickle finds
ANY_CONTENTS = {
    "frozenset": lambda: frozenset([3]),
    "range": lambda: range(1, 10, 2),
    "int of 256 bytes": lambda: 2**2040,
    "negative int of 256 bytes": lambda: -(2**2047) - 1,
    "generator": generator,
    "one generator twice": lambda: [g := generator(), g],
    **{f"tuple of {n} in itself": lambda n=n: tuple_in_itself(n) for n in (1, 2, 3, 4, 5)},
    "type": lambda: [int, range, str, fractions.Fraction],
    "defaultdict": lambda: collections.defaultdict(list, {"a": [1]}),
    "deque": lambda: collections.deque([1, 2, 3]),
    "fraction": lambda: fractions.Fraction(3, 4),
    "object with a state": lambda: plain(a=[1], b="text"),
    "object without a state": lambda: plain(),
    "objects with items": entries,
    "an object twice": lambda: [p := plain(a=1), p],
}
OURS = {  # as files describe them
    "defaultdict": Written("collections", "defaultdict", (list,), {"a": [1]}),
    "deque": Written("collections", "deque", (), [1, 2, 3]),
    "fraction": Written("fractions", "Fraction", ("3/4",)),
    "object with a state": Written("copyreg", "__newobj__", (Plain,), None, {"a": [1], "b": "text"}),
    "object without a state": Written("copyreg", "__newobj__", (Plain,)),
    "objects with items": Written("copyreg", "__newobj__", (Entries,), [1, 2], {"name": "x"}),
    "an object twice": [p := Written("copyreg", "__newobj__", (Plain,), None, {"a": 1}), p],
}


@pytest.mark.parametrize("name", ANY_CONTENTS)
def test_what_weights_only_does_not_take_is_written_when_asked(name):
    item = ANY_CONTENTS[name]()
    ours = OURS.get(name, item)
    kind, message = refused(ours)
    assert kind == "UNSUPPORTED" and "weights_only=True" in message and message.startswith("value"), message
    data = save(ours, ANY)
    with pytest.raises(pickle.UnpicklingError):
        load(python_save(item), weights_only=True)
    same(item, load(data, weights_only=False))
    if name != "fraction" or sys.version_info >= (3, 12):
        assert is_pythons(data, python_save(item)) == (name not in {"fraction"})


def test_memory_formats_are_written_though_python_cannot():
    for memory_format in (
        torch.contiguous_format,
        torch.preserve_format,
        torch.channels_last,
        torch.channels_last_3d,
    ):
        with pytest.raises(TypeError):
            python_save(memory_format)
        assert refused(memory_format)[0] == "UNSUPPORTED"
        assert load(save([memory_format], ANY), weights_only=False) == [memory_format]


def counter(**attributes):
    result = collections.Counter(a=2)
    result.__dict__.update(attributes)
    return result


def test_classes_that_are_allowed_are_written_as_described():
    for ours, expected in [
        (Written("collections", "OrderedDict", ([("a", 1)],)), collections.OrderedDict(a=1)),
        (Written("collections", "Counter", (), {"a": 2}), collections.Counter(a=2)),
        (Written("collections", "Counter", ({"a": 2},), None, {"x": 1}), counter(x=1)),
        (Written("torch", "device", ("cuda", 1)), torch.device("cuda:1")),
        (Written("_codecs", "encode", ("é", "utf-8")), "é".encode()),
        (Written("torch.nn.parameter", "Parameter", (torch.ones(2),)), torch.nn.Parameter(torch.ones(2))),
        (Written("torch", "float32"), torch.float32),
        (Written("torch", "FloatStorage"), None),
        (Written("torch.cuda", "HalfTensor"), None),
        (Written("torch.storage", "UntypedStorage"), torch.UntypedStorage),
    ]:
        loaded = load(save(ours))
        if expected is not None:
            same(expected, loaded)


# What cannot be written -----------------------------------------------------------------------------------------------


def stream():
    result = out("ctorch_value *")
    ok(lib.ctorch_value_from_stream(result, ffi.new("ctorch_stream *", [0, 0, 0])))
    return ffi.gc(result[0], lib.ctorch_value_release)


def not_utf8():
    result = out("ctorch_value *")
    ok(lib.ctorch_value_from_string_data(result, b"\xff", 1))
    return ffi.gc(result[0], lib.ctorch_value_release)


def batched():
    result = []
    torch.func.vmap(lambda x: result.append(x) or x)(torch.zeros(2, 3))
    return result[0]


@pytest.mark.parametrize(
    "item, place, what",
    [
        (lambda: stream(), "value", "Stream"),
        (lambda: {"model": [1, 2, 3, stream()]}, "value['model'][3]", "Stream"),
        (lambda: ((0, [{5: (stream(),)}]),), "value[0][1][0][5][0]", "Stream"),
        (lambda: {"a": not_utf8()}, "value['a']", "UTF-8"),
        (lambda: {"a": {not_utf8(): 1}}, "value['a'].keys[0]", "UTF-8"),
        (lambda: [torch.zeros(2).to_mkldnn()], "value[0]", "_mkldnn"),
        (lambda: [torch._efficientzerotensor(3)], "value[0]", "ZeroTensor"),
        (lambda: [torch.empty(2, device="meta").untyped_storage()], "value[0]", "meta"),
        (lambda: collections.OrderedDict(a=stream()), "value['a']", "Stream"),
        (lambda: Written("collections", "OrderedDict", (), None, {"x": stream()}), "value.state['x']", "Stream"),
        (lambda: Written("collections", "Counter", ({"x": stream()},)), "value.args[0]['x']", "Stream"),
        (lambda: [Written("os", "system", ("true",))], "value[0]", "os.system"),
        (lambda: [Written("os", "system")], "value[0]", "os.system"),
        (lambda: [Written("builtins", "set", ([1],), None, {"a": 1})], "value[0].state", "a state of builtins.set"),
        (lambda: [Written("torch", "Size", ((1,),), [1])], "value[0]", "items of torch.Size"),
        (lambda: [Written("torch.nn.parameter", "Parameter", (torch.ones(1),), [1])], "value[0]", "items"),
        (lambda: {"é" * 100: stream()}, "value['" + "é" * 29 + "…]", "Stream"),
        (lambda: [torch.quantize_per_tensor(torch.ones(1), 1.0, 0, torch.quint8), stream()], "value[1]", "Stream"),
    ],
)
def test_what_cannot_be_written_is_refused_with_its_place(item, place, what):
    kind, message = refused(item())
    assert kind == "UNSUPPORTED" and message.startswith(place + ": ") and what in message, message


def test_a_set_for_items_and_newobj_of_nothing_are_refused_whatever_the_flags():
    assert "a set" in refused(Written("builtins", "set", (), {1}), ANY)[1]
    assert "without a class" in refused(Written("copyreg", "__newobj__", ()), ANY)[1]


def nested(values, innermost, depth):
    """Lists, tuples and dicts in one another, made without recursion."""
    handle = innermost
    for i in range(depth):
        made = out("ctorch_value *")
        one = ffi.new("ctorch_value *[]", [handle])
        if i % 3 == 0:
            ok(lib.ctorch_value_from_list(made, one, 1))
        elif i % 3 == 1:
            ok(lib.ctorch_value_from_tuple(made, one, 1))
        else:
            ok(lib.ctorch_value_from_dict(made, ffi.new("ctorch_value *[]", [values("a")]), 1, one, 1))
        handle = ffi.gc(made[0], lib.ctorch_value_release)
    return handle


def test_the_middle_of_a_long_place_is_left_out():
    kind, message = refused(nested(Values(), stream(), 30000))
    assert kind == "UNSUPPORTED" and message.startswith(
        "value['a'][0][0]['a'][0][0]['a'][0]…[0][0]['a'][0][0]['a'][0][0]: "
    ), message


def test_arguments_are_checked():
    target = writer()
    item = Values()(1)
    assert fails(lib.ctorch_serialization_save(ffi.NULL, item, 0)) == ("NULL_ARGUMENT", "writer must not be NULL")
    assert fails(lib.ctorch_serialization_save(target, ffi.NULL, 0)) == ("NULL_ARGUMENT", "value must not be NULL")
    for flags in (8, -1, -(2**31)):
        assert fails(lib.ctorch_serialization_save(target, item, flags))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_serialization_save_file(ffi.NULL, b"x"))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_serialization_save_file(item, ffi.NULL))[0] == "NULL_ARGUMENT"
    written(target)
    assert fails(lib.ctorch_serialization_save(target, item, 0))[0] == "RUNTIME"


def test_no_depth_is_too_deep():
    """Python's own pickler gives up at 1000; what reads pickles goes on."""
    values = Values()
    loaded = load(save(nested(values, values([]), 100000)))
    depth = 0
    while loaded:
        loaded = loaded["a"] if isinstance(loaded, dict) else loaded[0]
        depth += 1
    assert depth == 100000


# Files, flags, writers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["model.pt", "model", "a.b.c", "with space.pth", ".hidden.pt", "größe.pt", "x" * 200 + ".pt"]
)
def test_a_file_is_pythons_file(tmp_path, name):
    item = {"weight": torch.arange(3.0)}
    ok(lib.ctorch_serialization_save_file(Values()(item), str(tmp_path / name).encode()))
    mine = (tmp_path / name).read_bytes()
    same(item, torch.load(tmp_path / name))
    same(item, torch.load(tmp_path / name, mmap=True))
    torch.save(item, tmp_path / name)
    assert is_pythons(mine, (tmp_path / name).read_bytes())


def test_a_name_without_a_stem_has_the_folder_of_a_buffer(tmp_path):
    """Python refuses it."""
    with pytest.raises(RuntimeError, match="invalid file name"):
        torch.save(1, tmp_path / ".pt")
    ok(lib.ctorch_serialization_save_file(Values()(1), str(tmp_path / ".pt").encode()))
    assert (tmp_path / ".pt").read_bytes() == save(1)


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(b"before")
    assert fails(lib.ctorch_serialization_save_file(stream(), str(path).encode()))[0] == "UNSUPPORTED"
    assert path.read_bytes() == b"before" and list(tmp_path.iterdir()) == [path]
    kind, message = fails(lib.ctorch_serialization_save_file(Values()(1), str(tmp_path / "no/x").encode()))
    assert kind == "IO" and "no/x" in message


def test_a_writer_may_be_tried_again_after_a_value_that_cannot_be_written():
    target = writer()
    assert fails(lib.ctorch_serialization_save(target, stream(), 0))[0] == "UNSUPPORTED"
    ok(lib.ctorch_serialization_save(target, Values()([1]), 0))
    assert load(written(target)) == [1]


FLAGS_CONTENTS = [
    "optimizer",
    "views_of_one",
    "tensor of 400000 bytes",
    "coo",
    "parameter",
    "meta tensor of torch.int8",
]


@pytest.mark.parametrize("name", FLAGS_CONTENTS)
def test_checksums_can_be_left_out(name):
    item = CONTENTS[name]()
    before = torch.serialization.get_crc32_options()
    torch.serialization.set_crc32_options(False)
    try:
        expected = python_save(item)
    finally:
        torch.serialization.set_crc32_options(before)
    data = save(item, NO_CRC32)
    assert is_pythons(data, expected)
    same(item, load(data))
    assert {i.CRC for i in zipfile.ZipFile(io.BytesIO(data)).infolist()} == {0}


@pytest.mark.parametrize("name", FLAGS_CONTENTS)
def test_data_can_be_left_out(tmp_path, name):
    item = CONTENTS[name]()
    with torch.serialization.skip_data(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.save(item, tmp_path / "archive.pt")
    data = save(item, SKIP_DATA)
    assert is_pythons(data, (tmp_path / "archive.pt").read_bytes())
    archive = zipfile.ZipFile(io.BytesIO(data))
    for record in archive.infolist():
        if "/data/" in record.filename and record.filename.rsplit("/", 1)[1].isdigit():
            place = record.header_offset + 30 + int.from_bytes(data[record.header_offset + 26 :][:2], "little")
            place += int.from_bytes(data[record.header_offset + 28 :][:2], "little")
            assert not any(data[place : place + record.file_size])


def test_data_cannot_be_left_out_of_what_needs_it():
    for name in ("quantized torch.qint8", "nested_tensor"):
        assert "without its data" in refused(CONTENTS[name](), SKIP_DATA)[1]


class Sink:
    """A writer to a callback that keeps what it gets, and where that lay, or fails at a byte."""

    def __init__(self, fail_at=None):
        self.data, self.places, self.fail_at, self.destroyed = bytearray(), [], fail_at, 0

        @ffi.callback("ctorch_callback_status(const void *, size_t, ctorch_error **, void *)")
        def write(data, nbytes, out_error, payload):
            if self.fail_at is not None and len(self.data) + nbytes > self.fail_at:
                self.failed = getattr(self, "failed", 0) + 1
                out_error[0] = error("IO", "the disk is full")
                return 0
            self.places.append((int(ffi.cast("uintptr_t", data)), nbytes))
            self.data += ffi.buffer(data, nbytes)
            return 1

        @ffi.callback("void(void *)")
        def destroy(payload):
            self.destroyed += 1

        self.kept = write, destroy
        made = out("ctorch_writer *")
        ok(lib.ctorch_writer_from_callback(made, write, destroy, ffi.NULL))
        self.writer = made[0]


def test_bytes_are_handed_on_from_where_they_are_and_but_once():
    base = torch.rand(1000, 200)
    other = torch.rand(50000)
    item = {"base": base, "views": [base[i] for i in range(100)], "other": other}
    sink = Sink()
    ok(lib.ctorch_serialization_save(sink.writer, Values()(item), 0))
    ok(lib.ctorch_writer_finish(sink.writer))
    lib.ctorch_writer_release(sink.writer)
    assert sink.destroyed == 1 and is_pythons(bytes(sink.data), python_save(item))
    assert sink.places.count((base.data_ptr(), 800000)) == 1
    assert sink.places.count((other.data_ptr(), 200000)) == 1


def test_a_writer_may_fail_at_any_byte():
    item = {"a": torch.zeros(40000), "b": [1, "text"], "c": torch.zeros(3)}
    values = Values()
    value = values(item)
    n = len(save(value))
    live = lib.ctorch_debug_live_handles()
    for at in [*range(0, n, 997), n - 1]:
        sink = Sink(at)
        failure = lib.ctorch_serialization_save(sink.writer, value, 0)
        if failure == ffi.NULL:
            failure = lib.ctorch_writer_finish(sink.writer)
        assert fails(failure) == ("IO", "the disk is full")
        assert sink.failed == 1, "it was asked again after it had failed"
        assert fails(lib.ctorch_serialization_save(sink.writer, value, 0))[0] == "RUNTIME"
        lib.ctorch_writer_release(sink.writer)
        assert sink.destroyed == 1
    assert lib.ctorch_debug_live_handles() == live


def test_a_large_value_is_written_at_once():
    item = [{"key": i, "list": [i, (i, "text")]} for i in range(50000)]
    data = save(item)
    assert load(data) == item
