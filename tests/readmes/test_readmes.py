"""Every command in a README runs as it is written, in its order, in the place that it is for; sessions.py is the table.

The place is a copy of the tree with the build of this tree in build/cmake, or what `cmake --install` makes of it.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.harness.build import BUILD
from tests.readmes.commands import commands, name, parts
from tests.readmes.sessions import SESSIONS, Elsewhere, Session

ROOT = Path(__file__).resolve().parents[2]
# What the environment of a test says and that of a reader does not.
UNSET = re.compile(r"CTORCH_.*|LD_LIBRARY_PATH|LD_PRELOAD|PKG_CONFIG_PATH|CMAKE_PREFIX_PATH|DESTDIR|BASH_ENV|MAKEFLAGS")

needs_build = pytest.mark.skipif(not (BUILD / "libctorch.so.0").exists(), reason="CTORCH_BUILD names no build")


@functools.cache
def tracked() -> list[str]:
    listed = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.splitlines()
    return [file for file in dict.fromkeys(files) if (ROOT / file).is_file()]


def readmes() -> list[str]:
    pages = re.compile(r"(.*/)?README\.md|CONTRIBUTING\.md|docs/\w+\.md")
    return [file for file in tracked() if pages.fullmatch(file)]


@functools.cache
def text_of(session: Session) -> str:
    headings = [other.heading for other in SESSIONS if other.readme == session.readme]
    return parts((ROOT / session.readme).read_text(), headings)[session.heading]


def fits(command: str, entry: str) -> bool:
    """Whether an entry of the table is this command, or with … at its end the beginning of it."""
    if entry.endswith("…"):
        return name(command).startswith(entry.removesuffix("…"))
    return name(command) == entry


def entry_of(command: str, table: dict) -> Elsewhere | str | None:
    return next((value for entry, value in table.items() if fits(command, entry)), None)


def label(session: Session) -> str:
    return f"{session.readme}#{session.heading.replace(' ', '-').lower()}".removesuffix("#")


def stale(session: Session, found: list[str]) -> list[str]:
    """What the table says of commands and texts that are not there."""
    entries = [*session.then, *session.elsewhere]
    problems = [f"{entry} is no command" for entry in entries if not any(fits(command, entry) for command in found)]
    written = "\n".join(map(name, found))
    return problems + [f"{old} is in no command" for old in session.replace if old not in written]


def problem_of(entry: Elsewhere) -> str | None:
    path, _, test = entry.test.partition("::")
    if not entry.why or (path and not (ROOT / path).is_file()):
        return f"no reason, or no {path}"
    if test and not re.search(rf"^def {test}\(", (ROOT / path).read_text(), re.MULTILINE):
        return f"{path} has no {test}"
    return None


def test_every_readme_with_commands_has_a_session():
    listed = {session.readme for session in SESSIONS}
    assert {file for file in readmes() if commands((ROOT / file).read_text())} == listed


@pytest.mark.parametrize("session", SESSIONS, ids=label)
def test_the_table_names_what_is_there(session):
    assert stale(session, commands(text_of(session))) == []
    assert [problem for entry in session.elsewhere.values() if (problem := problem_of(entry))] == []


def test_an_entry_that_is_gone_is_found():
    session = Session("README.md", replace={"<dir>": "x"}, then={"cc …": "true"}, elsewhere={"make": Elsewhere("no")})
    assert stale(session, ["make  # now", "cc a.c <dir>"]) == []
    assert stale(session, ["make all"]) == ["cc … is no command", "make is no command", "<dir> is in no command"]
    assert problem_of(Elsewhere("why", "tests/no_such")) == "no reason, or no tests/no_such"
    assert (
        problem_of(Elsewhere("why", "tests/product/test_abi.py::test_no_such"))
        == "tests/product/test_abi.py has no test_no_such"
    )


def test_commands_are_found_in_blocks_lines_and_tables():
    text = (
        "# A\n\n    make all  # first\n    cc a.c \\\n      b.c\n\nText `ruby -I\nlib a.rb`, `go run`, `x`, `make`.\n"
        "\n| `x` | `A=b pip install .` |\n\n```c\ncc this.c\n```\n\n```sh\n# nothing\necho 'a\n  b'\n```\n"
        "\n## B\n\n    end\n"
    )
    first = ["make all", "cc a.c b.c", "ruby -I lib a.rb", "A=b pip install .", "echo 'a b'"]
    assert list(map(name, commands(text))) == [*first, "end"]
    assert list(map(name, commands(parts(text, ["", "B"])[""]))) == first
    assert commands(parts(text, ["", "B"])["B"]) == ["end"]


def test_the_first_command_that_fails_is_named():
    session = Session("a", replace={"<x>": "{y}"}, then={"test …": "test 3 = 3"}, elsewhere={"make": Elsewhere("no")})
    for last, failed in (("test <x> = 2", ""), ("test '<x>' = 1 && true", "FAILED: test '<x>' = 1 && true\n")):
        text = script(session, ["make", "echo a  # b", last, "echo end"], {"y": "2"})
        done = subprocess.run(["bash", "-c", text], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (1 if failed else 0, failed)
        assert done.stdout == ("a\n" if failed else "a\nend\n")


def options_of(command: str) -> tuple[str, list[str]]:
    """The program that a command of tests/bench/README.md starts, and the options that it gives."""
    words = [word for word in shlex.split(name(command)) if "=" not in word]
    program = words[0] if words[0].endswith(".py") else "tests/bench/report.py"
    if len(words) > 1 and not words[1].startswith("-"):
        program = f"tests/bench/{words[1]}.py"
    return program, [word for word in words if word.startswith("--")]


def test_the_benchmarks_know_their_options():
    session = next(session for session in SESSIONS if session.readme == "tests/bench/README.md")
    for command in commands(text_of(session)):
        program, options = options_of(command)
        text = (ROOT / program).read_text()
        assert [option for option in options if f'"{option}"' not in text] == [], program


# Running them


@pytest.fixture(scope="session")
def prefix(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("installed") / "prefix"
    command = ["cmake", "--install", str(BUILD), "--prefix", str(folder)]
    environment = {key: value for key, value in os.environ.items() if not UNSET.fullmatch(key)}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return folder


def make_place(session: Session, scratch: Path, prefix: Path) -> Path:
    """A folder of one's own like the one that the README is about."""
    place = scratch / "tree"
    if session.place.startswith("prefix/"):
        shutil.copytree(prefix / session.place.removeprefix("prefix/"), place, symlinks=True)
    elif session.place == "empty":
        place.mkdir()
    else:
        for file in tracked():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, place / file)
        (place / "build").mkdir()
        (place / "build/cmake").symlink_to(BUILD)
        place /= session.place
    for file, content in session.files.items():
        block = re.search(rf"^```{re.escape(content)}\S*\n(.*?)^```", text_of(session), re.MULTILINE | re.DOTALL)
        (place / file).write_text(block[1] if block else content)
    return place


def script(session: Session, found: list[str], values: dict[str, str]) -> str:
    """The commands that run here, with what the table says; the first failure ends it and names its command."""

    def with_values(text: str) -> str:
        for key, value in values.items():
            text = text.replace("{" + key + "}", value)
        return text

    lines = ["set -eE -o pipefail", session.before]
    for command in found:
        if entry_of(command, session.elsewhere):
            continue
        written = command
        for old, new in session.replace.items():
            written = written.replace(old, with_values(new))
        said = shlex.quote(f"echo {shlex.quote(f'FAILED: {name(command)}')} >&2")
        # Of `a && b` the shell does not leave by the failure of `a`.
        lines += [f"trap {said} ERR", written, "test $? = 0", entry_of(command, session.then) or ""]
    return "\n".join(lines)


def skip_without(needs: tuple[str, ...]) -> None:
    for what in needs:
        kind, _, thing = what.rpartition(":")
        there = {
            "": lambda: shutil.which(thing),
            "lib": lambda: subprocess.run(["pkg-config", "--exists", thing], check=False).returncode == 0,
            "py": lambda: find_spec(thing),
        }[kind]
        if not there():
            pytest.skip(f"{thing} is missing")


def cases() -> list:
    run = [s for s in SESSIONS if any(not entry_of(c, s.elsewhere) for c in commands(text_of(s)))]
    marks = {None: [], **{turn: [pytest.mark.slow(turn)] for turn in range(3)}}
    return [pytest.param(s, id=label(s), marks=marks[s.turn]) for s in run]


@needs_build
@pytest.mark.parametrize("session", cases())
def test_the_commands_run_as_written(session, tmp_path, prefix):
    skip_without(session.needs)
    place = make_place(session, tmp_path, prefix)
    values = {"scratch": str(tmp_path), "prefix": str(prefix)}
    environment = {key: value for key, value in os.environ.items() if not UNSET.fullmatch(key)}
    environment |= {"ROOT": str(ROOT), "SCRATCH": str(tmp_path), "PREFIX": str(prefix)}
    environment |= {"npm_config_audit": "false", "npm_config_fund": "false"}
    environment |= {key: value.format(**values) for key, value in session.environment.items()}
    (tmp_path / "script").write_text(script(session, commands(text_of(session)), values))
    done = subprocess.run(
        ["bash", tmp_path / "script"],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",  # the GPT's bytes
        timeout=600,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    shutil.rmtree(tmp_path / "tree")  # pytest keeps the rest for a while
