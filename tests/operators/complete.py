"""Find arguments by trial for the overloads that no other case reaches: writes generated/from_schema.txt.

    python -m parity.complete    (in tests/, with CTORCH_API in the environment)

To be repeated after harvest.py and after a change of cases.txt. It runs PyTorch alone, each overload in a process of
its own, since guessed arguments can crash it. An overload that no guess satisfies gets the first guess that is refused
with an error, so that the refusal can be compared.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.operators import operators  # noqa: E402
from tests.operators.cases import FILES, HERE, Case, Cases, reference_values  # noqa: E402

OUTPUT = HERE / "generated" / "from_schema.txt"
SECONDS = 20
ENOUGH = 2


def attempt(cases: Cases, case: Case) -> str:
    """ "ok", or the text of the error."""
    signal.alarm(SECONDS)
    try:
        with case.context():
            bound = case.bind(cases.functional(case.operator))
            case.operator.overload(**reference_values(bound))
    except Exception as error:
        return (str(error).splitlines() or ["error"])[0]
    return "ok"


def explore(cases: Cases, operator: operators.Operator, start: int, write: int) -> None:
    """Try the cases from `start` on, a line before and after each, so that the parent can tell where it crashed."""
    known = cases.own(operator) + cases.of_family(operator)
    reached = 0
    for number, case in enumerate(known + list(cases.from_schema(operator))):
        if number < start:
            continue
        if reached >= (1 if number < len(known) else ENOUGH):
            return
        os.write(write, f"try\t{number}\n".encode())
        outcome = attempt(cases, case)
        guessed = "guess" if number >= len(known) else "known"
        os.write(write, f"{'ok' if outcome == 'ok' else 'no'}\t{guessed}\t{case.text}\t{outcome}\n".encode())
        reached += outcome == "ok"
        if reached and guessed == "known":
            return


def explore_apart(cases: Cases, operator: operators.Operator) -> list[list[str]]:
    found: list[list[str]] = []
    start = 0
    while True:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            explore(cases, operator, start, write)
            os._exit(0)
        os.close(write)
        with os.fdopen(read, encoding="utf-8") as pipe:
            lines = [line.rstrip("\n").split("\t") for line in pipe]
        status = os.waitpid(child, 0)[1]
        found += [line for line in lines if line[0] != "try"]
        if status == 0:
            return found
        start = int([line for line in lines if line[0] == "try"][-1][1]) + 1


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    everything = operators.load(os.environ["CTORCH_API"])
    cases = Cases(everything, [f for f in FILES if f != OUTPUT])
    kept, unreached = [], []
    for operator in everything:
        outcomes = explore_apart(cases, operator)
        good = [line for line in outcomes if line[0] == "ok"]
        kept += [operator.name + line[2] for line in good if line[1] == "guess"]
        if not good:
            unreached.append(operator.name)
            refused = [line for line in outcomes if line[1] == "known"] or outcomes
            kept += [operator.name + line[2] for line in refused[:1] if line[1] == "guess"]
            print(operator.name, refused[0][2:] if refused else "only crashes", sep="\t")
    header = "# Found by complete.py. Overloads that nothing reached have one case, which PyTorch refuses.\n"
    OUTPUT.write_text(header + "".join(line + "\n" for line in kept), encoding="utf-8")
    print(f"{len(everything)} operators, {len(unreached)} not reached, {len(kept)} cases written", file=sys.stderr)


if __name__ == "__main__":
    main()
