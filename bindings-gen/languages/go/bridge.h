/* What Go sees of C: plain numbers, so that no pointer of C looks like one of Go's. */
#ifndef CTORCH_GO_BRIDGE_H
#define CTORCH_GO_BRIDGE_H

#include <stddef.h>
#include <stdint.h>

#include "callbacks.h"

/* Call a function of calls.c with a frame of words. */
void ctorch_go_call(int function, uint64_t *words);
/* Call a release or retain. */
void ctorch_go_apply(int function, uint64_t handle);

const char *ctorch_go_string(uint64_t string);
size_t ctorch_go_string_len(uint64_t string);
void ctorch_go_string_release(uint64_t string);

size_t ctorch_go_list_len(uint64_t list);
/* The tensors of a list, each with a reference of its own; the list is released. */
void ctorch_go_list_take(uint64_t list, uint64_t *out);

/* What an error object holds. */
typedef struct ctorch_go_error {
  uint64_t message, function, expected_shape, got_shape, requested_bytes, available_bytes;
  size_t expected_shape_len, got_shape_len;
  int32_t code;
  int32_t expected_device[2], got_device[2], expected_dtype, got_dtype;
  /* Which of them it has: one bit each, in the order of the fields of Go's Error. */
  int32_t has;
} ctorch_go_error;
void ctorch_go_error_read(ctorch_go_error *out, uint64_t error);
void ctorch_go_error_release(uint64_t error);
uint64_t ctorch_go_error_new(int32_t code, const char *message);

/* Memory of Go, for the call alone. */
uint64_t ctorch_go_from_data(
    uint64_t *out, const void *data, size_t nbytes, const int64_t *sizes, size_t sizes_len, int32_t dtype);
uint64_t ctorch_go_copy_to_buffer(uint64_t self, void *data, size_t nbytes, int32_t dtype);
uint64_t ctorch_go_read_bytes(uint64_t self, void *data, size_t nbytes);
uint64_t ctorch_go_reader_from_data(uint64_t *out, const void *data, size_t nbytes);
uint64_t ctorch_go_reader_read(uint64_t self, size_t offset, void *data, size_t nbytes);
uint64_t ctorch_go_writer_write(uint64_t self, const void *data, size_t nbytes);
/* What was written to memory, if it was. */
void ctorch_go_writer_read(uint64_t self, void *data, size_t nbytes);
void ctorch_go_numbers(uint64_t self, int64_t *sizes, int64_t *strides);

/* The payload of a callback, or what was packed: a cgo.Handle that C needs no more. */
void ctorch_go_forget(void *payload);
void ctorch_go_saved_tensors_destroy(void *packed, void *payload);

#endif
