/* The default dtype and the default device. That the right operators follow is compared with Python in
 * tests/settings/test_defaults.py. */
#include <pthread.h>

#include "harness/values.h"

static ctorch_tensor *zeros(const ctorch_dtype *dtype, const ctorch_device *device) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_zeros(&out, CTORCH_INTS(2), dtype, NULL, device, NULL));
  return out;
}

static int32_t where(const ctorch_tensor *x) {
  ctorch_device device = {77, 77};
  ck_ok(ctorch_tensor_device(&device, x));
  return device.type;
}

static void ck_default(int32_t type, int32_t index) {
  ctorch_device device = {77, 77};
  ck_ok(ctorch_defaults_device(&device));
  ck_assert_int_eq(device.type, type);
  ck_assert_int_eq(device.index, index);
}

START_TEST(the_default_dtype_is_that_of_new_tensors) {
  static const ctorch_dtype allowed[] = {
      CTORCH_DTYPE_FLOAT64, CTORCH_DTYPE_FLOAT16, CTORCH_DTYPE_BFLOAT16, CTORCH_DTYPE_FLOAT32};
  ck_assert_int_eq(ctorch_defaults_dtype(), CTORCH_DTYPE_FLOAT32);
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    ck_ok(ctorch_defaults_set_dtype(allowed[i]));
    ck_assert_int_eq(ctorch_defaults_dtype(), allowed[i]);
    ck_assert_int_eq(ctorch_tensor_dtype(zeros(NULL, NULL)), allowed[i]);
    ck_assert_int_eq(ctorch_tensor_dtype(zeros(CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_INT8), NULL)), CTORCH_DTYPE_INT8);
  }
}
END_TEST

START_TEST(other_default_dtypes_are_refused) {
  static const ctorch_dtype refused[] = {CTORCH_DTYPE_INT64,
                                         CTORCH_DTYPE_COMPLEX64,
                                         CTORCH_DTYPE_BOOL,
                                         CTORCH_DTYPE_FLOAT8_E5M2,
                                         CTORCH_DTYPE_QINT8,
                                         -1,
                                         46,
                                         INT32_MAX};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    ck_fails(ctorch_defaults_set_dtype(refused[i]), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
    ck_assert_int_eq(ctorch_defaults_dtype(), CTORCH_DTYPE_FLOAT32);
  }
}
END_TEST

START_TEST(without_a_default_device_it_is_the_cpu) {
  ck_default(CTORCH_DEVICE_TYPE_CPU, -1);
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_CPU);
}
END_TEST

START_TEST(a_missing_device_is_the_default_one) {
  ck_ok(ctorch_defaults_set_device(META));
  ck_default(CTORCH_DEVICE_TYPE_META, -1);
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_META);
  ck_assert_int_eq(where(zeros(NULL, CPU)), CTORCH_DEVICE_TYPE_CPU);
  ck_ok(ctorch_defaults_set_device(CPU));
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_CPU);
  ck_ok(ctorch_defaults_set_device(META));
  ck_ok(ctorch_defaults_set_device(NULL));
  ck_default(CTORCH_DEVICE_TYPE_CPU, -1);
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_CPU);
}
END_TEST

START_TEST(tensors_that_follow_another_stay_with_it) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *like = NULL, *ones = NULL;
  ck_ok(ctorch_defaults_device_push(META));
  ck_ok(ctorch_aten_zeros_like(&like, x, NULL, NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_new_ones(&ones, x, CTORCH_INTS(3), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_defaults_device_pop());
  ck_floats(like, CTORCH_INTS(2), 0, 0);
  ck_floats(ones, CTORCH_INTS(3), 1, 1, 1);
}
END_TEST

START_TEST(pushes_nest_above_the_set_one) {
  ck_ok(ctorch_defaults_set_device(META));
  ck_ok(ctorch_defaults_device_push(CPU));
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_CPU);
  ck_ok(ctorch_defaults_device_push(META));
  ck_ok(ctorch_defaults_device_push(NULL));
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_CPU);
  ck_ok(ctorch_defaults_device_pop());
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_META);
  ck_ok(ctorch_defaults_device_pop());
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_CPU);
  ck_ok(ctorch_defaults_set_device(NULL)); /* below what was pushed */
  ck_ok(ctorch_defaults_device_pop());
  ck_default(CTORCH_DEVICE_TYPE_CPU, -1);
  ck_fails(ctorch_defaults_device_pop(), CTORCH_ERROR_RUNTIME, "no default device was pushed");
  ck_ok(ctorch_defaults_set_device(META)); /* still works */
  ck_default(CTORCH_DEVICE_TYPE_META, -1);
  ck_ok(ctorch_defaults_set_device(NULL));
}
END_TEST

static void *in_a_thread(void *unused) {
  (void)unused;
  ctorch_tensor *x = zeros(NULL, NULL);
  ck_assert_int_eq(where(x), CTORCH_DEVICE_TYPE_CPU);
  ctorch_tensor_release(x);
  ck_fails(ctorch_defaults_device_pop(), CTORCH_ERROR_RUNTIME, "on this thread");
  ck_ok(ctorch_defaults_set_device(META)); /* and the thread ends */
  return NULL;
}

START_TEST(a_default_device_belongs_to_its_thread) {
  pthread_t thread;
  ck_ok(ctorch_defaults_device_push(META));
  ck_assert_int_eq(pthread_create(&thread, NULL, in_a_thread, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_META);
  ck_ok(ctorch_defaults_device_pop());
  ck_assert_int_eq(where(zeros(NULL, NULL)), CTORCH_DEVICE_TYPE_CPU);
}
END_TEST

START_TEST(bad_devices_are_refused) {
  static const ctorch_device bad[] = {{21, 0}, {-1, 0}, {CTORCH_DEVICE_TYPE_CPU, 1}, {CTORCH_DEVICE_TYPE_CUDA, 4096}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ck_fails(ctorch_defaults_set_device(&bad[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device");
    ck_fails(ctorch_defaults_device_push(&bad[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  }
  ck_fails(ctorch_defaults_device(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_defaults_device_pop(), CTORCH_ERROR_RUNTIME, "no default device was pushed");
  ck_default(CTORCH_DEVICE_TYPE_CPU, -1);
}
END_TEST

START_TEST(a_device_that_is_missing_shows_when_a_tensor_is_made) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_defaults_device_push(&(const ctorch_device){CTORCH_DEVICE_TYPE_CUDA, 99}));
  ck_default(CTORCH_DEVICE_TYPE_CUDA, 99);
  ctorch_error *error = ctorch_aten_zeros(&out, CTORCH_INTS(2), NULL, NULL, NULL, NULL);
  ck_assert_ptr_nonnull(error);
  ck_assert_ptr_null(out);
  ctorch_error_release(error);
  ck_ok(ctorch_defaults_device_pop());
}
END_TEST

int main(void) {
  Suite *suite = suite_create("defaults");
  ck_scoped_case(suite, the_default_dtype_is_that_of_new_tensors);
  ck_scoped_case(suite, other_default_dtypes_are_refused);
  ck_scoped_case(suite, without_a_default_device_it_is_the_cpu);
  ck_scoped_case(suite, a_missing_device_is_the_default_one);
  ck_scoped_case(suite, tensors_that_follow_another_stay_with_it);
  ck_scoped_case(suite, pushes_nest_above_the_set_one);
  ck_scoped_case(suite, a_default_device_belongs_to_its_thread);
  ck_scoped_case(suite, bad_devices_are_refused);
  ck_scoped_case(suite, a_device_that_is_missing_shows_when_a_tensor_is_made);
  return ck_main(suite);
}
