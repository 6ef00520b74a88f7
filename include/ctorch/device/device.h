/**
 * Devices: what there is, which one is current, and what it can do.
 *
 * A LibTorch knows at most one accelerator: CUDA, XPU, MPS, … A CPU is a device as well, the only one of its type.
 * Every function takes any device type; what the LibTorch at hand or the machine does not have is an error, not a
 * crash.
 */
#ifndef CTORCH_DEVICE_H
#define CTORCH_DEVICE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * The accelerator of this LibTorch (`torch.accelerator.current_accelerator`). Whether the machine has one is what
 * ctorch_device_count tells.
 *
 * @return its type; CTORCH_DEVICE_TYPE_CPU if it was built for none.
 */
CTORCH_API ctorch_device_type ctorch_device_accelerator_type(void);

/**
 * Whether LibTorch was built for devices of a type.
 *
 * @param type  any number.
 * @return true for a CPU; false for an unknown type.
 */
CTORCH_API bool ctorch_device_is_built(ctorch_device_type type);

/**
 * How many devices of a type there are (`torch.accelerator.device_count`).
 *
 * @param type  any number.
 * @return 1 for a CPU; 0 for a type that is unknown, not built, or without a device or driver on this machine.
 */
CTORCH_API int32_t ctorch_device_count(ctorch_device_type type);

/**
 * Whether there is a CUDA device to work on (`torch.cuda.is_available`).
 *
 * @return true if LibTorch was built for CUDA and finds a driver and a device.
 */
CTORCH_API bool ctorch_device_cuda_is_available(void);

/**
 * The device of a type that this thread uses where an index is left out (`torch.accelerator.current_device_index`).
 *
 * @param[out] out  the device, with its index.
 * @param type      a device type.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown type), RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_current(ctorch_device *out, ctorch_device_type type);

/**
 * Make a device current for this thread (`torch.accelerator.set_device_index`).
 *
 * @param device  borrowed; without index it stays the current one.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_set_current(const ctorch_device *device);

/**
 * Make a device current for this thread until the matching pop (`with torch.accelerator.device_index(…)`).
 *
 * @param device  borrowed; without index it stays the current one.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_push(const ctorch_device *device);

/**
 * Return to the device that was current before the last push on this thread.
 *
 * @return NULL, or RUNTIME (nothing was pushed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_pop(void);

/**
 * Wait until all work queued on all streams of a device is done (`torch.accelerator.synchronize`).
 *
 * @param device  borrowed; NULL for the CPU, which is always done.
 * @return NULL, or INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand), or the error of the queued
 *       work.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_synchronize(const ctorch_device *device);

/**
 * Whether tensors of a dtype can be on a device (`torch.accelerator.get_device_capability`). It does not say that
 * every operator takes them.
 *
 * @param[out] out  true if they can.
 * @param dtype     a dtype.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown dtype or device), RUNTIME (no such device at hand,
 *         or it does not tell), UNSUPPORTED (this LibTorch does not tell).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_supports_dtype(bool *out, ctorch_dtype dtype, const ctorch_device *device);

/**
 * The name of a device: "NVIDIA H100 80GB HBM3".
 *
 * @param[out] out  owned.
 * @param device    borrowed; NULL for the CPU, which is called by the machine's name for its processor.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand),
 *         UNSUPPORTED (its type has no runtime that ctorch can ask: all but CPU and CUDA).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_name(ctorch_string **out, const ctorch_device *device);

/**
 * The compute capability of a CUDA device: 9 and 0 for an H100 (`torch.cuda.get_device_capability`).
 *
 * @param[out] out_major  first number.
 * @param[out] out_minor  second number.
 * @param device          borrowed; NULL for the CPU, which has none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand), UNSUPPORTED (not
 *       a CUDA device, or no driver to ask).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_compute_capability(
    int32_t *out_major, int32_t *out_minor, const ctorch_device *device);

/**
 * How many multiprocessors a CUDA device has, or how many processors a CPU
 * (`torch.cuda.get_device_properties(…).multi_processor_count`).
 *
 * @param[out] out  at least 1.
 * @param device    borrowed; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (unknown device), RUNTIME (no such device at hand),
 *         UNSUPPORTED (neither CPU nor CUDA, or no driver to ask).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_device_multiprocessor_count(int32_t *out, const ctorch_device *device);

CTORCH_END_DECLS

#endif
