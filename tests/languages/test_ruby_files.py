"""Files in Ruby: those of Python, and those that Python reads."""

import re

import pytest

from tests.languages import exported_model, files_sample
from tests.languages.test_ruby import PROGRAMS, ROOT, build, start  # noqa: F401 skips without Ruby


@pytest.fixture
def folder(tmp_path, monkeypatch):
    files_sample.write(tmp_path)
    monkeypatch.setenv("CTORCH_FILES", str(tmp_path))
    return tmp_path


def run(build, name):  # noqa: F811
    done = start(build, str(PROGRAMS / "checks.rb"), str(PROGRAMS / f"{name}.rb"))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "warning:" not in done.stderr, done.stderr[-3000:]
    assert "was released: made by" not in done.stderr, done.stderr[-3000:]  # a second release
    public = (PROGRAMS / f"{name}.rb").read_text().partition("  class << self\n")[2].split("    private\n")[0]
    methods = re.findall(r"^    def (\w+)$", public, re.MULTILINE)
    assert methods
    assert done.stdout.splitlines() == [f"PASS {name.capitalize()}Test.{method}" for method in sorted(methods)]


def test_files_are_those_of_python(build, folder):  # noqa: F811
    run(build, "files")
    files_sample.check(folder)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_models_of_python(build, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("CTORCH_FILES", str(tmp_path))
    exported_model.write(tmp_path)
    run(build, "jit")
    exported_model.check(tmp_path)


def test_datasets_transforms_and_trainer(build, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("CTORCH_FILES", str(tmp_path))
    run(build, "data")


def test_the_program_of_the_readme_with_data(build, tmp_path):  # noqa: F811
    text = (ROOT / "bindings-gen/languages/ruby/README.md").read_text()
    (tmp_path / "readme.rb").write_text(re.findall(r"```ruby\n(.*?)```", text, re.DOTALL)[2])
    done = start(build, str(tmp_path / "readme.rb"))
    assert (done.stdout, done.stderr) == ("[20, 1, 8, 8]\n" * 5 + "[1, true]\n[2, true]\n[3, true]\n", "")


def test_the_second_program_of_the_readme(build, tmp_path):  # noqa: F811
    text = (ROOT / "bindings-gen/languages/ruby/README.md").read_text()
    program = re.findall(r"```ruby\n(.*?)```", text, re.DOTALL)[1]
    for name in ("run", "model.pt", "model.safetensors"):
        assert f'"{name}"' in program
        program = program.replace(f'"{name}"', f'"{tmp_path / name}"')
    (tmp_path / "readme.rb").write_text(program)
    for _ in range(2):
        done = start(build, str(tmp_path / "readme.rb"))
        assert (done.stdout, done.stderr) == ('"safetensors"\n["bias", "weight"]\n[1, 3]\n', "")
    assert [p.name for p in sorted((tmp_path / "run").iterdir())] == [
        "snapshot-000000000010.pt",
        "snapshot-000000000020.pt",
    ]
