"""Go: what is generated of the module `ctorch`.

cgo needs minutes for thousands of C functions. So it sees one: `ctorch_go_call(number, words)`. A call is a frame of
64-bit words without Go pointers: word 0 is the C result, the others are the parameters in their order; what a parameter
points at lies behind them, and its word is the place of that in the frame. `calls.c` has a line for each function that
makes C's arguments of the words, checked by the C compiler against ctorch.h.

`aten/aten.go` has a function for every operator, `runtime.go` methods and functions for the hand-written C functions,
`enums.go` the enumerations, `callbacks.c` a C function for each callback. What takes callbacks, buffers or modes of a
thread is written by hand (bindings-gen/languages/go) and named in BY_HAND.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ... import vocabulary
from ...api import Api, Function
from ...names import constant, python_namespace, short
from ...schema import GeneratorError
from ...surface import Argument, Result, Surface
from ...vocabulary import (
    BUILT_IN,
    CALLBACK_STATUS,
    ERROR,
    MEMORY_PRESSURE,
    SCALAR,
    SCOPE,
    STRING,
    TENSOR_LIST,
    functions_of,
    named,
)
from ..documentation import schema_of, summary
from .callbacks import Callbacks

KEYWORDS = frozenset(
    """break case chan const continue default defer else fallthrough for func go goto if import interface map package
    range return select struct switch type var""".split()
)
RESERVED = KEYWORDS | frozenset(
    "f options ctorch runtime err string bool float64 int64 int32 len nil true false".split()
)
NUMBERS = {
    "bool": "bool",
    "double": "float64",
    "size_t": "int",
    "int32_t": "int32",
    "int64_t": "int64",
    "uint8_t": "uint8",
    "uint16_t": "uint16",
    "uint32_t": "uint32",
    "uint64_t": "uint64",
}
LISTS = {"int64_t": "Ints", "double": "Floats", "bool": "Bools", SCALAR: "Scalars", "char": "Strings"}
BY_HAND = frozenset(
    named(
        """
        tensor_sizes tensor_strides tensor_from_data tensor_copy_to_buffer tensor_data tensor_const_data
        tensor_list_data tensor_list_mutable_data string_data string_len value_to_string value_from_strings
        op_call_named scope_begin scope_keep warnings_pop random_join random_fork memory_pressure_clear_callback
        profiler_result_event_input_shape node_input_metadata dataset_get dataset_attribute iterator_next
        loader_worker_info loader_statistics transform_call trainer_evaluate trainer_history
        """
    )
)


class Go:
    functions = BY_HAND

    def emit(self, api: Api) -> dict[str, str]:
        package, callbacks = _Package(api), Callbacks(api)
        return {
            "bindings/go/calls.c": package.calls(),
            "bindings/go/callbacks.c": callbacks.source(),
            "bindings/go/callbacks.h": callbacks.header(),
            "bindings/go/functions.go": package.numbers(),
            "bindings/go/enums.go": package.enumerations(),
            "bindings/go/runtime.go": package.runtime(),
            "bindings/go/aten/aten.go": package.operators(),
            **{f"bindings/go/{_package_name(n)}/{_package_name(n)}.go": package.namespace(n) for n in api.namespaces},
        }


def operator_name(function: Function) -> str:
    """`add.Tensor` gives AddTensor, `add_.Tensor` Add_Tensor, `_add` PrivateAdd, `__and__.Scalar` DunderAndScalar."""
    schema = function.schema.partition("(")[0].removeprefix("aten::").removeprefix(f"{function.kind}.")
    name, _, overload = schema.partition(".")
    prefix = ""
    if name.startswith("__"):
        prefix, name = "Dunder", name[2:]
        name = re.sub(r"__$", "", name)
    elif name.startswith("_"):
        prefix, name = "Private", name[1:]
    in_place = "_" if name.endswith("_") else ""
    return prefix + _camel(name) + in_place + _camel(overload) + ("_" if overload.endswith("_") else "")


def _package_name(namespace: str) -> str:
    """`init` is a word of Go's, and names of packages have no underscores."""
    return "nninit" if namespace == "init" else namespace.replace("_", "")


def _camel(name: str) -> str:
    return "".join(w[:1].upper() + w[1:] for w in name.split("_"))


def _type_name(c_name: str) -> str:
    return _camel(short(c_name))


STRUCTS = {name: _type_name(name) for name in vocabulary.STRUCTS}


def _argument_name(name: str) -> str:
    first, *rest = name.strip("_").split("_")
    text = first[:1].lower() + first[1:] + "".join(w[:1].upper() + w[1:] for w in rest)
    return text + "_" if text in RESERVED else text


class _Package:
    def __init__(self, api: Api) -> None:
        self.api = api
        self.enums = {e.name for e in api.enums}
        self.words_of = {s.name: -(-s.size // 8) for s in api.structs}  # in a frame
        self.opaque = {o.name: _type_name(o.name) for o in api.opaque if not o.name.startswith("struct ")}
        self.number_of = {f.name: i for i, f in enumerate(api.functions)}

    # calls.c

    def calls(self) -> str:
        lines = [
            "/* Generated: each C function behind a frame of words (see frame.go). */",
            '#pragma GCC optimize("O0") /* moving words gains nothing from more, and compiles three times as long */',
            "#include <ctorch.h>",
            "",
            "typedef union word {",
            "  uint64_t u;",
            "  int64_t i;",
            "  double d;",
            "  void *p;",
            "} word;",
            "",
            "/* What lies in the frame, at the place that a word tells; NULL for 0. */",
            "static inline void *at(word *w, word place) { return place.u == 0 ? NULL : (void *)(w + place.u); }",
            "",
            "/* The same of a list of places, which a 0 ends: a list of addresses. */",
            "static inline const char *const *texts(word *w, word place) {",
            "  word *list = at(w, place);",
            "  for (word *text = list; text != NULL && text->u != 0; text++) {",
            "    text->p = at(w, *text);",
            "  }",
            "  return (const char *const *)list;",
            "}",
            "",
        ]
        lines += [line for f in self.api.functions for line in self._caller(f)]
        lines += ["static void (*const calls[])(word *) = {"]
        lines += [f"    call_{i}," for i in range(len(self.api.functions))]
        lines += ["};", "", "void ctorch_go_call(int function, uint64_t *words) { calls[function]((word *)words); }"]
        return "\n".join(lines) + "\n"

    def places(self, function: Function) -> dict[str, int]:
        """The word of each parameter. A struct that is a result takes as many as it needs."""
        places, place = {}, 1
        for p in function.params:
            places[p.name] = place
            base = p.c_type.replace("const", "").replace("*", "").strip()
            place += self.words_of[base] if p.role == "out" and base in self.words_of else 1
        places[""] = place
        return places

    def _caller(self, function: Function) -> Iterator[str]:
        places = self.places(function)
        memory = {r.name for r in Surface.of(function, self.api).results if r.kind == "buffer"}
        arguments = ", ".join(self._c_argument(p, places[p.name], p.name in memory) for p in function.params)
        call = f"{function.name}({arguments})"
        if function.returns == "void":
            body = f"{call};"
        elif function.returns == "double":
            body = f"w[0].d = {call};"
        elif function.returns.endswith("*"):
            body = f"w[0].p = (void *){call};"
        else:
            body = f"w[0].i = (int64_t){call};"
        yield f"static void call_{self.number_of[function.name]}(word *w) {{ {body} }}"

    def _c_argument(self, p, place: int, memory: bool) -> str:
        base = p.c_type.replace("const", "").replace("*", "").strip()
        stars = p.c_type.count("*")
        if memory:  # as long as the caller says: it lies behind the words, where Frame.Room has put it
            return f"at(w, w[{place}])"
        if p.role == "out":
            if stars == 1 and base == "void":  # a foreign struct of the caller's, by its address
                return f"w[{place}].p"
            if stars == 1 and base not in NUMBERS and base not in self.enums and base not in STRUCTS:
                raise GeneratorError(f"Go: {p.name} of type {p.c_type} needs more room than its word in the frame")
            return f"(void *)&w[{place}]"
        if p.role in ("callback", "payload") or "(*)" in p.c_type:
            return f"({p.c_type})w[{place}].p"
        if stars == 0:
            return f"w[{place}].d" if base == "double" else f"({p.c_type})w[{place}].{'i' if 'u' not in base else 'u'}"
        if stars == 1 and (base in self.opaque or base.startswith("struct ") or base == "void"):
            return f"w[{place}].p"
        return f"{'texts' if stars == 2 and base == 'char' else 'at'}(w, w[{place}])"

    # functions.go, enums.go

    def numbers(self) -> str:
        lines = ["// Code generated by bindings-gen. DO NOT EDIT.", "", "package ctorch", ""]
        lines += ["// functions has the name of each C function; its index is what NewFrame takes."]
        lines += ["var functions = [...]string{"]
        lines += [f'\t"{f.name}",' for f in self.api.functions]
        return "\n".join([*lines, "}"]) + "\n"

    def enumerations(self) -> str:
        lines = ["// Code generated by bindings-gen. DO NOT EDIT.", "", "package ctorch", "", 'import "strconv"']
        for enum in self.api.enums:
            name = _type_name(enum.name)
            if enum.name == CALLBACK_STATUS:
                continue
            lines += ["", *_comment(f"{name}: {enum.doc}"), f"type {name} int32", "", "const ("]
            constants = [(_camel(constant(c).lower()), n) for c, n in enum.values]
            width = max(len(c) for c, _ in constants)
            lines += [f"\t{c:<{width}} {name} = {n}" for c, n in constants] + [")", ""]
            lines += ["// String is the name of the constant.", f"func (x {name}) String() string {{", "\tswitch x {"]
            seen: set[int] = set()
            for c, n in constants:
                if n not in seen:
                    lines += [f"\tcase {c}:", f'\t\treturn "{c}"']
                seen.add(n)
            lines += ["\t}", f'\treturn "{name}(" + strconv.Itoa(int(x)) + ")"', "}"]
        return "\n".join(lines) + "\n"

    # aten.go

    def operators(self) -> str:
        doc = [
            "// Package aten has a function for every operator of PyTorch.",
            "//",
            "// aten::add.Tensor is AddTensor, the in-place aten::add_.Tensor Add_Tensor, aten::_softmax",
            "// PrivateSoftmax and aten::__and__.Scalar DunderAndScalar. What a schema lets you leave out is in",
            "// an options struct, which may be left out itself; a nil field is the schema's default.",
        ]
        return self._described("aten", "aten", doc)

    def namespace(self, name: str) -> str:
        """What a schema file offers, which is like operators."""
        package = _package_name(name)
        doc = [
            f"// Package {package} has what Python has as {python_namespace(name)}.",
            "//",
            "// An overload has its name behind: nn.Conv2d.padding is Conv2dPadding. What a schema lets you leave out",
            "// is in an options struct, which may be left out itself; a nil field is the schema's default.",
        ]
        return self._described(name, package, doc)

    def _described(self, kind: str, package: str, doc: list[str]) -> str:
        body: list[str] = []
        seen: dict[str, str] = {}
        for function in self.api.functions:
            if function.kind == kind:
                name = operator_name(function)
                if name in seen:
                    raise GeneratorError(f"Go: {function.name} and {seen[name]} are both {name}")
                seen[name] = function.name
                body += ["", *self._function(name, "", "", Surface.of(function, self.api), "ctorch.")]
        head = ["// Code generated by bindings-gen. DO NOT EDIT.", "", *doc, f"package {package}", ""]
        return "\n".join([*head, 'import "ctorch"', *body]) + "\n"

    # runtime.go

    def runtime(self) -> str:
        lines = ["// Code generated by bindings-gen. DO NOT EDIT.", "", "package ctorch", "", 'import "runtime"']
        for opaque in self.api.opaque:
            if opaque.name in self.opaque and opaque.name not in BUILT_IN:
                lines += ["", *self._handle(opaque)]
        for function in self.api.functions:
            if not function.is_described and self.generated(function):
                owner, name, method = self._place(function)
                surface = Surface.of(function, self.api)
                lines += ["", *self._function(name, owner, method, surface, "")]
        return "\n".join(lines) + "\n"

    def generated(self, function: Function) -> bool:
        if function.name in BY_HAND or re.search(r"_(push|pop|release|retain)$", function.name):
            return False
        surface = Surface.of(function, self.api)
        if {a.kind for a in surface.arguments} & {"callback", "destroy", "payload", "address", "bytes"}:
            return False
        if any(r.kind in ("buffer", "address", "handles", "list") for r in surface.results):
            return False
        if surface.returned in ("handles", "address", "list", "handle"):
            return False
        return not functions_of((ERROR, SCOPE, TENSOR_LIST), function.name)

    def _handle(self, opaque) -> Iterator[str]:
        name = self.opaque[opaque.name]
        yield from _comment(
            f"{name}: {opaque.doc} Close gives it back; what is not closed, the garbage collector closes."
        )
        yield f"type {name} struct{{ handle }}"
        yield ""
        yield f"// {name}FromHandle takes over a reference to a C handle; nil for 0."
        yield f"func {name}FromHandle(c uintptr) *{name} {{"
        yield "\tif c == 0 {"
        yield "\t\treturn nil"
        yield "\t}"
        yield f"\tx := &{name}{{handle{{c: c, release: {self.number_of[opaque.release]}}}}}"
        yield f"\truntime.SetFinalizer(x, (*{name}).Close)"
        yield "\treturn x"
        yield "}"
        yield ""
        yield "// Close gives the reference back, when no call uses it any more. A second time it does nothing; any"
        yield "// other use afterwards is an error."
        yield f"func (x *{name}) Close() {{"
        yield "\tif x != nil && x.close() {"
        yield "\t\truntime.SetFinalizer(x, nil)"
        yield "\t}"
        yield "}"
        yield ""
        yield "// Handle is the C handle, which stays x's; 0 for nil and for what is closed."
        yield f"func (x *{name}) Handle() uintptr {{"
        yield "\tif x == nil {"
        yield "\t\treturn 0"
        yield "\t}"
        yield "\tif x.isClosed() {"
        yield "\t\treturn 0"
        yield "\t}"
        yield "\treturn x.c"
        yield "}"
        if opaque.retain and name != "AutogradContext":
            yield ""
            yield "// Retain is another reference to the same object, to be closed on its own."
            yield f"func (x *{name}) Retain() *{name} {{"
            yield "\tif x == nil {"
            yield "\t\treturn nil"
            yield "\t}"
            yield f"\treturn {name}FromHandle(x.retained({self.number_of[opaque.retain]}))"
            yield "}"
        yield ""
        yield f"func (x *{name}) isClosed() bool {{ return x != nil && x.handle.isClosed() }}"
        yield ""
        yield f"func (x *{name}) reference() *handle {{"
        yield "\tif x == nil {"
        yield "\t\treturn nil"
        yield "\t}"
        yield "\treturn &x.handle"
        yield "}"

    def _place(self, function: Function) -> tuple[str, str, str]:
        """(receiver type, name, C type of the receiver)"""
        surface = Surface.of(function, self.api)
        first = surface.arguments[0] if surface.arguments else None
        if first is not None and first.name == "self":
            method = short(function.name).removeprefix(short(first.type) + "_")
            owner = self.opaque.get(first.type) or STRUCTS[first.type]
            name = _camel(method)
            in_place = "_" if method.endswith("_") else ""
            return owner, name + in_place, first.type
        for c_name in sorted((*self.opaque, *self.enums), key=len, reverse=True):
            if function.name.startswith(c_name + "_") and c_name != MEMORY_PRESSURE:
                if first is not None and first.type == c_name and c_name in self.enums:
                    return _type_name(c_name), _camel(function.name.removeprefix(c_name + "_")), c_name
                if c_name in self.opaque:
                    rest = function.name.removeprefix(c_name + "_")
                    name = self.opaque[c_name]
                    return "", ("New" + name) if rest == "new" else name + _camel(rest), ""
        return "", _camel(short(function.name)), ""

    # One function

    def _function(self, name: str, owner: str, receiver: str, surface: Surface, package: str) -> Iterator[str]:
        function = surface.function
        operator = function.is_described
        places = self.places(function)
        required = [a for a in surface.arguments if not self._optional(a, operator)]
        optional = [a for a in surface.arguments if self._optional(a, operator)]
        own = surface.arguments[0] if receiver else None
        names = {a.name: _argument_name(a.name) for a in surface.arguments}
        if own:
            names[own.name] = "x"
        given = [f"{names[a.name]} {self._given(a, package)}" for a in required if a is not own]
        results = [self._type_of(r, package) for r in surface.results]
        if optional:
            yield from _comment(f"{name}Options: what {name} does not need to be told.")
            yield f"type {name}Options struct {{"
            width = max(len(_camel(a.name)) for a in optional)
            for a in optional:
                default = f" // {a.param.default_text}" if a.has_default and a.param.default_text != "None" else ""
                yield f"\t{_camel(a.name):<{width}} {self._given(a, package, True)}{default}"
            yield "}"
            yield ""
            given.append(f"options ...{name}Options")
        about = schema_of(function) or ("" if operator else f"C: {function.name}")
        yield from _comment(f"{name}: {summary(function)}" + (f"\n\n{about}" if about else ""))
        if surface.fallible:
            types = [*results, "error"]
        else:
            types = [self._returned(surface), *results] if surface.returned != "nothing" else results
        result = types[0] if len(types) == 1 else f"({', '.join(types)})" if types else ""
        method = f"(x {'*' if receiver in self.opaque else ''}{owner}) " if receiver else ""
        yield f"func {method}{name}({', '.join(given)}) {result}".rstrip() + " {"
        yield f"\tf := {package}NewFrame({self.number_of[function.name]}, {places['']})"
        yield "\tdefer f.Done()"
        for a in required:
            if a is own:
                a = replace(a, optional=False)
            yield from (f"\t{line}" for line in self._set(a, names[a.name], places))
        for a in optional:
            literal = self._literal(a) if a.kind == "value" else "0"
            if literal not in ("0", "false", "0.0"):
                yield f"\tf.Set{self._word_kind(a.type)}({places[a.name]}, {literal})"
        if optional:
            yield "\tfor _, o := range options {"
            for a in optional:
                yield from (f"\t\t{line}" for line in self._set_optional(a, f"o.{_camel(a.name)}", places))
            yield "\t}"
        if surface.fallible:
            yield "\tif err := f.Try(); err != nil {"
            yield f"\t\treturn {', '.join([*(self._zero(r, package) for r in surface.results), 'err'])}"
            yield "\t}"
        else:
            yield "\tf.Call()"
        values = [self._value(r, places[r.name], package) for r in surface.results]
        if surface.fallible:
            yield f"\treturn {', '.join([*values, 'nil'])}"
        elif surface.returned != "nothing":
            yield f"\treturn {', '.join([self._returned_value(surface), *values])}"
        elif values:
            yield f"\treturn {', '.join(values)}"
        yield "}"

    def _optional(self, a: Argument, operator: bool) -> bool:
        """Whether it is a field of the options; the runtime's functions take nil instead."""
        if not operator:
            return False
        if a.kind in ("list", "handles"):
            return a.has_default or (a.param.type or "").endswith("?")
        return a.has_default if a.kind == "value" else a.optional

    def _given(self, a: Argument, package: str, field: bool = False) -> str:
        if a.kind == "value":
            return ("*" if field else "") + self._plain(a.type, package)
        if a.kind == "pointer":
            plain = package + STRUCTS[a.type] if a.type in STRUCTS else self._plain(a.type, package)
            return ("*" if field or a.optional else "") + plain
        if a.kind == "list":
            return "[]" + (package + STRUCTS[a.type] if a.type in STRUCTS else self._plain(a.type, package))
        if a.kind == "handle":
            return f"*{package}{self.opaque[a.type]}"
        if a.kind == "handles":
            return f"[]*{package}{self.opaque[a.type]}"
        if a.kind == "strings":
            return "[]string"
        return "*string" if field or a.optional else "string"

    def _plain(self, c_type: str, package: str) -> str:
        return NUMBERS.get(c_type) or package + _type_name(c_type)

    @staticmethod
    def _word_kind(c_type: str) -> str:
        return {"double": "Float", "bool": "Bool"}.get(c_type, "Int")

    def _set(self, a: Argument, name: str, places: dict[str, int]) -> Iterator[str]:
        place = places[a.name]
        if a.kind == "value":
            kind = self._word_kind(a.type)
            yield f"f.Set{kind}({place}, {f'int64({name})' if kind == 'Int' and a.type != 'int64_t' else name})"
        elif a.kind == "pointer" and not a.optional:
            yield f"f.Put{STRUCTS[a.type]}({place}, {name})"
        elif a.kind == "string" and not a.optional:
            yield f"f.PutString({place}, {name})"
        elif a.kind == "handle":
            yield f"f.Handle({place}, {name})"
        elif a.kind == "handles":
            yield f"PutHandles(f, {place}, {name})" if self._in_core(a) else f"ctorch.PutHandles(f, {place}, {name})"
            yield f"f.SetInt({places[a.length.name]}, int64(len({name})))"
        elif a.kind in ("list", "strings") and not self._in_core(a):
            yield from self._list(a, name, places)
        else:  # of the runtime's functions too: a nil list is NULL, which may mean something else than an empty one
            yield from self._set_optional(a, name, places)

    @staticmethod
    def _in_core(a: Argument) -> bool:
        return a.param.type is None

    def _list(self, a: Argument, name: str, places: dict[str, int]) -> Iterator[str]:
        kind = LISTS.get(a.type)
        if kind:
            yield f"f.Put{kind}({places[a.name]}, {name})"
        else:
            prefix = "" if self._in_core(a) else "ctorch."
            yield f"{prefix}PutPlain(f, {places[a.name]}, {name})"
        yield f"f.SetInt({places[a.length.name]}, int64(len({name})))"

    def _set_optional(self, a: Argument, name: str, places: dict[str, int]) -> Iterator[str]:
        if a.kind in ("list", "strings"):
            yield f"if {name} != nil {{"
            yield from (f"\t{line}" for line in self._list(a, name, places))
        elif a.kind == "handle":
            yield f"if {name} != nil {{"
            yield f"\tf.Handle({places[a.name]}, {name})"
        elif a.kind == "handles":
            yield f"if {name} != nil {{"
            yield from (f"\t{line}" for line in self._set(a, name, places))
        elif a.kind == "value":
            kind = self._word_kind(a.type)
            value = f"int64(*{name})" if kind == "Int" and a.type != "int64_t" else f"*{name}"
            yield f"if {name} != nil {{"
            yield f"\tf.Set{kind}({places[a.name]}, {value})"
        elif a.kind == "string":
            yield f"if {name} != nil {{"
            yield f"\tf.PutString({places[a.name]}, *{name})"
        elif a.type in STRUCTS:
            yield f"if {name} != nil {{"
            yield f"\tf.Put{STRUCTS[a.type]}({places[a.name]}, *{name})"
        else:
            kind = {"double": "Float", "bool": "Bool", "int64_t": "Int"}.get(a.type, "Int32")
            yield f"if {name} != nil {{"
            yield f"\tf.Put{kind}({places[a.name]}, {f'int32(*{name})' if kind == 'Int32' else f'*{name}'})"
        yield "}"

    @staticmethod
    def _literal(a: Argument) -> str:
        if a.type == "bool":
            return "true" if a.param.default else "false"
        return repr(float(a.param.default)) if a.type == "double" else str(a.param.default)

    def _type_of(self, r: Result, package: str) -> str:
        if r.kind == "handle":
            if r.type == STRING:
                return "string"
            if r.type == TENSOR_LIST:
                return f"[]*{package}Tensor"
            return f"*{package}{self.opaque[r.type]}"
        if r.kind == "struct":
            return package + STRUCTS[r.type]
        return "string" if r.kind == "string" else self._plain(r.type, package)

    def _zero(self, r: Result, package: str) -> str:
        type_ = self._type_of(r, package)
        if type_.startswith(("*", "[]")):
            return "nil"
        if r.kind == "struct":
            return type_ + "{}"
        return {"string": '""', "bool": "false"}.get(type_, "0")

    def _value(self, r: Result, place: int, package: str) -> str:
        if r.kind == "handle":
            if r.type == STRING:
                return f"f.OwnedString({place})"
            if r.type == TENSOR_LIST:
                return f"f.Tensors({place})"
            return f"{package}{self.opaque[r.type]}FromHandle(f.Pointer({place}))"
        if r.kind == "struct":
            return f"f.{STRUCTS[r.type]}({place})"
        if r.kind == "string":
            return f"f.String({place})"
        return self._number(r.type, place, package)

    def _number(self, c_type: str, place: int, package: str) -> str:
        if c_type == "double":
            return f"f.Float({place})"
        if c_type == "bool":
            return f"f.Bool({place})"
        type_ = self._plain(c_type, package)
        return f"f.Int({place})" if type_ == "int64" else f"{type_}(f.Int({place}))"

    def _returned(self, surface: Surface) -> str:
        return "string" if surface.returned == "string" else self._plain(surface.returned_type, "")

    def _returned_value(self, surface: Surface) -> str:
        return "f.String(0)" if surface.returned == "string" else self._number(surface.returned_type, 0, "")


def _comment(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield f"// {line}".rstrip()
