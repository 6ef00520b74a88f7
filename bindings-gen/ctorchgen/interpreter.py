"""The Python that has the generator's packages, where the one that runs does not."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def run_by_venv(root: Path, error: ImportError) -> str:
    """Start the program again with the Python of build/venv; where that is not possible, return the reason."""
    venv = root / "build/venv"
    python = venv / "bin/python"
    if python.exists() and Path(sys.prefix).resolve() != venv.resolve():
        os.execv(python, [str(python), *sys.argv])
    return (
        f"{error} for {sys.executable}; run examples/run, which sets up build/venv, or "
        "`pip install -r bindings-gen/requirements.txt` and torch, whose torchgen is used"
    )
