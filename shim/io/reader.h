/* Readers as the formats see them. */
#ifndef CTORCH_SHIM_IO_READER_H
#define CTORCH_SHIM_IO_READER_H

#include "ctorch/io/reader.h"

/* Read bytes for an exported function, which errors name: FORMAT "ends early" if they do not lie in the reader. Read
 * with hostile offsets, this is the check of all of them. */
ctorch_error *reader_read(const char *function, const ctorch_reader *self, uint64_t offset, void *data, uint64_t nbytes)
    __attribute__((warn_unused_result));

/* Where bytes lie in memory, for as long as the reader lives; NULL if it is not in memory or they do not lie in it. */
void *reader_at(const ctorch_reader *self, uint64_t offset, uint64_t nbytes);

/* For messages: the path, or "data". */
const char *reader_name(const ctorch_reader *self);

/* Count bytes that a tensor shares instead of reading them. */
ctorch_error *reader_count(const ctorch_reader *self, uint64_t nbytes) __attribute__((warn_unused_result));

/* A new one-dimensional uint8 tensor of these bytes, outside every scope (tensor.h: tensor_unref): one that shares the
 * reader's memory and keeps the reader if it is in memory and `alignment` (a power of two) divides the address, else a
 * copy. */
ctorch_error *reader_tensor(
    const char *function,
    ctorch_tensor **out,
    const ctorch_reader *self,
    uint64_t offset,
    uint64_t nbytes,
    size_t alignment) __attribute__((warn_unused_result));

/* FORMAT: "<name>: <message>". */
ctorch_error *reader_error(const char *function, const ctorch_reader *self, const char *format, ...)
    __attribute__((format(printf, 3, 4), warn_unused_result));

#endif
