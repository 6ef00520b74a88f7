/* Events on a CPU, where they have happened once they are recorded. */
#include <pthread.h>
#include <time.h>

#include "harness/values.h"

static ctorch_event *new_event(bool enable_timing) {
  ctorch_event *out = NULL;
  ck_ok(ctorch_event_new(&out, CTORCH_DEVICE_TYPE_CPU, enable_timing));
  ck_assert_ptr_nonnull(out);
  return out;
}

static bool is_done(const ctorch_event *event) {
  bool done = false;
  ck_ok(ctorch_event_query(&done, event));
  return done;
}

START_TEST(an_event_of_a_cpu_has_always_happened) {
  const ctorch_stream stream = {0, CTORCH_DEVICE_TYPE_CPU, 0};
  ctorch_event *event = new_event(false);
  ctorch_device device = {9, 9};
  ck_assert(is_done(event));
  ck_ok(ctorch_event_synchronize(event));
  ck_ok(ctorch_event_wait(event, &stream));
  ck_ok(ctorch_event_device(&device, event));
  ck_assert(device.type == CTORCH_DEVICE_TYPE_CPU && device.index == -1);
  ck_ok(ctorch_event_record(event, NULL));
  ck_ok(ctorch_event_record(event, &stream));
  ck_assert(is_done(event));
  ck_ok(ctorch_event_synchronize(event));
  ck_ok(ctorch_event_wait(event, NULL));
  ck_ok(ctorch_event_device(&device, event));
  ck_assert(device.type == CTORCH_DEVICE_TYPE_CPU && device.index == 0);
  void *handle = &device;
  ck_ok(ctorch_event_native_handle(&handle, event));
  ck_assert_ptr_null(handle);
  ctorch_event_release(event);
}
END_TEST

/* Bounds by the same clock, read before and after. */
START_TEST(the_time_between_two_events_is_the_clocks) {
  ctorch_event *start = new_event(true), *end = new_event(true);
  struct timespec t[4];
  clock_gettime(CLOCK_MONOTONIC, &t[0]);
  ck_ok(ctorch_event_record(start, NULL));
  clock_gettime(CLOCK_MONOTONIC, &t[1]);
  do {
    clock_gettime(CLOCK_MONOTONIC, &t[2]);
  } while (t[2].tv_nsec / 1000000 == t[1].tv_nsec / 1000000);
  ck_ok(ctorch_event_record(end, NULL));
  clock_gettime(CLOCK_MONOTONIC, &t[3]);
  double ms[4], elapsed = -1, back = 1;
  for (int i = 0; i < 4; i++) {
    ms[i] = 1e3 * (double)(t[i].tv_sec - t[0].tv_sec) + 1e-6 * (double)(t[i].tv_nsec - t[0].tv_nsec);
  }
  ck_ok(ctorch_event_elapsed_time(&elapsed, start, end));
  ck_assert_double_ge(elapsed, ms[2] - ms[1] - 1e-6);
  ck_assert_double_le(elapsed, ms[3] - ms[0] + 1e-6);
  ck_ok(ctorch_event_elapsed_time(&back, end, start));
  ck_assert_double_eq(back, -elapsed);
  ck_ok(ctorch_event_elapsed_time(&elapsed, start, start));
  ck_assert_double_eq(elapsed, 0);
  ctorch_event_release(start);
  ctorch_event_release(end);
}
END_TEST

START_TEST(time_needs_events_that_note_it_and_were_recorded) {
  ctorch_event *timed = new_event(true), *untimed = new_event(false), *fresh = new_event(true);
  ck_ok(ctorch_event_record(timed, NULL));
  ck_ok(ctorch_event_record(untimed, NULL));
  double out = 7;
  ck_fails(ctorch_event_elapsed_time(&out, timed, untimed), CTORCH_ERROR_VALUE, "enable_timing=True");
  ck_fails(ctorch_event_elapsed_time(&out, untimed, timed), CTORCH_ERROR_VALUE, "enable_timing=True");
  ck_fails(ctorch_event_elapsed_time(&out, timed, fresh), CTORCH_ERROR_VALUE, "must be recorded");
  ck_fails(ctorch_event_elapsed_time(&out, fresh, timed), CTORCH_ERROR_VALUE, "must be recorded");
  ck_assert_double_eq(out, 7);
  ctorch_event_release(timed);
  ctorch_event_release(untimed);
  ctorch_event_release(fresh);
}
END_TEST

START_TEST(types_that_are_unknown_or_missing_are_refused) {
  static const ctorch_device_type unknown[] = {-1, 21, 256, INT32_MAX, INT32_MIN};
  ctorch_event *const unset = (ctorch_event *)&unknown;
  ctorch_event *out = unset;
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    ck_fails(ctorch_event_new(&out, unknown[i], true), CTORCH_ERROR_INVALID_ARGUMENT, "type");
  }
  ck_fails(ctorch_event_new(&out, CTORCH_DEVICE_TYPE_FPGA, true), CTORCH_ERROR_RUNTIME, "fpga");
  ck_assert_ptr_eq(out, unset);
}
END_TEST

START_TEST(a_stream_of_another_device_is_refused) {
  ctorch_event *event = new_event(false);
  const ctorch_stream meta = {0, CTORCH_DEVICE_TYPE_META, 0}, strange = {0, 99, 0};
  ctorch_device device;
  ctorch_error *error = ctorch_event_record(event, &meta);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_DEVICE_MISMATCH);
  ck_assert(ctorch_error_expected_device(error, &device) && device.type == CTORCH_DEVICE_TYPE_CPU);
  ck_assert(ctorch_error_got_device(error, &device) && device.type == CTORCH_DEVICE_TYPE_META);
  ctorch_error_release(error);
  ck_fails(ctorch_event_wait(event, &meta), CTORCH_ERROR_DEVICE_MISMATCH, "stream belongs to meta");
  ck_fails(ctorch_event_record(event, &strange), CTORCH_ERROR_INVALID_ARGUMENT, "stream");
  ck_fails(ctorch_event_wait(event, &strange), CTORCH_ERROR_INVALID_ARGUMENT, "stream");
  ctorch_event *other = NULL;
  ck_ok(ctorch_event_new(&other, CTORCH_DEVICE_TYPE_META, true));
  double out = 7;
  ck_fails(ctorch_event_elapsed_time(&out, event, other), CTORCH_ERROR_DEVICE_MISMATCH, "end belongs to meta");
  ck_fails(ctorch_event_record(other, NULL), CTORCH_ERROR_RUNTIME, "doesn't support events");
  ctorch_event_release(other);
  ctorch_event_release(event);
}
END_TEST

START_TEST(null_is_refused) {
  ctorch_event *event = new_event(true);
  bool done;
  double time;
  void *handle;
  ctorch_device device;
  ck_fails(ctorch_event_new(NULL, CTORCH_DEVICE_TYPE_CPU, true), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_event_record(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_event_wait(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_event_query(NULL, event), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_event_query(&done, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_event_synchronize(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_event_elapsed_time(NULL, event, event), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_event_elapsed_time(&time, NULL, event), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_event_elapsed_time(&time, event, NULL), CTORCH_ERROR_NULL_ARGUMENT, "end");
  ck_fails(ctorch_event_device(NULL, event), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_event_device(&device, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_event_native_handle(NULL, event), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_event_native_handle(&handle, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ctorch_event_retain(NULL);
  ctorch_event_release(NULL);
  ctorch_event_release(event);
}
END_TEST

static void *release(void *event) {
  ctorch_event_release(event);
  return NULL;
}

START_TEST(references_count_and_any_thread_may_give_them_back) {
  ctorch_event *event = new_event(false);
  ctorch_event_retain(event);
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, release, event), 0);
  pthread_join(thread, NULL);
  ck_ok(ctorch_event_record(event, NULL));
  ck_assert(is_done(event));
  ctorch_event_release(event);
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  (void)new_event(true);
  ctorch_scope_end(scope);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("event");
  ck_case(suite, an_event_of_a_cpu_has_always_happened);
  ck_case(suite, the_time_between_two_events_is_the_clocks);
  ck_case(suite, time_needs_events_that_note_it_and_were_recorded);
  ck_case(suite, types_that_are_unknown_or_missing_are_refused);
  ck_case(suite, a_stream_of_another_device_is_refused);
  ck_case(suite, null_is_refused);
  ck_case(suite, references_count_and_any_thread_may_give_them_back);
  return ck_main(suite);
}
