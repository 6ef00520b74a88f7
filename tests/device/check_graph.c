/* Graphs where there are none: a CPU, and a LibTorch without CUDA. */
#include "harness/values.h"

START_TEST(a_cpu_has_no_graphs) {
  ctorch_graph *const unset = (ctorch_graph *)&unset;
  ctorch_graph *out = unset;
  uint64_t first = 7, second = 7;
  ck_fails(ctorch_graph_new(&out, CTORCH_DEVICE_TYPE_CPU, false), CTORCH_ERROR_UNSUPPORTED, "type cpu");
  ck_fails(ctorch_graph_pool_new(&first, &second, CTORCH_DEVICE_TYPE_CPU), CTORCH_ERROR_UNSUPPORTED, "type cpu");
  ck_fails(ctorch_graph_new(&out, CTORCH_DEVICE_TYPE_META, false), CTORCH_ERROR_UNSUPPORTED, "type meta");
  ck_assert(out == unset && first == 7 && second == 7);
}
END_TEST

START_TEST(a_missing_device_has_no_graphs) {
  ctorch_graph *out = NULL;
  uint64_t first = 7, second = 7;
  ck_fails(ctorch_graph_new(&out, CTORCH_DEVICE_TYPE_FPGA, false), CTORCH_ERROR_RUNTIME, "fpga");
  ck_fails(ctorch_graph_new(&out, -1, false), CTORCH_ERROR_INVALID_ARGUMENT, "type");
  ck_fails(ctorch_graph_new(&out, 256, false), CTORCH_ERROR_INVALID_ARGUMENT, "type");
  ck_fails(ctorch_graph_pool_new(&first, &second, 99), CTORCH_ERROR_INVALID_ARGUMENT, "type");
  if (!ctorch_device_cuda_is_available()) {
    ck_fails(ctorch_graph_new(&out, CTORCH_DEVICE_TYPE_CUDA, false), CTORCH_ERROR_RUNTIME, "cuda");
    ck_fails(ctorch_graph_pool_new(&first, &second, CTORCH_DEVICE_TYPE_CUDA), CTORCH_ERROR_RUNTIME, "cuda");
  }
  ck_assert(out == NULL && first == 7 && second == 7);
}
END_TEST

START_TEST(null_is_refused) {
  uint64_t number;
  ck_fails(ctorch_graph_new(NULL, CTORCH_DEVICE_TYPE_CPU, false), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_graph_capture_begin(NULL, NULL, 0, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_graph_capture_end(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_graph_instantiate(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_graph_replay(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_graph_reset(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_graph_pool(&number, &number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_graph_pool(NULL, &number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_first");
  ck_fails(ctorch_graph_pool(&number, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_second");
  ck_fails(ctorch_graph_pool_new(NULL, &number, 0), CTORCH_ERROR_NULL_ARGUMENT, "out_first");
  ck_fails(ctorch_graph_pool_new(&number, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "out_second");
  ck_fails(ctorch_graph_enable_debug_mode(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_graph_debug_dump(NULL, "x"), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ctorch_graph_retain(NULL);
  ctorch_graph_release(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("graph");
  ck_case(suite, a_cpu_has_no_graphs);
  ck_case(suite, a_missing_device_has_no_graphs);
  ck_case(suite, null_is_refused);
  return ck_main(suite);
}
