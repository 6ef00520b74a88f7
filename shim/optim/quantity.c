/* Numbers that may be tensors. */
#include "optim/quantity.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/sequence.h"
#include "core/c/error.h"

struct quantity quantity_of(ctorch_error **error, const struct optimizer_number *number) {
  struct quantity self = {.value = number->value, .tensor = number->tensor};
  if (self.tensor != NULL && ctorch_tensor_ndim(self.tensor) != 0) {
    self = (struct quantity){0};
    THEN(*error, ctorch_aten_squeeze(&self.tensor, number->tensor));
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
static void put(ctorch_error **error, struct quantity *out, ctorch_error *failure, ctorch_tensor *tensor) {
  if (*error == NULL && failure == NULL) {
    quantity_end(out);
    *out = (struct quantity){.tensor = tensor, .is_own = true};
  }
  *error = ctorch_error_first(*error, failure);
}

static void put_number(ctorch_error **error, struct quantity *out, double number) {
  if (*error == NULL) {
    quantity_end(out);
    out->value = number;
  }
}

#define COMPUTE(call)                   \
  do {                                  \
    ctorch_tensor *result = NULL;       \
    if (*error == NULL) {               \
      ctorch_error *failure = (call);   \
      put(error, out, failure, result); \
    }                                   \
  } while (0)

void quantity_multiply(ctorch_error **error, struct quantity *out, const struct quantity *a, double b) {
  if (a->tensor == NULL) {
    put_number(error, out, a->value * b);
    return;
  }
  COMPUTE(number_times(&result, a->tensor, CTORCH_FLOAT(b)));
}

void quantity_divide(ctorch_error **error, struct quantity *out, const struct quantity *a, double b) {
  if (a->tensor == NULL) {
    put_number(error, out, a->value / b);
    return;
  }
  COMPUTE(ctorch_aten_div_Scalar(&result, a->tensor, CTORCH_FLOAT(b)));
}

void quantity_subtract_from(ctorch_error **error, struct quantity *out, double a, const struct quantity *b) {
  if (b->tensor == NULL) {
    put_number(error, out, a - b->value);
    return;
  }
  COMPUTE(ctorch_aten_rsub_Scalar(&result, b->tensor, CTORCH_FLOAT(a), NULL));
}

void quantity_divide_number(ctorch_error **error, struct quantity *out, double a, const struct quantity *b) {
  if (b->tensor == NULL) {
    put_number(error, out, a / b->value);
    return;
  }
  /* Python divides a number by a tensor as reciprocal times number. */
  ctorch_tensor *inverse = NULL;
  THEN(*error, ctorch_aten_reciprocal(&inverse, b->tensor));
  COMPUTE(number_times(&result, inverse, CTORCH_FLOAT(a)));
  ctorch_tensor_release(inverse);
}

void quantity_power(
    ctorch_error **error, struct quantity *out, const struct quantity *base, const struct quantity *exponent) {
  if (base->tensor == NULL && exponent->tensor == NULL) {
    put_number(error, out, pow(base->value, exponent->value));
  } else if (base->tensor == NULL) {
    COMPUTE(ctorch_aten_pow_Scalar(&result, CTORCH_FLOAT(base->value), exponent->tensor));
  } else if (exponent->tensor == NULL) {
    COMPUTE(ctorch_aten_pow_Tensor_Scalar(&result, base->tensor, CTORCH_FLOAT(exponent->value)));
  } else {
    COMPUTE(ctorch_aten_pow_Tensor_Tensor(&result, base->tensor, exponent->tensor));
  }
}

void quantity_sum(ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (a->tensor == NULL && b->tensor == NULL) {
    put_number(error, out, a->value + b->value);
  } else if (b->tensor == NULL) {
    COMPUTE(ctorch_aten_add_Scalar(&result, a->tensor, CTORCH_FLOAT(b->value), NULL));
  } else if (a->tensor == NULL) {
    COMPUTE(ctorch_aten_add_Scalar(&result, b->tensor, CTORCH_FLOAT(a->value), NULL));
  } else {
    COMPUTE(ctorch_aten_add_Tensor(&result, a->tensor, b->tensor, NULL));
  }
}

void quantity_difference(
    ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (a->tensor == NULL) {
    quantity_subtract_from(error, out, a->value, b);
  } else if (b->tensor == NULL) {
    COMPUTE(ctorch_aten_sub_Scalar(&result, a->tensor, CTORCH_FLOAT(b->value), NULL));
  } else {
    COMPUTE(ctorch_aten_sub_Tensor(&result, a->tensor, b->tensor, NULL));
  }
}

void quantity_product(ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (b->tensor == NULL) {
    quantity_multiply(error, out, a, b->value);
  } else if (a->tensor == NULL) {
    quantity_multiply(error, out, b, a->value);
  } else {
    COMPUTE(ctorch_aten_mul_Tensor(&result, a->tensor, b->tensor));
  }
}

void quantity_quotient(ctorch_error **error, struct quantity *out, const struct quantity *a, const struct quantity *b) {
  if (b->tensor == NULL) {
    quantity_divide(error, out, a, b->value);
  } else if (a->tensor == NULL) {
    quantity_divide_number(error, out, a->value, b);
  } else {
    COMPUTE(ctorch_aten_div_Tensor(&result, a->tensor, b->tensor));
  }
}

void quantity_negate(ctorch_error **error, struct quantity *out, const struct quantity *a) {
  if (a->tensor == NULL) {
    put_number(error, out, -a->value);
    return;
  }
  COMPUTE(ctorch_aten_neg(&result, a->tensor));
}

void quantity_root(ctorch_error **error, struct quantity *out, const struct quantity *a) {
  if (a->tensor == NULL) {
    put_number(error, out, pow(a->value, 0.5));
    return;
  }
  COMPUTE(ctorch_aten_sqrt(&result, a->tensor));
}

double quantity_value(ctorch_error **error, const struct quantity *self) {
  double value = self->value;
  if (*error == NULL && self->tensor != NULL) {
    *error = ctorch_tensor_item_double(&value, self->tensor);
  }
  return value;
}

bool quantity_wants_gradient(const struct quantity *self) {
  return self->tensor != NULL && ctorch_tensor_requires_grad(self->tensor);
}

void quantity_multiply_to(ctorch_error **error, ctorch_tensor *tensor, const struct quantity *self) {
  THEN(
      *error, self->tensor != NULL ? ctorch_aten_mul__Tensor(tensor, self->tensor)
                                   : number_times_(tensor, CTORCH_FLOAT(self->value)));
}

void quantity_add_to(ctorch_error **error, ctorch_tensor *tensor, const struct quantity *self) {
  THEN(
      *error, self->tensor != NULL ? ctorch_aten_add__Tensor(tensor, self->tensor, NULL)
                                   : ctorch_aten_add__Scalar(tensor, CTORCH_FLOAT(self->value), NULL));
}

void quantity_multiply_tensor(
    ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self) {
  if (*error == NULL) {
    *error = self->tensor != NULL ? ctorch_aten_mul_Tensor(out, tensor, self->tensor)
                                  : number_times(out, tensor, CTORCH_FLOAT(self->value));
  }
}

void quantity_divide_tensor(
    ctorch_error **error, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self) {
  THEN(
      *error, self->tensor != NULL ? ctorch_aten_div_Tensor(out, tensor, self->tensor)
                                   : ctorch_aten_div_Scalar(out, tensor, CTORCH_FLOAT(self->value)));
}

void quantity_lerp_to(
    ctorch_error **error, ctorch_tensor *tensor, const ctorch_tensor *end, const struct quantity *weight) {
  THEN(
      *error, weight->tensor != NULL ? ctorch_aten_lerp__Tensor(tensor, end, weight->tensor)
                                     : ctorch_aten_lerp__Scalar(tensor, end, CTORCH_FLOAT(weight->value)));
}

/* Lists. */

struct quantity *quantities_new(ctorch_error **error, const struct optimizer_list *list) {
  struct quantity *numbers = calloc(list->len + 1, sizeof *numbers);
  if (numbers == NULL) {
    THEN(*error, error_memory(list->function, (list->len + 1) * sizeof *numbers));
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
    ctorch_error **error, struct operands *out, const struct optimizer_list *list, const struct quantity *numbers) {
  out->scalars = list_scalars(list);
  out->tensors = calloc(list->len + 1, sizeof *out->tensors);
  out->are_tensors = true;
  if (out->scalars == NULL || out->tensors == NULL) {
    THEN(*error, error_memory(list->function, (list->len + 1) * sizeof *out->scalars));
  }
  for (size_t i = 0; *error == NULL && i < list->len; i++) {
    out->tensors[i] = numbers[i].tensor;
    out->are_tensors = out->are_tensors && numbers[i].tensor != NULL;
  }
  for (size_t i = 0; *error == NULL && !out->are_tensors && i < list->len; i++) {
    out->scalars[i].re = quantity_value(error, &numbers[i]);
  }
}

static void operands_end(struct operands *self) {
  free(self->scalars);
  free(self->tensors);
}

void quantities_add_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers) {
  struct operands with = {0};
  operands_of(error, &with, list, numbers);
  THEN(
      *error, with.are_tensors ? ctorch_aten__foreach_add__List(LIST(tensors, list), LIST(with.tensors, list), NULL)
                               : ctorch_aten__foreach_add__ScalarList(LIST(tensors, list), LIST(with.scalars, list)));
  operands_end(&with);
}

void quantities_multiply_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers) {
  struct operands with = {0};
  operands_of(error, &with, list, numbers);
  THEN(
      *error, with.are_tensors ? ctorch_aten__foreach_mul__List(LIST(tensors, list), LIST(with.tensors, list))
                               : ctorch_aten__foreach_mul__ScalarList(LIST(tensors, list), LIST(with.scalars, list)));
  operands_end(&with);
}

void quantities_divide_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *numbers) {
  struct operands by = {0};
  operands_of(error, &by, list, numbers);
  THEN(
      *error, by.are_tensors ? ctorch_aten__foreach_div__List(LIST(tensors, list), LIST(by.tensors, list))
                             : ctorch_aten__foreach_div__ScalarList(LIST(tensors, list), LIST(by.scalars, list)));
  operands_end(&by);
}

void quantities_multiply_grads(ctorch_error **error, struct optimizer_list *list, const struct quantity *numbers) {
  struct operands with = {0};
  ctorch_tensor_list *products = NULL;
  if (list->own_grads != NULL) {
    quantities_multiply_to(error, list, list->grads, numbers);
    return;
  }
  operands_of(error, &with, list, numbers);
  const ctorch_tensor *const *grads = ctorch_const_tensors(list->grads);
  THEN(
      *error, with.are_tensors
                  ? ctorch_aten__foreach_mul_List(&products, grads, list->len, LIST(with.tensors, list))
                  : ctorch_aten__foreach_mul_ScalarList(&products, grads, list->len, LIST(with.scalars, list)));
  if (*error == NULL) {
    list_replace_grads(list, products);
  }
  operands_end(&with);
}

void quantities_multiply_all_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *number) {
  THEN(
      *error, number->tensor != NULL
                  ? ctorch_aten__foreach_mul__Tensor(LIST(tensors, list), number->tensor)
                  : ctorch_aten__foreach_mul__Scalar(LIST(tensors, list), CTORCH_FLOAT(number->value)));
}

void quantities_divide_all_to(
    ctorch_error **error, const struct optimizer_list *list, ctorch_tensor **tensors, const struct quantity *number) {
  THEN(
      *error, number->tensor != NULL
                  ? ctorch_aten__foreach_div__Tensor(LIST(tensors, list), number->tensor)
                  : ctorch_aten__foreach_div__Scalar(LIST(tensors, list), CTORCH_FLOAT(number->value)));
}

/* Decay of weights. */

/* 1 - lr * weight_decay */
static void shrinkage(
    ctorch_error **error, struct quantity *out, const struct optimizer_number *lr, double weight_decay) {
  struct quantity rate = quantity_of(error, lr);
  quantity_multiply(error, out, &rate, weight_decay);
  quantity_subtract_from(error, out, 1, out);
  quantity_end(&rate);
}

void list_shrink_one(
    ctorch_error **error,
    const struct optimizer_list *list,
    size_t i,
    const struct optimizer_number *lr,
    double weight_decay) {
  struct quantity factor = {0};
  if (weight_decay != 0) {
    shrinkage(error, &factor, lr, weight_decay);
    quantity_multiply_to(error, list->params[i], &factor);
    quantity_end(&factor);
  }
}

void list_shrink(
    ctorch_error **error, const struct optimizer_list *list, const struct optimizer_number *lr, double weight_decay) {
  struct quantity factor = {0};
  if (weight_decay != 0) {
    shrinkage(error, &factor, lr, weight_decay);
    quantities_multiply_all_to(error, list, list->params, &factor);
    quantity_end(&factor);
  }
}
