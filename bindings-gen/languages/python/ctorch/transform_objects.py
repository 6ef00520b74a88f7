"""Transforms, as torchvision.transforms.v2 has them.

    train = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToDtype(ctorch.float32, scale=True)])
    image = train(image)

They take a tensor, or samples with tensors in them, and draw from the default generator or from that of the call:
`train(image, generator=generator)`. In a loader they draw from the epoch and the sample's index. Wherever C takes a
transform, any callable stands for one, and is called with the sample. `from_function` makes one of a function that
draws: it is called with the sample and the generator.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from . import objects, raw
from .arguments import OBJECTS, NotAnArgument, Pointers, pointers, sequence
from .constants import ValueKind
from .data_objects import may_thread as may_thread_
from .values import READERS, cell, from_value, to_value

classes: dict[str, type[Transform]] = {}


class InterpolationMode(str, Enum):  # noqa: UP042 Python 3.10 has no StrEnum
    """How pixels are made of others. The texts themselves do as well."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


class Transform(objects.Transform):
    """What is done to a sample."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("a transform is of one of the classes of ctorch.transforms; `from_function` makes your own")

    def __call__(self, *inputs: Any, generator: Any = None) -> Any:
        return from_value(raw.transform_call(self, inputs[0] if len(inputs) == 1 else inputs, generator))

    @property
    def may_thread(self) -> bool:
        """Whether it may be called on any thread."""
        return raw.transform_may_thread(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} closed>" if self.closed else str(raw.transform_repr(self))


def from_transform(handle: Any) -> Any:
    """The object for a transform of C's, of the class of that name."""
    if not handle:
        return None
    made = Transform.__new__(classes.get(raw.transform_name(objects.Transform(handle)), Transform))
    made._transform = handle
    return made


def transform(name: str, make: Callable[..., Any]) -> type[Transform]:
    """The class of a transform. `make` says what it takes: C gets the arguments by name, as values."""
    taken = inspect.signature(getattr(make, "default", make)).parameters
    initialize = _lambda if name == "Lambda" else _create

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        self._transform = initialize(name, *args, **kwargs)._transform

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    __init__.__signature__ = inspect.Signature([own, *taken.values()])  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": make.__doc__, "__module__": "ctorch.transforms", "__qualname__": name}
    classes[name] = made = type(name, (Transform,), members)
    return made


def _create(name: str, *args: Any, **kwargs: Any) -> Any:
    return raw.transform_create(name, _plain(args), _plain(kwargs))


def _lambda(name: str, lambd: Callable[[Any], Any], *types: Any) -> Any:
    return _create(name, lambd, list(types or ("object",)))


def _plain(value: Any) -> Any:
    """An argument as a value can hold it: callables as transforms, classes by their names."""
    if isinstance(value, Mapping):
        return {_plain(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_plain(entry) for entry in value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, type):
        return value.__name__
    if callable(value) and not isinstance(value, objects.Transform):
        return _of_callable(value)
    return value


def from_function(
    function: Callable[[Any, Any], Any], name: str | None = None, *, may_thread: bool | None = None
) -> Transform:
    """A transform of your own, `function(sample, generator)`; the generator is None where it is the default one.

    Without `may_thread` it is called on the thread that takes batches alone.
    """
    if not callable(function):
        raise TypeError(f"from_function(): argument 'function' must be callable, not {type(function).__name__}")
    threads = may_thread_(function) if may_thread is None else may_thread
    name = name or getattr(function, "__name__", type(function).__name__)
    return raw.transform_from_callback(  # type: ignore[return-value]
        name, lambda sample, generator: to_value(function(from_value(sample), generator)), threads
    )


def _of_callable(function: Callable[[Any], Any]) -> Transform:
    name = getattr(function, "__name__", type(function).__name__)
    return from_function(lambda sample, _: function(sample), name, may_thread=may_thread_(function))


def as_transform(value: Any) -> Any:
    """What C gets for a transform: the library's own, or one that calls a function of Python's."""
    if isinstance(value, objects.Transform):
        return value._transform
    if not callable(value):
        raise NotAnArgument
    return _of_callable(value)._transform


def as_transforms(values: Any) -> tuple[Pointers, Any]:
    return pointers([as_transform(value) for value in sequence(values)])


OBJECTS["Transform"] = as_transform
READERS[ValueKind.TRANSFORM] = lambda handle: from_transform(
    cell(objects.TransformHandle(), "ctorch_value_to_transform", handle)
)
