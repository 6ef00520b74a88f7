/** Arguments of metrics of images: a number, or one for each dimension or end. */
#ifndef CTORCH_SHIM_METRICS_IMAGE_H
#define CTORCH_SHIM_METRICS_IMAGE_H

#include "metrics/metric.h"

enum image_reduction { IMAGE_MEAN, IMAGE_SUM, IMAGE_NONE };

extern const char *const IMAGE_REDUCTIONS[]; /* "elementwise_mean", "sum", "none" */

/** The range of values: its size, and its ends if they are given. */
struct data_range {
  double size, ends[2];
  bool has_size, has_ends;
};

/** A number, or a list of at most `most`; `*len` is 0 for a number. VALUE for anything else. */
ctorch_error *image_numbers(
    const char *function, const char *name, double *out, size_t *len, size_t most, const ctorch_value *value)
    __attribute__((warn_unused_result));
/** A number or a pair; NULL and None are neither. */
ctorch_error *image_data_range(const char *function, struct data_range *out, const ctorch_value *value)
    __attribute__((warn_unused_result));
/** Values within the ends, if there are ends. */
const ctorch_tensor *image_clamped(struct calculation *c, const struct data_range *range, const ctorch_tensor *image);
ctorch_tensor *image_reduced(struct calculation *c, ctorch_tensor *values, enum image_reduction reduction);

#endif
