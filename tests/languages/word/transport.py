"""libspl_ctorch.so as a weak FFI sees it: `int64 × n -> int64` and `double × n -> double`, nothing else.

Every word makes the round trip through 61 bits that some of these languages put it through: a word that does not
survive it is a test that fails, unless the lane is given 64 bits.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

MAX_WORDS = 8


def through_61_bits(word: int) -> int:
    shifted = (word << 3) & 0xFFFF_FFFF_FFFF_FFFF
    return (shifted - (1 << 64) if shifted >> 63 else shifted) >> 3


class WordError(Exception):
    def __init__(self, code: int, name: str, message: str, function: str):
        super().__init__(message)
        self.code, self.name, self.message, self.function = code, name, message, function


class Words:
    """The loaded library; `words("aten_relu", x)` calls `rt_ctorch_aten_relu` and raises what it fails with."""

    def __init__(self, path: str, bits: int = 61):
        self.library = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
        self.lane = through_61_bits if bits == 61 else lambda word: word
        self._i64: dict[str, Any] = {}
        self._f64: dict[str, Any] = {}

    def raw(self, name: str, *words: int) -> int:
        """One call, with its answer as it is."""
        assert len(words) <= MAX_WORDS
        function = self._i64.get(name)
        if function is None:
            function = self._i64[name] = getattr(self.library, "rt_ctorch_" + name)
            function.restype = ctypes.c_int64
            function.argtypes = [ctypes.c_int64] * len(words)
        assert len(function.argtypes) == len(words), name
        return self.lane(function(*[self.lane(word) for word in words]))

    def __call__(self, name: str, *words: int) -> int:
        answer = self.raw(name, *words)
        if answer < 0:
            raise self.last_error(answer)
        return answer

    def last_error(self, answer: int) -> WordError:
        code = self.raw("last_error_code")
        assert answer == -code, f"the answer is {answer}, the last error has code {code}"
        texts = [ctypes.string_at(self.raw("last_error" + what)).decode() for what in ("_name", "", "_function")]
        return WordError(code, *texts)

    def f(self, name: str, *values: float) -> float:
        """A call over the double transport."""
        function = self._f64.get(name)
        if function is None:
            function = self._f64[name] = getattr(self.library, "rt_ctorch_f_" + name)
            function.restype = ctypes.c_double
            function.argtypes = [ctypes.c_double] * len(values)
        return function(*values)

    def f_word(self, name: str, *values: float) -> int:
        answer = self.f(name, *values)
        assert answer == int(answer)
        if answer < 0:
            raise self.last_error(int(answer))
        return int(answer)

    def f_value(self, name: str, *values: float) -> float:
        answer = self.f(name, *values)
        if answer != answer and self.raw("last_error_code") != 0:
            raise self.last_error(-self.raw("last_error_code"))
        return answer

    # Values

    def number(self, value: complex | float | int | bool) -> int:
        """A number word, made as a lane of 61 bits has to make it."""
        if isinstance(value, bool):
            return self("number_bool", int(value))
        if isinstance(value, int):
            if value >= 1 << 63:
                return self("number_uint_halves", value >> 32, value & 0xFFFF_FFFF)
            return self("number_int_halves", value >> 32, value & 0xFFFF_FFFF)
        if isinstance(value, complex):
            real, imaginary = self.number(value.real), self.number(value.imag)
            try:
                return self("number_complex", real, imaginary)
            finally:
                self.release(real, imaginary)
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return self("number_double_halves", bits >> 32, bits & 0xFFFF_FFFF)

    def take_number(self, word: int) -> complex | float | int | bool:
        """The value of a number word, which is released."""
        kind = self("number_kind", word)
        try:
            if kind in (0, 2, 4):
                high = self.raw("number_to_int", self("number_to_int_high", word))
                value = high << 32 | self("number_to_int_low", word)
                return bool(value) if kind == 2 else value
            if kind == 1:
                high, low = self("number_to_double_high", word), self("number_to_double_low", word)
                return struct.unpack("<d", struct.pack("<Q", high << 32 | low))[0]
            return complex(*[self.take_number(self("number_" + part, word)) for part in ("real", "imaginary")])
        finally:
            self.release(word)

    def text(self, value: str | bytes) -> int:
        """A text, pushed seven bytes at a time."""
        data = value.encode() if isinstance(value, str) else value
        text = self("text_new")
        for start in range(0, len(data), 7):
            piece = data[start : start + 7]
            self("text_push_bytes", text, int.from_bytes(piece, "little"), len(piece))
        return text

    def take_bytes(self, text: int) -> bytes:
        """The bytes of a text, which is released."""
        try:
            return bytes(self("text_byte", text, i) for i in range(self("text_len", text)))
        finally:
            self.release(text)

    def take_text(self, text: int) -> str | None:
        return None if text == 0 else self.take_bytes(text).decode()

    def ints(self, values: list[int]) -> int:
        values = [int(v) for v in values]
        if len(values) < MAX_WORDS and all(self.lane(v) == v for v in values):
            return self("ints_of", len(values), *values, *[0] * (7 - len(values)))
        made = self("ints_new")
        for value in values:
            word = self.number(value)
            self("ints_push_number", made, word)
            self.release(word)
        return made

    def list(self, kind: str, words: list[int]) -> int:
        """A list of words, which stay the caller's."""
        made = self(kind + "_new")
        for word in words:
            self(kind + "_push", made, word)
        return made

    def take_ints(self, handle: int) -> list[int] | None:
        if handle == 0:
            return None
        values = [self.take_number(self("ints_get", handle, i)) for i in range(self("ints_len", handle))]
        self.release(handle)
        return values

    def release(self, *words: int) -> None:
        for word in words:
            self("release", word)
