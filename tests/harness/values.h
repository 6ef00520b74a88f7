/* Tensors out of literals, tensors compared with literals, and tests whose handles a scope gives back.
 *
 *     ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4);
 *     ck_ok(ctorch_aten_sum_dim_IntList(&y, x, CTORCH_INTS(0), false, NULL));
 *     ck_floats(y, CTORCH_INTS(2), 4, 6);
 *
 * A shape is what CTORCH_INTS gives, or NO_DIMS. */
#ifndef CTORCH_TESTS_VALUES_H
#define CTORCH_TESTS_VALUES_H

#include <math.h>

#include "harness/check.h"

#define NO_DIMS NULL, 0
#define CPU (&(const ctorch_device){CTORCH_DEVICE_TYPE_CPU, -1})
#define META (&(const ctorch_device){CTORCH_DEVICE_TYPE_META, -1})

#define LISTED(type, ...) (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__})

/** A tensor of the listed numbers. */
#define floats(shape, ...) values_new(CTORCH_DTYPE_FLOAT32, LISTED(float, __VA_ARGS__), shape)
#define doubles(shape, ...) values_new(CTORCH_DTYPE_FLOAT64, LISTED(double, __VA_ARGS__), shape)
#define ints(shape, ...) values_new(CTORCH_DTYPE_INT64, LISTED(int64_t, __VA_ARGS__), shape)
#define bools(shape, ...) values_new(CTORCH_DTYPE_BOOL, LISTED(bool, __VA_ARGS__), shape)

/** Fail the test unless the tensor has this dtype, this shape and exactly these elements. */
#define ck_floats(tensor, shape, ...) \
  ck_values(__LINE__, tensor, CTORCH_DTYPE_FLOAT32, LISTED(float, __VA_ARGS__), shape)
#define ck_doubles(tensor, shape, ...) \
  ck_values(__LINE__, tensor, CTORCH_DTYPE_FLOAT64, LISTED(double, __VA_ARGS__), shape)
#define ck_ints(tensor, shape, ...) ck_values(__LINE__, tensor, CTORCH_DTYPE_INT64, LISTED(int64_t, __VA_ARGS__), shape)
#define ck_bools(tensor, shape, ...) ck_values(__LINE__, tensor, CTORCH_DTYPE_BOOL, LISTED(bool, __VA_ARGS__), shape)

/** Fail the test unless every element of the float32 tensor is within `tolerance` of the listed one. */
#define ck_floats_near(tensor, tolerance, ...) ck_near(__LINE__, tensor, tolerance, LISTED(float, __VA_ARGS__))

/** Fail the test unless the tensor has this shape. */
#define ck_shape(tensor, shape) ck_sizes(__LINE__, tensor, shape)

/** Add a test that runs in a scope of its own, so that it need not release what it makes. */
#define ck_scoped_case(suite, test) ck_scoped_case_loop(suite, test, 1)

/** As ck_scoped_case, for each `_i` below `count`. */
#define ck_scoped_case_loop(suite, test, count)                       \
  do {                                                                \
    TCase *ck_tcase = tcase_create(#test);                            \
    tcase_set_timeout(ck_tcase, CK_TIMEOUT);                          \
    tcase_add_checked_fixture(ck_tcase, open_a_scope, close_a_scope); \
    tcase_add_loop_test(ck_tcase, test, 0, (int)(count));             \
    suite_add_tcase(suite, ck_tcase);                                 \
  } while (0)

static ctorch_scope *scope_of_the_test;

static inline void open_a_scope(void) { ck_ok(ctorch_scope_begin(&scope_of_the_test)); }

static inline void close_a_scope(void) { ctorch_scope_end(scope_of_the_test); }

static inline ctorch_tensor *values_new(
    ctorch_dtype dtype, const void *data, size_t nbytes, const int64_t *sizes, size_t sizes_len) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_from_data(&out, data, nbytes, sizes, sizes_len, dtype));
  return out;
}

static inline void ck_sizes(int line, const ctorch_tensor *tensor, const int64_t *sizes, size_t sizes_len) {
  ck_assert_msg(tensor != NULL, "line %d: the tensor is NULL", line);
  ck_assert_msg(
      ctorch_tensor_ndim(tensor) == (int64_t)sizes_len, "line %d: %d dimensions, expected %zu", line,
      (int)ctorch_tensor_ndim(tensor), sizes_len);
  for (size_t i = 0; i < sizes_len; i++) {
    ck_assert_msg(
        ctorch_tensor_sizes(tensor)[i] == sizes[i], "line %d: size %lld of dimension %zu, expected %lld", line,
        (long long)ctorch_tensor_sizes(tensor)[i], i, (long long)sizes[i]);
  }
}

static inline void ck_values(
    int line,
    const ctorch_tensor *tensor,
    ctorch_dtype dtype,
    const void *expected,
    size_t nbytes,
    const int64_t *sizes,
    size_t sizes_len) {
  ck_sizes(line, tensor, sizes, sizes_len);
  unsigned char *got = malloc(nbytes + 1);
  ck_assert_ptr_nonnull(got);
  ck_ok(ctorch_tensor_copy_to_buffer(tensor, got, nbytes, dtype));
  if (memcmp(got, expected, nbytes) != 0) {
    ctorch_string *text = NULL;
    ck_ok(ctorch_tensor_repr(&text, tensor, NULL, NULL, CTORCH_SOME(int64_t, 9), NULL, NULL));
    ck_abort_msg("line %d: other elements: %s", line, ctorch_string_data(text));
  }
  free(got);
}

static inline void ck_near(
    int line, const ctorch_tensor *tensor, double tolerance, const float *expected, size_t nbytes) {
  const size_t len = nbytes / sizeof *expected;
  ck_assert_msg(ctorch_tensor_numel(tensor) == (int64_t)len, "line %d: another number of elements", line);
  float *got = malloc(len * sizeof *got);
  ck_assert_ptr_nonnull(got);
  ck_ok(ctorch_tensor_copy_to_buffer(tensor, got, len * sizeof *got, CTORCH_DTYPE_FLOAT32));
  for (size_t i = 0; i < len; i++) {
    ck_assert_msg(
        fabs((double)got[i] - (double)expected[i]) <= tolerance, "line %d: element %zu is %.9g, expected %.9g", line, i,
        (double)got[i], (double)expected[i]);
  }
  free(got);
}

#endif
