"""Weights that are computed before each call: `torch.nn.utils.weight_norm`, `spectral_norm`, and what undoes them.

`ctorch.nn.utils.parametrizations` has the newer functions of these names, and `orthogonal`.
"""

from __future__ import annotations

import types

from . import raw
from .module_objects import hold_all
from .modules import Module


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let a weight be a length `<name>_g` times a direction `<name>_v`; with `dim` None one length for all."""
    raw.module_weight_norm(module, name, -1 if dim is None else dim)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make the weight a parameter again."""
    raw.module_remove_weight_norm(module, name)
    return module


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value before each call."""
    raw.module_spectral_norm(module, name, n_power_iterations, eps, dim)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make the weight a parameter again."""
    raw.module_remove_spectral_norm(module, name)
    return module


def _weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let a weight be a length times a direction, as a parametrization."""
    raw.module_parametrize_weight_norm(module, name, -1 if dim is None else dim)
    hold_all(module, set())
    return module


def _spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value, as a parametrization."""
    raw.module_parametrize_spectral_norm(module, name, n_power_iterations, eps, dim)
    hold_all(module, set())
    return module


def _orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Let a matrix have orthonormal columns, or rows if there are fewer of them."""
    raw.module_parametrize_orthogonal(module, name, orthogonal_map, use_trivialization)
    hold_all(module, set())
    return module


parametrizations = types.ModuleType("ctorch.nn.utils.parametrizations", "Parametrizations that come with C.")
for _name, _function in (("weight_norm", _weight_norm), ("spectral_norm", _spectral_norm), ("orthogonal", _orthogonal)):
    _function.__name__ = _function.__qualname__ = _name
    setattr(parametrizations, _name, _function)
