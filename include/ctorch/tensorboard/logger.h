/**
 * Loggers: where the numbers of a run go, by their names and step: CSV, JSON lines, TensorBoard, or a callback. A
 * trainer takes any of them.
 *
 *     ctorch_logger *logger = NULL;
 *     CTORCH_TRY(ctorch_logger_open_csv(&logger, "run/log.csv"));
 *     CTORCH_TRY(ctorch_trainer_add_logger(trainer, logger, 100));
 *
 * CSV has a row for each call: "step", "wall_time" and a column for each name, in the order in which they came; fields
 * that have '"', ',' or line ends in them are quoted (RFC 4180), lines end with "\n". When a new name comes, the
 * file is written anew with another column, and replaces the old one when it is complete. Numbers are those of
 * Python's `repr`, `nan` and `inf` among them.
 *
 * JSON lines have an object for each call: {"step": 3, "wall_time": 1.5, "loss/train": 0.25}. What JSON has no
 * number for is a text: "NaN", "Infinity", "-Infinity".
 *
 * A file that is there is gone on with; half a line at its end, which a process left that died, is cut off. A line is
 * written at once, and one for which there is no room on the disk is taken back, and the call answers IO.
 *
 * All functions may be called by several threads at once.
 */
#ifndef CTORCH_LOGGER_H
#define CTORCH_LOGGER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/tensorboard/summary.h"

CTORCH_BEGIN_DECLS

/** Where numbers go. */
typedef struct ctorch_logger ctorch_logger;

/**
 * Take numbers.
 *
 * Calls come one after the other, on the threads of those who log.
 *
 * @param names       borrowed for the call; UTF-8.
 * @param names_len   how many.
 * @param values      borrowed for the call; as many numbers.
 * @param values_len  how many.
 * @param step        step.
 * @param walltime    seconds since 1970.
 * @param[out] error  owned; NULL for success.
 * @param payload     of the logger.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_logger_callback)(
    const char *const *names,
    size_t names_len,
    const double *values,
    size_t values_len,
    int64_t step,
    double walltime,
    ctorch_error **error,
    void *payload);

/**
 * Log to a CSV file.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, empty), FORMAT (a file that is there has another
 *         header), IO (names the file), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_logger_open_csv(ctorch_logger **out, const char *path);

/**
 * Log to a file of JSON lines.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, empty), IO (names the file), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_logger_open_json_lines(ctorch_logger **out, const char *path);

/**
 * Log to event files: each number is a scalar, and its name the tag.
 *
 * @param[out] out  owned.
 * @param writer    borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_logger_from_summary_writer(ctorch_logger **out, ctorch_summary_writer *writer);

/**
 * Log to a callback.
 *
 * @param[out] out   owned.
 * @param callback   see its type.
 * @param destroy    called once with `payload` when the logger is gone, on whichever thread that is; NULL for
 *                   nothing. It is not called if this function fails.
 * @param payload    handed to the callbacks; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_logger_from_callback(
    ctorch_logger **out, ctorch_logger_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_logger_retain(const ctorch_logger *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_logger_release(ctorch_logger *self);

/**
 * Log numbers of one step together.
 *
 * @param self        exclusive.
 * @param names       borrowed; UTF-8, each another; in files not "step" or "wall_time".
 * @param names_len   how many.
 * @param values      borrowed; as many numbers.
 * @param values_len  how many.
 * @param step        step.
 * @param walltime    borrowed; seconds since 1970; NULL for now.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, lengths that differ), VALUE (a name that is taken),
 *         IO (names the file), OUT_OF_MEMORY, or what the writer or the callback answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_logger_log(
    ctorch_logger *self,
    const char *const *names,
    size_t names_len,
    const double *values,
    size_t values_len,
    int64_t step,
    const double *walltime);

/**
 * Bring what was logged to the disk.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, IO (names the file), or what the writer answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_logger_flush(ctorch_logger *self);

CTORCH_END_DECLS

#endif
