"""Whether two values are the same down to the bits of tensors, and share inside what the other shares."""

from __future__ import annotations

import math
import struct
from typing import Any

import torch


class Same:
    """Compares; remembers which object of one stands for which of the other, and which storages."""

    def __init__(self) -> None:
        self.objects: dict[int, tuple[Any, Any]] = {}
        self.storages: dict[int, int] = {}
        self.others: dict[int, int] = {}

    def __call__(self, a: Any, b: Any, where: str = "value") -> None:
        if isinstance(a, (list, tuple, dict, set, torch.Tensor)) and not (isinstance(a, tuple) and len(a) == 0):
            if id(a) in self.objects:
                assert self.objects[id(a)][1] is b, f"{where}: not the same object"
                return
            self.objects[id(a)] = (a, b)
        assert type(a) is type(b), f"{where}: {type(b)}, expected {type(a)}"
        if isinstance(a, torch.Tensor):
            self.tensor(a, b, where)
        elif isinstance(a, dict):
            assert list(map(str, a)) == list(map(str, b)), f"{where}: keys {list(b)}, expected {list(a)}"
            for (key, x), (other, y) in zip(a.items(), b.items()):
                self(key, other, f"{where} key {key!r}")
                self(x, y, f"{where}[{key!r}]")
            if hasattr(a, "__dict__"):
                self(a.__dict__, b.__dict__, f"{where}.__dict__")
        elif isinstance(a, (list, tuple)):
            assert len(a) == len(b), f"{where}: {len(b)} entries, expected {len(a)}"
            for i, (x, y) in enumerate(zip(a, b)):
                self(x, y, f"{where}[{i}]")
        elif isinstance(a, float):
            assert struct.pack("d", a) == struct.pack("d", b) or (math.isnan(a) and math.isnan(b)), where
        elif isinstance(a, complex):
            self(a.real, b.real, where)
            self(a.imag, b.imag, where)
        elif isinstance(a, torch.Generator):
            assert torch.equal(a.get_state(), b.get_state()) and a.device == b.device, where
        elif isinstance(a, torch.UntypedStorage):
            self.storage(a, b, where)
            assert bytes(a) == bytes(b), where
        else:
            assert a == b, f"{where}: {b!r}, expected {a!r}"
            if type(a).__module__ != "builtins" and hasattr(a, "__dict__"):
                self(a.__dict__, b.__dict__, f"{where}.__dict__")

    def storage(self, a: torch.UntypedStorage, b: torch.UntypedStorage, where: str) -> None:
        """The same ones share."""
        assert a.nbytes() == b.nbytes(), f"{where}: {b.nbytes()} bytes of storage, expected {a.nbytes()}"
        assert self.storages.setdefault(a._cdata, b._cdata) == b._cdata, f"{where}: another storage"
        assert self.others.setdefault(b._cdata, a._cdata) == a._cdata, f"{where}: shares a storage"

    def tensor(self, a: torch.Tensor, b: torch.Tensor, where: str) -> None:
        for name in ("dtype", "layout", "device", "requires_grad", "is_quantized", "is_nested"):
            assert getattr(a, name) == getattr(b, name), f"{where}.{name}: {getattr(b, name)}"
        if isinstance(a, torch.nn.Parameter):
            self(a.__dict__, b.__dict__, f"{where}.__dict__")
        a, b = a.detach(), b.detach()
        if a.is_nested:
            self(list(a.unbind()), list(b.unbind()), where)
            return
        assert a.shape == b.shape, f"{where}: {b.shape}, expected {a.shape}"
        if a.layout == torch.sparse_coo:
            assert a.is_coalesced() == b.is_coalesced(), where
            self([a._indices(), a._values()], [b._indices(), b._values()], where)
        elif a.layout != torch.strided:
            by_row = a.layout in (torch.sparse_csr, torch.sparse_bsr)
            names = ("crow_indices", "col_indices") if by_row else ("ccol_indices", "row_indices")
            for name in (*names, "values"):
                self(getattr(a, name)(), getattr(b, name)(), f"{where}.{name}")
        else:
            assert a.stride() == b.stride(), f"{where}: strides {b.stride()}, expected {a.stride()}"
            if a.device.type != "meta":
                self.strided(a, b, where)

    def strided(self, a: torch.Tensor, b: torch.Tensor, where: str) -> None:
        assert a.storage_offset() == b.storage_offset(), where
        assert (a.is_conj(), a.is_neg()) == (b.is_conj(), b.is_neg()), f"{where}: bits"
        self.storage(a.untyped_storage(), b.untyped_storage(), where)
        assert bytes(a.untyped_storage()) == bytes(b.untyped_storage()), f"{where}: other bytes"
        if a.is_quantized:
            assert a.qscheme() == b.qscheme(), where
            if a.qscheme() == torch.per_tensor_affine:
                assert (a.q_scale(), a.q_zero_point()) == (b.q_scale(), b.q_zero_point()), where
            else:
                assert a.q_per_channel_axis() == b.q_per_channel_axis(), where
                assert torch.equal(a.q_per_channel_scales(), b.q_per_channel_scales()), where
                assert torch.equal(a.q_per_channel_zero_points(), b.q_per_channel_zero_points()), where


def same(a: Any, b: Any) -> None:
    Same()(a, b)
