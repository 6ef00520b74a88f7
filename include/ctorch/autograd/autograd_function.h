/**
 * Differentiable functions of your own (`torch.autograd.Function`).
 *
 * A ctorch_autograd_function is a definition: a name, a forward that computes, a backward that turns gradients of the
 * outputs into gradients of the inputs. Applying it runs the forward and adds one node, named `<name>Backward`, to the
 * graph. What backward needs of a call is kept in that call's context.
 *
 *     static ctorch_callback_status cube(ctorch_tensor_list **out, ctorch_autograd_context *context,
 *         const ctorch_tensor *const *inputs, size_t inputs_len, ctorch_error **error, void *payload) {
 *       ctorch_tensor *y = NULL;
 *       if ((*error = ctorch_autograd_context_save_for_backward(context, inputs, 1)) == NULL &&
 *           (*error = ctorch_aten_pow_Tensor_Scalar(&y, inputs[0], CTORCH_INT(3))) == NULL) {
 *         *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(y));
 *       }
 *       ctorch_tensor_release(y);
 *       return *error == NULL ? CTORCH_CALLBACK_OK : 0;
 *     }
 *
 *     CTORCH_TRY(ctorch_autograd_function_new(&function, "Cube", cube, cube_backward, NULL, false, NULL, NULL));
 *     CTORCH_TRY(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x), NULL, NULL));
 *
 * The rules are those of Python: what forward computes is not recorded; tensors go into the context by
 * ctorch_autograd_context_save_for_backward, which notices a later change in place and makes no reference cycle; an
 * input that forward changes is marked dirty and returned; an input that is returned unchanged comes out as a view of
 * itself. A backward that uses recorded operators can be differentiated again (`create_graph`).
 *
 * Callbacks may themselves apply functions and run backward. What they make they release, as everywhere: a scope in the
 * callback does it (ctorch_scope_keep for the list that is handed over).
 */
#ifndef CTORCH_AUTOGRAD_FUNCTION_H
#define CTORCH_AUTOGRAD_FUNCTION_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** The definition of a differentiable function. */
typedef struct ctorch_autograd_function ctorch_autograd_function;

/** One call of a function: what its forward leaves for its backward (`ctx`). */
typedef struct ctorch_autograd_context ctorch_autograd_context;

/**
 * Compute the outputs. Runs inside ctorch_autograd_function_apply, on its thread, with grad mode off.
 *
 * @param[out] out      owned; the outputs, in their order. NULL elements stand for outputs that are no tensors; NULL is
 *                      no output at all.
 * @param context       exclusive; of this call.
 * @param inputs        borrowed for the call; as they were given, NULL elements included.
 * @param inputs_len    number of inputs.
 * @param[out] error    owned; NULL for success.
 * @param payload       the function's.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_autograd_function_forward_callback)(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload);

/**
 * Compute the gradients of the inputs from those of the outputs. Runs inside a backward pass: for CPU tensors on the
 * thread that started it, for others on a thread of LibTorch's; at once on several threads if several passes use one
 * graph. Grad mode is on if the pass is recorded (`create_graph`).
 *
 * @param[out] out          owned; one gradient for each input. NULL elements stand for no gradient, as for an input
 *                          that is NULL; NULL is no gradient at all.
 * @param context           borrowed for the call; that of the forward.
 * @param grad_outputs      borrowed for the call; one for each output. An output that played no part in the result has
 *                          zeros, or NULL after ctorch_autograd_context_set_materialize_grads.
 * @param grad_outputs_len  number of outputs.
 * @param[out] error        owned; NULL for success.
 * @param payload           the function's.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_autograd_function_backward_callback)(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload);

/**
 * Compute the tangents of the outputs from those of the inputs, for forward-mode differentiation. Runs inside
 * ctorch_autograd_function_apply after the forward, if an input has a tangent.
 *
 * @param[out] out      owned; one tangent for each output, NULL elements for those that are not differentiable; NULL
 *                      if none is. An output that is an input changed in place has that input's tangent, changed in
 *                      place; one that is a view of an input has a view of that input's tangent.
 * @param context       borrowed for the call; that of the forward.
 * @param tangents      borrowed for the call; one for each input, NULL elements for inputs that are NULL. An input
 *                      without a tangent has zeros, or NULL after ctorch_autograd_context_set_materialize_grads.
 * @param tangents_len  number of inputs.
 * @param[out] error    owned; NULL for success.
 * @param payload       the function's.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_autograd_function_jvp_callback)(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    ctorch_error **error,
    void *payload);

/**
 * Define a differentiable function.
 *
 * @param[out] out             owned; it may be applied from several threads at once.
 * @param name                 UTF-8; the node is called `<name>Backward`.
 * @param forward              see its type.
 * @param backward             see its type; NULL if the function has no reverse mode, which backward then reports as
 *                             NOT_IMPLEMENTED.
 * @param jvp                  see its type; NULL if the function has no forward mode, which an apply to tensors with
 *                             tangents then reports as NOT_IMPLEMENTED.
 * @param once_differentiable  backward does not record what it does: differentiating its result is an error rather
 *                             than wrong.
 * @param destroy              called once with `payload` when neither a handle nor a graph needs the function any more,
 *                             on whichever thread that is; NULL if there is nothing to do.
 * @param payload              handed to the callbacks; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`out`, `name`, `forward`), INVALID_ARGUMENT (`name` is not UTF-8).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_function_new(
    ctorch_autograd_function **out,
    const char *name,
    ctorch_autograd_function_forward_callback forward,
    ctorch_autograd_function_backward_callback backward,
    ctorch_autograd_function_jvp_callback jvp,
    bool once_differentiable,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Add a reference.
 *
 * @param self  borrowed; may be NULL.
 */
CTORCH_EXPORT void ctorch_autograd_function_retain(const ctorch_autograd_function *self);

/**
 * Give a reference back. Graphs that the function is part of keep theirs.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_autograd_function_release(ctorch_autograd_function *self);

/**
 * The name of a function.
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; "" for NULL.
 */
CTORCH_API const char *ctorch_autograd_function_name(const ctorch_autograd_function *self);

/**
 * Call a function. It is recorded if grad mode is on and an input requires grad.
 *
 * @param[out] out     owned; the outputs of forward. They require grad if the call is recorded, unless they are marked
 *                     otherwise or neither floating point nor complex.
 * @param self         borrowed.
 * @param inputs       borrowed; NULL elements are inputs without a tensor.
 * @param inputs_len   number of inputs.
 * @param destroy      called once with `payload` when the graph needs the call no more, on whichever thread that is;
 *                     NULL if there is nothing to do.
 * @param payload      of this call, see ctorch_autograd_context_payload; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`out`, `self`, `inputs` NULL with a length), INVALID_ARGUMENT (absurd length),
 *         NOT_IMPLEMENTED (an input has a tangent, the function no jvp), RUNTIME (what PyTorch refuses of in-place
 *         changes, views and tangents; inside a function transform such as vmap), what a callback failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_function_apply(
    ctorch_tensor_list **out,
    const ctorch_autograd_function *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Keep tensors for backward: inputs, outputs, or anything else. Backward gets them by
 * ctorch_autograd_context_saved_tensors, after a check that they were not changed in place since.
 *
 * Only during forward; the last call counts. Saved tensors are freed with the graph's other buffers.
 *
 * @param self         exclusive.
 * @param tensors      borrowed; NULL elements are kept as such.
 * @param tensors_len  number of tensors.
 * @return NULL, or NULL_ARGUMENT (`self`, `tensors` NULL with a length), INVALID_ARGUMENT (absurd length), RUNTIME
 *         (forward is over).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_context_save_for_backward(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len);

/**
 * Keep tensors for jvp, which gets them by ctorch_autograd_context_saved_tensors.
 *
 * Only during forward; the last call counts.
 *
 * @param self         exclusive.
 * @param tensors      borrowed; NULL elements are kept as such.
 * @param tensors_len  number of tensors.
 * @return NULL, or NULL_ARGUMENT (`self`, `tensors` NULL with a length), INVALID_ARGUMENT (absurd length), RUNTIME
 *         (forward is over).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_context_save_for_forward(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len);

/**
 * The tensors that were saved: in backward those for backward, in jvp those for forward mode.
 *
 * Backward sees inputs and outputs as members of the graph, so that its result can be differentiated again.
 *
 * @param[out] out  owned; NULL elements where NULL was saved. Empty if nothing was saved, and during forward.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (one was changed in place since; the graph's buffers are freed, as by a
 *         backward without `retain_graph`; the graph itself is gone).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_context_saved_tensors(
    ctorch_tensor_list **out, const ctorch_autograd_context *self);

/**
 * Declare which inputs forward changes in place. Each must be an output as well.
 *
 * Only during forward; the last call counts.
 *
 * @param self         exclusive.
 * @param tensors      borrowed.
 * @param tensors_len  number of tensors.
 * @return NULL, or NULL_ARGUMENT (`self`, an element), INVALID_ARGUMENT (absurd length), RUNTIME (forward is over).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_context_mark_dirty(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len);

/**
 * Declare outputs through which no gradient flows. Backward still has an entry for each, of zeros.
 *
 * Only during forward; the last call counts.
 *
 * @param self         exclusive.
 * @param tensors      borrowed.
 * @param tensors_len  number of tensors.
 * @return NULL, or NULL_ARGUMENT (`self`, an element), INVALID_ARGUMENT (absurd length), RUNTIME (forward is over).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_context_mark_non_differentiable(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len);

/**
 * Choose what backward and jvp get where there is no gradient or tangent: zeros, as is the default, or NULL.
 *
 * Only during forward.
 *
 * @param self   exclusive.
 * @param value  true for zeros.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (forward is over).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autograd_context_set_materialize_grads(ctorch_autograd_context *self, bool value);

/**
 * Whether the gradient of an input is wanted. During forward: it requires grad. In backward: this pass needs it, which
 * may be less (`torch.autograd.grad` of some inputs only).
 *
 * @param self   borrowed; may be NULL.
 * @param index  of the input.
 * @return false for NULL, for an input that is NULL and beyond the last one.
 */
CTORCH_API bool ctorch_autograd_context_needs_input_grad(const ctorch_autograd_context *self, size_t index);

/**
 * Number of inputs of the call, and so of the gradients that backward hands over.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_autograd_context_inputs_len(const ctorch_autograd_context *self);

/**
 * What ctorch_autograd_function_apply was given for this call.
 *
 * @param self  borrowed; may be NULL.
 * @return the payload; NULL for NULL, and once the call has failed.
 */
CTORCH_API void *ctorch_autograd_context_payload(const ctorch_autograd_context *self);

/**
 * Add a reference.
 *
 * @param self  borrowed; may be NULL.
 */
CTORCH_EXPORT void ctorch_autograd_context_retain(const ctorch_autograd_context *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_autograd_context_release(ctorch_autograd_context *self);

CTORCH_END_DECLS

#endif
