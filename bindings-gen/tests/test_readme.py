"""README.md and docs/new_language.md: the type table is what the generator does, emitter and binding work."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import samples
from ctorchgen.api import Api, Enum
from ctorchgen.policy import KINDS, NamedDefault, Policy
from ctorchgen.surface import Surface

GENERATOR = (samples.ROOT / "bindings-gen/README.md").read_text()
BINDING = (samples.ROOT / "docs/new_language.md").read_text()
ROWS = re.findall(
    r"^\| (`[A-Z][^|]*`|`(?:int|float|bool|str)[^|]*`) \| `([^`|]+)` \| (.*?) ?\|$", GENERATOR, re.MULTILINE
)
TYPES = [(schema, c, null) for cell, c, null in ROWS for schema in re.findall(r"`([^`]+)`", cell)]
BLOCKS = re.findall(r"```python\n# (\S+?\.py)\b.*?\n(.*?)```", BINDING, re.DOTALL)


def test_the_table_was_found():
    assert len(TYPES) == len({schema for schema, _, _ in TYPES}) == 36


@pytest.mark.parametrize(("schema", "declared", "null"), TYPES, ids=[t[0] for t in TYPES])
def test_the_type_table(schema, declared, null):
    # The first tensor keeps torchgen content: only operators with a tensor argument may mutate one.
    mutated = "!" in schema and "[" not in schema
    text = f"f.out(Tensor y, *, {schema}) -> Tensor(a!)" if mutated else f"f(Tensor y, {schema}) -> Tensor"
    long = Policy(defaults=(NamedDefault("ScalarType", "long", "CTORCH_DTYPE_INT64"),))
    enums = (Enum("ctorch_dtype", (("CTORCH_DTYPE_INT64", 4),)),)
    function = samples.build_one(text, None, long if "long" in schema else None, enums)
    params = [p for p in function.params if p.name.startswith("x")]
    assert ", ".join(p.declaration for p in params) == declared
    assert params[0].c_type.endswith("*") == bool(null)
    if "error" not in null:
        assert params[0].nullable == bool(null)
    if null.startswith("None"):
        assert re.search(r"from::optional_\w+(?<!_or)\(x\b", function.body)
    if "default" in null:
        assert re.search(r"from::\w+_or\(x\b", function.body)


def test_every_kind_of_policy_entry_is_described():
    assert set(re.findall(r"^- `\[\[(\w+)\]\]`", GENERATOR, re.MULTILINE)) == KINDS


def test_every_output_of_the_build_is_listed():
    for name in ("aten.h", "aten_private.h", "exports.map", "api.json", "ctorch.cdef.h", "coverage.md"):
        assert f"`{name}`" in GENERATOR


# Bind ctorch from a new language


@pytest.fixture(scope="module")
def api(generated) -> Api:
    return Api.from_json(json.loads((generated / "api.json").read_text()))


def kinds_of_table(heading: str) -> set[str]:
    """The kinds in the first column of the table with this heading."""
    rows = re.search(rf"^\| {heading} \| in C \|.*\n\|[-|]+\n((?:\|.*\n)+)", BINDING, re.MULTILINE)[1]
    return {kind for row in rows.splitlines() for kind in re.findall(r"`(\w+)`", row.split("|")[1])}


def test_every_kind_of_argument_and_result_is_described(api):
    surfaces = [Surface.of(f, api) for f in (*api.functions, *api.callbacks)]
    assert kinds_of_table("argument") == {a.kind for s in surfaces for a in s.arguments}
    assert kinds_of_table("result") == {r.kind for s in surfaces for r in s.results}
    returned = re.search(r"^What C returns .*?\n\n", BINDING, re.MULTILINE | re.DOTALL)[0]
    described = set(re.findall(r"`(\w+)`", returned))
    documented = set(re.findall(r"^    (\w+)", Surface.__doc__.partition("`function.returns`")[2], re.MULTILINE))
    assert {s.returned for s in surfaces} <= described == documented


def test_every_field_of_a_parameter_is_described(api):
    table = re.search(r"^\| field \| \|\n\|[-|]+\n((?:\|.*\n)+)", BINDING, re.MULTILINE)[1]
    described = {field for row in table.splitlines() for field in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert described == next(p for f in api.functions for p in f.params).to_json().keys()
    roles = re.search(r"^\| `role` \| \|\n\|[-|]+\n((?:\|.*\n)+)", BINDING, re.MULTILINE)[1]
    described = {role for row in roles.splitlines() for role in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert described == {p.role for f in api.functions for p in f.params}


def code(file: str) -> str:
    parts = [text for name, text in BLOCKS if name == file]
    assert parts, f"no block of {file}"
    return "\n\n".join(parts)


def test_every_block_of_python_belongs_to_a_file():
    assert BINDING.count("```python\n") == len(BLOCKS)
    assert {name for name, _ in BLOCKS} == {"emit/ctypes.py", "ctorch_runtime.py", "try.py"}


@pytest.fixture(scope="module")
def binding(api, tmp_path_factory) -> Path:
    """A folder with the binding that the page builds, and what the page tries with it."""
    folder = tmp_path_factory.mktemp("binding")
    emitter: dict = {}
    exec(code("emit/ctypes.py"), emitter)  # noqa: S102
    for path, text in emitter["Ctypes"]().emit(api).items():
        (folder / path).write_text(text)
    for file in ("ctorch_runtime.py", "try.py"):
        (folder / file).write_text(code(file))
    return folder


def run(binding: Path, library: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "CTORCH_LIBRARY": str(library), "CTORCH_DEBUG_HANDLES": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=binding, env=environment, capture_output=True, text=True, check=False)


def test_the_emitter_shows_what_it_writes(binding):
    (shown,) = re.findall(r"it writes\n\n```\n(.*?)```", BINDING, re.DOTALL)
    assert shown in (binding / "ctorch_functions.py").read_text()


def test_the_binding_has_every_function_and_declares_it_as_the_headers_do(binding, api, library):
    program = """
import ctorch_functions as f, ctorch_runtime as r, json
print(json.dumps({n: [getattr(r.lib, n).restype is None, len(getattr(r.lib, n).argtypes)] for n in r.lib.declarations}))
"""
    done = run(binding, library, "-c", program)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {f.name: [f.returns == "void", len(f.params)] for f in api.functions}


def test_what_the_page_tries_works_and_leaks_nothing(binding, library):
    done = run(binding, library, "try.py")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_says_how_many_declarations_there_are(api):
    (said,) = re.findall(r"(\d,\d00) declarations cost", BINDING)
    assert abs(int(said.replace(",", "")) - len(api.functions)) < 200
