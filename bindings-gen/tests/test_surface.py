"""surface.py: the arguments and results that the user of a binding sees, of every function there is."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from ctorchgen.api import Api, Callback, Enum, Function, Opaque, Param, Struct
from ctorchgen.emit.apijson import ApiJson
from ctorchgen.schema import GeneratorError
from ctorchgen.surface import Surface

API = Api(
    "0.1.0",
    "2.13.0",
    (Enum("ctorch_dtype", (("CTORCH_DTYPE_UINT8", 0),)),),
    (Struct("ctorch_scalar", (("kind", "int32_t"),)),),
    (Opaque("ctorch_tensor", "ctorch_tensor_release", None), Opaque("struct DLManagedTensor", None, None)),
    (Callback("ctorch_visit", "int32_t", (Param("payload", "void *", "payload"),)),),
    (),
)


def surface(*params: Param, returns: str = "ctorch_error *", schema: str | None = None) -> Surface:
    kind = "aten" if schema else "core"
    return Surface.of(Function("ctorch_f", "ctorch/f.h", kind, returns, params, schema=schema), API)


@pytest.fixture(scope="module")
def whole(generated) -> tuple[dict, Api]:
    text = json.loads((generated / "api.json").read_text())
    return text, Api.from_json(text)


@pytest.mark.parametrize(
    ("c_type", "has_length", "expected"),
    [
        ("int64_t", False, ("value", "int64_t")),
        ("ctorch_dtype", False, ("value", "ctorch_dtype")),
        ("const ctorch_dtype *", False, ("pointer", "ctorch_dtype")),
        ("const ctorch_scalar *", False, ("pointer", "ctorch_scalar")),
        ("const ctorch_scalar *", True, ("list", "ctorch_scalar")),
        ("const bool *", True, ("list", "bool")),
        ("const char *", False, ("string", "char")),
        ("const char *const *", True, ("strings", "char")),
        ("ctorch_tensor *", False, ("handle", "ctorch_tensor")),
        ("const ctorch_tensor *const *", True, ("handles", "ctorch_tensor")),
        ("const void *", True, ("bytes", "void")),
        ("const char *", True, ("bytes", "char")),
        ("void *", False, ("address", "void")),
        ("struct DLManagedTensor *", False, ("address", "struct DLManagedTensor")),
    ],
)
def test_an_argument_is_one_thing(c_type, has_length, expected):
    length = [Param("x_len", "size_t", "len", len_of="x")] if has_length else []
    (argument,) = surface(Param("x", c_type, "in"), *length).arguments
    assert (argument.kind, argument.type) == expected
    assert argument.length == (length[0] if length else None)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ([("out", "ctorch_tensor **")], [("out", "handle", "ctorch_tensor")]),
        ([("out", "ctorch_scalar *")], [("out", "struct", "ctorch_scalar")]),
        ([("out", "double *")], [("out", "value", "double")]),
        ([("out", "const char **")], [("out", "string", "char")]),
        ([("out", "void **")], [("out", "address", "void")]),
        ([("out_dims", "const int64_t **"), ("out_dims_len", "size_t *")], [("out_dims", "list", "int64_t")]),
        ([("a", "int64_t *"), ("b", "size_t *")], [("a", "value", "int64_t"), ("b", "value", "size_t")]),
    ],
)
def test_a_result_is_one_thing(params, expected):
    names = [name for name, _ in params]
    counted = {f"{name}_len": name for name in names}
    found = surface(*(Param(name, c_type, "out", counted.get(name)) for name, c_type in params)).results
    assert [(r.name, r.kind, r.type) for r in found] == expected


def test_a_buffer_has_the_length_that_its_user_gives():
    length = Param("data_len", "size_t", "len", len_of="data")
    (result,) = surface(Param("data", "void *", "out"), length).results
    assert (result.kind, result.length) == ("buffer", length)


def test_a_callback_its_end_and_its_payload():
    found = surface(
        Param("visit", "ctorch_visit", "callback"),
        Param("destroy", "void (*)(void *payload)", "callback", nullable=True),
        Param("payload", "void *", "payload", nullable=True),
    ).arguments
    assert [a.kind for a in found] == ["callback", "destroy", "payload"]


def test_optional_is_what_may_be_left_out():
    found = surface(
        Param("a", "int64_t", "in"),
        Param("b", "int64_t", "in", default=1, default_text="1"),
        Param("c", "const int64_t *", "in", nullable=True, default_text="None", keyword_only=True),
        Param("d", "const int64_t *", "in", nullable=True),
    ).arguments
    assert [(a.optional, a.has_default, a.keyword_only) for a in found] == [
        (False, False, False),
        (True, True, False),
        (True, True, True),
        (True, False, False),
    ]


def test_what_is_returned():
    kinds = "ctorch_error * void int64_t const_char_* const_int64_t_* ctorch_tensor_*const_* void_*"
    found = [surface(returns=c.replace("_*", " *").replace("const_", "const ")) for c in kinds.split(" ")[2:]]
    assert [s.returned for s in found] == ["nothing", "value", "string", "list", "handles", "address"]
    assert surface().fallible
    assert not surface(returns="void").fallible


def test_names_of_operators_and_of_others():
    assert (surface().name, surface().overload) == ("f", "")
    for schema, expected in {
        "aten::add.out(Tensor self) -> Tensor": ("add", "out"),
        "aten::relu_(Tensor(a!) self) -> Tensor(a!)": ("relu_", ""),
    }.items():
        found = surface(schema=schema)
        assert (found.name, found.overload) == expected


@pytest.mark.parametrize("c_type", ["float", "int64_t ***", "ctorch_other *", "char"])
def test_a_type_without_a_kind_is_an_error(c_type):
    with pytest.raises(GeneratorError, match="ctorch_f: no kind for parameter"):
        surface(Param("x", c_type, "in"))


def test_every_function_and_callback_has_a_surface(whole):
    _, api = whole
    surfaces = [Surface.of(f, api) for f in (*api.functions, *api.callbacks)]
    kinds = Counter(x.kind for s in surfaces for x in (*s.arguments, *s.results))
    assert not {"", None} & set(kinds)
    # Nothing is lost: every C parameter is an argument, a result, or the length of one.
    for s in surfaces:
        parts = (*s.arguments, *s.results)
        seen = Counter(p.name for x in parts for p in (x.param, x.length) if p is not None)
        assert seen == Counter(p.name for p in s.function.params), s.function.name


def test_keyword_only_is_what_stands_after_the_star(whole):
    _, api = whole
    for function in api.functions:
        if function.schema is None:
            assert not any(p.keyword_only for p in function.params)
            continue
        inside = function.schema[function.schema.index("(") + 1 : function.schema.rindex(") ->")]
        keywords = inside.partition("*, ")[2] if "*, " in inside else ""
        names = [a.split("=")[0].split()[-1] for a in keywords.split(", ") if " " in a]
        assert [p.name for p in function.params if p.keyword_only] == names, function.schema


def test_api_json_reads_back_as_it_was_written(whole):
    text, api = whole
    assert json.loads(ApiJson().emit(api)["api.json"]) == text
