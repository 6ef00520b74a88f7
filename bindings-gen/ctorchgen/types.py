"""THE type table: schema type -> C declaration, C++ expression, api.json type.

A row says how one schema type crosses the ABI. The C++ side of each row is a conversion in `shim/core/from.hpp`
(arguments) or `to.hpp` (results); its name is all that stands here.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from typing import Any

from .api import Param
from .names import length_name
from .schema import Argument, Operator, Return, Type

DTYPES = {"long": 4}
MEMORY_FORMATS = {"contiguous_format": 0}
REDUCTIONS = {"Mean": 1}


@dataclass(frozen=True)
class Value:
    """A type that crosses by value, and behind a pointer where it may be absent."""

    c_type: str  # as a required parameter
    convert: str  # from::<convert>(x, "x"); from::optional_<convert> for the `?` form; "" passes through
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
    "ScalarType": Value("ctorch_dtype", "dtype", "ctorch_dtype"),
    "Layout": Value("ctorch_layout", "layout"),
    "MemoryFormat": Value("ctorch_memory_format", "memory_format"),
    "DeviceIndex": Value("int32_t", "device_index"),
    "QScheme": Value("int32_t", "", "int32_t"),
    "Device": Value("const ctorch_device *", "device", by_pointer=True),
    "Scalar": Value("const ctorch_scalar *", "scalar", "ctorch_scalar", by_pointer=True),
    "Stream": Value("const ctorch_stream *", "stream", by_pointer=True),
    "str": Value("const char *", "string", by_pointer=True),
    "Generator": Value("ctorch_generator *", "generator", by_pointer=True),
    "Storage": Value("ctorch_storage *", "storage", by_pointer=True),
}

# Lists travel as pointer and length. Key: element type; value: (C type of the pointer, conversion).
LISTS: dict[str, tuple[str, str]] = {
    "int": ("const int64_t *", "ints"),
    "SymInt": ("const int64_t *", "symints"),
    "float": ("const double *", "doubles"),
    "bool": ("const bool *", "bools"),
    "Scalar": ("const ctorch_scalar *", "scalars"),
}


@dataclass(frozen=True)
class Mapped:
    """How one argument crosses: its C parameters and the C++ expression that makes LibTorch's argument of them."""

    params: tuple[Param, ...]
    expression: str
    mutable: bool = False  # travels as an owning at::Tensor, written back after the call


def map_argument(op: Operator, argument: Argument) -> Mapped:
    t, name = argument.type, argument.name
    default = _default(op, argument)

    def param(c_type: str, nullable: bool) -> Param:
        return Param(
            name,
            c_type,
            "in",
            type=str(t),
            nullable=nullable,
            mutated=argument.mutated,
            default=default,
            default_text=argument.default,
        )

    def listed(c_type: str, expression: str) -> Mapped:
        length = Param(length_name(name), "size_t", "len", len_of=name)
        return Mapped((param(c_type, True), length), expression)

    const = "" if argument.mutated else "const "
    # Only a default other than None changes what NULL converts to.
    given = argument.default is not None and argument.default != "None"

    if t.base == "Tensor" and t.is_list:
        kind = "optional_tensors" if t.optional_elements else "tensors"
        if t.optional or given:
            raise op.error(f"unknown type {t} of argument {name}")
        if not t.optional_elements and op.tensor_list_ref and not argument.mutated:
            kind = "tensor_list_ref"
        return listed(f"{const}ctorch_tensor *const *", f'from::{kind}({name}, {name}_len, "{name}")')
    if t.base == "Tensor":
        if argument.mutated:
            if t.optional:
                raise op.error(f"unknown type {t} of mutated argument {name}")
            return Mapped((param("ctorch_tensor *", False),), f"{name}_", mutable=True)
        if t.optional:
            return Mapped((param("const ctorch_tensor *", True),), f"from::optional_tensor({name})")
        return Mapped((param("const ctorch_tensor *", False),), f'from::tensor({name}, "{name}")')

    if argument.mutated:
        raise op.error(f"mutated argument {name} of type {t}")
    if t.is_list:
        if t.base not in LISTS or t.optional_elements:
            raise op.error(f"unknown type {t} of argument {name}")
        c_type, convert = LISTS[t.base]
        if t.base == "bool":
            if t.size is None or t.optional or given:
                raise op.error(f"unknown type {t} of argument {name}")
            return listed(c_type, f'from::bools<{t.size}>({name}, {name}_len, "{name}")')
        arguments = f'{name}, {name}_len, "{name}"'
        if t.optional:
            if given:
                raise op.error(f"argument {name} of type {t} has a default other than None")
            return listed(c_type, f"from::optional_{convert}({arguments})")
        if given:
            if convert not in ("ints", "symints"):
                raise op.error(f"argument {name} of type {t} has a default")
            values = ", ".join(str(v) for v in default)
            return listed(c_type, f"from::{convert}_or({arguments}, {{{values}}})")
        return listed(c_type, f"from::{convert}({arguments})")

    value = VALUES.get(t.base)
    if value is None or t.optional_elements:
        raise op.error(f"unknown type {t} of argument {name}")
    if t.optional:
        c_type = value.c_type if value.by_pointer else f"const {value.c_type} *"
        convert = value.convert or value.pointee.removesuffix("_t")
        if given:
            return Mapped(
                (param(c_type, True),), f'from::optional_{convert}_or({name}, "{name}", {_cpp(op, argument)})'
            )
        return Mapped((param(c_type, True),), f'from::optional_{convert}({name}, "{name}")')
    if value.by_pointer:
        suffix, extra = ("_or", f", {_cpp(op, argument)}") if given else ("", "")
        return Mapped((param(value.c_type, given),), f'from::{value.convert}{suffix}({name}, "{name}"{extra})')
    expression = f'from::{value.convert}({name}, "{name}")' if value.convert else name
    return Mapped((param(value.c_type, False),), expression)


def map_result(op: Operator, result: Return, name: str) -> Param:
    t = result.type
    if t.optional or t.optional_elements:
        raise op.error(f"unknown result type {t}")
    if t.base == "Tensor":
        c_type = "ctorch_tensor_list **" if t.is_list else "ctorch_tensor **"
        return Param(name, c_type, "out", type=str(t), owned=True)
    if t.is_list or t.base not in VALUES or not VALUES[t.base].result:
        raise op.error(f"unknown result type {t}")
    return Param(name, f"{VALUES[t.base].result} *", "out", type=str(t))


def _default(op: Operator, argument: Argument) -> Any:
    """The default as JSON, as C would pass it; None for no default and for None itself."""
    text, t = argument.default, argument.type
    if text is None or text == "None":
        return None
    if t.is_list:
        if text.startswith("["):
            values = json.loads(text)
        else:
            values = [int(text)] * (t.size or 1)
        if not all(type(v) is int for v in values):
            raise op.error(f"default {text} of argument {argument.name} is not a list of integers")
        return values
    names = {"ScalarType": DTYPES, "MemoryFormat": MEMORY_FORMATS, "int": REDUCTIONS}.get(t.base, {})
    if text in names:
        return names[text]
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
    return float(value) if t.base == "float" else value


def cpp_default(op: Operator, argument: Argument) -> str:
    """What to pass to `at::_ops` for an argument that the C function does not have."""
    t = argument.type
    if argument.default is None:
        raise op.error(f"argument {argument.name} is new and has no default")
    if argument.default == "None":
        return "{}"
    if t.is_list:
        values = ", ".join(str(v) for v in _default(op, argument))
        kind = LISTS[t.base][1]
        return f'from::{kind}_or(nullptr, 0, "{argument.name}", {{{values}}})'
    return _cpp(op, argument)


def _cpp(op: Operator, argument: Argument) -> str:
    value, base = _default(op, argument), argument.type.base
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
