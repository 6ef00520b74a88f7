/* Storages: memory that tensors share. */
#include "values.h"

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
  ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(2), NULL, CTORCH_DTYPE_FLOAT32, count, &gone));
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
  ck_assert_ptr_null(storage);
  ck_assert_uint_eq(ctorch_storage_nbytes(NULL), 0);
  ctorch_storage_retain(NULL);
  ctorch_storage_release(NULL);
}
END_TEST

START_TEST(more_than_the_machine_has_is_out_of_memory) {
  ctorch_storage *storage = NULL;
  ctorch_error *error = ctorch_storage_new(&storage, (size_t)1 << 60);
  ck_assert_int_eq(ctorch_error_code(error), CTORCH_ERROR_OUT_OF_MEMORY);
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
  ck_scoped_case(suite, bad_arguments_are_refused);
  ck_scoped_case(suite, more_than_the_machine_has_is_out_of_memory);
  return ck_main(suite);
}
