/* Functions that bear names of the ABI and take arguments of every sort, in more than there are registers: the loader
 * must hand them on as they are. ctorch.c defines them, and does what a comment here says. */
#ifndef CTORCH_TESTS_LOADER_FUNCTIONS_H
#define CTORCH_TESTS_LOADER_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct many {
  int64_t integers[10];
  double doubles[10];
  const void *pointers[3];
  float f;
  int32_t i;
  int8_t negative;
  bool b;
} many;

typedef struct large { /* more than registers return: the caller says where to put it, on ARM64 in x8 */
  int64_t numbers[6];
} large;

typedef struct doubles { /* on ARM64 in the low halves of four vector registers */
  double numbers[4];
} doubles;

typedef float vector __attribute__((vector_size(16))); /* a whole vector register */

/* *out is what was passed. */
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
    const void *p2);
/* The numbers, one up each. */
large ctorch_aten_sub_Tensor(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f);
/* a - b + c * x, element by element. */
doubles ctorch_aten_mul_Tensor(doubles a, doubles b, doubles c, double x);
/* The sum of v[k] * (k + 1). */
vector ctorch_aten_div_Tensor(
    vector v0, vector v1, vector v2, vector v3, vector v4, vector v5, vector v6, vector v7, vector v8, vector v9);
/* The sum of `count` pairs of an int64_t and a double, each integer times its double. */
double ctorch_aten_neg(int count, ...);

#endif
