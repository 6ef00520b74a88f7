"""The emitted part of the Python package: what is written for a function of each kind; that all of it is sound."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest
from ctorchgen.api import Api, Callback, Enum, Function, Opaque, Param, Struct
from ctorchgen.emit.python.binding import PACKAGE, Python, operators_by_name
from ctorchgen.emit.python.stubs import PythonStubs
from ctorchgen.surface import Surface

TENSOR = "const ctorch_tensor *"
OUT = Param("out", "ctorch_tensor **", "out", type="Tensor", owned=True)


def operator(name: str, schema: str, *params: Param, returned: str = "", numbers: bool = False) -> Function:
    same = tuple(returned.split())
    return Function(
        name,
        "ctorch/generated/aten.h",
        "aten",
        "ctorch_error *",
        params,
        returned_arguments=same,
        numbers_as_tensors=numbers,
        schema=f"aten::{schema}",
    )


def core(name: str, returns: str, *params: Param) -> Function:
    return Function(name, "ctorch/x.h", "core", returns, params, doc="What it does.")


ADD_TENSOR = operator(
    "ctorch_aten_add_Tensor",
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    OUT,
    Param("self", TENSOR, "in", type="Tensor"),
    Param("other", TENSOR, "in", type="Tensor"),
    Param("alpha", "const ctorch_scalar *", "in", type="Scalar", nullable=True, keyword_only=True, default=1,
          default_text="1"),
    numbers=True,
)  # fmt: skip
ADD_SCALAR = operator(
    "ctorch_aten_add_Scalar",
    "add.Scalar(Tensor self, Scalar other) -> Tensor",
    OUT,
    Param("self", TENSOR, "in", type="Tensor"),
    Param("other", "const ctorch_scalar *", "in", type="Scalar"),
)
RANDOM = operator(
    "ctorch_aten_random__from",
    "random_.from(Tensor(a!) self, int from, int? to=None) -> Tensor(a!)",
    Param("self", "ctorch_tensor *", "in", type="Tensor", mutated=True),
    Param("from", "int64_t", "in", type="int"),
    Param("to", "const int64_t *", "in", type="int?", nullable=True, default_text="None"),
    returned="self",
)
PAD = operator(
    "ctorch_aten_pad",
    "pad(Tensor self, SymInt[2] pad=0) -> (Tensor, int)",
    Param("out0", "ctorch_tensor **", "out", type="Tensor", owned=True),
    Param("out1", "int64_t *", "out", type="int"),
    Param("self", TENSOR, "in", type="Tensor"),
    Param("pad", "const int64_t *", "in", type="SymInt[2]", nullable=True, default=[0, 0], default_text="0"),
    Param("pad_len", "size_t", "len", len_of="pad"),
)
VISIT = Callback(
    "ctorch_visit_callback",
    "ctorch_callback_status",
    (
        Param("grad", TENSOR, "in", nullable=True),
        Param("error", "ctorch_error **", "out", owned=True),
        Param("payload", "void *", "payload"),
    ),
)
VISIT_ALL = core(
    "ctorch_visit_all",
    "ctorch_error *",
    Param("callback", "ctorch_visit_callback", "callback"),
    Param("destroy", "void (*)(void *payload)", "callback", nullable=True),
    Param("payload", "void *", "payload", nullable=True),
)
VISIT_NOW = core(
    "ctorch_visit_now",
    "ctorch_error *",
    Param("callback", "ctorch_visit_callback", "callback"),
    Param("payload", "void *", "payload", nullable=True),
)
NDIM = core("ctorch_tensor_ndim", "int64_t", Param("self", TENSOR, "in", nullable=True))
FOUND = core("ctorch_found", "bool", Param("out", "double *", "out", nullable=True))
RELEASE = core("ctorch_tensor_release", "void", Param("self", "ctorch_tensor *", "in", nullable=True, owned=True))
COPY = core(
    "ctorch_copy",
    "ctorch_error *",
    Param("data", "void *", "out"),
    Param("data_len", "size_t", "len", len_of="data"),
    Param("dtype", "ctorch_dtype", "in"),
)

VALUE = "const ctorch_value *"
PUT = core(
    "ctorch_value_put",
    "ctorch_error *",
    Param("self", "ctorch_value *", "in", mutated=True),
    Param("key", VALUE, "in"),
    Param("value", VALUE, "in", nullable=True),
    Param("others", "const ctorch_value *const *", "in"),
    Param("others_len", "size_t", "len", len_of="others"),
)


def api(*functions: Function) -> Api:
    return Api(
        "0.1.0",
        "2.13.0",
        (
            Enum("ctorch_dtype", (("CTORCH_DTYPE_UINT8", 0), ("CTORCH_DTYPE_BOOL", 11)), "Element type."),
            Enum("ctorch_memory_format", (("CTORCH_MEMORY_FORMAT_CONTIGUOUS", 0),), "Order."),
            Enum("ctorch_callback_status", (("CTORCH_CALLBACK_OK", 1),), "An answer."),
            Enum("ctorch_error_kind", (("CTORCH_ERROR_RUNTIME", 1), ("CTORCH_ERROR_INDEX", 2)), "What went wrong."),
        ),
        (Struct("ctorch_scalar", (("kind", "int32_t"),)),),
        (
            Opaque("ctorch_error", "ctorch_error_release", None),
            Opaque("ctorch_tensor", "ctorch_tensor_release", "ctorch_tensor_retain"),
            Opaque("ctorch_tensor_list", "ctorch_tensor_list_release", None),
            Opaque("ctorch_string", "ctorch_string_release", None),
            Opaque("ctorch_value", "ctorch_value_release", "ctorch_value_retain"),
            Opaque("ctorch_generator", "ctorch_generator_release", "ctorch_generator_retain", "Random numbers."),
        ),
        (VISIT,),
        functions,
    )


def emit(*functions: Function) -> dict[str, str]:
    files = {**Python().emit(api(*functions)), **PythonStubs().emit(api(*functions))}
    return {path.removeprefix(f"{PACKAGE}/"): text for path, text in files.items()}


def body(text: str, name: str) -> str:
    """A function of a module, without its doc."""
    (function,) = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name]
    function.body = function.body[1:]
    return ast.unparse(function)


def test_objects_stand_for_values_but_not_for_what_is_changed():
    text = emit(PUT)["raw/x_h.py"]
    assert "def value_put(self: Value, key: object, value: object | None, others: Sequence[object]) -> None:" in text
    put = body(text, "value_put")
    assert "self._value, as_value(key, 'key'), None if value is None else as_value(value, 'value')," in put
    assert "*as_values(others, 'others'))" in put
    assert "from ..values import as_value, as_values" in text


def test_an_operator():
    text = emit(ADD_TENSOR)["operators/a.py"]
    assert '"""add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""' in text
    assert body(text, "add_Tensor") == (
        "def add_Tensor(self, other, *, alpha=DEFAULT):\n"
        "    result = TensorHandle()\n"
        "    try:\n"
        "        error = native.ctorch_aten_add_Tensor(byref(result), self._tensor, other._tensor, "
        "None if alpha is DEFAULT else as_scalar(alpha))\n"
        "    except NOT_AN_ARGUMENT:\n"
        "        return with_numbers(add_Tensor, locals())\n"
        "    if error:\n"
        "        raise failure(error)\n"
        "    return Tensor(result) if result else None"
    )


def test_an_operator_that_changes_an_argument_gives_it_back():
    text = emit(RANDOM)["operators/r.py"]
    assert body(text, "random__from") == (
        "def random__from(self, from_, to=None):\n"
        "    try:\n"
        "        error = native.ctorch_aten_random__from(self._tensor, as_int64(from_), "
        "None if to is None else as_int64_pointer(to))\n"
        "    except NOT_AN_ARGUMENT:\n"
        "        raise mismatch(random__from, locals()) from None\n"
        "    if error:\n"
        "        raise failure(error)\n"
        "    return self"
    )


def test_an_operator_with_several_results_and_an_argument_of_its_own_name():
    text = emit(PAD)["operators/p.py"]
    assert body(text, "pad_overload") == (
        "def pad_overload(self, pad=DEFAULT):\n"
        "    result0 = TensorHandle()\n"
        "    result1 = c_int64()\n"
        "    try:\n"
        "        error = native.ctorch_aten_pad(byref(result0), byref(result1), self._tensor, "
        "*(NOTHING if pad is DEFAULT else as_int64_list(pad, 2)))\n"
        "    except NOT_AN_ARGUMENT:\n"
        "        raise mismatch(pad_overload, locals()) from None\n"
        "    if error:\n"
        "        raise failure(error)\n"
        "    return (Tensor(result0) if result0 else None, result1.value)"
    )
    assert '    "pad": overloaded(\n        "pad",\n        ("default", pad_overload),\n    ),' in text


def test_an_overload_with_a_tensor_is_tried_before_one_with_a_number():
    surfaces = [Surface.of(f, api()) for f in (ADD_SCALAR, ADD_TENSOR)]
    assert [s.overload for s in operators_by_name(surfaces)["add"]] == ["Tensor", "Scalar"]


def test_the_arguments_that_an_operator_returns_are_returned_in_its_order():
    values, indices, noise = (
        Param(name, "ctorch_tensor *", "in", type="Tensor", mutated=True) for name in ("values", "indices", "noise")
    )
    schema = "f(Tensor(c!) noise, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))"
    function = operator("ctorch_aten_f", schema, noise, values, indices, returned="values indices")
    assert "        raise failure(error)\n    return values, indices\n" in emit(function)["operators/f.py"]


def test_callbacks_are_kept_until_c_destroys_them_or_the_call_is_over():
    text = emit(VISIT_ALL, VISIT_NOW)["raw/x_h.py"]
    assert body(text, "visit_all") == (
        "def visit_all(callback: Callable) -> None:\n"
        "    payload_ = keep({'ctorch_visit_callback': callback})\n"
        "    try:\n"
        "        error = native.ctorch_visit_all(trampoline('ctorch_visit_callback', callback), DESTROY, payload_)\n"
        "    except NOT_AN_ARGUMENT:\n"
        "        forget(payload_)\n"
        "        raise mismatch(visit_all, locals()) from None\n"
        "    if error:\n"
        "        forget(payload_)\n"
        "        raise failure(error)"
    )
    now = body(text, "visit_now")
    assert "finally:\n        forget(payload_)" in now and now.count("forget") == 1


def test_functions_that_cannot_fail():
    files = emit(NDIM, FOUND)
    text = files["raw/x_h.py"]
    assert body(text, "tensor_ndim") == (
        "def tensor_ndim(self: Tensor | None) -> int:\n"
        "    try:\n"
        "        value = native.ctorch_tensor_ndim(None if self is None else self._tensor)\n"
        "    except NOT_AN_ARGUMENT:\n"
        "        raise mismatch(tensor_ndim, locals()) from None\n"
        "    return value"
    )
    assert body(text, "found") == (
        "def found() -> float | None:\n"
        "    result = c_double()\n"
        "    value = native.ctorch_found(byref(result))\n"
        "    if not value:\n"
        "        return None\n"
        "    return result.value"
    )
    assert '"ctorch_tensor_ndim": c_int64,' in files["declarations.py"]
    assert '"ctorch_found": c_bool,' in files["declarations.py"]


def test_memory_of_the_caller_is_an_argument():
    text = emit(COPY)["raw/x_h.py"]
    assert "def copy(data: WritableBuffer, dtype: dtype) -> None:" in text
    assert "native.ctorch_copy(*as_buffer(data), as_dtype(dtype))" in text


def test_memory_that_c_can_keep_is_copied():
    take = core(
        "ctorch_take",
        "ctorch_error *",
        Param("data", "const void *", "in", nullable=True),
        Param("data_len", "size_t", "len", len_of="data"),
        Param("destroy", "void (*)(void *payload)", "callback", nullable=True),
        Param("payload", "void *", "payload", nullable=True),
    )
    text = body(emit(take)["raw/x_h.py"], "take")
    assert text.startswith("def take(data: Buffer | None=None) -> None:")
    assert "native.ctorch_take(*(NOTHING if data is None else as_bytes(data)), None, None)" in text
    assert "keep" not in text and "forget" not in text


def test_releasing_closes_the_object():
    assert "as_object(self, Tensor).close()" in emit(RELEASE)["raw/x_h.py"]


def test_constants_and_objects():
    files = emit()
    assert 'uint8 = dtype("uint8", 0)' in files["constants.py"]
    assert 'contiguous_format = memory_format("contiguous_format", 0)' in files["constants.py"]
    assert "class ErrorKind(IntEnum):" in files["constants.py"] and "    INDEX = 2" in files["constants.py"]
    assert '    __slots__ = ("_generator",)' in files["objects.py"]
    assert "class Tensor(" not in files["objects.py"]  # it is hand-written


def test_stubs():
    files = emit(ADD_TENSOR, ADD_SCALAR, RANDOM)
    assert (
        "    def __call__(_, /, self: _Tensor, other: _Tensor | _Number, *, alpha: _Number = ...) -> _Tensor: ..."
        in files["aten.pyi"]
    )
    assert "    def from_(self: _Tensor, from_: _b.int, to: _b.int | None = ...) -> _Tensor: ..." in files["aten.pyi"]
    assert "    def add(self, other: _Number) -> _Tensor: ..." in files["methods.pyi"]


@pytest.fixture(scope="module")
def whole(generated) -> dict[str, str]:
    everything = Api.from_json(json.loads((generated / "api.json").read_text()))
    return {**Python().emit(everything), **PythonStubs().emit(everything)}


def test_the_whole_package_is_valid_and_every_name_in_it_is_defined(whole, tmp_path):
    for path, text in whole.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        compile(text, path, "exec", dont_inherit=True)
    options = ["--isolated", "--no-cache", "--line-length", "120", "--target-version", "py310"]
    command = [sys.executable, "-m", "ruff"]
    if subprocess.run([*command, "--version"], capture_output=True).returncode != 0:
        pytest.skip("pip install ruff")
    check = ["check", "--select", "F,E9", "--ignore", "F403,F405", "--quiet"]
    found = subprocess.run([*command, *check, *options, tmp_path], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
    modules = [tmp_path / path for path in whole if path.endswith(".py")]
    formatted = subprocess.run([*command, "format", "--check", *options, *modules], capture_output=True, text=True)
    assert formatted.returncode == 0, formatted.stdout


def test_it_is_the_same_each_time(whole, generated):
    everything = Api.from_json(json.loads((generated / "api.json").read_text()))
    assert {**Python().emit(everything), **PythonStubs().emit(everything)} == whole
