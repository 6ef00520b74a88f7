/* Counting: batches, and what other metrics have counted, are added to states, all or nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "metrics/metric.h"

/* The metrics that have states: those of a collection, or the one itself. */
static size_t leaves_len(const ctorch_metric *self) { return self->members_len > 0 ? self->members_len : 1; }
static ctorch_metric *leaf(const ctorch_metric *self, size_t i) {
  return self->members_len > 0 ? self->members[i].metric : (ctorch_metric *)self;
}

/* What is going to be the state of one metric, and what a batch counts there. */
struct pending {
  ctorch_tensor **counts; /* borrowed from the struct calculation */
  ctorch_tensor **values; /* taken; of a list what is appended */
};

static void pending_free(struct pending *pending, const ctorch_metric *self) {
  for (size_t i = 0; pending != NULL && i < leaves_len(self); i++) {
    for (size_t j = 0; pending[i].values != NULL && j < leaf(self, i)->states_len; j++) {
      tensor_unref(pending[i].values[j]);
    }
    free(pending[i].values);
    free(pending[i].counts);
  }
  free(pending);
}

static struct pending *pending_new(const ctorch_metric *self) {
  struct pending *pending = calloc(leaves_len(self), sizeof *pending);
  for (size_t i = 0; pending != NULL && i < leaves_len(self); i++) {
    pending[i].counts = calloc(leaf(self, i)->states_len + 1, sizeof(ctorch_tensor *));
    pending[i].values = calloc(leaf(self, i)->states_len + 1, sizeof(ctorch_tensor *));
    if (pending[i].counts == NULL || pending[i].values == NULL) {
      pending_free(pending, self);
      return NULL;
    }
  }
  return pending;
}

/* One state and a count as one tensor. */
static ctorch_tensor *combined(struct calculation *c, const struct metric_state *state, const ctorch_tensor *count) {
  if (count == NULL) {
    return state->value;
  }
  switch (state->reduction) {
    case METRIC_MIN:
      return calc_minimum(c, state->value, count);
    case METRIC_MAX:
      return calc_maximum(c, state->value, count);
    default:
      break;
  }
  ctorch_tensor *sum = calc_add(c, state->value, count);
  bool changes = sum != NULL && !state->promotes && ctorch_tensor_dtype(sum) != ctorch_tensor_dtype(state->value);
  return changes ? calc_to(c, sum, ctorch_tensor_dtype(state->value)) : sum;
}

static bool shares_memory(struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b) {
  const void *at = NULL, *other = NULL;
  if (b == NULL || c->error != NULL || ctorch_tensor_layout(b) != CTORCH_LAYOUT_STRIDED) {
    return false;
  }
  calc_fail_with(c, ctorch_tensor_const_data(&at, a));
  THEN(c->error, ctorch_tensor_const_data(&other, b));
  return at == other;
}

/* What a list keeps of a count: without a graph, and apart from what the caller may change. */
static ctorch_tensor *kept(struct calculation *c, ctorch_tensor *count, const struct metric_inputs *inputs) {
  ctorch_tensor *detached = NULL;
  if (c->error != NULL || count == NULL) {
    return NULL;
  }
  calc_fail_with(c, ctorch_aten_detach(&detached, count));
  if (c->error == NULL && inputs != NULL &&
      (shares_memory(c, detached, inputs->preds) || shares_memory(c, detached, inputs->target))) {
    return calc_clone(c, detached);
  }
  return detached;
}

/* Compute the states to come of one metric. */
static void prepare(
    struct calculation *c, ctorch_metric *self, struct pending *pending, const struct metric_inputs *inputs) {
  for (size_t i = 0; c->error == NULL && i < self->states_len; i++) {
    struct metric_state *state = &self->states[i];
    ctorch_tensor *count = pending->counts[i];
    bool is_list = state->reduction == METRIC_CAT;
    ctorch_tensor *value = is_list ? kept(c, count, inputs) : combined(c, state, count);
    if (c->error == NULL && is_list && count != NULL) {
      calc_fail_with(c, array_grow(c->function, &state->parts, state->parts_len, sizeof *state->parts));
    }
    if (c->error == NULL) {
      pending->values[i] = tensor_ref(value);
    }
  }
}

static void append(struct metric_state *state, ctorch_tensor *part) {
  state->parts[state->parts_len++] = part;
  if (state->window > 0 && state->parts_len > (uint64_t)state->window) {
    tensor_unref(state->parts[0]);
    state->parts_len--;
    memmove(state->parts, state->parts + 1, state->parts_len * sizeof *state->parts);
  }
}

static void commit(ctorch_metric *self, struct pending *pending) {
  for (size_t i = 0; i < self->states_len; i++) {
    struct metric_state *state = &self->states[i];
    ctorch_tensor *value = pending->values[i];
    pending->values[i] = NULL;
    if (state->reduction != METRIC_CAT) {
      tensor_unref(state->value);
      state->value = value;
    } else if (value != NULL) {
      append(state, value);
    }
  }
  self->updates++;
}

/* Updates ---------------------------------------------------------------------------------------------------------- */

/* Whether two metrics of a collection count the same. */
static bool count_alike(const ctorch_metric *a, const ctorch_metric *b) {
  const metric_class *class = metric_class_of(a), *other = metric_class_of(b);
  return class->update == other->update && class->shared_size > 0 && class->shared_size == other->shared_size &&
         a->states_len == b->states_len && a->constant == NULL && b->constant == NULL &&
         memcmp(a + 1, b + 1, class->shared_size) == 0;
}

static void count(struct metric_batch *batch, const ctorch_metric *self, struct pending *pending, size_t at) {
  const ctorch_metric *metric = leaf(self, at);
  for (size_t i = 0; i < at; i++) {
    if (count_alike(leaf(self, i), metric)) {
      memcpy(pending[at].counts, pending[i].counts, metric->states_len * sizeof(ctorch_tensor *));
      return;
    }
  }
  batch->counts = pending[at].counts;
  metric_class_of(metric)->update(metric, batch);
}

static ctorch_error *check_inputs(const char *function, const ctorch_metric *self, const struct metric_inputs *inputs) {
  for (size_t i = 0; i < leaves_len(self); i++) {
    const metric_class *class = metric_class_of(leaf(self, i));
    if (class->takes_values) {
      continue;
    }
    if (inputs->len != 2) {
      return error_make(
          function, CTORCH_ERROR_TYPE, "%s: expected `preds` and `target`, got %zu inputs", class->name, inputs->len);
    }
    if (inputs->preds == NULL || inputs->target == NULL) {
      return error_make(
          function, CTORCH_ERROR_TYPE, "%s: expected a tensor as `%s`", class->name,
          inputs->preds == NULL ? "preds" : "target");
    }
  }
  return NULL;
}

/* A metric goes to the device of what it is given first. */
static ctorch_error *follow(const char *function, ctorch_metric *self, const ctorch_tensor *preds) {
  ctorch_device there = {0}, here = {0};
  const ctorch_tensor *own = self->constant != NULL ? self->constant
                             : self->states_len > 0 ? self->states[0].value
                                                    : NULL;
  if (self->updates > 0 || preds == NULL || own == NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_tensor_device(&there, preds));
  CTORCH_TRY(ctorch_tensor_device(&here, own));
  return there.type == here.type && there.index == here.index ? NULL : metric_to(function, self, &there, NULL);
}

ctorch_error *metric_update(const char *function, ctorch_metric *self, const struct metric_inputs *inputs) {
  struct metric_batch batch = {.inputs = inputs, .preds = inputs->preds, .target = inputs->target};
  CTORCH_TRY(check_inputs(function, self, inputs));
  for (size_t i = 0; i < leaves_len(self); i++) {
    CTORCH_TRY(error_of(function, follow(function, leaf(self, i), inputs->preds)));
  }
  struct pending *pending = pending_new(self);
  if (pending == NULL) {
    return error_memory(function, leaves_len(self) * sizeof *pending);
  }
  ctorch_error *error = ctorch_grad_mode_push(false);
  if (error != NULL) {
    pending_free(pending, self);
    return error_of(function, error);
  }
  calculation_begin(&batch.c, function);
  for (size_t i = 0; batch.c.error == NULL && i < leaves_len(self); i++) {
    count(&batch, self, pending, i);
    prepare(&batch.c, leaf(self, i), &pending[i], inputs);
  }
  error = calculation_end(&batch.c);
  error = ctorch_error_first(error, ctorch_grad_mode_pop());
  for (size_t i = 0; error == NULL && i < leaves_len(self); i++) {
    commit(leaf(self, i), &pending[i]);
  }
  self->updates += error == NULL && self->members_len > 0 ? 1 : 0;
  pending_free(pending, self);
  return error;
}

/* Merging ---------------------------------------------------------------------------------------------------------- */

/* What cannot be merged. */
static ctorch_error *check_alike(const char *function, const ctorch_metric *self, const ctorch_metric *other) {
  const metric_class *class = metric_class_of(self);
  bool is_alike = class == metric_class_of(other) && self->states_len == other->states_len &&
                  self->members_len == other->members_len && (self->constant == NULL) == (other->constant == NULL) &&
                  memcmp(self + 1, other + 1, class->object.size - sizeof *self) == 0;
  for (size_t i = 0; is_alike && i < self->members_len; i++) {
    is_alike = strcmp(self->members[i].name, other->members[i].name) == 0;
  }
  if (is_alike && self->constant != NULL) {
    CTORCH_TRY(error_of(function, ctorch_aten_equal(&is_alike, self->constant, other->constant)));
  }
  return is_alike ? NULL
                  : error_make(
                        function, CTORCH_ERROR_VALUE, "other: expected a %s made with the same arguments", class->name);
}

/* Room in the lists of one metric for those of another. */
static ctorch_error *reserve(const char *function, ctorch_metric *self, const ctorch_metric *other) {
  for (size_t i = 0; i < self->states_len; i++) {
    struct metric_state *state = &self->states[i];
    size_t len = state->parts_len + other->states[i].parts_len;
    if (other->states[i].parts_len == 0) {
      continue;
    }
    ctorch_tensor **parts = array_new(len + 1, sizeof(ctorch_tensor *));
    if (parts == NULL) {
      return error_memory(function, len * sizeof *parts);
    }
    if (state->parts_len > 0) {
      memcpy(parts, state->parts, state->parts_len * sizeof *parts);
    }
    free(state->parts);
    state->parts = parts;
  }
  return NULL;
}

static void append_all(ctorch_metric *self, const ctorch_metric *other) {
  for (size_t i = 0; i < self->states_len; i++) {
    size_t len = other->states[i].parts_len;
    for (size_t j = 0; j < len; j++) {
      append(&self->states[i], tensor_ref(other->states[i].parts[j]));
    }
  }
}

static ctorch_error *merge_sums(
    const char *function, struct pending *pending, ctorch_metric *self, const ctorch_metric *other) {
  struct calculation c;
  CTORCH_TRY(error_of(function, ctorch_grad_mode_push(false)));
  calculation_begin(&c, function);
  for (size_t i = 0; i < leaves_len(self); i++) {
    ctorch_metric *into = leaf(self, i);
    for (size_t j = 0; j < into->states_len; j++) {
      pending[i].counts[j] = leaf(other, i)->states[j].value;
    }
    prepare(&c, into, &pending[i], NULL);
  }
  ctorch_error *error = calculation_end(&c);
  return ctorch_error_first(error, error_of(function, ctorch_grad_mode_pop()));
}

ctorch_error *metric_merge(const char *function, ctorch_metric *self, const ctorch_metric *other) {
  CTORCH_TRY(check_alike(function, self, other));
  for (size_t i = 0; i < self->members_len; i++) {
    CTORCH_TRY(check_alike(function, leaf(self, i), leaf(other, i)));
  }
  for (size_t i = 0; i < leaves_len(self); i++) {
    CTORCH_TRY(reserve(function, leaf(self, i), leaf(other, i)));
  }
  struct pending *pending = pending_new(self);
  ctorch_error *error = pending == NULL ? error_memory(function, leaves_len(self) * sizeof *pending)
                                        : merge_sums(function, pending, self, other);
  for (size_t i = 0; error == NULL && i < leaves_len(self); i++) {
    ctorch_metric *into = leaf(self, i);
    int64_t updates = into->updates + leaf(other, i)->updates;
    append_all(into, leaf(other, i));
    commit(into, &pending[i]);
    into->updates = updates;
  }
  if (error == NULL && self->members_len > 0) {
    self->updates += other->updates;
  }
  pending_free(pending, self);
  return error;
}

/* Computing -------------------------------------------------------------------------------------------------------- */

static ctorch_value *computed(struct calculation *c, const ctorch_metric *self);

/* A dict of what the members compute; where they compute dicts, those are part of it. */
static ctorch_value *computed_of_members(struct calculation *c, const ctorch_metric *self);

static ctorch_value *computed(struct calculation *c, const ctorch_metric *self) {
  return self->members_len > 0 ? computed_of_members(c, self) : metric_class_of(self)->compute(self, c);
}

static void put(
    struct calculation *c, ctorch_value *dict, const ctorch_metric *self, const char *name, const ctorch_value *value) {
  char key[512];
  if (c->error == NULL) {
    snprintf(
        key, sizeof key, "%s%s%s", self->prefix == NULL ? "" : self->prefix, name,
        self->postfix == NULL ? "" : self->postfix);
    calc_fail_with(c, ctorch_value_dict_put(dict, key, value));
  }
}

static void put_all(struct calculation *c, ctorch_value *dict, const ctorch_metric *self, const ctorch_value *results) {
  ctorch_value *keys = NULL, *entries = NULL;
  calc_fail_with(c, ctorch_value_dict_keys(&keys, results));
  THEN(c->error, ctorch_value_dict_values(&entries, results));
  for (size_t i = 0; c->error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *entry = NULL;
    const char *name = NULL;
    calc_fail_with(c, ctorch_value_get(&key, keys, i));
    THEN(c->error, ctorch_value_get(&entry, entries, i));
    THEN(c->error, ctorch_value_to_string(&name, NULL, key));
    put(c, dict, self, name, entry);
  }
}

static ctorch_value *computed_of_members(struct calculation *c, const ctorch_metric *self) {
  ctorch_value *dict = NULL;
  calc_fail_with(c, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  for (size_t i = 0; c->error == NULL && i < self->members_len; i++) {
    ctorch_value *result = computed(c, self->members[i].metric);
    if (c->error == NULL && ctorch_value_kind_of(result) == CTORCH_VALUE_DICT) {
      put_all(c, dict, self, result);
    } else {
      put(c, dict, self, self->members[i].name, result);
    }
  }
  return dict;
}

ctorch_error *metric_compute(const char *function, ctorch_value **out, const ctorch_metric *self) {
  struct calculation c;
  CTORCH_TRY(error_of(function, ctorch_grad_mode_push(false)));
  calculation_begin(&c, function);
  ctorch_value *value = computed(&c, self);
  value = c.error == NULL ? value_take(value) : NULL;
  ctorch_error *error = calculation_end(&c);
  error = ctorch_error_first(error, error_of(function, ctorch_grad_mode_pop()));
  if (error != NULL) {
    value_unref(value);
    return error;
  }
  return value_give(function, out, value);
}
