// Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
#include <ATen/core/Tensor.h>

#include <string_view>

#include <ATen/ops/_batch_norm_impl_index_ops.h>
#include <ATen/ops/_cudnn_init_dropout_state_ops.h>
#include <ATen/ops/_cufft_get_plan_cache_size_ops.h>
#include <ATen/ops/_empty_affine_quantized_ops.h>
#include <ATen/ops/_foreach_add_ops.h>
#include <ATen/ops/_fused_moving_avg_obs_fq_helper_ops.h>
#include <ATen/ops/_fused_sdp_choice_ops.h>
#include <ATen/ops/_linalg_check_errors_ops.h>
#include <ATen/ops/_resize_output_ops.h>
#include <ATen/ops/_scaled_mm_v2_ops.h>
#include <ATen/ops/_validate_sparse_compressed_tensor_args_ops.h>
#include <ATen/ops/add_ops.h>
#include <ATen/ops/argmax_ops.h>
#include <ATen/ops/atleast_1d_ops.h>
#include <ATen/ops/cat_ops.h>
#include <ATen/ops/cdist_ops.h>
#include <ATen/ops/clamp_ops.h>
#include <ATen/ops/contiguous_ops.h>
#include <ATen/ops/conv2d_ops.h>
#include <ATen/ops/convolution_backward_ops.h>
#include <ATen/ops/einsum_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/fft_fft_ops.h>
#include <ATen/ops/from_file_ops.h>
#include <ATen/ops/gelu_ops.h>
#include <ATen/ops/index_put_ops.h>
#include <ATen/ops/is_same_size_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/kl_div_ops.h>
#include <ATen/ops/kthvalue_ops.h>
#include <ATen/ops/max_ops.h>
#include <ATen/ops/max_pool1d_ops.h>
#include <ATen/ops/mse_loss_ops.h>
#include <ATen/ops/nan_to_num_ops.h>
#include <ATen/ops/normal_ops.h>
#include <ATen/ops/promote_types_ops.h>
#include <ATen/ops/q_scale_ops.h>
#include <ATen/ops/qscheme_ops.h>
#include <ATen/ops/random_ops.h>
#include <ATen/ops/randperm_ops.h>
#include <ATen/ops/record_stream_ops.h>
#include <ATen/ops/result_type_ops.h>
#include <ATen/ops/set_ops.h>
#include <ATen/ops/sum_ops.h>
#include <ATen/ops/sym_is_contiguous_ops.h>
#include <ATen/ops/sym_size_ops.h>
#include <ATen/ops/upsample_bilinear2d_ops.h>

#include "ctorch/generated/aten.h"
#include "ctorch/generated/aten_private.h"
#include "core/abi/enumeration.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"

namespace from = ctorch::from::unchecked;  // the guard looks at handles
namespace to = ctorch::to;
using ctorch::guard;
using ctorch::guard_repeatable;
using ctorch::unsupported;

static_assert(std::string_view(at::_ops::_batch_norm_impl_index::schema_str) == "_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)");
ctorch_error *ctorch_aten__batch_norm_impl_index(ctorch_tensor **out0, ctorch_tensor **out1, ctorch_tensor **out2, ctorch_tensor **out3, int64_t *out4, const ctorch_tensor *input, const ctorch_tensor *weight, const ctorch_tensor *bias, const ctorch_tensor *running_mean, const ctorch_tensor *running_var, bool training, double momentum, double eps, bool cudnn_enabled) {
  return guard_repeatable(ctorch_aten__batch_norm_impl_index, __func__, "out0 out1 out2 out3 out4 input weight bias running_mean running_var training momentum eps cudnn_enabled", [&] {
    to::require(out0, "out0");
    to::require(out1, "out1");
    to::require(out2, "out2");
    to::require(out3, "out3");
    to::require(out4, "out4");
    to::give_result_of([&] { return at::_ops::_batch_norm_impl_index::call(from::tensor(input, "input"), from::optional_tensor(weight), from::optional_tensor(bias), from::optional_tensor(running_mean), from::optional_tensor(running_var), training, momentum, eps, cudnn_enabled); }, out0, out1, out2, out3, out4);
  }, out0, out1, out2, out3, out4, input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled);
}

static_assert(std::string_view(at::_ops::_cudnn_init_dropout_state::schema_str) == "_cudnn_init_dropout_state(float dropout, bool train, int dropout_seed, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor");
ctorch_error *ctorch_aten__cudnn_init_dropout_state(ctorch_tensor **out, double dropout, bool train, int64_t dropout_seed, const ctorch_dtype *dtype, const ctorch_layout *layout, const ctorch_device *device, const bool *pin_memory) {
  return guard_repeatable(ctorch_aten__cudnn_init_dropout_state, __func__, "out dropout train dropout_seed dtype layout device pin_memory", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_cudnn_init_dropout_state::call(dropout, train, dropout_seed, from::optional_dtype(dtype, "dtype"), from::optional_layout(layout, "layout"), from::optional_device(device, "device"), from::optional_bool_or(pin_memory, "pin_memory", false)); }, out);
  }, out, dropout, train, dropout_seed, dtype, layout, device, pin_memory);
}

static_assert(std::string_view(at::_ops::_cufft_get_plan_cache_size::schema_str) == "_cufft_get_plan_cache_size(DeviceIndex device_index) -> int");
ctorch_error *ctorch_aten__cufft_get_plan_cache_size(int64_t *out, int32_t device_index) {
  return guard_repeatable(ctorch_aten__cufft_get_plan_cache_size, __func__, "out device_index", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_cufft_get_plan_cache_size::call(from::device_index(device_index, "device_index")); }, out);
  }, out, device_index);
}

static_assert(std::string_view(at::_ops::_empty_affine_quantized::schema_str) == "_empty_affine_quantized(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, float scale=1, int zero_point=0, MemoryFormat? memory_format=contiguous_format) -> Tensor");
ctorch_error *ctorch_aten__empty_affine_quantized(ctorch_tensor **out, const int64_t *size, size_t size_len, const ctorch_dtype *dtype, const ctorch_layout *layout, const ctorch_device *device, const bool *pin_memory, double scale, int64_t zero_point, const ctorch_memory_format *memory_format) {
  return guard_repeatable(ctorch_aten__empty_affine_quantized, __func__, "out size size_len dtype layout device pin_memory scale zero_point memory_format", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_empty_affine_quantized::call(from::symints(size, size_len, "size"), from::optional_dtype(dtype, "dtype"), from::optional_layout(layout, "layout"), from::optional_device(device, "device"), from::optional_bool(pin_memory, "pin_memory"), scale, zero_point, from::optional_memory_format_or(memory_format, "memory_format", static_cast<at::MemoryFormat>(0))); }, out);
  }, out, size, size_len, dtype, layout, device, pin_memory, scale, zero_point, memory_format);
}

static_assert(std::string_view(at::_ops::_foreach_add_ScalarList::schema_str) == "_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]");
ctorch_error *ctorch_aten__foreach_add_ScalarList(ctorch_tensor_list **out, const ctorch_tensor *const *self, size_t self_len, const ctorch_scalar *scalars, size_t scalars_len) {
  return guard_repeatable(ctorch_aten__foreach_add_ScalarList, __func__, "out self self_len scalars scalars_len", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_foreach_add_ScalarList::call(from::tensors(self, self_len, "self"), from::scalars(scalars, scalars_len, "scalars")); }, out);
  }, out, self, self_len, scalars, scalars_len);
}

static_assert(std::string_view(at::_ops::_foreach_add__Scalar::schema_str) == "_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()");
ctorch_error *ctorch_aten__foreach_add__Scalar(ctorch_tensor *const *self, size_t self_len, const ctorch_scalar *scalar) {
  return guard(__func__, "self self_len", [&] { at::_ops::_foreach_add__Scalar::call(from::tensors(self, self_len, "self"), from::scalar(scalar, "scalar")); }, self, self_len);
}

static_assert(std::string_view(at::_ops::_fused_moving_avg_obs_fq_helper::schema_str) == "_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask)");
ctorch_error *ctorch_aten__fused_moving_avg_obs_fq_helper(ctorch_tensor **out_output, ctorch_tensor **out_mask, const ctorch_tensor *self, const ctorch_tensor *observer_on, const ctorch_tensor *fake_quant_on, ctorch_tensor *running_min, ctorch_tensor *running_max, ctorch_tensor *scale, ctorch_tensor *zero_point, double averaging_const, int64_t quant_min, int64_t quant_max, int64_t ch_axis, bool per_row_fake_quant, bool symmetric_quant) {
  return guard(__func__, "self observer_on fake_quant_on running_min running_max scale zero_point", [&] {
    to::require(out_output, "out_output");
    to::require(out_mask, "out_mask");
    from::Mutable running_min_(running_min, "running_min");
    from::Mutable running_max_(running_max, "running_max");
    from::Mutable scale_(scale, "scale");
    from::Mutable zero_point_(zero_point, "zero_point");
    auto returned_ = at::_ops::_fused_moving_avg_obs_fq_helper::call(from::tensor(self, "self"), from::tensor(observer_on, "observer_on"), from::tensor(fake_quant_on, "fake_quant_on"), running_min_, running_max_, scale_, zero_point_, averaging_const, quant_min, quant_max, ch_axis, per_row_fake_quant, symmetric_quant);
    running_min_.finish();
    running_max_.finish();
    scale_.finish();
    zero_point_.finish();
    to::give(std::move(returned_), out_output, out_mask);
  }, self, observer_on, fake_quant_on, running_min, running_max, scale, zero_point);
}

static_assert(std::string_view(at::_ops::_fused_sdp_choice::schema_str) == "_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> int");
ctorch_error *ctorch_aten__fused_sdp_choice(int64_t *out, const ctorch_tensor *query, const ctorch_tensor *key, const ctorch_tensor *value, const ctorch_tensor *attn_mask, double dropout_p, bool is_causal, const double *scale, bool enable_gqa) {
  return guard_repeatable(ctorch_aten__fused_sdp_choice, __func__, "out query key value attn_mask dropout_p is_causal scale enable_gqa", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_fused_sdp_choice::call(from::tensor(query, "query"), from::tensor(key, "key"), from::tensor(value, "value"), from::optional_tensor(attn_mask), dropout_p, is_causal, from::optional_double(scale, "scale"), enable_gqa); }, out);
  }, out, query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa);
}

static_assert(std::string_view(at::_ops::_linalg_check_errors::schema_str) == "_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()");
ctorch_error *ctorch_aten__linalg_check_errors(const ctorch_tensor *info, const char *api_name, bool is_matrix) {
  return guard(__func__, "info", [&] { at::_ops::_linalg_check_errors::call(from::tensor(info, "info"), from::string(api_name, "api_name"), is_matrix); }, info);
}

static_assert(std::string_view(at::_ops::_resize_output_::schema_str) == "_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!)");
ctorch_error *ctorch_aten__resize_output_(ctorch_tensor *self, const int64_t *size, size_t size_len, const ctorch_device *device) {
  return guard(__func__, "self", [&] {
    from::Mutable self_(self, "self");
    at::_ops::_resize_output_::call(self_, from::symints(size, size_len, "size"), from::device(device, "device"));
    self_.finish();
  }, self);
}

static_assert(std::string_view(at::_ops::_scaled_mm_v2::schema_str) == "_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, int[] contraction_dim=[], bool use_fast_accum=False) -> Tensor");
ctorch_error *ctorch_aten__scaled_mm_v2(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *mat2, const ctorch_tensor *const *scale_a, size_t scale_a_len, const int64_t *recipe_a, size_t recipe_a_len, const int64_t *swizzle_a, size_t swizzle_a_len, const ctorch_tensor *const *scale_b, size_t scale_b_len, const int64_t *recipe_b, size_t recipe_b_len, const int64_t *swizzle_b, size_t swizzle_b_len, const ctorch_tensor *bias, const ctorch_dtype *out_dtype, const int64_t *contraction_dim, size_t contraction_dim_len, bool use_fast_accum) {
  return guard_repeatable(ctorch_aten__scaled_mm_v2, __func__, "out self mat2 scale_a scale_a_len recipe_a recipe_a_len swizzle_a swizzle_a_len scale_b scale_b_len recipe_b recipe_b_len swizzle_b swizzle_b_len bias out_dtype contraction_dim contraction_dim_len use_fast_accum", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_scaled_mm_v2::call(from::tensor(self, "self"), from::tensor(mat2, "mat2"), from::tensors(scale_a, scale_a_len, "scale_a"), from::enumerated_ints(recipe_a, recipe_a_len, "recipe_a", "ctorch_scaling_type", 5), from::enumerated_ints(swizzle_a, swizzle_a_len, "swizzle_a", "ctorch_swizzle_type", 1), from::tensors(scale_b, scale_b_len, "scale_b"), from::enumerated_ints(recipe_b, recipe_b_len, "recipe_b", "ctorch_scaling_type", 5), from::enumerated_ints(swizzle_b, swizzle_b_len, "swizzle_b", "ctorch_swizzle_type", 1), from::optional_tensor(bias), from::optional_dtype(out_dtype, "out_dtype"), from::ints_or(contraction_dim, contraction_dim_len, "contraction_dim", {}), use_fast_accum); }, out);
  }, out, self, mat2, scale_a, scale_a_len, recipe_a, recipe_a_len, swizzle_a, swizzle_a_len, scale_b, scale_b_len, recipe_b, recipe_b_len, swizzle_b, swizzle_b_len, bias, out_dtype, contraction_dim, contraction_dim_len, use_fast_accum);
}

static_assert(std::string_view(at::_ops::_validate_sparse_compressed_tensor_args::schema_str) == "_validate_sparse_compressed_tensor_args(Tensor compressed_indices, Tensor plain_indices, Tensor values, int[] size, Layout layout, bool? check_pinning=None) -> ()");
ctorch_error *ctorch_aten__validate_sparse_compressed_tensor_args(const ctorch_tensor *compressed_indices, const ctorch_tensor *plain_indices, const ctorch_tensor *values, const int64_t *size, size_t size_len, ctorch_layout layout, const bool *check_pinning) {
  return guard(__func__, "compressed_indices plain_indices values", [&] { at::_ops::_validate_sparse_compressed_tensor_args::call(from::tensor(compressed_indices, "compressed_indices"), from::tensor(plain_indices, "plain_indices"), from::tensor(values, "values"), from::ints(size, size_len, "size"), from::layout(layout, "layout"), from::optional_bool(check_pinning, "check_pinning")); }, compressed_indices, plain_indices, values);
}

static_assert(std::string_view(at::_ops::add_Tensor::schema_str) == "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
ctorch_error *ctorch_aten_add_Tensor(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other, const ctorch_scalar *alpha) {
  return guard_repeatable(ctorch_aten_add_Tensor, __func__, "out self other alpha", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::add_Tensor::call(from::tensor(self, "self"), from::tensor(other, "other"), from::scalar_or(alpha, "alpha", 1)); }, out);
  }, out, self, other, alpha);
}

static_assert(std::string_view(at::_ops::add__Tensor::schema_str) == "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
ctorch_error *ctorch_aten_add__Tensor(ctorch_tensor *self, const ctorch_tensor *other, const ctorch_scalar *alpha) {
  return guard(__func__, "self other", [&] {
    from::Mutable self_(self, "self");
    at::_ops::add__Tensor::call(self_, from::tensor(other, "other"), from::scalar_or(alpha, "alpha", 1));
    self_.finish();
  }, self, other);
}

static_assert(std::string_view(at::_ops::add_out::schema_str) == "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
ctorch_error *ctorch_aten_add_out(const ctorch_tensor *self, const ctorch_tensor *other, const ctorch_scalar *alpha, ctorch_tensor *out) {
  return guard(__func__, "self other out", [&] {
    from::Mutable out_(out, "out");
    at::_ops::add_out::call(from::tensor(self, "self"), from::tensor(other, "other"), from::scalar_or(alpha, "alpha", 1), out_);
    out_.finish();
  }, self, other, out);
}

static_assert(std::string_view(at::_ops::argmax::schema_str) == "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
ctorch_error *ctorch_aten_argmax(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *dim, bool keepdim) {
  return guard_repeatable(ctorch_aten_argmax, __func__, "out self dim keepdim", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::argmax::call(from::tensor(self, "self"), from::optional_int64(dim, "dim"), keepdim); }, out);
  }, out, self, dim, keepdim);
}

static_assert(std::string_view(at::_ops::atleast_1d_Sequence::schema_str) == "atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]");
ctorch_error *ctorch_aten_atleast_1d_Sequence(ctorch_tensor_list **out, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return guard_repeatable(ctorch_aten_atleast_1d_Sequence, __func__, "out tensors tensors_len", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::atleast_1d_Sequence::call(from::tensors(tensors, tensors_len, "tensors")); }, out);
  }, out, tensors, tensors_len);
}

static_assert(std::string_view(at::_ops::cat::schema_str) == "cat(Tensor[] tensors, int dim=0) -> Tensor");
ctorch_error *ctorch_aten_cat(ctorch_tensor **out, const ctorch_tensor *const *tensors, size_t tensors_len, int64_t dim) {
  return guard_repeatable(ctorch_aten_cat, __func__, "out tensors tensors_len dim", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::cat::call(from::tensor_list_ref(tensors, tensors_len, "tensors"), dim); }, out);
  }, out, tensors, tensors_len, dim);
}

static_assert(std::string_view(at::_ops::cat_out::schema_str) == "cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
ctorch_error *ctorch_aten_cat_out(const ctorch_tensor *const *tensors, size_t tensors_len, int64_t dim, ctorch_tensor *out) {
  return guard(__func__, "tensors tensors_len out", [&] {
    from::Mutable out_(out, "out");
    at::_ops::cat_out::call(from::tensor_list_ref(tensors, tensors_len, "tensors"), dim, out_);
    out_.finish();
  }, tensors, tensors_len, out);
}

static_assert(std::string_view(at::_ops::cdist::schema_str) == "cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor");
ctorch_error *ctorch_aten_cdist(ctorch_tensor **out, const ctorch_tensor *x1, const ctorch_tensor *x2, double p, const int64_t *compute_mode) {
  return guard_repeatable(ctorch_aten_cdist, __func__, "out x1 x2 p compute_mode", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::cdist::call(from::tensor(x1, "x1"), from::tensor(x2, "x2"), p, from::optional_enumerated(compute_mode, "compute_mode", "ctorch_cdist_compute_mode", 2)); }, out);
  }, out, x1, x2, p, compute_mode);
}

static_assert(std::string_view(at::_ops::clamp::schema_str) == "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor");
ctorch_error *ctorch_aten_clamp(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *min, const ctorch_scalar *max) {
  return guard_repeatable(ctorch_aten_clamp, __func__, "out self min max", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::clamp::call(from::tensor(self, "self"), from::optional_scalar(min, "min"), from::optional_scalar(max, "max")); }, out);
  }, out, self, min, max);
}

static_assert(std::string_view(at::_ops::contiguous::schema_str) == "contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)");
ctorch_error *ctorch_aten_contiguous(ctorch_tensor **out, const ctorch_tensor *self, ctorch_memory_format memory_format) {
  return guard_repeatable(ctorch_aten_contiguous, __func__, "out self memory_format", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::contiguous::call(from::tensor(self, "self"), from::memory_format(memory_format, "memory_format")); }, out);
  }, out, self, memory_format);
}

static_assert(std::string_view(at::_ops::conv2d_padding::schema_str) == "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding=\"valid\", SymInt[2] dilation=1, SymInt groups=1) -> Tensor");
ctorch_error *ctorch_aten_conv2d_padding(ctorch_tensor **out, const ctorch_tensor *input, const ctorch_tensor *weight, const ctorch_tensor *bias, const int64_t *stride, size_t stride_len, const char *padding, const int64_t *dilation, size_t dilation_len, int64_t groups) {
  return guard_repeatable(ctorch_aten_conv2d_padding, __func__, "out input weight bias stride stride_len padding dilation dilation_len groups", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::conv2d_padding::call(from::tensor(input, "input"), from::tensor(weight, "weight"), from::optional_tensor(bias), from::symints_or(stride, stride_len, "stride", {1, 1}), from::string_or(padding, "padding", "valid"), from::symints_or(dilation, dilation_len, "dilation", {1, 1}), from::symint(groups, "groups")); }, out);
  }, out, input, weight, bias, stride, stride_len, padding, dilation, dilation_len, groups);
}

static_assert(std::string_view(at::_ops::convolution_backward::schema_str) == "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)");
ctorch_error *ctorch_aten_convolution_backward(ctorch_tensor **out0, ctorch_tensor **out1, ctorch_tensor **out2, const ctorch_tensor *grad_output, const ctorch_tensor *input, const ctorch_tensor *weight, const int64_t *bias_sizes, size_t bias_sizes_len, const int64_t *stride, size_t stride_len, const int64_t *padding, size_t padding_len, const int64_t *dilation, size_t dilation_len, bool transposed, const int64_t *output_padding, size_t output_padding_len, int64_t groups, const bool *output_mask, size_t output_mask_len) {
  return guard_repeatable(ctorch_aten_convolution_backward, __func__, "out0 out1 out2 grad_output input weight bias_sizes bias_sizes_len stride stride_len padding padding_len dilation dilation_len transposed output_padding output_padding_len groups output_mask output_mask_len", [&] {
    to::require(out0, "out0");
    to::require(out1, "out1");
    to::require(out2, "out2");
    to::give_result_of([&] { return at::_ops::convolution_backward::call(from::tensor(grad_output, "grad_output"), from::tensor(input, "input"), from::tensor(weight, "weight"), from::optional_symints(bias_sizes, bias_sizes_len, "bias_sizes"), from::symints(stride, stride_len, "stride"), from::symints(padding, padding_len, "padding"), from::symints(dilation, dilation_len, "dilation"), transposed, from::symints(output_padding, output_padding_len, "output_padding"), from::symint(groups, "groups"), from::bools<3>(output_mask, output_mask_len, "output_mask")); }, out0, out1, out2);
  }, out0, out1, out2, grad_output, input, weight, bias_sizes, bias_sizes_len, stride, stride_len, padding, padding_len, dilation, dilation_len, transposed, output_padding, output_padding_len, groups, output_mask, output_mask_len);
}

static_assert(std::string_view(at::_ops::einsum::schema_str) == "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor");
ctorch_error *ctorch_aten_einsum(ctorch_tensor **out, const char *equation, const ctorch_tensor *const *tensors, size_t tensors_len, const int64_t *path, size_t path_len) {
  return guard_repeatable(ctorch_aten_einsum, __func__, "out equation tensors tensors_len path path_len", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::einsum::call(from::string(equation, "equation"), from::tensors(tensors, tensors_len, "tensors"), from::optional_ints(path, path_len, "path")); }, out);
  }, out, equation, tensors, tensors_len, path, path_len);
}

static_assert(std::string_view(at::_ops::empty_memory_format::schema_str) == "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor");
ctorch_error *ctorch_aten_empty_memory_format(ctorch_tensor **out, const int64_t *size, size_t size_len, const ctorch_dtype *dtype, const ctorch_layout *layout, const ctorch_device *device, const bool *pin_memory, const ctorch_memory_format *memory_format) {
  return guard_repeatable(ctorch_aten_empty_memory_format, __func__, "out size size_len dtype layout device pin_memory memory_format", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::empty_memory_format::call(from::symints(size, size_len, "size"), from::optional_dtype(dtype, "dtype"), from::optional_layout(layout, "layout"), from::optional_device_or_default(device, "device"), from::optional_bool(pin_memory, "pin_memory"), from::optional_memory_format(memory_format, "memory_format")); }, out);
  }, out, size, size_len, dtype, layout, device, pin_memory, memory_format);
}

static_assert(std::string_view(at::_ops::fft_fft::schema_str) == "fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
ctorch_error *ctorch_aten_fft_fft(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *n, int64_t dim, const char *norm) {
  return guard_repeatable(ctorch_aten_fft_fft, __func__, "out self n dim norm", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::fft_fft::call(from::tensor(self, "self"), from::optional_symint(n, "n"), dim, from::optional_string(norm, "norm")); }, out);
  }, out, self, n, dim, norm);
}

static_assert(std::string_view(at::_ops::from_file::schema_str) == "from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
ctorch_error *ctorch_aten_from_file(ctorch_tensor **out, const char *filename, const bool *shared, const int64_t *size, const ctorch_dtype *dtype, const ctorch_layout *layout, const ctorch_device *device, const bool *pin_memory) {
  return guard_repeatable(ctorch_aten_from_file, __func__, "out filename shared size dtype layout device pin_memory", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::from_file::call(from::string(filename, "filename"), from::optional_bool(shared, "shared"), from::optional_int64_or(size, "size", 0), from::optional_dtype(dtype, "dtype"), from::optional_layout(layout, "layout"), from::optional_device(device, "device"), from::optional_bool(pin_memory, "pin_memory")); }, out);
  }, out, filename, shared, size, dtype, layout, device, pin_memory);
}

static_assert(std::string_view(at::_ops::gelu::schema_str) == "gelu(Tensor self, *, str approximate='none') -> Tensor");
ctorch_error *ctorch_aten_gelu(ctorch_tensor **out, const ctorch_tensor *self, const char *approximate) {
  return guard_repeatable(ctorch_aten_gelu, __func__, "out self approximate", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::gelu::call(from::tensor(self, "self"), from::string_or(approximate, "approximate", "none")); }, out);
  }, out, self, approximate);
}

static_assert(std::string_view(at::_ops::index_put_::schema_str) == "index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)");
ctorch_error *ctorch_aten_index_put_(ctorch_tensor *self, const ctorch_tensor *const *indices, size_t indices_len, const ctorch_tensor *values, bool accumulate) {
  return guard(__func__, "self indices indices_len values", [&] {
    from::Mutable self_(self, "self");
    at::_ops::index_put_::call(self_, from::optional_tensors(indices, indices_len, "indices"), from::tensor(values, "values"), accumulate);
    self_.finish();
  }, self, indices, indices_len, values);
}

static_assert(std::string_view(at::_ops::is_same_size::schema_str) == "is_same_size(Tensor self, Tensor other) -> bool");
ctorch_error *ctorch_aten_is_same_size(bool *out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return guard_repeatable(ctorch_aten_is_same_size, __func__, "out self other", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::is_same_size::call(from::tensor(self, "self"), from::tensor(other, "other")); }, out);
  }, out, self, other);
}

static_assert(std::string_view(at::_ops::item::schema_str) == "item(Tensor self) -> Scalar");
ctorch_error *ctorch_aten_item(ctorch_scalar *out, const ctorch_tensor *self) {
  return guard_repeatable(ctorch_aten_item, __func__, "out self", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::item::call(from::tensor(self, "self")); }, out);
  }, out, self);
}

static_assert(std::string_view(at::_ops::kl_div::schema_str) == "kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor");
ctorch_error *ctorch_aten_kl_div(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *target, int64_t reduction, bool log_target) {
  return guard_repeatable(ctorch_aten_kl_div, __func__, "out self target reduction log_target", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::kl_div::call(from::tensor(self, "self"), from::tensor(target, "target"), reduction, log_target); }, out);
  }, out, self, target, reduction, log_target);
}

static_assert(std::string_view(at::_ops::kthvalue::schema_str) == "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)");
ctorch_error *ctorch_aten_kthvalue(ctorch_tensor **out_values, ctorch_tensor **out_indices, const ctorch_tensor *self, int64_t k, int64_t dim, bool keepdim) {
  return guard_repeatable(ctorch_aten_kthvalue, __func__, "out_values out_indices self k dim keepdim", [&] {
    to::require(out_values, "out_values");
    to::require(out_indices, "out_indices");
    to::give_result_of([&] { return at::_ops::kthvalue::call(from::tensor(self, "self"), from::symint(k, "k"), dim, keepdim); }, out_values, out_indices);
  }, out_values, out_indices, self, k, dim, keepdim);
}

static_assert(std::string_view(at::_ops::max_dim::schema_str) == "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)");
ctorch_error *ctorch_aten_max_dim(ctorch_tensor **out_values, ctorch_tensor **out_indices, const ctorch_tensor *self, int64_t dim, bool keepdim) {
  return guard_repeatable(ctorch_aten_max_dim, __func__, "out_values out_indices self dim keepdim", [&] {
    to::require(out_values, "out_values");
    to::require(out_indices, "out_indices");
    to::give_result_of([&] { return at::_ops::max_dim::call(from::tensor(self, "self"), dim, keepdim); }, out_values, out_indices);
  }, out_values, out_indices, self, dim, keepdim);
}

static_assert(std::string_view(at::_ops::max_dim_max::schema_str) == "max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)");
ctorch_error *ctorch_aten_max_dim_max(const ctorch_tensor *self, int64_t dim, bool keepdim, ctorch_tensor *max, ctorch_tensor *max_values) {
  return guard(__func__, "self max max_values", [&] {
    from::Mutable max_(max, "max");
    from::Mutable max_values_(max_values, "max_values");
    at::_ops::max_dim_max::call(from::tensor(self, "self"), dim, keepdim, max_, max_values_);
    max_.finish();
    max_values_.finish();
  }, self, max, max_values);
}

static_assert(std::string_view(at::_ops::max_pool1d::schema_str) == "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor");
ctorch_error *ctorch_aten_max_pool1d(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *kernel_size, size_t kernel_size_len, const int64_t *stride, size_t stride_len, const int64_t *padding, size_t padding_len, const int64_t *dilation, size_t dilation_len, bool ceil_mode) {
  return guard_repeatable(ctorch_aten_max_pool1d, __func__, "out self kernel_size kernel_size_len stride stride_len padding padding_len dilation dilation_len ceil_mode", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::max_pool1d::call(from::tensor(self, "self"), from::ints(kernel_size, kernel_size_len, "kernel_size"), from::ints_or(stride, stride_len, "stride", {}), from::ints_or(padding, padding_len, "padding", {0}), from::ints_or(dilation, dilation_len, "dilation", {1}), ceil_mode); }, out);
  }, out, self, kernel_size, kernel_size_len, stride, stride_len, padding, padding_len, dilation, dilation_len, ceil_mode);
}

static_assert(std::string_view(at::_ops::mse_loss::schema_str) == "mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor");
ctorch_error *ctorch_aten_mse_loss(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *target, int64_t reduction) {
  return guard_repeatable(ctorch_aten_mse_loss, __func__, "out self target reduction", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::mse_loss::call(from::tensor(self, "self"), from::tensor(target, "target"), from::enumerated(reduction, "reduction", "ctorch_reduction", 2)); }, out);
  }, out, self, target, reduction);
}

static_assert(std::string_view(at::_ops::nan_to_num_out::schema_str) == "nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor(a!) out) -> Tensor(a!)");
ctorch_error *ctorch_aten_nan_to_num_out(const ctorch_tensor *self, const double *nan, const double *posinf, const double *neginf, ctorch_tensor *out) {
  return guard(__func__, "self out", [&] {
    from::Mutable out_(out, "out");
    at::_ops::nan_to_num_out::call(from::tensor(self, "self"), from::optional_double(nan, "nan"), from::optional_double(posinf, "posinf"), from::optional_double(neginf, "neginf"), out_);
    out_.finish();
  }, self, out);
}

static_assert(std::string_view(at::_ops::normal_::schema_str) == "normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)");
ctorch_error *ctorch_aten_normal_(ctorch_tensor *self, double mean, double std, ctorch_generator *generator) {
  return guard(__func__, "self generator", [&] {
    from::Mutable self_(self, "self");
    at::_ops::normal_::call(self_, mean, std, from::optional_generator(generator, "generator"));
    self_.finish();
  }, self, generator);
}

static_assert(std::string_view(at::_ops::promote_types::schema_str) == "promote_types(ScalarType type1, ScalarType type2) -> ScalarType");
ctorch_error *ctorch_aten_promote_types(ctorch_dtype *out, ctorch_dtype type1, ctorch_dtype type2) {
  return guard_repeatable(ctorch_aten_promote_types, __func__, "out type1 type2", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::promote_types::call(from::dtype(type1, "type1"), from::dtype(type2, "type2")); }, out);
  }, out, type1, type2);
}

static_assert(std::string_view(at::_ops::q_scale::schema_str) == "q_scale(Tensor self) -> float");
ctorch_error *ctorch_aten_q_scale(double *out, const ctorch_tensor *self) {
  return guard_repeatable(ctorch_aten_q_scale, __func__, "out self", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::q_scale::call(from::tensor(self, "self")); }, out);
  }, out, self);
}

static_assert(std::string_view(at::_ops::qscheme::schema_str) == "qscheme(Tensor self) -> QScheme");
ctorch_error *ctorch_aten_qscheme(int32_t *out, const ctorch_tensor *self) {
  return guard_repeatable(ctorch_aten_qscheme, __func__, "out self", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::qscheme::call(from::tensor(self, "self")); }, out);
  }, out, self);
}

static_assert(std::string_view(at::_ops::random__from::schema_str) == "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)");
ctorch_error *ctorch_aten_random__from(ctorch_tensor *self, int64_t from, const int64_t *to, ctorch_generator *generator) {
  return guard(__func__, "self generator", [&] {
    from::Mutable self_(self, "self");
    at::_ops::random__from::call(self_, from, from::optional_int64(to, "to"), from::optional_generator(generator, "generator"));
    self_.finish();
  }, self, generator);
}

static_assert(std::string_view(at::_ops::randperm_generator::schema_str) == "randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
ctorch_error *ctorch_aten_randperm_generator(ctorch_tensor **out, int64_t n, ctorch_generator *generator, const ctorch_dtype *dtype, const ctorch_layout *layout, const ctorch_device *device, const bool *pin_memory) {
  return guard_repeatable(ctorch_aten_randperm_generator, __func__, "out n generator dtype layout device pin_memory", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::randperm_generator::call(from::symint(n, "n"), from::optional_generator(generator, "generator"), from::optional_dtype_or(dtype, "dtype", static_cast<at::ScalarType>(4)), from::optional_layout(layout, "layout"), from::optional_device_or_default(device, "device"), from::optional_bool(pin_memory, "pin_memory")); }, out);
  }, out, n, generator, dtype, layout, device, pin_memory);
}

static_assert(std::string_view(at::_ops::record_stream::schema_str) == "record_stream(Tensor(a!) self, Stream s) -> ()");
ctorch_error *ctorch_aten_record_stream(ctorch_tensor *self, const ctorch_stream *s) {
  return guard(__func__, "self", [&] {
    from::Mutable self_(self, "self");
    at::_ops::record_stream::call(self_, from::stream(s, "s"));
    self_.finish();
  }, self);
}

static_assert(std::string_view(at::_ops::result_type_Tensor::schema_str) == "result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType");
ctorch_error *ctorch_aten_result_type_Tensor(ctorch_dtype *out, const ctorch_tensor *tensor, const ctorch_tensor *other) {
  return guard_repeatable(ctorch_aten_result_type_Tensor, __func__, "out tensor other", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::result_type_Tensor::call(from::tensor(tensor, "tensor"), from::tensor(other, "other")); }, out);
  }, out, tensor, other);
}

static_assert(std::string_view(at::_ops::set__source_Storage::schema_str) == "set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)");
ctorch_error *ctorch_aten_set__source_Storage(ctorch_tensor *self, ctorch_storage *source) {
  return guard(__func__, "self source", [&] {
    from::Mutable self_(self, "self");
    at::_ops::set__source_Storage::call(self_, from::storage(source, "source"));
    self_.finish();
  }, self, source);
}

static_assert(std::string_view(at::_ops::sum_dim_IntList::schema_str) == "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
ctorch_error *ctorch_aten_sum_dim_IntList(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *dim, size_t dim_len, bool keepdim, const ctorch_dtype *dtype) {
  return guard_repeatable(ctorch_aten_sum_dim_IntList, __func__, "out self dim dim_len keepdim dtype", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::sum_dim_IntList::call(from::tensor(self, "self"), from::optional_ints(dim, dim_len, "dim"), keepdim, from::optional_dtype(dtype, "dtype")); }, out);
  }, out, self, dim, dim_len, keepdim, dtype);
}

static_assert(std::string_view(at::_ops::sym_is_contiguous::schema_str) == "sym_is_contiguous(Tensor self, MemoryFormat memory_format=contiguous_format) -> SymBool");
ctorch_error *ctorch_aten_sym_is_contiguous(bool *out, const ctorch_tensor *self, ctorch_memory_format memory_format) {
  return guard_repeatable(ctorch_aten_sym_is_contiguous, __func__, "out self memory_format", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::sym_is_contiguous::call(from::tensor(self, "self"), from::memory_format(memory_format, "memory_format")); }, out);
  }, out, self, memory_format);
}

static_assert(std::string_view(at::_ops::sym_size_int::schema_str) == "sym_size.int(Tensor self, int dim) -> SymInt");
ctorch_error *ctorch_aten_sym_size_int(int64_t *out, const ctorch_tensor *self, int64_t dim) {
  return guard_repeatable(ctorch_aten_sym_size_int, __func__, "out self dim", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::sym_size_int::call(from::tensor(self, "self"), dim); }, out);
  }, out, self, dim);
}

static_assert(std::string_view(at::_ops::upsample_bilinear2d_vec::schema_str) == "upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor");
ctorch_error *ctorch_aten_upsample_bilinear2d_vec(ctorch_tensor **out, const ctorch_tensor *input, const int64_t *output_size, size_t output_size_len, bool align_corners, const double *scale_factors, size_t scale_factors_len) {
  return guard_repeatable(ctorch_aten_upsample_bilinear2d_vec, __func__, "out input output_size output_size_len align_corners scale_factors scale_factors_len", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::upsample_bilinear2d_vec::call(from::tensor(input, "input"), from::optional_symints(output_size, output_size_len, "output_size"), align_corners, from::optional_doubles(scale_factors, scale_factors_len, "scale_factors")); }, out);
  }, out, input, output_size, output_size_len, align_corners, scale_factors, scale_factors_len);
}
