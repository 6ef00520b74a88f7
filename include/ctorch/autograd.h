/**
 * Automatic differentiation: enough to train by hand.
 */
#ifndef CTORCH_AUTOGRAD_H
#define CTORCH_AUTOGRAD_H

#include "ctorch/base.h"

CTORCH_BEGIN_DECLS

/**
 * Whether operators on this tensor are recorded.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_tensor_requires_grad(const ctorch_tensor *self);

/**
 * Ask for a gradient of this tensor, or no longer (`Tensor.requires_grad_`).
 *
 * @param self           exclusive; a leaf of the graph.
 * @param requires_grad  whether to record.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not a leaf; neither floating point nor complex).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_set_requires_grad(ctorch_tensor *self, bool requires_grad);

/**
 * Whether the tensor is a leaf of the graph: made by the user, not by a recorded operator.
 *
 * @param self  borrowed; may be NULL.
 * @return true for NULL.
 */
CTORCH_API bool ctorch_tensor_is_leaf(const ctorch_tensor *self);

/**
 * The gradient that backward has accumulated.
 *
 * @param[out] out  owned; NULL if there is none.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_grad(ctorch_tensor **out, const ctorch_tensor *self);

/**
 * Replace the gradient. NULL forgets it, as `optimizer.zero_grad(set_to_none=True)` does.
 *
 * @param self  exclusive.
 * @param grad  borrowed, gets a reference; same shape, dtype and device as `self`. NULL for none.
 * @return NULL, or NULL_ARGUMENT (`self`), SHAPE_MISMATCH, DTYPE_MISMATCH, DEVICE_MISMATCH, INVALID_ARGUMENT (the
 *         tensor itself).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_set_grad(ctorch_tensor *self, const ctorch_tensor *grad);

/**
 * The same data outside the graph: shares memory, records nothing (`Tensor.detach`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_detach(ctorch_tensor **out, const ctorch_tensor *self);

/**
 * Accumulate gradients into the leaves that a tensor was computed from (`Tensor.backward`).
 *
 * @param self          borrowed; one element unless `gradient` is given.
 * @param gradient      borrowed; gradient of the objective by `self`, of its shape; NULL for 1.
 * @param retain_graph  keep the graph for another backward; NULL for the value of `create_graph`.
 * @param create_graph  record the backward pass itself, for higher derivatives.
 * @return NULL, or NULL_ARGUMENT (`self`), RUNTIME (nothing to differentiate, graph already freed, not a scalar).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_backward(
    const ctorch_tensor *self, const ctorch_tensor *gradient, const bool *retain_graph, bool create_graph);

/**
 * Switch recording on or off for this thread until the matching pop (`torch.no_grad`, `torch.enable_grad`).
 *
 * @param enabled  false for no-grad.
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_mode_push(bool enabled);

/**
 * Return to the mode before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_mode_pop(void);

/**
 * Whether this thread records.
 *
 * @return true unless switched off.
 */
CTORCH_API bool ctorch_grad_mode_enabled(void);

CTORCH_END_DECLS

#endif
