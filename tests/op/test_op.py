"""Operators called by name: every overload of aten bit for bit against PyTorch, schemas as PyTorch reads them, and what
is refused with which words."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import torch

from tests.harness.capi import BUILD, CtorchError, fails, ffi, lib, ok, out, text
from tests.harness.values import call, call_boxed, find, kind, made, python, repr_of, value
from tests.operators import operators, runner
from tests.operators import values as parity_values

NAMES = python(made("ctorch_op_list"))
OPERATORS = {name: find(name) for name in NAMES}


def refused(operator, *args, **named) -> tuple[str, str]:
    with pytest.raises(CtorchError) as caught:
        call(operator, *args, **named)
    return caught.value.kind, caught.value.message


# All of aten -------------------------------------------------------------------------------------------------------


def test_every_overload_does_what_pytorch_does(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setenv("CTORCH_API", os.environ.get("CTORCH_API", str(BUILD / "generated" / "api.json")))
    monkeypatch.setenv("CTORCH_LIBRARY", os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so")))
    names = [o.name for o in operators.load(os.environ["CTORCH_API"])]
    reports = runner.run(names, tmp_path / "boxed", 2, "tests.harness.boxed")
    with capsys.disabled():
        print("\nctorch_op_call: " + runner.summary(reports))
    assert [r["operator"] for r in reports] == names
    assert [f"{r['operator']}: {d}" for r in reports for d in r["differences"]] == []
    assert sum(1 for r in reports if r["successes"]) > 2800
    assert max(r["live handles"] for r in reports) == 0


# Schemas -----------------------------------------------------------------------------------------------------------


def test_all_operators_of_the_dispatcher_are_listed():
    theirs = {n for n in torch._C._dispatch_get_all_op_names() if torch._C._dispatch_has_kernel(n) or schema_of(n)}
    names = python(made("ctorch_op_list"))
    assert set(names) == {n for n in theirs if schema_of(n)}
    assert sorted(names) == names and len(names) > 3400


def schema_of(full_name: str) -> torch._C.FunctionSchema | None:
    start = full_name.index("::") + 2
    name, _, overload = full_name[start:].partition(".")
    try:
        return torch._C._get_schema(full_name[:start] + name, overload)
    except RuntimeError:
        return None


def test_schemas_read_as_pytorch_reads_them():
    compared = 0
    for name, op in OPERATORS.items():
        schema = schema_of(name)
        if schema is None or name.startswith("prims::"):
            continue
        assert text(lib.ctorch_op_schema(op)) == str(schema)
        assert text(lib.ctorch_op_name(op)) == schema.name
        assert text(lib.ctorch_op_overload(op)) == schema.overload_name
        assert text(lib.ctorch_op_namespace(op)) == name.partition("::")[0]
        assert lib.ctorch_op_is_registered(op)
        assert lib.ctorch_op_num_arguments(op) == len(schema.arguments)
        assert lib.ctorch_op_num_returns(op) == len(schema.returns)
        listed, _, returned = str(schema).partition("(")[2].rpartition(" -> ")
        texts = written(listed.removesuffix(")"))
        for i, argument in enumerate(schema.arguments):
            assert text(lib.ctorch_op_argument_name(op, i)) == argument.name
            assert (text(lib.ctorch_op_argument_type(op, i)), text(lib.ctorch_op_argument_alias(op, i))) == texts[i]
            assert lib.ctorch_op_argument_is_mutated(op, i) == ("!" in texts[i][1])
            assert lib.ctorch_op_argument_is_keyword_only(op, i) == argument.kwarg_only
            assert lib.ctorch_op_argument_has_default(op, i) == argument.has_default_value()
            default = made("ctorch_op_argument_default", op, i)
            if argument.has_default_value():
                assert python(default) == argument.default_value
            else:
                assert default == ffi.NULL
        texts = written(returned.removeprefix("(").removesuffix(")") if returned.startswith("(") else returned)
        for i, result in enumerate(schema.returns):
            assert text(lib.ctorch_op_return_name(op, i)) == result.name
            assert (text(lib.ctorch_op_return_type(op, i)), text(lib.ctorch_op_return_alias(op, i))) == texts[i]
        compared += 1
    assert compared > 3400


ALIAS = re.compile(r"\((?=[a-z*])((?:\w+\||\w+|\*|!| -> )+)\)")


def written(listed: str) -> list[tuple[str, str]]:
    """Type and alias annotation of each argument or result, as the text of a schema has them."""
    parts, depth = [""], 0
    for character in listed:
        depth += character in "([{"
        depth -= character in ")]}"
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    pairs = []
    for part in (p.strip() for p in parts):
        if part not in ("", "*"):
            alias = ALIAS.search(part.partition("=")[0])
            bare = part if alias is None else part.replace(alias[0], "", 1)
            pairs.append((re.match(r"(\w+\(.*?\)|[\w.]+)\S*", bare)[0], "" if alias is None else alias[1]))
    return pairs


def test_there_is_nothing_beyond_the_last_argument():
    op = OPERATORS["aten::add.Tensor"]
    for index in (3, 2**64 - 1):
        for accessor in (
            "argument_name",
            "argument_type",
            "argument_alias",
            "return_name",
            "return_type",
            "return_alias",
        ):
            assert getattr(lib, f"ctorch_op_{accessor}")(op, index) == ffi.NULL
        for accessor in ("argument_is_mutated", "argument_is_keyword_only", "argument_has_default"):
            assert not getattr(lib, f"ctorch_op_{accessor}")(op, index)
        assert fails(lib.ctorch_op_argument_default(out("ctorch_value *"), op, index))[0] == "INDEX"


def test_defaults_are_copies():
    op = find("aten::conv2d")
    default = made("ctorch_op_argument_default", op, 3)
    ok(lib.ctorch_value_clear(default))
    assert python(made("ctorch_op_argument_default", op, 3)) == [1, 1]


def test_kernels_by_dispatch_key():
    answer = out("bool")
    for name, key in [
        ("aten::add.Tensor", "CPU"),
        ("aten::add.Tensor", "Meta"),
        ("aten::linear", "CPU"),
        ("aten::linear", "CompositeImplicitAutograd"),
        ("aten::conv2d", "AutogradCPU"),
    ]:
        ok(lib.ctorch_op_has_kernel(answer, OPERATORS[name] if name in OPERATORS else find(name), key.encode()))
        assert answer[0] == torch._C._dispatch_has_kernel_for_dispatch_key(name, key), (name, key)
    assert fails(lib.ctorch_op_has_kernel(answer, find("aten::relu"), b"Nowhere")) == (
        "INVALID_ARGUMENT",
        "dispatch_key: no dispatch key 'Nowhere'",
    )


# Finding -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "overload", "found"),
    [
        ("aten::add", "Tensor", "aten::add.Tensor"),
        ("aten::add.Tensor", None, "aten::add.Tensor"),
        ("aten::relu", None, "aten::relu"),
        ("aten::relu", "", "aten::relu"),
        ("aten::relu", "default", "aten::relu"),
        ("aten::relu.default", None, "aten::relu"),
        ("quantized::add", None, "quantized::add"),
    ],
)
def test_finding(name, overload, found):
    assert text(lib.ctorch_op_schema(find(name, overload))).startswith(found + "(")


@pytest.mark.parametrize(
    ("name", "overload", "message"),
    [
        ("aten::add", None, "no operator aten::add; there is aten::add.Scalar, aten::add.Scalar_out, "),
        ("aten::relu", "Tensor", "no operator aten::relu.Tensor; there is aten::relu, aten::relu.out"),
        ("aten::nonsense", None, "no operator aten::nonsense"),
        ("add.Tensor", None, "no operator add.Tensor"),
        ("", None, "no operator "),
        ("::", "", "no operator ::"),
    ],
)
def test_an_operator_that_is_not_there_is_unsupported(name, overload, message):
    with pytest.raises(CtorchError) as caught:
        find(name, overload)
    assert caught.value.kind == "UNSUPPORTED"
    assert caught.value.message.startswith(message)


# Arguments ---------------------------------------------------------------------------------------------------------

X = torch.tensor([1.0, -2.0])


def test_positions_names_and_defaults():
    assert torch.equal(call("aten::add.Tensor", X, X), X + X)
    assert torch.equal(call("aten::add.Tensor", X, X, 3), X + 3 * X)
    assert torch.equal(call("aten::add.Tensor", X, other=X, alpha=2.0), X + 2 * X)
    assert torch.equal(call("aten::add.Tensor", alpha=2, other=X, self=X), 3 * X)
    op, null = find("aten::clamp"), ffi.new("ctorch_value *[]", [x := value(X), ffi.NULL, low := value(0)])
    assert torch.equal(python(made("ctorch_op_call", op, null, 3)), X.clamp(max=0))
    assert x and low


def test_results():
    maximum, index = call("aten::max.dim", X, 0)
    assert (maximum, index) == (1.0, 0)
    assert call("aten::_foreach_zero_", [y := X.clone()]) is None and torch.equal(y, torch.zeros(2))
    assert call("aten::size.int", X, 0) == 2 if "aten::size.int" in NAMES else True
    assert call("aten::item", torch.tensor(True)) is True
    assert call("aten::item", torch.tensor(2**64 - 1, dtype=torch.uint64)) == 2**64 - 1
    assert [t.tolist() for t in call("aten::split.Tensor", X, 1)] == [[1.0], [-2.0]]
    assert call("aten::add_.Tensor", y, X) is y
    result = torch.empty(0)
    assert call("aten::add.out", X, X, out=result) is result and torch.equal(result, 2 * X)


def test_a_result_that_is_not_wanted():
    y = X.clone()
    a, b = value(y), value(X)
    ok(lib.ctorch_op_call(ffi.NULL, find("aten::mul_.Tensor"), ffi.new("ctorch_value *[]", [a, b]), 2))
    assert torch.equal(y, X * X)


@pytest.mark.parametrize(
    ("operator", "args"),
    [
        ("aten::add.Tensor", (X > 0, X < 0, True)),
        ("aten::add.Tensor", (X, 2.5)),
        ("aten::mul_.Tensor", (X.clone(), 3)),
        ("aten::div.Tensor", (torch.tensor([1, 2]), 2)),
        ("aten::add.Tensor", (torch.tensor([1], dtype=torch.int16), 2)),
        ("aten::add.Scalar", (X, 1j)),
        ("aten::dropout", (X, 0, False)),
        ("aten::sum.dim_IntList", (X, 0)),
        ("aten::sum.dim_IntList", (X, (0,), True)),
        ("aten::sum.dim_IntList", (X, None)),
        ("aten::max_pool2d", (torch.rand(1, 4, 4), 2)),
        ("aten::max_pool2d", (torch.rand(1, 4, 4), [2, 1], (1, 1))),
        ("aten::upsample_nearest2d.vec", (torch.rand(1, 1, 2, 2), None, [2, 3.0])),
        ("aten::cat", ((X, X),)),
        ("aten::cat", ([X, X], torch.tensor(0))),
        ("aten::stack", ([X, X], -1)),
        ("aten::index.Tensor", (X, [torch.tensor([1])])),
        ("aten::index.Tensor", (X.reshape(1, 2), [None, torch.tensor([1])])),
        ("aten::index_put", (X, (torch.tensor([0]),), torch.tensor([5.0]))),
        ("aten::_foreach_add.ScalarList", ([X, X], [1, 2.5])),
        ("aten::native_layer_norm_backward", (X, X, [2], X[:1], X[:1], None, None, [True, False, False])),
        ("aten::einsum", ("i,i->", [X, X])),
        ("aten::zeros", ([2], torch.int64, torch.strided, torch.device("cpu"), False)),
        ("aten::normal_", (X.clone(), 0, 1, None)),
        ("aten::empty_like", (torch.rand(1, 2, 3, 4), None, None, None, None, torch.channels_last)),
        ("quantized::linear_prepack", (torch.quantize_per_tensor(torch.eye(2), 0.1, 0, torch.qint8), None)),
    ],
)
def test_arguments_are_converted_as_python_converts_them(operator, args):
    base, _, overload = operator.partition("::")[2].partition(".")
    reference = getattr(getattr(getattr(torch.ops, operator.partition("::")[0]), base), overload or "default")
    copies = [a.clone() if isinstance(a, torch.Tensor) else a for a in args]
    by_name = [a.name if a.kwarg_only else None for a in reference._schema.arguments]
    torch.manual_seed(1)
    theirs = reference(
        *(c for c, name in zip(copies, by_name, strict=False) if name is None),
        **{name: c for c, name in zip(copies, by_name, strict=False) if name is not None},
    )
    torch.manual_seed(1)
    ours = call_boxed(operator, *args)
    if kind(ours) == "object":
        assert type(theirs).__name__ == "ScriptObject"
        return
    if operator == "aten::empty_like":
        assert python(ours).stride() == theirs.stride()
        return
    assert repr(python(ours)) == repr(theirs)


def test_a_tensor_of_no_dimensions_is_a_number():
    assert torch.equal(call("aten::add.Tensor", X, X, torch.tensor(2)), torch.add(X, X, alpha=torch.tensor(2)))
    assert torch.equal(call("aten::sum.dim_IntList", X, [torch.tensor(0)]), X.sum())
    expected = "aten::add.Tensor(): argument 'alpha' must be Scalar, not Tensor"
    assert refused("aten::add.Tensor", X, X, X) == ("TYPE", expected)
    assert refused("aten::add.Tensor", X, X, torch.tensor(2.0, requires_grad=True)) == ("TYPE", expected)
    assert refused("aten::cat", [X], torch.tensor(0.5))[0] == "TYPE"


@pytest.mark.parametrize(
    ("operator", "args", "named", "expected"),
    [
        ("aten::add.Tensor", (X, X, 1, 1), {}, "aten::add.Tensor() takes 3 arguments but 4 were given"),
        ("aten::add.Tensor", (X,), {}, "aten::add.Tensor() is missing a value for argument 'other'"),
        ("aten::add.Tensor", (), {}, "aten::add.Tensor() is missing a value for argument 'self'"),
        ("aten::add.Tensor", (X,), {"bogus": 1}, "aten::add.Tensor() got an unexpected argument 'bogus'"),
        ("aten::add.Tensor", (X, X), {"other": X}, "aten::add.Tensor() got multiple values for argument 'other'"),
        ("aten::add.Tensor", (X, "x"), {}, "aten::add.Tensor(): argument 'other' must be Tensor, not str"),
        ("aten::add.Tensor", (X, None), {}, "aten::add.Tensor(): argument 'other' must be Tensor, not NoneType"),
        ("aten::relu", (2,), {}, "aten::relu(): argument 'self' must be Tensor, not int"),
        ("aten::add.Tensor", (X, X, "1"), {}, "aten::add.Tensor(): argument 'alpha' must be Scalar, not str"),
        ("aten::cat", (X,), {}, "aten::cat(): argument 'tensors' must be Tensor[], not Tensor"),
        ("aten::cat", ([X, 1],), {}, "aten::cat(): argument 'tensors'[1] must be Tensor, not int"),
        ("aten::cat", ([X], 1.5), {}, "aten::cat(): argument 'dim' must be int, not float"),
        ("aten::cat", ([X], True), {}, "aten::cat(): argument 'dim' must be int, not bool"),
        ("aten::sum.dim_IntList", (X, [0, "x"]), {}, "aten::sum.dim_IntList(): argument 'dim'[1] must be int, not str"),
        ("aten::sum.dim_IntList", (X, "x"), {}, "aten::sum.dim_IntList(): argument 'dim' must be int[1]?, not str"),
        ("aten::sum.dim_IntList", (X, 0, 1), {}, "aten::sum.dim_IntList(): argument 'keepdim' must be bool, not int"),
        ("aten::sum", (X,), {"dtype": 99}, "aten::sum(): argument 'dtype' must be the number of a dtype, not 99"),
        ("aten::sum", (X,), {"dtype": -1}, "aten::sum(): argument 'dtype' must be the number of a dtype, not -1"),
        (
            "aten::index.Tensor",
            (X, [2]),
            {},
            "aten::index.Tensor(): argument 'indices'[0] must be Optional[Tensor], not int",
        ),
        (
            "aten::zeros",
            ([-(2**63)],),
            {},
            "aten::zeros(): argument 'size'[0] must be an int of at least -2^62, not -9223372036854775808",
        ),
        ("aten::dropout", (X, "p", True), {}, "aten::dropout(): argument 'p' must be float, not str"),
        ("aten::einsum", (1, [X]), {}, "aten::einsum(): argument 'equation' must be str, not int"),
        ("aten::normal_", (X, 0.0, 1.0, 5), {}, "aten::normal_(): argument 'generator' must be Generator?, not int"),
        ("quantized::linear_unpack", (X,), {}, "not Tensor"),
    ],
)
def test_what_does_not_fit_is_a_type_error_that_names_it(operator, args, named, expected):
    error, message = refused(operator, *args, **named)
    assert error == "TYPE"
    assert message == expected or (operator.startswith("quantized") and message.endswith(expected))


def test_nulls_are_refused():
    op, x = find("aten::add.Tensor"), value(X)
    values, result = ffi.new("ctorch_value *[]", [x, ffi.NULL]), out("ctorch_value *")
    assert fails(lib.ctorch_op_call(result, op, values, 2)) == (
        "NULL_ARGUMENT",
        "aten::add.Tensor(): argument 'other' must not be NULL",
    )
    assert fails(lib.ctorch_op_call(result, ffi.NULL, values, 1))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_op_call(result, op, ffi.NULL, 2))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_op_call(result, op, values, 2**63))[0] == "INVALID_ARGUMENT"
    names = ffi.new("char *[]", [ffi.NULL])
    assert fails(lib.ctorch_op_call_named(result, op, values, 1, names, 1, values, 1)) == (
        "NULL_ARGUMENT",
        "names[0] must not be NULL",
    )
    assert fails(lib.ctorch_op_call_named(result, op, values, 1, names, 1, values, 0))[0] == "INVALID_ARGUMENT"
    assert fails(lib.ctorch_op_call_named(result, op, values, 1, ffi.NULL, 1, values, 1))[0] == "NULL_ARGUMENT"
    assert result[0] == ffi.NULL


def test_errors_of_operators_are_pytorch_s():
    with pytest.raises(RuntimeError) as theirs:
        torch.ops.aten.view.default(X, [3])
    with pytest.raises(CtorchError) as ours:
        call("aten::view", X, [3])
    assert ours.value.message == str(theirs.value)


# Wrong types everywhere --------------------------------------------------------------------------------------------

SAMPLES = {
    "Tensor": X,
    "int": 1,
    "float": 1.5,
    "bool": True,
    "complex": 1j,
    "str": "x",
    "dict": {"a": 1},
    "Device": torch.device("cpu"),
    "Generator": parity_values.Generator(1),
    "Storage": parity_values.Storage(torch.zeros(8, dtype=torch.uint8).untyped_storage()),
    "Stream": parity_values.Stream(0, 0, 0),
    "list of str": ["x", "y"],
    "list of lists": [[["x"]]],
    "tuple": ("x", X, {}),
    "None": None,
}
BOXED = {label: value(sample) for label, sample in SAMPLES.items()}
ACCEPTED = {
    "Tensor": {"Tensor"},
    "number": {"int", "float", "bool", "complex"},
    "int": {"int"},
    "SymInt": {"int"},
    "ScalarType": {"int"},
    "Layout": {"int"},
    "MemoryFormat": {"int"},
    "QScheme": {"int"},
    "float": {"int", "float"},
    "complex": {"int", "float", "complex"},
    "bool": {"bool"},
    "str": {"str"},
    "Device": {"Device"},
    "Generator": {"Generator"},
    "Storage": {"Storage"},
    "Stream": {"Stream"},
    "List[str]": {"list of str"},
    "List[int]": set(),
}
FITTING = {
    "Tensor": X, "number": 1, "int": 1, "SymInt": 1, "ScalarType": 6, "Layout": 0, "MemoryFormat": 0, "QScheme": 0,
    "float": 1.0, "complex": 1j, "bool": True, "str": "x", "Device": torch.device("cpu"),
    "Generator": parity_values.Generator(1), "Storage": SAMPLES["Storage"], "Stream": SAMPLES["Stream"],
}  # fmt: skip


def wrong_for(argument, takes_numbers: bool) -> set[str] | None:
    annotation = str(argument.real_type)
    optional = annotation.startswith("Optional[")
    annotation = annotation[len("Optional[") : -1] if optional else annotation
    if annotation in ("Any", "t", "t1", "t2", "AnyEnumType") or annotation.startswith(("Union", "Future", "Await")):
        return None
    accepted = set(ACCEPTED.get(annotation, ())) | ({"None"} if optional else set())
    if argument.N is not None:
        accepted |= {"List[int]": {"int"}, "List[SymInt]": {"int"}, "List[float]": {"int", "float"}}.get(
            annotation, set()
        )
    if annotation == "Tensor" and takes_numbers:
        accepted |= ACCEPTED["number"]
    return set(SAMPLES) - accepted


def fitting(argument) -> object:
    annotation = str(argument.real_type)
    if annotation.startswith("Optional["):
        return BOXED["None"]
    if annotation.startswith("List["):
        return value([])
    return FIT.get(annotation)


FIT = {annotation: value(sample) for annotation, sample in FITTING.items()}
NUMBERS = ("add", "sub", "mul", "div", "divide", "multiply", "subtract", "true_divide", "floor_divide", "copy", "to",
           "_to_copy", "_conj")  # fmt: skip


def test_a_wrong_type_never_reaches_an_operator():
    result, calls = out("ctorch_value *"), 0
    for name, op in OPERATORS.items():
        schema = schema_of(name)
        takes_numbers = name.startswith("aten::") and schema.name.removeprefix("aten::").removesuffix("_") in NUMBERS
        before = []
        for i, argument in enumerate(schema.arguments):
            for label in sorted(wrong_for(argument, takes_numbers) or ()):
                args = ffi.new("ctorch_value *[]", [*before, BOXED[label]])
                error, message = fails(lib.ctorch_op_call(result, op, args, i + 1))
                calls += 1
                assert error == "TYPE" and f"argument '{argument.name}'" in message, (name, label, message)
            fits = fitting(argument)
            if fits is None:
                break  # an object that only another operator makes
            before.append(fits)
    assert result[0] == ffi.NULL
    assert calls > 100_000


def test_text_of_found_types():
    _, message = refused("aten::relu", {"a": [X, None]})
    assert message == "aten::relu(): argument 'self' must be Tensor, not Dict[str, List[Optional[Tensor]]]"
    assert repr_of(value([1])) == "[1]"
