/* Images between a codec and a tensor: each format fills a rectangle of pixels, which then get the channels and the
 * orientation that were asked for. */
#ifndef CTORCH_SHIM_DATASETS_IMAGE_PIXELS_H
#define CTORCH_SHIM_DATASETS_IMAGE_PIXELS_H

#include "ctorch/datasets/image.h"

/* A file as a codec sees it: all of it, in memory. */
struct image_source {
  const char *function; /* the exported one, for errors */
  const char *name;     /* of the file, for messages */
  const unsigned char *data;
  size_t nbytes;
  ctorch_image_mode mode;
  ctorch_image_flags flags;
  int scale_num; /* 1 to 8 */
};

struct image_pixels {
  ctorch_storage *storage; /* a handle; row by row, the samples of a pixel side by side */
  void *data;
  int64_t height, width;
  int channels;    /* 1: grey; 2: grey, alpha; 3: RGB; 4: RGB, alpha */
  bool is_uint16;  /* else uint8 */
  bool is_cmyk;    /* the four channels are inks, of which 255 is the most */
  int orientation; /* Exif's, from 1 to 8; 0 is unknown */
};

typedef struct image_format {
  const char *name;
  const char *library; /* that this build lacks; NULL if it lacks none */
  /* Whether a file is of this format, by its first bytes (`len` at most 16, fewer where the file is shorter). */
  bool (*detect)(const unsigned char *head, size_t len);
  /* Fill `out`, which is zeros; after a failure the caller gives up its storage. */
  ctorch_error *(*decode)(struct image_pixels *out, const struct image_source *source);
} image_format;

extern const image_format image_png, image_jpeg, image_pnm;

/* FORMAT: "<name>: <message>". */
ctorch_error *image_error(const struct image_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));

/* FORMAT for a size that an attacker would choose. Asked before anything is allocated by that size. */
ctorch_error *image_check_size(const struct image_source *source, uint64_t height, uint64_t width)
    __attribute__((warn_unused_result));

/* Memory for the pixels that `self` describes. */
ctorch_error *image_allocate(const char *function, struct image_pixels *self) __attribute__((warn_unused_result));

/* Change the channels. */
ctorch_error *image_convert(const char *function, struct image_pixels *self, ctorch_image_mode mode)
    __attribute__((warn_unused_result));

/* The orientation of Exif data, which begin with the header of TIFF; 0 if they do not tell or are damaged. */
int image_exif_orientation(const unsigned char *data, size_t nbytes);

/* The same image, (channels, height, width), upright: as it is seen, of an image that Exif calls so. */
ctorch_error *image_upright(ctorch_tensor **out, const ctorch_tensor *image, int orientation)
    __attribute__((warn_unused_result));

/* An image to be written: its rows, with the samples of a pixel side by side. */
struct image_rows {
  ctorch_tensor *tensor; /* a handle */
  const unsigned char *data;
  size_t height, width, channels, row_nbytes;
  bool is_uint16;
};

/* RUNTIME for what has not the shape of an image, is not on the CPU, not of uint8 (or uint16, if that is allowed), or
 * has other numbers of channels than those whose bits are set in `channels`. */
ctorch_error *image_rows_read(
    const char *function, struct image_rows *out, const ctorch_tensor *image, bool allow_uint16, unsigned channels)
    __attribute__((warn_unused_result));

#endif
