/* Folders of event files: event_folder.h, and the runs below a folder. */
#define _POSIX_C_SOURCE 200809L
#include "tensorboard/event_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"

enum { DEPTH = 64 };

void names_free(struct names *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i]);
  }
  free(self->data);
  *self = (struct names){NULL, 0};
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sort(struct names *self) {
  if (self->len > 1) {
    qsort(self->data, self->len, sizeof *self->data, by_name);
  }
}

static ctorch_error *add(const char *function, struct names *self, const char *name) {
  CTORCH_TRY(array_grow(function, &self->data, self->len, sizeof *self->data));
  self->data[self->len] = strdup(name);
  if (self->data[self->len] == NULL) {
    return error_memory(function, strlen(name) + 1);
  }
  self->len++;
  return NULL;
}

/* Each entry of a folder. */
static ctorch_error *go_over(
    const char *function,
    const char *folder,
    ctorch_error *(*visit)(const char *function, const char *name, void *payload),
    void *payload) {
  DIR *entries = opendir(folder);
  if (entries == NULL) {
    return system_error(function, "read", folder);
  }
  ctorch_error *error = NULL;
  errno = 0;
  for (struct dirent *entry; error == NULL && (entry = readdir(entries)) != NULL; errno = 0) {
    error = visit(function, entry->d_name, payload);
  }
  if (error == NULL && errno != 0) {
    error = system_error(function, "read", folder);
  }
  closedir(entries);
  return error;
}

struct files {
  const char *after;
  struct names *names;
};

static bool is_event_file(const char *name) { return strstr(name, "tfevents") != NULL; }

static ctorch_error *take_file(const char *function, const char *name, void *payload) {
  struct files *self = payload;
  const bool is_new = self->after == NULL || strcmp(name, self->after) > 0;
  return is_event_file(name) && is_new ? add(function, self->names, name) : NULL;
}

ctorch_error *event_folder_files(const char *function, const char *folder, const char *after, struct names *out) {
  struct files files = {after, out};
  ctorch_error *error = go_over(function, folder, take_file, &files);
  if (error != NULL) {
    names_free(out);
    return error;
  }
  sort(out);
  return NULL;
}

/* Runs ------------------------------------------------------------------------------------------------------------- */

struct runs {
  struct names names; /* paths relative to the folder that was asked for */
  const char *root, *path;
  bool has_files;
  struct names folders;
};

static ctorch_error *look_at(const char *function, const char *name, void *payload) {
  struct runs *self = payload;
  struct text path = {.function = function};
  struct stat status;
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
    return NULL;
  }
  text_add(&path, "%s/%s/%s", self->root, self->path, name);
  ctorch_error *error = NULL;
  if (path.error == NULL && lstat(text_data(&path), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      error = add(function, &self->folders, name);
    } else if (is_event_file(name)) {
      self->has_files = true;
    }
  }
  ctorch_error *failure = text_end(&path);
  if (failure != NULL) {
    ctorch_error_release(error);
    return failure;
  }
  return error;
}

static ctorch_error *find_runs(const char *function, struct runs *self, const char *path, int depth);

static ctorch_error *find_below(
    const char *function, struct runs *self, const struct names *folders, const char *path, int depth) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < folders->len; i++) {
    struct text below = {.function = function};
    if (strcmp(path, ".") == 0) {
      text_add(&below, "%s", folders->data[i]);
    } else {
      text_add(&below, "%s/%s", path, folders->data[i]);
    }
    error = below.error == NULL ? find_runs(function, self, text_data(&below), depth + 1) : NULL;
    ctorch_error *failure = text_end(&below);
    THEN(error, failure);
  }
  return error;
}

static ctorch_error *find_runs(const char *function, struct runs *self, const char *path, int depth) {
  struct text folder = {.function = function};
  if (depth > DEPTH) {
    return NULL;
  }
  text_add(&folder, "%s/%s", self->root, path);
  self->path = path;
  self->has_files = false;
  self->folders = (struct names){NULL, 0};
  ctorch_error *error = folder.error == NULL ? go_over(function, text_data(&folder), look_at, self) : NULL;
  ctorch_error *failure = text_end(&folder);
  THEN(error, failure);
  struct names folders = self->folders;
  if (error == NULL && self->has_files) {
    error = add(function, &self->names, path);
  }
  THEN(error, find_below(function, self, &folders, path, depth));
  names_free(&folders);
  return error;
}

ctorch_error *ctorch_summary_reader_runs(ctorch_value **out, const char *folder) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || folder == NULL) {
    return error_null(__func__, out == NULL ? "out" : "folder");
  }
  CTORCH_TRY(error_unless_text(__func__, "folder", folder));
  struct runs runs = {.root = folder[0] == '\0' ? "." : folder};
  ctorch_error *error = find_runs(__func__, &runs, ".", 0);
  sort(&runs.names);
  THEN(error, error_of(__func__, ctorch_value_from_strings(out, (const char *const *)runs.names.data, runs.names.len)));
  names_free(&runs.names);
  return error;
}
