"""The enumerations that operators take as `int`: that every one is checked, and that Python means the same numbers.

What a header of LibTorch defines is compared in shim/core/abi/enumeration.cpp; here stands what Python alone says.
"""

from __future__ import annotations

import inspect
import json

import pytest
import torch

from tests.harness.capi import BUILD, fails, ffi, handle, lib, ok, out, tensor

API = json.loads((BUILD / "generated" / "api.json").read_text())
ENUMS = {e["name"]: {e["short_names"][n]: number for n, number in e["values"].items()} for e in API["enums"]}
CHECKED = [
    (f["name"], p["name"])
    for f in API["functions"]
    for p in f["params"]
    if f["kind"] == "aten" and f["available"] and p["role"] == "in" and p["enum"]
]
FUNCTIONS = {f["name"]: f for f in API["functions"]}


def test_there_are_as_many_as_were_found_by_reading():
    assert len(CHECKED) > 120
    assert len({name for name, argument in CHECKED if argument == "reduction"}) == 55


def plain_arguments(function: dict, given: dict, kept: list) -> list:
    """Something that C takes for every parameter: the operator may fail on it, but not before numbers are checked.

    `kept` keeps it alive.
    """
    x = torch.ones(2, 2)
    lists = {"const ctorch_tensor *const *": ffi.new("ctorch_tensor *[]", [handle(x)])}
    scalar = ffi.new("ctorch_scalar *", {"kind": 0, "i": 1})
    kept += [x, scalar, *lists.values(), *given.values()]
    by_name = {p["name"]: p for p in function["params"]}

    def flags(param: dict) -> int:
        """Entries of a `bool[3]`, whose length C checks as well."""
        return int(param["type"][5:].rstrip("]")) if (param["type"] or "").startswith("bool[") else 0

    def argument(param: dict):
        c_type = param["c_type"]
        if param["name"] in given:
            return given[param["name"]]
        if param["role"] == "len":
            counted = by_name[param["len_of"]]
            return 1 if counted["c_type"] in lists else flags(counted)
        if param["role"] == "out":
            kept.append(ffi.new(c_type))
            return kept[-1]
        if c_type in ("const ctorch_tensor *", "ctorch_tensor *"):
            return handle(x)
        if c_type in lists:
            return lists[c_type]
        if flags(param):
            kept.append(ffi.new("bool[]", flags(param)))
            return kept[-1]
        if c_type == "const ctorch_scalar *":
            return scalar
        return ffi.NULL if c_type.endswith("*") else {"bool": False, "double": 0.5}.get(c_type, 0)

    return [argument(p) for p in function["params"]]


@pytest.mark.parametrize(
    ("name", "argument"), CHECKED, ids=[f"{n.removeprefix('ctorch_aten_')}-{a}" for n, a in CHECKED]
)
def test_a_number_without_a_name_is_refused(name, argument):
    function = FUNCTIONS[name]
    param = next(p for p in function["params"] if p["name"] == argument)
    last = max(ENUMS[param["enum"]].values())
    for value in (last + 1, -1, 7, -(2**63), 2**63 - 1, 2**32):
        given = {argument: value}
        if param["c_type"].endswith("*"):
            given = {argument: ffi.new("int64_t[]", [value])}
        if any(p["len_of"] == argument for p in function["params"]):
            given[f"{argument}_len"] = 1
        kept: list = []
        kind, message = fails(getattr(lib, name)(*plain_arguments(function, given, kept)), name)
        assert kind == "INVALID_ARGUMENT"
        assert f"{argument}: {value} is no {param['enum']}" in message


def test_the_results_that_are_numbers_have_names():
    named = {(f["name"], p["name"]): p["enum"] for f in API["functions"] for p in f["params"] if p["role"] == "out"}
    assert {k: v for k, v in named.items() if v} == {
        ("ctorch_aten_qscheme", "out"): "ctorch_qscheme",
        ("ctorch_aten__fused_sdp_choice", "out"): "ctorch_sdp_backend",
        ("ctorch_aten__batch_norm_impl_index", "out4"): "ctorch_batch_norm_impl",
    }


def test_reduction_is_that_of_python():
    assert ENUMS["ctorch_reduction"] == {n: torch.nn._reduction.get_enum(n) for n in ("none", "mean", "sum")}


def test_cdist_has_the_modes_that_python_names(monkeypatch):
    given = {}
    monkeypatch.setattr(torch._VF, "cdist", lambda x, y, p, mode: given.__setitem__(name, mode))
    for name in ENUMS["ctorch_cdist_compute_mode"]:
        torch.cdist(torch.ones(1, 1), torch.ones(1, 1), compute_mode=name)
    assert given.pop("use_mm_for_euclid_dist_if_necessary") is None  # the default, which is 0
    assert {"use_mm_for_euclid_dist_if_necessary": 0, **given} == ENUMS["ctorch_cdist_compute_mode"]


def test_masks_have_the_types_of_multi_head_attention():
    """merge_masks: 0 is a mask of the source alone, 1 one of padded keys alone, 2 is of the input's shape."""
    kinds = ENUMS["ctorch_softmax_mask_type"]
    attention = torch.nn.MultiheadAttention(4, 1)
    keys, source, query = torch.zeros(2, 3, dtype=torch.bool), torch.zeros(3, 3, dtype=torch.bool), torch.ones(2, 3, 4)
    assert attention.merge_masks(None, keys, query)[1] == kinds["src_key_padding_mask"]
    assert attention.merge_masks(source, keys, query)[1] == kinds["default_mask"]
    x = torch.ones(2, 1, 3, 3)
    for name, shape in (("src_mask", (3, 3)), ("src_key_padding_mask", (2, 3)), ("default_mask", (2, 1, 3, 3))):
        torch._masked_softmax(x, torch.zeros(shape, dtype=torch.bool), 3, kinds[name])


def test_hash_tensor_joins_by_exclusive_or():
    assert "0 (xor_reduction)" in torch.hash_tensor.__doc__ and ENUMS["ctorch_hash_tensor_mode"] == {"xor_sum": 0}
    with pytest.raises(RuntimeError, match="Unknown hash_tensor mode: 1"):
        torch.hash_tensor(torch.ones(2), mode=1)


def test_scaling_and_swizzle_types_are_those_of_python():
    functional = pytest.importorskip("torch.nn.functional")
    if not hasattr(functional, "ScalingType"):
        pytest.skip("this PyTorch has no _scaled_mm_v2")
    for enum, theirs in (("ctorch_scaling_type", "ScalingType"), ("ctorch_swizzle_type", "SwizzleType")):
        members = getattr(functional, theirs).__members__
        assert list(ENUMS[enum].values()) == [int(m.value) for m in members.values()]
        assert [n.replace("_", "") for n in ENUMS[enum]] == [n.lower().replace("_", "") for n in members]


def test_a_recurrent_layer_of_onednn_is_the_one_of_that_number():
    modes = ENUMS["ctorch_rnn_mode"]
    order = inspect.getsource(torch.backends.cudnn.rnn.get_cudnn_mode)  # the numbers are in a library of CUDA's
    assert [order.index(f'"{n.upper()}"') for n in modes] == sorted(order.index(f'"{n.upper()}"') for n in modes)
    if not torch.backends.mkldnn.is_available():
        pytest.skip("no oneDNN")
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(3, 4)
    x, h, c = torch.randn(5, 2, 3), torch.zeros(1, 2, 4), torch.zeros(1, 2, 4)
    weights = [w.detach() for w in lstm.all_weights[0]]
    y, _, _, _ = torch.ops.aten.mkldnn_rnn_layer(
        x, *weights, h, c, False, [], modes["lstm"], 4, 1, True, False, False, False
    )
    torch.testing.assert_close(y, lstm(x)[0].detach())


def test_batch_normalization_is_derived_by_who_computed_it():
    x, ones, zeros = torch.randn(3, 4), torch.ones(4), torch.zeros(4)
    results = [out("ctorch_tensor *") for _ in range(4)]
    number = out("int64_t")
    ok(
        lib.ctorch_aten__batch_norm_impl_index(
            *results, number, handle(x), handle(ones), handle(zeros), handle(zeros), handle(ones), True, 0.1, 1e-5, True
        )
    )
    assert number[0] == ENUMS["ctorch_batch_norm_impl"]["native"]
    for result in results:
        tensor(result[0])
    reserve = torch.empty(0, dtype=torch.uint8)
    for name, says in (("cudnn", "cudnn_batch_norm_backward"), ("miopen", "miopen_batch_norm_backward")):
        with pytest.raises((NotImplementedError, RuntimeError), match=says):
            torch.ops.aten._batch_norm_impl_index_backward(
                ENUMS["ctorch_batch_norm_impl"][name],
                x,
                x,
                ones,
                zeros,
                ones,
                zeros,
                ones,
                True,
                1e-5,
                [True] * 3,
                reserve,
            )


def test_qscheme_is_that_of_python():
    theirs = {"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric", "per_channel_symmetric"}
    theirs.add("per_channel_affine_float_qparams")
    assert set(ENUMS["ctorch_qscheme"]) == theirs and all(isinstance(getattr(torch, n), torch.qscheme) for n in theirs)
    number = out("int32_t")
    x = torch.quantize_per_channel(torch.ones(2, 2), torch.ones(2), torch.zeros(2, dtype=torch.int64), 0, torch.qint8)
    ok(lib.ctorch_aten_qscheme(number, handle(x)))
    assert x.qscheme() == torch.per_channel_affine and number[0] == ENUMS["ctorch_qscheme"]["per_channel_affine"]
