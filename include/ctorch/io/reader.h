/**
 * Readers: where files are read from, be it a file, memory or a callback. Every format takes one.
 *
 *     ctorch_reader *file = NULL;
 *     CTORCH_TRY(ctorch_reader_open(&file, "model.safetensors", true));
 *     …
 *     ctorch_reader_release(file);   // tensors that share its memory keep it
 *
 * A reader is not changed by being read, and several threads may read it at once.
 */
#ifndef CTORCH_READER_H
#define CTORCH_READER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** Bytes of a known number, any of which can be read. */
typedef struct ctorch_reader ctorch_reader;

/**
 * Read bytes.
 *
 * Runs on the thread that asks, and at once on several threads if several use the reader.
 *
 * @param[out] data    caller memory of `nbytes` bytes, all of which are to be filled.
 * @param nbytes       how many, at least 1.
 * @param offset       of the first one; all lie before the end.
 * @param[out] error   owned; NULL for success.
 * @param payload      of the reader.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_reader_read_callback)(
    void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload);

/**
 * Hear how many bytes were read.
 *
 * @param nbytes      read since the callback was set; a byte that is read twice counts twice.
 * @param[out] error  owned; NULL for success. A failure ends what is being read, with this error.
 * @param payload     of the callback.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_reader_progress_callback)(size_t nbytes, ctorch_error **error, void *payload);

/**
 * Read a file.
 *
 * Mapped, nothing is read until it is looked at, and tensors share the mapping instead of holding copies. What is
 * written to them is seen by those that share it, but does not reach the file. Whoever shortens the file meanwhile
 * ends the process with SIGBUS when a page that is gone is looked at.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8. A regular file.
 * @param mmap      map the file to memory.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), IO (no such file, no permission, a folder; names the
 *         file), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_reader_open(ctorch_reader **out, const char *path, bool mmap);

/**
 * Read caller memory. Tensors may share it instead of holding copies.
 *
 * @param[out] out     owned.
 * @param data         borrowed until `destroy` runs; may be NULL if `data_nbytes` is 0.
 * @param data_nbytes  how many bytes.
 * @param destroy      called once with `payload` when the reader and all tensors that share the memory are gone, on
 *                     whichever thread that is. NULL to have the bytes copied: then `data` is borrowed for the call.
 * @param payload      handed to `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`data_nbytes` beyond INT64_MAX), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_reader_from_data(
    ctorch_reader **out, const void *data, size_t data_nbytes, void (*destroy)(void *payload), void *payload);

/**
 * Read what a callback gives.
 *
 * @param[out] out  owned.
 * @param nbytes    how many bytes there are.
 * @param read      see its type.
 * @param destroy   called once with `payload` when the reader is gone, on whichever thread that is; NULL for nothing.
 * @param payload   handed to the callbacks; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`nbytes` beyond INT64_MAX), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_reader_from_callback(
    ctorch_reader **out,
    size_t nbytes,
    ctorch_reader_read_callback read,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_reader_retain(const ctorch_reader *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_reader_release(ctorch_reader *self);

/**
 * How many bytes there are.
 *
 * @param self  borrowed; may be NULL.
 * @return bytes; 0 for NULL.
 */
CTORCH_API size_t ctorch_reader_nbytes(const ctorch_reader *self);

/**
 * The file's path as it was given.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL and for what is no file.
 */
CTORCH_API const char *ctorch_reader_path(const ctorch_reader *self);

/**
 * Copy bytes to caller memory.
 *
 * @param self         borrowed.
 * @param offset       of the first byte.
 * @param[out] data    caller memory of `data_nbytes` bytes; may be NULL if that is 0. Undefined after a failure.
 * @param data_nbytes  how many bytes.
 * @return NULL, or NULL_ARGUMENT, INDEX (beyond the end), IO (names the file; also one that became shorter), or what
 *         the callback failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_reader_read(const ctorch_reader *self, size_t offset, void *data, size_t data_nbytes);

/**
 * Hear how reading goes on: at the latest after each 16 MiB. What is looked at in a mapped file or in memory counts
 * when a tensor is made of it.
 *
 * @param self      exclusive.
 * @param callback  see its type; NULL for none. It runs on the thread that reads.
 * @param destroy   called once with `payload` when another callback is set or the reader is gone; NULL for nothing.
 * @param payload   handed to the callback; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_reader_set_progress(
    ctorch_reader *self, ctorch_reader_progress_callback callback, void (*destroy)(void *payload), void *payload);

CTORCH_END_DECLS

#endif
