"""Operators of other versions of LibTorch: declared and exported, and they say that this one lacks them."""

from __future__ import annotations

import json

import pytest
import torch

from tests.harness.capi import BUILD, fails, ffi, lib
from tests.operators.operators import name_in_schema

API = json.loads((BUILD / "generated" / "api.json").read_text())
OPERATORS = {name_in_schema(f["schema"]): f for f in API["functions"] if f["kind"] == "aten"}
LACKING = sorted(name for name, f in OPERATORS.items() if not f["available"])


def exists(name: str) -> bool:
    base, _, overload = name.partition(".")
    return hasattr(torch.ops.aten, base) and (overload or "default") in getattr(torch.ops.aten, base).overloads()


def nothing(param: dict):
    return ffi.NULL if param["c_type"].endswith("*") else {"bool": False, "double": 0.0}.get(param["c_type"], 0)


@pytest.mark.parametrize("name", LACKING)
def test_what_libtorch_lacks_says_so_by_name_and_version(name):
    function = OPERATORS[name]
    kind, message = fails(getattr(lib, function["name"])(*map(nothing, function["params"])), function["name"])
    assert kind == "UNSUPPORTED"
    assert message == f"aten::{name} does not exist in LibTorch {API['torch_version']}"


# What bindings-gen/policy.toml has a substitute for, where LibTorch lacks it.
SUBSTITUTED = {
    *("dim", "numel", "storage_offset", "get_device", "is_contiguous", "is_contiguous.memory_format"),
    *("cholesky", "cholesky.out", "qr", "qr.Q"),
}


def test_python_lacks_the_same_operators():
    """But for those that have a substitute here."""
    assert {name for name in OPERATORS if not exists(name)} - SUBSTITUTED == set(LACKING)
