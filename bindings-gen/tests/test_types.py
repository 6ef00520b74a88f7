"""types.py: each schema type of the design's table as C, C++ and JSON, and what the table refuses."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import samples
from ctorchgen import types
from ctorchgen.api import Enum
from ctorchgen.policy import Group, NamedDefault, Policy
from ctorchgen.schema import Argument, GeneratorError, Type, parse_schema


def argument(text: str):
    """The mapping of the only argument of an operator: `"int[2] x=1"`."""
    op = parse_schema(f"f({text}) -> Tensor", "small.yaml:7")
    return types.map_argument(op, op.arguments[0])


def test_each_type_as_header_body_and_json(monkeypatch):
    samples.check_golden("types", samples.emit(samples.read_set("types"), monkeypatch))


def test_the_golden_types_use_every_conversion(monkeypatch):
    text = samples.emit(samples.read_set("types"), monkeypatch)["aten_0.cpp"]
    used = set(re.findall(r"(?<!\w)from::(\w+)[(<]", text))
    assert used == types.CONVERSIONS - {"generator"}  # no operator takes a Generator that may not be None


def test_the_golden_types_have_every_type_of_the_table():
    functions = samples.read_set("types")
    arguments = {a.type for f in functions for a in f.operator.arguments}
    scalars = {t.base for t in arguments if not t.is_list}
    assert scalars == types.VALUES.keys() - {"SymBool", "QScheme"} | {"Tensor"}  # those two are results only
    assert {t.base for t in arguments if t.is_list} == types.LISTS.keys() | {"Tensor"}
    results = {r.type.base for f in functions for r in f.operator.returns}
    assert results == {name for name, value in types.VALUES.items() if value.result} | {"Tensor"}


def test_every_conversion_is_in_the_shim(root):
    text = "".join((root / "shim/core/abi" / name).read_text() for name in ("from.hpp", "enumeration.hpp"))
    defined = set(re.findall(r"\b(\w+)\(\s*(?:const )?(?:ctorch_\w+|int64_t|int32_t|double|bool|char) ", text))
    assert types.CONVERSIONS <= defined


def test_the_golden_types_compile(tmp_path):
    samples.check_compiles("types", tmp_path)


# Schema type -> C type of the argument, whether it may be NULL, conversion. The last column of the design's table and
# the forms that no operator of 2.13 has.


@pytest.mark.parametrize(
    ("text", "c_type", "nullable", "expression"),
    [
        ("Tensor x", "const ctorch_tensor *", False, 'from::tensor(x, "x")'),
        ("Tensor? x", "const ctorch_tensor *", True, "from::optional_tensor(x)"),
        ("Tensor[] x", "const ctorch_tensor *const *", True, 'from::tensors(x, x_len, "x")'),
        ("Tensor(a!)[] x", "ctorch_tensor *const *", True, 'from::tensors(x, x_len, "x")'),
        ("Tensor?[] x", "const ctorch_tensor *const *", True, 'from::optional_tensors(x, x_len, "x")'),
        ("int x", "int64_t", False, "x"),
        ("int? x", "const int64_t *", True, 'from::optional_int64(x, "x")'),
        ("SymInt x", "int64_t", False, 'from::symint(x, "x")'),
        ("SymInt? x", "const int64_t *", True, 'from::optional_symint(x, "x")'),
        ("int[] x", "const int64_t *", True, 'from::ints(x, x_len, "x")'),
        ("int[2]? x", "const int64_t *", True, 'from::optional_ints(x, x_len, "x")'),
        ("SymInt[3] x=2", "const int64_t *", True, 'from::symints_or(x, x_len, "x", {2, 2, 2})'),
        ("float x=1", "double", False, "x"),
        ("float? x", "const double *", True, 'from::optional_double(x, "x")'),
        ("float[]? x", "const double *", True, 'from::optional_doubles(x, x_len, "x")'),
        ("bool x=True", "bool", False, "x"),
        ("bool? x", "const bool *", True, 'from::optional_bool(x, "x")'),
        ("bool[4] x", "const bool *", True, 'from::bools<4>(x, x_len, "x")'),
        ("SymBool x", "bool", False, "x"),
        ("Scalar x", "const ctorch_scalar *", False, 'from::scalar(x, "x")'),
        ("Scalar x=0.5", "const ctorch_scalar *", True, 'from::scalar_or(x, "x", 0.5)'),
        ("Scalar[] x", "const ctorch_scalar *", True, 'from::scalars(x, x_len, "x")'),
        ("str x", "const char *", False, 'from::string(x, "x")'),
        ("str? x", "const char *", True, 'from::optional_string(x, "x")'),
        ("ScalarType x", "ctorch_dtype", False, 'from::dtype(x, "x")'),
        ("Layout? x", "const ctorch_layout *", True, 'from::optional_layout(x, "x")'),
        ("MemoryFormat x", "ctorch_memory_format", False, 'from::memory_format(x, "x")'),
        ("Device x", "const ctorch_device *", False, 'from::device(x, "x")'),
        ("DeviceIndex x", "int32_t", False, 'from::device_index(x, "x")'),
        ("Generator x", "ctorch_generator *", False, 'from::generator(x, "x")'),
        ("Generator? x", "ctorch_generator *", True, 'from::optional_generator(x, "x")'),
        ("Storage x", "ctorch_storage *", False, 'from::storage(x, "x")'),
        ("Stream x", "const ctorch_stream *", False, 'from::stream(x, "x")'),
    ],
)
def test_argument(text, c_type, nullable, expression):
    mapped = argument(text)
    assert (mapped.params[0].c_type, mapped.params[0].nullable, mapped.expression) == (c_type, nullable, expression)
    if "[" in text:
        assert [(p.name, p.c_type, p.role, p.len_of) for p in mapped.params[1:]] == [("x_len", "size_t", "len", "x")]
    else:
        assert len(mapped.params) == 1


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ("zeros(SymInt[] size, *, Device? device=None) -> Tensor", "optional_device_or_default"),
        (
            "linspace.Tensor_Scalar(Tensor start, Scalar end, *, Device? device=None) -> Tensor",
            "optional_device_or_default",
        ),
        ("sparse_coo_tensor.size(int[] size, *, Device? device=None) -> Tensor", "optional_device_or_default"),
        ("sparse_coo_tensor.indices(Tensor indices, *, Device? device=None) -> Tensor", "optional_device"),
        ("zeros_like(Tensor self, *, Device? device=None) -> Tensor", "optional_device"),
    ],
)
def test_constructors_follow_the_default_device(schema, kind):
    group = Group(("zeros", "linspace", "sparse_coo_tensor.size"))
    used = tuple(replace(group, operators=(p,)) for p in group.operators if schema.startswith((f"{p}.", f"{p}(")))
    assert f'from::{kind}(device, "device")' in samples.build_one(schema, policy=Policy(default_device=used)).body


def test_a_mutated_tensor_travels_as_an_owner():
    op = parse_schema("f(Tensor(a!) self) -> Tensor(a!)", "small.yaml:7")
    mapped = types.map_argument(op, op.arguments[0])
    assert mapped.mutable
    assert mapped.expression == "self_"
    assert (mapped.params[0].c_type, mapped.params[0].nullable, mapped.params[0].mutated) == (
        "ctorch_tensor *",
        False,
        True,
    )


@pytest.mark.parametrize(
    ("text", "c_type", "owned"),
    [
        ("Tensor", "ctorch_tensor **", True),
        ("Tensor[]", "ctorch_tensor_list **", True),
        ("int", "int64_t *", False),
        ("SymInt", "int64_t *", False),
        ("float", "double *", False),
        ("bool", "bool *", False),
        ("SymBool", "bool *", False),
        ("Scalar", "ctorch_scalar *", False),
        ("ScalarType", "ctorch_dtype *", False),
        ("QScheme", "int32_t *", False),
    ],
)
def test_result(text, c_type, owned):
    op = parse_schema(f"f(Tensor self) -> {text}", "small.yaml:7")
    param = types.map_result(op, op.returns[0], "out")
    assert (param.name, param.c_type, param.role, param.owned, param.type) == ("out", c_type, "out", owned, text)


UNKNOWN = [
    "DimVector x",
    "GraphModule x",
    "QScheme x",
    "QScheme? x",
    "Storage? x",
    "Stream? x",
    "DeviceIndex? x",
    "float[] x",
    "bool[] x",
    "bool[3]? x",
    "str[] x",
    "Device[] x",
    "int?[] x",
    "Tensor[]? x",
    "Scalar[]? x",
    "Tensor[] x=[]",
    "float? x=1.0",
    "SymInt? x=1",
    "int[]? x=1",
    "Scalar? x=1",
    "str? x='a'",
]


@pytest.mark.parametrize("text", UNKNOWN)
def test_an_unknown_type_names_operator_line_argument_and_type(text):
    spelling = re.escape(text.split()[0].replace("(a!)", ""))
    with pytest.raises(GeneratorError, match=rf"^small\.yaml:7: aten::f: unknown type {spelling} of argument x"):
        argument(text)


@pytest.mark.parametrize("text", ["Tensor?", "Device", "Layout", "str", "int[]", "Tensor?[]"])
def test_an_unknown_result_type_names_operator_and_line(text):
    with pytest.raises(GeneratorError, match=r"^small\.yaml:7: aten::f: unknown result type " + re.escape(text)):
        samples.build([parse_schema(f"f(Tensor self) -> {text}", "small.yaml:7")])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("f(Foo x) -> Tensor", r"unrecognized type Foo\s+in \S*small\.yaml:2:\s+f\(Foo x\)"),
        ("f(__torch__.torch.classes.A.B x) -> Tensor", r"^small\.yaml:2: aten::f: unknown type __torch__"),
        ("f(int[][] x) -> Tensor", r"^small\.yaml:2: aten::f: unknown type int\[\]\[\]"),
        ("f(Tensor x -> Tensor", r"small\.yaml:2:\s+f\(Tensor x ->"),
        ("f(Tensor(a!)?[] x) -> Tensor", r"small\.yaml:2:\s+f\(Tensor\(a!\)\?\[\] x\)"),
    ],
)
def test_what_torchgen_or_the_model_refuses_names_operator_and_line(text, error, tmp_path):
    with pytest.raises(GeneratorError, match=error):
        samples.read_yaml(tmp_path, "ok(Tensor x) -> Tensor", text)


def test_mutated_arguments_other_than_tensors_are_refused():
    op = parse_schema("f(Tensor self) -> Tensor", "small.yaml:7")
    for base in ("Generator", "Storage"):
        with pytest.raises(GeneratorError, match=rf"aten::f: mutated argument x of type {base}"):
            types.map_argument(op, Argument("x", Type(base), None, mutated=True))


# Defaults: the schema's text -> JSON for bindings, and C++ for an argument that the C function does not have.

DEFAULTS = [
    ("int x=3", 3, "3"),
    ("int x=-1", -1, "-1"),
    ("int x=9223372036854775807", 2**63 - 1, "9223372036854775807"),
    ("SymInt x=0", 0, "0"),
    ("float x=1", 1.0, "1.0"),
    ("float x=1e-5", 1e-5, "1e-05"),
    ("float x=-0.0", -0.0, "-0.0"),
    ("bool x=True", True, "true"),
    ("bool x=False", False, "false"),
    ("bool? x=None", None, "{}"),
    ("Tensor? x=None", None, "{}"),
    ("Scalar x=1", 1, "1"),
    ("Scalar x=0.125", 0.125, "0.125"),
    ('str x="reflect"', "reflect", '"reflect"'),
    ("str x='none'", "none", '"none"'),
    ('str x=""', "", '""'),
    (r"""str x='a"b'""", 'a"b', r'"a\"b"'),
    ("int[] x=[]", [], 'from::ints_or(nullptr, 0, "x", {})'),
    ("int[1] x=[]", [], 'from::ints_or(nullptr, 0, "x", {})'),
    ("int[] x=[-2,-1]", [-2, -1], 'from::ints_or(nullptr, 0, "x", {-2, -1})'),
    ("int[2] x=[0,1]", [0, 1], 'from::ints_or(nullptr, 0, "x", {0, 1})'),
    ("int[2] x=1", [1, 1], 'from::ints_or(nullptr, 0, "x", {1, 1})'),
    ("int[] x=0", [0], 'from::ints_or(nullptr, 0, "x", {0})'),
    ("SymInt[3] x=0", [0, 0, 0], 'from::symints_or(nullptr, 0, "x", {0, 0, 0})'),
    ("int[2]? x=None", None, "{}"),
    ("int[2]? x=1", [1, 1], 'from::ints_or(nullptr, 0, "x", {1, 1})'),
    ("float? x=1.5", 1.5, "1.5"),
]


WORDS = [  # a default, the constant, its number, what is passed for NULL, and for an argument that C does not have
    ("int x=Mean", "CTORCH_REDUCTION_MEAN", 1, "::call(x)", "1"),
    (
        "ScalarType? x=long",
        "CTORCH_DTYPE_INT64",
        4,
        'from::optional_dtype_or(x, "x", static_cast<at::ScalarType>(4))',
        "static_cast<at::ScalarType>(4)",
    ),
    (
        "MemoryFormat? x=contiguous_format",
        "CTORCH_MEMORY_FORMAT_CONTIGUOUS",
        0,
        'from::optional_memory_format_or(x, "x", static_cast<at::MemoryFormat>(0))',
        "static_cast<at::MemoryFormat>(0)",
    ),
]


@pytest.mark.parametrize(("text", "constant", "number", "passed", "instead"), WORDS, ids=[w[0] for w in WORDS])
def test_a_default_that_is_a_word_is_a_constant_of_the_headers(text, constant, number, passed, instead):
    type_, word = re.fullmatch(r"(\w+)\?? x=(\w+)", text).groups()
    policy = Policy(defaults=(NamedDefault(type_, word, constant),))
    enums = (Enum("ctorch_e", ((constant, number),)),)
    function = samples.build_one(f"f({text}) -> Tensor", policy=policy, enums=enums)
    assert (function.params[-1].default, function.params[-1].default_text) == (number, word)
    assert passed in function.body
    newer = samples.build_one(f"f(Tensor a, {text}) -> Tensor", "f(Tensor a) -> Tensor", policy, enums)
    assert f", {instead})" in newer.body


@pytest.mark.parametrize(("text", "value", "cpp"), DEFAULTS, ids=[d[0] for d in DEFAULTS])
def test_default(text, value, cpp):
    op = parse_schema(f"f({text}) -> Tensor", "small.yaml:7")
    assert types.cpp_default(op, op.arguments[0]) == cpp
    if text in ("int[2]? x=1", "float? x=1.5"):  # only as an argument that the C function does not have
        return
    param = types.map_argument(op, op.arguments[0]).params[0]
    assert param.default == value
    assert type(param.default) is type(value)
    assert str(param.default) == str(value)  # tells -0.0 from 0.0
    assert param.default_text == text.split("=", 1)[1]


@pytest.mark.parametrize(
    "text",
    [
        "int x=1.5",
        "int x=True",
        "int x=Meen",
        "int x=9223372036854775808",
        "int x=-9223372036854775808",
        "int x=Sum",
        "float x=inf",
        "float x=1e999",
        "float x=nan",
        "float x=-inf",
        "Scalar x=1e999",
        "Scalar x=True",
        "Scalar x='1'",
        "bool x=1",
        "str x=none",
        "ScalarType x=float",
        "ScalarType x=4",
        "MemoryFormat x=channels",
        "Device x='cpu'",
        "Layout x=strided",
        "int[2] x=one",
        "int[2] x=[1,a]",
        "int[2] x=[1.5,2]",
        "int[2] x=[True,False]",
        "int[2] x=[9223372036854775808,0]",
        "Generator x=1",
        "bool[2] x=[True,False]",
    ],
)
def test_a_default_that_does_not_suit_names_operator_line_and_argument(text):
    with pytest.raises(GeneratorError, match=r"^small\.yaml:7: aten::f: .*\bdefault\b.*"):
        argument(text)


@pytest.mark.parametrize(
    "text", ["Tensor x", "int x", "Tensor[] x", "bool[2] x=[True,False]", "Tensor[] x=[]", "float[] x=[]"]
)
def test_an_appended_argument_without_a_default_is_refused(text):
    op = parse_schema(f"f({text}) -> Tensor", "small.yaml:7")
    with pytest.raises(GeneratorError, match=r"^small\.yaml:7: aten::f: .*argument x\b"):
        types.cpp_default(op, op.arguments[0])
