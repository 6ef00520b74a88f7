/* Summary readers: <ctorch/tensorboard/summary_reader.h>. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "tensorboard/event_folder.h"
#include "tensorboard/records.h"
#include "tensorboard/tensor.h"

struct ctorch_summary_reader {
  char *folder;       /* NULL where one file was named */
  char *path;         /* of the file at hand; NULL for none */
  struct names files; /* of the folder, behind the one at hand */
  size_t next;        /* of those */
  struct records records;
  bool is_given_up; /* the rest of the file is damaged */
  bool is_at_end;
  void *message; /* NULL for none */
  struct event event;
  size_t value_index;
  struct summary_value value;
  int64_t *shape;
  ctorch_summary_kind kind;
  char *text; /* of a text, with NUL behind it */
  size_t text_len;
};

static void forget(ctorch_summary_reader *self) {
  if (self->message != NULL) {
    message_free(self->message);
  }
  free(self->shape);
  free(self->text);
  self->message = NULL;
  self->shape = NULL;
  self->text = NULL;
  self->kind = CTORCH_SUMMARY_KIND_NONE;
  self->event = (struct event){.what = EVENT_NOTHING};
  self->value = (struct summary_value){.what = SUMMARY_NOTHING};
}

static void close_file(ctorch_summary_reader *self) {
  if (self->records.file >= 0) {
    close(self->records.file);
  }
  free(self->records.ahead.data);
  self->records = (struct records){.file = -1};
  self->is_given_up = false;
}

static void finalize(void *object) {
  ctorch_summary_reader *self = object;
  forget(self);
  close_file(self);
  names_free(&self->files);
  free(self->folder);
  free(self->path);
}

static const object_class reader_class = {"summary_reader", sizeof(ctorch_summary_reader), finalize};

void ctorch_summary_reader_retain(const ctorch_summary_reader *self) { object_retain(self); }
void ctorch_summary_reader_release(ctorch_summary_reader *self) { object_release(self); }

/* Files ------------------------------------------------------------------------------------------------------------ */

/* Open a file, whose path is consumed. */
static ctorch_error *open_file(const char *function, ctorch_summary_reader *self, char *path) {
  if (path == NULL) {
    return error_memory(function, 0);
  }
  close_file(self);
  free(self->path);
  self->path = path;
  self->records.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (self->records.file < 0) {
    return system_error(function, "open", path);
  }
  if (fstat(self->records.file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close_file(self);
    return error_make(function, CTORCH_ERROR_IO, "cannot read %s: it is no regular file", path);
  }
  return NULL;
}

static char *join(const char *folder, const char *name) {
  const size_t folder_len = strlen(folder), name_len = strlen(name);
  char *path = malloc(folder_len + name_len + 2);
  if (path != NULL) {
    snprintf(path, folder_len + name_len + 2, "%s/%s", folder, name);
  }
  return path;
}

/* Go to the next file of the folder; false if there is none, yet. */
static ctorch_error *next_file(const char *function, ctorch_summary_reader *self, bool *is_there) {
  *is_there = false;
  if (self->folder == NULL) {
    return NULL;
  }
  if (self->next == self->files.len) {
    const char *after = self->path == NULL ? NULL : strrchr(self->path, '/') + 1;
    names_free(&self->files);
    self->next = 0;
    CTORCH_TRY(event_folder_files(function, self->folder, after, &self->files));
  }
  if (self->next == self->files.len) {
    return NULL;
  }
  *is_there = true;
  return open_file(function, self, join(self->folder, self->files.data[self->next++]));
}

ctorch_error *ctorch_summary_reader_open(ctorch_summary_reader **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(error_unless_text(__func__, "path", path));
  CTORCH_TRY(messages_missing(__func__));
  struct stat status;
  if (stat(path, &status) != 0) {
    return system_error(__func__, "open", path);
  }
  ctorch_summary_reader *self = object_new(&reader_class);
  if (self == NULL) {
    return object_give(__func__, out, NULL);
  }
  self->records.file = -1;
  ctorch_error *error = NULL;
  if (S_ISDIR(status.st_mode)) {
    bool is_there = false;
    self->folder = strdup(path);
    error = self->folder == NULL ? error_memory(__func__, strlen(path) + 1) : next_file(__func__, self, &is_there);
  } else {
    error = open_file(__func__, self, strdup(path));
  }
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(__func__, out, self);
}

/* What stands there ------------------------------------------------------------------------------------------------ */

static bool is_text(const char *text) {
  ctorch_error *error = error_unless_text("ctorch_summary_reader_next", "text", text);
  const bool is = error == NULL;
  ctorch_error_release(error);
  return is;
}

/* A text of its own, with NUL at its end; false if memory has run out. */
static bool keep_text(ctorch_summary_reader *self, struct bytes bytes) {
  self->text = malloc(bytes.len + 1);
  if (self->text == NULL) {
    return false;
  }
  if (bytes.len > 0) {
    memcpy(self->text, bytes.data, bytes.len);
  }
  self->text[bytes.len] = '\0';
  self->text_len = bytes.len;
  return true;
}

/* Whether all of the text is UTF-8, also behind a NUL. */
static bool is_kept_text(const ctorch_summary_reader *self) {
  for (size_t at = 0; at <= self->text_len; at += strlen(self->text + at) + 1) {
    if (!is_text(self->text + at)) {
      return false;
    }
  }
  return true;
}

static bool is_plugin(const struct summary_value *value, const char *name) {
  return value->plugin != NULL && strcmp(value->plugin, name) == 0;
}

static ctorch_summary_kind kind_of_tensor(const struct summary_value *value) {
  if (value->tensor.list == LIST_STRING) {
    return is_plugin(value, "text") ? CTORCH_SUMMARY_KIND_TEXT : CTORCH_SUMMARY_KIND_TENSOR;
  }
  return is_plugin(value, "scalars") && value->tensor.ndim == 0 ? CTORCH_SUMMARY_KIND_SCALAR
                                                                : CTORCH_SUMMARY_KIND_TENSOR;
}

static ctorch_summary_kind kind_of_value(const struct summary_value *value) {
  switch (value->what) {
    case SUMMARY_SIMPLE:
      return CTORCH_SUMMARY_KIND_SCALAR;
    case SUMMARY_HISTOGRAM:
      return CTORCH_SUMMARY_KIND_HISTOGRAM;
    case SUMMARY_IMAGE:
      return CTORCH_SUMMARY_KIND_IMAGE;
    case SUMMARY_AUDIO:
      return CTORCH_SUMMARY_KIND_AUDIO;
    case SUMMARY_TENSOR:
      return kind_of_tensor(value);
    default:
      return value->plugin != NULL ? CTORCH_SUMMARY_KIND_METADATA : CTORCH_SUMMARY_KIND_OTHER;
  }
}

static ctorch_summary_kind kind_of_event(const struct event *event) {
  switch (event->what) {
    case EVENT_VERSION:
      return CTORCH_SUMMARY_KIND_VERSION;
    case EVENT_GRAPH:
      return CTORCH_SUMMARY_KIND_GRAPH;
    case EVENT_RUN_METADATA:
      return CTORCH_SUMMARY_KIND_RUN_METADATA;
    case EVENT_SESSION:
      return CTORCH_SUMMARY_KIND_SESSION;
    default:
      return CTORCH_SUMMARY_KIND_OTHER;
  }
}

static ctorch_error *no_event(const char *function, const ctorch_summary_reader *self, const char *what) {
  return error_make(
      function, CTORCH_ERROR_FORMAT, "%s: the record before byte %" PRIu64 " %s", self->path, self->records.offset,
      what);
}

/* The next value of the event at hand. */
static ctorch_error *take_value(const char *function, ctorch_summary_reader *self) {
  free(self->shape);
  free(self->text);
  self->shape = NULL;
  self->text = NULL;
  self->kind = CTORCH_SUMMARY_KIND_NONE;
  if (!message_value(self->message, self->value_index++, &self->value, &self->shape)) {
    return error_memory(function, 0);
  }
  if (!is_text(self->value.tag) || (self->value.plugin != NULL && !is_text(self->value.plugin))) {
    return no_event(function, self, "has a tag that is not UTF-8");
  }
  const ctorch_summary_kind kind = kind_of_value(&self->value);
  if (self->value.what == SUMMARY_TENSOR && self->value.tensor.list == LIST_STRING) {
    if (!keep_text(self, message_string(&self->value.tensor))) {
      return error_memory(function, 0);
    }
    if (kind == CTORCH_SUMMARY_KIND_TEXT && !is_kept_text(self)) {
      return no_event(function, self, "has a text that is not UTF-8");
    }
  }
  self->kind = kind;
  return NULL;
}

static ctorch_error *take_event(
    const char *function, ctorch_summary_reader *self, const unsigned char *data, size_t len, bool *is_there) {
  self->message = message_read(&self->event, data, len);
  if (self->message == NULL) {
    return no_event(function, self, "is no event");
  }
  self->value_index = 0;
  if (self->event.what == EVENT_SUMMARY) {
    *is_there = self->event.values_len > 0; /* one may have none */
    return *is_there ? take_value(function, self) : NULL;
  }
  const char *text = self->event.what == EVENT_VERSION ? self->event.version : self->event.tag;
  if (text != NULL && !is_text(text)) {
    return no_event(function, self, "has a text that is not UTF-8");
  }
  *is_there = true;
  self->kind = kind_of_event(&self->event);
  return NULL;
}

static ctorch_error *damaged(const char *function, ctorch_summary_reader *self) {
  self->is_given_up = true;
  return error_make(
      function, CTORCH_ERROR_FORMAT, "%s: a checksum is wrong in the record at byte %" PRIu64, self->path,
      self->records.offset);
}

/* Take the next record, of this file or another, which may be an event without values; `*is_end` if there is none. */
static ctorch_error *advance(const char *function, ctorch_summary_reader *self, bool *is_there, bool *is_end) {
  const unsigned char *data = NULL;
  size_t len = 0;
  enum record_state state = RECORD_TORN;
  *is_end = false;
  if (self->records.file >= 0 && !self->is_given_up) {
    state = records_next(&self->records, &data, &len);
  }
  if (state == RECORD_TORN) {
    bool has_next = false;
    CTORCH_TRY(next_file(function, self, &has_next));
    *is_end = !has_next;
    return NULL;
  }
  if (state == RECORD_DAMAGED) {
    return damaged(function, self);
  }
  if (state != RECORD_WHOLE) {
    return state == RECORD_MEMORY ? error_memory(function, 0) : system_error(function, "read", self->path);
  }
  return take_event(function, self, data, len, is_there);
}

ctorch_error *ctorch_summary_reader_next(bool *out, ctorch_summary_reader *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  bool is_there = false, is_end = false;
  self->is_at_end = false;
  if (self->message != NULL && self->event.what == EVENT_SUMMARY && self->value_index < self->event.values_len) {
    CTORCH_TRY(take_value(__func__, self));
    *out = true;
    return NULL;
  }
  while (!is_there && !is_end) {
    forget(self);
    CTORCH_TRY(advance(__func__, self, &is_there, &is_end));
  }
  self->is_at_end = is_end;
  *out = is_there;
  return NULL;
}

size_t ctorch_summary_reader_torn_nbytes(const ctorch_summary_reader *self) {
  return self == NULL || !self->is_at_end || self->records.file < 0 ? 0 : (size_t)self->records.left;
}

const char *ctorch_summary_reader_path(const ctorch_summary_reader *self) { return self == NULL ? NULL : self->path; }

ctorch_summary_kind ctorch_summary_reader_kind(const ctorch_summary_reader *self) {
  return self == NULL ? CTORCH_SUMMARY_KIND_NONE : self->kind;
}

double ctorch_summary_reader_wall_time(const ctorch_summary_reader *self) {
  return self == NULL ? 0 : self->event.wall_time;
}

int64_t ctorch_summary_reader_step(const ctorch_summary_reader *self) { return self == NULL ? 0 : self->event.step; }

const char *ctorch_summary_reader_tag(const ctorch_summary_reader *self) {
  return self == NULL              ? NULL
         : self->value.tag != NULL ? self->value.tag
         : self->event.tag != NULL ? self->event.tag
                                   : "";
}

const char *ctorch_summary_reader_plugin(const ctorch_summary_reader *self) {
  return self == NULL ? NULL : self->value.plugin != NULL ? self->value.plugin : "";
}

double ctorch_summary_reader_scalar(const ctorch_summary_reader *self) {
  if (self == NULL || self->kind != CTORCH_SUMMARY_KIND_SCALAR) {
    return NAN;
  }
  return self->value.what == SUMMARY_SIMPLE ? (double)self->value.simple : summary_tensor_number(&self->value.tensor);
}

const char *ctorch_summary_reader_text(const ctorch_summary_reader *self) {
  if (self == NULL) {
    return NULL;
  }
  return self->kind == CTORCH_SUMMARY_KIND_TEXT      ? self->text
         : self->kind == CTORCH_SUMMARY_KIND_VERSION ? self->event.version
                                                     : NULL;
}

static struct bytes data_of(const ctorch_summary_reader *self) {
  switch (self->kind) {
    case CTORCH_SUMMARY_KIND_IMAGE:
    case CTORCH_SUMMARY_KIND_AUDIO:
      return self->value.encoded;
    case CTORCH_SUMMARY_KIND_GRAPH:
    case CTORCH_SUMMARY_KIND_RUN_METADATA:
      return self->event.data;
    case CTORCH_SUMMARY_KIND_TENSOR:
    case CTORCH_SUMMARY_KIND_METADATA:
      return self->value.plugin_content;
    case CTORCH_SUMMARY_KIND_TEXT:
      return (struct bytes){self->text, self->text_len};
    default:
      return (struct bytes){NULL, 0};
  }
}

ctorch_error *ctorch_summary_reader_data(const char **out, size_t *out_len, const ctorch_summary_reader *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || out_len == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : out_len == NULL ? "out_len" : "self");
  }
  const struct bytes bytes = data_of(self);
  *out = bytes.len == 0 ? NULL : bytes.data;
  *out_len = bytes.len;
  return NULL;
}

ctorch_error *ctorch_summary_reader_tensor(ctorch_tensor **out, const ctorch_summary_reader *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  if (self->value.what != SUMMARY_TENSOR || self->kind == CTORCH_SUMMARY_KIND_NONE) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "self: there is no tensor here");
  }
  return summary_tensor_read(__func__, out, &self->value.tensor);
}

static ctorch_error *check_histogram(const char *function, const ctorch_summary_reader *self) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  return self->kind == CTORCH_SUMMARY_KIND_HISTOGRAM
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "self: there is no histogram here");
}

ctorch_error *ctorch_summary_reader_histogram(
    double *out_min,
    double *out_max,
    double *out_num,
    double *out_sum,
    double *out_sum_squares,
    const ctorch_summary_reader *self) {
  CTORCH_TRY(error_refusal(__func__));
  static const char *const NAMES[] = {"out_min", "out_max", "out_num", "out_sum", "out_sum_squares"};
  double *const outs[] = {out_min, out_max, out_num, out_sum, out_sum_squares};
  for (int i = 0; i < 5; i++) {
    if (outs[i] == NULL) {
      return error_null(__func__, NAMES[i]);
    }
  }
  CTORCH_TRY(check_histogram(__func__, self));
  const struct summary_histogram *histogram = &self->value.histogram;
  *out_min = histogram->min;
  *out_max = histogram->max;
  *out_num = histogram->num;
  *out_sum = histogram->sum;
  *out_sum_squares = histogram->sum_squares;
  return NULL;
}

ctorch_error *ctorch_summary_reader_bins(
    ctorch_tensor **out_limits, ctorch_tensor **out_counts, const ctorch_summary_reader *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out_limits == NULL || out_counts == NULL) {
    return error_null(__func__, out_limits == NULL ? "out_limits" : "out_counts");
  }
  CTORCH_TRY(check_histogram(__func__, self));
  const struct summary_histogram *histogram = &self->value.histogram;
  const int64_t len = (int64_t)histogram->len;
  const size_t nbytes = histogram->len * sizeof(double);
  ctorch_tensor *limits = NULL;
  CTORCH_TRY(
      error_of(__func__, ctorch_tensor_from_data(&limits, histogram->limits, nbytes, &len, 1, CTORCH_DTYPE_FLOAT64)));
  ctorch_error *error = ctorch_tensor_from_data(out_counts, histogram->counts, nbytes, &len, 1, CTORCH_DTYPE_FLOAT64);
  if (error != NULL) {
    ctorch_tensor_release(limits);
    return error_of(__func__, error);
  }
  *out_limits = limits;
  return NULL;
}
