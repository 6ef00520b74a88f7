"""exports.map: the linker's version script. Only the API is exported, each function under the version it came with."""

from __future__ import annotations

from ...api import Api


class Exports:
    def emit(self, api: Api) -> dict[str, str]:
        nodes: dict[str, list[str]] = {}
        for f in api.functions:
            nodes.setdefault(f.since, []).append(f.name)
        text, previous = "", ""
        for since in sorted(nodes, key=lambda v: [int(n) for n in v.split(".")]):
            symbols = "".join(f"    {name};\n" for name in sorted(nodes[since]))
            local = "" if previous else "  local:\n    *;\n"
            text += f"CTORCH_{since} {{\n  global:\n{symbols}{local}}}{previous};\n"
            previous = f" CTORCH_{since}"
        return {"exports.map": text}
