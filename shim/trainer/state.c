/* What a snapshot of a trainer holds, and going on from one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "data/iterator.h"
#include "data/loader.h"
#include "trainer/trainer.h"

ctorch_error *trainer_metric_of(const char *function, const ctorch_value *metrics, const char *name, double *out) {
  ctorch_value *value = NULL;
  bool is_there = false;
  ctorch_value *key = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_string(&key, name)));
  ctorch_error *error = ctorch_value_dict_contains(&is_there, metrics, key);
  ctorch_value_release(key);
  CTORCH_TRY(error_of(function, error));
  if (!is_there) {
    return error_make(function, CTORCH_ERROR_VALUE, "there is no metric %.200s", name);
  }
  CTORCH_TRY(error_of(function, ctorch_value_dict_at(&value, metrics, name)));
  error = ctorch_value_to_double(out, value);
  ctorch_value_release(value);
  return error_of(function, error);
}

/* The trainer's own part ------------------------------------------------------------------------------------------- */

static void put_double(ctorch_error **error, ctorch_value *dict, const char *name, double number) {
  ctorch_value *value = NULL;
  if (*error == NULL) {
    *error = ctorch_value_from_double(&value, number);
    state_put(error, dict, name, value);
  }
}

static void put_sums(ctorch_error **error, ctorch_value *dict, ctorch_trainer *self) {
  ctorch_value *sums = NULL;
  if (*error == NULL && self->sums.sums != NULL) {
    *error = trainer_sums_settle("ctorch_trainer_fit", &self->sums);
  }
  if (*error == NULL) {
    *error = ctorch_value_from_doubles(&sums, self->sums.sums, self->sums.sums == NULL ? 0 : self->metrics_len + 1);
    state_put(error, dict, "sums", sums);
  }
  trainer_accumulated_save(error, dict, &self->sums);
  put_double(error, dict, "losses", self->sums.losses);
  put_double(error, dict, "weight", self->sums.weight);
}

static void put_copy(ctorch_error **error, ctorch_value *dict, const char *name, const ctorch_value *value) {
  ctorch_value *copy = NULL;
  if (*error == NULL) {
    *error = value != NULL ? ctorch_value_deep_copy(&copy, value) : ctorch_value_from_none(&copy);
    state_put(error, dict, name, copy);
  }
}

static void put_loader(ctorch_error **error, ctorch_value *dict, const char *name, const ctorch_loader *loader) {
  ctorch_value *state = NULL;
  if (*error == NULL) {
    *error = loader != NULL ? loader_state("ctorch_snapshots_save", loader, &state) : ctorch_value_from_none(&state);
    state_put(error, dict, name, state);
  }
}

/* A loader that is there now, but was not then, or the other way around, is as it is. */
static ctorch_error *get_loader(
    const char *function, const ctorch_value *dict, const char *name, ctorch_loader *loader) {
  ctorch_value *state = NULL;
  CTORCH_TRY(state_get(function, dict, name, &state));
  ctorch_error *error = NULL;
  if (loader != NULL && ctorch_value_kind_of(state) != CTORCH_VALUE_NONE) {
    error = loader_load_state(function, loader, state);
  }
  ctorch_value_release(state);
  return error;
}

static ctorch_error *save_state(ctorch_trainer *self, ctorch_value **out) {
  ctorch_value *dict = NULL, *position = NULL;
  ctorch_error *error = ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  if (error == NULL && self->batches != NULL) {
    error = ctorch_iterator_state_dict(&position, self->batches);
  }
  state_put_int(&error, dict, "epoch", self->epoch);
  state_put_int(&error, dict, "step", self->step);
  put_copy(&error, dict, "position", position);
  put_loader(&error, dict, "loader", self->loader);
  put_loader(&error, dict, "validation", self->validation);
  put_copy(&error, dict, "history", self->history);
  put_copy(&error, dict, "last", self->last);
  put_sums(&error, dict, self);
  state_put_int(&error, dict, "has_best", self->has_best);
  put_double(&error, dict, "best", self->best);
  state_put_int(&error, dict, "waited", self->waited);
  ctorch_value_release(position);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

/* A copy of an entry, taken; NULL for None. */
static ctorch_error *get_copy(const char *function, const ctorch_value *dict, const char *name, ctorch_value **out) {
  ctorch_value *value = NULL, *copy = NULL;
  CTORCH_TRY(state_get(function, dict, name, &value));
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_NONE) {
    error = ctorch_value_deep_copy(&copy, value);
  }
  ctorch_value_release(value);
  *out = value_take(copy);
  return error;
}

static ctorch_error *get_double(const char *function, const ctorch_value *dict, const char *name, double *out) {
  ctorch_value *value = NULL;
  CTORCH_TRY(state_get(function, dict, name, &value));
  ctorch_error *error = ctorch_value_to_double(out, value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *get_sums(const char *function, ctorch_trainer *self, const ctorch_value *dict) {
  ctorch_value *sums = NULL;
  CTORCH_TRY(state_get(function, dict, "sums", &sums));
  ctorch_error *error = NULL;
  size_t len = ctorch_value_len(sums);
  if (len > 0 && len != self->metrics_len + 1) {
    error =
        error_make(function, CTORCH_ERROR_VALUE, "state: %zu metrics, the trainer has %zu", len - 1, self->metrics_len);
  }
  THEN(error, trainer_sums_begin(function, self, &self->sums));
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *sum = NULL;
    error = ctorch_value_get(&sum, sums, i);
    THEN(error, ctorch_value_to_double(&self->sums.sums[i], sum));
    ctorch_value_release(sum);
  }
  ctorch_value_release(sums);
  CTORCH_TRY(error);
  CTORCH_TRY(trainer_accumulated_load(function, &self->sums, dict));
  CTORCH_TRY(get_double(function, dict, "losses", &self->sums.losses));
  return get_double(function, dict, "weight", &self->sums.weight);
}

static ctorch_error *load_state(ctorch_trainer *self, const ctorch_value *state) {
  const char *function = "ctorch_trainer_fit";
  ctorch_value *position = NULL, *history = NULL, *last = NULL;
  int64_t has_best = 0;
  CTORCH_TRY(state_get_int(function, state, "epoch", 0, &self->epoch));
  CTORCH_TRY(state_get_int(function, state, "step", 0, &self->step));
  CTORCH_TRY(state_get_int(function, state, "has_best", 0, &has_best));
  CTORCH_TRY(state_get_int(function, state, "waited", 0, &self->waited));
  CTORCH_TRY(get_double(function, state, "best", &self->best));
  CTORCH_TRY(get_sums(function, self, state));
  CTORCH_TRY(get_loader(function, state, "loader", self->loader));
  CTORCH_TRY(get_loader(function, state, "validation", self->validation));
  self->has_best = has_best != 0;
  CTORCH_TRY(get_copy(function, state, "position", &position));
  value_unref(self->position);
  self->position = position;
  CTORCH_TRY(get_copy(function, state, "last", &last));
  value_unref(self->last);
  self->last = last;
  CTORCH_TRY(get_copy(function, state, "history", &history));
  if (ctorch_value_kind_of(history) != CTORCH_VALUE_LIST) {
    value_unref(history);
    return error_make(function, CTORCH_ERROR_TYPE, "state: history: expected a list");
  }
  value_unref(self->history);
  self->history = history;
  return NULL;
}

/* Snapshots -------------------------------------------------------------------------------------------------------- */

static ctorch_error *gone(void) {
  return error_make("ctorch_snapshots_save", CTORCH_ERROR_RUNTIME, "trainer.loop: the trainer is gone");
}

static ctorch_callback_status save(ctorch_value **out, ctorch_error **error, void *payload) {
  ctorch_trainer *self = ((const struct trainer_link *)payload)->trainer;
  *error = self == NULL ? gone() : save_state(self, out);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status load(const ctorch_value *state, ctorch_error **error, void *payload) {
  ctorch_trainer *self = ((const struct trainer_link *)payload)->trainer;
  *error = self == NULL ? gone() : load_state(self, state);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void drop(void *payload) {
  struct trainer_link *link = payload;
  if (atomic_fetch_sub(&link->owners, 1) == 1) {
    free(link);
  }
}

void trainer_unlink(ctorch_trainer *self) {
  if (self->link != NULL) {
    self->link->trainer = NULL;
    drop(self->link);
    self->link = NULL;
  }
}

/* The part has no reference to the trainer, which would be a circle. */
static ctorch_error *add_link(const char *function, ctorch_trainer *self) {
  struct trainer_link *link = malloc(sizeof(*link));
  if (link == NULL) {
    return error_memory(function, sizeof(*link));
  }
  link->trainer = self;
  atomic_init(&link->owners, 2);
  ctorch_error *error = ctorch_snapshots_add_callback(self->snapshots, "trainer.loop", save, load, drop, link);
  if (error != NULL) {
    free(link);
    return error_of(function, error);
  }
  self->link = link;
  return NULL;
}

static ctorch_error *add_parts(const char *function, ctorch_trainer *self) {
  ctorch_snapshots *snapshots = self->snapshots;
  CTORCH_TRY(ctorch_snapshots_add_module(snapshots, "trainer.model", self->module));
  CTORCH_TRY(ctorch_snapshots_add_optimizer(snapshots, "trainer.optimizer", self->optimizer));
  if (self->scheduler != NULL) {
    CTORCH_TRY(ctorch_snapshots_add_lr_scheduler(snapshots, "trainer.lr_scheduler", self->scheduler));
  }
  if (self->scaler != NULL) {
    CTORCH_TRY(ctorch_snapshots_add_grad_scaler(snapshots, "trainer.grad_scaler", self->scaler));
  }
  return add_link(function, self);
}

ctorch_error *trainer_resume(const char *function, ctorch_trainer *self) {
  if (self->snapshots == NULL || self->link != NULL) {
    return NULL; /* what it has done since then is not undone */
  }
  CTORCH_TRY(error_of(function, add_parts(function, self)));
  if (ctorch_snapshots_len(self->snapshots) == 0) {
    return NULL;
  }
  return error_of(function, ctorch_snapshots_resume(NULL, NULL, NULL, self->snapshots, NULL));
}

ctorch_error *trainer_save(const char *function, ctorch_trainer *self, const double *metric) {
  return error_of(function, ctorch_snapshots_save(self->snapshots, self->epoch, self->step, metric));
}
