"""Call operators through PyTorch and through ctorch and report where they differ.

    python -m tests.operators.worker PLAN RESULTS     (CTORCH_LIBRARY and CTORCH_API in the environment)

PLAN is JSON: {"operators": [names], "skip": [cases], "addresses": {name: places}}. RESULTS gets one JSON object a line:
{"case", "side"} before each call, so that a crash has a name, and {"operator", …} when an operator is done.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from tests.harness.exceptions import kind_of, same_kind
from tests.operators import capi, compare, operators, values
from tests.operators.cases import Case, Cases, reference_values

CALL_SEED = 4
SECONDS_PER_CASE = 60  # a call that takes longer hangs; the alarm ends the process and the parent tells which
ENOUGH = 2
VARIANTS = ("minimal", "explicit", "grad")


@dataclass
class Outcome:
    """One call on one side."""

    error: str | None
    error_kind: str | None
    observation: dict[str, Any] | None
    counts: Any  # reference counts of results and, before and after, of arguments
    notes: list[str] = field(default_factory=list)

    def comparable(self) -> dict[str, Any]:
        return {"error": self.error, "notes": self.notes, "observation": self.observation, "counts": self.counts}


def vary(bound: dict[str, Any], operator: operators.Operator, variant: str) -> dict[str, Any] | None:
    """The same call with optional arguments left out or spelt out, or with gradients; None if that changes nothing."""
    defaults = {a.name: a.default_value for a in operator.schema.arguments if a.has_default_value()}
    if variant == "minimal":
        kept = {n: v for n, v in bound.items() if n not in defaults}
        return kept if len(kept) < len(bound) else None
    if variant == "explicit":
        full = {n: v for n, v in defaults.items() if n not in bound} | bound
        return full if len(full) > len(bound) else None
    if operator.out_arguments:
        return None
    leaves = [t for t in compare._tensors(list(bound.values())) if t.is_leaf]
    leaves = [t for t in leaves if t.is_floating_point() or t.is_complex()]
    if not leaves:
        return None
    for leaf in leaves:
        leaf.requires_grad_()
    return bound


class Side:
    """One way to call an operator."""

    name: str

    def call(self, operator: operators.Operator, bound: dict[str, Any]) -> list[Any]:
        """The results, without those that are arguments."""
        raise NotImplementedError

    def prepare(self, bound: dict[str, Any]) -> dict[str, Any]:
        return bound

    def observe(self, operator: operators.Operator, bound: dict[str, Any], addresses: list[str]) -> Outcome:
        bound = self.prepare(bound)
        before = compare.reference_counts(bound)
        torch.manual_seed(CALL_SEED)
        self.notes: list[str] = []
        try:
            results = self.call(operator, bound)
        except Exception as error:  # the error is the outcome
            message, kind = str(error), kind_of(error)
            del error
            left = compare.observe([], bound, addresses)
            return Outcome(message, kind, left, [before, compare.reference_counts(bound)], self.notes)
        counts = [before, compare.reference_counts(results), compare.reference_counts(bound)]
        observation = compare.observe(results, bound, addresses)
        del results
        return Outcome(None, None, observation, counts + [compare.reference_counts(bound)], self.notes)


class PyTorch(Side):
    name = "PyTorch"

    def prepare(self, bound):
        return reference_values(bound)

    def call(self, operator, bound):
        returned = operator.overload(**bound)
        if len(operator.schema.returns) == 1:
            returned = (returned,)
        results = []
        for result, position in zip(returned or (), operator.returned_arguments):
            if position is None:
                results.append(result)
            elif not _is_argument(result, bound[operator.schema.arguments[position].name]):
                self.notes.append("PyTorch returned another tensor than the argument that the schema names")
        return results


class Ctorch(Side):
    name = "ctorch"

    def __init__(self, library: capi.Library):
        self.library = library

    def call(self, operator, bound):
        names = operator.names_in_c
        return self.library.call(operator.function, {names.get(name, name): value for name, value in bound.items()})


def _is_argument(result: Any, argument: Any) -> bool:
    if isinstance(result, list | tuple):
        return len(result) == len(argument) and all(a is b for a, b in zip(result, argument))
    return result is argument


class Worker:
    def __init__(self, plan: dict[str, Any], results_path: str):
        api = os.environ["CTORCH_API"]
        library = capi.Library(os.environ["CTORCH_LIBRARY"], api)
        self.operators = operators.load(api)
        self.cases = Cases(self.operators)
        self.library = library
        self.sides = (PyTorch(), Ctorch(library))
        self.plan = plan
        self.skip = set(plan["skip"])
        self.results = os.open(results_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, record: dict[str, Any]) -> None:
        os.write(self.results, (json.dumps(record) + "\n").encode())

    def run(self) -> None:
        wanted = set(self.plan["operators"])
        for operator in self.operators:
            if operator.name in wanted:
                report = self.run_operator(operator)
                report["live handles"] = self.library.ctorch_debug_live_handles()  # none is held between operators
                self.write(report)

    def run_operator(self, operator: operators.Operator) -> dict[str, Any]:
        report = {"operator": operator.name, "calls": 0, "successes": 0, "errors": [], "differences": [], "passed": []}
        first = None
        for case in itertools.chain(self.cases.own(operator), self.more(operator, report)):
            if self.run_case(case, "", report) and first is None:
                first = case
        for variant in VARIANTS if first is not None else ():
            self.run_case(first, variant, report)
        report["errors"] = report["errors"][:3] if not report["successes"] else []
        return report

    def more(self, operator: operators.Operator, report: dict[str, Any]) -> Iterator[Case]:
        for case in self.cases.of_family(operator):
            if report["successes"] >= ENOUGH:
                return
            yield case
        if not report["calls"]:  # an operator that is new in this LibTorch
            yield from itertools.islice(self.cases.from_schema(operator), 1)

    def run_case(self, case: Case, variant: str, report: dict[str, Any]) -> bool:
        """Whether PyTorch's own call succeeded."""
        label = f"{case} {variant}".strip()
        if label in self.skip:
            return False
        addresses = self.plan["addresses"].get(case.operator.name, [])
        outcomes = []
        for side in self.sides:
            self.write({"case": label, "operator": case.operator.name, "side": side.name})
            signal.alarm(SECONDS_PER_CASE)
            try:
                with case.context():
                    bound = self.bind(case, variant)
                    if bound is not None:
                        outcomes.append(side.observe(case.operator, bound, addresses))
            finally:
                signal.alarm(0)
            if bound is None:
                return False
        report["calls"] += 1
        reference, ours = outcomes
        found = compare.difference(ours.comparable(), reference.comparable())
        if not found and not same_kind(ours.error_kind, reference.error_kind):
            found = f"kind of error: ctorch {ours.error_kind}, PyTorch {reference.error_kind}: {reference.error}"
        if found:
            report["differences"].append(f"{label}: {found}")
        if reference.error is None:
            report["successes"] += 1
            if not variant:
                report["passed"].append(label)
        else:
            report["errors"].append(f"{label}: {reference.error_kind}: {reference.error[:300]}")
        return reference.error is None

    def bind(self, case: Case, variant: str) -> dict[str, Any] | None:
        bound = case.bind(self.cases.functional(case.operator))
        defaults = {a.name: a.default_value for a in case.operator.schema.arguments if a.has_default_value()}
        # None instead of a default that is not None cannot be said in C (ctorch.h, rule 6).
        bound = {n: v for n, v in bound.items() if v is not None or defaults.get(n) is None}
        return bound if not variant else vary(bound, case.operator, variant)


def main(worker: type[Worker] = Worker) -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch._C._enter_dual_level()  # level 0, for the operators that make forward-mode duals
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    assert values.SEED != CALL_SEED
    worker(plan, sys.argv[2]).run()


if __name__ == "__main__":
    main()
