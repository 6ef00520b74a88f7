/**
 * Hooks on the state of modules: what is called when a state dict (module_state.h) is made of a module, or loaded into
 * it. ctorch_hook_remove takes one out again; a copy of a module has its hooks.
 */
#ifndef CTORCH_MODULE_STATE_HOOKS_H
#define CTORCH_MODULE_STATE_HOOKS_H

#include "ctorch/abi/base.h"
#include "ctorch/autograd/hook.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Act before the state of a module is taken.
 *
 * @param module      exclusive.
 * @param prefix      borrowed; of the module's names, its dot included.
 * @param keep_vars   of the call.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_state_dict_pre_hook_callback)(
    ctorch_module *module, const char *prefix, bool keep_vars, ctorch_error **error, void *payload);

/**
 * Act on the state of a module and of all inside it.
 *
 * @param module      exclusive.
 * @param state_dict  exclusive; a dict with the entries so far: those may be changed, renamed or removed.
 * @param prefix      borrowed; of the module's names, its dot included.
 * @param metadata    exclusive; the module's dict with its "version".
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_state_dict_hook_callback)(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    ctorch_value *metadata,
    ctorch_error **error,
    void *payload);

/**
 * Act before a module takes its state over.
 *
 * @param module      exclusive.
 * @param state_dict  exclusive; the call's own dict, with the entries of this module and of those inside it: what is
 *                    changed here is what is loaded.
 * @param prefix      borrowed; of the module's names, its dot included.
 * @param version     of the module's format when it was saved; -1 if that is unknown.
 * @param missing     exclusive; the list of missing names so far.
 * @param unexpected  exclusive; the list of unexpected names so far.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_load_state_dict_pre_hook_callback)(
    ctorch_module *module,
    ctorch_value *state_dict,
    const char *prefix,
    int64_t version,
    ctorch_value *missing,
    ctorch_value *unexpected,
    ctorch_error **error,
    void *payload);

/**
 * Act after a module, and all inside it, took their state over.
 *
 * @param module      exclusive.
 * @param missing     exclusive; the list of missing names: what is taken out of it is no error.
 * @param unexpected  exclusive; the list of unexpected names, likewise.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_load_state_dict_post_hook_callback)(
    ctorch_module *module, ctorch_value *missing, ctorch_value *unexpected, ctorch_error **error, void *payload);

/**
 * Call back before the state of a module is taken (`Module.register_state_dict_pre_hook`).
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
CTORCH_API ctorch_error *ctorch_module_register_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_state_dict_pre_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back when the state of a module was taken (`Module.register_state_dict_post_hook`).
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
CTORCH_API ctorch_error *ctorch_module_register_state_dict_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_state_dict_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back before a module takes its state over (`Module.register_load_state_dict_pre_hook`).
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
CTORCH_API ctorch_error *ctorch_module_register_load_state_dict_pre_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_load_state_dict_pre_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back after a module took its state over (`Module.register_load_state_dict_post_hook`).
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
CTORCH_API ctorch_error *ctorch_module_register_load_state_dict_post_hook(
    ctorch_hook **out,
    ctorch_module *self,
    ctorch_module_load_state_dict_post_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

CTORCH_END_DECLS

#endif
