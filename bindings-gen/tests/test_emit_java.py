"""The Java binding: what is emitted for each kind of function, and that the whole ABI fits into classes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from ctorchgen.api import Api, Callback, Enum, Function, Opaque, Param, Struct
from ctorchgen.emit.java.binding import Java, lower_camel
from ctorchgen.emit.java.raw import identifier, raw_class, upper_camel
from ctorchgen.schema import GeneratorError

FOLDER = "bindings/java/src/org/ctorch"
TENSOR = Opaque("ctorch_tensor", "ctorch_tensor_release", "ctorch_tensor_retain")
KIND = Enum("ctorch_error_kind", (("CTORCH_ERROR_RUNTIME", 1), ("CTORCH_ERROR_SHAPE_MISMATCH", 20)))
SCALAR = Struct("ctorch_scalar", (("kind", "int32_t"),))
SELF = Param("self", "const ctorch_tensor *", "in", type="Tensor")
OUT = Param("out", "ctorch_tensor **", "out", owned=True)
ALPHA = Param("alpha", "const ctorch_scalar *", "in", type="Scalar", nullable=True, default=1, default_text="1")


def core(
    name: str, *params: Param, header: str = "ctorch/tensor/tensor.h", returns: str = "ctorch_error *"
) -> Function:
    return Function(name, header, "core", returns, params)


def operator(name: str, *params: Param, schema: str = "(Tensor self) -> Tensor", returned: str = "") -> Function:
    symbol, text = f"ctorch_aten_{name.replace('.', '_')}", f"aten::{name}{schema}"
    same = tuple(returned.split())
    return Function(
        symbol, "ctorch/generated/aten.h", "aten", "ctorch_error *", params, returned_arguments=same, schema=text
    )


def runtime() -> list[Function]:
    counting = [core(f"ctorch_tensor_{verb}", SELF, returns="void") for verb in ("release", "retain")]
    return [*counting, core("ctorch_version", header="ctorch/abi/version.h", returns="const char *")]


def emitted(path: str, *functions: Function) -> str:
    every = (*runtime(), *functions)
    return Java().emit(Api("1.2.3", "2.0", (KIND,), (SCALAR,), (TENSOR,), (), every))[path]


def test_an_operator_with_a_default_has_a_method_without_it() -> None:
    text = emitted(f"{FOLDER}/Aten.java", operator("mul.x", OUT, SELF, ALPHA))
    assert "public static Tensor mul_x(Tensor self) {\n    return mul_x(self, null);\n  }" in text
    assert "public static Tensor mul_x(Tensor self, Options options) {" in text
    assert 'Call call = Call.begin(options, "|alpha|");' in text
    assert 'RawAtenM.ctorch_aten_mul_x(out_, call.handle(self), call.optionScalar("alpha"))' in text
    assert "return call.getTensor(out_);" in text


def test_what_an_operator_changes_is_returned() -> None:
    changed = Param("self", "ctorch_tensor *", "in", type="Tensor", mutated=True)
    text = emitted(f"{FOLDER}/Aten.java", operator("relu_", changed, returned="self"))
    assert "public static Tensor relu_(Tensor self) {" in text
    assert "return self;" in text
    text = emitted(f"{FOLDER}/Aten.java", operator("zap_", changed, schema="(Tensor(a!) self) -> ()"))
    assert "public static void zap_(Tensor self) {" in text


def test_several_arguments_that_an_operator_returns_are_a_record() -> None:
    values, indices, noise = (
        Param(name, "ctorch_tensor *", "in", type="Tensor", mutated=True) for name in ("values", "indices", "noise")
    )
    files = Java().emit(
        Api("1.2.3", "2.0", (KIND,), (SCALAR,), (TENSOR,), (), tuple(runtime()) + (
            operator("sort.values", SELF, noise, values, indices, returned="values indices"),
            operator("rrelu_", values, noise, returned="values"),
        ))
    )  # fmt: skip
    text = files[f"{FOLDER}/Aten.java"]
    assert "public static Results.ValuesIndices sort_values(Tensor self, Tensor noise, Tensor values" in text
    assert "return new Results.ValuesIndices(values, indices);" in text
    assert "public static Tensor rrelu_(Tensor values, Tensor noise) {" in text and "return values;" in text
    assert "record ValuesIndices(Tensor values, Tensor indices)" in files[f"{FOLDER}/Results.java"]


def test_several_results_are_a_record() -> None:
    results = [Param(f"out_{name}", "ctorch_tensor **", "out", owned=True) for name in ("values", "indices")]
    f = operator("sort", *results, SELF)
    assert "public record ValuesIndices(Tensor values, Tensor indices)" in emitted(f"{FOLDER}/Results.java", f)
    text = emitted(f"{FOLDER}/Aten.java", f)
    assert "return new Results.ValuesIndices(call.getTensor(out_values_), call.getTensor(out_indices_));" in text


def test_a_list_that_may_be_none_is_no_varargs() -> None:
    length = Param("dim_len", "size_t", "len", len_of="dim")
    for type_, java in (("int[]", "long... dim"), ("int[1]?", "long[] dim")):
        dim = Param("dim", "const int64_t *", "in", type=type_, nullable=True)
        text = emitted(f"{FOLDER}/Aten.java", operator("sum", OUT, SELF, dim, length))
        assert f"public static Tensor sum(Tensor self, {java}) {{" in text
        assert "call.longs(dim), call.length()" in text


def test_an_option_that_is_a_scalar_somewhere_takes_no_primitive() -> None:
    """`alpha(2)` would find `alpha(double)` before `alpha(Number)`, and an int tensor would become a float one."""
    double = Param("alpha", "double", "in", type="float", default=1.0, default_text="1.0")
    text = emitted(f"{FOLDER}/Options.java", operator("a", OUT, SELF, ALPHA), operator("b", OUT, SELF, double))
    assert "public Options alpha(Number alpha)" in text
    assert "alpha(double" not in text


def test_a_parameter_that_a_local_variable_is_named_like_is_refused() -> None:
    call = Param("call", "double", "in", type="float")
    with pytest.raises(GeneratorError, match="ctorch_aten_f: the Java method has a variable"):
        emitted(f"{FOLDER}/Aten.java", operator("f", OUT, call))


def test_functions_of_an_object_are_its_methods() -> None:
    text = emitted(f"{FOLDER}/TensorMethods.java", core("ctorch_tensor_wait", SELF), core("ctorch_tensor_new", OUT))
    assert "public void wait_() {" in text  # Object.wait is final
    assert "call.check(RawTensor.ctorch_tensor_wait(call.handle(this)));" in text
    assert "public static Tensor create() {" in text
    assert "return Bridge.getText(returned);" in emitted(f"{FOLDER}/Ctorch.java")


def test_a_payload_is_cs_once_the_call_has_succeeded() -> None:
    """C has not taken the payload of a call that failed: Java forgets it then."""
    params = (
        Param("hook", "ctorch_tensor_hook_callback", "callback"),
        Param("destroy", "void (*)(void *payload)", "callback", nullable=True),
        Param("payload", "void *", "payload", nullable=True),
    )
    callback = Callback("ctorch_tensor_hook_callback", "int32_t", (Param("payload", "void *", "payload"),))
    every = (*runtime(), core("ctorch_tensor_hear", SELF, *params))
    api = Api("1.2.3", "2.0", (KIND,), (SCALAR,), (TENSOR,), (callback,), every)
    text = Java().emit(api)[f"{FOLDER}/TensorMethods.java"]
    hear = text[text.index(" hear(") :]
    steps = [
        "boolean given = false;",
        "call.check(",
        "given = true;",
        "finally",
        "if (!given)",
        "Registry.remove(payload);",
    ]
    assert sorted(steps, key=hear.index) == steps


def test_both_raw_layers_have_the_same_methods() -> None:
    f = core("ctorch_f", SELF, Param("flag", "bool", "in"), Param("x", "double", "in"), header="ctorch/some_thing.h")
    method = "long ctorch_f(long self, byte flag, double x)"
    assert f"public static native {method};" in emitted("bindings/java/jna/org/ctorch/raw/RawSomeThing.java", f)
    panama = emitted("bindings/java/panama/org/ctorch/raw/RawSomeThing.java", f)
    assert f"public static {method} {{" in panama
    assert 'Signatures.JBD_J.call(at(0, "ctorch_f"), self, flag, x);' in panama
    signatures = emitted("bindings/java/panama/org/ctorch/raw/Signatures.java", f)
    assert "static long call(long function, long p0, byte p1, double p2) {" in signatures


def test_names() -> None:
    assert upper_camel("tensor_list") == "TensorList"
    assert lower_camel("register_hook") == "registerHook"
    assert lower_camel("detach_") == "detach_"
    assert identifier("default") == "default_"
    assert raw_class(operator("_foreach_add")) == "RawAtenPrivateF"


@pytest.fixture(scope="session")
def package(generated: Path) -> dict[str, str]:
    return Java().emit(Api.from_json(json.loads((generated / "api.json").read_text())))


def test_each_function_has_one_raw_method(package: dict[str, str], generated: Path) -> None:
    api = Api.from_json(json.loads((generated / "api.json").read_text()))
    functions = sorted(f.name for f in api.functions)
    for layer, words in (("jna", "public static native"), ("panama", "public static")):
        texts = [text for path, text in package.items() if path.startswith(f"bindings/java/{layer}/")]
        assert sorted(re.findall(rf"  {words} \w+ (ctorch_\w+)\(", "\n".join(texts))) == functions


def test_what_is_emitted_is_in_order(package: dict[str, str]) -> None:
    for path, text in package.items():
        assert path.endswith(".java")
        assert text.startswith("// ctorch ") and text.endswith("}\n")
        assert not re.search(r"[ \t]$", text, re.MULTILINE), path
        assert len(text) == len(text.encode()), path  # whatever a compiler takes the encoding for
    lowered = [path.lower() for path in package]
    assert len(set(lowered)) == len(lowered)  # file systems that ignore case
