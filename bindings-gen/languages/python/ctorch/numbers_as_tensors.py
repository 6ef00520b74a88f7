"""Numbers in place of tensors, for the operators where PyTorch takes them: `aten.add(x, 2)`."""

from __future__ import annotations

from typing import Any

from .mismatch import mismatch
from .tensor import wrapped_number


def with_numbers(function: Any, values: dict[str, Any]) -> Any:
    """Call an operator again with tensors in place of the numbers among its tensors, as in `add(x, 2)`."""
    from .wrong_arguments import parameters

    given, found = {}, False
    for parameter in parameters(function):
        value = values[parameter.name]
        if parameter.type == "Tensor" and not parameter.mutated and isinstance(value, int | float | complex):
            value, found = wrapped_number(value), True
        given[parameter.name] = value
    if not found:
        raise mismatch(function, values)
    return function(**given)
