"""Datasets, samplers and iterators, as torch.utils.data has them.

    class Squares(data.Dataset):
        def __len__(self):
            return 100

        def __getitem__(self, index):
            return index, index**2

    loader = data.DataLoader(Squares(), batch_size=10, shuffle=True)

Wherever C takes a dataset, an object with `__getitem__` and `__len__` stands for one, or else one that can be iterated
over; wherever it takes a sampler, what gives indices, or lists of indices. A sample is what a value can hold: tensors,
numbers, texts, lists, tuples, dicts. C calls such an object on the threads of workers, several of them at once, unless
it has an attribute `may_thread` that is false: then on the thread that takes batches alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import objects, raw
from .arguments import OBJECTS, NotAnArgument, Pointers, pointers, sequence
from .library import native
from .tensor import Tensor
from .values import from_value, to_value


class Iterator(objects.Iterator):
    """One value after another, which knows where it is."""

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        value = raw.iterator_next(self)
        if value is None:
            raise StopIteration
        return from_value(value)

    def state_dict(self) -> dict[str, Any]:
        """Where it is, to be saved: `loader.iterate_from(state)` goes on there."""
        return from_value(raw.iterator_state_dict(self))

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where an iterator was. Nothing may have been taken from this one yet."""
        raw.iterator_load_state_dict(self, dict(state_dict))


def from_iterator(handle: Any) -> Any:
    return Iterator(handle) if handle else None


END = object()


def as_iterator(values: Iterable[Any]) -> Iterator:
    """An iterator of C's over something of Python's, which may know where it is."""
    iterator = iter(values)
    if isinstance(iterator, Iterator):
        return iterator

    def following() -> Any:
        value = next(iterator, END)
        return None if value is END else to_value(value)

    if hasattr(iterator, "state_dict") and hasattr(iterator, "load_state_dict"):
        return raw.iterator_from_stateful_callback(
            following, iterator.state_dict, lambda state: iterator.load_state_dict(from_value(state))
        )
    return raw.iterator_from_callback(following)


def length(values: Any) -> int | None:
    """How many there are; None for what does not know."""
    return len(values) if hasattr(type(values), "__len__") else None


def may_thread(function: Any) -> bool:
    """Whether C may call it on other threads."""
    return bool(getattr(function, "may_thread", True))


# Datasets

classes: dict[str, type[Any]] = {}  # those of the library, by name


class Dataset:
    """Samples by index. A class of your own has `__getitem__` and `__len__`."""

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> Any:
        return classes["ConcatDataset"]([self, other])


class IterableDataset(Dataset):
    """Samples one after another. A class of your own has `__iter__`, which each worker calls."""

    def __iter__(self) -> Any:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other: Any) -> Any:
        return classes["ChainDataset"]([self, other])


class _OfC(objects.Dataset):
    """A dataset of the library's; what it was made of are its attributes."""

    def __len__(self) -> int:
        return raw.dataset_len(self)

    def __getitem__(self, index: int) -> Any:
        return from_value(raw.dataset_get(self, index))

    def __iter__(self) -> Iterator:
        return raw.dataset_iterate(self)  # type: ignore[return-value]

    def __getattr__(self, name: str) -> Any:
        if name != self._slot and not name.startswith("__"):
            try:
                return from_value(raw.dataset_attribute(self, name))
            except IndexError:
                pass
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self) -> str:
        if self.closed:
            return f"<ctorch.data.{type(self).__name__} closed>"
        known = "" if raw.dataset_is_iterable(self) else f" of {len(self)} samples"
        return f"<ctorch.data.{type(self).__name__}{known}>"


class MapStyle(_OfC, Dataset):
    """A dataset of the library's with samples by index."""


class IterableStyle(_OfC, IterableDataset):
    """A dataset of the library's with samples one after another."""


def from_dataset(handle: Any) -> Any:
    if not handle:
        return None
    return (IterableStyle if native.ctorch_dataset_is_iterable(handle) else MapStyle)(handle)


def dataset(name: str, make: Callable[..., Any]) -> type[Any]:
    """The class of a dataset, around the function of C's that makes one."""
    taken = inspect.signature(getattr(make, "default", make))
    initialize = SPECIAL.get(name, _create)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        initialize(self, make, taken, *args, **kwargs)

    if name not in SPECIAL:
        _sign(__init__, taken)
    base = IterableStyle if name == "ChainDataset" else MapStyle
    classes[name] = made = _class(name, base, make, {"__init__": __init__})
    return made


def _class(name: str, base: type, make: Callable[..., Any], members: dict[str, Any]) -> type[Any]:
    module = make.__module__ if make.__module__ != __name__ else "ctorch.data"
    return type(name, (base,), {**members, "__doc__": make.__doc__, "__module__": module, "__qualname__": name})


def _sign(function: Any, signature: inspect.Signature) -> None:
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    function.__signature__ = inspect.Signature([own, *signature.parameters.values()])


def _create(self: Any, make: Callable[..., Any], taken: inspect.Signature, *args: Any, **kwargs: Any) -> None:
    _adopt(self, make(*args, **kwargs), dict(taken.bind(*args, **kwargs).arguments))


def _adopt(self: Any, made: Any, arguments: dict[str, Any]) -> None:
    setattr(self, self._slot, getattr(made, self._slot))
    self.__dict__.update(arguments)


def _tensors(self: Any, make: Callable[..., Any], _: Any, *tensors: Tensor) -> None:
    _adopt(self, make(tensors), {"tensors": tensors})


def _datasets(self: Any, make: Callable[..., Any], _: Any, datasets: Iterable[Any]) -> None:
    datasets = list(datasets)
    _adopt(self, make(datasets), {"datasets": datasets})


def _stacked(self: Any, make: Any, _: Any, *args: Any, **kwargs: Any) -> None:
    if args and kwargs:
        raise ValueError("StackDataset takes datasets by position or by name, not both")
    made = make.named([*kwargs.values()], [*kwargs]) if kwargs else make.default(args)
    _adopt(self, made, {"datasets": kwargs or args})


SPECIAL: dict[str, Callable[..., None]] = {
    "TensorDataset": _tensors,
    "ConcatDataset": _datasets,
    "ChainDataset": _datasets,
    "StackDataset": _stacked,
}


def split(_: str, make: Callable[..., Any]) -> Callable[..., Any]:
    """`random_split`, which gives parts of the dataset where C gives their indices."""

    def random_split(dataset: Any, lengths: Any, generator: Any = None) -> list[Any]:
        return [classes["Subset"](dataset, indices) for indices in make(dataset, list(lengths), generator)]

    random_split.__doc__, random_split.__module__ = make.__doc__, "ctorch.data"
    return random_split


def as_dataset(value: Any) -> Any:
    """What C gets for a dataset: the library's own, or one that calls an object of Python's."""
    if isinstance(value, objects.Dataset):
        return value._dataset
    kind = type(value)
    if hasattr(kind, "__getitem__") and not isinstance(value, (IterableDataset, str, bytes)):
        if not hasattr(kind, "__len__"):
            raise NotAnArgument(f"must be a dataset, but {kind.__name__} has no __len__")
        made = raw.dataset_from_callback(len(value), lambda index: to_value(value[index]), may_thread(value))
    elif hasattr(kind, "__iter__") and not isinstance(value, (str, bytes)):
        made = raw.dataset_from_iterable(length(value), lambda: as_iterator(value), may_thread(value))
    else:
        raise NotAnArgument
    return made._dataset


def as_datasets(values: Any) -> tuple[Pointers, Any]:
    return pointers([as_dataset(value) for value in sequence(values)])


# Samplers


class Sampler:
    """An order of samples. A class of your own has `__iter__`, which gives indices or lists of them, and `__len__`."""

    def __iter__(self) -> Any:
        raise NotImplementedError("Subclasses of Sampler should implement __iter__.")


class SamplerOfC(objects.Sampler, Sampler):
    """A sampler of the library's; what it was made of are its attributes."""

    def __len__(self) -> int:
        return raw.sampler_len(self)

    def __iter__(self) -> Iterator:
        return raw.sampler_iterate(self)  # type: ignore[return-value]

    def set_epoch(self, epoch: int) -> None:
        """Let the next order be that of an epoch, of a DistributedSampler."""
        try:
            raw.sampler_set_epoch(self, epoch)
        except IndexError as error:
            raise AttributeError(str(error)) from None

    def __repr__(self) -> str:
        return f"<ctorch.data.{type(self).__name__}{' closed' if self.closed else ''}>"


def from_sampler(handle: Any) -> Any:
    return SamplerOfC(handle) if handle else None


def sampler(name: str, make: Callable[..., Any]) -> type[Any]:
    """The class of a sampler, around the function of C's that makes one."""
    taken = inspect.signature(getattr(make, "default", make))

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        _create(self, make, taken, *args, **kwargs)

    _sign(__init__, taken)
    return _class(name, SamplerOfC, make, {"__init__": __init__})


def as_sampler(value: Any) -> Any:
    """What C gets for a sampler: the library's own, or one that goes through something of Python's."""
    if isinstance(value, objects.Sampler):
        return value._sampler
    if isinstance(value, (str, bytes)) or not hasattr(type(value), "__iter__"):
        raise NotAnArgument
    return raw.sampler_from_callback(length(value), lambda: as_iterator(map(_index, value)))._sampler


def _index(index: Any) -> Any:
    """An index, or those of a batch, which may be anything that can be iterated over."""
    return list(index) if isinstance(index, Iterable) and not isinstance(index, Tensor) else index


OBJECTS.update(Dataset=as_dataset, Sampler=as_sampler)
