/**
 * Tensors computed one after another, as Python's expressions are read:
 *
 *     struct calculation c;
 *     calculation_begin(&c, function);
 *     ctorch_tensor *x = calc_column(&c, boxes, 0);
 *     calc_sub_number_(&c, x, width);                      // x.sub_(width)
 *     …
 *     return calculation_give(&c, out, boxes, mark);
 *
 * What fails is in `error`, and everything after it does nothing and gives NULL. Results live until calculation_give,
 * unless calc_drop ends them before: large ones are dropped where Python drops them. Each is computed by the operator
 * that Python's expression calls, so that it is the same to the last bit.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_CALCULATION_H
#define CTORCH_SHIM_TRANSFORMS_CALCULATION_H

#include <ctorch.h>

#include "transforms/tv_tensor.h"

struct calculation {
  const char *function;
  ctorch_error *error;
  ctorch_scope *scope;
};

void calculation_begin(struct calculation *self, const char *function);

/** End it, and hand a result out, or what the calculation started from, marked so; NULL is no mark. */
ctorch_error *calculation_give(
    struct calculation *self, ctorch_tensor **out, const ctorch_tensor *result, const struct tv_tensor *mark)
    __attribute__((warn_unused_result));
/** As calculation_give, with another result, which has no mark. */
ctorch_error *calculation_give_two(
    struct calculation *self,
    ctorch_tensor **out,
    const ctorch_tensor *result,
    const struct tv_tensor *mark,
    ctorch_tensor **other_out,
    const ctorch_tensor *other) __attribute__((warn_unused_result));
/** End it without a result. */
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

/* Making. */

/** torch.tensor(values, dtype=dtype, device=like.device). */
ctorch_tensor *calc_doubles(
    struct calculation *self, const double *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like);
ctorch_tensor *calc_ints(
    struct calculation *self, const int64_t *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like);
/** torch.ones(sizes) in a type and on the device of `like`. */
ctorch_tensor *calc_ones(
    struct calculation *self, const int64_t *sizes, size_t len, ctorch_dtype dtype, const ctorch_tensor *like);

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

/* Numbers and tensors. */

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
/** x[mask]. */
ctorch_tensor *calc_masked(struct calculation *self, const ctorch_tensor *x, const ctorch_tensor *mask);

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

static inline ctorch_scalar whole(int64_t value) { return (ctorch_scalar){.kind = CTORCH_SCALAR_INT, .i = value}; }
static inline ctorch_scalar floating(double value) { return (ctorch_scalar){.kind = CTORCH_SCALAR_FLOAT, .re = value}; }

#endif
