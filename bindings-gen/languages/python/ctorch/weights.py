"""The tensors of a file by their names, whichever format it has, each read when it is asked for.

    with ctorch.Weights("model.safetensors") as weights:
        print(weights.format, list(weights), weights.shape("embedding.weight"))
        rows = weights.get_slice("embedding.weight")[:100]

The formats are "pt" (what `torch.save` writes), "safetensors", "npy", "npz", "gguf", and "sharded": several files that
an index lists, or the folder that they are in.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import errors, objects, raw
from .plain_data import device, dtype
from .streams import is_path, path_of, reading
from .tensor import Tensor
from .values import from_value


class Weights(objects.Weights, Mapping[str, Tensor]):
    """A mapping from names to tensors. `f` is a path, a stream or bytes; of them the table of contents is read.

    Where the memory of the file is shared, tensors share it too: with `mmap` nothing is read until it is looked at.
    """

    __eq__, __hash__ = object.__eq__, object.__hash__

    def __init__(self, f: Any, *, mmap: bool | None = None, progress: Callable[[int], Any] | None = None) -> None:
        mmap = is_path(f) if mmap is None else mmap
        if is_path(f) and progress is None:  # also a folder, and the index of several files
            self._weights = raw.weights_open_file(path_of(f), mmap)._weights
            return
        with reading(f, mmap, progress) as file:
            self._weights = raw.weights_open(file)._weights

    @property
    def format(self) -> str:
        """The format's name: "safetensors"."""
        return raw.weights_format(self)

    # A mapping

    def __len__(self) -> int:
        return raw.weights_len(self)

    def __iter__(self) -> Iterator[str]:
        return (raw.weights_name(self, i) for i in range(len(self)))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or "\0" in name:
            return False
        try:
            self._index(name)
        except KeyError:
            return False
        return True

    def __getitem__(self, name: str) -> Tensor:
        self._index(name)
        return raw.weights_tensor(self, name)  # type: ignore[return-value]

    def _index(self, name: str) -> int:
        try:
            return raw.weights_find(self, name)
        except errors.IndexError:
            raise KeyError(name) from None

    get_tensor = __getitem__  # as safetensors calls it

    # What is known without reading

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor."""
        return raw.weights_shape(self, self._index(name))

    def dtype(self, name: str) -> dtype:
        """The dtype with which a tensor is read."""
        return raw.weights_dtype(self, self._index(name))  # type: ignore[return-value]

    def type(self, name: str) -> str:
        """The element type in the format's own words: "BF16", "Q4_K", "<f4"."""
        return raw.weights_type(self, self._index(name))

    def nbytes(self, name: str) -> int:
        """How many bytes a tensor takes in the file, before it is compressed."""
        return raw.weights_nbytes(self, self._index(name))

    def metadata(self) -> dict[str, Any]:
        """What the file says beside its tensors."""
        return from_value(raw.weights_metadata(self))

    # Reading

    def get_slice(self, name: str) -> Slice:
        """A tensor of which parts are read: `weights.get_slice("weight")[2:5, 0]`."""
        self._index(name)
        return Slice(self, name)

    def load(self, device: str | device | None = None) -> dict[str, Tensor]:
        """All tensors in a dict, on the CPU or on a device."""
        return from_value(raw.weights_load(self, device))

    def __repr__(self) -> str:
        if self.closed:
            return "<ctorch.Weights closed>"
        return f"<ctorch.Weights of {len(self)} tensors, format {self.format}>"


class Slice:
    """A tensor of a file, read in parts: as many of its rows as are asked for."""

    def __init__(self, weights: Weights, name: str) -> None:
        self._weights, self._name = weights, name

    @property
    def shape(self) -> tuple[int, ...]:
        return self._weights.shape(self._name)

    def get_shape(self) -> list[int]:
        """The shape, as safetensors gives it."""
        return list(self.shape)

    def get_dtype(self) -> str:
        """The element type in the format's own words."""
        return self._weights.type(self._name)

    def __getitem__(self, key: Any) -> Tensor:
        shape = self.shape
        keys = list(key) if isinstance(key, tuple) else [key]
        for place in [i for i, part in enumerate(keys) if part is Ellipsis][:1]:
            keys[place : place + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
        if len(keys) > len(shape):
            raise IndexError(f"too many indices for '{self._name}', which has {len(shape)} dimensions")
        begin, end, found = [], [], []
        for size, part in zip(shape, keys):
            first, last = self._range(part, size)
            begin.append(first)
            end.append(last)
            found.append(part if isinstance(part, slice) else 0)
        tensor: Any = raw.weights_slice(self._weights, self._name, begin, end)
        for dim in reversed([i for i, part in enumerate(found) if part == 0]):
            tensor = tensor.select(dim, 0)
        return tensor

    def _range(self, part: Any, size: int) -> tuple[int, int]:
        if isinstance(part, slice):
            start, stop, step = part.indices(size)
            if step != 1:
                raise ValueError("a part of a file is read with a step of 1")
            return start, max(start, stop)
        index = operator.index(part)
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of bounds for a dimension of '{self._name}' with size {size}")
        index %= size
        return index, index + 1


def opened(f: Any, function: str, format: str) -> Weights:  # noqa: A002
    """The weights of a file of that very format."""
    weights = Weights(f, mmap=False)
    if weights.format != format:
        with weights:
            raise errors.FormatError(f"{function}(): the format of the file is {weights.format}, not {format}")
    return weights


__all__ = ["Weights"]
