/* The bytes of pickles, which end nobody knows where: a part of a reader, of which no more is read than is looked at,
 * or memory. */
#ifndef CTORCH_SHIM_PICKLE_SOURCE_H
#define CTORCH_SHIM_PICKLE_SOURCE_H

#include "ctorch/io/reader.h"

struct pickle_source {
  const unsigned char *data;   /* what is in memory */
  size_t len, at;              /* of that; the next byte */
  const ctorch_reader *reader; /* borrowed; NULL if everything is in memory */
  uint64_t next, end;          /* what of the reader is not in memory yet */
  uint64_t done;               /* bytes taken before data[0] */
  unsigned char *own;          /* memory of its own that data lies in */
  size_t capacity;             /* of that */
};

/* Begin with [offset, offset + nbytes) of a reader, which lie in it. */
void pickle_source_open(struct pickle_source *self, const ctorch_reader *reader, uint64_t offset, uint64_t nbytes);
/* Begin with memory, which is borrowed. */
void pickle_source_from_memory(struct pickle_source *self, const void *data, size_t len);
void pickle_source_close(struct pickle_source *self);

/* Take bytes: they stay where they are until the next call. NULL without an error: there are not as many left. */
ctorch_error *pickle_source_take(
    const char *function, struct pickle_source *self, const unsigned char **out, uint64_t nbytes)
    __attribute__((warn_unused_result));
/* Take a line, without its end; NULL without an error: it does not end. */
ctorch_error *pickle_source_take_line(
    const char *function, struct pickle_source *self, const unsigned char **out, size_t *out_len)
    __attribute__((warn_unused_result));

/* How many bytes were taken. */
static inline uint64_t pickle_source_taken(const struct pickle_source *self) { return self->done + self->at; }

#endif
