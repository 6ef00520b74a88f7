/* Loading files of torch.save: the zip files of 1.6 and later, and what is exported. */
#include "pt/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "io/reader.h"
#include "pickle/globals.h"
#include "pickle/values.h"
#include "pt/tensors.h"

enum { HEAD = 512, LAST_VERSION = 10 };

/* Zip files -------------------------------------------------------------------------------------------------------- */

/* ("storage", class, key, location, numel), which is in a record of its own. */
static ctorch_error *add_storage(struct pt_file *self, size_t *out, const ctorch_value *id, ctorch_dtype dtype) {
  struct pt_storage storage = {.dtype = dtype};
  ctorch_value *key = NULL;
  char *name = NULL, *location = NULL, *record = NULL;
  int64_t numel = 0;
  size_t record_len = 0;
  ctorch_error *error = pickle_text_arg(&self->pickle, &name, id, 2);
  THEN(error, pickle_arg(&self->pickle, &key, id, 2));
  THEN(error, pickle_text_arg(&self->pickle, &location, id, 3));
  THEN(error, pickle_int_arg(&self->pickle, &numel, id, 4));
  THEN(error, pt_storage_nbytes(self, &storage.nbytes, numel, dtype));
  if (error == NULL) {
    record_len = strlen(self->folder) + strlen(name) + 1;
    record = malloc(record_len);
    error = record == NULL ? error_memory(self->pickle.function, record_len) : NULL;
  }
  if (error == NULL) {
    snprintf(record, record_len, "%s%s", self->folder, name);
    storage.record = pt_zip_find(&self->zip, record);
    if (storage.record == NULL || storage.record->nbytes != storage.nbytes) {
      error = pickle_error(
          &self->pickle, "a storage of %" PRIu64 " bytes, whose record '%.100s' %s", storage.nbytes, record,
          storage.record == NULL ? "is missing" : "has another number of them");
    } else if (!storage.record->is_compressed) {
      storage.is_placed = true;
      error = pt_zip_place(self->pickle.function, &self->zip, &storage.offset, storage.record);
    }
  }
  /* As in Python, empty ones are never the same; of an outline, none is looked for again. */
  const bool is_alone = storage.nbytes == 0 || self->outline != NULL;
  THEN(error, pt_storage_add(self, out, is_alone ? NULL : key, &storage));
  THEN(error, pt_storage_set_place(self, *out, location));
  ctorch_value_release(key);
  free(record);
  free(name);
  free(location);
  return error;
}

static ctorch_error *zip_persistent(struct unpickler *pickle, ctorch_value **out, const ctorch_value *id) {
  struct pt_file *self = (struct pt_file *)pickle;
  struct pickle_global class = {.dtype = -1};
  ctorch_value *type = NULL, *key = NULL;
  size_t index = 0;
  bool is_there = false;
  char *what = NULL;
  if (ctorch_value_kind_of(id) != CTORCH_VALUE_TUPLE || ctorch_value_len(id) != 5) {
    return pickle_error(pickle, "a persistent id that is none of a storage");
  }
  CTORCH_TRY(pickle_text_arg(pickle, &what, id, 0));
  ctorch_error *error = strcmp(what, "storage") == 0
                            ? pickle_arg(pickle, &type, id, 1)
                            : pickle_error(pickle, "a persistent id of a '%.40s', which is no storage", what);
  free(what);
  if (error == NULL && (!pickle_is_class(type) || !pickle_global_of(&self->pickle, &class, type) || class.dtype < 0 ||
                        class.call != NULL)) {
    error = pickle_error(pickle, "a storage of an unknown class");
  }
  THEN(error, pickle_arg(pickle, &key, id, 2));
  THEN(error, pt_storage_find(self, &index, &is_there, key));
  if (error == NULL && !is_there) {
    error = add_storage(self, &index, id, class.dtype);
  }
  THEN(error, pt_storage_value(self, out, index));
  ctorch_value_release(key);
  ctorch_value_release(type);
  return error;
}

/* A small record as a text; NULL if there is none. free() it. */
static ctorch_error *read_text(struct pt_file *self, char **out, const char *name) {
  const struct pt_record *record = pt_zip_find(&self->zip, name);
  *out = NULL;
  if (record == NULL) {
    return NULL;
  }
  if (record->nbytes > 64) {
    return reader_error(self->pickle.function, self->pickle.reader, "record '%s' is too long", name);
  }
  char *text = calloc(1, (size_t)record->nbytes + 1);
  if (text == NULL) {
    return error_memory(self->pickle.function, record->nbytes + 1);
  }
  ctorch_error *error = pt_zip_read(self->pickle.function, &self->zip, text, record);
  if (error != NULL) {
    free(text);
    return error;
  }
  *out = text;
  return NULL;
}

/* What the small records say of the others. */
static ctorch_error *read_about(struct pt_file *self) {
  const char *function = self->pickle.function;
  const ctorch_reader *reader = self->pickle.reader;
  char *version = NULL, *order = NULL;
  if (pt_zip_find(&self->zip, "constants.pkl") != NULL) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED,
        "%.500s: a TorchScript archive (torch.jit.save), which is a program and no value", reader_name(reader));
  }
  CTORCH_TRY(read_text(self, &version, pt_zip_find(&self->zip, ".data/version") != NULL ? ".data/version" : "version"));
  const long number = version == NULL ? 0 : strtol(version, NULL, 10);
  free(version);
  if (number < 1) {
    return reader_error(function, reader, "a zip file, but none of torch.save: it has no version");
  }
  if (number > LAST_VERSION) {
    return reader_error(function, reader, "of version %ld, and %d is the last known", number, (int)LAST_VERSION);
  }
  CTORCH_TRY(read_text(self, &order, "byteorder"));
  const bool is_known = order == NULL || strcmp(order, "little") == 0 || strcmp(order, "big") == 0;
  self->is_big_endian = order != NULL && strcmp(order, "big") == 0;
  free(order);
  return is_known ? NULL : reader_error(function, reader, "numbers in an order that is neither big nor little");
}

ctorch_error *pt_load_pickle(
    struct pt_file *self, ctorch_value **out, const struct pt_record *record, const char *folder) {
  const char *function = self->pickle.function;
  struct pickle_source source = {.len = 0};
  unsigned char *unpacked = NULL;
  uint64_t offset = 0;
  ctorch_error *error = NULL;
  if (record->is_compressed) {
    unpacked = malloc(record->nbytes == 0 ? 1 : (size_t)record->nbytes);
    error =
        unpacked == NULL ? error_memory(function, record->nbytes) : pt_zip_read(function, &self->zip, unpacked, record);
    pickle_source_from_memory(&source, unpacked, (size_t)record->nbytes);
  } else {
    CTORCH_TRY(pt_zip_place(function, &self->zip, &offset, record));
    pickle_source_open(&source, self->pickle.reader, offset, record->nbytes);
  }
  self->pickle.persistent = zip_persistent;
  self->pickle.place = record->name;
  self->folder = folder;
  THEN(error, pt_load_root(self, &source, out));
  pickle_source_close(&source);
  free(unpacked);
  return error;
}

static ctorch_error *zip_load(struct pt_file *self, ctorch_value **out) {
  const char *function = self->pickle.function;
  const ctorch_reader *reader = self->pickle.reader;
  CTORCH_TRY(pt_zip_open(function, &self->zip, reader));
  pt_zip_keep(&self->zip);
  CTORCH_TRY(read_about(self));
  const struct pt_record *record = pt_zip_find(&self->zip, "data.pkl");
  if (record == NULL) {
    return reader_error(function, reader, "a zip file, but none of torch.save: it has no data.pkl");
  }
  ctorch_error *error = pt_load_pickle(self, out, record, "data/");
  pt_zip_let_go(&self->zip);
  return error;
}

void pt_file_end(struct pt_file *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_storage_release(self->storages[i].memory);
  }
  free(self->storages);
  free(self->by_address);
  value_unref(self->by_key);
  value_unref(self->objects);
  pt_zip_end(&self->zip);
  unpickler_end(&self->pickle);
}

/* All formats ------------------------------------------------------------------------------------------------------ */

ctorch_error *pt_load(struct pt_file *self, ctorch_value **out) {
  unsigned char head[HEAD];
  const size_t nbytes = ctorch_reader_nbytes(self->pickle.reader), len = nbytes < HEAD ? nbytes : HEAD;
  unpickler_begin(&self->pickle);
  self->pickle.find = pt_global_find;
  self->pickle.build = pt_build;
  CTORCH_TRY(reader_read(self->pickle.function, self->pickle.reader, 0, head, len));
  if (pt_zip_detect(head, len)) {
    return zip_load(self, out);
  }
  if (pt_legacy_detect(head, len)) {
    return pt_legacy_load(self, out);
  }
  if (pt_tar_detect(head, len)) {
    return pt_tar_load(self, out);
  }
  return reader_error(
      self->pickle.function, self->pickle.reader,
      len == 0 ? "empty" : "no file of torch.save: it begins neither as a zip file nor as those before 1.6");
}

/* `file` has the callbacks. */
static ctorch_error *load(const char *function, ctorch_value **out, const ctorch_reader *reader, struct pt_file *file) {
  ctorch_value *value = NULL;
  file->pickle.function = function;
  file->pickle.reader = reader;
  ctorch_error *error = pt_load(file, &value);
  pt_file_end(file);
  if (error == NULL) {
    ctorch_value_retain(value); /* the caller's, or its scope's */
    value_unref(value);
    *out = value;
  }
  return error;
}

static ctorch_error *check(const char *function, ctorch_value **out, const ctorch_reader *reader) {
  CTORCH_TRY(error_refusal(function));
  return out == NULL ? error_null(function, "out") : reader == NULL ? error_null(function, "reader") : NULL;
}

ctorch_error *ctorch_serialization_load(
    ctorch_value **out, const ctorch_reader *reader, const ctorch_device *map_location) {
  CTORCH_TRY(check(__func__, out, reader));
  CTORCH_TRY(map_location == NULL ? NULL : error_unless_device(__func__, "map_location", map_location));
  struct pt_file file = {.device = map_location};
  return load(__func__, out, reader, &file);
}

ctorch_error *ctorch_serialization_load_with(
    ctorch_value **out,
    const ctorch_reader *reader,
    ctorch_serialization_map_location_callback map_location,
    ctorch_serialization_allow_callback allow,
    void *payload) {
  CTORCH_TRY(check(__func__, out, reader));
  struct pt_file file = {.map_location = map_location, .pickle = {.allow = allow, .payload = payload}};
  return load(__func__, out, reader, &file);
}

ctorch_error *ctorch_serialization_load_file(
    ctorch_value **out, const char *path, bool mmap, const ctorch_device *map_location) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_reader *reader = NULL;
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  CTORCH_TRY(map_location == NULL ? NULL : error_unless_device(__func__, "map_location", map_location));
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, mmap)));
  struct pt_file file = {.device = map_location};
  ctorch_error *error = load(__func__, out, reader, &file);
  ctorch_reader_release(reader);
  return error_of(__func__, error);
}
