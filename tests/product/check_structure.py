"""No circle between objects, headers or rooms of shim/, and no room that uses one it may not: by `nm` and includes.

An object is a file's or, where the files of a room are compiled at once (CTORCH_UNITY), a room's: circles between files
of one room are found in a build without it.

Which room may use which is the tables in shim/README.md. The layers in C may call every exported function besides, as
any program may.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path, PurePath

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE))

from tests.gate.rooms import EVERY_ROOM_USES, may_use, room_of_source  # noqa: E402
from tests.product.objects import circles, uses  # noqa: E402

APART = ("cli", "loader", "word")
# What the build writes.
GENERATED = r"constructors/\w+\.h|loader/functions\.h|rt_ctorch\.h|\w+\.pb-c\.h"


def sources_of(build: Path) -> dict[Path, Path]:
    """The objects that hand-written files make, with their sources, files or rooms, relative to shim/."""
    shim = SOURCE / "shim"
    sources = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = Path(entry["file"])
        output = re.search(
            r" -o (\S*/(?:ctorch_(?:core|layers|cli|loader)|spl_ctorch)\.dir/\S+)",
            f" {entry['command']}".replace(" -o CMake", " -o ./CMake"),
        )
        if output and source.parent.name == "Unity":
            source = Path(re.search(r'^#include "(.*)"$', source.read_text(), re.MULTILINE)[1]).parent
        if output and source.is_relative_to(shim):
            sources[Path(entry["directory"], output[1])] = source.relative_to(shim)
    return sources


def names(symbols: list[str]) -> str:
    return subprocess.run(["c++filt", *symbols[:3]], check=True, capture_output=True, text=True).stdout.replace(
        "\n", "; "
    )


def included(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(), re.MULTILINE)


def sources_and_headers() -> list[Path]:
    return [path for path in sorted((SOURCE / "shim").rglob("*.*")) if path.suffix in {".c", ".cpp", ".h", ".hpp"}]


def include_problems(rooms: dict[str, set[str]]) -> list[str]:
    """Includes that name no room, or one that the file's room may not use."""
    problems = []
    for path in sources_and_headers():
        source = path.relative_to(SOURCE / "shim")
        mine = room_of_source(source)
        for header in included(path):
            if (SOURCE / "shim" / header).exists():
                theirs = room_of_source(PurePath(header))
                if theirs != mine and theirs not in rooms.get(mine, set()):
                    problems.append(f"{source}: may not include {header}")
            elif not (SOURCE / "include" / header).exists() and not re.fullmatch(GENERATED, header):
                problems.append(f"{source}: {header} names no room")
    for path in sorted((SOURCE / "include").rglob("*.h")):
        problems += [f"{path}: {h} names no room" for h in included(path) if not (SOURCE / "include" / h).exists()]
    return problems


def header_circles() -> list[str]:
    graph = {}
    for folder in ("shim", "include"):
        for path in (SOURCE / folder).rglob("*.h*"):
            name = path.relative_to(SOURCE / folder).as_posix()
            graph[name] = {header: [] for header in included(path)}
    graph = {name: {h: [] for h in headers if h in graph} for name, headers in graph.items()}
    return [f"circle of headers: {', '.join(circle)}" for circle in circles(graph)]


def room_circles(rooms: dict[str, set[str]]) -> list[str]:
    graph = {room: dict.fromkeys(uses - EVERY_ROOM_USES, []) for room, uses in rooms.items()}
    return [f"circle in shim/README.md: {', '.join(circle)}" for circle in circles(graph)]


def version_conditions() -> list[str]:
    """Conditions on the version of LibTorch outside core/torch, where they all belong."""
    found = []
    for path in sorted((SOURCE / "shim").rglob("*.[ch]pp")):
        if path.parent.name == "torch" or path.name.startswith("version."):
            continue
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\bTORCH_VERSION_(AT_LEAST|MAJOR|MINOR|PATCH)\b", text):
                found.append(
                    f"{path.relative_to(SOURCE)}:{line}: a condition on LibTorch's version, outside core/torch"
                )
    return found


def without_public(symbols: list[str]) -> list[str]:
    return [symbol for symbol in symbols if not symbol.startswith(("ctorch_", "rt_ctorch_"))]


def is_layer(source: Path) -> bool:
    return source.suffix == ".c" or source.parts[0] != "core"


Graph = dict[Path, dict[Path, list[str]]]


def object_graph(sources: dict[Path, Path]) -> tuple[Graph, list[list[Path]]]:
    """What uses what, and the circles. Each room of APART is linked by itself: what it shares with the library are the
    names of the ABI."""
    graph = uses([node for node, source in sources.items() if room_of_source(source) not in APART])
    found = circles(graph)
    for room in APART:
        own = uses([node for node, source in sources.items() if room_of_source(source) == room])
        hidden = {node: {other: without_public(s) for other, s in others.items()} for node, others in own.items()}
        own = {node: {other: s for other, s in others.items() if s} for node, others in hidden.items()}
        graph |= own
        found += circles(own)
    return graph, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="the build folder")
    arguments = parser.parse_args()
    sources = sources_of(arguments.build)
    rooms = may_use()
    problems = []
    if len(sources) < 80:
        problems.append(f"only {len(sources)} objects in {arguments.build}/compile_commands.json")
    problems += version_conditions()
    for path in sorted([*(SOURCE / "shim").rglob("*.cpp"), *(SOURCE / "shim").rglob("*.c")]):
        if not path.read_text().startswith(("//", "/*")):
            problems.append(f"{path.relative_to(SOURCE)}: no comment at the top says what it is")
    graph, found = object_graph(sources)
    for circle in found:
        if len({room_of_source(sources[node]) for node in circle}) == 1 and any(
            not sources[node].suffix for node in circle
        ):
            continue  # a room's files and the others of the same room
        lines = [f"circle of {', '.join(str(sources[node]) for node in circle)}"]
        for node in circle:
            for other, symbols in graph[node].items():
                if other in circle:
                    lines.append(f"    {sources[node]} -> {sources[other]}: {names(symbols)}")
        problems.append("\n".join(lines))
    for node, others in graph.items():
        mine = room_of_source(sources[node])
        if mine not in rooms:
            problems.append(f"{sources[node]}: shim/README.md has no room {mine}")
            continue
        for other, symbols in others.items():
            theirs = room_of_source(sources[other])
            if is_layer(sources[node]):
                symbols = without_public(symbols)
            if symbols and theirs != mine and theirs not in rooms[mine]:
                problems.append(f"{sources[node]} -> {sources[other]}: {mine} may not use {theirs}: {names(symbols)}")
    problems += include_problems(rooms) + header_circles() + room_circles(rooms)
    for problem in problems:
        print(problem)
    found = {room_of_source(source) for source in sources.values()}
    print(f"{len(sources)} objects in {len(found)} rooms, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
