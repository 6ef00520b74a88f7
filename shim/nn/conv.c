/* Convolutions. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "constructors/init.h"
#include "constructors/nn.h"
#include "error.h"
#include "init.h"
#include "module.h"

enum { DIMS = 2 };

/* What both constructors of Conv2d are about, once the padding is understood. */
struct conv2d {
  ctorch_module module;
  int64_t in_channels, out_channels, kernel_size[DIMS], stride[DIMS], padding[DIMS], dilation[DIMS], groups;
  bool is_named;            /* the padding was given by name */
  bool same;                /* padding is left to the operator, which knows the sizes */
  const char *mode;         /* of aten::pad; NULL for zeros, which the operator does */
  int64_t around[2 * DIMS]; /* what to pad with otherwise, last dimension first */
};

enum { WEIGHT, BIAS };

static ctorch_error *forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  struct conv2d *self = (struct conv2d *)module;
  const ctorch_tensor *weight = module_parameter_at(module, WEIGHT), *bias = module_parameter_at(module, BIAS);
  if (self->same && self->mode == NULL) {
    return ctorch_aten_conv2d_padding(
        out, input, weight, bias, self->stride, DIMS, "same", self->dilation, DIMS, self->groups);
  }
  if (self->mode == NULL) {
    return ctorch_aten_conv2d(
        out, input, weight, bias, self->stride, DIMS, self->padding, DIMS, self->dilation, DIMS, self->groups);
  }
  ctorch_tensor *padded = NULL;
  CTORCH_TRY(ctorch_aten_pad(&padded, input, self->around, 2 * DIMS, self->mode, NULL));
  ctorch_error *error = ctorch_aten_conv2d(
      out, padded, weight, bias, self->stride, DIMS, (int64_t[]){0}, 1, self->dilation, DIMS, self->groups);
  ctorch_tensor_release(padded);
  return error;
}

static void extra_repr(const ctorch_module *module, struct text *text) {
  const struct conv2d *self = (const struct conv2d *)module;
  const int64_t none[DIMS] = {0}, one[DIMS] = {1, 1};
  text_add(text, "%" PRId64 ", %" PRId64 ", kernel_size=", self->in_channels, self->out_channels);
  text_ints(text, self->kernel_size, DIMS);
  text_add(text, ", stride=");
  text_ints(text, self->stride, DIMS);
  if (self->same) {
    text_add(text, ", padding=same");
  } else if (self->is_named) {
    text_add(text, ", padding=valid");
  } else if (memcmp(self->padding, none, sizeof none) != 0) {
    text_add(text, ", padding=");
    text_ints(text, self->padding, DIMS);
  }
  if (memcmp(self->dilation, one, sizeof one) != 0) {
    text_add(text, ", dilation=");
    text_ints(text, self->dilation, DIMS);
  }
  if (self->groups != 1) {
    text_add(text, ", groups=%" PRId64, self->groups);
  }
  if (module_parameter_at(module, BIAS) == NULL) {
    text_add(text, ", bias=False");
  }
  if (self->mode != NULL) {
    text_add(text, ", padding_mode=%s", self->mode);
  }
}

static ctorch_error *reset_parameters(const char *function, ctorch_module *module) {
  ctorch_tensor *weight = module_parameter_at(module, WEIGHT), *bias = module_parameter_at(module, BIAS);
  CTORCH_TRY(init_kaiming_uniform_(
      function, &(struct init_kaiming_uniform__options){
                    .tensor = weight, .a = sqrt(5), .mode = "fan_in", .nonlinearity = "leaky_relu"}));
  const int64_t *shape = ctorch_tensor_sizes(weight);
  int64_t fan_in = shape[1] * shape[2] * shape[3];
  return bias != NULL && fan_in > 0 ? init_uniform(bias, 1 / sqrt((double)fan_in), NULL) : NULL;
}

static const module_class conv2d_class = {
    .object = {"module", sizeof(struct conv2d), module_finalize},
    .name = "Conv2d",
    .forward = forward,
    .extra_repr = extra_repr,
    .reset_parameters = reset_parameters};

static ctorch_error *check_channels(const char *function, int64_t in, int64_t out, int64_t groups) {
  if (groups <= 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "groups must be positive, got %" PRId64, groups);
  }
  if (in % groups != 0 || out % groups != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s must be divisible by groups, got %" PRId64 " and %" PRId64,
        in % groups != 0 ? "in_channels" : "out_channels", in % groups != 0 ? in : out, groups);
  }
  return NULL;
}

/* The mode as aten::pad wants it, in *mode: NULL for zeros. */
static ctorch_error *check_mode(const char *function, const char **mode, const char *name) {
  static const char *const names[] = {"zeros", "reflect", "replicate", "circular"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) {
      *mode = i == 0 ? NULL : names[i];
      return NULL;
    }
  }
  return error_make(
      function, CTORCH_ERROR_VALUE, "padding_mode must be zeros, reflect, replicate or circular, got '%s'", name);
}

/* What the two constructors have in common. */
struct arguments {
  int64_t in_channels, out_channels, groups;
  const int64_t *kernel_size, *stride, *dilation;
  bool bias;
  const char *padding_mode;
  const ctorch_device *device;
  const ctorch_dtype *dtype;
};

#define ARGUMENTS(o)                                                                                             \
  ((struct arguments){                                                                                           \
      (o)->in_channels, (o)->out_channels, (o)->groups, (o)->kernel_size, (o)->stride, (o)->dilation, (o)->bias, \
      (o)->padding_mode, (o)->device, (o)->dtype})

/* Check them, and make the module without its parameters. */
static ctorch_error *begin(const char *function, struct conv2d **out, const struct arguments *a) {
  const char *mode = NULL;
  CTORCH_TRY(check_channels(function, a->in_channels, a->out_channels, a->groups));
  CTORCH_TRY(check_mode(function, &mode, a->padding_mode));
  struct conv2d *self = module_new(&conv2d_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->in_channels = a->in_channels;
  self->out_channels = a->out_channels;
  self->groups = a->groups;
  memcpy(self->kernel_size, a->kernel_size, sizeof self->kernel_size);
  self->mode = mode;
  memcpy(self->stride, a->stride, sizeof self->stride);
  memcpy(self->dilation, a->dilation, sizeof self->dilation);
  *out = self;
  return NULL;
}

static ctorch_error *add_parameters(const char *function, struct conv2d *self, const struct arguments *a) {
  int64_t shape[] = {a->out_channels, a->in_channels / a->groups, a->kernel_size[0], a->kernel_size[1]};
  ctorch_tensor *weight = NULL, *bias = NULL;
  CTORCH_TRY(ctorch_aten_empty_memory_format(&weight, shape, 4, a->dtype, NULL, a->device, NULL, NULL));
  CTORCH_TRY(module_add_parameter(function, &self->module, "weight", weight));
  if (a->bias) {
    CTORCH_TRY(ctorch_aten_empty_memory_format(&bias, shape, 1, a->dtype, NULL, a->device, NULL, NULL));
  }
  CTORCH_TRY(module_add_parameter(function, &self->module, "bias", bias));
  return reset_parameters(function, &self->module);
}

ctorch_error *nn_Conv2d(const char *function, ctorch_module **out, const struct nn_Conv2d_options *options) {
  const struct arguments arguments = ARGUMENTS(options);
  struct conv2d *self = NULL;
  CTORCH_TRY(begin(function, &self, &arguments));
  for (int i = 0; i < DIMS; i++) {
    self->padding[i] = options->padding[i];
    self->around[2 * i] = self->around[2 * i + 1] = options->padding[DIMS - 1 - i];
  }
  return module_give(function, out, &self->module, add_parameters(function, self, &arguments));
}

ctorch_error *nn_Conv2d_padding(
    const char *function, ctorch_module **out, const struct nn_Conv2d_padding_options *options) {
  const struct arguments arguments = ARGUMENTS(options);
  bool same = strcmp(options->padding, "same") == 0;
  if (!same && strcmp(options->padding, "valid") != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "padding must be numbers, valid or same, got '%s'", options->padding);
  }
  if (same && (options->stride[0] != 1 || options->stride[1] != 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "padding 'same' goes with a stride of 1 alone");
  }
  struct conv2d *self = NULL;
  CTORCH_TRY(begin(function, &self, &arguments));
  self->same = same;
  self->is_named = true;
  for (int i = 0; same && i < DIMS; i++) {
    int64_t total = options->dilation[DIMS - 1 - i] * (options->kernel_size[DIMS - 1 - i] - 1);
    self->around[2 * i] = total / 2; /* the odd one of an uneven padding goes behind */
    self->around[2 * i + 1] = total - total / 2;
  }
  return module_give(function, out, &self->module, add_parameters(function, self, &arguments));
}
