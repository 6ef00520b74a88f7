/* What datasets of files have in common: transforms of a sample's parts, names of classes, paths. */
#ifndef CTORCH_SHIM_DATASETS_SAMPLE_H
#define CTORCH_SHIM_DATASETS_SAMPLE_H

#include "data/dataset.h"

/* References; NULL leaves its part as it is. */
struct sample_transforms {
  ctorch_transform *input, *target;
};

void sample_transforms_begin(
    struct sample_transforms *self, const ctorch_transform *input, const ctorch_transform *target);
void sample_transforms_end(struct sample_transforms *self);

/* Apply a transform, where there is one: `*value` becomes what it gives, and the first one is released. After a failure
 * it is as it was. */
ctorch_error *sample_transform(struct fetch *fetch, const ctorch_transform *transform, ctorch_value **value)
    __attribute__((warn_unused_result));

/* A tuple of an input and a target, both transformed. The tensor stays the caller's. */
ctorch_error *sample_make(
    struct fetch *fetch,
    const struct sample_transforms *transforms,
    ctorch_value **out,
    const ctorch_tensor *input,
    int64_t target) __attribute__((warn_unused_result));

/* Names of classes by their numbers. */
struct class_names {
  char **data;
  size_t len;
};

ctorch_error *class_names_add(const char *function, struct class_names *self, const char *name, size_t len)
    __attribute__((warn_unused_result));
void class_names_end(struct class_names *self);

/* The attributes `classes` and `class_to_idx`; others leave `*out` alone. */
ctorch_error *class_names_attribute(const struct class_names *self, const char *name, ctorch_value **out)
    __attribute__((warn_unused_result));

/* printf to memory that the caller frees; NULL is out of memory. */
char *path_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
