/* What the readers and writers of safetensors files know of the format. */
#ifndef CTORCH_SHIM_SAFETENSORS_SAFETENSORS_H
#define CTORCH_SHIM_SAFETENSORS_SAFETENSORS_H

#include "ctorch/safetensors/safetensors.h"
#include "io/tensor_dict.h"
#include "io/weights_table.h"

/* An element type. They stand in the order of the format's own list, by which tensors are sorted in files. */
struct safetensors_type {
  const char *name;
  unsigned nbits;
  ctorch_dtype dtype; /* WEIGHTS_NO_DTYPE where PyTorch has none */
};

enum { SAFETENSORS_TYPES = 22 };
extern const struct safetensors_type safetensors_types[SAFETENSORS_TYPES];

/* The type of a dtype; SAFETENSORS_TYPES if there is none. */
size_t safetensors_type_of(ctorch_dtype dtype);

/* Tensors of which some share memory. Each that has any is in a group, alone or with those whose memory overlaps its
 * own, as the Python package finds them. Groups come in the order of the storages' first tensors, their entries by
 * name. */
struct shared_entry {
  size_t index; /* in the named tensors */
  size_t group;
  const char *name;
  bool is_complete; /* it covers its whole storage */
};

struct shared {
  struct shared_entry *data;
  size_t len;
};

ctorch_error *shared_find(const char *function, struct shared *out, const struct named *tensors)
    __attribute__((warn_unused_result));
void shared_end(struct shared *self);

/* The entries behind `first` that are in its group, and itself: [first, the result). */
size_t shared_group_end(const struct shared *self, size_t first);

/* Of a group, the one to be kept: the first name of those that are complete, `is_preferred` (NULL for all alike) before
 * others. RUNTIME if none is. */
ctorch_error *shared_keep(
    const char *function,
    size_t *out,
    const struct shared *self,
    size_t first,
    bool (*is_preferred)(const char *name, const void *context),
    const void *context) __attribute__((warn_unused_result));

/* Take the tensors out that share memory with one that is kept, and put their names with its name among the metadata,
 * which are the dict `metadata`, unless there is such a name. */
ctorch_error *shared_drop(const char *function, struct named *tensors, ctorch_value *metadata)
    __attribute__((warn_unused_result));

/* Write named tensors, of an argument of this name, in whose memory nothing is shared any more. */
ctorch_error *safetensors_write_named(
    const char *function,
    ctorch_writer *writer,
    const char *argument,
    const struct named *tensors,
    const ctorch_value *metadata) __attribute__((warn_unused_result));

extern const weights_format weights_safetensors;

#endif
