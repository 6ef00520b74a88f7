/**
 * What becomes of the tensors that autograd saves for backward (`torch.autograd.graph.saved_tensors_hooks`).
 *
 * Recording an operator saves the tensors that its backward reads. While hooks are pushed, each of them goes through
 * `pack`, and only what that returns is kept; when backward needs the tensor, `unpack` makes it again. So saved tensors
 * can be moved to another memory, compressed, written to a file or counted.
 *
 *     CTORCH_TRY(ctorch_saved_tensors_hooks_push(to_half, to_float, release_half, NULL, NULL));
 *     ctorch_error *error = forward(&loss, model, batch);   // what it saves takes half the memory
 *     CTORCH_TRY(ctorch_saved_tensors_hooks_pop());
 *
 * Only the innermost hooks of a thread are called, be they these or Python's. They count when an operator is recorded;
 * what was saved keeps them alive until the graph lets go of it. A number that PyTorch made a tensor of is saved as it
 * is. PyTorch checks by version whether a saved tensor was changed in place since, but not if it went through hooks.
 *
 * In a process with Python this also serves operators that Python runs on this thread. If Python is loaded while hooks
 * are pushed, they count again from the next push on.
 */
#ifndef CTORCH_SAVED_TENSORS_HOOKS_H
#define CTORCH_SAVED_TENSORS_HOOKS_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * Turn a tensor into what is to be kept of it. Runs when an operator is recorded, on its thread, with grad mode off.
 *
 * @param[out] out    anything: a tensor handle, the address of a structure, a number.
 * @param tensor      borrowed for the call, not to be changed; outside the graph, so that it may be kept.
 * @param[out] error  owned; NULL for success. After a failure nothing is kept, and the operator fails.
 * @param payload     of the hooks.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_saved_tensors_pack_callback)(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload);

/**
 * Make the tensor again. Runs each time backward needs it, on the thread of that backward; at once on several threads
 * if several passes use one graph.
 *
 * @param[out] out    owned; of the same shape, dtype, device and content as the tensor that was packed.
 * @param packed      what `pack` made of it; NULL if that was NULL. It is needed again if backward runs again.
 * @param[out] error  owned; NULL for success.
 * @param payload     of the hooks.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_saved_tensors_unpack_callback)(
    ctorch_tensor **out, void *packed, ctorch_error **error, void *payload);

/**
 * Destroy what `pack` made. Runs once for each, on whichever thread lets go of it: backward without `retain_graph`, or
 * the release of the graph.
 *
 * @param packed   what `pack` made; NULL if that was NULL.
 * @param payload  of the hooks.
 */
typedef void (*ctorch_saved_tensors_destroy_callback)(void *packed, void *payload);

/**
 * Let what this thread records from here to the matching pop go through hooks.
 *
 * @param pack            see its type.
 * @param unpack          see its type.
 * @param destroy_packed  see its type; NULL if there is nothing to do.
 * @param destroy         called once with `payload` when the hooks are popped and nothing that they packed is left, on
 *                        whichever thread that is; NULL if there is nothing to do.
 * @param payload         handed to the callbacks; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`pack`, `unpack`), RUNTIME (inside a function transform such as vmap; where Python
 *         forbids hooks), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_saved_tensors_hooks_push(
    ctorch_saved_tensors_pack_callback pack,
    ctorch_saved_tensors_unpack_callback unpack,
    ctorch_saved_tensors_destroy_callback destroy_packed,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Let what this thread records from here to the matching ctorch_saved_tensors_hooks_pop be saved in CPU memory
 * (`torch.autograd.graph.save_on_cpu`). Backward moves each tensor back to where it was.
 *
 * @param pin_memory  save in page-locked memory, from which an accelerator copies faster; without an accelerator this
 *                    changes nothing.
 * @return NULL, or RUNTIME (inside a function transform such as vmap; where Python forbids hooks), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_saved_tensors_hooks_push_save_on_cpu(bool pin_memory);

/**
 * Return to the hooks before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_saved_tensors_hooks_pop(void);

CTORCH_END_DECLS

#endif
