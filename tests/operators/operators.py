"""The operators under test and how their overloads belong together.

`aten::add.Tensor`, `aten::add_.Tensor` and `aten::add.out` are one family: the same arguments fit all three, but for
the tensors that an `out=` overload writes to. A case written for one of them therefore serves the others.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from .substitutes import Substitute

TENSOR_OPTIONS = ("dtype", "layout", "device", "pin_memory")


@dataclass(frozen=True)
class Operator:
    """One overload: its entry in api.json and PyTorch's own object for it."""

    name: str  # "add.Tensor", "relu"
    function: dict[str, Any]  # of api.json

    @cached_property
    def overload(self) -> torch._ops.OpOverload | Substitute:
        base, _, overload = self.name.partition(".")
        found = getattr(getattr(torch.ops.aten, base, None), overload or "default", None)
        return found or Substitute(self.name, self.function["schema"])

    @property
    def schema(self) -> torch._C.FunctionSchema:
        return self.overload._schema

    @cached_property
    def names_in_c(self) -> dict[str, str]:
        """The arguments whose name in this LibTorch is not that of the ABI, which keeps the one it has."""
        ours = {a.name: str(a.type) for a in torch._C.parse_schema(self.function["schema"]).arguments}
        theirs = {a.name: str(a.type) for a in self.schema.arguments}
        free = {name: type_ for name, type_ in ours.items() if name not in theirs}
        renamed = {}
        for name, type_ in theirs.items():
            old = next((o for o in free if name not in ours and free[o] == type_), None)
            if old is not None:
                renamed[name] = old
                del free[old]
        return renamed

    @cached_property
    def out_arguments(self) -> tuple[str, ...]:
        """Names of the keyword-only arguments that an `out=` overload writes its results to."""
        return tuple(a.name for a in self.schema.arguments if a.is_out)

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        return tuple(a.name for a in self.schema.arguments if not a.is_out)

    @cached_property
    def family(self) -> tuple:
        base = self.name.partition(".")[0]
        if base.startswith("__i") and base.endswith("__") and base not in ("__ior__", "__init__"):
            base = "__" + base[3:]
        elif base == "__ior__":
            base = "__or__"
        elif base.endswith("_") and not base.endswith("__"):
            base = base[:-1]
        inputs = [(a.name, str(a.type)) for a in self.schema.arguments if not a.is_out]
        if ("pin_memory", "Optional[bool]") in inputs:
            # A factory's `out=` overload lacks the options that the tensor it is given decides.
            inputs = [i for i in inputs if i[0] not in TENSOR_OPTIONS]
        return base, tuple(inputs)

    @cached_property
    def returned_arguments(self) -> tuple[int | None, ...]:
        """For each result, the position of the argument that it is (`Tensor(a!)`), or None."""
        written = {}
        for position, argument in enumerate(self.schema.arguments):
            if argument.alias_info is not None and argument.alias_info.is_write:
                for mark in argument.alias_info.before_set:
                    written[mark] = position
        marks = []
        for result in self.schema.returns:
            info = result.alias_info
            marks.append(written[next(iter(info.before_set))] if info is not None and info.is_write else None)
        return tuple(marks)

    @property
    def kind(self) -> str:
        if self.out_arguments:
            return "out"
        return "functional" if not self.schema.is_mutable else "in-place"


def name_in_schema(schema: str) -> str:
    """`aten::add.Tensor(Tensor self, …) -> Tensor` -> "add.Tensor"."""
    return schema.partition("(")[0].strip().removeprefix("aten::")


def load(api_path: str) -> list[Operator]:
    """Every operator of api.json that this LibTorch has, in its order."""
    with open(api_path, encoding="utf-8") as file:
        api = json.load(file)
    return [
        Operator(name_in_schema(f["schema"]), f) for f in api["functions"] if f["kind"] == "aten" and f["available"]
    ]


def families(operators: list[Operator]) -> dict[tuple, list[Operator]]:
    found: dict[tuple, list[Operator]] = defaultdict(list)
    for operator in operators:
        found[operator.family].append(operator)
    return found
