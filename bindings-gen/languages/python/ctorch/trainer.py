"""The usual loop over batches.

    trainer = ctorch.Trainer(model, optimizer, nn.CrossEntropyLoss(), epochs=10)
    trainer.add_metric("accuracy")
    trainer.set_validation(validation)
    trainer.fit(loader)
    print(trainer.history[-1]["val_accuracy"])

A batch is a list or tuple of inputs and, at its end, the target; `set_step` takes batches of any form. A trainer can be
left at any point: it calls what a program may call itself.

Functions that it calls get the trainer as an argument. One that refers to its own trainer otherwise would keep it, and
be kept by it, for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import objects, raw
from .constants import DeviceType, TrainerEvent, TrainerProgress
from .modules import Module
from .tensor import Tensor
from .trainer_objects import trainers
from .values import from_value


class Trainer(objects.Trainer):
    """A loop of training: `epochs` epochs or `steps` steps of the optimizer, whatever comes first, 0 for no limit.

    `loss` is a module that is called with what the model gives and with the target. The optimizer steps after
    `accumulation` batches. `progress` is "none", "lines", "live" or "auto".
    """

    def __init__(
        self,
        module: Module,
        optimizer: Any,
        loss: Module | None = None,
        *,
        epochs: int = 0,
        steps: int = 0,
        accumulation: int = 1,
        progress: str | int = "none",
    ) -> None:
        trainers.adopt(self, raw.trainer_new(module, optimizer)._trainer)
        self._held: dict[str, Any] = {"module": module, "optimizer": optimizer}
        if loss is not None:
            self.set_loss(loss)
        if epochs or steps:
            self.set_length(epochs, steps)
        self.set_accumulation(accumulation)
        self.set_progress(progress)

    def close(self) -> None:
        super().close()
        self.__dict__.pop("_held", None)

    # What it does

    def set_loss(self, loss: Module) -> None:
        """Compute the loss by a module: `loss(model(*inputs), target)`."""
        raw.trainer_set_loss(self, loss)
        self._held["loss"] = loss

    def set_step(self, step: Callable[[Trainer, Any, Any], Tensor] | None) -> None:
        """Compute the loss in your own way, in training and in validation: `step(trainer, module, batch)`."""
        function = None if step is None else lambda trainer, module, batch: step(trainer, module, from_value(batch))
        raw.trainer_set_step(self, function)

    def add_metric(self, name: str, metric: objects.Metric | Callable[[Any, Any], Any] | None = None) -> None:
        """A metric of ctorch.metrics, accumulated over each epoch; or the mean over samples of `metric(output, batch)`;
        None for the share of right answers."""
        if isinstance(metric, objects.Metric):
            raw.trainer_add_accumulated_metric(self, name, metric)
            return
        function = None if metric is None else lambda output, batch: metric(from_value(output), from_value(batch))
        raw.trainer_add_metric(self, name, function)

    def add_logger(self, logger: Any, every_steps: int = 0) -> None:
        """Log each epoch, and the loss after so many steps, to a logger of ctorch.summary."""
        raw.trainer_add_logger(self, logger, every_steps)

    def set_length(self, epochs: int = 0, steps: int = 0) -> None:
        """How long it trains: whatever comes first, 0 for no limit."""
        raw.trainer_set_length(self, epochs, steps)

    def set_accumulation(self, batches: int) -> None:
        """Step after several batches, whose losses are divided by their number."""
        raw.trainer_set_accumulation(self, batches)

    def set_autocast(self, device_type: str, enabled: bool = True, dtype: Any = None) -> None:
        """Compute losses under autocast."""
        raw.trainer_set_autocast(self, _number(DeviceType, device_type), enabled, dtype)

    def set_grad_scaler(self, scaler: Any) -> None:
        """Scale losses, and step through the scaler; None for none."""
        raw.trainer_set_grad_scaler(self, scaler)
        self._held["scaler"] = scaler

    def set_clipping(self, max_norm: float = 0.0, norm_type: float = 2.0, clip_value: float = 0.0) -> None:
        """Clip gradients before each step, by their norm and by value; 0 for not."""
        raw.trainer_set_clipping(self, max_norm, norm_type, clip_value)

    def set_lr_scheduler(self, scheduler: Any, each_step: bool = False, metric: str | None = None) -> None:
        """Step a scheduler after each epoch, or after each step; `metric` is what ReduceLROnPlateau is told."""
        raw.trainer_set_lr_scheduler(self, scheduler, each_step, metric)
        self._held["scheduler"] = scheduler

    def set_validation(self, loader: Any, every_steps: int = 0) -> None:
        """Validate with a loader at the end of each epoch, and after so many steps; None for not."""
        raw.trainer_set_validation(self, loader, every_steps)
        self._held["validation"] = loader

    def set_early_stopping(
        self, metric: str | None, maximize: bool = False, patience: int = 0, min_delta: float = 0.0
    ) -> None:
        """Stop when a metric has not become better for `patience` epochs; None for not."""
        raw.trainer_set_early_stopping(self, metric, maximize, patience, min_delta)

    def set_snapshots(self, snapshots: Any, every_steps: int = 0, metric: str | None = None) -> None:
        """Save snapshots after each epoch, after so many steps and when it is stopped; resume from the last one."""
        raw.trainer_set_snapshots(self, snapshots, every_steps, metric)
        self._held["snapshots"] = snapshots

    def set_progress(self, progress: str | int) -> None:
        """Show how far it is: "none", "lines", "live", "auto"."""
        raw.trainer_set_progress(self, _number(TrainerProgress, progress))

    def set_tape(self, most: int = 4, fast: bool = False) -> None:
        """Capture steps and replay them, one tape for each form of a batch, `most` of them; 0 for none.

        Losses are the same, bit for bit; not with `fast`, where they may differ in the last digits.
        """
        raw.trainer_set_tape(self, most, fast)

    def set_interruptible(self, interruptible: bool = True) -> None:
        """Let Ctrl-C stop it after the step that it is at, while it trains."""
        raw.trainer_set_interruptible(self, interruptible)

    def add_callback(self, event: str | int, callback: Callable[[Trainer], Any]) -> None:
        """Call `callback(trainer)` at a point of the loop: "begin", "epoch_begin", "batch_end", "gradients", "step",
        "validation", "epoch_end", "snapshot", "end".
        """
        raw.trainer_add_callback(self, _number(TrainerEvent, event), lambda trainer, _: _none(callback(trainer)))

    # Training

    def fit(self, loader: Any) -> None:
        """Train with a loader, or with anything that gives the batches of an epoch each time that it is gone through.

        Called again, it goes on where it was: after `set_length` for longer.
        """
        raw.trainer_fit(self, loader)

    def evaluate(self, loader: Any) -> dict[str, float]:
        """The mean loss and the metrics over a loader."""
        return from_value(raw.trainer_evaluate(self, loader))

    def stop(self) -> None:
        """Let it stop after the step that it is at. Any thread may call it."""
        raw.trainer_stop(self)

    # What it knows

    @property
    def epoch(self) -> int:
        """Number of epochs that are over."""
        return raw.trainer_epoch(self)

    @property
    def step(self) -> int:
        """Number of steps of the optimizer so far."""
        return raw.trainer_step(self)

    @property
    def stopped(self) -> bool:
        """Whether it ended because it was stopped."""
        return raw.trainer_stopped(self)

    @property
    def loss(self) -> float:
        """The loss of the last batch."""
        return raw.trainer_loss(self)

    @property
    def history(self) -> list[dict[str, Any]]:
        """The metrics of each epoch that is over: "epoch", "step", "loss" and so on."""
        return from_value(raw.trainer_history(self))

    def __repr__(self) -> str:
        if self.closed:
            return "<ctorch.Trainer closed>"
        return f"<ctorch.Trainer at epoch {self.epoch}, step {self.step}>"


trainers.classes["Trainer"] = Trainer


def _number(kind: Any, value: str | int) -> int:
    if not isinstance(value, str):
        return value
    try:
        return kind[value.upper()]
    except KeyError:
        raise ValueError(f"'{value}' is none of {', '.join(name.lower() for name in kind.__members__)}") from None


def _none(_: Any) -> None:
    """Callbacks of this kind give nothing."""


__all__ = ["Trainer"]
