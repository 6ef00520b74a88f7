"""Tensors that modules compute, as torch.nn.utils.parametrize has them.

    class Symmetric(nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).mT

    parametrize.register_parametrization(layer, "weight", Symmetric())

A class may have a `right_inverse`. The attribute is computed whenever it is read, and what is assigned to it goes
through the right inverses. `raw.module_parametrize_weight_norm` and its like register those that come with C.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import raw
from .containers import ModuleListBase
from .module_objects import classes, hold_all
from .modules import Module


class ParametrizationList(ModuleListBase):
    """The parametrizations of one tensor, and what it is computed from: `original`, or `original0`, `original1` …"""

    def __init__(self) -> None:
        raise TypeError("register_parametrization makes a ParametrizationList")


classes["ParametrizationList"] = ParametrizationList


@contextmanager
def cached() -> Iterator[None]:
    """Compute each tensor once, on this thread, until the end."""
    raw.module_cached_push()
    try:
        yield
    finally:
        raw.module_cached_pop()


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let a module compute a parameter or a buffer of another; `unsafe` lets it change dtype and shape."""
    raw.module_register_parametrization(module, tensor_name, parametrization, unsafe)
    hold_all(module, set())
    return module


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Let it be a parameter or buffer again, with the values that it has now, or with those of the original."""
    raw.module_remove_parametrizations(module, tensor_name, leave_parametrized)
    if not is_parametrized(module):
        module._held.pop("parametrizations", None)
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a tensor of the module is parametrized: any of them, without a name."""
    return raw.module_is_parametrized(module, tensor_name)


def type_before_parametrizations(module: Module) -> type[Module]:
    """The module's class, which is the same before and after: only its text says ParametrizedLinear."""
    return type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Parametrize a module as another is: by the same modules, and with the same originals."""
    raw.module_transfer_parametrizations_and_params(from_module, to_module, tensor_name)
    hold_all(to_module, set())
    return to_module
