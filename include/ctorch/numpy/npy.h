/**
 * Writing NumPy's npy files, which hold one tensor. ctorch_weights_open reads them.
 *
 *     CTORCH_TRY(ctorch_npy_write_file(x, "x.npy"));   // numpy.load("x.npy")
 *
 * What they can hold are dense tensors of bool, int8 to int64, uint8 to uint64, float16, float32, float64, complex64
 * and complex128: NumPy has no bfloat16 and no float8.
 */
#ifndef CTORCH_NPY_H
#define CTORCH_NPY_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/writer.h"

CTORCH_BEGIN_DECLS

/**
 * Write a tensor (`numpy.save`): the bytes are NumPy's.
 *
 * @param writer  exclusive; ctorch_writer_finish is still to be called.
 * @param tensor  borrowed; on any device. One that lies column by column stays so.
 * @return NULL, or NULL_ARGUMENT, VALUE (sparse and nested tensors), UNSUPPORTED (a dtype that NumPy has not, more
 *         than 64 dimensions), or what ctorch_writer_write answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_npy_write(ctorch_writer *writer, const ctorch_tensor *tensor);

/**
 * Write a file (`numpy.save`): ctorch_writer_open, ctorch_npy_write, ctorch_writer_finish.
 *
 * @param tensor  borrowed.
 * @param path    borrowed; UTF-8. Unlike in Python nothing is appended to it.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_npy_write_file(const ctorch_tensor *tensor, const char *path);

CTORCH_END_DECLS

#endif
