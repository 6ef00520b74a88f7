/* Several parameters pruned as one vector: <ctorch/nn_utils/module_prune.h>. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/utils.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/walk.h"
#include "nn_utils/prune.h"

/* A parameter of a module inside another, borrowed. */
struct place {
  ctorch_module *module;
  const char *name;
};

struct many {
  const char *function;
  struct place *places;
  const ctorch_tensor **scores; /* borrowed */
  ctorch_tensor **masks;        /* so far; owned */
  size_t len;
};

static ctorch_error *find(struct many *many, ctorch_module *self, const char *target) {
  struct place *place = &many->places[many->len];
  const char *dot = strrchr(target, '.');
  place->name = dot == NULL ? target : dot + 1;
  CTORCH_TRY(module_find(many->function, &place->module, self, target, dot == NULL ? 0 : (size_t)(dot - target)));
  CTORCH_TRY(prune_check_parameter(many->function, place->module, place->name));
  const struct module_tensor *entry = module_find_tensor(&place->module->parameters, place->name);
  ctorch_tensor *mask = NULL;
  CTORCH_TRY(prune_mask_so_far(many->function, &mask, place->module, entry));
  object_ref(place->module); /* a callback might take it out */
  many->masks[many->len] = mask;
  if (many->scores[many->len] == NULL) {
    many->scores[many->len] = entry->tensor;
  }
  many->len++;
  return NULL;
}

static ctorch_error *vector_of(
    const char *function, ctorch_tensor **out, const ctorch_tensor *const *tensors, size_t len) {
  const struct utils_parameters_to_vector_options options = {.parameters = tensors, .parameters_len = len};
  return utils_parameters_to_vector(function, out, &options);
}

/* Each gets its part of a mask. */
static ctorch_error *prune_parts(const struct many *many, const ctorch_tensor *mask) {
  ctorch_error *error = NULL;
  int64_t begin = 0;
  for (size_t i = 0; error == NULL && i < many->len; i++) {
    const struct place *place = &many->places[i];
    int64_t end = begin + ctorch_tensor_numel(many->masks[i]);
    ctorch_tensor *part = NULL;
    struct steps s = {0};
    STEP(&s, ctorch_aten_slice_Tensor(&s.next, mask, 0, &begin, &end, 1));
    STEP(&s, ctorch_aten_view_as(&s.next, s.at, many->masks[i]));
    error = steps_end(&s, &part);
    if (error == NULL) {
      const struct prune_method method = {
          .function = many->function, .compute_mask = prune_from_mask, .type = PRUNE_GLOBAL, .mask = part};
      error = prune_parameter(&method, place->module, place->name, NULL);
    }
    ctorch_tensor_release(part);
    begin = end;
  }
  return error;
}

static ctorch_error *prune_many(const struct prune_method *method, struct many *many) {
  ctorch_tensor *scores = NULL, *before = NULL, *mask = NULL;
  ctorch_error *error = vector_of(many->function, &scores, many->scores, many->len);
  THEN(error, vector_of(many->function, &before, ctorch_const_tensors(many->masks), many->len));
  THEN(error, prune_again(method, &mask, scores, before));
  for (size_t i = 0; error == NULL && method->callback != NULL && i < many->len; i++) { /* it can do anything */
    error = prune_check_parameter(many->function, many->places[i].module, many->places[i].name);
  }
  THEN(error, prune_parts(many, mask));
  ctorch_tensor_release(scores);
  ctorch_tensor_release(before);
  ctorch_tensor_release(mask);
  return error;
}

static ctorch_error *check_many(
    const char *function,
    const ctorch_module *self,
    const char *const *names,
    size_t names_len,
    const ctorch_tensor *const *scores,
    size_t scores_len) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || (names == NULL && names_len > 0) || (scores == NULL && scores_len > 0)) {
    return error_null(function, self == NULL ? "self" : names == NULL && names_len > 0 ? "names" : "importance_scores");
  }
  if (names_len > SIZE_MAX / sizeof(struct place) / 2) {
    return error_argument(function, "names", "absurd length %zu", names_len);
  }
  if (scores_len != 0 && scores_len != names_len) {
    return error_argument(function, "importance_scores", "%zu scores for %zu names", scores_len, names_len);
  }
  if (names_len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "names: expected a non-empty list of parameters");
  }
  for (size_t i = 0; i < names_len; i++) {
    if (names[i] == NULL) {
      return error_argument(function, "names", "element %zu is NULL", i);
    }
    CTORCH_TRY(error_unless_text(function, "names", names[i]));
  }
  return NULL;
}

static ctorch_error *prune_global(
    const struct prune_method *method,
    ctorch_module *self,
    const char *const *names,
    size_t names_len,
    const ctorch_tensor *const *scores,
    size_t scores_len) {
  struct many many = {
      .function = method->function,
      .places = calloc(names_len, sizeof *many.places),
      .scores = calloc(names_len, sizeof *many.scores),
      .masks = calloc(names_len, sizeof *many.masks)};
  bool has_room = many.places != NULL && many.scores != NULL && many.masks != NULL;
  ctorch_error *error = has_room ? NULL : error_memory(method->function, names_len * sizeof *many.places);
  for (size_t i = 0; error == NULL && i < names_len; i++) {
    many.scores[i] = scores_len == 0 ? NULL : scores[i];
    error = find(&many, self, names[i]);
  }
  THEN(error, prune_many(method, &many));
  for (size_t i = 0; i < many.len; i++) {
    object_unref(many.places[i].module);
    ctorch_tensor_release(many.masks[i]);
  }
  free(many.places);
  free(many.scores);
  free(many.masks);
  return error;
}

/* The method of a name, which is Python's class's. */
static ctorch_error *find_method(struct prune_method *method, const char *name) {
  static const struct {
    const char *name, *type;
    ctorch_error *(*compute_mask)(
        const struct prune_method *self, ctorch_tensor **out, const ctorch_tensor *tensor, const ctorch_tensor *mask);
  } methods[] = {
      {"L1Unstructured", NULL, prune_l1_unstructured},
      {"RandomUnstructured", NULL, prune_random_unstructured},
      {"Identity", NULL, prune_identity},
      {"LnStructured", "structured", NULL},
      {"RandomStructured", "structured", NULL},
      {"CustomFromMask", "global", NULL}};
  CTORCH_TRY(error_unless_text(method->function, "pruning_method", name));
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    if (strcmp(methods[i].name, name) == 0) {
      method->compute_mask = methods[i].compute_mask;
      return methods[i].type == NULL
                 ? NULL
                 : error_make(
                       method->function, CTORCH_ERROR_TYPE,
                       "Only \"unstructured\" PRUNING_TYPE supported for the `pruning_method`. Found method %s of type "
                       "%s",
                       name, methods[i].type);
    }
  }
  return error_make(method->function, CTORCH_ERROR_VALUE, "pruning_method: there is no method '%s'", name);
}

ctorch_error *ctorch_module_prune_global_unstructured(
    ctorch_module *self,
    const char *const *names,
    size_t names_len,
    const char *pruning_method,
    const ctorch_scalar *amount,
    const ctorch_tensor *const *importance_scores,
    size_t importance_scores_len) {
  struct prune_method method = {.function = __func__, .amount = amount};
  CTORCH_TRY(check_many(__func__, self, names, names_len, importance_scores, importance_scores_len));
  if (pruning_method == NULL) {
    return error_null(__func__, "pruning_method");
  }
  CTORCH_TRY(find_method(&method, pruning_method));
  if (method.compute_mask != prune_identity) {
    CTORCH_TRY(prune_check_amount(__func__, amount));
  }
  return prune_global(&method, self, names, names_len, importance_scores, importance_scores_len);
}

ctorch_error *ctorch_module_prune_global_by(
    ctorch_module *self,
    const char *const *names,
    size_t names_len,
    ctorch_tensors_callback compute_mask,
    void *payload,
    const ctorch_tensor *const *importance_scores,
    size_t importance_scores_len) {
  const struct prune_method method = {
      .function = __func__, .compute_mask = prune_by_callback, .callback = compute_mask, .payload = payload};
  CTORCH_TRY(check_many(__func__, self, names, names_len, importance_scores, importance_scores_len));
  if (compute_mask == NULL) {
    return error_null(__func__, "compute_mask");
  }
  return prune_global(&method, self, names, names_len, importance_scores, importance_scores_len);
}
