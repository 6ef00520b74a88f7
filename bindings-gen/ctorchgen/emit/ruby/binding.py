"""The Ruby binding's tables: one line for each function and callback, and the constants.

The binding itself is written by hand (languages/ruby): it makes a method from such a line when the program first calls
it, so that nothing is parsed or bound at start. A line is

    ctorch_aten_mul_Tensor error >out:handle:tensor self:handle:tensor other:handle:tensor
    ctorch_checkpoint error >out:handle:tensor_list function:callback:tensors inputs:handles:tensor~ inputs_len:len …

the name, what C returns (with its type), and C's parameters: `name:kind:type`, kinds and types being those of
surface.py without `ctorch_`, `len` for a length. `>` is a result; after an argument stand `=text`, what to pass where
NULL does not mean the default, `?` for a default that NULL means, `~` for one that may be nil and has no default.
Behind an operator that returns its arguments stands ` -> ` with their names.

`overloads.txt` has the overloads of operators that have several, an operator a line.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api, Callback, Enum, Function
from ...names import bare
from ...surface import Argument, Result, Surface


class Ruby:
    def emit(self, api: Api) -> dict[str, str]:
        functions = [_line(f, api) for f in (*api.functions, *api.callbacks)]
        folder = "bindings/ruby/lib/ctorch"
        return {
            f"{folder}/functions.txt": "\n".join(functions) + "\n",
            f"{folder}/overloads.txt": "".join(f"{line}\n" for line in _overloads(api)),
            f"{folder}/constants.rb": "\n".join(_constants(api)) + "\n",
        }


def _line(function: Function | Callback, api: Api) -> str:
    surface = Surface.of(function, api)
    described = {a.name: _argument(a) for a in surface.arguments} | {r.name: _result(r) for r in surface.results}
    returned = surface.returned + (f":{bare(surface.returned_type)}" if surface.returned == "value" else "")
    for p in function.params:
        if p.name not in described:
            described[p.name] = f"{'>' if p.role == 'out' else ''}{p.name}:len:size_t"
    words = [described[p.name] for p in function.params]
    if surface.returned_arguments:
        words += ["->", *(a.name for a in surface.returned_arguments)]
    return " ".join((function.name, returned, *words))


def _argument(a: Argument) -> str:
    text = f"{a.name}:{a.kind}:{bare(a.type)}"
    if a.kind == "value" and a.has_default:
        return f"{text}={str(a.param.default).lower()}"
    if a.has_default:
        return f"{text}?"
    return f"{text}~" if a.optional else text


def _result(r: Result) -> str:
    return f">{r.name}:{r.kind}:{bare(r.type)}"


def _overloads(api: Api) -> Iterator[str]:
    """`add add_Tensor add_Scalar`: operators that have overloads. Those that write to `out`
    are called by their own names."""
    found: dict[str, list[str]] = {}
    for function in api.functions:
        if function.kind == "aten":
            schema = function.schema.removeprefix("aten::")
            base = schema.partition("(")[0].partition(".")[0]
            out = any(p.mutated for p in function.params) and not base.endswith("_")
            if not out:
                found.setdefault(base, []).append(bare(function.name).removeprefix("aten_"))
    for base, names in sorted(found.items()):
        if names != [base]:
            yield " ".join((base, *names))


def _constants(api: Api) -> Iterator[str]:
    yield f"# ctorch {api.version}: generated."
    yield "module Ctorch"
    yield "  # Constants are symbols: `dtype: :float32`. This is what C knows them by."
    yield "  CONSTANTS = {"
    for enum in api.enums:
        yield f"    {bare(enum.name)}: {{ {_pairs(enum)} }},"
    yield "  }.each_value(&:freeze).freeze"
    yield ""
    yield "  # What stands above the operators, by the module that has it: `Ctorch::NN.Conv2d(1, 32, 3, padding: 1)`."
    yield "  NAMESPACES = {"
    for namespace in api.namespaces:
        yield f"    {namespace}: :{_module(namespace)},"
    yield "  }.freeze"
    yield ""
    yield "  # What gives a handle back, and what adds a reference."
    yield "  COUNTING = {"
    for opaque in api.opaque:
        if opaque.release and not opaque.name.startswith("struct "):
            retain = f":{opaque.retain}" if opaque.retain else "nil"
            yield f"    {bare(opaque.name)}: [:{opaque.release}, {retain}],"
    yield "  }.freeze"
    yield "end"


def _module(namespace: str) -> str:
    """`nn` -> `NN`, `lr_scheduler` -> `LRScheduler`, `optim` -> `Optim`"""
    return "".join(word.upper() if len(word) == 2 else word.capitalize() for word in namespace.split("_"))


def _pairs(enum: Enum) -> str:
    return ", ".join(f"{name}: {number}" for name, number in enum.short_values.items())
