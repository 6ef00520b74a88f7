/* Reading weights in several files, as Hugging Face has them: an index, which says in which file of its folder each
 * tensor is.
 *
 *     {"metadata": {"total_size": 24}, "weight_map": {"weight": "model-00001-of-00002.safetensors", …}}
 *
 * A file is opened when something is asked of one of its tensors: by the thread that comes first, without a lock. */
#define _POSIX_C_SOURCE 200809L
#include "safetensors/sharded.h"

#include <ctorch.h>
#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/json.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "io/json_read.h"
#include "io/reader.h"
#include "io/weights_table.h"

bool sharded_ends_with(const char *text, const char *suffix) {
  size_t len = strlen(text), suffix_len = strlen(suffix);
  return len >= suffix_len && strcmp(text + len - suffix_len, suffix) == 0;
}

char *sharded_join(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL) {
    snprintf(path, size, "%s/%s", folder, name);
  }
  return path;
}

/* An index is known by the name of its file, or by its beginning. */
static bool detect(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  static const char key[] = "\"weight_map\"";
  const char *path = ctorch_reader_path(reader);
  size_t at = 0;
  while (at < len && json_is_space(head[at])) {
    at++;
  }
  if (at == len || head[at] != '{') {
    return false;
  }
  if (path != NULL && sharded_ends_with(path, SHARDED_INDEX_SUFFIX)) {
    return true;
  }
  for (size_t i = at; i + sizeof key - 1 <= len; i++) {
    if (memcmp(head + i, key, sizeof key - 1) == 0) {
      return true;
    }
  }
  return false;
}

#if CTORCH_HAS_JANSSON

struct shard {
  const char *name; /* of `index` */
  _Atomic(ctorch_weights *) weights;
};

struct sharded {
  json_t *index;
  char *folder;
  bool mmap; /* as the index itself was opened */
  ctorch_error *(*open_part)(const char *function, ctorch_weights **out, const char *path, bool mmap);
  struct shard *shards;
  size_t len;
};

static ctorch_error *read_index(const char *function, json_t **out, json_t **map, const ctorch_reader *reader) {
  json_t *index = NULL;
  CTORCH_TRY(json_read(function, &index, reader, 0, ctorch_reader_nbytes(reader)));
  *map = json_object_get(index, "weight_map");
  if (!json_is_object(*map)) {
    json_decref(index);
    return reader_error(function, reader, "expected an object with an object \"weight_map\"");
  }
  *out = index;
  return NULL;
}

/* The name of a file in the index's own folder. */
static bool is_plain(const json_t *name) {
  const char *text = json_string_value(name);
  return text != NULL && text[0] != '\0' && strlen(text) == json_string_length(name) && strchr(text, '/') == NULL &&
         strchr(text, '\\') == NULL && strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

/* A tensor and its file. */
struct listed {
  const char *tensor, *file;
  size_t number;
};

static int compare_files(const void *a, const void *b) {
  return strcmp(((const struct listed *)a)->file, ((const struct listed *)b)->file);
}

static int compare_numbers(const void *a, const void *b) {
  const struct listed *one = a, *other = b;
  return one->number < other->number ? -1 : one->number > other->number;
}

static ctorch_error *list(const char *function, struct listed *out, json_t *map, const ctorch_reader *reader) {
  size_t len = 0;
  for (void *at = json_object_iter(map); at != NULL; at = json_object_iter_next(map, at)) {
    const json_t *file = json_object_iter_value(at);
    if (!is_plain(file)) {
      return reader_error(
          function, reader, "\"%.256s\": expected the name of a file in the same folder, got \"%.256s\"",
          json_object_iter_key(at), json_is_string(file) ? json_string_value(file) : "no text");
    }
    out[len] = (struct listed){json_object_iter_key(at), json_string_value(file), len};
    len++;
  }
  return NULL;
}

/* The shards, in the order of their names; `listed` gets the number of its shard in place of its own. */
static ctorch_error *add_shards(const char *function, struct sharded *self, struct listed *listed, size_t len) {
  size_t *shard_of = calloc(len + 1, sizeof *shard_of);
  if (shard_of == NULL) {
    return error_memory(function, (len + 1) * sizeof *shard_of);
  }
  ctorch_error *error = NULL;
  if (len > 0) {
    qsort(listed, len, sizeof *listed, compare_files);
  }
  for (size_t i = 0; error == NULL && i < len; i++) {
    if (i == 0 || strcmp(listed[i - 1].file, listed[i].file) != 0) {
      error = array_grow(function, &self->shards, self->len, sizeof *self->shards);
      if (error == NULL) {
        self->shards[self->len].name = listed[i].file;
        atomic_init(&self->shards[self->len].weights, NULL);
        self->len++;
      }
    }
    shard_of[listed[i].number] = self->len - 1;
  }
  if (error == NULL && len > 0) {
    qsort(listed, len, sizeof *listed, compare_numbers);
  }
  for (size_t i = 0; error == NULL && i < len; i++) {
    listed[i].number = shard_of[i];
  }
  free(shard_of);
  return error;
}

static ctorch_error *add_entries(const char *function, ctorch_weights *self, json_t *map) {
  size_t len = json_object_size(map);
  struct listed *listed = calloc(len + 1, sizeof *listed);
  if (listed == NULL) {
    return error_memory(function, (len + 1) * sizeof *listed);
  }
  ctorch_error *error = list(function, listed, map, self->reader);
  THEN(error, add_shards(function, self->content, listed, len));
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = weights_add(function, self, listed[i].tensor, "", WEIGHTS_NO_DTYPE, NULL, 0, 0, 0, listed[i].number);
  }
  free(listed);
  return error;
}

static ctorch_error *open_index(const char *function, ctorch_weights *self) {
  const char *path = ctorch_reader_path(self->reader);
  json_t *map = NULL;
  if (path == NULL) {
    return reader_error(function, self->reader, "an index of shards, which has to be opened by its path");
  }
  struct sharded *sharded = calloc(1, sizeof *sharded);
  if (sharded == NULL) {
    return error_memory(function, sizeof *sharded);
  }
  self->content = sharded;
  sharded->mmap = reader_at(self->reader, 0, 1) != NULL;
  sharded->open_part = self->open_part;
  sharded->folder = system_folder(path);
  if (sharded->folder == NULL) {
    return error_memory(function, strlen(path) + 1);
  }
  CTORCH_TRY(read_index(function, &sharded->index, &map, self->reader));
  return add_entries(function, self, map);
}

static void close_contents(ctorch_weights *self) {
  struct sharded *sharded = self->content;
  if (sharded == NULL) {
    return;
  }
  for (size_t i = 0; i < sharded->len; i++) {
    object_unref(atomic_load(&sharded->shards[i].weights));
  }
  free(sharded->shards);
  free(sharded->folder);
  json_decref(sharded->index);
  free(sharded);
}

/* Open a shard, unless another thread has. */
static ctorch_error *open_shard(
    const char *function, const ctorch_weights **out, const struct sharded *sharded, struct shard *shard) {
  ctorch_weights *mine = NULL, *theirs = atomic_load(&shard->weights);
  if (theirs == NULL) {
    char *path = sharded_join(sharded->folder, shard->name);
    if (path == NULL) {
      return error_memory(function, strlen(sharded->folder) + strlen(shard->name) + 2);
    }
    ctorch_error *error = sharded->open_part(function, &mine, path, sharded->mmap);
    free(path);
    CTORCH_TRY(error);
    if (atomic_compare_exchange_strong(&shard->weights, &theirs, mine)) {
      theirs = mine;
    } else {
      object_unref(mine);
    }
  }
  *out = theirs;
  return NULL;
}

static ctorch_error *resolve(
    const char *function,
    const ctorch_weights **out,
    const struct weights_entry **out_entry,
    const ctorch_weights *self,
    const struct weights_entry *entry) {
  const struct sharded *sharded = self->content;
  struct shard *shard = &sharded->shards[entry->number];
  CTORCH_TRY(open_shard(function, out, sharded, shard));
  *out_entry = weights_entry_of(*out, entry->name);
  return *out_entry != NULL
             ? NULL
             : reader_error(
                   function, self->reader, "\"%.256s\" is not in %.256s, where it should be", entry->name, shard->name);
}

/* Never called: what is resolved is read where it is. */
static ctorch_error *tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  const ctorch_weights *weights = NULL;
  CTORCH_TRY(resolve(function, &weights, &entry, self, entry));
  return weights->format->tensor(function, out, weights, entry);
}

static ctorch_error *metadata(const char *function, ctorch_value **out, const ctorch_weights *self) {
  const struct sharded *sharded = self->content;
  const json_t *found = json_object_get(sharded->index, "metadata");
  return json_is_object(found) ? json_value(function, out, found, self->reader)
                               : ctorch_value_from_dict(out, NULL, 0, NULL, 0);
}

/* The names of the files, one after the other. */
static ctorch_error *join_names(const char *function, char **out, json_t *map) {
  struct text names = {.function = function};
  for (void *at = json_object_iter(map); at != NULL; at = json_object_iter_next(map, at)) {
    const json_t *file = json_object_iter_value(at);
    if (is_plain(file)) {
      text_bytes(&names, json_string_value(file), json_string_length(file) + 1);
    }
  }
  text_bytes(&names, "", 1);
  if (names.error != NULL) {
    return text_end(&names);
  }
  *out = names.data;
  return NULL;
}

ctorch_error *sharded_names_of(const char *function, char **out, const char *path) {
  ctorch_reader *reader = NULL;
  json_t *index = NULL, *map = NULL;
  *out = NULL;
  ctorch_error *error = ctorch_reader_open(&reader, path, false);
  THEN(error, read_index(function, &index, &map, reader));
  ctorch_reader_release(reader);
  if (error != NULL && ctorch_error_kind_of(error) != CTORCH_ERROR_OUT_OF_MEMORY) {
    ctorch_error_release(error); /* there is none, or one that nobody can read */
    return NULL;
  }
  THEN(error, join_names(function, out, map));
  json_decref(index);
  return error;
}

const weights_format weights_sharded = {
    .name = "sharded",
    .detect = detect,
    .open = open_index,
    .tensor = tensor,
    .metadata = metadata,
    .close = close_contents,
    .resolve = resolve,
};

#else

static ctorch_error *open_index(const char *function, ctorch_weights *self) {
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: shards cannot be read by this build, which has no jansson",
      reader_name(self->reader));
}

ctorch_error *sharded_names_of(const char *function, char **out, const char *path) {
  (void)out;
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "path: %.1000s: shards cannot be written by this build, which has no jansson",
      path);
}

const weights_format weights_sharded = {.name = "sharded", .detect = detect, .open = open_index};

#endif

/* Folders. */

/* What there is in a folder that could be opened for it: for each kind how many files, and the one that counts. */
struct candidates {
  char *index, *file;
  size_t indexes, files;
};

static bool is_preferred(const char *name, const char *than, const char *const *order) {
  for (size_t i = 0; order[i] != NULL; i++) {
    if (than != NULL && strcmp(than, order[i]) == 0) {
      return false;
    }
    if (strcmp(name, order[i]) == 0) {
      return true;
    }
  }
  return than == NULL;
}

static ctorch_error *consider(
    const char *function, char **best, size_t *count, const char *name, const char *const *order) {
  (*count)++;
  if (!is_preferred(name, *best, order)) {
    return NULL;
  }
  char *copy = strdup(name);
  if (copy == NULL) {
    return error_memory(function, strlen(name) + 1);
  }
  free(*best);
  *best = copy;
  return NULL;
}

static const char *const index_order[] = {"model.safetensors.index.json", "pytorch_model.bin.index.json", NULL};
static const char *const file_order[] = {"model.safetensors", "pytorch_model.bin", NULL};

static ctorch_error *look(const char *function, struct candidates *out, DIR *folder) {
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    const char *name = entry->d_name;
    if (sharded_ends_with(name, SHARDED_INDEX_SUFFIX)) {
      CTORCH_TRY(consider(function, &out->index, &out->indexes, name, index_order));
    } else if (sharded_ends_with(name, ".safetensors") || strcmp(name, "pytorch_model.bin") == 0) {
      CTORCH_TRY(consider(function, &out->file, &out->files, name, file_order));
    }
  }
  return NULL;
}

static bool is_known(const char *name, const char *const *order) {
  return strcmp(name, order[0]) == 0 || strcmp(name, order[1]) == 0;
}

static ctorch_error *choose(const char *function, char **out, const struct candidates *found, const char *path) {
  const char *name = found->index != NULL ? found->index : found->file;
  bool is_index = found->index != NULL;
  if (name == NULL ||
      ((is_index ? found->indexes : found->files) > 1 && !is_known(name, is_index ? index_order : file_order))) {
    return error_make(
        function, CTORCH_ERROR_FORMAT, "%.1000s: a folder with %s", path,
        name == NULL ? "neither an index of shards nor a file of weights"
                     : "several files of weights, of which none is called as Hugging Face calls it");
  }
  *out = sharded_join(path, name);
  return *out == NULL ? error_memory(function, strlen(path) + strlen(name) + 2) : NULL;
}

ctorch_error *weights_find_in_folder(const char *function, char **out, const char *path) {
  struct stat status;
  struct candidates found = {0};
  if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
    return NULL; /* what is not there is told by who opens it */
  }
  DIR *folder = opendir(path);
  if (folder == NULL) {
    return system_error(function, "open", path);
  }
  ctorch_error *error = look(function, &found, folder);
  closedir(folder);
  THEN(error, choose(function, out, &found, path));
  free(found.index);
  free(found.file);
  return error;
}
