/* Tensors computed one after another: each function is one operator, unless something has failed before. */
#include "base/calculation.h"

static bool goes_on(const struct calculation *self, const ctorch_tensor *x) { return calc_goes_on(self, x, x); }

/* The result of an operator, unless it failed. */
#define RESULT_OF(call)             \
  do {                              \
    ctorch_tensor *out_made = NULL; \
    calc_fail_with(self, call);     \
    return out_made;                \
  } while (0)

#define UNARY(name, operator)                                                    \
  ctorch_tensor *calc_##name(struct calculation *self, const ctorch_tensor *a) { \
    if (!goes_on(self, a)) {                                                     \
      return NULL;                                                               \
    }                                                                            \
    RESULT_OF(operator);                                                         \
  }

#define BINARY(name, operator)                                                                           \
  ctorch_tensor *calc_##name(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b) { \
    if (!calc_goes_on(self, a, b)) {                                                                     \
      return NULL;                                                                                       \
    }                                                                                                    \
    RESULT_OF(operator);                                                                                 \
  }

#define WITH_NUMBER(name, operator)                                                               \
  ctorch_tensor *calc_##name(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b) { \
    if (!goes_on(self, a)) {                                                                      \
      return NULL;                                                                                \
    }                                                                                             \
    RESULT_OF(operator);                                                                          \
  }

#define ALONG(name, operator)                                                                 \
  ctorch_tensor *calc_##name(struct calculation *self, const ctorch_tensor *a, int64_t dim) { \
    if (!goes_on(self, a)) {                                                                  \
      return NULL;                                                                            \
    }                                                                                         \
    RESULT_OF(operator);                                                                      \
  }

/* Made and seen another way. */

UNARY(zeros_like, ctorch_aten_zeros_like(&out_made, a, NULL, NULL, NULL, NULL, NULL))
UNARY(ones_like, ctorch_aten_ones_like(&out_made, a, NULL, NULL, NULL, NULL, NULL))
UNARY(flatten, ctorch_aten_flatten_using_ints(&out_made, a, 0, -1))
UNARY(squeeze_all, ctorch_aten_squeeze(&out_made, a))
UNARY(diagonal, ctorch_aten_diagonal(&out_made, a, 0, 0, 1))
UNARY(flip, ctorch_aten_flip(&out_made, a, CTORCH_INTS(0)))

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

ctorch_tensor *calc_clamp(struct calculation *self, const ctorch_tensor *a, const double *min, const double *max) {
  ctorch_scalar low = floating(min == NULL ? 0 : *min), high = floating(max == NULL ? 0 : *max);
  if (!goes_on(self, a)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_clamp(&out_made, a, min == NULL ? NULL : &low, max == NULL ? NULL : &high));
}

ctorch_tensor *calc_masked_fill(
    struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *mask, ctorch_scalar value) {
  if (!calc_goes_on(self, a, mask)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_masked_fill_Scalar(&out_made, a, mask, &value));
}

ctorch_tensor *calc_where_number(
    struct calculation *self, const ctorch_tensor *condition, const ctorch_tensor *a, ctorch_scalar b) {
  if (!calc_goes_on(self, condition, a)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_where_ScalarOther(&out_made, condition, a, &b));
}

ctorch_tensor *calc_one_hot(struct calculation *self, const ctorch_tensor *x, int64_t classes) {
  const ctorch_tensor *long_x = calc_to(self, x, CTORCH_DTYPE_INT64);
  if (!goes_on(self, long_x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_one_hot(&out_made, long_x, classes));
}

BINARY(add, ctorch_aten_add_Tensor(&out_made, a, b, NULL))
BINARY(sub, ctorch_aten_sub_Tensor(&out_made, a, b, NULL))
BINARY(mul, ctorch_aten_mul_Tensor(&out_made, a, b))
BINARY(div, ctorch_aten_div_Tensor(&out_made, a, b))
BINARY(atan2, ctorch_aten_atan2(&out_made, a, b))
BINARY(matmul, ctorch_aten_matmul(&out_made, a, b))
BINARY(and, ctorch_aten_bitwise_and_Tensor(&out_made, a, b))
BINARY(or, ctorch_aten_bitwise_or_Tensor(&out_made, a, b))

WITH_NUMBER(add_number, ctorch_aten_add_Scalar(&out_made, a, &b, NULL))
WITH_NUMBER(sub_number, ctorch_aten_sub_Scalar(&out_made, a, &b, NULL))
WITH_NUMBER(mul_number, ctorch_aten_mul_Scalar(&out_made, a, &b))
WITH_NUMBER(div_number, ctorch_aten_div_Scalar(&out_made, a, &b))
WITH_NUMBER(less, ctorch_aten_lt_Scalar(&out_made, a, &b))
WITH_NUMBER(less_equal, ctorch_aten_le_Scalar(&out_made, a, &b))
WITH_NUMBER(greater, ctorch_aten_gt_Scalar(&out_made, a, &b))
WITH_NUMBER(greater_equal, ctorch_aten_ge_Scalar(&out_made, a, &b))

ctorch_tensor *calc_number_sub(struct calculation *self, ctorch_scalar a, const ctorch_tensor *b) {
  if (!goes_on(self, b)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_rsub_Scalar(&out_made, b, &a, NULL));
}

UNARY(cos, ctorch_aten_cos(&out_made, a))
UNARY(sin, ctorch_aten_sin(&out_made, a))
UNARY(sqrt, ctorch_aten_sqrt(&out_made, a))
UNARY(abs, ctorch_aten_abs(&out_made, a))
UNARY(square, ctorch_aten_pow_Tensor_Scalar(&out_made, a, &(const ctorch_scalar){.kind = CTORCH_SCALAR_INT, .i = 2}))

ctorch_tensor *calc_where(
    struct calculation *self, const ctorch_tensor *condition, const ctorch_tensor *a, const ctorch_tensor *b) {
  if (!calc_goes_on(self, a, b) || condition == NULL) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_where_self(&out_made, condition, a, b));
}

ctorch_tensor *calc_cat(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b, int64_t dim) {
  if (!calc_goes_on(self, a, b)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_cat(&out_made, ((const ctorch_tensor *const[]){a, b}), 2, dim));
}

ctorch_tensor *calc_stack(struct calculation *self, const ctorch_tensor *const *tensors, size_t len, int64_t dim) {
  for (size_t i = 0; i < len; i++) {
    if (!goes_on(self, tensors[i])) {
      return NULL;
    }
  }
  RESULT_OF(ctorch_aten_stack(&out_made, tensors, len, dim));
}

void calc_aminmax(
    struct calculation *self, const ctorch_tensor *x, int64_t dim, ctorch_tensor **min, ctorch_tensor **max) {
  *min = NULL;
  *max = NULL;
  if (goes_on(self, x)) {
    calc_fail_with(self, ctorch_aten_aminmax(min, max, x, &dim, false));
  }
}

ctorch_tensor *calc_pick(struct calculation *self, const ctorch_tensor *x, const int64_t *columns, size_t len) {
  ctorch_tensor *index = calc_ints(self, columns, len, CTORCH_DTYPE_INT64, x);
  if (!calc_goes_on(self, x, index)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_index_select(&out_made, x, -1, index));
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

ctorch_tensor *calc_sum_dims(
    struct calculation *self, const ctorch_tensor *x, const int64_t *dims, size_t len, bool keepdim) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_sum_dim_IntList(&out_made, x, dims, len, keepdim, NULL));
}

ctorch_tensor *calc_bincount(struct calculation *self, const ctorch_tensor *x, int64_t len) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_bincount(&out_made, x, NULL, len));
}

ctorch_tensor *calc_index(struct calculation *self, const ctorch_tensor *x, const ctorch_tensor *indices) {
  if (!calc_goes_on(self, x, indices)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_index_Tensor(&out_made, x, &indices, 1));
}

ctorch_tensor *calc_cat_all(struct calculation *self, ctorch_tensor *const *tensors, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (!goes_on(self, tensors[i])) {
      return NULL;
    }
  }
  RESULT_OF(ctorch_aten_cat(&out_made, (const ctorch_tensor *const *)tensors, len, 0));
}

ctorch_tensor *calc_trapezoid(struct calculation *self, const ctorch_tensor *y, const ctorch_tensor *x, int64_t dim) {
  if (!calc_goes_on(self, y, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_trapezoid_x(&out_made, y, x, dim));
}

/* In place. */

#define BINARY_(name, operator)                                                              \
  void calc_##name(struct calculation *self, ctorch_tensor *x, const ctorch_tensor *other) { \
    if (calc_goes_on(self, x, other)) {                                                      \
      calc_fail_with(self, operator);                                                        \
    }                                                                                        \
  }
BINARY_(add_, ctorch_aten_add__Tensor(x, other, NULL))
BINARY_(sub_, ctorch_aten_sub__Tensor(x, other, NULL))
BINARY_(mul_, ctorch_aten_mul__Tensor(x, other))
BINARY_(div_, ctorch_aten_div__Tensor(x, other))
BINARY_(copy_, ctorch_aten_copy_(x, other, false))

#define WITH_NUMBER_(name, operator)                                                   \
  void calc_##name(struct calculation *self, ctorch_tensor *x, ctorch_scalar number) { \
    if (goes_on(self, x)) {                                                            \
      calc_fail_with(self, operator);                                                  \
    }                                                                                  \
  }
WITH_NUMBER_(add_number_, number_plus_(x, &number))
WITH_NUMBER_(sub_number_, number_minus_(x, &number))
WITH_NUMBER_(mul_number_, number_times_(x, &number))
WITH_NUMBER_(div_number_, number_over_(x, &number))
WITH_NUMBER_(fill_, ctorch_aten_fill__Scalar(x, &number))

void calc_neg_(struct calculation *self, ctorch_tensor *x) {
  if (goes_on(self, x)) {
    calc_fail_with(self, ctorch_aten_neg_(x));
  }
}

void calc_round_(struct calculation *self, ctorch_tensor *x) {
  if (goes_on(self, x)) {
    calc_fail_with(self, ctorch_aten_round_(x));
  }
}

void calc_clamp_(struct calculation *self, ctorch_tensor *x, ctorch_scalar low, ctorch_scalar high) {
  if (goes_on(self, x)) {
    calc_fail_with(self, ctorch_aten_clamp_(x, &low, &high));
  }
}
