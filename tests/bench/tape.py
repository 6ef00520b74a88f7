#!/usr/bin/env python3
"""What a replayed step of a small model costs, beside calls of `at::` in C++, ctorch by hand, Python eager,
torch.compile and AOTInductor from C++: Markdown.

    tests/bench/tape.py                         every model, but for what has to be compiled
    tests/bench/tape.py --compile               torch.compile and AOTInductor too; they compile for minutes
    tests/bench/tape.py --model mlp             one of them
    tests/bench/tape.py --text --model mlp      the steps of its tapes, and which share of the time is whose

It needs the build, with the target bench_tape, which checks first that all its variants compute the same. They take
turns, and the program with Python; the best time of each counts. One thread. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from modules import option, run, table

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable, str(ROOT / "tests/bench/tape/python_steps.py")]
INFERENCE = ("mlp", "gru", "gpt", "lenet", "large gpt")
TRAINING = ("train mlp 1", "train mlp 32", "train lenet 1", "train lenet 32", "dqn 1", "dqn 32")
VARIANTS = ("python", "compiled", "aoti", "direct", "ctorch", "tape", "fast")

Times = dict[tuple[str, str], float]


def export(model: str, folder: str) -> None:
    """A package of AOTInductor, if there is what it needs."""
    made = subprocess.run([*PYTHON, "--export", folder, "--model", model], text=True, capture_output=True)
    if made.returncode != 0:
        reason = (made.stderr.strip().splitlines() or ["?"])[-1]
        print(f"no AOTInductor for {model}: {reason}", file=sys.stderr)


def times(given: argparse.Namespace, model: str, folder: str) -> Times:
    best: Times = {}
    common = [*option("rounds", given.rounds), "--model", model]
    for turn in range(given.turns):
        commands = [[given.program, "--packages", folder], PYTHON]
        if given.compile and turn == 0:
            commands.append([*PYTHON, "--compile"])
        for command in commands:
            for line in run([*command, *common]).splitlines():
                name, variant, value = line.split("\t")
                best[name, variant] = min(best.get((name, variant), 1e300), float(value))
    return best


def report(best: Times) -> str:
    """Microseconds, and how many times faster than direct calls tapes are."""
    variants = [variant for variant in VARIANTS if any(key[1] == variant for key in best)]
    rows = [["model", *(f"{variant} (µs)" for variant in variants), "direct/tape", "direct/fast", "fast/python"]]
    for model in dict.fromkeys(key[0] for key in best):
        direct, python = best[model, "direct"], best[model, "python"]
        tape, fast = best[model, "tape"], best[model, "fast"]
        figures = [f"{best[model, v]:,.1f}" if (model, v) in best else "" for v in variants]
        rows.append([model, *figures, f"{direct / tape:.2f}", f"{direct / fast:.2f}", f"{fast / python:.3f}"])
    return table(rows)


def goals(best: Times) -> str:
    """Which of them are met."""
    asked = [
        ("inference", INFERENCE[:4], 1.8, 2.5),
        ("training at batch 1", ("train mlp 1", "train lenet 1"), 3.5, 5.5),
    ]
    lines = []
    for what, models, tape, fast in asked:
        for model in models:
            if (model, "direct") not in best:
                continue
            ratios = [best[model, "direct"] / best[model, variant] for variant in ("tape", "fast")]
            words = [
                f"{name} {ratio:.2f} of {goal} ({'met' if ratio >= goal else 'missed'})"
                for name, ratio, goal in zip(("tape", "fast"), ratios, (tape, fast), strict=True)
            ]
            if what != "inference":
                part = best[model, "fast"] / best[model, "python"]
                words.append(f"{part:.3f} of Python's time, at most 0.08 ({'met' if part <= 0.08 else 'missed'})")
            lines.append(f"- {what}, {model}: {', '.join(words)}")
    slower = sorted(
        {
            model
            for model, variant in best
            if variant in ("tape", "fast") and best[model, variant] > best[model, "direct"]
        }
    )
    lines.append(f"- slower than direct calls: {', '.join(slower) or 'none'}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/cmake/tests/bench/bench_tape"))
    parser.add_argument("--model", action="append", choices=INFERENCE + TRAINING)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--turns", type=int, default=2, help="of the program and Python")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--text", action="store_true")
    given = parser.parse_args()
    best: Times = {}
    with tempfile.TemporaryDirectory() as folder:
        for model in given.model or INFERENCE + TRAINING:
            if given.text:
                print(run([given.program, "--text", "--model", model]))
                continue
            if given.compile and model in INFERENCE:
                export(model, folder)
            best |= times(given, model, folder)
    if not given.text:
        print(f"{report(best)}\n\n{goals(best)}")


if __name__ == "__main__":
    main()
