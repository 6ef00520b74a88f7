/* Named tensors in a file.
 *
 * The format, in little-endian order: the 8 bytes "ctorchw1"; the number of tensors (uint32); for each its name (uint32
 * length, then the bytes), dtype (int32, a ctorch_dtype), number of dimensions (uint32), each dimension (int64) and its
 * elements row by row; at the end the 64-bit FNV-1a checksum of everything before it. */
#ifndef CTORCH_EXAMPLES_WEIGHTS_H
#define CTORCH_EXAMPLES_WEIGHTS_H

#include <ctorch.h>

/** A tensor and what it is called in the file. */
typedef struct named_tensor {
  const char *name;
  ctorch_tensor *tensor;
} named_tensor;

/**
 * Write tensors to a file, all or nothing: a file of that name is replaced only by a complete new one.
 *
 * @param path     the file.
 * @param tensors  what to write.
 * @param len      number of tensors.
 * @return NULL, or IO.
 */
ctorch_error *weights_save(const char *path, const named_tensor *tensors, size_t len);

/**
 * Fill tensors from a file, all or none of them.
 *
 * @param path     the file.
 * @param tensors  what to fill; names, dtypes and shapes must be those of the file, in its order.
 * @param len      number of tensors.
 * @return NULL, or IO (cannot be read), FORMAT (no weights file, truncated, damaged, other tensors).
 */
ctorch_error *weights_load(const char *path, const named_tensor *tensors, size_t len);

#endif
