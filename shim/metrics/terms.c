/* Reductions, comparisons and counts: each function is one operator, unless something has failed before. */
#include "metrics/terms.h"

#include <string.h>

static bool goes_on(const calculation *c, const ctorch_tensor *x) { return calc_goes_on(c, x, x); }

/* The result of an operator, unless it failed. */
#define RESULT_OF(call)             \
  do {                              \
    ctorch_tensor *out_made = NULL; \
    calc_fail_with(c, call);        \
    return out_made;                \
  } while (0)

#define UNARY(name, operator)                                          \
  ctorch_tensor *term_##name(calculation *c, const ctorch_tensor *a) { \
    if (!goes_on(c, a)) {                                              \
      return NULL;                                                     \
    }                                                                  \
    RESULT_OF(operator);                                               \
  }

#define BINARY(name, operator)                                                                 \
  ctorch_tensor *term_##name(calculation *c, const ctorch_tensor *a, const ctorch_tensor *b) { \
    if (!calc_goes_on(c, a, b)) {                                                              \
      return NULL;                                                                             \
    }                                                                                          \
    RESULT_OF(operator);                                                                       \
  }

#define WITH_NUMBER(name, operator)                                                     \
  ctorch_tensor *term_##name(calculation *c, const ctorch_tensor *a, ctorch_scalar b) { \
    if (!goes_on(c, a)) {                                                               \
      return NULL;                                                                      \
    }                                                                                   \
    RESULT_OF(operator);                                                                \
  }

#define ALONG(name, operator)                                                       \
  ctorch_tensor *term_##name(calculation *c, const ctorch_tensor *a, int64_t dim) { \
    if (!goes_on(c, a)) {                                                           \
      return NULL;                                                                  \
    }                                                                               \
    RESULT_OF(operator);                                                            \
  }

/* Making. */

static bool device_of(calculation *c, ctorch_device *out, const ctorch_tensor *like) {
  if (!goes_on(c, like)) {
    return false;
  }
  calc_fail_with(c, ctorch_tensor_device(out, like));
  return c->error == NULL;
}

ctorch_tensor *term_full(
    calculation *c,
    const int64_t *sizes,
    size_t len,
    ctorch_scalar value,
    ctorch_dtype dtype,
    const ctorch_tensor *like) {
  ctorch_device device;
  if (!device_of(c, &device, like)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_full(&out_made, sizes, len, &value, &dtype, NULL, &device, NULL));
}

ctorch_tensor *term_int(calculation *c, int64_t number, const ctorch_tensor *like) {
  return term_full(c, NULL, 0, whole(number), CTORCH_DTYPE_INT64, like);
}

ctorch_tensor *term_float(calculation *c, double number, ctorch_dtype dtype, const ctorch_tensor *like) {
  return term_full(c, NULL, 0, floating(number), dtype, like);
}

UNARY(zeros_like, ctorch_aten_zeros_like(&out_made, a, NULL, NULL, NULL, NULL, NULL))
UNARY(ones_like, ctorch_aten_ones_like(&out_made, a, NULL, NULL, NULL, NULL, NULL))

ctorch_tensor *term_arange(calculation *c, int64_t end, const ctorch_tensor *like) {
  ctorch_device device;
  if (!device_of(c, &device, like)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_arange(&out_made, CTORCH_INT(end), NULL, NULL, &device, NULL));
}

ctorch_tensor *term_linspace(calculation *c, int64_t steps, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_device device;
  if (!device_of(c, &device, like)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_linspace(&out_made, CTORCH_INT(0), CTORCH_INT(1), steps, &dtype, NULL, &device, NULL));
}

/* Seen another way. */

UNARY(flatten, ctorch_aten_flatten_using_ints(&out_made, a, 0, -1))
UNARY(squeeze, ctorch_aten_squeeze(&out_made, a))
UNARY(diagonal, ctorch_aten_diagonal(&out_made, a, 0, 0, 1))
UNARY(flip, ctorch_aten_flip(&out_made, a, CTORCH_INTS(0)))

ctorch_tensor *term_movedim(calculation *c, const ctorch_tensor *x, int64_t source, int64_t destination) {
  if (!goes_on(c, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_movedim_int(&out_made, x, source, destination));
}

ctorch_tensor *term_select(calculation *c, const ctorch_tensor *x, int64_t dim, int64_t index) {
  if (!goes_on(c, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_select_int(&out_made, x, dim, index));
}

ctorch_tensor *term_floating(calculation *c, const ctorch_tensor *x) {
  return !goes_on(c, x) ? NULL : term_is_floating(x) ? (ctorch_tensor *)x : calc_to(c, x, CTORCH_DTYPE_FLOAT32);
}

/* One element for each. */

BINARY(eq, ctorch_aten_eq_Tensor(&out_made, a, b))
BINARY(ne, ctorch_aten_ne_Tensor(&out_made, a, b))
BINARY(ge, ctorch_aten_ge_Tensor(&out_made, a, b))
BINARY(maximum, ctorch_aten_maximum(&out_made, a, b))
BINARY(minimum, ctorch_aten_minimum(&out_made, a, b))
WITH_NUMBER(equals, ctorch_aten_eq_Scalar(&out_made, a, &b))
WITH_NUMBER(differs, ctorch_aten_ne_Scalar(&out_made, a, &b))
WITH_NUMBER(pow, ctorch_aten_pow_Tensor_Scalar(&out_made, a, &b))
UNARY(not, ctorch_aten_bitwise_not(&out_made, a))
UNARY(isnan, ctorch_aten_isnan(&out_made, a))
UNARY(sigmoid, ctorch_aten_sigmoid(&out_made, a))
UNARY(log, ctorch_aten_log(&out_made, a))
UNARY(exp, ctorch_aten_exp(&out_made, a))
UNARY(neg, ctorch_aten_neg(&out_made, a))
UNARY(nan_to_num, ctorch_aten_nan_to_num(&out_made, a, NULL, NULL, NULL))
ALONG(softmax, ctorch_aten_softmax_int(&out_made, a, dim, NULL))

ctorch_tensor *term_clamp(calculation *c, const ctorch_tensor *a, const double *min, const double *max) {
  ctorch_scalar low = floating(min == NULL ? 0 : *min), high = floating(max == NULL ? 0 : *max);
  if (!goes_on(c, a)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_clamp(&out_made, a, min == NULL ? NULL : &low, max == NULL ? NULL : &high));
}

ctorch_tensor *term_masked_fill(
    calculation *c, const ctorch_tensor *a, const ctorch_tensor *mask, ctorch_scalar value) {
  if (!calc_goes_on(c, a, mask)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_masked_fill_Scalar(&out_made, a, mask, &value));
}

ctorch_tensor *term_where(calculation *c, const ctorch_tensor *condition, const ctorch_tensor *a, ctorch_scalar b) {
  if (!calc_goes_on(c, condition, a)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_where_ScalarOther(&out_made, condition, a, &b));
}

ctorch_tensor *term_one_hot(calculation *c, const ctorch_tensor *x, int64_t classes) {
  const ctorch_tensor *long_x = calc_to(c, x, CTORCH_DTYPE_INT64);
  if (!goes_on(c, long_x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_one_hot(&out_made, long_x, classes));
}

ctorch_tensor *term_safe_divide(
    calculation *c, const ctorch_tensor *numerator, const ctorch_tensor *denominator, double zero_division) {
  const ctorch_tensor *above = term_floating(c, numerator), *below = term_floating(c, denominator);
  return term_where(c, term_differs(c, below, whole(0)), calc_div(c, above, below), floating(zero_division));
}

/* Fewer elements. */

UNARY(sum, ctorch_aten_sum(&out_made, a, NULL))
UNARY(mean, ctorch_aten_mean(&out_made, a, NULL))
UNARY(max, ctorch_aten_max(&out_made, a))
UNARY(min, ctorch_aten_min(&out_made, a))
ALONG(sum_dim, ctorch_aten_sum_dim_IntList(&out_made, a, &dim, 1, false, NULL))
ALONG(mean_dim, ctorch_aten_mean_dim(&out_made, a, &dim, 1, false, NULL))
ALONG(argmax, ctorch_aten_argmax(&out_made, a, &dim, false))
ALONG(any_dim, ctorch_aten_any_dim(&out_made, a, dim, false))

ctorch_tensor *term_sum_dims(calculation *c, const ctorch_tensor *x, const int64_t *dims, size_t len, bool keepdim) {
  if (!goes_on(c, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_sum_dim_IntList(&out_made, x, dims, len, keepdim, NULL));
}

ctorch_tensor *term_bincount(calculation *c, const ctorch_tensor *x, int64_t len) {
  if (!goes_on(c, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_bincount(&out_made, x, NULL, len));
}

ctorch_tensor *term_index(calculation *c, const ctorch_tensor *x, const ctorch_tensor *indices) {
  if (!calc_goes_on(c, x, indices)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_index_Tensor(&out_made, x, &indices, 1));
}

ctorch_tensor *term_cat(calculation *c, ctorch_tensor *const *tensors, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (!goes_on(c, tensors[i])) {
      return NULL;
    }
  }
  RESULT_OF(ctorch_aten_cat(&out_made, (const ctorch_tensor *const *)tensors, len, 0));
}

ctorch_tensor *term_trapezoid(calculation *c, const ctorch_tensor *y, const ctorch_tensor *x, int64_t dim) {
  if (!calc_goes_on(c, y, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_trapezoid_x(&out_made, y, x, dim));
}

/* Outside of 0 to 1 is what is not a number, too. */
ctorch_tensor *term_probabilities(calculation *c, const ctorch_tensor *x, bool softmax) {
  if (!goes_on(c, x) || ctorch_tensor_numel(x) == 0) {
    return (ctorch_tensor *)x;
  }
  double least = 0, greatest = 0;
  term_extremes(c, x, &least, &greatest);
  if (c->error != NULL || (least >= 0 && greatest <= 1)) {
    return (ctorch_tensor *)x;
  }
  return softmax ? term_softmax(c, x, 1) : term_sigmoid(c, x);
}

/* Reading. */

bool term_truth(calculation *c, const ctorch_tensor *x) {
  bool truth = false;
  if (goes_on(c, x)) {
    calc_fail_with(c, ctorch_tensor_item_bool(&truth, x));
  }
  return truth;
}

double term_number(calculation *c, const ctorch_tensor *x) {
  ctorch_scalar number = {0};
  if (goes_on(c, x)) {
    calc_fail_with(c, ctorch_tensor_item(&number, x));
  }
  return number.kind == CTORCH_SCALAR_FLOAT ? number.re : (double)number.i;
}

bool term_any(calculation *c, const ctorch_tensor *x) {
  ctorch_tensor *any = NULL;
  if (!goes_on(c, x)) {
    return false;
  }
  calc_fail_with(c, ctorch_aten_any(&any, x));
  return term_truth(c, any);
}

void term_extremes(calculation *c, const ctorch_tensor *x, double *least, double *greatest) {
  ctorch_tensor *min = NULL, *max = NULL;
  if (goes_on(c, x)) {
    calc_fail_with(c, ctorch_aten_aminmax(&min, &max, x, NULL, false));
  }
  *least = term_number(c, min);
  *greatest = term_number(c, max);
}

bool term_is_floating(const ctorch_tensor *x) {
  bool is_floating = false;
  ctorch_error_release(ctorch_aten_is_floating_point(&is_floating, x));
  return is_floating;
}

int64_t term_size(const ctorch_tensor *x, int64_t dim) {
  return x == NULL || dim >= ctorch_tensor_ndim(x) ? 0 : ctorch_tensor_sizes(x)[dim];
}

bool term_same_sizes(const ctorch_tensor *a, const ctorch_tensor *b) {
  int64_t ndim = ctorch_tensor_ndim(a);
  return ndim == ctorch_tensor_ndim(b) &&
         (ndim == 0 || memcmp(ctorch_tensor_sizes(a), ctorch_tensor_sizes(b), (size_t)ndim * sizeof(int64_t)) == 0);
}
