"""Values against Python: text forms, equality, copies, types, and objects that only Python or TorchScript can make."""

from __future__ import annotations

import copy
import gc
import math
import random
import struct
import sys
import unicodedata

import pytest
import torch

from runtime.capi import fails, lib, ok, out
from runtime.values import call, call_boxed, entries, equal, kind, made, python, repr_of, type_of, value

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
INTS = [0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63)]


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
    ]
    return rng.choice(choices)()


def key(rng: random.Random) -> object:
    """A key that LibTorch and Python tell apart from the others in the same way."""
    return rng.choice([rng.randrange(2, 100), rng.random() + 0.1, rng.choice(TEXTS), complex(rng.randrange(9), 1)])


def nested(rng: random.Random, depth: int = 4) -> object:
    shape = rng.randrange(4) if depth else 0
    if shape == 0:
        return leaf(rng)
    length = rng.randrange(4)
    if shape == 1:
        return [nested(rng, depth - 1) for _ in range(length)]
    if shape == 2:
        return tuple(nested(rng, depth - 1) for _ in range(length))
    return {key(rng): nested(rng, depth - 1) for _ in range(length)}


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


@pytest.mark.parametrize("a", [True, 1, 1.0, 1 + 0j, 2**53, 2**53 + 1, 2.0**53, 2**63, 2.0**63, -0.0, 0, False, 1.5])
def test_numbers_are_equal_across_kinds(a):
    for b in (True, 1, 1.0, 1 + 0j, 2**53, 2**53 + 1, 2.0**53, 2**63, 2.0**63, 2**64 - 1, -1, 0.0, 0, False, math.inf):
        assert equal(a, b) == (a == b), (a, b)
        assert equal([a], [b]) == (a == b), (a, b)
        if not any(isinstance(n, int) and n >= 2**63 for n in (a, b)):  # LibTorch cannot hash those
            assert equal({a: "x"}, {b: "x"}) == (a == b), (a, b)


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
    assert fails(lib.ctorch_value_to_int(number, packed)) == ("TYPE", "ctorch_value_to_int: expected int, found object")
