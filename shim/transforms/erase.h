/** Rectangles of pictures that become something else. */
#ifndef CTORCH_SHIM_TRANSFORMS_ERASE_H
#define CTORCH_SHIM_TRANSFORMS_ERASE_H

#include <ctorch.h>

struct rectangle {
  int64_t top, left, height, width;
};

/** @param inplace  change `image` itself, and give it. */
ctorch_error *erase_rectangle(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const struct rectangle *place,
    const ctorch_tensor *value,
    bool inplace) __attribute__((warn_unused_result));

#endif
