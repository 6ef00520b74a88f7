"""ctorch_tensor_index is Python's `x[…]` and ctorch_tensor_index_put its `x[…] = y`: same result, same error.

Each case is a Python index, and goes through ctorch twice: as a ctorch_index that is pushed together (where that can
say it) and as text. What is compared is everything one can see: values, dtype, shape, strides, offset, whether memory
is shared, the name of grad_fn, gradients, the version counter; of an error, its kind and its message.
"""

import itertools
import random
import re
import warnings

import pytest
import torch

from tests.harness.capi import CtorchError, ffi, handle, handles, lib, ok, out, tensor
from tests.harness.exceptions import kind_of, same_kind

pytestmark = pytest.mark.filterwarnings("ignore")

SEED = 20240613
T = torch.tensor
ALL = slice(None)


# A Python index as what C passes


def text_of(index):
    """Text, integers and tensors. Every third integer is a placeholder."""
    ints, tensors, count = [], [], itertools.count()

    def value(item):
        if item is None:
            return "None" if next(count) % 2 else "newaxis"
        if item is Ellipsis:
            return "..." if next(count) % 2 else "Ellipsis"
        if isinstance(item, bool):
            return str(item)
        if isinstance(item, int):
            if next(count) % 3 == 0 and -(2**63) <= item < 2**63:
                ints.append(item)
                return "%d"
            return str(item)
        if isinstance(item, float):
            return repr(item)
        if isinstance(item, torch.Tensor):
            tensors.append(item)
            return "%t"
        if isinstance(item, list):
            return "[" + ", ".join(map(value, item)) + "]"
        if isinstance(item, tuple):
            return "(" + "".join(value(i) + ", " for i in item) + ")"
        start, stop, step = ("" if b is None else value(b) for b in (item.start, item.stop, item.step))
        return f"{start}:{stop}" + (f":{step}" if step else "")

    if isinstance(index, tuple) and index:
        text = " , ".join(map(value, index)) + ("," if len(index) == 1 else "")
    else:
        text = value(index)
    return text, ints, tensors


def text_arguments(index):
    text, ints, tensors = text_of(index)
    return text.encode(), ffi.new("int64_t[]", ints), len(ints), *handles(tensors)


def pushed(index):
    """An owned ctorch_index, or None for what only a text can say."""
    if isinstance(index, tuple) and len(index) == 1:
        return None
    made = out("ctorch_index *")
    ok(lib.ctorch_index_new(made))
    for item in index if isinstance(index, tuple) else (index,):
        if not push(made[0], item):
            lib.ctorch_index_release(made[0])
            return None
    return made[0]


def push(index, item):
    def is_int(x):
        return isinstance(x, int) and not isinstance(x, bool) and -(2**63) <= x < 2**63

    if isinstance(item, slice):
        bounds = (item.start, item.stop, item.step)
        if not all(b is None or is_int(b) for b in bounds):
            return False
        ok(lib.ctorch_index_push_slice(index, *(ffi.NULL if b is None else ffi.new("int64_t *", b) for b in bounds)))
    elif item is None:
        ok(lib.ctorch_index_push_none(index))
    elif item is Ellipsis:
        ok(lib.ctorch_index_push_ellipsis(index))
    elif isinstance(item, bool):
        ok(lib.ctorch_index_push_bool(index, item))
    elif is_int(item):
        ok(lib.ctorch_index_push_int(index, item))
    elif isinstance(item, torch.Tensor):
        ok(lib.ctorch_index_push_tensor(index, handle(item)))
    elif isinstance(item, list) and item and all(isinstance(i, bool) for i in item):
        ok(lib.ctorch_index_push_bools(index, item, len(item)))
    elif isinstance(item, list) and all(map(is_int, item)):
        ok(lib.ctorch_index_push_ints(index, item, len(item)))
    else:
        return False
    return True


class _Python:
    name = "Python"

    def get(self, x, index):
        return x[index]

    def set(self, x, index, value):
        x[index] = value


class _Text:
    name = "text"

    def get(self, x, index):
        y = out("ctorch_tensor *")
        ok(lib.ctorch_tensor_index_text(y, handle(x), *text_arguments(index)))
        return tensor(y[0])

    def set(self, x, index, value):
        if isinstance(value, torch.Tensor):
            ok(lib.ctorch_tensor_index_put_text(handle(x), *text_arguments(index), handle(value)))
        else:
            ok(lib.ctorch_tensor_index_put_scalar_text(handle(x), *text_arguments(index), scalar(value)))


class _Pushed:
    name = "pushed"

    def get(self, x, index):
        made = pushed(index)
        y = out("ctorch_tensor *")
        try:
            ok(lib.ctorch_tensor_index(y, handle(x), made))
        finally:
            lib.ctorch_index_release(made)
        return tensor(y[0])

    def set(self, x, index, value):
        made = pushed(index)
        try:
            if isinstance(value, torch.Tensor):
                ok(lib.ctorch_tensor_index_put(handle(x), made, handle(value)))
            else:
                ok(lib.ctorch_tensor_index_put_scalar(handle(x), made, scalar(value)))
        finally:
            lib.ctorch_index_release(made)


def scalar(value):
    if isinstance(value, bool):
        return ffi.new("ctorch_scalar *", {"kind": 2, "i": value})
    if isinstance(value, int):
        return ffi.new("ctorch_scalar *", {"kind": 0, "i": value})
    if isinstance(value, complex):
        return ffi.new("ctorch_scalar *", {"kind": 3, "re": value.real, "im": value.imag})
    return ffi.new("ctorch_scalar *", {"kind": 1, "re": value})


# Comparing


def values(x):
    """Something that is equal for equal contents, NaN included."""
    if x.is_meta:
        return None
    if x.is_nested:
        return [values(t) for t in x.unbind()]
    if x.layout != torch.strided:
        parts = x.coalesce() if x.layout == torch.sparse_coo else x
        return values(parts.to_dense())
    if x.is_quantized:
        return x.qscheme(), values(x.int_repr()), values(x.dequantize())
    return [repr(v) for v in x.detach().resolve_conj().resolve_neg().flatten().tolist()]


def seen(result, x):
    facts = {
        "dtype": result.dtype,
        "layout": result.layout,
        "device": result.device,
        "dim": result.dim(),
        "requires_grad": result.requires_grad,
        "grad_fn": type(result.grad_fn).__name__,
        "is_view": result._is_view(),
        "is_self": result is x,
        "conj": result.is_conj() if result.layout == torch.strided else None,
        "neg": result.is_neg() if result.layout == torch.strided else None,
        "values": values(result),
    }
    if not result.is_nested:
        facts["shape"] = tuple(result.shape)
    if result.layout == torch.strided and not result.is_nested:
        facts["stride"] = result.stride()
        facts["offset"] = result.storage_offset()
        if not result.is_meta:
            facts["shared"] = result.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    if result.requires_grad and not result.is_nested and (result.is_floating_point() or result.is_complex()):
        weights = torch.arange(1, result.numel() + 1, dtype=torch.float64).reshape(result.shape).to(result.dtype)
        facts["grad"] = values(torch.autograd.grad((result * weights).sum().abs(), x, retain_graph=True)[0])
    return facts


def answer(action):
    """What a call answers: ("ok", facts) or ("error", kind, message)."""
    try:
        return "ok", action()
    except CtorchError as error:
        return "error", error.kind, error.message
    except Exception as error:  # whatever Python raises is what is compared
        return "error", kind_of(error), str(error)


def same(ours, theirs):
    if ours[0] == "error" and theirs[0] == "error":
        if ours[1] == "STD" and "\n\nAt:" in ours[2]:  # raised by a kernel that is written in Python (meta tensors)
            return ours[2].partition("\n\nAt:")[0].partition(": ")[2] == theirs[2]
        # Python's exceptions say torch.FloatTensor where C++ says CPUFloatType.
        message = re.sub(r"CPU(\w+)Type", r"torch.\1Tensor", ours[2])
        return same_kind(ours[1], theirs[1]) and message == theirs[2]
    return ours == theirs


def ways(index):
    made = pushed(index)
    if made is None:
        return [_Text()]
    lib.ctorch_index_release(made)
    return [_Text(), _Pushed()]


def check_get(make, index):
    x = make()
    expected = answer(lambda: seen(_Python().get(x, index), x))
    for way in ways(index):
        got = answer(lambda way=way: seen(way.get(x, index), x))
        assert same(got, expected), f"x[{index}], {way.name} ({text_of(index)[0]})\n got {got}\n for {expected}"


def check_set(make, index, value):
    def assign(way):
        x = make()
        before = x
        if x.requires_grad:
            x = x * 1
        version = x._version
        given = value.clone() if isinstance(value, torch.Tensor) and value.layout == torch.strided else value
        if isinstance(given, torch.Tensor) and given.is_floating_point():
            given = given.detach().requires_grad_(before.requires_grad)
        way.set(x, index, given)
        facts = {"values": values(x), "versions": x._version - version, "grad_fn": type(x.grad_fn).__name__}
        if x.requires_grad:
            wanted = [before] + ([given] if isinstance(given, torch.Tensor) and given.requires_grad else [])
            weights = torch.arange(1, x.numel() + 1, dtype=torch.float64).reshape(x.shape).to(x.dtype)
            grads = torch.autograd.grad((x * weights).sum().abs(), wanted, allow_unused=True)
            facts["grads"] = [None if g is None else values(g) for g in grads]
        return facts

    expected = answer(lambda: assign(_Python()))
    for way in ways(index):
        got = answer(lambda way=way: assign(way))
        assert same(got, expected), f"x[{index}] = {value}, {way.name}\n got {got}\n for {expected}"


# The tensors


def numbers(*shape, dtype=torch.float32):
    n = torch.Size(shape).numel()
    return torch.arange(n, dtype=torch.float32).reshape(shape).to(dtype)


TENSORS = {
    "vector": lambda: numbers(5),
    "matrix": lambda: numbers(3, 4),
    "cube": lambda: numbers(2, 3, 4),
    "four": lambda: numbers(2, 1, 3, 2),
    "scalar": lambda: T(3.5),
    "empty": lambda: numbers(0, 3),
    "int64": lambda: numbers(2, 3, 4, dtype=torch.int64),
    "uint8": lambda: numbers(2, 3, 4, dtype=torch.uint8),
    "bool": lambda: numbers(2, 3, 4) % 2 == 0,
    "bfloat16": lambda: numbers(2, 3, 4, dtype=torch.bfloat16),
    "complex": lambda: torch.complex(numbers(2, 3, 4), -numbers(2, 3, 4)),
    "conj": lambda: torch.complex(numbers(2, 3, 4), -numbers(2, 3, 4)).conj(),
    "neg": lambda: torch.complex(numbers(2, 3, 4), -numbers(2, 3, 4)).conj().imag,
    "transposed": lambda: numbers(4, 3, 2).permute(2, 1, 0),
    "stepped": lambda: numbers(4, 3, 8)[::2, :, 1::2],
    "expanded": lambda: numbers(3, 1).expand(2, 3, 4),
    "channels_last": lambda: numbers(2, 3, 4, 2).to(memory_format=torch.channels_last),
    "grad": lambda: numbers(2, 3, 4).requires_grad_(),
    "meta": lambda: torch.empty(2, 3, 4, device="meta"),
    "quantized": lambda: torch.quantize_per_tensor(numbers(2, 3, 4), 0.5, 3, torch.quint8),
    "per_channel": lambda: torch.quantize_per_channel(
        numbers(2, 3, 4), T([0.5, 0.25, 1.0]), T([0, 1, 2]), 1, torch.qint8
    ),
    "coo": lambda: numbers(2, 3, 4).to_sparse(),
    "csr": lambda: numbers(3, 4).to_sparse_csr(),
    "batched_csr": lambda: (numbers(2, 3, 4) + 1).to_sparse_csr(),
    "bsr": lambda: numbers(4, 4).to_sparse_bsr((2, 2)),
    "nested": lambda: torch.nested.nested_tensor([numbers(2, 3), numbers(4, 3)]),
    "float8": lambda: numbers(2, 3, 4).to(torch.float8_e4m3fn),
    "mkldnn": lambda: numbers(2, 3, 4).to_mkldnn(),
}
# Those that the operators of indexing were made for; for the others, a smaller table.
PLAIN = ("vector", "matrix", "cube", "four", "scalar", "empty", "int64", "transposed", "stepped", "expanded", "grad")

SLICES = [
    ALL, slice(1, None), slice(None, 2), slice(1, 3), slice(None, None, 2), slice(1, None, 2), slice(-2, None),
    slice(None, -1), slice(-3, -1), slice(3, 1), slice(0, 0), slice(5, 9), slice(-9, 9), slice(None, None, 3),
    slice(None, None, -1), slice(None, None, 0), slice(2**62, None), slice(None, 2**63 - 1), slice(None, 2**70),
    slice(-(2**62), None), slice(-(2**63), None), slice(-(2**80), 2**80), slice(None, None, 2**62),
    slice(None, None, 9), slice(None, None, -(2**70)), slice(True, None), slice(T(1), T(3)), slice(T([1]), None, T(2)),
    slice(T(1.5), None), slice(T([1, 2]), None), slice(1.5, None), slice(None, [1]), slice(None, T(True)),
    slice(None, Ellipsis),
]  # fmt: skip
INTEGERS = [0, 1, -1, 2, -2, 4, -5, 9, -9, 2**62, -(2**62) - 1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**64, 2**80]
BASIC = [None, Ellipsis, True, False, (), *INTEGERS, *SLICES]
INDEX_TENSORS = [
    T(0), T(-1), T(9), T(1, dtype=torch.int32), T(1, dtype=torch.int16), T(1, dtype=torch.int8), T(True), T(False),
    T(1, dtype=torch.uint8), T(0, dtype=torch.uint8), T(1.0), T([0]), T([1, 0, 1]), T([-1, -2]), T([[0, 1], [1, 0]]),
    T([0, 9]), T([-9]), T([], dtype=torch.int64), T([]), T([], dtype=torch.bool), T([1, 0], dtype=torch.int32),
    T([1, 0], dtype=torch.int16), T([1], dtype=torch.int8), T([1.0]), T([1 + 0j]), T([0, 1, 2, 1])[::2],
    torch.empty(0, 2, dtype=torch.int64), T([1]).expand(3), T([0], dtype=torch.uint64),
]  # fmt: skip
MASKS = [
    T([True, False]), T([True, False, True]), T([True, False, False, True]), T([True] * 5), T([False, False]),
    T([[True, False, True], [False, True, False]]), T([[True, False, True, False]] * 3), T([[False] * 3] * 2),
    torch.arange(24).reshape(2, 3, 4) % 5 == 0, T([1, 0], dtype=torch.uint8), T([1, 0, 2], dtype=torch.uint8),
    T([[1, 0, 1], [0, 1, 1]], dtype=torch.uint8), torch.ones(2, 1, dtype=torch.bool), torch.ones(0, dtype=torch.bool),
    torch.ones(0, 3, dtype=torch.bool), torch.ones(2, 3, 4, 1, dtype=torch.bool),
]  # fmt: skip
LISTS = [
    [], [0], [0, 1], [1, -1, 0], [9], [0, -9], [True, False], [True, False, True], [True, False, True, True], [True, 1],
    [0, 1.9], [-0.5], [1e30], [2**62], [2**63], [-(2**63)], [[0]], [[0, 1]], [[0, 1], [1, 0]], [[0], [1]],
    [[0, 1], [0]], [[0], [1, 2]], [[0], 1], [0, [1]], [[], []], [[], [1]], [[1], []], [[[0]]], [[[0, 1]], [[1, 0]]],
    [None], [0, None], [Ellipsis], [0, Ellipsis], [T(1)], [T(1), 0], [T([1]), T([0])], [T(True), False], [T([1, 0])],
    [T(1.5), 0], [T(1, dtype=torch.uint8)] * 2, [[True, False, True], [False, True, True]], [[True], [0]],
    [(0, 1), [1, 0]], [0] * 33, [[0]] * 31, [[0]] * 33, [True, None], [[[[[0]]]]], [T([True, False])],
]  # fmt: skip
TUPLES = [
    (0,), (ALL,), (None,), (Ellipsis,), (True,), (False,), ([0, 1],), ([[0], [1]],), ((0, 1),), ((),), (T(1),),
    (T([1, 0]),), ([True, False],), (1.5,), 1.5, 0.0, ([],), (None, None), (Ellipsis, Ellipsis), (0, Ellipsis, 0),
    (Ellipsis, 0), (0, Ellipsis), (Ellipsis, None), (None, Ellipsis), (None, 0), (0, None), (ALL, 0), (0, ALL),
    (ALL, ALL), (ALL, ALL, ALL), (0, 0), (0, 0, 0), (0, 0, 0, 0), (0, 9), (0, 9, 0), (9, 9), (True, 0), (False, 0),
    (True, True), (True, False), (True, ALL), (0, True), (ALL, None, 0), (Ellipsis, slice(None, None, 2)),
    (slice(0, 1), slice(1, 3)), (slice(None, None, 2), 0), (slice(None, None, -1), 0), (0, slice(None, None, -1)),
    (9, slice(None, None, -1)), (1, slice(None, None, 0)), (0, 2**70), (0, 1.5), (0, (0, 1)), (0, ()), ([0], [1]),
    ([0, 1], [1, 0]), ([0, 1], ALL, [1, 0]), (0, [1, 0], 0), (ALL, [1, 0]), (ALL, [0, 1], 0), ([0, 1], 0),
    ([0, 1], 0, 0), (0, [1], ALL), ([[0], [1]], [0, 1]), ([0, 1], [0, 1, 0]), ([0, 1], [9, 0]), ([True, False], 0),
    ([True, False], [0, 1]), ([True, False, True], 0), (0, [True, False, True]), (Ellipsis, [0, 1]), ([0, 1], Ellipsis),
    ([0], Ellipsis, [1]), (None, [0, 1]), ([0, 1], None), ([0], None, [1]), (True, [0, 1]), (T(0), T(1)), (T(0), [1]),
    (T([0, 1]), T(1)), (T([0, 1]), ALL, T(1)), (ALL, T([[0, 1], [1, 0]])), (T([[0], [1]]), T([[0, 1]])),
    (T([0, 1]), slice(1, 2)), (slice(1, 2), T([0, 1])), (T([True, False]), T([0])), (T([True, False]), T([0, 1])),
    (T([True, True]), [0, 1]), (T([[True, False, True], [False, True, False]]), T([0, 1, 2])),
    (T([[True, False, True]] * 2), 0), (T(True), 0), (T(False), ALL), (0, T(True)), (T(1, dtype=torch.uint8), 0),
    (0, T([1, 0, 1], dtype=torch.uint8)), (T([0, 1], dtype=torch.int32), T([0, 1])), (T([0]), T([1.0])),
    (0, 0, T([0, 1])), (T([0, 1]), Ellipsis, T([1, 0])), (Ellipsis, T([True, False])),
    (Ellipsis, T([True, False, True, False])), (0, T([[True] * 4] * 3)), (slice(None, None, 2), T([True, False, True])),
    ([[0, 1]], [[1], [0]]), (0, [[0, 1], [2]]), (0, [None]), (None, T([True, False])), (T([]), T([])),
    (T([], dtype=torch.int64), 0), (ALL, T([], dtype=torch.int64)), ([0, 1], T([0, 1]), [1, 0]),
    (T([0]).expand(3), T([0, 1, 0])), (T(0), T(0), T(0)), (T(0), T(0), T(0), T(0)), (T([0, 0]), T([1, 1])),
    ([0, 0], [1, 1], [2, 2]), (Ellipsis, None, T([0, 1])), (0, None, [0, 1], None), (slice(T(0), T(2)), T(0)),
    (Ellipsis, slice(1.5, None)), (T([2**62]), 0), (T([-(2**63)]),), (0, -(2**63), 0),
]  # fmt: skip
TABLE = [*BASIC, *INDEX_TENSORS, *MASKS, *LISTS, *TUPLES]
SMALL_TABLE = [
    0, -1, 9, slice(1, None), slice(None, None, 2), ALL, None, Ellipsis, True, False, (), (0, 0), (0, ALL, 0), (ALL, 1),
    (Ellipsis, 0), T(1), T([1, 0]), [0, 1], [True, False], T([True, False]), (0, [1, 0]), ([0, 1], [1, 0]),
    (ALL, [0, 2]), T([[True, False, True], [False, True, False]]), (0, 0, 0, 0), slice(None, None, -1), T([9]),
    T([1.0]), (None, 0), (0, T([True, False, True])), (T([0, 1]), ALL, T([1, 0])),
    torch.arange(24).reshape(2, 3, 4) % 3 == 0,
]  # fmt: skip


def random_item(rng, size, shape):
    """Something to index a dimension of this size with, mostly broadcastable to shape; sometimes something wrong."""
    kind = rng.randrange(14)
    wrong = rng.random() < 0.02
    position = lambda: rng.randint(-size, size - 1) if size and not wrong else rng.randint(-size - 2, size + 1)  # noqa: E731
    if kind <= 2:
        return position()
    if kind <= 5:
        bound = lambda: rng.choice([None, rng.randint(-size - 2, size + 2)])  # noqa: E731
        return slice(bound(), bound(), rng.choice([None, None, 1, 2, 3] + ([-1, 0] if wrong else [])))
    if kind == 6:
        return T(position(), dtype=rng.choice([torch.int64, torch.int32, torch.int8]))
    if kind <= 8:
        if rng.random() < 0.05:
            shape = rng.choice([(2,), (1,), (2, 1), (1, 2), (3,), (0,), (2, 2)])
        dtype = rng.choice([torch.int64, torch.int64, torch.int32])
        flat = [position() for _ in range(torch.Size(shape).numel())]
        return T(flat, dtype=dtype).reshape(shape)
    if kind == 9:
        return [position() for _ in range(shape[-1])]
    if kind == 10:
        return [[position() for _ in range(shape[-1])] for _ in range(rng.choice([1, 2]))]
    if kind == 11:
        length = size + (1 if wrong else 0)
        if rng.random() < 0.7 and length >= shape[-1]:  # as many positions as the other indices have
            mask = [True] * shape[-1] + [False] * (length - shape[-1])
            return rng.sample(mask, length)
        return [rng.random() < 0.5 for _ in range(length)] if rng.random() < 0.5 else torch.rand(length) < 0.5
    if kind == 12:
        return rng.choice([True, False, None, None])
    return rng.choice([ALL, ALL, 0])


def random_case(rng):
    shape = tuple(rng.choice([0, 1, 2, 3, 4, 4, 5, 5]) for _ in range(rng.randrange(1, 6)))
    indexed = rng.choice([(2,), (2,), (3,), (1,), (2, 1), (2, 2), (0,)])
    index, dim, ellipsis = [], 0, rng.random() < 0.3
    while dim < len(shape) and rng.random() < 0.85:
        if ellipsis and rng.random() < 0.3:
            index.append(Ellipsis)
            ellipsis = rng.random() < 0.05
            dim += rng.randrange(len(shape) - dim + 1)
            continue
        if dim + 1 < len(shape) and rng.random() < 0.1:  # a mask of two dimensions
            mask = torch.tensor([[rng.random() < 0.5] * shape[dim + 1] for _ in range(shape[dim])], dtype=torch.bool)
            index.append(mask.reshape(shape[dim : dim + 2]))
            dim += 2
            continue
        item = random_item(rng, shape[dim], indexed)
        index.append(item)
        dim += item is not None and not isinstance(item, bool)
    if rng.random() < 0.04:
        index.append(0)
    return shape, index[0] if len(index) == 1 and rng.random() < 0.8 else tuple(index)


# The tests


def valued(make, index):
    """Things to assign to x[index]: numbers, tensors of its shape and of others."""
    yield from (7, 2.5, True, 1 + 2j, -1, 10**12)
    x = make()
    try:
        shape = tuple(x[index].shape)
    except Exception:
        shape = (2,)
    yield T(7.0)
    yield T([7])
    yield -numbers(*shape) - 1
    yield -numbers(1, 1, *shape, dtype=torch.int32)
    yield torch.complex(numbers(*shape), numbers(*shape))
    if shape:
        yield -numbers(*shape[1:]) - 0.5
        yield numbers(*shape[:-1], shape[-1] + 2)
        yield numbers(2, *shape)


@pytest.mark.parametrize("name", PLAIN)
def test_reading_is_pythons(name):
    for index in TABLE:
        check_get(TENSORS[name], index)


@pytest.mark.parametrize("name", [n for n in TENSORS if n not in PLAIN])
def test_reading_other_kinds_of_tensors_is_pythons(name):
    for index in SMALL_TABLE:
        check_get(TENSORS[name], index)


@pytest.mark.parametrize("name", PLAIN)
def test_assigning_is_pythons(name):
    for index in TABLE:
        for value in itertools.islice(valued(TENSORS[name], index), 0, None, 1 if name == "cube" else 3):
            check_set(TENSORS[name], index, value)


@pytest.mark.parametrize("name", [n for n in TENSORS if n not in PLAIN])
def test_assigning_to_other_kinds_of_tensors_is_pythons(name):
    for index in SMALL_TABLE:
        for value in valued(TENSORS[name], index):
            check_set(TENSORS[name], index, value)


@pytest.mark.parametrize("part", range(10))
def test_random_indices_are_pythons(part):
    rng = random.Random(SEED + part)
    torch.manual_seed(SEED + part)
    for _ in range(200):
        shape, index = random_case(rng)
        requires_grad = rng.random() < 0.3

        def make(shape=shape, requires_grad=requires_grad):
            return numbers(*shape).requires_grad_(requires_grad)

        check_get(make, index)
        check_set(make, index, rng.choice(list(valued(make, index))))


def test_the_tables_are_not_mostly_errors():
    fine = 0
    for index in TABLE:
        fine += answer(lambda index=index: numbers(2, 3, 4)[index])[0] == "ok"
    assert len(TABLE) >= 270 and fine > len(TABLE) / 2
    rng = random.Random(SEED)
    cases = [random_case(rng) for _ in range(2000)]
    fine = sum(answer(lambda s=s, i=i: numbers(*s)[i])[0] == "ok" for s, i in cases)
    assert fine > 1000
    assert len({text_of(index)[0] for _, index in cases}) > 1000


OVERLAPS = [
    (slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None)), (slice(None, None, 2), slice(0, 4)),
    (slice(0, 4), slice(None, None, 2)), (T([0, 1, 2, 3]), slice(1, 5)), (slice(1, None), slice(1, None)),
    (Ellipsis, ALL), (slice(0, 4), slice(4, None)), (slice(0, 4), 7), ([0, 1], [1, 0]), (None, ALL),
    (slice(0, 2), T([5, 6])),
]  # fmt: skip


@pytest.mark.parametrize("way", [_Text(), _Pushed()], ids=lambda w: w.name)
def test_overlapping_memory_is_assigned_or_refused_as_in_python(way):
    answers = set()
    for target, source in OVERLAPS:
        a, b = numbers(8), numbers(8)
        theirs = answer(lambda a=a, target=target, source=source: a.__setitem__(target, a[source]))
        ours = answer(lambda b=b, target=target, source=source: way.set(b, target, b[source]))
        assert same(ours, theirs), (target, source, ours, theirs)
        assert torch.equal(a, b), (target, source)
        answers.add(theirs[0])
    assert answers == {"ok", "error"}


@pytest.mark.parametrize(
    ("dtype", "value"),
    [(torch.uint8, 300), (torch.int8, 2**40), (torch.bool, 2), (torch.float16, 1e9), (torch.int64, 1j)],
)
def test_a_number_that_does_not_fit_is_refused_as_in_python(dtype, value):
    check_set(lambda: numbers(2, 3, dtype=dtype), 0, value)
    check_set(lambda: numbers(2, 3, dtype=dtype), T([True, False]), value)


def test_a_large_uint64_can_be_assigned():
    number = ffi.new("ctorch_scalar *", {"kind": 4, "i": -1})

    def assign(x):
        ok(lib.ctorch_tensor_index_put_scalar_text(handle(x), b"1", ffi.NULL, 0, ffi.NULL, 0, number))
        return x.tolist()

    assert assign(torch.zeros(3, dtype=torch.uint64)) == [0, 2**64 - 1, 0]
    assert assign(torch.zeros(3)) == [0, 2.0**64, 0]
    with pytest.raises(CtorchError, match="overflow"):
        assign(torch.zeros(3, dtype=torch.int64))


def test_a_leaf_that_requires_grad_cannot_be_assigned_to():
    for index in (0, T([0]), Ellipsis, [True, False, True]):
        a = torch.ones(3, requires_grad=True)
        b = torch.ones(3, requires_grad=True)
        theirs = answer(lambda a=a, index=index: a.__setitem__(index, 1))
        ours = answer(lambda b=b, index=index: _Text().set(b, index, 1))
        assert theirs[0] == "error" and same(ours, theirs)
        with torch.no_grad():
            _Text().set(b, index, 5)
            a[index] = 5
        assert torch.equal(a, b)


def test_indexing_under_vmap_is_pythons():
    def both(way):
        def f(x, i):
            a = way.get(x, (ALL, [0, 2]))
            b = way.get(x, (0, slice(1, None)))
            c = way.get(x, (i, slice(None, 2)))
            y = x.clone()
            way.set(y, (slice(1, None), 0), c[0])
            way.set(y, ([0, 1], [1, 2]), 9)
            return a, b, c, y

        return torch.vmap(f)(numbers(2, 3, 4), T([0, 2]))

    for ours, theirs in zip(both(_Text()), both(_Python()), strict=True):
        assert torch.equal(ours, theirs)


def test_what_is_assigned_to_a_view_is_seen_by_its_base():
    def both(way):
        base = numbers(3, 4).requires_grad_()
        x = base * 2
        row = way.get(x, 1)
        way.set(row, slice(0, 2), T([5.0, 6.0]))
        way.set(way.get(x, (ALL, -1)), [True, False, True], -1.0)
        return x.tolist(), torch.autograd.grad(x.square().sum(), base)[0].tolist(), type(x.grad_fn).__name__

    assert both(_Text()) == both(_Python()) == both(_Pushed())


def test_a_trace_keeps_slices_that_do_nothing():
    def graph(way):
        traced = torch.jit.trace(lambda x: way.get(x, (slice(0, 3), 0)) + 1, numbers(3, 4))
        return [node.kind() for node in traced.graph.nodes() if node.kind() != "prim::Constant"]

    assert graph(_Text()) == graph(_Python()) == ["aten::slice", "aten::select", "aten::add"]


def test_deprecated_masks_warn():
    ok(lib.ctorch_warning_set_always(True))  # whoever was warned before, in this process
    ok(lib.ctorch_warnings_push())
    _Text().get(numbers(2), T([1, 0], dtype=torch.uint8))
    _Text().get(numbers(2, 2), [[0], [1]])
    ok(lib.ctorch_warning_set_always(False))
    collected = out("ctorch_warnings *")
    ok(lib.ctorch_warnings_pop(collected))
    count = lib.ctorch_warnings_len(collected[0])
    warned = " ".join(ffi.string(lib.ctorch_warnings_message(collected[0], i)).decode() for i in range(count))
    lib.ctorch_warnings_release(collected[0])
    assert "indexing with dtype torch.uint8 is now deprecated" in warned
    assert "Using a non-tuple sequence" in warned


# The text form


def parsed(text, x, *tensors):
    y = out("ctorch_tensor *")
    ok(lib.ctorch_tensor_index_text(y, handle(x), text.encode(), ffi.NULL, 0, *handles(list(tensors))))
    return tensor(y[0])


TEXTS = [
    "0", " 0 ", "+1", "-1", "--1", "- 1", "-+-1", "(0)", "((1))", "(0,)", "0,", "(0, 1)", "(0, 1),", "((0, 1))", "()",
    "(),", "1_0", "0x1", "0X_1", "0o1", "0b1", "0B1", "00", "0_0", "True", "-True", "--False", "None", "newaxis", "...",
    "Ellipsis", "0,...,1", "0 , ... , 1", ":", "::", ":,:", "1:", ":2", "::2", "1:3:", "1:3:2", " : : 2 ", ":,1",
    "1,:", "...,::2", "None,:,None", "[0]", "[0,]", "[ 0 , 1 ]", "[]", "[[]]", "[0,1],", "[[0,1],[1,0]],",
    "[(0,1),[1,0]]", "[True,False]", "[1.]", "[.5]", "[1.5e0]", "[1E0]", "[1_0.0_1]", "[0e0]", "1.5", "1.", ".5",
    "1e400", "[1e400]", "[1e-400]", "[-1.5]", "0,[True,False,True]", "(0,):", "(1):(2)", "None:2", "None:None:None",
    "-1:", ":-1", "-3:-1", "0\t,\n1", "0x7fffffffffffffff", "0x8000000000000000", "-0x8000000000000000",
    "-(9223372036854775808)", "9" * 100, "-" + "9" * 100, "9" * 100 + ":", ":" + "9" * 100, "-" + "9" * 100 + ":",
    "True:", "...:", ":[1]", ":1.5", "(0,1):", "0,(1,2)", "[[[0]]],", "(" * 90 + "0" + ")" * 90, "[[[[0]]]],",
]  # fmt: skip
NOT_TEXTS = [
    "", " ", ",", ",0", "0,,1", "0 1", "0:1:2:3", "[", "]", "[0", "[0,", "[,]", "[,0]", "[0,,1]", "[0 1]", "(", ")",
    "(0", "(,)", "(0]", "[0)", "[0]]", "[1:2]", "(1:2)", ". . .", "..", "....", "0x", "0b2", "0o8", "0xg", "01", "0_",
    "1__0", "1_", "1._5", "1e", "1e+", "1.5.5", "1a", "0b1_", "*", "-", "+", "0;", "0..", "1 .5", "[" * 250 + "]" * 250,
    "(" * 250 + "0" + ")" * 250,
]  # fmt: skip
# What Python might understand, but is not an index here.
OTHER_TEXTS = [
    "_0", "none", "true", "Nonesuch", "'a'", "x", "-None", "-[0]", "-...", "0#", "%", "%x", "%d%d", "1%", "slice(1)",
    "\u00e9", "1j", "0 if x else 1", "=", "a=1", "%t %t", "1+1", "x[0]", "[" * 100000, "-" * 100000 + "1",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_means_what_it_means_to_python(text):
    x = numbers(11, 3, 4)
    theirs = answer(lambda: seen(eval(f"x[{text}]", {"x": x, "newaxis": None}), x))
    ours = answer(lambda: seen(parsed(text, x), x))
    assert same(ours, theirs), f"{ours}\n{theirs}"


@pytest.mark.parametrize("text", NOT_TEXTS + OTHER_TEXTS, ids=lambda text: text[:20])
def test_a_text_that_is_not_an_index_is_a_syntax_error(text):
    x = numbers(2, 2)
    zeros = [T(0)] * text.count("%t")  # as many entries as there are placeholders
    ints = ffi.new("int64_t[]", text.count("%d"))
    y = out("ctorch_tensor *")
    with pytest.raises(CtorchError) as raised:
        ok(lib.ctorch_tensor_index_text(y, handle(x), text.encode(), ints, len(ints), *handles(zeros)))
    assert raised.value.kind == "SYNTAX", raised.value
    assert "position" in raised.value.message and len(raised.value.message) < 400
    assert raised.value.function == "ctorch_tensor_index_text"
    if text in NOT_TEXTS:
        with pytest.raises(SyntaxError), warnings.catch_warnings(action="error"):
            compile(f"x[{text}]", "", "eval")


def test_placeholders_take_their_entries_in_order():
    x = numbers(4, 5, 6)
    y = out("ctorch_tensor *")
    ints = ffi.new("int64_t[]", [1, 4, -2, 1])
    i, j = T([0, 2]), T([1, 1])
    ok(lib.ctorch_tensor_index_text(y, handle(x), b"%t, %d:%d, [%d, -%d]", ints, 4, *handles([i])))
    assert torch.equal(tensor(y[0]), x[i, 1:4, [-2, -1]])
    ok(lib.ctorch_tensor_index_text(y, handle(x), b"%t, %t", ffi.NULL, 0, *handles([i, j])))
    assert torch.equal(tensor(y[0]), x[i, j])


@pytest.mark.parametrize(
    ("text", "ints", "tensors", "argument"),
    [("%d", 0, 0, "ints"), ("%d", 2, 0, "ints"), ("0", 1, 0, "ints"), ("%t", 0, 0, "tensors"), ("0", 0, 1, "tensors"),
     ("%d,%t", 1, 2, "tensors"), ("%d,%d,%t", 1, 1, "ints")],
)  # fmt: skip
def test_lists_that_do_not_fit_the_placeholders_are_refused(text, ints, tensors, argument):
    x, zeros = numbers(2, 2), [T(0)] * tensors
    y = out("ctorch_tensor *")
    with pytest.raises(CtorchError) as raised:
        numbers_given = ffi.new("int64_t[]", ints)
        ok(lib.ctorch_tensor_index_text(y, handle(x), text.encode(), numbers_given, ints, *handles(zeros)))
    assert raised.value.kind == "INVALID_ARGUMENT"
    assert f"{argument}:" in raised.value.message
