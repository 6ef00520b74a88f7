/**
 * LibTorch's reader of the zip files of `torch.save`, for what a C layer cannot read itself: compressed records.
 *
 * It believes what the file says of itself, and allocates accordingly: look at the table of contents first.
 */
#ifndef CTORCH_SHIM_CORE_C_ARCHIVE_READER_H
#define CTORCH_SHIM_CORE_C_ARCHIVE_READER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/error.h"

CTORCH_BEGIN_DECLS

typedef struct archive_reader archive_reader;

/** Where the archive's bytes are; `payload` outlives the reader. */
typedef struct archive_source {
  uint64_t nbytes;
  /** All bytes lie before the end. */
  ctorch_error *(*read)(const char *function, uint64_t offset, void *data, uint64_t nbytes, void *payload);
  void *payload;
  /** For messages; NULL for none. Not kept. */
  const char *name;
} archive_source;

/** What `read` fails with comes out unchanged; what LibTorch says against the archive is an error RUNTIME. */
ctorch_error *archive_reader_open(const char *function, archive_reader **out, const archive_source *source)
    __attribute__((warn_unused_result));
/** NULL is allowed. */
void archive_reader_close(archive_reader *self);

/** Read a record of `nbytes` bytes, before it was compressed; named without the archive's own name. */
ctorch_error *archive_reader_read(
    const char *function, archive_reader *self, const char *name, void *data, uint64_t nbytes)
    __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
