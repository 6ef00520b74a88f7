"""Results with names: `x.max(dim=0).values`. `ctorch.return_types` has a class for each operator that has them."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, ClassVar


class StructSequence(tuple):
    """A tuple whose entries have names."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        entries = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
        return f"{type(self).__module__}.{type(self).__name__}(\n{entries})"

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self))


def structseq(name: str, fields: tuple[str, ...]) -> type[StructSequence]:
    """The class for an operator, from the names in its schema."""
    entries = {field: property(itemgetter(index), doc=f"Result {index}.") for index, field in enumerate(fields)}
    names = {"__slots__": (), "__module__": "ctorch.return_types", "_fields": fields, "__match_args__": fields}
    return type(name, (StructSequence,), names | entries)
