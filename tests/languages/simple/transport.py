"""Calls a library as Simple's run-time loader does, and in no other way.

The loader opens a library with RTLD_LOCAL, resolves a symbol, and calls it as `int64_t f(int64_t …)` or as
`double f(double …)` with at most 8 arguments. An integer is a tagged word on the way there and back, three bits of it
being the tag: what does not fit in 61 bits arrives changed, without a word about it. Text is a pointer that holds until
the next text of the same thread.
"""

from __future__ import annotations

import _ctypes
import ctypes
import os
import threading

MAX_ARGUMENTS = 8
_WORDS = [ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * n) for n in range(MAX_ARGUMENTS + 1)]
_DOUBLES = [ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * n) for n in range(MAX_ARGUMENTS + 1)]


class TransportFault(Exception):
    """A call that the transport cannot make."""


def tagged(word: int) -> int:
    """What arrives of a 64-bit integer that was stored as `word << 3`."""
    return ((word & (2**61 - 1)) ^ 2**60) - 2**60


class Transport:
    """The functions that Simple's runtime offers to a program that loads a library."""

    def __init__(self) -> None:
        self._functions: dict[tuple[int, str], object] = {}
        self._texts = threading.local()
        self.calls = 0

    def functions(self) -> dict[str, object]:
        return {
            "spl_dlopen": self.dlopen,
            "spl_dlsym": self.dlsym,
            "spl_wffi_call_i64": self.call_words,
            "spl_wffi_call_f64": self.call_doubles,
            "spl_str_ptr": self.text_pointer,
            "rt_cstring_to_text": self.text_at,
        }

    def dlopen(self, path: str) -> int:
        """The interpreter raises where there is no such file; one that cannot be loaded gives 0."""
        if "/" in path and not os.path.exists(path):
            raise TransportFault(f"spl_dlopen: {path} is not there")
        try:
            return tagged(_ctypes.dlopen(path, os.RTLD_NOW | os.RTLD_LOCAL))
        except OSError:
            return 0

    def dlsym(self, handle: int, name: str) -> int:
        try:
            return tagged(_ctypes.dlsym(handle, name))
        except OSError:
            return 0

    def call_words(self, function: int, arguments: list[int], count: int) -> int:
        self._check(function, arguments, count, int)
        key = (function, "i64")
        call = self._functions.get(key)
        if call is None:
            call = self._functions[key] = _WORDS[count](function)
        return tagged(call(*[tagged(a) for a in arguments]))

    def call_doubles(self, function: int, arguments: list[float], count: int) -> float:
        self._check(function, arguments, count, float)
        key = (function, "f64")
        call = self._functions.get(key)
        if call is None:
            call = self._functions[key] = _DOUBLES[count](function)
        return call(*arguments)

    def _check(self, function: int, arguments: list, count: int, kind: type) -> None:
        self.calls += 1
        if function <= 0:
            raise TransportFault("a call through a null function pointer")
        if count != len(arguments) or count > MAX_ARGUMENTS:
            raise TransportFault(f"{len(arguments)} arguments given as {count}")
        if any(type(a) is not kind for a in arguments):
            raise TransportFault(f"{arguments} are not all {kind.__name__}")

    def text_pointer(self, text: str) -> int:
        """One buffer per thread, written over by the next text, as in Simple's native runtime."""
        data = text.encode() + b"\0"
        buffer = getattr(self._texts, "buffer", None)
        if buffer is None or len(buffer) < len(data):
            if buffer is not None:
                ctypes.memset(buffer, ord("?"), len(buffer) - 1)  # the old pointer must not seem to work
                self._texts.old = [*getattr(self._texts, "old", []), buffer]
            buffer = self._texts.buffer = ctypes.create_string_buffer(max(len(data), 256))
        ctypes.memmove(buffer, data, len(data))
        return tagged(ctypes.addressof(buffer))

    @staticmethod
    def text_at(pointer: int) -> str:
        return ctypes.string_at(pointer).decode() if pointer else ""
