"""Files of TorchScript that are damaged, or made to do harm: each is refused by an error, whatever it is."""

from __future__ import annotations

import io
import pickletools
import random
import re
import struct
import zipfile
from typing import Dict  # noqa: UP035

import pytest
import torch

from tests.harness import collisions
from tests.harness.capi import CtorchError, ffi, lib, ok, out
from tests.jit.models import ROWS
from tests.jit.script import Module, load, saved

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


class Small(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.sizes = [1, 2]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight + self.sizes[0]


@pytest.fixture(scope="module")
def records() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(saved(torch.jit.script(Small())))) as file:
        return {name.partition("/")[2]: file.read(name) for name in file.namelist()}


def packed(records: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as file:
        for name, data in records.items():
            file.writestr(f"archive/{name}", data)
    return made.getvalue()


def refused(data: bytes, message: str = "", kind: str = "FORMAT") -> None:
    with pytest.raises(CtorchError, match=message or None) as caught:
        load(data)
    assert caught.value.kind == kind and caught.value.function == "ctorch_jit_load"


def code_of(records: dict[str, bytes]) -> str:
    return next(name for name in records if name.endswith(".py"))


def test_it_is_loaded_as_it_is(records: dict[str, bytes]) -> None:
    assert load(packed(records))(torch.ones(3)).tolist() == [2, 2, 2]
    assert load(packed(records, zipfile.ZIP_DEFLATED))(torch.ones(3)).tolist() == [2, 2, 2]


@pytest.mark.parametrize("name", ["data.pkl", "constants.pkl", "version", "data/0"])
def test_a_record_is_missing(records: dict[str, bytes], name: str) -> None:
    refused(packed({n: data for n, data in records.items() if n != name}))


def test_its_code_is_missing(records: dict[str, bytes]) -> None:
    refused(packed({n: data for n, data in records.items() if not n.endswith(".py")}))


def test_a_storage_is_shorter_than_it_says(records: dict[str, bytes]) -> None:
    refused(packed({**records, "data/0": b"\0" * 8}), "another number")


def integers(pickle: bytes) -> list[int]:
    """Where a pickle has an integer of one byte."""
    return [at for op, _, at in pickletools.genops(pickle) if op.name == "BININT1"]


def test_no_tensor_lies_outside_its_storage(records: dict[str, bytes]) -> None:
    """Each small number of the pickle in turn is made large: sizes, strides, offsets and numbers of elements."""
    pickle = records["data.pkl"]
    places = integers(pickle)
    assert len(places) >= 4
    wrong = 0
    for at in places:
        for value in (100, 255):
            changed = pickle[: at + 1] + bytes([value]) + pickle[at + 2 :]
            try:
                module = load(packed({**records, "data.pkl": changed}))
            except CtorchError as error:
                assert error.kind == "FORMAT"
                wrong += 1
            else:
                for parameter in module.parameters().values():
                    assert parameter.clone().shape == (3,)
    assert wrong >= 6


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 2000 + "x" + ")" * 2000,
        "[" * 2000 + "x" + "]" * 2000,
        "-" * 2000 + "x",
        "not " * 2000 + "x",
        "x" + "+x" * 2000,
        "x" + ".a" * 2000,
        "x" + "[0]" * 2000,
        "x if x else " * 2000 + "x",
        "f(" * 2000 + "x" + ")" * 2000,
    ],
)
def test_source_is_not_nested_without_end(records: dict[str, bytes], expression: str) -> None:
    name = code_of(records)
    source = records[name].decode().replace("return ", f"return {expression} #")
    refused(packed({**records, name: source.encode()}), "nested deeper")


def test_blocks_are_not_nested_without_end(records: dict[str, bytes]) -> None:
    name = code_of(records)
    blocks = "".join("  " * (i + 2) + "if True:\n" for i in range(1000)) + "  " * 1002 + "pass\n"
    source = records[name].decode()
    at = source.index("    ")
    refused(packed({**records, name: (source[:at] + blocks + source[at:]).encode()}), "nested deeper")


def test_pickles_are_not_nested_without_end(records: dict[str, bytes]) -> None:
    deep = b"\x80\x02)" + b"\x85" * 100_000 + b"."
    refused(packed({**records, "constants.pkl": deep}))
    refused(packed({**records, "data.pkl": deep}))
    refused(packed({**records, "constants.pkl": b"\x80\x02" + b"]" * 50_000 + b"a" * 49_999 + b"."}))


KEYS_OF_ONE_HASH = {
    "nan": [b"G\x7f\xf8" + bytes(6)] * 60,
    "ints": [b"\x8a\x08" + struct.pack("<q", key) for key in collisions.ints(60)],
    "texts": [b"X\x0f\0\0\0" + key.encode() for key in collisions.texts(60)],
}


@pytest.mark.parametrize("keys", KEYS_OF_ONE_HASH)
@pytest.mark.parametrize("name", ["data.pkl", "constants.pkl"])
def test_keys_of_one_hash(records: dict[str, bytes], name: str, keys: str) -> None:
    """LibTorch's table takes 2^60 slots for them."""
    pickle = b"\x80\x02}(" + b"".join(key + b"K\x01" for key in KEYS_OF_ONE_HASH[keys]) + b"u\x85."
    with collisions.no_more_memory():
        refused(packed({**records, name: pickle}), "too many keys")


class Total(torch.nn.Module):
    def forward(self, entries: Dict[int, int]) -> int:  # noqa: UP006 (so TorchScript names it)
        return len(entries)


def test_keys_of_one_hash_in_arguments() -> None:
    module = load(saved(torch.jit.script(Total())))
    assert module({615 * i: i for i in range(3000)}) == 3000
    with collisions.no_more_memory(), pytest.raises(CtorchError, match="too many keys") as caught:
        module(dict.fromkeys(collisions.ints(60), 1))
    assert caught.value.kind == "VALUE"


def debug_of(records: dict[str, bytes]) -> str:
    return next(name for name in records if name.endswith(".debug_pkl"))


def pickled(value: object) -> bytes:
    """A pickle of tuples, texts, None, numbers, and lists of numbers as TorchScript writes them."""
    if isinstance(value, tuple):
        return b"(" + b"".join(pickled(entry) for entry in value) + b"t"
    if isinstance(value, list):
        entries = b"".join(pickled(entry) for entry in value)
        return b"ctorch.jit._pickle\nbuild_intlist\n(](" + entries + b"etR"
    if isinstance(value, int):
        return b"\x8a\x08" + struct.pack("<q", value)
    if isinstance(value, str):
        return b"X" + struct.pack("<I", len(value)) + value.encode()
    return b"}" if isinstance(value, dict) else b"N"


TEXTS = ("", "def f(x):\n", "  return x\n", "here.py")
SOURCE = ([1, 2], 3, 7)


def with_table(*ranges: object, texts: object = TEXTS) -> tuple:
    return ("FORMAT_WITH_STRING_TABLE", texts, ranges)


GOOD_RANGES = {
    "texts in a table": with_table((0, (SOURCE, 0, 3), 0), (9, (SOURCE, 4, 1000), -1), (12, (([], 0, 0), 0, 0), 1)),
    "no range": with_table(),
    "texts of their own": ((0, (("def f(x)", "here.py", 7), 0, 3), 0), (9, (("text", None, 0), 0, 4), 1)),
    "without tags": ((0, (("def f(x)", "here.py", 7), 0, 3)),),
    "no texts": with_table((0, (("text", None, 0), 0, 4), 0), texts=()),
}
BAD_RANGES = {
    "not a tuple": "FORMAT_WITH_STRING_TABLE",
    "nothing": (),
    "nothing but the mark": ("FORMAT_WITH_STRING_TABLE",),
    "no ranges": ("FORMAT_WITH_STRING_TABLE", TEXTS),
    "texts that are numbers": with_table(texts=(1, 2)),
    "texts that are a list": with_table(texts=[1, 2]),
    "ranges that are a list": ("FORMAT_WITH_STRING_TABLE", TEXTS, [1]),
    "a range that is a number": with_table(7),
    "a range without parts": with_table(()),
    "a range without a source": with_table((0,)),
    "a range whose place is a text": with_table(("0", (SOURCE, 0, 3), 0)),
    "a range of two parts": with_table((0, (SOURCE, 0), 0)),
    "a range that begins before its source": with_table((0, (SOURCE, -1, 3), 0)),
    "a range that ends before its source": with_table((0, (SOURCE, 0, -3), 0)),
    "a range that ends at a text": with_table((0, (SOURCE, 0, "3"), 0)),
    "a source that is a number": with_table((0, (7, 0, 3), 0)),
    "a source of two parts": with_table((0, (([1], 3), 0, 3), 0)),
    "a line that is not there": with_table((0, (([1, 4], 3, 7), 0, 3), 0)),
    "a line far away": with_table((0, (([1 << 40], 3, 7), 0, 3), 0)),
    "a line before the first": with_table((0, (([-1], 3, 7), 0, 3), 0)),
    "a name that is not there": with_table((0, (([1], 4, 7), 0, 3), 0)),
    "a name before the first": with_table((0, (([1], -1, 7), 0, 3), 0)),
    "lines that are a tuple": with_table((0, (((1, 2), 3, 7), 0, 3), 0)),
    "a first line that is a text": with_table((0, (([1], 3, "7"), 0, 3), 0)),
    "a text that is a number": ((0, ((7, None, 0), 0, 3), 0),),
    "a name that is a number": ((0, (("text", 7, 0), 0, 3), 0),),
    "a second source that is wrong": with_table((0, (SOURCE, 0, 3), 0), (0, (([9], 3, 7), 0, 3), 0)),
}


@pytest.mark.parametrize("name", GOOD_RANGES)
def test_where_source_came_from_is_read(records: dict[str, bytes], name: str) -> None:
    data = b"\x80\x02" + pickled(GOOD_RANGES[name]) + b"."
    module = load(packed({**records, debug_of(records): data}))
    with pytest.raises(CtorchError):
        module("not a tensor")


@pytest.mark.parametrize("name", BAD_RANGES)
def test_where_source_came_from_is_wrong(records: dict[str, bytes], name: str) -> None:
    """LibTorch would read what is not there at the model's first error."""
    refused(
        packed({**records, debug_of(records): b"\x80\x02" + pickled(BAD_RANGES[name]) + b"."}), "debug_pkl.*expected"
    )


def test_each_byte_of_where_source_came_from(records: dict[str, bytes]) -> None:
    """An error of the model shows it, unless it was refused."""
    name = debug_of(records)
    chance = random.Random(40)
    places = [at for op, _, at in pickletools.genops(records[name]) if op.name.startswith("BININT")]
    for at in chance.sample(places, min(len(places), 60)):
        for byte in (200, 255):
            changed = records[name][: at + 1] + bytes([byte]) + records[name][at + 2 :]
            try:
                module = load(packed({**records, name: changed}))
            except CtorchError as error:
                assert error.kind == "FORMAT"
                continue
            with pytest.raises(CtorchError):
                module(torch.ones(2))


def test_sources_that_share_their_lines_take_no_more_memory_than_the_file(records: dict[str, bytes]) -> None:
    line = pickled([1] * 20000) + b"q\x01"
    sources = b"".join(b"(K\0((" + (line if i == 0 else b"h\x01") + b"K\x03K\x07tK\0K\x03tK\0t" for i in range(20000))
    data = b"\x80\x02(" + pickled("FORMAT_WITH_STRING_TABLE") + pickled(TEXTS) + b"(" + sources + b"tt."
    refused(packed({**records, debug_of(records): data}), "memory")


def test_assertions_of_libtorch_are_said_to_be_of_the_file(records: dict[str, bytes]) -> None:
    """By themselves they ask to report a bug to PyTorch."""
    name = code_of(records)
    seen = 0
    source = records[name]
    for at in range(len(source)):
        for byte in b":=(":
            changed = source[:at] + bytes([byte]) + source[at + 1 :]
            try:
                load(packed({**records, name: changed}))
            except CtorchError as error:
                text = str(error)
                if "please report a bug" in text:
                    assert error.kind == "FORMAT"
                    assert text.startswith("FORMAT: data: damaged, or not written by torch.jit.save. LibTorch gave up")
                    seen += 1
    assert seen > 0


@pytest.mark.parametrize("device", [b"cuda:0", b"xpu:0", b"hpu"])
def test_a_device_that_is_not_here_is_said_to_be_missing(records: dict[str, bytes], device: bytes) -> None:
    if device.startswith(b"cuda") and torch.cuda.is_available():
        pytest.skip("it is here")
    place = b"X" + struct.pack("<I", len(device)) + device
    there = {**records, "data.pkl": records["data.pkl"].replace(b"X\x03\0\0\0cpu", place)}
    refused(packed(there), "pass `device`, the CPU for example", "RUNTIME")
    cpu = ffi.new("ctorch_device *", {"type": 0, "index": -1})
    assert load(packed(there), cpu)(torch.ones(3)).tolist() == [2, 2, 2]


def test_a_device_that_is_not_here_cannot_be_asked_for(records: dict[str, bytes]) -> None:
    missing = ffi.new("ctorch_device *", {"type": 1, "index": 99})
    with pytest.raises(CtorchError, match="device: it is not here; pass another one") as caught:
        load(packed(records), missing)
    assert caught.value.kind == "RUNTIME"


def test_an_unknown_operator_is_unsupported(records: dict[str, bytes]) -> None:
    name = code_of(records)
    source = records[name].decode().replace("torch.mul(", "ops.nowhere.nothing(")
    assert source != records[name].decode()
    refused(packed({**records, name: source.encode()}), "nowhere::nothing", "UNSUPPORTED")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_random_damage_is_refused_or_harmless(row) -> None:
    torch.manual_seed(0)
    model = row.build().eval()
    data = saved(torch.jit.trace(model, row.calls()[0].args) if row.trace else torch.jit.script(model))
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        whole = {name.partition("/")[2]: file.read(name) for name in file.namelist()}
    chance = random.Random(row.name)
    names = [n for n in whole if n.endswith((".pkl", ".py")) and whole[n]]
    for _ in range(60):
        name = chance.choice(names)
        changed = bytearray(whole[name])
        for _ in range(chance.choice((1, 1, 2, 8))):
            at = chance.randrange(len(changed))
            changed[at : at + chance.choice((0, 1, 1))] = bytes([chance.randrange(256)])
        try:
            module = load(packed({**whole, name: bytes(changed)}))
        except CtorchError as error:
            assert error.kind in ("FORMAT", "UNSUPPORTED", "NOT_IMPLEMENTED", "OUT_OF_MEMORY"), str(error)
        else:
            for parameter in module.parameters().values():
                parameter.clone()


class Wide(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.c, self.d, self.e = (torch.ones(1) * i for i in range(5))

    def forward(self) -> torch.Tensor:
        return self.a + self.b + self.c + self.d + self.e


class Thin(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = torch.ones(1)

    def forward(self) -> torch.Tensor:
        return self.a


class Typed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.wide = Wide()
        self.thin = Thin()
        self.pair = (7, 8)
        self.names = {"x": (9, 10)}
        self.places = [(11, 12)]

    def forward(self) -> torch.Tensor:
        x, y = self.pair
        z, _ = self.names["x"]
        v, w = self.places[0]
        return self.wide() + self.thin() + x + y + z + v + w


def test_attributes_are_of_the_types_that_their_classes_declare() -> None:
    """LibTorch would look for one class's attributes in an object of another, and for a tuple's parts in the stack."""
    with zipfile.ZipFile(io.BytesIO(saved(torch.jit.script(Typed())))) as file:
        records = {name.partition("/")[2]: file.read(name) for name in file.namelist()}
    pickle = records["data.pkl"]
    assert load(packed(records))().tolist() == [58]

    def changed(old: bytes, new: bytes) -> bytes:
        assert pickle.count(old) == 1, (old, pickle)
        return packed({**records, "data.pkl": pickle.replace(old, new)})

    refused(changed(b"\nWide\n", b"\nThin\n"), "'wide' is not of its type")
    refused(changed(b"K\x07K\x08\x86", b"K\x07\x85"), "'pair' is not of its type")
    refused(changed(b"K\x07K\x08\x86", b"K\x07K\x08K\x08\x87"), "'pair' is not of its type")
    refused(changed(b"K\x09K\x0a\x86", b"K\x09\x85"), "'names' is not of its type")
    refused(changed(b"K\x0bK\x0c\x86", b"K\x0b\x85"), "'places' is not of its type")
    refused(changed(b"K\x0bK\x0c\x86", b"K\x0b"), "'places' is not of its type")


class Shared(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pairs = [(1, 2)]
        self.triples = [(3, 4, 5)]

    def forward(self) -> int:
        a, b = self.pairs[0]
        c, d, e = self.triples[0]
        return a + b + c + d + e


def test_a_list_of_two_attributes_is_of_the_types_of_both() -> None:
    with zipfile.ZipFile(io.BytesIO(saved(torch.jit.script(Shared())))) as file:
        records = {name.partition("/")[2]: file.read(name) for name in file.namelist()}
    pickle = records["data.pkl"]
    assert load(packed(records))() == 15
    # The list of triples becomes that of pairs too: it is kept as object 99, and taken for the other attribute.
    whole = re.search(rb"\]\(K\x01K\x02\x86e(X.{4}List.{1,40}?q.\x86R)", pickle, re.DOTALL)
    other = re.search(rb"h.\]\(K\x03K\x04K\x05\x87eX.{4}List.{1,40}?q.\x86R", pickle, re.DOTALL)
    assert whole and other
    pickle = pickle.replace(other[0], b"h\x63").replace(whole[0], b"](K\x03K\x04K\x05\x87e" + whole[1] + b"q\x63")
    refused(packed({**records, "data.pkl": pickle}), "'pairs' is not of its type")


class Sparse(torch.nn.Module):
    """A sparse tensor as a buffer and in a list."""

    def __init__(self, matrix: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("matrix", matrix)
        self.listed = [matrix]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.matrix.to_dense() @ x + 2 * (self.listed[0].to_dense() @ x)


DENSE = torch.tensor([[0.0, 1, 0], [2, 0, 0], [0, 0, 3]])


def of_layout(layout: torch.layout) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(saved(torch.jit.script(Sparse(DENSE.to_sparse(layout=layout)))))) as file:
        return {name.partition("/")[2]: file.read(name) for name in file.namelist()}


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_an_index_of_a_sparse_tensor_lies_outside(layout: torch.layout) -> None:
    """LibTorch would believe it."""
    records = of_layout(layout)
    expected = Sparse(DENSE)(torch.ones(3))
    assert torch.equal(load(packed(records))(torch.ones(3)), expected)
    one, huge = (1).to_bytes(8, "little"), (1 << 22).to_bytes(8, "little")
    indices = [name for name, data in records.items() if name.startswith("data/") and one in data]
    assert indices
    for name in indices:
        before, _, after = records[name].rpartition(one)
        refused(packed({**records, name: before + huge + after}), "sparse")


class Asserts(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Small()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch._is_all_true(self.inner(x))  # which asserts that they are bools


def test_an_assertion_at_a_later_call_names_the_file(tmp_path):
    path = tmp_path / "asserts.pt"
    torch.jit.script(Asserts()).save(str(path))
    loaded = out("ctorch_jit_module *")
    ok(lib.ctorch_jit_load_file(loaded, str(path).encode(), ffi.NULL))
    module = Module(loaded)
    for one in (module, module.made("copy"), module.train(False).made("freeze", ffi.NULL, 0, True)):
        with pytest.raises(
            CtorchError, match=f"(?s)^RUNTIME: {path}: LibTorch gave up while it .*INTERNAL ASSERT FAILED"
        ):
            one(torch.ones(3))
    with pytest.raises(CtorchError, match="^RUNTIME: (?!.*asserts.pt: LibTorch gave up)"):
        module(torch.ones(2, 2))  # shapes that do not fit: no assertion
