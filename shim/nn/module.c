/* The module object: what is registered in it, and how it is applied. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "error.h"
#include "module_hooks.h"
#include "module_walk.h"

void *module_new(const module_class *type) { return object_new(&type->object); }

const module_class *module_class_of(const ctorch_module *self) { return (const module_class *)object_class_of(self); }

const char *module_name(const ctorch_module *self) {
  const module_class *type = module_class_of(self);
  return type->name_of != NULL ? type->name_of(self) : type->name;
}

static void clear_tensors(struct module_tensors *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].name);
    tensor_unref(self->data[i].tensor);
  }
  free(self->data);
}

static void clear_children(struct module_children *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].name);
    object_unref(self->data[i].module);
  }
  free(self->data);
}

/* Children whose parent went while another's were being given up: they wait, so that a chain of any length needs no
 * deeper stack than one of two. */
struct waiting {
  struct waiting *next;
  struct module_children children;
};

static void give_up_children(struct module_children *children) {
  static _Thread_local struct waiting *waiting;
  static _Thread_local bool is_giving_up;
  struct waiting *one = is_giving_up ? malloc(sizeof *one) : NULL;
  if (one != NULL) {
    *one = (struct waiting){waiting, *children};
    waiting = one;
    return;
  }
  bool is_outermost = !is_giving_up; /* or there is no memory to wait in */
  is_giving_up = true;
  clear_children(children);
  while (is_outermost && waiting != NULL) {
    struct waiting *next = waiting;
    waiting = next->next;
    clear_children(&next->children);
    free(next);
  }
  is_giving_up = !is_outermost;
}

void module_finalize(void *object) {
  ctorch_module *self = object;
  module_hooks_free(self->hooks);
  clear_tensors(&self->parameters);
  clear_tensors(&self->buffers);
  if (self->children.len > 0) {
    give_up_children(&self->children);
  } else {
    free(self->children.data);
  }
}

/* Entries. */

struct module_tensor *module_find_tensor(const struct module_tensors *self, const char *name) {
  for (size_t i = 0; i < self->len; i++) {
    if (strcmp(self->data[i].name, name) == 0) {
      return &self->data[i];
    }
  }
  return NULL;
}

struct module_child *module_find_child(const ctorch_module *self, const char *name) {
  for (size_t i = 0; i < self->children.len; i++) {
    if (strcmp(self->children.data[i].name, name) == 0) {
      return &self->children.data[i];
    }
  }
  return NULL;
}

ctorch_tensor *module_parameter(const ctorch_module *self, const char *name) {
  struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  return entry == NULL ? NULL : entry->tensor;
}

ctorch_tensor *module_buffer(const ctorch_module *self, const char *name) {
  struct module_tensor *entry = module_find_tensor(&self->buffers, name);
  return entry == NULL ? NULL : entry->tensor;
}

ctorch_module *module_child(const ctorch_module *self, const char *name) {
  struct module_child *entry = module_find_child(self, name);
  return entry == NULL ? NULL : entry->module;
}

void module_replace(struct module_tensor *entry, const ctorch_tensor *tensor) {
  ctorch_tensor *before = entry->tensor;
  entry->tensor = tensor_ref(tensor);
  tensor_unref(before);
}

/* Registration. */

/* Whether Python would take the name, which is of a `kind`, and not one of another kind's. */
static ctorch_error *check_name(const char *function, const ctorch_module *self, const char *kind, const char *name) {
  CTORCH_TRY(error_unless_text(function, "name", name));
  if (strchr(name, '.') != NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "%s name can't contain \".\", got '%s'", kind, name);
  }
  if (name[0] == '\0') {
    return error_make(function, CTORCH_ERROR_INDEX, "%s name can't be empty string \"\"", kind);
  }
  bool is_taken = (kind[0] != 'p' && module_find_tensor(&self->parameters, name) != NULL) ||
                  (kind[0] != 'b' && module_find_tensor(&self->buffers, name) != NULL) ||
                  (kind[0] != 'm' && module_find_child(self, name) != NULL) || strcmp(name, "training") == 0;
  return is_taken ? error_make(function, CTORCH_ERROR_INDEX, "attribute '%s' already exists", name) : NULL;
}

/* A copy of a name, and room for one entry more in an array. */
static ctorch_error *grow(const char *function, void *array, size_t len, size_t size, char **name, const char *text) {
  CTORCH_TRY(array_grow(function, array, len, size));
  *name = module_join(text, "");
  return *name == NULL ? error_memory(function, strlen(text) + 1) : NULL;
}

/* Put a tensor under a name, in the place of one that it has; the reference is consumed, also on failure. */
static ctorch_error *put(
    const char *function, struct module_tensors *self, const char *name, ctorch_tensor *tensor, bool is_transient) {
  struct module_tensor *entry = module_find_tensor(self, name);
  if (entry == NULL) {
    char *own = NULL;
    ctorch_error *error = grow(function, &self->data, self->len, sizeof *self->data, &own, name);
    if (error != NULL) {
      tensor_unref(tensor);
      return error;
    }
    entry = &self->data[self->len++];
    *entry = (struct module_tensor){.name = own};
  }
  ctorch_tensor *before = entry->tensor;
  entry->tensor = tensor;
  entry->is_transient = is_transient;
  tensor_unref(before);
  return NULL;
}

ctorch_error *module_add_parameter(const char *function, ctorch_module *self, const char *name, ctorch_tensor *tensor) {
  ctorch_error *error = tensor == NULL ? NULL : ctorch_tensor_set_requires_grad(tensor, true);
  if (error != NULL) {
    ctorch_tensor_release(tensor);
    return error;
  }
  return put(function, &self->parameters, name, tensor_take(tensor), false);
}

ctorch_error *module_add_buffer(
    const char *function, ctorch_module *self, const char *name, ctorch_tensor *tensor, bool persistent) {
  return put(function, &self->buffers, name, tensor_take(tensor), !persistent);
}

ctorch_error *module_add_child(
    const char *function, ctorch_module *self, const char *name, const ctorch_module *child) {
  if (child != NULL) {
    bool contains = false;
    CTORCH_TRY(module_contains(function, &contains, child, self));
    if (contains) {
      return error_make(function, CTORCH_ERROR_RUNTIME, "'%s': a %s cannot contain itself", name, module_name(self));
    }
  }
  struct module_child *entry = module_find_child(self, name);
  if (entry == NULL) {
    char *own = NULL;
    CTORCH_TRY(grow(function, &self->children.data, self->children.len, sizeof *self->children.data, &own, name));
    entry = &self->children.data[self->children.len++];
    *entry = (struct module_child){.name = own};
  }
  ctorch_module *before = entry->module;
  entry->module = object_ref(child);
  object_unref(before);
  return NULL;
}

ctorch_error *module_give(const char *function, ctorch_module **out, ctorch_module *self, ctorch_error *error) {
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

ctorch_error *module_callback_error(
    const char *function, const char *name, ctorch_callback_status status, ctorch_error *error) {
  if (error != NULL || status == CTORCH_CALLBACK_OK) {
    return error;
  }
  return error_make(
      function, CTORCH_ERROR_CALLBACK, "the callback %s answered %d without an error; success is %d", name, (int)status,
      (int)CTORCH_CALLBACK_OK);
}

/* What is exported. */

void ctorch_module_retain(const ctorch_module *self) { object_retain(self); }

void ctorch_module_release(ctorch_module *self) { object_release(self); }

const char *ctorch_module_name(const ctorch_module *self) { return self == NULL ? NULL : module_name(self); }

bool ctorch_module_training(const ctorch_module *self) { return self != NULL && module_is_training(self); }

/* What both kinds of registration refuse. */
static ctorch_error *check_registration(
    const char *function, const ctorch_module *self, const char *kind, const char *name) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || name == NULL) {
    return error_null(function, self == NULL ? "self" : "name");
  }
  return check_name(function, self, kind, name);
}

ctorch_error *ctorch_module_register_parameter(ctorch_module *self, const char *name, ctorch_tensor *tensor) {
  CTORCH_TRY(check_registration(__func__, self, "parameter", name));
  if (tensor != NULL && !ctorch_tensor_is_leaf(tensor)) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE,
        "cannot assign non-leaf Tensor to parameter '%s': what is computed from another tensor belongs into forward",
        name);
  }
  return put(__func__, &self->parameters, name, tensor_ref(tensor), false);
}

ctorch_error *ctorch_module_register_buffer(
    ctorch_module *self, const char *name, const ctorch_tensor *tensor, bool persistent) {
  CTORCH_TRY(check_registration(__func__, self, "buffer", name));
  return put(__func__, &self->buffers, name, tensor_ref(tensor), !persistent);
}

ctorch_error *ctorch_module_register_module(ctorch_module *self, const char *name, const ctorch_module *module) {
  CTORCH_TRY(check_registration(__func__, self, "module", name));
  return module_add_child(__func__, self, name, module);
}

static bool remove_tensor(struct module_tensors *self, const char *name) {
  struct module_tensor *entry = module_find_tensor(self, name);
  if (entry == NULL) {
    return false;
  }
  struct module_tensor removed = *entry;
  size_t after = (size_t)(self->data + self->len - entry) - 1;
  memmove(entry, entry + 1, after * sizeof *entry);
  self->len--;
  free(removed.name);
  tensor_unref(removed.tensor);
  return true;
}

static bool remove_child(ctorch_module *self, const char *name) {
  struct module_child *entry = module_find_child(self, name);
  if (entry == NULL) {
    return false;
  }
  struct module_child removed = *entry;
  size_t after = (size_t)(self->children.data + self->children.len - entry) - 1;
  memmove(entry, entry + 1, after * sizeof *entry);
  self->children.len--;
  free(removed.name);
  object_unref(removed.module);
  return true;
}

ctorch_error *ctorch_module_unregister(ctorch_module *self, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || name == NULL) {
    return error_null(__func__, self == NULL ? "self" : "name");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  if (!remove_tensor(&self->parameters, name) && !remove_tensor(&self->buffers, name) && !remove_child(self, name)) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no attribute '%s'", module_name(self), name);
  }
  return NULL;
}

/* Forward. */

ctorch_error *ctorch_module_forward(ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input) {
  ctorch_error *error = error_refusal(__func__);
  if (error != NULL) {
    return error;
  }
  if (out == NULL || self == NULL || input == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "input");
  }
  const module_class *type = module_class_of(self);
  if (type->forward == NULL || module_has_hooks(self)) {
    return module_forward_by_call(__func__, out, self, input);
  }
  struct module_frame frame;
  CTORCH_TRY(module_enter(__func__, &frame, self));
  return module_leave(&frame, type->forward(self, out, input));
}
