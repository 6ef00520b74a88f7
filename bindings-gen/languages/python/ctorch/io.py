"""Images, as torchvision.io reads and writes them: PNG, JPEG and netpbm's files.

image = io.decode_image("cat.jpg", "RGB")  # (3, height, width), uint8
io.write_png(image, "cat.png")
"""

from __future__ import annotations

from typing import Any

from . import raw
from .constants import ImageFlags, ImageMode
from .streams import reading, writing, written
from .tensor import Tensor


def decode_image(
    input: Any,  # noqa: A002
    mode: str | int = "UNCHANGED",
    apply_exif_orientation: bool = False,
    *,
    uint16: bool = False,
    eighths: int = 8,
) -> Tensor:
    """Read the image of a path, a stream or bytes.

    `mode` is "UNCHANGED", "GRAY", "GRAY_ALPHA", "RGB" or "RGB_ALPHA". With `uint16` larger samples stay so;
    a JPEG is decoded to so many `eighths` of its size, which takes less time.
    """
    if isinstance(mode, str):
        if mode not in ImageMode.__members__:
            raise ValueError(f"decode_image(): '{mode}' is none of {', '.join(ImageMode.__members__)}")
        mode = ImageMode[mode]
    flags = ImageFlags.APPLY_EXIF_ORIENTATION * apply_exif_orientation + ImageFlags.UINT16 * uint16
    with reading(input) as file:
        return raw.image_decode(file, mode, flags, eighths)  # type: ignore[return-value]


def encode_png(input: Tensor, compression_level: int = 6) -> bytes:  # noqa: A002
    """The bytes of a PNG."""
    return written(lambda file: raw.image_encode_png(file, input, compression_level))


def write_png(input: Tensor, filename: Any, compression_level: int = 6) -> None:  # noqa: A002
    """Write a PNG to a path or a stream."""
    with writing(filename) as file:
        raw.image_encode_png(file, input, compression_level)


def encode_jpeg(input: Tensor, quality: int = 75) -> bytes:  # noqa: A002
    """The bytes of a JPEG."""
    return written(lambda file: raw.image_encode_jpeg(file, input, quality))


def write_jpeg(input: Tensor, filename: Any, quality: int = 75) -> None:  # noqa: A002
    """Write a JPEG to a path or a stream."""
    with writing(filename) as file:
        raw.image_encode_jpeg(file, input, quality)


__all__ = ["decode_image", "encode_jpeg", "encode_png", "write_jpeg", "write_png"]
