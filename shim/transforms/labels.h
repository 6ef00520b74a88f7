/**
 * Where the labels of a sample are: `labels_getter` of those transforms that change or remove labels.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_LABELS_H
#define CTORCH_SHIM_TRANSFORMS_LABELS_H

#include "transforms/parts.h"

struct labels_getter {
  enum { LABELS_NONE, LABELS_DEFAULT, LABELS_CALL } how;
  struct transform_parts parts; /* what is called */
};

/** "default", None or a transform; NULL is "default" or None. VALUE for anything else. */
ctorch_error *labels_begin(
    const char *function,
    struct labels_getter *self,
    ctorch_transform *owner,
    const ctorch_value *getter,
    bool is_default_otherwise) __attribute__((warn_unused_result));
void labels_end(struct labels_getter *self);

/** The labels of a sample; owned. None where there are to be none. VALUE if they cannot be found. */
ctorch_error *labels_get(
    const struct labels_getter *self, struct transform_call *call, ctorch_value **out, const ctorch_value *sample)
    __attribute__((warn_unused_result));

void transform_repr_labels(struct text *text, const struct labels_getter *self);

#endif
