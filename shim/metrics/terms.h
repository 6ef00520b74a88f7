/**
 * More of what a calculation (transforms' calculation.h) is made of: reductions, comparisons, counts. Each function is
 * one operator, as Python's expression calls it.
 */
#ifndef CTORCH_SHIM_METRICS_TERMS_H
#define CTORCH_SHIM_METRICS_TERMS_H

#include "transforms/calculation.h"

typedef struct calculation calculation;

/* Making, on the device of `like`. */

ctorch_tensor *term_full(
    calculation *c,
    const int64_t *sizes,
    size_t len,
    ctorch_scalar value,
    ctorch_dtype dtype,
    const ctorch_tensor *like);
/** torch.tensor(number), int64 and of no dimensions. */
ctorch_tensor *term_int(calculation *c, int64_t number, const ctorch_tensor *like);
ctorch_tensor *term_float(calculation *c, double number, ctorch_dtype dtype, const ctorch_tensor *like);
ctorch_tensor *term_zeros_like(calculation *c, const ctorch_tensor *x);
ctorch_tensor *term_ones_like(calculation *c, const ctorch_tensor *x);
/** torch.arange(end), int64. */
ctorch_tensor *term_arange(calculation *c, int64_t end, const ctorch_tensor *like);
ctorch_tensor *term_linspace(calculation *c, int64_t steps, ctorch_dtype dtype, const ctorch_tensor *like);

/* Seen another way. */

ctorch_tensor *term_flatten(calculation *c, const ctorch_tensor *x);
/** x.squeeze(). */
ctorch_tensor *term_squeeze(calculation *c, const ctorch_tensor *x);
ctorch_tensor *term_movedim(calculation *c, const ctorch_tensor *x, int64_t source, int64_t destination);
ctorch_tensor *term_select(calculation *c, const ctorch_tensor *x, int64_t dim, int64_t index);
ctorch_tensor *term_diagonal(calculation *c, const ctorch_tensor *x);
ctorch_tensor *term_flip(calculation *c, const ctorch_tensor *x);
/** x.float() unless it is of a floating point type. */
ctorch_tensor *term_floating(calculation *c, const ctorch_tensor *x);

/* One element for each. */

ctorch_tensor *term_eq(calculation *c, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *term_ne(calculation *c, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *term_ge(calculation *c, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *term_maximum(calculation *c, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *term_minimum(calculation *c, const ctorch_tensor *a, const ctorch_tensor *b);
ctorch_tensor *term_equals(calculation *c, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *term_differs(calculation *c, const ctorch_tensor *a, ctorch_scalar b);
ctorch_tensor *term_not(calculation *c, const ctorch_tensor *a);
ctorch_tensor *term_isnan(calculation *c, const ctorch_tensor *a);
ctorch_tensor *term_sigmoid(calculation *c, const ctorch_tensor *a);
ctorch_tensor *term_log(calculation *c, const ctorch_tensor *a);
ctorch_tensor *term_exp(calculation *c, const ctorch_tensor *a);
ctorch_tensor *term_neg(calculation *c, const ctorch_tensor *a);
ctorch_tensor *term_nan_to_num(calculation *c, const ctorch_tensor *a);
ctorch_tensor *term_softmax(calculation *c, const ctorch_tensor *a, int64_t dim);
ctorch_tensor *term_pow(calculation *c, const ctorch_tensor *a, ctorch_scalar exponent);
/** NULL is no end. */
ctorch_tensor *term_clamp(calculation *c, const ctorch_tensor *a, const double *min, const double *max);
ctorch_tensor *term_masked_fill(calculation *c, const ctorch_tensor *a, const ctorch_tensor *mask, ctorch_scalar value);
/** torch.where(condition, a, b), b a number. */
ctorch_tensor *term_where(calculation *c, const ctorch_tensor *condition, const ctorch_tensor *a, ctorch_scalar b);
/** torch.nn.functional.one_hot(x.long(), classes). */
ctorch_tensor *term_one_hot(calculation *c, const ctorch_tensor *x, int64_t classes);
/** 0 / 0 is `zero_division`; numbers are floats, as torchmetrics' _safe_divide makes them. */
ctorch_tensor *term_safe_divide(
    calculation *c, const ctorch_tensor *numerator, const ctorch_tensor *denominator, double zero_division);

/* Fewer elements. */

ctorch_tensor *term_sum(calculation *c, const ctorch_tensor *x);
ctorch_tensor *term_sum_dims(calculation *c, const ctorch_tensor *x, const int64_t *dims, size_t len, bool keepdim);
ctorch_tensor *term_sum_dim(calculation *c, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *term_mean(calculation *c, const ctorch_tensor *x);
ctorch_tensor *term_mean_dim(calculation *c, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *term_max(calculation *c, const ctorch_tensor *x);
ctorch_tensor *term_min(calculation *c, const ctorch_tensor *x);
ctorch_tensor *term_argmax(calculation *c, const ctorch_tensor *x, int64_t dim);
ctorch_tensor *term_any_dim(calculation *c, const ctorch_tensor *x, int64_t dim);
/** torch.bincount(x, minlength=len).reshape(sizes); of so many bins, or the reshape fails. */
ctorch_tensor *term_bincount(calculation *c, const ctorch_tensor *x, int64_t len);
/** x[indices]. */
ctorch_tensor *term_index(calculation *c, const ctorch_tensor *x, const ctorch_tensor *indices);
ctorch_tensor *term_cat(calculation *c, ctorch_tensor *const *tensors, size_t len);
/** The area below y over x, along a dimension. */
ctorch_tensor *term_trapezoid(calculation *c, const ctorch_tensor *y, const ctorch_tensor *x, int64_t dim);

/** Sigmoid, or softmax over dimension 1, unless all numbers lie within 0 to 1. */
ctorch_tensor *term_probabilities(calculation *c, const ctorch_tensor *x, bool softmax);

/* Reading. */

bool term_truth(calculation *c, const ctorch_tensor *x);
double term_number(calculation *c, const ctorch_tensor *x);
/** Whether a condition holds anywhere. */
bool term_any(calculation *c, const ctorch_tensor *x);
/** Least and greatest of all elements, of which there is one at least. */
void term_extremes(calculation *c, const ctorch_tensor *x, double *least, double *greatest);
bool term_is_floating(const ctorch_tensor *x);
/** The size of a dimension; 0 where it has none. */
int64_t term_size(const ctorch_tensor *x, int64_t dim);
bool term_same_sizes(const ctorch_tensor *a, const ctorch_tensor *b);

#endif
