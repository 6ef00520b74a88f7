#!/usr/bin/env python3
"""What models of modules cost, beside the same by hand on operators, LibTorch's C++ modules and Python's: Markdown.

    tests/bench/modules.py                      every model, batch and pass, with one thread and with two
    tests/bench/modules.py --count              instructions by callgrind instead: batch 1, one thread
    tests/bench/modules.py --cpu                time of the processor, where others use the machine too
    tests/bench/modules.py --memory             peak memory beside Python's instead
    tests/bench/modules.py --model mlp --batch 1 --threads 1

It needs the build, with the target bench_modules. The program's variants take turns, and the program with Python; the
best time of each counts. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable, str(ROOT / "tests/bench/modules/python_models.py")]
MODELS = ("mlp", "lenet", "resnet18", "lstm", "gpt")
OPPONENTS = ("operators", "libtorch", "python")
# For memory: batches whose activations are large beside what is loaded and allocated on the way.
LARGE = {"mlp": 65536, "lenet": 4096, "resnet18": 64, "lstm": 2048, "gpt": 64}


# With a threshold that stays, glibc gives what is large back at once, and the peak is that of what is in use.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TOP_PAD_": "0"}


def run(command: list[str], **environment: str) -> str:
    given = os.environ | environment
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, env=given).stdout


def option(name: str, value) -> list[str]:
    return [] if value is None else [f"--{name}", str(value)]


def table(rows: list[list[str]]) -> str:
    head = [rows[0], ["---"] + ["---:"] * (len(rows[0]) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in head + rows[1:])


def times(program: str, given: argparse.Namespace, threads: int) -> dict[tuple[str, ...], float]:
    best: dict[tuple[str, ...], float] = {}
    common = [*(["--cpu"] if given.cpu else []), *option("threads", threads)]
    common += option("rounds", given.rounds) + option("batch", given.batch)
    for model in given.model or MODELS:
        for _ in range(given.turns):
            for command in ([program], PYTHON):
                for line in run([*command, *common, "--model", model]).splitlines():
                    *key, value = line.split("\t")
                    best[tuple(key)] = min(best.get(tuple(key), 1e300), float(value))
    return best


def counts(program: str, given: argparse.Namespace) -> dict[tuple[str, ...], float]:
    found = {}
    for model in given.model or MODELS:
        with tempfile.TemporaryDirectory() as folder:
            callgrind = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no"]
            callgrind.append(f"--callgrind-out-file={folder}/dump")
            run([*callgrind, program, "--count", "--model", model, "--batch", str(given.batch or 1)])
            for dump in Path(folder).iterdir():
                text = dump.read_text(errors="replace")
                label = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
                total = re.search(r"^summary: (\d+)", text, re.MULTILINE)
                if label and total:
                    *key, calls = label[1].split("\t")
                    found[tuple(key)] = int(total[1]) / int(calls)
    return found


def compared(found: dict[tuple[str, ...], float], unit: str) -> str:
    """A row for each model, batch and pass; how many times each opponent's figure ours is."""
    opponents = [name for name in OPPONENTS if any(key[3] == name for key in found)]
    rows = [["model", "batch", "pass", f"modules ({unit})", *(f"to {name}" for name in opponents)]]
    for model, batch, which in dict.fromkeys(key[:3] for key in found):
        ours = found[model, batch, which, "modules"]
        ratios = [f"{ours / found[model, batch, which, name]:.3f}" for name in opponents]
        rows.append([model, batch, which, f"{ours:,.1f}", *ratios])
    return table(rows)


def memory(program: str, given: argparse.Namespace) -> str:
    rows = [["model", "batch", "pass", "modules (MiB)", "to operators", "to libtorch", "to python"]]
    for model in given.model or MODELS:
        for which in ("forward", "training"):
            batch = str(given.batch or LARGE[model])
            common = ["--model", model, "--batch", batch, "--pass", which]
            commands = {name: [program, *common, "--memory", name] for name in ("modules", "operators", "libtorch")}
            commands["python"] = [*PYTHON, *common, "--memory"]
            least = {name: min(int(run(commands[name], **MALLOC)) for _ in range(given.turns)) for name in commands}
            ratios = [f"{least['modules'] / least[name]:.3f}" for name in OPPONENTS]
            rows.append([model, batch, which, f"{least['modules'] / 1024:,.1f}", *ratios])
    return table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/cmake/tests/bench/bench_modules"))
    parser.add_argument("--model", action="append", choices=MODELS)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--turns", type=int, default=2, help="of the program and Python")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--memory", action="store_true")
    given = parser.parse_args()
    if given.memory:
        print(memory(given.program, given))
    elif given.count:
        print(compared(counts(given.program, given), "instructions"))
    else:
        for threads in given.threads or (1, 2):
            print(f"{threads} thread{'s' if threads > 1 else ''}\n")
            print(compared(times(given.program, given, threads), "µs"), flush=True)
            print()


if __name__ == "__main__":
    main()
