/* Hooks on the state of modules: <ctorch/module/module_state_hooks.h>. */
#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "module/hooks.h"

/* What each of the hooks of a kind is called with. */
struct state_call {
  ctorch_module *module;
  ctorch_value *state_dict, *metadata;
  const char *prefix;
  bool keep_vars;
  struct module_loading *loading;
};

static ctorch_callback_status run_one(
    enum module_hook_kind kind, const struct hook *hook, const struct state_call *call, ctorch_error **error) {
  switch (kind) {
    case MODULE_STATE_PRE:
      return ((ctorch_module_state_dict_pre_hook_callback)hook->callback)(
          call->module, call->prefix, call->keep_vars, error, hook->payload);
    case MODULE_STATE:
      return ((ctorch_module_state_dict_hook_callback)hook->callback)(
          call->module, call->state_dict, call->prefix, call->metadata, error, hook->payload);
    case MODULE_LOAD_PRE:
      return ((ctorch_module_load_state_dict_pre_hook_callback)hook->callback)(
          call->module, call->loading->state_dict, call->loading->prefix, call->loading->version,
          call->loading->missing, call->loading->unexpected, error, hook->payload);
    default:
      return ((ctorch_module_load_state_dict_post_hook_callback)hook->callback)(
          call->module, call->loading->missing, call->loading->unexpected, error, hook->payload);
  }
}

static ctorch_error *run_all(
    const char *function, enum module_hook_kind kind, const char *name, const struct state_call *call) {
  struct hooks hooks;
  CTORCH_TRY(module_hooks_read(function, &hooks, call->module, kind));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < hooks.len; i++) {
    ctorch_error *failure = NULL;
    ctorch_callback_status status = run_one(kind, &hooks.data[i], call, &failure);
    error = callback_error(function, name, status, failure);
  }
  hooks_end(&hooks);
  return error;
}

ctorch_error *module_run_state_dict_pre_hooks(
    const char *function, ctorch_module *self, const char *prefix, bool keep_vars) {
  const struct state_call call = {.module = self, .prefix = prefix, .keep_vars = keep_vars};
  return run_all(function, MODULE_STATE_PRE, "state_dict pre-hook", &call);
}

ctorch_error *module_run_state_dict_hooks(
    const char *function,
    ctorch_module *self,
    ctorch_value *state_dict,
    const char *prefix,
    const ctorch_value *metadata) {
  if (self->hooks == NULL) {
    return NULL;
  }
  size_t len = strlen(prefix);
  char *name = malloc(len + 1);
  if (name == NULL) {
    return error_memory(function, len + 1);
  }
  memcpy(name, prefix, len + 1);
  name[len == 0 ? 0 : len - 1] = '\0';
  struct state_call call = {.module = self, .state_dict = state_dict, .prefix = prefix};
  ctorch_error *error = ctorch_value_dict_at(&call.metadata, metadata, name);
  free(name);
  THEN(error, run_all(function, MODULE_STATE, "state_dict hook", &call));
  ctorch_value_release(call.metadata);
  return error;
}

ctorch_error *module_run_load_state_dict_pre_hooks(ctorch_module *self, struct module_loading *loading) {
  const struct state_call call = {.module = self, .loading = loading};
  return run_all(loading->function, MODULE_LOAD_PRE, "load_state_dict pre-hook", &call);
}

ctorch_error *module_run_load_state_dict_hooks(ctorch_module *self, struct module_loading *loading) {
  const struct state_call call = {.module = self, .loading = loading};
  return run_all(loading->function, MODULE_LOAD, "load_state_dict post-hook", &call);
}

/* What is exported. */

ctorch_error *ctorch_module_register_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_state_dict_pre_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add(__func__, out, self, MODULE_STATE_PRE, &hook, false, destroy);
}

ctorch_error *ctorch_module_register_state_dict_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_state_dict_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add(__func__, out, self, MODULE_STATE, &hook, false, destroy);
}

ctorch_error *ctorch_module_register_load_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_load_state_dict_pre_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add(__func__, out, self, MODULE_LOAD_PRE, &hook, false, destroy);
}

ctorch_error *ctorch_module_register_load_state_dict_post_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_load_state_dict_post_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  const struct hook hook = {.callback = (hook_callback)callback, .payload = payload};
  return module_hooks_add(__func__, out, self, MODULE_LOAD, &hook, false, destroy);
}
