/* The archives that torch.export and AOTInductor write (".pt2"): zip files with JSON, weights and compiled code. All
 * records lie in one folder, named after the file; those of LibTorch before 2.7 in none. */
#ifndef CTORCH_SHIM_EXPORT_PT2_ARCHIVE_H
#define CTORCH_SHIM_EXPORT_PT2_ARCHIVE_H

#include "io/json_read.h"
#include "pt/zip.h"

struct pt2_archive {
  struct pt_zip zip;
  const ctorch_reader *reader; /* borrowed */
};

/* Whether a file begins as one does: by the name of its first record. */
bool pt2_archive_detect(const unsigned char *head, size_t len);

/* Read the table of contents; FORMAT for names that lead out of a folder into which they are unpacked. What self holds
 * is freed by pt2_archive_end, also after a failure. */
ctorch_error *pt2_archive_open(const char *function, struct pt2_archive *self, const ctorch_reader *reader)
    __attribute__((warn_unused_result));
void pt2_archive_end(struct pt2_archive *self);

/* Records by their number, without the archive's folder; NULL beyond the end. */
const char *pt2_archive_name(const struct pt2_archive *self, size_t index);
/* The record of a name, which printf makes; NULL if there is none. */
const struct pt_record *pt2_archive_find(const struct pt2_archive *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether a record's name begins so. */
bool pt2_archive_has(const struct pt2_archive *self, const char *beginning);

/* All bytes of a record, with a NUL behind them: free() them. FORMAT if they are not what their checksum says, which
 * this can tell with zlib. */
ctorch_error *pt2_archive_read(
    const char *function, struct pt2_archive *self, char **out, const struct pt_record *record)
    __attribute__((warn_unused_result));
/* A reader of a record's bytes, in memory: object_unref it. It may outlive the archive. */
ctorch_error *pt2_archive_reader(
    const char *function, struct pt2_archive *self, ctorch_reader **out, const struct pt_record *record)
    __attribute__((warn_unused_result));
/* That bytes are those of a record. */
ctorch_error *pt2_archive_check(
    const char *function, const struct pt2_archive *self, const struct pt_record *record, const void *data)
    __attribute__((warn_unused_result));

#if CTORCH_HAS_JANSSON
/* An object that a record holds; json_decref it. */
ctorch_error *pt2_archive_json(
    const char *function, struct pt2_archive *self, json_t **out, const struct pt_record *record)
    __attribute__((warn_unused_result));
#endif

#endif
