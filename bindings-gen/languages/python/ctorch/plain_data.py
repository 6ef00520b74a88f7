"""Plain data that crosses the C ABI: dtypes, layouts, memory formats, devices and streams."""

from __future__ import annotations

import struct
from typing import ClassVar

from .declarations import DEVICE_TYPES

DEVICE = struct.Struct("ii")
STREAM = struct.Struct("qii")
NUMBER = struct.Struct("i")


class Constant:
    """A named number of an enumeration. There is one object for each, so `is` compares them."""

    __slots__ = ("name", "number", "packed")
    by_number: ClassVar[dict[int, Constant]]
    by_name: ClassVar[dict[str, Constant]]

    def __init_subclass__(cls) -> None:
        cls.by_number, cls.by_name = {}, {}

    def __init__(self, name: str, number: int) -> None:
        if number in self.by_number:
            raise TypeError(f"{type(self).__name__} {name} exists already")
        self.name, self.number, self.packed = name, number, NUMBER.pack(number)
        self.by_number[number] = self.by_name[name] = self

    def __repr__(self) -> str:
        return f"ctorch.{self.name}"

    def __reduce__(self):
        return _constant, (type(self), self.name)


def _constant(kind: type[Constant], name: str) -> Constant:
    return kind.by_name[name]


class dtype(Constant):  # noqa: N801
    """Element type of a tensor: `ctorch.float32`."""

    __slots__ = ()

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        from . import raw

        return raw.dtype_itemsize(self)

    @property
    def is_floating_point(self) -> bool:
        return self.name.startswith(("float", "bfloat"))

    @property
    def is_complex(self) -> bool:
        return self.name.startswith("complex")


class layout(Constant):  # noqa: N801
    """How a tensor's elements lie in memory: `ctorch.strided`."""

    __slots__ = ()


class memory_format(Constant):  # noqa: N801
    """Order of a strided tensor's dimensions in memory: `ctorch.channels_last`."""

    __slots__ = ()


class device:  # noqa: N801
    """A device: `ctorch.device("cuda", 1)`, `ctorch.device("cuda:1")`. Without an index it is the current one."""

    __slots__ = ("index", "packed", "type")
    type: str
    index: int | None

    def __init__(self, type: str | device, index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index if index is None else index
        if not isinstance(type, str):
            raise TypeError(f"device(): argument 'type' (position 1) must be str, not {_name(type)}")
        name, colon, number = type.partition(":")
        if colon:
            if index is not None:
                raise ValueError(f"device(): 'type' has an index already: {type!r}")
            if not (number.isascii() and number.isdigit()) or (len(number) > 1 and number[0] == "0"):
                raise ValueError(f"device(): invalid device string: {type!r}")
            index = int(number)
        if index is not None and not 0 <= index < 128:
            raise ValueError(f"device(): 'index' must be 0 to 127, not {index}")
        if name not in _device_numbers():
            raise ValueError(f"device(): unknown type of device: {type!r}")
        set_ = object.__setattr__
        set_(self, "type", name)
        set_(self, "index", index)
        set_(self, "packed", DEVICE.pack(_device_numbers()[name], -1 if index is None else index))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a device cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        return self.packed == other.packed if isinstance(other, device) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.packed)

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type={self.type!r}" + ("" if self.index is None else f", index={self.index}") + ")"

    def __reduce__(self):
        return device, (str(self),)


def _name(value: object) -> str:
    return type(value).__name__


_numbers: dict[str, int] = {}
_names: dict[int, str] = {}


def _device_numbers() -> dict[str, int]:
    if not _numbers:
        from .library import native

        for kind in DEVICE_TYPES:
            _names[kind] = native.ctorch_device_type_name(kind).decode()
            _numbers[_names[kind]] = kind
    return _numbers


def device_of(type_number: int, index: int) -> device:
    """The device that C describes by two numbers."""
    _device_numbers()
    return device(_names[type_number], None if index < 0 else index)


class Stream:
    """A queue of work on a device: plain data that owns nothing."""

    __slots__ = ("device_index", "device_type", "id")

    def __init__(self, id: int, device_type: int, device_index: int) -> None:
        self.id, self.device_type, self.device_index = id, device_type, device_index

    @property
    def packed(self) -> bytes:
        return STREAM.pack(self.id, self.device_type, self.device_index)

    def __eq__(self, other: object) -> bool:
        return self.packed == other.packed if isinstance(other, Stream) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.packed)

    def __repr__(self) -> str:
        return f"Stream(id={self.id}, device_type={self.device_type}, device_index={self.device_index})"
