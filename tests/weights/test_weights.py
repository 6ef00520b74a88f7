"""Weights of any format: names, errors, and what the formats have in common."""

from __future__ import annotations

import io
import threading

import numpy as np
import pytest
import safetensors.torch
import torch

from tests.harness import collisions
from tests.harness.capi import CtorchError, ffi, lib, ok, out, text
from tests.harness.values import device, value
from tests.weights.weights import SOURCES, Reader, Weights, written

TENSORS = {"b": torch.arange(6.0).reshape(2, 3), "a": torch.arange(4), "c": torch.tensor(True)}


def files():
    x = TENSORS["b"]
    return {
        "safetensors": written("ctorch_safetensors_write", value(TENSORS), value({"k": "v"})),
        "npz": written("ctorch_npz_write", value(TENSORS), False),
        "npy": written("ctorch_npy_write", ffi.cast("ctorch_tensor *", x._cdata)),
    }


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("format_", files())
def test_the_content_tells_the_format(format_, source):
    with Weights(files()[format_], source) as file:
        assert file.format == format_
        assert file.metadata() == ({"k": "v"} if format_ == "safetensors" else {})
        assert set(file.names()) == ({""} if format_ == "npy" else set(TENSORS))


NOTHING = [b"", b"x", b"hello world, this is no file of weights", bytes(5000), b"PK", b"{", b"{}", b"\x80\x02}"]


@pytest.mark.parametrize("data", NOTHING)
def test_what_is_no_file_of_weights(data):
    for source in SOURCES:
        with pytest.raises(CtorchError) as error:
            Weights(data, source)
        assert error.value.kind == "FORMAT" and error.value.function == "ctorch_weights_open"


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(CtorchError, match="missing") as error:
        Weights(str(tmp_path / "missing"))
    assert error.value.kind == "IO"


def test_errors_name_the_function_that_was_called(tmp_path):
    """Not one of those by which it works."""
    meta = value({"x": torch.zeros(3, device="meta")})
    for function, *args in (
        ("ctorch_safetensors_write", meta, None),
        ("ctorch_npz_write", meta, False),
        ("ctorch_npy_write", ffi.cast("ctorch_tensor *", (x := torch.zeros(3, device="meta"))._cdata)),
    ):
        with pytest.raises(CtorchError) as error:
            written(function, *args)
        assert error.value.function == function
    del x
    error = lib.ctorch_sharded_write(meta, ffi.NULL, str(tmp_path).encode(), ffi.NULL, 0)
    assert text(lib.ctorch_error_function(error)) == "ctorch_sharded_write"
    lib.ctorch_error_release(error)
    module = out("ctorch_module *")
    ok(lib.ctorch_nn_create(module, b"Linear", value((3, 2)), ffi.NULL))
    with Weights(safetensors.torch.save({"weight": torch.zeros(7, 7), "bias": torch.zeros(2)})) as file:
        error = lib.ctorch_safetensors_load_model(ffi.NULL, ffi.NULL, module[0], file.handle, True)
    assert text(lib.ctorch_error_function(error)) == "ctorch_safetensors_load_model"
    lib.ctorch_error_release(error)
    wide = ffi.new("ctorch_dtype *", lib.c.CTORCH_DTYPE_COMPLEX128)
    ok(lib.ctorch_module_to(module[0], ffi.NULL, wide, False, ffi.NULL))
    with pytest.raises(CtorchError, match='model: ".*" has a dtype that safetensors has not') as error:
        written("ctorch_safetensors_write_model", module[0], None)
    assert error.value.function == "ctorch_safetensors_write_model"
    lib.ctorch_module_release(module[0])


def test_indexes_and_names():
    with Weights(files()["safetensors"]) as file:
        assert [file.index(n) for n in file.names()] == [0, 1, 2]
        assert lib.ctorch_weights_name(file.handle, 3) == ffi.NULL == lib.ctorch_weights_type(file.handle, 3)
        assert lib.ctorch_weights_nbytes(file.handle, 3) == 0
        for name in ("d", "", "aa"):
            for read in (file.index, file.tensor, file.slice):
                with pytest.raises(CtorchError, match=f'no tensor "{name}"') as error:
                    read(name)
                assert error.value.kind == "INDEX"
        error = lib.ctorch_weights_dtype(out("ctorch_dtype"), file.handle, 3)
        assert text(lib.ctorch_error_message(error)) == "index: 3, of 3 tensors"
        lib.ctorch_error_release(error)
        error = lib.ctorch_weights_tensor(out("ctorch_tensor *"), file.handle, b"\xff")
        assert lib.ctorch_error_kind_of(error) == lib.c.CTORCH_ERROR_INVALID_ARGUMENT
        lib.ctorch_error_release(error)


def test_nothing_of_nothing():
    null = ffi.NULL
    assert lib.ctorch_weights_len(null) == 0 == lib.ctorch_weights_nbytes(null, 0)
    for accessor in (lib.ctorch_weights_name, lib.ctorch_weights_type):
        assert accessor(null, 0) == null
    assert lib.ctorch_weights_format(null) == null
    lib.ctorch_weights_release(null)
    lib.ctorch_weights_retain(null)
    reader = Reader(files()["npy"])
    weights = out("ctorch_weights *")
    ok(lib.ctorch_weights_open(weights, reader.handle))
    calls = [
        (lib.ctorch_weights_open, (null, reader.handle)),
        (lib.ctorch_weights_open_file, (null, b"x", False)),
        (lib.ctorch_weights_open_file, (out("ctorch_weights *"), null, False)),
        (lib.ctorch_weights_find, (null, weights[0], b"")),
        (lib.ctorch_weights_find, (out("size_t"), null, b"")),
        (lib.ctorch_weights_find, (out("size_t"), weights[0], null)),
        (lib.ctorch_weights_dtype, (null, weights[0], 0)),
        (lib.ctorch_weights_shape, (null, out("size_t"), weights[0], 0)),
        (lib.ctorch_weights_shape, (ffi.new("const int64_t **"), null, weights[0], 0)),
        (lib.ctorch_weights_tensor, (null, weights[0], b"")),
        (lib.ctorch_weights_tensor, (out("ctorch_tensor *"), null, b"")),
        (lib.ctorch_weights_slice, (out("ctorch_tensor *"), weights[0], b"", null, 1, null, 1)),
        (lib.ctorch_weights_metadata, (null, weights[0])),
        (lib.ctorch_weights_load, (null, weights[0], null)),
        (lib.ctorch_weights_load, (out("ctorch_value *"), null, null)),
    ]
    for function, arguments in calls:
        error = function(*arguments)
        assert lib.ctorch_error_kind_of(error) == lib.c.CTORCH_ERROR_NULL_ARGUMENT, function
        lib.ctorch_error_release(error)
    lib.ctorch_weights_release(weights[0])


def test_loading_to_a_device():
    with Weights(files()["safetensors"]) as file:
        for name, kind in (("cpu", None), ("meta", None), ("cuda:77", "error")):
            loaded = out("ctorch_value *")
            error = lib.ctorch_weights_load(loaded, file.handle, device(torch.device(name)))
            assert (error != ffi.NULL) == (kind is not None)
            lib.ctorch_error_release(error)
            lib.ctorch_value_release(loaded[0])
        bad = ffi.new("ctorch_device *", [99, 0])
        error = lib.ctorch_weights_load(out("ctorch_value *"), file.handle, bad)
        assert lib.ctorch_error_kind_of(error) == lib.c.CTORCH_ERROR_INVALID_ARGUMENT
        lib.ctorch_error_release(error)


@pytest.mark.parametrize("format_", files())
@pytest.mark.parametrize("kind", ["FORMAT", "INDEX"])
def test_a_callback_that_fails_is_heard(format_, kind):
    data, kind = files()[format_], getattr(lib.c, f"CTORCH_ERROR_{kind}")
    for fail_at in range(1000):
        count = 0

        @ffi.callback("ctorch_reader_read_callback")
        def read(target, nbytes, offset, error, payload):
            nonlocal count
            count += 1
            if count > fail_at:
                ok(lib.ctorch_error_new(error, kind, b"from the callback"))
                return 0
            ffi.buffer(target, nbytes)[:] = data[offset : offset + nbytes]
            return 1

        reader, weights, loaded = out("ctorch_reader *"), out("ctorch_weights *"), out("ctorch_value *")
        ok(lib.ctorch_reader_from_callback(reader, len(data), read, ffi.NULL, ffi.NULL))
        error = lib.ctorch_weights_open(weights, reader[0])
        if error == ffi.NULL:
            error = lib.ctorch_weights_load(loaded, weights[0], ffi.NULL)
        lib.ctorch_weights_release(weights[0])
        lib.ctorch_reader_release(reader[0])
        if error == ffi.NULL:
            break
        assert text(lib.ctorch_error_message(error)) == "from the callback"
        assert text(lib.ctorch_error_function(error)) == ""
        assert lib.ctorch_error_kind_of(error) == kind
        lib.ctorch_error_release(error)
    assert error == ffi.NULL and fail_at > 2
    lib.ctorch_value_release(loaded[0])


def test_several_threads_read_one_object(tmp_path):
    tensors = {f"x{i}": torch.full((100,), float(i)) for i in range(40)}
    ok(lib.ctorch_sharded_write(value(tensors), ffi.NULL, str(tmp_path).encode(), ffi.NULL, 1000))
    np.savez_compressed(tmp_path / "x.npz", **{k: v.numpy() for k, v in tensors.items()})
    for path in (tmp_path, tmp_path / "x.npz"):
        with Weights(str(path)) as file:
            wrong = []

            def read(first, file=file, wrong=wrong):
                for i in range(40):
                    name = f"x{(first + i) % 40}"
                    if not torch.equal(file.tensor(name), tensors[name]):
                        wrong.append(name)

            threads = [threading.Thread(target=read, args=(5 * i,)) for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert not wrong


def test_a_state_dict_goes_into_a_module(tmp_path):
    linear = torch.nn.Linear(3, 2)
    safetensors.torch.save_file(linear.state_dict(), tmp_path / "x")
    module = out("ctorch_module *")
    ok(lib.ctorch_nn_create(module, b"Linear", value((3, 2)), ffi.NULL))
    with Weights(str(tmp_path / "x"), "mmap") as file:
        loaded = out("ctorch_value *")
        ok(lib.ctorch_weights_load(loaded, file.handle, ffi.NULL))
    ok(lib.ctorch_module_load_state_dict(ffi.NULL, ffi.NULL, module[0], loaded[0], ffi.NULL, True, False))
    lib.ctorch_value_release(loaded[0])
    assert written("ctorch_safetensors_write_model", module[0], None) == safetensors.torch.save(linear.state_dict())
    lib.ctorch_module_release(module[0])


def test_names_of_one_hash():
    """LibTorch's table alone would take 2^60 slots. test_safetensors.py and test_gguf.py have the same of theirs."""
    names, data = collisions.texts(60), io.BytesIO()
    np.savez(data, **{name: np.ones(1) for name in names})
    with Weights(data.getvalue(), "memory") as file, collisions.no_more_memory():
        loaded = out("ctorch_value *")
        ok(lib.ctorch_weights_load(loaded, file.handle, ffi.NULL))
        assert lib.ctorch_value_len(loaded[0]) == 60
        lib.ctorch_value_release(loaded[0])
