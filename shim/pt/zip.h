/* The table of contents of a zip file that torch.save wrote, and its records.
 *
 * What is not compressed, as torch.save leaves everything, is read where it lies. What a zip program has compressed is
 * read by LibTorch (archive_reader.h), after the table has been found in order: its records lie in the file, none over
 * another, and together do not unpack to more than PT_ZIP_MOST bytes or 16 times the file. LibTorch reads the table
 * too, once for each record, or once for all between pt_zip_keep and pt_zip_let_go, when self is one thread's own. */
#ifndef CTORCH_SHIM_PT_ZIP_H
#define CTORCH_SHIM_PT_ZIP_H

#include "ctorch/io/reader.h"

#define PT_ZIP_MOST (UINT64_C(64) << 20)

struct pt_record {
  char *name;              /* without the archive's own */
  uint64_t header, packed; /* where its header begins; how many bytes it takes */
  uint64_t nbytes;         /* before it was compressed */
  bool is_compressed;
  uint32_t crc32; /* of what is not compressed; 0 where the writer left it out */
};

struct pt_archive;

struct pt_zip {
  const ctorch_reader *reader; /* borrowed */
  struct pt_record *records;   /* by their names */
  size_t len;
  size_t folder_len; /* of the archive's own name with its slash, where records are named with it; else 0 */
  uint64_t end;      /* where records end and the table begins */
  bool keeps;
  struct pt_archive *archive; /* LibTorch's, while it is kept; NULL until it is needed */
};

/* Whether a file begins as a zip file does. */
bool pt_zip_detect(const unsigned char *head, size_t len);

/* Read the table. What self holds is freed by pt_zip_end, also after a failure. */
ctorch_error *pt_zip_open(const char *function, struct pt_zip *self, const ctorch_reader *reader)
    __attribute__((warn_unused_result));
/* The same, and records keep the archive's own name. */
ctorch_error *pt_zip_open_whole(const char *function, struct pt_zip *self, const ctorch_reader *reader)
    __attribute__((warn_unused_result));
void pt_zip_end(struct pt_zip *self);

/* NULL if there is none. */
const struct pt_record *pt_zip_find(const struct pt_zip *self, const char *name);

/* Where the bytes of a record that is not compressed begin. */
ctorch_error *pt_zip_place(
    const char *function, const struct pt_zip *self, uint64_t *out, const struct pt_record *record)
    __attribute__((warn_unused_result));

/* Read a record: record->nbytes bytes. */
ctorch_error *pt_zip_read(const char *function, struct pt_zip *self, void *data, const struct pt_record *record)
    __attribute__((warn_unused_result));
void pt_zip_keep(struct pt_zip *self);
void pt_zip_let_go(struct pt_zip *self);

#endif
