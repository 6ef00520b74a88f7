/* What a description tells of a tensor without reading it. */
#ifndef CTORCH_SHIM_PT_DESCRIBE_H
#define CTORCH_SHIM_PT_DESCRIBE_H

#include "pt/tensors.h"

struct pt_description {
  ctorch_dtype dtype;
  int64_t *sizes; /* free() them */
  size_t sizes_len;
  uint64_t nbytes;   /* in the file, of all of its parts */
  bool is_strided;   /* it is elements in a storage and nothing else, */
  size_t storage;    /* in this one, */
  uint64_t offset;   /* from this byte on, */
  bool is_row_major; /* one row after the other */
};

/* *out_is_known is false for what is no tensor, or one whose sizes are not in its description. */
ctorch_error *pt_describe(
    struct pt_file *self, struct pt_description *out, bool *out_is_known, const ctorch_value *description)
    __attribute__((warn_unused_result));

#endif
