/* Finding the files of a folder's classes, in the order of Python's sorted(os.walk(…)). Links are followed. */
#define _POSIX_C_SOURCE 200809L
#include "datasets/folder_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/text.h"
#include "core/c/error.h"

enum { MOST_DEPTH = 200 };

struct walk {
  const char *function;
  struct folder_files *files;
  const char *const *endings;
  int64_t target;
};

void folder_files_end(struct folder_files *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].path);
  }
  free(self->data);
  class_names_end(&self->classes);
}

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool has_ending(const char *name, const char *const *endings) {
  const size_t name_len = strlen(name);
  for (; *endings != NULL; endings++) {
    const size_t len = strlen(*endings);
    size_t same = 0;
    while (len <= name_len && same < len && lower(name[name_len - len + same]) == (*endings)[same]) {
      same++;
    }
    if (same == len) {
      return true;
    }
  }
  return false;
}

/* Call `visit` for what lies in a folder, in any order. */
static ctorch_error *for_each(
    const struct walk *walk,
    const char *folder,
    ctorch_error *(*visit)(const struct walk *walk, const char *folder, const char *name, int depth),
    int depth) {
  DIR *directory = opendir(folder);
  if (directory == NULL) {
    return system_error(walk->function, "open", folder);
  }
  ctorch_error *error = NULL;
  struct dirent *entry = NULL;
  errno = 0;
  while (error == NULL && (entry = readdir(directory)) != NULL) {
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      error = visit(walk, folder, entry->d_name, depth);
    }
    errno = 0;
  }
  if (error == NULL && errno != 0) {
    error = system_error(walk->function, "read", folder);
  }
  closedir(directory);
  return error;
}

static ctorch_error *add_file(const struct walk *walk, char *path, size_t folder_len) {
  struct folder_files *files = walk->files;
  CTORCH_TRY(array_grow(walk->function, &files->data, files->len, sizeof *files->data));
  files->data[files->len++] = (struct folder_file){path, folder_len, walk->target};
  return NULL;
}

/* A folder is walked through; files with other endings are passed over. */
static ctorch_error *visit_file(const struct walk *walk, const char *folder, const char *name, int depth) {
  char *path = path_format("%s/%s", folder, name);
  if (path == NULL) {
    return error_memory(walk->function, strlen(folder) + strlen(name) + 2);
  }
  ctorch_error *error = NULL;
  if (is_folder(path)) {
    error = depth < MOST_DEPTH ? for_each(walk, path, visit_file, depth + 1)
                               : error_make(walk->function, CTORCH_ERROR_IO, "%.1000s: too deep", path);
  } else if (has_ending(name, walk->endings)) {
    error = add_file(walk, path, strlen(folder));
    if (error == NULL) {
      return NULL;
    }
  }
  free(path);
  return error;
}

static ctorch_error *visit_class(const struct walk *walk, const char *folder, const char *name, int depth) {
  (void)depth;
  char *path = path_format("%s/%s", folder, name);
  if (path == NULL) {
    return error_memory(walk->function, strlen(folder) + strlen(name) + 2);
  }
  const bool is_class = is_folder(path);
  free(path);
  if (!is_class) {
    return NULL;
  }
  ctorch_error *error = error_unless_text(walk->function, "root", name);
  if (error != NULL) {
    ctorch_error_release(error);
    return error_make(walk->function, CTORCH_ERROR_IO, "%.1000s: the name of a folder is not UTF-8", folder);
  }
  return class_names_add(walk->function, &walk->files->classes, name, strlen(name));
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int compare_files(const void *a, const void *b) {
  const struct folder_file *one = a, *other = b;
  const size_t len = one->folder_len < other->folder_len ? one->folder_len : other->folder_len;
  const int order = memcmp(one->path, other->path, len);
  if (order != 0 || one->folder_len != other->folder_len) {
    return order != 0 ? order : one->folder_len < other->folder_len ? -1 : 1;
  }
  return strcmp(one->path, other->path);
}

/* Python names them so, too. */
static ctorch_error *no_files(const struct walk *walk, const bool *is_empty) {
  struct text names = {.function = walk->function}, endings = {.function = walk->function};
  for (size_t i = 0; i < walk->files->classes.len; i++) {
    if (is_empty[i]) {
      text_add(&names, "%s%s", names.len == 0 ? "" : ", ", walk->files->classes.data[i]);
    }
  }
  for (const char *const *ending = walk->endings; *ending != NULL; ending++) {
    text_add(&endings, "%s%s", endings.len == 0 ? "" : ", ", *ending);
  }
  ctorch_error *error = error_make(
      walk->function, CTORCH_ERROR_IO, "no valid file for the classes %.1000s; their names may end in %.200s",
      text_data(&names), text_data(&endings));
  ctorch_error_release(text_end(&names));
  ctorch_error_release(text_end(&endings));
  return error;
}

static ctorch_error *find_files(struct walk *walk, const char *root, bool *is_empty, bool allow_empty) {
  struct folder_files *files = walk->files;
  bool is_any_empty = false;
  const size_t root_len = strlen(root);
  const char *slash = root_len > 0 && root[root_len - 1] == '/' ? "" : "/";
  for (size_t i = 0; i < files->classes.len; i++) {
    const size_t first = files->len;
    char *path = path_format("%s%s%s", root, slash, files->classes.data[i]);
    if (path == NULL) {
      return error_memory(walk->function, 0);
    }
    walk->target = (int64_t)i;
    ctorch_error *error = for_each(walk, path, visit_file, 0);
    free(path);
    CTORCH_TRY(error);
    if (files->len > first) {
      qsort(files->data + first, files->len - first, sizeof *files->data, compare_files);
    }
    is_empty[i] = files->len == first;
    is_any_empty = is_any_empty || is_empty[i];
  }
  return is_any_empty && !allow_empty ? no_files(walk, is_empty) : NULL;
}

ctorch_error *folder_files_find(
    const char *function, struct folder_files *out, const char *root, const char *const *endings, bool allow_empty) {
  struct walk walk = {.function = function, .files = out, .endings = endings};
  CTORCH_TRY(for_each(&walk, root, visit_class, 0));
  if (out->classes.len == 0) {
    return error_make(function, CTORCH_ERROR_IO, "no class folder in %.1000s", root);
  }
  qsort(out->classes.data, out->classes.len, sizeof *out->classes.data, compare_names);
  bool *is_empty = calloc(out->classes.len, sizeof *is_empty);
  if (is_empty == NULL) {
    return error_memory(function, out->classes.len);
  }
  ctorch_error *error = find_files(&walk, root, is_empty, allow_empty);
  free(is_empty);
  return error;
}
