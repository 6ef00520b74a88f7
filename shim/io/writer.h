/* Writers as the formats see them. */
#ifndef CTORCH_SHIM_IO_WRITER_H
#define CTORCH_SHIM_IO_WRITER_H

#include "ctorch/io/writer.h"

/* Write bytes for an exported function, which errors name. */
ctorch_error *writer_write(const char *function, ctorch_writer *self, const void *data, uint64_t nbytes)
    __attribute__((warn_unused_result));

/* Whether bytes that were written can be written anew: not those that a callback has taken. */
bool writer_can_rewrite(const ctorch_writer *self);

/* Write bytes in the place of some that were written; all lie before the end. */
ctorch_error *writer_rewrite(
    const char *function, ctorch_writer *self, uint64_t offset, const void *data, uint64_t nbytes)
    __attribute__((warn_unused_result));

/* The path of a file, as it was given; NULL for what is no file. */
const char *writer_path(const ctorch_writer *self);

/* For messages: the path, or "data". */
const char *writer_name(const ctorch_writer *self);

#endif
