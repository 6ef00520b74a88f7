/**
 * Learning rate schedulers: what changes the learning rates of an optimizer from step to step
 * (`torch.optim.lr_scheduler`).
 *
 *     CTORCH_TRY(ctorch_lr_scheduler_CosineAnnealingLR(&scheduler, optimizer, 100, 0.0, -1));
 *     for (…) {
 *       …
 *       CTORCH_TRY(ctorch_optimizer_step(optimizer));
 *       CTORCH_TRY(ctorch_lr_scheduler_step(scheduler));
 *     }
 *
 * Most are made by the functions of generated/lr_scheduler.h, which have Python's names, arguments and defaults; those
 * that call back are made by functions below; and by name from values, ctorch_lr_scheduler_create makes all that need
 * neither callbacks nor other schedulers. Making one sets the first learning rates.
 *
 * A scheduler keeps its optimizer alive. What it knows are attributes under Python's names ("last_epoch", "base_lrs",
 * "_step_count" …), which are its state dict. In the optimizer's groups it reads and writes "lr", "initial_lr" and what
 * else Python has there; a learning rate that is a tensor is filled in place. Rates are computed in the order in which
 * Python computes them, so that they are the same to the last bit.
 *
 * A scheduler is exclusive to one thread at a time, with its optimizer.
 */
#ifndef CTORCH_LR_SCHEDULER_H
#define CTORCH_LR_SCHEDULER_H

#include "ctorch/abi/base.h"
#include "ctorch/autograd/hook.h"
#include "ctorch/optim/optimizer.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** What changes the learning rates of an optimizer. */
typedef struct ctorch_lr_scheduler ctorch_lr_scheduler;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_lr_scheduler_retain(const ctorch_lr_scheduler *self);

/**
 * Give a reference back; with the last one goes the reference to the optimizer.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_lr_scheduler_release(ctorch_lr_scheduler *self);

/**
 * Name of the class, as Python has it: "StepLR".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_lr_scheduler_name(const ctorch_lr_scheduler *self);

/* Making ----------------------------------------------------------------------------------------------------------- */

/**
 * Make a scheduler by the name of its class, from values: `getattr(torch.optim.lr_scheduler, name)(optimizer, *args,
 * **kwargs)`, SWALR included. Arguments that are a number or a list in Python, one for each group, may be either.
 *
 * @param[out] out   owned.
 * @param name       borrowed; "StepLR". What needs a callback or other schedulers is made by functions of its own.
 * @param optimizer  exclusive; it gets a reference.
 * @param args       borrowed; a tuple or list of positional arguments behind the optimizer. NULL for none.
 * @param kwargs     borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such class; Python's AttributeError; no
 *         "initial_lr" in a group although `last_epoch` is given), TYPE (arguments that it does not take, or lacks, or
 *         of another type), VALUE (an argument out of its range, or a list of another length than there are groups),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_create(
    ctorch_lr_scheduler **out,
    const char *name,
    ctorch_optimizer *optimizer,
    const ctorch_value *args,
    const ctorch_value *kwargs);

/**
 * Compute the factor of a group.
 *
 * @param[out] out    the factor.
 * @param group       number of the group, from 0; Python's list of functions has one for each.
 * @param epoch       the epoch.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the scheduler.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_lr_lambda_callback)(
    double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload);

/**
 * The initial learning rate times a factor that a function computes (`LambdaLR`).
 *
 * @param[out] out    owned.
 * @param optimizer   exclusive; it gets a reference.
 * @param lr_lambda   called in each step for each group, on the thread of the step.
 * @param destroy     called once with `payload` when the scheduler is gone, on whichever thread that is; NULL if none.
 *                    It is not called if this function fails.
 * @param payload     handed to `lr_lambda` and `destroy`; may be NULL.
 * @param last_epoch  -1 to begin.
 * @return NULL, or NULL_ARGUMENT, INDEX (no "initial_lr" in a group although `last_epoch` is given), OUT_OF_MEMORY, or
 *         what `lr_lambda` failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_lambda_lr(
    ctorch_lr_scheduler **out,
    ctorch_optimizer *optimizer,
    ctorch_lr_lambda_callback lr_lambda,
    void (*destroy)(void *payload),
    void *payload,
    int64_t last_epoch);

/**
 * The learning rate times a factor that a function computes, in each step anew (`MultiplicativeLR`).
 *
 * @param[out] out    owned.
 * @param optimizer   exclusive; it gets a reference.
 * @param lr_lambda   called in each step but the first for each group, on the thread of the step.
 * @param destroy     called once with `payload` when the scheduler is gone, on whichever thread that is; NULL if none.
 *                    It is not called if this function fails.
 * @param payload     handed to `lr_lambda` and `destroy`; may be NULL.
 * @param last_epoch  -1 to begin.
 * @return NULL, or NULL_ARGUMENT, INDEX (no "initial_lr" in a group although `last_epoch` is given), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_multiplicative_lr(
    ctorch_lr_scheduler **out,
    ctorch_optimizer *optimizer,
    ctorch_lr_lambda_callback lr_lambda,
    void (*destroy)(void *payload),
    void *payload,
    int64_t last_epoch);

/**
 * Scale the height of a cycle.
 *
 * @param[out] out    the factor.
 * @param x           the number of the cycle, from 1, or of the step, as `scale_mode` says.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the scheduler.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_lr_scale_callback)(double *out, double x, ctorch_error **error, void *payload);

/**
 * Cycles between two rates whose height a function scales (`CyclicLR` with `scale_fn`).
 *
 * @param[out] out        owned.
 * @param optimizer       exclusive; it gets a reference.
 * @param base_lr         borrowed; the lower rates, one for all groups or one for each.
 * @param base_lr_len     their number.
 * @param max_lr          borrowed; the upper rates, one for all groups or one for each.
 * @param max_lr_len      their number.
 * @param step_size_up    steps of the rising half.
 * @param step_size_down  borrowed; steps of the falling half. NULL for as many.
 * @param scale_fn        called in each step for each group, once more with `cycle_momentum`, on the thread of the
 *                        step.
 * @param destroy         called once with `payload` when the scheduler is gone, on whichever thread that is; NULL if
 *                        none. It is not called if this function fails.
 * @param payload         handed to `scale_fn` and `destroy`; may be NULL.
 * @param scale_mode      borrowed; "cycle" or "iterations": what `scale_fn` gets. NULL for "cycle".
 * @param cycle_momentum  cycle the momentum, or the first of the betas, against the rate.
 * @param base_momentum   the lower momentum.
 * @param max_momentum    the upper momentum.
 * @param last_epoch      -1 to begin.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no "initial_lr" in a group although `last_epoch`
 *         is given), VALUE (a list of another length than there are groups, an optimizer without momentum and betas),
 *         OUT_OF_MEMORY, or what `scale_fn` failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_cyclic_lr(
    ctorch_lr_scheduler **out,
    ctorch_optimizer *optimizer,
    const double *base_lr,
    size_t base_lr_len,
    const double *max_lr,
    size_t max_lr_len,
    int64_t step_size_up,
    const int64_t *step_size_down,
    ctorch_lr_scale_callback scale_fn,
    void (*destroy)(void *payload),
    void *payload,
    const char *scale_mode,
    bool cycle_momentum,
    double base_momentum,
    double max_momentum,
    int64_t last_epoch);

/* Steps ------------------------------------------------------------------------------------------------------------ */

/**
 * Set the next learning rates (`scheduler.step()`), after ctorch_optimizer_step.
 *
 * @param self  exclusive, with its optimizer.
 * @return NULL, or NULL_ARGUMENT, TYPE (ReduceLROnPlateau, which needs a metric; an attribute of another type), VALUE
 *         (more steps than OneCycleLR was made for; another number of groups than there was; a division by zero), INDEX
 *         (an option that a group has lost), OUT_OF_MEMORY, or what a callback failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_step(ctorch_lr_scheduler *self);

/**
 * Set the learning rates of an epoch (`scheduler.step(epoch)`): a fraction of one for CosineAnnealingWarmRestarts; for
 * others Python's way of old, which warns, and computes them in closed form where there is one.
 *
 * @param self   exclusive, with its optimizer.
 * @param epoch  the epoch.
 * @return NULL, or NULL_ARGUMENT, TYPE (ReduceLROnPlateau, SequentialLR and ChainedScheduler, which take none), VALUE
 *         (a negative epoch for CosineAnnealingWarmRestarts), or what ctorch_lr_scheduler_step returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_step_epoch(ctorch_lr_scheduler *self, double epoch);

/**
 * Tell ReduceLROnPlateau a metric, by which it lowers the learning rates or not (`scheduler.step(metrics)`).
 *
 * @param self    exclusive, with its optimizer.
 * @param metric  as a loss.
 * @return NULL, or NULL_ARGUMENT, TYPE (another scheduler), RUNTIME (groups that have no `min_lr`), OUT_OF_MEMORY, or
 *         what filling a tensor returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_step_metric(ctorch_lr_scheduler *self, double metric);

/* What it knows ---------------------------------------------------------------------------------------------------- */

/**
 * The learning rates that it set last (`scheduler.get_last_lr()`).
 *
 * @param[out] out  owned; a list with a number or tensor for each group. Tensors are copies of the optimizer's.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (a state without them was loaded), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_last_lr(ctorch_value **out, const ctorch_lr_scheduler *self);

/**
 * Compute the learning rates of this step anew (`scheduler.get_lr()`), with a warning, as in Python: what was set is
 * ctorch_lr_scheduler_last_lr. OneCycleLR and CyclicLR set the momentum with it.
 *
 * @param[out] out  owned; a list with a number or tensor for each group.
 * @param self      exclusive, with its optimizer.
 * @return NULL, or NULL_ARGUMENT, NOT_IMPLEMENTED (ReduceLROnPlateau, SequentialLR and ChainedScheduler), or what
 *         ctorch_lr_scheduler_step returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_get_lr(ctorch_value **out, ctorch_lr_scheduler *self);

/**
 * The number of the last epoch, or step (`scheduler.last_epoch`).
 *
 * @param[out] out  the number; a fraction is rounded down.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (ChainedScheduler, which has none; Python's AttributeError), TYPE (no number
 *         was loaded for it).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_last_epoch(int64_t *out, const ctorch_lr_scheduler *self);

/**
 * The optimizer whose learning rates it changes (`scheduler.optimizer`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_optimizer(ctorch_optimizer **out, const ctorch_lr_scheduler *self);

/**
 * An attribute under Python's name (`getattr(scheduler, name)`): "base_lrs", "T_cur", "num_bad_epochs" … .
 *
 * @param[out] out  owned; a list or dict is the very one.
 * @param self      borrowed.
 * @param name      borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such attribute; Python's AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_attribute(
    ctorch_value **out, const ctorch_lr_scheduler *self, const char *name);

/**
 * Change or add an attribute (`setattr(scheduler, name, value)`). What does not fit is an error of the next step.
 *
 * @param self   exclusive.
 * @param name   borrowed.
 * @param value  borrowed; what it holds is shared.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_set_attribute(
    ctorch_lr_scheduler *self, const char *name, const ctorch_value *value);

/**
 * All attributes, to be saved, as Python has them (`scheduler.state_dict()`); those of other schedulers that it steps
 * are in it. Callbacks are not: their places hold None, as those of functions do in Python.
 *
 * @param[out] out  owned; a dict of its own, whose lists are the scheduler's.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_state_dict(ctorch_value **out, const ctorch_lr_scheduler *self);

/**
 * Take attributes over from a state dict (`scheduler.load_state_dict`); those that it lacks stay, and those of no
 * meaning are kept. The optimizer is not touched: its own state dict has the learning rates.
 *
 * @param self        exclusive.
 * @param state_dict  borrowed; it stays as it is, and its lists are shared.
 * @return NULL, or NULL_ARGUMENT, TYPE (no dict of texts), INDEX (an entry that the class needs is missing, as
 *         "_schedulers"; Python's KeyError; or there are too many), VALUE (an unknown mode), OUT_OF_MEMORY. On failure
 *         the scheduler stays as it was.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_lr_scheduler_load_state_dict(ctorch_lr_scheduler *self, const ctorch_value *state_dict);

CTORCH_END_DECLS

#endif
