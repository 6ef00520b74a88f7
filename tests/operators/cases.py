"""The cases of each overload, from four sources in this order.

1. cases.txt: written by hand, for operators that need particular arguments.
2. generated/recorded.txt: recorded by harvest.py from PyTorch's own test samples.
3. generated/from_schema.txt: found by trial by complete.py for what the others do not reach.
4. Its family (operators.py): `add.Tensor`'s cases also serve `add_.Tensor` and `add.out`, the latter with outputs that
   are first empty, then of the right shape.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from tests.operators import arguments, values
from tests.operators.operators import Operator, families

HERE = Path(__file__).parent
FILES = (HERE / "cases.txt", HERE / "generated" / "recorded.txt", HERE / "generated" / "from_schema.txt")


@dataclass(frozen=True)
class Case:
    """Arguments for an operator, written for it or for another of its family."""

    operator: Operator
    source: Operator
    text: str
    mode: str = ""  # "no_grad" or "inference_mode" if the operator wants that
    outputs: str = ""  # for an `out=` overload whose outputs the text lacks: "empty" or "shaped"

    def __str__(self) -> str:
        made = "" if not self.outputs else f" with {self.outputs} outputs"
        source = "" if self.source is self.operator else f" as {self.operator.name}"
        return f"{self.mode} {self.source.name}{self.text}{source}{made}".lstrip()

    def context(self) -> AbstractContextManager:
        """The mode to make the arguments and the call in."""
        return getattr(torch, self.mode)() if self.mode else nullcontext()

    def bind(self, functional: Operator | None) -> dict[str, Any]:
        """New argument values by name. `functional` tells what the outputs look like."""
        bound = self._inputs()
        if self.outputs:
            bound |= self._outputs(functional)
        return bound

    def _inputs(self) -> dict[str, Any]:
        args, kwargs = values.evaluate(self.text)
        names = {ours: theirs for theirs, ours in self.source.names_in_c.items()}
        named = {names.get(name, name): value for name, value in kwargs.items()}
        bound = dict(zip((a.name for a in self.source.schema.arguments), args)) | named
        known = {a.name for a in self.operator.schema.arguments}
        return {name: value for name, value in bound.items() if name in known}

    def _outputs(self, functional: Operator | None) -> dict[str, Any]:
        names = self.operator.out_arguments
        results: Any = None
        if functional is not None:
            try:
                inputs = replace(self, operator=functional, outputs="")._inputs()
                results = functional.overload(**reference_values(inputs))
            except Exception:  # then the outputs are guessed, and the error is the thing compared
                results = None
        if len(names) == 1:
            several = functional is not None and len(functional.schema.returns) > 1
            results = [results[0] if several and results else results]
        else:
            results = list(results or [None] * len(names))
        types = {a.name: str(a.type) for a in self.operator.schema.arguments}
        made = {}
        for name, result in zip(names, results):
            if types[name].startswith("List"):
                made[name] = [self._output(r) for r in result or [None, None]]
            else:
                made[name] = self._output(result)
        return made

    def _output(self, result: torch.Tensor | None) -> torch.Tensor:
        if not isinstance(result, torch.Tensor):
            return torch.empty(0)
        if result.layout != torch.strided or result.is_quantized or result.is_nested:
            return result.clone()
        if self.outputs == "shaped":
            return torch.zeros_like(result)
        return torch.empty(0, dtype=result.dtype, device=result.device)


def reference_values(bound: dict[str, Any]) -> dict[str, Any]:
    """The values as PyTorch's Python takes them."""
    made = (values.Generator, values.Storage, values.Stream)
    return {name: v.reference() if isinstance(v, made) else v for name, v in bound.items()}


class Cases:
    """All cases of all operators."""

    def __init__(self, operators: list[Operator], files=FILES):
        self.families = families(operators)
        self.written: dict[str, list[tuple[str, str]]] = defaultdict(list)  # argument text and mode by operator
        names = {o.name for o in operators}
        self.unknown = []
        for file in files:
            for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
                if not line or line.startswith("#"):
                    continue
                mode, name, text = values.split_case(line)
                if name in names:
                    self.written[name].append((text, mode))
                else:
                    self.unknown.append(name)

    def functional(self, operator: Operator) -> Operator | None:
        """The overload of the family that returns new tensors."""
        kinds = {o.kind: o for o in self.families[operator.family] if o is not operator}
        return kinds.get("functional") or kinds.get("in-place")

    def own(self, operator: Operator) -> list[Case]:
        return [self._case(operator, operator, *written) for written in self.written[operator.name]]

    def of_family(self, operator: Operator) -> list[Case]:
        found = []
        for other in self.families[operator.family]:
            if other is not operator and not other.out_arguments:
                found += [self._case(operator, other, *written) for written in self.written[other.name]]
        if operator.out_arguments:
            found = [replace(case, outputs="shaped" if i % 2 else "empty") for i, case in enumerate(found)]
        return found

    def from_schema(self, operator: Operator) -> Iterator[Case]:
        types = {p["name"]: p["type"] for p in operator.function["params"] if p["type"] is not None}
        for text in arguments.candidates(operator.schema, types):
            yield self._case(operator, operator, text)

    def _case(self, operator: Operator, source: Operator, text: str, mode: str = "") -> Case:
        lacks_outputs = operator.out_arguments and not re.search(rf"\b({'|'.join(operator.out_arguments)})=", text)
        return Case(operator, source, text, mode, "empty" if lacks_outputs else "")
