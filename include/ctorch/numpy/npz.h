/**
 * Writing NumPy's npz files: zip files of npy files (npy.h), which hold tensors by their names. ctorch_weights_open
 * reads them.
 *
 *     CTORCH_TRY(ctorch_npz_write_file(state, true, "state.npz"));   // numpy.load("state.npz")["weight"]
 *
 * The same content gives the same bytes.
 */
#ifndef CTORCH_NPZ_H
#define CTORCH_NPZ_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/writer.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Write tensors by their names (`numpy.savez`, `numpy.savez_compressed`). What is not compressed lies where
 * a reader that maps the file can share it.
 *
 * @param writer      exclusive; ctorch_writer_finish is still to be called. To one from a callback, the file goes as a
 *                    whole: it is made in memory.
 * @param tensors     borrowed; a dict from texts to tensors.
 * @param compressed  deflate it.
 * @return NULL, or NULL_ARGUMENT, TYPE (no dict, no text, no tensor), VALUE (sparse and nested tensors, a name with a
 *         NUL or of more than 65,000 bytes), UNSUPPORTED (a dtype that NumPy has not, more than 64 dimensions; a
 *         build without minizip), OUT_OF_MEMORY, or what ctorch_writer_write answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_npz_write(ctorch_writer *writer, const ctorch_value *tensors, bool compressed);

/**
 * Write an npz file: ctorch_writer_open, ctorch_npz_write, ctorch_writer_finish.
 *
 * @param tensors     borrowed; a dict from texts to tensors.
 * @param compressed  deflate it.
 * @param path        borrowed; UTF-8. Unlike in Python nothing is appended to it.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_npz_write_file(const ctorch_value *tensors, bool compressed, const char *path);

CTORCH_END_DECLS

#endif
