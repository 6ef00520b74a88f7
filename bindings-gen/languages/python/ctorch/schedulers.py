"""Learning rate schedulers, as torch.optim.lr_scheduler has them.

    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=100)
    for epoch in range(100):
        ...
        optimizer.step()
        scheduler.step()

What a scheduler knows stands in C: its attributes show it, and what is assigned to them goes there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any

from . import objects, raw
from .optimizer_objects import schedulers
from .optimizers import Optimizer
from .tensor import Tensor
from .values import from_value

ATTRIBUTES = bool | int | float | str | list | tuple | dict | Tensor | None  # what goes to C when it is assigned


class LRScheduler(objects.LrScheduler):
    """What all schedulers have: an optimizer, whose learning rates they set, and steps."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("a scheduler is of one of the classes of ctorch.optim.lr_scheduler")

    def step(self, epoch: float | None = None) -> None:
        """Set the learning rates of the next epoch, or of `epoch`."""
        if epoch is None:
            raw.lr_scheduler_step(self)
        else:
            raw.lr_scheduler_step_epoch(self, epoch)

    def get_last_lr(self) -> list[Any]:
        """The learning rates that were set last."""
        return from_value(raw.lr_scheduler_last_lr(self))

    def get_lr(self) -> list[Any]:
        """The learning rates of this step, computed anew."""
        return from_value(raw.lr_scheduler_get_lr(self))

    @property
    def optimizer(self) -> Optimizer:
        """The optimizer whose learning rates it sets."""
        return raw.lr_scheduler_optimizer(self)  # type: ignore[return-value]

    def state_dict(self) -> dict[str, Any]:
        """All attributes, to be saved."""
        return from_value(raw.lr_scheduler_state_dict(self))

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take attributes over."""
        raw.lr_scheduler_load_state_dict(self, dict(state_dict))

    def __getattr__(self, name: str) -> Any:
        if name != self._slot and not name.startswith("__"):
            try:
                return from_value(raw.lr_scheduler_attribute(self, name))
            except IndexError:
                pass
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ATTRIBUTES):
            raw.lr_scheduler_set_attribute(self, name, value)
        else:
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"at {self._lr_scheduler.value:#x}"
        return f"<ctorch.optim.lr_scheduler.{type(self).__name__} {state}>"


schedulers.classes["LRScheduler"] = LRScheduler


class Plateau(LRScheduler):
    """ReduceLROnPlateau, whose steps take a metric."""

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Tell it a metric, by which it lowers the learning rates or not."""
        if epoch is not None:
            self.last_epoch = epoch - 1
        raw.lr_scheduler_step_metric(self, float(metrics))


class _Functions(LRScheduler):
    """What calls functions. A state dict has the attributes of those that are objects of a class."""

    def state_dict(self) -> dict[str, Any]:
        state = super().state_dict()
        state["lr_lambdas"] = [
            None if isinstance(function, FunctionType) else dict(getattr(function, "__dict__", {}))
            for function in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        states = state_dict["lr_lambdas"]
        super().load_state_dict({**state_dict, "lr_lambdas": [None] * len(states)})
        for function, state in zip(self.lr_lambdas, states):
            if state is not None:
                function.__dict__.update(state)


class LambdaLR(_Functions):
    """The initial learning rate times what a function gives for the epoch: one function, or one for each group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        _by_functions(self, raw.lr_scheduler_lambda_lr, optimizer, lr_lambda, last_epoch)


class MultiplicativeLR(_Functions):
    """The learning rate times what a function gives for the epoch, in each step anew."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        _by_functions(self, raw.lr_scheduler_multiplicative_lr, optimizer, lr_lambda, last_epoch)


schedulers.classes |= {"LambdaLR": LambdaLR, "MultiplicativeLR": MultiplicativeLR}


def _by_functions(
    self: LRScheduler, make: Callable[..., Any], optimizer: Optimizer, lr_lambda: Any, last_epoch: int
) -> None:
    groups = len(optimizer.param_groups)
    functions = list(lr_lambda) if isinstance(lr_lambda, list | tuple) else [lr_lambda] * groups
    if len(functions) != groups:
        raise ValueError(f"Expected {groups} lr_lambdas, but got {len(functions)}")
    for function in functions:
        if not callable(function):
            raise TypeError(f"lr_lambda must be a function, not {type(function).__name__}")
    made = make(optimizer, lambda group, epoch: functions[group](epoch), last_epoch=last_epoch)
    schedulers.adopt(self, made._lr_scheduler)
    self.__dict__["lr_lambdas"] = functions


# Those of torch.optim.lr_scheduler that are made by name


def scheduler(name: str, make: Callable[..., Any]) -> type[LRScheduler]:
    """The class of a scheduler. `make` says what it takes: C gets the arguments by name, as values."""
    taken = list(inspect.signature(getattr(make, "default", make)).parameters.values())
    if name == "CyclicLR":
        at = next(i for i, parameter in enumerate(taken) if parameter.name == "scale_mode")
        taken.insert(at, inspect.Parameter("scale_fn", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None))
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    initialize = SPECIAL.get(name, _create)

    def __init__(self: LRScheduler, *args: Any, **kwargs: Any) -> None:
        initialize(self, name, make, *args, **kwargs)

    __init__.__signature__ = inspect.Signature([own, *taken])  # type: ignore[attr-defined]
    module = "ctorch.optim.swa_utils" if name == "SWALR" else "ctorch.optim.lr_scheduler"
    members = {"__init__": __init__, "__doc__": make.__doc__, "__module__": module, "__qualname__": name}
    base = Plateau if name == "ReduceLROnPlateau" else LRScheduler
    schedulers.classes[name] = made = type(name, (base,), members)
    return made


def _create(self: LRScheduler, name: str, _: Any, optimizer: Optimizer, *args: Any, **kwargs: Any) -> None:
    made = raw.lr_scheduler_create(name, optimizer, _plain(args), {key: _plain(value) for key, value in kwargs.items()})
    schedulers.adopt(self, made._lr_scheduler)


def _plain(value: Any) -> Any:
    """Lists of milestones may be anything that can be iterated over, but for a dict, which MultiStepLR counts."""
    if isinstance(value, tuple):
        return tuple(_plain(one) for one in value)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | list | dict | Tensor):
        return list(value)
    return value


def _cyclic(
    self: LRScheduler,
    name: str,
    make: Any,
    optimizer: Optimizer,
    base_lr: Any,
    max_lr: Any,
    step_size_up: int = 2000,
    step_size_down: int | None = None,
    mode: str = "triangular",
    gamma: float = 1.0,
    scale_fn: Callable[[float], float] | None = None,
    scale_mode: str = "cycle",
    cycle_momentum: bool = True,
    base_momentum: float = 0.8,
    max_momentum: float = 0.9,
    last_epoch: int = -1,
) -> None:
    given = {"scale_mode": scale_mode, "cycle_momentum": cycle_momentum, "base_momentum": base_momentum}
    given |= {"max_momentum": max_momentum, "last_epoch": last_epoch}
    if scale_fn is None:
        _create(self, name, make, optimizer, base_lr, max_lr, step_size_up, step_size_down, mode, gamma, **given)
        return
    rates = [list(rate) if isinstance(rate, list | tuple) else [rate] for rate in (base_lr, max_lr)]
    made = raw.lr_scheduler_cyclic_lr(optimizer, *rates, step_size_up, step_size_down, scale_fn, **given)
    schedulers.adopt(self, made._lr_scheduler)
    self.mode, self.gamma = mode, gamma


def _of_others(self: LRScheduler, name: str, make: Any, *args: Any, **kwargs: Any) -> None:
    """SequentialLR and ChainedScheduler, which step other schedulers."""
    given = inspect.signature(make.default).bind(*args, **kwargs).arguments
    given["schedulers"] = list(given["schedulers"])
    schedulers.adopt(self, make(**given)._lr_scheduler)
    self.__dict__["_schedulers"] = given["schedulers"]


SPECIAL: dict[str, Callable[..., None]] = {
    "CyclicLR": _cyclic,
    "SequentialLR": _of_others,
    "ChainedScheduler": _of_others,
}
