/**
 * Loaders: batches of a dataset, made by threads in advance (`torch.utils.data.DataLoader`).
 *
 *     CTORCH_TRY(ctorch_data_DataLoader(&loader, dataset, &(int64_t){64}, true, …));
 *     for (int epoch = 0; epoch < 10; epoch++) {
 *       CTORCH_TRY(ctorch_loader_iterate(&batches, loader));
 *       … ctorch_iterator_next(&batch, batches), until it is NULL
 *       ctorch_iterator_release(batches);
 *     }
 *
 * A loader draws the base seed of each iteration from its generator, and orders, as Python's does. Its workers are
 * threads of this process, each of which computes alone. Batches come in the order of their indices, and an error comes
 * in the place of the batch that it belongs to, with the number of its sample.
 *
 * What the library's transforms draw depends on the base seed, on the epoch and on the sample's index, not on the
 * number of workers. A callback that makes a sample draws so from ctorch_dataset_generator; one that gives samples one
 * after another seeds a generator with the seed of its worker, ctorch_loader_worker_info.
 *
 * A loader is exclusive to one thread at a time, and so is each of its iterators.
 */
#ifndef CTORCH_LOADER_H
#define CTORCH_LOADER_H

#include "ctorch/abi/base.h"
#include "ctorch/data/dataset.h"
#include "ctorch/data/iterator.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** What makes batches of a dataset. */
typedef struct ctorch_loader ctorch_loader;

/**
 * Make a batch of samples (`collate_fn`).
 *
 * @param[out] out    owned; the batch.
 * @param samples     borrowed; a list of samples, or the one sample of a loader that does not make batches.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_loader_collate_callback)(
    ctorch_value **out, const ctorch_value *samples, ctorch_error **error, void *payload);

/**
 * Prepare a worker (`worker_init_fn`).
 *
 * Runs on the worker's thread before its first sample, or on the one that takes batches.
 *
 * @param worker      number of the worker, from 0.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_loader_worker_callback)(int64_t worker, ctorch_error **error, void *payload);

/**
 * Begin an epoch of a loader of one's own.
 *
 * Runs on the thread that takes batches.
 *
 * @param[out] out    owned; gives the batches. One of ctorch_iterator_from_stateful_callback can be gone on from.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the loader.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_loader_iterate_callback)(
    ctorch_iterator **out, ctorch_error **error, void *payload);

/**
 * A loader of one's own: any source of batches, such as ctorch_trainer_fit takes.
 *
 * @param[out] out  owned.
 * @param len       number of batches of an epoch, for ctorch_loader_len; NULL if it is not known.
 * @param iterate   called for each epoch.
 * @param destroy   called once with `payload` when the loader is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `iterate` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative length), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_from_callback(
    ctorch_loader **out,
    const int64_t *len,
    ctorch_loader_iterate_callback iterate,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_loader_retain(const ctorch_loader *self);

/**
 * Give a reference back; with the last one, persistent workers end. Iterators keep it alive.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_loader_release(ctorch_loader *self);

/**
 * Make batches in one's own way. It belongs to the making of a loader: no iterator of it may be alive.
 *
 * @param self        exclusive.
 * @param collate     called for each batch; NULL for data.default_collate.
 * @param may_thread  whether it may be called on any thread, and on several at once; otherwise it is called on the
 *                    thread that takes batches.
 * @param destroy     called once with `payload` when the loader is gone or has another, on whichever thread that is;
 *                    NULL if none. It is not called if this function fails.
 * @param payload     handed to `collate` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_set_collate(
    ctorch_loader *self,
    ctorch_loader_collate_callback collate,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call something when a worker begins. It belongs to the making of a loader: no iterator of it may be alive.
 *
 * @param self         exclusive.
 * @param worker_init  called once for each worker and iteration, or once for each persistent worker; NULL for nothing.
 * @param may_thread   whether it may be called on the worker's thread; otherwise it is called on the thread that takes
 *                     batches.
 * @param destroy      called once with `payload` when the loader is gone or has another, on whichever thread that is;
 *                     NULL if none. It is not called if this function fails.
 * @param payload      handed to `worker_init` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_set_worker_init(
    ctorch_loader *self,
    ctorch_loader_worker_callback worker_init,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Number of batches, or of samples of a loader that does not make batches (`len(loader)`).
 *
 * @param[out] out  the number; of an iterable dataset an estimate, as in Python.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (the sampler or the dataset does not know).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_len(int64_t *out, const ctorch_loader *self);

/**
 * Begin an epoch (`iter(loader)`): draw the base seed, and start workers, which begin to load.
 *
 * With persistent workers there is one iterator at a time: an earlier one that is still alive ends.
 *
 * @param[out] out  owned; keeps the loader alive, and gives the batches.
 * @param self      exclusive.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (no thread could be started), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_iterate(ctorch_iterator **out, ctorch_loader *self);

/**
 * Begin where an iterator of such a loader was. Nothing is drawn from the loader's generator. Where that was at its
 * end, there is no batch, and the next epoch is the one that would have come then.
 *
 * @param[out] out  owned; keeps the loader alive, and gives the batches.
 * @param self      exclusive.
 * @param state     borrowed; of ctorch_iterator_state_dict.
 * @return NULL, or NULL_ARGUMENT, TYPE, INDEX or VALUE (not such a state), RUNTIME (no thread could be started),
 *         OUT_OF_MEMORY, or what going through samples of an iterable dataset failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_iterate_from(
    ctorch_iterator **out, ctorch_loader *self, const ctorch_value *state);

/**
 * The worker that this thread is, or calls back for (`get_worker_info`).
 *
 * @param[out] out_worker       its number, from 0; -1 where no worker is at work, which is the case in a loader
 *                    without.
 * @param[out] out_num_workers  how many there are; 0 where no worker is at work.
 * @param[out] out_seed         the base seed and its number, added up; 0 where no worker is at work.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_worker_info(int64_t *out_worker, int64_t *out_num_workers, uint64_t *out_seed);

/**
 * Which side is slow: what a loader has done in all its iterations. If consumers waited much and workers did not, more
 * workers help; if workers waited, training is the slower side.
 *
 * @param[out] out_batches          batches that were handed out.
 * @param[out] out_consumer_waited  seconds that consumers waited for a batch, or made it themselves without workers.
 * @param[out] out_workers_waited   seconds that workers were idle, all of them added up.
 * @param[out] out_workers_worked   seconds that workers made batches, all of them added up.
 * @param self                      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_loader_statistics(
    int64_t *out_batches,
    double *out_consumer_waited,
    double *out_workers_waited,
    double *out_workers_worked,
    const ctorch_loader *self);

CTORCH_END_DECLS

#endif
