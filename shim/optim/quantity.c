/* Numbers that may be tensors. */
#include "optim/quantity.h"

#include <math.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"

struct quantity quantity_of(struct quantities *q, const struct optimizer_number *number) {
  struct quantity self = {.value = number->value, .tensor = number->tensor};
  if (self.tensor != NULL && ctorch_tensor_ndim(self.tensor) != 0) {
    self = (struct quantity){0};
    THEN(q->error, ctorch_aten_squeeze(&self.tensor, number->tensor));
    self.is_own = true;
  }
  return self;
}

struct quantity quantity_of_number(double number) { return (struct quantity){.value = number}; }

struct quantity quantity_of_tensor(ctorch_tensor *tensor) { return (struct quantity){.tensor = tensor}; }

void quantity_end(struct quantity *self) {
  if (self->is_own) {
    ctorch_tensor_release(self->tensor);
  }
  *self = (struct quantity){0};
}

/* `*out` becomes a result, which is given up if there is an error. */
static void put(struct quantities *q, struct quantity *out, ctorch_error *error, ctorch_tensor *tensor) {
  if (q->error == NULL && error == NULL) {
    quantity_end(out);
    *out = (struct quantity){.tensor = tensor, .is_own = true};
  }
  q->error = ctorch_error_first(q->error, error);
}

static void put_number(struct quantities *q, struct quantity *out, double number) {
  if (q->error == NULL) {
    quantity_end(out);
    out->value = number;
  }
}

#define COMPUTE(call)                 \
  do {                                \
    ctorch_tensor *result = NULL;     \
    if (q->error == NULL) {           \
      ctorch_error *failure = (call); \
      put(q, out, failure, result);   \
    }                                 \
  } while (0)

ctorch_error *scale(ctorch_tensor *tensor, double factor) {
  ctorch_tensor *number = NULL;
  CTORCH_TRY(ctorch_tensor_wrapped_number(&number, CTORCH_FLOAT(factor)));
  ctorch_error *error = ctorch_aten_mul__Tensor(tensor, number);
  ctorch_tensor_release(number);
  return error;
}

ctorch_error *scaled(ctorch_tensor **out, const ctorch_tensor *tensor, double factor) {
  ctorch_tensor *number = NULL;
  CTORCH_TRY(ctorch_tensor_wrapped_number(&number, CTORCH_FLOAT(factor)));
  ctorch_error *error = ctorch_aten_mul_Tensor(out, tensor, number);
  ctorch_tensor_release(number);
  return error;
}

void quantity_multiply(struct quantities *q, struct quantity *out, const struct quantity *a, double b) {
  if (a->tensor == NULL) {
    put_number(q, out, a->value * b);
    return;
  }
  COMPUTE(scaled(&result, a->tensor, b));
}

void quantity_divide(struct quantities *q, struct quantity *out, const struct quantity *a, double b) {
  if (a->tensor == NULL) {
    put_number(q, out, a->value / b);
    return;
  }
  COMPUTE(ctorch_aten_div_Scalar(&result, a->tensor, CTORCH_FLOAT(b)));
}

void quantity_subtract_from(struct quantities *q, struct quantity *out, double a, const struct quantity *b) {
  if (b->tensor == NULL) {
    put_number(q, out, a - b->value);
    return;
  }
  COMPUTE(ctorch_aten_rsub_Scalar(&result, b->tensor, CTORCH_FLOAT(a), NULL));
}

void quantity_divide_number(struct quantities *q, struct quantity *out, double a, const struct quantity *b) {
  if (b->tensor == NULL) {
    put_number(q, out, a / b->value);
    return;
  }
  /* Python divides a number by a tensor as reciprocal times number. */
  ctorch_tensor *inverse = NULL;
  THEN(q->error, ctorch_aten_reciprocal(&inverse, b->tensor));
  COMPUTE(scaled(&result, inverse, a));
  ctorch_tensor_release(inverse);
}

void quantity_power(
    struct quantities *q, struct quantity *out, const struct quantity *base, const struct quantity *exponent) {
  if (base->tensor == NULL && exponent->tensor == NULL) {
    put_number(q, out, pow(base->value, exponent->value));
  } else if (base->tensor == NULL) {
    COMPUTE(ctorch_aten_pow_Scalar(&result, CTORCH_FLOAT(base->value), exponent->tensor));
  } else if (exponent->tensor == NULL) {
    COMPUTE(ctorch_aten_pow_Tensor_Scalar(&result, base->tensor, CTORCH_FLOAT(exponent->value)));
  } else {
    COMPUTE(ctorch_aten_pow_Tensor_Tensor(&result, base->tensor, exponent->tensor));
  }
}

void quantity_sum(struct quantities *q, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (a->tensor == NULL && b->tensor == NULL) {
    put_number(q, out, a->value + b->value);
  } else if (b->tensor == NULL) {
    COMPUTE(ctorch_aten_add_Scalar(&result, a->tensor, CTORCH_FLOAT(b->value), NULL));
  } else if (a->tensor == NULL) {
    COMPUTE(ctorch_aten_add_Scalar(&result, b->tensor, CTORCH_FLOAT(a->value), NULL));
  } else {
    COMPUTE(ctorch_aten_add_Tensor(&result, a->tensor, b->tensor, NULL));
  }
}

void quantity_difference(
    struct quantities *q, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (a->tensor == NULL) {
    quantity_subtract_from(q, out, a->value, b);
  } else if (b->tensor == NULL) {
    COMPUTE(ctorch_aten_sub_Scalar(&result, a->tensor, CTORCH_FLOAT(b->value), NULL));
  } else {
    COMPUTE(ctorch_aten_sub_Tensor(&result, a->tensor, b->tensor, NULL));
  }
}

void quantity_product(struct quantities *q, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (b->tensor == NULL) {
    quantity_multiply(q, out, a, b->value);
  } else if (a->tensor == NULL) {
    quantity_multiply(q, out, b, a->value);
  } else {
    COMPUTE(ctorch_aten_mul_Tensor(&result, a->tensor, b->tensor));
  }
}

void quantity_quotient(struct quantities *q, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (b->tensor == NULL) {
    quantity_divide(q, out, a, b->value);
  } else if (a->tensor == NULL) {
    quantity_divide_number(q, out, a->value, b);
  } else {
    COMPUTE(ctorch_aten_div_Tensor(&result, a->tensor, b->tensor));
  }
}

void quantity_negate(struct quantities *q, struct quantity *out, const struct quantity *a) {
  if (a->tensor == NULL) {
    put_number(q, out, -a->value);
    return;
  }
  COMPUTE(ctorch_aten_neg(&result, a->tensor));
}

void quantity_root(struct quantities *q, struct quantity *out, const struct quantity *a) {
  if (a->tensor == NULL) {
    put_number(q, out, pow(a->value, 0.5));
    return;
  }
  COMPUTE(ctorch_aten_sqrt(&result, a->tensor));
}

double quantity_value(struct quantities *q, const struct quantity *self) {
  double value = self->value;
  if (q->error == NULL && self->tensor != NULL) {
    q->error = ctorch_tensor_item_double(&value, self->tensor);
  }
  return value;
}

bool quantity_wants_gradient(const struct quantity *self) {
  return self->tensor != NULL && ctorch_tensor_requires_grad(self->tensor);
}

void quantity_multiply_to(struct quantities *q, ctorch_tensor *tensor, const struct quantity *self) {
  THEN(q->error, self->tensor != NULL ? ctorch_aten_mul__Tensor(tensor, self->tensor) : scale(tensor, self->value));
}

void quantity_add_to(struct quantities *q, ctorch_tensor *tensor, const struct quantity *self) {
  THEN(
      q->error, self->tensor != NULL ? ctorch_aten_add__Tensor(tensor, self->tensor, NULL)
                                     : ctorch_aten_add__Scalar(tensor, CTORCH_FLOAT(self->value), NULL));
}

void quantity_multiply_tensor(
    struct quantities *q, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self) {
  if (q->error == NULL) {
    q->error =
        self->tensor != NULL ? ctorch_aten_mul_Tensor(out, tensor, self->tensor) : scaled(out, tensor, self->value);
  }
}

void quantity_divide_tensor(
    struct quantities *q, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self) {
  THEN(
      q->error, self->tensor != NULL ? ctorch_aten_div_Tensor(out, tensor, self->tensor)
                                     : ctorch_aten_div_Scalar(out, tensor, CTORCH_FLOAT(self->value)));
}

void quantity_lerp_to(
    struct quantities *q, ctorch_tensor *tensor, const ctorch_tensor *end, const struct quantity *weight) {
  THEN(
      q->error, weight->tensor != NULL ? ctorch_aten_lerp__Tensor(tensor, end, weight->tensor)
                                       : ctorch_aten_lerp__Scalar(tensor, end, CTORCH_FLOAT(weight->value)));
}

/* Lists. */

struct quantity *quantities_new(struct quantities *q, const struct optimizer_list *list) {
  struct quantity *numbers = calloc(list->len + 1, sizeof *numbers);
  if (numbers == NULL) {
    THEN(q->error, error_memory(list->function, (list->len + 1) * sizeof *numbers));
  }
  return numbers;
}

void quantities_end(struct quantity *numbers, const struct optimizer_list *list) {
  for (size_t i = 0; numbers != NULL && i < list->len; i++) {
    quantity_end(&numbers[i]);
  }
  free(numbers);
}

/* Numbers as an operator on lists takes them: tensors if all are, else numbers, read from those that are tensors. */
struct operands {
  ctorch_scalar *scalars;
  const ctorch_tensor **tensors;
  bool are_tensors;
};

static void operands_of(
    struct quantities *q, struct operands *out, const struct optimizer_list *list, const struct quantity *numbers) {
  out->scalars = list_scalars(list);
  out->tensors = calloc(list->len + 1, sizeof *out->tensors);
  out->are_tensors = true;
  if (out->scalars == NULL || out->tensors == NULL) {
    THEN(q->error, error_memory(list->function, (list->len + 1) * sizeof *out->scalars));
  }
  for (size_t i = 0; q->error == NULL && i < list->len; i++) {
    out->tensors[i] = numbers[i].tensor;
    out->are_tensors = out->are_tensors && numbers[i].tensor != NULL;
  }
  for (size_t i = 0; q->error == NULL && !out->are_tensors && i < list->len; i++) {
    out->scalars[i].re = quantity_value(q, &numbers[i]);
  }
}

static void operands_end(struct operands *self) {
  free(self->scalars);
  free(self->tensors);
}

void quantities_add_to(
    struct quantities *q, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers) {
  struct operands with = {0};
  operands_of(q, &with, list, numbers);
  THEN(
      q->error, with.are_tensors ? ctorch_aten__foreach_add__List(LIST(tensors, list), LIST(with.tensors, list), NULL)
                                 : ctorch_aten__foreach_add__ScalarList(LIST(tensors, list), LIST(with.scalars, list)));
  operands_end(&with);
}

void quantities_multiply_to(
    struct quantities *q, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers) {
  struct operands with = {0};
  operands_of(q, &with, list, numbers);
  THEN(
      q->error, with.are_tensors ? ctorch_aten__foreach_mul__List(LIST(tensors, list), LIST(with.tensors, list))
                                 : ctorch_aten__foreach_mul__ScalarList(LIST(tensors, list), LIST(with.scalars, list)));
  operands_end(&with);
}

void quantities_divide_to(
    struct quantities *q, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers) {
  struct operands by = {0};
  operands_of(q, &by, list, numbers);
  THEN(
      q->error, by.are_tensors ? ctorch_aten__foreach_div__List(LIST(tensors, list), LIST(by.tensors, list))
                               : ctorch_aten__foreach_div__ScalarList(LIST(tensors, list), LIST(by.scalars, list)));
  operands_end(&by);
}

void quantities_multiply_grads(struct quantities *q, struct optimizer_list *list, const struct quantity *numbers) {
  struct operands with = {0};
  ctorch_tensor_list *products = NULL;
  if (list->own_grads != NULL) {
    quantities_multiply_to(q, list, list->grads, numbers);
    return;
  }
  operands_of(q, &with, list, numbers);
  const ctorch_tensor *const *grads = ctorch_const_tensors(list->grads);
  THEN(
      q->error, with.are_tensors
                    ? ctorch_aten__foreach_mul_List(&products, grads, list->len, LIST(with.tensors, list))
                    : ctorch_aten__foreach_mul_ScalarList(&products, grads, list->len, LIST(with.scalars, list)));
  if (q->error == NULL) {
    list_replace_grads(list, products);
  }
  operands_end(&with);
}

void quantities_multiply_all_to(
    struct quantities *q, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *number) {
  THEN(
      q->error, number->tensor != NULL
                    ? ctorch_aten__foreach_mul__Tensor(LIST(tensors, list), number->tensor)
                    : ctorch_aten__foreach_mul__Scalar(LIST(tensors, list), CTORCH_FLOAT(number->value)));
}

void quantities_divide_all_to(
    struct quantities *q, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *number) {
  THEN(
      q->error, number->tensor != NULL
                    ? ctorch_aten__foreach_div__Tensor(LIST(tensors, list), number->tensor)
                    : ctorch_aten__foreach_div__Scalar(LIST(tensors, list), CTORCH_FLOAT(number->value)));
}

/* Decay of weights. */

/* 1 - lr * weight_decay */
static void shrinkage(
    struct quantities *q, struct quantity *out, const struct optimizer_number *lr, double weight_decay) {
  struct quantity rate = quantity_of(q, lr);
  quantity_multiply(q, out, &rate, weight_decay);
  quantity_subtract_from(q, out, 1, out);
  quantity_end(&rate);
}

void list_shrink_one(
    struct quantities *q,
    const struct optimizer_list *list,
    size_t i,
    const struct optimizer_number *lr,
    double weight_decay) {
  struct quantity factor = {0};
  if (weight_decay != 0) {
    shrinkage(q, &factor, lr, weight_decay);
    quantity_multiply_to(q, list->params[i], &factor);
    quantity_end(&factor);
  }
}

void list_shrink(
    struct quantities *q, const struct optimizer_list *list, const struct optimizer_number *lr, double weight_decay) {
  struct quantity factor = {0};
  if (weight_decay != 0) {
    shrinkage(q, &factor, lr, weight_decay);
    quantities_multiply_all_to(q, list, list->params, &factor);
    quantity_end(&factor);
  }
}
