"""bindings/simple/symbols.sdn: every symbol of libspl_ctorch.so and what its words mean; word.py has the kinds."""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api
from ...word import NAMED, Result, Slot, WordApi, WordFunction


class WordTable:
    functions = NAMED

    def emit(self, api: Api) -> dict[str, str]:
        return {"bindings/simple/symbols.sdn": "".join(f"{line}\n" for line in _lines(WordApi.of(api)))}


def _lines(words: WordApi) -> Iterator[str]:
    yield "# Every symbol of libspl_ctorch.so. arity: words of the C function. arguments: name and kind; `?` may be 0;"
    yield "# a function with more than 8 arguments takes them in a pack, as its one word."
    yield "symbols:"
    for function in words.all:
        yield "    -"
        yield f"        name: {function.name}"
        yield f"        transport: {function.transport}"
        yield f"        arity: {function.arity}"
        yield f"        packed: {str(function.packed).lower()}"
        yield f"        arguments: [{', '.join(_argument(s) for s in function.slots)}]"
        yield f"        result: {_result(function)}"


def _argument(slot: Slot) -> str:
    default = f" = {int(slot.default)}" if slot.plain and slot.default is not None else ""
    return f'"{slot.name} {_kind(slot)}{"?" if slot.optional else ""}{default}"'


def _kind(slot: Slot | Result) -> str:
    return slot.handle_kind if slot.kind == "handle" else slot.kind


def _result(function: WordFunction) -> str:
    result = function.result
    items = f"({', '.join(_kind(i) for i in result.items)})" if result.kind == "tuple" else ""
    return f'"{_kind(result)}{items}{"?" if result.optional else ""}"'
