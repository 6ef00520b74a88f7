"""NumPy's universal functions on tensors: `array + x`, `numpy.sin(x)`, `array += x`.

What is an operator in Python is ctorch's own, so that `array + x` is what `x + array` is, a tensor of the dtype that
PyTorch gives it. All others NumPy computes, in memory that is shared with it, and their results are tensors too.
"""

from __future__ import annotations

import operator
from typing import Any

from .buffer import NAMES, of_interface
from .handle import is_tensor

OPERATORS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "power": operator.pow,
    "matmul": operator.matmul,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "left_shift": operator.lshift,
    "right_shift": operator.rshift,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


def apply(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """What `Tensor.__array_ufunc__` answers."""
    if method == "__call__" and not options and ufunc.__name__ in OPERATORS:
        left, right = map(_operand, inputs)
        return OPERATORS[ufunc.__name__](left, right)
    outputs = options.get("out")
    if outputs is not None:
        options = options | {"out": tuple(map(_array, outputs))}
    result = getattr(ufunc, method)(*map(_array, inputs), **options)
    if outputs is not None:
        return outputs if len(outputs) > 1 else outputs[0]
    return tuple(map(_tensor, result)) if isinstance(result, tuple) else _tensor(result)


def is_array(value: Any) -> bool:
    """An array of NumPy's, or what gives itself out for one; not a single number."""
    return hasattr(value, "__array_interface__") and hasattr(value, "__len__") and not is_tensor(value)


def as_tensor(array: Any) -> Any:
    """A tensor for an array that is only read: of its own memory, or of a copy where no tensor has such strides."""
    if array.__array_interface__["typestr"] not in NAMES:
        raise TypeError(f"no dtype for NumPy's {array.dtype}")
    try:
        return of_interface(array)
    except ValueError:
        return of_interface(array.copy())


def _operand(value: Any) -> Any:
    """NumPy's numbers are Python's: they take part in type promotion as these do."""
    if is_tensor(value):
        return value
    return as_tensor(value) if is_array(value) else value.item() if hasattr(value, "dtype") else value


def _array(value: Any) -> Any:
    return value.numpy() if is_tensor(value) else value


def _tensor(value: Any) -> Any:
    """The tensor for a result of NumPy's; of an array of other things than numbers that array."""
    if not hasattr(value, "__array_interface__") or value.__array_interface__["typestr"] not in NAMES:
        return value
    return of_interface(value if is_array(value) else value.reshape(()))
