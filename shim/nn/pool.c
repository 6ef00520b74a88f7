/* Pooling: torch.nn.functional, and what its modules share with it. */
#include "nn/pool.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/functional.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"

ctorch_error *pool_average(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct pool_window *window,
    bool count_include_pad,
    const int64_t *divisor) {
  size_t n = window->dims;
  switch (n) {
    case 1:
      return ctorch_aten_avg_pool1d(
          out, input, window->kernel_size, n, window->stride, n, window->padding, n, window->ceil_mode,
          count_include_pad);
    case 2:
      return ctorch_aten_avg_pool2d(
          out, input, window->kernel_size, n, window->stride, n, window->padding, n, window->ceil_mode,
          count_include_pad, divisor);
    default:
      return ctorch_aten_avg_pool3d(
          out, input, window->kernel_size, n, window->stride, n, window->padding, n, window->ceil_mode,
          count_include_pad, divisor);
  }
}

/* Norms. */

static const int64_t zeros[POOL_MOST] = {0, 0, 0}, ones[POOL_MOST] = {1, 1, 1};

static ctorch_error *max_pool(ctorch_tensor **out, const ctorch_tensor *input, const struct pool_window *window) {
  size_t n = window->dims;
  switch (n) {
    case 1:
      return ctorch_aten_max_pool1d(
          out, input, window->kernel_size, n, window->stride, n, zeros, n, ones, n, window->ceil_mode);
    case 2:
      return ctorch_aten_max_pool2d(
          out, input, window->kernel_size, n, window->stride, n, zeros, n, ones, n, window->ceil_mode);
    default:
      return ctorch_aten_max_pool3d(
          out, input, window->kernel_size, n, window->stride, n, zeros, n, ones, n, window->ceil_mode);
  }
}

static ctorch_error *norm_of_infinity(
    ctorch_tensor **out, const ctorch_tensor *input, const struct pool_window *window, bool least) {
  struct steps s = {0};
  STEP(&s, ctorch_aten_abs(&s.next, input));
  if (least) {
    STEP(&s, ctorch_aten_neg(&s.next, s.at));
  }
  STEP(&s, max_pool(&s.next, s.at, window));
  if (least) {
    STEP(&s, ctorch_aten_neg(&s.next, s.at));
  }
  return steps_end(&s, out);
}

ctorch_error *pool_norm(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct pool_window *window,
    double norm_type) {
  const ctorch_scalar power = floating(norm_type), root = floating(1 / norm_type);
  struct pool_window plain = *window;
  double count = 1;
  ctorch_tensor *sign = NULL;
  struct steps s = {0};
  plain.padding = zeros;
  if (isinf(norm_type)) {
    return norm_of_infinity(out, input, &plain, norm_type < 0);
  }
  if (norm_type == 0) { /* Python's ZeroDivisionError */
    return error_make(function, CTORCH_ERROR_VALUE, "norm_type must not be 0");
  }
  for (size_t i = 0; i < window->dims; i++) {
    count *= (double)window->kernel_size[i];
  }
  const ctorch_scalar elements = fabs(count) < 9e15 ? whole((int64_t)count) : floating(count);
  STEP(&s, ctorch_aten_pow_Tensor_Scalar(&s.next, input, &power));
  STEP(&s, pool_average(&s.next, s.at, &plain, true, NULL));
  THEN(s.error, ctorch_aten_sign(&sign, s.at));
  STEP(&s, ctorch_aten_abs(&s.next, s.at));
  STEP(&s, ctorch_aten_relu(&s.next, s.at));
  STEP(&s, ctorch_aten_mul_Tensor(&s.next, sign, s.at));
  ctorch_tensor_release(sign);
  STEP(&s, ctorch_aten_mul_Scalar(&s.next, s.at, &elements));
  STEP(&s, ctorch_aten_pow_Tensor_Scalar(&s.next, s.at, &root));
  return steps_end(&s, out);
}

/* Back to where the maxima were. */

/* The size of the output, of which several may have given the same input. */
static ctorch_error *unpooled_size(
    const char *function,
    int64_t *sizes,
    const struct pool_window *window,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t len) {
  size_t n = window->dims, ndim = (size_t)ctorch_tensor_ndim(input);
  if (ndim < n) {
    return error_make(function, CTORCH_ERROR_INDEX, "input: expected at least %zuD input (got %zuD input)", n, ndim);
  }
  if (output_size != NULL && len == n + 2) {
    output_size += 2;
  } else if (output_size != NULL && len != n) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "output_size should have %zu or %zu elements, but it has %zu", n, n + 2, len);
  }
  for (size_t i = 0; i < n; i++) {
    int64_t stride = window->stride[i], size = 0, padding = 0;
    if (__builtin_mul_overflow(ctorch_tensor_sizes(input)[ndim - n + i] - 1, stride, &size) ||
        __builtin_add_overflow(size, window->kernel_size[i], &size) ||
        __builtin_mul_overflow(window->padding[i], 2, &padding) || __builtin_sub_overflow(size, padding, &size)) {
      return error_make(function, CTORCH_ERROR_VALUE, "the size of the output does not fit 64 bits");
    }
    sizes[i] = output_size == NULL ? size : output_size[i];
    if (output_size != NULL &&
        !((double)size - (double)stride < (double)sizes[i] && (double)sizes[i] < (double)size + (double)stride)) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "invalid output_size: %" PRId64 " in dim %zu is not between %.0f and %.0f",
          sizes[i], i, (double)size - (double)stride, (double)size + (double)stride);
    }
    if (sizes[i] < 0) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "output_size must not be negative, got %" PRId64 " in dim %zu", sizes[i], i);
    }
  }
  return NULL;
}

/* A signal is an image of one column. */
static ctorch_error *unpool_signal(
    ctorch_tensor **out, const ctorch_tensor *input, const ctorch_tensor *indices, int64_t size) {
  ctorch_tensor *places = NULL;
  struct steps s = {0};
  CTORCH_TRY(ctorch_aten_unsqueeze(&places, indices, -1));
  STEP(&s, ctorch_aten_unsqueeze(&s.next, input, -1));
  STEP(&s, ctorch_aten_max_unpool2d(&s.next, s.at, places, (int64_t[]){size, 1}, 2));
  ctorch_tensor_release(places);
  STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, -1));
  return steps_end(&s, out);
}

ctorch_error *pool_unpool(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *indices,
    const struct pool_window *window,
    const int64_t *output_size,
    size_t len) {
  int64_t sizes[POOL_MOST] = {0};
  CTORCH_TRY(unpooled_size(function, sizes, window, input, output_size, len));
  switch (window->dims) {
    case 1:
      return unpool_signal(out, input, indices, sizes[0]);
    case 2:
      return ctorch_aten_max_unpool2d(out, input, indices, sizes, 2);
    default:
      return ctorch_aten_max_unpool3d(out, input, indices, sizes, 3, window->stride, 3, window->padding, 3);
  }
}

/* Windows at random places. */

/* New samples, unless there are some to be used. */
static ctorch_error *random_samples(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const struct pool_fractional *options) {
  size_t n = options->dims, ndim = (size_t)ctorch_tensor_ndim(input);
  const ctorch_dtype dtype = ctorch_tensor_dtype(input);
  ctorch_device device = {0};
  if (options->samples != NULL) {
    return tensor_give(function, out, options->samples);
  }
  if (ndim < n + 1) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "input: expected %zuD or %zuD input (got %zuD input)", n + 1, n + 2, ndim);
  }
  const int64_t *sizes = ctorch_tensor_sizes(input);
  CTORCH_TRY(ctorch_tensor_device(&device, input));
  return ctorch_aten_rand(
      out, CTORCH_INTS(ndim == n + 1 ? 1 : sizes[0], sizes[ndim - n - 1], (int64_t)n), &dtype, NULL, &device, NULL);
}

ctorch_error *pool_fractional(
    const char *function,
    ctorch_tensor **out,
    ctorch_tensor **indices,
    const ctorch_tensor *input,
    const struct pool_fractional *options) {
  size_t n = options->dims, ndim = (size_t)ctorch_tensor_ndim(input);
  int64_t sizes[POOL_MOST] = {0};
  ctorch_tensor *samples = NULL;
  if (options->output_size == NULL && options->ratio == NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "either output_size or output_ratio must be given");
  }
  if (ndim < n) {
    return error_make(function, CTORCH_ERROR_INDEX, "input: expected at least %zuD input (got %zuD input)", n, ndim);
  }
  for (size_t i = 0; i < n; i++) {
    if (options->output_size != NULL) {
      sizes[i] = options->output_size[i];
      continue;
    }
    double size = (double)ctorch_tensor_sizes(input)[ndim - n + i] * options->ratio[i];
    if (!(fabs(size) < 9e18)) {
      return error_make(function, CTORCH_ERROR_VALUE, "output_ratio: %g gives no size", options->ratio[i]);
    }
    sizes[i] = (int64_t)size;
  }
  CTORCH_TRY(random_samples(function, &samples, input, options));
  ctorch_error *error = (n == 2 ? ctorch_aten_fractional_max_pool2d : ctorch_aten_fractional_max_pool3d)(
      out, indices, input, options->kernel_size, n, sizes, n, samples);
  ctorch_tensor_release(samples);
  return error;
}

/* torch.nn.functional. */

#define STRIDE (options->has_stride ? options->stride : options->kernel_size)

#define LP_POOL(n)                                                                                         \
  ctorch_error *functional_lp_pool##n##d(                                                                  \
      const char *function, ctorch_tensor **out, const struct functional_lp_pool##n##d_options *options) { \
    const struct pool_window window = {(n), options->kernel_size, STRIDE, zeros, options->ceil_mode};      \
    return pool_norm(function, out, options->input, &window, options->norm_type);                          \
  }

LP_POOL(1)
LP_POOL(2)
LP_POOL(3)

#define UNPOOL(n)                                                                                                  \
  ctorch_error *functional_max_unpool##n##d(                                                                       \
      const char *function, ctorch_tensor **out, const struct functional_max_unpool##n##d_options *options) {      \
    const struct pool_window window = {(n), options->kernel_size, STRIDE, options->padding, false};                \
    return pool_unpool(                                                                                            \
        function, out, options->input, options->indices, &window, options->output_size, options->output_size_len); \
  }

UNPOOL(1)
UNPOOL(2)
UNPOOL(3)

#define FRACTIONAL_OF(n)                                                                                   \
  &(const struct pool_fractional) {                                                                        \
    .dims = (n), .kernel_size = options->kernel_size,                                                      \
    .output_size = options->has_output_size ? options->output_size : NULL,                                 \
    .ratio = options->has_output_ratio ? options->output_ratio : NULL, .samples = options->_random_samples \
  }

#define FRACTIONAL(n)                                                                                                  \
  ctorch_error *functional_fractional_max_pool##n##d(                                                                  \
      const char *function, ctorch_tensor **out, const struct functional_fractional_max_pool##n##d_options *options) { \
    ctorch_tensor *indices = NULL;                                                                                     \
    CTORCH_TRY(pool_fractional(function, out, &indices, options->input, FRACTIONAL_OF(n)));                            \
    ctorch_tensor_release(indices);                                                                                    \
    return NULL;                                                                                                       \
  }                                                                                                                    \
  ctorch_error *functional_fractional_max_pool##n##d_with_indices(                                                     \
      const char *function, ctorch_tensor **out, ctorch_tensor **indices,                                              \
      const struct functional_fractional_max_pool##n##d_with_indices_options *options) {                               \
    return pool_fractional(function, out, indices, options->input, FRACTIONAL_OF(n));                                  \
  }

FRACTIONAL(2)
FRACTIONAL(3)
