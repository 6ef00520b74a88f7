"""Where the build is: CTORCH_BUILD, or build/cmake of this tree."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CTORCH_BUILD") or ROOT / "build/cmake")
LIBRARY = os.environ.get("CTORCH_LIBRARY") or str(BUILD / "libctorch.so")
BINDINGS = BUILD / "generated/bindings"
