"""What tests of summaries import from beside this folder: `runtime.capi` and `runtime.values`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
