/**
 * Hooks of modules: functions that are called when a module is applied, when gradients reach it, and when its state is
 * saved or loaded. Each is registered for one module, or for all, whose hooks run first; ctorch_hook_remove takes it
 * out again.
 *
 * A copy of a module has its hooks. A payload that holds a reference to its own module keeps both alive until the hook
 * is removed.
 *
 * A forward with hooks goes by way of values (ctorch_module_call), whichever function applied the module.
 */
#ifndef CTORCH_MODULE_HOOKS_H
#define CTORCH_MODULE_HOOKS_H

#include "ctorch/abi/base.h"
#include "ctorch/autograd/hook.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Look at what a module is applied to, and replace it if need be.
 *
 * @param[out] out    owned; left alone (NULL) to keep the arguments. A tuple of positional arguments, or the only one
 *                    of them; of a hook that was registered with keyword arguments a tuple of such a tuple and a dict.
 * @param module      exclusive.
 * @param args        borrowed; a tuple.
 * @param kwargs      borrowed; a dict.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_forward_pre_hook_callback)(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload);

/**
 * Look at what a module gave, and replace it if need be.
 *
 * @param[out] out    owned; what it gives instead, left alone (NULL) to keep it.
 * @param module      exclusive.
 * @param args        borrowed; a tuple.
 * @param kwargs      borrowed; a dict.
 * @param output      borrowed; NULL if the forward failed, which those learn that are always called.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_forward_hook_callback)(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload);

/**
 * Look at the gradients of what a module gave, and replace them if need be.
 *
 * @param[out] out          owned; as many gradients, left alone (NULL) to keep them.
 * @param module            exclusive.
 * @param grad_outputs      borrowed; one for each output. NULL elements stand for what is no tensor, or has no
 *                          gradient.
 * @param grad_outputs_len  number of outputs.
 * @param[out] error        owned; why it failed, left alone (NULL) otherwise.
 * @param payload           of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_backward_pre_hook_callback)(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);

/**
 * Look at the gradients of what a module was applied to, and replace them if need be.
 *
 * @param[out] out          owned; as many gradients, left alone (NULL) to keep them.
 * @param module            exclusive.
 * @param grad_inputs       borrowed; one for each positional argument. NULL elements stand for what is no tensor, or
 *                          has no gradient.
 * @param grad_inputs_len   number of positional arguments.
 * @param grad_outputs      borrowed; one for each output.
 * @param grad_outputs_len  number of outputs.
 * @param[out] error        owned; why it failed, left alone (NULL) otherwise.
 * @param payload           of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_backward_hook_callback)(
    ctorch_tensor_list **out,
    ctorch_module *module,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);

/**
 * Call back before a module is applied (`Module.register_forward_pre_hook`).
 *
 * @param[out] out     owned; may be NULL for a hook that is never removed.
 * @param self         exclusive.
 * @param callback     the hook.
 * @param with_kwargs  it may replace keyword arguments too.
 * @param prepend      in front of the module's hooks in place of behind them.
 * @param destroy      called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It
 *                     is not called if this function fails.
 * @param payload      handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_forward_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_forward_pre_hook_callback callback,
    bool with_kwargs,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back after a module was applied (`Module.register_forward_hook`).
 *
 * @param[out] out     owned; may be NULL for a hook that is never removed.
 * @param self         exclusive.
 * @param callback     the hook.
 * @param always_call  also when the forward failed, whose error remains the call's.
 * @param prepend      in front of the module's hooks in place of behind them.
 * @param destroy      called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It
 *                     is not called if this function fails.
 * @param payload      handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_forward_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_forward_hook_callback callback,
    bool always_call,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back when the gradients of what a module gave are there, before they go on into it
 * (`Module.register_full_backward_pre_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param prepend   in front of the module's hooks in place of behind them.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_backward_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_backward_pre_hook_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back when the gradients of what a module was applied to are there (`Module.register_full_backward_hook`).
 *
 * Inputs and outputs go through a node of the graph of their own, so they are views: the module must not change them in
 * place.
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive.
 * @param callback  the hook.
 * @param prepend   in front of the module's hooks in place of behind them.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_backward_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_backward_hook_callback callback,
    bool prepend,
    void (*destroy)(void *payload),
    void *payload);

/* Hooks of all modules --------------------------------------------------------------------------------------------- */

/**
 * Call back before any module is applied, before the hooks of its own
 * (`torch.nn.modules.module.register_module_forward_pre_hook`).
 *
 * @param[out] out     owned; may be NULL for a hook that is never removed.
 * @param callback     the hook.
 * @param with_kwargs  it may replace keyword arguments too.
 * @param destroy      called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It
 *                     is not called if this function fails.
 * @param payload      handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`callback`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_hooks_register_global_forward_pre_hook(
    ctorch_hook **out,
    ctorch_module_forward_pre_hook_callback callback,
    bool with_kwargs,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back after any module was applied, before the hooks of its own
 * (`torch.nn.modules.module.register_module_forward_hook`).
 *
 * @param[out] out     owned; may be NULL for a hook that is never removed.
 * @param callback     the hook.
 * @param always_call  also when the forward failed, whose error remains the call's.
 * @param destroy      called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It
 *                     is not called if this function fails.
 * @param payload      handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`callback`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_hooks_register_global_forward_hook(
    ctorch_hook **out,
    ctorch_module_forward_hook_callback callback,
    bool always_call,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back when the gradients of what any module gave are there, before the hooks of its own
 * (`torch.nn.modules.module.register_module_full_backward_pre_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`callback`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_hooks_register_global_backward_pre_hook(
    ctorch_hook **out,
    ctorch_module_backward_pre_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back when the gradients of what any module was applied to are there, before the hooks of its own
 * (`torch.nn.modules.module.register_module_full_backward_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`callback`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_hooks_register_global_backward_hook(
    ctorch_hook **out, ctorch_module_backward_hook_callback callback, void (*destroy)(void *payload), void *payload);

CTORCH_END_DECLS

#endif
