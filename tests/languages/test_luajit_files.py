"""Files in LuaJIT: those of Python, and those that Python reads."""

import re

from tests.languages import files_sample
from tests.languages.test_luajit import PROGRAMS, ROOT, luajit, pytestmark  # noqa: F401 skips without LuaJIT


def test_files_are_those_of_python(tmp_path):
    files_sample.write(tmp_path)
    file = PROGRAMS / "files.lua"
    lines = luajit(file, tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    assert len(lines) - 1 == len(re.findall(r"^that\(", file.read_text(), re.MULTILINE))
    files_sample.check(tmp_path)


def test_the_second_program_of_the_readme(tmp_path):
    text = (ROOT / "bindings-gen/languages/luajit/README.md").read_text()
    program = re.findall(r"```lua\n(.*?)```", text, re.DOTALL)[1]
    for name in ("run", "model.pt", "model.safetensors"):
        assert f'"{name}"' in program
        program = program.replace(f'"{name}"', f'"{tmp_path / name}"')
    (tmp_path / "readme.lua").write_text(program)
    for _ in range(2):
        assert luajit(tmp_path / "readme.lua").stdout.splitlines() == ["safetensors\tbias weight\t1 3"]
    assert [p.name for p in sorted((tmp_path / "run").iterdir())] == [
        "snapshot-000000000010.pt",
        "snapshot-000000000020.pt",
    ]
