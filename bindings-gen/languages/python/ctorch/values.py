"""Python objects as values of the C API, and back: what operators called by name and custom operators exchange.

    value = ctorch.to_value({"lr": 0.1, "betas": (0.9, 0.999), "weights": [x, y]})
    ctorch.from_value(value)["betas"]

The functions of `ctorch.raw` take any such object where C takes a value; what they give is a `raw.Value`, a reference
to the very list or dict that C holds. `from_value` copies lists, dicts and sets, and shares tensors.
"""

from __future__ import annotations

import functools
import keyword
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterable
from ctypes import byref, c_bool, c_double, c_int32, c_int64, c_size_t, c_void_p, create_string_buffer
from typing import Any

from .arguments import (
    INT64_MAX,
    INT64_MIN,
    NotAnArgument,
    Pointers,
    as_bool,
    as_bytes,
    number,
    pointers,
    sequence,
)
from .constants import ValueKind
from .errors import failure
from .generators import from_generator
from .library import native
from .module_objects import classes, from_module
from .objects import (
    Generator,
    GeneratorHandle,
    ModuleHandle,
    Storage,
    StorageHandle,
    TensorHandle,
    Transform,
    Value,
    ValueHandle,
)
from .plain_data import Constant, Stream, device, dtype, layout, memory_format
from .results import CellDevice, CellStream, from_bytes, from_device, from_stream


class PythonObject:
    """An object of a class of Python's as a file describes it: `module.name(*args)`, then its items, then its state.

    Nothing is imported or called. Without `args` it stands for the class or function itself.
    """

    __slots__ = ("args", "items", "module", "name", "state")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        module: str,
        name: str,
        args: tuple[Any, ...] | None = None,
        *,
        items: list[Any] | dict[Any, Any] | set[Any] | None = None,
        state: Any = None,
    ) -> None:
        self.module, self.name, self.args, self.items, self.state = module, name, args, items, state

    @property
    def attributes(self) -> dict[str, Any]:
        """The state where it is a dict, as it mostly is; else empty."""
        return self.state if isinstance(self.state, dict) else {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PythonObject):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self) -> str:
        texts = [] if self.args is None else [repr(arg) for arg in self.args]
        texts += [f"{name}={getattr(self, name)!r}" for name in ("items", "state") if getattr(self, name) is not None]
        call = "" if self.args is None else f"({', '.join(texts)})"
        return f"<{self.module}.{self.name}{call}>"


def to_value(object: Any) -> Value:  # noqa: A002
    """A value of the C API that holds what a Python object does.

    None, numbers, str, bytes, tensors, modules, dtypes, layouts, memory formats, devices, streams, generators,
    storages, PythonObjects, and lists, tuples, dicts and sets of these. An object that lies in two places does so in
    the value.
    """
    try:
        return Value(Writer().handle(object))
    except NotAnArgument as error:
        raise TypeError(f"to_value(): argument 'object' (position 1) {error}") from None


def from_value(value: Value | None) -> Any:
    """The Python object for a value; the value itself for what has no form in Python, as an object of TorchScript.

    Of dicts and sets whose keys Python takes for equal where LibTorch does not (1, 1.0 and True), the error is
    ValueError.
    """
    if value is None:
        return None
    if not isinstance(value, Value):
        raise TypeError(f"from_value(): argument 'value' (position 1) must be Value, not {type(value).__name__}")
    if value.closed:
        raise ValueError("from_value(): argument 'value' is a Value that was closed")
    return _read(value._value)


def as_value(value: Any, name: str) -> c_void_p:
    """What C gets for an argument: the value that is given, or one made for the call."""
    try:
        return value._value if type(value) is Value else Writer().handle(value)
    except NotAnArgument as error:
        raise NotAnArgument(f"argument '{name}' {error}") from None


def as_values(values: Any, name: str) -> tuple[Pointers, c_size_t]:
    writer = Writer()
    try:
        return pointers([None if value is None else writer.handle(value) for value in sequence(values)])
    except NotAnArgument as error:
        raise NotAnArgument(f"argument '{name}' {error}") from None


def made(function: str, *arguments: Any) -> ValueHandle:
    """The value that a C function gives."""
    handle = ValueHandle()
    checked(getattr(native, function)(byref(handle), *arguments))
    return handle


def checked(error: int | None) -> None:
    if error:
        raise failure(error)


class Writer:
    """One conversion to C. It remembers the containers it has made, so that what is shared stays shared."""

    def __init__(self) -> None:
        self.made: dict[int, ValueHandle | None] = {}  # by the object's id; None while it is being made

    def handle(self, value: Any) -> ValueHandle:
        write = WRITERS.get(type(value))
        if write is None:
            write = next((w for kind, w in WRITERS.items() if isinstance(value, kind)), None)
        if write is not None:
            return write(self, value)
        if hasattr(value, "_tensor"):
            return made("ctorch_value_from_tensor", value._tensor)
        if isinstance(value, classes.get("Module", ())):
            return _held("module")(self, value)
        for convert in (as_bool, number):  # a bool or number of NumPy's, say
            try:
                found = convert(value)
            except NotAnArgument:
                continue
            return self.handle(found)
        raise NotAnArgument(f"must hold what a value can, not {type(value).__name__}")

    def once(self, value: Any, make: Callable[[], ValueHandle]) -> ValueHandle:
        key = id(value)
        if key not in self.made:
            self.made[key] = None
            self.made[key] = make()
        found = self.made[key]
        if found is None:
            raise NotAnArgument("must not contain itself")
        return found

    def array(self, values: Iterable[Any]) -> tuple[Pointers, c_size_t]:
        return pointers([self.handle(value) for value in values])

    def integer(self, value: int) -> ValueHandle:
        if INT64_MIN <= value <= INT64_MAX:
            return made("ctorch_value_from_int", c_int64(value))
        data = int(value).to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
        return made("ctorch_value_from_int_bytes", data, c_size_t(len(data)))

    def text(self, value: str) -> ValueHandle:
        data = value.encode(errors="surrogatepass")  # a lone one as in Python's pickles
        return made("ctorch_value_from_string_data", data, c_size_t(len(data)))

    def open(self, value: Value) -> ValueHandle:
        if value.closed:
            raise NotAnArgument("holds a Value that was closed")
        return value._value

    def dictionary(self, value: dict[Any, Any]) -> ValueHandle:
        return self.once(value, lambda: made("ctorch_value_from_dict", *self.array(value), *self.array(value.values())))

    def ordered(self, value: OrderedDict[Any, Any]) -> ValueHandle:
        def make() -> ValueHandle:
            items = made("ctorch_value_from_dict", *self.array(value), *self.array(value.values()))
            return self.object("collections", "OrderedDict", self.handle(()), items, vars(value) or None)

        return self.once(value, make)

    def python_object(self, value: PythonObject) -> ValueHandle:
        def make() -> ValueHandle:
            args = None if value.args is None else self.handle(tuple(value.args))
            items = None if value.items is None else self.handle(value.items)
            return self.object(value.module, value.name, args, items, value.state)

        return self.once(value, make)

    def object(self, module: str, name: str, args: Any, items: Any, state: Any) -> ValueHandle:
        for text in (module, name):
            if not isinstance(text, str) or "\0" in text:
                raise NotAnArgument(f"must hold Python objects of named classes, not {text!r}")
        state = None if state is None else self.handle(state)
        return made("ctorch_value_from_python_object", module.encode(), name.encode(), args, items, state)


def _constant(word: str) -> Callable[[Writer, Any], ValueHandle]:
    return lambda _, value: made(f"ctorch_value_from_{word}", c_int32(value.number))


def _held(word: str) -> Callable[[Writer, Any], ValueHandle]:
    def write(_: Writer, value: Any) -> ValueHandle:
        if value.closed:
            raise NotAnArgument(f"holds a {type(value).__name__} that was closed")
        return made(f"ctorch_value_from_{word}", getattr(value, "_" + word))

    return write


WRITERS: dict[type, Callable[[Writer, Any], ValueHandle]] = {  # classes before those that they are derived from
    type(None): lambda _, value: made("ctorch_value_from_none"),
    bool: lambda _, value: made("ctorch_value_from_bool", c_bool(value)),
    int: Writer.integer,
    float: lambda _, value: made("ctorch_value_from_double", c_double(value)),
    complex: lambda _, value: made("ctorch_value_from_complex", c_double(value.real), c_double(value.imag)),
    str: Writer.text,
    bytes: lambda _, value: made("ctorch_value_from_bytes", *as_bytes(bytes(value))),
    bytearray: lambda _, value: made("ctorch_value_from_bytes", *as_bytes(value)),
    memoryview: lambda _, value: made("ctorch_value_from_bytes", *as_bytes(value)),
    Value: Writer.open,
    list: lambda self, value: self.once(value, lambda: made("ctorch_value_from_list", *self.array(value))),
    tuple: lambda self, value: self.once(value, lambda: made("ctorch_value_from_tuple", *self.array(value))),
    OrderedDict: Writer.ordered,
    dict: Writer.dictionary,
    set: lambda self, value: self.once(value, lambda: made("ctorch_value_from_set", *self.array(value))),
    frozenset: lambda self, value: self.once(value, lambda: made("ctorch_value_from_set", *self.array(value))),
    dtype: _constant("dtype"),
    layout: _constant("layout"),
    memory_format: _constant("memory_format"),
    device: lambda _, value: made("ctorch_value_from_device", value.packed),
    Stream: lambda _, value: made("ctorch_value_from_stream", value.packed),
    Generator: _held("generator"),
    Storage: _held("storage"),
    Transform: _held("transform"),
    PythonObject: Writer.python_object,
}


# From C


def _read(handle: c_void_p) -> Any:
    return READERS[native.ctorch_value_kind_of(handle)](handle)


def cell(cell: Any, function: str, handle: c_void_p) -> Any:
    checked(getattr(native, function)(byref(cell), handle))
    return cell


def _integer(handle: c_void_p) -> int:
    cell = c_int64()
    error = native.ctorch_value_to_int(byref(cell), handle)
    if error is None:
        return cell.value
    native.ctorch_error_release(c_void_p(error))  # more than 64 bits, or what the next call says as well
    return int.from_bytes(_bytes(made("ctorch_value_to_int_bytes", handle)), "little", signed=True)


def _bytes(handle: c_void_p) -> bytes:
    length = native.ctorch_value_len(handle)
    memory = create_string_buffer(max(length, 1))
    checked(native.ctorch_value_read_bytes(handle, memory, c_size_t(length)))
    return memory.raw[:length]


def _complex(handle: c_void_p) -> complex:
    real, imaginary = c_double(), c_double()
    checked(native.ctorch_value_to_complex(byref(real), byref(imaginary), handle))
    return complex(real.value, imaginary.value)


def _text(handle: c_void_p) -> str:
    data, length = c_void_p(), c_size_t()
    checked(native.ctorch_value_to_string(byref(data), byref(length), handle))
    return from_bytes(data, length)


def _tensor(handle: c_void_p) -> Any:
    from .tv_tensor_objects import from_marked

    tensor = from_marked(cell(TensorHandle(), "ctorch_value_to_tensor", handle))
    if native.ctorch_value_python_name(handle) is None:
        return tensor
    from .parameters import parameter_of

    return parameter_of(tensor)  # as a file told


def _entries(handle: c_void_p) -> list[Any]:
    length = native.ctorch_value_len(handle)
    return [_read(made("ctorch_value_get", handle, c_size_t(index))) for index in range(length)]


@functools.cache
def _tuple_class(name: str, fields: tuple[str, ...]) -> Any:
    """The class of a NamedTuple of TorchScript's; names that Python cannot have become _0, _1, …"""
    return namedtuple(name if name.isidentifier() and not keyword.iskeyword(name) else "_", fields, rename=True)


def _tuple(handle: ValueHandle) -> tuple[Any, ...]:
    name, entries = native.ctorch_value_tuple_name(handle), _entries(handle)
    if name is None:
        return tuple(entries)
    fields = [native.ctorch_value_field_name(handle, c_size_t(index)) for index in range(len(entries))]
    return _tuple_class(name.decode(), tuple(field.decode() for field in fields))(*entries)


def _dictionary(handle: c_void_p) -> dict[Any, Any]:
    keys = _entries(made("ctorch_value_dict_keys", handle))
    found = dict(zip(keys, _entries(made("ctorch_value_dict_values", handle))))
    if len(found) != len(keys):
        raise ValueError("from_value(): the dict has keys that are equal in Python, as 1 and 1.0")
    return found


def _set(handle: c_void_p) -> set[Any]:
    entries = _entries(made("ctorch_value_set_values", handle))
    found = set(entries)
    if len(found) != len(entries):
        raise ValueError("from_value(): the set has entries that are equal in Python, as 1 and 1.0")
    return found


def _python_object(handle: c_void_p) -> Any:
    module = native.ctorch_value_python_module(handle).decode()
    name = native.ctorch_value_python_name(handle).decode()
    parts = [made(f"ctorch_value_python_{part}", handle) for part in ("args", "items", "state")]
    args, items, state = (_read(part) if part else None for part in parts)
    if (module, name, args) == ("collections", "OrderedDict", ()) and isinstance(items, dict | None):
        if state is None or (isinstance(state, dict) and all(isinstance(key, str) for key in state)):
            found: OrderedDict[Any, Any] = OrderedDict(items or {})
            vars(found).update(state or {})
            return found
    return PythonObject(module, name, args, items=items, state=state)


def _by_number(kind: type[Constant], word: str) -> Callable[[c_void_p], Constant]:
    return lambda handle: kind.by_number[cell(c_int32(), f"ctorch_value_to_{word}", handle).value]


def _itself(handle: c_void_p) -> Value:
    native.ctorch_value_retain(handle)
    return Value(ValueHandle(handle.value))


READERS: dict[int, Callable[[c_void_p], Any]] = {
    ValueKind.NONE: lambda handle: None,
    ValueKind.TENSOR: _tensor,
    ValueKind.INT: _integer,
    ValueKind.DOUBLE: lambda handle: cell(c_double(), "ctorch_value_to_double", handle).value,
    ValueKind.BOOL: lambda handle: cell(c_bool(), "ctorch_value_to_bool", handle).value,
    ValueKind.COMPLEX: _complex,
    ValueKind.STRING: _text,
    ValueKind.LIST: _entries,
    ValueKind.TUPLE: _tuple,
    ValueKind.DICT: _dictionary,
    ValueKind.DEVICE: lambda handle: from_device(cell(CellDevice(), "ctorch_value_to_device", handle)),
    ValueKind.STREAM: lambda handle: from_stream(cell(CellStream(), "ctorch_value_to_stream", handle)),
    ValueKind.GENERATOR: lambda handle: from_generator(cell(GeneratorHandle(), "ctorch_value_to_generator", handle)),
    ValueKind.STORAGE: lambda handle: Storage(cell(StorageHandle(), "ctorch_value_to_storage", handle)),
    ValueKind.OBJECT: _itself,
    ValueKind.BYTES: _bytes,
    ValueKind.SET: _set,
    ValueKind.DTYPE: _by_number(dtype, "dtype"),
    ValueKind.LAYOUT: _by_number(layout, "layout"),
    ValueKind.MEMORY_FORMAT: _by_number(memory_format, "memory_format"),
    ValueKind.PYTHON_OBJECT: _python_object,
    ValueKind.MODULE: lambda handle: from_module(cell(ModuleHandle(), "ctorch_value_to_module", handle)),
}
