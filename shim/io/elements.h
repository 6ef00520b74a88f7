/* Elements that lie in a reader as those of one array, row by row or column by column. */
#ifndef CTORCH_SHIM_IO_ELEMENTS_H
#define CTORCH_SHIM_IO_ELEMENTS_H

#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"

struct elements {
  const ctorch_reader *reader;
  uint64_t offset; /* of the first one */
  ctorch_dtype dtype;
  const int64_t *shape; /* elements_nbytes has answered for it */
  size_t shape_len;
  bool is_fortran;    /* those that differ in the first index lie side by side */
  bool is_big_endian; /* numbers have their highest byte first */
};

/* How many bytes elements take. False for a negative size, and where there would be more than INT64_MAX if sizes of 0
 * were 1, which strides have to count with. */
bool elements_nbytes(uint64_t *out, const int64_t *shape, size_t shape_len, size_t itemsize);

/* Whether they can be shared, and need no copy: they lie in memory, where their dtype may, in this machine's order. */
bool elements_can_share(const struct elements *self);

/* A tensor of all of them, which shares the reader's memory if they can be shared; a handle that the caller releases.
 * */
ctorch_error *elements_read(const char *function, ctorch_tensor **out, const struct elements *self)
    __attribute__((warn_unused_result));

/* Those in [begin, end) of each dimension, which lie in the shape. Nothing else is read. */
ctorch_error *elements_slice(
    const char *function, ctorch_tensor **out, const struct elements *self, const int64_t *begin, const int64_t *end)
    __attribute__((warn_unused_result));

/* A tensor with memory of its own, which `fill` fills with elements in the order of the reader. */
typedef ctorch_error *(*elements_fill)(const char *function, void *data, uint64_t nbytes, void *context);
ctorch_error *elements_copy(
    const char *function, ctorch_tensor **out, const struct elements *self, elements_fill fill, void *context)
    __attribute__((warn_unused_result));

#endif
