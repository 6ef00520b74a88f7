"""Fortran 2018: the module `ctorch`, with an interface for every function.

What is `const int64_t *dim` in C and may be NULL is an `optional` argument here: leaving it out passes NULL. Names
longer than Fortran's 63 characters lose `ctorch_aten_` and what a name cannot begin with.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api, Callback, Function, Param
from ...names import operator_part
from ..documentation import summary

MAX_NAME = 63
NUMBERS = {
    "bool": "logical(c_bool)",
    "double": "real(c_double)",
    "size_t": "integer(c_size_t)",
    "int32_t": "integer(c_int32_t)",
    "int64_t": "integer(c_int64_t)",
    "uint8_t": "integer(c_int8_t)",
    "uint16_t": "integer(c_int16_t)",
    "uint32_t": "integer(c_int32_t)",
    "uint64_t": "integer(c_int64_t)",
    "char": "character(kind=c_char)",
}


class Fortran:
    def emit(self, api: Api) -> dict[str, str]:
        return {"bindings/fortran/ctorch.f90": "".join(f"{line}\n" for line in _Module(api).lines())}


def name_of(function: Function) -> str:
    if len(function.name) <= MAX_NAME:
        return function.name
    return operator_part(function.name).lstrip("_")


class _Module:
    def __init__(self, api: Api) -> None:
        self.api = api
        self.plain = dict(NUMBERS)
        self.plain.update({e.name: "integer(c_int32_t)" for e in api.enums})
        self.plain.update({s.name: f"type({s.name})" for s in api.structs})

    def lines(self) -> Iterator[str]:
        yield f"! ctorch {self.api.version}: generated interfaces of the C functions; ctorch.h says what they do."
        yield "module ctorch"
        yield "  use, intrinsic :: iso_c_binding"
        yield "  implicit none"
        yield "  public"
        for enum in self.api.enums:
            yield ""
            for name, number in enum.values:
                yield f"  integer(c_int32_t), parameter :: {name} = {number}"
        for struct in self.api.structs:
            yield ""
            yield f"  type, bind(c) :: {struct.name}"
            for name, c_type in struct.fields:
                yield f"    {self.plain[c_type]} :: {name} = 0"
            yield f"  end type {struct.name}"
        yield ""
        yield "  interface"
        for function in self.api.functions:
            yield from (f"    {line}" for line in self._interface(function))
        yield "  end interface"
        yield "end module ctorch"

    def _interface(self, function: Function) -> Iterator[str]:
        yield from _comment(summary(function))
        kind = "subroutine" if function.returns == "void" else "function"
        name, arguments = name_of(function), _argument_names(function)
        yield f"{kind} {name}( &"
        for i, argument in enumerate(arguments):
            yield f"    {argument}{', &' if i + 1 < len(arguments) else ' &'}"
        result = " result(result_)" if kind == "function" else ""
        yield f'    ) bind(c, name="{function.name}"){result}'
        yield "  import"
        lengths = {p.len_of for p in function.params if p.role == "len"}
        for param, argument in zip(function.params, arguments):
            yield f"  {self._declaration(param, param.name in lengths)} :: {argument}{self._shape(param, lengths)}"
        if kind == "function":
            returns = "type(c_ptr)" if "*" in function.returns else self.plain[function.returns]
            yield f"  {returns} :: result_"
        yield f"end {kind} {name}"

    def _declaration(self, param: Param, counted: bool) -> str:
        base, stars = _pointee(param.c_type)
        if "(*" in param.c_type or param.role == "callback":
            return "type(c_funptr), value"
        if stars == 0:
            return f"{self.plain[base]}, value"
        optional = ", optional" if param.nullable else ""
        if param.role == "out":
            type_ = "type(c_ptr)" if stars == 2 or base not in self.plain else self.plain[base]
            if stars == 1 and base not in self.plain:
                return "type(c_ptr), value"  # memory of the caller's
            return f"{type_}, intent({'inout' if counted else 'out'}){optional}"
        if stars == 2:
            return f"type(c_ptr), intent(in){optional}"
        if base not in self.plain:
            return "type(c_ptr), value"  # a handle; c_null_ptr for NULL
        return f"{self.plain[base]}, intent(in){optional}"

    def _shape(self, param: Param, lengths: set[str | None]) -> str:
        base, stars = _pointee(param.c_type)
        if "(*" in param.c_type or param.role == "callback" or stars == 0:
            return ""
        text = base == "char" and stars == 1
        plain = base in self.plain or stars == 2
        return "(*)" if plain and (param.name in lengths or (text and param.role != "out")) else ""


def _argument_names(function: Function | Callback) -> list[str]:
    """Fortran does not tell upper from lower case, and a name begins with a letter."""
    names: list[str] = []
    for param in function.params:
        name = param.name.lstrip("_") or "x"
        while name.lower() in (n.lower() for n in names) or name.lower() == "result_":
            name += "_"
        names.append(name)
    return names


def _pointee(c_type: str) -> tuple[str, int]:
    stars = c_type.count("*")
    return " ".join(w for w in c_type.replace("*", " ").split() if w != "const"), stars


def _comment(text: str, width: int = 118) -> Iterator[str]:
    line = "!"
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            yield line
            line = "!"
        line += " " + word
    yield line
