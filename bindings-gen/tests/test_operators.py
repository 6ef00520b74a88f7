"""operators.py: names, collisions, and the lock's C functions over another LibTorch than the one they came from."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import samples
from ctorchgen import names, operators
from ctorchgen.api import Enum, Function
from ctorchgen.emit.coverage import totals
from ctorchgen.policy import EnumUse, Policy, Substitute
from ctorchgen.schema import GeneratorError, parse_schema

# Names.


@pytest.mark.parametrize(
    ("schema_name", "symbol", "header"),
    [
        ("add.Tensor", "ctorch_aten_add_Tensor", "aten"),
        ("add_.Tensor", "ctorch_aten_add__Tensor", "aten"),
        ("_stack", "ctorch_aten__stack", "aten_private"),
        ("__ilshift__.Scalar", "ctorch_aten___ilshift___Scalar", "aten_private"),
        ("bernoulli.Tensor_out", "ctorch_aten_bernoulli_Tensor_out", "aten"),
    ],
)
def test_a_symbol_is_the_schema_name_with_its_underscores(schema_name, symbol, header):
    assert names.function_name(schema_name) == symbol
    assert names.header_name(schema_name) == f"ctorch/generated/{header}.h"


@pytest.mark.parametrize(
    ("schema", "params"),
    [
        ("f(Tensor self) -> Tensor", "out self"),
        ("f(Tensor self) -> Tensor values", "out self"),
        ("f(Tensor self) -> ()", "self"),
        ("f(Tensor(a!) self) -> Tensor(a!)", "self"),
        ("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self out"),
        ("f(Tensor self) -> (Tensor values, Tensor indices)", "out_values out_indices self"),
        ("f(Tensor self) -> (Tensor, int)", "out0 out1 self"),
        ("f(Tensor out) -> Tensor", "result out"),
        ("f(Tensor self, Tensor out_values) -> (Tensor values, Tensor out)", "result_values out_out self out_values"),
        ("f(Tensor self, int[] out0) -> (Tensor, Tensor)", "result0 out1 self out0 out0_len"),
        ("f(Tensor[] tensors, int dim) -> Tensor[]", "out tensors tensors_len dim"),
    ],
)
def test_outputs_come_first_and_avoid_the_arguments(schema, params):
    assert " ".join(p.name for p in samples.build_one(schema).params) == params


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("f(Tensor out, Tensor result) -> Tensor", "output result has the name of another parameter"),
        ("f(Tensor self) -> (Tensor x, Tensor x)", "output out_x has the name of another parameter"),
        ("f(int[] result, int out) -> Tensor", "output result has the name of another parameter"),
        ("f(Tensor x, Tensor x) -> Tensor", "two parameters are called x"),
        ("f(int[] x, int x_len) -> Tensor", "two parameters are called x_len"),
        (
            "f.out(Tensor out_, *, Tensor(a!) out) -> Tensor(a!)",
            "out_ has the name of a variable of the generated code",
        ),
        ("f(Tensor returned_) -> Tensor", "returned_ has the name of a variable of the generated code"),
        ("f(Tensor default) -> Tensor", "default is a word of C"),
        ("f(Tensor restrict) -> Tensor", "restrict is a word of C"),
        ("f(Tensor class) -> Tensor", "class is a word of C"),
        ("f(Tensor guard) -> Tensor", "guard is a word of C"),
        ("f(Tensor _Bool) -> Tensor", "_Bool is a word of C"),
        ("f(Tensor __x) -> Tensor", "__x is a word of C"),
    ],
)
def test_a_parameter_that_cannot_be_called_so_names_operator_and_line(schema, problem):
    with pytest.raises(GeneratorError, match=rf"^small\.yaml:1: aten::f[.a-z]*: .*{re.escape(problem)}"):
        samples.build_one(schema)


def test_names_that_only_look_like_trouble_stay():
    function = samples.build_one("f(Tensor self, int from, int to, Tensor self_, int _x, int at) -> Tensor")
    assert [p.name for p in function.params] == ["out", "self", "from", "to", "self_", "_x", "at"]


def test_two_operators_of_one_symbol_are_named(tmp_path):
    ops = samples.read_yaml(tmp_path, "a.b_c(Tensor x) -> Tensor", "d(Tensor x) -> Tensor", "a_b.c(Tensor x) -> Tensor")
    with pytest.raises(
        GeneratorError,
        match=r"^small\.yaml:3: aten::a_b\.c: has the symbol ctorch_aten_a_b_c of aten::a\.b_c \(small\.yaml:1\)",
    ):
        samples.build(ops)


def test_two_symbols_that_differ_in_case_alone_are_named(tmp_path):
    ops = samples.read_yaml(tmp_path, "f.Scalar(Tensor x) -> Tensor", "f.scalar(Tensor x, int y) -> Tensor")
    with pytest.raises(GeneratorError, match=r"^small\.yaml:2: aten::f\.scalar.* and aten::f\.Scalar.*case aside"):
        samples.build(ops)


def test_an_operator_cannot_take_the_symbol_of_one_in_the_lock():
    op = parse_schema("a_b.c(Tensor x) -> Tensor", "small.yaml:4")
    locked = samples.lock_of("a.b_c(Tensor x) -> Tensor")
    with pytest.raises(
        GeneratorError, match=r"^small\.yaml:4: aten::a_b\.c: has the symbol \w+ of aten::a\.b_c \(aten\.lock:1\)"
    ):
        samples.build([op], locked)


def test_a_lock_line_with_the_symbol_of_another_operator_is_named():
    locked = samples.lock_of("f(Tensor x) -> Tensor")
    wrong = {"ctorch_aten_g": locked["ctorch_aten_f"]}
    with pytest.raises(GeneratorError, match=r"^aten\.lock:1: aten::f: is not called ctorch_aten_g"):
        samples.build([], wrong)


def test_new_results_beside_returned_arguments_are_refused():
    op = parse_schema("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "small.yaml:1")
    both = type(op)(**{**vars(op), "returns": (*op.returns, parse_schema("g() -> int", "").returns[0])})
    with pytest.raises(GeneratorError, match=r"^small\.yaml:1: aten::f\.out: returns both"):
        samples.build([both])


# The lock and the LibTorch at hand.


def test_each_adaptation_as_header_body_and_json(monkeypatch):
    samples.check_golden("adapted", samples.emit(samples.read_set("adapted"), monkeypatch))


def test_the_adapted_bodies_compile(tmp_path):
    samples.check_compiles("adapted", tmp_path)


def call(function) -> str:
    """The arguments of the call of LibTorch, for a function with one output."""
    return re.search(r"return at::_ops::\w+::call\((.*)\); }, out\);", function.body)[1]


def test_the_signature_is_the_locks_whatever_libtorch_has():
    old = "f(Tensor self, int k) -> (Tensor a, Tensor b)"
    for new in (
        "f(Tensor self, SymInt k) -> (Tensor, Tensor)",
        "f(Tensor input, int n, bool more=False, Tensor? w=None) -> (Tensor x, Tensor y)",
    ):
        function, (entry,) = samples.build_one(new, old), samples.lock_of(old).values()
        assert function.signature == entry.signature
        assert function.schema == function.doc == f"aten::{old}"
        assert function.operator.schema == new


@pytest.mark.parametrize(
    ("locked", "libtorch", "expected"),
    [
        (
            "f(Tensor x, int k) -> Tensor",
            "f(Tensor x, int k, bool flag=True) -> Tensor",
            'from::tensor(x, "x"), k, true',
        ),
        ("f(Tensor x) -> Tensor", "f(Tensor y) -> Tensor", 'from::tensor(x, "x")'),
        ("f(int k) -> Tensor", "f(SymInt k) -> Tensor", 'from::symint(k, "k")'),
        ("f(int[] k) -> Tensor", "f(SymInt[2] k) -> Tensor", 'from::symints(k, k_len, "k")'),
        ("f(int a, int b) -> Tensor", "f(int a, int more=7, int b) -> Tensor", "a, 7, b"),
        ("f(int a, int b) -> Tensor", "f(int first=7, int a, int b) -> Tensor", "7, a, b"),
        ("f(int a, bool b) -> Tensor", "f(int x, bool y, int z=0) -> Tensor", "a, b, 0"),
        ("f(Scalar k=1) -> Tensor", "f(Scalar k=2) -> Tensor", 'from::scalar_or(k, "k", 1)'),
        ("f(Scalar? k=None) -> Tensor", "f(Scalar k=2) -> Tensor", 'from::scalar_or(k, "k", 2)'),
        ("f(int[1]? k=None) -> Tensor", "f(int[1] k=[]) -> Tensor", 'from::ints_or(k, k_len, "k", {})'),
        ("f(int[2] k=1) -> Tensor", "f(int[2] k) -> Tensor", 'from::ints_or(k, k_len, "k", {1, 1})'),
        ("f(Tensor x) -> Tensor", "f(Tensor? x) -> Tensor", "from::optional_tensor(x)"),
        ("f(Tensor? x) -> Tensor", "f(Tensor x) -> Tensor", 'from::tensor(x, "x")'),
    ],
)
def test_adapted_arguments(locked, libtorch, expected):
    assert call(samples.build_one(libtorch, locked)) == expected


@pytest.mark.parametrize(
    ("locked", "libtorch", "refusals"),
    [
        ("f(Tensor x, *, bool a=False) -> Tensor", "f(Tensor x) -> Tensor", ["a != false"]),
        ("f(Tensor x, int a=1, float b=2) -> Tensor", "f(Tensor x) -> Tensor", ["a != 1", "b != 2.0"]),
        ("f(Tensor x, int[]? a=None) -> Tensor", "f(Tensor x) -> Tensor", ["a != nullptr || a_len != 0"]),
        ("f(Tensor x, int? a) -> Tensor", "f(Tensor x) -> Tensor", ["a != nullptr"]),
        (
            "f.out(Tensor x, int a=1, *, Tensor(a!) out) -> Tensor(a!)",
            "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
            ["a != 1"],
        ),
    ],
)
def test_an_argument_that_libtorch_does_not_know_yet_may_only_be_left_out(locked, libtorch, refusals):
    body = samples.build_one(libtorch, locked).body
    assert re.findall(r"from::refuse_newer\((.*), \"\w+\"\);", body) == refusals


@pytest.mark.parametrize(
    ("locked", "libtorch", "error"),
    [
        ("f(int a) -> Tensor", "f(bool a) -> Tensor", "small.yaml:1: aten::f: argument a changed from int64_t to bool"),
        (
            "f(int a) -> Tensor",
            "f(int? a) -> Tensor",
            "small.yaml:1: aten::f: argument a changed from int64_t to const",
        ),
        (
            "f(int a) -> Tensor",
            "f(int[] a) -> Tensor",
            "small.yaml:1: aten::f: argument a changed from int64_t to cons",
        ),
        (
            "f(Tensor self, Tensor a) -> Tensor",
            "f.x(Tensor self, *, Tensor(a!) a) -> Tensor(a!)",
            None,  # another overload: another symbol
        ),
        (
            "f(int a) -> Tensor",
            "f(int a, int b) -> Tensor",
            "small.yaml:1: aten::f: argument b is new and has no default",
        ),
        (
            "f(int a) -> Tensor",
            "f(int a, Tensor b) -> Tensor",
            "small.yaml:1: aten::f: argument b is new and has no defau",
        ),
        (
            "f(int a, int b) -> Tensor",
            "f(int a) -> Tensor",
            "aten.lock:1: aten::f: argument b is unknown to this LibTorch",
        ),
        (
            "f(int a, int[] b) -> Tensor",
            "f(int a) -> Tensor",
            "aten.lock:1: aten::f: argument b is unknown to this LibTo",
        ),
        (
            "f(int a, int b) -> Tensor",
            "f(int b, int a) -> Tensor",
            "small.yaml:1: aten::f: the arguments a, b have changed",
        ),
        (
            "f(Tensor a) -> Tensor",
            "f(Tensor a) -> Tensor[]",
            "small.yaml:1: aten::f: the result changed from ctorch_tenso",
        ),
        (
            "f(Tensor a) -> Tensor",
            "f(Tensor a) -> (Tensor, int)",
            "small.yaml:1: aten::f: the result changed from ctorch",
        ),
        (
            "f(Tensor a) -> Tensor",
            "f(Tensor a) -> ()",
            "small.yaml:1: aten::f: the result changed from ctorch_tensor ** to",
        ),
        ("f(Tensor a, Foo b) -> Tensor", "f(Tensor a) -> Tensor", "aten.lock:1: aten::f: unrecognized type Foo"),
    ],
)
def test_what_cannot_be_adapted_names_operator_and_place(locked, libtorch, error):
    op = parse_schema(libtorch, "small.yaml:1")
    if error is None:
        assert len(samples.build([op], samples.lock_of(locked))) == 2
        return
    if "Foo" in locked:
        entry = samples.lock_of(libtorch)["ctorch_aten_f"]
        entries = {entry.symbol: type(entry)(**{**vars(entry), "schema": f"aten::{locked}"})}
    else:
        entries = samples.lock_of(locked)
    with pytest.raises(GeneratorError, match="^" + re.escape(error)):
        samples.build([op], entries)


def test_policy_says_how_to_call_what_cannot_be_adapted():
    locked, libtorch = "f.out(bool a, *, Tensor(a!) out) -> Tensor(a!)", "f.out(int a, *, Tensor(a!) out) -> Tensor(a!)"
    policy = Policy(adapted={("f.out", f"aten::{libtorch}"): "at::_ops::f_out::call(a ? 1 : 0, out_)"})
    assert samples.build_one(libtorch, locked, policy).body.splitlines()[1:-1] == [
        '    from::Mutable out_(out, "out");',
        "    at::_ops::f_out::call(a ? 1 : 0, out_);",
        "    out_.finish();",
    ]
    other = Policy(adapted={("f.out", "aten::f.out(float a) -> ()"): "no()"})
    with pytest.raises(GeneratorError, match="adapt it in policy.toml"):
        samples.build_one(libtorch, locked, other)
    for same in (locked, None):  # the lock has that form itself, or nothing yet: no need to adapt
        assert "call(a, out_)" in samples.build_one(libtorch, same and libtorch, policy).body


def test_a_form_that_cannot_be_adapted_answers_unsupported():
    locked, libtorch = "f(int[] a) -> (Tensor, Tensor)", "f(int a) -> Tensor"
    policy = Policy(adapted={("f", f"aten::{libtorch}"): None})
    function = samples.build_one(libtorch, locked, policy)
    assert function.body == 'return unsupported(__func__, "aten::f", "2.13.0");'
    assert [p.name for p in function.params] == ["out0", "out1", "a", "a_len"]
    assert "::call(" in samples.build_one(locked, locked, policy).body


def test_what_libtorch_lacks_may_have_a_substitute(monkeypatch):
    policy = Policy(substitutes={"f.out": Substitute('g(from::tensor(self, "self"), out_)', "ATen/ops/g_ops.h")})
    schema = "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    (function,) = samples.build([], samples.lock_of(schema), policy)
    assert function.body.splitlines()[1:-1] == [
        '    from::Mutable out_(out, "out");',
        '    g(from::tensor(self, "self"), out_);',
        "    out_.finish();",
    ]
    source = samples.emit([function], monkeypatch)["aten_0.cpp"]
    assert "#include <ATen/ops/g_ops.h>\n" in source
    assert "static_assert" not in source
    assert "ctorch_aten_f_out(const ctorch_tensor *self, ctorch_tensor *out) {" in source
    assert "at::_ops::f_out::call" in samples.build_one(schema, schema, policy).body


@pytest.mark.parametrize("schema", ["f(Name? a) -> Tensor", "f(Tensor a, Name[] b) -> ()", "f(Tensor a) -> Name"])
def test_operators_with_a_type_that_is_out_of_the_abi_have_no_function(schema):
    ops = [replace(parse_schema("f(Tensor a) -> Tensor", "x:1"), name="kept"), with_names(schema)]
    assert [f.operator.name for f in samples.build(ops, policy=Policy(out_of_abi={"Name": "r"}))] == ["kept"]
    assert operators.out_of_abi(ops[1], Policy(out_of_abi={"Int": "r", "Name": "r"})) == "Name"
    assert operators.out_of_abi(ops[0], Policy(out_of_abi={"Name": "r"})) is None


def with_names(schema: str):
    """As parse_schema, with a type that torchgen of this version does not know in place of `int`."""
    op = parse_schema(schema.replace("Name", "int"), "x:1")

    def named(items):
        return tuple(
            replace(x, type=replace(x.type, base="Name" if x.type.base == "int" else x.type.base)) for x in items
        )

    return replace(op, arguments=named(op.arguments), returns=named(op.returns))


def test_an_operator_that_libtorch_lacks_answers_unsupported():
    (function,) = samples.build([], samples.lock_of("f(Tensor self, int[] dim) -> Tensor"))
    assert function.body == 'return unsupported(__func__, "aten::f", "2.13.0");'
    assert function.operator is None
    assert [p.name for p in function.params] == ["out", "self", "dim", "dim_len"]


def test_a_guard_of_the_policy_comes_before_the_call():
    policy = Policy(guards={"f": "refuse(x);"})
    body = samples.build_one("f(Tensor x) -> Tensor", policy=policy).body.splitlines()
    assert body[1] == '    to::require(out, "out");'
    assert body[2] == "    refuse(x);"
    assert "::call(" in body[3]


def test_what_changes_nothing_but_its_outputs_may_be_called_again():
    def body(schema: str, policy: Policy | None = None) -> str:
        return samples.build_one(schema, policy=policy or Policy()).body

    again = body("f(Tensor self, int[] dim, bool? x=None) -> Tensor")
    assert again.startswith('return guard_repeatable(ctorch_aten_f, __func__, "out self dim dim_len x", [&] {')
    assert again.endswith("  }, out, self, dim, dim_len, x);")
    for once, handles in (
        ("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self out"),
        ("f_(Tensor(a!) self, int dim) -> Tensor(a!)", "self"),
        ("f(Tensor self, Tensor(a!) noise, *, Generator? generator) -> Tensor", "self noise generator"),
        ("f(Tensor(a!)[] self, float x) -> ()", "self self_len"),
        ("f(Tensor self) -> ()", "self"),  # it is called for what it does
    ):
        assert body(once).startswith(f'return guard(__func__, "{handles}", [&] {{')
        assert body(once).endswith(f"}}, {handles.replace(' ', ', ')});")
    assert body("f(int dim) -> ()").startswith("return guard(__func__, [&] {")
    stateful = Policy(stateful={"f": "counts its calls"})
    assert body("f(Tensor self) -> Tensor", stateful).startswith('return guard(__func__, "self", [&] {')


REDUCTION = Enum("ctorch_reduction", (("CTORCH_REDUCTION_NONE", 0), ("CTORCH_REDUCTION_MEAN", 1)))


def with_enums(*schemas: str, uses: tuple[EnumUse, ...], enums=(REDUCTION,), locked=None) -> list[Function]:
    ops = [parse_schema(s, "small.yaml:1") for s in schemas]
    return operators.build(ops, locked or {}, Policy(enums=uses), "0.1", "2.13.0", enums)


def test_an_int_that_is_an_enumeration_is_checked():
    use = EnumUse("ctorch_reduction", "how", ("f", "g*"))
    f, g, h, other = with_enums(
        "f(Tensor self, int how=0) -> Tensor",
        "g_1(Tensor self, int? how=None) -> Tensor",
        "g_2.x(Tensor self, int[] how) -> Tensor",
        "other(Tensor self, int how) -> Tensor",
        uses=(use,),
    )
    assert [p.enum for p in f.params] == [None, None, "ctorch_reduction"]
    assert call(f) == 'from::tensor(self, "self"), from::enumerated(how, "how", "ctorch_reduction", 1)'
    assert call(g).endswith('from::optional_enumerated(how, "how", "ctorch_reduction", 1)')
    assert call(h).endswith('from::enumerated_ints(how, how_len, "how", "ctorch_reduction", 1)')
    assert [p.enum for p in h.params] == [None, None, "ctorch_reduction", None]
    assert [p.enum for p in other.params] == [None, None, None] and call(other).endswith(", how")


def test_an_enumeration_is_checked_whatever_libtorch_calls_the_argument():
    locked = samples.lock_of("f(Tensor self, int how) -> Tensor")
    use = EnumUse("ctorch_reduction", "how", ("f",))
    (function,) = with_enums("f(Tensor self, int reduction) -> Tensor", uses=(use,), locked=locked)
    assert call(function).endswith('from::enumerated(how, "how", "ctorch_reduction", 1)')
    (function,) = with_enums(uses=(use,), locked=locked)  # this LibTorch lacks it
    assert function.params[-1].enum == "ctorch_reduction"


def test_a_result_may_be_an_enumeration():
    (function,) = with_enums("f(Tensor self) -> int", uses=(EnumUse("ctorch_reduction", "out", ("f",)),))
    assert function.params[0].enum == "ctorch_reduction" and "enumerated" not in function.body


@pytest.mark.parametrize(
    ("uses", "enums", "problem"),
    [
        ([("ctorch_reduction", "how", ("f", "x"))], [REDUCTION], "no operator x has a parameter how"),
        ([("ctorch_reduction", "that", ("f",))], [REDUCTION], "no operator f has a parameter that"),
        ([("ctorch_other", "how", ("f",))], [REDUCTION], "no header has such an enumeration"),
        ([("ctorch_reduction", "self", ("f",))], [REDUCTION], "argument self of type Tensor is no ctorch_reduction"),
        ([("ctorch_reduction", "how", ("f",)), ("ctorch_reduction", "how", ("*",))], [REDUCTION], "how is ctorch_red"),
        ([("ctorch_gap", "how", ("f",))], [Enum("ctorch_gap", (("CTORCH_A", 0), ("CTORCH_B", 2)))], "not 0, 1, 2"),
        ([("ctorch_one", "how", ("f",))], [Enum("ctorch_one", (("CTORCH_A", 1),))], "not 0, 1, 2"),
    ],
)
def test_an_enumeration_that_fits_nothing_is_an_error(uses, enums, problem):
    with pytest.raises(GeneratorError, match=problem):
        with_enums("f(Tensor self, int how) -> Tensor", uses=tuple(EnumUse(*u) for u in uses), enums=enums)


def test_what_changed_from_2_13_to_2_14():
    """Removed, renamed and added operators, as far as they are known; the C functions stay those of 2.13."""
    v2_13 = [
        "cholesky(Tensor self, bool upper=False) -> Tensor",
        "cholesky.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)",
        "qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
        "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
        "_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor",
        "cat(Tensor[] tensors, int dim=0) -> Tensor",
    ]
    v2_14 = [
        "_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
        "_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor",
        "cat(Tensor[] tensors, int dim=0) -> Tensor",
        "linalg_polar(Tensor A) -> (Tensor U, Tensor P)",
    ]
    locked = samples.lock_of(*v2_13)
    functions = {f.name: f for f in samples.build([parse_schema(s, "small.yaml:1") for s in v2_14], locked)}
    assert functions.keys() - locked.keys() == {"ctorch_aten_linalg_polar"}
    assert {n: functions[n].signature for n in locked} == {n: e.signature for n, e in locked.items()}
    assert {n for n, f in functions.items() if f.operator is None} == {
        "ctorch_aten_cholesky",
        "ctorch_aten_cholesky_out",
        "ctorch_aten_qr",
    }
    assert call(functions["ctorch_aten__cdist_backward"]).startswith('from::tensor(grad, "grad"), ')
    assert "from::tensors(" in functions["ctorch_aten_cat"].body  # parse_schema alone does not know it is structured
    api = samples.Api("0.1.0", "2.14.1", (), (), (), (), tuple(functions.values()))
    assert totals(api)["of them not in this LibTorch"] == 3
    assert totals(api)["arguments dropped"] == 0


def test_the_same_lock_and_yaml_give_the_same_functions_in_the_same_order():
    schemas = ["b(Tensor x) -> Tensor", "a(Tensor x) -> Tensor", "_c(Tensor x) -> Tensor"]
    ops = [parse_schema(s, "small.yaml:1") for s in schemas]
    first = operators.build(ops, samples.lock_of(*schemas[:1]), Policy(), "0.1", "2.13.0")
    second = operators.build(ops[::-1], samples.lock_of(*schemas[:1]), Policy(), "0.1", "2.13.0")
    assert first == second
    assert [f.name for f in first] == sorted(f.name for f in first)


def test_since_is_the_locks_or_this_version():
    ops = [parse_schema(s, "small.yaml:1") for s in ("a(Tensor x) -> Tensor", "b(Tensor x) -> Tensor")]
    functions = operators.build(ops, samples.lock_of("a(Tensor x) -> Tensor"), Policy(), "0.7", "2.13.0")
    assert [(f.name, f.since) for f in functions] == [("ctorch_aten_a", "0.1"), ("ctorch_aten_b", "0.7")]
