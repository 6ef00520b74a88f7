"""The slow runs: which there are, when each was last run, and which is due.

    slow.py list              each run with its last line in .ci/slow.log, and whether it is due
    slow.py due SECONDS       the name of the run that is due longest and fits into SECONDS, if there is one
    slow.py record NAME MINUTES   add a line to .ci/slow.log for the commit that is checked out
    slow.py names             all names
    slow.py turn              a number that the commit decides, for tests that take turns (tests/conftest.py)

A run is due when a file that it tests has changed since the commit of its last line. tests/run --slow NAME does a run.
"""

from __future__ import annotations

import argparse
import datetime
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.gate.rooms import matches  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LOG = ROOT / ".ci/slow.log"
LIBRARY = ("shim/**", "include/**", "CMakeLists.txt")
C_TESTS = (*LIBRARY, "bindings-gen/schema/**", "tests/*/*.c", "tests/*/*.h", "tests/*/*.cpp", "tests/sanitizers/*")


@dataclass(frozen=True)
class Run:
    name: str
    files: tuple[str, ...]  # what it tests, as globs
    minutes: int  # on two quiet cores, where the log does not say


VERSIONS = ("2.6", "2.7", "2.8", "2.9", "2.10", "2.11", "2.12", "2.14", "2.15")
RUNS = (
    Run("sanitize", C_TESTS, 20),
    Run("race", C_TESTS, 25),
    Run("valgrind", C_TESTS, 60),
    Run("analyze", ("shim/**", ".clang-tidy"), 12),
    Run("tidy", ("shim/**", ".clang-tidy"), 15),
    Run("fuzz", (*LIBRARY, "tests/fuzz/**"), 25),
    Run("browser", ("shim/tensorboard/*", "shim/cli/*", "tests/tensorboard/*"), 2),
    Run("tests", ("tests/**", "bindings-gen/**", *LIBRARY), 40),
    *(
        Run(
            f"versions-{v}",
            ("shim/core/**", "shim/libtorch.cmake", "bindings-gen/ctorchgen/**", "tests/platforms/*"),
            20,
        )
        for v in VERSIONS
    ),
)


@dataclass(frozen=True)
class Line:
    date: str
    commit: str
    minutes: int


def git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)


def short_commit() -> str:
    return git("rev-parse", "--short=7", "HEAD").stdout.strip()


def read_log(log: Path = LOG) -> dict[str, Line]:
    """The last line of each run: `name date commit minutes`."""
    lines = {}
    for text in log.read_text().splitlines() if log.exists() else []:
        if text and not text.startswith("#"):
            name, date, commit, minutes = text.split()
            lines[name] = Line(date, commit, int(minutes))
    return lines


def last_commit(name: str) -> str | None:
    line = read_log().get(name)
    return line.commit if line else None


def has_changed(run: Run, line: Line | None) -> bool:
    """Whether what it tests differs from the commit that it last tested, as far as one can tell."""
    if line is None:
        return True
    differing = git("diff", "--name-only", line.commit, "HEAD")
    if differing.returncode:
        return True  # a clone without that commit
    return any(matches(path, glob) for path in differing.stdout.splitlines() for glob in run.files)


def due(seconds: int, lines: dict[str, Line], changed: set[str], commit: str) -> str | None:
    """Of the runs that changed and fit, the one that is longest ago; by the commit among those that never ran."""
    fitting = []
    for run in RUNS:
        line = lines.get(run.name)
        if run.name in changed and (line.minutes if line else run.minutes) * 60 <= seconds:
            fitting.append(run)
    never = [run.name for run in fitting if run.name not in lines]
    if never:
        return never[int(commit or "0", 16) % len(never)]
    return min((run.name for run in fitting), key=lambda name: (lines[name].date, name), default=None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    commands.add_parser("names")
    commands.add_parser("turn")
    commands.add_parser("due").add_argument("seconds", type=int)
    record = commands.add_parser("record")
    record.add_argument("name", choices=[run.name for run in RUNS])
    record.add_argument("minutes", type=int)
    arguments = parser.parse_args()
    lines = read_log()
    if arguments.command == "names":
        print("\n".join(run.name for run in RUNS))
    elif arguments.command == "turn":
        print(int(short_commit() or "0", 16))
    elif arguments.command == "list":
        for run in RUNS:
            line = lines.get(run.name)
            told = f"{line.date}  {line.commit[:8]}  {line.minutes} min" if line else "never"
            print(f"{run.name:15} {told:34} {'due' if has_changed(run, line) else ''}".rstrip())
    elif arguments.command == "due":
        changed = {run.name for run in RUNS if has_changed(run, lines.get(run.name))}
        name = due(arguments.seconds, lines, changed, short_commit())
        if name:
            print(name)
    else:
        if git("status", "--porcelain", "--untracked-files=no").stdout:
            print(f"not recorded: {arguments.name} ran over changes that no commit has", file=sys.stderr)
            return 0
        commit = git("rev-parse", "HEAD").stdout.strip()
        with LOG.open("a") as log:
            log.write(f"{arguments.name} {datetime.datetime.now(datetime.UTC):%Y-%m-%d} {commit} {arguments.minutes}\n")
        print(f"recorded in {LOG.relative_to(ROOT)}, which you commit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
