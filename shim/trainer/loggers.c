/* What a trainer logs: callbacks of its own, as any program may add them. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "data/loader.h"
#include "trainer/trainer.h"

/* What the callbacks share; each has a reference. */
struct log {
  ctorch_logger *logger; /* a reference */
  int64_t every_steps;
  int64_t began; /* the epoch, by the clock of loaders */
};

static void finalize(void *object) { object_unref(((struct log *)object)->logger); }

static const object_class log_class = {"trainer_log", sizeof(struct log), finalize};

/* Names and numbers of one call. */
struct row {
  struct text *names;
  const char **texts;
  double *values;
  size_t len, capacity;
};

static ctorch_error *row_begin(const char *function, struct row *self, size_t capacity) {
  *self = (struct row){
      calloc(capacity, sizeof *self->names), calloc(capacity, sizeof *self->texts),
      calloc(capacity, sizeof *self->values), 0, capacity};
  return self->names != NULL && self->texts != NULL && self->values != NULL
             ? NULL
             : error_memory(function, capacity * sizeof *self->names);
}

static ctorch_error *row_end(struct row *self) {
  ctorch_error *error = NULL;
  for (size_t i = 0; i < self->len; i++) {
    ctorch_error *failure = text_end(&self->names[i]);
    ctorch_error_release(error == NULL ? NULL : failure);
    THEN(error, failure);
  }
  free(self->names);
  free(self->texts);
  free(self->values);
  return error;
}

/* Another name, to which the caller adds; NULL where there is no more room. */
static struct text *row_add(const char *function, struct row *self, double value) {
  if (self->len == self->capacity) {
    return NULL;
  }
  self->names[self->len].function = function;
  self->values[self->len] = value;
  return &self->names[self->len++];
}

static ctorch_error *row_log(struct row *self, const ctorch_trainer *trainer, ctorch_logger *logger) {
  for (size_t i = 0; i < self->len; i++) {
    if (self->names[i].error != NULL) {
      return NULL; /* row_end has it */
    }
    self->texts[i] = text_data(&self->names[i]);
  }
  return ctorch_logger_log(logger, self->texts, self->len, self->values, self->len, trainer->step, NULL);
}

/* "val_loss" is "loss/val", "loss" is "loss/train". */
static void put_metric(const char *function, struct row *row, const char *name, double value) {
  static const char BEFORE[] = "val_";
  const size_t before = sizeof BEFORE - 1;
  struct text *text = row_add(function, row, value);
  if (strncmp(name, BEFORE, before) == 0) {
    text_add(text, "%s/val", name + before);
  } else {
    text_add(text, "%s/train", name);
  }
}

static ctorch_error *put_entry(
    const char *function, struct row *row, const ctorch_value *key, const ctorch_value *value) {
  const char *name = NULL;
  size_t len = 0;
  double number = 0;
  CTORCH_TRY(ctorch_value_to_string(&name, &len, key));
  if (strcmp(name, "epoch") == 0 || strcmp(name, "step") == 0) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_to_double(&number, value));
  put_metric(function, row, name, number);
  return NULL;
}

static ctorch_error *put_metrics(
    const char *function, struct row *row, const ctorch_value *keys, const ctorch_value *values) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, put_entry(function, row, key, value));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  return error;
}

static ctorch_error *put_rates(const char *function, struct row *row, const ctorch_trainer *trainer) {
  const size_t groups = ctorch_optimizer_num_groups(trainer->optimizer);
  for (size_t i = 0; i < groups; i++) {
    double rate = 0;
    CTORCH_TRY(ctorch_optimizer_get_lr(&rate, trainer->optimizer, i));
    struct text *text = row_add(function, row, rate);
    text_add(text, "lr");
    if (groups > 1) {
      text_add(text, "/%zu", i);
    }
  }
  return NULL;
}

static void put_times(const char *function, struct row *row, const ctorch_trainer *trainer, const struct log *log) {
  const double seconds = (double)(clock_now() - log->began) / 1e9, least = seconds > 1e-9 ? seconds : 1e-9;
  text_add(row_add(function, row, seconds), "epoch_seconds");
  text_add(row_add(function, row, trainer->sums.losses / least), "batches_per_second");
  if (trainer->sums.weight > 0) {
    text_add(row_add(function, row, trainer->sums.weight / least), "samples_per_second");
  }
}

static ctorch_error *log_metrics(
    const char *function, const ctorch_trainer *trainer, const struct log *log, const ctorch_value *metrics) {
  enum { OTHERS = 4 };
  ctorch_value *keys = NULL, *values = NULL;
  struct row row = {NULL, NULL, NULL, 0, 0};
  ctorch_error *error = ctorch_value_dict_keys(&keys, metrics);
  THEN(error, ctorch_value_dict_values(&values, metrics));
  if (error == NULL) {
    const size_t groups = ctorch_optimizer_num_groups(trainer->optimizer);
    error = row_begin(function, &row, ctorch_value_len(keys) + groups + OTHERS);
  }
  if (error == NULL) {
    text_add(row_add(function, &row, (double)trainer->epoch), "epoch");
    error = put_metrics(function, &row, keys, values);
  }
  THEN(error, put_rates(function, &row, trainer));
  if (error == NULL) {
    put_times(function, &row, trainer, log);
    error = row_log(&row, trainer, log->logger);
  }
  ctorch_error *failure = row_end(&row);
  ctorch_value_release(keys);
  ctorch_value_release(values);
  ctorch_error_release(error == NULL ? NULL : failure);
  return error != NULL ? error : failure;
}

static ctorch_error *log_epoch(const char *function, const ctorch_trainer *trainer, const struct log *log) {
  ctorch_value *metrics = NULL;
  const size_t epochs = ctorch_value_len(trainer->history);
  if (epochs == 0) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_get(&metrics, trainer->history, epochs - 1));
  ctorch_error *error = log_metrics(function, trainer, log, metrics);
  ctorch_value_release(metrics);
  return error;
}

static ctorch_error *log_step(const ctorch_trainer *trainer, const struct log *log) {
  static const char *const NAMES[] = {"loss/step"};
  double loss = 0;
  if (log->every_steps == 0 || trainer->step % log->every_steps != 0) {
    return NULL;
  }
  CTORCH_TRY(ctorch_trainer_loss(&loss, trainer));
  return ctorch_logger_log(log->logger, NAMES, 1, &loss, 1, trainer->step, NULL);
}

static ctorch_callback_status on_event(
    ctorch_trainer *trainer, ctorch_trainer_event event, ctorch_error **error, void *payload) {
  struct log *log = payload;
  switch (event) {
    case CTORCH_TRAINER_EVENT_BEGIN:
    case CTORCH_TRAINER_EVENT_EPOCH_BEGIN:
      log->began = clock_now();
      break;
    case CTORCH_TRAINER_EVENT_STEP:
      *error = log_step(trainer, log);
      break;
    case CTORCH_TRAINER_EVENT_EPOCH_END:
      *error = log_epoch("ctorch_trainer_fit", trainer, log);
      log->began = clock_now();
      break;
    default:
      *error = ctorch_logger_flush(log->logger);
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

ctorch_error *trainer_flush_loggers(const ctorch_trainer *self) {
  for (size_t i = 0; i < self->callbacks_len; i++) {
    const struct trainer_callback *one = &self->callbacks[i];
    if (one->callback == on_event && one->event == CTORCH_TRAINER_EVENT_END) { /* each logger once */
      CTORCH_TRY(ctorch_logger_flush(((const struct log *)one->payload)->logger));
    }
  }
  return NULL;
}

ctorch_error *ctorch_trainer_add_logger(ctorch_trainer *self, ctorch_logger *logger, int64_t every_steps) {
  CTORCH_TRY(error_refusal(__func__));
  static const ctorch_trainer_event EVENTS[] = {
      CTORCH_TRAINER_EVENT_BEGIN, CTORCH_TRAINER_EVENT_EPOCH_BEGIN, CTORCH_TRAINER_EVENT_STEP,
      CTORCH_TRAINER_EVENT_EPOCH_END, CTORCH_TRAINER_EVENT_END};
  enum { EVENTS_LEN = sizeof EVENTS / sizeof *EVENTS };
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || logger == NULL) {
    return error_null(__func__, self == NULL ? "self" : "logger");
  }
  if (every_steps < 0) {
    return error_argument(__func__, "every_steps", "expected at least 0, got %" PRId64, every_steps);
  }
  struct log *log = object_new(&log_class);
  if (log == NULL) {
    return error_memory(__func__, sizeof *log);
  }
  log->logger = object_ref(logger);
  log->every_steps = every_steps;
  ctorch_error *error = NULL;
  const size_t before = self->callbacks_len;
  for (int i = 0; error == NULL && i < EVENTS_LEN; i++) {
    error = error_of(__func__, ctorch_trainer_add_callback(self, EVENTS[i], on_event, object_unref, object_ref(log)));
    if (error != NULL) {
      object_unref(log); /* that callback's */
    }
  }
  while (error != NULL && self->callbacks_len > before) {
    self->callbacks_len--;
    object_unref(log);
  }
  object_unref(log);
  return error;
}
