/**
 * Tensors: making them, reading them, what they look like.
 *
 * A `ctorch_tensor *` is a reference-counted handle; NULL is the undefined tensor (Python's None where a tensor may be
 * absent). Accessors that cannot fail are nouns that return the value, also for NULL. Everything that computes is an
 * operator: generated/aten.h. What one of them does well has no second function here:
 *
 * | what                                      | with                                                                |
 * |-------------------------------------------|---------------------------------------------------------------------|
 * | memory format                             | ctorch_aten_contiguous, _is_contiguous_memory_format                |
 * | page-locked memory                        | ctorch_aten_pin_memory, _is_pinned                                  |
 * | other bits of the same memory             | ctorch_aten_view_dtype                                              |
 * | complex numbers as pairs, and back        | ctorch_aten_view_as_real, _view_as_complex, _real, _imag            |
 * | lazy conjugate and negative               | ctorch_aten_is_conj, _is_neg, _resolve_conj, _resolve_neg           |
 * | kinds of dtypes                           | ctorch_aten_is_complex, _is_floating_point, _is_signed              |
 * | inference tensors                         | ctorch_aten_is_inference                                            |
 * | sparse tensors                            | sparse.h                                                            |
 * | quantize, and back                        | ctorch_aten_quantize_per_tensor, _quantize_per_channel,             |
 * |                                           | _dequantize_self                                                    |
 * | integers as quantized numbers, and back   | ctorch_aten__make_per_tensor_quantized_tensor,                      |
 * |                                           | __make_per_channel_quantized_tensor, _int_repr                      |
 * | how it is quantized                       | ctorch_aten_qscheme, _q_scale, _q_zero_point,                       |
 * |                                           | _q_per_channel_scales, _q_per_channel_zero_points,                  |
 * |                                           | _q_per_channel_axis                                                 |
 * | nested tensors, from a list and back      | ctorch_aten__nested_tensor_from_tensor_list, _unbind_int            |
 * | nested to padded                          | ctorch_aten_nested_to_padded_tensor                                 |
 * | shapes without data                       | any operator on meta tensors: ctorch_aten_empty_memory_format on    |
 * |                                           | the device CTORCH_DEVICE_TYPE_META, or ctorch_tensor_to there       |
 */
#ifndef CTORCH_TENSOR_H
#define CTORCH_TENSOR_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * Make a tensor from a copy of row-major data.
 *
 * @param[out] out     owned; contiguous, on the CPU.
 * @param data         borrowed; may be NULL if `data_nbytes` is 0.
 * @param data_nbytes  bytes at `data`: number of elements times size of one.
 * @param sizes        shape, `sizes_len` entries, each >= 0; no entry makes a 0-dimensional tensor.
 * @param sizes_len    number of dimensions.
 * @param dtype        element type of `data`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (negative size, unknown or quantized dtype, `data_nbytes` that does
 *         not match).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_from_data(
    ctorch_tensor **out,
    const void *data,
    size_t data_nbytes,
    const int64_t *sizes,
    size_t sizes_len,
    ctorch_dtype dtype);

/**
 * Wrap caller memory as a CPU tensor without copying.
 *
 * @param[out] out     owned; shares `data`.
 * @param data         borrowed until `destroy` runs; row-major unless `strides` is given; may be NULL if there are no
 *                     elements.
 * @param sizes        shape, `sizes_len` entries, each >= 0.
 * @param sizes_len    number of dimensions.
 * @param strides      in elements, `strides_len` entries, each >= 0; NULL for row-major.
 * @param strides_len  as many as `sizes_len`; 0 for row-major.
 * @param dtype        element type of `data`.
 * @param destroy      called once with `payload` when the last tensor that shares the memory is gone, on whichever
 *                     thread that is; NULL if none. It is not called if this function fails.
 * @param payload      handed to `destroy`; may be NULL.
 * @return NULL, or INVALID_ARGUMENT (a negative size or stride, other than one stride for each size, unknown or
 *         quantized dtype), NULL_ARGUMENT (`data` NULL and elements to hold).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_from_buffer(
    ctorch_tensor **out,
    void *data,
    const int64_t *sizes,
    size_t sizes_len,
    const int64_t *strides,
    size_t strides_len,
    ctorch_dtype dtype,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Make a tensor that looks at a storage (`torch.empty(0).set_(storage, …)`, but the storage never grows).
 *
 * @param[out] out        owned; shares the memory of `storage`, on its device.
 * @param storage         borrowed, gets a reference.
 * @param storage_offset  elements before the first, >= 0.
 * @param sizes           shape, `sizes_len` entries, each >= 0.
 * @param sizes_len       number of dimensions.
 * @param strides         in elements, `strides_len` entries, each >= 0; NULL for row-major.
 * @param strides_len     as many as `sizes_len`; 0 for row-major.
 * @param dtype           element type.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (negative numbers, other than one stride for each size, unknown or
 *         quantized dtype, elements beyond the end).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_from_storage(
    ctorch_tensor **out,
    ctorch_storage *storage,
    int64_t storage_offset,
    const int64_t *sizes,
    size_t sizes_len,
    const int64_t *strides,
    size_t strides_len,
    ctorch_dtype dtype);

/**
 * Make a 0-dimensional CPU tensor that holds one number, as `torch.tensor(value)` does.
 *
 * @param[out] out  owned.
 * @param value     borrowed.
 * @param dtype     element type; NULL for the one Python would choose: int64, the default dtype, bool, or complex.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown kind or dtype), RUNTIME (value does not fit).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_from_scalar(
    ctorch_tensor **out, const ctorch_scalar *value, const ctorch_dtype *dtype);

/**
 * Make the tensor that PyTorch makes of a Python number in an expression such as `x * 2.0`.
 *
 * It takes part in type promotion like the number: an int16 tensor times the wrapped 2 stays int16.
 *
 * @param[out] out  owned; 0-dimensional, on the CPU.
 * @param value     borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown kind).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_wrapped_number(ctorch_tensor **out, const ctorch_scalar *value);

/**
 * Add a reference: one more ctorch_tensor_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tensor_retain(const ctorch_tensor *self);

/**
 * Give a reference back. The tensor ends with its last one. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tensor_release(ctorch_tensor *self);

/**
 * The tensor with another dtype or on another device (`Tensor.to`).
 *
 * @param[out] out       owned; `self` itself, with one more reference, if nothing changes and `copy` is not asked for.
 * @param self           borrowed.
 * @param dtype          NULL for that of `self`.
 * @param device         NULL for that of `self`.
 * @param non_blocking   do not wait for a copy between pinned memory and a device.
 * @param copy           copy in any case.
 * @param memory_format  of the result; NULL to preserve that of `self`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dtype, device or memory format), NOT_IMPLEMENTED (a meta
 *         tensor has no data), RUNTIME and others (a device that is not there; a format the layout does not have).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_to(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_device *device,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format);

/**
 * The tensor with the dtype and on the device of another one (`Tensor.to(other)`).
 *
 * @param[out] out       owned; `self` itself, with one more reference, if nothing changes and `copy` is not asked for.
 * @param self           borrowed.
 * @param other          borrowed; its layout does not matter.
 * @param non_blocking   do not wait for a copy between pinned memory and a device.
 * @param copy           copy in any case.
 * @param memory_format  of the result; NULL to preserve that of `self`.
 * @return NULL, or what ctorch_tensor_to answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_to_other(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format);

/**
 * Copy all elements to caller memory in row-major order, from any device and any strides.
 *
 * @param self         borrowed.
 * @param[out] data    caller memory of `data_nbytes` bytes; may be NULL if that is 0.
 * @param data_nbytes  number of elements times size of one.
 * @param dtype        element type that `data` expects; it is checked, not converted to.
 * @return NULL, or NULL_ARGUMENT, DTYPE_MISMATCH, INVALID_ARGUMENT (`data_nbytes` that does not match), or what copying
 *         to the CPU answers (a meta tensor has no data).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_copy_to_buffer(
    const ctorch_tensor *self, void *data, size_t data_nbytes, ctorch_dtype dtype);

/**
 * Address of the first element, for reading and writing. It may lie on a device.
 *
 * @param[out] out  borrowed from `self`; NULL for a tensor without elements.
 * @param self      exclusive; its data may be copied first if it is shared copy-on-write.
 * @return NULL, or NULL_ARGUMENT, or RUNTIME (sparse, meta and other tensors without memory of their own).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_data(void **out, ctorch_tensor *self);

/**
 * Address of the first element, for reading only. It may lie on a device.
 *
 * @param[out] out  borrowed from `self`; NULL for a tensor without elements.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, or RUNTIME (sparse, meta and other tensors without memory of their own).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_const_data(const void **out, const ctorch_tensor *self);

/**
 * Whether the tensor is defined.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_tensor_defined(const ctorch_tensor *self);

/**
 * Number of dimensions.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL and for a 0-dimensional tensor.
 */
CTORCH_API int64_t ctorch_tensor_ndim(const ctorch_tensor *self);

/**
 * Number of elements.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API int64_t ctorch_tensor_numel(const ctorch_tensor *self);

/**
 * The shape.
 *
 * @param self  borrowed; may be NULL.
 * @return `ctorch_tensor_ndim` entries, borrowed from `self` until it is resized; NULL for NULL and for a nested
 *         tensor, which has no single shape.
 */
CTORCH_API const int64_t *ctorch_tensor_sizes(const ctorch_tensor *self);

/**
 * The strides, in elements.
 *
 * @param self  borrowed; may be NULL.
 * @return `ctorch_tensor_ndim` entries, borrowed from `self` until it is resized; NULL for NULL and for a tensor
 *         without strides (sparse, nested).
 */
CTORCH_API const int64_t *ctorch_tensor_strides(const ctorch_tensor *self);

/**
 * Size of one dimension.
 *
 * @param[out] out  the size.
 * @param self      borrowed.
 * @param dim       from -ndim to ndim - 1; negative counts from the last.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_size(int64_t *out, const ctorch_tensor *self, int64_t dim);

/**
 * Elements between the start of the storage and the first element.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL and for a tensor without storage.
 */
CTORCH_API int64_t ctorch_tensor_storage_offset(const ctorch_tensor *self);

/**
 * Element type.
 *
 * @param self  borrowed; may be NULL.
 * @return -1 for NULL.
 */
CTORCH_API ctorch_dtype ctorch_tensor_dtype(const ctorch_tensor *self);

/**
 * Bytes of one element.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_tensor_itemsize(const ctorch_tensor *self);

/**
 * Layout.
 *
 * @param self  borrowed; may be NULL.
 * @return -1 for NULL.
 */
CTORCH_API ctorch_layout ctorch_tensor_layout(const ctorch_tensor *self);

/**
 * Device.
 *
 * @param[out] out  the device; a CPU has index -1.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_device(ctorch_device *out, const ctorch_tensor *self);

/**
 * Kind of device: what `is_cpu`, `is_cuda` and `is_meta` ask in Python.
 *
 * @param self  borrowed; may be NULL.
 * @return -1 for NULL.
 */
CTORCH_API ctorch_device_type ctorch_tensor_device_type(const ctorch_tensor *self);

/**
 * Whether the elements are quantized: stored as integers, with a scale and a zero point (`Tensor.is_quantized`).
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_tensor_is_quantized(const ctorch_tensor *self);

/**
 * Whether the tensor is a list of tensors of different shapes (`Tensor.is_nested`).
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_tensor_is_nested(const ctorch_tensor *self);

/**
 * Bytes of the elements (`Tensor.nbytes`): elements times their size, or for a sparse tensor those of its parts.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_tensor_nbytes(const ctorch_tensor *self);

/**
 * Bytes of memory that the tensor keeps alive, as a finalizer should report them to a garbage collector: the whole
 * storage, however little of it a view shows, those of the parts of a sparse tensor, and those of the scales of a
 * quantized one. Tensors that share memory each report it.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL and for a meta tensor.
 */
CTORCH_API size_t ctorch_tensor_memory_nbytes(const ctorch_tensor *self);

/**
 * Whether the elements lie row-major without gaps.
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL and for a tensor for which the question has no meaning (sparse).
 */
CTORCH_API bool ctorch_tensor_is_contiguous(const ctorch_tensor *self);

/**
 * The memory format that the strides look like, which operators on images keep in their results.
 *
 * @param self  borrowed; may be NULL.
 * @return CHANNELS_LAST, CHANNELS_LAST_3D or CONTIGUOUS, the latter for whatever is neither of the two; -1 for NULL.
 */
CTORCH_API ctorch_memory_format ctorch_tensor_suggested_memory_format(const ctorch_tensor *self);

/**
 * The only element of a one-element tensor as a number.
 *
 * @param[out] out  the number.
 * @param self      borrowed; any device.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (more or fewer elements than one).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_item(ctorch_scalar *out, const ctorch_tensor *self);

/**
 * The only element as an int64_t; a fraction is cut off, as Python's `int(t)` does.
 *
 * @param[out] out  the number.
 * @param self      borrowed; any device.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not one element, does not fit, has an imaginary part).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_item_int64(int64_t *out, const ctorch_tensor *self);

/**
 * The only element as a double.
 *
 * @param[out] out  the number.
 * @param self      borrowed; any device.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not one element, has an imaginary part).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_item_double(double *out, const ctorch_tensor *self);

/**
 * Whether the only element is not zero.
 *
 * @param[out] out  the truth value.
 * @param self      borrowed; any device.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not one element).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_item_bool(bool *out, const ctorch_tensor *self);

/**
 * The only element as a complex number.
 *
 * @param[out] out_re  real part.
 * @param[out] out_im  imaginary part; 0 for a real element.
 * @param self         borrowed; any device.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not one element).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_item_complex(double *out_re, double *out_im, const ctorch_tensor *self);

CTORCH_END_DECLS

#endif
