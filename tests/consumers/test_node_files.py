"""Files in Node.js: those of Python, and those that Python reads."""

import re

import files_sample
from test_node import PACKAGE, PROGRAMS, application, node, pytestmark  # noqa: F401 skips without Node.js


def test_files_are_those_of_python(node, tmp_path):  # noqa: F811
    files_sample.write(tmp_path)
    lines = node("files.mjs", tmp_path).stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    checks = re.findall(r"^await that\(", (PROGRAMS / "files.mjs").read_text(), re.MULTILINE)
    assert len(lines) - 1 == len(checks)
    files_sample.check(tmp_path)


def test_the_second_program_of_the_readme(node, application, tmp_path):  # noqa: F811
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
