/* Linear layers. */
#include <inttypes.h>
#include <math.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/init.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"
#include "module/lazy.h"
#include "module/options.h"
#include "nn/linear.h"

enum { WEIGHT, BIAS };

struct linear {
  ctorch_module module;
  int64_t in_features, in2_features, out_features; /* the second input is Bilinear's */
};

/* Identity. */

static ctorch_error *identity_forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) {
  (void)self;
  return tensor_give(FORWARD, out, input);
}

ctorch_error *nn_Identity(const char *function, ctorch_module **out, const struct nn_Identity_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(ctorch_module), .name = "Identity", .forward = identity_forward};
  (void)options;
  return module_give(function, out, module_new(&class), NULL);
}

/* Linear. */

static ctorch_error *linear_forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) {
  return ctorch_aten_linear(out, input, module_parameter_at(self, WEIGHT), module_parameter_at(self, BIAS));
}

static void linear_repr(const ctorch_module *module, struct text *text) {
  const struct linear *self = (const struct linear *)module;
  text_add(text, "in_features=%" PRId64 ", out_features=%" PRId64 ", bias=", self->in_features, self->out_features);
  text_bool(text, module_parameter_at(module, BIAS) != NULL);
}

static ctorch_error *linear_reset(const char *function, ctorch_module *module) {
  ctorch_tensor *weight = module_parameter_at(module, WEIGHT);
  CTORCH_TRY(layer_needs(function, weight, "weight"));
  CTORCH_TRY(init_kaiming_uniform_(
      function, &(struct init_kaiming_uniform__options){
                    .tensor = weight, .a = sqrt(5), .mode = "fan_in", .nonlinearity = "leaky_relu"}));
  const int64_t *shape = ctorch_tensor_sizes(weight);
  return layer_uniform(module_parameter_at(module, BIAS), shape[1] > 0 ? 1 / sqrt((double)shape[1]) : 0);
}

static const module_class linear_class = {
    .object = MODULE_OBJECT(struct linear),
    .name = "Linear",
    .forward = linear_forward,
    .extra_repr = linear_repr,
    .reset_parameters = linear_reset};

/* What attention projects its output with: Python names it otherwise. */
static const module_class attention_linear_class = {
    .object = MODULE_OBJECT(struct linear),
    .name = "NonDynamicallyQuantizableLinear",
    .forward = linear_forward,
    .extra_repr = linear_repr,
    .reset_parameters = linear_reset};

static ctorch_error *linear_parameters(
    const char *function, ctorch_module *self, const struct nn_Linear_options *options) {
  int64_t in = options->in_features, out = options->out_features;
  CTORCH_TRY(layer_parameter(function, self, "weight", &LAYER_TENSOR(options, out, in), true));
  CTORCH_TRY(layer_parameter(function, self, "bias", &LAYER_TENSOR(options, out), options->bias));
  return linear_reset(function, self);
}

static ctorch_error *linear_make(
    const char *function, ctorch_module **out, const module_class *class, const struct nn_Linear_options *options) {
  struct linear *self = module_new(class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->in_features = options->in_features;
  self->out_features = options->out_features;
  return module_give(function, out, &self->module, linear_parameters(function, &self->module, options));
}

ctorch_error *nn_Linear(const char *function, ctorch_module **out, const struct nn_Linear_options *options) {
  return linear_make(function, out, &linear_class, options);
}

ctorch_error *linear_of_attention(const char *function, ctorch_module **out, const struct nn_Linear_options *options) {
  return linear_make(function, out, &attention_linear_class, options);
}

/* LazyLinear. */

static ctorch_error *lazy_reset(const char *function, ctorch_module *module) {
  bool is_ready = !lazy_is_any(module) && ((const struct linear *)module)->in_features != 0;
  return is_ready ? linear_reset(function, module) : NULL;
}

static ctorch_error *lazy_infer(const char *function, ctorch_module *module, const ctorch_tensor *input) {
  struct linear *self = (struct linear *)module;
  int64_t ndim = ctorch_tensor_ndim(input);
  if (ndim == 0) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "input: LazyLinear takes its size from the last dimension, found none");
  }
  int64_t in = ctorch_tensor_sizes(input)[ndim - 1], out = self->out_features;
  if (lazy_is_any(module)) {
    const struct lazy_size sizes[] = {
        {WEIGHT, false, (const int64_t[]){out, in}, 2}, {BIAS, false, (const int64_t[]){out}, 1}};
    CTORCH_TRY(lazy_materialize(function, module, sizes, 2));
    self->in_features = in;
    CTORCH_TRY(module_record_int(function, module, "in_features", in));
    return lazy_reset(function, module);
  }
  const ctorch_tensor *weight = module_parameter_at(module, WEIGHT); /* loaded */
  int64_t dims = weight == NULL ? 0 : ctorch_tensor_ndim(weight);
  if (dims > 0 && ctorch_tensor_sizes(weight)[dims - 1] != in) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME,
        "The in_features inferred from input: %" PRId64 " is not equal to in_features from self.weight: %" PRId64, in,
        ctorch_tensor_sizes(weight)[dims - 1]);
  }
  self->in_features = in;
  return module_record_int(function, module, "in_features", in);
}

ctorch_error *nn_LazyLinear(const char *function, ctorch_module **out, const struct nn_LazyLinear_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct linear),
      .name = "LazyLinear",
      .infer = lazy_infer,
      .becomes = &linear_class,
      .extra_repr = linear_repr,
      .reset_parameters = lazy_reset,
      .loading = lazy_loading};
  struct linear *self = module_new(&class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->out_features = options->out_features;
  ctorch_error *error = lazy_parameter(function, &self->module, "weight", options->device, options->dtype, true);
  THEN(error, lazy_parameter(function, &self->module, "bias", options->device, options->dtype, options->bias));
  return module_give(function, out, &self->module, error);
}

/* Bilinear. */

static void bilinear_repr(const ctorch_module *module, struct text *text) {
  const struct linear *self = (const struct linear *)module;
  text_add(
      text, "in1_features=%" PRId64 ", in2_features=%" PRId64 ", out_features=%" PRId64 ", bias=", self->in_features,
      self->in2_features, self->out_features);
  text_bool(text, module_parameter_at(module, BIAS) != NULL);
}

static ctorch_error *bilinear_reset(const char *function, ctorch_module *module) {
  const struct linear *self = (const struct linear *)module;
  double bound = 1 / sqrt((double)self->in_features);
  (void)function;
  CTORCH_TRY(layer_uniform(module_parameter_at(module, WEIGHT), bound));
  return layer_uniform(module_parameter_at(module, BIAS), bound);
}

static ctorch_error *bilinear_parameters(
    const char *function, ctorch_module *self, const struct nn_Bilinear_options *options) {
  int64_t out = options->out_features;
  struct layer_tensor weight = LAYER_TENSOR(options, out, options->in1_features, options->in2_features);
  CTORCH_TRY(layer_parameter(function, self, "weight", &weight, true));
  CTORCH_TRY(layer_parameter(function, self, "bias", &LAYER_TENSOR(options, out), options->bias));
  return bilinear_reset(function, self);
}

ctorch_error *nn_Bilinear_forward(
    const char *function, ctorch_tensor **out, const struct nn_Bilinear_forward_options *options) {
  (void)function;
  return ctorch_aten_bilinear(
      out, options->input1, options->input2, module_parameter_at(options->self, WEIGHT),
      module_parameter_at(options->self, BIAS));
}

ctorch_error *nn_Bilinear(const char *function, ctorch_module **out, const struct nn_Bilinear_options *options) {
  static const module_class class = {
      .object = MODULE_OBJECT(struct linear),
      .name = "Bilinear",
      .call = nn_Bilinear_call,
      .extra_repr = bilinear_repr,
      .reset_parameters = bilinear_reset};
  if (options->in1_features <= 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "in1_features must be > 0, but got %" PRId64, options->in1_features);
  }
  struct linear *self = module_new(&class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->in_features = options->in1_features;
  self->in2_features = options->in2_features;
  self->out_features = options->out_features;
  return module_give(function, out, &self->module, bilinear_parameters(function, &self->module, options));
}
