"""The hosted workflow calls the scripts that .ci/run calls, with every room and every slow run in one of its jobs."""

from __future__ import annotations

import re

import yaml

from tests.gate import rooms, slow

WORKFLOW = yaml.safe_load((rooms.ROOT / ".github/workflows/ci.yml").read_text())
JOBS = WORKFLOW["jobs"]


def test_every_room_is_in_one_job():
    listed = " ".join(JOBS["rooms"]["strategy"]["matrix"]["rooms"]).split()
    assert sorted(listed) == sorted(rooms.Rooms().rooms)


def test_every_slow_run_is_a_job():
    assert JOBS["slow"]["strategy"]["matrix"]["run"] == [run.name for run in slow.RUNS]


def test_the_jobs_call_scripts_that_exist_with_options_that_they_know():
    commands = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]
    scripts = [command.split() for command in commands if re.match("tests/|examples/", command)]
    assert len(scripts) == len(JOBS)
    for name, *words in scripts:
        text = (rooms.ROOT / name).read_text()
        for option in words:
            assert not option.startswith("--") or f"{option})" in text, (name, option)
