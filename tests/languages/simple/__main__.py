"""python -m simple [--check] --path FOLDER PROGRAM.spl [ARGUMENT...]: check, or run a program."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .checker import check
from .interpreter import Program
from .parser import parse
from .runtime import runtime
from .tokens import SyntaxFault
from .transport import Transport, TransportFault
from .values import Fault


def modules(folder: Path) -> dict[str, Path]:
    """The modules below a folder by name: ctorch/__init__.spl is `ctorch`."""
    found = {}
    for path in sorted(folder.rglob("*.spl")):
        parts = path.relative_to(folder).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="simple", description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--path", type=Path, action="append", required=True, help="folder that holds modules")
    parser.add_argument("program", type=Path)
    options, arguments = parser.parse_known_args()
    try:
        if options.check:
            files = {n: parse(p.read_text(), str(p)) for f in options.path for n, p in modules(f).items()}
            files["main"] = parse(options.program.read_text(), str(options.program))
            complaints = check(files)
            print("\n".join(complaints) or f"{len(files)} files: nothing to complain about")
            return 1 if complaints else 0
        return Program(options.path, runtime(Transport(), arguments)).run(options.program) or 0
    except (Fault, SyntaxFault, TransportFault) as fault:
        print(f"simple: {fault}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
