// Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
#include <ATen/core/Tensor.h>

#include <string_view>

#include <ATen/ops/_cdist_backward_ops.h>
#include <ATen/ops/_cslt_sparse_mm_ops.h>
#include <ATen/ops/_foreach_add_ops.h>
#include <ATen/ops/add_ops.h>
#include <ATen/ops/addcmul_ops.h>
#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/argmax_ops.h>
#include <ATen/ops/clamp_ops.h>
#include <ATen/ops/contiguous_ops.h>
#include <ATen/ops/conv2d_ops.h>
#include <ATen/ops/convolution_backward_ops.h>
#include <ATen/ops/fbgemm_linear_fp16_weight_fp32_activation_ops.h>
#include <ATen/ops/fft_fft_ops.h>
#include <ATen/ops/is_same_size_ops.h>
#include <ATen/ops/kl_div_ops.h>
#include <ATen/ops/kthvalue_ops.h>
#include <ATen/ops/max_ops.h>
#include <ATen/ops/max_pool1d_ops.h>
#include <ATen/ops/nan_to_num_ops.h>
#include <ATen/ops/normal_ops.h>
#include <ATen/ops/pad_ops.h>
#include <ATen/ops/randint_ops.h>
#include <ATen/ops/stft_ops.h>

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

static_assert(std::string_view(at::_ops::_cdist_backward::schema_str) == "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor");
ctorch_error *ctorch_aten__cdist_backward(ctorch_tensor **out, const ctorch_tensor *grad_output, const ctorch_tensor *first, const ctorch_tensor *second, double p, const ctorch_tensor *cdist) {
  return guard_repeatable(ctorch_aten__cdist_backward, __func__, "out grad_output first second p cdist", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_cdist_backward::call(from::tensor(grad_output, "grad_output"), from::tensor(first, "first"), from::tensor(second, "second"), p, from::tensor(cdist, "cdist")); }, out);
  }, out, grad_output, first, second, p, cdist);
}

static_assert(std::string_view(at::_ops::_cslt_sparse_mm::schema_str) == "_cslt_sparse_mm(Tensor compressed_A, Tensor dense_B, Tensor? bias=None, Tensor? alpha=None, ScalarType? out_dtype=None, bool transpose_result=False, int alg_id=0, int split_k=1, int split_k_mode=-1) -> Tensor");
ctorch_error *ctorch_aten__cslt_sparse_mm(ctorch_tensor **out, const ctorch_tensor *compressed_A, const ctorch_tensor *dense_B, const ctorch_tensor *bias, const ctorch_tensor *alpha, const ctorch_dtype *out_dtype, bool transpose_result, int64_t alg_id, int64_t split_k, bool split_k_one_kernel) {
  return guard_repeatable(ctorch_aten__cslt_sparse_mm, __func__, "out compressed_A dense_B bias alpha out_dtype transpose_result alg_id split_k split_k_one_kernel", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::_cslt_sparse_mm::call(from::tensor(compressed_A, "compressed_A"), from::tensor(dense_B, "dense_B"), from::optional_tensor(bias), from::optional_tensor(alpha), from::optional_dtype(out_dtype, "out_dtype"), transpose_result, alg_id, split_k, split_k_one_kernel ? 0 : 1); }, out);
  }, out, compressed_A, dense_B, bias, alpha, out_dtype, transpose_result, alg_id, split_k, split_k_one_kernel);
}

static_assert(std::string_view(at::_ops::_foreach_add__Scalar::schema_str) == "_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()");
ctorch_error *ctorch_aten__foreach_add__Scalar(ctorch_tensor *const *self, size_t self_len, const ctorch_scalar *scalar, const int64_t *only, size_t only_len) {
  return guard(__func__, "self self_len", [&] {
    from::refuse_newer(only != nullptr || only_len != 0, "only");
    at::_ops::_foreach_add__Scalar::call(from::tensors(self, self_len, "self"), from::scalar(scalar, "scalar"));
  }, self, self_len);
}

static_assert(std::string_view(at::_ops::add_Tensor::schema_str) == "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
ctorch_error *ctorch_aten_add_Tensor(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other, const ctorch_scalar *alpha) {
  return guard_repeatable(ctorch_aten_add_Tensor, __func__, "out self other alpha", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::add_Tensor::call(from::tensor(self, "self"), from::tensor(other, "other"), from::scalar_or(alpha, "alpha", 1)); }, out);
  }, out, self, other, alpha);
}

static_assert(std::string_view(at::_ops::addcmul_out::schema_str) == "addcmul.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor(a!) out) -> Tensor(a!)");
ctorch_error *ctorch_aten_addcmul_out(const ctorch_tensor *self, const ctorch_tensor *tensor1, const ctorch_tensor *tensor2, const ctorch_scalar *value, ctorch_tensor *out) {
  return guard(__func__, "self tensor1 tensor2 out", [&] {
    from::Mutable out_(out, "out");
    at::_ops::addcmul_out::call(from::tensor(self, "self"), from::tensor(tensor1, "tensor1"), from::tensor(tensor2, "tensor2"), from::scalar_or(value, "value", 2), out_);
    out_.finish();
  }, self, tensor1, tensor2, out);
}

static_assert(std::string_view(at::_ops::addmm_dtype::schema_str) == "addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
ctorch_error *ctorch_aten_addmm_dtype(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *mat1, const ctorch_tensor *mat2, ctorch_dtype out_dtype, const ctorch_scalar *beta) {
  return guard_repeatable(ctorch_aten_addmm_dtype, __func__, "out self mat1 mat2 out_dtype beta", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::addmm_dtype::call(from::tensor(self, "self"), from::tensor(mat1, "mat1"), from::tensor(mat2, "mat2"), from::dtype(out_dtype, "out_dtype"), from::scalar_or(beta, "beta", 1), 1); }, out);
  }, out, self, mat1, mat2, out_dtype, beta);
}

static_assert(std::string_view(at::_ops::argmax::schema_str) == "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
ctorch_error *ctorch_aten_argmax(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *dim, bool keepdim, bool flag, int64_t reduction, double eps, ctorch_dtype dtype, const int64_t *size, size_t size_len, const ctorch_scalar *alpha, const char *mode, const ctorch_tensor *weight, const ctorch_tensor *late) {
  return guard_repeatable(ctorch_aten_argmax, __func__, "out self dim keepdim flag reduction eps dtype size size_len alpha mode weight late", [&] {
    to::require(out, "out");
    from::refuse_newer(flag != true, "flag");
    from::refuse_newer(reduction != 1, "reduction");
    from::refuse_newer(eps != 1e-05, "eps");
    from::refuse_newer(dtype != 4, "dtype");
    from::refuse_newer(size != nullptr || size_len != 0, "size");
    from::refuse_newer(alpha != nullptr, "alpha");
    from::refuse_newer(mode != nullptr, "mode");
    from::refuse_newer(weight != nullptr, "weight");
    from::refuse_newer(late != nullptr, "late");
    to::give_result_of([&] { return at::_ops::argmax::call(from::tensor(self, "self"), from::optional_int64(dim, "dim"), keepdim); }, out);
  }, out, self, dim, keepdim, flag, reduction, eps, dtype, size, size_len, alpha, mode, weight, late);
}

ctorch_error *ctorch_aten_cholesky_gone(ctorch_tensor **, const ctorch_tensor *, bool) {
  return unsupported(__func__, "aten::cholesky_gone", "2.13.0");
}

static_assert(std::string_view(at::_ops::clamp::schema_str) == "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor");
ctorch_error *ctorch_aten_clamp(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *min, const ctorch_scalar *max) {
  return guard_repeatable(ctorch_aten_clamp, __func__, "out self min max", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::clamp::call(from::tensor(self, "self"), from::optional_scalar(min, "min"), from::optional_scalar(max, "max")); }, out);
  }, out, self, min, max);
}

static_assert(std::string_view(at::_ops::contiguous::schema_str) == "contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)");
ctorch_error *ctorch_aten_contiguous(ctorch_tensor **out, const ctorch_tensor *self) {
  return guard_repeatable(ctorch_aten_contiguous, __func__, "out self", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::contiguous::call(from::tensor(self, "self"), static_cast<at::MemoryFormat>(0)); }, out);
  }, out, self);
}

static_assert(std::string_view(at::_ops::conv2d_padding::schema_str) == "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding=\"valid\", SymInt[2] dilation=1, SymInt groups=1) -> Tensor");
ctorch_error *ctorch_aten_conv2d_padding(ctorch_tensor **out, const ctorch_tensor *input, const ctorch_tensor *weight) {
  return guard_repeatable(ctorch_aten_conv2d_padding, __func__, "out input weight", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::conv2d_padding::call(from::tensor(input, "input"), from::tensor(weight, "weight"), {}, from::symints_or(nullptr, 0, "stride", {1, 1}), "valid", from::symints_or(nullptr, 0, "dilation", {1, 1}), 1); }, out);
  }, out, input, weight);
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

static_assert(std::string_view(at::_ops::fbgemm_linear_fp16_weight_fp32_activation::schema_str) == "fbgemm_linear_fp16_weight_fp32_activation(Tensor input, Tensor packed_weight, Tensor? bias) -> Tensor");
ctorch_error *ctorch_aten_fbgemm_linear_fp16_weight_fp32_activation(ctorch_tensor **out, const ctorch_tensor *input, const ctorch_tensor *packed_weight, const ctorch_tensor *bias) {
  return guard_repeatable(ctorch_aten_fbgemm_linear_fp16_weight_fp32_activation, __func__, "out input packed_weight bias", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::fbgemm_linear_fp16_weight_fp32_activation::call(from::tensor(input, "input"), from::tensor(packed_weight, "packed_weight"), from::optional_tensor(bias)); }, out);
  }, out, input, packed_weight, bias);
}

static_assert(std::string_view(at::_ops::fft_fft::schema_str) == "fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor");
ctorch_error *ctorch_aten_fft_fft(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *n, int64_t dim, const char *norm) {
  return guard_repeatable(ctorch_aten_fft_fft, __func__, "out self n dim norm", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::fft_fft::call(from::tensor(self, "self"), from::optional_symint(n, "n"), dim, from::optional_string(norm, "norm")); }, out);
  }, out, self, n, dim, norm);
}

static_assert(std::string_view(at::_ops::is_same_size::schema_str) == "is_same_size(Tensor self, Tensor other) -> bool");
ctorch_error *ctorch_aten_is_same_size(bool *out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return guard_repeatable(ctorch_aten_is_same_size, __func__, "out self other", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::is_same_size::call(from::tensor(self, "self"), from::tensor(other, "other")); }, out);
  }, out, self, other);
}

static_assert(std::string_view(at::_ops::kl_div::schema_str) == "kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor");
ctorch_error *ctorch_aten_kl_div(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *target) {
  return guard_repeatable(ctorch_aten_kl_div, __func__, "out self target", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::kl_div::call(from::tensor(self, "self"), from::tensor(target, "target"), 1, false); }, out);
  }, out, self, target);
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
ctorch_error *ctorch_aten_max_dim(ctorch_tensor **out_max, ctorch_tensor **out_argmax, const ctorch_tensor *self, int64_t dim, bool keepdim) {
  return guard_repeatable(ctorch_aten_max_dim, __func__, "out_max out_argmax self dim keepdim", [&] {
    to::require(out_max, "out_max");
    to::require(out_argmax, "out_argmax");
    to::give_result_of([&] { return at::_ops::max_dim::call(from::tensor(self, "self"), dim, keepdim); }, out_max, out_argmax);
  }, out_max, out_argmax, self, dim, keepdim);
}

static_assert(std::string_view(at::_ops::max_dim_max::schema_str) == "max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)");
ctorch_error *ctorch_aten_max_dim_max(const ctorch_tensor *self, int64_t dim, bool keepdim, ctorch_tensor *out_max, ctorch_tensor *out_argmax) {
  return guard(__func__, "self out_max out_argmax", [&] {
    from::Mutable out_max_(out_max, "out_max");
    from::Mutable out_argmax_(out_argmax, "out_argmax");
    at::_ops::max_dim_max::call(from::tensor(self, "self"), dim, keepdim, out_max_, out_argmax_);
    out_max_.finish();
    out_argmax_.finish();
  }, self, out_max, out_argmax);
}

static_assert(std::string_view(at::_ops::max_pool1d::schema_str) == "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor");
ctorch_error *ctorch_aten_max_pool1d(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *kernel_size, size_t kernel_size_len) {
  return guard_repeatable(ctorch_aten_max_pool1d, __func__, "out self kernel_size kernel_size_len", [&] {
    to::require(out, "out");
    from::check_list(kernel_size, kernel_size_len, "kernel_size");
    to::give_result_of([&] { return at::_ops::max_pool1d::call(from::tensor(self, "self"), from::ints(kernel_size, kernel_size_len, "kernel_size"), from::ints_or(nullptr, 0, "stride", {}), from::ints_or(nullptr, 0, "padding", {0}), from::ints_or(nullptr, 0, "dilation", {1}), false); }, out);
  }, out, self, kernel_size, kernel_size_len);
}

static_assert(std::string_view(at::_ops::nan_to_num_out::schema_str) == "nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor(a!) out) -> Tensor(a!)");
ctorch_error *ctorch_aten_nan_to_num_out(const ctorch_tensor *self, const double *nan, ctorch_tensor *out) {
  return guard(__func__, "self out", [&] {
    from::Mutable out_(out, "out");
    at::_ops::nan_to_num_out::call(from::tensor(self, "self"), from::optional_double(nan, "nan"), {}, {}, out_);
    out_.finish();
  }, self, out);
}

static_assert(std::string_view(at::_ops::normal_::schema_str) == "normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)");
ctorch_error *ctorch_aten_normal_(ctorch_tensor *self) {
  return guard(__func__, "self", [&] {
    from::Mutable self_(self, "self");
    at::_ops::normal_::call(self_, 0.0, 1.0, {});
    self_.finish();
  }, self);
}

static_assert(std::string_view(at::_ops::pad::schema_str) == "pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor");
ctorch_error *ctorch_aten_pad(ctorch_tensor **out, const ctorch_tensor *self, const int64_t *pad, size_t pad_len) {
  return guard_repeatable(ctorch_aten_pad, __func__, "out self pad pad_len", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::pad::call(from::tensor(self, "self"), from::symints(pad, pad_len, "pad"), "constant", {}); }, out);
  }, out, self, pad, pad_len);
}

ctorch_error *ctorch_aten_qr_gone_Q(const ctorch_tensor *, bool, ctorch_tensor *, ctorch_tensor *) {
  return unsupported(__func__, "aten::qr_gone.Q", "2.13.0");
}

static_assert(std::string_view(at::_ops::randint::schema_str) == "randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
ctorch_error *ctorch_aten_randint(ctorch_tensor **out, int64_t high, const int64_t *size, size_t size_len) {
  return guard_repeatable(ctorch_aten_randint, __func__, "out high size size_len", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::randint::call(from::symint(high, "high"), from::symints(size, size_len, "size"), static_cast<at::ScalarType>(4), {}, {}, {}); }, out);
  }, out, high, size, size_len);
}

static_assert(std::string_view(at::_ops::stft_center::schema_str) == "stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor");
ctorch_error *ctorch_aten_stft_center(ctorch_tensor **out, const ctorch_tensor *self, int64_t n_fft, const int64_t *hop_length, const int64_t *win_length, const ctorch_tensor *window, bool center, const char *pad_mode, bool normalized, const bool *onesided, const bool *return_complex) {
  return guard_repeatable(ctorch_aten_stft_center, __func__, "out self n_fft hop_length win_length window center pad_mode normalized onesided return_complex", [&] {
    to::require(out, "out");
    to::give_result_of([&] { return at::_ops::stft_center::call(from::tensor(self, "self"), n_fft, from::optional_int64(hop_length, "hop_length"), from::optional_int64(win_length, "win_length"), from::optional_tensor(window), center, from::string_or(pad_mode, "pad_mode", "reflect"), normalized, from::optional_bool(onesided, "onesided"), from::optional_bool(return_complex, "return_complex"), {}); }, out);
  }, out, self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex);
}
