"""clang-tidy over the files of shim/ that it has not seen as they are.

    tidy.py FILE...             these files and, for C, those that include them; what passed before is left out
    tidy.py --all               all C and C++ files, but for those whose very content passed in this folder
    tidy.py --analyze           clang's analyzer over all C files

What passed is remembered by its content in build/tidy/passed, and so is every file that has not changed since the last
recorded run of `tests/run --slow tidy`. Run by tests/run, after CMake.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.gate import slow  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TIDY = ROOT / "build/venv/bin/clang-tidy"
FOLDER = ROOT / "build/tidy"
CORE = ROOT / "shim/core"  # whose settings are those of C++
# Unlike 18, clang-tidy 23 looks for nothing in the headers of LibTorch, which would be most of what a file takes. It
# knows neither gcc's precompiled header nor all of gcc's options.
UNKNOWN = re.compile(
    r" -include \S*cmake_pch\.hx?x?| -Winvalid-pch| -fno-reorder-blocks-and-partition| -fno-partial-inlining"
    r"| --param ggc-min-heapsize=\d+| -Werror(?= |$)"
)


def write_commands(build: Path) -> None:
    """build/tidy/compile_commands.json: the commands of the build as clang-tidy takes them, one for each file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    commands = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        entry["command"] = UNKNOWN.sub("", entry["command"])
        file = Path(entry["file"])
        if file.parent.name != "Unity":
            commands.append(entry)
            continue
        # The files of a room are compiled at once.
        for part in re.findall(r'^#include "(.*)"$', file.read_text(), re.MULTILINE):
            commands.append(entry | {"file": part, "command": entry["command"].replace(str(file), part)})
    (FOLDER / "compile_commands.json").write_text(json.dumps(commands))


@functools.cache
def included(path: Path) -> frozenset[Path]:
    """The files of shim/ that a file includes, directly or not, by name: a room's headers are in its own folder."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        text = waiting.pop().read_text(errors="replace")
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.MULTILINE):
            more = {header for header in headers().get(Path(name).name, ()) if str(header).endswith(f"/{name}")} - found
            found |= more
            waiting += more
    return frozenset(found)


@functools.cache
def headers() -> dict[str, list[Path]]:
    named: dict[str, list[Path]] = {}
    for path in [*(ROOT / "shim").rglob("*.h"), *(ROOT / "shim").rglob("*.hpp")]:
        named.setdefault(path.name, []).append(path)
    return named


def configurations(path: Path) -> list[Path]:
    return [folder / ".clang-tidy" for folder in path.parents if (folder / ".clang-tidy").is_file()]


def content(path: Path, options: list[str]) -> str:
    """A hash of what clang-tidy looks at. Public headers, which all files see, are left out: they only declare."""
    hashed = hashlib.sha256(f"{version()} {options}".encode())
    for part in [path, *sorted(included(path)), *configurations(path)]:
        hashed.update(part.read_bytes())
    return hashed.hexdigest()


@functools.cache
def version() -> str:
    return subprocess.run([TIDY, "--version"], check=True, capture_output=True, text=True).stdout


def unchanged_since(commit: str, paths: list[Path]) -> set[Path]:
    """Those files that are, with what they include, what they were at a commit."""
    command = ["git", "diff", "--name-only", commit, "--", "shim", ".clang-tidy"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        return set()  # a clone without that commit
    changed = {ROOT / name for name in run.stdout.split()}
    return {p for p in paths if not changed & {p, *included(p), *configurations(p)}}


def checked(paths: list[Path], options: list[str], jobs: int) -> list[str]:
    """What clang-tidy finds; files that pass are remembered."""
    (FOLDER / "passed").mkdir(exist_ok=True)

    def check(path: Path) -> str:
        mark = FOLDER / "passed" / content(path, options)
        if mark.exists():
            return ""
        command = [TIDY, "-p", FOLDER, "--quiet", *options, path]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            mark.touch()
            return ""
        return "\n".join(line for line in (run.stdout + run.stderr).splitlines() if "warnings generated" not in line)

    with ThreadPoolExecutor(jobs) as pool:
        return [text for text in pool.map(check, paths) if text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/cmake", help="the build folder")
    parser.add_argument("--all", action="store_true", help="also what has not changed since the recorded run")
    parser.add_argument("--analyze", action="store_true", help="with clang's analyzer; C alone")
    parser.add_argument("files", nargs="*", type=Path, help="changed files of shim/; default: all")
    arguments = parser.parse_args()
    write_commands(arguments.build)
    c, cpp = sorted((ROOT / "shim").rglob("*.c")), sorted((ROOT / "shim").rglob("*.cpp"))
    if arguments.files:
        changed = {path.resolve() for path in arguments.files}
        c = [path for path in c if changed & {path, *included(path)}]
        cpp = [path for path in cpp if path in changed]  # what includes a header of the core is most of it
    if not arguments.all and not arguments.analyze and (commit := slow.last_commit("tidy")):
        same = unchanged_since(commit, [*c, *cpp])
        c, cpp = [p for p in c if p not in same], [p for p in cpp if p not in same]
    jobs = os.cpu_count() or 1
    if arguments.analyze:
        found = checked(c, [], jobs)
        cpp = []
    else:
        core = [path for path in cpp if CORE in path.parents]
        found = checked(c, ["--checks=-clang-analyzer-*"], jobs) + checked(core, [], jobs)
        found += checked([path for path in cpp if path not in core], [f"--config-file={CORE / '.clang-tidy'}"], jobs)
    print("\n".join(found), end="\n" if found else "")
    print(f"clang-tidy: {len(c)} C and {len(cpp)} C++ files, {len(found)} with findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
