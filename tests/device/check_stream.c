/* Streams. A CPU has one, which is always done. */
#include "harness/values.h"

static const ctorch_device CUDA = {CTORCH_DEVICE_TYPE_CUDA, 99};

START_TEST(the_stream_of_the_cpu_is_always_done) {
  const ctorch_device cpu0 = {CTORCH_DEVICE_TYPE_CPU, 0};
  const ctorch_device *const places[] = {NULL, CPU, &cpu0};
  for (int i = 0; i < 3; i++) {
    ctorch_stream by_default = {9, 9, 9}, current = {8, 8, 8};
    bool done = false;
    ck_ok(ctorch_stream_default(&by_default, places[i]));
    ck_ok(ctorch_stream_current(&current, places[i]));
    ck_assert(by_default.id == 0 && by_default.device_type == CTORCH_DEVICE_TYPE_CPU && by_default.device_index == 0);
    ck_assert(current.id == 0 && current.device_type == CTORCH_DEVICE_TYPE_CPU && current.device_index == 0);
    ck_ok(ctorch_stream_synchronize(&current));
    ck_ok(ctorch_stream_query(&done, &current));
    ck_assert(done);
  }
}
END_TEST

START_TEST(a_cpu_has_no_other_stream) {
  ctorch_stream made = {9, 9, 9}, pooled = {9, 9, 9};
  const ctorch_stream the_one = {0, CTORCH_DEVICE_TYPE_CPU, 0};
  ck_ok(ctorch_stream_new(&made, -3, NULL));
  ck_ok(ctorch_stream_from_pool(&pooled, true, CPU));
  ck_assert(ctorch_stream_equal(&made, &the_one) && ctorch_stream_equal(&pooled, &the_one));
  ck_ok(ctorch_stream_wait_stream(&made, &pooled));
  ck_ok(ctorch_stream_set_current(&made));
  void *handle = &made;
  ck_fails(ctorch_stream_native_handle(&handle, &made), CTORCH_ERROR_UNSUPPORTED, "CPU");
  ck_fails(ctorch_stream_from_native(&made, &handle, CPU), CTORCH_ERROR_UNSUPPORTED, "cpu");
  ck_assert(handle == &made && made.id == 0);
  bool capturing = true;
  ck_ok(ctorch_stream_is_capturing(&capturing, &made));
  ck_assert(!capturing);
}
END_TEST

START_TEST(pushes_nest) {
  const ctorch_stream stream = {0, CTORCH_DEVICE_TYPE_CPU, 0}, missing = {0, CUDA.type, CUDA.index};
  ck_fails(ctorch_stream_pop(), CTORCH_ERROR_RUNTIME, "no stream was pushed");
  ck_ok(ctorch_stream_push(&stream));
  ck_ok(ctorch_stream_push(&stream));
  ck_ok(ctorch_stream_pop());
  ck_ok(ctorch_stream_pop());
  ck_fails(ctorch_stream_pop(), CTORCH_ERROR_RUNTIME, "no stream was pushed");
  ck_fails(ctorch_stream_push(&missing), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_stream_pop(), CTORCH_ERROR_RUNTIME, "no stream was pushed"); /* what failed pushed nothing */
}
END_TEST

START_TEST(streams_are_equal_if_number_and_device_are) {
  const ctorch_stream a = {5, CTORCH_DEVICE_TYPE_CUDA, 1}, same = a, number = {6, a.device_type, a.device_index},
                      type = {a.id, CTORCH_DEVICE_TYPE_XPU, a.device_index}, index = {a.id, a.device_type, 0};
  ck_assert(ctorch_stream_equal(&a, &a) && ctorch_stream_equal(&a, &same) && ctorch_stream_equal(NULL, NULL));
  ck_assert(!ctorch_stream_equal(&a, &number) && !ctorch_stream_equal(&a, &type) && !ctorch_stream_equal(&a, &index));
  ck_assert(!ctorch_stream_equal(&a, NULL) && !ctorch_stream_equal(NULL, &a));
}
END_TEST

START_TEST(null_is_refused) {
  ctorch_stream stream = {0, CTORCH_DEVICE_TYPE_CPU, 0};
  bool done;
  void *handle;
  ck_fails(ctorch_stream_new(NULL, 0, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_stream_from_pool(NULL, false, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_stream_from_native(NULL, NULL, &CUDA), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_stream_from_native(&stream, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "device");
  ck_fails(ctorch_stream_native_handle(NULL, &stream), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_stream_native_handle(&handle, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_stream_set_current(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_stream_push(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_stream_wait_stream(NULL, &stream), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_stream_wait_stream(&stream, NULL), CTORCH_ERROR_NULL_ARGUMENT, "other");
  ck_fails(ctorch_stream_is_capturing(NULL, &stream), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_stream_is_capturing(&done, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_stream_default(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_stream_current(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_stream_synchronize(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_stream_query(&done, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_stream_query(NULL, &stream), CTORCH_ERROR_NULL_ARGUMENT, "out");
}
END_TEST

START_TEST(unknown_devices_are_refused) {
  static const ctorch_device strange[] = {
      {-1, 0},
      {21, 0},
      {9999, 0},
      {CTORCH_DEVICE_TYPE_CPU, 1},
      {CTORCH_DEVICE_TYPE_CUDA, 128},
      {CTORCH_DEVICE_TYPE_CUDA, -2}};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    const ctorch_stream before = {9, 9, 9};
    ctorch_stream out = before;
    const ctorch_stream stream = {0, strange[i].type, strange[i].index};
    bool done = true;
    ck_fails(ctorch_stream_default(&out, &strange[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device");
    ck_fails(ctorch_stream_current(&out, &strange[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device");
    ck_fails(ctorch_stream_synchronize(&stream), CTORCH_ERROR_INVALID_ARGUMENT, "self");
    ck_fails(ctorch_stream_query(&done, &stream), CTORCH_ERROR_INVALID_ARGUMENT, "self");
    ck_fails(ctorch_stream_new(&out, 0, &strange[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device");
    ck_fails(ctorch_stream_from_pool(&out, true, &strange[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device");
    ck_fails(ctorch_stream_from_native(&out, NULL, &strange[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device");
    ck_fails(ctorch_stream_set_current(&stream), CTORCH_ERROR_INVALID_ARGUMENT, "self");
    ck_fails(ctorch_stream_push(&stream), CTORCH_ERROR_INVALID_ARGUMENT, "self");
    ck_fails(ctorch_stream_is_capturing(&done, &stream), CTORCH_ERROR_INVALID_ARGUMENT, "self");
    ck_fails(ctorch_stream_wait_stream(&stream, &stream), CTORCH_ERROR_INVALID_ARGUMENT, "self");
    ck_assert(memcmp(&out, &before, sizeof out) == 0 && done);
  }
}
END_TEST

/* No machine has a hundred GPUs, so this holds with and without CUDA. */
START_TEST(a_device_that_is_not_there_is_an_error) {
  const ctorch_stream stream = {0, CUDA.type, CUDA.index};
  const ctorch_device mtia = {CTORCH_DEVICE_TYPE_MTIA, -1};
  ctorch_stream out = {9, 9, 9};
  bool done = true;
  ctorch_error *const errors[] = {
      ctorch_stream_default(&out, &CUDA),          ctorch_stream_current(&out, &CUDA),
      ctorch_stream_default(&out, &mtia),          ctorch_stream_synchronize(&stream),
      ctorch_stream_query(&done, &stream),         ctorch_stream_new(&out, 0, &CUDA),
      ctorch_stream_from_pool(&out, false, &CUDA), ctorch_stream_from_native(&out, NULL, &CUDA),
      ctorch_stream_set_current(&stream),          ctorch_stream_wait_stream(&stream, &stream),
      ctorch_stream_is_capturing(&done, &stream)};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    ck_assert_msg(errors[i] != NULL, "call %zu succeeded", i);
    ctorch_error_release(errors[i]);
  }
  ck_assert(out.id == 9 && out.device_type == 9 && out.device_index == 9 && done);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream");
  ck_case(suite, the_stream_of_the_cpu_is_always_done);
  ck_case(suite, a_cpu_has_no_other_stream);
  ck_case(suite, pushes_nest);
  ck_case(suite, streams_are_equal_if_number_and_device_are);
  ck_case(suite, null_is_refused);
  ck_case(suite, unknown_devices_are_refused);
  ck_case(suite, a_device_that_is_not_there_is_an_error);
  return ck_main(suite);
}
