/**
 * Hooks of optimizers: functions that are called around a step, and when the state is saved or loaded. Each is
 * registered for one optimizer, those of steps also for all; ctorch_hook_remove takes it out again.
 *
 * A payload that holds a reference to its own optimizer keeps both alive until the hook is removed.
 */
#ifndef CTORCH_OPTIMIZER_HOOKS_H
#define CTORCH_OPTIMIZER_HOOKS_H

#include "ctorch/abi/base.h"
#include "ctorch/autograd/hook.h"
#include "ctorch/optim/optimizer.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Act before or after what an optimizer does.
 *
 * @param optimizer   exclusive.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_optimizer_callback)(
    ctorch_optimizer *optimizer, ctorch_error **error, void *payload);

/**
 * Look at a state dict, which may be changed, and replace it if need be.
 *
 * @param[out] out    owned; another dict, left alone (NULL) to keep this one.
 * @param optimizer   exclusive.
 * @param state_dict  exclusive; a dict of the call's own.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_optimizer_state_dict_callback)(
    ctorch_value **out, ctorch_optimizer *optimizer, ctorch_value *state_dict, ctorch_error **error, void *payload);

/**
 * Call back before each step (`Optimizer.register_step_pre_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_step_pre_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back after each step (`Optimizer.register_step_post_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_step_post_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back before each step of any optimizer, before its own hooks (`register_optimizer_step_pre_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param callback  the hook, which is called on any thread that steps.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_step_pre_hook_for_all(
    ctorch_hook **out, ctorch_optimizer_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Call back after each step of any optimizer, after its own hooks (`register_optimizer_step_post_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param callback  the hook, which is called on any thread that steps.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_step_post_hook_for_all(
    ctorch_hook **out, ctorch_optimizer_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Call back before a state dict is made (`Optimizer.register_state_dict_pre_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param prepend   in front of the other hooks in place of behind them.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back with each state dict that is made (`Optimizer.register_state_dict_post_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param prepend   in front of the other hooks in place of behind them.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_state_dict_post_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_state_dict_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back with each state dict before it is loaded (`Optimizer.register_load_state_dict_pre_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param prepend   in front of the other hooks in place of behind them.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_load_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_state_dict_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back after a state dict was loaded (`Optimizer.register_load_state_dict_post_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param prepend   in front of the other hooks in place of behind them.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_register_load_state_dict_post_hook(
    ctorch_hook **out,
    ctorch_optimizer *self,
    ctorch_optimizer_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

CTORCH_END_DECLS

#endif
