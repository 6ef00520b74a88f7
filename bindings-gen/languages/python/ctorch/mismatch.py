"""The exceptions for a call with arguments that cannot be converted."""

from __future__ import annotations

import sys
from typing import Any

from .arguments import NotAnArgument
from .handle import Resource


def mismatch(function: Any, values: dict[str, Any]) -> Exception:
    """The exception for a call with arguments that cannot be converted."""
    for name, value in values.items():
        for entry in value if isinstance(value, list | tuple) else (value,):
            if isinstance(entry, Resource) and entry.closed:
                return ValueError(
                    f"{function.__name__}(): argument '{name}' is a {type(entry).__name__} that was closed"
                )
    return ArgumentError(
        function, values, str(reason) if isinstance(reason := sys.exc_info()[1], NotAnArgument) else ""
    )


class ArgumentError(TypeError):
    """Arguments that a function does not take. The text is made when it is asked for: overloads often mismatch."""

    __module__ = "ctorch.errors"  # where users find it

    def __init__(self, function: Any, values: dict[str, Any], reason: str = "") -> None:
        super().__init__(function, values)
        self.function, self.values, self.reason = function, values, reason

    def __str__(self) -> str:
        from .wrong_arguments import explanation  # which loads inspect, for the few programs that read such a text

        return explanation(self.function, self.values, self.reason)

    def __repr__(self) -> str:
        return f"ArgumentError({str(self)!r})"

    def __reduce__(self):
        return TypeError, (str(self),)
