"""Which slow run is due: the one that is longest ago among those whose files changed and that fit."""

from __future__ import annotations

import re

import pytest

from tests.gate import rooms, slow

NAMES = [run.name for run in slow.RUNS]


def line(date: str, minutes: int = 1) -> slow.Line:
    return slow.Line(date, "0123456", minutes)


def test_the_run_that_is_longest_ago_is_due():
    lines = {name: line("2026-02-01") for name in NAMES} | {"race": line("2026-01-01"), "tidy": line("2025-12-31")}
    assert slow.due(600, lines, set(NAMES), "abcdef0") == "tidy"
    assert slow.due(600, lines, set(NAMES) - {"tidy"}, "abcdef0") == "race"
    assert slow.due(600, lines, set(), "abcdef0") is None


def test_a_run_that_takes_longer_than_is_left_waits():
    lines = {name: line("2026-02-01") for name in NAMES} | {"race": line("2026-01-01", minutes=11)}
    assert slow.due(11 * 60, lines, {"race", "fuzz"}, "0") == "race"
    assert slow.due(11 * 60 - 1, lines, {"race", "fuzz"}, "0") == "fuzz"
    assert slow.due(59, lines, {"race", "fuzz"}, "0") is None


def test_among_runs_that_never_ran_the_commit_decides():
    chosen = {slow.due(10**6, {"race": line("2020-01-01")}, {"race", "fuzz", "tidy"}, f"{i:07x}") for i in range(2)}
    assert chosen == {"fuzz", "tidy"}


def test_the_last_line_of_a_run_counts(tmp_path):
    log = tmp_path / "slow.log"
    log.write_text("# a comment\nfuzz 2026-01-01 aaa 7\nrace 2026-01-02 bbb 8\nfuzz 2026-01-03 ccc 9\n")
    assert slow.read_log(log) == {"fuzz": slow.Line("2026-01-03", "ccc", 9), "race": slow.Line("2026-01-02", "bbb", 8)}
    assert slow.read_log(tmp_path / "none") == {}


def test_the_log_of_the_tree_can_be_read():
    assert set(slow.read_log()) <= set(NAMES)


def test_a_run_is_due_whose_commit_nobody_knows():
    run = next(run for run in slow.RUNS if run.name == "browser")
    assert slow.has_changed(run, None)
    assert slow.has_changed(run, slow.Line("2026-01-01", "f" * 40, 1))
    assert not slow.has_changed(run, slow.Line("2026-01-01", "HEAD", 1))


@pytest.mark.parametrize("run", slow.RUNS, ids=NAMES)
def test_what_a_run_tests_exists(run):
    tracked = rooms.Rooms().tracked
    for glob in run.files:
        assert any(rooms.matches(path, glob) for path in tracked), glob


def test_there_is_a_run_for_each_version_of_libtorch_but_the_one_of_the_gate():
    known = re.search(r"^known=\((.*)\)$", (slow.ROOT / "tests/platforms/versions").read_text(), re.MULTILINE)
    minors = [version.rpartition(".")[0] for version in known[1].split()]
    assert tuple(minor for minor in minors if minor != "2.13") == slow.VERSIONS
    assert {f"versions-{version}" for version in slow.VERSIONS} < set(NAMES)


def test_each_run_has_its_command():
    script = (slow.ROOT / "tests/slow").read_text()
    for name in NAMES:
        assert re.search(rf"^  {name}\)", script, re.MULTILINE) or name.startswith("versions-"), name
