/* Datasets that lie in memory as a whole: images in one tensor, and the numbers of their classes in another. */
#ifndef CTORCH_SHIM_DATASETS_LABELLED_H
#define CTORCH_SHIM_DATASETS_LABELLED_H

#include "datasets/sample.h"

struct labelled {
  ctorch_dataset dataset;
  struct sample_transforms transforms;
  struct class_names classes;
  ctorch_tensor *data;    /* a reference: (N, height, width) or (N, channels, height, width), uint8 */
  ctorch_tensor *targets; /* a reference: (N), int64, contiguous */
};

void labelled_finalize(void *self);
ctorch_error *labelled_len(const char *function, const ctorch_dataset *self, int64_t *out);
ctorch_error *labelled_get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index);
ctorch_error *labelled_get_batch(
    struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, const int64_t *indices, size_t len);
ctorch_error *labelled_attribute(
    const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out);

/* The class of one that Python calls so. */
#define LABELLED_CLASS(python_name)                              \
  {.object = DATASET_OBJECT(struct labelled, labelled_finalize), \
   .name = (python_name),                                        \
   .len = labelled_len,                                          \
   .get = labelled_get,                                          \
   .get_batch = labelled_get_batch,                              \
   .attribute = labelled_attribute}

/* Take over what was read, two handles: images, and their classes of any type of whole numbers. They are released, also
 * if this fails. FORMAT, with `name` of the file of the former, if they do not belong together. */
ctorch_error *labelled_take(
    const char *function, struct labelled *self, const char *name, ctorch_tensor *data, ctorch_tensor *targets)
    __attribute__((warn_unused_result));

/* FORMAT unless a file has this MD5; NULL is any. */
ctorch_error *md5_check(const char *function, const char *path, const char *expected)
    __attribute__((warn_unused_result));

#endif
