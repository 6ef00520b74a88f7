/* Numbers as Python computes with them. */
#include "lr_scheduler/arithmetic.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"

ctorch_error *arithmetic_end(struct arithmetic *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tensor_release(self->tensors[i]);
  }
  free(self->tensors);
  ctorch_error *error = self->error;
  *self = (struct arithmetic){.function = self->function};
  return error;
}

/* A tensor that lives as long as the arithmetic, which takes it over. */
static struct number keep(struct arithmetic *self, ctorch_tensor *tensor) {
  THEN(self->error, array_grow(self->function, &self->tensors, self->len, sizeof *self->tensors));
  if (self->error != NULL) {
    ctorch_tensor_release(tensor);
    return integer(0);
  }
  self->tensors[self->len++] = tensor;
  return (struct number){.kind = NUMBER_TENSOR, .tensor = tensor};
}

/* A number as operators take it beside tensors: a tensor of no dimension that leaves their dtype alone. */
static const ctorch_tensor *operand(struct arithmetic *self, struct number number) {
  ctorch_tensor *tensor = NULL;
  if (self->error != NULL || number.kind == NUMBER_TENSOR) {
    return number.tensor;
  }
  self->error = ctorch_tensor_wrapped_number(
      &tensor, number.kind == NUMBER_INT ? CTORCH_INT(number.integer) : CTORCH_FLOAT(number.real));
  return keep(self, tensor).tensor;
}

typedef ctorch_error *(*operator_of_two)(ctorch_tensor **out, const ctorch_tensor *a, const ctorch_tensor *b);

static ctorch_error *add(ctorch_tensor **out, const ctorch_tensor *a, const ctorch_tensor *b) {
  return ctorch_aten_add_Tensor(out, a, b, NULL);
}

static ctorch_error *subtract(ctorch_tensor **out, const ctorch_tensor *a, const ctorch_tensor *b) {
  return ctorch_aten_sub_Tensor(out, a, b, NULL);
}

static struct number by_operator(struct arithmetic *self, operator_of_two compute, struct number a, struct number b) {
  ctorch_tensor *result = NULL;
  const ctorch_tensor *first = operand(self, a), *second = operand(self, b);
  THEN(self->error, compute(&result, first, second));
  return keep(self, result);
}

static bool has_tensor(struct number a, struct number b) { return a.kind == NUMBER_TENSOR || b.kind == NUMBER_TENSOR; }

static bool are_ints(struct number a, struct number b) { return a.kind == NUMBER_INT && b.kind == NUMBER_INT; }

static double as_double(struct number number) {
  return number.kind == NUMBER_INT ? (double)number.integer : number.real;
}

struct number plus(struct arithmetic *self, struct number a, struct number b) {
  int64_t sum;
  if (has_tensor(a, b)) {
    return by_operator(self, add, a, b);
  }
  if (are_ints(a, b) && !__builtin_add_overflow(a.integer, b.integer, &sum)) {
    return integer(sum);
  }
  return real(as_double(a) + as_double(b));
}

struct number minus(struct arithmetic *self, struct number a, struct number b) {
  int64_t difference;
  if (has_tensor(a, b)) {
    return by_operator(self, subtract, a, b);
  }
  if (are_ints(a, b) && !__builtin_sub_overflow(a.integer, b.integer, &difference)) {
    return integer(difference);
  }
  return real(as_double(a) - as_double(b));
}

struct number times(struct arithmetic *self, struct number a, struct number b) {
  int64_t product;
  if (has_tensor(a, b)) {
    return by_operator(self, ctorch_aten_mul_Tensor, a, b);
  }
  if (are_ints(a, b) && !__builtin_mul_overflow(a.integer, b.integer, &product)) {
    return integer(product);
  }
  return real(as_double(a) * as_double(b));
}

static bool is_zero(struct arithmetic *self, struct number number) {
  if (as_double(number) != 0) {
    return false;
  }
  THEN(self->error, error_make(self->function, CTORCH_ERROR_VALUE, "division by zero"));
  return true;
}

struct number over(struct arithmetic *self, struct number a, struct number b) {
  if (b.kind == NUMBER_TENSOR && a.kind != NUMBER_TENSOR) { /* Python's number / tensor */
    ctorch_tensor *inverse = NULL;
    THEN(self->error, ctorch_aten_reciprocal(&inverse, b.tensor));
    return times(self, keep(self, inverse), a);
  }
  if (has_tensor(a, b)) {
    return by_operator(self, ctorch_aten_div_Tensor, a, b);
  }
  return is_zero(self, b) ? integer(0) : real(as_double(a) / as_double(b));
}

struct number modulo(struct arithmetic *self, struct number a, struct number b) {
  if (has_tensor(a, b)) {
    a = real(to_real(self, a));
    b = real(to_real(self, b));
  }
  if (is_zero(self, b)) {
    return integer(0);
  }
  if (are_ints(a, b)) {
    int64_t rest = b.integer == -1 ? 0 : a.integer % b.integer;
    return integer(rest != 0 && (rest < 0) != (b.integer < 0) ? rest + b.integer : rest);
  }
  double divisor = as_double(b), rest = fmod(as_double(a), divisor);
  if (rest == 0) {
    return real(copysign(0, divisor));
  }
  return real((rest < 0) != (divisor < 0) ? rest + divisor : rest);
}

struct number floor_over(struct arithmetic *self, struct number a, struct number b) {
  if (has_tensor(a, b)) {
    a = real(to_real(self, a));
    b = real(to_real(self, b));
  }
  if (is_zero(self, b)) {
    return integer(0);
  }
  if (are_ints(a, b) && !(b.integer == -1 && a.integer == INT64_MIN)) {
    int64_t quotient = a.integer / b.integer;
    return integer(quotient * b.integer != a.integer && (a.integer < 0) != (b.integer < 0) ? quotient - 1 : quotient);
  }
  /* What is left after the rest was taken off divides evenly, but for rounding. */
  double dividend = as_double(a), divisor = as_double(b), rest = as_double(modulo(self, real(dividend), real(divisor)));
  double quotient = (dividend - rest) / divisor;
  if (quotient == 0) {
    return real(copysign(0, dividend / divisor));
  }
  double down = floor(quotient);
  return real(quotient - down > 0.5 ? down + 1 : down);
}

/* Base to the power of an int that is not negative; false if no int holds it. */
static bool int_power(int64_t base, int64_t exponent, int64_t *out) {
  int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) {
      return false;
    }
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) {
      return false;
    }
  }
  *out = result;
  return true;
}

struct number power(struct arithmetic *self, struct number base, struct number exponent) {
  int64_t result;
  if (has_tensor(base, exponent)) {
    base = real(to_real(self, base));
    exponent = real(to_real(self, exponent));
  }
  if (are_ints(base, exponent) && exponent.integer >= 0 && int_power(base.integer, exponent.integer, &result)) {
    return integer(result);
  }
  double x = as_double(base), y = as_double(exponent);
  if (y < 0 && is_zero(self, base)) {
    return integer(0);
  }
  if (x < 0 && floor(y) != y && self->error == NULL) {
    self->error = error_make(self->function, CTORCH_ERROR_VALUE, "%g to the power of %g is not a real number", x, y);
  }
  return real(pow(x, y));
}

double to_real(struct arithmetic *self, struct number number) {
  double value = 0;
  if (number.kind != NUMBER_TENSOR) {
    return as_double(number);
  }
  THEN(self->error, ctorch_tensor_item_double(&value, number.tensor));
  return value;
}

bool is_less(struct arithmetic *self, struct number a, struct number b) {
  return are_ints(a, b) ? a.integer < b.integer : to_real(self, a) < to_real(self, b);
}

bool is_equal(struct arithmetic *self, struct number a, struct number b) {
  return are_ints(a, b) ? a.integer == b.integer : to_real(self, a) == to_real(self, b);
}

struct number floored(struct arithmetic *self, struct number number) {
  if (number.kind == NUMBER_INT) {
    return number;
  }
  double down = floor(to_real(self, number));
  if (!(down >= -9223372036854775808.0 && down < 9223372036854775808.0)) {
    THEN(self->error, error_make(self->function, CTORCH_ERROR_VALUE, "%g cannot be an integer of 64 bits", down));
    return integer(0);
  }
  return integer((int64_t)down);
}

struct number cloned(struct arithmetic *self, struct number number) {
  ctorch_tensor *copy = NULL;
  if (number.kind != NUMBER_TENSOR) {
    return number;
  }
  THEN(self->error, ctorch_aten_clone(&copy, number.tensor, NULL));
  return keep(self, copy);
}

struct number number_of_value(struct arithmetic *self, const ctorch_value *value, const char *what) {
  struct number number = integer(0);
  ctorch_tensor *tensor = NULL;
  bool truth = false;
  if (self->error != NULL) {
    return number;
  }
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_INT:
      self->error = ctorch_value_to_int(&number.integer, value);
      return number;
    case CTORCH_VALUE_BOOL: /* an int to Python */
      self->error = ctorch_value_to_bool(&truth, value);
      return integer(truth);
    case CTORCH_VALUE_DOUBLE:
      number.kind = NUMBER_REAL;
      self->error = ctorch_value_to_double(&number.real, value);
      return number;
    case CTORCH_VALUE_TENSOR:
      self->error = ctorch_value_to_tensor(&tensor, value);
      return keep(self, tensor);
    default:
      self->error = error_make(
          self->function, CTORCH_ERROR_TYPE, "%s: expected a number, found %s", what,
          ctorch_value_kind_name(ctorch_value_kind_of(value)));
      return number;
  }
}

ctorch_value *value_of_number(struct arithmetic *self, struct number number) {
  ctorch_value *value = NULL;
  if (self->error != NULL) {
    return NULL;
  }
  switch (number.kind) {
    case NUMBER_INT:
      self->error = ctorch_value_from_int(&value, number.integer);
      break;
    case NUMBER_REAL:
      self->error = ctorch_value_from_double(&value, number.real);
      break;
    case NUMBER_TENSOR:
      self->error = ctorch_value_from_tensor(&value, number.tensor);
      break;
  }
  return value;
}
