/* Files of tensors from C: who keeps the memory, what a failure leaves, and what is shared by whom. All else is
 * compared with Python: tests/io. */
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"

static ctorch_value *dict_of(const char *name, const ctorch_tensor *tensor) {
  ctorch_value *dict = NULL, *value = NULL;
  ck_ok(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ck_ok(ctorch_value_from_tensor(&value, tensor));
  ck_ok(ctorch_value_dict_put(dict, name, value));
  ctorch_value_release(value);
  return dict;
}

struct file {
  void *data;
  size_t nbytes;
  int gone;
};

enum format { SAFETENSORS, NPZ, NPZ_DEFLATED, NPY, FORMATS };

/** What a writer makes of one tensor, "x". */
static struct file written(enum format format, const ctorch_tensor *tensor) {
  ctorch_writer *writer = NULL;
  ctorch_value *dict = dict_of("x", tensor);
  ck_ok(ctorch_writer_new(&writer));
  if (format == NPY) {
    ck_ok(ctorch_npy_write(writer, tensor));
  } else if (format == SAFETENSORS) {
    ck_ok(ctorch_safetensors_write(writer, dict, NULL));
  } else {
    ck_ok(ctorch_npz_write(writer, dict, format == NPZ_DEFLATED));
  }
  ck_ok(ctorch_writer_finish(writer));
  struct file file = {.nbytes = ctorch_writer_nbytes(writer)};
  file.data = aligned_alloc(64, (file.nbytes + 63) / 64 * 64);
  ck_assert_ptr_nonnull(file.data);
  memcpy(file.data, ctorch_writer_data(writer), file.nbytes);
  ctorch_writer_release(writer);
  ctorch_value_release(dict);
  return file;
}

static void destroy(void *payload) { ((struct file *)payload)->gone++; }

/** Weights that alone keep the reader of a file. */
static ctorch_weights *opened(struct file *file) {
  ctorch_reader *reader = NULL;
  ctorch_weights *weights = NULL;
  ck_ok(ctorch_reader_from_data(&reader, file->data, file->nbytes, destroy, file));
  ck_ok(ctorch_weights_open(&weights, reader));
  ctorch_reader_release(reader);
  ck_assert_int_eq(file->gone, 0);
  return weights;
}

static const char *name_in(enum format format) { return format == NPY ? "" : "x"; }

START_TEST(a_tensor_keeps_the_memory_that_it_shares) {
  const enum format format = (enum format)_i;
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6), *read = NULL, *part = NULL;
  struct file file = written(format, x);
  ctorch_weights *weights = opened(&file);
  ck_ok(ctorch_weights_tensor(&read, weights, name_in(format)));
  ck_ok(ctorch_weights_slice(&part, weights, name_in(format), CTORCH_INTS(-1), CTORCH_INTS(2)));
  ctorch_weights_release(weights);
  const bool is_shared = format != NPZ_DEFLATED;
  ck_assert_int_eq(file.gone, is_shared ? 0 : 1);
  ck_floats(read, CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6);
  ctorch_tensor_release(read);
  ck_floats(part, CTORCH_INTS(1, 3), 4, 5, 6);
  ck_assert_int_eq(file.gone, is_shared ? 0 : 1);
  ctorch_tensor_release(part);
  ck_assert_int_eq(file.gone, 1);
  free(file.data);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(what_is_read_in_a_scope_goes_with_it) {
  const enum format format = (enum format)_i;
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6);
  struct file file = written(format, x);
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_weights *weights = opened(&file);
  ctorch_tensor *read = NULL;
  ctorch_value *all = NULL, *metadata = NULL;
  ck_ok(ctorch_weights_tensor(&read, weights, name_in(format)));
  ck_ok(ctorch_weights_load(&all, weights, NULL));
  ck_ok(ctorch_weights_metadata(&metadata, weights));
  ctorch_scope_end(scope);
  ck_assert_int_eq(file.gone, 1);
  free(file.data);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(weights_that_leave_a_scope_stay_whole) {
  ctorch_tensor *x = floats(CTORCH_INTS(3), 1, 2, 3), *read = NULL;
  struct file file = written(SAFETENSORS, x);
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_weights *weights = opened(&file);
  ck_ok(ctorch_scope_keep(NULL, weights));
  ctorch_scope_end(scope);
  ck_ok(ctorch_weights_tensor(&read, weights, "x"));
  ck_floats(read, CTORCH_INTS(3), 1, 2, 3);
  ctorch_tensor_release(read);
  ctorch_weights_release(weights);
  ck_assert_int_eq(file.gone, 1);
  free(file.data);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  const enum format format = (enum format)_i;
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6);
  struct file file = written(format, x);
  const int64_t live = ctorch_debug_live_handles();
  for (size_t len = 0; len < file.nbytes; len++) {
    ctorch_reader *reader = NULL;
    ctorch_weights *weights = (ctorch_weights *)&file;
    ck_ok(ctorch_reader_from_data(&reader, file.data, len, NULL, NULL));
    ck_fails(ctorch_weights_open(&weights, reader), CTORCH_ERROR_FORMAT, "data: ");
    ck_assert_ptr_eq(weights, &file);
    ctorch_reader_release(reader);
  }
  struct file whole = file;
  ctorch_weights *weights = opened(&whole);
  ctorch_tensor *out = x;
  ck_fails(ctorch_weights_tensor(&out, weights, "y"), CTORCH_ERROR_INDEX, "no tensor \"y\"");
  ck_fails(
      ctorch_weights_slice(&out, weights, name_in(format), CTORCH_INTS(0, 0, 0), CTORCH_INTS(1, 1, 1)),
      CTORCH_ERROR_INVALID_ARGUMENT, "3 bounds for 2 dimensions");
  ck_assert_ptr_eq(out, x);
  ctorch_weights_release(weights);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
  free(file.data);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(what_cannot_be_written_leaves_no_handles) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *sparse = NULL;
  ck_ok(ctorch_aten_to_sparse(&sparse, x, NULL, NULL, 0, NULL));
  ctorch_value *dict = dict_of("x", sparse);
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_writer_new(&writer));
  const int64_t live = ctorch_debug_live_handles();
  ck_fails(ctorch_safetensors_write(writer, dict, NULL), CTORCH_ERROR_VALUE, "\"x\" is sparse_coo");
  ck_fails(ctorch_npz_write(writer, dict, true), CTORCH_ERROR_VALUE, "\"x\" is sparse_coo");
  ck_fails(ctorch_npy_write(writer, sparse), CTORCH_ERROR_VALUE, "sparse_coo");
  ck_fails(ctorch_sharded_write(dict, NULL, "/tmp", NULL, 0), CTORCH_ERROR_VALUE, "\"x\" is sparse_coo");
  ck_fails(ctorch_safetensors_write_file(dict, NULL, "/nowhere/x"), CTORCH_ERROR_IO, "/nowhere/x");
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
  ctorch_writer_release(writer);
  ctorch_value_release(dict);
  ctorch_tensor_release(sparse);
  ctorch_tensor_release(x);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("weights");
  ck_case_loop(suite, a_tensor_keeps_the_memory_that_it_shares, FORMATS);
  ck_case_loop(suite, what_is_read_in_a_scope_goes_with_it, FORMATS);
  ck_case(suite, weights_that_leave_a_scope_stay_whole);
  ck_case_loop(suite, a_failure_leaves_outputs_and_handles_alone, FORMATS);
  ck_case(suite, what_cannot_be_written_leaves_no_handles);
  return ck_main(suite);
}
