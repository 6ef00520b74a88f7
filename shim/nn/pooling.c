/* Pooling: what modules make of windows over the last dimensions. */
#include <inttypes.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/nn.h"
#include "core/c/capture.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"
#include "module/options.h"
#include "nn/pool.h"

/* Sizes along the dimensions of a window, and how many were given: one stands for all. */
struct sizes {
  int64_t values[POOL_MOST];
  size_t given;
};

static struct sizes sizes_of(const int64_t *values, size_t len, size_t given) {
  struct sizes sizes = {.given = given};
  memcpy(sizes.values, values, len * sizeof *values);
  return sizes;
}

/* As it was given: a number, or a tuple. */
static void add_sizes(struct text *text, const char *name, const struct sizes *sizes, size_t len) {
  text_add(text, "%s=", name);
  if (sizes->given > 1 && len > 1) {
    text_ints(text, sizes->values, len);
  } else {
    text_add(text, "%" PRId64, sizes->values[0]);
  }
}

struct pool {
  ctorch_module module;
  bool return_indices;
  struct sizes kernel_size, stride, padding, dilation, output_size;
  bool has_stride, ceil_mode, count_include_pad, has_divisor;
  int64_t divisor;
  double norm_type;
};

/* A class, and over how many dimensions its modules pool; `both` gives the indices besides. */
struct pool_class {
  module_class class;
  size_t dims;
  ctorch_error *(*both)(
      ctorch_module *module, ctorch_tensor **out, ctorch_tensor **indices, const ctorch_tensor *input);
};

static size_t dims_of(const ctorch_module *module) {
  return ((const struct pool_class *)module_class_of(module))->dims;
}

#define CLASS(named, does, says) \
  {.object = MODULE_OBJECT(struct pool), .name = named, .forward = does, .extra_repr = says}

#define CLASS_OF_BOTH(named, does, says) \
  {.object = MODULE_OBJECT(struct pool), .name = named, .forward = does, .call = call_both, .extra_repr = says}

/* What the constructors of several classes have in common. */
#define WINDOW(self, options, dims)                                                                             \
  do {                                                                                                          \
    (self)->kernel_size = sizes_of((options)->kernel_size, dims, (options)->kernel_size_len);                   \
    (self)->has_stride = (options)->has_stride;                                                                 \
    (self)->stride =                                                                                            \
        (options)->has_stride ? sizes_of((options)->stride, dims, (options)->stride_len) : (self)->kernel_size; \
    (self)->ceil_mode = (options)->ceil_mode;                                                                   \
  } while (false)

/* Modules that give their maxima, or a tuple of them and their indices. */

static ctorch_error *forward_one(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  ctorch_tensor *indices = NULL;
  if (((const struct pool *)module)->return_indices) {
    return error_make(
        FORWARD, CTORCH_ERROR_TYPE,
        "with return_indices it gives a tuple, no tensor: call it for a value of any type (ctorch_module_call)");
  }
  CTORCH_TRY(((const struct pool_class *)module_class_of(module))->both(module, out, &indices, input));
  ctorch_tensor_release(indices);
  return NULL;
}

static ctorch_error *call_both(
    ctorch_module *module, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  const struct pool_class *class = (const struct pool_class *)module_class_of(module);
  ctorch_tensor *input = NULL, *most = NULL, *indices = NULL;
  CTORCH_TRY(layer_input("ctorch_module_call", &input, args, kwargs));
  ctorch_error *error = ((const struct pool *)module)->return_indices ? class->both(module, &most, &indices, input)
                                                                      : class->class.forward(module, &most, input);
  ctorch_tensor_release(input);
  THEN(
      error, indices == NULL ? ctorch_value_from_tensor(out, most)
                             : layer_tuple(out, (const ctorch_tensor *const[]){most, indices}, 2));
  ctorch_tensor_release(most);
  ctorch_tensor_release(indices);
  return error;
}

/* The most of a window. */

typedef ctorch_error *max_pool(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode);

static max_pool *const max_pools[] = {ctorch_aten_max_pool1d, ctorch_aten_max_pool2d, ctorch_aten_max_pool3d};

static ctorch_error *max_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct pool *self = (const struct pool *)module;
  size_t n = dims_of(module);
  return max_pools[n - 1](
      out, input, self->kernel_size.values, n, self->stride.values, n, self->padding.values, n, self->dilation.values,
      n, self->ceil_mode);
}

typedef ctorch_error *max_pool_both(
    ctorch_tensor **out,
    ctorch_tensor **indices,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode);

static max_pool_both *const max_pools_both[] = {
    ctorch_aten_max_pool1d_with_indices, ctorch_aten_max_pool2d_with_indices, ctorch_aten_max_pool3d_with_indices};

static ctorch_error *max_both(
    ctorch_module *module, ctorch_tensor **out, ctorch_tensor **indices, const ctorch_tensor *input) {
  const struct pool *self = (const struct pool *)module;
  size_t n = dims_of(module);
  return max_pools_both[n - 1](
      out, indices, input, self->kernel_size.values, n, self->stride.values, n, self->padding.values, n,
      self->dilation.values, n, self->ceil_mode);
}

/* Without the indices another operator is faster. In one dimension its kernel is no call that a tape would see. */
static ctorch_error *max_forward_one(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const bool makes_both = ((const struct pool *)module)->return_indices || (dims_of(module) == 1 && capture_is_on());
  return (makes_both ? forward_one : max_forward)(module, out, input);
}

static void max_repr(const ctorch_module *module, struct text *text) {
  const struct pool *self = (const struct pool *)module;
  size_t n = dims_of(module);
  add_sizes(text, "kernel_size", &self->kernel_size, n);
  add_sizes(text, ", stride", &self->stride, n);
  add_sizes(text, ", padding", &self->padding, n);
  add_sizes(text, ", dilation", &self->dilation, n);
  text_add(text, ", ceil_mode=");
  text_bool(text, self->ceil_mode);
}

static const struct pool_class max_classes[] = {
    {CLASS_OF_BOTH("MaxPool1d", max_forward_one, max_repr), 1, max_both},
    {CLASS_OF_BOTH("MaxPool2d", max_forward_one, max_repr), 2, max_both},
    {CLASS_OF_BOTH("MaxPool3d", max_forward_one, max_repr), 3, max_both},
};

/* The average of a window. */

/* The window of a module. */
static struct pool_window window_of(const struct pool *self) {
  return (struct pool_window){
      dims_of(&self->module), self->kernel_size.values, self->stride.values, self->padding.values, self->ceil_mode};
}

static ctorch_error *average_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct pool *self = (const struct pool *)module;
  const struct pool_window window = window_of(self);
  return pool_average(out, input, &window, self->count_include_pad, self->has_divisor ? &self->divisor : NULL);
}

static void average_repr(const ctorch_module *module, struct text *text) {
  const struct pool *self = (const struct pool *)module;
  size_t n = dims_of(module);
  if (n == 1) { /* always tuples in Python */
    text_add(
        text, "kernel_size=(%" PRId64 ",), stride=(%" PRId64 ",), padding=(%" PRId64 ",)", self->kernel_size.values[0],
        self->stride.values[0], self->padding.values[0]);
    return;
  }
  add_sizes(text, "kernel_size", &self->kernel_size, n);
  add_sizes(text, ", stride", &self->stride, n);
  add_sizes(text, ", padding", &self->padding, n);
}

static const struct pool_class average_classes[] = {
    {CLASS("AvgPool1d", average_forward, average_repr), 1, NULL},
    {CLASS("AvgPool2d", average_forward, average_repr), 2, NULL},
    {CLASS("AvgPool3d", average_forward, average_repr), 3, NULL},
};

/* The norm of a window. */

static ctorch_error *norm_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct pool *self = (const struct pool *)module;
  const struct pool_window window = window_of(self);
  return pool_norm(FORWARD, out, input, &window, self->norm_type);
}

static void norm_repr(const ctorch_module *module, struct text *text) {
  const struct pool *self = (const struct pool *)module;
  size_t n = dims_of(module);
  text_add(text, "norm_type=");
  text_option(text, module, "norm_type", self->norm_type);
  add_sizes(text, ", kernel_size", &self->kernel_size, n);
  if (self->has_stride) {
    add_sizes(text, ", stride", &self->stride, n);
  } else {
    text_add(text, ", stride=None");
  }
  text_add(text, ", ceil_mode=");
  text_bool(text, self->ceil_mode);
}

static const struct pool_class norm_classes[] = {
    {CLASS("LPPool1d", norm_forward, norm_repr), 1, NULL},
    {CLASS("LPPool2d", norm_forward, norm_repr), 2, NULL},
    {CLASS("LPPool3d", norm_forward, norm_repr), 3, NULL},
};

/* As many windows as are wanted. */

/* The sizes of the output: -1 stands for what the input has. */
static void output_size_of(const ctorch_module *module, int64_t *sizes, const ctorch_tensor *input) {
  size_t n = dims_of(module);
  int64_t ndim = ctorch_tensor_ndim(input);
  memcpy(sizes, ((const struct pool *)module)->output_size.values, n * sizeof *sizes);
  for (size_t i = 0; i < n && ndim >= (int64_t)n; i++) {
    if (sizes[i] == -1) {
      sizes[i] = ctorch_tensor_sizes(input)[(size_t)ndim - n + i];
    }
  }
}

static ctorch_error *adaptive_average_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  int64_t sizes[POOL_MOST];
  output_size_of(module, sizes, input);
  switch (dims_of(module)) {
    case 1:
      return ctorch_aten_adaptive_avg_pool1d(out, input, sizes, 1);
    case 2:
      return ctorch_aten_adaptive_avg_pool2d(out, input, sizes, 2);
    default:
      return ctorch_aten_adaptive_avg_pool3d(out, input, sizes, 3);
  }
}

static ctorch_error *adaptive_both(
    ctorch_module *module, ctorch_tensor **out, ctorch_tensor **indices, const ctorch_tensor *input) {
  int64_t sizes[POOL_MOST];
  output_size_of(module, sizes, input);
  switch (dims_of(module)) {
    case 1:
      return ctorch_aten_adaptive_max_pool1d(out, indices, input, sizes, 1);
    case 2:
      return ctorch_aten_adaptive_max_pool2d(out, indices, input, sizes, 2);
    default:
      return ctorch_aten_adaptive_max_pool3d(out, indices, input, sizes, 3);
  }
}

static void adaptive_repr(const ctorch_module *module, struct text *text) {
  const struct sizes *sizes = &((const struct pool *)module)->output_size;
  size_t n = sizes->given > 1 ? dims_of(module) : 1;
  text_add(text, n > 1 ? "output_size=(" : "output_size=");
  for (size_t i = 0; i < n; i++) {
    text_add(text, i > 0 ? ", " : "");
    if (sizes->values[i] == -1) {
      text_add(text, "None");
    } else {
      text_add(text, "%" PRId64, sizes->values[i]);
    }
  }
  text_add(text, n > 1 ? ")" : "");
}

static const struct pool_class adaptive_average_classes[] = {
    {CLASS("AdaptiveAvgPool1d", adaptive_average_forward, adaptive_repr), 1, NULL},
    {CLASS("AdaptiveAvgPool2d", adaptive_average_forward, adaptive_repr), 2, NULL},
    {CLASS("AdaptiveAvgPool3d", adaptive_average_forward, adaptive_repr), 3, NULL},
};
static const struct pool_class adaptive_max_classes[] = {
    {CLASS_OF_BOTH("AdaptiveMaxPool1d", forward_one, adaptive_repr), 1, adaptive_both},
    {CLASS_OF_BOTH("AdaptiveMaxPool2d", forward_one, adaptive_repr), 2, adaptive_both},
    {CLASS_OF_BOTH("AdaptiveMaxPool3d", forward_one, adaptive_repr), 3, adaptive_both},
};

/* Back to where the maxima were. */

static void unpool_repr(const ctorch_module *module, struct text *text) {
  const struct pool *self = (const struct pool *)module;
  size_t n = dims_of(module); /* always tuples */
  text_add(text, "kernel_size=");
  text_ints(text, self->kernel_size.values, n);
  text_add(text, ", stride=");
  text_ints(text, self->stride.values, n);
  text_add(text, ", padding=");
  text_ints(text, self->padding.values, n);
}

#define UNPOOL_CLASS(n)                   \
  {{.object = MODULE_OBJECT(struct pool), \
    .name = "MaxUnpool" #n "d",           \
    .call = nn_MaxUnpool##n##d_call,      \
    .extra_repr = unpool_repr},           \
   n,                                     \
   NULL}

static const struct pool_class unpool_classes[] = {UNPOOL_CLASS(1), UNPOOL_CLASS(2), UNPOOL_CLASS(3)};

/* Windows at random places. */

struct fractional {
  struct pool pool;
  double ratio[POOL_MOST];
  bool has_ratio;
};

static ctorch_error *fractional_both(
    ctorch_module *module, ctorch_tensor **out, ctorch_tensor **indices, const ctorch_tensor *input) {
  const struct fractional *self = (const struct fractional *)module;
  return pool_fractional(
      FORWARD, out, indices, input,
      &(const struct pool_fractional){
          .dims = dims_of(module),
          .kernel_size = self->pool.kernel_size.values,
          .output_size = self->has_ratio ? NULL : self->pool.output_size.values,
          .ratio = self->ratio,
          .samples = module_buffer_at(module, 0)});
}

static const struct pool_class fractional_classes[] = {
    {{.object = MODULE_OBJECT(struct fractional),
      .name = "FractionalMaxPool2d",
      .forward = forward_one,
      .call = call_both},
     2,
     fractional_both},
    {{.object = MODULE_OBJECT(struct fractional),
      .name = "FractionalMaxPool3d",
      .forward = forward_one,
      .call = call_both},
     3,
     fractional_both},
};

static ctorch_error *make_fractional(
    const char *function,
    ctorch_module **out,
    const struct pool_class *class,
    const int64_t *kernel_size,
    const int64_t *output_size,
    const double *ratio,
    bool return_indices,
    const ctorch_tensor *samples) {
  if ((output_size == NULL) == (ratio == NULL)) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        output_size == NULL ? "either output_size or output_ratio must be given"
                            : "only one of output_size and output_ratio may be given");
  }
  for (size_t i = 0; i < class->dims; i++) {
    if (ratio != NULL && !(ratio[i] > 0 && ratio[i] < 1)) {
      return error_make(function, CTORCH_ERROR_VALUE, "output_ratio must be between 0 and 1 (got %g)", ratio[i]);
    }
    if (class->dims == 3 && kernel_size[i] <= 0) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "kernel_size must be greater than 0, but got %" PRId64, kernel_size[i]);
    }
  }
  struct fractional *self = module_new(&class->class);
  ctorch_tensor *kept = NULL;
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->pool.return_indices = return_indices;
  self->pool.kernel_size = sizes_of(kernel_size, class->dims, class->dims);
  if (output_size != NULL) {
    self->pool.output_size = sizes_of(output_size, class->dims, class->dims);
  } else {
    memcpy(self->ratio, ratio, class->dims * sizeof *ratio);
    self->has_ratio = true;
  }
  ctorch_error *error = samples == NULL ? NULL : tensor_give(function, &kept, samples);
  THEN(error, module_add_buffer(function, &self->pool.module, "_random_samples", kept, true));
  return module_give(function, out, &self->pool.module, error);
}

/* The constructors. */

#define BEGIN(named, kind)                                                                                          \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    struct pool *self = module_new(&(kind).class);                                                                  \
    if (self != NULL) {
#define END                                               \
  }                                                       \
  return module_give(function, out, &self->module, NULL); \
  }
#define SIZES(field, n) self->field = sizes_of(options->field, n, options->field##_len)

#define MAX_POOL(n)                               \
  BEGIN(MaxPool##n##d, max_classes[n - 1])        \
  WINDOW(self, options, n);                       \
  SIZES(padding, n);                              \
  SIZES(dilation, n);                             \
  self->return_indices = options->return_indices; \
  END

MAX_POOL(1)
MAX_POOL(2)
MAX_POOL(3)

#define AVERAGE_POOL(n)                                 \
  BEGIN(AvgPool##n##d, average_classes[n - 1])          \
  WINDOW(self, options, n);                             \
  SIZES(padding, n);                                    \
  self->count_include_pad = options->count_include_pad; \
  OVERRIDE(n)                                           \
  END
#define OVERRIDE(n) OVERRIDE##n
#define OVERRIDE1
#define OVERRIDE2                                        \
  self->has_divisor = options->divisor_override != NULL; \
  self->divisor = self->has_divisor ? *options->divisor_override : 0;
#define OVERRIDE3 OVERRIDE2

AVERAGE_POOL(1)
AVERAGE_POOL(2)
AVERAGE_POOL(3)

#define NORM_POOL(n)                       \
  BEGIN(LPPool##n##d, norm_classes[n - 1]) \
  WINDOW(self, options, n);                \
  self->norm_type = options->norm_type;    \
  END

NORM_POOL(1)
NORM_POOL(2)
NORM_POOL(3)

/* Sizes of which some may be those of the input, where Python has None. */
static ctorch_error *read_output_size(
    const char *function, struct sizes *out, const ctorch_value *output_size, size_t dims) {
  const ctorch_value_kind kind = ctorch_value_kind_of(output_size);
  const bool is_list = kind == CTORCH_VALUE_TUPLE || kind == CTORCH_VALUE_LIST;
  const size_t len = is_list ? ctorch_value_len(output_size) : 1;
  if (len != dims && len != 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "output_size: expected an int or %zu of them, found %zu", dims, len);
  }
  *out = (struct sizes){.given = len};
  for (size_t i = 0; i < dims; i++) {
    ctorch_value *entry = NULL;
    CTORCH_TRY(is_list && i < len ? ctorch_value_get(&entry, output_size, i) : NULL);
    const ctorch_value *size = is_list ? entry : output_size;
    ctorch_error *error = NULL;
    if (i >= len) {
      out->values[i] = out->values[0];
    } else if (ctorch_value_kind_of(size) == CTORCH_VALUE_NONE) {
      out->values[i] = -1;
    } else if (ctorch_value_kind_of(size) == CTORCH_VALUE_INT) {
      error = ctorch_value_to_int(&out->values[i], size);
    } else {
      error = error_make(
          function, CTORCH_ERROR_TYPE, "output_size: expected an int, or a tuple of ints and None, found %s",
          ctorch_value_kind_name(ctorch_value_kind_of(size)));
    }
    ctorch_value_release(entry);
    CTORCH_TRY(error);
  }
  return NULL;
}

#define ADAPTIVE_POOL(n)                                                               \
  BEGIN(AdaptiveAvgPool##n##d, adaptive_average_classes[n - 1])                        \
  SIZES(output_size, n);                                                               \
  END BEGIN(AdaptiveMaxPool##n##d, adaptive_max_classes[n - 1]) SIZES(output_size, n); \
  self->return_indices = options->return_indices;                                      \
  END VALUE_POOL(Avg, n) VALUE_POOL(Max, n)

#define VALUE_POOL(kind, n)                                                                                           \
  ctorch_error *nn_Adaptive##kind##Pool##n##d_value(                                                                  \
      const char *function, ctorch_module **out, const struct nn_Adaptive##kind##Pool##n##d_value_options *options) { \
    struct sizes sizes;                                                                                               \
    CTORCH_TRY(read_output_size(function, &sizes, options->output_size, n));                                          \
    struct nn_Adaptive##kind##Pool##n##d_options plain = {.output_size_len = sizes.given RETURNS_##kind};             \
    memcpy(plain.output_size, sizes.values, n * sizeof *sizes.values);                                                \
    return nn_Adaptive##kind##Pool##n##d_new(function, out, &plain);                                                  \
  }
#define RETURNS_Avg
#define RETURNS_Max , .return_indices = options->return_indices

ADAPTIVE_POOL(1)
ADAPTIVE_POOL(2)
ADAPTIVE_POOL(3)

#define UNPOOL(n)                                                                                                  \
  BEGIN(MaxUnpool##n##d, unpool_classes[n - 1])                                                                    \
  SIZES(kernel_size, n);                                                                                           \
  self->stride = options->has_stride ? sizes_of(options->stride, n, options->stride_len) : self->kernel_size;      \
  SIZES(padding, n);                                                                                               \
  END ctorch_error *nn_MaxUnpool##n##d_forward(                                                                    \
      const char *function, ctorch_tensor **out, const struct nn_MaxUnpool##n##d_forward_options *options) {       \
    const struct pool_window window = window_of((const struct pool *)options->self);                               \
    return pool_unpool(                                                                                            \
        function, out, options->input, options->indices, &window, options->output_size, options->output_size_len); \
  }

UNPOOL(1)
UNPOOL(2)
UNPOOL(3)

#define FRACTIONAL(n)                                                                                                 \
  ctorch_error *nn_FractionalMaxPool##n##d(                                                                           \
      const char *function, ctorch_module **out, const struct nn_FractionalMaxPool##n##d_options *options) {          \
    return make_fractional(                                                                                           \
        function, out, &fractional_classes[n - 2], options->kernel_size,                                              \
        options->has_output_size ? options->output_size : NULL,                                                       \
        options->has_output_ratio ? options->output_ratio : NULL, options->return_indices, options->_random_samples); \
  }

FRACTIONAL(2)
FRACTIONAL(3)
