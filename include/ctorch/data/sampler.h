/**
 * Samplers: in which order a loader takes samples (`torch.utils.data.Sampler`).
 *
 * Those of generated/data.h draw the same indices as Python's from the same seed. A sampler gives an int for each
 * sample, or a list of ints for each batch (data.BatchSampler); one's own is made by ctorch_sampler_from_callback.
 *
 * Each iteration has its own place; a sampler itself is exclusive to one thread at a time only while its epoch is set.
 */
#ifndef CTORCH_SAMPLER_H
#define CTORCH_SAMPLER_H

#include "ctorch/abi/base.h"
#include "ctorch/data/iterator.h"

CTORCH_BEGIN_DECLS

/** An order of samples. */
typedef struct ctorch_sampler ctorch_sampler;

/**
 * Begin an order.
 *
 * @param[out] out    owned; gives ints, or lists of ints.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the sampler.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_sampler_iterate_callback)(
    ctorch_iterator **out, ctorch_error **error, void *payload);

/**
 * A sampler of one's own. It is called on the thread that takes batches from the loader.
 *
 * @param[out] out  owned.
 * @param len       number of indices, or of batches, for ctorch_loader_len; NULL if it is not known.
 * @param iterate   called for each epoch.
 * @param destroy   called once with `payload` when the sampler is gone, on whichever thread that is; NULL if none. It
 *                  is not called if this function fails.
 * @param payload   handed to `iterate` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative length), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_sampler_from_callback(
    ctorch_sampler **out,
    const int64_t *len,
    ctorch_sampler_iterate_callback iterate,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_sampler_retain(const ctorch_sampler *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_sampler_release(ctorch_sampler *self);

/**
 * Name of the class, as Python has it: "RandomSampler"; "Sampler" of a callback.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_sampler_name(const ctorch_sampler *self);

/**
 * Number of indices, or of batches (`len(sampler)`).
 *
 * @param[out] out  the number.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (it does not know).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_sampler_len(int64_t *out, const ctorch_sampler *self);

/**
 * Go through the order (`iter(sampler)`). What is drawn is drawn when the first value is asked for, as in Python.
 *
 * @param[out] out  owned; keeps the sampler alive; gives ints, or lists of ints.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_sampler_iterate(ctorch_iterator **out, const ctorch_sampler *self);

/**
 * Let the next order be that of an epoch (`DistributedSampler.set_epoch`); a data.BatchSampler hands it on.
 *
 * @param self   exclusive.
 * @param epoch  any number.
 * @return NULL, or NULL_ARGUMENT, INDEX (no such sampler; Python's AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_sampler_set_epoch(ctorch_sampler *self, int64_t epoch);

CTORCH_END_DECLS

#endif
