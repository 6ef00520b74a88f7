"""`x[index]` and `x[index] = value`, for everything that Python can put between the brackets."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from . import aten, raw, ufuncs
from .arguments import NotAnArgument, as_bool, number
from .elements import from_numbers
from .handle import is_tensor


def get(tensor: Any, index: Any) -> Any:
    if type(index) is int:
        try:
            return aten.select.int(tensor, 0, index)  # the same, and faster
        except (IndexError, TypeError):
            pass  # what is wrong with it is said below as Python says it
    return raw.tensor_index(tensor, _index(index))


def put(tensor: Any, index: Any, value: Any) -> None:
    if ufuncs.is_array(value):
        value = ufuncs.as_tensor(value)
    if is_tensor(value):
        raw.tensor_index_put(tensor, _index(index), value)
        return
    try:
        scalar = number(value)
    except NotAnArgument:
        raise TypeError(f"can't assign a {type(value).__name__} to a Tensor") from None
    raw.tensor_index_put_scalar(tensor, _index(index), scalar)


def _index(index: Any) -> raw.Index:
    result = raw.index_new()
    for item in _items(index):
        _push(result, item)
    return result


def _items(index: Any) -> tuple[Any, ...]:
    """What stands between the commas. PyTorch takes a short list of more than numbers for a tuple, and warns of it."""
    if isinstance(index, tuple):
        return index
    if (
        isinstance(index, list)
        and len(index) < 32
        and any(i is None or i is ... or isinstance(i, Sequence | slice) or is_tensor(i) for i in index)
    ):
        warnings.warn(
            "a list of indexes is taken for a tuple; write x[tuple(list)] or x[ctorch.tensor(list)]", stacklevel=4
        )
        return tuple(index)
    return (index,)


def _push(result: raw.Index, item: Any) -> None:
    if item is None:
        raw.index_push_none(result)
    elif item is Ellipsis:
        raw.index_push_ellipsis(result)
    elif isinstance(item, slice):
        raw.index_push_slice(result, *(_bound(bound) for bound in (item.start, item.stop, item.step)))
    elif is_tensor(item):
        raw.index_push_tensor(result, item)
    elif ufuncs.is_array(item):
        _push_array(result, item)
    elif isinstance(item, Sequence) and not isinstance(item, str | bytes):
        _push_list(result, item)
    else:
        _push_number(result, item)


def _bound(bound: Any) -> int | None:
    if bound is None:
        return None
    try:
        return bound.__index__()
    except AttributeError:
        raise TypeError(f"slice indices must be integers or None or have an __index__ method, not {bound!r}") from None


def _push_list(result: raw.Index, items: Sequence[Any]) -> None:
    if all(isinstance(item, bool) for item in items) and len(items) > 0:
        raw.index_push_bools(result, list(items))
    elif all(hasattr(item, "__index__") and not isinstance(item, bool) and not is_tensor(item) for item in items):
        raw.index_push_ints(result, list(items))
    else:  # nested, or with tensors in it: what torch.tensor makes of it
        raw.index_push_tensor(result, from_numbers(items, None))


def _push_array(result: raw.Index, array: Any) -> None:
    if array.shape == ():  # a number to NumPy too
        _push(result, array.item())
    elif 0 in array.shape and array.dtype.kind == "f":  # numpy.array([]), which is to say no index
        raw.index_push_ints(result, [])
    else:
        raw.index_push_tensor(result, ufuncs.as_tensor(array))


def _push_number(result: raw.Index, item: Any) -> None:
    try:
        truth = as_bool(item)
    except NotAnArgument:
        if not hasattr(item, "__index__"):
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                f"(got {type(item).__name__})"
            ) from None
        raw.index_push_int(result, item)
    else:
        raw.index_push_bool(result, truth)
