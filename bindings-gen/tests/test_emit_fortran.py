"""emit/fortran/: legal names, and NULL as an argument that is absent."""

from __future__ import annotations

import json
import re

import pytest
from ctorchgen.api import Api
from ctorchgen.emit.fortran.binding import MAX_NAME, Fortran, name_of


@pytest.fixture(scope="module")
def api(generated) -> Api:
    return Api.from_json(json.loads((generated / "api.json").read_text()))


@pytest.fixture(scope="module")
def text(api) -> str:
    return Fortran().emit(api)["bindings/fortran/ctorch.f90"]


def interface(text: str, name: str) -> str:
    return re.search(rf"^    (?:function|subroutine) {name}\(.*?^    end \w+ {name}$", text, re.M | re.S)[0]


def test_names_are_legal_and_differ(api, text):
    names = [name_of(f) for f in api.functions]
    assert all(re.fullmatch(r"[A-Za-z]\w*", n) and len(n) <= MAX_NAME for n in names)
    assert len({n.lower() for n in names}) == len(names)
    assert re.findall(r'bind\(c, name="(\w+)"\)', text) == [f.name for f in api.functions]
    arguments = re.findall(r"^ {8}(\w+),? &$", text, re.M)
    assert all(re.fullmatch(r"[A-Za-z]\w*", a) for a in arguments)


def test_a_line_is_not_too_long(text):
    assert max(map(len, text.splitlines())) <= 132


@pytest.mark.parametrize(
    ("function", "declaration"),
    [
        ("ctorch_aten_add_Tensor", "type(c_ptr), intent(out) :: out"),
        ("ctorch_aten_add_Tensor", "type(c_ptr), value :: self"),
        ("ctorch_aten_add_Tensor", "type(ctorch_scalar), intent(in), optional :: alpha"),
        ("ctorch_aten_argmax", "integer(c_int64_t), intent(in), optional :: dim"),
        ("ctorch_aten_argmax", "logical(c_bool), value :: keepdim"),
        ("ctorch_aten_zeros", "integer(c_int64_t), intent(in), optional :: size(*)"),
        ("ctorch_aten_cat", "type(c_ptr), intent(in), optional :: tensors(*)"),
        ("ctorch_aten_einsum", "character(kind=c_char), intent(in) :: equation(*)"),
        ("ctorch_tensor_item", "type(ctorch_scalar), intent(out) :: out"),
        ("ctorch_tensor_register_hook", "type(c_funptr), value :: callback"),
        ("ctorch_tensor_register_hook", "type(c_funptr), value :: destroy"),
        ("ctorch_tensor_sizes", "type(c_ptr) :: result_"),
        ("ctorch_tensor_ndim", "integer(c_int64_t) :: result_"),
    ],
)
def test_declarations(text, function, declaration):
    assert declaration in interface(text, function)


def test_it_is_deterministic(api, text):
    assert Fortran().emit(api)["bindings/fortran/ctorch.f90"] == text
