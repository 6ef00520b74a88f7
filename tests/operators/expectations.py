"""Reads expected_failures.toml: which overloads cannot succeed on a CPU and why, and which bytes mean nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("expected_failures.toml")


def load() -> dict[str, Any]:
    """`addresses`: places by overload; `failures`: reason by overload."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    failures = {name: group["reason"] for group in data.get("failures", []) for name in group["overloads"]}
    return {"addresses": data["addresses"], "failures": failures}
