"""examples/run_model.c, which the examples of the languages are beside."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.languages import exported_model

PROGRAM = Path(os.environ.get("CTORCH_BUILD", "")) / "examples" / "run_model"

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="CTORCH_BUILD names no build of the examples")


@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(kind):
    environment = {**os.environ, "CTORCH_DEBUG_HANDLES": "1"}
    command = [PROGRAM, kind, exported_model.file(kind)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    exported_model.assert_equal(kind, done.stdout)


def test_another_file_is_refused():
    done = subprocess.run([PROGRAM, "script", exported_model.file("program")], capture_output=True, text=True)
    assert done.returncode != 0 and "ctorch_jit_load_file" in done.stderr
