"""Writing what a build needs, without touching what has not changed."""

from __future__ import annotations

from pathlib import Path


def write_all(folder: Path, outputs: dict[str, str], record: str) -> None:
    """Write the outputs; those of an earlier run that are none any more go. What others put beside them stays.

    `record` is the file in `folder` that lists what was written.
    """
    listed = folder / record
    earlier = listed.read_text().splitlines() if listed.exists() else []
    for name, text in outputs.items():
        write(folder / name, text)
    for name in set(earlier) - set(outputs):
        (folder / name).unlink(missing_ok=True)
    write(listed, "".join(f"{name}\n" for name in sorted(outputs)))


def write(path: Path, text: str) -> None:
    """Write only what changed, so that nothing is compiled again without need."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
