"""abi/*.lock: the record of the ABI that may only grow.

One line a function, tab-separated: symbol, since, C signature, and for an operator the schema it was made from. The
lock of the operators is the union over the versions of LibTorch that ctorch has been built with: it decides what the
headers declare, and the LibTorch at hand decides what stands behind each declaration.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .api import Function
from .schema import GeneratorError

MAX_PROBLEMS = 20
TITLES = {"aten": "Operators", "core": "Hand-written functions"}  # of the other kinds: which schema file they are from


@dataclass(frozen=True)
class Entry:
    symbol: str
    since: str
    signature: str
    schema: str  # "" for hand-written functions
    location: str = ""

    def line(self) -> str:
        return "\t".join([self.symbol, self.since, self.signature, self.schema]).rstrip()


def read(path: Path) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    if not path.exists():
        return entries
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        where = f"{path.name}:{number}"
        fields = line.split("\t")
        if len(fields) not in (3, 4):
            raise GeneratorError(f"{where}: expected symbol, since, signature and schema, separated by tabs")
        entry = Entry(*fields, *[""] * (4 - len(fields)), location=where)
        if not re.fullmatch(r"\d+\.\d+", entry.since):
            raise GeneratorError(f"{where}: {entry.symbol} is since {entry.since!r}, which is no version")
        if entry.symbol in entries:
            raise GeneratorError(f"{where}: {entry.symbol} is listed twice")
        entries[entry.symbol] = entry
    return entries


def text(entries: dict[str, Entry], title: str) -> str:
    head = f"# {title}: symbol, since, C signature, schema. Lines are only added: `gen.py --update-lock`.\n"
    return head + "".join(entries[symbol].line() + "\n" for symbol in sorted(entries))


def entry_of(function: Function) -> Entry:
    return Entry(function.name, function.since, function.signature, function.schema or "")


def extend(locked: dict[str, Entry], functions: list[Function], what: str) -> tuple[dict[str, Entry], list[str]]:
    """The lock with the new functions, and their names. A function that changed or vanished is refused."""
    problems = _changes(locked, functions)
    if problems:
        raise GeneratorError(
            f"{what}: the ABI is kept: a function may be added, never changed or removed.\n"
            + "\n".join(problems[:MAX_PROBLEMS])
            + (f"\n  … and {len(problems) - MAX_PROBLEMS} more" if len(problems) > MAX_PROBLEMS else "")
            + "\nLegal ways out: restore the function as it was; add the new form under a new name; "
            "adapt the operator in policy.toml."
        )
    added = [f for f in functions if f.name not in locked]
    return locked | {f.name: entry_of(f) for f in added}, [f.name for f in added]


def _changes(locked: dict[str, Entry], functions: list[Function]) -> list[str]:
    present = {f.name: f for f in functions}
    problems = []
    for symbol, entry in locked.items():
        function = present.get(symbol)
        if function is None:
            problems.append(f"  {entry.location}: {symbol} was removed")
        elif function.signature != entry.signature:
            problems.append(
                f"  {entry.location}: {symbol} changed\n    from {entry.signature}\n    to   {function.signature}"
            )
    return problems
