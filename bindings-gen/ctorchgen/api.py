"""The language-neutral model of the C ABI: what every emitter sees, and all it sees.

Both sources end here: the operators of native_functions.yaml (schema.py, types.py) and the hand-written headers
(headers.py). `Api.to_json()` is api.json, the contract for binding generators of other projects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .schema import Operator


@dataclass(frozen=True)
class Param:
    """One parameter of a C function, in the order of the C declaration."""

    name: str
    c_type: str
    role: str  # out | in | len | callback | payload
    len_of: str | None = None  # the parameter whose entries (or bytes) it counts: role len, or an out of `size_t *`
    type: str | None = None  # schema type without alias marks, operators only
    enum: str | None = None  # operators: the enumeration whose constants an `int` takes, or a result has
    nullable: bool = False
    owned: bool = False  # out: the caller must release it; in: the function takes it over, also if it fails
    mutated: bool = False
    keyword_only: bool = False  # in: Python takes it by name alone (operators, after the `*` of the schema)
    default: Any = None  # what NULL means, or what to pass for the schema's default
    default_text: str | None = None  # the default as the schema writes it

    @property
    def declaration(self) -> str:
        if "(*)" in self.c_type:
            return self.c_type.replace("(*)", f"(*{self.name})", 1)
        return self.c_type + ("" if self.c_type.endswith("*") else " ") + self.name

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "c_type": self.c_type,
            "role": self.role,
            "len_of": self.len_of,
            "type": self.type,
            "enum": self.enum,
            "nullable": self.nullable,
            "owned": self.owned,
            "mutated": self.mutated,
            "keyword_only": self.keyword_only,
            "default": self.default,
            "default_text": self.default_text,
        }


@dataclass(frozen=True)
class Function:
    """One exported function."""

    name: str
    header: str  # as a user would include it: "ctorch/tensor/tensor.h"
    kind: str  # aten | core | nn, optim, init, functional: the namespace of a schema file
    returns: str
    params: tuple[Param, ...]
    returns_nullable: bool = False  # NULL may come back; of `ctorch_error *`, which says success
    returns_len: str | None = None  # a returned array: the accessor that counts it, called with the same argument
    returned_arguments: tuple[str, ...] = ()  # operators: the parameters that the schema returns, in its order
    doc: str = ""
    schema: str | None = None
    numbers_as_tensors: bool = False  # operators: a number may stand for each tensor that is not changed
    never_negative: bool = False  # operators: the number that comes back is at least 0
    available: bool = True  # operators: whether the LibTorch at hand can do it; one that cannot answers UNSUPPORTED
    forward: str | None = None  # what makes a module: the schema of its forward, without a name
    since: str = "0.1"
    body: str | None = field(default=None, compare=False)  # operators: the C++ that implements it
    operator: Operator | None = field(default=None, compare=False)  # what LibTorch has behind it; None if it lacks it
    substitute: str | None = field(default=None, compare=False)  # the header that the body needs if LibTorch lacks it
    constructor: Any = field(default=None, compare=False)  # the entry of a schema file (constructors.py)

    @property
    def unit(self) -> str:
        """What bindings call the part of them that a header becomes: its name, which is unique ("tensor")."""
        return self.header.rpartition("/")[2].removesuffix(".h")

    @property
    def is_operator(self) -> bool:
        return self.kind == "aten"

    @property
    def is_described(self) -> bool:
        """Whether a schema says its defaults, and what goes by name: an operator, or an entry of a schema file."""
        return self.kind != "core"

    @property
    def signature(self) -> str:
        """Everything about the declaration that the ABI fixes, on one line."""
        arguments = ", ".join(p.declaration for p in self.params) or "void"
        return f"{self.returns} ({arguments})"

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "header": self.header,
            "kind": self.kind,
            "schema": self.schema,
            "forward": self.forward,
            "since": self.since,
            "doc": self.doc,
            "returns": self.returns,
            "returns_nullable": self.returns_nullable,
            "returns_len": self.returns_len,
            "returned_arguments": list(self.returned_arguments),
            "numbers_as_tensors": self.numbers_as_tensors,
            "never_negative": self.never_negative,
            "available": self.available,
            "params": [p.to_json() for p in self.params],
        }


@dataclass(frozen=True)
class Enum:
    """A typedef of int32_t with named constants."""

    name: str
    values: tuple[tuple[str, int], ...]
    doc: str = ""

    @property
    def short_names(self) -> dict[str, str]:
        """`CTORCH_DTYPE_FLOAT32` -> `float32`: the constants without the words that they share with their type.

        As many as all of them begin with, so `ctorch_error_kind` has CTORCH_ERROR_INDEX -> `index`.
        """
        words = [name.split("_") for name, _ in self.values]
        type_words = self.name.upper().split("_")
        shared = 1  # CTORCH
        while shared < len(type_words) and all(len(w) > shared + 1 and w[shared] == type_words[shared] for w in words):
            shared += 1
        return {name: "_".join(w[shared:]).lower() for w, (name, _) in zip(words, self.values)}

    @property
    def short_values(self) -> dict[str, int]:
        """The numbers by their short names."""
        return {self.short_names[name]: number for name, number in self.values}

    def to_json(self) -> dict[str, Any]:
        values = dict(self.values)
        return {"name": self.name, "values": values, "short_names": self.short_names, "doc": self.doc}


@dataclass(frozen=True)
class Struct:
    """A flat struct; a field is (name, C type)."""

    name: str
    fields: tuple[tuple[str, str], ...]
    doc: str = ""

    @property
    def size(self) -> int:
        """In bytes; each field lies at a multiple of its own size, and the whole of the largest."""
        sizes = [8 if t in ("double", "size_t") else int(re.sub(r"\D", "", t)) // 8 for _, t in self.fields]
        end = 0
        for size in sizes:
            end += -end % size + size
        return end + -end % max(sizes, default=1)

    def to_json(self) -> dict[str, Any]:
        fields = [{"name": n, "c_type": t} for n, t in self.fields]
        return {"name": self.name, "fields": fields, "doc": self.doc}


@dataclass(frozen=True)
class Opaque:
    """A handle type and the functions that count its references."""

    name: str  # as C spells the type: `ctorch_tensor`, or `struct X` where another library's header defines X
    release: str | None
    retain: str | None
    doc: str = ""
    kind: int | None = None  # of its handles in the word ABI, for ever; None where nobody owns it

    @property
    def declaration(self) -> str:
        return self.name if self.name.startswith("struct ") else f"typedef struct {self.name} {self.name}"

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "release": self.release, "retain": self.retain, "doc": self.doc, "kind": self.kind}


@dataclass(frozen=True)
class Callback:
    """A named function-pointer type."""

    name: str
    returns: str
    params: tuple[Param, ...]
    doc: str = ""

    def to_json(self) -> dict[str, Any]:
        params = [p.to_json() for p in self.params]
        return {"name": self.name, "returns": self.returns, "params": params, "doc": self.doc}


@dataclass(frozen=True)
class Api:
    """All of it."""

    version: str
    torch_version: str
    enums: tuple[Enum, ...]
    structs: tuple[Struct, ...]
    opaque: tuple[Opaque, ...]
    callbacks: tuple[Callback, ...]
    functions: tuple[Function, ...]  # sorted by header, then as declared

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What other modules derived from it, so that they do it once: a dozen emitters ask the same."""
        return {}

    @property
    def namespaces(self) -> list[str]:
        """Of the schema files: `init`, `nn` …"""
        return sorted({f.kind for f in self.functions} - {"aten", "core"})

    def to_json(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "torch_version": self.torch_version,
            "enums": [e.to_json() for e in self.enums],
            "structs": [s.to_json() for s in self.structs],
            "opaque": [o.to_json() for o in self.opaque],
            "callbacks": [c.to_json() for c in self.callbacks],
            "functions": [f.to_json() for f in self.functions],
        }

    @staticmethod
    def from_json(api: dict[str, Any]) -> Api:
        """What api.json describes, which is all that an emitter of a binding needs."""

        def function(f: dict[str, Any]) -> Function:
            return Function(**{**f, "params": params(f), "returned_arguments": tuple(f["returned_arguments"])})

        def params(f: dict[str, Any]) -> tuple[Param, ...]:
            return tuple(Param(**p) for p in f["params"])

        return Api(
            api["version"],
            api["torch_version"],
            tuple(Enum(e["name"], tuple(e["values"].items()), e["doc"]) for e in api["enums"]),
            tuple(
                Struct(s["name"], tuple((f["name"], f["c_type"]) for f in s["fields"]), s["doc"])
                for s in api["structs"]
            ),
            tuple(Opaque(**o) for o in api["opaque"]),
            tuple(Callback(**{**c, "params": params(c)}) for c in api["callbacks"]),
            tuple(function(f) for f in api["functions"]),
        )
