"""`ctorch board`, run as a user does, over what Python's SummaryWriter wrote."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import pytest
from torch.utils.tensorboard import SummaryWriter

from tests.harness.build import BUILD


def board(*arguments, status=0, **environment):
    given = os.environ | {"LC_ALL": "C.UTF-8"} | environment
    command = [BUILD / "ctorch", "board", *map(str, arguments)]
    done = subprocess.run(command, env=given, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


@pytest.fixture
def runs(tmp_path):
    for name, factor in ("a", 1.0), ("b/c", 2.0):
        with SummaryWriter(str(tmp_path / name)) as writer:
            for step in range(11):
                writer.add_scalar("loss", factor * (10 - step), step)
                writer.add_scalar("rising", step, 10 * step)
            writer.add_text("note", "x")
    return tmp_path


def table(text):
    return [line.split() for line in text.split("\n\n")[0].splitlines()]


def test_the_table(runs):
    assert table(board(runs)) == [
        ["run", "tag", "kind", "count", "step", "last", "min", "max"],
        ["a", "loss", "scalar", "11", "10", "0", "0", "10"],
        ["b/c", "loss", "scalar", "11", "10", "0", "0", "20"],
        ["a", "note/text_summary", "text", "1", "0"],
        ["b/c", "note/text_summary", "text", "1", "0"],
        ["a", "rising", "scalar", "11", "100", "10", "0", "10"],
        ["b/c", "rising", "scalar", "11", "100", "10", "0", "10"],
    ]


def test_json(runs):
    found = json.loads(board(runs, "--json", "--tag", "l*"))
    loss = {"tag": "loss", "kind": "scalar", "count": 11, "last_step": 10, "last": 0.0, "min": 0.0}
    assert found == {
        "runs": [{"run": "a", "tags": [loss | {"max": 10.0}]}, {"run": "b/c", "tags": [loss | {"max": 20.0}]}]
    }
    assert [run["run"] for run in json.loads(board(runs, "--json", "--run", "b*"))["runs"]] == ["b/c"]


def test_a_curve_goes_from_its_first_to_its_last_point(runs):
    text = board(runs, "--run", "a", "--tag", "loss", "--width", 31, "--height", 5, "--ascii")
    lines = text.split("\nloss\n")[1].splitlines()
    assert [line[:11].split() for line in lines[:5]] == [["10", "|"], ["|"], ["|"], ["|"], ["0", "|"]]
    drawn = [line[11:] for line in lines[:5]]
    assert drawn[0].startswith("a") and drawn[4].rstrip()[-1] == "a" and len(drawn[4]) == 20
    first = [len(row) - len(row.lstrip()) for row in drawn]
    assert first == sorted(first) and first[0] == 0
    assert lines[5].split() == ["0", "10"]


def test_runs_of_one_chart_are_told_apart(runs):
    text = board(runs, "--tag", "loss", "--width", 31, "--height", 5)
    drawn = text.split("\nloss\n")[1]
    assert "a  a" in drawn and "b  b/c" in drawn
    rows = [line[11:] for line in drawn.splitlines()[:5]]
    assert rows[0].startswith("b") and any("a" in row for row in rows)


def test_dots_of_braille_where_the_locale_has_them(runs):
    arguments = runs, "--run", "a", "--tag", "rising", "--width", 31, "--height", 4
    drawn = board(*arguments).split("\nrising\n")[1]
    assert any(0x2800 < ord(c) < 0x2900 for c in drawn)
    assert drawn.isascii() is False and board(*arguments, LC_ALL="C").split("\nrising\n")[1].isascii()


def test_averages_are_those_of_tensorboard(tmp_path):
    values, smoothed, last, weight = [0.0, 10.0, 0.0, 10.0, 0.0], [], 0.0, 0.0
    with SummaryWriter(str(tmp_path)) as writer:
        for step, value in enumerate(values):
            writer.add_scalar("x", value, step)
            last, weight = last * 0.5 + value * 0.5, weight * 0.5 + 0.5
            smoothed.append(last / weight)
    drawn = board(tmp_path, "--smooth", 0.5, "--ascii", "--height", 3).split("\nx\n")[1].splitlines()
    assert float(drawn[0].split("|")[0]) == pytest.approx(max(smoothed), rel=1e-3)
    assert float(drawn[2].split("|")[0]) == pytest.approx(min(smoothed), rel=1e-3)


def test_what_a_terminal_would_obey_is_shown_as_bytes(tmp_path):
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_scalar("a\x1b[2Jb\x9b", 1, 1)
    assert "a\\x1b[2Jb\\xc2\\x9b" in board(tmp_path) and "\x1b" not in board(tmp_path)


def test_numbers_that_are_none(tmp_path):
    with SummaryWriter(str(tmp_path)) as writer:
        for step, value in enumerate([float("nan"), float("inf")]):
            writer.add_scalar("x", value, step)
    assert "no finite values" in board(tmp_path)
    (run,) = json.loads(board(tmp_path, "--json"))["runs"]
    assert run["tags"][0]["last"] == "Infinity" and run["tags"][0]["min"] is None


def test_what_was_logged_before_a_purge_is_gone(tmp_path):
    for purge_step in None, 3:
        with SummaryWriter(str(tmp_path), purge_step=purge_step) as writer:
            for step in range(purge_step or 0, 5):
                writer.add_scalar("x", step + 100 * (purge_step or 0), step)
        for path in tmp_path.iterdir():
            if "tfevents" in path.name and "run" not in path.name:
                path.rename(tmp_path / f"tfevents.run.{purge_step or 0}")
    (run,) = json.loads(board(tmp_path, "--json"))["runs"]
    assert (run["tags"][0]["count"], run["tags"][0]["max"]) == (5, 304.0)


def test_damaged_files_are_said_and_the_rest_shown(runs):
    path = next(path for path in (runs / "a").iterdir())
    data = path.read_bytes()
    path.write_bytes(data[:-5] + b"\0" + data[-4:])
    done = subprocess.run([BUILD / "ctorch", "board", runs], capture_output=True, text=True)
    assert done.returncode == 0 and "checksum" in done.stderr and "rising" in done.stdout


def test_arguments_are_checked(tmp_path):
    assert "takes one folder" in board(status=2)
    assert "no/such" in board("/no/such", status=2)
    assert "--smooth" in board(tmp_path, "--smooth", 1, status=2)
    assert "--width" in board(tmp_path, "--width", 0, status=2)
    assert "exclude" in board(tmp_path, "--follow", "--json", status=2)


def test_following_until_an_interrupt(tmp_path):
    with SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_scalar("x", 1.5, 1)
        writer.flush()
        command = [BUILD / "ctorch", "board", "--follow", tmp_path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "run\tx\t1\t1.5\n"
            writer.add_scalar("x", 2.5, 2)
            writer.flush()
            assert process.stdout.readline() == "run\tx\t2\t2.5\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
