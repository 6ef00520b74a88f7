/**
 * Numbers that may be tensors: learning rates and what is computed of them, as Python computes it. Each operation is one
 * of double numbers, or the operator of tensors, through which gradients flow to a learning rate that wants them.
 *
 *     struct quantity rate = quantity_of(&options->lr), decay = {0};
 *     quantity_multiply(&q, &decay, &rate, weight_decay);   // decay = rate * weight_decay
 *     quantity_subtract_from(&q, &decay, 1, &decay);        // decay = 1 - decay
 *     quantity_multiply_to(&q, param, &decay);              // param.mul_(decay)
 *     quantity_end(&decay);
 *     return q.error;
 *
 * What fails is in `error`, and everything after it does nothing.
 */
#ifndef CTORCH_OPTIM_QUANTITY_H
#define CTORCH_OPTIM_QUANTITY_H

#include "optimizer.h"

/** tensor *= factor, and tensor * factor, with a number as Python takes it: LibTorch's own operator for numbers rounds it
 * to the dtype of the tensor first. */
ctorch_error *scale(ctorch_tensor *tensor, double factor) __attribute__((warn_unused_result));
ctorch_error *scaled(ctorch_tensor **out, const ctorch_tensor *tensor, double factor)
    __attribute__((warn_unused_result));

struct quantity {
  double value;
  ctorch_tensor *tensor; /* NULL for a number */
  bool is_own;           /* whether quantity_end gives the tensor up */
};

struct quantities {
  ctorch_error *error;
};

/** The tensor stays where it is, without a dimension. */
struct quantity quantity_of(const struct optimizer_number *number);
struct quantity quantity_of_tensor(ctorch_tensor *tensor);
void quantity_end(struct quantity *self);

/* `out` may be one of the operands, which is given up then. */
void quantity_multiply(struct quantities *q, struct quantity *out, const struct quantity *a, double b);
void quantity_divide(struct quantities *q, struct quantity *out, const struct quantity *a, double b);
void quantity_divide_number(struct quantities *q, struct quantity *out, double a, const struct quantity *b);
void quantity_subtract_from(struct quantities *q, struct quantity *out, double a, const struct quantity *b);
/** base to the power of a tensor or number. */
void quantity_power(
    struct quantities *q, struct quantity *out, const struct quantity *base, const struct quantity *exponent);
void quantity_product(struct quantities *q, struct quantity *out, const struct quantity *a, const struct quantity *b);
void quantity_quotient(struct quantities *q, struct quantity *out, const struct quantity *a, const struct quantity *b);
void quantity_negate(struct quantities *q, struct quantity *out, const struct quantity *a);
void quantity_root(struct quantities *q, struct quantity *out, const struct quantity *a);

/** The number, read from the tensor if it is one. */
double quantity_value(struct quantities *q, const struct quantity *self);
/** Whether gradients flow to it. */
bool quantity_wants_gradient(const struct quantity *self);

/** tensor *= self */
void quantity_multiply_to(struct quantities *q, ctorch_tensor *tensor, const struct quantity *self);
/** tensor += self */
void quantity_add_to(struct quantities *q, ctorch_tensor *tensor, const struct quantity *self);
/** tensor / self */
void quantity_divide_tensor(
    struct quantities *q, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self);
/** tensor += weight * (end - tensor) */
void quantity_lerp_to(
    struct quantities *q, ctorch_tensor *tensor, const ctorch_tensor *end, const struct quantity *weight);

#endif
