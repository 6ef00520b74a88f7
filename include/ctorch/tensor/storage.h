/**
 * Storages: the memory that one or more tensors look at.
 */
#ifndef CTORCH_STORAGE_H
#define CTORCH_STORAGE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

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

/**
 * Whether the size can be changed: not of memory that a caller, a file or another process has a part in.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_storage_resizable(const ctorch_storage *self);

/**
 * Change the size (`UntypedStorage.resize_`). The bytes that both sizes have are kept, others are not initialised.
 *
 * Tensors that look at the storage keep their shapes. One that needs more than is left must not be used until the
 * storage has grown again: as in Python, operators do not check that.
 *
 * @param self    exclusive, with its tensors; its memory moves.
 * @param nbytes  size in bytes; 0 frees the memory.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (beyond INT64_MAX), RUNTIME (not resizable), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_resize(ctorch_storage *self, size_t nbytes);

/**
 * Copy bytes to caller memory, from any device.
 *
 * @param self         borrowed.
 * @param offset       first byte.
 * @param[out] data    caller memory of `data_nbytes` bytes; may be NULL if that is 0.
 * @param data_nbytes  number of bytes.
 * @return NULL, or NULL_ARGUMENT, INDEX (beyond the end), RUNTIME (meta storages have no memory).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_read(const ctorch_storage *self, size_t offset, void *data, size_t data_nbytes);

/**
 * Copy bytes from caller memory, to any device.
 *
 * @param self         exclusive.
 * @param offset       first byte.
 * @param data         borrowed; may be NULL if `data_nbytes` is 0.
 * @param data_nbytes  number of bytes.
 * @return NULL, or NULL_ARGUMENT, INDEX (beyond the end), RUNTIME (meta storages have no memory).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_write(
    ctorch_storage *self, size_t offset, const void *data, size_t data_nbytes);

/**
 * Copy all bytes of another storage, from any device to any (`UntypedStorage.copy_`).
 *
 * @param self          exclusive.
 * @param source        borrowed; of the same size.
 * @param non_blocking  do not wait for a copy between pinned memory and a device.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (another size), RUNTIME (meta storages have no memory).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_copy(ctorch_storage *self, const ctorch_storage *source, bool non_blocking);

CTORCH_END_DECLS

#endif
