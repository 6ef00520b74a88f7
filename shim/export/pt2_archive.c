/* The archives of torch.export and AOTInductor: `torch/export/pt2_archive` tells what is in them. */
#include "export/pt2_archive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if CTORCH_HAS_ZLIB
#include <zlib.h>
#endif

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "ctorch.h"
#include "io/reader.h"

enum { LOCAL_NBYTES = 30, LONGEST_NAME = 1024 };

/* Detecting -------------------------------------------------------------------------------------------------------- */

static bool begins_with(const char *name, size_t len, const char *beginning) {
  const size_t beginning_len = strlen(beginning);
  return len >= beginning_len && memcmp(name, beginning, beginning_len) == 0;
}

/* A record's name, without the archive's folder, that no file of torch.save or NumPy begins with. */
static bool is_of_pt2(const char *name, size_t len) {
  static const char *const BEGINNINGS[] = {
      "data/aotinductor/", "data/weights/", "data/constants/", "data/sample_inputs/",
      "data/executorch/",  "models/",       "archive_format",  "serialized_exported_program.json",
  };
  for (size_t i = 0; i < sizeof BEGINNINGS / sizeof *BEGINNINGS; i++) {
    if (begins_with(name, len, BEGINNINGS[i])) {
      return true;
    }
  }
  return false;
}

bool pt2_archive_detect(const unsigned char *head, size_t len) {
  if (!pt_zip_detect(head, len) || len < LOCAL_NBYTES) {
    return false;
  }
  const size_t name_len = (size_t)head[26] | (size_t)head[27] << 8;
  const char *name = (const char *)head + LOCAL_NBYTES;
  if (name_len > len - LOCAL_NBYTES) {
    return false;
  }
  const char *slash = memchr(name, '/', name_len);
  return is_of_pt2(name, name_len) || (slash != NULL && is_of_pt2(slash + 1, name_len - (size_t)(slash + 1 - name)));
}

/* Opening ---------------------------------------------------------------------------------------------------------- */

/* Each part between slashes names something in the folder before it. */
static bool is_safe(const char *name) {
  for (const char *part = name;; part++) {
    const size_t len = strcspn(part, "/");
    if (len == 0 || (len <= 2 && strspn(part, ".") >= len) || memchr(part, '\\', len) != NULL) {
      return false;
    }
    part += len;
    if (*part == '\0') {
      return true;
    }
  }
}

static ctorch_error *check_names(const char *function, const struct pt2_archive *self) {
  for (size_t i = 0; i < self->zip.len; i++) {
    const char *name = self->zip.records[i].name;
    if (strlen(name) > LONGEST_NAME || !is_safe(name)) {
      return reader_error(
          function, self->reader, "record '%.200s' has a name that leads out of a folder it is unpacked into", name);
    }
    CTORCH_TRY(error_unless_text(function, "record", name));
  }
  return NULL;
}

/* The length of the folder that all records lie in, as LibTorch writes them; 0 if they lie in none. It may have the
 * name of a folder that is inside. */
static size_t folder_len(const struct pt_zip *zip) {
  const char *slash = zip->len == 0 ? NULL : strchr(zip->records[0].name, '/');
  if (slash == NULL) {
    return 0;
  }
  const size_t len = (size_t)(slash - zip->records[0].name) + 1;
  bool has_mark = false;
  for (size_t i = 0; i < zip->len; i++) {
    const char *name = zip->records[i].name;
    if (strncmp(name, zip->records[0].name, len) != 0) {
      return 0;
    }
    has_mark |= strcmp(name + len, "archive_format") == 0 || strcmp(name + len, "version") == 0 ||
                strcmp(name + len, ".data/version") == 0;
  }
  return has_mark || !is_of_pt2(zip->records[0].name, strlen(zip->records[0].name)) ? len : 0;
}

ctorch_error *pt2_archive_open(const char *function, struct pt2_archive *self, const ctorch_reader *reader) {
  *self = (struct pt2_archive){.reader = reader};
  CTORCH_TRY(pt_zip_open_whole(function, &self->zip, reader));
  self->zip.folder_len = folder_len(&self->zip);
  return check_names(function, self);
}

void pt2_archive_end(struct pt2_archive *self) { pt_zip_end(&self->zip); }

/* Records ---------------------------------------------------------------------------------------------------------- */

const char *pt2_archive_name(const struct pt2_archive *self, size_t index) {
  return index < self->zip.len ? self->zip.records[index].name + self->zip.folder_len : NULL;
}

const struct pt_record *pt2_archive_find(const struct pt2_archive *self, const char *format, ...) {
  char name[2 * LONGEST_NAME];
  const size_t folder = self->zip.folder_len;
  if (self->zip.len == 0) {
    return NULL;
  }
  memcpy(name, self->zip.records[0].name, folder);
  va_list arguments;
  va_start(arguments, format);
  const int len = vsnprintf(name + folder, sizeof name - folder, format, arguments);
  va_end(arguments);
  return len < 0 || (size_t)len >= sizeof name - folder ? NULL : pt_zip_find(&self->zip, name);
}

bool pt2_archive_has(const struct pt2_archive *self, const char *beginning) {
  for (size_t i = 0; i < self->zip.len; i++) {
    const char *name = pt2_archive_name(self, i);
    if (begins_with(name, strlen(name), beginning)) {
      return true;
    }
  }
  return false;
}

ctorch_error *pt2_archive_check(
    const char *function, const struct pt2_archive *self, const struct pt_record *record, const void *data) {
#if CTORCH_HAS_ZLIB
  if (record->crc32 != 0 && crc32_z(0, data, (z_size_t)record->nbytes) != record->crc32) {
    return reader_error(function, self->reader, "record '%s' is damaged: its checksum is another", record->name);
  }
#else
  (void)function, (void)self, (void)record, (void)data;
#endif
  return NULL;
}

ctorch_error *pt2_archive_read(
    const char *function, struct pt2_archive *self, char **out, const struct pt_record *record) {
  char *data = malloc((size_t)record->nbytes + 1);
  if (data == NULL) {
    return error_memory(function, record->nbytes + 1);
  }
  ctorch_error *error = pt_zip_read(function, &self->zip, data, record);
  THEN(error, pt2_archive_check(function, self, record, data));
  if (error != NULL) {
    free(data);
    return error;
  }
  data[record->nbytes] = '\0';
  *out = data;
  return NULL;
}

ctorch_error *pt2_archive_reader(
    const char *function, struct pt2_archive *self, ctorch_reader **out, const struct pt_record *record) {
  char *data = NULL;
  CTORCH_TRY(pt2_archive_read(function, self, &data, record));
  ctorch_reader *reader = NULL;
  ctorch_error *error = ctorch_reader_from_data(&reader, data, (size_t)record->nbytes, free, data);
  if (error != NULL) {
    return error_of(function, error);
  }
  object_take(reader);
  *out = reader;
  return NULL;
}

#if CTORCH_HAS_JANSSON
ctorch_error *pt2_archive_json(
    const char *function, struct pt2_archive *self, json_t **out, const struct pt_record *record) {
  ctorch_reader *reader = NULL;
  if (record->nbytes > JSON_MOST_NBYTES) {
    return reader_error(function, self->reader, "record '%s' is too large for JSON", record->name);
  }
  CTORCH_TRY(pt2_archive_reader(function, self, &reader, record));
  ctorch_error *error = json_read(function, out, reader, 0, record->nbytes);
  object_unref(reader);
  return error == NULL ? NULL : error_at(error, "%s", record->name);
}
#endif
