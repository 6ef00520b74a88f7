/** Pixels of another size, as Pillow makes them. */
#ifndef CTORCH_SHIM_TENSORBOARD_RESAMPLE_H
#define CTORCH_SHIM_TENSORBOARD_RESAMPLE_H

#include "tensorboard/image.h"

/** Pixels of another height and width by Lanczos' filter, in place of these. */
ctorch_error *resample_lanczos(const char *function, struct pixels *pixels, int64_t height, int64_t width)
    __attribute__((warn_unused_result));

#endif
