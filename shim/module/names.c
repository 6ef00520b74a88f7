/* What is inside a module by its dotted name: <ctorch/module/module_names.h>. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/options.h"
#include "module/walk.h"

/* Modules with names. */

void ctorch_named_modules_retain(const ctorch_named_modules *self) { object_retain(self); }

void ctorch_named_modules_release(ctorch_named_modules *self) { object_release(self); }

size_t ctorch_named_modules_len(const ctorch_named_modules *self) { return self == NULL ? 0 : self->len; }

const char *ctorch_named_modules_name(const ctorch_named_modules *self, size_t index) {
  return self == NULL || index >= self->len ? NULL : self->data[index].name;
}

/* What an entry of a list is asked for wrongly. */
static ctorch_error *check_index(const char *function, const void *out, const void *self, size_t index, size_t len) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || self == NULL) {
    return error_null(function, out == NULL ? "out" : "self");
  }
  return index < len ? NULL : error_make(function, CTORCH_ERROR_INDEX, "index %zu of a list of %zu", index, len);
}

ctorch_error *ctorch_named_modules_get(ctorch_module **out, const ctorch_named_modules *self, size_t index) {
  CTORCH_TRY(check_index(__func__, out, self, index, self == NULL ? 0 : self->len));
  return object_give(__func__, out, object_ref(self->data[index].module));
}

/* Tensors with names. */

struct ctorch_named_tensors {
  struct module_tensor *data;
  size_t len;
};

static void finalize_tensors(void *object) {
  ctorch_named_tensors *self = object;
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].name);
    tensor_unref(self->data[i].tensor);
  }
  free(self->data);
}

static const object_class named_tensors_class = {"named_tensors", sizeof(ctorch_named_tensors), finalize_tensors};

void ctorch_named_tensors_retain(const ctorch_named_tensors *self) { object_retain(self); }

void ctorch_named_tensors_release(ctorch_named_tensors *self) { object_release(self); }

size_t ctorch_named_tensors_len(const ctorch_named_tensors *self) { return self == NULL ? 0 : self->len; }

const char *ctorch_named_tensors_name(const ctorch_named_tensors *self, size_t index) {
  return self == NULL || index >= self->len ? NULL : self->data[index].name;
}

ctorch_error *ctorch_named_tensors_get(ctorch_tensor **out, const ctorch_named_tensors *self, size_t index) {
  CTORCH_TRY(check_index(__func__, out, self, index, self == NULL ? 0 : self->len));
  return tensor_give(__func__, out, self->data[index].tensor);
}

static ctorch_error *add_tensor(
    const char *function, ctorch_named_tensors *self, const char *prefix, const struct module_tensor *tensor) {
  CTORCH_TRY(array_grow(function, &self->data, self->len, sizeof *self->data));
  char *name = module_join(prefix, tensor->name);
  if (name == NULL) {
    return error_memory(function, strlen(tensor->name));
  }
  self->data[self->len++] = (struct module_tensor){.name = name, .tensor = tensor_ref(tensor->tensor)};
  return NULL;
}

/* The parameters of modules, or their buffers. */
static ctorch_error *collect(
    const char *function,
    ctorch_named_tensors *self,
    const ctorch_named_modules *modules,
    bool buffers,
    bool remove_duplicate) {
  struct pointer_set seen = {0};
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < modules->len; i++) {
    const ctorch_module *module = modules->data[i].module;
    const struct module_tensors *tensors = buffers ? &module->buffers : &module->parameters;
    for (size_t j = 0; error == NULL && j < tensors->len; j++) {
      const struct module_tensor *tensor = &tensors->data[j];
      if (module_held(tensor) != NULL &&
          (!remove_duplicate || pointer_set_add(&seen, function, tensor->tensor, &error)) && error == NULL) {
        error = add_tensor(function, self, modules->data[i].name, tensor);
      }
    }
  }
  pointer_set_free(&seen);
  return error;
}

static ctorch_error *named_tensors(
    const char *function,
    ctorch_named_tensors **out,
    const ctorch_module *self,
    const char *prefix,
    bool recurse,
    bool remove_duplicate,
    bool buffers) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || self == NULL) {
    return error_null(function, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_text(function, "prefix", prefix));
  ctorch_named_modules *modules = NULL;
  CTORCH_TRY(module_walk(function, &modules, self, prefix, recurse, remove_duplicate));
  ctorch_named_tensors *list = object_new(&named_tensors_class);
  ctorch_error *error = list == NULL ? NULL : collect(function, list, modules, buffers, remove_duplicate);
  object_unref(modules);
  if (error != NULL) {
    object_unref(list);
    return error;
  }
  return object_give(function, out, list);
}

ctorch_error *ctorch_module_named_parameters(
    ctorch_named_tensors **out, const ctorch_module *self, const char *prefix, bool recurse, bool remove_duplicate) {
  return named_tensors(__func__, out, self, prefix, recurse, remove_duplicate, false);
}

ctorch_error *ctorch_module_named_buffers(
    ctorch_named_tensors **out, const ctorch_module *self, const char *prefix, bool recurse, bool remove_duplicate) {
  return named_tensors(__func__, out, self, prefix, recurse, remove_duplicate, true);
}

/* As a list without names. */
static ctorch_error *tensors_of(
    const char *function, ctorch_tensor_list **out, const ctorch_module *self, bool recurse, bool buffers) {
  ctorch_named_tensors *named = NULL;
  CTORCH_TRY(error_refusal(function));
  if (out == NULL) {
    return error_null(function, "out");
  }
  CTORCH_TRY(named_tensors(function, &named, self, NULL, recurse, true, buffers));
  const ctorch_tensor **tensors = calloc(named->len + 1, sizeof *tensors);
  ctorch_error *error = tensors == NULL ? error_memory(function, (named->len + 1) * sizeof *tensors) : NULL;
  for (size_t i = 0; tensors != NULL && i < named->len; i++) {
    tensors[i] = named->data[i].tensor;
  }
  THEN(error, ctorch_tensor_list_new(out, tensors, named->len));
  free(tensors);
  object_release(named);
  return error;
}

ctorch_error *ctorch_module_parameters(ctorch_tensor_list **out, const ctorch_module *self, bool recurse) {
  return tensors_of(__func__, out, self, recurse, false);
}

ctorch_error *ctorch_module_buffers(ctorch_tensor_list **out, const ctorch_module *self, bool recurse) {
  return tensors_of(__func__, out, self, recurse, true);
}

ctorch_error *ctorch_module_named_modules(
    ctorch_named_modules **out, const ctorch_module *self, const char *prefix, bool remove_duplicate) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_text(__func__, "prefix", prefix));
  ctorch_named_modules *modules = NULL;
  CTORCH_TRY(module_walk(__func__, &modules, self, prefix, true, remove_duplicate));
  return object_give(__func__, out, modules);
}

ctorch_error *ctorch_module_named_children(ctorch_named_modules **out, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_named_modules *children = NULL;
  CTORCH_TRY(module_walk_children(__func__, &children, self));
  return object_give(__func__, out, children);
}

/* One by its dotted name. */

ctorch_error *module_find(
    const char *function, ctorch_module **out, const ctorch_module *self, const char *target, size_t len) {
  const ctorch_module *at = self;
  size_t from = 0;
  while (len > 0 && from <= len) {
    size_t to = from;
    while (to < len && target[to] != '.') {
      to++;
    }
    char *name = malloc(to - from + 1);
    if (name == NULL) {
      return error_memory(function, to - from + 1);
    }
    memcpy(name, target + from, to - from);
    name[to - from] = '\0';
    ctorch_module *next = module_child(at, name);
    ctorch_error *error = NULL;
    if (next == NULL && (module_find_tensor(&at->parameters, name) != NULL ||
                         module_find_tensor(&at->buffers, name) != NULL || module_find_child(at, name) != NULL)) {
      error = error_make(function, CTORCH_ERROR_INDEX, "`%s` is not an nn.Module", name);
    } else if (next == NULL) {
      error = error_make(function, CTORCH_ERROR_INDEX, "%s has no attribute `%s`", module_name(at), name);
    }
    if (error != NULL && from > 0) {
      error = error_at(error, "%.*s", (int)from - 1, target);
    }
    free(name);
    CTORCH_TRY(error);
    at = next;
    from = to + 1;
  }
  *out = (ctorch_module *)at;
  return NULL;
}

static ctorch_error *check_target(const char *function, const void *out, const void *self, const char *target) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || self == NULL || target == NULL) {
    return error_null(function, out == NULL ? "out" : self == NULL ? "self" : "target");
  }
  return error_unless_text(function, "target", target);
}

/* Where the last name of a dotted one begins, and the number of bytes before its dot. */
static const char *last_name(const char *target, size_t *len) {
  const char *dot = strrchr(target, '.');
  *len = dot == NULL ? 0 : (size_t)(dot - target);
  return dot == NULL ? target : dot + 1;
}

ctorch_error *ctorch_module_get_submodule(ctorch_module **out, const ctorch_module *self, const char *target) {
  CTORCH_TRY(check_target(__func__, out, self, target));
  ctorch_module *found = NULL;
  CTORCH_TRY(module_find(__func__, &found, self, target, strlen(target)));
  return object_give(__func__, out, object_ref(found));
}

ctorch_error *ctorch_module_set_submodule(
    ctorch_module *self, const char *target, const ctorch_module *module, bool strict) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || target == NULL || module == NULL) {
    return error_null(__func__, self == NULL ? "self" : target == NULL ? "target" : "module");
  }
  CTORCH_TRY(error_unless_text(__func__, "target", target));
  if (target[0] == '\0') {
    return error_make(__func__, CTORCH_ERROR_VALUE, "cannot set the submodule without a target name");
  }
  size_t len = 0;
  const char *name = last_name(target, &len);
  ctorch_module *parent = NULL;
  CTORCH_TRY(module_find(__func__, &parent, self, target, len));
  bool is_known = module_find_child(parent, name) != NULL;
  if (module_find_tensor(&parent->parameters, name) != NULL || module_find_tensor(&parent->buffers, name) != NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "`%s` is not an nn.Module", name);
  }
  if (strict && !is_known) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no attribute `%s`", module_name(parent), name);
  }
  if (name[0] == '\0') {
    return error_make(__func__, CTORCH_ERROR_INDEX, "module name can't be empty string \"\"");
  }
  return module_add_child(__func__, parent, name, module);
}

static ctorch_error *get_tensor(
    const char *function, ctorch_tensor **out, const ctorch_module *self, const char *target, bool buffers) {
  CTORCH_TRY(check_target(function, out, self, target));
  size_t len = 0;
  const char *name = last_name(target, &len), *kind = buffers ? "a buffer" : "an nn.Parameter";
  ctorch_module *module = NULL;
  CTORCH_TRY(module_find(function, &module, self, target, len));
  const struct module_tensor *entry = module_find_tensor(buffers ? &module->buffers : &module->parameters, name);
  if (entry != NULL && module_held(entry) != NULL) {
    return tensor_give(function, out, entry->tensor);
  }
  bool is_other = entry != NULL || module_find_child(module, name) != NULL ||
                  module_find_tensor(buffers ? &module->parameters : &module->buffers, name) != NULL;
  return is_other ? error_make(function, CTORCH_ERROR_INDEX, "`%s` is not %s", name, kind)
                  : error_make(function, CTORCH_ERROR_INDEX, "%s has no attribute `%s`", module_name(module), name);
}

ctorch_error *ctorch_module_get_parameter(ctorch_tensor **out, const ctorch_module *self, const char *target) {
  return get_tensor(__func__, out, self, target, false);
}

ctorch_error *ctorch_module_get_buffer(ctorch_tensor **out, const ctorch_module *self, const char *target) {
  return get_tensor(__func__, out, self, target, true);
}

ctorch_module_member_kind ctorch_module_member_kind_of(const ctorch_module *self, const char *name) {
  if (self == NULL || name == NULL) {
    return CTORCH_MODULE_MEMBER_NOTHING;
  }
  const struct module_tensor *parameter = module_find_tensor(&self->parameters, name);
  const struct module_tensor *buffer = module_find_tensor(&self->buffers, name);
  if ((parameter != NULL && parameter->computed != NULL) || (buffer != NULL && buffer->computed != NULL)) {
    return CTORCH_MODULE_MEMBER_COMPUTED;
  }
  if (parameter != NULL) {
    return CTORCH_MODULE_MEMBER_PARAMETER;
  }
  if (buffer != NULL) {
    return buffer->is_transient ? CTORCH_MODULE_MEMBER_TRANSIENT_BUFFER : CTORCH_MODULE_MEMBER_BUFFER;
  }
  if (module_find_child(self, name) != NULL) {
    return CTORCH_MODULE_MEMBER_MODULE;
  }
  return module_has_option(self, name) ? CTORCH_MODULE_MEMBER_OPTION : CTORCH_MODULE_MEMBER_NOTHING;
}
