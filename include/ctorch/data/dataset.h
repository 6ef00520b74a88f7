/**
 * Datasets: samples by index, or one after another (`torch.utils.data.Dataset` and `IterableDataset`).
 *
 * Those of generated/data.h are made of tensors or of other datasets, those of generated/datasets.h of files; one's own
 * is made by ctorch_dataset_from_callback or ctorch_dataset_from_iterable. A sample is a value of any kind, most often
 * a tuple of an input and a target.
 *
 * A dataset may be used by several threads at once. A callback that must not be called on other threads says so, and
 * is called on the thread that takes batches from the loader.
 */
#ifndef CTORCH_DATASET_H
#define CTORCH_DATASET_H

#include "ctorch/abi/base.h"
#include "ctorch/data/iterator.h"
#include "ctorch/settings/random.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** Samples to train with. */
typedef struct ctorch_dataset ctorch_dataset;

/**
 * Give a sample.
 *
 * @param[out] out    owned; the sample.
 * @param index       at least 0, below the length.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the dataset.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_dataset_get_callback)(
    ctorch_value **out, int64_t index, ctorch_error **error, void *payload);

/**
 * Begin to go through the samples. Each worker of a loader begins anew: whoever wants them to share the samples asks
 * ctorch_loader_worker_info.
 *
 * @param[out] out    owned; gives the samples, on the thread on which it was made.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the dataset.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_dataset_iterate_callback)(
    ctorch_iterator **out, ctorch_error **error, void *payload);

/**
 * A dataset of one's own with samples by index.
 *
 * @param[out] out    owned.
 * @param len         number of samples; at least 0.
 * @param get         called for each sample.
 * @param may_thread  whether `get` may be called on any thread, and on several at once; otherwise it is called on the
 *                    thread that asks, which is the one that takes batches from a loader.
 * @param destroy     called once with `payload` when the dataset is gone, on whichever thread that is; NULL if none. It
 *                    is not called if this function fails.
 * @param payload     handed to `get` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative length), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dataset_from_callback(
    ctorch_dataset **out,
    int64_t len,
    ctorch_dataset_get_callback get,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload);

/**
 * The generator of the sample that a `get` callback makes on this thread. What it draws from this one depends on the
 * base seed of the loader's iteration and on the index, not on the number of workers or on who is faster. The default
 * generator is shared by all threads: draws of workers from it differ from run to run.
 *
 * @param[out] out  owned; seeded again for the next sample. Where no loader asks for the sample it is the default
 *                  generator of the CPU.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dataset_generator(ctorch_generator **out);

/**
 * A dataset of one's own with samples one after another (`IterableDataset`).
 *
 * @param[out] out    owned.
 * @param len         number of samples, for ctorch_loader_len; NULL if it is not known.
 * @param iterate     called by each worker, and by a loader without workers, for each epoch.
 * @param may_thread  whether `iterate`, and the iterators that it makes, may be called on any thread, several of them
 *                    at once; otherwise they are called on the thread that takes batches from the loader.
 * @param destroy     called once with `payload` when the dataset is gone, on whichever thread that is; NULL if none. It
 *                    is not called if this function fails.
 * @param payload     handed to `iterate` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative length), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dataset_from_iterable(
    ctorch_dataset **out,
    const int64_t *len,
    ctorch_dataset_iterate_callback iterate,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_dataset_retain(const ctorch_dataset *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_dataset_release(ctorch_dataset *self);

/**
 * Name of the class, as Python has it: "TensorDataset"; "Dataset" and "IterableDataset" of callbacks.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_dataset_name(const ctorch_dataset *self);

/**
 * Whether its samples come one after another, and not by index.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_dataset_is_iterable(const ctorch_dataset *self);

/**
 * Number of samples (`len(dataset)`).
 *
 * @param[out] out  the number.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (an iterable dataset that does not know).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dataset_len(int64_t *out, const ctorch_dataset *self);

/**
 * A sample (`dataset[index]`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param index     below the length; a negative one counts from the end.
 * @return NULL, or NULL_ARGUMENT, INDEX (out of range), TYPE (an iterable dataset), or what making it failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dataset_get(ctorch_value **out, const ctorch_dataset *self, int64_t index);

/**
 * Go through the samples (`iter(dataset)`), by index where it has them so.
 *
 * @param[out] out  owned; keeps the dataset alive.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY, or what a callback failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dataset_iterate(ctorch_iterator **out, const ctorch_dataset *self);

/**
 * Something that a dataset knows besides its samples (`dataset.classes`), which its documentation names.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param name      borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (nothing of this name; Python's AttributeError),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dataset_attribute(ctorch_value **out, const ctorch_dataset *self, const char *name);

CTORCH_END_DECLS

#endif
