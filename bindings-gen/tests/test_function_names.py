"""The rule by which hand-written functions are named, point 1 of the contract in include/ctorch.h.

`ctorch_<prefix>_<rest>`: the prefix is what the function acts on or makes (a handle, a struct, an enumeration, or a
mode of the thread, which is what `_push` and `_pop` are about), else the name of its header. What is called for all
handles of a type has their type for a prefix; what makes an object by the name of its class has Python's namespace.
"""

from __future__ import annotations

import re

from ctorchgen.headers import read_headers
from samples import ROOT

API = read_headers(ROOT / "include")
TYPES = {d.name.removeprefix("ctorch_") for d in (*API.opaque, *API.structs, *API.enums)}
NAMESPACES = {"nn", "optim", "lr_scheduler"}  # of Python, whose classes are made by name
NAMES = {f.name.removeprefix("ctorch_"): f for f in API.functions}


def modes(header: str) -> set[str]:
    own = {name for name, f in NAMES.items() if f.header == header}
    return {name.removesuffix("_push") for name in own if name.endswith("_push") and name[:-4] + "pop" in own}


def prefixes(function) -> set[str]:
    header = function.unit
    words = re.findall(r"ctorch_\w+", " ".join([function.returns, *(p.c_type for p in function.params)]))
    types = {word.removeprefix("ctorch_").removesuffix("_callback") for word in words} & TYPES
    made_by_name = NAMESPACES if function.name.endswith("_create") else set()
    return types | made_by_name | modes(function.header) | {header}


def test_the_prefix_is_what_is_acted_on_or_the_header():
    assert len(NAMES) > 1000
    for name, function in NAMES.items():
        fitting = [p for p in prefixes(function) if name == p or name.startswith(p + "_")]
        assert fitting, f"{name} begins with none of {sorted(prefixes(function))}"


def test_a_setter_says_set_between_its_prefix_and_what_it_sets():
    for name, function in NAMES.items():
        elements = name.endswith(("_list_set", "_dict_set", "_from_set"))
        assert elements or not (name.endswith("_set") or name.startswith("set_")), name
        if "_set_" in name:
            assert name.split("_set_")[0] in prefixes(function), name


def test_what_a_function_and_a_type_are_called_differs_by_more_than_an_ending():
    easily_confused = {"func": "function", "index": "indexing", "profile": "profiler"}
    words = {word for name in [*NAMES, *TYPES] for word in name.split("_")[:1]}
    for short, long in easily_confused.items():
        assert not {short, long} <= words, (short, long)


def test_no_function_does_what_an_operator_does_under_the_same_name():
    lines = (ROOT / "bindings-gen/abi/aten.lock").read_text().splitlines()
    operators = {line.split("\t")[0].removeprefix("ctorch_aten_") for line in lines}
    # Accessors that cannot fail; `data` is an address, `index_put` takes an index, `item` and `to` what Python's take.
    others = {"data", "index_put", "is_contiguous", "is_leaf", "item", "numel", "storage_offset", "to_other"}
    for name in NAMES:
        method = name.removeprefix("tensor_")
        if name.startswith("tensor_") and method not in others:
            assert method not in operators, f"{name} and ctorch_aten_{method}"
