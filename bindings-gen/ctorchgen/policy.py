"""policy.toml: what is done differently for single operators, as data with a reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .schema import GeneratorError

_KEYS = {
    "skip": ({"operator", "reason"}, set()),
    "adapted": ({"operator", "schema", "call", "reason"}, set()),
    "upstream_crash": ({"operator", "python", "reason"}, {"guard"}),
    "stateful": ({"operator", "reason"}, set()),
}
_ENUM_KEYS = {"type", "argument", "operators", "reason"}


@dataclass(frozen=True)
class EnumUse:
    """An `int` that is an enumeration: the parameter `argument` of the operators whose names match a pattern."""

    type: str
    argument: str
    operators: tuple[str, ...]  # patterns of fnmatch, of names without overload
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class Policy:
    skip: dict[str, str] = field(default_factory=dict)  # operator -> reason
    guards: dict[str, str] = field(default_factory=dict)  # operator -> statement that refuses what would crash PyTorch
    adapted: dict[tuple[str, str], str] = field(default_factory=dict)  # operator, LibTorch's schema -> the call
    stateful: dict[str, str] = field(default_factory=dict)  # operator that changes more than its schema says -> reason
    enums: tuple[EnumUse, ...] = ()


def read_policy(path: Path, operators: Collection[str], locked: Mapping[str, str]) -> Policy:
    """Read and check: each entry complete, about an operator of the yaml or the lock, and there once.

    `locked` maps an operator to its place in the lock.
    """
    text = path.read_text()
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GeneratorError(f"{path.name}: {error}") from None
    for kind in document.keys() - _KEYS.keys() - {"enum"}:
        raise GeneratorError(f"{path.name}: unknown kind of entry [[{kind}]]")
    for kind, (required, optional) in _KEYS.items():
        seen: dict[tuple[str, ...], str] = {}
        for entry, line in _entries(path.name, text, document, kind):
            name = entry.get("operator", "")
            where = f"{path.name}:{line}: {kind} {name or 'without operator'}"
            if required - entry.keys() or entry.keys() - required - optional:
                raise GeneratorError(f"{where}: needs {sorted(required)}, may have {sorted(optional)}")
            if not all(isinstance(value, str) and value.strip() for value in entry.values()):
                raise GeneratorError(f"{where}: every value is a text that is not empty")
            if name not in operators and (kind == "skip" or name not in locked):
                raise GeneratorError(f"{where}: matches no operator")
            if kind == "skip" and name in locked:
                raise GeneratorError(
                    f"{where}: is in the ABI ({locked[name]}), and a function never goes; where it cannot be called as "
                    "it is, [[adapted]] says how"
                )
            key = (name, entry.get("schema", ""))
            if key in seen:
                raise GeneratorError(f"{where}: listed twice, first in line {seen[key]}")
            seen[key] = line
    return Policy(
        {e["operator"]: e["reason"] for e in document.get("skip", [])},
        {e["operator"]: e["guard"] for e in document.get("upstream_crash", []) if "guard" in e},
        {(e["operator"], e["schema"]): e["call"] for e in document.get("adapted", [])},
        {e["operator"]: e["reason"] for e in document.get("stateful", [])},
        tuple(_enum_use(path.name, entry, line) for entry, line in _entries(path.name, text, document, "enum")),
    )


def _enum_use(file: str, entry: dict[str, Any], line: str) -> EnumUse:
    where = f"{file}:{line}: enum {entry.get('type', 'without type')}"
    patterns = entry.get("operators")
    if entry.keys() != _ENUM_KEYS:
        raise GeneratorError(f"{where}: needs {sorted(_ENUM_KEYS)}")
    if not isinstance(patterns, list) or not patterns or not all(isinstance(p, str) and p for p in patterns):
        raise GeneratorError(f"{where}: operators is a list of names or patterns of names")
    if not all(isinstance(entry[k], str) and entry[k].strip() for k in _ENUM_KEYS - {"operators"}):
        raise GeneratorError(f"{where}: every value is a text that is not empty")
    return EnumUse(entry["type"], entry["argument"], tuple(patterns), where)


def _entries(file: str, text: str, document: dict[str, Any], kind: str) -> list[tuple[dict[str, Any], str]]:
    """The entries of one kind, each with its line."""
    entries = document.get(kind, [])
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise GeneratorError(f"{file}: entries are written [[{kind}]]")
    heads = re.compile(rf"^[ \t]*\[\[[ \t]*{kind}[ \t]*\]\]", re.MULTILINE)
    lines = [str(text.count("\n", 0, m.start()) + 1) for m in heads.finditer(text)]
    return list(zip(entries, lines, strict=True)) if len(lines) == len(entries) else [(e, "?") for e in entries]
