"""Comments, READMEs and pages name what exists: each word that begins with `ctorch_` is in the code."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"(?<![\w./-])ctorch_[a-z0-9]\w*(?=(\W?))")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
HEADERS = ("include/",)
C = (*HEADERS, "shim/", "examples/", "tests/")
DEFINED_IN = {"docs/new_language.md": "bindings-gen"}  # what a page names that its own folder does not define
C_SUFFIXES = (".c", ".h", ".cpp", ".hpp")


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


FILES = tracked()


def text(path: Path) -> str:
    return (ROOT / path).read_text(errors="replace")


def c_files(places: tuple[str, ...]) -> Iterator[Path]:
    return (path for path in FILES if path.suffix in C_SUFFIXES and str(path).startswith(places))


def names_in(code: str) -> set[str]:
    return {match[0] for match in NAME.finditer(code)}


def code_of(places: tuple[str, ...]) -> set[str]:
    return set().union(*(names_in(COMMENT.sub("", text(path))) for path in c_files(places)))


def strangers(words: str, known: set[str]) -> list[str]:
    """Names that are not known, nor the beginning of some with the rest left open: ctorch_aten_*."""
    found = []
    for match in NAME.finditer(words):
        is_open = match[0].endswith("_") or match[1] in ("*", "…", "<", "{", "[")
        if match[0] not in known and not (is_open and any(name.startswith(match[0]) for name in known)):
            found.append(match[0])
    return found


@pytest.fixture(scope="module")
def public() -> set[str]:
    return code_of(HEADERS)


def test_strangers_are_found() -> None:
    known = {"ctorch_value_from_int", "ctorch_save_file"}
    assert strangers("ctorch_save, ctorch_value_from_…, ctorch_value_*, ctorch_values_*, build/ctorch_x", known) == [
        "ctorch_save",
        "ctorch_values_",
    ]


def test_comments_of_headers_name_what_is_in_headers(public: set[str]) -> None:
    for path in c_files(HEADERS):
        assert strangers("\n".join(COMMENT.findall(text(path))), public) == [], path


def test_comments_of_sources_name_what_is_in_sources() -> None:
    known = code_of(C)
    for path in c_files(C):
        assert strangers("\n".join(COMMENT.findall(text(path))), known) == [], path


def test_pages_name_what_is_in_headers_or_what_their_folder_defines(public: set[str]) -> None:
    """A page of a language names that language's modules and functions, too."""
    for page in (path for path in FILES if path.suffix == ".md"):
        folder = ROOT / DEFINED_IN.get(str(page), page.parent)
        sources = [
            path for path in FILES if (ROOT / path).is_relative_to(folder) and path.suffix not in (".md", ".txt")
        ]
        own = set() if page.parent == Path() else set().union(*(names_in(text(path)) for path in sources))
        fortran = {path.stem for path in FILES if path.suffix == ".f90"}
        assert strangers(text(page), public | own | fortran) == [], page
