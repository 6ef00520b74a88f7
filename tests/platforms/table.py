"""The table of the versions of LibTorch, from the logs of `tests/platforms/versions`: `table.py FOLDER [PAGE]`.

FOLDER/<version>/ has the logs of the steps that were made. With a page, the table in it is replaced by this one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HEAD = """\
| LibTorch | operators | substituted | C tests passed | parity with its Python |
|---|---|---|---|---|
"""
BEGIN, END = "<!-- tests/platforms/versions --page -->\n", "<!-- end -->\n"
NONE = "–"


def found(log: Path, pattern: str) -> re.Match[str] | None:
    return re.search(pattern, log.read_text(errors="replace"), re.MULTILINE) if log.exists() else None


def row(folder: Path) -> str:
    operators = substituted = tests = parity = NONE
    if m := found(
        folder / "generator.log", r": (\d+) operator.* (\d+) of them not in this.* (\d+) of them substituted"
    ):
        operators, substituted = f"{int(m[1]) - int(m[2]):,} of {int(m[1]):,}", m[3]
    if m := found(folder / "ctest.log", r"^\d+% tests passed, (\d+) tests failed out of (\d+)"):
        tests = f"{int(m[2]) - int(m[1])} of {m[2]}"
    if m := found(folder / "parity.log", r"^parity: .* (\d+) calls compared.* (\d+) differences"):
        parity = f"{int(m[1]):,} calls, {m[2]} differences"
    return f"| {folder.name} | {operators} | {substituted} | {tests} | {parity} |\n"


def table(folder: Path) -> str:
    versions = sorted(folder.glob("[0-9]*"), key=lambda f: tuple(int(part) for part in f.name.split(".")))
    return HEAD + "".join(map(row, versions))


def main() -> None:
    text = table(Path(sys.argv[1]))
    if len(sys.argv) == 2:
        print(text, end="")
        return
    page = Path(sys.argv[2])
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{page}: no place for the table, {BEGIN.strip()} … {END.strip()}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")


if __name__ == "__main__":
    main()
