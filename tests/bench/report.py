"""Runs the benchmark programs and prints what ctorch costs, each figure beside its opponent.

    report.py --programs FOLDER --library libctorch.so --torch FOLDER [--rounds N] [--only TEXT] [--no-count]

Two runs of bench_calls: one by the clock, one under callgrind, which counts instructions exactly. No figure makes it
fail; judging them is the reader's part.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Valgrind knows no AVX-512, and a thread pool would make its counts depend on the scheduler.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

# Group -> what "direct" is, and the name of a second opponent and what it is.
OPPONENTS = {
    "operators": ("at::_ops called directly, result destroyed", "heap", "a heap-allocated at::Tensor per handle"),
    "boxed": ("at::_ops called directly, result destroyed", "callBoxed", "LibTorch's boxed call on a reused stack"),
    "accessors": ("TensorImpl's own member, inlined", "heap", "a heap-allocated at::Tensor per handle"),
    "errors": ("C++ catch and what_without_backtrace()", "heap", "catch and what(), as most bindings do"),
    "scopes": ("the same without a scope", None, None),
    "dlpack": ("LibTorch's at::toDLPackVersioned, at::fromDLPackVersioned and so on", None, None),
}


def run(command: list, **keywords) -> str:
    environment = os.environ | ENVIRONMENT
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, env=environment, **keywords).stdout


def measured_nanoseconds(program: Path, rounds: int, only: str) -> dict:
    """(group, case, variant) -> ns per call."""
    lines = run([program, "--rounds", str(rounds), "--only", only]).splitlines()
    return {tuple(line.split("\t")[:3]): float(line.split("\t")[3]) for line in lines}


def counted_instructions(program: Path, only: str) -> dict:
    """(group, case, variant) -> instructions per call; empty without valgrind."""
    if shutil.which("valgrind") is None:
        print("no valgrind: instructions are not counted", file=sys.stderr)
        return {}
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no"]
        try:
            run([*valgrind, f"--callgrind-out-file={folder}/dump", program, "--count", "--only", only])
        except subprocess.CalledProcessError as error:
            print(f"instructions are not counted: {error}", file=sys.stderr)
            return {}
        for dump in Path(folder).iterdir():
            text = dump.read_text(errors="replace")
            label = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
            total = re.search(r"^summary: (\d+)", text, re.MULTILINE)
            if label and total:
                group, case, variant, calls = label[1].split("\t")
                counts[group, case, variant] = int(total[1]) / int(calls)
    return counts


def columns(rows: list) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def added(values: dict, key: tuple, variant: str) -> float | None:
    ours, theirs = values.get((*key, variant)), values.get((*key, "direct"))
    return None if ours is None or theirs is None else ours - theirs


def ratio(values: dict, key: tuple, variant: str) -> float | None:
    ours, theirs = values.get((*key, variant)), values.get((*key, "direct"))
    return None if not ours or not theirs else ours / theirs


def table(group: str, nanoseconds: dict, counts: dict) -> str:
    direct, other, other_text = OPPONENTS[group]
    heading = ["case", "direct ns", "ctorch ns", "ratio", "direct instr.", "ctorch instr.", "added", "instr. ratio"]
    if other:
        heading += [f"{other} ns", "ratio", "added"]
    rows = [heading]
    for key in dict.fromkeys(key[:2] for key in nanoseconds if key[0] == group):
        row = [key[1]]
        row += [number(nanoseconds.get((*key, variant))) for variant in ("direct", "ctorch")]
        row += [number(ratio(nanoseconds, key, "ctorch"), 3)]
        row += [number(counts.get((*key, variant)), 0) for variant in ("direct", "ctorch")]
        row += [number(added(counts, key, "ctorch"), 0), number(ratio(counts, key, "ctorch"), 4)]
        if other:
            row += [number(nanoseconds.get((*key, other)))]
            row += [number(ratio(nanoseconds, key, other), 3), number(added(counts, key, other), 0)]
        rows.append(row)
    legend = f"direct: {direct}" + (f"; {other}: {other_text}" if other else "")
    return f"{group} ({legend})\n\n{columns(rows)}\n" if len(rows) > 1 else ""


def library_size(library: Path, torch: Path) -> str:
    sections = {}
    for name in ("libctorch", "libtorch_cpu"):
        path = library if name == "libctorch" else torch / "libtorch_cpu.so"
        with tempfile.TemporaryDirectory() as folder:
            stripped = Path(folder) / "stripped.so"
            if name == "libctorch" and shutil.which("strip"):
                run(["strip", "-o", stripped, path])
            sections[name] = (path.stat().st_size, stripped.stat().st_size if stripped.exists() else None)
    ours, theirs = sections["libctorch"], sections["libtorch_cpu"]
    rows = [["library", "bytes", "stripped"]]
    rows += [["libctorch.so", number(ours[0], 0), number(ours[1], 0)], ["libtorch_cpu.so", number(theirs[0], 0), "-"]]
    return f"size ({100 * ours[0] / theirs[0]:.2f} % of libtorch_cpu)\n\n{columns(rows)}\n"


def load_time(program: Path, library: Path, torch: Path, times: int = 10) -> str:
    """The best of several processes: the first one may have to read the files."""
    best = {}
    for _ in range(times):
        for line in run([program, torch / "libtorch.so", library]).splitlines():
            path, microseconds = line.split("\t")
            best[path] = min(best.get(path, float("inf")), float(microseconds))
    rows = [["library", "ms"]] + [[Path(path).name, number(value / 1000, 2)] for path, value in best.items()]
    return (
        f"load time (dlopen, best of {times} processes; libctorch when LibTorch is loaded already)\n\n{columns(rows)}\n"
    )


# What Python users pay for the same: best of 20 rounds, ns per call.
PYTHON = """
import timeit, torch
x = torch.ones(2, 3, 4)
timers = {
    "Tensor.__dlpack__, capsule dropped": lambda: x.__dlpack__(max_version=(1, 3)),
    "torch.from_dlpack(Tensor)": lambda: torch.from_dlpack(x),
}
for name, timer in timers.items():
    print(name, min(timeit.repeat(timer, number=2000, repeat=20)) / 2000 * 1e9, sep="\\t")
"""


def python_exchange() -> str:
    """The table of PYTHON; empty without a Python torch."""
    result = subprocess.run(
        [sys.executable, "-c", PYTHON], text=True, capture_output=True, env=os.environ | ENVIRONMENT
    )
    if result.returncode != 0:
        return ""
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    return f"dlpack in Python\n\n{columns([['case', 'ns']] + [[name, number(float(ns))] for name, ns in lines])}\n"


# The chain of bench_scopes, written in Python: it drops the old tensor at once.
PYTHON_CHAIN = """
import sys, time, torch
torch.set_num_threads(1)
torch.set_grad_enabled(False)
for size in map(int, sys.argv[2:]):
    ones, times, best = torch.ones(size), 50 if size < 100000 else 1, 1e300
    for _ in range(int(sys.argv[1])):
        begin = time.perf_counter_ns()
        for _ in range(times):
            x = ones
            for _ in range(20):
                x = torch.relu(x)
        best = min(best, (time.perf_counter_ns() - begin) / times / 20)
    print("python", size, best, sep="\\t")
"""


def scopes(program: Path, rounds: int = 5) -> str:
    """Large scopes, and chains beside Python's: the two programs by turns, the best of each."""
    best: dict[tuple[str, str], float] = {}

    def take(text: str) -> None:
        for line in text.splitlines():
            kind, case, ns = line.split("\t")
            best[kind, case] = min(best.get((kind, case), float("inf")), float(ns))

    for _ in range(rounds):
        take(run([program, "20"]))
        sizes = [case for kind, case in best if kind == "replaced"]
        python = subprocess.run(
            [sys.executable, "-c", PYTHON_CHAIN, "20", *sizes],
            text=True,
            capture_output=True,
            env=os.environ | ENVIRONMENT,
        )
        take(python.stdout if python.returncode == 0 else "")
    chains = [["floats", "Python ns", "CTORCH_REPLACE ns", "ratio", "kept in the scope ns", "ratio"]]
    for case in sizes:
        opponent = best.get(("python", case))
        row = [f"{int(case):,}", number(opponent)]
        for kind in ("replaced", "kept"):
            row += [number(best[kind, case]), number(best[kind, case] / opponent if opponent else None, 3)]
        chains.append(row)
    many = [["of 40,000", "ms"]] + [[case, number(ns / 1e6, 2)] for (kind, case), ns in best.items() if kind == "many"]
    return (
        f"chains of 20 relu that overwrite their variable, in a scope (per operator)\n\n{columns(chains)}\n\n"
        f"large scopes\n\n{columns(many)}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--programs", type=Path, required=True, help="folder of bench_calls, bench_load and bench_scopes"
    )
    parser.add_argument("--library", type=Path, required=True, help="libctorch.so")
    parser.add_argument("--torch", type=Path, required=True, help="folder of libtorch_cpu.so")
    parser.add_argument("--rounds", type=int, default=300, help="rounds by the clock; the best counts")
    parser.add_argument("--only", default="", help="cases whose name contains this text")
    parser.add_argument("--no-count", action="store_true", help="leave callgrind out")
    options = parser.parse_args()

    calls = options.programs / "bench_calls"
    nanoseconds = measured_nanoseconds(calls, options.rounds, options.only)
    counts = {} if options.no_count else counted_instructions(calls, options.only)
    for group in OPPONENTS:
        text = table(group, nanoseconds, counts)
        if text:
            print(text)
    if not options.only or options.only == "scopes":
        print(scopes(options.programs / "bench_scopes"))
    if not options.only:
        print(python_exchange())
        print(library_size(options.library.resolve(), options.torch))
        print(load_time(options.programs / "bench_load", options.library.resolve(), options.torch))


if __name__ == "__main__":
    main()
