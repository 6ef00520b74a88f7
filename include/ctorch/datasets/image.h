/**
 * Images: PNG, JPEG and the PBM, PGM and PPM files of netpbm, read to tensors and written from them.
 *
 *     ctorch_tensor *image = NULL;   // (3, height, width), uint8
 *     CTORCH_TRY(ctorch_image_decode_file(&image, "cat.jpg", CTORCH_IMAGE_MODE_RGB, 0, 0));
 *
 * Pixels are those of Python's Pillow. What reads them is the system's libpng and libjpeg, with which this was built or
 * not: ctorch_image_supports tells. As in torchvision the samples of a pixel lie side by side in memory, so that the
 * tensor is contiguous as (height, width, channels) alone.
 */
#ifndef CTORCH_IMAGE_H
#define CTORCH_IMAGE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"
#include "ctorch/io/writer.h"

CTORCH_BEGIN_DECLS

/** The channels that are wanted (`torchvision.io.ImageReadMode`). */
typedef int32_t ctorch_image_mode;
enum {
  /** Those of the file. Of a PNG with a palette they are the numbers of colours, of a CMYK JPEG the four inks. */
  CTORCH_IMAGE_MODE_UNCHANGED = 0,
  CTORCH_IMAGE_MODE_GRAY = 1,
  CTORCH_IMAGE_MODE_GRAY_ALPHA = 2,
  CTORCH_IMAGE_MODE_RGB = 3,
  CTORCH_IMAGE_MODE_RGB_ALPHA = 4
};

/** How images are decoded; flags. */
typedef int32_t ctorch_image_flags;
enum {
  /** Turn the image as its Exif orientation says (`apply_exif_orientation`, `PIL.ImageOps.exif_transpose`). */
  CTORCH_IMAGE_APPLY_EXIF_ORIENTATION = 1,
  /** Let samples of more than 8 bits become uint16 from 0 to 65535; otherwise they become uint8. */
  CTORCH_IMAGE_UINT16 = 2,
  /** Read also what has more than 178,956,970 pixels (twice `PIL.Image.MAX_IMAGE_PIXELS`), which may be an attack. */
  CTORCH_IMAGE_ANY_SIZE = 4
};

/**
 * The names of all formats that ctorch knows: "png", "jpeg", "pnm".
 *
 * @param index  from 0.
 * @return static text; NULL beyond the end.
 * @since 0.1
 */
CTORCH_API const char *ctorch_image_format_name(size_t index);

/**
 * Whether this build reads and writes a format: png needs libpng, jpeg needs libjpeg; pnm, which is only read, nothing.
 *
 * @param format  borrowed; one of those names, may be NULL.
 * @return false for NULL and other names.
 * @since 0.1
 */
CTORCH_API bool ctorch_image_supports(const char *format);

/**
 * Decode an image (`torchvision.io.decode_image`). Its format is told by its first bytes.
 *
 * Grey of colours is (19595 R + 38470 G + 7471 B + 32768) / 65536, colours of CMYK are those of Pillow. An alpha
 * channel that is not wanted is dropped, and not blended; one that is wanted and not there is opaque.
 *
 * @param[out] out   owned; (channels, height, width), uint8, or uint16 with CTORCH_IMAGE_UINT16.
 * @param reader     borrowed.
 * @param mode       the channels.
 * @param flags      CTORCH_IMAGE_…, 0 for none.
 * @param scale_num  from 1 to 8: a JPEG is decoded to scale_num/8 of its size, rounded up, which takes less time (of
 *                   `PIL.Image.draft`: 1, 2, 4). 0 is 8, the whole size. Other formats have no such thing: their size
 *                   stays.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown mode, flags, `scale_num`), FORMAT (damaged, ends early, no
 *         image, more pixels than are allowed; names the file), UNSUPPORTED (a build without the library; names it),
 *         IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_image_decode(
    ctorch_tensor **out,
    const ctorch_reader *reader,
    ctorch_image_mode mode,
    ctorch_image_flags flags,
    int32_t scale_num);

/**
 * Decode an image of memory.
 *
 * @param[out] out    owned; as of ctorch_image_decode.
 * @param data        borrowed for the call; may be NULL if `data_nbytes` is 0.
 * @param data_nbytes how many bytes.
 * @param mode        the channels.
 * @param flags       CTORCH_IMAGE_…, 0 for none.
 * @param scale_num   as of ctorch_image_decode.
 * @return NULL, or what ctorch_image_decode answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_image_decode_data(
    ctorch_tensor **out,
    const void *data,
    size_t data_nbytes,
    ctorch_image_mode mode,
    ctorch_image_flags flags,
    int32_t scale_num);

/**
 * Decode an image file: ctorch_reader_open, ctorch_image_decode.
 *
 * @param[out] out   owned; as of ctorch_image_decode.
 * @param path       borrowed; UTF-8.
 * @param mode       the channels.
 * @param flags      CTORCH_IMAGE_…, 0 for none.
 * @param scale_num  as of ctorch_image_decode.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_image_decode_file(
    ctorch_tensor **out, const char *path, ctorch_image_mode mode, ctorch_image_flags flags, int32_t scale_num);

/**
 * Write a JPEG (`torchvision.io.encode_jpeg`), baseline, colours at half the resolution.
 *
 * @param writer   exclusive; ctorch_writer_finish is still to be called.
 * @param image    borrowed; (channels, height, width), uint8, on the CPU; of 1 or 3 channels.
 * @param quality  from 1 to 100; 75 is usual.
 * @return NULL, or NULL_ARGUMENT, VALUE (`quality`), RUNTIME (another dtype, device or shape; a side of 0 or of more
 *         than 65,500 pixels), UNSUPPORTED (a build without libjpeg), OUT_OF_MEMORY, or what ctorch_writer_write
 *         answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_image_encode_jpeg(ctorch_writer *writer, const ctorch_tensor *image, int64_t quality);

/**
 * Write a JPEG file: ctorch_writer_open, ctorch_image_encode_jpeg, ctorch_writer_finish
 * (`torchvision.io.write_jpeg`).
 *
 * @param image    borrowed; as of ctorch_image_encode_jpeg.
 * @param quality  from 1 to 100.
 * @param path     borrowed; UTF-8.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_image_encode_jpeg_file(const ctorch_tensor *image, int64_t quality, const char *path);

/**
 * Write a PNG (`torchvision.io.encode_png`).
 *
 * @param writer             exclusive; ctorch_writer_finish is still to be called.
 * @param image              borrowed; (channels, height, width), uint8 or uint16, on the CPU; of 1 to 4 channels: grey,
 *                           grey and alpha, RGB, RGB and alpha.
 * @param compression_level  from 0, which is none, to 9, which takes longest; 6 is usual.
 * @return NULL, or NULL_ARGUMENT, VALUE (`compression_level`), RUNTIME (another dtype, device or shape; a side of 0 or
 *         of more than 1,000,000 pixels), UNSUPPORTED (a build without libpng), OUT_OF_MEMORY, or what
 *         ctorch_writer_write answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_image_encode_png(
    ctorch_writer *writer, const ctorch_tensor *image, int64_t compression_level);

/**
 * Write a PNG file: ctorch_writer_open, ctorch_image_encode_png, ctorch_writer_finish (`torchvision.io.write_png`).
 *
 * @param image              borrowed; as of ctorch_image_encode_png.
 * @param compression_level  from 0 to 9.
 * @param path               borrowed; UTF-8.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_image_encode_png_file(
    const ctorch_tensor *image, int64_t compression_level, const char *path);

CTORCH_END_DECLS

#endif
