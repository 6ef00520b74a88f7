"""Tables and texts: `ctorch.csv.load("people.csv")` gives {"age": a tensor, "name": a list of texts}."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import raw
from .streams import reading
from .values import from_value


def load(
    file: Any,
    delimiter: str = ",",
    has_header: bool = True,
    *,
    types: Sequence[str] = (),
    missing: Sequence[str] = (),
    fill: float | None = None,
) -> dict[str, Any]:
    """Read the columns of a path, a stream or bytes: tensors of int64 or float64, or lists of texts.

    `types` has one for each column, "int64", "float64", "string" or "infer". What is empty, or one of `missing`,
    is NaN, or `fill`. Without a header the names are "0", "1" and so on.
    """
    with reading(file) as reader:
        return from_value(raw.csv_read(reader, delimiter, has_header, types, missing, fill))


def load_lines(file: Any) -> list[str]:
    """Read the lines of a text, without their ends."""
    with reading(file) as reader:
        return from_value(raw.csv_read_lines(reader))


__all__ = ["load", "load_lines"]
