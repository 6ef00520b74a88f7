/* Files in the IDX format, in which MNIST and its relatives come. */
#ifndef CTORCH_EXAMPLES_IDX_H
#define CTORCH_EXAMPLES_IDX_H

#include <ctorch.h>

/**
 * Read an IDX file of unsigned bytes.
 *
 * @param[out] out  owned; uint8, of the shape that the file names.
 * @param path      the file.
 * @param ndim      number of dimensions it must have, 1 to 8: 1 for labels, 3 for images.
 * @return NULL, or IO (cannot be read), FORMAT (not IDX, other dimensions, truncated, something after the end).
 */
ctorch_error *idx_read(ctorch_tensor **out, const char *path, size_t ndim);

#endif
