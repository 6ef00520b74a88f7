"""Tests that take turns, and the order in which files of tests begin.

With CTORCH_SLOW=K, as `tests/run` sets it by the commit, the K-th of three parts runs of what takes turns: `slow(K)`
names the part of a whole test, and `turns` divides the cases of a test among the parts. `tests/run --all` runs
everything.
"""

from __future__ import annotations

import os
import re
import zlib

import pytest

PARTS = 3
# Files that wait for compilers or train a model: they begin first, so that none of them is left alone at the end.
LONG = re.compile(r"tests/(consumers/|test_|sweep/|parity/|nn/test_memory|tape/test_operators)")


def pytest_configure(config):
    config.addinivalue_line("markers", f"slow(part): takes long; tests/run picks one of {PARTS} parts by the commit")
    config.addinivalue_line("markers", f"turns: one of {PARTS} cases runs in a turn, another one in the next")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONG.match(item.nodeid) is None)  # stable
    part = os.environ.get("CTORCH_SLOW")
    for item in items if part else ():
        slow = item.get_closest_marker("slow")
        own = slow.args[0] if slow else zlib.crc32(item.nodeid.encode()) % PARTS
        if (slow or item.get_closest_marker("turns")) and own != int(part):
            item.add_marker(pytest.mark.skip(reason=f"the turn of part {own}: CTORCH_SLOW is {part}"))
