"""No circle between the objects of shim/, and no room that uses one it may not: as `nm` has it.

Which room may use which is the table in shim/README.md.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from objects import circles, uses

SOURCE = Path(__file__).resolve().parents[2]


def allowed() -> dict[str, set[str]]:
    """The table of shim/README.md: `| room | may use |`, names in backquotes."""
    rooms = {}
    for line in (SOURCE / "shim/README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            rooms[cells[0].strip("`")] = set(re.findall(r"`([a-z]+)`", cells[1]))
    return rooms


def sources_of(build: Path) -> dict[Path, Path]:
    """The objects of libctorch that hand-written files make, with their sources relative to shim/."""
    folder = build / "CMakeFiles/ctorch.dir/shim"
    return {path: path.relative_to(folder).with_suffix("") for path in sorted(folder.rglob("*.o"))}


def names(symbols: list[str]) -> str:
    return subprocess.run(["c++filt", *symbols[:3]], check=True, capture_output=True, text=True).stdout.replace(
        "\n", "; "
    )


def room(source: Path) -> str:
    return source.parts[1] if source.parts[0] == "core" else source.parts[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="the build folder")
    arguments = parser.parse_args()
    sources = sources_of(arguments.build)
    rooms = allowed()
    problems = []
    if len(sources) < 80:
        problems.append(f"only {len(sources)} objects in {arguments.build}: build ctorch first")
    for path, source in sources.items():
        if not (SOURCE / "shim" / source).exists():
            problems.append(f"{path}: an object without its source; build anew")
    graph = uses(list(sources))
    for circle in circles(graph):
        lines = [f"circle of {', '.join(str(sources[node]) for node in circle)}"]
        for node in circle:
            for other, symbols in graph[node].items():
                if other in circle:
                    lines.append(f"    {sources[node]} -> {sources[other]}: {names(symbols)}")
        problems.append("\n".join(lines))
    for node, others in graph.items():
        mine = room(sources[node])
        if mine not in rooms:
            problems.append(f"{sources[node]}: shim/README.md has no room {mine}")
            continue
        for other, symbols in others.items():
            theirs = room(sources[other])
            if theirs != mine and theirs not in rooms[mine]:
                problems.append(f"{sources[node]} -> {sources[other]}: {mine} may not use {theirs}: {names(symbols)}")
    for problem in problems:
        print(problem)
    print(f"{len(sources)} objects in {len({room(s) for s in sources.values()})} rooms, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
