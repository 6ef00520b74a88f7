"""Python objects as ctorch_value, and back.

v = value([1, {"a": x}])          # released with the Python object
assert repr_of(v) == repr([1, {"a": x}])
assert python(v) == [1, {"a": x}]
"""

from __future__ import annotations

import collections
import importlib
from typing import Any

import torch

from tests.harness.capi import ffi, handle, lib, ok, out, string, tensor
from tests.operators import values as parity_values


def made(function: str, *args: Any) -> Any:
    """The value that a function hands out, released with the Python object."""
    result = out("ctorch_value *")
    ok(getattr(lib, function)(result, *args))
    return ffi.gc(result[0], lib.ctorch_value_release)


def values(items: Any) -> tuple[Any, int, list[Any]]:
    """A list argument of values, its length, and what must outlive its use. None is NULL."""
    kept = [ffi.NULL if item is None else value(item) for item in items]
    return ffi.new("ctorch_value *[]", kept), len(kept), kept


def _number(kind: str, item: Any) -> int:
    return getattr(lib.c, f"CTORCH_{kind}_" + str(item).removeprefix("torch.").lstrip("_").upper())


def _memory_format(item: torch.memory_format) -> int:
    return getattr(lib.c, "CTORCH_MEMORY_FORMAT_" + str(item).removeprefix("torch.").removesuffix("_format").upper())


def device(item: torch.device) -> Any:
    return ffi.new("ctorch_device *", [_number("DEVICE_TYPE", item.type), -1 if item.index is None else item.index])


def generator(item: parity_values.Generator) -> Any:
    made_generator = out("ctorch_generator *")
    ok(lib.ctorch_generator_new(made_generator, ffi.NULL))
    ok(lib.ctorch_generator_manual_seed(made_generator[0], item.seed))
    return ffi.gc(made_generator[0], lib.ctorch_generator_release)


def storage(item: torch.UntypedStorage) -> Any:
    made_storage = out("ctorch_storage *")
    over = torch.empty(0, dtype=torch.uint8).set_(item)
    ok(lib.ctorch_storage_from_tensor(made_storage, handle(over)))
    return ffi.gc(made_storage[0], lib.ctorch_storage_release)


def _sequence(function: str) -> Any:
    def make(item: list | tuple) -> Any:
        data, length, _kept = values(item)
        return made(function, data, length)

    return make


def _dict(item: dict) -> Any:
    keys, keys_len, kept_keys = values([value(k) for k in item])  # None is a key, NULL is none
    entries, entries_len, kept_entries = values(item.values())
    return made("ctorch_value_from_dict", keys, keys_len, entries, entries_len)


def _int(item: int) -> Any:
    if -(2**63) <= item < 2**63:
        return made("ctorch_value_from_int", item)
    if not 0 < item < 2**64:
        data = item.to_bytes(item.bit_length() // 8 + 1, "little", signed=True)
        return made("ctorch_value_from_int_bytes", data, len(data))
    return made(
        "ctorch_value_from_scalar", ffi.new("ctorch_scalar *", [lib.c.CTORCH_SCALAR_UINT, 0, item - 2**64, 0, 0])
    )


def _set(item: set) -> Any:
    entries_, length, kept = values(item)
    return made("ctorch_value_from_set", entries_, length)


def python_object(module: str, name: str, args: Any = None, items: Any = None, state: Any = None) -> Any:
    parts = [ffi.NULL if part is None else value(part) for part in (args, items, state)]
    return made("ctorch_value_from_python_object", module.encode(), name.encode(), *parts)


def _ordered_dict(item: collections.OrderedDict) -> Any:
    return python_object("collections", "OrderedDict", (), _dict(item), item.__dict__ or None)


def _stream(item: parity_values.Stream) -> Any:
    return ffi.new("ctorch_stream *", [item.id, item.device_type, item.device_index])


DTYPES = {_number("DTYPE", d): d for d in vars(torch).values() if isinstance(d, torch.dtype)}
LAYOUTS = {_number("LAYOUT", x): x for x in vars(torch).values() if isinstance(x, torch.layout)}
MEMORY_FORMATS = {_memory_format(m): m for m in vars(torch).values() if isinstance(m, torch.memory_format)}

MAKERS = {
    type(None): lambda item: made("ctorch_value_from_none"),
    torch.Tensor: lambda item: made("ctorch_value_from_tensor", handle(item)),
    bool: lambda item: made("ctorch_value_from_bool", item),
    int: _int,
    float: lambda item: made("ctorch_value_from_double", item),
    complex: lambda item: made("ctorch_value_from_complex", item.real, item.imag),
    str: lambda item: made("ctorch_value_from_string_data", item.encode(), len(item.encode())),
    bytes: lambda item: made("ctorch_value_from_bytes", item, len(item)),
    set: _set,
    type: lambda item: python_object(item.__module__, item.__qualname__),
    torch.Size: lambda item: python_object("torch", "Size", (tuple(item),)),
    collections.OrderedDict: _ordered_dict,
    list: _sequence("ctorch_value_from_list"),
    tuple: _sequence("ctorch_value_from_tuple"),
    dict: _dict,
    torch.dtype: lambda item: made("ctorch_value_from_dtype", _number("DTYPE", item)),
    torch.layout: lambda item: made("ctorch_value_from_layout", _number("LAYOUT", item)),
    torch.memory_format: lambda item: made("ctorch_value_from_memory_format", _memory_format(item)),
    torch.device: lambda item: made("ctorch_value_from_device", device(item)),
    parity_values.Generator: lambda item: made("ctorch_value_from_generator", generator(item)),
    parity_values.Storage: lambda item: made("ctorch_value_from_storage", storage(item.storage)),
    parity_values.Stream: lambda item: made("ctorch_value_from_stream", _stream(item)),
}


def value(item: Any) -> Any:
    """A value of a Python object; one that is a value already is itself. Lists and dicts become generic ones."""
    if isinstance(item, ffi.CData):
        return item
    kinds = (k for k in type(item).__mro__ if k in MAKERS)
    return MAKERS[next(kinds)](item)


def kind(handle_: Any) -> str:
    return ffi.string(lib.ctorch_value_kind_name(lib.ctorch_value_kind_of(handle_))).decode()


def repr_of(handle_: Any) -> str:
    text = out("ctorch_string *")
    ok(lib.ctorch_value_repr(text, handle_))
    return string(text[0])


def type_of(handle_: Any) -> str:
    text = out("ctorch_string *")
    ok(lib.ctorch_value_type(text, handle_))
    return string(text[0])


def equal(a: Any, b: Any) -> bool:
    result = out("bool")
    ok(lib.ctorch_value_equal(result, value(a), value(b)))
    return result[0]


def entries(handle_: Any) -> list[Any]:
    """The values of a list or tuple."""
    return [made("ctorch_value_get", handle_, i) for i in range(lib.ctorch_value_len(handle_))]


def _read(function: str, c_type: str, handle_: Any) -> Any:
    result = out(c_type)
    ok(getattr(lib, function)(result, handle_))
    return result[0]


def _python_int(handle_: Any) -> int:
    number = int.from_bytes(_python_bytes(made("ctorch_value_to_int_bytes", handle_)), "little", signed=True)
    if -(2**63) <= number < 2**64:
        scalar = _read("ctorch_value_to_scalar", "ctorch_scalar", handle_)
        assert number == (scalar.i % 2**64 if scalar.kind == lib.c.CTORCH_SCALAR_UINT else scalar.i)
    return number


def _python_complex(handle_: Any) -> complex:
    scalar = _read("ctorch_value_to_scalar", "ctorch_scalar", handle_)
    return complex(scalar.re, scalar.im)


def _python_str(handle_: Any) -> str:
    data, length = ffi.new("const char **"), out("size_t")
    ok(lib.ctorch_value_to_string(data, length, handle_))
    return bytes(ffi.buffer(data[0], length[0])).decode()


def _python_bytes(handle_: Any) -> bytes:
    data = bytearray(lib.ctorch_value_len(handle_))
    ok(lib.ctorch_value_read_bytes(handle_, ffi.from_buffer(data), len(data)))
    return bytes(data)


def _python_object(handle_: Any) -> Any:
    module, name = (
        ffi.string(f(handle_)).decode() for f in (lib.ctorch_value_python_module, lib.ctorch_value_python_name)
    )
    args, items, state = (
        None if part == ffi.NULL else python(part)
        for part in (made(f"ctorch_value_python_{part}", handle_) for part in ("args", "items", "state"))
    )
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if args is None:
        return found
    found = found(*args)
    if isinstance(items, dict):
        found.update(items)
    if state is not None:
        found.__dict__.update(state)
    return found


def _python_dict(handle_: Any) -> dict:
    keys, items = made("ctorch_value_dict_keys", handle_), made("ctorch_value_dict_values", handle_)
    return dict(zip(python(keys), python(items), strict=True))


def _python_device(handle_: Any) -> torch.device:
    read = _read("ctorch_value_to_device", "ctorch_device", handle_)
    name = ffi.string(lib.ctorch_device_type_name(read.type)).decode()
    return torch.device(name) if read.index < 0 else torch.device(name, read.index)


READERS = {
    "None": lambda h: None,
    "Tensor": lambda h: tensor(_read("ctorch_value_to_tensor", "ctorch_tensor *", h)),
    "int": _python_int,
    "float": lambda h: _read("ctorch_value_to_double", "double", h),
    "bool": lambda h: _read("ctorch_value_to_bool", "bool", h),
    "complex": _python_complex,
    "str": _python_str,
    "list": lambda h: [python(entry) for entry in entries(h)],
    "tuple": lambda h: tuple(python(entry) for entry in entries(h)),
    "dict": _python_dict,
    "Device": _python_device,
    "bytes": _python_bytes,
    "set": lambda h: set(python(made("ctorch_value_set_values", h))),
    "dtype": lambda h: DTYPES[_read("ctorch_value_to_dtype", "ctorch_dtype", h)],
    "layout": lambda h: LAYOUTS[_read("ctorch_value_to_layout", "ctorch_layout", h)],
    "memory_format": lambda h: MEMORY_FORMATS[_read("ctorch_value_to_memory_format", "ctorch_memory_format", h)],
    "PythonObject": _python_object,
}


def python(handle_: Any) -> Any:
    """The Python object of a value; a value that has none is itself."""
    return READERS.get(kind(handle_), lambda h: h)(handle_)


def owned(item: Any) -> Any:
    """A value as an owned handle, as a callback hands it over."""
    result = value(item)
    lib.ctorch_value_retain(result)
    return result


def find(name: str, overload: str | None = None) -> Any:
    """An operator, released with the Python object."""
    found = out("ctorch_op *")
    ok(lib.ctorch_op_find(found, name.encode(), ffi.NULL if overload is None else overload.encode()))
    return ffi.gc(found[0], lib.ctorch_op_release)


def call_boxed(operator: Any, *args: Any, **named: Any) -> Any:
    """The result of an operator as a value. An argument that is None is passed as the value None."""
    operator = find(operator) if isinstance(operator, str) else operator
    positional = [value(a) for a in args]
    given = [value(v) for v in named.values()]
    names = [ffi.new("char[]", name.encode()) for name in named]
    arguments = ffi.new("ctorch_value *[]", positional), len(positional)
    if not named:
        return made("ctorch_op_call", operator, *arguments)
    named_arguments = ffi.new("char *[]", names), len(names), ffi.new("ctorch_value *[]", given), len(given)
    return made("ctorch_op_call_named", operator, *arguments, *named_arguments)


def call(operator: Any, *args: Any, **named: Any) -> Any:
    """The result of an operator as a Python object."""
    return python(call_boxed(operator, *args, **named))
