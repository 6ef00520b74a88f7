"""What Python's torch calls a function, and what C does: python/names.txt and python/table.toml, with the rules.

`names.txt` is the record of the public names of PyTorch, so that the generator needs no torch, only what it has anyway.
`python -m ctorchgen.python_names` prints it anew; a test compares it with the torch at hand.
"""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .api import Api, Function
from .names import PREFIX, python_namespace
from .schema import GeneratorError
from .vocabulary import DTYPE, LAYOUT, MEMORY_FORMAT, QSCHEME

# The namespaces of which every public name has a row, and how the operators behind their functions begin.
COMPLETE = {
    "torch": "",
    "torch.Tensor": "",
    "torch.nn.functional": "",
    "torch.nn.init": None,
    "torch.linalg": "linalg_",
    "torch.fft": "fft_",
    "torch.special": "special_",
    "torch.sparse": "sparse_",
    "torch.autograd": None,
    "torch.func": None,
}
# Of which kinds of constants `torch.x` is one.
CONSTANTS = (DTYPE, LAYOUT, MEMORY_FORMAT, QSCHEME)
ENTRY_KEYS = {"c", "also", "note"}


@dataclass(frozen=True)
class Row:
    """A name of Python's: the C for it, or why there is none."""

    name: str  # torch.nn.functional.relu
    c: tuple[str, ...] = ()
    out: tuple[str, ...] = ()  # operators: what `out=` is in C
    note: str = ""

    @property
    def namespace(self) -> str:
        return self.name.rpartition(".")[0]


@dataclass
class Table:
    """table.toml, with what it is called in messages."""

    where: str
    entries: dict[str, dict] = field(default_factory=dict)  # by name
    without: list[tuple[str, str]] = field(default_factory=list)  # pattern, reason
    syntax: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)  # Python, C, note

    def error(self, message: str) -> GeneratorError:
        return GeneratorError(f"{self.where}: {message}")


def read_names(path: Path) -> tuple[str, list[str]]:
    """The version of PyTorch that the names are of, and the names."""
    first, *names = path.read_text().splitlines()
    return first.removeprefix("PyTorch "), names


def read_table(path: Path) -> Table:
    table = Table(f"python/{path.name}")
    try:
        data = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise table.error(str(error)) from error
    for entry in data.pop("without", []):
        if set(entry) != {"names", "reason"} or not entry["names"] or not entry["reason"]:
            raise table.error(f"[[without]] has names and a reason, not {entry}")
        table.without += [(pattern, entry["reason"]) for pattern in entry["names"]]
    for entry in data.pop("syntax", []):
        if not {"python", "c"} <= set(entry) <= {"python", "c", "note"}:
            raise table.error(f"[[syntax]] has python, c and perhaps a note, not {entry}")
        table.syntax.append((entry["python"], tuple(entry["c"]), entry.get("note", "")))
    for namespace, entries in data.items():
        for name, entry in entries.items():
            if not entry or not set(entry) <= ENTRY_KEYS or {"c", "also"} <= set(entry):
                raise table.error(f"{namespace}.{name} has c or also, and a note, not {entry}")
            table.entries[f"{namespace}.{name}"] = entry
    return table


def rows(api: Api, names: list[str], table: Table) -> list[Row]:
    """A row a name, sorted; fails at what the table leaves open, says twice, or says of what is not there."""
    rules = Rules(api)
    known = set(names)
    for name, entry in table.entries.items():
        if name not in known and name.rpartition(".")[0] in COMPLETE:
            raise table.error(f"PyTorch has no public {name}")
        _check_names(table, name, (*entry.get("c", ()), *entry.get("also", ())), rules.c_names)
    for python, c, _ in table.syntax:
        _check_names(table, python, c, rules.c_names)

    result, used = [], set()
    given = {name: rules.of(name) for name in sorted(known | set(rules.others) | set(table.entries))}
    for name, (c, out) in given.items():
        entry = table.entries.get(name, {})
        if "c" in entry and set(entry["c"]) == set(c):
            raise table.error(f"{name} is given by rule: {', '.join(c)}")
        if "also" in entry and not c:
            raise table.error(f"no rule gives {name}: say c, not also")
        if "c" in entry:
            c, out = tuple(entry["c"]), ()
        c += tuple(entry.get("also", ()))
        note = entry.get("note", "")
        matching = [(p, reason) for p, reason in table.without if fnmatch.fnmatchcase(name, p)]
        if not c and not note:
            if not matching:
                raise table.error(f"{name} has neither C nor a reason")
            note = matching[0][1]
            used.add(matching[0][0])
        elif not c and matching:
            raise table.error(f"{name} has a note, and a reason by {matching[0][0]}")
        result.append(Row(name, c, out, note))
    idle = [pattern for pattern, _ in table.without if pattern not in used]
    if idle:
        raise table.error(f"{', '.join(idle)}: no name needs this reason")
    return result


def _check_names(table: Table, python: str, names: tuple[str, ...], known: set[str]) -> None:
    for name in names:
        if name not in known:
            raise table.error(f"{python}: ctorch has no {name}")


class Rules:
    """What C has by the same name: an operator, a constant, an entry of a schema file."""

    def __init__(self, api: Api):
        self.operators: dict[str, list[Function]] = {}
        self.others: dict[str, str] = {}
        for f in api.functions:
            if f.is_operator and f.schema:
                base = f.schema.split("(")[0].removeprefix("aten::").split(".")[0]
                self.operators.setdefault(base, []).append(f)
            elif f.kind != "core" and not (f.schema or "").partition("(")[2].startswith("Module self"):
                schema_name = (f.schema or "").split("(")[0]  # nn.Conv2d, and nn.Conv2d.padding
                self.others.setdefault(_python_name(python_namespace(f.kind), schema_name.split(".")[1]), f.name)
        self.constants = {
            f"torch.{spelling}": constant
            for e in api.enums
            if e.name in CONSTANTS
            for constant, short in e.short_names.items()
            for spelling in ((short, f"{short}_format") if e.name == MEMORY_FORMAT else (short,))
        }
        self.c_names = {f.name for f in api.functions} | {c for e in api.enums for c, _ in e.values}
        self.c_names |= {t.name for t in (*api.enums, *api.structs, *api.opaque, *api.callbacks)}

    def of(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The C, and what writes into tensors of the caller's."""
        if name in self.constants:
            return (self.constants[name],), ()
        if name in self.others:
            return (self.others[name],), ()
        namespace, _, word = name.rpartition(".")
        prefix = COMPLETE.get(namespace)
        found = [] if prefix is None else self.operators.get(prefix + word, [])
        out = [f for f in found if _is_out(f)]
        direct = [f for f in found if f not in out]
        if namespace == "torch.Tensor":
            direct = [f for f in direct if any(p.name == "self" for p in f.params)] or direct
            out = []  # no method takes one
        return tuple(sorted(f.name for f in direct)), tuple(sorted(f.name for f in out))


def _python_name(namespace: str, word: str) -> str:
    """Functions on sequences are in a module of their own, static methods in their class, SWALR with averages."""
    if word == "SWALR":
        return "torch.optim.swa_utils.SWALR"
    if namespace == "torch.nn":
        word = re.sub("^([A-Z][a-z]+)_", r"\1.", word)  # Transformer_generate_square_subsequent_mask
    is_rnn = namespace == "torch.nn.utils" and re.search("_sequence$|^pad_packed|^invert_permutation$", word)
    return f"{namespace}.rnn.{word}" if is_rnn else f"{namespace}.{word}"


def _is_out(f: Function) -> bool:
    return any(p.role == "in" and p.mutated and p.keyword_only for p in f.params)


def public_names() -> Iterator[str]:
    """Of the torch that can be imported, without modules and what comes from Python's own library."""
    import importlib
    import types

    for namespace in COMPLETE:
        parent, _, last = namespace.rpartition(".")
        try:
            of = importlib.import_module(namespace)
        except ModuleNotFoundError:  # torch.Tensor is a class
            of = getattr(importlib.import_module(parent), last)
        for name in sorted(dir(of)):
            value = getattr(of, name)
            module = getattr(value, "__module__", None) or ""
            foreign = callable(value) and module.partition(".")[0] in {"typing", "builtins", "collections", "functools"}
            elsewhere = namespace != "torch" and (value is getattr(importlib.import_module("torch"), name, None))
            borrowed = foreign or isinstance(value, types.ModuleType) or (elsewhere and isinstance(value, type))
            if not name.startswith("_") and name != "TYPE_CHECKING" and (of.__name__ == "Tensor" or not borrowed):
                yield f"{namespace}.{name}"


def text(version: str, names: list[str]) -> str:
    return f"PyTorch {version.partition('+')[0]}\n" + "".join(f"{name}\n" for name in names)


def is_c_name(word: str) -> bool:
    return word.startswith((PREFIX, PREFIX.upper()))


if __name__ == "__main__":
    import torch

    print(text(torch.__version__, list(public_names())), end="")
