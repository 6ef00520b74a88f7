/* Metrics: handles, states, what their functions have in common. */
#include "metrics/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"

/* The class of an object begins with that of the object. */
const metric_class *metric_class_of(const ctorch_metric *self) {
  return (const metric_class *)(const void *)object_class_of(self);
}

static void state_end(struct metric_state *state) {
  tensor_unref(state->initial);
  tensor_unref(state->value);
  for (size_t i = 0; i < state->parts_len; i++) {
    tensor_unref(state->parts[i]);
  }
  free(state->parts);
}

void metric_finalize(void *object) {
  ctorch_metric *self = object;
  for (size_t i = 0; i < self->states_len; i++) {
    state_end(&self->states[i]);
  }
  for (size_t i = 0; i < self->members_len; i++) {
    object_unref(self->members[i].metric);
    free(self->members[i].name);
  }
  tensor_unref(self->constant);
  free(self->states);
  free(self->members);
  free(self->prefix);
  free(self->postfix);
}

void *metric_new(const metric_class *type) {
  ctorch_metric *self = object_new(&type->object);
  if (self != NULL) {
    self->dtype = ctorch_defaults_dtype();
  }
  return self;
}

ctorch_error *metric_give(const char *function, ctorch_metric **out, ctorch_metric *self, ctorch_error *error) {
  if (error != NULL) {
    object_unref(self);
    return error_of(function, error);
  }
  return object_give(function, out, self);
}

void ctorch_metric_retain(const ctorch_metric *self) { object_retain(self); }
void ctorch_metric_release(ctorch_metric *self) { object_release(self); }

const char *ctorch_metric_name(const ctorch_metric *self) { return self == NULL ? NULL : metric_class_of(self)->name; }

int64_t ctorch_metric_update_count(const ctorch_metric *self) { return self == NULL ? 0 : self->updates; }

/* States ----------------------------------------------------------------------------------------------------------- */

static struct metric_state *add(
    ctorch_error **error, ctorch_metric *self, const char *name, enum metric_reduction reduction) {
  size_t nbytes = (self->states_len + 1) * sizeof *self->states;
  struct metric_state *states = realloc(self->states, nbytes);
  if (states == NULL) {
    *error = error_memory(__func__, nbytes);
    return NULL;
  }
  self->states = states;
  struct metric_state *state = &states[self->states_len++];
  *state = (struct metric_state){.reduction = reduction};
  snprintf(state->name, sizeof state->name, "%s", name);
  return state;
}

void metric_add_state(
    ctorch_error **error,
    ctorch_metric *self,
    const char *name,
    enum metric_reduction reduction,
    ctorch_dtype dtype,
    double number,
    const int64_t *sizes,
    size_t len) {
  struct metric_state *state = *error != NULL || self == NULL ? NULL : add(error, self, name, reduction);
  ctorch_tensor *initial = NULL;
  if (state == NULL) {
    return;
  }
  *error = ctorch_aten_full(&initial, sizes, len, CTORCH_FLOAT(number), &dtype, NULL, NULL, NULL);
  if (*error == NULL) {
    state->initial = tensor_take(initial);
    state->value = tensor_ref(initial);
  }
}

void metric_add_promoting(ctorch_error **error, ctorch_metric *self, const char *name, ctorch_dtype dtype) {
  metric_add_state(error, self, name, METRIC_SUM, dtype, 0, NULL, 0);
  if (*error == NULL && self != NULL) {
    self->states[self->states_len - 1].promotes = true;
  }
}

void metric_add_list(ctorch_error **error, ctorch_metric *self, const char *name) {
  if (*error == NULL && self != NULL) {
    add(error, self, name, METRIC_CAT);
  }
}

int metric_choice(
    ctorch_error **error, const char *function, const char *name, const char *given, const char *const *allowed) {
  char list[200] = "";
  for (int i = 0; *error == NULL && allowed[i] != NULL; i++) {
    if (strcmp(allowed[i], given) == 0) {
      return i;
    }
    size_t len = strlen(list);
    snprintf(list + len, sizeof list - len, "%s'%s'", i > 0 ? ", " : "", allowed[i]);
  }
  THEN(
      *error, error_make(
                  function, CTORCH_ERROR_VALUE, "Expected argument `%s` to be one of (%s), but got '%.80s'", name, list,
                  given));
  return 0;
}

/* Results ---------------------------------------------------------------------------------------------------------- */

ctorch_tensor *metric_state(struct calculation *c, const ctorch_metric *self, size_t index) {
  const struct metric_state *state = &self->states[index];
  if (state->reduction != METRIC_CAT) {
    return state->value;
  }
  if (state->parts_len == 0) {
    calc_fail(c, CTORCH_ERROR_VALUE, "No samples to concatenate");
    return NULL;
  }
  ctorch_tensor **parts = calloc(state->parts_len, sizeof *parts), *joined = NULL;
  if (parts == NULL) {
    calc_fail_with(c, error_memory(c->function, state->parts_len * sizeof *parts));
    return NULL;
  }
  for (size_t i = 0; i < state->parts_len; i++) {
    ctorch_tensor *part = state->parts[i];
    parts[i] = ctorch_tensor_ndim(part) == 0 ? calc_unsqueeze(c, part, 0) : part;
  }
  joined = calc_cat_all(c, parts, state->parts_len);
  free(parts);
  return joined;
}

ctorch_value *metric_result(struct calculation *c, const ctorch_tensor *tensor) {
  ctorch_value *value = NULL;
  if (!calc_goes_on(c, tensor, tensor)) {
    return NULL;
  }
  bool is_number = ctorch_tensor_numel(tensor) == 1 && ctorch_tensor_ndim(tensor) > 0;
  const ctorch_tensor *result = is_number ? calc_squeeze_all(c, tensor) : tensor;
  THEN(c->error, ctorch_value_from_tensor(&value, result));
  return value;
}

ctorch_value *metric_tuple(struct calculation *c, ctorch_value *const *values, size_t len) {
  ctorch_value *value = NULL;
  THEN(c->error, ctorch_value_from_tuple(&value, (const ctorch_value *const *)values, len));
  return value;
}

ctorch_value *metric_list(struct calculation *c, ctorch_tensor *const *tensors, size_t len) {
  ctorch_value *value = NULL;
  THEN(c->error, ctorch_value_from_list(&value, NULL, 0));
  for (size_t i = 0; c->error == NULL && i < len; i++) {
    ctorch_value *entry = metric_result(c, tensors[i]);
    THEN(c->error, ctorch_value_list_append(value, entry));
  }
  return value;
}

void metric_check_shapes(struct calculation *c, const ctorch_tensor *preds, const ctorch_tensor *target) {
  if (calc_goes_on(c, preds, target) && !calc_same_sizes(preds, target)) {
    calc_fail_with(
        c, error_shape(
               c->function, ctorch_tensor_sizes(preds), (size_t)ctorch_tensor_ndim(preds), ctorch_tensor_sizes(target),
               (size_t)ctorch_tensor_ndim(target), "target: expected the shape of `preds`"));
  }
}

ctorch_tensor *metric_safe_divide(
    struct calculation *c, const ctorch_tensor *numerator, const ctorch_tensor *denominator, double zero_division) {
  const ctorch_tensor *above = calc_floating(c, numerator), *below = calc_floating(c, denominator);
  return calc_where_number(c, calc_differs(c, below, whole(0)), calc_div(c, above, below), floating(zero_division));
}

/* Outside of 0 to 1 is what is not a number, too. */
ctorch_tensor *metric_probabilities(struct calculation *c, const ctorch_tensor *x, bool softmax) {
  if (!calc_goes_on(c, x, x) || ctorch_tensor_numel(x) == 0) {
    return (ctorch_tensor *)x;
  }
  double least = 0, greatest = 0;
  calc_extremes(c, x, &least, &greatest);
  if (c->error != NULL || (least >= 0 && greatest <= 1)) {
    return (ctorch_tensor *)x;
  }
  return softmax ? calc_softmax(c, x, 1) : calc_sigmoid(c, x);
}
