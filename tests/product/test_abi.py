"""tests/product/check_abi.py sees what breaks an ABI, and lets pass what does not: on a small header of its own."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("check_abi.py")
SPEC = importlib.util.spec_from_file_location("check_abi", SCRIPT)
check_abi = importlib.util.module_from_spec(SPEC)
sys.modules["check_abi"] = check_abi
SPEC.loader.exec_module(check_abi)

pytestmark = pytest.mark.skipif(shutil.which("abidiff") is None, reason="abidiff is missing: abigail-tools")

HEADER = """
#include <stdint.h>
typedef struct t t;
typedef struct { int32_t type, index; } device;
enum { RED = 0, GREEN = 1 };
typedef int32_t (*visit)(const t *x, void *payload);
void *make(t **out, int64_t size, double scale);
void release(t *self);
"""
API = {
    "functions": [{"name": "make"}, {"name": "release"}],
    "callbacks": [{"name": "visit"}],
    "structs": [{"name": "device"}],
    "enums": [{"name": "color", "values": {"RED": 0, "GREEN": 1}}],
}


def build(folder: Path, header: str, api: dict) -> Path:
    folder.mkdir()
    (folder / "ctorch.h").write_text(header)
    return check_abi.compile_object(api, folder, folder)


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("abi") / "old"
    library = build(folder, HEADER, API)
    file = folder / "record.abi"
    file.write_bytes(subprocess.run([*check_abi.WRITE, library], capture_output=True, check=True).stdout)
    return file


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int64_t size, double scale", "int64_t size"),
        ("int64_t size", "int32_t size"),
        ("double scale", "float scale"),
        ("void *make", "int make"),
        ("int32_t type, index", "int64_t type, index"),
        ("int32_t type, index", "int32_t index, type, more"),
        ("GREEN = 1", "GREEN = 2"),
        ("(const t *x, void *payload)", "(const t *x, int64_t n, void *payload)"),
    ],
)
def test_a_change_is_seen(record, tmp_path, old, new):
    assert old in HEADER
    broken, text = check_abi.differences(record, build(tmp_path / "new", HEADER.replace(old, new), API))
    assert broken, text


def test_something_that_goes_is_seen(record, tmp_path):
    api = {**API, "functions": API["functions"][:1]}
    assert check_abi.differences(record, build(tmp_path / "new", HEADER, api))[0]


def test_nothing_and_additions_pass(record, tmp_path):
    assert not check_abi.differences(record, build(tmp_path / "same", HEADER, API))[0]
    header = HEADER.replace("GREEN = 1", "GREEN = 1, BLUE = 2") + "void more(const t *x);\n"
    api = {
        **API,
        "functions": [*API["functions"], {"name": "more"}],
        "enums": [{"name": "color", "values": {"RED": 0, "GREEN": 1, "BLUE": 2}}],
    }
    broken, text = check_abi.differences(record, build(tmp_path / "more", header, api))
    assert not broken and "1 Added" in text
