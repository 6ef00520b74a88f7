"""Lists of tensors and texts that C made, as the raw functions hand them over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import c_void_p, string_at
from typing import Any

from .handle import Resource
from .library import native
from .results import from_tensor_list

_string_data = native["ctorch_string_data"]
_string_data.restype = c_void_p  # as bytes it would end at a NUL


class TensorList(Resource, Sequence):
    """An owned sequence of tensors; an undefined one is None."""

    __slots__ = ("_tensor_list",)
    _slot = "_tensor_list"

    def __len__(self) -> int:
        return native.ctorch_tensor_list_len(self._open())

    def __iter__(self) -> Iterator[Any]:
        return iter(from_tensor_list(self._open()))

    def __getitem__(self, index: Any) -> Any:
        return from_tensor_list(self._open())[index]

    def _open(self) -> Any:
        if self.closed:
            raise ValueError("the TensorList was closed")
        return self._tensor_list


class String(Resource):
    """An owned text; `str()` gives it to Python."""

    __slots__ = ("_string",)
    _slot = "_string"

    def __str__(self) -> str:
        if self.closed:
            raise ValueError("the String was closed")
        return string_at(_string_data(self._string), native.ctorch_string_len(self._string)).decode()
