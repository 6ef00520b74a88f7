/** Windows over the last dimensions: what modules and functions of pooling share. */
#ifndef CTORCH_SHIM_NN_POOL_H
#define CTORCH_SHIM_NN_POOL_H

#include <ctorch.h>

enum { POOL_MOST = 3 }; /* dimensions of a window */

/** Sizes along `dims` dimensions. */
struct pool_window {
  size_t dims;
  const int64_t *kernel_size, *stride, *padding;
  bool ceil_mode;
};

/** The average of each window; `divisor` in place of the number of its elements, unless it is NULL. */
ctorch_error *pool_average(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct pool_window *window,
    bool count_include_pad,
    const int64_t *divisor) __attribute__((warn_unused_result));

/** The norm of each window. VALUE for order 0. */
ctorch_error *pool_norm(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct pool_window *window,
    double norm_type) __attribute__((warn_unused_result));

/** Maxima back to their places; `output_size` is NULL, or has `len` sizes. */
ctorch_error *pool_unpool(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *indices,
    const struct pool_window *window,
    const int64_t *output_size,
    size_t len) __attribute__((warn_unused_result));

/** Windows at random places, as many as `output_size` says, or else as `ratio` makes of the input's size. */
struct pool_fractional {
  size_t dims;
  const int64_t *kernel_size, *output_size;
  const double *ratio;
  const ctorch_tensor *samples; /* NULL to draw them */
};

/** Maxima and where they are. VALUE if there is neither a size nor a ratio. */
ctorch_error *pool_fractional(
    const char *function,
    ctorch_tensor **out,
    ctorch_tensor **indices,
    const ctorch_tensor *input,
    const struct pool_fractional *options) __attribute__((warn_unused_result));

#endif
