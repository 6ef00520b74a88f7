/* Devices. On a machine without an accelerator the CPU is the only one. */
#include "harness/values.h"

static const ctorch_device STRANGE[] = {
    {-1, 0},
    {21, 0},
    {INT32_MAX, 0},
    {INT32_MIN, -1},
    {CTORCH_DEVICE_TYPE_CPU, 1},
    {CTORCH_DEVICE_TYPE_CUDA, 128},
    {CTORCH_DEVICE_TYPE_CUDA, -2}};
enum { STRANGERS = sizeof STRANGE / sizeof *STRANGE };

/* Types that no LibTorch has a runtime for, and an index that no machine has. */
static const ctorch_device MISSING[] = {
    {CTORCH_DEVICE_TYPE_CUDA, 99}, {CTORCH_DEVICE_TYPE_OPENGL, -1}, {CTORCH_DEVICE_TYPE_FPGA, 0}};
enum { MISSINGS = sizeof MISSING / sizeof *MISSING };

START_TEST(there_is_one_cpu) {
  ck_assert_int_eq(ctorch_device_count(CTORCH_DEVICE_TYPE_CPU), 1);
  ck_assert(ctorch_device_is_built(CTORCH_DEVICE_TYPE_CPU));
  ctorch_device current = {9, 9};
  ck_ok(ctorch_device_current(&current, CTORCH_DEVICE_TYPE_CPU));
  ck_assert(current.type == CTORCH_DEVICE_TYPE_CPU && current.index == 0);
  const ctorch_device *const cpus[] = {CPU, &current};
  for (int i = 0; i < 2; i++) {
    ck_ok(ctorch_device_set_current(cpus[i]));
    ck_ok(ctorch_device_synchronize(cpus[i]));
  }
  ck_ok(ctorch_device_synchronize(NULL));
}
END_TEST

START_TEST(what_is_counted_is_built_and_has_a_current_one) {
  for (ctorch_device_type type = -3; type < 30; type++) {
    const int32_t count = ctorch_device_count(type);
    ck_assert_int_ge(count, 0);
    ctorch_device current = {9, 9};
    ctorch_error *error = ctorch_device_current(&current, type);
    ck_assert_msg((error == NULL) == (count > 0), "type %d: %s", type, ctorch_error_message(error));
    if (error == NULL) {
      ck_assert(current.type == type && current.index >= 0 && current.index < count);
    } else {
      ck_assert(current.type == 9 && current.index == 9);
    }
    ctorch_error_release(error);
  }
  ck_assert_int_eq(ctorch_device_count(-1), 0);
  ck_assert_int_eq(ctorch_device_count(21), 0);
  ck_assert_int_eq(ctorch_device_count(256 + CTORCH_DEVICE_TYPE_CPU), 0); /* which a narrower number would take for 0 */
  ck_assert(!ctorch_device_is_built(-1) && !ctorch_device_is_built(21) && !ctorch_device_is_built(256));
  ck_assert(!ctorch_device_is_built(CTORCH_DEVICE_TYPE_OPENGL));
}
END_TEST

START_TEST(the_accelerator_is_one_that_is_built) {
  const ctorch_device_type type = ctorch_device_accelerator_type();
  ck_assert(ctorch_device_is_built(type));
  ck_assert(ctorch_device_cuda_is_available() == (ctorch_device_count(CTORCH_DEVICE_TYPE_CUDA) > 0));
  if (ctorch_device_is_built(CTORCH_DEVICE_TYPE_CUDA)) {
    ck_assert_int_eq(type, CTORCH_DEVICE_TYPE_CUDA);
  }
}
END_TEST

START_TEST(pushes_nest) {
  ck_fails(ctorch_device_pop(), CTORCH_ERROR_RUNTIME, "no device was pushed");
  ck_ok(ctorch_device_push(CPU));
  ck_ok(ctorch_device_push(CPU));
  ck_ok(ctorch_device_pop());
  ck_ok(ctorch_device_pop());
  ck_fails(ctorch_device_pop(), CTORCH_ERROR_RUNTIME, "no device was pushed");
  ck_fails(ctorch_device_push(&MISSING[0]), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_device_pop(), CTORCH_ERROR_RUNTIME, "no device was pushed"); /* what failed pushed nothing */
}
END_TEST

START_TEST(strange_devices_are_refused) {
  const ctorch_device *strange = &STRANGE[_i];
  int32_t major = 7, minor = 7, count = 7;
  bool supported = true;
  ctorch_string *name = NULL;
  ck_fails(ctorch_device_set_current(strange), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(ctorch_device_push(strange), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(ctorch_device_synchronize(strange), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(
      ctorch_device_supports_dtype(&supported, CTORCH_DTYPE_FLOAT32, strange), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(ctorch_device_name(&name, strange), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(ctorch_device_compute_capability(&major, &minor, strange), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_fails(ctorch_device_multiprocessor_count(&count, strange), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_assert(major == 7 && minor == 7 && count == 7 && supported && name == NULL);
}
END_TEST

/* LibTorch itself crashes there. Debian's is built for Vulkan. */
START_TEST(a_vulkan_that_is_built_and_not_there_is_refused) {
  const ctorch_device vulkan = {CTORCH_DEVICE_TYPE_VULKAN, -1};
  ctorch_tensor *out = NULL;
  bool available = true;
  ck_ok(ctorch_aten_is_vulkan_available(&available));
  if (!available && ctorch_device_is_built(CTORCH_DEVICE_TYPE_VULKAN)) {
    ck_fails(
        ctorch_aten_ones(&out, CTORCH_INTS(2), NULL, NULL, &vulkan, NULL), CTORCH_ERROR_RUNTIME,
        "device: this machine has no Vulkan");
    ck_assert_int_eq(ctorch_device_count(CTORCH_DEVICE_TYPE_VULKAN), 0);
  }
}
END_TEST

START_TEST(missing_devices_are_an_error) {
  const ctorch_device *missing = &MISSING[_i];
  int32_t major = 7, minor = 7, count = 7;
  bool supported = true;
  ctorch_string *name = NULL;
  ck_fails(ctorch_device_set_current(missing), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_device_synchronize(missing), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_device_supports_dtype(&supported, CTORCH_DTYPE_FLOAT32, missing), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_device_name(&name, missing), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_device_compute_capability(&major, &minor, missing), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_device_multiprocessor_count(&count, missing), CTORCH_ERROR_RUNTIME, NULL);
  ck_assert(major == 7 && minor == 7 && count == 7 && supported && name == NULL);
}
END_TEST

START_TEST(a_cpu_has_a_name_and_processors_and_takes_all_dtypes) {
  ctorch_string *name = NULL;
  ck_ok(ctorch_device_name(&name, NULL));
  ck_assert_uint_gt(ctorch_string_len(name), 0);
  ctorch_string_release(name);
  int32_t count = 0, major = 7, minor = 7;
  ck_ok(ctorch_device_multiprocessor_count(&count, CPU));
  ck_assert_int_ge(count, 1);
  ck_fails(ctorch_device_compute_capability(&major, &minor, NULL), CTORCH_ERROR_UNSUPPORTED, "cpu");
  ck_assert(major == 7 && minor == 7);
  static const ctorch_dtype dtypes[] = {
      CTORCH_DTYPE_FLOAT32, CTORCH_DTYPE_BFLOAT16, CTORCH_DTYPE_COMPLEX64, CTORCH_DTYPE_BOOL};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    bool supported = false;
    ck_ok_since(2, 11, ctorch_device_supports_dtype(&supported, dtypes[i], NULL));
    ck_assert(supported);
  }
  bool supported = true;
  ck_fails(ctorch_device_supports_dtype(&supported, 99, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  ck_fails(ctorch_device_supports_dtype(&supported, -1, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
}
END_TEST

START_TEST(a_meta_device_does_not_hold_every_dtype) {
  bool supported = true;
  ck_ok_since(2, 11, ctorch_device_supports_dtype(&supported, CTORCH_DTYPE_QINT8, META));
  ck_assert(!supported);
  ck_ok(ctorch_device_supports_dtype(&supported, CTORCH_DTYPE_FLOAT32, META));
  ck_assert(supported);
  ctorch_string *name = NULL;
  ck_fails(ctorch_device_name(&name, META), CTORCH_ERROR_UNSUPPORTED, "type meta");
}
END_TEST

START_TEST(null_is_refused) {
  int32_t number;
  ck_fails(ctorch_device_current(NULL, CTORCH_DEVICE_TYPE_CPU), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_device_set_current(NULL), CTORCH_ERROR_NULL_ARGUMENT, "device");
  ck_fails(ctorch_device_push(NULL), CTORCH_ERROR_NULL_ARGUMENT, "device");
  ck_fails(ctorch_device_supports_dtype(NULL, CTORCH_DTYPE_BOOL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_device_name(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_device_compute_capability(NULL, &number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_major");
  ck_fails(ctorch_device_compute_capability(&number, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_minor");
  ck_fails(ctorch_device_multiprocessor_count(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("device");
  ck_case(suite, there_is_one_cpu);
  ck_case(suite, what_is_counted_is_built_and_has_a_current_one);
  ck_case(suite, the_accelerator_is_one_that_is_built);
  ck_case(suite, pushes_nest);
  ck_case_loop(suite, strange_devices_are_refused, STRANGERS);
  ck_case(suite, a_vulkan_that_is_built_and_not_there_is_refused);
  ck_case_loop(suite, missing_devices_are_an_error, MISSINGS);
  ck_case(suite, a_cpu_has_a_name_and_processors_and_takes_all_dtypes);
  ck_case(suite, a_meta_device_does_not_hold_every_dtype);
  ck_case(suite, null_is_refused);
  return ck_main(suite);
}
