"""Small yamls and locks for the generator's tests, and the comparison with the golden files.

A golden file is what an emitter made of `golden/<set>.yaml` (and .lock, .toml) when somebody last read it through.
After a wanted change, `CTORCH_UPDATE_GOLDEN=1` writes them anew: read the diff.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest
from ctorchgen import headers, lock, operators, schema
from ctorchgen.api import Api, Function
from ctorchgen.emit.apijson import ApiJson
from ctorchgen.emit.c import cpp
from ctorchgen.emit.c.header import CHeader
from ctorchgen.policy import Policy, read_policy

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "golden"
VERSION, TORCH_VERSION = "0.1.0", "2.13.0"


def read_yaml(folder: Path, *schemas: str) -> list[schema.Operator]:
    """The operators of a yaml with these schemas, one a line, so that the n-th is in line n."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tags.yaml").write_text("[]\n")
    path = folder / "small.yaml"
    path.write_text("".join(f"- {{func: '{s.replace(chr(39), chr(39) * 2)}'}}\n" for s in schemas))
    return schema.read_operators(path)


def lock_of(*schemas: str) -> dict[str, lock.Entry]:
    """What the lock would hold of these operators; the n-th stands in line n."""
    entries = {}
    for line, text in enumerate(schemas, 1):
        (function,) = operators.build([schema.parse_schema(text, f"aten.lock:{line}")], {}, Policy(), "0.1", "2.0.0")
        entry = lock.entry_of(function)
        entries[entry.symbol] = lock.Entry(entry.symbol, "0.1", entry.signature, entry.schema, f"aten.lock:{line}")
    return entries


def build(ops: list[schema.Operator], locked=None, policy: Policy | None = None, enums=()) -> list[Function]:
    return operators.build(ops, locked or {}, policy or Policy(), "0.1", TORCH_VERSION, enums)


def build_one(text: str, locked: str | None = None, policy: Policy | None = None, enums=()) -> Function:
    """The function of one schema, over a lock with another form of it if `locked` is given."""
    op = schema.parse_schema(text, "small.yaml:1")
    (function,) = build([op], lock_of(locked) if locked else {}, policy, enums)
    return function


def read_set(name: str) -> list[Function]:
    """The functions of golden/<name>.yaml, over golden/<name>.lock and <name>.toml if they exist."""
    ops = schema.read_operators(GOLDEN / f"{name}.yaml", GOLDEN / "tags.yaml")
    locked = lock.read(GOLDEN / f"{name}.lock")
    places = {e.schema.split("(")[0].removeprefix("aten::"): e.location for e in locked.values()}
    toml = GOLDEN / f"{name}.toml"
    policy = read_policy(toml, {op.name for op in ops}, places, TORCH_VERSION) if toml.exists() else Policy()
    enums = headers.read_headers(ROOT / "include").enums if policy.enums or policy.defaults else ()
    return operators.build(ops, locked, policy, "0.1", TORCH_VERSION, enums)


def emit(functions: list[Function], monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The header, the C++ and the api.json of these functions, the C++ as one shard."""
    monkeypatch.setattr(cpp, "SHARDS", 1)
    api = Api(VERSION, TORCH_VERSION, (), (), (), (), tuple(functions))
    return CHeader().emit(api) | cpp.CppShards().emit(api) | ApiJson().emit(api)


def check_golden(name: str, files: dict[str, str]) -> None:
    folder = GOLDEN / "generated" / name
    if os.environ.get("CTORCH_UPDATE_GOLDEN"):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for file, text in files.items():
            (folder / file).write_text(text)
    assert {path.name: path.read_text() for path in folder.iterdir()} == files


def torch_folder() -> Path:
    """The folder of LibTorch with include/ and lib/: beside CTORCH_TORCH_LIBRARY_DIR, else the Python package's."""
    if library := os.environ.get("CTORCH_TORCH_LIBRARY_DIR"):
        return Path(library).parent
    spec = importlib.util.find_spec("torch")
    if spec is None:
        pytest.skip("no LibTorch: neither CTORCH_TORCH_LIBRARY_DIR nor an importable torch")
    return Path(spec.submodule_search_locations[0])


def check_compiles(name: str, folder: Path) -> None:
    """The golden C++ is right for the LibTorch that the golden yaml is an extract of."""
    torch = torch_folder()
    version = (torch / "include/torch/headeronly/version.h").read_text()
    if re.findall(r"define TORCH_VERSION_(?:MAJOR|MINOR) (\d+)", version) != ["2", "13"]:
        pytest.skip("the golden yamls are those of LibTorch 2.13")
    generated = GOLDEN / "generated" / name
    headers = folder / "ctorch/generated"
    headers.mkdir(parents=True)
    for header in ("aten.h", "aten_private.h"):
        path = generated / header
        (headers / header).write_text(path.read_text() if path.exists() else "")
    include = [folder, ROOT / "include", ROOT / "shim", torch / "include"]
    command = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-fno-strict-aliasing"]
    command += [f"-I{i}" for i in include[:3]] + ["-isystem", str(include[3]), str(generated / "aten_0.cpp")]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
