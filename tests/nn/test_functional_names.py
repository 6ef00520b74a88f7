"""Which names of torch.nn.functional ctorch has: as entries of functional.schema, as operators, and which it lacks."""

from __future__ import annotations

import inspect

import pytest
import torch
from torch.nn import functional

from tests.nn.test_nn import ctorch

# Operators under another name.
RENAMED = {
    "adaptive_max_pool1d_with_indices": "adaptive_max_pool1d",
    "adaptive_max_pool2d_with_indices": "adaptive_max_pool2d",
    "adaptive_max_pool3d_with_indices": "adaptive_max_pool3d",
    "logsigmoid": "log_sigmoid",
}
DEPRECATED = {"upsample", "upsample_bilinear", "upsample_nearest"}
# What Python uses itself.
INTERNAL = {"assert_int_or_pair", "boolean_dispatch", "handle_torch_function"}
INTERNAL |= {"has_torch_function", "has_torch_function_unary", "has_torch_function_variadic"}
# Operators of the same name whose arguments are others than Python's: functional has those that Python has.
OTHERWISE = {
    "alpha_dropout": "no defaults",
    "batch_norm": "another order",
    "dropout": "no defaults",
    "feature_alpha_dropout": "no defaults",
    "fractional_max_pool2d": "the random samples, output_ratio",
    "fractional_max_pool3d": "the random samples, output_ratio",
    "group_norm": "what Python refuses",
    "instance_norm": "another order",
    "max_unpool2d": "the output's size from the kernel's",
    "max_unpool3d": "the output's size from the kernel's",
    "unfold": "torch.unfold, the method, is another operator",
}


def public() -> set[str]:
    found = {name for name, f in vars(functional).items() if callable(f) and not name.startswith("_")}
    return {
        name
        for name in found
        if not inspect.isclass(getattr(functional, name))
        and (getattr(functional, name).__module__ is None or getattr(functional, name).__module__.startswith("torch"))
    }


def test_the_lists_say_what_is_so():
    offered, operators = set(dir(ctorch.functional)), set(dir(ctorch.aten))
    assert OTHERWISE.keys() <= operators & offered
    assert not (DEPRECATED | INTERNAL) & offered
    assert set(RENAMED.values()) <= operators and not RENAMED.keys() & offered


@pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="other versions have other names")
def test_every_name_is_there_or_known_to_be_absent():
    offered, operators = set(dir(ctorch.functional)), set(dir(ctorch.aten))
    assert public() - offered - operators == RENAMED.keys() | DEPRECATED | INTERNAL
    assert OTHERWISE.keys() <= public()
