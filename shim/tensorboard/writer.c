/* Summary writers: opening, flushing and closing them. <ctorch/tensorboard/summary.h>. */
#define _POSIX_C_SOURCE 200809L
#include "tensorboard/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"

bool ctorch_summary_writer_is_supported(void) { return messages_are_there(); }

static void finalize(void *object) {
  ctorch_summary_writer *self = object;
  const bool is_ours = self->process == getpid() && !self->is_closed;
  if (is_ours && self->file.file >= 0) {
    ctorch_error_release(event_file_write("ctorch_summary_writer_release", &self->file));
  }
  for (size_t i = 0; i < self->subs_len; i++) {
    if (is_ours) {
      ctorch_error_release(event_file_write("ctorch_summary_writer_release", &self->subs[i].file));
    }
    event_file_end(&self->subs[i].file);
    free(self->subs[i].folder);
  }
  event_file_end(&self->file);
  free(self->subs);
  free(self->folder);
  free(self->projector);
  if (self->has_lock) {
    pthread_mutex_destroy(&self->lock);
  }
}

static const object_class writer_class = {"summary_writer", sizeof(ctorch_summary_writer), finalize};

void ctorch_summary_writer_retain(const ctorch_summary_writer *self) { object_retain(self); }
void ctorch_summary_writer_release(ctorch_summary_writer *self) { object_release(self); }

static ctorch_error *check_numbers(const char *function, int64_t max_queue, double flush_secs) {
  if (max_queue < 1) {
    return error_argument(function, "max_queue", "expected at least 1, got %" PRId64, max_queue);
  }
  return flush_secs >= 0 ? NULL : error_argument(function, "flush_secs", "expected a number that is not below 0");
}

/* "runs/<date>_<time>_<host><comment>" */
static ctorch_error *default_folder(const char *function, const char *comment, char **out) {
  char host[256] = "localhost", when[32] = "";
  struct text text = {.function = function};
  time_t now = time(NULL);
  struct tm parts;
  static const char MONTHS[] = "JanFebMarAprMayJunJulAugSepOctNovDec"; /* whatever the locale */
  if (gethostname(host, sizeof host - 1) != 0 || localtime_r(&now, &parts) == NULL) {
    return error_make(function, CTORCH_ERROR_IO, "log_dir: the machine has no name or no time");
  }
  strftime(when, sizeof when, "%d_%H-%M-%S", &parts);
  text_add(&text, "runs/%.3s%s_%s%s", MONTHS + 3 * parts.tm_mon, when, host, comment == NULL ? "" : comment);
  *out = text.error == NULL ? strdup(text_data(&text)) : NULL;
  ctorch_error *error = text_end(&text);
  return error == NULL && *out == NULL ? error_memory(function, 0) : error;
}

static ctorch_error *copy_text(const char *function, char **out, const char *text) {
  *out = text == NULL ? NULL : strdup(text);
  return text == NULL || *out != NULL ? NULL : error_memory(function, strlen(text) + 1);
}

static ctorch_summary_writer *new_writer(int64_t max_queue, double flush_secs) {
  ctorch_summary_writer *self = object_new(&writer_class);
  if (self != NULL) {
    self->has_lock = pthread_mutex_init(&self->lock, NULL) == 0;
    self->process = getpid();
    self->file.file = -1;
    self->file.max_queue = max_queue;
    self->file.flush_secs = flush_secs;
  }
  return self;
}

/* Events before this step are what counts. */
static ctorch_error *put_purge(const char *function, struct event_file *file, int64_t step) {
  const double now = event_time();
  const struct event version = {.wall_time = now, .step = step, .what = EVENT_VERSION, .version = "brain.Event:2"};
  const struct event start = {.wall_time = now, .step = step, .what = EVENT_SESSION, .session = 1};
  CTORCH_TRY(event_file_add(function, file, &version));
  return event_file_add(function, file, &start);
}

static ctorch_error *open_folder(
    const char *function,
    ctorch_summary_writer *self,
    const char *log_dir,
    const char *comment,
    const int64_t *purge_step,
    const char *suffix) {
  CTORCH_TRY(
      log_dir != NULL ? copy_text(function, &self->folder, log_dir) : default_folder(function, comment, &self->folder));
  CTORCH_TRY(copy_text(function, &self->file.folder, self->folder));
  CTORCH_TRY(copy_text(function, &self->file.suffix, suffix));
  CTORCH_TRY(event_file_begin(function, &self->file));
  return purge_step != NULL ? put_purge(function, &self->file, *purge_step) : NULL;
}

static ctorch_error *give(
    const char *function, ctorch_summary_writer **out, ctorch_summary_writer *self, ctorch_error *error) {
  if (error != NULL) {
    self->is_closed = true;
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

static ctorch_error *check_optional(const char *function, const char *name, const char *text) {
  return text == NULL ? NULL : error_unless_text(function, name, text);
}

ctorch_error *ctorch_summary_writer_open(
    ctorch_summary_writer **out,
    const char *log_dir,
    const char *comment,
    const int64_t *purge_step,
    int64_t max_queue,
    double flush_secs,
    const char *filename_suffix) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  CTORCH_TRY(check_optional(__func__, "log_dir", log_dir));
  CTORCH_TRY(check_optional(__func__, "comment", comment));
  CTORCH_TRY(check_optional(__func__, "filename_suffix", filename_suffix));
  CTORCH_TRY(check_numbers(__func__, max_queue, flush_secs));
  if (log_dir != NULL && log_dir[0] == '\0') {
    return error_argument(__func__, "log_dir", "expected the name of a folder, got an empty text");
  }
  if (filename_suffix != NULL && strchr(filename_suffix, '/') != NULL) {
    return error_argument(__func__, "filename_suffix", "expected the end of a file's name, got one with '/'");
  }
  CTORCH_TRY(messages_missing(__func__));
  ctorch_summary_writer *self = new_writer(max_queue, flush_secs);
  if (self == NULL) {
    return object_give(__func__, out, NULL);
  }
  return give(__func__, out, self, open_folder(__func__, self, log_dir, comment, purge_step, filename_suffix));
}

static ctorch_error *open_file(const char *function, ctorch_summary_writer *self, const char *path) {
  self->folder = system_folder(path);
  if (self->folder == NULL) {
    return error_memory(function, 0);
  }
  CTORCH_TRY(copy_text(function, &self->file.path, path));
  return event_file_continue(function, &self->file);
}

ctorch_error *ctorch_summary_writer_open_file(
    ctorch_summary_writer **out, const char *path, int64_t max_queue, double flush_secs) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  CTORCH_TRY(summary_check_text(__func__, "path", path));
  CTORCH_TRY(check_numbers(__func__, max_queue, flush_secs));
  if (path[0] == '\0') {
    return error_argument(__func__, "path", "expected the name of a file, got an empty text");
  }
  CTORCH_TRY(messages_missing(__func__));
  ctorch_summary_writer *self = new_writer(max_queue, flush_secs);
  if (self == NULL) {
    return object_give(__func__, out, NULL);
  }
  return give(__func__, out, self, open_file(__func__, self, path));
}

ctorch_error *summary_open_like(
    const char *function, ctorch_summary_writer **out, ctorch_summary_writer *self, const char *folder) {
  ctorch_summary_writer *other = new_writer(self->file.max_queue, self->file.flush_secs);
  if (other == NULL) {
    return object_give(function, out, NULL);
  }
  return give(function, out, other, open_folder(function, other, folder, NULL, NULL, NULL));
}

/* What is asked of one --------------------------------------------------------------------------------------------- */

ctorch_error *summary_check_text(const char *function, const char *name, const char *text) {
  return text == NULL ? error_null(function, name) : error_unless_text(function, name, text);
}

ctorch_error *summary_check_writer(const char *function, const ctorch_summary_writer *self) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  return self->process == getpid()
             ? NULL
             : error_make(function, CTORCH_ERROR_RUNTIME, "self: the writer was opened by another process");
}

ctorch_error *summary_check(const char *function, const ctorch_summary_writer *self, const char *tag) {
  CTORCH_TRY(summary_check_writer(function, self));
  return summary_check_text(function, "tag", tag);
}

const char *ctorch_summary_writer_log_dir(const ctorch_summary_writer *self) {
  return self == NULL ? NULL : self->folder;
}

static void lock(const ctorch_summary_writer *self) { pthread_mutex_lock((pthread_mutex_t *)&self->lock); }
static void unlock(const ctorch_summary_writer *self) { pthread_mutex_unlock((pthread_mutex_t *)&self->lock); }

ctorch_error *ctorch_summary_writer_path(ctorch_string **out, const ctorch_summary_writer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  lock(self);
  ctorch_error *error = string_give(__func__, out, self->file.path, strlen(self->file.path));
  unlock(self);
  return error;
}

ctorch_error *ctorch_summary_writer_set_rotation(ctorch_summary_writer *self, int64_t max_bytes, double max_secs) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check_writer(__func__, self));
  if (max_bytes < 0 || !(max_secs >= 0)) {
    return error_argument(__func__, max_bytes < 0 ? "max_bytes" : "max_secs", "expected a number that is not below 0");
  }
  lock(self);
  self->file.max_bytes = max_bytes;
  self->file.max_secs = max_secs;
  unlock(self);
  return NULL;
}

static ctorch_error *check_open(const char *function, const ctorch_summary_writer *self) {
  return self->is_closed ? error_make(function, CTORCH_ERROR_RUNTIME, "self: the writer is closed") : NULL;
}

static ctorch_error *sync_all(const char *function, ctorch_summary_writer *self) {
  CTORCH_TRY(event_file_sync(function, &self->file));
  for (size_t i = 0; i < self->subs_len; i++) {
    CTORCH_TRY(event_file_sync(function, &self->subs[i].file));
  }
  return NULL;
}

ctorch_error *ctorch_summary_writer_flush(ctorch_summary_writer *self) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check_writer(__func__, self));
  lock(self);
  ctorch_error *error = check_open(__func__, self);
  THEN(error, sync_all(__func__, self));
  unlock(self);
  return error;
}

static void close_file(struct event_file *file) {
  close(file->file);
  file->file = -1;
}

ctorch_error *ctorch_summary_writer_finish(ctorch_summary_writer *self) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(summary_check_writer(__func__, self));
  lock(self);
  ctorch_error *error = self->is_closed ? NULL : sync_all(__func__, self);
  if (error == NULL && !self->is_closed) {
    close_file(&self->file);
    for (size_t i = 0; i < self->subs_len; i++) {
      close_file(&self->subs[i].file);
    }
    self->is_closed = true;
  }
  unlock(self);
  return error;
}

ctorch_error *summary_add_event(
    const char *function, ctorch_summary_writer *self, struct event *event, const double *walltime) {
  event->wall_time = walltime == NULL ? event_time() : *walltime;
  lock(self);
  ctorch_error *error = check_open(function, self);
  THEN(error, event_file_add(function, &self->file, event));
  unlock(self);
  return error;
}

ctorch_error *summary_add(
    const char *function,
    ctorch_summary_writer *self,
    const struct summary_value *values,
    size_t values_len,
    int64_t global_step,
    const double *walltime) {
  struct event event = {.step = global_step, .what = EVENT_SUMMARY, .values = values, .values_len = values_len};
  return summary_add_event(function, self, &event, walltime);
}
