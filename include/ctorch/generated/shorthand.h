/**
 * Operators with their usual arguments: what has a default at the end of the schema, tensors excepted, is left to that.
 * Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
 *
 *     ctorch_ones(&x, CTORCH_INTS(2, 3));                     // beside NULL, NULL, NULL, NULL
 *     ctorch_layer_norm(&y, x, CTORCH_INTS(3), weight, bias); // beside 1e-5, true
 *     ctorch_cross_entropy_loss(&loss, y, target, NULL);      // beside 1, -100, 0.0
 *
 * `ctorch_<operator>` is `ctorch_aten_<operator>` with the arguments that its comment lists. They are inline functions
 * for C programs: nothing of them is exported, and a compiler makes of them the call that they stand for.
 */
#ifndef CTORCH_GENERATED_SHORTHAND_H
#define CTORCH_GENERATED_SHORTHAND_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/generated/aten.h"

#if defined(__GNUC__) || defined(__clang__)
#define CTORCH_INLINE __attribute__((warn_unused_result)) static inline
#else
#define CTORCH_INLINE static inline
#endif

CTORCH_BEGIN_DECLS

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_add_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other) {
  return ctorch_aten_add_Scalar(out, self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_add_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other) {
  return ctorch_aten_add_Tensor(out, self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_add__Scalar(ctorch_tensor *self, const ctorch_scalar *other) {
  return ctorch_aten_add__Scalar(self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_add__Tensor(ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_add__Tensor(self, other, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addbmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2) {
  return ctorch_aten_addbmm(out, self, batch1, batch2, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addbmm_(
    ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2) {
  return ctorch_aten_addbmm_(self, batch1, batch2, NULL, NULL);
}

/** value=1 */
CTORCH_INLINE ctorch_error *ctorch_addcdiv(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2) {
  return ctorch_aten_addcdiv(out, self, tensor1, tensor2, NULL);
}

/** value=1 */
CTORCH_INLINE ctorch_error *ctorch_addcdiv_(
    ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2) {
  return ctorch_aten_addcdiv_(self, tensor1, tensor2, NULL);
}

/** value=1 */
CTORCH_INLINE ctorch_error *ctorch_addcmul(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2) {
  return ctorch_aten_addcmul(out, self, tensor1, tensor2, NULL);
}

/** value=1 */
CTORCH_INLINE ctorch_error *ctorch_addcmul_(
    ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2) {
  return ctorch_aten_addcmul_(self, tensor1, tensor2, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2) {
  return ctorch_aten_addmm(out, self, mat1, mat2, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addmm_(ctorch_tensor *self, const ctorch_tensor *mat1, const ctorch_tensor *mat2) {
  return ctorch_aten_addmm_(self, mat1, mat2, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addmm_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype) {
  return ctorch_aten_addmm_dtype(out, self, mat1, mat2, out_dtype, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addmv(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat,
    const ctorch_tensor *vec) {
  return ctorch_aten_addmv(out, self, mat, vec, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addmv_(ctorch_tensor *self, const ctorch_tensor *mat, const ctorch_tensor *vec) {
  return ctorch_aten_addmv_(self, mat, vec, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *vec1,
    const ctorch_tensor *vec2) {
  return ctorch_aten_addr(out, self, vec1, vec2, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_addr_(ctorch_tensor *self, const ctorch_tensor *vec1, const ctorch_tensor *vec2) {
  return ctorch_aten_addr_(self, vec1, vec2, NULL, NULL);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_all_dim(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_all_dim(out, self, dim, false);
}

/** dim=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_all_dims(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_all_dims(out, self, NULL, 0, false);
}

/** rtol=1e-05, atol=1e-08, equal_nan=False */
CTORCH_INLINE ctorch_error *ctorch_allclose(bool *out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_allclose(out, self, other, 1e-05, 1e-08, false);
}

/** dim=[], keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_amax(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_amax(out, self, NULL, 0, false);
}

/** dim=[], keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_amin(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_amin(out, self, NULL, 0, false);
}

/** dim=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_aminmax(
    ctorch_tensor **out_min,
    ctorch_tensor **out_max,
    const ctorch_tensor *self) {
  return ctorch_aten_aminmax(out_min, out_max, self, NULL, false);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_any_dim(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_any_dim(out, self, dim, false);
}

/** dim=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_any_dims(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_any_dims(out, self, NULL, 0, false);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_arange(ctorch_tensor **out, const ctorch_scalar *end) {
  return ctorch_aten_arange(out, end, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_arange_start(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end) {
  return ctorch_aten_arange_start(out, start, end, NULL, NULL, NULL, NULL);
}

/** step=1, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_arange_start_step(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end) {
  return ctorch_aten_arange_start_step(out, start, end, NULL, NULL, NULL, NULL, NULL);
}

/** dim=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_argmax(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_argmax(out, self, NULL, false);
}

/** dim=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_argmin(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_argmin(out, self, NULL, false);
}

/** dim=-1, descending=False */
CTORCH_INLINE ctorch_error *ctorch_argsort(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_argsort(out, self, -1, false);
}

/** dim=-1, descending=False */
CTORCH_INLINE ctorch_error *ctorch_argsort_stable(ctorch_tensor **out, const ctorch_tensor *self, bool stable) {
  return ctorch_aten_argsort_stable(out, self, stable, -1, false);
}

/** storage_offset=None */
CTORCH_INLINE ctorch_error *ctorch_as_strided(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len) {
  return ctorch_aten_as_strided(out, self, size, size_len, stride, stride_len, NULL);
}

/** storage_offset=None */
CTORCH_INLINE ctorch_error *ctorch_as_strided_(
    ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len) {
  return ctorch_aten_as_strided_(self, size, size_len, stride, stride_len, NULL);
}

/** storage_offset=None */
CTORCH_INLINE ctorch_error *ctorch_as_strided_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len) {
  return ctorch_aten_as_strided_copy(out, self, size, size_len, stride, stride_len, NULL);
}

/** storage_offset=None */
CTORCH_INLINE ctorch_error *ctorch_as_strided_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len) {
  return ctorch_aten_as_strided_scatter(out, self, src, size, size_len, stride, stride_len, NULL);
}

/** stride=[], padding=0, ceil_mode=False, count_include_pad=True */
CTORCH_INLINE ctorch_error *ctorch_avg_pool1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_avg_pool1d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, false, true);
}

/** stride=[], padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None */
CTORCH_INLINE ctorch_error *ctorch_avg_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_avg_pool2d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, false, true, NULL);
}

/** stride=[], padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None */
CTORCH_INLINE ctorch_error *ctorch_avg_pool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_avg_pool3d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, false, true, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_baddbmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2) {
  return ctorch_aten_baddbmm(out, self, batch1, batch2, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_baddbmm_(
    ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2) {
  return ctorch_aten_baddbmm_(self, batch1, batch2, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_baddbmm_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    ctorch_dtype out_dtype) {
  return ctorch_aten_baddbmm_dtype(out, self, batch1, batch2, out_dtype, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_bartlett_window(ctorch_tensor **out, int64_t window_length) {
  return ctorch_aten_bartlett_window(out, window_length, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_bartlett_window_periodic(ctorch_tensor **out, int64_t window_length, bool periodic) {
  return ctorch_aten_bartlett_window_periodic(out, window_length, periodic, NULL, NULL, NULL, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_bernoulli(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_bernoulli(out, self, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_bernoulli_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *p) {
  return ctorch_aten_bernoulli_Tensor(out, self, p, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_bernoulli__Tensor(ctorch_tensor *self, const ctorch_tensor *p) {
  return ctorch_aten_bernoulli__Tensor(self, p, NULL);
}

/** p=0.5, generator=None */
CTORCH_INLINE ctorch_error *ctorch_bernoulli__float(ctorch_tensor *self) {
  return ctorch_aten_bernoulli__float(self, 0.5, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_bernoulli_p(ctorch_tensor **out, const ctorch_tensor *self, double p) {
  return ctorch_aten_bernoulli_p(out, self, p, NULL);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_binary_cross_entropy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight) {
  return ctorch_aten_binary_cross_entropy(out, self, target, weight, 1);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_binary_cross_entropy_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight) {
  return ctorch_aten_binary_cross_entropy_backward(out, grad_output, self, target, weight, 1);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_binary_cross_entropy_with_logits(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    const ctorch_tensor *pos_weight) {
  return ctorch_aten_binary_cross_entropy_with_logits(out, self, target, weight, pos_weight, 1);
}

/** minlength=0 */
CTORCH_INLINE ctorch_error *ctorch_bincount(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weights) {
  return ctorch_aten_bincount(out, self, weights, 0);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_binomial(
    ctorch_tensor **out,
    const ctorch_tensor *count,
    const ctorch_tensor *prob) {
  return ctorch_aten_binomial(out, count, prob, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_blackman_window(ctorch_tensor **out, int64_t window_length) {
  return ctorch_aten_blackman_window(out, window_length, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_blackman_window_periodic(ctorch_tensor **out, int64_t window_length, bool periodic) {
  return ctorch_aten_blackman_window_periodic(out, window_length, periodic, NULL, NULL, NULL, NULL);
}

/** out_int32=False, right=False */
CTORCH_INLINE ctorch_error *ctorch_bucketize_Scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *boundaries) {
  return ctorch_aten_bucketize_Scalar(out, self, boundaries, false, false);
}

/** out_int32=False, right=False */
CTORCH_INLINE ctorch_error *ctorch_bucketize_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *boundaries) {
  return ctorch_aten_bucketize_Tensor(out, self, boundaries, false, false);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_cat(ctorch_tensor **out, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return ctorch_aten_cat(out, tensors, tensors_len, 0);
}

/** median=0, sigma=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_cauchy(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_cauchy(out, self, 0.0, 1.0, NULL);
}

/** median=0, sigma=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_cauchy_(ctorch_tensor *self) {
  return ctorch_aten_cauchy_(self, 0.0, 1.0, NULL);
}

/** p=2, compute_mode=None */
CTORCH_INLINE ctorch_error *ctorch_cdist(ctorch_tensor **out, const ctorch_tensor *x1, const ctorch_tensor *x2) {
  return ctorch_aten_cdist(out, x1, x2, 2.0, NULL);
}

/** alpha=1.0 */
CTORCH_INLINE ctorch_error *ctorch_celu(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_celu(out, self, NULL);
}

/** alpha=1.0 */
CTORCH_INLINE ctorch_error *ctorch_celu_(ctorch_tensor *self) {
  return ctorch_aten_celu_(self, NULL);
}

/** memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_chalf(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_chalf(out, self, NULL);
}

/** upper=False */
CTORCH_INLINE ctorch_error *ctorch_cholesky(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_cholesky(out, self, false);
}

/** upper=False */
CTORCH_INLINE ctorch_error *ctorch_cholesky_inverse(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_cholesky_inverse(out, self, false);
}

/** upper=False */
CTORCH_INLINE ctorch_error *ctorch_cholesky_solve(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *input2) {
  return ctorch_aten_cholesky_solve(out, self, input2, false);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_chunk(ctorch_tensor_list **out, const ctorch_tensor *self, int64_t chunks) {
  return ctorch_aten_chunk(out, self, chunks, 0);
}

/** min=None, max=None */
CTORCH_INLINE ctorch_error *ctorch_clamp(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_clamp(out, self, NULL, NULL);
}

/** min=None, max=None */
CTORCH_INLINE ctorch_error *ctorch_clamp_(ctorch_tensor *self) {
  return ctorch_aten_clamp_(self, NULL, NULL);
}

/** min=None, max=None */
CTORCH_INLINE ctorch_error *ctorch_clip(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_clip(out, self, NULL, NULL);
}

/** min=None, max=None */
CTORCH_INLINE ctorch_error *ctorch_clip_(ctorch_tensor *self) {
  return ctorch_aten_clip_(self, NULL, NULL);
}

/** memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_clone(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_clone(out, self, NULL);
}

/** r=2, with_replacement=False */
CTORCH_INLINE ctorch_error *ctorch_combinations(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_combinations(out, self, 2, false);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_concat(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len) {
  return ctorch_aten_concat(out, tensors, tensors_len, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_concatenate(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len) {
  return ctorch_aten_concatenate(out, tensors, tensors_len, 0);
}

/** value=0 */
CTORCH_INLINE ctorch_error *ctorch_constant_pad_nd(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len) {
  return ctorch_aten_constant_pad_nd(out, self, pad, pad_len, NULL);
}

/** memory_format=contiguous_format */
CTORCH_INLINE ctorch_error *ctorch_contiguous(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_contiguous(out, self, 0);
}

/** stride=1, padding=0, dilation=1, groups=1 */
CTORCH_INLINE ctorch_error *ctorch_conv1d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv1d(out, input, weight, bias, NULL, 0, NULL, 0, NULL, 0, 1);
}

/** stride=1, padding="valid", dilation=1, groups=1 */
CTORCH_INLINE ctorch_error *ctorch_conv1d_padding(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv1d_padding(out, input, weight, bias, NULL, 0, NULL, NULL, 0, 1);
}

/** stride=1, padding=0, dilation=1, groups=1 */
CTORCH_INLINE ctorch_error *ctorch_conv2d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv2d(out, input, weight, bias, NULL, 0, NULL, 0, NULL, 0, 1);
}

/** stride=1, padding="valid", dilation=1, groups=1 */
CTORCH_INLINE ctorch_error *ctorch_conv2d_padding(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv2d_padding(out, input, weight, bias, NULL, 0, NULL, NULL, 0, 1);
}

/** stride=1, padding=0, dilation=1, groups=1 */
CTORCH_INLINE ctorch_error *ctorch_conv3d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv3d(out, input, weight, bias, NULL, 0, NULL, 0, NULL, 0, 1);
}

/** stride=1, padding="valid", dilation=1, groups=1 */
CTORCH_INLINE ctorch_error *ctorch_conv3d_padding(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv3d_padding(out, input, weight, bias, NULL, 0, NULL, NULL, 0, 1);
}

/** pad=0 */
CTORCH_INLINE ctorch_error *ctorch_conv_tbc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv_tbc(out, self, weight, bias, 0);
}

/** stride=1, padding=0, output_padding=0, groups=1, dilation=1 */
CTORCH_INLINE ctorch_error *ctorch_conv_transpose1d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv_transpose1d(out, input, weight, bias, NULL, 0, NULL, 0, NULL, 0, 1, NULL, 0);
}

/** stride=1, padding=0, output_padding=0, groups=1, dilation=1 */
CTORCH_INLINE ctorch_error *ctorch_conv_transpose2d_input(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv_transpose2d_input(out, input, weight, bias, NULL, 0, NULL, 0, NULL, 0, 1, NULL, 0);
}

/** stride=1, padding=0, output_padding=0, groups=1, dilation=1 */
CTORCH_INLINE ctorch_error *ctorch_conv_transpose3d_input(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_conv_transpose3d_input(out, input, weight, bias, NULL, 0, NULL, 0, NULL, 0, 1, NULL, 0);
}

/** non_blocking=False */
CTORCH_INLINE ctorch_error *ctorch_copy(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *src) {
  return ctorch_aten_copy(out, self, src, false);
}

/** non_blocking=False */
CTORCH_INLINE ctorch_error *ctorch_copy_(ctorch_tensor *self, const ctorch_tensor *src) {
  return ctorch_aten_copy_(self, src, false);
}

/** non_blocking=False */
CTORCH_INLINE ctorch_error *ctorch_copy_sparse_to_sparse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src) {
  return ctorch_aten_copy_sparse_to_sparse(out, self, src, false);
}

/** non_blocking=False */
CTORCH_INLINE ctorch_error *ctorch_copy_sparse_to_sparse_(ctorch_tensor *self, const ctorch_tensor *src) {
  return ctorch_aten_copy_sparse_to_sparse_(self, src, false);
}

/** margin=0.0, reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_cosine_embedding_loss(
    ctorch_tensor **out,
    const ctorch_tensor *input1,
    const ctorch_tensor *input2,
    const ctorch_tensor *target) {
  return ctorch_aten_cosine_embedding_loss(out, input1, input2, target, 0.0, 1);
}

/** dim=1, eps=1e-08 */
CTORCH_INLINE ctorch_error *ctorch_cosine_similarity(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2) {
  return ctorch_aten_cosine_similarity(out, x1, x2, 1, 1e-08);
}

/** dim=None */
CTORCH_INLINE ctorch_error *ctorch_count_nonzero(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_count_nonzero(out, self, NULL);
}

/** dim=None */
CTORCH_INLINE ctorch_error *ctorch_cross(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_cross(out, self, other, NULL);
}

/** reduction=Mean, ignore_index=-100, label_smoothing=0.0 */
CTORCH_INLINE ctorch_error *ctorch_cross_entropy_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight) {
  return ctorch_aten_cross_entropy_loss(out, self, target, weight, 1, -100, 0.0);
}

/** blank=0, reduction=Mean, zero_infinity=False */
CTORCH_INLINE ctorch_error *ctorch_ctc_loss_IntList(
    ctorch_tensor **out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len) {
  return ctorch_aten_ctc_loss_IntList(
      out, log_probs, targets, input_lengths, input_lengths_len, target_lengths, target_lengths_len, 0, 1, false);
}

/** blank=0, reduction=Mean, zero_infinity=False */
CTORCH_INLINE ctorch_error *ctorch_ctc_loss_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths) {
  return ctorch_aten_ctc_loss_Tensor(out, log_probs, targets, input_lengths, target_lengths, 0, 1, false);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_cumprod(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_cumprod(out, self, dim, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_cumprod_(ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_cumprod_(self, dim, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_cumsum(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_cumsum(out, self, dim, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_cumsum_(ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_cumsum_(self, dim, NULL);
}

/** dx=1, dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_cumulative_trapezoid_dx(ctorch_tensor **out, const ctorch_tensor *y) {
  return ctorch_aten_cumulative_trapezoid_dx(out, y, NULL, -1);
}

/** dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_cumulative_trapezoid_x(
    ctorch_tensor **out,
    const ctorch_tensor *y,
    const ctorch_tensor *x) {
  return ctorch_aten_cumulative_trapezoid_x(out, y, x, -1);
}

/** diagonal=0 */
CTORCH_INLINE ctorch_error *ctorch_diag(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_diag(out, self, 0);
}

/** offset=0, dim1=-2, dim2=-1 */
CTORCH_INLINE ctorch_error *ctorch_diag_embed(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_diag_embed(out, self, 0, -2, -1);
}

/** offset=0 */
CTORCH_INLINE ctorch_error *ctorch_diagflat(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_diagflat(out, self, 0);
}

/** offset=0, dim1=0, dim2=1 */
CTORCH_INLINE ctorch_error *ctorch_diagonal(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_diagonal(out, self, 0, 0, 1);
}

/** offset=0, dim1=0, dim2=1 */
CTORCH_INLINE ctorch_error *ctorch_diagonal_copy(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_diagonal_copy(out, self, 0, 0, 1);
}

/** offset=0, dim1=0, dim2=1 */
CTORCH_INLINE ctorch_error *ctorch_diagonal_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src) {
  return ctorch_aten_diagonal_scatter(out, self, src, 0, 0, 1);
}

/** p=2 */
CTORCH_INLINE ctorch_error *ctorch_dist(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_dist(out, self, other, NULL);
}

/** path=None */
CTORCH_INLINE ctorch_error *ctorch_einsum(
    ctorch_tensor **out,
    const char *equation,
    const ctorch_tensor *const *tensors,
    size_t tensors_len) {
  return ctorch_aten_einsum(out, equation, tensors, tensors_len, NULL, 0);
}

/** alpha=1, scale=1, input_scale=1 */
CTORCH_INLINE ctorch_error *ctorch_elu(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_elu(out, self, NULL, NULL, NULL);
}

/** alpha=1, scale=1, input_scale=1 */
CTORCH_INLINE ctorch_error *ctorch_elu_(ctorch_tensor *self) {
  return ctorch_aten_elu_(self, NULL, NULL, NULL);
}

/** padding_idx=-1, scale_grad_by_freq=False, sparse=False */
CTORCH_INLINE ctorch_error *ctorch_embedding(
    ctorch_tensor **out,
    const ctorch_tensor *weight,
    const ctorch_tensor *indices) {
  return ctorch_aten_embedding(out, weight, indices, -1, false, false);
}

/** include_last_offset=False */
CTORCH_INLINE ctorch_error *ctorch_embedding_bag(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *weight,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    bool scale_grad_by_freq,
    int64_t mode,
    bool sparse,
    const ctorch_tensor *per_sample_weights) {
  return ctorch_aten_embedding_bag(
      out0, out1, out2, out3, weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, false);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_empty_like(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_empty_like(out, self, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_empty_memory_format(ctorch_tensor **out, const int64_t *size, size_t size_len) {
  return ctorch_aten_empty_memory_format(out, size, size_len, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_empty_permuted(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const int64_t *physical_layout,
    size_t physical_layout_len) {
  return ctorch_aten_empty_permuted(out, size, size_len, physical_layout, physical_layout_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_empty_quantized(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_tensor *qtensor) {
  return ctorch_aten_empty_quantized(out, size, size_len, qtensor, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_empty_strided(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len) {
  return ctorch_aten_empty_strided(out, size, size_len, stride, stride_len, NULL, NULL, NULL, NULL);
}

/** implicit=False */
CTORCH_INLINE ctorch_error *ctorch_expand(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_expand(out, self, size, size_len, false);
}

/** implicit=False */
CTORCH_INLINE ctorch_error *ctorch_expand_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_expand_copy(out, self, size, size_len, false);
}

/** lambd=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_exponential(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_exponential(out, self, 1.0, NULL);
}

/** lambd=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_exponential_(ctorch_tensor *self) {
  return ctorch_aten_exponential_(self, 1.0, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_eye(ctorch_tensor **out, int64_t n) {
  return ctorch_aten_eye(out, n, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_eye_m(ctorch_tensor **out, int64_t n, int64_t m) {
  return ctorch_aten_eye_m(out, n, m, NULL, NULL, NULL, NULL);
}

/** n=None, dim=-1, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_fft(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_fft(out, self, NULL, -1, NULL);
}

/** s=None, dim=[-2,-1], norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_fft2(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_fft2(out, self, NULL, 0, NULL, 0, NULL);
}

/** d=1.0, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_fft_fftfreq(ctorch_tensor **out, int64_t n) {
  return ctorch_aten_fft_fftfreq(out, n, 1.0, NULL, NULL, NULL, NULL);
}

/** s=None, dim=None, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_fftn(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_fftn(out, self, NULL, 0, NULL, 0, NULL);
}

/** dim=None */
CTORCH_INLINE ctorch_error *ctorch_fft_fftshift(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_fftshift(out, self, NULL, 0);
}

/** n=None, dim=-1, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_hfft(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_hfft(out, self, NULL, -1, NULL);
}

/** s=None, dim=[-2,-1], norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_hfft2(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_hfft2(out, self, NULL, 0, NULL, 0, NULL);
}

/** s=None, dim=None, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_hfftn(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_hfftn(out, self, NULL, 0, NULL, 0, NULL);
}

/** n=None, dim=-1, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_ifft(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_ifft(out, self, NULL, -1, NULL);
}

/** s=None, dim=[-2,-1], norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_ifft2(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_ifft2(out, self, NULL, 0, NULL, 0, NULL);
}

/** s=None, dim=None, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_ifftn(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_ifftn(out, self, NULL, 0, NULL, 0, NULL);
}

/** dim=None */
CTORCH_INLINE ctorch_error *ctorch_fft_ifftshift(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_ifftshift(out, self, NULL, 0);
}

/** n=None, dim=-1, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_ihfft(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_ihfft(out, self, NULL, -1, NULL);
}

/** s=None, dim=[-2,-1], norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_ihfft2(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_ihfft2(out, self, NULL, 0, NULL, 0, NULL);
}

/** s=None, dim=None, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_ihfftn(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_ihfftn(out, self, NULL, 0, NULL, 0, NULL);
}

/** n=None, dim=-1, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_irfft(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_irfft(out, self, NULL, -1, NULL);
}

/** s=None, dim=[-2,-1], norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_irfft2(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_irfft2(out, self, NULL, 0, NULL, 0, NULL);
}

/** s=None, dim=None, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_irfftn(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_irfftn(out, self, NULL, 0, NULL, 0, NULL);
}

/** n=None, dim=-1, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_rfft(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_rfft(out, self, NULL, -1, NULL);
}

/** s=None, dim=[-2,-1], norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_rfft2(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_rfft2(out, self, NULL, 0, NULL, 0, NULL);
}

/** d=1.0, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_fft_rfftfreq(ctorch_tensor **out, int64_t n) {
  return ctorch_aten_fft_rfftfreq(out, n, 1.0, NULL, NULL, NULL, NULL);
}

/** s=None, dim=None, norm=None */
CTORCH_INLINE ctorch_error *ctorch_fft_rfftn(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_fft_rfftn(out, self, NULL, 0, NULL, 0, NULL);
}

/** wrap=False */
CTORCH_INLINE ctorch_error *ctorch_fill_diagonal_(ctorch_tensor *self, const ctorch_scalar *fill_value) {
  return ctorch_aten_fill_diagonal_(self, fill_value, false);
}

/** start_dim=0, end_dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_flatten_using_ints(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_flatten_using_ints(out, self, 0, -1);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_frobenius_norm_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_frobenius_norm_dim(out, self, dim, dim_len, false);
}

/** shared=None, size=0, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_from_file(ctorch_tensor **out, const char *filename) {
  return ctorch_aten_from_file(out, filename, NULL, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_full(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_scalar *fill_value) {
  return ctorch_aten_full(out, size, size_len, fill_value, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_full_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *fill_value) {
  return ctorch_aten_full_like(out, self, fill_value, NULL, NULL, NULL, NULL, NULL);
}

/** per_row_fake_quant=False, symmetric_quant=False */
CTORCH_INLINE ctorch_error *ctorch_fused_moving_avg_obs_fake_quant(
    ctorch_tensor **out,
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
    int64_t ch_axis) {
  return ctorch_aten_fused_moving_avg_obs_fake_quant(
      out, self, observer_on, fake_quant_on, running_min, running_max, scale, zero_point, averaging_const, quant_min,
      quant_max, ch_axis, false, false);
}

/** sparse_grad=False */
CTORCH_INLINE ctorch_error *ctorch_gather(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index) {
  return ctorch_aten_gather(out, self, dim, index, false);
}

/** approximate='none' */
CTORCH_INLINE ctorch_error *ctorch_gelu(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_gelu(out, self, NULL);
}

/** approximate='none' */
CTORCH_INLINE ctorch_error *ctorch_gelu_(ctorch_tensor *self) {
  return ctorch_aten_gelu_(self, NULL);
}

/** approximate='none' */
CTORCH_INLINE ctorch_error *ctorch_gelu_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self) {
  return ctorch_aten_gelu_backward(out, grad_output, self, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_geometric(ctorch_tensor **out, const ctorch_tensor *self, double p) {
  return ctorch_aten_geometric(out, self, p, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_geometric_(ctorch_tensor *self, double p) {
  return ctorch_aten_geometric_(self, p, NULL);
}

/** dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_glu(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_glu(out, self, -1);
}

/** edge_order=1 */
CTORCH_INLINE ctorch_error *ctorch_gradient_array(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_gradient_array(out, self, dim, dim_len, 1);
}

/** edge_order=1 */
CTORCH_INLINE ctorch_error *ctorch_gradient_scalararray(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_scalar *spacing,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_gradient_scalararray(out, self, spacing, dim, dim_len, 1);
}

/** spacing=None, dim=None, edge_order=1 */
CTORCH_INLINE ctorch_error *ctorch_gradient_scalarint(ctorch_tensor_list **out, const ctorch_tensor *self) {
  return ctorch_aten_gradient_scalarint(out, self, NULL, NULL, 1);
}

/** edge_order=1 */
CTORCH_INLINE ctorch_error *ctorch_gradient_scalarrayarray(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_scalar *spacing,
    size_t spacing_len,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_gradient_scalarrayarray(out, self, spacing, spacing_len, dim, dim_len, 1);
}

/** dim=None, edge_order=1 */
CTORCH_INLINE ctorch_error *ctorch_gradient_scalarrayint(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_scalar *spacing,
    size_t spacing_len) {
  return ctorch_aten_gradient_scalarrayint(out, self, spacing, spacing_len, NULL, 1);
}

/** edge_order=1 */
CTORCH_INLINE ctorch_error *ctorch_gradient_tensorarray(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *spacing,
    size_t spacing_len,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_gradient_tensorarray(out, self, spacing, spacing_len, dim, dim_len, 1);
}

/** dim=None, edge_order=1 */
CTORCH_INLINE ctorch_error *ctorch_gradient_tensorarrayint(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *spacing,
    size_t spacing_len) {
  return ctorch_aten_gradient_tensorarrayint(out, self, spacing, spacing_len, NULL, 1);
}

/** eps=1e-05, cudnn_enabled=True */
CTORCH_INLINE ctorch_error *ctorch_group_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    int64_t num_groups,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_group_norm(out, input, num_groups, weight, bias, 1e-05, true);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_hamming_window(ctorch_tensor **out, int64_t window_length) {
  return ctorch_aten_hamming_window(out, window_length, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_hamming_window_periodic(ctorch_tensor **out, int64_t window_length, bool periodic) {
  return ctorch_aten_hamming_window_periodic(out, window_length, periodic, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_hamming_window_periodic_alpha(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    double alpha) {
  return ctorch_aten_hamming_window_periodic_alpha(out, window_length, periodic, alpha, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_hamming_window_periodic_alpha_beta(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    double alpha,
    double beta) {
  return ctorch_aten_hamming_window_periodic_alpha_beta(
      out, window_length, periodic, alpha, beta, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_hann_window(ctorch_tensor **out, int64_t window_length) {
  return ctorch_aten_hann_window(out, window_length, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_hann_window_periodic(ctorch_tensor **out, int64_t window_length, bool periodic) {
  return ctorch_aten_hann_window_periodic(out, window_length, periodic, NULL, NULL, NULL, NULL);
}

/** lambd=0.5 */
CTORCH_INLINE ctorch_error *ctorch_hardshrink(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_hardshrink(out, self, NULL);
}

/** min_val=-1, max_val=1 */
CTORCH_INLINE ctorch_error *ctorch_hardtanh(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_hardtanh(out, self, NULL, NULL);
}

/** min_val=-1, max_val=1 */
CTORCH_INLINE ctorch_error *ctorch_hardtanh_(ctorch_tensor *self) {
  return ctorch_aten_hardtanh_(self, NULL, NULL);
}

/** dim=[], keepdim=False, mode=0 */
CTORCH_INLINE ctorch_error *ctorch_hash_tensor(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_hash_tensor(out, self, NULL, 0, false, 0);
}

/** margin=1.0, reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_hinge_embedding_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target) {
  return ctorch_aten_hinge_embedding_loss(out, self, target, 1.0, 1);
}

/** bins=100, min=0, max=0 */
CTORCH_INLINE ctorch_error *ctorch_histc(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_histc(out, self, 100, NULL, NULL);
}

/** density=False */
CTORCH_INLINE ctorch_error *ctorch_histogram_bin_ct(
    ctorch_tensor **out_hist,
    ctorch_tensor **out_bin_edges,
    const ctorch_tensor *self,
    int64_t bins,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight) {
  return ctorch_aten_histogram_bin_ct(out_hist, out_bin_edges, self, bins, range, range_len, weight, false);
}

/** density=False */
CTORCH_INLINE ctorch_error *ctorch_histogram_bins_tensor(
    ctorch_tensor **out_hist,
    ctorch_tensor **out_bin_edges,
    const ctorch_tensor *self,
    const ctorch_tensor *bins,
    const ctorch_tensor *weight) {
  return ctorch_aten_histogram_bins_tensor(out_hist, out_bin_edges, self, bins, weight, false);
}

/** density=False */
CTORCH_INLINE ctorch_error *ctorch_histogramdd(
    ctorch_tensor **out_hist,
    ctorch_tensor_list **out_bin_edges,
    const ctorch_tensor *self,
    const int64_t *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight) {
  return ctorch_aten_histogramdd(out_hist, out_bin_edges, self, bins, bins_len, range, range_len, weight, false);
}

/** density=False */
CTORCH_INLINE ctorch_error *ctorch_histogramdd_TensorList_bins(
    ctorch_tensor **out_hist,
    ctorch_tensor_list **out_bin_edges,
    const ctorch_tensor *self,
    const ctorch_tensor *const *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight) {
  return ctorch_aten_histogramdd_TensorList_bins(
      out_hist, out_bin_edges, self, bins, bins_len, range, range_len, weight, false);
}

/** density=False */
CTORCH_INLINE ctorch_error *ctorch_histogramdd_int_bins(
    ctorch_tensor **out_hist,
    ctorch_tensor_list **out_bin_edges,
    const ctorch_tensor *self,
    int64_t bins,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight) {
  return ctorch_aten_histogramdd_int_bins(out_hist, out_bin_edges, self, bins, range, range_len, weight, false);
}

/** reduction=Mean, delta=1.0 */
CTORCH_INLINE ctorch_error *ctorch_huber_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target) {
  return ctorch_aten_huber_loss(out, self, target, 1, 1.0);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_index_add(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source) {
  return ctorch_aten_index_add(out, self, dim, index, source, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_index_add_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source) {
  return ctorch_aten_index_add_(self, dim, index, source, NULL);
}

/** accumulate=False */
CTORCH_INLINE ctorch_error *ctorch_index_put(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values) {
  return ctorch_aten_index_put(out, self, indices, indices_len, values, false);
}

/** accumulate=False */
CTORCH_INLINE ctorch_error *ctorch_index_put_(
    ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values) {
  return ctorch_aten_index_put_(self, indices, indices_len, values, false);
}

/** include_self=True */
CTORCH_INLINE ctorch_error *ctorch_index_reduce(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const char *reduce) {
  return ctorch_aten_index_reduce(out, self, dim, index, source, reduce, true);
}

/** include_self=True */
CTORCH_INLINE ctorch_error *ctorch_index_reduce_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const char *reduce) {
  return ctorch_aten_index_reduce_(self, dim, index, source, reduce, true);
}

/** device=None */
CTORCH_INLINE ctorch_error *ctorch_is_pinned(bool *out, const ctorch_tensor *self) {
  return ctorch_aten_is_pinned(out, self, NULL);
}

/** rtol=1e-05, atol=1e-08, equal_nan=False */
CTORCH_INLINE ctorch_error *ctorch_isclose(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_isclose(out, self, other, 1e-05, 1e-08, false);
}

/** assume_unique=False, invert=False */
CTORCH_INLINE ctorch_error *ctorch_isin_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *element,
    const ctorch_tensor *test_elements) {
  return ctorch_aten_isin_Scalar_Tensor(out, element, test_elements, false, false);
}

/** assume_unique=False, invert=False */
CTORCH_INLINE ctorch_error *ctorch_isin_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *elements,
    const ctorch_scalar *test_element) {
  return ctorch_aten_isin_Tensor_Scalar(out, elements, test_element, false, false);
}

/** assume_unique=False, invert=False */
CTORCH_INLINE ctorch_error *ctorch_isin_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *elements,
    const ctorch_tensor *test_elements) {
  return ctorch_aten_isin_Tensor_Tensor(out, elements, test_elements, false, false);
}

/** center=True, normalized=False, onesided=None, length=None, return_complex=False */
CTORCH_INLINE ctorch_error *ctorch_istft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n_fft,
    const int64_t *hop_length,
    const int64_t *win_length,
    const ctorch_tensor *window) {
  return ctorch_aten_istft(out, self, n_fft, hop_length, win_length, window, true, false, NULL, NULL, false);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_kaiser_window(ctorch_tensor **out, int64_t window_length) {
  return ctorch_aten_kaiser_window(out, window_length, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_kaiser_window_beta(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    double beta) {
  return ctorch_aten_kaiser_window_beta(out, window_length, periodic, beta, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_kaiser_window_periodic(ctorch_tensor **out, int64_t window_length, bool periodic) {
  return ctorch_aten_kaiser_window_periodic(out, window_length, periodic, NULL, NULL, NULL, NULL);
}

/** reduction=Mean, log_target=False */
CTORCH_INLINE ctorch_error *ctorch_kl_div(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *target) {
  return ctorch_aten_kl_div(out, self, target, 1, false);
}

/** dim=-1, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_kthvalue(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t k) {
  return ctorch_aten_kthvalue(out_values, out_indices, self, k, -1, false);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_l1_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target) {
  return ctorch_aten_l1_loss(out, self, target, 1);
}

/** eps=1e-05, cudnn_enable=True */
CTORCH_INLINE ctorch_error *ctorch_layer_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias) {
  return ctorch_aten_layer_norm(out, input, normalized_shape, normalized_shape_len, weight, bias, 1e-05, true);
}

/** negative_slope=0.01 */
CTORCH_INLINE ctorch_error *ctorch_leaky_relu(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_leaky_relu(out, self, NULL);
}

/** negative_slope=0.01 */
CTORCH_INLINE ctorch_error *ctorch_leaky_relu_(ctorch_tensor *self) {
  return ctorch_aten_leaky_relu_(self, NULL);
}

/** ord=2, dim=None, keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_linalg__powsum(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg__powsum(out, self, NULL, NULL, 0, false, NULL);
}

/** upper=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_cholesky(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_cholesky(out, self, false);
}

/** upper=False, check_errors=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_cholesky_ex(
    ctorch_tensor **out_L,
    ctorch_tensor **out_info,
    const ctorch_tensor *self) {
  return ctorch_aten_linalg_cholesky_ex(out_L, out_info, self, false, false);
}

/** p=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_cond(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_cond(out, self, NULL);
}

/** dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_linalg_cross(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other) {
  return ctorch_aten_linalg_cross(out, self, other, -1);
}

/** offset=0, dim1=-2, dim2=-1 */
CTORCH_INLINE ctorch_error *ctorch_linalg_diagonal(ctorch_tensor **out, const ctorch_tensor *A) {
  return ctorch_aten_linalg_diagonal(out, A, 0, -2, -1);
}

/** UPLO="L" */
CTORCH_INLINE ctorch_error *ctorch_linalg_eigh(
    ctorch_tensor **out_eigenvalues,
    ctorch_tensor **out_eigenvectors,
    const ctorch_tensor *self) {
  return ctorch_aten_linalg_eigh(out_eigenvalues, out_eigenvectors, self, NULL);
}

/** UPLO="L" */
CTORCH_INLINE ctorch_error *ctorch_linalg_eigvalsh(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_eigvalsh(out, self, NULL);
}

/** check_errors=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_inv_ex(
    ctorch_tensor **out_inverse,
    ctorch_tensor **out_info,
    const ctorch_tensor *A) {
  return ctorch_aten_linalg_inv_ex(out_inverse, out_info, A, false);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_ldl_factor(
    ctorch_tensor **out_LD,
    ctorch_tensor **out_pivots,
    const ctorch_tensor *self) {
  return ctorch_aten_linalg_ldl_factor(out_LD, out_pivots, self, false);
}

/** hermitian=False, check_errors=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_ldl_factor_ex(
    ctorch_tensor **out_LD,
    ctorch_tensor **out_pivots,
    ctorch_tensor **out_info,
    const ctorch_tensor *self) {
  return ctorch_aten_linalg_ldl_factor_ex(out_LD, out_pivots, out_info, self, false, false);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_ldl_solve(
    ctorch_tensor **out,
    const ctorch_tensor *LD,
    const ctorch_tensor *pivots,
    const ctorch_tensor *B) {
  return ctorch_aten_linalg_ldl_solve(out, LD, pivots, B, false);
}

/** rcond=None, driver=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_lstsq(
    ctorch_tensor **out_solution,
    ctorch_tensor **out_residuals,
    ctorch_tensor **out_rank,
    ctorch_tensor **out_singular_values,
    const ctorch_tensor *self,
    const ctorch_tensor *b) {
  return ctorch_aten_linalg_lstsq(out_solution, out_residuals, out_rank, out_singular_values, self, b, NULL, NULL);
}

/** pivot=True */
CTORCH_INLINE ctorch_error *ctorch_linalg_lu(
    ctorch_tensor **out_P,
    ctorch_tensor **out_L,
    ctorch_tensor **out_U,
    const ctorch_tensor *A) {
  return ctorch_aten_linalg_lu(out_P, out_L, out_U, A, true);
}

/** pivot=True */
CTORCH_INLINE ctorch_error *ctorch_linalg_lu_factor(
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    const ctorch_tensor *A) {
  return ctorch_aten_linalg_lu_factor(out_LU, out_pivots, A, true);
}

/** pivot=True, check_errors=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_lu_factor_ex(
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    ctorch_tensor **out_info,
    const ctorch_tensor *A) {
  return ctorch_aten_linalg_lu_factor_ex(out_LU, out_pivots, out_info, A, true, false);
}

/** left=True, adjoint=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_lu_solve(
    ctorch_tensor **out,
    const ctorch_tensor *LU,
    const ctorch_tensor *pivots,
    const ctorch_tensor *B) {
  return ctorch_aten_linalg_lu_solve(out, LU, pivots, B, true, false);
}

/** dim=[-2,-1], keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_matrix_norm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *ord) {
  return ctorch_aten_linalg_matrix_norm(out, self, ord, NULL, 0, false, NULL);
}

/** ord='fro', dim=[-2,-1], keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_matrix_norm_str_ord(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_matrix_norm_str_ord(out, self, NULL, NULL, 0, false, NULL);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_matrix_rank(ctorch_tensor **out, const ctorch_tensor *self, double tol) {
  return ctorch_aten_linalg_matrix_rank(out, self, tol, false);
}

/** atol=None, rtol=None, hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_matrix_rank_atol_rtol_float(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_matrix_rank_atol_rtol_float(out, self, NULL, NULL, false);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_matrix_rank_atol_rtol_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *atol,
    const ctorch_tensor *rtol) {
  return ctorch_aten_linalg_matrix_rank_atol_rtol_tensor(out, input, atol, rtol, false);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_matrix_rank_tol_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *tol) {
  return ctorch_aten_linalg_matrix_rank_tol_tensor(out, input, tol, false);
}

/** ord=None, dim=None, keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_norm(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_norm(out, self, NULL, NULL, 0, false, NULL);
}

/** dim=None, keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_norm_ord_str(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *ord) {
  return ctorch_aten_linalg_norm_ord_str(out, self, ord, NULL, 0, false, NULL);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_pinv(ctorch_tensor **out, const ctorch_tensor *self, double rcond) {
  return ctorch_aten_linalg_pinv(out, self, rcond, false);
}

/** atol=None, rtol=None, hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_pinv_atol_rtol_float(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_pinv_atol_rtol_float(out, self, NULL, NULL, false);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_pinv_atol_rtol_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *atol,
    const ctorch_tensor *rtol) {
  return ctorch_aten_linalg_pinv_atol_rtol_tensor(out, self, atol, rtol, false);
}

/** hermitian=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_pinv_rcond_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *rcond) {
  return ctorch_aten_linalg_pinv_rcond_tensor(out, self, rcond, false);
}

/** mode='reduced' */
CTORCH_INLINE ctorch_error *ctorch_linalg_qr(ctorch_tensor **out_Q, ctorch_tensor **out_R, const ctorch_tensor *A) {
  return ctorch_aten_linalg_qr(out_Q, out_R, A, NULL);
}

/** left=True */
CTORCH_INLINE ctorch_error *ctorch_linalg_solve(ctorch_tensor **out, const ctorch_tensor *A, const ctorch_tensor *B) {
  return ctorch_aten_linalg_solve(out, A, B, true);
}

/** left=True, check_errors=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_solve_ex(
    ctorch_tensor **out_result,
    ctorch_tensor **out_info,
    const ctorch_tensor *A,
    const ctorch_tensor *B) {
  return ctorch_aten_linalg_solve_ex(out_result, out_info, A, B, true, false);
}

/** left=True, unitriangular=False */
CTORCH_INLINE ctorch_error *ctorch_linalg_solve_triangular(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *B,
    bool upper) {
  return ctorch_aten_linalg_solve_triangular(out, self, B, upper, true, false);
}

/** full_matrices=True, driver=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_svd(
    ctorch_tensor **out_U,
    ctorch_tensor **out_S,
    ctorch_tensor **out_Vh,
    const ctorch_tensor *A) {
  return ctorch_aten_linalg_svd(out_U, out_S, out_Vh, A, true, NULL);
}

/** driver=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_svdvals(ctorch_tensor **out, const ctorch_tensor *A) {
  return ctorch_aten_linalg_svdvals(out, A, NULL);
}

/** ind=2 */
CTORCH_INLINE ctorch_error *ctorch_linalg_tensorinv(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_tensorinv(out, self, 2);
}

/** dims=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_tensorsolve(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other) {
  return ctorch_aten_linalg_tensorsolve(out, self, other, NULL, 0);
}

/** N=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_vander(ctorch_tensor **out, const ctorch_tensor *x) {
  return ctorch_aten_linalg_vander(out, x, NULL);
}

/** dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_linalg_vecdot(ctorch_tensor **out, const ctorch_tensor *x, const ctorch_tensor *y) {
  return ctorch_aten_linalg_vecdot(out, x, y, -1);
}

/** ord=2, dim=None, keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_linalg_vector_norm(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_linalg_vector_norm(out, self, NULL, NULL, 0, false, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_linspace(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    int64_t steps) {
  return ctorch_aten_linspace(out, start, end, steps, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_linspace_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_tensor *end,
    int64_t steps) {
  return ctorch_aten_linspace_Scalar_Tensor(out, start, end, steps, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_linspace_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_scalar *end,
    int64_t steps) {
  return ctorch_aten_linspace_Tensor_Scalar(out, start, end, steps, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_linspace_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_tensor *end,
    int64_t steps) {
  return ctorch_aten_linspace_Tensor_Tensor(out, start, end, steps, NULL, NULL, NULL, NULL);
}

/** mean=1, std=2, generator=None */
CTORCH_INLINE ctorch_error *ctorch_log_normal(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_log_normal(out, self, 1.0, 2.0, NULL);
}

/** mean=1, std=2, generator=None */
CTORCH_INLINE ctorch_error *ctorch_log_normal_(ctorch_tensor *self) {
  return ctorch_aten_log_normal_(self, 1.0, 2.0, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_log_softmax_int(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_log_softmax_int(out, self, dim, NULL);
}

/** eps=None */
CTORCH_INLINE ctorch_error *ctorch_logit(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_logit(out, self, NULL);
}

/** eps=None */
CTORCH_INLINE ctorch_error *ctorch_logit_(ctorch_tensor *self) {
  return ctorch_aten_logit_(self, NULL);
}

/** eps=None */
CTORCH_INLINE ctorch_error *ctorch_logit_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self) {
  return ctorch_aten_logit_backward(out, grad_output, self, NULL);
}

/** base=10.0, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_logspace(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    int64_t steps) {
  return ctorch_aten_logspace(out, start, end, steps, 10.0, NULL, NULL, NULL, NULL);
}

/** base=10.0, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_logspace_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_tensor *end,
    int64_t steps) {
  return ctorch_aten_logspace_Scalar_Tensor(out, start, end, steps, 10.0, NULL, NULL, NULL, NULL);
}

/** base=10.0, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_logspace_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_scalar *end,
    int64_t steps) {
  return ctorch_aten_logspace_Tensor_Scalar(out, start, end, steps, 10.0, NULL, NULL, NULL, NULL);
}

/** base=10.0, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_logspace_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_tensor *end,
    int64_t steps) {
  return ctorch_aten_logspace_Tensor_Tensor(out, start, end, steps, 10.0, NULL, NULL, NULL, NULL);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_logsumexp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_logsumexp(out, self, dim, dim_len, false);
}

/** unpack_data=True, unpack_pivots=True */
CTORCH_INLINE ctorch_error *ctorch_lu_unpack(
    ctorch_tensor **out_P,
    ctorch_tensor **out_L,
    ctorch_tensor **out_U,
    const ctorch_tensor *LU_data,
    const ctorch_tensor *LU_pivots) {
  return ctorch_aten_lu_unpack(out_P, out_L, out_U, LU_data, LU_pivots, true, true);
}

/** margin=0.0, reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_margin_ranking_loss(
    ctorch_tensor **out,
    const ctorch_tensor *input1,
    const ctorch_tensor *input2,
    const ctorch_tensor *target) {
  return ctorch_aten_margin_ranking_loss(out, input1, input2, target, 0.0, 1);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_max_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim) {
  return ctorch_aten_max_dim(out_values, out_indices, self, dim, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_max_pool1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_max_pool1d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_max_pool1d_with_indices(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_max_pool1d_with_indices(
      out0, out1, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_max_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_max_pool2d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_max_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_max_pool2d_backward(
      out, grad_output, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_max_pool2d_with_indices(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_max_pool2d_with_indices(
      out0, out1, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_max_pool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_max_pool3d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_max_pool3d_with_indices(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_max_pool3d_with_indices(
      out0, out1, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_mean(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_mean(out, self, NULL);
}

/** keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_mean_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_mean_dim(out, self, dim, dim_len, false, NULL);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_median_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim) {
  return ctorch_aten_median_dim(out_values, out_indices, self, dim, false);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_min_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim) {
  return ctorch_aten_min_dim(out_values, out_indices, self, dim, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_mkldnn_max_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_mkldnn_max_pool2d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_mkldnn_max_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_mkldnn_max_pool2d_backward(
      out, grad_output, output, input, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_mkldnn_max_pool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_mkldnn_max_pool3d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_mkldnn_max_pool3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_mkldnn_max_pool3d_backward(
      out, grad_output, output, input, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** padding=0, stride=1, dilation=1, groups=1, input_size=None */
CTORCH_INLINE ctorch_error *ctorch_mkldnn_reorder_conv2d_weight(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_mkldnn_reorder_conv2d_weight(out, self, NULL, 0, NULL, 0, NULL, 0, 1, NULL, 0);
}

/** padding=0, stride=1, dilation=1, groups=1, input_size=None */
CTORCH_INLINE ctorch_error *ctorch_mkldnn_reorder_conv3d_weight(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_mkldnn_reorder_conv3d_weight(out, self, NULL, 0, NULL, 0, NULL, 0, 1, NULL, 0);
}

/** dim=-1, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_mode(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self) {
  return ctorch_aten_mode(out_values, out_indices, self, -1, false);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_mse_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target) {
  return ctorch_aten_mse_loss(out, self, target, 1);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_multi_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_scalar *p,
    const ctorch_scalar *margin,
    const ctorch_tensor *weight) {
  return ctorch_aten_multi_margin_loss(out, self, target, p, margin, weight, 1);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_multi_margin_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_scalar *p,
    const ctorch_scalar *margin,
    const ctorch_tensor *weight) {
  return ctorch_aten_multi_margin_loss_backward(out, grad_output, self, target, p, margin, weight, 1);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_multilabel_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target) {
  return ctorch_aten_multilabel_margin_loss(out, self, target, 1);
}

/** replacement=False, generator=None */
CTORCH_INLINE ctorch_error *ctorch_multinomial(ctorch_tensor **out, const ctorch_tensor *self, int64_t num_samples) {
  return ctorch_aten_multinomial(out, self, num_samples, false, NULL);
}

/** nan=None, posinf=None, neginf=None */
CTORCH_INLINE ctorch_error *ctorch_nan_to_num(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_nan_to_num(out, self, NULL, NULL, NULL);
}

/** nan=None, posinf=None, neginf=None */
CTORCH_INLINE ctorch_error *ctorch_nan_to_num_(ctorch_tensor *self) {
  return ctorch_aten_nan_to_num_(self, NULL, NULL, NULL);
}

/** dim=None, keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_nanmean(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_nanmean(out, self, NULL, 0, false, NULL);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_nanmedian_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim) {
  return ctorch_aten_nanmedian_dim(out_values, out_indices, self, dim, false);
}

/** dim=None, keepdim=False, interpolation='linear' */
CTORCH_INLINE ctorch_error *ctorch_nanquantile(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *q) {
  return ctorch_aten_nanquantile(out, self, q, NULL, false, NULL);
}

/** dim=None, keepdim=False, interpolation='linear' */
CTORCH_INLINE ctorch_error *ctorch_nanquantile_scalar(ctorch_tensor **out, const ctorch_tensor *self, double q) {
  return ctorch_aten_nanquantile_scalar(out, self, q, NULL, false, NULL);
}

/** dim=None, keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_nansum(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_nansum(out, self, NULL, 0, false, NULL);
}

/** p=2 */
CTORCH_INLINE ctorch_error *ctorch_native_norm(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_native_norm(out, self, NULL);
}

/** output_size=None */
CTORCH_INLINE ctorch_error *ctorch_nested_to_padded_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double padding) {
  return ctorch_aten_nested_to_padded_tensor(out, self, padding, NULL, 0);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_new_empty(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_new_empty(out, self, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_new_empty_strided(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len) {
  return ctorch_aten_new_empty_strided(out, self, size, size_len, stride, stride_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_new_full(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_scalar *fill_value) {
  return ctorch_aten_new_full(out, self, size, size_len, fill_value, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_new_ones(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_new_ones(out, self, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_new_zeros(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_new_zeros(out, self, size, size_len, NULL, NULL, NULL, NULL);
}

/** reduction=Mean, ignore_index=-100 */
CTORCH_INLINE ctorch_error *ctorch_nll_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight) {
  return ctorch_aten_nll_loss(out, self, target, weight, 1, -100);
}

/** reduction=Mean, ignore_index=-100 */
CTORCH_INLINE ctorch_error *ctorch_nll_loss2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight) {
  return ctorch_aten_nll_loss2d(out, self, target, weight, 1, -100);
}

/** reduction=Mean, ignore_index=-100 */
CTORCH_INLINE ctorch_error *ctorch_nll_loss_nd(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight) {
  return ctorch_aten_nll_loss_nd(out, self, target, weight, 1, -100);
}

/** fill_value=-1 */
CTORCH_INLINE ctorch_error *ctorch_nonzero_static(ctorch_tensor **out, const ctorch_tensor *self, int64_t size) {
  return ctorch_aten_nonzero_static(out, self, size, -1);
}

/** p=2 */
CTORCH_INLINE ctorch_error *ctorch_norm_Scalar(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_norm_Scalar(out, self, NULL);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_norm_ScalarOpt_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_norm_ScalarOpt_dim(out, self, p, dim, dim_len, false);
}

/** pow=2, dim=0 */
CTORCH_INLINE ctorch_error *ctorch_norm_except_dim(ctorch_tensor **out, const ctorch_tensor *v) {
  return ctorch_aten_norm_except_dim(out, v, 2, 0);
}

/** mean=0, std=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_normal_(ctorch_tensor *self) {
  return ctorch_aten_normal_(self, 0.0, 1.0, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_normal_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *mean,
    const ctorch_tensor *std) {
  return ctorch_aten_normal_Tensor_Tensor(out, mean, std, NULL);
}

/** std=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_normal_Tensor_float(ctorch_tensor **out, const ctorch_tensor *mean) {
  return ctorch_aten_normal_Tensor_float(out, mean, 1.0, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_normal_float_Tensor(ctorch_tensor **out, double mean, const ctorch_tensor *std) {
  return ctorch_aten_normal_float_Tensor(out, mean, std, NULL);
}

/** generator=None, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_normal_float_float(
    ctorch_tensor **out,
    double mean,
    double std,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_normal_float_float(out, mean, std, size, size_len, NULL, NULL, NULL, NULL, NULL);
}

/** mean=0, std=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_normal_functional(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_normal_functional(out, self, 0.0, 1.0, NULL);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_nuclear_norm(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_nuclear_norm(out, self, false);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_nuclear_norm_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_nuclear_norm_dim(out, self, dim, dim_len, false);
}

/** num_classes=-1 */
CTORCH_INLINE ctorch_error *ctorch_one_hot(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_one_hot(out, self, -1);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_ones(ctorch_tensor **out, const int64_t *size, size_t size_len) {
  return ctorch_aten_ones(out, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_ones_like(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_ones_like(out, self, NULL, NULL, NULL, NULL, NULL);
}

/** left=True, transpose=False */
CTORCH_INLINE ctorch_error *ctorch_ormqr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *input2,
    const ctorch_tensor *input3) {
  return ctorch_aten_ormqr(out, self, input2, input3, true, false);
}

/** mode="constant", value=None */
CTORCH_INLINE ctorch_error *ctorch_pad(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len) {
  return ctorch_aten_pad(out, self, pad, pad_len, NULL, NULL);
}

/** batch_first=False, padding_value=0.0, padding_side="right" */
CTORCH_INLINE ctorch_error *ctorch_pad_sequence(
    ctorch_tensor **out,
    const ctorch_tensor *const *sequences,
    size_t sequences_len) {
  return ctorch_aten_pad_sequence(out, sequences, sequences_len, false, 0.0, NULL);
}

/** p=2, eps=1e-06, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_pairwise_distance(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2) {
  return ctorch_aten_pairwise_distance(out, x1, x2, 2.0, 1e-06, false);
}

/** p=2 */
CTORCH_INLINE ctorch_error *ctorch_pdist(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_pdist(out, self, 2.0);
}

/** device=None */
CTORCH_INLINE ctorch_error *ctorch_pin_memory(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_pin_memory(out, self, NULL);
}

/** rcond=1e-15 */
CTORCH_INLINE ctorch_error *ctorch_pinverse(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_pinverse(out, self, 1e-15);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_poisson(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_poisson(out, self, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_prod(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_prod(out, self, NULL);
}

/** keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_prod_dim_int(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_prod_dim_int(out, self, dim, false, NULL);
}

/** accumulate=False */
CTORCH_INLINE ctorch_error *ctorch_put(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *index,
    const ctorch_tensor *source) {
  return ctorch_aten_put(out, self, index, source, false);
}

/** accumulate=False */
CTORCH_INLINE ctorch_error *ctorch_put_(ctorch_tensor *self, const ctorch_tensor *index, const ctorch_tensor *source) {
  return ctorch_aten_put_(self, index, source, false);
}

/** some=True */
CTORCH_INLINE ctorch_error *ctorch_qr(ctorch_tensor **out_Q, ctorch_tensor **out_R, const ctorch_tensor *self) {
  return ctorch_aten_qr(out_Q, out_R, self, true);
}

/** dim=None, keepdim=False, interpolation='linear' */
CTORCH_INLINE ctorch_error *ctorch_quantile(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *q) {
  return ctorch_aten_quantile(out, self, q, NULL, false, NULL);
}

/** dim=None, keepdim=False, interpolation='linear' */
CTORCH_INLINE ctorch_error *ctorch_quantile_scalar(ctorch_tensor **out, const ctorch_tensor *self, double q) {
  return ctorch_aten_quantile_scalar(out, self, q, NULL, false, NULL);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_quantized_max_pool1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_quantized_max_pool1d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_quantized_max_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_quantized_max_pool2d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** stride=[], padding=0, dilation=1, ceil_mode=False */
CTORCH_INLINE ctorch_error *ctorch_quantized_max_pool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len) {
  return ctorch_aten_quantized_max_pool3d(out, self, kernel_size, kernel_size_len, NULL, 0, NULL, 0, NULL, 0, false);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_rand(ctorch_tensor **out, const int64_t *size, size_t size_len) {
  return ctorch_aten_rand(out, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_rand_generator(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator) {
  return ctorch_aten_rand_generator(out, size, size_len, generator, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_rand_like(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_rand_like(out, self, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_rand_like_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator) {
  return ctorch_aten_rand_like_generator(out, self, generator, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randint(ctorch_tensor **out, int64_t high, const int64_t *size, size_t size_len) {
  return ctorch_aten_randint(out, high, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randint_generator(
    ctorch_tensor **out,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator) {
  return ctorch_aten_randint_generator(out, high, size, size_len, generator, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randint_like(ctorch_tensor **out, const ctorch_tensor *self, int64_t high) {
  return ctorch_aten_randint_like(out, self, high, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randint_like_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *high) {
  return ctorch_aten_randint_like_Tensor(out, self, high, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randint_like_Tensor_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *high,
    ctorch_generator *generator) {
  return ctorch_aten_randint_like_Tensor_generator(out, self, high, generator, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randint_like_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t high,
    ctorch_generator *generator) {
  return ctorch_aten_randint_like_generator(out, self, high, generator, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randint_like_low_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t low,
    int64_t high) {
  return ctorch_aten_randint_like_low_dtype(out, self, low, high, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randint_like_low_generator_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t low,
    int64_t high,
    ctorch_generator *generator) {
  return ctorch_aten_randint_like_low_generator_dtype(out, self, low, high, generator, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randint_low(
    ctorch_tensor **out,
    int64_t low,
    int64_t high,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_randint_low(out, low, high, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randint_low_generator(
    ctorch_tensor **out,
    int64_t low,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator) {
  return ctorch_aten_randint_low_generator(out, low, high, size, size_len, generator, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randn(ctorch_tensor **out, const int64_t *size, size_t size_len) {
  return ctorch_aten_randn(out, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randn_generator(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator) {
  return ctorch_aten_randn_generator(out, size, size_len, generator, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randn_like(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_randn_like(out, self, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_randn_like_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator) {
  return ctorch_aten_randn_like_generator(out, self, generator, NULL, NULL, NULL, NULL, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_random(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_random(out, self, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_random_(ctorch_tensor *self) {
  return ctorch_aten_random_(self, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_random__from(ctorch_tensor *self, int64_t from, const int64_t *to) {
  return ctorch_aten_random__from(self, from, to, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_random__to(ctorch_tensor *self, int64_t to) {
  return ctorch_aten_random__to(self, to, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_random_from(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t from,
    const int64_t *to) {
  return ctorch_aten_random_from(out, self, from, to, NULL);
}

/** generator=None */
CTORCH_INLINE ctorch_error *ctorch_random_to(ctorch_tensor **out, const ctorch_tensor *self, int64_t to) {
  return ctorch_aten_random_to(out, self, to, NULL);
}

/** dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randperm(ctorch_tensor **out, int64_t n) {
  return ctorch_aten_randperm(out, n, NULL, NULL, NULL, NULL);
}

/** dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_randperm_generator(ctorch_tensor **out, int64_t n, ctorch_generator *generator) {
  return ctorch_aten_randperm_generator(out, n, generator, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_range(ctorch_tensor **out, const ctorch_scalar *start, const ctorch_scalar *end) {
  return ctorch_aten_range(out, start, end, NULL, NULL, NULL, NULL);
}

/** step=1, dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_range_step(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end) {
  return ctorch_aten_range_step(out, start, end, NULL, NULL, NULL, NULL, NULL);
}

/** output_size=None */
CTORCH_INLINE ctorch_error *ctorch_repeat_interleave_Tensor(ctorch_tensor **out, const ctorch_tensor *repeats) {
  return ctorch_aten_repeat_interleave_Tensor(out, repeats, NULL);
}

/** dim=None, output_size=None */
CTORCH_INLINE ctorch_error *ctorch_repeat_interleave_self_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *repeats) {
  return ctorch_aten_repeat_interleave_self_Tensor(out, self, repeats, NULL, NULL);
}

/** dim=None, output_size=None */
CTORCH_INLINE ctorch_error *ctorch_repeat_interleave_self_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t repeats) {
  return ctorch_aten_repeat_interleave_self_int(out, self, repeats, NULL, NULL);
}

/** requires_grad=True */
CTORCH_INLINE ctorch_error *ctorch_requires_grad_(ctorch_tensor *self) {
  return ctorch_aten_requires_grad_(self, true);
}

/** memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_resize(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_resize(out, self, size, size_len, NULL);
}

/** memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_resize_(ctorch_tensor *self, const int64_t *size, size_t size_len) {
  return ctorch_aten_resize_(self, size, size_len, NULL);
}

/** memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_resize_as(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *the_template) {
  return ctorch_aten_resize_as(out, self, the_template, NULL);
}

/** memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_resize_as_(ctorch_tensor *self, const ctorch_tensor *the_template) {
  return ctorch_aten_resize_as_(self, the_template, NULL);
}

/** eps=None */
CTORCH_INLINE ctorch_error *ctorch_rms_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *weight) {
  return ctorch_aten_rms_norm(out, input, normalized_shape, normalized_shape_len, weight, NULL);
}

/** dims=[] */
CTORCH_INLINE ctorch_error *ctorch_roll(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *shifts,
    size_t shifts_len) {
  return ctorch_aten_roll(out, self, shifts, shifts_len, NULL, 0);
}

/** k=1, dims=[0,1] */
CTORCH_INLINE ctorch_error *ctorch_rot90(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_rot90(out, self, 1, NULL, 0);
}

/** lower=0.125, upper=0.3333333333333333, training=False, generator=None */
CTORCH_INLINE ctorch_error *ctorch_rrelu(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_rrelu(out, self, NULL, NULL, false, NULL);
}

/** lower=0.125, upper=0.3333333333333333, training=False, generator=None */
CTORCH_INLINE ctorch_error *ctorch_rrelu_(ctorch_tensor *self) {
  return ctorch_aten_rrelu_(self, NULL, NULL, false, NULL);
}

/** lower=0.125, upper=0.3333333333333333, training=False, generator=None */
CTORCH_INLINE ctorch_error *ctorch_rrelu_with_noise(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_tensor *noise) {
  return ctorch_aten_rrelu_with_noise(out, self, noise, NULL, NULL, false, NULL);
}

/** lower=0.125, upper=0.3333333333333333, training=False, generator=None */
CTORCH_INLINE ctorch_error *ctorch_rrelu_with_noise_(ctorch_tensor *self, ctorch_tensor *noise) {
  return ctorch_aten_rrelu_with_noise_(self, noise, NULL, NULL, false, NULL);
}

/** lower=0.125, upper=0.3333333333333333, training=False, generator=None */
CTORCH_INLINE ctorch_error *ctorch_rrelu_with_noise_functional(
    ctorch_tensor **out0,
    ctorch_tensor **out_noise_out,
    const ctorch_tensor *self,
    const ctorch_tensor *noise) {
  return ctorch_aten_rrelu_with_noise_functional(out0, out_noise_out, self, noise, NULL, NULL, false, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_rsub_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other) {
  return ctorch_aten_rsub_Scalar(out, self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_rsub_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other) {
  return ctorch_aten_rsub_Tensor(out, self, other, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_scalar_tensor(ctorch_tensor **out, const ctorch_scalar *s) {
  return ctorch_aten_scalar_tensor(out, s, NULL, NULL, NULL, NULL);
}

/** dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False */
CTORCH_INLINE ctorch_error *ctorch_scaled_dot_product_attention(
    ctorch_tensor **out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_mask) {
  return ctorch_aten_scaled_dot_product_attention(out, query, key, value, attn_mask, 0.0, false, NULL, false);
}

/** include_self=True */
CTORCH_INLINE ctorch_error *ctorch_scatter_reduce__two(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce) {
  return ctorch_aten_scatter_reduce__two(self, dim, index, src, reduce, true);
}

/** include_self=True */
CTORCH_INLINE ctorch_error *ctorch_scatter_reduce_two(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce) {
  return ctorch_aten_scatter_reduce_two(out, self, dim, index, src, reduce, true);
}

/** axis=0, unsafe=False, initial=None */
CTORCH_INLINE ctorch_error *ctorch_segment_reduce(
    ctorch_tensor **out,
    const ctorch_tensor *data,
    const char *reduce,
    const ctorch_tensor *lengths,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets) {
  return ctorch_aten_segment_reduce(out, data, reduce, lengths, indices, offsets, 0, false, NULL);
}

/** stride=[] */
CTORCH_INLINE ctorch_error *ctorch_set__source_Storage_storage_offset(
    ctorch_tensor *self,
    ctorch_storage *source,
    int64_t storage_offset,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_set__source_Storage_storage_offset(self, source, storage_offset, size, size_len, NULL, 0);
}

/** stride=[] */
CTORCH_INLINE ctorch_error *ctorch_set__source_Tensor_storage_offset(
    ctorch_tensor *self,
    const ctorch_tensor *source,
    int64_t storage_offset,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_set__source_Tensor_storage_offset(self, source, storage_offset, size, size_len, NULL, 0);
}

/** stride=[] */
CTORCH_INLINE ctorch_error *ctorch_set_source_Storage_storage_offset(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_storage *source,
    int64_t storage_offset,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_set_source_Storage_storage_offset(out, self, source, storage_offset, size, size_len, NULL, 0);
}

/** dim=0, start=None, end=None, step=1 */
CTORCH_INLINE ctorch_error *ctorch_slice_Tensor(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_slice_Tensor(out, self, 0, NULL, NULL, 1);
}

/** dim=0, start=None, end=None, step=1 */
CTORCH_INLINE ctorch_error *ctorch_slice_copy_Tensor(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_slice_copy_Tensor(out, self, 0, NULL, NULL, 1);
}

/** dim=0, start=None, end=None, step=1 */
CTORCH_INLINE ctorch_error *ctorch_slice_inverse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src) {
  return ctorch_aten_slice_inverse(out, self, src, 0, NULL, NULL, 1);
}

/** dim=0, start=None, end=None, step=1 */
CTORCH_INLINE ctorch_error *ctorch_slice_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src) {
  return ctorch_aten_slice_scatter(out, self, src, 0, NULL, NULL, 1);
}

/** stride=1, padding=0 */
CTORCH_INLINE ctorch_error *ctorch_slow_conv3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias) {
  return ctorch_aten_slow_conv3d(out, self, weight, kernel_size, kernel_size_len, bias, NULL, 0, NULL, 0);
}

/** stride=1, padding=0, dilation=1 */
CTORCH_INLINE ctorch_error *ctorch_slow_conv_dilated2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias) {
  return ctorch_aten_slow_conv_dilated2d(
      out, self, weight, kernel_size, kernel_size_len, bias, NULL, 0, NULL, 0, NULL, 0);
}

/** stride=1, padding=0, dilation=1 */
CTORCH_INLINE ctorch_error *ctorch_slow_conv_dilated3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias) {
  return ctorch_aten_slow_conv_dilated3d(
      out, self, weight, kernel_size, kernel_size_len, bias, NULL, 0, NULL, 0, NULL, 0);
}

/** stride=1, padding=0, output_padding=0, dilation=1 */
CTORCH_INLINE ctorch_error *ctorch_slow_conv_transpose2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias) {
  return ctorch_aten_slow_conv_transpose2d(
      out, self, weight, kernel_size, kernel_size_len, bias, NULL, 0, NULL, 0, NULL, 0, NULL, 0);
}

/** stride=1, padding=0, output_padding=0, dilation=1 */
CTORCH_INLINE ctorch_error *ctorch_slow_conv_transpose3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias) {
  return ctorch_aten_slow_conv_transpose3d(
      out, self, weight, kernel_size, kernel_size_len, bias, NULL, 0, NULL, 0, NULL, 0, NULL, 0);
}

/** reduction=Mean, beta=1.0 */
CTORCH_INLINE ctorch_error *ctorch_smooth_l1_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target) {
  return ctorch_aten_smooth_l1_loss(out, self, target, 1, 1.0);
}

/** reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_soft_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target) {
  return ctorch_aten_soft_margin_loss(out, self, target, 1);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_softmax_int(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_softmax_int(out, self, dim, NULL);
}

/** beta=1, threshold=20 */
CTORCH_INLINE ctorch_error *ctorch_softplus(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_softplus(out, self, NULL, NULL);
}

/** lambd=0.5 */
CTORCH_INLINE ctorch_error *ctorch_softshrink(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_softshrink(out, self, NULL);
}

/** dim=-1, descending=False */
CTORCH_INLINE ctorch_error *ctorch_sort(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self) {
  return ctorch_aten_sort(out_values, out_indices, self, -1, false);
}

/** dim=-1, descending=False */
CTORCH_INLINE ctorch_error *ctorch_sort_stable(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    const bool *stable) {
  return ctorch_aten_sort_stable(out_values, out_indices, self, stable, -1, false);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_bsc_tensor_ccol_row_value(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values) {
  return ctorch_aten_sparse_bsc_tensor_ccol_row_value(out, ccol_indices, row_indices, values, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_bsc_tensor_ccol_row_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_sparse_bsc_tensor_ccol_row_value_size(
      out, ccol_indices, row_indices, values, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_bsr_tensor_crow_col_value(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values) {
  return ctorch_aten_sparse_bsr_tensor_crow_col_value(out, crow_indices, col_indices, values, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_bsr_tensor_crow_col_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_sparse_bsr_tensor_crow_col_value_size(
      out, crow_indices, col_indices, values, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_compressed_tensor_comp_plain_value(
    ctorch_tensor **out,
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values) {
  return ctorch_aten_sparse_compressed_tensor_comp_plain_value(
      out, compressed_indices, plain_indices, values, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_compressed_tensor_comp_plain_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_sparse_compressed_tensor_comp_plain_value_size(
      out, compressed_indices, plain_indices, values, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, is_coalesced=None */
CTORCH_INLINE ctorch_error *ctorch_sparse_coo_tensor_indices(
    ctorch_tensor **out,
    const ctorch_tensor *indices,
    const ctorch_tensor *values) {
  return ctorch_aten_sparse_coo_tensor_indices(out, indices, values, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, is_coalesced=None */
CTORCH_INLINE ctorch_error *ctorch_sparse_coo_tensor_indices_size(
    ctorch_tensor **out,
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_sparse_coo_tensor_indices_size(out, indices, values, size, size_len, NULL, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_coo_tensor_size(ctorch_tensor **out, const int64_t *size, size_t size_len) {
  return ctorch_aten_sparse_coo_tensor_size(out, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_csc_tensor_ccol_row_value(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values) {
  return ctorch_aten_sparse_csc_tensor_ccol_row_value(out, ccol_indices, row_indices, values, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_csc_tensor_ccol_row_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_sparse_csc_tensor_ccol_row_value_size(
      out, ccol_indices, row_indices, values, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_csr_tensor_crow_col_value(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values) {
  return ctorch_aten_sparse_csr_tensor_crow_col_value(out, crow_indices, col_indices, values, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=False */
CTORCH_INLINE ctorch_error *ctorch_sparse_csr_tensor_crow_col_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len) {
  return ctorch_aten_sparse_csr_tensor_crow_col_value_size(
      out, crow_indices, col_indices, values, size, size_len, NULL, NULL, NULL, NULL);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_sparse_sampled_addmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2) {
  return ctorch_aten_sparse_sampled_addmm(out, self, mat1, mat2, NULL, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_special_log_softmax(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_special_log_softmax(out, self, dim, NULL);
}

/** eps=None */
CTORCH_INLINE ctorch_error *ctorch_special_logit(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_special_logit(out, self, NULL);
}

/** keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_special_logsumexp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_special_logsumexp(out, self, dim, dim_len, false);
}

/** decimals=0 */
CTORCH_INLINE ctorch_error *ctorch_special_round(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_special_round(out, self, 0);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_special_softmax(ctorch_tensor **out, const ctorch_tensor *self, int64_t dim) {
  return ctorch_aten_special_softmax(out, self, dim, NULL);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_split_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t split_size) {
  return ctorch_aten_split_Tensor(out, self, split_size, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_split_copy_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t split_size) {
  return ctorch_aten_split_copy_Tensor(out, self, split_size, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_split_sizes(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_size,
    size_t split_size_len) {
  return ctorch_aten_split_sizes(out, self, split_size, split_size_len, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_split_with_sizes(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len) {
  return ctorch_aten_split_with_sizes(out, self, split_sizes, split_sizes_len, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_split_with_sizes_copy(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len) {
  return ctorch_aten_split_with_sizes_copy(out, self, split_sizes, split_sizes_len, 0);
}

/** beta=1, alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_sspaddmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2) {
  return ctorch_aten_sspaddmm(out, self, mat1, mat2, NULL, NULL);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_stack(ctorch_tensor **out, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return ctorch_aten_stack(out, tensors, tensors_len, 0);
}

/** unbiased=True */
CTORCH_INLINE ctorch_error *ctorch_std(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_std(out, self, true);
}

/** dim=None, correction=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_std_correction(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_std_correction(out, self, NULL, 0, NULL, false);
}

/** unbiased=True, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_std_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_std_dim(out, self, dim, dim_len, true, false);
}

/** unbiased=True */
CTORCH_INLINE ctorch_error *ctorch_std_mean(ctorch_tensor **out0, ctorch_tensor **out1, const ctorch_tensor *self) {
  return ctorch_aten_std_mean(out0, out1, self, true);
}

/** dim=None, correction=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_std_mean_correction(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self) {
  return ctorch_aten_std_mean_correction(out0, out1, self, NULL, 0, NULL, false);
}

/** unbiased=True, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_std_mean_dim(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_std_mean_dim(out0, out1, self, dim, dim_len, true, false);
}

/** normalized=False, onesided=None, return_complex=None, align_to_window=None */
CTORCH_INLINE ctorch_error *ctorch_stft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n_fft,
    const int64_t *hop_length,
    const int64_t *win_length,
    const ctorch_tensor *window) {
  return ctorch_aten_stft(out, self, n_fft, hop_length, win_length, window, false, NULL, NULL, NULL);
}

/** center=True, pad_mode="reflect", normalized=False, onesided=None, return_complex=None, align_to_window=None */
CTORCH_INLINE ctorch_error *ctorch_stft_center(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n_fft,
    const int64_t *hop_length,
    const int64_t *win_length,
    const ctorch_tensor *window) {
  return ctorch_aten_stft_center(out, self, n_fft, hop_length, win_length, window, true, NULL, false, NULL, NULL, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_sub_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other) {
  return ctorch_aten_sub_Scalar(out, self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_sub_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other) {
  return ctorch_aten_sub_Tensor(out, self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_sub__Scalar(ctorch_tensor *self, const ctorch_scalar *other) {
  return ctorch_aten_sub__Scalar(self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_sub__Tensor(ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_sub__Tensor(self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_subtract_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other) {
  return ctorch_aten_subtract_Scalar(out, self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_subtract_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other) {
  return ctorch_aten_subtract_Tensor(out, self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_subtract__Scalar(ctorch_tensor *self, const ctorch_scalar *other) {
  return ctorch_aten_subtract__Scalar(self, other, NULL);
}

/** alpha=1 */
CTORCH_INLINE ctorch_error *ctorch_subtract__Tensor(ctorch_tensor *self, const ctorch_tensor *other) {
  return ctorch_aten_subtract__Tensor(self, other, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_sum(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_sum(out, self, NULL);
}

/** keepdim=False, dtype=None */
CTORCH_INLINE ctorch_error *ctorch_sum_dim_IntList(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_sum_dim_IntList(out, self, dim, dim_len, false, NULL);
}

/** some=True, compute_uv=True */
CTORCH_INLINE ctorch_error *ctorch_svd(
    ctorch_tensor **out_U,
    ctorch_tensor **out_S,
    ctorch_tensor **out_V,
    const ctorch_tensor *self) {
  return ctorch_aten_svd(out_U, out_S, out_V, self, true, true);
}

/** min=None, max=None */
CTORCH_INLINE ctorch_error *ctorch_sym_constrain_range(const ctorch_scalar *size) {
  return ctorch_aten_sym_constrain_range(size, NULL, NULL);
}

/** min=None, max=None */
CTORCH_INLINE ctorch_error *ctorch_sym_constrain_range_for_size(const ctorch_scalar *size) {
  return ctorch_aten_sym_constrain_range_for_size(size, NULL, NULL);
}

/** memory_format=contiguous_format */
CTORCH_INLINE ctorch_error *ctorch_sym_is_contiguous(bool *out, const ctorch_tensor *self) {
  return ctorch_aten_sym_is_contiguous(out, self, 0);
}

/** dim=None */
CTORCH_INLINE ctorch_error *ctorch_take_along_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *indices) {
  return ctorch_aten_take_along_dim(out, self, indices, NULL);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_tensor_split_indices(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *indices,
    size_t indices_len) {
  return ctorch_aten_tensor_split_indices(out, self, indices, indices_len, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_tensor_split_sections(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t sections) {
  return ctorch_aten_tensor_split_sections(out, self, sections, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_tensor_split_tensor_indices_or_sections(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor_indices_or_sections) {
  return ctorch_aten_tensor_split_tensor_indices_or_sections(out, self, tensor_indices_or_sections, 0);
}

/** stride=1, padding=0 */
CTORCH_INLINE ctorch_error *ctorch_thnn_conv2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias) {
  return ctorch_aten_thnn_conv2d(out, self, weight, kernel_size, kernel_size_len, bias, NULL, 0, NULL, 0);
}

/** dtype=None, masked_grad=None */
CTORCH_INLINE ctorch_error *ctorch_to_dense(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_to_dense(out, self, NULL, NULL);
}

/** masked_grad=None */
CTORCH_INLINE ctorch_error *ctorch_to_dense_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *input) {
  return ctorch_aten_to_dense_backward(out, grad, input, NULL);
}

/** non_blocking=False, copy=False, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_to_device(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_device *device,
    ctorch_dtype dtype) {
  return ctorch_aten_to_device(out, self, device, dtype, false, false, NULL);
}

/** non_blocking=False, copy=False, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_to_dtype(ctorch_tensor **out, const ctorch_tensor *self, ctorch_dtype dtype) {
  return ctorch_aten_to_dtype(out, self, dtype, false, false, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, copy=False, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_to_dtype_layout(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_to_dtype_layout(out, self, NULL, NULL, NULL, NULL, false, false, NULL);
}

/** dtype=None */
CTORCH_INLINE ctorch_error *ctorch_to_mkldnn(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_to_mkldnn(out, self, NULL);
}

/** non_blocking=False, copy=False, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_to_other(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other) {
  return ctorch_aten_to_other(out, self, other, false, false, NULL);
}

/** output_size=None */
CTORCH_INLINE ctorch_error *ctorch_to_padded_tensor(ctorch_tensor **out, const ctorch_tensor *self, double padding) {
  return ctorch_aten_to_padded_tensor(out, self, padding, NULL, 0);
}

/** layout=None, blocksize=None, dense_dim=None */
CTORCH_INLINE ctorch_error *ctorch_to_sparse(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_to_sparse(out, self, NULL, NULL, 0, NULL);
}

/** dense_dim=None */
CTORCH_INLINE ctorch_error *ctorch_to_sparse_bsc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len) {
  return ctorch_aten_to_sparse_bsc(out, self, blocksize, blocksize_len, NULL);
}

/** dense_dim=None */
CTORCH_INLINE ctorch_error *ctorch_to_sparse_bsr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len) {
  return ctorch_aten_to_sparse_bsr(out, self, blocksize, blocksize_len, NULL);
}

/** dense_dim=None */
CTORCH_INLINE ctorch_error *ctorch_to_sparse_csc(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_to_sparse_csc(out, self, NULL);
}

/** dense_dim=None */
CTORCH_INLINE ctorch_error *ctorch_to_sparse_csr(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_to_sparse_csr(out, self, NULL);
}

/** dim=-1, largest=True, sorted=True */
CTORCH_INLINE ctorch_error *ctorch_topk(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t k) {
  return ctorch_aten_topk(out_values, out_indices, self, k, -1, true, true);
}

/** dx=1, dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_trapezoid_dx(ctorch_tensor **out, const ctorch_tensor *y) {
  return ctorch_aten_trapezoid_dx(out, y, NULL, -1);
}

/** dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_trapezoid_x(ctorch_tensor **out, const ctorch_tensor *y, const ctorch_tensor *x) {
  return ctorch_aten_trapezoid_x(out, y, x, -1);
}

/** dx=1, dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_trapz_dx(ctorch_tensor **out, const ctorch_tensor *y) {
  return ctorch_aten_trapz_dx(out, y, 1.0, -1);
}

/** dim=-1 */
CTORCH_INLINE ctorch_error *ctorch_trapz_x(ctorch_tensor **out, const ctorch_tensor *y, const ctorch_tensor *x) {
  return ctorch_aten_trapz_x(out, y, x, -1);
}

/** upper=True, transpose=False, unitriangular=False */
CTORCH_INLINE ctorch_error *ctorch_triangular_solve(
    ctorch_tensor **out_solution,
    ctorch_tensor **out_cloned_coefficient,
    const ctorch_tensor *self,
    const ctorch_tensor *A) {
  return ctorch_aten_triangular_solve(out_solution, out_cloned_coefficient, self, A, true, false, false);
}

/** diagonal=0 */
CTORCH_INLINE ctorch_error *ctorch_tril(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_tril(out, self, 0);
}

/** diagonal=0 */
CTORCH_INLINE ctorch_error *ctorch_tril_(ctorch_tensor *self) {
  return ctorch_aten_tril_(self, 0);
}

/** offset=0, dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_tril_indices(ctorch_tensor **out, int64_t row, int64_t col) {
  return ctorch_aten_tril_indices(out, row, col, 0, NULL, NULL, NULL, NULL);
}

/** margin=1.0, p=2, eps=1e-06, swap=False, reduction=Mean */
CTORCH_INLINE ctorch_error *ctorch_triplet_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *anchor,
    const ctorch_tensor *positive,
    const ctorch_tensor *negative) {
  return ctorch_aten_triplet_margin_loss(out, anchor, positive, negative, 1.0, 2.0, 1e-06, false, 1);
}

/** diagonal=0 */
CTORCH_INLINE ctorch_error *ctorch_triu(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_triu(out, self, 0);
}

/** diagonal=0 */
CTORCH_INLINE ctorch_error *ctorch_triu_(ctorch_tensor *self) {
  return ctorch_aten_triu_(self, 0);
}

/** offset=0, dtype=long, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_triu_indices(ctorch_tensor **out, int64_t row, int64_t col) {
  return ctorch_aten_triu_indices(out, row, col, 0, NULL, NULL, NULL, NULL);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_unbind_copy_int(ctorch_tensor_list **out, const ctorch_tensor *self) {
  return ctorch_aten_unbind_copy_int(out, self, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_unbind_int(ctorch_tensor_list **out, const ctorch_tensor *self) {
  return ctorch_aten_unbind_int(out, self, 0);
}

/** from=0, to=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_uniform(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_uniform(out, self, 0.0, 1.0, NULL);
}

/** from=0, to=1, generator=None */
CTORCH_INLINE ctorch_error *ctorch_uniform_(ctorch_tensor *self) {
  return ctorch_aten_uniform_(self, 0.0, 1.0, NULL);
}

/** return_inverse=False, return_counts=False, dim=None */
CTORCH_INLINE ctorch_error *ctorch_unique_consecutive(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self) {
  return ctorch_aten_unique_consecutive(out0, out1, out2, self, false, false, NULL);
}

/** sorted=True, return_inverse=False, return_counts=False */
CTORCH_INLINE ctorch_error *ctorch_unique_dim(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    int64_t dim) {
  return ctorch_aten_unique_dim(out0, out1, out2, self, dim, true, false, false);
}

/** return_inverse=False, return_counts=False */
CTORCH_INLINE ctorch_error *ctorch_unique_dim_consecutive(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    int64_t dim) {
  return ctorch_aten_unique_dim_consecutive(out0, out1, out2, self, dim, false, false);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_unsafe_chunk(ctorch_tensor_list **out, const ctorch_tensor *self, int64_t chunks) {
  return ctorch_aten_unsafe_chunk(out, self, chunks, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_unsafe_split_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t split_size) {
  return ctorch_aten_unsafe_split_Tensor(out, self, split_size, 0);
}

/** dim=0 */
CTORCH_INLINE ctorch_error *ctorch_unsafe_split_with_sizes(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len) {
  return ctorch_aten_unsafe_split_with_sizes(out, self, split_sizes, split_sizes_len, 0);
}

/** scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_bicubic2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_bicubic2d(out, self, output_size, output_size_len, align_corners, NULL, NULL);
}

/** scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_bicubic2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_bicubic2d_backward(
      out, grad_output, output_size, output_size_len, input_size, input_size_len, align_corners, NULL, NULL);
}

/** scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_bilinear2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_bilinear2d(out, self, output_size, output_size_len, align_corners, NULL, NULL);
}

/** scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_bilinear2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_bilinear2d_backward(
      out, grad_output, output_size, output_size_len, input_size, input_size_len, align_corners, NULL, NULL);
}

/** scales=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_linear1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_linear1d(out, self, output_size, output_size_len, align_corners, NULL);
}

/** scales=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_linear1d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_linear1d_backward(
      out, grad_output, output_size, output_size_len, input_size, input_size_len, align_corners, NULL);
}

/** scales=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_nearest1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len) {
  return ctorch_aten_upsample_nearest1d(out, self, output_size, output_size_len, NULL);
}

/** scales=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_nearest1d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len) {
  return ctorch_aten_upsample_nearest1d_backward(
      out, grad_output, output_size, output_size_len, input_size, input_size_len, NULL);
}

/** scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_nearest2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len) {
  return ctorch_aten_upsample_nearest2d(out, self, output_size, output_size_len, NULL, NULL);
}

/** scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_nearest2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len) {
  return ctorch_aten_upsample_nearest2d_backward(
      out, grad_output, output_size, output_size_len, input_size, input_size_len, NULL, NULL);
}

/** scales_d=None, scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_nearest3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len) {
  return ctorch_aten_upsample_nearest3d(out, self, output_size, output_size_len, NULL, NULL, NULL);
}

/** scales_d=None, scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_nearest3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len) {
  return ctorch_aten_upsample_nearest3d_backward(
      out, grad_output, output_size, output_size_len, input_size, input_size_len, NULL, NULL, NULL);
}

/** scales_d=None, scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_trilinear3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_trilinear3d(out, self, output_size, output_size_len, align_corners, NULL, NULL, NULL);
}

/** scales_d=None, scales_h=None, scales_w=None */
CTORCH_INLINE ctorch_error *ctorch_upsample_trilinear3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners) {
  return ctorch_aten_upsample_trilinear3d_backward(
      out, grad_output, output_size, output_size_len, input_size, input_size_len, align_corners, NULL, NULL, NULL);
}

/** N=None, increasing=False */
CTORCH_INLINE ctorch_error *ctorch_vander(ctorch_tensor **out, const ctorch_tensor *x) {
  return ctorch_aten_vander(out, x, NULL, false);
}

/** unbiased=True */
CTORCH_INLINE ctorch_error *ctorch_var(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_var(out, self, true);
}

/** dim=None, correction=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_var_correction(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_var_correction(out, self, NULL, 0, NULL, false);
}

/** unbiased=True, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_var_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_var_dim(out, self, dim, dim_len, true, false);
}

/** unbiased=True */
CTORCH_INLINE ctorch_error *ctorch_var_mean(ctorch_tensor **out0, ctorch_tensor **out1, const ctorch_tensor *self) {
  return ctorch_aten_var_mean(out0, out1, self, true);
}

/** dim=None, correction=None, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_var_mean_correction(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self) {
  return ctorch_aten_var_mean_correction(out0, out1, self, NULL, 0, NULL, false);
}

/** unbiased=True, keepdim=False */
CTORCH_INLINE ctorch_error *ctorch_var_mean_dim(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len) {
  return ctorch_aten_var_mean_dim(out0, out1, self, dim, dim_len, true, false);
}

/** dtype=None, layout=None, device=None, pin_memory=None */
CTORCH_INLINE ctorch_error *ctorch_zeros(ctorch_tensor **out, const int64_t *size, size_t size_len) {
  return ctorch_aten_zeros(out, size, size_len, NULL, NULL, NULL, NULL);
}

/** dtype=None, layout=None, device=None, pin_memory=None, memory_format=None */
CTORCH_INLINE ctorch_error *ctorch_zeros_like(ctorch_tensor **out, const ctorch_tensor *self) {
  return ctorch_aten_zeros_like(out, self, NULL, NULL, NULL, NULL, NULL);
}

CTORCH_END_DECLS

#endif
