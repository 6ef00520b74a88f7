"""Tests that take turns, and the order in which files of tests begin.

`turns` divides the cases of a test among the runs of `tests/run`, by the commit: one of three cases runs, or one of N
with `turns(N)`. `slow(K)` is for a file or a test that only costs less as a whole: it runs in the K-th of three turns.
CTORCH_TURN, a number, is the turn; `tests/run --all` sets none and runs everything.
"""

from __future__ import annotations

import os
import re
import zlib

import pytest

PARTS = 3
# Files that wait for compilers or train a model: they begin first, so that none of them is left alone at the end.
LONG = re.compile(
    r"tests/(languages|examples|serve|sweep|operators|export|readmes|module/test_memory|tape/test_operators)\b"
)


def pytest_configure(config):
    config.addinivalue_line("markers", f"slow(part): takes long; runs in one of {PARTS} turns")
    config.addinivalue_line("markers", f"turns(parts): each case runs in one of so many turns, {PARTS} by default")


def turn_of(item) -> tuple[int, int] | None:
    """In which of how many turns a test runs; None: in each."""
    if slow := item.get_closest_marker("slow"):
        return slow.args[0], PARTS
    if turns := item.get_closest_marker("turns"):
        parts = turns.args[0] if turns.args else PARTS
        return zlib.crc32(item.nodeid.encode()) % parts, parts
    return None


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONG.match(item.nodeid) is None)  # stable
    turn = os.environ.get("CTORCH_TURN")
    for item in items if turn else ():
        own = turn_of(item)
        if own and int(turn) % own[1] != own[0]:
            item.add_marker(pytest.mark.skip(reason=f"runs in turn {own[0]} of {own[1]}: CTORCH_TURN is {turn}"))
