"""signatures.py, luajit.py and node.py: a function in one line, and the tables that two bindings read."""

from __future__ import annotations

import json
import re

import pytest
from ctorchgen.api import Api, Enum, Function, Param
from ctorchgen.emit.luajit.binding import LuaJit
from ctorchgen.emit.node.binding import Node
from ctorchgen.emit.signatures import overloads, signature
from ctorchgen.surface import Surface


@pytest.fixture(scope="module")
def api(generated) -> Api:
    return Api.from_json(json.loads((generated / "api.json").read_text()))


@pytest.fixture(scope="module")
def lines(api) -> dict[str, str]:
    return {f.name: signature(f, api) for f in (*api.functions, *api.callbacks)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "ctorch_aten_add_Tensor",
            "error >out:handle:tensor self:handle:tensor other:handle:tensor alpha:pointer:scalar?*",
        ),
        ("ctorch_aten_add__Scalar", "error self:handle:tensor other:pointer:scalar alpha:pointer:scalar? -> self"),
        (
            "ctorch_aten_sum_dim_IntList",
            "error >out:handle:tensor self:handle:tensor dim:list:int64_t[1]~ keepdim:value:bool=false "
            "dtype:pointer:dtype?*",
        ),
        (
            "ctorch_aten_sort_values",
            "error self:handle:tensor dim:value:int64_t=-1 descending:value:bool=false values:handle:tensor* "
            "indices:handle:tensor* -> values indices",
        ),
        (
            "ctorch_aten_split_Tensor",
            "error >out:handle:tensor_list self:handle:tensor split_size:value:int64_t dim:value:int64_t=0",
        ),
        ("ctorch_version", "string"),
        ("ctorch_tensor_sizes", "list:int64_t self:handle:tensor~"),
        ("ctorch_tensor_item_complex", "error >out_re:value:double >out_im:value:double self:handle:tensor"),
        (
            "ctorch_tensor_register_hook",
            "error >out:handle:hook? self:handle:tensor callback:callback:tensor_hook destroy:destroy:void~ "
            "payload:payload:void~",
        ),
        (
            "ctorch_dataset_from_iterable",
            "error >out:handle:dataset len:pointer:int64_t~ iterate:callback:dataset_iterate may_thread:never:bool "
            "destroy:destroy:void~ payload:payload:void~",
        ),
        (
            "ctorch_tensor_hook_callback",
            "value:callback_status >out:handle:tensor grad:handle:tensor~ >error:handle:error payload:payload:void~",
        ),
    ],
)
def test_signature(lines, name, expected):
    assert lines[name] == expected


def test_every_line_follows_the_grammar(lines):
    word = (
        r"(>\w+:(value|struct|handle|handles|string|list|buffer|address):\w+\??"
        r"|\w+:(value|pointer|list|string|strings|handle|handles|bytes|address|callback|destroy|never|payload):\w+"
        r"(=(true|false|-?[\d.e+-]+))?(\[\d+\])?[?~]?\*?)"
    )
    returned = r"(error|nothing|string|address|(value|list|handle|handles):\w+)"
    grammar = re.compile(rf"{returned}( {word})*( -> \w+( \w+)*)?")
    assert [(n, line) for n, line in lines.items() if not grammar.fullmatch(line)] == []


def test_a_line_has_every_parameter_but_the_lengths(api, lines):
    for f in (*api.functions, *api.callbacks):
        named = [w.lstrip(">").split(":")[0] for w in lines[f.name].partition(" -> ")[0].split()[1:]]
        surface = Surface.of(f, api)
        lengths = {word.length.name for word in (*surface.arguments, *surface.results) if word.length}
        assert named == [p.name for p in f.params if p.name not in lengths], f.name


def test_the_returned_arguments_are_named(api, lines):
    assert lines["ctorch_aten_sort_values"].endswith(" -> values indices")
    assert lines["ctorch_aten_rrelu_with_noise_"].endswith(" -> self")  # noise is changed, but not returned
    for f in api.functions:
        assert tuple(lines[f.name].partition(" -> ")[2].split()) == f.returned_arguments, f.name


def test_overloads_with_few_arguments_come_first(api):
    found = overloads(api)
    assert [name for name, _ in found["add"]] == ["Scalar", "Tensor", "Scalar_out", "out"]
    assert [name for name, _ in found["sum"]][0] == "default"
    assert sum(map(len, found.values())) == sum(f.kind == "aten" for f in api.functions)


@pytest.mark.parametrize(
    ("enum", "expected"),
    [
        (Enum("ctorch_dtype", (("CTORCH_DTYPE_UINT8", 0), ("CTORCH_DTYPE_INT8", 1))), [("uint8", 0), ("int8", 1)]),
        (Enum("ctorch_error_kind", (("CTORCH_ERROR_IO", 34), ("CTORCH_ERROR_STD", 90))), [("io", 34), ("std", 90)]),
        (Enum("ctorch_vmap_dim", (("CTORCH_VMAP_UNMAPPED", -1000),)), [("unmapped", -1000)]),
    ],
)
def test_constants_lose_the_prefix_that_they_share(enum, expected):
    assert list(enum.short_values.items()) == expected
    assert list(enum.short_names.values()) == [name for name, _ in expected]


def test_constants_of_one_enumeration_have_different_names(api):
    for enum in api.enums:
        names = list(enum.short_names.values())
        assert len(set(names)) == len(names) and all(names), enum.name


@pytest.fixture(scope="module")
def node(api) -> dict[str, str]:
    return Node().emit(api)


@pytest.fixture(scope="module")
def luajit(api) -> dict[str, str]:
    return LuaJit().emit(api)


def test_the_declarations_are_those_of_the_cdef(node, luajit, generated):
    text = (generated / "ctorch.cdef.h").read_text()
    assert node["bindings/node/generated/ctorch.cdef.h"] == text
    lua = luajit["bindings/luajit/ctorch/generated/cdef.lua"]
    assert f"return [==[\n{text}]==]\n" in lua


def test_emitting_twice_gives_the_same(api, node, luajit):
    assert (Node().emit(api), LuaJit().emit(api)) == (node, luajit)


def test_typescript_puts_no_required_parameter_behind_an_optional_one(node):
    text = node["bindings/node/generated/operators.d.ts"]
    for parameters in re.findall(r"\((self[^()]*)\)", text):
        without_options = re.sub(r"\{[^}]*\}", "object", parameters)
        optional = ["?:" in p for p in without_options.split(", ")]
        assert optional == sorted(optional), parameters


def test_a_default_is_what_the_schema_says(api):
    x = Param("x", "double", "in", type="float", default=0.5, default_text="0.5")
    f = Function("ctorch_aten_f", "ctorch/f.h", "aten", "ctorch_error *", (x,), schema="aten::f(float x=0.5) -> ()")
    assert signature(f, api) == "error x:value:double=0.5"
