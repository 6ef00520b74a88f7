"""abi/*.lock: the record of the ABI that may only grow.

One line a function, tab-separated: symbol, since, C signature, and for an operator the schema it was made from. The
lock of the operators is the union over the versions of LibTorch that ctorch has been built with: it decides what the
headers declare, and the LibTorch at hand decides what stands behind each declaration.

word.lock has the number of each type of handle in the word ABI, which programs may have stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from .api import Function, Opaque
from .schema import GeneratorError

MAX_PROBLEMS = 20
TITLES = {"aten": "Operators", "core": "Hand-written functions"}
WORD = "word"
FIRST_OBJECT_KIND = 32  # lower numbers are kinds of the word library itself


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


def read_all(folder: Path, kinds: set[str]) -> dict[str, dict[str, Entry]]:
    """The lock of each kind of function: of these, and of those that a schema file had that is gone."""
    files = kinds | {path.stem for path in folder.glob("*.lock")} - {WORD}
    return {kind: read(folder / f"{kind}.lock") for kind in sorted(files)}


def text(entries: dict[str, Entry], kind: str) -> str:
    title = TITLES.get(kind, f"The functions of {kind} in schema/")
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


def read_kinds(path: Path) -> dict[str, int]:
    """Handle type -> its number."""
    kinds: dict[str, int] = {}
    lines = path.read_text().splitlines() if path.exists() else []
    for line, text in enumerate(lines, 1):
        if not text or text.startswith("#"):
            continue
        name, _, number = text.partition("\t")
        if not re.fullmatch(r"[1-9]\d*", number) or int(number) < FIRST_OBJECT_KIND:
            raise GeneratorError(f"{path.name}:{line}: expected a type, a tab and a number from {FIRST_OBJECT_KIND}")
        if name in kinds or int(number) in kinds.values():
            raise GeneratorError(f"{path.name}:{line}: {name} or {number} is listed twice")
        kinds[name] = int(number)
    return kinds


def kinds_text(kinds: dict[str, int]) -> str:
    head = "# Types of handles and their numbers in the word ABI. Lines are only added: `gen.py --update-lock`.\n"
    return head + "".join(f"{name}\t{kinds[name]}\n" for name in sorted(kinds, key=kinds.__getitem__))


def number(kinds: dict[str, int], opaque: Iterable[Opaque]) -> tuple[tuple[Opaque, ...], dict[str, int], list[str]]:
    """The types with their numbers, the lock with those of new types, and the names of these. No type ever goes."""
    opaque = tuple(opaque)
    owned = [o.name for o in opaque if o.release]
    gone = sorted(kinds.keys() - set(owned))
    if gone:
        raise GeneratorError(f"abi/word.lock: {', '.join(gone)} was removed: restore it, a number is for ever")
    added = [name for name in owned if name not in kinds]
    first = max(kinds.values(), default=FIRST_OBJECT_KIND - 1) + 1
    kinds = kinds | {name: first + i for i, name in enumerate(added)}
    return tuple(replace(o, kind=kinds.get(o.name)) for o in opaque), kinds, added
