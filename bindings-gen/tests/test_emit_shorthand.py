"""include/ctorch/generated/shorthand.h: which arguments are left to their defaults, and that C compilers take it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ctorchgen.api import Api, Function, Param
from ctorchgen.emit.c.shorthand import Shorthand
from ctorchgen.schema import GeneratorError

ROOT = Path(__file__).parents[2]
HEADER = ROOT / "include/ctorch/generated/shorthand.h"

OUT = Param("out", "ctorch_tensor **", "out", owned=True)
SELF = Param("self", "const ctorch_tensor *", "in", type="Tensor")
BIAS = Param("bias", "const ctorch_tensor *", "in", nullable=True, default_text="None")
DTYPE = Param("dtype", "const ctorch_dtype *", "in", nullable=True, default_text="None")
EPS = Param("eps", "double", "in", default=1e-5, default_text="1e-05")
FLAG = Param("cudnn_enable", "bool", "in", default=True, default_text="True")
STRIDE = Param("stride", "const int64_t *", "in", nullable=True, default=[1, 1], default_text="1")
STRIDE_LEN = Param("stride_len", "size_t", "len", len_of="stride")


def function(name: str, *params: Param, header: str = "ctorch/generated/aten.h") -> Function:
    return Function(name, header, "aten", "ctorch_error *", params)


def emitted(*functions: Function) -> str:
    text = Shorthand().emit(Api("0.1", "2.13", (), (), (), (), functions))["shorthand.h"]
    return re.sub(r"\s+", " ", text[text.index("CTORCH_BEGIN_DECLS") :])


def test_what_has_a_default_at_the_end_is_left_out():
    text = emitted(function("ctorch_aten_f", OUT, SELF, EPS, FLAG))
    assert "ctorch_f(ctorch_tensor **out, const ctorch_tensor *self) {" in text
    assert "return ctorch_aten_f(out, self, 1e-05, true);" in text
    assert "/** eps=1e-05, cudnn_enable=True */" in text


def test_an_optional_tensor_stays_and_what_is_before_it():
    text = emitted(function("ctorch_aten_f", OUT, SELF, DTYPE, BIAS, EPS))
    assert "const ctorch_dtype *dtype, const ctorch_tensor *bias) {" in text
    assert "return ctorch_aten_f(out, self, dtype, bias, 1e-05);" in text


def test_a_list_is_left_out_with_its_length():
    assert "return ctorch_aten_f(out, self, NULL, 0);" in emitted(
        function("ctorch_aten_f", OUT, SELF, STRIDE, STRIDE_LEN)
    )


@pytest.mark.parametrize(
    "given",
    [
        function("ctorch_aten_f", OUT, SELF, EPS, Param("last", "int64_t", "in")),
        function("ctorch_aten__f", OUT, SELF, EPS, header="ctorch/generated/aten_private.h"),
        function("ctorch_aten_f", OUT, SELF, BIAS),
    ],
)
def test_others_have_none(given):
    assert "CTORCH_INLINE" not in emitted(given)


def test_a_name_that_a_function_has_is_an_error():
    other = Function("ctorch_f", "ctorch/f.h", "core", "void", ())
    with pytest.raises(GeneratorError, match="ctorch_f, the shorthand of ctorch_aten_f, is the name of a function"):
        emitted(function("ctorch_aten_f", OUT, EPS), other)


def test_a_name_that_differs_by_case_alone_is_an_error():
    other = Function("ctorch_f", "ctorch/f.h", "core", "void", ())
    with pytest.raises(GeneratorError, match="ctorch_F, the shorthand of ctorch_aten_F, is the name of a function"):
        emitted(function("ctorch_aten_F", OUT, EPS), other)


def test_a_length_is_left_out_with_its_own_list_alone():
    """A length that counts an earlier list has no default of its own."""
    other = Param("sizes", "const int64_t *", "in")
    length = Param("sizes_len", "size_t", "len", len_of="sizes")
    assert "CTORCH_INLINE" not in emitted(function("ctorch_aten_f", OUT, other, STRIDE, length))


def test_the_usual_ones_are_there():
    text = HEADER.read_text()
    assert re.search(r"ctorch_ones\(ctorch_tensor \*\*out, const int64_t \*size, size_t size_len\) \{", text)
    assert "return ctorch_aten_ones(out, size, size_len, NULL, NULL, NULL, NULL);" in text
    assert re.search(r"return ctorch_aten_layer_norm\([^;]*weight, bias, 1e-05, true\);", text)
    assert "return ctorch_aten_cross_entropy_loss(out, self, target, weight, 1, -100, 0.0);" in text


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs cc")
def test_a_call_costs_what_the_operators_own_costs(tmp_path):
    """The compiler makes the same code of both, and takes nothing else of the header along."""
    codes = []
    for call in ("ctorch_ones(out, size, 2)", "ctorch_aten_ones(out, size, 2, NULL, NULL, NULL, NULL)"):
        program = tmp_path / "program.c"
        program.write_text(
            "#include <ctorch.h>\nctorch_error *f(ctorch_tensor **out, const int64_t *size);\n"
            f"ctorch_error *f(ctorch_tensor **out, const int64_t *size) {{ return {call}; }}\n"
        )
        command = ["cc", "-std=c11", "-O1", "-S", "-o", "-", f"-I{ROOT / 'include'}", program]
        codes.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert codes[0] == codes[1]
