"""What tests of texts import from beside this folder: `runtime.capi`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
