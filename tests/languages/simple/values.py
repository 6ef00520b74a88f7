"""Values of the emulator, and what the language itself does with them: arithmetic, texts, lists."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import tree

if TYPE_CHECKING:
    from .interpreter import ClassType


class Fault(Exception):
    """The program did what would stop it in Simple too, or what the checker should have refused."""


class Panic(Fault):
    """The program called panic."""


class Instance:
    __slots__ = ("type", "fields")

    def __init__(self, type_: ClassType, fields: dict[str, object]) -> None:
        self.type = type_
        self.fields = fields

    def __repr__(self) -> str:
        return f"{self.type.name}({', '.join(f'{n}: {v!r}' for n, v in self.fields.items())})"


class Variant:
    __slots__ = ("enum", "name", "fields")

    def __init__(self, enum: str, name: str, fields: tuple) -> None:
        self.enum, self.name, self.fields = enum, name, fields

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and (self.enum, self.name, self.fields) == (
            other.enum,
            other.name,
            other.fields,
        )

    def __hash__(self) -> int:
        return hash((self.enum, self.name))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(repr, self.fields))})" if self.fields else self.name


def ok(value: object) -> Variant:
    return Variant("Result", "Ok", (value,))


def err(value: object) -> Variant:
    return Variant("Result", "Err", (value,))


class EnumType:
    def __init__(self, node: tree.Enum) -> None:
        self.name = node.name
        self.constants = {v: Variant(node.name, v, ()) for v, types in node.variants.items() if not types}
        self.variants = node.variants


def text_of(value: object) -> str:
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(text_of, value)) + "]"
    if isinstance(value, Variant):
        return f"{value.name}({', '.join(map(text_of, value.fields))})" if value.fields else value.name
    return str(value)


def integer(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise Fault("an integer overflow")
    return value


def _number(operation: Callable) -> Callable:
    def apply(a: object, b: object) -> object:
        if type(a) is int and type(b) is int:
            return integer(operation(a, b))
        if type(a) is float and type(b) is float:
            return operation(a, b)
        raise Fault(f"{a!r} and {b!r} cannot be combined")

    return apply


def _divide(a: object, b: object) -> object:
    if type(a) is int and type(b) is int:
        if b == 0:
            raise Fault("a division by zero")
        return integer(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))
    if type(a) is float and type(b) is float:
        if b == 0:
            return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
        return a / b
    raise Fault(f"{a!r} and {b!r} cannot be divided")


def _add(a: object, b: object) -> object:
    if type(a) is str and type(b) is str or type(a) is list and type(b) is list:
        return a + b
    return _add_numbers(a, b)


def _less(compare: Callable) -> Callable:
    def apply(a: object, b: object) -> bool:
        if type(a) is not type(b) or type(a) not in (int, float, str):
            raise Fault(f"{a!r} and {b!r} have no order")
        return compare(a, b)

    return apply


_add_numbers = _number(lambda a, b: a + b)
OPERATORS: dict[str, Callable] = {
    "+": _add,
    "-": _number(lambda a, b: a - b),
    "*": _number(lambda a, b: a * b),
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b),
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": _less(lambda a, b: a < b),
    "<=": _less(lambda a, b: a <= b),
    ">": _less(lambda a, b: a > b),
    ">=": _less(lambda a, b: a >= b),
    "..": lambda a, b: range(a, b),
}
# What operators call on an object, the first that its class has (compiler/src/interpreter/expr/ops.rs).
METHODS: dict[str, tuple[str, ...]] = {
    "+": ("add_scalar", "__add__"),
    "-": ("sub_scalar", "__sub__"),
    "*": ("mul_scalar", "__mul__"),
    "/": ("div_scalar", "__div__"),
    "@": ("__matmul__",),
    "<": ("__lt__",),
    "<=": ("__le__",),
    ">": ("__gt__",),
    ">=": ("__ge__",),
    "==": ("__eq__",),
    "!=": ("__ne__",),
}


def _print(value: object) -> None:
    print(text_of(value))


def _panic(message: str) -> None:
    raise Panic(message)


def _parse_int(text: str) -> int | None:
    try:
        return integer(int(text)) if text.strip() == text and "_" not in text else None
    except ValueError:
        return None


BUILTINS: dict[str, Callable] = {"print": _print, "panic": _panic, "Ok": ok, "Err": err}
BUILTIN_METHODS: dict[type, dict[str, Callable]] = {
    list: {"len": len, "push": list.append, "contains": lambda items, x: x in items, "pop": lambda items: items.pop()},
    str: {
        "len": len,
        "contains": lambda t, x: x in t,
        "starts_with": str.startswith,
        "ends_with": str.endswith,
        "trim": str.strip,
        "split": str.split,
        "parse_int": _parse_int,
    },
}


def truth(value: object) -> bool:
    if type(value) is not bool:
        raise Fault(f"{value!r} is no truth value")
    return value


def position(value: object) -> int:
    if type(value) is not int:
        raise Fault(f"{value!r} is no index")
    return value
