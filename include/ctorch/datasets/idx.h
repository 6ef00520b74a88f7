/**
 * IDX files, in which MNIST and its like come: one array of numbers, packed with gzip or not.
 *
 *     ctorch_tensor *images = NULL;   // (60000, 28, 28), uint8
 *     CTORCH_TRY(ctorch_idx_read_file(&images, "train-images-idx3-ubyte.gz"));
 *
 * The format is told in "The MNIST database of handwritten digits" (LeCun, Cortes, Burges): two zero bytes, one for the
 * type, one for the number of dimensions, the sizes in four bytes each, the elements row by row, all with the highest
 * byte first.
 */
#ifndef CTORCH_IDX_H
#define CTORCH_IDX_H

#include "ctorch/abi/base.h"
#include "ctorch/io/reader.h"

CTORCH_BEGIN_DECLS

/**
 * Whether this build reads what is packed with gzip, which needs zlib.
 *
 * @return false in a build without it.
 * @since 0.1
 */
CTORCH_API bool ctorch_idx_supports_gzip(void);

/**
 * Read an array.
 *
 * @param[out] out  owned; uint8, int8, int16, int32, float32 or float64.
 * @param reader    borrowed; a tensor of bytes that lie in memory shares them, and keeps it.
 * @return NULL, or NULL_ARGUMENT, FORMAT (no IDX file, ends early, goes on behind the elements, damaged by the checksum
 *         of gzip; names the file), UNSUPPORTED (packed, in a build without zlib), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_idx_read(ctorch_tensor **out, const ctorch_reader *reader);

/**
 * Read a file: ctorch_reader_open, ctorch_idx_read.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_idx_read_file(ctorch_tensor **out, const char *path);

CTORCH_END_DECLS

#endif
