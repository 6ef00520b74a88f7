/* A module that a JSON file describes, and its weights: each object with "module" is a module of torch.nn by the name
 * of its class, with "args" and "kwargs" as Python has them, in which modules may stand again:
 *
 *     {"module": "Sequential", "args": [{"fc1": {"module": "Linear", "args": [64, 32]}, "relu": {"module": "ReLU"},
 *                                        "fc2": {"module": "Linear", "args": [32, 10], "kwargs": {"bias": false}}}]}
 */
#include <jansson.h>

#include "model.h"

static ctorch_error *value_of(ctorch_value **out, json_t *json);

static ctorch_error *module_of(ctorch_module **out, json_t *json) {
  const char *name = NULL;
  json_t *args = NULL, *kwargs = NULL;
  ctorch_value *positional = NULL, *named = NULL;
  json_error_t problem;
  if (json_unpack_ex(json, &problem, JSON_STRICT, "{ss,s?o,s?o}", "module", &name, "args", &args, "kwargs", &kwargs)) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "a module: %s", problem.text);
  }
  if ((args != NULL && !json_is_array(args)) || (kwargs != NULL && !json_is_object(kwargs))) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: \"args\" is a list and \"kwargs\" an object", name);
  }
  if (args != NULL) {
    CTORCH_TRY(value_of(&positional, args));
  }
  if (kwargs != NULL) {
    CTORCH_TRY(value_of(&named, kwargs));
  }
  return ctorch_nn_create(out, name, positional, named);
}

static ctorch_error *value_of_object(ctorch_value **out, json_t *json) {
  ctorch_module *module;
  ctorch_value *element;
  const char *key;
  json_t *member;
  if (json_object_get(json, "module") != NULL) {
    CTORCH_TRY(module_of(&module, json));
    return ctorch_value_from_module(out, module);
  }
  CTORCH_TRY(ctorch_value_from_dict(out, NULL, 0, NULL, 0));
  json_object_foreach(json, key, member) {
    CTORCH_TRY(value_of(&element, member));
    CTORCH_TRY(ctorch_value_dict_put(*out, key, element));
  }
  return NULL;
}

static ctorch_error *value_of_list(ctorch_value **out, json_t *json) {
  ctorch_value *element;
  size_t i;
  json_t *member;
  CTORCH_TRY(ctorch_value_from_list(out, NULL, 0));
  json_array_foreach(json, i, member) {
    CTORCH_TRY(value_of(&element, member));
    CTORCH_TRY(ctorch_value_list_append(*out, element));
  }
  return NULL;
}

static ctorch_error *value_of(ctorch_value **out, json_t *json) {
  switch (json_typeof(json)) {
    case JSON_OBJECT:
      return value_of_object(out, json);
    case JSON_ARRAY:
      return value_of_list(out, json);
    case JSON_STRING:
      return ctorch_value_from_string_data(out, json_string_value(json), json_string_length(json));
    case JSON_INTEGER:
      return ctorch_value_from_int(out, json_integer_value(json));
    case JSON_REAL:
      return ctorch_value_from_double(out, json_real_value(json));
    case JSON_TRUE:
    case JSON_FALSE:
      return ctorch_value_from_bool(out, json_is_true(json));
    default:
      return ctorch_value_from_none(out);
  }
}

static ctorch_error *module_read(ctorch_module **out, const char *path) {
  json_error_t problem;
  json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
  if (json == NULL) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: line %d: %s", path, problem.line, problem.text);
  }
  ctorch_error *error = module_of(out, json);
  json_decref(json);
  return error;
}

static ctorch_error *load_weights(ctorch_module *module, const char *path) {
  ctorch_weights *file;
  ctorch_value *state;
  CTORCH_TRY(ctorch_weights_open_file(&file, path, true));
  CTORCH_TRY(ctorch_weights_load(&state, file, NULL));
  return ctorch_module_load_state_dict(NULL, NULL, module, state, NULL, true, false);
}

static ctorch_error *load(void **out, const char *path, const char *weights, int32_t workers) {
  ctorch_module *module;
  (void)workers;
  CTORCH_TRY(module_read(&module, path));
  if (weights != NULL) {
    CTORCH_TRY(load_weights(module, weights));
  }
  CTORCH_TRY(ctorch_module_train(module, false));
  CTORCH_TRY(ctorch_scope_keep(NULL, module));
  *out = module;
  return NULL;
}

static ctorch_error *run(ctorch_tensor_list **out, void *state, const ctorch_tensor *batch) {
  ctorch_tensor *output;
  CTORCH_TRY(ctorch_module_forward(&output, state, batch));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(output));
}

static void release(void *state) { ctorch_module_release(state); }

const model_kind model_module = {.platform = "ctorch_module", .load = load, .run = run, .release = release};
