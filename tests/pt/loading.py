"""Files of `torch.save` read by ctorch, as Python objects.

    loaded = load(python_save({"weight": x}))
    same(torch.load(...), loaded)

Tensors and storages are the very ones that ctorch made; what is one object there is one here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import torch

from tests.harness.capi import CtorchError, error, ffi, lib, ok, out, string, tensor, text
from tests.harness.values import READERS, device, entries, kind, made
from tests.weights.weights import Reader

KEPT: list[Any] = []
CONTAINERS = ("list", "tuple", "dict", "set", "PythonObject", "Tensor", "bytes", "Storage")


def _name(read: Callable, value: Any) -> str | None:
    name = read(value)
    return None if name == ffi.NULL else text(name)


class Described:
    """An object of a class that is not called: what ctorch tells of it."""

    def __init__(self, name: str, args: Any, items: Any = None, state: Any = None):
        self.name, self.args, self.items, self.state = name, args, items, state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Described) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"Described({self.name!r}, {self.args!r}, {self.items!r}, {self.state!r})"


class Objects:
    """Python objects for values, one for each."""

    def __init__(self, describe: bool = False) -> None:
        self.known: dict[str, list[tuple[Any, Any]]] = {}
        self.describe = describe

    def __call__(self, value: Any) -> Any:
        which = kind(value)
        if which not in CONTAINERS:
            return self.text(value) if which == "str" else READERS[which](value)
        for known, item in self.known.setdefault(which, []):
            if lib.ctorch_value_is(known, value):
                return item
        return getattr(self, which)(value)

    def note(self, value: Any, item: Any) -> Any:
        self.known[kind(value)].append((value, item))
        return item

    def text(self, value: Any) -> str:
        data, length = ffi.new("const char **"), out("size_t")
        ok(lib.ctorch_value_to_string(data, length, value))
        return bytes(ffi.buffer(data[0], length[0])).decode("utf-8", "surrogatepass")

    def bytes(self, value: Any) -> bytes:
        return self.note(value, READERS["bytes"](value))

    def list(self, value: Any) -> list:
        item = self.note(value, [])
        item.extend(self(entry) for entry in entries(value))
        return item

    def tuple(self, value: Any) -> tuple:
        item = tuple(self(entry) for entry in entries(value))
        for known, other in self.known["tuple"]:  # an entry may lead back to it
            if lib.ctorch_value_is(known, value):
                return other
        return self.note(value, item)

    def dict(self, value: Any) -> dict:
        return self.fill(self.note(value, {}), value)

    def fill(self, item: dict, value: Any) -> dict:
        keys, values = made("ctorch_value_dict_keys", value), made("ctorch_value_dict_values", value)
        for key, entry in zip(entries(keys), entries(values), strict=True):
            item[self(key)] = self(entry)
        return item

    def set(self, value: Any) -> set:
        item = self.note(value, set())
        item.update(self(entry) for entry in entries(made("ctorch_value_set_values", value)))
        return item

    def Tensor(self, value: Any) -> torch.Tensor:
        owned = out("ctorch_tensor *")
        ok(lib.ctorch_value_to_tensor(owned, value))
        item = tensor(owned[0])
        if _name(lib.ctorch_value_python_name, value) == "Parameter":
            assert _name(lib.ctorch_value_python_module, value) == "torch.nn.parameter"
            item = torch.nn.Parameter(item, item.requires_grad)
        return self.note(value, item)

    def Storage(self, value: Any) -> torch.UntypedStorage:
        storage, over = out("ctorch_storage *"), out("ctorch_tensor *")
        ok(lib.ctorch_value_to_storage(storage, value))
        nbytes = lib.ctorch_storage_nbytes(storage[0])
        sizes = ffi.new("int64_t[1]", [nbytes])
        ok(lib.ctorch_tensor_from_storage(over, storage[0], 0, sizes, 1, ffi.NULL, 0, lib.c.CTORCH_DTYPE_UINT8))
        lib.ctorch_storage_release(storage[0])
        return self.note(value, tensor(over[0]).untyped_storage())

    def part(self, which: str, value: Any) -> Any:
        part = made(f"ctorch_value_python_{which}", value)
        return None if part == ffi.NULL else part

    def PythonObject(self, value: Any) -> Any:
        module, name = _name(lib.ctorch_value_python_module, value), _name(lib.ctorch_value_python_name, value)
        args, items, state = (self.part(which, value) for which in ("args", "items", "state"))
        if self.describe:
            item = self.note(value, Described(f"{module}.{name}", None))
            item.args, item.items, item.state = (None if p is None else self(p) for p in (args, items, state))
            return item
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        if args is None:
            return self.note(value, found)
        item = self.note(value, found(*self(args)))
        if items is not None:
            self.fill(item, items)
        if state is not None:
            attributes = self(state)
            item.__setstate__(attributes) if hasattr(item, "__setstate__") else item.__dict__.update(attributes)
        return item


def load_value(
    data: bytes | str,
    source: str = "copy",
    device_name: str | None = None,
    allow: Callable[[str, str], bool] | None = None,
    map_location: Callable[[str], str | None] | None = None,
) -> Any:
    """The value in a file: bytes, or the path of one, of which `source` tells whether it is mapped."""
    result = out("ctorch_value *")
    place = ffi.NULL if device_name is None else device(torch.device(device_name))
    if isinstance(data, str):
        ok(lib.ctorch_serialization_load_file(result, data.encode(), source == "mmap", place))
        return ffi.gc(result[0], lib.ctorch_value_release)
    reader = Reader(data, source)
    if source == "memory":
        KEPT.append(reader.kept)  # tensors share it
    if allow is None and map_location is None:
        ok(lib.ctorch_serialization_load(result, reader.handle, place))
    else:

        @ffi.callback("ctorch_serialization_allow_callback")
        def allowed(answer, module, name, failure, payload):
            try:
                answer[0] = allow(text(module), text(name))
            except CtorchError as e:
                failure[0] = error(e.kind, e.message)
                return 0
            return 1

        @ffi.callback("ctorch_serialization_map_location_callback")
        def mapped(answer, location, failure, payload):
            try:
                wanted = map_location(text(location))
            except CtorchError as e:
                failure[0] = error(e.kind, e.message)
                return 0
            if wanted is not None:
                answer[0] = device(torch.device(wanted))[0]
            return 1

        ok(
            lib.ctorch_serialization_load_with(
                result,
                reader.handle,
                ffi.NULL if map_location is None else mapped,
                ffi.NULL if allow is None else allowed,
                ffi.NULL,
            )
        )
    return ffi.gc(result[0], lib.ctorch_value_release)


def load(data: bytes | str, source: str = "copy", *, describe: bool = False, **options: Any) -> Any:
    return Objects(describe)(load_value(data, source, **options))


def refused(data: bytes | str, source: str = "copy", **options: Any) -> tuple[str, str]:
    """Kind and message of the error that a file must lead to."""
    try:
        load_value(data, source, **options)
    except CtorchError as e:
        return e.kind, e.message
    raise AssertionError("the file was read")


def repr_of(value: Any) -> str:
    result = out("ctorch_string *")
    ok(lib.ctorch_value_repr(result, value))
    return string(result[0])
