/**
 * Transforms of functions (`torch.func`): a callback that maps tensors to tensors is vectorized or differentiated.
 *
 *     static ctorch_callback_status loss(
 *         ctorch_tensor **outputs, size_t outputs_len, const ctorch_tensor *const *inputs, size_t inputs_len,
 *         ctorch_error **error, void *payload) {
 *       *error = ctorch_aten_mse_loss(&outputs[0], inputs[0], inputs[1], 1);
 *       return *error == NULL ? CTORCH_CALLBACK_OK : 0;
 *     }
 *     static ctorch_callback_status gradient(…) {
 *       *error = ctorch_func_grad(outputs, 1, NULL, 0, loss, NULL, inputs, inputs_len, NULL, 0);
 *       return *error == NULL ? CTORCH_CALLBACK_OK : 0;
 *     }
 *     ctorch_func_vmap(&per_sample, 1, gradient, NULL, CTORCH_TENSORS(x, y), NULL, 0, NULL, 0, 0, NULL);
 *
 * Transforms nest to any depth, because a callback calls ctorch like any other code, transforms too. What is true of
 * all of them:
 *
 * - The function runs on the calling thread, during the call only, once or a few times. If it fails, its error comes
 * out unchanged, and every transform that was open is closed.
 * - The tensors that it is given, and those that it makes of them, are wrapped: they have sizes, a dtype and a text,
 * but no memory to point at, and under vmap no number to read (`item`). They are of use until the function returns.
 * After that the wrapper of vmap is refused by operators; that of a derivative acts as the tensor in it.
 * - Tensors from outside (of a payload, say) are constants to a derivative and the same for every sample to vmap. They
 *   may not be changed in place by a function that is being differentiated.
 * - A result may share memory with an input, or be one, where the function returns an input or a view of it.
 * - Differentiation needs neither ctorch_tensor_set_requires_grad nor ctorch_tensor_backward, which are refused inside,
 *   and looks at neither grad mode nor inference mode outside. A grad mode that the function sets itself counts.
 *
 * Where the shape of a callback leaves no room for Python's: outputs are a flat array whose length the caller gives,
 * and auxiliary outputs (`has_aux`) are the last ones of it.
 */
#ifndef CTORCH_FUNC_H
#define CTORCH_FUNC_H

#include "ctorch/base.h"
#include "ctorch/types.h"

CTORCH_BEGIN_DECLS

/**
 * A function of tensors.
 *
 * @param[out] outputs  owned; all `outputs_len` of them are to be filled. To return an input, retain it. What is there
 *                      after a failure is released.
 * @param outputs_len   number of outputs, as the call of the transform said.
 * @param inputs        borrowed for the call; NULL elements where the transform was given them.
 * @param inputs_len    number of inputs.
 * @param[out] error    owned; why it failed.
 * @param payload       as given to the transform.
 * @return CTORCH_CALLBACK_OK, or anything else for a failure.
 */
typedef ctorch_callback_status (*ctorch_func_callback)(
    ctorch_tensor **outputs,
    size_t outputs_len,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload);

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
 * @param[out] outputs     owned; stacked results of the function.
 * @param outputs_len      number of outputs of the function.
 * @param function         what to map.
 * @param payload          borrowed for the call.
 * @param inputs           borrowed; at least one is mapped. NULL elements are not mapped.
 * @param inputs_len       number of inputs.
 * @param in_dims          mapped dimension of each input, or CTORCH_VMAP_UNMAPPED; NULL with length 0 for 0 everywhere.
 * @param in_dims_len      `inputs_len`.
 * @param out_dims         where each output gets its mapped dimension, or CTORCH_VMAP_UNMAPPED for one that depends on
 *                         no mapped input; NULL with length 0 for 0 everywhere.
 * @param out_dims_len     `outputs_len`.
 * @param randomness       what random operators do.
 * @param chunk_size       samples to run at once, at least 1; NULL for all.
 * @return NULL, or VALUE (no input, nothing mapped, dimension out of range, sizes of the mapped dimensions differ,
 *         chunk size below 1, an output that must not be mapped is), INDEX (`out_dims` out of
 *         range), INVALID_ARGUMENT (lengths, randomness), RUNTIME (randomness, operator that cannot be mapped, an
 *         output left NULL), or what the function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_vmap(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_func_callback function,
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
 * Gradient of a function whose first output is a 0-dimensional tensor (`torch.func.grad`).
 *
 * @param[out] grads    owned; one for each of `argnums`, of its shape; zeros where the output does not depend on it.
 * @param grads_len     number of `argnums`.
 * @param[out] aux      owned; the outputs of the function after the first; may be NULL if `aux_len` is 0.
 * @param aux_len       how many those are.
 * @param function      what to differentiate.
 * @param payload       borrowed for the call.
 * @param inputs        borrowed; NULL elements may not be differentiated by.
 * @param inputs_len    number of inputs.
 * @param argnums       inputs to differentiate by, floating point or complex, each once, from the end if negative; NULL
 *                      with length 0 for the first.
 * @param argnums_len   number of those.
 * @return NULL, or RUNTIME (`argnums` empty, repeated or out of range, an integer input, an output that is missing or
 *         not 0-dimensional), VALUE (a NULL input), INVALID_ARGUMENT (lengths), or what the function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_grad(
    ctorch_tensor **grads,
    size_t grads_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len);

/**
 * ctorch_func_grad that also hands out the value it is the gradient of (`torch.func.grad_and_value`).
 *
 * @param[out] grads      owned; one for each of `argnums`.
 * @param grads_len       number of `argnums`.
 * @param[out] out_value  owned; the first output of the function.
 * @param[out] aux        owned; the outputs of the function after the first; may be NULL if `aux_len` is 0.
 * @param aux_len         how many those are.
 * @param function        what to differentiate.
 * @param payload         borrowed for the call.
 * @param inputs          borrowed; NULL elements may not be differentiated by.
 * @param inputs_len      number of inputs.
 * @param argnums         inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len     number of those.
 * @return NULL, or what ctorch_func_grad answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_grad_and_value(
    ctorch_tensor **grads,
    size_t grads_len,
    ctorch_tensor **out_value,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len);

/**
 * Value of a function, and its derivative to be multiplied by vectors from the left (`torch.func.vjp`).
 *
 * @param[out] outputs   owned; value of the function, at least one tensor, all floating point or complex.
 * @param outputs_len    number of outputs to differentiate.
 * @param[out] out_vjp   owned; does not need the function any more.
 * @param[out] aux       owned; further outputs of the function, which are not differentiated; may be NULL if `aux_len`
 *                       is 0.
 * @param aux_len        how many those are.
 * @param function       what to differentiate.
 * @param payload        borrowed for the call.
 * @param primals        borrowed; the point, floating point or complex.
 * @param primals_len    number of inputs.
 * @return NULL, or RUNTIME (no output or one left NULL, integer input or output), NULL_ARGUMENT, or what the
 *         function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_vjp(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_vjp_function **out_vjp,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len);

/**
 * Multiply cotangents by the derivative: their vector-Jacobian product.
 *
 * It may be called as often as wanted, inside other transforms too: ctorch_func_vmap of it gives many rows at once.
 * Where it was made inside a transform, it is of use until the function of that transform returns.
 *
 * @param[out] grads        owned; one for each primal, of its shape; zeros where no output depends on it.
 * @param grads_len         number of primals.
 * @param self              borrowed.
 * @param cotangents        borrowed; one for each output, of its shape.
 * @param cotangents_len    number of outputs.
 * @param retain_graph      keep what further calls need; NULL for true.
 * @param create_graph      record the product itself, for autograd outside; NULL for the grad mode of the thread.
 * @return NULL, or INVALID_ARGUMENT (lengths), SHAPE_MISMATCH, DTYPE_MISMATCH (complex for real or the reverse),
 *         RUNTIME (not retained by an earlier call), NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_vjp_function_call(
    ctorch_tensor **grads,
    size_t grads_len,
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
 * @param[out] outputs            owned; value of the function.
 * @param outputs_len             number of outputs to differentiate, at least 1.
 * @param[out] output_tangents    owned; derivative of each output in the direction of `tangents`.
 * @param output_tangents_len     `outputs_len`.
 * @param[out] aux                owned; further outputs of the function, which are not differentiated; may be NULL if
 *                                `aux_len` is 0.
 * @param aux_len                 how many those are.
 * @param function                what to differentiate.
 * @param payload                 borrowed for the call.
 * @param primals                 borrowed; the point, at least one tensor, all floating point or complex.
 * @param primals_len             number of inputs.
 * @param tangents                borrowed; the direction: one for each primal, of its shape.
 * @param tangents_len            `primals_len`.
 * @param strict                  fail where an output does not depend on the primals, rather than answer zeros.
 * @return NULL, or RUNTIME (no primal, no output or one left NULL, a tangent that does not fit its primal, `strict`,
 *         a dual level of forward-mode AD open outside), VALUE (integer primals or tangents), INVALID_ARGUMENT
 *         (lengths), NULL_ARGUMENT, NOT_IMPLEMENTED (operator without a forward derivative), or what the function fails
 *         with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_jvp(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_tensor **output_tangents,
    size_t output_tangents_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    bool strict);

/**
 * Value of a function, and its derivative to be multiplied by vectors from the right (`torch.func.linearize`).
 *
 * For many tangents one after another: the function runs once, each product after that costs no more than its
 * derivative. Python traces the forward derivative; here it is the transpose of the reverse one, which needs operators
 * that can be differentiated twice. Both are the same linear map.
 *
 * @param[out] outputs   owned; value of the function, all floating point or complex.
 * @param outputs_len    number of outputs, at least 1.
 * @param[out] out_jvp   owned; does not need the function any more.
 * @param function       what to differentiate.
 * @param payload        borrowed for the call.
 * @param primals        borrowed; the point, floating point or complex.
 * @param primals_len    number of inputs.
 * @return NULL, or what ctorch_func_vjp answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_linearize(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_jvp_function **out_jvp,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len);

/**
 * Multiply the derivative by tangents: the Jacobian-vector product. It may be called as often as wanted.
 *
 * @param[out] output_tangents    owned; derivative of each output in the direction of `tangents`.
 * @param output_tangents_len     number of outputs.
 * @param self                    borrowed.
 * @param tangents                borrowed; one for each primal, of its shape, dtype and device.
 * @param tangents_len            number of primals.
 * @return NULL, or INVALID_ARGUMENT (lengths), SHAPE_MISMATCH, DTYPE_MISMATCH, DEVICE_MISMATCH, NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_jvp_function_call(
    ctorch_tensor **output_tangents,
    size_t output_tangents_len,
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
 * @param[out] jacobians    owned; that of output i by the j-th of `argnums` is at i * n + j, n being the number of
 *                          `argnums`. Its shape is that of the output followed by that of the input.
 * @param jacobians_len     n times the number of outputs to differentiate, which this tells the function.
 * @param[out] aux          owned; further outputs of the function, which are not differentiated; may be NULL if
 *                          `aux_len` is 0.
 * @param aux_len           how many those are.
 * @param function          what to differentiate; its outputs are real.
 * @param payload           borrowed for the call.
 * @param inputs            borrowed; real. NULL elements may not be differentiated by.
 * @param inputs_len        number of inputs.
 * @param argnums           inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len       number of those.
 * @param chunk_size        rows to compute at once, at least 1, by ctorch_func_vmap unless it is 1; NULL for all.
 * @return NULL, or RUNTIME (`argnums` empty, repeated or out of range; complex or integer tensors, an output left
 *         NULL), VALUE (chunk size, a NULL input), INVALID_ARGUMENT (lengths), or what the function fails with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_jacrev(
    ctorch_tensor **jacobians,
    size_t jacobians_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    const int64_t *chunk_size);

/**
 * Jacobian by forward-mode differentiation, many columns at a time (`torch.func.jacfwd`).
 *
 * The function runs under ctorch_func_vmap, so its outputs may not depend on data read from a tensor.
 *
 * @param[out] jacobians    owned; that of output i by the j-th of `argnums` is at i * n + j, n being the number of
 *                          `argnums`. Its shape is that of the output followed by that of the input.
 * @param jacobians_len     n times the number of outputs to differentiate, which this tells the function.
 * @param[out] aux          owned; further outputs of the function, which are not differentiated; may be NULL if
 *                          `aux_len` is 0.
 * @param aux_len           how many those are.
 * @param function          what to differentiate; its outputs are real.
 * @param payload           borrowed for the call.
 * @param inputs            borrowed; real. NULL elements may not be differentiated by.
 * @param inputs_len        number of inputs.
 * @param argnums           inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len       number of those.
 * @param randomness        what random operators do: the columns are the samples.
 * @param chunk_size        columns to compute at once, at least 1; NULL for all. The function runs once for each chunk.
 * @return NULL, or what ctorch_func_jacrev and ctorch_func_jvp answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_jacfwd(
    ctorch_tensor **jacobians,
    size_t jacobians_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    ctorch_randomness randomness,
    const int64_t *chunk_size);

/**
 * Second derivatives: the forward Jacobian of the reverse one (`torch.func.hessian`).
 *
 * @param[out] hessians    owned; output i by the j-th and then the k-th of `argnums` is at (i * n + j) * n + k, n being
 *                         the number of `argnums`. Its shape is that of the output, then of input j, then of input k.
 * @param hessians_len     n times n times the number of outputs of the function, which this tells it.
 * @param function         what to differentiate; its outputs are real.
 * @param payload          borrowed for the call.
 * @param inputs           borrowed; real. NULL elements may not be differentiated by.
 * @param inputs_len       number of inputs.
 * @param argnums          inputs to differentiate by; NULL with length 0 for the first.
 * @param argnums_len      number of those.
 * @return NULL, or what ctorch_func_jacfwd answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_func_hessian(
    ctorch_tensor **hessians,
    size_t hessians_len,
    ctorch_func_callback function,
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
