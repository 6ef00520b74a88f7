/* The table of contents of a zip file: PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3, as far as torch.save uses it. */
#include "pt/zip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/archive_reader.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "io/reader.h"

enum {
  LOCAL_NBYTES = 30,   /* of a header in front of a record, without what varies */
  ENTRY_NBYTES = 46,   /* of an entry in the table, the same */
  END_NBYTES = 22,     /* of the record that ends the file, the same */
  LOCATOR_NBYTES = 20, /* that tells where the larger one is */
  END64_NBYTES = 56,
  LONGEST_COMMENT = 65535
};

static uint64_t number(const unsigned char *bytes, size_t len) {
  uint64_t value = 0;
  for (size_t i = len; i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

bool pt_zip_detect(const unsigned char *head, size_t len) { return len >= 4 && memcmp(head, "PK\3\4", 4) == 0; }

/* The last place of a signature in some bytes; NULL for none. */
static const unsigned char *find_last(const unsigned char *data, size_t len, const char *signature) {
  for (size_t i = len < 4 ? 0 : len - 3; i-- > 0;) {
    if (memcmp(data + i, signature, 4) == 0) {
      return data + i;
    }
  }
  return NULL;
}

struct table {
  uint64_t offset, nbytes, entries;
};

/* In a file from 4 GiB or 65536 entries on, the numbers stand in a record of their own. */
static ctorch_error *read_end64(
    const char *function, struct table *table, const ctorch_reader *reader, const unsigned char *locator) {
  unsigned char end[END64_NBYTES];
  const uint64_t at = number(locator + 8, 8);
  CTORCH_TRY(reader_read(function, reader, at, end, sizeof end));
  if (memcmp(end, "PK\6\6", 4) != 0) {
    return reader_error(function, reader, "the zip file's end is damaged");
  }
  table->entries = number(end + 32, 8);
  table->nbytes = number(end + 40, 8);
  table->offset = number(end + 48, 8);
  return NULL;
}

/* The end in the last `len` bytes; *out_is_there is false if it does not begin there. */
static ctorch_error *read_end_in(
    const char *function, struct table *table, bool *out_is_there, const ctorch_reader *reader, size_t len) {
  const uint64_t nbytes = ctorch_reader_nbytes(reader);
  unsigned char *tail = malloc(len == 0 ? 1 : len);
  if (tail == NULL) {
    return error_memory(function, len);
  }
  ctorch_error *error = reader_read(function, reader, nbytes - len, tail, len);
  const unsigned char *end = error == NULL ? find_last(tail, len, "PK\5\6") : NULL;
  *out_is_there = end != NULL && (size_t)(tail + len - end) >= END_NBYTES;
  if (*out_is_there) {
    const unsigned char *locator = end - tail < LOCATOR_NBYTES ? NULL : end - LOCATOR_NBYTES;
    table->entries = number(end + 10, 2);
    table->nbytes = number(end + 12, 4);
    table->offset = number(end + 16, 4);
    if (locator != NULL && memcmp(locator, "PK\6\7", 4) == 0) {
      error = read_end64(function, table, reader, locator);
    } else if (number(end + 4, 2) != 0 || number(end + 6, 2) != 0 || number(end + 8, 2) != table->entries) {
      error = reader_error(function, reader, "the zip file has several parts");
    }
  }
  free(tail);
  return error;
}

static ctorch_error *read_end(const char *function, struct table *table, const ctorch_reader *reader) {
  static const size_t tails[] = {LOCATOR_NBYTES + END_NBYTES, LOCATOR_NBYTES + END_NBYTES + LONGEST_COMMENT};
  const uint64_t nbytes = ctorch_reader_nbytes(reader);
  bool is_there = false;
  for (size_t i = 0; !is_there && i < sizeof tails / sizeof *tails; i++) {
    CTORCH_TRY(read_end_in(function, table, &is_there, reader, nbytes < tails[i] ? (size_t)nbytes : tails[i]));
  }
  if (!is_there) {
    return reader_error(function, reader, "no end of a zip file: it was cut off, or is none");
  }
  if (table->offset > nbytes || table->nbytes > nbytes - table->offset ||
      table->entries > table->nbytes / ENTRY_NBYTES) {
    return reader_error(function, reader, "the zip file's table of contents is not where it is said to be");
  }
  return NULL;
}

/* Numbers that do not fit 32 bits stand in an extra field, those alone and in this order. */
static bool read_large(struct pt_record *record, const unsigned char *extra, size_t len) {
  uint64_t *const fields[] = {&record->nbytes, &record->packed, &record->header};
  size_t at = 0, end = 0;
  bool is_needed = false;
  for (size_t i = 0; i < 3; i++) {
    is_needed |= *fields[i] == UINT32_MAX;
  }
  if (!is_needed) {
    return true;
  }
  for (; len - at >= 4; at = end) {
    end = at + 4 + (size_t)number(extra + at + 2, 2);
    if (end > len) {
      return false;
    }
    if (number(extra + at, 2) == 1) {
      break;
    }
  }
  if (len - at < 4) {
    return false;
  }
  at += 4;
  for (size_t i = 0; i < 3; i++) {
    if (*fields[i] == UINT32_MAX) {
      if (end - at < 8) {
        return false;
      }
      *fields[i] = number(extra + at, 8);
      at += 8;
    }
  }
  return true;
}

/* Add the entry at `entry`, whose first ENTRY_NBYTES bytes are there; *nbytes of them are left, and then behind it. */
static ctorch_error *add_entry(
    const char *function,
    struct pt_zip *self,
    const unsigned char **entry,
    size_t *nbytes,
    size_t *prefix,
    bool is_whole) {
  const unsigned char *e = *entry;
  const size_t name_len = (size_t)number(e + 28, 2), extra_len = (size_t)number(e + 30, 2);
  const size_t all = ENTRY_NBYTES + name_len + extra_len + (size_t)number(e + 32, 2);
  const char *name = (const char *)e + ENTRY_NBYTES;
  const uint64_t method = number(e + 10, 2);
  struct pt_record record = {.header = number(e + 42, 4), .packed = number(e + 20, 4), .nbytes = number(e + 24, 4)};
  record.is_compressed = method != 0;
  record.crc32 = (uint32_t)number(e + 16, 4);
  if (memcmp(e, "PK\1\2", 4) != 0 || all > *nbytes || memchr(name, '\0', name_len) != NULL ||
      !read_large(&record, e + ENTRY_NBYTES + name_len, extra_len)) {
    return reader_error(function, self->reader, "entry %zu of the zip file's table of contents is damaged", self->len);
  }
  if ((number(e + 8, 2) & 1) != 0 || (method != 0 && method != 8)) {
    return reader_error(
        function, self->reader, "entry %zu of the zip file is %s", self->len,
        method == 0 || method == 8 ? "encrypted" : "compressed in a way that zip files of torch.save are not");
  }
  /* All names begin with that of the archive, which is the file's own, and a slash. */
  if (self->len == 0 && !is_whole) {
    const char *slash = memchr(name, '/', name_len);
    *prefix = slash == NULL ? name_len : (size_t)(slash - name) + 1;
  }
  const size_t cut = *prefix <= name_len ? *prefix : name_len;
  CTORCH_TRY(array_grow(function, &self->records, self->len, sizeof *self->records));
  record.name = malloc(name_len - cut + 1);
  if (record.name == NULL) {
    return error_memory(function, name_len - cut + 1);
  }
  memcpy(record.name, name + cut, name_len - cut);
  record.name[name_len - cut] = '\0';
  self->records[self->len++] = record;
  *entry += all;
  *nbytes -= all;
  return NULL;
}

static int by_header(const void *a, const void *b) {
  const struct pt_record *x = a, *y = b;
  return x->header < y->header ? -1 : x->header > y->header;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct pt_record *)a)->name, ((const struct pt_record *)b)->name);
}

/* That the records can be what they are said to be. */
static ctorch_error *check(const char *function, struct pt_zip *self) {
  const ctorch_reader *reader = self->reader;
  const uint64_t nbytes = ctorch_reader_nbytes(reader);
  const uint64_t most = nbytes > PT_ZIP_MOST / 16 ? 16 * nbytes : PT_ZIP_MOST;
  uint64_t end = 0, unpacked = 0;
  if (self->len == 0) {
    return NULL;
  }
  qsort(self->records, self->len, sizeof *self->records, by_header);
  for (size_t i = 0; i < self->len; i++) {
    const struct pt_record *record = &self->records[i];
    if (record->header < end) {
      return reader_error(function, reader, "record '%s' lies over another", record->name);
    }
    if (record->header > self->end || self->end - record->header < LOCAL_NBYTES ||
        record->packed > self->end - record->header - LOCAL_NBYTES) {
      return reader_error(function, reader, "record '%s' does not lie in the file", record->name);
    }
    if (!record->is_compressed && record->packed != record->nbytes) {
      return reader_error(function, reader, "record '%s' has two sizes", record->name);
    }
    if (record->is_compressed && (record->nbytes > most || (unpacked += record->nbytes) > most)) {
      return reader_error(
          function, reader, "unpacked, the records up to '%s' have more than %" PRIu64 " bytes, in a file of %" PRIu64,
          record->name, most, nbytes);
    }
    end = record->header + LOCAL_NBYTES + record->packed;
  }
  qsort(self->records, self->len, sizeof *self->records, by_name);
  for (size_t i = 1; i < self->len; i++) {
    if (strcmp(self->records[i - 1].name, self->records[i].name) == 0) {
      return reader_error(function, reader, "two records are called '%s'", self->records[i].name);
    }
  }
  return NULL;
}

static ctorch_error *open_zip(const char *function, struct pt_zip *self, const ctorch_reader *reader, bool is_whole) {
  struct table table = {0, 0, 0};
  size_t prefix = 0;
  *self = (struct pt_zip){.reader = reader};
  CTORCH_TRY(read_end(function, &table, reader));
  self->end = table.offset;
  unsigned char *entries = malloc(table.nbytes == 0 ? 1 : (size_t)table.nbytes);
  if (entries == NULL) {
    return error_memory(function, table.nbytes);
  }
  ctorch_error *error = reader_read(function, reader, table.offset, entries, table.nbytes);
  const unsigned char *entry = entries;
  size_t left = (size_t)table.nbytes;
  for (uint64_t i = 0; error == NULL && i < table.entries; i++) {
    error = left < ENTRY_NBYTES ? reader_error(function, reader, "the zip file's table of contents ends early")
                                : add_entry(function, self, &entry, &left, &prefix, is_whole);
  }
  free(entries);
  return error != NULL ? error : check(function, self);
}

ctorch_error *pt_zip_open(const char *function, struct pt_zip *self, const ctorch_reader *reader) {
  return open_zip(function, self, reader, false);
}

ctorch_error *pt_zip_open_whole(const char *function, struct pt_zip *self, const ctorch_reader *reader) {
  return open_zip(function, self, reader, true);
}

void pt_zip_end(struct pt_zip *self) {
  pt_zip_let_go(self);
  for (size_t i = 0; i < self->len; i++) {
    free(self->records[i].name);
  }
  free(self->records);
  *self = (struct pt_zip){0};
}

const struct pt_record *pt_zip_find(const struct pt_zip *self, const char *name) {
  size_t low = 0, high = self->len;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(name, self->records[middle].name);
    if (order == 0) {
      return &self->records[middle];
    }
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

ctorch_error *pt_zip_place(
    const char *function, const struct pt_zip *self, uint64_t *out, const struct pt_record *record) {
  unsigned char header[LOCAL_NBYTES];
  CTORCH_TRY(reader_read(function, self->reader, record->header, header, sizeof header));
  const uint64_t before = LOCAL_NBYTES + number(header + 26, 2) + number(header + 28, 2);
  if (memcmp(header, "PK\3\4", 4) != 0 || before > self->end - record->header ||
      record->packed > self->end - record->header - before) {
    return reader_error(function, self->reader, "the header of record '%s' is damaged", record->name);
  }
  *out = record->header + before;
  return NULL;
}

struct pt_archive {
  const ctorch_reader *reader;
  bool has_failed; /* the reader, so that its error is to come out */
  archive_reader *opened;
};

static ctorch_error *read_source(const char *function, uint64_t offset, void *data, uint64_t nbytes, void *payload) {
  struct pt_archive *archive = payload;
  ctorch_error *error = reader_read(function, archive->reader, offset, data, nbytes);
  archive->has_failed |= error != NULL;
  return error;
}

static ctorch_error *open_archive(const char *function, struct pt_archive *archive) {
  const archive_source source = {
      ctorch_reader_nbytes(archive->reader), read_source, archive, reader_name(archive->reader)};
  return archive->opened != NULL ? NULL : archive_reader_open(function, &archive->opened, &source);
}

static void close_archive(struct pt_archive *archive) {
  if (archive != NULL) {
    archive_reader_close(archive->opened);
    free(archive);
  }
}

static ctorch_error *unpack(
    const char *function, struct pt_archive *archive, void *data, const struct pt_record *record, size_t folder_len) {
  const char *name = record->name + folder_len;
  ctorch_error *error = open_archive(function, archive);
  THEN(error, archive_reader_read(function, archive->opened, name, data, record->nbytes));
  if (error == NULL || archive->has_failed || ctorch_error_kind_of(error) == CTORCH_ERROR_OUT_OF_MEMORY) {
    return error;
  }
  ctorch_error *damaged = reader_error(
      function, archive->reader, "record '%s' cannot be unpacked: %s", record->name, ctorch_error_message(error));
  ctorch_error_release(error);
  return damaged;
}

ctorch_error *pt_zip_read(const char *function, struct pt_zip *self, void *data, const struct pt_record *record) {
  if (!record->is_compressed) {
    uint64_t offset = 0;
    CTORCH_TRY(pt_zip_place(function, self, &offset, record));
    return reader_read(function, self->reader, offset, data, record->nbytes);
  }
  struct pt_archive *archive = self->archive;
  if (archive == NULL) {
    archive = calloc(1, sizeof *archive);
    if (archive == NULL) {
      return error_memory(function, sizeof *archive);
    }
    archive->reader = self->reader;
  }
  ctorch_error *error = unpack(function, archive, data, record, self->folder_len);
  if (self->keeps) {
    self->archive = archive;
  } else {
    close_archive(archive);
  }
  return error;
}

void pt_zip_keep(struct pt_zip *self) { self->keeps = true; }

void pt_zip_let_go(struct pt_zip *self) {
  close_archive(self->archive);
  self->archive = NULL;
  self->keeps = false;
}
