"""What can be seen of a call: its results, its effect on the arguments, or its error, as plain comparable data.

Two observations are equal if and only if nothing differs that a caller could notice: bytes, dtypes, shapes, strides,
storage offsets, storage sizes, layouts, devices, conj and neg bits, autograd state, which tensors share memory with
which, and reference counts.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

LARGEST = 2**26  # bytes; a view can claim far more than there is


def observe(results: list[Any], arguments: dict[str, Any], addresses: list[str]) -> dict[str, Any]:
    """What a call left: `results` as a list, `arguments` by name, after the call.

    `addresses` names the arguments, and by their number the results, whose bytes are addresses of C++ objects.
    """
    tensors = [t for t in tree_leaves(arguments) if isinstance(t, torch.Tensor)]
    return {
        "results": [describe(r, str(i) not in addresses) for i, r in enumerate(results)],
        "sharing": [_sharing(r, tensors) for r in _tensors(results)],
        "sharing among results": _sharing_among(_tensors(results)),
        "arguments": {n: describe(v, n not in addresses) for n, v in arguments.items() if _tensors(v)},
    }


def reference_counts(value: Any) -> list[tuple[int, int | None]]:
    """References to every tensor in `value` and to its storage."""
    return [(t._use_count(), _storage_count(t)) for t in _tensors(value)]


def describe(value: Any, with_values: bool) -> Any:
    if isinstance(value, torch.Tensor):
        return _describe_tensor(value, with_values)
    if isinstance(value, list | tuple):
        return [describe(v, with_values) for v in value]
    if isinstance(value, float):
        return ("float", struct.pack("d", value) if with_values else None)
    if isinstance(value, complex):
        return ("complex", struct.pack("dd", value.real, value.imag) if with_values else None)
    return (type(value).__name__, value)


def _describe_tensor(t: torch.Tensor, with_values: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "dtype": str(t.dtype),
        "layout": str(t.layout),
        "device": str(t.device),
        "nested": t.is_nested,
        "conj": t.is_conj(),
        "neg": t.is_neg(),
        "zero": t._is_zerotensor(),
        "inference": t.is_inference(),
        "requires_grad": t.requires_grad,
        "is_leaf": t.is_leaf,
        "grad_fn": type(t.grad_fn).__name__,
        "version": None if t.is_inference() else t._version,
        "view": t._is_view(),
    }
    if not t.is_nested:
        facts["shape"] = tuple(t.shape)
    try:
        with torch.no_grad():
            facts["data"] = _data(t.detach(), with_values)
    except (NotImplementedError, RuntimeError) as error:  # such as a batched tensor, which shows nothing
        facts["data"] = str(error)
    return facts


def _data(t: torch.Tensor, with_values: bool) -> Any:
    if t.is_nested:
        return [_data(part, with_values) for part in t.unbind()]
    if t.layout == torch.sparse_coo:
        return [t.is_coalesced()] + [_describe_tensor(p, with_values) for p in (t._indices(), t._values())]
    if t.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [_describe_tensor(p, with_values) for p in (t.crow_indices(), t.col_indices(), t.values())]
    if t.layout in (torch.sparse_csc, torch.sparse_bsc):
        return [_describe_tensor(p, with_values) for p in (t.ccol_indices(), t.row_indices(), t.values())]
    if t.layout == torch._mkldnn:
        return _data(t.to_dense(), with_values)
    strided: list[Any] = [tuple(t.shape), tuple(t.stride()), t.storage_offset()]
    if t.is_quantized:
        strided.append(_quantizer(t))
    if t._is_zerotensor() or t.device.type == "meta":
        return strided
    strided.append(t.untyped_storage().nbytes())
    return strided + [_bytes(t)] if with_values else strided


def _quantizer(t: torch.Tensor) -> Any:
    if t.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
        return str(t.qscheme()), t.q_scale(), t.q_zero_point()
    parts = (t.q_per_channel_scales(), t.q_per_channel_zero_points())
    return str(t.qscheme()), t.q_per_channel_axis(), [_data(p, True) for p in parts]


def _bytes(t: torch.Tensor) -> bytes | None:
    if t.numel() * t.element_size() > LARGEST:
        return None
    if t.is_conj():
        t = t.conj()
    if t.is_neg():
        t = t._neg_view()
    if not t.is_contiguous():
        t = t.contiguous()
    return ctypes.string_at(t.data_ptr(), t.numel() * t.element_size()) if t.numel() else b""


def _tensors(value: Any) -> list[torch.Tensor]:
    return [t for t in tree_leaves(value) if isinstance(t, torch.Tensor)]


def _storage(t: torch.Tensor) -> int | None:
    """The address of the tensor's storage; None for the tensors that have none (sparse, nested, batched, …)."""
    if t.layout != torch.strided or t.is_nested:
        return None
    try:
        return t.untyped_storage()._cdata
    except (NotImplementedError, RuntimeError):
        return None


def _storage_count(t: torch.Tensor) -> int | None:
    storage = _storage(t)
    return None if storage is None else torch._C._storage_Use_Count(storage)


def _sharing(result: torch.Tensor, arguments: list[torch.Tensor]) -> list[str]:
    """How a result relates to each tensor among the arguments: the same tensor, the same storage, or not at all."""
    storage = _storage(result)

    def relation(argument: torch.Tensor) -> str:
        if result is argument:
            return "same"
        return "shared" if storage is not None and storage == _storage(argument) else ""

    return [relation(a) for a in arguments]


def _sharing_among(results: list[torch.Tensor]) -> list[int]:
    """For each result, the first result with the same storage."""
    storages = [_storage(r) for r in results]
    return [i if s is None else storages.index(s) for i, s in enumerate(storages)]


def difference(ours: Any, theirs: Any, path: str = "") -> str | None:
    """The first place where two observations differ, for people to read."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        found = (difference(ours[k], theirs[k], f"{path}.{k}" if path else k) for k in ours)
        return next(filter(None, found), None)
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        found = (difference(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(ours, theirs)))
        return next(filter(None, found), None)
    return None if ours == theirs else f"{path}: ctorch {_short(ours)}, PyTorch {_short(theirs)}"


def _short(value: Any) -> str:
    text = value.hex() if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 400 else text[:400] + "…"
