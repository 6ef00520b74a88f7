"""The Python package `ctorch`, in one process with Python's torch, NumPy and tvm-ffi: values, errors, memory,
callbacks.

tests/languages/python/ has the programs that need a process of their own.
"""

import copy
import ctypes
import gc
import json
import math
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
import venv
import weakref
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest
import torch

from tests.harness.build import BUILD
from tests.languages import exported_model

ROOT = Path(__file__).parents[2]
LIBRARY = os.environ.setdefault("CTORCH_LIBRARY", str(BUILD / "libctorch.so"))
PACKAGE = BUILD / "generated/bindings/python"
PROGRAMS = Path(__file__).parent / "python"
API = json.loads((BUILD / "generated/api.json").read_text())

sys.path.insert(0, str(PACKAGE))
import ctorch  # noqa: E402
from ctorch import aten, raw  # noqa: E402


def theirs(tensor):
    """Python's torch tensor for ours: the same memory."""
    return torch.from_dlpack(tensor.detach())


def ours(tensor):
    return ctorch.from_dlpack(tensor)


def same(tensor, expected):
    """The very values, NaN for NaN, of the same dtype and shape."""
    torch.testing.assert_close(theirs(tensor), expected, rtol=0, atol=0, equal_nan=True)


def run(program, *arguments, text=True, **environment):
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE), "CTORCH_DEBUG_HANDLES": "1", **environment}
    command = [sys.executable, str(program), *map(str, arguments)]
    result = subprocess.run(command, env=variables, capture_output=True, text=text, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    return result


# Everything is there


def test_every_operator_and_every_function_is_there():
    operators = [f for f in API["functions"] if f["kind"] == "aten"]
    core = [f for f in API["functions"] if f["kind"] == "core"]
    assert len(operators) >= 3114 and len(core) >= 560
    if API["torch_version"].startswith("2.13."):
        assert sum(f["available"] for f in operators) == 3101
    for function in operators:
        schema = function["schema"]
        name, _, overload = schema.partition("(")[0].removeprefix("aten::").partition(".")
        one = getattr(getattr(aten, name), overload + "_" if overload == "from" else overload or "default")
        assert one.__doc__.strip() == schema.removeprefix("aten::")
    for function in core:
        assert callable(getattr(raw, function["name"].removeprefix("ctorch_")))


def test_every_constant_has_the_number_of_the_c_api():
    for enum in API["enums"]:
        for name, number in enum["values"].items():
            if enum["name"] in ("ctorch_dtype", "ctorch_layout"):
                short = name.removeprefix(enum["name"].upper() + "_").lower()
                constant = ctorch.constants.bool if short == "bool" else getattr(ctorch, short)
                assert constant.number == number
            elif enum["name"] == "ctorch_error_kind":
                assert ctorch.constants.ErrorKind[name.removeprefix("CTORCH_ERROR_")] == number
    assert ctorch.channels_last.number == 2 and ctorch.preserve_format.number == 1


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no operator 'ad'"):
        aten.ad  # noqa: B018
    with pytest.raises(AttributeError, match="no function"):
        raw.tensor_ad  # noqa: B018
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'linspace'"):
        ctorch.tensor(1).linspace  # noqa: B018


# Calls


def test_overloads_are_chosen_by_the_arguments():
    x = torch.tensor([[1.0, -2.0], [3.0, 4.5]])
    a = ours(x)
    same(aten.add(a, a, alpha=2), torch.add(x, x, alpha=2))
    same(aten.add(a, 2), x + 2)
    same(aten.add(other=a, self=a), x + x)
    same(aten.sum(a), x.sum())
    same(aten.sum(a, 1), x.sum(1))
    same(aten.sum(a, [0, 1], True), x.sum([0, 1], True))
    same(aten.sum(a, dim=-1, dtype=ctorch.float64), x.sum(dim=-1, dtype=torch.float64))
    same(aten.pow(2, a), torch.pow(2, x))
    same(aten.pow(a, a), torch.pow(x, x))
    same(aten.max(a), x.max())
    values, indices = aten.max(a, 1)
    same(values, x.max(1).values)
    same(indices, x.max(1).indices)
    same(aten.div(a, 2, rounding_mode="floor"), torch.div(x, 2, rounding_mode="floor"))
    same(aten.where(aten.gt(a, 0), a, 0.0), torch.where(x > 0, x, 0.0))
    same(aten.norm(a), x.norm())
    same(aten.std(a, 1), x.std(1))
    same(aten.std(a, False), x.std(False))
    same(aten.arange(5), torch.arange(5))
    same(aten.arange(1, 2, 0.25), torch.arange(1, 2, 0.25))
    same(aten.clamp(a, min=0), x.clamp(min=0))
    same(aten.clamp(a, aten.zeros([2]), None), x.clamp(torch.zeros(2), None))
    same(aten.linspace(ctorch.tensor(0.0), ctorch.tensor(1.0), 3), torch.linspace(0, 1, 3))
    same(aten.zeros([2, 3], dtype=ctorch.int16), torch.zeros(2, 3, dtype=torch.int16))
    same(aten.eye(2, 3), torch.eye(2, 3))
    same(aten.squeeze(ours(x[None])), x)
    same(aten.index_fill(a, 0, ctorch.tensor([1]), 7.5), x.index_fill(0, torch.tensor([1]), 7.5))


def test_out_and_in_place_give_back_the_argument_itself():
    x = torch.tensor([1.0, 2.0])
    a, out = ours(x.clone()), aten.empty([2])
    assert aten.add(a, a, out=out) is out
    same(out, x + x)
    assert aten.mul_(a, 3) is a
    same(a, x * 3)
    values, indices = aten.empty([0]), aten.empty([0], dtype=ctorch.int64)
    result = aten.max(a, 0, max=values, max_values=indices)
    assert result[0] is values and result[1] is indices
    assert values.item() == 6 and indices.item() == 1
    assert aten.rrelu_with_noise_(a, aten.zeros([2])) is a  # the noise is changed, but not returned
    foreach = [aten.ones([2]), aten.ones([3])]
    assert aten._foreach_add_(foreach, 2) is None
    same(foreach[1], torch.full((3,), 3.0))


def test_results_that_are_no_tensors():
    a = ctorch.tensor([[1.0, 2.0]])
    assert aten.size.int(a, 1) == 2
    assert aten.is_complex(a) is False
    assert aten.allclose(a, a) is True
    assert aten.q_scale(aten.quantize_per_tensor(a, 0.5, 0, ctorch.qint8)) == 0.5
    assert aten.result_type(a, 2) is ctorch.float32
    assert aten.result_type(ctorch.tensor(1), 2.5) is ctorch.float32
    assert aten._local_scalar_dense(ctorch.tensor(2 + 1j)) == 2 + 1j
    assert [t.tolist() for t in aten.split(ctorch.tensor([1, 2, 3]), 2)] == [[1, 2], [3]]
    assert aten.unique_consecutive(ctorch.tensor([1, 1, 2]))[0].tolist() == [1, 2]


def test_integers_are_exact_and_floats_are_kept():
    for number in (2**63 - 1, -(2**63) + 1, 2**53 + 1):
        assert aten.full([], number, dtype=ctorch.int64).item() == number
        assert ctorch.tensor(number).item() == number
    assert aten.full([], 2**64 - 1, dtype=ctorch.uint64).item() == 2**64 - 1
    assert ctorch.tensor(2**64 - 1, dtype=ctorch.uint64).item() == 2**64 - 1
    assert math.isnan(aten.add(ctorch.tensor(1.0), math.nan).item())
    assert aten.mul(ctorch.tensor(-1.0), math.inf).item() == -math.inf
    assert math.copysign(1, aten.full([], -0.0).item()) == -1
    tiny = 5e-324
    assert aten.full([], tiny, dtype=ctorch.float64).item() == tiny


def test_lists_and_optionals():
    a = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert aten.sum(a, []).tolist() == 10  # an empty list is all dimensions
    assert aten.sum(a, None).tolist() == 10
    assert aten.zeros([]).shape == ()
    same(aten.index(a, [None, ctorch.tensor([1])]), torch.tensor([[2.0], [4.0]]))
    same(aten.conv1d(ours(torch.ones(1, 1, 4)), ours(torch.ones(1, 1, 2)), None, 2), torch.full((1, 1, 2), 2.0))
    same(aten.max_pool2d(ours(torch.arange(16.0).view(1, 4, 4)), 2), torch.tensor([[[5.0, 7.0], [13.0, 15.0]]]))
    same(aten.upsample_nearest1d(ours(torch.ones(1, 1, 2)), None, [2.0]), torch.ones(1, 1, 4))
    generator = raw.generator_new()
    raw.generator_manual_seed(generator, 7)
    expected = torch.rand(3, generator=torch.Generator().manual_seed(7))
    same(aten.rand([3], generator=generator), expected)
    same(
        aten.randperm(4, generator=ctorch.manual_seed(3)), torch.randperm(4, generator=torch.Generator().manual_seed(3))
    )
    assert aten.empty([2, 2], device="meta").is_meta
    assert aten.empty([2, 2], device=ctorch.device("meta"), dtype=float).dtype is ctorch.float64
    assert aten.einsum("ij,jk->ik", [a, a]).tolist() == (theirs(a) @ theirs(a)).tolist()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda a: aten.matmul(a, 3), "matmul(): argument 'other' (position 2) must be Tensor, not int"),
        (lambda a: aten.add.Tensor(a, "x"), "add.Tensor(): argument 'other' (position 2) must be Tensor, not str"),
        (lambda a: aten.argmax(a, 0, 1), "argmax(): argument 'keepdim' (position 3) must be bool, not int"),
        (lambda a: aten.argmax(a, 0.5), "argmax(): argument 'dim' (position 2) must be int or None, not float"),
        (lambda a: aten.cat([a, 3]), "cat(): argument 'tensors' (position 1) must be list of Tensor; element 1"),
        (lambda a: aten.cat(a), "cat(): argument 'tensors' (position 1) must be list of Tensor, not Tensor"),
        (lambda a: aten.zeros([1.5]), "element 0 must be int, not float"),
        (lambda a: aten.view(a, [2**63]), "view"),
        (lambda a: aten.argmax(a, 2**63), "must be from"),
        (lambda a: aten.full([2], 10**30), "must fit in 64 bits"),
        (lambda a: aten.zeros([2], dtype="float32"), "argument 'dtype' (position 2) must be dtype or None, not str"),
        (lambda a: aten.zeros([2], device="nowhere"), "unknown type of device: 'nowhere'"),
        (lambda a: aten.einsum("a\0b", [a]), "must not contain a NUL character"),
        (lambda a: aten.matmul(a), "missing 1 required positional argument: 'other'"),
        (lambda a: aten.matmul(a, a, b=3), "unexpected keyword argument 'b'"),
        (lambda a: aten.sum(a, dimension=1), "no overload takes these arguments"),
        (lambda a: raw.tensor_from_data("x", [1], ctorch.uint8), "argument 'data' (position 1)"),
        (lambda a: raw.tensor_size(a, "x"), "tensor_size(): argument 'dim' (position 2) must be int, not str"),
        (lambda a: raw.tensor_size("x", 0), "tensor_size(): argument 'self' (position 1) must be Tensor, not str"),
        (lambda a: raw.tensor_register_hook(a, 3), "argument 'callback' (position 2)"),
        (lambda a: ctorch.Tensor(3), "ctorch.tensor"),
    ],
)
def test_wrong_arguments_name_the_function_and_the_argument(call, words):
    with pytest.raises(TypeError) as caught:
        call(ctorch.tensor([1.0, 2.0]))
    assert words in str(caught.value)


# Errors


def test_each_kind_of_error_is_the_exception_of_python_and_of_ctorch():
    a = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]])
    meta = aten.empty([2, 2], device="meta")
    kinds = {
        "INDEX": (IndexError, lambda: a[5]),
        "VALUE": (ValueError, lambda: a[::-1]),
        "TYPE": (TypeError, lambda: raw.generator_set_state(raw.generator_new(), a)),
        "RUNTIME": (RuntimeError, lambda: a.backward()),
        "NOT_IMPLEMENTED": (NotImplementedError, lambda: meta.to("cpu")),
        "LINALG": (RuntimeError, lambda: aten.linalg_inv(aten.zeros([2, 2]))),
        "SHAPE_MISMATCH": (RuntimeError, lambda: aten.matmul(a, ctorch.tensor([1.0, 2.0, 3.0]))),
        "DTYPE_MISMATCH": (RuntimeError, lambda: aten.matmul(a, a.to(ctorch.float64))),
        "DEVICE_MISMATCH": (RuntimeError, lambda: raw.tensor_set_grad(a.clone().requires_grad_(), meta)),
        "OUT_OF_MEMORY": (MemoryError, lambda: aten.empty([2**46])),
        "INVALID_ARGUMENT": (ValueError, lambda: raw.tensor_from_data(b"abc", [2], ctorch.uint8)),
        "NULL_ARGUMENT": (TypeError, lambda: raw.index_from_text("%t", None, [None])),
        "SYNTAX": (SyntaxError, lambda: raw.index_from_text("[")),
        "BUFFER": (BufferError, lambda: aten.ones([2]).requires_grad_().__dlpack__()),
        "UNSUPPORTED": (NotImplementedError, lambda: raw.debug_report()),
        "IO": (OSError, lambda: raw.tensor_print(a, 987)),
    }
    failed = {}
    for name, (python, call) in kinds.items():
        try:
            call()
            failed[name] = "no error"
        except ctorch.Error as error:
            if error.code_name != name or not isinstance(error, python) or not error.message:
                failed[name] = f"{type(error).__mro__} {error}"
            assert error.function.startswith("ctorch_")
            assert str(error) == error.message and error.code == ctorch.constants.ErrorKind[name]
    assert not failed


def test_an_error_tells_what_did_not_fit():
    a = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ctorch.errors.ShapeMismatchError) as shape:
        aten.add(aten.zeros([2, 3]), aten.zeros([2, 4]))
    assert (shape.value.expected, shape.value.got) == ((3,), (4,)) or shape.value.expected is not None
    with pytest.raises(ctorch.errors.DtypeMismatchError) as dtype:
        aten.matmul(a, a.to(ctorch.float64))
    assert {dtype.value.expected, dtype.value.got} == {ctorch.float32, ctorch.float64}
    with pytest.raises(ctorch.errors.OutOfMemoryError) as memory:
        aten.empty([2**46])
    assert memory.value.requested_bytes == 2**48
    with pytest.raises(ctorch.Error) as error:
        a.view(3)
    assert "shape '[3]' is invalid for input of size 4" in error.value.message
    assert "ctorch_aten_view" in error.value.function
    assert isinstance(error.value.backtrace, str)
    again = pickle.loads(pickle.dumps(shape.value))
    assert type(again) is type(shape.value) and again.expected == shape.value.expected and again.backtrace == ""


def test_errors_of_several_threads_do_not_mix():
    def work(thread):
        for step in range(100):
            size = 10_000 + 100 * thread + step
            with pytest.raises(RuntimeError, match=rf"shape '\[{size}\]' is invalid"):
                aten.zeros([2]).view(size)
            assert aten.full([4], thread).sum().item() == 4 * thread

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


# Ownership


def test_close_is_harmless_twice_and_use_after_it_is_an_error():
    a = ctorch.tensor([1.0, 2.0])
    a.close()
    a.close()
    assert a.closed and repr(a) == "<ctorch.Tensor closed>"
    for use in (
        lambda: aten.add(a, 1),
        lambda: aten.cat([a]),
        lambda: a + 1,
        lambda: a.shape,
        lambda: a.numel(),
        lambda: a.sum(),
        lambda: a[0],
        lambda: a.item(),
        lambda: a.__dlpack__(),
        lambda: ctorch.tensor([1.0]).add_(a),
    ):
        with pytest.raises(ValueError, match="closed"):
            use()
    with ctorch.tensor([1.0]) as b:
        assert b.item() == 1
    assert b.closed
    generator = raw.generator_new()
    generator.close()
    with pytest.raises(ValueError, match="Generator that was closed"):
        raw.generator_manual_seed(generator, 1)


def test_handles_are_counted_to_zero_in_a_process_of_its_own():
    assert run(PROGRAMS / "leaks.py").stdout.split() == ["0", "torch", "False", "numpy", "False"]


def test_a_tensor_cannot_be_pickled():
    with pytest.raises(TypeError, match="cannot pickle 'Tensor'"):
        pickle.dumps(ctorch.tensor(1))
    assert pickle.loads(pickle.dumps(ctorch.float32)) is ctorch.float32
    assert pickle.loads(pickle.dumps(ctorch.device("cuda", 1))) == ctorch.device("cuda:1")


def test_cycles_are_collected_under_pressure():
    """10,000 temporaries of 10 MB, each in a reference cycle, with the garbage collector off but for the callback."""
    most, left = map(int, run(PROGRAMS / "pressure.py", CTORCH_DEBUG_HANDLES="0").stdout.split())
    assert 100 * 10**6 <= most <= 250 * 10**6
    assert left == 0


def test_a_failing_pressure_callback_is_the_exception_of_the_call():
    def fail(reason, held, requested):
        raise KeyError("pressure")

    raw.memory_pressure_set_callback(fail, 10**6)
    try:
        with pytest.raises(KeyError, match="pressure"):
            aten.ones([10**6])
    finally:
        raw.memory_pressure_clear_callback()


# Tensors


def test_python_operators_equal_those_of_torch():
    import operator as o

    x, y = torch.tensor([[5, -3], [2, 7]]), torch.tensor([[2, 4], [-3, 1]])
    binary = [o.add, o.sub, o.mul, o.truediv, o.floordiv, o.mod, o.matmul, o.and_, o.or_, o.xor, o.eq, o.ne, o.lt, o.le]
    for function in [*binary, o.gt, o.ge]:
        same(function(ours(x), ours(y)), function(x, y))
    for function in [o.lshift, o.rshift, o.pow]:
        same(function(ours(x), ours(y.abs())), function(x, y.abs()))
    for function in [o.add, o.sub, o.mul, o.truediv, o.floordiv, o.mod, o.and_, o.or_, o.xor, o.eq, o.lt, o.ge]:
        same(function(ours(x), 3), function(x, 3))
        same(function(3, ours(x)), function(3, x))
    for function in [o.add, o.sub, o.mul, o.truediv, o.floordiv, o.mod, o.pow]:
        same(function(ours(x.double()), 2.5), function(x.double(), 2.5))
        same(function(2.5, ours(x.double())), function(2.5, x.double()))
    same(2 ** ours(x.abs()), 2 ** x.abs())
    same(1 << ours(y.abs()), 1 << y.abs())
    same(64 >> ours(y.abs()), 64 >> y.abs())
    for function in [o.neg, o.abs, o.invert, o.pos]:
        same(function(ours(x)), function(x))
    for function in [o.iadd, o.isub, o.imul, o.ifloordiv, o.imod, o.iand, o.ior, o.ixor, o.ipow]:
        a = before = ours(x.clone())
        a = function(a, 2)
        assert a is before
        same(a, function(x.clone(), 2))
    a = before = ours(x.double())
    a /= 2
    assert a is before
    same(a, x.double() / 2)
    same(ours(x) + numpy.float32(1.5), x + 1.5)
    same(ours(x.short()) * numpy.int64(3), x.short() * 3)
    for other in ("text", None, [1, 2], object()):
        with pytest.raises(TypeError):
            ours(x) + other
    assert (ours(x) == None) is False  # noqa: E711
    assert 7 in ours(x) and 8 not in ours(x)


INDEXES = [
    0,
    -1,
    True,
    None,
    ...,
    slice(None),
    slice(1, None),
    slice(None, None, 2),
    slice(-2, 100),
    (0, 1),
    (0, 1, 2),
    (..., 0),
    (None, 0, ..., None),
    (slice(None), [0, 2]),
    [0, 1],
    [[0, 1], [1, 0]],
    (torch.tensor([0, 1]), torch.tensor([1, 2])),
    torch.tensor([True, False]),
    (slice(None), torch.tensor([True, False, True])),
    (0, slice(None, None, 2), [True, False, True, True]),
    torch.tensor(1),
    numpy.int64(1),
    (),
    (False,),
    [],
    torch.arange(24).view(2, 3, 4) % 5 == 0,
]


@pytest.mark.parametrize("index", INDEXES, ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_indexing_reads_and_assigns_as_torch_does(index):
    def translate(entry):
        if isinstance(entry, torch.Tensor):
            return ours(entry)
        return tuple(map(translate, entry)) if isinstance(entry, tuple) else entry

    x = torch.arange(24.0).view(2, 3, 4)
    same(ours(x)[translate(index)], x[index])
    for value in (-1.5, torch.tensor(9.0)):
        expected, a = x.clone(), ours(x.clone())
        expected[index] = value
        a[translate(index)] = translate(value)
        same(a, expected)


def test_indexing_errors():
    a = ctorch.tensor([[1, 2], [3, 4]])
    for index, exception in (((0, 0, 0), IndexError), ("x", IndexError), (2.5, IndexError), (slice("a", 2), TypeError)):
        with pytest.raises(exception):
            a[index]
    with pytest.raises(TypeError, match="can't assign a str"):
        a[0] = "x"


def test_construction_equals_that_of_torch():
    for data in (
        1,
        2.5,
        True,
        1 + 2j,
        [],
        [[]],
        [1, 2],
        [1, 2.5],
        [[1, 2], [3, 4]],
        [True, 2],
        ((1, 2), (3, 4)),
        [[[1j]]],
    ):
        same(ctorch.tensor(data), torch.tensor(data))
    for dtype in ("uint8", "int32", "float16", "bfloat16", "float64", "bool", "complex64"):
        same(ctorch.tensor([[0, 1], [2, 3]], dtype=getattr(ctorch, dtype, ctorch.constants.bool)),
             torch.tensor([[0, 1], [2, 3]], dtype=getattr(torch, dtype)))  # fmt: skip
    same(ctorch.tensor(numpy.arange(6).reshape(2, 3)), torch.arange(6).view(2, 3))
    same(ctorch.tensor([ctorch.tensor(1), 2]), torch.tensor([1, 2]))
    for bad, exception in (([1, [2]], TypeError), ([[1], 2], TypeError), ([[1], [2, 3]], ValueError), ("ab", TypeError),
                           (2**70, OverflowError), ([object()], TypeError)):  # fmt: skip
        with pytest.raises(exception):
            ctorch.tensor(bad)
    with pytest.raises(RuntimeError, match="overflow"):
        ctorch.tensor([300], dtype=ctorch.uint8)
    assert ctorch.tensor([1.0], requires_grad=True).requires_grad


def test_a_tensor_tells_what_it_is():
    x = torch.randn(2, 3, 4)[:, ::2]
    a = ours(x)
    assert (a.shape, a.stride(), a.ndim, a.dim(), a.numel(), a.nbytes) == ((2, 2, 4), (12, 8, 1), 3, 3, 16, 64)
    assert (a.size(), a.size(-1), a.stride(1), len(a)) == ((2, 2, 4), 4, 8, 2)
    assert (a.dtype, a.device, a.layout) == (ctorch.float32, ctorch.device("cpu"), ctorch.strided)
    assert not a.is_contiguous() and a.data_ptr() == x.data_ptr() and a.is_leaf and a.grad is None and a.grad_fn is None
    assert str(raw.tensor_repr(a)) == repr(x) == repr(a)
    assert a.tolist() == x.tolist()
    assert [row.tolist() for row in a] == x.tolist()
    for value in (3, 2.5, True, 1 + 2j):
        assert ctorch.tensor(value).item() == value and type(ctorch.tensor(value).item()) is type(value)
    assert int(ctorch.tensor(2.7)) == 2 and float(ctorch.tensor(3)) == 3.0 and bool(ctorch.tensor([0.0])) is False
    assert [10, 20, 30][ctorch.tensor(1)] == 20 and f"{ctorch.tensor(2.5):.2f}" == "2.50"
    for shape in ((0,), (2, 0), (0, 2), (2, 0, 3)):
        assert aten.zeros(shape).tolist() == torch.zeros(shape).tolist()
    for dtype in ("float16", "bfloat16", "int8", "complex64", "uint16", "uint64", "float8_e5m2"):
        kind = getattr(torch, dtype)
        assert ours(torch.tensor([1, 2]).to(kind)).tolist() == torch.tensor([1, 2]).to(kind).tolist()
    same(a.mT, x.mT)
    same(a.reshape(4, 4), x.reshape(4, 4))
    same(a.permute(2, 0, 1), x.permute(2, 0, 1))
    same(a.sum(dim=1, keepdim=True), x.sum(dim=1, keepdim=True))
    same(a.to(ctorch.float64), x.double())
    same(a.to("cpu", float), x.double())
    same(a.to(ctorch.tensor(1)), x.long())
    assert (
        a.to(ctorch.float32).data_ptr() == a.data_ptr() and a.to(ctorch.float32, copy=True).data_ptr() != a.data_ptr()
    )


def test_methods_are_those_of_the_class_and_copies_are_of_the_tensor():
    a = ctorch.tensor([1.0, 2.0], requires_grad=True)
    same(ctorch.Tensor.mul(a, 3), torch.tensor([3.0, 6.0]))
    assert "cumsum" in dir(a) and hasattr(ctorch.Tensor, "cumsum") and not hasattr(a, "linspace")
    assert ctorch.Tensor.cumsum.__doc__.startswith("cumsum(Tensor self, int dim")
    same(a.expand(2, 2), torch.tensor([[1.0, 2.0], [1.0, 2.0]]))
    same(a.view(2, 1).permute(1, 0), torch.tensor([[1.0, 2.0]]))
    same(a.new_zeros(1, 2), torch.zeros(1, 2))
    same(a.detach().view(ctorch.int32), torch.tensor([1.0, 2.0]).view(torch.int32))
    twin, other = copy.copy(a), copy.deepcopy(a)
    assert twin is not a and twin.data_ptr() == a.data_ptr() != other.data_ptr() and other.requires_grad
    assert str(raw.node_name((a * a).grad_fn)) == "MulBackward0"
    with pytest.raises(RuntimeError, match="only tensors that the user made"):
        copy.deepcopy(a * 2)


def test_memory_is_wrapped_with_strides_that_are_checked():
    memory = numpy.arange(6, dtype=numpy.int32)
    address = memory.ctypes.data
    a = raw.tensor_from_buffer(address, [2, 3], [1, 2], ctorch.int32, memory)
    same(a, torch.arange(6, dtype=torch.int32).view(3, 2).T)
    references = sys.getrefcount(memory)
    a.close()
    assert sys.getrefcount(memory) == references - 1
    for strides in ([], [1], [1, 2, 3]):
        with pytest.raises(ValueError, match=f"{len(strides)} strides for 2 sizes"):
            raw.tensor_from_buffer(address, [2, 3], strides, ctorch.int32)
    with pytest.raises(ValueError, match="negative|strides"):
        raw.tensor_from_buffer(address, [2, 3], [1, -2], ctorch.int32, memory)
    assert sys.getrefcount(memory) == references - 1  # a function that fails takes nothing over


def test_nothing_is_said_at_the_end_of_the_process():
    code = """
import ctorch, threading, sys
a = ctorch.tensor([1.0], requires_grad=True)
y = a * 2
y.register_hook(lambda gradient, y=y: gradient)
cycle = [a]; cycle.append(cycle)
class Keep(ctorch.autograd.Function):
    forward = staticmethod(lambda ctx, x: x * 1)
    backward = staticmethod(lambda ctx, gradient: gradient)
z = Keep.apply(a)
view = a.detach().memoryview()
capsule = a.detach().__dlpack__()
ctorch.collect_under_pressure(1000)
kept = [ctorch.aten.ones([1000]) for _ in range(10)]
thread = threading.Thread(target=lambda: kept.append(ctorch.aten.ones([3]).sum()))
thread.start()
"""
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE), "CTORCH_DEBUG_HANDLES": "0"}
    result = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, timeout=100)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_libtorch_is_that_of_a_torch_that_is_imported(tmp_path):
    (tmp_path / "libc10.so").touch()  # no library: it must not be loaded
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join((str(PACKAGE), *sys.path[1:]))}
    variables["CTORCH_TORCH"] = str(tmp_path)
    code = "import torch, ctorch; print(ctorch.aten.ones([2]).sum().item())"
    result = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, timeout=100)
    assert (result.returncode, result.stdout) == (0, "2.0\n"), result.stderr
    result = subprocess.run(
        [sys.executable, "-c", "import ctorch"], env=variables, capture_output=True, text=True, timeout=100
    )
    assert result.returncode == 1 and "libc10.so" in result.stderr


def test_what_c_calls_outlives_the_modules_of_the_binding():
    """Python takes modules apart in its own order at the end, and releases handles after that."""
    code = """
import gc, sys
import ctorch
class Keep(ctorch.autograd.Function):
    forward = staticmethod(lambda ctx, x: x * 1)
    backward = staticmethod(lambda ctx, gradient: gradient)
z = Keep.apply(ctorch.tensor([1.0], requires_grad=True))
for name, module in list(sys.modules.items()):
    if name.startswith("ctorch."):
        module.__dict__.pop("DESTROY", None)
        module.__dict__.pop("_trampolines", None)
gc.collect()
filling = [bytes(range(n % 200 + 1)) for n in range(10000)]
del z, Keep
gc.collect()
"""
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE), "CTORCH_DEBUG_HANDLES": "0"}
    result = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, timeout=100)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


# Gradients and callbacks


def test_gradients_equal_those_of_torch():
    x = torch.randn(3, 4, requires_grad=True)
    a = ours(x.detach().clone()).requires_grad_()
    (x.sin() * x).sum().backward()
    (a.sin() * a).sum().backward()
    same(a.grad, x.grad)
    (gradient,) = ctorch.autograd.grad((a * a).sum(), [a])
    same(gradient, 2 * x.detach())
    with ctorch.no_grad():
        assert not (a * 2).requires_grad and not ctorch.is_grad_enabled()
        with ctorch.enable_grad():
            assert (a * 2).requires_grad
    assert ctorch.is_grad_enabled()
    with ctorch.inference_mode():
        assert aten.is_inference(a * 2)
    with pytest.raises(RuntimeError), ctorch.no_grad():
        a.view(99)
    assert ctorch.is_grad_enabled()
    a.grad = None
    assert a.grad is None


class Cube(ctorch.autograd.Function):
    @staticmethod
    def forward(ctx, x, power, scale):
        ctx.save_for_backward(x)
        ctx.power, ctx.scale = power, scale
        assert ctx.needs_input_grad == (True, False, False)
        return x**power * scale

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * x ** (ctx.power - 1) * ctx.power * ctx.scale, None, None


def test_a_function_of_ones_own_is_differentiable_twice():
    a = ctorch.tensor([1.0, 2.0], requires_grad=True)
    y = Cube.apply(a, 3, 10.0)
    assert y.tolist() == [10, 80]
    (first,) = ctorch.autograd.grad(y.sum(), [a], create_graph=True)
    assert first.tolist() == [30, 120]
    (second,) = ctorch.autograd.grad(first.sum(), [a])
    assert second.tolist() == [60, 120]
    assert "CubeBackward" in repr(y)


def test_an_exception_in_a_callback_is_the_exception_of_the_outer_call():
    class Refusal(Exception):
        pass

    refusal = Refusal("no")

    class Bad(ctorch.autograd.Function):
        where = "forward"

        @staticmethod
        def forward(ctx, x):
            if Bad.where == "forward":
                raise refusal
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            raise refusal

    a = ctorch.tensor([1.0], requires_grad=True)
    with pytest.raises(Refusal) as caught:
        Bad.apply(a)
    assert caught.value is refusal
    Bad.where = "backward"
    with pytest.raises(Refusal) as caught:
        Bad.apply(a).sum().backward()
    assert caught.value is refusal

    for exception in (KeyboardInterrupt(), TypeError("x"), ctorch.errors.IndexError("mine"), StopIteration()):

        def hook(gradient, exception=exception):
            raise exception

        y = a * 2
        y.register_hook(hook)
        with pytest.raises(type(exception)) as caught:
            y.sum().backward()
        assert caught.value is exception
    with pytest.raises(IndexError):  # what fails inside a callback comes out with its code
        raw.checkpoint(lambda inputs: [inputs[0][99]], [a])


def test_hooks_see_and_replace_gradients():
    a = ctorch.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    handle = a.register_hook(lambda gradient: seen.append(gradient.tolist()) or gradient * 10)
    after = a.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
    (a * 3).sum().backward()
    assert seen == [[3, 3], [30, 30]] and a.grad.tolist() == [30, 30]
    handle.remove()
    after.remove()
    (a * 3).sum().backward()
    assert len(seen) == 2
    y = a * 2
    y.register_hook(lambda gradient: "text")
    with pytest.raises(TypeError, match="must return a Tensor, not str"):
        y.sum().backward()


def test_callbacks_run_on_threads_of_python_and_are_freed():
    class Witness:
        pass

    def work(number):
        witness = Witness()
        a = ctorch.tensor([float(number)], requires_grad=True)
        y = a * 2
        y.register_hook(lambda gradient, witness=witness: gradient * number)
        y.sum().backward()
        assert a.grad.item() == 2 * number
        return weakref.ref(witness)

    with ThreadPoolExecutor(4) as pool:
        references = list(pool.map(work, range(40)))
    gc.collect()
    assert [r() for r in references] == [None] * 40


def test_deep_graphs_call_back_from_threads_of_libtorch():
    """A backward pass inside a backward pass, nested until LibTorch moves it to a worker thread of its own."""
    threads = set()

    class Nested(ctorch.autograd.Function):
        @staticmethod
        def forward(ctx, x, depth):
            ctx.depth = depth
            return x * 1

        @staticmethod
        def backward(ctx, gradient):
            threads.add(threading.get_ident())
            if ctx.depth == 0:
                raise LookupError("at the bottom")
            inner = ctorch.tensor([1.0], requires_grad=True)
            with ctorch.enable_grad():
                Nested.apply(inner, ctx.depth - 1).sum().backward()
            return gradient, None

    a = ctorch.tensor([1.0], requires_grad=True)
    with pytest.raises(LookupError, match="at the bottom"):
        Nested.apply(a, 80).sum().backward()
    assert len(threads) > 1


def test_transforms_take_python_functions():
    x = ctorch.tensor([1.0, 2.0, 3.0])
    (jacobian,) = raw.func_jacrev(lambda inputs: [inputs[0] ** 2], [x], [0], 0, None)[0]
    assert jacobian.tolist() == [[2, 0, 0], [0, 4, 0], [0, 0, 6]]
    with pytest.raises(ZeroDivisionError):
        raw.func_jacrev(lambda inputs: [inputs[0] / (1 // 0)], [x], [0], 0, None)
    packed = []
    a = ctorch.tensor([2.0], requires_grad=True)
    with ctorch.autograd.saved_tensors_hooks(lambda t: packed.append(1) or t.tolist(), lambda p: ctorch.tensor(p)):
        y = a * a
    y.sum().backward()
    assert packed == [1, 1] and a.grad.item() == 4


# Other libraries


def test_memory_is_shared_with_torch_both_ways():
    x = torch.arange(6.0).view(2, 3)
    a = ctorch.from_dlpack(x)
    assert a.data_ptr() == x.data_ptr()
    a[0, 0] = 42
    x[1, 2] = -1
    assert x[0, 0] == 42 and a[1, 2].item() == -1
    y = torch.from_dlpack(a)
    assert y.data_ptr() == a.data_ptr()
    y += 1
    assert a[0, 0].item() == 43
    assert a.__dlpack_device__() == (1, 0)
    assert ctorch.from_dlpack(x, copy=True).data_ptr() != x.data_ptr()
    old = ctorch.from_dlpack(a.__dlpack__())  # a capsule of before DLPack 1.0
    assert old.data_ptr() == a.data_ptr()
    capsule = a.__dlpack__(max_version=(1, 0))
    assert ctorch.from_dlpack(capsule).data_ptr() == a.data_ptr()
    with pytest.raises(TypeError, match="used already"):
        ctorch.from_dlpack(capsule)
    with pytest.raises(TypeError, match="must have __dlpack__"):
        ctorch.from_dlpack([1, 2])


def test_memory_is_shared_with_numpy_both_ways():
    a = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]])
    for array in (numpy.asarray(a), numpy.from_dlpack(a), a.numpy()):
        assert array.__array_interface__["data"][0] == a.data_ptr()
        array[0, 0] += 1
    assert a[0, 0].item() == 4
    transposed = numpy.asarray(a.mT)
    assert transposed.strides == (4, 8) and transposed[1, 0] == 2
    back = ctorch.from_numpy(numpy.asarray(a))
    assert back.data_ptr() == a.data_ptr()
    array = numpy.arange(6, dtype=numpy.int16).reshape(2, 3)
    for b in (
        ctorch.from_numpy(array),
        ctorch.from_dlpack(array),
        ctorch.from_numpy(array.T),
        ctorch.from_numpy(array),
    ):
        assert b.data_ptr() == array.ctypes.data
        b[0, 0] += 1
    assert array[0, 0] == 4
    reference = weakref.ref(array)
    del array
    assert reference() is not None and b[1, 2].item() == 5  # the tensor keeps the array
    del b, back
    gc.collect()
    assert reference() is None
    array = numpy.asarray(ctorch.tensor([1, 2, 3]))  # and an array its tensor
    gc.collect()
    assert array.tolist() == [1, 2, 3]
    frozen = numpy.ones(2)
    frozen.flags.writeable = False
    for bad, exception in ((frozen, ValueError), ([1], TypeError), (numpy.ones(4)[::-1], ValueError)):
        with pytest.raises(exception):
            ctorch.from_numpy(bad)
    with pytest.raises(RuntimeError, match="requires grad"):
        numpy.asarray(ctorch.tensor([1.0], requires_grad=True))


def test_memory_is_shared_with_buffers():
    a = ctorch.tensor([[1, 2], [3, 4]])
    view = a.memoryview()
    assert view.tolist() == [[1, 2], [3, 4]] and view.shape == (2, 2)
    view[1, 1] = 9
    assert a[1, 1].item() == 9
    if sys.version_info >= (3, 12):
        assert memoryview(a).tolist() == a.tolist()
    data = bytearray(8)
    b = ctorch.frombuffer(data, dtype=ctorch.int16, offset=2, count=2)
    b += 258
    assert data == bytes([0, 0, 2, 1, 2, 1, 0, 0])
    with pytest.raises(BufferError):
        data.clear()  # the tensor holds the buffer
    with pytest.raises(ValueError, match="cannot be written to"):
        ctorch.frombuffer(b"abc", dtype=ctorch.uint8)


def test_memory_is_shared_with_tvm_ffi_both_ways():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="pip install apache-tvm-ffi")
    a = ctorch.tensor([1.0, 2.0, 3.0])
    t = tvm_ffi.from_dlpack(a)
    numpy.from_dlpack(t)[0] = 7
    assert a[0].item() == 7
    back = ctorch.from_dlpack(t)
    assert back.data_ptr() == a.data_ptr()
    back[1] = 8
    assert a[1].item() == 8
    same = tvm_ffi.convert(lambda x: x)  # a call that takes and gives tensors goes by the table on the type
    answer = same(a)
    assert isinstance(answer, ctorch.Tensor) and answer is not a
    assert answer.data_ptr() == a.data_ptr()
    answer[2] = 9
    assert a.tolist() == [7, 8, 9]


@pytest.mark.parametrize("leaf", [True, False])
def test_a_tensor_that_requires_a_gradient_goes_to_tvm_ffi_as_torchs_does(leaf):
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="pip install apache-tvm-ffi")
    seen = []
    look = tvm_ffi.convert(lambda x: seen.append(numpy.from_dlpack(x).tolist()))
    for library in (torch, ctorch):
        x = library.tensor([1.0, 2.0], requires_grad=True)
        look(x if leaf else x * 3)
    assert seen[0] == seen[1] == ([1, 2] if leaf else [3, 6])


def test_what_the_exchange_table_refuses_raises_what_dlpack_raises():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="pip install apache-tvm-ffi")
    nothing = tvm_ffi.convert(lambda x: None)
    conjugate = ctorch.tensor([1 + 1j]).conj()
    with pytest.raises(ctorch.errors.BufferError, match="conjugate bit"):
        conjugate.__dlpack__()
    with pytest.raises(ctorch.errors.BufferError, match="conjugate bit"):
        nothing(conjugate)
    closed = ctorch.tensor([1.0])
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        nothing(closed)


def test_each_function_of_the_exchange_table_leaves_its_exception_set():
    class Table(ctypes.Structure):
        _fields_ = (("header", ctypes.c_void_p * 2), ("functions", ctypes.c_void_p * 5))

    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    capsule = ctorch.Tensor.__dlpack_c_exchange_api__
    table = Table.from_address(get(capsule, b"dlpack_exchange_api"))
    _, from_object, to_object, describe, _ = table.functions
    out = (ctypes.c_void_p * 16)()
    of_object = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
    for function in (of_object(from_object), of_object(describe)):  # ctypes looks for exceptions after such a call
        assert function(ctorch.ones(2, requires_grad=True), out) == 0
        with pytest.raises(ctorch.errors.BufferError, match="strided"):
            function(ctorch.ones(2, 2).to_sparse(), out)
        with pytest.raises((AttributeError, TypeError), match="str"):
            function("text", out)
    of_object(from_object)(ctorch.ones(2), out)
    version = ctypes.c_uint32.from_address(out[0])
    version.value = 99
    with pytest.raises(ctorch.errors.BufferError, match="DLPack 99"):
        ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(to_object)(out[0], out)


# Programs of their own


def test_train_digits_equals_the_c_program(tmp_path):
    c, python = tmp_path / "c.txt", tmp_path / "python.txt"
    options = ["--epochs", "2", "--seed", "5", "--quiet", "--data", ROOT / "examples/data"]
    command = [BUILD / "examples/train_digits", *options, "--losses", c]
    expected = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    arguments = [*options, "--losses", python, "--snapshots", tmp_path / "snapshots"]
    result = run(ROOT / "examples/python/train_digits.py", *arguments)
    assert python.read_bytes() == c.read_bytes()
    assert run(ROOT / "examples/python/train_digits.py", *arguments).stdout == result.stdout  # nothing is left to do
    assert python.read_bytes() == c.read_bytes()
    assert len(c.read_text().splitlines()) == 2
    assert result.stdout == expected.stdout
    assert "leak" not in result.stderr


def test_image_folder_prints_what_the_c_program_does():
    shapes = ROOT / "examples/data/shapes"
    c = subprocess.run([BUILD / "examples/image_folder", shapes], capture_output=True, text=True, check=True)
    result = run(ROOT / "examples/python/image_folder.py", shapes)
    assert result.stdout == c.stdout
    assert "leak" not in result.stderr


@pytest.mark.parametrize("kind", exported_model.WRITERS)
def test_a_model_of_python_runs(kind):
    result = run(ROOT / "examples/python/run_model.py", kind, exported_model.file(kind))
    assert "leak" not in result.stderr
    exported_model.assert_equal(kind, result.stdout)


def test_gpt_writes_the_bytes_of_the_c_program():
    arguments = [ROOT / "examples/data/sonnets.txt", "3"]
    c = subprocess.run([BUILD / "examples/gpt", *arguments], capture_output=True, check=True)
    result = run(ROOT / "examples/python/gpt.py", *arguments, text=False)
    assert result.stdout == c.stdout
    assert b"leak" not in result.stderr


def test_a_type_checker_understands_the_package(tmp_path):
    pytest.importorskip("mypy", reason="pip install mypy")
    program = PROGRAMS / "typed.py"
    options = ["--strict", "--follow-imports=silent", "--no-error-summary", "--hide-error-context", "--no-pretty"]
    command = [sys.executable, "-m", "mypy", *options, "--cache-dir", str(tmp_path), str(program)]
    result = subprocess.run(command, env={**os.environ, "MYPYPATH": str(PACKAGE)}, capture_output=True, text=True)
    found = {}
    for line in result.stdout.splitlines():
        if " error: " in line:
            path, number, _ = line.split(":", 2)
            found.setdefault((Path(path).name, int(number)), set()).add(line.rpartition("[")[2].rstrip("]"))
    expected = {}
    for number, line in enumerate(program.read_text().splitlines(), 1):
        if "# error: " in line:
            expected["typed.py", number] = {line.partition("# error: ")[2]}
    assert len(expected) == 16
    assert found == expected, result.stdout + result.stderr
    run(program)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, built without a network from a copy of the package; its library has no path to this LibTorch in it."""
    pytest.importorskip("setuptools", reason="pip install setuptools")
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(PACKAGE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    library = re.sub(rb"\$ORIGIN:[^\0]+", lambda m: b"$ORIGIN:".ljust(len(m[0]), b"-"), Path(LIBRARY).read_bytes())
    (folder / "libctorch.so").write_bytes(library)
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--quiet"]
    before = sorted(folder.glob("source/**/*"))
    subprocess.run(
        [*command, "--wheel-dir", str(folder), str(folder / "source")],
        env={**os.environ, "CTORCH_LIBRARY": str(folder / "libctorch.so")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert sorted(folder.glob("source/**/*")) == before  # which may be installed, and belong to somebody else
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def environment(wheel, tmp_path_factory):
    """A fresh virtual environment with nothing in it but the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python3*/site-packages")
    install = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--target", str(site)]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    return folder


def run_installed(environment, code, **variables):
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    command = [environment / "bin/python", "-c", code]
    return subprocess.run(command, env=kept | variables, capture_output=True, text=True, cwd=environment, timeout=120)


SMOKE = """
import sys, ctorch
x = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
(x @ x).sum().backward()
library = [line.split()[-1] for line in open("/proc/self/maps") if "libctorch" in line][0]
libtorch = [line.split()[-1] for line in open("/proc/self/maps") if "libtorch_cpu" in line][0]
print(ctorch.version(), x.grad.tolist(), "torch" in sys.modules, library, libtorch, sep="|")
"""


def test_the_wheel_has_the_library_and_is_tagged_for_the_platform(wheel):
    assert re.fullmatch(r"ctorch-[\d.]+-py3-none-linux_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for name in ("libctorch.so.0", "py.typed", "aten.pyi", "raw/__init__.pyi", "raw/tensor_h.py", "operators/_a.py"):
        assert f"ctorch/{name}" in names


def test_the_installed_wheel_says_what_is_missing_without_libtorch(environment):
    result = run_installed(environment, SMOKE)
    assert result.returncode == 1
    assert "ImportError: ctorch: libc10.so: cannot open shared object file" in result.stderr
    assert "`pip install torch` installs one" in result.stderr


def test_the_installed_wheel_finds_libtorch_in_a_torch_package(environment):
    packages = Path(torch.__file__).parents[1]
    for variables in ({"CTORCH_TORCH": str(packages / "torch")}, {"PYTHONPATH": str(packages)}):
        result = run_installed(environment, SMOKE, **variables)
        assert result.returncode == 0, result.stderr
        version, gradient, imported, library, libtorch = result.stdout.strip().split("|")
        assert version == API["version"] and imported == "False"
        assert gradient == "[[7.0, 11.0], [9.0, 13.0]]"
        assert Path(library).is_relative_to(environment.resolve())
        assert os.path.samefile(libtorch, packages / "torch/lib/libtorch_cpu.so")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="glibc's, from 2.33 on")
def test_the_heap_keeps_what_temporaries_leave(tmp_path):
    code = """
import ctypes
import ctorch
class Info(ctypes.Structure):
    _fields_ = [("arena", ctypes.c_size_t), *((f"_{i}", ctypes.c_size_t) for i in range(9))]
mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Info
before = mallinfo().arena
temporaries = [ctorch.ones(256, 1024) for _ in range(16)]
del temporaries
print((mallinfo().arena - before) // 2**20)
"""
    file = tmp_path / "program.py"
    file.write_text(code)
    assert int(run(file).stdout) > 12  # MiB, of 16 temporaries, of which the heap may have had room for some
    assert int(run(file, CTORCH_KEEP_HEAP="0").stdout) < 8
