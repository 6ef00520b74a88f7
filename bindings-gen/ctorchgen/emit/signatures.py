"""A function in one line of text, for the bindings that make the call from it when the program first asks for it.

    error self:handle:tensor other:handle:tensor alpha:pointer:scalar?* >out:handle:tensor

First what the C function returns (`Surface.returned`, with its type after a colon), then its parameters in C's order,
lengths left out: `name:kind:type`, kinds and types being those of surface.py without `ctorch_`. `>` is a
result. `name:never:bool` is a flag that these bindings always give as false: `may_thread`, for a callback that could be
called on other threads. After an argument stand

    =text  what to pass if the user gives nothing
    [n]    a list of n entries, for which one number may stand
    ?      it may be left out: NULL is passed, which means the default
    ~      it may be left out, but has no default: NULL means None, or an empty list
    *      by name alone

and behind an operator that returns its arguments, ` -> ` with their names.
"""

from __future__ import annotations

import re
from collections import defaultdict

from ..api import Api, Callback, Function
from ..names import bare
from ..surface import Argument, Result, Surface

MAY_THREAD = "may_thread"  # these languages run on one thread
WITH_TYPE = ("value", "list", "handle", "handles")


def signature(function: Function | Callback, api: Api) -> str:
    surface = Surface.of(function, api)
    returned = surface.returned + (f":{bare(surface.returned_type)}" if surface.returned in WITH_TYPE else "")
    described = {a.name: _argument(a) for a in surface.arguments} | {r.name: _result(r) for r in surface.results}
    words = [returned] + [described[p.name] for p in function.params if p.name in described]
    returns = " ".join(a.name for a in surface.returned_arguments)
    return " ".join(words) + (f" -> {returns}" if returns else "")


def overloads(api: Api, kind: str = "aten") -> dict[str, list[tuple[str, Function]]]:
    """The overloads of each operator, or of each entry of a schema file, with their names, those with few arguments
    first: the order in which a binding tries which one fits."""
    found = defaultdict(list)
    for function in api.functions:
        if function.kind == kind:
            surface = Surface.of(function, api)
            found[surface.member].append((len(surface.arguments), surface.variant, function))
    return {name: [entry[1:] for entry in sorted(found[name], key=lambda e: e[:2])] for name in sorted(found)}


def namespaces(api: Api) -> dict[str, dict[str, list[tuple[str, Function]]]]:
    """What the schema files offer: `nn`, `init` …, each with its `overloads`."""
    return {namespace: overloads(api, namespace) for namespace in api.namespaces}


def layers(api: Api) -> dict[str, bool]:
    """The classes of torch.nn, and whether such a module takes and gives one tensor."""
    found: dict[str, bool] = {}
    for function in api.functions:
        if function.kind == "nn" and (function.schema or "").endswith(" -> Module"):
            name = (function.schema or "").partition("(")[0].split(".")[1]
            one = function.forward == "(Tensor input) -> Tensor"
            found[name] = one and all(p.name != "return_indices" for p in function.params)
    return dict(sorted(found.items()))


def _argument(argument: Argument) -> str:
    param = argument.param
    if argument.name == MAY_THREAD:
        return f"{argument.name}:never:{argument.type}"
    text = f"{argument.name}:{argument.kind}:{bare(argument.type)}"
    if argument.kind == "value" and argument.has_default:
        text += f"={str(param.default).lower()}"
    fixed = re.search(r"\[(\d+)\]", param.type or "")
    if fixed:
        text += fixed[0]
    if argument.optional and argument.kind != "value":
        text += "?" if argument.has_default else "~"
    return text + ("*" if param.keyword_only else "")


def _result(result: Result) -> str:
    return f">{result.name}:{result.kind}:{bare(result.type)}{'?' if result.optional else ''}"
