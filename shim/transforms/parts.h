/**
 * Transforms that a transform holds.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_PARTS_H
#define CTORCH_SHIM_TRANSFORMS_PARTS_H

#include "transforms/transform.h"

/** References to transforms, or NULL for one that there is not. */
struct transform_parts {
  ctorch_transform **data;
  size_t len;
};

/** Keep these transforms for `owner`. RUNTIME if too many lie inside each other. */
ctorch_error *transform_parts_begin(
    const char *function,
    struct transform_parts *self,
    ctorch_transform *owner,
    const ctorch_transform *const *transforms,
    size_t len) __attribute__((warn_unused_result));
void transform_parts_end(struct transform_parts *self);

/** Whether all of them may be called on any thread. */
bool transform_parts_may_thread(const struct transform_parts *self);

void transform_repr_part(struct text *text, const ctorch_transform *part);

#endif
