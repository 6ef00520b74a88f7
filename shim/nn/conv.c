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
  ctorch_tensor *weight, *bias; /* the module's parameters */
  int64_t stride[DIMS], padding[DIMS], dilation[DIMS], groups;
  bool same;                /* padding is left to the operator, which knows the sizes */
  const char *mode;         /* of aten::pad; NULL for zeros, which the operator does */
  int64_t around[2 * DIMS]; /* what to pad with otherwise, last dimension first */
};

static ctorch_error *forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  struct conv2d *self = (struct conv2d *)module;
  if (self->same && self->mode == NULL) {
    return ctorch_aten_conv2d_padding(
        out, input, self->weight, self->bias, self->stride, DIMS, "same", self->dilation, DIMS, self->groups);
  }
  if (self->mode == NULL) {
    return ctorch_aten_conv2d(
        out, input, self->weight, self->bias, self->stride, DIMS, self->padding, DIMS, self->dilation, DIMS,
        self->groups);
  }
  ctorch_tensor *padded = NULL;
  CTORCH_TRY(ctorch_aten_pad(&padded, input, self->around, 2 * DIMS, self->mode, NULL));
  ctorch_error *error = ctorch_aten_conv2d(
      out, padded, self->weight, self->bias, self->stride, DIMS, (int64_t[]){0}, 1, self->dilation, DIMS, self->groups);
  ctorch_tensor_release(padded);
  return error;
}

static const module_class conv2d_class = {{"module", sizeof(struct conv2d), module_finalize}, "Conv2d", forward};

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
  struct conv2d *self = object_new(&conv2d_class.object);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->groups = a->groups;
  self->mode = mode;
  memcpy(self->stride, a->stride, sizeof self->stride);
  memcpy(self->dilation, a->dilation, sizeof self->dilation);
  *out = self;
  return NULL;
}

static ctorch_error *add_parameters(const char *function, struct conv2d *self, const struct arguments *a) {
  int64_t shape[] = {a->out_channels, a->in_channels / a->groups, a->kernel_size[0], a->kernel_size[1]};
  CTORCH_TRY(ctorch_aten_empty_memory_format(&self->weight, shape, 4, a->dtype, NULL, a->device, NULL, NULL));
  CTORCH_TRY(module_add_parameter(function, &self->module, "weight", self->weight));
  if (a->bias) {
    CTORCH_TRY(ctorch_aten_empty_memory_format(&self->bias, shape, 1, a->dtype, NULL, a->device, NULL, NULL));
    CTORCH_TRY(module_add_parameter(function, &self->module, "bias", self->bias));
  }
  CTORCH_TRY(init_kaiming_uniform_(
      function, &(struct init_kaiming_uniform__options){
                    .tensor = self->weight, .a = sqrt(5), .mode = "fan_in", .nonlinearity = "leaky_relu"}));
  int64_t fan_in = shape[1] * shape[2] * shape[3];
  return a->bias && fan_in > 0 ? init_uniform(self->bias, 1 / sqrt((double)fan_in), NULL) : NULL;
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
  for (int i = 0; same && i < DIMS; i++) {
    int64_t total = options->dilation[DIMS - 1 - i] * (options->kernel_size[DIMS - 1 - i] - 1);
    self->around[2 * i] = total / 2; /* the odd one of an uneven padding goes behind */
    self->around[2 * i + 1] = total - total / 2;
  }
  return module_give(function, out, &self->module, add_parameters(function, self, &arguments));
}
