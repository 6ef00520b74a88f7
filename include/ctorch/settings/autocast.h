/**
 * Autocast: operators that gain from it run in a lower precision, the others stay (`torch.autocast`).
 *
 *     CTORCH_TRY(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, NULL, NULL));
 *     ctorch_error *error = forward(&loss, model, batch);   // matrix products in bfloat16
 *     ctorch_error_release(ctorch_autocast_pop());
 *     …                                                     // backward outside: it follows the forward's dtypes
 *
 * A region belongs to the thread that opened it and to one type of device; regions nest. Inside, a weight (a leaf that
 * requires a gradient, in float32) is cast once and the result kept; the outermost pop forgets what was kept.
 */
#ifndef CTORCH_AUTOCAST_H
#define CTORCH_AUTOCAST_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * Open a region on this thread, inside the one that is open.
 *
 * @param device_type    whose operators are concerned.
 * @param enabled        false for a region without autocast, inside one with it.
 * @param dtype          what to compute in; NULL for this thread's dtype of that device type, which is bfloat16 on the
 *                       CPU and float16 on CUDA unless an outer region says otherwise.
 * @param cache_enabled  keep the casts of weights; NULL for what holds outside, which is true at first.
 * @return NULL, or INVALID_ARGUMENT (unknown device type or dtype; a dtype that the device type cannot be autocast to),
 *         UNSUPPORTED (no autocast for that device type; no CUDA here).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autocast_push(
    ctorch_device_type device_type, bool enabled, const ctorch_dtype *dtype, const bool *cache_enabled);

/**
 * Close the innermost region of this thread: what held before its push holds again.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autocast_pop(void);

/**
 * Whether LibTorch has autocast for a device type at all (`torch.amp.is_autocast_available`).
 *
 * @param device_type  any number.
 * @return false for an unknown one.
 */
CTORCH_API bool ctorch_autocast_available(ctorch_device_type device_type);

/**
 * Whether this thread autocasts (`torch.is_autocast_enabled`).
 *
 * @param device_type  any number.
 * @return false where autocast is not available.
 */
CTORCH_API bool ctorch_autocast_enabled(ctorch_device_type device_type);

/**
 * What this thread computes in while it autocasts (`torch.get_autocast_dtype`).
 *
 * @param[out] out     the dtype, also while autocast is off.
 * @param device_type  whose.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device type), UNSUPPORTED (no autocast for that device
 *         type).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autocast_dtype(ctorch_dtype *out, ctorch_device_type device_type);

/**
 * Whether this thread keeps the casts of weights (`torch.is_autocast_cache_enabled`).
 *
 * @return true unless switched off.
 */
CTORCH_API bool ctorch_autocast_cache_enabled(void);

/**
 * Forget the casts that were kept (`torch.clear_autocast_cache`): needed inside a region only, after a weight was
 * changed behind autograd's back.
 *
 * @return NULL, or what a release of their memory answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_autocast_clear_cache(void);

CTORCH_END_DECLS

#endif
