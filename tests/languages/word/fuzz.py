"""Random words into the functions of the word library itself and those that look into its objects.

    python -m tests.languages.word.fuzz API LIBRARY [CALLS [SEED]]

Whatever it is given, a function answers; what it made goes away again. Needs no torch, so that it runs under a
sanitizer.
"""

from __future__ import annotations

import json
import random
import sys

from ctorchgen.api import Api
from ctorchgen.word import WordApi, WordFunction

from tests.languages.word.transport import Words

# These believe the address that they are given, or hand out a reference that nobody gives back.
TRUSTING = ("address_new", "address_adopt", "address_take")
HEADERS = ("ctorch/abi/error.h", "ctorch/abi/string.h", "ctorch/abi/tensor_list.h", "ctorch/value/value.h")
EXTREMES = (0, 1, 2, 3, 7, 8, 63, 64, 255, 256, -1, -2, 2**31, 2**32, 2**50, 2**52, 2**53, 2**60, 2**63 - 1, -(2**63))


class Fuzz:
    def __init__(self, api_path: str, library_path: str, seed: int):
        with open(api_path, encoding="utf-8") as file:
            model = WordApi.of(Api.from_json(json.load(file)))
        looking = [f for f in model.functions if f.function.header in HEADERS and "path" not in f.parameters]
        own = [f for f in model.runtime if not f.name.endswith(TRUSTING)]
        self.functions = own * 3 + looking
        self.words = Words(library_path, bits=64)
        self.random = random.Random(seed)
        self.pool: list[int] = []
        self.answers: dict[bool, int] = {True: 0, False: 0}

    def seed_pool(self) -> None:
        """A tensor, an error and a text that is not UTF-8, to begin with."""
        sizes = self.words("ints_of", 2, 2, 3, 0, 0, 0, 0, 0)
        tensor = self.words("aten_ones", sizes, 0, 0, 0, 0)
        assert self.words.raw("aten_mm", tensor, tensor) < 0
        self.pool += [
            sizes,
            tensor,
            self.words("last_error_take"),
            self.words.text(b"\xff\x00z"),
            self.words.text("1e3"),
        ]

    def word(self) -> int:
        kind = self.random.random()
        if kind < 0.7 and self.pool:
            return self.random.choice(self.pool[-40:])
        if kind < 0.9:
            return self.random.choice(EXTREMES)
        return self.random.getrandbits(64) - (1 << 63)

    def run(self, calls: int) -> None:
        for i in range(calls):
            if i % 500 == 0:
                self.release_pool()
                self.seed_pool()
            function = self.random.choice(self.functions)
            self.answer(function, [self.word() for _ in range(function.arity)])
        self.release_pool()

    def answer(self, function: WordFunction, words: list[int]) -> None:
        name = function.name.removeprefix("rt_ctorch_")
        if function.transport == "f64":
            value = self.words.f(name.removeprefix("f_"), *map(float, words))
            answer = int(value) if function.result.kind != "f64" else 0
        else:
            answer = self.words.raw(name, *words)
            self.answers[answer >= 0] += 1
        if 2**24 < answer < 2**52 and function.result.kind not in ("address", "int", "count"):
            self.pool.append(answer)

    def release_pool(self) -> None:
        for word in self.pool:
            while self.words.raw("release", word) == 1:
                pass
        self.words("last_error_clear")
        self.pool = []


def main() -> int:
    calls, seed = (int(x) for x in (*sys.argv[3:], *("50000", "1")[len(sys.argv) - 3 :]))
    fuzz = Fuzz(sys.argv[1], sys.argv[2], seed)
    fuzz.run(calls)
    left = fuzz.words("live_handles")
    counted = fuzz.words.take_number(fuzz.words("debug_live_handles"))
    print(f"{fuzz.answers[True]} answers, {fuzz.answers[False]} errors, {left} handles left, {counted} of ctorch's")
    return 1 if left or counted > 0 or not all(fuzz.answers.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
