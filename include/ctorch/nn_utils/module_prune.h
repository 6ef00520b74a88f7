/**
 * Weights of which some elements are zero and stay so (`torch.nn.utils.prune`). A parameter that is pruned is computed
 * anew before each call of its module, so that such a module is exclusive in evaluation mode too: `weight` is the
 * product of a parameter `weight_orig`, which takes its place, and a buffer `weight_mask` of ones and zeros.
 *
 *     CTORCH_TRY(ctorch_module_prune_l1_unstructured(layer, "weight", CTORCH_FLOAT(0.5), NULL));
 *     …                                                          // train on: what was pruned stays zero
 *     CTORCH_TRY(ctorch_module_prune_remove(layer, "weight"));   // an ordinary parameter again
 *
 * What was pruned can be pruned again, by any method: it then decides about what is left, an unstructured one about the
 * elements with a mask of 1, a structured one about the channels with any, a global one about all.
 */
#ifndef CTORCH_MODULE_PRUNE_H
#define CTORCH_MODULE_PRUNE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/tensor_list.h"
#include "ctorch/abi/types.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * Prune nothing: the mask is all ones (`prune.identity`).
 *
 * @param self  exclusive.
 * @param name  borrowed; of a parameter of the module itself.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such parameter, or one of the new names
 *         stands for something else; Python's AttributeError and KeyError), TYPE (what has the name is no parameter, or
 *         None), RUNTIME (it is computed otherwise, or the mask or the parameter behind it was taken out),
 *         OUT_OF_MEMORY, or what an operator returns. The module is as it was then.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_identity(ctorch_module *self, const char *name);

/**
 * Prune elements at random (`prune.random_unstructured`).
 *
 * @param self    exclusive.
 * @param name    borrowed; of a parameter of the module itself.
 * @param amount  how many of the elements that are left; or as a FLOAT, which fraction of them, rounded to even.
 * @return NULL, or as ctorch_module_prune_identity, and INVALID_ARGUMENT (no scalar), TYPE (a complex amount), VALUE
 *         (an amount below 0, a fraction above 1, more elements than are left).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_random_unstructured(
    ctorch_module *self, const char *name, const ctorch_scalar *amount);

/**
 * Prune the elements of the smallest absolute value (`prune.l1_unstructured`).
 *
 * @param self               exclusive.
 * @param name               borrowed; of a parameter of the module itself.
 * @param amount             how many of the elements that are left; or as a FLOAT, which fraction of them, rounded to
 *                           even.
 * @param importance_scores  borrowed; what counts in the place of the parameter, of its shape. NULL for itself.
 * @return NULL, or as ctorch_module_prune_random_unstructured, and VALUE (scores of another shape; Python's
 *         AssertionError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_l1_unstructured(
    ctorch_module *self, const char *name, const ctorch_scalar *amount, const ctorch_tensor *importance_scores);

/**
 * Prune whole channels at random (`prune.random_structured`).
 *
 * @param self    exclusive.
 * @param name    borrowed; of a parameter of the module itself, of two dimensions or more.
 * @param amount  how many of the channels that are left; or as a FLOAT, which fraction of them, rounded to even.
 * @param dim     the dimension of the channels; negative counts from the end.
 * @return NULL, or as ctorch_module_prune_random_unstructured, and VALUE (less than two dimensions), INDEX (no such
 *         dimension).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_random_structured(
    ctorch_module *self, const char *name, const ctorch_scalar *amount, int64_t dim);

/**
 * Prune the channels of the smallest norm (`prune.ln_structured`).
 *
 * @param self               exclusive.
 * @param name               borrowed; of a parameter of the module itself, of two dimensions or more.
 * @param amount             how many of the channels that are left; or as a FLOAT, which fraction of them, rounded to
 *                           even.
 * @param n                  order of the norm, as ctorch_aten_linalg_vector_norm takes it: ±infinity and 0 included.
 * @param dim                the dimension of the channels; negative counts from the end.
 * @param importance_scores  borrowed; what counts in the place of the parameter, of its shape. NULL for itself.
 * @return NULL, or as ctorch_module_prune_random_structured, and VALUE (scores of another shape; Python's
 *         AssertionError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_ln_structured(
    ctorch_module *self,
    const char *name,
    const ctorch_scalar *amount,
    double n,
    int64_t dim,
    const ctorch_tensor *importance_scores);

/**
 * ctorch_module_prune_ln_structured with a norm that has a name.
 *
 * @param self               exclusive.
 * @param name               borrowed; of a parameter of the module itself, of three dimensions ("fro": of two, too).
 * @param amount             how many of the channels that are left; or as a FLOAT, which fraction of them, rounded to
 *                           even.
 * @param n                  borrowed; "fro", the Frobenius norm, or "nuc", the nuclear norm, of matrices.
 * @param dim                the dimension of the channels; negative counts from the end.
 * @param importance_scores  borrowed; what counts in the place of the parameter, of its shape. NULL for itself.
 * @return NULL, or as ctorch_module_prune_ln_structured, and RUNTIME (another name; channels that are no matrices).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_ln_structured_str(
    ctorch_module *self,
    const char *name,
    const ctorch_scalar *amount,
    const char *n,
    int64_t dim,
    const ctorch_tensor *importance_scores);

/**
 * Prune by a mask that is there (`prune.custom_from_mask`). What was pruned before stays so.
 *
 * @param self  exclusive.
 * @param name  borrowed; of a parameter of the module itself.
 * @param mask  borrowed; ones and zeros of any dtype, of the parameter's shape.
 * @return NULL, or as ctorch_module_prune_identity, and VALUE (another shape; Python's AssertionError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_custom_from_mask(
    ctorch_module *self, const char *name, const ctorch_tensor *mask);

/**
 * Prune by a method of one's own (a class derived from `prune.BasePruningMethod`).
 *
 * @param self               exclusive; not to be pruned by `compute_mask` itself.
 * @param name               borrowed; of a parameter of the module itself.
 * @param compute_mask       called on this thread, once, with two tensors: the scores, and the mask of what was pruned
 *                           before, all ones at first. Gives one tensor, the mask of what is to be left of both. Of
 *                           what was pruned before it gets the part that is left, as `pruning_type` says.
 * @param payload            handed to `compute_mask`; may be NULL.
 * @param pruning_type       borrowed; "unstructured" (what is left is a vector), "structured" or "global".
 * @param dim                the dimension of the channels, for a structured method, which needs it where something was
 *                           pruned before; NULL for none.
 * @param importance_scores  borrowed; what counts in the place of the parameter, of its shape. NULL for itself.
 * @return NULL, or as ctorch_module_prune_identity, and VALUE (another type; scores of another shape, Python's
 *         AssertionError), INDEX (no `dim`, or none that the parameter has), RUNTIME (no mask; the module was changed
 *         meanwhile), or what `compute_mask` returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_by(
    ctorch_module *self,
    const char *name,
    ctorch_tensors_callback compute_mask,
    void *payload,
    const char *pruning_type,
    const int64_t *dim,
    const ctorch_tensor *importance_scores);

/**
 * Prune several parameters as if they were one vector (`prune.global_unstructured`).
 *
 * @param self                   exclusive; a module that has them all.
 * @param names                  borrowed; dotted names of parameters: "0.weight", "encoder.bias".
 * @param names_len              number of them.
 * @param pruning_method         borrowed; the name of Python's class: "L1Unstructured", "RandomUnstructured",
 *                               "Identity".
 * @param amount                 how many of all elements that are left; or as a FLOAT, which fraction of them, rounded
 *                               to even. NULL for "Identity" alone, which does not look at it.
 * @param importance_scores      borrowed; for each name what counts in the place of the parameter, of as many elements;
 *                               a NULL element is itself. NULL for all themselves.
 * @param importance_scores_len  0, or as many as names.
 * @return NULL, or as ctorch_module_prune_random_unstructured, and TYPE (a method that is not unstructured; parameters
 *         on several devices), VALUE (no names, another method), INVALID_ARGUMENT (another number of scores, a NULL
 *         name), RUNTIME (a parameter whose memory has gaps), SHAPE_MISMATCH (scores of more or less elements; Python's
 *         IndexError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_global_unstructured(
    ctorch_module *self,
    const char *const *names,
    size_t names_len,
    const char *pruning_method,
    const ctorch_scalar *amount,
    const ctorch_tensor *const *importance_scores,
    size_t importance_scores_len);

/**
 * ctorch_module_prune_global_unstructured by an unstructured method of one's own.
 *
 * @param self                   exclusive; a module that has them all, not to be pruned by `compute_mask` itself.
 * @param names                  borrowed; dotted names of parameters.
 * @param names_len              number of them.
 * @param compute_mask           called on this thread, once, with two vectors: the scores of all elements that are
 *                               left, and as many ones. Gives one tensor, the mask of what is to be left of them.
 * @param payload                handed to `compute_mask`; may be NULL.
 * @param importance_scores      borrowed; for each name what counts in the place of the parameter, of as many elements;
 *                               a NULL element is itself. NULL for all themselves.
 * @param importance_scores_len  0, or as many as names.
 * @return NULL, or as ctorch_module_prune_global_unstructured, and RUNTIME (no mask; the module was changed meanwhile),
 *         or what `compute_mask` returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_global_by(
    ctorch_module *self,
    const char *const *names,
    size_t names_len,
    ctorch_tensors_callback compute_mask,
    void *payload,
    const ctorch_tensor *const *importance_scores,
    size_t importance_scores_len);

/**
 * Make what was pruned an ordinary parameter again, with its zeros (`prune.remove`). It is the tensor that was
 * `<name>_orig`, so that an optimizer goes on with it.
 *
 * @param self  exclusive.
 * @param name  borrowed; as it was pruned under.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (it is not pruned), RUNTIME (the mask or the
 *         parameter behind it was taken out), OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_prune_remove(ctorch_module *self, const char *name);

/**
 * Whether a module, or one inside it, is pruned (`prune.is_pruned`).
 *
 * @param[out] out  the answer.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (nested too deep), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_is_pruned(bool *out, const ctorch_module *self);

CTORCH_END_DECLS

#endif
