"""policy.toml: what is done differently for single operators, as data with a reason."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from .schema import GeneratorError

_KEYS = {
    "skip": ({"operator", "reason"}, set()),
    "upstream_crash": ({"operator", "python", "reason"}, {"guard"}),
}


@dataclass(frozen=True)
class Policy:
    skip: dict[str, str]  # operator -> reason
    guards: dict[str, str]  # operator -> C++ statement that refuses what PyTorch would crash on


def read_policy(path: Path, operators: Collection[str]) -> Policy:
    """Read and check: each entry complete, known to `operators`, and there once."""
    text = path.read_text()
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GeneratorError(f"{path.name}: {error}") from None
    for kind in document.keys() - _KEYS.keys():
        raise GeneratorError(f"{path.name}: unknown kind of entry [[{kind}]]")
    for kind, (required, optional) in _KEYS.items():
        seen: set[str] = set()
        for entry in document.get(kind, []):
            name = entry.get("operator", "")
            where = f"{path.name}:{_line(text, name)}: {kind} {name or 'without operator'}"
            if required - entry.keys() or entry.keys() - required - optional:
                raise GeneratorError(f"{where}: needs {sorted(required)}, may have {sorted(optional)}")
            if name not in operators:
                raise GeneratorError(f"{where}: matches no operator")
            if name in seen:
                raise GeneratorError(f"{where}: listed twice")
            seen.add(name)
    return Policy(
        {e["operator"]: e["reason"] for e in document.get("skip", [])},
        {e["operator"]: e["guard"] for e in document.get("upstream_crash", []) if "guard" in e},
    )


def _line(text: str, name: str) -> int:
    position = text.find(f'"{name}"')
    return text.count("\n", 0, max(position, 0)) + 1
