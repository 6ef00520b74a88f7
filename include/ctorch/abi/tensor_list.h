/**
 * Lists of tensors, as operators such as `ctorch_aten_split_Tensor` return them.
 */
#ifndef CTORCH_TENSOR_LIST_H
#define CTORCH_TENSOR_LIST_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * Make a list of tensors; each gets a reference.
 *
 * @param[out] out     owned.
 * @param tensors      borrowed; NULL elements are undefined tensors.
 * @param tensors_len  number of tensors.
 * @return NULL, or NULL_ARGUMENT (`out`; `tensors` NULL with a length), INVALID_ARGUMENT (absurd length).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_list_new(
    ctorch_tensor_list **out, const ctorch_tensor *const *tensors, size_t tensors_len);

/**
 * Give a list back, and its references with it.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tensor_list_release(ctorch_tensor_list *self);

/**
 * Number of tensors.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_tensor_list_len(const ctorch_tensor_list *self);

/**
 * The tensors as an array that feeds straight into a list argument.
 *
 * @param self  borrowed; may be NULL.
 * @return `ctorch_tensor_list_len` entries, borrowed from `self`; NULL for NULL.
 */
CTORCH_API const ctorch_tensor *const *ctorch_tensor_list_data(const ctorch_tensor_list *self);

/**
 * The tensors as an array for operators that change their list in place (`ctorch_aten__foreach_add__Scalar`).
 *
 * @param self  exclusive; may be NULL.
 * @return `ctorch_tensor_list_len` entries, borrowed from `self`; NULL for NULL.
 */
CTORCH_API ctorch_tensor *const *ctorch_tensor_list_mutable_data(ctorch_tensor_list *self);

/**
 * One tensor of the list, with a reference of its own.
 *
 * @param[out] out  owned; NULL for an undefined element.
 * @param self      borrowed.
 * @param index     below ctorch_tensor_list_len.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_list_get(ctorch_tensor **out, const ctorch_tensor_list *self, size_t index);

/**
 * A function from tensors to tensors, for whatever calls one: transforms, gradient checks, checkpoints.
 *
 * @param[out] out      owned; the outputs, in their order.
 * @param inputs        borrowed for the call; NULL elements where the caller has none.
 * @param inputs_len    number of inputs.
 * @param[out] error    owned; NULL for success.
 * @param payload       as it was given beside the function.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_tensors_callback)(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload);

CTORCH_END_DECLS

#endif
