/* Hooks of optimizers: <ctorch/optim/optimizer_hooks.h>. */
#include "optim/optimizer_hooks.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/callback.h"
#include "core/c/error.h"
#include "core/c/hook.h"

struct optimizer_hooks {
  hook_list *lists[OPTIMIZER_HOOK_KINDS]; /* NULL where none was ever registered */
};

/* Those for all optimizers; made when the first is registered, and never freed. */
static _Atomic(hook_list *) lists_of_all[OPTIMIZER_STEP_KINDS];

void optimizer_hooks_free(struct optimizer_hooks *self) {
  for (int kind = 0; self != NULL && kind < OPTIMIZER_HOOK_KINDS; kind++) {
    hook_list_free(self->lists[kind]);
  }
  free(self);
}

static hook_list *list_of(const ctorch_optimizer *self, enum optimizer_hook_kind kind) {
  return self->hooks == NULL ? NULL : self->hooks->lists[kind];
}

static ctorch_error *run(const char *function, ctorch_optimizer *self, const hook_list *list, const hook_list *then) {
  struct hooks hooks = {0};
  ctorch_error *error = NULL;
  if (hook_list_is_empty(list) && hook_list_is_empty(then)) {
    return NULL;
  }
  CTORCH_TRY(hook_list_read(function, &hooks, list, then));
  for (size_t i = 0; error == NULL && i < hooks.len; i++) {
    ctorch_error *failure = NULL;
    ctorch_optimizer_callback callback = (ctorch_optimizer_callback)hooks.data[i].callback;
    ctorch_callback_status status = callback(self, &failure, hooks.data[i].payload);
    error = callback_error(function, "hook", status, failure);
  }
  hooks_end(&hooks);
  return error;
}

ctorch_error *optimizer_run_step_hooks(const char *function, ctorch_optimizer *self, bool before) {
  enum optimizer_hook_kind kind = before ? OPTIMIZER_STEP_PRE : OPTIMIZER_STEP_POST;
  const hook_list *of_all = atomic_load_explicit(&lists_of_all[kind], memory_order_acquire);
  const hook_list *own = list_of(self, kind);
  return before ? run(function, self, of_all, own) : run(function, self, own, of_all);
}

ctorch_error *optimizer_run_hooks(const char *function, ctorch_optimizer *self, enum optimizer_hook_kind kind) {
  return run(function, self, list_of(self, kind), NULL);
}

ctorch_error *optimizer_run_value_hooks(
    const char *function, ctorch_optimizer *self, enum optimizer_hook_kind kind, ctorch_value **dict) {
  struct hooks hooks = {0};
  ctorch_error *error = NULL;
  CTORCH_TRY(hook_list_read(function, &hooks, list_of(self, kind), NULL));
  for (size_t i = 0; error == NULL && i < hooks.len; i++) {
    ctorch_error *failure = NULL;
    ctorch_value *answer = NULL;
    ctorch_optimizer_state_dict_callback callback = (ctorch_optimizer_state_dict_callback)hooks.data[i].callback;
    ctorch_callback_status status = callback(&answer, self, *dict, &failure, hooks.data[i].payload);
    error = callback_error(function, "hook", status, failure);
    if (error == NULL && answer != NULL && ctorch_value_kind_of(answer) == CTORCH_VALUE_NONE) {
      ctorch_value_release(answer); /* as Python's None: keep this one */
    } else if (error == NULL && answer != NULL) {
      ctorch_value_release(*dict);
      *dict = answer;
      if (ctorch_value_kind_of(answer) != CTORCH_VALUE_DICT) {
        error = error_make(
            function, CTORCH_ERROR_TYPE, "the hook gave %s in place of a state dict",
            ctorch_value_kind_name(ctorch_value_kind_of(answer)));
      }
    } else {
      ctorch_value_release(answer);
    }
  }
  hooks_end(&hooks);
  return error;
}

/* Registering. */

static hook_list *list_for(ctorch_optimizer *self, enum optimizer_hook_kind kind) {
  if (self->hooks == NULL) {
    self->hooks = calloc(1, sizeof *self->hooks);
  }
  if (self->hooks != NULL && self->hooks->lists[kind] == NULL) {
    self->hooks->lists[kind] = hook_list_new(NULL);
  }
  return list_of(self, kind);
}

static hook_list *list_of_all(enum optimizer_hook_kind kind) {
  hook_list *list = atomic_load_explicit(&lists_of_all[kind], memory_order_acquire);
  if (list == NULL) {
    hook_list *made = hook_list_new(NULL);
    if (atomic_compare_exchange_strong(&lists_of_all[kind], &list, made)) {
      return made;
    }
    hook_list_free(made); /* another thread was first */
  }
  return list;
}

struct registration {
  const char *function;
  ctorch_hook **out;
  hook_callback callback;
  bool prepend;
  void (*destroy)(void *payload);
  void *payload;
};

static ctorch_error *add(const struct registration *given, hook_list *list) {
  const struct hook hook = {given->callback, given->payload, 0};
  return list == NULL ? error_memory(given->function, sizeof(struct optimizer_hooks))
                      : hook_list_add(given->function, given->out, list, &hook, given->prepend, given->destroy);
}

static ctorch_error *add_for_one(
    const struct registration *given, ctorch_optimizer *self, enum optimizer_hook_kind kind) {
  CTORCH_TRY(error_refusal(given->function));
  if (self == NULL || given->callback == NULL) {
    return error_null(given->function, self == NULL ? "self" : "callback");
  }
  return add(given, list_for(self, kind));
}

static ctorch_error *add_for_all(const struct registration *given, enum optimizer_hook_kind kind) {
  CTORCH_TRY(error_refusal(given->function));
  return given->callback == NULL ? error_null(given->function, "callback") : add(given, list_of_all(kind));
}

#define REGISTRATION(prepend) \
  (&(const struct registration){__func__, out, (hook_callback)callback, (prepend), destroy, payload})

ctorch_error *ctorch_optimizer_register_step_pre_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  return add_for_one(REGISTRATION(false), self, OPTIMIZER_STEP_PRE);
}

ctorch_error *ctorch_optimizer_register_step_post_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  return add_for_one(REGISTRATION(false), self, OPTIMIZER_STEP_POST);
}

ctorch_error *ctorch_optimizer_register_step_pre_hook_for_all(
    ctorch_hook **out, ctorch_optimizer_callback callback, void (*destroy)(void *payload), void *payload) {
  return add_for_all(REGISTRATION(false), OPTIMIZER_STEP_PRE);
}

ctorch_error *ctorch_optimizer_register_step_post_hook_for_all(
    ctorch_hook **out, ctorch_optimizer_callback callback, void (*destroy)(void *payload), void *payload) {
  return add_for_all(REGISTRATION(false), OPTIMIZER_STEP_POST);
}

ctorch_error *ctorch_optimizer_register_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  return add_for_one(REGISTRATION(prepend), self, OPTIMIZER_STATE_DICT_PRE);
}

ctorch_error *ctorch_optimizer_register_state_dict_post_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_state_dict_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  return add_for_one(REGISTRATION(prepend), self, OPTIMIZER_STATE_DICT);
}

ctorch_error *ctorch_optimizer_register_load_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_state_dict_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  return add_for_one(REGISTRATION(prepend), self, OPTIMIZER_LOAD_STATE_DICT_PRE);
}

ctorch_error *ctorch_optimizer_register_load_state_dict_post_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload) {
  return add_for_one(REGISTRATION(prepend), self, OPTIMIZER_LOAD_STATE_DICT);
}
