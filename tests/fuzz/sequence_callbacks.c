/* What the callbacks of a sequence do: some fail, some call on, and what they answer mostly fits. */
#include "fuzz/sequence.h"

void destroy_payload(void *payload) { (void)payload; }

static ctorch_callback_status refuse(ctorch_error **error) {
  fuzz_must(ctorch_error_new(error, CTORCH_ERROR_CALLBACK, "refused by the sequence"));
  return 0;
}

sequence *own(void *payload) {
  sequence *s = payload;
  return pthread_equal(s->thread, pthread_self()) ? s : NULL;
}

static bool fails(sequence *s) { return s != NULL && draw_below(s, 12) == 0; }

static void call_on(sequence *s) {
  if (s != NULL && s->depth < MAX_DEPTH && draw_bool(s)) {
    const char *function = s->function;
    s->depth++;
    run_steps(s, 3);
    s->depth--;
    s->function = function;
  }
}

static ctorch_callback_status answer_tensors(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    sequence *s) {
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  const ctorch_tensor *input = inputs_len == 0 ? NULL : inputs[0];
  ctorch_tensor *made = NULL;
  ctorch_error *failure = NULL;
  if (input != NULL) {
    switch (s == NULL ? 0 : draw_below(s, 4)) {
      case 0:
        failure = ctorch_aten_sum(&made, input, NULL);
        break;
      case 1:
        failure = ctorch_aten_mul_Tensor(&made, input, inputs[inputs_len - 1] == NULL ? input : inputs[inputs_len - 1]);
        break;
      case 2:
        failure = ctorch_aten_sin(&made, input);
        break;
      default:
        break;
    }
  }
  if (failure == NULL) {
    const ctorch_tensor *answer = made == NULL ? input : made;
    failure = ctorch_tensor_list_new(out, &answer, 1);
  }
  ctorch_tensor_release(made);
  *error = failure;
  return failure == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_callback_status run_tensors_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  return answer_tensors(out, inputs, inputs_len, error, own(payload));
}

ctorch_callback_status run_tensor_hook_callback(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  if (s != NULL && grad != NULL && draw_bool(s)) {
    *error = ctorch_aten_neg(out, grad);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_callback_status run_post_accumulate_grad_hook_callback(
    ctorch_tensor *self, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)self;
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  return CTORCH_CALLBACK_OK;
}

ctorch_callback_status run_module_callback(ctorch_module *module, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_module_train(module, draw_bool(s));
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_callback_status act(ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  call_on(s);
  return CTORCH_CALLBACK_OK;
}

/* Modules of one's own: what they compute, tell and take over. */

ctorch_callback_status run_module_forward_callback(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s == NULL || draw_below(s, 8) != 0) { /* else it gives nothing, which is refused */
    *error = ctorch_aten_neg(out, input);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_call_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module;
  *error = ctorch_value_copy(out, s != NULL && draw_bool(s) ? kwargs : args);
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_value_callback(
    ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)module;
  *error = s != NULL && draw_bool(s) ? ctorch_value_from_int(out, 1) : ctorch_value_from_string(out, "options");
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_set_value_callback(
    ctorch_module *module, const ctorch_value *value, ctorch_error **error, void *payload) {
  (void)module, (void)value;
  return act(error, payload);
}

ctorch_callback_status run_module_copy_callback(
    ctorch_module **out, ctorch_module *module, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (s != NULL && draw_below(s, 8) == 0) { /* itself, which is refused */
    ctorch_module_retain(module);
    *out = module;
  } else {
    *error = ctorch_module_new(out, "Copy", run_module_forward_callback, NULL, NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_forward_pre_hook_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module, (void)kwargs;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = ctorch_value_copy(out, args);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_forward_hook_callback(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module, (void)kwargs;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = ctorch_value_copy(out, output == NULL || draw_bool(s) ? args : output);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_backward_pre_hook_callback(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_tensor_list_new(out, grad_outputs, draw_below(s, 4) == 0 ? 0 : grad_outputs_len);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_backward_hook_callback(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)grad_outputs, (void)grad_outputs_len;
  return run_module_backward_pre_hook_callback(out, module, grad_inputs, grad_inputs_len, error, payload);
}

ctorch_callback_status run_module_state_dict_pre_hook_callback(
    ctorch_module *module, const char *prefix, bool keep_vars, ctorch_error **error, void *payload) {
  (void)module, (void)prefix, (void)keep_vars;
  return act(error, payload);
}

ctorch_callback_status run_module_state_dict_hook_callback(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    ctorch_value *metadata,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = draw_bool(s) ? ctorch_value_clear(state_dict) : ctorch_value_dict_put(metadata, prefix, NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_load_state_dict_pre_hook_callback(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    int64_t version,
    ctorch_value *missing,
    ctorch_value *unexpected,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  (void)module, (void)version;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = draw_bool(s) ? ctorch_value_dict_put(state_dict, prefix, missing) : ctorch_value_clear(unexpected);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_module_load_state_dict_post_hook_callback(
    ctorch_module *module, ctorch_value *missing, ctorch_value *unexpected, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)module;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = ctorch_value_list_append(missing, draw_bool(s) ? unexpected : NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_optimizer_callback(ctorch_optimizer *optimizer, ctorch_error **error, void *payload) {
  (void)optimizer;
  return act(error, payload);
}

ctorch_callback_status run_optimizer_state_dict_callback(
    ctorch_value **out, ctorch_optimizer *optimizer, ctorch_value *state_dict, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)optimizer;
  if (s != NULL && draw_below(s, 4) == 0) {
    *error = draw_bool(s) ? ctorch_value_copy(out, state_dict) : ctorch_value_from_int(out, 1);
  }
  return *error == NULL ? act(error, payload) : 0;
}

/* A loss, or none; gradients are as they are. */
ctorch_callback_status run_optimizer_closure(ctorch_tensor **out, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_aten_ones(out, NULL, 0, NULL, NULL, NULL, NULL);
  }
  return *error == NULL ? act(error, payload) : 0;
}

ctorch_callback_status run_lr_lambda_callback(
    double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload) {
  *out = (double)(group + 1) / (double)(epoch + 1);
  return act(error, payload);
}

ctorch_callback_status run_lr_scale_callback(double *out, double x, ctorch_error **error, void *payload) {
  *out = x / 2;
  return act(error, payload);
}

ctorch_callback_status run_node_prehook_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  if (s != NULL && draw_bool(s)) {
    *error = ctorch_tensor_list_new(out, grad_outputs, grad_outputs_len);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_callback_status run_node_hook_callback(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)grad_outputs, (void)grad_outputs_len;
  return run_node_prehook_callback(out, grad_inputs, grad_inputs_len, error, payload);
}

ctorch_callback_status run_saved_tensors_pack_callback(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  ctorch_tensor *copy = NULL;
  *error = ctorch_aten_detach(&copy, tensor);
  if (*error != NULL) {
    return 0;
  }
  fuzz_must(ctorch_scope_keep(NULL, copy)); /* it outlives the scopes of this moment */
  *out = copy;
  return CTORCH_CALLBACK_OK;
}

ctorch_callback_status run_saved_tensors_unpack_callback(
    ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  ctorch_tensor_retain(packed);
  *out = packed;
  return CTORCH_CALLBACK_OK;
}

void run_saved_tensors_destroy_callback(void *packed, void *payload) {
  (void)payload;
  ctorch_tensor_release(packed);
}

ctorch_callback_status run_autograd_function_forward_callback(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  if (s != NULL && draw_bool(s) &&
      (*error = ctorch_autograd_context_save_for_backward(context, inputs, inputs_len)) != NULL) {
    return 0;
  }
  return answer_tensors(out, inputs, inputs_len, error, s);
}

ctorch_callback_status run_autograd_function_backward_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  sequence *s = own(payload);
  if (fails(s)) {
    return refuse(error);
  }
  const ctorch_tensor *grads[16];
  const size_t len = ctorch_autograd_context_inputs_len(context);
  for (size_t i = 0; i < len && i < 16; i++) {
    grads[i] = grad_outputs_len == 0 ? NULL : grad_outputs[0];
  }
  *error = ctorch_tensor_list_new(out, grads, len < 16 ? len : 16);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_callback_status run_autograd_function_jvp_callback(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    ctorch_error **error,
    void *payload) {
  (void)context;
  return answer_tensors(out, tangents, tangents_len, error, own(payload));
}

ctorch_callback_status run_kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  (void)results_len, (void)args_len, (void)payload;
  if (fails(current)) {
    return refuse(error);
  }
  call_on(current);
  ctorch_value_retain(args[0]);
  results[0] = (ctorch_value *)args[0];
  return CTORCH_CALLBACK_OK;
}

/* Of files: what is read is of no format, most of the time. */

static ctorch_callback_status pass(ctorch_error **error, void *payload) {
  return fails(own(payload)) ? refuse(error) : CTORCH_CALLBACK_OK;
}

ctorch_callback_status run_reader_read_callback(
    void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  memset(data, (int)offset, nbytes);
  return pass(error, payload);
}

ctorch_callback_status run_reader_progress_callback(size_t nbytes, ctorch_error **error, void *payload) {
  (void)nbytes;
  return pass(error, payload);
}

ctorch_callback_status run_writer_write_callback(const void *data, size_t nbytes, ctorch_error **error, void *payload) {
  (void)data, (void)nbytes;
  return pass(error, payload);
}

ctorch_callback_status run_writer_progress_callback(size_t nbytes, ctorch_error **error, void *payload) {
  (void)nbytes;
  return pass(error, payload);
}

ctorch_callback_status run_logger_callback(
    const char *const *names,
    size_t names_len,
    const double *values,
    size_t values_len,
    int64_t step,
    double walltime,
    ctorch_error **error,
    void *payload) {
  (void)names, (void)names_len, (void)values, (void)values_len, (void)step, (void)walltime;
  return pass(error, payload);
}

ctorch_callback_status run_serialization_allow_callback(
    bool *out, const char *module, const char *name, ctorch_error **error, void *payload) {
  sequence *s = own(payload);
  (void)module, (void)name;
  *out = s != NULL && draw_bool(s);
  return pass(error, payload);
}

ctorch_callback_status run_serialization_map_location_callback(
    ctorch_device *out, const char *location, ctorch_error **error, void *payload) {
  (void)location;
  out->type = CTORCH_DEVICE_TYPE_CPU;
  out->index = -1;
  return pass(error, payload);
}
