/* Storages: memory that tensors share. */
#include "harness/values.h"

START_TEST(a_new_storage_has_the_size_asked_for) {
  ctorch_storage *storage = NULL;
  void *data = NULL;
  ctorch_device device = {9, 9};
  ck_ok(ctorch_storage_new(&storage, 24));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 24);
  ck_ok(ctorch_storage_data(&data, storage));
  memset(data, 0x5A, 24);
  ck_ok(ctorch_storage_device(&device, storage));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_CPU);
  /* Resizable: an operator may grow the tensor that looks at it. */
  ctorch_tensor *x = floats(CTORCH_INTS(1), 0);
  ck_ok(ctorch_aten_set__source_Storage(x, storage));
  ck_shape(x, CTORCH_INTS(6));
  ck_ok(ctorch_aten_resize_(x, CTORCH_INTS(100), NULL));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 400);
}
END_TEST

START_TEST(an_empty_storage_has_no_data) {
  ctorch_storage *storage = NULL;
  void *data = &storage;
  ck_ok(ctorch_storage_new(&storage, 0));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 0);
  ck_ok(ctorch_storage_data(&data, storage));
  ck_assert_ptr_null(data);
}
END_TEST

START_TEST(it_is_shared_with_its_tensors) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *row = NULL;
  ctorch_storage *storage = NULL;
  void *data = NULL, *of_tensor = NULL;
  ck_ok(ctorch_aten_narrow(&row, x, 0, 1, 1));
  ck_ok(ctorch_storage_from_tensor(&storage, row));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 8); /* the whole memory, not the row's part */
  ck_ok(ctorch_storage_data(&data, storage));
  ck_ok(ctorch_tensor_data(&of_tensor, x));
  ck_assert_ptr_eq(data, of_tensor);
  ((float *)data)[0] = 5;
  ck_floats(x, CTORCH_INTS(2), 5, 2);
}
END_TEST

static void count(void *payload) { ++*(int *)payload; }

START_TEST(it_outlives_its_tensors_until_the_last_reference_is_given_back) {
  int gone = 0;
  float memory[2] = {1, 2};
  ctorch_tensor *x = NULL;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, count, &gone));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ctorch_storage_retain(storage);
  ctorch_tensor_release(x);
  ctorch_storage_release(storage);
  ck_assert_int_eq(gone, 0);
  void *data = NULL;
  ck_ok(ctorch_storage_data(&data, storage));
  ck_assert_ptr_eq(data, memory);
  ctorch_storage_release(storage);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(a_meta_storage_has_a_size_but_no_memory) {
  ctorch_tensor *x = NULL;
  ctorch_storage *storage = NULL;
  ctorch_device device = {9, 9};
  void *data = &data;
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(2), NULL, NULL, META, NULL, NULL));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 8);
  ck_ok(ctorch_storage_device(&device, storage));
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_META);
  ck_fails(ctorch_storage_data(&data, storage), CTORCH_ERROR_RUNTIME, "meta");
  ck_assert_ptr_eq(data, &data);
}
END_TEST

START_TEST(a_sparse_tensor_has_none) {
  ctorch_tensor *x = NULL;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_aten_to_sparse(&x, floats(CTORCH_INTS(2), 0, 1), NULL, NULL, 0, NULL));
  ck_fails(ctorch_storage_from_tensor(&storage, x), CTORCH_ERROR_NOT_IMPLEMENTED, "storage");
  ck_assert_ptr_null(storage);
}
END_TEST

START_TEST(resizing_keeps_the_bytes_that_both_sizes_have) {
  ctorch_tensor *x = floats(CTORCH_INTS(3), 1, 2, 3);
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_assert(ctorch_storage_resizable(storage));
  ck_ok(ctorch_storage_resize(storage, 400));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 400);
  ck_floats(x, CTORCH_INTS(3), 1, 2, 3);
  ck_ok(ctorch_storage_resize(storage, 8));
  ck_ok(ctorch_storage_resize(storage, 12));
  ck_ok(ctorch_aten_narrow(&x, x, 0, 0, 2));
  ck_floats(x, CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_storage_resize(storage, 0));
  void *data = storage;
  ck_ok(ctorch_storage_data(&data, storage));
  ck_assert_ptr_null(data);
}
END_TEST

START_TEST(a_meta_storage_is_resized_too) {
  ctorch_tensor *x = NULL;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(2), NULL, NULL, META, NULL, NULL));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_ok(ctorch_storage_resize(storage, 4096));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 4096);
}
END_TEST

START_TEST(memory_of_a_caller_cannot_be_resized) {
  static int gone = 0;
  static float memory[2] = {1, 2};
  ctorch_tensor *x = NULL;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, count, &gone));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_assert(!ctorch_storage_resizable(storage));
  ck_assert(!ctorch_storage_resizable(NULL));
  ck_fails(ctorch_storage_resize(storage, 100), CTORCH_ERROR_RUNTIME, "not resizable");
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 8);
  ck_assert_int_eq(gone, 0);
}
END_TEST

START_TEST(bytes_are_read_written_and_copied) {
  ctorch_tensor *x = floats(CTORCH_INTS(3), 1, 2, 3);
  ctorch_storage *storage = NULL, *other = NULL;
  const float seven = 7;
  float got[2] = {0, 0};
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_ok(ctorch_storage_write(storage, 4, &seven, sizeof seven));
  ck_floats(x, CTORCH_INTS(3), 1, 7, 3);
  ck_ok(ctorch_storage_read(storage, 4, got, sizeof got));
  ck_assert(got[0] == 7 && got[1] == 3);
  ck_ok(ctorch_storage_read(storage, 12, NULL, 0));
  ck_ok(ctorch_storage_write(storage, 0, NULL, 0));
  ck_ok(ctorch_storage_from_tensor(&other, floats(CTORCH_INTS(3), 4, 5, 6)));
  ck_ok(ctorch_storage_copy(storage, other, false));
  ck_floats(x, CTORCH_INTS(3), 4, 5, 6);
  ck_fails(ctorch_storage_read(storage, 9, got, 4), CTORCH_ERROR_INDEX, "4 bytes from byte 9 on");
  ck_fails(ctorch_storage_read(storage, SIZE_MAX, got, 1), CTORCH_ERROR_INDEX, "12");
  ck_fails(ctorch_storage_read(storage, 4, got, SIZE_MAX), CTORCH_ERROR_INDEX, "12");
  ck_fails(ctorch_storage_write(storage, 13, got, 0), CTORCH_ERROR_INDEX, "12");
  ck_ok(ctorch_storage_new(&other, 8));
  ck_fails(ctorch_storage_copy(storage, other, false), CTORCH_ERROR_INVALID_ARGUMENT, "8 bytes, but self has 12");
  ck_floats(x, CTORCH_INTS(3), 4, 5, 6);
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(3), NULL, NULL, META, NULL, NULL));
  ck_ok(ctorch_storage_from_tensor(&other, x));
  ck_fails(ctorch_storage_read(other, 0, got, 4), CTORCH_ERROR_RUNTIME, "meta");
  ck_fails(ctorch_storage_write(other, 0, got, 4), CTORCH_ERROR_RUNTIME, "meta");
  ck_fails(ctorch_storage_copy(storage, other, false), CTORCH_ERROR_RUNTIME, "meta");
  ck_fails(ctorch_storage_copy(other, storage, false), CTORCH_ERROR_RUNTIME, "meta");
}
END_TEST

START_TEST(a_tensor_is_made_of_a_storage) {
  ctorch_storage *storage = NULL, *of_tensor = NULL;
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_storage_from_tensor(&storage, floats(CTORCH_INTS(6), 0, 1, 2, 3, 4, 5)));
  ck_ok(ctorch_tensor_from_storage(&x, storage, 2, CTORCH_INTS(2, 2), NULL, 0, CTORCH_DTYPE_FLOAT32));
  ck_floats(x, CTORCH_INTS(2, 2), 2, 3, 4, 5);
  ck_ok(ctorch_tensor_from_storage(&y, storage, 1, CTORCH_INTS(2, 3), CTORCH_INTS(0, 2), CTORCH_DTYPE_FLOAT32));
  ck_floats(y, CTORCH_INTS(2, 3), 1, 3, 5, 1, 3, 5);
  ck_assert_int_eq(ctorch_tensor_storage_offset(y), 1);
  ck_ok(ctorch_storage_from_tensor(&of_tensor, x));
  ck_assert_ptr_eq(of_tensor, storage);
  ck_ok(ctorch_tensor_from_storage(&x, storage, 2, NO_DIMS, NULL, 0, CTORCH_DTYPE_INT64));
  ck_shape(x, NO_DIMS);
  ck_ok(ctorch_tensor_from_storage(&x, storage, 2, CTORCH_INTS(0, 5), NULL, 0, CTORCH_DTYPE_INT64));
  ck_shape(x, CTORCH_INTS(0, 5));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 24);
}
END_TEST

START_TEST(a_tensor_does_not_reach_beyond_its_storage) {
  ctorch_storage *storage = NULL;
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_storage_new(&storage, 16));
#define ck_too_much(message, offset, sizes, ...)                                                 \
  ck_fails(                                                                                      \
      ctorch_tensor_from_storage(&x, storage, offset, sizes, __VA_ARGS__, CTORCH_DTYPE_FLOAT32), \
      CTORCH_ERROR_INVALID_ARGUMENT, message)
  ck_too_much("need 20 bytes, but there are 16", 0, CTORCH_INTS(5), NO_DIMS);
  ck_too_much("need 20 bytes", 1, CTORCH_INTS(2, 2), NO_DIMS);
  ck_too_much("need 20 bytes", 4, NO_DIMS, NO_DIMS);
  ck_too_much("need 24 bytes", 0, CTORCH_INTS(2), CTORCH_INTS(5));
  ck_too_much("storage_offset: -1 is negative", -1, CTORCH_INTS(1), NO_DIMS);
  ck_too_much("negative size -2", 0, CTORCH_INTS(-2), NO_DIMS);
  ck_too_much("negative stride -1", 0, CTORCH_INTS(2), CTORCH_INTS(-1));
  ck_too_much("beyond what memory can address", 0, CTORCH_INTS(3), CTORCH_INTS(INT64_MAX));
  ck_too_much("beyond what memory can address", INT64_MAX, CTORCH_INTS(1), NO_DIMS);
  ck_too_much("more elements than memory", 0, CTORCH_INTS(INT64_MAX, 2), NO_DIMS);
  ck_too_much("more elements than memory", 0, CTORCH_INTS(0, INT64_MAX, 3), NO_DIMS);
  ck_too_much("strides_len: 1 strides for 2 sizes", 0, CTORCH_INTS(1, 1), CTORCH_INTS(1));
  ck_too_much("strides_len: 3 strides for 2 sizes", 0, CTORCH_INTS(1, 1), CTORCH_INTS(1, 1, 1));
  ck_too_much("strides_len: 0 strides for 1 sizes", 0, CTORCH_INTS(1), (const int64_t[]){1}, 0);
#undef ck_too_much
  ck_fails(
      ctorch_tensor_from_storage(&x, storage, 0, CTORCH_INTS(1), NULL, 0, 99), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  ck_fails(
      ctorch_tensor_from_storage(&x, NULL, 0, CTORCH_INTS(1), NULL, 0, CTORCH_DTYPE_INT8), CTORCH_ERROR_NULL_ARGUMENT,
      "storage");
  ck_fails(
      ctorch_tensor_from_storage(NULL, storage, 0, CTORCH_INTS(1), NULL, 0, CTORCH_DTYPE_INT8),
      CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_null(x);
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 16);
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ctorch_storage *storage = NULL, *one = NULL;
  ctorch_device device;
  void *data;
  ck_ok(ctorch_storage_new(&one, 1));
  ck_fails(ctorch_storage_new(NULL, 8), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_new(&storage, SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT, "nbytes");
  ck_fails(ctorch_storage_new(&storage, (size_t)INT64_MAX + 1), CTORCH_ERROR_INVALID_ARGUMENT, "nbytes");
  ck_fails(ctorch_storage_from_tensor(&storage, NULL), CTORCH_ERROR_NULL_ARGUMENT, "tensor");
  ck_fails(ctorch_storage_from_tensor(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_data(&data, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_data(NULL, one), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_device(&device, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_device(NULL, one), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_resize(NULL, 8), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_resize(one, SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT, "nbytes");
  ck_fails(ctorch_storage_read(NULL, 0, &device, 1), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_read(one, 0, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_storage_write(NULL, 0, &device, 1), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_write(one, 0, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_storage_copy(NULL, one, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_copy(one, NULL, false), CTORCH_ERROR_NULL_ARGUMENT, "source");
  ck_assert_ptr_null(storage);
  ck_assert_uint_eq(ctorch_storage_nbytes(NULL), 0);
  ctorch_storage_retain(NULL);
  ctorch_storage_release(NULL);
}
END_TEST

START_TEST(more_than_the_machine_has_is_out_of_memory) {
  ctorch_storage *storage = NULL;
  ctorch_error *error = ctorch_storage_new(&storage, (size_t)1 << 60);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_OUT_OF_MEMORY);
  uint64_t requested = 0;
  ck_assert(ctorch_error_requested_bytes(error, &requested));
  ck_assert_uint_eq(requested, UINT64_C(1) << 60);
  ctorch_error_release(error);
  ck_assert_ptr_null(storage);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("storage");
  ck_scoped_case(suite, a_new_storage_has_the_size_asked_for);
  ck_scoped_case(suite, an_empty_storage_has_no_data);
  ck_scoped_case(suite, it_is_shared_with_its_tensors);
  ck_scoped_case(suite, it_outlives_its_tensors_until_the_last_reference_is_given_back);
  ck_scoped_case(suite, a_meta_storage_has_a_size_but_no_memory);
  ck_scoped_case(suite, a_sparse_tensor_has_none);
  ck_scoped_case(suite, resizing_keeps_the_bytes_that_both_sizes_have);
  ck_scoped_case(suite, a_meta_storage_is_resized_too);
  ck_scoped_case(suite, memory_of_a_caller_cannot_be_resized);
  ck_scoped_case(suite, bytes_are_read_written_and_copied);
  ck_scoped_case(suite, a_tensor_is_made_of_a_storage);
  ck_scoped_case(suite, a_tensor_does_not_reach_beyond_its_storage);
  ck_scoped_case(suite, bad_arguments_are_refused);
  ck_scoped_case(suite, more_than_the_machine_has_is_out_of_memory);
  return ck_main(suite);
}
