/* Streams. A CPU has one, which is always done. */
#include "values.h"

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

START_TEST(null_is_refused) {
  ctorch_stream stream = {0, CTORCH_DEVICE_TYPE_CPU, 0};
  bool done;
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
      ctorch_stream_default(&out, &CUDA), ctorch_stream_current(&out, &CUDA), ctorch_stream_default(&out, &mtia),
      ctorch_stream_synchronize(&stream), ctorch_stream_query(&done, &stream)};
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
  ck_case(suite, null_is_refused);
  ck_case(suite, unknown_devices_are_refused);
  ck_case(suite, a_device_that_is_not_there_is_an_error);
  return ck_main(suite);
}
