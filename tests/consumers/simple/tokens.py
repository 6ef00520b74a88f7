"""Tokens of the subset, with its indentation."""

from __future__ import annotations

import re

Token = tuple[str, str, int]  # kind, text, line

INDENT = 4

_TOKEN = re.compile(
    r"""[ ]*(?:
      (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<real>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    | (?P<number>0x[0-9A-Fa-f]+|\d+)
    | (?P<doc>\"\"\")
    | (?P<text>"(?:[^"\\\n]|\\.)*")
    | (?P<operator>->|\.\.|\*\*|==|!=|<=|>=|\+=|-=|\*=|/=|[-+*/%@=<>()\[\]{},.:?&])
    | (?P<comment>\#.*)
    )""",
    re.VERBOSE,
)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "{": "{", "}": "}", "0": "\0"}


class SyntaxFault(Exception):
    """A file outside the subset."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


def tokens(text: str, path: str) -> list[Token]:
    """(kind, text, line); kinds are those of the pattern, and newline, indent, dedent, end."""
    out: list[Token] = []
    levels = [0]
    depth = 0
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        body = line.lstrip(" ")
        if not body or body[0] == "#":
            continue
        if "\t" in line:
            raise SyntaxFault(path, number, "a tab")
        if line[-1] == " ":
            raise SyntaxFault(path, number, "space at the end of the line")
        if depth == 0:
            indent = len(line) - len(body)
            if indent % INDENT:
                raise SyntaxFault(path, number, f"indented by {indent} spaces, not a multiple of {INDENT}")
            if indent > levels[-1]:
                if indent != levels[-1] + INDENT:
                    raise SyntaxFault(path, number, "indented by more than one level")
                levels.append(indent)
                out.append(("indent", "", number))
            while indent < levels[-1]:
                levels.pop()
                out.append(("dedent", "", number))
        position, end = 0, len(line)
        first = number
        while position < end:
            found = _TOKEN.match(line, position)
            if found is None:
                raise SyntaxFault(path, number, f"unexpected {line[position:].strip()[:12]!r}")
            kind = found.lastgroup
            value = found[kind]
            position = found.end()
            if kind == "comment":
                break
            if kind == "doc":
                while '"""' not in line[position:]:
                    if number == len(lines):
                        raise SyntaxFault(path, first, "a doc string without end")
                    line, position = lines[number], 0
                    number += 1
                position = line.index('"""', position) + 3
                end = len(line)
            elif kind == "operator":
                if value in "([{":
                    depth += 1
                elif value in ")]}":
                    depth -= 1
            out.append((kind, value, first))
        if depth == 0 and out and out[-1][0] not in ("newline", "indent", "dedent"):
            out.append(("newline", "", number))
    if depth:
        raise SyntaxFault(path, number, "a bracket without end")
    out.extend(("dedent", "", number) for _ in levels[1:])
    out.append(("end", "", number))
    return out
