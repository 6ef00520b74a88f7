/* Tensors that modules compute: <ctorch/nn_utils/module_parametrize.h>. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/parametrize_cached.h"
#include "module/parametrize_list.h"
#include "module/walk.h"
#include "nn_utils/parametrize.h"

#define CHILD "parametrizations"
#define PREFIX "Parametrized"

struct parametrized {
  struct module_computed computed;
  char *name;
};

static void finalize(void *object) {
  struct parametrized *self = object;
  tensor_unref(self->computed.placeholder);
  free(self->name);
}

static const object_class parametrized_class = {"parametrized", sizeof(struct parametrized), finalize};

static ctorch_error *compute(const struct module_computed *computed, ctorch_tensor **out, const ctorch_module *module) {
  static const char function[] = "ctorch_module_get_tensor";
  const char *name = ((const struct parametrized *)computed)->name;
  ctorch_tensor *tensor = NULL;
  bool is_kept = parametrize_cached_find(&tensor, module, name);
  if (tensor != NULL) {
    return tensor_give(function, out, tensor);
  }
  ctorch_module *list = object_ref(parametrize_list_of(module, name));
  if (list == NULL) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "%s has no " CHILD ".%s, which computes %s", module_name(module), name, name);
  }
  ctorch_error *error = parametrize_list_compute(function, &tensor, list);
  if (error == NULL && is_kept) {
    error = parametrize_cached_add(function, module, name, tensor);
  }
  object_unref(list);
  if (error != NULL) {
    ctorch_tensor_release(tensor);
    return error;
  }
  *out = tensor;
  return NULL;
}

/* How a tensor of this name is computed. */
static ctorch_error *make(
    const char *function, struct parametrized **out, const char *name, const ctorch_tensor *like) {
  struct parametrized *self = object_new(&parametrized_class);
  ctorch_tensor *placeholder = NULL;
  if (self == NULL || (self->name = module_join(name, "")) == NULL) {
    object_unref(self);
    return error_memory(function, sizeof *self);
  }
  self->computed.compute = compute;
  ctorch_error *error =
      ctorch_aten_empty_like(&placeholder, like, NULL, NULL, &(ctorch_device){CTORCH_DEVICE_TYPE_META, -1}, NULL, NULL);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  self->computed.placeholder = tensor_take(placeholder);
  *out = self;
  return NULL;
}

static struct module_tensor *find_entry(const ctorch_module *self, const char *name, bool *is_parameter) {
  struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  *is_parameter = entry != NULL;
  return entry != NULL ? entry : module_find_tensor(&self->buffers, name);
}

bool ctorch_module_is_parametrized(const ctorch_module *self, const char *tensor_name) {
  const ctorch_module *all = self == NULL ? NULL : module_child(self, CHILD);
  if (all == NULL || tensor_name != NULL) {
    return all != NULL && parametrize_list_of(self, tensor_name) != NULL;
  }
  for (size_t i = 0; i < all->children.len; i++) {
    if (parametrize_list_of(self, all->children.data[i].name) != NULL) {
      return true;
    }
  }
  return false;
}

const char *ctorch_module_type_before_parametrizations(const ctorch_module *self) {
  return self == NULL ? NULL : module_class_name(self);
}

/* Registering. */

/* The dict that a module's lists stand in, borrowed from it: the one that it has, or a new one. */
static ctorch_error *dict_of(ctorch_module **out, ctorch_module *self) {
  ctorch_module *dict = NULL;
  if (!ctorch_module_is_parametrized(self, NULL)) {
    CTORCH_TRY(ctorch_nn_ModuleDict(&dict));
    ctorch_error *error = ctorch_module_register_module(self, CHILD, dict);
    ctorch_module_release(dict);
    CTORCH_TRY(error);
  }
  *out = module_child(self, CHILD);
  return NULL;
}

/* A module that has no parametrizations any more is what it was. */
static ctorch_error *end_unless_parametrized(ctorch_module *self) {
  if (ctorch_module_is_parametrized(self, NULL)) {
    return NULL;
  }
  if (self->hooks != NULL) {
    module_hooks_rename(self->hooks, NULL);
  }
  return ctorch_module_unregister(self, CHILD);
}

/* The entry is computed from now on; a reference to `how` is taken, and none to the tensor is left. */
static ctorch_error *compute_entry(
    const char *function, ctorch_module *self, const char *name, const struct parametrized *how) {
  bool is_parameter = false;
  struct module_tensor *entry = find_entry(self, name, &is_parameter);
  if (entry == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "%s has no attribute '%s'", module_name(self), name);
  }
  const char *class_name = module_class_name(self);
  size_t size = strlen(class_name) + sizeof PREFIX;
  char *title = malloc(size);
  if (title == NULL) {
    return error_memory(function, size);
  }
  snprintf(title, size, PREFIX "%s", class_name);
  ctorch_error *error = module_set_computed(function, self, entry, &how->computed);
  if (error != NULL) {
    free(title);
    return error;
  }
  module_replace(entry, how->computed.placeholder);
  module_hooks_rename(self->hooks, title);
  return NULL;
}

static ctorch_error *register_first(
    const char *function,
    ctorch_module *self,
    const char *name,
    ctorch_tensor *whole,
    bool is_parameter,
    ctorch_module *parametrization,
    bool unsafe) {
  struct parametrized *how = NULL;
  ctorch_module *dict = NULL, *list = NULL;
  ctorch_tensor *before = NULL;
  CTORCH_TRY(make(function, &how, name, whole));
  ctorch_error *error = ctorch_aten_detach(&before, whole);
  THEN(error, dict_of(&dict, self));
  if (error == NULL) {
    object_ref(dict);
    error = parametrize_list_new(function, &list, parametrization, whole, is_parameter, unsafe);
    THEN(error, module_add_child(function, dict, name, list));
    THEN(error, compute_entry(function, self, name, how));
    if (error != NULL && list != NULL) {
      error = ctorch_error_first(error, parametrize_set(whole, before));
      if (module_child(dict, name) != NULL) {
        error = ctorch_error_first(error, ctorch_module_unregister(dict, name));
      }
    }
    error = error == NULL ? NULL : ctorch_error_first(error, end_unless_parametrized(self));
    object_unref(dict);
    object_unref(list);
  }
  ctorch_tensor_release(before);
  object_unref(how);
  return error;
}

static ctorch_error *check(const char *function, const ctorch_module *self, const char *name) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || name == NULL) {
    return error_null(function, self == NULL ? "self" : "tensor_name");
  }
  return error_unless_text(function, "tensor_name", name);
}

static ctorch_error *not_parametrized(const char *function, const ctorch_module *self, const char *name) {
  return error_make(
      function, CTORCH_ERROR_VALUE, "Module %s does not have a parametrization on %s", module_name(self), name);
}

/* What is computed now; the caller's. */
static ctorch_error *compute_now(
    const char *function, ctorch_tensor **out, const ctorch_module *self, const char *name) {
  bool is_parameter = false;
  const struct module_tensor *entry = find_entry(self, name, &is_parameter);
  if (entry == NULL || entry->computed == NULL || entry->computed->compute != compute) {
    return not_parametrized(function, self, name);
  }
  struct module_computed *how = object_ref(entry->computed);
  ctorch_error *error = compute(how, out, self);
  object_unref(how);
  return error;
}

ctorch_error *module_register_parametrization(
    const char *function, ctorch_module *self, const char *name, ctorch_module *parametrization, bool unsafe) {
  CTORCH_TRY(ctorch_module_train(parametrization, module_is_training(self)));
  ctorch_module *list = parametrize_list_of(self, name);
  if (list != NULL) {
    ctorch_tensor *now = NULL;
    if (!unsafe) {
      CTORCH_TRY(compute_now(function, &now, self, name));
    }
    ctorch_error *error = parametrize_list_append(function, list, name, now, parametrization, unsafe);
    ctorch_tensor_release(now);
    return error;
  }
  bool is_parameter = false;
  const struct module_tensor *entry = find_entry(self, name, &is_parameter);
  if (entry == NULL || entry->computed != NULL) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "Module '%s' does not have a parameter, a buffer, or a parametrized element with name '%s'", module_name(self),
        name);
  }
  if (entry->tensor == NULL) {
    return error_make(function, CTORCH_ERROR_TYPE, "the %s `%s` is None", is_parameter ? "parameter" : "buffer", name);
  }
  ctorch_tensor *whole = tensor_ref(entry->tensor);
  ctorch_error *error = register_first(function, self, name, whole, is_parameter, parametrization, unsafe);
  tensor_unref(whole);
  return error;
}

ctorch_error *ctorch_module_register_parametrization(
    ctorch_module *self, const char *tensor_name, ctorch_module *parametrization, bool unsafe) {
  CTORCH_TRY(check(__func__, self, tensor_name));
  return parametrization == NULL
             ? error_null(__func__, "parametrization")
             : module_register_parametrization(__func__, self, tensor_name, parametrization, unsafe);
}

/* Removing. */

/* A leaf with the values that are computed now. */
static ctorch_error *compute_leaf(const char *function, ctorch_tensor **out, ctorch_module *self, const char *name) {
  ctorch_tensor *tensor = NULL, *leaf = NULL;
  CTORCH_TRY(compute_now(function, &tensor, self, name));
  ctorch_error *error = ctorch_aten_detach(&leaf, tensor);
  if (error == NULL && ctorch_tensor_requires_grad(tensor)) {
    error = ctorch_tensor_set_requires_grad(leaf, true);
  }
  ctorch_tensor_release(tensor);
  if (error != NULL) {
    ctorch_tensor_release(leaf);
    return error;
  }
  *out = leaf;
  return NULL;
}

/* The one original, with the values that are computed now. */
static ctorch_error *compute_original(
    const char *function, ctorch_tensor *original, ctorch_module *self, const char *name) {
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = compute_now(function, &tensor, self, name);
  error = ctorch_error_first(error, ctorch_grad_mode_pop());
  THEN(error, parametrize_set(original, tensor));
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *put_back(
    const char *function, ctorch_module *self, const char *name, const ctorch_tensor *tensor) {
  bool is_parameter = false;
  struct module_tensor *entry = find_entry(self, name, &is_parameter);
  if (entry == NULL) {
    return not_parametrized(function, self, name);
  }
  CTORCH_TRY(module_set_computed(function, self, entry, NULL));
  module_replace(entry, tensor);
  CTORCH_TRY(ctorch_module_unregister(module_child(self, CHILD), name));
  return end_unless_parametrized(self);
}

ctorch_error *ctorch_module_remove_parametrizations(
    ctorch_module *self, const char *tensor_name, bool leave_parametrized) {
  CTORCH_TRY(check(__func__, self, tensor_name));
  const ctorch_module *list = parametrize_list_of(self, tensor_name);
  if (list == NULL) {
    return not_parametrized(__func__, self, tensor_name);
  }
  if (parametrize_list_is_tensor(list)) {
    ctorch_tensor *original = tensor_ref(parametrize_list_original(list));
    ctorch_error *error =
        leave_parametrized && original != NULL ? compute_original(__func__, original, self, tensor_name) : NULL;
    THEN(error, put_back(__func__, self, tensor_name, original));
    tensor_unref(original);
    return error;
  }
  if (!leave_parametrized) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE,
        "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence "
        "of tensors.");
  }
  ctorch_tensor *leaf = NULL;
  CTORCH_TRY(compute_leaf(__func__, &leaf, self, tensor_name));
  ctorch_error *error = put_back(__func__, self, tensor_name, leaf);
  ctorch_tensor_release(leaf);
  return error;
}

/* Transferring. */

static ctorch_error *transfer(const char *function, ctorch_module *self, ctorch_module *to, const char *name) {
  bool is_parameter = false;
  const ctorch_module *list = parametrize_list_of(self, name);
  if (find_entry(to, name, &is_parameter) == NULL && module_find_child(to, name) == NULL) {
    ctorch_tensor *leaf = NULL;
    CTORCH_TRY(compute_leaf(function, &leaf, self, name));
    ctorch_error *error = ctorch_tensor_set_requires_grad(leaf, true);
    THEN(error, ctorch_module_register_parameter(to, name, leaf));
    ctorch_tensor_release(leaf);
    CTORCH_TRY(error);
  }
  for (size_t i = 0; i < list->children.len; i++) {
    CTORCH_TRY(module_register_parametrization(function, to, name, list->children.data[i].module, false));
  }
  ctorch_module *made = parametrize_list_of(to, name);
  return made == NULL ? NULL : parametrize_list_share(made, list);
}

ctorch_error *ctorch_module_transfer_parametrizations_and_params(
    ctorch_module *self, ctorch_module *to, const char *tensor_name) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || to == NULL) {
    return error_null(__func__, self == NULL ? "self" : "to");
  }
  CTORCH_TRY(error_unless_text(__func__, "tensor_name", tensor_name));
  if (!ctorch_module_is_parametrized(self, NULL) || self == to) {
    return NULL;
  }
  if (tensor_name != NULL && !ctorch_module_is_parametrized(self, tensor_name)) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no " CHILD ".%s", module_name(self), tensor_name);
  }
  const ctorch_module *all = module_child(self, CHILD);
  for (size_t i = 0; i < all->children.len; i++) {
    const char *name = all->children.data[i].name;
    if ((tensor_name == NULL || strcmp(name, tensor_name) == 0) && ctorch_module_is_parametrized(self, name)) {
      CTORCH_TRY(transfer(__func__, self, to, name));
    }
  }
  return NULL;
}

/* Reading and writing. */

ctorch_error *ctorch_module_get_tensor(ctorch_tensor **out, ctorch_module *self, const char *target) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || target == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "target");
  }
  CTORCH_TRY(error_unless_text(__func__, "target", target));
  const char *dot = strrchr(target, '.'), *name = dot == NULL ? target : dot + 1;
  bool is_parameter = false;
  ctorch_module *module = NULL;
  CTORCH_TRY(module_find(__func__, &module, self, target, dot == NULL ? 0 : (size_t)(dot - target)));
  const struct module_tensor *entry = find_entry(module, name, &is_parameter);
  if (entry == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no attribute `%s`", module_name(module), name);
  }
  if (entry->computed != NULL && entry->computed->placeholder != NULL) {
    return compute_now(__func__, out, module, name);
  }
  return tensor_give(__func__, out, entry->tensor);
}

ctorch_error *ctorch_module_set_parametrized(ctorch_module *self, const char *tensor_name, const ctorch_tensor *value) {
  CTORCH_TRY(check(__func__, self, tensor_name));
  if (value == NULL) {
    return error_null(__func__, "value");
  }
  ctorch_module *list = object_ref(parametrize_list_of(self, tensor_name));
  if (list == NULL) {
    return not_parametrized(__func__, self, tensor_name);
  }
  ctorch_error *error = parametrize_list_assign(__func__, list, value);
  object_unref(list);
  return error;
}

/* What is parametrized by what comes with it. */

ctorch_error *module_parametrized_weight(
    const char *function, ctorch_tensor **out, ctorch_module *self, const char **name) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  *name = *name == NULL ? "weight" : *name;
  CTORCH_TRY(error_unless_text(function, "name", *name));
  ctorch_module_member_kind kind = ctorch_module_member_kind_of(self, *name);
  if (kind != CTORCH_MODULE_MEMBER_NOTHING && kind != CTORCH_MODULE_MEMBER_MODULE &&
      kind != CTORCH_MODULE_MEMBER_OPTION) {
    CTORCH_TRY(ctorch_module_get_tensor(out, self, *name));
  }
  return *out != NULL ? NULL
                      : error_make(
                            function, CTORCH_ERROR_VALUE, "Module '%s' has no parameter or buffer with name '%s'",
                            module_name(self), *name);
}
