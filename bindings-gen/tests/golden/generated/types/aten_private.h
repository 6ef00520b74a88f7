/**
 * PyTorch's private operators, whose names start with an underscore; they may behave differently
 * in every version of LibTorch. Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
 *
 * The comment of each function is its schema, and which of its numbers are enumerations (ctorch/abi/enums.h). Outputs
 * come first; a result that is one of the arguments is not returned again. NULL for an argument means its default, or
 * None: see ctorch.h, points 5 to 7.
 */
#ifndef CTORCH_GENERATED_ATEN_PRIVATE_H
#define CTORCH_GENERATED_ATEN_PRIVATE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int) */
CTORCH_API ctorch_error *ctorch_aten__batch_norm_impl_index(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    int64_t *out4,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double momentum,
    double eps,
    bool cudnn_enabled);

/** aten::_cudnn_init_dropout_state(float dropout, bool train, int dropout_seed, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cudnn_init_dropout_state(
    ctorch_tensor **out,
    double dropout,
    bool train,
    int64_t dropout_seed,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::_cufft_get_plan_cache_size(DeviceIndex device_index) -> int */
CTORCH_API ctorch_error *ctorch_aten__cufft_get_plan_cache_size(
    int64_t *out,
    int32_t device_index);

/** aten::_empty_affine_quantized(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, float scale=1, int zero_point=0, MemoryFormat? memory_format=contiguous_format) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__empty_affine_quantized(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    double scale,
    int64_t zero_point,
    const ctorch_memory_format *memory_format);

/** aten::_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask) */
CTORCH_API ctorch_error *ctorch_aten__fused_moving_avg_obs_fq_helper(
    ctorch_tensor **out_output,
    ctorch_tensor **out_mask,
    const ctorch_tensor *self,
    const ctorch_tensor *observer_on,
    const ctorch_tensor *fake_quant_on,
    ctorch_tensor *running_min,
    ctorch_tensor *running_max,
    ctorch_tensor *scale,
    ctorch_tensor *zero_point,
    double averaging_const,
    int64_t quant_min,
    int64_t quant_max,
    int64_t ch_axis,
    bool per_row_fake_quant,
    bool symmetric_quant);

/** aten::_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> int
 * out: ctorch_sdp_backend */
CTORCH_API ctorch_error *ctorch_aten__fused_sdp_choice(
    int64_t *out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_mask,
    double dropout_p,
    bool is_causal,
    const double *scale,
    bool enable_gqa);

/** aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> () */
CTORCH_API ctorch_error *ctorch_aten__linalg_check_errors(
    const ctorch_tensor *info,
    const char *api_name,
    bool is_matrix);

/** aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__resize_output_(
    ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_device *device);

/** aten::_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, int[] contraction_dim=[], bool use_fast_accum=False) -> Tensor
 * recipe_a: ctorch_scaling_type
 * swizzle_a: ctorch_swizzle_type
 * recipe_b: ctorch_scaling_type
 * swizzle_b: ctorch_swizzle_type */
CTORCH_API ctorch_error *ctorch_aten__scaled_mm_v2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    const ctorch_tensor *const *scale_a,
    size_t scale_a_len,
    const int64_t *recipe_a,
    size_t recipe_a_len,
    const int64_t *swizzle_a,
    size_t swizzle_a_len,
    const ctorch_tensor *const *scale_b,
    size_t scale_b_len,
    const int64_t *recipe_b,
    size_t recipe_b_len,
    const int64_t *swizzle_b,
    size_t swizzle_b_len,
    const ctorch_tensor *bias,
    const ctorch_dtype *out_dtype,
    const int64_t *contraction_dim,
    size_t contraction_dim_len,
    bool use_fast_accum);

/** aten::_validate_sparse_compressed_tensor_args(Tensor compressed_indices, Tensor plain_indices, Tensor values, int[] size, Layout layout, bool? check_pinning=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_sparse_compressed_tensor_args(
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    ctorch_layout layout,
    const bool *check_pinning);

CTORCH_END_DECLS

#endif
