/* Tensors: data in and out, accessors on every kind of tensor, text. Numbers are check_tensor_numbers.c's. */
#include <limits.h>

#include "harness/values.h"

static const ctorch_dtype F32 = CTORCH_DTYPE_FLOAT32;

/* Data in and out ------------------------------------------------------------------------------------------------- */

START_TEST(data_that_goes_in_comes_out) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6);
  ck_floats(x, CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6);
  ck_doubles(doubles(CTORCH_INTS(2), 0.1, -0.0), CTORCH_INTS(2), 0.1, -0.0);
  ck_ints(ints(CTORCH_INTS(2), INT64_MIN, INT64_MAX), CTORCH_INTS(2), INT64_MIN, INT64_MAX);
  ck_bools(bools(CTORCH_INTS(2), true, false), CTORCH_INTS(2), true, false);
  const float complex_pairs[] = {1, 2, 3, 4};
  ctorch_tensor *z = values_new(CTORCH_DTYPE_COMPLEX64, complex_pairs, sizeof complex_pairs, CTORCH_INTS(2));
  ck_values(__LINE__, z, CTORCH_DTYPE_COMPLEX64, complex_pairs, sizeof complex_pairs, CTORCH_INTS(2));
}
END_TEST

START_TEST(the_data_is_copied) {
  float data[] = {1, 2};
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_tensor_from_data(&x, data, sizeof data, CTORCH_INTS(2), F32));
  data[0] = 9;
  ck_floats(x, CTORCH_INTS(2), 1, 2);
}
END_TEST

START_TEST(data_comes_out_row_major_whatever_the_strides) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6), *y = NULL;
  ck_ok(ctorch_aten_t(&y, x));
  ck_floats(y, CTORCH_INTS(3, 2), 1, 4, 2, 5, 3, 6);
  ck_ok(ctorch_aten_narrow(&y, x, 1, 1, 2));
  ck_floats(y, CTORCH_INTS(2, 2), 2, 3, 5, 6);
  ck_ok(ctorch_aten_expand(&y, floats(CTORCH_INTS(1), 7), CTORCH_INTS(3), false));
  ck_floats(y, CTORCH_INTS(3), 7, 7, 7);
}
END_TEST

START_TEST(a_lazy_conjugate_comes_out_conjugated) {
  const double z[] = {1, 2}, conjugated[] = {1, -2};
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten__conj(&y, values_new(CTORCH_DTYPE_COMPLEX128, z, sizeof z, CTORCH_INTS(1))));
  ck_values(__LINE__, y, CTORCH_DTYPE_COMPLEX128, conjugated, sizeof conjugated, CTORCH_INTS(1));
}
END_TEST

START_TEST(no_dims_make_a_0_dimensional_tensor) {
  ctorch_tensor *x = floats(NO_DIMS, 42);
  ck_assert_int_eq(ctorch_tensor_ndim(x), 0);
  ck_assert_int_eq(ctorch_tensor_numel(x), 1);
  ck_floats(x, NO_DIMS, 42);
}
END_TEST

START_TEST(a_size_of_zero_needs_no_data) {
  ctorch_tensor *x = values_new(F32, NULL, 0, CTORCH_INTS(3, 0, 2));
  ck_shape(x, CTORCH_INTS(3, 0, 2));
  ck_assert_int_eq(ctorch_tensor_numel(x), 0);
  ck_assert_uint_eq(ctorch_tensor_nbytes(x), 0);
  ck_ok(ctorch_tensor_copy_to_buffer(x, NULL, 0, F32));
  void *data = &x;
  ck_ok(ctorch_tensor_data(&data, x));
  ck_assert_ptr_null(data);
  /* The product of the other sizes would overflow. */
  x = values_new(F32, NULL, 0, CTORCH_INTS(INT64_C(1) << 40, 0, INT64_C(1) << 40));
  ck_assert_int_eq(ctorch_tensor_numel(x), 0);
}
END_TEST

START_TEST(from_data_refuses_what_does_not_fit) {
  const float data[] = {1, 2, 3, 4};
  ctorch_tensor *untouched = floats(NO_DIMS, 0), *x = untouched;
  ck_fails(ctorch_tensor_from_data(NULL, data, 16, CTORCH_INTS(4), F32), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_from_data(&x, NULL, 16, CTORCH_INTS(4), F32), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_tensor_from_data(&x, data, 16, NULL, 2, F32), CTORCH_ERROR_NULL_ARGUMENT, "sizes");
  ck_fails(ctorch_tensor_from_data(&x, data, 15, CTORCH_INTS(4), F32), CTORCH_ERROR_INVALID_ARGUMENT, "expected 16");
  ck_fails(ctorch_tensor_from_data(&x, data, 16, CTORCH_INTS(3), F32), CTORCH_ERROR_INVALID_ARGUMENT, "expected 12");
  ck_fails(ctorch_tensor_from_data(&x, data, 0, NO_DIMS, F32), CTORCH_ERROR_INVALID_ARGUMENT, "expected 4");
  ck_fails(ctorch_tensor_from_data(&x, data, 16, CTORCH_INTS(-2, -2), F32), CTORCH_ERROR_INVALID_ARGUMENT, "-2");
  ck_fails(ctorch_tensor_from_data(&x, data, 0, CTORCH_INTS(0, -1), F32), CTORCH_ERROR_INVALID_ARGUMENT, "-1");
  ck_fails(ctorch_tensor_from_data(&x, data, 16, CTORCH_INTS(INT64_MIN), F32), CTORCH_ERROR_INVALID_ARGUMENT, "sizes");
  ck_fails(ctorch_tensor_from_data(&x, data, 16, CTORCH_INTS(4), -1), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  ck_fails(ctorch_tensor_from_data(&x, data, 16, CTORCH_INTS(4), 9999), CTORCH_ERROR_INVALID_ARGUMENT, "9999");
  ck_fails(ctorch_tensor_from_data(&x, data, 16, CTORCH_INTS(4), INT_MIN), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  ck_fails(
      ctorch_tensor_from_data(&x, data, 4, CTORCH_INTS(1), ck_no_dtype()), CTORCH_ERROR_INVALID_ARGUMENT,
      "unknown dtype 4");
  ck_assert_ptr_eq(x, untouched);
}
END_TEST

START_TEST(sizes_whose_product_overflows_are_refused) {
  const float data[] = {1};
  ctorch_tensor *x = NULL;
  const int64_t sizes[][3] = {
      {INT64_C(1) << 62, 8, 1},               /* 2^65 elements */
      {INT64_C(1) << 62, 1, 1},               /* 2^64 bytes: wraps to 0 */
      {INT64_C(1) << 32, INT64_C(1) << 32, 1} /* 2^64 elements: wraps to 0 */
  };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    ck_fails(ctorch_tensor_from_data(&x, data, 0, sizes[i], 3, F32), CTORCH_ERROR_INVALID_ARGUMENT, "sizes");
    ck_fails(
        ctorch_tensor_from_buffer(&x, &x, sizes[i], 3, NULL, 0, F32, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
        "sizes");
  }
  ck_assert_ptr_null(x);
}
END_TEST

START_TEST(an_absurd_number_of_dims_is_refused) {
  const float data[] = {1};
  const int64_t size = 1;
  ctorch_tensor *x = NULL;
  ck_fails(ctorch_tensor_from_data(&x, data, 4, &size, SIZE_MAX, F32), CTORCH_ERROR_INVALID_ARGUMENT, "absurd length");
  ck_fails(
      ctorch_tensor_from_buffer(&x, &x, &size, SIZE_MAX / 8, NULL, 0, F32, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "absurd length");
}
END_TEST

START_TEST(copying_out_checks_dtype_and_bytes) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  float data[3] = {7, 7, 7};
  ck_fails(ctorch_tensor_copy_to_buffer(NULL, data, 8, F32), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_copy_to_buffer(x, NULL, 8, F32), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_tensor_copy_to_buffer(x, data, 12, F32), CTORCH_ERROR_INVALID_ARGUMENT, "expected 8, got 12");
  ck_fails(ctorch_tensor_copy_to_buffer(x, data, 4, F32), CTORCH_ERROR_INVALID_ARGUMENT, "expected 8, got 4");
  ck_fails(ctorch_tensor_copy_to_buffer(x, data, 8, 1000), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");

  ctorch_error *error = ctorch_tensor_copy_to_buffer(x, data, 8, CTORCH_DTYPE_INT64);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_DTYPE_MISMATCH);
  ctorch_dtype expected = -1, got = -1;
  ck_assert(ctorch_error_expected_dtype(error, &expected) && ctorch_error_got_dtype(error, &got));
  ck_assert_int_eq(expected, F32);
  ck_assert_int_eq(got, CTORCH_DTYPE_INT64);
  ctorch_error_release(error);
  ck_assert(data[0] == 7 && data[1] == 7 && data[2] == 7);
}
END_TEST

START_TEST(a_meta_tensor_has_no_data_to_copy) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(2), NULL, NULL, META, NULL, NULL));
  float data[2];
  void *address = data;
  const void *const_address = data;
  ck_fails(ctorch_tensor_copy_to_buffer(x, data, sizeof data, F32), CTORCH_ERROR_RUNTIME, "meta");
  ck_fails(ctorch_tensor_data(&address, x), CTORCH_ERROR_RUNTIME, "meta");
  ck_fails(ctorch_tensor_const_data(&const_address, x), CTORCH_ERROR_RUNTIME, "meta");
  ck_assert(address == data && const_address == data);
}
END_TEST

START_TEST(the_data_pointer_reads_and_writes) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *row = NULL;
  void *data = NULL;
  const void *const_data = NULL;
  ck_ok(ctorch_tensor_data(&data, x));
  ((float *)data)[3] = 40;
  ck_ok(ctorch_aten_narrow(&row, x, 0, 1, 1));
  ck_ok(ctorch_tensor_const_data(&const_data, row));
  ck_assert_ptr_eq(const_data, (float *)data + 2);
  ck_floats(row, CTORCH_INTS(1, 2), 3, 40);
  ck_fails(ctorch_tensor_data(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_data(&data, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_const_data(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_const_data(&const_data, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
}
END_TEST

START_TEST(a_sparse_tensor_has_no_data_pointer) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_to_sparse(&x, floats(CTORCH_INTS(2), 0, 1), NULL, NULL, 0, NULL));
  void *data = &data;
  float values[2];
  ck_fails(ctorch_tensor_data(&data, x), CTORCH_ERROR_RUNTIME, "storage");
  ck_assert_ptr_eq(data, &data);
  ctorch_error *error = ctorch_tensor_copy_to_buffer(x, values, sizeof values, F32);
  ck_assert_ptr_nonnull(error);
  ctorch_error_release(error);
}
END_TEST

/* Caller memory --------------------------------------------------------------------------------------------------- */

static void count(void *payload) { ++*(int *)payload; }

START_TEST(a_buffer_is_shared_not_copied) {
  float data[] = {1, 2, 3, 4};
  ctorch_tensor *x = NULL;
  void *address = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(2, 2), NULL, 0, F32, NULL, NULL));
  ck_ok(ctorch_tensor_data(&address, x));
  ck_assert_ptr_eq(address, data);
  ck_assert(ctorch_tensor_is_contiguous(x));
  data[0] = 10;
  ck_floats(x, CTORCH_INTS(2, 2), 10, 2, 3, 4);
  ck_ok(ctorch_aten_fill__Scalar(x, CTORCH_INT(5)));
  ck_assert(data[0] == 5 && data[3] == 5);
}
END_TEST

START_TEST(a_buffer_may_have_any_strides) {
  float data[] = {1, 2, 3, 4, 5, 6};
  ctorch_tensor *x = NULL;
  /* column-major; a stride of 0 repeats; overlapping windows; more memory than elements */
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(2, 3), CTORCH_INTS(1, 2), F32, NULL, NULL));
  ck_floats(x, CTORCH_INTS(2, 3), 1, 3, 5, 2, 4, 6);
  ck_assert(!ctorch_tensor_is_contiguous(x));
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(2, 3), CTORCH_INTS(0, 1), F32, NULL, NULL));
  ck_floats(x, CTORCH_INTS(2, 3), 1, 2, 3, 1, 2, 3);
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(4, 3), CTORCH_INTS(1, 1), F32, NULL, NULL));
  ck_floats(x, CTORCH_INTS(4, 3), 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6);
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(3), CTORCH_INTS(2), F32, NULL, NULL));
  ck_floats(x, CTORCH_INTS(3), 1, 3, 5);
  ck_assert_int_eq(ctorch_tensor_strides(x)[0], 2);
  ck_ok(ctorch_tensor_from_buffer(&x, data, NO_DIMS, (const int64_t[]){99}, 0, F32, NULL, NULL));
  ck_floats(x, NO_DIMS, 1);
}
END_TEST

START_TEST(destroy_runs_once_when_the_last_tensor_that_shares_the_memory_is_gone) {
  int destroyed = 0;
  float data[] = {1, 2};
  ctorch_tensor *x = NULL, *view = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(2), NULL, 0, F32, count, &destroyed));
  ck_ok(ctorch_aten_narrow(&view, x, 0, 1, 1));
  ctorch_tensor_retain(x);
  ctorch_tensor_release(x);
  ctorch_tensor_release(x);
  ck_assert_int_eq(destroyed, 0); /* the view is left */
  ck_floats(view, CTORCH_INTS(1), 2);
  ctorch_tensor_release(view);
  ck_assert_int_eq(destroyed, 1);
}
END_TEST

START_TEST(destroy_runs_for_a_buffer_without_elements) {
  int destroyed = 0;
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, NULL, CTORCH_INTS(0), NULL, 0, F32, count, &destroyed));
  ck_shape(x, CTORCH_INTS(0));
  ck_assert_int_eq(destroyed, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(destroyed, 1);
}
END_TEST

START_TEST(destroy_does_not_run_if_from_buffer_fails) {
  int destroyed = 0;
  float data[] = {1, 2};
  ctorch_tensor *untouched = floats(NO_DIMS, 0), *x = untouched;
  const int64_t two[] = {2}, negative[] = {-1}, far[] = {INT64_C(1) << 62};
  ck_fails(
      ctorch_tensor_from_buffer(NULL, data, two, 1, NULL, 0, F32, count, &destroyed), CTORCH_ERROR_NULL_ARGUMENT,
      "out");
  ck_fails(
      ctorch_tensor_from_buffer(&x, NULL, two, 1, NULL, 0, F32, count, &destroyed), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(
      ctorch_tensor_from_buffer(&x, data, NULL, 1, NULL, 0, F32, count, &destroyed), CTORCH_ERROR_NULL_ARGUMENT,
      "sizes");
  ck_fails(
      ctorch_tensor_from_buffer(&x, data, negative, 1, NULL, 0, F32, count, &destroyed), CTORCH_ERROR_INVALID_ARGUMENT,
      "negative size");
  ck_fails(
      ctorch_tensor_from_buffer(&x, data, two, 1, negative, 1, F32, count, &destroyed), CTORCH_ERROR_INVALID_ARGUMENT,
      "negative stride");
  ck_fails(
      ctorch_tensor_from_buffer(&x, data, two, 1, NULL, 0, ck_no_dtype(), count, &destroyed),
      CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  /* The elements would span 2^64 bytes. */
  ctorch_error *error = ctorch_tensor_from_buffer(&x, data, two, 1, far, 1, F32, count, &destroyed);
  ck_assert_ptr_nonnull(error);
  ctorch_error_release(error);
  /* One stride for each size; a list of strides that is too short is not read beyond its end. */
  const int64_t steps[] = {1, 1, 1};
  for (size_t strides_len = 0; strides_len <= 3; strides_len++) {
    if (strides_len != 1) {
      ck_fails(
          ctorch_tensor_from_buffer(&x, data, two, 1, steps, strides_len, F32, count, &destroyed),
          CTORCH_ERROR_INVALID_ARGUMENT, "strides_len");
    }
  }
  ck_fails(
      ctorch_tensor_from_buffer(&x, data, two, 1, NULL, 1, F32, count, &destroyed), CTORCH_ERROR_NULL_ARGUMENT,
      "strides");
  ck_fails(
      ctorch_tensor_from_buffer(&x, data, two, 1, steps, SIZE_MAX, F32, count, &destroyed),
      CTORCH_ERROR_INVALID_ARGUMENT, "strides");
  ck_assert_int_eq(destroyed, 0);
  ck_assert_ptr_eq(x, untouched);
}
END_TEST

/* Accessors ------------------------------------------------------------------------------------------------------- */

START_TEST(accessors_of_a_strided_tensor) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6), *y = NULL;
  ck_ok(ctorch_aten_narrow(&y, x, 1, 1, 2));
  ck_assert(ctorch_tensor_defined(y));
  ck_assert_int_eq(ctorch_tensor_ndim(y), 2);
  ck_assert_int_eq(ctorch_tensor_numel(y), 4);
  ck_shape(y, CTORCH_INTS(2, 2));
  ck_assert_int_eq(ctorch_tensor_strides(y)[0], 3);
  ck_assert_int_eq(ctorch_tensor_strides(y)[1], 1);
  ck_assert_int_eq(ctorch_tensor_storage_offset(y), 1);
  ck_assert_int_eq(ctorch_tensor_dtype(y), F32);
  ck_assert_uint_eq(ctorch_tensor_itemsize(y), 4);
  ck_assert_uint_eq(ctorch_tensor_nbytes(y), 16);
  ck_assert_int_eq(ctorch_tensor_layout(y), CTORCH_LAYOUT_STRIDED);
  ck_assert(!ctorch_tensor_is_contiguous(y));
  ck_assert(ctorch_tensor_is_contiguous(x));
  ctorch_device device = {99, 99};
  ck_ok(ctorch_tensor_device(&device, y));
  ck_assert(device.type == CTORCH_DEVICE_TYPE_CPU && device.index == -1);
}
END_TEST

START_TEST(accessors_of_the_undefined_tensor) {
  ck_assert(!ctorch_tensor_defined(NULL));
  ck_assert_int_eq(ctorch_tensor_ndim(NULL), 0);
  ck_assert_int_eq(ctorch_tensor_numel(NULL), 0);
  ck_assert_ptr_null(ctorch_tensor_sizes(NULL));
  ck_assert_ptr_null(ctorch_tensor_strides(NULL));
  ck_assert_int_eq(ctorch_tensor_storage_offset(NULL), 0);
  ck_assert_int_eq(ctorch_tensor_dtype(NULL), -1);
  ck_assert_uint_eq(ctorch_tensor_itemsize(NULL), 0);
  ck_assert_int_eq(ctorch_tensor_layout(NULL), -1);
  ck_assert_uint_eq(ctorch_tensor_nbytes(NULL), 0);
  ck_assert_uint_eq(ctorch_tensor_memory_nbytes(NULL), 0);
  ck_assert_int_eq(ctorch_tensor_device_type(NULL), -1);
  ck_assert_int_eq(ctorch_tensor_suggested_memory_format(NULL), -1);
  ck_assert(!ctorch_tensor_is_quantized(NULL));
  ck_assert(!ctorch_tensor_is_nested(NULL));
  ck_assert(!ctorch_tensor_is_contiguous(NULL));
  ctorch_device device;
  int64_t size;
  ck_fails(ctorch_tensor_device(&device, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_size(&size, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ctorch_tensor_retain(NULL);
  ctorch_tensor_release(NULL);
}
END_TEST

START_TEST(accessors_of_a_sparse_tensor) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_eye(&x, 3, NULL, NULL, NULL, NULL));
  ctorch_tensor *coo = NULL, *csr = NULL;
  ck_ok(ctorch_aten_to_sparse(&coo, x, NULL, NULL, 0, NULL));
  ck_assert_int_eq(ctorch_tensor_layout(coo), CTORCH_LAYOUT_SPARSE_COO);
  ck_shape(coo, CTORCH_INTS(3, 3));
  ck_assert_int_eq(ctorch_tensor_numel(coo), 9);
  ck_assert_ptr_null(ctorch_tensor_strides(coo));
  ck_assert_int_eq(ctorch_tensor_storage_offset(coo), 0);
  ck_assert(!ctorch_tensor_is_contiguous(coo));
  ck_assert_int_eq(ctorch_tensor_dtype(coo), F32);
  ck_assert_uint_eq(ctorch_tensor_nbytes(coo), 2 * 3 * 8 + 3 * 4);
  ck_ok(ctorch_aten_to_sparse_csr(&csr, x, NULL));
  ck_assert_int_eq(ctorch_tensor_layout(csr), CTORCH_LAYOUT_SPARSE_CSR);
  ck_assert_uint_eq(ctorch_tensor_nbytes(csr), (4 + 3) * 8 + 3 * 4);
  ck_assert_ptr_null(ctorch_tensor_strides(csr));
  ctorch_device device = {99, 99};
  ck_ok(ctorch_tensor_device(&device, csr));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_CPU);
}
END_TEST

START_TEST(accessors_of_a_quantized_tensor) {
  ctorch_tensor *q = NULL;
  ck_ok(ctorch_aten_quantize_per_tensor(&q, floats(CTORCH_INTS(3), -1, 0, 1), 0.5, 10, CTORCH_DTYPE_QUINT8));
  ck_assert_int_eq(ctorch_tensor_dtype(q), CTORCH_DTYPE_QUINT8);
  ck_assert_uint_eq(ctorch_tensor_itemsize(q), 1);
  ck_assert_uint_eq(ctorch_tensor_nbytes(q), 3);
  ck_assert_int_eq(ctorch_tensor_strides(q)[0], 1);
  const uint8_t stored[] = {8, 10, 12};
  ck_values(__LINE__, q, CTORCH_DTYPE_QUINT8, stored, sizeof stored, CTORCH_INTS(3));
}
END_TEST

START_TEST(accessors_of_a_meta_tensor) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(1 << 20, 1 << 20), NULL, NULL, META, NULL, NULL));
  ck_assert_int_eq(ctorch_tensor_numel(x), INT64_C(1) << 40);
  ck_assert_uint_eq(ctorch_tensor_nbytes(x), UINT64_C(1) << 42);
  ck_assert_int_eq(ctorch_tensor_strides(x)[0], 1 << 20);
  ck_assert(ctorch_tensor_is_contiguous(x));
  ctorch_device device = {99, 99};
  ck_ok(ctorch_tensor_device(&device, x));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_META);
}
END_TEST

START_TEST(accessors_of_a_nested_tensor) {
  ctorch_tensor *x = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(3), 3, 4, 5);
  ck_ok(ctorch_aten__nested_tensor_from_tensor_list(&x, CTORCH_TENSORS(a, b), NULL, NULL, NULL, NULL));
  ck_assert_int_eq(ctorch_tensor_ndim(x), 2);
  ck_assert_int_eq(ctorch_tensor_numel(x), 5);
  ck_assert_ptr_null(ctorch_tensor_sizes(x));
  ck_assert_ptr_null(ctorch_tensor_strides(x));
  ck_assert_uint_eq(ctorch_tensor_nbytes(x), 20);
  ck_assert_int_eq(ctorch_tensor_layout(x), CTORCH_LAYOUT_STRIDED);
}
END_TEST

START_TEST(to_answers_the_tensor_itself_if_nothing_changes) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1.5F, -2), *y = NULL;
  ck_ok(ctorch_tensor_to(&y, x, NULL, NULL, false, false, NULL));
  ck_assert_ptr_eq(y, x);
  ck_ok(ctorch_tensor_to(&y, x, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT32), CPU, false, false, NULL));
  ck_assert_ptr_eq(y, x);
  ck_ok(ctorch_tensor_to(&y, x, NULL, NULL, false, true, NULL));
  ck_assert_ptr_ne(y, x);
  ck_floats(y, CTORCH_INTS(2), 1.5F, -2);
  ck_ok(ctorch_tensor_to(&y, x, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_INT64), NULL, true, false, NULL));
  ck_ints(y, CTORCH_INTS(2), 1, -2);
  ck_ok(ctorch_tensor_to_other(&y, x, ints(CTORCH_INTS(1), 0), false, false, NULL));
  ck_ints(y, CTORCH_INTS(2), 1, -2);
  ck_ok(ctorch_tensor_to_other(&y, x, x, false, false, NULL));
  ck_assert_ptr_eq(y, x);
  ck_ok(ctorch_tensor_to(&y, x, NULL, META, false, false, NULL));
  ck_assert_int_eq(ctorch_tensor_device_type(y), CTORCH_DEVICE_TYPE_META);
  ck_fails(ctorch_tensor_to(&x, y, NULL, CPU, false, false, NULL), CTORCH_ERROR_NOT_IMPLEMENTED, "meta");
}
END_TEST

START_TEST(to_refuses_what_is_not_there) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = NULL;
  const int32_t unknown = 99;
  const ctorch_device nowhere = {99, 0};
  ck_fails(ctorch_tensor_to(NULL, x, NULL, NULL, false, false, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_to(&y, NULL, NULL, NULL, false, false, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_to(&y, x, &unknown, NULL, false, false, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  ck_fails(ctorch_tensor_to(&y, x, NULL, &nowhere, false, false, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(ctorch_tensor_to(&y, x, NULL, NULL, false, false, &unknown), CTORCH_ERROR_INVALID_ARGUMENT, "memory_format");
  ck_fails(
      ctorch_tensor_to(&y, x, NULL, NULL, false, false, CTORCH_SOME(int32_t, CTORCH_MEMORY_FORMAT_CHANNELS_LAST)),
      CTORCH_ERROR_RUNTIME, "rank 4");
  ck_fails(ctorch_tensor_to_other(NULL, x, x, false, false, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_to_other(&y, NULL, x, false, false, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_to_other(&y, x, NULL, false, false, NULL), CTORCH_ERROR_NULL_ARGUMENT, "other");
  ck_assert_ptr_null(y);
}
END_TEST

START_TEST(memory_is_that_of_everything_behind_the_tensor) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6), *row = NULL, *meta = NULL;
  ck_ok(ctorch_aten_select_int(&row, x, 0, 1));
  ck_assert_uint_eq(ctorch_tensor_nbytes(row), 12);
  ck_assert_uint_eq(ctorch_tensor_memory_nbytes(row), 24);
  ck_ok(ctorch_tensor_to(&meta, x, NULL, META, false, false, NULL));
  ck_assert_uint_eq(ctorch_tensor_nbytes(meta), 24);
  ck_assert_uint_eq(ctorch_tensor_memory_nbytes(meta), 0);
}
END_TEST

START_TEST(the_memory_format_is_told_by_the_strides) {
  ctorch_tensor *x = NULL;
  const ctorch_memory_format last = CTORCH_MEMORY_FORMAT_CHANNELS_LAST, last_3d = CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D;
  ck_ok(ctorch_aten_zeros(&x, CTORCH_INTS(2, 3, 4, 5), NULL, NULL, NULL, NULL));
  ck_assert_int_eq(ctorch_tensor_suggested_memory_format(x), CTORCH_MEMORY_FORMAT_CONTIGUOUS);
  ck_ok(ctorch_aten_contiguous(&x, x, last));
  ck_assert_int_eq(ctorch_tensor_suggested_memory_format(x), last);
  ck_ok(ctorch_aten_zeros(&x, CTORCH_INTS(2, 3, 4, 5, 2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_contiguous(&x, x, last_3d));
  ck_assert_int_eq(ctorch_tensor_suggested_memory_format(x), last_3d);
}
END_TEST

START_TEST(size_counts_negative_dims_from_the_last) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6);
  int64_t size = 99;
  ck_ok(ctorch_tensor_size(&size, x, 0));
  ck_assert_int_eq(size, 2);
  ck_ok(ctorch_tensor_size(&size, x, -1));
  ck_assert_int_eq(size, 3);
  ck_fails(ctorch_tensor_size(&size, x, 2), CTORCH_ERROR_INDEX, "range");
  ck_fails(ctorch_tensor_size(&size, x, -3), CTORCH_ERROR_INDEX, "range");
  ck_fails(ctorch_tensor_size(&size, x, INT64_MIN), CTORCH_ERROR_INDEX, "range");
  ck_fails(ctorch_tensor_size(&size, floats(NO_DIMS, 1), 0), CTORCH_ERROR_INDEX, NULL);
  ck_fails(ctorch_tensor_size(NULL, x, 0), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_int_eq(size, 3);
}
END_TEST

/* Text: every expected line was printed by Python's repr() of the same tensor. ---------------------------------------
 */

static const char *text_of(const ctorch_tensor *tensor) {
  ctorch_string *text = NULL;
  ck_ok(ctorch_tensor_repr(&text, tensor, NULL, NULL, NULL, NULL, NULL));
  ck_assert_uint_eq(ctorch_string_len(text), strlen(ctorch_string_data(text)));
  return ctorch_string_data(text);
}

START_TEST(the_text_is_pythons_repr) {
  ctorch_tensor *x = NULL;
  ck_assert_str_eq(text_of(NULL), "None");
  ck_assert_str_eq(
      text_of(floats(CTORCH_INTS(2, 2), 1, 2.5, 3, 4)),
      "tensor([[1.0000, 2.5000],\n"
      "        [3.0000, 4.0000]])");
  ck_assert_str_eq(text_of(ints(NO_DIMS, 3)), "tensor(3)");
  ck_assert_str_eq(text_of(ints(CTORCH_INTS(3), 1, 2, 3)), "tensor([1, 2, 3])");
  ck_assert_str_eq(text_of(bools(CTORCH_INTS(2), true, false)), "tensor([ True, False])");
  ck_assert_str_eq(text_of(values_new(F32, NULL, 0, CTORCH_INTS(0))), "tensor([])");
  ck_assert_str_eq(text_of(doubles(CTORCH_INTS(1), 1.5)), "tensor([1.5000], dtype=torch.float64)");
  ck_assert_str_eq(text_of(floats(CTORCH_INTS(2), 1e-10F, 1)), "tensor([1.0000e-10, 1.0000e+00])");
  ck_ok(ctorch_aten_arange(&x, CTORCH_INT(2000), NULL, NULL, NULL, NULL));
  ck_assert_str_eq(text_of(x), "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])");
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(2, 3), NULL, NULL, META, NULL, NULL));
  ck_assert_str_eq(text_of(x), "tensor(..., device='meta', size=(2, 3))");
  x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_assert_str_eq(text_of(x), "tensor([1., 2.], requires_grad=True)");
}
END_TEST

START_TEST(the_text_follows_its_options) {
  ctorch_tensor *x = floats(CTORCH_INTS(6), 0, 1, 2, 3, 4, 5);
  ctorch_string *text = NULL;
  ck_ok(ctorch_tensor_repr(
      &text, x, CTORCH_SOME(int64_t, 5), CTORCH_SOME(int64_t, 1), CTORCH_SOME(int64_t, 2), CTORCH_SOME(int64_t, 20),
      CTORCH_SOME(bool, true)));
  ck_assert_str_eq(
      ctorch_string_data(text),
      "tensor([0.00e+00,\n"
      "         ...,\n"
      "        5.00e+00])");
}
END_TEST

START_TEST(text_options_out_of_range_are_refused) {
  ctorch_tensor *x = floats(NO_DIMS, 1);
  ctorch_string *text = NULL;
  const int64_t minus = -1, zero = 0, many = 65;
  ck_fails(ctorch_tensor_repr(&text, x, &minus, NULL, NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "threshold");
  ck_fails(ctorch_tensor_repr(&text, x, NULL, &zero, NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "edge_items");
  ck_fails(ctorch_tensor_repr(&text, x, NULL, NULL, &minus, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "precision");
  ck_fails(ctorch_tensor_repr(&text, x, NULL, NULL, &many, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "precision");
  ck_fails(ctorch_tensor_repr(&text, x, NULL, NULL, NULL, &zero, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "line_width");
  ck_fails(ctorch_tensor_repr(NULL, x, NULL, NULL, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_null(text);
  ck_assert_str_eq(ctorch_string_data(NULL), "");
  ck_assert_uint_eq(ctorch_string_len(NULL), 0);
  ctorch_string_release(NULL);
}
END_TEST

/* A quantized tensor is more than its elements: made of them alone, LibTorch reads scales that are not there. */
static void check_memory_makes_none(ctorch_dtype dtype) {
  int32_t data[4] = {1, 2, 3, 4};
  ctorch_tensor *x = (ctorch_tensor *)&x;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_storage_from_tensor(&storage, floats(CTORCH_INTS(4), 1, 2, 3, 4)));
  int destroyed = 0;
  size_t nbytes = 4 * ctorch_dtype_itemsize(dtype);
  ck_fails(ctorch_tensor_from_data(&x, data, nbytes, CTORCH_INTS(4), dtype), CTORCH_ERROR_INVALID_ARGUMENT, "dtype: q");
  ck_fails(ctorch_tensor_from_data(&x, NULL, 0, CTORCH_INTS(0), dtype), CTORCH_ERROR_INVALID_ARGUMENT, "dtype: q");
  ck_fails(
      ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(4), NULL, 0, dtype, count, &destroyed),
      CTORCH_ERROR_INVALID_ARGUMENT, ctorch_dtype_name(dtype));
  ck_fails(
      ctorch_tensor_from_buffer(&x, NULL, CTORCH_INTS(0), NULL, 0, dtype, count, &destroyed),
      CTORCH_ERROR_INVALID_ARGUMENT, "dtype: q");
  ck_fails(
      ctorch_tensor_from_storage(&x, storage, 0, CTORCH_INTS(4), NULL, 0, dtype), CTORCH_ERROR_INVALID_ARGUMENT,
      "dtype: q");
  ck_assert_ptr_eq(x, &x);
  ck_assert_int_eq(destroyed, 0);
}

START_TEST(memory_does_not_make_quantized_tensors) {
  check_memory_makes_none(CTORCH_DTYPE_QINT8);
  check_memory_makes_none(CTORCH_DTYPE_QUINT8);
  check_memory_makes_none(CTORCH_DTYPE_QINT32);
  check_memory_makes_none(CTORCH_DTYPE_QUINT4X2);
  check_memory_makes_none(CTORCH_DTYPE_QUINT2X4);
}
END_TEST

START_TEST(integers_become_a_quantized_tensor_that_prints) {
  int8_t data[] = {1, 2, 3, 4};
  ctorch_tensor *x = NULL, *q = NULL;
  ctorch_string *text = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(4), NULL, 0, CTORCH_DTYPE_INT8, NULL, NULL));
  ck_ok(ctorch_aten__make_per_tensor_quantized_tensor(&q, x, 0.5, 1));
  ck_ok(ctorch_tensor_repr(&text, q, NULL, NULL, NULL, NULL, NULL));
  ck_assert_ptr_nonnull(strstr(ctorch_string_data(text), "[0.0000, 0.5000, 1.0000, 1.5000]"));
}
END_TEST

/* Operators make such tensors in Python too; nothing may read a scale of theirs. */
START_TEST(a_quantized_dtype_alone_crashes_no_function) {
  ctorch_tensor *bytes = NULL, *view = NULL, *copy = NULL, *empty = NULL;
  ctorch_string *text = NULL;
  const ctorch_dtype dtype = CTORCH_DTYPE_QINT8;
  ck_ok(ctorch_tensor_from_data(&bytes, "1234", 4, CTORCH_INTS(4), CTORCH_DTYPE_INT8));
  ck_ok(ctorch_aten_view_dtype(&view, bytes, dtype));
  ck_assert(!ctorch_tensor_is_quantized(view));
  ck_ok(ctorch_tensor_repr(&text, view, NULL, NULL, NULL, NULL, NULL));
  ck_fails(
      ctorch_tensor_to(&copy, bytes, &dtype, NULL, false, false, NULL), CTORCH_ERROR_RUNTIME,
      "not supported on quantized tensors");
  ck_ok(ctorch_aten_empty_memory_format(&empty, CTORCH_INTS(4), &dtype, NULL, NULL, NULL, NULL));
  ck_fails(ctorch_tensor_repr(&text, empty, NULL, NULL, NULL, NULL, NULL), CTORCH_ERROR_RUNTIME, "Quantizer");
  ck_fails(
      ctorch_tensor_from_scalar(&copy, CTORCH_INT(1), &dtype),
      ck_torch_at_least(2, 8) ? CTORCH_ERROR_NOT_IMPLEMENTED : CTORCH_ERROR_RUNTIME, "not implemented");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tensor");
  ck_scoped_case(suite, data_that_goes_in_comes_out);
  ck_scoped_case(suite, the_data_is_copied);
  ck_scoped_case(suite, data_comes_out_row_major_whatever_the_strides);
  ck_scoped_case(suite, a_lazy_conjugate_comes_out_conjugated);
  ck_scoped_case(suite, no_dims_make_a_0_dimensional_tensor);
  ck_scoped_case(suite, a_size_of_zero_needs_no_data);
  ck_scoped_case(suite, from_data_refuses_what_does_not_fit);
  ck_scoped_case(suite, sizes_whose_product_overflows_are_refused);
  ck_scoped_case(suite, an_absurd_number_of_dims_is_refused);
  ck_scoped_case(suite, copying_out_checks_dtype_and_bytes);
  ck_scoped_case(suite, a_meta_tensor_has_no_data_to_copy);
  ck_scoped_case(suite, the_data_pointer_reads_and_writes);
  ck_scoped_case(suite, a_sparse_tensor_has_no_data_pointer);
  ck_scoped_case(suite, a_buffer_is_shared_not_copied);
  ck_scoped_case(suite, a_buffer_may_have_any_strides);
  ck_scoped_case(suite, destroy_runs_once_when_the_last_tensor_that_shares_the_memory_is_gone);
  ck_scoped_case(suite, destroy_runs_for_a_buffer_without_elements);
  ck_scoped_case(suite, destroy_does_not_run_if_from_buffer_fails);
  ck_scoped_case(suite, memory_does_not_make_quantized_tensors);
  ck_scoped_case(suite, integers_become_a_quantized_tensor_that_prints);
  ck_scoped_case(suite, a_quantized_dtype_alone_crashes_no_function);
  ck_scoped_case(suite, accessors_of_a_strided_tensor);
  ck_scoped_case(suite, accessors_of_the_undefined_tensor);
  ck_scoped_case(suite, accessors_of_a_sparse_tensor);
  ck_scoped_case(suite, accessors_of_a_quantized_tensor);
  ck_scoped_case(suite, accessors_of_a_meta_tensor);
  ck_scoped_case(suite, accessors_of_a_nested_tensor);
  ck_scoped_case(suite, to_answers_the_tensor_itself_if_nothing_changes);
  ck_scoped_case(suite, to_refuses_what_is_not_there);
  ck_scoped_case(suite, memory_is_that_of_everything_behind_the_tensor);
  ck_scoped_case(suite, the_memory_format_is_told_by_the_strides);
  ck_scoped_case(suite, size_counts_negative_dims_from_the_last);
  ck_scoped_case(suite, the_text_is_pythons_repr);
  ck_scoped_case(suite, the_text_follows_its_options);
  ck_scoped_case(suite, text_options_out_of_range_are_refused);
  return ck_main(suite);
}
