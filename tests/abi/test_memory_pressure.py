"""A runtime with a garbage collector on top of ctorch: Python itself, with its handles in reference cycles."""

import gc
import threading

import pytest

from tests.harness.capi import error, fails, ffi, lib, ok, out

MIB = 1 << 20
UINT8 = out("ctorch_dtype")
UINT8[0] = 0


class Tensor:
    """A handle that is given back when the collector finds it: the cycle keeps reference counting from doing that."""

    def __init__(self, nbytes: int):
        made = out("ctorch_tensor *")
        ok(
            lib.ctorch_aten_empty_memory_format(
                made, ffi.new("int64_t[]", [nbytes]), 1, UINT8, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL
            )
        )
        self.handle = made[0]
        self.cycle = self

    def __del__(self):
        lib.ctorch_tensor_release(self.handle)


@pytest.fixture
def no_automatic_collection():
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    lib.ctorch_memory_pressure_clear_callback()
    gc.collect()


@pytest.mark.turns
def test_collecting_under_pressure_bounds_what_forgotten_tensors_hold(no_automatic_collection):
    calls = []

    @ffi.callback("ctorch_memory_pressure_callback")
    def collect(reason, held, requested, error, payload):
        calls.append((reason, held, requested))
        gc.collect()
        return 1

    ok(lib.ctorch_memory_pressure_set_callback(collect, 64 * MIB, ffi.NULL, ffi.NULL))
    most = 0
    for _ in range(1000):
        Tensor(MIB)
        most = max(most, lib.ctorch_memory_pressure_held_bytes())
    assert most <= 66 * MIB
    assert 15 <= len(calls) <= 16
    assert {reason for reason, _, _ in calls} == {lib.c.CTORCH_MEMORY_PRESSURE_GROWTH}

    # The same without a callback that collects.
    lib.ctorch_memory_pressure_clear_callback()

    @ffi.callback("ctorch_memory_pressure_callback")
    def ignore(reason, held, requested, error, payload):
        return 1

    ok(lib.ctorch_memory_pressure_set_callback(ignore, 64 * MIB, ffi.NULL, ffi.NULL))
    for _ in range(100):
        Tensor(MIB)
    assert lib.ctorch_memory_pressure_held_bytes() >= 99 * MIB


@pytest.mark.turns
def test_a_finalizer_thread_may_give_handles_back(no_automatic_collection):
    released = []

    @ffi.callback("ctorch_memory_pressure_callback")
    def collect_elsewhere(reason, held, requested, error, payload):
        def run():
            gc.collect()
            released.append(threading.get_ident())

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        return 1

    ok(lib.ctorch_memory_pressure_set_callback(collect_elsewhere, 8 * MIB, ffi.NULL, ffi.NULL))
    for _ in range(100):
        Tensor(MIB)
    assert released and threading.get_ident() not in released
    assert lib.ctorch_memory_pressure_held_bytes() <= 10 * MIB


def test_an_exception_in_the_collector_comes_out_of_the_call(no_automatic_collection):
    @ffi.callback("ctorch_memory_pressure_callback")
    def interrupt(reason, held, requested, out_error, payload):
        out_error[0] = error("RUNTIME", "KeyboardInterrupt")
        return 0

    ok(lib.ctorch_memory_pressure_set_callback(interrupt, MIB, ffi.NULL, ffi.NULL))
    made = out("ctorch_tensor *")
    size = ffi.new("int64_t[]", [MIB])
    options = [UINT8, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL]
    assert fails(lib.ctorch_aten_empty_memory_format(made, size, 1, *options)) == ("RUNTIME", "KeyboardInterrupt")
    assert made[0] == ffi.NULL
    assert lib.ctorch_memory_pressure_held_bytes() == 0
