"""Schema files: the grammar, and what becomes of an entry in the model, in the header and in C."""

from __future__ import annotations

import re

import pytest
from ctorchgen import constructors, lock
from ctorchgen.api import Api, Opaque
from ctorchgen.emit.c.constructors import ConstructorsC
from ctorchgen.emit.c.header import CHeader
from ctorchgen.schema import GeneratorError
from ctorchgen.surface import Surface
from samples import ROOT

SPEC = ROOT / "bindings-gen/schema"


def read(folder, text: str, namespace: str = "nn") -> list[constructors.Constructor]:
    folder.mkdir(exist_ok=True)
    (folder / f"{namespace}.schema").write_text(text)
    return constructors.read_schemas(folder)


def one(folder, schema: str, forward: str | None = None, namespace: str = "nn"):
    text = f"## What it does.\n{schema}\n" + (f"  forward{forward}\n" if forward else "")
    (constructor,) = read(folder / "s", text, namespace)
    (function,) = constructors.build([constructor], {}, "0.3")
    return function


def declared(function) -> list[str]:
    return [p.declaration for p in function.params]


def test_an_entry_becomes_a_function(tmp_path):
    f = one(tmp_path, "nn.Linear(int in_features, int out_features, bool bias=True) -> Module", "(Tensor x) -> Tensor")
    assert (f.name, f.kind, f.header) == ("ctorch_nn_Linear", "nn", "ctorch/generated/nn.h")
    assert (f.since, f.doc, f.forward) == ("0.3", "What it does.", "(Tensor x) -> Tensor")
    assert f.schema == "nn.Linear(int in_features, int out_features, bool bias=True) -> Module"
    assert declared(f) == ["ctorch_module **out", "int64_t in_features", "int64_t out_features", "bool bias"]
    assert f.params[0].owned and f.params[3].default is True and f.params[3].default_text == "True"


def test_an_overload_has_its_name_behind(tmp_path):
    f = one(tmp_path, "nn.Conv2d.padding(str padding='valid') -> Module", "(Tensor x) -> Tensor")
    assert f.name == "ctorch_nn_Conv2d_padding"
    assert Surface.of(f, api(f)).path == ("nn", "Conv2d", "padding")


@pytest.mark.parametrize(
    "schema, c",
    [
        ("Tensor x", "const ctorch_tensor *x"),
        ("Tensor(a!) x", "ctorch_tensor *x"),
        ("Tensor? x", "const ctorch_tensor *x"),
        ("Tensor[] x", "const ctorch_tensor *const *x, size_t x_len"),
        ("Tensor(a!)[] x", "ctorch_tensor *const *x, size_t x_len"),
        ("Tensor?[] x", "const ctorch_tensor *const *x, size_t x_len"),
        ("Module x", "ctorch_module *x"),
        ("Module? x=None", "ctorch_module *x"),
        ("Module[] x", "ctorch_module *const *x, size_t x_len"),
        ("Optimizer x", "ctorch_optimizer *x"),
        ("LRScheduler[] x", "ctorch_lr_scheduler *const *x, size_t x_len"),
        ("Value x", "const ctorch_value *x"),
        ("Value? x=None", "const ctorch_value *x"),
        ("Value[] x", "const ctorch_value *const *x, size_t x_len"),
        ("Generator? x=None", "ctorch_generator *x"),
        ("Callback x", "ctorch_kernel_callback x, void (*destroy)(void *payload), void *payload"),
        ("Callback? x=None", "ctorch_kernel_callback x, void (*destroy)(void *payload), void *payload"),
        ("int x", "int64_t x"),
        ("int? x=None", "const int64_t *x"),
        ("int[] x", "const int64_t *x, size_t x_len"),
        ("int[2]? x=None", "const int64_t *x, size_t x_len"),
        ("float x=1e-3", "double x"),
        ("float? x=0.1", "const double *x"),
        ("float[2] x=[0.9, 0.999]", "const double *x, size_t x_len"),
        ("bool[2] x", "const bool *x, size_t x_len"),
        ("bool? x=None", "const bool *x"),
        ("str x='zeros'", "const char *x"),
        ("Scalar x=1", "const ctorch_scalar *x"),
        ("Device? x=None", "const ctorch_device *x"),
        ("ScalarType x", "ctorch_dtype x"),
        ("ScalarType? x=None", "const ctorch_dtype *x"),
        ("Layout? x=None", "const ctorch_layout *x"),
    ],
)
def test_each_type_in_c(tmp_path, schema, c):
    f = one(tmp_path, f"optim.F({schema}) -> ()", namespace="optim")
    assert ", ".join(declared(f)) == c
    optional = "?" in schema.split()[0].replace("?[", "[") or "[" in schema or "='" in schema or schema == "Scalar x=1"
    assert f.params[0].nullable == optional


def test_what_changes_its_argument_may_return_it(tmp_path):
    f = one(tmp_path, "init.f_(Tensor(a!) x, float a) -> Tensor(a!)", namespace="init")
    assert declared(f) == ["ctorch_tensor *x", "double a"]
    assert f.returned_arguments == ("x",)


def test_results(tmp_path):
    f = one(tmp_path, "functional.f() -> (Tensor y, Tensor[] z, int, float n, Value v)", namespace="functional")
    assert declared(f) == [
        "ctorch_tensor **out_y",
        "ctorch_tensor_list **out_z",
        "int64_t *out2",
        "double *out_n",
        "ctorch_value **out_v",
    ]
    assert [p.owned for p in f.params] == [True, True, False, False, True]


@pytest.mark.parametrize(
    "schema, default",
    [
        ("int[2] x=1", [1, 1]),
        ("int[2] x=[1, 3]", [1, 3]),
        ("float[2] x=[0.9, 0.999]", [0.9, 0.999]),
        ("float[2] x=0.5", [0.5, 0.5]),
        ("float x=1e-3", 0.001),
        ("float x=1", 1.0),
        ("int x=-1", -1),
        ("bool x=False", False),
        ("str x='a, (b'", "a, (b"),
        ('str x="it\'s"', "it's"),
        ("int? x=None", None),
    ],
)
def test_defaults(tmp_path, schema, default):
    assert one(tmp_path, f"optim.F({schema}) -> ()", namespace="optim").params[0].default == default


def test_an_entry_may_take_lines_and_keeps_its_documentation(tmp_path):
    text = "# About the file.\n\n## One.\n##\n## Two.\n"
    text += "nn.A(int a,\n    *, int b=1) -> Module\n  forward(\n    Tensor x) -> Tensor\n"
    (constructor,) = read(tmp_path / "s", text)
    assert constructor.doc == "One.\n\nTwo."
    assert constructor.text == "nn.A(int a, *, int b=1) -> Module"
    assert constructor.forward == "(Tensor x) -> Tensor"
    assert [a.keyword_only for a in constructor.signature.arguments] == [False, True]


F = "  forward(Tensor x) -> Tensor\n"


@pytest.mark.parametrize(
    "text, problem",
    [
        ("## d\nnn.A(int a -> Module\n", "nn.schema:2: an entry without its end"),
        ("## d\nnn.A(int a)\n\n", "nn.schema:2: an entry without its end"),
        ("nn.A() -> Module\n" + F, "nn.schema:1: nn.A: no documentation"),
        ("## d\n\nnn.A() -> Module\n" + F, "nn.schema:2: documentation without an entry"),
        ("## d\n", "nn.schema: documentation without an entry"),
        ("## d\nnn.A() -> Module\n", "nn.schema:2: nn.A: makes a Module: the signature of its forward is missing"),
        ("## d\nnn.A() -> ()\n" + F, "nn.schema:2: nn.A: has a forward, but makes no Module"),
        ("## d\nnn.A() -> Module\n  backward() -> ()\n", "nn.A: expected forward, got backward"),
        ("## d\noptim.A() -> ()\n", "optim.A: expected nn.name or nn.name.overload"),
        ("## d\nA() -> ()\n", "A: expected nn.name or nn.name.overload"),
        ("## d\nnn.A.b.c() -> ()\n", "nn.A.b.c: expected nn.name"),
        ("  nn.A() -> ()\n", "nn.schema:1: an indented line that belongs to no entry"),
        ("## d\nnn.A(Tensro a) -> ()\n", "nn.schema:2: unknown type Tensro"),
        ("## d\nnn.A(SymInt a) -> ()\n", "unknown type SymInt"),
        ("## d\nnn.A(Module(a!) a) -> ()\n", "Module takes no (a!)"),
        ("## d\nnn.A(int a, int a) -> ()\n", "two arguments are called a"),
        ("## d\nnn.A(int a=1, int b) -> ()\n", "b has no default, but a before it has"),
        ("## d\nnn.A(int a, *) -> ()\n", "nothing after the `*`"),
        ("## d\nnn.A(*, int a, *, int b) -> ()\n", "a second `*`"),
        ("## d\nnn.A(int a int b) -> ()\n", "expected `,`, got `int`"),
        ("## d\nnn.A(int) -> ()\n", "expected a name after int, got `)`"),
        ("## d\nnn.A(int a=) -> ()\n", "expected a default, got `)`"),
        ("## d\nnn.A(int a=[1, x]) -> ()\n", "expected a number, got `x`"),
        ("## d\nnn.A() -> () ()\n", "`(` after the end"),
        ("## d\nnn.A() -> Tensor(a!)\n", "which argument is returned? 0 have an (a!)"),
        ("## d\nnn.A(Tensor(a!) x) -> (Tensor(a!), int)\n", "an argument is returned alone"),
        ("## d\nnn.A(int §) -> ()\n", "not understood: `§) -> ()`"),
        (
            "## d\nnn.A() -> ()\n## d\nnn.a() -> ()\n",
            "nn.schema:4: nn.a: has the symbol of A (nn.schema:2), case aside",
        ),
        ("## d\nnn.A() -> ()\n## d\nnn.A() -> ()\n", "has the symbol of A"),
        ("## d\nnn.A.b() -> ()\n## d\nnn.A_b() -> ()\n", "has the symbol of A.b"),
    ],
)
def test_what_the_grammar_refuses(tmp_path, text, problem):
    with pytest.raises(GeneratorError, match=re.escape(problem)):
        read(tmp_path / "s", text)


@pytest.mark.parametrize(
    "arguments, problem",
    [
        ("int a=1.5", "default 1.5 of argument a does not suit int"),
        ("int a=None", "default None of argument a, whose type int has no `?`"),
        ("int[2] a=x", "default x of argument a is not a list of integers"),
        ("int[] a=1", "unknown type int[] of argument a with default 1"),
        ("str[] a", "unknown type str[] of argument a"),
        ("Tensor a=1", "unknown type Tensor of argument a with default 1"),
        ("Tensor(a!)? a", "unknown type Tensor? of argument a"),
        ("Module?[] a", "unknown type Module?[] of argument a"),
        ("Callback[] a", "unknown type Callback[] of argument a"),
        ("Callback a, Callback b", "two callbacks, but one destroy and one payload"),
        ("int default", "no parameter can be called default"),
        ("int[] a, int a_len", "no parameter can be called a_len"),
        ("Callback a, int payload", "no parameter can be called payload"),
    ],
)
def test_what_has_no_form_in_c(tmp_path, arguments, problem):
    with pytest.raises(GeneratorError, match=re.escape(f"optim.F: {problem}")):
        one(tmp_path, f"optim.F({arguments}) -> ()", namespace="optim")


@pytest.mark.parametrize("result", ["Device", "Module[]", "Module?", "Tensor[]?", "str"])
def test_results_that_have_no_form_in_c(tmp_path, result):
    with pytest.raises(GeneratorError, match=re.escape(f"unknown result type {result}")):
        one(tmp_path, f"optim.F() -> {result}", namespace="optim")


def scheduler_c(tmp_path, arguments: str) -> str:
    f = one(tmp_path, f"lr_scheduler.F({arguments}) -> LRScheduler", namespace="lr_scheduler")
    return ConstructorsC().emit(api(f))["constructors/lr_scheduler.c"]


def test_a_scheduler_gets_its_arguments_by_name(tmp_path):
    text = scheduler_c(tmp_path, "Optimizer optimizer, float[] rates, int? steps=None, float least=0, str mode='up'")
    assert 'lr_scheduler_record_doubles(&record, "rates", options->rates, options->rates_len);' in text
    assert 'optimizer_record_int(&record, "steps", options->steps);' in text
    assert 'optimizer_record_double(&record, "least", &options->least);' in text
    rows = re.search(r"lr_scheduler_F_arguments\[\] = \{\n(.*?)\};\n\n", text, re.S)[1].splitlines()
    assert [re.search(r'"(\w+)".*LR_SCHEDULER_(\w+)', row).groups() for row in rows] == [
        ("rates", "REQUIRED"),
        ("steps", "NONE"),
        ("least", "INT"),  # as Python's default is one
        ("mode", "TEXT"),
    ]


def test_a_scheduler_of_schedulers_is_written_by_hand(tmp_path):
    text = scheduler_c(tmp_path, "Optimizer optimizer, LRScheduler[] schedulers")
    assert "lr_scheduler_F(__func__, out, &options)" in text and "lr_scheduler_F_arguments" not in text


@pytest.mark.parametrize(
    "arguments, problem",
    [
        ("float gamma", "a scheduler's first argument is `Optimizer optimizer`"),
        ("Optimizer optimizer, Tensor x", "no option of a scheduler has the type Tensor of x"),
        ("Optimizer optimizer, float[2] x", "no option of a scheduler has the type float[2] of x"),
    ],
)
def test_what_a_scheduler_cannot_take(tmp_path, arguments, problem):
    with pytest.raises(GeneratorError, match=re.escape(problem)):
        scheduler_c(tmp_path, arguments)


def test_a_tensor_among_the_results_may_be_absent(tmp_path):
    f = one(tmp_path, "optim.F() -> (Tensor a, Tensor? b)", namespace="optim")
    assert [(p.name, p.c_type, p.nullable) for p in f.params] == [
        ("out_a", "ctorch_tensor **", False),
        ("out_b", "ctorch_tensor **", True),
    ]


def test_the_lock_keeps_since_and_refuses_a_change(tmp_path):
    f = one(tmp_path, "optim.F(int a) -> ()", namespace="optim")
    locked = {f.name: lock.entry_of(f)}
    (again,) = constructors.build([f.constructor], {"optim": locked}, "0.9")
    assert again.since == "0.3"
    changed = one(tmp_path, "optim.F(float a) -> ()", namespace="optim")
    with pytest.raises(GeneratorError, match="ctorch_optim_F changed"):
        lock.extend(locked, [changed], "abi/optim.lock")


def api(*functions) -> Api:
    opaque = tuple(Opaque(f"ctorch_{n}", f"ctorch_{n}_release", None) for n in ("tensor", "module", "value", "error"))
    return Api("0.1.0", "2.13.0", (), (), opaque, (), functions)


def test_the_comment_in_the_header_has_the_schema_whole(tmp_path):
    arguments = ", ".join(f"int[2] argument_{i}=1" for i in range(8))
    f = one(tmp_path, f"nn.A({arguments}) -> Module", "(Tensor x) -> Tensor")
    header = CHeader().emit(api(f))["nn.h"]
    lines = [line.removeprefix(" * ") for line in header.splitlines() if line.startswith(" *     ")]
    assert " ".join(line.strip() for line in lines) == f"{f.schema} forward(Tensor x) -> Tensor"
    assert max(map(len, header.splitlines())) <= 120
    assert not any(line.endswith("int[2]") for line in lines)


def test_in_c_arguments_are_whole_before_the_layer_sees_them(tmp_path):
    f = one(tmp_path, "optim.F(Tensor[] x, int[2] k, int[2] s=1, str m='z', float? q=0.5) -> Tensor", namespace="optim")
    files = ConstructorsC().emit(api(f))
    assert set(files) == {"constructors/optim.h", "constructors/optim.c"}
    fields = re.search(r"struct optim_F_options \{\n(.*?)\};", files["constructors/optim.h"], re.S)[1]
    assert [line.strip(" ;") for line in fields.splitlines()] == [
        "const ctorch_tensor *const *x",
        "size_t x_len",
        "int64_t k[2]",
        "size_t k_len",
        "int64_t s[2]",
        "size_t s_len",
        "const char *m",
        "const double *q",
    ]
    body = files["constructors/optim.c"]
    assert '.m = m != NULL ? m : "z"' in body and ".q = q != NULL ? q : &(double){0.5}" in body
    assert 'option_ints(&error, __func__, "s", options.s, 2, s, s_len, (int64_t[]){1, 1});' in body
    assert 'option_handles(&error, __func__, "x", (const void *const *)x, x_len, false);' in body


def test_a_layer_sees_no_nested_tensor(tmp_path):
    f = one(tmp_path, "optim.F(Tensor x, Tensor? y=None) -> Tensor", namespace="optim")
    body = ConstructorsC().emit(api(f))["constructors/optim.c"]
    given = [line.strip() for line in body.splitlines() if ", options." in line]
    assert given == [
        'option_required(&error, __func__, "x", options.x);',
        'option_tensor(&error, __func__, "x", options.x);',
        'option_tensor(&error, __func__, "y", options.y);',
    ]


def test_a_folder_is_one_namespace(tmp_path):
    folder = tmp_path / "nn"
    folder.mkdir()
    (folder / "b.schema").write_text("## d\nnn.A() -> Module\n  forward(Tensor x) -> Tensor\n")
    (folder / "a.schema").write_text("## d\nnn.B() -> Module\n  forward(Tensor x) -> Tensor\n")
    (tmp_path / "init.schema").write_text("## d\ninit.A() -> ()\n")
    found = constructors.read_schemas(tmp_path)
    assert [(c.namespace, c.name) for c in found] == [("init", "A"), ("nn", "A"), ("nn", "B")]
    (folder / "c.schema").write_text("## d\nnn.a() -> ()\n")
    with pytest.raises(GeneratorError, match=re.escape("c.schema:2: nn.a: has the symbol of A (b.schema:2)")):
        constructors.read_schemas(tmp_path)


def test_the_default_of_a_scalar_is_of_its_kind(tmp_path):
    """The numbers of the kinds are those of ctorch/abi/types.h."""
    f = one(tmp_path, "optim.F(Scalar whole=2, Scalar part=0.01) -> ()", namespace="optim")
    body = ConstructorsC().emit(api(f))["constructors/optim.c"]
    assert ".whole = whole != NULL ? whole : &(ctorch_scalar){.kind = 0, .i = 2}" in body
    assert ".part = part != NULL ? part : &(ctorch_scalar){.kind = 1, .re = 0.01}" in body


def test_every_schema_file_is_declared_by_ctorch_h():
    text = (ROOT / "include/ctorch.h").read_text()
    files = sorted(SPEC.iterdir())
    assert files
    for path in files:
        assert f'#include "ctorch/generated/{path.stem}.h"' in text
