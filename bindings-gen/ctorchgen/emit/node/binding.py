"""What the Node.js binding reads: the declarations, every function in one line (signatures.py), and TypeScript's types.

The modules in languages/node/ make the JavaScript function for an operator from its line when a program first uses it,
and hand its line of the declarations to koffi.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from ...api import Api, Function
from ...names import bare, short
from ...surface import Argument, Result, Surface
from ...vocabulary import (
    DATASET,
    ITERATOR,
    LOADER,
    METRIC,
    MODULE,
    SAMPLER,
    STRING,
    TENSOR,
    TENSOR_LIST,
    TRANSFORM,
    VALUE,
)
from ..c.cdef import CDef
from ..signatures import MAY_THREAD, layers, namespaces, overloads, signature

FOLDER = "bindings/node"
VALUES = {"bool": "boolean", "double": "number", "scalar": "ScalarLike", "device": "string", "stream": "Stream"}
RESULTS = {"bool": "boolean", "double": "number", "scalar": "Scalar", "device": "string", "stream": "Stream"}
CLASSES = {
    DATASET: "Dataset",
    ITERATOR: "ValueIterator",
    LOADER: "DataLoader",
    METRIC: "Metric",
    MODULE: "Module",
    SAMPLER: "Sampler",
    TENSOR: "Tensor",
    TRANSFORM: "Transform",
}
WORDS = frozenset(
    "arguments break case catch class const continue debugger default delete do else enum eval export extends false "
    "finally for function if implements import in instanceof interface let new null package private protected public "
    "return static super switch this throw true try typeof var void while with yield".split()
)


class Node:
    def emit(self, api: Api) -> dict[str, str]:
        core = [f for f in api.functions if f.kind == "core"]
        tables = {
            "enums": {short(e.name): e.short_values for e in api.enums},
            "functions": {short(f.name): signature(f, api) for f in core},
            "callbacks": {bare(c.name): signature(c, api) for c in api.callbacks},
            "handles": {short(o.name): o.release for o in api.opaque if o.release and not o.name.startswith("struct ")},
            "operators": {
                name: [[overload, f.name, signature(f, api)] for overload, f in found]
                for name, found in overloads(api).items()
            },
            "namespaces": {
                namespace: {
                    name: [[overload, f.name, signature(f, api)] for overload, f in found]
                    for name, found in members.items()
                }
                for namespace, members in namespaces(api).items()
            },
        }
        tables["layers"] = layers(api)
        files = {f"generated/{name}.json": _json(table) for name, table in tables.items()}
        files |= {f"generated/{name}": text for name, text in CDef().emit(api).items()}
        files["generated/operators.d.ts"] = "".join(f"{line}\n" for line in Declarations(api).lines())
        return {f"{FOLDER}/{path}": text for path, text in files.items()}


class Declarations:
    """TypeScript's view of the operators and functions."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.enums = {e.name: _camel(e.name) for e in api.enums}

    def lines(self) -> Iterator[str]:
        yield f"// Generated from the API of ctorch {self.api.version}; do not edit."
        others = "Callback", "Handle", "Int", "Native", "Scalar", "ScalarLike", "Stream", "TransformLike"
        yield "import type {"
        yield from (f"  {name}," for name in sorted((*others, *CLASSES.values())))
        yield '} from "../index.js";'
        for enum in self.api.enums:
            names = " | ".join(json.dumps(name) for name in enum.short_values)
            yield f"export type {self.enums[enum.name]} = {names};"
        yield from self._interface("Operators", overloads(self.api))
        yield "export interface Namespaces {"
        for namespace, members in namespaces(self.api).items():
            lines = list(self._interface("", members))
            yield f"  {namespace}: {{"
            yield from (f"  {line}" for line in lines[1:])
        yield "}"
        yield "export interface Functions {"
        for function in self.api.functions:
            if function.kind == "core":
                yield f"  {_property(short(function.name))}: Overload<{self._arrow(function)}>;"
        yield "}"
        yield "type Overload<F extends (...given: any[]) => any> = F & {"
        yield "  async: (...given: Parameters<F>) => Promise<ReturnType<F>>;"
        yield "};"

    def _interface(self, name: str, members: dict[str, list[tuple[str, Function]]]) -> Iterator[str]:
        yield f"export interface {name} {{"
        for name, found in members.items():
            yield f"  {_property(name)}: {{"
            for _, function in found:
                yield f"    {self._call(function)}"
            yield f"    async: {{ {' '.join(self._call(f, 'Promise') for _, f in found)} }};"
            for overload, function in found:
                yield f"    {_property(overload)}: Overload<{self._arrow(function)}>;"
            yield "  };"
        yield "}"

    def _call(self, function: Function, wrap: str = "") -> str:
        parameters, returned = self._types(function)
        return f"({parameters}): {f'{wrap}<{returned}>' if wrap else returned};"

    def _arrow(self, function: Function) -> str:
        parameters, returned = self._types(function)
        return f"({parameters}) => {returned}"

    def _types(self, function: Function) -> tuple[str, str]:
        surface = Surface.of(function, self.api)
        given = [a for a in surface.arguments if a.kind not in ("payload", "destroy") and a.name != MAY_THREAD]
        buffers = [r for r in surface.results if r.kind == "buffer"]
        order = {p.name: i for i, p in enumerate(function.params)}
        positional: list[tuple[str, str, bool]] = []
        for word in sorted([*(a for a in given if not a.keyword_only), *buffers], key=lambda w: order[w.name]):
            if isinstance(word, Result):
                positional.append((word.name, "ArrayBufferView", False))
            else:
                positional.append((word.name, self._argument(word), word.optional))
        keywords = [a for a in given if a.keyword_only]
        parts, all_optional = [], not any(not a.optional for a in keywords)
        if keywords:
            fields = "; ".join(f"{_property(a.name)}{'?' if a.optional else ''}: {self._argument(a)}" for a in keywords)
            parts.append(f"options{'?' if all_optional else ''}: {{ {fields} }}")
        for name, type_, optional in reversed(positional):
            all_optional = all_optional and optional
            parts.insert(0, f"{_parameter(name)}{'?' if all_optional else ''}: {type_}")
        return ", ".join(parts), self._returned(surface)

    def _argument(self, argument: Argument) -> str:
        none = " | null" if argument.optional and argument.kind != "value" else ""
        if argument.kind in ("value", "pointer"):
            return self._value(argument.type, VALUES) + none
        if argument.kind == "list":
            item = self._value(argument.type, VALUES)
            one = f" | {item}" if re.search(r"\[\d+\]", argument.param.type or "") else ""
            return f"readonly ({item})[]{one}{none}"
        if argument.type == VALUE and argument.name != "self":
            return "Native" if argument.kind == "handle" else f"readonly Native[]{none}"
        if argument.kind in ("handle", "handles"):
            like = argument.type == TRANSFORM and argument.name != "self"
            handle = "TransformLike" if like else self._handle(argument.type)
            return f"{handle}{none}" if argument.kind == "handle" else f"readonly ({handle} | null)[]{none}"
        return {
            "string": "string",
            "strings": "readonly string[]",
            "bytes": "ArrayBufferView | string",
            "address": "bigint | ArrayBufferView",
            "callback": "Callback",
        }[argument.kind] + none

    def _returned(self, surface: Surface) -> str:
        results = [self._result(r) for r in surface.results if r.kind != "buffer"]
        results += ["Tensor" for _ in surface.returned_arguments]
        if surface.returned not in ("error", "nothing"):
            first = {
                "value": self._value(surface.returned_type, RESULTS),
                "string": "string | null",
                "list": "bigint | null",
                "handle": "bigint | null",
                "handles": "bigint | null",
                "address": "bigint | null",
            }[surface.returned]
            results.insert(0, first)
        if len(results) > 1:
            return f"[{', '.join(results)}]"
        return results[0] if results else "void"

    def _result(self, result: Result) -> str:
        if result.kind in ("value", "struct"):
            return self._value(result.type, RESULTS)
        if result.kind == "handle":
            if result.type == TENSOR_LIST:
                return "Tensor[]"
            return "string" if result.type == STRING else self._handle(result.type)
        return {"string": "string | null", "list": "Int[]", "address": "bigint | null"}[result.kind]

    def _value(self, c_type: str, plain: dict[str, str]) -> str:
        return self.enums.get(c_type) or plain.get(short(c_type)) or "Int"

    @staticmethod
    def _handle(c_type: str) -> str:
        return CLASSES.get(c_type) or f'Handle<"{short(c_type)}">'


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in short(name).split("_"))


def _property(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _parameter(name: str) -> str:
    return f"{name}_" if name in WORDS else name


def _json(table: dict[str, object]) -> str:
    """An entry a line, so that a difference between two versions can be read."""
    lines: Iterable[str] = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
