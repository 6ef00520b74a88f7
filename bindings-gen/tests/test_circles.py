"""Files that need each other in a circle cannot be read, tested or loaded one by one: there are none, or fewer in time.

KNOWN holds the circles that are still there. A file never joins one; when one is opened, its entry goes.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

LANGUAGES = Path(__file__).parents[1] / "languages"
Graph = dict[str, set[str]]

KNOWN: dict[str, list[set[str]]] = {
    "python": [],
    "node": [],
    "rust": [],
    "word": [],
}


def circles(graph: Graph) -> list[set[str]]:
    """The largest sets of files in which each reaches each other."""
    reached = {start: set(_reachable(graph, start)) for start in graph}
    found = {frozenset({a, *(b for b in reached[a] if a in reached.get(b, ()))}) for a in graph}
    return sorted((set(c) for c in found if len(c) > 1), key=min)


def _reachable(graph: Graph, start: str) -> Iterator[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for after in graph.get(waiting.pop(), ()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
                yield after


def python_modules(package: Path) -> Graph:
    """The modules of a package by what they import of it, at the top or in a function."""
    files = {path.relative_to(package).with_suffix("").parts: path for path in package.glob("**/*.py")}
    names = {".".join(p[:-1] if p[-1] == "__init__" else p) or "__init__": (p, path) for p, path in files.items()}
    graph: Graph = {}
    for name, (parts, path) in names.items():
        imported = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = [*parts[: len(parts) - node.level], *(node.module.split(".") if node.module else [])]
                inside = {".".join([*base, alias.name]) for alias in node.names} & names.keys()
                imported |= inside or {".".join(base) or "__init__"}
        graph[name] = imported & names.keys() - {name}
    return graph


def node_modules(folder: Path) -> Graph:
    files = {path.name: path.read_text() for path in folder.glob("*.js")}
    imports = re.compile(r'\bfrom "\./([^"]+)"|\b(?:import|require)\(\s*"\./([^"]+)"|^import "\./([^"]+)"', re.M)
    return {name: {"".join(m) for m in imports.findall(text)} & files.keys() - {name} for name, text in files.items()}


def rust_modules(folder: Path) -> Graph:
    files = {path.stem: path.read_text() for path in folder.glob("*.rs")}
    graph: Graph = {}
    for name, text in files.items():
        used = set(re.findall(r"\bcrate::(\w+)", text))
        for group in re.findall(r"\buse crate::\{(.*?)\};", text, re.S):
            used |= set(re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"\{.*?\}", "", group)))
        graph[name] = used & files.keys() - {name}
    return graph


def objects(files: list[Path]) -> Graph:
    """Object files by whose symbols they need."""
    defined: dict[str, str] = {}
    needed: Graph = {}
    for file in files:
        name = file.name.partition(".")[0]
        symbols = subprocess.run(["nm", "--extern-only", file], check=True, capture_output=True, text=True).stdout
        for kind, symbol in re.findall(r"([A-Za-z]) (\w+)$", symbols, re.M):
            if kind == "U":
                needed.setdefault(name, set()).add(symbol)
            else:
                defined[symbol] = name
    return {name: {defined[s] for s in symbols if s in defined} - {name} for name, symbols in needed.items()}


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}, "g": set()}
    assert circles(graph) == [{"a", "b", "c"}, {"d", "e"}]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_imports_of_python_are_found(tmp_path):
    (tmp_path / "raw").mkdir()
    (tmp_path / "__init__.py").write_text("from . import a\n")
    (tmp_path / "a.py").write_text("import os\ndef f():\n    from .b import g\n")
    (tmp_path / "b.py").write_text("from .raw import c\nfrom .raw.c import x\n")
    (tmp_path / "raw/__init__.py").write_text("")
    (tmp_path / "raw/c.py").write_text("from ..a import f\nfrom .. import a\n")
    assert python_modules(tmp_path) == {"__init__": {"a"}, "a": {"b"}, "b": {"raw.c"}, "raw": set(), "raw.c": {"a"}}


@pytest.fixture(scope="module")
def graphs(generated) -> dict[str, Graph]:
    bindings = generated / "bindings"
    return {
        "python": python_modules(bindings / "python/ctorch"),
        "node": node_modules(bindings / "node"),
        "rust": rust_modules(bindings / "rust/ctorch/src"),
        "word": objects(sorted(generated.parent.glob("CMakeFiles/spl_ctorch.dir/shim/word/*.o"))),
    }


@pytest.mark.parametrize("what", KNOWN)
def test_no_circle_between_files(graphs, what):
    graph = graphs[what]
    if what == "word" and not graph:
        pytest.skip("the objects of the word library are not kept beside the build")
    assert len(graph) > 8
    assert circles(graph) == KNOWN[what]
