/* Normalisation. */
#include "nn/normalization.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/functional.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/lazy.h"
#include "module/options.h"

/* BatchNorm and InstanceNorm. */

static void norm_repr(const ctorch_module *module, struct text *text) {
  const struct norm *self = (const struct norm *)module;
  text_add(text, "%" PRId64 ", eps=", self->num_features);
  text_option(text, module, "eps", self->eps);
  text_add(text, ", momentum=");
  if (self->has_momentum) {
    text_option(text, module, "momentum", self->momentum);
  } else {
    text_add(text, "None");
  }
  text_add(text, ", affine=");
  text_bool(text, self->affine);
  text_add(text, ", bias=");
  text_bool(text, module_parameter_at(module, NORM_BIAS) != NULL);
  text_add(text, ", track_running_stats=");
  text_bool(text, self->track_running_stats);
}

ctorch_error *norm_reset_statistics(const ctorch_module *module) {
  const ctorch_scalar one = whole(1);
  ctorch_tensor *mean = module_buffer_at(module, NORM_MEAN), *var = module_buffer_at(module, NORM_VAR);
  if (mean == NULL || var == NULL || module_buffer_at(module, NORM_BATCHES) == NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_aten_zero_(mean));
  CTORCH_TRY(ctorch_aten_fill__Scalar(var, &one));
  return ctorch_aten_zero_(module_buffer_at(module, NORM_BATCHES));
}

static ctorch_error *norm_reset(const char *function, ctorch_module *module) {
  CTORCH_TRY(norm_reset_statistics(module));
  CTORCH_TRY(layer_ones(function, module_parameter_at(module, NORM_WEIGHT)));
  return layer_zeros(function, module_parameter_at(module, NORM_BIAS));
}

static ctorch_error *check_dims(const ctorch_module *module, const ctorch_tensor *input) {
  const struct norm_class *class = (const struct norm_class *)module_class_of(module);
  int64_t ndim = ctorch_tensor_ndim(input);
  if (ndim >= class->least && ndim <= class->most) {
    return NULL;
  }
  if (class->most == INT64_MAX) {
    return error_make(
        FORWARD, CTORCH_ERROR_VALUE, "expected at least %" PRId64 "D input (got %" PRId64 "D input)", class->least,
        ndim);
  }
  return class->least == class->most
             ? error_make(
                   FORWARD, CTORCH_ERROR_VALUE, "expected %" PRId64 "D input (got %" PRId64 "D input)", class->least,
                   ndim)
             : error_make(
                   FORWARD, CTORCH_ERROR_VALUE, "expected %" PRId64 "D or %" PRId64 "D input (got %" PRId64 "D input)",
                   class->least, class->most, ndim);
}

/* How much the running statistics move: by the momentum, or so that they are the mean of all batches. */
static ctorch_error *count_batch(double *factor, const struct norm *self) {
  const ctorch_scalar one = whole(1);
  ctorch_tensor *batches = module_buffer_at(&self->module, NORM_BATCHES);
  *factor = self->has_momentum ? self->momentum : 0;
  if (!module_is_training(&self->module) || !self->track_running_stats || batches == NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_aten_add__Scalar(batches, &one, NULL));
  if (!self->has_momentum) {
    int64_t count = 0;
    CTORCH_TRY(ctorch_tensor_item_int64(&count, batches));
    *factor = 1 / (double)count;
  }
  return NULL;
}

static ctorch_error *batch_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct norm *self = (const struct norm *)module;
  ctorch_tensor *mean = module_buffer_at(module, NORM_MEAN), *var = module_buffer_at(module, NORM_VAR);
  bool training = module_is_training(module), of_batch = training || (mean == NULL && var == NULL);
  double factor = 0;
  CTORCH_TRY(check_dims(module, input));
  CTORCH_TRY(count_batch(&factor, self));
  if (training && !self->track_running_stats) {
    mean = var = NULL;
  }
  return functional_batch_norm(
      FORWARD, out,
      &(const struct functional_batch_norm_options){
          .input = input,
          .running_mean = mean,
          .running_var = var,
          .weight = module_parameter_at(module, NORM_WEIGHT),
          .bias = module_parameter_at(module, NORM_BIAS),
          .training = of_batch,
          .momentum = factor,
          .eps = self->eps});
}

/* Among several processes the statistics would be of all their batches; here there is one. */
static ctorch_error *sync_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  CTORCH_TRY(check_dims(module, input));
  if (ctorch_tensor_sizes(input)[1] == 0) {
    return error_make(FORWARD, CTORCH_ERROR_VALUE, "SyncBatchNorm number of input channels should be non-zero");
  }
  return batch_forward(module, out, input);
}

static ctorch_error *normalize_instances(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct norm *self = (const struct norm *)module;
  return functional_instance_norm(
      FORWARD, out,
      &(const struct functional_instance_norm_options){
          .input = input,
          .running_mean = module_buffer_at(module, NORM_MEAN),
          .running_var = module_buffer_at(module, NORM_VAR),
          .weight = module_parameter_at(module, NORM_WEIGHT),
          .bias = module_parameter_at(module, NORM_BIAS),
          .use_input_stats = module_is_training(module) || !self->track_running_stats,
          .momentum = self->has_momentum ? self->momentum : 0,
          .eps = self->eps});
}

static ctorch_error *instance_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct norm *self = (const struct norm *)module;
  CTORCH_TRY(check_dims(module, input));
  int64_t ndim = ctorch_tensor_ndim(input);
  bool is_batch = ndim == ((const struct norm_class *)module_class_of(module))->most;
  int64_t channels = ctorch_tensor_sizes(input)[is_batch ? 1 : 0];
  if (channels != self->num_features && self->affine) {
    return error_make(
        FORWARD, CTORCH_ERROR_VALUE,
        "expected input's size at dim=%d to match num_features (%" PRId64 "), but got: %" PRId64, is_batch ? 1 : 0,
        self->num_features, channels);
  }
  if (channels != self->num_features) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER,
        "the input has another number of channels than num_features, which is not used because "
        "affine is false"));
  }
  if (is_batch) {
    return normalize_instances(module, out, input);
  }
  struct steps s = {0};
  STEP(&s, ctorch_aten_unsqueeze(&s.next, input, 0));
  STEP(&s, normalize_instances(module, &s.next, s.at));
  STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, 0));
  return steps_end(&s, out);
}

/* The key of one of the module's tensors in a state dict, as a value. */
static ctorch_error *key_of(const struct module_loading *loading, ctorch_value **out, const char *name) {
  struct text key = {.function = loading->function};
  text_add(&key, "%s%s", loading->prefix, name);
  ctorch_error *error = ctorch_value_from_string(out, text_data(&key));
  return ctorch_error_first(error, text_end(&key));
}

/* Before version 2 there was no num_batches_tracked. */
static ctorch_error *batch_loading(ctorch_module *module, struct module_loading *loading) {
  const ctorch_tensor *batches = module_buffer_at(module, NORM_BATCHES);
  ctorch_value *key = NULL, *value = NULL;
  bool is_there = true;
  if (loading->version >= 2 || batches == NULL) {
    return NULL;
  }
  ctorch_error *error = key_of(loading, &key, "num_batches_tracked");
  THEN(error, ctorch_value_dict_contains(&is_there, loading->state_dict, key));
  if (error == NULL && !is_there) {
    error = ctorch_value_from_tensor(&value, batches);
    THEN(error, ctorch_value_dict_set(loading->state_dict, key, value));
    ctorch_value_release(value);
  }
  ctorch_value_release(key);
  return error;
}

/* Very old checkpoints have running statistics that such a module does not track: that is an error, and says why. */
static ctorch_error *instance_loading(ctorch_module *module, struct module_loading *loading) {
  static const char *const names[] = {"running_mean", "running_var"};
  if (loading->version >= 0 || ((const struct norm *)module)->track_running_stats) {
    return NULL;
  }
  for (size_t i = 0; i < 2; i++) {
    ctorch_value *key = NULL;
    bool is_there = false;
    ctorch_error *error = key_of(loading, &key, names[i]);
    THEN(error, ctorch_value_dict_contains(&is_there, loading->state_dict, key));
    if (error == NULL && is_there) {
      error = ctorch_value_dict_remove(loading->state_dict, key);
      THEN(
          error, module_loading_fails(
                     loading,
                     "Unexpected running stats buffer \"%s%s\" for %s with track_running_stats=False: "
                     "remove it, or track running stats",
                     loading->prefix, names[i], module_name(module)));
    }
    ctorch_value_release(key);
    CTORCH_TRY(error);
  }
  return NULL;
}

static ctorch_error *make_parameters(
    const char *function, struct norm *self, const struct layer_tensor *how, bool bias) {
  const ctorch_dtype counter = CTORCH_DTYPE_INT64;
  ctorch_tensor *mean = NULL, *var = NULL, *batches = NULL;
  CTORCH_TRY(layer_parameter(function, &self->module, "weight", how, self->affine));
  CTORCH_TRY(layer_parameter(function, &self->module, "bias", how, self->affine && bias));
  if (self->track_running_stats) {
    CTORCH_TRY(layer_sizes(function, "running_mean", how->shape, how->ndim));
    CTORCH_TRY(ctorch_aten_zeros(&mean, how->shape, how->ndim, how->dtype, NULL, how->device, NULL));
  }
  CTORCH_TRY(module_add_buffer(function, &self->module, "running_mean", mean, true));
  if (self->track_running_stats) {
    CTORCH_TRY(ctorch_aten_ones(&var, how->shape, how->ndim, how->dtype, NULL, how->device, NULL));
  }
  CTORCH_TRY(module_add_buffer(function, &self->module, "running_var", var, true));
  if (self->track_running_stats) {
    CTORCH_TRY(ctorch_aten_zeros(&batches, NULL, 0, &counter, NULL, how->device, NULL));
  }
  CTORCH_TRY(module_add_buffer(function, &self->module, "num_batches_tracked", batches, true));
  return norm_reset(function, &self->module);
}

static void give_values(struct norm *self, const struct norm *values) {
  self->num_features = values->num_features;
  self->eps = values->eps;
  self->momentum = values->momentum;
  self->has_momentum = values->has_momentum;
  self->affine = values->affine;
  self->track_running_stats = values->track_running_stats;
}

static ctorch_error *make(
    const char *function,
    ctorch_module **out,
    const struct norm_class *class,
    const struct norm *values,
    bool bias,
    const ctorch_device *device,
    const ctorch_dtype *dtype) {
  struct norm *self = module_new(&class->class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  give_values(self, values);
  const struct layer_tensor how = {&self->num_features, 1, device, dtype};
  return module_give(function, out, &self->module, make_parameters(function, self, &how, bias));
}

#define OBJECT(named, does)                                                                      \
  .object = MODULE_OBJECT(struct norm), .name = named, .forward = does, .extra_repr = norm_repr, \
  .reset_parameters = norm_reset, .version = 2

static const struct norm_class classes[] = {
    {{OBJECT("BatchNorm1d", batch_forward), .loading = batch_loading}, 2, 3},
    {{OBJECT("BatchNorm2d", batch_forward), .loading = batch_loading}, 4, 4},
    {{OBJECT("BatchNorm3d", batch_forward), .loading = batch_loading}, 5, 5},
    {{OBJECT("SyncBatchNorm", sync_forward), .loading = batch_loading}, 2, INT64_MAX},
    {{OBJECT("InstanceNorm1d", instance_forward), .loading = instance_loading}, 2, 3},
    {{OBJECT("InstanceNorm2d", instance_forward), .loading = instance_loading}, 3, 4},
    {{OBJECT("InstanceNorm3d", instance_forward), .loading = instance_loading}, 4, 5},
};
enum { BATCH, SYNC = 3, INSTANCE };

bool norm_is_of_batches(const ctorch_module *module) {
  for (size_t i = BATCH; i <= SYNC; i++) {
    if (module_class_of(module) == &classes[i].class) {
      return true;
    }
  }
  return false;
}

#define VALUES(o, has, value)                                                                       \
  &(const struct norm) {                                                                            \
    .num_features = (o)->num_features, .eps = (o)->eps, .has_momentum = (has), .momentum = (value), \
    .affine = (o)->affine, .track_running_stats = (o)->track_running_stats                          \
  }

#define CLASS(named, number)                                                                                        \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    return make(                                                                                                    \
        function, out, &classes[number], VALUES(options, true, options->momentum), options->bias, options->device,  \
        options->dtype);                                                                                            \
  }                                                                                                                 \
  ctorch_error *nn_##named##_cumulative(                                                                            \
      const char *function, ctorch_module **out, const struct nn_##named##_cumulative_options *options) {           \
    const double *momentum = options->momentum;                                                                     \
    return make(                                                                                                    \
        function, out, &classes[number], VALUES(options, momentum != NULL, momentum != NULL ? *momentum : 0),       \
        options->bias, options->device, options->dtype);                                                            \
  }

CLASS(BatchNorm1d, BATCH)
CLASS(BatchNorm2d, BATCH + 1)
CLASS(BatchNorm3d, BATCH + 2)
CLASS(SyncBatchNorm, SYNC)
CLASS(InstanceNorm1d, INSTANCE)
CLASS(InstanceNorm2d, INSTANCE + 1)
CLASS(InstanceNorm3d, INSTANCE + 2)

/* Those that wait for the features of their first input. */

static ctorch_error *lazy_norm_reset(const char *function, ctorch_module *module) {
  bool is_ready = !lazy_is_any(module) && ((const struct norm *)module)->num_features != 0;
  return is_ready ? norm_reset(function, module) : NULL;
}

static ctorch_error *lazy_norm_infer(const char *function, ctorch_module *module, const ctorch_tensor *input) {
  struct norm *self = (struct norm *)module;
  if (!lazy_is_any(module)) {
    return NULL;
  }
  if (ctorch_tensor_ndim(input) < 2) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "input: %s takes its size from the second dimension, found %" PRId64 " of them",
        module_name(module), ctorch_tensor_ndim(input));
  }
  const int64_t *features = ctorch_tensor_sizes(input) + 1;
  const struct lazy_size sizes[] = {
      {NORM_WEIGHT, false, features, 1},
      {NORM_BIAS, false, features, 1},
      {NORM_MEAN, true, features, 1},
      {NORM_VAR, true, features, 1}};
  CTORCH_TRY(lazy_materialize(function, module, sizes, sizeof sizes / sizeof *sizes));
  self->num_features = *features;
  CTORCH_TRY(module_record_int(function, module, "num_features", *features));
  return lazy_norm_reset(function, module);
}

static ctorch_error *lazy_batch_loading(ctorch_module *module, struct module_loading *loading) {
  CTORCH_TRY(lazy_loading(module, loading));
  return batch_loading(module, loading);
}

static ctorch_error *lazy_instance_loading(ctorch_module *module, struct module_loading *loading) {
  CTORCH_TRY(lazy_loading(module, loading));
  return instance_loading(module, loading);
}

#define LAZY(named, number, loads)        \
  {{.object = MODULE_OBJECT(struct norm), \
    .name = named,                        \
    .extra_repr = norm_repr,              \
    .reset_parameters = lazy_norm_reset,  \
    .version = 2,                         \
    .infer = lazy_norm_infer,             \
    .becomes = &classes[number].class,    \
    .loading = (loads)},                  \
   0,                                     \
   0}

static const struct norm_class lazy_classes[] = {
    LAZY("LazyBatchNorm1d", BATCH, lazy_batch_loading),
    LAZY("LazyBatchNorm2d", BATCH + 1, lazy_batch_loading),
    LAZY("LazyBatchNorm3d", BATCH + 2, lazy_batch_loading),
    LAZY("LazyInstanceNorm1d", INSTANCE, lazy_instance_loading),
    LAZY("LazyInstanceNorm2d", INSTANCE + 1, lazy_instance_loading),
    LAZY("LazyInstanceNorm3d", INSTANCE + 2, lazy_instance_loading),
};

static ctorch_error *make_lazy(
    const char *function,
    ctorch_module **out,
    const struct norm_class *class,
    const struct norm *values,
    bool bias,
    const ctorch_device *device,
    const ctorch_dtype *dtype) {
  struct norm *self = module_new(&class->class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  give_values(self, values);
  ctorch_module *module = &self->module;
  ctorch_tensor *batches = NULL;
  ctorch_error *error = lazy_parameter(function, module, "weight", device, dtype, self->affine);
  THEN(error, lazy_parameter(function, module, "bias", device, dtype, self->affine && bias));
  error =
      error != NULL ? error : lazy_buffer(function, module, "running_mean", device, dtype, self->track_running_stats);
  error =
      error != NULL ? error : lazy_buffer(function, module, "running_var", device, dtype, self->track_running_stats);
  if (error == NULL && self->track_running_stats) {
    const ctorch_dtype counter = CTORCH_DTYPE_INT64;
    error = ctorch_aten_zeros(&batches, NULL, 0, &counter, NULL, device, NULL);
  }
  THEN(error, module_add_buffer(function, module, "num_batches_tracked", batches, true));
  return module_give(function, out, module, error);
}

#define LAZY_VALUES(o, has, value)                                                      \
  &(const struct norm) {                                                                \
    .eps = (o)->eps, .has_momentum = (has), .momentum = (value), .affine = (o)->affine, \
    .track_running_stats = (o)->track_running_stats                                     \
  }

#define LAZY_CLASS(named, number)                                                                                   \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    return make_lazy(                                                                                               \
        function, out, &lazy_classes[number], LAZY_VALUES(options, true, options->momentum), options->bias,         \
        options->device, options->dtype);                                                                           \
  }                                                                                                                 \
  ctorch_error *nn_##named##_cumulative(                                                                            \
      const char *function, ctorch_module **out, const struct nn_##named##_cumulative_options *options) {           \
    const double *momentum = options->momentum;                                                                     \
    return make_lazy(                                                                                               \
        function, out, &lazy_classes[number],                                                                       \
        LAZY_VALUES(options, momentum != NULL, momentum != NULL ? *momentum : 0), options->bias, options->device,   \
        options->dtype);                                                                                            \
  }

LAZY_CLASS(LazyBatchNorm1d, 0)
LAZY_CLASS(LazyBatchNorm2d, 1)
LAZY_CLASS(LazyBatchNorm3d, 2)
LAZY_CLASS(LazyInstanceNorm1d, 3)
LAZY_CLASS(LazyInstanceNorm2d, 4)
LAZY_CLASS(LazyInstanceNorm3d, 5)

/* LayerNorm and RMSNorm. */

struct layer_norm {
  ctorch_module module;
  int64_t *shape; /* allocated */
  size_t ndim;
  double eps;
  bool has_eps, affine;
};

double layer_norm_eps(const ctorch_module *module) { return ((const struct layer_norm *)module)->eps; }

static void layer_norm_finalize(void *object) {
  free(((struct layer_norm *)object)->shape);
  module_finalize(object);
}

static ctorch_error *layer_norm_copied(const char *function, ctorch_module *module) {
  struct layer_norm *self = (struct layer_norm *)module;
  const int64_t *shape = self->shape;
  self->shape = NULL;
  return layer_copy_ints(function, &self->shape, shape, self->ndim);
}

static ctorch_error *layer_norm_reset(const char *function, ctorch_module *module) {
  CTORCH_TRY(layer_ones(function, module_parameter_at(module, NORM_WEIGHT)));
  return layer_zeros(function, module_parameter_at(module, NORM_BIAS));
}

static ctorch_error *layer_norm_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct layer_norm *self = (const struct layer_norm *)module;
  return ctorch_aten_layer_norm(
      out, input, self->shape, self->ndim, module_parameter_at(module, NORM_WEIGHT),
      module_parameter_at(module, NORM_BIAS), self->eps, ctorch_settings_cudnn_enabled());
}

static ctorch_error *rms_norm_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct layer_norm *self = (const struct layer_norm *)module;
  return ctorch_aten_rms_norm(
      out, input, self->shape, self->ndim, module_parameter_at(module, NORM_WEIGHT), self->has_eps ? &self->eps : NULL);
}

static void rms_norm_repr(const ctorch_module *module, struct text *text) {
  const struct layer_norm *self = (const struct layer_norm *)module;
  text_ints(text, self->shape, self->ndim);
  text_add(text, ", eps=");
  if (self->has_eps) {
    text_option(text, module, "eps", self->eps);
  } else {
    text_add(text, "None");
  }
  text_add(text, ", elementwise_affine=");
  text_bool(text, self->affine);
}

static void layer_norm_repr(const ctorch_module *module, struct text *text) {
  rms_norm_repr(module, text);
  text_add(text, ", bias=");
  text_bool(text, module_parameter_at(module, NORM_BIAS) != NULL);
}

static ctorch_error *layer_norm_make(
    const char *function, struct layer_norm *self, const struct layer_tensor *how, const double *eps, bool affine) {
  self->eps = eps != NULL ? *eps : 0;
  self->has_eps = eps != NULL;
  self->affine = affine;
  CTORCH_TRY(layer_copy_ints(function, &self->shape, how->shape, how->ndim));
  self->ndim = how->ndim;
  return layer_parameter(function, &self->module, "weight", how, affine);
}

ctorch_error *nn_LayerNorm(const char *function, ctorch_module **out, const struct nn_LayerNorm_options *options) {
  static const module_class class = {
      .object = {"module", sizeof(struct layer_norm), layer_norm_finalize},
      .name = "LayerNorm",
      .forward = layer_norm_forward,
      .extra_repr = layer_norm_repr,
      .copied = layer_norm_copied,
      .reset_parameters = layer_norm_reset};
  struct layer_norm *self = module_new(&class);
  bool affine = options->elementwise_affine;
  const struct layer_tensor how = {
      options->normalized_shape, options->normalized_shape_len, options->device, options->dtype};
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  ctorch_error *error = layer_norm_make(function, self, &how, &options->eps, affine);
  THEN(error, layer_parameter(function, &self->module, "bias", &how, affine && options->bias));
  THEN(error, layer_norm_reset(function, &self->module));
  return module_give(function, out, &self->module, error);
}

ctorch_error *nn_RMSNorm(const char *function, ctorch_module **out, const struct nn_RMSNorm_options *options) {
  static const module_class class = {
      .object = {"module", sizeof(struct layer_norm), layer_norm_finalize},
      .name = "RMSNorm",
      .forward = rms_norm_forward,
      .extra_repr = rms_norm_repr,
      .copied = layer_norm_copied,
      .reset_parameters = layer_norm_reset};
  struct layer_norm *self = module_new(&class);
  const struct layer_tensor how = {
      options->normalized_shape, options->normalized_shape_len, options->device, options->dtype};
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  ctorch_error *error = layer_norm_make(function, self, &how, options->eps, options->elementwise_affine);
  THEN(error, layer_norm_reset(function, &self->module));
  return module_give(function, out, &self->module, error);
}

/* GroupNorm. */

struct group_norm {
  ctorch_module module;
  int64_t num_groups, num_channels;
  double eps;
  bool affine;
};

static ctorch_error *group_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct group_norm *self = (const struct group_norm *)module;
  return functional_group_norm(
      FORWARD, out,
      &(const struct functional_group_norm_options){
          .input = input,
          .num_groups = self->num_groups,
          .weight = module_parameter_at(module, NORM_WEIGHT),
          .bias = module_parameter_at(module, NORM_BIAS),
          .eps = self->eps});
}

static void group_repr(const ctorch_module *module, struct text *text) {
  const struct group_norm *self = (const struct group_norm *)module;
  text_add(text, "%" PRId64 ", %" PRId64 ", eps=", self->num_groups, self->num_channels);
  text_option(text, module, "eps", self->eps);
  text_add(text, ", affine=");
  text_bool(text, self->affine);
  text_add(text, ", bias=");
  text_bool(text, module_parameter_at(module, NORM_BIAS) != NULL);
}

ctorch_error *nn_GroupNorm(const char *function, ctorch_module **out, const struct nn_GroupNorm_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct group_norm),
      .name = "GroupNorm",
      .forward = group_forward,
      .extra_repr = group_repr,
      .reset_parameters = layer_norm_reset};
  int64_t groups = options->num_groups, channels = options->num_channels;
  if (groups <= 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "num_groups must be positive, got %" PRId64, groups);
  }
  if (channels % groups != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "num_channels (%" PRId64 ") must be divisible by num_groups (%" PRId64 ")",
        channels, groups);
  }
  struct group_norm *self = module_new(&class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->num_groups = groups;
  self->num_channels = channels;
  self->eps = options->eps;
  self->affine = options->affine;
  const struct layer_tensor how = LAYER_TENSOR(options, channels);
  ctorch_error *error = layer_parameter(function, &self->module, "weight", &how, options->affine);
  error =
      error != NULL ? error : layer_parameter(function, &self->module, "bias", &how, options->affine && options->bias);
  THEN(error, layer_norm_reset(function, &self->module));
  return module_give(function, out, &self->module, error);
}

/* Normalisation by neighbouring channels. */

struct response_norm {
  ctorch_module module;
  int64_t size;
  double alpha, beta, k;
};

static void response_repr(const ctorch_module *module, struct text *text) {
  const struct response_norm *self = (const struct response_norm *)module;
  text_add(text, "%" PRId64 ", alpha=", self->size);
  text_option(text, module, "alpha", self->alpha);
  text_add(text, ", beta=");
  text_option(text, module, "beta", self->beta);
  text_add(text, ", k=");
  text_option(text, module, "k", self->k);
}

/* Averages of squares over `size` channels, as a tensor of the input's sizes. */
static void average_of_channels(struct steps *s, const ctorch_tensor *input, int64_t size) {
  const int64_t *sizes = ctorch_tensor_sizes(input), before = size / 2, behind = (size - 1) / 2;
  size_t ndim = (size_t)ctorch_tensor_ndim(input);
  const int64_t window[] = {size, 1, 1}, one[] = {1}, zero[] = {0};
  STEP(s, ctorch_aten_mul_Tensor(&s->next, input, input));
  if (ndim == 3) {
    STEP(s, ctorch_aten_unsqueeze(&s->next, s->at, 1));
    STEP(s, ctorch_aten_pad(&s->next, s->at, CTORCH_INTS(0, 0, before, behind), "constant", NULL));
    STEP(s, ctorch_aten_avg_pool2d(&s->next, s->at, window, 2, one, 1, zero, 1, false, true, NULL));
    STEP(s, ctorch_aten_squeeze_dim(&s->next, s->at, 1));
    return;
  }
  STEP(s, ctorch_aten_view(&s->next, s->at, CTORCH_INTS(sizes[0], 1, sizes[1], sizes[2], -1)));
  STEP(s, ctorch_aten_pad(&s->next, s->at, CTORCH_INTS(0, 0, 0, 0, before, behind), "constant", NULL));
  STEP(s, ctorch_aten_avg_pool3d(&s->next, s->at, window, 3, one, 1, zero, 1, false, true, NULL));
  STEP(s, ctorch_aten_squeeze_dim(&s->next, s->at, 1));
  STEP(s, ctorch_aten_view(&s->next, s->at, sizes, ndim));
}

ctorch_error *functional_local_response_norm(
    const char *function, ctorch_tensor **out, const struct functional_local_response_norm_options *options) {
  const ctorch_scalar alpha = floating(options->alpha), beta = floating(options->beta), k = floating(options->k);
  int64_t ndim = ctorch_tensor_ndim(options->input);
  if (ndim < 3) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Expected 3D or higher dimensionality input (got %" PRId64 " dimensions)", ndim);
  }
  if (ctorch_tensor_numel(options->input) == 0) {
    return tensor_give(function, out, options->input);
  }
  struct steps s = {0};
  average_of_channels(&s, options->input, options->size);
  STEP(&s, ctorch_aten_mul_Scalar(&s.next, s.at, &alpha));
  STEP(&s, ctorch_aten_add_Scalar(&s.next, s.at, &k, NULL));
  STEP(&s, ctorch_aten_pow_Tensor_Scalar(&s.next, s.at, &beta));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, options->input, s.at));
  return steps_end(&s, out);
}

static ctorch_error *response_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct response_norm *self = (const struct response_norm *)module;
  return functional_local_response_norm(
      FORWARD, out,
      &(const struct functional_local_response_norm_options){input, self->size, self->alpha, self->beta, self->k});
}

#define RESPONSE_CLASS(named, does)                                                                                   \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) {   \
    static const module_class class = {                                                                               \
        .object = MODULE_OBJECT(struct response_norm), .name = #named, .forward = does, .extra_repr = response_repr}; \
    struct response_norm *self = module_new(&class);                                                                  \
    if (self != NULL) {                                                                                               \
      self->size = options->size;                                                                                     \
      self->alpha = options->alpha;                                                                                   \
      self->beta = options->beta;                                                                                     \
      self->k = options->k;                                                                                           \
    }                                                                                                                 \
    return module_give(function, out, &self->module, NULL);                                                           \
  }

RESPONSE_CLASS(LocalResponseNorm, response_forward)

/* normalize. */

ctorch_error *functional_normalize(
    const char *function, ctorch_tensor **out, const struct functional_normalize_options *options) {
  const ctorch_scalar p = floating(options->p), eps = floating(options->eps);
  struct steps s = {0};
  (void)function;
  STEP(&s, ctorch_aten_norm_ScalarOpt_dim(&s.next, options->input, &p, &options->dim, 1, true));
  STEP(&s, ctorch_aten_clamp_min(&s.next, s.at, &eps));
  STEP(&s, ctorch_aten_expand_as(&s.next, s.at, options->input));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, options->input, s.at));
  return steps_end(&s, out);
}
