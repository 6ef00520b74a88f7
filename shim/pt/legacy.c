/* Files of torch.save before 1.6, and with `_use_new_zipfile_serialization=False`: five pickles one after the other, a
 * number, a version, what the machine was, the value, the keys of the storages; then the storages in their order, each
 * behind the number of its elements.
 *
 * So the storages' places are known only at the end, and the value is read twice: first as descriptions, then with
 * tensors, which share the reader's memory or are read into their own at once. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "io/reader.h"
#include "pickle/globals.h"
#include "pickle/values.h"
#include "pt/load.h"

enum { PROTOCOL_VERSION = 1001 };

/* The pickle of the number 0x1950a86a20f9469cfc6c begins so, by its protocol. */
bool pt_legacy_detect(const unsigned char *head, size_t len) {
  static const char binary[] = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
                    text[] = "L119547037146038801333356L\n";
  const size_t binary_len = sizeof binary - 1, text_len = sizeof text - 1;
  if (len > 2 && head[0] == 0x80) {
    const size_t frame = head[1] >= 4 && len > 11 && head[2] == 0x95 ? 9 : 0;
    return len >= 2 + frame + binary_len && memcmp(head + 2 + frame, binary, binary_len) == 0;
  }
  return len >= text_len && memcmp(head, text, text_len) == 0;
}

/* Storages --------------------------------------------------------------------------------------------------------- */

/* ("storage", class, key, location, numel, view) */
struct id {
  ctorch_value *key, *view;
  char *location;
  ctorch_dtype dtype;
  uint64_t nbytes;
};

static void end_id(struct id *self) {
  ctorch_value_release(self->key);
  ctorch_value_release(self->view);
  free(self->location);
}

static ctorch_error *read_id(struct pt_file *self, struct id *out, const ctorch_value *id) {
  struct pickle_global class = {.dtype = -1};
  ctorch_value *type = NULL;
  int64_t numel = 0;
  *out = (struct id){0};
  CTORCH_TRY(pickle_arg(&self->pickle, &type, id, 1));
  if (!pickle_is_class(type) || !pickle_global_of(&self->pickle, &class, type) || class.dtype < 0 ||
      class.call != NULL) {
    class.dtype = -1;
  }
  ctorch_value_release(type);
  if (class.dtype < 0) {
    return pickle_error(&self->pickle, "a storage of an unknown class");
  }
  out->dtype = class.dtype;
  ctorch_error *error = pickle_arg(&self->pickle, &out->key, id, 2);
  THEN(error, pickle_text_arg(&self->pickle, &out->location, id, 3));
  THEN(error, pickle_int_arg(&self->pickle, &numel, id, 4));
  THEN(error, pt_storage_nbytes(self, &out->nbytes, numel, class.dtype));
  THEN(error, pickle_arg(&self->pickle, &out->view, id, 5));
  if (error != NULL) {
    end_id(out);
  }
  return error;
}

/* (key, offset, numel) of a storage that is a part of another. */
static ctorch_error *find_view(struct pt_file *self, size_t *out, const struct id *id, size_t root) {
  struct pt_storage view = {.dtype = id->dtype, .root = root + 1};
  ctorch_value *key = NULL;
  int64_t offset = 0, numel = 0;
  bool is_there = false;
  if (ctorch_value_kind_of(id->view) != CTORCH_VALUE_TUPLE) {
    return pickle_error(&self->pickle, "a part of a storage that is not described");
  }
  CTORCH_TRY(pickle_arg(&self->pickle, &key, id->view, 0));
  ctorch_error *error = pickle_int_arg(&self->pickle, &offset, id->view, 1);
  THEN(error, pickle_int_arg(&self->pickle, &numel, id->view, 2));
  THEN(error, pt_storage_nbytes(self, &view.offset, offset, id->dtype));
  THEN(error, pt_storage_nbytes(self, &view.nbytes, numel, id->dtype));
  const uint64_t whole = self->storages[root].nbytes;
  if (error == NULL && (view.offset > whole || view.nbytes > whole - view.offset || self->storages[root].root != 0)) {
    error = pickle_error(&self->pickle, "a part of a storage that does not lie in it");
  }
  THEN(error, pt_storage_find(self, out, &is_there, key));
  error = error != NULL || is_there ? error : pt_storage_add(self, out, key, &view);
  ctorch_value_release(key);
  return error;
}

static ctorch_error *find_storage(struct pt_file *self, size_t *out, const struct id *id) {
  bool is_there = false;
  const struct pt_storage storage = {.dtype = id->dtype, .nbytes = id->nbytes};
  CTORCH_TRY(pt_storage_find(self, out, &is_there, id->key));
  const bool is_other = is_there && id->nbytes == 0 && self->storages[*out].dtype != id->dtype;
  if (!is_there || is_other) {
    CTORCH_TRY(pt_storage_add(self, out, is_other ? NULL : id->key, &storage));
  }
  CTORCH_TRY(pt_storage_set_place(self, *out, id->location));
  if (ctorch_value_kind_of(id->view) == CTORCH_VALUE_NONE) {
    return NULL;
  }
  const size_t root = *out;
  CTORCH_TRY(find_view(self, out, id, root));
  self->storages[*out].device = self->storages[root].device;
  return NULL;
}

static ctorch_error *legacy_persistent(struct unpickler *pickle, ctorch_value **out, const ctorch_value *value) {
  struct pt_file *self = (struct pt_file *)pickle;
  struct id id = {.key = NULL};
  char *what = NULL;
  size_t index = 0;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TUPLE) {
    return pickle_error(pickle, "a persistent id that is none of a storage");
  }
  CTORCH_TRY(pickle_text_arg(pickle, &what, value, 0));
  const bool is_module = strcmp(what, "module") == 0, is_storage = strcmp(what, "storage") == 0;
  ctorch_error *error =
      is_module || is_storage ? NULL : pickle_error(pickle, "a persistent id of a '%.40s', which is no storage", what);
  free(what);
  CTORCH_TRY(error);
  if (is_module) {
    return pickle_arg(pickle, out, value, 1); /* a class, beside its source */
  }
  CTORCH_TRY(read_id(self, &id, value));
  error = find_storage(self, &index, &id);
  end_id(&id);
  return error != NULL ? error : pt_storage_value(self, out, index);
}

/* The places of the storages whose keys are in a list, from `offset` on. */
static ctorch_error *place_storages(struct pt_file *self, const ctorch_value *keys, uint64_t offset) {
  const char *function = self->pickle.function;
  if (ctorch_value_kind_of(keys) != CTORCH_VALUE_LIST) {
    return pickle_error(&self->pickle, "the keys of the storages are no list");
  }
  for (size_t i = 0; i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL;
    size_t index = 0;
    bool is_there = false;
    unsigned char bytes[8];
    uint64_t numel = 0;
    CTORCH_TRY(pickle_arg(&self->pickle, &key, keys, i));
    ctorch_error *error = pt_storage_find(self, &index, &is_there, key);
    ctorch_value_release(key);
    CTORCH_TRY(error);
    CTORCH_TRY(reader_read(function, self->pickle.reader, offset, bytes, sizeof bytes));
    for (size_t k = 8; k-- > 0;) {
      numel = numel << 8 | bytes[k];
    }
    struct pt_storage *storage = is_there ? &self->storages[index] : NULL;
    if (storage == NULL || storage->root != 0 || numel != storage->nbytes / ctorch_dtype_itemsize(storage->dtype)) {
      return reader_error(
          function, self->pickle.reader, "storage %zu is not what the value says: it has %" PRIu64 " elements", i,
          numel);
    }
    offset += sizeof bytes;
    if (storage->nbytes > ctorch_reader_nbytes(self->pickle.reader) - offset) {
      return reader_error(function, self->pickle.reader, "ends early, in storage %zu", i);
    }
    storage->offset = offset;
    storage->is_placed = true;
    offset += storage->nbytes;
  }
  return NULL;
}

/* Pickles ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *next(struct pt_file *self, struct pickle_source *source, const char *place, ctorch_value **out) {
  self->pickle.place = place;
  return pt_load_part(self, source, out);
}

static ctorch_error *read_value(struct pt_file *self, struct pickle_source *source, ctorch_value **out) {
  self->pickle.place = "the value";
  return pt_load_root(self, source, out);
}

/* The number, the version and the machine. */
static ctorch_error *read_preamble(struct pt_file *self, struct pickle_source *source) {
  ctorch_value *value = NULL;
  int64_t version = 0;
  CTORCH_TRY(next(self, source, "its number", &value)); /* pt_legacy_detect has seen it */
  value_dismantle(value);
  value = NULL;
  CTORCH_TRY(next(self, source, "its version", &value));
  ctorch_error *error = ctorch_value_kind_of(value) == CTORCH_VALUE_INT ? ctorch_value_to_int(&version, value) : NULL;
  value_dismantle(value);
  value = NULL;
  ctorch_error_release(error);
  if (version != PROTOCOL_VERSION) {
    return reader_error(
        self->pickle.function, self->pickle.reader, "of another version than %d", (int)PROTOCOL_VERSION);
  }
  CTORCH_TRY(next(self, source, "its machine", &value));
  value_dismantle(value);
  return NULL;
}

static ctorch_error *read_described(struct pt_file *self, ctorch_value **out, uint64_t *begin) {
  const ctorch_reader *reader = self->pickle.reader;
  struct pickle_source source = {.len = 0};
  ctorch_value *keys = NULL, *value = NULL;
  pickle_source_open(&source, reader, 0, ctorch_reader_nbytes(reader));
  ctorch_error *error = read_preamble(self, &source);
  *begin = pickle_source_taken(&source);
  self->pickle.persistent = legacy_persistent;
  THEN(error, read_value(self, &source, &value));
  self->pickle.persistent = NULL;
  THEN(error, next(self, &source, "the keys of the storages", &keys));
  THEN(error, place_storages(self, keys, pickle_source_taken(&source)));
  pickle_source_close(&source);
  value_dismantle(keys);
  if (error != NULL) {
    value_dismantle(value);
    return error;
  }
  *out = value;
  return NULL;
}

ctorch_error *pt_legacy_load(struct pt_file *self, ctorch_value **out) {
  const ctorch_reader *reader = self->pickle.reader;
  const bool is_described = self->pickle.is_described;
  struct pickle_source source = {.len = 0};
  ctorch_value *value = NULL;
  uint64_t begin = 0;
  const uint64_t budget = self->pickle.budget;
  self->pickle.is_described = true;
  ctorch_error *error = read_described(self, &value, &begin);
  self->pickle.is_described = is_described;
  if (error != NULL || is_described) {
    *out = value;
    return error;
  }
  value_dismantle(value);
  self->pickle.budget = budget; /* what the first reading made is gone */
  self->pickle.visits = 0;
  pickle_source_open(&source, reader, begin, ctorch_reader_nbytes(reader) - begin);
  self->pickle.persistent = legacy_persistent;
  error = read_value(self, &source, out);
  pickle_source_close(&source);
  return error;
}
