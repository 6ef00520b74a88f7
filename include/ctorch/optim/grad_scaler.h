/**
 * Gradient scaling: a loss is multiplied by a factor before backward, so that gradients of 16 bits do not vanish, and
 * the gradients are divided by it before the optimizer steps (`torch.amp.GradScaler`).
 *
 *     CTORCH_TRY(ctorch_grad_scaler_new(&scaler, "cuda", 65536, 2, 0.5, 2000, true));
 *     for (…) {
 *       CTORCH_TRY(ctorch_optimizer_zero_grad(optimizer, true));
 *       …
 *       CTORCH_TRY(ctorch_grad_scaler_scale(&scaled, scaler, loss));
 *       CTORCH_TRY(ctorch_tensor_backward(scaled, NULL, NULL, false));
 *       CTORCH_TRY(ctorch_grad_scaler_unscale_(scaler, optimizer));       // to clip gradients, say; or left away
 *       CTORCH_TRY(ctorch_grad_scaler_step(scaler, optimizer));
 *       CTORCH_TRY(ctorch_grad_scaler_update(scaler, NULL));
 *     }
 *
 * A step whose gradients are not all finite is left out, and the update then lowers the factor; after
 * `growth_interval` steps without such it raises it. To accumulate gradients, step and update after the last backward
 * alone. With several optimizers there is one scaler, and one update after all have stepped.
 *
 * A scaler is exclusive to one thread at a time.
 */
#ifndef CTORCH_GRAD_SCALER_H
#define CTORCH_GRAD_SCALER_H

#include "ctorch/abi/base.h"
#include "ctorch/optim/optimizer.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** What scales a loss, and the gradients back. */
typedef struct ctorch_grad_scaler ctorch_grad_scaler;

/**
 * Make a scaler (`GradScaler(...)`). One for CUDA where there is none is disabled, with a warning.
 *
 * @param[out] out         owned.
 * @param device           borrowed; type of the device, "cuda" or "cpu". NULL for "cuda".
 * @param init_scale       the first factor; 65536 in Python.
 * @param growth_factor    by which the factor is raised, above 1; 2 in Python.
 * @param backoff_factor   by which the factor is lowered, below 1; 0.5 in Python.
 * @param growth_interval  steps with finite gradients after which the factor is raised; 2000 in Python.
 * @param enabled          false for a scaler that leaves losses and gradients as they are.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`device` is not UTF-8), VALUE (a growth of at most 1, a backoff of
 *         at least 1), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_new(
    ctorch_grad_scaler **out,
    const char *device,
    double init_scale,
    double growth_factor,
    double backoff_factor,
    int64_t growth_interval,
    bool enabled);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_grad_scaler_retain(const ctorch_grad_scaler *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_grad_scaler_release(ctorch_grad_scaler *self);

/**
 * Multiply a tensor by the factor (`scaler.scale(outputs)`).
 *
 * @param[out] out  owned; the very tensor if the scaler is disabled.
 * @param self      exclusive.
 * @param outputs   borrowed; a loss.
 * @return NULL, or NULL_ARGUMENT, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_scale(
    ctorch_tensor **out, ctorch_grad_scaler *self, const ctorch_tensor *outputs);

/**
 * Multiply all tensors in lists, tuples and dicts by the factor.
 *
 * @param[out] out  owned; of the same form.
 * @param self      exclusive.
 * @param outputs   borrowed; it stays as it is.
 * @return NULL, or NULL_ARGUMENT, VALUE (something else than tensors in it, or too deep), OUT_OF_MEMORY, or what an
 *         operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_scale_value(
    ctorch_value **out, ctorch_grad_scaler *self, const ctorch_value *outputs);

/**
 * Divide the gradients of an optimizer's parameters by the factor (`scaler.unscale_(optimizer)`), to look at them or to
 * clip them before ctorch_grad_scaler_step, which does it otherwise.
 *
 * @param self       exclusive.
 * @param optimizer  exclusive, with the gradients of its parameters.
 * @return NULL, or NULL_ARGUMENT, VALUE (nothing was scaled yet, Python's AssertionError; gradients of float16),
 *         RUNTIME (they have been divided since the last update, or the optimizer has stepped), OUT_OF_MEMORY, or what
 *         an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_unscale_(ctorch_grad_scaler *self, ctorch_optimizer *optimizer);

/**
 * Let an optimizer step if its gradients, divided by the factor, are finite (`scaler.step(optimizer)`).
 *
 * @param self       exclusive.
 * @param optimizer  exclusive, with its parameters.
 * @return NULL, or NULL_ARGUMENT, VALUE (nothing was scaled yet, or no parameter has a gradient: Python's
 *         AssertionError; gradients of float16), RUNTIME (it has stepped since the last update), OUT_OF_MEMORY, or what
 *         ctorch_optimizer_step returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_step(ctorch_grad_scaler *self, ctorch_optimizer *optimizer);

/**
 * The same with a function that computes the loss, for which a scaler has to be disabled
 * (`scaler.step(optimizer, closure=closure)`).
 *
 * @param[out] out   owned; the loss that `closure` gave first. NULL if it is not wanted.
 * @param self       exclusive.
 * @param optimizer  exclusive, with its parameters.
 * @param closure    called on this thread, with gradients enabled.
 * @param payload    handed to `closure`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (the scaler is enabled), or what ctorch_optimizer_step_closure returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_step_closure(
    ctorch_tensor **out,
    ctorch_grad_scaler *self,
    ctorch_optimizer *optimizer,
    ctorch_optimizer_closure closure,
    void *payload);

/**
 * Raise or lower the factor by what the steps since the last update found, or set it (`scaler.update(new_scale)`).
 *
 * @param self       exclusive.
 * @param new_scale  borrowed; another factor. NULL for what the steps found.
 * @return NULL, or NULL_ARGUMENT, VALUE (nothing was scaled yet, or nothing stepped: Python's AssertionError), or what
 *         an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_update(ctorch_grad_scaler *self, const double *new_scale);

/**
 * Set the factor to that in a tensor (`scaler.update(tensor)`), without waiting for its device.
 *
 * @param self       exclusive.
 * @param new_scale  borrowed; of one element, on a device of the scaler's type, without a gradient.
 * @return NULL, or NULL_ARGUMENT, VALUE (nothing was scaled yet, or another tensor: Python's AssertionError), or what
 *         an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_update_tensor(ctorch_grad_scaler *self, const ctorch_tensor *new_scale);

/**
 * The factor (`scaler.get_scale()`), read from its device.
 *
 * @param[out] out  the factor; 1 if the scaler is disabled.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, or what reading a tensor returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_get_scale(double *out, const ctorch_grad_scaler *self);

/**
 * By what the factor is raised (`scaler.get_growth_factor()`).
 *
 * @param[out] out  above 1, unless it was set otherwise.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (disabled, and none was set; Python's AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_get_growth_factor(double *out, const ctorch_grad_scaler *self);

/**
 * Change by what the factor is raised (`scaler.set_growth_factor(new_factor)`).
 *
 * @param self        exclusive.
 * @param new_factor  not checked, as in Python.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_set_growth_factor(ctorch_grad_scaler *self, double new_factor);

/**
 * By what the factor is lowered (`scaler.get_backoff_factor()`).
 *
 * @param[out] out  below 1, unless it was set otherwise.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (disabled, and none was set; Python's AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_get_backoff_factor(double *out, const ctorch_grad_scaler *self);

/**
 * Change by what the factor is lowered (`scaler.set_backoff_factor(new_factor)`).
 *
 * @param self        exclusive.
 * @param new_factor  not checked, as in Python.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_set_backoff_factor(ctorch_grad_scaler *self, double new_factor);

/**
 * Steps with finite gradients after which the factor is raised (`scaler.get_growth_interval()`).
 *
 * @param[out] out  their number.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (disabled, and none was set; Python's AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_get_growth_interval(int64_t *out, const ctorch_grad_scaler *self);

/**
 * Change after how many steps the factor is raised (`scaler.set_growth_interval(new_interval)`).
 *
 * @param self          exclusive.
 * @param new_interval  not checked, as in Python.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_set_growth_interval(ctorch_grad_scaler *self, int64_t new_interval);

/**
 * Whether it scales (`scaler.is_enabled()`).
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_grad_scaler_is_enabled(const ctorch_grad_scaler *self);

/**
 * What is to be saved (`scaler.state_dict()`), as Python has it: {"scale": …, "growth_factor": …, "backoff_factor": …,
 * "growth_interval": …, "_growth_tracker": …}. Best after an update.
 *
 * @param[out] out  owned; an empty dict if the scaler is disabled.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY, or what reading a tensor returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_state_dict(ctorch_value **out, const ctorch_grad_scaler *self);

/**
 * Take over what was saved (`scaler.load_state_dict`). A disabled scaler stays as it is.
 *
 * @param self        exclusive.
 * @param state_dict  borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (no dict, or an entry of another type), RUNTIME (an empty dict, as of a disabled
 *         scaler), INDEX (an entry is missing; Python's KeyError), or what filling a tensor returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_scaler_load_state_dict(ctorch_grad_scaler *self, const ctorch_value *state_dict);

CTORCH_END_DECLS

#endif
