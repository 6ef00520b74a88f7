"""Python functions that C calls back.

A payload in C is a number here, under which the Python objects are kept until C calls the destroy function with it.
There is one C function for each type of callback, made when it is first needed: nothing is made for each registration,
and nothing that C may still call is ever freed.

An exception that leaves a Python function becomes an error object that the callback hands over. The error comes out of
the outer call as the object that it is, and with it the very exception.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from ctypes import (
    CFUNCTYPE,
    byref,
    c_bool,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    memmove,
    py_object,
    pythonapi,
    sizeof,
    string_at,
)
from typing import Any

from . import objects
from .arguments import NotAnArgument, as_bool, as_device, as_optional_tensors
from .declarations import CALLBACKS
from .errors import failure
from .generators import from_generator
from .library import native
from .module_objects import object_of
from .optimizer_objects import from_lr_scheduler, from_optimizer
from .payloads import drop, keep, kept, raised_at_the_beginning, stand_for
from .results import CellDevice
from .trainer_objects import from_trainer
from .values import to_value

OK, FAILED = 1, 0
PYTHON = 37

NUMBERS = {
    "bool": c_bool,
    "double": c_double,
    "int64_t": c_int64,
    "size_t": c_size_t,
    "uint32_t": c_uint32,
    "uint64_t": c_uint64,
}

_trampolines: dict[str, Any] = {}
_calls: set[Any] = set()  # the Python functions that they call
_lock = threading.Lock()


def _for_good(function: Any) -> Any:
    """A C function that is never freed: handles that go after Python has taken its modules apart still call it."""
    pythonapi.Py_IncRef(py_object(function))
    return function


def _destroy(key: int | None, drop: Callable[..., None] = drop) -> None:
    drop(key)


def _forget_packed(packed: int | None, key: int | None, drop: Callable[..., None] = drop) -> None:
    drop(packed)


DESTROY = _for_good(CFUNCTYPE(None, c_void_p)(_destroy))
FORGET_PACKED = _for_good(CFUNCTYPE(None, c_void_p, c_void_p)(_forget_packed))


def trampoline(name: str, function: Callable[..., Any] | None) -> Any:
    """The C function for a type of callback; None if there is no Python function to call."""
    if function is None:
        return None
    if not callable(function):
        raise NotAnArgument
    if name not in _trampolines:
        with _lock:
            _trampolines.setdefault(name, _make(name))
    return _trampolines[name]


def _make(name: str) -> Any:
    restype, kinds = CALLBACKS[name]
    types = [_c_type(kind) for kind in kinds]
    payload, error = kinds.index("payload"), kinds.index("error")
    outputs = [i for i, kind in enumerate(kinds) if kind.startswith("out ")]

    def call(*values: Any) -> int:
        try:
            function = kept(values[payload])[name]
            result = function(*_arguments(kinds, values))
            for index in outputs:
                _hand_over(kinds[index], values[index], result, values[index + 1])
            return OK
        except BaseException as exception:  # what is raised here would otherwise be printed and forgotten
            report(exception, values[error])
            return FAILED

    _calls.add(call)
    return _for_good(CFUNCTYPE(restype, *types)(call))


def catch_signals() -> None:
    """Keep what a handler of signals raises where a callback begins, in front of its `try`.

    ctypes hands it to sys.unraisablehook, and tells C that the callback has failed.
    """
    before = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if unraisable.object in _calls:
            raised_at_the_beginning(unraisable.exc_value)
        else:
            before(unraisable)

    sys.unraisablehook = hook


def _c_type(kind: str) -> Any:
    if kind == "size":
        return c_size_t
    if kind.startswith("value "):
        return NUMBERS.get(kind.removeprefix("value "), c_int32)
    return c_char_p if kind == "string char" else c_void_p


def _arguments(kinds: tuple[str, ...], values: tuple[Any, ...]) -> list[Any]:
    """What the Python function is called with: objects with references of their own, texts, numbers."""
    arguments: list[Any] = []
    for index, (kind, value) in enumerate(zip(kinds, values)):
        what, _, type_ = kind.partition(" ")
        if what == "handle":
            arguments.append(borrowed(type_, value))
        elif what == "handles":
            addresses = (c_void_p * values[index + 1]).from_address(value) if value and values[index + 1] else ()
            arguments.append([borrowed(type_, address) for address in addresses])
        elif what == "string":
            arguments.append(value.decode(errors="replace"))
        elif what == "value":
            arguments.append(value)
        elif what == "memory":
            arguments.append(string_at(value, values[index + 1]))  # a copy: the function may keep it
        elif what == "address":
            arguments.append(kept(value)[0])
    return arguments


def borrowed(type_: str, address: int | None) -> Any:
    """An object for a handle that C lends: with a reference of its own, as Python may keep it."""
    if address is None:
        return None
    word = type_.removeprefix("ctorch_")
    kind: Any
    if word == "tensor":
        from .tensor import Tensor as kind
    elif word == "module":
        kind = object_of
    elif word == "optimizer":
        kind = from_optimizer
    elif word == "lr_scheduler":
        kind = from_lr_scheduler
    elif word == "generator":
        kind = from_generator
    elif word == "trainer":
        kind = from_trainer
    else:
        kind = getattr(objects, _class_name(word))
    handle = getattr(objects, _class_name(word) + "Handle")(address)
    getattr(native, f"{type_}_retain")(handle)
    return kind(handle)


def _class_name(word: str) -> str:
    return "".join(part.title() for part in word.split("_"))


def _hand_over(kind: str, target: int, result: Any, length: Any) -> None:
    """Give C what the Python function has returned."""
    _, what, type_ = kind.split(" ")
    if what == "address":  # a Python object that C keeps
        _store(target, keep((result,)))
    elif what == "memory":
        data = _data(result)
        if len(data) != length:
            raise ValueError(f"the function must return {length} bytes, not {len(data)}")
        memmove(target, data, length)
    elif type_ == "bool":
        c_bool.from_address(target).value = _truth(result)
    elif what == "value":
        NUMBERS[type_].from_address(target).value = _number(result)
    elif what == "struct":  # a device; None leaves what is there
        if result is not None:
            memmove(target, _device(result), sizeof(CellDevice))
    elif what == "handles":
        results = list(result) if isinstance(result, list | tuple) else [] if result is None else [result]
        if len(results) != length:
            raise TypeError(f"the function must return {length} values, not {len(results)}")
        for index, value in enumerate(results):
            _store(target + 8 * index, _retained(value, type_))
    elif result is None:
        return
    elif type_ == "ctorch_tensor_list":
        tensors = list(result) if isinstance(result, list | tuple) or hasattr(result, "_tensor_list") else [result]
        for index, tensor in enumerate(tensors):
            if tensor is not None and not hasattr(tensor, "_tensor"):
                raise TypeError(f"the function must return tensors, not {type(tensor).__name__} (result {index})")
        error = native.ctorch_tensor_list_new(c_void_p(target), *as_optional_tensors(tensors))
        if error:
            raise failure(error)
    else:
        _store(target, _retained(result, type_))


def _number(result: Any) -> float:
    """What a function that computes a number returned: anything that is one, a tensor of one element too."""
    if not hasattr(type(result), "__float__"):
        raise TypeError(f"the function must return a number, not {type(result).__name__}")
    return float(result)


def _data(result: Any) -> bytes:
    try:
        return result if type(result) is bytes else memoryview(result).tobytes()
    except TypeError:
        raise TypeError(f"the function must return bytes, not {type(result).__name__}") from None


def _truth(result: Any) -> bool:
    try:
        return as_bool(result)
    except NotAnArgument:
        raise TypeError(f"the function must return a bool, not {type(result).__name__}") from None


def _device(result: Any) -> bytes:
    try:
        return as_device(result)
    except NotAnArgument as error:
        raise TypeError(f"the function must return a device, not {result!r}: {error}") from None


def _retained(value: Any, type_: str) -> c_void_p | None:
    if value is None:
        return None
    if type_ == "ctorch_value" and not isinstance(value, objects.Value):
        try:
            value = to_value(value)
        except TypeError:
            raise TypeError(f"the function must return what a value can hold, not {type(value).__name__}") from None
    try:
        handle = getattr(value, "_" + type_.removeprefix("ctorch_"))
    except AttributeError:
        word = _class_name(type_.removeprefix("ctorch_"))
        raise TypeError(f"the function must return a {word}, not {type(value).__name__}") from None
    getattr(native, f"{type_}_retain")(handle)
    return c_void_p(handle.value)


def _store(target: int, pointer: c_void_p | None) -> None:
    c_void_p.from_address(target).value = None if pointer is None else pointer.value


def report(exception: BaseException, target: int) -> None:
    """Make an error for C of an exception, and remember which it was."""
    text = f"{type(exception).__name__}: {exception}" if str(exception) else type(exception).__name__
    message = text.replace("\0", " ").encode(errors="replace")
    error = c_void_p()
    code = getattr(exception, "code", PYTHON) if hasattr(exception, "code_name") else PYTHON
    if native.ctorch_error_new(byref(error), int(code), message) is None:
        stand_for(error, exception, message)
        _store(target, error)
