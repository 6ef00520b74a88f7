/** Attention, and what the layers of a Transformer need of it. */
#ifndef CTORCH_SHIM_NN_ATTENTION_H
#define CTORCH_SHIM_NN_ATTENTION_H

#include "module/layer.h"

struct attention {
  ctorch_module module;
  int64_t embed_dim, num_heads, kdim, vdim;
  double dropout;
  bool batch_first, add_zero_attn, same_dim;
};

/** The module as such a struct, NULL if it is of another class. */
const struct attention *attention_of(const ctorch_module *module);

/** A mask of truths as one of numbers, -infinity where it is true; `other` is one whose dtype is compared, or NULL. */
ctorch_error *attention_mask(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *mask,
    const char *name,
    const ctorch_tensor *other,
    ctorch_dtype dtype) __attribute__((warn_unused_result));

/** Both masks, which are canonical, as the fused operators want them: `*type` is 1 for padding, 2 for attention. */
ctorch_error *attention_merge_masks(
    ctorch_tensor **out,
    int64_t *type,
    const struct attention *self,
    const ctorch_tensor *attn_mask,
    const ctorch_tensor *padding,
    const ctorch_tensor *query) __attribute__((warn_unused_result));

#endif
