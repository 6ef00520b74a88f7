"""What the LuaJIT binding reads: the declarations, and every function in one line of text (signatures.py).

The modules in languages/luajit/ compile the Lua function for an operator from its line when a program first uses it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ..api import Api, Enum, Function
from ..surface import Surface
from .cdef import CDef
from .signatures import signature

HEAD = "-- Generated from the API of ctorch {}; do not edit.\n"


class LuaJit:
    def emit(self, api: Api) -> dict[str, str]:
        files = {
            "cdef": f"return [==[\n{CDef().emit(api)['ctorch.cdef.h']}]==]\n",
            "enums": _table(_enums(api.enums)),
            "functions": _table(f"{_key(f.name)} = {_text(signature(f, api))}" for f in _core(api)),
            "callbacks": _table(
                f"{_key(c.name.removesuffix('_callback'))} = {_text(signature(c, api))}" for c in api.callbacks
            ),
            "handles": _table(
                f"{_key(o.name)} = {_text(o.release or 'ctorch_scope_end')}"
                for o in api.opaque
                if not o.name.startswith("struct ")
            ),
            "operators": _table(_operators(api)),
        }
        return {
            f"bindings/luajit/ctorch/generated/{name}.lua": HEAD.format(api.version) + text
            for name, text in files.items()
        }


def overloads(api: Api) -> dict[str, list[tuple[str, Function]]]:
    """The overloads of each operator with their names, those with few arguments first: the order in which a binding
    tries which one fits."""
    found = defaultdict(list)
    for function in api.functions:
        if function.kind == "aten":
            surface = Surface.of(function, api)
            found[surface.name].append((len(surface.arguments), surface.overload or "default", function))
    return {name: [entry[1:] for entry in sorted(found[name], key=lambda e: e[:2])] for name in sorted(found)}


def _core(api: Api) -> Iterator[Function]:
    return (f for f in api.functions if f.kind == "core")


def _operators(api: Api) -> Iterator[str]:
    """`add = { { "Tensor", "ctorch_aten_add_Tensor", "error self:…" }, … }`."""
    for name, found in overloads(api).items():
        yield f"[{_text(name)}] = {{"
        for overload, function in found:
            yield f"  {{ {_text(overload)}, {_text(function.name)}, {_text(signature(function, api))} }},"
        yield "}"


def _enums(enums: tuple[Enum, ...]) -> Iterator[str]:
    """Each constant by the name that a program gives: `float32` of CTORCH_DTYPE_FLOAT32."""
    for enum in enums:
        values = ", ".join(f'["{name}"] = {number}' for name, number in constants(enum))
        yield f"{_key(enum.name)} = {{ {values} }}"


def constants(enum: Enum) -> list[tuple[str, int]]:
    """The constants without the prefix that they share, in small letters."""
    words = [name.split("_") for name, _ in enum.values]
    longest = enum.name.upper().split("_")
    shared = 1
    while all(len(w) > shared + 1 and w[shared] == words[0][shared] for w in words) and shared < len(longest):
        shared += 1
    return [("_".join(w[shared:]).lower(), number) for w, (_, number) in zip(words, enum.values)]


def _table(entries: Iterator[str]) -> str:
    lines = (f"  {e}{'' if e.endswith(('{', ',')) else ','}\n" for e in entries)
    return "return {\n" + "".join(lines) + "}\n"


def _key(name: str) -> str:
    return f'["{name.removeprefix("ctorch_")}"]'


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
