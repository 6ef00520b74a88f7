"""policy.toml: what is done differently for single operators, as data with a reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .schema import GeneratorError
from .types import KNOWN

_KEYS = {
    "skip": ({"operator", "reason"}, {"until"}),
    "adapted": ({"operator", "schema", "reason"}, {"call"}),
    "substitute": ({"operator", "call", "reason"}, {"include"}),
    "upstream_crash": ({"operator", "python", "reason"}, {"guard"}),
    "stateful": ({"operator", "reason"}, set()),
}
# Kinds of entries that are about several operators: their texts, and those that have a list `operators`.
_USE_KEYS = {
    "enum": {"type", "argument", "reason"},
    "default": {"type", "text", "constant", "reason"},
    "out_of_abi": {"type", "reason"},
    "tape": {"role", "reason"},
}
_GROUPS = ("default_device", "number_as_tensor", "never_negative", "not_prebuilt")
TAPE_ROLES = (  # in the order of their bits; shim/core/tape/roles.hpp says what each means
    "reads_values",
    "shape_by_values",
    "shape_by_masks",
    "opened",
    "without_content",
    "constant",
    "autograd_only",
    "changes_tensor",
    "other_out",
)
KINDS = frozenset((*_KEYS, *_USE_KEYS, *_GROUPS))


@dataclass(frozen=True)
class EnumUse:
    """An `int` that is an enumeration: the parameter `argument` of the operators whose names match a pattern."""

    type: str
    argument: str
    operators: tuple[str, ...]  # patterns of fnmatch, of names without overload
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class NamedDefault:
    """A word that schemas write as a default of a type, and the constant of our headers that it stands for."""

    type: str
    text: str
    constant: str
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class Group:
    """Operators that have something in common: names without overload, for all of them, or with one; or patterns."""

    operators: tuple[str, ...]
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class TapeRole:
    """Operators that tapes treat in one way, listed as those of a group."""

    role: str
    operators: tuple[str, ...]
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class Substitute:
    """What does the same as an operator, in C++, and the header of LibTorch that it needs beside those of tensors."""

    call: str
    include: str = ""


@dataclass(frozen=True)
class Policy:
    skip: dict[str, str] = field(default_factory=dict)  # operator -> reason
    guards: dict[str, str] = field(default_factory=dict)  # operator -> statement that refuses what would crash PyTorch
    out_of_abi: dict[str, str] = field(default_factory=dict)  # type of the schemas that has no form in C -> reason
    # operator, LibTorch's schema -> the call; None: that form of it cannot do what the locked one does
    adapted: dict[tuple[str, str], str | None] = field(default_factory=dict)
    substitutes: dict[str, Substitute] = field(default_factory=dict)  # by the operator that some LibTorch lack
    stateful: dict[str, str] = field(default_factory=dict)  # operator that changes more than its schema says -> reason
    enums: tuple[EnumUse, ...] = ()
    defaults: tuple[NamedDefault, ...] = ()
    default_device: tuple[Group, ...] = ()  # operators that make tensors where torch.set_default_device says
    number_as_tensor: tuple[Group, ...] = ()  # operators that take numbers in place of tensors
    never_negative: tuple[Group, ...] = ()  # operators that give a number from 0
    not_prebuilt: tuple[Group, ...] = ()  # operators whose structured kernels tapes do not make ready beforehand
    tape: tuple[TapeRole, ...] = ()  # operators that tapes do not record as any other


def read_policy(path: Path, operators: Collection[str], locked: Mapping[str, str], torch_version: str) -> Policy:
    """Read and check: each entry complete, about an operator of the yaml or the lock, and there once.

    `locked` maps an operator to its place in the lock; `torch_version` is that of the yaml.
    """
    text = path.read_text()
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GeneratorError(f"{path.name}: {error}") from None
    for kind in document.keys() - KINDS:
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
            absent = name not in locked if kind != "skip" else not _is_past(entry.get("until"), torch_version, where)
            if name not in operators and absent:
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
    out_of_abi: dict[str, str] = {}
    for entry, where in _uses(path.name, text, document, "out_of_abi"):
        if entry["type"] in out_of_abi:
            raise GeneratorError(f"{where}: listed twice")
        if entry["type"] in KNOWN:
            raise GeneratorError(f"{where}: {entry['type']} has a form in C, and its operators are in the ABI")
        out_of_abi[entry["type"]] = entry["reason"]
    return Policy(
        {e["operator"]: e["reason"] for e in document.get("skip", [])},
        {e["operator"]: e["guard"] for e in document.get("upstream_crash", []) if "guard" in e},
        out_of_abi,
        {(e["operator"], e["schema"]): e.get("call") for e in document.get("adapted", [])},
        {e["operator"]: Substitute(e["call"], e.get("include", "")) for e in document.get("substitute", [])},
        {e["operator"]: e["reason"] for e in document.get("stateful", [])},
        tuple(
            EnumUse(entry["type"], entry["argument"], _patterns(entry, where), where)
            for entry, where in _uses(path.name, text, document, "enum", "operators")
        ),
        tuple(
            NamedDefault(entry["type"], entry["text"], entry["constant"], where)
            for entry, where in _uses(path.name, text, document, "default")
        ),
        *(
            tuple(
                Group(_patterns(entry, where), where)
                for entry, where in _uses(path.name, text, document, kind, "operators")
            )
            for kind in _GROUPS
        ),
        tape=tuple(_tape_roles(path.name, text, document, torch_version)),
    )


def _tape_roles(file: str, text: str, document: dict[str, Any], torch_version: str) -> Iterator[TapeRole]:
    """The `[[tape]]` entries, but for those about operators that this LibTorch no longer has."""
    for entry, where in _uses(file, text, document, "tape", "operators", optional={"until"}):
        if entry["role"] not in TAPE_ROLES:
            raise GeneratorError(f"{where}: no role {entry['role']}; the roles are {', '.join(TAPE_ROLES)}")
        if not _is_past(entry.get("until"), torch_version, where):
            yield TapeRole(entry["role"], _patterns(entry, where), where)


def _is_past(until: str | None, torch_version: str, where: str) -> bool:
    """Whether LibTorch is newer than the last minor version that an entry is for."""
    if until is None:
        return False
    if not re.fullmatch(r"\d+\.\d+", until):
        raise GeneratorError(f"{where}: until is a minor version, such as 2.12")
    return [int(n) for n in torch_version.split(".")[:2]] > [int(n) for n in until.split(".")]


def _uses(
    file: str, text: str, document: dict[str, Any], kind: str, *lists: str, optional: Collection[str] = ()
) -> Iterator[tuple[dict[str, Any], str]]:
    """The entries of a kind that is about several operators, each with its place; their texts are complete."""
    keys = _USE_KEYS.get(kind, {"reason"})
    for entry, line in _entries(file, text, document, kind):
        where = f"{file}:{line}: {kind} {entry.get('type', 'without type') if 'type' in keys else ''}".rstrip()
        if entry.keys() - optional != keys | set(lists):
            raise GeneratorError(f"{where}: needs {sorted(keys | set(lists))}")
        if not all(isinstance(entry[k], str) and entry[k].strip() for k in entry.keys() - lists):
            raise GeneratorError(f"{where}: every value is a text that is not empty")
        yield entry, where


def _patterns(entry: dict[str, Any], where: str) -> tuple[str, ...]:
    patterns = entry["operators"]
    if not isinstance(patterns, list) or not patterns or not all(isinstance(p, str) and p for p in patterns):
        raise GeneratorError(f"{where}: operators is a list of names or patterns of names")
    return tuple(patterns)


def _entries(file: str, text: str, document: dict[str, Any], kind: str) -> list[tuple[dict[str, Any], str]]:
    """The entries of one kind, each with its line."""
    entries = document.get(kind, [])
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise GeneratorError(f"{file}: entries are written [[{kind}]]")
    heads = re.compile(rf"^[ \t]*\[\[[ \t]*{kind}[ \t]*\]\]", re.MULTILINE)
    lines = [str(text.count("\n", 0, m.start()) + 1) for m in heads.finditer(text)]
    return list(zip(entries, lines, strict=True)) if len(lines) == len(entries) else [(e, "?") for e in entries]
