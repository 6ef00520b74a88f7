/** Normalisation by statistics of the batch, for the layers that learn their size from the first input. */
#ifndef CTORCH_SHIM_NN_NORMALIZATION_H
#define CTORCH_SHIM_NN_NORMALIZATION_H

#include "module/layer.h"

enum { NORM_WEIGHT, NORM_BIAS };
enum { NORM_MEAN, NORM_VAR, NORM_BATCHES };

/* BatchNorm and InstanceNorm. */
struct norm {
  ctorch_module module;
  int64_t num_features;
  double eps, momentum;
  bool has_momentum, affine, track_running_stats;
};

struct norm_class {
  module_class class;
  int64_t least, most; /* dimensions of an input */
};

/* Whether a module is a BatchNorm, of any dimension, or a SyncBatchNorm; not one that waits for its first input. */
bool norm_is_of_batches(const ctorch_module *module);

/* Running statistics are as at first (Python's reset_running_stats). */
ctorch_error *norm_reset_statistics(const ctorch_module *module) __attribute__((warn_unused_result));

/* The eps of a module that is a LayerNorm. */
double layer_norm_eps(const ctorch_module *module);

#endif
