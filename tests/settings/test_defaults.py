"""The default dtype and device beside torch.set_default_dtype, torch.set_default_device and `with torch.device`."""

import contextlib
import os

import pytest
import torch
from torch.utils._device import _device_constructors

from tests.harness.capi import BUILD, ffi, lib, ok, out
from tests.operators import capi, operators
from tests.operators.cases import Cases

API = os.environ.get("CTORCH_API", str(BUILD / "generated" / "api.json"))
LIBRARY = capi.Library(os.environ.get("CTORCH_LIBRARY", str(BUILD / "libctorch.so")), API)
OPERATORS = operators.load(API)
CASES = Cases(OPERATORS)
META = 14
DTYPES = {torch.float16: 5, torch.float32: 6, torch.float64: 7, torch.bfloat16: 15}


@contextlib.contextmanager
def default_device(device_type, index=-1):
    ok(lib.ctorch_defaults_device_push(ffi.new("ctorch_device *", (device_type, index))))
    try:
        yield
    finally:
        ok(lib.ctorch_defaults_device_pop())


def test_the_default_dtype_is_pythons():
    try:
        for dtype, number in DTYPES.items():
            ok(lib.ctorch_defaults_set_dtype(number))
            assert torch.get_default_dtype() is dtype
            assert torch.zeros(1).dtype is dtype
            assert torch.tensor(1.5).dtype is dtype
        for dtype, number in DTYPES.items():
            torch.set_default_dtype(dtype)
            assert lib.ctorch_defaults_dtype() == number
        # The complex numbers that belong to it.
        for dtype, number in DTYPES.items():
            if dtype is torch.bfloat16:
                continue  # has none
            torch.set_default_dtype(dtype)
            expected = torch.tensor(1j).dtype
            torch.set_default_dtype(torch.float32)
            ok(lib.ctorch_defaults_set_dtype(number))
            assert torch.tensor(1j).dtype is expected
    finally:
        torch.set_default_dtype(torch.float32)


def root(operator):
    return operator.name.split(".")[0]


def makes_tensors(operator):
    return any(p["name"] == "device" and p["type"] == "Device?" for p in operator.function["params"])


def of_tensors(operator):
    return any((p["type"] or "").startswith("Tensor") for p in operator.function["params"] if p["role"] == "in")


MAKERS = [o for o in OPERATORS if makes_tensors(o)]
CONSTRUCTORS = {f.__name__ for f in _device_constructors()}
# No operators: torch.tensor and its like, which build from Python's own data.
NOT_OPERATORS = {"as_tensor", "asarray", "nested_tensor", "tensor"}


def follows(operator):
    """Whether torch.set_default_device concerns the operator. Python moves the tensors that a sparse one is made of,
    and its operators do not."""
    sparse_of_tensors = root(operator).startswith("sparse_") and of_tensors(operator)
    return root(operator) in CONSTRUCTORS and not sparse_of_tensors


def test_every_constructor_of_python_is_an_operator_here():
    assert CONSTRUCTORS - {root(o) for o in MAKERS} == NOT_OPERATORS
    assert sum(map(follows, MAKERS)) > 45


def device_of(call):
    try:
        result = call()
    except Exception as error:
        return type(error).__name__ if not isinstance(error, capi.CtorchError) else error.kind, str(error)[:60]
    results = result if isinstance(result, list) else [result]
    return [r.device.type for r in results if isinstance(r, torch.Tensor)]


def bound(operator):
    """Arguments for the operator without a device."""
    for case in CASES.own(operator) + CASES.of_family(operator) + list(CASES.from_schema(operator))[:3]:
        arguments = case.bind(CASES.functional(operator))
        arguments.pop("device", None)
        arguments.pop("pin_memory", None)
        given = {n: v for n, v in arguments.items() if v is not None}
        if "generator" in [a.name for a in operator.schema.arguments]:
            given["generator"] = None  # one of the CPU suits no other device
        if not isinstance(device_of(lambda: operator.overload(**given)), tuple):  # noqa: B023
            return given
    return None


@pytest.mark.parametrize("operator", MAKERS, ids=lambda o: o.name)
def test_an_operator_follows_the_default_device_if_python_does(operator):
    arguments = bound(operator)
    if arguments is None:
        assert not follows(operator)
        return
    here = device_of(lambda: operator.overload(**arguments))
    expected = device_of(lambda: operator.overload(**arguments, device="meta")) if follows(operator) else here
    with default_device(META):
        seen = device_of(lambda: LIBRARY.call(operator.function, arguments))
        if isinstance(expected, tuple):
            assert isinstance(seen, tuple) and seen[1] == expected[1]
        else:
            assert seen == expected
        assert device_of(lambda: LIBRARY.call(operator.function, arguments | {"device": torch.device("cpu")})) == here
    assert device_of(lambda: LIBRARY.call(operator.function, arguments)) == here


NAMED = {
    "zeros": lambda f: f(2),
    "rand": lambda f: f(2),
    "arange": lambda f: f(3),
    "eye": lambda f: f(3),
    "normal": lambda f: f(0.0, 1.0, (2,)),
    "randperm": lambda f: f(3),
    "tril_indices": lambda f: f(3, 3),
    "hann_window": lambda f: f(3),
    "full": lambda f: f((2,), 1.5),
    "scalar_tensor": lambda f: f(1.5),
}


@pytest.mark.parametrize("name", NAMED)
def test_pythons_own_mode_agrees_on_what_follows(name):
    with torch.device("meta"):
        moved = NAMED[name](getattr(torch, name)).device.type == "meta"
    assert moved == any(follows(o) for o in MAKERS if root(o) == name)


def c_default_device():
    device = out("ctorch_device")
    ok(lib.ctorch_defaults_device(device))
    return torch.device(
        ffi.string(lib.ctorch_device_type_name(device.type)).decode(), device.index if device.index >= 0 else None
    )


def test_setting_and_nesting_gives_what_python_gives():
    def states(set_device, region, get):
        seen = [get()]
        set_device("meta")
        seen.append(get())
        with region("cpu"):
            seen.append(get())
            with region("meta"):
                seen.append(get())
            seen.append(get())
        seen.append(get())
        set_device("cpu")
        seen.append(get())
        set_device(None)
        return seen + [get()]

    def c_set_device(name):
        number = None if name is None else {"cpu": 0, "meta": META}[name]
        ok(lib.ctorch_defaults_set_device(ffi.NULL if number is None else ffi.new("ctorch_device *", (number, -1))))

    expected = states(torch.set_default_device, torch.device, torch.get_default_device)
    region = lambda name: default_device({"cpu": 0, "meta": META}[name])  # noqa: E731
    assert states(c_set_device, region, c_default_device) == expected
