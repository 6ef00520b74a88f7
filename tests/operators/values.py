"""The vocabulary in which cases are written.

A case is one line, a call as Python would write it: `add.Tensor(f32(2, 3), f32(3), alpha=2)`. The names it may use are
those of `NAMES`: one constructor per dtype (`f32(2, 3)` is random, `i64([0, 2])` literal), constructors for the layouts
(`coo`, `compressed`, `nested`, `mkldnn`, `quantized`), and torch's own constants. Random tensors draw from torch's
default generator, so that evaluating a case twice from the same seed gives two equal, independent sets of arguments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

DTYPES = {
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "c32": torch.complex32,
    "c64": torch.complex64,
    "c128": torch.complex128,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "u8": torch.uint8,
    "u16": torch.uint16,
    "u32": torch.uint32,
    "u64": torch.uint64,
    "b": torch.bool,
    "f8e4m3": torch.float8_e4m3fn,
    "f8e5m2": torch.float8_e5m2,
}
SEED = 20


@dataclass
class Generator:
    """A random number generator that each side of the comparison makes for itself."""

    seed: int

    def reference(self) -> torch.Generator:
        return torch.Generator().manual_seed(self.seed)


@dataclass
class Storage:
    """A storage of zeros."""

    storage: torch.UntypedStorage

    def reference(self) -> torch.UntypedStorage:
        return self.storage


@dataclass
class Stream:
    """A stream by its three numbers: id, device type, device index."""

    id: int
    device_type: int
    device_index: int

    def reference(self) -> torch.Stream:
        return torch.Stream(stream_id=self.id, device_type=self.device_type, device_index=self.device_index)


def _random(dtype: torch.dtype, shape: tuple[int, ...], lo: float | None, hi: float | None) -> torch.Tensor:
    if dtype == torch.bool:
        return torch.randint(0, 2, shape).to(dtype)
    if not (dtype.is_floating_point or dtype.is_complex):
        return torch.randint(int(lo or 0), int(10 if hi is None else hi), shape).to(dtype)
    if lo is not None or hi is not None:
        low, high = (lo or 0.0), (1.0 if hi is None else hi)
        return (torch.rand(shape, dtype=torch.float64) * (high - low) + low).to(dtype)
    base = torch.complex128 if dtype.is_complex else torch.float64
    return torch.randn(shape, dtype=base).to(dtype)


def tensor(dtype, *shape, lo=None, hi=None, stride=None, offset=0, spd=False, tri=None) -> torch.Tensor:
    """A tensor: literal if the first argument is a list, else random of the given shape.

    `lo`, `hi` bound the values; `stride`, `offset` place them in a storage of their own; `spd` makes a symmetric
    positive definite matrix, `tri` ("upper", "lower") a triangular one with a large diagonal.
    """
    if shape and isinstance(shape[0], list):
        data = torch.tensor(shape[0], dtype=dtype) if dtype not in _VIA_INT64 else torch.tensor(shape[0]).to(dtype)
        data = data.reshape(shape[1:]) if len(shape) > 1 else data
    else:
        data = _random(dtype, shape, lo, hi)
    if spd:
        eye = torch.eye(data.shape[-1], dtype=dtype)
        data = data @ data.mH + eye
    if tri is not None:
        eye = torch.eye(data.shape[-1], dtype=dtype)
        data = (data.triu() if tri == "upper" else data.tril()) + 4 * eye
    if stride is None and not offset:
        return data
    stride = data.stride() if stride is None else stride
    extent = offset + 1 + sum((n - 1) * s for n, s in zip(data.shape, stride)) if data.numel() else offset
    placed = torch.zeros(extent, dtype=dtype).as_strided(data.shape, stride, offset)
    if 0 not in stride:
        placed.copy_(data)
    return placed


_VIA_INT64 = {torch.uint16, torch.uint32, torch.uint64}


def coo(indices, values, size, coalesced=False) -> torch.Tensor:
    result = torch.sparse_coo_tensor(indices, values, size, check_invariants=False)
    return result._coalesced_(True) if coalesced else result


def compressed(layout, outer, inner, values, size) -> torch.Tensor:
    return torch.sparse_compressed_tensor(outer, inner, values, size, layout=layout, check_invariants=False)


def nested(*tensors) -> torch.Tensor:
    return torch.nested.nested_tensor(list(tensors))


def mkldnn(dense) -> torch.Tensor:
    return dense.to_mkldnn()


def quantized(dense, dtype=torch.quint8, scale=0.1, zero_point=0) -> torch.Tensor:
    return torch.quantize_per_tensor(dense, scale, zero_point, dtype)


def quantized_channels(dense, scales, zero_points, axis=0, dtype=torch.qint8) -> torch.Tensor:
    return torch.quantize_per_channel(dense, scales, zero_points, axis, dtype)


def meta(dense) -> torch.Tensor:
    return dense.to("meta")


def grad(leaf) -> torch.Tensor:
    return leaf.requires_grad_()


def generator(seed=7) -> Generator:
    return Generator(seed)


def storage(nbytes) -> Storage:
    return Storage(torch.zeros(nbytes, dtype=torch.uint8).untyped_storage())


def stream(id=0, device_type=0, device_index=0) -> Stream:
    return Stream(id, device_type, device_index)


def _constructor(dtype):
    return lambda *shape, **options: tensor(dtype, *shape, **options)


NAMES: dict[str, Any] = {name: _constructor(dtype) for name, dtype in DTYPES.items()}
NAMES |= {f.__name__: f for f in (coo, compressed, nested, mkldnn, quantized, quantized_channels, meta, grad)}
NAMES |= {f.__name__: f for f in (generator, storage, stream)}
NAMES |= {"FILE": __file__, "torch": torch, "inf": float("inf"), "nan": float("nan"), "device": torch.device}
NAMES |= {str(v).removeprefix("torch."): v for v in vars(torch).values() if isinstance(v, torch.dtype | torch.layout)}
NAMES |= {str(v).removeprefix("torch."): v for v in vars(torch).values() if isinstance(v, torch.memory_format)}


def split_case(line: str) -> tuple[str, str, str]:
    """Mode, name and arguments: `no_grad add.Tensor(…)` -> ("no_grad", "add.Tensor", "(…)")."""
    name, _, arguments = line.partition("(")
    mode, _, name = name.strip().rpartition(" ")
    return mode, name, "(" + arguments


def evaluate(arguments: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The positional and keyword arguments of a case, made anew from the fixed seed."""
    torch.manual_seed(SEED)
    return eval("CALL" + arguments, NAMES | {"CALL": lambda *args, **kwargs: (args, kwargs)})
