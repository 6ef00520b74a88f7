"""Every function of torch.nn.functional: `import ctorch.nn.functional as F`.

What is no operator alone comes from `ctorch.functional`; the others are operators, which have the names of LibTorch's
schemas for their arguments, but for the first, which is `input` here. What Python can do in place takes `inplace`, and
what finds places of maxima `return_indices`, both where Python has them.
"""

import functools
from typing import Any

from .. import aten, functional

_RENAMED = {"logsigmoid": "log_sigmoid"}
# Where in Python `inplace` stands among the arguments.
_IN_PLACE = {
    "celu": 2, "elu": 2, "hardsigmoid": 1, "hardswish": 1, "hardtanh": 3, "leaky_relu": 2, "mish": 1, "relu": 1,
    "relu6": 1, "rrelu": 4, "selu": 1, "silu": 1, "threshold": 3,
}  # fmt: skip
# Operators that give a maximum's place too, and where in Python `return_indices` stands.
_INDICES = {
    "adaptive_max_pool1d": ("adaptive_max_pool1d", 2),
    "adaptive_max_pool2d": ("adaptive_max_pool2d", 2),
    "adaptive_max_pool3d": ("adaptive_max_pool3d", 2),
    "max_pool1d": ("max_pool1d_with_indices", 6),
    "max_pool2d": ("max_pool2d_with_indices", 6),
    "max_pool3d": ("max_pool3d_with_indices", 6),
}


def _split(args: tuple, keywords: dict, place: int, flag: str) -> tuple[tuple, dict, bool]:
    """Arguments without a flag, and the flag."""
    if len(args) > place:
        return args[:place] + args[place + 1 :], keywords, bool(args[place])
    keywords = dict(keywords)
    return args, keywords, bool(keywords.pop(flag, False))


def _first(args: tuple, keywords: dict) -> tuple[tuple, dict]:
    """The argument `input` in front of the others."""
    if args or "input" not in keywords:
        return args, keywords
    keywords = dict(keywords)
    return (keywords.pop("input"),), keywords


def _in_place(name: str, place: int) -> Any:
    operator, changing = getattr(aten, name), getattr(aten, f"{name}_")

    def function(*args: Any, **keywords: Any) -> Any:
        args, keywords, inplace = _split(*_first(args, keywords), place, "inplace")
        return (changing if inplace else operator)(*args, **keywords)

    return function


def _with_indices(name: str, other: str, place: int) -> Any:
    operator, finding = getattr(aten, name), getattr(aten, other)

    def function(*args: Any, **keywords: Any) -> Any:
        args, keywords, wanted = _split(*_first(args, keywords), place, "return_indices")
        found = (finding if wanted else operator)(*args, **keywords)
        return found[0] if other == name and not wanted else found

    return function


def _adaptive(function: Any) -> Any:
    """None among the sizes of the output stands for the input's."""

    def sized(input: Any, output_size: Any, *args: Any, **keywords: Any) -> Any:
        if isinstance(output_size, list | tuple):
            ours = input.shape[-len(output_size) :]
            output_size = [mine if size is None else size for size, mine in zip(output_size, ours)]
        return function(input, output_size, *args, **keywords)

    return functools.update_wrapper(sized, function, updated=())


def _operator(name: str) -> Any:
    operator = getattr(aten, _RENAMED.get(name, name))

    def function(*args: Any, **keywords: Any) -> Any:
        args, keywords = _first(args, keywords)
        return operator(*args, **keywords)

    return functools.update_wrapper(function, operator, updated=())


def _find(name: str) -> Any:
    return _adaptive(_find_operator(name)) if name.startswith("adaptive_") else _find_operator(name)


def _find_operator(name: str) -> Any:
    if hasattr(functional, name):
        return getattr(functional, name)
    if name in _IN_PLACE:
        return _in_place(name, _IN_PLACE[name])
    if name in _INDICES:
        return _with_indices(name, *_INDICES[name])
    if name.endswith("_with_indices") and name.removesuffix("_with_indices") in _INDICES:
        return getattr(aten, _INDICES[name.removesuffix("_with_indices")][0])
    return _operator(name)


def __getattr__(name: str) -> Any:
    if name.startswith("_") or not (hasattr(functional, name) or _is_operator(name)):
        raise AttributeError(f"module 'ctorch.nn.functional' has no attribute '{name}'")
    globals()[name] = function = _find(name)
    return function


def _is_operator(name: str) -> bool:
    return hasattr(aten, _RENAMED.get(name, name.removesuffix("_with_indices")))


def __dir__() -> list[str]:
    return sorted({*dir(functional), *_IN_PLACE, *_INDICES, *_RENAMED})
