"""Ctrl-C, and other signals that have handlers in Python, end calls that wait in C (interrupt.h)."""

from __future__ import annotations

import atexit
from ctypes import c_void_p, py_object
from typing import Any

from .callbacks import catch_signals, report
from .library import native


class _Methods:
    @staticmethod
    def interrupted(exception: BaseException, error: int) -> None:
        """A handler has raised while a call waited, which fails with the exception itself."""
        report(exception, error)


def take_over() -> None:
    catch_signals()
    look: Any = native.ctorch_interrupt_python
    look(py_object(_Methods))
    atexit.register(look, c_void_p())
