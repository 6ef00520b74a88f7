"""The Python objects that C holds: payloads by their numbers, exceptions by the errors that stand for them."""

from __future__ import annotations

import itertools
import threading
from ctypes import c_void_p
from typing import Any

from .library import native

_objects: dict[int, Any] = {}
_keys = itertools.count(1)
_exceptions: dict[int, tuple[BaseException, bytes]] = {}  # by the address of the error that stands for it
MOST = 64  # of them: of one that was dropped nobody tells
_of_signals = threading.local()  # what a handler of signals has raised where a callback began


def keep(value: Any) -> c_void_p | None:
    """The payload that stands for a Python object, or for functions by the type of callback that they are."""
    if value is None:
        return None
    key = next(_keys)
    _objects[key] = value
    return c_void_p(key)


def kept(key: int) -> Any:
    return _objects.get(key)


def forget(payload: c_void_p | None) -> None:
    if payload is not None:
        drop(payload.value)


def drop(key: int | None, objects: dict[int, Any] = _objects) -> None:
    """Also when Python is ending, and this module has no names any more."""
    objects.pop(key, None)  # type: ignore[arg-type]


def stand_for(error: c_void_p, exception: BaseException, message: bytes) -> None:
    """An error of C that a callback hands over in place of its exception."""
    while len(_exceptions) >= MOST:
        _exceptions.pop(next(iter(_exceptions)), None)
    _exceptions[error.value] = (exception, message)  # type: ignore[index]


def raised_at_the_beginning(exception: BaseException | None) -> None:
    """A handler of signals has raised before the first line of a callback, which then failed without an error."""
    _of_signals.exception = exception


def signal_of() -> BaseException | None:
    """What a handler has raised so, for the error CALLBACK that the outer call returns."""
    exception, _of_signals.exception = getattr(_of_signals, "exception", None), None
    return exception


def raised(handle: c_void_p) -> BaseException | None:
    """The exception that an error stands for. It is asked for once, when the error comes out of the outer call.

    An error that LibTorch, or a loader that is left early, has dropped on the way leaves its entry behind. Another one
    may get its address: only one that a callback has made, with the same text, is taken for it. What C called may have
    said where it arose: "part loader: <text>".
    """
    found = _exceptions.pop(handle.value, None) if _exceptions else None  # type: ignore[arg-type]
    if found is None or native.ctorch_error_function(handle):
        return None
    exception, text = found
    message = native.ctorch_error_message(handle)
    if message == text:
        return exception
    if not message.endswith(b": " + text):
        return None
    if hasattr(exception, "add_note"):  # Python 3.11
        exception.add_note("in " + message.removesuffix(b": " + text).decode(errors="replace"))
    return exception
