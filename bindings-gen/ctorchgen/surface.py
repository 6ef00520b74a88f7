"""How a function looks from another language: what its user gives, and what comes back.

The C declaration spreads one argument over several parameters (a list and its length, a callback with its payload) and
puts the results first. `Surface.of(function)` undoes that, so that every emitter of a binding decides the same way. The
kinds below are all there are; a declaration that fits none is an error, and the test runs it over the whole ABI.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from .api import Api, Callback, Function, Param
from .names import short
from .schema import GeneratorError
from .vocabulary import ERROR

NUMBERS = frozenset("bool double size_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t".split())


@dataclass(frozen=True)
class Argument:
    """What a user gives.

    kind      C                                             `type`
    value     int64_t x, ctorch_dtype x                     the number or enum
    pointer   const int64_t *x, const ctorch_scalar *x      the number, enum or struct; NULL is allowed if `optional`
    list      const int64_t *x, size_t x_len                the number, enum or struct
    string    const char *x                                 char
    strings   const char *const *x, size_t x_len            char
    handle    [const] ctorch_tensor *x                      the opaque type
    handles   [const] ctorch_tensor *const *x, size_t x_len the opaque type
    bytes     const void *x, size_t x_len                   void, char; memory that is read during the call
    address   [const] void *x, struct DLManagedTensor *x    void or the foreign struct: a pointer as it is
    callback  ctorch_tensors_callback x                     the callback type
    destroy   void (*destroy)(void *payload)                void
    payload   void *payload                                 void
    """

    name: str
    kind: str
    type: str
    optional: bool  # may be left out: NULL, or the default
    param: Param
    length: Param | None = None

    @property
    def has_default(self) -> bool:
        """Whether a user who gives nothing gets what the schema says. `optional` ones without a default mean None."""
        return self.param.default_text is not None

    @property
    def keyword_only(self) -> bool:
        return self.param.keyword_only


@dataclass(frozen=True)
class Result:
    """What comes back through a parameter.

    kind      C                                       `type`
    value     int64_t *out, ctorch_dtype *out         the number or enum
    struct    ctorch_device *out                      the struct, which the caller provides
    handle    ctorch_tensor **out                     the opaque type; to be released if `owned`
    string    const char **out                        char; borrowed; its length, if C writes one, is a value of its own
    list      const int64_t **out, size_t *out_len    the number; borrowed
    buffer    void *out, size_t out_len               void or the number: memory that the caller provides
    handles   ctorch_value **out, size_t out_len      the opaque type; callbacks only: entries that they fill
    address   void **out                              void or the foreign struct: a pointer as it is
    """

    name: str
    kind: str
    type: str
    owned: bool
    optional: bool  # NULL may be given in its place
    param: Param
    length: Param | None = None


@dataclass(frozen=True)
class Surface:
    """A function as its user sees it.

    returned  C type of `function.returns`
    error     ctorch_error *   the call fails with an exception
    nothing   void
    value     a number or enum
    string    const char *     borrowed
    list      const int64_t *  borrowed; `function.returns_len` counts it
    handle    ctorch_x *       borrowed
    handles   ctorch_x *const *borrowed; `function.returns_len` counts it
    address   void *, const struct X *
    """

    function: Function | Callback
    arguments: tuple[Argument, ...]  # in the order of the C parameters
    results: tuple[Result, ...]
    returned: str
    returned_type: str = "void"
    name: str = field(default="")  # operators: `add` of `aten::add.out`; others: without the prefix `ctorch_`
    overload: str = field(default="")  # operators: `out` of `aten::add.out`
    path: tuple[str, ...] = ()  # of schema files: ("nn", "Conv2d", "padding") of `nn.Conv2d.padding`

    @property
    def returned_arguments(self) -> tuple[Argument, ...]:
        """What an operator changes and returns: its user gets these very objects. It has no results then."""
        by_name = {a.name: a for a in self.arguments}
        return tuple(by_name[name] for name in getattr(self.function, "returned_arguments", ()))

    @property
    def member(self) -> str:
        """What all its overloads are called: the `Conv2d` of `nn.Conv2d.padding`, the `add` of `aten::add.out`."""
        return self.path[1] if self.path else self.name

    @property
    def variant(self) -> str:
        """The name of its overload, where `overload` may be empty: `default`, `out`, `padding`."""
        return (self.path[2] if len(self.path) > 2 else "") or self.overload or "default"

    @property
    def fallible(self) -> bool:
        return self.returned == "error"

    @staticmethod
    def of(function: Function | Callback, api: Api) -> Surface:
        known = api.memo.get(id(function))  # it holds the function, so nothing else gets its id
        if known is None:
            known = api.memo[id(function)] = Surface._made(function, api)
        return known

    @staticmethod
    def _made(function: Function | Callback, api: Api) -> Surface:
        types = api.memo.get(_Types)
        if types is None:
            types = api.memo[_Types] = _Types(api)
        arguments: list[Argument] = []
        results: list[Result] = []
        lengths = {p.len_of: p for p in function.params if p.role == "len"}
        written = {p.len_of: p for p in function.params if p.role == "out" and p.len_of is not None}
        counts: set[str] = set()  # `out_len` of a borrowed list `out`
        for param in function.params:
            length = lengths.get(param.name)
            try:
                if param.role == "out" and param.name not in counts:
                    kind, type_ = types.result(param, length, written.get(param.name))
                    if kind == "list":
                        length = written[param.name]
                        counts.add(length.name)
                    results.append(Result(param.name, kind, type_, param.owned, param.nullable, param, length))
                elif param.role in ("in", "callback", "payload"):
                    kind, type_ = types.argument(param, length)
                    optional = param.nullable or param.default_text is not None
                    arguments.append(Argument(param.name, kind, type_, optional, param, length))
            except KeyError:
                raise GeneratorError(f"{function.name}: no kind for parameter {param.declaration}") from None
        try:
            returned, returned_type = types.returned(function.returns)
        except KeyError:
            raise GeneratorError(f"{function.name}: no kind for the result {function.returns}") from None
        name, overload = _names(function)
        path = _path(function)
        return Surface(function, tuple(arguments), tuple(results), returned, returned_type, name, overload, path)


def _names(function: Function | Callback) -> tuple[str, str]:
    if isinstance(function, Function) and function.is_operator and function.schema is not None:
        name, _, overload = function.schema.partition("(")[0].removeprefix("aten::").partition(".")
        return name, overload
    return short(function.name), ""


def _path(function: Function | Callback) -> tuple[str, ...]:
    if isinstance(function, Function) and function.schema and not function.is_operator:
        return tuple(function.schema.partition("(")[0].split("."))
    return ()


class _Types:
    """The C types of an API, by what they are. A look-up that finds nothing is a KeyError."""

    def __init__(self, api: Api) -> None:
        self.plain = NUMBERS | {e.name for e in api.enums}
        self.structs = {s.name for s in api.structs}
        self.opaque = {o.name for o in api.opaque if not o.name.startswith("struct ")}
        self.foreign = {o.name for o in api.opaque if o.name.startswith("struct ")} | {"void"}
        self.callbacks = {c.name for c in api.callbacks}

    def argument(self, param: Param, length: Param | None) -> tuple[str, str]:
        if param.role == "payload":
            return "payload", "void"
        if param.role == "callback":
            return ("callback", param.c_type) if param.c_type in self.callbacks else ("destroy", "void")
        base, stars = _pointee(param.c_type)
        if stars == 0 and base in self.plain:
            return "value", base
        if stars == 1 and base in self.plain | self.structs:
            return ("pointer" if length is None else "list"), base
        if base == "char" and (stars, length is None) in ((1, True), (2, False)):
            return ("string" if stars == 1 else "strings"), base
        if base == "char" and stars == 1:
            return "bytes", base
        if base in self.opaque and (stars, length is None) in ((1, True), (2, False)):
            return ("handle" if stars == 1 else "handles"), base
        if base in self.foreign and stars == 1:
            return ("address" if length is None else "bytes"), base
        raise KeyError(param.c_type)

    def result(self, param: Param, length: Param | None, written: Param | None) -> tuple[str, str]:
        base, stars = _pointee(param.c_type)
        if stars == 1 and base == "void":
            return ("buffer" if length is not None else "address"), base
        if stars == 1 and length is not None and base in self.plain:
            return "buffer", base
        if stars == 1 and base in self.plain | self.structs:
            return ("value" if base in self.plain else "struct"), base
        if stars == 2 and base in self.plain and written is not None:
            return "list", base
        if stars == 2 and base == "char":
            return "string", base
        if stars == 2 and base in self.opaque:
            return ("handle" if length is None else "handles"), base
        if stars == 2 and base in self.foreign:
            return "address", base
        raise KeyError(param.c_type)

    def returned(self, c_type: str) -> tuple[str, str]:
        base, stars = _pointee(c_type)
        if (base, stars) == (ERROR, 1):
            return "error", base
        if stars == 0:
            return ("nothing" if base == "void" else "value"), {b: b for b in self.plain | {"void"}}[base]
        if base == "char":
            return "string", base
        if base in self.opaque:
            return {1: "handle", 2: "handles"}[stars], base
        if base in self.plain and stars == 1:
            return "list", base
        return "address", {b: b for b in self.foreign}[base]


@cache
def _pointee(c_type: str) -> tuple[str, int]:
    """`const ctorch_tensor *const *` -> (`ctorch_tensor`, 2)."""
    stars = c_type.count("*")
    return re.sub(r"\bconst\b|\*", " ", c_type).strip(), stars
