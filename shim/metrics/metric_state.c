/* States of metrics: copies, other devices, dicts of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "metrics/metric.h"

void metric_reset(ctorch_metric *self) {
  for (size_t i = 0; i < self->states_len; i++) {
    struct metric_state *state = &self->states[i];
    while (state->parts_len > 0) {
      tensor_unref(state->parts[--state->parts_len]);
    }
    free(state->parts);
    state->parts = NULL;
    tensor_unref(state->value);
    state->value = tensor_ref(state->initial);
  }
  for (size_t i = 0; i < self->members_len; i++) {
    metric_reset(self->members[i].metric);
  }
  self->updates = 0;
}

/* Copies ----------------------------------------------------------------------------------------------------------- */

static bool copy_state(struct metric_state *out, const struct metric_state *state, bool with_state) {
  *out = *state;
  out->parts = NULL;
  out->parts_len = 0;
  out->initial = tensor_ref(state->initial);
  out->value = tensor_ref(with_state ? state->value : state->initial);
  if (!with_state || state->parts_len == 0) {
    return true;
  }
  out->parts = array_new(state->parts_len, sizeof(ctorch_tensor *));
  for (size_t i = 0; out->parts != NULL && i < state->parts_len; i++) {
    out->parts[out->parts_len++] = tensor_ref(state->parts[i]);
  }
  return out->parts != NULL;
}

bool metric_copy_text(char **out, const char *text) {
  *out = text == NULL ? NULL : malloc(strlen(text) + 1);
  if (*out != NULL) {
    memcpy(*out, text, strlen(text) + 1);
  }
  return text == NULL || *out != NULL;
}

static ctorch_metric *copy_of(const ctorch_metric *self, bool with_state);

static bool copy_members(ctorch_metric *copy, const ctorch_metric *self, bool with_state) {
  copy->members = calloc(self->members_len + 1, sizeof *copy->members);
  bool is_whole = copy->members != NULL && metric_copy_text(&copy->prefix, self->prefix);
  is_whole = is_whole && metric_copy_text(&copy->postfix, self->postfix);
  for (size_t i = 0; is_whole && i < self->members_len; i++) {
    struct metric_member *member = &copy->members[copy->members_len++];
    member->metric = copy_of(self->members[i].metric, with_state);
    is_whole = member->metric != NULL && metric_copy_text(&member->name, self->members[i].name);
  }
  return is_whole;
}

/* NULL is out of memory. */
static ctorch_metric *copy_of(const ctorch_metric *self, bool with_state) {
  const object_class *class = object_class_of(self);
  ctorch_metric *copy = object_new(class);
  if (copy == NULL) {
    return NULL;
  }
  memcpy(copy + 1, self + 1, class->size - sizeof *self);
  copy->dtype = self->dtype;
  copy->updates = with_state ? self->updates : 0;
  copy->constant = tensor_ref(self->constant);
  copy->states = calloc(self->states_len + 1, sizeof *copy->states);
  bool is_whole = copy->states != NULL && copy_members(copy, self, with_state);
  for (size_t i = 0; is_whole && i < self->states_len; i++) {
    is_whole = copy_state(&copy->states[copy->states_len++], &self->states[i], with_state);
  }
  if (!is_whole) {
    object_unref(copy);
    return NULL;
  }
  return copy;
}

ctorch_error *metric_clone(const char *function, ctorch_metric **out, const ctorch_metric *self, bool with_state) {
  return object_give(function, out, copy_of(self, with_state));
}

/* Devices and types ------------------------------------------------------------------------------------------------ */

static ctorch_error *move(ctorch_tensor **tensor, const ctorch_device *device, const ctorch_dtype *dtype) {
  ctorch_tensor *moved = NULL;
  if (*tensor == NULL) {
    return NULL;
  }
  const ctorch_dtype *wanted = calc_is_floating(*tensor) ? dtype : NULL;
  CTORCH_TRY(ctorch_tensor_to(&moved, *tensor, wanted, device, false, false, NULL));
  tensor_unref(*tensor);
  *tensor = tensor_take(moved);
  return NULL;
}

static ctorch_error *move_all(ctorch_metric *self, const ctorch_device *device, const ctorch_dtype *dtype) {
  CTORCH_TRY(move(&self->constant, device, dtype));
  for (size_t i = 0; i < self->states_len; i++) {
    struct metric_state *state = &self->states[i];
    CTORCH_TRY(move(&state->initial, device, dtype));
    CTORCH_TRY(move(&state->value, device, dtype));
    for (size_t j = 0; j < state->parts_len; j++) {
      CTORCH_TRY(move(&state->parts[j], device, dtype));
    }
  }
  for (size_t i = 0; i < self->members_len; i++) {
    CTORCH_TRY(move_all(self->members[i].metric, device, dtype));
  }
  if (dtype != NULL) {
    self->dtype = *dtype;
  }
  return NULL;
}

/* Let `self` have what `other` has, and the other way round; of one class. */
static void exchange(ctorch_metric *self, ctorch_metric *other) {
  ctorch_metric mine = *self;
  *self = *other;
  *other = mine;
}

/* A copy is moved, so that one of which something fails to move stays as it was. */
ctorch_error *metric_to(
    const char *function, ctorch_metric *self, const ctorch_device *device, const ctorch_dtype *dtype) {
  ctorch_metric *copy = copy_of(self, true);
  if (copy == NULL) {
    return error_memory(function, object_class_of(self)->size);
  }
  ctorch_error *error = move_all(copy, device, dtype);
  if (error == NULL) {
    exchange(self, copy);
  }
  object_unref(copy);
  return error_of(function, error);
}

/* Dicts ------------------------------------------------------------------------------------------------------------ */

static const char *const REDUCTIONS[] = {"sum", "cat", "min", "max"};

typedef ctorch_error *describe(const char *function, ctorch_value **out, const struct metric_state *state);

/* A dict of what describes each state, under its name. */
static ctorch_error *collect(
    const char *function, ctorch_value *dict, const ctorch_metric *self, const char *before, describe *described) {
  char key[512];
  for (size_t i = 0; i < self->states_len; i++) {
    ctorch_value *value = NULL;
    CTORCH_TRY(described(function, &value, &self->states[i]));
    snprintf(key, sizeof key, "%s%s", before, self->states[i].name);
    ctorch_error *error = ctorch_value_dict_put(dict, key, value);
    ctorch_value_release(value);
    CTORCH_TRY(error);
  }
  for (size_t i = 0; i < self->members_len; i++) {
    snprintf(key, sizeof key, "%s.", self->members[i].name);
    CTORCH_TRY(collect(function, dict, self->members[i].metric, key, described));
  }
  return NULL;
}

static ctorch_error *dict_of(const char *function, ctorch_value **out, const ctorch_metric *self, describe *described) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || self == NULL) {
    return error_null(function, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_of(function, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  ctorch_error *error = collect(function, dict, self, "", described);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error_of(function, error);
  }
  *out = dict;
  return NULL;
}

static ctorch_error *value_of_copy(ctorch_value **out, const ctorch_tensor *tensor) {
  ctorch_tensor *copy = NULL;
  CTORCH_TRY(ctorch_aten_clone(&copy, tensor, NULL));
  ctorch_error *error = ctorch_value_from_tensor(out, copy);
  ctorch_tensor_release(copy);
  return error;
}

static ctorch_error *describe_value(const char *function, ctorch_value **out, const struct metric_state *state) {
  ctorch_value *list = NULL, *entry = NULL;
  (void)function;
  if (state->reduction != METRIC_CAT) {
    return value_of_copy(out, state->value);
  }
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < state->parts_len; i++) {
    error = value_of_copy(&entry, state->parts[i]);
    if (error == NULL) {
      error = ctorch_value_list_append(list, entry);
      ctorch_value_release(entry);
    }
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *describe_reduction(const char *function, ctorch_value **out, const struct metric_state *state) {
  (void)function;
  return ctorch_value_from_string(out, REDUCTIONS[state->reduction]);
}

ctorch_error *ctorch_metric_state_dict(ctorch_value **out, const ctorch_metric *self) {
  CTORCH_TRY(error_refusal(__func__));
  return dict_of(__func__, out, self, describe_value);
}

ctorch_error *ctorch_metric_reductions(ctorch_value **out, const ctorch_metric *self) {
  CTORCH_TRY(error_refusal(__func__));
  return dict_of(__func__, out, self, describe_reduction);
}

/* Loading ---------------------------------------------------------------------------------------------------------- */

/* A tensor of a state dict, as a copy that is taken; `like` is what it has to be like, NULL for anything. */
static ctorch_error *load_tensor(
    const char *function, ctorch_tensor **out, const ctorch_value *value, const char *name, const ctorch_tensor *like) {
  ctorch_tensor *tensor = NULL, *copy = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "state_dict: expected a tensor as '%s', found %s", name,
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  ctorch_error *error = NULL;
  if (like != NULL && !calc_same_sizes(like, tensor)) {
    error = error_shape(
        function, ctorch_tensor_sizes(like), (size_t)ctorch_tensor_ndim(like), ctorch_tensor_sizes(tensor),
        (size_t)ctorch_tensor_ndim(tensor), "state_dict: '%s' has another shape", name);
  }
  THEN(error, ctorch_aten_clone(&copy, tensor, NULL));
  ctorch_tensor_release(tensor);
  *out = error == NULL ? tensor_take(copy) : NULL;
  return error;
}

static ctorch_error *load_list(
    const char *function, struct metric_state *state, const ctorch_value *list, const char *name) {
  bool is_tensor = ctorch_value_kind_of(list) == CTORCH_VALUE_TENSOR;
  if (!is_tensor && !value_is_sequence(list)) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "state_dict: expected a list of tensors as '%s', found %s", name,
        ctorch_value_kind_name(ctorch_value_kind_of(list)));
  }
  for (size_t i = 0; i < (is_tensor ? 1 : ctorch_value_len(list)); i++) {
    ctorch_value *entry = NULL;
    CTORCH_TRY(array_grow(function, &state->parts, state->parts_len, sizeof *state->parts));
    if (is_tensor) {
      CTORCH_TRY(load_tensor(function, &state->parts[state->parts_len], list, name, NULL));
    } else {
      CTORCH_TRY(ctorch_value_get(&entry, list, i));
      ctorch_error *error = load_tensor(function, &state->parts[state->parts_len], entry, name, NULL);
      ctorch_value_release(entry);
      CTORCH_TRY(error);
    }
    state->parts_len++;
  }
  return NULL;
}

static ctorch_error *load_state(
    const char *function, struct metric_state *state, const ctorch_value *value, const char *name) {
  if (state->reduction == METRIC_CAT) {
    return load_list(function, state, value, name);
  }
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(load_tensor(function, &tensor, value, name, state->promotes ? NULL : state->initial));
  tensor_unref(state->value);
  state->value = tensor;
  return NULL;
}

/* Load into a metric without a state; count what was found. */
static ctorch_error *load(
    const char *function, ctorch_metric *self, const ctorch_value *dict, const char *before, size_t *found) {
  char key[512];
  for (size_t i = 0; i < self->states_len; i++) {
    ctorch_value *value = NULL, *text = NULL;
    bool has = false;
    snprintf(key, sizeof key, "%s%s", before, self->states[i].name);
    CTORCH_TRY(ctorch_value_from_string(&text, key));
    ctorch_error *error = ctorch_value_dict_contains(&has, dict, text);
    ctorch_value_release(text);
    CTORCH_TRY(error);
    if (!has) {
      return error_make(function, CTORCH_ERROR_INDEX, "state_dict: there is no '%s'", key);
    }
    CTORCH_TRY(ctorch_value_dict_at(&value, dict, key));
    error = load_state(function, &self->states[i], value, key);
    ctorch_value_release(value);
    CTORCH_TRY(error);
    *found += 1;
  }
  for (size_t i = 0; i < self->members_len; i++) {
    snprintf(key, sizeof key, "%s.", self->members[i].name);
    CTORCH_TRY(load(function, self->members[i].metric, dict, key, found));
    self->members[i].metric->updates = 1;
  }
  return NULL;
}

ctorch_error *ctorch_metric_load_state_dict(ctorch_metric *self, const ctorch_value *state_dict) {
  CTORCH_TRY(error_refusal(__func__));
  size_t found = 0;
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || state_dict == NULL) {
    return error_null(__func__, self == NULL ? "self" : "state_dict");
  }
  if (ctorch_value_kind_of(state_dict) != CTORCH_VALUE_DICT) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "state_dict: expected a dict, found %s",
        ctorch_value_kind_name(ctorch_value_kind_of(state_dict)));
  }
  ctorch_metric *copy = copy_of(self, false);
  if (copy == NULL) {
    return error_memory(__func__, object_class_of(self)->size);
  }
  ctorch_error *error = error_of(__func__, load(__func__, copy, state_dict, "", &found));
  if (error == NULL && found != ctorch_value_len(state_dict)) {
    error = error_make(
        __func__, CTORCH_ERROR_VALUE, "state_dict: %zu entries, of which %s has %zu", ctorch_value_len(state_dict),
        ctorch_metric_name(self), found);
  }
  if (error == NULL) {
    copy->updates = 1;
    exchange(self, copy);
  }
  object_unref(copy);
  return error;
}
