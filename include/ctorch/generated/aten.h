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

/** aten::abs(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_abs(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::abs_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_abs_(
    ctorch_tensor *self);

/** aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_abs_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::absolute(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_absolute(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::absolute_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_absolute_(
    ctorch_tensor *self);

/** aten::absolute.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_absolute_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::acos(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_acos(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::acos_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_acos_(
    ctorch_tensor *self);

/** aten::acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_acos_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::acosh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_acosh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::acosh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_acosh_(
    ctorch_tensor *self);

/** aten::acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_acosh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_adaptive_avg_pool1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_avg_pool1d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_adaptive_avg_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_avg_pool2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_adaptive_avg_pool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_avg_pool3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    ctorch_tensor *grad_input);

/** aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_avg_pool3d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool1d(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool2d(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *indices);

/** aten::adaptive_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    ctorch_tensor *grad_input);

/** aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out,
    ctorch_tensor *indices);

/** aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool3d(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *indices);

/** aten::adaptive_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    ctorch_tensor *grad_input);

/** aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_adaptive_max_pool3d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out,
    ctorch_tensor *indices);

/** aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_add_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_add_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_add_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_add__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other,
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

/** aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addbmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addbmm_(
    ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addbmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addcdiv(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2,
    const ctorch_scalar *value);

/** aten::addcdiv_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addcdiv_(
    ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2,
    const ctorch_scalar *value);

/** aten::addcdiv.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addcdiv_out(
    const ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addcmul(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2,
    const ctorch_scalar *value);

/** aten::addcmul_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addcmul_(
    ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2,
    const ctorch_scalar *value);

/** aten::addcmul.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addcmul_out(
    const ctorch_tensor *self,
    const ctorch_tensor *tensor1,
    const ctorch_tensor *tensor2,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addmm_(
    ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addmm_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addmm.dtype_out(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addmm_dtype_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addmv(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat,
    const ctorch_tensor *vec,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addmv_(
    ctorch_tensor *self,
    const ctorch_tensor *mat,
    const ctorch_tensor *vec,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addmv_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat,
    const ctorch_tensor *vec,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_addr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *vec1,
    const ctorch_tensor *vec2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addr_(
    ctorch_tensor *self,
    const ctorch_tensor *vec1,
    const ctorch_tensor *vec2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_addr_out(
    const ctorch_tensor *self,
    const ctorch_tensor *vec1,
    const ctorch_tensor *vec2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::adjoint(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_adjoint(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_affine_grid_generator(
    ctorch_tensor **out,
    const ctorch_tensor *theta,
    const int64_t *size,
    size_t size_len,
    bool align_corners);

/** aten::affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_affine_grid_generator_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const int64_t *size,
    size_t size_len,
    bool align_corners);

/** aten::affine_grid_generator.out(Tensor theta, SymInt[] size, bool align_corners, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_affine_grid_generator_out(
    const ctorch_tensor *theta,
    const int64_t *size,
    size_t size_len,
    bool align_corners,
    ctorch_tensor *out);

/** aten::alias(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_alias(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::alias_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_alias_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_alias_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::all(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_all(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_all_all_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_all_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_all_dims(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_all_dims_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_all_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *out);

/** aten::allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool */
CTORCH_API ctorch_error *ctorch_aten_allclose(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    double rtol,
    double atol,
    bool equal_nan);

/** aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_alpha_dropout(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    double p,
    bool train);

/** aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_alpha_dropout_(
    ctorch_tensor *self,
    double p,
    bool train);

/** aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_amax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_amax_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_amin(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_amin_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max) */
CTORCH_API ctorch_error *ctorch_aten_aminmax(
    ctorch_tensor **out_min,
    ctorch_tensor **out_max,
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim);

/** aten::aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, Tensor(b!) max) -> (Tensor(a!) min, Tensor(b!) max) */
CTORCH_API ctorch_error *ctorch_aten_aminmax_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim,
    ctorch_tensor *min,
    ctorch_tensor *max);

/** aten::angle(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_angle(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::angle.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_angle_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::any(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_any(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_any_all_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_any_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_any_dims(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_any_dims_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_any_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *out);

/** aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arange(
    ctorch_tensor **out,
    const ctorch_scalar *end,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arange_out(
    const ctorch_scalar *end,
    ctorch_tensor *out);

/** aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arange_start(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arange_start_out(
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    const ctorch_scalar *step,
    ctorch_tensor *out);

/** aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arange_start_step(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    const ctorch_scalar *step,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::arccos(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arccos(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::arccos_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arccos_(
    ctorch_tensor *self);

/** aten::arccos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arccos_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::arccosh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arccosh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::arccosh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arccosh_(
    ctorch_tensor *self);

/** aten::arccosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arccosh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::arcsin(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arcsin(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::arcsin_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arcsin_(
    ctorch_tensor *self);

/** aten::arcsin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arcsin_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::arcsinh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arcsinh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::arcsinh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arcsinh_(
    ctorch_tensor *self);

/** aten::arcsinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arcsinh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::arctan(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arctan(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::arctan2(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arctan2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::arctan2_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arctan2_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::arctan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arctan2_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::arctan_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arctan_(
    ctorch_tensor *self);

/** aten::arctan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arctan_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::arctanh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_arctanh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::arctanh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arctanh_(
    ctorch_tensor *self);

/** aten::arctanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_arctanh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_argmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim);

/** aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_argmax_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim,
    ctorch_tensor *out);

/** aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_argmin(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim);

/** aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_argmin_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    bool keepdim,
    ctorch_tensor *out);

/** aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_argsort(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool descending);

/** aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_argsort_stable(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool stable,
    int64_t dim,
    bool descending);

/** aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_argsort_stable_out(
    const ctorch_tensor *self,
    bool stable,
    int64_t dim,
    bool descending,
    ctorch_tensor *out);

/** aten::argwhere(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_argwhere(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_as_strided(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *storage_offset);

/** aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_as_strided_(
    ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *storage_offset);

/** aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_as_strided_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *storage_offset);

/** aten::as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_as_strided_copy_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *storage_offset,
    ctorch_tensor *out);

/** aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_as_strided_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *storage_offset);

/** aten::as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_as_strided_scatter_out(
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *storage_offset,
    ctorch_tensor *out);

/** aten::asin(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_asin(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::asin_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_asin_(
    ctorch_tensor *self);

/** aten::asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_asin_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::asinh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_asinh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::asinh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_asinh_(
    ctorch_tensor *self);

/** aten::asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_asinh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::atan(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_atan(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::atan2(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_atan2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::atan2_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_atan2_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_atan2_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::atan_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_atan_(
    ctorch_tensor *self);

/** aten::atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_atan_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::atanh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_atanh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::atanh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_atanh_(
    ctorch_tensor *self);

/** aten::atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_atanh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::atleast_1d(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_atleast_1d(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_atleast_1d_Sequence(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::atleast_2d(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_atleast_2d(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_atleast_2d_Sequence(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::atleast_3d(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_atleast_3d(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_atleast_3d_Sequence(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_avg_pool1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad);

/** aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_avg_pool1d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    ctorch_tensor *out);

/** aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_avg_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override);

/** aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_avg_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override);

/** aten::avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_avg_pool2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override,
    ctorch_tensor *grad_input);

/** aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_avg_pool2d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override,
    ctorch_tensor *out);

/** aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_avg_pool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override);

/** aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_avg_pool3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override);

/** aten::avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_avg_pool3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override,
    ctorch_tensor *grad_input);

/** aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_avg_pool3d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    bool ceil_mode,
    bool count_include_pad,
    const int64_t *divisor_override,
    ctorch_tensor *out);

/** aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_baddbmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_baddbmm_(
    ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_baddbmm_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    ctorch_dtype out_dtype,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::baddbmm.dtype_out(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_baddbmm_dtype_out(
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    ctorch_dtype out_dtype,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_baddbmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *batch1,
    const ctorch_tensor *batch2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bartlett_window(
    ctorch_tensor **out,
    int64_t window_length,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::bartlett_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bartlett_window_out(
    int64_t window_length,
    ctorch_tensor *out);

/** aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bartlett_window_periodic(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::bartlett_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bartlett_window_periodic_out(
    int64_t window_length,
    bool periodic,
    ctorch_tensor *out);

/** aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_batch_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double momentum,
    double eps,
    bool cudnn_enabled);

/** aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] output_mask, Tensor reserve) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_var,
    bool update,
    double eps,
    const bool *output_mask,
    size_t output_mask_len,
    const ctorch_tensor *reserve);

/** aten::batch_norm_backward_elemt(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, Tensor sum_dy, Tensor sum_dy_xmu, Tensor count) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_backward_elemt(
    ctorch_tensor **out,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *weight,
    const ctorch_tensor *sum_dy,
    const ctorch_tensor *sum_dy_xmu,
    const ctorch_tensor *count);

/** aten::batch_norm_backward_elemt.out(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, Tensor sum_dy, Tensor sum_dy_xmu, Tensor count, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_backward_elemt_out(
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *weight,
    const ctorch_tensor *sum_dy,
    const ctorch_tensor *sum_dy_xmu,
    const ctorch_tensor *count,
    ctorch_tensor *out);

/** aten::batch_norm_backward_reduce(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, bool input_g, bool weight_g, bool bias_g) -> (Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_backward_reduce(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *weight,
    bool input_g,
    bool weight_g,
    bool bias_g);

/** aten::batch_norm_backward_reduce.out(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, bool input_g, bool weight_g, bool bias_g, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!)) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_backward_reduce_out(
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *weight,
    bool input_g,
    bool weight_g,
    bool bias_g,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3);

/** aten::batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor invstd, float eps) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_elemt(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    double eps);

/** aten::batch_norm_elemt.out(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor invstd, float eps, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_elemt_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    double eps,
    ctorch_tensor *out);

/** aten::batch_norm_gather_stats(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? running_var, float momentum, float eps, int count) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_gather_stats(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps,
    int64_t count);

/** aten::batch_norm_gather_stats.out(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? running_var, float momentum, float eps, int count, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_gather_stats_out(
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps,
    int64_t count,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::batch_norm_gather_stats_with_counts(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? running_var, float momentum, float eps, Tensor counts) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_gather_stats_with_counts(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps,
    const ctorch_tensor *counts);

/** aten::batch_norm_gather_stats_with_counts.out(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? running_var, float momentum, float eps, Tensor counts, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_gather_stats_with_counts_out(
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *invstd,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps,
    const ctorch_tensor *counts,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::batch_norm_stats(Tensor input, float eps) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_stats(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    double eps);

/** aten::batch_norm_stats.out(Tensor input, float eps, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_stats_out(
    const ctorch_tensor *input,
    double eps,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_update_stats(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum);

/** aten::batch_norm_update_stats.out(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_batch_norm_update_stats_out(
    const ctorch_tensor *input,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bernoulli(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator);

/** aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bernoulli_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *p,
    ctorch_generator *generator);

/** aten::bernoulli.Tensor_out(Tensor self, Tensor p, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bernoulli_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *p,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bernoulli__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *p,
    ctorch_generator *generator);

/** aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bernoulli__float(
    ctorch_tensor *self,
    double p,
    ctorch_generator *generator);

/** aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bernoulli_float_out(
    const ctorch_tensor *self,
    double p,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bernoulli_out(
    const ctorch_tensor *self,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bernoulli_p(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double p,
    ctorch_generator *generator);

/** aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bilinear(
    ctorch_tensor **out,
    const ctorch_tensor *input1,
    const ctorch_tensor *input2,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias);

/** aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_binary_cross_entropy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction);

/** aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_binary_cross_entropy_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction);

/** aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_binary_cross_entropy_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    ctorch_tensor *grad_input);

/** aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_binary_cross_entropy_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    ctorch_tensor *out);

/** aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_binary_cross_entropy_with_logits(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    const ctorch_tensor *pos_weight,
    int64_t reduction);

/** aten::binary_cross_entropy_with_logits.out(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=Mean, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_binary_cross_entropy_with_logits_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    const ctorch_tensor *pos_weight,
    int64_t reduction,
    ctorch_tensor *out);

/** aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bincount(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weights,
    int64_t minlength);

/** aten::bincount.out(Tensor self, Tensor? weights=None, SymInt minlength=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bincount_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weights,
    int64_t minlength,
    ctorch_tensor *out);

/** aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_binomial(
    ctorch_tensor **out,
    const ctorch_tensor *count,
    const ctorch_tensor *prob,
    ctorch_generator *generator);

/** aten::binomial.out(Tensor count, Tensor prob, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_binomial_out(
    const ctorch_tensor *count,
    const ctorch_tensor *prob,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::bitwise_and.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and_Scalar_Tensor_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_and.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_and_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_and_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_and__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::bitwise_left_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift_Scalar_Tensor_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_left_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift_Tensor_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::bitwise_left_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_left_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_left_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_left_shift__Tensor_Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_not(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_not(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::bitwise_not_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_not_(
    ctorch_tensor *self);

/** aten::bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_not_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::bitwise_or.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or_Scalar_Tensor_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_or.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_or.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_or_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_or_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_or__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::bitwise_right_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift_Scalar_Tensor_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_right_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift_Tensor_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::bitwise_right_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_right_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_right_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_right_shift__Tensor_Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::bitwise_xor.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor_Scalar_Tensor_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_xor.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::bitwise_xor.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::bitwise_xor_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::bitwise_xor_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bitwise_xor__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_blackman_window(
    ctorch_tensor **out,
    int64_t window_length,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::blackman_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_blackman_window_out(
    int64_t window_length,
    ctorch_tensor *out);

/** aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_blackman_window_periodic(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::blackman_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_blackman_window_periodic_out(
    int64_t window_length,
    bool periodic,
    ctorch_tensor *out);

/** aten::block_diag(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_block_diag(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::block_diag.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_block_diag_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *out);

/** aten::bmm(Tensor self, Tensor mat2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2);

/** aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bmm_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype);

/** aten::bmm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bmm_dtype_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype,
    ctorch_tensor *out);

/** aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    ctorch_tensor *out);

/** aten::broadcast_tensors(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_broadcast_tensors(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_broadcast_to(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bucketize_Scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *boundaries,
    bool out_int32,
    bool right);

/** aten::bucketize.Scalar_out(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bucketize_Scalar_out(
    const ctorch_scalar *self,
    const ctorch_tensor *boundaries,
    bool out_int32,
    bool right,
    ctorch_tensor *out);

/** aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_bucketize_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *boundaries,
    bool out_int32,
    bool right);

/** aten::bucketize.Tensor_out(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_bucketize_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *boundaries,
    bool out_int32,
    bool right,
    ctorch_tensor *out);

/** aten::can_cast(ScalarType from_, ScalarType to) -> bool */
CTORCH_API ctorch_error *ctorch_aten_can_cast(
    bool *out,
    ctorch_dtype from_,
    ctorch_dtype to);

/** aten::cartesian_prod(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cartesian_prod(
    ctorch_tensor **out,
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

/** aten::cauchy(Tensor self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cauchy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double median,
    double sigma,
    ctorch_generator *generator);

/** aten::cauchy_(Tensor(a!) self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cauchy_(
    ctorch_tensor *self,
    double median,
    double sigma,
    ctorch_generator *generator);

/** aten::cauchy.out(Tensor self, float median=0, float sigma=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cauchy_out(
    const ctorch_tensor *self,
    double median,
    double sigma,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::ccol_indices(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_ccol_indices(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::ccol_indices_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ccol_indices_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::ccol_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ccol_indices_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor
 * compute_mode: ctorch_cdist_compute_mode */
CTORCH_API ctorch_error *ctorch_aten_cdist(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    double p,
    const int64_t *compute_mode);

/** aten::ceil(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ceil(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::ceil_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ceil_(
    ctorch_tensor *self);

/** aten::ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ceil_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::celu(Tensor self, Scalar alpha=1.0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_celu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *alpha);

/** aten::celu_(Tensor(a!) self, Scalar alpha=1.0) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_celu_(
    ctorch_tensor *self,
    const ctorch_scalar *alpha);

/** aten::celu.out(Tensor self, Scalar alpha=1.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_celu_out(
    const ctorch_tensor *self,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::chain_matmul(Tensor[] matrices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_chain_matmul(
    ctorch_tensor **out,
    const ctorch_tensor *const *matrices,
    size_t matrices_len);

/** aten::chain_matmul.out(Tensor[] matrices, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_chain_matmul_out(
    const ctorch_tensor *const *matrices,
    size_t matrices_len,
    ctorch_tensor *out);

/** aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_chalf(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format);

/** aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_channel_shuffle(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t groups);

/** aten::channel_shuffle.out(Tensor self, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_channel_shuffle_out(
    const ctorch_tensor *self,
    int64_t groups,
    ctorch_tensor *out);

/** aten::cholesky(Tensor self, bool upper=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cholesky(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool upper);

/** aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cholesky_inverse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool upper);

/** aten::cholesky_inverse.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cholesky_inverse_out(
    const ctorch_tensor *self,
    bool upper,
    ctorch_tensor *out);

/** aten::cholesky.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cholesky_out(
    const ctorch_tensor *self,
    bool upper,
    ctorch_tensor *out);

/** aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cholesky_solve(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *input2,
    bool upper);

/** aten::cholesky_solve.out(Tensor self, Tensor input2, bool upper=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cholesky_solve_out(
    const ctorch_tensor *self,
    const ctorch_tensor *input2,
    bool upper,
    ctorch_tensor *out);

/** aten::choose_qparams_optimized(Tensor input, int numel, int n_bins, float ratio, int bit_width) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_choose_qparams_optimized(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    int64_t numel,
    int64_t n_bins,
    double ratio,
    int64_t bit_width);

/** aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_chunk(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t chunks,
    int64_t dim);

/** aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max);

/** aten::clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_(
    ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max);

/** aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *min,
    const ctorch_tensor *max);

/** aten::clamp.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *min,
    const ctorch_tensor *max,
    ctorch_tensor *out);

/** aten::clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *min,
    const ctorch_tensor *max);

/** aten::clamp_max(Tensor self, Scalar max) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp_max(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *max);

/** aten::clamp_max_(Tensor(a!) self, Scalar max) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_max_(
    ctorch_tensor *self,
    const ctorch_scalar *max);

/** aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp_max_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *max);

/** aten::clamp_max.Tensor_out(Tensor self, Tensor max, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_max_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *max,
    ctorch_tensor *out);

/** aten::clamp_max_.Tensor(Tensor(a!) self, Tensor max) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_max__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *max);

/** aten::clamp_max.out(Tensor self, Scalar max, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_max_out(
    const ctorch_tensor *self,
    const ctorch_scalar *max,
    ctorch_tensor *out);

/** aten::clamp_min(Tensor self, Scalar min) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp_min(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *min);

/** aten::clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_min_(
    ctorch_tensor *self,
    const ctorch_scalar *min);

/** aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clamp_min_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *min);

/** aten::clamp_min.Tensor_out(Tensor self, Tensor min, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_min_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *min,
    ctorch_tensor *out);

/** aten::clamp_min_.Tensor(Tensor(a!) self, Tensor min) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_min__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *min);

/** aten::clamp_min.out(Tensor self, Scalar min, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_min_out(
    const ctorch_tensor *self,
    const ctorch_scalar *min,
    ctorch_tensor *out);

/** aten::clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clamp_out(
    const ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max,
    ctorch_tensor *out);

/** aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clip(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max);

/** aten::clip_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clip_(
    ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max);

/** aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clip_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *min,
    const ctorch_tensor *max);

/** aten::clip.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clip_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *min,
    const ctorch_tensor *max,
    ctorch_tensor *out);

/** aten::clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clip__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *min,
    const ctorch_tensor *max);

/** aten::clip.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clip_out(
    const ctorch_tensor *self,
    const ctorch_scalar *min,
    const ctorch_scalar *max,
    ctorch_tensor *out);

/** aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_clone(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format);

/** aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_clone_out(
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::coalesce(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_coalesce(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_col2im(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *dilation,
    size_t dilation_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::col2im.out(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_col2im_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *dilation,
    size_t dilation_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    ctorch_tensor *out);

/** aten::col_indices(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_col_indices(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::col_indices_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_col_indices_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::col_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_col_indices_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::column_stack(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_column_stack(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::column_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_column_stack_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *out);

/** aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_combinations(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t r,
    bool with_replacement);

/** aten::complex(Tensor real, Tensor imag) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_complex(
    ctorch_tensor **out,
    const ctorch_tensor *real,
    const ctorch_tensor *imag);

/** aten::complex.out(Tensor real, Tensor imag, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_complex_out(
    const ctorch_tensor *real,
    const ctorch_tensor *imag,
    ctorch_tensor *out);

/** aten::concat(Tensor[] tensors, int dim=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_concat(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim);

/** aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_concat_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim,
    ctorch_tensor *out);

/** aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_concatenate(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim);

/** aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_concatenate_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim,
    ctorch_tensor *out);

/** aten::conj(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_conj(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::conj_physical(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conj_physical(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::conj_physical_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_conj_physical_(
    ctorch_tensor *self);

/** aten::conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_conj_physical_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_constant_pad_nd(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len,
    const ctorch_scalar *value);

/** aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_constant_pad_nd_out(
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_contiguous(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_memory_format memory_format);

/** aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] dilation=1, SymInt groups=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv1d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str padding="valid", SymInt[1] dilation=1, SymInt groups=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv1d_padding(
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

/** aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] dilation=1, SymInt groups=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv2d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

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

/** aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] dilation=1, SymInt groups=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv3d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, str padding="valid", SymInt[3] dilation=1, SymInt groups=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv3d_padding(
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

/** aten::conv_depthwise3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, SymInt[3] stride, SymInt[3] padding, SymInt[3] dilation) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv_depthwise3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::conv_depthwise3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, SymInt[3] stride, SymInt[3] padding, SymInt[3] dilation, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_conv_depthwise3d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    ctorch_tensor *out);

/** aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv_tbc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    int64_t pad);

/** aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_conv_tbc_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    int64_t pad);

/** aten::conv_tbc.out(Tensor self, Tensor weight, Tensor bias, int pad=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_conv_tbc_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    int64_t pad,
    ctorch_tensor *out);

/** aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] output_padding=0, SymInt groups=1, SymInt[1] dilation=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv_transpose1d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    int64_t groups,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] output_padding=0, SymInt groups=1, SymInt[2] dilation=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv_transpose2d_input(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    int64_t groups,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] output_padding=0, SymInt groups=1, SymInt[3] dilation=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_conv_transpose3d_input(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    int64_t groups,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_convolution(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool transposed,
    const int64_t *output_padding,
    size_t output_padding_len,
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

/** aten::convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_convolution_backward_out(
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
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::convolution_backward_overrideable(Tensor grad_output, Tensor input, Tensor weight, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias) */
CTORCH_API ctorch_error *ctorch_aten_convolution_backward_overrideable(
    ctorch_tensor **out_grad_input,
    ctorch_tensor **out_grad_weight,
    ctorch_tensor **out_grad_bias,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
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

/** aten::convolution_backward_overrideable.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_convolution_backward_overrideable_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
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
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_convolution_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
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
    ctorch_tensor *out);

/** aten::convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_convolution_overrideable(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool transposed,
    const int64_t *output_padding,
    size_t output_padding_len,
    int64_t groups);

/** aten::convolution_overrideable.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_convolution_overrideable_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
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
    ctorch_tensor *out);

/** aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    bool non_blocking);

/** aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copy_(
    ctorch_tensor *self,
    const ctorch_tensor *src,
    bool non_blocking);

/** aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copy_out(
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    bool non_blocking,
    ctorch_tensor *out);

/** aten::copy_sparse_to_sparse(Tensor self, Tensor src, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_copy_sparse_to_sparse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    bool non_blocking);

/** aten::copy_sparse_to_sparse_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copy_sparse_to_sparse_(
    ctorch_tensor *self,
    const ctorch_tensor *src,
    bool non_blocking);

/** aten::copy_sparse_to_sparse.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copy_sparse_to_sparse_out(
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    bool non_blocking,
    ctorch_tensor *out);

/** aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_copysign_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::copysign.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copysign_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_copysign_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::copysign_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copysign__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::copysign_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copysign__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::copysign.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_copysign_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::corrcoef(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_corrcoef(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::cos(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cos(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::cos_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cos_(
    ctorch_tensor *self);

/** aten::cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cos_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::cosh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cosh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::cosh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cosh_(
    ctorch_tensor *self);

/** aten::cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cosh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_cosine_embedding_loss(
    ctorch_tensor **out,
    const ctorch_tensor *input1,
    const ctorch_tensor *input2,
    const ctorch_tensor *target,
    double margin,
    int64_t reduction);

/** aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cosine_similarity(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    int64_t dim,
    double eps);

/** aten::count_nonzero(Tensor self, int? dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_count_nonzero(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim);

/** aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_count_nonzero_dim_IntList(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::count_nonzero.dim_IntList_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_count_nonzero_dim_IntList_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    ctorch_tensor *out);

/** aten::count_nonzero.out(Tensor self, int? dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_count_nonzero_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    ctorch_tensor *out);

/** aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cov(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t correction,
    const ctorch_tensor *fweights,
    const ctorch_tensor *aweights);

/** aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cross(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const int64_t *dim);

/** aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100, float label_smoothing=0.0) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_cross_entropy_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    double label_smoothing);

/** aten::cross.out(Tensor self, Tensor other, int? dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cross_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const int64_t *dim,
    ctorch_tensor *out);

/** aten::crow_indices(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_crow_indices(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::crow_indices_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_crow_indices_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::crow_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_crow_indices_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, int reduction=Mean, bool zero_infinity=False) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_ctc_loss_IntList(
    ctorch_tensor **out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    int64_t blank,
    int64_t reduction,
    bool zero_infinity);

/** aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, int reduction=Mean, bool zero_infinity=False) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_ctc_loss_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    int64_t blank,
    int64_t reduction,
    bool zero_infinity);

/** aten::cudnn_affine_grid_generator(Tensor theta, int N, int C, int H, int W) -> Tensor grid */
CTORCH_API ctorch_error *ctorch_aten_cudnn_affine_grid_generator(
    ctorch_tensor **out,
    const ctorch_tensor *theta,
    int64_t N,
    int64_t C,
    int64_t H,
    int64_t W);

/** aten::cudnn_affine_grid_generator_backward(Tensor grad, int N, int C, int H, int W) -> Tensor grad_theta */
CTORCH_API ctorch_error *ctorch_aten_cudnn_affine_grid_generator_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    int64_t N,
    int64_t C,
    int64_t H,
    int64_t W);

/** aten::cudnn_affine_grid_generator_backward.out(Tensor grad, int N, int C, int H, int W, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_affine_grid_generator_backward_out(
    const ctorch_tensor *grad,
    int64_t N,
    int64_t C,
    int64_t H,
    int64_t W,
    ctorch_tensor *out);

/** aten::cudnn_affine_grid_generator.out(Tensor theta, int N, int C, int H, int W, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_affine_grid_generator_out(
    const ctorch_tensor *theta,
    int64_t N,
    int64_t C,
    int64_t H,
    int64_t W,
    ctorch_tensor *out);

/** aten::cudnn_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float exponential_average_factor, float epsilon) -> (Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_batch_norm(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double exponential_average_factor,
    double epsilon);

/** aten::cudnn_batch_norm_backward(Tensor input, Tensor grad_output, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float epsilon, Tensor reserveSpace) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_batch_norm_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_var,
    double epsilon,
    const ctorch_tensor *reserveSpace);

/** aten::cudnn_batch_norm_backward.out(Tensor input, Tensor grad_output, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float epsilon, Tensor reserveSpace, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_batch_norm_backward_out(
    const ctorch_tensor *input,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_var,
    double epsilon,
    const ctorch_tensor *reserveSpace,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::cudnn_batch_norm.out(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float exponential_average_factor, float epsilon, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!)) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_batch_norm_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double exponential_average_factor,
    double epsilon,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3);

/** aten::cudnn_convolution(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic,
    bool allow_tf32);

/** aten::cudnn_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution_add_relu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *z,
    const ctorch_scalar *alpha,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::cudnn_convolution_add_relu.out(Tensor self, Tensor weight, Tensor z, Scalar? alpha, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution_add_relu_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *z,
    const ctorch_scalar *alpha,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    ctorch_tensor *out);

/** aten::cudnn_convolution.out(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic,
    bool allow_tf32,
    ctorch_tensor *out);

/** aten::cudnn_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution_relu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::cudnn_convolution_relu.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution_relu_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    ctorch_tensor *out);

/** aten::cudnn_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution_transpose(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic,
    bool allow_tf32);

/** aten::cudnn_convolution_transpose.out(Tensor self, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_convolution_transpose_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic,
    bool allow_tf32,
    ctorch_tensor *out);

/** aten::cudnn_grid_sampler(Tensor self, Tensor grid) -> Tensor output */
CTORCH_API ctorch_error *ctorch_aten_cudnn_grid_sampler(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *grid);

/** aten::cudnn_grid_sampler_backward(Tensor self, Tensor grid, Tensor grad_output) -> (Tensor grad_self, Tensor grad_grid) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_grid_sampler_backward(
    ctorch_tensor **out_grad_self,
    ctorch_tensor **out_grad_grid,
    const ctorch_tensor *self,
    const ctorch_tensor *grid,
    const ctorch_tensor *grad_output);

/** aten::cudnn_grid_sampler_backward.out(Tensor self, Tensor grid, Tensor grad_output, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_grid_sampler_backward_out(
    const ctorch_tensor *self,
    const ctorch_tensor *grid,
    const ctorch_tensor *grad_output,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::cudnn_grid_sampler.out(Tensor self, Tensor grid, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cudnn_grid_sampler_out(
    const ctorch_tensor *self,
    const ctorch_tensor *grid,
    ctorch_tensor *out);

/** aten::cudnn_is_acceptable(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_cudnn_is_acceptable(
    bool *out,
    const ctorch_tensor *self);

/** aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_cummax(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_cummax_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cummaxmin_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *input,
    const ctorch_tensor *indices,
    int64_t dim);

/** aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_cummin(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_cummin_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cumprod(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cumprod_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cumprod_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *input,
    int64_t dim,
    const ctorch_tensor *output);

/** aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cumprod_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cumsum(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cumsum_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_cumsum_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cumulative_trapezoid_dx(
    ctorch_tensor **out,
    const ctorch_tensor *y,
    const ctorch_scalar *dx,
    int64_t dim);

/** aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_cumulative_trapezoid_x(
    ctorch_tensor **out,
    const ctorch_tensor *y,
    const ctorch_tensor *x,
    int64_t dim);

/** aten::data(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_data(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::deg2rad(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_deg2rad(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::deg2rad_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_deg2rad_(
    ctorch_tensor *self);

/** aten::deg2rad.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_deg2rad_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::dense_dim(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_dense_dim(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::dequantize.self(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_dequantize_self(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::dequantize.self_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_dequantize_self_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::dequantize.tensors(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_dequantize_tensors(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::dequantize.tensors_out(Tensor[] tensors, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten_dequantize_tensors_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::det(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_det(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::detach(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_detach(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::detach_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_detach_(
    ctorch_tensor *self);

/** aten::detach_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_detach_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_detach_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::diag(Tensor self, int diagonal=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_diag(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t diagonal);

/** aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_diag_embed(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t offset,
    int64_t dim1,
    int64_t dim2);

/** aten::diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_diag_embed_out(
    const ctorch_tensor *self,
    int64_t offset,
    int64_t dim1,
    int64_t dim2,
    ctorch_tensor *out);

/** aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_diag_out(
    const ctorch_tensor *self,
    int64_t diagonal,
    ctorch_tensor *out);

/** aten::diagflat(Tensor self, int offset=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_diagflat(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t offset);

/** aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_diagonal(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t offset,
    int64_t dim1,
    int64_t dim2);

/** aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_diagonal_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t offset,
    int64_t dim1,
    int64_t dim2);

/** aten::diagonal_backward.out(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_diagonal_backward_out(
    const ctorch_tensor *grad_output,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t offset,
    int64_t dim1,
    int64_t dim2,
    ctorch_tensor *out);

/** aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_diagonal_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t offset,
    int64_t dim1,
    int64_t dim2);

/** aten::diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_diagonal_copy_out(
    const ctorch_tensor *self,
    int64_t offset,
    int64_t dim1,
    int64_t dim2,
    ctorch_tensor *out);

/** aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_diagonal_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    int64_t offset,
    int64_t dim1,
    int64_t dim2);

/** aten::diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_diagonal_scatter_out(
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    int64_t offset,
    int64_t dim1,
    int64_t dim2,
    ctorch_tensor *out);

/** aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_diff(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n,
    int64_t dim,
    const ctorch_tensor *prepend,
    const ctorch_tensor *append);

/** aten::diff.out(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_diff_out(
    const ctorch_tensor *self,
    int64_t n,
    int64_t dim,
    const ctorch_tensor *prepend,
    const ctorch_tensor *append,
    ctorch_tensor *out);

/** aten::digamma(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_digamma(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::digamma_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_digamma_(
    ctorch_tensor *self);

/** aten::digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_digamma_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::dim(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_dim(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_dist(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *p);

/** aten::dist.out(Tensor self, Tensor other, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_dist_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *p,
    ctorch_tensor *out);

/** aten::div.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_div_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_div_Scalar_mode(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const char *rounding_mode);

/** aten::div.Scalar_mode_out(Tensor self, Scalar other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div_Scalar_mode_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const char *rounding_mode,
    ctorch_tensor *out);

/** aten::div.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::div.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_div_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_div_Tensor_mode(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const char *rounding_mode);

/** aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div__Scalar_mode(
    ctorch_tensor *self,
    const ctorch_scalar *other,
    const char *rounding_mode);

/** aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div__Tensor_mode(
    ctorch_tensor *self,
    const ctorch_tensor *other,
    const char *rounding_mode);

/** aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_div_out_mode(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const char *rounding_mode,
    ctorch_tensor *out);

/** aten::divide.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_divide_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_divide_Scalar_mode(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const char *rounding_mode);

/** aten::divide.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_divide_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_divide_Tensor_mode(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const char *rounding_mode);

/** aten::divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_divide__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::divide_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_divide__Scalar_mode(
    ctorch_tensor *self,
    const ctorch_scalar *other,
    const char *rounding_mode);

/** aten::divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_divide__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::divide_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_divide__Tensor_mode(
    ctorch_tensor *self,
    const ctorch_tensor *other,
    const char *rounding_mode);

/** aten::divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_divide_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::divide.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_divide_out_mode(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const char *rounding_mode,
    ctorch_tensor *out);

/** aten::dot(Tensor self, Tensor tensor) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_dot(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor);

/** aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_dot_out(
    const ctorch_tensor *self,
    const ctorch_tensor *tensor,
    ctorch_tensor *out);

/** aten::dropout(Tensor input, float p, bool train) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_dropout(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    double p,
    bool train);

/** aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_dropout_(
    ctorch_tensor *self,
    double p,
    bool train);

/** aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_dsplit_array(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *indices,
    size_t indices_len);

/** aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_dsplit_int(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t sections);

/** aten::dstack(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_dstack(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_dstack_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *out);

/** aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_einsum(
    ctorch_tensor **out,
    const char *equation,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const int64_t *path,
    size_t path_len);

/** aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_elu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *alpha,
    const ctorch_scalar *scale,
    const ctorch_scalar *input_scale);

/** aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_elu_(
    ctorch_tensor *self,
    const ctorch_scalar *alpha,
    const ctorch_scalar *scale,
    const ctorch_scalar *input_scale);

/** aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_elu_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_scalar *alpha,
    const ctorch_scalar *scale,
    const ctorch_scalar *input_scale,
    bool is_result,
    const ctorch_tensor *self_or_result);

/** aten::elu_backward.grad_input(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_elu_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_scalar *alpha,
    const ctorch_scalar *scale,
    const ctorch_scalar *input_scale,
    bool is_result,
    const ctorch_tensor *self_or_result,
    ctorch_tensor *grad_input);

/** aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_elu_out(
    const ctorch_tensor *self,
    const ctorch_scalar *alpha,
    const ctorch_scalar *scale,
    const ctorch_scalar *input_scale,
    ctorch_tensor *out);

/** aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_embedding(
    ctorch_tensor **out,
    const ctorch_tensor *weight,
    const ctorch_tensor *indices,
    int64_t padding_idx,
    bool scale_grad_by_freq,
    bool sparse);

/** aten::embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, bool sparse) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_embedding_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *indices,
    int64_t num_weights,
    int64_t padding_idx,
    bool scale_grad_by_freq,
    bool sparse);

/** aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten_embedding_bag(
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
    const ctorch_tensor *per_sample_weights,
    bool include_last_offset);

/** aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten_embedding_bag_padding_idx(
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
    const ctorch_tensor *per_sample_weights,
    bool include_last_offset,
    const int64_t *padding_idx);

/** aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_embedding_dense_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *indices,
    int64_t num_weights,
    int64_t padding_idx,
    bool scale_grad_by_freq);

/** aten::embedding_dense_backward.out(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_embedding_dense_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *indices,
    int64_t num_weights,
    int64_t padding_idx,
    bool scale_grad_by_freq,
    ctorch_tensor *out);

/** aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_embedding_out(
    const ctorch_tensor *weight,
    const ctorch_tensor *indices,
    int64_t padding_idx,
    bool scale_grad_by_freq,
    bool sparse,
    ctorch_tensor *out);

/** aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_embedding_renorm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    double max_norm,
    double norm_type);

/** aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_embedding_renorm_(
    ctorch_tensor *self,
    const ctorch_tensor *indices,
    double max_norm,
    double norm_type);

/** aten::embedding_renorm.out(Tensor self, Tensor indices, float max_norm, float norm_type, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_embedding_renorm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    double max_norm,
    double norm_type,
    ctorch_tensor *out);

/** aten::embedding_sparse_backward(Tensor grad, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_embedding_sparse_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *indices,
    int64_t num_weights,
    int64_t padding_idx,
    bool scale_grad_by_freq);

/** aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_empty_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_empty_like_out(
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

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

/** aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_empty_out(
    const int64_t *size,
    size_t size_len,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_empty_permuted(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const int64_t *physical_layout,
    size_t physical_layout_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::empty_permuted.out(SymInt[] size, int[] physical_layout, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_empty_permuted_out(
    const int64_t *size,
    size_t size_len,
    const int64_t *physical_layout,
    size_t physical_layout_len,
    ctorch_tensor *out);

/** aten::empty_quantized(int[] size, Tensor qtensor, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_empty_quantized(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_tensor *qtensor,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::empty_quantized.out(int[] size, Tensor qtensor, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_empty_quantized_out(
    const int64_t *size,
    size_t size_len,
    const ctorch_tensor *qtensor,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_empty_strided(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_empty_strided_out(
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    ctorch_tensor *out);

/** aten::eq.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_eq_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_eq_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::eq.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_eq_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_eq_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::eq_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_eq__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_eq__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::equal(Tensor self, Tensor other) -> bool */
CTORCH_API ctorch_error *ctorch_aten_equal(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::erf(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_erf(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::erf_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_erf_(
    ctorch_tensor *self);

/** aten::erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_erf_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::erfc(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_erfc(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::erfc_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_erfc_(
    ctorch_tensor *self);

/** aten::erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_erfc_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::erfinv(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_erfinv(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::erfinv_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_erfinv_(
    ctorch_tensor *self);

/** aten::erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_erfinv_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::exp(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_exp(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::exp2(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_exp2(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::exp2_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_exp2_(
    ctorch_tensor *self);

/** aten::exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_exp2_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::exp_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_exp_(
    ctorch_tensor *self);

/** aten::exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_exp_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_expand(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    bool implicit);

/** aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_expand_as(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_expand_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    bool implicit);

/** aten::expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_expand_copy_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    bool implicit,
    ctorch_tensor *out);

/** aten::expm1(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_expm1(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::expm1_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_expm1_(
    ctorch_tensor *self);

/** aten::expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_expm1_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::exponential(Tensor self, float lambd=1, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_exponential(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double lambd,
    ctorch_generator *generator);

/** aten::exponential_(Tensor(a!) self, float lambd=1, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_exponential_(
    ctorch_tensor *self,
    double lambd,
    ctorch_generator *generator);

/** aten::exponential.out(Tensor self, float lambd=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_exponential_out(
    const ctorch_tensor *self,
    double lambd,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_eye(
    ctorch_tensor **out,
    int64_t n,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_eye_m(
    ctorch_tensor **out,
    int64_t n,
    int64_t m,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_eye_m_out(
    int64_t n,
    int64_t m,
    ctorch_tensor *out);

/** aten::eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_eye_out(
    int64_t n,
    ctorch_tensor *out);

/** aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_channel_affine(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis,
    int64_t quant_min,
    int64_t quant_max);

/** aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask) */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_channel_affine_cachemask(
    ctorch_tensor **out_output,
    ctorch_tensor **out_mask,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis,
    int64_t quant_min,
    int64_t quant_max);

/** aten::fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_channel_affine_cachemask_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *mask);

/** aten::fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_channel_affine_cachemask_out(
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis,
    int64_t quant_min,
    int64_t quant_max,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_tensor_affine(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double scale,
    int64_t zero_point,
    int64_t quant_min,
    int64_t quant_max);

/** aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> (Tensor output, Tensor mask) */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_tensor_affine_cachemask(
    ctorch_tensor **out_output,
    ctorch_tensor **out_mask,
    const ctorch_tensor *self,
    double scale,
    int64_t zero_point,
    int64_t quant_min,
    int64_t quant_max);

/** aten::fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_tensor_affine_cachemask_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *mask);

/** aten::fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int zero_point, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_tensor_affine_cachemask_out(
    const ctorch_tensor *self,
    double scale,
    int64_t zero_point,
    int64_t quant_min,
    int64_t quant_max,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fake_quantize_per_tensor_affine_tensor_qparams(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t quant_min,
    int64_t quant_max);

/** aten::fbgemm_linear_fp16_weight(Tensor input, Tensor packed_weight, Tensor bias) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_fp16_weight(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *packed_weight,
    const ctorch_tensor *bias);

/** aten::fbgemm_linear_fp16_weight_fp32_activation(Tensor input, Tensor packed_weight, Tensor? bias) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_fp16_weight_fp32_activation(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *packed_weight,
    const ctorch_tensor *bias);

/** aten::fbgemm_linear_fp16_weight_fp32_activation.out(Tensor input, Tensor packed_weight, Tensor? bias, Tensor(a!) output) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_fp16_weight_fp32_activation_out(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *packed_weight,
    const ctorch_tensor *bias,
    ctorch_tensor *output);

/** aten::fbgemm_linear_fp16_weight.out(Tensor input, Tensor packed_weight, Tensor bias, Tensor(a!) output) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_fp16_weight_out(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *packed_weight,
    const ctorch_tensor *bias,
    ctorch_tensor *output);

/** aten::fbgemm_linear_int8_weight(Tensor input, Tensor weight, Tensor packed, Tensor col_offsets, Scalar weight_scale, Scalar weight_zero_point, Tensor bias) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_int8_weight(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *packed,
    const ctorch_tensor *col_offsets,
    const ctorch_scalar *weight_scale,
    const ctorch_scalar *weight_zero_point,
    const ctorch_tensor *bias);

/** aten::fbgemm_linear_int8_weight_fp32_activation(Tensor input, Tensor weight, Tensor packed, Tensor col_offsets, Scalar weight_scale, Scalar weight_zero_point, Tensor bias) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_int8_weight_fp32_activation(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *packed,
    const ctorch_tensor *col_offsets,
    const ctorch_scalar *weight_scale,
    const ctorch_scalar *weight_zero_point,
    const ctorch_tensor *bias);

/** aten::fbgemm_linear_quantize_weight(Tensor input) -> (Tensor, Tensor, float, int) */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_linear_quantize_weight(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    double *out2,
    int64_t *out3,
    const ctorch_tensor *input);

/** aten::fbgemm_pack_gemm_matrix_fp16(Tensor input) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_pack_gemm_matrix_fp16(
    ctorch_tensor **out,
    const ctorch_tensor *input);

/** aten::fbgemm_pack_quantized_matrix(Tensor input) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_pack_quantized_matrix(
    ctorch_tensor **out,
    const ctorch_tensor *input);

/** aten::fbgemm_pack_quantized_matrix.KN(Tensor input, int K, int N) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fbgemm_pack_quantized_matrix_KN(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    int64_t K,
    int64_t N);

/** aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_feature_alpha_dropout(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    double p,
    bool train);

/** aten::feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_feature_alpha_dropout_(
    ctorch_tensor *self,
    double p,
    bool train);

/** aten::feature_dropout(Tensor input, float p, bool train) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_feature_dropout(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    double p,
    bool train);

/** aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_feature_dropout_(
    ctorch_tensor *self,
    double p,
    bool train);

/** aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_fft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_fft2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_fft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_fft2_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_fft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_fft_out(
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_fftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_fftfreq(
    ctorch_tensor **out,
    int64_t n,
    double d,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::fft_fftfreq.out(int n, float d=1.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_fftfreq_out(
    int64_t n,
    double d,
    ctorch_tensor *out);

/** aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_fftn(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_fftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_fftn_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_fftshift(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_hfft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_hfft2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_hfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_hfft2_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_hfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_hfft_out(
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_hfftn(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_hfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_hfftn_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_ifft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_ifft2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_ifft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_ifft2_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_ifft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_ifft_out(
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_ifftn(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_ifftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_ifftn_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_ifftshift(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_ihfft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_ihfft2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_ihfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_ihfft2_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_ihfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_ihfft_out(
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_ihfftn(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_ihfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_ihfftn_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_irfft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_irfft2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_irfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_irfft2_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_irfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_irfft_out(
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_irfftn(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_irfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_irfftn_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_rfft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm);

/** aten::fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_rfft2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_rfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_rfft2_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_rfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_rfft_out(
    const ctorch_tensor *self,
    const int64_t *n,
    int64_t dim,
    const char *norm,
    ctorch_tensor *out);

/** aten::fft_rfftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_rfftfreq(
    ctorch_tensor **out,
    int64_t n,
    double d,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::fft_rfftfreq.out(int n, float d=1.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_rfftfreq_out(
    int64_t n,
    double d,
    ctorch_tensor *out);

/** aten::fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fft_rfftn(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm);

/** aten::fft_rfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fft_rfftn_out(
    const ctorch_tensor *self,
    const int64_t *s,
    size_t s_len,
    const int64_t *dim,
    size_t dim_len,
    const char *norm,
    ctorch_tensor *out);

/** aten::fill.Scalar(Tensor self, Scalar value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fill_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *value);

/** aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fill_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::fill.Tensor(Tensor self, Tensor value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fill_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *value);

/** aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fill_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *value,
    ctorch_tensor *out);

/** aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fill__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *value);

/** aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fill__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *value);

/** aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fill_diagonal_(
    ctorch_tensor *self,
    const ctorch_scalar *fill_value,
    bool wrap);

/** aten::fix(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fix(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::fix_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fix_(
    ctorch_tensor *self);

/** aten::fix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fix_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_flatten_dense_tensors(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_flatten_using_ints(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t start_dim,
    int64_t end_dim);

/** aten::flip(Tensor self, int[] dims) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_flip(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dims,
    size_t dims_len);

/** aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_flip_out(
    const ctorch_tensor *self,
    const int64_t *dims,
    size_t dims_len,
    ctorch_tensor *out);

/** aten::fliplr(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fliplr(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::flipud(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_flipud(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_float_power_Scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *exponent);

/** aten::float_power.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_float_power_Scalar_out(
    const ctorch_scalar *self,
    const ctorch_tensor *exponent,
    ctorch_tensor *out);

/** aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_float_power_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *exponent);

/** aten::float_power.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_float_power_Tensor_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *exponent,
    ctorch_tensor *out);

/** aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_float_power_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *exponent);

/** aten::float_power.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_float_power_Tensor_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *exponent,
    ctorch_tensor *out);

/** aten::float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_float_power__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *exponent);

/** aten::float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_float_power__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *exponent);

/** aten::floor(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_floor(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::floor_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_floor_(
    ctorch_tensor *self);

/** aten::floor_divide(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_floor_divide(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_floor_divide_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::floor_divide.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_floor_divide_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::floor_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_floor_divide__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_floor_divide__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_floor_divide_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_floor_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::fmax(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::fmax.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fmax_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::fmin(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fmin(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::fmin.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fmin_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fmod_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::fmod.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fmod_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fmod_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::fmod.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fmod_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::fmod_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fmod__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::fmod_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fmod__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::frac(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_frac(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::frac_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_frac_(
    ctorch_tensor *self);

/** aten::frac.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_frac_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool2d(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *random_samples);

/** aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *indices);

/** aten::fractional_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *indices,
    ctorch_tensor *grad_input);

/** aten::fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool2d_output(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *random_samples,
    ctorch_tensor *output,
    ctorch_tensor *indices);

/** aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool3d(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *random_samples);

/** aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *indices);

/** aten::fractional_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *indices,
    ctorch_tensor *grad_input);

/** aten::fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_fractional_max_pool3d_output(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *output_size,
    size_t output_size_len,
    const ctorch_tensor *random_samples,
    ctorch_tensor *output,
    ctorch_tensor *indices);

/** aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent) */
CTORCH_API ctorch_error *ctorch_aten_frexp_Tensor(
    ctorch_tensor **out_mantissa,
    ctorch_tensor **out_exponent,
    const ctorch_tensor *self);

/** aten::frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent) -> (Tensor(a!) mantissa, Tensor(b!) exponent) */
CTORCH_API ctorch_error *ctorch_aten_frexp_Tensor_out(
    const ctorch_tensor *self,
    ctorch_tensor *mantissa,
    ctorch_tensor *exponent);

/** aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_frobenius_norm_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::frobenius_norm.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_frobenius_norm_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

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

/** aten::from_file.out(str filename, bool? shared=None, int? size=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_from_file_out(
    const char *filename,
    const bool *shared,
    const int64_t *size,
    ctorch_tensor *out);

/** aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_full(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_scalar *fill_value,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_full_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *fill_value,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_full_like_out(
    const ctorch_tensor *self,
    const ctorch_scalar *fill_value,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_full_out(
    const int64_t *size,
    size_t size_len,
    const ctorch_scalar *fill_value,
    ctorch_tensor *out);

/** aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_fused_moving_avg_obs_fake_quant(
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
    int64_t ch_axis,
    bool per_row_fake_quant,
    bool symmetric_quant);

/** aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gather(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    bool sparse_grad);

/** aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gather_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    bool sparse_grad);

/** aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gather_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    bool sparse_grad,
    ctorch_tensor *out);

/** aten::gcd(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gcd(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::gcd_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gcd_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::gcd.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gcd_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::ge.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ge_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ge_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::ge.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ge_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ge_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::ge_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ge__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ge__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::gelu(Tensor self, *, str approximate='none') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gelu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *approximate);

/** aten::gelu_(Tensor(a!) self, *, str approximate='none') -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gelu_(
    ctorch_tensor *self,
    const char *approximate);

/** aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gelu_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const char *approximate);

/** aten::gelu_backward.grad_input(Tensor grad_output, Tensor self, *, str approximate='none', Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gelu_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const char *approximate,
    ctorch_tensor *grad_input);

/** aten::gelu.out(Tensor self, *, str approximate='none', Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gelu_out(
    const ctorch_tensor *self,
    const char *approximate,
    ctorch_tensor *out);

/** aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_geometric(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double p,
    ctorch_generator *generator);

/** aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_geometric_(
    ctorch_tensor *self,
    double p,
    ctorch_generator *generator);

/** aten::geometric.out(Tensor self, float p, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_geometric_out(
    const ctorch_tensor *self,
    double p,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::geqrf(Tensor self) -> (Tensor a, Tensor tau) */
CTORCH_API ctorch_error *ctorch_aten_geqrf(
    ctorch_tensor **out_a,
    ctorch_tensor **out_tau,
    const ctorch_tensor *self);

/** aten::geqrf.a(Tensor self, *, Tensor(a!) a, Tensor(b!) tau) -> (Tensor(a!) a, Tensor(b!) tau) */
CTORCH_API ctorch_error *ctorch_aten_geqrf_a(
    const ctorch_tensor *self,
    ctorch_tensor *a,
    ctorch_tensor *tau);

/** aten::ger(Tensor self, Tensor vec2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ger(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *vec2);

/** aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ger_out(
    const ctorch_tensor *self,
    const ctorch_tensor *vec2,
    ctorch_tensor *out);

/** aten::get_device(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_get_device(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::glu(Tensor self, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_glu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_glu_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::glu_backward.grad_input(Tensor grad_output, Tensor self, int dim, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_glu_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *grad_input);

/** aten::glu_backward_jvp(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor dx, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_glu_backward_jvp(
    ctorch_tensor **out,
    const ctorch_tensor *grad_x,
    const ctorch_tensor *grad_glu,
    const ctorch_tensor *x,
    const ctorch_tensor *dgrad_glu,
    const ctorch_tensor *dx,
    int64_t dim);

/** aten::glu_backward_jvp.out(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor dx, int dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_glu_backward_jvp_out(
    const ctorch_tensor *grad_x,
    const ctorch_tensor *grad_glu,
    const ctorch_tensor *x,
    const ctorch_tensor *dgrad_glu,
    const ctorch_tensor *dx,
    int64_t dim,
    ctorch_tensor *out);

/** aten::glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_glu_jvp(
    ctorch_tensor **out,
    const ctorch_tensor *glu,
    const ctorch_tensor *x,
    const ctorch_tensor *dx,
    int64_t dim);

/** aten::glu_jvp.out(Tensor glu, Tensor x, Tensor dx, int dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_glu_jvp_out(
    const ctorch_tensor *glu,
    const ctorch_tensor *x,
    const ctorch_tensor *dx,
    int64_t dim,
    ctorch_tensor *out);

/** aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_glu_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *out);

/** aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_gradient_array(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    int64_t edge_order);

/** aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_gradient_scalararray(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_scalar *spacing,
    const int64_t *dim,
    size_t dim_len,
    int64_t edge_order);

/** aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_gradient_scalarint(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_scalar *spacing,
    const int64_t *dim,
    int64_t edge_order);

/** aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_gradient_scalarrayarray(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_scalar *spacing,
    size_t spacing_len,
    const int64_t *dim,
    size_t dim_len,
    int64_t edge_order);

/** aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_gradient_scalarrayint(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_scalar *spacing,
    size_t spacing_len,
    const int64_t *dim,
    int64_t edge_order);

/** aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_gradient_tensorarray(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *spacing,
    size_t spacing_len,
    const int64_t *dim,
    size_t dim_len,
    int64_t edge_order);

/** aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_gradient_tensorarrayint(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *spacing,
    size_t spacing_len,
    const int64_t *dim,
    int64_t edge_order);

/** aten::greater.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_greater_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::greater.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::greater.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_greater_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::greater.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::greater_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::greater_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_greater_equal_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::greater_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater_equal_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_greater_equal_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::greater_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater_equal_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::greater_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater_equal__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::greater_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_greater_equal__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners);

/** aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_2d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners);

/** aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_2d_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::grid_sampler_2d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_2d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_2d_out(
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners,
    ctorch_tensor *out);

/** aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_3d(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners);

/** aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_3d_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::grid_sampler_3d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_3d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::grid_sampler_3d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten_grid_sampler_3d_out(
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners,
    ctorch_tensor *out);

/** aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_group_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    int64_t num_groups,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    double eps,
    bool cudnn_enabled);

/** aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gru_cell(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh);

/** aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_gru_data(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *data,
    const ctorch_tensor *batch_sizes,
    const ctorch_tensor *hx,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional);

/** aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_gru_input(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional,
    bool batch_first);

/** aten::gt.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gt_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gt_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::gt.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_gt_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gt_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::gt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gt__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_gt__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hamming_window(
    ctorch_tensor **out,
    int64_t window_length,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::hamming_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hamming_window_out(
    int64_t window_length,
    ctorch_tensor *out);

/** aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hamming_window_periodic(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hamming_window_periodic_alpha(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    double alpha,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hamming_window_periodic_alpha_beta(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    double alpha,
    double beta,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::hamming_window.periodic_alpha_beta_out(int window_length, bool periodic, float alpha, float beta, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hamming_window_periodic_alpha_beta_out(
    int64_t window_length,
    bool periodic,
    double alpha,
    double beta,
    ctorch_tensor *out);

/** aten::hamming_window.periodic_alpha_out(int window_length, bool periodic, float alpha, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hamming_window_periodic_alpha_out(
    int64_t window_length,
    bool periodic,
    double alpha,
    ctorch_tensor *out);

/** aten::hamming_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hamming_window_periodic_out(
    int64_t window_length,
    bool periodic,
    ctorch_tensor *out);

/** aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hann_window(
    ctorch_tensor **out,
    int64_t window_length,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hann_window_out(
    int64_t window_length,
    ctorch_tensor *out);

/** aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hann_window_periodic(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hann_window_periodic_out(
    int64_t window_length,
    bool periodic,
    ctorch_tensor *out);

/** aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardshrink(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *lambd);

/** aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardshrink_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *self,
    const ctorch_scalar *lambd);

/** aten::hardshrink_backward.grad_input(Tensor grad_out, Tensor self, Scalar lambd, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardshrink_backward_grad_input(
    const ctorch_tensor *grad_out,
    const ctorch_tensor *self,
    const ctorch_scalar *lambd,
    ctorch_tensor *grad_input);

/** aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardshrink_out(
    const ctorch_tensor *self,
    const ctorch_scalar *lambd,
    ctorch_tensor *out);

/** aten::hardsigmoid(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardsigmoid(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardsigmoid_(
    ctorch_tensor *self);

/** aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardsigmoid_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self);

/** aten::hardsigmoid_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardsigmoid_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    ctorch_tensor *grad_input);

/** aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardsigmoid_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::hardswish(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardswish(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::hardswish_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardswish_(
    ctorch_tensor *self);

/** aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardswish_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self);

/** aten::hardswish_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardswish_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardswish_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardtanh(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *min_val,
    const ctorch_scalar *max_val);

/** aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardtanh_(
    ctorch_tensor *self,
    const ctorch_scalar *min_val,
    const ctorch_scalar *max_val);

/** aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hardtanh_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *min_val,
    const ctorch_scalar *max_val);

/** aten::hardtanh_backward.grad_input(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardtanh_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *min_val,
    const ctorch_scalar *max_val,
    ctorch_tensor *grad_input);

/** aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hardtanh_out(
    const ctorch_tensor *self,
    const ctorch_scalar *min_val,
    const ctorch_scalar *max_val,
    ctorch_tensor *out);

/** aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor
 * mode: ctorch_hash_tensor_mode */
CTORCH_API ctorch_error *ctorch_aten_hash_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    int64_t mode);

/** aten::hash_tensor.out(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0, Tensor(a!) out) -> Tensor(a!)
 * mode: ctorch_hash_tensor_mode */
CTORCH_API ctorch_error *ctorch_aten_hash_tensor_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    int64_t mode,
    ctorch_tensor *out);

/** aten::heaviside(Tensor self, Tensor values) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_heaviside(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *values);

/** aten::heaviside_(Tensor(a!) self, Tensor values) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_heaviside_(
    ctorch_tensor *self,
    const ctorch_tensor *values);

/** aten::heaviside.out(Tensor self, Tensor values, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_heaviside_out(
    const ctorch_tensor *self,
    const ctorch_tensor *values,
    ctorch_tensor *out);

/** aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_hinge_embedding_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    double margin,
    int64_t reduction);

/** aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_histc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t bins,
    const ctorch_scalar *min,
    const ctorch_scalar *max);

/** aten::histc.out(Tensor self, int bins=100, Scalar min=0, Scalar max=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_histc_out(
    const ctorch_tensor *self,
    int64_t bins,
    const ctorch_scalar *min,
    const ctorch_scalar *max,
    ctorch_tensor *out);

/** aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges) */
CTORCH_API ctorch_error *ctorch_aten_histogram_bin_ct(
    ctorch_tensor **out_hist,
    ctorch_tensor **out_bin_edges,
    const ctorch_tensor *self,
    int64_t bins,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density);

/** aten::histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) bin_edges) */
CTORCH_API ctorch_error *ctorch_aten_histogram_bin_ct_out(
    const ctorch_tensor *self,
    int64_t bins,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density,
    ctorch_tensor *hist,
    ctorch_tensor *bin_edges);

/** aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges) */
CTORCH_API ctorch_error *ctorch_aten_histogram_bins_tensor(
    ctorch_tensor **out_hist,
    ctorch_tensor **out_bin_edges,
    const ctorch_tensor *self,
    const ctorch_tensor *bins,
    const ctorch_tensor *weight,
    bool density);

/** aten::histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) bin_edges) */
CTORCH_API ctorch_error *ctorch_aten_histogram_bins_tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *bins,
    const ctorch_tensor *weight,
    bool density,
    ctorch_tensor *hist,
    ctorch_tensor *bin_edges);

/** aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges) */
CTORCH_API ctorch_error *ctorch_aten_histogramdd(
    ctorch_tensor **out_hist,
    ctorch_tensor_list **out_bin_edges,
    const ctorch_tensor *self,
    const int64_t *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density);

/** aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges) */
CTORCH_API ctorch_error *ctorch_aten_histogramdd_TensorList_bins(
    ctorch_tensor **out_hist,
    ctorch_tensor_list **out_bin_edges,
    const ctorch_tensor *self,
    const ctorch_tensor *const *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density);

/** aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges) */
CTORCH_API ctorch_error *ctorch_aten_histogramdd_int_bins(
    ctorch_tensor **out_hist,
    ctorch_tensor_list **out_bin_edges,
    const ctorch_tensor *self,
    int64_t bins,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density);

/** aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_hsplit_array(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *indices,
    size_t indices_len);

/** aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_hsplit_int(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t sections);

/** aten::hspmm(Tensor mat1, Tensor mat2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hspmm(
    ctorch_tensor **out,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2);

/** aten::hspmm.out(Tensor mat1, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hspmm_out(
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    ctorch_tensor *out);

/** aten::hstack(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hstack(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hstack_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *out);

/** aten::huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_huber_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double delta);

/** aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_huber_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double delta);

/** aten::huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_huber_loss_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double delta,
    ctorch_tensor *grad_input);

/** aten::huber_loss.out(Tensor self, Tensor target, int reduction=Mean, float delta=1.0, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_huber_loss_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double delta,
    ctorch_tensor *out);

/** aten::hypot(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_hypot(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::hypot_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hypot_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::hypot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_hypot_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::i0(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_i0(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::i0_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_i0_(
    ctorch_tensor *self);

/** aten::i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_i0_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::igamma(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_igamma(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::igamma_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_igamma_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::igamma.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_igamma_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::igammac(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_igammac(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::igammac_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_igammac_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::igammac.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_igammac_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_im2col(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *dilation,
    size_t dilation_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::im2col.out(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_im2col_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *dilation,
    size_t dilation_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    ctorch_tensor *out);

/** aten::imag(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_imag(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len);

/** aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    ctorch_tensor *out);

/** aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_add(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const ctorch_scalar *alpha);

/** aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_add_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const ctorch_scalar *alpha);

/** aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_add_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source);

/** aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_copy_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source);

/** aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_copy_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    ctorch_tensor *out);

/** aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_fill__int_Scalar(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value);

/** aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_fill__int_Tensor(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *value);

/** aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_fill_int_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value);

/** aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_fill_int_Scalar_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_fill_int_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *value);

/** aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_fill_int_Tensor_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *value,
    ctorch_tensor *out);

/** aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_put(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate);

/** aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_put_(
    ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate);

/** aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_put_out(
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate,
    ctorch_tensor *out);

/** aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_reduce(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const char *reduce,
    bool include_self);

/** aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_reduce_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const char *reduce,
    bool include_self);

/** aten::index_reduce.out(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_reduce_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    const char *reduce,
    bool include_self,
    ctorch_tensor *out);

/** aten::index_select(Tensor self, int dim, Tensor index) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_select(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index);

/** aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_index_select_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const int64_t *self_sizes,
    size_t self_sizes_len,
    int64_t dim,
    const ctorch_tensor *index);

/** aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_index_select_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    ctorch_tensor *out);

/** aten::indices(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_indices(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::indices_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_indices_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_indices_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_infinitely_differentiable_gelu_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *self);

/** aten::inner(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_inner(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_inner_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_instance_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool use_input_stats,
    double momentum,
    double eps,
    bool cudnn_enabled);

/** aten::int_repr(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_int_repr(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::int_repr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_int_repr_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::inverse(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_inverse(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::inverse.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_inverse_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::is_coalesced(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_coalesced(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_complex(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_complex(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_conj(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_conj(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_contiguous(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_contiguous(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_contiguous_memory_format(
    bool *out,
    const ctorch_tensor *self,
    ctorch_memory_format memory_format);

/** aten::is_distributed(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_distributed(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_floating_point(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_floating_point(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_inference(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_inference(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_leaf(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_leaf(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_neg(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_neg(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_nonzero(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_nonzero(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_pinned(Tensor self, Device? device=None) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_pinned(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_device *device);

/** aten::is_same_size(Tensor self, Tensor other) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_same_size(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::is_set_to(Tensor self, Tensor tensor) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_set_to(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor);

/** aten::is_signed(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_signed(
    bool *out,
    const ctorch_tensor *self);

/** aten::is_vulkan_available() -> bool */
CTORCH_API ctorch_error *ctorch_aten_is_vulkan_available(
    bool *out);

/** aten::isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isclose(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    double rtol,
    double atol,
    bool equal_nan);

/** aten::isfinite(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isfinite(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isin_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *element,
    const ctorch_tensor *test_elements,
    bool assume_unique,
    bool invert);

/** aten::isin.Scalar_Tensor_out(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_isin_Scalar_Tensor_out(
    const ctorch_scalar *element,
    const ctorch_tensor *test_elements,
    bool assume_unique,
    bool invert,
    ctorch_tensor *out);

/** aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isin_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *elements,
    const ctorch_scalar *test_element,
    bool assume_unique,
    bool invert);

/** aten::isin.Tensor_Scalar_out(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_isin_Tensor_Scalar_out(
    const ctorch_tensor *elements,
    const ctorch_scalar *test_element,
    bool assume_unique,
    bool invert,
    ctorch_tensor *out);

/** aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isin_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *elements,
    const ctorch_tensor *test_elements,
    bool assume_unique,
    bool invert);

/** aten::isin.Tensor_Tensor_out(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_isin_Tensor_Tensor_out(
    const ctorch_tensor *elements,
    const ctorch_tensor *test_elements,
    bool assume_unique,
    bool invert,
    ctorch_tensor *out);

/** aten::isinf(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isinf(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_isinf_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::isnan(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isnan(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_isnan_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::isneginf(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isneginf(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::isneginf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_isneginf_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::isposinf(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isposinf(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::isposinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_isposinf_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::isreal(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_isreal(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_istft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n_fft,
    const int64_t *hop_length,
    const int64_t *win_length,
    const ctorch_tensor *window,
    bool center,
    bool normalized,
    const bool *onesided,
    const int64_t *length,
    bool return_complex);

/** aten::item(Tensor self) -> Scalar */
CTORCH_API ctorch_error *ctorch_aten_item(
    ctorch_scalar *out,
    const ctorch_tensor *self);

/** aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_kaiser_window(
    ctorch_tensor **out,
    int64_t window_length,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_kaiser_window_beta(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    double beta,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::kaiser_window.beta_out(int window_length, bool periodic, float beta, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_kaiser_window_beta_out(
    int64_t window_length,
    bool periodic,
    double beta,
    ctorch_tensor *out);

/** aten::kaiser_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_kaiser_window_out(
    int64_t window_length,
    ctorch_tensor *out);

/** aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_kaiser_window_periodic(
    ctorch_tensor **out,
    int64_t window_length,
    bool periodic,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::kaiser_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_kaiser_window_periodic_out(
    int64_t window_length,
    bool periodic,
    ctorch_tensor *out);

/** aten::kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_kl_div(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    bool log_target);

/** aten::kron(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_kron(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::kron.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_kron_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_kthvalue(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t k,
    int64_t dim,
    bool keepdim);

/** aten::kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_kthvalue_values(
    const ctorch_tensor *self,
    int64_t k,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_l1_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_layer_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    double eps,
    bool cudnn_enable);

/** aten::lcm(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lcm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::lcm_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lcm_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::lcm.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lcm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ldexp_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ldexp_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::ldexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ldexp_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::le.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_le_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_le_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::le.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_le_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_le_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::le_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_le__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_le__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_leaky_relu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *negative_slope);

/** aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_leaky_relu_(
    ctorch_tensor *self,
    const ctorch_scalar *negative_slope);

/** aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_leaky_relu_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *negative_slope,
    bool self_is_result);

/** aten::leaky_relu_backward.grad_input(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_leaky_relu_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *negative_slope,
    bool self_is_result,
    ctorch_tensor *grad_input);

/** aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_leaky_relu_out(
    const ctorch_tensor *self,
    const ctorch_scalar *negative_slope,
    ctorch_tensor *out);

/** aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lerp_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *end,
    const ctorch_scalar *weight);

/** aten::lerp.Scalar_out(Tensor self, Tensor end, Scalar weight, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lerp_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_tensor *end,
    const ctorch_scalar *weight,
    ctorch_tensor *out);

/** aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lerp_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *end,
    const ctorch_tensor *weight);

/** aten::lerp.Tensor_out(Tensor self, Tensor end, Tensor weight, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lerp_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *end,
    const ctorch_tensor *weight,
    ctorch_tensor *out);

/** aten::lerp_.Scalar(Tensor(a!) self, Tensor end, Scalar weight) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lerp__Scalar(
    ctorch_tensor *self,
    const ctorch_tensor *end,
    const ctorch_scalar *weight);

/** aten::lerp_.Tensor(Tensor(a!) self, Tensor end, Tensor weight) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lerp__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *end,
    const ctorch_tensor *weight);

/** aten::less.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_less_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::less.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::less.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_less_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::less.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::less_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::less_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_less_equal_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::less_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less_equal_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_less_equal_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::less_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less_equal_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::less_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less_equal__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::less_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_less_equal__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::lgamma(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lgamma(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::lgamma_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lgamma_(
    ctorch_tensor *self);

/** aten::lgamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lgamma_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::lift(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lift(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::lift_fresh(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_lift_fresh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::lift_fresh_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lift_fresh_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lift_fresh_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::lift.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lift_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg__powsum(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_cholesky(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool upper);

/** aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_cholesky_ex(
    ctorch_tensor **out_L,
    ctorch_tensor **out_info,
    const ctorch_tensor *self,
    bool upper,
    bool check_errors);

/** aten::linalg_cholesky_ex.L(Tensor self, *, bool upper=False, bool check_errors=False, Tensor(a!) L, Tensor(b!) info) -> (Tensor(a!) L, Tensor(b!) info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_cholesky_ex_L(
    const ctorch_tensor *self,
    bool upper,
    bool check_errors,
    ctorch_tensor *L,
    ctorch_tensor *info);

/** aten::linalg_cholesky.out(Tensor self, *, bool upper=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_cholesky_out(
    const ctorch_tensor *self,
    bool upper,
    ctorch_tensor *out);

/** aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_cond(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p);

/** aten::linalg_cond.out(Tensor self, Scalar? p=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_cond_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    ctorch_tensor *out);

/** aten::linalg_cond.p_str(Tensor self, str p) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_cond_p_str(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *p);

/** aten::linalg_cond.p_str_out(Tensor self, str p, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_cond_p_str_out(
    const ctorch_tensor *self,
    const char *p,
    ctorch_tensor *out);

/** aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_cross(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    int64_t dim);

/** aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_cross_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    int64_t dim,
    ctorch_tensor *out);

/** aten::linalg_det(Tensor A) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_det(
    ctorch_tensor **out,
    const ctorch_tensor *A);

/** aten::linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_det_out(
    const ctorch_tensor *A,
    ctorch_tensor *out);

/** aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_linalg_diagonal(
    ctorch_tensor **out,
    const ctorch_tensor *A,
    int64_t offset,
    int64_t dim1,
    int64_t dim2);

/** aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors) */
CTORCH_API ctorch_error *ctorch_aten_linalg_eig(
    ctorch_tensor **out_eigenvalues,
    ctorch_tensor **out_eigenvectors,
    const ctorch_tensor *self);

/** aten::linalg_eig.out(Tensor self, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) */
CTORCH_API ctorch_error *ctorch_aten_linalg_eig_out(
    const ctorch_tensor *self,
    ctorch_tensor *eigenvalues,
    ctorch_tensor *eigenvectors);

/** aten::linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors) */
CTORCH_API ctorch_error *ctorch_aten_linalg_eigh(
    ctorch_tensor **out_eigenvalues,
    ctorch_tensor **out_eigenvectors,
    const ctorch_tensor *self,
    const char *UPLO);

/** aten::linalg_eigh.eigvals(Tensor self, str UPLO="L", *, Tensor(a!) eigvals, Tensor(b!) eigvecs) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) */
CTORCH_API ctorch_error *ctorch_aten_linalg_eigh_eigvals(
    const ctorch_tensor *self,
    const char *UPLO,
    ctorch_tensor *eigvals,
    ctorch_tensor *eigvecs);

/** aten::linalg_eigvals(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_eigvals(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::linalg_eigvals.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_eigvals_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_eigvalsh(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *UPLO);

/** aten::linalg_eigvalsh.out(Tensor self, str UPLO="L", *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_eigvalsh_out(
    const ctorch_tensor *self,
    const char *UPLO,
    ctorch_tensor *out);

/** aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_householder_product(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *tau);

/** aten::linalg_householder_product.out(Tensor input, Tensor tau, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_householder_product_out(
    const ctorch_tensor *input,
    const ctorch_tensor *tau,
    ctorch_tensor *out);

/** aten::linalg_inv(Tensor A) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_inv(
    ctorch_tensor **out,
    const ctorch_tensor *A);

/** aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_inv_ex(
    ctorch_tensor **out_inverse,
    ctorch_tensor **out_info,
    const ctorch_tensor *A,
    bool check_errors);

/** aten::linalg_inv_ex.inverse(Tensor A, *, bool check_errors=False, Tensor(a!) inverse, Tensor(b!) info) -> (Tensor(a!) inverse, Tensor(b!) info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_inv_ex_inverse(
    const ctorch_tensor *A,
    bool check_errors,
    ctorch_tensor *inverse,
    ctorch_tensor *info);

/** aten::linalg_inv.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_inv_out(
    const ctorch_tensor *A,
    ctorch_tensor *out);

/** aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots) */
CTORCH_API ctorch_error *ctorch_aten_linalg_ldl_factor(
    ctorch_tensor **out_LD,
    ctorch_tensor **out_pivots,
    const ctorch_tensor *self,
    bool hermitian);

/** aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_ldl_factor_ex(
    ctorch_tensor **out_LD,
    ctorch_tensor **out_pivots,
    ctorch_tensor **out_info,
    const ctorch_tensor *self,
    bool hermitian,
    bool check_errors);

/** aten::linalg_ldl_factor_ex.out(Tensor self, *, bool hermitian=False, bool check_errors=False, Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_ldl_factor_ex_out(
    const ctorch_tensor *self,
    bool hermitian,
    bool check_errors,
    ctorch_tensor *LD,
    ctorch_tensor *pivots,
    ctorch_tensor *info);

/** aten::linalg_ldl_factor.out(Tensor self, *, bool hermitian=False, Tensor(a!) LD, Tensor(b!) pivots) -> (Tensor(a!) LD, Tensor(b!) pivots) */
CTORCH_API ctorch_error *ctorch_aten_linalg_ldl_factor_out(
    const ctorch_tensor *self,
    bool hermitian,
    ctorch_tensor *LD,
    ctorch_tensor *pivots);

/** aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_ldl_solve(
    ctorch_tensor **out,
    const ctorch_tensor *LD,
    const ctorch_tensor *pivots,
    const ctorch_tensor *B,
    bool hermitian);

/** aten::linalg_ldl_solve.out(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_ldl_solve_out(
    const ctorch_tensor *LD,
    const ctorch_tensor *pivots,
    const ctorch_tensor *B,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lstsq(
    ctorch_tensor **out_solution,
    ctorch_tensor **out_residuals,
    ctorch_tensor **out_rank,
    ctorch_tensor **out_singular_values,
    const ctorch_tensor *self,
    const ctorch_tensor *b,
    const double *rcond,
    const char *driver);

/** aten::linalg_lstsq.out(Tensor self, Tensor b, float? rcond=None, *, str? driver=None, Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values) -> (Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lstsq_out(
    const ctorch_tensor *self,
    const ctorch_tensor *b,
    const double *rcond,
    const char *driver,
    ctorch_tensor *solution,
    ctorch_tensor *residuals,
    ctorch_tensor *rank,
    ctorch_tensor *singular_values);

/** aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu(
    ctorch_tensor **out_P,
    ctorch_tensor **out_L,
    ctorch_tensor **out_U,
    const ctorch_tensor *A,
    bool pivot);

/** aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu_factor(
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    const ctorch_tensor *A,
    bool pivot);

/** aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu_factor_ex(
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    ctorch_tensor **out_info,
    const ctorch_tensor *A,
    bool pivot,
    bool check_errors);

/** aten::linalg_lu_factor_ex.out(Tensor A, *, bool pivot=True, bool check_errors=False, Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu_factor_ex_out(
    const ctorch_tensor *A,
    bool pivot,
    bool check_errors,
    ctorch_tensor *LU,
    ctorch_tensor *pivots,
    ctorch_tensor *info);

/** aten::linalg_lu_factor.out(Tensor A, *, bool pivot=True, Tensor(a!) LU, Tensor(b!) pivots) -> (Tensor(a!) LU, Tensor(b!) pivots) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu_factor_out(
    const ctorch_tensor *A,
    bool pivot,
    ctorch_tensor *LU,
    ctorch_tensor *pivots);

/** aten::linalg_lu.out(Tensor A, *, bool pivot=True, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu_out(
    const ctorch_tensor *A,
    bool pivot,
    ctorch_tensor *P,
    ctorch_tensor *L,
    ctorch_tensor *U);

/** aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu_solve(
    ctorch_tensor **out,
    const ctorch_tensor *LU,
    const ctorch_tensor *pivots,
    const ctorch_tensor *B,
    bool left,
    bool adjoint);

/** aten::linalg_lu_solve.out(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_lu_solve_out(
    const ctorch_tensor *LU,
    const ctorch_tensor *pivots,
    const ctorch_tensor *B,
    bool left,
    bool adjoint,
    ctorch_tensor *out);

/** aten::linalg_matmul(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matmul(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matmul_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::linalg_matrix_exp(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_exp(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::linalg_matrix_exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_exp_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_norm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_norm_out(
    const ctorch_tensor *self,
    const ctorch_scalar *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_norm_str_ord(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord='fro', int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_norm_str_ord_out(
    const ctorch_tensor *self,
    const char *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::linalg_matrix_power(Tensor self, int n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_power(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n);

/** aten::linalg_matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_power_out(
    const ctorch_tensor *self,
    int64_t n,
    ctorch_tensor *out);

/** aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double tol,
    bool hermitian);

/** aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank_atol_rtol_float(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const double *atol,
    const double *rtol,
    bool hermitian);

/** aten::linalg_matrix_rank.atol_rtol_float_out(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank_atol_rtol_float_out(
    const ctorch_tensor *self,
    const double *atol,
    const double *rtol,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank_atol_rtol_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *atol,
    const ctorch_tensor *rtol,
    bool hermitian);

/** aten::linalg_matrix_rank.atol_rtol_tensor_out(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank_atol_rtol_tensor_out(
    const ctorch_tensor *input,
    const ctorch_tensor *atol,
    const ctorch_tensor *rtol,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_matrix_rank.out(Tensor self, float tol, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank_out(
    const ctorch_tensor *self,
    double tol,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_matrix_rank.out_tol_tensor(Tensor input, Tensor tol, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank_out_tol_tensor(
    const ctorch_tensor *input,
    const ctorch_tensor *tol,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_rank_tol_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *tol,
    bool hermitian);

/** aten::linalg_matrix_sqrth(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_sqrth(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::linalg_matrix_sqrth.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_matrix_sqrth_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::linalg_multi_dot(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_multi_dot(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::linalg_multi_dot.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_multi_dot_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *out);

/** aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_norm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_norm_ord_str(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_norm_ord_str_out(
    const ctorch_tensor *self,
    const char *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_norm_out(
    const ctorch_tensor *self,
    const ctorch_scalar *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double rcond,
    bool hermitian);

/** aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv_atol_rtol_float(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const double *atol,
    const double *rtol,
    bool hermitian);

/** aten::linalg_pinv.atol_rtol_float_out(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv_atol_rtol_float_out(
    const ctorch_tensor *self,
    const double *atol,
    const double *rtol,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv_atol_rtol_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *atol,
    const ctorch_tensor *rtol,
    bool hermitian);

/** aten::linalg_pinv.atol_rtol_tensor_out(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv_atol_rtol_tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *atol,
    const ctorch_tensor *rtol,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_pinv.out(Tensor self, float rcond, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv_out(
    const ctorch_tensor *self,
    double rcond,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_pinv.out_rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv_out_rcond_tensor(
    const ctorch_tensor *self,
    const ctorch_tensor *rcond,
    bool hermitian,
    ctorch_tensor *out);

/** aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_pinv_rcond_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *rcond,
    bool hermitian);

/** aten::linalg_polar(Tensor A) -> (Tensor U, Tensor H) */
CTORCH_API ctorch_error *ctorch_aten_linalg_polar(
    ctorch_tensor **out_U,
    ctorch_tensor **out_H,
    const ctorch_tensor *A);

/** aten::linalg_polar.out(Tensor A, *, Tensor(a!) U, Tensor(b!) H) -> (Tensor(a!) U, Tensor(b!) H) */
CTORCH_API ctorch_error *ctorch_aten_linalg_polar_out(
    const ctorch_tensor *A,
    ctorch_tensor *U,
    ctorch_tensor *H);

/** aten::linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R) */
CTORCH_API ctorch_error *ctorch_aten_linalg_qr(
    ctorch_tensor **out_Q,
    ctorch_tensor **out_R,
    const ctorch_tensor *A,
    const char *mode);

/** aten::linalg_qr.out(Tensor A, str mode='reduced', *, Tensor(a!) Q, Tensor(b!) R) -> (Tensor(a!) Q, Tensor(b!) R) */
CTORCH_API ctorch_error *ctorch_aten_linalg_qr_out(
    const ctorch_tensor *A,
    const char *mode,
    ctorch_tensor *Q,
    ctorch_tensor *R);

/** aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet) */
CTORCH_API ctorch_error *ctorch_aten_linalg_slogdet(
    ctorch_tensor **out_sign,
    ctorch_tensor **out_logabsdet,
    const ctorch_tensor *A);

/** aten::linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, Tensor(b!) logabsdet) */
CTORCH_API ctorch_error *ctorch_aten_linalg_slogdet_out(
    const ctorch_tensor *A,
    ctorch_tensor *sign,
    ctorch_tensor *logabsdet);

/** aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_solve(
    ctorch_tensor **out,
    const ctorch_tensor *A,
    const ctorch_tensor *B,
    bool left);

/** aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_solve_ex(
    ctorch_tensor **out_result,
    ctorch_tensor **out_info,
    const ctorch_tensor *A,
    const ctorch_tensor *B,
    bool left,
    bool check_errors);

/** aten::linalg_solve_ex.out(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, Tensor(a!) result, Tensor(b!) info) -> (Tensor(a!) result, Tensor(b!) info) */
CTORCH_API ctorch_error *ctorch_aten_linalg_solve_ex_out(
    const ctorch_tensor *A,
    const ctorch_tensor *B,
    bool left,
    bool check_errors,
    ctorch_tensor *result,
    ctorch_tensor *info);

/** aten::linalg_solve.out(Tensor A, Tensor B, *, bool left=True, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_solve_out(
    const ctorch_tensor *A,
    const ctorch_tensor *B,
    bool left,
    ctorch_tensor *out);

/** aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_solve_triangular(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *B,
    bool upper,
    bool left,
    bool unitriangular);

/** aten::linalg_solve_triangular.out(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_solve_triangular_out(
    const ctorch_tensor *self,
    const ctorch_tensor *B,
    bool upper,
    bool left,
    bool unitriangular,
    ctorch_tensor *out);

/** aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh) */
CTORCH_API ctorch_error *ctorch_aten_linalg_svd(
    ctorch_tensor **out_U,
    ctorch_tensor **out_S,
    ctorch_tensor **out_Vh,
    const ctorch_tensor *A,
    bool full_matrices,
    const char *driver);

/** aten::linalg_svd.U(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) */
CTORCH_API ctorch_error *ctorch_aten_linalg_svd_U(
    const ctorch_tensor *A,
    bool full_matrices,
    const char *driver,
    ctorch_tensor *U,
    ctorch_tensor *S,
    ctorch_tensor *Vh);

/** aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_svdvals(
    ctorch_tensor **out,
    const ctorch_tensor *A,
    const char *driver);

/** aten::linalg_svdvals.out(Tensor A, *, str? driver=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_svdvals_out(
    const ctorch_tensor *A,
    const char *driver,
    ctorch_tensor *out);

/** aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_tensorinv(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t ind);

/** aten::linalg_tensorinv.out(Tensor self, int ind=2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_tensorinv_out(
    const ctorch_tensor *self,
    int64_t ind,
    ctorch_tensor *out);

/** aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_tensorsolve(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const int64_t *dims,
    size_t dims_len);

/** aten::linalg_tensorsolve.out(Tensor self, Tensor other, int[]? dims=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_tensorsolve_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const int64_t *dims,
    size_t dims_len,
    ctorch_tensor *out);

/** aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_vander(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const int64_t *N);

/** aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_vecdot(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *y,
    int64_t dim);

/** aten::linalg_vecdot.out(Tensor x, Tensor y, *, int dim=-1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_vecdot_out(
    const ctorch_tensor *x,
    const ctorch_tensor *y,
    int64_t dim,
    ctorch_tensor *out);

/** aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linalg_vector_norm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::linalg_vector_norm.out(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linalg_vector_norm_out(
    const ctorch_tensor *self,
    const ctorch_scalar *ord,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linear(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias);

/** aten::linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_linear_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::linear_backward.out(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_linear_backward_out(
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linear_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    ctorch_tensor *out);

/** aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linspace(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    int64_t steps,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linspace_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_tensor *end,
    int64_t steps,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linspace_Scalar_Tensor_out(
    const ctorch_scalar *start,
    const ctorch_tensor *end,
    int64_t steps,
    ctorch_tensor *out);

/** aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linspace_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_scalar *end,
    int64_t steps,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linspace_Tensor_Scalar_out(
    const ctorch_tensor *start,
    const ctorch_scalar *end,
    int64_t steps,
    ctorch_tensor *out);

/** aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_linspace_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_tensor *end,
    int64_t steps,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linspace_Tensor_Tensor_out(
    const ctorch_tensor *start,
    const ctorch_tensor *end,
    int64_t steps,
    ctorch_tensor *out);

/** aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_linspace_out(
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    int64_t steps,
    ctorch_tensor *out);

/** aten::log(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::log10(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log10(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::log10_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log10_(
    ctorch_tensor *self);

/** aten::log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log10_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::log1p(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log1p(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::log1p_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log1p_(
    ctorch_tensor *self);

/** aten::log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log1p_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::log2(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log2(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::log2_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log2_(
    ctorch_tensor *self);

/** aten::log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log2_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::log_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log_(
    ctorch_tensor *self);

/** aten::log_normal(Tensor self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log_normal(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double mean,
    double std,
    ctorch_generator *generator);

/** aten::log_normal_(Tensor(a!) self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log_normal_(
    ctorch_tensor *self,
    double mean,
    double std,
    ctorch_generator *generator);

/** aten::log_normal.out(Tensor self, float mean=1, float std=2, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log_normal_out(
    const ctorch_tensor *self,
    double mean,
    double std,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::log_sigmoid(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log_sigmoid(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log_sigmoid_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *buffer);

/** aten::log_sigmoid_backward.grad_input(Tensor grad_output, Tensor self, Tensor buffer, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log_sigmoid_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *buffer,
    ctorch_tensor *grad_input);

/** aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer) */
CTORCH_API ctorch_error *ctorch_aten_log_sigmoid_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_buffer,
    const ctorch_tensor *self);

/** aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_log_sigmoid_forward_output(
    const ctorch_tensor *self,
    ctorch_tensor *output,
    ctorch_tensor *buffer);

/** aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log_sigmoid_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_log_softmax_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_log_softmax_int_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::logaddexp(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logaddexp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logaddexp2(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logaddexp2(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logaddexp2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logaddexp2_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::logaddexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logaddexp_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::logcumsumexp(Tensor self, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logcumsumexp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logcumsumexp_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *out);

/** aten::logdet(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logdet(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::logical_and(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logical_and(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logical_and_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_and_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logical_and.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_and_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::logical_not(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logical_not(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::logical_not_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_not_(
    ctorch_tensor *self);

/** aten::logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_not_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::logical_or(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logical_or(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logical_or_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_or_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logical_or.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_or_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::logical_xor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logical_xor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logical_xor_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_xor_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::logical_xor.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logical_xor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::logit(Tensor self, float? eps=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logit(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const double *eps);

/** aten::logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logit_(
    ctorch_tensor *self,
    const double *eps);

/** aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logit_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const double *eps);

/** aten::logit_backward.grad_input(Tensor grad_output, Tensor self, float? eps=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logit_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const double *eps,
    ctorch_tensor *grad_input);

/** aten::logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logit_out(
    const ctorch_tensor *self,
    const double *eps,
    ctorch_tensor *out);

/** aten::logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logspace(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    int64_t steps,
    double base,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logspace_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_tensor *end,
    int64_t steps,
    double base,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logspace_Scalar_Tensor_out(
    const ctorch_scalar *start,
    const ctorch_tensor *end,
    int64_t steps,
    double base,
    ctorch_tensor *out);

/** aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logspace_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_scalar *end,
    int64_t steps,
    double base,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logspace_Tensor_Scalar_out(
    const ctorch_tensor *start,
    const ctorch_scalar *end,
    int64_t steps,
    double base,
    ctorch_tensor *out);

/** aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logspace_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *start,
    const ctorch_tensor *end,
    int64_t steps,
    double base,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logspace_Tensor_Tensor_out(
    const ctorch_tensor *start,
    const ctorch_tensor *end,
    int64_t steps,
    double base,
    ctorch_tensor *out);

/** aten::logspace.out(Scalar start, Scalar end, int steps, float base=10.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logspace_out(
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    int64_t steps,
    double base,
    ctorch_tensor *out);

/** aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_logsumexp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_logsumexp_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_lstm_cell(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *const *hx,
    size_t hx_len,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh);

/** aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_lstm_data(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *data,
    const ctorch_tensor *batch_sizes,
    const ctorch_tensor *const *hx,
    size_t hx_len,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional);

/** aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_lstm_input(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *const *hx,
    size_t hx_len,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional,
    bool batch_first);

/** aten::lstm_mps_backward(Tensor? grad_y, Tensor? grad_hy, Tensor? grad_cy, Tensor z_state, Tensor cell_state_fwd, Tensor input, Tensor layersOutputs, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor[], Tensor[]) */
CTORCH_API ctorch_error *ctorch_aten_lstm_mps_backward(
    ctorch_tensor **out0,
    ctorch_tensor_list **out1,
    ctorch_tensor_list **out2,
    const ctorch_tensor *grad_y,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    const ctorch_tensor *z_state,
    const ctorch_tensor *cell_state_fwd,
    const ctorch_tensor *input,
    const ctorch_tensor *layersOutputs,
    const ctorch_tensor *const *hx,
    size_t hx_len,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional,
    bool batch_first);

/** aten::lstm_mps_backward.out(Tensor? grad_y, Tensor? grad_hy, Tensor? grad_cy, Tensor z_state, Tensor cell_state_fwd, Tensor input, Tensor layersOutputs, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first, *, Tensor(a!) out0, Tensor(b!)[] out1, Tensor(c!)[] out2) -> () */
CTORCH_API ctorch_error *ctorch_aten_lstm_mps_backward_out(
    const ctorch_tensor *grad_y,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    const ctorch_tensor *z_state,
    const ctorch_tensor *cell_state_fwd,
    const ctorch_tensor *input,
    const ctorch_tensor *layersOutputs,
    const ctorch_tensor *const *hx,
    size_t hx_len,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional,
    bool batch_first,
    ctorch_tensor *out0,
    ctorch_tensor *const *out1,
    size_t out1_len,
    ctorch_tensor *const *out2,
    size_t out2_len);

/** aten::lt.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lt_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lt_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::lt.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lt_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lt_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::lt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lt__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lt__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_lu_solve(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *LU_data,
    const ctorch_tensor *LU_pivots);

/** aten::lu_solve.out(Tensor self, Tensor LU_data, Tensor LU_pivots, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_lu_solve_out(
    const ctorch_tensor *self,
    const ctorch_tensor *LU_data,
    const ctorch_tensor *LU_pivots,
    ctorch_tensor *out);

/** aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U) */
CTORCH_API ctorch_error *ctorch_aten_lu_unpack(
    ctorch_tensor **out_P,
    ctorch_tensor **out_L,
    ctorch_tensor **out_U,
    const ctorch_tensor *LU_data,
    const ctorch_tensor *LU_pivots,
    bool unpack_data,
    bool unpack_pivots);

/** aten::lu_unpack.out(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True, *, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) */
CTORCH_API ctorch_error *ctorch_aten_lu_unpack_out(
    const ctorch_tensor *LU_data,
    const ctorch_tensor *LU_pivots,
    bool unpack_data,
    bool unpack_pivots,
    ctorch_tensor *P,
    ctorch_tensor *L,
    ctorch_tensor *U);

/** aten::mH(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_mH(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::mT(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_mT(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_margin_ranking_loss(
    ctorch_tensor **out,
    const ctorch_tensor *input1,
    const ctorch_tensor *input2,
    const ctorch_tensor *target,
    double margin,
    int64_t reduction);

/** aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_masked_fill_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_scalar *value);

/** aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_masked_fill_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_masked_fill_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *value);

/** aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_masked_fill_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *value,
    ctorch_tensor *out);

/** aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_masked_fill__Scalar(
    ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_scalar *value);

/** aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_masked_fill__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *value);

/** aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_masked_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *source);

/** aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_masked_scatter_(
    ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *source);

/** aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_masked_scatter_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *mask,
    const int64_t *sizes,
    size_t sizes_len);

/** aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_masked_scatter_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *source,
    ctorch_tensor *out);

/** aten::masked_select(Tensor self, Tensor mask) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_masked_select(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask);

/** aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_masked_select_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *input,
    const ctorch_tensor *mask);

/** aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_masked_select_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    ctorch_tensor *out);

/** aten::matmul(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_matmul(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::matmul_backward(Tensor grad, Tensor self, Tensor other, bool[2] mask) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_matmul_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const bool *mask,
    size_t mask_len);

/** aten::matmul_backward.out(Tensor grad, Tensor self, Tensor other, bool[2] mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_matmul_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const bool *mask,
    size_t mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_matmul_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::matrix_H(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_matrix_H(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::matrix_exp(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_matrix_exp(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::matrix_exp_backward(Tensor self, Tensor grad) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_matrix_exp_backward(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *grad);

/** aten::matrix_power(Tensor self, int n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_matrix_power(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n);

/** aten::matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_matrix_power_out(
    const ctorch_tensor *self,
    int64_t n,
    ctorch_tensor *out);

/** aten::max(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max(
    ctorch_tensor **out,
    const ctorch_tensor *self);

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

/** aten::max.other(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_other(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::max.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_max_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

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

/** aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_max_pool1d_with_indices(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
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

/** aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_pool2d(
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

/** aten::max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
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

/** aten::max_pool2d_backward.out(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_max_pool2d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_max_pool2d_with_indices(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
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

/** aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_pool2d_with_indices_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    const ctorch_tensor *indices);

/** aten::max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_max_pool2d_with_indices_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    const ctorch_tensor *indices,
    ctorch_tensor *grad_input);

/** aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_max_pool2d_with_indices_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out,
    ctorch_tensor *indices);

/** aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_pool3d(
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

/** aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_max_pool3d_with_indices(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
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

/** aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_pool3d_with_indices_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    const ctorch_tensor *indices);

/** aten::max_pool3d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_max_pool3d_with_indices_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    const ctorch_tensor *indices,
    ctorch_tensor *grad_input);

/** aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_max_pool3d_with_indices_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out,
    ctorch_tensor *indices);

/** aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_max_unary_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_unpool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::max_unpool2d.out(Tensor self, Tensor indices, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_max_unpool2d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_max_unpool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len);

/** aten::max_unpool3d.out(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_max_unpool3d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::maximum(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_maximum(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::maximum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_maximum_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mean(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype);

/** aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mean_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mean_dtype_out(
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mean_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::median(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_median(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_median_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_median_dim_values(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_median_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::meshgrid(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_meshgrid(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_meshgrid_indexing(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const char *indexing);

/** aten::min(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_min(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_min_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_min_dim_min(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *min,
    ctorch_tensor *min_indices);

/** aten::min.other(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_min_other(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::min.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_min_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_min_unary_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::minimum(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_minimum(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::minimum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_minimum_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::miopen_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float exponential_average_factor, float epsilon) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_miopen_batch_norm(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double exponential_average_factor,
    double epsilon);

/** aten::miopen_batch_norm_backward(Tensor input, Tensor grad_output, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float epsilon) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_miopen_batch_norm_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_var,
    double epsilon);

/** aten::miopen_batch_norm_backward.out(Tensor input, Tensor grad_output, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float epsilon, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_miopen_batch_norm_backward_out(
    const ctorch_tensor *input,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_var,
    double epsilon,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::miopen_batch_norm.out(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float exponential_average_factor, float epsilon, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_miopen_batch_norm_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double exponential_average_factor,
    double epsilon,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::miopen_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_miopen_convolution(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic);

/** aten::miopen_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_miopen_convolution_add_relu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *z,
    const ctorch_scalar *alpha,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::miopen_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_miopen_convolution_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic,
    ctorch_tensor *out);

/** aten::miopen_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_miopen_convolution_relu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::miopen_convolution_transpose(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_miopen_convolution_transpose(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic);

/** aten::miopen_convolution_transpose.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_miopen_convolution_transpose_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic,
    ctorch_tensor *out);

/** aten::miopen_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_miopen_ctc_loss(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    int64_t blank,
    bool deterministic,
    bool zero_infinity);

/** aten::miopen_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_miopen_ctc_loss_Tensor(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    int64_t blank,
    bool deterministic,
    bool zero_infinity);

/** aten::miopen_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank, bool deterministic, bool zero_infinity, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_miopen_ctc_loss_out(
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    int64_t blank,
    bool deterministic,
    bool zero_infinity,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::miopen_depthwise_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_miopen_depthwise_convolution(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic);

/** aten::miopen_depthwise_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_miopen_depthwise_convolution_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    bool benchmark,
    bool deterministic,
    ctorch_tensor *out);

/** aten::miopen_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor hx, Tensor? cx, int mode, int hidden_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, int[] batch_sizes, Tensor? dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_miopen_rnn(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    const ctorch_tensor *input,
    const ctorch_tensor *const *weight,
    size_t weight_len,
    int64_t weight_stride0,
    const ctorch_tensor *hx,
    const ctorch_tensor *cx,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool batch_first,
    double dropout,
    bool train,
    bool bidirectional,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    const ctorch_tensor *dropout_state);

/** aten::miopen_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, int hidden_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, int[] batch_sizes, Tensor? dropout_state, Tensor reserve, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor[])
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_miopen_rnn_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor_list **out3,
    const ctorch_tensor *input,
    const ctorch_tensor *const *weight,
    size_t weight_len,
    int64_t weight_stride0,
    const ctorch_tensor *weight_buf,
    const ctorch_tensor *hx,
    const ctorch_tensor *cx,
    const ctorch_tensor *output,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool batch_first,
    double dropout,
    bool train,
    bool bidirectional,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    const ctorch_tensor *dropout_state,
    const ctorch_tensor *reserve,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::miopen_rnn_backward.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, int hidden_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, int[] batch_sizes, Tensor? dropout_state, Tensor reserve, bool[4] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!)[] out3) -> ()
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_miopen_rnn_backward_out(
    const ctorch_tensor *input,
    const ctorch_tensor *const *weight,
    size_t weight_len,
    int64_t weight_stride0,
    const ctorch_tensor *weight_buf,
    const ctorch_tensor *hx,
    const ctorch_tensor *cx,
    const ctorch_tensor *output,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool batch_first,
    double dropout,
    bool train,
    bool bidirectional,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    const ctorch_tensor *dropout_state,
    const ctorch_tensor *reserve,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *const *out3,
    size_t out3_len);

/** aten::miopen_rnn.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor hx, Tensor? cx, int mode, int hidden_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, int[] batch_sizes, Tensor? dropout_state, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!))
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_miopen_rnn_out(
    const ctorch_tensor *input,
    const ctorch_tensor *const *weight,
    size_t weight_len,
    int64_t weight_stride0,
    const ctorch_tensor *hx,
    const ctorch_tensor *cx,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool batch_first,
    double dropout,
    bool train,
    bool bidirectional,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    const ctorch_tensor *dropout_state,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3,
    ctorch_tensor *out4);

/** aten::mish(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mish(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::mish_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mish_(
    ctorch_tensor *self);

/** aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mish_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self);

/** aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mish_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::mkldnn_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_adaptive_avg_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::mkldnn_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_adaptive_avg_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self);

/** aten::mkldnn_adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_adaptive_avg_pool2d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::mkldnn_adaptive_avg_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_adaptive_avg_pool2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::mkldnn_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_convolution(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups);

/** aten::mkldnn_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_convolution_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    ctorch_tensor *out);

/** aten::mkldnn_linear(Tensor self, Tensor weight, Tensor? bias=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias);

/** aten::mkldnn_linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::mkldnn_linear_backward_input(int[] input_size, Tensor grad_output, Tensor weight) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear_backward_input(
    ctorch_tensor **out,
    const int64_t *input_size,
    size_t input_size_len,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight);

/** aten::mkldnn_linear_backward_input.out(int[] input_size, Tensor grad_output, Tensor weight, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear_backward_input_out(
    const int64_t *input_size,
    size_t input_size_len,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    ctorch_tensor *out);

/** aten::mkldnn_linear_backward.out(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear_backward_out(
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::mkldnn_linear_backward_weights(Tensor grad_output, Tensor input, Tensor weight, bool bias_defined) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear_backward_weights(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    bool bias_defined);

/** aten::mkldnn_linear_backward_weights.out(Tensor grad_output, Tensor input, Tensor weight, bool bias_defined, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear_backward_weights_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    bool bias_defined,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::mkldnn_linear.out(Tensor self, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_linear_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    ctorch_tensor *out);

/** aten::mkldnn_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool2d(
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

/** aten::mkldnn_max_pool2d_backward(Tensor grad_output, Tensor output, Tensor input, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode);

/** aten::mkldnn_max_pool2d_backward.out(Tensor grad_output, Tensor output, Tensor input, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool2d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::mkldnn_max_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool2d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::mkldnn_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool3d(
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

/** aten::mkldnn_max_pool3d_backward(Tensor grad_output, Tensor output, Tensor input, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode);

/** aten::mkldnn_max_pool3d_backward.out(Tensor grad_output, Tensor output, Tensor input, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool3d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *input,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::mkldnn_max_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_max_pool3d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::mkldnn_reorder_conv2d_weight(Tensor self, SymInt[2] padding=0, SymInt[2] stride=1, SymInt[2] dilation=1, SymInt groups=1, SymInt[]? input_size=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_reorder_conv2d_weight(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const int64_t *input_size,
    size_t input_size_len);

/** aten::mkldnn_reorder_conv2d_weight.out(Tensor self, SymInt[2] padding=0, SymInt[2] stride=1, SymInt[2] dilation=1, SymInt groups=1, SymInt[]? input_size=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_reorder_conv2d_weight_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const int64_t *input_size,
    size_t input_size_len,
    ctorch_tensor *out);

/** aten::mkldnn_reorder_conv3d_weight(Tensor self, SymInt[3] padding=0, SymInt[3] stride=1, SymInt[3] dilation=1, SymInt groups=1, SymInt[]? input_size=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_reorder_conv3d_weight(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const int64_t *input_size,
    size_t input_size_len);

/** aten::mkldnn_reorder_conv3d_weight.out(Tensor self, SymInt[3] padding=0, SymInt[3] stride=1, SymInt[3] dilation=1, SymInt groups=1, SymInt[]? input_size=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_reorder_conv3d_weight_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const int64_t *input_size,
    size_t input_size_len,
    ctorch_tensor *out);

/** aten::mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_rnn_layer(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *input,
    const ctorch_tensor *weight0,
    const ctorch_tensor *weight1,
    const ctorch_tensor *weight2,
    const ctorch_tensor *weight3,
    const ctorch_tensor *hx_,
    const ctorch_tensor *cx_,
    bool reverse,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool has_biases,
    bool bidirectional,
    bool batch_first,
    bool train);

/** aten::mkldnn_rnn_layer_backward(Tensor input, Tensor weight1, Tensor weight2, Tensor weight3, Tensor weight4, Tensor hx_, Tensor cx_tmp, Tensor output, Tensor hy_, Tensor cy_, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, bool reverse, int mode, int hidden_size, int num_layers, bool has_biases, bool train, bool bidirectional, int[] batch_sizes, bool batch_first, Tensor workspace) -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_rnn_layer_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    ctorch_tensor **out5,
    ctorch_tensor **out6,
    const ctorch_tensor *input,
    const ctorch_tensor *weight1,
    const ctorch_tensor *weight2,
    const ctorch_tensor *weight3,
    const ctorch_tensor *weight4,
    const ctorch_tensor *hx_,
    const ctorch_tensor *cx_tmp,
    const ctorch_tensor *output,
    const ctorch_tensor *hy_,
    const ctorch_tensor *cy_,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    bool reverse,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool has_biases,
    bool train,
    bool bidirectional,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    bool batch_first,
    const ctorch_tensor *workspace);

/** aten::mkldnn_rnn_layer_backward.out(Tensor input, Tensor weight1, Tensor weight2, Tensor weight3, Tensor weight4, Tensor hx_, Tensor cx_tmp, Tensor output, Tensor hy_, Tensor cy_, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, bool reverse, int mode, int hidden_size, int num_layers, bool has_biases, bool train, bool bidirectional, int[] batch_sizes, bool batch_first, Tensor workspace, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4, Tensor(f!) out5, Tensor(g!) out6) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!), Tensor(f!), Tensor(g!))
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_rnn_layer_backward_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight1,
    const ctorch_tensor *weight2,
    const ctorch_tensor *weight3,
    const ctorch_tensor *weight4,
    const ctorch_tensor *hx_,
    const ctorch_tensor *cx_tmp,
    const ctorch_tensor *output,
    const ctorch_tensor *hy_,
    const ctorch_tensor *cy_,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    bool reverse,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool has_biases,
    bool train,
    bool bidirectional,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    bool batch_first,
    const ctorch_tensor *workspace,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3,
    ctorch_tensor *out4,
    ctorch_tensor *out5,
    ctorch_tensor *out6);

/** aten::mkldnn_rnn_layer.out(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten_mkldnn_rnn_layer_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight0,
    const ctorch_tensor *weight1,
    const ctorch_tensor *weight2,
    const ctorch_tensor *weight3,
    const ctorch_tensor *hx_,
    const ctorch_tensor *cx_,
    bool reverse,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    int64_t mode,
    int64_t hidden_size,
    int64_t num_layers,
    bool has_biases,
    bool bidirectional,
    bool batch_first,
    bool train,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3);

/** aten::mm(Tensor self, Tensor mat2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2);

/** aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mm_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype);

/** aten::mm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mm_dtype_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    ctorch_dtype out_dtype,
    ctorch_tensor *out);

/** aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    ctorch_tensor *out);

/** aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_mode(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_mode_values(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_moveaxis_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t source,
    int64_t destination);

/** aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_moveaxis_intlist(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *source,
    size_t source_len,
    const int64_t *destination,
    size_t destination_len);

/** aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_movedim_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t source,
    int64_t destination);

/** aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_movedim_intlist(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *source,
    size_t source_len,
    const int64_t *destination,
    size_t destination_len);

/** aten::mps_convolution_backward(Tensor self, Tensor grad_output, Tensor weight, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_mps_convolution_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::mps_convolution_backward.out(Tensor self, Tensor grad_output, Tensor weight, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_mps_convolution_backward_out(
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::mps_convolution_transpose_backward(Tensor self, Tensor grad_output, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[2] output_mask) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_mps_convolution_transpose_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::mps_convolution_transpose_backward.out(Tensor self, Tensor grad_output, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_mps_convolution_transpose_backward_out(
    const ctorch_tensor *self,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *dilation,
    size_t dilation_len,
    int64_t groups,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_mse_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_mse_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_mse_loss_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    ctorch_tensor *grad_input);

/** aten::mse_loss.out(Tensor self, Tensor target, int reduction=Mean, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_mse_loss_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    ctorch_tensor *out);

/** aten::msort(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_msort(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_msort_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::mul.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mul_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mul_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::mul.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mul_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mul__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mul__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mul_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multi_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_scalar *p,
    const ctorch_scalar *margin,
    const ctorch_tensor *weight,
    int64_t reduction);

/** aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multi_margin_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_scalar *p,
    const ctorch_scalar *margin,
    const ctorch_tensor *weight,
    int64_t reduction);

/** aten::multi_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=Mean, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multi_margin_loss_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_scalar *p,
    const ctorch_scalar *margin,
    const ctorch_tensor *weight,
    int64_t reduction,
    ctorch_tensor *grad_input);

/** aten::multi_margin_loss.out(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=Mean, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multi_margin_loss_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_scalar *p,
    const ctorch_scalar *margin,
    const ctorch_tensor *weight,
    int64_t reduction,
    ctorch_tensor *out);

/** aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multilabel_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multilabel_margin_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    const ctorch_tensor *is_target);

/** aten::multilabel_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multilabel_margin_loss_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    const ctorch_tensor *is_target,
    ctorch_tensor *grad_input);

/** aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multilabel_margin_loss_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_is_target,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multilabel_margin_loss_forward_output(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    ctorch_tensor *output,
    ctorch_tensor *is_target);

/** aten::multilabel_margin_loss.out(Tensor self, Tensor target, int reduction=Mean, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_multilabel_margin_loss_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    ctorch_tensor *out);

/** aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_multinomial(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t num_samples,
    bool replacement,
    ctorch_generator *generator);

/** aten::multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_multinomial_out(
    const ctorch_tensor *self,
    int64_t num_samples,
    bool replacement,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_multiply_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_multiply_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::multiply_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_multiply__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::multiply_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_multiply__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::multiply.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_multiply_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::mv(Tensor self, Tensor vec) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mv(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *vec);

/** aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mv_out(
    const ctorch_tensor *self,
    const ctorch_tensor *vec,
    ctorch_tensor *out);

/** aten::mvlgamma(Tensor self, int p) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_mvlgamma(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t p);

/** aten::mvlgamma_(Tensor(a!) self, int p) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mvlgamma_(
    ctorch_tensor *self,
    int64_t p);

/** aten::mvlgamma.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_mvlgamma_out(
    const ctorch_tensor *self,
    int64_t p,
    ctorch_tensor *out);

/** aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nan_to_num(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const double *nan,
    const double *posinf,
    const double *neginf);

/** aten::nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nan_to_num_(
    ctorch_tensor *self,
    const double *nan,
    const double *posinf,
    const double *neginf);

/** aten::nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nan_to_num_out(
    const ctorch_tensor *self,
    const double *nan,
    const double *posinf,
    const double *neginf,
    ctorch_tensor *out);

/** aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nanmean(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::nanmean.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nanmean_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::nanmedian(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nanmedian(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_nanmedian_dim(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_nanmedian_dim_values(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::nanmedian.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nanmedian_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nanquantile(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation);

/** aten::nanquantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear', Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nanquantile_out(
    const ctorch_tensor *self,
    const ctorch_tensor *q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation,
    ctorch_tensor *out);

/** aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nanquantile_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation);

/** aten::nanquantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear', Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nanquantile_scalar_out(
    const ctorch_tensor *self,
    double q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation,
    ctorch_tensor *out);

/** aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nansum(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nansum_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_narrow(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    int64_t start,
    int64_t length);

/** aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_narrow_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *start,
    int64_t length);

/** aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_narrow_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    int64_t start,
    int64_t length);

/** aten::narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_narrow_copy_out(
    const ctorch_tensor *self,
    int64_t dim,
    int64_t start,
    int64_t length,
    ctorch_tensor *out);

/** aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_native_batch_norm(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double momentum,
    double eps);

/** aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_native_batch_norm_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_invstd,
    bool train,
    double eps,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::native_batch_norm_backward.out(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_native_batch_norm_backward_out(
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_invstd,
    bool train,
    double eps,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_native_batch_norm_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double momentum,
    double eps,
    ctorch_tensor *out,
    ctorch_tensor *save_mean,
    ctorch_tensor *save_invstd);

/** aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_native_channel_shuffle(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t groups);

/** aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_native_dropout(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    double p,
    const bool *train);

/** aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_native_dropout_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *mask,
    double scale);

/** aten::native_dropout_backward.out(Tensor grad_output, Tensor mask, float scale, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_native_dropout_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *mask,
    double scale,
    ctorch_tensor *out);

/** aten::native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_native_dropout_out(
    const ctorch_tensor *input,
    double p,
    const bool *train,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_native_group_norm(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    int64_t N,
    int64_t C,
    int64_t HxW,
    int64_t group,
    double eps);

/** aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_native_group_norm_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *rstd,
    const ctorch_tensor *weight,
    int64_t N,
    int64_t C,
    int64_t HxW,
    int64_t group,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_native_group_norm_backward_out(
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const ctorch_tensor *mean,
    const ctorch_tensor *rstd,
    const ctorch_tensor *weight,
    int64_t N,
    int64_t C,
    int64_t HxW,
    int64_t group,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_native_group_norm_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    int64_t N,
    int64_t C,
    int64_t HxW,
    int64_t group,
    double eps,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_native_layer_norm(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    double eps);

/** aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_native_layer_norm_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *mean,
    const ctorch_tensor *rstd,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::native_layer_norm_backward.out(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_native_layer_norm_backward_out(
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *mean,
    const ctorch_tensor *rstd,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_native_layer_norm_out(
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    double eps,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::native_norm(Tensor self, Scalar p=2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_native_norm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p);

/** aten::native_norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, ScalarType? dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_native_norm_ScalarOpt_dim_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::native_norm.ScalarOpt_dim_dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, ScalarType? dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_native_norm_ScalarOpt_dim_dtype_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::native_norm.out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_native_norm_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    ctorch_tensor *out);

/** aten::ne.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ne_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ne_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::ne.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ne_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ne_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ne__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ne__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::neg(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_neg(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::neg_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_neg_(
    ctorch_tensor *self);

/** aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_neg_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::negative(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_negative(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::negative_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_negative_(
    ctorch_tensor *self);

/** aten::negative.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_negative_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::nested_to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nested_to_padded_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double padding,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_new_empty(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_new_empty_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_new_empty_strided(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_new_empty_strided_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    ctorch_tensor *out);

/** aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_new_full(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_scalar *fill_value,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_new_full_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_scalar *fill_value,
    ctorch_tensor *out);

/** aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_new_ones(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_new_ones_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_new_zeros(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_new_zeros_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::nextafter(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nextafter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::nextafter_(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nextafter_(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::nextafter.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nextafter_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index);

/** aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index);

/** aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    const ctorch_tensor *total_weight);

/** aten::nll_loss2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    const ctorch_tensor *total_weight,
    ctorch_tensor *grad_input);

/** aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss2d_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_total_weight,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index);

/** aten::nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss2d_forward_output(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    ctorch_tensor *output,
    ctorch_tensor *total_weight);

/** aten::nll_loss2d.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss2d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    ctorch_tensor *out);

/** aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    const ctorch_tensor *total_weight);

/** aten::nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    const ctorch_tensor *total_weight,
    ctorch_tensor *grad_input);

/** aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_total_weight,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index);

/** aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss_forward_output(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    ctorch_tensor *output,
    ctorch_tensor *total_weight);

/** aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss_nd(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index);

/** aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_nll_loss_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    const ctorch_tensor *weight,
    int64_t reduction,
    int64_t ignore_index,
    ctorch_tensor *out);

/** aten::nonzero(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nonzero(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::nonzero_numpy(Tensor self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_nonzero_numpy(
    ctorch_tensor_list **out,
    const ctorch_tensor *self);

/** aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nonzero_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nonzero_static(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t size,
    int64_t fill_value);

/** aten::nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nonzero_static_out(
    const ctorch_tensor *self,
    int64_t size,
    int64_t fill_value,
    ctorch_tensor *out);

/** aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_norm_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p);

/** aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_norm_ScalarOpt_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_norm_ScalarOpt_dim_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_dtype dtype);

/** aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_norm_ScalarOpt_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    ctorch_dtype dtype);

/** aten::norm.ScalarOpt_dtype_out(Tensor self, Scalar? p, *, ScalarType dtype, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_norm_ScalarOpt_dtype_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    ctorch_dtype dtype,
    ctorch_tensor *out);

/** aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_norm_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    ctorch_tensor *out);

/** aten::norm.dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_norm_dtype_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_dtype dtype,
    ctorch_tensor *out);

/** aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_norm_except_dim(
    ctorch_tensor **out,
    const ctorch_tensor *v,
    int64_t pow,
    int64_t dim);

/** aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_norm_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_(
    ctorch_tensor *self,
    double mean,
    double std,
    ctorch_generator *generator);

/** aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_normal_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *mean,
    const ctorch_tensor *std,
    ctorch_generator *generator);

/** aten::normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_Tensor_Tensor_out(
    const ctorch_tensor *mean,
    const ctorch_tensor *std,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::normal.Tensor_float(Tensor mean, float std=1, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_normal_Tensor_float(
    ctorch_tensor **out,
    const ctorch_tensor *mean,
    double std,
    ctorch_generator *generator);

/** aten::normal.Tensor_float_out(Tensor mean, float std=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_Tensor_float_out(
    const ctorch_tensor *mean,
    double std,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_normal_float_Tensor(
    ctorch_tensor **out,
    double mean,
    const ctorch_tensor *std,
    ctorch_generator *generator);

/** aten::normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_float_Tensor_out(
    double mean,
    const ctorch_tensor *std,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_normal_float_float(
    ctorch_tensor **out,
    double mean,
    double std,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_float_float_out(
    double mean,
    double std,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::normal_functional(Tensor self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_normal_functional(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double mean,
    double std,
    ctorch_generator *generator);

/** aten::normal.out(Tensor self, float mean=0, float std=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_normal_out(
    const ctorch_tensor *self,
    double mean,
    double std,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_not_equal_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::not_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_not_equal_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_not_equal_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::not_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_not_equal_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::not_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_not_equal__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::not_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_not_equal__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nuclear_norm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool keepdim);

/** aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_nuclear_norm_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::nuclear_norm.dim_out(Tensor self, int[2] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nuclear_norm_dim_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::nuclear_norm.out(Tensor self, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_nuclear_norm_out(
    const ctorch_tensor *self,
    bool keepdim,
    ctorch_tensor *out);

/** aten::numel(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_numel(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::numpy_T(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_numpy_T(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::one_hot(Tensor self, int num_classes=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_one_hot(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t num_classes);

/** aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ones(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ones_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ones_like_out(
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ones_out(
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::orgqr(Tensor self, Tensor input2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_orgqr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *input2);

/** aten::orgqr.out(Tensor self, Tensor input2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_orgqr_out(
    const ctorch_tensor *self,
    const ctorch_tensor *input2,
    ctorch_tensor *out);

/** aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_ormqr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *input2,
    const ctorch_tensor *input3,
    bool left,
    bool transpose);

/** aten::ormqr.out(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_ormqr_out(
    const ctorch_tensor *self,
    const ctorch_tensor *input2,
    const ctorch_tensor *input3,
    bool left,
    bool transpose,
    ctorch_tensor *out);

/** aten::outer(Tensor self, Tensor vec2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_outer(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *vec2);

/** aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_outer_out(
    const ctorch_tensor *self,
    const ctorch_tensor *vec2,
    ctorch_tensor *out);

/** aten::output_nr(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_output_nr(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pad(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len,
    const char *mode,
    const double *value);

/** aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0.0, str padding_side="right") -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pad_sequence(
    ctorch_tensor **out,
    const ctorch_tensor *const *sequences,
    size_t sequences_len,
    bool batch_first,
    double padding_value,
    const char *padding_side);

/** aten::pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pairwise_distance(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    double p,
    double eps,
    bool keepdim);

/** aten::pdist(Tensor self, float p=2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pdist(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double p);

/** aten::permute(Tensor(a) self, int[] dims) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_permute(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dims,
    size_t dims_len);

/** aten::permute_copy(Tensor self, int[] dims) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_permute_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dims,
    size_t dims_len);

/** aten::permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_permute_copy_out(
    const ctorch_tensor *self,
    const int64_t *dims,
    size_t dims_len,
    ctorch_tensor *out);

/** aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_pin_memory(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_device *device);

/** aten::pinverse(Tensor self, float rcond=1e-15) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pinverse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double rcond);

/** aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pixel_shuffle(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t upscale_factor);

/** aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_pixel_shuffle_out(
    const ctorch_tensor *self,
    int64_t upscale_factor,
    ctorch_tensor *out);

/** aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pixel_unshuffle(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t downscale_factor);

/** aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_pixel_unshuffle_out(
    const ctorch_tensor *self,
    int64_t downscale_factor,
    ctorch_tensor *out);

/** aten::poisson(Tensor self, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_poisson(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator);

/** aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_poisson_nll_loss(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *target,
    bool log_input,
    bool full,
    double eps,
    int64_t reduction);

/** aten::poisson.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_poisson_out(
    const ctorch_tensor *self,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::polar(Tensor abs, Tensor angle) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_polar(
    ctorch_tensor **out,
    const ctorch_tensor *abs,
    const ctorch_tensor *angle);

/** aten::polar.out(Tensor abs, Tensor angle, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_polar_out(
    const ctorch_tensor *abs,
    const ctorch_tensor *angle,
    ctorch_tensor *out);

/** aten::polygamma(int n, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_polygamma(
    ctorch_tensor **out,
    int64_t n,
    const ctorch_tensor *self);

/** aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_polygamma_(
    ctorch_tensor *self,
    int64_t n);

/** aten::polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_polygamma_out(
    int64_t n,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::positive(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_positive(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pow_Scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *exponent);

/** aten::pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_pow_Scalar_out(
    const ctorch_scalar *self,
    const ctorch_tensor *exponent,
    ctorch_tensor *out);

/** aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pow_Tensor_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *exponent);

/** aten::pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_pow_Tensor_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *exponent,
    ctorch_tensor *out);

/** aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_pow_Tensor_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *exponent);

/** aten::pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_pow_Tensor_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *exponent,
    ctorch_tensor *out);

/** aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_pow__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *exponent);

/** aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_pow__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *exponent);

/** aten::prelu(Tensor self, Tensor weight) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_prelu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight);

/** aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_prod(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype);

/** aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_prod_dim_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_prod_int_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_prod_out(
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType */
CTORCH_API ctorch_error *ctorch_aten_promote_types(
    ctorch_dtype *out,
    ctorch_dtype type1,
    ctorch_dtype type2);

/** aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_put(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    bool accumulate);

/** aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_put_(
    ctorch_tensor *self,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    bool accumulate);

/** aten::put.out(Tensor self, Tensor index, Tensor source, bool accumulate=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_put_out(
    const ctorch_tensor *self,
    const ctorch_tensor *index,
    const ctorch_tensor *source,
    bool accumulate,
    ctorch_tensor *out);

/** aten::q_per_channel_axis(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_q_per_channel_axis(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::q_per_channel_scales(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_q_per_channel_scales(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::q_per_channel_scales.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_q_per_channel_scales_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::q_per_channel_zero_points(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_q_per_channel_zero_points(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::q_per_channel_zero_points.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_q_per_channel_zero_points_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::q_scale(Tensor self) -> float */
CTORCH_API ctorch_error *ctorch_aten_q_scale(
    double *out,
    const ctorch_tensor *self);

/** aten::q_zero_point(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_q_zero_point(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R) */
CTORCH_API ctorch_error *ctorch_aten_qr(
    ctorch_tensor **out_Q,
    ctorch_tensor **out_R,
    const ctorch_tensor *self,
    bool some);

/** aten::qr.Q(Tensor self, bool some=True, *, Tensor(a!) Q, Tensor(b!) R) -> (Tensor(a!) Q, Tensor(b!) R) */
CTORCH_API ctorch_error *ctorch_aten_qr_Q(
    const ctorch_tensor *self,
    bool some,
    ctorch_tensor *Q,
    ctorch_tensor *R);

/** aten::qscheme(Tensor self) -> QScheme
 * out: ctorch_qscheme */
CTORCH_API ctorch_error *ctorch_aten_qscheme(
    int32_t *out,
    const ctorch_tensor *self);

/** aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantile(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation);

/** aten::quantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear', Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantile_out(
    const ctorch_tensor *self,
    const ctorch_tensor *q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation,
    ctorch_tensor *out);

/** aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantile_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation);

/** aten::quantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear', Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantile_scalar_out(
    const ctorch_tensor *self,
    double q,
    const int64_t *dim,
    bool keepdim,
    const char *interpolation,
    ctorch_tensor *out);

/** aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_channel(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *scales,
    const ctorch_tensor *zero_points,
    int64_t axis,
    ctorch_dtype dtype);

/** aten::quantize_per_channel.out(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_channel_out(
    const ctorch_tensor *self,
    const ctorch_tensor *scales,
    const ctorch_tensor *zero_points,
    int64_t axis,
    ctorch_dtype dtype,
    ctorch_tensor *out);

/** aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double scale,
    int64_t zero_point,
    ctorch_dtype dtype);

/** aten::quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor_dynamic(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_dtype dtype,
    bool reduce_range);

/** aten::quantize_per_tensor_dynamic.out(Tensor self, ScalarType dtype, bool reduce_range, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor_dynamic_out(
    const ctorch_tensor *self,
    ctorch_dtype dtype,
    bool reduce_range,
    ctorch_tensor *out);

/** aten::quantize_per_tensor.out(Tensor self, float scale, int zero_point, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor_out(
    const ctorch_tensor *self,
    double scale,
    int64_t zero_point,
    ctorch_dtype dtype,
    ctorch_tensor *out);

/** aten::quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor_tensor_qparams(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    ctorch_dtype dtype);

/** aten::quantize_per_tensor.tensor_qparams_out(Tensor self, Tensor scale, Tensor zero_point, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor_tensor_qparams_out(
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    ctorch_dtype dtype,
    ctorch_tensor *out);

/** aten::quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, ScalarType dtype) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor_tensors(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_tensor *scales,
    const ctorch_tensor *zero_points,
    ctorch_dtype dtype);

/** aten::quantize_per_tensor.tensors_out(Tensor[] tensors, Tensor scales, Tensor zero_points, ScalarType dtype, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten_quantize_per_tensor_tensors_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_tensor *scales,
    const ctorch_tensor *zero_points,
    ctorch_dtype dtype,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::quantized_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float output_scale, int output_zero_point) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantized_batch_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *mean,
    const ctorch_tensor *var,
    double eps,
    double output_scale,
    int64_t output_zero_point);

/** aten::quantized_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float output_scale, int output_zero_point, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantized_batch_norm_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *mean,
    const ctorch_tensor *var,
    double eps,
    double output_scale,
    int64_t output_zero_point,
    ctorch_tensor *out);

/** aten::quantized_gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar zero_point_hh) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantized_gru_cell(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh,
    const ctorch_tensor *packed_ih,
    const ctorch_tensor *packed_hh,
    const ctorch_tensor *col_offsets_ih,
    const ctorch_tensor *col_offsets_hh,
    const ctorch_scalar *scale_ih,
    const ctorch_scalar *scale_hh,
    const ctorch_scalar *zero_point_ih,
    const ctorch_scalar *zero_point_hh);

/** aten::quantized_lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar zero_point_hh) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_quantized_lstm_cell(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *const *hx,
    size_t hx_len,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh,
    const ctorch_tensor *packed_ih,
    const ctorch_tensor *packed_hh,
    const ctorch_tensor *col_offsets_ih,
    const ctorch_tensor *col_offsets_hh,
    const ctorch_scalar *scale_ih,
    const ctorch_scalar *scale_hh,
    const ctorch_scalar *zero_point_ih,
    const ctorch_scalar *zero_point_hh);

/** aten::quantized_max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantized_max_pool1d(
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

/** aten::quantized_max_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantized_max_pool1d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::quantized_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantized_max_pool2d(
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

/** aten::quantized_max_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantized_max_pool2d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::quantized_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantized_max_pool3d(
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

/** aten::quantized_max_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_quantized_max_pool3d_out(
    const ctorch_tensor *self,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    bool ceil_mode,
    ctorch_tensor *out);

/** aten::quantized_rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar zero_point_hh) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantized_rnn_relu_cell(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh,
    const ctorch_tensor *packed_ih,
    const ctorch_tensor *packed_hh,
    const ctorch_tensor *col_offsets_ih,
    const ctorch_tensor *col_offsets_hh,
    const ctorch_scalar *scale_ih,
    const ctorch_scalar *scale_hh,
    const ctorch_scalar *zero_point_ih,
    const ctorch_scalar *zero_point_hh);

/** aten::quantized_rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar zero_point_hh) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_quantized_rnn_tanh_cell(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh,
    const ctorch_tensor *packed_ih,
    const ctorch_tensor *packed_hh,
    const ctorch_tensor *col_offsets_ih,
    const ctorch_tensor *col_offsets_hh,
    const ctorch_scalar *scale_ih,
    const ctorch_scalar *scale_hh,
    const ctorch_scalar *zero_point_ih,
    const ctorch_scalar *zero_point_hh);

/** aten::rad2deg(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rad2deg(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::rad2deg_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rad2deg_(
    ctorch_tensor *self);

/** aten::rad2deg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rad2deg_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rand(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rand_generator(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rand_generator_out(
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rand_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rand_like_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::rand_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rand_like_generator_out(
    const ctorch_tensor *self,
    ctorch_generator *generator,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rand_like_out(
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rand_out(
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint(
    ctorch_tensor **out,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_generator(
    ctorch_tensor **out,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_generator_out(
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t high,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_like_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *high,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_like_Tensor_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *high,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randint_like.Tensor_generator_out(Tensor self, Tensor high, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_like_Tensor_generator_out(
    const ctorch_tensor *self,
    const ctorch_tensor *high,
    ctorch_generator *generator,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_like_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *high,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_like_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t high,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randint_like.generator_out(Tensor self, SymInt high, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_like_generator_out(
    const ctorch_tensor *self,
    int64_t high,
    ctorch_generator *generator,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_like_low_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t low,
    int64_t high,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randint_like.low_dtype_out(Tensor self, SymInt low, SymInt high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_like_low_dtype_out(
    const ctorch_tensor *self,
    int64_t low,
    int64_t high,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_like_low_generator_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t low,
    int64_t high,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randint_like.low_generator_dtype_out(Tensor self, SymInt low, SymInt high, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_like_low_generator_dtype_out(
    const ctorch_tensor *self,
    int64_t low,
    int64_t high,
    ctorch_generator *generator,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randint_like.out(Tensor self, SymInt high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_like_out(
    const ctorch_tensor *self,
    int64_t high,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_low(
    ctorch_tensor **out,
    int64_t low,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randint_low_generator(
    ctorch_tensor **out,
    int64_t low,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_low_generator_out(
    int64_t low,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_low_out(
    int64_t low,
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randint_out(
    int64_t high,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randn(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randn_generator(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randn_generator_out(
    const int64_t *size,
    size_t size_len,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randn_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randn_like_generator(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::randn_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randn_like_generator_out(
    const ctorch_tensor *self,
    ctorch_generator *generator,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randn_like_out(
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randn_out(
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::random(Tensor self, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_random(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator);

/** aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_random_(
    ctorch_tensor *self,
    ctorch_generator *generator);

/** aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_random__from(
    ctorch_tensor *self,
    int64_t from,
    const int64_t *to,
    ctorch_generator *generator);

/** aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_random__to(
    ctorch_tensor *self,
    int64_t to,
    ctorch_generator *generator);

/** aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_random_from(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t from,
    const int64_t *to,
    ctorch_generator *generator);

/** aten::random.from_out(Tensor self, int from, int? to, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_random_from_out(
    const ctorch_tensor *self,
    int64_t from,
    const int64_t *to,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::random.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_random_out(
    const ctorch_tensor *self,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_random_to(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t to,
    ctorch_generator *generator);

/** aten::random.to_out(Tensor self, int to, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_random_to_out(
    const ctorch_tensor *self,
    int64_t to,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::randperm(SymInt n, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randperm(
    ctorch_tensor **out,
    int64_t n,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_randperm_generator(
    ctorch_tensor **out,
    int64_t n,
    ctorch_generator *generator,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randperm_generator_out(
    int64_t n,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_randperm_out(
    int64_t n,
    ctorch_tensor *out);

/** aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_range(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_range_out(
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    const ctorch_scalar *step,
    ctorch_tensor *out);

/** aten::range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_range_out_(
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    ctorch_tensor *out);

/** aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_range_step(
    ctorch_tensor **out,
    const ctorch_scalar *start,
    const ctorch_scalar *end,
    const ctorch_scalar *step,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::ravel(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_ravel(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::real(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_real(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::reciprocal(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_reciprocal(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::reciprocal_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reciprocal_(
    ctorch_tensor *self);

/** aten::reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reciprocal_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::record_stream(Tensor(a!) self, Stream s) -> () */
CTORCH_API ctorch_error *ctorch_aten_record_stream(
    ctorch_tensor *self,
    const ctorch_stream *s);

/** aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad1d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::reflection_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad1d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *grad_input);

/** aten::reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad1d_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::reflection_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *grad_input);

/** aten::reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad2d_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::reflection_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *grad_input);

/** aten::reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_reflection_pad3d_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::relu(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_relu(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::relu6(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_relu6(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::relu6_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_relu6_(
    ctorch_tensor *self);

/** aten::relu_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_relu_(
    ctorch_tensor *self);

/** aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_relu_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_remainder_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_remainder_Scalar_Tensor(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::remainder.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_remainder_Scalar_Tensor_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::remainder.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_remainder_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_remainder_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::remainder.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_remainder_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::remainder_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_remainder__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::remainder_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_remainder__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_renorm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    int64_t dim,
    const ctorch_scalar *maxnorm);

/** aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_renorm_(
    ctorch_tensor *self,
    const ctorch_scalar *p,
    int64_t dim,
    const ctorch_scalar *maxnorm);

/** aten::renorm.out(Tensor self, Scalar p, int dim, Scalar maxnorm, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_renorm_out(
    const ctorch_tensor *self,
    const ctorch_scalar *p,
    int64_t dim,
    const ctorch_scalar *maxnorm,
    ctorch_tensor *out);

/** aten::repeat(Tensor self, SymInt[] repeats) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_repeat(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *repeats,
    size_t repeats_len);

/** aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_repeat_interleave_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *repeats,
    const int64_t *output_size);

/** aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_repeat_interleave_Tensor_out(
    const ctorch_tensor *repeats,
    const int64_t *output_size,
    ctorch_tensor *out);

/** aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_repeat_interleave_self_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *repeats,
    const int64_t *dim,
    const int64_t *output_size);

/** aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_repeat_interleave_self_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t repeats,
    const int64_t *dim,
    const int64_t *output_size);

/** aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_repeat_out(
    const ctorch_tensor *self,
    const int64_t *repeats,
    size_t repeats_len,
    ctorch_tensor *out);

/** aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_replication_pad1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_replication_pad1d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::replication_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_replication_pad1d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *grad_input);

/** aten::replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_replication_pad1d_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_replication_pad2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_replication_pad2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::replication_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_replication_pad2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *grad_input);

/** aten::replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_replication_pad2d_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_replication_pad3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_replication_pad3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len);

/** aten::replication_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_replication_pad3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *grad_input);

/** aten::replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_replication_pad3d_out(
    const ctorch_tensor *self,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_requires_grad_(
    ctorch_tensor *self,
    bool requires_grad);

/** aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_reshape(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *shape,
    size_t shape_len);

/** aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_reshape_as(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_resize(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_memory_format *memory_format);

/** aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_resize_(
    ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_memory_format *memory_format);

/** aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_resize_as(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *the_template,
    const ctorch_memory_format *memory_format);

/** aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_resize_as_(
    ctorch_tensor *self,
    const ctorch_tensor *the_template,
    const ctorch_memory_format *memory_format);

/** aten::resize_as.out(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_resize_as_out(
    const ctorch_tensor *self,
    const ctorch_tensor *the_template,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::resize_as_sparse(Tensor self, Tensor the_template) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_resize_as_sparse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *the_template);

/** aten::resize_as_sparse_(Tensor(a!) self, Tensor the_template) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_resize_as_sparse_(
    ctorch_tensor *self,
    const ctorch_tensor *the_template);

/** aten::resize_as_sparse.out(Tensor self, Tensor the_template, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_resize_as_sparse_out(
    const ctorch_tensor *self,
    const ctorch_tensor *the_template,
    ctorch_tensor *out);

/** aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_resize_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::resolve_conj(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_resolve_conj(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::resolve_neg(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_resolve_neg(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType */
CTORCH_API ctorch_error *ctorch_aten_result_type_Scalar(
    ctorch_dtype *out,
    const ctorch_tensor *tensor,
    const ctorch_scalar *other);

/** aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType */
CTORCH_API ctorch_error *ctorch_aten_result_type_Scalar_Scalar(
    ctorch_dtype *out,
    const ctorch_scalar *scalar1,
    const ctorch_scalar *scalar2);

/** aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType */
CTORCH_API ctorch_error *ctorch_aten_result_type_Scalar_Tensor(
    ctorch_dtype *out,
    const ctorch_scalar *scalar,
    const ctorch_tensor *tensor);

/** aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType */
CTORCH_API ctorch_error *ctorch_aten_result_type_Tensor(
    ctorch_dtype *out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *other);

/** aten::retain_grad(Tensor(a!) self) -> () */
CTORCH_API ctorch_error *ctorch_aten_retain_grad(
    ctorch_tensor *self);

/** aten::retains_grad(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten_retains_grad(
    bool *out,
    const ctorch_tensor *self);

/** aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rms_norm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *weight,
    const double *eps);

/** aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rnn_relu_cell(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh);

/** aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_rnn_relu_data(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *data,
    const ctorch_tensor *batch_sizes,
    const ctorch_tensor *hx,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional);

/** aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_rnn_relu_input(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional,
    bool batch_first);

/** aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rnn_tanh_cell(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh);

/** aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_rnn_tanh_data(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *data,
    const ctorch_tensor *batch_sizes,
    const ctorch_tensor *hx,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional);

/** aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_rnn_tanh_input(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *const *params,
    size_t params_len,
    bool has_biases,
    int64_t num_layers,
    double dropout,
    bool train,
    bool bidirectional,
    bool batch_first);

/** aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_roll(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *shifts,
    size_t shifts_len,
    const int64_t *dims,
    size_t dims_len);

/** aten::roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_roll_out(
    const ctorch_tensor *self,
    const int64_t *shifts,
    size_t shifts_len,
    const int64_t *dims,
    size_t dims_len,
    ctorch_tensor *out);

/** aten::rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rot90(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t k,
    const int64_t *dims,
    size_t dims_len);

/** aten::rot90.out(Tensor self, int k=1, int[] dims=[0,1], *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rot90_out(
    const ctorch_tensor *self,
    int64_t k,
    const int64_t *dims,
    size_t dims_len,
    ctorch_tensor *out);

/** aten::round(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_round(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::round_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_round_(
    ctorch_tensor *self);

/** aten::round_.decimals(Tensor(a!) self, *, int decimals) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_round__decimals(
    ctorch_tensor *self,
    int64_t decimals);

/** aten::round.decimals(Tensor self, *, int decimals) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_round_decimals(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t decimals);

/** aten::round.decimals_out(Tensor self, *, int decimals, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_round_decimals_out(
    const ctorch_tensor *self,
    int64_t decimals,
    ctorch_tensor *out);

/** aten::round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_round_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::row_indices(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_row_indices(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::row_indices_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_row_indices_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::row_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_row_indices_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::row_stack(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_row_stack(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_row_stack_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *out);

/** aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rrelu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    ctorch_generator *generator);

/** aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rrelu_(
    ctorch_tensor *self,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    ctorch_generator *generator);

/** aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rrelu_with_noise(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_tensor *noise,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    ctorch_generator *generator);

/** aten::rrelu_with_noise_(Tensor(a!) self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rrelu_with_noise_(
    ctorch_tensor *self,
    ctorch_tensor *noise,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    ctorch_generator *generator);

/** aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rrelu_with_noise_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *noise,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    bool self_is_result);

/** aten::rrelu_with_noise_backward.out(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rrelu_with_noise_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *noise,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    bool self_is_result,
    ctorch_tensor *out);

/** aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> (Tensor, Tensor noise_out) */
CTORCH_API ctorch_error *ctorch_aten_rrelu_with_noise_functional(
    ctorch_tensor **out0,
    ctorch_tensor **out_noise_out,
    const ctorch_tensor *self,
    const ctorch_tensor *noise,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    ctorch_generator *generator);

/** aten::rrelu_with_noise.out(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rrelu_with_noise_out(
    const ctorch_tensor *self,
    ctorch_tensor *noise,
    const ctorch_scalar *lower,
    const ctorch_scalar *upper,
    bool training,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::rsqrt(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rsqrt(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::rsqrt_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rsqrt_(
    ctorch_tensor *self);

/** aten::rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rsqrt_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rsub_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::rsub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rsub_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_rsub_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::rsub.Tensor_out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_rsub_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scalar_tensor(
    ctorch_tensor **out,
    const ctorch_scalar *s,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scalar_tensor_out(
    const ctorch_scalar *s,
    ctorch_tensor *out);

/** aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scaled_dot_product_attention(
    ctorch_tensor **out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_mask,
    double dropout_p,
    bool is_causal,
    const double *scale,
    bool enable_gqa);

/** aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter__reduce(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce);

/** aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter__src(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src);

/** aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter__value(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value);

/** aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter__value_reduce(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value,
    const char *reduce);

/** aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scatter_add(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src);

/** aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_add_(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src);

/** aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_add_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    ctorch_tensor *out);

/** aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scatter_reduce(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce);

/** aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_reduce__two(
    ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce,
    bool include_self);

/** aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_reduce_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce,
    ctorch_tensor *out);

/** aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scatter_reduce_two(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce,
    bool include_self);

/** aten::scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_reduce_two_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    const char *reduce,
    bool include_self,
    ctorch_tensor *out);

/** aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scatter_src(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src);

/** aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_src_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *src,
    ctorch_tensor *out);

/** aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scatter_value(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value);

/** aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_value_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_scatter_value_reduce(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value,
    const char *reduce);

/** aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_scatter_value_reduce_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_scalar *value,
    const char *reduce,
    ctorch_tensor *out);

/** aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_searchsorted_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *sorted_sequence,
    const ctorch_scalar *self,
    bool out_int32,
    bool right,
    const char *side,
    const ctorch_tensor *sorter);

/** aten::searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_searchsorted_Scalar_out(
    const ctorch_tensor *sorted_sequence,
    const ctorch_scalar *self,
    bool out_int32,
    bool right,
    const char *side,
    const ctorch_tensor *sorter,
    ctorch_tensor *out);

/** aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_searchsorted_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *sorted_sequence,
    const ctorch_tensor *self,
    bool out_int32,
    bool right,
    const char *side,
    const ctorch_tensor *sorter);

/** aten::searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_searchsorted_Tensor_out(
    const ctorch_tensor *sorted_sequence,
    const ctorch_tensor *self,
    bool out_int32,
    bool right,
    const char *side,
    const ctorch_tensor *sorter,
    ctorch_tensor *out);

/** aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_segment_reduce(
    ctorch_tensor **out,
    const ctorch_tensor *data,
    const char *reduce,
    const ctorch_tensor *lengths,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    int64_t axis,
    bool unsafe,
    const ctorch_scalar *initial);

/** aten::segment_reduce.out(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_segment_reduce_out(
    const ctorch_tensor *data,
    const char *reduce,
    const ctorch_tensor *lengths,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    int64_t axis,
    bool unsafe,
    const ctorch_scalar *initial,
    ctorch_tensor *out);

/** aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_select_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t dim,
    int64_t index);

/** aten::select_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_select_backward_out(
    const ctorch_tensor *grad_output,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t dim,
    int64_t index,
    ctorch_tensor *out);

/** aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_select_copy_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    int64_t index);

/** aten::select_copy.int_out(Tensor self, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_select_copy_int_out(
    const ctorch_tensor *self,
    int64_t dim,
    int64_t index,
    ctorch_tensor *out);

/** aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_select_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    int64_t index);

/** aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_select_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    int64_t dim,
    int64_t index);

/** aten::select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_select_scatter_out(
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    int64_t dim,
    int64_t index,
    ctorch_tensor *out);

/** aten::selu(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_selu(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::selu_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_selu_(
    ctorch_tensor *self);

/** aten::set(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_set(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::set_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set_(
    ctorch_tensor *self);

/** aten::set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set__source_Storage(
    ctorch_tensor *self,
    ctorch_storage *source);

/** aten::set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set__source_Storage_storage_offset(
    ctorch_tensor *self,
    ctorch_storage *source,
    int64_t storage_offset,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set__source_Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *source);

/** aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set__source_Tensor_storage_offset(
    ctorch_tensor *self,
    const ctorch_tensor *source,
    int64_t storage_offset,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::set_data(Tensor(a!) self, Tensor new_data) -> () */
CTORCH_API ctorch_error *ctorch_aten_set_data(
    ctorch_tensor *self,
    const ctorch_tensor *new_data);

/** aten::set.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::set.source_Storage(Tensor self, Storage source) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_set_source_Storage(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_storage *source);

/** aten::set.source_Storage_out(Tensor self, Storage source, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set_source_Storage_out(
    const ctorch_tensor *self,
    ctorch_storage *source,
    ctorch_tensor *out);

/** aten::set.source_Storage_storage_offset(Tensor self, Storage source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_set_source_Storage_storage_offset(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_storage *source,
    int64_t storage_offset,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::set.source_Storage_storage_offset_out(Tensor self, Storage source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[], *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set_source_Storage_storage_offset_out(
    const ctorch_tensor *self,
    ctorch_storage *source,
    int64_t storage_offset,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    ctorch_tensor *out);

/** aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_set_source_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *source);

/** aten::set.source_Tensor_out(Tensor self, Tensor source, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_set_source_Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *source,
    ctorch_tensor *out);

/** aten::sgn(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sgn(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::sgn_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sgn_(
    ctorch_tensor *self);

/** aten::sgn.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sgn_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::sigmoid(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sigmoid(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::sigmoid_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sigmoid_(
    ctorch_tensor *self);

/** aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sigmoid_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output);

/** aten::sigmoid_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sigmoid_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    ctorch_tensor *grad_input);

/** aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sigmoid_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::sign(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sign(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::sign_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sign_(
    ctorch_tensor *self);

/** aten::sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sign_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::signbit(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_signbit(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::signbit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_signbit_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::silu(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_silu(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::silu_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_silu_(
    ctorch_tensor *self);

/** aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_silu_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self);

/** aten::silu_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_silu_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    ctorch_tensor *grad_input);

/** aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_silu_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::sin(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sin(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::sin_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sin_(
    ctorch_tensor *self);

/** aten::sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sin_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::sinc(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sinc(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::sinc_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sinc_(
    ctorch_tensor *self);

/** aten::sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sinc_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::sinh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sinh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::sinh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sinh_(
    ctorch_tensor *self);

/** aten::sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sinh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::size.int(Tensor self, int dim) -> int */
CTORCH_API ctorch_error *ctorch_aten_size_int(
    int64_t *out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_slice_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const int64_t *start,
    const int64_t *end,
    int64_t step);

/** aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slice_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t dim,
    int64_t start,
    int64_t end,
    int64_t step);

/** aten::slice_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slice_backward_out(
    const ctorch_tensor *grad_output,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t dim,
    int64_t start,
    int64_t end,
    int64_t step,
    ctorch_tensor *out);

/** aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slice_copy_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const int64_t *start,
    const int64_t *end,
    int64_t step);

/** aten::slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slice_copy_Tensor_out(
    const ctorch_tensor *self,
    int64_t dim,
    const int64_t *start,
    const int64_t *end,
    int64_t step,
    ctorch_tensor *out);

/** aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_slice_inverse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    int64_t dim,
    const int64_t *start,
    const int64_t *end,
    int64_t step);

/** aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slice_scatter(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    int64_t dim,
    const int64_t *start,
    const int64_t *end,
    int64_t step);

/** aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slice_scatter_out(
    const ctorch_tensor *self,
    const ctorch_tensor *src,
    int64_t dim,
    const int64_t *start,
    const int64_t *end,
    int64_t step,
    ctorch_tensor *out);

/** aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet) */
CTORCH_API ctorch_error *ctorch_aten_slogdet(
    ctorch_tensor **out_sign,
    ctorch_tensor **out_logabsdet,
    const ctorch_tensor *self);

/** aten::slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, Tensor(b!) logabsdet) */
CTORCH_API ctorch_error *ctorch_aten_slogdet_out(
    const ctorch_tensor *self,
    ctorch_tensor *sign,
    ctorch_tensor *logabsdet);

/** aten::slow_conv3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slow_conv3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len);

/** aten::slow_conv3d_forward(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, SymInt[3] stride, SymInt[3] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slow_conv3d_forward(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len);

/** aten::slow_conv3d_forward.output(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, SymInt[3] stride, SymInt[3] padding, *, Tensor(a!) output) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slow_conv3d_forward_output(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *output);

/** aten::slow_conv3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slow_conv3d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::slow_conv_dilated2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] dilation=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_dilated2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::slow_conv_dilated2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] dilation=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_dilated2d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    ctorch_tensor *out);

/** aten::slow_conv_dilated3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] dilation=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_dilated3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::slow_conv_dilated3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] dilation=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_dilated3d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    ctorch_tensor *out);

/** aten::slow_conv_transpose2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] output_padding=0, SymInt[2] dilation=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_transpose2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::slow_conv_transpose2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] output_padding=0, SymInt[2] dilation=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_transpose2d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    ctorch_tensor *out);

/** aten::slow_conv_transpose3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] output_padding=0, SymInt[3] dilation=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_transpose3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *dilation,
    size_t dilation_len);

/** aten::slow_conv_transpose3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] output_padding=0, SymInt[3] dilation=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_slow_conv_transpose3d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *output_padding,
    size_t output_padding_len,
    const int64_t *dilation,
    size_t dilation_len,
    ctorch_tensor *out);

/** aten::smm(Tensor self, Tensor mat2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_smm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2);

/** aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_smooth_l1_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double beta);

/** aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_smooth_l1_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double beta);

/** aten::smooth_l1_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_smooth_l1_loss_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double beta,
    ctorch_tensor *grad_input);

/** aten::smooth_l1_loss.out(Tensor self, Tensor target, int reduction=Mean, float beta=1.0, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_smooth_l1_loss_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    double beta,
    ctorch_tensor *out);

/** aten::soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_soft_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_soft_margin_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction);

/** aten::soft_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_soft_margin_loss_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    ctorch_tensor *grad_input);

/** aten::soft_margin_loss.out(Tensor self, Tensor target, int reduction=Mean, *, Tensor(a!) out) -> Tensor(a!)
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_soft_margin_loss_out(
    const ctorch_tensor *self,
    const ctorch_tensor *target,
    int64_t reduction,
    ctorch_tensor *out);

/** aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_softmax_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_softmax_int_out(
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_softplus(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *beta,
    const ctorch_scalar *threshold);

/** aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_softplus_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *beta,
    const ctorch_scalar *threshold);

/** aten::softplus_backward.grad_input(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_softplus_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *beta,
    const ctorch_scalar *threshold,
    ctorch_tensor *grad_input);

/** aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_softplus_out(
    const ctorch_tensor *self,
    const ctorch_scalar *beta,
    const ctorch_scalar *threshold,
    ctorch_tensor *out);

/** aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_softshrink(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *lambd);

/** aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_softshrink_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *lambd);

/** aten::softshrink_backward.grad_input(Tensor grad_output, Tensor self, Scalar lambd, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_softshrink_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *lambd,
    ctorch_tensor *grad_input);

/** aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_softshrink_out(
    const ctorch_tensor *self,
    const ctorch_scalar *lambd,
    ctorch_tensor *out);

/** aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_sort(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t dim,
    bool descending);

/** aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_sort_stable(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    const bool *stable,
    int64_t dim,
    bool descending);

/** aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_sort_values(
    const ctorch_tensor *self,
    int64_t dim,
    bool descending,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_sort_values_stable(
    const ctorch_tensor *self,
    const bool *stable,
    int64_t dim,
    bool descending,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::sparse_bsc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_bsc_tensor_ccol_row_value(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_bsc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_bsc_tensor_ccol_row_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_bsr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_bsr_tensor_crow_col_value(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_bsr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_bsr_tensor_crow_col_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_compressed_tensor.comp_plain_value(Tensor compressed_indices, Tensor plain_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_compressed_tensor_comp_plain_value(
    ctorch_tensor **out,
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_compressed_tensor.comp_plain_value_size(Tensor compressed_indices, Tensor plain_indices, Tensor values, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_compressed_tensor_comp_plain_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_coo_tensor.indices(Tensor indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_coo_tensor_indices(
    ctorch_tensor **out,
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const bool *is_coalesced);

/** aten::sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_coo_tensor_indices_size(
    ctorch_tensor **out,
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const bool *is_coalesced);

/** aten::sparse_coo_tensor.size(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_coo_tensor_size(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_coo_tensor.size_out(int[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sparse_coo_tensor_size_out(
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::sparse_csc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_csc_tensor_ccol_row_value(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_csc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_csc_tensor_ccol_row_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_csr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_csr_tensor_crow_col_value(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_csr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_csr_tensor_crow_col_value_size(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::sparse_dim(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_sparse_dim(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::sparse_mask(Tensor self, Tensor mask) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_mask(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask);

/** aten::sparse_mask.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sparse_mask_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    ctorch_tensor *out);

/** aten::sparse_resize(Tensor self, int[] size, int sparse_dim, int dense_dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_resize(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    int64_t sparse_dim,
    int64_t dense_dim);

/** aten::sparse_resize_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sparse_resize_(
    ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    int64_t sparse_dim,
    int64_t dense_dim);

/** aten::sparse_resize_and_clear(Tensor self, int[] size, int sparse_dim, int dense_dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_resize_and_clear(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    int64_t sparse_dim,
    int64_t dense_dim);

/** aten::sparse_resize_and_clear_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sparse_resize_and_clear_(
    ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    int64_t sparse_dim,
    int64_t dense_dim);

/** aten::sparse_resize_and_clear.out(Tensor self, int[] size, int sparse_dim, int dense_dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sparse_resize_and_clear_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    int64_t sparse_dim,
    int64_t dense_dim,
    ctorch_tensor *out);

/** aten::sparse_resize.out(Tensor self, int[] size, int sparse_dim, int dense_dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sparse_resize_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    int64_t sparse_dim,
    int64_t dense_dim,
    ctorch_tensor *out);

/** aten::sparse_sampled_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sparse_sampled_addmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::sparse_sampled_addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sparse_sampled_addmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::special_airy_ai(Tensor x) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_airy_ai(
    ctorch_tensor **out,
    const ctorch_tensor *x);

/** aten::special_airy_ai.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_airy_ai_out(
    const ctorch_tensor *x,
    ctorch_tensor *out);

/** aten::special_bessel_j0(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_j0(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_bessel_j0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_j0_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_bessel_j1(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_j1(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_bessel_j1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_j1_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_bessel_y0(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_y0(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_bessel_y0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_y0_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_bessel_y1(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_y1(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_bessel_y1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_bessel_y1_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_t(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_t_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_t_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_t_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_t_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_t_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_u(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_u_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_u_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_u_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_u_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_u_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_v(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_v_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_v_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_v_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_v_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_v_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_w(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_w_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_w_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_w_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_w_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_chebyshev_polynomial_w_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_digamma(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_digamma(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_digamma_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_entr(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_entr(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_entr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_entr_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_erf(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_erf(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_erf_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_erfc(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_erfc(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_erfc_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_erfcx(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_erfcx(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_erfcx.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_erfcx_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_erfinv(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_erfinv(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_erfinv_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_exp2(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_exp2(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_exp2_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_expit(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_expit(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_expit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_expit_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_expm1(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_expm1(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_expm1_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_gammainc(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_gammainc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::special_gammainc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_gammainc_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::special_gammaincc(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_gammaincc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::special_gammaincc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_gammaincc_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::special_gammaln(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_gammaln(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_gammaln.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_gammaln_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_h(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_h_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_hermite_polynomial_h.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_h_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_hermite_polynomial_h.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_h_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_h_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_hermite_polynomial_h.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_h_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_he(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_he_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_hermite_polynomial_he.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_he_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_hermite_polynomial_he.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_he_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_he_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_hermite_polynomial_he.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_hermite_polynomial_he_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_i0(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_i0(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_i0_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_i0e(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_i0e(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_i0e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_i0e_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_i1(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_i1(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_i1_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_i1e(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_i1e(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_i1e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_i1e_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_laguerre_polynomial_l(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_laguerre_polynomial_l_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_laguerre_polynomial_l.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_laguerre_polynomial_l_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_laguerre_polynomial_l.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_laguerre_polynomial_l_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_laguerre_polynomial_l_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_laguerre_polynomial_l.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_laguerre_polynomial_l_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_legendre_polynomial_p(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_legendre_polynomial_p_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_legendre_polynomial_p.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_legendre_polynomial_p_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_legendre_polynomial_p.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_legendre_polynomial_p_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_legendre_polynomial_p_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_legendre_polynomial_p.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_legendre_polynomial_p_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_log1p(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_log1p(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_log1p_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_log_ndtr(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_log_ndtr(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_log_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_log_ndtr_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_log_softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::special_logit(Tensor self, float? eps=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_logit(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const double *eps);

/** aten::special_logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_logit_out(
    const ctorch_tensor *self,
    const double *eps,
    ctorch_tensor *out);

/** aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_logsumexp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::special_logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_logsumexp_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    ctorch_tensor *out);

/** aten::special_modified_bessel_i0(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_i0(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_modified_bessel_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_i0_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_modified_bessel_i1(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_i1(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_modified_bessel_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_i1_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_modified_bessel_k0(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_k0(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_modified_bessel_k0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_k0_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_modified_bessel_k1(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_k1(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_modified_bessel_k1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_modified_bessel_k1_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_multigammaln(Tensor self, int p) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_multigammaln(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t p);

/** aten::special_multigammaln.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_multigammaln_out(
    const ctorch_tensor *self,
    int64_t p,
    ctorch_tensor *out);

/** aten::special_ndtr(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_ndtr(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_ndtr_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_ndtri(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_ndtri(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_ndtri.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_ndtri_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_polygamma(int n, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_polygamma(
    ctorch_tensor **out,
    int64_t n,
    const ctorch_tensor *self);

/** aten::special_polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_polygamma_out(
    int64_t n,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_psi(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_psi(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_psi.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_psi_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_round(Tensor self, *, int decimals=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_round(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t decimals);

/** aten::special_round.out(Tensor self, *, int decimals=0, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_round_out(
    const ctorch_tensor *self,
    int64_t decimals,
    ctorch_tensor *out);

/** aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_scaled_modified_bessel_k0(
    ctorch_tensor **out,
    const ctorch_tensor *x);

/** aten::special_scaled_modified_bessel_k0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_scaled_modified_bessel_k0_out(
    const ctorch_tensor *x,
    ctorch_tensor *out);

/** aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_scaled_modified_bessel_k1(
    ctorch_tensor **out,
    const ctorch_tensor *x);

/** aten::special_scaled_modified_bessel_k1.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_scaled_modified_bessel_k1_out(
    const ctorch_tensor *x,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_t(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_t_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_shifted_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_t_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_t_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_t_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_t_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_u(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_u_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_shifted_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_u_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_u_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_u_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_u_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_v(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_v_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_shifted_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_v_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_v_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_v_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_v_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_w(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_w_n_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_scalar *n);

/** aten::special_shifted_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_w_n_scalar_out(
    const ctorch_tensor *x,
    const ctorch_scalar *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_w_out(
    const ctorch_tensor *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_w_x_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *x,
    const ctorch_tensor *n);

/** aten::special_shifted_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_shifted_chebyshev_polynomial_w_x_scalar_out(
    const ctorch_scalar *x,
    const ctorch_tensor *n,
    ctorch_tensor *out);

/** aten::special_sinc(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_sinc(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::special_sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_sinc_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::special_spherical_bessel_j0(Tensor x) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_spherical_bessel_j0(
    ctorch_tensor **out,
    const ctorch_tensor *x);

/** aten::special_spherical_bessel_j0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_spherical_bessel_j0_out(
    const ctorch_tensor *x,
    ctorch_tensor *out);

/** aten::special_xlog1py(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_xlog1py(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_xlog1py_other_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::special_xlog1py.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_xlog1py_other_scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::special_xlog1py.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_xlog1py_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_xlog1py_self_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::special_xlog1py.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_xlog1py_self_scalar_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::special_xlogy(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_xlogy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_xlogy_other_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::special_xlogy.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_xlogy_other_scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_xlogy_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_xlogy_self_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::special_xlogy.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_xlogy_self_scalar_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::special_zeta(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_zeta(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_zeta_other_scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::special_zeta.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_zeta_other_scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::special_zeta.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_zeta_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_special_zeta_self_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::special_zeta.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_special_zeta_self_scalar_out(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_split_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t split_size,
    int64_t dim);

/** aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_split_copy_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t split_size,
    int64_t dim);

/** aten::split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten_split_copy_Tensor_out(
    const ctorch_tensor *self,
    int64_t split_size,
    int64_t dim,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_split_sizes(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_size,
    size_t split_size_len,
    int64_t dim);

/** aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_split_with_sizes(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len,
    int64_t dim);

/** aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_split_with_sizes_copy(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len,
    int64_t dim);

/** aten::split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten_split_with_sizes_copy_out(
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len,
    int64_t dim,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::sqrt(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sqrt(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::sqrt_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sqrt_(
    ctorch_tensor *self);

/** aten::sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sqrt_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::square(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_square(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::square_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_square_(
    ctorch_tensor *self);

/** aten::square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_square_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::squeeze(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_squeeze(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::squeeze_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_squeeze_(
    ctorch_tensor *self);

/** aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_squeeze__dim(
    ctorch_tensor *self,
    int64_t dim);

/** aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_squeeze__dims(
    ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::squeeze_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_squeeze_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_squeeze_copy_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_squeeze_copy_dim_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *out);

/** aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_squeeze_copy_dims(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_squeeze_copy_dims_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    ctorch_tensor *out);

/** aten::squeeze_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_squeeze_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_squeeze_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_squeeze_dims(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sspaddmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::sspaddmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sspaddmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::stack(Tensor[] tensors, int dim=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_stack(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim);

/** aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_stack_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim,
    ctorch_tensor *out);

/** aten::std(Tensor self, bool unbiased=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_std(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool unbiased);

/** aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_std_correction(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim);

/** aten::std.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_std_correction_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim,
    ctorch_tensor *out);

/** aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_std_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool unbiased,
    bool keepdim);

/** aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_std_mean(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    bool unbiased);

/** aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_std_mean_correction(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim);

/** aten::std_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_std_mean_correction_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_std_mean_dim(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool unbiased,
    bool keepdim);

/** aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_std_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool unbiased,
    bool keepdim,
    ctorch_tensor *out);

/** aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_stft(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t n_fft,
    const int64_t *hop_length,
    const int64_t *win_length,
    const ctorch_tensor *window,
    bool normalized,
    const bool *onesided,
    const bool *return_complex,
    const bool *align_to_window);

/** aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode="reflect", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor */
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
    const bool *return_complex,
    const bool *align_to_window);

/** aten::storage_offset(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten_storage_offset(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::stride.int(Tensor self, int dim) -> int */
CTORCH_API ctorch_error *ctorch_aten_stride_int(
    int64_t *out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sub_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::sub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sub_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sub_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sub__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sub__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sub_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_subtract_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_subtract_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::subtract_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_subtract__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::subtract_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_subtract__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::subtract.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_subtract_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sum(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype);

/** aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sum_IntList_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sum_dim_IntList(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::sum.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_sum_out(
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_sum_to_size(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V) */
CTORCH_API ctorch_error *ctorch_aten_svd(
    ctorch_tensor **out_U,
    ctorch_tensor **out_S,
    ctorch_tensor **out_V,
    const ctorch_tensor *self,
    bool some,
    bool compute_uv);

/** aten::svd.U(Tensor self, bool some=True, bool compute_uv=True, *, Tensor(a!) U, Tensor(b!) S, Tensor(c!) V) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) V) */
CTORCH_API ctorch_error *ctorch_aten_svd_U(
    const ctorch_tensor *self,
    bool some,
    bool compute_uv,
    ctorch_tensor *U,
    ctorch_tensor *S,
    ctorch_tensor *V);

/** aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_swapaxes(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t axis0,
    int64_t axis1);

/** aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_swapaxes_(
    ctorch_tensor *self,
    int64_t axis0,
    int64_t axis1);

/** aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_swapdims(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1);

/** aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_swapdims_(
    ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1);

/** aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> () */
CTORCH_API ctorch_error *ctorch_aten_sym_constrain_range(
    const ctorch_scalar *size,
    const int64_t *min,
    const int64_t *max);

/** aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> () */
CTORCH_API ctorch_error *ctorch_aten_sym_constrain_range_for_size(
    const ctorch_scalar *size,
    const int64_t *min,
    const int64_t *max);

/** aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=contiguous_format) -> SymBool */
CTORCH_API ctorch_error *ctorch_aten_sym_is_contiguous(
    bool *out,
    const ctorch_tensor *self,
    ctorch_memory_format memory_format);

/** aten::sym_numel(Tensor self) -> SymInt */
CTORCH_API ctorch_error *ctorch_aten_sym_numel(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::sym_size.int(Tensor self, int dim) -> SymInt */
CTORCH_API ctorch_error *ctorch_aten_sym_size_int(
    int64_t *out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::sym_storage_offset(Tensor self) -> SymInt */
CTORCH_API ctorch_error *ctorch_aten_sym_storage_offset(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::sym_stride.int(Tensor self, int dim) -> SymInt */
CTORCH_API ctorch_error *ctorch_aten_sym_stride_int(
    int64_t *out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::t(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_t(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::t_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_t_(
    ctorch_tensor *self);

/** aten::t_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_t_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_t_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::take(Tensor self, Tensor index) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_take(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *index);

/** aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_take_along_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    const int64_t *dim);

/** aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_take_along_dim_out(
    const ctorch_tensor *self,
    const ctorch_tensor *indices,
    const int64_t *dim,
    ctorch_tensor *out);

/** aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_take_out(
    const ctorch_tensor *self,
    const ctorch_tensor *index,
    ctorch_tensor *out);

/** aten::tan(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_tan(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::tan_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tan_(
    ctorch_tensor *self);

/** aten::tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tan_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::tanh(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_tanh(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::tanh_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tanh_(
    ctorch_tensor *self);

/** aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_tanh_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output);

/** aten::tanh_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tanh_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    ctorch_tensor *grad_input);

/** aten::tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tanh_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_tensor_split_indices(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *indices,
    size_t indices_len,
    int64_t dim);

/** aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_tensor_split_sections(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t sections,
    int64_t dim);

/** aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_tensor_split_tensor_indices_or_sections(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const ctorch_tensor *tensor_indices_or_sections,
    int64_t dim);

/** aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_tensordot(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const int64_t *dims_self,
    size_t dims_self_len,
    const int64_t *dims_other,
    size_t dims_other_len);

/** aten::tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tensordot_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const int64_t *dims_self,
    size_t dims_self_len,
    const int64_t *dims_other,
    size_t dims_other_len,
    ctorch_tensor *out);

/** aten::thnn_conv2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_thnn_conv2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len);

/** aten::thnn_conv2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_thnn_conv2d_out(
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const ctorch_tensor *bias,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *out);

/** aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_threshold(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *threshold,
    const ctorch_scalar *value);

/** aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_threshold_(
    ctorch_tensor *self,
    const ctorch_scalar *threshold,
    const ctorch_scalar *value);

/** aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_threshold_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *threshold);

/** aten::threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_threshold_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_scalar *threshold,
    ctorch_tensor *grad_input);

/** aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_threshold_out(
    const ctorch_tensor *self,
    const ctorch_scalar *threshold,
    const ctorch_scalar *value,
    ctorch_tensor *out);

/** aten::tile(Tensor self, SymInt[] dims) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_tile(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dims,
    size_t dims_len);

/** aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_dense(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const bool *masked_grad);

/** aten::to_dense_backward(Tensor grad, Tensor input, bool? masked_grad=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_dense_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *input,
    const bool *masked_grad);

/** aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_to_device(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_device *device,
    ctorch_dtype dtype,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format);

/** aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_to_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_dtype dtype,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format);

/** aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_to_dtype_layout(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format);

/** aten::to_mkldnn(Tensor self, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_mkldnn(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype);

/** aten::to_mkldnn_backward(Tensor grad, Tensor input) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_mkldnn_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *input);

/** aten::to_mkldnn.out(Tensor self, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_to_mkldnn_out(
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_to_other(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    bool non_blocking,
    bool copy,
    const ctorch_memory_format *memory_format);

/** aten::to_padded_tensor(Tensor self, float padding, SymInt[]? output_size=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_padded_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double padding,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::to_padded_tensor.out(Tensor self, float padding, SymInt[]? output_size=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_to_padded_tensor_out(
    const ctorch_tensor *self,
    double padding,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_sparse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_layout *layout,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim);

/** aten::to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_sparse_bsc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim);

/** aten::to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_sparse_bsr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim);

/** aten::to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_sparse_csc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dense_dim);

/** aten::to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_sparse_csr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dense_dim);

/** aten::to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_to_sparse_sparse_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t sparse_dim);

/** aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices) */
CTORCH_API ctorch_error *ctorch_aten_topk(
    ctorch_tensor **out_values,
    ctorch_tensor **out_indices,
    const ctorch_tensor *self,
    int64_t k,
    int64_t dim,
    bool largest,
    bool sorted);

/** aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices) */
CTORCH_API ctorch_error *ctorch_aten_topk_values(
    const ctorch_tensor *self,
    int64_t k,
    int64_t dim,
    bool largest,
    bool sorted,
    ctorch_tensor *values,
    ctorch_tensor *indices);

/** aten::trace(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_trace(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::trace_backward(Tensor grad, SymInt[] sizes) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_trace_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const int64_t *sizes,
    size_t sizes_len);

/** aten::trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_trace_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_transpose_(
    ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1);

/** aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_transpose_copy_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1);

/** aten::transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_transpose_copy_int_out(
    const ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1,
    ctorch_tensor *out);

/** aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_transpose_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1);

/** aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_trapezoid_dx(
    ctorch_tensor **out,
    const ctorch_tensor *y,
    const ctorch_scalar *dx,
    int64_t dim);

/** aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_trapezoid_x(
    ctorch_tensor **out,
    const ctorch_tensor *y,
    const ctorch_tensor *x,
    int64_t dim);

/** aten::trapz.dx(Tensor y, *, float dx=1, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_trapz_dx(
    ctorch_tensor **out,
    const ctorch_tensor *y,
    double dx,
    int64_t dim);

/** aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_trapz_x(
    ctorch_tensor **out,
    const ctorch_tensor *y,
    const ctorch_tensor *x,
    int64_t dim);

/** aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient) */
CTORCH_API ctorch_error *ctorch_aten_triangular_solve(
    ctorch_tensor **out_solution,
    ctorch_tensor **out_cloned_coefficient,
    const ctorch_tensor *self,
    const ctorch_tensor *A,
    bool upper,
    bool transpose,
    bool unitriangular);

/** aten::triangular_solve.X(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False, *, Tensor(a!) X, Tensor(b!) M) -> (Tensor(a!) solution, Tensor(b!) cloned_coefficient) */
CTORCH_API ctorch_error *ctorch_aten_triangular_solve_X(
    const ctorch_tensor *self,
    const ctorch_tensor *A,
    bool upper,
    bool transpose,
    bool unitriangular,
    ctorch_tensor *X,
    ctorch_tensor *M);

/** aten::tril(Tensor self, SymInt diagonal=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_tril(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t diagonal);

/** aten::tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tril_(
    ctorch_tensor *self,
    int64_t diagonal);

/** aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_tril_indices(
    ctorch_tensor **out,
    int64_t row,
    int64_t col,
    int64_t offset,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tril_indices_out(
    int64_t row,
    int64_t col,
    int64_t offset,
    ctorch_tensor *out);

/** aten::tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_tril_out(
    const ctorch_tensor *self,
    int64_t diagonal,
    ctorch_tensor *out);

/** aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False, int reduction=Mean) -> Tensor
 * reduction: ctorch_reduction */
CTORCH_API ctorch_error *ctorch_aten_triplet_margin_loss(
    ctorch_tensor **out,
    const ctorch_tensor *anchor,
    const ctorch_tensor *positive,
    const ctorch_tensor *negative,
    double margin,
    double p,
    double eps,
    bool swap,
    int64_t reduction);

/** aten::triu(Tensor self, SymInt diagonal=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_triu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t diagonal);

/** aten::triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_triu_(
    ctorch_tensor *self,
    int64_t diagonal);

/** aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_triu_indices(
    ctorch_tensor **out,
    int64_t row,
    int64_t col,
    int64_t offset,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_triu_indices_out(
    int64_t row,
    int64_t col,
    int64_t offset,
    ctorch_tensor *out);

/** aten::triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_triu_out(
    const ctorch_tensor *self,
    int64_t diagonal,
    ctorch_tensor *out);

/** aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_true_divide_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_true_divide_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::true_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_true_divide__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::true_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_true_divide__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::true_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_true_divide_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::trunc(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_trunc(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::trunc_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_trunc_(
    ctorch_tensor *self);

/** aten::trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_trunc_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::type_as(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_type_as(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_unbind_copy_int(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten_unbind_copy_int_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_unbind_int(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_unflatten_dense_tensors(
    ctorch_tensor_list **out,
    const ctorch_tensor *flat,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_unflatten_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const int64_t *sizes,
    size_t sizes_len);

/** aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_unfold(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dimension,
    int64_t size,
    int64_t step);

/** aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_unfold_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_in,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t dim,
    int64_t size,
    int64_t step);

/** aten::unfold_backward.out(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_unfold_backward_out(
    const ctorch_tensor *grad_in,
    const int64_t *input_sizes,
    size_t input_sizes_len,
    int64_t dim,
    int64_t size,
    int64_t step,
    ctorch_tensor *out);

/** aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_unfold_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dimension,
    int64_t size,
    int64_t step);

/** aten::unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_unfold_copy_out(
    const ctorch_tensor *self,
    int64_t dimension,
    int64_t size,
    int64_t step,
    ctorch_tensor *out);

/** aten::uniform(Tensor self, float from=0, float to=1, *, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_uniform(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double from,
    double to,
    ctorch_generator *generator);

/** aten::uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_uniform_(
    ctorch_tensor *self,
    double from,
    double to,
    ctorch_generator *generator);

/** aten::uniform.out(Tensor self, float from=0, float to=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_uniform_out(
    const ctorch_tensor *self,
    double from,
    double to,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_unique_consecutive(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    bool return_inverse,
    bool return_counts,
    const int64_t *dim);

/** aten::unique_consecutive.out(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_unique_consecutive_out(
    const ctorch_tensor *self,
    bool return_inverse,
    bool return_counts,
    const int64_t *dim,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_unique_dim(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    int64_t dim,
    bool sorted,
    bool return_inverse,
    bool return_counts);

/** aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_unique_dim_consecutive(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    int64_t dim,
    bool return_inverse,
    bool return_counts);

/** aten::unique_dim_consecutive.out(Tensor self, int dim, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_unique_dim_consecutive_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool return_inverse,
    bool return_counts,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten_unique_dim_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool sorted,
    bool return_inverse,
    bool return_counts,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_unsafe_chunk(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t chunks,
    int64_t dim);

/** aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_unsafe_split_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t split_size,
    int64_t dim);

/** aten::unsafe_split.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten_unsafe_split_Tensor_out(
    const ctorch_tensor *self,
    int64_t split_size,
    int64_t dim,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_unsafe_split_with_sizes(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len,
    int64_t dim);

/** aten::unsafe_split_with_sizes.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten_unsafe_split_with_sizes_out(
    const ctorch_tensor *self,
    const int64_t *split_sizes,
    size_t split_sizes_len,
    int64_t dim,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_unsqueeze(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_unsqueeze_(
    ctorch_tensor *self,
    int64_t dim);

/** aten::unsqueeze_copy(Tensor self, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_unsqueeze_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_unsqueeze_copy_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *out);

/** aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_bicubic2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_bicubic2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_bicubic2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_bicubic2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::upsample_bicubic2d.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_bicubic2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_bicubic2d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_bilinear2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_bilinear2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_bilinear2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_bilinear2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::upsample_bilinear2d.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_bilinear2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_bilinear2d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_bilinear2d_vec_out(
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len,
    ctorch_tensor *out);

/** aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_linear1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales);

/** aten::upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, bool align_corners, float? scales=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_linear1d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales);

/** aten::upsample_linear1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, bool align_corners, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_linear1d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales,
    ctorch_tensor *grad_input);

/** aten::upsample_linear1d.out(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_linear1d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales,
    ctorch_tensor *out);

/** aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_linear1d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales);

/** aten::upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest1d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales);

/** aten::upsample_nearest1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest1d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales,
    ctorch_tensor *grad_input);

/** aten::upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest1d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales,
    ctorch_tensor *out);

/** aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest1d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_nearest2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::upsample_nearest2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest2d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest2d_vec_out(
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len,
    ctorch_tensor *out);

/** aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_nearest3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::upsample_nearest3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest3d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_nearest3d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_trilinear3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_trilinear3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w);

/** aten::upsample_trilinear3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_trilinear3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::upsample_trilinear3d.out(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_upsample_trilinear3d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_upsample_trilinear3d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_value_selecting_reduction_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    int64_t dim,
    const ctorch_tensor *indices,
    const int64_t *sizes,
    size_t sizes_len,
    bool keepdim);

/** aten::values(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_values(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::values_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_values_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_values_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_vander(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const int64_t *N,
    bool increasing);

/** aten::var(Tensor self, bool unbiased=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_var(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool unbiased);

/** aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_var_correction(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim);

/** aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_var_correction_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim,
    ctorch_tensor *out);

/** aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_var_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool unbiased,
    bool keepdim);

/** aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_var_mean(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    bool unbiased);

/** aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_var_mean_correction(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim);

/** aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten_var_mean_correction_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    const ctorch_scalar *correction,
    bool keepdim,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten_var_mean_dim(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool unbiased,
    bool keepdim);

/** aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_var_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool unbiased,
    bool keepdim,
    ctorch_tensor *out);

/** aten::vdot(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_vdot(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_vdot_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_view(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_view_as(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::view_as_complex(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_view_as_complex(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::view_as_complex_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_view_as_complex_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::view_as_complex_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_view_as_complex_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::view_as_real(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_view_as_real(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::view_as_real_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_view_as_real_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_view_as_real_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::view_copy(Tensor self, SymInt[] size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_view_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_view_copy_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_dtype dtype);

/** aten::view_copy.dtype_out(Tensor self, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_view_copy_dtype_out(
    const ctorch_tensor *self,
    ctorch_dtype dtype,
    ctorch_tensor *out);

/** aten::view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_view_copy_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten_view_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_dtype dtype);

/** aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_vsplit_array(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *indices,
    size_t indices_len);

/** aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[] */
CTORCH_API ctorch_error *ctorch_aten_vsplit_int(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    int64_t sections);

/** aten::vstack(Tensor[] tensors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_vstack(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_vstack_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_tensor *out);

/** aten::where(Tensor condition) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten_where(
    ctorch_tensor_list **out,
    const ctorch_tensor *condition);

/** aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_where_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *condition,
    const ctorch_scalar *self,
    const ctorch_scalar *other);

/** aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_where_ScalarOther(
    ctorch_tensor **out,
    const ctorch_tensor *condition,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_where_ScalarSelf(
    ctorch_tensor **out,
    const ctorch_tensor *condition,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_where_self(
    ctorch_tensor **out,
    const ctorch_tensor *condition,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_where_self_out(
    const ctorch_tensor *condition,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::xlogy.OutScalar_Other(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_xlogy_OutScalar_Other(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::xlogy.OutScalar_Self(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_xlogy_OutScalar_Self(
    const ctorch_scalar *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::xlogy.OutTensor(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_xlogy_OutTensor(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_xlogy_Scalar_Other(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_xlogy_Scalar_Self(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const ctorch_tensor *other);

/** aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_xlogy_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::xlogy_.Scalar_Other(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_xlogy__Scalar_Other(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::xlogy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_xlogy__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::zero(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_zero(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::zero_(Tensor(a!) self) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_zero_(
    ctorch_tensor *self);

/** aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_zero_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_zeros(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten_zeros_like(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_zeros_like_out(
    const ctorch_tensor *self,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten_zeros_out(
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

CTORCH_END_DECLS

#endif
