"""Modules and their initial values beside Python's: the same seed draws the same numbers, the same input gives the same
output and the same gradients. Through the Python package, whose `nn.Conv2d` comes from the same schema file."""

from __future__ import annotations

import inspect
import itertools
import math
import os
import sys
import warnings

import pytest
import torch

from tests.harness.build import BUILD

os.environ.setdefault("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))
sys.path.insert(0, str(BUILD / "generated/bindings/python"))
import ctorch  # noqa: E402
from ctorch import raw  # noqa: E402

DTYPES = {torch.float32: ctorch.float32, torch.float64: ctorch.float64, torch.bfloat16: ctorch.bfloat16}


def theirs(tensor):
    return torch.from_dlpack(tensor.detach())


def parameters(module) -> list:
    return list(raw.module_parameters(module, True))


def test_the_schema_has_pythons_names_order_and_defaults():
    """Python's `padding: str | int` are two overloads; what is optional is the same in both."""
    expected = inspect.signature(torch.nn.Conv2d).parameters
    for overload in (ctorch.nn.Conv2d, ctorch.nn.nn_Conv2d_padding):
        mine = inspect.signature(overload).parameters
        assert list(mine) == list(expected)
        for name, parameter in mine.items():
            assert (parameter.default is inspect.Parameter.empty) == (expected[name].default is inspect.Parameter.empty)


TENSORS = [(2, 3), (4, 1, 3), (0, 3), (5, 4, 3, 2)]
GAINS = ["linear", "conv1d", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"]


@pytest.mark.parametrize("shape", TENSORS, ids=str)
@pytest.mark.parametrize("nonlinearity, mode", list(itertools.product(GAINS, ["fan_in", "fan_out", "FAN_IN"])))
def test_kaiming_uniform(shape, nonlinearity, mode):
    for a in (0, 0.3, math.sqrt(5)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.manual_seed(7)
            expected = torch.nn.init.kaiming_uniform_(torch.zeros(shape), a, mode, nonlinearity)
        tensor = ctorch.aten.zeros(shape)
        torch.manual_seed(7)
        returned = ctorch.init.kaiming_uniform_(tensor, a, mode=mode, nonlinearity=nonlinearity)
        assert returned is tensor and torch.equal(theirs(tensor), expected)


def test_kaiming_uniform_draws_from_a_generator_of_ones_own():
    expected = torch.nn.init.kaiming_uniform_(torch.zeros(3, 4), generator=torch.Generator().manual_seed(11))
    generator = raw.generator_new()
    raw.generator_manual_seed(generator, 11)
    tensor = ctorch.init.kaiming_uniform_(ctorch.aten.zeros([3, 4]), generator=generator)
    assert torch.equal(theirs(tensor), expected)


@pytest.mark.parametrize(
    "shape, arguments",
    [((3,), {}), ((), {}), *(((2, 2), {"mode": mode}) for mode in ("fan", "", "fan_in ", "fan_outer"))]
    + [((2, 2), {"nonlinearity": "gelu"}), ((2, 2), {"nonlinearity": "relu6"})],
)
def test_kaiming_uniform_refuses_what_python_refuses(shape, arguments):
    with pytest.raises(ValueError):
        torch.nn.init.kaiming_uniform_(torch.zeros(shape), **arguments)
    with pytest.raises(ValueError):
        ctorch.init.kaiming_uniform_(ctorch.aten.zeros(shape), **arguments)


def test_a_tensor_without_elements_is_left_with_a_warning():
    raw.warnings_push()
    ctorch.init.kaiming_uniform_(ctorch.aten.zeros([0, 3]))
    collected = raw.warnings_pop()
    assert [raw.warnings_message(collected, i) for i in range(raw.warnings_len(collected))] == [
        "Initializing zero-element tensors is a no-op"
    ]
