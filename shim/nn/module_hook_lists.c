/* Which hooks there are: those of a module, and those of all. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "module_hooks.h"

struct module_hooks {
  hook_list *lists[MODULE_HOOK_KINDS]; /* NULL where none was ever registered */
  bool computes;                       /* whether a tensor is computed before each call */
  char *name;                          /* of the module, in the place of its class's; NULL for that one */
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

static size_t tensors_len(const ctorch_module *self) { return self->parameters.len + self->buffers.len; }

/* Parameters, and then buffers. */
static struct module_tensor *tensor_at(const ctorch_module *self, size_t i) {
  size_t parameters = self->parameters.len;
  return i < parameters ? &self->parameters.data[i] : &self->buffers.data[i - parameters];
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
  for (size_t i = 0; i < tensors_len(self); i++) {
    self->hooks->computes |= tensor_at(self, i)->computed != NULL;
  }
  return NULL;
}

static void put(struct module_tensor *entry, ctorch_tensor *tensor) {
  ctorch_tensor *before = entry->tensor;
  entry->tensor = tensor;
  tensor_unref(before);
}

ctorch_error *module_compute(ctorch_module *self, bool on_read) {
  for (size_t i = 0; self->hooks != NULL && self->hooks->computes && i < tensors_len(self); i++) {
    const struct module_computed *computed = tensor_at(self, i)->computed;
    if (computed != NULL && on_read == (computed->placeholder != NULL)) {
      ctorch_tensor *tensor = NULL;
      object_ref(computed); /* a hook of what computes it may take it out */
      ctorch_error *error = computed->compute(computed, &tensor, self);
      if (error == NULL && i < tensors_len(self) && tensor_at(self, i)->computed == computed) {
        put(tensor_at(self, i), tensor_take(tensor));
      } else {
        ctorch_tensor_release(tensor);
      }
      object_unref((void *)computed);
      CTORCH_TRY(error);
    }
  }
  return NULL;
}

void module_compute_end(ctorch_module *self) {
  for (size_t i = 0; self->hooks != NULL && self->hooks->computes && i < tensors_len(self); i++) {
    struct module_tensor *entry = tensor_at(self, i);
    if (entry->computed != NULL && entry->computed->placeholder != NULL) {
      put(entry, tensor_ref(entry->computed->placeholder));
    }
  }
}

const char *module_hooks_name(const struct module_hooks *self) { return self == NULL ? NULL : self->name; }

void module_hooks_rename(struct module_hooks *self, char *name) {
  free(self->name);
  self->name = name;
}

void module_hooks_free(struct module_hooks *self) {
  for (int kind = 0; self != NULL && kind < MODULE_HOOK_KINDS; kind++) {
    hook_list_free(self->lists[kind]);
  }
  free(self == NULL ? NULL : self->name);
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
  if (self->name != NULL) {
    size_t size = strlen(self->name) + 1;
    copy->name = malloc(size);
    if (copy->name == NULL) {
      module_hooks_free(copy);
      return error_memory(function, size);
    }
    memcpy(copy->name, self->name, size);
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
