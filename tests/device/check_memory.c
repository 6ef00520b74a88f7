/* Memory of the CPU, counted and not. */
#include <pthread.h>
#include <stdio.h>

#include "harness/values.h"

enum { KIB = 1024, MIB = 1024 * 1024 };

static ctorch_tensor *bytes(int64_t nbytes) {
  ctorch_tensor *out = NULL;
  const ctorch_dtype dtype = CTORCH_DTYPE_UINT8;
  ck_ok(ctorch_aten_empty_memory_format(&out, &nbytes, 1, &dtype, NULL, NULL, NULL, NULL));
  return out;
}

/** A number of the CPU's; the test fails if there is none of that name. */
static int64_t counted(const char *name) {
  ctorch_memory_stats *stats = NULL;
  int64_t out = 0;
  ck_ok(ctorch_memory_stats_of_device(&stats, NULL));
  ck_assert_msg(ctorch_memory_stats_find(stats, name, &out), "no %s", name);
  ctorch_memory_stats_release(stats);
  return out;
}

START_TEST(the_machine_has_memory) {
  FILE *file = fopen("/proc/meminfo", "r");
  unsigned long long kib = 0;
  ck_assert(file != NULL && fscanf(file, "MemTotal: %llu kB", &kib) == 1);
  fclose(file);
  uint64_t available = 0, total = 0;
  ck_ok(ctorch_memory_info(&available, &total, NULL));
  ck_assert_uint_eq(total, kib * KIB);
  ck_assert(available > 0 && available <= total);
  ck_ok(ctorch_memory_info(&available, &total, CPU));
  ck_fails(ctorch_memory_info(NULL, &total, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_free");
  ck_fails(ctorch_memory_info(&available, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_total");
}
END_TEST

START_TEST(nothing_is_counted_unasked) {
  ctorch_memory_stats *out = NULL;
  ck_ok(ctorch_memory_record_cpu(false));
  ck_fails(ctorch_memory_stats_of_device(&out, NULL), CTORCH_ERROR_UNSUPPORTED, "ctorch_memory_record_cpu");
  ck_fails(ctorch_memory_reset_peak_stats(NULL), CTORCH_ERROR_UNSUPPORTED, "ctorch_memory_record_cpu");
  ck_fails(ctorch_memory_reset_accumulated_stats(CPU), CTORCH_ERROR_UNSUPPORTED, "ctorch_memory_record_cpu");
  ck_assert_ptr_null(out);
}
END_TEST

START_TEST(what_is_allocated_while_recording_counts) {
  ctorch_tensor *before = bytes(MIB);
  ck_ok(ctorch_memory_record_cpu(true));
  const int64_t base = counted("allocated_bytes.all.current"), blocks = counted("allocation.all.current");
  ctorch_tensor *x = bytes(3 * KIB), *view = NULL, *y = bytes(5 * KIB);
  ck_ok(ctorch_aten_alias(&view, x));
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base + 8 * KIB);
  ck_assert_int_eq(counted("allocation.all.current"), blocks + 2);
  ctorch_tensor_release(y);
  ctorch_tensor_release(x);
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base + 3 * KIB); /* the view holds it */
  ctorch_tensor_release(view);
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base);
  ck_assert_int_eq(counted("allocated_bytes.all.peak"), base + 8 * KIB);
  ck_assert_int_eq(counted("allocated_bytes.all.allocated"), counted("allocated_bytes.all.freed") + base);
  ctorch_tensor_release(before); /* made before: takes nothing off */
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base);
  /* Memory that grows in place, and that of an operator's own. */
  ck_ok(ctorch_memory_reset_peak_stats(NULL));
  ck_assert_int_eq(counted("allocated_bytes.all.peak"), base);
  x = bytes(KIB);
  ck_ok(ctorch_aten_resize_(x, CTORCH_INTS(64 * KIB), NULL));
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base + 64 * KIB);
  ctorch_tensor_release(x);
  ck_assert_int_ge(counted("allocated_bytes.all.peak"), base + 65 * KIB);
  ck_ok(ctorch_memory_reset_accumulated_stats(CPU));
  ck_assert_int_eq(counted("allocated_bytes.all.allocated"), 0);
  ck_assert_int_eq(counted("allocation.all.freed"), 0);
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_storage_new(&storage, 7 * KIB));
  ck_assert_int_eq(counted("allocated_bytes.all.allocated"), 7 * KIB);
  ctorch_storage_release(storage);
  ck_assert_int_eq(counted("allocation.all.freed"), 1);
}
END_TEST

START_TEST(recording_can_stop_and_go_on) {
  ck_ok(ctorch_memory_record_cpu(true));
  const int64_t base = counted("allocated_bytes.all.current");
  ctorch_tensor *x = bytes(KIB);
  ck_ok(ctorch_memory_record_cpu(false));
  ctorch_tensor *y = bytes(2 * KIB);
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base + KIB);
  ctorch_tensor_release(x); /* it was counted, so it is taken off */
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base);
  ck_ok(ctorch_memory_record_cpu(true));
  ctorch_tensor_release(y);
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base);
  x = bytes(4 * KIB);
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base + 4 * KIB);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(an_allocation_that_fails_is_not_counted) {
  ck_ok(ctorch_memory_record_cpu(true));
  const int64_t base = counted("allocated_bytes.all.allocated");
#ifdef __x86_64__
  const char *wording = "can't allocate memory: you tried to allocate";
#else /* an allocator of LibTorch's own, with a wording of its own */
  const char *wording = "you tried to allocate";
#endif
  ctorch_tensor *out = NULL;
  ck_fails(
      ctorch_aten_zeros(&out, CTORCH_INTS(1LL << 60), NULL, NULL, NULL, NULL), CTORCH_ERROR_OUT_OF_MEMORY, wording);
  ck_assert_int_eq(counted("allocated_bytes.all.allocated"), base);
}
END_TEST

START_TEST(statistics_are_sorted_and_found_by_name) {
  ck_ok(ctorch_memory_record_cpu(true));
  ctorch_memory_stats *stats = NULL;
  ck_ok(ctorch_memory_stats_of_device(&stats, NULL));
  const size_t len = ctorch_memory_stats_len(stats);
  ck_assert_uint_eq(len, 8);
  for (size_t i = 0; i < len; i++) {
    const char *name = ctorch_memory_stats_name(stats, i);
    int64_t value = -1;
    ck_assert(i == 0 || strcmp(ctorch_memory_stats_name(stats, i - 1), name) < 0);
    ck_assert(ctorch_memory_stats_find(stats, name, &value) && value == ctorch_memory_stats_value(stats, i));
    ck_assert(ctorch_memory_stats_find(stats, name, NULL));
  }
  int64_t untouched = 7;
  ck_assert(!ctorch_memory_stats_find(stats, "allocated_bytes", &untouched));
  ck_assert(!ctorch_memory_stats_find(stats, "", &untouched) && !ctorch_memory_stats_find(stats, "zzz", &untouched));
  ck_assert(!ctorch_memory_stats_find(stats, NULL, &untouched) && !ctorch_memory_stats_find(NULL, "a", &untouched));
  ck_assert_int_eq(untouched, 7);
  ck_assert(ctorch_memory_stats_name(stats, len) == NULL && ctorch_memory_stats_value(stats, len) == 0);
  ck_assert(ctorch_memory_stats_name(stats, SIZE_MAX) == NULL && ctorch_memory_stats_value(stats, SIZE_MAX) == 0);
  ck_assert(ctorch_memory_stats_len(NULL) == 0 && ctorch_memory_stats_name(NULL, 0) == NULL);
  ck_assert_int_eq(ctorch_memory_stats_value(NULL, 0), 0);
  ctorch_memory_stats_retain(stats);
  ctorch_memory_stats_release(stats);
  ck_assert_uint_eq(ctorch_memory_stats_len(stats), len);
  ctorch_memory_stats_release(stats);
  ctorch_memory_stats_release(NULL);
}
END_TEST

START_TEST(a_cpu_has_no_caches_and_no_pinned_memory) {
  ctorch_memory_stats *out = NULL;
  ck_ok(ctorch_memory_empty_cache(CTORCH_DEVICE_TYPE_CPU));
  ck_ok(ctorch_memory_empty_host_cache(CTORCH_DEVICE_TYPE_CPU));
  const char *missing = ck_torch_at_least(2, 12) ? "pinned" : "2.12";
  ck_fails(ctorch_memory_stats_of_host(&out, CTORCH_DEVICE_TYPE_CPU), CTORCH_ERROR_UNSUPPORTED, missing);
  ck_fails(ctorch_memory_reset_host_peak_stats(CTORCH_DEVICE_TYPE_CPU), CTORCH_ERROR_UNSUPPORTED, missing);
  ck_fails(ctorch_memory_reset_host_accumulated_stats(CTORCH_DEVICE_TYPE_CPU), CTORCH_ERROR_UNSUPPORTED, missing);
  ck_assert_ptr_null(out);
}
END_TEST

START_TEST(devices_that_are_strange_or_missing_are_errors) {
  static const ctorch_device strange[] = {
      {-1, 0}, {21, 0}, {CTORCH_DEVICE_TYPE_CPU, 3}, {CTORCH_DEVICE_TYPE_CUDA, 200}};
  static const ctorch_device missing[] = {{CTORCH_DEVICE_TYPE_CUDA, 99}, {CTORCH_DEVICE_TYPE_OPENGL, -1}};
  for (int i = 0; i < 6; i++) {
    const ctorch_device *device = i < 4 ? &strange[i] : &missing[i - 4];
    const ctorch_error_kind code = i < 4 ? CTORCH_ERROR_INVALID_ARGUMENT : CTORCH_ERROR_RUNTIME;
    uint64_t available = 7, total = 7;
    ctorch_memory_stats *stats = NULL;
    ck_fails(ctorch_memory_info(&available, &total, device), code, NULL);
    ck_fails(ctorch_memory_stats_of_device(&stats, device), code, NULL);
    ck_fails(ctorch_memory_reset_peak_stats(device), code, NULL);
    ck_fails(ctorch_memory_reset_accumulated_stats(device), code, NULL);
    ck_assert(available == 7 && total == 7 && stats == NULL);
  }
  static const ctorch_device_type types[] = {-1, 21, 256, CTORCH_DEVICE_TYPE_OPENGL};
  for (int i = 0; i < 4; i++) {
    const ctorch_error_kind code = i < 3 ? CTORCH_ERROR_INVALID_ARGUMENT : CTORCH_ERROR_RUNTIME;
    ctorch_memory_stats *stats = NULL;
    ck_fails(ctorch_memory_stats_of_host(&stats, types[i]), code, NULL);
    ck_fails(ctorch_memory_reset_host_peak_stats(types[i]), code, NULL);
    ck_fails(ctorch_memory_reset_host_accumulated_stats(types[i]), code, NULL);
    ck_fails(ctorch_memory_empty_cache(types[i]), code, NULL);
    ck_fails(ctorch_memory_empty_host_cache(types[i]), code, NULL);
    ck_assert_ptr_null(stats);
  }
  ck_fails(ctorch_memory_stats_of_device(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_memory_stats_of_host(NULL, CTORCH_DEVICE_TYPE_CPU), CTORCH_ERROR_NULL_ARGUMENT, "out");
}
END_TEST

START_TEST(settings_are_kept_and_checked) {
  ctorch_string *settings = NULL;
  ck_ok_since(2, 12, ctorch_memory_set_allocator_settings("max_split_size_mb:100"));
  ck_ok(ctorch_memory_allocator_settings(&settings));
  ck_assert_str_eq(ctorch_string_data(settings), "max_split_size_mb:100");
  ctorch_string_release(settings);
  static const char *const wrong[] = {
      "max_split_size_mb",
      "max_split_size_mb:",
      "max_split_size_mb:x",
      "max_split_size_mb:1:",
      "expandable_segments:maybe",
      "roundup_power2_divisions:[",
      "roundup_power2_divisions:[64:8",
      "garbage_collection_threshold:2",
      ":",
      "[",
      ",",
      "]]",
      "max_split_size_mb:99999999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ctorch_error *error = ctorch_memory_set_allocator_settings(wrong[i]);
    ck_assert_msg(error != NULL, "%s was taken", wrong[i]);
    const ctorch_error_kind code = ctorch_error_kind_of(error);
    ck_assert_msg(
        code == CTORCH_ERROR_VALUE || code == CTORCH_ERROR_RUNTIME || code == CTORCH_ERROR_INDEX, "%s: %s", wrong[i],
        ctorch_error_message(error));
    ctorch_error_release(error);
  }
  if (ctorch_device_is_built(CTORCH_DEVICE_TYPE_CUDA)) {
    ck_fails(ctorch_memory_set_allocator_settings("a_key_of_some_backend:1"), CTORCH_ERROR_VALUE, "a_key_of_some");
  } else {
    ck_ok(ctorch_memory_set_allocator_settings("a_key_of_some_backend:1"));
  }
  ck_ok(ctorch_memory_set_allocator_settings(""));
  ck_fails(ctorch_memory_set_allocator_settings(NULL), CTORCH_ERROR_NULL_ARGUMENT, "settings");
  ck_fails(ctorch_memory_set_allocator_settings("\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "UTF-8");
  ck_fails(ctorch_memory_allocator_settings(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
}
END_TEST

START_TEST(snapshots_need_cuda) {
  ck_fails(ctorch_memory_snapshot(NULL), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ck_fails(ctorch_memory_snapshot("\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "path");
  if (!ctorch_device_is_built(CTORCH_DEVICE_TYPE_CUDA)) {
    ck_fails(ctorch_memory_record_history(true, 10), CTORCH_ERROR_UNSUPPORTED, "CUDA");
    ck_fails(ctorch_memory_snapshot("snapshot.pickle"), CTORCH_ERROR_UNSUPPORTED, "CUDA");
    ck_assert_ptr_null(fopen("snapshot.pickle", "r"));
  }
}
END_TEST

enum { THREADS = 4, ROUNDS = 3000 };

static void *work(void *payload) {
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_tensor *x = bytes(1 + i % 1000), *y = bytes(2000);
    ctorch_tensor_release(i % 2 ? x : y);
    ctorch_tensor_release(i % 2 ? y : x);
    if (*(int *)payload == 0 && i % 100 == 0) {
      ck_ok(ctorch_memory_record_cpu(i % 200 == 0));
      ck_ok(ctorch_memory_reset_peak_stats(NULL));
    }
  }
  return NULL;
}

START_TEST(threads_are_counted_together) {
  ck_ok(ctorch_memory_record_cpu(true));
  const int64_t base = counted("allocated_bytes.all.current"), blocks = counted("allocation.all.current");
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  ck_assert_int_eq(counted("allocated_bytes.all.current"), base);
  ck_assert_int_eq(counted("allocation.all.current"), blocks);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("memory");
  ck_case(suite, the_machine_has_memory);
  ck_case(suite, nothing_is_counted_unasked);
  ck_case(suite, what_is_allocated_while_recording_counts);
  ck_case(suite, recording_can_stop_and_go_on);
  ck_case(suite, an_allocation_that_fails_is_not_counted);
  ck_case(suite, statistics_are_sorted_and_found_by_name);
  ck_case(suite, a_cpu_has_no_caches_and_no_pinned_memory);
  ck_case(suite, devices_that_are_strange_or_missing_are_errors);
  ck_case(suite, settings_are_kept_and_checked);
  ck_case(suite, snapshots_need_cuda);
  ck_case(suite, threads_are_counted_together);
  return ck_main(suite);
}
