/* Snapshots: <ctorch/snapshots/snapshots.h>. */
#define _POSIX_C_SOURCE 200809L
#include "ctorch/snapshots/snapshots.h"
#include "base/sequence.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/callback.h"
#include "base/file_system.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/payload.h"
#include "core/c/tensor.h"
#include "ctorch.h"
#include "snapshots/snapshots.h"

/* Callbacks of the caller's, as a part. */
struct called {
  ctorch_snapshots_save_callback save;
  ctorch_snapshots_load_callback load;
  void (*destroy)(void *payload);
  void *payload;
};

/* Writing ---------------------------------------------------------------------------------------------------------- */

static void *write_on_thread(void *argument) {
  ctorch_snapshots *self = argument;
  self->written_error = ctorch_serialization_save_file(self->written, self->written_path);
  return NULL;
}

/* Wait for the other thread, and enter what it wrote. */
static ctorch_error *end_writing(const char *function, ctorch_snapshots *self) {
  if (!self->is_writing) {
    return NULL;
  }
  pthread_join(self->thread, NULL);
  self->is_writing = false;
  value_unref(self->written);
  self->written = NULL;
  free(self->written_path);
  self->written_path = NULL;
  ctorch_error *error = self->written_error;
  self->written_error = NULL;
  return error != NULL ? error_of(function, error) : snapshots_enter(function, self, &self->written_entry);
}

/* Have another thread write a value, which is given up. */
static ctorch_error *begin_writing(
    const char *function, ctorch_snapshots *self, ctorch_value *state, const struct snapshot_entry *entry) {
  ctorch_value *copy = NULL;
  ctorch_error *error = ctorch_value_deep_copy(&copy, state);
  ctorch_value_release(state);
  CTORCH_TRY(error_of(function, error));
  self->written = value_take(copy);
  self->written_path = snapshots_path_of(self, entry->step);
  self->written_entry = *entry;
  if (self->written_path == NULL) {
    error = error_memory(function, strlen(self->folder));
  } else {
    errno = pthread_create(&self->thread, NULL, write_on_thread, self);
    if (errno != 0) {
      error = system_error(function, "start a thread to write", self->written_path);
    }
  }
  if (error != NULL) {
    value_unref(self->written);
    self->written = NULL;
    free(self->written_path);
    self->written_path = NULL;
    return error;
  }
  self->is_writing = true;
  return NULL;
}

/* Write a value, which is given up. */
static ctorch_error *write_now(
    const char *function, ctorch_snapshots *self, ctorch_value *state, const struct snapshot_entry *entry) {
  char *path = snapshots_path_of(self, entry->step);
  ctorch_error *error =
      path == NULL ? error_memory(function, strlen(self->folder)) : ctorch_serialization_save_file(state, path);
  ctorch_value_release(state);
  free(path);
  return error != NULL ? error_of(function, error) : snapshots_enter(function, self, entry);
}

static ctorch_error *save(
    const char *function, ctorch_snapshots *self, int64_t epoch, int64_t step, const double *metric) {
  if (step < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "step: expected at least 0, got %" PRId64, step);
  }
  CTORCH_TRY(end_writing(function, self));
  const struct snapshot_entry entry = {step, metric == NULL ? NAN : *metric, metric != NULL};
  ctorch_value *state = NULL;
  CTORCH_TRY(error_of(function, snapshots_collect(&state, self, epoch, &entry)));
  struct snapshot_entry entered = entry;
  entered.metric_known = true;
  return self->async ? begin_writing(function, self, state, &entered) : write_now(function, self, state, &entered);
}

/* Objects ---------------------------------------------------------------------------------------------------------- */

static void finalize(void *object) {
  ctorch_snapshots *self = object;
  ctorch_error_release(end_writing("ctorch_snapshots_release", self));
  for (size_t i = 0; i < self->parts_len; i++) {
    self->parts[i].kind->release(self->parts[i].object);
    free(self->parts[i].name);
  }
  free(self->parts);
  free(self->entries);
  free(self->folder);
}

static const object_class snapshots_class = {"snapshots", sizeof(ctorch_snapshots), finalize};

void ctorch_snapshots_retain(const ctorch_snapshots *self) { object_retain(self); }
void ctorch_snapshots_release(ctorch_snapshots *self) { object_release(self); }

/* Make a folder, and those around it. */
static ctorch_error *make_folders(const char *function, const char *folder) {
  char *path = strdup(folder);
  if (path == NULL) {
    return error_memory(function, strlen(folder) + 1);
  }
  ctorch_error *error = NULL;
  for (char *c = path + 1; error == NULL; c++) {
    if (*c == '/' || *c == '\0') {
      char end = *c;
      *c = '\0';
      struct stat status;
      int reason = mkdir(path, 0777) == 0 ? 0 : errno;
      if (reason != 0 && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))) {
        errno = reason == EEXIST ? ENOTDIR : reason;
        error = system_error(function, "create", path);
      }
      *c = end;
      if (end == '\0') {
        break;
      }
    }
  }
  free(path);
  return error;
}

ctorch_error *ctorch_snapshots_open(ctorch_snapshots **out, const char *folder) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  if (folder == NULL) {
    return error_null(__func__, "folder");
  }
  CTORCH_TRY(error_unless_text(__func__, "folder", folder));
  if (folder[0] == '\0') {
    return error_argument(__func__, "folder", "expected the name of a folder, got an empty text");
  }
  CTORCH_TRY(make_folders(__func__, folder));
  ctorch_snapshots *self = object_new(&snapshots_class);
  if (self == NULL) {
    return object_give(__func__, out, NULL);
  }
  self->keep_last = -1;
  self->folder = strdup(folder);
  ctorch_error *error =
      self->folder == NULL ? error_memory(__func__, strlen(folder) + 1) : snapshots_list(__func__, self);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(__func__, out, self);
}

/* Parts ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *check_name(const char *function, const ctorch_snapshots *self, const char *name) {
  if (self == NULL) {
    return error_null(function, "self");
  }
  if (name == NULL) {
    return error_null(function, "name");
  }
  CTORCH_TRY(error_unless_text(function, "name", name));
  for (size_t i = 0; i < self->parts_len; i++) {
    if (strcmp(self->parts[i].name, name) == 0) {
      return error_make(function, CTORCH_ERROR_VALUE, "name: there is a part %.200s already", name);
    }
  }
  return NULL;
}

/* Add a part, whose object is taken over if that succeeds. */
static ctorch_error *add(
    const char *function, ctorch_snapshots *self, const char *name, const struct snapshot_kind *kind, void *object) {
  CTORCH_TRY(array_grow(function, &self->parts, self->parts_len, sizeof(*self->parts)));
  char *copy = strdup(name);
  if (copy == NULL) {
    return error_memory(function, strlen(name) + 1);
  }
  self->parts[self->parts_len++] = (struct snapshot_part){copy, kind, object};
  return NULL;
}

/* Add an object made in C, which gets a reference that no scope sees. */
static ctorch_error *add_object(
    const char *function,
    ctorch_snapshots *self,
    const char *name,
    const struct snapshot_kind *kind,
    const char *argument,
    const void *object) {
  CTORCH_TRY(check_name(function, self, name));
  if (object == NULL) {
    return error_null(function, argument);
  }
  void *kept = object_ref(object);
  ctorch_error *error = add(function, self, name, kind, kept);
  if (error != NULL) {
    object_unref(kept);
  }
  return error;
}

ctorch_error *ctorch_snapshots_add_module(ctorch_snapshots *self, const char *name, ctorch_module *module) {
  CTORCH_TRY(error_refusal(__func__));
  return add_object(__func__, self, name, &snapshot_module, "module", module);
}

ctorch_error *ctorch_snapshots_add_optimizer(ctorch_snapshots *self, const char *name, ctorch_optimizer *optimizer) {
  CTORCH_TRY(error_refusal(__func__));
  return add_object(__func__, self, name, &snapshot_optimizer, "optimizer", optimizer);
}

ctorch_error *ctorch_snapshots_add_lr_scheduler(
    ctorch_snapshots *self, const char *name, ctorch_lr_scheduler *scheduler) {
  CTORCH_TRY(error_refusal(__func__));
  return add_object(__func__, self, name, &snapshot_lr_scheduler, "scheduler", scheduler);
}

ctorch_error *ctorch_snapshots_add_grad_scaler(ctorch_snapshots *self, const char *name, ctorch_grad_scaler *scaler) {
  CTORCH_TRY(error_refusal(__func__));
  return add_object(__func__, self, name, &snapshot_grad_scaler, "scaler", scaler);
}

/* A value, which is kept beyond every scope; it is given up if that fails. */
static ctorch_error *add_value(
    const char *function,
    ctorch_snapshots *self,
    const char *name,
    const struct snapshot_kind *kind,
    ctorch_value *value) {
  ctorch_error *error = add(function, self, name, kind, value_take(value));
  if (error != NULL) {
    value_unref(value);
  }
  return error;
}

ctorch_error *ctorch_snapshots_add_generator(ctorch_snapshots *self, const char *name, ctorch_generator *generator) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_name(__func__, self, name));
  if (generator == NULL) {
    return error_null(__func__, "generator");
  }
  ctorch_value *value = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_value_from_generator(&value, generator)));
  return add_value(__func__, self, name, &snapshot_generator, value);
}

ctorch_error *ctorch_snapshots_add_value(ctorch_snapshots *self, const char *name, ctorch_value *value) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_name(__func__, self, name));
  if (value == NULL) {
    return error_null(__func__, "value");
  }
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_DICT) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "value: expected a dict, got %s",
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  ctorch_value_retain(value);
  return add_value(__func__, self, name, &snapshot_value, value);
}

static ctorch_error *save_called(ctorch_value **out, void *object) {
  const struct called *self = object;
  ctorch_value *state = NULL;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->save(&state, &failure, self->payload);
  ctorch_error *error = callback_error("ctorch_snapshots_save", "save", status, failure);
  if (error == NULL && state == NULL) {
    error = error_make(
        "ctorch_snapshots_save", CTORCH_ERROR_CALLBACK, "the callback save answered success, but gave no state");
  }
  if (error != NULL) {
    ctorch_value_release(state);
    return error;
  }
  *out = state;
  return NULL;
}

static ctorch_error *load_called(void *object, const ctorch_value *state) {
  const struct called *self = object;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->load(state, &failure, self->payload);
  return callback_error("ctorch_snapshots_resume", "load", status, failure);
}

static void release_called(void *object) {
  struct called *self = object;
  payload_destroy(self->destroy, self->payload);
  free(self);
}

static const struct snapshot_kind snapshot_called = {save_called, load_called, release_called};

ctorch_error *ctorch_snapshots_add_callback(
    ctorch_snapshots *self,
    const char *name,
    ctorch_snapshots_save_callback save,
    ctorch_snapshots_load_callback load,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_name(__func__, self, name));
  if (save == NULL) {
    return error_null(__func__, "save");
  }
  if (load == NULL) {
    return error_null(__func__, "load");
  }
  struct called *called = malloc(sizeof(*called));
  if (called == NULL) {
    return error_memory(__func__, sizeof(*called));
  }
  *called = (struct called){save, load, destroy, payload};
  ctorch_error *error = add(__func__, self, name, &snapshot_called, called);
  if (error != NULL) {
    free(called);
  }
  return error; /* NOLINT(clang-analyzer-unix.Malloc): the part has it */
}

/* Settings --------------------------------------------------------------------------------------------------------- */

ctorch_error *ctorch_snapshots_set_every(ctorch_snapshots *self, int64_t steps) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (steps < 0) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "steps: expected at least 0, got %" PRId64, steps);
  }
  self->every = steps;
  return NULL;
}

ctorch_error *ctorch_snapshots_set_keep(ctorch_snapshots *self, int64_t last, int64_t best, bool maximize) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (last < -1) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "last: expected at least -1, got %" PRId64, last);
  }
  if (best < 0) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "best: expected at least 0, got %" PRId64, best);
  }
  self->keep_last = last;
  self->keep_best = best;
  self->maximize = maximize;
  return NULL;
}

ctorch_error *ctorch_snapshots_set_async(ctorch_snapshots *self, bool enabled) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->async = enabled;
  return enabled ? NULL : end_writing(__func__, self);
}

/* Saving and resuming ---------------------------------------------------------------------------------------------- */

ctorch_error *ctorch_snapshots_step(
    bool *out, ctorch_snapshots *self, int64_t epoch, int64_t step, const double *metric) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  bool is_due = self->every > 0 && step > 0 && step % self->every == 0;
  if (is_due) {
    CTORCH_TRY(save(__func__, self, epoch, step, metric));
  } else if (step < 0) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "step: expected at least 0, got %" PRId64, step);
  }
  if (out != NULL) {
    *out = is_due;
  }
  return NULL;
}

ctorch_error *ctorch_snapshots_save(ctorch_snapshots *self, int64_t epoch, int64_t step, const double *metric) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  return save(__func__, self, epoch, step, metric);
}

ctorch_error *ctorch_snapshots_wait(ctorch_snapshots *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  return end_writing(__func__, self);
}

/* The path of the snapshot that is meant, which the caller frees; NULL without an error if there is none. */
static ctorch_error *find(const char *function, char **out, const ctorch_snapshots *self, const char *which) {
  const struct snapshot_entry *entry = NULL;
  char *path = NULL;
  if (which == NULL || strcmp(which, "last") == 0) {
    entry = self->entries_len == 0 ? NULL : &self->entries[self->entries_len - 1];
  } else if (strcmp(which, "best") == 0) {
    CTORCH_TRY(snapshots_best(function, &entry, self));
  } else {
    CTORCH_TRY(error_unless_text(function, "which", which));
    path = strdup(which);
    if (path == NULL) {
      return error_memory(function, strlen(which) + 1);
    }
  }
  if (entry != NULL) {
    path = snapshots_path_of(self, entry->step);
    if (path == NULL) {
      return error_memory(function, strlen(self->folder));
    }
  }
  *out = path;
  return NULL;
}

ctorch_error *ctorch_snapshots_resume(
    bool *out, int64_t *out_epoch, int64_t *out_step, ctorch_snapshots *self, const char *which) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  CTORCH_TRY(end_writing(__func__, self));
  char *path = NULL;
  CTORCH_TRY(find(__func__, &path, self, which));
  if (path != NULL) {
    const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
    ctorch_value *state = NULL;
    ctorch_error *error = ctorch_serialization_load_file(&state, path, false, &cpu);
    THEN(error, snapshots_restore(__func__, out_epoch, out_step, self, state, path));
    ctorch_value_release(state);
    if (error != NULL) {
      free(path);
      return error_of(__func__, error);
    }
  }
  if (out != NULL) {
    *out = path != NULL;
  }
  free(path);
  return NULL;
}

ctorch_error *ctorch_snapshots_path(ctorch_string **out, const ctorch_snapshots *self, size_t index) {
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
  char *path = snapshots_path_of(self, self->entries[index].step);
  if (path == NULL) {
    return error_memory(__func__, strlen(self->folder));
  }
  ctorch_error *error = string_give(__func__, out, path, strlen(path));
  free(path);
  return error;
}
