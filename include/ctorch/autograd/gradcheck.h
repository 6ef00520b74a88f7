/**
 * Gradient checks: derivatives against finite differences (`torch.autograd.gradcheck`, `gradgradcheck`).
 *
 * Everything is as in torch/autograd/gradcheck.py: what is compared, the tolerances, how complex inputs and outputs are
 * treated, which inputs are allowed, and what a report says. The defaults are meant for inputs of double precision;
 * others bring a warning, and likely a failure.
 */
#ifndef CTORCH_GRADCHECK_H
#define CTORCH_GRADCHECK_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/tensor_list.h"

CTORCH_BEGIN_DECLS

/**
 * Compare the derivatives of a function, at given inputs, with finite differences.
 *
 * @param[out] out                    whether all derivatives are right; may be NULL to get wrong ones as an error
 *                                    RUNTIME that has the report for its message (`raise_exception=True`).
 * @param[out] out_report             owned; what is wrong: which output by which input, counted among those that
 *                                    require grad, the numbers and how far they are apart; "" if all is right. It is
 *                                    written together with `out`; may be NULL.
 * @param callback                    the function. It runs many times, on this thread, with inputs that differ a little
 *                                    and may be views and dual tensors; each time it gives as many outputs, of the same
 *                                    shapes.
 * @param payload                     handed to `callback`; may be NULL.
 * @param inputs                      borrowed; at least one requires grad. Its elements are changed for the time of the
 *                                    call, and may not overlap.
 * @param inputs_len                  number of inputs.
 * @param eps                         borrowed; step of the finite differences; NULL for 1e-6.
 * @param atol                        borrowed; absolute tolerance; NULL for 1e-5.
 * @param rtol                        borrowed; relative tolerance; NULL for 1e-3.
 * @param nondet_tol                  how far two backward passes may differ.
 * @param check_undefined_grad        borrowed; whether undefined gradients must count as zeros; NULL for true.
 * @param check_grad_dtypes           whether gradients must have the dtype of what they belong to.
 * @param check_batched_grad          whether backward must work with a batch of gradients.
 * @param check_batched_forward_grad  whether forward mode must work with a batch of tangents.
 * @param check_forward_ad            whether forward mode is checked.
 * @param check_backward_ad           borrowed; whether backward is checked; NULL for true.
 * @param fast_mode                   compare one random projection of each Jacobian instead of all of it.
 * @param masked                      leave the unspecified elements of sparse tensors out.
 * @return NULL, or NULL_ARGUMENT (`callback`), INVALID_ARGUMENT (nothing to check; an option without the one it needs;
 *         a NULL element among the outputs), VALUE (no input requires grad; a sparse output), RUNTIME (a dimension of
 *         stride 0; outputs of another shape or dtype at other inputs; wrong derivatives, if `out` is NULL), or what
 *         the callback failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_gradcheck(
    bool *out,
    ctorch_string **out_report,
    ctorch_tensors_callback callback,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const double *eps,
    const double *atol,
    const double *rtol,
    double nondet_tol,
    const bool *check_undefined_grad,
    bool check_grad_dtypes,
    bool check_batched_grad,
    bool check_batched_forward_grad,
    bool check_forward_ad,
    const bool *check_backward_ad,
    bool fast_mode,
    bool masked);

/**
 * Compare second derivatives with finite differences: the derivatives of what backward computes.
 *
 * @param[out] out                     whether all derivatives are right; may be NULL to get wrong ones as an error
 *                                     RUNTIME that has the report for its message (`raise_exception=True`).
 * @param[out] out_report              owned; what is wrong, as of ctorch_gradcheck; outputs are the first derivatives,
 *                                     inputs those of the function, then `grad_outputs`. It is written together with
 *                                     `out`; may be NULL.
 * @param callback                     the function.
 * @param payload                      handed to `callback`; may be NULL.
 * @param inputs                       borrowed; at least one requires grad. Its elements are changed for the time of
 *                                     the call, and may not overlap.
 * @param inputs_len                   number of inputs.
 * @param grad_outputs                 borrowed; the gradients that backward starts from; NULL for random ones.
 * @param grad_outputs_len             number of outputs that require grad; 0 if `grad_outputs` is not given.
 * @param eps                          borrowed; step of the finite differences; NULL for 1e-6.
 * @param atol                         borrowed; absolute tolerance; NULL for 1e-5.
 * @param rtol                         borrowed; relative tolerance; NULL for 1e-3.
 * @param gen_non_contig_grad_outputs  whether random `grad_outputs` have gaps in memory.
 * @param nondet_tol                   how far two backward passes may differ.
 * @param check_undefined_grad         borrowed; whether undefined gradients must count as zeros; NULL for true.
 * @param check_grad_dtypes            whether gradients must have the dtype of what they belong to.
 * @param check_batched_grad           whether backward must work with a batch of gradients.
 * @param check_fwd_over_rev           whether forward mode over backward is checked.
 * @param check_rev_over_rev           borrowed; whether backward over backward is checked; NULL for true.
 * @param fast_mode                    compare one random projection of each Jacobian instead of all of it.
 * @param masked                       leave the unspecified elements of sparse tensors out.
 * @return as of ctorch_gradcheck.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_gradcheck_double_backward(
    bool *out,
    ctorch_string **out_report,
    ctorch_tensors_callback callback,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    const double *eps,
    const double *atol,
    const double *rtol,
    bool gen_non_contig_grad_outputs,
    double nondet_tol,
    const bool *check_undefined_grad,
    bool check_grad_dtypes,
    bool check_batched_grad,
    bool check_fwd_over_rev,
    const bool *check_rev_over_rev,
    bool fast_mode,
    bool masked);

CTORCH_END_DECLS

#endif
