/* State dicts that an optimizer takes over: all that may fail comes first, then it is exchanged for what was there. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "optim/group.h"
#include "optim/optimizer_hooks.h"
#include "optim/state.h"

#define MAX_NESTING 100 /* of lists in a state */

struct loading {
  const char *function;
  ctorch_optimizer *self;
  ctorch_value *states, *groups;  /* of the state dict */
  ctorch_value *numbers;          /* a dict from what stands for a parameter to its place among all */
  struct optimizer_param *params; /* what will be remembered of each */
  struct optimizer_group *loaded; /* what the groups will have for options */
  ctorch_value *unassigned;
  size_t len; /* of params */
};

static ctorch_error *entry_of(
    const char *function, ctorch_value **out, const ctorch_value *dict, const char *name, ctorch_value_kind kind) {
  ctorch_value *entry = NULL;
  CTORCH_TRY(dict_find(&entry, dict, name));
  if (entry == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "state_dict: there is no '%s'", name);
  }
  ctorch_value_kind found = ctorch_value_kind_of(entry);
  if (found != kind && !(kind == CTORCH_VALUE_LIST && found == CTORCH_VALUE_TUPLE)) {
    ctorch_value_release(entry);
    return error_make(
        function, CTORCH_ERROR_TYPE, "state_dict: '%s' is %s, expected %s", name, ctorch_value_kind_name(found),
        ctorch_value_kind_name(kind));
  }
  *out = entry;
  return NULL;
}

/* What stands for the parameters of a saved group is noted. */
static ctorch_error *load_numbers(struct loading *loading, const ctorch_value *params, size_t first) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(params); i++) {
    ctorch_value *key = NULL, *place = NULL;
    error = ctorch_value_get(&key, params, i);
    THEN(error, ctorch_value_from_int(&place, (int64_t)(first + i)));
    THEN(error, ctorch_value_dict_set(loading->numbers, key, place));
    ctorch_value_release(key);
    ctorch_value_release(place);
  }
  return error;
}

/* An option that an old state dict lacks; only where the optimizer has it. */
static ctorch_error *complete(
    ctorch_value *options, const ctorch_value *defaults, const char *name, const ctorch_value *value) {
  bool is_there = true, is_known = false;
  CTORCH_TRY(dict_has(&is_there, options, name));
  CTORCH_TRY(dict_has(&is_known, defaults, name));
  return is_there || !is_known ? NULL : ctorch_value_dict_put(options, name, value);
}

/* What later versions of Python added to optimizers is as it was before. */
static ctorch_error *complete_all(ctorch_value *options, const ctorch_optimizer *self) {
  static const char *const flags[] = {"maximize", "capturable", "differentiable"};
  const optimizer_class *class = optimizer_class_of(self);
  ctorch_value *none = NULL, *no = NULL;
  if (class->foreach == NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_from_none(&none));
  ctorch_error *error = ctorch_value_from_bool(&no, false);
  for (size_t i = 0; error == NULL && class->late[i] != NULL; i++) {
    error = complete(options, self->defaults, class->late[i], no);
  }
  THEN(error, complete(options, self->defaults, "foreach", none));
  THEN(error, complete(options, self->defaults, "fused", none));
  for (size_t i = 0; error == NULL && i < sizeof flags / sizeof *flags; i++) {
    error = complete(options, self->defaults, flags[i], no);
  }
  ctorch_value_release(none);
  ctorch_value_release(no);
  return error;
}

static ctorch_error *load_group(struct loading *loading, size_t group, size_t first) {
  struct optimizer_group *own = &loading->self->groups[group], *loaded = &loading->loaded[group];
  ctorch_value *saved = NULL, *params = NULL, *options = NULL, *names = NULL;
  CTORCH_TRY(ctorch_value_get(&saved, loading->groups, group));
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(saved) != CTORCH_VALUE_DICT) {
    error = error_make(
        loading->function, CTORCH_ERROR_TYPE, "state_dict: 'param_groups' holds %s, expected dicts",
        ctorch_value_kind_name(ctorch_value_kind_of(saved)));
  }
  THEN(error, entry_of(loading->function, &params, saved, "params", CTORCH_VALUE_LIST));
  if (error == NULL && ctorch_value_len(params) != own->len) {
    error = error_make(
        loading->function, CTORCH_ERROR_VALUE,
        "state_dict: it contains a parameter group that doesn't match the size of optimizer's group %zu: %zu "
        "parameters "
        "for %zu",
        group, ctorch_value_len(params), own->len);
  }
  THEN(error, load_numbers(loading, params, first));
  THEN(error, ctorch_value_deep_copy(&options, saved));
  THEN(error, dict_find(&names, options, "param_names"));
  if (error == NULL) {
    ctorch_value *merged = NULL;
    error = ctorch_value_from_dict(&merged, NULL, 0, NULL, 0);
    THEN(error, dict_merge(merged, options, "params", "param_names"));
    THEN(error, complete_all(merged, loading->self));
    loaded->options = value_take(merged);
  }
  if (error == NULL && names != NULL && ctorch_value_kind_of(names) != CTORCH_VALUE_NONE) {
    loaded->params = calloc(own->len + 1, sizeof *loaded->params);
    loaded->len = loaded->params == NULL ? 0 : own->len;
    error = loaded->params == NULL ? error_memory(loading->function, (own->len + 1) * sizeof *loaded->params)
                                   : group_set_names(loading->function, loaded, names);
  }
  ctorch_value_release(names);
  ctorch_value_release(options);
  ctorch_value_release(params);
  ctorch_value_release(saved);
  return error;
}

static struct optimizer_param *param_at(const ctorch_optimizer *self, size_t number, size_t *group) {
  size_t i = 0;
  while (number >= self->groups[i].len) {
    number -= self->groups[i++].len;
  }
  *group = i;
  return &self->groups[i].params[number];
}

/* A tensor as a parameter's state needs it: of the parameter's dtype and device, but for steps. */
static ctorch_error *convert_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *value,
    const ctorch_tensor *param,
    const ctorch_value *options,
    bool is_step) {
  ctorch_device device = {0};
  ctorch_dtype dtype = ctorch_tensor_dtype(param);
  CTORCH_TRY(ctorch_tensor_device(&device, param));
  if (is_step) {
    bool capturable = false, fused = false;
    CTORCH_TRY(dict_find_bool(&capturable, options, "capturable"));
    CTORCH_TRY(dict_find_bool(&fused, options, "fused"));
    if (!capturable && !fused) {
      return tensor_give(__func__, out, value);
    }
    dtype = CTORCH_DTYPE_FLOAT32;
    return ctorch_tensor_to(out, value, &dtype, &device, false, false, NULL);
  }
  bool is_floating = false;
  CTORCH_TRY(ctorch_aten_is_floating_point(&is_floating, param));
  return ctorch_tensor_to(out, value, is_floating ? &dtype : NULL, &device, false, false, NULL);
}

static ctorch_error *convert(
    const char *function,
    ctorch_value **out,
    const ctorch_value *value,
    const ctorch_tensor *param,
    const ctorch_value *options,
    const char *name,
    int depth);

/* The entries of a list or tuple, converted. */
static ctorch_error *convert_list(
    const char *function,
    ctorch_value **out,
    const ctorch_value *value,
    const ctorch_tensor *param,
    const ctorch_value *options,
    int depth) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(value); i++) {
    ctorch_value *entry = NULL, *converted = NULL;
    error = ctorch_value_get(&entry, value, i);
    THEN(error, convert(function, &converted, entry, param, options, "", depth));
    THEN(error, ctorch_value_list_append(list, converted));
    ctorch_value_release(entry);
    ctorch_value_release(converted);
  }
  if (error == NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_TUPLE) {
    ctorch_value *tuple = NULL;
    error = tuple_of_list(function, &tuple, list);
    ctorch_value_release(list);
    list = tuple;
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

/* The entries of a dict, converted. */
static ctorch_error *convert_dict(
    const char *function,
    ctorch_value **out,
    const ctorch_value *value,
    const ctorch_tensor *param,
    const ctorch_value *options,
    int depth) {
  ctorch_value *dict = NULL, *keys = NULL, *values = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = ctorch_value_dict_keys(&keys, value);
  THEN(error, ctorch_value_dict_values(&values, value));
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *entry = NULL, *converted = NULL;
    const char *name = "";
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&entry, values, i));
    if (error == NULL && ctorch_value_kind_of(key) == CTORCH_VALUE_STRING) {
      error = ctorch_value_to_string(&name, NULL, key);
    }
    THEN(error, convert(function, &converted, entry, param, options, name, depth));
    THEN(error, ctorch_value_dict_set(dict, key, converted));
    ctorch_value_release(key);
    ctorch_value_release(entry);
    ctorch_value_release(converted);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *convert(
    const char *function,
    ctorch_value **out,
    const ctorch_value *value,
    const ctorch_tensor *param,
    const ctorch_value *options,
    const char *name,
    int depth) {
  if (depth > MAX_NESTING) {
    return error_make(function, CTORCH_ERROR_VALUE, "state_dict: a state is nested deeper than %d", MAX_NESTING);
  }
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_TENSOR: {
      ctorch_tensor *tensor = NULL, *converted = NULL;
      CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
      ctorch_error *error = convert_tensor(&converted, tensor, param, options, strcmp(name, "step") == 0);
      THEN(error, ctorch_value_from_tensor(out, converted));
      ctorch_tensor_release(tensor);
      ctorch_tensor_release(converted);
      return error;
    }
    case CTORCH_VALUE_DICT:
      return convert_dict(function, out, value, param, options, depth + 1);
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
      return convert_list(function, out, value, param, options, depth + 1);
    default:
      return ctorch_value_copy(out, value);
  }
}

static ctorch_error *load_state(struct loading *loading, const ctorch_value *key, const ctorch_value *state) {
  bool is_assigned = false;
  int64_t number = 0;
  size_t group = 0;
  CTORCH_TRY(ctorch_value_dict_contains(&is_assigned, loading->numbers, key));
  if (!is_assigned) {
    if (loading->unassigned == NULL) {
      ctorch_value *dict = NULL;
      CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
      loading->unassigned = value_take(dict);
    }
    return ctorch_value_dict_set(loading->unassigned, key, state);
  }
  ctorch_value *place = NULL, *converted = NULL;
  CTORCH_TRY(ctorch_value_dict_get(&place, loading->numbers, key));
  ctorch_error *error = ctorch_value_to_int(&number, place);
  ctorch_value_release(place);
  CTORCH_TRY(error);
  const struct optimizer_param *param = param_at(loading->self, (size_t)number, &group);
  CTORCH_TRY(convert(loading->function, &converted, state, param->tensor, loading->loaded[group].options, "", 0));
  error = param_state_take(loading->function, optimizer_class_of(loading->self), &loading->params[number], converted);
  ctorch_value_release(converted);
  return error;
}

static ctorch_error *load_states(struct loading *loading) {
  ctorch_value *keys = NULL, *values = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, loading->states));
  ctorch_error *error = ctorch_value_dict_values(&values, loading->states);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *state = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&state, values, i));
    THEN(error, load_state(loading, key, state));
    ctorch_value_release(key);
    ctorch_value_release(state);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

/* Everything that may fail, without a change to the optimizer. */
static ctorch_error *load(struct loading *loading, const ctorch_value *dict) {
  ctorch_optimizer *self = loading->self;
  size_t first = 0;
  CTORCH_TRY(entry_of(loading->function, &loading->groups, dict, "param_groups", CTORCH_VALUE_LIST));
  CTORCH_TRY(entry_of(loading->function, &loading->states, dict, "state", CTORCH_VALUE_DICT));
  if (ctorch_value_len(loading->groups) != self->len) {
    return error_make(
        loading->function, CTORCH_ERROR_VALUE, "state_dict: it has a different number of parameter groups, %zu for %zu",
        ctorch_value_len(loading->groups), self->len);
  }
  for (size_t i = 0; i < self->len; i++) {
    loading->len += self->groups[i].len;
  }
  CTORCH_TRY(ctorch_value_from_dict(&loading->numbers, NULL, 0, NULL, 0));
  loading->params = calloc(loading->len + 1, sizeof *loading->params);
  loading->loaded = calloc(self->len + 1, sizeof *loading->loaded);
  if (loading->params == NULL || loading->loaded == NULL) {
    return error_memory(loading->function, (loading->len + 1) * sizeof *loading->params);
  }
  for (size_t i = 0; i < self->len; i++) {
    CTORCH_TRY(load_group(loading, i, first));
    first += self->groups[i].len;
  }
  return load_states(loading);
}

/* The optimizer gets what was loaded, and `loading` what it had. */
static void exchange(struct loading *loading) {
  ctorch_optimizer *self = loading->self;
  size_t number = 0;
  for (size_t i = 0; i < self->len; i++) {
    struct optimizer_group *own = &self->groups[i], *loaded = &loading->loaded[i];
    ctorch_value *options = own->options;
    own->options = loaded->options;
    loaded->options = options;
    own->is_read = false;
    own->has_names = own->has_names || loaded->has_names;
    for (size_t j = 0; j < own->len; j++) {
      param_state_exchange(&own->params[j], &loading->params[number++]);
      if (loaded->len > 0) {
        char *name = own->params[j].name;
        own->params[j].name = loaded->params[j].name;
        loaded->params[j].name = name;
      }
    }
  }
  ctorch_value *unassigned = self->unassigned;
  self->unassigned = loading->unassigned;
  loading->unassigned = unassigned;
}

static void loading_end(struct loading *loading) {
  for (size_t i = 0; loading->params != NULL && i < loading->len; i++) {
    param_state_clear(&loading->params[i]);
  }
  for (size_t i = 0; loading->loaded != NULL && i < loading->self->len; i++) {
    group_clear(&loading->loaded[i]);
  }
  free(loading->params);
  free(loading->loaded);
  value_unref(loading->unassigned);
  ctorch_value_release(loading->numbers);
  ctorch_value_release(loading->states);
  ctorch_value_release(loading->groups);
}

ctorch_error *ctorch_optimizer_load_state_dict(ctorch_optimizer *self, const ctorch_value *state_dict) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || state_dict == NULL) {
    return error_null(__func__, self == NULL ? "self" : "state_dict");
  }
  if (ctorch_value_kind_of(state_dict) != CTORCH_VALUE_DICT) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "state_dict: expected a dict, found %s",
        ctorch_value_kind_name(ctorch_value_kind_of(state_dict)));
  }
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = dict_merge(dict, state_dict, NULL, NULL);
  THEN(error, optimizer_run_value_hooks(__func__, self, OPTIMIZER_LOAD_STATE_DICT_PRE, &dict));
  struct loading loading = {.function = __func__, .self = self};
  if (error == NULL) {
    error = load(&loading, dict);
    if (error == NULL) {
      exchange(&loading);
      const optimizer_class *class = optimizer_class_of(self);
      error = class->loaded == NULL ? NULL : class->loaded(__func__, self);
    }
    loading_end(&loading);
  }
  ctorch_value_release(dict);
  return error != NULL ? error : optimizer_run_hooks(__func__, self, OPTIMIZER_LOAD_STATE_DICT);
}
