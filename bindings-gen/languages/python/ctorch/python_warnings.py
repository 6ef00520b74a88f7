"""LibTorch's warnings as Python's: `warnings.filterwarnings` decides about them, and they name the caller's line."""

from __future__ import annotations

import atexit
import sys
import warnings
from typing import Any

from . import raw
from .constants import WarningKind
from .library import native

CATEGORIES = {WarningKind.USER: UserWarning, WarningKind.DEPRECATION: DeprecationWarning}


def _warn(kind: int, message: str, file: str, function: str, line: int) -> None:
    """Called by LibTorch, in the middle of an operator.

    It cannot stop the operator: a filter that makes an exception of the warning has both printed on stderr.
    """
    category: Any = CATEGORIES.get(WarningKind(kind), UserWarning)
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame = frame.f_back
    if frame is None:  # a thread of LibTorch's
        warnings.warn_explicit(message, category, file, line)
        return
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    warnings.warn_explicit(
        message, category, frame.f_code.co_filename, frame.f_lineno, names.get("__name__", "<unknown>"), registry
    )


def take_over() -> None:
    """Have LibTorch's warnings come here, for as long as there is a Python to hear them."""
    raw.warning_set_callback(_warn)
    atexit.register(native.ctorch_warning_set_callback, None, None, None)
