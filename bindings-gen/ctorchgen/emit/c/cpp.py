"""aten_<n>.cpp: the bodies of the operators, in shards that compile side by side."""

from __future__ import annotations

import json

from ...api import Api, Function

SHARDS = 8

HEAD = """\
// Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
#include <ATen/core/Tensor.h>

#include <string_view>

{includes}
#include "ctorch/generated/aten.h"
#include "ctorch/generated/aten_private.h"
#include "core/abi/enumeration.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"

namespace from = ctorch::from::unchecked;  // the guard looks at handles
namespace to = ctorch::to;
using ctorch::guard;
using ctorch::guard_repeatable;
using ctorch::unsupported;
"""


class CppShards:
    def emit(self, api: Api) -> dict[str, str]:
        operators = sorted((f for f in api.functions if f.kind == "aten"), key=lambda f: f.name)
        size = -(-len(operators) // SHARDS)
        return {f"aten_{i}.cpp": _shard(operators[i * size : (i + 1) * size]) for i in range(SHARDS)}


def _shard(functions: list[Function]) -> str:
    roots = sorted({f.operator.root for f in functions if f.operator})
    headers = sorted(
        {*(f"ATen/ops/{root}_ops.h" for root in roots), *(f.substitute for f in functions if f.substitute)}
    )
    includes = "".join(f"#include <{header}>\n" for header in headers)
    return HEAD.format(includes=includes) + "".join(map(_definition, functions))


def _definition(f: Function) -> str:
    check = ""
    if f.operator is not None:
        schema = json.dumps(f.operator.schema)
        check = f"static_assert(std::string_view(at::_ops::{f.operator.struct}::schema_str) == {schema});\n"
    is_used = f.operator is not None or f.substitute is not None
    params = ", ".join(p.declaration if is_used else p.c_type for p in f.params)
    return f"\n{check}{f.returns}{f.name}({params}) {{\n  {f.body}\n}}\n"
