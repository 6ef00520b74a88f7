"""ctorch.cdef.h: foreign parsers of C read it whole, and each function is in the built library."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ctorchgen.api import Api, Callback, Function, Param
from ctorchgen.emit.c.cdef import CDef
from ctorchgen.headers import hand_written, read_headers

PAYLOAD = Param("payload", "void *", "payload")
CALLBACK = Callback("ctorch_visit", "int32_t", (Param("error", "ctorch_error **", "out"), PAYLOAD))
EXTRA = (
    Function("ctorch_visit_all", "ctorch/x.h", "core", "void", (Param("visit", "ctorch_visit", "callback"), PAYLOAD)),
    Function("ctorch_none", "ctorch/x.h", "core", "const char *", ()),
)


@pytest.fixture(scope="module")
def api() -> Api:
    h = read_headers(Path(__file__).parents[2] / "include")
    return Api(h.version, "2.13.0", h.enums, h.structs, h.opaque, (*h.callbacks, CALLBACK), (*h.functions, *EXTRA))


@pytest.fixture(scope="module")
def text(api) -> str:
    return CDef().emit(api)["ctorch.cdef.h"]


def test_nothing_that_needs_a_preprocessor_or_an_extension(text):
    assert "#" not in text
    assert "__" not in text
    assert "extern" not in text
    assert "CTORCH_API" not in text


def test_one_declaration_a_line(text):
    lines = text.splitlines()
    assert "typedef struct ctorch_tensor ctorch_tensor;" in lines
    assert "typedef struct DLManagedTensorVersioned DLManagedTensorVersioned;" in lines
    assert "typedef struct ctorch_device { int32_t type; int32_t index; } ctorch_device;" in lines
    assert "typedef int32_t (*ctorch_visit)(ctorch_error **error, void *payload);" in lines
    assert "void ctorch_visit_all(ctorch_visit visit, void *payload);" in lines
    assert "const char *ctorch_none(void);" in lines
    assert "bool ctorch_tensor_is_view(const ctorch_tensor *self);" in lines
    assert all(re.search(r"(;|\*/)$", line) for line in lines)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("standard", ["c99", "c11", "c17"])
def test_a_compiler_reads_the_standalone_file_alone(api, tmp_path, compiler, standard):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    file = tmp_path / "ctorch.i"
    file.write_text(CDef().emit(api)["ctorch.i"])
    command = [compiler, f"-std={standard}", "-fsyntax-only", "-Wall", "-Werror", "-nostdinc"]
    done = subprocess.run([*command, "-x", "cpp-output", str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    # and its names are those of the standard's headers
    both = tmp_path / "both.c"
    both.write_text(f"#include <stdbool.h>\n#undef bool\n#include <stddef.h>\n#include <stdint.h>\n{file.read_text()}")
    done = subprocess.run([compiler, "-std=c11", "-fsyntax-only", str(both)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]


def test_the_standalone_file_differs_in_its_first_lines_alone(api, text):
    alone = CDef().emit(api)["ctorch.i"].splitlines()
    declarations = text.splitlines()[1:]
    assert alone[-len(declarations) :] == declarations
    assert all(re.fullmatch(r"typedef [\w ]+ (\w+_t|bool);", line) for line in alone[1 : -len(declarations)])


def test_cffi_reads_it_whole(api, text):
    cffi = pytest.importorskip("cffi", reason="cffi is not installed")
    ffi = cffi.FFI()
    ffi.cdef(text)
    check_cffi(ffi, {f.name: len(f.params) for f in api.functions})
    assert ffi.sizeof("ctorch_scalar") == 32
    assert ffi.sizeof("ctorch_device") == 8


def test_a_foreign_struct_may_be_defined_later(text):
    cffi = pytest.importorskip("cffi", reason="cffi is not installed")
    ffi = cffi.FFI()
    ffi.cdef(text)
    ffi.cdef("typedef struct DLManagedTensor { int64_t a[8]; } DLManagedTensor;")
    assert ffi.sizeof("DLManagedTensor") == ffi.sizeof("struct DLManagedTensor") == 64


def check_cffi(ffi, functions: dict[str, int]) -> None:
    """cffi has every function with as many arguments as the model."""
    declared = {
        key.removeprefix("function "): len(type_.args)
        for key, (type_, _) in ffi._parser._declarations.items()
        if key.startswith("function ")
    }
    assert declared == functions


def test_luajit_reads_it_whole(api, text, tmp_path):
    run_luajit(text, [f.name for f in api.functions], tmp_path)


def test_gcc_finds_the_same_types_as_in_the_headers(api, text, root, tmp_path):
    """Two declarations of one function must agree, so the compiler compares them."""
    h = read_headers(root / "include")
    foreign = tuple(o for o in h.opaque if o.name.startswith("struct "))
    same = Api(api.version, api.torch_version, (), (), foreign, (), h.functions)
    source = "".join(f'#include "{h.relative_to(root / "include")}"\n' for h in hand_written(root / "include"))
    (tmp_path / "both.c").write_text(source + CDef().emit(same)["ctorch.cdef.h"])
    subprocess.run(
        ["cc", "-std=c11", "-fsyntax-only", "-Werror", f"-I{root / 'include'}", str(tmp_path / "both.c")], check=True
    )


# The built file and library.


def test_cffi_calls_the_library(library, generated):
    cffi = pytest.importorskip("cffi", reason="cffi is not installed")
    text = (generated / "ctorch.cdef.h").read_text()
    functions = json.loads((generated / "api.json").read_text())["functions"]
    ffi = cffi.FFI()
    ffi.cdef(text)
    check_cffi(ffi, {f["name"]: len(f["params"]) for f in functions})
    lib = ffi.dlopen(str(library))
    for function in functions:
        assert ffi.addressof(lib, function["name"])
    assert lib.CTORCH_DTYPE_FLOAT32 == 6
    out = ffi.new("ctorch_tensor **")
    value = ffi.new("ctorch_scalar *", {"kind": lib.CTORCH_SCALAR_FLOAT, "re": 2.5})
    assert lib.ctorch_tensor_from_scalar(out, value, ffi.NULL) == ffi.NULL
    number = ffi.new("double *")
    assert lib.ctorch_tensor_item_double(number, out[0]) == ffi.NULL
    lib.ctorch_tensor_release(out[0])
    assert number[0] == 2.5


def test_luajit_resolves_every_function(library, generated, tmp_path):
    text = (generated / "ctorch.cdef.h").read_text()
    functions = json.loads((generated / "api.json").read_text())["functions"]
    run_luajit(text, [f["name"] for f in functions], tmp_path, library)


def run_luajit(text: str, names: list[str], tmp_path: Path, library: Path | None = None) -> None:
    """LuaJIT parses the text, has a declaration of every name, and resolves it in the library if there is one."""
    luajit = shutil.which("luajit")
    if luajit is None:
        pytest.skip("luajit is not installed")
    (tmp_path / "ctorch.cdef.h").write_text(text)
    (tmp_path / "names").write_text("".join(f"{name}\n" for name in names))
    (tmp_path / "check.lua").write_text(
        """
        local ffi = require("ffi")
        ffi.cdef(io.open(arg[1] .. "/ctorch.cdef.h"):read("*a"))
        assert(ffi.sizeof("ctorch_scalar") == 32)
        local library = arg[2] and ffi.load(arg[2]) or ffi.C
        local count = 0
        for name in io.lines(arg[1] .. "/names") do
          -- An undeclared function is a "missing declaration"; a declared one may be missing where no library is given.
          local found, message = pcall(function() return library[name] end)
          assert(found or (not arg[2] and not message:find("missing declaration")), message)
          count = count + 1
        end
        assert(library.CTORCH_DTYPE_FLOAT32 == 6)
        print(count)
        """
    )
    command = [luajit, str(tmp_path / "check.lua"), str(tmp_path), *([str(library)] if library else [])]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) == len(names)
