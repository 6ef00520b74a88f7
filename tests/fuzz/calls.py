"""What tests/fuzz may call: the functions of api.json without those of exclusions.toml."""

from __future__ import annotations

import json
import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

HERE = Path(__file__).parent
PREFIX = "ctorch_"
# Operators whose arguments are tensors of any shape and small numbers: they compute, and do not only take apart.
OPERATOR_ARGUMENTS = re.compile(
    r"^(Tensor(\([a-z]!?\))?|Scalar|bool|int|int\[[0-9]*\]|float|SymInt|SymInt\[[0-9]*\])\??$"
)


def bare(c_type: str) -> str:
    """`const ctorch_tensor *const *` -> `ctorch_tensor`"""
    return re.sub(r"\bconst\b|\*", "", c_type).strip()


class Exclusions:
    def __init__(self) -> None:
        self.table = tomllib.loads((HERE / "exclusions.toml").read_text())
        policy = tomllib.loads((HERE.parent.parent / "bindings-gen" / "policy.toml").read_text())
        self.crashing = {entry["operator"].split(".")[0] for entry in policy["upstream_crash"]}
        self.patterns = {
            kind: [name for entry in self.table.get(kind, []) for name in entry["names"]]
            for kind in ("function", "operator", "operators")
        }
        self.used: set[str] = set()

    def has(self, kind: str, name: str) -> bool:
        matching = [p for p in self.patterns[kind] if fnmatchcase(name, p)]
        self.used.update(matching)
        return bool(matching)

    def check(self) -> None:
        unused = [p for patterns in self.patterns.values() for p in patterns if p not in self.used]
        if unused:
            raise SystemExit(f"exclusions.toml: nothing matches {', '.join(unused)}")


def schema_name(entry: dict) -> str:
    """`aten::add.Tensor(…) -> …` -> `add.Tensor`"""
    return entry["schema"].split("(")[0].removeprefix("aten::")


def callable_functions(api: dict, exclusions: Exclusions) -> list[dict]:
    """The functions written by hand."""
    return [
        f
        for f in api["functions"]
        if f["kind"] != "aten" and not exclusions.has("function", f["name"].removeprefix(PREFIX))
    ]


def callable_operators(api: dict, exclusions: Exclusions) -> list[dict]:
    """Public operators on tensors and numbers that are not known to crash LibTorch."""
    found = []
    for entry in api["functions"]:
        if entry["kind"] != "aten":
            continue
        name = schema_name(entry)
        excluded = exclusions.has("operator", name) | exclusions.has("operators", name)
        arguments = [p for p in entry["params"] if p["role"] != "len"]
        plain = all(p["role"] == "out" or p["default"] is not None or p["nullable"] or _is_plain(p) for p in arguments)
        if (
            not excluded
            and plain
            and not name.startswith("_")
            and name.split(".")[0] not in exclusions.crashing
            and "out" not in name.split(".")[-1].split("_")
            and "backward" not in name
        ):
            found.append(entry)
    return found


def _is_plain(param: dict) -> bool:
    return OPERATOR_ARGUMENTS.match(param["type"] or "") is not None


def load(path: Path) -> dict:
    return json.loads(path.read_text())
