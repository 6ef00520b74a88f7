/**
 * PyTorch's public operators. Generated from native_functions.yaml by bindings-gen/gen.py: do not edit.
 *
 * The comment of each function is its schema, and which of its numbers are enumerations (ctorch/abi/enums.h). Outputs
 * come first; a result that is one of the arguments is not returned again. NULL for an argument means its default, or
 * None: see ctorch.h, points 5 to 7.
 */
#ifndef CTORCH_GENERATED_ATEN_H
#define CTORCH_GENERATED_ATEN_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_add_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::addcmul.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=2, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addcmul_out(
    const ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addmm_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype,
    const ctorch_scalar *beta);

/** aten::argmax(Tensor self, int? dim=None, bool keepdim=False, *, bool flag=True, int reduction=Mean, float eps=1e-5, ScalarType dtype=long, int[2] size=0, Scalar alpha=1, str mode="x", Tensor? weight=None, Tensor? late=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_argmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim,
    bool flag,
    int64_t reduction,
    double eps,
    ctorch_dtype dtype,
    const int64_t *size,
    size_t size_len,
    const ctorch_scalar *alpha,
    const char *mode,
    const ctorch_tensor *weight,
    const ctorch_tensor *late);

/** aten::cholesky_gone(Tensor self, bool upper=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cholesky_gone(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool upper);

/** aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max);

/** aten::contiguous(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_contiguous(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::conv2d.padding(Tensor input, Tensor weight) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv2d_padding(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight);

/** aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, int[]? bias_sizes, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_convolution_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const int64_t *bias_sizes,
    size_t bias_sizes_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool transposed,
    const int64_t *output_padding,
    size_t output_padding_len,
    int64_t groups,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::fbgemm_linear_fp16_weight_fp32_activation(Tensor input, Tensor packed_weight, Tensor bias) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_fp16_weight_fp32_activation(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *packed_weight,
    const ctorch_tensor *bias);

/** aten::fft_fft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_fft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::is_same_size(Tensor self, Tensor? other=None) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_same_size(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::kl_div(Tensor self, Tensor target) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_kl_div(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target);

/** aten::kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_kthvalue(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t k,
    int64_t dim,
    bool keepdim);

/** aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor max, Tensor argmax) */
CTORCH_API ctorch_error *ctorch_aten_max_dim(
    ctorch_tensor **out_max,
    ctorch_tensor **out_argmax,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out_max, Tensor(b!) out_argmax) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_max_dim_max(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *out_max,
    ctorch_tensor *out_argmax);

/** aten::max_pool1d(Tensor self, int[1] kernel_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_pool1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len);

/** aten::nan_to_num.out(Tensor self, float? nan=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nan_to_num_out(
    const ctorch_tensor *self,
    const double *nan,
    ctorch_tensor *out);

/** aten::normal_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_(
    ctorch_tensor *self);

/** aten::pad(Tensor self, SymInt[] pad) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pad(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len);

/** aten::qr_gone.Q(Tensor self, bool some=True, *, Tensor(a!) Q, Tensor(b!) R) -> (Tensor(a!) Q, Tensor(b!) R) */
CTORCH_API ctorch_error *ctorch_aten_qr_gone_Q(
    const ctorch_tensor *self,
    bool some,
    ctorch_tensor *Q,
    ctorch_tensor *R);

/** aten::randint(SymInt high, SymInt[] size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint(
    ctorch_tensor **out,
    int64_t high,
    const int64_t *size,
    size_t size_len);

/** aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode="reflect", bool normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_stft_center(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n_fft,
    const int64_t *hop_length,
    const int64_t *win_length,
    const ctorch_tensor *window,
    bool center,
    const char *pad_mode,
    bool normalized,
    const bool *onesided,
    const bool *return_complex);

CTORCH_END_DECLS

#endif
