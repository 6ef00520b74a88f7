"""api.json: what the emitter writes passes api.schema.json, and the schema refuses what it should."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
from ctorchgen.api import Api, Callback, Function, Param
from ctorchgen.emit.apijson import ApiJson
from ctorchgen.headers import read_headers
from jsonschema import Draft202012Validator

OUT = Param("out", "ctorch_tensor **", "out", type="Tensor", owned=True)
SELF = Param("self", "const ctorch_tensor *", "in", type="Tensor")
STRIDE = Param("stride", "const int64_t *", "in", type="int[2]", nullable=True, default=[0, 1], default_text="[0, 1]")
OPERATOR = Function(
    name="ctorch_aten_pool_Sample",
    header="ctorch/generated/aten.h",
    kind="aten",
    returns="ctorch_error *",
    params=(OUT, SELF, STRIDE, Param("stride_len", "size_t", "len", len_of="stride")),
    returns_nullable=True,
    schema="aten::pool.Sample(Tensor self, int[2] stride=[0, 1]) -> Tensor",
)
CALLBACK = Callback("ctorch_visit", "int32_t", (Param("payload", "void *", "payload", nullable=True),), "Visit – each.")


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads((Path(__file__).parents[1] / "api.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture(scope="module")
def api() -> Api:
    h = read_headers(Path(__file__).parents[2] / "include")
    return Api("0.1.0", "2.13.0", h.enums, h.structs, h.opaque, (CALLBACK,), (*h.functions, OPERATOR))


def test_the_text_is_the_model(api):
    (text,) = ApiJson().emit(api).values()
    assert json.loads(text) == json.loads(json.dumps(api.to_json()))
    assert list(json.loads(text)["enums"][0]["values"]) == [name for name, _ in api.enums[0].values]


def test_one_function_a_line(api):
    lines = ApiJson().emit(api)["api.json"].splitlines()
    assert sum(line.startswith('{"name": "ctorch_aten_pool_Sample", ') for line in lines) == 1
    entries = (api.enums, api.structs, api.opaque, api.callbacks, api.functions)
    assert len(lines) == 1 + 2 + sum(len(e) + 2 for e in entries) + 1  # braces, versions, "key": [ … ]


def test_text_beyond_ascii_stays_readable(api):
    assert "Visit – each." in ApiJson().emit(api)["api.json"]


def test_empty_lists():
    assert json.loads(ApiJson().emit(Api("0.1.0", "2.13.0", (), (), (), (), ()))["api.json"])["functions"] == []


def test_a_default_that_json_cannot_hold_names_its_function():
    param = Param("p", "double", "in", type="float", default=float("inf"), default_text="inf")
    function = Function("ctorch_aten_f", "ctorch/generated/aten.h", "aten", "ctorch_error *", (param,))
    with pytest.raises(ValueError, match="ctorch_aten_f"):
        ApiJson().emit(Api("0.1.0", "2.13.0", (), (), (), (), (function,)))


def test_the_output_is_valid(validator, api):
    validator.validate(json.loads(ApiJson().emit(api)["api.json"]))


def test_the_built_api_json_is_valid(validator, generated):
    document = json.loads((generated / "api.json").read_text())
    validator.validate(document)
    names = {f["name"] for f in document["functions"]}
    assert len(names) == len(document["functions"]) > 3000
    for function in document["functions"]:
        params = [p["name"] for p in function["params"]]
        assert len(set(params)) == len(params)
        assert {p["len_of"] for p in function["params"]} - {None} <= set(params)
    assert {o[k] for o in document["opaque"] for k in ("release", "retain")} - {None} <= names


def test_everything_that_has_a_length_names_it(generated):
    """Over the whole ABI, so that a new function cannot lack it."""
    document = json.loads((generated / "api.json").read_text())
    numbers = {"bool", "double", "size_t"} | {f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)}
    numbers |= {e["name"] for e in document["enums"]}
    functions = {f["name"]: f for f in document["functions"]}
    lists = writes = arrays = 0
    for function in [*document["functions"], *document["callbacks"]]:
        params = {p["name"]: p for p in function["params"]}
        counted = {p["len_of"]: p for p in function["params"] if p["len_of"] is not None}
        for name, param in params.items():
            where, pointee = f"{function['name']}: {name}", param["c_type"].removesuffix("*").rstrip()
            if param["c_type"] == "size_t" and name.endswith(("_len", "_nbytes")) and name.rpartition("_")[0] in params:
                assert (param["role"], param["len_of"]) == ("len", name.rpartition("_")[0]), where
            if param["c_type"] == "size_t *" and name.endswith("_len"):
                assert (param["role"], param["len_of"]) == ("out", name.removesuffix("_len")), where
            if pointee.endswith("*const") or pointee == "const char *const":
                assert name in counted, f"{where}: an array without a length"
                lists += 1
            elif param["role"] == "out" and pointee.endswith("*") and pointee.removesuffix("*").split()[-1] in numbers:
                assert counted[name]["role"] == "out", f"{where}: an array is written without its length"
                writes += 1
            elif param["role"] == "in" and pointee.removeprefix("const ") in numbers and pointee != param["c_type"]:
                assert param["nullable"], f"{where}: neither a list nor a number that may be left out"
            if param["role"] == "payload":
                assert param["nullable"], f"{where}: whoever registers may give NULL"
        returns = function["returns"]
        if function in document["callbacks"]:
            continue
        if returns.endswith("*") and (returns.split()[-2] in numbers or "*const" in returns):
            assert functions[function["returns_len"]]["returns"] in numbers, function["name"]
            arrays += 1
        if returns.endswith("*") and re.search(r"@return[^@]*NULL (?:for|if|beyond)", function["doc"]):
            assert function["returns_nullable"], function["name"]
        if returns == "ctorch_error *":
            assert function["returns_nullable"], function["name"]
    assert (lists > 500, writes, arrays) == (True, 6, 4)


def test_returned_pointers_that_may_be_null(generated):
    """Read off the headers by eye: what callers have to look at before they use it."""
    document = json.loads((generated / "api.json").read_text())
    pointers = {f["name"]: f["returns_nullable"] for f in document["functions"] if f["returns"].endswith("*")}
    nullable = {name.removeprefix("ctorch_") for name, null in pointers.items() if null and "_aten_" not in name}
    core = {f["name"].removeprefix("ctorch_") for f in document["functions"] if f["returns"] == "ctorch_error *"}
    assert nullable - core == set(
        """
        autograd_context_payload dataset_name device_type_name dlpack_python_exchange_api dtype_name error_kind_name
        image_format_name jit_module_name layout_name lr_scheduler_name memory_stats_name metric_name module_name
        module_type_before_parametrizations
        named_modules_name named_tensors_name op_argument_alias op_argument_name op_argument_type
        op_return_alias op_return_name op_return_type optimizer_name reader_path sampler_name
        summary_reader_path summary_reader_plugin summary_reader_tag summary_reader_text summary_writer_log_dir
        tensor_list_data
        tensor_list_mutable_data tensor_sizes tensor_strides transform_name tv_tensor_clamping_mode
        tv_tensor_format tv_tensor_kind_name value_field_name value_kind_name value_python_module value_python_name
        value_tuple_name weights_format weights_format_name weights_name weights_object_class weights_object_name
        weights_type writer_data
        """.split()
    )


# What the schema refuses: a path into the document of an operator, and what to put there (or DELETE).


class Deleted:
    """In place of a value: the key goes. The names of tests must not differ between processes, so it has one."""

    def __repr__(self) -> str:
        return "deleted"


DELETE = Deleted()
F = ("functions", -1)
OUT_, SELF_, STRIDE_, LEN_ = ((*F, "params", i) for i in range(4))
CORE = ("functions", 0)
BAD = [
    (("extra",), 1),
    (("version",), DELETE),
    (("version",), "0.1"),
    (("torch_version",), 2.13),
    (("functions",), DELETE),
    (("enums", 0, "values"), {}),
    (("enums", 0, "values"), {"ctorch_lower": 1}),
    (("enums", 0, "values"), {"CTORCH_A": 1.5}),
    (("enums", 0, "values"), {"CTORCH_A": 2**31}),
    (("enums", 0, "extra"), 1),
    (("structs", 0, "fields"), []),
    (("structs", 0, "fields", 0, "c_type"), "const char *"),
    (("opaque", 0, "release"), "free"),
    (("opaque", 0, "retain"), DELETE),
    (("opaque", 0, "name"), "torch_error"),
    (("opaque", 0, "name"), "struct"),
    (("callbacks", 0, "params", 0, "role"), "user_data"),
    (("callbacks", 0, "params", 0, "c_type"), "int64_t"),
    ((*F, "kind"), "nn"),
    ((*F, "kind"), "core"),
    ((*CORE, "kind"), "aten"),
    ((*F, "name"), "ctorch_pool"),
    ((*CORE, "name"), "ctorch_aten_x"),
    ((*CORE, "schema"), "aten::x() -> ()"),
    ((*F, "schema"), None),
    ((*F, "schema"), "pool(Tensor self) -> Tensor"),
    ((*F, "returns"), "void"),
    ((*F, "returns"), DELETE),
    ((*F, "returns_nullable"), False),
    ((*F, "returns_nullable"), DELETE),
    ((*F, "returns_len"), DELETE),
    ((*F, "returns_len"), "ctorch_tensor_ndim"),
    (("callbacks", 0, "params", 0, "nullable"), False),
    ((*CORE, "returns"), "int"),
    ((*F, "header"), "aten.h"),
    ((*F, "header"), "/usr/include/ctorch/aten.h"),
    ((*F, "since"), "0.1.0"),
    ((*F, "doc"), None),
    ((*F, "body"), "return nullptr;"),
    ((*OUT_, "role"), "result"),
    ((*OUT_, "role"), "in"),
    ((*OUT_, "c_type"), "int64_t"),
    ((*OUT_, "c_type"), "ctorch_tensor**"),
    ((*OUT_, "c_type"), "const void **"),
    ((*OUT_, "mutated"), True),
    ((*OUT_, "keyword_only"), True),
    ((*SELF_, "keyword_only"), DELETE),
    ((*SELF_, "keyword_only"), None),
    ((*LEN_, "keyword_only"), True),
    ((*CORE, "params", 0, "keyword_only"), True),
    ((*SELF_, "owned"), True),
    ((*SELF_, "mutated"), True),
    ((*SELF_, "mutated"), "yes"),
    ((*SELF_, "name"), "a b"),
    ((*SELF_, "name"), DELETE),
    ((*SELF_, "len_of"), "stride"),
    ((*SELF_, "c_type"), "long"),
    ((*SELF_, "c_type"), "at::Tensor &"),
    ((*SELF_, "c_type"), "struct ctorch_tensor *"),
    ((*SELF_, "extra"), 1),
    ((*STRIDE_, "default"), {"a": 1}),
    ((*STRIDE_, "default"), ["a"]),
    ((*STRIDE_, "default_text"), None),
    ((*STRIDE_, "nullable"), None),
    ((*LEN_, "len_of"), None),
    ((*LEN_, "c_type"), "int64_t"),
    ((*LEN_, "nullable"), True),
    ((*CORE, "params", 0, "type"), "Tensor"),
    ((*CORE, "params", 0, "default_text"), "None"),
]  # fmt: skip


@pytest.fixture(scope="module")
def short(validator, api) -> dict:
    """A valid document of the first and the last entries: each is looked at as often as it is changed."""
    document = json.loads(ApiJson().emit(api)["api.json"])
    for key in ("enums", "structs", "opaque", "callbacks", "functions"):
        document[key] = [document[key][0], document[key][-1]]
    validator.validate(document)
    return document


@pytest.mark.parametrize(("path", "value"), BAD, ids=[f"{'.'.join(map(str, p))}={v!r:.30}" for p, v in BAD])
def test_refused(validator, short, path, value):
    document = at = copy.deepcopy(short)
    for key in path[:-1]:
        at = at[key]
    if value is DELETE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    assert not validator.is_valid(document)


@pytest.mark.parametrize(
    "c_type",
    ["const ctorch_tensor *const *", "ctorch_tensor *const *", "const char *", "const ctorch_dtype *", "bool"],
)
def test_accepted_argument_types(validator, short, c_type):
    document = copy.deepcopy(short)
    document["functions"][-1]["params"][1]["c_type"] = c_type
    validator.validate(document)
