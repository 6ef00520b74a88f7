"""README.md: its type table is what the generator does, and its emitter is one that works."""

from __future__ import annotations

import ctypes
import re

import pytest
import samples
from ctorchgen.api import Api
from ctorchgen.headers import read_headers
from ctorchgen.policy import _KEYS

TEXT = (samples.ROOT / "bindings-gen/README.md").read_text()
ROWS = re.findall(r"^\| (`[A-Z][^|]*`|`(?:int|float|bool|str)[^|]*`) \| `([^`|]+)` \| (.*?) ?\|$", TEXT, re.MULTILINE)
TYPES = [(schema, c, null) for cell, c, null in ROWS for schema in re.findall(r"`([^`]+)`", cell)]


def test_the_table_was_found():
    assert len(TYPES) == len({schema for schema, _, _ in TYPES}) == 36


@pytest.mark.parametrize(("schema", "declared", "null"), TYPES, ids=[t[0] for t in TYPES])
def test_the_type_table(schema, declared, null):
    # The first tensor keeps torchgen content: only operators with a tensor argument may mutate one.
    mutated = "!" in schema and "[" not in schema
    text = f"f.out(Tensor y, *, {schema}) -> Tensor(a!)" if mutated else f"f(Tensor y, {schema}) -> Tensor"
    function = samples.build_one(text)
    params = [p for p in function.params if p.name.startswith("x")]
    assert ", ".join(p.declaration for p in params) == declared
    assert params[0].c_type.endswith("*") == bool(null)
    if "error" not in null:
        assert params[0].nullable == bool(null)
    if null.startswith("None"):
        assert re.search(r"from::optional_\w+(?<!_or)\(x\b", function.body)
    if "default" in null:
        assert re.search(r"from::\w+_or\(x\b", function.body)


def test_the_emitter_works():
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    namespace: dict = {}
    exec(code, namespace)  # noqa: S102
    h = read_headers(samples.ROOT / "include")
    functions = (*h.functions, samples.build_one("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"))
    api = Api("0.1.0", "2.13.0", h.enums, h.structs, h.opaque, h.callbacks, functions)
    ((name, text),) = namespace["Ctypes"]().emit(api).items()
    assert name == "ctorch_raw.py"

    class Library:
        """Stands in for the loaded library: any name is a function."""

        def __getattr__(self, symbol):
            self.__dict__[symbol] = type("Function", (), {})()
            return self.__dict__[symbol]

    library = Library()
    exec(text.replace('CDLL("libctorch.so.0")', "LIBRARY"), {"LIBRARY": library})  # noqa: S102
    assert vars(library).keys() == {f.name for f in functions}
    assert library.ctorch_aten_add_Tensor.argtypes == [ctypes.c_void_p] * 4
    assert library.ctorch_num_threads.restype is ctypes.c_int32
    assert library.ctorch_dtype_itemsize.argtypes == [ctypes.c_int32]
    assert library.ctorch_error_release.restype is None


def test_every_kind_of_policy_entry_is_described():
    assert set(re.findall(r"^- `\[\[(\w+)\]\]`", TEXT, re.MULTILINE)) == _KEYS.keys()


def test_every_output_of_the_build_is_listed():
    for name in ("aten.h", "aten_private.h", "exports.map", "api.json", "ctorch.cdef.h", "coverage.md"):
        assert f"`{name}`" in TEXT
