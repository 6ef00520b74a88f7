/**
 * Metrics: how good predictions are, accumulated over batches (`torchmetrics.Metric`).
 *
 *     CTORCH_TRY(ctorch_metrics_MulticlassAccuracy(&accuracy, CTORCH_SOME(int64_t, 10), 1, "macro", …));
 *     for (…) {
 *       CTORCH_TRY(ctorch_metric_update(accuracy, output, target));
 *     }
 *     CTORCH_TRY(ctorch_metric_compute(&result, accuracy));
 *     CTORCH_TRY(ctorch_metric_reset(accuracy));
 *
 * The functions of generated/metrics.h make them, with torchmetrics' names, arguments and defaults; by name, from
 * values, ctorch_metric_create does; ctorch_metric_collection makes one of several. A metric is a few tensors, its
 * state, to which every update adds: counts and sums, or lists of all that was given, where a metric needs that. States
 * have torchmetrics' names.
 *
 * What torchmetrics computes is computed by the same operators in the same order. Numbers outside of 0 to 1 among
 * predictions that may be probabilities make all of that batch logits, to which sigmoid or softmax is applied. Where
 * torchmetrics warns (no positive samples, numbers that are not numbers), ctorch gives the same result and says
 * nothing, except where `nan_strategy` is 'warn'. With `validate_args` labels and classes outside their range are
 * refused, also where torchmetrics would only find that there are too many different ones.
 *
 * An update that fails leaves the metric as it was, all of a collection.
 *
 * Several processes, each with its own part of the data, come to one result in either of two ways. They exchange what
 * ctorch_metric_state_dict gives (ctorch_serialization_save writes it), load it into copies and merge these with
 * ctorch_metric_merge. Or they reduce each state among them, as ctorch_metric_reductions says, "sum", "min" and "max"
 * by an all-reduce, "cat" by putting the lists one after another, and load the result.
 *
 * A metric goes to the device of its first update. It is exclusive to one thread at a time.
 */
#ifndef CTORCH_METRIC_H
#define CTORCH_METRIC_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** What accumulates how good predictions are. */
typedef struct ctorch_metric ctorch_metric;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_metric_retain(const ctorch_metric *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_metric_release(ctorch_metric *self);

/**
 * Name of the class, as Python has it: "MulticlassAccuracy".
 *
 * @param self  borrowed; may be NULL.
 * @return static text; NULL for NULL.
 */
CTORCH_API const char *ctorch_metric_name(const ctorch_metric *self);

/* Making ----------------------------------------------------------------------------------------------------------- */

/**
 * Make a metric by the name of its class, from values: `getattr(torchmetrics, name)(*args, **kwargs)`.
 *
 * @param[out] out  owned.
 * @param name      borrowed; "MulticlassAccuracy".
 * @param args      borrowed; a tuple or list of positional arguments. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such class; Python's AttributeError), TYPE
 *         (arguments that it does not take, or lacks, or of another type), or what the function of that name returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_create(
    ctorch_metric **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs);

/**
 * Several metrics as one (`torchmetrics.MetricCollection`): an update is one of all of them, and what is computed is a
 * dict from their names. Those that count the same, as precision and recall of the same classes do, count it once.
 *
 * @param[out] out     owned; it has copies of the metrics.
 * @param metrics      borrowed; in the order in which results are to come. No collections.
 * @param metrics_len  at least 1.
 * @param names        borrowed; one for each, all different. NULL, with length 0, for those of their classes.
 * @param names_len    number of names.
 * @param prefix       borrowed; what stands before each name in results; NULL for nothing.
 * @param postfix      borrowed; what stands behind each name in results; NULL for nothing.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, another number of names than of metrics), VALUE (no
 *         metrics, a collection among them, two of one name), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_collection(
    ctorch_metric **out,
    const ctorch_metric *const *metrics,
    size_t metrics_len,
    const char *const *names,
    size_t names_len,
    const char *prefix,
    const char *postfix);

/**
 * A copy with its own state (`Metric.clone`), which is what this one has now.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_clone(ctorch_metric **out, const ctorch_metric *self);

/* Accumulating ----------------------------------------------------------------------------------------------------- */

/**
 * Accumulate a batch (`Metric.update`). No gradients are recorded.
 *
 * @param self    exclusive.
 * @param preds   borrowed; what was predicted. Shapes and types are told with each metric.
 * @param target  borrowed; what is, on the same device. NULL for metrics of one input, as MeanMetric.
 * @return NULL, or NULL_ARGUMENT, TYPE (a metric of texts; dtypes that it does not take), SHAPE_MISMATCH, VALUE (shapes
 *         that do not suit it), RUNTIME (labels or classes outside their range, a NaN where that is an error), or what
 *         an operator returns. Then the metric is as it was.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_update(
    ctorch_metric *self, const ctorch_tensor *preds, const ctorch_tensor *target);

/**
 * Accumulate what is no pair of tensors: texts, numbers, a value and its weight.
 *
 * @param self   exclusive.
 * @param args   borrowed; a tuple of the inputs, `update(*args)`; anything else is the one input. Texts are lists of
 *               str, or one; references of a text a list of them.
 * @return NULL, or NULL_ARGUMENT, TYPE (another number of inputs, or other kinds), VALUE (lists of several lengths),
 *         and what ctorch_metric_update returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_update_value(ctorch_metric *self, const ctorch_value *args);

/**
 * Compute the metric of all that was accumulated (`Metric.compute`).
 *
 * @param[out] out  owned; a tensor, of no dimensions where it is one number; a tuple, list or dict of such where the
 *                  metric's documentation says so.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, VALUE (nothing accumulated, where there is no result of that), or what an operator
 *         returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_compute(ctorch_value **out, const ctorch_metric *self);

/**
 * Accumulate a batch, and compute the metric of this batch alone (`Metric.forward`).
 *
 * @param[out] out  owned; as of ctorch_metric_compute.
 * @param self      exclusive.
 * @param args      borrowed; as of ctorch_metric_update_value: a tuple of two tensors for most.
 * @return NULL, or what ctorch_metric_update_value and ctorch_metric_compute return. Then the metric is as it was.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_forward(ctorch_value **out, ctorch_metric *self, const ctorch_value *args);

/**
 * Forget what was accumulated (`Metric.reset`).
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_reset(ctorch_metric *self);

/**
 * Number of updates since the last reset, those of merged metrics included.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API int64_t ctorch_metric_update_count(const ctorch_metric *self);

/* Several processes ------------------------------------------------------------------------------------------------ */

/**
 * Add what another metric has accumulated, as if this one had seen it.
 *
 * @param self   exclusive.
 * @param other  borrowed; of the same class, made with the same arguments.
 * @return NULL, or NULL_ARGUMENT, VALUE (another class, or other states), OUT_OF_MEMORY, or what an operator returns.
 *         Then the metric is as it was.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_merge(ctorch_metric *self, const ctorch_metric *other);

/**
 * What was accumulated, to be saved or sent.
 *
 * @param[out] out  owned; a dict from the names of states to tensors, or to lists of tensors where they are
 *                  concatenated; of a collection with the metric's name and a dot before. The tensors are copies.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_state_dict(ctorch_value **out, const ctorch_metric *self);

/**
 * Take over what a metric of the same kind had accumulated, in place of what this one has.
 *
 * @param self        exclusive.
 * @param state_dict  borrowed; as ctorch_metric_state_dict gives it. A tensor may stand for a list of one. It is
 *                    copied.
 * @return NULL, or NULL_ARGUMENT, TYPE (no dict, or something else than tensors), INDEX (a state that it lacks), VALUE
 *         (a state of another name), SHAPE_MISMATCH (a state of another shape), OUT_OF_MEMORY. Then the metric is as it
 *         was.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_load_state_dict(ctorch_metric *self, const ctorch_value *state_dict);

/**
 * How each state of several processes becomes one.
 *
 * @param[out] out  owned; a dict from the names that ctorch_metric_state_dict has to "sum", "min", "max" or "cat".
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_reductions(ctorch_value **out, const ctorch_metric *self);

/**
 * Bring the state to a device, and sums to a floating point type (`Metric.to`, `Metric.set_dtype`). Sums are kept as
 * float32 unless another type is asked for, whatever is added.
 *
 * @param self    exclusive.
 * @param device  borrowed; NULL to stay.
 * @param dtype   borrowed; of states that are floating point numbers; NULL to leave them.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device or type, no floating point type), or what an
 *         operator returns. Then the metric is as it was.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_metric_to(ctorch_metric *self, const ctorch_device *device, const ctorch_dtype *dtype);

CTORCH_END_DECLS

#endif
