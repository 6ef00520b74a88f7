#include "bridge.h"

#include <ctorch.h>
#include <string.h>

#include "_cgo_export.h"

#define HANDLE(type, word) ((type *)(uintptr_t)(word))
#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

void ctorch_go_apply(int function, uint64_t handle) {
  uint64_t words[2] = {0, handle};
  ctorch_go_call(function, words);
}

const char *ctorch_go_string(uint64_t string) { return ctorch_string_data(HANDLE(ctorch_string, string)); }

size_t ctorch_go_string_len(uint64_t string) { return ctorch_string_len(HANDLE(ctorch_string, string)); }

void ctorch_go_string_release(uint64_t string) { ctorch_string_release(HANDLE(ctorch_string, string)); }

size_t ctorch_go_list_len(uint64_t list) { return ctorch_tensor_list_len(HANDLE(ctorch_tensor_list, list)); }

void ctorch_go_list_take(uint64_t list, uint64_t *out) {
  ctorch_tensor_list *tensors = HANDLE(ctorch_tensor_list, list);
  for (size_t i = 0; i < ctorch_tensor_list_len(tensors); i++) {
    const ctorch_tensor *tensor = ctorch_tensor_list_data(tensors)[i];
    ctorch_tensor_retain(tensor);
    out[i] = WORD(tensor);
  }
  ctorch_tensor_list_release(tensors);
}

void ctorch_go_error_read(ctorch_go_error *out, uint64_t error) {
  const ctorch_error *e = HANDLE(ctorch_error, error);
  const int64_t *dims = NULL;
  ctorch_device device = {0, 0};
  *out = (ctorch_go_error){0};
  out->code = ctorch_error_kind_of(e);
  out->message = WORD(ctorch_error_message(e));
  out->function = WORD(ctorch_error_function(e));
  if (ctorch_error_expected_shape(e, &dims, &out->expected_shape_len)) {
    out->expected_shape = WORD(dims);
    out->has |= 1;
  }
  if (ctorch_error_got_shape(e, &dims, &out->got_shape_len)) {
    out->got_shape = WORD(dims);
    out->has |= 2;
  }
  if (ctorch_error_expected_device(e, &device)) {
    out->expected_device[0] = device.type;
    out->expected_device[1] = device.index;
    out->has |= 4;
  }
  if (ctorch_error_got_device(e, &device)) {
    out->got_device[0] = device.type;
    out->got_device[1] = device.index;
    out->has |= 8;
  }
  out->has |= ctorch_error_expected_dtype(e, &out->expected_dtype) ? 16 : 0;
  out->has |= ctorch_error_got_dtype(e, &out->got_dtype) ? 32 : 0;
  out->has |= ctorch_error_requested_bytes(e, &out->requested_bytes) ? 64 : 0;
  out->has |= ctorch_error_available_bytes(e, &out->available_bytes) ? 128 : 0;
}

void ctorch_go_error_release(uint64_t error) { ctorch_error_release(HANDLE(ctorch_error, error)); }

uint64_t ctorch_go_error_new(int32_t code, const char *message) {
  ctorch_error *made = NULL;
  ctorch_error *failure = ctorch_error_new(&made, code, message);
  return WORD(failure == NULL ? made : failure);
}

uint64_t ctorch_go_from_data(
    uint64_t *out, const void *data, size_t nbytes, const int64_t *sizes, size_t sizes_len, int32_t dtype) {
  return WORD(ctorch_tensor_from_data((ctorch_tensor **)out, data, nbytes, sizes, sizes_len, dtype));
}

uint64_t ctorch_go_copy_to_buffer(uint64_t self, void *data, size_t nbytes, int32_t dtype) {
  return WORD(ctorch_tensor_copy_to_buffer(HANDLE(ctorch_tensor, self), data, nbytes, dtype));
}

uint64_t ctorch_go_read_bytes(uint64_t self, void *data, size_t nbytes) {
  return WORD(ctorch_value_read_bytes(HANDLE(ctorch_value, self), data, nbytes));
}

uint64_t ctorch_go_reader_from_data(uint64_t *out, const void *data, size_t nbytes) {
  return WORD(ctorch_reader_from_data((ctorch_reader **)out, data, nbytes, NULL, NULL));
}

uint64_t ctorch_go_reader_read(uint64_t self, size_t offset, void *data, size_t nbytes) {
  return WORD(ctorch_reader_read(HANDLE(ctorch_reader, self), offset, data, nbytes));
}

uint64_t ctorch_go_writer_write(uint64_t self, const void *data, size_t nbytes) {
  return WORD(ctorch_writer_write(HANDLE(ctorch_writer, self), data, nbytes));
}

void ctorch_go_writer_read(uint64_t self, void *data, size_t nbytes) {
  const void *written = ctorch_writer_data(HANDLE(ctorch_writer, self));
  if (written != NULL) {
    memcpy(data, written, nbytes);
  }
}

void ctorch_go_numbers(uint64_t self, int64_t *sizes, int64_t *strides) {
  const ctorch_tensor *tensor = HANDLE(ctorch_tensor, self);
  const int64_t *from_sizes = ctorch_tensor_sizes(tensor), *from_strides = ctorch_tensor_strides(tensor);
  for (int64_t i = 0; i < ctorch_tensor_ndim(tensor); i++) {
    sizes[i] = from_sizes == NULL ? -1 : from_sizes[i];
    strides[i] = from_strides == NULL ? -1 : from_strides[i];
  }
}

void ctorch_go_forget(void *payload) { ctorch_go_destroy((uintptr_t)payload); }

void ctorch_go_saved_tensors_destroy(void *packed, void *payload) {
  (void)payload;
  if (packed != NULL) {
    ctorch_go_destroy((uintptr_t)packed);
  }
}
