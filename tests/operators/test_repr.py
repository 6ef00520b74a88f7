"""ctorch_tensor_repr prints what Python's repr prints, byte for byte, for every kind of tensor and every option.

The expected text is always repr(tensor) in this process, under torch.set_printoptions with the same options. A Python
tensor's address in C++ is a borrowed ctorch_tensor *. CTORCH_LIBRARY names the library; without it, it is looked for in
CTORCH_BUILD.
"""

import contextlib
import ctypes
import itertools
import math
import os
import random
import warnings
from pathlib import Path

import pytest
import torch
from torch.autograd import forward_ad

# Some kinds of tensors are deprecated or experimental, and say so when they are made.
pytestmark = pytest.mark.filterwarnings("ignore")

OPTION_NAMES = ("threshold", "edgeitems", "precision", "linewidth", "sci_mode")
SEED = 20240613
TORCH_VERSION = tuple(int(part) for part in torch.__version__.split(".")[:2])


def load_library() -> ctypes.CDLL:
    path = os.environ.get("CTORCH_LIBRARY") or Path(os.environ.get("CTORCH_BUILD", "build/cmake")) / "libctorch.so"
    library = ctypes.CDLL(str(path))
    for name in ("ctorch_tensor_repr", "ctorch_string_data", "ctorch_error_message"):
        getattr(library, name).restype = ctypes.c_void_p
    library.ctorch_string_len.restype = ctypes.c_size_t
    return library


LIBRARY = load_library()  # after torch: it is to use the LibTorch of this process


class ReprError(Exception):
    """The error that ctorch_tensor_repr answered."""


def ctorch_repr(tensor: torch.Tensor, **options) -> str:
    arguments = []
    for name in OPTION_NAMES:
        value = options.get(name)
        kind = ctypes.c_bool if name == "sci_mode" else ctypes.c_int64
        arguments.append(None if value is None else ctypes.byref(kind(value)))
    out = ctypes.c_void_p()
    error = LIBRARY.ctorch_tensor_repr(ctypes.byref(out), ctypes.c_void_p(tensor._cdata), *arguments)
    if error:
        message = ctypes.string_at(LIBRARY.ctorch_error_message(ctypes.c_void_p(error))).decode()
        LIBRARY.ctorch_error_release(ctypes.c_void_p(error))
        raise ReprError(message)
    text = ctypes.string_at(LIBRARY.ctorch_string_data(out), LIBRARY.ctorch_string_len(out)).decode()
    LIBRARY.ctorch_string_release(out)
    return text


def check(tensor: torch.Tensor, **options) -> str:
    with torch._tensor_str.printoptions(**options):
        expected = repr(tensor)
    assert ctorch_repr(tensor, **options) == expected, f"options: {options}"
    return expected


pytestmark = pytest.mark.skipif(
    TORCH_VERSION < (2, 10), reason="ctorch prints as PyTorch does since 2.9, which cannot make all these tensors yet"
)


def those_there(*names: str) -> list[torch.dtype]:
    return [getattr(torch, name) for name in names if hasattr(torch, name)]


FLOAT8 = those_there("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu")
FLOAT4 = those_there("float4_e2m1fn_x2")
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
INTS = [
    torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64,
]  # fmt: skip
COMPLEX = [torch.complex32, torch.complex64, torch.complex128]
DTYPES = [torch.bool, *INTS, *FLOATS, *FLOAT8, *FLOAT4, *COMPLEX]
# Python can only print these without elements.
SHELLS = [
    getattr(torch, name)
    for name in [
        "bits8",
        "bits16",
        "bits1x8",
        "bits2x4",
        "bits4x2",
        "qint8",
        "quint8",
        "qint32",
        "quint4x2",
        "quint2x4",
    ]
    + [f"{sign}int{bits}" for sign in ("", "u") for bits in range(1, 8)]
]

inf, nan = math.inf, math.nan
VALUES = {
    "zeros": [0.0],
    "negative_zero": [-0.0, 0.0],
    "integral": [0.0, 1.0, -2.0, 37.0, 100.0, -0.0],
    "fractions": [0.5, -1.25, 3.14159, 12.75, 0.0, -0.0625],
    "special": [inf, -inf, nan],
    "integral_special": [1.0, inf, nan, -inf, -12.0, 0.0],
    "fractions_special": [0.1, nan, -inf, inf, -0.0, 22.22],
    "ratio": [0.9, 900.0, 901.0, 899.9, 1.0],
    "wide_ratio": [0.01, 11.0, -5000.5, 0.3],
    "tiny": [1e-5, 2e-5, -3.3e-6],
    "threshold_small": [1e-4, 9.999e-5],
    "large": [1e8, 1.00000001e8, -99999999.0],
    "larger": [3e4, 6e4, 12345.0, 65504.0],
    "huge": [1e30, -2.5e35, 3e38],
    "subnormal": [1e-44, 5e-324, 6e-8],
    "rounding": [0.00005, 0.00015, 0.12345, 2.5, 1.00005, 9.99995, 99.99996],
}
SHAPES = [(), (1,), (2,), (6,), (23,), (1, 1), (3, 4), (4, 13), (2, 3, 4), (3, 1, 2, 2), (0,), (0, 3), (2, 0, 3)]
LONG_SHAPES = [(1000,), (1001,), (1001, 1), (2, 700), (8, 9, 15), (5, 6, 7, 8), (1, 2, 1, 1000)]
OPTIONS = [
    {"precision": 0},
    {"precision": 1, "sci_mode": True},
    {"precision": 2, "linewidth": 40},
    {"precision": 17, "sci_mode": False},
    {"precision": 64},
    {"sci_mode": True},
    {"sci_mode": False},
    {"linewidth": 1},
    {"linewidth": 13, "sci_mode": False},
    {"linewidth": 200},
    {"linewidth": 2**40},
    {"threshold": 0},
    {"threshold": 0, "edgeitems": 1},
    {"threshold": 3, "edgeitems": 2, "linewidth": 30},
    {"threshold": 5, "edgeitems": 5, "precision": 3, "sci_mode": True},
    {"threshold": 2, "edgeitems": 2**62},
    {"threshold": 2**62, "edgeitems": 1},
]


def fill(shape: tuple[int, ...], values: list[float], dtype: torch.dtype) -> torch.Tensor:
    """A tensor of `shape` with `values` in turn, as `dtype` can hold them."""
    numel = math.prod(shape)
    numbers = list(itertools.islice(itertools.cycle(values), numel))
    if dtype.is_complex:
        parts = torch.tensor([(a, b) for a, b in zip(numbers, reversed(numbers), strict=True)], dtype=torch.float64)
        return torch.view_as_complex(parts.reshape(numel, 2).contiguous()).reshape(shape).to(dtype)
    if dtype in INTS or dtype == torch.bool:
        bounds = (0, 1) if dtype == torch.bool else (torch.iinfo(dtype).min, torch.iinfo(dtype).max)
        whole = [0 if math.isnan(x) else int(min(max(x, bounds[0]), bounds[1])) for x in numbers]
        return torch.tensor(whole, dtype=dtype).reshape(shape)
    if dtype in FLOAT4:
        return fill(shape, values, torch.uint8).view(dtype)
    return torch.tensor(numbers, dtype=torch.float64).to(dtype).reshape(shape)


def random_bits(shape: tuple[int, ...], dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    """Any number that `dtype` has, NaNs of all kinds and subnormal ones among them."""
    numel = math.prod(shape)
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    data = torch.randint(0, 256, (numel * dtype.itemsize,), dtype=torch.uint8, generator=generator)
    return data.view(dtype).reshape(shape)


def printable(tensor: torch.Tensor) -> bool:
    return tensor.dtype not in FLOAT4 or tensor.dim() > 0


def names(parameters) -> list[str]:
    return [str(parameter).removeprefix("torch.") for parameter in parameters]


@pytest.mark.turns
@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("dtype", DTYPES, ids=names(DTYPES))
def test_values_in_all_short_shapes(dtype, values):
    for shape in SHAPES:
        tensor = fill(shape, VALUES[values], dtype)
        if printable(tensor):
            check(tensor)


@pytest.mark.turns
@pytest.mark.parametrize("shape", LONG_SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=names(DTYPES))
def test_long_shapes(dtype, shape):
    check(fill(shape, VALUES["fractions_special"], dtype))
    check(random_bits(shape, dtype, torch.Generator().manual_seed(SEED)), linewidth=120)


@pytest.mark.turns
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=names(DTYPES))
def test_options(dtype, options):
    for values in ("integral", "fractions_special", "wide_ratio", "huge", "special", "rounding"):
        for shape in [(), (1,), (11,), (4, 5), (2, 9, 3)]:
            tensor = fill(shape, VALUES[values], dtype)
            if printable(tensor):
                check(tensor, **options)


@pytest.mark.parametrize("dtype", [*FLOAT8, *FLOAT4], ids=str)
def test_all_numbers_of_a_byte(dtype):
    numbers = torch.arange(256, dtype=torch.uint8).view(dtype)
    check(numbers)
    for i in range(256):
        check(numbers[i : i + 1])
        check(numbers[i // 16 : i // 16 + 2], sci_mode=False)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_numbers_of_two_bytes_alone(dtype):
    bits = torch.arange(0, 65536, 61, dtype=torch.int32).to(torch.uint16)
    for number in bits.view(dtype).split(1):
        check(number[0])


@pytest.mark.turns
@pytest.mark.parametrize("case", range(300))
def test_random(case):
    rng = random.Random(SEED + case)
    generator = torch.Generator().manual_seed(SEED + case)
    dtype = rng.choice(DTYPES)
    shape = tuple(rng.choice([1, 1, 2, 3, 5, 8, 14]) for _ in range(rng.randint(1, 4)))
    if rng.random() < 0.5 or not (dtype in FLOATS or dtype.is_complex):
        tensor = random_bits(shape, dtype, generator)
    else:
        scale = 10.0 ** rng.uniform(-7, 10)
        tensor = (torch.randn(shape, dtype=torch.complex128, generator=generator) * scale).to(
            dtype if dtype.is_complex else torch.complex128
        )
        tensor = tensor if dtype.is_complex else tensor.real.to(dtype)
    if rng.random() < 0.3:
        tensor = tensor.transpose(0, -1)
    if rng.random() < 0.3:
        tensor = tensor[..., ::2]
    options = {
        "threshold": rng.choice([0, 1, 10, 100, 1000]),
        "edgeitems": rng.choice([1, 2, 3, 7]),
        "precision": rng.choice([0, 1, 3, 4, 8, 15, 20]),
        "linewidth": rng.choice([1, 20, 50, 80, 120, 300]),
        "sci_mode": rng.choice([None, True, False]),
    }
    check(tensor, **options)


def test_integers_wider_than_the_line():
    check(torch.tensor([2**63 - 1, -(2**63)]), linewidth=10)
    check(torch.tensor([2**64 - 1, 0, 2**63], dtype=torch.uint64))
    check(torch.full((50,), -(2**63)))


def test_doubles_at_the_ends_of_the_range():
    for value in (1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, 2.0**53 + 2, 1e16, 1e22, 0.1):
        for options in ({}, {"sci_mode": False, "precision": 64}, {"sci_mode": True, "precision": 64}):
            check(torch.tensor([value, -value], dtype=torch.float64), **options)


@pytest.mark.parametrize("dtype", [*DTYPES, *SHELLS], ids=str)
def test_no_elements_and_meta(dtype):
    for shape in [(0,), (0, 3), (2, 0)]:
        check(torch.empty(math.prod(shape) * dtype.itemsize, dtype=torch.uint8).view(dtype).reshape(shape))
    if not str(dtype).startswith("torch.q"):
        for shape in [(), (3,), (0,), (2, 3)]:
            check(torch.empty(shape, dtype=dtype, device="meta"))
            check(torch.empty(shape, dtype=dtype, device="meta"), linewidth=20)


@pytest.mark.parametrize("dtype", SHELLS, ids=str)
def test_what_python_cannot_print_shows_its_bytes(dtype):
    tensor = torch.tensor([1, 0, 0, 0, 0, 0, 0, 0], dtype=torch.uint8).view(dtype)
    with pytest.raises(NotImplementedError):
        repr(tensor)
    numbers = ", ".join(["1"] + ["0"] * (len(tensor) - 1))
    assert ctorch_repr(tensor, linewidth=100) == f"tensor([{numbers}], dtype={dtype})"


@pytest.mark.parametrize("default", FLOATS, ids=str)
def test_default_dtype(default):
    before = torch.get_default_dtype()
    torch.set_default_dtype(default)
    try:
        for dtype in DTYPES:
            for shape in [(2,), (0,), (0, 2)]:
                check(fill(shape, VALUES["fractions"], dtype))
            check(torch.empty(2, dtype=dtype, device="meta"))
        check(torch.eye(2).to_sparse())
    finally:
        torch.set_default_dtype(before)


def test_views():
    base = torch.arange(48, dtype=torch.float32).reshape(2, 4, 6) / 7
    for view in (base.T, base[1], base[:, 1:3, ::2], base.permute(2, 0, 1), base.expand(3, 2, 4, 6), base[0, 0, 0]):
        check(view)
        check(view, threshold=4, edgeitems=1)
    check(torch.tensor([1.5]).expand(10**15))
    check(torch.tensor(7).expand(10**6, 10**6))
    check(torch.arange(10).as_strided((3, 4), (2, 1), 1))
    check(torch._lazy_clone(base))
    with torch.inference_mode():
        check(torch.ones(2, 2))


@pytest.mark.parametrize("dtype", COMPLEX, ids=str)
def test_conjugate_and_negative_views(dtype):
    for values in ("integral", "fractions_special", "wide_ratio"):
        base = fill((3, 5), VALUES[values], dtype)
        for view in (base.conj(), base.conj().imag, base.imag, torch._neg_view(base), torch._neg_view(base.conj()).mH):
            check(view)
            check(view, threshold=2, edgeitems=1)
        check(base[0, 0].conj())


@pytest.mark.parametrize("dtype", [*FLOATS, torch.uint8, *(d for d in INTS if d.is_signed)], ids=str)
def test_negative_view_of_real_numbers(dtype):
    lowest = [float(torch.iinfo(dtype).min)] if dtype in INTS else [nan]
    check(torch._neg_view(fill((7,), [0.0, 1.0, 2.5, *lowest], dtype)))


def test_zero_tensor():
    for shape in [(), (3,), (2000,)]:
        check(torch._efficientzerotensor(shape))
    check(torch._efficientzerotensor((3,), dtype=torch.complex64).conj())


def test_requires_grad_and_grad_fn():
    x = torch.randn(2, 3, generator=torch.Generator().manual_seed(SEED), requires_grad=True)
    y = x.clone()
    y[0] = 1.0

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, value):
            return value * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    results = [
        x,
        x + 1,
        x * 2.0,
        x.view(-1),
        x.T,
        x.sum(),
        x @ x.T,
        x[0],
        x.unbind(0)[1],
        x.double(),
        y,
        y[0],
        x.relu(),
    ]
    results += [Twice.apply(x), x.to_sparse(), x.detach(), (x * 1j).conj(), (x * 1j).imag, x.expand(900, 2, 3)]
    results += [torch.nn.functional.layer_norm(x, (3,)), torch.linalg.svd(x)[1], x.cumsum(0), x[x > 100], x.max(0)[0]]
    results += [torch.empty(0, 2, requires_grad=True), torch.empty(2, device="meta", requires_grad=True) * 2]
    for tensor in results:
        check(tensor)
        check(tensor, linewidth=30)
    assert "grad_fn=<TwiceBackward>" in repr(Twice.apply(x)) and "CopySlices" in repr(y)


def test_nodes_of_the_engine():
    x = torch.ones(1, requires_grad=True)
    assert "grad_fn=<Error>" in check(torch._C._functions.DelayedError("no", 1)(x * 1))
    assert "UndefinedGrad" in check(torch._C._functions.UndefinedGrad()(x * 1))
    module = torch.nn.Linear(1, 1)
    module.weight.data.fill_(2.0)
    module.bias.data.fill_(1.0)
    module.register_full_backward_hook(lambda *_: None)
    assert "BackwardHookFunctionBackward" in check(module(x))


def test_view_whose_history_cannot_be_rebased():
    x = torch.randn(2, generator=torch.Generator().manual_seed(SEED), requires_grad=True)
    with torch.no_grad():
        view = x.view(-1)
    base = x.clone()
    with torch.no_grad():
        no_grad_view = base[:1]
    base.add_(1)
    for tensor in (view, no_grad_view):
        check(tensor)
    first, second = (x * 1).split(1)
    with torch.no_grad():
        leaf_view = torch.zeros(2)[:1]
    leaf_view.requires_grad_()
    check(leaf_view)
    check(first)
    check(second)


def test_invalid_grad_fn():
    x = torch.ones(2)
    with torch.no_grad():
        view = x.view(2)
    x.mul_(torch.ones(2, requires_grad=True))
    assert "grad_fn=<Invalid>" in check(view)


def sparse_cases():
    dense = torch.zeros(4, 6)
    dense[0, 1], dense[2, 3], dense[3, 5] = 1.5, -2.25, 1000.125
    for dtype in (torch.float32, torch.float64, torch.int64, torch.int16, torch.bool, torch.complex64, torch.bfloat16):
        typed = dense.to(dtype)
        yield typed.to_sparse()
        yield typed.to_sparse_csr()
        yield typed.to_sparse_csc()
        yield typed.to_sparse_bsr((2, 3))
        yield typed.to_sparse_bsc((2, 3))
    yield torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), torch.tensor([1.0, 2.0]), (2, 2))  # not coalesced
    yield torch.sparse_coo_tensor(torch.tensor([[0, 2]]), torch.ones(2, 3), (3, 3))  # hybrid
    yield torch.sparse_coo_tensor(torch.tensor([[0, 2]]), torch.ones(2, 0), (3, 0))
    yield torch.sparse_coo_tensor(size=(2, 3))
    yield torch.sparse_coo_tensor(size=())
    yield torch.sparse_coo_tensor(torch.empty(0, 1, dtype=torch.int64), torch.tensor([4.0]), ())
    yield torch.sparse_csr_tensor(torch.zeros(3, dtype=torch.int32), torch.empty(0, dtype=torch.int32), [], (2, 3))
    yield torch.stack([dense, dense]).to_sparse_csr()
    yield torch.ones(60, 60).to_sparse()
    yield torch.ones(60, 60).to_sparse_csr()
    yield dense.to_sparse().requires_grad_()
    yield dense.to_sparse().requires_grad_() * 2
    yield dense.to_sparse_csr().requires_grad_()
    yield dense.to(torch.complex64).to_sparse().conj()
    yield dense.to_sparse().to("meta")
    yield dense.to_sparse_csr().to("meta")


def test_sparse():
    for tensor in sparse_cases():
        for options in ({}, {"linewidth": 40}, {"threshold": 2, "edgeitems": 1}, {"precision": 1, "sci_mode": True}):
            check(tensor, **options)


def quantized_cases():
    values = torch.tensor([[-1.0, 0.0, 1.37], [2.0, 100.25, -3.5]])
    for dtype in (torch.qint8, torch.quint8, torch.qint32):
        for scale in (0.1, 1.0, 1e-5, 1e16, 3.0e-7, 1 / 3):
            yield torch.quantize_per_tensor(values, scale, 3, dtype)
        scales = torch.tensor([0.1, 0.01], dtype=torch.float64)
        yield torch.quantize_per_channel(values, scales, torch.tensor([0, 2]), 0, dtype)
    float_zero_points = torch.tensor([0.5, 2.0])
    yield torch.quantize_per_channel(values, torch.tensor([0.1, 0.2]), float_zero_points, 0, torch.quint8)
    yield torch.quantize_per_channel(values, torch.tensor([0.1, 0.2]), float_zero_points, 0, torch.quint4x2)
    yield torch.quantize_per_tensor(torch.randn(40, 40), 0.1, 0, torch.qint8)
    yield torch.quantize_per_tensor(torch.empty(0, 2), 0.1, 0, torch.qint8)
    yield torch.quantize_per_tensor(torch.tensor(1.0), 0.1, 0, torch.qint8)


def test_quantized():
    for tensor in quantized_cases():
        for options in ({}, {"linewidth": 50}, {"precision": 2, "sci_mode": True}, {"threshold": 3, "edgeitems": 1}):
            check(tensor, **options)


def test_nested():
    parts = [torch.arange(3.0), torch.arange(2.0) / 3]
    cases = [
        torch.nested.nested_tensor(parts),
        torch.nested.nested_tensor([part.double() for part in parts]),
        torch.nested.nested_tensor(parts, requires_grad=True),
        torch.nested.nested_tensor(parts, requires_grad=True) * 2,
        torch.nested.nested_tensor([torch.ones(2, 3), torch.zeros(1, 2)]),
        torch.nested.nested_tensor([torch.ones(2, 2, 3), torch.zeros(3, 1, 2)]),
        torch.nested.nested_tensor([torch.ones(0), torch.tensor([5.0])]),
        torch.nested.nested_tensor([]),
        torch.nested.nested_tensor([torch.tensor([1, 2]), torch.tensor([3])]),
    ]
    for tensor in cases:
        check(tensor)
        check(tensor, linewidth=20, precision=1)


def test_mkldnn():
    if torch.backends.mkldnn.is_available():
        assert "torch._mkldnn" in check(torch.ones(2, 3).to_mkldnn())


def test_forward_mode_dual():
    with forward_ad.dual_level():
        for dtype in (torch.float32, torch.float64, torch.complex64):
            for shape in [(), (2,), (30,), (2, 2)]:
                for values in ("fractions", "integral", "tiny", "huge", "special"):
                    primal = fill(shape, [1.0, 2.5], dtype)
                    dual = forward_ad.make_dual(primal, fill(shape, VALUES[values], dtype))
                    for tensor in (dual, dual * 2, dual.reshape(-1), dual.sum()):
                        assert "tangent=" in check(tensor)
        for number in (1e16, 123456789012345678.0, 9999999999999998.0, 1e-4, 9.9e-5, 0.1, 1e15, -0.0, 1e300, 2.0**60):
            for value in (
                number,
                complex(number, -1.5),
                complex(-0.0, number),
                complex(0.0, number),
                complex(nan, -inf),
            ):
                tangent = torch.tensor(value)
                tangent = tangent.to(torch.complex128 if tangent.is_complex() else torch.float64)
                check(forward_ad.make_dual(torch.ones_like(tangent), tangent))
        check(forward_ad.make_dual(torch.ones(2, requires_grad=True) * 2, torch.ones(2)))
    check(dual)


def test_functorch_wrappers():
    seen = []

    def record(tensor):
        seen.append(check(tensor))
        return tensor * 1

    torch.vmap(record)(torch.arange(6.0).reshape(2, 3))
    torch.vmap(torch.vmap(record), in_dims=1)(torch.arange(24).reshape(2, 3, 4))
    torch.vmap(lambda x: record(x * torch.ones(2)))(torch.arange(2.0))
    torch.func.functionalize(record)(torch.ones(2))
    assert [text.split("(")[0] for text in seen] == ["BatchedTensor"] * 3 + ["FunctionalTensor"]


def test_functorch_wrappers_of_derivatives():
    seen = []

    def record(tensor):
        seen.append(check(tensor))
        return tensor * 2

    def loss(tensor):
        return record(record(tensor)).sum()

    torch.func.grad(loss)(torch.ones(3))
    torch.func.grad(loss)(torch.arange(40.0).reshape(2, 20))
    torch.func.grad(torch.func.grad(loss))(torch.tensor(1.5, dtype=torch.float64))
    torch.func.vmap(torch.func.grad(loss))(torch.zeros(2, 3))
    torch.func.jvp(record, (torch.ones(2),), (torch.ones(2),))
    torch.func.jacfwd(torch.func.jacrev(loss))(torch.ones(2))
    assert {text.split("(")[0] for text in seen} == {"GradTrackingTensor"}
    assert any("lvl=2" in text and "BatchedTensor" in text for text in seen)


def test_functorch_wrappers_that_outlive_their_transform():
    kept = []

    def keep(tensor):
        kept.append(tensor)
        return (tensor * 2).sum()

    torch.func.grad(keep)(torch.ones(3))
    torch.vmap(keep)(torch.ones(3, 2))
    torch.vmap(torch.func.grad(keep))(torch.ones(3, 2))
    torch.func.grad(lambda x: torch.vmap(keep)(x).sum())(torch.ones(3, 2))
    texts = [check(tensor) for tensor in kept]
    assert texts[0].startswith("GradTrackingTensor(lvl=-2, value=")
    assert texts[1].startswith("BatchedTensor(lvl=1, bdim=0, value=")


def test_functional_tensor():
    functional = torch._to_functional_tensor(torch.arange(3.0))
    check(functional)
    functional.add_(1)
    torch._sync(functional)
    check(functional)


def test_storage_without_the_memory_is_an_error():
    tensor = torch.ones(3)
    tensor.untyped_storage().resize_(4)
    with pytest.raises(ReprError, match="storage"):
        ctorch_repr(tensor)
    with torch._subclasses.FakeTensorMode(), contextlib.suppress(ReprError):
        ctorch_repr(torch.ones(2))


def test_scalar_of_shell_dtype_and_quantized_meta_do_not_crash():
    byte = torch.tensor([3], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)[0]
    assert ctorch_repr(byte) == "tensor(3., dtype=torch.float4_e2m1fn_x2)"
    with warnings.catch_warnings(action="ignore"):
        tensor = torch.empty(2, 3, dtype=torch.qint8, device="meta")
    assert ctorch_repr(tensor) == "tensor(..., device='meta', size=(2, 3), dtype=torch.qint8)"


def test_undefined_is_none():
    out = ctypes.c_void_p()
    assert not LIBRARY.ctorch_tensor_repr(ctypes.byref(out), None, None, None, None, None, None)
    assert ctypes.string_at(LIBRARY.ctorch_string_data(out)) == b"None"
    LIBRARY.ctorch_string_release(out)
