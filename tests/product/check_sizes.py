"""Sizes: a function has at most 80 lines, a file at most 800, a line of C or of a comment in it at most 120 characters.

    check_sizes.py      over shim/, include/ and the Python of bindings-gen/ and tests/

What is larger today stands in EXCEPTIONS with its size, and may only shrink: an entry that is too large, or that nothing
needs any more, is a problem too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FUNCTION, FILE, WIDTH = 80, 800, 120
EXCEPTIONS: dict[str, int] = {}
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|[{}]|\n', re.DOTALL
)
# What a brace that opens no function follows.
OUTER = re.compile(r"\b(namespace|struct|class|union|enum|extern)\b[^()]*$|=\s*$")


def files() -> Iterator[Path]:
    for folder, suffixes in (("shim", {".c", ".cpp", ".h", ".hpp"}), ("include", {".h"})):
        for path in sorted((ROOT / folder).rglob("*.*")):
            if path.suffix in suffixes and "generated" not in path.parts:
                yield path
    for folder in ("bindings-gen", "tests"):
        yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if "golden" not in path.parts)


def c_functions(text: str) -> Iterator[tuple[str, int]]:
    """Each function with its lines: a brace that nothing but namespaces and types encloses, up to the one that closes."""
    depth, inside, begin, line = [], None, 0, 1
    last = 0  # where the declaration begins that a brace may end
    for token in TOKEN.finditer(text):
        word = token[0]
        if word == "{":
            head = text[last : token.start()]
            if inside is None and not OUTER.search(head) and "(" in head:
                inside = len(depth)
                found = re.search(r"([~\w:]+|operator\S+)\s*\(", head)
                name = found[1] if found else "?"
                begin = line - head.strip().count("\n")
            depth.append(word)
        elif word == "}":
            if depth:
                depth.pop()
            if inside is not None and len(depth) == inside:
                yield name, line - begin + 1
                inside = None
        line += word.count("\n")
        if inside is None and (word in "{}" or text[: token.start()].rstrip()[-1:] == ";"):
            last = token.end()


def python_functions(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.end_lineno - node.lineno + 1


def sizes(path: Path, text: str) -> Iterator[tuple[str, int, int]]:
    """What a file has that has a size: its name, the size, the limit."""
    name = path.relative_to(ROOT).as_posix()
    yield name, text.count("\n"), FILE
    for function, lines in (python_functions if path.suffix == ".py" else c_functions)(text):
        yield f"{name}: {function}", lines, FUNCTION
    if path.suffix != ".py":  # ruff has the others
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{name}:{number}", len(line), WIDTH


def main() -> int:
    found: dict[str, int] = {}
    for path in files():
        for name, size, limit in sizes(path, path.read_text()):
            if size > limit:
                found[name] = max(size, found.get(name, 0))
    problems = [f"{n}: {s}, at most {EXCEPTIONS.get(n, 'the limit')}" for n, s in found.items() if s > EXCEPTIONS.get(n, 0)]
    problems += [f"{name}: {size} is no exception any more" for name, size in EXCEPTIONS.items() if found.get(name) != size]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
