/** Images as bytes: drawn from tensors, written as PNG files. */
#ifndef CTORCH_SHIM_TENSORBOARD_IMAGE_H
#define CTORCH_SHIM_TENSORBOARD_IMAGE_H

#include <ctorch.h>

/** (channels, height, width), one row after another. */
struct pixels {
  uint8_t *data; /* owned */
  int64_t channels, height, width;
};

/** The pixels of a tensor of a format, as ctorch_summary_writer_add_image says. */
ctorch_error *summary_draw(
    const char *function, struct pixels *out, const ctorch_tensor *img_tensor, const char *dataformats)
    __attribute__((warn_unused_result));

/** Write (channels, height, width) as a PNG. */
ctorch_error *summary_encode(
    const char *function, const uint8_t *pixels, int64_t channels, int64_t height, int64_t width, ctorch_writer *writer)
    __attribute__((warn_unused_result));

/** Add pixels as an image, whose message says a size of its own. */
ctorch_error *summary_add_pixels(
    const char *function,
    ctorch_summary_writer *self,
    const char *tag,
    const struct pixels *pixels,
    int64_t height,
    int64_t width,
    int64_t global_step,
    const double *walltime) __attribute__((warn_unused_result));

#endif
