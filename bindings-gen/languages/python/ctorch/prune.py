"""Pruning, by the names of `torch.nn.utils.prune`.

    prune.l1_unstructured(layer, "weight", amount=0.3)
    prune.global_unstructured([(layer, "weight"), (head, "weight")], prune.L1Unstructured, amount=10)

`weight` is then computed from `weight_orig` and `weight_mask`; `remove` makes it a parameter again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from . import nn, raw
from .modules import Module
from .tensor import Tensor


class BasePruningMethod:
    """What a method of your own is derived from: `compute_mask` gives the mask of what is to be left."""

    PRUNING_TYPE: ClassVar[str] = "unstructured"
    dim: int | None = None

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no compute_mask")

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Tensor | None = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune a parameter of a module; the other arguments make the method."""
        method = cls(*args, **kwargs)
        raw.module_prune_by(
            module,
            name,
            lambda tensors: method.compute_mask(*tensors),
            method.PRUNING_TYPE,
            method.dim,
            importance_scores,
        )
        return method


class Identity(BasePruningMethod):
    """Leaves everything."""


class RandomUnstructured(BasePruningMethod):
    """Removes elements at random: for `global_unstructured`, which knows it by its name."""


class L1Unstructured(BasePruningMethod):
    """Removes the elements nearest to 0: for `global_unstructured`, which knows it by its name."""


_BY_NAME = (Identity, RandomUnstructured, L1Unstructured)


def identity(module: Module, name: str) -> Module:
    """Prune nothing, to be pruned later."""
    raw.module_prune_identity(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: float) -> Module:
    """Set elements to 0 at random: so many, or a share of them if `amount` is a float."""
    raw.module_prune_random_unstructured(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount: float, importance_scores: Tensor | None = None) -> Module:
    """Set the elements nearest to 0 to it, or those of the lowest scores."""
    raw.module_prune_l1_unstructured(module, name, amount, importance_scores)
    return module


def random_structured(module: Module, name: str, amount: float, dim: int) -> Module:
    """Set channels along `dim` to 0 at random."""
    raw.module_prune_random_structured(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: float, n: float | str, dim: int, importance_scores: Tensor | None = None
) -> Module:
    """Set the channels along `dim` of the least norm of order `n` to 0."""
    prune = raw.module_prune_ln_structured_str if isinstance(n, str) else raw.module_prune_ln_structured
    prune(module, name, amount, n, dim, importance_scores)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Module, str]],
    pruning_method: type[BasePruningMethod],
    importance_scores: Mapping[tuple[Module, str], Tensor] | None = None,
    **kwargs: Any,
) -> None:
    """Prune several parameters as if they were one vector; `amount` is of all."""
    pairs = list(parameters)
    scores = importance_scores or {}
    everything = nn.ModuleList([module for module, _ in pairs])
    names = [f"{index}.{name}" for index, (_, name) in enumerate(pairs)]
    given = [scores.get(pair) for pair in pairs] if scores else None
    if pruning_method in _BY_NAME:
        raw.module_prune_global_unstructured(everything, names, pruning_method.__name__, kwargs.get("amount"), given)
        return
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f"Only 'unstructured' PRUNING_TYPE is supported for the `pruning_method`, not {method.PRUNING_TYPE!r}"
        )
    raw.module_prune_global_by(everything, names, lambda tensors: method.compute_mask(*tensors), given)


def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Keep what a mask has ones for."""
    raw.module_prune_custom_from_mask(module, name, mask)
    return module


def remove(module: Module, name: str) -> Module:
    """Make what was pruned an ordinary parameter again, with its zeros."""
    raw.module_prune_remove(module, name)
    return module


def is_pruned(module: Module) -> bool:
    """Whether a parameter of the module, or of one in it, is pruned."""
    return raw.module_is_pruned(module)


__all__ = [
    "BasePruningMethod",
    "Identity",
    "L1Unstructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]
