/* The state of several modules, stacked: <ctorch/module/module_functional.h>. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "module/layer.h"

static const char *const FUNCTION = "ctorch_module_stack_state";

static ctorch_error *check_models(const ctorch_module *models) {
  if (models->children.len == 0) {
    return error_make(FUNCTION, CTORCH_ERROR_RUNTIME, "stack_module_state: Expected at least one model, got 0.");
  }
  const ctorch_module *first = models->children.data[0].module;
  for (size_t i = 0; i < models->children.len; i++) {
    const ctorch_module *one = models->children.data[i].module;
    if (one == NULL) {
      return error_argument(FUNCTION, "models", "'%s' is None", models->children.data[i].name);
    }
    if (one->is_evaluating != first->is_evaluating) {
      return error_make(
          FUNCTION, CTORCH_ERROR_RUNTIME,
          "stack_module_state: Expected all models to have the same training/eval mode.");
    }
  }
  for (size_t i = 0; i < models->children.len; i++) {
    const ctorch_module *one = models->children.data[i].module;
    if (module_class_of(one) != module_class_of(first) || strcmp(module_name(one), module_name(first)) != 0) {
      return error_make(
          FUNCTION, CTORCH_ERROR_RUNTIME, "stack_module_state: Expected all models to be of the same class.");
    }
  }
  return NULL;
}

/* The tensor of this name, which mostly has the same place; owned. */
static ctorch_error *get(ctorch_tensor **out, const ctorch_named_tensors *list, const char *name, size_t place) {
  const char *there = ctorch_named_tensors_name(list, place);
  if (there == NULL || strcmp(there, name) != 0) {
    for (place = 0; place < ctorch_named_tensors_len(list); place++) {
      if (strcmp(ctorch_named_tensors_name(list, place), name) == 0) {
        break;
      }
    }
  }
  return place < ctorch_named_tensors_len(list)
             ? ctorch_named_tensors_get(out, list, place)
             : error_make(FUNCTION, CTORCH_ERROR_INDEX, "'%s' is not in every model", name);
}

/* A new leaf that requires gradients as all of them do. */
static ctorch_error *stack(ctorch_tensor **out, ctorch_tensor *const *tensors, size_t len, const char *name) {
  size_t trained = 0;
  for (size_t i = 0; i < len; i++) {
    trained += ctorch_tensor_requires_grad(tensors[i]);
  }
  if (trained != 0 && trained != len) {
    return error_make(
        FUNCTION, CTORCH_ERROR_RUNTIME, "Expected %s from each model to have the same .requires_grad", name);
  }
  struct steps s = {0};
  STEP(&s, ctorch_aten_stack(&s.next, (const ctorch_tensor *const *)tensors, len, 0));
  if (trained != 0) {
    STEP(&s, ctorch_aten_detach(&s.next, s.at));
    THEN(s.error, ctorch_tensor_set_requires_grad(s.at, true));
  }
  return steps_end(&s, out);
}

static ctorch_error *stack_one(
    ctorch_value *dict, ctorch_named_tensors *const *lists, ctorch_tensor **tensors, size_t len, size_t place) {
  const char *name = ctorch_named_tensors_name(lists[0], place);
  ctorch_tensor *stacked = NULL;
  ctorch_value *value = NULL;
  ctorch_error *error = NULL;
  size_t got = 0;
  while (error == NULL && got < len) {
    error = get(&tensors[got], lists[got], name, place);
    got += error == NULL;
  }
  THEN(error, stack(&stacked, tensors, len, name));
  for (size_t i = 0; i < got; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  THEN(error, ctorch_value_from_tensor(&value, stacked));
  THEN(error, ctorch_value_dict_put(dict, name, value));
  ctorch_tensor_release(stacked);
  ctorch_value_release(value);
  return error;
}

/* The parameters of all models, or their buffers. */
static ctorch_error *stack_all(ctorch_value **out, const ctorch_module *models, bool buffers) {
  size_t len = models->children.len;
  ctorch_value *dict = NULL;
  ctorch_named_tensors **lists = calloc(len, sizeof *lists);
  ctorch_tensor **tensors = calloc(len, sizeof *tensors);
  ctorch_error *error = lists == NULL || tensors == NULL ? error_memory(FUNCTION, len * sizeof *lists)
                                                         : ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < len; i++) {
    const ctorch_module *one = models->children.data[i].module;
    error = (buffers ? ctorch_module_named_buffers : ctorch_module_named_parameters)(&lists[i], one, NULL, true, true);
  }
  for (size_t i = 0; error == NULL && i < ctorch_named_tensors_len(lists[0]); i++) {
    error = stack_one(dict, lists, tensors, len, i);
  }
  for (size_t i = 0; lists != NULL && i < len; i++) {
    ctorch_named_tensors_release(lists[i]);
  }
  free(lists);
  free(tensors);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

ctorch_error *ctorch_module_stack_state(
    ctorch_value **out_parameters, ctorch_value **out_buffers, const ctorch_module *models) {
  CTORCH_TRY(error_refusal(__func__));
  if (out_parameters == NULL || out_buffers == NULL || models == NULL) {
    return error_null(
        __func__, out_parameters == NULL ? "out_parameters"
                  : out_buffers == NULL  ? "out_buffers"
                                         : "models");
  }
  ctorch_value *parameters = NULL;
  CTORCH_TRY(check_models(models));
  CTORCH_TRY(stack_all(&parameters, models, false));
  ctorch_error *error = stack_all(out_buffers, models, true);
  if (error != NULL) {
    ctorch_value_release(parameters);
    return error;
  }
  *out_parameters = parameters;
  return NULL;
}
