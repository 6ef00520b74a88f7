"""Every hand-written function of the C API under its own name without `ctorch_`: `raw.tensor_from_data(…)`.

Results are returned, several as a tuple; errors are raised; what the C function takes as a list with its length is a
Python list here, a callback with its payload and its destroy function is a Python callable. Arguments at the end that C
lets be NULL may be left out. Objects own their reference: `raw.…_release(x)` is `x.close()`. A callback that C hands
memory gets bytes, and one that fills memory returns them: `raw.reader_from_callback(n, lambda nbytes, offset: …)`.

`raw.scope_begin()` is meant for programs without a garbage collector: what Python objects are made of while a scope is
open is gone when it ends, so keep each (`raw.scope_keep`) or make none.
"""

from importlib import import_module
from typing import Any

from ..objects import *  # noqa: F403
from .functions import HEADERS


def __getattr__(name: str) -> Any:
    if name not in HEADERS:
        raise AttributeError(f"module 'ctorch.raw' has no function '{name}'")
    function = getattr(import_module(f".{HEADERS[name]}_h", __name__), name)
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return sorted({*globals(), *HEADERS})
