"""libctorch through ctypes, driven by api.json: any function by its name, with the values of values.py.

There is no Python torch in this process: the library is used as a C program uses it.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import struct
from dataclasses import dataclass
from pathlib import Path

NUMBERS = {
    "int8_t": ctypes.c_int8,
    "uint8_t": ctypes.c_uint8,
    "uint16_t": ctypes.c_uint16,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
    "bool": ctypes.c_bool,
    "char": ctypes.c_char,
}
OPAQUE: set[str] = set()  # the handle types of the library that is loaded
SENTINEL = b"\xa5" * 64  # no valid handle, and no number that a call is likely to answer
SLOTS = 16
COUNTED = 0xC0  # the payload whose destruction is counted
DESTROY = "void (*)(void *payload)"


def bare(c_type: str) -> str:
    """`const ctorch_tensor *const *` -> `ctorch_tensor`"""
    return re.sub(r"\bconst\b|\*", "", c_type).strip()


@dataclass
class Outcome:
    """What a call answered. Handles in `owned` and the error are the caller's to release."""

    error: int | None  # handle of the error, for functions that return one
    value: object  # the returned value, for the others
    owned: list[tuple[str, int]]  # opaque type and handle
    touched: bool  # whether any output slot was written
    unwritten: list[str]  # outputs that a call without error left alone


class Function:
    """One export: how its parameters travel through ctypes."""

    def __init__(self, library: Library, entry: dict) -> None:
        self.library = library
        self.entry = entry
        self.name = entry["name"]
        self.params = entry["params"]
        self.has_error = bare(entry["returns"]) == "ctorch_error" and "*" in entry["returns"]
        self.mutates = any(p["mutated"] or (p["role"] == "in" and self._exclusive(p)) for p in self.params)
        self.call = library.symbol(self.name)
        self.call.restype = self._restype(entry["returns"])
        self.call.argtypes = [self._argtype(p) for p in self.params]
        self.payloads = [i for i, p in enumerate(self.params) if p["role"] == "payload"]
        positions = {p["name"]: i for i, p in enumerate(self.params)}
        lengths = {p["len_of"]: i for i, p in enumerate(self.params) if p["role"] == "len"}
        self.inputs = [
            (p, positions[p["name"]], lengths.get(p["name"]))
            for p in self.params
            if p["role"] == "in"
            or (p["role"] == "out" and p["name"] in lengths)
            or (p["role"] == "callback" and p["c_type"] != DESTROY)
        ]
        slots = [p for p in self.params if p["role"] == "out" and p["name"] not in lengths]
        self.destroys = [positions[p["name"]] for p in self.params if p["c_type"] == DESTROY]
        self.outs = [(p, positions[p["name"]], 64 * n) for n, p in enumerate(slots)]

    @staticmethod
    def _exclusive(param: dict) -> bool:
        return bare(param["c_type"]) == "ctorch_tensor" and not param["c_type"].startswith("const")

    def _restype(self, c_type: str):
        if c_type == "void":
            return None
        if c_type.replace(" ", "") == "constchar*":
            return ctypes.c_char_p
        return ctypes.c_void_p if "*" in c_type else self.library.number(bare(c_type))

    def _argtype(self, param: dict):
        pointer = "*" in param["c_type"] or param["role"] in ("callback", "payload")
        return ctypes.c_void_p if pointer else self.library.number(bare(param["c_type"]))

    def __call__(
        self, args: dict[str, tuple], resolve, null_outs: tuple[str, ...] = (), payload: int | None = None
    ) -> Outcome:
        """Call with values; `resolve(kind, payload, position)` turns those that stand for handles into addresses."""
        values = [None] * len(self.params)
        keep = []
        for param, position, length in self.inputs:
            value = args[param["name"]]
            kind, content = value
            if kind in HANDLES:
                values[position] = resolve(kind, content, position)
            elif kind in ("tensors", "objects"):
                # A list without entries is a pointer that is not NULL, and length 0.
                array = self.library.handles([resolve(kind[:-1], k, position + n) for n, k in enumerate(content)])
                keep.append(array)
                values[position] = ctypes.addressof(array)
                values[length] = len(content)
            else:
                values[position], count = self.library.constant(param["c_type"], value)
                if length is not None:
                    values[length] = count
        for position in self.destroys:
            values[position] = self.library.destroy
        for position in self.payloads:
            values[position] = payload
        # A callback calls functions while a call is under way: each level has outputs of its own.
        buffer = self.library.slots[self.library.depth]
        buffer.raw = SENTINEL * SLOTS
        base = ctypes.addressof(buffer)
        for param, position, offset in self.outs:
            values[position] = None if param["name"] in null_outs else base + offset
        self.library.depth += 1
        try:
            result = self.call(*values)
        finally:
            self.library.depth -= 1
        del keep
        after = buffer.raw
        owned = []
        unwritten = []
        if not (self.has_error and result is not None):
            for param, _, offset in self.outs:
                if param["name"] in null_outs:
                    continue
                if after[offset : offset + 64] == SENTINEL:
                    unwritten.append(param["name"])
                elif param["owned"] or self.name in UNTYPED:
                    handle = int.from_bytes(after[offset : offset + 8], "little")
                    if handle:
                        owned.append((UNTYPED.get(self.name, bare(param["c_type"])), handle))
        return Outcome(
            result if self.has_error else None,
            None if self.has_error else result,
            owned,
            after != SENTINEL * SLOTS,
            unwritten,
        )


# Outputs without a type that are a caller's to release.
UNTYPED = {"ctorch_dlpack_exchange_export": "ctorch_tensor"}
HANDLES = ("tensor", "handle", "object", "table", "generator", "storage", "list", "text", "error", "scope")


class Library:
    """The loaded library and its description."""

    def __init__(self, library: Path, api: Path) -> None:
        self.path = library
        self.cdll = ctypes.CDLL(str(library), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        self.api = json.loads(api.read_text())
        self.enums = {e["name"] for e in self.api["enums"]}
        self.structs = {s["name"]: self._struct(s) for s in self.api["structs"]}
        self.entries = {f["name"]: f for f in self.api["functions"]}
        OPAQUE.update(o["name"] for o in self.api["opaque"])
        self.released_by = {o["name"]: o["release"] for o in self.api["opaque"]}
        self.functions: dict[str, Function] = {}
        self.constants: dict[tuple, tuple] = {}
        self.slots = [ctypes.create_string_buffer(64 * SLOTS) for _ in range(8)]
        self.depth = 0
        self.destroyed = 0
        self._destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._count_destroyed)
        self.destroy = ctypes.cast(self._destroy, ctypes.c_void_p).value
        self.callbacks = {c["name"]: c for c in self.api["callbacks"]}
        self.make_handle = None  # opaque type -> a handle: what a callback hands over
        self.memory = ctypes.create_string_buffer(4096)
        signatures = {
            "ctorch_error_kind_of": (ctypes.c_int32, [ctypes.c_void_p]),
            "ctorch_error_message": (ctypes.c_char_p, [ctypes.c_void_p]),
            "ctorch_error_function": (ctypes.c_char_p, [ctypes.c_void_p]),
            "ctorch_debug_live_handles": (ctypes.c_int64, []),
            **{name: (None, [ctypes.c_void_p]) for name in self.released_by.values() if name},
        }
        self.direct = {}
        for name, (restype, argtypes) in signatures.items():
            function = self.symbol(name)
            function.restype, function.argtypes = restype, argtypes
            self.direct[name] = function
        self.live_handles = self.direct["ctorch_debug_live_handles"]

    def _count_destroyed(self, payload: int | None) -> None:
        self.destroyed += payload == COUNTED

    def symbol(self, name: str):
        # Indexing makes a new function object each time, so that signatures set for one use do not leak to another.
        return self.cdll[name]

    def _struct(self, entry: dict):
        fields = [(f["name"], self.number(f["c_type"])) for f in entry["fields"]]
        return type(entry["name"], (ctypes.Structure,), {"_fields_": fields})

    def number(self, c_type: str):
        """The ctypes type of a number or an enumeration."""
        return NUMBERS.get(c_type) or ctypes.c_int32

    def handles(self, addresses: list[int | None]):
        return (ctypes.c_void_p * max(len(addresses), 1))(*addresses)

    def function(self, name: str) -> Function:
        if name not in self.functions:
            self.functions[name] = Function(self, self.entries[name])
        return self.functions[name]

    def constant(self, c_type: str, value: tuple) -> tuple[object, int]:
        """A C argument for a value without handles, and its length if it is a list. Kept for the process's life."""
        key = (c_type, value)
        if key not in self.constants:
            self.constants[key] = self._constant(c_type, value)
        argument, count, _ = self.constants[key]
        return argument, count

    def _constant(self, c_type: str, value: tuple) -> tuple[object, int, object]:
        kind, payload = value
        if kind == "absent":
            return None, 0, None
        if kind == "length":
            where, count = payload
            return (ctypes.addressof(self.memory) if where == "data" else None), count, None
        if kind == "string":
            text = ctypes.create_string_buffer(payload)
            return ctypes.addressof(text), len(payload), text
        if kind == "callback":
            function = self._callback(self.callbacks[c_type], payload)
            return ctypes.cast(function, ctypes.c_void_p).value, 0, function
        if kind == "strings":
            texts = [None if s is None else ctypes.create_string_buffer(s) for s in payload]
            array = self.handles([None if t is None else ctypes.addressof(t) for t in texts])
            return ctypes.addressof(array), len(payload), (array, texts)
        if kind == "bytes":
            return ctypes.addressof(self.memory), payload, None
        if kind == "dltensor":
            one = self._dltensor(*payload)
            return ctypes.addressof(one[0]), 1, one
        item = self.structs.get(bare(c_type)) or self.number(bare(c_type))
        if "*" not in c_type:
            return payload, 0, None
        if kind in ("ints", "doubles", "bools", "scalars", "enums", "devices", "streams"):
            array = (item * max(len(payload), 1))()
            for n, entry in enumerate(payload):
                array[n] = self._item(item, entry)
            return ctypes.addressof(array), len(payload), array
        one = item(*self._fields(payload)) if issubclass(item, ctypes.Structure) else item(payload)
        return ctypes.addressof(one), 1, one

    def _callback(self, entry: dict, behaviour: str):
        """A C function of a callback's type that behaves as told."""
        params = entry["params"]
        lengths = {p["len_of"]: i for i, p in enumerate(params) if p["role"] == "len"}
        outs = [
            (bare(p["c_type"]), i, lengths.get(p["name"]))
            for i, p in enumerate(params)
            if p["role"] == "out" and p["c_type"].count("*") == 2 and p["c_type"].startswith("ctorch_")
        ]

        def body(*args) -> int:
            for opaque, i, length in outs:
                if opaque != "ctorch_error" and behaviour in ("fill", "late error"):
                    for n in range(args[length] if length is not None else 1):
                        handle = self.make_handle(opaque)
                        ctypes.c_void_p.from_address(args[i] + 8 * n).value = handle
                if opaque == "ctorch_error" and behaviour.endswith("error"):
                    ctypes.c_void_p.from_address(args[i]).value = self.make_handle("ctorch_error")
            return int(behaviour in ("nothing", "fill"))

        restype = None if entry["returns"] == "void" else self.number(entry["returns"])
        types = [ctypes.c_void_p if "*" in p["c_type"] else self.number(p["c_type"]) for p in params]
        return ctypes.CFUNCTYPE(restype, *types)(body)

    def _dltensor(self, data, device, ndim, dtype, shape, strides, byte_offset) -> tuple:
        """A DLTensor, and what it points to."""
        lists = [None if x is None else (ctypes.c_int64 * 2)(*x) for x in (shape, strides)]
        pointers = [0 if x is None else ctypes.addressof(x) for x in lists]
        address = ctypes.addressof(self.memory) if data else 0
        packed = struct.pack("=QiiiBBHQQQ", address, *device, ndim, *dtype, *pointers, byte_offset)
        return ctypes.create_string_buffer(packed), lists

    def _item(self, item, payload):
        return item(*self._fields(payload)) if issubclass(item, ctypes.Structure) else payload

    @staticmethod
    def _fields(payload: tuple) -> tuple:
        """A scalar's value has no `reserved` field."""
        return (payload[0], 0, *payload[1:]) if len(payload) == 4 else payload

    def operator(self, name: str, /, **args: tuple) -> int:
        """Call an operator that makes one handle; arguments that are not given are absent."""
        return self.make("ctorch_aten_" + name, **args)

    def make(self, name: str, /, **args: tuple) -> int:
        function = self.function(name)
        full = {p["name"]: args.get(p["name"], ("absent", None)) for p, _, _ in function.inputs}
        outcome = function(full, lambda kind, payload, position: payload)
        if outcome.error is not None:
            raise RuntimeError(f"{name}: {self.message(outcome.error)}")
        return outcome.owned[0][1]

    def message(self, error: int) -> str:
        return self.direct["ctorch_error_message"](error).decode(errors="backslashreplace")

    def release(self, opaque: str, handle: int) -> None:
        self.direct[self.released_by[opaque]](handle)
