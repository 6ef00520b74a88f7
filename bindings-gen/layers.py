#!/usr/bin/env python3
"""Copy the hand-written layer of each binding beside what gen.py emits for it: together they are the package.

    layers.py DIR    write languages/*/ to DIR/bindings/; what was copied earlier and is gone here goes there too

The build runs this in place of the whole generator when only such a file changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ctorchgen.outputs import write_all

LANGUAGES = Path(__file__).resolve().parent / "languages"


def layers(languages: Path) -> dict[str, str]:
    files = sorted(path for path in languages.glob("*/**/*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"bindings/{path.relative_to(languages)}": path.read_text() for path in files}


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    write_all(Path(sys.argv[1]), layers(LANGUAGES), "layers.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
