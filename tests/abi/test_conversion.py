"""What tensors are converted to and made of: the functions of tensor.h and sparse.h, and the operators that their
overviews name instead of a function. The expected value is always Python's, in the same process."""

import itertools
import random
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.harness.capi import CtorchError, ffi, handle, handles, lib, ok, out, tensor
from tests.harness.exceptions import kind_of, same_kind

pytestmark = pytest.mark.filterwarnings("ignore")

SEED = 20240613
T = torch.tensor
LAYOUTS = [torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc]


def enumerator(kind, value):
    name = str(value).removeprefix("torch.").removesuffix("_format").upper()
    return getattr(lib.c, f"CTORCH_{kind}_{name}")


def some(kind, value):
    """An optional enumerator."""
    return ffi.NULL if value is None else ffi.new("int32_t *", enumerator(kind, value))


def some_bool(value):
    return ffi.NULL if value is None else ffi.new("bool *", value)


def some_device(name):
    return ffi.NULL if name is None else ffi.new("ctorch_device *", {"type": {"cpu": 0, "meta": 14}[name], "index": -1})


def operator(name, *args):
    """The only result of an operator."""
    y = out("ctorch_tensor *")
    ok(getattr(lib, f"ctorch_aten_{name}")(y, *(handle(a) if isinstance(a, torch.Tensor) else a for a in args)))
    return tensor(y[0])


def ints(values):
    return (ffi.NULL, 0) if values is None else (ffi.new("int64_t[]", values), len(values))


def parts(x):
    if x.layout == torch.sparse_coo:
        return [x._indices(), x._values()]
    if x.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [x.crow_indices(), x.col_indices(), x.values()]
    return [x.ccol_indices(), x.row_indices(), x.values()]


def facts(x):
    """Everything one can see of a tensor, comparable with ==."""
    seen = [x.dtype, x.layout, x.device, x.dim(), x.requires_grad, type(x.grad_fn).__name__]
    if x.is_nested:
        return seen + [facts(t) for t in x.unbind()]
    seen.append(tuple(x.shape))
    if x.layout in (torch.sparse_coo, *LAYOUTS):
        return seen + [facts(p.detach()) for p in parts(x)] + [x.layout == torch.sparse_coo and x.is_coalesced()]
    if x.layout != torch.strided:
        return seen + [facts(x.to_dense())]
    seen += [x.stride(), x.storage_offset(), x.is_conj(), x.is_neg(), x.is_inference()]
    if x.is_quantized:
        seen.append(x.qscheme())
        if "channel" in str(x.qscheme()):
            seen += [x.q_per_channel_axis(), *map(facts, (x.q_per_channel_scales(), x.q_per_channel_zero_points()))]
        else:
            seen += [x.q_scale(), x.q_zero_point()]
        return seen + [x.int_repr().tolist()]
    return seen if x.is_meta else [*seen, repr(x.tolist())]


def answer(action):
    try:
        return "ok", action()
    except CtorchError as error:
        return "error", error.kind, error.message
    except Exception as error:
        return "error", kind_of(error), str(error)


def same(ours, theirs):
    if ours[0] == "error" and theirs[0] == "error":
        return same_kind(ours[1], theirs[1]) and ours[2].replace("CPUFloatType", "torch.FloatTensor") == theirs[2]
    return ours == theirs


def numbers(*shape, dtype=torch.float32):
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float64).reshape(shape).to(dtype)


def inference(make):
    with torch.inference_mode():
        return make()


KINDS = {
    "float32": lambda: numbers(2, 3),
    "float64": lambda: numbers(2, 3, dtype=torch.float64),
    "int64": lambda: numbers(5, dtype=torch.int64),
    "bool": lambda: numbers(3) > 1,
    "bfloat16": lambda: numbers(3, 2, dtype=torch.bfloat16),
    "complex64": lambda: numbers(3, 2, dtype=torch.complex64),
    "conj": lambda: torch.complex(numbers(3), numbers(3)).conj(),
    "neg": lambda: torch.complex(numbers(3), numbers(3)).conj().imag,
    "scalar": lambda: T(2.5),
    "empty": lambda: numbers(0, 4),
    "transposed": lambda: numbers(3, 4).T,
    "expanded": lambda: numbers(1, 4).expand(3, 4),
    "stepped": lambda: numbers(6, 8)[::2, 1::3],
    "images": lambda: numbers(2, 3, 4, 5),
    "channels_last": lambda: numbers(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "volumes": lambda: numbers(2, 3, 4, 5, 2),
    "channels_last_3d": lambda: numbers(2, 3, 4, 5, 2).to(memory_format=torch.channels_last_3d),
    "grad": lambda: numbers(2, 3).requires_grad_(),
    "grad_fn": lambda: numbers(2, 3).requires_grad_() * 2,
    "inference": lambda: inference(lambda: numbers(2, 3)),
    "meta": lambda: torch.empty(2, 3, device="meta"),
    "meta_channels_last": lambda: torch.empty(2, 3, 4, 5, device="meta").to(memory_format=torch.channels_last),
    "coo": lambda: numbers(3, 4).to_sparse(),
    "uncoalesced": lambda: torch.sparse_coo_tensor([[0, 0, 1]], [1.0, 2.0, 3.0], (2,)),
    "csr": lambda: numbers(3, 4).to_sparse_csr(),
    "csc": lambda: numbers(3, 4).to_sparse_csc(),
    "bsr": lambda: numbers(4, 4).to_sparse_bsr((2, 2)),
    "bsc": lambda: numbers(4, 4).to_sparse_bsc((2, 2)),
    "quantized": lambda: torch.quantize_per_tensor(numbers(2, 3), 0.5, 3, torch.quint8),
    "per_channel": lambda: torch.quantize_per_channel(numbers(2, 3), T([0.5, 0.25]), T([0, 1]), 0, torch.qint8),
    "nested": lambda: torch.nested.nested_tensor([numbers(2, 3), numbers(4, 3)]),
    "mkldnn": lambda: numbers(2, 3).to_mkldnn(),
    "float8": lambda: numbers(2, 3).to(torch.float8_e4m3fn),
    "complex32": lambda: numbers(2, 3, dtype=torch.complex32),
}


# Accessors


@pytest.mark.parametrize("name", KINDS)
def test_accessors_answer_what_python_does(name):
    x = KINDS[name]()
    assert lib.ctorch_tensor_device_type(handle(x)) == (14 if x.is_meta else 0)
    assert lib.ctorch_tensor_is_quantized(handle(x)) == x.is_quantized
    assert lib.ctorch_tensor_is_nested(handle(x)) == x.is_nested
    if x.layout != torch._mkldnn:
        assert lib.ctorch_tensor_layout(handle(x)) == enumerator("LAYOUT", x.layout)
    for predicate in ("is_complex", "is_floating_point", "is_signed", "is_conj", "is_neg", "is_inference"):
        ours = out("bool")
        theirs = answer(getattr(x, predicate))
        assert same(
            answer(lambda p=predicate: ok(getattr(lib, f"ctorch_aten_{p}")(ours, handle(x))) or ours[0]), theirs
        )
    if not x.is_nested and x.layout == torch.strided:
        expected = torch._prims_common.suggest_memory_format(x)
        assert lib.ctorch_tensor_suggested_memory_format(handle(x)) == enumerator("MEMORY_FORMAT", expected)
        for form in (torch.contiguous_format, torch.channels_last, torch.channels_last_3d, torch.preserve_format):
            ours = out("bool")
            number = enumerator("MEMORY_FORMAT", form)
            call = lambda: ok(lib.ctorch_aten_is_contiguous_memory_format(ours, handle(x), number)) or ours[0]  # noqa: E731, B023
            assert same(answer(call), answer(lambda form=form: x.is_contiguous(memory_format=form)))


@pytest.mark.parametrize("name", KINDS)
def test_bytes_of_the_elements_are_pythons(name):
    x = KINDS[name]()
    if x.is_sparse or x.layout in LAYOUTS:  # which Python has no nbytes for
        expected = sum(p.nbytes for p in parts(x))
    else:
        expected = x.nbytes
    assert lib.ctorch_tensor_nbytes(handle(x)) == expected


def test_bytes_of_the_memory_are_those_of_everything_behind_the_tensor():
    def memory(x):
        return lib.ctorch_tensor_memory_nbytes(handle(x))

    base = numbers(100, 10)
    assert memory(base) == memory(base[3, 4]) == memory(base.T[::2]) == 4000
    assert memory(numbers(1, 4).expand(3000, 4)) == 16
    assert memory(numbers(0, 4)) == numbers(0, 4).untyped_storage().nbytes() == 0
    assert memory(torch.empty(10**12, device="meta")) == 0
    dense = numbers(6, 8)
    dense[0] = 0
    assert memory(dense.to_sparse()) == 40 * (2 * 8 + 4)
    assert memory(torch.sparse_coo_tensor(T([[0, 1]]), base[:2, 0], (5,))) >= 16 + 4000  # it keeps the values' storage
    for x in (dense.to_sparse_csr(), dense.to_sparse_bsc((2, 4))):
        assert memory(x) == sum(p.untyped_storage().nbytes() for p in parts(x)) >= sum(p.nbytes for p in parts(x))
    assert memory(torch.quantize_per_tensor(numbers(3, 5), 0.5, 3, torch.qint32)) == 15 * 4
    assert memory(KINDS["per_channel"]()) == 6 + 2 * 8 + 2 * 8
    assert memory(torch.nested.nested_tensor([numbers(2, 3), numbers(4, 3)])) == 18 * 4
    assert memory(numbers(2, 3).to_mkldnn()) == 24
    assert memory(None) == lib.ctorch_tensor_nbytes(ffi.NULL) == 0


# to


def to(x, dtype=None, device=None, copy=False, non_blocking=False, memory_format=None):
    y = out("ctorch_tensor *")
    given = some("DTYPE", dtype), some_device(device), non_blocking, copy, some("MEMORY_FORMAT", memory_format)
    ok(lib.ctorch_tensor_to(y, handle(x), *given))
    return tensor(y[0])


def to_other(x, other, copy=False, non_blocking=False, memory_format=None):
    y = out("ctorch_tensor *")
    given = non_blocking, copy, some("MEMORY_FORMAT", memory_format)
    ok(lib.ctorch_tensor_to_other(y, handle(x), handle(other), *given))
    return tensor(y[0])


@pytest.mark.parametrize("name", KINDS)
def test_to_is_pythons_in_every_argument(name):
    x = KINDS[name]()
    for dtype, device, copy, form in itertools.product(
        [None, torch.float32, torch.float64, torch.int8, torch.complex64, torch.bool],
        [None, "cpu", "meta"],
        [False, True],
        [None, torch.preserve_format, torch.contiguous_format, torch.channels_last, torch.channels_last_3d],
    ):
        asked = {"dtype": dtype, "device": device, "copy": copy, "memory_format": form}
        given = {k: v for k, v in asked.items() if v is not None}
        theirs = answer(lambda given=given: x.to(**given))
        ours = answer(lambda asked=asked: to(x, **asked))
        if theirs[0] == "ok" and ours[0] == "ok":
            assert (ours[1] is x) == (theirs[1] is x), asked
            assert facts(ours[1]) == facts(theirs[1]), asked
        else:
            assert same(ours, theirs), (asked, ours, theirs)


@pytest.mark.parametrize("other", KINDS)
def test_to_other_is_pythons(other):
    y = KINDS[other]()
    for name, copy in itertools.product(("float32", "int64", "meta", "channels_last", "complex64"), (False, True)):
        x = KINDS[name]()
        theirs = answer(lambda x=x, copy=copy: facts(x.to(y, copy=copy)))
        ours = answer(lambda x=x, copy=copy: facts(to_other(x, y, copy)))
        assert same(ours, theirs)


def test_pinned_memory_is_as_in_python():
    x = numbers(3)
    pinned = out("bool")
    ok(lib.ctorch_aten_is_pinned(pinned, handle(x), ffi.NULL))
    assert pinned[0] is False is x.is_pinned()
    theirs = answer(lambda: facts(x.pin_memory()))
    assert same(answer(lambda: facts(operator("pin_memory", x, ffi.NULL))), theirs)


# Complex numbers


def test_complex_views_are_pythons_and_share_memory():
    x = torch.complex(numbers(2, 3), -numbers(2, 3))
    for name, python in {"view_as_real": torch.view_as_real, "real": torch.real, "imag": torch.imag}.items():
        ours = operator(name, x)
        assert facts(ours) == facts(python(x)) and ours.data_ptr() == python(x).data_ptr()
    pairs = numbers(4, 2)
    assert facts(operator("view_as_complex", pairs)) == facts(torch.view_as_complex(pairs))
    for name in ("resolve_conj", "resolve_neg"):
        for y in (x.conj(), x.conj().imag, x):
            assert facts(operator(name, y)) == facts(getattr(y, name)())
    for bad in (numbers(3), numbers(2, 3).to(torch.int32), x.conj()):
        theirs = answer(lambda bad=bad: facts(torch.view_as_real(bad)))
        assert theirs[0] == "error" and same(answer(lambda bad=bad: operator("view_as_real", bad)), theirs)


# Sparse tensors


def coo(indices, values, size=None, dtype=None, device=None, is_coalesced=None):
    y = out("ctorch_tensor *")
    optional = some("DTYPE", dtype), some_device(device), some_bool(is_coalesced)
    ok(lib.ctorch_tensor_sparse_coo(y, handle(indices), handle(values), *ints(size), *optional))
    return tensor(y[0])


def compressed(layout, rows, columns, values, size=None, dtype=None, device=None):
    y = out("ctorch_tensor *")
    number = enumerator("LAYOUT", layout)
    given = handle(rows), handle(columns), handle(values), *ints(size), number
    ok(lib.ctorch_tensor_sparse_compressed(y, *given, some("DTYPE", dtype), some_device(device)))
    return tensor(y[0])


IJ, V = T([[0, 1], [1, 2]]), T([1.0, 2.0])
COO = [
    ((IJ, V), {}), ((IJ, V, [2, 3]), {}), ((IJ, V, [4, 9]), {}), ((IJ.int(), V, [2, 3]), {}), ((IJ.short(), V), {}),
    ((IJ, V), {"dtype": torch.int16}), ((IJ, V, [2, 3]), {"is_coalesced": True}),
    ((IJ, V, [2, 3]), {"is_coalesced": False}), ((T([[1, 0], [1, 2]]), V, [2, 3]), {}),
    ((T([[1, 0], [1, 2]]), V, [2, 3]), {"is_coalesced": True}), ((T([[0, 0], [1, 1]]), V), {"is_coalesced": True}),
    ((IJ, numbers(2, 3), [2, 3, 3]), {}), ((IJ, numbers(2, 3)), {}), ((IJ, V.to(torch.complex64), [2, 3]), {}),
    ((IJ, V.bool(), [2, 3]), {}), ((IJ, V.bfloat16(), [2, 3]), {}),
    ((torch.empty(2, 0, dtype=torch.int64), torch.empty(0), [2, 3]), {}),
    ((torch.empty(0, 1, dtype=torch.int64), V[:1], []), {}),
    ((torch.empty(2, 0, dtype=torch.int64), torch.empty(0)), {}), ((T([[0, 5], [1, 2]]), V, [2, 3]), {}),
    ((T([[0, -1], [1, 2]]), V, [2, 3]), {}), ((T([[0, -1], [1, 2]]), V), {}),
    ((T([[0, 2**62], [1, 2]]), V, [2, 3]), {}), ((IJ, V, [2]), {}), ((IJ, V, [2, 3, 4]), {}), ((IJ, V, []), {}),
    ((IJ, V, [2, -3]), {}), ((IJ, V, [-2, 3]), {}), ((IJ, torch.ones(3), [2, 3]), {}), ((IJ, torch.ones(3)), {}),
    ((T([0, 1]), V, [2, 3]), {}), ((T([0, 1]), V), {}), ((T(0), V, [2]), {}), ((IJ, T(1.0), [2, 3]), {}),
    ((IJ[None], V, [2, 3]), {}), ((IJ, torch.empty(0), [2, 3]), {}), ((IJ, torch.empty(2, 0), [2, 3, 0]), {}),
    ((IJ, torch.empty(2, 0), [2, 3, 1]), {}), ((IJ, V, [2**62, 2**62]), {}),
]  # fmt: skip


def test_a_coordinate_tensor_is_pythons():
    answers = []
    for args, options in COO:
        theirs = answer(lambda: facts(torch.sparse_coo_tensor(*args, **options, check_invariants=True)))  # noqa: B023
        ours = answer(lambda: facts(coo(*args, **options)))  # noqa: B023
        assert same(ours, theirs), f"{args} {options}\n{ours}\n{theirs}"
        answers.append(theirs[0])
    assert answers.count("ok") >= 15 and answers.count("error") >= 15


C, P = T([0, 2, 3, 3]), T([0, 2, 1])
W = T([1.0, 2.0, 3.0])
B = numbers(3, 2, 2)
COMPRESSED = [
    ((C, P, W), {}), ((C, P, W, [3, 3]), {}), ((C, P, W, [3, 9]), {}), ((C.int(), P.int(), W, [3, 3]), {}),
    ((C, P, W), {"dtype": torch.float64}), ((C, P, W.to(torch.complex64)), {}), ((C, P, W.bool(), [3, 3]), {}),
    ((C.expand(2, 4), P.expand(2, 3), W.expand(2, 3), [2, 3, 3]), {}), ((C, P, numbers(3, 5), [3, 3, 5]), {}),
    ((C, P, B, [6, 6]), {}), ((C, P, B), {}), ((C.int(), P.int(), B.double(), [6, 6]), {}),
    ((C, P, B), {"dtype": torch.int8}), ((C, P, B[:, :1], [3, 6]), {}), ((C, P, B[:, :1], [6, 3]), {}),
    ((C, P, B[..., None].expand(3, 2, 2, 5), [6, 6, 5]), {}), ((C, P, B, [6, 7]), {}), ((C, P, B, [6, 4]), {}),
    ((C, P, B[:2], [6, 6]), {}), ((T([0, 0]), torch.empty(0, dtype=torch.int64), torch.empty(0), [1, 3]), {}),
    ((C.int(), P, W, [3, 3]), {}), ((T([0, 4, 3, 3]), P, W, [3, 3]), {}), ((T([1, 2, 3, 3]), P, W, [3, 3]), {}),
    ((T([0, 2, 3, 2]), P, W, [3, 3]), {}), ((T([0, 2, 1, 3]), P, W, [3, 3]), {}), ((C, T([0, 3, 1]), W, [3, 3]), {}),
    ((C, T([0, -1, 1]), W, [3, 3]), {}), ((C, T([2, 0, 1]), W, [3, 3]), {}), ((C, T([0, 0, 1]), W, [3, 3]), {}),
    ((C, T([0, 2**62, 1]), W), {}), ((C, P, W, [4, 3]), {}), ((C, P, W, [3]), {}), ((C, P, W, [3, -3]), {}),
    ((C, P, W, []), {}), ((C, P, W, [3, 3, 3]), {}), ((C, P, W[:2], [3, 3]), {}), ((C, P[:2], W, [3, 3]), {}),
    ((C.float(), P, W, [3, 3]), {}), ((C, P.float(), W), {}), ((T(0), P, W, [3, 3]), {}), ((C, T(0), W, [3, 3]), {}),
    ((C, P, T(1.0), [3, 3]), {}), ((T([], dtype=torch.int64), P, W), {}),
    ((T([], dtype=torch.int64),) * 2 + (T([]), [0, 0]), {}), ((T([0]), T([], dtype=torch.int64), T([]), [0, 3]), {}),
    ((C, P, W, [2**62, 3]), {}), ((C.short(), P.short(), W, [3, 3]), {}),
]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_compressed_tensor_is_pythons(layout):
    answers = []
    for args, options in COMPRESSED:
        python = {"layout": layout, "check_invariants": True, **options}
        theirs = answer(lambda: facts(torch.sparse_compressed_tensor(*args, **python)))  # noqa: B023
        ours = answer(lambda: facts(compressed(layout, *args, **options)))  # noqa: B023
        assert same(ours, theirs), f"{args} {options}\n{ours}\n{theirs}"
        answers.append(theirs[0])
    assert answers.count("ok") >= 4 and answers.count("error") >= 15


@pytest.mark.parametrize("layout", LAYOUTS[2:], ids=str)
def test_blocks_without_elements_which_crash_python_are_refused(layout):
    kinds = []
    sizes = [None, [6, 6], [3, 6], [6, 3], [0, 6], [6, 0]]
    for shape, size in itertools.product([(3, 0, 2), (3, 2, 0), (3, 0, 0)], sizes):
        with pytest.raises(CtorchError) as raised:
            compressed(layout, C, P, torch.ones(shape), size)
        kinds.append(raised.value.kind)
        if kinds[-1] == "INVALID_ARGUMENT":
            assert "have no elements" in raised.value.message
    assert kinds.count("INVALID_ARGUMENT") >= 3


def test_gradients_flow_into_the_values():
    v = V.clone().requires_grad_()
    coo(IJ, v, [2, 3]).to_dense().mul(numbers(2, 3)).sum().backward()
    assert v.grad.tolist() == [1, 5]
    w = W.clone().requires_grad_()
    compressed(torch.sparse_csr, C, P, w, [3, 3]).to_dense().mul(numbers(3, 3)).sum().backward()
    assert w.grad.tolist() == [0, 2, 4]


def test_sparse_meta_tensors_have_a_shape():
    x = coo(IJ.to("meta"), V.to("meta"), [2, 3])
    assert x.is_meta and x.shape == (2, 3) and x.layout == torch.sparse_coo
    y = coo(IJ, V, [2, 3], device="meta")
    assert y.is_meta and y.shape == (2, 3)


def test_there_and_back_again_by_the_operators():
    dense = numbers(4, 6)
    dense[1] = 0
    null = ffi.NULL
    x = operator("to_sparse", dense, null, null, 0, null)
    assert facts(x) == facts(dense.to_sparse())
    assert facts(operator("_indices", x)) == facts(x._indices()) and facts(operator("_values", x)) == facts(x._values())
    for name, python, args in [
        ("to_sparse_csr", dense.to_sparse_csr(), (null,)),
        ("to_sparse_csc", dense.to_sparse_csc(), (null,)),
        ("to_sparse_bsr", dense.to_sparse_bsr((2, 3)), (ffi.new("int64_t[]", [2, 3]), 2, null)),
        ("to_sparse_bsc", dense.to_sparse_bsc((2, 3)), (ffi.new("int64_t[]", [2, 3]), 2, null)),
    ]:
        y = operator(name, dense, *args)
        assert facts(y) == facts(python)
        assert facts(operator("to_dense", y, null, null)) == facts(dense)
        names = (
            ("crow_indices", "col_indices") if y.layout in (LAYOUTS[0], LAYOUTS[2]) else ("ccol_indices", "row_indices")
        )
        ours = [operator(n, y) for n in (*names, "values")]
        assert [facts(p) for p in ours] == [facts(p) for p in parts(python)]
        assert facts(compressed(python.layout, *ours, list(python.shape))) == facts(python)


NONSENSE = """
import random, sys, warnings
warnings.simplefilter("ignore")
import torch
from tests.harness.capi import CtorchError
from tests.abi.test_conversion import LAYOUTS, coo, compressed, parts
rng = random.Random(int(sys.argv[1]))
made = refused = 0

def twisted(x, is_values=False):
    # The tensor, or what is left of it after something went wrong.
    fault = rng.randrange(14)
    if fault == 0 and x.numel() and not is_values:
        x = x.clone()
        x.view(-1)[rng.randrange(x.numel())] = rng.choice([-1, 0, 1, 2, 9, 2**31 - 1, -2**31])
    elif fault == 1:
        x = x[..., : rng.randrange(4)]
    elif fault == 2:
        x = x.to(rng.choice([torch.int64, torch.int32, torch.float32, torch.uint8, torch.bool, torch.complex64]))
    elif fault == 3:
        x = x.reshape(rng.choice([(-1,), (1, *x.shape), (*x.shape, 1)]))
    elif fault == 4:
        x = x[:0]
    elif fault == 5 and x.dim() > 1:
        x = x.transpose(0, 1)
    return x

for _ in range(1000):
    rows, columns = rng.randint(0, 4), rng.randint(0, 4)
    dense = (torch.rand(rows, columns, generator=torch.manual_seed(rng.randrange(10**6))) > 0.5).float()
    shape = [rows, columns]
    size = rng.choice([None, shape, shape, [rows], [columns, rows], [*shape, 2], [-1, 2], [2**40, 3]])
    try:
        if rng.random() < 0.4:
            x = dense.to_sparse()
            is_coalesced = rng.choice([None, None, True, False])
            x = coo(twisted(x.indices()), twisted(x.values(), True), size, is_coalesced=is_coalesced)
        else:
            layout = rng.choice(LAYOUTS)
            try:
                blocks = rng.choice([(1, 1), (2, 1), (2, 2)]) if layout in LAYOUTS[2:] else None
                x = dense.to_sparse(layout=layout, blocksize=blocks)
            except RuntimeError:  # a block size that does not divide the shape
                continue
            x = compressed(layout, *(twisted(p, p is x.values()) for p in parts(x)), size)
    except CtorchError:
        refused += 1
        continue
    made += 1
    for use in (repr, torch.Tensor.clone, lambda x: x.coalesce(), lambda x: x.sum(), lambda x: x * 2,
                lambda x: x.to_dense() if max([1, *x.shape]) < 1000 else None, lambda x: x.transpose(0, 1),
                lambda x: x @ torch.ones(x.shape[-1], 2) if max([1, *x.shape]) < 1000 else None):
        try:
            use(x)
        except Exception:
            pass
print(made, refused)
"""


@pytest.mark.parametrize("seed", range(2))
def test_no_nonsense_makes_a_tensor_that_crashes(seed):
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", NONSENSE, str(SEED + seed)]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, (run.returncode, run.stderr[-2000:])
    made, refused = map(int, run.stdout.split())
    assert made > 150 and refused > 150


# Quantized tensors


def test_quantized_tensors_are_made_and_read_by_the_operators():
    x = numbers(2, 3) - 2.3
    for dtype in (torch.qint8, torch.quint8, torch.qint32):
        number = enumerator("DTYPE", dtype)
        q = operator("quantize_per_tensor", x, 0.3, 2, number)
        assert facts(q) == facts(torch.quantize_per_tensor(x, 0.3, 2, dtype))
        assert facts(operator("dequantize_self", q)) == facts(q.dequantize())
        assert facts(operator("int_repr", q)) == facts(q.int_repr())
        remade = operator("_make_per_tensor_quantized_tensor", q.int_repr(), 0.3, 2)
        assert facts(remade) == facts(q)
        scale, zero_point, scheme = out("double"), out("int64_t"), out("int32_t")
        ok(lib.ctorch_aten_q_scale(scale, handle(q)))
        ok(lib.ctorch_aten_q_zero_point(zero_point, handle(q)))
        ok(lib.ctorch_aten_qscheme(scheme, handle(q)))
        assert (scale[0], zero_point[0], scheme[0]) == (q.q_scale(), q.q_zero_point(), 0)
        scales, zero_points = T([0.5, 0.25, 1.0]), T([0, 1, 2])
        c = operator("quantize_per_channel", x, scales, zero_points, 1, number)
        assert facts(c) == facts(torch.quantize_per_channel(x, scales, zero_points, 1, dtype))
        assert facts(operator("q_per_channel_scales", c)) == facts(c.q_per_channel_scales())
        assert facts(operator("q_per_channel_zero_points", c)) == facts(c.q_per_channel_zero_points())
        axis = out("int64_t")
        ok(lib.ctorch_aten_q_per_channel_axis(axis, handle(c)))
        ok(lib.ctorch_aten_qscheme(scheme, handle(c)))
        assert (axis[0], scheme[0]) == (1, 1)
        remade = operator("_make_per_channel_quantized_tensor", c.int_repr(), scales.double(), zero_points, 1)
        assert facts(remade) == facts(c)


def test_quantized_nonsense_is_refused_as_in_python():
    x = numbers(2, 3)
    chars, scales = x.char(), T([0.1], dtype=torch.float64)
    per_tensor, per_channel = torch.quantize_per_tensor, torch.quantize_per_channel
    for name, args, python in [
        ("quantize_per_tensor", (x, 0.3, 1000, torch.qint8), per_tensor),
        ("quantize_per_tensor", (x, 0.3, 2, torch.float32), per_tensor),
        ("quantize_per_tensor", (x.int(), 0.3, 2, torch.qint8), per_tensor),
        ("quantize_per_channel", (x, T([0.1]), T([0]), 1, torch.qint8), per_channel),
        ("quantize_per_channel", (x, T([0.1]), T([0]), 7, torch.qint8), per_channel),
        ("_make_per_tensor_quantized_tensor", (x, 0.1, 0), torch._make_per_tensor_quantized_tensor),
        ("_make_per_channel_quantized_tensor", (chars, scales, T([0]), 1), torch._make_per_channel_quantized_tensor),
        ("q_per_channel_scales", (x,), torch.q_per_channel_scales),
        ("dequantize_self", (x.int(),), torch.dequantize),
        ("int_repr", (x,), torch.int_repr),
    ]:
        given = [enumerator("DTYPE", a) if isinstance(a, torch.dtype) else a for a in args]
        ours = answer(lambda name=name, given=given: facts(operator(name, *given)))
        assert same(ours, answer(lambda python=python, args=args: facts(python(*args)))), (name, ours)


# Nested tensors


def test_nested_tensors_are_made_unbound_and_padded_by_the_operators():
    for list_ in (
        [numbers(2, 3), numbers(4, 3)],
        [numbers(2), numbers(0), numbers(5)],
        [numbers(2, 2, 3), numbers(3, 1, 2)],
        [T(1.0)],
    ):
        x = operator("_nested_tensor_from_tensor_list", *handles(list_), *[ffi.NULL] * 4)
        assert facts(x) == facts(torch.nested.nested_tensor(list_))
        unbound = out("ctorch_tensor_list *")
        ok(lib.ctorch_aten_unbind_int(unbound, handle(x), 0))
        data = lib.ctorch_tensor_list_data(unbound[0])
        taken = [ffi.cast("ctorch_tensor *", data[i]) for i in range(lib.ctorch_tensor_list_len(unbound[0]))]
        for t in taken:
            lib.ctorch_tensor_retain(t)
        lib.ctorch_tensor_list_release(unbound[0])
        assert all(torch.equal(tensor(t), expected) for t, expected in zip(taken, list_, strict=True))
        theirs = answer(lambda: facts(torch.nested.to_padded_tensor(x, -1.0)))  # noqa: B023
        assert same(answer(lambda: facts(operator("nested_to_padded_tensor", x, -1.0, ffi.NULL, 0))), theirs)  # noqa: B023
    sizes = lib.ctorch_tensor_sizes(handle(x))
    assert sizes == ffi.NULL and lib.ctorch_tensor_ndim(handle(x)) == x.dim()


def test_nested_nonsense_is_refused():
    for list_ in ([numbers(2), numbers(2, 2)], [numbers(2), numbers(2).double()]):
        ours = answer(lambda: facts(operator("_nested_tensor_from_tensor_list", *handles(list_), *[ffi.NULL] * 4)))  # noqa: B023
        theirs = answer(lambda: facts(torch._nested_tensor_from_tensor_list(list_)))  # noqa: B023
        assert same(ours, theirs)


# Shapes without data


def test_operators_on_meta_tensors_tell_shapes():
    rng = random.Random(SEED)
    null, no_dim = ffi.NULL, (ffi.NULL, 0)
    for _ in range(60):
        n, m, k = (rng.randint(1, 7) for _ in range(3))
        a, b = numbers(n, m), numbers(m, k)
        images = numbers(2, 3, n + 2, m + 2).to(memory_format=torch.channels_last)
        weight = numbers(4, 3, 3, 3)
        for args, call in [
            ((a, b), lambda x, y: operator("matmul", x, y)),
            ((a, a), lambda x, y: operator("add_Tensor", x, y, null)),
            ((a, numbers(m)), lambda x, y: operator("mul_Tensor", x, y)),
            ((a,), lambda x: operator("sum_dim_IntList", x, ffi.new("int64_t[]", [1]), 1, False, null)),
            ((a,), lambda x: operator("softmax_int", x, -1, null)),
            ((a,), lambda x: to(x, torch.float16)),
            ((a,), lambda x: operator("t", x)),
            ((a,), lambda x: operator("unsqueeze", x, 0)),
            ((a, a), lambda x, y: operator("cat", *handles([x, y]), 1)),
            ((a,), lambda x: operator("reshape", x, ffi.new("int64_t[]", [-1]), 1)),
            ((images, weight), lambda x, w: operator("conv2d", x, w, null, *no_dim, *no_dim, *no_dim, 1)),
            ((images,), lambda x: operator("avg_pool2d", x, *ints([2, 2]), *no_dim, *no_dim, False, True, null)),
            ((a,), lambda x: operator("argmax", x, null, False)),
            ((a, T([0, 0])), lambda x, i: operator("index_Tensor", x, *handles([i]))),
        ]:  # fmt: skip
            real = call(*args)
            meta = call(*(x.to("meta") for x in args))
            assert meta.is_meta and meta.dtype == real.dtype and meta.shape == real.shape
            assert meta.stride() == real.stride() or images in args
    x = operator(
        "empty_memory_format", ffi.new("int64_t[]", [10**6, 10**6]), 2, null, null, some_device("meta"), null, null
    )
    assert operator("matmul", x, x).shape == (10**6, 10**6)
    y = torch.empty(2, 3, device="meta")
    with pytest.raises(CtorchError, match="must have same reduction dim"):
        operator("matmul", y, y)
