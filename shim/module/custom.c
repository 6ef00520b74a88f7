/* Modules of one's own: <ctorch/module/module_custom.h>. */
#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "core/c/error.h"
#include "core/c/payload.h"
#include "module/hooks.h"
#include "module/repr.h"
#include "module/walk.h"

/* What a payload belongs to, and how it ends. */
struct owned {
  void (*destroy)(void *payload);
  void *payload;
};

/* Whichever callbacks are not there are NULL. */
struct custom {
  ctorch_module module;
  char *name;
  ctorch_module_forward_callback forward; /* one of the two, or neither */
  ctorch_module_call_callback call;
  ctorch_module_value_callback extra_repr, get_extra_state;
  ctorch_module_set_value_callback set_extra_state;
  ctorch_module_callback reset_parameters;
  ctorch_module_copy_callback copy;
  ctorch_module_call_callback right_inverse;
  struct owned of_call, of_extra_repr, of_extra_state, of_reset_parameters, of_copy, of_right_inverse;
};

static struct custom *custom_of(const ctorch_module *self) { return (struct custom *)self; }

static void destroy(struct owned *self) {
  struct owned before = *self;
  *self = (struct owned){0};
  payload_destroy(before.destroy, before.payload);
}

static void finalize(void *object) {
  struct custom *self = object;
  destroy(&self->of_call);
  destroy(&self->of_extra_repr);
  destroy(&self->of_extra_state);
  destroy(&self->of_reset_parameters);
  destroy(&self->of_copy);
  destroy(&self->of_right_inverse);
  free(self->name);
  module_finalize(self);
}

static const char *name_of(const ctorch_module *self) { return custom_of(self)->name; }

/* A callback that answered success has to have given something. */
static ctorch_error *check_result(
    const char *function, const char *name, const void *result, ctorch_callback_status status, ctorch_error *error) {
  error = callback_error(function, name, status, error);
  if (error == NULL && result == NULL) {
    error = error_make(function, CTORCH_ERROR_CALLBACK, "the callback %s answered success, but gave no result", name);
  }
  return error;
}

static ctorch_error *forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  struct custom *self = custom_of(module);
  ctorch_tensor *result = NULL;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->forward(&result, module, input, &failure, self->of_call.payload);
  ctorch_error *error = check_result("ctorch_module_forward", "forward", result, status, failure);
  if (error != NULL) {
    ctorch_tensor_release(result);
    return error;
  }
  *out = result;
  return NULL;
}

static ctorch_error *run(
    const char *function,
    const char *name,
    ctorch_module_call_callback callback,
    const struct owned *owned,
    ctorch_module *module,
    ctorch_value **out,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  ctorch_value *result = NULL, *none = NULL;
  ctorch_error *failure = NULL;
  if (kwargs == NULL) {
    CTORCH_TRY(ctorch_value_from_dict(&none, NULL, 0, NULL, 0));
    kwargs = none;
  }
  ctorch_callback_status status = callback(&result, module, args, kwargs, &failure, owned->payload);
  ctorch_value_release(none);
  ctorch_error *error = check_result(function, name, result, status, failure);
  if (error != NULL) {
    ctorch_value_release(result);
    return error;
  }
  *out = result;
  return NULL;
}

static ctorch_error *call(
    ctorch_module *module, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  const struct custom *self = custom_of(module);
  return run("ctorch_module_call", "forward", self->call, &self->of_call, module, out, args, kwargs);
}

static bool has_right_inverse(const ctorch_module *module) { return custom_of(module)->right_inverse != NULL; }

static ctorch_error *right_inverse(ctorch_module *module, ctorch_value **out, const ctorch_value *value) {
  const struct custom *self = custom_of(module);
  ctorch_value *args = NULL;
  CTORCH_TRY(ctorch_value_from_tuple(&args, (const ctorch_value *const[]){value}, 1));
  ctorch_error *error =
      run("ctorch_module_register_parametrization", "right_inverse", self->right_inverse, &self->of_right_inverse,
          module, out, args, NULL);
  ctorch_value_release(args);
  return error;
}

static ctorch_error *ask(
    ctorch_value **out,
    const char *function,
    const char *name,
    const ctorch_module *module,
    ctorch_module_value_callback callback,
    const struct owned *owned) {
  ctorch_value *result = NULL;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = callback(&result, (ctorch_module *)module, &failure, owned->payload);
  ctorch_error *error = check_result(function, name, result, status, failure);
  if (error != NULL) {
    ctorch_value_release(result);
    return error;
  }
  *out = result;
  return NULL;
}

static void extra_repr(const ctorch_module *module, struct text *text) {
  const struct custom *self = custom_of(module);
  if (self->extra_repr != NULL) {
    repr_ask(text, "extra_repr", module, self->extra_repr, self->of_extra_repr.payload);
  }
}

static ctorch_error *reset_parameters(const char *function, ctorch_module *module) {
  struct custom *self = custom_of(module);
  if (self->reset_parameters == NULL) {
    return NULL;
  }
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->reset_parameters(module, &failure, self->of_reset_parameters.payload);
  return callback_error(function, "reset_parameters", status, failure);
}

static bool has_extra_state(const ctorch_module *module) { return custom_of(module)->get_extra_state != NULL; }

static ctorch_error *get_extra_state(const ctorch_module *module, ctorch_value **out) {
  const struct custom *self = custom_of(module);
  return ask(out, "ctorch_module_state_dict", "get_extra_state", module, self->get_extra_state, &self->of_extra_state);
}

static ctorch_error *set_extra_state(ctorch_module *module, const ctorch_value *state) {
  struct custom *self = custom_of(module);
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->set_extra_state(module, state, &failure, self->of_extra_state.payload);
  return callback_error("ctorch_module_load_state_dict", "set_extra_state", status, failure);
}

static ctorch_error *copy(const char *function, ctorch_module **out, const ctorch_module *module);

/* What takes one tensor is called without values; what only holds others has no forward. */
#define CUSTOM_CLASS                                                                                  \
  .object = {"module", sizeof(struct custom), finalize}, .name = "Module", .name_of = name_of,        \
  .extra_repr = extra_repr, .reset_parameters = reset_parameters, .has_extra_state = has_extra_state, \
  .extra_state = get_extra_state, .set_extra_state = set_extra_state, .copy = copy,                   \
  .has_right_inverse = has_right_inverse, .right_inverse = right_inverse, .reads_by_name = true
static const module_class forward_class = {CUSTOM_CLASS, .forward = forward};
static const module_class call_class = {CUSTOM_CLASS, .call = call};
static const module_class holder_class = {CUSTOM_CLASS};

static bool is_custom(const ctorch_module *self) { return module_class_of(self)->copy == copy; }

static ctorch_error *make(const char *function, struct custom **out, const module_class *class, const char *name) {
  struct custom *self = module_new(class);
  if (self != NULL) {
    self->name = module_join(name, "");
  }
  if (self == NULL || self->name == NULL) {
    object_unref(self);
    return error_memory(function, sizeof *self);
  }
  *out = self;
  return NULL;
}

/* One without payloads is copied as it is; for any other its owner makes the copy's. */
static ctorch_error *copy(const char *function, ctorch_module **out, const ctorch_module *module) {
  const struct custom *self = custom_of(module);
  if (self->copy == NULL) {
    if (self->of_call.payload != NULL || self->of_extra_repr.payload != NULL || self->of_extra_state.payload != NULL ||
        self->of_reset_parameters.payload != NULL || self->of_right_inverse.payload != NULL) {
      return error_make(
          function, CTORCH_ERROR_NOT_IMPLEMENTED,
          "a %s has no copy: its class does not say how one is made (ctorch_module_set_copy)", self->name);
    }
    struct custom *to = NULL;
    CTORCH_TRY(make(function, &to, module_class_of(module), self->name));
    to->forward = self->forward;
    to->call = self->call;
    to->extra_repr = self->extra_repr;
    to->get_extra_state = self->get_extra_state;
    to->set_extra_state = self->set_extra_state;
    to->reset_parameters = self->reset_parameters;
    to->right_inverse = self->right_inverse;
    *out = &to->module;
    return NULL;
  }
  ctorch_module *made = NULL;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->copy(&made, (ctorch_module *)module, &failure, self->of_copy.payload);
  ctorch_error *error = check_result(function, "copy", made, status, failure);
  if (error == NULL && (made == module || !is_custom(made))) {
    error = error_make(
        function, CTORCH_ERROR_CALLBACK, "the callback copy of a %s gave %s; it has to make a new module of one's own",
        self->name, made == module ? "the module itself" : module_name(made));
  }
  if (error != NULL) {
    ctorch_module_release(made);
    return error;
  }
  object_take(made);
  *out = made;
  return NULL;
}

/* What is exported. */

static ctorch_error *check_new(const char *function, ctorch_module **out, const char *name) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || name == NULL) {
    return error_null(function, out == NULL ? "out" : "name");
  }
  CTORCH_TRY(error_unless_text(function, "name", name));
  return name[0] == '\0' ? error_make(function, CTORCH_ERROR_VALUE, "name: a class has a name") : NULL;
}

ctorch_error *ctorch_module_new(
    ctorch_module **out,
    const char *name,
    ctorch_module_forward_callback forward,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(check_new(__func__, out, name));
  if (forward == NULL) {
    return error_null(__func__, "forward");
  }
  struct custom *self = NULL;
  CTORCH_TRY(make(__func__, &self, &forward_class, name));
  CTORCH_TRY(module_give(__func__, out, &self->module, NULL));
  self->forward = forward;
  self->of_call = (struct owned){destroy, payload};
  return NULL;
}

ctorch_error *ctorch_module_new_of_values(
    ctorch_module **out,
    const char *name,
    ctorch_module_call_callback forward,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(check_new(__func__, out, name));
  struct custom *self = NULL;
  CTORCH_TRY(make(__func__, &self, forward == NULL ? &holder_class : &call_class, name));
  CTORCH_TRY(module_give(__func__, out, &self->module, NULL));
  self->call = forward;
  self->of_call = (struct owned){destroy, payload};
  return NULL;
}

/* What all setters refuse. */
static ctorch_error *check_own(const char *function, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  return is_custom(self)
             ? NULL
             : error_make(function, CTORCH_ERROR_TYPE, "self must be a module of one's own, not %s", module_name(self));
}

ctorch_error *ctorch_module_set_extra_repr(
    ctorch_module *self, ctorch_module_value_callback callback, void (*destroy_payload)(void *payload), void *payload) {
  if (self != NULL && !is_custom(self)) {
    return module_hooks_set_extra_repr(__func__, self, callback, destroy_payload, payload);
  }
  CTORCH_TRY(check_own(__func__, self));
  destroy(&custom_of(self)->of_extra_repr);
  custom_of(self)->extra_repr = callback;
  custom_of(self)->of_extra_repr = (struct owned){destroy_payload, payload};
  return NULL;
}

ctorch_error *ctorch_module_set_reset_parameters(
    ctorch_module *self, ctorch_module_callback callback, void (*destroy_payload)(void *payload), void *payload) {
  CTORCH_TRY(check_own(__func__, self));
  destroy(&custom_of(self)->of_reset_parameters);
  custom_of(self)->reset_parameters = callback;
  custom_of(self)->of_reset_parameters = (struct owned){destroy_payload, payload};
  return NULL;
}

ctorch_error *ctorch_module_set_extra_state(
    ctorch_module *self,
    ctorch_module_value_callback get,
    ctorch_module_set_value_callback set,
    void (*destroy_payload)(void *payload),
    void *payload) {
  CTORCH_TRY(check_own(__func__, self));
  if (get == NULL || set == NULL) {
    return error_null(__func__, get == NULL ? "get" : "set");
  }
  destroy(&custom_of(self)->of_extra_state);
  custom_of(self)->get_extra_state = get;
  custom_of(self)->set_extra_state = set;
  custom_of(self)->of_extra_state = (struct owned){destroy_payload, payload};
  return NULL;
}

ctorch_error *ctorch_module_set_copy(
    ctorch_module *self, ctorch_module_copy_callback callback, void (*destroy_payload)(void *payload), void *payload) {
  CTORCH_TRY(check_own(__func__, self));
  destroy(&custom_of(self)->of_copy);
  custom_of(self)->copy = callback;
  custom_of(self)->of_copy = (struct owned){destroy_payload, payload};
  return NULL;
}

ctorch_error *ctorch_module_set_right_inverse(
    ctorch_module *self, ctorch_module_call_callback callback, void (*destroy_payload)(void *payload), void *payload) {
  CTORCH_TRY(check_own(__func__, self));
  destroy(&custom_of(self)->of_right_inverse);
  custom_of(self)->right_inverse = callback;
  custom_of(self)->of_right_inverse = (struct owned){destroy_payload, payload};
  return NULL;
}
