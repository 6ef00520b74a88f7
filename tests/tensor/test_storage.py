"""Storages and shared memory: what Python's UntypedStorage does, and memory that ctorch and Python share."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out, string, tensor

SEED = 20240613


def storage_of(x):
    result = out("ctorch_storage *")
    ok(lib.ctorch_storage_from_tensor(result, handle(x)))
    return result[0]


def bytes_of(storage):
    data = ffi.new("unsigned char[]", lib.ctorch_storage_nbytes(storage))
    ok(lib.ctorch_storage_read(storage, 0, data, len(data)))
    return bytes(data)


def from_storage(storage, offset, sizes, strides, dtype):
    y = out("ctorch_tensor *")
    number = getattr(lib.c, "CTORCH_DTYPE_" + str(dtype).removeprefix("torch.").upper())
    steps = (ffi.NULL, 0) if strides is None else (ffi.new("int64_t[]", strides), len(strides))
    ok(lib.ctorch_tensor_from_storage(y, storage, offset, ffi.new("int64_t[]", sizes), len(sizes), *steps, number))
    return tensor(y[0])


def test_a_tensor_of_a_storage_is_the_one_that_python_sets():
    rng = random.Random(SEED)
    refused = 0
    for _ in range(500):
        base = torch.arange(64, dtype=torch.uint8)
        storage = storage_of(base)
        dtype = rng.choice([torch.uint8, torch.int16, torch.float32, torch.complex64, torch.bool])
        sizes = [rng.randint(0, 4) for _ in range(rng.randrange(4))]
        strides = None if rng.random() < 0.3 else [rng.randint(0, 6) for _ in sizes]
        offset = rng.randint(0, 12)
        theirs = torch.empty(0, dtype=dtype).set_(
            torch.arange(64, dtype=torch.uint8).untyped_storage(),
            offset,
            sizes,
            torch.empty(sizes).stride() if strides is None else strides,
        )
        fits = theirs.untyped_storage().nbytes() == 64  # else Python has let it grow
        if fits:
            ours = from_storage(storage, offset, sizes, strides, dtype)
            assert ours.shape == theirs.shape and ours.dtype == dtype
            assert ours.stride() == theirs.stride() and ours.storage_offset() == offset
            assert ours.untyped_storage().data_ptr() == base.data_ptr()
            assert repr(ours.tolist()) == repr(theirs.tolist())
        else:
            with pytest.raises(CtorchError, match="storage: the elements need"):
                from_storage(storage, offset, sizes, strides, dtype)
            refused += 1
        assert lib.ctorch_storage_nbytes(storage) == 64
        lib.ctorch_storage_release(storage)
    assert 30 < refused < 450


@pytest.mark.parametrize("dtype", [torch.bits8, torch.float8_e4m3fn, torch.uint4, torch.complex32], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_a_tensor_of_a_storage_may_have_any_dtype(dtype):
    storage = storage_of(torch.arange(8, dtype=torch.uint8))
    y = from_storage(storage, 0, [2], None, dtype)
    assert y.dtype == dtype and y.shape == (2,)
    lib.ctorch_storage_release(storage)


def test_resizing_is_pythons():
    for sizes in ([0], [3], [12], [13], [400], [5, 40, 0, 7]):
        a, b = torch.arange(3.0), torch.arange(3.0)
        storage = storage_of(b)
        kept = 12
        for size in sizes:
            a.untyped_storage().resize_(size)
            ok(lib.ctorch_storage_resize(storage, size))
            kept = min(kept, size)
            assert lib.ctorch_storage_nbytes(storage) == size == b.untyped_storage().nbytes()
            assert bytes_of(storage)[:kept] == bytes(a.untyped_storage().tolist()[:kept])
        lib.ctorch_storage_release(storage)


def test_bytes_are_written_to_a_lazy_copy_alone():
    a = torch.arange(4.0)
    b = torch._lazy_clone(a)
    storage = storage_of(b)
    ok(lib.ctorch_storage_write(storage, 4, ffi.new("float *", 9.0), 4))
    assert a.tolist() == [0, 1, 2, 3] and b.tolist() == [0, 9, 2, 3]
    ok(lib.ctorch_storage_resize(storage, 16))
    lib.ctorch_storage_release(storage)
    c = torch._lazy_clone(a)
    storage = storage_of(c)
    ok(lib.ctorch_storage_resize(storage, 8))
    assert bytes_of(storage) == bytes(a.untyped_storage().tolist()[:8])
    lib.ctorch_storage_release(storage)
    d = torch._lazy_clone(a)
    ok(lib.ctorch_tensor_share_memory(handle(d)))
    d.add_(1)
    assert a.tolist() == [0, 1, 2, 3] and d.tolist() == [1, 2, 3, 4]


def test_python_sees_that_a_tensor_is_shared_and_the_other_way_round():
    x, y = torch.arange(5.0), torch.arange(5.0)
    assert not lib.ctorch_tensor_is_shared(handle(x))
    ok(lib.ctorch_tensor_share_memory(handle(x)))
    assert x.is_shared() and x.tolist() == [0, 1, 2, 3, 4]
    assert lib.ctorch_tensor_is_shared(handle(x[1:3]))
    y.share_memory_()
    assert lib.ctorch_tensor_is_shared(handle(y))
    before = y.data_ptr()
    ok(lib.ctorch_tensor_share_memory(handle(y)))
    assert y.data_ptr() == before


def test_python_opens_the_descriptor_and_the_other_way_round():
    x = torch.arange(5.0)
    ok(lib.ctorch_tensor_share_memory(handle(x)))
    descriptor = out("int32_t")
    storage = storage_of(x)
    ok(lib.ctorch_storage_shared_descriptor(descriptor, storage))
    theirs = torch.UntypedStorage._new_shared_fd_cpu(os.dup(descriptor[0]), 20)
    x[3] = 77
    assert torch.empty(0).set_(theirs).tolist() == [0, 1, 2, 77, 4]
    lib.ctorch_storage_release(storage)

    y = torch.arange(5.0).share_memory_()
    number, nbytes = y.untyped_storage()._share_fd_cpu_()
    ours = out("ctorch_storage *")
    ok(lib.ctorch_storage_from_shared_descriptor(ours, number, nbytes))
    y[0] = 5
    z = from_storage(ours[0], 0, [5], None, torch.float32)
    assert z.tolist() == [5, 1, 2, 3, 4] and z.data_ptr() != y.data_ptr() and z.is_shared()
    lib.ctorch_storage_release(ours[0])


def test_a_name_given_by_python_is_opened():
    before = torch.multiprocessing.get_sharing_strategy()
    torch.multiprocessing.set_sharing_strategy("file_system")
    try:
        x = torch.arange(5.0)
        _, name, nbytes = x.untyped_storage()._share_filename_cpu_()
    finally:
        torch.multiprocessing.set_sharing_strategy(before)
    ours = out("ctorch_storage *")
    ok(lib.ctorch_storage_from_shared_name(ours, name, nbytes))
    x[2] = 9
    assert from_storage(ours[0], 0, [5], None, torch.float32).tolist() == [0, 1, 9, 3, 4]
    lib.ctorch_storage_release(ours[0])
    del x


def test_another_process_opens_the_name():
    x = torch.arange(4.0)
    storage = storage_of(x)
    name = out("ctorch_string *")
    ok(lib.ctorch_storage_share_memory_named(name, storage))
    text = string(name[0])
    program = """
import sys
from tests.harness.capi import ffi, lib, ok, out
storage = out("ctorch_storage *")
ok(lib.ctorch_storage_from_shared_name(storage, sys.argv[1].encode(), 16))
ok(lib.ctorch_storage_write(storage[0], 8, ffi.new("float *", 42.0), 4))
lib.ctorch_storage_release(storage[0])
"""
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"PYTHONPATH": root}
    subprocess.run([sys.executable, "-c", program, text], env=environment, check=True, timeout=120)
    assert x.tolist() == [0, 1, 42, 3]
    assert os.path.exists("/dev/shm" + text)
    del x
    lib.ctorch_storage_release(storage)
    assert not os.path.exists("/dev/shm" + text)


def test_a_fake_tensor_is_not_shared():
    with torch._subclasses.FakeTensorMode():
        x = torch.ones(3)
    assert not lib.ctorch_tensor_is_shared(handle(x))
