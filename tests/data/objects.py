"""Datasets, samplers and loaders of ctorch as Python sees its own, through the C functions."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import torch

from tests.harness.capi import OK, CtorchError, error, ffi, handles, lib, ok, out, text
from tests.harness.values import made, owned, python, value

live: dict[int, Any] = {}  # what payloads keep alive, until they are destroyed


@ffi.callback("void(void *)")
def forget(payload: Any) -> None:
    del live[int(ffi.cast("uintptr_t", payload))]


def payload(*kept: Any) -> Any:
    result = ffi.new_handle(kept)
    live[int(ffi.cast("uintptr_t", result))] = (result, kept)
    return result


def kept(payload_: Any) -> tuple:
    return ffi.from_handle(payload_)


def attempt(call: Any, error_place: Any) -> int:
    """Run a Python function for a callback; its exception becomes the error."""
    try:
        call()
    except Exception as e:
        kind = e.kind if isinstance(e, CtorchError) else type(e).__name__.removesuffix("Error").upper()
        error_place[0] = error(
            kind if hasattr(lib.c, f"CTORCH_ERROR_{kind}") else "RUNTIME", getattr(e, "message", str(e))
        )
        return 0
    return OK


def give(place: Any, item: Any) -> None:
    place[0] = owned(item)


class Object:
    type = ""

    def __init__(self, pointer: Any) -> None:
        self.pointer = ffi.gc(pointer, getattr(lib, f"ctorch_{self.type}_release"))

    @classmethod
    def made(cls, function: str, *args: Any) -> Any:
        place = out(f"ctorch_{cls.type} *")
        try:
            ok(getattr(lib, function)(place, *args))
        except CtorchError:
            if forget in args:  # what failed does not destroy the payload
                live.pop(int(ffi.cast("uintptr_t", args[args.index(forget) + 1])), None)
            raise
        return cls(place[0])

    def release(self) -> None:
        ffi.release(self.pointer)

    def number(self, function: str, c_type: str = "int64_t") -> Any:
        place = out(c_type)
        ok(getattr(lib, function)(place, self.pointer))
        return place[0]


class Iterated(Object):
    type = "iterator"

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        place = out("ctorch_value *")
        ok(lib.ctorch_iterator_next(place, self.pointer))
        if place[0] == ffi.NULL:
            raise StopIteration
        return python(ffi.gc(place[0], lib.ctorch_value_release))

    def state(self) -> Any:
        return made("ctorch_iterator_state_dict", self.pointer)

    def load(self, state: Any) -> None:
        ok(lib.ctorch_iterator_load_state_dict(self.pointer, value(state)))


@ffi.callback("ctorch_callback_status(ctorch_value **, ctorch_error **, void *)")
def next_value(place: Any, error_place: Any, payload_: Any) -> int:
    (iterator,) = kept(payload_)

    def call() -> None:
        for item in iterator:
            give(place, item)
            return

    return attempt(call, error_place)


def iterator_of(items: Any) -> Iterated:
    return Iterated.made("ctorch_iterator_from_callback", next_value, forget, payload(iter(items)))


class Dataset(Object):
    type = "dataset"

    def __len__(self) -> int:
        return self.number("ctorch_dataset_len")

    def __getitem__(self, index: int) -> Any:
        return python(made("ctorch_dataset_get", self.pointer, index))

    def __iter__(self) -> Iterated:
        return Iterated.made("ctorch_dataset_iterate", self.pointer)

    @property
    def name(self) -> str:
        return text(lib.ctorch_dataset_name(self.pointer))


@ffi.callback("ctorch_callback_status(ctorch_value **, int64_t, ctorch_error **, void *)")
def get_sample(place: Any, index: int, error_place: Any, payload_: Any) -> int:
    (get,) = kept(payload_)
    return attempt(lambda: give(place, get(index)), error_place)


@ffi.callback("ctorch_callback_status(ctorch_iterator **, ctorch_error **, void *)")
def begin(place: Any, error_place: Any, payload_: Any) -> int:
    (iterate,) = kept(payload_)

    def call() -> None:
        iterator = iterator_of(iterate())
        lib.ctorch_iterator_retain(iterator.pointer)
        place[0] = iterator.pointer

    return attempt(call, error_place)


def dataset_of(get: Any, length: int, may_thread: bool = True) -> Dataset:
    return Dataset.made("ctorch_dataset_from_callback", length, get_sample, may_thread, forget, payload(get))


def optional(c_type: str, item: Any) -> Any:
    return ffi.NULL if item is None else ffi.new(f"{c_type} *", item)


def iterable_of(iterate: Any, length: int | None = None, may_thread: bool = True) -> Dataset:
    arguments = optional("int64_t", length), begin, may_thread, forget, payload(iterate)
    return Dataset.made("ctorch_dataset_from_iterable", *arguments)


def listed(objects: list[Any], c_type: str) -> tuple[Any, int]:
    return ffi.new(f"{c_type} *[]", [o.pointer for o in objects]), len(objects)


def tensor_dataset(*tensors: torch.Tensor) -> Dataset:
    return Dataset.made("ctorch_data_TensorDataset", *handles(list(tensors)))


def joined(kind: str, datasets: list[Dataset]) -> Dataset:
    return Dataset.made(f"ctorch_data_{kind}", *listed(datasets, "ctorch_dataset"))


def subset(dataset: Dataset, indices: list[int]) -> Dataset:
    return Dataset.made("ctorch_data_Subset", dataset.pointer, ffi.new("int64_t[]", indices), len(indices))


def pointer(generator: torch.Generator | None) -> Any:
    return ffi.NULL if generator is None else ffi.cast("ctorch_generator *", generator._cdata)


class Sampler(Object):
    type = "sampler"

    def __len__(self) -> int:
        return self.number("ctorch_sampler_len")

    def __iter__(self) -> Iterated:
        return Iterated.made("ctorch_sampler_iterate", self.pointer)

    def set_epoch(self, epoch: int) -> None:
        ok(lib.ctorch_sampler_set_epoch(self.pointer, epoch))


def sampler_of(iterate: Any, length: int | None = None) -> Sampler:
    arguments = optional("int64_t", length), begin, forget, payload(iterate)
    return Sampler.made("ctorch_sampler_from_callback", *arguments)


@ffi.callback("ctorch_callback_status(ctorch_value **, const ctorch_value *, ctorch_error **, void *)")
def collate_samples(place: Any, samples: Any, error_place: Any, payload_: Any) -> int:
    (collate,) = kept(payload_)
    return attempt(lambda: give(place, collate(python(samples))), error_place)


@ffi.callback("ctorch_callback_status(int64_t, ctorch_error **, void *)")
def begin_worker(worker: int, error_place: Any, payload_: Any) -> int:
    (init,) = kept(payload_)
    return attempt(lambda: init(worker), error_place)


class Loader(Object):
    type = "loader"

    def __init__(self, pointer_: Any) -> None:
        super().__init__(pointer_)

    def __len__(self) -> int:
        return self.number("ctorch_loader_len")

    def __iter__(self) -> Iterated:
        return Iterated.made("ctorch_loader_iterate", self.pointer)

    def iterate_from(self, state: Any) -> Iterated:
        return Iterated.made("ctorch_loader_iterate_from", self.pointer, value(state))

    def set_collate(self, collate: Any, may_thread: bool = True) -> None:
        ok(lib.ctorch_loader_set_collate(self.pointer, collate_samples, may_thread, forget, payload(collate)))

    def set_worker_init(self, init: Any, may_thread: bool = True) -> None:
        ok(lib.ctorch_loader_set_worker_init(self.pointer, begin_worker, may_thread, forget, payload(init)))

    def statistics(self) -> tuple[int, float, float, float]:
        places = out("int64_t"), out("double"), out("double"), out("double")
        ok(lib.ctorch_loader_statistics(*places, self.pointer))
        return tuple(place[0] for place in places)


def loader(
    dataset: Dataset,
    batch_size: int | None = 1,
    shuffle: bool = False,
    sampler: Sampler | None = None,
    batch_sampler: Sampler | None = None,
    num_workers: int = 0,
    pin_memory: bool = False,
    drop_last: bool = False,
    timeout: float = 0,
    generator: torch.Generator | None = None,
    *,
    prefetch_factor: int | None = None,
    persistent_workers: bool = False,
    in_order: bool = True,
) -> Loader:
    """data.DataLoader with Python's arguments: a batch size of None is 0."""
    return Loader.made(
        "ctorch_data_DataLoader",
        dataset.pointer,
        optional("int64_t", 0 if batch_size is None else batch_size),
        shuffle,
        ffi.NULL if sampler is None else sampler.pointer,
        ffi.NULL if batch_sampler is None else batch_sampler.pointer,
        num_workers,
        pin_memory,
        drop_last,
        timeout,
        pointer(generator),
        optional("int64_t", prefetch_factor),
        persistent_workers,
        in_order,
    )


def worker_info() -> tuple[int, int, int]:
    places = out("int64_t"), out("int64_t"), out("uint64_t")
    ok(lib.ctorch_loader_worker_info(*places))
    return tuple(place[0] for place in places)


def same(ours: Any, theirs: Any) -> bool:
    """Equal in type and value, tensors bit for bit."""
    if isinstance(theirs, torch.Tensor):
        is_tensor = isinstance(ours, torch.Tensor) and ours.dtype == theirs.dtype and ours.stride() == theirs.stride()
        return is_tensor and ours.shape == theirs.shape and torch.equal(ours, theirs)
    if type(ours) is not type(theirs):
        return False
    if isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(same(ours[k], theirs[k]) for k in theirs)
    if isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return ours == theirs


def state() -> torch.Tensor:
    return torch.get_rng_state()


def alive() -> set[int]:
    """What payloads keep alive now: other tests may have left cycles through C."""
    gc.collect()
    return set(live)
