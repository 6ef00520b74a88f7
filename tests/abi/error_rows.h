/* Rows of check_error_shapes.c and check_error_dtypes.c: a call that must fail, PyTorch's wording, and the typed
 * details that the error must carry.
 *
 *     shapes(ctorch_aten_mm(&o, f32(2, 3), f32(4, 5)), "cannot be multiplied", EXPECT(3, 5), GOT(4, 5));
 *
 * Together the rows provoke each wording that shim/core/abi/error_wordings.hpp reads on the LibTorch at hand, so that a
 * changed wording shows; those that need a GPU are in error_details_test.cpp. What is expected follows from the
 * arguments of the call. A row that fails is reported and the next one tried: one run shows all that changed. */
#ifndef CTORCH_TESTS_ERROR_ROWS_H
#define CTORCH_TESTS_ERROR_ROWS_H

#include <stdio.h>

#include "harness/check.h"

static inline ctorch_tensor *filled(
    ctorch_dtype dtype, ctorch_device_type device_type, double value, const int64_t *sizes, size_t sizes_len) {
  ctorch_tensor *out = NULL;
  const ctorch_device device = {device_type, -1};
  ck_ok(ctorch_aten_full(&out, sizes, sizes_len, CTORCH_FLOAT(value), &dtype, NULL, &device, NULL));
  return out;
}

/* Arguments: float, double, complex and int32 ones, int64 zeros, true, and tensors on the meta device. */
#define f32(...) filled(CTORCH_DTYPE_FLOAT32, CTORCH_DEVICE_TYPE_CPU, 1, CTORCH_INTS(__VA_ARGS__))
#define f64(...) filled(CTORCH_DTYPE_FLOAT64, CTORCH_DEVICE_TYPE_CPU, 1, CTORCH_INTS(__VA_ARGS__))
#define i64(...) filled(CTORCH_DTYPE_INT64, CTORCH_DEVICE_TYPE_CPU, 0, CTORCH_INTS(__VA_ARGS__))
#define i32(...) filled(CTORCH_DTYPE_INT32, CTORCH_DEVICE_TYPE_CPU, 1, CTORCH_INTS(__VA_ARGS__))
#define c64(...) filled(CTORCH_DTYPE_COMPLEX64, CTORCH_DEVICE_TYPE_CPU, 1, CTORCH_INTS(__VA_ARGS__))
#define b8(...) filled(CTORCH_DTYPE_BOOL, CTORCH_DEVICE_TYPE_CPU, 1, CTORCH_INTS(__VA_ARGS__))
#define meta(...) filled(CTORCH_DTYPE_FLOAT32, CTORCH_DEVICE_TYPE_META, 1, CTORCH_INTS(__VA_ARGS__))
#define meta64(...) filled(CTORCH_DTYPE_INT64, CTORCH_DEVICE_TYPE_META, 0, CTORCH_INTS(__VA_ARGS__))

static inline ctorch_tensor *sparse(ctorch_tensor *dense) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_to_sparse(&out, dense, NULL, NULL, 0, NULL));
  return out;
}

static inline ctorch_tensor *sparse_csr(ctorch_tensor *dense) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_to_sparse_csr(&out, dense, NULL));
  return out;
}

/* What a row's call would hand out; it fails before. */
static ctorch_tensor *o, *o2, *o3, *o4;
static ctorch_tensor_list *list;
static ctorch_scope *scope;
static int wrong;

static inline void open_scope(void) {
  wrong = 0;
  ck_ok(ctorch_scope_begin(&scope));
}

static inline void close_scope(void) {
  ctorch_scope_end(scope);
  ck_assert_int_eq(wrong, 0);
  ck_assert_msg(o == NULL && o2 == NULL && o3 == NULL && o4 == NULL && list == NULL, "an output was touched");
}

static inline void complain(const char *call, const char *about, const ctorch_error *error) {
  ++wrong;
  fprintf(
      stderr, "%s\n  %s; got %s: %s\n", call, about,
      error == NULL ? "success" : ctorch_error_kind_name(ctorch_error_kind_of(error)), ctorch_error_message(error));
}

static inline bool is_refined(
    const ctorch_error *error, const char *call, ctorch_error_kind code, const char *wording) {
  if (ctorch_error_kind_of(error) == code && strstr(ctorch_error_message(error), wording) != NULL) {
    return true;
  }
  complain(call, wording, error);
  return false;
}

static inline void check_shapes(
    ctorch_error *error,
    const char *call,
    const char *wording,
    const int64_t *expected,
    size_t expected_len,
    const int64_t *got,
    size_t got_len) {
  if (is_refined(error, call, CTORCH_ERROR_SHAPE_MISMATCH, wording)) {
    const int64_t *dims = NULL;
    size_t len = 0;
    if (!ctorch_error_expected_shape(error, &dims, &len) || len != expected_len ||
        memcmp(dims, expected, len * sizeof *dims) != 0) {
      complain(call, "wrong expected shape", error);
    }
    if (!ctorch_error_got_shape(error, &dims, &len) || len != got_len || memcmp(dims, got, len * sizeof *dims) != 0) {
      complain(call, "wrong got shape", error);
    }
  }
  ctorch_error_release(error);
}

static inline void check_dtypes(
    ctorch_error *error, const char *call, const char *wording, ctorch_dtype expected, ctorch_dtype got) {
  ctorch_dtype dtype = -1;
  if (is_refined(error, call, CTORCH_ERROR_DTYPE_MISMATCH, wording)) {
    if (!ctorch_error_expected_dtype(error, &dtype) || dtype != expected) {
      complain(call, "wrong expected dtype", error);
    }
    if (!ctorch_error_got_dtype(error, &dtype) || dtype != got) {
      complain(call, "wrong got dtype", error);
    }
  }
  ctorch_error_release(error);
}

static inline void check_devices(
    ctorch_error *error, const char *call, const char *wording, ctorch_device_type expected, ctorch_device_type got) {
  ctorch_device device = {-1, -1};
  if (is_refined(error, call, CTORCH_ERROR_DEVICE_MISMATCH, wording)) {
    if (!ctorch_error_expected_device(error, &device) || device.type != expected || device.index != -1) {
      complain(call, "wrong expected device", error);
    }
    if (!ctorch_error_got_device(error, &device) || device.type != got || device.index != -1) {
      complain(call, "wrong got device", error);
    }
  }
  ctorch_error_release(error);
}

static inline void check_code(ctorch_error *error, const char *call, const char *wording, ctorch_error_kind code) {
  is_refined(error, call, code, wording);
  ctorch_error_release(error);
}

/* Call, wording, then what the error must carry. `EXPECT(2, 3)` and `GOT(2, 4)` are shapes. */
#define EXPECT CTORCH_INTS
#define GOT CTORCH_INTS
#define shapes(call, wording, ...) check_shapes((call), #call, wording, __VA_ARGS__)
#define dtypes(call, wording, expected, got) \
  check_dtypes((call), #call, wording, CTORCH_DTYPE_##expected, CTORCH_DTYPE_##got)
#define devices(call, wording, expected, got) \
  check_devices((call), #call, wording, CTORCH_DEVICE_TYPE_##expected, CTORCH_DEVICE_TYPE_##got)
#define only_code(call, wording, code) check_code((call), #call, wording, CTORCH_ERROR_##code)

#define no_ints NULL, 0
#define conv2d_defaults no_ints, no_ints, no_ints, 1

/* Add a test of rows: inside a scope, with no row wrong and no output touched at its end. */
#define add_rows(suite, test)                                  \
  do {                                                         \
    TCase *tcase = tcase_create(#test);                        \
    tcase_set_timeout(tcase, CK_TIMEOUT);                      \
    tcase_add_checked_fixture(tcase, open_scope, close_scope); \
    tcase_add_test(tcase, test);                               \
    suite_add_tcase(suite, tcase);                             \
  } while (0)

#endif
