/* What Go sees of C: plain numbers, so that no pointer of C looks like one of Go's. */
#ifndef CTORCH_GO_BRIDGE_H
#define CTORCH_GO_BRIDGE_H

#include <stddef.h>
#include <stdint.h>

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
/* A list of tensors for a callback to hand over; an error object, or 0. */
uint64_t ctorch_go_list_new(uint64_t *out, const uint64_t *tensors, size_t len);

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

/* Callbacks: `payload` is a cgo.Handle. Each answers an error object, or 0. */
uint64_t ctorch_go_function_new(
    uint64_t *out, const char *name, int forward_mode, int once_differentiable, uintptr_t payload);
uint64_t ctorch_go_register_hook(uint64_t *out, uint64_t self, uintptr_t payload);
uint64_t ctorch_go_register_post_hook(uint64_t *out, uint64_t self, uintptr_t payload);
uint64_t ctorch_go_checkpoint(uint64_t *out, const uint64_t *inputs, size_t len, uintptr_t payload);
uint64_t ctorch_go_implement(uint64_t library, const char *name, const char *dispatch_key, uintptr_t payload);
uint64_t ctorch_go_memory_pressure(uint64_t threshold, uintptr_t payload);
uint64_t ctorch_go_interrupt(uintptr_t payload);

/* The C function that stands for a Go one in a call, for a word of a frame. */
enum {
  CTORCH_GO_TENSORS,
  CTORCH_GO_PREHOOK,
  CTORCH_GO_NODE_HOOK,
  CTORCH_GO_PACK,
  CTORCH_GO_UNPACK,
  CTORCH_GO_DESTROY_PACKED,
  CTORCH_GO_MODULE,
  CTORCH_GO_MODULE_FORWARD,
  CTORCH_GO_MODULE_CALL,
  CTORCH_GO_MODULE_VALUE,
  CTORCH_GO_MODULE_SET_VALUE,
  CTORCH_GO_MODULE_COPY,
  CTORCH_GO_MODULE_HOOK,
  CTORCH_GO_MODULE_BACKWARD,
  CTORCH_GO_OPTIMIZER,
  CTORCH_GO_OPTIMIZER_CLOSURE,
  CTORCH_GO_OPTIMIZER_STATE_DICT,
  CTORCH_GO_LR_LAMBDA,
  CTORCH_GO_LR_SCALE,
  CTORCH_GO_READER_READ,
  CTORCH_GO_WRITER_WRITE,
  CTORCH_GO_PROGRESS,
  CTORCH_GO_MAP_LOCATION,
  CTORCH_GO_ALLOW,
  CTORCH_GO_SNAPSHOTS_SAVE,
  CTORCH_GO_SNAPSHOTS_LOAD,
  CTORCH_GO_ITERATOR_NEXT,
  CTORCH_GO_ITERATOR_SAVE,
  CTORCH_GO_ITERATOR_LOAD,
  CTORCH_GO_ITERATE,
  CTORCH_GO_DATASET_GET,
  CTORCH_GO_COLLATE,
  CTORCH_GO_WORKER_INIT,
  CTORCH_GO_TRANSFORM,
  CTORCH_GO_TRAINER_STEP,
  CTORCH_GO_TRAINER_METRIC,
  CTORCH_GO_TRAINER_EVENT,
  CTORCH_GO_DESTROY
};
uint64_t ctorch_go_callback(int which);

#endif
