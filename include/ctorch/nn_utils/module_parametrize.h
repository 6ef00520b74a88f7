/**
 * Parameters and buffers that are computed by modules: `torch.nn.utils.parametrize`, and the parametrizations of
 * `torch.nn.utils.parametrizations`.
 *
 *     CTORCH_TRY(ctorch_module_register_parametrization(linear, "weight", symmetric, false));
 *     CTORCH_TRY(ctorch_module_forward(&y, linear, x));                   // with symmetric(original) as its weight
 *     CTORCH_TRY(ctorch_module_get_tensor(&weight, linear, "weight"));    // what that is now
 *
 * What the tensor is computed from stands under "parametrizations.weight.original", or where there are several under
 * "original0", "original1" …; the parametrizations under "parametrizations.weight.0", "1" …, each of which is given
 * what the one before it made. The module is called "ParametrizedLinear" from then on, and the tensor is no parameter
 * of it any more: it is computed at every call, so that such a module is exclusive in evaluation mode too.
 *
 * A parametrization is any module; one of one's own may have a right inverse (ctorch_module_set_right_inverse).
 */
#ifndef CTORCH_MODULE_PARAMETRIZE_H
#define CTORCH_MODULE_PARAMETRIZE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * Let a module compute a parameter or a buffer of another (`parametrize.register_parametrization`).
 *
 * The tensor stays the object that it is, with the memory of what the right inverse makes of it, and so stays known to
 * an optimizer; unless the right inverse gives several, which are new.
 *
 * @param self             exclusive.
 * @param tensor_name      borrowed; of a parameter or buffer of the module itself.
 * @param parametrization  gets a reference, and the mode of `self`.
 * @param unsafe           it may change the dtype and the shape of the tensor; nothing is checked.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (no such tensor; a forward or right inverse that
 *         gives no tensor, or one of another dtype or shape), TYPE (the tensor is None), INDEX ("parametrizations"
 *         stands for a tensor), RUNTIME (the parametrization is or contains `self`), OUT_OF_MEMORY, or what the
 *         parametrization returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_parametrization(
    ctorch_module *self, const char *tensor_name, ctorch_module *parametrization, bool unsafe);

/**
 * Let a tensor be a parameter or buffer again (`parametrize.remove_parametrizations`).
 *
 * @param self                exclusive.
 * @param tensor_name         borrowed.
 * @param leave_parametrized  with the values that are computed now, in its one original or in a new tensor; otherwise
 *                            the original is put back.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (it is not parametrized; several originals, of
 *         which none can be put back), OUT_OF_MEMORY, or what the parametrizations return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_remove_parametrizations(
    ctorch_module *self, const char *tensor_name, bool leave_parametrized);

/**
 * Whether a tensor of a module is parametrized (`parametrize.is_parametrized`).
 *
 * @param self         borrowed; may be NULL.
 * @param tensor_name  borrowed; NULL for any tensor.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_module_is_parametrized(const ctorch_module *self, const char *tensor_name);

/**
 * Name of the class without what parametrizations put in front of it: "Linear" of a "ParametrizedLinear"
 * (`parametrize.type_before_parametrizations`).
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_module_type_before_parametrizations(const ctorch_module *self);

/**
 * Parametrize a module as another is, by the same parametrizations and the same originals
 * (`parametrize.transfer_parametrizations_and_params`). Nothing is done if that one is not parametrized.
 *
 * If it fails, what was transferred before stays.
 *
 * @param self         borrowed; that other module.
 * @param to           exclusive; it gets a parameter where it has no tensor of that name.
 * @param tensor_name  borrowed; NULL for all tensors that are parametrized.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (it is not parametrized), or what
 *         ctorch_module_register_parametrization returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_transfer_parametrizations_and_params(
    ctorch_module *self, ctorch_module *to, const char *tensor_name);

/**
 * Keep what is computed on this thread, so that it is computed once, until the pop (`parametrize.cached`). Pushes nest;
 * the last pop forgets all.
 *
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_cached_push(void);

/**
 * The end of the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_cached_pop(void);

/**
 * What a module has under a name as a tensor: a parameter, a buffer, or what is computed in its place
 * (`module.weight`).
 *
 * What a parametrization computes is computed anew; other weights are as the last call had them.
 *
 * @param[out] out  owned; NULL for None.
 * @param self      exclusive where it computes; otherwise borrowed.
 * @param target    borrowed; a dotted name.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such tensor; Python's AttributeError), or
 *         what the parametrizations return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_get_tensor(ctorch_tensor **out, ctorch_module *self, const char *target);

/**
 * Let the originals of a parametrized tensor be those that a value is computed from, by the right inverses
 * (`module.weight = value`).
 *
 * @param self         exclusive.
 * @param tensor_name  borrowed.
 * @param value        borrowed; the originals may get its memory.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (it is not parametrized; a right inverse that
 *         gives other dtypes or another number of tensors), RUNTIME (a parametrization without a right inverse),
 *         OUT_OF_MEMORY, or what the right inverses return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_parametrized(
    ctorch_module *self, const char *tensor_name, const ctorch_tensor *value);

/* Parametrizations ------------------------------------------------------------------------------------------------- */

/**
 * Let a weight be a length times a direction, w = g · v / ‖v‖ (`parametrizations.weight_norm`). "original0" is the
 * length g, "original1" the direction v. A state dict of a module that ctorch_module_weight_norm made is loaded too.
 *
 * @param self  exclusive.
 * @param name  borrowed; of a parameter or buffer of the module itself. NULL for "weight".
 * @param dim   the dimension whose entries have a length each; -1 for one length of all (None).
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (no such tensor), OUT_OF_MEMORY, what
 *         ctorch_module_register_parametrization returns, or an operator.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_parametrize_weight_norm(ctorch_module *self, const char *name, int64_t dim);

/**
 * Divide a weight by its largest singular value, or a vector by its length (`parametrizations.spectral_norm`).
 *
 * The singular vectors are approximated by power iteration, whenever the weight is computed in training mode; they are
 * the buffers "_u" and "_v" of the parametrization, begin with normal draws, and are iterated 15 times at first.
 *
 * @param self                exclusive.
 * @param name                borrowed; of a parameter or buffer of the module itself. NULL for "weight".
 * @param n_power_iterations  at each computation; from 1 to 1,000,000.
 * @param eps                 the least length that is divided by (Python's default is 1e-12).
 * @param dim                 borrowed; the dimension of the outputs, along which the matrix has its rows. NULL for 1 in
 *                            a ConvTranspose, and 0 otherwise.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (no such tensor; another number of iterations),
 *         INDEX (no such dimension), OUT_OF_MEMORY, what ctorch_module_register_parametrization returns, or an
 *         operator.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_parametrize_spectral_norm(
    ctorch_module *self, const char *name, int64_t n_power_iterations, double eps, const int64_t *dim);

/**
 * Let a matrix, or a batch of them (*, m, n), have orthonormal columns, or rows if m < n
 * (`parametrizations.orthogonal`); complex ones are unitary.
 *
 * @param self                exclusive.
 * @param name                borrowed; of a parameter or buffer of the module itself. NULL for "weight".
 * @param orthogonal_map      borrowed; "matrix_exp", "cayley" or "householder". NULL for "matrix_exp" of matrices that
 *                            are square or complex, and "householder" otherwise.
 * @param use_trivialization  multiply by a base, the buffer "base" of the parametrization, which is what the weight was
 *                            at first, made orthogonal; random columns make it square.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (no such tensor, less than 2 dimensions, an
 *         unknown map, "householder" of complex numbers), OUT_OF_MEMORY, what ctorch_module_register_parametrization
 *         returns, or an operator.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_parametrize_orthogonal(
    ctorch_module *self, const char *name, const char *orthogonal_map, bool use_trivialization);

CTORCH_END_DECLS

#endif
