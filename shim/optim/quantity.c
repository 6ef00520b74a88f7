/* Numbers that may be tensors. */
#include "quantity.h"

#include <math.h>

struct quantity quantity_of(const struct optimizer_number *number) {
  return (struct quantity){.value = number->value, .tensor = number->tensor};
}

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
  if (q->error == NULL) {
    q->error = ctorch_aten_reciprocal(&inverse, b->tensor);
  }
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
  if (q->error == NULL) {
    q->error = self->tensor != NULL ? ctorch_aten_mul__Tensor(tensor, self->tensor) : scale(tensor, self->value);
  }
}

void quantity_add_to(struct quantities *q, ctorch_tensor *tensor, const struct quantity *self) {
  if (q->error == NULL) {
    q->error = self->tensor != NULL ? ctorch_aten_add__Tensor(tensor, self->tensor, NULL)
                                    : ctorch_aten_add__Scalar(tensor, CTORCH_FLOAT(self->value), NULL);
  }
}

void quantity_divide_tensor(
    struct quantities *q, ctorch_tensor **out, const ctorch_tensor *tensor, const struct quantity *self) {
  if (q->error == NULL) {
    q->error = self->tensor != NULL ? ctorch_aten_div_Tensor(out, tensor, self->tensor)
                                    : ctorch_aten_div_Scalar(out, tensor, CTORCH_FLOAT(self->value));
  }
}

void quantity_lerp_to(
    struct quantities *q, ctorch_tensor *tensor, const ctorch_tensor *end, const struct quantity *weight) {
  if (q->error == NULL) {
    q->error = weight->tensor != NULL ? ctorch_aten_lerp__Tensor(tensor, end, weight->tensor)
                                      : ctorch_aten_lerp__Scalar(tensor, end, CTORCH_FLOAT(weight->value));
  }
}
