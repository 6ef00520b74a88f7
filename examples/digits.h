/* Handwritten digits: images with their labels, from a pair of IDX files. data/README.md says where they come from. */
#ifndef CTORCH_EXAMPLES_DIGITS_H
#define CTORCH_EXAMPLES_DIGITS_H

#include <ctorch.h>

enum { DIGITS_CLASSES = 10, DIGITS_IMAGE_SIZE = 8 };

typedef struct digits {
  ctorch_tensor *images; /* (count, 1, 8, 8), float32 from 0 (paper) to 1 (ink) */
  ctorch_tensor *labels; /* (count), int64 from 0 to 9 */
  int64_t count;
} digits;

/**
 * Read a part of the data.
 *
 * @param[out] out  the tensors belong to the scope that is open.
 * @param folder    where the files lie.
 * @param part      "train" or "t10k", as MNIST calls them: the file names begin with it.
 * @return NULL, or IO, FORMAT (damaged, or not such images and labels).
 */
ctorch_error *digits_read(digits *out, const char *folder, const char *part);

#endif
