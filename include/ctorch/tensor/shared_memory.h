/**
 * Shared memory: storages that several processes see.
 *
 * There are two ways to hand one to another process, Python's two sharing strategies:
 *
 * - By file descriptor. The memory has no name; a process gets at it by being forked, or by receiving the descriptor
 *   over a Unix socket. It is gone with the last process that has it, whatever happens. This is what
 *   `Tensor.share_memory_` does.
 * - By name. Any process of the user can open it. It is removed by the last one that releases it; if that one dies
 *   instead, the memory stays until somebody removes the name from /dev/shm. A fork is not counted.
 *
 * A shared storage cannot be resized. Memory of a device other than the CPU needs none of this, and is left as it is.
 */
#ifndef CTORCH_SHARED_MEMORY_H
#define CTORCH_SHARED_MEMORY_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/**
 * Move the memory of a tensor to shared memory (`Tensor.share_memory_`): ctorch_storage_share_memory of its storage.
 *
 * @param self  exclusive, with the tensors that share its memory.
 * @return NULL, or NULL_ARGUMENT, NOT_IMPLEMENTED (a tensor without storage), or what ctorch_storage_share_memory
 *         answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_share_memory(ctorch_tensor *self);

/**
 * Whether other processes can see the memory of a tensor (`Tensor.is_shared`).
 *
 * @param self  borrowed; may be NULL.
 * @return true for memory of a CUDA device; false for NULL and for a tensor without storage.
 */
CTORCH_API bool ctorch_tensor_is_shared(const ctorch_tensor *self);

/**
 * Whether other processes can see the memory of a storage.
 *
 * @param self  borrowed; may be NULL.
 * @return true for memory of a CUDA device; false for NULL.
 */
CTORCH_API bool ctorch_storage_is_shared(const ctorch_storage *self);

/**
 * Move the memory of a storage to shared memory, to be handed on by file descriptor. If it is shared already, nothing
 * happens.
 *
 * @param self  exclusive, with its tensors; its memory moves.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (a meta storage; no shared memory left).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_share_memory(ctorch_storage *self);

/**
 * Allocate a storage in shared memory. Its bytes are 0.
 *
 * @param[out] out  owned; on the CPU.
 * @param nbytes    size in bytes.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (beyond INT64_MAX), RUNTIME (no shared memory left).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_new_shared(ctorch_storage **out, size_t nbytes);

/**
 * The file descriptor of a shared storage.
 *
 * @param[out] out  borrowed from `self`: closed with it, and not to be closed before.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not shared by file descriptor).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_shared_descriptor(int32_t *out, const ctorch_storage *self);

/**
 * The storage behind a file descriptor that came from another process.
 *
 * @param[out] out         owned; the same memory.
 * @param file_descriptor  of shared memory, or of a file that is readable and writable. It is duplicated and stays
 *                         yours.
 * @param nbytes           size in bytes, at most that of the memory.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not a descriptor; less memory than that), RUNTIME (it cannot be
 *         mapped).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_from_shared_descriptor(
    ctorch_storage **out, int32_t file_descriptor, size_t nbytes);

/**
 * Move the memory of a storage to shared memory with a name. If it has a name already, that is the answer.
 *
 * @param[out] out_name  owned; to be sent to the other process, together with the size.
 * @param self           exclusive, with its tensors; its memory moves.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (shared by file descriptor; memory of a device; no shared memory left).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_share_memory_named(ctorch_string **out_name, ctorch_storage *self);

/**
 * The storage behind a name that came from another process.
 *
 * @param[out] out  owned; the same memory.
 * @param name      what ctorch_storage_share_memory_named answered there; memory that others made must not be opened.
 * @param nbytes    size in bytes, at most that of the memory.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (less memory than that), RUNTIME (no such name).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_storage_from_shared_name(ctorch_storage **out, const char *name, size_t nbytes);

CTORCH_END_DECLS

#endif
