"""Metrics, as torchmetrics has them.

    accuracy = metrics.MulticlassAccuracy(num_classes=10)
    for inputs, target in loader:
        accuracy.update(model(inputs), target)
    print(accuracy.compute().item())

`metrics.MetricCollection` makes one of several. States of several processes become one by `merge`, or are reduced as
`reductions` says.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import objects, raw
from .values import from_value

classes: dict[str, type[Metric]] = {}
WORDS = ("average", "reduction")  # None stands for "none" in torchmetrics


class Metric(objects.Metric):
    """What accumulates how good predictions are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("a metric is of one of the classes of ctorch.metrics")

    def update(self, *inputs: Any) -> None:
        """Accumulate a batch."""
        raw.metric_update_value(self, inputs)

    def compute(self) -> Any:
        """The metric of all that was accumulated."""
        return from_value(raw.metric_compute(self))

    def forward(self, *inputs: Any) -> Any:
        """Accumulate a batch, and compute the metric of this batch alone."""
        return from_value(raw.metric_forward(self, inputs))

    __call__ = forward

    def reset(self) -> None:
        """Forget what was accumulated."""
        raw.metric_reset(self)

    @property
    def update_count(self) -> int:
        """Number of updates since the last reset."""
        return raw.metric_update_count(self)  # type: ignore[no-any-return]

    def merge(self, other: Metric) -> None:
        """Add what another metric has accumulated, as if this one had seen it."""
        raw.metric_merge(self, other)

    def clone(self) -> Metric:
        """A copy with its own state."""
        return from_metric(raw.metric_clone(self))  # type: ignore[no-any-return]

    def state_dict(self) -> dict[str, Any]:
        """What was accumulated: copies of the tensors, by the names of states."""
        return from_value(raw.metric_state_dict(self))  # type: ignore[no-any-return]

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what a metric of the same kind had accumulated."""
        raw.metric_load_state_dict(self, dict(state_dict))

    @property
    def reductions(self) -> dict[str, str]:
        """How each state of several processes becomes one: "sum", "min", "max" or "cat"."""
        return from_value(raw.metric_reductions(self))  # type: ignore[no-any-return]

    def to(self, device: Any = None, dtype: Any = None) -> Metric:
        """Bring the state to a device, and sums to a floating point type."""
        raw.metric_to(self, device, dtype)
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} closed>" if self.closed else f"{raw.metric_name(self)}()"


def from_metric(made: Any) -> Any:
    """The object for a metric of C's, of the class of that name."""
    if not made:
        return None
    handle = made._metric if isinstance(made, objects.Metric) else made
    result = Metric.__new__(classes.get(raw.metric_name(objects.Metric(handle)), Metric))
    result._metric = handle
    return result


def metric(name: str, make: Callable[..., Any]) -> type[Metric]:
    """The class of a metric. `make` says what it takes: C gets the arguments by name, as values."""
    taken = inspect.signature(getattr(make, "default", make))

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        given = {**kwargs, **dict(zip(taken.parameters, args))}
        words = {word: "none" for word in WORDS if word in given and given[word] is None}
        positional = args if not words else ()
        self._metric = raw.metric_create(name, positional, {**given, **words} if words else kwargs)._metric

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    __init__.__signature__ = inspect.Signature([own, *taken.parameters.values()])  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": make.__doc__, "__module__": "ctorch.metrics", "__qualname__": name}
    classes[name] = made = type(name, (Metric,), members)
    return made


class MetricCollection(Metric):
    """Several metrics as one: an update is one of all of them, and what is computed is a dict from their names."""

    def __init__(
        self,
        metrics: Mapping[str, Metric] | Sequence[Metric],
        *,
        prefix: str | None = None,
        postfix: str | None = None,
    ) -> None:
        names = list(metrics) if isinstance(metrics, Mapping) else None
        members = list(metrics.values()) if isinstance(metrics, Mapping) else list(metrics)
        self._metric = raw.metric_collection(members, names or [], prefix, postfix)._metric


classes["MetricCollection"] = MetricCollection
