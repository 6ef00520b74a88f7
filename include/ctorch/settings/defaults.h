/**
 * What an operator makes where nothing else is said: the default dtype and the default device.
 */
#ifndef CTORCH_DEFAULTS_H
#define CTORCH_DEFAULTS_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * The dtype of new floating-point tensors (`torch.get_default_dtype`).
 *
 * @return float32 unless set.
 */
CTORCH_API ctorch_dtype ctorch_defaults_dtype(void);

/**
 * Set the dtype of new floating-point tensors, for the whole process (`torch.set_default_dtype`). Complex ones become
 * twice as wide. Set it before other threads compute.
 *
 * @param dtype  float16, bfloat16, float32 or float64.
 * @return NULL, or INVALID_ARGUMENT (unknown or another dtype).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_defaults_set_dtype(ctorch_dtype dtype);

/**
 * Where this thread makes new tensors (`torch.get_default_device`).
 *
 * @param[out] out  the device, as it was given; the CPU unless set.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_defaults_device(ctorch_device *out);

/**
 * Set where this thread makes new tensors outside every push (`torch.set_default_device`).
 *
 * It concerns the operators that torch.set_default_device concerns (`ctorch_aten_zeros`, `_rand`, `_arange`, …), where
 * their `device` is NULL. Operators that get a device from a tensor (`_zeros_like`, `_new_ones`) and sparse tensors
 * made of tensors stay with it; ctorch_aten_normal_float_float and ctorch_aten_from_file stay on the CPU, and so does
 * an operator that is called by name (op.h), as in Python.
 *
 * @param device  borrowed; NULL for PyTorch's own, the CPU. Whether it exists is seen when a tensor is made.
 * @return NULL, or INVALID_ARGUMENT (no such device type or index).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_defaults_set_device(const ctorch_device *device);

/**
 * Set where this thread makes new tensors until the matching pop (`with torch.device(…)`).
 *
 * @param device  borrowed; NULL for PyTorch's own, the CPU.
 * @return NULL, or INVALID_ARGUMENT (no such device type or index), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_defaults_device_push(const ctorch_device *device);

/**
 * Return to the default device before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_defaults_device_pop(void);

CTORCH_END_DECLS

#endif
