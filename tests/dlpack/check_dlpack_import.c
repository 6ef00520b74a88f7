/* DLPack: tensors of another library share its memory and give it back once. */
#include <pthread.h>

#include "dlpack/dlpack_producer.h"

START_TEST(an_import_shares_the_producers_memory) {
  static producer p;
  ctorch_tensor *x = NULL;
  uint64_t flags = 99;
  ck_ok(ctorch_tensor_from_dlpack(&x, &flags, produce(&p)));
  ck_assert_uint_eq(flags, 0);
  ck_assert_ptr_eq(data_of(x), p.data);
  ck_floats(x, CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  p.data[4] = 40;
  ck_ok(ctorch_aten_mul__Scalar(x, CTORCH_INT(2)));
  ck_assert_float_eq(p.data[4], 80);
  ck_assert_int_eq(p.deleted, 0);
}
END_TEST

START_TEST(its_deleter_runs_once_when_the_last_tensor_is_gone) {
  static producer p;
  ctorch_tensor *x = NULL, *row = NULL;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, produce(&p)));
  ck_ok(ctorch_aten_select_int(&row, x, 0, 1));
  ctorch_tensor_release(x);
  ck_assert_int_eq(p.deleted, 0);
  ck_assert_float_eq(((float *)data_of(row))[0], 3);
  ctorch_tensor_release(row);
  ck_assert_int_eq(p.deleted, 1);

  produce(&p);
  ck_ok(ctorch_tensor_from_dlpack_unversioned(&x, &p.unversioned));
  ck_floats(x, CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  ck_assert_ptr_eq(data_of(x), p.data);
  ck_assert_int_eq(p.deleted, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(p.deleted, 1);
}
END_TEST

START_TEST(a_deleter_may_be_missing) {
  static producer p;
  ctorch_tensor *x = NULL;
  produce(&p)->deleter = NULL;
  p.unversioned.deleter = NULL;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ctorch_tensor_release(x);
  ck_ok(ctorch_tensor_from_dlpack_unversioned(&x, &p.unversioned));
  ctorch_tensor_release(x);
  p.versioned.dl_tensor.ndim = -1;
  ck_fails(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned), CTORCH_ERROR_INVALID_ARGUMENT, "ndim");
  ctorch_dlpack_release(&p.versioned);
  ctorch_dlpack_unversioned_release(&p.unversioned);
  ck_assert_int_eq(p.deleted, 0);
}
END_TEST

static void *releases(void *tensor) {
  ctorch_tensor_release(tensor);
  return NULL;
}

START_TEST(it_may_be_released_on_another_thread) {
  static producer p;
  ctorch_tensor *x = NULL;
  pthread_t thread;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, produce(&p)));
  ck_assert_int_eq(pthread_create(&thread, NULL, releases, x), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert_int_eq(p.deleted, 1);
}
END_TEST

static void *releases_managed(void *managed) {
  ctorch_dlpack_release(managed);
  return NULL;
}

START_TEST(an_export_may_be_released_on_another_thread) {
  static producer p;
  ctorch_tensor *x = NULL;
  pthread_t thread;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, produce(&p)));
  DLManagedTensorVersioned *again = exported(x);
  ctorch_tensor_release(x);
  ck_assert_int_eq(p.deleted, 0); /* the memory is on loan twice over */
  ck_assert_int_eq(pthread_create(&thread, NULL, releases_managed, again), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert_int_eq(p.deleted, 1);
}
END_TEST

START_TEST(without_strides_the_data_is_row_major) {
  static producer p;
  ctorch_tensor *x = NULL;
  produce(&p)->dl_tensor.strides = NULL;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ck_floats(x, CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  ck_assert(ctorch_tensor_strides(x)[0] == 3 && ctorch_tensor_strides(x)[1] == 1);
  ck_assert(ctorch_tensor_is_contiguous(x));
}
END_TEST

START_TEST(strides_may_leave_gaps_overlap_or_go_nowhere) {
  static producer p;
  ctorch_tensor *x = NULL;
  produce(&p);
  p.shape[0] = 3, p.shape[1] = 2;
  p.strides[0] = 1, p.strides[1] = 3;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ck_floats(x, CTORCH_INTS(3, 2), 0, 3, 1, 4, 2, 5);
  p.strides[0] = 2, p.strides[1] = 0;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ck_floats(x, CTORCH_INTS(3, 2), 0, 0, 2, 2, 4, 4);
  /* A stride is not looked at where there is one element or none. */
  p.shape[0] = 1, p.strides[0] = -7, p.strides[1] = 5;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ck_floats(x, CTORCH_INTS(1, 2), 0, 5);
}
END_TEST

/** The storage reaches from the first element to the end of the last, whatever lies between. */
START_TEST(the_memory_of_an_import_is_what_its_strides_span) {
  static producer p;
  static const struct {
    int64_t shape[2], strides[2];
    uint64_t byte_offset;
    size_t nbytes;
  } cases[] = {
      {{2, 3}, {3, 1}, 0, 24}, {{3, 2}, {1, 3}, 0, 24},  {{3, 2}, {2, 0}, 0, 20},    {{2, 2}, {4, 1}, 0, 24},
      {{2, 2}, {2, 1}, 8, 24}, {{1, 2}, {-7, 5}, 0, 24}, {{1, 1}, {-7, 1000}, 4, 8}, {{0, 2}, {-1, 1}, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ctorch_tensor *x = NULL;
    ctorch_storage *storage = NULL;
    produce(&p)->dl_tensor.byte_offset = cases[i].byte_offset;
    memcpy(p.shape, cases[i].shape, sizeof p.shape);
    memcpy(p.strides, cases[i].strides, sizeof p.strides);
    ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
    ck_ok(ctorch_storage_from_tensor(&storage, x));
    ck_assert_uint_eq(ctorch_storage_nbytes(storage), cases[i].nbytes);
    ctorch_storage_release(storage);
    ctorch_tensor_release(x);
  }
  ctorch_tensor *x = NULL;
  produce(&p);
  p.strides[0] = INT64_MAX - 2, p.strides[1] = 2; /* each alone would do */
  ck_fails(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned), CTORCH_ERROR_INVALID_ARGUMENT, "strides reach further");
  produce(&p);
  p.strides[0] = -3;
  ck_fails(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned), CTORCH_ERROR_BUFFER, "negative strides");
}
END_TEST

START_TEST(a_byte_offset_is_counted_in) {
  static producer p;
  ctorch_tensor *x = NULL;
  for (int without_strides = 0; without_strides < 2; without_strides++) {
    produce(&p)->dl_tensor.byte_offset = 8;
    p.shape[0] = 2, p.shape[1] = 2, p.strides[0] = 2;
    if (without_strides) {
      p.versioned.dl_tensor.strides = NULL;
    }
    ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
    ck_floats(x, CTORCH_INTS(2, 2), 2, 3, 4, 5);
    ck_assert_int_eq(ctorch_tensor_storage_offset(x), 2);
    ck_assert_ptr_eq(data_of(x), p.data + 2);
  }
  /* Of no whole number of elements: 4 bytes of a 64-bit number. */
  produce(&p);
  static const double number = 2.5;
  memcpy((char *)p.data + 4, &number, sizeof number);
  p.versioned.dl_tensor = (DLTensor){p.data, {kDLCPU, 0}, 0, {kDLFloat, 64, 1}, NULL, NULL, 4};
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ck_assert_ptr_eq(data_of(x), (char *)p.data + 4);
  ck_doubles(x, NO_DIMS, 2.5);
}
END_TEST

START_TEST(nothing_needs_no_data) {
  static producer p;
  ctorch_tensor *x = NULL;
  produce(&p);
  p.shape[0] = 0;
  p.versioned.dl_tensor.data = NULL;
  p.versioned.dl_tensor.byte_offset = 3;
  p.strides[1] = -1;
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ck_shape(x, CTORCH_INTS(0, 3));
  ck_assert_ptr_null(data_of(x));
  ctorch_tensor_release(x);
  ck_assert_int_eq(p.deleted, 1);
}
END_TEST

START_TEST(flags_come_through) {
  static producer p;
  ctorch_tensor *x = NULL;
  const uint64_t flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED | (UINT64_C(1) << 63);
  uint64_t got = 0;
  produce(&p)->flags = flags;
  ck_ok(ctorch_tensor_from_dlpack(&x, &got, &p.versioned));
  ck_assert_uint_eq(got, flags);
}
END_TEST

START_TEST(pinned_memory_is_of_the_cpu) {
  static producer p;
  ctorch_tensor *x = NULL;
  ctorch_device device;
  static const int32_t types[] = {kDLCUDAHost, kDLROCMHost};
  for (int i = 0; i < 2; i++) {
    produce(&p)->dl_tensor.device = (DLDevice){types[i], 0};
    ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
    ck_ok(ctorch_tensor_device(&device, x));
    ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_CPU);
    ck_floats(x, CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  }
}
END_TEST

START_TEST(many_dimensions_cross) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 3), *deep = NULL;
  int64_t ones[256];
  for (int i = 0; i < 256; i++) {
    ones[i] = 1;
  }
  ck_ok(ctorch_aten_view(&deep, x, ones, 256));
  ctorch_tensor *back = imported(exported(deep));
  ck_assert_int_eq(ctorch_tensor_ndim(back), 256);
  ck_assert_ptr_eq(data_of(back), data_of(x));
}
END_TEST
static void count(void *payload) { ++*(int *)payload; }

START_TEST(a_dltensor_is_wrapped) {
  static producer p;
  int gone = 0;
  ctorch_tensor *x = NULL;
  produce(&p);
  ck_ok(ctorch_tensor_from_dltensor(&x, &p.versioned.dl_tensor, count, &gone));
  memset(&p.versioned.dl_tensor, 0xAB, sizeof(DLTensor)); /* needed for the call only */
  memset(p.shape, 0xAB, sizeof p.shape);
  ck_floats(x, CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  ck_assert_ptr_eq(data_of(x), p.data);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 1);
  produce(&p);
  ck_ok(ctorch_tensor_from_dltensor(&x, &p.versioned.dl_tensor, NULL, NULL));
  ctorch_tensor_release(x);
  ck_assert_int_eq(p.deleted, 0);
}
END_TEST

START_TEST(a_dltensor_that_is_refused_is_not_destroyed) {
  static producer p;
  int gone = 0;
  ctorch_tensor *x = NULL;
  produce(&p)->dl_tensor.ndim = -1;
  ck_fails(
      ctorch_tensor_from_dltensor(&x, &p.versioned.dl_tensor, count, &gone), CTORCH_ERROR_INVALID_ARGUMENT, "ndim");
  ck_fails(ctorch_tensor_from_dltensor(&x, NULL, count, &gone), CTORCH_ERROR_NULL_ARGUMENT, "dltensor");
  ck_fails(ctorch_tensor_from_dltensor(NULL, &p.versioned.dl_tensor, count, &gone), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_null(x);
  ck_assert_int_eq(gone, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dlpack_import");
  ck_scoped_case(suite, an_import_shares_the_producers_memory);
  ck_case(suite, its_deleter_runs_once_when_the_last_tensor_is_gone);
  ck_case(suite, a_deleter_may_be_missing);
  ck_case(suite, it_may_be_released_on_another_thread);
  ck_case(suite, an_export_may_be_released_on_another_thread);
  ck_scoped_case(suite, without_strides_the_data_is_row_major);
  ck_scoped_case(suite, strides_may_leave_gaps_overlap_or_go_nowhere);
  ck_scoped_case(suite, a_byte_offset_is_counted_in);
  ck_case(suite, nothing_needs_no_data);
  ck_scoped_case(suite, flags_come_through);
  ck_scoped_case(suite, pinned_memory_is_of_the_cpu);
  ck_scoped_case(suite, many_dimensions_cross);
  ck_case(suite, a_dltensor_is_wrapped);
  ck_case(suite, a_dltensor_that_is_refused_is_not_destroyed);
  ck_case(suite, the_memory_of_an_import_is_what_its_strides_span);
  return ck_main(suite);
}
