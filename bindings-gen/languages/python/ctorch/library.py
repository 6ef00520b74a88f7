"""Find libctorch and the LibTorch that it stands on, and load them.

libctorch is the file that CTORCH_LIBRARY names, else the one in this package (a wheel has it), else the system's.
LibTorch is that of a `torch` which is imported already, since a process can have one alone; else the one in the folder
that CTORCH_TORCH names, else that of an installed `torch` package, which is found but not imported, else whatever
libctorch finds by itself.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from ctypes import c_void_p
from pathlib import Path

from .declarations import RESULTS

LIBTORCH = ("libc10.so", "libtorch_cpu.so", "libtorch.so")


class Library(ctypes.CDLL):
    """A function is declared when it is first used: `native.ctorch_version`.

    Arguments are not declared: the emitted functions pass C data that they made (arguments.py). What is returned is an
    error, the address of an object or None, unless declarations.py has something else.
    """

    _func_restype_ = c_void_p

    def __getitem__(self, name_or_ordinal):
        function = super().__getitem__(name_or_ordinal)
        if name_or_ordinal in RESULTS:
            function.restype = RESULTS[name_or_ordinal]
        return function


def load() -> Library:
    for folder in _libtorch_folders():
        if (folder / LIBTORCH[0]).exists():
            for name in LIBTORCH:
                ctypes.CDLL(str(folder / name))
            break
    path = os.environ.get("CTORCH_LIBRARY") or Path(__file__).with_name("libctorch.so.0")
    try:
        return Library(str(path) if Path(path).exists() or "CTORCH_LIBRARY" in os.environ else "libctorch.so.0")
    except OSError as error:
        raise ImportError(
            f"ctorch: {error}. CTORCH_LIBRARY names libctorch.so, CTORCH_TORCH the folder of LibTorch; "
            "`pip install torch` installs one."
        ) from error


def _libtorch_folders() -> list[Path]:
    imported = getattr(sys.modules.get("torch"), "__file__", None)
    if imported:
        return [Path(imported).parent / "lib"]
    named = os.environ.get("CTORCH_TORCH")
    if named:
        return [Path(named) / "lib", Path(named) / "torch" / "lib", Path(named)]
    torch = importlib.util.find_spec("torch")
    return [Path(folder) / "lib" for folder in (torch and torch.submodule_search_locations) or ()]


native = load()
