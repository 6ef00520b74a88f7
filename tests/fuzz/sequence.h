/* A sequence of calls: its state, what its arguments are drawn from (sequence_draw.c), and the callbacks that it hands
 * over (sequence_callbacks.c, sequence_data.c). */
#ifndef CTORCH_TESTS_SEQUENCE_H
#define CTORCH_TESTS_SEQUENCE_H

#include <pthread.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum {
  MAX_KINDS = 64,
  MOST = 24,        /* handles of a kind */
  LIST = 3,         /* entries of a list argument */
  MAX_NUMEL = 4096, /* of a tensor that is kept */
  MAX_DEPTH = 2,    /* of callbacks that call on */
  MAX_SCOPES = 4
};

typedef struct entry {
  void *handle;
  int scopes; /* how many were open when it was made */
} entry;

typedef struct sequence {
  uint64_t random;
  int number;
  pthread_t thread;
  volatile long step;
  const char *volatile function;
  long steps, succeeded;
  int depth;
  ctorch_scope *scopes[MAX_SCOPES];
  int scopes_len;
  entry pool[MAX_KINDS][MOST];
  size_t len[MAX_KINDS];
} sequence;

typedef struct out_slot {
  void *slot;
  size_t bytes;
} out_slot;

typedef struct enumeration {
  const int32_t *values;
  size_t len;
} enumeration;

/* Of the thread that runs. */
extern __thread sequence *current;

/* Drawing. A text is of those that an argument of such a name takes. */
size_t draw_below(sequence *s, size_t bound);
bool draw_bool(sequence *s);
int64_t draw_int64_t(sequence *s);
uint64_t draw_uint64_t(sequence *s);
uint8_t draw_uint8_t(sequence *s);
uint16_t draw_uint16_t(sequence *s);
size_t draw_size_t(sequence *s);
int32_t draw_int32_t(sequence *s);
int64_t draw_dim(sequence *s);
double draw_double(sequence *s);
ctorch_scalar draw_ctorch_scalar(sequence *s);
ctorch_device draw_ctorch_device(sequence *s);
ctorch_stream draw_ctorch_stream(sequence *s);
int32_t draw_enum(sequence *s, enumeration of);

const char *draw_text(sequence *s, const char *name, bool optional);
void *draw_handle(sequence *s, int kind, bool optional);
size_t draw_handles(sequence *s, int kind, const void **handles);

/* Calls: what is called next; and whether it succeeded, and left its outputs alone if not. */
void begin(sequence *s, const char *function);
bool finish(sequence *s, ctorch_error *error, const out_slot *slots, size_t slots_len);
void run_steps(sequence *s, long steps);

/* Callbacks. */
void destroy_payload(void *payload);
/** The sequence, on its thread; elsewhere NULL, as its pool must be left alone. */
sequence *own(void *payload);
/** What most callbacks do: fail, or call something. */
ctorch_callback_status act(ctorch_error **error, void *payload);
ctorch_callback_status run_tensors_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_tensor_hook_callback(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload);
ctorch_callback_status run_post_accumulate_grad_hook_callback(ctorch_tensor *self, ctorch_error **error, void *payload);
ctorch_callback_status run_module_callback(ctorch_module *module, ctorch_error **error, void *payload);
ctorch_callback_status run_module_forward_callback(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload);
ctorch_callback_status run_module_call_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_module_value_callback(
    ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload);
ctorch_callback_status run_module_set_value_callback(
    ctorch_module *module, const ctorch_value *value, ctorch_error **error, void *payload);
ctorch_callback_status run_module_copy_callback(
    ctorch_module **out, ctorch_module *module, ctorch_error **error, void *payload);
ctorch_callback_status run_module_forward_pre_hook_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_module_forward_hook_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_module_backward_pre_hook_callback(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_module_backward_hook_callback(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_module_state_dict_pre_hook_callback(
    ctorch_module *module, const char *prefix, bool keep_vars, ctorch_error **error, void *payload);
ctorch_callback_status run_module_state_dict_hook_callback(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    ctorch_value *metadata,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_module_load_state_dict_pre_hook_callback(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    int64_t version,
    ctorch_value *missing,
    ctorch_value *unexpected,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_module_load_state_dict_post_hook_callback(
    ctorch_module *module, ctorch_value *missing, ctorch_value *unexpected, ctorch_error **error, void *payload);
ctorch_callback_status run_optimizer_callback(ctorch_optimizer *optimizer, ctorch_error **error, void *payload);
ctorch_callback_status run_optimizer_state_dict_callback(
    ctorch_value **out, ctorch_optimizer *optimizer, ctorch_value *state_dict, ctorch_error **error, void *payload);
ctorch_callback_status run_optimizer_closure(ctorch_tensor **out, ctorch_error **error, void *payload);
ctorch_callback_status run_lr_lambda_callback(
    double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload);
ctorch_callback_status run_lr_scale_callback(double *out, double x, ctorch_error **error, void *payload);
ctorch_callback_status run_node_prehook_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_node_hook_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_saved_tensors_pack_callback(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload);
ctorch_callback_status run_saved_tensors_unpack_callback(
    ctorch_tensor **out, void *packed, ctorch_error **error, void *payload);
void run_saved_tensors_destroy_callback(void *packed, void *payload);
ctorch_callback_status run_autograd_function_forward_callback(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_autograd_function_backward_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_autograd_function_jvp_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload);

ctorch_callback_status run_reader_read_callback(
    void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload);
ctorch_callback_status run_reader_progress_callback(size_t nbytes, ctorch_error **error, void *payload);
ctorch_callback_status run_writer_write_callback(const void *data, size_t nbytes, ctorch_error **error, void *payload);
ctorch_callback_status run_writer_progress_callback(size_t nbytes, ctorch_error **error, void *payload);
ctorch_callback_status run_logger_callback(
    const char *const *names,
    size_t names_len,
    const double *values,
    size_t values_len,
    int64_t step,
    double walltime,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_serialization_allow_callback(
    bool *out, const char *module, const char *name, ctorch_error **error, void *payload);
ctorch_callback_status run_serialization_map_location_callback(
    ctorch_device *out, const char *location, ctorch_error **error, void *payload);

ctorch_callback_status run_iterator_next_callback(ctorch_value **out, ctorch_error **error, void *payload);
ctorch_callback_status run_iterator_save_callback(ctorch_value **out, ctorch_error **error, void *payload);
ctorch_callback_status run_iterator_load_callback(const ctorch_value *state, ctorch_error **error, void *payload);
ctorch_callback_status run_dataset_get_callback(ctorch_value **out, int64_t index, ctorch_error **error, void *payload);
ctorch_callback_status run_dataset_iterate_callback(ctorch_iterator **out, ctorch_error **error, void *payload);
ctorch_callback_status run_sampler_iterate_callback(ctorch_iterator **out, ctorch_error **error, void *payload);
ctorch_callback_status run_loader_iterate_callback(ctorch_iterator **out, ctorch_error **error, void *payload);
ctorch_callback_status run_transform_callback(
    ctorch_value **out, const ctorch_value *input, ctorch_generator *generator, ctorch_error **error, void *payload);
ctorch_callback_status run_trainer_step_callback(
    ctorch_tensor **out,
    ctorch_trainer *trainer,
    ctorch_module *module,
    const ctorch_value *batch,
    ctorch_error **error,
    void *payload);
ctorch_callback_status run_trainer_metric_callback(
    double *out, const ctorch_value *output, const ctorch_value *batch, ctorch_error **error, void *payload);
ctorch_callback_status run_trainer_event_callback(
    ctorch_trainer *trainer, ctorch_trainer_event event, ctorch_error **error, void *payload);
ctorch_callback_status run_loader_collate_callback(
    ctorch_value **out, const ctorch_value *samples, ctorch_error **error, void *payload);
ctorch_callback_status run_loader_worker_callback(int64_t worker, ctorch_error **error, void *payload);

#endif
