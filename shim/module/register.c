/* What is put into modules, and taken out: parameters, buffers and other modules under their names. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/module.h"
#include "module/walk.h"

/* Whether Python would take the name, which is of a `kind`, and not one of another kind's. */
static ctorch_error *check_name(const char *function, const ctorch_module *self, const char *kind, const char *name) {
  CTORCH_TRY(error_unless_text(function, "name", name));
  if (strchr(name, '.') != NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "%s name can't contain \".\", got '%s'", kind, name);
  }
  if (name[0] == '\0') {
    return error_make(function, CTORCH_ERROR_INDEX, "%s name can't be empty string \"\"", kind);
  }
  const struct module_tensor *parameter = module_find_tensor(&self->parameters, name);
  const struct module_tensor *buffer = module_find_tensor(&self->buffers, name);
  bool is_taken = (parameter != NULL && (kind[0] != 'p' || parameter->computed != NULL)) ||
                  (buffer != NULL && (kind[0] != 'b' || buffer->computed != NULL)) ||
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
    name_index_extend(&self->index, self->data, self->len, sizeof *self->data);
  }
  ctorch_tensor *before = entry->tensor;
  entry->tensor = tensor;
  entry->is_transient = is_transient;
  entry->is_lazy = false;
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
  struct module_children *all = &self->children;
  struct module_child *entry = module_find_child(self, name);
  if (entry == NULL) {
    char *own = NULL;
    CTORCH_TRY(grow(function, &all->data, all->len, sizeof *all->data, &own, name));
    entry = &all->data[all->len++];
    *entry = (struct module_child){.name = own};
    name_index_extend(&all->index, all->data, all->len, sizeof *all->data);
  }
  ctorch_module *before = entry->module;
  entry->module = object_ref(child);
  object_unref(before);
  return NULL;
}

/* What is exported. */

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
  name_index_forget(&self->index);
  struct module_tensor removed = *entry;
  size_t after = (size_t)(self->data + self->len - entry) - 1;
  memmove(entry, entry + 1, after * sizeof *entry);
  self->len--;
  free(removed.name);
  tensor_unref(removed.tensor);
  object_unref(removed.computed);
  return true;
}

static bool remove_child(ctorch_module *self, const char *name) {
  struct module_child *entry = module_find_child(self, name);
  if (entry == NULL) {
    return false;
  }
  name_index_forget(&self->children.index);
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
  const struct module_tensor *parameter = module_find_tensor(&self->parameters, name);
  const struct module_tensor *entry = parameter != NULL ? parameter : module_find_tensor(&self->buffers, name);
  if (entry != NULL && entry->computed != NULL && entry->computed->placeholder != NULL) {
    return error_make(
        __func__, CTORCH_ERROR_INDEX,
        "'%s' of a %s is parametrized: remove its parametrizations first (ctorch_module_remove_parametrizations)", name,
        module_name(self));
  }
  if (!remove_tensor(&self->parameters, name) && !remove_tensor(&self->buffers, name) && !remove_child(self, name)) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no attribute '%s'", module_name(self), name);
  }
  return NULL;
}
