"""Every function with every word that is no handle of the kind it asks for: an error each time, and never a crash.

    python -m tests.languages.word.sweep API LIBRARY [some]     prints what is wrong, ends with 1 if anything is

With `some`, functions that the library lacks are left out. Needs no torch, so that it runs under a sanitizer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from ctorchgen.api import Api
from ctorchgen.lock import FIRST_OBJECT_KIND
from ctorchgen.word import Slot, WordApi, WordFunction

from tests.languages.word.transport import Words

INVALID_HANDLE, INVALID_ARGUMENT, NULL_ARGUMENT = -33, -31, -30
RANDOM = (7, -1, -33, -(2**63), 2**63 - 1, 2**24 + 1234567, 2**51 + 5, 0x1234_5678_9ABC, 2**53, -(2**24) - 1)
TOO_WIDE = {
    "flag": (2, -1, 2**32, -(2**63)),
    "enum": (2**31, -(2**31) - 1, 2**63 - 1, -(2**63)),
    "int32_t": (2**31, -(2**31) - 1, 2**63 - 1, -(2**63)),
    "size_t": (-1, -(2**63)),
    "uint8_t": (-1, 256, 2**63 - 1),
    "uint16_t": (-1, 65536, -(2**63)),
    "uint32_t": (-1, 2**32, -(2**63)),
}
LISTS = ("ints", "doubles", "scalars", "devices", "texts", "tensors", "values")


class Sweep:
    def __init__(self, api_path: str, library_path: str, some: bool = False):
        with open(api_path, encoding="utf-8") as file:
            self.model = WordApi.of(Api.from_json(json.load(file)))
        self.words = Words(library_path, bits=64)
        self.kinds = dict(self.model.kinds)
        self.functions = [f for f in self.model.all if not some or hasattr(self.words.library, f.name)]
        self.calls = 0
        self.failures: list[str] = []
        # Both slots are in use again afterwards, under another generation.
        self.stale, self.twice = self.words("text_new"), self.words("ints_new")
        self.words.release(self.stale, self.twice)
        made = [kind for kind in self.kinds if kind not in ("DEVICE", "SCOPE")] + ["SCOPE"]
        self.live = {kind: self._made(kind) for kind in made}

    def _made(self, kind: str) -> int:
        """A live handle of a kind; of an object of ctorch, one that nobody ever looks into."""
        if self.kinds[kind] >= FIRST_OBJECT_KIND and kind != "SCOPE":
            return self.words("address_adopt", 0x1000, self.kinds[kind])
        makers = {"NUMBER": ("number_int", 2**62), "TUPLE": ("graph_pool_new", 1), "ADDRESS": ("address_new", 0x1000)}
        if kind == "STREAM":
            return self.words("stream_word", self.words("number_int", 0), self.words("device_word", 0, 0))
        if kind == "TUPLE":
            return self.words("print_options")
        if kind == "SCOPE":
            return self.words("scope_begin")
        return self.words(*makers.get(kind, (kind.lower() + "_new",)))

    def end(self) -> None:
        for kind, handle in reversed(self.live.items()):  # the scope ends before anything else goes
            adopted = self.kinds[kind] >= FIRST_OBJECT_KIND and kind != "SCOPE"
            self.words("address_take" if adopted else "release", handle)
        self.words("last_error_clear")
        left = self.words("live_handles")
        if left:
            self.failures.append(f"{left} handles are left")

    def run(self) -> None:
        for function in self.functions:
            if function.packed:
                for word in (0, self.stale, self.twice, self.live["INTS"], *RANDOM):
                    self.check(function, "pack", word, INVALID_HANDLE, self.call(function, [word]))
            for index, slot in enumerate(function.slots):
                for word, code in self.bad(slot):
                    self.check(function, slot.name, word, code, self.refused(function, index, word))
        self.end()

    def bad(self, slot: Slot) -> Iterator[tuple[int, int]]:
        """Words that a slot refuses, each with the answer."""
        if slot.kind in ("int", "room", "flag", "enum"):
            kind = slot.kind if slot.kind in TOO_WIDE else "size_t" if slot.kind == "room" else slot.type
            yield from ((word, INVALID_ARGUMENT) for word in TOO_WIDE.get(kind, ()))
        elif slot.kind not in ("word", "f64"):
            words = {self.stale, self.twice, *RANDOM}
            if not slot.optional:
                words.add(0)
            if slot.kind != "any":
                words.add(self.live["PACK" if slot.kind != "handle" or slot.handle_kind != "PACK" else "TUPLE"])
                words.add(self.live["TEXTS" if slot.kind != "texts" and slot.type != "TEXTS" else "NUMBER"])
            if slot.kind not in ("double", "number", "scalar", "any"):
                words.add(self.words("number_int", 5))
            if slot.kind not in ("device", "any"):
                words.add(self.words("device_word", 0, 0))
            yield from ((word, INVALID_HANDLE) for word in sorted(words))

    def refused(self, function: WordFunction, index: int, word: int) -> float:
        """The answer to a call whose words are fine up to `index`, and nothing after it."""
        words = [self.good(s) for s in function.slots[:index]] + [word] + [0] * (len(function.slots) - index - 1)
        if not function.packed:
            return self.call(function, words)
        pack = self.words("pack_new")
        for i, given in enumerate(words):
            self.words("pack_set", pack, i, given)
        answer = self.call(function, [pack])
        self.words.release(pack)
        return answer

    def good(self, slot: Slot) -> int:
        match slot.kind:
            case "handle":
                return self.live[slot.handle_kind]
            case "double" | "scalar" | "number":
                return self.words("number_int", 1)
            case "device":
                return self.words("device_word", 0, 0)
            case "text" | "bytes":
                return self.live["TEXT"]
            case "stream":
                return self.live["STREAM"]
            case "int" if slot.name == "count":
                return 7
            case "address" | "any":
                return self.live["ADDRESS"]
            case kind if kind in LISTS:
                return 0
        return 0

    def call(self, function: WordFunction, words: list[int]) -> float:
        self.calls += 1
        name = function.name.removeprefix("rt_ctorch_")
        if function.transport == "i64":
            return self.words.raw(name, *words)
        answer = self.words.f(name.removeprefix("f_"), *map(float, words))
        return -self.words.raw("last_error_code") if answer != answer else answer

    def check(self, function: WordFunction, argument: str, word: int, code: int, answer: float) -> None:
        if answer == code:
            return
        self.failures.append(f"{function.name}: {argument} = {word}: the answer is {answer}, not {code}")


def main() -> int:
    sweep = Sweep(sys.argv[1], sys.argv[2], sys.argv[3:] == ["some"])
    sweep.run()
    print(*sweep.failures[:20], f"{sweep.calls} calls, {len(sweep.failures)} failures", sep="\n")
    return 1 if sweep.failures else 0


if __name__ == "__main__":
    sys.exit(main())
