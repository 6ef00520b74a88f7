/* The files of CIFAR, in either version. */
#ifndef CTORCH_SHIM_DATASETS_CIFAR_FILES_H
#define CTORCH_SHIM_DATASETS_CIFAR_FILES_H

#include "datasets/sample.h"

enum { CIFAR_IMAGE_NBYTES = 3 * 32 * 32 };

/* Read a pickled dict: images (N, 3072), uint8, and labels (N), int64; handles. */
ctorch_error *cifar_read_pickle(
    const char *function, ctorch_tensor **out_images, ctorch_tensor **out_labels, const char *path, const char *labels)
    __attribute__((warn_unused_result));

/* Read the names of classes from a pickled dict. */
ctorch_error *cifar_read_names_pickle(const char *function, struct class_names *out, const char *path, const char *key)
    __attribute__((warn_unused_result));

/* Read records: `labels` bytes, of which the last one is the label, and an image. */
ctorch_error *cifar_read_binary(
    const char *function, ctorch_tensor **out_images, ctorch_tensor **out_labels, const char *path, size_t labels)
    __attribute__((warn_unused_result));

/* Read the names of classes from the lines of a text. */
ctorch_error *cifar_read_names_text(const char *function, struct class_names *out, const char *path)
    __attribute__((warn_unused_result));

#endif
