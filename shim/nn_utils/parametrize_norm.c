/* Parametrizations by norms: a direction and a length, and a spectral norm of 1. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/walk.h"
#include "nn_utils/parametrize.h"
#include "nn_utils/spectral.h"

/* A direction and a length. */

struct weight_norm {
  ctorch_module module;
  int64_t dim;
};

enum { LENGTH, DIRECTION, PARTS };

static ctorch_error *combine(
    ctorch_module *self, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  ctorch_tensor *parts[PARTS] = {NULL}, *weight = NULL;
  if (ctorch_value_len(args) != PARTS || (kwargs != NULL && ctorch_value_len(kwargs) > 0)) {
    return error_make(
        FORWARD, CTORCH_ERROR_TYPE,
        "forward() takes 2 positional arguments, 'weight_g' and 'weight_v', but %zu %s given", ctorch_value_len(args),
        ctorch_value_len(args) == 1 ? "was" : "were");
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < PARTS; i++) {
    ctorch_value *value = NULL;
    error = ctorch_value_get(&value, args, i);
    THEN(error, ctorch_value_to_tensor(&parts[i], value));
    ctorch_value_release(value);
  }
  THEN(error, ctorch_aten__weight_norm(&weight, parts[DIRECTION], parts[LENGTH], ((struct weight_norm *)self)->dim));
  THEN(error, ctorch_value_from_tensor(out, weight));
  ctorch_tensor_release(weight);
  ctorch_tensor_release(parts[LENGTH]);
  ctorch_tensor_release(parts[DIRECTION]);
  return error;
}

static ctorch_error *split(ctorch_module *self, ctorch_value **out, const ctorch_value *value) {
  ctorch_tensor *weight = NULL, *length = NULL;
  ctorch_value *one = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&weight, value));
  ctorch_error *error = ctorch_aten_norm_except_dim(&length, weight, 2, ((struct weight_norm *)self)->dim);
  THEN(error, ctorch_value_from_tensor(&one, length));
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const[]){one, value}, PARTS));
  ctorch_tensor_release(weight);
  ctorch_tensor_release(length);
  ctorch_value_release(one);
  return error;
}

static const module_class weight_norm_class = {
    .object = MODULE_OBJECT(struct weight_norm), .name = "_WeightNorm", .call = combine, .right_inverse = split};

/* Give an entry of a state dict another name. */
static ctorch_error *rename_entry(ctorch_value *dict, const char *from, const char *to) {
  ctorch_value *key = NULL, *value = NULL;
  CTORCH_TRY(ctorch_value_from_string(&key, from));
  ctorch_error *error = ctorch_value_dict_get(&value, dict, key);
  THEN(error, ctorch_value_dict_remove(dict, key));
  THEN(error, ctorch_value_dict_put(dict, to, value));
  ctorch_value_release(value);
  ctorch_value_release(key);
  return error;
}

static ctorch_error *contains(bool *out, const ctorch_value *dict, const char *name) {
  ctorch_value *key = NULL;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = ctorch_value_dict_contains(out, dict, key);
  ctorch_value_release(key);
  return error;
}

/* "weight_g" and "weight_v", of a module that ctorch_module_weight_norm made, are the originals of this one. */
static ctorch_error *rename_both(ctorch_value *state_dict, const char *prefix, const char *name) {
  const char *const function = "ctorch_module_load_state_dict";
  struct text texts[4] = {
      {.function = function}, {.function = function}, {.function = function}, {.function = function}};
  bool has_length = false, has_direction = false;
  text_add(&texts[0], "%s%s_g", prefix, name);
  text_add(&texts[1], "%s%s_v", prefix, name);
  text_add(&texts[2], "%sparametrizations.%s.original0", prefix, name);
  text_add(&texts[3], "%sparametrizations.%s.original1", prefix, name);
  ctorch_error *error = NULL;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    error = ctorch_error_first(error, texts[i].error);
    texts[i].error = NULL;
  }
  THEN(error, contains(&has_length, state_dict, text_data(&texts[0])));
  THEN(error, contains(&has_direction, state_dict, text_data(&texts[1])));
  if (error == NULL && has_length && has_direction) {
    error = rename_entry(state_dict, text_data(&texts[0]), text_data(&texts[2]));
    THEN(error, rename_entry(state_dict, text_data(&texts[1]), text_data(&texts[3])));
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    error = ctorch_error_first(error, text_end(&texts[i]));
  }
  return error;
}

static ctorch_callback_status before_loading(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    int64_t version,
    ctorch_value *missing,
    ctorch_value *unexpected,
    ctorch_error **error,
    void *name) {
  (void)module, (void)version, (void)missing, (void)unexpected;
  *error = rename_both(state_dict, prefix, name);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_error *ctorch_module_parametrize_weight_norm(ctorch_module *self, const char *name, int64_t dim) {
  ctorch_tensor *weight = NULL;
  CTORCH_TRY(module_parametrized_weight(__func__, &weight, self, &name));
  ctorch_tensor_release(weight);
  struct weight_norm *made = module_new(&weight_norm_class);
  char *own = module_join(name, "");
  ctorch_error *error = made == NULL || own == NULL ? error_memory(__func__, sizeof *made) : NULL;
  if (error == NULL) {
    made->dim = dim;
    error = module_register_parametrization(__func__, self, name, &made->module, true);
  }
  object_unref(made);
  if (error == NULL) {
    error = ctorch_module_register_load_state_dict_pre_hook(NULL, self, before_loading, free, own);
    if (error != NULL) {
      error = ctorch_error_first(error, ctorch_module_remove_parametrizations(self, name, true));
    } else {
      own = NULL; /* the hook's */
    }
  }
  free(own);
  return error;
}

/* A spectral norm of 1. */

struct spectral_norm {
  ctorch_module module;
  int64_t dim, iterations;
  double eps;
};

enum { U, V };

static ctorch_error *iterate(struct spectral_norm *self, const ctorch_tensor *matrix, int64_t times) {
  ctorch_tensor *u = module_buffer_at(&self->module, U), *v = module_buffer_at(&self->module, V), *transposed = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_matrix_H(&transposed, matrix);
  for (int64_t i = 0; error == NULL && i < times; i++) {
    error = spectral_iterate(u, matrix, v, self->eps);
    THEN(error, spectral_iterate(v, transposed, u, self->eps));
  }
  ctorch_tensor_release(transposed);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* weight / uᴴ·W·v. Of both vectors a copy, which the graph of this call has: the next one changes them. */
static ctorch_error *divide(
    const struct spectral_norm *self, ctorch_tensor **out, const ctorch_tensor *weight, const ctorch_tensor *matrix) {
  ctorch_tensor *u = NULL, *v = NULL;
  const ctorch_memory_format contiguous = CTORCH_MEMORY_FORMAT_CONTIGUOUS;
  struct steps s = {0};
  THEN(s.error, ctorch_aten_clone(&u, module_buffer_at(&self->module, U), &contiguous));
  THEN(s.error, ctorch_aten_clone(&v, module_buffer_at(&self->module, V), &contiguous));
  STEP(&s, ctorch_aten_mv(&s.next, matrix, v));
  STEP(&s, ctorch_aten_vdot(&s.next, u, s.at));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, weight, s.at));
  ctorch_tensor_release(u);
  ctorch_tensor_release(v);
  return steps_end(&s, out);
}

static ctorch_error *spectral_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *weight) {
  struct spectral_norm *self = (struct spectral_norm *)module;
  if (ctorch_tensor_ndim(weight) == 1) {
    return ctorch_functional_normalize(out, weight, 2, 0, self->eps);
  }
  CTORCH_TRY(layer_needs(FORWARD, module_buffer_at(module, U), "_u"));
  CTORCH_TRY(layer_needs(FORWARD, module_buffer_at(module, V), "_v"));
  ctorch_tensor *matrix = NULL;
  CTORCH_TRY(spectral_matrix(&matrix, weight, self->dim));
  ctorch_error *error = module_is_training(module) ? iterate(self, matrix, self->iterations) : NULL;
  THEN(error, divide(self, out, weight, matrix));
  ctorch_tensor_release(matrix);
  return error;
}

static ctorch_error *spectral_right_inverse(ctorch_module *self, ctorch_value **out, const ctorch_value *value) {
  (void)self;
  ctorch_value_retain(value);
  *out = (ctorch_value *)value;
  return NULL;
}

static const module_class spectral_norm_class = {
    .object = MODULE_OBJECT(struct spectral_norm),
    .name = "_SpectralNorm",
    .forward = spectral_forward,
    .right_inverse = spectral_right_inverse};

/* Both vectors, after some iterations: those of the largest singular value, or near to them. */
static ctorch_error *draw(const char *function, struct spectral_norm *self, const ctorch_tensor *weight) {
  enum { INITIAL_ITERATIONS = 15 };
  ctorch_tensor *matrix = NULL, *detached = NULL, *u = NULL, *v = NULL;
  CTORCH_TRY(ctorch_aten_detach(&detached, weight));
  ctorch_error *error = spectral_matrix(&matrix, detached, self->dim);
  ctorch_tensor_release(detached);
  THEN(error, spectral_draw(&u, matrix, false, self->eps));
  THEN(error, spectral_draw(&v, matrix, true, self->eps));
  if (error == NULL) {
    error = module_add_buffer(function, &self->module, "_u", u, true);
    u = NULL;
  }
  if (error == NULL) {
    error = module_add_buffer(function, &self->module, "_v", v, true);
    v = NULL;
  }
  THEN(error, iterate(self, matrix, INITIAL_ITERATIONS));
  ctorch_tensor_release(matrix);
  ctorch_tensor_release(u);
  ctorch_tensor_release(v);
  return error;
}

static ctorch_error *make_spectral(
    const char *function, struct spectral_norm *self, const ctorch_tensor *weight, int64_t dim) {
  int64_t ndim = ctorch_tensor_ndim(weight);
  if (dim >= ndim || dim < -ndim) {
    return error_make(
        function, CTORCH_ERROR_INDEX,
        "Dimension out of range (expected to be in range of [-%" PRId64 ", %" PRId64 "] but got %" PRId64 ")", ndim,
        ndim - 1, dim);
  }
  CTORCH_TRY(spectral_check_iterations(function, self->iterations));
  self->dim = dim < 0 ? dim + ndim : dim;
  return ndim > 1 ? draw(function, self, weight) : NULL;
}

ctorch_error *ctorch_module_parametrize_spectral_norm(
    ctorch_module *self, const char *name, int64_t n_power_iterations, double eps, const int64_t *dim) {
  ctorch_tensor *weight = NULL;
  CTORCH_TRY(module_parametrized_weight(__func__, &weight, self, &name));
  struct spectral_norm *made = module_new(&spectral_norm_class);
  ctorch_error *error = made == NULL ? error_memory(__func__, sizeof *made) : NULL;
  if (error == NULL) {
    made->iterations = n_power_iterations;
    made->eps = eps;
    error = make_spectral(__func__, made, weight, spectral_dim(self, dim));
  }
  ctorch_tensor_release(weight);
  THEN(error, module_register_parametrization(__func__, self, name, &made->module, false));
  object_unref(made);
  return error;
}
