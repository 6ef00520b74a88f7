"""emit/rust/: how declarations look in Rust, and that nothing of the ABI is missing."""

from __future__ import annotations

import json
import re

import pytest
from ctorchgen.api import Api
from ctorchgen.emit.rust.binding import Rust
from ctorchgen.surface import Surface


@pytest.fixture(scope="module")
def api(generated) -> Api:
    return Api.from_json(json.loads((generated / "api.json").read_text()))


@pytest.fixture(scope="module")
def files(api) -> dict[str, str]:
    return Rust().emit(api)


@pytest.fixture(scope="module")
def raw(files) -> str:
    return files["bindings/rust/ctorch-sys/src/lib.rs"]


@pytest.fixture(scope="module")
def aten(files) -> str:
    return files["bindings/rust/ctorch/src/aten.rs"]


def test_every_function_is_declared_once(api, raw):
    assert re.findall(r"^    pub fn (\w+)\(", raw, re.M) == [f.name for f in api.functions]


@pytest.mark.parametrize(
    "declaration",
    [
        "pub fn ctorch_version() -> *const c_char;",
        "pub fn ctorch_tensor_release(self_: *mut ctorch_tensor);",
        "pub fn ctorch_tensor_ndim(self_: *const ctorch_tensor) -> i64;",
        "pub fn ctorch_tensor_list_data(self_: *const ctorch_tensor_list) -> *const *const ctorch_tensor;",
        "pub fn ctorch_tensor_list_mutable_data(self_: *mut ctorch_tensor_list) -> *const *mut ctorch_tensor;",
        "pub fn ctorch_aten_cat(out: *mut *mut ctorch_tensor, tensors: *const *const ctorch_tensor, "
        "tensors_len: usize, dim: i64) -> *mut ctorch_error;",
        "pub type ctorch_saved_tensors_destroy_callback =\n"
        '    Option<unsafe extern "C" fn(packed: *mut c_void, payload: *mut c_void)>;',
        "pub const CTORCH_DTYPE_FLOAT32: ctorch_dtype = 6;",
        "    pub type_: i32,",
        "    pub re: f64,",
    ],
)
def test_types_of_c(raw, declaration):
    assert declaration.replace("type_", "r#type") in raw


def test_every_operator_is_a_function(api, aten):
    names = re.findall(r"^pub fn (?:r#)?(\w+)[<(]", aten, re.M)
    operators = [f.name.removeprefix("ctorch_aten_").lower() for f in api.functions if f.kind == "aten"]
    assert names == operators and len(set(names)) == len(names)


def test_what_may_be_left_out_is_a_setter(api, aten):
    setters: dict[str, set[str]] = {}
    owner = ""
    for line in aten.splitlines():
        if impl := re.match(r"impl(?:<'a>)? (\w+)", line):
            owner = impl[1]
        elif setter := re.match(r"    pub fn (?:r#)?(\w+)\(mut self", line):
            setters.setdefault(owner, set()).add(setter[1])
    for function in api.functions:
        if function.kind == "aten":
            name = function.name.removeprefix("ctorch_aten_").lower()
            given = {a.name for a in Surface.of(function, api).arguments if a.has_default}
            assert given <= setters.get(name, set()), name


def test_shapes_of_functions(aten):
    assert "pub fn relu(self_: &Tensor) -> Result<Tensor> {" in aten
    assert "pub fn relu_(self_: &mut Tensor) -> Result<()> {" in aten
    assert "pub fn add_tensor<'a>(self_: &'a Tensor, other: &'a Tensor) -> add_tensor<'a> {" in aten
    assert "    pub fn alpha(mut self, alpha: impl Into<Scalar>) -> Self {" in aten
    assert "rtol: 1e-05" in aten


def test_a_method_borrows_its_object_as_c_does(api, files):
    """`&mut self` where C takes the object without const, so that the compiler sees to it that nobody else looks."""
    runtime = files["bindings/rust/ctorch/src/runtime.rs"]
    found = {True: 0, False: 0}
    for impl, body in re.findall(r"^impl (\w+) \{\n(.*?)^\}", runtime, re.M | re.S):
        for method in body.split("    pub fn ")[1:]:
            receiver = re.match(r"\w+(?:<'a>)?\((&(?:mut )?self)\b", method)
            call = re.search(r"\bsys::(ctorch_\w+)\(([^;]*, )?self\.0\b", method)
            if receiver is None or call is None:
                continue
            receiver, name = receiver[1], call[1]
            function = next(f for f in api.functions if f.name == name)
            c_type = next(p.c_type for p in function.params if p.name == "self")
            exclusive = not c_type.startswith("const ")
            assert receiver == ("&mut self" if exclusive else "&self"), f"{impl}: {name}"
            found[exclusive] += 1
    assert found[True] > 10 and found[False] > 30, found


def test_what_a_user_owns_is_not_generated_twice(files):
    runtime = files["bindings/rust/ctorch/src/runtime.rs"]
    assert "_release" not in re.sub(r"\(\n.*?\n\);", "", runtime, flags=re.S)
    assert "sys::ctorch_scope_" not in runtime and "_push(" not in re.sub(r"index_push|fn push_", "", runtime)


def test_it_is_deterministic(api, files):
    assert Rust().emit(api) == files
