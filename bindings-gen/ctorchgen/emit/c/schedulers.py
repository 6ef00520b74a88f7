"""C that makes a learning rate scheduler from a struct of options, and the table by which
ctorch_lr_scheduler_create finds its class.

A scheduler gets its arguments as a dict under their names, from which its class makes its attributes. Overloads, which
have a list where Python takes a number or a list, share the class. shim/lr_scheduler/scheduler.h has the rest.
"""

from __future__ import annotations

import json

from ...api import Param
from ...constructors import Constructor
from ...schema import Argument, GeneratorError
from ...vocabulary import ERROR, LR_SCHEDULER

KINDS = {"float": "double", "int": "int", "bool": "bool", "str": "text"}
LISTS = {"float": "doubles", "int": "ints"}
OPTIMIZER = "optimizer"


def makes_scheduler(constructor: Constructor) -> bool:
    """Whether it is one of an optimizer and options alone; what has other schedulers is written by hand."""
    signature = constructor.signature
    return [str(r.type) for r in signature.returns] == ["LRScheduler"] and not any(
        a.type.base == "LRScheduler" for a in signature.arguments
    )


def declaration(constructor: Constructor) -> str:
    """The class that the layer defines."""
    return f"extern const lr_scheduler_class {_class(constructor)};\n" if not _is_overload(constructor) else ""


def definition(constructor: Constructor, params: dict[str, Param]) -> str:
    name, arguments = constructor.identifier, _options(constructor)
    lines = "".join(f"  {_record(constructor, a, params)};\n" for a in arguments)
    text = (
        f"\nstatic {ERROR} *{name}_new(\n    const char *function, {LR_SCHEDULER} **out, "
        f"const struct {name}_options *options) {{\n"
        "  struct optimizer_record record;\n"
        f"  optimizer_record_begin(&record, function);\n{lines}"
        f"  return lr_scheduler_record_end(&record, out, &{_class(constructor)}, options->{OPTIMIZER});\n}}\n\n"
    )
    if _is_overload(constructor):
        return text
    return text + (
        f"static const struct lr_scheduler_argument {name}_arguments[] = {{\n"
        f"{''.join(f'    {_row(constructor, a, params)},' + chr(10) for a in arguments)}}};\n\n"
    )


def table(kind: str, constructors: list[Constructor]) -> str:
    rows = "".join(
        f'    {{"{c.name}", &{_class(c)}, {c.identifier}_arguments, {len(_options(c))}}},\n'
        for c in constructors
        if not _is_overload(c)
    )
    return f"\nconst struct lr_scheduler_entry {kind}_entries[] = {{\n{rows}    {{NULL, NULL, NULL, 0}},\n}};\n"


def table_declaration(kind: str) -> str:
    return (
        f"\n/** What {kind}.schema has that can be made of values, by its name; one without a name ends them. */\n"
        f"extern const struct lr_scheduler_entry {kind}_entries[];\n"
    )


def _is_overload(constructor: Constructor) -> bool:
    return "." in constructor.name


def _class(constructor: Constructor) -> str:
    return f"{constructor.namespace}_{constructor.name.partition('.')[0]}_class"


def _options(constructor: Constructor) -> tuple[Argument, ...]:
    first, *rest = constructor.signature.arguments
    if first.name != OPTIMIZER or str(first.type) != "Optimizer":
        raise constructor.error(f"a scheduler's first argument is `Optimizer {OPTIMIZER}`")
    return tuple(rest)


def _record(constructor: Constructor, argument: Argument, params: dict[str, Param]) -> str:
    t, field = argument.type, f"options->{argument.name}"
    if t.is_list:
        if t.base not in LISTS or t.size is not None or t.optional:
            raise _unknown(constructor, argument)
        return f'lr_scheduler_record_{LISTS[t.base]}(&record, "{argument.name}", {field}, {field}_len)'
    if t.base not in KINDS:
        raise _unknown(constructor, argument)
    is_pointer = params[argument.name].c_type.endswith("*")
    return f'optimizer_record_{KINDS[t.base]}(&record, "{argument.name}", {field if is_pointer else f"&{field}"})'


def _row(constructor: Constructor, argument: Argument, params: dict[str, Param]) -> str:
    t, default = argument.type, params[argument.name].default
    fields = [f'.name = "{argument.name}"']
    if argument.keyword_only:
        fields.append(".is_keyword_only = true")
    if argument.default == "None":
        fields.append(".kind = LR_SCHEDULER_NONE")
    elif argument.default is None:
        fields.append(".kind = LR_SCHEDULER_REQUIRED")
    elif t.base == "str":
        fields.append(f".kind = LR_SCHEDULER_TEXT, .text = {json.dumps(default)}")
    elif t.base in KINDS:
        # A float that Python's default gives as an int is one in the state too.
        kind = "INT" if t.base == "float" and argument.default.isdecimal() else KINDS[t.base].upper()
        fields.append(f".kind = LR_SCHEDULER_{kind}, .number = {float(default)!r}")
    else:
        raise _unknown(constructor, argument)
    return f"{{{', '.join(fields)}}}"


def _unknown(constructor: Constructor, argument: Argument) -> GeneratorError:
    return GeneratorError(
        f"{constructor.location}: no option of a scheduler has the type {argument.type} of {argument.name}"
    )
