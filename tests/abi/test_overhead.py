"""tests/bench/overhead.py: it finds the programs, reads what they print and makes a table of it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "bench/overhead.py"
SPEC = importlib.util.spec_from_file_location("overhead", SCRIPT)
overhead = importlib.util.module_from_spec(SPEC)
sys.modules["overhead"] = overhead
SPEC.loader.exec_module(overhead)

PRINTED = "starting\nversion 2.5\nsize 5\nadd 300.0\ncat 1e3\n"
BUILD = os.environ.get("CTORCH_BUILD")


def test_lines_are_read_and_others_are_not():
    assert overhead.parse(PRINTED) == {"version": 2.5, "size": 5, "add": 300, "cat": 1000}


def test_a_program_that_leaves_a_case_out_is_left_out():
    with pytest.raises(overhead.Missing, match="no add, cat"):
        overhead.parse("version 1\nsize 2\n")


def test_the_best_run_of_each_case_counts():
    runs = [dict.fromkeys(overhead.CASES, 3.0), {**dict.fromkeys(overhead.CASES, 4.0), "add": 2.0}]
    assert overhead.best(runs) == {"version": 3, "size": 3, "add": 2, "cat": 3}


def test_the_table_has_ratios_to_c():
    figures = {"c": overhead.parse(PRINTED), "other": {"version": 5.0, "size": 5.0, "add": 330.0, "cat": 2000.0}}
    assert overhead.table(figures).splitlines() == [
        "| language | version | size | add | cat |",
        "|---|---:|---:|---:|---:|",
        "| c | 2.5 | 5.0 | 300 | 1000 |",
        "| other | 5.0 (2.00) | 5.0 (1.00) | 330 (1.10) | 2000 (2.00) |",
    ]


def test_the_table_has_no_ratios_without_c():
    assert "(" not in overhead.table({"other": overhead.parse(PRINTED)})


def test_a_program_that_is_not_there_is_left_out(tmp_path):
    language = overhead.Language("no_such_language", "overhead.none", ("true",))
    with pytest.raises(overhead.Missing, match="there is no overhead.none"):
        overhead.Program(language, tmp_path, tmp_path / "out")


def test_a_command_that_is_not_there_is_left_out(tmp_path):
    language = overhead.Language("c", "overhead.c", ("true",), needs=("no-such-command",))
    with pytest.raises(overhead.Missing, match="no-such-command is not installed"):
        overhead.Program(language, tmp_path, tmp_path / "out")


def test_a_program_that_fails_is_left_out_with_its_last_word(tmp_path):
    language = overhead.Language("c", "overhead.c", ("sh", "-c", "echo first >&2; echo last >&2; exit 3"))
    with pytest.raises(overhead.Missing, match=r"sh ended with 3: last$"):
        overhead.Program(language, tmp_path, tmp_path / "out").measure()


def test_a_program_that_was_not_built_is_left_out(tmp_path):
    language = overhead.Language("c", "overhead.c", ("{build}/nothing",), built_by="make nothing")
    with pytest.raises(overhead.Missing, match="it is built by make nothing"):
        overhead.Program(language, tmp_path, tmp_path / "out").measure()


def test_no_program_is_forgotten():
    known = {language.find() for language in overhead.LANGUAGES}
    programs = {path for path in overhead.TESTS.glob("**/[oO]verhead.*") if path.suffix != ".class"}
    assert programs - {SCRIPT} <= known


def test_a_variant_of_a_language_has_its_program():
    assert (
        overhead.Language("c-with-a-flag", "overhead.c", ("true",)).find() == overhead.TESTS / "languages/c/overhead.c"
    )


@pytest.mark.skipif(not BUILD or shutil.which("cc") is None, reason="needs CTORCH_BUILD and cc")
def test_c_is_measured():
    done = subprocess.run(
        [sys.executable, SCRIPT, "--only", "c", "--rounds", "1"], capture_output=True, text=True, check=True
    )
    row = done.stdout.splitlines()[-1]
    figures = list(map(float, re.fullmatch(r"\| c \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", row).groups()))
    assert 0 < figures[0] < figures[2] < 1e6
    assert done.stderr == ""
