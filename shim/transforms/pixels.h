/**
 * Types and values of pixels: the functionals that transforms call. Each marks what it gives as `input` is marked.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_PIXELS_H
#define CTORCH_SHIM_TRANSFORMS_PIXELS_H

#include <ctorch.h>

ctorch_error *vision_to_dtype(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, ctorch_dtype dtype, bool scale)
    __attribute__((warn_unused_result));

/** Means and deviations, one for each channel, or one for all. */
struct normalization {
  const double *mean;
  size_t mean_len;
  const double *std;
  size_t std_len;
  bool inplace;
};

ctorch_error *vision_normalize(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const struct normalization *how)
    __attribute__((warn_unused_result));

ctorch_error *vision_uniform_temporal_subsample(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, int64_t num_samples)
    __attribute__((warn_unused_result));

#endif
