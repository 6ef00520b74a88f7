/* Hooks around the call of a module: <ctorch/module/module_hooks.h>. */
#include "module/hooks.h"
#include <stdlib.h>
#include "base/callback.h"

#include "base/sequence.h"
#include "core/c/error.h"
#include "module/lazy.h"

enum { WITH_KWARGS = 1, ALWAYS_CALL = 2 };

/* Before the forward. */

/* A tuple as it is, anything else as the only element of one. */
static ctorch_error *as_tuple(ctorch_value **out, ctorch_value *value) {
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_TUPLE) {
    ctorch_value_retain(value);
    *out = value;
    return NULL;
  }
  return ctorch_value_from_tuple(out, (const ctorch_value *const[]){value}, 1);
}

/* The arguments of a call, which may be a list, as a tuple. */
static ctorch_error *arguments_of(const char *function, ctorch_value **out, const ctorch_value *args) {
  size_t len = ctorch_value_len(args);
  if (ctorch_value_kind_of(args) == CTORCH_VALUE_TUPLE) {
    return as_tuple(out, (ctorch_value *)args);
  }
  ctorch_value **entries = calloc(len + 1, sizeof *entries);
  if (entries == NULL) {
    return error_memory(function, (len + 1) * sizeof *entries);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = ctorch_value_get(&entries[i], args, i);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)entries, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(entries[i]);
  }
  free(entries);
  return error;
}

static void replace(ctorch_value **value, ctorch_value *by) {
  ctorch_value_release(*value);
  *value = by;
}

/* What a hook answered, in place of the arguments. */
static ctorch_error *take_arguments(
    const char *function, const struct hook *hook, ctorch_value *answer, ctorch_value **args, ctorch_value **kwargs) {
  ctorch_value *given = NULL, *named = NULL, *tuple = NULL;
  if ((hook->flags & WITH_KWARGS) == 0) {
    CTORCH_TRY(as_tuple(&tuple, answer));
    replace(args, tuple);
    return NULL;
  }
  if (ctorch_value_kind_of(answer) != CTORCH_VALUE_TUPLE || ctorch_value_len(answer) != 2) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME,
        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got a %s",
        ctorch_value_kind_name(ctorch_value_kind_of(answer)));
  }
  ctorch_error *error = ctorch_value_get(&given, answer, 0);
  THEN(error, ctorch_value_get(&named, answer, 1));
  THEN(error, as_tuple(&tuple, given));
  ctorch_value_release(given);
  if (error == NULL && ctorch_value_kind_of(named) != CTORCH_VALUE_DICT) {
    error = error_make(
        function, CTORCH_ERROR_RUNTIME, "forward pre-hook: keyword arguments are a dict, got a %s",
        ctorch_value_kind_name(ctorch_value_kind_of(named)));
  }
  if (error != NULL) {
    ctorch_value_release(tuple);
    ctorch_value_release(named);
    return error;
  }
  replace(args, tuple);
  replace(kwargs, named);
  return NULL;
}

static ctorch_error *run_pre_hooks(
    const char *function, ctorch_module *self, ctorch_value **args, ctorch_value **kwargs) {
  struct hooks hooks;
  CTORCH_TRY(module_hooks_read(function, &hooks, self, MODULE_FORWARD_PRE));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i <= hooks.len; i++) {
    if (i == hooks.first) { /* between those for all modules and the module's own */
      error = lazy_begin(function, self, *args, *kwargs);
    }
    if (error != NULL || i == hooks.len) {
      break;
    }
    ctorch_value *answer = NULL;
    ctorch_error *failure = NULL;
    ctorch_callback_status status = ((ctorch_module_forward_pre_hook_callback)hooks.data[i].callback)(
        &answer, self, *args, *kwargs, &failure, hooks.data[i].payload);
    error = callback_error(function, "forward pre-hook", status, failure);
    if (error == NULL && answer != NULL) {
      error = take_arguments(function, &hooks.data[i], answer, args, kwargs);
    }
    ctorch_value_release(answer);
  }
  hooks_end(&hooks);
  return error;
}

/* After the forward. */

/* Run those that are still to be run, `done` of which were; after a failure those alone that are always called. */
static ctorch_error *run_hooks(
    const char *function,
    const struct hooks *hooks,
    size_t *done,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_value **output,
    bool has_failed) {
  ctorch_error *error = NULL;
  while (*done < hooks->len && (error == NULL || has_failed)) {
    const struct hook *hook = &hooks->data[(*done)++];
    if (has_failed && (hook->flags & ALWAYS_CALL) == 0) {
      continue;
    }
    ctorch_value *answer = NULL;
    ctorch_error *failure = NULL;
    ctorch_callback_status status = ((ctorch_module_forward_hook_callback)hook->callback)(
        &answer, self, args, kwargs, *output, &failure, hook->payload);
    failure = callback_error(function, "forward hook", status, failure);
    if (failure == NULL && answer != NULL) {
      replace(output, answer);
    } else {
      ctorch_value_release(answer);
    }
    error = ctorch_error_first(error, failure);
  }
  return error;
}

/* The class's own call, with what it reads. */
static ctorch_error *run_computed(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  if (module_class_of(self)->reads_by_name) {
    return module_run(function, out, self, args, kwargs);
  }
  ctorch_error *error = module_compute(self, true);
  THEN(error, module_run(function, out, self, args, kwargs));
  module_compute_end(self);
  return error;
}

static ctorch_error *run_between(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    ctorch_value **args,
    ctorch_value **kwargs,
    const struct hooks *hooks,
    size_t *done) {
  struct module_backward *backward = NULL;
  CTORCH_TRY(module_compute(self, false));
  CTORCH_TRY(run_pre_hooks(function, self, args, kwargs));
  CTORCH_TRY(module_backward_begin(function, &backward, self));
  ctorch_error *error = backward == NULL ? NULL : module_backward_inputs(backward, args);
  THEN(error, run_computed(function, out, self, *args, *kwargs));
  THEN(error, run_hooks(function, hooks, done, self, *args, *kwargs, out, false));
  if (error == NULL && backward != NULL) {
    error = module_backward_outputs(backward, out);
  }
  module_backward_end(backward);
  return error;
}

ctorch_error *module_run_hooked(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  ctorch_value *given = NULL, *named = NULL, *output = NULL;
  struct hooks hooks;
  size_t done = 0;
  CTORCH_TRY(module_hooks_read(function, &hooks, self, MODULE_FORWARD));
  ctorch_error *error = arguments_of(function, &given, args);
  if (error == NULL && kwargs == NULL) {
    error = ctorch_value_from_dict(&named, NULL, 0, NULL, 0);
  } else if (error == NULL) {
    error = ctorch_value_copy(&named, kwargs);
  }
  if (error == NULL) {
    error = run_between(function, &output, self, &given, &named, &hooks, &done);
    if (error != NULL) { /* those that are always called, and were not; what they fail with adds nothing */
      error = ctorch_error_first(error, run_hooks(function, &hooks, &done, self, given, named, &output, true));
    }
  }
  hooks_end(&hooks);
  ctorch_value_release(given);
  ctorch_value_release(named);
  if (error != NULL) {
    ctorch_value_release(output);
    return error;
  }
  *out = output;
  return NULL;
}

/* What is exported. */

ctorch_error *ctorch_module_register_forward_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_forward_pre_hook_callback callback,
    bool with_kwargs,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {(hook_callback)callback, payload, with_kwargs ? WITH_KWARGS : 0};
  return module_hooks_add(__func__, out, self, MODULE_FORWARD_PRE, &hook, prepend, destroy);
}

ctorch_error *ctorch_module_register_forward_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_forward_hook_callback callback,
    bool always_call,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {(hook_callback)callback, payload, always_call ? ALWAYS_CALL : 0};
  return module_hooks_add(__func__, out, self, MODULE_FORWARD, &hook, prepend, destroy);
}

ctorch_error *ctorch_module_register_backward_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_backward_pre_hook_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add(__func__, out, self, MODULE_BACKWARD_PRE, &hook, prepend, destroy);
}

ctorch_error *ctorch_module_register_backward_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_backward_hook_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add(__func__, out, self, MODULE_BACKWARD, &hook, prepend, destroy);
}

ctorch_error *ctorch_module_hooks_register_global_forward_pre_hook(
    ctorch_hook **out,
    ctorch_module_forward_pre_hook_callback callback,
    bool with_kwargs,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {(hook_callback)callback, payload, with_kwargs ? WITH_KWARGS : 0};
  return module_hooks_add_for_all(__func__, out, MODULE_FORWARD_PRE, &hook, destroy);
}

ctorch_error *ctorch_module_hooks_register_global_forward_hook(
    ctorch_hook **out,
    ctorch_module_forward_hook_callback callback,
    bool always_call,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {(hook_callback)callback, payload, always_call ? ALWAYS_CALL : 0};
  return module_hooks_add_for_all(__func__, out, MODULE_FORWARD, &hook, destroy);
}

ctorch_error *ctorch_module_hooks_register_global_backward_pre_hook(
    ctorch_hook **out,
    ctorch_module_backward_pre_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add_for_all(__func__, out, MODULE_BACKWARD_PRE, &hook, destroy);
}

ctorch_error *ctorch_module_hooks_register_global_backward_hook(
    ctorch_hook **out, ctorch_module_backward_hook_callback callback, void (*destroy)(void *payload), void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add_for_all(__func__, out, MODULE_BACKWARD, &hook, destroy);
}
