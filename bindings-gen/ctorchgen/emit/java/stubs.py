"""Stubs.java: one C function for each kind of callback, which calls the Java one.

What a stub converts follows from the declaration; the interfaces that users implement are written by hand
(languages/java, Callbacks.java), and javac says where they differ. A callback of BY_HAND is converted there too, by a
method of Lent.java that gets the parameters as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api, Callback
from ...names import bare
from ...surface import Argument, Surface
from ...vocabulary import TENSOR, VALUE
from .raw import callback_interface, identifier, upper_camel

BY_HAND = {
    "iterator_load": "a part of ResumableIterator, which has no interface for it alone",
    "iterator_next": "answers nothing at the end",
    "iterator_save": "a part of ResumableIterator, which has no interface for it alone",
    "jit_trace": "the number of results is checked",
    "kernel": "the number of results is checked",
    "reader_read": "a ByteBuffer has less than 2 GiB",
    "saved_tensors_destroy": "forgets what saved_tensors_pack keeps",
    "saved_tensors_pack": "keeps any object",
    "saved_tensors_unpack": "finds what saved_tensors_pack keeps",
    "serialization_map_location": "the result holds a device before",
    "writer_write": "a ByteBuffer has less than 2 GiB",
}
# Callbacks whose values stay Value; in the others they are what Values makes of them.
AS_VALUES = ("module_", "optimizer_")
HEAD = """package org.ctorch;

import static org.ctorch.Callbacks.find;
import static org.ctorch.Callbacks.guard;
import static org.ctorch.Callbacks.put;

import org.ctorch.raw.Bridge;

/**
 * One C function for each kind of callback, made when it is needed first, that finds the Java one by its payload. They
 * are never freed, so C cannot call one that is gone.
 */
final class Stubs {
  private Stubs() {}

  static final class Destroy {
    static final long ADDRESS = Bridge.stub(org.ctorch.raw.DestroyCallback.class, Registry::remove);
  }
"""


def stub_class(callback: str) -> str:
    """`ctorch_tensor_hook_callback` -> `TensorHook`."""
    return upper_camel(bare(callback))


def _camel(name: str) -> str:
    camel = upper_camel(name)
    return identifier(camel[:1].lower() + camel[1:])


class Stubs:
    def __init__(self, api: Api, handles: dict[str, str], enums: dict[str, str]) -> None:
        """`handles` and `enums` are the classes of C types."""
        self._api, self._handles, self._enums = api, handles, enums

    def text(self) -> str:
        stubs = "\n".join(line for callback in self._api.callbacks for line in self._stub(callback))
        return f"// ctorch {self._api.version}: generated.\n{HEAD}{stubs}\n}}\n"

    def _stub(self, callback: Callback) -> Iterator[str]:
        yield ""
        yield f"  static final class {stub_class(callback.name)} {{"
        yield "    static final long ADDRESS ="
        yield "        Bridge.stub("
        yield f"            org.ctorch.raw.{callback_interface(callback.name)}.class,"
        yield f"            ({', '.join(_camel(p.name) for p in callback.params)}) ->"
        yield from self._body(callback)
        yield "  }"

    def _body(self, callback: Callback) -> Iterator[str]:
        stem = bare(callback.name)
        guarded = any(p.name == "error" for p in callback.params)
        if stem in BY_HAND:
            call = f"Lent.{_camel(stem)}({', '.join(_camel(p.name) for p in callback.params if p.name != 'error')})"
            yield f"                guard(error, () -> {call}));" if guarded else f"                {call});"
            return
        yield "                guard("
        yield "                    error,"
        yield "                    () -> {"
        surface = Surface.of(callback, self._api)
        arguments = [a for a in surface.arguments if a.kind != "payload"]
        borrowed = [a for a in arguments if self._is_closed(a)]
        indent = " " * 22
        if borrowed:
            opened = ";\n                          ".join(
                f"{self._class(a)} {self._own(a)} = {self._class(a)}.retained({_camel(a.name)})" for a in borrowed
            )
            yield f"{indent}try ({opened}) {{"
            indent += "  "
        given = ", ".join(self._given(a, stem) for a in arguments)
        found = f"find(payload, Callbacks.{stub_class(callback.name)}.class)"
        (result,) = [r for r in surface.results if r.name != "error"] or [None]
        # What it answers is handed over by the `put` that takes it.
        put, end = (f"put({_camel(result.name)}, ", ")") if result else ("", "")
        yield f"{indent}{put}{found}"
        yield f"{indent}    .apply({given}){end};"
        if borrowed:
            yield " " * 22 + "}"
        yield "                    }));"

    def _class(self, argument: Argument) -> str:
        return f"org.ctorch.{self._handles[argument.type]}"

    @staticmethod
    def _own(argument: Argument) -> str:
        return f"{_camel(argument.name)}Object"

    @staticmethod
    def _is_closed(argument: Argument) -> bool:
        """Whether the object is closed after the call. Tensors and values are the function's to keep."""
        return argument.kind == "handle" and argument.type not in (TENSOR, VALUE)

    def _given(self, argument: Argument, stem: str) -> str:
        name, kind, type_ = _camel(argument.name), argument.kind, argument.type
        length = argument.length and _camel(argument.length.name)
        if self._is_closed(argument):
            return self._own(argument)
        if kind == "handle" and type_ == VALUE and not stem.startswith(AS_VALUES):
            return f"Lent.object({name})"
        if kind == "handle":
            return f"{self._handles[type_]}.retained({name})"
        if kind == "handles" and type_ == TENSOR:
            return f"Tensor.retained({name}, Math.toIntExact({length}))"
        if kind == "value":
            enum = self._enums.get(type_)
            return f"org.ctorch.{enum}.of({name})" if enum else f"{name} != 0" if type_ == "bool" else name
        converters = {("string", "char"): "Bridge.getText", ("strings", "char"): "Lent.texts"}
        converters |= {("list", "double"): "Lent.doubles"}
        return f"{converters[kind, type_]}({name}{f', {length}' if length else ''})"
