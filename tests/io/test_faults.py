"""Saves that are killed, find the disk full or are interrupted: what was saved before is whole, and nothing is lost.

saver.c saves three snapshots; faults.c, loaded in front of it, lets one of its system calls go wrong: each in turn.
"""

from __future__ import annotations

import itertools
import os
import re
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


def save(folder, how, fault=None, at=0, named=""):
    given = {"LD_PRELOAD": str(TESTS / "libio_faults.so"), "FAULT_FOLDER": str(folder), "FAULT_NAMED": named}
    given |= {"FAULT": fault or "", "FAULT_AT": str(at), "OMP_NUM_THREADS": "1"}
    command = [TESTS / "io_saver", folder, str(STEPS), how]
    return subprocess.run(command, env=os.environ | given, capture_output=True, text=True)


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
    others = [file for file in folder.iterdir() if file.suffix != ".pt"]
    assert len(others) <= at_most, others


@pytest.mark.slow(2)
@pytest.mark.parametrize(("how", "named"), WAYS, ids=ids)
@pytest.mark.parametrize("fault", ["kill", "half"])
def test_a_process_that_is_killed_leaves_whole_snapshots(tmp_path, how, named, fault, record_property):
    for at in itertools.count(1):
        folder = tmp_path / str(at)
        done = save(folder, how, fault, at, named)
        check(folder, done, at_most=1)
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        if at % 5 == 0:  # and the next run goes on
            assert save(folder, how, named=named).returncode == 0
            assert steps_in(folder) == [STEPS - 1, STEPS]
    assert at > 4 * STEPS  # open, write, sync and rename of each
    record_property("kills survived", at - 1)


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
