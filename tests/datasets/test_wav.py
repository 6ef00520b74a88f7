"""WAV files beside Python's wave, and by the closed forms of G.711."""

from __future__ import annotations

import io
import struct
import wave

import numpy as np
import pytest
import torch

from tests.datasets.files import SOURCES, reader, written
from tests.harness.capi import CtorchError, call, fails, ffi, handle, lib, ok, out, tensor

GUID = bytes.fromhex("000000001000800000aa00389b71")


def wav(
    tag: int, bits: int, channels: int, data: bytes, rate: int = 16000, extensible: bool = False, extra: bytes = b""
):
    block = channels * ((bits + 7) // 8)
    fmt = struct.pack("<HHIIHH", 0xFFFE if extensible else tag, channels, rate, rate * block, block, bits)
    if extensible:
        fmt += struct.pack("<HHIH", 22, bits, 3, tag) + GUID
    chunks = extra + b"fmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def read(data: bytes, offset: int = 0, frames: int = -1, normalize: bool = True, source: str = "memory"):
    result, rate, file = out("ctorch_tensor *"), out("int64_t"), reader(data, source)
    ok(lib.ctorch_wav_read(result, rate, file, offset, frames, normalize))
    return tensor(result[0]), rate[0]


def refused(data: bytes, kind: str = "FORMAT") -> str:
    for source in SOURCES:
        with pytest.raises(CtorchError) as failure:
            read(data, source=source)
        assert failure.value.kind == kind and failure.value.function == "ctorch_wav_read"
        assert failure.value.message.startswith("data: ")
    return failure.value.message


def same(a: torch.Tensor, b: torch.Tensor) -> None:
    assert a.dtype == b.dtype and a.shape == b.shape and torch.equal(a, b)


@pytest.mark.parametrize("extensible", [False, True])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("channels", [1, 2, 6])
@pytest.mark.parametrize("nbytes", [1, 2, 3, 4])
def test_pcm_is_waves(nbytes, channels, source, extensible):
    """What wave reads of the same file, put together as a number of so many bytes."""
    data = np.random.default_rng(1).integers(0, 256, 30000 * channels * nbytes // 2 * 2).astype(np.uint8).tobytes()
    file = wav(1, 8 * nbytes, channels, data, extensible=extensible)
    if not extensible:
        with wave.open(io.BytesIO(file)) as read_by_python:
            assert read_by_python.getnchannels() == channels and read_by_python.getframerate() == 16000
            assert read_by_python.readframes(10**6) == data
    frames = [int.from_bytes(data[i : i + nbytes], "little", signed=nbytes > 1) for i in range(0, len(data), nbytes)]
    stored = torch.tensor(frames).view(-1, channels).T
    normalized, rate = read(file, source=source)
    assert rate == 16000
    zero, most = (128, 128) if nbytes == 1 else (0, 2 ** (8 * nbytes - 1))
    same(normalized, ((stored - zero).double() / most).float())
    raw, _ = read(file, normalize=False, source=source)
    if nbytes == 3:
        stored = stored * 256
    same(raw, stored.to({1: torch.uint8, 2: torch.int16, 3: torch.int32, 4: torch.int32}[nbytes]))


@pytest.mark.parametrize("extensible", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats(dtype, extensible):
    array = np.random.default_rng(2).standard_normal((1000, 2)).astype(dtype)
    array[0] = [np.inf, -0.0]
    file = wav(3, array.itemsize * 8, 2, array.tobytes(), extensible=extensible)
    same(read(file)[0], torch.from_numpy(array.T.astype(np.float32).copy()))
    same(read(file, normalize=False)[0], torch.from_numpy(array.T.copy()))


def mulaw(code: int) -> int:
    code = 255 - code
    value = ((2 * (code % 16) + 33) << (code // 16 % 8)) - 33
    return (-value if code >= 128 else value) * 4


def alaw(code: int) -> int:
    code ^= 0x55
    exponent, mantissa = code // 16 % 8, code % 16
    value = 2 * mantissa + 1 if exponent == 0 else (2 * mantissa + 33) << (exponent - 1)
    return (value if code >= 128 else -value) * 8


@pytest.mark.parametrize(("tag", "law"), [(7, mulaw), (6, alaw)])
def test_the_laws_of_g711(tag, law):
    file = wav(tag, 8, 1, bytes(range(256)))
    stored = torch.tensor([[law(code) for code in range(256)]])
    assert stored.abs().max() == (32124 if law is mulaw else 32256)
    same(read(file, normalize=False)[0], stored.to(torch.int16))
    same(read(file)[0], stored / 32768)


@pytest.mark.parametrize(("offset", "frames"), [(0, 1), (0, 99999), (5, -1), (5, 7), (99, 5), (100, 5), (10**12, -1)])
def test_a_part(offset, frames):
    data = np.arange(200, dtype="<i2")
    whole = torch.from_numpy(data.reshape(100, 2).T.copy())
    part, _ = read(wav(1, 16, 2, data.tobytes()), offset, frames, False)
    same(part, whole[:, offset : 100 if frames < 0 else offset + frames])


def test_chunks_that_are_not_known_are_passed_over():
    extra = b"LIST" + struct.pack("<I", 5) + b"abcde\0" + b"fact" + struct.pack("<I", 4) + bytes(4)
    same(read(wav(1, 16, 1, b"\1\0\2\0", extra=extra), normalize=False)[0], torch.tensor([[1, 2]], dtype=torch.int16))


def test_the_length_of_what_was_streamed_is_the_files():
    file = bytearray(wav(1, 16, 1, b"\1\0\2\0"))
    file[-8:-4] = b"\xff" * 4
    same(read(bytes(file), normalize=False)[0], torch.tensor([[1, 2]], dtype=torch.int16))


def test_rf64():
    ds64 = b"ds64" + struct.pack("<IQQQI", 28, 100, 4, 2, 0)
    file = bytearray(wav(1, 16, 1, b"\1\0\2\0", extra=ds64))
    file[:4] = b"RF64"
    file[-8:-4] = b"\xff" * 4
    same(read(bytes(file) + b"junk", normalize=False)[0], torch.tensor([[1, 2]], dtype=torch.int16))
    assert "ends early" in refused(bytes(file[:-1]))


def test_a_frame_that_is_not_whole_is_left_out():
    same(read(wav(1, 16, 2, bytes(7)), normalize=False)[0], torch.zeros(2, 1, dtype=torch.int16))
    assert read(wav(1, 16, 2, b""))[0].shape == (2, 0)


def test_every_cut_is_refused():
    data = wav(1, 16, 1, b"\1\0\2\0")
    for end in range(len(data)):
        refused(data[:end])


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (wav(2, 4, 1, bytes(4)), "UNSUPPORTED"),
        (wav(1, 40, 1, bytes(10)), "UNSUPPORTED"),
        (wav(1, 0, 1, bytes(4)), "UNSUPPORTED"),
        (wav(3, 16, 1, bytes(4)), "UNSUPPORTED"),
        (wav(7, 16, 1, bytes(4)), "UNSUPPORTED"),
        (wav(0x55, 16, 1, bytes(4)), "UNSUPPORTED"),
        (wav(1, 16, 0, bytes(4)), "FORMAT"),
        (wav(1, 16, 1, bytes(4)).replace(b"\2\0\x10\0", b"\3\0\x10\0"), "FORMAT"),
        (wav(1, 16, 1, bytes(4)).replace(b"fmt ", b"fmx "), "FORMAT"),
        (wav(1, 16, 1, bytes(4)).replace(b"fmt \x10", b"fmt \x0f"), "FORMAT"),
        (b"RIFX" + wav(1, 16, 1, bytes(4))[4:], "FORMAT"),
        (b"RIFF\0\0\0\0WAVE" + (b"junk" + bytes(4)) * 20000, "FORMAT"),
    ],
)
def test_what_is_no_sound_is_refused(data, kind):
    refused(data, kind)


def test_arguments():
    file = wav(1, 16, 1, bytes(4))
    for offset, frames, name in [(-1, -1, "frame_offset"), (0, 0, "num_frames"), (0, -2, "num_frames")]:
        with pytest.raises(CtorchError, match=f"VALUE: {name}"):
            read(file, offset, frames)
    result, source = out("ctorch_tensor *"), reader(file)
    ok(lib.ctorch_wav_read(result, ffi.NULL, source, 0, -1, True))
    lib.ctorch_tensor_release(result[0])


DTYPES = [torch.uint8, torch.int16, torch.int32, torch.float32, torch.float64]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("channels", [1, 2, 3])
def test_what_is_written_is_read(dtype, channels):
    generator = torch.Generator().manual_seed(3)
    sound = (torch.randn(channels, 501, generator=generator) * 50 + 60).to(dtype)
    for laid in (sound, sound.T.contiguous().T, sound[:, ::2]):
        data = written("ctorch_wav_write", handle(laid), 44100)
        read_back, rate = read(data, normalize=False)
        same(read_back, laid)
        assert rate == 44100 and len(data) % 2 == 0
        if not dtype.is_floating_point:
            with wave.open(io.BytesIO(data)) as by_python:
                assert by_python.getparams()[:4] == (channels, laid.itemsize, 44100, laid.shape[1])
                assert by_python.readframes(10**6) == laid.T.contiguous().numpy().tobytes()


def test_what_cannot_be_written():
    for sound, rate, kind in [
        (torch.zeros(2, 3, dtype=torch.int64), 8000, "TYPE"),
        (torch.zeros(2, 3, dtype=torch.bool), 8000, "TYPE"),
        (torch.zeros(3), 8000, "VALUE"),
        (torch.zeros(0, 3), 8000, "VALUE"),
        (torch.zeros(65536, 1), 8000, "VALUE"),
        (torch.zeros(16384, 1), 8000, "VALUE"),
        (torch.zeros(2, 3), 0, "VALUE"),
        (torch.zeros(2, 3), 2**32, "VALUE"),
        (torch.zeros(1, 1).expand(1, 2**30), 8000, "VALUE"),
    ]:
        with pytest.raises(CtorchError, match=kind):
            written("ctorch_wav_write", handle(sound), rate)


def test_files(tmp_path):
    path, result, rate = tmp_path / "a.wav", out("ctorch_tensor *"), out("int64_t")
    call("ctorch_wav_write_file", torch.tensor([[1, 2, 3]], dtype=torch.int16), 8000, str(path))
    ok(lib.ctorch_wav_read_file(result, rate, str(path).encode(), 1, 1, False))
    assert tensor(result[0]).tolist() == [[2]] and rate[0] == 8000
    path.write_bytes(path.read_bytes()[:-1])
    kind, message = fails(
        lib.ctorch_wav_read_file(result, rate, str(path).encode(), 0, -1, True), "ctorch_wav_read_file"
    )
    assert kind == "FORMAT" and message.startswith(f"{path}: wav: ends early")
    assert fails(lib.ctorch_wav_read_file(result, rate, b"/no/such", 0, -1, True))[0] == "IO"
