"""include/ctorch/generated/*.h: one declaration per operator, the schema as its comment."""

from __future__ import annotations

from itertools import groupby

from ..api import Api, Function

INTRODUCTIONS = {
    "aten": "PyTorch's public operators",
    "aten_private": "PyTorch's private operators, whose names start with an underscore; they may behave differently\n"
    " * in every version of LibTorch",
}


class CHeader:
    def emit(self, api: Api) -> dict[str, str]:
        operators = sorted((f for f in api.functions if f.kind == "aten"), key=lambda f: (f.header, f.name))
        return {
            header.removeprefix("ctorch/generated/"): _header(header, list(functions))
            for header, functions in groupby(operators, key=lambda f: f.header)
        }


def _header(header: str, functions: list[Function]) -> str:
    stem = header.rsplit("/", 1)[1].removesuffix(".h")
    guard = f"CTORCH_GENERATED_{stem.upper()}_H"
    declarations = "\n".join(map(_declaration, functions))
    return f"""\
/**
 * {INTRODUCTIONS[stem]}. Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
 *
 * The comment of each function is its schema, and which of its numbers are enumerations (ctorch/enums.h). Outputs come
 * first; a result that is one of the arguments is not returned again. NULL for an argument means its default, or None:
 * see ctorch.h, points 5 to 7.
 */
#ifndef {guard}
#define {guard}

#include "ctorch/base.h"
#include "ctorch/types.h"

CTORCH_BEGIN_DECLS

{declarations}
CTORCH_END_DECLS

#endif
"""


def _declaration(f: Function) -> str:
    params = ",\n    ".join(p.declaration for p in f.params)
    doc = f.doc.replace("*/", "* /")
    doc += "".join(f"\n * {p.name}: {p.enum}" for p in f.params if p.enum)
    return f"/** {doc} */\nCTORCH_API {f.returns}{f.name}(\n    {params or 'void'});\n"
