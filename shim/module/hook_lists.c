/* Which hooks there are: those of a module, and those of all. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/payload.h"
#include "core/c/tensor.h"
#include "module/hooks.h"

struct module_hooks {
  hook_list *lists[MODULE_HOOK_KINDS]; /* NULL where none was ever registered */
  bool computes;                       /* whether a tensor is computed before each call */
  char *name;                          /* of the module, in the place of its class's; NULL for that one */
  char *class_name;                    /* in the place of the class's name; NULL for that one */
  int64_t version;                     /* of the state dict, in the place of the class's; 0 for that one */
  struct module_own *forward, *copied; /* references, or NULL, as are the next two */
  struct module_own *repr, *extra_repr;
  struct tapes *tapes; /* of a module that captures itself; NULL for none */
};

static void own_finalize(void *object) {
  struct module_own *self = object;
  payload_destroy(self->destroy, self->payload);
}

static const object_class own_class = {"module_own", sizeof(struct module_own), own_finalize};

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
  return self->hooks != NULL && (self->hooks->computes || self->hooks->forward != NULL);
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

const char *module_hooks_class_name(const struct module_hooks *self) { return self == NULL ? NULL : self->class_name; }

int64_t module_hooks_version(const struct module_hooks *self) { return self == NULL ? 0 : self->version; }

struct module_own *module_hooks_forward(const struct module_hooks *self) { return self == NULL ? NULL : self->forward; }
struct module_own *module_hooks_copied(const struct module_hooks *self) { return self == NULL ? NULL : self->copied; }
struct tapes *module_hooks_tapes(const struct module_hooks *self) { return self == NULL ? NULL : self->tapes; }
struct module_own *module_hooks_repr(const struct module_hooks *self) { return self == NULL ? NULL : self->repr; }
struct module_own *module_hooks_extra_repr(const struct module_hooks *self) {
  return self == NULL ? NULL : self->extra_repr;
}

void module_hooks_free(struct module_hooks *self) {
  if (self == NULL) {
    return;
  }
  for (int kind = 0; kind < MODULE_HOOK_KINDS; kind++) {
    hook_list_free(self->lists[kind]);
  }
  free(self->name);
  free(self->class_name);
  object_unref(self->forward);
  object_unref(self->copied);
  object_unref(self->repr);
  object_unref(self->extra_repr);
  tapes_free(self->tapes);
  free(self);
}

static ctorch_error *copy_text(const char *function, char **out, const char *text) {
  const size_t size = text == NULL ? 0 : strlen(text) + 1;
  if (size > 0) {
    *out = malloc(size);
    if (*out == NULL) {
      return error_memory(function, size);
    }
    memcpy(*out, text, size);
  }
  return NULL;
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
  ctorch_error *error = copy_text(function, &copy->name, self->name);
  THEN(error, copy_text(function, &copy->class_name, self->class_name));
  if (error != NULL) {
    module_hooks_free(copy);
    return error;
  }
  copy->computes = self->computes;
  copy->version = self->version;
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

/* What a user puts in the place of a class: module_custom.h. */

static ctorch_error *hooks_of(const char *function, struct module_hooks **out, ctorch_module *self) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  if (self->hooks == NULL && (self->hooks = calloc(1, sizeof *self->hooks)) == NULL) {
    return error_memory(function, sizeof *self->hooks);
  }
  *out = self->hooks;
  return NULL;
}

ctorch_error *module_set_tapes(const char *function, ctorch_module *self, int64_t most, bool fast) {
  struct module_hooks *hooks = NULL;
  CTORCH_TRY(hooks_of(function, &hooks, self));
  return tapes_set(function, &hooks->tapes, most, fast);
}

/* `*place` gets `given`, which is nothing if it has no callback; whatever was there ends. */
static ctorch_error *put_own(const char *function, struct module_own **place, const struct module_own *given) {
  struct module_own *made = NULL, *before = *place;
  if (given->forward != NULL || given->copied != NULL || given->text != NULL) {
    made = object_new(&own_class);
    if (made == NULL) {
      return error_memory(function, sizeof *made);
    }
    *made = *given;
  } else {
    payload_destroy(given->destroy, given->payload);
  }
  *place = made;
  object_unref(before);
  return NULL;
}

ctorch_error *ctorch_module_set_forward(
    ctorch_module *self, ctorch_module_call_callback forward, void (*destroy)(void *payload), void *payload) {
  struct module_hooks *hooks = NULL;
  CTORCH_TRY(hooks_of(__func__, &hooks, self));
  const struct module_own given = {.forward = forward, .destroy = destroy, .payload = payload};
  return put_own(__func__, &hooks->forward, &given);
}

ctorch_error *ctorch_module_set_copied(
    ctorch_module *self, ctorch_module_callback callback, void (*destroy)(void *payload), void *payload) {
  struct module_hooks *hooks = NULL;
  CTORCH_TRY(hooks_of(__func__, &hooks, self));
  const struct module_own given = {.copied = callback, .destroy = destroy, .payload = payload};
  return put_own(__func__, &hooks->copied, &given);
}

ctorch_error *ctorch_module_set_repr(
    ctorch_module *self, ctorch_module_value_callback callback, void (*destroy)(void *payload), void *payload) {
  struct module_hooks *hooks = NULL;
  CTORCH_TRY(hooks_of(__func__, &hooks, self));
  const struct module_own given = {.text = callback, .destroy = destroy, .payload = payload};
  return put_own(__func__, &hooks->repr, &given);
}

ctorch_error *module_hooks_set_extra_repr(
    const char *function,
    ctorch_module *self,
    ctorch_module_value_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  struct module_hooks *hooks = NULL;
  CTORCH_TRY(hooks_of(function, &hooks, self));
  const struct module_own given = {.text = callback, .destroy = destroy, .payload = payload};
  return put_own(function, &hooks->extra_repr, &given);
}

ctorch_error *ctorch_module_set_class_name(ctorch_module *self, const char *name) {
  struct module_hooks *hooks = NULL;
  char *own = NULL;
  CTORCH_TRY(hooks_of(__func__, &hooks, self));
  if (name != NULL) {
    CTORCH_TRY(error_unless_text(__func__, "name", name));
    if (name[0] == '\0') {
      return error_make(__func__, CTORCH_ERROR_VALUE, "name: a class has a name");
    }
    CTORCH_TRY(copy_text(__func__, &own, name));
  }
  free(hooks->class_name);
  hooks->class_name = own;
  return NULL;
}

ctorch_error *ctorch_module_set_version(ctorch_module *self, int64_t version) {
  struct module_hooks *hooks = NULL;
  CTORCH_TRY(hooks_of(__func__, &hooks, self));
  if (version < 1) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "version: expected 1 or more, got %" PRId64, version);
  }
  hooks->version = version;
  return NULL;
}
