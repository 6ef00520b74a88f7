"""Metrics of ctorch and torchmetrics', with the same arguments, updated with the same batches.

ours, theirs = pair("MulticlassAccuracy", num_classes=3)
for metric in (ours, theirs):
    metric.update(preds, target)
assert same(ours.compute(), theirs.compute())
"""

from __future__ import annotations

import warnings
from typing import Any

import torch

from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out, text
from tests.harness.values import made, python, value
from tests.harness.vision import has_torchvision, torchvision

if has_torchvision():
    torchvision("ops")  # torchmetrics imports it, and asks for its operators
warnings.filterwarnings("ignore", module="torchmetrics")
import torchmetrics  # noqa: E402
import torchmetrics.classification  # noqa: E402
import torchmetrics.image  # noqa: E402
import torchmetrics.regression  # noqa: E402
import torchmetrics.text  # noqa: E402

MODULES = (
    torchmetrics,
    torchmetrics.classification,
    torchmetrics.regression,
    torchmetrics.image,
    torchmetrics.text,
    torchmetrics.aggregation,
)


class Metric:
    """A metric of C's."""

    def __init__(self, pointer: Any) -> None:
        self.pointer = ffi.gc(pointer, lib.ctorch_metric_release)

    def update(self, *inputs: Any) -> None:
        if len(inputs) == 2 and all(isinstance(x, torch.Tensor) for x in inputs):
            ok(lib.ctorch_metric_update(self.pointer, handle(inputs[0]), handle(inputs[1])))
        else:
            ok(lib.ctorch_metric_update_value(self.pointer, value(inputs)))

    def _value(self, name: str, *args: Any) -> Any:
        return python(made(name, self.pointer, *args))

    def compute(self) -> Any:
        return self._value("ctorch_metric_compute")

    def forward(self, *inputs: Any) -> Any:
        return self._value("ctorch_metric_forward", value(inputs))

    def state_dict(self) -> dict[str, Any]:
        return self._value("ctorch_metric_state_dict")

    def reductions(self) -> dict[str, str]:
        return self._value("ctorch_metric_reductions")

    def load_state_dict(self, state: Any) -> None:
        ok(lib.ctorch_metric_load_state_dict(self.pointer, value(state)))

    def reset(self) -> None:
        ok(lib.ctorch_metric_reset(self.pointer))

    def merge(self, other: Metric) -> None:
        ok(lib.ctorch_metric_merge(self.pointer, other.pointer))

    def to(self, dtype: Any) -> Metric:
        ok(lib.ctorch_metric_to(self.pointer, ffi.NULL, ffi.new("ctorch_dtype *", dtype)))
        return self

    def clone(self) -> Metric:
        place = out("ctorch_metric *")
        ok(lib.ctorch_metric_clone(place, self.pointer))
        return Metric(place[0])

    @property
    def update_count(self) -> int:
        return lib.ctorch_metric_update_count(self.pointer)

    @property
    def name(self) -> str:
        return text(lib.ctorch_metric_name(self.pointer))


def ours(name: str, *args: Any, **kwargs: Any) -> Metric:
    place = out("ctorch_metric *")
    ok(lib.ctorch_metric_create(place, name.encode(), value(tuple(args)), value(kwargs)))
    return Metric(place[0])


def collection(
    metrics: list[Metric], names: list[str] | None = None, prefix: str | None = None, postfix: str | None = None
) -> Metric:
    place = out("ctorch_metric *")
    texts = [ffi.new("char[]", name.encode()) for name in names or []]
    ok(
        lib.ctorch_metric_collection(
            place,
            [m.pointer for m in metrics],
            len(metrics),
            texts or ffi.NULL,
            len(texts),
            ffi.NULL if prefix is None else prefix.encode(),
            ffi.NULL if postfix is None else postfix.encode(),
        )
    )
    return Metric(place[0])


def theirs(name: str, *args: Any, **kwargs: Any) -> Any:
    found = next(getattr(module, name) for module in MODULES if hasattr(module, name))
    return found(*args, **kwargs)


def pair(name: str, *args: Any, **kwargs: Any) -> tuple[Metric, Any]:
    return ours(name, *args, **kwargs), theirs(name, *args, **kwargs)


def same(a: Any, b: Any, rtol: float = 0.0, atol: float = 0.0) -> bool:
    """Equal, in types, shapes and bits, or up to `rtol` and `atol`."""
    if isinstance(b, torch.Tensor):
        if not isinstance(a, torch.Tensor) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        return torch.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
    if isinstance(b, dict):
        return isinstance(a, dict) and list(a) == list(b) and all(same(a[k], b[k], rtol, atol) for k in b)
    if isinstance(b, list | tuple):
        return isinstance(a, list | tuple) and len(a) == len(b) and all(same(x, y, rtol, atol) for x, y in zip(a, b))
    return type(a) is type(b) and a == b


def outcome(function: Any, *args: Any) -> Any:
    """What it gives, or that it fails."""
    try:
        return function(*args)
    except (CtorchError, RuntimeError, ValueError, TypeError, IndexError):
        return "refused"


def agree(name: str, batches: list[tuple[Any, ...]], rtol: float = 0.0, **kwargs: Any) -> int:
    """Compare after each batch, forward of a batch by itself, and all batches in two metrics that are merged."""
    mine, other = pair(name, **kwargs)
    parts = [mine.clone(), mine.clone()]
    checked = 0
    for i, batch in enumerate(batches):
        mine.update(*batch)
        other.update(*batch)
        parts[i >= len(batches) // 2].update(*batch)
        a, b = outcome(mine.compute), outcome(other.compute)
        assert same(a, b, rtol), (name, kwargs, a, b)
        checked += 1
    parts[0].merge(parts[1])
    a, b = outcome(parts[0].compute), outcome(mine.compute)
    assert same(a, b, 1e-5, 1e-5), (name, kwargs, "merged", a, b)
    assert parts[0].update_count == mine.update_count == len(batches)
    restored = ours(name, **kwargs)
    restored.load_state_dict(mine.state_dict())
    assert same(outcome(restored.compute), b), (name, kwargs, "restored")
    mine.reset()
    if batches:
        other = theirs(name, **kwargs)
        a, b = outcome(mine.forward, *batches[-1]), outcome(other, *batches[-1])
        assert same(a, b, rtol), (name, kwargs, "forward", a, b)
        checked += 1
    return checked + 2
