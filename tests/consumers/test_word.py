"""libspl_ctorch.so, called as languages call it that know nothing but 64-bit words.

The library is the one in CTORCH_BUILD; CTORCH_LIBRARY and CTORCH_API name ctorch's own. What needs no Python in the
process, or a sanitizer, runs as a program of consumers/word.
"""

import ctypes
import math
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bindings-gen")]

from consumers.word.calls import WordLibrary  # noqa: E402
from consumers.word.transport import MAX_WORDS, WordError, Words, through_61_bits  # noqa: E402
from parity import operators, runner  # noqa: E402

BUILD = Path(os.environ.get("CTORCH_BUILD", ROOT / "build" / "cmake"))
GENERATED = BUILD / "generated"
LIBRARY = Path(os.environ.setdefault("CTORCH_LIBRARY", str(BUILD / "libctorch.so")))
API = Path(os.environ.setdefault("CTORCH_API", str(GENERATED / "api.json")))
WORD_LIBRARY = Path(os.environ.setdefault("CTORCH_WORD_LIBRARY", str(BUILD / "libspl_ctorch.so")))
SOURCES = ROOT / "shim" / "word"
INCLUDE = ["-I", str(ROOT / "include"), "-I", str(SOURCES), "-I", str(GENERATED / "word")]
FLOAT32, FLOAT64, INT64 = 6, 7, 4
SANITIZE_EVERY = 40  # of how many operators one is in the sanitized library
EVERY = 30  # of how many operators one is compared with PyTorch here; CTORCH_WORD_EVERY=1 compares all of them


@pytest.fixture(scope="module")
def library() -> WordLibrary:
    return WordLibrary(str(LIBRARY), str(WORD_LIBRARY), str(API))


@pytest.fixture
def words(library):
    """The transport; the test has to give back whatever it makes."""
    library.words("last_error_clear")
    assert library.words("live_handles") == 0
    yield library.words
    library.words("last_error_clear")
    assert library.words("live_handles") == 0


@pytest.fixture
def scoped(words):
    """The transport in a scope, which gives back what the test leaves."""
    scope = words("scope_begin")
    yield words
    words("scope_end", scope)


def compiler() -> str:
    found = shutil.which("gcc") or shutil.which("cc")
    if not found:
        pytest.skip("no C compiler: apt install gcc")
    return found


def python(module: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    search = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "bindings-gen"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-X", "faulthandler", "-m", module, str(API), *arguments]
    return subprocess.run(
        command, env=os.environ | {"PYTHONPATH": search} | environment, capture_output=True, text=True, timeout=300
    )


def tensor(words: Words, values: list, *shape: int, dtype: int = FLOAT32) -> int:
    """A tensor of a list of doubles, whose memory is handed over."""
    data = words.list("doubles", made := [words.number(float(v)) for v in values])
    sizes = words.ints(list(shape))
    wide = words("tensor_from_data", data, sizes, FLOAT64)
    result = words("tensor_to", wide, words("number_int", dtype), 0, 0, 0, 0)
    words.release(data, sizes, wide, *made)
    return result


def values_of(words: Words, handle: int) -> list:
    length = words("tensor_numel", handle) * 8
    text = words("tensor_copy_to_buffer", wide := words("aten_to_dtype", handle, FLOAT64, 0, 0, 0), length, FLOAT64)
    doubles = words("doubles_from_text", text)
    found = [words.take_number(words("doubles_get", doubles, i)) for i in range(words("doubles_len", doubles))]
    words.release(wide, text, doubles)
    return found


def failure(words: Words, *call) -> WordError:
    with pytest.raises(WordError) as caught:
        words(*call)
    return caught.value


# The table, the header and the library


@pytest.fixture(scope="module")
def table() -> list[tuple[str, str, int]]:
    """(symbol, transport, arity) of symbols.sdn, which is what other languages read."""
    text = (GENERATED / "bindings" / "simple" / "symbols.sdn").read_text()
    entry = re.compile(r"name: (\w+)\n\s+transport: (\w+)\n\s+arity: (\d+)\n")
    found = [(name, transport, int(arity)) for name, transport, arity in entry.findall(text)]
    assert len(found) == text.count("\n    -\n")
    return found


def test_the_library_exports_what_the_table_says(table):
    listed = subprocess.run(["nm", "-D", "--defined-only", WORD_LIBRARY], capture_output=True, text=True, check=True)
    symbols = [line.split() for line in listed.stdout.splitlines()]
    assert {kind for _, kind, _ in symbols} == {"T"}
    assert sorted(name for _, _, name in symbols) == sorted(name for name, _, _ in table)


def test_every_function_of_the_api_is_there(table, library):
    names = {name for name, _, _ in table}
    assert {"rt_" + name for name in library.core} <= names
    assert {"rt_" + o.function["name"] for o in operators.load(str(API))} <= names


def test_no_function_has_more_words_than_the_transport_carries(table):
    assert max(arity for _, _, arity in table) == MAX_WORDS


def test_it_needs_ctorch_and_the_c_library_alone():
    dynamic = subprocess.run(["readelf", "-d", WORD_LIBRARY], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED\).*\[(.*?)\]", dynamic))
    assert "libctorch.so.0" in needed
    assert not [name for name in needed if not re.match(r"(libctorch\.so\.0|libc\.so|ld-linux|libpthread\.so)", name)]


def assignments(table: list[tuple[str, str, int]]) -> str:
    """A C file that assigns each function to a pointer of the type that the transport calls it by."""
    lines = ['#include "rt_ctorch.h"']
    for i, (name, transport, arity) in enumerate(table):
        word = {"i64": "int64_t", "f64": "double"}[transport]
        lines.append(f"{word} (*const f{i})({', '.join([word] * arity) or 'void'}) = {name};")
    return "\n".join(lines) + "\n"


def compiles(text: str, folder: Path) -> bool:
    (folder / "types.c").write_text(text)
    flags = ["-std=c11", "-fsyntax-only", "-Werror", "-Wall", "-Wno-unused-const-variable"]
    return subprocess.run([compiler(), *flags, *INCLUDE, folder / "types.c"], capture_output=True).returncode == 0


def test_the_types_in_the_header_are_those_of_the_table(table, tmp_path):
    assert compiles(assignments(table), tmp_path)
    name, transport, arity = table[100]
    assert not compiles(assignments([(name, transport, arity + 1)]), tmp_path)
    assert not compiles(assignments([(name, "f64", arity)]), tmp_path)


# Values


def test_operators_give_what_they_give_through_pytorch(tmp_path):
    """Bit for bit, with reference counts, and no handle left on either side: parity.worker, with calls by words."""
    names = [o.name for o in operators.load(str(API))][:: int(os.environ.get("CTORCH_WORD_EVERY", EVERY))]
    search = os.pathsep.join([str(ROOT / "bindings-gen"), os.environ.get("PYTHONPATH", "")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", search)
        reports = runner.run(names, tmp_path / "parity", 2, "consumers.word.worker")
    assert [text for r in reports for text in r["differences"] + r.get("crashes", [])] == []
    assert [r["operator"] for r in reports if r["live handles"] or r["word handles"]] == []
    assert sum(bool(r["successes"]) for r in reports) > 0.85 * len(names)


@pytest.mark.parametrize(
    "value",
    [0, 1, -1, 2**50 - 1, 2**50, -(2**50), -(2**50) - 1, 2**61, 2**63 - 1, -(2**63), 2**63, 2**64 - 1, True, False]
    + [0.0, 1.0, 0.1, -1e308, 5e-324, math.inf, -math.inf, 1.5 - 2.5j, complex(0, math.inf)],
)
def test_numbers_come_back(words, value):
    word = words.number(value)
    assert 0 < word < 2**53
    assert words("kind", word) == 1
    back = words.take_number(word)
    assert (back, type(back)) == (value, type(value))


def test_negative_zero_and_nan_come_back(words):
    assert math.copysign(1, words.take_number(words.number(-0.0))) == -1
    assert math.isnan(words.take_number(words.number(math.nan)))


@pytest.mark.parametrize("value", [-1.0, 1 / 3, 1e-300, math.inf, 2.0**60])
def test_doubles_over_the_double_transport(words, value):
    word = words.f_word("number", value)
    assert words.f_value("value", word) == value
    assert words.take_number(word) == value
    number = words.f_word("complex", value, -value)
    assert (words.f_value("imaginary", number), words.take_number(number).real) == (-value, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("42", 42), ("-7", -7), ("18446744073709551615", 2**64 - 1), ("-9223372036854775808", -(2**63)), ("1.5", 1.5)]
    + [("-1e-3", -1e-3), ("+.5", 0.5), ("inf", math.inf), ("1e999", math.inf), ("0.1", 0.1)],
)
def test_numbers_from_text(words, text, value):
    made = words.text(text)
    back = words.take_number(words("number_parse", made))
    words.release(made)
    assert (back, type(back)) == (value, type(value))


@pytest.mark.parametrize(
    "text", ["", "-", "1x", " 1", "1 ", "0x", "abc", "99999999999999999999", "-9223372036854775809"]
)
def test_text_that_is_no_number(words, text):
    made = words.text(text)
    assert failure(words, "number_parse", made).name == "VALUE"
    words.release(made)


@pytest.mark.parametrize(
    "value", [0.0, 1.0, 0.1, 1e16, 123456789.0, 1e15, 1e-5, 1.5e300, -2.5, 5e-324, 3, True, 2**64 - 1]
)
def test_numbers_are_printed_as_python_prints_them(words, value):
    word = words.number(value)
    assert words.take_text(words("number_print", word)) == repr(value)
    words.release(word)


@pytest.mark.parametrize("value", [1 + 2j, -0.5j, complex(1e20, -1e-7)])
def test_complex_numbers_are_printed(words, value):
    word = words.number(value)
    printed = words.take_text(words("number_print", word))
    assert complex(printed) == value
    words.release(word)


def test_a_ratio_is_the_nearest_double(words):
    assert words.take_number(words("number_ratio", 1, 100)) == 0.01
    assert words.take_number(words("number_ratio", -3, 7)) == -3 / 7


def test_words_survive_61_bits_and_a_double(words):
    handle, number, device = words("text_new"), words("number_int", -(2**50)), words("device_word", 20, 300)
    for word in (handle, number, device):
        assert through_61_bits(word) == word == int(float(word))
    words.release(handle, number, device)  # the latter two own nothing, and that is no error


def test_texts(words):
    text = words.text("grüß €")
    assert words("text_len", text) == len("grüß €".encode())
    copy = words("text_from_address", words("text_address", text))
    part = words("text_from_bytes", words("text_address", text), 3)
    assert (words.take_text(copy), words.take_bytes(part)) == ("grüß €", "grüß".encode()[:3])
    words("text_push", text, 0)
    assert failure(words, "value_from_string", text).name == "INVALID_ARGUMENT"  # a NUL inside
    words.release(text)


@pytest.mark.parametrize("address", [0, 8, 1 << 40, -1, -(2**63), (1 << 47) - 1])
def test_an_address_without_memory_is_an_error(words, address):
    assert failure(Words(str(WORD_LIBRARY), 64), "text_from_address", address).name == "INVALID_ARGUMENT"
    assert failure(Words(str(WORD_LIBRARY), 64), "text_from_bytes", address, 100).name == "INVALID_ARGUMENT"


def test_a_text_ends_where_its_memory_does(words):
    """Up to the last byte before memory that cannot be read."""
    page = os.sysconf("SC_PAGESIZE")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    memory = libc.mmap(None, 2 * page, 3, 0x22, -1, 0)
    libc.munmap(memory + page, page)
    ctypes.memmove(memory + page - 4, b"end\0", 4)
    assert words.take_text(words("text_from_address", memory + page - 4)) == "end"
    ctypes.memmove(memory + page - 4, b"endl", 4)
    assert failure(words, "text_from_address", memory + page - 4).name == "INVALID_ARGUMENT"
    libc.munmap(memory, page)


def test_lists_of_each_kind(scoped):
    words = scoped
    ones = words("aten_ones", words.ints([2]), 0, 0, 0, 0)
    value = words("value_from_int", 7)
    items = {
        "doubles": [words.number(0.5), words.number(math.nan)],
        "scalars": [words.number(1j), words.number(True)],
        "devices": [words("device_word", 0, -1), words("device_word", 1, 3)],
        "texts": [words.text("a"), words.text("")],
        "tensors": [ones, 0],
        "values": [value, 0],
    }
    for kind, entries in items.items():
        made = words.list(kind, entries)
        assert words(kind + "_len", made) == 2
        got = [words(kind + "_get", made, i) for i in range(2)]
        assert [words("kind", g) if g else 0 for g in got] == [words("kind", e) if e else 0 for e in entries]
        for index in (2, -1, 2**60):
            assert failure(words, kind + "_get", made, index).name == "INDEX"
    assert got[0] != value  # a reference of its own
    wide = [2**63 - 1, -(2**63), 0]
    assert words.take_ints(words.ints(wide)) == wide


def test_a_list_of_tensors_feeds_the_next_call(scoped):
    words = scoped
    x = tensor(words, [1, 2, 3, 4], 4)
    parts = words("aten_split_Tensor", x, 3, 0)
    assert words("kind", parts) == words("kind", words("aten_split_Tensor", x, 1, 0))
    assert values_of(words, words("aten_cat", parts, 0)) == [1, 2, 3, 4]
    assert values_of(words, words("aten_cat", words("tensors_of", 2, x, x, 0, 0, 0, 0, 0), 0)) == [1, 2, 3, 4] * 2
    assert values_of(words, words("aten_cat", words("tensor_list_data", parts), 0)) == [1, 2, 3, 4]


def test_shapes_devices_and_dtypes(scoped):
    words = scoped
    x = tensor(words, range(6), 2, 3, dtype=INT64)
    assert words.take_ints(words("tensor_sizes", x)) == [2, 3]
    assert words.take_ints(words("tensor_strides", x)) == [3, 1]
    assert (words("tensor_ndim", x), words("tensor_dtype", x), words("tensor_requires_grad", x)) == (2, INT64, 0)
    device = words("tensor_device", x)
    assert (words("device_word_type", device), words.take_number(words("device_word_index", device))) == (0, -1)
    meta = words("tensor_to", x, 0, words("device_word", 14, -1), 0, 0, 0)
    assert words("device_word_type", words("tensor_device", meta)) == 14
    sparse = words("aten_to_sparse", x, 0, 0, 0)
    assert words("tensor_strides", sparse) == 0  # there are none
    assert words.take_ints(words("tensor_sizes", words("aten_sum", x, 0))) == []


def test_what_is_not_there_is_0(scoped):
    words = scoped
    x = tensor(words, [1.0], 1)
    assert words("tensor_grad", x) == 0
    assert words("tensor_grad_fn", x) == 0
    assert words("dtype_name", 999) == 0
    assert words.take_text(words("dtype_name", FLOAT32)) == "float32"


def test_a_tuple_is_taken_apart(words):
    x = tensor(words, [1, 3, 2], 3)
    both = words("aten_max_dim", x, 0, 0)
    assert words("tuple_len", both) == 2
    got = words("tuple_get", both, 0)
    taken = words("tuple_take", both, 0)
    assert got == taken
    assert words("tuple_take", both, 0) == 0
    assert words.f_value("item", taken) == 3
    words.release(got, taken, both, x)


def test_more_than_eight_arguments_travel_in_a_pack(scoped):
    words = scoped
    x = tensor(words, range(9), 1, 1, 3, 3)
    weight = tensor(words, [1], 1, 1, 1, 1)
    pack = words("pack_new")
    ints = words.ints
    for word in (x, weight, 0, ints([1, 1]), ints([0, 0]), ints([1, 1]), 0, ints([0, 0])):
        words("pack_push", pack, word)
    assert failure(words, "aten_convolution", pack).name == "NULL_ARGUMENT"  # groups has no default
    words("pack_set", pack, 8, 1)
    assert values_of(words, words("aten_convolution", pack)) == list(range(9))
    words("pack_push", pack, 0)
    assert failure(words, "aten_convolution", pack).name == "INVALID_ARGUMENT"  # ten words for nine arguments
    for index in (64, -1, 2**60):
        assert failure(words, "pack_set", pack, index, 0).name == "INDEX"


def test_a_pack_leaves_plain_arguments_at_their_default(library, scoped):
    words = scoped
    function = library.functions["rt_ctorch_aten_stft_center"]
    slots = [s.name for s in function.slots]
    assert function.packed and function.slots[slots.index("center")].default is True
    signal = torch.randn(64, generator=torch.Generator().manual_seed(1))
    pack = words("pack_new")
    window = tensor(words, torch.hann_window(16).tolist(), 16)
    given = {
        "self": tensor(words, signal.tolist(), 64),
        "n_fft": 16,
        "window": window,
        "return_complex": words("number_int", 1),
    }
    for _ in slots:
        words("pack_skip", pack)
    for name, word in given.items():
        words("pack_set", pack, slots.index(name), word)
    ours = words("aten_abs", words("aten_stft_center", pack))
    theirs = torch.stft(signal, 16, window=torch.hann_window(16), return_complex=True).abs()
    assert values_of(words, ours) == theirs.flatten().double().tolist()


# Errors


def provoke(words: Words, kind: str) -> WordError:
    ones = words("aten_ones", words.ints([2, 3]), 0, 0, 0, 0)
    f64 = words("aten_ones", words.ints([3, 2]), words("number_int", FLOAT64), 0, 0, 0)
    meta = words("aten_ones", words.ints([2, 3]), 0, 0, words("device_word", 14, -1), 0)
    square = words("aten_zeros", words.ints([2, 2]), 0, 0, 0, 0)
    calls = {
        "RUNTIME": lambda: ("tensor_backward", ones, 0, 0, 0, 0),
        "INDEX": lambda: ("aten_select_int", ones, 0, 99),
        "VALUE": lambda: ("number_parse", words.text("?")),
        "TYPE": lambda: ("value_to_int", words("value_from_string", words.text("x"))),
        "NOT_IMPLEMENTED": lambda: ("aten_bitwise_and_Tensor", ones, ones),
        "LINALG": lambda: ("aten_linalg_inv", square),
        "OUT_OF_MEMORY": lambda: ("aten_empty_memory_format", words.ints([1 << 48]), 0, 0, 0, 0, 0),
        "SHAPE_MISMATCH": lambda: ("aten_mm", ones, ones),
        "DTYPE_MISMATCH": lambda: ("aten_mm", ones, f64),
        "DEVICE_MISMATCH": lambda: ("aten_set__source_Tensor", ones, meta),
        "NULL_ARGUMENT": lambda: ("aten_convolution", words("pack_new")),
        "INVALID_ARGUMENT": lambda: ("tensor_set_requires_grad", ones, 2),
        "UNSUPPORTED": lambda: ("retain", words("scope_begin")),
        "INVALID_HANDLE": lambda: ("aten_relu", 7),
    }
    return failure(words, *calls[kind]())


@pytest.mark.parametrize(
    "kind",
    "RUNTIME INDEX VALUE TYPE NOT_IMPLEMENTED LINALG OUT_OF_MEMORY SHAPE_MISMATCH DTYPE_MISMATCH DEVICE_MISMATCH "
    "NULL_ARGUMENT INVALID_ARGUMENT UNSUPPORTED INVALID_HANDLE".split(),
)
def test_each_kind_of_error_arrives(library, scoped, kind):
    error = provoke(scoped, kind)
    assert error.name == kind
    assert error.code == library.error_kinds_by_name[kind]
    assert error.message
    assert error.function.startswith(("ctorch_", "rt_ctorch_"))


def test_details_are_read_word_by_word(library, scoped):
    words = scoped
    provoke(words, "SHAPE_MISMATCH")
    text = words.take_text(words("last_error_text"))
    error = words("last_error_take")
    assert (words("last_error_code"), words("last_error"), words("last_error_take")) == (0, 0, 0)
    assert words("error_code", error) == library.error_kinds_by_name["SHAPE_MISMATCH"]
    assert words.take_text(words("error_message", error)) == text
    shapes = [words.take_ints(words(f"error_{side}_shape", error)) for side in ("expected", "got")]
    assert any(shapes), shapes
    assert (words("error_requested_bytes", error), words("error_expected_device", error)) == (0, 0)
    provoke(words, "OUT_OF_MEMORY")
    error = words("last_error_take")
    assert words.take_number(words("error_requested_bytes", error)) == 4 << 48
    assert words.take_number(words("error_available_bytes", error)) > 0
    provoke(words, "DTYPE_MISMATCH")
    error = words("last_error_take")
    dtypes = {words.take_number(words(f"error_{side}_dtype", error)) for side in ("expected", "got")}
    assert dtypes == {FLOAT32, FLOAT64}
    provoke(words, "DEVICE_MISMATCH")
    error = words("last_error_take")
    devices = [words(f"error_{side}_device", error) for side in ("expected", "got")]
    assert {words("device_word_type", d) for d in devices} == {0, 14}


def test_the_last_error_stays_until_the_next(words):
    assert words.raw("aten_relu", 0) == -33
    assert words("live_handles") == 0
    assert words("last_error_code") == 33
    assert "self" in words.take_text(words("last_error_text"))
    assert words.raw("number_bool", 5) == -31
    assert words("last_error_code") == 31


def test_a_double_that_is_no_value(words):
    assert math.isnan(words.f("value", 5.0))
    assert words("last_error_code") == 33
    nan = words.f_word("number", math.nan)
    assert math.isnan(words.f("value", nan))
    assert words("last_error_code") == 0  # it is the value
    words.release(nan)
    for wrong in (0.5, math.nan, math.inf, -math.inf, 1e300, -1.0):
        assert words.f("doubles_push", wrong, 1.0) == -33


def test_a_wrong_kind_of_number_is_a_type_error(words):
    half, imaginary = words.number(0.5), words.number(1j)
    for name, word in (("number_to_int", half), ("number_to_double_low", imaginary), ("number_to_int_low", half)):
        assert words.raw(name, word) == -4
    ones = words("aten_ones", sizes := words.ints([2]), 0, 0, 0, 0)
    assert failure(words, "aten_sum", ones, half).name == "TYPE"  # a dtype
    assert failure(words, "aten_sum", ones, words("number_int", 2**40)).name == "INVALID_ARGUMENT"
    words.release(half, imaginary, ones, sizes)


# Handles


def test_releasing_twice_is_an_error_and_harms_nothing(words):
    x, other = (tensor(words, [v], 1) for v in (1.0, 2.0))
    words("tensor_release", x)
    for name in ("tensor_release", "release", "tensor_ndim", "retain"):
        assert words.raw(name, x) == -33
    again = tensor(words, [3.0], 1)
    assert again != x
    assert words.f_value("item", other) == 2
    words.release(other, again)


def test_a_slot_that_is_used_again_has_another_handle(words):
    seen = set()
    for _ in range(100):
        text = words("text_new")
        seen.add(text)
        words.release(text)
    assert len(seen) == 100
    assert len({handle & 0xFFFFFF for handle in seen}) < 100  # slots are used again
    assert {words.raw("kind", handle) for handle in seen} == {-33}


def test_what_refers_to_a_tensor_counts_as_a_reference(library, words):
    """By PyTorch's own count, before and after calls that succeed and that fail."""
    x = torch.ones(2)
    before = x._use_count()
    handle = library.handle("TENSOR", x)
    assert x._use_count() == before + 1
    pushed = words.list("tensors", [handle, handle])
    of = words("tensors_of", 1, handle, 0, 0, 0, 0, 0, 0)
    assert x._use_count() == before + 4
    got = words("tensors_get", pushed, 0)
    assert x._use_count() == before + 5
    words.release(words("aten_add_Tensor", handle, handle, 0))
    for wrong in (("aten_mm", handle, handle), ("tensors_push", handle, handle), ("tensors_push", of, pushed)):
        failure(words, *wrong)
    assert x._use_count() == before + 5
    words.release(handle, pushed, of, got)
    assert x._use_count() == before


def test_retain_asks_for_one_release_more(words):
    x = tensor(words, [1.0], 1)
    assert words("tensor_retain", x) == words("retain", x) == x
    words.release(x, x)
    assert words.f_value("item", x) == 1
    words.release(x)
    assert words.raw("release", x) == -33


def test_a_scope_gives_back_what_was_made_in_it(words):
    outer = tensor(words, [1.0], 1)
    scope = words("scope_begin")
    x = words("aten_relu", outer)
    kept = words("aten_neg", outer)
    words("scope_keep", scope, kept)
    inner = words("scope_begin")
    deep, half = words("aten_abs", x), words("aten_exp", x)
    words("scope_keep", inner, half)
    words.release(words("aten_sin", x))
    words("scope_end", inner)
    assert (words.raw("release", deep), words.raw("scope_end", inner)) == (-33, -33)
    assert words("tensor_ndim", half) == 1
    for i in range(300):
        words("release", words("aten_relu", x))
        words("aten_relu", x)
    words("scope_end", scope)
    assert (words.raw("release", x), words.raw("release", half)) == (-33, -33)
    words.release(kept, outer)


def test_ending_an_outer_scope_ends_the_inner_ones(words):
    outer, inner = words("scope_begin"), words("scope_begin")
    text = words("text_new")
    words("release", outer)
    assert [words.raw("release", w) for w in (text, inner, outer)] == [-33] * 3


def test_an_error_leaves_the_scope(words):
    scope = words("scope_begin")
    assert words.raw("aten_relu", 0) == -33
    error = words("last_error_take")
    text = words.text("mine")
    made = words("error_new", 2, text)
    words("scope_end", scope)
    assert (words("error_code", error), words("error_code", made)) == (33, 2)
    words("error_release", error)
    words.release(made)


def test_a_scope_belongs_to_its_thread(words):
    scope = words("scope_begin")
    text = words("text_new")
    answers = []

    def other():
        answers.append(words.raw("scope_end", scope))
        answers.append(words.raw("scope_keep", scope, text))
        answers.append(words("text_new"))  # in no scope
        words("scope_begin")
        words("ints_new")

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert answers[:2] == [-31, -31]
    deadline = time.monotonic() + 10  # Python says that a thread has ended a little before it has
    while words("live_handles") != 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert words("live_handles") == 3  # the other thread's scope has ended with it
    words("scope_end", scope)
    assert words("live_handles") == 1
    words.release(answers[2])


def test_a_list_that_a_call_uses_is_not_changed(words):
    """Threads that append to a list while others read it: every answer is right, or says that the list is in use."""
    numbers = words("ints_new")
    answers: set[int] = set()

    def append():
        for i in range(3000):
            answers.add(words.raw("ints_push", numbers, i))

    def read():
        for _ in range(3000):
            length = words.raw("ints_len", numbers)
            assert length >= 0
            made = words.raw("aten_empty_memory_format", numbers, 0, 0, 0, 0, 0) if length < 2 else -1
            if made > 0:
                words.release(made)

    threads = [threading.Thread(target=target) for target in (append, read, append, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers <= {1, -1}
    words.release(numbers)


def test_each_thread_has_its_own_error(words):
    wrong: list[str] = []

    def fail(call: tuple, name: str, part: str):
        for _ in range(500):
            try:
                words(*call)
                wrong.append("no error")
            except WordError as error:
                if error.name != name or part not in error.message:
                    wrong.append(f"{name}: {error.name}: {error.message}")
        words("last_error_clear")

    ones = tensor(words, [1, 2], 2)
    calls = [
        (("aten_relu", 5), "INVALID_HANDLE", "5"),
        (("aten_select_int", ones, 0, 77), "INDEX", "77"),
        (("number_bool", 9), "INVALID_ARGUMENT", "9"),
        (("aten_view", ones, 12345), "INVALID_HANDLE", "12345"),
    ]
    threads = [threading.Thread(target=fail, args=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    words.release(ones)


def test_threads_share_tensors(words):
    """A call keeps alive what it uses, whoever releases it meanwhile."""
    shared = [tensor(words, [1.0] * 64, 64)]
    answers: set[int] = set()
    done = threading.Event()

    def use():
        while not done.is_set():
            answer = words.raw("aten_add_Tensor", shared[0], shared[0], 0)
            answers.add(min(answer, 1))
            if answer > 0:
                words.release(answer)
        words("last_error_clear")

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(400):
        old, shared[0] = shared[0], tensor(words, [1.0] * 64, 64)
        words.release(old)
    done.set()
    for thread in threads:
        thread.join()
    words.release(shared[0])
    assert 1 in answers and answers <= {1, -33}


# Functions of C, memory of others


TENSORS_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
)


def test_a_callback_is_the_address_of_a_c_function(library, scoped):
    words = scoped

    @TENSORS_CALLBACK
    def doubled(out, inputs, inputs_len, error, payload):
        x = inputs[0]
        results = (ctypes.c_void_p * 1)(None)
        assert not library.function(add)(ctypes.addressof(results), x, x, None)
        failed = library.ctorch_tensor_list_new(ctypes.addressof(out.contents), ctypes.addressof(results), 1)
        library.ctorch_tensor_release(results[0])
        return 0 if failed else 1

    @TENSORS_CALLBACK
    def refuses(out, inputs, inputs_len, error, payload):
        return 0

    add = next(o.function for o in operators.load(str(API)) if o.name == "add.Tensor")
    inputs = words("tensors_of", 1, tensor(words, [1, 2, 3], 3), 0, 0, 0, 0, 0, 0)
    slots = [s.name for s in library.functions["rt_ctorch_func_jacrev"].slots]

    def jacobian(function) -> int:
        address = words("address_new", ctypes.cast(function, ctypes.c_void_p).value)
        given = {"function": address, "inputs": inputs}
        return words.raw("func_jacrev", *[given.get(name, 0) for name in slots])

    answer = jacobian(doubled)
    assert answer > 0, words.last_error(answer)
    matrix = words("tensor_list_get", words("tuple_take", answer, 0), 0)
    assert values_of(words, matrix) == [2, 0, 0, 0, 2, 0, 0, 0, 2]
    assert jacobian(refuses) == -36
    assert failure(words, "func_jacrev", *[0] * len(slots)).name == "INVALID_HANDLE"


def test_an_operator_is_a_callback_without_any_c(library, scoped):
    """The Jacobian of a * b, by words alone; and the error of the operator inside is that of the call outside."""
    words = scoped
    op = words("op_find", words.text("aten::mul"), words.text("Tensor"))
    callback, payload = words("operator_callback"), words("address_new", words("address_of", op))
    a, b = tensor(words, [1, 2], 2), tensor(words, [3, 4], 2)
    slots = [s.name for s in library.functions["rt_ctorch_func_jacrev"].slots]

    def jacobian(*inputs: int) -> int:
        several = words.list("tensors", inputs)
        given = {"function": callback, "payload": payload, "inputs": several, "argnums": words.ints([0, 1])}
        return words("tuple_take", words("func_jacrev", *[given.get(name, 0) for name in slots]), 0)

    both = jacobian(a, b)
    matrices = [values_of(words, words("tensor_list_get", both, i)) for i in range(2)]
    assert matrices == [[3, 0, 0, 4], [1, 0, 0, 2]]
    with pytest.raises(WordError) as caught:
        jacobian(a, tensor(words, [1, 2, 3], 3))
    assert caught.value.name == "SHAPE_MISMATCH"


def test_dlpack_hands_a_tensor_over_once(words):
    x = tensor(words, [1, 2, 3], 3)
    managed = words("tensor_to_dlpack", x, 0, 0, 0, 0)
    both = words("tensor_from_dlpack", managed)
    assert words.raw("tensor_from_dlpack", managed) == words.raw("dlpack_release", managed) == -33
    same = words("tuple_take", both, 0)
    addresses = [words("tensor_data", t) for t in (x, same)]
    assert addresses[0] == addresses[1] > 0
    words.release(both, same)
    raw = words("address_take", words("tensor_to_dlpack", x, 0, 0, 0, 0))  # to another library
    back = words("tensor_from_dlpack", words("address_new", raw))  # and from one
    words.release(back)
    words("dlpack_release", words("address_new", words("address_take", words("tensor_to_dlpack", x, 0, 0, 0, 0))))
    words.release(x)


def test_an_address_is_not_taken_from_under_a_second_owner(words):
    x = tensor(words, [1.0], 1)
    words("retain", x)
    assert failure(words, "address_take", x).name == "RUNTIME"
    words.release(x)
    assert words("address_of", x) > 0
    words.release(x)
    text = words("text_new")
    assert words.raw("address_of", text) == words.raw("address_adopt", 4096, 2) * 0 - 33
    words.release(text)


def test_strides_have_as_many_entries_as_sizes(scoped):
    words = scoped
    storage = words("storage_from_tensor", tensor(words, range(6), 6))
    made = words("tensor_from_storage", storage, 0, words.ints([2, 3]), words.ints([1, 2]), FLOAT32)
    assert values_of(words, made) == [0, 2, 4, 1, 3, 5]
    for strides in ([1], [1, 2, 3], []):
        call = ("tensor_from_storage", storage, 0, words.ints([2, 3]), words.ints(strides), FLOAT32)
        assert failure(words, *call).name == "INVALID_ARGUMENT"


# Training


def test_a_step_of_training_by_words_alone(words):
    """The loss of a linear model and its gradient, with a rate of 0.1 that is exactly Python's."""
    x, y, weight = tensor(words, [1, 2], 1, 2), tensor(words, [3], 1, 1), tensor(words, [0.5, 0.25], 1, 2)
    words("tensor_set_requires_grad", weight, 1)
    scope = words("scope_begin")
    for _ in range(3):
        loss = words("aten_mse_loss", words("aten_linear", x, weight, 0), y, 1)
        words("tensor_backward", loss, 0, 0, 0, 0)
        grad = words("tensor_grad", weight)
        words("grad_mode_push", 0)
        words("aten_sub__Tensor", weight, grad, words("number_ratio", 1, 10))
        words("grad_mode_pop")
        words("tensor_set_grad", weight, 0)
    words("scope_end", scope)
    w = torch.tensor([[0.5, 0.25]], requires_grad=True)
    for _ in range(3):
        expected = torch.nn.functional.mse_loss(torch.tensor([[1.0, 2.0]]) @ w.T, torch.tensor([[3.0]]))
        expected.backward()
        with torch.no_grad():
            w.sub_(w.grad, alpha=0.1)
        w.grad = None
    assert values_of(words, weight) == w.flatten().tolist()
    words.release(x, y, weight)


# Whatever it is given


def test_no_word_that_is_no_handle_gets_through():
    done = python("consumers.word.sweep", str(WORD_LIBRARY))
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def test_random_words_get_an_answer():
    done = python("consumers.word.fuzz", str(WORD_LIBRARY), CTORCH_DEBUG_HANDLES="1")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def test_threads_race_for_handles(tmp_path):
    command = [compiler(), "-std=gnu11", "-O1", "-g", "-fsanitize=thread", "-pthread", *INCLUDE]
    sources = [ROOT / "tests/consumers/word/race.c", SOURCES / "handles.c"]
    subprocess.run([*command, *sources, "-o", tmp_path / "race"], check=True)
    done = subprocess.run([tmp_path / "race"], capture_output=True, text=True)
    if "unexpected memory mapping" in done.stderr:
        pytest.skip("ThreadSanitizer does not run with this kernel's address space layout")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def is_used(body: str) -> bool:
    return body.startswith(("int64_t rt_ctorch_aten_ones(", "int64_t rt_ctorch_aten_mm("))


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory) -> Path:
    """The library under AddressSanitizer and UndefinedBehaviorSanitizer, with a part of the operators."""
    folder = tmp_path_factory.mktemp("sanitized")
    bodies = "\n".join(p.read_text() for p in sorted((GENERATED / "word").glob("word_*.c"))).split("\n\n")
    needed = [b for b in bodies if not b.startswith("int64_t rt_ctorch_aten_") or is_used(b)]
    (folder / "bodies.c").write_text(
        "\n\n".join(needed + [b for b in bodies if b not in set(needed)][::SANITIZE_EVERY])
    )
    flags = ["-std=gnu11", "-O1", "-g1", "-fPIC", "-fvisibility=hidden", *INCLUDE, "-c"]
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    by_hand = [*sorted(SOURCES.glob("*.c")), GENERATED / "word" / "kinds.c"]
    subprocess.run([compiler(), *flags, *checks, *by_hand, "bodies.c"], cwd=folder, check=True)
    library = folder / "libspl_ctorch.so"
    link = ["-shared", *checks[:1], *sorted(folder.glob("*.o")), "-o", library, str(LIBRARY)]
    script = f"-Wl,--version-script,{GENERATED / 'word' / 'exports.map'}"
    rpath = f"-Wl,-z,nodelete,-rpath,{LIBRARY.resolve().parent}"
    subprocess.run([compiler(), *link, script, rpath], check=True)
    return library


@pytest.mark.parametrize("program", ["sweep", "fuzz"])
def test_nothing_is_found_by_sanitizers(sanitized, program):
    runtimes = [
        subprocess.run([compiler(), f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    options = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=256"
    environment = {"LD_PRELOAD": " ".join(runtimes), "ASAN_OPTIONS": options, "UBSAN_OPTIONS": "print_stacktrace=1"}
    arguments = ["10000"] if program == "fuzz" else ["some"]
    done = python(f"consumers.word.{program}", str(sanitized), *arguments, **environment)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
