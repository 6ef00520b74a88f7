"""Operators -> functions of the model.

The lock decides the C face of each operator; the LibTorch at hand decides what stands behind it: the same schema is
called directly, one with more arguments gets their defaults, and an operator that LibTorch lacks answers UNSUPPORTED.
"""

from __future__ import annotations

from dataclasses import replace

from . import names, types
from .api import Function, Param
from .lock import Entry
from .policy import Policy
from .schema import Argument, GeneratorError, Operator, parse_schema


def build(
    operators: list[Operator], locked: dict[str, Entry], policy: Policy, since: str, torch_version: str
) -> list[Function]:
    """Every function of the locked ABI and of this LibTorch, sorted by name."""
    functions = []
    present = {names.function_name(op.name): op for op in operators if op.name not in policy.skip}
    for symbol in sorted(present.keys() | locked.keys()):
        entry, op = locked.get(symbol), present.get(symbol)
        if entry is None or (op is not None and entry.schema == f"aten::{op.schema}"):
            face = op
        else:
            face = parse_schema(entry.schema.removeprefix("aten::"), entry.location)
        functions.append(_function(face, op, entry.since if entry else since, policy, torch_version))
    _check_unique(functions)
    return functions


def _function(face: Operator, op: Operator | None, since: str, policy: Policy, torch_version: str) -> Function:
    taken = {a.name for a in face.arguments} | {
        names.length_name(a.name) for a in face.arguments if a.type.is_list
    }
    if len(taken) != len(face.arguments) + sum(a.type.is_list for a in face.arguments):
        raise face.error("two parameters have the same name")
    returned = [r for r in face.returns if not r.aliases_mutated]
    if returned and len(returned) != len(face.returns):
        raise face.error("returns both new results and mutated arguments")
    outputs = names.output_names([r.name for r in returned], taken)
    for name in outputs:
        if name in taken or outputs.count(name) > 1:
            raise face.error(f"output {name} has the name of another parameter")
    results = tuple(types.map_result(face, r, n) for r, n in zip(returned, outputs))
    mapped = [types.map_argument(face, a) for a in face.arguments]
    params = results + tuple(p for m in mapped for p in m.params)
    if op is None:
        body = f'return unsupported(__func__, "aten::{face.name}", "{torch_version}");'
    else:
        body = _body(face, op, outputs, params, policy.guards.get(op.name))
    return Function(
        name=names.function_name(face.name),
        header=names.header_name(face.name),
        kind="aten",
        returns="ctorch_error *",
        params=params,
        doc=f"aten::{face.schema}",
        schema=f"aten::{face.schema}",
        since=since,
        body=body,
        operator=op,
    )


def _body(
    face: Operator, op: Operator, outputs: list[str], params: tuple[Param, ...], guard: str | None
) -> str:
    statements = [f'to::require({name}, "{name}");' for name in outputs]
    mapped = [types.map_argument(op, a) for a in _seen_through(face, op)]
    accepted = sum((m.params for m in mapped), ())
    given = [p for p in params if p.role != "out"]
    for have, want in zip(given, accepted):
        if have.c_type != want.c_type:
            raise op.error(f"argument {have.name} changed from {have.c_type} to {want.c_type}: adapt it by hand")
    for extra in given[len(accepted) :]:
        if extra.role != "len":
            statements.append(f'from::refuse_newer({_is_given(face, extra)}, "{extra.name}");')
    mutable = [a.name for a, m in zip(face.arguments, mapped) if m.mutable]
    statements += [f'from::Mutable {name}_({name}, "{name}");' for name in mutable]
    if guard:
        statements.append(guard)
    expressions = [m.expression for m in mapped]
    expressions += [types.cpp_default(op, a) for a in op.arguments[len(face.arguments) :]]
    call = f"at::_ops::{op.struct}::call({', '.join(expressions)})"
    finish = [f"{name}_.finish();" for name in mutable]
    if not outputs:
        statements += [f"{call};", *finish]
    elif mutable:
        statements += [f"auto returned_ = {call};", *finish, f"to::give(std::move(returned_), {', '.join(outputs)});"]
    else:
        statements.append(f"to::give({call}, {', '.join(outputs)});")
    if len(statements) == 1:
        return f"return guard(__func__, [&] {{ {statements[0]} }});"
    lines = "".join(f"    {s}\n" for s in statements)
    return f"return guard(__func__, [&] {{\n{lines}  }});"


def _seen_through(face: Operator, op: Operator) -> list[Argument]:
    """LibTorch's leading arguments under the names and defaults that the C face gives them."""
    return [
        replace(theirs, name=ours.name, default=ours.default)
        for ours, theirs in zip(face.arguments, op.arguments)
    ]


def _is_given(face: Operator, param: Param) -> str:
    if param.c_type.endswith("*"):
        return f"{param.name} != nullptr"
    if param.default_text is None:
        raise face.error(f"argument {param.name} is unknown to this LibTorch and has no default")
    value = param.default
    return f"{param.name} != {str(value).lower() if isinstance(value, bool) else value}"


def _check_unique(functions: list[Function]) -> None:
    seen: dict[str, Function] = {}
    for function in functions:
        other = seen.setdefault(function.name.lower(), function)
        if other is not function:
            raise GeneratorError(
                f"{function.operator.location if function.operator else function.name}: {function.schema} and "
                f"{other.schema} are both called {function.name}, case aside"
            )
