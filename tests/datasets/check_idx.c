/* IDX files from C: who keeps the memory, and what a failure leaves. Arrays are compared with NumPy: tests/datasets. */
#include "harness/values.h"

static const unsigned char BYTES[] = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6};

static void destroy(void *payload) { (*(int *)payload)++; }

START_TEST(a_tensor_keeps_the_memory_that_it_shares) {
  int gone = 0;
  ctorch_reader *reader = NULL;
  ctorch_tensor *tensor = NULL;
  const void *data = NULL;
  ck_ok(ctorch_reader_from_data(&reader, BYTES, sizeof BYTES, destroy, &gone));
  ck_ok(ctorch_idx_read(&tensor, reader));
  ctorch_reader_release(reader);
  ck_assert_int_eq(gone, 0);
  ck_ok(ctorch_tensor_const_data(&data, tensor));
  ck_assert_ptr_eq(data, BYTES + 12);
  ck_assert(ctorch_tensor_ndim(tensor) == 2 && ctorch_tensor_sizes(tensor)[1] == 3);
  ctorch_tensor_release(tensor);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  ctorch_tensor *const before = (ctorch_tensor *)(uintptr_t)8;
  ctorch_tensor *tensor = before;
  ctorch_reader *reader = NULL;
  ck_ok(ctorch_reader_from_data(&reader, BYTES, sizeof BYTES - 1, NULL, NULL));
  const int64_t live = ctorch_debug_live_handles();
  ck_call_fails(ctorch_idx_read, (&tensor, reader), CTORCH_ERROR_FORMAT, "data: idx: ends early");
  ck_call_fails(ctorch_idx_read, (&tensor, NULL), CTORCH_ERROR_NULL_ARGUMENT, "reader");
  ck_call_fails(ctorch_idx_read, (NULL, reader), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_idx_read_file, (&tensor, "/no/such/file"), CTORCH_ERROR_IO, "/no/such/file");
  ck_assert_ptr_eq(tensor, before);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
  ctorch_reader_release(reader);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("idx");
  ck_case(suite, a_tensor_keeps_the_memory_that_it_shares);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  return ck_main(suite);
}
