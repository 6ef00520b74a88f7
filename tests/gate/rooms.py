"""Which tests belong to which files: rooms, what they use, and the tests of each.

    rooms.py select NAME...      the tests of rooms and of files
    rooms.py changed [REVISION]  the tests of the rooms that changed since REVISION (default: the last commit), and of
                                 those above them
    rooms.py list                all rooms

`select` and `changed` print three lines: targets to build, a regular expression for ctest, paths for pytest. A room is
a folder of shim/ or an entry of rooms.toml; the tables in shim/README.md say which may use which. Its headers, sources
and tests are in folders of its name.
"""

from __future__ import annotations

import argparse
import functools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {".c", ".cpp", ".h", ".hpp", ".proto"}
# Read by people, or by tools that have their own checks in `tests/run --quick`.
UNTESTED = re.compile(
    r".*\.md|LICENSE|\.[a-z.-]+(/.*)?|tests/(bench|sanitizers)/.*|tests/(arm64|debian)|.*/\.clang-tidy"
)


@dataclass
class Room:
    name: str
    uses: set[str] = field(default_factory=set)
    schemas: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    build: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Selection:
    """What to build and to run. No targets: everything is built. Rooms are those that were named or have changed."""

    rooms: frozenset[str]
    targets: tuple[str, ...]
    programs: tuple[str, ...]
    paths: tuple[str, ...]

    def __str__(self) -> str:
        regex = f"^({'|'.join(self.programs)})$" if self.programs else ""
        return "\n".join([" ".join(self.targets), regex, " ".join(self.paths)])


class UnknownName(Exception):
    pass


def matches(path: str, glob: str) -> bool:
    """Whether the whole path matches: `*` stays within a folder, `**` does not."""
    pattern = re.escape(glob).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.fullmatch(pattern, path) is not None


EVERY_ROOM_USES = {"abi", "c", "torch"}


def may_use(root: Path = ROOT) -> dict[str, set[str]]:
    """The tables of shim/README.md: `| room | may use |`, names in backquotes."""
    rooms = {}
    for line in (root / "shim/README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            rooms[cells[0].strip("`")] = set(re.findall(r"`([a-z_]+)`", cells[1])) | EVERY_ROOM_USES
    return rooms


def room_of_source(path: PurePath) -> str:
    """The room of a file of shim/, relative to shim/."""
    return path.parts[path.parts[0] == "core"]


class Rooms:
    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        uses = may_use(root)
        table = tomllib.loads((root / "tests/gate/rooms.toml").read_text())
        self.rooms = {name: Room(name, **{"uses": set(), **entry}) for name, entry in table.items()}
        for room in self.rooms.values():
            room.uses = set(room.uses) | uses.get(room.name, set())
        for name in uses.keys() - self.rooms.keys():
            self.rooms[name] = Room(name, uses[name])

    @functools.cached_property
    def tracked(self) -> list[str]:
        """The files of the tree, those that git does not know yet among them."""
        return self.git("ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate")

    def git(self, *words: str) -> list[str]:
        run = subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True)
        return run.stdout.splitlines()

    @functools.cached_property
    def tests(self) -> list[str]:
        """Every test file, relative to the root."""
        test = re.compile(r"tests/\w+/check_\w+\.c|(tests|bindings-gen/tests)/(.*/)?test_\w+\.py")
        return [path for path in self.tracked if test.fullmatch(path)]

    @functools.cached_property
    def owners(self) -> dict[str, set[str]]:
        """For each test file the rooms whose test it is: that of its folder, and those whose globs it matches."""
        owners: dict[str, set[str]] = {}
        for path in self.tests:
            rooms = {r.name for r in self.rooms.values() if any(matches(path, glob) for glob in r.tests)}
            folder = path.split("/")[1]
            if path.startswith("tests/") and folder in self.rooms:
                rooms |= {folder}
            # What one language does is its test, and not all languages'.
            owners[path] = rooms - {"generator", "languages"} if len(rooms) > 1 else rooms
        return owners

    def above(self, names: Iterable[str]) -> set[str]:
        """These rooms, and all that use one of them, directly or not."""
        found = set(names)
        while more := {r.name for r in self.rooms.values() if r.uses & found} - found:
            found |= more
        return found

    def touched(self, path: str) -> set[str]:
        """The rooms to which a file belongs."""
        parts = PurePath(path).parts
        found = set(self.owners.get(path, ()))
        if parts[0] == "shim" and len(parts) > 2 and PurePath(path).suffix != ".md":
            for_c = path.startswith("shim/core/c/")
            found |= self.users_of(path) if for_c else {room_of_source(PurePath(*parts[1:]))}
        elif parts[:2] == ("bindings-gen", "schema") or parts[:3] == ("include", "ctorch", "generated"):
            name = parts[2] if len(parts) == 4 and parts[1] == "schema" else PurePath(path).stem
            found |= {room.name for room in self.rooms.values() if name in room.schemas} | {"generator"}
        elif parts[0] == "include" and len(parts) == 4:
            found |= {parts[2], "generator"}
        elif parts[0] == "tests" and not found:
            found |= {parts[1]} & self.rooms.keys()
        by_files = {room.name for room in self.rooms.values() if any(matches(path, glob) for glob in room.files)}
        # An emitter or a test of one language, though also a file of the generator.
        return found | (by_files - {"model", "generator"} or by_files)

    def users_of(self, path: str) -> set[str]:
        """The rooms that include a header of shim/core/c/."""
        line = f'#include "core/c/{PurePath(path).name}"'
        users = {
            room_of_source(PurePath(source).relative_to("shim"))
            for source in self.tracked
            if source.startswith("shim/")
            and PurePath(source).suffix in SOURCES
            and line in (self.root / source).read_text(errors="replace")
        }
        return users or {"abi"}

    def select(self, names: Iterable[str], single: Iterable[str] = ()) -> Selection:
        """The tests of these rooms, and the single test files."""
        rooms = set(names)
        files = {path for path, owners in self.owners.items() if owners & rooms}
        paths = sorted([path for path in files if path.endswith(".py")])
        programs = {PurePath(path).stem for path in files if path.endswith(".c")}
        targets = {target for name in rooms for target in self.rooms[name].build} | {"ctorch"}
        for name in rooms:
            programs |= set(self.rooms[name].programs)
        for name in single:
            if name.endswith(".c"):
                programs.add(PurePath(name).stem)
            else:
                paths.append(name)
                owners = self.owners.get(name.split("::")[0], set())
                targets |= {target for owner in owners for target in self.rooms[owner].build}
        built = {program for program in programs if re.match("check_|.*_test$", program)}
        everything = "all" in targets or built & {"check_word"}
        return Selection(
            frozenset(rooms),
            () if everything else tuple(sorted(targets | built)),
            tuple(sorted(programs)),
            tuple(paths),
        )

    def named(self, names: Iterable[str]) -> Selection:
        """The tests of rooms, of test files and of folders of them, and of the rooms of other files."""
        rooms, single = set(), []
        for name in names:
            path = name.removeprefix("./")
            if name in self.rooms:
                rooms.add(name)
            elif path.split("::")[0] in self.tests:
                single.append(path)
            elif inside := [test for test in self.tests if test.startswith(f"{path.rstrip('/')}/")]:
                single += inside
            elif path in self.tracked and (found := self.touched(path)):
                rooms |= found
            else:
                known = " ".join(sorted(self.rooms))
                raise UnknownName(f"{name} is neither a room nor a file that has tests; rooms: {known}")
        return self.select(rooms, single)

    def changed_files(self, revision: str) -> list[str]:
        """What differs from a revision, in commits, in the index and in the folder."""
        differing = self.git("diff", "--name-only", "--no-renames", revision, "--")
        return differing + self.git("ls-files", "--others", "--exclude-standard")

    def changed(self, files: Iterable[str]) -> Selection:
        """The tests of the rooms of these files and of those above them, and the changed tests themselves."""
        rooms, single = set(), []
        for path in files:
            if path in self.tests:
                single.append(path)  # nothing uses a test
            else:
                rooms |= self.touched(path)
        rooms = self.above(rooms)
        return self.select(rooms, [path for path in single if not self.owners[path] & rooms])


def untested(rooms: Rooms) -> Iterator[str]:
    """Files for which no rule names a room, and tests of no room."""
    for path in rooms.tracked:
        if not UNTESTED.fullmatch(path) and not rooms.touched(path):
            yield f"{path} belongs to no room"
    for path, owners in rooms.owners.items():
        if not owners:
            yield f"{path} is the test of no room"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("select").add_argument("names", nargs="+")
    commands.add_parser("changed").add_argument("revision", nargs="?", default="HEAD")
    commands.add_parser("list")
    arguments = parser.parse_args()
    rooms = Rooms()
    if arguments.command == "list":
        print("\n".join(sorted(rooms.rooms)))
        return 0
    try:
        if arguments.command == "select":
            selection = rooms.named(arguments.names)
        else:
            selection = rooms.changed(rooms.changed_files(arguments.revision))
            print("rooms:", " ".join(sorted(selection.rooms)) or "none", file=sys.stderr)
    except UnknownName as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(selection)
    return 0


if __name__ == "__main__":
    sys.exit(main())
