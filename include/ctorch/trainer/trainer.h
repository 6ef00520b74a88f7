/**
 * Trainers: the usual loop over batches, which a program may have written itself with the public functions.
 *
 *     CTORCH_TRY(ctorch_trainer_new(&trainer, model, optimizer));
 *     CTORCH_TRY(ctorch_trainer_set_loss(trainer, cross_entropy));
 *     CTORCH_TRY(ctorch_trainer_set_length(trainer, 10, 0));
 *     CTORCH_TRY(ctorch_trainer_set_validation(trainer, validation, 0));
 *     CTORCH_TRY(ctorch_trainer_fit(trainer, loader));
 *
 * What it does, in Python's words:
 *
 *     for epoch in range(epochs):
 *         model.train()
 *         for batch in loader:
 *             with autocast: loss = step(model, batch)
 *             scaler.scale(loss / accumulation).backward()
 *             if accumulation batches are through, or the epoch is:
 *                 scaler.unscale_(optimizer); clip_grad_norm_(parameters, …)    # where they are wanted
 *                 scaler.step(optimizer); scaler.update()
 *                 optimizer.zero_grad()
 *                 scheduler.step()                                             # if it is one of steps
 *         scheduler.step()                                                     # if it is one of epochs
 *         validate, keep the history, stop early, save a snapshot
 *
 * A batch is a list or tuple of inputs and, at its end, the target: the loss is that of ctorch_trainer_set_loss, called
 * with what the model gives for the inputs and with the target. ctorch_trainer_set_step takes batches of any form.
 *
 * What it knows of a run are metrics by name: "loss", the mean over the batches of an epoch, what
 * ctorch_trainer_add_metric adds, a mean over samples, what ctorch_trainer_add_accumulated_metric adds, and of
 * validation the same with "val_" before it.
 *
 * A trainer is exclusive to one thread at a time, but for ctorch_trainer_stop. Its callbacks run on the thread of
 * ctorch_trainer_fit, and may call its other functions.
 */
#ifndef CTORCH_TRAINER_H
#define CTORCH_TRAINER_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/data/loader.h"
#include "ctorch/lr_scheduler/lr_scheduler.h"
#include "ctorch/metrics/metric.h"
#include "ctorch/module/module.h"
#include "ctorch/optim/grad_scaler.h"
#include "ctorch/optim/optimizer.h"
#include "ctorch/snapshots/snapshots.h"
#include "ctorch/tensorboard/logger.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A loop of training. */
typedef struct ctorch_trainer ctorch_trainer;

/** Where in the loop a callback is called. */
typedef int32_t ctorch_trainer_event;
enum {
  /** Before the first epoch, after a snapshot was loaded. */
  CTORCH_TRAINER_EVENT_BEGIN = 0,
  /** Before the first batch of an epoch; not where one goes on in the middle of it. */
  CTORCH_TRAINER_EVENT_EPOCH_BEGIN = 1,
  /** After each batch's backward pass. */
  CTORCH_TRAINER_EVENT_BATCH_END = 2,
  /** Gradients are complete, and not clipped yet. */
  CTORCH_TRAINER_EVENT_GRADIENTS = 3,
  /** After each step of the optimizer. */
  CTORCH_TRAINER_EVENT_STEP = 4,
  /** After each validation. */
  CTORCH_TRAINER_EVENT_VALIDATION = 5,
  /** After an epoch's validation, before its snapshot. */
  CTORCH_TRAINER_EVENT_EPOCH_END = 6,
  /** After a snapshot was saved. */
  CTORCH_TRAINER_EVENT_SNAPSHOT = 7,
  /** After the last epoch, or when it was stopped. */
  CTORCH_TRAINER_EVENT_END = 8
};

/** What is written to the standard error stream while it trains. */
typedef int32_t ctorch_trainer_progress;
enum {
  CTORCH_TRAINER_PROGRESS_NONE = 0,
  /** A line for each epoch. */
  CTORCH_TRAINER_PROGRESS_LINES = 1,
  /** A line that changes, with the rate, the time left and a curve of the loss, and stays at the end of the epoch. */
  CTORCH_TRAINER_PROGRESS_LIVE = 2,
  /** The latter on a terminal, lines otherwise. */
  CTORCH_TRAINER_PROGRESS_AUTO = 3
};

/**
 * Compute the loss of a batch.
 *
 * @param[out] out    owned; the loss, of one element, with a graph while it trains.
 * @param trainer     exclusive.
 * @param module      exclusive; the model.
 * @param batch       borrowed.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_trainer_step_callback)(
    ctorch_tensor **out,
    ctorch_trainer *trainer,
    ctorch_module *module,
    const ctorch_value *batch,
    ctorch_error **error,
    void *payload);

/**
 * Compute a metric of a batch.
 *
 * @param[out] out    its mean over the samples of the batch.
 * @param output      borrowed; what the model gave.
 * @param batch       borrowed.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_trainer_metric_callback)(
    double *out, const ctorch_value *output, const ctorch_value *batch, ctorch_error **error, void *payload);

/**
 * Do something at some point of the loop.
 *
 * @param trainer     exclusive.
 * @param event       which point it is.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise; it ends the loop.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_trainer_event_callback)(
    ctorch_trainer *trainer, ctorch_trainer_event event, ctorch_error **error, void *payload);

/**
 * A trainer of one epoch, without anything else.
 *
 * @param[out] out   owned.
 * @param module     borrowed, gets a reference; the model.
 * @param optimizer  borrowed, gets a reference; of the model's parameters.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_new(ctorch_trainer **out, ctorch_module *module, ctorch_optimizer *optimizer);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_trainer_retain(const ctorch_trainer *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_trainer_release(ctorch_trainer *self);

/* What it does ----------------------------------------------------------------------------------------------------- */

/**
 * Compute the loss by a module, such as ctorch_nn_CrossEntropyLoss: `loss(model(*inputs), target)`.
 *
 * @param self  exclusive.
 * @param loss  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_loss(ctorch_trainer *self, ctorch_module *loss);

/**
 * Compute the loss in one's own way, in training and in validation.
 *
 * @param self     exclusive.
 * @param step     called for each batch; NULL for the loss of a module again.
 * @param destroy  called once with `payload` when the trainer is gone or has another, on whichever thread that is; NULL
 *                 if none. It is not called if this function fails.
 * @param payload  handed to `step` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_step(
    ctorch_trainer *self, ctorch_trainer_step_callback step, void (*destroy)(void *payload), void *payload);

/**
 * Compute a metric of each batch of training and validation: the mean over samples becomes that of the epoch.
 *
 * It sees what the model gave, so it takes the loss of a module.
 *
 * @param self     exclusive.
 * @param name     borrowed; UTF-8, other than those of other metrics.
 * @param metric   called for each batch, without recording gradients; NULL for the share of targets that are the index
 *                 of the greatest of the outputs, as "accuracy" is.
 * @param destroy  called once with `payload` when the trainer is gone, on whichever thread that is; NULL if none. It is
 *                 not called if this function fails.
 * @param payload  handed to `metric` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (the name is taken), RUNTIME (it is at work),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_add_metric(
    ctorch_trainer *self,
    const char *name,
    ctorch_trainer_metric_callback metric,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Accumulate a metric over the batches of each epoch (metric.h): of what the model gave and the target, which are its
 * inputs. It begins anew with each epoch and each validation, which have a copy each.
 *
 * Where its result is not one number, each has a name of its own: behind the name and "/", the key of a dict, or the
 * number of an entry of a tuple, list or tensor of one dimension.
 *
 * It sees what the model gave, so it takes the loss of a module.
 *
 * @param self    exclusive.
 * @param name    borrowed; UTF-8, other than those of other metrics.
 * @param metric  borrowed; copied, without what it has accumulated.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (the name is taken), RUNTIME (it is at work),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_add_accumulated_metric(
    ctorch_trainer *self, const char *name, const ctorch_metric *metric);

/**
 * How long it trains: whatever comes first.
 *
 * @param self    exclusive.
 * @param epochs  number of epochs; 0 for no limit.
 * @param steps   number of steps of the optimizer; 0 for no limit.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative number, no limit at all), RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_length(ctorch_trainer *self, int64_t epochs, int64_t steps);

/**
 * Step after several batches, whose losses are divided by their number. At the end of an epoch it steps with what there
 * is.
 *
 * @param self     exclusive.
 * @param batches  at least 1.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (below 1), RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_accumulation(ctorch_trainer *self, int64_t batches);

/**
 * Compute losses under autocast (`torch.autocast`), in training and in validation.
 *
 * @param self         exclusive.
 * @param device_type  of the operators that are cast.
 * @param enabled      whether to.
 * @param dtype        borrowed; NULL for what the device prefers.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such type, no autocast for it), RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_autocast(
    ctorch_trainer *self, ctorch_device_type device_type, bool enabled, const ctorch_dtype *dtype);

/**
 * Scale losses and step through a gradient scaler.
 *
 * @param self    exclusive.
 * @param scaler  borrowed, gets a reference; NULL for none.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_grad_scaler(ctorch_trainer *self, ctorch_grad_scaler *scaler);

/**
 * Clip gradients before each step: utils.clip_grad_norm_, then utils.clip_grad_value_, of the model's parameters.
 *
 * @param self        exclusive.
 * @param max_norm    greatest norm; 0 for no clipping by norm.
 * @param norm_type   its order, such as 2; infinity is allowed.
 * @param clip_value  greatest absolute value; 0 for no clipping by value.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative number, or none), RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_clipping(
    ctorch_trainer *self, double max_norm, double norm_type, double clip_value);

/**
 * Step a scheduler of learning rates. ReduceLROnPlateau is told a metric, those of epochs after validation.
 *
 * @param self       exclusive.
 * @param scheduler  borrowed, gets a reference; NULL for none.
 * @param each_step  whether it is stepped after each step of the optimizer; otherwise after each epoch.
 * @param metric     borrowed; what ReduceLROnPlateau is told; NULL for "val_loss", or "loss" without validation.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (it is at work), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_lr_scheduler(
    ctorch_trainer *self, ctorch_lr_scheduler *scheduler, bool each_step, const char *metric);

/**
 * Validate: compute the mean loss and the metrics of another loader, in evaluation mode and without gradients.
 *
 * @param self         exclusive.
 * @param loader       borrowed, gets a reference; NULL for none.
 * @param every_steps  after so many steps of the optimizer, besides the ends of epochs; 0 for those alone.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative number), RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_validation(
    ctorch_trainer *self, ctorch_loader *loader, int64_t every_steps);

/**
 * Stop when a metric has not become better for some epochs.
 *
 * @param self       exclusive.
 * @param metric     borrowed; its name, such as "val_loss"; NULL for no early stopping.
 * @param maximize   whether more is better.
 * @param patience   epochs without anything better before it stops; at least 0.
 * @param min_delta  by how much it has to be better; at least 0.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, a negative number), RUNTIME (it is at work),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_early_stopping(
    ctorch_trainer *self, const char *metric, bool maximize, int64_t patience, double min_delta);

/**
 * Save snapshots: after each epoch, after so many steps, and when it is stopped; and resume from the last one when it
 * begins. The model, the optimizer, what else it uses, where it is and its history are added to them, as parts whose
 * names begin with "trainer."; generators are saved by themselves.
 *
 * ctorch_snapshots_set_keep says what is kept; it sees the metric of each epoch.
 *
 * @param self         exclusive.
 * @param snapshots    borrowed, gets a reference; NULL for none. Those of one trainer.
 * @param every_steps  after so many steps of the optimizer, besides the ends of epochs; 0 for those alone.
 * @param metric       borrowed; the metric by which the best are kept; NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8, a negative number), RUNTIME (it is at work),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_snapshots(
    ctorch_trainer *self, ctorch_snapshots *snapshots, int64_t every_steps, const char *metric);

/**
 * Capture steps, and replay them (tape.h): the forward and backward pass, clipping and the optimizer's step as one,
 * which saves small models most of the time. Losses and parameters are the same, bit for bit.
 *
 * There is a tape for each form of a batch, which is a list of tensors of the CPU: the first of a form is trained as
 * ever, the second is captured. The optimizer is one that has fused kernels (SGD, Adam, AdamW); its rate may change
 * between steps. Batches are not accumulated, there is no scaler and no callback of GRADIENTS, and BATCH_END comes
 * after the optimizer's step. A step of one's own (ctorch_trainer_set_step) is noted as it runs when it is captured.
 * ctorch_trainer_fit fails with UNSUPPORTED where the model cannot be captured.
 *
 * @param self  exclusive.
 * @param most  as many tapes are kept, those that were used last; 0 for none, at most 1024.
 * @param fast  as for ctorch_tape_begin: losses may then differ in the last digits.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`most`), RUNTIME (the trainer is at work), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_tape(ctorch_trainer *self, int64_t most, bool fast);

/**
 * Show how far it is.
 *
 * @param self      exclusive.
 * @param progress  how; CTORCH_TRAINER_PROGRESS_NONE until something else is said.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (an unknown number), RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_progress(ctorch_trainer *self, ctorch_trainer_progress progress);

/**
 * Let SIGINT (Ctrl-C) stop it as ctorch_trainer_stop does, while ctorch_trainer_fit runs. A second one ends the
 * process.
 *
 * @param self           exclusive.
 * @param interruptible  whether to; false until it is said.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (it is at work).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_set_interruptible(ctorch_trainer *self, bool interruptible);

/**
 * Call something at a point of the loop. Callbacks of one point are called in the order in which they were added.
 *
 * @param self      exclusive.
 * @param event     which point.
 * @param callback  called there.
 * @param destroy   called once with `payload` when the trainer is gone, on whichever thread that is; NULL if none. It
 *                  is not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (an unknown event), RUNTIME (it is at work), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_add_callback(
    ctorch_trainer *self,
    ctorch_trainer_event event,
    ctorch_trainer_event_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Log what it knows (logger.h). After each epoch, at the step of the optimizer: "epoch", "loss/train", a
 * "<metric>/train" for each metric, the same with "/val" of the validation, "lr" (of several groups "lr/0", "lr/1"
 * …), "epoch_seconds", "batches_per_second" and, where metrics count them, "samples_per_second". After so many steps
 * "loss/step", the loss of the last batch. The logger is flushed before each snapshot and at the end.
 *
 * @param self         exclusive.
 * @param logger       borrowed, gets a reference.
 * @param every_steps  after so many steps of the optimizer; 0 for epochs alone.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a negative number), RUNTIME (it is at work), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_add_logger(ctorch_trainer *self, ctorch_logger *logger, int64_t every_steps);

/* Training --------------------------------------------------------------------------------------------------------- */

/**
 * Train until the length is reached, it is stopped, or something fails. Called again, it goes on where it was: after
 * ctorch_trainer_set_length for longer.
 *
 * @param self    exclusive.
 * @param loader  exclusive; gives the batches of each epoch.
 * @return NULL, or NULL_ARGUMENT, VALUE (neither a loss nor a step; a batch that is no list of inputs and a target; a
 *         metric that nobody computes; an epoch without batches; snapshots of another trainer), RUNTIME (it is at
 *         work), or what a batch, the model, a callback or a snapshot failed with. Then it may be called again.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_fit(ctorch_trainer *self, ctorch_loader *loader);

/**
 * Compute the mean loss and the metrics over a loader, in evaluation mode and without gradients.
 *
 * @param[out] out  owned; a dict from names to numbers.
 * @param self      exclusive.
 * @param loader    exclusive.
 * @return NULL, or NULL_ARGUMENT, and what ctorch_trainer_fit fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_evaluate(ctorch_value **out, ctorch_trainer *self, ctorch_loader *loader);

/**
 * Let it stop after the step that it is at, with a snapshot if it has any. May be called on any thread, and in a signal
 * handler.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_trainer_stop(const ctorch_trainer *self);

/* What it knows ---------------------------------------------------------------------------------------------------- */

/**
 * Number of epochs that are over.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API int64_t ctorch_trainer_epoch(const ctorch_trainer *self);

/**
 * Number of steps of the optimizer so far.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API int64_t ctorch_trainer_step(const ctorch_trainer *self);

/**
 * Whether it ended because it was stopped: by ctorch_trainer_stop, SIGINT or early stopping.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_trainer_stopped(const ctorch_trainer *self);

/**
 * The loss of the last batch.
 *
 * @param[out] out  the loss.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, VALUE (there was none yet).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_loss(double *out, const ctorch_trainer *self);

/**
 * The metrics of each epoch that is over.
 *
 * @param[out] out  owned; a list of dicts with "epoch", "step", "loss" and so on.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_trainer_history(ctorch_value **out, const ctorch_trainer *self);

CTORCH_END_DECLS

#endif
