"""Tokens of Simple, with its indentation.

All that its own sources consist of is split here, as its lexer does (src/compiler_rust/parser/src/lexer/ of
ormastes/simple): what no emitted file may have is refused by the parser, which finds a token that it does not know.
"""

from __future__ import annotations

import re

# Words that are one token with the character behind them.
_JOINED = frozenset("or: or_return: if~ while~ for~ match~ and~ or~".split())
_BLOCKS = frozenset("m sh sql re md html graph img schema style ui music bim cad city rtl pc".split())
Token = tuple[str, str, int]  # kind, text, line

INDENT = 4

_TOKEN = re.compile(
    r"""[ ]*(?:
      (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<real>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    | (?P<number>0x[0-9A-Fa-f]+|\d+)
    | (?P<doc>\"\"\")
    | (?P<text>"(?:[^"\\\n{]|\\.|\{(?:[^{}"\\\n]|"(?:[^"\\\n]|\\.)*")*\}|\{)*")
    | (?P<char>'(?:[^'\\\n]|\\.)')
    | (?P<operator>->|=>|\.\.=|\.\.|\?\?|\?\.|\*\*|==|!=|<=|>=|\+=|-=|\*=|/=|\|\||&&|<<|>>
        |[-+*/%@=<>()\[\]{},.:?&|;~^\\$!'`])
    | (?P<comment>\#.*)
    )""",
    re.VERBOSE,
)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "{": "{", "}": "}", "0": "\0"}


class SyntaxFault(Exception):
    """A file outside the subset."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


def _after_literal(lines: list[str], line: str, position: int, number: int, path: str) -> tuple[str, int, int]:
    """The line in which a literal ends that begins at the quote at `position`, where in it, and its number."""
    first, position = number, position + 1
    while True:
        found = re.compile(r'(?:[^"\\]|\\.)*"').match(line, position)
        if found:
            return line, found.end(), number
        if number == len(lines):
            raise SyntaxFault(path, first, "a literal without end")
        line, position = lines[number], 0
        number += 1


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
        if body.startswith("/*"):
            while "*/" not in lines[number - 1]:
                if number == len(lines):
                    raise SyntaxFault(path, number, "a comment without end")
                number += 1
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
            after = line[position : position + 1]
            if kind == "name" and (value + after in _JOINED or (value in _BLOCKS and after == "{")):
                kind, value, position = "operator", value + after, position + 1
                depth += after == "{"
            elif kind == "name" and after == '"' and (value in ("f", "r") or value.endswith("_")):
                kind, value = "operator", value + '"'  # a literal of its own: raw, interpolated, translated
                line, position, number = _after_literal(lines, line, position, number, path)
                end = len(line)
            if kind == "doc":
                opened = position
                while '"""' not in line[position:]:
                    if number == len(lines):
                        raise SyntaxFault(path, first, "a doc string without end")
                    line, position = lines[number], 0
                    number += 1
                position = line.index('"""', position) + 3
                end = len(line)
                body = "\n".join([*lines[first - 1 : number]])[opened:]
                if "\\" in body:
                    out.append(("operator", "\\ in a doc string", first))
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
