"""Values -> the vocabulary of values.py: what harvest.py saw, as text that makes something alike.

Small integer tensors are kept literally, since they are mostly indices that must stay in range; the rest becomes random
data of the same shape, strides and rough range. With `literal=True` every small tensor keeps its numbers.
"""

from __future__ import annotations

import math

import torch

from tests.operators import values

NAME_OF_DTYPE = {dtype: name for name, dtype in values.DTYPES.items()}
LITERAL_LIMIT = 64
SIZE_LIMIT = 20000


class Unencodable(Exception):
    """The value has no form in the vocabulary, or is too large to be worth a line."""


def encode(value, literal: bool = False) -> str:
    if isinstance(value, torch.Tensor):
        return _tensor(value, literal)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(encode(v, literal) for v in value) + "]"
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, complex):
        return repr(value)
    if isinstance(value, torch.dtype | torch.layout | torch.memory_format):
        return str(value).removeprefix("torch.")
    if isinstance(value, torch.device):
        return f"device({str(value)!r})"
    if isinstance(value, torch.Generator):
        return "generator()"
    if isinstance(value, torch.UntypedStorage):
        return f"storage({value.nbytes()})"
    raise Unencodable(type(value))


def encode_call(args, kwargs, literal: bool = False) -> str:
    parts = [encode(a, literal) for a in args]
    for name, value in kwargs.items():
        text = encode(value, literal)
        parts.append(f"**{{'from': {text}}}" if name == "from" else f"{name}={text}")
    return "(" + ", ".join(parts) + ")"


def _tensor(t: torch.Tensor, literal: bool) -> str:
    if type(t) is not torch.Tensor and type(t) is not torch.nn.Parameter:
        raise Unencodable(type(t))
    t = t.detach()
    if t.device.type == "meta":
        raise Unencodable("meta")
    if t.layout == torch.sparse_coo:
        coalesced = ", coalesced=True" if t.is_coalesced() else ""
        return f"coo({encode(t._indices(), True)}, {encode(t._values(), literal)}, {list(t.shape)}{coalesced})"
    if t.layout in (torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc):
        by_row = t.layout in (torch.sparse_csr, torch.sparse_bsr)
        outer, inner = (t.crow_indices(), t.col_indices()) if by_row else (t.ccol_indices(), t.row_indices())
        parts = [encode(outer, True), encode(inner, True), encode(t.values(), literal), str(list(t.shape))]
        return f"compressed({encode(t.layout)}, {', '.join(parts)})"
    if t.layout == torch._mkldnn:
        return f"mkldnn({_tensor(t.to_dense(), literal)})"
    if t.is_nested:
        return "nested(" + ", ".join(_tensor(p, literal) for p in t.unbind()) + ")"
    if t.is_quantized:
        if t.qscheme() != torch.per_tensor_affine:
            raise Unencodable(t.qscheme())
        dense = _tensor(t.dequantize(), literal)
        return f"quantized({dense}, {encode(t.dtype)}, {t.q_scale():g}, {t.q_zero_point()})"
    return _strided(t, literal)


def _strided(t: torch.Tensor, literal: bool) -> str:
    if t.dtype not in NAME_OF_DTYPE or t.numel() > SIZE_LIMIT:
        raise Unencodable(t.dtype)
    suffix = ""
    if t.is_conj():
        t, suffix = t.conj(), ".conj()"
    if t.is_neg():
        t, suffix = t._neg_view(), suffix + "._neg_view()"
    options = _placement(t)
    shape = ", ".join(map(str, t.shape))
    name = NAME_OF_DTYPE[t.dtype]
    if t.numel() == 0 or not t.untyped_storage().nbytes():
        return f"{name}({', '.join(filter(None, [shape, options]))}){suffix}"
    if _keep(t, literal):
        items = "[" + ", ".join(map(_number, t.reshape(-1).tolist())) + "]"
        if t.dim() == 0:
            return f"{name}({items}).reshape(()){suffix}"
        return f"{name}({', '.join(filter(None, [items, shape if t.dim() > 1 else '', options]))}){suffix}"
    return f"{name}({', '.join(filter(None, [shape, _range(t), options]))}){suffix}"


def _number(x) -> str:
    if isinstance(x, float) and math.isfinite(x) and x != int(x):
        return f"{x:.4g}"
    return repr(x)


def _keep(t: torch.Tensor, literal: bool) -> bool:
    if t.numel() > LITERAL_LIMIT:
        return False
    if literal or not (t.is_floating_point() or t.is_complex()):
        return True
    # A whole number alone is a step count, a learning rate of 1 or the like.
    return t.numel() == 1 and not t.is_complex() and float(t) == int(float(t)) if t.isfinite().all() else True


def _placement(t: torch.Tensor) -> str:
    parts = []
    if not t.is_contiguous():
        parts.append(f"stride={tuple(t.stride())}")
    if t.storage_offset() and t.storage_offset() < SIZE_LIMIT:
        parts.append(f"offset={t.storage_offset()}")
    return ", ".join(parts)


def _range(t: torch.Tensor) -> str:
    if t.is_complex():
        return "spd=True" if _is_spd(t) else ""
    if t.dtype == torch.bool:
        return ""
    if not t.is_floating_point():
        return f"lo={int(t.min())}, hi={int(t.max()) + 1}"
    if _is_spd(t):
        return "spd=True"
    x = t.double()
    x = x[x.isfinite()]
    if x.numel() == 0:
        return ""
    low, high = float(x.min()), float(x.max())
    if low >= 0 and high <= 1:
        return "lo=0, hi=1"
    return f"lo={low:.3g}, hi={max(high, low + 0.1):.3g}" if low > 0 else ""


def _is_spd(t: torch.Tensor) -> bool:
    if t.dim() < 2 or t.shape[-1] != t.shape[-2] or t.shape[-1] < 2 or t.element_size() < 4:
        return False
    return bool(torch.allclose(t, t.mH, atol=1e-4) and (torch.linalg.eigvalsh(t) > 1e-3).all())
