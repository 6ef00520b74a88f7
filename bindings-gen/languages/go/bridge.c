#include "bridge.h"

#include <ctorch.h>
#include <string.h>

#include "_cgo_export.h"

#define HANDLE(type, word) ((type *)(uintptr_t)(word))
#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))
#define TENSORS(words) ((const ctorch_tensor *const *)(words))

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

uint64_t ctorch_go_list_new(uint64_t *out, const uint64_t *tensors, size_t len) {
  ctorch_tensor_list *list = NULL;
  ctorch_error *error = ctorch_tensor_list_new(&list, TENSORS(tensors), len);
  *out = WORD(list);
  return WORD(error);
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

/* Callbacks. Go answers an error object, or 0. */

static ctorch_callback_status answer(ctorch_error **error, uint64_t failure) {
  *error = HANDLE(ctorch_error, failure);
  return failure == 0 ? CTORCH_CALLBACK_OK : 0;
}

static void destroy(void *payload) { ctorch_go_destroy((uintptr_t)payload); }

static ctorch_callback_status forward(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t len,
    ctorch_error **error,
    void *payload) {
  return answer(error, ctorch_go_forward((uintptr_t)payload, (uint64_t *)out, WORD(context), (uint64_t *)inputs, len));
}

static ctorch_callback_status backward(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grads,
    size_t len,
    ctorch_error **error,
    void *payload) {
  return answer(error, ctorch_go_backward((uintptr_t)payload, (uint64_t *)out, WORD(context), (uint64_t *)grads, len));
}

static ctorch_callback_status jvp(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *tangents,
    size_t len,
    ctorch_error **error,
    void *payload) {
  return answer(error, ctorch_go_jvp((uintptr_t)payload, (uint64_t *)out, WORD(context), (uint64_t *)tangents, len));
}

static ctorch_callback_status tensors(
    ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t len, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_tensors((uintptr_t)payload, (uint64_t *)out, (uint64_t *)inputs, len));
}

static ctorch_callback_status hook(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_hook((uintptr_t)payload, (uint64_t *)out, WORD(grad)));
}

static ctorch_callback_status post_hook(ctorch_tensor *self, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_hook((uintptr_t)payload, NULL, WORD(self)));
}

static ctorch_callback_status prehook(
    ctorch_tensor_list **out, const ctorch_tensor *const *outputs, size_t len, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_node_hook((uintptr_t)payload, (uint64_t *)out, NULL, 0, (uint64_t *)outputs, len));
}

static ctorch_callback_status node_hook(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const ctorch_tensor *const *outputs,
    size_t outputs_len,
    ctorch_error **error,
    void *payload) {
  return answer(
      error,
      ctorch_go_node_hook(
          (uintptr_t)payload, (uint64_t *)out, (uint64_t *)inputs, inputs_len, (uint64_t *)outputs, outputs_len));
}

static ctorch_callback_status pack(void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_pack((uintptr_t)payload, (uint64_t *)out, WORD(tensor)));
}

static ctorch_callback_status unpack(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_unpack((uintptr_t)payload, (uint64_t *)out, (uintptr_t)packed));
}

static void destroy_packed(void *packed, void *payload) {
  (void)payload;
  if (packed != NULL) {
    ctorch_go_destroy((uintptr_t)packed);
  }
}

static ctorch_callback_status kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  return answer(
      error, ctorch_go_kernel((uintptr_t)payload, (uint64_t *)results, results_len, (uint64_t *)args, args_len));
}

static ctorch_callback_status pressure(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)requested;
  (void)payload;
  return answer(error, ctorch_go_pressure(reason, held));
}

static ctorch_callback_status interrupt(ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_context((uintptr_t)payload));
}

/* Modules: one Go function has a place for a result, the module and up to three words. */

static ctorch_callback_status module(ctorch_module *self, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_module((uintptr_t)payload, NULL, WORD(self), 0, 0, 0));
}

static ctorch_callback_status module_forward(
    ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_module((uintptr_t)payload, (uint64_t *)out, WORD(self), WORD(input), 0, 0));
}

static ctorch_callback_status module_call(
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  return answer(error, ctorch_go_module((uintptr_t)payload, (uint64_t *)out, WORD(self), WORD(args), WORD(kwargs), 0));
}

static ctorch_callback_status module_value(
    ctorch_value **out, ctorch_module *self, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_module((uintptr_t)payload, (uint64_t *)out, WORD(self), 0, 0, 0));
}

static ctorch_callback_status module_set_value(
    ctorch_module *self, const ctorch_value *value, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_module((uintptr_t)payload, NULL, WORD(self), WORD(value), 0, 0));
}

static ctorch_callback_status module_copy(
    ctorch_module **out, ctorch_module *self, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_module((uintptr_t)payload, (uint64_t *)out, WORD(self), 0, 0, 0));
}

static ctorch_callback_status module_hook(
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload) {
  return answer(
      error, ctorch_go_module((uintptr_t)payload, (uint64_t *)out, WORD(self), WORD(args), WORD(kwargs), WORD(output)));
}

static ctorch_callback_status module_backward(
    ctorch_tensor_list **out,
    ctorch_module *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const ctorch_tensor *const *outputs,
    size_t outputs_len,
    ctorch_error **error,
    void *payload) {
  return answer(
      error, ctorch_go_module_backward(
                 (uintptr_t)payload, (uint64_t *)out, WORD(self), (uint64_t *)inputs, inputs_len, (uint64_t *)outputs,
                 outputs_len));
}

/* Optimizers and files: one Go function has a place for a result, and up to two words; a double is its bits. */

static ctorch_callback_status optimizer(ctorch_optimizer *self, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, NULL, WORD(self), 0));
}

static ctorch_callback_status optimizer_closure(ctorch_tensor **out, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, 0, 0));
}

static ctorch_callback_status optimizer_state_dict(
    ctorch_value **out, ctorch_optimizer *self, ctorch_value *state_dict, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, WORD(self), WORD(state_dict)));
}

static ctorch_callback_status lr_lambda(
    double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload) {
  uint64_t bits = 0;
  ctorch_callback_status status =
      answer(error, ctorch_go_words((uintptr_t)payload, &bits, (uint64_t)group, (uint64_t)epoch));
  memcpy(out, &bits, sizeof *out);
  return status;
}

static ctorch_callback_status lr_scale(double *out, double x, ctorch_error **error, void *payload) {
  uint64_t bits = 0, word;
  memcpy(&word, &x, sizeof word);
  ctorch_callback_status status = answer(error, ctorch_go_words((uintptr_t)payload, &bits, word, 0));
  memcpy(out, &bits, sizeof *out);
  return status;
}

static ctorch_callback_status reader_read(
    void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, data, nbytes, offset));
}

static ctorch_callback_status writer_write(const void *data, size_t nbytes, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, NULL, WORD(data), nbytes));
}

static ctorch_callback_status progress(size_t nbytes, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, NULL, nbytes, 0));
}

static ctorch_callback_status map_location(
    ctorch_device *out, const char *location, ctorch_error **error, void *payload) {
  uint64_t word;
  memcpy(&word, out, sizeof word);
  ctorch_callback_status status = answer(error, ctorch_go_words((uintptr_t)payload, &word, WORD(location), 0));
  memcpy(out, &word, sizeof word);
  return status;
}

static ctorch_callback_status allow(
    bool *out, const char *module_name, const char *name, ctorch_error **error, void *payload) {
  uint64_t word = 0;
  ctorch_callback_status status =
      answer(error, ctorch_go_words((uintptr_t)payload, &word, WORD(module_name), WORD(name)));
  *out = word != 0;
  return status;
}

static ctorch_callback_status snapshots_save(ctorch_value **out, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, 0, 0));
}

static ctorch_callback_status snapshots_load(const ctorch_value *state, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, NULL, WORD(state), 0));
}

/* Data: likewise. An iterator's function is told which of its three callbacks this is. */

static ctorch_callback_status iterator_next(ctorch_value **out, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, CTORCH_GO_ITERATOR_NEXT, 0));
}

static ctorch_callback_status iterator_save(ctorch_value **out, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, CTORCH_GO_ITERATOR_SAVE, 0));
}

static ctorch_callback_status iterator_load(const ctorch_value *state, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, NULL, CTORCH_GO_ITERATOR_LOAD, WORD(state)));
}

static ctorch_callback_status iterate(ctorch_iterator **out, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, 0, 0));
}

static ctorch_callback_status dataset_get(ctorch_value **out, int64_t index, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, (uint64_t)index, 0));
}

static ctorch_callback_status collate(
    ctorch_value **out, const ctorch_value *samples, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, WORD(samples), 0));
}

static ctorch_callback_status worker_init(int64_t worker, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, NULL, (uint64_t)worker, 0));
}

static ctorch_callback_status transform(
    ctorch_value **out, const ctorch_value *input, ctorch_generator *generator, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, (uint64_t *)out, WORD(input), WORD(generator)));
}

static ctorch_callback_status trainer_step(
    ctorch_tensor **out,
    ctorch_trainer *trainer,
    ctorch_module *self,
    const ctorch_value *batch,
    ctorch_error **error,
    void *payload) {
  return answer(
      error, ctorch_go_module((uintptr_t)payload, (uint64_t *)out, WORD(self), WORD(trainer), WORD(batch), 0));
}

static ctorch_callback_status trainer_metric(
    double *out, const ctorch_value *output, const ctorch_value *batch, ctorch_error **error, void *payload) {
  uint64_t bits = 0;
  ctorch_callback_status status = answer(error, ctorch_go_words((uintptr_t)payload, &bits, WORD(output), WORD(batch)));
  memcpy(out, &bits, sizeof *out);
  return status;
}

static ctorch_callback_status trainer_event(
    ctorch_trainer *trainer, ctorch_trainer_event event, ctorch_error **error, void *payload) {
  return answer(error, ctorch_go_words((uintptr_t)payload, NULL, WORD(trainer), (uint64_t)event));
}

uint64_t ctorch_go_function_new(
    uint64_t *out, const char *name, int forward_mode, int once_differentiable, uintptr_t payload) {
  return WORD(ctorch_autograd_function_new(
      (ctorch_autograd_function **)out, name, forward, backward, forward_mode ? jvp : NULL, once_differentiable != 0,
      destroy, (void *)payload));
}

uint64_t ctorch_go_register_hook(uint64_t *out, uint64_t self, uintptr_t payload) {
  return WORD(
      ctorch_tensor_register_hook((ctorch_hook **)out, HANDLE(ctorch_tensor, self), hook, destroy, (void *)payload));
}

uint64_t ctorch_go_register_post_hook(uint64_t *out, uint64_t self, uintptr_t payload) {
  return WORD(ctorch_tensor_register_post_accumulate_grad_hook(
      (ctorch_hook **)out, HANDLE(ctorch_tensor, self), post_hook, destroy, (void *)payload));
}

uint64_t ctorch_go_checkpoint(uint64_t *out, const uint64_t *inputs, size_t len, uintptr_t payload) {
  return WORD(ctorch_checkpoint(
      (ctorch_tensor_list **)out, tensors, TENSORS(inputs), len, NULL, NULL, NULL, destroy, (void *)payload));
}

uint64_t ctorch_go_implement(uint64_t library, const char *name, const char *dispatch_key, uintptr_t payload) {
  return WORD(
      ctorch_library_implement(HANDLE(ctorch_library, library), name, dispatch_key, kernel, destroy, (void *)payload));
}

uint64_t ctorch_go_memory_pressure(uint64_t threshold, uintptr_t payload) {
  return WORD(ctorch_memory_pressure_set_callback(pressure, threshold, NULL, (void *)payload));
}

uint64_t ctorch_go_interrupt(uintptr_t payload) {
  return WORD(ctorch_interrupt_set_callback(interrupt, destroy, (void *)payload));
}

uint64_t ctorch_go_callback(int which) {
  switch (which) {
    case CTORCH_GO_TENSORS:
      return (uint64_t)(uintptr_t)tensors;
    case CTORCH_GO_PREHOOK:
      return (uint64_t)(uintptr_t)prehook;
    case CTORCH_GO_NODE_HOOK:
      return (uint64_t)(uintptr_t)node_hook;
    case CTORCH_GO_PACK:
      return (uint64_t)(uintptr_t)pack;
    case CTORCH_GO_UNPACK:
      return (uint64_t)(uintptr_t)unpack;
    case CTORCH_GO_DESTROY_PACKED:
      return (uint64_t)(uintptr_t)destroy_packed;
    case CTORCH_GO_MODULE:
      return (uint64_t)(uintptr_t)module;
    case CTORCH_GO_MODULE_FORWARD:
      return (uint64_t)(uintptr_t)module_forward;
    case CTORCH_GO_MODULE_CALL:
      return (uint64_t)(uintptr_t)module_call;
    case CTORCH_GO_MODULE_VALUE:
      return (uint64_t)(uintptr_t)module_value;
    case CTORCH_GO_MODULE_SET_VALUE:
      return (uint64_t)(uintptr_t)module_set_value;
    case CTORCH_GO_MODULE_COPY:
      return (uint64_t)(uintptr_t)module_copy;
    case CTORCH_GO_MODULE_HOOK:
      return (uint64_t)(uintptr_t)module_hook;
    case CTORCH_GO_MODULE_BACKWARD:
      return (uint64_t)(uintptr_t)module_backward;
    case CTORCH_GO_OPTIMIZER:
      return (uint64_t)(uintptr_t)optimizer;
    case CTORCH_GO_OPTIMIZER_CLOSURE:
      return (uint64_t)(uintptr_t)optimizer_closure;
    case CTORCH_GO_OPTIMIZER_STATE_DICT:
      return (uint64_t)(uintptr_t)optimizer_state_dict;
    case CTORCH_GO_LR_LAMBDA:
      return (uint64_t)(uintptr_t)lr_lambda;
    case CTORCH_GO_LR_SCALE:
      return (uint64_t)(uintptr_t)lr_scale;
    case CTORCH_GO_READER_READ:
      return (uint64_t)(uintptr_t)reader_read;
    case CTORCH_GO_WRITER_WRITE:
      return (uint64_t)(uintptr_t)writer_write;
    case CTORCH_GO_PROGRESS:
      return (uint64_t)(uintptr_t)progress;
    case CTORCH_GO_MAP_LOCATION:
      return (uint64_t)(uintptr_t)map_location;
    case CTORCH_GO_ALLOW:
      return (uint64_t)(uintptr_t)allow;
    case CTORCH_GO_SNAPSHOTS_SAVE:
      return (uint64_t)(uintptr_t)snapshots_save;
    case CTORCH_GO_SNAPSHOTS_LOAD:
      return (uint64_t)(uintptr_t)snapshots_load;
    case CTORCH_GO_ITERATOR_NEXT:
      return (uint64_t)(uintptr_t)iterator_next;
    case CTORCH_GO_ITERATOR_SAVE:
      return (uint64_t)(uintptr_t)iterator_save;
    case CTORCH_GO_ITERATOR_LOAD:
      return (uint64_t)(uintptr_t)iterator_load;
    case CTORCH_GO_ITERATE:
      return (uint64_t)(uintptr_t)iterate;
    case CTORCH_GO_DATASET_GET:
      return (uint64_t)(uintptr_t)dataset_get;
    case CTORCH_GO_COLLATE:
      return (uint64_t)(uintptr_t)collate;
    case CTORCH_GO_WORKER_INIT:
      return (uint64_t)(uintptr_t)worker_init;
    case CTORCH_GO_TRANSFORM:
      return (uint64_t)(uintptr_t)transform;
    case CTORCH_GO_TRAINER_STEP:
      return (uint64_t)(uintptr_t)trainer_step;
    case CTORCH_GO_TRAINER_METRIC:
      return (uint64_t)(uintptr_t)trainer_metric;
    case CTORCH_GO_TRAINER_EVENT:
      return (uint64_t)(uintptr_t)trainer_event;
    default:
      return (uint64_t)(uintptr_t)destroy;
  }
}
