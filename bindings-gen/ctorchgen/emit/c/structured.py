"""structured_<n>.cpp: LibTorch's structured CPU kernels as steps of tapes, in shards that compile side by side."""

from __future__ import annotations

from ...api import Api
from ...schema import Structured

SHARDS = 2

HEAD = """\
// Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
"""


class StructuredCpp:
    def __init__(self, kernels: list[Structured]) -> None:
        self.kernels = kernels

    def emit(self, api: Api) -> dict[str, str]:
        size = -(-len(self.kernels) // SHARDS)
        shards = {f"structured_{i}.cpp": _shard(self.kernels[i * size : (i + 1) * size]) for i in range(SHARDS)}
        return {**shards, "structured_table.cpp": _table(self.kernels)}


def _shard(kernels: list[Structured]) -> str:
    includes = "".join(f"#include <ATen/ops/{root}_native.h>\n" for root in sorted({k.root for k in kernels}))
    definitions = "".join(map(_definition, kernels))
    return f'{HEAD}{includes}\n#include "core/tape/structured.hpp"\n\nnamespace ctorch::tape {{\n{definitions}\n}}\n'


def _definition(k: Structured) -> str:
    if k.sources is None:
        return f"\n{_declaration(k)} {{\n  return prebuilt<{k.kernel}>(call);\n}}\n"
    sources = ", ".join(f"&Given::{s}" if isinstance(s, str) else str(s) for s in k.sources)
    return f"""
{_declaration(k)} {{
  using Given = {k.kernel}::meta_return_ty;
  return prebuilt<{k.kernel}, {sources}>(call);
}}
"""


def _declaration(k: Structured) -> str:
    return f"std::unique_ptr<Step> {_factory(k)}(const StructuredCall &call)"


def _factory(k: Structured) -> str:
    return "make_" + k.kernel.rpartition("::")[2]


def _table(kernels: list[Structured]) -> str:
    declarations = "".join(f"{_declaration(k)};\n" for k in kernels)
    rows = sorted((overload, _factory(k)) for k in kernels for overload in k.overloads)
    entries = "".join(f'    {{"aten::{overload}", {factory}}},\n' for overload, factory in rows)
    return f"""{HEAD}#include "core/tape/structured.hpp"

namespace ctorch::tape {{

{declarations}
static constexpr StructuredKernel KERNELS[] = {{
{entries}}};

c10::ArrayRef<StructuredKernel> structured_kernels() {{ return KERNELS; }}

}}  // namespace ctorch::tape
"""
