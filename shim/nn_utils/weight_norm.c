/* Weights as a direction and a length: <ctorch/nn_utils/module_weight_norm.h>. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "module/hooks.h"
#include "module/layer.h"
#include "module/lazy.h"
#include "module/walk.h"

struct weight_norm {
  struct module_computed computed;
  char *length, *direction; /* names of the parameters */
  int64_t dim;
};

static void finalize(void *object) {
  struct weight_norm *self = object;
  free(self->length);
  free(self->direction);
}

static const object_class weight_norm_class = {"weight_norm", sizeof(struct weight_norm), finalize};

static ctorch_error *compute(const struct module_computed *computed, ctorch_tensor **out, const ctorch_module *module) {
  const struct weight_norm *self = (const struct weight_norm *)computed;
  const ctorch_tensor *length = module_parameter(module, self->length);
  const ctorch_tensor *direction = module_parameter(module, self->direction);
  CTORCH_TRY(layer_needs(FORWARD, length, self->length));
  CTORCH_TRY(layer_needs(FORWARD, direction, self->direction));
  return ctorch_aten__weight_norm(out, direction, length, self->dim);
}

/* How the weight is computed; NULL is out of memory. */
static struct weight_norm *make(const char *name, int64_t dim) {
  struct weight_norm *self = object_new(&weight_norm_class);
  if (self == NULL) {
    return NULL;
  }
  self->computed.compute = compute;
  self->dim = dim;
  self->length = module_suffixed(name, "_g");
  self->direction = module_suffixed(name, "_v");
  if (self->length == NULL || self->direction == NULL) {
    object_unref(self);
    return NULL;
  }
  return self;
}

static bool is_normalized(const struct module_tensor *entry) {
  return entry != NULL && entry->computed != NULL && entry->computed->compute == compute;
}

/* A new leaf that requires gradients, with the same memory. */
static ctorch_error *to_leaf(ctorch_tensor **out, const ctorch_tensor *tensor) {
  struct steps s = {0};
  STEP(&s, ctorch_aten_detach(&s.next, tensor));
  THEN(s.error, ctorch_tensor_set_requires_grad(s.at, true));
  return steps_end(&s, out);
}

static ctorch_error *split(
    ctorch_tensor **length, ctorch_tensor **direction, const ctorch_tensor *weight, int64_t dim) {
  ctorch_tensor *norm = NULL;
  CTORCH_TRY(ctorch_aten_norm_except_dim(&norm, weight, 2, dim));
  ctorch_error *error = to_leaf(length, norm);
  ctorch_tensor_release(norm);
  return error != NULL ? error : to_leaf(direction, weight);
}

/* Both parameters, or none. */
static ctorch_error *add_both(
    ctorch_module *self, const struct weight_norm *how, ctorch_tensor *length, ctorch_tensor *direction) {
  CTORCH_TRY(ctorch_module_register_parameter(self, how->length, length));
  ctorch_error *error = ctorch_module_register_parameter(self, how->direction, direction);
  if (error != NULL) {
    ctorch_error_release(ctorch_module_unregister(self, how->length));
  }
  return error;
}

static ctorch_error *normalize(const char *function, ctorch_module *self, const char *name, struct weight_norm *how) {
  ctorch_tensor *length = NULL, *direction = NULL, *weight = NULL;
  const ctorch_tensor *whole = module_parameter(self, name);
  ctorch_error *error = split(&length, &direction, whole, how->dim);
  THEN(error, ctorch_aten__weight_norm(&weight, direction, length, how->dim));
  THEN(error, add_both(self, how, length, direction));
  if (error == NULL) {
    struct module_tensor *entry = module_find_tensor(&self->parameters, name); /* adding moved it */
    error = module_set_computed(function, self, entry, &how->computed);
    if (error == NULL) {
      module_replace(entry, weight);
    }
  }
  ctorch_tensor_release(length);
  ctorch_tensor_release(direction);
  ctorch_tensor_release(weight);
  return error;
}

static ctorch_error *check(const char *function, const ctorch_module *self, const char **name) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  *name = *name == NULL ? "weight" : *name;
  return error_unless_text(function, "name", *name);
}

ctorch_error *ctorch_module_weight_norm(ctorch_module *self, const char *name, int64_t dim) {
  CTORCH_TRY(check(__func__, self, &name));
  const struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  if (is_normalized(entry)) {
    return error_make(
        __func__, CTORCH_ERROR_RUNTIME, "Cannot register two weight_norm hooks on the same parameter %s", name);
  }
  if (entry == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no parameter `%s`", module_name(self), name);
  }
  if (entry->computed != NULL || entry->tensor == NULL) {
    return error_make(
        __func__, entry->tensor == NULL ? CTORCH_ERROR_TYPE : CTORCH_ERROR_RUNTIME, "the parameter `%s` is %s", name,
        entry->tensor == NULL ? "None" : "computed already");
  }
  if (lazy_is_any(self)) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE,
        "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward "
        "before applying weight normalization");
  }
  struct weight_norm *how = make(name, dim);
  if (how == NULL) {
    return error_memory(__func__, sizeof *how);
  }
  ctorch_error *error = normalize(__func__, self, name, how);
  object_unref(how);
  return error;
}

ctorch_error *ctorch_module_remove_weight_norm(ctorch_module *self, const char *name) {
  CTORCH_TRY(check(__func__, self, &name));
  struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  if (!is_normalized(entry)) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "weight_norm of '%s' not found in %s", name, module_name(self));
  }
  struct weight_norm *how = object_ref(entry->computed);
  ctorch_tensor *weight = NULL, *leaf = NULL;
  ctorch_error *error = compute(&how->computed, &weight, self);
  THEN(error, to_leaf(&leaf, weight));
  THEN(error, module_set_computed(__func__, self, entry, NULL));
  if (error == NULL) {
    module_replace(entry, leaf);
    error = ctorch_module_unregister(self, how->length);
    error = ctorch_error_first(error, ctorch_module_unregister(self, how->direction));
  }
  ctorch_tensor_release(weight);
  ctorch_tensor_release(leaf);
  object_unref(how);
  return error;
}
