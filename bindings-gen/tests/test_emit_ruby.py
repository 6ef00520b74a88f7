"""The tables of the Ruby binding."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from ctorchgen.api import Api
from ctorchgen.emit.ruby.binding import Ruby

KINDS = "value pointer list string strings handle handles bytes address callback destroy payload len struct buffer"
WORD = rf">?\w+:({'|'.join(KINDS.split())}):\w+"


@pytest.fixture(scope="session")
def emitted(generated: Path) -> dict[str, str]:
    return Ruby().emit(Api.from_json(json.loads((generated / "api.json").read_text())))


@pytest.fixture(scope="session")
def lines(emitted: dict[str, str]) -> dict[str, str]:
    text = emitted["bindings/ruby/lib/ctorch/functions.txt"]
    return {name: rest for name, _, rest in (line.partition(" ") for line in text.splitlines())}


def test_each_function_and_callback_has_a_line(lines: dict[str, str], generated: Path) -> None:
    api = json.loads((generated / "api.json").read_text())
    assert list(lines) == [f["name"] for f in (*api["functions"], *api["callbacks"])]
    for name, line in lines.items():
        assert re.fullmatch(rf"\w+(:\w+)?( {WORD}(=\S+|[?~])?)*( -> [\w ]+)?", line), f"{name} {line}"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("ctorch_version", "string"),
        ("ctorch_tensor_numel", "value:int64_t self:handle:tensor~"),
        ("ctorch_tensor_size", "error >out:value:int64_t self:handle:tensor dim:value:int64_t"),
        (
            "ctorch_aten_add_Tensor",
            "error >out:handle:tensor self:handle:tensor other:handle:tensor alpha:pointer:scalar?",
        ),
        ("ctorch_aten_add__Tensor", "error self:handle:tensor other:handle:tensor alpha:pointer:scalar? -> self"),
        (
            "ctorch_aten_cat",
            "error >out:handle:tensor tensors:handles:tensor~ tensors_len:len:size_t dim:value:int64_t=0",
        ),
        ("ctorch_error_got_shape", "value:bool self:handle:error~ >out:list:int64_t >out_len:len:size_t"),
    ],
)
def test_lines(lines: dict[str, str], name: str, line: str) -> None:
    assert lines[name] == line


def test_the_returned_arguments_are_named(lines: dict[str, str], generated: Path) -> None:
    assert lines["ctorch_aten_sort_values"].endswith(" -> values indices")
    assert lines["ctorch_aten_rrelu_with_noise_"].endswith(" -> self")
    for f in json.loads((generated / "api.json").read_text())["functions"]:
        assert lines[f["name"]].partition(" -> ")[2].split() == f["returned_arguments"], f["name"]


def test_constants_are_symbols(emitted: dict[str, str]) -> None:
    text = emitted["bindings/ruby/lib/ctorch/constants.rb"]
    assert re.search(r"^    dtype: \{ uint8: 0, int8: 1, .*bfloat16: 15,", text, re.MULTILINE)
    assert "    tensor: [:ctorch_tensor_release, :ctorch_tensor_retain]," in text


def test_overloads_of_an_operator_stand_together(emitted: dict[str, str], lines: dict[str, str]) -> None:
    overloads = emitted["bindings/ruby/lib/ctorch/overloads.txt"].splitlines()
    table = {line.split()[0]: line.split()[1:] for line in overloads}
    assert table["add"] == ["add_Scalar", "add_Tensor"] and table["add_"] == ["add__Scalar", "add__Tensor"]
    assert "sum" in table["sum"] and "sum_dim_IntList" in table["sum"]
    assert "relu" not in table and "add_out" not in table["add"]
    named = {name.removeprefix("ctorch_aten_") for name in lines}
    assert all(name in named for names in table.values() for name in names)
