"""What tests of files import from beside this folder: `runtime.capi` and `runtime.values`; and what they counted."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def pytest_terminal_summary(terminalreporter):
    """A line for each test that recorded a property."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid}: {value} {name}")
