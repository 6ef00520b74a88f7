"""vocabulary.py: what the generator knows by name is in the headers, or it stops; nobody else spells names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import gen
import pytest
from ctorchgen import headers, lock, vocabulary
from ctorchgen.api import Api
from ctorchgen.schema import GeneratorError

SOURCES = Path(vocabulary.__file__).parent
# What reads the headers, and the vocabulary itself; texts of files of a language, whose names are checked.
ALLOWED = {"headers.py", "vocabulary.py"}
TEMPLATES = {"TENSOR_HEAD", "TENSOR_CLASS", "TENSOR_FUNCTIONS", "_DYN_HEAD", "_DYN_CALLS"}


@pytest.fixture(scope="module")
def api() -> Api:
    """What the real headers declare."""
    h = headers.read_headers(SOURCES.parents[1] / "include")
    return Api("0.1.0", "2.13.0", h.enums, h.structs, lock.number({}, h.opaque)[0], h.callbacks, h.functions)


def renamed(items: tuple, name: str) -> tuple:
    assert name in {i.name for i in items}
    return tuple(replace(i, name=i.name + "_renamed") if i.name == name else i for i in items)


def test_the_headers_have_every_name(api):
    vocabulary.check(api, gen.BINDINGS)


@pytest.mark.parametrize(
    ("kind", "attribute", "name"),
    [
        ("handle type", "opaque", vocabulary.STRING),
        ("handle type", "opaque", vocabulary.SCOPE),
        ("struct", "structs", vocabulary.STREAM),
        ("enumeration", "enums", vocabulary.PROFILER_OPTIONS),
        ("enumeration", "enums", vocabulary.DTYPE),
        ("callback", "callbacks", vocabulary.TENSORS_CALLBACK),
    ],
)
def test_a_type_that_was_renamed_stops_the_generator(api, kind, attribute, name):
    changed = replace(api, **{attribute: renamed(getattr(api, attribute), name)})
    with pytest.raises(GeneratorError) as error:
        vocabulary.check(changed)
    assert str(error.value) == f"no header has the {kind} {name}, which vocabulary.py knows: rename it there too"


@pytest.mark.parametrize(
    ("emitter", "name"),
    [
        ("go/binding", "ctorch_tensor_sizes"),
        ("java/binding", "ctorch_func_hessian"),
        ("rust/binding", "ctorch_settings_fp32_precision"),
        ("simple/binding", "ctorch_tensor_backward"),
        ("word/c", "ctorch_tensor_ndim"),
    ],
)
def test_a_function_that_was_renamed_stops_the_generator(api, emitter, name):
    changed = replace(api, functions=renamed(api.functions, name))
    (asked,) = [b for b in gen.BINDINGS if type(b).__module__ == f"ctorchgen.emit.{emitter.replace('/', '.')}"]
    with pytest.raises(GeneratorError) as error:
        vocabulary.check(changed, [asked])
    assert str(error.value) == f"no header has {name}, which emit/{emitter}.py knows: rename it there too"


def test_a_constant_that_was_renamed_stops_the_generator(api):
    dtype = next(e for e in api.enums if e.name == vocabulary.DTYPE)
    other = replace(dtype, values=tuple((n.replace("FLOAT64", "DOUBLE"), v) for n, v in dtype.values))
    changed = replace(api, enums=tuple(other if e is dtype else e for e in api.enums))
    with pytest.raises(GeneratorError, match="no header has CTORCH_DTYPE_FLOAT64, which emit/simple/binding.py knows"):
        vocabulary.check(changed, gen.BINDINGS)


def test_a_release_function_that_was_renamed_changes_the_output(api):
    tensor = next(o for o in api.opaque if o.name == vocabulary.TENSOR)
    let_go = "ctorch_tensor_let_go"
    opaque = tuple(replace(o, release=let_go if o is tensor else o.release, doc="") for o in api.opaque)
    functions = tuple(replace(f, name=let_go if f.name == tensor.release else f.name, doc="") for f in api.functions)
    changed = replace(api, opaque=opaque, functions=functions)
    for emitter in gen.BINDINGS:
        text = "".join(emitter.emit(changed).values())
        assert re.search(r"tensor_let_go\b", text), emitter
        assert not re.search(r"(?<![_a-z])(ctorch_)?tensor_release\b", text), emitter


def spelled(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The C names in the literals of a module, but for its docs and its templates."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in tree.body:
        if isinstance(node, ast.Assign) and {t.id for t in node.targets if isinstance(t, ast.Name)} & TEMPLATES:
            docs |= {id(n) for n in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            for name in re.findall(r"\b(?:rt_)?ctorch_\w+|\bCTORCH_[A-Z]+_[A-Z]\w+", node.value):
                yield node.lineno, name


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCES)))
def test_no_source_spells_a_name_of_the_api(path, api):
    if path.name in ALLOWED:
        return
    names = {i.name for items in (api.functions, api.opaque, api.structs, api.enums, api.callbacks) for i in items}
    names |= {name for e in api.enums for name, _ in e.values}
    found = [(line, n) for line, n in spelled(ast.parse(path.read_text())) if n.removeprefix("rt_") in names]
    assert found == []
