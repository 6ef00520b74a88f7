/* Optimizers and their groups: <ctorch/optim/optimizer.h> but for steps, states, hooks and names. */
#include "optim/optimizer.h"
#include "base/sequence.h"
#include "module/tapes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "optim/group.h"
#include "optim/optimizer_hooks.h"

const optimizer_class *optimizer_class_of(const ctorch_optimizer *self) {
  return (const optimizer_class *)object_class_of(self);
}

void ctorch_optimizer_retain(const ctorch_optimizer *self) { object_retain(self); }
void ctorch_optimizer_release(ctorch_optimizer *self) { object_release(self); }

const char *ctorch_optimizer_name(const ctorch_optimizer *self) {
  return self == NULL ? NULL : optimizer_class_of(self)->name;
}

static void param_clear(struct optimizer_param *self) {
  for (size_t i = 0; i < OPTIMIZER_STATES; i++) {
    tensor_unref(self->states[i]);
  }
  value_unref(self->others);
  tensor_unref(self->tensor);
  free(self->name);
}

void group_clear(struct optimizer_group *self) {
  for (size_t i = 0; i < self->len; i++) {
    param_clear(&self->params[i]);
  }
  free(self->params);
  free(self->read);
  tensor_unref(self->rate);
  value_unref(self->options);
}

void optimizer_finalize(void *object) {
  ctorch_optimizer *self = object;
  for (size_t i = 0; i < self->len; i++) {
    group_clear(&self->groups[i]);
  }
  free(self->groups);
  tapes_free(self->tapes);
  value_unref(self->defaults);
  value_unref(self->unassigned);
  optimizer_hooks_free(self->hooks);
  tensor_unref(self->grad_scale);
  tensor_unref(self->found_inf);
}

struct optimizer_param *optimizer_find(const ctorch_optimizer *self, const ctorch_tensor *param) {
  for (size_t i = 0; i < self->len; i++) {
    for (size_t j = 0; j < self->groups[i].len; j++) {
      if (self->groups[i].params[j].tensor == param) {
        return &self->groups[i].params[j];
      }
    }
  }
  return NULL;
}

void optimizer_set_state(struct optimizer_param *param, size_t state, ctorch_tensor *tensor) {
  tensor_unref(param->states[state]);
  param->states[state] = tensor_take(tensor);
}

bool optimizer_supports_amp_scaling(const ctorch_optimizer *self) {
  ctorch_value *fused = NULL;
  bool supports = false;
  ctorch_error *error = optimizer_class_of(self)->fused == NULL ? NULL : dict_find(&fused, self->defaults, "fused");
  if (error == NULL && fused != NULL && ctorch_value_kind_of(fused) == CTORCH_VALUE_BOOL) {
    error = ctorch_value_to_bool(&supports, fused);
  }
  ctorch_value_release(fused);
  ctorch_error_release(error);
  return supports;
}

/* Groups. */

ctorch_error *optimizer_group_at(
    const char *function, struct optimizer_group **out, const ctorch_optimizer *self, size_t group) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  if (group >= self->len) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "group: %zu is out of range, the optimizer has %zu", group, self->len);
  }
  *out = &self->groups[group];
  return NULL;
}

ctorch_error *optimizer_read(const char *function, ctorch_optimizer *self, struct optimizer_group *group) {
  const optimizer_class *class = optimizer_class_of(self);
  if (group->is_read) {
    return NULL;
  }
  if (group->read == NULL && (group->read = calloc(1, class->options_size)) == NULL) {
    return error_memory(function, class->options_size);
  }
  struct option_reader reader = {.function = function, .name = class->name, .options = group->options};
  option_reader_flags(&reader, group);
  class->read(&reader, group->read);
  group->is_read = reader.error == NULL;
  return reader.error;
}

/* What is found out of "params": an entry for each, with a name for each if there are names. */
static ctorch_error *add_param(const char *function, struct optimizer_group *group, const ctorch_value *value) {
  ctorch_value *name = NULL, *second = NULL;
  ctorch_tensor *tensor = NULL;
  const char *text = NULL;
  bool is_pair = ctorch_value_kind_of(value) == CTORCH_VALUE_TUPLE && ctorch_value_len(value) == 2;
  CTORCH_TRY(array_grow(function, &group->params, group->len, sizeof *group->params));
  struct optimizer_param *param = &group->params[group->len];
  *param = (struct optimizer_param){0};
  ctorch_error *error = NULL;
  if (is_pair) {
    error = ctorch_value_get(&name, value, 0);
    THEN(error, ctorch_value_get(&second, value, 1));
    THEN(error, ctorch_value_to_string(&text, NULL, name));
  }
  const ctorch_value *of_tensor = is_pair ? second : value;
  if (error == NULL && ctorch_value_kind_of(of_tensor) != CTORCH_VALUE_TENSOR) {
    error = error_make(
        function, CTORCH_ERROR_TYPE, "params: an optimizer changes tensors, but one of them is %s",
        ctorch_value_kind_name(ctorch_value_kind_of(of_tensor)));
  }
  THEN(error, ctorch_value_to_tensor(&tensor, of_tensor));
  if (error == NULL && text != NULL && (param->name = malloc(strlen(text) + 1)) == NULL) {
    error = error_memory(function, strlen(text) + 1);
  }
  if (error == NULL) {
    if (text != NULL) {
      memcpy(param->name, text, strlen(text) + 1);
    }
    param->tensor = tensor_take(tensor);
    group->len++;
  }
  ctorch_value_release(name);
  ctorch_value_release(second);
  return error;
}

static ctorch_error *add_params(const char *function, struct optimizer_group *group, const ctorch_value *params) {
  ctorch_value_kind kind = ctorch_value_kind_of(params);
  if (kind == CTORCH_VALUE_TENSOR) {
    return add_param(function, group, params);
  }
  if (kind == CTORCH_VALUE_SET) {
    return error_make(function, CTORCH_ERROR_TYPE, "params: a set has no order; expected a list");
  }
  if (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "params: expected a list of tensors, found %s", ctorch_value_kind_name(kind));
  }
  for (size_t i = 0; i < ctorch_value_len(params); i++) {
    ctorch_value *entry = NULL;
    CTORCH_TRY(ctorch_value_get(&entry, params, i));
    ctorch_error *error = add_param(function, group, entry);
    ctorch_value_release(entry);
    CTORCH_TRY(error);
  }
  return NULL;
}

/* Whether two groups, or a group and itself, have a parameter in common: by a sorted list of addresses. */
static int compare_addresses(const void *a, const void *b) {
  const ctorch_tensor *one = *(ctorch_tensor *const *)a, *other = *(ctorch_tensor *const *)b;
  return one < other ? -1 : one > other;
}

static ctorch_error *check_once(
    const char *function, const ctorch_optimizer *self, const struct optimizer_group *group) {
  const ctorch_tensor **sorted = malloc((group->len + 1) * sizeof *sorted);
  if (sorted == NULL) {
    return error_memory(function, (group->len + 1) * sizeof *sorted);
  }
  bool is_twice = false, is_shared = false;
  for (size_t i = 0; i < group->len; i++) {
    sorted[i] = group->params[i].tensor;
  }
  qsort(sorted, group->len, sizeof *sorted, compare_addresses);
  for (size_t i = 1; i < group->len; i++) {
    is_twice = is_twice || sorted[i] == sorted[i - 1];
  }
  for (size_t i = 0; i < self->len; i++) {
    for (size_t j = 0; j < self->groups[i].len; j++) {
      is_shared =
          is_shared ||
          bsearch(&self->groups[i].params[j].tensor, sorted, group->len, sizeof *sorted, compare_addresses) != NULL;
    }
  }
  free(sorted);
  if (is_shared) {
    return error_make(function, CTORCH_ERROR_VALUE, "params: some parameters appear in more than one parameter group");
  }
  return is_twice ? ctorch_warning_emit(
                        CTORCH_WARNING_USER, "optimizer: a group of parameters has one twice, which will be an error")
                  : NULL;
}

static ctorch_error *check_params(const char *function, const ctorch_optimizer *self, struct optimizer_group *group) {
  size_t named = 0;
  bool differentiable = false;
  CTORCH_TRY(dict_find_bool(&differentiable, self->defaults, "differentiable"));
  for (size_t i = 0; i < group->len; i++) {
    const ctorch_tensor *tensor = group->params[i].tensor;
    bool retains = false;
    named += group->params[i].name != NULL;
    if (!differentiable && !ctorch_tensor_is_leaf(tensor)) {
      CTORCH_TRY(ctorch_aten_retains_grad(&retains, tensor));
      if (!retains) {
        return error_make(function, CTORCH_ERROR_VALUE, "params: can't optimize a non-leaf Tensor (entry %zu)", i);
      }
    }
  }
  if (named != 0 && named != group->len) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "params: all parameters should be with names or without, %zu of %zu have one",
        named, group->len);
  }
  group->has_names = named != 0;
  if (self->len > 0 && self->groups[0].has_names != group->has_names) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "params: cannot add a group %s names to an optimizer whose groups %s",
        group->has_names ? "with" : "without", group->has_names ? "have none" : "have names");
  }
  return check_once(function, self, group);
}

/* The group's own options, then the defaults of those that it has not. */
static ctorch_error *add_options(
    const char *function, struct optimizer_group *group, const ctorch_optimizer *self, const ctorch_value *given) {
  ctorch_value *options = NULL;
  (void)function;
  CTORCH_TRY(ctorch_value_from_dict(&options, NULL, 0, NULL, 0));
  ctorch_error *error = dict_merge(options, given, "params", NULL);
  THEN(error, dict_merge(options, self->defaults, NULL, NULL));
  if (error != NULL) {
    ctorch_value_release(options);
    return error;
  }
  group->options = value_take(options);
  return NULL;
}

ctorch_error *optimizer_add_group(const char *function, ctorch_optimizer *self, const ctorch_value *given) {
  struct optimizer_group group = {0};
  ctorch_value *params = NULL;
  if (ctorch_value_kind_of(given) != CTORCH_VALUE_DICT) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "group: expected a dict, found %s",
        ctorch_value_kind_name(ctorch_value_kind_of(given)));
  }
  CTORCH_TRY(dict_find(&params, given, "params"));
  if (params == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "group: a dict without 'params'");
  }
  ctorch_error *error = add_params(function, &group, params);
  ctorch_value_release(params);
  THEN(error, check_params(function, self, &group));
  THEN(error, add_options(function, &group, self, given));
  THEN(error, array_grow(function, &self->groups, self->len, sizeof group));
  if (error == NULL) {
    self->groups[self->len++] = group;
  } else {
    group_clear(&group);
  }
  return error;
}

ctorch_error *ctorch_optimizer_add_param_group(ctorch_optimizer *self, const ctorch_value *group) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || group == NULL) {
    return error_null(__func__, self == NULL ? "self" : "group");
  }
  return optimizer_add_group(__func__, self, group);
}

size_t ctorch_optimizer_num_groups(const ctorch_optimizer *self) { return self == NULL ? 0 : self->len; }

ctorch_error *ctorch_optimizer_params(ctorch_tensor_list **out, const ctorch_optimizer *self, size_t group) {
  struct optimizer_group *found = NULL;
  CTORCH_TRY(optimizer_group_at(__func__, &found, self, group));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  const ctorch_tensor **tensors = malloc((found->len + 1) * sizeof *tensors);
  if (tensors == NULL) {
    return error_memory(__func__, (found->len + 1) * sizeof *tensors);
  }
  for (size_t i = 0; i < found->len; i++) {
    tensors[i] = found->params[i].tensor;
  }
  ctorch_error *error = ctorch_tensor_list_new(out, tensors, found->len);
  free(tensors);
  return error;
}

/* Options. */

static ctorch_error *names_of(const char *function, ctorch_value **out, const struct optimizer_group *group) {
  const char **names = malloc((group->len + 1) * sizeof *names);
  if (names == NULL) {
    return error_memory(function, (group->len + 1) * sizeof *names);
  }
  for (size_t i = 0; i < group->len; i++) {
    names[i] = group->params[i].name;
  }
  ctorch_value *texts = NULL;
  ctorch_error *error = ctorch_value_from_strings(&texts, names, group->len);
  free(names);
  THEN(error, list_of_values(out, texts));
  ctorch_value_release(texts);
  return error;
}

ctorch_error *group_options(const char *function, ctorch_value **out, const struct optimizer_group *group) {
  ctorch_value *options = NULL, *names = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&options, NULL, 0, NULL, 0));
  ctorch_error *error = dict_merge(options, group->options, NULL, NULL);
  if (error == NULL && group->has_names) {
    error = names_of(function, &names, group);
    THEN(error, ctorch_value_dict_put(options, "param_names", names));
    ctorch_value_release(names);
  }
  if (error != NULL) {
    ctorch_value_release(options);
    return error;
  }
  *out = options;
  return NULL;
}

ctorch_error *ctorch_optimizer_options(ctorch_value **out, const ctorch_optimizer *self, size_t group) {
  struct optimizer_group *found = NULL;
  CTORCH_TRY(optimizer_group_at(__func__, &found, self, group));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  return group_options(__func__, out, found);
}

ctorch_error *ctorch_optimizer_get_option(
    ctorch_value **out, const ctorch_optimizer *self, size_t group, const char *name) {
  struct optimizer_group *found = NULL;
  ctorch_value *value = NULL;
  CTORCH_TRY(optimizer_group_at(__func__, &found, self, group));
  if (out == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : "name");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  if (found->has_names && strcmp(name, "param_names") == 0) {
    return names_of(__func__, out, found);
  }
  CTORCH_TRY(dict_find(&value, found->options, name));
  if (value == NULL) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "%s has no option '%s'", ctorch_optimizer_name(self), name);
  }
  *out = value;
  return NULL;
}

/* Other names for all parameters, at once or not at all. */
ctorch_error *group_set_names(const char *function, struct optimizer_group *group, const ctorch_value *names) {
  if (ctorch_value_kind_of(names) != CTORCH_VALUE_LIST || ctorch_value_len(names) != group->len) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "param_names: expected a list of %zu names, one for each parameter", group->len);
  }
  char **copies = calloc(group->len + 1, sizeof *copies);
  ctorch_error *error = copies == NULL ? error_memory(function, (group->len + 1) * sizeof *copies) : NULL;
  for (size_t i = 0; error == NULL && i < group->len; i++) {
    ctorch_value *name = NULL;
    const char *text = NULL;
    error = ctorch_value_get(&name, names, i);
    THEN(error, ctorch_value_to_string(&text, NULL, name));
    if (error == NULL && (copies[i] = malloc(strlen(text) + 1)) == NULL) {
      error = error_memory(function, strlen(text) + 1);
    }
    if (error == NULL) {
      memcpy(copies[i], text, strlen(text) + 1);
    }
    ctorch_value_release(name);
  }
  for (size_t i = 0; copies != NULL && i < group->len; i++) {
    if (error == NULL) {
      char *before = group->params[i].name;
      group->params[i].name = copies[i];
      copies[i] = before;
    }
    free(copies[i]);
  }
  free(copies);
  group->has_names = group->has_names || (error == NULL && group->len > 0);
  return error;
}

ctorch_error *ctorch_optimizer_set_option(
    ctorch_optimizer *self, size_t group, const char *name, const ctorch_value *value) {
  struct optimizer_group *found = NULL;
  CTORCH_TRY(optimizer_group_at(__func__, &found, self, group));
  if (name == NULL || value == NULL) {
    return error_null(__func__, name == NULL ? "name" : "value");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  if (strcmp(name, "params") == 0) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "name: the parameters of a group cannot be replaced");
  }
  if (strcmp(name, "param_names") == 0) {
    return group_set_names(__func__, found, value);
  }
  found->is_read = false;
  return ctorch_value_dict_put(found->options, name, value);
}

ctorch_error *ctorch_optimizer_get_lr(double *out, const ctorch_optimizer *self, size_t group) {
  struct optimizer_group *found = NULL;
  CTORCH_TRY(optimizer_group_at(__func__, &found, self, group));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  struct option_reader reader = {.function = __func__, .name = ctorch_optimizer_name(self), .options = found->options};
  struct optimizer_number lr = read_number(&reader, "lr");
  return reader.error != NULL ? reader.error : number_value(out, &lr);
}

ctorch_error *ctorch_optimizer_set_lr(ctorch_optimizer *self, double lr) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  for (size_t i = 0; i < self->len; i++) {
    CTORCH_TRY(group_set_number(&self->groups[i], "lr", lr));
  }
  return NULL;
}

ctorch_error *group_set_number(struct optimizer_group *self, const char *name, double number) {
  ctorch_value *before = NULL, *value = NULL;
  CTORCH_TRY(dict_find(&before, self->options, name));
  ctorch_error *error = NULL;
  if (before != NULL && ctorch_value_kind_of(before) == CTORCH_VALUE_TENSOR) {
    ctorch_tensor *tensor = NULL;
    error = ctorch_value_to_tensor(&tensor, before);
    THEN(error, ctorch_grad_mode_push(false));
    if (error == NULL) {
      error = ctorch_aten_fill__Scalar(tensor, CTORCH_FLOAT(number));
      error = ctorch_error_first(error, ctorch_grad_mode_pop());
    }
    ctorch_tensor_release(tensor);
  } else {
    self->is_read = false;
    error = ctorch_value_from_double(&value, number);
    THEN(error, ctorch_value_dict_put(self->options, name, value));
    ctorch_value_release(value);
  }
  ctorch_value_release(before);
  return error;
}

ctorch_error *ctorch_optimizer_defaults(ctorch_value **out, const ctorch_optimizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return ctorch_value_copy(out, self->defaults);
}
