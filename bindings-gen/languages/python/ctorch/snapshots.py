"""Snapshots: everything that a training run needs to go on after it was interrupted, saved again and again.

    snapshots = ctorch.Snapshots("run", every=1000, keep_last=3)
    snapshots.add("model", model)
    snapshots.add("optimizer", optimizer)
    epoch, step = snapshots.resume() or (0, 0)
    while step < steps:
        ...
        step += 1
        snapshots.step(epoch, step)  # saves after every 1,000 steps

A snapshot is a file of the folder, which `torch.load` reads. It is complete or not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import objects, raw
from .amp import GradScaler
from .modules import Module
from .optimizers import Optimizer
from .schedulers import LRScheduler
from .streams import path_of
from .values import from_value


class Snapshots(objects.Snapshots):
    """A folder of snapshots, and what they are taken of.

    `step` saves after `every` so many steps, 0 for never. Of the snapshots the newest `keep_last` are kept, -1 for all,
    and the `keep_best` by their metric, of which with `maximize` a larger one is better. With `asynchronous` they are
    written on another thread: saving takes as long as copying then.
    """

    def __init__(
        self,
        folder: Any,
        *,
        every: int = 0,
        keep_last: int = -1,
        keep_best: int = 0,
        maximize: bool = False,
        asynchronous: bool = False,
    ) -> None:
        self._parts: dict[str, Any] = {}  # objects of Python's are needed as long as C has what they stand for
        with raw.snapshots_open(path_of(folder)) as made:
            raw.snapshots_set_every(made, every)
            raw.snapshots_set_keep(made, keep_last, keep_best, maximize)
            raw.snapshots_set_async(made, asynchronous)
            self._snapshots = made._snapshots

    def close(self) -> None:
        super().close()
        self._parts.clear()

    # Parts

    def add(self, name: str, part: Any) -> None:
        """Save a module, optimizer, scheduler, scaler, generator or dict, or what has `state_dict` and
        `load_state_dict`.
        """
        for kind, register in PARTS.items():
            if isinstance(part, kind):
                register(self, name, part)
                break
        else:
            if isinstance(part, dict):
                self.add_callbacks(name, lambda: part, lambda state: _replace(part, state))
            elif hasattr(part, "state_dict") and hasattr(part, "load_state_dict"):
                self.add_callbacks(name, part.state_dict, part.load_state_dict)
            else:
                raise TypeError(f"add(): a {type(part).__name__} has no state_dict and load_state_dict")
        self._parts[name] = part

    def add_callbacks(self, name: str, save: Callable[[], Any], load: Callable[[Any], Any]) -> None:
        """Save what `save()` gives; resuming calls `load(state)` with it."""
        raw.snapshots_add_callback(self, name, save, lambda state: load(from_value(state)))

    # Saving

    def step(self, epoch: int, step: int, metric: float | None = None) -> bool:
        """Say that a step is over, and so many are done: whether a snapshot was taken."""
        return raw.snapshots_step(self, epoch, step, metric)

    def save(self, epoch: int, step: int, metric: float | None = None) -> None:
        """Save now. A snapshot of the same step is replaced."""
        raw.snapshots_save(self, epoch, step, metric)

    def wait(self) -> None:
        """Wait until what is being written is written."""
        raw.snapshots_wait(self)

    def resume(self, which: Any = "last") -> tuple[int, int] | None:
        """Go on where a snapshot was taken: the "last", the "best", or that of a path.

        Its epoch and step; None if there is none.
        """
        found, epoch, step = raw.snapshots_resume(self, path_of(which))
        return (epoch, step) if found else None

    # What there is

    def __len__(self) -> int:
        return raw.snapshots_len(self)

    @property
    def steps(self) -> list[int]:
        """The steps of the snapshots, from the oldest on."""
        return [raw.snapshots_step_of(self, i) for i in range(len(self))]

    @property
    def paths(self) -> list[str]:
        """Their paths."""
        return [str(raw.snapshots_path(self, i)) for i in range(len(self))]

    @property
    def metrics(self) -> list[float]:
        """Their metrics; NaN for one that has none."""
        return [raw.snapshots_metric(self, i) for i in range(len(self))]

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "<ctorch.Snapshots closed>" if self.closed else f"<ctorch.Snapshots of steps {self.steps}>"


PARTS: dict[type, Callable[..., None]] = {
    Module: raw.snapshots_add_module,
    Optimizer: raw.snapshots_add_optimizer,
    LRScheduler: raw.snapshots_add_lr_scheduler,
    GradScaler: raw.snapshots_add_grad_scaler,
    objects.Generator: raw.snapshots_add_generator,
}


def _replace(part: dict[Any, Any], state: dict[Any, Any]) -> None:
    part.clear()
    part.update(state)


__all__ = ["Snapshots"]
