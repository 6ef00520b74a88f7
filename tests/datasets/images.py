"""Images for the tests, and what ctorch and Pillow read of them."""

from __future__ import annotations

import io

import numpy as np
import torch
from PIL import Image

from tests.harness.capi import ffi, handle, lib, ok, out, tensor

UNCHANGED, GRAY, GRAY_ALPHA, RGB, RGB_ALPHA = range(5)
MODES = {UNCHANGED: None, GRAY: "L", GRAY_ALPHA: "LA", RGB: "RGB", RGB_ALPHA: "RGBA"}
EXIF, UINT16, ANY_SIZE = 1, 2, 4


def decode(data: bytes, mode: int = UNCHANGED, flags: int = 0, scale_num: int = 0) -> torch.Tensor:
    image = out("ctorch_tensor *")
    ok(lib.ctorch_image_decode_data(image, data, len(data), mode, flags, scale_num))
    return tensor(image[0])


def decode_reader(data: bytes, mode: int = UNCHANGED) -> torch.Tensor:
    """The same through a reader that is not in memory."""

    @ffi.callback("ctorch_callback_status(void *, size_t, size_t, ctorch_error **, void *)")
    def read(to, nbytes, offset, error, payload):
        ffi.memmove(to, data[offset : offset + nbytes], nbytes)
        return 1

    reader, image = out("ctorch_reader *"), out("ctorch_tensor *")
    ok(lib.ctorch_reader_from_callback(reader, len(data), read, ffi.NULL, ffi.NULL))
    try:
        ok(lib.ctorch_image_decode(image, reader[0], mode, 0, 0))
    finally:
        lib.ctorch_reader_release(reader[0])
    return tensor(image[0])


def encode(name: str, image: torch.Tensor, level: int) -> bytes:
    writer = out("ctorch_writer *")
    ok(lib.ctorch_writer_new(writer))
    try:
        ok(getattr(lib, f"ctorch_image_encode_{name}")(writer[0], handle(image), level))
        ok(lib.ctorch_writer_finish(writer[0]))
        return ffi.buffer(lib.ctorch_writer_data(writer[0]), lib.ctorch_writer_nbytes(writer[0]))[:]
    finally:
        lib.ctorch_writer_release(writer[0])


def pixels(image: Image.Image) -> torch.Tensor:
    """(channels, height, width) of Pillow's image."""
    array = np.array(image)
    array = array.astype(np.uint8) * 255 if array.dtype == bool else array
    array = array.astype(np.uint16) if array.dtype == np.int32 else array
    return torch.from_numpy(array if array.ndim == 3 else array[..., None]).permute(2, 0, 1)


def pillow(data: bytes, mode: int = UNCHANGED) -> torch.Tensor:
    with Image.open(io.BytesIO(data)) as image:
        return pixels(image if MODES[mode] is None else image.convert(MODES[mode]))


def saved(image: Image.Image, kind: str, **options) -> bytes:
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def noise(seed: int, mode: str, width: int, height: int) -> Image.Image:
    """An image with something of everything: a gradient, and noise on it."""
    rng = np.random.default_rng(seed)
    channels = {"1": 1, "L": 1, "P": 1, "LA": 2, "RGB": 3, "RGBA": 4, "CMYK": 4}[mode]
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    array = (x * (3 + c) + y * (5 - c)) % 256 + rng.integers(-40, 40, (height, width, channels))
    array = np.clip(array, 0, 255).astype(np.uint8)
    if mode == "1":
        return Image.fromarray(array[..., 0]).convert("1")
    if mode == "P":
        return Image.fromarray(array.repeat(3, 2)).quantize(17)
    return Image.fromarray(array[..., 0] if channels == 1 else array, mode=None if mode != "CMYK" else "CMYK")
