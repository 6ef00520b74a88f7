"""PHP's FFI as one more parser of ctorch.cdef.h, which it reads unmodified."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.build import BUILD

ROOT = Path(__file__).parents[2]
HEADER = BUILD / "generated" / "ctorch.cdef.h"
LIBRARY = os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))
PHP = shutil.which("php")

pytestmark = pytest.mark.skipif(PHP is None, reason="php is missing: Debian package php-cli")


def php(*arguments: str) -> str:
    found = subprocess.run(
        [PHP, "-n", "-d", "ffi.enable=1", *extension(), *arguments],
        env={**os.environ, "CTORCH_DEBUG_HANDLES": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 0, (found.stdout + found.stderr)[-3000:]
    return found.stdout


def extension() -> list[str]:
    """What loads the FFI, which Debian builds as an extension of its own."""
    modules = subprocess.run([PHP, "-n", "-m"], capture_output=True, text=True, check=True).stdout.split()
    return [] if "FFI" in modules else ["-d", "extension=ffi"]


def test_calls_through_the_declarations():
    lines = php(str(Path(__file__).parent / "php" / "cdef.php"), str(HEADER), LIBRARY).splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["live 0"]
    assert len(lines) == 11


def test_every_function_is_declared_and_found():
    functions = json.loads((BUILD / "generated" / "api.json").read_text())["functions"]
    program = """
        $c = FFI::cdef(file_get_contents($argv[1]), $argv[2]);
        foreach (explode("\\n", stream_get_contents(STDIN)) as $name) {
            echo FFI::typeof($c->$name)->getPointerType()->getFuncParameterCount(), "\\n";
        }
    """
    found = subprocess.run(
        [PHP, "-n", "-d", "ffi.enable=1", *extension(), "-r", program, str(HEADER), LIBRARY],
        input="\n".join(f["name"] for f in functions),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 0, found.stderr[-2000:]
    assert found.stdout.split() == [str(len(f["params"])) for f in functions]


def test_a_declaration_that_is_missing_is_noticed():
    """The check above can fail."""
    program = "FFI::cdef('int ctorch_no_such_function(void);', $argv[1]);"
    found = subprocess.run(
        [PHP, "-n", "-d", "ffi.enable=1", *extension(), "-r", program, LIBRARY], capture_output=True, text=True
    )
    assert found.returncode != 0 and "ctorch_no_such_function" in found.stdout + found.stderr
