"""The whole native_functions.yaml of the LibTorch at hand: nothing is missing, nothing changes on the way to C.

What is expected comes from outside the generator: the symbols of libtorch_cpu.so, the text of the schemas, and the
schemas that Python PyTorch has registered.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace

import gen
import pytest
import samples
from ctorchgen import lock, operators, schema
from ctorchgen.api import Api
from ctorchgen.emit.apijson import ApiJson
from ctorchgen.emit.c.header import CHeader
from ctorchgen.emit.coverage import totals
from ctorchgen.headers import read_headers
from ctorchgen.policy import read_policy

ABI = samples.ROOT / "bindings-gen/abi"


@pytest.fixture(scope="module")
def torch_version() -> str:
    return gen.torch_version_beside(schema.native_functions_path())


@pytest.fixture(scope="module")
def ops() -> list[schema.Operator]:
    return schema.read_operators(schema.native_functions_path())


@pytest.fixture(scope="module")
def policy(ops, torch_version):
    locked = {e.schema.split("(")[0].removeprefix("aten::"): e.location for e in lock.read(ABI / "aten.lock").values()}
    return read_policy(samples.ROOT / "bindings-gen/policy.toml", {op.name for op in ops}, locked, torch_version)


@pytest.fixture(scope="module")
def functions(ops, policy, torch_version, handwritten):
    """Of this LibTorch, without the lock and without what its numbers mean."""
    return operators.build(ops, {}, replace(policy, enums=()), "0.1", torch_version, handwritten.enums)


@pytest.fixture(scope="module")
def handwritten():
    return read_headers(samples.ROOT / "include")


@pytest.fixture(scope="module")
def with_meanings(ops, policy, torch_version, handwritten):
    """The same as the build makes them, with the enumerations of the headers."""
    return operators.build(ops, lock.read(ABI / "aten.lock"), policy, "0.1", torch_version, handwritten.enums)


@pytest.fixture(scope="module")
def api(functions, torch_version) -> Api:
    return Api("0.1.0", torch_version, (), (), (), (), tuple(functions))


@pytest.fixture(scope="module")
def exported(api) -> dict[str, dict]:
    """The functions of api.json by name."""
    return {f["name"]: f for f in json.loads(ApiJson().emit(api)["api.json"])["functions"]}


@pytest.fixture(scope="module")
def library_operators() -> set[str]:
    """X of every at::_ops::X::call that libtorch_cpu.so exports."""
    library = samples.torch_folder() / "lib/libtorch_cpu.so"
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    found = set()
    for length, rest in re.findall(r" T _ZN2at4_ops(\d+)(\w+)", symbols):
        name, tail = rest[: int(length)], rest[int(length) :]
        if tail.startswith("4callE"):
            found.add(name)
    return found


# Schema texts, read by hand: an independent view of what torchgen and schema.py made of them.


def split(text: str) -> list[str]:
    """At the commas outside brackets and quotes."""
    parts, depth = [""], 0
    for token in re.findall(r"""'(?:\\.|[^'])*'|"(?:\\.|[^"])*"|.""", text):
        depth += (token in "([") - (token in ")]")
        if token == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    return [p.strip() for p in parts if p.strip()]


def parse(text: str) -> tuple[str, list[tuple[str, str, str | None, bool]], list[str]]:
    """(name, [(type, name, default, mutated)], [return type])."""
    left, right = text.rsplit(" -> ", 1)
    name, arguments = left.split("(", 1)
    parsed = []
    for argument in split(arguments.removesuffix(")")):
        if argument == "*":
            continue
        declared, _, default = argument.partition("=")
        type_, argument_name = declared.rsplit(" ", 1)
        parsed.append((without_alias(type_), argument_name, default or None, "!" in type_))
    returns = split(right[1:-1]) if right.startswith("(") else [right]
    return name, parsed, [without_alias(r).split(" ")[0] for r in returns]


def without_alias(type_: str) -> str:
    return re.sub(r"\([a-z][^)]*\)", "", type_)


# What an `int` means.

# Names of `int` arguments that are numbers indeed: sizes, places, counts, seeds. An `int` of another name is either
# added here or gets an [[enum]] entry in policy.toml. `mode` and `normalization` have one for each of their operators.
NUMBERS = frozenset(
    """
    C H K N W a alg_id axis axis0 axis1 b batch_dim bins bit_width blank block_size cdim ch_axis chunks col correction
    count data decimals dense_dim destination diagonal dim dim0 dim1 dim2 dimension divisor_override downscale_factor
    dropout_seed edge_order embed_dim end_dim fill_value from group growth_interval hidden_size high hop_length
    in_features ind innerKTiles k length level low max max_size min n n_bins n_fft nnz num_chunks num_classes
    num_generated num_groups num_head num_heads num_layers num_parallel num_splits num_splits_key num_weights numel
    offset out_channel out_dim out_features output_zero_point p pad padding_idx pow qGroupSize quant_max quant_min r
    ragged_idx row sections seed self_num_batch_dims size source sparse_dim split_k start_dim step steps to
    total_length unroll_dim upscale_factor weight_stride0 win_length window_length window_size zero_point
    """.split()
)
# cusparseLtSplitKMode_t, in a header of CUDA's; -1 leaves it to cuSPARSELt.
NUMBERS_OF_OTHERS = frozenset({("_cslt_sparse_mm", "split_k_mode")})
# Lists of numbers.
LISTS = frozenset(
    """
    addends batch_sizes bias_sizes bins blocksize contraction_dim destination dilation dim dims dims_other dims_self
    expand1 expand2 expand3 indices input_lengths input_size kernel_size normalized_shape output_padding output_size
    padding path physical_layout repeats shape shifts size sizes source stride sumdim target_lengths
    """.split()
)


def test_every_int_is_a_number_or_an_enumeration(with_meanings):
    unknown = set()
    for function in with_meanings:
        name = function.schema.partition("(")[0].removeprefix("aten::").partition(".")[0]
        for param in function.params:
            known = param.enum or param.name in NUMBERS or (name, param.name) in NUMBERS_OF_OTHERS
            if param.role == "in" and param.type in ("int", "int?") and not known:
                unknown.add((name, param.name))
            if (
                param.role == "in"
                and re.match(r"int\[", param.type or "")
                and not param.enum
                and param.name not in LISTS
            ):
                unknown.add((name, param.name))
    assert not unknown


def test_every_enumeration_of_operators_is_used(with_meanings, handwritten):
    used = {p.enum for f in with_meanings for p in f.params} - {None}
    assert used - {"ctorch_sdp_backend"} == {
        m
        for m in re.findall(r"^typedef int32_t (\w+);", (samples.ROOT / "include/ctorch/abi/enums.h").read_text(), re.M)
    }
    assert used <= {e.name for e in handwritten.enums}


def test_reductions_and_grids_are_checked_in_every_operator(with_meanings):
    checked = [p for f in with_meanings for p in f.params if p.enum and p.role == "in"]
    assert len(checked) > 130 and {p.c_type for p in checked} == {"int64_t", "const int64_t *"}
    for function in with_meanings:
        for param in function.params:
            if param.enum and param.role == "in" and function.available:
                assert re.search(rf'enumerated(_ints)?\({param.name}, .*"{param.enum}", \d\)', function.body), (
                    function.name
                )


# Which arguments come back.


def test_returned_arguments_are_those_that_python_registered(functions, exported):
    """PyTorch's dispatcher says itself which result shares its storage with which argument, and writes to it."""
    torch = pytest.importorskip("torch")
    registered = {(s.name, s.overload_name): s for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")}
    several = 0
    for function in functions:
        name, _, overload = function.operator.name.partition(".")
        schema = registered.get((f"aten::{name}", overload))
        if schema is None:
            continue  # not in this build of Python
        changed = {
            alias: a.name
            for a in schema.arguments
            if a.alias_info is not None and a.alias_info.is_write
            for alias in a.alias_info.before_set
        }
        returned = [
            next(changed[alias] for alias in r.alias_info.before_set)
            for r in schema.returns
            if r.alias_info is not None and r.alias_info.is_write
        ]
        assert list(function.returned_arguments) == returned == exported[function.name]["returned_arguments"], schema
        assert not returned or not any(p.role == "out" for p in function.params), schema
        several += len(returned) > 1
    assert several >= 118


# Totals.


def test_every_operator_of_the_library_is_emitted(ops, functions, policy, library_operators):
    assert {op.struct for op in ops} == library_operators
    assert {f.operator.struct for f in functions} == library_operators
    assert len(functions) == len(library_operators)
    assert not policy.skip.keys() & {op.name for op in ops}


def test_totals(api, library_operators, torch_version):
    rows = totals(api)
    assert rows["operator overloads"] == len(library_operators)
    assert rows["of them not in this LibTorch"] == 0
    assert rows["arguments"] == sum(len(parse(f.schema)[1]) for f in api.functions)
    assert rows["arguments dropped"] == 0
    if torch_version.startswith("2.13."):
        assert rows["operator overloads"] == 3101
        assert rows["of them public"] == 2261
        assert rows["optionals that cannot be None"] == 29


def test_the_committed_outputs_are_those_of_this_libtorch(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gen.py", "--check"])
    assert gen.main() == 0, capsys.readouterr().err


# Round trip.


def test_every_schema_comes_back_from_the_model(ops):
    for op in ops:
        arguments = ", ".join(f"{a.type} {a.name}" + (f"={a.default}" if a.default else "") for a in op.arguments)
        returns = [f"{r.type} {r.name}" if r.name else str(r.type) for r in op.returns]
        returned = returns[0] if len(returns) == 1 else f"({', '.join(returns)})"
        text = re.sub(r"(?<=[ (]Tensor)\([a-z][^)]*\)", "", op.schema).replace("(*, ", "(").replace(" *,", "")
        assert text == f"{op.name}({arguments}) -> {returned}"


def test_every_schema_read_by_hand_is_the_model(ops):
    for op in ops:
        name, arguments, returns = parse(op.schema)
        assert name == op.name
        assert [(str(a.type), a.name, a.default, a.mutated) for a in op.arguments] == arguments
        assert [str(r.type) for r in op.returns] == returns


def test_a_schema_read_from_the_lock_is_the_operator(ops):
    for op in ops:
        again = schema.parse_schema(op.schema, op.location)
        assert again == type(op)(**{**vars(op), "tensor_list_ref": False})


# The C functions.


def test_every_argument_is_a_parameter_in_its_order(exported):
    for function in exported.values():
        _, arguments, _ = parse(function["schema"])
        given = [p for p in function["params"] if p["role"] == "in"]
        assert [(p["type"], p["name"], p["default_text"], p["mutated"]) for p in given] == arguments


def test_every_list_is_followed_by_its_length_and_nothing_else_is(exported):
    for function in exported.values():
        params = function["params"]
        for i, param in enumerate(params):
            after = params[i + 1] if i + 1 < len(params) else {"role": None}
            is_list = param["role"] == "in" and "[" in param["type"]
            assert (after["role"] == "len") == is_list
            if is_list:
                assert (after["name"], after["len_of"]) == (f"{param['name']}_len", param["name"])


def test_outputs_come_first_and_are_the_new_results(exported):
    for function in exported.values():
        roles = [p["role"] for p in function["params"]]
        outputs = [p for p in function["params"] if p["role"] == "out"]
        assert roles[: len(outputs)] == ["out"] * len(outputs)
        _, arguments, returns = parse(function["schema"])
        right = function["schema"].rsplit(" -> ", 1)[1]
        assert [p["type"] for p in outputs] == ([] if "!" in right else returns)


# C type by schema type, written down a second time, from the design.
PLAIN = {
    "int": "int64_t",
    "SymInt": "int64_t",
    "float": "double",
    "bool": "bool",
    "ScalarType": "ctorch_dtype",
    "Layout": "ctorch_layout",
    "MemoryFormat": "ctorch_memory_format",
    "DeviceIndex": "int32_t",
}
POINTERS = {
    "Tensor": "const ctorch_tensor *",
    "Scalar": "const ctorch_scalar *",
    "Device": "const ctorch_device *",
    "Stream": "const ctorch_stream *",
    "str": "const char *",
    "Generator": "ctorch_generator *",
    "Storage": "ctorch_storage *",
}


def expected_c_type(type_: str, mutated: bool) -> str:
    base = re.match(r"\w+", type_)[0]
    if "[" in type_ and base == "Tensor":
        return "ctorch_tensor *const *" if mutated else "const ctorch_tensor *const *"
    if "[" in type_:
        return f"const {PLAIN.get(base, 'ctorch_scalar')} *"
    if base in POINTERS:
        return POINTERS[base].removeprefix("const ") if mutated else POINTERS[base]
    return f"const {PLAIN[base]} *" if type_.endswith("?") else PLAIN[base]


def test_every_c_type_is_that_of_the_design(exported):
    for function in exported.values():
        for param in function["params"]:
            if param["role"] == "in":
                assert param["c_type"] == expected_c_type(param["type"], param["mutated"]), function["schema"]


def test_the_header_declares_what_api_json_and_the_lock_say(api, exported, torch_version):
    declared = {}
    for text in CHeader().emit(api).values():
        for doc, name, params in re.findall(
            r"^/\*\* (.*) \*/\nCTORCH_API ctorch_error \*(\w+)\(([^()]*)\);$", text, re.M
        ):
            declared[name] = doc, " ".join(params.split())
    assert declared == {
        f["name"]: (f["schema"], ", ".join(declaration(p) for p in f["params"])) for f in exported.values()
    }
    locked = lock.read(ABI / "aten.lock")
    if torch_version.startswith("2.13."):
        for name, (doc, params) in declared.items():
            assert locked[name].signature == f"ctorch_error * ({params})"
            assert locked[name].schema == doc


def declaration(param: dict) -> str:
    c_type = param["c_type"]
    return c_type + ("" if c_type.endswith("*") else " ") + param["name"]


# None and defaults.


def conversion(function, name: str) -> str | None:
    found = re.search(rf"(?<!\w)from::(\w+)(?:<\d>)?\({name}[,)]", function.body)
    return found[1] if found else None


def test_every_optional_can_be_none_but_for_those_with_another_default(functions, torch_version):
    exceptions = 0
    for function in functions:
        for type_, name, default, _ in parse(function.schema)[1]:
            if not type_.endswith("?"):
                continue
            (param,) = (p for p in function.params if p.name == name)
            assert param.nullable
            assert param.c_type.endswith("*")
            expected = r"optional_\w+(?<!_or)"
            if default not in (None, "None"):
                exceptions += 1
                expected = r"optional_\w+_or"
            assert re.fullmatch(expected, conversion(function, name)), function.schema
    if torch_version.startswith("2.13."):
        assert exceptions == 29


def as_cpp(value) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(map(str, value)) + "}"
    return json.dumps(value)  # numbers, true, false and texts are written as in C++


def test_every_default_is_reachable(functions):
    """By NULL, which the body turns into the default, or by the value that api.json tells the binding to pass."""
    count = 0
    for function in functions:
        for param in function.params:
            if param.default_text in (None, "None"):
                continue
            count += 1
            assert param.default is not None
            if param.nullable:
                value = re.escape(as_cpp(param.default))
                cast = rf"static_cast<at::\w+>\({value}\)" if "ctorch_" in param.c_type else value
                name = param.name
                where = rf'(?<!\w)from::\w+_or\({name}, (?:{name}_len, )?"{name}", (?:{value}|{cast})\)'
                assert re.search(where, function.body), (function.schema, name)
            else:
                assert not param.c_type.endswith("*")
    assert count > 1000


def test_defaults_are_those_that_pytorch_has_registered(exported):
    torch = pytest.importorskip("torch")
    registered = {(s.name, s.overload_name): s for s in torch._C._jit_get_all_schemas()}
    for function in exported.values():
        name, _, overload = parse(function["schema"])[0].partition(".")
        arguments = registered[(name, overload)].arguments
        params = [p for p in function["params"] if p["role"] == "in"]
        assert [a.name for a in arguments] == [p["name"] for p in params]
        for argument, param in zip(arguments, params, strict=True):
            assert argument.has_default_value() == (param["default_text"] is not None)
            assert argument.default_value == param["default"], function["schema"]
            assert (argument.alias_info is not None and argument.alias_info.is_write) == param["mutated"]
            assert isinstance(argument.type, torch._C.OptionalType) == param["type"].endswith("?")
