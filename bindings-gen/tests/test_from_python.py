"""From Python to C: the record of PyTorch's names, the table beside the rules, the page that is made of both."""

from __future__ import annotations

import importlib
import json
import re

import pytest
from ctorchgen import python_names
from ctorchgen.api import Api, Enum, Function, Param
from ctorchgen.emit.from_python import PATH, FromPython
from ctorchgen.schema import GeneratorError

SELF = Param("self", "const ctorch_tensor *", "in", type="Tensor")
OUT = Param("out", "ctorch_tensor **", "out", owned=True)
WRITTEN = Param("out", "ctorch_tensor *", "in", type="Tensor", mutated=True, keyword_only=True)


def operator(schema: str, *params: Param) -> Function:
    name = "ctorch_aten_" + schema.split("(")[0].replace(".", "_")
    return Function(name, "ctorch/generated/aten.h", "aten", "ctorch_error *", params, schema=f"aten::{schema}")


API = Api(
    "0.1.0",
    "2.13.0",
    (Enum("ctorch_dtype", (("CTORCH_DTYPE_INT8", 1), ("CTORCH_DTYPE_INT16", 2))),),
    (),
    (),
    (),
    (
        Function("ctorch_grad_mode_push", "ctorch/autograd/autograd.h", "core", "void", ()),
        operator("abs(Tensor self) -> Tensor", OUT, SELF),
        operator("abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", SELF, WRITTEN),
        operator("where(Tensor condition) -> Tensor[]", OUT, Param("condition", "const ctorch_tensor *", "in")),
        operator("where.self(Tensor condition, Tensor self) -> Tensor", OUT, SELF),
        operator("linalg_inv(Tensor A) -> Tensor", OUT, Param("A", "const ctorch_tensor *", "in")),
        Function("ctorch_nn_Linear", "ctorch/generated/nn.h", "nn", "ctorch_error *", (), schema="nn.Linear(int n)"),
    ),
)
NAMES = ["torch.abs", "torch.int8", "torch.Tensor.abs", "torch.Tensor.where", "torch.linalg.inv", "torch.no_grad"]
ENTRY = '["torch"]\nno_grad = { c = ["ctorch_grad_mode_push"], note = "push false" }\n'


@pytest.fixture
def rows(tmp_path):
    def read(text: str, names: list[str] = NAMES) -> dict[str, tuple]:
        (tmp_path / "table.toml").write_text(text)
        found = python_names.rows(API, names, python_names.read_table(tmp_path / "table.toml"))
        return {row.name: (row.c, row.out, row.note) for row in found}

    return read


def test_rules_and_the_table(rows):
    assert rows(ENTRY) == {
        "torch.abs": (("ctorch_aten_abs",), ("ctorch_aten_abs_out",), ""),
        "torch.Tensor.abs": (("ctorch_aten_abs",), (), ""),
        "torch.Tensor.where": (("ctorch_aten_where_self",), (), ""),
        "torch.linalg.inv": (("ctorch_aten_linalg_inv",), (), ""),
        "torch.int8": (("CTORCH_DTYPE_INT8",), (), ""),
        "torch.no_grad": (("ctorch_grad_mode_push",), (), "push false"),
        "torch.nn.Linear": (("ctorch_nn_Linear",), (), ""),
    }


def test_an_entry_adds_replaces_or_says_why_there_is_nothing(rows):
    text = (
        ENTRY + 'abs = { also = ["ctorch_dtype"] }\nint8 = { c = ["CTORCH_DTYPE_INT16"] }\ncompile = { note = "no" }\n'
    )
    found = rows(text, [*NAMES, "torch.compile"])
    assert found["torch.abs"] == (("ctorch_aten_abs", "ctorch_dtype"), ("ctorch_aten_abs_out",), "")
    assert found["torch.int8"] == (("CTORCH_DTYPE_INT16",), (), "")
    assert found["torch.compile"] == ((), (), "no")


def test_patterns_are_for_what_has_no_c(rows):
    text = ENTRY + '[[without]]\nnames = ["torch.*Storage"]\nreason = "Python only"\n'
    found = rows(text, [*NAMES, "torch.IntStorage", "torch.BoolStorage"])
    assert found["torch.IntStorage"] == found["torch.BoolStorage"] == ((), (), "Python only")


WITHOUT = '[[without]]\nnames = ["{}"]\nreason = "r"\n'


@pytest.mark.parametrize(
    ("text", "names", "error"),
    [
        ("", NAMES, "torch.no_grad has neither C nor a reason"),
        (ENTRY, NAMES[:-1], "PyTorch has no public torch.no_grad"),
        (ENTRY.replace("mode_push", "mode_shove"), NAMES, "torch.no_grad: ctorch has no ctorch_grad_mode_shove"),
        (ENTRY + 'abs = { c = ["ctorch_aten_abs"] }', NAMES, "torch.abs is given by rule: ctorch_aten_abs"),
        ('["torch"]\nno_grad = { also = ["ctorch_dtype"] }', NAMES, "no rule gives torch.no_grad: say c, not also"),
        (ENTRY + WITHOUT.format("torch.Q*"), NAMES, "torch.Q*: no name needs this reason"),
        (ENTRY + WITHOUT.format("torch.abs"), NAMES, "torch.abs: no name needs this reason"),
        ('["torch"]\nno_grad = { note = "n" }\n' + WITHOUT.format("torch.no*"), NAMES, "has a note, and a reason by"),
        ('["torch"]\nno_grad = { C = ["ctorch_dtype"] }', NAMES, "torch.no_grad has c or also, and a note"),
        (ENTRY + '[[syntax]]\npython = "x + y"\nc = ["ctorch_plus"]', NAMES, "x + y: ctorch has no ctorch_plus"),
        (ENTRY + '[[syntax]]\npython = "x + y"', NAMES, "[[syntax]] has python, c and perhaps a note"),
        (ENTRY + '[[without]]\nnames = ["x"]', NAMES, "[[without]] has names and a reason"),
        ('["torch"', NAMES, "python/table.toml: Expected"),
    ],
)
def test_what_the_table_must_not_say(rows, text, names, error):
    with pytest.raises(GeneratorError, match=re.escape(error)):
        rows(text, names)


def test_a_line_of_the_page(tmp_path):
    (tmp_path / "table.toml").write_text(ENTRY + '[[syntax]]\npython = "abs(x)"\nc = ["ctorch_aten_abs"]\n')
    table = python_names.read_table(tmp_path / "table.toml")
    page = FromPython("2.13.0", NAMES, table, "int x;\n").emit(API)[PATH]
    assert "| `torch.abs` | `ctorch_aten_abs` | `out=`: `ctorch_aten_abs_out` |" in page
    assert "| `torch.no_grad` | `ctorch_grad_mode_push` | push false; `autograd/autograd.h` |" in page
    assert "| `Tensor.abs` | `ctorch_aten_abs` | |" in page
    assert "| `abs(x)` | `ctorch_aten_abs` | |" in page
    assert "```c\nint x;\n```" in page


# The real ones


def test_every_link_of_the_page_has_its_heading(root):
    page = (root / PATH).read_text()
    headings = {h.lower().replace(".", "").replace(" ", "-") for h in re.findall(r"^## (.*)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) == headings


def test_every_c_name_of_the_page_exists(root, generated):
    api = Api.from_json(json.loads((generated / "api.json").read_text()))
    known = python_names.Rules(api).c_names
    for header in (root / "include").rglob("*.h"):
        known |= set(re.findall(r"\bctorch_\w+(?=\()|(?<=#define )CTORCH_\w+", header.read_text()))
    assert set(re.findall(r"\bctorch_\w+\b|\bCTORCH_\w+\b", (root / PATH).read_text(), re.ASCII)) <= known


def test_the_record_is_of_the_torch_at_hand(root):
    torch = pytest.importorskip("torch")
    version, names = python_names.read_names(root / "bindings-gen/python/names.txt")
    if torch.__version__.partition("+")[0] != version:
        pytest.skip(f"the names are of PyTorch {version}")
    assert list(python_names.public_names()) == names, (
        "python -m ctorchgen.python_names > bindings-gen/python/names.txt"
    )


def test_names_by_rule_beyond_the_record_exist(root):
    torch = pytest.importorskip("torch")
    if torch.__version__.partition("+")[0] != python_names.read_names(root / "bindings-gen/python/names.txt")[0]:
        pytest.skip("the page is of another PyTorch")
    names = re.findall(r"^\| `(torch\.(?:nn|optim)\.[\w.]+)`", (root / PATH).read_text(), re.MULTILINE)
    assert len(names) > 200
    for name in names:
        module, _, attribute = name.rpartition(".")
        parent, _, of = module.rpartition(".")
        here = getattr(importlib.import_module(parent), of, None) or importlib.import_module(module)
        assert hasattr(here, attribute), name


def test_the_page_does_not_promise_what_is_there(root):
    """What was to come has come, or the page says why it does not."""
    page = (root / PATH).read_text()
    for name in ("save", "load", "jit.load", "jit.trace", "nn.Module", "nn.Parameter", "nn.utils.prune.remove"):
        row = re.search(rf"^\| `torch\.{re.escape(name)}` \| (.*)$", page, re.MULTILINE)
        assert row and row[1].startswith("`ctorch_"), name


def test_names_beyond_the_record_exist_too(root):
    torch = pytest.importorskip("torch")
    if torch.__version__.partition("+")[0] != python_names.read_names(root / "bindings-gen/python/names.txt")[0]:
        pytest.skip("the table is for another PyTorch")
    for name in python_names.read_table(root / "bindings-gen/python/table.toml").entries:
        module, _, attribute = name.rpartition(".")
        if module in python_names.COMPLETE:
            continue  # a row of the record
        assert hasattr(pytest.importorskip(module), attribute), name
