/**
 * Summary readers: what event files hold (summary.h), one value after the other.
 *
 *     ctorch_summary_reader *reader = NULL;
 *     bool there = false;
 *     CTORCH_TRY(ctorch_summary_reader_open(&reader, "runs/first"));
 *     CTORCH_TRY(ctorch_summary_reader_next(&there, reader));
 *     while (there) {
 *       if (ctorch_summary_reader_kind(reader) == CTORCH_SUMMARY_KIND_SCALAR) {
 *         printf("%s %g\n", ctorch_summary_reader_tag(reader), ctorch_summary_reader_scalar(reader));
 *       }
 *       CTORCH_TRY(ctorch_summary_reader_next(&there, reader));
 *     }
 *
 * What the length of a record claims is compared with the file before memory is taken, and both of its checksums are
 * checked. A record that is cut at the end of a file is not there yet: when a run goes on, later calls of
 * ctorch_summary_reader_next find it, and new files of the folder as well.
 *
 * A reader is exclusive to one thread at a time.
 */
#ifndef CTORCH_SUMMARY_READER_H
#define CTORCH_SUMMARY_READER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A way through event files. */
typedef struct ctorch_summary_reader ctorch_summary_reader;

/** What stands where a reader is. */
typedef int32_t ctorch_summary_kind;
enum {
  /** Before the first, behind the last. */
  CTORCH_SUMMARY_KIND_NONE = 0,
  /** The beginning of a file: ctorch_summary_reader_text has its version. */
  CTORCH_SUMMARY_KIND_VERSION = 1,
  /** A number, in the old style or the new one. */
  CTORCH_SUMMARY_KIND_SCALAR = 2,
  CTORCH_SUMMARY_KIND_HISTOGRAM = 3,
  CTORCH_SUMMARY_KIND_IMAGE = 4,
  CTORCH_SUMMARY_KIND_AUDIO = 5,
  CTORCH_SUMMARY_KIND_TEXT = 6,
  /** A tensor, also of plugins that have no kind here. */
  CTORCH_SUMMARY_KIND_TENSOR = 7,
  /** A summary that has no value but what its plugin says. */
  CTORCH_SUMMARY_KIND_METADATA = 8,
  /** A GraphDef: ctorch_summary_reader_data. */
  CTORCH_SUMMARY_KIND_GRAPH = 9,
  /** A RunMetadata: ctorch_summary_reader_data. */
  CTORCH_SUMMARY_KIND_RUN_METADATA = 10,
  /** A session has begun, at the step of a SummaryWriter's `purge_step`, or ended. */
  CTORCH_SUMMARY_KIND_SESSION = 11,
  /** Something that ctorch does not know. */
  CTORCH_SUMMARY_KIND_OTHER = 12
};

/**
 * The folders that have event files, below a folder.
 *
 * @param[out] out  owned; a list of texts, sorted: paths relative to `folder`, "." for itself.
 * @param folder    borrowed; UTF-8. Symbolic links to folders are not followed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), IO (names a folder), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_reader_runs(ctorch_value **out, const char *folder);

/**
 * Read an event file, or all of a folder by their names, as TensorBoard does.
 *
 * @param[out] out  owned.
 * @param path      borrowed; UTF-8. A folder needs no files yet.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), UNSUPPORTED (no libprotobuf-c), IO (names it),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_reader_open(ctorch_summary_reader **out, const char *path);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_summary_reader_retain(const ctorch_summary_reader *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_summary_reader_release(ctorch_summary_reader *self);

/**
 * Go to the next value. What was borrowed from the one before is gone.
 *
 * @param[out] out  false if there is none, yet.
 * @param self      exclusive.
 * @return NULL, or NULL_ARGUMENT, FORMAT (names file and place: a checksum that is wrong, after which the rest of
 *         the file is left out; a record that is no event, which alone is), IO, OUT_OF_MEMORY. The next call goes on
 *         behind it.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_reader_next(bool *out, ctorch_summary_reader *self);

/**
 * How many bytes at the end of the file that is read are no record yet.
 *
 * @param self  borrowed; may be NULL.
 * @return bytes; 0 unless ctorch_summary_reader_next said that there is none.
 */
CTORCH_API size_t ctorch_summary_reader_torn_nbytes(const ctorch_summary_reader *self);

/**
 * The file that is read.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self` until ctorch_summary_reader_next; NULL for none.
 */
CTORCH_API const char *ctorch_summary_reader_path(const ctorch_summary_reader *self);

/**
 * What stands here.
 *
 * @param self  borrowed; may be NULL.
 * @return CTORCH_SUMMARY_KIND_NONE for NULL.
 */
CTORCH_API ctorch_summary_kind ctorch_summary_reader_kind(const ctorch_summary_reader *self);

/**
 * When it was logged.
 *
 * @param self  borrowed; may be NULL.
 * @return seconds since 1970; 0 for NULL.
 */
CTORCH_API double ctorch_summary_reader_wall_time(const ctorch_summary_reader *self);

/**
 * Its step.
 *
 * @param self  borrowed; may be NULL.
 * @return step; 0 for NULL.
 */
CTORCH_API int64_t ctorch_summary_reader_step(const ctorch_summary_reader *self);

/**
 * Its tag.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self` until ctorch_summary_reader_next; "" for what has none, NULL for NULL.
 */
CTORCH_API const char *ctorch_summary_reader_tag(const ctorch_summary_reader *self);

/**
 * The plugin of TensorBoard that shows it.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self` until ctorch_summary_reader_next; "" if it does not say, NULL for NULL.
 */
CTORCH_API const char *ctorch_summary_reader_plugin(const ctorch_summary_reader *self);

/**
 * A number.
 *
 * @param self  borrowed; may be NULL.
 * @return the number; NaN for what is no scalar.
 */
CTORCH_API double ctorch_summary_reader_scalar(const ctorch_summary_reader *self);

/**
 * A text, or the version of a file. A text may have NUL inside: ctorch_summary_reader_data gives all of it.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self` until ctorch_summary_reader_next, UTF-8; NULL for what is no text.
 */
CTORCH_API const char *ctorch_summary_reader_text(const ctorch_summary_reader *self);

/**
 * Bytes: of a text (UTF-8), an image (PNG), a sound (WAV), a graph, metadata of a run, what a plugin says.
 *
 * @param[out] out      borrowed from `self` until ctorch_summary_reader_next; NULL for what has none.
 * @param[out] out_len  how many.
 * @param self          borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_reader_data(
    const char **out, size_t *out_len, const ctorch_summary_reader *self);

/**
 * A tensor.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, VALUE (it is no tensor), FORMAT (its shape and its values do not fit), UNSUPPORTED (a
 *         type that PyTorch has not, such as texts), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_reader_tensor(ctorch_tensor **out, const ctorch_summary_reader *self);

/**
 * A distribution.
 *
 * @param[out] out_min          least value.
 * @param[out] out_max          greatest value.
 * @param[out] out_num          how many values.
 * @param[out] out_sum          their sum.
 * @param[out] out_sum_squares  the sum of their squares.
 * @param self                  borrowed.
 * @return NULL, or NULL_ARGUMENT, VALUE (it is no histogram).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_reader_histogram(
    double *out_min,
    double *out_max,
    double *out_num,
    double *out_sum,
    double *out_sum_squares,
    const ctorch_summary_reader *self);

/**
 * The bins of a distribution.
 *
 * @param[out] out_limits  owned; upper edges, of float64.
 * @param[out] out_counts  owned; as many numbers: how many values are in each.
 * @param self             borrowed.
 * @return NULL, or NULL_ARGUMENT, VALUE (it is no histogram), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_reader_bins(
    ctorch_tensor **out_limits, ctorch_tensor **out_counts, const ctorch_summary_reader *self);

CTORCH_END_DECLS

#endif
