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
    "dropout1d": "feature_dropout",
    "dropout2d": "feature_dropout",
    "dropout3d": "feature_dropout",
    "fold": "col2im",
    "logsigmoid": "log_sigmoid",
    "unfold": "im2col",  # torch.unfold, the method, is another operator
}
DEPRECATED = {"upsample", "upsample_bilinear", "upsample_nearest"}
# What Python uses itself.
INTERNAL = {"assert_int_or_pair", "boolean_dispatch", "handle_torch_function"}
INTERNAL |= {"has_torch_function", "has_torch_function_unary", "has_torch_function_variadic"}
# No operator does it alone, and no entry is written.
MISSING = {
    "affine_grid": "the checks of sizes around affine_grid_generator",
    "fractional_max_pool2d_with_indices": "the random samples that fractional_max_pool2d takes",
    "fractional_max_pool3d_with_indices": "the random samples that fractional_max_pool3d takes",
    "grid_sample": "the modes by name",
    "grouped_mm": "operator _grouped_mm",
    "lp_pool1d": "composed",
    "lp_pool2d": "composed",
    "lp_pool3d": "composed",
    "max_unpool1d": "by max_unpool2d",
    "scaled_grouped_mm": "operator _scaled_grouped_mm_v2, enumerations by name",
    "scaled_mm": "operator _scaled_mm_v2, enumerations by name",
    "softmin": "composed",
    "softsign": "composed",
    "tanhshrink": "composed",
}
# The operator of that name lacks something that Python adds.
PARTLY = {
    "fractional_max_pool2d": "the random samples, output_ratio",
    "fractional_max_pool3d": "the random samples, output_ratio",
    "max_unpool2d": "the output's size from the kernel's",
    "max_unpool3d": "the output's size from the kernel's",
}


def public() -> set[str]:
    found = {name for name, f in vars(functional).items() if callable(f) and not name.startswith("_")}
    return {
        name
        for name in found
        if not inspect.isclass(getattr(functional, name))
        and (getattr(functional, name).__module__ is None or getattr(functional, name).__module__.startswith("torch"))
    }


def test_what_is_said_to_be_absent_is_so():
    offered, operators = set(dir(ctorch.functional)), set(dir(ctorch.aten))
    assert not MISSING.keys() & (offered | operators)
    assert PARTLY.keys() <= operators - offered
    assert not DEPRECATED & offered
    assert set(RENAMED.values()) <= operators and not RENAMED.keys() & offered


@pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="other versions have other names")
def test_every_name_is_there_or_known_to_be_absent():
    offered, operators = set(dir(ctorch.functional)), set(dir(ctorch.aten))
    known = RENAMED.keys() | DEPRECATED | INTERNAL | MISSING.keys()
    assert public() - offered - operators == known - {"unfold"}
    assert PARTLY.keys() <= public()
