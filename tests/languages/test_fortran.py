"""The Fortran modules: they compile, a program calls operators through them, and a failure is seen."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.build import BUILD
from tests.languages import data_sample, exported_model, file_exchange, training

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent / "fortran"
MODULES = BUILD / "generated/bindings/fortran"

LAYERS = [
    f"ctorch_{name}"
    for name in "errors scopes modules optimizers scaling dicts files tensor_files runs data trainers".split()
]

CLAIM = re.compile(r"call claim\('([^']+)'")

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
    for source in ("ctorch", *LAYERS):
        gfortran("-c", MODULES / f"{source}.f90", folder=folder)
    return folder


def run(folder, source, *arguments, debug="1", text=True):
    objects = [folder / f"{name}.o" for name in LAYERS]
    gfortran(source, *objects, BUILD / "libctorch.so", f"-Wl,-rpath,{BUILD}", "-o", folder / source.stem, folder=folder)
    environment = {**os.environ, "CTORCH_DEBUG_HANDLES": debug}
    command = [folder / source.stem, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=text, timeout=300)


@pytest.mark.parametrize("program", ["operators", "modules", "optimizers", "files", "data"])
def test_program(folder, subtests, tmp_path, program):
    folders = []
    if program == "files":
        folders = [file_exchange.give(tmp_path / "given"), tmp_path / "made"]
        (tmp_path / "made/sharded").mkdir(parents=True)
    if program == "data":
        folders = [tmp_path]
        [(tmp_path / name).mkdir() for name in ("cat", "dog")]
    done = run(folder, HERE / f"{program}.f90", *folders)
    assert done.returncode == 0, done.stdout + done.stderr
    if program == "files":
        file_exchange.check(tmp_path / "made")
    claims = re.findall(r"call claim\('((?:[^']|'')+)'", (HERE / f"{program}.f90").read_text())
    order = sorted({claim.replace("''", "'") for claim in claims})
    assert sorted({line[:-2] for line in done.stdout.splitlines()}) == order
    for line in done.stdout.splitlines():
        with subtests.test(line[:-2]):
            assert line.endswith(" T")


def test_a_failure_that_nobody_asks_for_ends_the_program(folder):
    done = run(folder, HERE / "unchecked.f90")
    assert done.returncode == 1 and "not reached" not in done.stdout
    assert "ctorch_aten_relu: NULL_ARGUMENT: " in done.stderr


def test_a_scope_ends_with_its_procedure(folder, subtests):
    done = run(folder, HERE / "scopes.f90")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [f"{claim} T" for claim in CLAIM.findall((HERE / "scopes.f90").read_text())]


@pytest.mark.turns
def test_train_digits_equals_the_c_program(folder, tmp_path):
    options = ["--epochs", "2", "--seed", "3", "--data", ROOT / "examples/data"]
    c = [BUILD / "examples/train_digits", *options, "--losses", tmp_path / "c", "--quiet"]
    c = subprocess.run(list(map(str, c)), capture_output=True, text=True, check=True)
    ours = run(folder, ROOT / "examples/fortran/train_digits.f90", *options, "--losses", tmp_path / "fortran")
    assert ours.returncode == 0, ours.stderr
    assert (tmp_path / "fortran").read_bytes() == (tmp_path / "c").read_bytes()
    assert ours.stdout.splitlines()[-1] == c.stdout.splitlines()[-1]
    assert "live" not in ours.stderr  # with CTORCH_DEBUG_HANDLES=1 the library would tell what is left


@pytest.mark.turns
def test_image_folder_equals_the_c_program(folder):
    images = ROOT / "examples/data/shapes"
    c = subprocess.run([BUILD / "examples/image_folder", images], capture_output=True, text=True, check=True)
    ours = run(folder, ROOT / "examples/fortran/image_folder.f90", images)
    assert (ours.returncode, ours.stdout, ours.stderr) == (0, c.stdout, "")


@pytest.mark.turns
def test_what_is_loaded_and_trained_is_that_of_python(folder, tmp_path):
    done = run(folder, HERE / "data_sample.f90", tmp_path)
    assert done.returncode == 0, done.stderr
    data_sample.assert_equal(done.stdout, ("weighted", "distributed", "split", "collated"))


@pytest.mark.turns
def test_gpt_equals_the_c_program(folder):
    arguments = [ROOT / "examples/data/sonnets.txt", "3"]
    c = subprocess.run([BUILD / "examples/gpt", *arguments], capture_output=True, timeout=300, check=True)
    ours = run(folder, ROOT / "examples/fortran/gpt.f90", *arguments, text=False)
    assert ours.returncode == 0, ours.stderr
    assert c.stdout.startswith(b"step 1: loss ") and ours.stdout == c.stdout
    assert b"live" not in ours.stderr  # with CTORCH_DEBUG_HANDLES=1 the library would tell what is left


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(folder, kind):
    done = run(folder, ROOT / "examples/fortran/run_model.f90", kind, exported_model.file(kind))
    assert done.returncode == 0, done.stderr
    assert "live" not in done.stderr
    exported_model.assert_equal(kind, done.stdout)


@pytest.mark.turns
def test_training_gives_the_numbers_of_python(folder):
    done = run(folder, HERE / "trainings.f90")
    assert done.returncode == 0, done.stderr
    training.check(done.stdout)


def test_the_programs_of_the_readme_run(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where they write files
    programs = re.findall(r"```fortran\n(.*?)```", (MODULES / "README.md").read_text(), re.S)
    for number, (program, printed) in enumerate(
        zip(programs, ([3.0, 6.0], [7, 1, 3, 100], [10, 10, 1, 2, 3]), strict=True)
    ):
        source = folder / f"readme{number}.f90"
        source.write_text(program)
        done = run(folder, source)
        assert done.returncode == 0, done.stderr
        assert [float(word) for word in done.stdout.split()] == printed


def test_every_function_is_there():
    text = (MODULES / "ctorch.f90").read_text()
    names = re.findall(r'bind\(c, name="(\w+)"\)', text)
    assert len(names) == len(set(names)) > 3600
    ours = re.findall(r"^    (?:function|subroutine) (\w+)\(", text, re.M)
    assert len(ours) == len({n.lower() for n in ours}) == len(names)
    assert max(map(len, ours)) <= 63 and max(map(len, text.splitlines())) <= 132
