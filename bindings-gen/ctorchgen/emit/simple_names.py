"""Names in Simple: which words are reserved, and what a parameter with such a name is called instead."""

from __future__ import annotations

from ..schema import GeneratorError
from ..word import WordFunction

# Words of Simple's parser, and words that its documents use as syntax.
RESERVED = frozenset(
    "self in out out_err type unit gen kernel literal vec dyn mixin union actor sync async static const mod use import "
    "export macro match case where requires ensures invariant decreases me fn val var loop iso mut Gpu GPU "
    "and as assert await break class continue defer elif else enum extern false for if impl is lazy nil not or pass "
    "pub return spawn struct super trait true unsafe while with yield from".split()
)
# Names that the bodies of emitted functions use themselves.
OWN = frozenset(("answer", "arguments", "made"))
TAKEN = RESERVED | OWN

# What PyTorch's documents call them. The plain `where` is the form that gives the places of what is not zero.
_RENAMED = {
    "self": ("input", "tensor"),
    "out": ("result",),
    "from": ("low",),
    "vec": ("vector",),
    "var": ("variance",),
    "type": ("kind",),
    "unsafe": ("unchecked",),
    "where": ("where_nonzero",),
}


def parameters(function: WordFunction) -> list[str]:
    """Names of the words of the C function, none reserved and none there twice."""
    return ["arguments"] if function.packed else unreserved([s.name for s in function.slots], function.name)


def operator_name(name: str) -> str:
    """The name of an operator, or what it is called instead of a word of Simple."""
    if name not in RESERVED:
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
