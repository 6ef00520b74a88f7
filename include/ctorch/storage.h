/**
 * Storages: the memory that one or more tensors look at.
 */
#ifndef CTORCH_STORAGE_H
#define CTORCH_STORAGE_H

#include "ctorch/base.h"
#include "ctorch/types.h"

CTORCH_BEGIN_DECLS

/**
 * Allocate a resizable CPU storage. Its bytes are not initialised.
 *
 * @param[out] out  owned.
 * @param nbytes    size in bytes.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (beyond INT64_MAX), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_new(ctorch_storage **out, size_t nbytes);

/**
 * The storage of a tensor.
 *
 * @param[out] out  owned; shared with `tensor`.
 * @param tensor    borrowed.
 * @return NULL, or NULL_ARGUMENT, NOT_IMPLEMENTED (a tensor without storage, such as a sparse one).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_from_tensor(ctorch_storage **out, const ctorch_tensor *tensor);

/**
 * Add a reference: one more ctorch_storage_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_storage_retain(const ctorch_storage *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_storage_release(ctorch_storage *self);

/**
 * Size in bytes.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_storage_nbytes(const ctorch_storage *self);

/**
 * Address of the first byte, for reading and writing. It may lie on a device.
 *
 * @param[out] out  borrowed from `self`; NULL for an empty storage.
 * @param self      exclusive.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (meta storages have no memory).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_data(void **out, ctorch_storage *self);

/**
 * The device that the memory lies on.
 *
 * @param[out] out  the device.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_device(ctorch_device *out, const ctorch_storage *self);

CTORCH_END_DECLS

#endif
