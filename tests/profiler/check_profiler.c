/* The profiler: what is recorded, of which threads, and how it reads. Numbers are those of the operators' definitions;
 * tests/profiler/test_profiler.py compares events, sums and tables with Python's. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/values.h"

static ctorch_profiler_result *stop(void) {
  ctorch_profiler_result *profile = NULL;
  ck_ok(ctorch_profiler_stop(&profile));
  ck_assert_ptr_nonnull(profile);
  return profile;
}

static void start(ctorch_profiler_options options) { ck_ok(ctorch_profiler_start(NULL, 0, options)); }

static ctorch_tensor *matrix(int64_t rows, int64_t columns) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_ones(&out, CTORCH_INTS(rows, columns), NULL, NULL, NULL, NULL));
  return out;
}

static ctorch_tensor *product(const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_mm(&out, a, b));
  return out;
}

/** The number of an event with this name, from `first` on; fails the test if there is none. */
static size_t event_named(const ctorch_profiler_result *profile, const char *name, size_t first) {
  for (size_t i = first; i < ctorch_profiler_result_len(profile); i++) {
    if (strcmp(ctorch_profiler_result_event_name(profile, i), name) == 0) {
      return i;
    }
  }
  ck_abort_msg("no event %s from %zu on", name, first);
  return 0;
}

static size_t count_of(const ctorch_profiler_result *profile, const char *name) {
  size_t count = 0;
  for (size_t i = 0; i < ctorch_profiler_result_len(profile); i++) {
    count += strcmp(ctorch_profiler_result_event_name(profile, i), name) == 0;
  }
  return count;
}

START_TEST(an_operator_is_an_event) {
  ctorch_tensor *a = matrix(3, 4), *b = matrix(4, 5);
  product(a, b);
  start(0);
  ck_assert(ctorch_profiler_running());
  product(a, b);
  product(a, b);
  ctorch_profiler_result *profile = stop();
  ck_assert(!ctorch_profiler_running());
  product(a, b);
  ck_assert_uint_eq(count_of(profile, "aten::mm"), 2);
  const size_t mm = event_named(profile, "aten::mm", 0), next = event_named(profile, "aten::mm", mm + 1);
  ck_assert_int_ge(ctorch_profiler_result_event_start_ns(profile, mm), 0);
  ck_assert_int_gt(ctorch_profiler_result_event_duration_ns(profile, mm), 0);
  ck_assert_int_ge(
      ctorch_profiler_result_event_start_ns(profile, next),
      ctorch_profiler_result_event_start_ns(profile, mm) + ctorch_profiler_result_event_duration_ns(profile, mm));
  ck_assert_int_gt(ctorch_profiler_result_start_ns(profile), INT64_C(1500000000) * 1000000000);
  ck_assert_int_eq(ctorch_profiler_result_event_device_type(profile, mm), CTORCH_DEVICE_TYPE_CPU);
  ck_assert_int_eq(ctorch_profiler_result_event_scope(profile, mm), 0);
  ck_assert_uint_gt(ctorch_profiler_result_event_thread(profile, mm), 0);
  ck_assert(!ctorch_profiler_result_event_is_async(profile, mm));
  ck_assert(!ctorch_profiler_result_event_is_user_annotation(profile, mm));
  ck_assert_uint_eq(ctorch_profiler_result_event_num_inputs(profile, mm), 0); /* not asked for */
  ck_assert_uint_eq(ctorch_profiler_result_event_flops(profile, mm), 0);
  ck_assert_int_eq(ctorch_profiler_result_event_cpu_memory(profile, mm), 0);
  ck_assert_str_eq(ctorch_profiler_result_event_overload_name(profile, mm), "");
}
END_TEST

START_TEST(shapes_dtypes_and_operations_are_recorded) {
  const ctorch_profiler_options names = ck_torch_at_least(2, 7) ? CTORCH_PROFILER_OVERLOAD_NAMES : 0;
  start(CTORCH_PROFILER_RECORD_SHAPES | CTORCH_PROFILER_WITH_FLOPS | names);
  ctorch_tensor *c = product(matrix(3, 4), matrix(4, 5));
  ck_ok(ctorch_aten_add_Scalar(&c, c, CTORCH_INT(1), NULL));
  ctorch_profiler_result *profile = stop();
  const size_t mm = event_named(profile, "aten::mm", 0), add = event_named(profile, "aten::add", 0);
  const int64_t *shape = NULL;
  size_t len = 77;
  ck_assert_uint_eq(ctorch_profiler_result_event_num_inputs(profile, mm), 2);
  ck_assert(ctorch_profiler_result_event_input_shape(profile, mm, 1, &shape, &len));
  ck_assert(len == 2 && shape[0] == 4 && shape[1] == 5);
  ck_assert(ctorch_profiler_result_event_input_shape(profile, mm, 0, NULL, NULL));
  ck_assert_str_eq(ctorch_profiler_result_event_input_dtype(profile, mm, 0), "float");
  ck_assert_uint_eq(ctorch_profiler_result_event_flops(profile, mm), 2 * 3 * 4 * 5);
  ck_assert_str_eq(ctorch_profiler_result_event_overload_name(profile, add), names ? "Scalar" : "");
  ck_assert(ctorch_profiler_result_event_input_shape(profile, add, 1, &shape, &len)); /* a number */
  ck_assert_uint_eq(len, 0);
  ck_assert_str_eq(ctorch_profiler_result_event_input_dtype(profile, add, 1), "Scalar");
}
END_TEST

START_TEST(operations_record_shapes_too) {
  start(CTORCH_PROFILER_WITH_FLOPS);
  product(matrix(1, 1), matrix(1, 1));
  ctorch_profiler_result *profile = stop();
  ck_assert_uint_eq(ctorch_profiler_result_event_num_inputs(profile, event_named(profile, "aten::mm", 0)), 2);
}
END_TEST

START_TEST(memory_is_that_of_the_event_and_of_its_parts) {
  start(CTORCH_PROFILER_PROFILE_MEMORY);
  ck_ok(ctorch_record_function_push("outer", NULL));
  ctorch_tensor *kept = matrix(4, 4), *freed = matrix(2, 2);
  ctorch_tensor_release(freed);
  ck_ok(ctorch_record_function_pop());
  ctorch_profiler_result *profile = stop();
  const size_t outer = event_named(profile, "outer", 0), empty = event_named(profile, "aten::empty", 0);
  ck_assert_int_eq(ctorch_profiler_result_event_cpu_memory(profile, empty), 4 * 4 * 4);
  ck_assert_int_eq(ctorch_profiler_result_event_self_cpu_memory(profile, empty), 4 * 4 * 4);
  ck_assert_int_eq(ctorch_profiler_result_event_cpu_memory(profile, outer), 4 * 4 * 4);
  ck_assert_int_eq(
      ctorch_profiler_result_event_self_cpu_memory(profile, outer), -2 * 2 * 4); /* the release is its own */
  ck_assert_int_eq(ctorch_profiler_result_event_device_memory(profile, outer), 0);
  ck_assert_int_eq(ctorch_profiler_result_event_self_device_memory(profile, outer), 0);
  ck_assert_ptr_nonnull(kept);
}
END_TEST

START_TEST(a_release_outside_of_events_is_one) {
  start(CTORCH_PROFILER_PROFILE_MEMORY);
  ctorch_tensor_release(matrix(8, 8));
  ctorch_profiler_result *profile = stop();
  const size_t last = ctorch_profiler_result_len(profile) - 1;
  ck_assert_uint_eq(count_of(profile, "[memory]"), 1);
  ck_assert_str_eq(ctorch_profiler_result_event_name(profile, last), "[memory]");
  ck_assert_int_eq(ctorch_profiler_result_event_cpu_memory(profile, last), -8 * 8 * 4);
  ck_assert_int_eq(ctorch_profiler_result_event_duration_ns(profile, last), 0);
}
END_TEST

START_TEST(ranges_hold_what_runs_in_them) {
  start(CTORCH_PROFILER_RECORD_SHAPES);
  ck_ok(ctorch_record_function_push("outer", "with an argument"));
  ctorch_tensor *a = matrix(2, 2);
  ck_ok(ctorch_record_function_push("inner \xc3\xa4 \"quoted\"", NULL));
  product(a, a);
  ck_ok(ctorch_record_function_pop());
  ck_ok(ctorch_record_function_pop());
  product(a, a);
  ctorch_profiler_result *profile = stop();
  const size_t outer = event_named(profile, "outer", 0), inner = event_named(profile, "inner \xc3\xa4 \"quoted\"", 0);
  const size_t within = event_named(profile, "aten::mm", 0), after = event_named(profile, "aten::mm", within + 1);
  ck_assert(ctorch_profiler_result_event_is_user_annotation(profile, outer));
  ck_assert_int_eq(ctorch_profiler_result_event_scope(profile, outer), 7);
  ck_assert_int_eq(ctorch_profiler_result_event_parent(profile, outer), -1);
  ck_assert_int_eq(ctorch_profiler_result_event_parent(profile, inner), (int64_t)outer);
  ck_assert_int_eq(ctorch_profiler_result_event_parent(profile, within), (int64_t)inner);
  ck_assert_int_eq(ctorch_profiler_result_event_parent(profile, after), -1);
  ck_assert_uint_eq(ctorch_profiler_result_event_num_children(profile, outer), 2);
  ck_assert_int_eq(ctorch_profiler_result_event_child(profile, outer, 1), (int64_t)inner);
  ck_assert_uint_eq(ctorch_profiler_result_event_num_inputs(profile, outer), 1);
  ck_assert_uint_eq(ctorch_profiler_result_event_num_inputs(profile, inner), 0);
}
END_TEST

START_TEST(times_add_up) {
  start(0);
  ck_ok(ctorch_record_function_push("outer", NULL));
  product(matrix(16, 16), matrix(16, 16));
  ck_ok(ctorch_record_function_pop());
  ctorch_profiler_result *profile = stop();
  double self_times = 0;
  for (size_t i = 0; i < ctorch_profiler_result_len(profile); i++) {
    double parts = 0;
    for (size_t n = 0; n < ctorch_profiler_result_event_num_children(profile, i); n++) {
      const int64_t child = ctorch_profiler_result_event_child(profile, i, n);
      ck_assert_int_eq(ctorch_profiler_result_event_parent(profile, (size_t)child), (int64_t)i);
      ck_assert_uint_eq(
          ctorch_profiler_result_event_thread(profile, (size_t)child), ctorch_profiler_result_event_thread(profile, i));
      parts += ctorch_profiler_result_event_cpu_time_total(profile, (size_t)child);
    }
    const double total = ctorch_profiler_result_event_cpu_time_total(profile, i);
    ck_assert_double_eq_tol(total, (double)ctorch_profiler_result_event_duration_ns(profile, i) / 1000, 1e-6);
    ck_assert_double_eq_tol(ctorch_profiler_result_event_self_cpu_time_total(profile, i), total - parts, 1e-6);
    ck_assert(ctorch_profiler_result_event_device_time_total(profile, i) == 0);
    ck_assert(ctorch_profiler_result_event_self_device_time_total(profile, i) == 0);
    self_times += ctorch_profiler_result_event_self_cpu_time_total(profile, i);
  }
  ck_assert_uint_gt(ctorch_profiler_result_len(profile), 3);
  ck_assert_double_eq_tol(
      self_times, ctorch_profiler_result_event_cpu_time_total(profile, 0), 1e-6); /* all is in "outer" */
}
END_TEST

START_TEST(backward_is_recorded_and_tied_to_its_forward) {
  ctorch_tensor *x = matrix(2, 2), *y = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  start(0);
  ck_ok(ctorch_aten_sum(&y, product(x, x), NULL));
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, false));
  ctorch_profiler_result *profile = stop();
  const size_t forward = event_named(profile, "aten::mm", 0), node = event_named(profile, "MmBackward0", 0);
  ck_assert_uint_eq(count_of(profile, "aten::mm"), 3);
  ck_assert_int_eq(ctorch_profiler_result_event_scope(profile, node), 1);
  ck_assert_int_ge(ctorch_profiler_result_event_sequence_number(profile, forward), 0);
  ck_assert_int_eq(
      ctorch_profiler_result_event_sequence_number(profile, node),
      ctorch_profiler_result_event_sequence_number(profile, forward));
  ck_assert_uint_eq(
      ctorch_profiler_result_event_forward_thread(profile, node),
      ctorch_profiler_result_event_thread(profile, forward));
  ck_assert_int_eq(
      ctorch_profiler_result_event_parent(profile, event_named(profile, "aten::mm", forward + 1)),
      (int64_t)event_named(profile, "aten::t", 0) - 1); /* of MmBackward0, beside its transposes */
}
END_TEST

static void *in_a_thread(void *unused) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_record_function_push("of the thread", NULL));
  product(matrix(2, 2), matrix(2, 2));
  ck_ok(ctorch_record_function_pop());
  ck_fails(ctorch_record_function_pop(), CTORCH_ERROR_RUNTIME, "no range was begun on this thread");
  ck_fails(ctorch_profiler_stop(NULL), CTORCH_ERROR_RUNTIME, "another thread started the profile");
  ck_fails(ctorch_profiler_start(NULL, 0, 0), CTORCH_ERROR_RUNTIME, "a profile is running");
  ck_assert(ctorch_profiler_running());
  ctorch_scope_end(scope);
  return unused;
}

static void run_in_a_thread(void *(*function)(void *)) {
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, function, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

START_TEST(other_threads_are_recorded_if_asked_for) {
  start(0);
  run_in_a_thread(in_a_thread);
  ctorch_profiler_result *profile = stop();
  ck_assert_uint_eq(count_of(profile, "aten::mm"), 0);
  ck_ok_since(2, 7, ctorch_profiler_start(NULL, 0, CTORCH_PROFILER_ALL_THREADS));
  product(matrix(2, 2), matrix(2, 2));
  run_in_a_thread(in_a_thread);
  profile = stop();
  ck_assert_uint_eq(count_of(profile, "aten::mm"), 2);
  ck_assert_uint_eq(count_of(profile, "of the thread"), 1);
  const size_t first = event_named(profile, "aten::mm", 0), second = event_named(profile, "aten::mm", first + 1);
  ck_assert_uint_ne(
      ctorch_profiler_result_event_thread(profile, first), ctorch_profiler_result_event_thread(profile, second));
  ck_assert_int_eq(
      ctorch_profiler_result_event_parent(profile, second), (int64_t)event_named(profile, "of the thread", 0));
}
END_TEST

static void *starts_and_ends(void *unused) {
  start(0);
  ck_ok(ctorch_record_function_push("never ended", NULL));
  return unused;
}

static void *fails_starts_and_ends(void *unused) {
  ck_fails(ctorch_profiler_stop(NULL), CTORCH_ERROR_RUNTIME, "no profile is running");
  return starts_and_ends(unused);
}

START_TEST(a_profile_ends_with_its_thread) {
  for (int i = 0; i < 3; i++) {
    run_in_a_thread(i % 2 == 0 ? starts_and_ends : fails_starts_and_ends);
    ck_assert(!ctorch_profiler_running());
    start(0);
    product(matrix(2, 2), matrix(2, 2));
    ck_assert_uint_eq(count_of(stop(), "aten::mm"), 1);
  }
}
END_TEST

START_TEST(starting_and_stopping_take_turns) {
  ctorch_profiler_result *none = NULL;
  ck_fails(ctorch_profiler_stop(&none), CTORCH_ERROR_RUNTIME, "no profile is running");
  ck_assert_ptr_null(none);
  start(0);
  ck_fails(ctorch_profiler_start(NULL, 0, 0), CTORCH_ERROR_RUNTIME, "a profile is running");
  product(matrix(2, 2), matrix(2, 2));
  ck_assert_uint_eq(count_of(stop(), "aten::mm"), 1); /* the refused start left the first alone */
  ck_fails(ctorch_profiler_stop(NULL), CTORCH_ERROR_RUNTIME, "no profile is running");
  start(0);
  ck_ok(ctorch_profiler_stop(NULL));
  ck_assert(!ctorch_profiler_running());
}
END_TEST

START_TEST(ranges_go_without_a_profile_and_around_it) {
  ck_fails(ctorch_record_function_pop(), CTORCH_ERROR_RUNTIME, "no range was begun");
  ck_ok(ctorch_record_function_push("before", NULL));
  start(0);
  ck_ok(ctorch_record_function_push("across", NULL));
  ctorch_profiler_result *profile = stop();
  ck_ok(ctorch_record_function_pop());
  ck_ok(ctorch_record_function_pop());
  ck_assert_uint_eq(count_of(profile, "before"), 0);
  ck_fails(ctorch_record_function_push(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_fails(ctorch_record_function_push("\xff", NULL), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_fails(ctorch_record_function_push("x", "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "args");
  ck_fails(ctorch_record_function_pop(), CTORCH_ERROR_RUNTIME, "no range was begun");
}
END_TEST

START_TEST(bad_activities_and_options_are_refused) {
  static const ctorch_device_type cpu = CTORCH_DEVICE_TYPE_CPU, twice[] = {0, 0}, unknown[] = {0, 21}, negative = -1;
  static const ctorch_device_type without[] = {
      CTORCH_DEVICE_TYPE_META, CTORCH_DEVICE_TYPE_VULKAN, CTORCH_DEVICE_TYPE_XLA};
  ck_fails(ctorch_profiler_start(NULL, 1, 0), CTORCH_ERROR_NULL_ARGUMENT, "activities");
  ck_fails(ctorch_profiler_start(&cpu, 0, 0), CTORCH_ERROR_INVALID_ARGUMENT, "at least one");
  ck_fails(ctorch_profiler_start(&cpu, SIZE_MAX, 0), CTORCH_ERROR_INVALID_ARGUMENT, "activities");
  ck_fails(
      ctorch_profiler_start(unknown, 2, 0), CTORCH_ERROR_INVALID_ARGUMENT, "activities[1]: unknown device type 21");
  ck_fails(ctorch_profiler_start(&negative, 1, 0), CTORCH_ERROR_INVALID_ARGUMENT, "activities[0]");
  for (int i = 0; i < 3; i++) {
    ck_fails(ctorch_profiler_start(&without[i], 1, 0), CTORCH_ERROR_UNSUPPORTED, "to profile here");
  }
  static const ctorch_profiler_options wrong[] = {128, 129, -1, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 5; i++) {
    ck_fails(ctorch_profiler_start(NULL, 0, wrong[i]), CTORCH_ERROR_INVALID_ARGUMENT, "options");
  }
  ck_assert(!ctorch_profiler_running());
  ck_ok_since(2, 7, ctorch_profiler_start(twice, 2, 127)); /* every option at once */
  product(matrix(2, 2), matrix(2, 2));
  ck_assert_uint_eq(count_of(stop(), "aten::mm"), 1);
}
END_TEST

START_TEST(without_cuda_it_is_unsupported) {
  static const ctorch_device_type cuda = CTORCH_DEVICE_TYPE_CUDA;
  ctorch_generator *generator = NULL;
  ctorch_error *missing = ctorch_generator_new(&generator, &(const ctorch_device){CTORCH_DEVICE_TYPE_CUDA, 0});
  if (missing != NULL) {
    ctorch_error_release(missing);
    ck_fails(ctorch_profiler_start(&cuda, 1, 0), CTORCH_ERROR_UNSUPPORTED, "no cuda to profile here");
  }
}
END_TEST

START_TEST(what_is_not_there_reads_as_nothing) {
  start(CTORCH_PROFILER_RECORD_SHAPES);
  product(matrix(2, 2), matrix(2, 2));
  ctorch_profiler_result *profile = stop();
  const size_t beyond[] = {ctorch_profiler_result_len(profile), SIZE_MAX};
  for (int i = 0; i < 4; i++) {
    const ctorch_profiler_result *self = i < 2 ? profile : NULL;
    const size_t event = beyond[i % 2];
    const int64_t *shape = (const int64_t *)beyond;
    size_t len = 77;
    ck_assert_str_eq(ctorch_profiler_result_event_name(self, event), "");
    ck_assert_str_eq(ctorch_profiler_result_event_overload_name(self, event), "");
    ck_assert_int_eq(ctorch_profiler_result_event_start_ns(self, event), 0);
    ck_assert_int_eq(ctorch_profiler_result_event_duration_ns(self, event), 0);
    ck_assert_uint_eq(ctorch_profiler_result_event_thread(self, event), 0);
    ck_assert_uint_eq(ctorch_profiler_result_event_forward_thread(self, event), 0);
    ck_assert_int_eq(ctorch_profiler_result_event_sequence_number(self, event), -1);
    ck_assert_int_eq(ctorch_profiler_result_event_scope(self, event), -1);
    ck_assert_int_eq(ctorch_profiler_result_event_device_type(self, event), -1);
    ck_assert_int_eq(ctorch_profiler_result_event_device_index(self, event), -1);
    ck_assert(!ctorch_profiler_result_event_is_async(self, event));
    ck_assert(!ctorch_profiler_result_event_is_user_annotation(self, event));
    ck_assert_int_eq(ctorch_profiler_result_event_parent(self, event), -1);
    ck_assert_uint_eq(ctorch_profiler_result_event_num_children(self, event), 0);
    ck_assert_int_eq(ctorch_profiler_result_event_child(self, event, 0), -1);
    ck_assert(ctorch_profiler_result_event_cpu_time_total(self, event) == 0);
    ck_assert(ctorch_profiler_result_event_self_cpu_time_total(self, event) == 0);
    ck_assert(ctorch_profiler_result_event_device_time_total(self, event) == 0);
    ck_assert(ctorch_profiler_result_event_self_device_time_total(self, event) == 0);
    ck_assert_int_eq(ctorch_profiler_result_event_cpu_memory(self, event), 0);
    ck_assert_int_eq(ctorch_profiler_result_event_self_cpu_memory(self, event), 0);
    ck_assert_int_eq(ctorch_profiler_result_event_device_memory(self, event), 0);
    ck_assert_int_eq(ctorch_profiler_result_event_self_device_memory(self, event), 0);
    ck_assert_uint_eq(ctorch_profiler_result_event_flops(self, event), 0);
    ck_assert_uint_eq(ctorch_profiler_result_event_num_inputs(self, event), 0);
    ck_assert(!ctorch_profiler_result_event_input_shape(self, event, 0, &shape, &len));
    ck_assert(shape == (const int64_t *)beyond && len == 77);
    ck_assert_str_eq(ctorch_profiler_result_event_input_dtype(self, event, 0), "");
    ck_assert_uint_eq(ctorch_profiler_result_event_stack_len(self, event), 0);
    ck_assert_str_eq(ctorch_profiler_result_event_stack(self, event, 0), "");
  }
  const size_t mm = event_named(profile, "aten::mm", 0);
  ck_assert(!ctorch_profiler_result_event_input_shape(profile, mm, 2, NULL, NULL));
  ck_assert_str_eq(ctorch_profiler_result_event_input_dtype(profile, mm, SIZE_MAX), "");
  ck_assert_int_eq(ctorch_profiler_result_event_child(profile, mm, SIZE_MAX), -1);
  ck_assert_str_eq(ctorch_profiler_result_event_stack(profile, mm, 0), "");
  ck_assert_uint_eq(ctorch_profiler_result_len(NULL), 0);
  ck_assert_int_eq(ctorch_profiler_result_start_ns(NULL), 0);
  ctorch_profiler_result_retain(NULL);
  ctorch_profiler_result_release(NULL);
}
END_TEST

static ctorch_profiler_averages *averages_of(const ctorch_profiler_result *profile, bool by_shape) {
  ctorch_profiler_averages *averages = NULL;
  ck_ok(ctorch_profiler_result_key_averages(&averages, profile, by_shape, 0, false));
  return averages;
}

static size_t row_named(const ctorch_profiler_averages *averages, const char *key, const char *shapes) {
  for (size_t i = 0; i < ctorch_profiler_averages_len(averages); i++) {
    if (strcmp(ctorch_profiler_averages_key(averages, i), key) == 0 &&
        strcmp(ctorch_profiler_averages_input_shapes(averages, i), shapes) == 0) {
      return i;
    }
  }
  ck_abort_msg("no row %s %s", key, shapes);
  return 0;
}

START_TEST(events_are_summed_by_operator) {
  start(CTORCH_PROFILER_WITH_FLOPS | CTORCH_PROFILER_PROFILE_MEMORY);
  for (int i = 0; i < 3; i++) {
    product(matrix(2, 3), matrix(3, 4));
  }
  product(matrix(5, 5), matrix(5, 5));
  ctorch_profiler_result *profile = stop();
  ctorch_profiler_averages *all = averages_of(profile, false), *by_shape = averages_of(profile, true);
  double total = 0;
  for (size_t mm = 0; mm < ctorch_profiler_result_len(profile); mm++) {
    if (strcmp(ctorch_profiler_result_event_name(profile, mm), "aten::mm") == 0) {
      total += ctorch_profiler_result_event_cpu_time_total(profile, mm);
    }
  }
  size_t row = row_named(all, "aten::mm", "");
  ck_assert_uint_eq(ctorch_profiler_averages_count(all, row), 4);
  ck_assert_uint_eq(ctorch_profiler_averages_flops(all, row), 3 * 2 * 2 * 3 * 4 + 2 * 5 * 5 * 5);
  ck_assert_int_eq(ctorch_profiler_averages_cpu_memory(all, row), 3 * 2 * 4 * 4 + 5 * 5 * 4);
  ck_assert_int_eq(ctorch_profiler_averages_self_cpu_memory(all, row), 3 * 2 * 4 * 4 + 5 * 5 * 4);
  ck_assert_int_eq(ctorch_profiler_averages_device_memory(all, row), 0);
  ck_assert_int_eq(ctorch_profiler_averages_self_device_memory(all, row), 0);
  ck_assert_double_eq_tol(ctorch_profiler_averages_cpu_time_total(all, row), total, 1e-6);
  ck_assert_double_le(ctorch_profiler_averages_self_cpu_time_total(all, row), total);
  ck_assert(ctorch_profiler_averages_device_time_total(all, row) == 0);
  ck_assert(ctorch_profiler_averages_self_device_time_total(all, row) == 0);
  ck_assert_int_eq(ctorch_profiler_averages_device_type(all, row), CTORCH_DEVICE_TYPE_CPU);
  ck_assert_str_eq(ctorch_profiler_averages_overload_name(all, row), "");
  row = row_named(by_shape, "aten::mm", "[[2, 3], [3, 4]]");
  ck_assert_uint_eq(ctorch_profiler_averages_count(by_shape, row), 3);
  row = row_named(by_shape, "aten::mm", "[[5, 5], [5, 5]]");
  ck_assert_uint_eq(ctorch_profiler_averages_count(by_shape, row), 1);
  ck_assert_uint_eq(ctorch_profiler_averages_flops(by_shape, row), 2 * 5 * 5 * 5);
  ctorch_profiler_averages_retain(all);
  ctorch_profiler_averages_release(all);
  ck_assert_uint_gt(ctorch_profiler_averages_len(all), 0);
}
END_TEST

START_TEST(sums_outlive_their_profile) {
  ctorch_profiler_result *profile = NULL;
  ctorch_profiler_averages *averages = NULL;
  start(0);
  product(matrix(2, 2), matrix(2, 2));
  ck_ok(ctorch_profiler_stop(&profile));
  ck_ok(ctorch_profiler_result_key_averages(&averages, profile, false, 0, false));
  ctorch_profiler_result_retain(profile);
  ctorch_profiler_result_release(profile);
  ck_assert_uint_eq(count_of(profile, "aten::mm"), 1);
  ctorch_profiler_result_release(profile);
  ck_assert_uint_eq(ctorch_profiler_averages_count(averages, row_named(averages, "aten::mm", "")), 1);
}
END_TEST

static const char *table_of(
    const ctorch_profiler_averages *averages, const char *sort_by, const int64_t *row_limit, const char *header) {
  ctorch_string *text = NULL;
  ck_ok(ctorch_profiler_averages_table(&text, averages, sort_by, row_limit, NULL, NULL, NULL, header, false, NULL));
  return ctorch_string_data(text);
}

static size_t lines_of(const char *text) {
  size_t lines = 0;
  for (; *text != '\0'; text++) {
    lines += *text == '\n';
  }
  return lines;
}

START_TEST(a_table_has_a_line_per_operator) {
  start(0);
  for (int i = 0; i < 2; i++) {
    product(matrix(2, 2), matrix(2, 2));
  }
  ck_ok(ctorch_record_function_push("the last", NULL));
  ck_ok(ctorch_record_function_pop());
  ctorch_profiler_averages *averages = averages_of(stop(), false);
  const size_t rows = ctorch_profiler_averages_len(averages);
  const char *text = table_of(averages, NULL, NULL, NULL);
  ck_assert_uint_eq(lines_of(text), rows + 5); /* three separators, the headers, the total */
  ck_assert_ptr_nonnull(strstr(text, "CPU time avg    # of Calls"));
  ck_assert_ptr_nonnull(strstr(text, "\nSelf CPU time total: "));
  text = table_of(averages, "key", CTORCH_SOME(int64_t, 1), "my table");
  ck_assert_uint_eq(lines_of(text), 1 + 5 + 2);
  ck_assert_ptr_nonnull(strstr(text, "my table\n"));
  ck_assert_ptr_nonnull(strstr(text, "the last"));
  ck_assert_ptr_null(strstr(text, "aten::"));
  ck_assert_uint_eq(lines_of(table_of(averages, NULL, CTORCH_SOME(int64_t, 0), NULL)), 5);
  ck_assert_uint_eq(lines_of(table_of(averages, NULL, CTORCH_SOME(int64_t, -1), NULL)), rows + 5);
  ck_assert_uint_eq(lines_of(table_of(averages, NULL, CTORCH_SOME(int64_t, INT64_MIN), NULL)), rows + 5);
  start(0);
  ck_assert_str_eq(table_of(averages_of(stop(), false), NULL, NULL, "header"), ""); /* as in Python */
}
END_TEST

START_TEST(bad_arguments_of_sums_and_tables_are_refused) {
  start(0);
  product(matrix(2, 2), matrix(2, 2));
  ctorch_profiler_result *profile = stop();
  ctorch_profiler_averages *averages = averages_of(profile, false), *none = NULL;
  ctorch_string *text = NULL;
  ck_fails(ctorch_profiler_result_key_averages(NULL, profile, false, 0, false), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_profiler_result_key_averages(&none, NULL, false, 0, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(
      ctorch_profiler_result_key_averages(&none, profile, false, -1, false), CTORCH_ERROR_INVALID_ARGUMENT, "stack_n");
  ck_assert_ptr_null(none);
  ck_ok(ctorch_profiler_result_key_averages(&none, profile, true, INT64_MAX, true));
#define TABLE(out, self, sort_by, header, unit) \
  ctorch_profiler_averages_table(out, self, sort_by, NULL, NULL, NULL, NULL, header, false, unit)
  ck_fails(TABLE(NULL, averages, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(TABLE(&text, NULL, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(TABLE(&text, averages, "time", NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "no column is called 'time'");
  ck_fails(TABLE(&text, averages, "", NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "sort_by");
  ck_fails(TABLE(&text, averages, "\xff", NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "sort_by");
  ck_fails(TABLE(&text, averages, NULL, "\xff", NULL), CTORCH_ERROR_INVALID_ARGUMENT, "header");
  ck_fails(TABLE(&text, averages, NULL, NULL, "h"), CTORCH_ERROR_INVALID_ARGUMENT, "s, ms or us");
#undef TABLE
  ck_assert_ptr_null(text);
  const int64_t widths[] = {0, 1, 3, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 5; i++) {
    ck_ok(ctorch_profiler_averages_table(
        &text, averages, NULL, NULL, &widths[i], &widths[i], &widths[i], NULL, true, "ms"));
  }
  for (int i = 0; i < 2; i++) {
    const ctorch_profiler_averages *self = i == 0 ? averages : NULL;
    ck_assert_str_eq(ctorch_profiler_averages_key(self, SIZE_MAX), "");
    ck_assert_str_eq(ctorch_profiler_averages_overload_name(self, SIZE_MAX), "");
    ck_assert_str_eq(ctorch_profiler_averages_input_shapes(self, SIZE_MAX), "");
    ck_assert_int_eq(ctorch_profiler_averages_device_type(self, SIZE_MAX), -1);
    ck_assert_uint_eq(ctorch_profiler_averages_count(self, SIZE_MAX), 0);
    ck_assert(ctorch_profiler_averages_cpu_time_total(self, SIZE_MAX) == 0);
    ck_assert(ctorch_profiler_averages_self_cpu_time_total(self, SIZE_MAX) == 0);
    ck_assert(ctorch_profiler_averages_device_time_total(self, SIZE_MAX) == 0);
    ck_assert(ctorch_profiler_averages_self_device_time_total(self, SIZE_MAX) == 0);
    ck_assert_int_eq(ctorch_profiler_averages_cpu_memory(self, SIZE_MAX), 0);
    ck_assert_int_eq(ctorch_profiler_averages_self_cpu_memory(self, SIZE_MAX), 0);
    ck_assert_int_eq(ctorch_profiler_averages_device_memory(self, SIZE_MAX), 0);
    ck_assert_int_eq(ctorch_profiler_averages_self_device_memory(self, SIZE_MAX), 0);
    ck_assert_uint_eq(ctorch_profiler_averages_flops(self, SIZE_MAX), 0);
  }
  ck_assert_uint_eq(ctorch_profiler_averages_len(NULL), 0);
  ctorch_profiler_averages_retain(NULL);
  ctorch_profiler_averages_release(NULL);
}
END_TEST

START_TEST(a_chrome_trace_is_written_once) {
  char path[] = "/tmp/ctorch-check-profiler-XXXXXX", start_of_file[200] = "";
  const int descriptor = mkstemp(path);
  ck_assert_int_ge(descriptor, 0);
  close(descriptor);
  start(0);
  ck_ok(ctorch_record_function_push("in the trace", NULL));
  ck_ok(ctorch_record_function_pop());
  ctorch_profiler_result *profile = stop();
  ck_fails(ctorch_profiler_result_export_chrome_trace(NULL, path), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_profiler_result_export_chrome_trace(profile, NULL), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ck_fails(ctorch_profiler_result_export_chrome_trace(profile, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "path");
  ck_fails(
      ctorch_profiler_result_export_chrome_trace(profile, "/no/such/folder/trace.json"), CTORCH_ERROR_IO,
      "No such file");
  ck_fails(ctorch_profiler_result_export_chrome_trace(profile, "/tmp"), CTORCH_ERROR_IO, "/tmp");
  ck_fails(ctorch_profiler_result_export_chrome_trace(profile, ""), CTORCH_ERROR_IO, "No such file");
  ck_ok(ctorch_profiler_result_export_chrome_trace(profile, path)); /* the failures cost nothing */
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_gt(fread(start_of_file, 1, sizeof start_of_file - 1, file), 0);
  fclose(file);
  ck_assert_int_eq(start_of_file[strspn(start_of_file, " \n")], '{');
  ck_fails(ctorch_profiler_result_export_chrome_trace(profile, path), CTORCH_ERROR_RUNTIME, "already saved");
  unlink(path);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("profiler");
  ck_scoped_case(suite, an_operator_is_an_event);
  ck_scoped_case(suite, shapes_dtypes_and_operations_are_recorded);
  ck_scoped_case(suite, operations_record_shapes_too);
  ck_scoped_case(suite, memory_is_that_of_the_event_and_of_its_parts);
  ck_scoped_case(suite, a_release_outside_of_events_is_one);
  ck_scoped_case(suite, ranges_hold_what_runs_in_them);
  ck_scoped_case(suite, times_add_up);
  ck_scoped_case(suite, backward_is_recorded_and_tied_to_its_forward);
  ck_scoped_case(suite, other_threads_are_recorded_if_asked_for);
  ck_scoped_case(suite, a_profile_ends_with_its_thread);
  ck_scoped_case(suite, starting_and_stopping_take_turns);
  ck_scoped_case(suite, ranges_go_without_a_profile_and_around_it);
  ck_scoped_case(suite, bad_activities_and_options_are_refused);
  ck_scoped_case(suite, without_cuda_it_is_unsupported);
  ck_scoped_case(suite, what_is_not_there_reads_as_nothing);
  ck_scoped_case(suite, events_are_summed_by_operator);
  ck_scoped_case(suite, sums_outlive_their_profile);
  ck_scoped_case(suite, a_table_has_a_line_per_operator);
  ck_scoped_case(suite, bad_arguments_of_sums_and_tables_are_refused);
  ck_scoped_case(suite, a_chrome_trace_is_written_once);
  return ck_main(suite);
}
