"""The emitted Simple files: names, types and defaults of parameters, what is made for a call and released after it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
import samples
from ctorchgen.api import Api, Enum, Opaque, Struct
from ctorchgen.emit.simple.binding import Simple
from ctorchgen.emit.simple.names import RESERVED, unreserved
from ctorchgen.emit.simple.operators import _function, readable
from ctorchgen.schema import GeneratorError
from ctorchgen.word import WordApi

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.languages.simple import bodies, checker, parser  # noqa: E402

OPAQUE = "error generator index op storage string tensor tensor_list value".split()
FOLDER = "bindings/simple/ml/torch"


def api(*schemas: str) -> Api:
    ops = [samples.build_one(s) for s in schemas]
    return Api(
        "0.1.0",
        "2.13.0",
        tuple(
            Enum(f"ctorch_{name}", ((f"CTORCH_{name.upper()}_ZERO", 0),))
            for name in "dtype layout memory_format".split()
        ),
        tuple(Struct(f"ctorch_{name}", (("i", "int64_t"),)) for name in "device scalar stream".split()),
        tuple(Opaque(f"ctorch_{name}", f"ctorch_{name}_release", None, "", 32 + i) for i, name in enumerate(OPAQUE)),
        (),
        tuple(ops),
    )


def function(schema: str, name: str, file: str = "ops") -> str:
    """The text of one function of ops.spl, in one line."""
    text = Simple().emit(api(schema))[f"{FOLDER}/{file}.spl"]
    name = f"aten_{name}" if file == "ops" else name
    found = re.search(rf"^ *fn {re.escape(name)}\(.*?(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"no {name} in {file}.spl"
    return re.sub(r"(?<=[(\[]) | (?=[)\]])", "", " ".join(found[0].split()))


@pytest.mark.parametrize(
    ("schema", "name", "expected"),
    [
        ("relu(Tensor self) -> Tensor", "relu", "fn aten_relu(input: Tensor) -> Result<Tensor, TorchError>:"),
        ("f(Tensor a, int b=3) -> Tensor", "f", "fn aten_f(a: Tensor, b: i64 = 3) -> Result<Tensor, TorchError>:"),
        ("f(Tensor a, bool b=True) -> bool", "f", "fn aten_f(a: Tensor, b: bool = true) -> Result<bool, TorchError>:"),
        ("f(Tensor? a=None) -> Tensor", "f", "fn aten_f(a: Tensor? = nil) -> Result<Tensor, TorchError>:"),
        ("f(Tensor[] a) -> Tensor[]", "f", "fn aten_f(a: [Tensor]) -> Result<[Tensor], TorchError>:"),
        ("f(int[2] a=1) -> int", "f", "fn aten_f(a: [i64]? = nil) -> Result<i64, TorchError>:"),
        ("f(int[] a) -> float", "f", "fn aten_f(a: [i64]) -> Result<f64, TorchError>:"),
        ("f(int[]? a) -> Scalar", "f", "fn aten_f(a: [i64]?) -> Result<Scalar, TorchError>:"),
        ("f(float a=1e-05) -> Tensor", "f", "fn aten_f(a: f64 = 1e-05) -> Result<Tensor, TorchError>:"),
        ("f(float? a=None) -> Tensor", "f", "fn aten_f(a: f64? = nil) -> Result<Tensor, TorchError>:"),
        ("f(bool[2] a) -> Tensor", "f", "fn aten_f(a: [bool]) -> Result<Tensor, TorchError>:"),
        (
            "f(Scalar a, Scalar b=1) -> Tensor",
            "f",
            "fn aten_f(a: Scalar, b: Scalar? = nil) -> Result<Tensor, TorchError>:",
        ),
        ("f(str a, str? b=None) -> Tensor", "f", "fn aten_f(a: text, b: text? = nil) -> Result<Tensor, TorchError>:"),
        ("f(ScalarType? a=None) -> Tensor", "f", "fn aten_f(a: DType? = nil) -> Result<Tensor, TorchError>:"),
        ("f(Device? a=None) -> Tensor", "f", "fn aten_f(a: Device? = nil) -> Result<Tensor, TorchError>:"),
        ("f(Generator? a=None) -> Tensor", "f", "fn aten_f(a: Generator? = nil) -> Result<Tensor, TorchError>:"),
        ("f(Tensor a) -> (Tensor, Tensor)", "f", "fn aten_f(a: Tensor) -> Result<[Tensor], TorchError>:"),
        ("f(Tensor a) -> (Tensor, int)", "f", "fn aten_f(a: Tensor) -> Result<Tuple, TorchError>:"),
        ("f_(Tensor(a!) self) -> Tensor(a!)", "f_", "fn aten_f_(input: Tensor) -> Result<Tensor, TorchError>:"),
        ("f_(Tensor(a!)[] self) -> ()", "f_", "fn aten_f_(input: [Tensor]) -> Result<bool, TorchError>:"),
    ],
)
def test_signature(schema: str, name: str, expected: str) -> None:
    assert function(schema, name).startswith(expected)


def test_a_default_needs_defaults_after_it() -> None:
    found = function("f.out(Tensor self, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", "f_out")
    assert found.startswith("fn aten_f_out(input: Tensor, dim: i64, output: Tensor) ->")


def test_what_is_made_for_a_call_is_released_after_it() -> None:
    assert function("f(Tensor a, int[] b, float c) -> Tensor", "f").endswith(
        "val made = [word_of_ints(b), word_of_double(c)] "
        "tensor_result(release_after(made, ctorch_aten_f(a.handle, made[0], made[1])))"
    )


def test_more_than_eight_arguments_travel_in_a_pack() -> None:
    schema = f"f({', '.join(f'Tensor a{i}' for i in range(9))}) -> Tensor"
    words = ", ".join(f"a{i}.handle" for i in range(9))
    assert function(schema, "f").endswith(
        f"val arguments = word_of_pack([{words}]) "
        "val answer = release_after([arguments], ctorch_aten_f(arguments)) tensor_result(answer)"
    )
    raw = Simple().emit(api(schema))[f"{FOLDER}/raw.spl"]
    assert "extern fn rt_ctorch_aten_f(arguments: i64) -> i64" in raw


def test_an_operator_that_changes_a_tensor_gives_it_back() -> None:
    schema = "f_(Tensor(a!) self, Tensor b) -> Tensor(a!)"
    assert function(schema, "f_").endswith("changed_result(input, ctorch_aten_f_(input.handle, b.handle))")
    assert function(schema, "f_", "tensor").endswith("changed_result(self, ctorch_aten_f_(self.handle, b.handle))")


def test_an_operator_that_returns_several_arguments_gives_back_these() -> None:
    schema = "f.out(Tensor self, Tensor(c!) n, *, Tensor(a!) p, Tensor(b!) q) -> (Tensor(a!) x, Tensor(b!) y)"
    text = function(schema, "f_out")
    assert "-> Result<[Tensor], TorchError>:" in text and "all_changed_result([p, q], ctorch_aten_f_out(" in text
    schema = "f_(Tensor(a!) self, Tensor(b!) n) -> Tensor(a!)"
    assert "changed_result(input, ctorch_aten_f_(" in function(schema, "f_")
    schema = "f(Tensor(a!) self) -> ()"
    assert "done_result(ctorch_aten_f(" in function(schema, "f")


def names(*schemas: str) -> list[str]:
    return [o.method for o in readable(WordApi.of(api(*schemas)))]


def test_the_usual_form_has_the_plain_name() -> None:
    given = [f"add.{o}(Tensor self, {t} b) -> Tensor" for o, t in (("Scalar", "Scalar"), ("Tensor", "Tensor"))]
    assert names(*given) == ["add_Scalar", "add"]
    assert names("sum(Tensor a) -> Tensor", "sum.dim(Tensor a, int b) -> Tensor") == ["sum", "sum_dim"]
    assert names("only.form(Tensor a) -> Tensor") == ["only"]
    assert names("x.a(Tensor a) -> Tensor", "x.b(Tensor a) -> Tensor") == ["x_a", "x_b"]


def test_a_plain_name_that_another_operator_has_is_left_to_it() -> None:
    given = ("a.b(Tensor a) -> Tensor", "a.c(Tensor a) -> Tensor", "a_b.Tensor(Tensor a) -> Tensor")
    assert names(*given) == ["a_b", "a_c", "a_b_Tensor"]


def test_words_of_simple_are_no_names() -> None:
    assert names("var(Tensor a) -> Tensor", "where(Tensor a) -> Tensor") == ["variance", "where_nonzero"]
    assert unreserved(["self", "out", "vec", "type"], "f") == ["input", "output", "vector", "kind"]
    assert unreserved(["self", "input"], "f") == ["tensor", "input"]
    assert unreserved(["made", "arguments"], "f") == ["made_value", "arguments_value"]
    assert unreserved(["in", "match"], "f") == ["in_value", "match_value"]
    with pytest.raises(GeneratorError, match="no name for the parameter in of f"):
        unreserved(["in", "in_value"], "f")
    assert RESERVED == bodies.RESERVED


def test_a_method_takes_the_place_of_self() -> None:
    schema = "f(Tensor self, int dim=-1) -> Tensor"
    assert function(schema, "f", "tensor") == (
        "fn f(dim: i64 = -1) -> Result<Tensor, TorchError>: tensor_result(ctorch_aten_f(self.handle, dim))"
    )


@pytest.mark.parametrize(
    "schema",
    [
        "_f(Tensor self) -> Tensor",  # PyTorch's own
        "f(Tensor a) -> Tensor",  # no self
        "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",  # writes into another tensor
        "item(Tensor self) -> Scalar",  # written by hand
    ],
)
def test_no_method_is_emitted(schema: str) -> None:
    text = Simple().emit(api(schema))[f"{FOLDER}/tensor.spl"]
    assert f"ctorch_aten_{schema.split('(')[0].replace('.', '_')}(" not in text


def test_the_whole_api_is_emitted_twice_the_same(generated) -> None:
    """tests/languages/test_simple.py checks and runs what is emitted."""
    whole = Api.from_json(json.loads((generated / "api.json").read_text()))
    files = Simple().emit(whole)
    assert files == Simple().emit(whole)
    for path, text in files.items():
        assert text.endswith("\n") and not text.endswith("\n\n"), path
    operators = readable(WordApi.of(whole))
    assert len(operators) == sum(f.kind == "aten" for f in whole.functions)
    assert not {o.name for o in operators} & RESERVED


# The package.


def with_namespaces(generated, *names: str) -> dict[str, str]:
    """The whole API, in which the functions of torch.nn.init are those of namespaces that there are not."""
    whole = Api.from_json(json.loads((generated / "api.json").read_text())).to_json()
    functions = [f for f in whole["functions"] if f["kind"] == "init"]
    assert len(functions) >= len(names)
    for function, name in zip(functions, names):
        text = json.dumps(function).replace("ctorch_init_", f"ctorch_{name}_")
        whole["functions"].append({**json.loads(text), "kind": name})
    return Simple().emit(Api.from_json(whole))


def test_a_namespace_has_its_folder_as_soon_as_it_is_there(generated) -> None:
    files = with_namespaces(generated, "optim", "data", "distributed", "jit", "amp", "vision", "sparkle")
    torch = files[f"{FOLDER}/__init__.spl"].splitlines()
    for folder in ("optim", "data", "distributed", "jit"):
        module = {"optim": "optimizers", "data": "loading"}.get(folder, "functions")
        assert f"export {folder}_" in files[f"{FOLDER}/{folder}/{module}.spl"]
        init = files[f"{FOLDER}/{folder}/__init__.spl"].splitlines()
        assert f"mod {module}" in init and f"export use ml.torch.{folder}.{module}.*" in init
        assert f"mod {folder}" in torch
    assert "mod autocast\nmod functions\n" in files[f"{FOLDER}/amp/__init__.spl"]  # beside what is written by hand
    assert "mod sparkle" in files[f"{FOLDER}/nn/__init__.spl"] and f"{FOLDER}/nn/sparkle.spl" in files
    assert files["bindings/simple/ml/__init__.spl"].endswith("mod torch\nmod vision\n")
    assert "mod functions" in files["bindings/simple/ml/vision/__init__.spl"]
    modules = {p.removeprefix("bindings/simple/").removesuffix(".spl").replace("/", "."): t for p, t in files.items()}
    for path in sorted(packages_written()):
        modules[path.removesuffix(".spl").replace("/", ".")] = (LANGUAGES / path).read_text()
    parsed = {n.removesuffix(".__init__"): parser.parse(t, n) for n, t in modules.items()}
    for name in ("ml", "ml.vision", "ml.torch.optim", "ml.torch.optim.optimizers", "ml.torch.nn", "ml.torch.amp"):
        assert checker.check(parsed, only=name) == []


LANGUAGES = ROOT / "bindings-gen/languages/simple"


def packages_written() -> list[str]:
    return [p.relative_to(LANGUAGES).as_posix() for p in LANGUAGES.glob("ml/**/*.spl")]


def test_no_folder_is_there_for_nothing(generated) -> None:
    files = Simple().emit(Api.from_json(json.loads((generated / "api.json").read_text())))
    folders = {p.removesuffix("/__init__.spl") for p in files if p.endswith("/__init__.spl")}
    vision = {"bindings/simple/ml/vision", "bindings/simple/ml/vision/transforms"}
    torch = {FOLDER, *(f"{FOLDER}/{name}" for name in ("amp", "data", "metrics", "nn", "optim"))}
    assert folders == {"bindings/simple/ml", *torch, *vision}
    for path in (*files, *(f"bindings/simple/{p}" for p in packages_written())):
        folder, _, name = path.removesuffix(".spl").rpartition("/")
        if name != "__init__" and folder in folders:
            assert f"mod {name}\n" in files[f"{folder}/__init__.spl"], path


def test_a_method_calls_what_the_function_calls(generated) -> None:
    """Which parity with Python is tested for: only that the first argument is the tensor itself."""
    whole = Api.from_json(json.loads((generated / "api.json").read_text()))
    methods = [o for o in readable(WordApi.of(whole)) if o.is_method]
    assert len(methods) > 1000
    for operator in methods:
        own = operator.parameters[0].name
        as_method, as_function = (" ".join(_function(operator, method=m)) for m in (True, False))
        signature = re.match(rf"fn {operator.name}\(\s*{own}: Tensor,? ?(.*)", as_function)
        assert signature, as_function
        renamed = re.sub(rf"\b{own}\b(?=\.handle|,|\])", "self", f"fn {operator.method}({signature[1]}")
        assert re.sub(r"\s", "", renamed) == re.sub(r"\s", "", as_method), operator.name
