"""Documentation comments keep their layout: what belongs to a list item, to a @param or to code is indented as such.

    python check_comments.py FILE...

A tool that fills paragraphs pulls the second line of an item to the margin and runs lines of code together. Checked are
comments that open with `/**`: after `- …` and `@… …`, further lines of the same paragraph are indented; a line of code
(four blanks or more after the `*`) stands between other code and empty lines.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

COLUMNS = 120


def comments(text: str) -> Iterator[tuple[int, list[str]]]:
    """The number of the first line of each documentation comment, and what follows the ` *` of its lines."""
    for match in re.finditer(r"/\*\*\n(.*?)\*/", text, re.DOTALL):
        lines = match[1].splitlines()[:-1]
        yield text.count("\n", 0, match.start()) + 2, [re.sub(r"^\s*\*( |$)", "", line) for line in lines]


def problems(lines: list[str]) -> Iterator[tuple[int, str]]:
    hanging = code = False
    for number, line in enumerate(lines):
        if not line.strip():
            hanging = code = False
            continue
        indent = len(line) - len(line.lstrip())
        item = re.match(r" *(- |\d+\. |@)", line)
        if hanging and indent == 0 and not item:
            yield number, "the line goes on with the item above: indent it"
        if code and indent < 4 and not item:
            yield number, "a line of code runs into text"
        code = indent >= 4 and not hanging and not item
        hanging = bool(item) or (hanging and indent > 0)


def main(paths: list[str]) -> int:
    found = 0
    for path in paths:
        text = Path(path).read_text()
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > COLUMNS:
                print(f"{path}:{number}: {len(line)} columns")
                found += 1
        for first, lines in comments(text):
            for number, problem in problems(lines):
                print(f"{path}:{first + number}: {problem}")
                found += 1
    print(f"{len(paths)} headers looked at, {found} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
