/**
 * Numbers as Python computes with them: ints stay ints until they are divided, and a tensor makes a tensor of what it
 * meets. So learning rates come out the same to the last bit, and what is saved of them is of the same type.
 *
 *     struct arithmetic a = {.function = __func__};
 *     struct number lr = over(&a, times(&a, minus(&a, base, minimum), real(1 + cos(angle))), integer(2));
 *     …
 *     return arithmetic_end(&a);
 *
 * What fails is in `error`, and everything after it does nothing. Tensors live until arithmetic_end.
 */
#ifndef CTORCH_SHIM_LR_SCHEDULER_ARITHMETIC_H
#define CTORCH_SHIM_LR_SCHEDULER_ARITHMETIC_H

#include <ctorch.h>

struct number {
  enum number_kind { NUMBER_INT, NUMBER_REAL, NUMBER_TENSOR } kind;
  int64_t integer;
  double real;
  const ctorch_tensor *tensor;
};

struct arithmetic {
  const char *function;
  ctorch_error *error;
  ctorch_tensor **tensors; /* of results, and what was read from values */
  size_t len;
};

ctorch_error *arithmetic_end(struct arithmetic *self) __attribute__((warn_unused_result));

static inline struct number integer(int64_t value) { return (struct number){.kind = NUMBER_INT, .integer = value}; }
static inline struct number real(double value) { return (struct number){.kind = NUMBER_REAL, .real = value}; }

struct number plus(struct arithmetic *self, struct number a, struct number b);
struct number minus(struct arithmetic *self, struct number a, struct number b);
struct number times(struct arithmetic *self, struct number a, struct number b);

/* VALUE for a division by zero, which is Python's ZeroDivisionError, unless there is a tensor. */

struct number over(struct arithmetic *self, struct number a, struct number b);
/** Rounded down; not of tensors. */
struct number floor_over(struct arithmetic *self, struct number a, struct number b);
/** With the sign of the divisor; not of tensors. */
struct number modulo(struct arithmetic *self, struct number a, struct number b);
/** Not of tensors. */
struct number power(struct arithmetic *self, struct number base, struct number exponent);

/** a < b, and a == b; a tensor is read. */
bool is_less(struct arithmetic *self, struct number a, struct number b);
bool is_equal(struct arithmetic *self, struct number a, struct number b);

/** As a double number, as math.cos takes it; a tensor is read. */
double to_real(struct arithmetic *self, struct number number);
/** Rounded down to an int, as math.floor does; VALUE for what no int can be. */
struct number floored(struct arithmetic *self, struct number number);

/** A copy of a tensor; a number stays. */
struct number cloned(struct arithmetic *self, struct number number);

/** The number that a value is; `what` is its name in the message of the TYPE that it is otherwise. */
struct number number_of_value(struct arithmetic *self, const ctorch_value *value, const char *what);
/** A new value, owned; NULL after a failure. */
ctorch_value *value_of_number(struct arithmetic *self, struct number number);

#endif
