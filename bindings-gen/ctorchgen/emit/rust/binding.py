"""Rust: the crate `ctorch-sys` (every declaration) and the generated part of the safe crate `ctorch`.

`ctorch-sys` is C as Rust spells it. In `ctorch`, `aten.rs` has a function for every operator; `enums.rs` the
enumerations; `runtime.rs` methods and functions for the hand-written C functions; `stubs.rs` what C calls back. What
needs a closure, a guard or a lifetime that the declaration does not tell is written by hand
(bindings-gen/languages/rust) and named in BY_HAND.

A function whose arguments must all be given is a plain function. Where some may be left out the function takes the
others and returns a builder of the same name: a setter for each, and `call()`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ... import vocabulary
from ...api import Api, Function
from ...names import operator_part, python_namespace, short
from ...surface import Argument, Result, Surface
from ...vocabulary import (
    CALLBACK_STATUS,
    DATASET,
    DEVICE,
    ERROR,
    MEMORY_PRESSURE,
    SAMPLER,
    SCALAR,
    SCOPE,
    STRING,
    TENSOR,
    TENSORS_CALLBACK,
    VALUE,
    functions_of,
    named,
)
from ..documentation import list_may_be_left_out, schema_of, summary
from .names import NUMBERS, identifier, sys_name, sys_params, sys_type, type_name
from .stubs import Stubs

OWN_TYPES = frozenset((ERROR, SCOPE, STRING, TENSOR))  # defined by hand, or not at all

# What the safe crate has in another form, in bindings-gen/languages/rust/ctorch/src.
BY_HAND = frozenset(
    named(
        """
        tensor_grad tensor_set_grad tensor_sizes tensor_strides tensor_defined tensor_backward tensor_from_data
        tensor_copy_to_buffer tensor_data tensor_const_data tensor_index tensor_index_put tensor_index_put_scalar
        tensor_list_data tensor_list_mutable_data tensor_list_len tensor_list_get string_data string_len
        value_to_string scope_begin scope_keep warnings_pop stream_equal profiler_result_event_input_shape
        node_input_metadata dataset_get dataset_attribute iterator_next loader_worker_info loader_statistics
        trainer_evaluate trainer_history transform_call
        """
    )
)
# Texts that belong to the library, so that they need no lifetime.
STATIC_TEXTS = frozenset(named("settings_float32_matmul_precision settings_fp32_precision"))


class Rust:
    functions = BY_HAND | STATIC_TEXTS

    def emit(self, api: Api) -> dict[str, str]:
        safe = _Safe(api)
        return {
            "bindings/rust/ctorch-sys/src/lib.rs": "".join(f"{line}\n" for line in _sys(api)),
            "bindings/rust/ctorch/src/aten.rs": safe.operators(),
            "bindings/rust/ctorch/src/enums.rs": "".join(f"{line}\n" for line in _enums(api)),
            "bindings/rust/ctorch/src/runtime.rs": safe.runtime(),
            "bindings/rust/ctorch/src/stubs.rs": Stubs(api).text(),
            **{f"bindings/rust/ctorch/src/{n}.rs": safe.namespace(n) for n in api.namespaces},
        }


# ctorch-sys -----------------------------------------------------------------------------------------------------------


def _sys(api: Api) -> Iterator[str]:
    yield f"//! Raw declarations of ctorch {api.version}, a C ABI over LibTorch, as Rust spells them."
    yield "//!"
    yield "//! The contract is in the header `ctorch.h`. The crate `ctorch` is the safe layer over this one."
    yield "#![allow(non_camel_case_types, clippy::all)]"
    yield "#![cfg_attr(rustfmt, rustfmt_skip)]"
    yield ""
    yield "use std::os::raw::{c_char, c_void};"
    yield ""
    for enum in api.enums:
        yield from _doc(enum.doc)
        yield f"pub type {enum.name} = i32;"
        for name, number in enum.values:
            yield f"pub const {name}: {enum.name} = {number};"
        yield ""
    for opaque in api.opaque:
        yield from _doc(opaque.doc)
        yield "#[repr(C)]"
        yield f"pub struct {sys_name(opaque.name)} {{"
        yield "    _private: [u8; 0],"
        yield "    _not_send_nor_sync: std::marker::PhantomData<(*mut u8, std::marker::PhantomPinned)>,"
        yield "}"
        yield ""
    for struct in api.structs:
        yield from _doc(struct.doc)
        yield "#[repr(C)]"
        yield "#[derive(Clone, Copy, Debug, PartialEq)]"
        yield f"pub struct {struct.name} {{"
        for name, c_type in struct.fields:
            yield f"    pub {identifier(name)}: {sys_type(c_type)},"
        yield "}"
        yield ""
    for callback in api.callbacks:
        yield from _doc(callback.doc.split("\n\n")[0])
        yield f"pub type {callback.name} ="
        result = "" if callback.returns == "void" else f" -> {sys_type(callback.returns)}"
        yield f'    Option<unsafe extern "C" fn({sys_params(callback.params)}){result}>;'
        yield ""
    yield 'extern "C" {'
    for function in api.functions:
        yield from (f"    {line}" for line in _doc(summary(function)))
        result = "" if function.returns == "void" else f" -> {sys_type(function.returns)}"
        yield f"    pub fn {function.name}({sys_params(function.params)}){result};"
    yield "}"


def _elided(text: str) -> str:
    return text.replace("&'a ", "&").replace("'a", "'_")


def _doc(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield f"/// {_markdown(line)}".rstrip()


def _markdown(text: str) -> str:
    """Brackets and angle brackets outside of code would be links and tags."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([\[\]<>])", r"\\\1", p) for p in parts)


# enums.rs -------------------------------------------------------------------------------------------------------------


def _enums(api: Api) -> Iterator[str]:
    yield "//! The enumerations: numbers with names. A number without a name is kept, and refused by the functions."
    yield "#![cfg_attr(rustfmt, rustfmt_skip)]"
    for enum in api.enums:
        if enum.name == CALLBACK_STATUS:
            continue
        name = type_name(enum.name)
        constants = {short.upper(): number for short, number in enum.short_values.items()}
        yield ""
        yield from _doc(enum.doc)
        yield "#[repr(transparent)]"
        yield "#[derive(Clone, Copy, PartialEq, Eq, Hash)]"
        yield f"pub struct {name}(pub i32);"
        yield ""
        yield f"impl {name} {{"
        for constant, number in constants.items():
            yield f"    pub const {constant}: {name} = {name}({number});"
        yield "}"
        yield ""
        yield f"impl std::fmt::Debug for {name} {{"
        yield "    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {"
        yield "        let name = match self.0 {"
        seen: set[int] = set()
        for constant, number in constants.items():
            if number not in seen:
                yield f'            {number} => "{constant}",'
            seen.add(number)
        yield f'            number => return write!(f, "{name}({{}})", number),'
        yield "        };"
        yield f'        write!(f, "{name}::{{}}", name)'
        yield "    }"
        yield "}"


STRUCTS = {name: type_name(name) for name in vocabulary.STRUCTS}


# aten.rs, runtime.rs --------------------------------------------------------------------------------------------------


@dataclass
class _Parameter:
    """An argument in the safe crate."""

    name: str
    type: str  # of a required parameter, or of the setter's
    stored: str  # of the builder's field; Option<…> or the plain type
    take: str  # parameter -> field
    before: str = ""  # statement before the call; `{}` is the field
    pass_: tuple[str, ...] = ()  # C arguments; `{}` is the field
    default: str | None = None  # None: required


class _Safe:
    def __init__(self, api: Api) -> None:
        self.api = api
        self.enums = {e.name for e in api.enums}
        self.opaque = {o.name: type_name(o.name) for o in api.opaque if not o.name.startswith("struct ")}
        self.builders: list[str] = []  # of methods: what stands beside the impl block

    # Files

    def operators(self) -> str:
        doc = [
            "//! Every operator of PyTorch, by its name in the schema: `.` is `_`, and all is lower case.",
            "//!",
            "//! Where a schema has defaults, the function takes the other arguments and returns a builder:",
            "//! `aten::add_tensor(&a, &b).alpha(2).call()?`.",
        ]
        return self._described("aten", doc)

    def namespace(self, name: str) -> str:
        """What a schema file offers, which is like operators."""
        doc = [
            f"//! What Python has as {python_namespace(name)}, by its names in lower case; an overload's comes behind.",
            "//!",
            "//! Where a schema has defaults, the function takes the other arguments and returns a builder:",
            "//! `nn::conv2d(1, 32, &[3]).padding(&[1]).call()?`.",
        ]
        return self._described(name, doc)

    def _described(self, kind: str, doc: list[str]) -> str:
        lines = [
            *doc,
            "#![allow(non_camel_case_types, non_snake_case, clippy::too_many_arguments, clippy::type_complexity)]",
            "#![allow(unused_imports)]",
            "#![cfg_attr(rustfmt, rustfmt_skip)]",
            "",
            "use crate::prelude::*;",
            "use crate::runtime::*;",
        ]
        for function in self.api.functions:
            if function.kind == kind:
                surface = Surface.of(function, self.api)
                name = ("_".join(surface.path[1:]) or operator_part(function.name)).lower()
                lines += ["", *self._function(name, "", surface)]
        return "\n".join(lines) + "\n"

    def runtime(self) -> str:
        methods: dict[str, list[str]] = {}
        for function in self.api.functions:
            if function.is_described or not self.generated(function):
                continue
            owner, name, receiver = self._place(function)
            surface = Surface.of(function, self.api)
            methods.setdefault(owner, []).extend(["", *self._function(name, receiver, surface, owner)])
        lines = [
            "//! The functions of the headers: methods of the types they are about, and free functions.",
            "#![allow(clippy::too_many_arguments, clippy::type_complexity, clippy::wrong_self_convention)]",
            "#![allow(clippy::should_implement_trait, clippy::len_without_is_empty, clippy::new_ret_no_self)]",
            "#![allow(non_camel_case_types)]",
            "#![cfg_attr(rustfmt, rustfmt_skip)]",
            "",
            "use crate::prelude::*;",
        ]
        for opaque in self.api.opaque:
            if opaque.name in self.opaque and opaque.name not in OWN_TYPES:
                lines += ["", *self._handle(opaque)]
        lines += methods.pop("", [])
        for owner, body in sorted(methods.items()):
            lines += ["", f"impl {owner} {{", *(f"    {line}".rstrip() for line in body[1:]), "}"]
        lines += self.builders
        return "\n".join(lines) + "\n"

    def generated(self, function: Function) -> bool:
        """Whether the declaration tells all that a safe function must know."""
        if function.name in BY_HAND or re.search(r"_(push|pop|release|retain)$", function.name):
            return False
        surface = Surface.of(function, self.api)
        kinds = {a.kind for a in surface.arguments}
        if kinds & {"destroy", "address", "bytes"} or any(
            a.kind == "callback" and a.type != TENSORS_CALLBACK for a in surface.arguments
        ):
            return False
        if any(r.kind in ("buffer", "address", "handles") for r in surface.results):
            return False
        if surface.returned in ("handles", "address", "list"):
            return False
        if any(r.kind == "list" or r.kind == "string" for r in surface.results):
            return function.name in STATIC_TEXTS
        return not functions_of((ERROR, SCOPE), function.name)

    def _handle(self, opaque) -> Iterator[str]:
        name = self.opaque[opaque.name]
        release, retain = (f"sys::{f}" if f else "" for f in (opaque.release, opaque.retain))
        kind = "shared_handle" if retain else "handle"
        yield f"{kind}!("
        yield from (f"    {line}" for line in _doc(opaque.doc))
        yield f"    {name}, sys::{opaque.name}, {', '.join(x for x in (release, retain) if x)}"
        yield ");"

    def _place(self, function: Function) -> tuple[str, str, str]:
        """(type, method name, receiver) of a runtime function."""
        surface = Surface.of(function, self.api)
        name = function.name
        first = surface.arguments[0] if surface.arguments else None
        if first is not None and first.name == "self":
            owner = self.opaque.get(first.type) or STRUCTS[first.type]
            method = short(name).removeprefix(short(first.type) + "_")
            exclusive = not first.param.c_type.startswith("const ")
            return owner, method, "&mut self" if exclusive else "&self"
        for c_name in sorted((*self.opaque, *self.enums, *STRUCTS), key=len, reverse=True):
            if name.startswith(c_name + "_") and c_name not in (MEMORY_PRESSURE, DEVICE):
                owner = self.opaque.get(c_name) or STRUCTS.get(c_name) or type_name(c_name)
                if first is not None and first.type == c_name and c_name in self.enums:
                    return owner, name.removeprefix(c_name + "_"), "self"
                if c_name in self.opaque:
                    return owner, name.removeprefix(c_name + "_"), ""
        return "", short(name), ""

    # One function

    def _function(self, name: str, receiver: str, surface: Surface, owner: str = "") -> Iterator[str]:
        function = surface.function
        operator = function.is_described
        arguments = list(surface.arguments)
        if receiver:
            own, arguments = arguments[0], arguments[1:]
        arguments = [a for a in arguments if a.kind != "payload"]
        parameters = [self._parameter(a, function, operator, surface.fallible) for a in arguments]
        optional = [p for p in parameters if p.default is not None]
        if not operator and len(optional) <= 2:
            optional = []
            parameters = [p if p.default is None else self._given_as_option(p) for p in parameters]
        doc = f"`{summary(function)}`" if function.is_operator else f"{_markdown(summary(function))}"
        yield f"/// {doc}"
        if not function.is_operator:
            yield "///"
            yield f"/// `{schema_of(function)}`" if operator else f"/// C: `{function.name}`."
        if optional:
            yield from self._builder(name, owner, receiver, surface, parameters, optional, receiver and own)
        else:
            yield from self._plain(name, receiver, surface, parameters, receiver and own)

    @staticmethod
    def _given_as_option(p: _Parameter) -> _Parameter:
        return p if p.type.startswith("impl Into<Option") else replace(p, type=p.stored, take="{}")

    def _plain(self, name, receiver, surface, parameters, own) -> Iterator[str]:
        types = [p.type if p.type.startswith("impl ") else _elided(p.type) for p in parameters]
        given = [receiver] * bool(receiver) + [f"{p.name}: {t}" for p, t in zip(parameters, types)]
        lifetime = "<'a>" if any("'a" in t for t in types) else ""
        yield "#[inline]"
        result = self._result_type(surface)
        arrow = "" if result == "()" else f" -> {result}"
        yield f"pub fn {identifier(name)}{lifetime}({', '.join(given)}){arrow} {{"
        for p in parameters:
            if p.take != "{}":
                yield f"    let {p.name} = {_elided(p.take.format(p.name))};"
        fields = [p.name for p in parameters]
        yield from (f"    {line}" for line in self._call(surface, parameters, fields, own and self._own(own)))
        yield "}"

    def _builder(self, name, owner, receiver, surface, parameters, optional, own) -> Iterator[str]:
        """A struct that holds the arguments, the function that makes it, its setters and `call`."""
        struct = f"{owner}_{name}" if owner else name
        required = [p for p in parameters if p not in optional]
        fields = [(p.name, p.stored) for p in parameters]
        if own:
            fields.insert(0, ("this", receiver.replace("&", "&'a ").replace("self", owner)))
        borrows = any("'a" in t for _, t in fields)
        a = "<'a>" if borrows else ""
        given = ", ".join(
            ([receiver.replace("&", "&'a ")] if receiver else []) + [f"{p.name}: {p.type}" for p in required]
        )
        inits = (["this: self"] if own else []) + [
            f"{p.name}: {p.default}"
            if p in optional
            else (p.name if p.take == "{}" else f"{p.name}: {p.take.format(p.name)}")
            for p in parameters
        ]
        yield "#[inline]"
        yield f"pub fn {identifier(name)}{a}({given}) -> {struct}{a} {{"
        yield f"    {struct} {{ {', '.join(inits)} }}"
        yield "}"
        definition = [
            "",
            f"/// Arguments of `{name}`; `call()` calls it.",
            '#[must_use = "nothing happens without call()"]',
            f"pub struct {struct}{a} {{",
            *(f"    {n}: {t}," for n, t in fields),
            "}",
            "",
            f"impl{a} {struct}{a} {{",
        ]
        for p in optional:
            definition += [
                "    #[inline]",
                f"    pub fn {p.name}(mut self, {p.name}: {p.type}) -> Self {{",
                f"        self.{p.name} = {p.take.format(p.name)};",
                "        self",
                "    }",
            ]
        definition += ["    #[inline]", f"    pub fn call(self) -> {self._result_type(surface)} {{"]
        names = [f"self.{p.name}" for p in parameters]
        definition += [f"        {line}" for line in self._call(surface, parameters, names, own and "self.this.0")]
        definition += ["    }", "}"]
        if owner:
            self.builders.extend(definition)
        else:
            yield from definition

    @staticmethod
    def _own(own: Argument) -> str:
        return "self.as_ptr()" if own.kind == "pointer" else "self.0"

    def _call(self, surface: Surface, parameters: list[_Parameter], fields: list[str], own) -> Iterator[str]:
        results = list(surface.results)
        for p, text in zip(parameters, fields):
            if p.before:
                yield p.before.format(text, name=p.name)
        for r in results:
            yield f"let mut {r.name} = {self._initial(r)};"
        by_param = {
            r.param.name: [f"{r.name}.as_mut_ptr().cast()" if r.kind == "struct" else f"&mut {r.name}"] for r in results
        }
        arguments = [a for a in surface.arguments if a.kind != "payload"]
        if own:
            by_param[arguments[0].param.name] = [own]
            arguments = arguments[1:]
        for argument, p, text in zip(arguments, parameters, fields):
            by_param[argument.param.name] = [x.format(p.name if p.before else text) for x in p.pass_]
            if argument.kind == "callback":
                by_param["payload"] = [f"&{text} as *const TensorsFunction as *mut _"]
        c_arguments = ", ".join(x for q in surface.function.params for x in by_param.get(q.name, []))
        call = f"sys::{surface.function.name}({c_arguments})"
        if surface.fallible:
            yield f"check(unsafe {{ {call} }})?;"
            values = ", ".join(self._value(r) for r in results)
            yield f"Ok({values})" if len(results) == 1 else f"Ok(({values}))"
        elif results:  # an accessor that tells whether there is a value, or void
            values = ", ".join(self._value(r) for r in results)
            if len(results) > 1:
                values = f"({values})"
            if surface.returned == "value":
                yield f"let found = unsafe {{ {call} }};"
                yield f"if found {{ Some({values}) }} else {{ None }}"
            else:
                yield f"unsafe {{ {call} }};"
                yield values
        elif surface.returned == "string":
            kind = "text" if self._result_type(surface) == "&str" else "static_text"
            yield f"unsafe {{ {kind}({call}) }}"
        elif surface.returned == "value" and surface.returned_type in self.enums:
            yield f"{type_name(surface.returned_type)}(unsafe {{ {call} }})"
        elif surface.returned == "nothing":
            yield f"unsafe {{ {call} }}"
        else:
            yield f"unsafe {{ {call} }}"

    def _result_type(self, surface: Surface) -> str:
        types = [self._type_of(r) for r in surface.results]
        joined = types[0] if len(types) == 1 else f"({', '.join(types)})"
        if surface.fallible:
            return f"Result<{joined}>"
        if types:
            return f"Option<{joined}>" if surface.returned == "value" else joined
        if surface.returned == "string":
            has_self = any(a.name == "self" for a in surface.arguments)
            constant = not has_self or surface.function.name.endswith("_code_name")
            return "&'static str" if constant else "&str"
        if surface.returned == "nothing":
            return "()"
        return self._plain_type(surface.returned_type)

    def _type_of(self, r: Result) -> str:
        if r.kind == "handle":
            return "String" if r.type == STRING else self.opaque[r.type]
        if r.kind == "struct":
            return STRUCTS[r.type]
        if r.kind == "string":
            return "&'static str"
        return self._plain_type(r.type)

    def _plain_type(self, c_type: str) -> str:
        return NUMBERS.get(c_type) or type_name(c_type)

    def _initial(self, r: Result) -> str:
        if r.kind == "handle":
            return "::std::ptr::null_mut()"
        if r.kind == "string":
            return "::std::ptr::null()"
        if r.kind == "struct":
            return f"::std::mem::MaybeUninit::<{STRUCTS[r.type]}>::uninit()"
        return {"bool": "false", "double": "0.0"}.get(r.type, f"0{NUMBERS.get(r.type, 'i32')}")

    def _value(self, r: Result) -> str:
        if r.kind == "handle" and r.type == STRING:
            return f"string({r.name})"
        if r.kind == "handle":
            return f"{self.opaque[r.type]}({r.name})"
        if r.kind == "struct":
            return f"unsafe {{ {r.name}.assume_init() }}"
        if r.kind == "string":
            return f"unsafe {{ text({r.name}) }}"
        return f"{type_name(r.type)}({r.name})" if r.type in self.enums else r.name

    # One argument

    def _parameter(self, a: Argument, function: Function, operator: bool, fallible: bool) -> _Parameter:
        name = identifier(a.name)
        optional = a.optional and fallible
        if a.kind in ("list", "handles", "strings"):
            optional = (
                a.has_default or (a.param.type or "").endswith("?")
                if operator
                else list_may_be_left_out(function, a.name)
            )
        elif a.kind == "value":
            optional = a.has_default
        if a.kind == "value":
            return self._number(a, name, optional)
        if a.kind == "pointer":
            return self._pointer(a, name, optional)
        if a.kind == "list":
            return self._list(a, name, optional)
        if a.kind == "handle":
            return self._handle_argument(a, name, optional)
        if a.kind == "handles":
            return self._handles(a, name, optional)
        if a.kind == "callback":
            return _Parameter(name, "TensorsFunction<'a>", "TensorsFunction<'a>", "{}", "", ("call_tensors()",))
        if a.kind == "string":
            if optional:
                return _Parameter(
                    name,
                    "&'a str",
                    "Option<&'a str>",
                    "Some({})",
                    "let {name} = optional_c_string({0})?;",
                    ("optional_c_string_ptr(&{})",),
                    default="None",
                )
            failure = "c_string({0})?" if fallible else "c_string({0}).unwrap_or_default()"
            return _Parameter(name, "&'a str", "&'a str", "{}", f"let {{name}} = {failure};", ("{}.as_ptr()",))
        assert a.kind == "strings", function.name
        return _Parameter(
            name, "&'a [&'a str]", "&'a [&'a str]", "{}", "let {name} = c_strings({0})?;", ("{}.as_ptr()", "{}.len()")
        )

    def _number(self, a: Argument, name: str, optional: bool) -> _Parameter:
        type_ = self._plain_type(a.type)
        passed = "{}.0" if a.type in self.enums else "{}"
        default = None
        if optional:
            default = json.dumps(a.param.default)
            if a.type == "double":
                default = repr(float(a.param.default))
            if a.type in self.enums:
                default = f"{type_}({default})"
        return _Parameter(name, type_, type_, "{}", "", (passed,), default=default)

    def _pointer(self, a: Argument, name: str, optional: bool) -> _Parameter:
        type_ = STRUCTS.get(a.type) or self._plain_type(a.type)
        scalar = a.type == SCALAR
        given = "impl Into<Scalar>" if scalar else type_
        taken = "{}.into()" if scalar else "{}"
        target = f"sys::{a.type}" if a.type in STRUCTS else ("i32" if a.type in self.enums else type_)
        if optional:
            return _Parameter(
                name,
                given,
                f"Option<{type_}>",
                f"Some({taken})",
                "",
                (f"optional_ptr::<_, {target}>(&{{}})",),
                default="None",
            )
        if scalar:
            return _Parameter(
                name, given, type_, "Into::<Scalar>::into({})", "", (f"(&{{}} as *const {type_}).cast()",)
            )
        return _Parameter(name, type_, type_, "{}", "", (f"(&{{}} as *const {type_}).cast()",))

    def _list(self, a: Argument, name: str, optional: bool) -> _Parameter:
        element = STRUCTS.get(a.type) or self._plain_type(a.type)
        type_ = f"&'a [{element}]"
        if optional:
            return _Parameter(
                name,
                type_,
                f"Option<{type_}>",
                "Some({})",
                "",
                ("slice_ptr({}).cast()", "slice_len({})"),
                default="None",
            )
        return _Parameter(name, type_, type_, "{}", "", ("{}.as_ptr().cast()", "{}.len()"))

    def _handle_argument(self, a: Argument, name: str, optional: bool) -> _Parameter:
        type_ = self.opaque[a.type]
        # Other handles get a reference to these two, which changes nothing.
        shared = a.param.c_type.startswith("const ") or a.type in (DATASET, SAMPLER)
        exclusive = "" if shared else "mut "
        reference = f"&'a {exclusive}{type_}"
        if a.param.owned:
            reference = type_
        if optional:
            return _Parameter(
                name,
                f"impl Into<Option<{reference}>>",
                f"Option<{reference}>",
                "{}.into()",
                "",
                ("{}.as_ref().map_or(::std::ptr::null_mut(), |x| x.0)",),
                default="None",
            )
        return _Parameter(name, reference, reference, "{}", "", ("{}.0",))

    def _handles(self, a: Argument, name: str, optional: bool) -> _Parameter:
        if a.type == VALUE:
            type_ = "&'a [&'a Value]"
            return _Parameter(
                name, type_, type_, "{}", "let {name} = value_pointers({0});", ("{}.as_ptr()", "{}.len()")
            )
        if a.type != TENSOR:
            type_ = f"&'a [&'a {type_name(a.type)}]"
            collected = "let {name}: Vec<_> = {0}.iter().map(|x| x.0).collect();"
            return _Parameter(name, type_, type_, "{}", collected, ("{}.as_ptr().cast()", "{}.len()"))
        exclusive = not a.param.c_type.startswith("const ")
        list_ = "TensorsMut<'a>" if exclusive else "Tensors<'a>"
        if (a.param.type or "").startswith("Tensor?"):
            list_ = "OptionalTensors<'a>"
        into = f"impl Into<{list_}>"
        before = "let {name} = {0}.pointers();"
        if optional:
            return _Parameter(
                name,
                into,
                f"Option<{list_}>",
                "Some({}.into())",
                "let {name} = optional_pointers({0});",
                ("{}.as_ptr()", "{}.len()"),
                default="None",
            )
        return _Parameter(name, into, list_, f"Into::<{list_}>::into({{}})", before, ("{}.as_ptr()", "{}.len()"))
