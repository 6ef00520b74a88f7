"""Values against Python: text forms, equality, copies, types, and objects that only Python or TorchScript can make."""

from __future__ import annotations

import collections
import copy
import gc
import math
import random
import re
import struct
import sys
import unicodedata

import pytest
import torch

from tests.harness.capi import CtorchError, fails, ffi, lib, ok, out, string
from tests.harness.values import (
    call,
    call_boxed,
    entries,
    equal,
    kind,
    made,
    python,
    python_object,
    repr_of,
    type_of,
    value,
)

TEXTS = [
    "",
    "a",
    "it's",
    'say "x"',
    "both ' and \"",
    "\\",
    "\n\r\t\0\x7f",
    "größe",
    "日本",
    "😀",
    "\u2028\xa0\xad\ufeff",
]
FLOATS = [0.0, -0.0, 1.0, 0.1, 1e16, 1e15, 123456789012345680.0, 1e-4, 1e-5, 5e-324, sys.float_info.max, -2.5, 1 / 3]
INTS = [0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63), 2**64 - 1, 2**64, -(2**63) - 1, 10**40, -(2**200)]


ENUMERATORS = [x for x in vars(torch).values() if isinstance(x, torch.dtype | torch.layout | torch.memory_format)]


def leaf(rng: random.Random) -> object:
    choices = [
        lambda: None,
        lambda: rng.choice(INTS) if rng.random() < 0.5 else rng.randrange(-5, 5),
        lambda: rng.choice(FLOATS),
        lambda: struct.unpack("d", rng.randbytes(8))[0],
        lambda: rng.random() < 0.5,
        lambda: complex(rng.choice(FLOATS), rng.choice(FLOATS)),
        lambda: rng.choice(TEXTS),
        lambda: torch.device(rng.choice(["cpu", "cuda", "cuda:1", "meta"])),
        lambda: rng.randbytes(rng.randrange(5)),
        lambda: rng.getrandbits(200) - 2**199,
        lambda: rng.choice(ENUMERATORS),
        lambda: torch.Size(rng.randrange(9) for _ in range(rng.randrange(3))),
        lambda: {key(rng)} if rng.random() < 0.8 else set(),
    ]
    return rng.choice(choices)()


def key(rng: random.Random) -> object:
    """A key that LibTorch and Python tell apart from the others in the same way."""
    choices = [
        lambda: rng.randrange(2, 100),
        lambda: rng.random() + 0.1,
        lambda: rng.choice(TEXTS),
        lambda: complex(rng.randrange(9), 1),
        lambda: rng.randbytes(rng.randrange(3)),
        lambda: rng.getrandbits(100) + 2**64,
        lambda: None,
        lambda: rng.choice(ENUMERATORS),
        lambda: (key(rng), key(rng)),
        lambda: torch.Size([rng.randrange(3), 7]),
    ]
    return rng.choice(choices)()


def nested(rng: random.Random, depth: int = 4) -> object:
    shape = rng.randrange(5) if depth else 0
    if shape == 0:
        return leaf(rng)
    length = rng.randrange(4)
    if shape == 1:
        return [nested(rng, depth - 1) for _ in range(length)]
    if shape == 2:
        return tuple(nested(rng, depth - 1) for _ in range(length))
    item = {key(rng): nested(rng, depth - 1) for _ in range(length)}
    return item if shape == 3 else collections.OrderedDict(item)


def test_reprs_are_python_s():
    rng = random.Random(1)
    for _ in range(2000):
        item = nested(rng)
        assert repr_of(value(item)) == repr(item)
        assert repr(python(value(item))) == repr(item)


def test_reprs_of_every_assigned_character():
    for code in range(1, 0x110000):
        character = chr(code)
        if unicodedata.category(character) not in ("Cs", "Cn") and not 0xE000 <= code <= 0xF8FE:
            text = character * 2 + "'"
            if code < 0x3000 or code % 7 == 0:
                assert repr_of(value(text)) == repr(text), hex(code)


def test_reprs_of_floats():
    rng = random.Random(2)
    for _ in range(20000):
        number = struct.unpack("d", rng.randbytes(8))[0]
        assert repr_of(value(number)) == repr(number)
    for exponent in range(-30, 30):
        assert repr_of(value(10.0**exponent)) == repr(10.0**exponent)


def test_reprs_of_tensors_inside_containers():
    x = torch.arange(6.0).reshape(2, 3)
    for item in ([x], {"w": x, "b": x[0]}, (x.to(torch.int16), [torch.empty(0)]), [x.clone().requires_grad_()]):
        assert repr_of(value(item)) == repr(item)


def test_equality_is_python_s():
    rng = random.Random(3)
    pool = [nested(rng, 2) for _ in range(120)]
    twins = copy.deepcopy(pool)
    boxed, boxed_twins = [value(p) for p in pool], [value(t) for t in twins]
    answers = {True: 0, False: 0}
    for a, boxed_a in zip(pool, boxed, strict=True):
        for b, boxed_b in zip(twins, boxed_twins, strict=True):
            if "nan" in repr(a) and a is not b:
                continue  # a NaN is equal to itself in Python's containers, and has no identity in LibTorch's
            assert equal(boxed_a, boxed_b) == (a == b), (a, b)
            answers[a == b] += 1
    assert min(answers.values()) > 100


NUMBERS = [True, 1, 1.0, 1 + 0j, 2**53, 2**53 + 1, 2.0**53, 2**63, 2.0**63, 2**64 - 1, 2**64, 2.0**64, 2**64 + 1]
NUMBERS += [
    -(2**63) - 1,
    -(2.0**63),
    10**23,
    1e23,
    2**1023,
    2.0**1023,
    2**1024,
    complex(2.0**70, 0),
    2**70,
    -1,
    -(2**70),
]
NUMBERS += [0.0, -0.0, 0, False, 1.5, math.inf]


@pytest.mark.parametrize("a", NUMBERS, ids=str)
def test_numbers_are_equal_across_kinds(a):
    for b in NUMBERS:
        assert equal(a, b) == (a == b), (a, b)
        assert equal([a], [b]) == (a == b), (a, b)
        assert equal({a: "x"}, {b: "x"}) == (a == b), (a, b)
        assert equal({a}, {b}) == (a == b), (a, b)


def integers() -> list[int]:
    rng = random.Random(7)
    edges = [2**n + d for n in (7, 8, 15, 31, 32, 63, 64, 65, 96, 127, 128, 1000) for d in (-1, 0, 1)]
    return [0, *edges, *(-n for n in edges), *(rng.getrandbits(rng.randrange(1, 900)) for _ in range(300))]


def test_ints_of_any_size():
    for number in integers():
        for sign in (number, -number):
            boxed = value(sign)
            assert kind(boxed) == "int"
            assert python(boxed) == sign and repr_of(boxed) == str(sign)
            digits = made("ctorch_value_from_decimal", str(sign).encode())
            assert equal(digits, sign) and repr_of(digits) == str(sign)
            data = sign.to_bytes(200, "little", signed=True)  # more bytes than needed
            assert python(made("ctorch_value_from_int_bytes", data, len(data))) == sign
            shortest = python(made("ctorch_value_to_int_bytes", boxed))
            assert len(shortest) == 1 or sign not in range(-(1 << len(shortest) * 8 - 9), 1 << len(shortest) * 8 - 9)
            assert type_of(boxed) == "int"
            room = out("double")
            ok(lib.ctorch_value_to_double(room, boxed))
            assert room[0] == float(sign)


def test_ints_and_floats_agree_in_rounding():
    rng = random.Random(8)
    for _ in range(3000):
        bits = rng.randrange(54, 300)
        number = rng.getrandbits(bits) | 1 << bits
        if rng.random() < 0.5:  # halfway between two floats, or next to it
            number = number >> (bits - 53) << (bits - 53) | 1 << (bits - 54)
            number += rng.choice([-1, 0, 1])
        room = out("double")
        ok(lib.ctorch_value_to_double(room, value(number)))
        assert room[0] == float(number), number


def test_digits_have_python_s_limit():
    nines = "9" * 4300
    assert repr_of(made("ctorch_value_from_decimal", nines.encode())) == nines
    assert fails(lib.ctorch_value_from_decimal(out("ctorch_value *"), b"9" * 4301))[0] == "VALUE"
    for text in (b"", b"-", b"+", b"1.0", b"1e5", b" 1", b"0x10", b"--1", b"1_000"):
        code, message = fails(lib.ctorch_value_from_decimal(out("ctorch_value *"), text))
        assert code == "VALUE" and "is no whole number" in message
    large = value(1 << 100000)
    assert repr_of(large) == hex(1 << 100000)
    assert repr_of(value(-(1 << 100000))) == hex(-(1 << 100000))
    assert fails(lib.ctorch_value_to_decimal(out("ctorch_string *"), large))[0] == "VALUE"
    assert python(large) == 1 << 100000
    digits = out("ctorch_string *")
    ok(lib.ctorch_value_to_decimal(digits, value(-(10**30))))
    assert string(digits[0]) == str(-(10**30))
    for read, room in (("int", "int64_t"), ("scalar", "ctorch_scalar")):
        code, message = fails(getattr(lib, f"ctorch_value_to_{read}")(out(room), value(2**64)))
        assert code == "VALUE" and "18446744073709551616 does not fit" in message
    assert fails(lib.ctorch_value_to_double(out("double"), value(2**1024)))[0] == "VALUE"


@pytest.mark.parametrize(
    "data", [b"", b"a", b"it's", b'say "x"', b"both ' and \"", b"\\ \n\r\t\0\x7f\x80\xff", bytes(range(256))]
)
def test_bytes(data):
    boxed = value(data)
    assert kind(boxed) == "bytes" and type_of(boxed) == "bytes"
    assert repr_of(boxed) == repr(data) and python(boxed) == data
    assert lib.ctorch_value_len(boxed) == len(data)
    assert not equal(boxed, data.decode("latin-1")) and equal(boxed, data)
    assert fails(lib.ctorch_value_to_string(ffi.new("const char **"), ffi.NULL, boxed))[0] == "TYPE"
    assert fails(lib.ctorch_value_read_bytes(boxed, ffi.NULL, len(data) + 1))[0] == "INVALID_ARGUMENT"


@pytest.mark.parametrize("item", ENUMERATORS, ids=str)
def test_enumerators(item):
    boxed = value(item)
    assert kind(boxed) == type(item).__name__.removeprefix("torch.")
    assert repr_of(boxed) == repr(item) and python(boxed) is item
    assert type_of(boxed) == "torch." + type(item).__name__.removeprefix("torch.")
    assert equal(boxed, item)
    assert not any(equal(boxed, other) for other in ENUMERATORS if other is not item)
    assert not equal(boxed, 0) and not equal(boxed, repr(item))
    assert fails(lib.ctorch_value_to_int(out("int64_t"), boxed))[0] == "TYPE"


def test_sets():
    assert repr_of(value(set())) == repr(set()) == "set()"
    assert repr_of(made("ctorch_value_from_set", ffi.new("ctorch_value *[]", [value(3), value("a")]), 2)) == "{3, 'a'}"
    items = {1, 2.5, "a", b"a", None, (1, (2, "x")), torch.float32, 2**80, True + 1, torch.Size([2])}
    boxed = value(items)
    assert kind(boxed) == "set" and lib.ctorch_value_len(boxed) == len(items)
    assert python(boxed) == items
    assert equal(boxed, items) and not equal(boxed, items - {None}) and not equal(boxed, list(items))
    assert type_of(value({1, 2})) == "Set[int]" and type_of(value(set())) == "Set[Any]"
    assert type_of(value([{1}, {2}])) == "List[Set[int]]"
    found = out("bool")
    for item in items:
        ok(lib.ctorch_value_set_contains(found, boxed, value(item)))
        assert found[0]
    ok(lib.ctorch_value_set_remove(boxed, value(b"a")))
    code, message = fails(lib.ctorch_value_set_remove(boxed, value(b"a")))
    assert code == "INDEX" and "no entry b'a'" in message
    ok(lib.ctorch_value_set_add(boxed, value("a")))
    ok(lib.ctorch_value_set_add(boxed, ffi.NULL))
    assert python(boxed) == items - {b"a"}
    for item in ([], {}, set(), ([],), collections.OrderedDict()):
        code, message = fails(lib.ctorch_value_set_add(boxed, value(item)))
        assert code == "TYPE" and "cannot be a key" in message
    ok(lib.ctorch_value_clear(boxed))
    assert repr_of(boxed) == "set()"
    twin = made("ctorch_value_copy", boxed)
    ok(lib.ctorch_value_set_add(twin, value(1)))
    assert lib.ctorch_value_len(boxed) == 0


KEYS = [1, 2**64, -(2**70), 1.5, True, 1j, "a", "", b"a", b"", None, (), (1,), (1, "a"), ((1, 2), (3,)), torch.int8]
KEYS += [torch.strided, torch.channels_last, torch.device("cpu"), torch.Size([1, 2]), collections.OrderedDict, int]


def test_what_python_takes_for_a_key_is_one():
    boxed = value({key_: i for i, key_ in enumerate(KEYS) if key_ != 1 or key_ is not True})
    plain = python(boxed)
    for key_, i in plain.items():
        assert equal(made("ctorch_value_dict_get", boxed, value(key_)), i)
    assert list(plain) == [k for i, k in enumerate(KEYS) if k not in KEYS[:i]]
    assert repr_of(boxed) == "{" + ", ".join(f"{_repr(k)}: {i}" for k, i in plain.items()) + "}"
    assert equal(boxed, copy.deepcopy(plain))
    assert equal(made("ctorch_value_deep_copy", boxed), plain)
    ok(lib.ctorch_value_dict_remove(boxed, value((1, "a"))))
    code, message = fails(lib.ctorch_value_dict_get(out("ctorch_value *"), boxed, value((1, "a"))))
    assert code == "INDEX" and "no key (1, 'a')" in message
    text = made("ctorch_value_from_string_data", b"\xffs\x01", 3)  # no key of another kind looks like it
    ok(lib.ctorch_value_dict_set(boxed, text, value("found")))
    assert python(made("ctorch_value_dict_get", boxed, text)) == "found"


def _repr(item: object) -> str:
    return f"{item.__module__}.{item.__qualname__}" if isinstance(item, type) else repr(item)


def test_state_dicts():
    module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    state = module.state_dict()
    boxed = value(state)
    assert kind(boxed) == "PythonObject" and type_of(boxed) == "collections.OrderedDict"
    assert repr_of(boxed) == repr(state)
    assert lib.ctorch_value_len(boxed) == len(state)
    assert equal(made("ctorch_value_dict_at", boxed, b"0.weight"), state["0.weight"])
    assert python(made("ctorch_value_attribute", boxed, b"_metadata")) == state._metadata
    again = python(boxed)
    assert type(again) is collections.OrderedDict and list(again) == list(state)
    assert again._metadata == state._metadata
    module.load_state_dict(again)
    assert equal(boxed, state) and equal(boxed, dict(state)) and equal(dict(state), boxed)
    reverse = collections.OrderedDict(reversed(state.items()))
    assert equal(boxed, reverse) == (state == reverse) == False  # noqa: E712
    copied = made("ctorch_value_deep_copy", boxed)
    ok(lib.ctorch_value_set_attribute(copied, b"_metadata", value({"": {"version": 2}})))
    ok(lib.ctorch_value_dict_put(copied, b"more", value(1)))
    assert python(made("ctorch_value_attribute", boxed, b"_metadata")) == state._metadata
    assert lib.ctorch_value_len(boxed) == len(state) == lib.ctorch_value_len(copied) - 1
    code, message = fails(lib.ctorch_value_attribute(out("ctorch_value *"), boxed, b"nothing"))
    assert code == "INDEX" and "no attribute 'nothing'" in message


def test_python_objects():
    boxed = python_object("shop.cart", "Cart.Item", (1, [2]), [3], {"price": 1.5})
    assert repr_of(boxed) == "shop.cart.Cart.Item(1, [2], items=[3], state={'price': 1.5})"
    assert repr_of(python_object("shop", "Bag", (), None, (None, {"x": 1}))) == "shop.Bag(state=(None, {'x': 1}))"
    assert repr_of(python_object("shop", "Bag", (), {1})) == "shop.Bag(items={1})"
    assert repr_of(python_object("torch", "per_tensor_affine")) == "torch.per_tensor_affine"
    assert type_of(boxed) == "shop.cart.Cart.Item" and type_of(value(int)) == "type"
    same = python_object("shop.cart", "Cart.Item", (1, [2]), [3], {"price": 1.5})
    assert equal(boxed, same) and equal([boxed], [same])
    for other in (
        python_object("shop.cart", "Item", (1, [2]), [3], {"price": 1.5}),
        python_object("shop.cart", "Cart.Item", (1, [4]), [3], {"price": 1.5}),
        python_object("shop.cart", "Cart.Item", (1, [2]), [4], {"price": 1.5}),
        python_object("shop.cart", "Cart.Item", (1, [2]), [3], {"price": 2}),
        python_object("shop.cart", "Cart.Item"),
        [3],
    ):
        assert not equal(boxed, other)
    assert lib.ctorch_value_is(value(int), value(int)) and not lib.ctorch_value_is(boxed, same)
    ok(lib.ctorch_value_list_append(boxed, value(4)))
    assert python(made("ctorch_value_python_items", boxed)) == [3, 4]
    ok(lib.ctorch_value_set_python_state(boxed, ffi.NULL))
    assert made("ctorch_value_python_state", boxed) == ffi.NULL
    ok(lib.ctorch_value_set_attribute(boxed, b"self", boxed))
    assert repr_of(boxed).endswith("state={'self': shop.cart.Cart.Item(...)})")
    twin = made("ctorch_value_deep_copy", boxed)
    assert lib.ctorch_value_is(made("ctorch_value_attribute", twin, b"self"), twin)
    for item in (boxed, twin):
        ok(lib.ctorch_value_set_python_state(item, ffi.NULL))
    empty, box = value(()), out("ctorch_value *")
    new = lib.ctorch_value_from_python_object
    assert fails(new(box, b"a", b"b", value([]), ffi.NULL, ffi.NULL))[0] == "TYPE"
    assert fails(new(box, b"a", b"b", empty, value(1), ffi.NULL))[0] == "TYPE"
    assert fails(new(box, b"a", b"b", ffi.NULL, value([]), ffi.NULL))[0] == "VALUE"
    for name in (b"", b".a", b"a.", b"a..b", b"a b", b"a\nb", b"\xff"):
        assert fails(new(box, name, b"b", empty, ffi.NULL, ffi.NULL))[0] == "INVALID_ARGUMENT"
        assert fails(new(box, b"a", name, empty, ffi.NULL, ffi.NULL))[0] == "INVALID_ARGUMENT"
    assert lib.ctorch_value_python_name(value(1)) == ffi.NULL == lib.ctorch_value_python_module(ffi.NULL)


def test_operators_take_what_python_s_take():
    x = torch.randn(2, 3)
    assert call("aten::sum", x, dtype=torch.float64).dtype == torch.float64
    assert call("aten::empty.memory_format", torch.Size([2, 3]), layout=torch.strided).shape == (2, 3)
    image = torch.randn(1, 2, 3, 4)
    assert call("aten::clone", image, memory_format=torch.channels_last).is_contiguous(
        memory_format=torch.channels_last
    )
    assert torch.equal(call("aten::gelu", x, approximate=b"tanh"), torch.ops.aten.gelu(x, approximate=b"tanh"))
    assert torch.equal(call("aten::zeros", {2}), torch.ops.aten.zeros({2}))
    assert torch.equal(call("aten::dropout", x, 2**0, False), x)
    for operator, args, named, message in (
        ("aten::sum", (x,), {"dtype": torch.strided}, "must be ScalarType?, not torch.layout"),
        ("aten::clone", (x,), {"memory_format": torch.float32}, "must be MemoryFormat?, not torch.dtype"),
        ("aten::select.int", (x, 0, torch.int8), {}, "must be SymInt, not torch.dtype"),
        ("aten::select.int", (x, 0, 2**70), {}, f"must be an int of at most 64 bits, not {2**70}"),
        ("aten::add.Scalar", (x, 2**70), {}, f"must be an int of at most 64 bits, not {2**70}"),
        ("aten::select.int", (x, 0, b"1"), {}, "must be SymInt, not bytes"),
        ("aten::relu", (value({1}),), {}, "must be Tensor, not Set[int]"),
        ("aten::relu", (python_object("a", "B", ()),), {}, "must be Tensor, not a.B"),
        ("aten::dropout", (x, 2**1024, False), {}, "must be a number that a float can hold"),
    ):
        with pytest.raises(CtorchError, match=re.escape(message)) as raised:
            call(operator, *args, **named)
        assert raised.value.kind == "TYPE"
    with pytest.raises(CtorchError, match="dropout probability has to be between 0 and 1, but got 1.18059e.21"):
        call("aten::dropout", x, 2**70, False)
    with pytest.raises(RuntimeError, match="dropout probability has to be between 0 and 1, but got 1.18059e.21"):
        torch.ops.aten.dropout(x, 2**70, False)
    assert python(call_boxed("aten::result_type.Tensor", x, x)) == 6 == torch.ops.aten.result_type.Tensor(x, x)
    number = out("ctorch_dtype")
    ok(lib.ctorch_value_to_dtype(number, call_boxed("aten::result_type.Tensor", x, x)))
    assert number[0] == 6
    assert fails(lib.ctorch_value_to_dtype(number, value(999)))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_value_to_layout(number, value(2**40)))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_value_to_memory_format(number, value(torch.float32)))[0] == "TYPE"


def storages(item: list[torch.Tensor]) -> list[int]:
    """For each tensor, the first of the list that shares its memory."""
    addresses = [t.untyped_storage().data_ptr() for t in item]
    return [addresses.index(a) for a in addresses]


def test_a_deep_copy_is_python_s():
    x = torch.arange(12.0).reshape(3, 4)
    parameter = torch.ones(2, requires_grad=True)
    parameter.grad = torch.full((2,), 3.0)
    tensors = [
        x,
        x.t(),
        x[1:, ::2],
        x.view(torch.int32),
        parameter,
        parameter.detach(),
        torch.randn(2, dtype=torch.cfloat),
    ]
    tensors += [tensors[-1].conj(), tensors[-1].imag, torch.empty(0), torch.tensor(3), x.expand(2, 3, 4)]
    theirs = copy.deepcopy(tensors)
    ours = python(made("ctorch_value_deep_copy", value(tensors)))
    assert storages(ours) == storages(theirs)
    for original, mine, other in zip(tensors, ours, theirs, strict=True):
        assert mine.untyped_storage().data_ptr() != original.untyped_storage().data_ptr() or original.numel() == 0
        assert (mine.dtype, mine.shape, mine.stride()) == (other.dtype, other.shape, other.stride())
        assert (mine.storage_offset(), mine.is_conj(), mine.requires_grad) == (
            other.storage_offset(),
            other.is_conj(),
            other.requires_grad,
        )
        assert torch.equal(mine, other)
        assert (mine.grad is None) == (other.grad is None)
    assert torch.equal(ours[4].grad, parameter.grad) and ours[4].grad is not parameter.grad


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.eye(2).to_sparse(),
        lambda: torch.eye(2).to_sparse_csr(),
        lambda: torch.eye(2).to_mkldnn(),
        lambda: torch.eye(2).to("meta"),
        lambda: torch.quantize_per_tensor(torch.eye(2), 0.1, 0, torch.qint8),
        lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
        lambda: torch._efficientzerotensor(2),
        lambda: torch.ones(2, dtype=torch.float8_e5m2),
        lambda: torch.ones(2, dtype=torch.bool),
    ],
)
def test_a_deep_copy_of_any_kind_of_tensor(make):
    original = make()
    copied = python(made("ctorch_value_deep_copy", value([original])))[0]
    assert copied is not original
    assert repr(copied) == repr(original)


def test_what_python_cannot_deep_copy_is_refused():
    y = torch.ones(1, requires_grad=True) * 2
    with pytest.raises(RuntimeError):
        copy.deepcopy(y)
    result = out("ctorch_value *")
    error, message = fails(lib.ctorch_value_deep_copy(result, value([y])))
    assert error == "RUNTIME" and "detach" in message


def test_types_are_torchscript_s():
    x = torch.ones(1)
    for item in (
        1,
        2.0,
        True,
        "a",
        1j,
        x,
        [1],
        [1.0],
        [[x]],
        {"a": x},
        {1: [x]},
        (1, "a"),
        ((x,), [2]),
        {"a": {"b": 1}},
    ):
        assert type_of(value(item)) == torch._C._jit_try_infer_type(item).type().annotation_str


def test_values_outlive_what_they_came_from():
    x = torch.ones(3)
    boxed = value({"a": [x, (x,)]})
    before = x._use_count()
    inner = entries(made("ctorch_value_dict_values", boxed))[0]
    del boxed
    gc.collect()
    assert python(inner)[1][0] is x
    del inner
    assert x._use_count() < before


def test_symbolic_sizes_are_numbers_or_an_error():
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    with torch._subclasses.FakeTensorMode(shape_env=ShapeEnv(), static_shapes=False) as mode:
        fake = mode.from_tensor(torch.empty(5, 3))
        first = call_boxed("aten::sym_size.int", fake, 0)
    assert kind(first) == "int"
    number = out("int64_t")
    ok(lib.ctorch_value_to_int(number, first))
    assert number[0] == 5


def test_torchscript_objects_are_objects_with_text():
    weight = torch.quantize_per_tensor(torch.ones(2, 2), 0.1, 0, torch.qint8)
    packed = call_boxed("quantized::linear_prepack", weight)
    assert kind(packed) == "object"
    assert "LinearPackedParamsBase" in repr_of(packed) and "LinearPackedParamsBase" in type_of(packed)
    assert equal(packed, packed) and lib.ctorch_value_is(packed, packed)
    unpacked = call("quantized::linear_unpack", packed)
    assert torch.equal(unpacked[0].dequantize(), weight.dequantize()) and unpacked[1] is None
    number = out("int64_t")
    assert fails(lib.ctorch_value_to_int(number, packed)) == ("TYPE", "expected int, found object")
