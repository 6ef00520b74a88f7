"""Autocast beside torch.autocast: the same state, and the same result of every operator that LibTorch casts for."""

import contextlib
import os

import pytest
import torch
from torch.utils._pytree import tree_map

from tests.harness.capi import BUILD, call, fails, ffi, handle, lib, ok, out, tensor
from tests.harness.exceptions import kind_of, same_kind
from tests.operators import capi, compare, operators, values
from tests.operators.cases import Cases, reference_values

CPU = lib.c.CTORCH_DEVICE_TYPE_CPU
DTYPES = {torch.bfloat16: lib.c.CTORCH_DTYPE_BFLOAT16, torch.float16: lib.c.CTORCH_DTYPE_FLOAT16}
DEVICE_TYPES = {"cpu": 0, "cuda": 1, "maia": 8, "xla": 9, "xpu": 12, "mps": 13, "hpu": 15, "ipu": 18, "mtia": 19}
SEED = 7


@contextlib.contextmanager
def autocast(enabled=True, dtype=None, cache_enabled=None, device_type=CPU):
    dtype = ffi.NULL if dtype is None else ffi.new("ctorch_dtype *", DTYPES[dtype])
    cache_enabled = ffi.NULL if cache_enabled is None else ffi.new("bool *", cache_enabled)
    ok(lib.ctorch_autocast_push(device_type, enabled, dtype, cache_enabled))
    try:
        yield
    finally:
        ok(lib.ctorch_autocast_pop())


def python_state(device):
    return torch.is_autocast_enabled(device), torch.get_autocast_dtype(device), torch.is_autocast_cache_enabled()


def c_state(device):
    dtype = out("ctorch_dtype")
    ok(lib.ctorch_autocast_dtype(dtype, DEVICE_TYPES[device]))
    names = {getattr(torch, ffi.string(lib.ctorch_dtype_name(n)).decode()): n for n in range(46)}
    python_dtype = next(d for d, n in names.items() if n == dtype[0])
    return (
        bool(lib.ctorch_autocast_enabled(DEVICE_TYPES[device])),
        python_dtype,
        bool(lib.ctorch_autocast_cache_enabled()),
    )


REGIONS = [
    {},
    {"dtype": torch.float16},
    {"enabled": False},
    {"enabled": False, "dtype": torch.float16},
    {"cache_enabled": False},
    {"dtype": torch.float16, "cache_enabled": True},
]


@pytest.mark.parametrize("outer", REGIONS)
@pytest.mark.parametrize("inner", REGIONS)
def test_nested_regions_leave_the_state_that_python_leaves(outer, inner):
    def states(region, state):
        seen = [state("cpu")]
        with region(**outer):
            seen.append(state("cpu"))
            with region(**inner):
                seen.append(state("cpu"))
            seen.append(state("cpu"))
        return seen + [state("cpu")]

    def python_region(**options):
        return torch.autocast("cpu", **options)

    expected = states(python_region, python_state)
    assert states(autocast, python_state) == expected  # pushed in C, read in Python
    assert states(python_region, c_state) == expected  # pushed in Python, read in C
    assert states(autocast, c_state) == expected


@pytest.mark.parametrize("device", DEVICE_TYPES)
def test_the_defaults_of_every_device_type_are_pythons(device):
    assert lib.ctorch_autocast_available(DEVICE_TYPES[device])
    assert c_state(device) == python_state(device)
    if device not in ("cpu", "cuda"):
        with torch.autocast(device):
            expected = python_state(device)
        with autocast(device_type=DEVICE_TYPES[device]):
            assert python_state(device) == expected


def test_what_is_available_is_what_python_says():
    for number in range(21):
        name = ffi.string(lib.ctorch_device_type_name(number)).decode()
        if name in ("hip", "fpga", "opengl", "opencl", "ideep", "mkldnn", "ve", "metal", "lazy", "vulkan", "meta"):
            assert not lib.ctorch_autocast_available(number)
        else:
            assert lib.ctorch_autocast_available(number) == torch.amp.is_autocast_available(name), name


def test_what_python_leaves_off_with_a_warning_is_refused():
    for dtype in (torch.float32, torch.float64, torch.int64):
        with pytest.warns(UserWarning, match="not supported. Disabling autocast"), torch.autocast("cpu", dtype=dtype):
            assert not torch.is_autocast_enabled("cpu")
        number = ffi.new("ctorch_dtype *", {torch.float32: 6, torch.float64: 7, torch.int64: 4}[dtype])
        kind, message = fails(lib.ctorch_autocast_push(CPU, True, number, ffi.NULL))
        assert kind == "INVALID_ARGUMENT" and str(dtype).removeprefix("torch.") in message
    with pytest.raises(RuntimeError), torch.autocast("meta"):
        pass
    assert fails(lib.ctorch_autocast_push(14, True, ffi.NULL, ffi.NULL))[0] == "UNSUPPORTED"


LIBRARY = capi.Library(
    os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so")),
    os.environ.get("CTORCH_API", str(BUILD / "generated" / "api.json")),
)
OPERATORS = operators.load(os.environ.get("CTORCH_API", str(BUILD / "generated" / "api.json")))
CASES = Cases(OPERATORS)


def cast(operator):
    """Whether the CPU's autocast has a rule for the operator."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{operator.name}", "AutocastCPU")


def in_float32(value):
    """Some cases were recorded in half precision, which leaves autocast nothing to do."""
    half = isinstance(value, torch.Tensor) and value.dtype in (torch.bfloat16, torch.float16)
    return value.float() if half else value


def is_workspace(result):
    """Bytes that oneDNN keeps for the backward pass, some of them never written."""
    return isinstance(result, torch.Tensor) and result.dtype == torch.uint8


def observe(call, region, bound):
    """Results of a call inside a region, and the gradients of its floating-point arguments."""
    differentiable = [value for name, value in bound.items() if name not in NOT_DIFFERENTIABLE]
    leaves = [t for t in compare._tensors(differentiable) if t.is_leaf and t.is_floating_point()]
    for leaf in leaves:
        leaf.requires_grad_()
    torch.manual_seed(SEED)
    try:
        with region:
            results = call(bound)
    except Exception as error:  # the error is the outcome
        kind = kind_of(error)
        return "RUNTIME" if same_kind(kind, "RUNTIME") else kind, str(error)
    seen = [compare.describe(r, not is_workspace(r)) for r in results]
    flat = [t for t in compare._tensors(results) if t.requires_grad and t.is_floating_point()]
    try:
        if flat:
            sum(t.double().sum() for t in flat).backward()
    except RuntimeError as error:  # some have no derivative
        return seen, str(error)
    return seen, [compare.describe(leaf.grad, True) for leaf in leaves]


NOT_DIFFERENTIABLE = {"target", "random_samples"}
ENOUGH = 12  # calls, over up to four regions a case
CAST = [o for o in OPERATORS if cast(o)]


def test_autocast_has_rules_for_many_operators():
    assert len(CAST) > 100


@pytest.mark.turns
@pytest.mark.parametrize("operator", CAST, ids=lambda o: o.name)
def test_an_operator_gives_what_it_gives_in_torch_autocast(operator):
    cases = CASES.own(operator) or CASES.of_family(operator)
    succeeded = 0
    for case in cases:
        if succeeded >= ENOUGH:
            break
        for options in ({}, {"dtype": torch.float16}, {"enabled": False}, {"cache_enabled": False}):
            bound = [case.bind(CASES.functional(operator)) for _ in range(2)]
            defaults = {a.name: a.default_value for a in operator.schema.arguments if a.has_default_value()}
            bound = [{n: v for n, v in b.items() if v is not None or defaults.get(n) is None} for b in bound]
            bound = [tree_map(in_float32, b) for b in bound]

            def python(arguments):
                results = operator.overload(**arguments)
                return [results] if isinstance(results, torch.Tensor) else list(results)

            expected = observe(python, torch.autocast("cpu", **options), reference_values(bound[0]))
            ours = observe(lambda arguments: LIBRARY.call(operator.function, arguments), autocast(**options), bound[1])
            assert not compare.difference(ours, expected), f"{case} {options}"
            succeeded += not isinstance(expected[0], str)
    assert succeeded > 0


def layer(x, weight, bias, linear, add):
    """A small network: weights used twice, an inner region without autocast is put around the middle."""
    h = linear(x, weight, bias)
    return add(linear(h, weight, bias), h)


@pytest.mark.parametrize("dtype", [None, torch.float16])
@pytest.mark.parametrize("cache_enabled", [True, False])
def test_gradients_of_a_weight_that_is_used_twice_are_pythons(dtype, cache_enabled):
    def c_linear(x, weight, bias):
        result = out("ctorch_tensor *")
        call("ctorch_aten_linear", result, x, weight, bias)
        return tensor(result[0])

    def c_add(a, b):
        result = out("ctorch_tensor *")
        call("ctorch_aten_add_Tensor", result, a, b, None)
        return tensor(result[0])

    def run(region, off, linear, add):
        torch.manual_seed(1)
        x, weight, bias = torch.randn(3, 4), torch.randn(4, 4, requires_grad=True), torch.randn(4, requires_grad=True)
        with region:
            y = layer(x, weight, bias, linear, add)
            with off:
                z = linear(x, weight, bias)
            y = add(y, linear(z, weight, bias))
        y.sum().backward()
        return y, z, weight.grad, bias.grad

    python = run(
        torch.autocast("cpu", dtype=dtype, cache_enabled=cache_enabled),
        torch.autocast("cpu", enabled=False),
        torch.nn.functional.linear,
        torch.add,
    )
    ours = run(autocast(dtype=dtype, cache_enabled=cache_enabled), autocast(enabled=False), c_linear, c_add)
    assert [t.dtype for t in ours] == [dtype or torch.bfloat16, torch.float32, torch.float32, torch.float32]
    for a, b in zip(ours, python):
        assert torch.equal(a, b) and a.dtype == b.dtype


def test_a_kept_cast_is_the_same_tensor_in_both_languages():
    weight = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        y = torch.mm(weight, weight)
        with torch.no_grad():
            weight.detach().mul_(2)  # behind the back of what is kept
        result = out("ctorch_tensor *")
        ok(lib.ctorch_aten_mm(result, handle(weight), handle(weight)))
        assert torch.equal(tensor(result[0]), y)
        ok(lib.ctorch_autocast_clear_cache())
        assert torch.equal(torch.mm(weight, weight), y * 4)
    assert values.SEED != SEED
