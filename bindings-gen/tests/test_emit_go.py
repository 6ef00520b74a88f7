"""emit/go/: names, places in a frame, and that nothing of the ABI is missing."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from ctorchgen.api import Api, Param
from ctorchgen.emit.go.binding import Go, operator_name
from ctorchgen.schema import GeneratorError
from ctorchgen.surface import Surface


@pytest.fixture(scope="module")
def api(generated) -> Api:
    return Api.from_json(json.loads((generated / "api.json").read_text()))


@pytest.fixture(scope="module")
def files(api) -> dict[str, str]:
    return Go().emit(api)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("ctorch_aten_add_Tensor", "AddTensor"),
        ("ctorch_aten_add__Tensor", "Add_Tensor"),
        ("ctorch_aten__softmax", "PrivateSoftmax"),
        ("ctorch_aten_softmax_int", "SoftmaxInt"),
        ("ctorch_aten___and___Scalar", "DunderAndScalar"),
        ("ctorch_aten_range_out", "RangeOut"),
        ("ctorch_aten_range_out_", "RangeOut_"),
        ("ctorch_aten__foreach_add__Scalar", "PrivateForeachAdd_Scalar"),
    ],
)
def test_names_of_operators(api, function, expected):
    assert operator_name(next(f for f in api.functions if f.name == function)) == expected


@pytest.mark.parametrize(
    "call",
    [
        "ctorch_value_read_bytes(w[1].p, at(w, w[2]), (size_t)w[3].i)",
        "ctorch_tensor_copy_to_buffer(w[1].p, at(w, w[2]), (size_t)w[3].i, (ctorch_dtype)w[4].i)",
        "ctorch_tensor_to_dltensor(w[1].p, w[2].p, (bool)w[3].i)",  # a struct of the caller's, by its address
    ],
)
def test_memory_that_c_fills_is_not_a_word_of_the_frame(files, call):
    assert call in files["bindings/go/calls.c"]


def test_no_function_fills_more_than_the_words_that_it_has(api, files):
    """Of all buffers: what lies at `&w[n]` is as long as a word, or as the struct that has as many."""
    callers: dict[str, str] = {}
    for line in files["bindings/go/calls.c"].splitlines():
        for name in re.findall(r"\b(ctorch_\w+)\(", line):
            callers.setdefault(name, line)
    buffers = 0
    for function in api.functions:
        names = {r.name for r in Surface.of(function, api).results if r.kind == "buffer"}
        caller = callers[function.name]
        given = re.split(r", (?![^()]*\))", re.search(rf"{function.name}\((.*)\)(?:;| )", caller)[1])
        for param, text in zip(function.params, given):
            if param.name in names:
                buffers += 1
                assert text.startswith("at(w,"), caller
    assert buffers >= 3


def test_a_result_of_unknown_size_is_refused(api):
    function = next(f for f in api.functions if f.name == "ctorch_tensor_device")
    params = tuple(replace(p, c_type=p.c_type.replace("device", "wide")) for p in function.params)
    structs = (*api.structs, replace(api.structs[0], name="ctorch_wide"))
    with pytest.raises(GeneratorError, match="needs more room"):
        Go().emit(replace(api, functions=(replace(function, params=params),), structs=structs))


def test_every_function_has_a_caller_at_its_number(api, files):
    calls = files["bindings/go/calls.c"]
    bodies = re.findall(r"^static void call_(\d+)\(word \*w\) \{ .*?(ctorch_\w+)\(", calls, re.M)
    assert [name for _, name in bodies] == [f.name for f in api.functions]
    assert [int(number) for number, _ in bodies] == list(range(len(api.functions)))
    assert re.findall(r'^\t"(\w+)",', files["bindings/go/functions.go"], re.M) == [f.name for f in api.functions]


@pytest.mark.parametrize(
    "call",
    [
        "w[0].p = (void *)ctorch_aten_add_Tensor((void *)&w[1], w[2].p, w[3].p, at(w, w[4]));",
        "w[0].p = (void *)ctorch_tensor_item((void *)&w[1], w[5].p);",  # a scalar takes four words
        "w[0].i = (int64_t)ctorch_tensor_ndim(w[1].p);",
        "w[0].d = ctorch_profiler_result_event_cpu_time_total(w[1].p, (size_t)w[2].i);",
        "ctorch_tensor_release(w[1].p);",
    ],
)
def test_parameters_have_their_places(files, call):
    assert f"{{ {call} }}" in files["bindings/go/calls.c"]


def test_what_a_call_uses_is_kept_until_it_is_over(api, files):
    """Handles, lists of them and options: a frame keeps what it is given until Done, which ends the function."""
    kept = 0
    for text in (text for name, text in files.items() if name.endswith(".go")):
        for body in re.findall(r"^func [^\n]*\{\n\tf := (.*?)^\}", text, re.M | re.S):
            assert body.splitlines()[1] == "\tdefer f.Done()", body
            given = [found.start() for found in re.finditer(r"f\.Handle\(|PutHandles\(f, ", body)]
            assert all(at < body.rindex("f.Try()" if "f.Try()" in body else "f.Call()") for at in given), body
            kept += len(given)
    takes = [a for f in api.functions if f.kind == "aten" for a in Surface.of(f, api).arguments]
    assert kept > sum(a.kind in ("handle", "handles") for a in takes)


def test_options_that_are_lists_of_handles_alone_are_given_too(api):
    """No operator of today has such a list without another handle beside it."""
    add = next(f for f in api.functions if f.name == "ctorch_aten_add_Tensor")
    masks = Param("masks", "const ctorch_tensor *const *", "in", type="Tensor[]?", nullable=True, default_text="None")
    length = Param("masks_len", "size_t", "len", len_of="masks")
    function = replace(add, params=(add.params[0], masks, length))
    text = Go().emit(
        replace(
            api,
            functions=(
                *api.functions,
                replace(function, name="ctorch_aten_zap", schema="aten::zap(Tensor[]? masks=None) -> Tensor"),
            ),
        )
    )
    body = text["bindings/go/aten/aten.go"].split("func Zap(")[1].split("\n}")[0]
    assert body.index("ctorch.PutHandles(f, 2, o.Masks)") < body.index("f.Try()")


def test_options_are_what_may_be_left_out(files):
    aten = files["bindings/go/aten/aten.go"]
    assert "type AddTensorOptions struct {\n\tAlpha *ctorch.Scalar // 1\n}" in aten
    assert "func AddTensor(self *ctorch.Tensor, other *ctorch.Tensor, options ...AddTensorOptions) (" in aten
    assert "func Relu(self *ctorch.Tensor) (*ctorch.Tensor, error) {" in aten


def test_it_is_deterministic(api, files):
    assert Go().emit(api) == files
