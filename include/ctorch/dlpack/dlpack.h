/**
 * DLPack 1.3: tensors of other libraries without a copy, and ours for them (https://dmlc.github.io/dlpack).
 *
 * A tensor travels as a `struct DLManagedTensorVersioned *`; libraries that know only DLPack before 1.0 use a
 * `struct DLManagedTensor *`. Whoever holds such a pointer owns it: a consumer takes it over, or it is released here.
 * In Python it travels inside a PyCapsule with the name that ctorch_tensor_dlpack tells.
 *
 * The structs are defined by DLPack's own header, `dlpack/dlpack.h`, which may be included before or after this one, or
 * not at all. It gives DLTensor no tag that could be declared here, so a `DLTensor *` is a `void *`.
 */
#ifndef CTORCH_DLPACK_H
#define CTORCH_DLPACK_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** A tensor on its way from one library to another, of DLPack 1.0 and later. */
struct DLManagedTensorVersioned;
/** A tensor on its way from one library to another, of DLPack before 1.0. */
struct DLManagedTensor;
/** What a library exchanges its tensors with, where Python's `__dlpack__` is too slow: a table of functions. */
struct DLPackExchangeAPI;

/** What a DLManagedTensorVersioned says of its data: bits that are added up. */
typedef int32_t ctorch_dlpack_flag;
enum {
  /** The consumer must not write. */
  CTORCH_DLPACK_FLAG_READ_ONLY = 1,
  /** The producer made a copy: the data is the consumer's alone. */
  CTORCH_DLPACK_FLAG_IS_COPIED = 2,
  /** Elements of less than a byte take a byte each; without this bit they are packed. */
  CTORCH_DLPACK_FLAG_IS_SUBBYTE_TYPE_PADDED = 4
};

/**
 * Export a tensor: other libraries see its memory.
 *
 * What PyTorch refuses with a BufferError is refused: a tensor that requires a gradient, has the conjugate bit, or is
 * not strided. So is what PyTorch exports wrongly: the negative bit, zero tensors. Shape and strides are those of the
 * moment; the memory stays until the consumer is done with it, unless the tensor is resized beyond its storage. int1 to
 * int7 and uint1 to uint7 are exported with their bits and the flag IS_SUBBYTE_TYPE_PADDED.
 *
 * @param[out] out   owned; for one consumer, or ctorch_dlpack_release.
 * @param self       exclusive; its data may be copied first if it is shared copy-on-write.
 * @param stream     number of the CUDA stream that the consumer will use, which is made to wait for the current one:
 *                   its address, or 1 for the default stream (0 on ROCm). -1 or NULL: nothing waits. For a tensor on
 *                   the CPU only these two; other devices do not look at it.
 * @param device     where the exported data is to be; NULL for where it is.
 * @param copy       true: copy; false: do not copy; NULL: copy only to another device. A copy has the flag IS_COPIED.
 * @param read_only  set the flag READ_ONLY; `self` is then not changed.
 * @return NULL, or NULL_ARGUMENT, BUFFER (a tensor or device that DLPack cannot describe, a CUDA tensor of another than
 *         the current device, the per-thread stream 2), VALUE (another device without a copy), INVALID_ARGUMENT
 *         (unknown device, no such stream), or what copying answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_to_dlpack(
    struct DLManagedTensorVersioned **out,
    ctorch_tensor *self,
    const int64_t *stream,
    const ctorch_device *device,
    const bool *copy,
    bool read_only);

/**
 * Export a tensor to a library that knows only DLPack before 1.0, as ctorch_tensor_to_dlpack does.
 *
 * There are no flags: int1 to int7 and uint1 to uint7 are exported as the bytes that hold them, as PyTorch does it.
 *
 * @param[out] out  owned; for one consumer, or ctorch_dlpack_unversioned_release.
 * @param self      exclusive; its data may be copied first if it is shared copy-on-write.
 * @param stream    number of the CUDA stream that the consumer will use; NULL for -1.
 * @param device    where the exported data is to be; NULL for where it is.
 * @param copy      true: copy; false: do not copy; NULL: copy only to another device.
 * @return NULL, or what ctorch_tensor_to_dlpack answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_to_dlpack_unversioned(
    struct DLManagedTensor **out,
    ctorch_tensor *self,
    const int64_t *stream,
    const ctorch_device *device,
    const bool *copy);

/**
 * Export a tensor as Python's `Tensor.__dlpack__` does: for bindings that implement this method.
 *
 * @param[out] out         the consumer's to take over: a DLManagedTensorVersioned if it knows DLPack 1.0, else a
 *                         DLManagedTensor. int1 to int7 and uint1 to uint7 are exported as bytes unless it knows
 *                         DLPack 1.1, which has the flag that they need.
 * @param[out] out_name    the name that says which, "dltensor_versioned" or "dltensor"; static text, for PyCapsule_New.
 * @param self             exclusive; its data may be copied first if it is shared copy-on-write.
 * @param stream           number of the CUDA stream that the consumer will use; NULL for -1.
 * @param max_version      newest DLPack that the consumer knows: major, minor; NULL for one before 1.0.
 * @param max_version_len  2, or 0 for none.
 * @param dl_device        where the exported data is to be, in DLPack's numbers: type, id; NULL for where it is.
 * @param dl_device_len    2, or 0 for none.
 * @param copy             true: copy; false: do not copy; NULL: copy only to another device.
 * @return NULL, or what ctorch_tensor_to_dlpack answers, INVALID_ARGUMENT (a length that is neither 2 nor 0).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_dlpack(
    void **out,
    const char **out_name,
    ctorch_tensor *self,
    const int64_t *stream,
    const int64_t *max_version,
    size_t max_version_len,
    const int32_t *dl_device,
    size_t dl_device_len,
    const bool *copy);

/**
 * Where a tensor is, in DLPack's numbers (`Tensor.__dlpack_device__`).
 *
 * Pinned memory is kDLCUDAHost here, but kDLCPU in an export, which is what PyTorch does: it imports no kDLCUDAHost.
 *
 * @param[out] out_type  a DLDeviceType.
 * @param[out] out_id    which one of them.
 * @param self           borrowed.
 * @return NULL, or NULL_ARGUMENT, BUFFER (a device that DLPack does not know).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_dlpack_device(int32_t *out_type, int32_t *out_id, const ctorch_tensor *self);

/**
 * Describe a tensor in a DLTensor of the caller's, without an allocation: for a call into another library.
 *
 * What is refused is what ctorch_tensor_to_dlpack refuses, except for a tensor that requires a gradient: as in PyTorch,
 * autograd does not see what the other library does with it. int1 to int7 and uint1 to uint7 are described as bytes.
 *
 * @param[out] out   a DLTensor; data, shape and strides are borrowed from `self` until it is changed or released.
 * @param self       exclusive; its data may be copied first if it is shared copy-on-write.
 * @param read_only  nobody will write through `out`; `self` is then not changed.
 * @return NULL, or NULL_ARGUMENT, BUFFER (a tensor that DLPack cannot describe).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_to_dltensor(void *out, ctorch_tensor *self, bool read_only);

/**
 * Import a tensor of another library: the result shares its memory.
 *
 * PyTorch has no tensors that cannot be written to: where `out_flags` has READ_ONLY, that is the caller's to see to,
 * for example by a copy (ctorch_aten_clone).
 *
 * @param[out] out        owned; the memory goes back to the producer when the last tensor that shares it is gone, on
 *                        whichever thread that is.
 * @param[out] out_flags  ctorch_dlpack_flag, added up; may be NULL.
 * @param managed         consumed, also by a call that fails: its deleter runs once, then or in the end.
 * @return NULL, or NULL_ARGUMENT, BUFFER (a major version other than 1; a dtype or device that PyTorch lacks; negative
 *         strides), INVALID_ARGUMENT (a description that contradicts itself, more than 256 dimensions, elements beyond
 *         what memory can address), UNSUPPORTED (a device that the LibTorch at hand was built without).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_from_dlpack(
    ctorch_tensor **out, uint64_t *out_flags, struct DLManagedTensorVersioned *managed);

/**
 * Import a tensor of a library that knows only DLPack before 1.0, as ctorch_tensor_from_dlpack does.
 *
 * @param[out] out  owned; shares the producer's memory.
 * @param managed   consumed, also by a call that fails: its deleter runs once, then or in the end.
 * @return NULL, or what ctorch_tensor_from_dlpack answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_from_dlpack_unversioned(ctorch_tensor **out, struct DLManagedTensor *managed);

/**
 * Wrap the memory that a DLTensor describes, as ctorch_tensor_from_buffer does: for a function that another library
 * calls with DLTensors.
 *
 * @param[out] out  owned; shares the memory.
 * @param dltensor  a DLTensor, which is needed for the call only; its data until `destroy` runs.
 * @param destroy   called once with `payload` when the last tensor that shares the memory is gone, on whichever thread
 *                  that is; NULL if none. It is not called if this function fails.
 * @param payload   handed to `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, or what ctorch_tensor_from_dlpack answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_from_dltensor(
    ctorch_tensor **out, const void *dltensor, void (*destroy)(void *payload), void *payload);

/**
 * Give back a tensor that no consumer took over: runs its deleter, if it has one. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_dlpack_release(struct DLManagedTensorVersioned *self);

/**
 * Give back a tensor that no consumer took over: runs its deleter, if it has one. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_dlpack_unversioned_release(struct DLManagedTensor *self);

/**
 * What a PyCapsule with a tensor does in the end: the destructor to hand PyCapsule_New.
 *
 * The tensor is given back if no consumer has taken it over, which it says by renaming the capsule. An exception of
 * Python's that waits to be raised at that time, since a consumer has refused the tensor, still does afterwards.
 *
 * @param capsule  a PyCapsule with what ctorch_tensor_dlpack made, under the name that it told; Python calls this with
 *                 the GIL held. NULL, and a process without Python: nothing happens.
 * @since 0.1
 */
CTORCH_EXPORT void ctorch_dlpack_capsule_destroy(void *capsule);

/**
 * How DLPack describes the elements of a dtype.
 *
 * @param[out] out_code   a DLDataTypeCode.
 * @param[out] out_bits   bits of a lane.
 * @param[out] out_lanes  2 for float4_e2m1fn_x2, else 1.
 * @param[out] out_flags  CTORCH_DLPACK_FLAG_IS_SUBBYTE_TYPE_PADDED for int1 to int7 and uint1 to uint7, else 0.
 * @param dtype           element type.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dtype), BUFFER (quantized and bits types).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dtype_to_dlpack(
    uint8_t *out_code, uint8_t *out_bits, uint16_t *out_lanes, uint64_t *out_flags, ctorch_dtype dtype);

/**
 * The dtype that a tensor imported by DLPack gets.
 *
 * @param[out] out  element type.
 * @param code      a DLDataTypeCode.
 * @param bits      bits of a lane.
 * @param lanes     elements of a vector.
 * @param flags     ctorch_dlpack_flag of the tensor, added up.
 * @return NULL, or NULL_ARGUMENT, BUFFER (PyTorch has no such dtype).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dtype_from_dlpack(
    ctorch_dtype *out, uint8_t code, uint8_t bits, uint16_t lanes, uint64_t flags);

/**
 * The table of functions that other libraries exchange our tensors with, where they take such a table without Python.
 *
 * Its objects, which DLPack's header calls `py_object`, are `ctorch_tensor *`, borrowed where they go in and owned
 * where they come out. A function that fails returns -1; only the allocator can say why. Tensors that require gradients
 * are exported, as by PyTorch's table. A binding for Python uses ctorch_dlpack_python_exchange_api.
 *
 * @return lives as long as the process.
 */
CTORCH_API const struct DLPackExchangeAPI *ctorch_dlpack_exchange_api(void);

/**
 * The table that a binding for Python puts on its tensor class, in a capsule with the name "dlpack_exchange_api".
 *
 * Its functions call those of `methods`, with the GIL held. What a method raises is left set for the caller, and the
 * function of the table returns -1. Addresses are ints in Python:
 *
 * - `from_object(object)` returns the address of a DLManagedTensorVersioned that the caller takes over;
 * - `to_object(managed)` takes over the DLManagedTensorVersioned at this address, also if it raises, and returns an
 *   object of the binding's;
 * - `describe(object, out)` fills the DLTensor at the address `out`; what it returns is ignored.
 *
 * The table is one a process: a second call replaces the object.
 *
 * @param methods  a Python object with these three, of which the table keeps a reference; the GIL is needed.
 * @return lives as long as the process; NULL without `methods`, and in a process without Python.
 * @since 0.1
 */
CTORCH_API const struct DLPackExchangeAPI *ctorch_dlpack_python_exchange_api(void *methods);

/**
 * Import an object of another library by its table: the result shares the object's memory.
 *
 * Nothing waits for a device: use the stream that ctorch_dlpack_exchange_stream tells.
 *
 * @param[out] out        owned.
 * @param[out] out_flags  ctorch_dlpack_flag, added up; may be NULL.
 * @param api             the library's table. One that takes Python objects needs the GIL.
 * @param object          of the type that the table belongs to; borrowed.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (no table of major version 1), PYTHON (a function of the table failed;
 *         Python's exception, if there is one, is still set), or what ctorch_tensor_from_dlpack answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dlpack_exchange_import(
    ctorch_tensor **out, uint64_t *out_flags, const struct DLPackExchangeAPI *api, void *object);

/**
 * The same for the time of a call: the result uses the object's memory but does not keep it.
 *
 * @param[out] out  owned; not to be used when the object has changed or is gone.
 * @param api       the library's table. One that takes Python objects needs the GIL.
 * @param object    of the type that the table belongs to; borrowed.
 * @return NULL, or what ctorch_dlpack_exchange_import answers, UNSUPPORTED (the table has no function for this).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dlpack_exchange_borrow(
    ctorch_tensor **out, const struct DLPackExchangeAPI *api, void *object);

/**
 * Make an object of another library by its table: it shares the tensor's memory.
 *
 * @param[out] out  the object, as the library hands it out: a new reference, for a Python object.
 * @param api       the library's table. One that takes Python objects needs the GIL.
 * @param self      exclusive; its data may be copied first if it is shared copy-on-write.
 * @return NULL, or NULL_ARGUMENT, UNSUPPORTED (no table of major version 1), PYTHON (a function of the table failed;
 *         Python's exception, if there is one, is still set), or what ctorch_tensor_to_dlpack answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dlpack_exchange_export(
    void **out, const struct DLPackExchangeAPI *api, ctorch_tensor *self);

/**
 * Have another library allocate a tensor by its table, in the way that it allocates its own.
 *
 * @param[out] out   owned; the values are undefined.
 * @param api        the library's table.
 * @param sizes      shape, `sizes_len` entries, each >= 0.
 * @param sizes_len  number of dimensions.
 * @param dtype      element type.
 * @param device     where; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (negative size, unknown dtype or device), BUFFER (a dtype or device
 *         that DLPack cannot describe), UNSUPPORTED (no table of major version 1), CALLBACK (the library refused, with
 *         its reason), or what ctorch_tensor_from_dlpack answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dlpack_exchange_empty(
    ctorch_tensor **out,
    const struct DLPackExchangeAPI *api,
    const int64_t *sizes,
    size_t sizes_len,
    ctorch_dtype dtype,
    const ctorch_device *device);

/**
 * The stream on which another library works on a device, by its table.
 *
 * @param[out] out  the stream of the device's runtime (a cudaStream_t); NULL for the CPU.
 * @param api       the library's table. One that belongs to Python objects needs the GIL.
 * @param device    where; NULL for the CPU.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown device), BUFFER (a device that DLPack cannot describe),
 *         UNSUPPORTED (no table of major version 1), PYTHON (the table's function failed).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_dlpack_exchange_stream(
    void **out, const struct DLPackExchangeAPI *api, const ctorch_device *device);

CTORCH_END_DECLS

#endif
