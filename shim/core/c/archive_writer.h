/**
 * Writing the zip files of torch.save, with LibTorch's own writer: records that are stored, not compressed, and begin
 * at multiples of 64 bytes.
 *
 *     archive_writer *archive = NULL;
 *     CTORCH_TRY(archive_writer_new(__func__, &archive, "model", true, write, file));
 *     ctorch_error *error = archive_writer_record(__func__, archive, "data.pkl", pickle, nbytes);
 *     if (error == NULL) {
 *       error = archive_writer_end(__func__, archive);
 *     }
 *     archive_writer_free(archive);
 *
 * Bytes are handed on in their order as they come, without copies. After a failure a writer can only be freed.
 */
#ifndef CTORCH_SHIM_CORE_C_ARCHIVE_WRITER_H
#define CTORCH_SHIM_CORE_C_ARCHIVE_WRITER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

typedef struct archive_writer archive_writer;

/** Take bytes, at least one. What it fails with comes out of the function that wrote them. */
typedef ctorch_error *(*archive_write)(const void *data, size_t nbytes, void *payload);

/**
 * Begin an archive.
 *
 * @param name   of the folder that all records lie in; NULL for "archive".
 * @param crc32  compute checksums; otherwise those of records are 0.
 */
ctorch_error *archive_writer_new(
    const char *function, archive_writer **out, const char *name, bool crc32, archive_write write, void *payload)
    __attribute__((warn_unused_result));

/** Write a record. */
ctorch_error *archive_writer_record(
    const char *function, archive_writer *self, const char *name, const void *data, size_t nbytes)
    __attribute__((warn_unused_result));

/** Write a record of a storage's bytes: from where they are on the CPU, else from a copy there. */
ctorch_error *archive_writer_storage(
    const char *function, archive_writer *self, const char *name, const ctorch_storage *storage)
    __attribute__((warn_unused_result));

/** Write a record of zeros that no checksum covers, to be filled later. */
ctorch_error *archive_writer_hole(const char *function, archive_writer *self, const char *name, size_t nbytes)
    __attribute__((warn_unused_result));

/** Write the table of contents. */
ctorch_error *archive_writer_end(const char *function, archive_writer *self) __attribute__((warn_unused_result));

/** NULL is allowed. Of an archive that was not ended nothing more is written. */
void archive_writer_free(archive_writer *self);

CTORCH_END_DECLS

#endif
