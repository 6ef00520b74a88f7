/**
 * Activation checkpointing: memory for time (`torch.utils.checkpoint.checkpoint` with `use_reentrant=False`).
 *
 * What a function saves for backward is not kept. When backward needs it, the function runs again from its inputs, and
 * stops as soon as everything that was saved has been saved again. Gradients are those of the plain function, to the
 * bit, also with dropout: the function finds the random number generators and autocast as they were the first time.
 *
 *     CTORCH_TRY(ctorch_checkpoint(&outputs, block, CTORCH_TENSORS(x), NULL, NULL, NULL, NULL, layer));
 *
 * instead of calling `block` itself: its activations then cost nothing until backward comes to it. Of a chain of n
 * blocks that save as much as their inputs are large, or more, about that of one block and n inputs are held at a time.
 *
 * Checkpoints nest. They work with ctorch_autograd_backward and ctorch_autograd_grad, with higher derivatives and with
 * backward inside the function. Tensors that the function uses besides its inputs, such as parameters, get gradients as
 * always.
 *
 * Checkpoints are hooks on saved tensors (saved_tensors_hooks.h): the function's saved tensors do not go through hooks
 * that are pushed around the checkpoint, but its inputs do.
 */
#ifndef CTORCH_CHECKPOINT_H
#define CTORCH_CHECKPOINT_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/tensor_list.h"

CTORCH_BEGIN_DECLS

/**
 * Call a function whose saved tensors are to be recomputed in backward. With grad mode off this only calls it.
 *
 * The function must do the same when it runs again. It does so once in each backward pass that comes to it, on the
 * thread that needs the tensors, at once on several threads if several passes use one graph, with grad mode on. It is
 * stopped by an error from one of its own calls: it cleans up and hands that error over, as it does with any other, and
 * the error goes no further.
 *
 * @param[out] out            owned; what `function` handed over.
 * @param function            see its type. When it runs again its outputs are not used.
 * @param inputs              borrowed; saved as an operator saves its inputs: not to be changed in place until
 *                            backward. NULL elements are handed on.
 * @param inputs_len          number of inputs.
 * @param preserve_rng_state  whether the second run gets the random numbers of the first, from the default generators
 *                            of the CPU and of the inputs' devices, which are then as if it had not happened; NULL for
 *                            true.
 * @param determinism_check   "default" compares shape, dtype and device of each tensor that is saved again with those
 *                            of the first time, "none" does not; NULL for "default".
 * @param early_stop          whether the second run stops once it has saved everything; NULL for true.
 * @param destroy             called once with `payload` when neither this call nor the graph needs the function any
 *                            more, on whichever thread that is; NULL if there is nothing to do.
 * @param payload             handed to `function`; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`out`, `function`, `inputs` NULL with a length), INVALID_ARGUMENT (absurd length),
 *         VALUE (unknown `determinism_check`), RUNTIME (inside a function transform; where Python forbids hooks on
 *         saved tensors), what `function` failed with. Backward fails with RUNTIME if the function saved something else
 *         when it ran again (`torch.utils.checkpoint.CheckpointError`), or with what the function failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_checkpoint(
    ctorch_tensor_list **out,
    ctorch_tensors_callback function,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const bool *preserve_rng_state,
    const char *determinism_check,
    const bool *early_stop,
    void (*destroy)(void *payload),
    void *payload);

CTORCH_END_DECLS

#endif
