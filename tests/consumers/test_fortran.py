"""The Fortran modules: they compile, a program calls operators through them, and a failure is seen."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ["CTORCH_BUILD"])
HERE = Path(__file__).resolve().parent / "fortran"
MODULES = BUILD / "generated/bindings/fortran"

if shutil.which("gfortran") is None:
    pytest.skip("gfortran is missing: apt-get install gfortran", allow_module_level=True)


def gfortran(*arguments, folder):
    command = ["nice", "gfortran", "-std=f2018", "-Wall", "-Werror", "-Wno-c-binding-type", "-J", folder, *arguments]
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The modules, compiled."""
    folder = tmp_path_factory.mktemp("fortran")
    for source in ("ctorch.f90", "ctorch_errors.f90"):
        gfortran("-c", MODULES / source, folder=folder)
    return folder


def run(folder, name):
    library = BUILD / "libctorch.so"
    gfortran(
        HERE / f"{name}.f90", folder / "ctorch_errors.o", library, f"-Wl,-rpath,{BUILD}", "-o", name, folder=folder
    )
    environment = {**os.environ, "CTORCH_DEBUG_HANDLES": "1"}
    return subprocess.run([folder / name], env=environment, capture_output=True, text=True, timeout=100)


def test_operators(folder, subtests):
    done = run(folder, "operators")
    assert done.returncode == 0, done.stdout + done.stderr
    claims = re.findall(r"call claim\('([^']+)'", (HERE / "operators.f90").read_text())
    assert [line[:-2] for line in done.stdout.splitlines()] == claims
    for line in done.stdout.splitlines():
        with subtests.test(line[:-2]):
            assert line.endswith(" T")


def test_a_failure_that_nobody_asks_for_ends_the_program(folder):
    done = run(folder, "unchecked")
    assert done.returncode == 1 and "not reached" not in done.stdout
    assert "ctorch_aten_relu: NULL_ARGUMENT: " in done.stderr


def test_every_function_is_there():
    text = (MODULES / "ctorch.f90").read_text()
    names = re.findall(r'bind\(c, name="(\w+)"\)', text)
    assert len(names) == len(set(names)) > 3600
    ours = re.findall(r"^    (?:function|subroutine) (\w+)\(", text, re.M)
    assert len(ours) == len({n.lower() for n in ours}) == len(names)
    assert max(map(len, ours)) <= 63 and max(map(len, text.splitlines())) <= 132
