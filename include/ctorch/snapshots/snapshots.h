/**
 * Snapshots: everything that a training run needs to go on after it was interrupted, saved again and again.
 *
 *     ctorch_snapshots *snapshots = NULL;
 *     int64_t epoch = 0, step = 0;
 *     CTORCH_TRY(ctorch_snapshots_open(&snapshots, "run"));
 *     CTORCH_TRY(ctorch_snapshots_add_module(snapshots, "model", model));
 *     CTORCH_TRY(ctorch_snapshots_add_optimizer(snapshots, "optimizer", optimizer));
 *     CTORCH_TRY(ctorch_snapshots_set_every(snapshots, 1000));
 *     CTORCH_TRY(ctorch_snapshots_resume(NULL, &epoch, &step, snapshots, NULL));   // where it was, or 0
 *     for (; step < steps; step++) {
 *       …
 *       CTORCH_TRY(ctorch_snapshots_step(NULL, snapshots, epoch, step + 1, NULL)); // saves after every 1,000 steps
 *     }
 *
 * A snapshot is a file of a folder, "snapshot-000000001000.pt" for step 1000, which `torch.load` reads: a dict with
 * "epoch", "step", "metric", "generators" (the states of the default generators of all devices, by device), and
 * "parts", the states by the names under which they were added. It is complete or not there, whenever the process or
 * the machine dies. A run that goes on from one computes, bit by bit, what it would have computed.
 *
 * Not saved are gradients: a step is over when a snapshot is taken.
 *
 * Such an object is exclusive to one thread at a time.
 */
#ifndef CTORCH_SNAPSHOTS_H
#define CTORCH_SNAPSHOTS_H

#include "ctorch/abi/base.h"
#include "ctorch/lr_scheduler/lr_scheduler.h"
#include "ctorch/module/module.h"
#include "ctorch/optim/grad_scaler.h"
#include "ctorch/optim/optimizer.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A folder of snapshots, and what they are taken of. */
typedef struct ctorch_snapshots ctorch_snapshots;

/**
 * Give the state of something of the caller's, such as where a loader is.
 *
 * Runs on the thread that saves.
 *
 * @param[out] out    owned; whatever ctorch_serialization_save takes. It must not change after the call, unless it is
 *                    made of tensors, which are copied.
 * @param[out] error  owned; NULL for success.
 * @param payload     of the part.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_snapshots_save_callback)(
    ctorch_value **out, ctorch_error **error, void *payload);

/**
 * Take a state over.
 *
 * Runs on the thread that resumes.
 *
 * @param state       borrowed for the call; what the other callback gave.
 * @param[out] error  owned; NULL for success.
 * @param payload     of the part.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_snapshots_load_callback)(
    const ctorch_value *state, ctorch_error **error, void *payload);

/**
 * Use a folder, which is made if it is not there. All snapshots are kept, and saved by ctorch_snapshots_save alone,
 * until something else is said.
 *
 * @param[out] out  owned.
 * @param folder    borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, empty), IO (names the folder), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_open(ctorch_snapshots **out, const char *folder);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_snapshots_retain(const ctorch_snapshots *self);

/**
 * Give a reference back. The last one waits for a snapshot that is being written.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_snapshots_release(ctorch_snapshots *self);

/**
 * Save a module: its state dict.
 *
 * @param self    exclusive.
 * @param name    borrowed; UTF-8, other than those of other parts.
 * @param module  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (the name is taken), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_add_module(ctorch_snapshots *self, const char *name, ctorch_module *module);

/**
 * Save an optimizer: its state dict.
 *
 * @param self       exclusive.
 * @param name       borrowed; UTF-8, other than those of other parts.
 * @param optimizer  borrowed, gets a reference.
 * @return as of ctorch_snapshots_add_module.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_add_optimizer(
    ctorch_snapshots *self, const char *name, ctorch_optimizer *optimizer);

/**
 * Save a scheduler: its state dict. What a lambda of the caller's remembers is the caller's.
 *
 * @param self       exclusive.
 * @param name       borrowed; UTF-8, other than those of other parts.
 * @param scheduler  borrowed, gets a reference.
 * @return as of ctorch_snapshots_add_module.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_add_lr_scheduler(
    ctorch_snapshots *self, const char *name, ctorch_lr_scheduler *scheduler);

/**
 * Save a gradient scaler: its state dict.
 *
 * @param self    exclusive.
 * @param name    borrowed; UTF-8, other than those of other parts.
 * @param scaler  borrowed, gets a reference.
 * @return as of ctorch_snapshots_add_module.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_add_grad_scaler(
    ctorch_snapshots *self, const char *name, ctorch_grad_scaler *scaler);

/**
 * Save a generator of random numbers beside the default ones, which are saved anyhow.
 *
 * @param self       exclusive.
 * @param name       borrowed; UTF-8, other than those of other parts.
 * @param generator  borrowed, gets a reference.
 * @return as of ctorch_snapshots_add_module.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_add_generator(
    ctorch_snapshots *self, const char *name, ctorch_generator *generator);

/**
 * Save a dict of the caller's. Resuming puts what was saved into that very dict, in the place of what is in it.
 *
 * @param self   exclusive.
 * @param name   borrowed; UTF-8, other than those of other parts.
 * @param value  borrowed, shared: what is in it when a snapshot is taken is saved. A dict.
 * @return as of ctorch_snapshots_add_module, or TYPE (not a dict).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_add_value(ctorch_snapshots *self, const char *name, ctorch_value *value);

/**
 * Save what a callback gives.
 *
 * @param self     exclusive.
 * @param name     borrowed; UTF-8, other than those of other parts.
 * @param save     see its type.
 * @param load     see its type.
 * @param destroy  called once with `payload` when the object is gone; NULL for nothing.
 * @param payload  handed to the callbacks; may be NULL.
 * @return as of ctorch_snapshots_add_module.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_add_callback(
    ctorch_snapshots *self,
    const char *name,
    ctorch_snapshots_save_callback save,
    ctorch_snapshots_load_callback load,
    void (*destroy)(void *payload),
    void *payload);

/**
 * When ctorch_snapshots_step saves.
 *
 * @param self   exclusive.
 * @param steps  after every so many steps; 0 for never.
 * @return NULL, or NULL_ARGUMENT, VALUE (negative).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_set_every(ctorch_snapshots *self, int64_t steps);

/**
 * Which snapshots are kept: those that belong to neither are removed when another one is complete.
 *
 * @param self       exclusive.
 * @param last       the newest so many; 0 for none but the one just saved, -1 for all.
 * @param best       the best so many by their metric; 0 for none.
 * @param maximize   whether a larger metric is a better one. A snapshot without metric, or with NaN, is the worst; of
 *                   equal ones the newer is better.
 * @return NULL, or NULL_ARGUMENT, VALUE (other negative numbers).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_set_keep(ctorch_snapshots *self, int64_t last, int64_t best, bool maximize);

/**
 * Write on another thread. Saving then takes as long as copying what is saved; one snapshot is written at a time, and
 * the next one waits for it. What writing failed with, the next ctorch_snapshots_step, _save or _wait answers.
 *
 * @param self     exclusive.
 * @param enabled  whether to; false at first.
 * @return NULL, or NULL_ARGUMENT, or what a snapshot that was being written failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_set_async(ctorch_snapshots *self, bool enabled);

/**
 * Say that a step is over: save if it is time to.
 *
 * @param[out] out  whether a snapshot was taken; may be NULL.
 * @param self      exclusive, with its parts.
 * @param epoch     to be found again by ctorch_snapshots_resume.
 * @param step      steps that are done, since the beginning of the first run.
 * @param metric    borrowed; by what snapshots are compared. NULL for none.
 * @return NULL, or what ctorch_snapshots_save answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_step(
    bool *out, ctorch_snapshots *self, int64_t epoch, int64_t step, const double *metric);

/**
 * Save now. A snapshot of the same step is replaced.
 *
 * @param self    exclusive, with its parts.
 * @param epoch   to be found again by ctorch_snapshots_resume.
 * @param step    steps that are done, at least 0.
 * @param metric  borrowed; by what snapshots are compared. NULL for none.
 * @return NULL, or NULL_ARGUMENT, VALUE (a negative step), IO (names the file; the snapshots that were there stay),
 *         UNSUPPORTED (a part's state cannot be written), OUT_OF_MEMORY, or what a part failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_save(
    ctorch_snapshots *self, int64_t epoch, int64_t step, const double *metric);

/**
 * Wait until what is being written is written.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, or what writing failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_wait(ctorch_snapshots *self);

/**
 * Go on where a snapshot was taken: every part takes its state over, and so do the default generators of the devices
 * that are there.
 *
 * @param[out] out        whether there was a snapshot; may be NULL. If not, nothing is changed.
 * @param[out] out_epoch  the epoch that was saved; may be NULL. Untouched without a snapshot.
 * @param[out] out_step   the steps that were done; may be NULL. Untouched without a snapshot.
 * @param self            exclusive, with its parts.
 * @param which           borrowed; "last", "best", or the path of a snapshot. NULL for "last".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), FORMAT (not a snapshot, damaged), INDEX (it has no
 *         state of a part; says which), IO, or what a part failed with: the parts before it have taken theirs then.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_resume(
    bool *out, int64_t *out_epoch, int64_t *out_step, ctorch_snapshots *self, const char *which);

/**
 * How many snapshots the folder has, as far as this object knows: those that were there when it was opened, and its
 * own.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_snapshots_len(const ctorch_snapshots *self);

/**
 * The step of a snapshot.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0, the oldest.
 * @return -1 beyond the end.
 */
CTORCH_API int64_t ctorch_snapshots_step_of(const ctorch_snapshots *self, size_t index);

/**
 * The metric of a snapshot.
 *
 * @param[out] out  NaN if it has none, or its file cannot be read.
 * @param self      borrowed.
 * @param index     from 0, the oldest.
 * @return NULL, or NULL_ARGUMENT, INDEX, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_metric(double *out, const ctorch_snapshots *self, size_t index);

/**
 * The path of a snapshot.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param index     from 0, the oldest.
 * @return NULL, or NULL_ARGUMENT, INDEX, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_snapshots_path(ctorch_string **out, const ctorch_snapshots *self, size_t index);

CTORCH_END_DECLS

#endif
