/* Where in memory a tensor lies: what tells which tensors share some. */
#ifndef CTORCH_SHIM_IO_MEMORY_RANGE_H
#define CTORCH_SHIM_IO_MEMORY_RANGE_H

#include "io/tensor_dict.h"

#include "ctorch/abi/types.h"

struct area {
  size_t index; /* in the named tensors */
  const char *name;
  ctorch_device device;
  uintptr_t storage, begin, end; /* addresses; 0 without elements */
  size_t storage_nbytes, nbytes;
  size_t first; /* the first index of those in the same storage */
};

struct areas {
  struct area *data;
  size_t len;
};

/* The areas of all tensors but those on the meta device, which have no memory, sorted by `first`: those of a storage
 * lie side by side, by their index. Empty storages without an address count as one for each device. */
ctorch_error *areas_read(const char *function, struct areas *out, const struct named *tensors)
    __attribute__((warn_unused_result));
void areas_end(struct areas *self);

#endif
