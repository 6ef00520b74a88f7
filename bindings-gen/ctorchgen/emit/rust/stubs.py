"""stubs.rs: for each callback, a function that makes what C calls of a body.

A body is a closure that captures nothing: it gets the payload and what C lends, and returns what C wants. So the
hand-written layer says in one line which closure of the user's it calls, and how.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api, Callback
from ...names import bare
from ...surface import Argument, Surface
from ...vocabulary import TENSOR
from .names import NUMBERS, identifier, sys_params, sys_type, type_name

# Callbacks that are written by hand.
BY_HAND = {
    "kernel": "fills an array",
    "optimizer_closure": "the closure may change what it holds",
    "reader_read": "fills memory",
    "saved_tensors_destroy": "cannot fail",
    "serialization_allow": "the closure may change what it holds",
    "serialization_map_location": "the result holds a device before",
    "writer_write": "reads memory",
}
# Callbacks that no function of the crate takes: rustc warns of a function that nobody calls.
NOT_TAKEN = frozenset(
    """
    interrupt jit_trace logger memory_pressure module_backward_pre_hook module_load_state_dict_post_hook
    module_load_state_dict_pre_hook module_state_dict_hook module_state_dict_pre_hook
    """.split()
)

HEAD = """//! What C calls. Each function makes one of a body: a closure that captures nothing. It gets the payload and
//! what C lends, and returns what C wants.
#![cfg_attr(rustfmt, rustfmt_skip)]
#![allow(clippy::type_complexity)]

use std::mem::ManuallyDrop;
use std::os::raw::c_void;

use crate::callback::{borrowed, run, Body, Give};
use crate::support::{sys, text};
use crate::thrown::BoxError;
use crate::*;

type Answer<T> = std::result::Result<T, BoxError>;
"""


class Stubs:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._enums = {e.name for e in api.enums}

    def text(self) -> str:
        emitted = [c for c in self._api.callbacks if bare(c.name) not in NOT_TAKEN.union(BY_HAND)]
        return HEAD + "".join(f"{line}\n" for callback in emitted for line in self._stub(callback))

    def _stub(self, callback: Callback) -> Iterator[str]:
        surface = Surface.of(callback, self._api)
        arguments = [a for a in surface.arguments if a.kind != "payload"]
        (out,) = [r for r in surface.results if r.name != "error"] or [None]
        result = "R" if out else "()"
        types = ", ".join(["&P", *(self._type(a) for a in arguments)])
        generics = "P, R, B" if out else "P, B"
        where = f"B: Fn({types}) -> Answer<{result}>"
        if out:
            where += f", R: Give<{sys_type(out.param.c_type).removeprefix('*mut ')}>"
        yield ""
        yield f"pub(crate) fn {identifier(bare(callback.name))}<{generics}>(body: B) -> sys::{callback.name}"
        yield f"where {self._sys(where)} {{"
        parameters = self._sys(sys_params(callback.params))
        yield f'    unsafe extern "C" fn call<{generics}>({parameters}) -> sys::{callback.returns}'
        yield f"    where {self._sys(where)} {{"
        given = ["&*payload.cast::<P>()"]
        for argument in arguments:
            lines, value = self._lent(argument)
            yield from (f"        {line}" for line in lines)
            given.append(value)
        store = f"|result: R| result.give({identifier(out.name)})" if out else "|()| Ok(())"
        yield f"        run(error, {store}, || Body::<B>::get()({', '.join(given)}))"
        yield "    }"
        yield "    Body::of(body);"
        yield f"    Some(call::<{generics}>)"
        yield "}"

    def _sys(self, text: str) -> str:
        """C types of the crate `ctorch-sys`, by their path."""
        for name in sorted({o.name for o in self._api.opaque} | self._enums | {s.name for s in self._api.structs}):
            text = text.replace(f"mut {name}", f"mut sys::{name}").replace(f"const {name}", f"const sys::{name}")
            text = text.replace(f"Give<{name}>", f"Give<sys::{name}>").replace(f": {name}", f": sys::{name}")
        return text.replace("c_char", "std::os::raw::c_char")

    def _type(self, argument: Argument) -> str:
        """What a body gets."""
        kind, type_ = argument.kind, argument.type
        if kind == "handle":
            reference = f"{self._reference(argument)}{type_name(type_)}"
            return f"Option<{reference}>" if self._may_be_none(argument) else reference
        if kind == "value":
            return type_name(type_) if type_ in self._enums else NUMBERS[type_]
        return {"handles": "&[Tensor]", "string": "&str", "address": "*mut c_void"}[kind]

    @staticmethod
    def _reference(argument: Argument) -> str:
        return "&" if argument.param.c_type.startswith("const ") else "&mut "

    @staticmethod
    def _may_be_none(argument: Argument) -> bool:
        return argument.optional and argument.type != TENSOR  # which may be undefined

    def _lent(self, argument: Argument) -> tuple[list[str], str]:
        """The lines that make it of what C lends, and how it is given then."""
        name, kind, type_ = identifier(argument.name), argument.kind, argument.type
        if kind == "handle":
            reference = self._reference(argument)
            mutable = reference.removeprefix("&")
            pointer = name if mutable else f"{name} as *mut _"
            line = f"let {mutable}{name} = ManuallyDrop::new({type_name(type_)}({pointer}));"
            given = f"{reference}{name}"
            if self._may_be_none(argument):
                given = f"if {name}.0.is_null() {{ None }} else {{ Some({reference}*{name}) }}"
            return [line], given
        if kind == "handles":
            return [], f"borrowed({name}, {identifier(argument.length.name)})"
        if kind == "value" and type_ in self._enums:
            return [], f"{type_name(type_)}({name})"
        return [], f"text({name})" if kind == "string" else name
