/* Copies of modules. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/module.h"
#include "module/walk.h"

/* What was copied, and the copies in the same order. */
struct copied {
  struct pointer_set from;
  void **to;
};

struct copying {
  const char *function;
  struct copied tensors, modules;
};

static void *copy_of(const struct copied *copied, const void *from) {
  const size_t i = pointer_set_find(&copied->from, from);
  return i == copied->from.len ? NULL : copied->to[i];
}

static ctorch_error *note(const char *function, struct copied *copied, const void *from, void *to) {
  ctorch_error *error = array_grow(function, &copied->to, copied->from.len, sizeof *copied->to);
  if (error == NULL && pointer_set_add(&copied->from, function, from, &error)) {
    copied->to[copied->from.len - 1] = to;
  }
  return error;
}

static void free_copied(struct copied *copied) {
  pointer_set_free(&copied->from);
  free(copied->to);
}

/* A tensor of its own with the same values; taken over. */
static ctorch_error *clone(ctorch_tensor **out, const ctorch_tensor *tensor, bool is_parameter) {
  ctorch_tensor *detached = NULL, *cloned = NULL, *grad = NULL;
  CTORCH_TRY(ctorch_aten_detach(&detached, tensor));
  ctorch_error *error = ctorch_aten_clone(&cloned, detached, &(ctorch_memory_format){CTORCH_MEMORY_FORMAT_PRESERVE});
  ctorch_tensor_release(detached);
  CTORCH_TRY(error);
  if (ctorch_tensor_requires_grad(tensor)) {
    error = ctorch_tensor_set_requires_grad(cloned, true);
  }
  if (error == NULL && !is_parameter) { /* as copy.deepcopy does with what is no Parameter */
    error = ctorch_tensor_grad(&grad, tensor);
  }
  if (error == NULL && grad != NULL) {
    ctorch_tensor *own = NULL;
    error = ctorch_aten_clone(&own, grad, NULL);
    THEN(error, ctorch_tensor_set_grad(cloned, own));
    ctorch_tensor_release(own);
  }
  ctorch_tensor_release(grad);
  if (error != NULL) {
    ctorch_tensor_release(cloned);
    return error;
  }
  *out = tensor_take(cloned);
  return NULL;
}

static ctorch_error *copy_tensor(
    struct copying *copying, ctorch_tensor **out, const ctorch_tensor *tensor, bool is_parameter) {
  ctorch_tensor *copy = tensor == NULL ? NULL : copy_of(&copying->tensors, tensor);
  if (tensor == NULL || copy != NULL) {
    *out = tensor_ref(copy);
    return NULL;
  }
  if (!ctorch_tensor_is_leaf(tensor)) {
    return error_make(
        copying->function, CTORCH_ERROR_RUNTIME,
        "only Tensors created explicitly by the user (graph leaves) can be copied with their module");
  }
  CTORCH_TRY(clone(&copy, tensor, is_parameter));
  *out = copy; /* the entry's, whatever happens */
  return note(copying->function, &copying->tensors, tensor, copy);
}

static ctorch_error *copy_name(const char *function, char **out, const char *name) {
  *out = module_join(name, "");
  return *out == NULL ? error_memory(function, strlen(name) + 1) : NULL;
}

static ctorch_error *copy_entry(
    struct copying *copying, struct module_tensor *to, const struct module_tensor *from, bool is_parameter) {
  if (from->computed == NULL || from->tensor == NULL) {
    return copy_tensor(copying, &to->tensor, from->tensor, is_parameter);
  }
  if (from->computed->placeholder != NULL) {
    to->tensor = tensor_ref(from->computed->placeholder);
    return NULL;
  }
  ctorch_tensor *detached = NULL; /* until the first call computes it from the copies of others */
  CTORCH_TRY(ctorch_aten_detach(&detached, from->tensor));
  ctorch_error *error = clone(&to->tensor, detached, true);
  ctorch_tensor_release(detached);
  return error;
}

static ctorch_error *copy_tensors(
    struct copying *copying, struct module_tensors *to, const struct module_tensors *from, bool are_parameters) {
  to->data = array_new(from->len, sizeof *to->data);
  if (to->data == NULL) {
    return error_memory(copying->function, from->len * sizeof *to->data);
  }
  for (size_t i = 0; i < from->len; i++) {
    struct module_tensor *entry = &to->data[i];
    to->len = i + 1;
    entry->is_transient = from->data[i].is_transient;
    entry->is_lazy = from->data[i].is_lazy;
    CTORCH_TRY(copy_name(copying->function, &entry->name, from->data[i].name));
    entry->computed = object_ref(from->data[i].computed);
    ctorch_error *error = copy_entry(copying, entry, &from->data[i], are_parameters);
    if (error != NULL) {
      return error_at(error, "%s", from->data[i].name);
    }
  }
  name_index_extend(&to->index, to->data, to->len, sizeof *to->data);
  return NULL;
}

/* A module of the same class whose own members are the same; NULL in `*out` if there is none. */
static ctorch_error *copy_bytes(const char *function, ctorch_module **out, const ctorch_module *from) {
  const module_class *type = module_class_of(from);
  ctorch_module *to = *out = module_new(type);
  if (to == NULL) {
    return error_memory(function, type->object.size);
  }
  memcpy((char *)to + sizeof *to, (const char *)from + sizeof *from, type->object.size - sizeof *from);
  return type->copied == NULL ? NULL : type->copied(function, to);
}

/* A user's callback is told of a copy, which has all that it is to have. */
static ctorch_error *tell(const char *function, ctorch_module *to, const ctorch_module *from) {
  struct module_own *own = module_hooks_copied(from->hooks);
  if (own == NULL) {
    return NULL;
  }
  ctorch_error *failure = NULL;
  object_ref(own);
  ctorch_callback_status status = own->copied(to, &failure, own->payload);
  object_unref(own);
  return callback_error(function, "copied", status, failure);
}

/* One module, with children that were copied before it. */
static ctorch_error *copy_module(struct copying *copying, ctorch_module **out, const ctorch_module *from) {
  const module_class *type = module_class_of(from);
  ctorch_module *to = NULL;
  ctorch_error *error =
      type->copy != NULL ? type->copy(copying->function, &to, from) : copy_bytes(copying->function, &to, from);
  if (error == NULL) {
    module_clear(to);
    to->is_evaluating = from->is_evaluating;
    to->options = object_ref(from->options);
  }
  THEN(error, copy_tensors(copying, &to->parameters, &from->parameters, true));
  THEN(error, copy_tensors(copying, &to->buffers, &from->buffers, false));
  if (error == NULL) {
    to->children.data = array_new(from->children.len, sizeof *to->children.data);
    error = to->children.data != NULL ? NULL
                                      : error_memory(copying->function, from->children.len * sizeof *to->children.data);
  }
  for (size_t i = 0; error == NULL && i < from->children.len; i++) {
    const ctorch_module *child = from->children.data[i].module;
    to->children.len = i + 1;
    to->children.data[i].module = child == NULL ? NULL : object_ref(copy_of(&copying->modules, child));
    error = copy_name(copying->function, &to->children.data[i].name, from->children.data[i].name);
  }
  if (error == NULL) {
    name_index_extend(&to->children.index, to->children.data, to->children.len, sizeof *to->children.data);
  }
  if (error == NULL && from->hooks != NULL) {
    error = module_hooks_copy(copying->function, &to->hooks, from->hooks);
    THEN(error, tell(copying->function, to, from));
  }
  if (error != NULL) {
    object_unref(to);
    return error;
  }
  *out = to;
  return NULL;
}

/* The children of a module and then itself, unless they are copied. */
static ctorch_error *copy_all(struct copying *copying, const ctorch_module *from) {
  if (copy_of(&copying->modules, from) != NULL) {
    return NULL;
  }
  for (size_t i = 0; i < from->children.len; i++) {
    if (from->children.data[i].module != NULL) {
      ctorch_error *error = copy_all(copying, from->children.data[i].module);
      if (error != NULL) {
        return error_at(error, "%s", from->children.data[i].name);
      }
    }
  }
  ctorch_module *copy = NULL;
  CTORCH_TRY(copy_module(copying, &copy, from));
  ctorch_error *error = note(copying->function, &copying->modules, from, copy);
  if (error != NULL) {
    object_unref(copy);
  }
  return error;
}

ctorch_error *ctorch_module_copy(ctorch_module **out, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(module_walk(__func__, &all, self, NULL, true, true)); /* which refuses what is nested too deep */
  object_unref(all);
  struct copying copying = {.function = __func__};
  ctorch_error *error = copy_all(&copying, self);
  ctorch_module *copy = error != NULL ? NULL : object_ref(copy_of(&copying.modules, self));
  for (size_t i = 0; i < copying.modules.from.len; i++) {
    object_unref(copying.modules.to[i]);
  }
  free_copied(&copying.modules);
  free_copied(&copying.tensors);
  return error != NULL ? error : object_give(__func__, out, copy);
}
