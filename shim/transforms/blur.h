/** Blurred and noisy pictures. */
#ifndef CTORCH_SHIM_TRANSFORMS_BLUR_H
#define CTORCH_SHIM_TRANSFORMS_BLUR_H

#include <ctorch.h>

/**
 * @param kernel_size  of x and y: odd numbers.
 * @param sigma        of x and y; NULL for what fits the kernel.
 */
ctorch_error *blur_gaussian(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const int64_t *kernel_size,
    const double *sigma) __attribute__((warn_unused_result));

/** What noise is added: in parts of the range of the picture. */
struct noise {
  double mean, sigma;
  bool clip;
};

ctorch_error *blur_noise(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const struct noise *noise,
    ctorch_generator *generator) __attribute__((warn_unused_result));

#endif
