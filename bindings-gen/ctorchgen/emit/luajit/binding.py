"""What the LuaJIT binding reads: the declarations, and every function in one line of text (signatures.py).

The modules in languages/luajit/ compile the Lua function for an operator from its line when a program first uses it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api, Enum, Function
from ...names import bare, short
from ..c.cdef import CDef
from ..signatures import layers, namespaces, overloads, signature

HEAD = "-- Generated from the API of ctorch {}; do not edit.\n"


class LuaJit:
    def emit(self, api: Api) -> dict[str, str]:
        files = {
            "cdef": f"return [==[\n{CDef().emit(api)['ctorch.cdef.h']}]==]\n",
            "enums": _table(_enums(api.enums)),
            "functions": _table(f"{_key(f.name)} = {_text(signature(f, api))}" for f in _core(api)),
            "callbacks": _table(f"{_key(bare(c.name))} = {_text(signature(c, api))}" for c in api.callbacks),
            "handles": _table(
                f"{_key(o.name)} = {_text(o.release)}"
                for o in api.opaque
                if o.release and not o.name.startswith("struct ")
            ),
            "operators": _table(_operators(overloads(api), api)),
            "namespaces": _table(_namespaces(api)),
            "layers": _table(f"[{_text(name)}] = {str(one).lower()}" for name, one in layers(api).items()),
        }
        return {
            f"bindings/luajit/ctorch/generated/{name}.lua": HEAD.format(api.version) + text
            for name, text in files.items()
        }


def _core(api: Api) -> Iterator[Function]:
    return (f for f in api.functions if f.kind == "core")


def _namespaces(api: Api) -> Iterator[str]:
    for namespace, members in namespaces(api).items():
        yield f"[{_text(namespace)}] = {{"
        yield from (f"  {line}" for line in _operators(members, api))
        yield "}"


def _operators(members: dict[str, list[tuple[str, Function]]], api: Api) -> Iterator[str]:
    """`add = { { "Tensor", "ctorch_aten_add_Tensor", "error self:…" }, … }`."""
    for name, found in members.items():
        yield f"[{_text(name)}] = {{"
        for overload, function in found:
            yield f"  {{ {_text(overload)}, {_text(function.name)}, {_text(signature(function, api))} }},"
        yield "}"


def _enums(enums: tuple[Enum, ...]) -> Iterator[str]:
    """Each constant by the name that a program gives: `float32` of CTORCH_DTYPE_FLOAT32."""
    for enum in enums:
        values = ", ".join(f'["{name}"] = {number}' for name, number in enum.short_values.items())
        yield f"{_key(enum.name)} = {{ {values} }}"


def _table(entries: Iterator[str]) -> str:
    lines = (f"  {e}{'' if e.endswith(('{', ',')) else ','}\n" for e in entries)
    return "return {\n" + "".join(lines) + "}\n"


def _key(name: str) -> str:
    return f'["{short(name)}"]'


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
