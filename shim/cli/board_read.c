/* What event files hold, run by run and tag by tag: board.h. */
#define _POSIX_C_SOURCE 200809L
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "cli/board.h"

static void *grown(void *array, size_t len, size_t size) {
  void *larger = realloc(array, (len + 1) * size);
  if (larger == NULL) {
    abort();
  }
  return larger;
}

static char *copied(const char *text) {
  char *copy = strdup(text);
  if (copy == NULL) {
    abort();
  }
  return copy;
}

void board_free(struct board *self) {
  for (size_t i = 0; i < self->series_len; i++) {
    free(self->series[i].tag);
    free(self->series[i].points);
  }
  for (size_t i = 0; i < self->runs_len; i++) {
    free(self->runs[i].name);
    ctorch_summary_reader_release(self->runs[i].reader);
  }
  free(self->series);
  free(self->runs);
}

const char *board_kind(ctorch_summary_kind kind) {
  static const char *const NAMES[] = {"none",   "version",  "scalar", "histogram",    "image",   "audio", "text",
                                      "tensor", "metadata", "graph",  "run metadata", "session", "other"};
  return kind >= 0 && (size_t)kind < sizeof NAMES / sizeof *NAMES ? NAMES[kind] : "other";
}

/* Runs ------------------------------------------------------------------------------------------------------------- */

static bool has_run(const struct board *self, const char *name) {
  for (size_t i = 0; i < self->runs_len; i++) {
    if (strcmp(self->runs[i].name, name) == 0) {
      return true;
    }
  }
  return false;
}

static ctorch_error *add_run(struct board *self, const char *name) {
  if (has_run(self, name) || (self->run != NULL && fnmatch(self->run, name, 0) != 0)) {
    return NULL;
  }
  const size_t size = strlen(self->folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path == NULL) {
    abort();
  }
  snprintf(path, size, strcmp(name, ".") == 0 ? "%s" : "%s/%s", self->folder, name);
  struct board_run run = {copied(name), NULL};
  ctorch_error *error = ctorch_summary_reader_open(&run.reader, path);
  free(path);
  if (error != NULL) {
    free(run.name);
    return error;
  }
  self->runs = grown(self->runs, self->runs_len, sizeof run);
  self->runs[self->runs_len++] = run;
  return NULL;
}

static ctorch_error *find_runs(struct board *self) {
  ctorch_value *names = NULL;
  CTORCH_TRY(ctorch_summary_reader_runs(&names, self->folder));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(names); i++) {
    ctorch_value *name = NULL;
    const char *text = NULL;
    size_t len = 0;
    error = ctorch_value_get(&name, names, i);
    THEN(error, ctorch_value_to_string(&text, &len, name));
    THEN(error, add_run(self, text));
    ctorch_value_release(name);
  }
  ctorch_value_release(names);
  return error;
}

/* Series ----------------------------------------------------------------------------------------------------------- */

static int compare(const struct board_series *series, const char *tag, size_t run, ctorch_summary_kind kind) {
  const int by_tag = strcmp(series->tag, tag);
  return by_tag != 0          ? by_tag
         : series->run != run ? (series->run > run) - (series->run < run)
                              : (series->kind > kind) - (series->kind < kind);
}

static struct board_series *find_series(struct board *self, const char *tag, size_t run, ctorch_summary_kind kind) {
  size_t low = 0, high = self->series_len;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare(&self->series[middle], tag, run, kind) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < self->series_len && compare(&self->series[low], tag, run, kind) == 0) {
    return &self->series[low];
  }
  self->series = grown(self->series, self->series_len, sizeof *self->series);
  memmove(&self->series[low + 1], &self->series[low], (self->series_len - low) * sizeof *self->series);
  self->series_len++;
  self->series[low] = (struct board_series){.run = run, .tag = copied(tag), .kind = kind};
  return &self->series[low];
}

static void add_point(struct board_series *self, struct board_point point) {
  if (self->count == self->capacity) {
    self->capacity = self->capacity == 0 ? 64 : 2 * self->capacity;
    struct board_point *grown = realloc(self->points, self->capacity * sizeof *self->points);
    if (grown == NULL) {
      abort();
    }
    self->points = grown;
  }
  self->points[self->count] = point;
}

/* What a run that was begun again logs anew counts in the place of what it had logged at these steps. */
static void purge(struct board *self, size_t run, int64_t step) {
  for (size_t i = 0; i < self->series_len; i++) {
    struct board_series *series = &self->series[i];
    if (series->run != run || series->kind != CTORCH_SUMMARY_KIND_SCALAR) {
      continue;
    }
    size_t kept = 0;
    for (size_t j = 0; j < series->count; j++) {
      if (series->points[j].step < step) {
        series->points[kept++] = series->points[j];
      }
    }
    series->count = kept;
  }
}

static void take(
    struct board *self, size_t run, void (*each)(const char *run, const char *tag, const struct board_point *point)) {
  const ctorch_summary_reader *reader = self->runs[run].reader;
  const ctorch_summary_kind kind = ctorch_summary_reader_kind(reader);
  const char *tag = ctorch_summary_reader_tag(reader);
  const struct board_point point = {ctorch_summary_reader_step(reader), ctorch_summary_reader_scalar(reader)};
  if (kind == CTORCH_SUMMARY_KIND_SESSION) {
    purge(self, run, point.step);
  }
  if (kind == CTORCH_SUMMARY_KIND_VERSION || kind == CTORCH_SUMMARY_KIND_SESSION ||
      (self->tag != NULL && fnmatch(self->tag, tag, 0) != 0)) {
    return;
  }
  struct board_series *series = find_series(self, tag, run, kind);
  if (kind == CTORCH_SUMMARY_KIND_SCALAR) {
    add_point(series, point);
  }
  series->count++;
  series->last_step = point.step;
  if (each != NULL && kind == CTORCH_SUMMARY_KIND_SCALAR) {
    each(self->runs[run].name, series->tag, &point);
  }
}

/* What is damaged is left out, and said. */
static ctorch_error *read_run(
    struct board *self, size_t run, void (*each)(const char *run, const char *tag, const struct board_point *point)) {
  for (bool is_there = true; is_there;) {
    ctorch_error *error = ctorch_summary_reader_next(&is_there, self->runs[run].reader);
    if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_FORMAT) {
      cli_fail(error);
      is_there = true;
    } else if (error != NULL) {
      return error;
    } else if (is_there) {
      take(self, run, each);
    }
  }
  return NULL;
}

ctorch_error *board_read(
    struct board *self, void (*each)(const char *run, const char *tag, const struct board_point *point)) {
  CTORCH_TRY(find_runs(self));
  for (size_t i = 0; i < self->runs_len; i++) {
    CTORCH_TRY(read_run(self, i, each));
  }
  return NULL;
}
