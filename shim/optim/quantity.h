/**
 * Numbers that may be tensors: learning rates and what is computed of them, as Python computes it. Each operation is
 * one of double numbers, or the operator of tensors, through which gradients flow to a learning rate that wants them.
 *
 *     struct quantity rate = quantity_of(&error, &options->lr), decay = {0};
 *     quantity_multiply(&error, &decay, &rate, weight_decay);   // decay = rate * weight_decay
 *     quantity_subtract_from(&error, &decay, 1, &decay);        // decay = 1 - decay
 *     quantity_multiply_to(&error, param, &decay);              // param.mul_(decay)
 *     quantity_end(&decay);
 *     return error;
 *
 * What fails is in `error`, and everything after it does nothing.
 */
#ifndef CTORCH_SHIM_OPTIM_QUANTITY_H
#define CTORCH_SHIM_OPTIM_QUANTITY_H

#include "optim/list.h"

struct quantity {
  double value;
  ctorch_tensor *tensor; /* NULL for a number */
  bool is_own;           /* whether quantity_end gives the tensor up */
};

/** The tensor stays where it is, without a dimension; to be ended. */
struct quantity quantity_of(ctorch_error **error, const struct optimizer_number *number);
/** What needs no end. */
struct quantity quantity_of_tensor(ctorch_tensor *tensor);
struct quantity quantity_of_number(double number);
void quantity_end(struct quantity *self);

/* `out` may be one of the operands, which is given up then. */
void quantity_multiply(ctorch_error **error, struct quantity *out, const struct quantity *a, double b);
void quantity_divide(ctorch_error **error, struct quantity *out, const struct quantity *a, double b);
void quantity_divide_number(ctorch_error **error, struct quantity *out, double a, const struct quantity *b);
void quantity_subtract_from(ctorch_error **error, struct quantity *out, double a, const struct quantity *b);
/** base to the power of a tensor or number. */
void quantity_power(
    ctorch_error **error, struct quantity *out, const struct quantity *base, const struct quantity *exponent);
void quantity_sum(ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b);
void quantity_difference(
    ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b);
void quantity_product(ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b);
void quantity_quotient(ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b);
void quantity_negate(ctorch_error **error, struct quantity *out, const struct quantity *a);
void quantity_root(ctorch_error **error, struct quantity *out, const struct quantity *a);

/** The number, read from the tensor if it is one. */
double quantity_value(ctorch_error **error, const struct quantity *self);
/** Whether gradients flow to it. */
bool quantity_wants_gradient(const struct quantity *self);

/** tensor *= self */
void quantity_multiply_to(ctorch_error **error, ctorch_tensor *tensor, const struct quantity *self);
/** tensor += self */
void quantity_add_to(ctorch_error **error, ctorch_tensor *tensor, const struct quantity *self);
/** tensor * self */
void quantity_multiply_tensor(
    ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self);
/** tensor / self */
void quantity_divide_tensor(
    ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self);
/** tensor += weight * (end - tensor) */
void quantity_lerp_to(
    ctorch_error **error, ctorch_tensor *tensor, const ctorch_tensor *end, const struct quantity *weight);

/* Lists: as many numbers as tensors. */

/** Room for them, to be given up by quantities_end; NULL is out of memory, which is in `error` then. */
struct quantity *quantities_new(ctorch_error **error, const struct optimizer_list *list);
void quantities_end(struct quantity *numbers, const struct optimizer_list *list);

/** tensors[i] += numbers[i], and so on. */
void quantities_add_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers);
void quantities_multiply_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers);
void quantities_divide_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers);
/** The gradients times numbers: in place where they are the list's own. */
void quantities_multiply_grads(ctorch_error **error, struct optimizer_list *list, const struct quantity *numbers);
/** tensors[i] *= number */
void quantities_multiply_all_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *number);
/** tensors[i] /= number */
void quantities_divide_all_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *number);

/* Decay of weights apart from the gradient: params *= 1 - lr * weight_decay. */

void list_shrink_one(
    ctorch_error **error,
    const struct optimizer_list *list,
    size_t i,
    const struct optimizer_number *lr,
    double weight_decay);
void list_shrink(
    ctorch_error **error, const struct optimizer_list *list, const struct optimizer_number *lr, double weight_decay);

#endif
