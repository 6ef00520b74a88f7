"""The cases of the sweep: for one function of api.json, which arguments to call it with.

Every case is deterministic, so a worker can name the one that killed it by its number, and another process can repeat
it. Most vary one argument and keep the others harmless; the last ones draw all arguments from a seeded generator.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from tests.sweep.calls import OPAQUE
from tests.sweep.values import (
    ABSENT,
    CONTEXTS,
    DEVICES,
    DEVICES_UNKNOWN,
    DOUBLES,
    DTYPES,
    DTYPES_UNKNOWN,
    INT32_MAX,
    INT32_MIN,
    INT64_MAX,
    INT64_MIN,
    INTS,
    LAYOUTS,
    LAYOUTS_UNKNOWN,
    MEMORY_FORMATS,
    MEMORY_FORMATS_UNKNOWN,
    REFUSED_SYMINTS,
    SCALARS,
    SCALARS_UNKNOWN,
    SIZE_MAX,
    SLOT_KINDS,
    STREAMS,
    STREAMS_UNKNOWN,
    STRINGS,
    STRINGS_INVALID,
    TENSORS,
)

NULL_ARGUMENT, INVALID_ARGUMENT, UNSUPPORTED = 30, 31, 32
REFUSED = (NULL_ARGUMENT, INVALID_ARGUMENT)
ANY_ERROR = ()
RANDOM_CASES = 60
# PyTorch refuses to write to a zero tensor, but some operators only after they have damaged memory.
UNWRITABLE = ("zero",)

# What a schema type travels as where the value is one of a set: valid values, and values that must be refused.
SETS = {
    "ScalarType": ("enum", DTYPES, DTYPES_UNKNOWN),
    "Layout": ("enum", LAYOUTS, LAYOUTS_UNKNOWN),
    "MemoryFormat": ("enum", MEMORY_FORMATS, MEMORY_FORMATS_UNKNOWN),
    "Device": ("device", DEVICES, DEVICES_UNKNOWN),
    "Stream": ("stream", STREAMS, STREAMS_UNKNOWN),
    "Scalar": ("scalar", SCALARS, SCALARS_UNKNOWN),
    "str": ("string", STRINGS, STRINGS_INVALID),
    "int": ("int", (*INTS, *REFUSED_SYMINTS), ()),
    "SymInt": ("int", INTS, REFUSED_SYMINTS),
    "DeviceIndex": ("int", (0, -1, 1, 127), ()),
    "float": ("double", DOUBLES, ()),
    "bool": ("bool", (False, True), ()),
    "Generator": ("generator", ("cpu",), ()),
    "Storage": ("storage", ("full", "empty"), ()),
    "Tensor": ("tensor", SLOT_KINDS, ()),
}
ITEM_BYTES = {"Tensor": 8, "int": 8, "SymInt": 8, "float": 8, "bool": 1, "Scalar": 32}
HARMLESS = {
    "int": 1,
    "SymInt": 1,
    "DeviceIndex": 0,
    "float": 0.5,
    "bool": False,
    "ScalarType": 6,
    "Layout": 0,
    "MemoryFormat": 0,
    "Device": (0, -1),
    "Stream": (0, 0, 0),
    "Scalar": (0, 1, 0.0, 0.0),
    "str": b"none",
    "Generator": "cpu",
    "Storage": "full",
}

# The same for hand-written functions, by C type.
CORE_HANDLES = {
    "ctorch_error": (("error", ""),),
    "ctorch_tensor_list": (("list", ""),),
    "ctorch_string": (("text", ""),),
    "ctorch_scope": (("scope", ""),),
    "ctorch_storage": (("storage", "empty"), ("storage", "full")),
    "ctorch_generator": (("generator", "cpu"),),
}
# Of an enumeration that is not known here: its first numbers and nonsense.
ENUM_NUMBERS = (INT32_MIN, INT32_MAX, -1, 9999, *range(24, -1, -1))
CORE_SETS = {
    "ctorch_dtype": ("enum", (*DTYPES[::-1], 6), DTYPES_UNKNOWN),
    "ctorch_layout": ("enum", LAYOUTS[::-1], LAYOUTS_UNKNOWN),
    "ctorch_device_type": ("enum", (*DTYPES_UNKNOWN, *range(21)), ()),
    "ctorch_error_kind": ("enum", (-1, 9999, INT32_MIN, INT32_MAX, 0, 92, 37, 1), ()),
    "ctorch_device": ("device", DEVICES[::-1], DEVICES_UNKNOWN),
    "ctorch_stream": ("stream", STREAMS[::-1], STREAMS_UNKNOWN),
    "ctorch_scalar": ("scalar", SCALARS[::-1], SCALARS_UNKNOWN),
    "int64_t": ("int", (*REFUSED_SYMINTS, *INTS[::-1]), ()),
    "uint64_t": ("int", (2**64 - 1, 2**63, 1, 0), ()),
    "size_t": ("int", (SIZE_MAX, 2**63, 5, 1, 0), ()),
    "int32_t": ("int", (INT32_MIN, -1, 0, 2, 1), ()),
    "double": ("double", DOUBLES, ()),
    "bool": ("bool", (False, True), ()),
}
# What a callback does: answers 0, or 0 with an error, before or after it has written outputs; answers 1 without having
# written any, or with all of them.
CALLBACKS = ("zero", "error", "late error", "nothing", "fill")
DESTROY = "void (*)(void *payload)"
# DLTensors on 4096 bytes of memory: whether there is data, device, ndim, dtype, shape, strides, byte offset.
DLTENSORS = (
    (True, (1, 0), -1, (2, 32, 1), (2, 3), (3, 1), 0),
    (True, (1, 0), INT32_MAX, (2, 32, 1), (2, 3), (3, 1), 0),
    (True, (1, 0), 2, (2, 32, 1), None, None, 0),
    (False, (1, 0), 2, (2, 32, 1), (2, 3), (3, 1), 0),
    (True, (2, 0), 2, (2, 32, 1), (2, 3), (3, 1), 0),
    (True, (99, 99), 2, (2, 32, 1), (2, 3), (3, 1), 0),
    (True, (1, 0), 2, (200, 7, 9), (2, 3), (3, 1), 0),
    (True, (1, 0), 2, (2, 32, 1), (2**62, 2**62), None, 0),
    (True, (1, 0), 2, (2, 32, 1), (INT64_MIN, -1), (3, 1), 0),
    (True, (1, 0), 2, (2, 32, 1), (2, 3), (INT64_MAX, -1), 0),
    (True, (1, 0), 2, (2, 32, 1), (2, 3), (3, 1), 2**64 - 1),
    (False, (1, 0), 2, (2, 32, 1), (0, 3), None, 0),
    (True, (1, 0), 0, (5, 128, 1), None, None, 16),
    (True, (1, 0), 2, (2, 32, 1), (2, 3), (3, 1), 4),
)
LYING_LENGTHS = tuple(("length", (where, n)) for where, n in (("null", 1), ("null", SIZE_MAX), ("data", 2**61)))


@dataclass(frozen=True)
class Slot:
    """One argument of an operator's schema: a C parameter, or a pointer and its length."""

    name: str
    base: str  # schema type without `?` and `[…]`
    optional: bool
    listed: bool
    length: int  # of a list of fixed length; 0 if any
    item_optional: bool
    has_default: bool
    default: object
    by_value: bool
    mutated: bool

    @staticmethod
    def of(param: dict) -> Slot:
        match = re.fullmatch(r"(\w+?)(\?)?(\[(\d*)\])?(\?)?", param["type"])
        if match is None:
            raise ValueError(f"{param['name']}: unknown schema type {param['type']!r}")
        base, item_optional, listed, length, list_optional = match.groups()
        return Slot(
            param["name"],
            base,
            bool(list_optional if listed else item_optional),
            bool(listed),
            int(length or 0),
            bool(listed and item_optional),
            param["default_text"] is not None,
            param["default"],
            "*" not in param["c_type"],
            param["mutated"],
        )

    @property
    def may_be_absent(self) -> bool:
        return not self.by_value and (self.optional or self.has_default)

    @property
    def none(self) -> tuple:
        """NULL, or what a parameter by value has instead."""
        if not self.by_value:
            return ABSENT
        kind, valid, _ = SETS[self.base]
        return (kind, valid[0])

    def one(self, payload: object) -> tuple:
        """A single value, as a list if the argument is one."""
        kind = SETS[self.base][0]
        return (kind + "s", (payload,) * max(self.length, 1)) if self.listed else (kind, payload)

    def harmless(self, tensor: str) -> tuple:
        if self.base == "Tensor":
            return ABSENT if self.optional else self.one(tensor)
        if self.may_be_absent:
            return ABSENT
        if self.by_value and self.has_default and self.default is not None:
            return (SETS[self.base][0], self.default)
        if self.name.startswith("dim") and self.base in ("int", "SymInt"):
            return self.one(0)
        return self.one(HARMLESS[self.base])


@dataclass(frozen=True)
class Case:
    """One call. `expect` holds the error codes of which one must come, ANY_ERROR any; None if success is fine too."""

    family: str
    args: dict[str, tuple]
    null_outs: tuple[str, ...] = ()
    expect: tuple[int, ...] | None = None


def slots_of(function: dict) -> list[Slot]:
    return [Slot.of(p) for p in function["params"] if p["role"] == "in"]


def cases_of(function: dict) -> Iterator[Case]:
    """All cases of a function, always in the same order. What LibTorch lacks refuses whatever it is given."""
    if not function["available"]:
        yield Case("unavailable", {s.name: s.none for s in slots_of(function)}, (), (UNSUPPORTED,))
        return
    yield from operator_cases(function) if function["kind"] == "aten" else core_cases(function)


def operator_cases(function: dict) -> Iterator[Case]:
    """All cases of a generated operator."""
    slots = slots_of(function)
    outs = tuple(p["name"] for p in function["params"] if p["role"] == "out")
    yield Case("null", {s.name: s.none for s in slots}, outs, (NULL_ARGUMENT,) if outs else None)
    harmless = {c: {s.name: s.harmless(c) for s in slots} for c in TENSORS}
    for out in outs:
        yield Case("null out", harmless["float"], (out,), (NULL_ARGUMENT,))
    for kind in TENSORS:
        args = {s.name: s.one(kind) if s.base == "Tensor" else harmless[kind][s.name] for s in slots}
        if kind in UNWRITABLE:
            args |= {s.name: s.one("float") for s in slots if s.mutated}
        yield Case("all " + kind, args)
    for context in CONTEXTS:
        for slot in slots:
            for label, value, expect in variations(slot, context):
                yield Case(f"{context}: {slot.name} {label}", harmless[context] | {slot.name: value}, (), expect)
        integers = [s for s in slots if s.base in ("int", "SymInt")]
        for number in (*INTS, *REFUSED_SYMINTS) if len(integers) > 1 else ():
            args = harmless[context] | {s.name: s.one(number) for s in integers}
            refused = number in REFUSED_SYMINTS and any(s.base == "SymInt" for s in integers)
            yield Case(f"{context}: all integers {number}", args, (), (INVALID_ARGUMENT,) if refused else None)
    yield from random_cases(function["name"], slots)


def variations(slot: Slot, context: str) -> Iterator[tuple[str, tuple, tuple[int, ...] | None]]:
    """Each value for one argument: a label, the value, and the error codes that must come."""
    kind, valid, refused = SETS[slot.base]
    if not slot.by_value:
        required = not slot.may_be_absent and not slot.listed
        yield "absent", ABSENT, (NULL_ARGUMENT,) if required else None
    for payload in valid:
        yield repr(payload)[:40], slot.one(payload), None
    for payload in refused:
        yield repr(payload)[:40], slot.one(payload), (INVALID_ARGUMENT,)
    if not slot.listed:
        return
    item = HARMLESS[slot.base] if slot.base != "Tensor" else context
    yield "NULL, 1", ("length", ("null", 1)), REFUSED
    yield "NULL, SIZE_MAX", ("length", ("null", SIZE_MAX)), REFUSED
    yield "NULL, 2^40", ("length", ("null", 2**40)), REFUSED
    yield "data, 0", ("length", ("data", 0)), None
    yield "data, SIZE_MAX", ("length", ("data", SIZE_MAX)), REFUSED
    if ITEM_BYTES[slot.base] > 1:
        overflow = 2**64 // ITEM_BYTES[slot.base]
        yield "data, 2^64 bytes", ("length", ("data", overflow)), REFUSED
        yield "data, 2^64 bytes and one item", ("length", ("data", overflow + 1)), REFUSED
        yield "data, 2^63 bytes", ("length", ("data", overflow // 2)), REFUSED
    if slot.base == "bool":
        wrong = (n for n in (1, 2, 3, 4, 5, 9) if n != slot.length)
        yield from ((f"{n} items", ("bools", (True,) * n), (INVALID_ARGUMENT,)) for n in wrong)
        return
    for n in (1, 2, 3, 4, 5, 6, 9, 70):
        yield f"{n} items", (kind + "s", (item,) * n), None
    if slot.base == "Tensor":
        expect = None if slot.item_optional else REFUSED
        yield "NULL item", ("tensors", (None,)), expect
        yield "item, NULL", ("tensors", (item, None)), expect
        yield "mixed items", ("tensors", (item, "int64", "empty", "scalar")), None


def core_cases(function: dict) -> Iterator[Case]:
    """All cases of a hand-written function: each value of each argument, the others harmless, then all at random."""
    lengths = {p["len_of"] for p in function["params"] if p["role"] == "len"}
    inputs = [
        p
        for p in function["params"]
        if p["role"] == "in" or p["name"] in lengths or (p["role"] == "callback" and p["c_type"] != DESTROY)
    ]
    outs = tuple(p["name"] for p in function["params"] if p["role"] == "out" and p["name"] not in lengths)
    pools = {p["name"]: core_values(function, p, p["name"] in lengths) for p in inputs}
    harmless = {name: valid[-1] for name, (valid, _) in pools.items()}
    yield Case("null", {p["name"]: pools[p["name"]][0][0] for p in inputs}, outs)
    for out in outs:
        yield Case("null out", harmless, (out,))
    for name, (valid, refused) in pools.items():
        for value in valid:
            yield Case(f"{name} {value!r:.40}", harmless | {name: value})
        for value in refused:
            yield Case(f"{name} {value!r:.40}", harmless | {name: value}, (), ANY_ERROR)
    source = random.Random(zlib.crc32(function["name"].encode()))
    for number in range(4 * RANDOM_CASES if len(pools) > 1 else 0):
        yield Case(f"random {number}", {name: source.choice(valid) for name, (valid, _) in pools.items()})


def core_values(function: dict, param: dict, listed: bool) -> tuple[tuple, tuple]:
    """Values for a parameter of a hand-written function: valid ones, NULL first and harmless last; and refused ones."""
    c_type = re.sub(r"\bconst\b|\*", "", param["c_type"]).strip()
    pointers = param["c_type"].count("*")
    fallible = "ctorch_error" in function["returns"]
    null = (ABSENT,) if pointers else ()
    if param["name"] == "strides":  # as many entries as `sizes` has, which the function cannot check
        return (ABSENT, *(("ints", (n,) * 128) for n in (-1, INT64_MAX, 2**62, 0, 1))), ()
    if param["name"] == "dltensor":
        return (ABSENT, *(("dltensor", t) for t in DLTENSORS)), ()
    if param["name"] in ("capsule", "methods"):  # an object of Python's
        return (ABSENT,), ()
    if param["name"] == "object":  # of the table below
        return (ABSENT, ("tensor", "sparse"), ("tensor", "grad"), ("tensor", "float")), ()
    if c_type == "struct DLPackExchangeAPI":
        return (ABSENT, ("table", "")), ()
    if c_type == "void" and listed:
        lies = tuple(("length", ("null", n)) for n in (1, 24, SIZE_MAX))
        return (ABSENT, *(("bytes", n) for n in (0, 1, 96, SIZE_MAX, 24))), lies
    if c_type == "void":
        return (ABSENT, ("bytes", 4096)) if param["name"] == "data" else (ABSENT, ("list", ""), ("tensor", "float")), ()
    if c_type == "ctorch_tensor" and listed:
        valid = (("tensors", ()), ("tensors", (None,)), ("tensors", ("int64", None)), ("tensors", ("float", "sparse")))
        return (ABSENT, *valid), LYING_LENGTHS
    if c_type == "ctorch_tensor":
        return (ABSENT, *(("tensor", k) for k in reversed(TENSORS))), ()
    if param["role"] == "callback":
        return (ABSENT, *(("callback", behaviour) for behaviour in CALLBACKS)), ()
    if c_type in CORE_HANDLES:
        return (ABSENT, *CORE_HANDLES[c_type]), ()
    if pointers and (c_type in OPAQUE or c_type.startswith("struct ")):
        if listed:
            lists = ((), (None,), (c_type, None), (c_type,))
            return (ABSENT, *(("objects", items) for items in lists)), LYING_LENGTHS
        return (ABSENT, ("object", c_type)), ()
    if c_type == "int64_t" and listed:
        sizes = ((2**62, 2**62), (2**62, 4), (INT64_MAX, 2), (-1,), (INT64_MIN,), (), (0,), (1,) * 70, (6,), (2, 3))
        return (ABSENT, *(("ints", s) for s in sizes)), LYING_LENGTHS
    if c_type == "char" and pointers == 2:
        valid = ((), *((s,) for s in STRINGS), (b"self", b"other"), (b"x",))
        refused = ((None,), (b"x", None), *((s,) for s in STRINGS_INVALID))
        return (ABSENT, *(("strings", s) for s in valid)), (*(("strings", s) for s in refused), *LYING_LENGTHS)
    if c_type == "char" and listed:  # bytes
        return (ABSENT, *(("string", s) for s in (*STRINGS_INVALID, *STRINGS))), ()
    if c_type == "char":
        refused = tuple(("string", s) for s in STRINGS_INVALID) if fallible else ()
        return (ABSENT, *(("string", s) for s in STRINGS)), refused
    kind, valid, refused = CORE_SETS.get(c_type) or ("enum", ENUM_NUMBERS, ())
    if listed:
        kind += "s"
        valid = ((), *((v,) * n for v in valid for n in (1, 3)))
        return (ABSENT, *((kind, v) for v in valid)), LYING_LENGTHS
    refused = refused if fallible and param["name"] != "code" else ()
    return (*null, *((kind, v) for v in valid)), tuple((kind, v) for v in refused)


def random_cases(name: str, slots: list[Slot]) -> Iterator[Case]:
    """Valid values of every argument at once: kinds of tensor that do not fit together, small and extreme numbers."""
    source = random.Random(zlib.crc32(name.encode()))
    kinds = tuple(TENSORS)
    for number in range(RANDOM_CASES):
        favourite = source.choice(kinds)
        args = {}
        for slot in slots:
            if slot.may_be_absent and source.random() < 0.4:
                args[slot.name] = ABSENT
                continue
            kind, valid, _ = SETS[slot.base]

            def draw(slot: Slot = slot, valid: tuple = valid) -> object:
                if slot.base == "Tensor":
                    kind = favourite if source.random() < 0.6 else source.choice(kinds)
                    return "float" if slot.mutated and kind in UNWRITABLE else kind
                if slot.base in ("int", "SymInt") and source.random() < 0.85:
                    return source.choice((-1, 0, 0, 1, 1, 1, 2, 3))
                return source.choice(valid)

            if slot.listed:
                n = slot.length if slot.length and source.random() < 0.8 else source.choice((0, 1, 2, 2, 3, 4))
                n = slot.length if slot.base == "bool" else n
                args[slot.name] = (kind + "s", tuple(draw() for _ in range(n)))
            else:
                args[slot.name] = (kind, draw())
        yield Case(f"random {number}", args)
