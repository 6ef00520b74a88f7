/* The loop. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/interrupt.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "data/iterator.h"
#include "trainer/trainer.h"

static const char FIT[] = "ctorch_trainer_fit";

static ctorch_error *happened(ctorch_trainer *self, ctorch_trainer_event event) {
  for (size_t i = 0; i < self->callbacks_len; i++) {
    const struct trainer_callback *callback = &self->callbacks[i];
    if (callback->event != event) {
      continue;
    }
    ctorch_error *error = NULL;
    ctorch_callback_status status = callback->callback(self, event, &error, callback->payload);
    CTORCH_TRY(callback_error(FIT, "callback", status, error));
  }
  return NULL;
}

static bool is_to_stop(const ctorch_trainer *self) {
  return self->is_stopped || (self->steps > 0 && self->step >= self->steps);
}

/* What was asked for meanwhile, by another thread, a callback or a signal. */
static void look_for_stop(ctorch_trainer *self) {
  if (atomic_exchange(&self->stop_wanted, false)) {
    self->is_stopped = true;
  }
}

/* A step ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *clip(ctorch_trainer *self) {
  ctorch_tensor *norm = NULL;
  size_t len = ctorch_tensor_list_len(self->parameters);
  ctorch_tensor *const *parameters = ctorch_tensor_list_mutable_data(self->parameters);
  if (self->max_norm > 0) {
    CTORCH_TRY(ctorch_utils_clip_grad_norm_(&norm, parameters, len, self->max_norm, self->norm_type, false, NULL));
    ctorch_tensor_release(norm);
  }
  return self->clip_value > 0 ? ctorch_utils_clip_grad_value_(parameters, len, self->clip_value, NULL) : NULL;
}

static ctorch_error *step_optimizer(ctorch_trainer *self) {
  bool clips = self->max_norm > 0 || self->clip_value > 0;
  if (clips && self->scaler != NULL) {
    CTORCH_TRY(ctorch_grad_scaler_unscale_(self->scaler, self->optimizer));
  }
  if (clips) {
    CTORCH_TRY(clip(self));
  }
  if (self->scaler == NULL) {
    return ctorch_optimizer_step(self->optimizer);
  }
  CTORCH_TRY(ctorch_grad_scaler_step(self->scaler, self->optimizer));
  return ctorch_grad_scaler_update(self->scaler, NULL);
}

/* Metrics of now: of validation if it was made, and of the epoch as far as it is. */
static ctorch_error *metrics_now(ctorch_trainer *self, ctorch_value **out) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_of(
      FIT,
      self->last != NULL ? ctorch_value_copy(&dict, self->last) : ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  ctorch_error *error = self->sums.losses > 0 ? trainer_put_means(FIT, self, &self->sums, "", dict) : NULL;
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *validate(ctorch_trainer *self) {
  ctorch_value *dict = NULL;
  if (self->validation == NULL) {
    return NULL;
  }
  CTORCH_TRY(error_of(FIT, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  ctorch_error *error = trainer_validate(FIT, self, self->validation, "val_", dict);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  value_unref(self->last);
  self->last = value_take(dict);
  return happened(self, CTORCH_TRAINER_EVENT_VALIDATION);
}

static ctorch_error *save(ctorch_trainer *self, const double *metric) {
  if (self->snapshots == NULL) {
    return NULL;
  }
  /* First: what goes on from the snapshot logs what comes after it, and nothing before. */
  CTORCH_TRY(error_of(FIT, trainer_flush_loggers(self)));
  CTORCH_TRY(trainer_save(FIT, self, metric));
  return happened(self, CTORCH_TRAINER_EVENT_SNAPSHOT);
}

static bool is_due(int64_t step, int64_t every) { return every > 0 && step % every == 0; }

/* ReduceLROnPlateau alone is told a metric. */
static ctorch_error *step_scheduler(ctorch_trainer *self, const ctorch_value *metrics) {
  double metric = 0;
  if (strcmp(ctorch_lr_scheduler_name(self->scheduler), "ReduceLROnPlateau") != 0) {
    return error_of(FIT, ctorch_lr_scheduler_step(self->scheduler));
  }
  const char *name = self->scheduler_metric != NULL ? self->scheduler_metric
                     : self->validation != NULL     ? "val_loss"
                                                    : "loss";
  CTORCH_TRY(trainer_metric_of(FIT, metrics, name, &metric));
  return error_of(FIT, ctorch_lr_scheduler_step_metric(self->scheduler, metric));
}

static ctorch_error *step_scheduler_now(ctorch_trainer *self) {
  ctorch_value *metrics = NULL;
  CTORCH_TRY(metrics_now(self, &metrics));
  ctorch_error *error = step_scheduler(self, metrics);
  ctorch_value_release(metrics);
  return error;
}

/* Change the parameters by their gradients, which are no more then. */
static ctorch_error *use_gradients(ctorch_trainer *self) {
  CTORCH_TRY(error_of(FIT, step_optimizer(self)));
  return error_of(FIT, ctorch_optimizer_zero_grad(self->optimizer, true));
}

static ctorch_error *after_gradients(ctorch_trainer *self) {
  if (self->scheduler != NULL && self->scheduler_steps) {
    CTORCH_TRY(step_scheduler_now(self));
  }
  self->step++;
  return happened(self, CTORCH_TRAINER_EVENT_STEP);
}

static ctorch_error *step(ctorch_trainer *self) {
  CTORCH_TRY(happened(self, CTORCH_TRAINER_EVENT_GRADIENTS));
  CTORCH_TRY(use_gradients(self));
  return after_gradients(self);
}

/* A batch ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *backward(ctorch_trainer *self, const ctorch_tensor *loss) {
  ctorch_tensor *divided = NULL, *scaled = NULL;
  const ctorch_scalar number = {.kind = CTORCH_SCALAR_INT, .i = self->accumulation};
  ctorch_error *error = NULL;
  if (self->accumulation > 1) {
    CTORCH_TRY(ctorch_aten_div_Scalar(&divided, loss, &number));
    loss = divided;
  }
  if (self->scaler != NULL) {
    error = ctorch_grad_scaler_scale(&scaled, self->scaler, loss);
    loss = scaled;
  }
  THEN(error, ctorch_tensor_backward(loss, NULL, NULL, false));
  ctorch_tensor_release(scaled);
  ctorch_tensor_release(divided);
  return error;
}

/* Keep the loss without its graph, to be read when somebody asks. */
static ctorch_error *remember(ctorch_trainer *self, const ctorch_tensor *loss) {
  ctorch_tensor *detached = NULL;
  CTORCH_TRY(ctorch_aten_detach(&detached, loss));
  tensor_unref(self->last_loss);
  self->last_loss = tensor_take(detached);
  return NULL;
}

static ctorch_error *train_batch(ctorch_trainer *self, const ctorch_value *batch) {
  ctorch_tensor *loss = NULL;
  if (self->tapes != NULL) {
    CTORCH_TRY(trainer_tape_batch(self, batch, use_gradients));
    return happened(self, CTORCH_TRAINER_EVENT_BATCH_END);
  }
  CTORCH_TRY(trainer_forward(FIT, self, &self->sums, batch, &loss, NULL));
  ctorch_error *error = error_of(FIT, backward(self, loss));
  THEN(error, error_of(FIT, remember(self, loss)));
  ctorch_tensor_release(loss); /* its graph goes before the next one comes */
  THEN(error, trainer_add_loss(FIT, &self->sums, self->last_loss));
  return error != NULL ? error : happened(self, CTORCH_TRAINER_EVENT_BATCH_END);
}

/* Of a step that does not end the epoch. */
static ctorch_error *after_step(ctorch_trainer *self) {
  look_for_stop(self);
  if (is_due(self->step, self->validate_every)) {
    CTORCH_TRY(validate(self));
  }
  if (is_due(self->step, self->save_every) || (is_to_stop(self) && self->snapshots != NULL)) {
    CTORCH_TRY(save(self, NULL));
  }
  return NULL;
}

/* Batches up to the end of the epoch, or to a stop; `*is_over` is which. */
static ctorch_error *train_batches(ctorch_trainer *self, bool *is_over) {
  int64_t gathered = 0;
  *is_over = false;
  while (!is_to_stop(self)) {
    ctorch_value *batch = NULL;
    CTORCH_TRY(interrupt_check(FIT, self->interrupts));
    CTORCH_TRY(error_of(FIT, ctorch_iterator_next(&batch, self->batches)));
    if (batch == NULL) {
      *is_over = true;
      return gathered > 0 ? step(self) : NULL;
    }
    ctorch_error *error = train_batch(self, batch);
    ctorch_value_release(batch);
    CTORCH_TRY(error);
    progress_batch(self);
    if (++gathered == self->accumulation) {
      gathered = 0;
      CTORCH_TRY(self->tapes != NULL ? after_gradients(self) : step(self));
      CTORCH_TRY(after_step(self));
    }
  }
  return NULL;
}

/* An epoch --------------------------------------------------------------------------------------------------------- */

static ctorch_error *begin_epoch(ctorch_trainer *self, ctorch_loader *loader) {
  if (self->batches != NULL) {
    return NULL; /* it was stopped there */
  }
  bool goes_on = self->position != NULL;
  if (!goes_on) {
    CTORCH_TRY(trainer_sums_begin(FIT, self, &self->sums));
  }
  CTORCH_TRY(error_of(
      FIT, goes_on ? ctorch_loader_iterate_from(&self->batches, loader, self->position)
                   : ctorch_loader_iterate(&self->batches, loader)));
  object_take(self->batches);
  value_unref(self->position);
  self->position = NULL;
  return goes_on ? NULL : happened(self, CTORCH_TRAINER_EVENT_EPOCH_BEGIN);
}

static void end_batches(ctorch_trainer *self) {
  object_unref(self->batches);
  self->batches = NULL;
}

static ctorch_error *stop_early(ctorch_trainer *self, const ctorch_value *metrics) {
  double metric = 0;
  if (self->stopping_metric == NULL) {
    return NULL;
  }
  CTORCH_TRY(trainer_metric_of(FIT, metrics, self->stopping_metric, &metric));
  double gain = self->stopping_maximize ? metric - self->best : self->best - metric;
  if (!isnan(metric) && (!self->has_best || gain > self->min_delta)) {
    self->has_best = true;
    self->best = metric;
    self->waited = 0;
  } else if (++self->waited > self->patience) {
    self->is_stopped = true;
  }
  return NULL;
}

static ctorch_error *record(ctorch_trainer *self, ctorch_value *metrics) {
  ctorch_error *error = NULL;
  state_put_int(&error, metrics, "epoch", self->epoch);
  state_put_int(&error, metrics, "step", self->step);
  return error != NULL ? error : ctorch_value_list_append(self->history, metrics);
}

static ctorch_error *conclude(ctorch_trainer *self, ctorch_value *metrics) {
  double metric = 0;
  if (self->scheduler != NULL && !self->scheduler_steps) {
    CTORCH_TRY(step_scheduler(self, metrics));
  }
  self->epoch++;
  CTORCH_TRY(error_of(FIT, record(self, metrics)));
  CTORCH_TRY(stop_early(self, metrics));
  progress_epoch_end(self, metrics);
  CTORCH_TRY(happened(self, CTORCH_TRAINER_EVENT_EPOCH_END));
  if (self->snapshots != NULL && self->snapshot_metric != NULL) {
    CTORCH_TRY(trainer_metric_of(FIT, metrics, self->snapshot_metric, &metric));
  }
  return save(self, self->snapshot_metric != NULL ? &metric : NULL);
}

static ctorch_error *end_epoch(ctorch_trainer *self) {
  ctorch_value *metrics = NULL;
  end_batches(self);
  if (self->sums.losses == 0) {
    return error_make(FIT, CTORCH_ERROR_VALUE, "loader: it gave no batches");
  }
  CTORCH_TRY(validate(self));
  CTORCH_TRY(metrics_now(self, &metrics));
  ctorch_error *error = conclude(self, metrics);
  ctorch_value_release(metrics);
  return error;
}

static ctorch_error *train_epoch(ctorch_trainer *self, ctorch_loader *loader) {
  bool is_over = false;
  CTORCH_TRY(begin_epoch(self, loader));
  CTORCH_TRY(error_of(FIT, ctorch_module_train(self->module, true)));
  progress_epoch(self, loader);
  CTORCH_TRY(train_batches(self, &is_over));
  return is_over ? end_epoch(self) : NULL;
}

/* A run ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *run(ctorch_trainer *self, ctorch_loader *loader) {
  CTORCH_TRY(trainer_resume(FIT, self));
  CTORCH_TRY(happened(self, CTORCH_TRAINER_EVENT_BEGIN));
  look_for_stop(self);
  while (!is_to_stop(self) && (self->epochs == 0 || self->epoch < self->epochs)) {
    CTORCH_TRY(train_epoch(self, loader));
    look_for_stop(self);
  }
  CTORCH_TRY(happened(self, CTORCH_TRAINER_EVENT_END));
  return self->snapshots != NULL ? error_of(FIT, ctorch_snapshots_wait(self->snapshots)) : NULL;
}

/* SIGINT. One trainer at a time is told of it; a second signal finds the default. */
static _Atomic(const ctorch_trainer *) interrupted;

static void on_interrupt(int number) {
  (void)number;
  ctorch_trainer_stop(atomic_exchange(&interrupted, NULL));
}

static bool catch_interrupts(ctorch_trainer *self, struct sigaction *before) {
  const ctorch_trainer *nobody = NULL;
  struct sigaction action;
  if (!self->interruptible || !atomic_compare_exchange_strong(&interrupted, &nobody, self)) {
    return false;
  }
  memset(&action, 0, sizeof(action));
  action.sa_handler = on_interrupt;
  action.sa_flags = (int)(SA_RESTART | SA_RESETHAND | SA_ONSTACK); /* Go's stacks are too small for a handler */
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGINT, &action, before) != 0) {
    atomic_store(&interrupted, NULL);
    return false;
  }
  return true;
}

static void release_interrupts(const struct sigaction *before) {
  sigaction(SIGINT, before, NULL);
  atomic_store(&interrupted, NULL);
}

static ctorch_error *begin(const char *function, ctorch_trainer *self, const ctorch_loader *loader) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || loader == NULL) {
    return error_null(function, self == NULL ? "self" : "loader");
  }
  if (self->is_at_work) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "the trainer is at work");
  }
  if (self->loss == NULL && self->step_callback == NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "the trainer has neither a loss nor a step");
  }
  return NULL;
}

ctorch_error *ctorch_trainer_fit(ctorch_trainer *self, ctorch_loader *loader) {
  struct sigaction before;
  CTORCH_TRY(begin(__func__, self, loader));
  CTORCH_TRY(self->tapes != NULL ? trainer_tape_check(self) : NULL);
  CTORCH_TRY(error_of(__func__, ctorch_module_parameters(&self->parameters, self->module, true)));
  CTORCH_TRY(error_of(__func__, ctorch_scope_keep(NULL, self->parameters)));
  object_ref(self); /* a callback may give the last reference up */
  object_ref(loader);
  self->is_at_work = true;
  self->is_stopped = false;
  self->interrupts = interrupt_count();
  self->loader = loader;
  bool catches = catch_interrupts(self, &before);
  ctorch_error *error = run(self, loader);
  if (catches) {
    release_interrupts(&before);
  }
  if (error != NULL) { /* an epoch that failed begins anew, or goes on from a snapshot */
    end_batches(self);
  }
  self->is_at_work = false;
  self->loader = NULL;
  ctorch_tensor_list_release(self->parameters);
  self->parameters = NULL;
  object_unref(loader);
  object_unref(self);
  return error;
}

ctorch_error *ctorch_trainer_evaluate(ctorch_value **out, ctorch_trainer *self, ctorch_loader *loader) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  CTORCH_TRY(begin(__func__, self, loader));
  CTORCH_TRY(error_of(__func__, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  object_ref(self);
  self->is_at_work = true;
  self->interrupts = interrupt_count();
  ctorch_error *error = trainer_validate(__func__, self, loader, "", dict);
  self->is_at_work = false;
  object_unref(self);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}
