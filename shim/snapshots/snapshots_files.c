/* The files of a folder of snapshots: which there are, and which are kept. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "snapshots/snapshots.h"

static const char PREFIX[] = "snapshot-";
static const char SUFFIX[] = ".pt";
enum { DIGITS = 12, MOST_DIGITS = 18 };

char *snapshots_path_of(const ctorch_snapshots *self, int64_t step) {
  size_t room = strlen(self->folder) + 64;
  char *path = malloc(room);
  if (path != NULL) {
    snprintf(path, room, "%s/%s%0*" PRId64 "%s", self->folder, PREFIX, (int)DIGITS, step, SUFFIX);
  }
  return path;
}

/* The step that a file's name tells; -1 for another file. */
static int64_t step_of(const char *name) {
  size_t len = strlen(name), around = strlen(PREFIX) + strlen(SUFFIX);
  if (len < around + DIGITS || len > around + MOST_DIGITS || strncmp(name, PREFIX, strlen(PREFIX)) != 0 ||
      strcmp(name + len - strlen(SUFFIX), SUFFIX) != 0) {
    return -1;
  }
  int64_t step = 0;
  for (const char *c = name + strlen(PREFIX); c < name + len - strlen(SUFFIX); c++) {
    if (*c < '0' || *c > '9') {
      return -1;
    }
    step = 10 * step + (*c - '0');
  }
  bool is_padded = len - around > DIGITS && name[strlen(PREFIX)] == '0'; /* no name that is given here */
  return is_padded ? -1 : step;
}

static int by_step(const void *left, const void *right) {
  const struct snapshot_entry *a = left, *b = right;
  return (a->step > b->step) - (a->step < b->step);
}

ctorch_error *snapshots_list(const char *function, ctorch_snapshots *self) {
  DIR *folder = opendir(self->folder);
  if (folder == NULL) {
    return system_error(function, "open", self->folder);
  }
  ctorch_error *error = NULL;
  struct dirent *file;
  errno = 0;
  while (error == NULL && (file = readdir(folder)) != NULL) {
    int64_t step = step_of(file->d_name);
    if (step >= 0) {
      error = array_grow(function, &self->entries, self->entries_len, sizeof(*self->entries));
      if (error == NULL) {
        self->entries[self->entries_len++] = (struct snapshot_entry){step, NAN, false};
      }
    }
    errno = 0;
  }
  if (error == NULL && errno != 0) {
    error = system_error(function, "read", self->folder);
  }
  closedir(folder);
  if (error == NULL && self->entries_len > 0) {
    qsort(self->entries, self->entries_len, sizeof(*self->entries), by_step);
  }
  return error;
}

/* Read an entry's metric from its file. One that cannot be read has none: it is not what a good one gives way to. */
static ctorch_error *know_metric(const char *function, const ctorch_snapshots *self, struct snapshot_entry *entry) {
  if (entry->metric_known) {
    return NULL;
  }
  char *path = snapshots_path_of(self, entry->step);
  if (path == NULL) {
    return error_memory(function, strlen(self->folder));
  }
  const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  ctorch_value *state = NULL, *metric = NULL;
  ctorch_error *error = ctorch_serialization_load_file(&state, path, true, &cpu);
  THEN(error, ctorch_value_dict_at(&metric, state, "metric"));
  if (error == NULL && ctorch_value_kind_of(metric) != CTORCH_VALUE_NONE) {
    error = ctorch_value_to_double(&entry->metric, metric);
  }
  ctorch_value_release(metric);
  ctorch_value_release(state);
  free(path);
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_OUT_OF_MEMORY) {
    return error_of(function, error);
  }
  ctorch_error_release(error);
  entry->metric_known = true;
  return NULL;
}

static ctorch_error *know_metrics(const char *function, const ctorch_snapshots *self) {
  for (size_t i = 0; i < self->entries_len; i++) {
    CTORCH_TRY(know_metric(function, self, &self->entries[i]));
  }
  return NULL;
}

/* Whether the first is the better one; metrics are known. */
static bool is_better(const ctorch_snapshots *self, const struct snapshot_entry *a, const struct snapshot_entry *b) {
  if (isnan(a->metric) || isnan(b->metric)) {
    return isnan(a->metric) && isnan(b->metric) ? a->step > b->step : isnan(b->metric);
  }
  if (a->metric == b->metric) {
    return a->step > b->step;
  }
  return self->maximize ? a->metric > b->metric : a->metric < b->metric;
}

ctorch_error *snapshots_best(const char *function, const struct snapshot_entry **out, const ctorch_snapshots *self) {
  CTORCH_TRY(know_metrics(function, self));
  const struct snapshot_entry *best = NULL;
  for (size_t i = 0; i < self->entries_len; i++) {
    if (best == NULL || is_better(self, &self->entries[i], best)) {
      best = &self->entries[i];
    }
  }
  *out = best;
  return NULL;
}

/* Whether an entry is among the best; how many are better is counted. */
static bool is_among_best(const ctorch_snapshots *self, size_t index) {
  int64_t better = 0;
  for (size_t i = 0; i < self->entries_len && better < self->keep_best; i++) {
    better += i != index && is_better(self, &self->entries[i], &self->entries[index]);
  }
  return better < self->keep_best;
}

static ctorch_error *remove_file(const char *function, const ctorch_snapshots *self, int64_t step) {
  char *path = snapshots_path_of(self, step);
  if (path == NULL) {
    return error_memory(function, strlen(self->folder));
  }
  ctorch_error *error = NULL;
  if (unlink(path) != 0 && errno != ENOENT) {
    error = system_error(function, "remove", path);
  }
  free(path);
  return error;
}

/* Remove what is not to be kept; never the step that was just saved. */
static ctorch_error *remove_others(const char *function, ctorch_snapshots *self, int64_t saved) {
  if (self->keep_last < 0) {
    return NULL;
  }
  if (self->keep_best > 0) {
    CTORCH_TRY(know_metrics(function, self));
  }
  bool *keep = malloc(self->entries_len * sizeof(*keep));
  if (keep == NULL) {
    return error_memory(function, self->entries_len * sizeof(*keep));
  }
  for (size_t i = 0; i < self->entries_len; i++) {
    bool is_last = self->entries_len - i <= (uint64_t)self->keep_last;
    keep[i] = is_last || self->entries[i].step == saved || (self->keep_best > 0 && is_among_best(self, i));
  }
  ctorch_error *error = NULL;
  size_t len = 0;
  for (size_t i = 0; i < self->entries_len; i++) {
    if (!keep[i] && error == NULL) {
      error = remove_file(function, self, self->entries[i].step);
      keep[i] = error != NULL;
    } else {
      keep[i] = true;
    }
    if (keep[i]) {
      self->entries[len++] = self->entries[i];
    }
  }
  self->entries_len = len;
  free(keep);
  return error;
}

ctorch_error *snapshots_enter(const char *function, ctorch_snapshots *self, const struct snapshot_entry *entry) {
  size_t at = 0;
  while (at < self->entries_len && self->entries[at].step < entry->step) {
    at++;
  }
  if (at == self->entries_len || self->entries[at].step != entry->step) {
    CTORCH_TRY(array_grow(function, &self->entries, self->entries_len, sizeof(*self->entries)));
    memmove(&self->entries[at + 1], &self->entries[at], (self->entries_len - at) * sizeof(*self->entries));
    self->entries_len++;
  }
  self->entries[at] = *entry;
  return remove_others(function, self, entry->step);
}

size_t ctorch_snapshots_len(const ctorch_snapshots *self) { return self == NULL ? 0 : self->entries_len; }

int64_t ctorch_snapshots_step_of(const ctorch_snapshots *self, size_t index) {
  return self == NULL || index >= self->entries_len ? -1 : self->entries[index].step;
}

ctorch_error *ctorch_snapshots_metric(double *out, const ctorch_snapshots *self, size_t index) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (index >= self->entries_len) {
    return error_make(
        __func__, CTORCH_ERROR_INDEX, "index: %zu is out of range for %zu snapshots", index, self->entries_len);
  }
  CTORCH_TRY(know_metric(__func__, self, &self->entries[index]));
  *out = self->entries[index].metric;
  return NULL;
}
