/**
 * Writers: where files are written to, be it a file, memory or a callback. Every format takes one.
 *
 *     ctorch_writer *file = NULL;
 *     CTORCH_TRY(ctorch_writer_open(&file, "model.safetensors"));
 *     ctorch_error *error = ctorch_safetensors_write(file, state, NULL);
 *     if (error == NULL) {
 *       error = ctorch_writer_finish(file);   // from here on the file is there, whatever happens
 *     }
 *     ctorch_writer_release(file);            // without ctorch_writer_finish it leaves nothing behind
 *
 * A file gets its name when it is complete and on the disk. Until then what was there before stays, also if the process
 * or the machine dies: docs/files.md, "Writing".
 *
 * A writer is exclusive to one thread at a time. After a failure it can only be released.
 */
#ifndef CTORCH_WRITER_H
#define CTORCH_WRITER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What takes bytes, one after the other. */
typedef struct ctorch_writer ctorch_writer;

/**
 * Write bytes behind those that were written before.
 *
 * @param data        borrowed for the call; `nbytes` bytes, all of which are to be taken.
 * @param nbytes      how many, at least 1.
 * @param[out] error  owned; NULL for success.
 * @param payload     of the writer.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_writer_write_callback)(
    const void *data, size_t nbytes, ctorch_error **error, void *payload);

/**
 * Hear how many bytes were written.
 *
 * @param nbytes      written so far.
 * @param[out] error  owned; NULL for success. A failure ends what is being written, with this error.
 * @param payload     of the callback.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_writer_progress_callback)(size_t nbytes, ctorch_error **error, void *payload);

/**
 * Write a file.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8. Nothing, or a regular file, which ctorch_writer_finish replaces.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, empty), IO (no such folder, no permission, no space, a
 *         folder; names the file), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_writer_open(ctorch_writer **out, const char *path);

/**
 * Write to memory: ctorch_writer_data has it.
 *
 * @param[out] out  owned.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_writer_new(ctorch_writer **out);

/**
 * Hand what is written to a callback.
 *
 * @param[out] out  owned.
 * @param write     see its type. It runs on the thread that writes.
 * @param destroy   called once with `payload` when the writer is gone; NULL for nothing.
 * @param payload   handed to the callbacks; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_writer_from_callback(
    ctorch_writer **out, ctorch_writer_write_callback write, void (*destroy)(void *payload), void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_writer_retain(const ctorch_writer *self);

/**
 * Give a reference back. With the last one an unfinished file is removed.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_writer_release(ctorch_writer *self);

/**
 * Write bytes.
 *
 * @param self         exclusive.
 * @param data         borrowed; may be NULL if `data_nbytes` is 0.
 * @param data_nbytes  how many bytes.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (finished, or failed before), IO (no space and the like; names the file),
 *         OUT_OF_MEMORY, or what a callback failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_writer_write(ctorch_writer *self, const void *data, size_t data_nbytes);

/**
 * End writing. A file is brought to the disk, gets its name, and its folder is brought to the disk.
 *
 * @param self  exclusive; from now on ctorch_writer_write fails.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (finished, or failed before), IO (names the file), or what a callback failed
 *         with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_writer_finish(ctorch_writer *self);

/**
 * How many bytes were written.
 *
 * @param self  borrowed; may be NULL.
 * @return bytes; 0 for NULL.
 */
CTORCH_API size_t ctorch_writer_nbytes(const ctorch_writer *self);

/**
 * What was written to memory: ctorch_writer_nbytes bytes.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self` until it is written to or released; NULL for NULL, for a writer to elsewhere and as long
 *         as nothing was written.
 */
CTORCH_API const void *ctorch_writer_data(const ctorch_writer *self);

/**
 * Hear how writing goes on: at the latest after each 16 MiB, and when it is finished.
 *
 * @param self      exclusive.
 * @param callback  see its type; NULL for none. It runs on the thread that writes.
 * @param destroy   called once with `payload` when another callback is set or the writer is gone; NULL for nothing.
 * @param payload   handed to the callback; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_writer_set_progress(
    ctorch_writer *self, ctorch_writer_progress_callback callback, void (*destroy)(void *payload), void *payload);

CTORCH_END_DECLS

#endif
