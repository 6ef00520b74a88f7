/**
 * Forward-mode differentiation: tangents that travel along with the values (`torch.autograd.forward_ad`).
 *
 *     ctorch_dual_level_push();
 *     ctorch_tensor_make_dual(&dual, x, tangent, NULL);
 *     ctorch_aten_sin(&y, dual);
 *     ctorch_tensor_unpack_dual(&primal, &derivative, y, NULL);
 *     ctorch_dual_level_pop();
 *
 * A dual tensor may be used by other threads too, and backward goes through it. Some operators have a forward
 * derivative only where Python's torch is loaded, which defines it.
 */
#ifndef CTORCH_FORWARD_AD_H
#define CTORCH_FORWARD_AD_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/**
 * Start to differentiate. There is one level in a process, and so far LibTorch has no second inside the first; higher
 * derivatives are func.h's.
 *
 * @return NULL, or RUNTIME (a level is open already, by any thread).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dual_level_push(void);

/**
 * End the level that this thread started. Its tangents are forgotten: dual tensors become ordinary ones.
 *
 * @return NULL, or RUNTIME (this thread started none).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dual_level_pop(void);

/**
 * The level that is open, whoever started it.
 *
 * @return its number, counted from 0; -1 if none is open.
 */
CTORCH_API int64_t ctorch_dual_level_current(void);

/**
 * Put a tensor and a tangent together.
 *
 * @param[out] out  owned; shares the data of `self`.
 * @param self      borrowed; floating point or complex, not a dual tensor.
 * @param tangent   borrowed; of the same shape; copied unless its strides are those of `self`.
 * @param level     borrowed; NULL for the one that is open.
 * @return NULL, or NULL_ARGUMENT, VALUE (neither floating point nor complex), RUNTIME (no such level, another shape, a
 *         dual tensor).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_make_dual(
    ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *tangent, const int64_t *level);

/**
 * Take a dual tensor apart.
 *
 * @param[out] out_primal   owned; the value, a view of `self`, or `self` itself if no level is open.
 * @param[out] out_tangent  owned; NULL if there is none.
 * @param self              borrowed.
 * @param level             borrowed; NULL for the one that is open.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_unpack_dual(
    ctorch_tensor **out_primal, ctorch_tensor **out_tangent, const ctorch_tensor *self, const int64_t *level);

CTORCH_END_DECLS

#endif
