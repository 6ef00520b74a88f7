"""The operators of tests/operators once more, called by ctorch_op_call: PyTorch's own call beside each, bit for bit.

python -m tests.harness.boxed PLAN RESULTS     as tests.operators.worker, which it is but for the way ctorch is called
"""

from __future__ import annotations

import itertools
from typing import Any

import torch

from tests.harness.capi import CtorchError
from tests.harness.values import call, find, value
from tests.operators import capi, operators, worker


class Boxed(worker.Side):
    name = "ctorch"

    def call(self, operator: operators.Operator, bound: dict[str, Any]) -> list[Any]:
        types = {a.name: str(a.real_type) for a in operator.schema.arguments}
        failure = None  # raised without a context, whose frames would keep the arguments
        try:
            result = call(find("aten::" + operator.name), **{n: _value(v, types[n]) for n, v in bound.items()})
        except CtorchError as error:
            failure = capi.CtorchError(error.kind, error.message)
        if failure is not None:
            raise failure
        results = (result,) if len(operator.schema.returns) == 1 else result or ()
        left = []
        for item, position in zip(results, operator.returned_arguments, strict=True):
            if position is None:
                left.append(item)
            elif not worker._is_argument(item, bound[operator.schema.arguments[position].name]):
                self.notes.append("ctorch returned another tensor than the argument that the schema names")
        return left


def _value(item: Any, schema_type: str) -> Any:
    if isinstance(item, str) and "Device" in schema_type:
        return value(torch.device(item))
    if isinstance(item, torch.qscheme):
        return value({number: scheme for scheme, number in capi.QSCHEMES.items()}[item])
    return value(item)


class Worker(worker.Worker):
    def __init__(self, plan: dict[str, Any], results_path: str):
        super().__init__(plan, results_path)
        self.sides = (worker.PyTorch(), Boxed())

    def run_operator(self, operator: operators.Operator) -> dict[str, Any]:
        """Cases up to the first that PyTorch accepts."""
        report = {"operator": operator.name, "calls": 0, "successes": 0, "errors": [], "differences": [], "passed": []}
        for case in itertools.chain(self.cases.own(operator), self.cases.of_family(operator)):
            if self.run_case(case, "", report):
                break
        report["errors"] = report["errors"][:1] if not report["successes"] else []
        return report


if __name__ == "__main__":
    worker.main(Worker)
