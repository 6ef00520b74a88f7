"""Tensors of a shape, as torch makes them: `zeros(2, 3)`, `randn((2, 3), requires_grad=True)`.

Each is the operator of that name (`ctorch.aten`), with what Python's torch adds to it: sizes as separate arguments
where they come first, and `requires_grad`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import aten
from .tensor import Tensor


def _of_size(name: str) -> Callable[..., Tensor]:
    def create(*size: Any, requires_grad: bool = False, **options: Any) -> Tensor:
        sizes = size if len(size) != 1 or hasattr(size[0], "__index__") else size[0]
        arguments = (sizes,) if size else ()
        return _requiring(getattr(aten, name)(*arguments, **options), requires_grad)

    return _named(create, name, f"{name}(*size, requires_grad=False)")


def _of_values(name: str) -> Callable[..., Tensor]:
    def create(*args: Any, requires_grad: bool = False, **options: Any) -> Tensor:
        return _requiring(getattr(aten, name)(*args, **options), requires_grad)

    return _named(create, name, f"{name}(..., requires_grad=False)")


def _named(function: Callable[..., Tensor], name: str, call: str) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "ctorch"
    function.__doc__ = f"`{call}`: the operator ctorch.aten.{name}, whose further arguments it takes by name."
    return function


def _requiring(tensor: Tensor, requires_grad: bool) -> Tensor:
    return tensor.requires_grad_() if requires_grad else tensor


zeros = _of_size("zeros")
ones = _of_size("ones")
empty = _of_size("empty")
rand = _of_size("rand")
randn = _of_size("randn")
full = _of_values("full")
eye = _of_values("eye")
arange = _of_values("arange")
linspace = _of_values("linspace")
logspace = _of_values("logspace")
randint = _of_values("randint")
randperm = _of_values("randperm")
empty_strided = _of_values("empty_strided")
zeros_like = _of_values("zeros_like")
ones_like = _of_values("ones_like")
empty_like = _of_values("empty_like")
full_like = _of_values("full_like")
rand_like = _of_values("rand_like")
randn_like = _of_values("randn_like")
randint_like = _of_values("randint_like")

__all__ = [
    "arange",
    "empty",
    "empty_like",
    "empty_strided",
    "eye",
    "full",
    "full_like",
    "linspace",
    "logspace",
    "ones",
    "ones_like",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "zeros",
    "zeros_like",
]
