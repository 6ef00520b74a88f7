/* Tensors computed one after another: each function is one operator, unless something has failed before. */
#include "transforms/calculation.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/number.h"

void calculation_begin(struct calculation *self, const char *function) {
  *self = (struct calculation){.function = function};
  self->error = ctorch_scope_begin(&self->scope);
}

ctorch_error *calculation_end(struct calculation *self) {
  ctorch_scope_end(self->scope);
  return error_of(self->function, self->error);
}

/* Hand out what was taken out of the scope, and give that up. */
static ctorch_error *give(
    struct calculation *self, ctorch_tensor **out, ctorch_tensor *kept, const struct tv_tensor *mark) {
  ctorch_error *error = error_of(self->function, self->error);
  THEN(error, tv_tensor_wrap(self->function, out, kept, mark));
  tensor_unref(kept);
  return error;
}

ctorch_error *calculation_give(
    struct calculation *self, ctorch_tensor **out, const ctorch_tensor *result, const struct tv_tensor *mark) {
  ctorch_tensor *kept = self->error == NULL ? tensor_ref(result) : NULL;
  ctorch_scope_end(self->scope);
  return give(self, out, kept, mark);
}

ctorch_error *calculation_give_two(
    struct calculation *self,
    ctorch_tensor **out,
    const ctorch_tensor *result,
    const struct tv_tensor *mark,
    ctorch_tensor **other_out,
    const ctorch_tensor *other) {
  ctorch_tensor *kept = self->error == NULL ? tensor_ref(other) : NULL, *first = NULL, *second = NULL;
  ctorch_error *error = calculation_give(self, &first, result, mark);
  THEN(error, tensor_give(self->function, &second, kept));
  tensor_unref(kept);
  if (error != NULL) {
    ctorch_tensor_release(first);
    return error;
  }
  *out = first;
  *other_out = second;
  return NULL;
}

void calc_fail_with(struct calculation *self, ctorch_error *error) {
  self->error = ctorch_error_first(self->error, error);
}

void calc_fail(struct calculation *self, ctorch_error_kind kind, const char *format, ...) {
  char message[400];
  va_list arguments;
  if (self->error != NULL) {
    return;
  }
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  self->error = error_make(self->function, kind, "%s", message);
}

bool calc_goes_on(const struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b) {
  return self->error == NULL && a != NULL && b != NULL;
}

void calc_drop(struct calculation *self, ctorch_tensor *tensor) {
  if (self->error == NULL) {
    ctorch_scope_discard(tensor);
  }
}

static bool goes_on(const struct calculation *self, const ctorch_tensor *x) { return calc_goes_on(self, x, x); }

/* The result of an operator, unless it failed. */
#define RESULT_OF(call)             \
  do {                              \
    ctorch_tensor *out_made = NULL; \
    calc_fail_with(self, call);     \
    return out_made;                \
  } while (0)

/* Making. */

static ctorch_tensor *moved(
    struct calculation *self, ctorch_tensor *made, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_device device;
  if (!calc_goes_on(self, made, like)) {
    return NULL;
  }
  calc_fail_with(self, ctorch_tensor_device(&device, like));
  ctorch_tensor *out_made = NULL;
  if (self->error == NULL) {
    calc_fail_with(self, ctorch_aten_to_device(&out_made, made, &device, dtype, false, false, NULL));
  }
  return out_made;
}

ctorch_tensor *calc_doubles(
    struct calculation *self, const double *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_tensor *made = NULL;
  int64_t size = (int64_t)len;
  if (goes_on(self, like)) {
    calc_fail_with(self, ctorch_tensor_from_data(&made, values, len * sizeof *values, &size, 1, CTORCH_DTYPE_FLOAT64));
  }
  return moved(self, made, dtype, like);
}

ctorch_tensor *calc_ints(
    struct calculation *self, const int64_t *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_tensor *made = NULL;
  int64_t size = (int64_t)len;
  if (goes_on(self, like)) {
    calc_fail_with(self, ctorch_tensor_from_data(&made, values, len * sizeof *values, &size, 1, CTORCH_DTYPE_INT64));
  }
  return moved(self, made, dtype, like);
}

ctorch_tensor *calc_ones(
    struct calculation *self, const int64_t *sizes, size_t len, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_device device;
  if (!goes_on(self, like)) {
    return NULL;
  }
  calc_fail_with(self, ctorch_tensor_device(&device, like));
  ctorch_tensor *made = NULL;
  if (self->error == NULL) {
    calc_fail_with(self, ctorch_aten_ones(&made, sizes, len, &dtype, NULL, &device, NULL));
  }
  return made;
}

/* Views. */

ctorch_tensor *calc_clone(struct calculation *self, const ctorch_tensor *x) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_clone(&out_made, x, NULL));
}

ctorch_tensor *calc_to(struct calculation *self, const ctorch_tensor *x, ctorch_dtype dtype) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_to_dtype(&out_made, x, dtype, false, false, NULL));
}

ctorch_tensor *calc_reshape(struct calculation *self, const ctorch_tensor *x, const int64_t *sizes, size_t len) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_reshape(&out_made, x, sizes, len));
}

ctorch_tensor *calc_reshape_as(struct calculation *self, const ctorch_tensor *x, const ctorch_tensor *like) {
  if (!calc_goes_on(self, x, like)) {
    return NULL;
  }
  return calc_reshape(self, x, ctorch_tensor_sizes(like), (size_t)ctorch_tensor_ndim(like));
}

ctorch_tensor *calc_rows(struct calculation *self, const ctorch_tensor *x, int64_t columns) {
  return calc_reshape(self, x, (const int64_t[]){-1, columns}, 2);
}

ctorch_tensor *calc_column(struct calculation *self, const ctorch_tensor *x, int64_t column) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_select_int(&out_made, x, -1, column));
}

ctorch_tensor *calc_columns(
    struct calculation *self, const ctorch_tensor *x, int64_t first, int64_t end, int64_t step) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_slice_Tensor(&out_made, x, -1, &first, &end, step));
}

ctorch_tensor *calc_slice(struct calculation *self, const ctorch_tensor *x, int64_t dim, int64_t start, int64_t end) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_slice_Tensor(&out_made, x, dim, &start, &end, 1));
}

ctorch_tensor *calc_unsqueeze(struct calculation *self, const ctorch_tensor *x, int64_t dim) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_unsqueeze(&out_made, x, dim));
}

ctorch_tensor *calc_squeeze(struct calculation *self, const ctorch_tensor *x, int64_t dim) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_squeeze_dim(&out_made, x, dim));
}

ctorch_tensor *calc_transpose(struct calculation *self, const ctorch_tensor *x, int64_t first, int64_t second) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_transpose_int(&out_made, x, first, second));
}

ctorch_tensor *calc_expand(struct calculation *self, const ctorch_tensor *x, const int64_t *sizes, size_t len) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_expand(&out_made, x, sizes, len, false));
}

/* Operators. */

#define BINARY(name, operator)                                                                           \
  ctorch_tensor *calc_##name(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b) { \
    if (!calc_goes_on(self, a, b)) {                                                                     \
      return NULL;                                                                                       \
    }                                                                                                    \
    RESULT_OF(operator);                                                                                 \
  }
BINARY(add, ctorch_aten_add_Tensor(&out_made, a, b, NULL))
BINARY(sub, ctorch_aten_sub_Tensor(&out_made, a, b, NULL))
BINARY(mul, ctorch_aten_mul_Tensor(&out_made, a, b))
BINARY(div, ctorch_aten_div_Tensor(&out_made, a, b))
BINARY(atan2, ctorch_aten_atan2(&out_made, a, b))
BINARY(matmul, ctorch_aten_matmul(&out_made, a, b))
BINARY(and, ctorch_aten_bitwise_and_Tensor(&out_made, a, b))
BINARY(or, ctorch_aten_bitwise_or_Tensor(&out_made, a, b))

#define WITH_NUMBER(name, operator)                                                               \
  ctorch_tensor *calc_##name(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b) { \
    if (!goes_on(self, a)) {                                                                      \
      return NULL;                                                                                \
    }                                                                                             \
    RESULT_OF(operator);                                                                          \
  }
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

#define UNARY(name, operator)                                                    \
  ctorch_tensor *calc_##name(struct calculation *self, const ctorch_tensor *a) { \
    if (!goes_on(self, a)) {                                                     \
      return NULL;                                                               \
    }                                                                            \
    RESULT_OF(operator);                                                         \
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

ctorch_tensor *calc_masked(struct calculation *self, const ctorch_tensor *x, const ctorch_tensor *mask) {
  if (!calc_goes_on(self, x, mask)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_index_Tensor(&out_made, x, &mask, 1));
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
