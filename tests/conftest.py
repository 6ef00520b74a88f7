"""Slow tests take turns in `.ci/run`: with CTORCH_SLOW=K, those marked `slow(K)` are the only ones of them that run."""

from __future__ import annotations

import os

import pytest

PARTS = 3


def pytest_configure(config):
    config.addinivalue_line("markers", f"slow(part): takes long; .ci/run picks one of {PARTS} parts by the commit")


def pytest_collection_modifyitems(items):
    part = os.environ.get("CTORCH_SLOW")
    for item in items if part else ():
        slow = item.get_closest_marker("slow")
        if slow is not None and slow.args != (int(part),):
            item.add_marker(pytest.mark.skip(reason=f"slow, and of part {slow.args[0]}: CTORCH_SLOW is {part}"))
