/* Containers and what they hold, from values. */
#include "module/containers_of_values.h"

#include <stdio.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "module/module.h"

/* The module or parameter that a value holds, under a name. */
static ctorch_error *add_entry(
    const char *function, ctorch_module *self, const char *name, const ctorch_value *value, bool is_parameter) {
  ctorch_tensor *tensor = NULL;
  ctorch_module *module = NULL;
  const bool is_none = ctorch_value_kind_of(value) == CTORCH_VALUE_NONE;
  const bool fits = ctorch_value_kind_of(value) == (is_parameter ? CTORCH_VALUE_TENSOR : CTORCH_VALUE_MODULE);
  if (!is_none && !fits) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s(): '%s' must be %s, not %s", module_name(self), name,
        is_parameter ? "Tensor" : "Module", ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  if (is_parameter) {
    CTORCH_TRY(is_none ? NULL : ctorch_value_to_tensor(&tensor, value));
    ctorch_error *error = ctorch_module_register_parameter(self, name, tensor);
    ctorch_tensor_release(tensor);
    return error;
  }
  CTORCH_TRY(is_none ? NULL : ctorch_value_to_module(&module, value));
  ctorch_error *error = ctorch_module_register_module(self, name, module);
  ctorch_module_release(module);
  return error;
}

/* A dict, or an OrderedDict, which is an object of Python's. */
static bool is_dict(const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  ctorch_value *keys = NULL;
  if (kind != CTORCH_VALUE_PYTHON_OBJECT) {
    return kind == CTORCH_VALUE_DICT;
  }
  ctorch_error *error = ctorch_value_dict_keys(&keys, value);
  ctorch_value_release(keys);
  ctorch_error_release(error);
  return error == NULL;
}

/* Entries of a dict under their keys, of a list or tuple under "0", "1", … */
static ctorch_error *fill(const char *function, ctorch_module *self, const ctorch_value *entries, bool is_parameter) {
  ctorch_value *keys = NULL, *values = NULL;
  ctorch_error *error = NULL;
  if (is_dict(entries)) {
    CTORCH_TRY(ctorch_value_dict_keys(&keys, entries));
    error = ctorch_value_dict_values(&values, entries);
  }
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys == NULL ? entries : keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    char number[24];
    const char *name = number;
    snprintf(number, sizeof number, "%zu", i);
    error = keys == NULL ? NULL : ctorch_value_get(&key, keys, i);
    if (key != NULL) {
      THEN(error, ctorch_value_to_string(&name, NULL, key));
    }
    THEN(error, ctorch_value_get(&value, keys == NULL ? entries : values, i));
    THEN(error, add_entry(function, self, name, value, is_parameter));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

/* The container that a name stands for, NULL for none: the argument that has what it holds, and of which kind. */
struct container {
  const char *name, *argument;
  ctorch_value_kind kind;
  bool is_parameter;
};

static const struct container *container_of(const char *name) {
  static const struct container all[] = {
      {"Sequential", "args", CTORCH_VALUE_TUPLE, false},
      {"ModuleList", "modules", CTORCH_VALUE_LIST, false},
      {"ModuleDict", "modules", CTORCH_VALUE_DICT, false},
      {"ParameterDict", "parameters", CTORCH_VALUE_DICT, true},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, name) == 0) {
      return &all[i];
    }
  }
  return NULL;
}

/* The one keyword is the argument's. */
static ctorch_error *only_keyword(const char *function, const struct container *type, const ctorch_value *kwargs) {
  ctorch_value *keys = NULL, *key = NULL;
  const char *name = "";
  CTORCH_TRY(ctorch_value_dict_keys(&keys, kwargs));
  ctorch_error *error = ctorch_value_get(&key, keys, 0);
  THEN(error, ctorch_value_to_string(&name, NULL, key));
  if (error == NULL && strcmp(name, type->argument) != 0) {
    error = error_make(function, CTORCH_ERROR_TYPE, "%s() got an unexpected keyword argument '%s'", type->name, name);
  }
  ctorch_value_release(key);
  ctorch_value_release(keys);
  return error;
}

/* What it is to hold, owned; NULL for nothing. Sequential takes modules, or one dict of them. */
static ctorch_error *entries_of(
    const char *function,
    ctorch_value **out,
    const struct container *type,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  const size_t given = args == NULL ? 0 : ctorch_value_len(args), named = kwargs == NULL ? 0 : ctorch_value_len(kwargs);
  ctorch_value *first = NULL;
  if (type->kind == CTORCH_VALUE_TUPLE) {
    if (named > 0) {
      return error_make(function, CTORCH_ERROR_TYPE, "%s() takes no keyword arguments", type->name);
    }
    if (given == 1) {
      CTORCH_TRY(ctorch_value_get(&first, args, 0));
    }
    if (first == NULL || !is_dict(first)) {
      ctorch_value_release(first);
      ctorch_value_retain(args);
      first = (ctorch_value *)args;
    }
    *out = first;
    return NULL;
  }
  if (given + named > 1) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s() takes 1 argument, '%s', but %zu were given", type->name, type->argument,
        given + named);
  }
  if (given == 1) {
    CTORCH_TRY(ctorch_value_get(&first, args, 0));
  } else if (named == 1) {
    CTORCH_TRY(only_keyword(function, type, kwargs));
    CTORCH_TRY(ctorch_value_dict_at(&first, kwargs, type->argument));
  }
  ctorch_value_kind kind = first == NULL ? CTORCH_VALUE_NONE : ctorch_value_kind_of(first);
  const bool fits = type->kind == CTORCH_VALUE_DICT ? kind != CTORCH_VALUE_NONE && is_dict(first)
                                                    : kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE;
  if (kind != CTORCH_VALUE_NONE && !fits) {
    ctorch_value_release(first);
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s(): argument '%s' must be %s, not %s", type->name, type->argument,
        ctorch_value_kind_name(type->kind), ctorch_value_kind_name(kind));
  }
  if (kind == CTORCH_VALUE_NONE) {
    ctorch_value_release(first);
    first = NULL;
  }
  *out = first;
  return NULL;
}

bool containers_know(const char *name) { return container_of(name) != NULL; }

ctorch_error *containers_create(
    const char *function,
    ctorch_module **out,
    const struct option_creator *creator,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  const struct container *type = container_of(creator->name);
  ctorch_value *entries = NULL;
  ctorch_module *made = NULL;
  bool fits = false;
  CTORCH_TRY(entries_of(function, &entries, type, args, kwargs));
  ctorch_error *error = creator->create(function, &made, NULL, NULL, &fits);
  if (error == NULL && entries != NULL) {
    error = fill(function, made, entries, type->is_parameter);
  }
  ctorch_value_release(entries);
  if (error != NULL) {
    ctorch_module_release(made);
    return error;
  }
  *out = made;
  return NULL;
}
