/* What is packed with gzip (RFC 1952), read from front to back; one member or several behind one another. */
#ifndef CTORCH_SHIM_DATASETS_GZIP_H
#define CTORCH_SHIM_DATASETS_GZIP_H

#include "ctorch/io/reader.h"

/* No byte of gzip's unpacks to more than these: deflate makes at most 258 bytes of two bits. */
enum { GZIP_MOST_INFLATED = 1032 };

struct gzip; /* gzip.c */

/* Whether a file begins as gzip's do. */
ctorch_error *gzip_detect(const char *function, bool *out, const ctorch_reader *reader)
    __attribute__((warn_unused_result));

/* Begin to unpack a reader, which is borrowed until gzip_end; UNSUPPORTED in a build without zlib. */
ctorch_error *gzip_begin(const char *function, struct gzip **out, const ctorch_reader *reader)
    __attribute__((warn_unused_result));

/* Unpack at most `nbytes` bytes. Fewer are got at the end alone, where all checksums have been compared. */
ctorch_error *gzip_read(struct gzip *self, void *data, size_t nbytes, size_t *got) __attribute__((warn_unused_result));

/* NULL is allowed. */
void gzip_end(struct gzip *self);

#endif
