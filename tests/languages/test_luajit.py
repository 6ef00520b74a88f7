"""The LuaJIT binding, in LuaJIT: the programs of luajit/, what the example learns, and operators beside Python's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.harness.build import BUILD
from tests.languages import data_sample, exported_model, forgotten, text_sample, training_sample
from tests.languages.operator_sample import draw

ROOT = Path(__file__).parents[2]
API = os.environ.get("CTORCH_API", str(BUILD / "generated" / "api.json"))
PROGRAMS = Path(__file__).parent / "luajit"
LUAJIT = shutil.which("luajit")

pytestmark = pytest.mark.skipif(LUAJIT is None, reason="luajit is missing: Debian package luajit")


def luajit(*arguments: Any, status: int = 0, text: bool = True, **environment: str) -> subprocess.CompletedProcess:
    """Run a program with the binding in its path; handles are counted."""
    found = subprocess.run(
        [LUAJIT, *map(str, arguments)],
        env={
            **os.environ,
            "CTORCH_LIBRARY": os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so")),
            "LUA_PATH": f"{BUILD}/generated/bindings/luajit/?.lua;{PROGRAMS}/?.lua;;",
            "CTORCH_DEBUG_HANDLES": "1",
            **environment,
        },
        capture_output=True,
        text=text,
        errors="backslashreplace" if text else None,
        timeout=240,
    )
    assert found.returncode == status, (found.stdout + found.stderr)[-3000:]
    return found


@pytest.mark.turns
@pytest.mark.parametrize("what", forgotten.COUNTS)
def test_what_small_handles_keep_is_collected(what, tmp_path):
    environment = {
        **os.environ,
        "CTORCH_LIBRARY": os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so")),
        "LUA_PATH": f"{BUILD}/generated/bindings/luajit/?.lua;;",
    }
    forgotten.check(what, [LUAJIT, str(PROGRAMS / "forgotten.lua")], environment, tmp_path)


@pytest.mark.parametrize(
    "program", ["all_functions", "values", "native", "errors", "ownership", "callbacks", "modules", "optimizers"]
)
def test_program(program):
    """Each prints `ok NAME` or `not ok NAME: why` for every one of its checks, and `live 0` at the end."""
    file = PROGRAMS / f"{program}.lua"
    found = luajit(file)
    lines = found.stdout.splitlines()
    assert "was released: made by" not in found.stderr, found.stderr[-3000:]  # a second release
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    assert len(lines) - 1 == len(re.findall(r"^(?:check\.)?that\(", file.read_text(), re.MULTILINE))


@pytest.mark.turns
def test_training_is_that_of_python():
    training_sample.assert_equal(luajit(PROGRAMS / "training.lua").stdout)


@pytest.mark.turns
def test_datasets_transforms_and_trainer(tmp_path):
    file = PROGRAMS / "data.lua"
    lines = luajit(file, tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    assert len(lines) - 1 == len(re.findall(r"^that\(", file.read_text(), re.MULTILINE))


@pytest.mark.turns
def test_what_is_loaded_and_trained_is_that_of_python(tmp_path):
    data_sample.assert_equal(luajit(PROGRAMS / "data_sample.lua", tmp_path).stdout)


def to_lua(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'["{k}"] = {to_lua(v)}' for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(to_lua, value)) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(c if c.isalnum() or c in " _-,.:>" else f"\\{ord(c)}" for c in value) + '"'
    return str(value)


@pytest.mark.turns
def test_three_hundred_operators_as_in_python(tmp_path):
    calls = draw(API)
    file = tmp_path / "calls.lua"
    parts = [f"calls[{i}] = {to_lua(c.to_json())}" for i, c in enumerate(calls, 1)]
    file.write_text("local calls = {}\n" + "\n".join(parts) + "\nreturn calls\n")
    output = luajit(PROGRAMS / "sample.lua", file).stdout
    body, _, live = output.rpartition("live ")
    found = [part.splitlines()[1:] for part in body.split("call ")[1:]]
    different = {
        f"{call.operator}.{call.overload}": (lines[:2], call.expected[:2])
        for call, lines in zip(calls, found, strict=True)
        if lines != call.expected
    }
    assert different == {}
    assert live.strip() == "0"


@pytest.mark.turns
def test_train_digits_reaches_the_losses_of_the_c_program(tmp_path):
    options = ["--epochs", "2", "--seed", "3", "--data", str(ROOT / "examples" / "data")]
    c = subprocess.run(
        [BUILD / "examples" / "train_digits", "-q", *options, "--losses", tmp_path / "c"],
        capture_output=True,
        text=True,
        check=True,
    )
    lua = luajit(ROOT / "examples" / "luajit" / "train_digits.lua", *options, "--losses", tmp_path / "lua")
    assert (tmp_path / "lua").read_bytes() == (tmp_path / "c").read_bytes()
    assert lua.stdout.splitlines()[-1] == c.stdout.splitlines()[-1]
    assert re.match(r"test loss \d", lua.stdout.splitlines()[-1])


@pytest.mark.turns
def test_image_folder_prints_what_the_c_program_does():
    folder = ROOT / "examples" / "data" / "shapes"
    c = subprocess.run([BUILD / "examples" / "image_folder", folder], capture_output=True, text=True, check=True)
    assert luajit(ROOT / "examples" / "luajit" / "image_folder.lua", folder).stdout == c.stdout


@pytest.mark.turns
@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(kind):
    found = luajit(ROOT / "examples" / "luajit" / "run_model.lua", kind, exported_model.file(kind))
    assert found.stderr == ""
    exported_model.assert_equal(kind, found.stdout)


@pytest.mark.turns
def test_models_of_python(tmp_path):
    exported_model.write(tmp_path)
    lines = luajit(PROGRAMS / "deployment.lua", tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    assert len(lines) - 1 == len(re.findall(r"^that\(", (PROGRAMS / "deployment.lua").read_text(), re.MULTILINE))
    exported_model.check(tmp_path)


@pytest.mark.turns
def test_texts_are_encoded_judged_and_logged_as_in_python(tmp_path):
    text_sample.write(tmp_path)
    text_sample.assert_equal(tmp_path, luajit(PROGRAMS / "text.lua", tmp_path).stdout)
    rate = ROOT / "examples" / "luajit" / "rate_reviews.lua"
    text_sample.assert_rated(tmp_path, luajit(rate, tmp_path / "tokenizer.json", tmp_path / "log").stdout)


@pytest.mark.turns
def test_gpt_writes_the_bytes_of_the_c_program():
    arguments = [ROOT / "examples" / "data" / "sonnets.txt", "3"]
    c = subprocess.run([BUILD / "examples" / "gpt", *arguments], capture_output=True, check=True)
    assert luajit(ROOT / "examples" / "luajit" / "gpt.lua", *arguments, text=False).stdout == c.stdout


def test_train_digits_refuses_bad_options():
    found = luajit(ROOT / "examples" / "luajit" / "train_digits.lua", "--epochs", "many", status=2)
    assert "bad option --epochs" in found.stderr


def test_the_first_program_of_the_readme(tmp_path):
    text = (ROOT / "bindings-gen/languages/luajit/README.md").read_text()
    (tmp_path / "readme.lua").write_text(re.search(r"```lua\n(.*?)```", text, re.DOTALL)[1])
    *gradient, loss, error = luajit(tmp_path / "readme.lua").stdout.splitlines()
    assert re.sub(r"\s", "", "".join(gradient)) == "tensor([[2.,2.],[2.,2.]])2float32"
    assert (loss, error.split()) == ("20", ["SHAPE_MISMATCH", "20", "ctorch_aten_mm", "3"])


@pytest.mark.parametrize("batch", [20, 1])
def test_the_program_of_the_readme_with_data(tmp_path, batch):
    text = (ROOT / "bindings-gen/languages/luajit/README.md").read_text()
    program = re.findall(r"```lua\n(.*?)```", text, re.DOTALL)[2]
    assert "batch_size = 20" in program
    (tmp_path / "readme.lua").write_text(program.replace("batch_size = 20", f"batch_size = {batch}"))
    lines = luajit(tmp_path / "readme.lua").stdout.splitlines()
    assert lines == [f"{batch}\t{batch}"] * (100 // batch) + ["1\ttrue", "2\ttrue", "3\ttrue"]
