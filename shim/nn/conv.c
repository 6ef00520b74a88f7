/* Convolutions, and transposed ones. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "constructors/init.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/lazy.h"
#include "module/options.h"
#include "nn/conv.h"

enum { MOST = 3 }; /* dimensions of a window */
enum { WEIGHT, BIAS };

/* Products of two numbers of 64 bits. */
__extension__ typedef __int128 wide;

struct conv {
  ctorch_module module;
  int64_t in_channels, out_channels, groups;
  int64_t kernel_size[MOST], stride[MOST], padding[MOST], dilation[MOST], output_padding[MOST];
  bool is_named;            /* the padding was given by name */
  bool same;                /* padding is left to the operator, which knows the sizes */
  const char *mode;         /* of aten::pad; NULL for zeros, which the operator does */
  int64_t around[2 * MOST]; /* what to pad with otherwise, last dimension first */
};

struct conv_class {
  module_class class;
  size_t dims;
  bool transposed;
};

static const struct conv_class *kind_of(const ctorch_module *module) {
  return (const struct conv_class *)module_class_of(module);
}

/* Operators, by the number of dimensions. */

typedef ctorch_error *convolve(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);
typedef ctorch_error *convolve_same(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const char *padding,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);
typedef ctorch_error *convolve_transposed(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    int64_t groups,
    const int64_t *dilation,
    size_t dilation_len);

static convolve *const convolutions[] = {ctorch_aten_conv1d, ctorch_aten_conv2d, ctorch_aten_conv3d};
static convolve_same *const same_convolutions[] = {
    ctorch_aten_conv1d_padding, ctorch_aten_conv2d_padding, ctorch_aten_conv3d_padding};
static convolve_transposed *const transposed_convolutions[] = {
    ctorch_aten_conv_transpose1d, ctorch_aten_conv_transpose2d_input, ctorch_aten_conv_transpose3d_input};

static ctorch_error *forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct conv *self = (const struct conv *)module;
  const ctorch_tensor *weight = module_parameter_at(module, WEIGHT), *bias = module_parameter_at(module, BIAS);
  size_t n = kind_of(module)->dims;
  if (self->same && self->mode == NULL) {
    return same_convolutions[n - 1](out, input, weight, bias, self->stride, n, "same", self->dilation, n, self->groups);
  }
  if (self->mode == NULL) {
    return convolutions[n - 1](
        out, input, weight, bias, self->stride, n, self->padding, n, self->dilation, n, self->groups);
  }
  struct steps s = {0};
  STEP(&s, ctorch_aten_pad(&s.next, input, self->around, 2 * n, self->mode, NULL));
  STEP(
      &s, convolutions[n - 1](
              &s.next, s.at, weight, bias, self->stride, n, (int64_t[]){0}, 1, self->dilation, n, self->groups));
  return steps_end(&s, out);
}

static ctorch_error *transpose(
    const struct conv *self, ctorch_tensor **out, const ctorch_tensor *input, const int64_t *output_padding) {
  const ctorch_module *module = &self->module;
  size_t n = kind_of(module)->dims;
  return transposed_convolutions[n - 1](
      out, input, module_parameter_at(module, WEIGHT), module_parameter_at(module, BIAS), self->stride, n,
      self->padding, n, output_padding, n, self->groups, self->dilation, n);
}

static ctorch_error *forward_transposed(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct conv *self = (const struct conv *)module;
  return transpose(self, out, input, self->output_padding);
}

/* What is to be added so that the output has the sizes that are wanted: strided convolutions give several the same. */
static ctorch_error *output_padding_for(
    const char *function,
    int64_t *padding,
    const struct conv *self,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t len) {
  size_t n = kind_of(&self->module)->dims, ndim = (size_t)ctorch_tensor_ndim(input), before = ndim == n + 2 ? 2 : 1;
  if (ndim < n + 1) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "input: expected %zuD or %zuD (got %zuD input)", n + 1, n + 2, ndim);
  }
  if (len == before + n) {
    output_size += before;
  } else if (len != n) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "ConvTranspose%zuD: for %zuD input, output_size must have %zu or %zu elements (got %zu)", n, ndim, n,
        before + n, len);
  }
  for (size_t i = 0; i < n; i++) {
    wide least = (wide)(ctorch_tensor_sizes(input)[before + i] - 1) * self->stride[i] - (wide)2 * self->padding[i] +
                 (wide)self->dilation[i] * (self->kernel_size[i] - 1) + 1;
    if (output_size[i] < least || output_size[i] > least + self->stride[i] - 1) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "output_size[%zu] is %" PRId64 ", but valid sizes range from %" PRId64 " to %" PRId64, len - n + i,
          output_size[i], (int64_t)least, (int64_t)(least + self->stride[i] - 1));
    }
    padding[i] = (int64_t)(output_size[i] - least);
  }
  return NULL;
}

static ctorch_error *call_transposed(
    const char *function,
    ctorch_tensor **out,
    ctorch_module *module,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t len) {
  const struct conv *self = (const struct conv *)module;
  int64_t padding[MOST];
  CTORCH_TRY(lazy_begin_with(function, module, input));
  if (output_size == NULL && len == 0) {
    return forward_transposed(module, out, input);
  }
  CTORCH_TRY(output_padding_for(function, padding, self, input, output_size, len));
  return transpose(self, out, input, padding);
}

/* Text. */

/* ", padding=(1, 1)", unless all of them are `usual`. */
static void add_sizes(struct text *text, const char *name, const int64_t *sizes, size_t n, int64_t usual) {
  bool is_usual = true;
  for (size_t i = 0; i < n; i++) {
    is_usual = is_usual && sizes[i] == usual;
  }
  if (!is_usual) {
    text_add(text, ", %s=", name);
    text_ints(text, sizes, n);
  }
}

static void extra_repr(const ctorch_module *module, struct text *text) {
  const struct conv *self = (const struct conv *)module;
  size_t n = kind_of(module)->dims;
  text_add(text, "%" PRId64 ", %" PRId64 ", kernel_size=", self->in_channels, self->out_channels);
  text_ints(text, self->kernel_size, n);
  text_add(text, ", stride=");
  text_ints(text, self->stride, n);
  if (self->is_named) {
    text_add(text, ", padding=%s", self->same ? "same" : "valid");
  } else {
    add_sizes(text, "padding", self->padding, n, 0);
  }
  add_sizes(text, "dilation", self->dilation, n, 1);
  add_sizes(text, "output_padding", self->output_padding, n, 0);
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

/* Making them. */

static ctorch_error *reset_parameters(const char *function, ctorch_module *module) {
  ctorch_tensor *weight = module_parameter_at(module, WEIGHT), *bias = module_parameter_at(module, BIAS);
  CTORCH_TRY(layer_needs(function, weight, "weight"));
  CTORCH_TRY(init_kaiming_uniform_(
      function, &(struct init_kaiming_uniform__options){
                    .tensor = weight, .a = sqrt(5), .mode = "fan_in", .nonlinearity = "leaky_relu"}));
  const int64_t *shape = ctorch_tensor_sizes(weight);
  double fan_in = 1;
  for (int64_t i = 1; i < ctorch_tensor_ndim(weight); i++) {
    fan_in *= (double)shape[i];
  }
  return fan_in > 0 ? layer_uniform(bias, 1 / sqrt(fan_in)) : NULL;
}

#define CLASS(named) \
  .object = MODULE_OBJECT(struct conv), .name = named, .extra_repr = extra_repr, .reset_parameters = reset_parameters

static const struct conv_class classes[] = {
    {{CLASS("Conv1d"), .forward = forward}, 1, false},
    {{CLASS("Conv2d"), .forward = forward}, 2, false},
    {{CLASS("Conv3d"), .forward = forward}, 3, false},
};
static const struct conv_class transposed_classes[] = {
    {{CLASS("ConvTranspose1d"), .forward = forward_transposed, .call = nn_ConvTranspose1d_call}, 1, true},
    {{CLASS("ConvTranspose2d"), .forward = forward_transposed, .call = nn_ConvTranspose2d_call}, 2, true},
    {{CLASS("ConvTranspose3d"), .forward = forward_transposed, .call = nn_ConvTranspose3d_call}, 3, true},
};

/* Those that wait for the channels of their first input. */

static ctorch_error *lazy_reset(const char *function, ctorch_module *module) {
  bool is_ready = !lazy_is_any(module) && ((const struct conv *)module)->in_channels != 0;
  return is_ready ? reset_parameters(function, module) : NULL;
}

static size_t shape_of_weight(int64_t *shape, const struct conv *self) {
  const struct conv_class *class = kind_of(&self->module);
  shape[0] = class->transposed ? self->in_channels : self->out_channels;
  shape[1] = (class->transposed ? self->out_channels : self->in_channels) / self->groups;
  memcpy(shape + 2, self->kernel_size, class->dims * sizeof *shape);
  return class->dims + 2;
}

static ctorch_error *lazy_infer(const char *function, ctorch_module *module, const ctorch_tensor *input) {
  struct conv *self = (struct conv *)module;
  size_t n = kind_of(module)->dims, ndim = (size_t)ctorch_tensor_ndim(input);
  int64_t shape[2 + MOST];
  if (!lazy_is_any(module)) {
    return NULL;
  }
  if (ndim != n + 1 && ndim != n + 2) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "Expected %zuD (unbatched) or %zuD (batched) input to %s, but got %zuD input",
        n + 1, n + 2, module_name(module), ndim);
  }
  int64_t channels = ctorch_tensor_sizes(input)[ndim == n + 2 ? 1 : 0], before = self->in_channels;
  if (channels % self->groups != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "in_channels must be divisible by groups, got %" PRId64 " and %" PRId64, channels,
        self->groups);
  }
  self->in_channels = channels;
  size_t dims = shape_of_weight(shape, self);
  const struct lazy_size sizes[] = {{WEIGHT, false, shape, dims}, {BIAS, false, &self->out_channels, 1}};
  ctorch_error *error = lazy_materialize(function, module, sizes, 2);
  if (error != NULL) {
    self->in_channels = before;
    return error;
  }
  CTORCH_TRY(module_record_int(function, module, "in_channels", channels));
  return lazy_reset(function, module);
}

#define LAZY(named, eager)                                                                                       \
  .object = MODULE_OBJECT(struct conv), .name = named, .extra_repr = extra_repr, .reset_parameters = lazy_reset, \
  .infer = lazy_infer, .becomes = &(eager).class, .loading = lazy_loading

static const struct conv_class lazy_classes[] = {
    {{LAZY("LazyConv1d", classes[0])}, 1, false},
    {{LAZY("LazyConv2d", classes[1])}, 2, false},
    {{LAZY("LazyConv3d", classes[2])}, 3, false},
};
static const struct conv_class lazy_transposed_classes[] = {
    {{LAZY("LazyConvTranspose1d", transposed_classes[0]), .call = nn_LazyConvTranspose1d_call}, 1, true},
    {{LAZY("LazyConvTranspose2d", transposed_classes[1]), .call = nn_LazyConvTranspose2d_call}, 2, true},
    {{LAZY("LazyConvTranspose3d", transposed_classes[2]), .call = nn_LazyConvTranspose3d_call}, 3, true},
};

size_t conv_dims(const ctorch_module *module) {
  for (size_t i = 0; i < MOST; i++) {
    if (module_class_of(module) == &classes[i].class || module_class_of(module) == &transposed_classes[i].class) {
      return i + 1;
    }
  }
  return 0;
}

/* What the constructors have in common. */
struct arguments {
  const struct conv_class *class;
  int64_t in_channels, out_channels, groups;
  const int64_t *kernel_size, *stride, *dilation;
  bool bias;
  const char *padding_mode;
  const ctorch_device *device;
  const ctorch_dtype *dtype;
};

#define ARGUMENTS(class, o)                                                                                  \
  ((struct arguments){                                                                                       \
      class, (o)->in_channels, (o)->out_channels, (o)->groups, (o)->kernel_size, (o)->stride, (o)->dilation, \
      (o)->bias, (o)->padding_mode, (o)->device, (o)->dtype})

/* Without input channels. */
#define LAZY_ARGUMENTS(class, o)                                                                         \
  ((struct arguments){                                                                                   \
      class, 0, (o)->out_channels, (o)->groups, (o)->kernel_size, (o)->stride, (o)->dilation, (o)->bias, \
      (o)->padding_mode, (o)->device, (o)->dtype})

static bool is_lazy(const struct arguments *a) { return a->class->class.infer != NULL; }

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
static ctorch_error *check_mode(const char *function, const char **mode, const struct arguments *a) {
  static const char *const names[] = {"zeros", "reflect", "replicate", "circular"};
  if (a->class->transposed && strcmp(a->padding_mode, "zeros") != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Only \"zeros\" padding mode is supported for %s, got '%s'", a->class->class.name,
        a->padding_mode);
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(a->padding_mode, names[i]) == 0) {
      *mode = i == 0 ? NULL : names[i];
      return NULL;
    }
  }
  return error_make(
      function, CTORCH_ERROR_VALUE, "padding_mode must be zeros, reflect, replicate or circular, got '%s'",
      a->padding_mode);
}

/* Check them, and make the module without its parameters. */
static ctorch_error *begin(const char *function, struct conv **out, const struct arguments *a) {
  const char *mode = NULL;
  size_t bytes = a->class->dims * sizeof(int64_t);
  CTORCH_TRY(check_channels(function, a->in_channels, is_lazy(a) ? 0 : a->out_channels, a->groups));
  CTORCH_TRY(check_mode(function, &mode, a));
  struct conv *self = module_new(&a->class->class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->in_channels = a->in_channels;
  self->out_channels = a->out_channels;
  self->groups = a->groups;
  self->mode = mode;
  memcpy(self->kernel_size, a->kernel_size, bytes);
  memcpy(self->stride, a->stride, bytes);
  memcpy(self->dilation, a->dilation, bytes);
  *out = self;
  return NULL;
}

static ctorch_error *add_parameters(const char *function, struct conv *self, const struct arguments *a) {
  int64_t shape[2 + MOST];
  if (is_lazy(a)) {
    CTORCH_TRY(lazy_parameter(function, &self->module, "weight", a->device, a->dtype, true));
    return lazy_parameter(function, &self->module, "bias", a->device, a->dtype, a->bias);
  }
  const struct layer_tensor weight = {shape, shape_of_weight(shape, self), a->device, a->dtype};
  CTORCH_TRY(layer_parameter(function, &self->module, "weight", &weight, true));
  CTORCH_TRY(layer_parameter(function, &self->module, "bias", &LAYER_TENSOR(a, a->out_channels), a->bias));
  return reset_parameters(function, &self->module);
}

static ctorch_error *make(
    const char *function, ctorch_module **out, const struct arguments *a, const int64_t *padding) {
  struct conv *self = NULL;
  size_t n = a->class->dims;
  CTORCH_TRY(begin(function, &self, a));
  for (size_t i = 0; i < n; i++) {
    self->padding[i] = padding[i];
    self->around[2 * i] = self->around[2 * i + 1] = padding[n - 1 - i];
  }
  return module_give(function, out, &self->module, add_parameters(function, self, a));
}

static ctorch_error *make_named(
    const char *function, ctorch_module **out, const struct arguments *a, const char *padding) {
  size_t n = a->class->dims;
  bool same = strcmp(padding, "same") == 0;
  if (!same && strcmp(padding, "valid") != 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "padding must be numbers, valid or same, got '%s'", padding);
  }
  for (size_t i = 0; same && i < n; i++) {
    if (a->stride[i] != 1) {
      return error_make(function, CTORCH_ERROR_VALUE, "padding 'same' goes with a stride of 1 alone");
    }
  }
  struct conv *self = NULL;
  CTORCH_TRY(begin(function, &self, a));
  self->same = same;
  self->is_named = true;
  for (size_t i = 0; same && i < n; i++) {
    wide total = (wide)a->dilation[n - 1 - i] * (a->kernel_size[n - 1 - i] - 1);
    int64_t sum = total > INT64_MAX ? INT64_MAX : total < INT64_MIN ? INT64_MIN : (int64_t)total;
    self->around[2 * i] = sum / 2; /* the odd one of an uneven padding goes behind */
    self->around[2 * i + 1] = sum - sum / 2;
  }
  return module_give(function, out, &self->module, add_parameters(function, self, a));
}

static ctorch_error *make_transposed(
    const char *function,
    ctorch_module **out,
    const struct arguments *a,
    const int64_t *padding,
    const int64_t *output_padding) {
  struct conv *self = NULL;
  size_t bytes = a->class->dims * sizeof *padding;
  CTORCH_TRY(begin(function, &self, a));
  memcpy(self->padding, padding, bytes);
  memcpy(self->output_padding, output_padding, bytes);
  return module_give(function, out, &self->module, add_parameters(function, self, a));
}

#define CONSTRUCTORS(n)                                                                                              \
  ctorch_error *nn_Conv##n##d(                                                                                       \
      const char *function, ctorch_module **out, const struct nn_Conv##n##d_options *options) {                      \
    return make(function, out, &ARGUMENTS(&classes[n - 1], options), options->padding);                              \
  }                                                                                                                  \
  ctorch_error *nn_Conv##n##d_padding(                                                                               \
      const char *function, ctorch_module **out, const struct nn_Conv##n##d_padding_options *options) {              \
    return make_named(function, out, &ARGUMENTS(&classes[n - 1], options), options->padding);                        \
  }                                                                                                                  \
  ctorch_error *nn_ConvTranspose##n##d(                                                                              \
      const char *function, ctorch_module **out, const struct nn_ConvTranspose##n##d_options *options) {             \
    return make_transposed(                                                                                          \
        function, out, &ARGUMENTS(&transposed_classes[n - 1], options), options->padding, options->output_padding);  \
  }                                                                                                                  \
  ctorch_error *nn_LazyConv##n##d(                                                                                   \
      const char *function, ctorch_module **out, const struct nn_LazyConv##n##d_options *options) {                  \
    return make(function, out, &LAZY_ARGUMENTS(&lazy_classes[n - 1], options), options->padding);                    \
  }                                                                                                                  \
  ctorch_error *nn_LazyConv##n##d_padding(                                                                           \
      const char *function, ctorch_module **out, const struct nn_LazyConv##n##d_padding_options *options) {          \
    return make_named(function, out, &LAZY_ARGUMENTS(&lazy_classes[n - 1], options), options->padding);              \
  }                                                                                                                  \
  ctorch_error *nn_LazyConvTranspose##n##d(                                                                          \
      const char *function, ctorch_module **out, const struct nn_LazyConvTranspose##n##d_options *options) {         \
    return make_transposed(                                                                                          \
        function, out, &LAZY_ARGUMENTS(&lazy_transposed_classes[n - 1], options), options->padding,                  \
        options->output_padding);                                                                                    \
  }                                                                                                                  \
  ctorch_error *nn_LazyConvTranspose##n##d_forward(                                                                  \
      const char *function, ctorch_tensor **out, const struct nn_LazyConvTranspose##n##d_forward_options *options) { \
    return call_transposed(                                                                                          \
        function, out, options->self, options->input, options->output_size, options->output_size_len);               \
  }                                                                                                                  \
  ctorch_error *nn_ConvTranspose##n##d_forward(                                                                      \
      const char *function, ctorch_tensor **out, const struct nn_ConvTranspose##n##d_forward_options *options) {     \
    return call_transposed(                                                                                          \
        function, out, options->self, options->input, options->output_size, options->output_size_len);               \
  }

CONSTRUCTORS(1)
CONSTRUCTORS(2)
CONSTRUCTORS(3)
