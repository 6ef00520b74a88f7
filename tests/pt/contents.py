"""Contents of files: what `torch.save` writes, by name."""

from __future__ import annotations

import collections
import math
import struct
from collections.abc import Callable
from typing import Any

import torch

CONTENTS: dict[str, Callable[[], Any]] = {}


def content(make: Callable[[], Any], name: str | None = None) -> Callable[[], Any]:
    name = name or make.__name__
    assert name not in CONTENTS, name
    CONTENTS[name] = make
    return make


def plain(name: str, item: Any) -> None:
    content(lambda: item, name)


def _random(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Any bits."""
    generator = torch.Generator().manual_seed(len(CONTENTS) + 1)
    n = math.prod(shape) * torch.empty(0, dtype=dtype).element_size()
    data = torch.randint(0, 256, (n,), dtype=torch.uint8, generator=generator)
    if dtype == torch.bool:
        return (data & 1).to(torch.bool).reshape(shape)
    return data.view(dtype).reshape(shape) if n else torch.empty(shape, dtype=dtype)


# Numbers, texts, bytes
LIMITS = (0, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 10**30, 2**2000, 2**2039 - 1)
for number in sorted({m for n in LIMITS for m in (n, -n, -n - 1)}):
    plain(f"int {number:#x}"[:12] + f" … {number & 0xFF:#x} of {number.bit_length()} bits", number)
for x in (0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308, 0.1):
    plain(f"float {x!r}", x)
plain("nan with a payload", struct.unpack("d", struct.pack("Q", 0x7FF8DEADBEEF0001))[0])
for truth in (True, False, None):
    plain(str(truth), truth)
for z in (1j, complex(-0.0, math.inf), complex(math.nan, 2.5)):
    plain(f"complex {z}", z)
for i, text in enumerate(
    ("", "a", "weight", "größe", "日本語", "a\0b", "😀", "lone \ud800 surrogate", "\udcff", "x" * 300)
):
    plain(f"text {i}", text)
plain("text of 70000 characters", "é" * 70000)
for i, data in enumerate((b"\0", b"abc", bytes(range(256)), b"\xff" * 1000)):
    plain(f"bytes {i}", data)
for name, item in {"bytearray": bytearray(b"\x80abc"), "empty bytearray": bytearray()}.items():
    plain(name, item)
plain("qscheme", torch.per_channel_symmetric)

# What PyTorch has beside tensors
for dtype in sorted({v for v in vars(torch).values() if isinstance(v, torch.dtype)}, key=str):
    plain(f"dtype {dtype}", dtype)
for layout in ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "_mkldnn", "jagged"):
    plain(f"layout {layout}", getattr(torch, layout))
for device in ("cpu", "cuda", "cuda:0", "cuda:7", "meta", "mps", "cpu:0"):
    plain(f"device {device}", torch.device(device))
for size in ((), (3,), (2, 0, 5), (1, 2, 3, 4)):
    plain(f"size {size}", torch.Size(size))

# Containers
plain("empty list", [])
plain("empty tuple", ())
plain("empty dict", {})
plain("empty set", set())
plain("set of one", {7})
plain("set", {(1, "a")})
plain("empty OrderedDict", collections.OrderedDict())
for n in (1, 2, 999, 1000, 1001, 2000, 2001):
    plain(f"list of {n}", list(range(n)))
    plain(f"dict of {n}", {i: -i for i in range(n)})
    plain(f"OrderedDict of {n}", collections.OrderedDict((str(i), i) for i in range(n)))
for n in (1, 2, 3, 4, 10, 1500):
    plain(f"tuple of {n}", tuple(range(n)))
plain("keys", {None: 1, "a": 2, 3: 4, 2.5: 5, True: 6, 2j: 7, (1, ("x", None)): 8, torch.float32: 9, b"raw": 10})
plain("sizes as keys", {torch.Size([1, 2]): 1, torch.Size([1]): 2})
plain("tuples as keys", {(i, "same"): (i, "same") for i in range(300)})
plain("bytes as keys", {bytes([i, i]): i for i in range(256)})
plain("counter", collections.Counter(a=3, b=0))
plain("nested", {"a": [1, (2, {"b": [None, True]})], "c": {"d": {"e": ()}}})
plain("many objects", [[i, (i,), str(i)] for i in range(300)])
plain("classes", [torch.Size, collections.OrderedDict, torch.Tensor, torch.nn.Parameter, set])


@content
def one_list_twice():
    shared = [1]
    return [shared, shared, {"again": shared}]


@content
def one_tuple_twice():
    shared = (1, "a")
    return [shared, shared, (shared, shared)]


@content
def one_dict_and_set_twice():
    d, s = {"a": 1}, {1}
    return [d, s, d, s]


@content
def one_size_twice():
    size = torch.Size([2, 3])
    return [size, size]


@content
def one_bytes_twice():
    data = b"some bytes"
    return [data, data]


@content
def equal_lists():
    return [[1], [1]]


@content
def texts_again():
    return [{"exp_avg": 1, "step": 2}, {"exp_avg": 3, "step": 4}, "step"]


@content
def texts_of_pytorchs_own():
    """The words of storages are texts like others, but their numbers are not."""
    return {"cpu": torch.zeros(2), "storage": "storage", "0": "0", "latin1": b"latin1", "torch.strided": torch.strided}


@content
def list_in_itself():
    item = [1]
    item.append(item)
    return item


@content
def dict_in_itself():
    item = {}
    item["self"] = item
    return item


@content
def ordered_dict_in_itself():
    item = collections.OrderedDict()
    item["list"] = [item]
    return item


@content
def state_dict():
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)).state_dict()


@content
def optimizer():
    model = torch.nn.Linear(3, 2)
    adam = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model(torch.ones(1, 3)).sum().backward()
    adam.step()
    return {"model": model.state_dict(), "optimizer": adam.state_dict(), "epoch": 3}


@content
def scheduler():
    sgd = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    return torch.optim.lr_scheduler.MultiStepLR(sgd, [3, 3, 5]).state_dict()


# Tensors
DTYPES = [
    getattr(torch, name)
    for name in """
    uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 bool complex32 complex64
    complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz""".split()
]
for name in ("float8_e8m0fnu", "float4_e2m1fn_x2"):
    if hasattr(torch, name):
        DTYPES.append(getattr(torch, name))
for dtype in DTYPES:
    content(lambda dtype=dtype: _random(2, 3, dtype=dtype), f"tensor of {dtype}")
    content(lambda dtype=dtype: _random(4, 6, dtype=dtype)[1:, ::2].t(), f"view of {dtype}")
    content(lambda dtype=dtype: torch.empty((2, 0), dtype=dtype), f"empty tensor of {dtype}")
    content(lambda dtype=dtype: torch.empty((2, 3), dtype=dtype, device="meta"), f"meta tensor of {dtype}")
for name in ("bits8", "bits16", "bits1x8", "bits2x4", "bits4x2"):
    dtype = getattr(torch, name)
    content(lambda dtype=dtype: _random(4, dtype=torch.uint8).view(dtype), f"tensor of {dtype}")
for n in (0, 1, 2, 3, 4, 7):
    content(lambda n=n: _random(*range(1, n + 1)), f"tensor of {n} dimensions")
content(lambda: torch.zeros(3).expand(2, 3), "expanded")
content(lambda: torch.zeros(()), "scalar")
content(lambda: _random(2, 3, 4, 5).to(memory_format=torch.channels_last), "channels last")
content(lambda: _random(10).as_strided((3, 4), (2, 1), 1), "overlapping view")
content(lambda: _random(100000), "tensor of 400000 bytes")
content(lambda: torch.zeros(2, requires_grad=True), "leaf")
content(lambda: torch.zeros(2, requires_grad=True) * 2, "no leaf")
content(lambda: torch.zeros(2, dtype=torch.complex64, requires_grad=True).conj(), "conjugate with a gradient")
content(lambda: _random(3, dtype=torch.complex64).conj(), "conjugate")
content(lambda: torch._neg_view(_random(3, dtype=torch.float64)), "negated view")
content(lambda: torch._neg_view(_random(3, dtype=torch.complex128).conj()), "negated conjugate")
content(lambda: _random(3, dtype=torch.complex64).conj().imag, "imaginary part")
content(lambda: torch.nn.Parameter(_random(2, 2)), "parameter")
content(
    lambda: torch.nn.Parameter(torch.zeros(2, dtype=torch.int64), requires_grad=False), "parameter without gradient"
)


@content
def parameter_with_attributes():
    item = torch.nn.Parameter(torch.zeros(2))
    item.tag = ["a", {"b": 1}]
    return [item, item]


@content
def tied_parameters():
    item = torch.nn.Parameter(torch.zeros(2))
    return {"a": item, "b": item, "data": item.data}


@content
def views_of_one():
    base = _random(4, 5)
    return {"base": base, "row": base[1], "column": base[:, 2], "flat": base.view(-1), "again": base}


@content
def views_of_many():
    bases = [_random(3) for _ in range(12)]
    return [bases, [b[1:] for b in reversed(bases)]]


@content
def storage():
    return _random(5).untyped_storage()


# Sparse, quantized, nested
def _coo() -> torch.Tensor:
    return torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [3.0, 4.0, 5.0], (2, 3))


content(_coo, "coo")
content(lambda: _coo().coalesce(), "coalesced coo")
content(lambda: torch.sparse_coo_tensor([[0, 2]], _random(2, 4), (3, 4)), "hybrid coo")
content(lambda: torch.sparse_coo_tensor(torch.empty(1, 0, dtype=torch.int64), torch.empty(0), (3,)), "empty coo")
content(lambda: torch.sparse_coo_tensor([[0, 1]], torch.ones(2, dtype=torch.bfloat16), (2,)), "coo of bfloat16")
for layout in (torch.sparse_csr, torch.sparse_csc):
    content(lambda layout=layout: torch.eye(4).to_sparse(layout=layout), str(layout))
    content(lambda layout=layout: torch.eye(4).expand(2, 4, 4).to_sparse(layout=layout), f"batched {layout}")
for layout in (torch.sparse_bsr, torch.sparse_bsc):
    content(lambda layout=layout: torch.eye(4).to_sparse(layout=layout, blocksize=(2, 2)), str(layout))
content(
    lambda: torch.sparse_csr_tensor(
        torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([0, 1], dtype=torch.int32), torch.ones(2), (2, 2)
    ),
    "csr of int32",
)
content(
    lambda: [torch.strided, torch.eye(2).to_sparse_csr(), torch.sparse_csr, torch.eye(3).to_sparse_csr()], "layouts"
)
for dtype in (torch.qint8, torch.quint8, torch.qint32):
    content(lambda dtype=dtype: torch.quantize_per_tensor(torch.arange(6.0), 0.1, 3, dtype), f"quantized {dtype}")
    content(
        lambda dtype=dtype: torch.quantize_per_channel(
            torch.arange(6.0).view(2, 3), torch.tensor([0.1, 0.2]).double(), torch.tensor([1, 2]), 0, dtype
        ),
        f"quantized per channel {dtype}",
    )
content(lambda: torch.quantize_per_tensor(torch.arange(6.0).view(2, 3), 0.5, 0, torch.qint8).t(), "quantized view")


@content
def nested_tensor():
    return torch._nested_tensor_from_tensor_list([torch.ones(2, 3), torch.zeros(1, 3)])
