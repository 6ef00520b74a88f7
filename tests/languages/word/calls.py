"""Calls of any function by what symbols.sdn says of its words, with PyTorch's values in and out."""

from __future__ import annotations

import ctypes
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from ctorchgen.api import Api
from ctorchgen.word import Result, Slot, WordApi, WordFunction

from tests.harness.exceptions import tensor_at
from tests.languages.word.transport import WordError, Words
from tests.operators import capi, values

C_TYPES = {
    "void": None,
    "bool": ctypes.c_bool,
    "double": ctypes.c_double,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
}


class WordLibrary:
    """What the comparison with PyTorch calls, through words."""

    def __init__(self, library_path: str, word_path: str, api_path: str, bits: int = 61):
        self.c = ctypes.CDLL(library_path)
        self.word_path, self.bits = Path(word_path), bits
        self.words = Words(word_path, bits)
        with open(api_path, encoding="utf-8") as file:
            api = json.load(file)
        self.core = {f["name"]: f for f in api["functions"] if f["kind"] == "core"}
        self.enums = {e["name"]: e["values"] for e in api["enums"]}
        self.numbers = self._numbers()
        self.error_kinds_by_name = self._enum("ctorch_error_kind", "CTORCH_ERROR_")
        model = WordApi.of(Api.from_json(api))
        self.functions = {f.name: f for f in model.all}
        self.kinds = dict(model.kinds)
        self.calls = 0

    def start_anew(self, folder: Path) -> None:
        """Load a copy of the library, with a table of handles of its own: what was left in this one stays there."""
        copy = folder / self.word_path.name
        shutil.copyfile(self.word_path, copy)
        self.words = Words(str(copy), self.bits)
        assert self.words("live_handles") == 0

    def _enum(self, name: str, prefix: str) -> dict[str, int]:
        return {n.removeprefix(prefix): v for n, v in self.enums[name].items()}

    def _numbers(self) -> dict[Any, int]:
        """PyTorch's Python objects -> the numbers of ctorch's enumerations."""
        numbers: dict[Any, int] = {}
        for name, number in self._enum("ctorch_dtype", "CTORCH_DTYPE_").items():
            if hasattr(torch, name.lower()):  # some versions of it lack some
                numbers[getattr(torch, name.lower())] = number
        for name, number in self._enum("ctorch_layout", "CTORCH_LAYOUT_").items():
            numbers[torch._mkldnn if name == "MKLDNN" else getattr(torch, name.lower())] = number
        for name, number in self._enum("ctorch_memory_format", "CTORCH_MEMORY_FORMAT_").items():
            name = name.lower() + ("_format" if name in ("CONTIGUOUS", "PRESERVE") else "")
            numbers[getattr(torch, name)] = number
        return numbers | {scheme: number for number, scheme in capi.QSCHEMES.items()}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """A hand-written C function by its name: `library.ctorch_tensor_release`."""
        if not name.startswith("ctorch_"):
            raise AttributeError(name)
        return self.function(self.core[name])

    def function(self, entry: dict[str, Any]) -> Callable[..., Any]:
        """The C function of an entry of api.json."""
        function = getattr(self.c, entry["name"])
        function.argtypes = [self._c_type(p["c_type"]) for p in entry["params"]]
        function.restype = self._c_type(entry["returns"])
        return function

    def _c_type(self, c_type: str) -> Any:
        if "*" in c_type:
            return ctypes.c_void_p
        return C_TYPES[c_type] if c_type in C_TYPES else ctypes.c_int32

    def call(self, entry: dict[str, Any], values_by_name: dict[str, Any]) -> list[Any]:
        function = self.functions["rt_" + entry["name"]]
        self.made: list[int] = []
        try:
            words = [self.word(s, values_by_name) for s in function.slots]
            answer = self.invoke(function, words)
            return self.results(function, answer)
        except WordError as error:
            raise capi.CtorchError(error.name, error.message) from None
        finally:
            self.words.release(*self.made)
            self.words("last_error_clear")

    def invoke(self, function: WordFunction, words: list[int | None]) -> int:
        self.calls += 1
        name = function.name.removeprefix("rt_ctorch_")
        if not function.packed:
            # A plain argument that is left out is its default, which the language has to know.
            given = [s.default if w is None else w for s, w in zip(function.slots, words, strict=True)]
            return self.words(name, *[int(w) for w in given])
        pack = self.keep(self.words("pack_new"))
        for word in words:
            if word is None:
                self.words("pack_skip", pack)
            else:
                self.words("pack_push", pack, int(word))
        return self.words(name, pack)

    def keep(self, word: int) -> int:
        self.made.append(word)
        return word

    # Arguments

    def word(self, slot: Slot, given: dict[str, Any]) -> int | None:
        """The word of an argument; None to leave a plain one at its default."""
        value = given.get(slot.name)
        if slot.plain:
            return None if value is None else value if isinstance(value, bool | int) else self.numbers[value]
        if value is None:
            return 0
        return self.keep(self.made_of(slot, value))

    def made_of(self, slot: Slot, value: Any) -> int:
        words = self.words
        if slot.argument.kind == "list" and not isinstance(value, list | tuple):
            value = [value] * int(slot.argument.param.type.partition("[")[2].partition("]")[0] or 1)
        match slot.kind:
            case "handle":
                return self.handle(slot.handle_kind, value)
            case "double" | "scalar" | "number":
                if slot.kind == "number" and slot.type != "double":
                    value = int(value) if isinstance(value, bool | int) else self.numbers[value]
                elif slot.kind != "scalar":
                    value = float(value)
                return words.number(value)
            case "device":
                device = torch.device(value)
                type_ = self._enum("ctorch_device_type", "CTORCH_DEVICE_TYPE_")[device.type.upper()]
                return words("device_word", type_, -1 if device.index is None else device.index)
            case "text":
                return words.text(value)
            case "ints":
                return words.ints([v if isinstance(v, bool | int) else self.numbers[v] for v in value])
            case "doubles" | "scalars":
                items = [words.number(float(v) if slot.kind == "doubles" else v) for v in value]
                self.made += items
                return words.list(slot.kind, items)
            case "tensors":
                items = [0 if t is None else self.keep(self.handle("TENSOR", t)) for t in value]
                return words.list("tensors", items)
            case "stream":
                number = self.keep(words.number(value.id))
                return words("stream_word", number, words("device_word", value.device_type, value.device_index))
        raise NotImplementedError(slot.kind)

    def handle(self, kind: str, value: Any) -> int:
        if kind == "TENSOR":
            self.ctorch_tensor_retain(value._cdata)
            return self.words("address_adopt", value._cdata, self.kinds[kind])
        if kind == "GENERATOR":
            made = self.words("generator_new", 0)
            self.words("generator_manual_seed", made, value.seed)
            return made
        assert isinstance(value, values.Storage)
        tensor = torch.empty(0, dtype=torch.uint8).set_(value.storage)
        return self.words("storage_from_tensor", self.keep(self.handle("TENSOR", tensor)))

    # Results

    def results(self, function: WordFunction, answer: int) -> list[Any]:
        result = function.result
        if result.kind == "status":
            assert answer == 1
            return []
        if result.kind != "tuple":
            return [self.result(result, answer)]
        assert self.words("tuple_len", answer) == len(result.items)
        taken = [self.words("tuple_take", answer, i) for i in range(len(result.items))]
        self.words.release(answer)
        plain = ("flag", "count", "enum")
        return [
            self.typed(i, self.words.take_number(w)) if i.kind in plain else self.result(i, w)
            for i, w in zip(result.items, taken, strict=True)
        ]

    def typed(self, result: Result, value: int) -> bool | int:
        return bool(value) if result.kind == "flag" else value

    def result(self, result: Result, word: int) -> Any:
        match result.kind:
            case "handle" if result.handle_kind == "TENSOR":
                return self.tensor(word)
            case "handle" if result.handle_kind == "TENSOR_LIST":
                tensors = [
                    self.tensor(self.words("tensor_list_get", word, i))
                    for i in range(self.words("tensor_list_len", word))
                ]
                self.words.release(word)
                return tensors
            case "flag" | "count" | "enum":
                return self.typed(result, word)
            case "number":
                return self.words.take_number(word)
        raise NotImplementedError(result.kind)

    def tensor(self, word: int) -> torch.Tensor | None:
        if not word:
            return None
        address = self.words("address_take", word)
        tensor = tensor_at(address)
        self.ctorch_tensor_release(address)
        return tensor
