#!/usr/bin/env python3
"""What training and inference cost with ctorch, beside Python eager with its fastest AdamW, torch.compile, and
LibTorch's C++ frontend: Markdown.

    tests/bench/training.py                     every model and batch, with one thread and with two
    tests/bench/training.py --memory            peak memory of training steps instead
    tests/bench/training.py --compile           torch.compile among the opponents; it compiles for minutes
    tests/bench/training.py --model mlp --batch 1 --threads 1

It needs the build, with the target bench_training. The program's variants take turns, and the program with Python; the
best time of each counts. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from modules import LARGE, MALLOC, MODELS, option, run, table

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable, str(ROOT / "tests/bench/modules/python_training.py")]
OPPONENTS = ("python", "compiled", "libtorch")


def times(given: argparse.Namespace, threads: int) -> str:
    best: dict[tuple[str, ...], float] = {}
    common = option("threads", threads) + option("rounds", given.rounds) + option("batch", given.batch)
    for model in given.model or MODELS:
        for turn in range(given.turns):
            commands = [[given.program], PYTHON]
            if given.compile and turn == 0:
                commands.append([*PYTHON, "--compile"])
            for command in commands:
                for line in run([*command, *common, "--model", model]).splitlines():
                    *key, value = line.split("\t")
                    best[tuple(key)] = min(best.get(tuple(key), 1e300), float(value))
    opponents = [name for name in OPPONENTS if any(key[3] == name for key in best)]
    rows = [["model", "batch", "pass", "ctorch (µs)", *(f"to {name}" for name in opponents)]]
    for model, batch, which in dict.fromkeys(key[:3] for key in best):
        ours = best[model, batch, which, "ctorch"]
        ratios = [f"{ours / best[model, batch, which, name]:.2f}" for name in opponents]
        rows.append([model, batch, which, f"{ours:,.1f}", *ratios])
    return table(rows)


def memory(given: argparse.Namespace) -> str:
    rows = [["model", "batch", "ctorch (MiB)", "to libtorch", "to python"]]
    for model in given.model or MODELS:
        batch = given.batch or LARGE[model]
        common = ["--model", model, "--batch", str(batch)]
        commands = {name: [given.program, *common, "--memory", name] for name in ("ctorch", "libtorch")}
        commands["python"] = [*PYTHON, *common, "--memory"]
        least = {name: min(int(run(commands[name], **MALLOC)) for _ in range(given.turns)) for name in commands}
        ratios = [f"{least['ctorch'] / least[name]:.3f}" for name in ("libtorch", "python")]
        rows.append([model, str(batch), f"{least['ctorch'] / 1024:,.1f}", *ratios])
    return table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/cmake/tests/bench/bench_training"))
    parser.add_argument("--model", action="append", choices=MODELS)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--turns", type=int, default=2, help="of the program and Python")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--memory", action="store_true")
    given = parser.parse_args()
    if given.memory:
        print(memory(given))
        return
    for threads in given.threads or (1, 2):
        print(f"{threads} thread{'s' if threads > 1 else ''}\n")
        print(times(given, threads), flush=True)
        print()


if __name__ == "__main__":
    main()
