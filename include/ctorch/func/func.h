/**
 * Transforms of functions (`torch.func`): a callback that maps tensors to tensors is vectorized or differentiated.
 *
 *     static ctorch_callback_status loss(
 *         ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t inputs_len, ctorch_error **error,
 *         void *payload) {
 *       ctorch_tensor *y = NULL;
 *       if ((*error = ctorch_aten_mse_loss(&y, inputs[0], inputs[1], 1)) == NULL) {
 *         *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(y));
 *       }
 *       ctorch_tensor_release(y);
 *       return *error == NULL ? CTORCH_CALLBACK_OK : 0;
 *     }
 *     static ctorch_callback_status gradient(…) {
 *       *error = ctorch_func_grad(out, NULL, loss, NULL, inputs, inputs_len, NULL, 0, 0);
 *       return *error == NULL ? CTORCH_CALLBACK_OK : 0;
 *     }
 *     ctorch_func_vmap(&gradient_of_each_sample, gradient, NULL, CTORCH_TENSORS(x, y), NULL, 0, NULL, 0, 0, NULL);
 *
 * Transforms nest to any depth, because a callback calls ctorch like any other code, transforms too. What is true of
 * all of them:
 *
 * - The function runs on the calling thread, during the call only, once or a few times. If it fails, its error comes
 *   out unchanged, and every transform that was open is closed.
 * - The tensors that it is given, and those that it makes of them, are wrapped: they have sizes, a dtype and a text,
 *   but no memory to point at, and under vmap no number to read (`item`). They are of use until the function returns.
 *   After that the wrapper of vmap is refused by operators; that of a derivative acts as the tensor in it.
 * - Tensors from outside (of a payload, say) are constants to a derivative and the same for every sample to vmap. They
 *   may not be changed in place by a function that is being differentiated.
 * - A result may share memory with an input, or be one, where the function returns an input or a view of it.
 * - Differentiation needs neither ctorch_tensor_set_requires_grad nor ctorch_tensor_backward, which are refused inside,
 *   and looks at neither grad mode nor inference mode outside. A grad mode that the function sets itself counts.
 *
 * Python's tuples are flat lists here. Auxiliary outputs (`has_aux`), which are handed through as they are, come last,
 * and the call says how many they are.
 */
#ifndef CTORCH_FUNC_H
#define CTORCH_FUNC_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/tensor_list.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What random operators do under vmap. */
typedef int32_t ctorch_randomness;
enum {
  /** They fail. */
  CTORCH_RANDOMNESS_ERROR = 0,
  /** Every sample gets the same numbers. */
  CTORCH_RANDOMNESS_SAME = 1,
  /** Every sample gets numbers of its own. */
  CTORCH_RANDOMNESS_DIFFERENT = 2
};

/** What stands in a list of mapped dimensions for a tensor that has none (`None` in Python). */
typedef int32_t ctorch_vmap_dim;
enum { CTORCH_VMAP_UNMAPPED = -1000 };

/** The derivative of a function at a point, waiting for cotangents: ctorch_func_vjp. */
typedef struct ctorch_vjp_function ctorch_vjp_function;

/** The linear approximation of a function at a point, waiting for tangents: ctorch_func_linearize. */
typedef struct ctorch_jvp_function ctorch_jvp_function;

/**
 * Run a function once on all samples of a batch as if it were called on each (`torch.vmap`).
 *
 * The function sees each mapped input without its mapped dimension, and each of its outputs gets one. An output that
 * does not depend on a mapped input is repeated. An operator that vmap has no rule for runs in a loop, with a warning.
 *
 * @param[out] out      owned; the outputs of the function, stacked.
 * @param function      what to map.
 * @param payload       handed to `function`; may be NULL.
 * @param inputs        borrowed; at least one is mapped. NULL elements are not mapped.
 * @param inputs_len    number of inputs.
 * @param in_dims       mapped dimension of each input, or CTORCH_VMAP_UNMAPPED; NULL with length 0 for 0 everywhere.
 * @param in_dims_len   `inputs_len`.
 * @param out_dims      where each output gets its mapped dimension, or CTORCH_VMAP_UNMAPPED for one that depends on no
 *                      mapped input; NULL with length 0 for 0 everywhere.
 * @param out_dims_len  number of outputs of the function.
 * @param randomness    what random operators do.
 * @param chunk_size    samples to run at once, at least 1; NULL for all. The function runs once for each chunk.
 * @return NULL, or VALUE (no input, nothing mapped, dimension out of range, sizes of the mapped dimensions differ,
 *         chunk size below 1, an output that must not be mapped is), INDEX (`out_dims` out of range), NULL_ARGUMENT,
 *         INVALID_ARGUMENT (lengths, randomness), RUNTIME (randomness, operator that cannot be mapped, an output left
 *         NULL), or what the function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_vmap(
    ctorch_tensor_list **out,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *in_dims,
    size_t in_dims_len,
    const int64_t *out_dims,
    size_t out_dims_len,
    ctorch_randomness randomness,
    const int64_t *chunk_size);

/**
 * Gradient of a function whose output is a 0-dimensional tensor (`torch.func.grad`).
 *
 * @param[out] out      owned; a gradient for each of `argnums`, of its shape; zeros where the output does not depend on
 *                      it.
 * @param[out] out_aux  owned; the auxiliary outputs; may be NULL if nobody wants them.
 * @param function      what to differentiate.
 * @param payload       handed to `function`; may be NULL.
 * @param inputs        borrowed; NULL elements may not be differentiated by.
 * @param inputs_len    number of inputs.
 * @param argnums       inputs to differentiate by, floating point or complex, each once, from the end if negative; NULL
 *                      with length 0 for the first.
 * @param argnums_len   number of those.
 * @param aux_count     how many outputs come after the first.
 * @return NULL, or RUNTIME (`argnums` empty, repeated or out of range, an integer input, not `aux_count` + 1 outputs,
 *         one of them NULL, the first not 0-dimensional), VALUE (a NULL input), NULL_ARGUMENT, or what the function
 *         fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_grad(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count);

/**
 * ctorch_func_grad that also hands out the value it is the gradient of (`torch.func.grad_and_value`).
 *
 * @param[out] out        owned; a gradient for each of `argnums`.
 * @param[out] out_value  owned; the first output of the function.
 * @param[out] out_aux    owned; the auxiliary outputs; may be NULL if nobody wants them.
 * @param function        what to differentiate.
 * @param payload         handed to `function`; may be NULL.
 * @param inputs          borrowed; NULL elements may not be differentiated by.
 * @param inputs_len      number of inputs.
 * @param argnums         inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len     number of those.
 * @param aux_count       how many outputs come after the first.
 * @return NULL, or what ctorch_func_grad answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_grad_and_value(
    ctorch_tensor_list **out,
    ctorch_tensor **out_value,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count);

/**
 * Value of a function, and its derivative to be multiplied by vectors from the left (`torch.func.vjp`).
 *
 * @param[out] out      owned; value of the function: at least one tensor, all floating point or complex.
 * @param[out] out_vjp  owned; does not need the function any more.
 * @param[out] out_aux  owned; the auxiliary outputs; may be NULL if nobody wants them.
 * @param function      what to differentiate.
 * @param payload       handed to `function`; may be NULL.
 * @param primals       borrowed; the point, at least one tensor, all floating point or complex.
 * @param primals_len   number of inputs.
 * @param aux_count     how many of the outputs, the last ones, are auxiliary.
 * @return NULL, or RUNTIME (no output or one left NULL, no primal, integer primals or outputs), NULL_ARGUMENT, or what
 *         the function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_vjp(
    ctorch_tensor_list **out,
    ctorch_vjp_function **out_vjp,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len,
    size_t aux_count);

/**
 * Multiply cotangents by the derivative: their vector-Jacobian product.
 *
 * It may be called as often as wanted, inside other transforms too: ctorch_func_vmap of it gives many rows at once.
 * Where it was made inside a transform, it is of use until the function of that transform returns.
 *
 * @param[out] out        owned; one product for each primal, of its shape; zeros where no output depends on it.
 * @param self            borrowed.
 * @param cotangents      borrowed; one for each output, of its shape.
 * @param cotangents_len  number of outputs.
 * @param retain_graph    keep what further calls need; NULL for true.
 * @param create_graph    record the product itself, for autograd outside; NULL for the grad mode of the thread.
 * @return NULL, or INVALID_ARGUMENT (`cotangents_len`), SHAPE_MISMATCH, DTYPE_MISMATCH (complex for real or the
 *         reverse), RUNTIME (not retained by an earlier call), NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vjp_function_call(
    ctorch_tensor_list **out,
    const ctorch_vjp_function *self,
    const ctorch_tensor *const *cotangents,
    size_t cotangents_len,
    const bool *retain_graph,
    const bool *create_graph);

/**
 * Add a reference: one more ctorch_vjp_function_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_vjp_function_retain(const ctorch_vjp_function *self);

/**
 * Give a reference back, with it the graph. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_vjp_function_release(ctorch_vjp_function *self);

/**
 * Value of a function, and its derivative times a vector, by forward-mode differentiation (`torch.func.jvp`).
 *
 * @param[out] out           owned; value of the function, at least one tensor.
 * @param[out] out_tangents  owned; derivative of each output in the direction of `tangents`.
 * @param[out] out_aux       owned; the auxiliary outputs; may be NULL if nobody wants them.
 * @param function           what to differentiate.
 * @param payload            handed to `function`; may be NULL.
 * @param primals            borrowed; the point, at least one tensor, all floating point or complex.
 * @param primals_len        number of inputs.
 * @param tangents           borrowed; the direction: one for each primal, of its shape.
 * @param tangents_len       `primals_len`.
 * @param strict             fail where an output does not depend on the primals, rather than answer zeros.
 * @param aux_count          how many of the outputs, the last ones, are auxiliary.
 * @return NULL, or RUNTIME (no primal, no output or one left NULL, a tangent that does not fit its primal, `strict`,
 *         a dual level of forward-mode AD open outside), VALUE (integer primals or tangents), INVALID_ARGUMENT
 *         (`tangents_len`), NULL_ARGUMENT, NOT_IMPLEMENTED (operator without a forward derivative), or what the
 *         function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_jvp(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_tangents,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    bool strict,
    size_t aux_count);

/**
 * Value of a function, and its derivative to be multiplied by vectors from the right (`torch.func.linearize`).
 *
 * For many tangents one after another: the function runs once, each product after that costs no more than its
 * derivative. Python traces the forward derivative; here it is the transpose of the reverse one, which needs operators
 * that can be differentiated twice. Both are the same linear map.
 *
 * @param[out] out      owned; value of the function: at least one tensor, all floating point or complex.
 * @param[out] out_jvp  owned; does not need the function any more.
 * @param function      what to differentiate.
 * @param payload       handed to `function`; may be NULL.
 * @param primals       borrowed; the point, at least one tensor, all floating point or complex.
 * @param primals_len   number of inputs.
 * @return NULL, or what ctorch_func_vjp answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_linearize(
    ctorch_tensor_list **out,
    ctorch_jvp_function **out_jvp,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len);

/**
 * Multiply the derivative by tangents: the Jacobian-vector product. It may be called as often as wanted.
 *
 * @param[out] out      owned; derivative of each output in the direction of `tangents`.
 * @param self          borrowed.
 * @param tangents      borrowed; one for each primal, of its shape, dtype and device.
 * @param tangents_len  number of primals.
 * @return NULL, or INVALID_ARGUMENT (`tangents_len`), SHAPE_MISMATCH, DTYPE_MISMATCH, DEVICE_MISMATCH, NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jvp_function_call(
    ctorch_tensor_list **out,
    const ctorch_jvp_function *self,
    const ctorch_tensor *const *tangents,
    size_t tangents_len);

/**
 * Add a reference: one more ctorch_jvp_function_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_jvp_function_retain(const ctorch_jvp_function *self);

/**
 * Give a reference back, with it the graph. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_jvp_function_release(ctorch_jvp_function *self);

/**
 * Jacobian by reverse-mode differentiation, a row at a time or many (`torch.func.jacrev`).
 *
 * @param[out] out      owned; that of output i by the j-th of `argnums` is at i * n + j, n being the number of
 *                      `argnums`. Its shape is that of the output followed by that of the input.
 * @param[out] out_aux  owned; the auxiliary outputs; may be NULL if nobody wants them.
 * @param function      what to differentiate; its outputs are real.
 * @param payload       handed to `function`; may be NULL.
 * @param inputs        borrowed; real. NULL elements may not be differentiated by.
 * @param inputs_len    number of inputs.
 * @param argnums       inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len   number of those.
 * @param aux_count     how many of the outputs, the last ones, are auxiliary.
 * @param chunk_size    rows to compute at once, at least 1, by ctorch_func_vmap unless it is 1; NULL for all.
 * @return NULL, or RUNTIME (`argnums` empty, repeated or out of range; complex or integer tensors; no output or one
 *         left NULL), VALUE (chunk size, a NULL input), NULL_ARGUMENT, or what the function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_jacrev(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count,
    const int64_t *chunk_size);

/**
 * Jacobian by forward-mode differentiation, a column at a time or many (`torch.func.jacfwd`).
 *
 * @param[out] out      owned; that of output i by the j-th of `argnums` is at i * n + j, n being the number of
 *                      `argnums`. Its shape is that of the output followed by that of the input.
 * @param[out] out_aux  owned; the auxiliary outputs; may be NULL if nobody wants them.
 * @param function      what to differentiate; its outputs are real. It runs once for each chunk.
 * @param payload       handed to `function`; may be NULL.
 * @param inputs        borrowed; real. NULL elements may not be differentiated by.
 * @param inputs_len    number of inputs.
 * @param argnums       inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len   number of those.
 * @param aux_count     how many of the outputs, the last ones, are auxiliary.
 * @param randomness    what random operators do: the columns are the samples of ctorch_func_vmap.
 * @param chunk_size    columns to compute at once, at least 1, by ctorch_func_vmap unless it is 1; NULL for all.
 * @return NULL, or what ctorch_func_jacrev and ctorch_func_jvp answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_jacfwd(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count,
    ctorch_randomness randomness,
    const int64_t *chunk_size);

/**
 * Second derivatives: the forward Jacobian of the reverse one (`torch.func.hessian`).
 *
 * @param[out] out     owned; output i by the j-th and then the k-th of `argnums` is at (i * n + j) * n + k, n being the
 *                     number of `argnums`. Its shape is that of the output, then of input j, then of input k.
 * @param function     what to differentiate; its outputs are real.
 * @param payload      handed to `function`; may be NULL.
 * @param inputs       borrowed; real. NULL elements may not be differentiated by.
 * @param inputs_len   number of inputs.
 * @param argnums      inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len  number of those.
 * @return NULL, or what ctorch_func_jacfwd answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_hessian(
    ctorch_tensor_list **out,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len);

/**
 * The tensor inside a wrapper, to look at while debugging (`torch.func.debug_unwrap`). Computing with it inside the
 * function that is being transformed gives wrong results.
 *
 * @param[out] out  owned; `self` itself where it is no wrapper.
 * @param self      borrowed; may belong to a transform that has ended.
 * @param recurse   unwrap until nothing is wrapped, not one transform only.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_debug_unwrap(ctorch_tensor **out, const ctorch_tensor *self, bool recurse);

/**
 * How many transforms this thread is inside of, those opened by Python in the same process included.
 *
 * @return 0 outside of every transform.
 */
CTORCH_API size_t ctorch_func_depth(void);

CTORCH_END_DECLS

#endif
