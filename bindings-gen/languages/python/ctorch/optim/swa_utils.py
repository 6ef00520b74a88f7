"""Averages of models over their training, as torch.optim.swa_utils has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .. import raw
from ..layers import forward_of_class
from ..lr_scheduler import SWALR
from ..module_objects import adopt, classes
from ..modules import Module, derive
from ..tensor import Tensor


class AveragedModel(Module):
    """A copy of a model, `module`, that becomes the average of those which `update_parameters` is given."""

    _one, _is_layer, _is_lazy = False, True, False
    forward = forward_of_class

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[..., Any] | None = None,
        multi_avg_fn: Callable[..., Any] | None = None,
        use_buffers: bool = False,
    ) -> None:
        if avg_fn is not None and multi_avg_fn is not None:
            raise ValueError("Only one of avg_fn and multi_avg_fn should be provided")
        function = multi_avg_fn if avg_fn is None else avg_fn
        decay = getattr(function, "ema_decay", None)
        if function is None:
            made = raw.module_averaged_model(model, device, None, None, use_buffers)
        elif decay is not None:
            made = raw.module_averaged_model(model, device, decay, avg_fn is None, use_buffers)
        elif avg_fn is not None:
            made = raw.module_averaged_model_by(model, device, lambda given: avg_fn(*given), False, use_buffers)
        else:
            made = raw.module_averaged_model_by(model, device, _in_place(multi_avg_fn), True, use_buffers)
        adopt(self, made._module)
        derive(self)

    def update_parameters(self, model: Module) -> None:
        """Take a model into the average."""
        raw.module_update_parameters(self, model)


classes["AveragedModel"] = AveragedModel


def _in_place(function: Any) -> Callable[..., Any]:
    """Of a function that changes the averages in place, as Python's do, one that gives them."""

    def call(given: list[Tensor]) -> list[Tensor]:
        count = len(given) // 2
        function(given[:count], given[count : 2 * count], given[-1])
        return given[:count]

    return call


def get_ema_avg_fn(decay: float = 0.999) -> Callable[..., Tensor]:
    """An average of which the share `decay` stays in each update."""
    _check(decay)

    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        return decay * ema_param + (1 - decay) * current_param

    ema_update.ema_decay = decay  # type: ignore[attr-defined]
    return ema_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[..., None]:
    """The same for all tensors at once."""
    _check(decay)

    def ema_update(ema_params: list[Tensor], current_params: list[Tensor], num_averaged: Any) -> None:
        for average, current in zip(ema_params, current_params):
            average.lerp_(current, 1 - decay)

    ema_update.ema_decay = decay  # type: ignore[attr-defined]
    return ema_update


def _check(decay: float) -> None:
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the running statistics of batch norms anew, over batches: tensors, or lists with one in front."""
    batches = iter(loader)

    def following(_: Any) -> list[Tensor]:
        batch = next(batches, None)
        return [] if batch is None else [batch[0] if isinstance(batch, list | tuple) else batch]

    raw.module_update_bn_from(model, following, device=device)


__all__ = ["SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "update_bn"]
