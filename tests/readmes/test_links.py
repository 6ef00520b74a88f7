"""Each relative link in a page leads to a file of the tree, and to a heading that this file has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """What GitHub calls the headings."""
    headings = re.findall(r"^#+ (.+)", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path, text: str, root: Path) -> list[str]:
    found = []
    for path, anchor in LINK.findall(CODE.sub("", text)):
        target = (root / page).parent / path if path else root / page
        if not target.exists():
            found.append(f"{page}: no file {path}")
        elif anchor and anchor not in anchors(text if not path else target.read_text()):
            found.append(f"{page}: no heading {path}#{anchor}")
    return found


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "b.md").write_text("## Why, and how?\n")
    text = "# A b\n[1](b.md#why-and-how) [2](#a-b) [3](c.md) [4](b.md#a-b) [5](#c) [6](https://x.y) `[7](d.md)`\n"
    (tmp_path / "a.md").write_text(text)
    assert broken(Path("a.md"), text, tmp_path) == [
        "a.md: no file c.md",
        "a.md: no heading b.md#a-b",
        "a.md: no heading #c",
    ]


def test_links_lead_somewhere():
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    pages = [Path(name) for name in names if name and (ROOT / name).is_file()]
    assert [problem for page in pages for problem in broken(page, (ROOT / page).read_text(), ROOT)] == []
