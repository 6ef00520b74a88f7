/* The files of a package: which are a model's, and unpacking them. Only names are believed that lead to one folder. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/file_write.h"
#include "export/package.h"
#include "io/reader.h"

/* Finding ---------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end) {
  const size_t len = strlen(text), end_len = strlen(end);
  return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* A record's name in the folder of a model; NULL if it lies elsewhere. */
static const char *name_in_model(const char *name, const char *model_name) {
  const size_t folder = strlen(PACKAGE_FOLDER), model = strlen(model_name);
  if (strncmp(name, PACKAGE_FOLDER, folder) != 0 || strncmp(name + folder, model_name, model) != 0 ||
      name[folder + model] != '/') {
    return NULL;
  }
  return name + folder + model + 1;
}

/* The better of two records that may be the one: the wrapper's, of which there is but one. */
static bool is_better(const char *name, const char *end, const struct pt_record *known) {
  char wrapper[64];
  snprintf(wrapper, sizeof wrapper, ".wrapper%s", end);
  return known == NULL || (ends_with(name, wrapper) && !ends_with(known->name, wrapper));
}

static void note(struct package_files *files, const char *name, const struct pt_record *record) {
  if (ends_with(name, ".so") && is_better(name, ".so", files->library)) {
    files->library = record;
  } else if (ends_with(name, ".cpp") && is_better(name, ".cpp", files->source)) {
    files->source = record;
  } else if (ends_with(name, "_metadata.json") && is_better(name, "_metadata.json", files->metadata)) {
    files->metadata = record;
  } else if (strcmp(name, "weights_config.json") == 0) {
    files->weights = record;
  } else if (ends_with(name, ".blob")) {
    files->blob = record;
  }
}

ctorch_error *package_find(
    const char *function, struct package_files *out, const struct pt2_archive *archive, const char *model_name) {
  bool is_there = false;
  *out = (struct package_files){.model_name = model_name};
  for (size_t i = 0; i < archive->zip.len; i++) {
    const char *name = name_in_model(pt2_archive_name(archive, i), model_name);
    if (name != NULL) {
      is_there = true;
      note(out, name, &archive->zip.records[i]);
    }
  }
  if (!is_there && pt2_archive_find(archive, "models/%s.json", model_name) != NULL) {
    return reader_error(
        function, archive->reader,
        "model '%.200s' is an exported program without compiled code: open it as one (ctorch_exported_program_open), "
        "or "
        "compile it in Python with torch._inductor.aoti_compile_and_package",
        model_name);
  }
  if (!is_there) {
    return error_make(
        function, CTORCH_ERROR_INDEX, "%.1000s: no compiled model '%.200s' (ctorch_package_model_names lists them)",
        reader_name(archive->reader), model_name);
  }
  if (out->library == NULL) {
    return reader_error(
        function, archive->reader, "model '%.200s' has no shared library: it was packaged as source alone", model_name);
  }
  return NULL;
}

static ctorch_error *add_name(ctorch_value *names, const char *name, size_t len) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_string_data(&value, name, len));
  ctorch_error *error = ctorch_value_list_append(names, value);
  ctorch_value_release(value);
  return error;
}

ctorch_error *package_names(const char *function, ctorch_value **out, const struct pt2_archive *archive) {
  const size_t folder = strlen(PACKAGE_FOLDER);
  const char *last = NULL;
  size_t last_len = 0;
  ctorch_value *names = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_list(&names, NULL, 0)));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < archive->zip.len; i++) { /* records are sorted, so models come together */
    const char *name = pt2_archive_name(archive, i);
    const char *model = strncmp(name, PACKAGE_FOLDER, folder) == 0 ? name + folder : NULL;
    const char *slash = model == NULL ? NULL : strchr(model, '/');
    const size_t len = slash == NULL ? 0 : (size_t)(slash - model);
    if (slash != NULL && (last == NULL || last_len != len || memcmp(last, model, len) != 0)) {
      error = add_name(names, model, len);
      last = model;
      last_len = len;
    }
  }
  if (error != NULL) {
    ctorch_value_release(names);
    return error_of(function, error);
  }
  *out = names;
  return NULL;
}

/* Unpacking -------------------------------------------------------------------------------------------------------- */

static char *joined(const char *folder, const char *name) {
  const size_t len = strlen(folder) + strlen(name) + 2;
  char *path = malloc(len);
  if (path != NULL) {
    snprintf(path, len, "%s/%s", folder, name);
  }
  return path;
}

static ctorch_error *write_all(const char *function, int file, const char *path, const char *data, size_t nbytes) {
  while (nbytes > 0) {
    const ssize_t written = file_write(file, data, nbytes);
    if (written < 0 && errno != EINTR) {
      return system_error(function, "write", path);
    }
    data += written < 0 ? 0 : written;
    nbytes -= written < 0 ? 0 : (size_t)written;
  }
  return NULL;
}

static ctorch_error *write_file(const char *function, const char *path, const char *data, size_t nbytes) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR | S_IXUSR);
  if (file < 0) {
    return system_error(function, "create", path);
  }
  ctorch_error *error = write_all(function, file, path, data, nbytes);
  if (close(file) != 0 && error == NULL) {
    error = system_error(function, "write", path);
  }
  return error;
}

static ctorch_error *make_folders(const char *function, const char *folder, const char *const *names) {
  for (; *names != NULL; names++) {
    char *path = joined(folder, *names);
    if (path == NULL) {
      return error_memory(function, strlen(folder) + strlen(*names) + 2);
    }
    ctorch_error *error = mkdir(path, S_IRWXU) != 0 ? system_error(function, "make the folder", path) : NULL;
    free(path);
    if (error != NULL) {
      return error;
    }
  }
  return NULL;
}

/* Objects of custom classes are looked for by the code as "../../constants/" beside its own folder. */
#define MODEL_FOLDER "aotinductor/model"
#define CONSTANTS_FOLDER "constants"
static const char *const FOLDERS[] = {"aotinductor", MODEL_FOLDER, CONSTANTS_FOLDER, NULL};

/* Where in the new folder a record goes; NULL if it is not needed. */
static const char *folder_of(const struct package_files *files, const char *name, const char **out_name) {
  static const char OBJECTS[] = "data/constants/custom_obj_";
  *out_name = name_in_model(name, files->model_name);
  if (*out_name != NULL) {
    return ends_with(name, ".cpp") || ends_with(name, ".o") ? NULL : MODEL_FOLDER;
  }
  *out_name = name + strlen("data/constants/");
  return strncmp(name, OBJECTS, strlen(OBJECTS)) == 0 ? CONSTANTS_FOLDER : NULL;
}

struct unpacking {
  const char *function, *folder;
  struct pt2_archive *archive;
  const struct package_files *files;
  char *library; /* its path */
};

static ctorch_error *unpack_record(
    struct unpacking *self, const struct pt_record *record, const char *folder_name, const char *name) {
  char *data = NULL, *folder = joined(self->folder, folder_name), *path = folder == NULL ? NULL : joined(folder, name);
  free(folder);
  if (path == NULL) {
    return error_memory(self->function, strlen(name));
  }
  ctorch_error *error = strchr(name, '/') == NULL
                            ? pt2_archive_read(self->function, self->archive, &data, record)
                            : reader_error(
                                  self->function, self->archive->reader,
                                  "record '%s' lies deeper than the files of a compiled model", record->name);
  if (error == NULL && record == self->files->library) {
    error = package_check_library(self->function, self->archive, record, data);
  }
  THEN(error, write_file(self->function, path, data, (size_t)record->nbytes));
  free(data);
  if (error == NULL && record == self->files->library) {
    self->library = path;
  } else {
    free(path);
  }
  return error;
}

static ctorch_error *unpack_records(struct unpacking *self) {
  const char *name = NULL;
  CTORCH_TRY(make_folders(self->function, self->folder, FOLDERS));
  for (size_t i = 0; i < self->archive->zip.len; i++) {
    const char *folder = folder_of(self->files, pt2_archive_name(self->archive, i), &name);
    if (folder != NULL) {
      CTORCH_TRY(unpack_record(self, &self->archive->zip.records[i], folder, name));
    }
  }
  return NULL;
}

static char *new_folder(void) {
  const char *place = getenv("TMPDIR");
  char *folder = joined(place == NULL || *place == '\0' ? "/tmp" : place, "ctorch-package-XXXXXX");
  if (folder != NULL && mkdtemp(folder) == NULL) {
    free(folder);
    return NULL;
  }
  return folder;
}

ctorch_error *package_unpack(
    const char *function,
    char **out_folder,
    char **out_library,
    struct pt2_archive *archive,
    const struct package_files *files) {
  char *folder = new_folder();
  if (folder == NULL) {
    return system_error(function, "make a folder in", "TMPDIR, else /tmp");
  }
  struct unpacking unpacking = {function, folder, archive, files, NULL};
  ctorch_error *error = unpack_records(&unpacking);
  if (error != NULL) {
    package_remove(folder);
    free(unpacking.library);
    free(folder);
    return error;
  }
  *out_folder = folder;
  *out_library = unpacking.library;
  return NULL;
}

static void remove_files(const char *folder) {
  DIR *entries = opendir(folder);
  for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
    const bool is_itself = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    char *path = is_itself ? NULL : joined(folder, entry->d_name);
    if (path != NULL) {
      unlink(path); /* not a folder, which those that follow remove */
    }
    free(path);
  }
  if (entries != NULL) {
    closedir(entries);
  }
  rmdir(folder);
}

void package_remove(const char *folder) {
  static const char *const INNER_FIRST[] = {MODEL_FOLDER, "aotinductor", CONSTANTS_FOLDER};
  for (size_t i = 0; i < sizeof INNER_FIRST / sizeof *INNER_FIRST; i++) {
    char *path = joined(folder, INNER_FIRST[i]);
    if (path != NULL) {
      remove_files(path);
    }
    free(path);
  }
  remove_files(folder);
}
