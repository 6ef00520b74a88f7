/* Pooling: what modules make of windows over the last dimensions. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "constructors/nn.h"
#include "error.h"
#include "module.h"

enum { MOST = 3 }; /* dimensions of a window */

/* Sizes along the dimensions of a window, and how many were given: one stands for all. */
struct sizes {
  int64_t values[MOST];
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
  struct sizes kernel_size, stride, padding, dilation, output_size;
  bool has_stride, ceil_mode, count_include_pad, has_divisor;
  int64_t divisor;
  double norm_type;
};

/* A class, and over how many dimensions its modules pool. */
struct pool_class {
  module_class class;
  size_t dims;
};

static size_t dims_of(const ctorch_module *module) {
  return ((const struct pool_class *)module_class_of(module))->dims;
}

#define CLASS(named, does, says) \
  {.object = MODULE_OBJECT(struct pool), .name = named, .forward = does, .extra_repr = says}

/* What the constructors of several classes have in common. */
#define WINDOW(self, options, dims)                                                                             \
  do {                                                                                                          \
    (self)->kernel_size = sizes_of((options)->kernel_size, dims, (options)->kernel_size_len);                   \
    (self)->has_stride = (options)->has_stride;                                                                 \
    (self)->stride =                                                                                            \
        (options)->has_stride ? sizes_of((options)->stride, dims, (options)->stride_len) : (self)->kernel_size; \
    (self)->ceil_mode = (options)->ceil_mode;                                                                   \
  } while (false)

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
    {CLASS("MaxPool1d", max_forward, max_repr), 1},
    {CLASS("MaxPool2d", max_forward, max_repr), 2},
    {CLASS("MaxPool3d", max_forward, max_repr), 3},
};

/* The average of a window. */

static ctorch_error *average(
    const struct pool *self, size_t n, ctorch_tensor **out, const ctorch_tensor *input, bool count_include_pad) {
  const int64_t *kernel_size = self->kernel_size.values, *stride = self->stride.values, *padding = self->padding.values;
  const int64_t *divisor = self->has_divisor ? &self->divisor : NULL;
  switch (n) {
    case 1:
      return ctorch_aten_avg_pool1d(
          out, input, kernel_size, n, stride, n, padding, n, self->ceil_mode, count_include_pad);
    case 2:
      return ctorch_aten_avg_pool2d(
          out, input, kernel_size, n, stride, n, padding, n, self->ceil_mode, count_include_pad, divisor);
    default:
      return ctorch_aten_avg_pool3d(
          out, input, kernel_size, n, stride, n, padding, n, self->ceil_mode, count_include_pad, divisor);
  }
}

static ctorch_error *average_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct pool *self = (const struct pool *)module;
  return average(self, dims_of(module), out, input, self->count_include_pad);
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
    {CLASS("AvgPool1d", average_forward, average_repr), 1},
    {CLASS("AvgPool2d", average_forward, average_repr), 2},
    {CLASS("AvgPool3d", average_forward, average_repr), 3},
};

/* The norm of a window. */

/* Consumes `value`, replaces it by what an operator made of it, and passes the operator's error on. */
static ctorch_error *then(ctorch_tensor **value, ctorch_tensor *next, ctorch_error *error) {
  ctorch_tensor_release(*value);
  *value = next;
  return error;
}

static ctorch_error *norm_of_infinity(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  bool least = ((const struct pool *)module)->norm_type < 0;
  ctorch_tensor *value = NULL, *next = NULL;
  CTORCH_TRY(ctorch_aten_abs(&value, input));
  ctorch_error *error = NULL;
  if (least) {
    error = ctorch_aten_neg(&next, value);
    error = then(&value, next, error);
  }
  if (error == NULL) {
    next = NULL;
    error = max_forward(module, &next, value);
    error = then(&value, next, error);
  }
  if (error == NULL && least) {
    next = NULL;
    error = ctorch_aten_neg(&next, value);
    error = then(&value, next, error);
  }
  if (error == NULL) {
    *out = value;
  }
  return error;
}

static ctorch_error *norm_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct pool *self = (const struct pool *)module;
  if (isinf(self->norm_type)) {
    return norm_of_infinity(module, out, input);
  }
  size_t n = dims_of(module);
  ctorch_scalar count = {.kind = CTORCH_SCALAR_INT, .i = 1};
  for (size_t i = 0; i < n; i++) {
    count.i *= self->kernel_size.values[i];
  }
  const ctorch_scalar power = {.kind = CTORCH_SCALAR_FLOAT, .re = self->norm_type};
  const ctorch_scalar root = {.kind = CTORCH_SCALAR_FLOAT, .re = 1 / self->norm_type};
  if (self->norm_type == 0) { /* Python's ZeroDivisionError */
    return error_make("ctorch_module_forward", CTORCH_ERROR_VALUE, "norm_type must not be 0");
  }
  ctorch_tensor *value = NULL, *sign = NULL, *next = NULL;
  CTORCH_TRY(ctorch_aten_pow_Tensor_Scalar(&value, input, &power));
  ctorch_error *error = average(self, n, &next, value, true);
  error = then(&value, next, error);
  if (error == NULL) {
    error = ctorch_aten_sign(&sign, value);
  }
  if (error == NULL) {
    next = NULL;
    error = ctorch_aten_abs(&next, value);
    error = then(&value, next, error);
  }
  if (error == NULL) {
    next = NULL;
    error = ctorch_aten_relu(&next, value);
    error = then(&value, next, error);
  }
  if (error == NULL) {
    next = NULL;
    error = ctorch_aten_mul_Tensor(&next, sign, value);
    error = then(&value, next, error);
  }
  ctorch_tensor_release(sign);
  if (error == NULL) {
    next = NULL;
    error = ctorch_aten_mul_Scalar(&next, value, &count);
    error = then(&value, next, error);
  }
  if (error == NULL) {
    error = ctorch_aten_pow_Tensor_Scalar(out, value, &root);
  }
  ctorch_tensor_release(value);
  return error;
}

static void norm_repr(const ctorch_module *module, struct text *text) {
  const struct pool *self = (const struct pool *)module;
  size_t n = dims_of(module);
  text_add(text, "norm_type=");
  text_double(text, self->norm_type);
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
    {CLASS("LPPool1d", norm_forward, norm_repr), 1},
    {CLASS("LPPool2d", norm_forward, norm_repr), 2},
    {CLASS("LPPool3d", norm_forward, norm_repr), 3},
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
  int64_t sizes[MOST];
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

static ctorch_error *adaptive_max_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  int64_t sizes[MOST];
  ctorch_tensor *indices = NULL;
  output_size_of(module, sizes, input);
  switch (dims_of(module)) {
    case 1:
      CTORCH_TRY(ctorch_aten_adaptive_max_pool1d(out, &indices, input, sizes, 1));
      break;
    case 2:
      CTORCH_TRY(ctorch_aten_adaptive_max_pool2d(out, &indices, input, sizes, 2));
      break;
    default:
      CTORCH_TRY(ctorch_aten_adaptive_max_pool3d(out, &indices, input, sizes, 3));
      break;
  }
  ctorch_tensor_release(indices);
  return NULL;
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
    {CLASS("AdaptiveAvgPool1d", adaptive_average_forward, adaptive_repr), 1},
    {CLASS("AdaptiveAvgPool2d", adaptive_average_forward, adaptive_repr), 2},
    {CLASS("AdaptiveAvgPool3d", adaptive_average_forward, adaptive_repr), 3},
};
static const struct pool_class adaptive_max_classes[] = {
    {CLASS("AdaptiveMaxPool1d", adaptive_max_forward, adaptive_repr), 1},
    {CLASS("AdaptiveMaxPool2d", adaptive_max_forward, adaptive_repr), 2},
    {CLASS("AdaptiveMaxPool3d", adaptive_max_forward, adaptive_repr), 3},
};

/* The constructors. */

ctorch_error *nn_MaxPool1d(const char *function, ctorch_module **out, const struct nn_MaxPool1d_options *options) {
  struct pool *self = module_new(&max_classes[0].class);
  if (self != NULL) {
    WINDOW(self, options, 1);
    self->padding = sizes_of(options->padding, 1, options->padding_len);
    self->dilation = sizes_of(options->dilation, 1, options->dilation_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_MaxPool2d(const char *function, ctorch_module **out, const struct nn_MaxPool2d_options *options) {
  struct pool *self = module_new(&max_classes[1].class);
  if (self != NULL) {
    WINDOW(self, options, 2);
    self->padding = sizes_of(options->padding, 2, options->padding_len);
    self->dilation = sizes_of(options->dilation, 2, options->dilation_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_MaxPool3d(const char *function, ctorch_module **out, const struct nn_MaxPool3d_options *options) {
  struct pool *self = module_new(&max_classes[2].class);
  if (self != NULL) {
    WINDOW(self, options, 3);
    self->padding = sizes_of(options->padding, 3, options->padding_len);
    self->dilation = sizes_of(options->dilation, 3, options->dilation_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AvgPool1d(const char *function, ctorch_module **out, const struct nn_AvgPool1d_options *options) {
  struct pool *self = module_new(&average_classes[0].class);
  if (self != NULL) {
    WINDOW(self, options, 1);
    self->padding = sizes_of(options->padding, 1, options->padding_len);
    self->count_include_pad = options->count_include_pad;
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AvgPool2d(const char *function, ctorch_module **out, const struct nn_AvgPool2d_options *options) {
  struct pool *self = module_new(&average_classes[1].class);
  if (self != NULL) {
    WINDOW(self, options, 2);
    self->padding = sizes_of(options->padding, 2, options->padding_len);
    self->count_include_pad = options->count_include_pad;
    self->has_divisor = options->divisor_override != NULL;
    self->divisor = self->has_divisor ? *options->divisor_override : 0;
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AvgPool3d(const char *function, ctorch_module **out, const struct nn_AvgPool3d_options *options) {
  struct pool *self = module_new(&average_classes[2].class);
  if (self != NULL) {
    WINDOW(self, options, 3);
    self->padding = sizes_of(options->padding, 3, options->padding_len);
    self->count_include_pad = options->count_include_pad;
    self->has_divisor = options->divisor_override != NULL;
    self->divisor = self->has_divisor ? *options->divisor_override : 0;
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_LPPool1d(const char *function, ctorch_module **out, const struct nn_LPPool1d_options *options) {
  struct pool *self = module_new(&norm_classes[0].class);
  if (self != NULL) {
    WINDOW(self, options, 1);
    self->dilation = sizes_of((int64_t[]){1}, 1, 1);
    self->norm_type = options->norm_type;
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_LPPool2d(const char *function, ctorch_module **out, const struct nn_LPPool2d_options *options) {
  struct pool *self = module_new(&norm_classes[1].class);
  if (self != NULL) {
    WINDOW(self, options, 2);
    self->dilation = sizes_of((int64_t[]){1, 1}, 2, 1);
    self->norm_type = options->norm_type;
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_LPPool3d(const char *function, ctorch_module **out, const struct nn_LPPool3d_options *options) {
  struct pool *self = module_new(&norm_classes[2].class);
  if (self != NULL) {
    WINDOW(self, options, 3);
    self->dilation = sizes_of((int64_t[]){1, 1, 1}, 3, 1);
    self->norm_type = options->norm_type;
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AdaptiveAvgPool1d(
    const char *function, ctorch_module **out, const struct nn_AdaptiveAvgPool1d_options *options) {
  struct pool *self = module_new(&adaptive_average_classes[0].class);
  if (self != NULL) {
    self->output_size = sizes_of(options->output_size, 1, options->output_size_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AdaptiveAvgPool2d(
    const char *function, ctorch_module **out, const struct nn_AdaptiveAvgPool2d_options *options) {
  struct pool *self = module_new(&adaptive_average_classes[1].class);
  if (self != NULL) {
    self->output_size = sizes_of(options->output_size, 2, options->output_size_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AdaptiveAvgPool3d(
    const char *function, ctorch_module **out, const struct nn_AdaptiveAvgPool3d_options *options) {
  struct pool *self = module_new(&adaptive_average_classes[2].class);
  if (self != NULL) {
    self->output_size = sizes_of(options->output_size, 3, options->output_size_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AdaptiveMaxPool1d(
    const char *function, ctorch_module **out, const struct nn_AdaptiveMaxPool1d_options *options) {
  struct pool *self = module_new(&adaptive_max_classes[0].class);
  if (self != NULL) {
    self->output_size = sizes_of(options->output_size, 1, options->output_size_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AdaptiveMaxPool2d(
    const char *function, ctorch_module **out, const struct nn_AdaptiveMaxPool2d_options *options) {
  struct pool *self = module_new(&adaptive_max_classes[1].class);
  if (self != NULL) {
    self->output_size = sizes_of(options->output_size, 2, options->output_size_len);
  }
  return module_give(function, out, &self->module, NULL);
}

ctorch_error *nn_AdaptiveMaxPool3d(
    const char *function, ctorch_module **out, const struct nn_AdaptiveMaxPool3d_options *options) {
  struct pool *self = module_new(&adaptive_max_classes[2].class);
  if (self != NULL) {
    self->output_size = sizes_of(options->output_size, 3, options->output_size_len);
  }
  return module_give(function, out, &self->module, NULL);
}
