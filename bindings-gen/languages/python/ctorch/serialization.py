"""Files of `torch.save`: Python objects written so that torch loads them, and read as torch wrote them.

    ctorch.save(model.state_dict(), "model.pt")
    model.load_state_dict(ctorch.load("model.pt", map_location="cpu", mmap=True))

Loading runs nothing: what a file may make is a fixed table of classes, and what `allow` allows becomes a
`ctorch.PythonObject`, a description.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from typing import Any

from . import raw
from .arguments import NotAnArgument
from .constants import SaveFlags
from .objects import ValueHandle
from .parameters import Parameter
from .plain_data import device
from .streams import reading, writing
from .values import Writer, from_value, made

MapLocation = str | device | Mapping[Any, Any] | Callable[[str], Any] | None


def save(
    obj: Any,
    f: Any,
    *,
    crc32: bool = True,
    skip_data: bool = False,
    weights_only: bool = True,
    progress: Callable[[int], Any] | None = None,
) -> None:
    """Write an object to a path or a stream (`torch.save`).

    Without `crc32` the checksums are left 0, with `skip_data` there are holes in the places of tensors' bytes. What
    torch reads with `weights_only=False` alone is written without `weights_only`. `progress` hears how many bytes were
    written.
    """
    flags = (
        (0 if crc32 else SaveFlags.NO_CRC32)
        | (SaveFlags.SKIP_DATA if skip_data else 0)
        | (0 if weights_only else SaveFlags.ANY)
    )
    try:
        value = raw.Value(Saver().handle(obj))
    except NotAnArgument as error:
        raise TypeError(f"save(): argument 'obj' (position 1) {error}") from None
    with writing(f, progress) as file:
        raw.serialization_save(file, value, flags)


class Saver(Writer):
    """Parameters are tensors for C, and parameters in the file."""

    def handle(self, value: Any) -> ValueHandle:
        if not isinstance(value, Parameter):
            return super().handle(value)

        def make() -> ValueHandle:
            args = made("ctorch_value_from_tuple", *self.array([value.detach(), value.requires_grad, OrderedDict()]))
            return self.object("torch._utils", "_rebuild_parameter", args, None, None)

        return self.once(value, make)


def load(
    f: Any,
    map_location: MapLocation = None,
    *,
    weights_only: bool = True,
    mmap: bool = False,
    allow: Callable[[str, str], bool] | Collection[str] | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Any:
    """Read an object from a path, a stream or bytes (`torch.load`).

    `map_location` is a device, a dict from the file's devices to those to use, or a function that is given the file's
    device as a text ("cuda:0") and gives one, or None for that one. With `mmap` tensors share a mapping of the file.
    `allow` has the names of further classes that may be in the file ("argparse.Namespace"), or is a function that is
    asked with module and name. `progress` hears how many bytes were read.
    """
    if not weights_only:
        raise NotImplementedError("load() runs nothing of what a file holds: weights_only=False is not supported")
    with reading(f, mmap, progress) as file:
        if allow is None and (map_location is None or isinstance(map_location, str | device)):
            return from_value(raw.serialization_load(file, map_location))
        return from_value(raw.serialization_load_with(file, _places(map_location), _allowed(allow)))


def _places(map_location: MapLocation) -> Callable[[str], Any] | None:
    if map_location is None or callable(map_location):
        return map_location
    if isinstance(map_location, Mapping):
        places = {str(key): value for key, value in map_location.items()}
        return places.get
    place = device(map_location)
    return lambda location: place


def _allowed(allow: Callable[[str, str], bool] | Collection[str] | None) -> Callable[[str, str], bool] | None:
    if allow is None or callable(allow):
        return allow
    names = frozenset([allow] if isinstance(allow, str) else allow)
    return lambda module, name: f"{module}.{name}" in names


__all__ = ["load", "save"]
