"""libspl_ctorch.so, called as languages call it that know nothing but 64-bit words: symbols, values, errors.

The library is the one in CTORCH_BUILD; CTORCH_LIBRARY and CTORCH_API name ctorch's own.
"""

import ctypes
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bindings-gen"))
pytest.register_assert_rewrite("tests.languages.word.fixtures")

from tests.languages.word.fixtures import (  # noqa: E402
    API,
    FLOAT32,
    FLOAT64,
    GENERATED,
    INCLUDE,
    INT64,
    WORD_LIBRARY,
    compiler,
    failure,
    tensor,
    values_of,
)
from tests.languages.word.transport import MAX_WORDS, WordError, Words, through_61_bits  # noqa: E402
from tests.operators import operators, runner  # noqa: E402

pytest_plugins = ("tests.languages.word.fixtures",)
EVERY = 30  # of how many operators one is compared with PyTorch here; CTORCH_WORD_EVERY=1 compares all of them


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
    """Bit for bit, with reference counts and without a handle left: tests.operators.worker, with calls by words."""
    names = [o.name for o in operators.load(str(API))][:: int(os.environ.get("CTORCH_WORD_EVERY", EVERY))]
    search = os.pathsep.join([str(ROOT / "bindings-gen"), os.environ.get("PYTHONPATH", "")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", search)
        reports = runner.run(names, tmp_path / "parity", 2, "tests.languages.word.worker")
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
    assert words("error_kind_of", error) == library.error_kinds_by_name["SHAPE_MISMATCH"]
    assert words.take_text(words("error_message", error)) == text
    shapes = [words.take_ints(words(f"error_{side}_shape", error)) for side in ("expected", "got")]
    assert any(shapes), shapes
    assert (words("error_requested_bytes", error), words("error_expected_device", error)) == (0, 0)
    words("error_release", error)  # no scope does that
    provoke(words, "OUT_OF_MEMORY")
    error = words("last_error_take")
    assert words.take_number(words("error_requested_bytes", error)) == 4 << 48
    assert words.take_number(words("error_available_bytes", error)) > 0
    words.release(error)
    provoke(words, "DTYPE_MISMATCH")
    error = words("last_error_take")
    dtypes = {words.take_number(words(f"error_{side}_dtype", error)) for side in ("expected", "got")}
    assert dtypes == {FLOAT32, FLOAT64}
    words.release(error)
    provoke(words, "DEVICE_MISMATCH")
    error = words("last_error_take")
    devices = [words(f"error_{side}_device", error) for side in ("expected", "got")]
    assert {words("device_word_type", d) for d in devices} == {0, 14}
    words.release(error)


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
