/* Metrics of ctorch in a trainer: accumulated over an epoch's batches, for training and validation apart. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "data/iterator.h"
#include "trainer/trainer.h"

void trainer_accumulated_free(ctorch_trainer *self) {
  for (size_t i = 0; i < self->accumulated_len; i++) {
    object_unref(self->accumulated[i].metric);
    free(self->accumulated[i].name);
  }
  free(self->accumulated);
}

/* A copy that no scope owns, of a metric that has seen nothing. */
static ctorch_error *fresh(const char *function, ctorch_metric **out, const ctorch_metric *metric) {
  ctorch_metric *copy = NULL;
  CTORCH_TRY(error_of(function, ctorch_metric_clone(&copy, metric)));
  object_take(copy);
  *out = copy;
  return error_of(function, ctorch_metric_reset(copy));
}

ctorch_error *trainer_accumulated_begin(const char *function, const ctorch_trainer *self, struct trainer_sums *sums) {
  if (self->accumulated_len == 0) {
    return NULL;
  }
  sums->accumulated = calloc(self->accumulated_len, sizeof(ctorch_metric *));
  if (sums->accumulated == NULL) {
    return error_memory(function, self->accumulated_len * sizeof(ctorch_metric *));
  }
  for (size_t i = 0; i < self->accumulated_len; i++) {
    sums->accumulated_len = i + 1;
    CTORCH_TRY(fresh(function, &sums->accumulated[i], self->accumulated[i].metric));
  }
  return NULL;
}

void trainer_accumulated_end(struct trainer_sums *sums) {
  for (size_t i = 0; i < sums->accumulated_len; i++) {
    object_unref(sums->accumulated[i]);
  }
  free(sums->accumulated);
}

ctorch_error *trainer_accumulate(
    const char *function, struct trainer_sums *sums, const ctorch_value *output, const ctorch_value *target) {
  const ctorch_value *const inputs[] = {output, target};
  ctorch_value *args = NULL;
  if (sums->accumulated_len == 0) {
    return NULL;
  }
  CTORCH_TRY(error_of(function, ctorch_value_from_tuple(&args, inputs, 2)));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < sums->accumulated_len; i++) {
    error = ctorch_metric_update_value(sums->accumulated[i], args);
  }
  ctorch_value_release(args);
  return error_of(function, error);
}

/* Results ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *put_number(const char *function, ctorch_value *dict, const char *name, double number) {
  ctorch_value *value = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_double(&value, number)));
  ctorch_error *error = ctorch_value_dict_put(dict, name, value);
  ctorch_value_release(value);
  return error_of(function, error);
}

static ctorch_error *put_tensor(
    const char *function, ctorch_value *dict, const char *name, const ctorch_tensor *tensor) {
  const int64_t numel = ctorch_tensor_numel(tensor);
  char key[512];
  if (numel != 1 && ctorch_tensor_ndim(tensor) != 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "the metric %.200s is a tensor of %" PRId64 " dimensions, not numbers", name,
        ctorch_tensor_ndim(tensor));
  }
  double *numbers = calloc((size_t)numel + 1, sizeof *numbers);
  ctorch_tensor *doubles = NULL;
  if (numbers == NULL) {
    return error_memory(function, (uint64_t)numel * sizeof *numbers);
  }
  ctorch_error *error =
      ctorch_tensor_to(&doubles, tensor, &(const ctorch_dtype){CTORCH_DTYPE_FLOAT64}, NULL, false, false, NULL);
  THEN(error, ctorch_tensor_copy_to_buffer(doubles, numbers, (size_t)numel * sizeof *numbers, CTORCH_DTYPE_FLOAT64));
  ctorch_tensor_release(doubles);
  error = error_of(function, error);
  for (int64_t i = 0; error == NULL && i < numel; i++) {
    bool is_alone = ctorch_tensor_ndim(tensor) != 1;
    snprintf(key, sizeof key, "%s/%" PRId64, name, i);
    error = put_number(function, dict, is_alone ? name : key, numbers[i]);
  }
  free(numbers);
  return error;
}

static ctorch_error *put_result(const char *function, ctorch_value *dict, const char *name, const ctorch_value *result);

/* The entries of a tuple or list by their numbers, those of a dict by their keys. */
static ctorch_error *put_entries(
    const char *function, ctorch_value *dict, const char *name, const ctorch_value *entries, const ctorch_value *keys) {
  char key[512];
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(entries); i++) {
    ctorch_value *entry = NULL, *named = NULL;
    const char *text = NULL;
    error = error_of(function, ctorch_value_get(&entry, entries, i));
    if (error == NULL && keys != NULL) {
      error = error_of(function, ctorch_value_get(&named, keys, i));
      THEN(error, error_of(function, ctorch_value_to_string(&text, NULL, named)));
    }
    if (error == NULL && text != NULL) {
      snprintf(key, sizeof key, "%s/%s", name, text);
    } else {
      snprintf(key, sizeof key, "%s/%zu", name, i);
    }
    THEN(error, put_result(function, dict, key, entry));
    ctorch_value_release(named);
    ctorch_value_release(entry);
  }
  return error;
}

static ctorch_error *put_dict(const char *function, ctorch_value *dict, const char *name, const ctorch_value *result) {
  ctorch_value *keys = NULL, *entries = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_dict_keys(&keys, result)));
  ctorch_error *error = error_of(function, ctorch_value_dict_values(&entries, result));
  THEN(error, put_entries(function, dict, name, entries, keys));
  ctorch_value_release(entries);
  ctorch_value_release(keys);
  return error;
}

static ctorch_error *put_result(
    const char *function, ctorch_value *dict, const char *name, const ctorch_value *result) {
  ctorch_tensor *tensor = NULL;
  if (value_is_sequence(result)) {
    return put_entries(function, dict, name, result, NULL);
  }
  if (ctorch_value_kind_of(result) == CTORCH_VALUE_DICT) {
    return put_dict(function, dict, name, result);
  }
  CTORCH_TRY(error_of(function, ctorch_value_to_tensor(&tensor, result)));
  ctorch_error *error = put_tensor(function, dict, name, tensor);
  ctorch_tensor_release(tensor);
  return error;
}

ctorch_error *trainer_accumulated_put(
    const char *function,
    const ctorch_trainer *self,
    const struct trainer_sums *sums,
    const char *before,
    ctorch_value *dict) {
  char name[512];
  for (size_t i = 0; i < sums->accumulated_len; i++) {
    ctorch_value *result = NULL;
    if (ctorch_metric_update_count(sums->accumulated[i]) == 0) {
      continue;
    }
    snprintf(name, sizeof name, "%s%s", before, self->accumulated[i].name);
    CTORCH_TRY(error_of(function, ctorch_metric_compute(&result, sums->accumulated[i])));
    ctorch_error *error = put_result(function, dict, name, result);
    ctorch_value_release(result);
    CTORCH_TRY(error);
  }
  return NULL;
}

/* Snapshots -------------------------------------------------------------------------------------------------------- */

void trainer_accumulated_save(ctorch_error **error, ctorch_value *dict, const struct trainer_sums *sums) {
  ctorch_value *list = NULL;
  THEN(*error, ctorch_value_from_list(&list, NULL, 0));
  for (size_t i = 0; *error == NULL && i < sums->accumulated_len; i++) {
    ctorch_value *state = NULL;
    bool has_seen = ctorch_metric_update_count(sums->accumulated[i]) > 0;
    *error = has_seen ? ctorch_metric_state_dict(&state, sums->accumulated[i]) : ctorch_value_from_none(&state);
    if (*error == NULL) {
      *error = ctorch_value_list_append(list, state);
      ctorch_value_release(state);
    }
  }
  if (*error == NULL) {
    state_put(error, dict, "accumulated", list);
  } else {
    ctorch_value_release(list);
  }
}

ctorch_error *trainer_accumulated_load(const char *function, struct trainer_sums *sums, const ctorch_value *dict) {
  ctorch_value *list = NULL, *key = NULL;
  bool has_list = false;
  CTORCH_TRY(error_of(function, ctorch_value_from_string(&key, "accumulated")));
  ctorch_error *error = error_of(function, ctorch_value_dict_contains(&has_list, dict, key));
  ctorch_value_release(key);
  if (error != NULL || !has_list) {
    return error; /* of a time when there were none */
  }
  CTORCH_TRY(state_get(function, dict, "accumulated", &list));
  if (ctorch_value_len(list) > 0 && ctorch_value_len(list) != sums->accumulated_len) {
    error = error_make(
        function, CTORCH_ERROR_VALUE, "state: %zu accumulated metrics, the trainer has %zu", ctorch_value_len(list),
        sums->accumulated_len);
  }
  for (size_t i = 0; error == NULL && i < ctorch_value_len(list); i++) {
    ctorch_value *state = NULL;
    error = error_of(function, ctorch_value_get(&state, list, i));
    if (error == NULL && ctorch_value_kind_of(state) != CTORCH_VALUE_NONE) {
      error = error_of(function, ctorch_metric_load_state_dict(sums->accumulated[i], state));
    }
    ctorch_value_release(state);
  }
  ctorch_value_release(list);
  return error;
}

/* Telling ---------------------------------------------------------------------------------------------------------- */

ctorch_error *trainer_accumulated_add(
    const char *function, ctorch_trainer *self, const char *name, const ctorch_metric *metric) {
  CTORCH_TRY(array_grow(function, &self->accumulated, self->accumulated_len, sizeof *self->accumulated));
  struct trainer_accumulated new = {.name = malloc(strlen(name) + 1)};
  if (new.name == NULL) {
    return error_memory(function, strlen(name) + 1);
  }
  memcpy(new.name, name, strlen(name) + 1);
  ctorch_error *error = fresh(function, &new.metric, metric);
  if (error != NULL) {
    object_unref(new.metric);
    free(new.name);
    return error;
  }
  self->accumulated[self->accumulated_len++] = new;
  return NULL;
}

bool trainer_has_metric(const ctorch_trainer *self, const char *name) {
  bool has = strcmp(name, "loss") == 0;
  for (size_t i = 0; i < self->metrics_len; i++) {
    has = has || strcmp(name, self->metrics[i].name) == 0;
  }
  for (size_t i = 0; i < self->accumulated_len; i++) {
    has = has || strcmp(name, self->accumulated[i].name) == 0;
  }
  return has;
}
