"""word.py and its emitters: how every function looks in 64-bit words."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import pytest
from ctorchgen import word
from ctorchgen.api import Api, Enum, Function, Opaque, Param, Struct
from ctorchgen.emit.word.c import WordC
from ctorchgen.emit.word.table import WordTable
from ctorchgen.schema import GeneratorError
from ctorchgen.word import MAX_WORDS, WordApi, WordFunction, word_function

API = Api(
    "0.1.0",
    "2.13.0",
    (Enum("ctorch_dtype", (("CTORCH_DTYPE_UINT8", 0),)),),
    (Struct("ctorch_scalar", ()), Struct("ctorch_device", ()), Struct("ctorch_stream", ())),
    (
        Opaque("ctorch_error", "ctorch_error_release", None, kind=32),
        Opaque("ctorch_tensor", "ctorch_tensor_release", "ctorch_tensor_retain", kind=50),
        Opaque("struct DLManagedTensor", "ctorch_dlpack_release", None, kind=55),
    ),
    (),
    (),
)
SELF = Param("self", "const ctorch_tensor *", "in", type="Tensor")


def of(*params: Param, returns: str = "ctorch_error *", name: str = "ctorch_f", kind: str = "aten") -> WordFunction:
    return word_function(Function(name, "ctorch/f.h", kind, returns, params), API)


def body(function: WordFunction) -> str:
    from ctorchgen.emit.word import c as word_c

    return word_c._body(function)


@pytest.fixture(scope="module")
def whole(generated) -> WordApi:
    return WordApi.of(Api.from_json(json.loads((generated / "api.json").read_text())))


@pytest.mark.parametrize(
    ("c_type", "extra", "expected"),
    [
        ("bool", {}, ("flag", "bool", False)),
        ("int64_t", {}, ("int", "int64_t", False)),
        ("size_t", {}, ("int", "size_t", False)),
        ("ctorch_dtype", {}, ("enum", "ctorch_dtype", False)),
        ("double", {}, ("double", "double", False)),
        ("double", {"default": 0.5, "default_text": "0.5"}, ("double", "double", True)),
        ("const int64_t *", {"nullable": True}, ("number", "int64_t", True)),
        ("const ctorch_dtype *", {"nullable": True}, ("number", "ctorch_dtype", True)),
        ("const ctorch_scalar *", {}, ("scalar", "ctorch_scalar", False)),
        ("const ctorch_scalar *", {"nullable": True}, ("scalar", "ctorch_scalar", True)),
        ("const ctorch_device *", {}, ("device", "ctorch_device", False)),
        ("const ctorch_stream *", {"nullable": True}, ("stream", "ctorch_stream", True)),
        ("const char *", {}, ("text", "char", False)),
        ("const ctorch_tensor *", {}, ("handle", "ctorch_tensor", False)),
        ("ctorch_tensor *", {"nullable": True}, ("handle", "ctorch_tensor", True)),
        ("struct DLManagedTensor *", {}, ("handle", "struct DLManagedTensor", False)),
        ("void *", {}, ("address", "void", False)),
    ],
)
def test_what_an_argument_becomes(c_type, extra, expected):
    (slot,) = of(Param("x", c_type, "in", **extra)).slots
    assert (slot.kind, slot.type, slot.optional) == expected


@pytest.mark.parametrize(
    ("c_type", "kind", "type_"),
    [
        ("const int64_t *", "ints", "int64_t"),
        ("const bool *", "ints", "bool"),
        ("const double *", "doubles", "double"),
        ("const ctorch_scalar *", "scalars", "ctorch_scalar"),
        ("const ctorch_device *", "devices", "ctorch_device"),
        ("const char *const *", "texts", "char"),
        ("const ctorch_tensor *const *", "tensors", "ctorch_tensor"),
    ],
)
def test_a_list_is_one_word_that_may_be_0(c_type, kind, type_):
    (slot,) = of(Param("x", c_type, "in"), Param("x_len", "size_t", "len", "x")).slots
    assert (slot.kind, slot.type, slot.optional) == (kind, type_, True)


@pytest.mark.parametrize(
    ("c_type", "kind"),
    [
        ("ctorch_tensor **", "handle"),
        ("bool *", "flag"),
        ("int64_t *", "number"),
        ("size_t *", "count"),
        ("uint64_t *", "number"),
        ("double *", "number"),
        ("ctorch_dtype *", "enum"),
        ("ctorch_scalar *", "number"),
        ("ctorch_device *", "device"),
        ("const char **", "text"),
        ("void **", "address"),
    ],
)
def test_what_a_result_becomes(c_type, kind):
    out = Param("out", c_type, "out", owned=c_type == "ctorch_tensor **")
    assert of(out, SELF).result.kind == kind
    both = of(out, Param("out2", "int64_t *", "out"), SELF).result
    assert (both.kind, [i.kind for i in both.items]) == ("tuple", [kind, "number"])


def test_no_result_is_a_status():
    assert of(SELF).result.kind == "status"
    assert of(SELF, returns="void").result.kind == "status"


def test_a_number_that_is_never_negative_is_plain():
    assert of(SELF, returns="int64_t", name="ctorch_tensor_numel").result.kind == "count"
    assert of(SELF, returns="int64_t").result.kind == "number"
    assert of(SELF, returns="ctorch_dtype", name="ctorch_tensor_grad_dtype").result.kind == "number"


def test_whether_there_is_a_result_is_told_by_0():
    result = of(Param("out", "ctorch_dtype *", "out"), SELF, returns="bool").result
    assert (result.kind, result.optional) == ("number", True)  # a plain 0 is a dtype


def test_the_object_of_an_accessor_is_never_left_out():
    nullable = Param("self", "const ctorch_tensor *", "in", nullable=True)
    assert not of(nullable, kind="core").slots[0].optional
    assert of(nullable, kind="aten").slots[0].optional


def test_more_than_eight_arguments_are_one_word():
    params = tuple(Param(f"x{i}", "int64_t", "in") for i in range(9))
    assert (of(*params).packed, of(*params).parameters) == (True, ("pack",))
    assert (of(*params[:8]).packed, of(*params[:8]).arity) == (False, 8)
    default = Param("groups", "int64_t", "in", default=1, default_text="1")
    assert "word_given_or(&arguments, 9, 1)" in body(of(*params, default))
    assert 'word_required(&call, "x0", &arguments, 0)' in body(of(*params))


def test_what_needs_a_length_that_c_does_not_give_is_an_error():
    with pytest.raises(GeneratorError, match="no word for the result of ctorch_f"):
        of(SELF, returns="const int64_t *")


def test_a_name_of_the_library_itself_is_no_function_of_the_api():
    api = replace(API, functions=(Function("ctorch_ints_new", "ctorch/f.h", "core", "void", ()),))
    with pytest.raises(GeneratorError, match="rt_ctorch_ints_new"):
        WordApi.of(api)


def test_a_body_converts_calls_and_converts():
    out = Param("out", "ctorch_tensor **", "out", owned=True)
    alpha = Param("alpha", "const ctorch_scalar *", "in", type="Scalar", nullable=True)
    assert (
        body(of(out, SELF, alpha))
        == """\
int64_t rt_ctorch_f(int64_t self, int64_t alpha) {
  word_call call = word_begin("ctorch_f");
  const ctorch_tensor *c_self = word_handle(&call, "self", self, RT_CTORCH_KIND_TENSOR);
  ctorch_scalar room_alpha;
  const ctorch_scalar *c_alpha = word_scalar(&call, "alpha", alpha, true, &room_alpha);
  ctorch_tensor *r_out = NULL;
  if (call.error == NULL) {
    call.error = ctorch_f(&r_out, c_self, c_alpha);
  }
  return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_TENSOR, r_out));
}
"""
    )


def test_an_error_that_is_a_result_belongs_to_no_scope():
    """It is read after the scope that it left, like in C."""
    error = Param("out", "ctorch_error **", "out", owned=True)
    tensor = Param("out", "ctorch_tensor **", "out", owned=True)
    assert "return word_end(&call, word_from_handle(&call, RT_CTORCH_KIND_ERROR, r_out));" in body(of(error))
    assert "return word_end_new(&call, word_from_handle(&call, RT_CTORCH_KIND_TENSOR, r_out));" in body(of(tensor))


# The whole API


def test_every_function_has_its_word_function(whole):
    assert [f.name for f in whole.functions] == ["rt_" + f.name for f in whole.api.functions]
    assert all(f.arity <= MAX_WORDS for f in whole.all)
    assert len({f.name for f in whole.all}) == len(whole.all)


def test_every_kind_is_one_that_the_documentation_explains(whole):
    explained = set(re.findall(r"^(?:([a-z0-9]+)|doubles, scalars, devices, texts, values)  ", word.__doc__, re.M))
    explained |= {"doubles", "scalars", "devices", "texts", "values"}
    used = {s.kind for f in whole.all for s in f.slots} | {f.result.kind for f in whole.all}
    used |= {i.kind for f in whole.all for i in f.result.items}
    assert used - explained == set()


def test_no_call_pins_more_than_there_is_room_for(whole):
    """WORD_MAX_PINS in shim/word/word.h."""
    plain = ("flag", "int", "enum", "room", "device", "word", "f64")
    assert max(sum(s.kind not in plain for s in f.slots) for f in whole.all) < 40
    assert max(len(f.slots) for f in whole.all) <= 64  # slots of a pack


def test_kinds_have_numbers_of_their_own(whole):
    numbers = [number for _, number in whole.kinds]
    assert len(set(numbers)) == len(numbers)
    kinds = {name for name, _ in whole.kinds}
    asked = {s.handle_kind for f in whole.all for s in f.slots if s.kind == "handle"}
    given = {f.result.handle_kind for f in whole.all if f.result.kind == "handle"}
    assert asked | given <= kinds


def test_a_kind_keeps_its_number(whole):
    kinds = dict(whole.kinds)
    first = {"NUMBER": 1, "DEVICE": 14, "ERROR": 32, "TENSOR": 50, "WARNINGS": 54, "DLMANAGEDTENSORVERSIONED": 56}
    assert {name: kinds[name] for name in first} == first


def test_a_new_kind_of_object_asks_for_a_number():
    new = Opaque("ctorch_new", "ctorch_new_release", None)
    with pytest.raises(GeneratorError, match=r"ctorch_new has no number in abi/word\.lock: `gen\.py --update"):
        WordApi.of(replace(API, opaque=(*API.opaque, new)))


def test_few_results_are_boxed(whole):
    """What a program reads all the time must not be a handle."""
    plain = {f.name: f.result.kind for f in whole.functions}
    for name in ("tensor_ndim", "tensor_numel", "tensor_size", "aten_dim", "aten_size_int", "device_count"):
        assert plain["rt_ctorch_" + name] == "count"
    assert Counter(plain.values())["number"] < 90


def test_the_table_lists_every_symbol(whole):
    text = WordTable().emit(whole.api)["bindings/simple/symbols.sdn"]
    assert re.findall(r"name: (\w+)", text) == [f.name for f in whole.all]
    assert (
        "        name: rt_ctorch_aten_add_Tensor\n"
        "        transport: i64\n"
        "        arity: 3\n"
        "        packed: false\n"
        '        arguments: ["self TENSOR", "other TENSOR", "alpha scalar?"]\n'
        '        result: "TENSOR?"\n'
    ) in text


def test_every_body_is_in_one_shard_and_every_function_declared(whole):
    files = WordC().emit(whole.api)
    bodies = "".join(text for name, text in files.items() if re.match(r"word/word_\d\.c", name))
    found = re.findall(r"^int64_t (rt_ctorch_\w+)\(", bodies, re.M)
    assert Counter(found) == Counter(f.name for f in whole.functions if f.body != "runtime")
    declared = re.findall(r"^(?:int64_t|double) (rt_ctorch_\w+)\(", files["word/rt_ctorch.h"], re.M)
    assert sorted(declared) == sorted(f.name for f in whole.all)
