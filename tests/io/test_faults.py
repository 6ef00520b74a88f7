"""Saves that are killed, find the disk full or are interrupted: what was saved before is whole, and nothing is lost.

saver.c saves three snapshots; faults.c, loaded in front of it, lets one of its system calls go wrong: each in turn.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import re
import resource
import subprocess
from pathlib import Path

import pytest
import torch

TESTS = Path(os.environ["CTORCH_BUILD"]) / "tests"
STEPS = 3
WAYS = list(
    itertools.product(["now", "async"], ["", "1"])
)  # how it is saved; whether files have a name from the beginning
ids = [f"{how}{'_named' if named else ''}" for how, named in WAYS]


def save(folder, how, fault=None, at=0, named="", no_proc="", largest=None):
    given = {"LD_PRELOAD": str(TESTS / "libio_faults.so"), "FAULT_FOLDER": str(folder), "FAULT_NAMED": named}
    given |= {"FAULT_NO_PROC": no_proc}
    given |= {"FAULT": fault or "", "FAULT_AT": str(at), "OMP_NUM_THREADS": "1"}
    command = [TESTS / "io_saver", folder, str(STEPS), how]
    limit = None if largest is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    return subprocess.run(command, env=os.environ | given, capture_output=True, text=True, preexec_fn=limit)


def steps_in(folder):
    """The steps that have snapshots, each of which is whole."""
    steps = []
    for file in sorted(folder.glob("*.pt")):
        step = int(file.stem.removeprefix("snapshot-"))
        state = torch.load(file)
        assert state["step"] == step
        assert state["parts"]["state"]["text"] == str(step)
        assert torch.equal(state["parts"]["state"]["tensor"], torch.full([200000], float(step)))
        steps.append(step)
    return steps


def went_wrong(done):
    """How many of its calls."""
    return int(re.search(r"^(\d+) calls went wrong$", done.stderr, re.MULTILINE)[1])


def check(folder, done, at_most):
    said = [int(line) for line in done.stdout.split()]
    steps = steps_in(folder)
    assert len(steps) <= 3  # the two that are kept, and one that was to be removed
    if said:
        assert said[-1] in steps, "what was said to be saved is there"
    assert len(others(folder)) <= at_most


def others(folder):
    return [file for file in folder.iterdir() if file.suffix != ".pt"]


@pytest.mark.slow(2)
@pytest.mark.parametrize(("how", "named"), WAYS, ids=ids)
@pytest.mark.parametrize("fault", ["kill", "half"])
def test_a_process_that_is_killed_leaves_whole_snapshots(tmp_path, how, named, fault, record_property):
    for at in itertools.count(1):
        folder = tmp_path / str(at)
        done = save(folder, how, fault, at, named)
        check(folder, done, at_most=1 if named else 0)
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        if at % 5 == 0:  # and the next run goes on
            assert save(folder, how, named=named).returncode == 0
            assert steps_in(folder) == [STEPS - 1, STEPS]
            assert others(folder) == []
    assert at > 4 * STEPS  # open, write, sync and rename of each
    record_property("kills survived", at - 1)


def test_a_process_that_is_killed_while_it_replaces_a_file_leaves_nothing_for_long(tmp_path):
    """A file that has the wrong name when its process dies is removed by the next one that saves there."""
    left = 0
    for at in itertools.count(1):
        folder = tmp_path / str(at)
        folder.mkdir()
        done = save(folder, "over", "kill", at)
        said = [int(line) for line in done.stdout.split()]
        if said:
            assert int(torch.load(folder / "state.pt")["text"]) >= said[-1]
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        left += len(others(folder))
        if others(folder):
            assert save(folder, "over").returncode == 0
            assert torch.load(folder / "state.pt")["text"] == str(STEPS)
            assert others(folder) == []
    assert left == STEPS - 1  # between the second name and the first, each time that there was a file


def test_what_somebody_writes_is_not_taken_for_what_a_dead_process_left(tmp_path):
    """Its lock says so, whatever its name."""
    ours, dead, other = (tmp_path / name for name in (".ctorch-1-0-a", ".ctorch-1-1-a", ".ctorch-1-0-a.txt"))
    for file in (ours, dead, other):
        file.write_text("text")
    with ours.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert save(tmp_path, "over").returncode == 0
        assert {*others(tmp_path)} == {ours, other}
    assert save(tmp_path, "over").returncode == 0
    assert others(tmp_path) == [other]


def test_a_file_beyond_the_limit_is_an_error_and_no_signal(tmp_path):
    """`ulimit -f`: SIGXFSZ, which ends a process, comes with the error of write()."""
    assert save(tmp_path, "over").returncode == 0
    for how in ("over", "now", "async"):
        done = save(tmp_path, how, largest=300_000)
        assert done.returncode == 1, done
        assert done.stderr.startswith("IO: cannot write "), done.stderr
        assert "File too large" in done.stderr
    assert torch.load(tmp_path / "state.pt")["text"] == str(STEPS)
    assert [file.name for file in tmp_path.iterdir()] == ["state.pt"]


def test_no_proc_is_needed(tmp_path):
    """As in a chroot: a file without a name cannot get one there."""
    for how in ("now", "over"):
        (tmp_path / how).mkdir()
        done = save(tmp_path / how, how, no_proc="1")
        assert done.returncode == 0, done.stderr
        assert others(tmp_path / how) == []
    assert steps_in(tmp_path / "now") == [STEPS - 1, STEPS]


@pytest.mark.turns
@pytest.mark.parametrize(("how", "named"), WAYS, ids=ids)
def test_a_full_disk_is_an_error_that_names_the_file(tmp_path, how, named, record_property):
    recovered = 0
    for at in itertools.count(1):
        folder = tmp_path / str(at)
        done = save(folder, how, "fail", at, named)
        check(folder, done, at_most=1 if named else 0)
        if went_wrong(done) == 0:
            assert done.returncode == 0
            break
        if done.returncode == 0:  # a file that could not be opened without a name got one
            assert steps_in(folder) == [STEPS - 1, STEPS]
            recovered += 1
            continue
        assert done.returncode == 1, done.stderr
        assert done.stderr.startswith("IO: cannot "), done.stderr
        assert str(folder) in done.stderr
        assert "No space left on device" in done.stderr
    assert at > 4 * STEPS
    assert recovered == (0 if named else STEPS)
    record_property("failures survived", at - 1)


@pytest.mark.parametrize(("how", "named"), WAYS, ids=ids)
def test_interrupted_calls_go_on(tmp_path, how, named, record_property):
    done = save(tmp_path, how, "interrupt", named=named)
    assert done.returncode == 0, done.stderr
    assert steps_in(tmp_path) == [STEPS - 1, STEPS]
    assert len(list(tmp_path.iterdir())) == 2
    assert went_wrong(done) > 4 * STEPS
    record_property("interruptions survived", went_wrong(done))
