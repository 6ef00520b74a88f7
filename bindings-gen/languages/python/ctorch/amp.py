"""Gradient scaling, as torch.amp.GradScaler does it.

scaler = amp.GradScaler("cuda")
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import objects, raw
from .optimizers import Optimizer
from .tensor import Tensor
from .values import from_value


class GradScaler(objects.GradScaler):
    """Multiplies a loss before backward, so that gradients of 16 bits do not vanish, and divides these by the same."""

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        made = raw.grad_scaler_new(device, init_scale, growth_factor, backoff_factor, growth_interval, enabled)
        self._grad_scaler = made._grad_scaler

    def scale(self, outputs: Any) -> Any:
        """A tensor, or all tensors of an iterable, times the factor."""
        if isinstance(outputs, Tensor):
            return raw.grad_scaler_scale(self, outputs)
        if isinstance(outputs, dict):
            return from_value(raw.grad_scaler_scale_value(self, outputs))
        if not isinstance(outputs, Iterable):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        scaled = [self.scale(output) for output in outputs]
        return type(outputs)(scaled) if isinstance(outputs, list | tuple) else scaled

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of an optimizer's parameters by the factor, to clip them before step."""
        raw.grad_scaler_unscale_(self, optimizer)

    def step(self, optimizer: Optimizer, closure: Callable[[], Any] | None = None) -> Any:
        """Let an optimizer step if its gradients are finite."""
        if closure is None:
            raw.grad_scaler_step(self, optimizer)
            return None
        return optimizer._with_closure(lambda call: raw.grad_scaler_step_closure(self, optimizer, call), closure)

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Raise or lower the factor by what the steps found, or set it."""
        if isinstance(new_scale, Tensor):
            raw.grad_scaler_update_tensor(self, new_scale)
        else:
            raw.grad_scaler_update(self, new_scale)

    def get_scale(self) -> float:
        """The factor."""
        return raw.grad_scaler_get_scale(self)

    def get_growth_factor(self) -> float:
        """By what the factor is raised."""
        return raw.grad_scaler_get_growth_factor(self)

    def set_growth_factor(self, new_factor: float) -> None:
        """Change by what the factor is raised."""
        raw.grad_scaler_set_growth_factor(self, new_factor)

    def get_backoff_factor(self) -> float:
        """By what the factor is lowered."""
        return raw.grad_scaler_get_backoff_factor(self)

    def set_backoff_factor(self, new_factor: float) -> None:
        """Change by what the factor is lowered."""
        raw.grad_scaler_set_backoff_factor(self, new_factor)

    def get_growth_interval(self) -> int:
        """Steps with finite gradients after which the factor is raised."""
        return raw.grad_scaler_get_growth_interval(self)

    def set_growth_interval(self, new_interval: int) -> None:
        """Change after how many steps the factor is raised."""
        raw.grad_scaler_set_growth_interval(self, new_interval)

    def is_enabled(self) -> bool:
        """Whether it scales."""
        return raw.grad_scaler_is_enabled(self)

    def state_dict(self) -> dict[str, Any]:
        """What is to be saved."""
        return from_value(raw.grad_scaler_state_dict(self))

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what was saved."""
        raw.grad_scaler_load_state_dict(self, dict(state_dict))


__all__ = ["GradScaler"]
