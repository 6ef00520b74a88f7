/* Loggers: <ctorch/tensorboard/logger.h>; logger.h has what is in files. */
#define _POSIX_C_SOURCE 200809L
#include "tensorboard/logger.h"

#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "core/c/error.h"
#include "core/c/payload.h"
#include "tensorboard/event_file.h"

void *logger_new(const object_class *type, const struct logger_class *class) {
  ctorch_logger *self = object_new(type);
  if (self != NULL) {
    self->class = class;
    self->has_lock = pthread_mutex_init(&self->lock, NULL) == 0;
  }
  return self;
}

void logger_end(ctorch_logger *self) {
  if (self->has_lock) {
    pthread_mutex_destroy(&self->lock);
  }
}

void ctorch_logger_retain(const ctorch_logger *self) { object_retain(self); }
void ctorch_logger_release(ctorch_logger *self) { object_release(self); }

ctorch_error *logger_path(const char *function, const void *out, const char *path, char **copy) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || path == NULL) {
    return error_null(function, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(error_unless_text(function, "path", path));
  if (path[0] == '\0') {
    return error_argument(function, "path", "expected the name of a file, got an empty text");
  }
  *copy = strdup(path);
  return *copy == NULL ? error_memory(function, strlen(path) + 1) : NULL;
}

/* To event files --------------------------------------------------------------------------------------------------- */

struct summary_logger {
  ctorch_logger base;
  ctorch_summary_writer *writer; /* a reference */
};

static void finalize_summary(void *object) {
  struct summary_logger *self = object;
  object_unref(self->writer);
  logger_end(&self->base);
}

static const object_class summary_logger_class = {"logger", sizeof(struct summary_logger), finalize_summary};

static ctorch_error *log_summary(const char *function, ctorch_logger *logger, const struct logged *logged) {
  ctorch_summary_writer *writer = ((struct summary_logger *)logger)->writer;
  for (size_t i = 0; i < logged->len; i++) {
    CTORCH_TRY(error_of(
        function, ctorch_summary_writer_add_scalar(
                      writer, logged->names[i], logged->values[i], logged->step, &logged->walltime, false, false)));
  }
  return NULL;
}

static ctorch_error *flush_summary(const char *function, ctorch_logger *logger) {
  return error_of(function, ctorch_summary_writer_flush(((struct summary_logger *)logger)->writer));
}

static const struct logger_class to_summary = {log_summary, flush_summary};

ctorch_error *ctorch_logger_from_summary_writer(ctorch_logger **out, ctorch_summary_writer *writer) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || writer == NULL) {
    return error_null(__func__, out == NULL ? "out" : "writer");
  }
  struct summary_logger *self = logger_new(&summary_logger_class, &to_summary);
  if (self != NULL) {
    self->writer = object_ref(writer);
  }
  return object_give(__func__, out, self);
}

/* To a callback ---------------------------------------------------------------------------------------------------- */

struct callback_logger {
  ctorch_logger base;
  ctorch_logger_callback callback;
  void (*destroy)(void *payload);
  void *payload;
};

static void finalize_callback(void *object) {
  struct callback_logger *self = object;
  payload_destroy(self->destroy, self->payload);
  logger_end(&self->base);
}

static const object_class callback_logger_class = {"logger", sizeof(struct callback_logger), finalize_callback};

static ctorch_error *log_callback(const char *function, ctorch_logger *logger, const struct logged *logged) {
  struct callback_logger *self = (struct callback_logger *)logger;
  ctorch_error *error = NULL;
  const ctorch_callback_status status = self->callback(
      logged->names, logged->len, logged->values, logged->len, logged->step, logged->walltime, &error, self->payload);
  return callback_error(function, "callback", status, error);
}

static ctorch_error *flush_callback(const char *function, ctorch_logger *logger) {
  (void)function;
  (void)logger;
  return NULL;
}

static const struct logger_class to_callback = {log_callback, flush_callback};

ctorch_error *ctorch_logger_from_callback(
    ctorch_logger **out, ctorch_logger_callback callback, void (*destroy)(void *payload), void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || callback == NULL) {
    return error_null(__func__, out == NULL ? "out" : "callback");
  }
  struct callback_logger *self = logger_new(&callback_logger_class, &to_callback);
  if (self != NULL) {
    self->callback = callback;
    self->destroy = destroy;
    self->payload = payload;
  }
  return object_give(__func__, out, self);
}

/* Logging ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *check_names(const char *function, const char *const *names, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (names[i] == NULL) {
      return error_null(function, "names");
    }
    CTORCH_TRY(error_unless_text(function, "names", names[i]));
    for (size_t j = 0; j < i; j++) {
      if (strcmp(names[i], names[j]) == 0) {
        return error_make(function, CTORCH_ERROR_VALUE, "names: '%s' is there twice", names[i]);
      }
    }
  }
  return NULL;
}

ctorch_error *ctorch_logger_log(
    ctorch_logger *self,
    const char *const *names,
    size_t names_len,
    const double *values,
    size_t values_len,
    int64_t step,
    const double *walltime) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(error_unless_list(__func__, "names", names, names_len));
  CTORCH_TRY(error_unless_list(__func__, "values", values, values_len));
  if (names_len != values_len) {
    return error_argument(
        __func__, "values", "expected as many as there are names, %zu, got %zu", names_len, values_len);
  }
  CTORCH_TRY(check_names(__func__, names, names_len));
  const struct logged logged = {names, values, names_len, step, walltime == NULL ? event_time() : *walltime};
  pthread_mutex_lock(&self->lock);
  ctorch_error *error = self->class->log(__func__, self, &logged);
  pthread_mutex_unlock(&self->lock);
  return error;
}

ctorch_error *ctorch_logger_flush(ctorch_logger *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  pthread_mutex_lock(&self->lock);
  ctorch_error *error = self->class->flush(__func__, self);
  pthread_mutex_unlock(&self->lock);
  return error;
}
