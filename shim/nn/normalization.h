/** Normalisation by statistics of the batch, for the layers that learn their size from the first input. */
#ifndef CTORCH_NN_NORMALIZATION_H
#define CTORCH_NN_NORMALIZATION_H

#include "layer.h"

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

/* The eps of a module that is a LayerNorm. */
double layer_norm_eps(const ctorch_module *module);

#endif
