/* Trainers: making them, and telling them what to do. */
#define _POSIX_C_SOURCE 200809L
#include "trainer/trainer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/payload.h"
#include "core/c/tensor.h"

static void finalize(void *object) {
  ctorch_trainer *self = object;
  for (size_t i = 0; i < self->metrics_len; i++) {
    payload_destroy(self->metrics[i].destroy, self->metrics[i].payload);
    free(self->metrics[i].name);
  }
  for (size_t i = 0; i < self->callbacks_len; i++) {
    payload_destroy(self->callbacks[i].destroy, self->callbacks[i].payload);
  }
  payload_destroy(self->step_destroy, self->step_payload);
  trainer_unlink(self);
  tapes_free(self->tapes);
  free(self->metrics);
  trainer_accumulated_free(self);
  free(self->callbacks);
  free(self->scheduler_metric);
  free(self->stopping_metric);
  free(self->snapshot_metric);
  object_unref(self->batches);
  value_unref(self->position);
  value_unref(self->history);
  value_unref(self->last);
  tensor_unref(self->last_loss);
  trainer_sums_end(&self->sums);
  object_unref(self->validation);
  object_unref(self->snapshots);
  object_unref(self->scheduler);
  object_unref(self->scaler);
  object_unref(self->loss);
  object_unref(self->optimizer);
  object_unref(self->module);
}

static const object_class trainer_class = {"trainer", sizeof(ctorch_trainer), finalize};

ctorch_error *ctorch_trainer_new(ctorch_trainer **out, ctorch_module *module, ctorch_optimizer *optimizer) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || module == NULL || optimizer == NULL) {
    return error_null(__func__, out == NULL ? "out" : module == NULL ? "module" : "optimizer");
  }
  ctorch_value *history = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_value_from_list(&history, NULL, 0)));
  value_take(history);
  ctorch_trainer *self = object_new(&trainer_class);
  if (self == NULL) {
    value_unref(history);
    return object_give(__func__, out, NULL);
  }
  self->history = history;
  self->module = object_ref(module);
  self->optimizer = object_ref(optimizer);
  self->epochs = 1;
  self->accumulation = 1;
  return object_give(__func__, out, self);
}

void ctorch_trainer_retain(const ctorch_trainer *self) { object_retain(self); }

void ctorch_trainer_release(ctorch_trainer *self) { object_release(self); }

/* What it does ----------------------------------------------------------------------------------------------------- */

static ctorch_error *check(const char *function, const ctorch_trainer *self) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  return self->is_at_work ? error_make(function, CTORCH_ERROR_RUNTIME, "the trainer is at work") : NULL;
}

static ctorch_error *check_not_negative(const char *function, const char *name, int64_t number) {
  return number < 0 ? error_argument(function, name, "expected at least 0, got %" PRId64, number) : NULL;
}

static void replace(void *at, void *object) {
  void **place = at, *before = *place;
  *place = object_ref(object);
  object_unref(before);
}

/* A copy of a text in the place of another; NULL is none. */
static ctorch_error *replace_text(const char *function, const char *name, char **at, const char *text) {
  char *copy = NULL;
  if (text != NULL) {
    CTORCH_TRY(error_unless_text(function, name, text));
    copy = strdup(text);
    if (copy == NULL) {
      return error_memory(function, strlen(text) + 1);
    }
  }
  free(*at);
  *at = copy;
  return NULL;
}

ctorch_error *ctorch_trainer_set_loss(ctorch_trainer *self, ctorch_module *loss) {
  CTORCH_TRY(check(__func__, self));
  if (loss == NULL) {
    return error_null(__func__, "loss");
  }
  replace(&self->loss, loss);
  return NULL;
}

ctorch_error *ctorch_trainer_set_step(
    ctorch_trainer *self, ctorch_trainer_step_callback step, void (*destroy)(void *payload), void *payload) {
  CTORCH_TRY(check(__func__, self));
  void (*before)(void *) = self->step_destroy;
  void *payload_before = self->step_payload;
  self->step_callback = step;
  self->step_destroy = destroy;
  self->step_payload = payload;
  if (before != NULL) {
    before(payload_before);
  }
  return NULL;
}

ctorch_error *ctorch_trainer_add_metric(
    ctorch_trainer *self,
    const char *name,
    ctorch_trainer_metric_callback metric,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(check(__func__, self));
  if (name == NULL) {
    return error_null(__func__, "name");
  }
  if (trainer_has_metric(self, name)) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "name: there is a metric %.200s already", name);
  }
  struct trainer_metric new = {.metric = metric, .destroy = destroy, .payload = payload};
  CTORCH_TRY(array_grow(__func__, &self->metrics, self->metrics_len, sizeof(*self->metrics)));
  CTORCH_TRY(replace_text(__func__, "name", &new.name, name));
  trainer_sums_end(&self->sums); /* of as many metrics as there were */
  self->metrics[self->metrics_len++] = new;
  return NULL;
}

ctorch_error *ctorch_trainer_add_accumulated_metric(
    ctorch_trainer *self, const char *name, const ctorch_metric *metric) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check(__func__, self));
  if (name == NULL || metric == NULL) {
    return error_null(__func__, name == NULL ? "name" : "metric");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  if (trainer_has_metric(self, name)) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "name: there is a metric %.200s already", name);
  }
  trainer_sums_end(&self->sums); /* of as many metrics as there were */
  return trainer_accumulated_add(__func__, self, name, metric);
}

ctorch_error *ctorch_trainer_set_length(ctorch_trainer *self, int64_t epochs, int64_t steps) {
  CTORCH_TRY(check(__func__, self));
  CTORCH_TRY(check_not_negative(__func__, "epochs", epochs));
  CTORCH_TRY(check_not_negative(__func__, "steps", steps));
  if (epochs == 0 && steps == 0) {
    return error_argument(__func__, "epochs", "expected a limit of epochs or of steps");
  }
  self->epochs = epochs;
  self->steps = steps;
  return NULL;
}

ctorch_error *ctorch_trainer_set_accumulation(ctorch_trainer *self, int64_t batches) {
  CTORCH_TRY(check(__func__, self));
  if (batches < 1) {
    return error_argument(__func__, "batches", "expected at least 1, got %" PRId64, batches);
  }
  self->accumulation = batches;
  return NULL;
}

ctorch_error *ctorch_trainer_set_autocast(
    ctorch_trainer *self, ctorch_device_type device_type, bool enabled, const ctorch_dtype *dtype) {
  CTORCH_TRY(check(__func__, self));
  CTORCH_TRY(error_unless_dtype(__func__, "dtype", dtype));
  if (!ctorch_autocast_available(device_type)) {
    return error_argument(__func__, "device_type", "no autocast for the device type %" PRId32, device_type);
  }
  self->autocasts = enabled;
  self->autocast_device = device_type;
  self->has_dtype = dtype != NULL;
  self->autocast_dtype = dtype != NULL ? *dtype : 0;
  return NULL;
}

ctorch_error *ctorch_trainer_set_grad_scaler(ctorch_trainer *self, ctorch_grad_scaler *scaler) {
  CTORCH_TRY(check(__func__, self));
  replace(&self->scaler, scaler);
  return NULL;
}

static ctorch_error *check_number(const char *function, const char *name, double number) {
  return number >= 0 ? NULL : error_argument(function, name, "expected at least 0, got %g", number);
}

ctorch_error *ctorch_trainer_set_clipping(ctorch_trainer *self, double max_norm, double norm_type, double clip_value) {
  CTORCH_TRY(check(__func__, self));
  CTORCH_TRY(check_number(__func__, "max_norm", max_norm));
  CTORCH_TRY(check_number(__func__, "norm_type", norm_type));
  CTORCH_TRY(check_number(__func__, "clip_value", clip_value));
  self->max_norm = max_norm;
  self->norm_type = norm_type;
  self->clip_value = clip_value;
  return NULL;
}

ctorch_error *ctorch_trainer_set_lr_scheduler(
    ctorch_trainer *self, ctorch_lr_scheduler *scheduler, bool each_step, const char *metric) {
  CTORCH_TRY(check(__func__, self));
  CTORCH_TRY(replace_text(__func__, "metric", &self->scheduler_metric, metric));
  replace(&self->scheduler, scheduler);
  self->scheduler_steps = each_step;
  return NULL;
}

ctorch_error *ctorch_trainer_set_validation(ctorch_trainer *self, ctorch_loader *loader, int64_t every_steps) {
  CTORCH_TRY(check(__func__, self));
  CTORCH_TRY(check_not_negative(__func__, "every_steps", every_steps));
  replace(&self->validation, loader);
  self->validate_every = every_steps;
  return NULL;
}

ctorch_error *ctorch_trainer_set_early_stopping(
    ctorch_trainer *self, const char *metric, bool maximize, int64_t patience, double min_delta) {
  CTORCH_TRY(check(__func__, self));
  CTORCH_TRY(check_not_negative(__func__, "patience", patience));
  CTORCH_TRY(check_number(__func__, "min_delta", min_delta));
  CTORCH_TRY(replace_text(__func__, "metric", &self->stopping_metric, metric));
  self->stopping_maximize = maximize;
  self->patience = patience;
  self->min_delta = min_delta;
  self->has_best = false;
  self->waited = 0;
  return NULL;
}

ctorch_error *ctorch_trainer_set_snapshots(
    ctorch_trainer *self, ctorch_snapshots *snapshots, int64_t every_steps, const char *metric) {
  CTORCH_TRY(check(__func__, self));
  CTORCH_TRY(check_not_negative(__func__, "every_steps", every_steps));
  CTORCH_TRY(replace_text(__func__, "metric", &self->snapshot_metric, metric));
  if (snapshots != self->snapshots) {
    trainer_unlink(self);
  }
  replace(&self->snapshots, snapshots);
  self->save_every = every_steps;
  return NULL;
}

ctorch_error *ctorch_trainer_set_progress(ctorch_trainer *self, ctorch_trainer_progress progress) {
  CTORCH_TRY(check(__func__, self));
  if (progress < CTORCH_TRAINER_PROGRESS_NONE || progress > CTORCH_TRAINER_PROGRESS_AUTO) {
    return error_argument(__func__, "progress", "unknown number %" PRId32, progress);
  }
  self->progress_kind = progress;
  return NULL;
}

ctorch_error *ctorch_trainer_set_interruptible(ctorch_trainer *self, bool interruptible) {
  CTORCH_TRY(check(__func__, self));
  self->interruptible = interruptible;
  return NULL;
}

ctorch_error *ctorch_trainer_add_callback(
    ctorch_trainer *self,
    ctorch_trainer_event event,
    ctorch_trainer_event_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(check(__func__, self));
  if (callback == NULL) {
    return error_null(__func__, "callback");
  }
  if (event < CTORCH_TRAINER_EVENT_BEGIN || event > CTORCH_TRAINER_EVENT_END) {
    return error_argument(__func__, "event", "unknown number %" PRId32, event);
  }
  CTORCH_TRY(array_grow(__func__, &self->callbacks, self->callbacks_len, sizeof(*self->callbacks)));
  self->callbacks[self->callbacks_len++] =
      (struct trainer_callback){.event = event, .callback = callback, .destroy = destroy, .payload = payload};
  return NULL;
}

/* What it knows ---------------------------------------------------------------------------------------------------- */

void ctorch_trainer_stop(const ctorch_trainer *self) {
  if (self != NULL) {
    atomic_store(&((ctorch_trainer *)self)->stop_wanted, true);
  }
}

int64_t ctorch_trainer_epoch(const ctorch_trainer *self) { return self == NULL ? 0 : self->epoch; }

int64_t ctorch_trainer_step(const ctorch_trainer *self) { return self == NULL ? 0 : self->step; }

bool ctorch_trainer_stopped(const ctorch_trainer *self) { return self != NULL && self->is_stopped; }

ctorch_error *ctorch_trainer_loss(double *out, const ctorch_trainer *self) {
  ctorch_scalar number = {0};
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  if (self->last_loss == NULL) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "there was no batch yet");
  }
  CTORCH_TRY(error_of(__func__, ctorch_aten_item(&number, self->last_loss)));
  *out = number.re;
  return NULL;
}

ctorch_error *ctorch_trainer_history(ctorch_value **out, const ctorch_trainer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return error_of(__func__, ctorch_value_deep_copy(out, self->history));
}
