"""DLPack against PyTorch's own, and with other libraries in the process: NumPy, tvm-ffi, ONNX Runtime.

tvm-ffi is the library that DLPack's authors maintain: versioned capsules, and the C exchange API. ONNX Runtime has a
converter of its own too, for capsules of before DLPack 1.0.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import threading

import numpy as np
import onnxruntime.capi._pybind_state as ort
import pytest
import torch
import tvm_ffi
from torch._subclasses.fake_tensor import FakeTensorMode

from tests.harness.capi import BUILD, call, fails, ffi, handle, lib, ok, out, tensor

# As dlpack.h of DLPack 1.3 declares them; ctorch.cdef.h knows the tags.
ffi.cdef(
    """
    typedef struct { uint32_t major, minor; } DLPackVersion;
    typedef struct { int32_t device_type, device_id; } DLDevice;
    typedef struct { uint8_t code, bits; uint16_t lanes; } DLDataType;
    typedef struct {
      void *data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t *shape, *strides; uint64_t byte_offset;
    } DLTensor;
    typedef struct DLManagedTensor {
      DLTensor dl_tensor; void *manager_ctx; void (*deleter)(struct DLManagedTensor *self);
    } DLManagedTensor;
    typedef struct DLManagedTensorVersioned {
      DLPackVersion version; void *manager_ctx; void (*deleter)(struct DLManagedTensorVersioned *self);
      uint64_t flags; DLTensor dl_tensor;
    } DLManagedTensorVersioned;
    """
)
NULL = ffi.NULL
VERSIONED, UNVERSIONED = "dltensor_versioned", "dltensor"
STRUCT = {VERSIONED: "DLManagedTensorVersioned *", UNVERSIONED: "DLManagedTensor *"}
READ_ONLY, IS_COPIED, PADDED = 1, 2, 4
NEWEST = (1, 3)

# Capsules ------------------------------------------------------------------------------------------------------------

python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_GetName.restype = ctypes.c_char_p
python.PyCapsule_GetName.argtypes = [ctypes.py_object]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
# A capsule keeps the address of its name.
NAMES = {name: ctypes.c_char_p(name.encode()) for base in STRUCT for name in (base, f"used_{base}")}


def address(pointer) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def capsule_of(managed) -> object:
    """A PyCapsule as a binding makes it: for one consumer, who renames it."""
    name = VERSIONED if ffi.typeof(managed) is ffi.typeof(STRUCT[VERSIONED]) else UNVERSIONED
    return python.PyCapsule_New(address(managed), NAMES[name], None)


def name_of(capsule: object) -> str:
    return python.PyCapsule_GetName(capsule).decode()


def managed_in(capsule: object):
    """The managed tensor of a capsule, which goes with it."""
    return ffi.cast(STRUCT[name_of(capsule)], python.PyCapsule_GetPointer(capsule, python.PyCapsule_GetName(capsule)))


def consume(capsule: object):
    """The managed tensor of a capsule, which is now ours to delete."""
    managed = managed_in(capsule)
    assert python.PyCapsule_SetName(capsule, NAMES[f"used_{name_of(capsule)}"]) == 0
    return managed


# ctorch --------------------------------------------------------------------------------------------------------------


def pair(numbers, c_type: str):
    return (NULL, 0) if numbers is None else (ffi.new(f"{c_type}[]", numbers), len(numbers))


def exported(x: torch.Tensor, *, stream=None, max_version=NEWEST, dl_device=None, copy=None):
    """The managed tensor that ctorch makes of it, with the arguments of `__dlpack__`."""
    managed, name = out("void *"), out("const char *")
    ok(
        lib.ctorch_tensor_dlpack(
            managed,
            name,
            handle(x),
            NULL if stream is None else ffi.new("int64_t *", stream),
            *pair(max_version, "int64_t"),
            *pair(dl_device, "int32_t"),
            NULL if copy is None else ffi.new("bool *", copy),
        )
    )
    return ffi.cast(STRUCT[ffi.string(name[0]).decode()], managed[0])


def imported(managed, flags=NULL) -> torch.Tensor:
    """The tensor that ctorch makes of a managed tensor, which it consumes."""
    result = out("ctorch_tensor *")
    if ffi.typeof(managed) is ffi.typeof(STRUCT[VERSIONED]):
        ok(lib.ctorch_tensor_from_dlpack(result, flags, managed))
    else:
        ok(lib.ctorch_tensor_from_dlpack_unversioned(result, managed))
    return tensor(result[0])


def release(managed) -> None:
    if managed.deleter != NULL:
        managed.deleter(managed)


class Exporter:
    """What a binding's tensor class does: `__dlpack__` by ctorch."""

    def __init__(self, x: torch.Tensor):
        self.x = x

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return capsule_of(exported(self.x, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy))

    def __dlpack_device__(self):
        kind, index = out("int32_t"), out("int32_t")
        ok(lib.ctorch_tensor_dlpack_device(kind, index, handle(self.x)))
        return kind[0], index[0]


# The same fields as PyTorch's ----------------------------------------------------------------------------------------

DTYPES = [
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex32, torch.complex64, torch.complex128,
    torch.bool, torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz,
    torch.float8_e8m0fnu, torch.float4_e2m1fn_x2,
]  # fmt: skip
SHELLS = [getattr(torch, f"{sign}int{bits}") for sign in ("", "u") for bits in range(1, 8)]
SHAPES = {
    "number": lambda b: b[:1].view(()),
    "one": lambda b: b[:1],
    "none": lambda b: b[:0],
    "vector": lambda b: b[:7],
    "matrix": lambda b: b[:6].view(2, 3),
    "offset": lambda b: b[3:9].view(3, 2),
    "columns": lambda b: b[:6].view(2, 3).t(),
    "gaps": lambda b: b[:20].view(4, 5)[1::2, ::3],
    "broadcast": lambda b: b[:1].expand(4, 3),
    "overlapping": lambda b: b[:6].as_strided((3, 3), (1, 1)),
    "zero in the middle": lambda b: b[:6].view(2, 3)[:, 3:],
    "strided one": lambda b: b[::3][:1],
    "many": lambda b: b[:24].view(1, 2, 1, 3, 1, 4, 1),
    "channels last": lambda b: b[:24].as_strided((1, 2, 3, 4), (24, 1, 8, 2)),
    "ten": lambda b: b[:1].view((1,) * 10),
}


def sample(dtype: torch.dtype, shape: str) -> torch.Tensor:
    itemsize = torch.empty(0, dtype=dtype).element_size()
    memory = torch.arange(32 * itemsize, dtype=torch.int64).to(torch.uint8)
    return SHAPES[shape](memory.view(dtype))


def fields(managed) -> dict:
    t = managed.dl_tensor
    result = {
        "data": address(t.data),
        "device": (t.device.device_type, t.device.device_id),
        "ndim": t.ndim,
        "dtype": (t.dtype.code, t.dtype.bits, t.dtype.lanes),
        "shape": [t.shape[i] for i in range(t.ndim)],
        "strides": [t.strides[i] for i in range(t.ndim)],
        "byte_offset": t.byte_offset,
    }
    if hasattr(managed, "flags"):
        result |= {"version": (managed.version.major, managed.version.minor), "flags": managed.flags}
    return result


@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), NEWEST, (2, 0)])
@pytest.mark.parametrize("shape", SHAPES)
def test_an_export_has_the_fields_of_pytorchs(shape, max_version):
    for dtype in DTYPES:
        x = sample(dtype, shape)
        capsule = x.__dlpack__(max_version=max_version)
        ours = exported(x, max_version=max_version)
        assert name_of(capsule_of(ours)) == name_of(capsule)
        assert fields(ours) == fields(managed_in(capsule)), dtype
        release(ours)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_import_is_the_tensor_that_pytorch_makes(shape):
    for dtype, max_version in itertools.product(DTYPES, (None, NEWEST)):
        x = sample(dtype, shape)
        theirs = torch.from_dlpack(x.__dlpack__(max_version=max_version))
        ours = imported(consume(x.__dlpack__(max_version=max_version)))
        assert ours.dtype == theirs.dtype == dtype
        assert ours.device == theirs.device
        assert (ours.shape, ours.stride(), ours.storage_offset()) == (
            theirs.shape,
            theirs.stride(),
            theirs.storage_offset(),
        )
        assert ours.data_ptr() == theirs.data_ptr() == x.data_ptr()
        assert ours.untyped_storage().nbytes() == theirs.untyped_storage().nbytes()
        assert ours.is_contiguous() == theirs.is_contiguous()
        assert not ours.requires_grad


@pytest.mark.parametrize("shape", SHAPES)
def test_a_dltensor_has_the_fields_of_an_export(shape):
    for dtype in DTYPES:
        x = sample(dtype, shape)
        view = ffi.new("DLTensor *")
        ok(lib.ctorch_tensor_to_dltensor(view, handle(x), False))
        capsule = x.__dlpack__()
        holder = ffi.new("DLManagedTensor *", {"dl_tensor": view[0]})
        assert fields(holder) == fields(managed_in(capsule)), dtype


def test_a_copy_has_the_fields_of_pytorchs_and_says_so():
    for dtype, shape in itertools.product((torch.float32, torch.bool, torch.complex64), SHAPES):
        x = sample(dtype, shape)
        capsule = x.__dlpack__(max_version=NEWEST, copy=True)
        theirs = fields(managed_in(capsule))
        ours = exported(x, copy=True)
        assert ours.flags == IS_COPIED  # which PyTorch forgets, though DLPack demands it
        different = ("data", "flags")
        assert {k: v for k, v in fields(ours).items() if k not in different} == {
            k: v for k, v in theirs.items() if k not in different
        }
        assert x.numel() == 0 or address(ours.dl_tensor.data) != x.data_ptr()
        assert torch.equal(imported(ours), x)


def test_small_integers_are_padded_for_whom_that_can_be_said():
    """PyTorch exports them as the bytes that hold them, which is what consumers before DLPack 1.1 get."""
    for dtype in SHELLS:
        x = sample(dtype, "matrix")
        capsule = x.__dlpack__(max_version=NEWEST)
        theirs = managed_in(capsule).dl_tensor.dtype
        for max_version in (None, (1, 0)):
            ours = exported(x, max_version=max_version)
            assert fields(ours)["dtype"] == (theirs.code, 8, 1) == (theirs.code, theirs.bits, theirs.lanes)
            back = imported(ours)
            assert back.dtype in (torch.uint8, torch.int8) and back.data_ptr() == x.data_ptr()
        ours = exported(x)
        bits = int(str(dtype)[-1])
        assert fields(ours)["dtype"] == (theirs.code, bits, 1) and ours.flags == PADDED
        back = imported(ours)
        assert back.dtype == dtype and back.data_ptr() == x.data_ptr()


# What Python refuses -------------------------------------------------------------------------------------------------

REFUSED = {
    "requires grad": lambda: torch.zeros(3, requires_grad=True),
    "of a graph": lambda: torch.zeros(3, requires_grad=True) * 2,
    "conjugate": lambda: torch.tensor([1 + 1j]).conj(),
    "sparse": lambda: torch.eye(2).to_sparse(),
    "csr": lambda: torch.eye(2).to_sparse_csr(),
    "mkldnn": lambda: torch.eye(2).to_mkldnn(),
    "jagged": lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
    "meta": lambda: torch.zeros(3, device="meta"),
    "quantized": lambda: torch.quantize_per_tensor(torch.zeros(3), 0.1, 0, torch.qint8),
    "bits": lambda: torch.zeros(3, dtype=torch.uint8).view(torch.bits8),
}
ARGUMENTS = {
    "stream of the CPU": {"stream": 0},
    "no device": {"dl_device": (99, 0)},
    "device that PyTorch lacks": {"dl_device": (16, 0)},
    "pinned": {"dl_device": (3, 0)},
    "no copy to a device": {"dl_device": (2, 0), "copy": False},
    "missing device": {"dl_device": (2, 0)},
}
KINDS = {
    BufferError: "BUFFER",
    ValueError: "VALUE",
    AssertionError: "INVALID_ARGUMENT",
    NotImplementedError: "NOT_IMPLEMENTED",
}


def refusal(x: torch.Tensor, **arguments) -> tuple[str, str]:
    managed, name = out("void *"), out("const char *")
    stream, copy = arguments.get("stream"), arguments.get("copy")
    result = fails(
        lib.ctorch_tensor_dlpack(
            managed,
            name,
            handle(x),
            NULL if stream is None else ffi.new("int64_t *", stream),
            *pair(NEWEST, "int64_t"),
            *pair(arguments.get("dl_device"), "int32_t"),
            NULL if copy is None else ffi.new("bool *", copy),
        )
    )
    assert managed[0] == NULL and name[0] == NULL
    return result


@pytest.mark.parametrize("what", REFUSED)
def test_what_python_refuses_is_refused_in_the_same_words(what):
    x = REFUSED[what]()
    with pytest.raises(BufferError) as theirs:
        x.__dlpack__(max_version=NEWEST)
    kind, message = refusal(x)
    assert (kind, str(theirs.value) in message) == ("BUFFER", True), message


@pytest.mark.parametrize("what", ARGUMENTS)
def test_arguments_that_python_refuses_are_refused(what):
    x = torch.zeros(3)
    with pytest.raises(tuple(KINDS)) as theirs:
        x.__dlpack__(max_version=NEWEST, **ARGUMENTS[what])
    kind, message = refusal(x, **ARGUMENTS[what])
    if what == "missing device":  # here Python shows the dispatcher's table; elsewhere it says what we say everywhere
        with pytest.raises(AssertionError) as theirs:
            torch.zeros(1, device="cuda")
        assert (kind, message) == ("RUNTIME", str(theirs.value))
        return
    assert kind == KINDS[theirs.type]
    assert str(theirs.value).splitlines()[0] in message


def test_what_pytorch_exports_wrongly_is_refused():
    negative = torch.tensor([1 + 2j, 3 + 4j]).conj().imag
    assert torch.equal(negative, torch.tensor([-2.0, -4.0]))
    assert torch.from_dlpack(negative)[0] == 2  # PyTorch loses the sign
    assert refusal(negative)[0] == "BUFFER"
    assert refusal(torch._efficientzerotensor(3))[0] == "BUFFER"
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    assert refusal(nested) == ("BUFFER", "Can't export nested tensors")
    emptied = torch.ones(4)
    emptied.untyped_storage().resize_(0)
    assert refusal(emptied) == ("BUFFER", "Can't export tensors without memory")


def test_tensors_inside_transformations_are_refused():
    met = []

    def meet(x):
        met.append(refusal(x))
        return x.sum()

    torch.vmap(meet)(torch.ones(2, 2))
    torch.func.functionalize(meet)(torch.ones(2))
    torch.func.grad(meet)(torch.ones(2))
    with FakeTensorMode():
        meet(torch.ones(2))
    assert met == [
        ("BUFFER", "Can't export tensors without storage"),
        ("BUFFER", "Can't export tensors without memory"),
        ("BUFFER", "Can't export tensors that require gradient, use tensor.detach()"),
        ("BUFFER", "Can't export tensors without memory"),
    ]


# Other libraries -----------------------------------------------------------------------------------------------------


NUMPY_DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
                np.float16, np.float32, np.float64, np.complex64, np.complex128]  # fmt: skip


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_from_numpy(dtype):
    base = np.arange(24).reshape(4, 6).astype(dtype)
    for array in (base, base.T, base[1:, ::2], base[0, 0:1], base[:0], base[2, 3]):
        array = np.asarray(array)
        for max_version in (None, (1, 0)):
            flags = out("uint64_t")
            x = imported(consume(array.__dlpack__(max_version=max_version)), flags)
            assert x.data_ptr() == (array.ctypes.data if array.size else 0)
            assert x.shape == array.shape and flags[0] == 0
            assert np.array_equal(x.numpy(), array)
    x = imported(consume(base.__dlpack__(max_version=(1, 0))))
    base[1, 2] = 1  # written there, read here
    assert x[1, 2] == 1
    x[1, 3] = 0  # and the other way round
    assert base[1, 3] == 0


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_to_numpy(dtype):
    x = torch.from_numpy(np.arange(24).reshape(4, 6).astype(dtype))
    for view in (x, x.t(), x[1:, ::2], x[0, :1], x[:0], x[2, 3]):
        array = np.from_dlpack(Exporter(view))
        assert array.dtype == dtype and array.shape == view.shape
        assert array.size == 0 or array.ctypes.data == view.data_ptr()
        assert array.flags.writeable
        assert np.array_equal(array, view.numpy())
    array = np.from_dlpack(Exporter(x))
    array[1, 2] = 1
    assert x[1, 2] == 1
    x[1, 3] = 0
    assert array[1, 3] == 0
    del x
    gc.collect()
    assert array[1, 2] == 1  # the array keeps the memory


def test_numpy_asks_for_copies_and_gets_them():
    x = torch.arange(6.0)
    shared = np.from_dlpack(Exporter(x), copy=False)
    copied = np.from_dlpack(Exporter(x), copy=True, device="cpu")
    assert shared.ctypes.data == x.data_ptr() != copied.ctypes.data
    assert np.array_equal(copied, x.numpy())


def test_read_only_is_seen_on_both_sides():
    array = np.arange(6.0)
    array.flags.writeable = False
    flags = out("uint64_t")
    x = imported(consume(array.__dlpack__(max_version=(1, 0))), flags)
    assert flags[0] == READ_ONLY and x.data_ptr() == array.ctypes.data
    managed, x = out("struct DLManagedTensorVersioned *"), torch.arange(6.0)
    ok(lib.ctorch_tensor_to_dlpack(managed, handle(x), NULL, NULL, NULL, True))

    class ReadOnly:
        def __dlpack__(self, **_):
            return capsule_of(managed[0])

        def __dlpack_device__(self):
            return 1, 0

    assert not np.from_dlpack(ReadOnly()).flags.writeable


def test_numpy_backwards_is_refused_where_pytorch_dies():
    backwards = np.arange(6.0)[::-1]
    managed = consume(backwards.__dlpack__(max_version=(1, 0)))
    kind, message = fails(lib.ctorch_tensor_from_dlpack(out("ctorch_tensor *"), NULL, managed))
    assert (kind, "negative strides" in message) == ("BUFFER", True)
    one = np.arange(6.0)[::-1][:1]  # of one element, a stride has no direction
    assert imported(consume(one.__dlpack__(max_version=(1, 0)))).tolist() == [5.0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_to_and_from_pytorch(dtype):
    for shape in SHAPES:
        x = sample(dtype, shape)
        there = torch.from_dlpack(Exporter(x))
        assert (there.dtype, there.shape, there.stride()) == (dtype, x.shape, x.stride())
        assert there.data_ptr() == x.data_ptr()
        back = imported(consume(there.__dlpack__(max_version=NEWEST)))
        assert back.data_ptr() == x.data_ptr()
    x = torch.zeros(4)
    there = torch.from_dlpack(Exporter(x))
    there[1] = 5
    assert x[1] == 5


@pytest.mark.parametrize("dtype", DTYPES)
def test_to_and_from_tvm_ffi(dtype):
    for shape in SHAPES:
        x = sample(dtype, shape)
        there = tvm_ffi.from_dlpack(Exporter(x))
        assert tuple(there.shape) == tuple(x.shape)
        capsule = there.__dlpack__(max_version=NEWEST)
        assert name_of(capsule) == VERSIONED
        assert address(managed_in(capsule).dl_tensor.data) == x.data_ptr()
        back = imported(consume(capsule))
        assert (back.dtype, back.shape, back.stride()) == (dtype, x.shape, x.stride())
        assert back.data_ptr() == x.data_ptr()
        assert imported(consume(there.__dlpack__())).data_ptr() == x.data_ptr()
    x = torch.zeros(4)
    back = imported(consume(tvm_ffi.from_dlpack(Exporter(x)).__dlpack__(max_version=NEWEST)))
    x[1] = 5
    assert back[1] == 5


ORT_DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int16, torch.int32,
              torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64]  # fmt: skip


@pytest.mark.parametrize("dtype", ORT_DTYPES)
def test_to_and_from_onnx_runtime(dtype):
    for shape in SHAPES:
        x = sample(dtype, shape)
        if not x.is_contiguous():
            continue  # it takes no others
        there = ort.OrtValue.from_dlpack(capsule_of(exported(x, max_version=None)), False)
        assert list(there.shape()) == list(x.shape)
        assert x.numel() == 0 or there.data_ptr() == x.data_ptr()
        back = imported(consume(there.__dlpack__()))
        assert back.dtype == dtype and back.shape == x.shape
        assert x.numel() == 0 or back.data_ptr() == x.data_ptr()
    x = torch.zeros(4)
    there = ort.OrtValue.from_dlpack(capsule_of(exported(x, max_version=None)), False)
    back = imported(consume(there.__dlpack__()))
    there.numpy()  # a copy; the memory is the tensor's
    x[1] = 5
    assert there.numpy()[1] == 5 and back[1] == 5


# Whose memory it is --------------------------------------------------------------------------------------------------


class Producer:
    """A library that counts what becomes of its tensors."""

    def __init__(self, name: str = VERSIONED):
        self.data = ffi.new("float[]", [0, 1, 2, 3, 4, 5])
        self.shape, self.strides = ffi.new("int64_t[]", [2, 3]), ffi.new("int64_t[]", [3, 1])
        self.deleted, self.threads = 0, []
        struct = STRUCT[name].removesuffix(" *")
        self.deleter = ffi.callback(f"void (struct {struct} *)", self.delete)
        self.managed = ffi.new(f"{struct} *")
        self.managed.deleter = self.deleter
        self.managed.dl_tensor = {
            "data": self.data,
            "device": {"device_type": 1},
            "ndim": 2,
            "dtype": {"code": 2, "bits": 32, "lanes": 1},
            "shape": self.shape,
            "strides": self.strides,
        }
        if name == VERSIONED:
            self.managed.version = {"major": 1, "minor": 3}

    def delete(self, managed) -> None:
        assert managed == self.managed
        self.deleted += 1
        self.threads.append(threading.get_ident())


@pytest.mark.parametrize("name", STRUCT)
def test_a_capsule_is_consumed_once_and_its_memory_given_back_once(name):
    producer = Producer(name)
    capsule = capsule_of(producer.managed)
    x = imported(consume(capsule))
    assert name_of(capsule) == f"used_{name}"
    del capsule
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]] and x.data_ptr() == address(producer.data)
    row = x[1]
    del x
    assert producer.deleted == 0
    producer.data[5] = 50
    assert row[2] == 50
    del row
    assert producer.deleted == 1


@pytest.mark.parametrize("name", STRUCT)
def test_the_last_tensor_may_go_on_another_thread(name):
    producer = Producer(name)
    held = [imported(producer.managed)]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert producer.deleted == 1 and producer.threads == [thread.ident]


def test_many_threads_import_and_release_at_once():
    producers = [Producer() for _ in range(64)]
    barrier = threading.Barrier(8)

    def work(mine):
        barrier.wait()
        for producer in mine:
            x = imported(producer.managed)
            again = imported(exported(x))
            del x
            assert again[1, 2] == 5

    threads = [threading.Thread(target=work, args=(producers[i::8],)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [p.deleted for p in producers] == [1] * 64


@pytest.mark.parametrize("name", STRUCT)
def test_an_import_that_fails_gives_the_memory_back(name):
    function = {VERSIONED: "ctorch_tensor_from_dlpack", UNVERSIONED: "ctorch_tensor_from_dlpack_unversioned"}[name]
    producer = Producer(name)
    producer.managed.dl_tensor.ndim = -1
    flags = (NULL,) if name == VERSIONED else ()
    kind, message = fails(getattr(lib, function)(out("ctorch_tensor *"), *flags, producer.managed))
    assert (kind, "ndim" in message) == ("INVALID_ARGUMENT", True)
    assert producer.deleted == 1


def test_a_loan_of_a_loan_keeps_the_first():
    producer = Producer()
    x = imported(producer.managed)
    array = np.from_dlpack(Exporter(x))
    del x
    gc.collect()
    assert producer.deleted == 0 and array[1, 2] == 5
    there = torch.from_dlpack(array)
    del array
    gc.collect()
    assert producer.deleted == 0 and there[1, 2] == 5
    del there
    gc.collect()
    assert producer.deleted == 1


def test_an_export_that_nobody_takes_is_released():
    memory = np.arange(3.0)
    before = memory.base
    x = torch.from_numpy(memory)
    managed = exported(x)
    del x
    lib.ctorch_dlpack_release(managed)
    unversioned = exported(torch.from_numpy(memory), max_version=None)
    lib.ctorch_dlpack_unversioned_release(unversioned)
    lib.ctorch_dlpack_release(NULL)
    assert memory.base is before


# The exchange API ----------------------------------------------------------------------------------------------------

# PyTorch's functions take Python objects, so the GIL must be held, which cffi releases.
holding = ctypes.PyDLL(str(BUILD / "libctorch.so"))
for function in ("import", "borrow", "export", "empty", "stream"):
    getattr(holding, f"ctorch_dlpack_exchange_{function}").restype = ctypes.c_void_p


def with_gil(name: str, *arguments) -> None:
    error = getattr(holding, name)(*arguments)
    ok(ffi.cast("ctorch_error *", error or 0))


@pytest.fixture
def pytorchs() -> ctypes.c_void_p:
    capsule = torch.Tensor.__dlpack_c_exchange_api__
    return ctypes.c_void_p(python.PyCapsule_GetPointer(capsule, b"dlpack_exchange_api"))


def taken(cell: ctypes.c_void_p) -> torch.Tensor:
    return tensor(ffi.cast("ctorch_tensor *", cell.value))


def test_objects_of_pytorchs_table(pytorchs):
    x = torch.arange(6.0).view(2, 3)
    for function, flags in (("import", (None,)), ("borrow", ())):
        cell = ctypes.c_void_p()
        with_gil(f"ctorch_dlpack_exchange_{function}", ctypes.byref(cell), *flags, pytorchs, ctypes.py_object(x))
        ours = taken(cell)
        assert ours.data_ptr() == x.data_ptr() and torch.equal(ours, x)
        ours[1, 1] = 9
        assert x[1, 1] == 9
    made = ctypes.py_object()
    with_gil("ctorch_dlpack_exchange_export", ctypes.byref(made), pytorchs, ctypes.c_void_p(x._cdata))
    theirs = made.value
    del made
    assert isinstance(theirs, torch.Tensor) and theirs is not x
    assert theirs.data_ptr() == x.data_ptr()
    theirs[0, 0] = 7
    assert x[0, 0] == 7


def test_pytorchs_allocator_and_stream(pytorchs):
    cell = ctypes.c_void_p()
    sizes = (ctypes.c_int64 * 2)(4, 5)
    bfloat16 = lib.CTORCH_DTYPE_BFLOAT16
    length = ctypes.c_size_t(2)
    with_gil("ctorch_dlpack_exchange_empty", ctypes.byref(cell), pytorchs, sizes, length, bfloat16, None)
    made = taken(cell)
    assert made.dtype == torch.bfloat16 and made.shape == (4, 5)
    made.fill_(3)
    sizes = (ctypes.c_int64 * 2)(2**40, 2**20)
    error = holding.ctorch_dlpack_exchange_empty(ctypes.byref(cell), pytorchs, sizes, length, bfloat16, None)
    kind, message = fails(ffi.cast("ctorch_error *", error))
    assert kind == "CALLBACK" and "memory" in message.lower()
    stream = ctypes.c_void_p(99)
    with_gil("ctorch_dlpack_exchange_stream", ctypes.byref(stream), pytorchs, None)
    assert stream.value is None


def test_pytorchs_exception_is_left_for_python(pytorchs):
    cell = ctypes.c_void_p()
    holding.ctorch_dlpack_exchange_import.restype = ctypes.c_void_p
    quantized = REFUSED["quantized"]()
    with pytest.raises(Exception, match="QInt"):  # by ctypes, which looks for exceptions after a PyDLL's call
        holding.ctorch_dlpack_exchange_import(ctypes.byref(cell), None, pytorchs, ctypes.py_object(quantized))
    assert cell.value is None


def test_tvm_ffi_allocates_by_our_table():
    """Kernels of tvm-ffi allocate what they return by the table of whoever calls them."""
    runtime = ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
    api = ffi.cast("uintptr_t *", lib.ctorch_dlpack_exchange_api())
    before = ctypes.c_void_p()
    allocator = ctypes.c_void_p(api[2])  # behind the header of two words
    assert runtime.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, 0, ctypes.byref(before)) == 0
    try:
        shape = ffi.new("int64_t[]", [3, 4])
        description = {"device": {"device_type": 1}, "ndim": 2, "dtype": {"code": 2, "bits": 64, "lanes": 1}}
        prototype = ffi.new("DLTensor *", description | {"shape": shape})
        made = ctypes.c_void_p()
        assert runtime.TVMFFIEnvTensorAlloc(ctypes.c_void_p(address(prototype)), ctypes.byref(made)) == 0
        managed = ctypes.c_void_p()
        assert runtime.TVMFFITensorToDLPackVersioned(made, ctypes.byref(managed)) == 0
        x = imported(ffi.cast(STRUCT[VERSIONED], managed.value))
        assert x.dtype == torch.float64 and x.shape == (3, 4)
        x.fill_(2)
        assert runtime.TVMFFIObjectDecRef(made) == 0
        assert x.sum() == 24
        shape[1] = -4
        assert runtime.TVMFFIEnvTensorAlloc(ctypes.c_void_p(address(prototype)), ctypes.byref(made)) != 0
        raised = ctypes.c_void_p()
        runtime.TVMFFIErrorMoveFromRaised(ctypes.byref(raised))
        assert raised.value is not None
        runtime.TVMFFIObjectDecRef(raised)
    finally:
        runtime.TVMFFIEnvSetDLPackManagedTensorAllocator(before, 0, None)


def test_our_table_hands_tensors_out():
    x = torch.arange(4.0)
    result = out("ctorch_tensor *")
    call("ctorch_dlpack_exchange_import", result, NULL, lib.ctorch_dlpack_exchange_api(), handle(x))
    assert tensor(result[0]).data_ptr() == x.data_ptr()


@pytest.mark.parametrize("make", ["requires grad", "of a graph"])
def test_our_table_hands_out_what_requires_a_gradient(make, pytorchs):
    """As PyTorch's table does; `__dlpack__` refuses it, in both."""
    x = REFUSED[make]()
    cell, ours, view = ctypes.c_void_p(), out("ctorch_tensor *"), ffi.new("DLTensor *")
    with_gil("ctorch_dlpack_exchange_import", ctypes.byref(cell), None, pytorchs, ctypes.py_object(x))
    call("ctorch_dlpack_exchange_import", ours, NULL, lib.ctorch_dlpack_exchange_api(), handle(x))
    ok(lib.ctorch_tensor_to_dltensor(view, handle(x), False))
    for exported in (taken(cell), tensor(ours[0])):
        assert exported.data_ptr() == x.data_ptr() == int(ffi.cast("intptr_t", view.data))
        assert not exported.requires_grad
    assert refusal(x)[0] == "BUFFER"
