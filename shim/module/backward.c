/*
 * Full backward hooks. The inputs of a call go through one node of the graph that changes nothing, and so do its
 * outputs: the hook of the second node sees the gradients of the outputs, and that of the first, which backward comes
 * to later, those of the inputs. Both share a struct module_backward, which lives as long as the graph does.
 */
#include <stdlib.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "module/hooks.h"

struct module_backward {
  const char *function; /* of the call */
  ctorch_module *module;
  struct hooks before, after;
  size_t inputs_len, outputs_len;
  size_t *inputs, *outputs;         /* which of the arguments and results are tensors; NULL where no gradient flows */
  ctorch_tensor_list *grad_outputs; /* between the two hooks of one backward */
};

static void finalize(void *object) {
  struct module_backward *self = object;
  object_unref(self->module);
  hooks_end(&self->before);
  hooks_end(&self->after);
  free(self->inputs);
  free(self->outputs);
  ctorch_tensor_list_release(self->grad_outputs);
}

static const object_class backward_class = {"module_backward", sizeof(struct module_backward), finalize};

ctorch_error *module_backward_begin(const char *function, struct module_backward **out, ctorch_module *self) {
  struct hooks before = {0}, after = {0};
  CTORCH_TRY(module_hooks_read(function, &before, self, MODULE_BACKWARD_PRE));
  ctorch_error *error = module_hooks_read(function, &after, self, MODULE_BACKWARD);
  *out = NULL;
  if (error == NULL && before.len + after.len > 0) {
    *out = object_new(&backward_class);
    error = *out == NULL ? error_memory(function, sizeof **out) : NULL;
  }
  if (error != NULL || *out == NULL) {
    hooks_end(&before);
    hooks_end(&after);
    return error;
  }
  **out = (struct module_backward){.function = function, .module = object_ref(self), .before = before, .after = after};
  return NULL;
}

void module_backward_end(struct module_backward *self) { object_unref(self); }

/* The node. */

static ctorch_callback_status pass(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)payload;
  for (size_t i = 0; *error == NULL && i < inputs_len; i++) {
    if (!ctorch_tensor_requires_grad(inputs[i])) {
      *error = ctorch_autograd_context_mark_non_differentiable(context, &inputs[i], 1);
    }
  }
  THEN(*error, ctorch_tensor_list_new(out, inputs, inputs_len));
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status pass_back(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)context, (void)payload;
  *error = ctorch_tensor_list_new(out, grad_outputs, grad_outputs_len);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/* The first node among those of tensors that are results of one. */
static ctorch_error *node_of(ctorch_node **out, const ctorch_tensor_list *tensors) {
  for (size_t i = 0; *out == NULL && i < ctorch_tensor_list_len(tensors); i++) {
    CTORCH_TRY(ctorch_tensor_grad_fn(out, ctorch_tensor_list_data(tensors)[i]));
  }
  return NULL;
}

/* Tensors behind a node of their own. */
static ctorch_error *through_node(
    ctorch_tensor_list **out, ctorch_node **node, const ctorch_tensor *const *tensors, size_t len) {
  ctorch_autograd_function *function = NULL;
  CTORCH_TRY(ctorch_autograd_function_new(&function, "BackwardHookFunction", pass, pass_back, NULL, false, NULL, NULL));
  ctorch_error *error = ctorch_autograd_function_apply(out, function, tensors, len, NULL, NULL);
  ctorch_autograd_function_release(function);
  return error != NULL ? error : node_of(node, *out);
}

/* A tuple with the tensors among its values in the place of those that were there. */
static ctorch_error *with_tensors(ctorch_value **values, const size_t *places, const ctorch_tensor_list *tensors) {
  size_t len = ctorch_value_len(*values), next = 0, count = ctorch_tensor_list_len(tensors);
  ctorch_value **each = calloc(len + 1, sizeof *each), *tuple = NULL;
  ctorch_error *error = each == NULL ? error_memory("ctorch_module_call", (len + 1) * sizeof *each) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    bool is_tensor = next < count && places[next] == i;
    error = is_tensor ? ctorch_value_from_tensor(&each[i], ctorch_tensor_list_data(tensors)[next])
                      : ctorch_value_get(&each[i], *values, i);
    next += is_tensor;
  }
  THEN(error, ctorch_value_from_tuple(&tuple, (const ctorch_value *const *)each, len));
  for (size_t i = 0; each != NULL && i < len; i++) {
    ctorch_value_release(each[i]);
  }
  free(each);
  if (error == NULL) {
    ctorch_value_release(*values);
    *values = tuple;
  }
  return error;
}

/* The tensors among values, and where they are; `*needs_grad` if a gradient flows to one. */
static ctorch_error *tensors_of(
    const char *function,
    ctorch_tensor ***tensors,
    size_t **places,
    size_t *count,
    bool *needs_grad,
    ctorch_value *values) {
  size_t len = ctorch_value_len(values);
  *tensors = calloc(len + 1, sizeof **tensors);
  *places = calloc(len + 1, sizeof **places);
  ctorch_error *error =
      *tensors == NULL || *places == NULL ? error_memory(function, (len + 1) * sizeof **tensors) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *value = NULL;
    error = ctorch_value_get(&value, values, i);
    if (error == NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR) {
      error = ctorch_value_to_tensor(&(*tensors)[*count], value);
      if (error == NULL) {
        *needs_grad = *needs_grad || ctorch_tensor_requires_grad((*tensors)[*count]);
        (*places)[(*count)++] = i;
      }
    }
    ctorch_value_release(value);
  }
  return error;
}

/* Put the tensors of a tuple behind a node with a hook; `*places` stays NULL where no gradient flows. */
static ctorch_error *setup(
    struct module_backward *self, ctorch_value **values, size_t **places, ctorch_node_hook_callback hook) {
  ctorch_tensor **tensors = NULL;
  ctorch_tensor_list *passed = NULL;
  ctorch_node *node = NULL;
  size_t count = 0, *found = NULL;
  bool needs_grad = false;
  ctorch_error *error = tensors_of(self->function, &tensors, &found, &count, &needs_grad, *values);
  if (error == NULL && needs_grad && ctorch_grad_mode_enabled()) {
    error = through_node(&passed, &node, ctorch_const_tensors(tensors), count);
    if (error == NULL && node == NULL) {
      error = error_make(
          self->function, CTORCH_ERROR_RUNTIME,
          "Error while setting up backward hooks: no gradient flows through the tensors of %s",
          module_name(self->module));
    }
    if (error == NULL) {
      error = ctorch_node_register_hook(NULL, node, hook, object_unref, object_ref(self));
      if (error != NULL) {
        object_unref(self);
      }
    }
    THEN(error, with_tensors(values, found, passed));
    if (error == NULL) {
      *places = found;
      found = NULL;
    }
  }
  ctorch_node_release(node);
  ctorch_tensor_list_release(passed);
  for (size_t i = 0; tensors != NULL && i < count; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  free(tensors);
  free(found);
  return error;
}

/* Hooks. */

/* Gradients of some places as gradients of all, with nothing in the others. */
static ctorch_error *spread(
    const char *function,
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const size_t *places,
    size_t len) {
  const ctorch_tensor **all = calloc(len + 1, sizeof *all);
  if (all == NULL) {
    return error_memory(function, (len + 1) * sizeof *all);
  }
  for (size_t i = 0; i < grads_len; i++) {
    all[places[i]] = grads[i];
  }
  ctorch_error *error = ctorch_tensor_list_new(out, all, len);
  free(all);
  return error;
}

/* Gradients of all places as those of some. */
static ctorch_error *gather(
    const char *function, ctorch_tensor_list **out, const ctorch_tensor_list *grads, const size_t *places, size_t len) {
  const ctorch_tensor **some = calloc(len + 1, sizeof *some);
  if (some == NULL) {
    return error_memory(function, (len + 1) * sizeof *some);
  }
  for (size_t i = 0; i < len; i++) {
    some[i] = ctorch_tensor_list_data(grads)[places[i]];
  }
  ctorch_error *error = ctorch_tensor_list_new(out, some, len);
  free(some);
  return error;
}

/* What a hook answered, in the place of `*grads`. */
static ctorch_error *take_gradients(
    const char *function, const char *what, const char *which, ctorch_tensor_list **grads, ctorch_tensor_list *answer) {
  size_t expected = ctorch_tensor_list_len(*grads), got = ctorch_tensor_list_len(answer);
  if (answer == NULL) {
    return NULL;
  }
  if (got != expected) {
    ctorch_tensor_list_release(answer);
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "%s returned an invalid number of %s, got %zu, but expected %zu", what, which,
        got, expected);
  }
  ctorch_tensor_list_release(*grads);
  *grads = answer;
  return NULL;
}

/* The hooks on the gradients of inputs; `*grads` may be replaced. */
static ctorch_error *run_after(struct module_backward *self, ctorch_tensor_list **grads) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->after.len; i++) {
    ctorch_tensor_list *answer = NULL;
    ctorch_error *failure = NULL;
    ctorch_callback_status status = ((ctorch_module_backward_hook_callback)self->after.data[i].callback)(
        &answer, self->module, ctorch_tensor_list_data(*grads), ctorch_tensor_list_len(*grads),
        ctorch_tensor_list_data(self->grad_outputs), ctorch_tensor_list_len(self->grad_outputs), &failure,
        self->after.data[i].payload);
    error = callback_error(self->function, "backward hook", status, failure);
    THEN(error, take_gradients(self->function, "Backward hook", "grad_input", grads, answer));
  }
  return error;
}

static ctorch_error *run_before(struct module_backward *self) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->before.len; i++) {
    ctorch_tensor_list *answer = NULL;
    ctorch_error *failure = NULL;
    ctorch_callback_status status = ((ctorch_module_backward_pre_hook_callback)self->before.data[i].callback)(
        &answer, self->module, ctorch_tensor_list_data(self->grad_outputs), ctorch_tensor_list_len(self->grad_outputs),
        &failure, self->before.data[i].payload);
    error = callback_error(self->function, "backward pre-hook", status, failure);
    THEN(error, take_gradients(self->function, "Backward pre hook", "grad_output", &self->grad_outputs, answer));
  }
  return error;
}

static void forget_outputs(struct module_backward *self) {
  ctorch_tensor_list_release(self->grad_outputs);
  self->grad_outputs = NULL;
}

/* Where no input requires gradients, the hooks on them run here, and have nothing to change. */
static ctorch_error *run_without_inputs(struct module_backward *self) {
  ctorch_tensor_list *none = NULL;
  CTORCH_TRY(spread(self->function, &none, NULL, 0, NULL, self->inputs_len));
  ctorch_error *error = run_after(self, &none);
  for (size_t i = 0; error == NULL && i < ctorch_tensor_list_len(none); i++) {
    if (ctorch_tensor_list_data(none)[i] != NULL) {
      error = error_make(
          self->function, CTORCH_ERROR_RUNTIME,
          "a backward hook of a module where no input requires gradient can replace none");
    }
  }
  ctorch_tensor_list_release(none);
  forget_outputs(self);
  return error;
}

static ctorch_callback_status at_outputs(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  struct module_backward *self = payload;
  (void)grad_inputs;
  forget_outputs(self);
  *error =
      spread(self->function, &self->grad_outputs, grad_outputs, grad_outputs_len, self->outputs, self->outputs_len);
  THEN(*error, run_before(self));
  THEN(*error, gather(self->function, out, self->grad_outputs, self->outputs, grad_inputs_len));
  if (*error == NULL && self->inputs == NULL) {
    *error = run_without_inputs(self);
  } else if (*error == NULL) {
    *error = ctorch_scope_keep(NULL, self->grad_outputs); /* until the gradients of the inputs are there */
  }
  if (*error != NULL) {
    forget_outputs(self);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status at_inputs(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  struct module_backward *self = payload;
  (void)grad_outputs, (void)grad_outputs_len;
  ctorch_tensor_list *grads = NULL;
  if (self->grad_outputs == NULL) {
    *error = error_make(
        self->function, CTORCH_ERROR_RUNTIME,
        "the backward hook of a %s runs before the gradients of its outputs are there: did you take gradients of "
        "something inside it?",
        module_name(self->module));
    return 0;
  }
  *error = spread(self->function, &grads, grad_inputs, grad_inputs_len, self->inputs, self->inputs_len);
  THEN(*error, run_after(self, &grads));
  THEN(*error, gather(self->function, out, grads, self->inputs, grad_inputs_len));
  ctorch_tensor_list_release(grads);
  forget_outputs(self);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/* What a call does. */

ctorch_error *module_backward_inputs(struct module_backward *self, ctorch_value **values) {
  self->inputs_len = ctorch_value_len(*values);
  return setup(self, values, &self->inputs, at_inputs);
}

ctorch_error *module_backward_outputs(struct module_backward *self, ctorch_value **values) {
  if (ctorch_value_kind_of(*values) == CTORCH_VALUE_TUPLE) {
    self->outputs_len = ctorch_value_len(*values);
    return setup(self, values, &self->outputs, at_outputs);
  }
  if (ctorch_value_kind_of(*values) != CTORCH_VALUE_TENSOR) {
    return ctorch_warning_emit(
        CTORCH_WARNING_USER,
        "for backward hooks to be called, the output of a module should be a tensor or a tuple of tensors");
  }
  ctorch_value *tuple = NULL, *only = NULL;
  self->outputs_len = 1;
  CTORCH_TRY(ctorch_value_from_tuple(&tuple, (const ctorch_value *const[]){*values}, 1));
  ctorch_error *error = setup(self, &tuple, &self->outputs, at_outputs);
  THEN(error, ctorch_value_get(&only, tuple, 0));
  ctorch_value_release(tuple);
  if (error == NULL) {
    ctorch_value_release(*values);
    *values = only;
  }
  return error;
}
