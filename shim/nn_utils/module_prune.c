/* Pruned parameters: <ctorch/nn_utils/module_prune.h>. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/layer.h"
#include "module/walk.h"
#include "nn_utils/prune.h"

struct pruned {
  struct module_computed computed;
  char *orig, *mask; /* names of the parameter and of the buffer */
};

static void finalize(void *object) {
  struct pruned *self = object;
  free(self->orig);
  free(self->mask);
}

static const object_class pruned_class = {"pruned", sizeof(struct pruned), finalize};

/* The mask in the parameter's dtype, times the parameter. */
static ctorch_error *apply_mask(ctorch_tensor **out, const ctorch_tensor *mask, const ctorch_tensor *orig) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(orig);
  struct steps s = {0};
  STEP(&s, ctorch_tensor_to(&s.next, mask, &dtype, NULL, false, false, NULL));
  STEP(&s, ctorch_aten_mul_Tensor(&s.next, s.at, orig));
  return steps_end(&s, out);
}

static ctorch_error *parts(
    const char *function,
    const struct pruned *self,
    const ctorch_module *module,
    const ctorch_tensor **mask,
    ctorch_tensor **orig) {
  *mask = module_buffer(module, self->mask);
  *orig = module_parameter(module, self->orig);
  CTORCH_TRY(layer_needs(function, *mask, self->mask));
  return layer_needs(function, *orig, self->orig);
}

static ctorch_error *compute(const struct module_computed *computed, ctorch_tensor **out, const ctorch_module *module) {
  const ctorch_tensor *mask = NULL;
  ctorch_tensor *orig = NULL;
  CTORCH_TRY(parts(FORWARD, (const struct pruned *)computed, module, &mask, &orig));
  return apply_mask(out, mask, orig);
}

/* How the parameter is computed; NULL is out of memory. */
static struct pruned *make(const char *name) {
  struct pruned *self = object_new(&pruned_class);
  if (self == NULL) {
    return NULL;
  }
  self->computed.compute = compute;
  self->orig = module_suffixed(name, "_orig");
  self->mask = module_suffixed(name, "_mask");
  if (self->orig == NULL || self->mask == NULL) {
    object_unref(self);
    return NULL;
  }
  return self;
}

static struct pruned *pruned_of(const struct module_tensor *entry) {
  bool is_pruned = entry != NULL && entry->computed != NULL && entry->computed->compute == compute;
  return is_pruned ? (struct pruned *)entry->computed : NULL;
}

static bool is_name(const ctorch_module *self, const char *name) {
  return module_find_tensor(&self->parameters, name) != NULL || module_find_tensor(&self->buffers, name) != NULL ||
         module_find_child(self, name) != NULL;
}

ctorch_error *prune_check_parameter(const char *function, const ctorch_module *self, const char *name) {
  const struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  if (entry == NULL) {
    return is_name(self, name)
               ? error_make(function, CTORCH_ERROR_TYPE, "'%s' of %s is no parameter", name, module_name(self))
               : error_make(function, CTORCH_ERROR_INDEX, "'%s' object has no attribute '%s'", module_name(self), name);
  }
  if (entry->tensor != NULL && pruned_of(entry) != NULL) {
    return NULL;
  }
  if (entry->computed != NULL || entry->tensor == NULL) {
    return error_make(
        function, entry->tensor == NULL ? CTORCH_ERROR_TYPE : CTORCH_ERROR_RUNTIME, "the parameter '%s' is %s", name,
        entry->tensor == NULL ? "None" : "computed already");
  }
  struct pruned *how = make(name);
  if (how == NULL) {
    return error_memory(function, sizeof *how);
  }
  const char *taken = is_name(self, how->orig) ? how->orig : is_name(self, how->mask) ? how->mask : NULL;
  ctorch_error *error =
      taken == NULL ? NULL : error_make(function, CTORCH_ERROR_INDEX, "attribute '%s' already exists", taken);
  object_unref(how);
  return error;
}

static ctorch_error *check_scores(
    const char *function,
    const ctorch_module *self,
    const char *name,
    const ctorch_tensor *scores,
    const ctorch_tensor *weight) {
  if (scores == NULL || layer_has_shape_of(scores, weight)) {
    return NULL;
  }
  struct text text = {.function = function};
  text_add(&text, "importance_scores should have the same shape as parameter %s of %s, got ", name, module_name(self));
  text_size(&text, scores);
  text_add(&text, " vs ");
  text_size(&text, weight);
  ctorch_error *error = error_make(function, CTORCH_ERROR_VALUE, "%s", text_data(&text));
  return ctorch_error_first(text_end(&text), error);
}

ctorch_error *prune_mask_so_far(
    const char *function, ctorch_tensor **out, const ctorch_module *self, const struct module_tensor *entry) {
  const struct pruned *how = pruned_of(entry);
  if (how == NULL) {
    return ctorch_aten_ones_like(out, entry->tensor, NULL, NULL, NULL, NULL, NULL);
  }
  const ctorch_tensor *mask = NULL;
  ctorch_tensor *orig = NULL;
  CTORCH_TRY(parts(function, how, self, &mask, &orig));
  struct steps s = {0};
  STEP(&s, ctorch_aten_detach(&s.next, mask));
  STEP(&s, ctorch_aten_clone(&s.next, s.at, &(ctorch_memory_format){CTORCH_MEMORY_FORMAT_CONTIGUOUS}));
  return steps_end(&s, out);
}

/* Put the mask, the parameter and what is computed of both where they belong. */
static ctorch_error *put(
    const char *function,
    ctorch_module *self,
    const char *name,
    const struct pruned *how,
    ctorch_tensor *orig,
    const ctorch_tensor *mask,
    const ctorch_tensor *weight) {
  bool is_first = pruned_of(module_find_tensor(&self->parameters, name)) == NULL;
  ctorch_error *error = is_first ? ctorch_module_register_parameter(self, how->orig, orig) : NULL;
  if (error == NULL) {
    error = ctorch_module_register_buffer(self, how->mask, mask, true);
    struct module_tensor *entry = module_find_tensor(&self->parameters, name); /* adding moved it */
    THEN(error, module_set_computed(function, self, entry, &how->computed));
    if (error == NULL) {
      module_replace(entry, weight);
      return NULL;
    }
  }
  if (is_first) { /* neither was there before */
    ctorch_error_release(ctorch_module_unregister(self, how->orig));
    ctorch_error_release(ctorch_module_unregister(self, how->mask));
  }
  return error;
}

/* The new mask; `weight` is what the parameter is now. */
static ctorch_error *compute_mask(
    const struct prune_method *method,
    ctorch_tensor **out,
    const ctorch_module *self,
    const struct module_tensor *entry,
    const ctorch_tensor *scores) {
  bool is_first = pruned_of(entry) == NULL;
  ctorch_tensor *before = NULL, *weight = tensor_ref(entry->tensor); /* a callback might take it out */
  ctorch_error *error = prune_mask_so_far(method->function, &before, self, entry);
  if (error == NULL) {
    scores = scores == NULL ? weight : scores;
    error = is_first ? method->compute_mask(method, out, scores, before) : prune_again(method, out, scores, before);
  }
  ctorch_tensor_release(before);
  tensor_unref(weight);
  return error;
}

/* Prune what prune_check_parameter has nothing against. */
static ctorch_error *prune_checked(
    const struct prune_method *method, ctorch_module *self, const char *name, const ctorch_tensor *scores) {
  const char *function = method->function;
  const struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  CTORCH_TRY(check_scores(function, self, name, scores, entry->tensor));
  const struct module_computed *before = entry->computed;
  struct pruned *how = before != NULL ? object_ref(before) : make(name);
  if (how == NULL) {
    return error_memory(function, sizeof *how);
  }
  ctorch_tensor *mask = NULL, *weight = NULL;
  ctorch_tensor *orig = tensor_ref(before != NULL ? module_parameter(self, how->orig) : entry->tensor);
  ctorch_error *error = compute_mask(method, &mask, self, entry, scores);
  THEN(error, apply_mask(&weight, mask, orig));
  if (error == NULL && method->callback != NULL) { /* which can do anything */
    entry = module_find_tensor(&self->parameters, name);
    const ctorch_tensor *now = entry == NULL    ? NULL
                               : before != NULL ? module_parameter(self, how->orig)
                                                : entry->tensor;
    if (entry == NULL || entry->computed != before || now != orig || (before != NULL && !is_name(self, how->mask))) {
      error = error_make(function, CTORCH_ERROR_RUNTIME, "compute_mask changed the parameter '%s' itself", name);
    } else {
      error = prune_check_parameter(function, self, name);
    }
  }
  THEN(error, put(function, self, name, how, orig, mask, weight));
  ctorch_tensor_release(mask);
  ctorch_tensor_release(weight);
  tensor_unref(orig);
  object_unref(how);
  return error;
}

static ctorch_error *check(const char *function, const ctorch_module *self, const char *name) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || name == NULL) {
    return error_null(function, self == NULL ? "self" : "name");
  }
  return error_unless_text(function, "name", name);
}

ctorch_error *prune_parameter(
    const struct prune_method *method, ctorch_module *self, const char *name, const ctorch_tensor *scores) {
  CTORCH_TRY(check(method->function, self, name));
  if (method->amount != NULL) {
    CTORCH_TRY(prune_check_amount(method->function, method->amount));
  }
  CTORCH_TRY(prune_check_parameter(method->function, self, name));
  return prune_checked(method, self, name, scores);
}

/* With an amount, which has to be there. */
static ctorch_error *prune_amount(
    const struct prune_method *method, ctorch_module *self, const char *name, const ctorch_tensor *scores) {
  CTORCH_TRY(check(method->function, self, name));
  return method->amount == NULL ? error_null(method->function, "amount") : prune_parameter(method, self, name, scores);
}

ctorch_error *ctorch_module_prune_identity(ctorch_module *self, const char *name) {
  const struct prune_method method = {.function = __func__, .compute_mask = prune_identity};
  return prune_parameter(&method, self, name, NULL);
}

ctorch_error *ctorch_module_prune_random_unstructured(
    ctorch_module *self, const char *name, const ctorch_scalar *amount) {
  const struct prune_method method = {
      .function = __func__, .compute_mask = prune_random_unstructured, .amount = amount};
  return prune_amount(&method, self, name, NULL);
}

ctorch_error *ctorch_module_prune_l1_unstructured(
    ctorch_module *self, const char *name, const ctorch_scalar *amount, const ctorch_tensor *importance_scores) {
  const struct prune_method method = {.function = __func__, .compute_mask = prune_l1_unstructured, .amount = amount};
  return prune_amount(&method, self, name, importance_scores);
}

ctorch_error *ctorch_module_prune_random_structured(
    ctorch_module *self, const char *name, const ctorch_scalar *amount, int64_t dim) {
  const struct prune_method method = {
      .function = __func__,
      .compute_mask = prune_random_structured,
      .type = PRUNE_STRUCTURED,
      .amount = amount,
      .dim = &dim};
  return prune_amount(&method, self, name, NULL);
}

ctorch_error *ctorch_module_prune_ln_structured(
    ctorch_module *self,
    const char *name,
    const ctorch_scalar *amount,
    double n,
    int64_t dim,
    const ctorch_tensor *importance_scores) {
  const struct prune_method method = {
      .function = __func__,
      .compute_mask = prune_ln_structured,
      .type = PRUNE_STRUCTURED,
      .amount = amount,
      .dim = &dim,
      .n = n};
  return prune_amount(&method, self, name, importance_scores);
}

ctorch_error *ctorch_module_prune_ln_structured_str(
    ctorch_module *self,
    const char *name,
    const ctorch_scalar *amount,
    const char *n,
    int64_t dim,
    const ctorch_tensor *importance_scores) {
  CTORCH_TRY(check(__func__, self, name));
  if (n == NULL) {
    return error_null(__func__, "n");
  }
  CTORCH_TRY(error_unless_text(__func__, "n", n));
  const struct prune_method method = {
      .function = __func__,
      .compute_mask = prune_ln_structured,
      .type = PRUNE_STRUCTURED,
      .amount = amount,
      .dim = &dim,
      .norm = n};
  return prune_amount(&method, self, name, importance_scores);
}

ctorch_error *ctorch_module_prune_custom_from_mask(ctorch_module *self, const char *name, const ctorch_tensor *mask) {
  CTORCH_TRY(check(__func__, self, name));
  if (mask == NULL) {
    return error_null(__func__, "mask");
  }
  const struct prune_method method = {
      .function = __func__, .compute_mask = prune_from_mask, .type = PRUNE_GLOBAL, .mask = mask};
  return prune_parameter(&method, self, name, NULL);
}

ctorch_error *ctorch_module_prune_by(
    ctorch_module *self,
    const char *name,
    ctorch_tensors_callback compute_mask,
    void *payload,
    const char *pruning_type,
    const int64_t *dim,
    const ctorch_tensor *importance_scores) {
  static const char *const types[] = {"unstructured", "structured", "global"};
  struct prune_method method = {
      .function = __func__,
      .compute_mask = prune_by_callback,
      .dim = dim,
      .callback = compute_mask,
      .payload = payload};
  CTORCH_TRY(check(__func__, self, name));
  if (compute_mask == NULL || pruning_type == NULL) {
    return error_null(__func__, compute_mask == NULL ? "compute_mask" : "pruning_type");
  }
  CTORCH_TRY(error_unless_text(__func__, "pruning_type", pruning_type));
  while (method.type <= PRUNE_GLOBAL && strcmp(types[method.type], pruning_type) != 0) {
    method.type++;
  }
  if (method.type > PRUNE_GLOBAL) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "Unrecognized PRUNING_TYPE %s", pruning_type);
  }
  return prune_parameter(&method, self, name, importance_scores);
}

/* The end of it. */

ctorch_error *ctorch_module_prune_remove(ctorch_module *self, const char *name) {
  CTORCH_TRY(check(__func__, self, name));
  struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  struct pruned *how = pruned_of(entry);
  if (how == NULL) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE, "Parameter '%s' of module %s has to be pruned before pruning can be removed",
        name, module_name(self));
  }
  const ctorch_tensor *mask = NULL;
  ctorch_tensor *orig = NULL, *data = NULL;
  CTORCH_TRY(parts(__func__, how, self, &mask, &orig));
  struct steps s = {0};
  STEP(&s, apply_mask(&s.next, mask, orig));
  STEP(&s, ctorch_aten_detach(&s.next, s.at));
  CTORCH_TRY(steps_end(&s, &data));
  object_ref(how);
  ctorch_error *error = ctorch_aten_set_data(orig, data);
  THEN(error, module_set_computed(__func__, self, entry, NULL));
  if (error == NULL) {
    module_replace(entry, orig);
    error = ctorch_module_unregister(self, how->orig);
    error = ctorch_error_first(error, ctorch_module_unregister(self, how->mask));
  }
  ctorch_tensor_release(data);
  object_unref(how);
  return error;
}

ctorch_error *ctorch_module_is_pruned(bool *out, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(module_walk(__func__, &all, self, NULL, true, true));
  bool is_pruned = false;
  for (size_t i = 0; i < all->len; i++) {
    const struct module_tensors *parameters = &all->data[i].module->parameters;
    for (size_t j = 0; j < parameters->len; j++) {
      is_pruned |= pruned_of(&parameters->data[j]) != NULL;
    }
  }
  object_unref(all);
  *out = is_pruned;
  return NULL;
}
