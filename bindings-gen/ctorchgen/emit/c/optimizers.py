"""C that makes an optimizer from a struct of options, and the table by which ctorch_optim_create finds its class.

An optimizer keeps its arguments as a dict, by which groups differ: what is written here puts them there.
shim/optim/optimizer.h has the rest.
"""

from __future__ import annotations

import json
import re

from ...api import Param
from ...constructors import Constructor
from ...schema import Argument, GeneratorError
from ...vocabulary import ERROR, OPTIMIZER

KINDS = {"float": "double", "int": "int", "bool": "bool", "str": "text"}
TABLE_KINDS = {"float": "NUMBER", "int": "INT", "bool": "BOOL", "str": "TEXT"}
PARAMS = "params"


def makes_optimizer(constructor: Constructor) -> bool:
    return [str(r.type) for r in constructor.signature.returns] == ["Optimizer"]


def declaration(constructor: Constructor) -> str:
    """The class that the layer defines."""
    return f"extern const optimizer_class {constructor.identifier}_class;\n"


def definition(constructor: Constructor, params: dict[str, Param]) -> str:
    name = constructor.identifier
    arguments = _options(constructor)
    lines = "".join(f"  {_record(constructor, a, params)};\n" for a in arguments)
    return (
        f"\nstatic {ERROR} *{name}_new(\n    const char *function, {OPTIMIZER} **out, "
        f"const struct {name}_options *options) {{\n"
        "  struct optimizer_record record;\n"
        f"  optimizer_record_begin(&record, function);\n{lines}"
        f"  return optimizer_record_end(&record, out, &{name}_class, options->{PARAMS}, options->{PARAMS}_len);\n}}\n\n"
        f"static const struct optimizer_argument {name}_arguments[] = {{\n"
        f"{''.join(f'    {_row(constructor, a, params)},' + chr(10) for a in arguments)}}};\n\n"
    )


def table(kind: str, constructors: list[Constructor]) -> str:
    rows = "".join(
        f'    {{"{c.name}", &{c.identifier}_class, {c.identifier}_arguments, {len(_options(c))}}},\n'
        for c in constructors
    )
    return f"\nconst struct optimizer_entry {kind}_entries[] = {{\n{rows}    {{NULL, NULL, NULL, 0}},\n}};\n"


def table_declaration(kind: str) -> str:
    return (
        f"\n/** What {kind}.schema has, by its name; one without a name ends them. */\n"
        f"extern const struct optimizer_entry {kind}_entries[];\n"
    )


def _options(constructor: Constructor) -> tuple[Argument, ...]:
    first, *rest = constructor.signature.arguments
    if first.name != PARAMS or str(first.type) != "Tensor[]":
        raise constructor.error(f"an optimizer's first argument is `Tensor(a!)[] {PARAMS}`")
    return tuple(rest)


def _kind(constructor: Constructor, argument: Argument) -> str:
    t = argument.type
    if t.base not in KINDS or (t.is_list and (t.base != "float" or t.size is None or t.optional)):
        raise GeneratorError(f"{constructor.location}: no option of an optimizer has the type {t} of {argument.name}")
    return f"{KINDS[t.base]}s" if t.is_list else KINDS[t.base]


def _record(constructor: Constructor, argument: Argument, params: dict[str, Param]) -> str:
    kind, field = _kind(constructor, argument), f"options->{argument.name}"
    if argument.type.is_list:
        return f'optimizer_record_{kind}(&record, "{argument.name}", {field}, {argument.type.size})'
    is_pointer = params[argument.name].c_type.endswith("*")
    return f'optimizer_record_{kind}(&record, "{argument.name}", {field if is_pointer else f"&{field}"})'


def _ints(argument: Argument) -> int:
    """Which numbers of a default are ints to Python though the type is float, as bits."""
    if argument.type.base != "float":
        return 0
    texts = re.findall(r"[^\[\], ]+", str(argument.default))
    return sum(1 << i for i, text in enumerate(texts) if re.fullmatch(r"-?\d+", text))


def _row(constructor: Constructor, argument: Argument, params: dict[str, Param]) -> str:
    t = argument.type
    _kind(constructor, argument)
    fields = [f'.name = "{argument.name}"', f".kind = OPTIMIZER_{TABLE_KINDS[t.base]}{'S' if t.is_list else ''}"]
    if t.optional:
        fields.append(".is_optional = true")
    if argument.keyword_only:
        fields.append(".is_keyword_only = true")
    default = params[argument.name].default
    if argument.default is None:
        raise constructor.error(f"{argument.name} has no default, as all options of optimizers have")
    if argument.default == "None":
        fields.append(".is_none = true")
    elif t.base == "str":
        fields.append(f".text = {json.dumps(default)}")
    else:
        values = default if t.is_list else [default]
        numbers = ", ".join(repr(float(v)) for v in values)
        fields.append(f".numbers = (const double[]){{{numbers}}}, .numbers_len = {len(values)}")
        ints = _ints(argument)
        if ints:
            fields.append(f".ints = {ints}")
    return f"{{{', '.join(fields)}}}"
