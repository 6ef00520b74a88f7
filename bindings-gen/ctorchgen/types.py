"""THE type table: schema type -> C declaration, C++ expression, api.json type.

A row says how one schema type crosses the ABI. The C++ side of each row is a conversion in `shim/core/abi/from.hpp`
(arguments) or `to.hpp` (results); its name is all that stands here.
"""

from __future__ import annotations

import ast
import json
import math
from dataclasses import dataclass
from typing import Any

from .api import Param
from .names import length_name, mutable_name
from .schema import Argument, Enumerated, GeneratorError, Located, Operator, Return
from .vocabulary import DEVICE, DTYPE, GENERATOR, LAYOUT, MEMORY_FORMAT, SCALAR, STORAGE, STREAM, TENSOR, TENSOR_LIST


@dataclass(frozen=True)
class Value:
    """A type that crosses by value, and behind a pointer where it may be absent."""

    c_type: str  # as a required parameter
    convert: str  # from::<convert>(x, "x"); from::optional_<convert> for the `?` form; "" needs no conversion
    result: str = ""  # C type of a result; "" if no operator returns it
    by_pointer: bool = False  # the required form is a pointer as well

    @property
    def pointee(self) -> str:
        return self.c_type.removesuffix("*").rstrip().removeprefix("const ")


VALUES: dict[str, Value] = {
    "int": Value("int64_t", "", "int64_t"),
    "SymInt": Value("int64_t", "symint", "int64_t"),
    "float": Value("double", "", "double"),
    "bool": Value("bool", "", "bool"),
    "SymBool": Value("bool", "", "bool"),
    "ScalarType": Value(DTYPE, "dtype", DTYPE),
    "Layout": Value(LAYOUT, "layout"),
    "MemoryFormat": Value(MEMORY_FORMAT, "memory_format"),
    "DeviceIndex": Value("int32_t", "device_index"),
    "QScheme": Value("int32_t", "qscheme", "int32_t"),
    "Device": Value(f"const {DEVICE} *", "device", by_pointer=True),
    "Scalar": Value(f"const {SCALAR} *", "scalar", SCALAR, by_pointer=True),
    "Stream": Value(f"const {STREAM} *", "stream", by_pointer=True),
    "str": Value("const char *", "string", by_pointer=True),
    "Generator": Value(f"{GENERATOR} *", "generator", by_pointer=True),
    "Storage": Value(f"{STORAGE} *", "storage", by_pointer=True),
}

# Lists travel as pointer and length. Key: element type; value: (C type of the pointer, conversion).
LISTS: dict[str, tuple[str, str]] = {
    "int": ("const int64_t *", "ints"),
    "SymInt": ("const int64_t *", "symints"),
    "float": ("const double *", "doubles"),
    "bool": ("const bool *", "bools"),
    "Scalar": (f"const {SCALAR} *", "scalars"),
}

# The types of schemas that have a form in C.
KNOWN = frozenset({"Tensor", *VALUES, *LISTS})

# What from.hpp has, which is what the operators of the known versions need. A type whose conversion is missing here is
# unknown, so that the operator that brings it is named by the generator and not by the compiler.
CONVERSIONS = frozenset(
    """
    tensor optional_tensor tensors tensor_list_ref optional_tensors
    symint optional_int64 optional_int64_or optional_symint optional_double optional_bool optional_bool_or
    scalar scalar_or optional_scalar scalars
    ints ints_or optional_ints symints symints_or optional_symints optional_doubles bools
    dtype optional_dtype optional_dtype_or layout optional_layout
    memory_format optional_memory_format optional_memory_format_or
    device optional_device optional_device_or_default device_index stream string string_or optional_string
    generator optional_generator storage enumerated optional_enumerated enumerated_ints
    """.split()
)

INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Mapped:
    """How one argument crosses: its C parameters and the C++ expression that makes LibTorch's argument of them."""

    params: tuple[Param, ...]
    expression: str
    mutable: bool = False  # travels as an owning at::Tensor, written back after the call


def map_argument(op: Operator, argument: Argument) -> Mapped:
    mapping = _Mapping(op, argument)
    if argument.enum is not None:
        return mapping.enumeration(argument.enum)
    if argument.type.base == "Tensor":
        return mapping.tensors() if argument.type.is_list else mapping.tensor()
    if argument.mutated:
        raise op.error(f"mutated argument {argument.name} of type {argument.type}")
    return mapping.list() if argument.type.is_list else mapping.value()


class _Mapping:
    """How one argument crosses, by what it is."""

    def __init__(self, op: Operator, argument: Argument) -> None:
        self.op, self.argument, self.type = op, argument, argument.type
        self.default = default_value(op, argument)
        # Only a default other than None changes what NULL converts to.
        self.given = argument.default is not None and argument.default != "None"
        self.quoted = f'"{argument.name}"'
        self.elements = argument.name, length_name(argument.name), self.quoted

    def unknown(self) -> GeneratorError:
        default = f" with default {self.argument.default}" if self.given else ""
        return self.op.error(f"unknown type {self.type} of argument {self.argument.name}{default}")

    def param(self, c_type: str, nullable: bool) -> Param:
        argument = self.argument
        return Param(
            argument.name,
            c_type,
            "in",
            type=str(self.type),
            enum=argument.enum and argument.enum.name,
            nullable=nullable,
            mutated=argument.mutated,
            keyword_only=argument.keyword_only,
            default=self.default,
            default_text=argument.default,
        )

    def convert(self, kind: str, *arguments: str, size: int | None = None) -> str:
        if kind not in CONVERSIONS:
            raise self.unknown()
        return f"from::{kind}{'' if size is None else f'<{size}>'}({', '.join(arguments)})"

    def listed(self, c_type: str, expression: str) -> Mapped:
        length = Param(length_name(self.argument.name), "size_t", "len", len_of=self.argument.name)
        return Mapped((self.param(c_type, True), length), expression)

    def enumeration(self, enum: Enumerated) -> Mapped:
        name, type_ = self.argument.name, str(self.type)
        said = self.quoted, f'"{enum.name}"', str(enum.last)
        if type_ == "int":
            return Mapped((self.param("int64_t", False),), self.convert("enumerated", name, *said))
        if type_ == "int?" and not self.given:
            return Mapped((self.param("const int64_t *", True),), self.convert("optional_enumerated", name, *said))
        if type_ == "int[]" and not self.given:
            return self.listed("const int64_t *", self.convert("enumerated_ints", name, length_name(name), *said))
        raise self.op.error(f"argument {name} of type {type_} is no {enum.name}")

    def tensors(self) -> Mapped:
        t, mutated = self.type, self.argument.mutated
        if t.optional or self.given or (mutated and t.optional_elements):
            raise self.unknown()
        kind = "optional_tensors" if t.optional_elements else "tensors"
        if kind == "tensors" and self.op.tensor_list_ref and not mutated:
            kind = "tensor_list_ref"
        const = "" if mutated else "const "
        return self.listed(f"{const}{TENSOR} *const *", self.convert(kind, *self.elements))

    def tensor(self) -> Mapped:
        name, optional = self.argument.name, self.type.optional
        if self.given or (self.argument.mutated and optional):
            raise self.unknown()
        if self.argument.mutated:
            return Mapped((self.param(f"{TENSOR} *", False),), mutable_name(name), mutable=True)
        kind, arguments = ("optional_tensor", (name,)) if optional else ("tensor", (name, self.quoted))
        return Mapped((self.param(f"const {TENSOR} *", optional),), self.convert(kind, *arguments))

    def list(self) -> Mapped:
        t = self.type
        if t.base not in LISTS or t.optional_elements or (t.base == "bool" and t.size is None):
            raise self.unknown()
        c_type, kind = LISTS[t.base]
        kind = ("optional_" if t.optional else "") + kind + ("_or" if self.given else "")
        if t.base == "bool":
            return self.listed(c_type, self.convert(kind, *self.elements, size=t.size))
        otherwise = [_braced(self.default)] if self.given else []
        return self.listed(c_type, self.convert(kind, *self.elements, *otherwise))

    def value(self) -> Mapped:
        t, name = self.type, self.argument.name
        value = VALUES.get(t.base)
        if value is None or t.optional_elements:
            raise self.unknown()
        given = "_or" if self.given else ""
        otherwise = [_cpp(self.op, self.argument)] if self.given else []
        if t.optional:
            c_type = value.c_type if value.by_pointer else f"const {value.c_type} *"
            kind = f"optional_{value.convert or value.pointee.removesuffix('_t')}{given}"
            if t.base == "Device" and self.op.follows_default_device:
                kind = "optional_device_or_default"
            return Mapped((self.param(c_type, True),), self.convert(kind, name, self.quoted, *otherwise))
        if value.by_pointer:
            expression = self.convert(f"{value.convert}{given}", name, self.quoted, *otherwise)
            return Mapped((self.param(value.c_type, self.given),), expression)
        expression = self.convert(value.convert, name, self.quoted) if value.convert else name
        return Mapped((self.param(value.c_type, False),), expression)


def map_result(op: Operator, result: Return, name: str) -> Param:
    t = result.type
    if t.optional or t.optional_elements:
        raise op.error(f"unknown result type {t}")
    if t.base == "Tensor":
        c_type = f"{TENSOR_LIST if t.is_list else TENSOR} **"
        return Param(name, c_type, "out", type=str(t), owned=True)
    if t.is_list or t.base not in VALUES or not VALUES[t.base].result:
        raise op.error(f"unknown result type {t}")
    return Param(name, f"{VALUES[t.base].result} *", "out", type=str(t))


def default_value(op: Located, argument: Argument) -> Any:
    """The default as JSON, as C would pass it; None for no default and for None itself."""
    text, t = argument.default, argument.type
    if text is None or text == "None":
        return None
    if t.is_list:
        try:
            values = json.loads(text if text.startswith("[") else f"[{text}]")
        except ValueError:
            values = [None]
        if t.base == "float":
            if not all(type(v) in (int, float) for v in values):
                raise op.error(f"default {text} of argument {argument.name} is not a list of numbers")
            values = [float(v) for v in values]
        elif not all(type(v) is int and v in INT64 for v in values):
            raise op.error(f"default {text} of argument {argument.name} is not a list of integers")
        return values if text.startswith("[") else values * (t.size or 1)
    if argument.constant is not None:
        return argument.constant
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise op.error(f"unknown default {text} of argument {argument.name}") from None
    kinds = {
        "int": int,
        "SymInt": int,
        "float": (int, float),
        "bool": bool,
        "Scalar": (int, float),
        "str": str,
    }.get(t.base)
    if kinds is None or not isinstance(value, kinds) or (isinstance(value, bool) and t.base != "bool"):
        raise op.error(f"default {text} of argument {argument.name} does not suit {t}")
    # Neither JSON nor C++ has a literal for what is not finite; nor can C++ write -2^63.
    if isinstance(value, (int, float)) and not math.isfinite(value):
        raise op.error(f"default {text} of argument {argument.name} is not finite")
    if isinstance(value, int) and (value not in INT64 or value == INT64[0]):
        raise op.error(f"default {text} of argument {argument.name} is no 64-bit integer")
    return float(value) if t.base == "float" else value


def cpp_default(op: Operator, argument: Argument) -> str:
    """What to pass to `at::_ops` for an argument that the C function does not have."""
    t = argument.type
    if argument.default is None:
        raise op.error(f"argument {argument.name} is new and has no default")
    if argument.default == "None":
        return "{}"
    if t.is_list:
        kind = f"{LISTS[t.base][1]}_or" if t.base in LISTS else ""
        if kind not in CONVERSIONS:
            raise op.error(f"unknown type {t} of argument {argument.name} with default {argument.default}")
        return f'from::{kind}(nullptr, 0, "{argument.name}", {_braced(default_value(op, argument))})'
    return _cpp(op, argument)


def _braced(values: list[int]) -> str:
    return "{" + ", ".join(map(str, values)) + "}"


def _cpp(op: Operator, argument: Argument) -> str:
    value, base = default_value(op, argument), argument.type.base
    if base == "str":
        return json.dumps(value)
    if base == "bool":
        return "true" if value else "false"
    if base == "ScalarType":
        return f"static_cast<at::ScalarType>({value})"
    if base == "MemoryFormat":
        return f"static_cast<at::MemoryFormat>({value})"
    if base == "float":
        return repr(float(value))
    return repr(value)
