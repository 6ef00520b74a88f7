/** Tensors in summaries: what a TensorProto has, as a tensor and the other way round. */
#ifndef CTORCH_SHIM_TENSORBOARD_TENSOR_H
#define CTORCH_SHIM_TENSORBOARD_TENSOR_H

#include "tensorboard/messages.h"

/** A tensor without a graph on the CPU, contiguous, of a dtype; of its own where `*out` is another. */
ctorch_error *summary_plain(const char *function, ctorch_tensor **out, const ctorch_tensor *tensor, ctorch_dtype dtype)
    __attribute__((warn_unused_result));

/** The only value of a tensor that is a number; NaN if there is none. */
double summary_tensor_number(const struct summary_tensor *tensor);
/** FORMAT if shape and values do not fit, UNSUPPORTED for texts. */
ctorch_error *summary_tensor_read(const char *function, ctorch_tensor **out, const struct summary_tensor *tensor)
    __attribute__((warn_unused_result));

#endif
