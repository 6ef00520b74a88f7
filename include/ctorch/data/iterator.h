/**
 * Iterators: one value after another, as a loader gives batches and a sampler indices.
 *
 *     for (;;) {
 *       ctorch_value *batch = NULL;
 *       CTORCH_TRY(ctorch_iterator_next(&batch, iterator));
 *       if (batch == NULL) {
 *         break;
 *       }
 *       …
 *       ctorch_value_release(batch);
 *     }
 *
 * An iterator is exclusive to one thread at a time. It goes through its values once; who made it makes another.
 */
#ifndef CTORCH_ITERATOR_H
#define CTORCH_ITERATOR_H

#include "ctorch/abi/base.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** Where one is in a sequence of values. */
typedef struct ctorch_iterator ctorch_iterator;

/**
 * Give the next value.
 *
 * Runs on the thread that asks.
 *
 * @param[out] out    owned; the value, or left alone (NULL) at the end.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the iterator.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_iterator_next_callback)(
    ctorch_value **out, ctorch_error **error, void *payload);

/**
 * Tell where an iterator is.
 *
 * Runs on the thread that asks.
 *
 * @param[out] out    owned; what the other callback understands.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the iterator.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_iterator_save_callback)(
    ctorch_value **out, ctorch_error **error, void *payload);

/**
 * Go to where an iterator was.
 *
 * Runs on the thread that asks.
 *
 * @param state       borrowed for the call; what the other callback gave.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the iterator.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_iterator_load_callback)(
    const ctorch_value *state, ctorch_error **error, void *payload);

/**
 * An iterator of one's own.
 *
 * @param[out] out  owned.
 * @param next      called for each value.
 * @param destroy   called once with `payload` when the iterator is gone, on whichever thread that is; NULL if none. It
 *                  is not called if this function fails.
 * @param payload   handed to the callbacks; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_iterator_from_callback(
    ctorch_iterator **out, ctorch_iterator_next_callback next, void (*destroy)(void *payload), void *payload);

/**
 * An iterator of one's own that knows where it is.
 *
 * @param[out] out  owned.
 * @param next      called for each value.
 * @param save      called by ctorch_iterator_state_dict.
 * @param load      called by ctorch_iterator_load_state_dict.
 * @param destroy   called once with `payload` when the iterator is gone, on whichever thread that is; NULL if none. It
 *                  is not called if this function fails.
 * @param payload   handed to the callbacks; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_iterator_from_stateful_callback(
    ctorch_iterator **out,
    ctorch_iterator_next_callback next,
    ctorch_iterator_save_callback save,
    ctorch_iterator_load_callback load,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_iterator_retain(const ctorch_iterator *self);

/**
 * Give a reference back. With the last one of a loader's iterator its workers end, after what they are doing.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_iterator_release(ctorch_iterator *self);

/**
 * The next value.
 *
 * @param[out] out  owned; NULL is written at the end, and whenever it is asked for more.
 * @param self      exclusive.
 * @return NULL, or NULL_ARGUMENT, or what making the value failed with. After a failure the iterator may be asked for
 *         the value behind it.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_iterator_next(ctorch_value **out, ctorch_iterator *self);

/**
 * Where the iterator is: a dict that ctorch_iterator_load_state_dict takes, in this process or another one, and that
 * snapshots save. A loader's has what its order was drawn from and how many batches were handed out; batches that
 * workers hold ready do not count.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (an iterator of a callback without one for this), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_iterator_state_dict(ctorch_value **out, const ctorch_iterator *self);

/**
 * Go on where an iterator was: what follows is what would have followed there.
 *
 * @param self   exclusive; nothing was taken from it yet.
 * @param state  borrowed; of an iterator that was made likewise.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (an iterator of a callback without one for this), TYPE, INDEX or VALUE
 *         (not such a state), RUNTIME (something was taken already), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_iterator_load_state_dict(ctorch_iterator *self, const ctorch_value *state);

CTORCH_END_DECLS

#endif
