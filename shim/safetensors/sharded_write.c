/* Writing weights in several files: <ctorch/safetensors/sharded.h>.
 *
 * The index is what makes the files one: it is written last, and in one step. Until then the old one is there with all
 * of its files, because none of them is written to. */
#define _POSIX_C_SOURCE 200809L
#include <ctorch.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/json.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "io/tensor_dict.h"
#include "io/writer.h"
#include "safetensors/safetensors.h"
#include "safetensors/sharded.h"

#define DEFAULT_SHARD_NBYTES UINT64_C(5000000000)

/* Where to, and what. */
struct saving {
  const char *function;
  char *folder, *stem;   /* "model" */
  const char *extension; /* ".safetensors" */
  bool is_safetensors;
  struct named tensors;
  ctorch_value *metadata; /* the caller's, and the names of what was dropped */
  struct split split;
  char *old_names; /* of the shards that are there: sharded_names_of */
  size_t version;  /* of the names: 1 for those without a number */
};

static void saving_end(struct saving *self) {
  free(self->folder);
  free(self->stem);
  free(self->old_names);
  named_end(&self->tensors);
  ctorch_value_release(self->metadata);
  split_end(&self->split);
}

static ctorch_error *out_of_memory(const struct saving *self) { return error_memory(self->function, 4096); }

/* The folder and the stem, from a folder or the path of an index. */
static ctorch_error *read_path(struct saving *self, const char *path) {
  struct stat status;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    self->folder = strdup(path);
    self->stem = strdup(self->is_safetensors ? "model" : "pytorch_model");
    return self->folder == NULL || self->stem == NULL ? out_of_memory(self) : NULL;
  }
  const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
  size_t ending = strlen(self->extension) + strlen(SHARDED_INDEX_SUFFIX);
  if (!sharded_ends_with(name, SHARDED_INDEX_SUFFIX)) {
    errno = ENOENT;
    return system_error(self->function, "open the folder", path);
  }
  size_t len = strlen(name);
  if (len <= ending || strncmp(name + len - ending, self->extension, strlen(self->extension)) != 0) {
    return error_argument(
        self->function, "path", "expected an index called \"….%s" SHARDED_INDEX_SUFFIX "\"", self->extension + 1);
  }
  self->folder = system_folder(path);
  self->stem = strndup(name, len - ending);
  return self->folder == NULL || self->stem == NULL ? out_of_memory(self) : NULL;
}

/* The path of a file in the folder; free() it, NULL is out of memory. */
static char *path_of(const struct saving *self, const char *name) { return sharded_join(self->folder, name); }

/* "model-00001-of-00002.safetensors", or the only one: "model.safetensors". */
static void add_name(struct text *text, const struct saving *self, size_t version, size_t shard) {
  text_add(text, "%s", self->stem);
  if (self->split.shards > 1) {
    if (version > 1) {
      text_add(text, "-%zu", version);
    }
    text_add(text, "-%05zu-of-%05zu", shard + 1, self->split.shards);
  }
  text_add(text, "%s", self->extension);
}

static void add_index_name(struct text *text, const struct saving *self) {
  text_add(text, "%s%s" SHARDED_INDEX_SUFFIX, self->stem, self->extension);
}

/* The names that are there. */
static ctorch_error *read_old(struct saving *self) {
  struct text name = {.function = self->function};
  add_index_name(&name, self);
  char *path = name.error == NULL ? path_of(self, name.data) : NULL;
  CTORCH_TRY(text_end(&name));
  ctorch_error *error = path == NULL ? out_of_memory(self) : sharded_names_of(self->function, &self->old_names, path);
  free(path);
  return error;
}

/* Whether a name is one of a shard of this stem and these files, and of which version. */
static bool is_shard_name(const struct saving *self, const char *name, size_t *version) {
  size_t stem = strlen(self->stem), extension = strlen(self->extension), tail = strlen("-00001-of-00002");
  size_t len = strlen(name);
  if (len < stem + tail + extension || strncmp(name, self->stem, stem) != 0 ||
      strcmp(name + len - extension, self->extension) != 0) {
    return false;
  }
  static const char form[] = "-00000-of-00000";
  const char *begin = name + len - extension - tail;
  for (size_t i = 0; i < tail; i++) {
    if (form[i] == '0' ? begin[i] < '0' || begin[i] > '9' : begin[i] != form[i]) {
      return false;
    }
  }
  const char *between = name + stem;
  *version = 1;
  if (between == begin) {
    return true;
  }
  *version = 0;
  if (*between != '-' || begin - between < 2 || begin - between > 10) {
    return false;
  }
  for (between++; between < begin; between++) {
    if (*between < '0' || *between > '9') {
      return false;
    }
    *version = *version * 10 + (size_t)(*between - '0');
  }
  return true;
}

/* The first version of which the old index has no file. Of the others there may be some that an interrupted saving has
 * left, which are replaced. */
static ctorch_error *choose_version(struct saving *self) {
  size_t names = 0;
  for (const char *at = self->old_names; at != NULL && *at != '\0'; at += strlen(at) + 1) {
    names++;
  }
  bool *is_taken = calloc(names + 2, sizeof *is_taken); /* of the versions up to names + 1 one is free */
  if (is_taken == NULL) {
    return error_memory(self->function, (names + 2) * sizeof *is_taken);
  }
  for (const char *at = self->old_names; at != NULL && *at != '\0'; at += strlen(at) + 1) {
    size_t version = 0;
    if (is_shard_name(self, at, &version) && version <= names) {
      is_taken[version] = true;
    }
  }
  self->version = 1;
  while (is_taken[self->version]) {
    self->version++;
  }
  free(is_taken);
  return NULL;
}

/* The tensors of a shard. */
static ctorch_error *part_of(const struct saving *self, size_t shard, ctorch_value **out) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->split.len; i++) {
    if (self->split.shard[i] == shard) {
      const struct named_entry *entry = &self->tensors.data[self->split.order[i]];
      ctorch_value *value = NULL;
      error = ctorch_value_from_tensor(&value, entry->tensor);
      THEN(error, ctorch_value_dict_set(dict, entry->key, value));
      ctorch_value_release(value);
    }
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

/* {"format": "pt"}, which transformers asks for, and the metadata if there is but one file. */
static ctorch_error *metadata_of(const struct saving *self, ctorch_value **out) {
  ctorch_value *format = NULL;
  ctorch_value *all = NULL;
  ctorch_error *error =
      self->split.shards > 1 ? ctorch_value_from_dict(&all, NULL, 0, NULL, 0) : ctorch_value_copy(&all, self->metadata);
  THEN(error, ctorch_value_from_string(&format, "pt"));
  if (error == NULL) {
    ctorch_value *known = NULL;
    ctorch_error *missing = ctorch_value_dict_at(&known, all, "format");
    error = missing == NULL ? NULL : ctorch_value_dict_put(all, "format", format);
    ctorch_value_release(known);
    ctorch_error_release(missing);
  }
  ctorch_value_release(format);
  if (error != NULL) {
    ctorch_value_release(all);
    return error;
  }
  *out = all;
  return NULL;
}

static ctorch_error *write_safetensors(const struct saving *self, const ctorch_value *part, const char *path) {
  ctorch_value *metadata = NULL;
  ctorch_writer *writer = NULL;
  struct named named = {0};
  CTORCH_TRY(metadata_of(self, &metadata));
  ctorch_error *error = named_read(self->function, &named, "tensors", part);
  THEN(error, ctorch_writer_open(&writer, path));
  THEN(error, safetensors_write_named(self->function, writer, "tensors", &named, metadata));
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  named_end(&named);
  ctorch_value_release(metadata);
  return error;
}

static ctorch_error *write_shard(const struct saving *self, size_t shard) {
  struct text name = {.function = self->function};
  ctorch_value *part = NULL;
  add_name(&name, self, self->version, shard);
  char *path = name.error == NULL ? path_of(self, name.data) : NULL;
  CTORCH_TRY(text_end(&name));
  ctorch_error *error = path == NULL ? out_of_memory(self) : part_of(self, shard, &part);
  THEN(error, self->is_safetensors ? write_safetensors(self, part, path) : ctorch_serialization_save_file(part, path));
  ctorch_value_release(part);
  free(path);
  return error;
}

/* The index. */

/* Behind the total, which a metadatum of that name replaces. */
static ctorch_error *add_metadata(struct text *text, const struct saving *self) {
  ctorch_value *keys = NULL, *values = NULL;
  struct text total = {.function = self->function}, rest = {.function = self->function};
  text_add(&total, "%" PRIu64, self->split.total_nbytes);
  ctorch_error *error = ctorch_value_dict_keys(&keys, self->metadata);
  THEN(error, ctorch_value_dict_values(&values, self->metadata));
  for (size_t i = 0, len = ctorch_value_len(keys); error == NULL && i < len; i++) {
    ctorch_value *key = NULL, *value = NULL;
    const char *name = NULL, *said = NULL;
    size_t said_len = 0;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, ctorch_value_to_string(&name, NULL, key));
    THEN(error, ctorch_value_to_string(&said, &said_len, value));
    if (error == NULL && strcmp(name, "total_size") == 0) {
      total.len = 0;
      json_quote(&total, said, said_len, true);
    } else if (error == NULL) {
      text_add(&rest, ",\n    ");
      json_quote(&rest, name, strlen(name), true);
      text_add(&rest, ": ");
      json_quote(&rest, said, said_len, true);
    }
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  text_add(text, "  \"metadata\": {\n    \"total_size\": ");
  text_bytes(text, text_data(&total), total.len);
  text_bytes(text, text_data(&rest), rest.len);
  text_add(text, "\n  },\n");
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return ctorch_error_first(error, ctorch_error_first(text_end(&total), text_end(&rest)));
}

static ctorch_error *add_index(struct text *text, const struct saving *self) {
  text_add(text, "{\n");
  CTORCH_TRY(add_metadata(text, self));
  text_add(text, "  \"weight_map\": {");
  for (size_t i = 0; i < self->split.len; i++) {
    const char *name = self->tensors.data[self->split.order[i]].name;
    struct text file = {.function = self->function};
    add_name(&file, self, self->version, self->split.shard[i]);
    text_add(text, "%s\n    ", i == 0 ? "" : ",");
    json_quote(text, name, strlen(name), true);
    text_add(text, ": ");
    json_quote(text, text_data(&file), file.len, true);
    CTORCH_TRY(text_end(&file));
  }
  text_add(text, "\n  }\n}");
  return NULL;
}

static ctorch_error *write_index(const struct saving *self) {
  struct text text = {.function = self->function}, name = {.function = self->function};
  ctorch_writer *writer = NULL;
  ctorch_error *error = add_index(&text, self);
  add_index_name(&name, self);
  char *path = name.error == NULL ? path_of(self, name.data) : NULL;
  error = ctorch_error_first(error, text_end(&name));
  if (error == NULL && text.error == NULL) {
    error = path == NULL ? out_of_memory(self) : ctorch_writer_open(&writer, path);
    THEN(error, writer_write(self->function, writer, text.data, text.len));
    THEN(error, ctorch_writer_finish(writer));
  }
  ctorch_writer_release(writer);
  free(path);
  return ctorch_error_first(error, text_end(&text));
}

/* What one file replaces: without the index, it is what there is. */
static ctorch_error *remove_index(const struct saving *self) {
  struct text name = {.function = self->function};
  add_index_name(&name, self);
  char *path = name.error == NULL ? path_of(self, name.data) : NULL;
  CTORCH_TRY(text_end(&name));
  if (path == NULL) {
    return out_of_memory(self);
  }
  ctorch_error *error = NULL;
  if (unlink(path) == 0) {
    error = system_sync_folder(self->function, self->folder);
  } else if (errno != ENOENT) {
    error = system_error(self->function, "remove", path);
  }
  free(path);
  return error;
}

/* Whether the new files have this name. */
static bool is_new(const struct saving *self, const char *name) {
  bool found = false;
  for (size_t shard = 0; shard < self->split.shards && !found; shard++) {
    struct text own = {.function = self->function};
    add_name(&own, self, self->version, shard);
    found = strcmp(text_data(&own), name) == 0;
    ctorch_error *error = text_end(&own);
    found = found || error != NULL; /* then it had better stay */
    ctorch_error_release(error);
  }
  return found;
}

static bool is_single_name(const struct saving *self, const char *name) {
  size_t stem = strlen(self->stem);
  return strncmp(name, self->stem, stem) == 0 && strcmp(name + stem, self->extension) == 0;
}

/* Files that belong to no index any more. That one of them stays is no failure: all is written. */
static void remove_stale(const struct saving *self) {
  DIR *folder = opendir(self->folder);
  if (folder == NULL) {
    return;
  }
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    size_t version = 0;
    const char *name = entry->d_name;
    if ((is_shard_name(self, name, &version) || is_single_name(self, name)) && !is_new(self, name)) {
      char *path = path_of(self, name);
      if (path != NULL) {
        unlink(path);
      }
      free(path);
    }
  }
  closedir(folder);
}

static ctorch_error *write_all(struct saving *self) {
  CTORCH_TRY(choose_version(self));
  for (size_t shard = 0; shard < self->split.shards; shard++) {
    CTORCH_TRY(write_shard(self, shard));
  }
  CTORCH_TRY(self->split.shards > 1 ? write_index(self) : remove_index(self));
  remove_stale(self);
  return NULL;
}

static ctorch_error *prepare(
    struct saving *self, const ctorch_value *tensors, const ctorch_value *metadata, const char *path, uint64_t most) {
  CTORCH_TRY(named_check_texts(self->function, "metadata", metadata));
  CTORCH_TRY(named_read(self->function, &self->tensors, "tensors", tensors));
  for (size_t i = 0; i < self->tensors.len; i++) {
    CTORCH_TRY(named_check_strided(self->function, "tensors", &self->tensors.data[i]));
  }
  CTORCH_TRY(read_path(self, path));
  CTORCH_TRY(
      metadata == NULL ? ctorch_value_from_dict(&self->metadata, NULL, 0, NULL, 0)
                       : ctorch_value_copy(&self->metadata, metadata));
  if (self->is_safetensors) {
    CTORCH_TRY(shared_drop(self->function, &self->tensors, self->metadata));
  }
  CTORCH_TRY(split_tensors(self->function, &self->split, &self->tensors, most));
  if (self->split.shards == 0) {
    self->split.shards = 1; /* an empty file */
  }
  return read_old(self);
}

ctorch_error *ctorch_sharded_write(
    const ctorch_value *tensors,
    const ctorch_value *metadata,
    const char *path,
    const char *format,
    size_t max_shard_nbytes) {
  CTORCH_TRY(error_refusal(__func__));
  if (tensors == NULL || path == NULL) {
    return error_null(__func__, tensors == NULL ? "tensors" : "path");
  }
  CTORCH_TRY(error_unless_text(__func__, "path", path));
  bool is_safetensors = format == NULL || strcmp(format, "safetensors") == 0;
  if (!is_safetensors) {
    CTORCH_TRY(error_unless_text(__func__, "format", format));
    if (strcmp(format, "pt") != 0) {
      return error_argument(__func__, "format", "expected \"safetensors\" or \"pt\", got \"%.64s\"", format);
    }
  }
  struct saving saving = {
      .function = __func__, .is_safetensors = is_safetensors, .extension = is_safetensors ? ".safetensors" : ".bin"};
  ctorch_error *error =
      prepare(&saving, tensors, metadata, path, max_shard_nbytes == 0 ? DEFAULT_SHARD_NBYTES : max_shard_nbytes);
  THEN(error, write_all(&saving));
  saving_end(&saving);
  return error_of(__func__, error);
}
