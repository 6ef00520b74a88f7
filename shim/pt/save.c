/* Writing files of torch.save: <ctorch/pt/serialization.h>.
 *
 * A zip file in one folder: "data.pkl", the value, then what tells how the rest is written, then the bytes of each
 * storage as "data/<number>", from where they are. The folder is named after the file, or "archive". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/archive_writer.h"
#include "core/c/error.h"
#include "io/writer.h"
#include "pt/save.h"

enum { FLAGS = CTORCH_SAVE_NO_CRC32 | CTORCH_SAVE_SKIP_DATA | CTORCH_SAVE_ANY, NAME = 256 };

struct target {
  const char *function;
  ctorch_writer *writer;
};

static ctorch_error *write(const void *data, size_t nbytes, void *payload) {
  const struct target *target = payload;
  return writer_write(target->function, target->writer, data, nbytes);
}

/* The name of a file without folders and without what follows the last dot; NULL if there is no such, or one that
 * LibTorch's writer does not take. */
static const char *folder_name(char name[NAME], const char *path) {
  if (path == NULL) {
    return NULL;
  }
  const char *start = path;
  for (const char *at = path; *at != '\0'; at++) {
    if (((unsigned char)*at & 0x80) != 0) {
      return NULL;
    }
    start = *at == '/' || *at == '\\' ? at + 1 : start;
  }
  const char *dot = strrchr(start, '.');
  size_t len = dot != NULL ? (size_t)(dot - start) : strlen(start);
  if (len == 0 || len >= NAME) {
    return NULL;
  }
  memcpy(name, start, len);
  name[len] = '\0';
  return name;
}

/* The storages in the order of their numbers; NULL is out of memory. */
static const struct saved_storage **in_order(const struct pt_save *self) {
  const struct saved_storage **storages = calloc(self->numbers + 1, sizeof *storages);
  for (size_t i = 0; storages != NULL && i < self->storages_len; i++) {
    if (self->storages[i].number != SIZE_MAX) {
      storages[self->storages[i].number] = &self->storages[i];
    }
  }
  return storages;
}

static ctorch_error *write_storages(const struct pt_save *self, archive_writer *archive) {
  const char *function = self->pickle.function;
  const struct saved_storage **storages = in_order(self);
  ctorch_error *error = storages == NULL ? error_memory(function, self->numbers * sizeof *storages) : NULL;
  for (size_t i = 0; error == NULL && i < self->numbers; i++) {
    char name[32];
    snprintf(name, sizeof name, "data/%zu", i);
    if ((self->flags & CTORCH_SAVE_SKIP_DATA) != 0) {
      error = archive_writer_hole(function, archive, name, ctorch_storage_nbytes(storages[i]->storage));
    } else {
      error = archive_writer_storage(function, archive, name, storages[i]->storage);
    }
  }
  free(storages);
  return error;
}

static bool is_big_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 0;
}

static ctorch_error *write_archive(const struct pt_save *self, archive_writer *archive) {
  const char *function = self->pickle.function;
  const char *order = is_big_endian() ? "big" : "little";
  CTORCH_TRY(archive_writer_record(function, archive, "data.pkl", self->pickle.data, self->pickle.len));
  CTORCH_TRY(archive_writer_record(function, archive, ".format_version", "1", 1));
  CTORCH_TRY(archive_writer_record(function, archive, ".storage_alignment", "64", 2));
  CTORCH_TRY(archive_writer_record(function, archive, "byteorder", order, strlen(order)));
  CTORCH_TRY(write_storages(self, archive));
  return archive_writer_end(function, archive);
}

static ctorch_error *save(
    const char *function, ctorch_writer *writer, const ctorch_value *value, ctorch_save_flags flags) {
  struct pt_save self = {.flags = flags};
  do {
    CTORCH_TRY(pickle_free(&self.pickle));
    self.pickle.function = function;
    pt_save_begin_again(&self);
    pt_save_value(&self, value);
  } while (self.has_mixed && self.pickle.error == NULL);
  archive_writer *archive = NULL;
  char name[NAME];
  ctorch_error *error = self.pickle.error;
  self.pickle.error = NULL;
  if (error == NULL) {
    struct target target = {function, writer};
    bool crc32 = (flags & CTORCH_SAVE_NO_CRC32) == 0;
    error = archive_writer_new(function, &archive, folder_name(name, writer_path(writer)), crc32, write, &target);
    THEN(error, write_archive(&self, archive));
    archive_writer_free(archive);
  }
  pt_save_forget_storages(&self);
  ctorch_error_release(pickle_free(&self.pickle));
  return error;
}

ctorch_error *ctorch_serialization_save(ctorch_writer *writer, const ctorch_value *value, ctorch_save_flags flags) {
  CTORCH_TRY(error_refusal(__func__));
  if (writer == NULL) {
    return error_null(__func__, "writer");
  }
  if (value == NULL) {
    return error_null(__func__, "value");
  }
  if ((flags & ~FLAGS) != 0) {
    return error_argument(__func__, "flags", "%" PRId32 " has bits that are not known", flags);
  }
  return save(__func__, writer, value, flags);
}

ctorch_error *ctorch_serialization_save_file(const ctorch_value *value, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (value == NULL) {
    return error_null(__func__, "value");
  }
  ctorch_writer *writer = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = save(__func__, writer, value, 0);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}
