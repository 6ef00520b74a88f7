"""CTORCH_CONST_TENSORS takes arrays of tensors, without a warning, and refuses what has no length to be known."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parents[2] / "include"
C = ("c11", "c17", "c2x")
CXX = ("c++11", "c++17", "c++20")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
COMPILERS = [
    pytest.param(compiler, standard, id=f"{compiler} {standard}")
    for compiler, standards in (("gcc", C), ("clang", C), ("g++", CXX), ("clang++", CXX))
    for standard in standards
]

ARRAYS = [
    "ctorch_tensor *x[2] = {0};",
    "const ctorch_tensor *x[2] = {0};",
    "ctorch_tensor *const x[2] = {0};",
    "const ctorch_tensor *const x[2] = {0};",
    "ctorch_tensor *x[] = {NULL};",
]
NO_ARRAYS = {
    "pointer": "ctorch_tensor **x = NULL;",
    "pointer to const": "const ctorch_tensor **x = NULL;",
    "pointer to const pointers": "ctorch_tensor *const *x = NULL;",
    "pointer to const pointers to const": "const ctorch_tensor *const *x = NULL;",
    "const pointer": "ctorch_tensor **const x = NULL;",
    "const pointer to const": "const ctorch_tensor **const x = NULL;",
    "const pointer to const pointers": "ctorch_tensor *const *const x = NULL;",
    "const pointer to const pointers to const": "const ctorch_tensor *const *const x = NULL;",
    "volatile pointer": "ctorch_tensor **volatile x = NULL;",
    "restrict pointer": "ctorch_tensor **__restrict x = NULL;",
    "tensor": "ctorch_tensor *x = NULL;",
    "array of numbers": "int64_t x[2] = {0};",
    "array of other handles": "ctorch_storage *x[2] = {0};",
}
PARAMETERS = ["ctorch_tensor *x[2]", "const ctorch_tensor *x[]", "ctorch_tensor *const x[2]"]  # pointers, in truth


def compiled(compiler: str, standard: str, text: str, *options: str) -> str:
    """What the compiler says; nothing if it takes the text."""
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    language = "c++" if "++" in compiler else "c"
    command = [compiler, "-x", language, f"-std={standard}", *WARNINGS, f"-I{INCLUDE}", *options, "-fsyntax-only", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert run.returncode or not run.stderr, run.stderr
    return run.stderr


def program(*lines: str) -> str:
    return "\n".join(('#include "ctorch.h"', *lines, ""))


def call(name: str, body: str, parameters: str = "void") -> str:
    """A function that joins `x`; `body` declares it, or its parameters do."""
    join = "ctorch_tensor *y = NULL; return ctorch_aten_cat(&y, CTORCH_CONST_TENSORS(x), 0);"
    head = f"ctorch_error *{name}({parameters})"
    return f"{head};\n{head} {{ {body} {join} }}"


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS)
def test_arrays_compile_without_a_warning(compiler, standard):
    nested = call("nested", "struct { ctorch_tensor *x[3]; } s = {{0}};").replace("(x)", "(s.x)")
    text = program(*(call(f"f{i}", declaration) for i, declaration in enumerate(ARRAYS)), nested)
    assert compiled(compiler, standard, text) == ""


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS[: 2 * len(C)])
def test_so_does_an_array_whose_length_is_known_when_it_runs(compiler, standard):
    text = program(call("f", "ctorch_tensor *x[n]; x[0] = NULL;", "size_t n"))
    assert compiled(compiler, standard, text) == ""


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS[: 2 * len(C)])
def test_the_message_says_what_to_write(compiler, standard):
    said = compiled(compiler, standard, program(call("f", "ctorch_tensor **x = NULL;")))
    assert "this is no array, but a pointer: write ctorch_const_tensors(pointer) and the number of tensors" in said


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS)
def test_what_is_no_array_of_tensors_does_not_compile(compiler, standard):
    """Each function is on a line of its own, and each line is in what the compiler says."""
    refused = [call(f"f{i}", declaration) for i, declaration in enumerate(NO_ARRAYS.values())]
    refused += [call(f"g{i}", "", parameter) for i, parameter in enumerate(PARAMETERS)]
    taken = [call(f"h{i}", declaration) for i, declaration in enumerate(ARRAYS)]
    text = program(*(function.replace("\n", " ") for function in [*refused, *taken]))
    said = compiled(compiler, standard, text, *(["-ferror-limit=0"] if "clang" in compiler else []))
    lines = {int(line) for line in re.findall(r"^<stdin>:(\d+):", said, re.MULTILINE)}
    assert lines == set(range(2, 2 + len(refused)))


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS)
def test_the_way_for_pointers_compiles(compiler, standard):
    body = "ctorch_tensor *y = NULL; return ctorch_aten_cat(&y, ctorch_const_tensors(x), x_len, 0);"
    head = "ctorch_error *f(ctorch_tensor *const *x, size_t x_len)"
    assert compiled(compiler, standard, program(f"{head};", f"{head} {{ {body} }}")) == ""
