/**
 * Tensors computed one after another, as Python's expressions are read:
 *
 *     struct calculation c;
 *     calculation_begin(&c, function);
 *     ctorch_tensor *x = calc_column(&c, boxes, 0);
 *     calc_sub_number_(&c, x, width);                      // x.sub_(width)
 *     *out = calc_number(&c, calc_max(&c, x));             // float(x.max())
 *     return calculation_end(&c);
 *
 * What fails is in `error`, and everything after it does nothing and gives NULL; operators that are not here follow by
 * THEN(c.error, …). Results live until the calculation ends, unless calc_drop ends them before: large ones are dropped
 * where Python drops them. Each is computed by the operator that Python's expression calls, so that it is the same to
 * the last bit.
 */
#ifndef CTORCH_SHIM_BASE_CALCULATION_H
#define CTORCH_SHIM_BASE_CALCULATION_H

#include <ctorch.h>

#include "base/number.h"
#include "base/sequence.h"

struct calculation {
  const char *function;
  ctorch_error *error;
  ctorch_scope *scope;
};

void calculation_begin(struct calculation *self, const char *function);

/** End it: what it made is given up, and its error handed over, as the function's. */
ctorch_error *calculation_end(struct calculation *self) __attribute__((warn_unused_result));

/** Let it fail, unless it has. */
void calc_fail(struct calculation *self, ctorch_error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** Let it fail with an error, which is consumed; NULL is none. */
void calc_fail_with(struct calculation *self, ctorch_error *error);
/** Whether it goes on, with tensors that are there. */
bool calc_goes_on(const struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
/** Give up an intermediate before the end; NULL is allowed. */
void calc_drop(struct calculation *self, ctorch_tensor *tensor);

/* Making, on the device of `like`. */

/** torch.tensor(values, dtype=dtype, device=like.device). */
ctorch_tensor *calc_doubles(
    struct calculation *self, const double *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like);
ctorch_tensor *calc_ints(
    struct calculation *self, const int64_t *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like);
/** torch.ones(sizes) in a type and on the device of `like`. */
ctorch_tensor *calc_ones(
    struct calculation *self, const int64_t *sizes, size_t len, ctorch_dtype dtype, const ctorch_tensor *like);
ctorch_tensor *calc_full(
    struct calculation *self,
    const int64_t *sizes,
    size_t len,
    ctorch_scalar value,
    ctorch_dtype dtype,
    const ctorch_tensor *like);
/** torch.tensor(number), int64 and of no dimensions. */
ctorch_tensor *calc_int(struct calculation *self, int64_t number, const ctorch_tensor *like);
ctorch_tensor *calc_float(struct calculation *self, double number, ctorch_dtype dtype, const ctorch_tensor *like);
ctorch_tensor *calc_zeros_like(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_ones_like(struct calculation *self, const ctorch_tensor *x);
/** torch.arange(end), int64. */
ctorch_tensor *calc_arange(struct calculation *self, int64_t end, const ctorch_tensor *like);
ctorch_tensor *calc_linspace(struct calculation *self, int64_t steps, ctorch_dtype dtype, const ctorch_tensor *like);

/* Seen another way: views where they can be. */

ctorch_tensor *calc_clone(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_to(struct calculation *self, const ctorch_tensor *x, ctorch_dtype dtype);
ctorch_tensor *calc_reshape(struct calculation *self, const ctorch_tensor *x, const int64_t *sizes, size_t len);
/** In the sizes of another. */
ctorch_tensor *calc_reshape_as(struct calculation *self, const ctorch_tensor *x, const ctorch_tensor *like);
/** x.reshape(-1, columns). */
ctorch_tensor *calc_rows(struct calculation *self, const ctorch_tensor *x, int64_t columns);
/** x[..., column]. */
ctorch_tensor *calc_column(struct calculation *self, const ctorch_tensor *x, int64_t column);
/** x[..., first:end:step]; `end` may lie beyond. */
ctorch_tensor *calc_columns(struct calculation *self, const ctorch_tensor *x, int64_t first, int64_t end, int64_t step);
ctorch_tensor *calc_slice(struct calculation *self, const ctorch_tensor *x, int64_t dim, int64_t start, int64_t end);
ctorch_tensor *calc_unsqueeze(struct calculation *self, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *calc_squeeze(struct calculation *self, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *calc_transpose(struct calculation *self, const ctorch_tensor *x, int64_t first, int64_t second);
ctorch_tensor *calc_expand(struct calculation *self, const ctorch_tensor *x, const int64_t *sizes, size_t len);
ctorch_tensor *calc_flatten(struct calculation *self, const ctorch_tensor *x);
/** x.squeeze(). */
ctorch_tensor *calc_squeeze_all(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_movedim(struct calculation *self, const ctorch_tensor *x, int64_t source, int64_t destination);
ctorch_tensor *calc_select(struct calculation *self, const ctorch_tensor *x, int64_t dim, int64_t index);
ctorch_tensor *calc_diagonal(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_flip(struct calculation *self, const ctorch_tensor *x);
/** x.float() unless it is of a floating point type. */
ctorch_tensor *calc_floating(struct calculation *self, const ctorch_tensor *x);

/* One element for each; a number is one of Python's. */

ctorch_tensor *calc_add(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_sub(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_mul(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_div(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_atan2(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_matmul(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_and(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_or(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);

ctorch_tensor *calc_add_number(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_sub_number(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_mul_number(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_div_number(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
/** number - a. */
ctorch_tensor *calc_number_sub(struct calculation *self, ctorch_scalar a, const ctorch_tensor *b);
ctorch_tensor *calc_less(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_less_equal(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_greater(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_greater_equal(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);

ctorch_tensor *calc_cos(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_sin(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_sqrt(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_abs(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_square(struct calculation *self, const ctorch_tensor *a);

/** torch.where(condition, a, b). */
ctorch_tensor *calc_where(
    struct calculation *self, const ctorch_tensor *condition, const ctorch_tensor *a, const ctorch_tensor *b);
/** torch.cat([a, b], dim). */
ctorch_tensor *calc_cat(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b, int64_t dim);
/** torch.stack(tensors, dim). */
ctorch_tensor *calc_stack(struct calculation *self, const ctorch_tensor *const *tensors, size_t len, int64_t dim);
/** torch.aminmax(x, dim=dim). */
void calc_aminmax(
    struct calculation *self, const ctorch_tensor *x, int64_t dim, ctorch_tensor **min, ctorch_tensor **max);
/** x[..., columns], copied; at most 8. */
ctorch_tensor *calc_pick(struct calculation *self, const ctorch_tensor *x, const int64_t *columns, size_t len);

ctorch_tensor *calc_eq(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_ne(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_ge(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_maximum(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_minimum(struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *calc_equals(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_differs(struct calculation *self, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *calc_not(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_isnan(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_sigmoid(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_log(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_exp(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_neg(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_nan_to_num(struct calculation *self, const ctorch_tensor *a);
ctorch_tensor *calc_softmax(struct calculation *self, const ctorch_tensor *a, int64_t dim);
ctorch_tensor *calc_pow(struct calculation *self, const ctorch_tensor *a, ctorch_scalar exponent);
/** NULL is no end. */
ctorch_tensor *calc_clamp(struct calculation *self, const ctorch_tensor *a, const double *min, const double *max);
ctorch_tensor *calc_masked_fill(
    struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *mask, ctorch_scalar value);
/** torch.where(condition, a, b), b a number. */
ctorch_tensor *calc_where_number(
    struct calculation *self, const ctorch_tensor *condition, const ctorch_tensor *a, ctorch_scalar b);
/** torch.nn.functional.one_hot(x.long(), classes). */
ctorch_tensor *calc_one_hot(struct calculation *self, const ctorch_tensor *x, int64_t classes);

/* Fewer elements. */

ctorch_tensor *calc_sum(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_sum_dims(
    struct calculation *self, const ctorch_tensor *x, const int64_t *dims, size_t len, bool keepdim);
ctorch_tensor *calc_sum_dim(struct calculation *self, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *calc_mean(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_mean_dim(struct calculation *self, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *calc_max(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_min(struct calculation *self, const ctorch_tensor *x);
ctorch_tensor *calc_argmax(struct calculation *self, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *calc_any_dim(struct calculation *self, const ctorch_tensor *x, int64_t dim);
/** torch.bincount(x, minlength=len).reshape(sizes); of so many bins, or the reshape fails. */
ctorch_tensor *calc_bincount(struct calculation *self, const ctorch_tensor *x, int64_t len);
/** x[indices], or x[mask]. */
ctorch_tensor *calc_index(struct calculation *self, const ctorch_tensor *x, const ctorch_tensor *indices);
ctorch_tensor *calc_cat_all(struct calculation *self, ctorch_tensor *const *tensors, size_t len);
/** The area below y over x, along a dimension. */
ctorch_tensor *calc_trapezoid(struct calculation *self, const ctorch_tensor *y, const ctorch_tensor *x, int64_t dim);

/* Reading. */

bool calc_truth(struct calculation *self, const ctorch_tensor *x);
double calc_number(struct calculation *self, const ctorch_tensor *x);
/** Whether a condition holds anywhere. */
bool calc_any(struct calculation *self, const ctorch_tensor *x);
/** Least and greatest of all elements, of which there is one at least. */
void calc_extremes(struct calculation *self, const ctorch_tensor *x, double *least, double *greatest);
bool calc_is_floating(const ctorch_tensor *x);
/** The size of a dimension; 0 where it has none. */
int64_t calc_size(const ctorch_tensor *x, int64_t dim);
bool calc_same_sizes(const ctorch_tensor *a, const ctorch_tensor *b);

/* In place. */

void calc_add_(struct calculation *self, ctorch_tensor *x, const ctorch_tensor *other);
void calc_sub_(struct calculation *self, ctorch_tensor *x, const ctorch_tensor *other);
void calc_mul_(struct calculation *self, ctorch_tensor *x, const ctorch_tensor *other);
void calc_div_(struct calculation *self, ctorch_tensor *x, const ctorch_tensor *other);
void calc_copy_(struct calculation *self, ctorch_tensor *x, const ctorch_tensor *other);
void calc_add_number_(struct calculation *self, ctorch_tensor *x, ctorch_scalar number);
void calc_sub_number_(struct calculation *self, ctorch_tensor *x, ctorch_scalar number);
void calc_mul_number_(struct calculation *self, ctorch_tensor *x, ctorch_scalar number);
void calc_div_number_(struct calculation *self, ctorch_tensor *x, ctorch_scalar number);
void calc_neg_(struct calculation *self, ctorch_tensor *x);
void calc_round_(struct calculation *self, ctorch_tensor *x);
void calc_fill_(struct calculation *self, ctorch_tensor *x, ctorch_scalar number);
/** x.clamp_(low, high). */
void calc_clamp_(struct calculation *self, ctorch_tensor *x, ctorch_scalar low, ctorch_scalar high);

#endif
