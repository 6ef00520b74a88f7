"""include/ctorch/generated/shorthand.h: operators whose last arguments are left to their defaults, as inline C.

An optional tensor stays an argument, and what stands before it: `layer_norm` without weight and bias is not the usual
one, and a bias left out by mistake would be hard to see.
"""

from __future__ import annotations

import textwrap

from ...api import Api, Function, Param
from ...names import PREFIX, operator_part
from ...schema import GeneratorError
from ...vocabulary import TENSOR

HEADER = "shorthand.h"
WIDTH, INDENT = 120, "      "

HEAD = """\
/**
 * Operators with their usual arguments: what has a default at the end of the schema, tensors excepted, is left to that.
 * Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
 *
 *     ctorch_ones(&x, CTORCH_INTS(2, 3));                     // beside NULL, NULL, NULL, NULL
 *     ctorch_layer_norm(&y, x, CTORCH_INTS(3), weight, bias); // beside 1e-5, true
 *     ctorch_cross_entropy_loss(&loss, y, target, NULL);      // beside 1, -100, 0.0
 *
 * `ctorch_<operator>` is `ctorch_aten_<operator>` with the arguments that its comment lists. They are inline functions
 * for C programs: nothing of them is exported, and a compiler makes of them the call that they stand for.
 */
#ifndef CTORCH_GENERATED_SHORTHAND_H
#define CTORCH_GENERATED_SHORTHAND_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/generated/aten.h"

#if defined(__GNUC__) || defined(__clang__)
#define CTORCH_INLINE __attribute__((warn_unused_result)) static inline
#else
#define CTORCH_INLINE static inline
#endif

CTORCH_BEGIN_DECLS

"""
TAIL = """\

CTORCH_END_DECLS

#endif
"""


class Shorthand:
    def emit(self, api: Api) -> dict[str, str]:
        taken = {f.name.lower() for f in api.functions}
        functions = sorted((f for f in api.functions if f.header == "ctorch/generated/aten.h"), key=lambda f: f.name)
        definitions = []
        for f in functions:
            given = given_params(f)
            if len(given) == len(f.params):
                continue
            name = short_name(f)
            if name.lower() in taken:
                raise GeneratorError(f"{name}, the shorthand of {f.name}, is the name of a function")
            definitions.append(_definition(f, name, given))
        return {HEADER: HEAD + "\n".join(definitions) + TAIL}


def short_name(f: Function) -> str:
    return PREFIX + operator_part(f.name)


def given_params(f: Function) -> tuple[Param, ...]:
    """Those before the defaults at the end: all where the last is an `out` to be written."""
    end = len(f.params)
    while end > 0:
        param = f.params[end - 1]
        size = 2 if param.role == "len" and end > 1 and param.len_of == f.params[end - 2].name else 1
        param = f.params[end - size]
        if param.default_text is None or TENSOR in param.c_type:
            break
        end -= size
    return f.params[:end]


def _definition(f: Function, name: str, given: tuple[Param, ...]) -> str:
    left = f.params[len(given) :]
    defaults = ", ".join(f"{p.name}={p.default_text}" for p in left if p.role != "len")
    arguments = ", ".join([p.name for p in given] + [_default(f, p) for p in left])
    start, end = f"CTORCH_INLINE {f.returns}{name}(", ") {"
    params = [p.declaration for p in given] or ["void"]
    head = start + ", ".join(params) + end
    if len(head) > WIDTH:
        head = start + "".join(f"\n    {p}," for p in params)[:-1] + end
    call = f"  return {f.name}({arguments});"
    if len(call) > WIDTH:
        call = f"  return {f.name}(\n" + textwrap.fill(
            f"{arguments});", WIDTH, initial_indent=INDENT, subsequent_indent=INDENT
        )
    return f"/** {defaults} */\n{head}\n{call}\n}}\n"


def _default(f: Function, param: Param) -> str:
    """The default as C passes it: NULL, where that stands for it."""
    if param.role == "len":
        return "0"
    if param.c_type.endswith("*"):
        if not param.nullable:
            raise GeneratorError(f"{f.name}: {param.name} has a default, but may not be NULL")
        return "NULL"
    if isinstance(param.default, bool):
        return "true" if param.default else "false"
    if isinstance(param.default, int | float):
        return repr(param.default)
    raise GeneratorError(f"{f.name}: no C for the default {param.default_text} of {param.name}")
