"""Values of any type by words: making and reading each kind, wrong kinds, handles that were given back."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bindings-gen"))
pytest.register_assert_rewrite("tests.languages.word.fixtures")

from tests.languages.word.fixtures import failure, tensor  # noqa: E402

pytest_plugins = ("tests.languages.word.fixtures",)

NONE, INT, STRING, LIST, TUPLE, DICT, BYTES, SET, DTYPE, LAYOUT, MEMORY_FORMAT, PYTHON_OBJECT = (
    0, 2, 6, 7, 8, 9, 15, 16, 17, 18, 19, 20,
)  # fmt: skip
INT32, SPARSE_CSR, CHANNELS_LAST = 3, 2, 2


def value_of(words, data, kind="bytes"):
    text = words.text(data)
    made = words(f"value_from_{kind}", text)
    words.release(text)
    return made


def values(words, *entries):
    return words.list("values", list(entries))


def bytes_in(words, value):
    """value_read_bytes fills a text of the caller's that is as long as the bytes."""
    return words.take_bytes(words("value_read_bytes", value, words("value_len", value)))


def repr_of(words, value):
    return words.take_text(words("value_repr", value))


def python_object(words, module, name, *parts):
    return words("value_from_python_object", words.text(module), words.text(name), *parts)


@pytest.mark.parametrize("data", [b"", b"\0", b"a\0b\xff", bytes(range(256)) * 3])
def test_bytes(scoped, data):
    value = value_of(scoped, data)
    assert (scoped("value_kind_of", value), scoped("value_len", value)) == (BYTES, len(data))
    assert bytes_in(scoped, value) == data
    assert repr_of(scoped, value) == repr(data)


def test_a_text_of_any_bytes_is_no_bytes(scoped):
    value = value_of(scoped, b"a\0b", "string_data")
    assert scoped("value_kind_of", value) == STRING
    assert scoped.take_bytes(scoped("value_to_string", value)) == b"a\0b"
    same = value_of(scoped, b"a\0b")
    assert scoped("value_equal", value, same) == 0
    assert failure(scoped, "value_read_bytes", value, 3).name == "TYPE"
    assert failure(scoped, "value_to_string", same).name == "TYPE"


@pytest.mark.parametrize("number", [0, -1, 127, 128, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**200, -(2**200)])
def test_ints_of_any_size(scoped, number):
    data = number.to_bytes(26, "little", signed=True)
    value = value_of(scoped, data, "int_bytes")
    assert scoped("value_kind_of", value) == INT
    assert scoped.take_text(scoped("value_to_decimal", value)) == str(number)
    assert scoped("value_equal", value, value_of(scoped, str(number), "decimal")) == 1
    back = bytes_in(scoped, scoped("value_to_int_bytes", value))
    assert int.from_bytes(back, "little", signed=True) == number
    with pytest.raises(OverflowError):  # it takes no byte less
        number.to_bytes(len(back) - 1, "little", signed=True) if len(back) > 1 else (1).to_bytes(0, "little")
    if -(2**63) <= number < 2**63:
        assert scoped.take_number(scoped("value_to_int", value)) == number
    else:
        assert failure(scoped, "value_to_int", value).name == "VALUE"


def test_a_text_that_is_no_int(scoped):
    for text in ("", "12x", "0x10", "9" * 4301):
        word = scoped.text(text)
        assert failure(scoped, "value_from_decimal", word).name == "VALUE"


@pytest.mark.parametrize(
    ("word", "number", "kind", "text", "unknown"),
    [
        ("dtype", INT32, DTYPE, "torch.int32", 4999),
        ("layout", SPARSE_CSR, LAYOUT, "torch.sparse_csr", 99),
        ("memory_format", CHANNELS_LAST, MEMORY_FORMAT, "torch.channels_last", -2),
    ],
)
def test_constants(scoped, word, number, kind, text, unknown):
    value = scoped(f"value_from_{word}", number)
    assert scoped("value_kind_of", value) == kind
    assert repr_of(scoped, value) == text
    assert scoped(f"value_to_{word}", value) == number
    assert failure(scoped, f"value_from_{word}", unknown).name == "INVALID_ARGUMENT"
    assert failure(scoped, "value_to_int", value).name == "TYPE"
    assert failure(scoped, f"value_to_{word}", value_of(scoped, b"x")).name == "TYPE"


def test_sets(scoped):
    one, two, again = (scoped("value_from_int", n) for n in (1, 2, 1))
    made = scoped("value_from_set", values(scoped, one, two, again, 0))
    assert (scoped("value_kind_of", made), scoped("value_len", made)) == (SET, 3)
    assert repr_of(scoped, made) == "{1, 2, None}"
    assert [scoped("value_set_contains", made, w) for w in (one, 0, value_of(scoped, b""))] == [1, 1, 0]
    scoped("value_set_add", made, value_of(scoped, b"\0"))
    scoped("value_set_remove", made, two)
    listed = scoped("value_set_values", made)
    assert (scoped("value_kind_of", listed), repr_of(scoped, listed)) == (LIST, r"[1, None, b'\x00']")
    assert failure(scoped, "value_set_remove", made, two).name == "INDEX"
    unhashable = scoped("value_from_list", values(scoped, one))
    for call in (("value_set_add", made, unhashable), ("value_set_contains", made, unhashable)):
        assert failure(scoped, *call).name == "TYPE"
    assert failure(scoped, "value_from_set", values(scoped, one, unhashable)).name == "TYPE"
    for call in (("value_set_add", listed, one), ("value_set_values", one), ("value_get", made, 0)):
        assert failure(scoped, *call).name == "TYPE"
    scoped("value_clear", made)
    assert repr_of(scoped, made) == "set()"


def test_sets_and_bytes_lie_in_dicts(scoped):
    """Read again through every container, down to the bytes."""
    inner = scoped("value_from_set", values(scoped, value_of(scoped, b"\0\xff")))
    table = scoped(
        "value_from_dict", values(scoped, value_of(scoped, b"key"), scoped("value_from_dtype", INT32)),
        values(scoped, inner, scoped("value_from_tuple", values(scoped, inner))),
    )  # fmt: skip
    assert repr_of(scoped, table) == r"{b'key': {b'\x00\xff'}, torch.int32: ({b'\x00\xff'},)}"
    got = scoped("value_dict_get", table, value_of(scoped, b"key"))
    nested = scoped("value_get", scoped("value_dict_get", table, scoped("value_from_dtype", INT32)), 0)
    assert scoped("value_is", got, nested) == scoped("value_is", got, inner) == 1
    scoped("value_set_add", got, 0)
    assert scoped("value_len", nested) == 2
    assert bytes_in(scoped, scoped("value_get", scoped("value_set_values", nested), 0)) == b"\0\xff"


def test_python_objects(scoped):
    args = scoped("value_from_tuple", values(scoped, scoped("value_from_int", 5)))
    weight = scoped("value_from_tensor", tensor(scoped, [1.0], 1))
    state = scoped("value_from_dict", values(scoped, value_of(scoped, "w", "string_data")), values(scoped, weight))
    made = python_object(scoped, "nets", "Outer.Net", args, 0, state)
    assert scoped("value_kind_of", made) == PYTHON_OBJECT
    assert scoped.take_text(scoped("value_python_module", made)) == "nets"
    assert scoped.take_text(scoped("value_python_name", made)) == "Outer.Net"
    assert repr_of(scoped, scoped("value_python_args", made)) == "(5,)"
    assert scoped("value_python_items", made) == 0
    assert scoped("value_is", scoped("value_python_state", made), state) == 1
    assert scoped("value_is", scoped("value_attribute", made, scoped.text("w")), weight) == 1
    scoped("value_set_attribute", made, scoped.text("bias"), scoped("value_from_int", -3))
    assert repr_of(scoped, scoped("value_attribute", made, scoped.text("bias"))) == "-3"
    assert failure(scoped, "value_attribute", made, scoped.text("other")).name == "INDEX"
    scoped("value_set_python_state", made, 0)
    assert scoped("value_python_state", made) == 0
    function = python_object(scoped, "builtins", "print", 0, 0, 0)
    assert scoped("value_python_args", function) == 0
    assert failure(scoped, "value_set_python_state", function, state).name == "VALUE"
    five = scoped("value_from_int", 5)
    assert scoped("value_python_module", five) == scoped("value_python_name", five) == 0
    for call in (("value_python_args", five), ("value_attribute", five, scoped.text("w"))):
        assert failure(scoped, *call).name == "TYPE"
    wrong = scoped.text("")
    assert failure(scoped, "value_from_python_object", wrong, wrong, 0, 0, 0).name == "INVALID_ARGUMENT"
    module = scoped.text("nets")
    for parts, name in (((five, 0, 0), "TYPE"), ((args, five, 0), "TYPE"), ((0, 0, state), "VALUE")):
        assert failure(scoped, "value_from_python_object", module, module, *parts).name == name


MADE = {
    "bytes": lambda words: value_of(words, b"\0"),
    "int": lambda words: value_of(words, str(2**200), "decimal"),
    "set": lambda words: words("value_from_set", 0),
    "dtype": lambda words: words("value_from_dtype", INT32),
    "object": lambda words: python_object(words, "m", "C", 0, 0, 0),
}
TAKERS = [
    ("value_repr", 0),
    ("value_equal", 1),
    ("value_set_values", 0),
    ("value_set_add", 1),
    ("value_to_int_bytes", 0),
    ("value_to_decimal", 0),
    ("value_to_dtype", 0),
    ("value_python_args", 0),
    ("value_kind_of", 0),
    ("value_len", 0),
    ("value_python_module", 0),
]


@pytest.mark.parametrize("kind", MADE)
def test_a_value_that_was_given_back_is_an_invalid_handle(scoped, kind):
    stale = MADE[kind](scoped)
    scoped("value_release", stale)
    other = scoped("value_from_set", 0)
    for name, place in TAKERS:
        words = [stale] if place == 0 else [other, stale]
        words += [other] if name == "value_equal" and place == 0 else []
        assert scoped.raw(name, *words) == -33, name
    held = values(scoped, other)
    for name, *words in (
        ("values_push", held, stale),
        ("value_from_python_object", scoped.text("m"), scoped.text("C"), stale, 0, 0),
        ("value_read_bytes", stale, 1),
        ("value_release", stale),
        ("value_retain", stale),
    ):
        assert scoped.raw(name, *words) == -33, name
    assert (scoped("value_len", other), scoped("values_len", held)) == (0, 1)


def test_another_kind_of_handle_is_no_value(scoped):
    x = tensor(scoped, [1.0], 1)
    for name, *words in (("value_repr", x), ("value_set_add", scoped("value_from_set", 0), x), ("value_kind_of", x)):
        assert scoped.raw(name, *words) < 0, name
    assert failure(scoped, "value_from_set", x).name in ("TYPE", "INVALID_HANDLE", "INVALID_ARGUMENT")
    for name in ("value_from_bytes", "value_from_int_bytes", "value_from_decimal"):
        assert scoped.raw(name, x) < 0, name
