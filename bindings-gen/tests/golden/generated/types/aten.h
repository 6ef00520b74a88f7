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

/** aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_add__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_add_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_argmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim);

/** aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_atleast_1d_Sequence(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::cat(Tensor[] tensors, int dim=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cat(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim);

/** aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cat_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim,
    ctorch_tensor *out);

/** aten::cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor
 * compute_mode: ctorch_cdist_compute_mode */
CTORCH_API ctorch_error *ctorch_aten_cdist(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    double p,
    const int64_t *compute_mode);

/** aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max);

/** aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_contiguous(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_memory_format memory_format);

/** aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding="valid", SymInt[2] dilation=1, SymInt groups=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv2d_padding(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const char *padding,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
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

/** aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_einsum(
    ctorch_tensor **out,
    const char *equation,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const int64_t *path,
    size_t path_len);

/** aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_empty_memory_format(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_fft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_from_file(
    ctorch_tensor **out,
    const char *filename,
    const bool *shared,
    const int64_t *size,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::gelu(Tensor self, *, str approximate='none') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gelu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *approximate);

/** aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_put_(
    ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate);

/** aten::is_same_size(Tensor self, Tensor other) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_same_size(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::item(Tensor self) -> Scalar */
CTORCH_API ctorch_error *ctorch_aten_item(
    ctorch_scalar *out,
    const ctorch_tensor *self);

/** aten::kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_kl_div(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    bool log_target);

/** aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_kthvalue(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t k,
    int64_t dim,
    bool keepdim);

/** aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_max_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_max_dim_max(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *max,
    ctorch_tensor *max_values);

/** aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_pool1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode);

/** aten::mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_mse_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nan_to_num_out(
    const ctorch_tensor *self,
    const double *nan,
    const double *posinf,
    const double *neginf,
    ctorch_tensor *out);

/** aten::normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_(
    ctorch_tensor *self,
    double mean,
    double std,
    ctorch_generator *generator);

/** aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType */
CTORCH_API ctorch_error *ctorch_aten_promote_types(
    ctorch_dtype *out,
    ctorch_dtype type1,
    ctorch_dtype type2);

/** aten::q_scale(Tensor self) -> float */
CTORCH_API ctorch_error *ctorch_aten_q_scale(
    double *out,
    const ctorch_tensor *self);

/** aten::qscheme(Tensor self) -> QScheme */
CTORCH_API ctorch_error *ctorch_aten_qscheme(
    int32_t *out,
    const ctorch_tensor *self);

/** aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_random__from(
    ctorch_tensor *self,
    int64_t from,
    const int64_t *to,
    ctorch_generator *generator);

/** aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randperm_generator(
    ctorch_tensor **out,
    int64_t n,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::record_stream(Tensor(a!) self, Stream s) -> () */
CTORCH_API ctorch_error *ctorch_aten_record_stream(
    ctorch_tensor *self,
    const ctorch_stream *s);

/** aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType */
CTORCH_API ctorch_error *ctorch_aten_result_type_Tensor(
    ctorch_dtype *out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *other);

/** aten::set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set__source_Storage(
    ctorch_tensor *self,
    ctorch_storage *source);

/** aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sum_dim_IntList(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=contiguous_format) -> SymBool */
CTORCH_API ctorch_error *ctorch_aten_sym_is_contiguous(
    bool *out,
    const ctorch_tensor *self,
    ctorch_memory_format memory_format);

/** aten::sym_size.int(Tensor self, int dim) -> SymInt */
CTORCH_API ctorch_error *ctorch_aten_sym_size_int(
    int64_t *out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_bilinear2d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

CTORCH_END_DECLS

#endif
