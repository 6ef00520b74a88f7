/**
 * Hooks: functions that backward calls when a gradient is there.
 *
 * When they run (https://docs.pytorch.org/docs/stable/notes/autograd.html, "Backward Hooks execution"): as soon as the
 * gradient of a tensor is complete, the hooks of that tensor run in the order of registration, each on what the one
 * before made of the gradient; then what ctorch_aten_retain_grad keeps is stored. If the tensor's node (node.h) runs
 * at all, its pre-hooks follow, then the node itself, then its hooks; for a leaf the gradient is accumulated, then the
 * post-accumulate-grad hooks run. A tensor that is changed in place keeps the hooks it had for the gradient that
 * it had: hooks registered later see the gradient of its new value.
 *
 * Hooks run on the thread that called backward, or on a thread of LibTorch's (one per accelerator, and further ones
 * where backward passes nest deeply). A failing hook stops backward, which fails with the hook's error. What a hook
 * registers or removes counts from the next gradient on.
 *
 * A hook may be removed while backward runs on other threads, but none may be registered on what it passes.
 *
 * A hook lives until it is removed, or until the tensor or node it belongs to is gone. A payload that holds a reference
 * to that tensor keeps both alive until then. In a process with Python: its hooks and these run side by side, except
 * that the first hook of its kind which Python registers on a leaf drops those registered before.
 */
#ifndef CTORCH_HOOK_H
#define CTORCH_HOOK_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What removes a registered hook. */
typedef struct ctorch_hook ctorch_hook;

/**
 * Look at the gradient of a tensor, and replace it if need be.
 *
 * @param[out] out    owned; of the gradient's shape, dtype and device; left alone (NULL) to keep the gradient.
 * @param grad        borrowed; not to be changed. NULL if the gradient is undefined.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_tensor_hook_callback)(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload);

/**
 * Act on a leaf whose gradient has been accumulated, as an optimizer step or a reduction does.
 *
 * @param self        exclusive; the leaf.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_post_accumulate_grad_hook_callback)(
    ctorch_tensor *self, ctorch_error **error, void *payload);

/**
 * Give a handle back. The hook stays; ctorch_hook_remove removes it.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_hook_release(ctorch_hook *self);

/**
 * Add a reference: one more ctorch_hook_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_hook_retain(const ctorch_hook *self);

/**
 * Remove a hook; nothing to do if it is gone already. A backward pass that is at this very tensor or node may still
 * call it: its payload is destroyed after that.
 *
 * @param self  borrowed; any thread, also within the hook itself. NULL is allowed.
 */
CTORCH_EXPORT void ctorch_hook_remove(const ctorch_hook *self);

/**
 * Call back each time the gradient of a tensor was computed (`Tensor.register_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive; requires grad.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (does not require grad).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_register_hook(
    ctorch_hook **out,
    ctorch_tensor *self,
    ctorch_tensor_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Call back each time a gradient was accumulated into a leaf (`Tensor.register_post_accumulate_grad_hook`).
 *
 * @param[out] out  owned; may be NULL for a hook that is never removed.
 * @param self      exclusive; a leaf that requires grad.
 * @param callback  the hook.
 * @param destroy   called once with `payload` when the hook is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (does not require grad; not a leaf).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_register_post_accumulate_grad_hook(
    ctorch_hook **out,
    ctorch_tensor *self,
    ctorch_post_accumulate_grad_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload);

CTORCH_END_DECLS

#endif
