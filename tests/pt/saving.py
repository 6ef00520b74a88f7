"""Python objects written by ctorch as `torch.save` would write them.

    data = save({"weight": x})
    assert torch.load(io.BytesIO(data)) == ...
    assert data == python_save({"weight": x})

Tensors, storages and generators are the very ones of Python's torch; what is one object there is one here.
"""

from __future__ import annotations

import collections
import io
import zipfile
from typing import Any

import torch

from tests.harness.capi import ffi, handle, lib, ok, out
from tests.harness.values import made, python_object, value

NO_CRC32, SKIP_DATA, ANY = 1, 2, 4


class Written:
    """A Python object described to ctorch: `module.name(*args)`, then items, then a state."""

    def __init__(self, module: str, name: str, args: tuple | None = None, items: Any = None, state: Any = None):
        self.module, self.name, self.args, self.items, self.state = module, name, args, items, state


class Values:
    """Makes values, one for each object."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, Any]] = {}

    def __call__(self, item: Any) -> Any:
        if id(item) in self.known:
            return self.known[id(item)][1]
        known = self.make(item)
        self.known.setdefault(id(item), (item, known))
        return self.known[id(item)][1]

    def make(self, item: Any) -> Any:
        if isinstance(item, ffi.CData):
            return item
        if type(item) in (list, dict):
            return self.container(item)
        if type(item) is tuple:
            return self.sequence("ctorch_value_from_tuple", item)
        if type(item) is set:
            return self.sequence("ctorch_value_from_set", item)
        if isinstance(item, torch.nn.Parameter):
            return self.parameter(item)
        if type(item) is collections.Counter:
            return self.object("collections", "Counter", (dict(item),), None, item.__dict__ or None)
        if type(item) is collections.OrderedDict:
            return self.object("collections", "OrderedDict", (), dict(item), item.__dict__ or None)
        if type(item) is bytearray:
            return self.object("builtins", "bytearray", (bytes(item),) if item else (), None, None)
        if type(item) is frozenset:
            return self.object("builtins", "frozenset", (list(item),), None, None)
        if type(item) is range:
            return self.object("builtins", "range", (item.start, item.stop, item.step), None, None)
        if isinstance(item, torch.qscheme):
            return self.object("torch", str(item).removeprefix("torch."), None, None, None)
        if isinstance(item, torch.UntypedStorage):
            return made("ctorch_value_from_storage", ffi.cast("ctorch_storage *", item._cdata))
        if isinstance(item, torch.Generator):
            return made("ctorch_value_from_generator", ffi.cast("ctorch_generator *", item._cdata))
        if isinstance(item, str):
            data = item.encode("utf-8", "surrogatepass")
            return made("ctorch_value_from_string_data", data, len(data))
        if isinstance(item, Written):
            return self.object(item.module, item.name, item.args, item.items, item.state)
        if isinstance(item, torch.Tensor):
            return made("ctorch_value_from_tensor", handle(item))
        return value(item)

    def container(self, item: list | dict) -> Any:
        """Known before its entries, which may lead back to it."""
        if type(item) is list:
            result = made("ctorch_value_from_list", ffi.NULL, 0)
            self.known[id(item)] = (item, result)
            for entry in item:
                ok(lib.ctorch_value_list_append(result, self(entry)))
        else:
            result = made("ctorch_value_from_dict", ffi.NULL, 0, ffi.NULL, 0)
            self.known[id(item)] = (item, result)
            for key, entry in item.items():
                ok(lib.ctorch_value_dict_set(result, self(key), self(entry)))
        return result

    def sequence(self, function: str, item: Any) -> Any:
        entries = [self(entry) for entry in item]
        if id(item) in self.known:  # an entry led back to it
            return self.known[id(item)][1]
        return made(function, ffi.new("ctorch_value *[]", entries), len(entries))

    def object(self, module: str, name: str, args: tuple | None, items: Any, state: Any) -> Any:
        parts = [None if part is None else self.make(part) for part in (args, items, state)]
        return python_object(module, name, *parts)

    def parameter(self, item: torch.nn.Parameter) -> Any:
        return self.object(
            "torch.nn.parameter", "Parameter", (item.data, item.requires_grad), None, item.__dict__ or None
        )


def writer() -> Any:
    result = out("ctorch_writer *")
    ok(lib.ctorch_writer_new(result))
    return ffi.gc(result[0], lib.ctorch_writer_release)


def written(target: Any) -> bytes:
    ok(lib.ctorch_writer_finish(target))
    return bytes(ffi.buffer(lib.ctorch_writer_data(target), lib.ctorch_writer_nbytes(target)))


def save(item: Any, flags: int = 0) -> bytes:
    target = writer()
    ok(lib.ctorch_serialization_save(target, Values()(item), flags))
    return written(target)


def python_save(item: Any) -> bytes:
    buffer = io.BytesIO()
    torch.save(item, buffer)
    return buffer.getvalue()


def is_pythons(data: bytes, expected: bytes) -> bool:
    """Whether a file is the one that Python wrote; but for how it is aligned, where Python does not tell that yet."""
    mine, theirs = (zipfile.ZipFile(io.BytesIO(file)) for file in (data, expected))
    if set(mine.namelist()) == set(theirs.namelist()):
        return data == expected
    telling = {name for name in mine.namelist() if name.rpartition("/")[2] in (".format_version", ".storage_alignment")}
    names = [name for name in theirs.namelist() if not name.endswith("/serialization_id")]
    return set(mine.namelist()) - set(theirs.namelist()) == telling and all(
        mine.read(name) == theirs.read(name) for name in names
    )


def load(data: bytes, **options: Any) -> Any:
    return torch.load(io.BytesIO(data), **options)
