"""Capture the operators of tests/operators one by one, replay them with other values, and call them directly as well.

python -m tests.tape.worker PLAN RESULTS     as tests.operators.worker

TAPE_CASES tells how many cases of each operator are enough, TAPE_VERIFY=1 verifies all replays and not every third.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
from collections import Counter
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

from tests.operators import cases, compare, operators, values, worker
from tests.tape.capi import CtorchError, Tape, same

SEEDS = (values.SEED, 21, 22)  # of the captured values, and of those of each replay
CASES = int(os.environ.get("TAPE_CASES", "1"))
VERIFY = os.environ.get("TAPE_VERIFY") == "1"
# Results that are memory as it was found, or what is left over in a part of them.
UNSET = re.compile(r"(new_)?empty(_|$|\.)|empty_\w+|_empty_affine|_efficientzerotensor")

# What LibTorch gives the memory of another size before it reduces to it.
RESIZES = re.compile(r"\w+_loss\.out|binary_cross_entropy\.out")


def tensors_of(tree: Any) -> list[torch.Tensor]:
    """Each tensor once."""
    return list({id(t): t for t in tree_leaves(tree) if isinstance(t, torch.Tensor)}.values())


def is_plain(t: torch.Tensor) -> bool:
    return t.layout == torch.strided and t.device.type == "cpu" and not t.is_quantized and not t.is_nested


def is_input(t: torch.Tensor) -> bool:
    """Whether a tape takes it: the elements of an expanded tensor are one."""
    return is_plain(t) and not any(stride == 0 and size > 1 for size, stride in zip(t.shape, t.stride()))


def reason_of(message: str) -> str:
    """A refusal without the operator, its call and its argument."""
    message = message.removeprefix("the step cannot be replayed: ").removesuffix(" (see docs/tapes.md)")
    message = re.sub(r"aten::\S+ (\(call \d+\) )?", "", message)
    message = re.sub(r"(argument|result) '?\w+'? of \S+ \(call \d+\)", r"\1", message)
    return re.sub(r"argument '\w+'", "argument", message)


class Step:
    """A case with the values of each seed, as one side calls it: what is no input is the same in all its calls."""

    def __init__(self, case: cases.Case, bounds: list[dict[str, Any]]):
        self.bounds = bounds
        self.kept = tree_flatten(bounds[0])
        # what the first call gives another size is no input
        outs = case.operator.out_arguments if case.outputs == "empty" else ()
        resized = {id(t) for name in outs for t in tensors_of(bounds[0][name])}
        self.places = [
            i
            for i, leaf in enumerate(self.kept[0])
            if isinstance(leaf, torch.Tensor) and is_input(leaf) and id(leaf) not in resized
        ]

    def bound(self, i: int) -> dict[str, Any]:
        leaves = list(self.kept[0])
        others = tree_leaves(self.bounds[i])
        for place in self.places:
            leaves[place] = others[place]
        return tree_unflatten(leaves, self.kept[1])

    def inputs(self, i: int) -> list[torch.Tensor]:
        leaves = tree_leaves(self.bounds[i])
        return [leaves[place] for place in self.places]

    def constants(self) -> list[torch.Tensor]:
        return [t for i, t in enumerate(self.kept[0]) if isinstance(t, torch.Tensor) and i not in self.places]


class Worker(worker.Worker):
    def run_operator(self, operator: operators.Operator) -> dict[str, Any]:
        report: dict[str, Any] = {"operator": operator.name, "kind": operator.kind, "cases": 0, "replayed": 0}
        report |= {"ways": Counter(), "reasons": Counter(), "differences": []}
        found = itertools.chain(self.cases.own(operator), self.cases.of_family(operator))
        for case in found:
            if report["cases"] >= CASES:
                break
            if str(case) in self.skip:
                continue
            signal.alarm(worker.SECONDS_PER_CASE)
            try:
                with case.context():
                    self.run_step(case, report)
            finally:
                signal.alarm(0)
        return report

    def step(self, case: cases.Case) -> Step:
        bounds = []
        for seed in SEEDS:
            values.SEED = seed
            bounds.append(cases.reference_values(self.bind(case, "")))
        values.SEED = SEEDS[0]
        return Step(case, bounds)

    def run_step(self, case: cases.Case, report: dict[str, Any]) -> None:
        self.write({"case": str(case), "operator": case.operator.name, "side": "PyTorch"})
        try:
            self.call(case, self.step(case), 0)
        except Exception:  # what PyTorch does not accept
            return
        self.write({"case": str(case), "operator": case.operator.name, "side": "ctorch"})
        report["cases"] += 1
        if self.replays(case, report, False) and self.replays(case, report, True):
            report["replayed"] += 1

    def call(self, case: cases.Case, step: Step, i: int) -> Any:
        if i == 0:
            torch.manual_seed(worker.CALL_SEED)
        return case.operator.overload(**step.bound(i))

    def replays(self, case: cases.Case, report: dict[str, Any], is_inner: bool) -> bool:
        """Whether it can be replayed. Results are outputs of the tape, or what the step used to make them."""
        theirs, ours = self.step(case), self.step(case)
        self.call(case, theirs, 0)
        verify = (VERIFY or report["cases"] % 3 == 0) and not UNSET.match(case.operator.name)
        try:
            tape = Tape(*ours.inputs(0), verify=verify)
            made = [t for t in tensors_of(self.call(case, ours, 0)) if is_plain(t)]
            if is_inner:
                made = [t.clone() for t in made if t.numel() * t.element_size() <= compare.LARGEST]
            places = tape.end(*made)
            del made
        except CtorchError as error:
            report["reasons"][reason_of(f"{error.kind}: {error.message}".removeprefix("UNSUPPORTED: "))] += 1
            return False
        for i in range(1, len(SEEDS)):
            state = torch.get_rng_state()
            expected = failure = None
            try:
                expected = self.call(case, theirs, i)
            except Exception as error:
                failure = str(error)
            drawn = torch.get_rng_state()
            torch.set_rng_state(state)
            try:
                tape.replay(*ours.inputs(i))
            except CtorchError as error:
                if "resize storage that is not resizable" in error.message and RESIZES.match(case.operator.name):
                    report["reasons"]["resizes its out on the way"] += 1
                    return False
                if failure is None:
                    report["differences"].append(f"{case}: {error}")
                continue
            if failure is not None:
                report["differences"].append(f"{case}: PyTorch refuses what is replayed: {failure}")
                continue
            if not torch.equal(torch.get_rng_state(), drawn):
                report["differences"].append(f"{case}: other random numbers are drawn")
            if not UNSET.match(case.operator.name):
                results = [t for t in tensors_of(expected) if is_plain(t)]
                if is_inner:
                    results = [t for t in results if t.numel() * t.element_size() <= compare.LARGEST]
                self.compare(case, report, "result", places, results)
                self.compare(case, report, "input", ours.inputs(i), theirs.inputs(i))
                self.compare(case, report, "constant", ours.constants(), theirs.constants())
        if not is_inner:
            report["ways"].update(way for _, way in tape.steps())
        return True

    def compare(self, case: cases.Case, report: dict[str, Any], what: str, found: Any, expected: Any) -> None:
        for k, (a, b) in enumerate(zip(found, expected, strict=True)):
            if is_plain(a) and b.numel() * b.element_size() <= compare.LARGEST and not same(a, b):
                report["differences"].append(f"{case}: {what} {k} is {a.tolist()}, not {b.tolist()}"[:600])


if __name__ == "__main__":
    worker.main(Worker)
