"""Names in Simple: which words are reserved, and what a parameter with such a name is called instead."""

from __future__ import annotations

from pathlib import Path

from ...schema import GeneratorError
from ...word import WordFunction

# The words that are never a name: reserved.txt says where they come from.
RESERVED = frozenset(
    word
    for line in Path(__file__).with_name("reserved.txt").read_text().splitlines()
    if not line.startswith("#")
    for word in line.split()
)
# Those that the parser takes for the name of a method, and that real programs call so.
METHODS = frozenset(("new", "slice", "to"))
# Names that the bodies of emitted functions use themselves.
OWN = frozenset(("answer", "arguments", "made"))
TAKEN = RESERVED | OWN

# What PyTorch's documents call them. The plain `where` is the form that gives the places of what is not zero.
_RENAMED = {
    "self": ("input", "tensor"),
    "out": ("output",),
    "from": ("low",),
    "vec": ("vector",),
    "var": ("variance",),
    "type": ("kind",),
    "unsafe": ("unchecked",),
    "where": ("where_nonzero",),
    "alias": ("same_memory",),
    "grid": ("places",),
}


def parameters(function: WordFunction) -> list[str]:
    """Names of the words of the C function, none reserved and none there twice."""
    return ["arguments"] if function.packed else unreserved([s.name for s in function.slots], function.name)


def operator_name(name: str) -> str:
    """The name of an operator as a method, or what it is called instead of a word of Simple."""
    if name not in RESERVED or name in METHODS:
        return name
    if name not in _RENAMED:
        raise GeneratorError(f"Simple: no name for the operator {name}, which is a word of the language")
    return _RENAMED[name][0]


def unreserved(names: list[str], where: str) -> list[str]:
    out: list[str] = []
    for name in names:
        candidates = (name, *_RENAMED.get(name, ()), f"{name}_value")
        found = next((c for c in candidates if c not in TAKEN and (c == name or c not in names)), None)
        if found is None or found in out:
            raise GeneratorError(f"Simple: no name for the parameter {name} of {where}")
        out.append(found)
    return out
