/* Python's operators on numbers, as graphs have them of sizes: `operator`, `math` and torch's own for symbols.
 *
 * Ints are of 64 bits, as LibTorch has them; a result beyond is an error. A bool counts as 0 or 1. */
#include "export/graph.h"

#if CTORCH_HAS_JANSSON

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/c/error.h"

struct number {
  enum { NUMBER_BOOL, NUMBER_INT, NUMBER_FLOAT } kind;
  int64_t i;
  double d; /* always the value */
};

static ctorch_error *read_number(const char *function, struct number *out, const ctorch_value *value) {
  bool truth = false;
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_BOOL:
      CTORCH_TRY(ctorch_value_to_bool(&truth, value));
      *out = (struct number){NUMBER_BOOL, truth, truth};
      return NULL;
    case CTORCH_VALUE_INT:
      out->kind = NUMBER_INT;
      CTORCH_TRY(ctorch_value_to_int(&out->i, value));
      out->d = (double)out->i;
      return NULL;
    case CTORCH_VALUE_DOUBLE:
      *out = (struct number){.kind = NUMBER_FLOAT};
      return ctorch_value_to_double(&out->d, value);
    default:
      return error_make(
          function, CTORCH_ERROR_TYPE, "a number is expected, found %s",
          ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
}

static ctorch_error *read_numbers(
    const char *function, struct number *out, size_t len, const ctorch_value *const *args, size_t args_len) {
  if (args_len != len) {
    return error_make(function, CTORCH_ERROR_TYPE, "it takes %zu arguments, and is given %zu", len, args_len);
  }
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(read_number(function, &out[i], args[i]));
  }
  return NULL;
}

static ctorch_error *too_large(const char *function) {
  return error_make(function, CTORCH_ERROR_VALUE, "the result is beyond 64 bits");
}

static ctorch_error *by_zero(const char *function) {
  return error_make(function, CTORCH_ERROR_VALUE, "division by zero");
}

static bool is_float(const struct number *a, const struct number *b) {
  return a->kind == NUMBER_FLOAT || b->kind == NUMBER_FLOAT;
}

/* Arithmetic ------------------------------------------------------------------------------------------------------- */

typedef bool int_operator(int64_t *out, int64_t a, int64_t b); /* false is beyond 64 bits */
typedef double float_operator(double a, double b);

static ctorch_error *arithmetic(
    const char *function,
    ctorch_value **out,
    const ctorch_value *const *args,
    size_t args_len,
    int_operator *of_ints,
    float_operator *of_floats) {
  struct number n[2] = {0};
  int64_t result = 0;
  CTORCH_TRY(read_numbers(function, n, 2, args, args_len));
  if (is_float(&n[0], &n[1])) {
    return ctorch_value_from_double(out, of_floats(n[0].d, n[1].d));
  }
  return of_ints(&result, n[0].i, n[1].i) ? ctorch_value_from_int(out, result) : too_large(function);
}

static bool add_ints(int64_t *out, int64_t a, int64_t b) {
  bool fits = b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b;
  *out = fits ? a + b : 0;
  return fits;
}
static bool sub_ints(int64_t *out, int64_t a, int64_t b) {
  bool fits = b >= 0 ? a >= INT64_MIN + b : a <= INT64_MAX + b;
  *out = fits ? a - b : 0;
  return fits;
}
static bool mul_ints(int64_t *out, int64_t a, int64_t b) {
  bool fits = a == 0 || b == 0 ||
              ((a > 0) == (b > 0) ? (a > 0 ? a <= INT64_MAX / b : a >= INT64_MAX / b)
                                  : (a > 0 ? (b == -1 || a <= INT64_MIN / b) : (a == -1 || b <= INT64_MIN / a)));
  *out = fits ? a * b : 0;
  return fits;
}
static bool min_ints(int64_t *out, int64_t a, int64_t b) {
  *out = a < b ? a : b;
  return true;
}
static bool max_ints(int64_t *out, int64_t a, int64_t b) {
  *out = a > b ? a : b;
  return true;
}
static double add_floats(double a, double b) { return a + b; }
static double sub_floats(double a, double b) { return a - b; }
static double mul_floats(double a, double b) { return a * b; }
static double min_floats(double a, double b) { return b < a ? b : a; } /* as Python's min */
static double max_floats(double a, double b) { return b > a ? b : a; }

#define ARITHMETIC(name)                                                                            \
  static ctorch_error *name(                                                                        \
      const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) { \
    return arithmetic(function, out, args, args_len, name##_ints, name##_floats);                   \
  }
ARITHMETIC(add)
ARITHMETIC(sub)
ARITHMETIC(mul)
ARITHMETIC(min)
ARITHMETIC(max)

/* Rounded down, as Python divides. */
static ctorch_error *floordiv(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n[2] = {0};
  CTORCH_TRY(read_numbers(function, n, 2, args, args_len));
  if (is_float(&n[0], &n[1])) {
    return n[1].d == 0 ? by_zero(function) : ctorch_value_from_double(out, floor(n[0].d / n[1].d));
  }
  if (n[1].i == 0) {
    return by_zero(function);
  }
  if (n[0].i == INT64_MIN && n[1].i == -1) {
    return too_large(function);
  }
  int64_t quotient = n[0].i / n[1].i, rest = n[0].i % n[1].i;
  return ctorch_value_from_int(out, quotient - (rest != 0 && (rest < 0) != (n[1].i < 0) ? 1 : 0));
}

/* With the sign of the divisor. */
static ctorch_error *mod(const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n[2] = {0};
  CTORCH_TRY(read_numbers(function, n, 2, args, args_len));
  if (is_float(&n[0], &n[1])) {
    double rest = n[1].d == 0 ? 0 : fmod(n[0].d, n[1].d);
    return n[1].d == 0 ? by_zero(function)
                       : ctorch_value_from_double(out, rest != 0 && (rest < 0) != (n[1].d < 0) ? rest + n[1].d : rest);
  }
  if (n[1].i == 0) {
    return by_zero(function);
  }
  int64_t rest = n[1].i == -1 ? 0 : n[0].i % n[1].i;
  return ctorch_value_from_int(out, rest != 0 && (rest < 0) != (n[1].i < 0) ? rest + n[1].i : rest);
}

static ctorch_error *truediv(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n[2] = {0};
  CTORCH_TRY(read_numbers(function, n, 2, args, args_len));
  return n[1].d == 0 ? by_zero(function) : ctorch_value_from_double(out, n[0].d / n[1].d);
}

static ctorch_error *power(const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n[2] = {0};
  CTORCH_TRY(read_numbers(function, n, 2, args, args_len));
  if (is_float(&n[0], &n[1]) || n[1].i < 0) {
    return n[0].d == 0 && n[1].d < 0 ? by_zero(function) : ctorch_value_from_double(out, pow(n[0].d, n[1].d));
  }
  int64_t result = 1, base = n[0].i;
  for (int64_t exponent = n[1].i; exponent > 0; exponent /= 2) {
    if ((exponent % 2 == 1 && !mul_ints(&result, result, base)) || (exponent > 1 && !mul_ints(&base, base, base))) {
      return too_large(function);
    }
  }
  return ctorch_value_from_int(out, result);
}

static ctorch_error *shift(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len, bool is_left) {
  struct number n[2] = {0};
  CTORCH_TRY(read_numbers(function, n, 2, args, args_len));
  if (is_float(&n[0], &n[1]) || n[1].i < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "it shifts ints, by at least 0");
  }
  int64_t by = n[1].i > 63 ? 63 : n[1].i, result = n[0].i;
  if (!is_left) {
    return ctorch_value_from_int(out, result >= 0 ? result >> by : -((-(result + 1)) >> by) - 1);
  }
  for (int64_t i = 0; i < n[1].i && result != 0; i++) {
    if (!mul_ints(&result, result, 2)) {
      return too_large(function);
    }
  }
  return ctorch_value_from_int(out, result);
}

static ctorch_error *lshift(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  return shift(function, out, args, args_len, true);
}
static ctorch_error *rshift(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  return shift(function, out, args, args_len, false);
}

/* Of one number ---------------------------------------------------------------------------------------------------- */

static ctorch_error *neg(const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n = {0};
  CTORCH_TRY(read_numbers(function, &n, 1, args, args_len));
  if (n.kind == NUMBER_FLOAT) {
    return ctorch_value_from_double(out, -n.d);
  }
  return n.i == INT64_MIN ? too_large(function) : ctorch_value_from_int(out, -n.i);
}

static ctorch_error *pos(const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n = {0};
  CTORCH_TRY(read_numbers(function, &n, 1, args, args_len));
  return n.kind == NUMBER_FLOAT ? ctorch_value_from_double(out, n.d) : ctorch_value_from_int(out, n.i);
}

static ctorch_error *rounded(
    const char *function,
    ctorch_value **out,
    const ctorch_value *const *args,
    size_t args_len,
    double (*round_to)(double)) {
  struct number n = {0};
  CTORCH_TRY(read_numbers(function, &n, 1, args, args_len));
  if (n.kind != NUMBER_FLOAT) {
    return ctorch_value_from_int(out, n.i);
  }
  double whole = round_to(n.d);
  return whole >= -0x1p63 && whole < 0x1p63 ? ctorch_value_from_int(out, (int64_t)whole) : too_large(function);
}

static ctorch_error *truncated(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  return rounded(function, out, args, args_len, trunc);
}
static ctorch_error *floored(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  return rounded(function, out, args, args_len, floor);
}
static ctorch_error *ceiled(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  return rounded(function, out, args, args_len, ceil);
}

static ctorch_error *to_float(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n = {0};
  CTORCH_TRY(read_numbers(function, &n, 1, args, args_len));
  return ctorch_value_from_double(out, n.d);
}

static ctorch_error *square_root(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n = {0};
  CTORCH_TRY(read_numbers(function, &n, 1, args, args_len));
  return n.d < 0 ? error_make(function, CTORCH_ERROR_VALUE, "the root of a negative number")
                 : ctorch_value_from_double(out, sqrt(n.d));
}

static ctorch_error *negated(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n = {0};
  CTORCH_TRY(read_numbers(function, &n, 1, args, args_len));
  return ctorch_value_from_bool(out, n.d == 0);
}

/* Comparisons and logic -------------------------------------------------------------------------------------------- */

/* -1, 0 or 1; 2 with a NaN. An int and a float are compared as Python does, without a loss of digits. */
static int compare(const struct number *a, const struct number *b) {
  if (a->kind != NUMBER_FLOAT && b->kind != NUMBER_FLOAT) {
    return (a->i > b->i) - (a->i < b->i);
  }
  if (isnan(a->d) || isnan(b->d)) {
    return 2;
  }
  if (a->kind != NUMBER_FLOAT || b->kind != NUMBER_FLOAT) {
    const struct number *whole = a->kind == NUMBER_FLOAT ? b : a, *real = a->kind == NUMBER_FLOAT ? a : b;
    int side = real->d >= 0x1p63 ? -1 : real->d < -0x1p63 ? 1 : 0; /* of the int, seen from the float */
    if (side == 0) {
      int64_t floor_of = (int64_t)floor(real->d);
      side = whole->i > floor_of ? 1 : whole->i < floor_of || floor(real->d) < real->d ? -1 : 0;
    }
    return whole == a ? side : -side;
  }
  return (a->d > b->d) - (a->d < b->d);
}

#define COMPARISON(name, test)                                                                      \
  static ctorch_error *name(                                                                        \
      const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) { \
    struct number n[2] = {0};                                                                       \
    CTORCH_TRY(read_numbers(function, n, 2, args, args_len));                                       \
    int order = compare(&n[0], &n[1]);                                                              \
    return ctorch_value_from_bool(out, test);                                                       \
  }
COMPARISON(equal, order == 0)
COMPARISON(not_equal, order != 0)
COMPARISON(less, order == -1)
COMPARISON(at_most, order == -1 || order == 0)
COMPARISON(greater, order == 1)
COMPARISON(at_least, order == 1 || order == 0)

/* Bit by bit, as Python's & and |: of bools it is a bool. */
static ctorch_error *logic(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len, bool is_and) {
  struct number n[2] = {0};
  CTORCH_TRY(read_numbers(function, n, 2, args, args_len));
  if (is_float(&n[0], &n[1])) {
    return error_make(function, CTORCH_ERROR_TYPE, "bools or ints are expected, found a float");
  }
  int64_t result = is_and ? n[0].i & n[1].i : n[0].i | n[1].i;
  return n[0].kind == NUMBER_BOOL && n[1].kind == NUMBER_BOOL ? ctorch_value_from_bool(out, result != 0)
                                                              : ctorch_value_from_int(out, result);
}

static ctorch_error *both(const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  return logic(function, out, args, args_len, true);
}
static ctorch_error *either(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  return logic(function, out, args, args_len, false);
}

static ctorch_error *if_then_else(
    const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number n[3] = {0};
  CTORCH_TRY(read_numbers(function, n, 3, args, args_len));
  const ctorch_value *chosen = args[n[0].d != 0 ? 1 : 2];
  ctorch_value_retain(chosen);
  *out = (ctorch_value *)chosen;
  return NULL;
}

static ctorch_error *sum(const char *function, ctorch_value **out, const ctorch_value *const *args, size_t args_len) {
  struct number total = {NUMBER_INT, 0, 0};
  size_t len = args_len == 1 ? ctorch_value_len(args[0]) : 0;
  for (size_t i = 0; i < len; i++) {
    ctorch_value *entry = NULL;
    struct number n = {0};
    CTORCH_TRY(ctorch_value_get(&entry, args[0], i));
    ctorch_error *error = read_number(function, &n, entry);
    ctorch_value_release(entry);
    CTORCH_TRY(error);
    total.kind = n.kind == NUMBER_FLOAT ? NUMBER_FLOAT : total.kind;
    total.d += n.d;
    if (total.kind == NUMBER_INT && !add_ints(&total.i, total.i, n.i)) {
      return too_large(function);
    }
  }
  return total.kind == NUMBER_FLOAT ? ctorch_value_from_double(out, total.d) : ctorch_value_from_int(out, total.i);
}

graph_function *graph_function_of(const char *target) {
  static const struct {
    const char *target;
    graph_function *function;
  } FUNCTIONS[] = {
      {"_operator.add", add},          {"_operator.sub", sub},
      {"_operator.mul", mul},          {"_operator.floordiv", floordiv},
      {"_operator.mod", mod},          {"_operator.truediv", truediv},
      {"_operator.pow", power},        {"_operator.lshift", lshift},
      {"_operator.rshift", rshift},    {"_operator.neg", neg},
      {"_operator.pos", pos},          {"_operator.eq", equal},
      {"_operator.ne", not_equal},     {"_operator.lt", less},
      {"_operator.le", at_most},       {"_operator.gt", greater},
      {"_operator.ge", at_least},      {"_operator.and_", both},
      {"_operator.or_", either},       {"math.trunc", truncated},
      {"math.floor", floored},         {"math.ceil", ceiled},
      {"torch.sym_int", truncated},    {"torch.sym_float", to_float},
      {"torch.sym_max", max},          {"torch.sym_min", min},
      {"torch.sym_not", negated},      {"torch.sym_ite", if_then_else},
      {"torch.sym_sum", sum},          {"torch._sym_sqrt", square_root},
      {"torch.sym_sqrt", square_root},
  };
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
    if (strcmp(FUNCTIONS[i].target, target) == 0) {
      return FUNCTIONS[i].function;
    }
  }
  return NULL;
}

#endif
