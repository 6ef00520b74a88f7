/* What a GPU makes of devices, streams, events, memory, graphs and DLPack. Without one, nothing is tested: the program
 * says so and ends with 77. accelerator_test.cpp shows on any machine that the right thing is asked of a device. */
#define _POSIX_C_SOURCE 200112L
#include <dlpack/dlpack.h>
#include <stdio.h>

#include "harness/values.h"

#define CUDA (&(const ctorch_device){CTORCH_DEVICE_TYPE_CUDA, 0})

enum { SKIPPED = 77, LENGTH = 1 << 20, MIB = 1 << 20 };

static ctorch_tensor *on(const ctorch_device *device, const ctorch_tensor *x) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_to(&out, x, NULL, device, false, false, NULL));
  return out;
}

/** Ones on the GPU. */
static ctorch_tensor *ones(int64_t len) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_ones(&out, &len, 1, NULL, NULL, CUDA, NULL));
  return out;
}

static double sum(const ctorch_tensor *x) {
  ctorch_tensor *total = NULL;
  double out = 0;
  ck_ok(ctorch_aten_sum(&total, x, NULL));
  ck_ok(ctorch_tensor_item_double(&out, total));
  return out;
}

static ctorch_stream current(void) {
  ctorch_stream out;
  ck_ok(ctorch_stream_current(&out, CUDA));
  return out;
}

START_TEST(the_device_tells_what_it_is) {
  ck_assert(ctorch_device_cuda_is_available() && ctorch_device_accelerator_type() == CTORCH_DEVICE_TYPE_CUDA);
  ck_assert_int_ge(ctorch_device_count(CTORCH_DEVICE_TYPE_CUDA), 1);
  ctorch_string *name = NULL;
  ck_ok(ctorch_device_name(&name, CUDA));
  int32_t major = 0, minor = -1, multiprocessors = 0;
  ck_ok(ctorch_device_compute_capability(&major, &minor, CUDA));
  ck_ok(ctorch_device_multiprocessor_count(&multiprocessors, CUDA));
  printf("GPU: %s, %d.%d, %d multiprocessors\n", ctorch_string_data(name), major, minor, multiprocessors);
  ck_assert(ctorch_string_data(name)[0] != '\0' && major >= 3 && minor >= 0 && multiprocessors > 0);
  const int32_t count = ctorch_device_count(CTORCH_DEVICE_TYPE_CUDA);
  ctorch_tensor *x = NULL;
  ck_fails(
      ctorch_aten_ones(&x, CTORCH_INTS(2), NULL, NULL, &(const ctorch_device){CTORCH_DEVICE_TYPE_CUDA, count}, NULL),
      CTORCH_ERROR_ACCELERATOR, NULL);
  ck_assert_ptr_null(x);
}
END_TEST

START_TEST(numbers_go_there_and_come_back) {
  ctorch_tensor *x = on(CUDA, floats(CTORCH_INTS(2, 2), 1, 2, 3, 4)), *y = NULL;
  ck_assert_int_eq(ctorch_tensor_device_type(x), CTORCH_DEVICE_TYPE_CUDA);
  ck_ok(ctorch_aten_matmul(&y, x, x));
  ck_floats(on(CPU, y), CTORCH_INTS(2, 2), 7, 10, 15, 22);
  ck_floats(y, CTORCH_INTS(2, 2), 7, 10, 15, 22); /* copied for the reader */
}
END_TEST

START_TEST(gradients_are_computed_there) {
  ctorch_tensor *x = on(CUDA, floats(CTORCH_INTS(3), 1, 2, 3)), *y = NULL, *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_aten_mul_Tensor(&y, x, x));
  ck_ok(ctorch_aten_sum(&y, y, NULL));
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, false));
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_assert_int_eq(ctorch_tensor_device_type(grad), CTORCH_DEVICE_TYPE_CUDA);
  ck_floats(grad, CTORCH_INTS(3), 2, 4, 6);
}
END_TEST

START_TEST(tensors_of_two_devices_are_a_mismatch) {
  ctorch_tensor *x = ones(2), *y = floats(CTORCH_INTS(2), 1, 2), *out = NULL;
  ctorch_error *error = ctorch_aten_add_Tensor(&out, x, y, NULL);
  ctorch_device expected, got;
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_DEVICE_MISMATCH);
  ck_assert(ctorch_error_expected_device(error, &expected) && ctorch_error_got_device(error, &got));
  ck_assert_int_ne(expected.type, got.type);
  ctorch_error_release(error);
}
END_TEST

START_TEST(streams_wait_for_each_other) {
  ctorch_stream a, b, outside = current();
  ck_ok(ctorch_stream_from_pool(&a, false, CUDA));
  ck_ok(ctorch_stream_from_pool(&b, true, CUDA));
  ck_assert(!ctorch_stream_equal(&a, &b));
  ck_ok(ctorch_stream_push(&a));
  ctorch_stream inside = current();
  ck_assert(ctorch_stream_equal(&a, &inside));
  ctorch_tensor *x = ones(LENGTH);
  for (int i = 0; i < 100; i++) {
    ck_ok(ctorch_aten_add__Scalar(x, CTORCH_INT(1), NULL));
  }
  ck_ok(ctorch_stream_pop());
  ck_ok(ctorch_stream_wait_stream(&b, &a));
  ck_ok(ctorch_stream_push(&b));
  ck_assert(sum(x) == 101.0 * LENGTH);
  ck_ok(ctorch_stream_pop());
  inside = current();
  ck_assert(ctorch_stream_equal(&outside, &inside));
  ck_ok(ctorch_stream_synchronize(&b));
  bool done = false;
  ck_ok(ctorch_stream_query(&done, &a));
  ck_assert(done);
  void *native = NULL;
  ctorch_stream again;
  ck_ok(ctorch_stream_native_handle(&native, &a));
  ck_assert_ptr_nonnull(native);
  ck_ok(ctorch_stream_from_native(&again, native, CUDA));
  void *same = NULL;
  ck_ok(ctorch_stream_native_handle(&same, &again));
  ck_assert_ptr_eq(same, native);
}
END_TEST

START_TEST(events_tell_the_time_between_them) {
  ctorch_event *start = NULL, *end = NULL;
  ck_ok(ctorch_event_new(&start, CTORCH_DEVICE_TYPE_CUDA, true));
  ck_ok(ctorch_event_new(&end, CTORCH_DEVICE_TYPE_CUDA, true));
  ctorch_tensor *x = ones(LENGTH);
  ck_ok(ctorch_event_record(start, NULL));
  for (int i = 0; i < 100; i++) {
    ck_ok(ctorch_aten_add__Scalar(x, CTORCH_INT(1), NULL));
  }
  ck_ok(ctorch_event_record(end, NULL));
  ck_ok(ctorch_event_synchronize(end));
  bool done = false;
  ck_ok(ctorch_event_query(&done, end));
  ck_assert(done);
  double milliseconds = -1;
  ck_ok(ctorch_event_elapsed_time(&milliseconds, start, end));
  ck_assert(milliseconds > 0);
}
END_TEST

static int64_t statistic(const char *name) {
  ctorch_memory_stats *stats = NULL;
  int64_t out = -1;
  ck_ok(ctorch_memory_stats_of_device(&stats, CUDA));
  ck_assert_msg(ctorch_memory_stats_find(stats, name, &out), "no %s", name);
  return out;
}

START_TEST(memory_is_counted) {
  ctorch_tensor *first = ones(1);
  const int64_t before = statistic("allocated_bytes.all.current");
  ck_ok(ctorch_memory_reset_peak_stats(CUDA));
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  (void)ones(64 * MIB / 4);
  ck_assert_int_eq(statistic("allocated_bytes.all.current") - before, 64 * MIB);
  ctorch_scope_end(scope);
  ck_assert_int_eq(statistic("allocated_bytes.all.current"), before);
  ck_assert_int_ge(statistic("allocated_bytes.all.peak") - before, 64 * MIB);
  const int64_t reserved = statistic("reserved_bytes.all.current");
  ck_ok(ctorch_memory_empty_cache(CTORCH_DEVICE_TYPE_CUDA));
  ck_assert_int_lt(statistic("reserved_bytes.all.current"), reserved);
  uint64_t available = 0, total = 0;
  ck_ok(ctorch_memory_info(&available, &total, CUDA));
  ck_assert(available > 0 && available < total);
  ck_assert(sum(first) == 1);
}
END_TEST

typedef struct {
  int calls;
  uint64_t requested;
  ctorch_tensor *garbage;
} collector;

static ctorch_callback_status collect(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)held, (void)error;
  collector *self = payload;
  ck_assert_int_eq(reason, CTORCH_MEMORY_PRESSURE_OUT_OF_MEMORY);
  self->calls++;
  self->requested = requested;
  ctorch_tensor_release(self->garbage);
  self->garbage = NULL;
  return CTORCH_CALLBACK_OK;
}

START_TEST(what_the_callback_frees_lets_a_call_succeed) {
  uint64_t available = 0, total = 0;
  ck_ok(ctorch_memory_info(&available, &total, CUDA));
  const int64_t most = (int64_t)(available / 10 * 7);
  const ctorch_dtype dtype = CTORCH_DTYPE_UINT8;
  collector self = {0};
  ck_ok(ctorch_memory_pressure_set_callback(collect, 0, NULL, &self));
  ck_ok(ctorch_aten_empty_memory_format(&self.garbage, &most, 1, &dtype, NULL, CUDA, NULL, NULL));
  ck_ok(ctorch_scope_keep(NULL, self.garbage)); /* the callback releases it */
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&x, &most, 1, &dtype, NULL, CUDA, NULL, NULL));
  ck_assert(self.calls == 1 && self.requested >= (uint64_t)most);

  ctorch_tensor *y = NULL;
  ctorch_error *error = ctorch_aten_empty_memory_format(&y, &most, 1, &dtype, NULL, CUDA, NULL, NULL);
  uint64_t requested = 0, left = 0;
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_OUT_OF_MEMORY);
  ck_assert(ctorch_error_requested_bytes(error, &requested) && requested >= (uint64_t)most / 10 * 9);
  ck_assert(ctorch_error_available_bytes(error, &left) && left < (uint64_t)most);
  ck_assert(y == NULL && self.calls == 2);
  ctorch_error_release(error);
  ctorch_memory_pressure_clear_callback();
}
END_TEST

START_TEST(pinned_memory_is_copied_behind_the_callers_back) {
  ctorch_tensor *x = NULL, *pinned = NULL;
  bool is_pinned = false;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(LENGTH), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_pin_memory(&pinned, x, NULL));
  ck_ok(ctorch_aten_is_pinned(&is_pinned, pinned, NULL));
  ck_assert(is_pinned);
  ctorch_tensor *there = NULL;
  ck_ok(ctorch_tensor_to(&there, pinned, NULL, CUDA, true, false, NULL));
  ck_assert(sum(there) == LENGTH);
}
END_TEST

START_TEST(a_captured_graph_computes_again) {
  ctorch_stream stream;
  ck_ok(ctorch_stream_from_pool(&stream, false, CUDA));
  ctorch_tensor *x = ones(4), *y = NULL;
  ck_ok(ctorch_device_synchronize(CUDA));
  ctorch_graph *graph = NULL, *second = NULL;
  ck_ok(ctorch_graph_new(&graph, CTORCH_DEVICE_TYPE_CUDA, false));
  ck_ok(ctorch_graph_new(&second, CTORCH_DEVICE_TYPE_CUDA, false));
  ck_ok(ctorch_stream_push(&stream));
  ck_ok(ctorch_graph_capture_begin(graph, NULL, 0, CTORCH_GRAPH_CAPTURE_DEFAULT));
  ck_ok(ctorch_aten_mul_Scalar(&y, x, CTORCH_INT(3)));
  ck_ok(ctorch_graph_capture_end(graph));
  uint64_t pool[2] = {0, 0};
  ck_ok(ctorch_graph_pool(&pool[0], &pool[1], graph));
  ck_ok(ctorch_graph_capture_begin(second, pool, 2, CTORCH_GRAPH_CAPTURE_DEFAULT));
  ck_ok(ctorch_aten_add__Scalar(y, CTORCH_INT(1), NULL));
  ck_ok(ctorch_graph_capture_end(second));
  ck_ok(ctorch_stream_pop());
  for (int i = 1; i <= 3; i++) {
    ck_ok(ctorch_aten_fill__Scalar(x, CTORCH_INT(i)));
    ck_ok(ctorch_graph_replay(graph));
    ck_ok(ctorch_graph_replay(second));
    const float expected = 3.0F * (float)i + 1.0F;
    ck_floats(y, CTORCH_INTS(4), expected, expected, expected, expected);
  }
  ck_fails(ctorch_graph_capture_end(graph), CTORCH_ERROR_RUNTIME, NULL);
}
END_TEST

START_TEST(dlpack_keeps_the_memory_where_it_is) {
  ctorch_tensor *x = ones(8), *y = NULL;
  struct DLManagedTensorVersioned *managed = NULL;
  ck_ok(ctorch_tensor_to_dlpack(&managed, x, CTORCH_SOME(int64_t, 1), NULL, NULL, false));
  const DLTensor *described = &((DLManagedTensorVersioned *)managed)->dl_tensor;
  void *data = NULL;
  ck_ok(ctorch_tensor_data(&data, x));
  ck_assert(described->device.device_type == kDLCUDA && described->device.device_id == 0 && described->data == data);
  ck_ok(ctorch_tensor_from_dlpack(&y, NULL, managed));
  ck_ok(ctorch_aten_add__Scalar(y, CTORCH_INT(1), NULL));
  ck_assert(sum(x) == 16);
}
END_TEST

START_TEST(the_generator_of_the_device_repeats_itself) {
  ctorch_generator *generator = NULL;
  ctorch_tensor *state = NULL, *x = NULL, *y = NULL;
  ck_ok(ctorch_generator_new(&generator, CUDA));
  ck_ok(ctorch_generator_manual_seed(generator, 7));
  ck_ok(ctorch_generator_get_state(&state, generator));
  ck_ok(ctorch_aten_rand_generator(&x, CTORCH_INTS(100), generator, NULL, NULL, CUDA, NULL));
  ck_ok(ctorch_generator_set_state(generator, state));
  ck_ok(ctorch_aten_rand_generator(&y, CTORCH_INTS(100), generator, NULL, NULL, CUDA, NULL));
  bool same = false;
  ck_ok(ctorch_aten_equal(&same, x, y));
  ck_assert(same);
}
END_TEST

START_TEST(autocast_computes_in_half) {
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(16, 16), NULL, NULL, CUDA, NULL));
  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CUDA, true, NULL, NULL));
  ck_ok(ctorch_aten_matmul(&y, x, x));
  ck_ok(ctorch_autocast_pop());
  ck_assert_int_eq(ctorch_tensor_dtype(y), CTORCH_DTYPE_FLOAT16);
  ck_assert(sum(y) == 16 * 16 * 16);
}
END_TEST

int main(void) {
  if (!ctorch_device_cuda_is_available()) {
    puts("skipped: there is no GPU, or this LibTorch has no CUDA");
    return SKIPPED;
  }
  setenv("CK_FORK", "no", 1); /* a process that was forked cannot use CUDA */
  Suite *suite = suite_create("cuda");
  ck_scoped_case(suite, the_device_tells_what_it_is);
  ck_scoped_case(suite, numbers_go_there_and_come_back);
  ck_scoped_case(suite, gradients_are_computed_there);
  ck_scoped_case(suite, tensors_of_two_devices_are_a_mismatch);
  ck_scoped_case(suite, streams_wait_for_each_other);
  ck_scoped_case(suite, events_tell_the_time_between_them);
  ck_scoped_case(suite, memory_is_counted);
  ck_scoped_case(suite, what_the_callback_frees_lets_a_call_succeed);
  ck_scoped_case(suite, pinned_memory_is_copied_behind_the_callers_back);
  ck_scoped_case(suite, a_captured_graph_computes_again);
  ck_scoped_case(suite, dlpack_keeps_the_memory_where_it_is);
  ck_scoped_case(suite, the_generator_of_the_device_repeats_itself);
  ck_scoped_case(suite, autocast_computes_in_half);
  return ck_main(suite);
}
