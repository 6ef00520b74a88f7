/**
 * Summaries: what a run logs, in event files that TensorBoard reads (torch.utils.tensorboard.SummaryWriter).
 *
 *     ctorch_summary_writer *board = NULL;
 *     CTORCH_TRY(ctorch_summary_writer_open(&board, "runs/first", NULL, NULL, 10, 120, NULL));
 *     for (int64_t step = 0; step < 100; step++) {
 *       CTORCH_TRY(ctorch_summary_writer_add_scalar(board, "loss/train", loss, step, NULL, false, false));
 *     }
 *     CTORCH_TRY(ctorch_summary_writer_finish(board));
 *
 * The same data gives the same messages as Python's class, under the same names of folders and files. Different are:
 *
 * - Events wait in memory, and are written by the call that makes `max_queue` of them wait or that comes `flush_secs`
 *   after the last writing; there is no thread beside. What was written outlives the process.
 *   ctorch_summary_writer_flush and ctorch_summary_writer_finish also bring it to the disk; then it outlives the
 *   machine.
 * - A record is there as a whole, or a reader sees that it is cut. Where a disk is full, what fits no more is taken
 *   back from the file and goes on waiting; the call answers IO, and a later one writes it.
 * - Files can follow one another by size or age (ctorch_summary_writer_set_rotation), and an old one be continued
 *   (ctorch_summary_writer_open_file).
 * - PNG files are those of libpng, with the same pixels as Pillow's.
 * - After ctorch_summary_writer_finish nothing can be added; Python would begin another file.
 *
 * All functions may be called by several threads at once; a writer belongs to the process that opened it. Event files
 * need libprotobuf-c when ctorch is built; without it opening answers UNSUPPORTED, which
 * ctorch_summary_writer_is_supported tells before.
 *
 * A record is its length (8 bytes), the masked CRC-32C of those, the data, and the masked CRC-32C of the data
 * (https://github.com/tensorflow/tensorboard, "TFRecord").
 */
#ifndef CTORCH_SUMMARY_H
#define CTORCH_SUMMARY_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A folder of event files that grows. */
typedef struct ctorch_summary_writer ctorch_summary_writer;

/**
 * Whether this build writes and reads event files.
 *
 * @return false if libprotobuf-c was missing.
 */
CTORCH_API bool ctorch_summary_writer_is_supported(void);

/**
 * Begin an event file in a folder (`SummaryWriter(log_dir, comment, purge_step, max_queue, flush_secs,
 * filename_suffix)`).
 *
 * @param[out] out          owned.
 * @param log_dir           borrowed; UTF-8. The folder, which is made if it is not there. NULL for one that is named by
 *                          date and machine in the folder "runs".
 * @param comment           borrowed; UTF-8, the end of that name; NULL for nothing.
 * @param purge_step        borrowed; TensorBoard then hides what was logged in this folder before at this step and
 *                          later ones; NULL for none.
 * @param max_queue         how many events wait at most; at least 1. 10 in Python.
 * @param flush_secs        how many seconds they wait at most, if more are added; at least 0. 120 in Python.
 * @param filename_suffix   borrowed; UTF-8, without "/". The end of files' names; NULL for nothing.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, a number), UNSUPPORTED (no libprotobuf-c), IO (names the
 *         folder), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_open(
    ctorch_summary_writer **out,
    const char *log_dir,
    const char *comment,
    const int64_t *purge_step,
    int64_t max_queue,
    double flush_secs,
    const char *filename_suffix);

/**
 * Go on with an event file, which is begun if it is not there. Half a record at its end, which a process left that
 * died, is cut off.
 *
 * @param[out] out     owned.
 * @param path         borrowed; UTF-8. TensorBoard reads files that have "tfevents" in their names.
 * @param max_queue    as for ctorch_summary_writer_open.
 * @param flush_secs   as for ctorch_summary_writer_open.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, a number), FORMAT (no event file, damaged),
 *         UNSUPPORTED (no libprotobuf-c), IO (names the file), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_open_file(
    ctorch_summary_writer **out, const char *path, int64_t max_queue, double flush_secs);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_summary_writer_retain(const ctorch_summary_writer *self);

/**
 * Give a reference back. The last one writes what waits, and tells nobody if that fails: ctorch_summary_writer_finish
 * does.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_summary_writer_release(ctorch_summary_writer *self);

/**
 * Begin another file when one has become large or old. It comes behind the others, and TensorBoard reads all.
 *
 * @param self       exclusive.
 * @param max_bytes  a record that would make a file larger goes to the next, at least one to each; 0 for no limit.
 * @param max_secs   seconds after which the next event goes to another file; 0 for no limit.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative number).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_set_rotation(
    ctorch_summary_writer *self, int64_t max_bytes, double max_secs);

/**
 * The folder (`get_logdir`).
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_summary_writer_log_dir(const ctorch_summary_writer *self);

/**
 * The file that events go to now.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_path(ctorch_string **out, const ctorch_summary_writer *self);

/**
 * Write what waits, here and in the folders of ctorch_summary_writer_add_scalars, and bring it to the disk.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (closed), IO (names the file; what was not written goes on waiting).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_flush(ctorch_summary_writer *self);

/**
 * Write what waits, bring it to the disk, and close the files. Nothing can be added then; closing again does nothing.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, IO (names the file; it stays open, and what was not written goes on waiting).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_finish(ctorch_summary_writer *self);

/* What is logged --------------------------------------------------------------------------------------------------- */

/**
 * A number.
 *
 * @param self              exclusive.
 * @param tag               borrowed; UTF-8.
 * @param scalar_value      the number; kept as float32 but for `double_precision`.
 * @param global_step       step.
 * @param walltime          borrowed; seconds since 1970; NULL for now.
 * @param new_style         write it as a tensor, which TensorBoard reads faster.
 * @param double_precision  of float64, if it is `new_style`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (closed, of another process), IO,
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_scalar(
    ctorch_summary_writer *self,
    const char *tag,
    double scalar_value,
    int64_t global_step,
    const double *walltime,
    bool new_style,
    bool double_precision);

/**
 * Several numbers for one chart: each in an event file of its own, in the folder `<log_dir>/<main_tag>_<tag>`, where
 * "/" of `main_tag` is "_".
 *
 * @param self               exclusive.
 * @param main_tag           borrowed; UTF-8.
 * @param tags               borrowed; UTF-8.
 * @param tags_len           how many.
 * @param scalar_values      borrowed; as many numbers.
 * @param scalar_values_len  how many.
 * @param global_step        step.
 * @param walltime           borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; INVALID_ARGUMENT for lengths that differ.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_scalars(
    ctorch_summary_writer *self,
    const char *main_tag,
    const char *const *tags,
    size_t tags_len,
    const double *scalar_values,
    size_t scalar_values_len,
    int64_t global_step,
    const double *walltime);

/**
 * A tensor as it is.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param tensor       borrowed; float16, bfloat16, float32, float64, an integer of 8 to 64 bits with a sign or
 *                     uint8, bool or complex, of less than 2 GiB.
 * @param global_step  step.
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for another dtype, or too large.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_tensor(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *tensor,
    int64_t global_step,
    const double *walltime);

/**
 * How the elements of a tensor are distributed.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param values       borrowed; of any shape with elements, of a real dtype.
 * @param global_step  step.
 * @param bins         borrowed; "tensorflow" (edges that grow by a tenth from 1e-12 to 1e20, and their negatives), a
 *                     number of bins such as "30", or a rule of numpy.histogram_bin_edges: "auto", "doane", "fd",
 *                     "rice", "scott", "sqrt", "stone", "sturges"; NULL is "tensorflow".
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @param max_bins     neighbours are put together until there are not more than so many; 0 for no limit.
 * @return as of ctorch_summary_writer_add_scalar; VALUE (no elements, not finite, an unknown rule, nothing within the
 *         edges), TYPE (complex numbers).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_histogram(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *values,
    int64_t global_step,
    const char *bins,
    const double *walltime,
    int64_t max_bins);

/**
 * How the elements of a tensor are distributed over given bins.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param values       borrowed; of any shape with elements, of a real dtype.
 * @param global_step  step.
 * @param edges        borrowed; edges of the bins, ascending.
 * @param edges_len    how many, at least 2.
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @param max_bins     as for ctorch_summary_writer_add_histogram.
 * @return as of ctorch_summary_writer_add_histogram; INVALID_ARGUMENT for edges that do not ascend.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_histogram_edges(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *values,
    int64_t global_step,
    const double *edges,
    size_t edges_len,
    const double *walltime,
    int64_t max_bins);

/**
 * A distribution that was counted already.
 *
 * @param self               exclusive.
 * @param tag                borrowed; UTF-8.
 * @param min                least value.
 * @param max                greatest value.
 * @param num                how many values.
 * @param sum                their sum.
 * @param sum_squares        the sum of their squares.
 * @param bucket_limits      borrowed; the upper edge of each bin.
 * @param bucket_limits_len  how many.
 * @param bucket_counts      borrowed; how many values are in each.
 * @param bucket_counts_len  as many.
 * @param global_step        step.
 * @param walltime           borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for lengths that differ.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_histogram_raw(
    ctorch_summary_writer *self,
    const char *tag,
    double min,
    double max,
    double num,
    double sum,
    double sum_squares,
    const double *bucket_limits,
    size_t bucket_limits_len,
    const double *bucket_counts,
    size_t bucket_counts_len,
    int64_t global_step,
    const double *walltime);

/**
 * An image, or several side by side (`add_image`, `add_images`), as a PNG.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param img_tensor   borrowed; uint8 from 0 to 255, else numbers from 0 to 1. One channel becomes three.
 * @param global_step  step.
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @param dataformats  borrowed; what its dimensions are, a letter for each: "CHW", "HWC", "HW", "NCHW", "NHWC" or
 *                     another order; NULL is "CHW" for three dimensions, "NCHW" for four and "HW" for two. Images of
 *                     N stand in rows of eight.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for a format that the shape does not fit; UNSUPPORTED without
 *         libpng.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_image(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *img_tensor,
    int64_t global_step,
    const double *walltime,
    const char *dataformats);

/**
 * An image with red lines around boxes (`add_image_with_boxes`), with the pixels of Pillow's. Labels cannot be asked
 * for: they would need a font.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param img_tensor   borrowed; as for ctorch_summary_writer_add_image.
 * @param box_tensor   borrowed; (number of boxes, 4): the least x, least y, greatest x and greatest y, in pixels.
 * @param global_step  step.
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @param rescale      the image is made so many times as high and wide, by Lanczos' filter; 1 in Python. The message
 *                     has the size it had before, as Python's.
 * @param dataformats  borrowed; as for ctorch_summary_writer_add_image.
 * @return as of ctorch_summary_writer_add_image; VALUE for boxes of another shape or that are not finite, and for a
 *         size that is not from 1 to 32767; UNSUPPORTED for an image with transparency that is rescaled.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_image_with_boxes(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *img_tensor,
    const ctorch_tensor *box_tensor,
    int64_t global_step,
    const double *walltime,
    double rescale,
    const char *dataformats);

/**
 * A sound, as a WAV of 16 bits.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param snd_tensor   borrowed; samples from -1 to 1, beyond which they are clipped; of one dimension that is not 1.
 * @param global_step  step.
 * @param sample_rate  samples a second; 44100 in Python.
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for another shape, INVALID_ARGUMENT for a rate below 1.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_audio(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *snd_tensor,
    int64_t global_step,
    int64_t sample_rate,
    const double *walltime);

/**
 * A text, which TensorBoard shows as Markdown.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param text_string  borrowed; UTF-8.
 * @param global_step  step.
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_text(
    ctorch_summary_writer *self, const char *tag, const char *text_string, int64_t global_step, const double *walltime);

/**
 * What a module computes, by a trace of it in evaluation mode: TensorBoard shows its operators in the modules that call
 * them, with the shapes of what flows between them.
 *
 * @param self        exclusive.
 * @param model       exclusive; its mode is as before afterwards.
 * @param inputs      borrowed; what its forward is called with.
 * @param inputs_len  how many.
 * @param walltime    borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar, or what ctorch_jit_trace_module answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_graph(
    ctorch_summary_writer *self,
    ctorch_module *model,
    const ctorch_value *const *inputs,
    size_t inputs_len,
    const double *walltime);

/**
 * Hyperparameters and what came of them: a run in a folder of its own, which holds the experiment, the session and the
 * metrics.
 *
 * @param self                    exclusive.
 * @param hparam_dict             borrowed; a dict from names to numbers, bools, texts, tensors of one element; None is
 *                                left out. A bool is a number, as in Python.
 * @param metric_dict             borrowed; a dict from names to numbers.
 * @param hparam_domain_discrete  borrowed; a dict from names to lists of all values there are; NULL for none.
 * @param run_name                borrowed; UTF-8, the folder below `log_dir`; NULL for the time.
 * @param global_step             step.
 * @param walltime                borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; TYPE (no dict, no text), VALUE (another type).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_hparams(
    ctorch_summary_writer *self,
    const ctorch_value *hparam_dict,
    const ctorch_value *metric_dict,
    const ctorch_value *hparam_domain_discrete,
    const char *run_name,
    int64_t global_step,
    const double *walltime);

/**
 * Vectors for TensorBoard's projector: the files tensors.tsv, metadata.tsv and sprite.png in a folder
 * `<step>/<tag>`, and projector_config.pbtxt, which lists all that this writer added.
 *
 * @param self                 exclusive.
 * @param mat                  borrowed; a vector in each row.
 * @param metadata             borrowed; a list of a label for each row, or with a header of lists; NULL for none.
 * @param label_img            borrowed; (N, C, H, W), an image for each row, of numbers from 0 to 1, which together are
 *                             not higher than wide; NULL for none.
 * @param global_step          step.
 * @param tag                  borrowed; UTF-8; NULL is "default".
 * @param metadata_header      borrowed; UTF-8, names of the columns; may be NULL if `metadata_header_len` is 0.
 * @param metadata_header_len  how many; 0 for labels without columns.
 * @return as of ctorch_summary_writer_add_scalar; VALUE (shapes and numbers that do not fit), TYPE.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_embedding(
    ctorch_summary_writer *self,
    const ctorch_tensor *mat,
    const ctorch_value *metadata,
    const ctorch_tensor *label_img,
    int64_t global_step,
    const char *tag,
    const char *const *metadata_header,
    size_t metadata_header_len);

/**
 * Precision over recall.
 *
 * @param self            exclusive.
 * @param tag             borrowed; UTF-8.
 * @param labels          borrowed; 0 or 1 for each sample.
 * @param predictions     borrowed; how likely 1 is, from 0 to 1.
 * @param global_step     step.
 * @param num_thresholds  points of the curve, at least 2; above 127 it is 127, which is usual.
 * @param weights         borrowed; of each sample; NULL for 1.
 * @param walltime        borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for numbers of elements that differ.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_pr_curve(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *labels,
    const ctorch_tensor *predictions,
    int64_t global_step,
    int64_t num_thresholds,
    const ctorch_tensor *weights,
    const double *walltime);

/**
 * Precision over recall that was computed already.
 *
 * @param self            exclusive.
 * @param tag             borrowed; UTF-8.
 * @param curves          borrowed; (6, number of points): true positives, false positives, true negatives, false
 *                        negatives, precision, recall.
 * @param global_step     step.
 * @param num_thresholds  points that TensorBoard takes it for, at least 2; above 127 it is 127, which is usual.
 * @param walltime        borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for another shape.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_pr_curve_raw(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *curves,
    int64_t global_step,
    int64_t num_thresholds,
    const double *walltime);

/**
 * Points or triangles in space.
 *
 * @param self         exclusive.
 * @param tag          borrowed; UTF-8.
 * @param vertices     borrowed; (batch, points, 3).
 * @param colors       borrowed; (batch, points, 3), from 0 to 255; NULL for none.
 * @param faces        borrowed; (batch, triangles, 3), indices of points; NULL for none.
 * @param config_json  borrowed; UTF-8, the configuration as JSON; NULL for none.
 * @param global_step  step.
 * @param walltime     borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for other shapes.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_mesh(
    ctorch_summary_writer *self,
    const char *tag,
    const ctorch_tensor *vertices,
    const ctorch_tensor *colors,
    const ctorch_tensor *faces,
    const char *config_json,
    int64_t global_step,
    const double *walltime);

/**
 * Which scalars stand in which chart of the custom scalars. Once for a writer.
 *
 * @param self      exclusive.
 * @param layout    borrowed; {category: {title: ["Multiline", [tag, …]]}}, or ["Margin", [value, lower, upper]].
 * @param walltime  borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for another form.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_custom_scalars(
    ctorch_summary_writer *self, const ctorch_value *layout, const double *walltime);

/**
 * The same of one chart with a line for each tag.
 *
 * @param self      exclusive.
 * @param tags      borrowed; UTF-8.
 * @param tags_len  how many.
 * @param category  borrowed; UTF-8; NULL is "default".
 * @param title     borrowed; UTF-8; NULL is "untitled".
 * @param walltime  borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_custom_scalars_multilinechart(
    ctorch_summary_writer *self,
    const char *const *tags,
    size_t tags_len,
    const char *category,
    const char *title,
    const double *walltime);

/**
 * The same of one chart with a line between two others.
 *
 * @param self      exclusive.
 * @param tags      borrowed; UTF-8: value, lower, upper.
 * @param tags_len  3.
 * @param category  borrowed; UTF-8; NULL is "default".
 * @param title     borrowed; UTF-8; NULL is "untitled".
 * @param walltime  borrowed; seconds since 1970; NULL for now.
 * @return as of ctorch_summary_writer_add_scalar; VALUE for another number of tags.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_summary_writer_add_custom_scalars_marginchart(
    ctorch_summary_writer *self,
    const char *const *tags,
    size_t tags_len,
    const char *category,
    const char *title,
    const double *walltime);

CTORCH_END_DECLS

#endif
