"""Every operator of LibTorch by its name: `ctorch.aten.add(a, b, alpha=2)`.

A call takes the first overload that its arguments fit, as torch.ops.aten does; `ctorch.aten.add.Tensor` is one
overload. Arguments have the names, the order and the defaults of PyTorch's schema, which each function has as its doc.
One whose name is a word of Python has a `_` behind it: `from_`. Operators are loaded when they are first used.
"""

from importlib import import_module
from typing import Any

from .operators.names import NAMES

_names = frozenset(NAMES)


def __getattr__(name: str) -> Any:
    if name not in _names:
        raise AttributeError(f"module 'ctorch.aten' has no operator '{name}'")
    operators = import_module(f".operators.{_module(name)}", __package__).OPERATORS
    globals()[name] = operators[name]
    return operators[name]


def _module(name: str) -> str:
    """The emitted module that has an operator, by its first letter."""
    return ("_" if name.startswith("_") else "") + name.lstrip("_")[0].lower()


def __dir__() -> list[str]:
    return sorted(_names)
