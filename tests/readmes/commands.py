"""The commands in a README, in their order: those of its blocks, and those that stand in a line or in a table.

A block is fenced with ```sh or indented by four spaces; a fence with another language, or none, is not for a shell.
In a line or a table, code that begins with one of PROGRAMS and goes on with a file or with two words is a command; what
is shorter only names something.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

PROGRAMS = {
    *("cargo", "cc", "cmake", "curl", "gem", "gfortran", "go", "java", "luajit", "make", "meson", "node", "npm", "pip"),
    *("pkg-config", "pre-commit", "python", "python3", "ruby", "serve/serve", "sh", "simple"),
}
FENCE = re.compile(r"^ *```(\w*)")
IN_LINE = re.compile(r"`([^`]+)`")


def parts(text: str, headings: list[str]) -> dict[str, str]:
    """A text from each of these headings on to the next of them; "" is what stands before the first."""
    if not (wanted := [heading for heading in headings if heading]):
        return {"": text}
    pieces = re.split(rf"^## ({'|'.join(map(re.escape, wanted))})$", text, flags=re.MULTILINE)
    return {"": pieces[0]} | dict(zip(pieces[1::2], pieces[2::2], strict=True))


def whole(lines: list[str]) -> Iterator[str]:
    """The commands of a block: a line, with those that it goes on in."""
    command = ""
    for line in lines:
        command = f"{command}\n{line}" if command else line
        try:
            words = shlex.split(command, comments=True)
        except ValueError:
            continue  # a quote that is still open, or a backslash at the end
        if words:
            yield command
        command = ""
    if command:
        raise ValueError(f"no end: {command}")


def in_lines(paragraph: str) -> Iterator[str]:
    for found in IN_LINE.finditer(paragraph):
        command = " ".join(found[1].split()).replace("\\|", "|")
        words = re.sub(r"^(\w+=\S+ )+", "", command).split()
        if words and words[0] in PROGRAMS and (len(words) > 2 or "." in words[-1]):
            yield command


def commands(text: str) -> list[str]:
    found, paragraph, block = [], [], []
    shell = fenced = False

    def end_of_paragraph() -> None:
        found.extend(in_lines("\n".join(paragraph)))
        paragraph.clear()

    def end_of_block() -> None:
        found.extend(whole(block))
        block.clear()

    for line in [*text.splitlines(), ""]:
        if fence := FENCE.match(line):
            end_of_paragraph()
            end_of_block()
            fenced = not fenced
            shell = fenced and fence[1] == "sh"
        elif fenced:
            block.extend([line] if shell else [])
        elif line.startswith("    ") and not paragraph:
            block.append(line[4:])
        elif line.strip():
            end_of_block()
            paragraph.append(line)
        else:
            end_of_paragraph()
    end_of_block()
    return found


def name(command: str) -> str:
    """A command in one line, without the comment behind it."""
    return " ".join(re.sub(r"\s+#\s.*", "", command).replace("\\\n", " ").split())
