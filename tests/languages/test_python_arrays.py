"""Tensors of the Python package beside arrays of NumPy's: what shares memory, who keeps it, and who computes."""

import gc
import os
import re
import subprocess
import sys
import weakref

import numpy
import pytest
import torch

from tests.languages.test_python import PACKAGE, aten, ctorch, ours, raw, run, same


def program(tmp_path, code):
    file = tmp_path / "program.py"
    file.write_text(code)
    return run(file)


# Memory


def test_a_consumer_that_refuses_a_tensor_says_so_itself_and_leaks_nothing(tmp_path):
    done = program(
        tmp_path,
        """
import gc, numpy, ctorch
from ctorch import raw
raw.memory_pressure_set_callback(lambda *_: None, 2**40)
a = ctorch.tensor([1.0, 2.0]).to(ctorch.bfloat16)
before = raw.debug_live_handles(), raw.memory_pressure_held_bytes()
for unversioned in (False, True):
    class Old:
        __dlpack_device__ = a.__dlpack_device__
        def __dlpack__(self, **request):
            return a.__dlpack__() if unversioned else a.__dlpack__(**request)
    for _ in range(3):
        try:
            numpy.from_dlpack(Old())
        except BaseException as error:
            print(type(error).__name__, error.__cause__)
gc.collect()
print((raw.debug_live_handles(), raw.memory_pressure_held_bytes()) == before)
capsule = a.__dlpack__()
address = a.data_ptr()
a.close()
del a, capsule
print(raw.debug_live_handles(), raw.memory_pressure_held_bytes())
""",
    )
    # NumPy's own class and wording; Python's torch gets the very same answer for a bfloat16 tensor
    with pytest.raises(Exception) as theirs:
        numpy.from_dlpack(torch.ones(2, dtype=torch.bfloat16))
    assert done.stdout.split("\n")[:6] == [f"{type(theirs.value).__name__} None"] * 6
    assert done.stdout.split("\n")[6:8] == ["True", "0 0"]
    assert "ignored" not in done.stderr


def test_what_a_capsule_keeps_may_be_of_python_while_an_exception_waits():
    """The deleter of a tensor in a bytearray's memory runs Python code."""

    class Witness(bytearray):
        pass

    memory = Witness(8)
    gone = weakref.ref(memory)
    a = ctorch.frombuffer(memory, dtype=ctorch.int8).view(ctorch.bfloat16)
    capsule = [a.__dlpack__()]
    a.close()
    del a, memory

    def fail():
        capsule.pop()
        raise KeyError("waiting")

    with pytest.raises(KeyError, match="waiting"):
        fail()
    gc.collect()
    assert gone() is None


@pytest.fixture
def counted():
    """What tensors hold is counted while somebody wants to know."""
    raw.memory_pressure_set_callback(lambda *_: None, 2**40)
    yield
    raw.memory_pressure_clear_callback()


@pytest.mark.parametrize("view", [numpy.asarray, lambda a: a.numpy(), lambda a: a.memoryview(), numpy.from_dlpack])
def test_a_view_keeps_the_memory_of_a_closed_tensor(view, counted):
    a = ctorch.tensor([float(i) for i in range(1000)])
    shared = view(a)
    held = raw.memory_pressure_held_bytes()
    a.close()
    for _ in range(20):
        other = aten.full([1000], -1.0)  # which would get the memory, were it free
    other.close()
    assert shared.tolist() == [float(i) for i in range(1000)]
    shared[0] = 5.0
    assert shared[0] == 5.0
    if view is numpy.from_dlpack:
        return  # a capsule holds the tensor itself, which is no handle that is counted
    assert raw.memory_pressure_held_bytes() == held
    del shared
    gc.collect()
    assert raw.memory_pressure_held_bytes() == held - 4000


def test_views_of_parts_and_of_nothing():
    x = torch.arange(24.0).view(2, 3, 4)
    for index in (
        (slice(None), slice(None), 1),
        (1, slice(None, None, 2)),
        (0, 0, 3),
        (slice(0, 0),),
        (..., slice(2, 2)),
    ):
        a = ours(x.clone())
        part = a[index]
        shared = numpy.asarray(part)
        numpy.testing.assert_array_equal(shared, x.numpy()[index])
        part.close()
        a.close()
        numpy.testing.assert_array_equal(shared, x.numpy()[index])
    assert numpy.asarray(ours(x).permute(2, 0, 1)).strides == (4, 48, 16)
    assert numpy.asarray(ctorch.tensor(3)).item() == 3


def test_a_tensor_is_taken_out_of_what_it_gives_numpy():
    class Wrapped:
        __array_interface__ = ctorch.tensor([1, 2]).__array_interface__

    assert numpy.asarray(Wrapped()).tolist() == [1, 2]


def test_memory_that_must_not_be_written_to_is_copied():
    array = numpy.arange(3.0)
    array.flags.writeable = False
    a = ctorch.from_dlpack(array)
    a += 1
    assert array.tolist() == [0, 1, 2] and a.tolist() == [1, 2, 3]
    shared = ctorch.from_dlpack(array, copy=False)  # asked for: the caller only reads
    assert shared.data_ptr() == array.ctypes.data
    writable = numpy.arange(3.0)
    assert ctorch.from_dlpack(writable).data_ptr() == writable.ctypes.data
    gc.collect()


# Computing


def test_an_array_and_a_tensor_make_a_tensor_from_either_side():
    import operator as o

    x, y = torch.tensor([[5.0, -3.0], [2.0, 7.0]]), torch.tensor([[2.0, 4.0], [-3.0, 1.0]], dtype=torch.float64)
    arithmetic = [o.add, o.sub, o.mul, o.truediv, o.floordiv, o.mod, o.pow]
    for f in [*arithmetic, o.eq, o.ne, o.lt, o.le, o.gt, o.ge]:
        for left, right in ((x, y), (y, x)):
            expected = f(left, right)
            same(f(ours(left), right.numpy()), expected)
            same(f(left.numpy(), ours(right)), expected)
    i, j = torch.tensor([6, 3]), torch.tensor([2, 1])
    for f in [o.and_, o.or_, o.xor, o.lshift, o.rshift]:
        same(f(ours(i), j.numpy()), f(i, j))
        same(f(i.numpy(), ours(j)), f(i, j))
    same(ours(y) @ y.numpy(), y @ y)
    same(y.numpy() @ ours(y), y @ y)
    same(ours(x) + y.numpy()[::-1], x + y.flip(0))  # strides that no tensor has
    same(ours(x) + numpy.array(2.0), x + torch.tensor(2.0, dtype=torch.float64))
    same(numpy.float64(2) * ours(x), 2.0 * x)
    same(numpy.int64(7) - ours(i), 7 - i)
    a = before = ours(x.clone())
    a += y.numpy()
    assert a is before
    same(a, x + y.float())
    array = original = x.numpy().copy()
    array += ours(x)
    assert array is original and array.tolist() == (x + x).tolist()


def test_functions_of_numpy_take_tensors_and_give_tensors():
    x = torch.tensor([[0.5, 1.0], [2.0, 4.0]])
    same(numpy.sin(ours(x)), torch.from_numpy(numpy.sin(x.numpy())))
    same(numpy.add(ours(x), x.numpy(), dtype="float64"), (x + x).double())
    quotients, remainders = numpy.divmod(ours(x), 1.5)
    same(quotients, x // 1.5)
    same(remainders, x % 1.5)
    out = ctorch.zeros(2, 2)
    assert numpy.sqrt(ours(x), out=out) is out
    same(out, x.sqrt())
    same(numpy.add.reduce(ours(x)), x.sum(0))
    same(numpy.multiply.outer(ours(x[0]), x[1].numpy()), torch.outer(x[0], x[1]))
    same(numpy.maximum.reduce(ours(x[0])), torch.tensor(1.0))
    with pytest.raises(RuntimeError, match="requires grad"):
        numpy.sin(ours(x).requires_grad_())
    y = ours(x).requires_grad_()
    (x.numpy() * y).sum().backward()  # an operator is ctorch's own, and so differentiable
    same(y.grad, x)


# Indexes


def test_arrays_are_indexes():
    x = torch.arange(24.0).view(2, 3, 4)
    for index in (
        numpy.array([1, 0]),
        numpy.array([1, 0], dtype=numpy.int32),
        numpy.array([True, False]),
        numpy.array([[0, 1], [1, 1]]),
        numpy.array([1, 0])[::-1],
        numpy.array(1),
        (slice(None), numpy.array([2, 0])),
        (numpy.array([0, 1]), numpy.array([2, 0])),
        x.numpy() > 5,
    ):
        theirs = index.copy() if isinstance(index, numpy.ndarray) and index.ndim else index
        same(ours(x)[index], x[theirs])
        expected, a = x.clone(), ours(x.clone())
        expected[theirs] = -1.0
        a[index] = -1.0
        same(a, expected)
    assert ours(x)[numpy.array([])].shape == (0, 3, 4)
    a = ours(x.clone())
    a[0] = numpy.ones((3, 4))
    assert a[0].sum().item() == 12
    for wrong in (numpy.array([0.5, 1.0]), numpy.array(["a"]), numpy.array(0.5)):
        with pytest.raises((IndexError, TypeError, ctorch.errors.DtypeMismatchError)):
            ours(x)[wrong]


# Warnings


def test_warnings_are_those_of_python(recwarn):
    raw.warning_emit(ctorch.constants.WarningKind.USER, "be careful")
    line = sys._getframe().f_lineno - 1
    raw.warning_emit(ctorch.constants.WarningKind.DEPRECATION, "use the other")
    found = [(w.category, str(w.message), w.filename) for w in recwarn]
    assert found == [(UserWarning, "be careful", __file__), (DeprecationWarning, "use the other", __file__)]
    assert recwarn[0].lineno == line


def test_warnings_of_operators_are_filtered_by_python(tmp_path):
    code = """
import sys, warnings
import ctorch
def deprecated():
    ctorch.chain_matmul([ctorch.ones(2, 2), ctorch.ones(2, 2)])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    deprecated()
print(caught[0].category.__name__, caught[0].filename == __file__, caught[0].lineno)
"""
    file = tmp_path / "program.py"
    file.write_text(code)
    done = run(file)
    assert done.stdout.split() == ["UserWarning", "True", "5"] and "chain_matmul" not in done.stderr
    for options, told in (((), True), (("-W", "ignore"), False)):
        command = [sys.executable, *options, "-c", "import ctorch; ctorch.raw.warning_emit(0, 'be careful')"]
        variables = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        result = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=100)
        assert result.returncode == 0
        assert ("UserWarning: be careful" in result.stderr) is told
    # once for a line of the program, as Python says its own
    warn = "ctorch.raw.warning_emit(0, 'be careful')"
    code = f"import ctorch\nfor i in range(5): {warn}\n{warn}"
    result = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, timeout=100)
    assert result.stderr.count("UserWarning: be careful") == 2
    # an exception cannot leave the middle of an operator, but it is not lost
    command = [sys.executable, "-W", "error", "-c", "import ctorch; ctorch.raw.warning_emit(0, 'be careful')"]
    result = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=100)
    assert result.returncode == 0 and "be careful" in result.stderr


TENSORS_WITHOUT_ARRAY = {
    "sparse_coo": lambda: ctorch.eye(2).to_sparse(),
    "sparse_csr": lambda: ctorch.eye(2).to_sparse_csr(),
    "sparse with gradient": lambda: ctorch.eye(2).to_sparse().requires_grad_(),
    "meta": lambda: ctorch.zeros(2, 2, device="meta"),
    "quantized": lambda: ctorch.quantize_per_tensor(ctorch.eye(2), 0.5, 0, ctorch.quint8),
    "bfloat16": lambda: ctorch.eye(2, dtype=ctorch.bfloat16),
    "float8": lambda: ctorch.eye(2).to(ctorch.float8_e4m3fn),
    "complex32": lambda: ctorch.eye(2).to(ctorch.complex32),
    "lazy conjugate": lambda: ctorch.eye(2, dtype=ctorch.complex64).conj(),
    "gradient": lambda: ctorch.eye(2, requires_grad=True),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", TENSORS_WITHOUT_ARRAY)
def test_what_has_no_array_says_how_to_get_one(kind):
    """The advice of the message, word for word, until there is an array of the elements."""
    x = TENSORS_WITHOUT_ARRAY[kind]()
    for _ in range(3):
        try:
            array = numpy.asarray(x)
            break
        except (TypeError, RuntimeError) as error:
            advice = re.search(r"use (\S.*?)(?: or .*)?$", str(error))[1]
            x = eval(advice, {"ctorch": ctorch, "x": x})
    elements = numpy.zeros((2, 2)) if kind == "meta" else numpy.eye(2)
    assert (array == elements * (2 if kind == "quantized" else 1)).all()
