/* What optimizers remember of parameters, and state dicts of it. load.c takes one over. */
#include "optim/state.h"

#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "optim/group.h"
#include "optim/optimizer_hooks.h"

/* The state of one parameter. */

static ctorch_error *put_tensor(ctorch_value *dict, const char *name, const ctorch_tensor *tensor) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_tensor(&value, tensor));
  ctorch_error *error = ctorch_value_dict_put(dict, name, value);
  ctorch_value_release(value);
  return error;
}

/* A new dict with the state of a parameter. */
static ctorch_error *state_of(ctorch_value **out, const optimizer_class *class, const struct optimizer_param *param) {
  ctorch_value *state = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&state, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t s = 0; error == NULL && class->states[s] != NULL; s++) {
    if (param->states[s] != NULL) {
      error = put_tensor(state, class->states[s], param->states[s]);
    }
  }
  if (error == NULL && param->others != NULL) {
    error = dict_merge(state, param->others, NULL, NULL);
  }
  if (error != NULL) {
    ctorch_value_release(state);
    return error;
  }
  *out = state;
  return NULL;
}

/* The number of a class's state; -1 for what it does not keep as a tensor. */
static int state_number(const optimizer_class *class, const char *name) {
  for (int s = 0; class->states[s] != NULL; s++) {
    if (strcmp(class->states[s], name) == 0) {
      return s;
    }
  }
  return -1;
}

/* A number where a tensor is kept, as old versions of Python saved a step. */
static ctorch_error *tensor_of_number(ctorch_tensor **out, const ctorch_value *value) {
  double number = 0;
  ctorch_dtype dtype = optimizer_number_dtype(false);
  CTORCH_TRY(ctorch_value_to_double(&number, value));
  const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  return ctorch_aten_full(out, NULL, 0, CTORCH_FLOAT(number), &dtype, NULL, &cpu, NULL);
}

static bool is_number(const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  return kind == CTORCH_VALUE_INT || kind == CTORCH_VALUE_DOUBLE;
}

/* One entry of a state goes to its place in `param`, a new one. */
static ctorch_error *take_entry(
    const optimizer_class *class, struct optimizer_param *param, const char *name, const ctorch_value *value) {
  int number = state_number(class, name);
  if (number >= 0 && (ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR || is_number(value))) {
    ctorch_tensor *tensor = NULL;
    CTORCH_TRY(is_number(value) ? tensor_of_number(&tensor, value) : ctorch_value_to_tensor(&tensor, value));
    optimizer_set_state(param, (size_t)number, tensor);
    return NULL;
  }
  if (number >= 0 && ctorch_value_kind_of(value) == CTORCH_VALUE_NONE) {
    return NULL;
  }
  if (param->others == NULL) {
    ctorch_value *others = NULL;
    CTORCH_TRY(ctorch_value_from_dict(&others, NULL, 0, NULL, 0));
    param->others = value_take(others);
  }
  return ctorch_value_dict_put(param->others, name, value);
}

void param_state_clear(struct optimizer_param *param) {
  for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
    tensor_unref(param->states[s]);
    param->states[s] = NULL;
  }
  value_unref(param->others);
  param->others = NULL;
}

/* The state of `param`, which is a new one, out of a dict. */
ctorch_error *param_state_take(
    const char *function, const optimizer_class *class, struct optimizer_param *param, const ctorch_value *state) {
  ctorch_value *keys = NULL, *values = NULL;
  if (ctorch_value_kind_of(state) != CTORCH_VALUE_DICT) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "state: expected a dict for each parameter, found %s",
        ctorch_value_kind_name(ctorch_value_kind_of(state)));
  }
  CTORCH_TRY(ctorch_value_dict_keys(&keys, state));
  ctorch_error *error = ctorch_value_dict_values(&values, state);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    const char *name = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, ctorch_value_to_string(&name, NULL, key));
    THEN(error, take_entry(class, param, name, value));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  if (error != NULL) {
    param_state_clear(param);
  }
  return error;
}

void param_state_exchange(struct optimizer_param *self, struct optimizer_param *other) {
  struct optimizer_param before = *self;
  memcpy(self->states, other->states, sizeof self->states);
  self->others = other->others;
  memcpy(other->states, before.states, sizeof other->states);
  other->others = before.others;
}

static ctorch_error *find_param(
    const char *function, struct optimizer_param **out, const ctorch_optimizer *self, const ctorch_tensor *param) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || param == NULL) {
    return error_null(function, self == NULL ? "self" : "param");
  }
  *out = optimizer_find(self, param);
  return *out != NULL ? NULL : error_make(function, CTORCH_ERROR_INDEX, "param: it is no parameter of this optimizer");
}

ctorch_error *ctorch_optimizer_state(ctorch_value **out, const ctorch_optimizer *self, const ctorch_tensor *param) {
  struct optimizer_param *found = NULL;
  CTORCH_TRY(find_param(__func__, &found, self, param));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  return state_of(out, optimizer_class_of(self), found);
}

ctorch_error *ctorch_optimizer_set_state(
    ctorch_optimizer *self, const ctorch_tensor *param, const ctorch_value *state) {
  struct optimizer_param *found = NULL, made = {0};
  CTORCH_TRY(find_param(__func__, &found, self, param));
  if (state == NULL) {
    return error_null(__func__, "state");
  }
  const optimizer_class *class = optimizer_class_of(self);
  CTORCH_TRY(param_state_take(__func__, class, &made, state));
  param_state_exchange(found, &made);
  param_state_clear(&made);
  return class->loaded == NULL ? NULL : class->loaded(__func__, self);
}

/* State dicts. */

/* "params" of a saved group: numbers, the first place of each parameter among all. */
static ctorch_error *numbers_of(ctorch_value **out, const ctorch_optimizer *self, size_t group, size_t first) {
  const struct optimizer_group *own = &self->groups[group];
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < own->len; i++) {
    ctorch_value *number = NULL;
    size_t at = i;
    for (size_t j = 0; j < i && at == i; j++) {
      at = own->params[j].tensor == own->params[i].tensor ? j : at; /* twice in a group, which is only warned of */
    }
    error = ctorch_value_from_int(&number, (int64_t)(first + at));
    THEN(error, ctorch_value_list_append(list, number));
    ctorch_value_release(number);
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *save_group(
    const char *function, ctorch_value *groups, const ctorch_optimizer *self, size_t group, size_t first) {
  ctorch_value *packed = NULL, *params = NULL;
  CTORCH_TRY(group_options(function, &packed, &self->groups[group]));
  ctorch_error *error = numbers_of(&params, self, group, first);
  THEN(error, ctorch_value_dict_put(packed, "params", params));
  THEN(error, ctorch_value_list_append(groups, packed));
  ctorch_value_release(params);
  ctorch_value_release(packed);
  return error;
}

bool param_has_state(const struct optimizer_param *param) {
  bool is = param->others != NULL;
  for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
    is = is || param->states[s] != NULL;
  }
  return is;
}

static ctorch_error *save_state(
    ctorch_value *states, const optimizer_class *class, const struct optimizer_param *param, size_t number) {
  ctorch_value *key = NULL, *state = NULL;
  if (!param_has_state(param)) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_from_int(&key, (int64_t)number));
  ctorch_error *error = state_of(&state, class, param);
  THEN(error, ctorch_value_dict_set(states, key, state));
  ctorch_value_release(key);
  ctorch_value_release(state);
  return error;
}

static ctorch_error *save(const char *function, ctorch_value *dict, const ctorch_optimizer *self) {
  ctorch_value *states = NULL, *groups = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&states, NULL, 0, NULL, 0));
  ctorch_error *error = ctorch_value_from_list(&groups, NULL, 0);
  size_t first = 0;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    error = save_group(function, groups, self, i, first);
    for (size_t j = 0; error == NULL && j < self->groups[i].len; j++) {
      error = save_state(states, optimizer_class_of(self), &self->groups[i].params[j], first + j);
    }
    first += self->groups[i].len;
  }
  if (error == NULL && self->unassigned != NULL) {
    error = dict_merge(states, self->unassigned, NULL, NULL);
  }
  THEN(error, ctorch_value_dict_put(dict, "state", states));
  THEN(error, ctorch_value_dict_put(dict, "param_groups", groups));
  ctorch_value_release(states);
  ctorch_value_release(groups);
  return error;
}

ctorch_error *ctorch_optimizer_state_dict(ctorch_value **out, ctorch_optimizer *self) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(optimizer_run_hooks(__func__, self, OPTIMIZER_STATE_DICT_PRE));
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = save(__func__, dict, self);
  THEN(error, optimizer_run_value_hooks(__func__, self, OPTIMIZER_STATE_DICT, &dict));
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}
