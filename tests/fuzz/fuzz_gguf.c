/* GGUF files. An input is the file. What is read of it from memory and through a callback has to be the same, and a slice
 * of a whole tensor that tensor. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { MOST_ELEMENTS = 1 << 14 };

static ctorch_callback_status read_part(void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  const fuzz_input *file = payload;
  (void)error;
  fuzz_assert(nbytes > 0 && offset < file->len && nbytes <= file->len - offset);
  memcpy(data, file->data + offset, nbytes);
  return CTORCH_CALLBACK_OK;
}

static void check_same(const ctorch_tensor *a, const ctorch_tensor *b) {
  const size_t nbytes = ctorch_tensor_nbytes(a);
  const void *data = NULL, *other = NULL;
  fuzz_assert(ctorch_tensor_dtype(a) == ctorch_tensor_dtype(b) && nbytes == ctorch_tensor_nbytes(b));
  fuzz_assert(ctorch_tensor_is_contiguous(a) && ctorch_tensor_is_contiguous(b));
  if (nbytes > 0) {
    fuzz_must(ctorch_tensor_const_data(&data, a));
    fuzz_must(ctorch_tensor_const_data(&other, b));
    fuzz_assert(memcmp(data, other, nbytes) == 0);
  }
}

static void check_tensor(const ctorch_weights *self, const ctorch_weights *other, size_t index) {
  const char *name = ctorch_weights_name(self, index);
  const int64_t *shape;
  size_t shape_len, found;
  ctorch_dtype dtype;
  fuzz_assert(fuzz_is_utf8(name) && ctorch_weights_type(self, index) != NULL);
  fuzz_must(ctorch_weights_find(&found, self, name));
  fuzz_assert(found == index);
  fuzz_must(ctorch_weights_shape(&shape, &shape_len, self, index));
  double elements = 1;
  for (size_t i = 0; i < shape_len; i++) {
    elements *= (double)shape[i];
  }
  const bool has_dtype = fuzz_ok(&dtype, ctorch_weights_dtype(&dtype, self, index));
  if (elements > MOST_ELEMENTS) {
    return;
  }
  ctorch_tensor *tensor, *again, *slice;
  fuzz_assert(fuzz_ok(&tensor, ctorch_weights_tensor(&tensor, self, name)) == has_dtype);
  fuzz_assert(fuzz_ok(&again, ctorch_weights_tensor(&again, other, name)) == has_dtype);
  if (!has_dtype) {
    return;
  }
  fuzz_assert(ctorch_tensor_ndim(tensor) == (int64_t)shape_len && ctorch_tensor_dtype(tensor) == dtype);
  check_same(tensor, again);
  int64_t *zeros = calloc(shape_len + 1, sizeof *zeros);
  fuzz_assert(zeros != NULL);
  fuzz_must(ctorch_weights_slice(&slice, self, name, zeros, shape_len, shape, shape_len));
  check_same(tensor, slice);
  free(zeros);
  fuzz_release(ctorch_tensor, slice);
  fuzz_release(ctorch_tensor, again);
  fuzz_release(ctorch_tensor, tensor);
}

static void check_metadata(const ctorch_weights *self, const ctorch_weights *other) {
  ctorch_value *metadata, *again;
  ctorch_string *text, *text_again;
  const bool is_read = fuzz_ok(&metadata, ctorch_weights_metadata(&metadata, self));
  fuzz_assert(fuzz_ok(&again, ctorch_weights_metadata(&again, other)) == is_read);
  if (is_read) {
    fuzz_must(ctorch_value_repr(&text, metadata));
    fuzz_must(ctorch_value_repr(&text_again, again));
    fuzz_assert(strcmp(ctorch_string_data(text), ctorch_string_data(text_again)) == 0);
    fuzz_release(ctorch_string, text_again);
    fuzz_release(ctorch_string, text);
    fuzz_release(ctorch_value, again);
    fuzz_release(ctorch_value, metadata);
  }
}

static void gguf_input(fuzz_input *input) {
  ctorch_reader *memory, *callback;
  ctorch_weights *self, *other;
  if (input->len < 4 || memcmp(input->data, "GGUF", 4) != 0) {
    return; /* another format, if any */
  }
  fuzz_must(ctorch_reader_from_data(&memory, input->data, input->len, NULL, NULL));
  fuzz_must(ctorch_reader_from_callback(&callback, input->len, read_part, NULL, input));
  if (fuzz_ok(&self, ctorch_weights_open(&self, memory))) {
    fuzz_assert(strcmp(ctorch_weights_format(self), "gguf") == 0);
    fuzz_must(ctorch_weights_open(&other, callback));
    fuzz_assert(ctorch_weights_len(self) == ctorch_weights_len(other));
    check_metadata(self, other);
    for (size_t i = 0; i < ctorch_weights_len(self); i++) {
      check_tensor(self, other, i);
    }
    fuzz_release(ctorch_weights, other);
    fuzz_release(ctorch_weights, self);
  }
  fuzz_release(ctorch_reader, callback);
  fuzz_release(ctorch_reader, memory);
}

FUZZ_TARGET(gguf_input)
