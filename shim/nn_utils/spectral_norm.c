/* Weights with a spectral norm of 1: <ctorch/nn_utils/module_spectral_norm.h>. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/layer.h"
#include "nn_utils/spectral.h"

enum part { ORIGINAL, U, V, PARTS };

struct spectral_norm {
  struct module_computed computed;
  char *name, *parts[PARTS];
  int64_t iterations, dim;
  double eps;
};

static void finalize(void *object) {
  struct spectral_norm *self = object;
  free(self->name);
  for (int part = 0; part < PARTS; part++) {
    free(self->parts[part]);
  }
}

static const object_class spectral_norm_class = {"spectral_norm", sizeof(struct spectral_norm), finalize};

/* The texts as one; to be freed, NULL is out of memory. */
static char *joined(const char *one, const char *two) {
  size_t size = strlen(one) + strlen(two) + 1;
  char *text = malloc(size);
  if (text != NULL) {
    snprintf(text, size, "%s%s", one, two);
  }
  return text;
}

/* The weight is divided by uᵀ·W·v, after power iterations if there are to be any. */
static ctorch_error *divide(
    const struct spectral_norm *self, ctorch_tensor **out, const ctorch_module *module, bool iterates) {
  const ctorch_tensor *weight = module_parameter(module, self->parts[ORIGINAL]);
  ctorch_tensor *u = module_buffer(module, self->parts[U]), *v = module_buffer(module, self->parts[V]);
  CTORCH_TRY(layer_needs(FORWARD, weight, self->parts[ORIGINAL]));
  CTORCH_TRY(layer_needs(FORWARD, u, self->parts[U]));
  CTORCH_TRY(layer_needs(FORWARD, v, self->parts[V]));
  const ctorch_memory_format contiguous = CTORCH_MEMORY_FORMAT_CONTIGUOUS;
  ctorch_tensor *matrix = NULL, *transposed = NULL, *own_u = NULL, *own_v = NULL;
  CTORCH_TRY(spectral_matrix(&matrix, weight, self->dim));
  ctorch_error *error = NULL;
  if (iterates) {
    error = ctorch_grad_mode_push(false);
    if (error == NULL) {
      error = ctorch_aten_t(&transposed, matrix);
      for (int64_t i = 0; error == NULL && i < self->iterations; i++) {
        error = spectral_iterate(v, transposed, u, self->eps);
        THEN(error, spectral_iterate(u, matrix, v, self->eps));
      }
      THEN(error, ctorch_aten_clone(&own_u, u, &contiguous)); /* for the graph: the next call */
      THEN(error, ctorch_aten_clone(&own_v, v, &contiguous)); /* changes them */
      error = ctorch_error_first(error, ctorch_grad_mode_pop());
    }
  }
  struct steps s = {.error = error};
  STEP(&s, ctorch_aten_mv(&s.next, matrix, own_v != NULL ? own_v : v));
  STEP(&s, ctorch_aten_dot(&s.next, own_u != NULL ? own_u : u, s.at));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, weight, s.at));
  ctorch_tensor_release(matrix);
  ctorch_tensor_release(transposed);
  ctorch_tensor_release(own_u);
  ctorch_tensor_release(own_v);
  return steps_end(&s, out);
}

static ctorch_error *compute(const struct module_computed *computed, ctorch_tensor **out, const ctorch_module *module) {
  return divide((const struct spectral_norm *)computed, out, module, module_is_training(module));
}

/* State dicts. */

static const char metadata_key[] = "spectral_norm", version_suffix[] = ".version";

/* {"spectral_norm": {"weight.version": 1}} */
static ctorch_error *save_version(const struct module_computed *computed, ctorch_value *metadata) {
  const struct spectral_norm *self = (const struct spectral_norm *)computed;
  ctorch_value *key = NULL, *versions = NULL, *one = NULL;
  bool is_there = false;
  char *name = joined(self->name, version_suffix);
  if (name == NULL) {
    return error_memory("ctorch_module_state_dict", strlen(self->name) + sizeof version_suffix);
  }
  ctorch_error *error = ctorch_value_from_string(&key, metadata_key);
  THEN(error, ctorch_value_dict_contains(&is_there, metadata, key));
  if (error == NULL && is_there) { /* of another weight */
    error = ctorch_value_dict_get(&versions, metadata, key);
  } else if (error == NULL) {
    error = ctorch_value_from_dict(&versions, NULL, 0, NULL, 0);
    THEN(error, ctorch_value_dict_put(metadata, metadata_key, versions));
  }
  THEN(error, ctorch_value_from_int(&one, 1));
  THEN(error, ctorch_value_dict_put(versions, name, one));
  free(name);
  ctorch_value_release(one);
  ctorch_value_release(versions);
  ctorch_value_release(key);
  return error;
}

/* An entry of a dict, owned; NULL for none. */
static ctorch_error *entry_of(ctorch_value **out, const ctorch_value *dict, const char *name) {
  ctorch_value *key = NULL;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = ctorch_value_dict_contains(&is_there, dict, key);
  if (error == NULL && is_there) {
    error = ctorch_value_dict_get(out, dict, key);
  }
  ctorch_value_release(key);
  return error;
}

/* The version that metadata give for the weight; -1 for none. */
static ctorch_error *version_of(int64_t *out, const ctorch_value *metadata, const char *name) {
  ctorch_value *versions = NULL, *version = NULL;
  char *key = joined(name, version_suffix);
  *out = -1;
  if (key == NULL) {
    return error_memory("ctorch_module_load_state_dict", strlen(name) + sizeof version_suffix);
  }
  ctorch_error *error = metadata == NULL ? NULL : entry_of(&versions, metadata, metadata_key);
  if (error == NULL && versions != NULL && ctorch_value_kind_of(versions) == CTORCH_VALUE_DICT) {
    error = entry_of(&version, versions, key);
  }
  if (error == NULL && version != NULL && ctorch_value_kind_of(version) == CTORCH_VALUE_INT) {
    error = ctorch_value_to_int(out, version);
  }
  free(key);
  ctorch_value_release(version);
  ctorch_value_release(versions);
  return error;
}

/* The v for which u = W·v and uᵀ·W·v is the norm that the weight was divided by. */
static ctorch_error *solve_v(
    const struct spectral_norm *self,
    ctorch_tensor **out,
    const ctorch_tensor *original,
    const ctorch_tensor *weight,
    const ctorch_tensor *u) {
  ctorch_tensor *matrix = NULL, *transposed = NULL, *column = NULL, *inverse = NULL, *v = NULL, *norm = NULL,
                *target = NULL;
  struct steps s = {0};
  CTORCH_TRY(spectral_matrix(&matrix, original, self->dim));
  THEN(s.error, ctorch_aten_t(&transposed, matrix));
  THEN(s.error, ctorch_aten_unsqueeze(&column, u, 1));
  STEP(&s, ctorch_aten_mm(&s.next, transposed, matrix));
  THEN(s.error, ctorch_aten_pinverse(&inverse, s.at, 1e-15));
  STEP(&s, ctorch_aten_linalg_multi_dot(&s.next, (const ctorch_tensor *const[]){inverse, transposed, column}, 3));
  THEN(s.error, ctorch_aten_squeeze_dim(&v, s.at, 1));
  STEP(&s, ctorch_aten_mv(&s.next, matrix, v));
  THEN(s.error, ctorch_aten_dot(&norm, u, s.at));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, original, weight));
  THEN(s.error, ctorch_aten_mean(&target, s.at, NULL));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, target, norm));
  STEP(&s, ctorch_aten_mul_Tensor(&s.next, v, s.at));
  ctorch_tensor_release(matrix);
  ctorch_tensor_release(transposed);
  ctorch_tensor_release(column);
  ctorch_tensor_release(inverse);
  ctorch_tensor_release(v);
  ctorch_tensor_release(norm);
  ctorch_tensor_release(target);
  return steps_end(&s, out);
}

enum old { OLD_ORIGINAL, OLD_WEIGHT, OLD_U, OLD_PARTS };

/* The tensors under the old names, each the caller's; `*out_complete` is whether all are there. */
static ctorch_error *find_old(
    struct module_loading *loading,
    char *const keys[OLD_PARTS],
    ctorch_tensor *tensors[OLD_PARTS],
    bool *out_complete) {
  *out_complete = true;
  for (int i = 0; i < OLD_PARTS; i++) {
    ctorch_value *value = NULL;
    CTORCH_TRY(entry_of(&value, loading->state_dict, keys[i]));
    ctorch_error *error = NULL;
    if (value == NULL) {
      *out_complete = false;
      ctorch_value *key = NULL;
      error = ctorch_value_from_string(&key, keys[i]);
      THEN(error, ctorch_value_list_append(loading->missing, key));
      ctorch_value_release(key);
    } else {
      error = ctorch_value_to_tensor(&tensors[i], value);
    }
    ctorch_value_release(value);
    CTORCH_TRY(error);
  }
  return NULL;
}

static ctorch_error *replace_old(
    const struct spectral_norm *self,
    struct module_loading *loading,
    char *const keys[OLD_PARTS],
    const char *v_key,
    ctorch_tensor *const tensors[OLD_PARTS]) {
  ctorch_tensor *v = NULL;
  ctorch_value *key = NULL, *value = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = solve_v(self, &v, tensors[OLD_ORIGINAL], tensors[OLD_WEIGHT], tensors[OLD_U]);
  error = ctorch_error_first(error, ctorch_grad_mode_pop());
  THEN(error, ctorch_value_from_string(&key, keys[OLD_WEIGHT]));
  THEN(error, ctorch_value_dict_remove(loading->state_dict, key));
  THEN(error, ctorch_value_from_tensor(&value, v));
  THEN(error, ctorch_value_dict_put(loading->state_dict, v_key, value));
  ctorch_tensor_release(v);
  ctorch_value_release(key);
  ctorch_value_release(value);
  return error;
}

/* Version 0 had the weight in the place of v. */
static ctorch_error *load_old(const struct spectral_norm *self, struct module_loading *loading, bool has_version) {
  char *const keys[OLD_PARTS] = {
      joined(loading->prefix, self->parts[ORIGINAL]), joined(loading->prefix, self->name),
      joined(loading->prefix, self->parts[U])};
  char *v_key = joined(loading->prefix, self->parts[V]);
  ctorch_tensor *tensors[OLD_PARTS] = {NULL};
  ctorch_value *found[PARTS + 1] = {NULL};
  const char *const names[PARTS + 1] = {keys[OLD_ORIGINAL], keys[OLD_U], v_key, keys[OLD_WEIGHT]};
  bool is_complete = false;
  ctorch_error *error = NULL;
  for (int i = 0; i <= PARTS; i++) {
    THEN(error, names[i] == NULL ? error_memory(loading->function, strlen(loading->prefix)) : NULL);
    THEN(error, entry_of(&found[i], loading->state_dict, names[i]));
  }
  /* one that a user made, without metadata, is as new as can be */
  bool is_new = !has_version && found[ORIGINAL] != NULL && found[U] != NULL && found[V] != NULL && found[PARTS] == NULL;
  if (error == NULL && !is_new) {
    error = find_old(loading, keys, tensors, &is_complete);
  }
  if (error == NULL && is_complete) {
    error = replace_old(self, loading, keys, v_key, tensors);
  }
  for (int i = 0; i <= PARTS; i++) {
    ctorch_value_release(found[i]);
  }
  for (int i = 0; i < OLD_PARTS; i++) {
    ctorch_tensor_release(tensors[i]);
    free(keys[i]);
  }
  free(v_key);
  return error;
}

static ctorch_error *load(
    const struct module_computed *computed, struct module_loading *loading, const ctorch_value *metadata) {
  const struct spectral_norm *self = (const struct spectral_norm *)computed;
  int64_t version = -1;
  CTORCH_TRY(version_of(&version, metadata, self->name));
  return version >= 1 ? NULL : load_old(self, loading, version >= 0);
}

/* Making one, and its end. */

static struct spectral_norm *make(const char *name, int64_t iterations, double eps, int64_t dim) {
  static const char *const suffixes[PARTS] = {"_orig", "_u", "_v"};
  struct spectral_norm *self = object_new(&spectral_norm_class);
  if (self == NULL) {
    return NULL;
  }
  self->computed = (struct module_computed){.compute = compute, .saving = save_version, .loading = load};
  self->iterations = iterations;
  self->eps = eps;
  self->dim = dim;
  self->name = joined(name, "");
  bool is_made = self->name != NULL;
  for (int part = 0; part < PARTS; part++) {
    self->parts[part] = joined(name, suffixes[part]);
    is_made = is_made && self->parts[part] != NULL;
  }
  if (!is_made) {
    object_unref(self);
    return NULL;
  }
  return self;
}

static bool is_normalized(const struct module_tensor *entry) {
  return entry != NULL && entry->computed != NULL && entry->computed->compute == compute;
}

/* Take out those of the new parts that are there. */
static ctorch_error *remove_parts(ctorch_module *self, const struct spectral_norm *how, int count) {
  ctorch_error *error = NULL;
  for (int part = 0; part < count; part++) {
    error = ctorch_error_first(error, ctorch_module_unregister(self, how->parts[part]));
  }
  return error;
}

/* All parts, or none. */
static ctorch_error *add_parts(
    ctorch_module *self, const struct spectral_norm *how, ctorch_tensor *weight, ctorch_tensor *u, ctorch_tensor *v) {
  CTORCH_TRY(ctorch_module_register_parameter(self, how->parts[ORIGINAL], weight));
  int count = U;
  ctorch_error *error = ctorch_module_register_buffer(self, how->parts[U], u, true);
  if (error == NULL) {
    count = V;
    error = ctorch_module_register_buffer(self, how->parts[V], v, true);
  }
  return error == NULL ? NULL : ctorch_error_first(error, remove_parts(self, how, count));
}

static ctorch_error *normalize(
    const char *function, ctorch_module *self, ctorch_tensor *weight, const struct spectral_norm *how) {
  ctorch_tensor *detached = NULL, *matrix = NULL, *u = NULL, *v = NULL;
  CTORCH_TRY(ctorch_aten_detach(&detached, weight));
  ctorch_error *error = spectral_matrix(&matrix, detached, how->dim);
  THEN(error, spectral_draw(&u, matrix, false, how->eps));
  THEN(error, spectral_draw(&v, matrix, true, how->eps));
  THEN(error, add_parts(self, how, weight, u, v));
  if (error == NULL) {
    struct module_tensor *entry = module_find_tensor(&self->parameters, how->name); /* adding moved it */
    error = module_set_computed(function, self, entry, &how->computed);
    if (error == NULL) {
      module_replace(entry, detached); /* until the first call */
    } else {
      error = ctorch_error_first(error, remove_parts(self, how, PARTS));
    }
  }
  ctorch_tensor_release(detached);
  ctorch_tensor_release(matrix);
  ctorch_tensor_release(u);
  ctorch_tensor_release(v);
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

static ctorch_error *check_weight(
    const char *function, const ctorch_module *self, const char *name, int64_t iterations, int64_t dim) {
  const struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  if (is_normalized(entry)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "Cannot register two spectral_norm hooks on the same parameter %s", name);
  }
  CTORCH_TRY(spectral_check_iterations(function, iterations));
  if (entry == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "%s has no parameter `%s`", module_name(self), name);
  }
  if (entry->computed != NULL) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "the parameter `%s` is computed already", name);
  }
  if (entry->tensor == NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "`SpectralNorm` cannot be applied as parameter `%s` is None", name);
  }
  if (dim < 0 || dim >= ctorch_tensor_ndim(entry->tensor)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "dim: expected a dimension of `%s`, from 0 to %" PRId64 ", got %" PRId64, name,
        ctorch_tensor_ndim(entry->tensor) - 1, dim);
  }
  return NULL;
}

ctorch_error *ctorch_module_spectral_norm(
    ctorch_module *self, const char *name, int64_t n_power_iterations, double eps, const int64_t *dim) {
  CTORCH_TRY(check(__func__, self, &name));
  int64_t of = spectral_dim(self, dim);
  CTORCH_TRY(check_weight(__func__, self, name, n_power_iterations, of));
  struct spectral_norm *how = make(name, n_power_iterations, eps, of);
  if (how == NULL) {
    return error_memory(__func__, sizeof *how);
  }
  ctorch_tensor *weight = tensor_ref(module_parameter(self, name));
  ctorch_error *error = normalize(__func__, self, weight, how);
  tensor_unref(weight);
  object_unref(how);
  return error;
}

ctorch_error *ctorch_module_remove_spectral_norm(ctorch_module *self, const char *name) {
  CTORCH_TRY(check(__func__, self, &name));
  struct module_tensor *entry = module_find_tensor(&self->parameters, name);
  if (!is_normalized(entry)) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "spectral_norm of '%s' not found in %s", name, module_name(self));
  }
  struct spectral_norm *how = object_ref(entry->computed);
  ctorch_tensor *weight = NULL;
  ctorch_error *error = ctorch_grad_mode_push(false);
  if (error == NULL) {
    error = divide(how, &weight, self, false);
    error = ctorch_error_first(error, ctorch_grad_mode_pop());
  }
  THEN(error, ctorch_tensor_set_requires_grad(weight, true));
  THEN(error, module_set_computed(__func__, self, entry, NULL));
  if (error == NULL) {
    module_replace(entry, weight);
    error = remove_parts(self, how, PARTS);
  }
  ctorch_tensor_release(weight);
  object_unref(how);
  return error;
}
