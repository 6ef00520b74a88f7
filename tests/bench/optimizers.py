#!/usr/bin/env python3
"""What a step of an optimizer costs, beside Python's with fused=True, with foreach=True and with neither: Markdown.

    tests/bench/optimizers.py                        every optimizer over 50 tensors, one thread and two
    tests/bench/optimizers.py --name AdamW --elements 64

It needs the build, with the target bench_optimizers. The programs take turns; the best time of each counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable, str(ROOT / "tests/bench/optimizers/python_steps.py")]
FUSED = ("AdamW", "Adam", "SGD", "Adagrad")
OTHERS = ("Adamax", "NAdam", "RAdam", "Adadelta", "ASGD", "RMSprop", "Rprop", "Adafactor")


def measured(command: list[str], *given: object) -> float:
    out = subprocess.run([*command, *map(str, given)], check=True, text=True, stdout=subprocess.PIPE).stdout
    return float(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/cmake/tests/bench/bench_optimizers"))
    parser.add_argument("--name", action="append", choices=(*FUSED, *OTHERS))
    parser.add_argument("--tensors", type=int, default=50)
    parser.add_argument("--elements", type=int, action="append")
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--turns", type=int, default=3, help="of the programs")
    given = parser.parse_args()
    print("| optimizer | elements | threads | ctorch (µs) | to fused | to foreach | to Python's default |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for threads in given.threads or (1, 2):
        for elements in given.elements or (64, 4096):
            for name in given.name or (*FUSED, *OTHERS):
                common = [name, given.tensors, elements, given.rounds, threads]
                ways = {"fused": ["fused"], "foreach": ["foreach"], "default": []}
                if name not in FUSED:
                    del ways["fused"]
                ours, theirs = 1e300, dict.fromkeys(ways, 1e300)
                for _ in range(given.turns):
                    ours = min(ours, measured([given.program], *common))
                    for way, flags in ways.items():
                        theirs[way] = min(theirs[way], measured(PYTHON, *common, *flags))
                ratios = [
                    f"{ours / theirs[way]:.2f}" if way in theirs else "" for way in ("fused", "foreach", "default")
                ]
                print(f"| {name} | {elements} | {threads} | {ours:.1f} | {' | '.join(ratios)} |", flush=True)


if __name__ == "__main__":
    main()
