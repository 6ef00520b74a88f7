"""The Go package: its tests, build time, and the training program beside the one in C."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.build import BUILD
from tests.languages import data_program, exported_model, file_exchange, forgotten, text_sample, training

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent / "go"
PACKAGE = BUILD / "generated/bindings/go"
FOLDER = BUILD / "consumers/go"
EXAMPLES = ("image_folder", "gpt", "run_model", "rate_reviews")

if shutil.which("go") is None:
    pytest.skip("go is missing: apt-get install golang-go", allow_module_level=True)


@pytest.fixture(scope="session")
def environment():
    """A module for go, made once: the tests, the package beside them, and a ctorch.pc for the build tree."""
    shutil.copytree(HERE, FOLDER, dirs_exist_ok=True)
    examples = ROOT / "examples/go"
    sources = (examples / name for name in ("train_digits.go", *(f"{name}/{name}.go" for name in EXAMPLES)))
    for source in (*sources, ROOT / "tests/bench/go/overhead.go"):
        (FOLDER / source.stem).mkdir(exist_ok=True)
        shutil.copyfile(source, FOLDER / source.stem / "main.go")
    link = FOLDER / "package"
    if not link.is_symlink():
        link.symlink_to(PACKAGE)
    (FOLDER / "ctorch.pc").write_text(
        "Name: ctorch\nDescription: ctorch of this build\nVersion: 0.1.0\n"
        f"Cflags: -I{ROOT / 'include'}\nLibs: -L{BUILD} -lctorch\n"
    )
    return {
        **os.environ,
        "PKG_CONFIG_PATH": str(FOLDER),
        "LD_LIBRARY_PATH": str(BUILD),
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
        "GOCACHE": str(FOLDER / "cache"),
        "CTORCH_DEBUG_HANDLES": "1",
    }


def go(*arguments, environment):
    done = subprocess.run(
        ["nice", "go", *arguments], cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout


@pytest.fixture(scope="session")
def programs(environment):
    folder = FOLDER / "programs"
    folder.mkdir(exist_ok=True)
    names = "train_digits", *EXAMPLES, "training", "data", "text", "forgotten", "overhead"
    go("build", "-o", str(folder), *(f"./{name}" for name in names), environment=environment)
    return folder


def run(program, *arguments, environment):
    done = subprocess.run(
        [program, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=300, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_suite(environment, programs, subtests, tmp_path):
    """Every test passes, afterwards no handle is live, and Python reads the files that were written."""
    given, made = file_exchange.give(tmp_path / "given"), tmp_path / "made"
    made.mkdir()
    environment = {**environment, "CTORCH_TEST_GIVEN": str(given), "CTORCH_TEST_MADE": str(made)}
    output = go("test", "-count=1", "-v", ".", environment=environment)
    names = re.findall(r"^--- PASS: (\w+)", output, re.M)
    for name in names:
        with subtests.test(name):
            pass
    assert len(names) == len(
        re.findall(r"^func Test(?!Main)\w+\(t", "".join(p.read_text() for p in HERE.glob("*_test.go")), re.M)
    )
    file_exchange.check(made)


def test_every_function_and_operator_is_there():
    functions = {f["name"] for f in json.loads(Path(os.environ["CTORCH_API"]).read_text())["functions"]}
    names = re.findall(r'^\t"(ctorch_\w+)",', (PACKAGE / "functions.go").read_text(), re.M)
    assert len(names) == len(set(names)) > 3600 and set(names) == functions
    operators = re.findall(r"^func ([A-Z]\w*)\(", (PACKAGE / "aten/aten.go").read_text(), re.M)
    assert len(operators) == len(set(operators)) == sum(n.startswith("ctorch_aten_") for n in names)


@pytest.mark.turns
@pytest.mark.parametrize("what", forgotten.COUNTS)
def test_what_small_handles_keep_goes_by_default(environment, programs, what, tmp_path):
    forgotten.check(what, [str(programs / "forgotten")], {**environment, "CTORCH_DEBUG_HANDLES": "0"}, tmp_path)


@pytest.mark.turns
def test_train_digits_equals_the_c_program(environment, programs, tmp_path):
    options = ["--epochs", "2", "--seed", "3", "--data", ROOT / "examples/data"]
    plain = {**environment, "CTORCH_DEBUG_HANDLES": "0"}
    c = run(BUILD / "examples/train_digits", *options, "--losses", tmp_path / "c", "--quiet", environment=plain)
    more = "--workers", 2, "--snapshots", tmp_path / "snapshots", "--losses", tmp_path / "go"
    for _ in range(2):  # the second time nothing is left to do
        ours = run(programs / "train_digits", *options, *more, environment=plain)
        assert (tmp_path / "go").read_bytes() == (tmp_path / "c").read_bytes()
        assert ours.splitlines()[-1] == c.splitlines()[-1]


@pytest.mark.turns
def test_image_folder_equals_the_c_program(environment, programs):
    shapes = ROOT / "examples/data/shapes"
    plain = {**environment, "CTORCH_DEBUG_HANDLES": "0"}
    c = run(BUILD / "examples/image_folder", shapes, environment=plain)
    assert len(c.splitlines()) == 16 and run(programs / "image_folder", shapes, environment=plain) == c


@pytest.mark.turns
def test_gpt_equals_the_c_program(environment, programs):
    arguments = [ROOT / "examples/data/sonnets.txt", "3"]
    plain = {**environment, "CTORCH_DEBUG_HANDLES": "0"}
    c = subprocess.run([BUILD / "examples/gpt", *arguments], capture_output=True, timeout=300, check=True)
    ours = subprocess.run([programs / "gpt", *arguments], env=plain, capture_output=True, timeout=300, check=True)
    assert c.stdout.startswith(b"step 1: loss ") and ours.stdout == c.stdout


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(environment, programs, kind):
    plain = {**environment, "CTORCH_DEBUG_HANDLES": "0"}
    exported_model.assert_equal(kind, run(programs / "run_model", kind, exported_model.file(kind), environment=plain))


@pytest.mark.turns
def test_texts_are_encoded_judged_and_logged_as_in_python(environment, programs, tmp_path):
    text_sample.write(tmp_path)
    text_sample.assert_equal(tmp_path, run(programs / "text", tmp_path, environment=environment))
    plain = {**environment, "CTORCH_DEBUG_HANDLES": "0"}
    rated = run(programs / "rate_reviews", tmp_path / "tokenizer.json", tmp_path / "log", environment=plain)
    text_sample.assert_rated(tmp_path, rated)


@pytest.mark.turns
def test_training_gives_the_numbers_of_python(environment, programs):
    training.check(run(programs / "training", environment={**environment, "CTORCH_DEBUG_HANDLES": "0"}))


@pytest.mark.turns
def test_data_and_the_trainer_give_what_python_does(environment, programs, tmp_path):
    folder = data_program.give(tmp_path)
    output = run(programs / "data", folder, environment=environment)
    data_program.check(output, folder)
    assert output.endswith("\n0 live handles\n")


@pytest.mark.turns
def test_a_program_runs_as_the_readme_says(environment, tmp_path):
    """From an installed tree, with nothing set but what the README sets; each of its programs."""
    prefix = tmp_path / "prefix"
    (prefix / "share/ctorch/bindings").mkdir(parents=True)
    (prefix / "share/ctorch/bindings/go").symlink_to(PACKAGE)
    (prefix / "lib/pkgconfig").mkdir(parents=True)
    for name in ("libctorch.so", "libctorch.so.0"):
        (prefix / "lib" / name).symlink_to(BUILD / name)
    (prefix / "lib/pkgconfig/ctorch.pc").write_text(
        "prefix=${pcfiledir}/../..\nName: ctorch\nDescription: installed\nVersion: 0.1.0\n"
        f"Cflags: -I{ROOT / 'include'}\nLibs: -L${{prefix}}/lib -lctorch -Wl,-rpath,${{prefix}}/lib\n"
    )
    blocks = re.findall(r"```\w*\n(.*?)```", (PACKAGE / "README.md").read_text(), re.S)
    module, command, *sources = (text.replace("<prefix>", str(prefix)) for text in blocks)
    bare = {k: v for k, v in environment.items() if k not in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH")}
    outputs = "[2 4 6]\n", "[3 3 2]\ntrue true\n", "7 [bias weight]\ntrue 0 100 <nil>\n"
    for source, printed in zip(sources, outputs, strict=True):
        program = tmp_path / f"program{len(printed)}"
        program.mkdir()
        (program / "go.mod").write_text("module program\n\ngo 1.19\n\n" + module)
        (program / "main.go").write_text(source)
        done = subprocess.run(
            ["sh", "-ec", command], cwd=program, env=bare, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == printed


def test_overhead_prints_a_line_for_each_case(environment, programs):
    if not os.environ.get("CTORCH_BENCH"):
        pytest.skip("figures: set CTORCH_BENCH=1")
    output = run(programs / "overhead", environment={**environment, "CTORCH_DEBUG_HANDLES": "0"})
    assert [line.split()[0] for line in output.splitlines()] == ["version", "size", "add", "cat"]
    print(output)


def test_vet(environment, programs):
    go("vet", ".", "ctorch", environment=environment)


def test_hand_written_files_have_the_style_of_gofmt():
    if shutil.which("gofmt") is None:
        pytest.skip("gofmt is missing: apt-get install golang-go")
    files = [ROOT / "bindings-gen/languages/go", HERE, ROOT / "examples/go", ROOT / "tests/bench/go"]
    assert subprocess.run(["gofmt", "-l", *files], capture_output=True, text=True).stdout == ""
