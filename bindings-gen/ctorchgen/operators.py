"""Operators -> functions of the model.

The lock decides the C face of each operator; the LibTorch at hand decides what stands behind it: the same schema is
called directly, one that differs is adapted argument by argument, and an operator that LibTorch lacks is what the
policy has in its place, or answers UNSUPPORTED. Operators with a type that is out of the ABI are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import zip_longest

from . import names, types
from .api import Enum, Function, Param
from .lock import Entry
from .policy import TAPE_ROLES, EnumUse, Group, NamedDefault, Policy
from .schema import Argument, Enumerated, GeneratorError, Operator, Structured, parse_schema
from .vocabulary import ERROR, GENERATOR, STORAGE, TENSOR

HANDLES = {
    c_type
    for handle in (TENSOR, GENERATOR, STORAGE)
    for c_type in (f"{handle} *", f"const {handle} *", f"{handle} *const *", f"const {handle} *const *")
}


def build(
    operators: list[Operator],
    locked: dict[str, Entry],
    policy: Policy,
    since: str,
    torch_version: str,
    enums: Iterable[Enum] = (),
) -> list[Function]:
    """Every function of the locked ABI and of this LibTorch, sorted by name. `enums`: those of the headers."""
    functions = []
    enums = tuple(enums)
    meanings = _Meanings(policy.enums, enums)
    marks = _Marks(policy, enums)
    present = _by_symbol(op for op in operators if op.name not in policy.skip and not out_of_abi(op, policy))
    for symbol in sorted(present.keys() | locked.keys()):
        entry, op = locked.get(symbol), present.get(symbol)
        if entry is None or (op is not None and entry.schema == f"aten::{op.schema}"):
            face = op
        else:
            face = parse_schema(entry.schema.removeprefix("aten::"), entry.location)
            if names.function_name(face.name) != symbol:
                raise face.error(f"is not called {symbol}")
            if op is not None and op.name != face.name:
                raise op.error(f"has the symbol {symbol} of aten::{face.name} ({face.location})")
        if op is not face and op is not None and policy.adapted.get((op.name, f"aten::{op.schema}"), "") is None:
            op = None
        marked = marks.of_operator(meanings.of_arguments(face))
        op = marked if op is face else op and marks.of_operator(op)
        function = _function(marked, op, entry.since if entry else since, policy, torch_version)
        functions.append(marks.of_function(face, meanings.of_results(face, function)))
    meanings.check_all_used()
    marks.check_all_used()
    _check_unique(functions)
    return functions


def out_of_abi(op: Operator, policy: Policy) -> str | None:
    """The type that keeps the operator out of the ABI."""
    bases = {x.type.base for x in (*op.arguments, *op.returns)}
    return next((t for t in policy.out_of_abi if t in bases), None)


class _Meanings:
    """The `[[enum]]` entries of policy.toml: which `int` is which enumeration."""

    def __init__(self, uses: tuple[EnumUse, ...], enums: Iterable[Enum]) -> None:
        self._uses: dict[str, list[EnumUse]] = defaultdict(list)
        self._last: dict[str, int] = {}
        self._unused = [(use, pattern) for use in uses for pattern in use.operators]
        by_name = {e.name: sorted(number for _, number in e.values) for e in enums}
        for use in uses:
            numbers = by_name.get(use.type)
            if numbers is None:
                raise GeneratorError(f"{use.where}: no header has such an enumeration")
            if numbers != list(range(len(numbers))):
                raise GeneratorError(f"{use.where}: its numbers are not 0, 1, 2 …, which the check takes for granted")
            self._uses[use.argument].append(use)
            self._last[use.type] = numbers[-1]

    def of_arguments(self, op: Operator) -> Operator:
        found = {a.name: self._find(op, a.name) for a in op.arguments}
        if not any(found.values()):
            return op
        return replace(op, arguments=tuple(replace(a, enum=found[a.name]) for a in op.arguments))

    def of_results(self, op: Operator, function: Function) -> Function:
        params = tuple(
            replace(p, enum=meaning.name) if p.role == "out" and (meaning := self._find(op, p.name)) else p
            for p in function.params
        )
        return function if params == function.params else replace(function, params=params)

    def _find(self, op: Operator, name: str) -> Enumerated | None:
        found = []
        operator = op.name.partition(".")[0]
        for use in self._uses.get(name, ()):
            matching = [(use, pattern) for pattern in use.operators if fnmatchcase(operator, pattern)]
            self._unused = [u for u in self._unused if u not in matching]
            found += [use] if matching else []
        if len(found) > 1:
            raise op.error(f"{name} is {' and '.join(u.type for u in found)} ({found[1].where})")
        return Enumerated(found[0].type, self._last[found[0].type]) if found else None

    def check_all_used(self) -> None:
        if self._unused:
            use, pattern = self._unused[0]
            raise GeneratorError(f"{use.where}: no operator {pattern} has a parameter {use.argument}")


def prebuilt(kernels: list[Structured], policy: Policy) -> list[Structured]:
    """The structured kernels that tapes make ready beforehand: those of which policy.toml says nothing else."""
    left_out = set()
    for group in policy.not_prebuilt:
        for name in group.operators:
            found = {k for k in kernels if name in k.overloads}
            if not found:
                raise GeneratorError(f"{group.where}: no structured kernel is of {name}")
            left_out |= found
    return [k for k in kernels if k not in left_out]


def tape_roles(names: Iterable[str], policy: Policy) -> dict[str, tuple[str, ...]]:
    """The roles that each operator has for tapes, by its name with overload. `names` are those of all versions."""
    found: dict[str, set[str]] = {}
    known = sorted(names)
    for entry in policy.tape:
        for pattern in entry.operators:
            matching = [name for name in known if _has_role(name, pattern)]
            if not matching:
                raise GeneratorError(f"{entry.where}: no operator {pattern}")
            for name in matching:
                if entry.role in found.setdefault(name, set()):
                    raise GeneratorError(f"{entry.where}: {name} has the role {entry.role} already")
                found[name].add(entry.role)
    return {name: tuple(r for r in TAPE_ROLES if r in roles) for name, roles in sorted(found.items())}


def _has_role(name: str, pattern: str) -> bool:
    if pattern.endswith("."):
        return name == pattern[:-1]
    return fnmatchcase(name, pattern) or fnmatchcase(name.partition(".")[0], pattern)


class _Marks:
    """What policy.toml says of groups of operators and of defaults that are words."""

    def __init__(self, policy: Policy, enums: Iterable[Enum]) -> None:
        numbers = {name: number for e in enums for name, number in e.values}
        self._defaults: dict[tuple[str, str], tuple[NamedDefault, int]] = {}
        for default in policy.defaults:
            if default.constant not in numbers:
                raise GeneratorError(f"{default.where}: no header has the constant {default.constant}")
            if (default.type, default.text) in self._defaults:
                raise GeneratorError(f"{default.where}: {default.text} is listed twice")
            self._defaults[default.type, default.text] = default, numbers[default.constant]
        self._unused_defaults = {d.text: d for d in policy.defaults}
        self._policy = policy
        groups = (*policy.default_device, *policy.number_as_tensor, *policy.never_negative)
        self._unused = {(id(group), pattern): group for group in groups for pattern in group.operators}

    def _member(self, groups: tuple[Group, ...], op: Operator) -> bool:
        found = False
        names = op.name, op.name.partition(".")[0]
        for group in groups:
            for pattern in group.operators:
                if any(fnmatchcase(name, pattern) for name in names):
                    self._unused.pop((id(group), pattern), None)
                    found = True
        return found

    def of_operator(self, op: Operator) -> Operator:
        arguments = tuple(self._of_default(a) for a in op.arguments)
        return replace(op, arguments=arguments, follows_default_device=self._member(self._policy.default_device, op))

    def _of_default(self, argument: Argument) -> Argument:
        found = self._defaults.get((argument.type.base, argument.default or ""))
        if found is None:
            return argument
        default, number = found
        self._unused_defaults.pop(default.text, None)
        return replace(argument, constant=number)

    def of_function(self, op: Operator, function: Function) -> Function:
        return replace(
            function,
            numbers_as_tensors=self._member(self._policy.number_as_tensor, op),
            never_negative=self._member(self._policy.never_negative, op),
        )

    def check_all_used(self) -> None:
        for (_, pattern), group in self._unused.items():
            raise GeneratorError(f"{group.where}: no operator {pattern}")
        for default in self._unused_defaults.values():
            raise GeneratorError(f"{default.where}: no {default.type} of a schema has the default {default.text}")


def _by_symbol(operators: Iterator[Operator]) -> dict[str, Operator]:
    present: dict[str, Operator] = {}
    for op in operators:
        symbol = names.function_name(op.name)
        other = present.setdefault(symbol, op)
        if other is not op:
            raise op.error(f"has the symbol {symbol} of aten::{other.name} ({other.location})")
    return present


def _function(face: Operator, op: Operator | None, since: str, policy: Policy, torch_version: str) -> Function:
    mapped = [types.map_argument(face, a) for a in face.arguments]
    arguments = tuple(p for m in mapped for p in m.params)
    taken = {p.name for p in arguments}
    _check_names(face, arguments, {names.mutable_name(m.params[0].name) for m in mapped if m.mutable})
    returned = [r for r in face.returns if r.argument is None]
    if returned and len(returned) != len(face.returns):
        raise face.error("returns both new results and mutated arguments")
    outputs = names.output_names([r.name for r in returned], taken)
    for name in outputs:
        if name in taken or outputs.count(name) > 1:
            raise face.error(f"output {name} has the name of another parameter")
    results = tuple(types.map_result(face, r, n) for r, n in zip(returned, outputs))
    substitute = policy.substitutes.get(face.name) if op is None else None
    if op is not None:
        body = _body(face, op, results, arguments, policy)
    elif substitute is not None:
        body = _guarded(face, [], substitute.call, results, arguments, policy)
    else:
        body = f'return unsupported(__func__, "aten::{face.name}", "{torch_version}");'
    return Function(
        name=names.function_name(face.name),
        header=names.header_name(face.name),
        kind="aten",
        returns=f"{ERROR} *",
        params=results + arguments,
        returns_nullable=True,
        returned_arguments=tuple(r.argument for r in face.returns if r.argument is not None),
        doc=f"aten::{face.schema}",
        schema=f"aten::{face.schema}",
        since=since,
        body=body,
        operator=op,
        substitute=substitute and substitute.include,
        available=op is not None or substitute is not None,
    )


def _check_names(face: Operator, arguments: tuple[Param, ...], mutable: set[str]) -> None:
    seen: set[str] = set()
    for param in arguments:
        if param.name in seen:
            raise face.error(f"two parameters are called {param.name}")
        if names.is_reserved(param.name):
            raise face.error(f"parameter {param.name} is a word of C, of C++ or of the generated code")
        if param.name in mutable | {names.RETURNED}:
            raise face.error(f"parameter {param.name} has the name of a variable of the generated code")
        seen.add(param.name)


def _body(
    face: Operator, op: Operator, results: tuple[Param, ...], arguments: tuple[Param, ...], policy: Policy
) -> str:
    adapted = policy.adapted.get((op.name, f"aten::{op.schema}"))
    refusals, call = ([], adapted) if adapted and face is not op else _adapted_call(face, op, results)
    return _guarded(face, refusals, call, results, arguments, policy)


def _guarded(
    face: Operator,
    refusals: list[str],
    call: str,
    results: tuple[Param, ...],
    arguments: tuple[Param, ...],
    policy: Policy,
) -> str:
    """The guard around a call of LibTorch, with what comes before and after it."""
    outputs = [p.name for p in results]
    statements = [*(f'to::require({name}, "{name}");' for name in outputs), *refusals]
    mutable = [a.name for a in face.arguments if types.map_argument(face, a).mutable]
    statements += [f'from::Mutable {names.mutable_name(name)}({name}, "{name}");' for name in mutable]
    if refusal := policy.guards.get(face.name):
        statements.append(refusal)
    finish = [f"{names.mutable_name(name)}.finish();" for name in mutable]
    if not outputs:
        statements += [f"{call};", *finish]
    elif mutable:
        returned = names.RETURNED
        statements += [f"auto {returned} = {call};", *finish]
        statements.append(f"to::give(std::move({returned}), {', '.join(outputs)});")
    else:
        statements.append(f"to::give_result_of([&] {{ return {call}; }}, {', '.join(outputs)});")
    params = results + arguments
    start = "return guard(__func__"
    if outputs and not mutable and not _has_state(face, policy):
        start = f"return guard_repeatable({names.function_name(face.name)}, __func__"
    else:  # what it looks at before the call: handles, and how many there are
        handles = {p.name for p in arguments if p.c_type in HANDLES}
        params = tuple(p for p in arguments if p.name in handles or p.len_of in handles)
    end = "".join(f", {p.name}" for p in params)
    if params:
        start += f', "{" ".join(p.name for p in params)}"'
    if len(statements) == 1:
        return f"{start}, [&] {{ {statements[0]} }}{end});"
    lines = "".join(f"    {s}\n" for s in statements)
    return f"{start}, [&] {{\n{lines}  }}{end});"


def _has_state(op: Operator, policy: Policy) -> bool:
    """Whether it changes more than the marks of its schema say, so that a second call is not the first one again."""
    return op.name in policy.stateful or any(a.mutated for a in op.arguments)


def _adapted_call(face: Operator, op: Operator, results: tuple[Param, ...]) -> tuple[list[str], str]:
    """The statements that refuse what this LibTorch does not know yet, and the call of LibTorch."""
    refusals, expressions = [], []
    for ours, theirs in _paired(face, op):
        if theirs is None:
            refusals.append(f'from::refuse_newer({_is_given(face, ours)}, "{ours.name}");')
        elif ours is None:
            expressions.append(types.cpp_default(op, theirs))
        else:
            # Through the eyes of the C face: its name and its default, but LibTorch's type.
            have, want = types.map_argument(face, ours), types.map_argument(op, theirs)
            _check_same(op, f"argument {ours.name}", have.params, want.params)
            # A None that LibTorch no longer takes is what LibTorch now has in its place.
            default = theirs.default if ours.default == "None" and not theirs.type.optional else ours.default
            seen = replace(theirs, name=ours.name, default=default, enum=ours.enum)
            expressions.append(types.map_argument(op, seen).expression)
    returned = [types.map_result(op, r, "out") for r in op.returns if r.argument is None]
    _check_same(op, "the result", results, returned)
    return refusals, f"at::_ops::{op.struct}::call({', '.join(expressions)})"


def _paired(face: Operator, op: Operator) -> list[tuple[Argument | None, Argument | None]]:
    """Each argument of the C face with LibTorch's, in LibTorch's order.

    Equal names belong together. Between two such pairs, the others belong together in their order: they were renamed.
    What is left over on one side alone is an argument that the other does not have.
    """
    ours, theirs = [a.name for a in face.arguments], [a.name for a in op.arguments]
    common = [name for name in ours if name in theirs]
    if common != [name for name in theirs if name in ours]:
        raise op.error(f"the arguments {', '.join(common)} have changed places: adapt it in policy.toml")
    pairs: list[tuple[Argument | None, Argument | None]] = []
    i = j = 0
    for name in common:
        i_end, j_end = ours.index(name), theirs.index(name)
        pairs += zip_longest(face.arguments[i:i_end], op.arguments[j:j_end])
        pairs.append((face.arguments[i_end], op.arguments[j_end]))
        i, j = i_end + 1, j_end + 1
    return pairs + list(zip_longest(face.arguments[i:], op.arguments[j:]))


def _check_same(op: Operator, what: str, have: tuple[Param, ...], want: tuple[Param, ...] | list[Param]) -> None:
    from_, to = (", ".join(p.c_type for p in params) or "nothing" for params in (have, want))
    if from_ != to:
        raise op.error(f"{what} changed from {from_} to {to}: adapt it in policy.toml")


def _is_given(face: Operator, argument: Argument) -> str:
    """Whether the caller asks for more than this LibTorch does: anything else than the default."""
    param, *length = types.map_argument(face, argument).params
    if argument.default is None and not argument.type.optional:
        raise face.error(f"argument {param.name} is unknown to this LibTorch and has no default")
    if length:
        return f"{param.name} != nullptr || {length[0].name} != 0"
    if param.c_type.endswith("*"):
        return f"{param.name} != nullptr"
    return f"{param.name} != {str(param.default).lower() if isinstance(param.default, bool) else param.default}"


def _check_unique(functions: list[Function]) -> None:
    """Symbols differ in more than case: some linkers and languages do not look at it."""
    seen: dict[str, Function] = {}
    for function in functions:
        other = seen.setdefault(function.name.lower(), function)
        if other is not function:
            raise GeneratorError(
                f"{function.operator.location if function.operator else function.name}: {function.schema} and "
                f"{other.schema} are both called {function.name}, case aside"
            )
