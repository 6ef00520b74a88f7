/* A libctorch with the functions of functions.h alone. */
#include <stdarg.h>

#include "loader/functions.h"

void ctorch_aten_add_Tensor(
    many *out,
    int64_t i0,
    double d0,
    int64_t i1,
    double d1,
    const void *p0,
    int64_t i2,
    double d2,
    int64_t i3,
    double d3,
    int64_t i4,
    double d4,
    float f,
    int64_t i5,
    double d5,
    const void *p1,
    int64_t i6,
    double d6,
    int32_t i,
    int64_t i7,
    double d7,
    int8_t negative,
    int64_t i8,
    double d8,
    bool b,
    int64_t i9,
    double d9,
    const void *p2) {
  *out = (many){
      {i0, i1, i2, i3, i4, i5, i6, i7, i8, i9},
      {d0, d1, d2, d3, d4, d5, d6, d7, d8, d9},
      {p0, p1, p2},
      f,
      i,
      negative,
      b,
  };
}

large ctorch_aten_sub_Tensor(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f) {
  return (large){{a + 1, b + 1, c + 1, d + 1, e + 1, f + 1}};
}

doubles ctorch_aten_mul_Tensor(doubles a, doubles b, doubles c, double x) {
  doubles result;
  for (int k = 0; k < 4; k++) {
    result.numbers[k] = a.numbers[k] - b.numbers[k] + c.numbers[k] * x;
  }
  return result;
}

vector ctorch_aten_div_Tensor(
    vector v0, vector v1, vector v2, vector v3, vector v4, vector v5, vector v6, vector v7, vector v8, vector v9) {
  return v0 + 2 * v1 + 3 * v2 + 4 * v3 + 5 * v4 + 6 * v5 + 7 * v6 + 8 * v7 + 9 * v8 + 10 * v9;
}

double ctorch_aten_neg(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  double sum = 0;
  for (int k = 0; k < count; k++) {
    int64_t integer = va_arg(arguments, int64_t);
    sum += (double)integer * va_arg(arguments, double);
  }
  va_end(arguments);
  return sum;
}
