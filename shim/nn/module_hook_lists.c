/* Which hooks there are: those of a module, and those of all. */
#include <stdatomic.h>
#include <stdlib.h>

#include "error.h"
#include "module_hooks.h"

struct module_hooks {
  hook_list *lists[MODULE_HOOK_KINDS]; /* NULL where none was ever registered */
  bool computes;                       /* whether a parameter is computed before each call */
};

/* Those for all modules; made when the first is registered, and never freed. */
static _Atomic(hook_list *) lists_of_all[MODULE_CALL_KINDS];

static hook_list *own_list(const ctorch_module *self, enum module_hook_kind kind) {
  return self->hooks == NULL ? NULL : self->hooks->lists[kind];
}

bool module_has_hooks(const ctorch_module *self) {
  for (int kind = 0; kind < MODULE_CALL_KINDS; kind++) {
    hook_list *of_all = atomic_load_explicit(&lists_of_all[kind], memory_order_acquire);
    if ((of_all != NULL && !hook_list_is_empty(of_all)) ||
        (self->hooks != NULL && !hook_list_is_empty(self->hooks->lists[kind]))) {
      return true;
    }
  }
  return self->hooks != NULL && self->hooks->computes;
}

ctorch_error *module_set_computed(
    const char *function, ctorch_module *self, struct module_tensor *entry, const struct module_computed *computed) {
  if (self->hooks == NULL && (self->hooks = calloc(1, sizeof *self->hooks)) == NULL) {
    return error_memory(function, sizeof *self->hooks);
  }
  object_ref(computed);
  object_unref(entry->computed);
  entry->computed = (struct module_computed *)computed;
  self->hooks->computes = false;
  for (size_t i = 0; i < self->parameters.len; i++) {
    self->hooks->computes |= self->parameters.data[i].computed != NULL;
  }
  return NULL;
}

ctorch_error *module_compute(ctorch_module *self) {
  for (size_t i = 0; self->hooks != NULL && self->hooks->computes && i < self->parameters.len; i++) {
    const struct module_computed *computed = self->parameters.data[i].computed;
    if (computed != NULL) {
      ctorch_tensor *tensor = NULL;
      CTORCH_TRY(computed->compute(computed, &tensor, self));
      ctorch_tensor *before = self->parameters.data[i].tensor;
      self->parameters.data[i].tensor = tensor_take(tensor);
      tensor_unref(before);
    }
  }
  return NULL;
}

void module_hooks_free(struct module_hooks *self) {
  for (int kind = 0; self != NULL && kind < MODULE_HOOK_KINDS; kind++) {
    hook_list_free(self->lists[kind]);
  }
  free(self);
}

ctorch_error *module_hooks_copy(const char *function, struct module_hooks **out, const struct module_hooks *self) {
  struct module_hooks *copy = calloc(1, sizeof *copy);
  if (copy == NULL) {
    return error_memory(function, sizeof *copy);
  }
  for (int kind = 0; kind < MODULE_HOOK_KINDS; kind++) {
    if (self->lists[kind] != NULL && (copy->lists[kind] = hook_list_new(self->lists[kind])) == NULL) {
      module_hooks_free(copy);
      return error_memory(function, sizeof copy->lists);
    }
  }
  copy->computes = self->computes;
  *out = copy;
  return NULL;
}

ctorch_error *module_hooks_read(
    const char *function, struct hooks *out, const ctorch_module *self, enum module_hook_kind kind) {
  hook_list *of_all = kind < MODULE_CALL_KINDS ? atomic_load_explicit(&lists_of_all[kind], memory_order_acquire) : NULL;
  return hook_list_read(function, out, of_all, own_list(self, kind));
}

/* The list of a module that hooks of a kind are put on, made if there is none; NULL is out of memory. */
static hook_list *list_for(ctorch_module *self, enum module_hook_kind kind) {
  if (self->hooks == NULL) {
    self->hooks = calloc(1, sizeof *self->hooks);
  }
  if (self->hooks != NULL && self->hooks->lists[kind] == NULL) {
    self->hooks->lists[kind] = hook_list_new(NULL);
  }
  return own_list(self, kind);
}

/* The same of all modules. */
static hook_list *list_of_all(enum module_hook_kind kind) {
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

static ctorch_error *add(
    const char *function,
    ctorch_hook **out,
    hook_list *list,
    const struct hook *hook,
    bool prepend,
    void (*destroy)(void *payload)) {
  return list == NULL ? error_memory(function, sizeof(struct module_hooks))
                      : hook_list_add(function, out, list, hook, prepend, destroy);
}

ctorch_error *module_hooks_add(
    const char *function,
    ctorch_hook **out,
    ctorch_module *self,
    enum module_hook_kind kind,
    const struct hook *hook,
    bool prepend,
    void (*destroy)(void *payload)) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || hook->callback == NULL) {
    return error_null(function, self == NULL ? "self" : "callback");
  }
  return add(function, out, list_for(self, kind), hook, prepend, destroy);
}

ctorch_error *module_hooks_add_for_all(
    const char *function,
    ctorch_hook **out,
    enum module_hook_kind kind,
    const struct hook *hook,
    void (*destroy)(void *payload)) {
  CTORCH_TRY(error_refusal(function));
  return hook->callback == NULL ? error_null(function, "callback")
                                : add(function, out, list_of_all(kind), hook, false, destroy);
}
