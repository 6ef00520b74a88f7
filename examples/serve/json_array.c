#include "json_array.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the numbers are ------------------------------------------------------------------------------------------- */

static bool is_space(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

static const char *after_space(const char *at, const char *end) {
  while (at < end && is_space(*at)) {
    at++;
  }
  return at;
}

/* Behind the text whose quote is at `at`. */
static const char *after_text(const char *at, const char *end) {
  for (at++; at < end && *at != '"'; at++) {
    at += *at == '\\' && at + 1 < end;
  }
  return at < end ? at + 1 : end;
}

/* Behind the list whose bracket is at `at`; NULL if it does not end. */
static const char *after_list(const char *at, const char *end) {
  for (size_t depth = 0; at < end;) {
    if (*at == '"') {
      at = after_text(at, end);
      continue;
    }
    depth += *at == '[';
    if (*at++ == ']' && --depth == 0) {
      return at;
    }
  }
  return NULL;
}

/* The value of the name that ends at `at`; NULL if it is no name, but a value itself. */
static const char *value_after(const char *at, const char *end) {
  at = after_space(at, end);
  if (at == end || *at != ':') {
    return NULL;
  }
  at = after_space(at + 1, end);
  return at < end ? at : NULL;
}

static bool is_name(const char *begin, const char *end, const char *name) {
  const size_t len = strlen(name);
  return (size_t)(end - begin) == len + 2 && memcmp(begin + 1, name, len) == 0;
}

bool json_array_find(json_span *out, const char *text, size_t len, const char *outer, const char *key) {
  const char *end = text + len;
  char open[3] = "";
  bool is_inside = false;
  size_t depth = 0;
  for (const char *at = text; at < end;) {
    if (*at == '"') {
      const char *behind = after_text(at, end), *value = value_after(behind, end);
      if (value != NULL && depth == 1) {
        is_inside = is_name(at, behind, outer);
      } else if (
          value != NULL && depth == 3 && is_inside && memcmp(open, "{[{", sizeof open) == 0 &&
          is_name(at, behind, key)) {
        *out = (json_span){.begin = value, .end = *value == '[' ? after_list(value, end) : NULL};
        return out->end != NULL;
      }
      at = behind;
      continue;
    }
    if (*at == '{' || *at == '[') {
      if (depth < sizeof open) {
        open[depth] = *at;
      }
      depth++;
    } else if (*at == '}' || *at == ']') {
      if (depth-- == 0) {
        return false;
      }
    }
    at++;
  }
  return false;
}

/* Numbers --------------------------------------------------------------------------------------------------------- */

/* A number as it is written: digits times a power of ten. */
typedef struct decimal {
  json_span text;
  uint64_t digits; /* as many as fit */
  int exponent;
  bool is_negative, is_integer, is_whole; /* without a fraction or power; all of its digits did fit */
} decimal;

static bool is_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

static const char *take_digits(decimal *self, const char *at, const char *end, int step) {
  for (; is_digit(at, end); at++) {
    uint64_t digits;
    if (__builtin_mul_overflow(self->digits, 10, &digits) ||
        __builtin_add_overflow(digits, (uint64_t)(*at - '0'), &digits)) {
      self->is_whole = false;
    } else {
      self->digits = digits;
      self->exponent += step;
    }
  }
  return at;
}

static const char *take_exponent(decimal *self, const char *at, const char *end) {
  enum { MOST = 100000 }; /* far beyond what any number has */
  int exponent = 0;
  const bool is_negative = at < end && *at == '-';
  at += at < end && (*at == '-' || *at == '+');
  if (!is_digit(at, end)) {
    return NULL;
  }
  for (; is_digit(at, end); at++) {
    exponent = exponent < MOST ? 10 * exponent + (*at - '0') : exponent;
  }
  self->exponent += is_negative ? -exponent : exponent;
  return at;
}

/* By JSON's grammar; NULL if it is no number, otherwise what is behind it. */
static const char *decimal_read(decimal *out, const char *at, const char *end) {
  *out = (decimal){.text.begin = at, .is_negative = *at == '-', .is_integer = true, .is_whole = true};
  at += out->is_negative;
  if (!is_digit(at, end) || (*at == '0' && is_digit(at + 1, end))) {
    return NULL;
  }
  at = take_digits(out, at, end, 0);
  if (at < end && *at == '.') {
    out->is_integer = false;
    if (!is_digit(at + 1, end)) {
      return NULL;
    }
    at = take_digits(out, at + 1, end, -1);
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    out->is_integer = false;
    at = take_exponent(out, at + 1, end);
  }
  out->text.end = at;
  return at;
}

/* The C library's way, which is exact for any number, and slow. */
static double decimal_to_double_slowly(const decimal *self) {
  char brief[64], *text = brief;
  const size_t len = (size_t)(self->text.end - self->text.begin);
  if (len >= sizeof brief && (text = malloc(len + 1)) == NULL) {
    return NAN;
  }
  memcpy(text, self->text.begin, len);
  text[len] = '\0';
  const double number = strtod(text, NULL);
  if (text != brief) {
    free(text);
  }
  return number;
}

/* The nearest double. Digits and small powers of ten are exact as long doubles, so that the result is one rounding off
 * at most; where that could make another double of it, and where long doubles are no longer than doubles, the slow way
 * decides. */
static double decimal_to_double(const decimal *self) {
  static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                       1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                       1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
  const int most = sizeof powers / sizeof *powers - 1;
  if (!self->is_whole || self->exponent < -most || self->exponent > most) {
    return decimal_to_double_slowly(self);
  }
  const long double digits = (long double)self->digits;
  const long double number = self->exponent < 0 ? digits / powers[-self->exponent] : digits * powers[self->exponent];
  const double low = (double)(number * (1 - 2 * LDBL_EPSILON)), high = (double)(number * (1 + 2 * LDBL_EPSILON));
  if (low != high) {
    return decimal_to_double_slowly(self);
  }
  return self->is_negative ? -low : low;
}

/* Arrays ---------------------------------------------------------------------------------------------------------- */

/* The numbers yet to be read, and where to. */
typedef struct reader {
  const char *at, *end;
  char *to;
  const char *to_end;
  ctorch_dtype dtype;
} reader;

static ctorch_error *refuse(const reader *self, const char *what) {
  return ctorch_error_format(CTORCH_ERROR_FORMAT, "data: %s is no %s", what, array_datatype(self->dtype));
}

static void put(reader *self, const void *number, size_t nbytes) {
  memcpy(self->to, number, nbytes);
  self->to += nbytes;
}

static ctorch_error *read_float(reader *self, const decimal *given) {
  const double number = decimal_to_double(given);
  const float single = (float)number;
  if (self->dtype == CTORCH_DTYPE_FLOAT32 ? !isfinite(single) : !isfinite(number)) {
    return refuse(self, "a number beyond its range");
  }
  if (self->dtype == CTORCH_DTYPE_FLOAT32) {
    put(self, &single, sizeof single);
  } else {
    put(self, &number, sizeof number);
  }
  return NULL;
}

/* The greatest number of an integer type; the least is 0, or one further from it. */
static uint64_t integer_max(ctorch_dtype dtype) {
  const uint64_t bits = 8 * ctorch_dtype_itemsize(dtype);
  const bool is_signed = dtype == CTORCH_DTYPE_INT8 || dtype == CTORCH_DTYPE_INT16 || dtype == CTORCH_DTYPE_INT32 ||
                         dtype == CTORCH_DTYPE_INT64;
  return is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
}

static ctorch_error *read_integer(reader *self, const decimal *given) {
  const uint64_t max = integer_max(self->dtype), digits = given->digits;
  const size_t nbytes = ctorch_dtype_itemsize(self->dtype);
  const bool is_signed = max != UINT64_MAX >> (64 - 8 * nbytes);
  if (!given->is_integer) {
    return refuse(self, "what is no integer");
  }
  if (!given->is_whole || digits > max + (given->is_negative && is_signed) ||
      (given->is_negative && !is_signed && digits > 0)) {
    return refuse(self, "a number beyond its range");
  }
  const uint64_t eight = given->is_negative ? 0 - digits : digits;
  const uint32_t four = (uint32_t)eight;
  const uint16_t two = (uint16_t)eight;
  const uint8_t one = (uint8_t)eight;
  const void *const numbers[] = {&one, &two, &four, &eight};
  put(self, numbers[nbytes == 8 ? 3 : nbytes / 2], nbytes);
  return NULL;
}

static ctorch_error *read_bool(reader *self) {
  const size_t len = (size_t)(self->end - self->at);
  const bool is_true = len >= 4 && memcmp(self->at, "true", 4) == 0;
  if (!is_true && !(len >= 5 && memcmp(self->at, "false", 5) == 0)) {
    return refuse(self, "what is neither true nor false");
  }
  self->at += is_true ? 4 : 5;
  put(self, &is_true, sizeof is_true);
  return NULL;
}

static ctorch_error *read_number(reader *self) {
  decimal number;
  if (self->to == self->to_end) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "data: more numbers than the shape has");
  }
  if (self->dtype == CTORCH_DTYPE_BOOL) {
    return read_bool(self);
  }
  self->at = decimal_read(&number, self->at, self->end);
  if (self->at == NULL) {
    return refuse(self, "what is no number");
  }
  return self->dtype == CTORCH_DTYPE_FLOAT32 || self->dtype == CTORCH_DTYPE_FLOAT64 ? read_float(self, &number)
                                                                                    : read_integer(self, &number);
}

/* Brackets are matched already; between two values is a comma, and nowhere else. */
static ctorch_error *read_lists(reader *self) {
  bool is_value_due = true, is_empty = false;
  for (; (self->at = after_space(self->at, self->end)) < self->end;) {
    const char next = *self->at;
    if (next == '[' && is_value_due) {
      is_empty = true;
      self->at++;
    } else if (next == ']' && (is_empty || !is_value_due)) {
      is_value_due = is_empty = false;
      self->at++;
    } else if (next == ',' && !is_value_due) {
      is_value_due = true;
      self->at++;
    } else if (is_value_due && next != ']') {
      CTORCH_TRY(read_number(self));
      is_value_due = is_empty = false;
    } else {
      return ctorch_error_format(CTORCH_ERROR_FORMAT, "data: no list of numbers");
    }
  }
  return NULL;
}

ctorch_error *json_array_read(array *self, json_span list) {
  reader numbers = {
      .at = list.begin,
      .end = list.end,
      .to = self->data,
      .to_end = (char *)self->data + self->nbytes,
      .dtype = self->form.dtype,
  };
  if (self->form.dtype == CTORCH_DTYPE_FLOAT16 || self->form.dtype == CTORCH_DTYPE_BFLOAT16) {
    return refuse(&numbers, "JSON");
  }
  CTORCH_TRY(read_lists(&numbers));
  return numbers.to == numbers.to_end
             ? NULL
             : ctorch_error_format(CTORCH_ERROR_FORMAT, "data: fewer numbers than the shape has");
}

static void write_float(FILE *file, double number, int digits) {
  if (number == 0) {
    fputs(signbit(number) ? "-0.0" : "0.0", file); /* many take "-0" for an integer */
  } else if (isfinite(number)) {
    fprintf(file, "%.*g", digits, number);
  } else {
    fputs("null", file);
  }
}

#define WRITE(type, ...)                            \
  do {                                              \
    for (size_t i = 0; i < len; i++) {              \
      type number;                                  \
      memcpy(&number, at + i * itemsize, itemsize); \
      if (i > 0) {                                  \
        fputc(',', file);                           \
      }                                             \
      __VA_ARGS__;                                  \
    }                                               \
  } while (0)

ctorch_error *json_array_write(const array *self, FILE *file) {
  const size_t itemsize = ctorch_dtype_itemsize(self->form.dtype), len = self->nbytes / itemsize;
  const char *at = self->data;
  fputc('[', file);
  switch (self->form.dtype) {
    case CTORCH_DTYPE_FLOAT32:
      WRITE(float, write_float(file, (double)number, FLT_DECIMAL_DIG));
      break;
    case CTORCH_DTYPE_FLOAT64:
      WRITE(double, write_float(file, number, DBL_DECIMAL_DIG));
      break;
    case CTORCH_DTYPE_BOOL:
      WRITE(uint8_t, fputs(number != 0 ? "true" : "false", file));
      break;
    case CTORCH_DTYPE_UINT8:
      WRITE(uint8_t, fprintf(file, "%" PRIu8, number));
      break;
    case CTORCH_DTYPE_INT8:
      WRITE(int8_t, fprintf(file, "%" PRId8, number));
      break;
    case CTORCH_DTYPE_UINT16:
      WRITE(uint16_t, fprintf(file, "%" PRIu16, number));
      break;
    case CTORCH_DTYPE_INT16:
      WRITE(int16_t, fprintf(file, "%" PRId16, number));
      break;
    case CTORCH_DTYPE_UINT32:
      WRITE(uint32_t, fprintf(file, "%" PRIu32, number));
      break;
    case CTORCH_DTYPE_INT32:
      WRITE(int32_t, fprintf(file, "%" PRId32, number));
      break;
    case CTORCH_DTYPE_UINT64:
      WRITE(uint64_t, fprintf(file, "%" PRIu64, number));
      break;
    case CTORCH_DTYPE_INT64:
      WRITE(int64_t, fprintf(file, "%" PRId64, number));
      break;
    default:
      return ctorch_error_format(
          CTORCH_ERROR_FORMAT, "outputs: %s does not go in JSON: ask for binary_data",
          array_datatype(self->form.dtype));
  }
  fputc(']', file);
  return NULL;
}
