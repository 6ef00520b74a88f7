"""Images beside Pillow: the same pixels, bit for bit."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
import torch
from PIL import Image, ImageOps

from tests.datasets.images import (
    ANY_SIZE,
    EXIF,
    GRAY,
    GRAY_ALPHA,
    MODES,
    RGB,
    RGB_ALPHA,
    UINT16,
    UNCHANGED,
    decode,
    decode_reader,
    encode,
    noise,
    pillow,
    pixels,
    saved,
)
from tests.harness.capi import CtorchError, call, fails, ffi, handle, lib, ok, out, tensor


def same(a: torch.Tensor, b: torch.Tensor) -> None:
    assert a.dtype == b.dtype and a.shape == b.shape
    assert torch.equal(a, b), (a.int() - b.int()).abs().max()


def refused(data: bytes, mode: int = RGB, flags: int = 0) -> str:
    with pytest.raises(CtorchError) as failure:
        decode(data, mode, flags)
    assert failure.value.kind == "FORMAT"
    assert failure.value.function == "ctorch_image_decode_data"
    return failure.value.message


# PNG ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["1", "L", "LA", "RGB", "RGBA", "P"])
def test_png(kind, mode):
    data = saved(noise(1, kind, 37, 23), "PNG")
    same(decode(data, mode), pillow(data, mode))
    same(decode_reader(data, mode), pillow(data, mode))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_png_of_few_bits(bits, mode):
    data = saved(noise(2, "P", 31, 9).quantize(2**bits), "PNG", bits=bits)
    same(decode(data, mode), pillow(data, mode))


@pytest.mark.parametrize("mode", [GRAY_ALPHA, RGB, RGB_ALPHA, UNCHANGED])
@pytest.mark.parametrize("kind", ["L", "RGB", "P"])
def test_png_with_a_transparent_colour(kind, mode):
    image = noise(3, kind, 20, 20)
    pixel = image.getpixel((3, 4))
    data = saved(image, "PNG", transparency=pixel)
    if kind == "RGB" and mode == GRAY_ALPHA:  # Pillow looks for the colour in what is grey already
        same(decode(data, mode)[1:], pillow(data, RGB_ALPHA)[3:])
        return
    same(decode(data, mode), pillow(data, mode))


def png(width: int, height: int, depth: int, colour: int, rows: bytes, interlace: int = 0, extra: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def wide_png(array: np.ndarray) -> bytes:
    height, width, channels = array.shape
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in array)
    return png(width, height, 16, {1: 0, 2: 4, 3: 2, 4: 6}[channels], zlib.compress(rows))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_of_16_bits(channels):
    array = np.random.default_rng(4).integers(0, 65536, (7, 5, channels)).astype(np.uint16)
    data, planes = wide_png(array), torch.from_numpy(array).permute(2, 0, 1)
    same(decode(data, UNCHANGED, UINT16), planes)
    same(decode(data, UNCHANGED), (planes.int() >> 8).to(torch.uint8))
    colours = planes.int()[[0, 0, 0] if channels < 3 else [0, 1, 2]]
    weighed = (colours * torch.tensor([19595, 38470, 7471]).view(3, 1, 1)).sum(0, dtype=torch.int64)
    same(decode(data, GRAY, UINT16)[0], ((weighed + 32768) >> 16).to(torch.uint16))
    alpha = planes[-1] if channels % 2 == 0 else torch.full((7, 5), 65535, dtype=torch.uint16)
    same(decode(data, RGB_ALPHA, UINT16), torch.cat([colours.to(torch.uint16), alpha[None]]))


def test_png_of_16_bits_in_grey_is_pillows():
    array = np.random.default_rng(5).integers(0, 65536, (7, 5, 1)).astype(np.uint16)
    same(decode(wide_png(array), UNCHANGED, UINT16), pillow(wide_png(array)))
    data = wide_png(np.random.default_rng(6).integers(0, 65536, (7, 5, 3)).astype(np.uint16))
    same(decode(data), pillow(data))


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (2, 3), (17, 13)])
def test_interlaced_png(size):
    """Passes of Adam7, written by its table."""
    width, height = size
    array = np.random.default_rng(7).integers(0, 256, (height, width, 3)).astype(np.uint8)
    rows = b""
    for x, y, dx, dy in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]:
        part = array[y::dy, x::dx]
        rows += b"".join(b"\0" + row.tobytes() for row in part) if part.size else b""
    data = png(width, height, 8, 2, zlib.compress(rows), interlace=1)
    same(decode(data), torch.from_numpy(array).permute(2, 0, 1))
    same(decode(data), pillow(data))


def test_every_cut_of_a_png_is_refused():
    data = saved(noise(8, "RGB", 9, 5), "PNG")
    for end in range(len(data)):
        assert refused(data[:end]).startswith("data: ")
    assert "ends early" in refused(data[:-1])


def test_a_png_that_claims_much_is_refused_at_once():
    assert "ends early" in refused(png(10000, 10000, 8, 6, zlib.compress(b"")))
    assert "more than 178956970" in refused(png(100000, 100000, 8, 2, zlib.compress(b"")))
    refused(png(0, 1, 8, 2, zlib.compress(b"")))
    refused(png(2**31, 1, 8, 2, zlib.compress(b"")))
    rows = zlib.compress(bytes(20001) * 10000, 9)
    assert "more than" in refused(png(160000, 10000, 1, 0, rows))
    assert decode(png(160000, 10000, 1, 0, rows), UNCHANGED, ANY_SIZE).shape == (1, 10000, 160000)


def test_a_chunk_that_claims_much_is_refused_at_once():
    data = saved(noise(8, "RGB", 9, 5), "PNG", exif=b"Exif\0\0MM\0*\0\0\0\10\0\0\0\0\0\0")
    at = data.index(b"eXIf") - 4
    assert "ends early" in refused(data[:at] + b"\x40" + data[at + 1 :])


def test_a_png_with_a_wrong_checksum_is_refused():
    data = bytearray(saved(noise(9, "L", 9, 5), "PNG"))
    data[data.index(b"IEND") - 5] ^= 1  # of the checksum of what stands before
    assert "IDAT: CRC error" in refused(bytes(data))


# JPEG -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["L", "RGB", "CMYK"])
def test_jpeg(kind, mode):
    data = saved(noise(10, kind, 67, 41), "JPEG", quality=80)
    same(decode(data, mode), pillow(data, mode))
    same(decode_reader(data, mode), pillow(data, mode))


@pytest.mark.parametrize("size", [(1, 1), (8, 8), (33, 17), (256, 3), (3, 256)])
@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
@pytest.mark.parametrize("progressive", [False, True])
def test_jpeg_of_each_kind(size, subsampling, progressive):
    image = noise(11, "RGB", *size)
    for quality in (5, 50, 100):
        data = saved(image, "JPEG", quality=quality, subsampling=subsampling, progressive=progressive)
        same(decode(data, RGB), pillow(data, RGB))


@pytest.mark.parametrize("scale", [1, 2, 4])
def test_jpeg_in_a_smaller_size_is_pillows_draft(scale):
    data = saved(noise(12, "RGB", 67, 41), "JPEG", quality=90)
    with Image.open(io.BytesIO(data)) as image:
        image.draft(None, (67 * scale // 8, 41 * scale // 8))
        same(decode(data, RGB, 0, scale), pixels(image))


@pytest.mark.parametrize("scale", range(1, 9))
def test_jpeg_by_eighths(scale):
    data = saved(Image.new("RGB", (67, 41), (10, 200, 90)), "JPEG", quality=100)
    image = decode(data, RGB, 0, scale)
    assert image.shape == (3, -(-41 * scale // 8), -(-67 * scale // 8))
    assert torch.equal(image, image[:, :1, :1].expand_as(image))


def test_other_formats_have_one_size():
    data = saved(noise(13, "RGB", 9, 5), "PNG")
    same(decode(data, RGB, 0, 1), pillow(data))


@pytest.mark.parametrize("orientation", range(10))
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_exif_orientation(kind, orientation):
    image, exif = noise(14, "RGB", 24, 16), Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "a maker"
    data = saved(image, kind, exif=exif)
    same(decode(data, RGB), pillow(data))
    with Image.open(io.BytesIO(data)) as read:
        same(decode(data, RGB, EXIF), pixels(ImageOps.exif_transpose(read)))


def test_exif_of_either_order_of_bytes_and_type():
    for order, kind in [("<", 3), (">", 3), ("<", 4), (">", 4), (">", 1)]:
        value = struct.pack(order + {3: "Hxx", 4: "I", 1: "Bxxx"}[kind], 6)
        tiff = (b"II" if order == "<" else b"MM") + struct.pack(order + "HIHHHI", 42, 8, 1, 0x0112, kind, 1) + value
        data = saved(noise(15, "L", 8, 24), "JPEG", exif=b"Exif\0\0" + tiff)
        assert decode(data, GRAY, EXIF).shape == (1, 8, 24)
        for end in range(len(tiff)):
            data = saved(noise(15, "L", 8, 24), "JPEG", exif=b"Exif\0\0" + tiff[:end])
            assert decode(data, GRAY, EXIF).shape == (1, 24, 8)


def test_every_cut_of_a_jpeg_is_refused():
    for progressive in (False, True):
        data = saved(noise(16, "RGB", 19, 15), "JPEG", progressive=progressive)
        for end in range(len(data)):
            assert refused(data[:end]).startswith("data: ")
        assert "ends early" in refused(data[:-1])


def test_a_jpeg_that_claims_much_is_refused_at_once():
    data = bytearray(saved(noise(17, "RGB", 16, 16), "JPEG"))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", 65500, 65500)
    assert "more than 178956970" in refused(bytes(data))
    data[at : at + 4] = struct.pack(">HH", 5000, 5000)
    assert "ends early" in refused(bytes(data))
    data[at : at + 4] = struct.pack(">HH", 0, 16)
    refused(bytes(data))


def test_a_jpeg_with_many_scans_is_refused():
    data = saved(noise(18, "L", 64, 64), "JPEG", progressive=True)
    scan = data.rindex(b"\xff\xda")
    before = data.rindex(b"\xff\xc4", 0, scan)
    again = data[before:-2]
    assert "scans" in refused(data[:-2] + again * 600 + data[-2:])


def test_what_is_damaged_within_is_pillows():
    rng = np.random.default_rng(19)
    data = saved(noise(19, "RGB", 64, 48), "JPEG", quality=70)
    start = data.index(b"\xff\xda") + 14
    for _ in range(40):
        damaged = bytearray(data)
        damaged[rng.integers(start, len(data) - 2)] = rng.integers(0, 255)
        try:
            expected = pillow(bytes(damaged), RGB)
        except OSError:
            refused(bytes(damaged))
        else:
            same(decode(bytes(damaged), RGB), expected)


# PBM, PGM, PPM --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["1", "L", "RGB"])
def test_pnm(kind, mode):
    data = saved(noise(20, kind, 37, 23), "PPM")
    same(decode(data, mode), pillow(data, mode))
    same(decode_reader(data, mode), pillow(data, mode))


@pytest.mark.parametrize("maxval", [1, 2, 7, 100, 254, 255])
@pytest.mark.parametrize("channels", [1, 3])
def test_pnm_of_other_samples(channels, maxval):
    samples = np.random.default_rng(21).integers(0, maxval + 1, (5, 7, channels)).astype(np.uint8)
    plain = f"P{1 + channels // 2 + 1} # a comment\n7\t5\n#another\n{maxval}\n".encode()
    plain += " ".join(map(str, samples.ravel())).encode()
    binary = f"P{5 + channels // 2} 7 5 {maxval}\n".encode() + samples.tobytes()
    for data in (plain, binary):
        same(decode(data), pillow(data))


@pytest.mark.parametrize("maxval", [256, 1000, 65534, 65535])
def test_pnm_of_16_bits(maxval):
    samples = np.random.default_rng(22).integers(0, maxval + 1, (5, 7, 3)).astype(">u2")
    grey = f"P5 21 5 {maxval}\n".encode() + samples.tobytes()
    same(decode(grey, UNCHANGED, UINT16), pillow(grey))
    colours = f"P6 7 5 {maxval}\n".encode() + samples.tobytes()
    same(decode(colours), pillow(colours))
    assert decode(colours, UNCHANGED, UINT16).dtype == torch.uint16


def test_plain_bits_need_no_blanks():
    for data in (b"P1 3 2\n010 1 1\n0", b"P1\n3 2\n0 1 0\n1 1 0\n"):
        same(decode(data), pillow(data))


@pytest.mark.parametrize(
    "data",
    [
        b"P6 2 2 255\n" + bytes(11),
        b"P5 2 2 65535\n" + bytes(7),
        b"P4 9 2\n" + bytes(3),
        b"P3 1 1 255 1 2",
        b"P3 1 1 255 1 2 300",
        b"P3 1 1 255 1 2 -3",
        b"P1 2 1 0",
        b"P1 2 1 02",
        b"P6 0 2 255\n",
        b"P6 -1 2 255\n" + bytes(11),
        b"P6 2 2 0\n" + bytes(12),
        b"P6 2 2 65536\n" + bytes(24),
        b"P6 99999999999999999999 2 255\n" + bytes(24),
        b"P6 2000000000 2000000000 255\n" + bytes(24),
        b"P6 2 2",
        b"P6 #",
        b"P5",
    ],
)
def test_a_damaged_pnm_is_refused(data):
    refused(data)


# Writing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("quality", [1, 75, 100])
def test_a_jpeg_that_is_written_is_pillows(channels, quality):
    image = pixels(noise(23, "L" if channels == 1 else "RGB", 45, 31))
    for laid in (image, image.contiguous(), image.flip(1)):
        same(pillow(encode("jpeg", laid, quality)), pillow(saved(to_pillow(laid), "JPEG", quality=quality)))


def to_pillow(image: torch.Tensor) -> Image.Image:
    array = image.permute(1, 2, 0).numpy()
    return Image.fromarray(np.ascontiguousarray(array[..., 0] if array.shape[2] == 1 else array))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("level", [0, 6, 9])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint16])
def test_a_png_that_is_written_is_the_image(channels, level, dtype):
    generator = torch.Generator().manual_seed(24)
    image = torch.randint(0, torch.iinfo(dtype).max + 1, (channels, 9, 7), generator=generator).to(dtype)
    for laid in (image, image.permute(1, 2, 0).contiguous().permute(2, 0, 1), image[:, :, :5]):
        data = encode("png", laid, level)
        same(decode(data, UNCHANGED, UINT16), laid)
        if dtype == torch.uint8 or channels == 1:
            same(pillow(data), laid)


def test_files(tmp_path):
    image = pixels(noise(25, "RGB", 12, 10))
    read = out("ctorch_tensor *")
    for kind, level in [("png", 6), ("jpeg", 90)]:
        path = tmp_path / f"ä.{kind}"
        call(f"ctorch_image_encode_{kind}_file", image, level, str(path))
        ok(lib.ctorch_image_decode_file(read, str(path).encode(), RGB, 0, 0))
        same(tensor(read[0]), pillow(path.read_bytes()))
        path.write_bytes(path.read_bytes()[:-3])
        kind_, message = fails(lib.ctorch_image_decode_file(read, str(path).encode(), RGB, 0, 0))
        assert kind_ == "FORMAT" and message.startswith(f"{path}: ")
    assert fails(lib.ctorch_image_decode_file(read, str(tmp_path / "none").encode(), RGB, 0, 0))[0] == "IO"
    assert fails(lib.ctorch_image_decode_file(read, str(tmp_path).encode(), RGB, 0, 0))[0] == "IO"


@pytest.mark.parametrize(
    ("image", "jpeg", "png"),
    [
        (torch.zeros(2, 4, 4, dtype=torch.uint8), "1 or 3 channels, got 2", None),
        (torch.zeros(5, 4, 4, dtype=torch.uint8), "channels, got 5", "1 to 4 channels, got 5"),
        (torch.zeros(0, 4, 4, dtype=torch.uint8), "channels, got 0", "channels, got 0"),
        (torch.zeros(4, 4, dtype=torch.uint8), "3 dimensions", "3 dimensions"),
        (torch.zeros(3, 4, 4), "uint8, got float32", "uint8 or uint16, got float32"),
        (torch.zeros(3, 4, 4, dtype=torch.uint16), "uint8, got uint16", None),
        (torch.zeros(3, 4, 4, dtype=torch.uint8, device="meta"), "CPU", "CPU"),
        (torch.zeros(3, 0, 4, dtype=torch.uint8), "Empty", "sides of 1"),
        (torch.zeros(1, 1, 65501, dtype=torch.uint8), "65500", None),
        (torch.zeros(1, 1, 1000001, dtype=torch.uint8), "65500", "sides of 1 to 1000000"),
        (torch.zeros(3, 4, 4, dtype=torch.uint8).to_sparse(), "", ""),
    ],
)
def test_what_cannot_be_written(image, jpeg, png):
    for kind, message in [("jpeg", jpeg), ("png", png)]:
        if message is not None:
            with pytest.raises(CtorchError) as failure:
                encode(kind, image, 5)
            assert failure.value.kind in ("RUNTIME", "NOT_IMPLEMENTED") and message in failure.value.message
            assert failure.value.function == f"ctorch_image_encode_{kind}"


@pytest.mark.parametrize(("kind", "levels"), [("jpeg", [0, 101, -5, 2**40]), ("png", [-1, 10, 2**40])])
def test_levels_out_of_range_are_a_value_error(kind, levels):
    for level in levels:
        with pytest.raises(CtorchError, match="VALUE: (quality|compression_level): expected"):
            encode(kind, torch.zeros(3, 4, 4, dtype=torch.uint8), level)


def test_a_writer_that_fails_ends_it():
    @ffi.callback("ctorch_callback_status(const void *, size_t, ctorch_error **, void *)")
    def write(data, nbytes, error, payload):
        return 0

    image = pixels(noise(26, "RGB", 300, 300))
    for kind, level in [("jpeg", 100), ("png", 0)]:  # which are more bytes than a writer holds back
        writer = out("ctorch_writer *")
        ok(lib.ctorch_writer_from_callback(writer, write, ffi.NULL, ffi.NULL))
        assert fails(getattr(lib, f"ctorch_image_encode_{kind}")(writer[0], handle(image), level))[0] == "CALLBACK"
        lib.ctorch_writer_release(writer[0])


# Arguments ------------------------------------------------------------------------------------------------------------


def test_what_is_no_image_is_refused():
    assert refused(b"") == "data: is empty"
    for data in (b"x", b"GIF89a" + bytes(99), b"P7\nWIDTH 1\n", b"\xff\xd8", b"\x89PNG\r\n\x1a"):
        refused(data)


def test_arguments():
    data, image = saved(noise(27, "L", 4, 4), "PNG"), out("ctorch_tensor *")
    for arguments, name in [((5, 0, 0), "mode"), ((-1, 0, 0), "mode"), ((0, 8, 0), "flags"), ((0, -1, 0), "flags")] + [
        ((0, 0, 9), "scale_num"),
        ((0, 0, -1), "scale_num"),
    ]:
        kind, message = fails(lib.ctorch_image_decode_data(image, data, len(data), *arguments))
        assert kind == "INVALID_ARGUMENT" and message.startswith(name)
    assert fails(lib.ctorch_image_decode_data(image, ffi.NULL, 5, 0, 0, 0))[0] == "NULL_ARGUMENT"
    assert fails(lib.ctorch_image_decode_data(image, ffi.NULL, 0, 0, 0, 0))[0] == "FORMAT"


def test_formats():
    names = []
    while (name := lib.ctorch_image_format_name(len(names))) != ffi.NULL:
        names.append(ffi.string(name).decode())
    assert names == ["png", "jpeg", "pnm"]
    assert all(lib.ctorch_image_supports(name.encode()) for name in names)
    assert not lib.ctorch_image_supports(b"gif") and not lib.ctorch_image_supports(ffi.NULL)
