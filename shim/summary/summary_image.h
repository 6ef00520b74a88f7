/** Pixels as PNG files. */
#ifndef CTORCH_SUMMARY_IMAGE_H
#define CTORCH_SUMMARY_IMAGE_H

#include <ctorch.h>

/** Write (channels, height, width) as a PNG. */
ctorch_error *summary_encode(
    const char *function, const uint8_t *pixels, int64_t channels, int64_t height, int64_t width, ctorch_writer *writer)
    __attribute__((warn_unused_result));

#endif
