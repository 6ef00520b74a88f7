/**
 * Automatic differentiation: gradients, the state of a tensor in the graph, and the modes of a thread.
 *
 * What surrounds it has headers of its own: hook.h calls back when a gradient is there, node.h walks the graph,
 * forward_ad.h differentiates along with the computation, gradcheck.h compares gradients with finite differences.
 */
#ifndef CTORCH_AUTOGRAD_H
#define CTORCH_AUTOGRAD_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

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
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not a leaf; neither floating point nor complex; an inference tensor outside
 *         inference mode).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_set_requires_grad(ctorch_tensor *self, bool requires_grad);

/**
 * Whether the tensor is a leaf of the graph: made by the user, not by a recorded operator. It is known inside a
 * function transform too, where the operator aten::is_leaf fails.
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
 * @param grad  borrowed, gets a reference; of the shape, device and layout of `self`, or sparse, and of its
 *              ctorch_tensor_grad_dtype. NULL for none.
 * @return NULL, or NULL_ARGUMENT (`self`), SHAPE_MISMATCH, DTYPE_MISMATCH, DEVICE_MISMATCH, RUNTIME (layout),
 *         INVALID_ARGUMENT (the tensor itself).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_set_grad(ctorch_tensor *self, const ctorch_tensor *grad);

/**
 * The dtype that gradients of this tensor have (`Tensor.grad_dtype`).
 *
 * @param self  borrowed; may be NULL.
 * @return that of the tensor unless it was set; -1 if any will do, and for NULL.
 */
CTORCH_API ctorch_dtype ctorch_tensor_grad_dtype(const ctorch_tensor *self);

/**
 * Choose the dtype of gradients; those that backward computes are converted to it.
 *
 * @param self        exclusive; a leaf.
 * @param grad_dtype  borrowed; NULL to take them as they come.
 * @return NULL, or NULL_ARGUMENT (`self`), INVALID_ARGUMENT (unknown dtype), RUNTIME (not a leaf; there is a gradient
 *         of another dtype already).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_set_grad_dtype(ctorch_tensor *self, const ctorch_dtype *grad_dtype);

/**
 * Whether the tensor is a view of another, as far as the graph is concerned.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_tensor_is_view(const ctorch_tensor *self);

/**
 * The tensor that a view was made of: the first one, if it is a view of a view.
 *
 * @param[out] out  owned; NULL if `self` is no view.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_base(ctorch_tensor **out, const ctorch_tensor *self);

/**
 * Tell the graph that the data was changed in place by other means, as through ctorch_tensor_data
 * (`torch.autograd.graph.increment_version`). An inference tensor counts no versions: nothing happens.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_increment_version(ctorch_tensor *self);

/**
 * Accumulate gradients into the leaves that a tensor was computed from (`Tensor.backward`).
 *
 * @param self          borrowed; one element unless `gradient` is given.
 * @param gradient      borrowed; gradient of the objective by `self`, of its shape; NULL for 1.
 * @param retain_graph  keep the graph for another backward; NULL for the value of `create_graph`.
 * @param create_graph  record the backward pass itself, for higher derivatives.
 * @return NULL, or NULL_ARGUMENT (`self`) and what ctorch_autograd_backward answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_backward(
    const ctorch_tensor *self, const ctorch_tensor *gradient, const bool *retain_graph, bool create_graph);

/**
 * Accumulate the gradients of several tensors, added up, into leaves (`torch.autograd.backward`).
 *
 * A failing hook or custom function stops it; what was accumulated by then stays.
 *
 * @param tensors           borrowed.
 * @param tensors_len       number of tensors.
 * @param grad_tensors      borrowed; for each tensor the gradient of the objective, of its shape. A NULL element, or
 *                          NULL for all of them, is 1; that tensor has one element then.
 * @param grad_tensors_len  `tensors_len`; 0 if `grad_tensors` is not given.
 * @param retain_graph      keep the graph for another backward; NULL for the value of `create_graph`.
 * @param create_graph      record the backward pass itself, for higher derivatives.
 * @param inputs            borrowed; where to accumulate, others than leaves too. NULL for all leaves.
 * @param inputs_len        number of inputs, not 0 if they are given.
 * @return NULL, or NULL_ARGUMENT, SHAPE_MISMATCH or DTYPE_MISMATCH (a gradient that does not fit), RUNTIME (nothing to
 *         differentiate; graph already freed; no gradient for several elements or complex ones; an input that does not
 *         require grad; a saved tensor that was changed in place; inside a function transform), or what a hook or a
 *         custom function failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_backward(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_tensor *const *grad_tensors,
    size_t grad_tensors_len,
    const bool *retain_graph,
    bool create_graph,
    const ctorch_tensor *const *inputs,
    size_t inputs_len);

/**
 * Compute gradients and hand them over instead of accumulating them (`torch.autograd.grad`).
 *
 * @param[out] out           owned; for each input the sum of its gradients, a NULL element for one that was not used.
 * @param outputs            borrowed; what is differentiated.
 * @param outputs_len        number of outputs.
 * @param inputs             borrowed; by what, leaves or not.
 * @param inputs_len         number of inputs, not 0.
 * @param grad_outputs       borrowed; for each output the gradient of the objective, of its shape. A NULL element, or
 *                           NULL for all of them, is 1; that output has one element then.
 * @param grad_outputs_len   `outputs_len`; 0 if `grad_outputs` is not given.
 * @param retain_graph       keep the graph for another backward; NULL for the value of `create_graph`.
 * @param create_graph       record the backward pass itself, for higher derivatives.
 * @param allow_unused       borrowed; whether inputs may be unused. NULL for the value of `materialize_grads`.
 * @param is_grads_batched   each of `grad_outputs` has one more dimension in front, and so has each result: a product
 *                           with the Jacobian for each entry, in one pass that is mapped over them.
 * @param materialize_grads  zeros for an unused input.
 * @return NULL, or what ctorch_autograd_backward answers, RUNTIME (an unused input), VALUE (`materialize_grads`, but
 *         `allow_unused` false; batches of several sizes or of none), INDEX (an empty batch).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_grad(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *outputs,
    size_t outputs_len,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    const bool *retain_graph,
    bool create_graph,
    const bool *allow_unused,
    bool is_grads_batched,
    bool materialize_grads);

/**
 * Switch recording on or off for this thread until the matching pop (`torch.no_grad`, `torch.enable_grad`).
 *
 * The modes below are a thread's own and nest. A pop takes back the last push of its kind: usually the last of all, but
 * modes of several kinds may be popped in any order, and end as they would without the push. The end of the scope that
 * a push was made in takes it back too (scope.h).
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

/**
 * Switch inference mode on or off for this thread until the matching pop (`torch.inference_mode`).
 *
 * On, nothing is recorded, also not by forward_ad.h, and views and versions are not tracked; tensors made in it cannot
 * be saved for backward later on. It switches grad mode off; switching inference mode off inside switches it on again.
 *
 * @param enabled  true for inference.
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_inference_mode_push(bool enabled);

/**
 * Return to the mode before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_inference_mode_pop(void);

/**
 * Whether this thread is in inference mode.
 *
 * @return false unless switched on.
 */
CTORCH_API bool ctorch_inference_mode_enabled(void);

/**
 * Choose whether backward passes that this thread starts may use a thread for each device, until the matching pop
 * (`torch.autograd.set_multithreading_enabled`). If not, hooks and custom functions run on the calling thread.
 *
 * @param enabled  false for the calling thread alone.
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_multithreading_mode_push(bool enabled);

/**
 * Return to the mode before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_multithreading_mode_pop(void);

/**
 * Whether backward passes that this thread starts may use other threads.
 *
 * @return true unless switched off, or in inference mode.
 */
CTORCH_API bool ctorch_multithreading_mode_enabled(void);

/**
 * Choose for this thread whether accumulated gradients get the strides of their tensor, until the matching pop
 * (`torch.autograd.enforce_grad_layout_policy`).
 *
 * @param enabled  false to take gradients over as they are, where that saves a copy.
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_layout_policy_push(bool enabled);

/**
 * Return to the policy before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_grad_layout_policy_pop(void);

/**
 * Whether accumulated gradients get the strides of their tensor.
 *
 * @return true unless switched off.
 */
CTORCH_API bool ctorch_grad_layout_policy_enabled(void);

/**
 * Look for the operator at fault when backward fails, until the matching pop (`torch.autograd.detect_anomaly`).
 *
 * While it is on, each recorded operator remembers where it was called, which a failing backward prints as a warning,
 * and a NaN in a gradient is an error RUNTIME that names the function. It is slow, and it holds for all threads: where
 * pushes of several threads overlap, the latest counts. A thread pops what it pushed.
 *
 * @param enabled    whether to look.
 * @param check_nan  whether a NaN is an error.
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_anomaly_mode_push(bool enabled, bool check_nan);

/**
 * Take back the last push of this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_anomaly_mode_pop(void);

/**
 * Whether anomalies are looked for.
 *
 * @return false unless switched on.
 */
CTORCH_API bool ctorch_anomaly_mode_enabled(void);

/**
 * Whether a NaN in a gradient is an error while anomalies are looked for.
 *
 * @return true unless switched off.
 */
CTORCH_API bool ctorch_anomaly_mode_check_nan(void);

CTORCH_END_DECLS

#endif
