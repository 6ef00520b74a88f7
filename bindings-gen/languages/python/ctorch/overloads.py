"""Operators that have several overloads: a call takes the first one that its arguments fit."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from typing import Any

from .mismatch import ArgumentError

SYNONYMS = {"axis": "dim", "keepdims": "keepdim"}  # NumPy's names, which torch takes too


def overloaded(
    name: str, *overloads: tuple[str, Callable[..., Any]], module: str = "ctorch.aten"
) -> Callable[..., Any]:
    """The function for an operator, with each overload as an attribute: `add`, `add.Tensor`, `abs.default`."""
    functions = tuple(function for _, function in overloads)
    if len(functions) > 1:
        function = _resolver(functions)
    else:
        function = _renaming(functions[0]) if _names(functions[0]) & {*SYNONYMS.values()} else functions[0]
    for overload, one in overloads:
        one.__module__, one.__qualname__ = module, f"{name}.{overload}"
        setattr(function, overload + "_" if keyword.iskeyword(overload) else overload, one)
    if function is not functions[0]:
        function.__name__ = function.__qualname__ = name
        function.__module__ = module
        function.__doc__ = "\n".join((one.__doc__ or "").strip() for one in functions)
    function.overloads = lambda: [overload for overload, _ in overloads]  # type: ignore[attr-defined]
    return function


def _resolver(functions: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    candidates = tuple((function, *_counts(function)) for function in functions)

    def operator(*args, **kwargs):
        positional = len(args)
        given = positional + len(kwargs)
        for function, least, most in candidates:
            if positional <= most and given >= least:
                try:
                    return function(*args, **kwargs)
                except TypeError as problem:
                    if not refused(problem, function):
                        raise
        renamed = _renamed(kwargs)
        if renamed != kwargs and any(renamed.keys() <= _names(function) for function, _, _ in candidates):
            return operator(*args, **renamed)
        raise TypeError(no_overload(operator.__name__, functions, args, kwargs))

    return operator


def _renaming(function: Callable[..., Any]) -> Callable[..., Any]:
    """The only overload of an operator, under NumPy's names of arguments too."""

    def operator(*args, **kwargs):
        if kwargs and not kwargs.keys().isdisjoint(SYNONYMS):
            kwargs = _renamed(kwargs)
        return function(*args, **kwargs)

    operator.__wrapped__ = function  # type: ignore[attr-defined]
    return operator


def _renamed(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments under the names of the schema; one that is there under both keeps its own, and is refused."""
    return {
        SYNONYMS[name] if name in SYNONYMS and SYNONYMS[name] not in kwargs else name: value
        for name, value in kwargs.items()
    }


def _names(function: Callable[..., Any]) -> set[str]:
    code = function.__code__
    return {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}


def _counts(function: Callable[..., Any]) -> tuple[int, int]:
    """How many arguments a function needs at least, and how many it takes by position."""
    code = function.__code__
    optional = len(function.__defaults__ or ()) + len(function.__kwdefaults__ or ())
    return code.co_argcount + code.co_kwonlyargcount - optional, code.co_argcount


def refused(problem: TypeError, function: Callable[..., Any]) -> bool:
    """Whether a function did not take its arguments, rather than failed while it worked with them.

    Python itself refuses a wrong number of arguments or an unknown keyword before the function begins: then the
    traceback ends where it was called.
    """
    if type(problem) is ArgumentError:
        return problem.function is function
    traceback = problem.__traceback__
    return type(problem) is TypeError and traceback is not None and traceback.tb_next is None


def no_overload(
    name: str, functions: tuple[Callable[..., Any], ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> str:
    """Why each overload refuses the arguments."""
    lines = [f"{name}(): no overload takes these arguments:"]
    for function in functions:
        try:
            function(*args, **kwargs)
        except TypeError as problem:
            schema = (function.__doc__ or "").strip().rpartition("\n\n")[2].strip()
            lines.append(f"  {schema}\n    {problem}")
    return "\n".join(lines)
