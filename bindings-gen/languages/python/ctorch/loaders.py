"""Loaders, as torch.utils.data.DataLoader is one.

    loader = data.DataLoader(dataset, batch_size=64, shuffle=True, num_workers=4)
    for images, labels in loader:
        ...

Its workers are threads of this process, which need no copies of the dataset. What the library itself does (datasets of
files, transforms, collating) runs beside Python; functions of your own take their turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from . import objects, raw
from .arguments import OBJECTS, NotAnArgument
from .data_objects import Iterator, as_iterator, length, may_thread
from .values import from_value


class Statistics(NamedTuple):
    """Which side is slow: batches handed out, and seconds that were spent."""

    batches: int
    consumer_waited: float
    workers_waited: float
    workers_worked: float


class WorkerInfo(NamedTuple):
    """The worker that calls: its number, how many there are, and its seed."""

    id: int
    num_workers: int
    seed: int


def get_worker_info() -> WorkerInfo | None:
    """The worker of a loader that this thread is; None where none is at work."""
    worker, num_workers, seed = raw.loader_worker_info()
    return None if worker < 0 else WorkerInfo(worker, num_workers, seed)


class Loader(objects.Loader):
    """What all loaders have: batches, and how many they are."""

    def __iter__(self) -> Iterator:
        return raw.loader_iterate(self)  # type: ignore[return-value]

    def iterate_from(self, state_dict: Mapping[str, Any]) -> Iterator:
        """Go on where an iterator of such a loader was: `state_dict` is what that one gave."""
        return raw.loader_iterate_from(self, dict(state_dict))  # type: ignore[return-value]

    def __len__(self) -> int:
        return raw.loader_len(self)

    def __bool__(self) -> bool:
        return True

    def statistics(self) -> Statistics:
        """What was done in all its iterations, and who waited for whom."""
        return Statistics(*raw.loader_statistics(self))

    def __repr__(self) -> str:
        return f"<ctorch.data.{type(self).__name__}{' closed' if self.closed else ''}>"


def from_loader(handle: Any) -> Any:
    return Loader(handle) if handle else None


def loader(name: str, make: Callable[..., Any]) -> type[Loader]:
    """DataLoader, around the function of C's that makes one."""

    def __init__(
        self: Any,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[int] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        multiprocessing_context: None = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        in_order: bool = True,
    ) -> None:
        if multiprocessing_context is not None:
            raise ValueError("DataLoader(): workers are threads, which have no multiprocessing_context")
        made = make(
            dataset,
            0 if batch_size is None else batch_size,
            bool(shuffle),
            sampler,
            batch_sampler,
            num_workers,
            pin_memory,
            drop_last,
            timeout,
            generator,
            prefetch_factor=prefetch_factor,
            persistent_workers=persistent_workers,
            in_order=in_order,
        )
        if collate_fn is not None and not _is_default(collate_fn):
            raw.loader_set_collate(made, lambda samples: collate_fn(from_value(samples)), may_thread(collate_fn))
        if worker_init_fn is not None:
            raw.loader_set_worker_init(made, lambda worker: _none(worker_init_fn(worker)), may_thread(worker_init_fn))
        self._loader = made._loader
        self.dataset, self.batch_size, self.num_workers = dataset, batch_size, num_workers
        self.sampler, self.batch_sampler, self.collate_fn = sampler, batch_sampler, collate_fn
        self.pin_memory, self.drop_last, self.timeout, self.generator = pin_memory, drop_last, timeout, generator
        self.worker_init_fn, self.prefetch_factor = worker_init_fn, prefetch_factor
        self.persistent_workers, self.in_order = persistent_workers, in_order

    members = {"__init__": __init__, "__doc__": make.__doc__, "__module__": "ctorch.data", "__qualname__": name}
    return type(name, (Loader,), members)


def _is_default(collate: Any) -> bool:
    """Whether it is what C does anyway."""
    return (getattr(collate, "__module__", ""), getattr(collate, "__name__", "")) == ("ctorch.data", "default_collate")


def _none(_: Any) -> None:
    """What prepares a worker gives nothing."""


def as_loader(value: Any) -> Any:
    """What C gets for a loader: the library's own, or one that goes through batches of Python's."""
    if isinstance(value, objects.Loader):
        return value._loader
    if isinstance(value, (str, bytes)) or not hasattr(type(value), "__iter__"):
        raise NotAnArgument
    return raw.loader_from_callback(length(value), lambda: as_iterator(value))._loader


OBJECTS["Loader"] = as_loader
