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

/** aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___and___Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___and___Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___iand___Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___iand___Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___ilshift___Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___ilshift___Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___ior___Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___ior___Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___irshift___Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___irshift___Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___ixor___Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___ixor___Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___lshift___Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__lshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___lshift___Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___lshift___Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__lshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___lshift___Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___or___Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___or___Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___rshift___Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__rshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___rshift___Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    ctorch_tensor *out);

/** aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___rshift___Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::__rshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten___rshift___Tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___xor___Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other);

/** aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten___xor___Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self);

/** aten::_adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool2d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len);

/** aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self);

/** aten::_adaptive_avg_pool3d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool3d_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__adaptive_avg_pool3d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    ctorch_tensor *out);

/** aten::_add_batch_dim(Tensor self, int batch_dim, int level) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__add_batch_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t batch_dim,
    int64_t level);

/** aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__add_relu_Scalar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::_add_relu.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__add_relu_Scalar_out(
    const ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__add_relu_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::_add_relu_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__add_relu__Scalar(
    ctorch_tensor *self,
    const ctorch_scalar *other,
    const ctorch_scalar *alpha);

/** aten::_add_relu_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__add_relu__Tensor(
    ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::_add_relu.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__add_relu_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__addmm_activation(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    bool use_gelu);

/** aten::_addmm_activation.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__addmm_activation_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    bool use_gelu,
    ctorch_tensor *out);

/** aten::_aminmax(Tensor self) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__aminmax(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self);

/** aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__aminmax_dim(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim);

/** aten::_aminmax.dim_out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__aminmax_dim_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool keepdim,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_aminmax.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__aminmax_out(
    const ctorch_tensor *self,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_amp_foreach_non_finite_check_and_unscale(Tensor[] self, Tensor found_inf, Tensor inv_scale) -> (Tensor[] self_out, Tensor found_inf_out) */
CTORCH_API ctorch_error *ctorch_aten__amp_foreach_non_finite_check_and_unscale(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor **out_found_inf_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *found_inf,
    const ctorch_tensor *inv_scale);

/** aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, Tensor inv_scale) -> () */
CTORCH_API ctorch_error *ctorch_aten__amp_foreach_non_finite_check_and_unscale_(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *found_inf,
    const ctorch_tensor *inv_scale);

/** aten::_amp_foreach_non_finite_check_and_unscale.out(Tensor[] self, Tensor(b!) found_inf, Tensor inv_scale, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__amp_foreach_non_finite_check_and_unscale_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *found_inf,
    const ctorch_tensor *inv_scale,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_amp_update_scale(Tensor self, Tensor growth_tracker, Tensor found_inf, float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> (Tensor, Tensor growth_tracker_out) */
CTORCH_API ctorch_error *ctorch_aten__amp_update_scale(
    ctorch_tensor **out0,
    ctorch_tensor **out_growth_tracker_out,
    const ctorch_tensor *self,
    const ctorch_tensor *growth_tracker,
    const ctorch_tensor *found_inf,
    double scale_growth_factor,
    double scale_backoff_factor,
    int64_t growth_interval);

/** aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__amp_update_scale_(
    ctorch_tensor *self,
    ctorch_tensor *growth_tracker,
    const ctorch_tensor *found_inf,
    double scale_growth_factor,
    double scale_backoff_factor,
    int64_t growth_interval);

/** aten::_amp_update_scale.out(Tensor self, Tensor(b!) growth_tracker, Tensor found_inf, float scale_growth_factor, float scale_backoff_factor, int growth_interval, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__amp_update_scale_out(
    const ctorch_tensor *self,
    ctorch_tensor *growth_tracker,
    const ctorch_tensor *found_inf,
    double scale_growth_factor,
    double scale_backoff_factor,
    int64_t growth_interval,
    ctorch_tensor *out);

/** aten::_assert_async(Tensor self) -> () */
CTORCH_API ctorch_error *ctorch_aten__assert_async(
    const ctorch_tensor *self);

/** aten::_assert_async.msg(Tensor self, str assert_msg) -> () */
CTORCH_API ctorch_error *ctorch_aten__assert_async_msg(
    const ctorch_tensor *self,
    const char *assert_msg);

/** aten::_assert_scalar(Scalar self, str assert_msg) -> () */
CTORCH_API ctorch_error *ctorch_aten__assert_scalar(
    const ctorch_scalar *self,
    const char *assert_msg);

/** aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__assert_tensor_metadata(
    const ctorch_tensor *a,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    const ctorch_dtype *dtype,
    const ctorch_device *device,
    const ctorch_layout *layout);

/** aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__autocast_to_full_precision(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool cuda_enabled,
    bool cpu_enabled);

/** aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__autocast_to_reduced_precision(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool cuda_enabled,
    bool cpu_enabled,
    ctorch_dtype cuda_dtype,
    ctorch_dtype cpu_dtype);

/** aten::_backward(Tensor self, Tensor[] inputs, Tensor? gradient=None, bool? retain_graph=None, bool create_graph=False) -> () */
CTORCH_API ctorch_error *ctorch_aten__backward(
    const ctorch_tensor *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const ctorch_tensor *gradient,
    const bool *retain_graph,
    bool create_graph);

/** aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)
 * out4: ctorch_batch_norm_impl */
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

/** aten::_batch_norm_impl_index_backward(int impl_index, Tensor input, Tensor grad_output, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var_transform, bool train, float eps, bool[3] output_mask, Tensor reservedSpace) -> (Tensor, Tensor, Tensor)
 * impl_index: ctorch_batch_norm_impl */
CTORCH_API ctorch_error *ctorch_aten__batch_norm_impl_index_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    int64_t impl_index,
    const ctorch_tensor *input,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *weight,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    const ctorch_tensor *save_mean,
    const ctorch_tensor *save_var_transform,
    bool train,
    double eps,
    const bool *output_mask,
    size_t output_mask_len,
    const ctorch_tensor *reservedSpace);

/** aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__batch_norm_no_update(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps);

/** aten::_batch_norm_no_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!)) */
CTORCH_API ctorch_error *ctorch_aten__batch_norm_no_update_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3);

/** aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__batch_norm_with_update(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    ctorch_tensor *running_mean,
    ctorch_tensor *running_var,
    double momentum,
    double eps);

/** aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out) */
CTORCH_API ctorch_error *ctorch_aten__batch_norm_with_update_functional(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out_running_mean_out,
    ctorch_tensor **out_running_var_out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps);

/** aten::_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd, Tensor(g!) reserve) -> (Tensor(d!), Tensor(e!), Tensor(f!), Tensor(g!)) */
CTORCH_API ctorch_error *ctorch_aten__batch_norm_with_update_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    ctorch_tensor *running_mean,
    ctorch_tensor *running_var,
    double momentum,
    double eps,
    ctorch_tensor *out,
    ctorch_tensor *save_mean,
    ctorch_tensor *save_invstd,
    ctorch_tensor *reserve);

/** aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Byte(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Char(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Double(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Float(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Half(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Long(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cast_Short(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool non_blocking);

/** aten::_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cdist_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    double p,
    const ctorch_tensor *cdist);

/** aten::_cdist_backward.out(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__cdist_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    double p,
    const ctorch_tensor *cdist,
    ctorch_tensor *out);

/** aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor
 * compute_mode: ctorch_cdist_compute_mode */
CTORCH_API ctorch_error *ctorch_aten__cdist_forward(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    double p,
    const int64_t *compute_mode);

/** aten::_cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, Tensor(a!) out) -> Tensor(a!)
 * compute_mode: ctorch_cdist_compute_mode */
CTORCH_API ctorch_error *ctorch_aten__cdist_forward_out(
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    double p,
    const int64_t *compute_mode,
    ctorch_tensor *out);

/** aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cholesky_solve_helper(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *A,
    bool upper);

/** aten::_cholesky_solve_helper.out(Tensor self, Tensor A, bool upper, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__cholesky_solve_helper_out(
    const ctorch_tensor *self,
    const ctorch_tensor *A,
    bool upper,
    ctorch_tensor *out);

/** aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int) */
CTORCH_API ctorch_error *ctorch_aten__choose_qparams_per_tensor(
    double *out0,
    int64_t *out1,
    const ctorch_tensor *self,
    bool reduce_range);

/** aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__chunk_cat(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim,
    int64_t num_chunks);

/** aten::_chunk_cat.out(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__chunk_cat_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim,
    int64_t num_chunks,
    ctorch_tensor *out);

/** aten::_coalesce(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__coalesce(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_coalesce.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__coalesce_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_coalesced(Tensor self, bool coalesced) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__coalesced(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool coalesced);

/** aten::_coalesced_(Tensor(a!) self, bool coalesced) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__coalesced_(
    ctorch_tensor *self,
    bool coalesced);

/** aten::_coalesced.out(Tensor self, bool coalesced, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__coalesced_out(
    const ctorch_tensor *self,
    bool coalesced,
    ctorch_tensor *out);

/** aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__compute_linear_combination(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *coefficients);

/** aten::_compute_linear_combination.out(Tensor input, Tensor coefficients, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__compute_linear_combination_out(
    const ctorch_tensor *input,
    const ctorch_tensor *coefficients,
    ctorch_tensor *out);

/** aten::_conj(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__conj(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_conj_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__conj_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_conj_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__conj_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_conj_physical(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__conj_physical(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__conj_physical_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_conv_depthwise2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__conv_depthwise2d(
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

/** aten::_conv_depthwise2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__conv_depthwise2d_out(
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

/** aten::_convert_indices_from_coo_to_csr(Tensor self, int size, *, bool out_int32=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__convert_indices_from_coo_to_csr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t size,
    bool out_int32);

/** aten::_convert_indices_from_coo_to_csr.out(Tensor self, int size, *, bool out_int32=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__convert_indices_from_coo_to_csr_out(
    const ctorch_tensor *self,
    int64_t size,
    bool out_int32,
    ctorch_tensor *out);

/** aten::_convert_indices_from_csr_to_coo(Tensor crow_indices, Tensor col_indices, *, bool out_int32=False, bool transpose=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__convert_indices_from_csr_to_coo(
    ctorch_tensor **out,
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    bool out_int32,
    bool transpose);

/** aten::_convert_indices_from_csr_to_coo.out(Tensor crow_indices, Tensor col_indices, *, bool out_int32=False, bool transpose=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__convert_indices_from_csr_to_coo_out(
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    bool out_int32,
    bool transpose,
    ctorch_tensor *out);

/** aten::_convert_weight_to_int4pack(Tensor self, int innerKTiles) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__convert_weight_to_int4pack(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t innerKTiles);

/** aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__convert_weight_to_int4pack_for_cpu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t innerKTiles);

/** aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__convolution(
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
    int64_t groups,
    bool benchmark,
    bool deterministic,
    bool cudnn_enabled,
    bool allow_tf32);

/** aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__convolution_deprecated(
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
    int64_t groups,
    bool benchmark,
    bool deterministic,
    bool cudnn_enabled);

/** aten::_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, Tensor self, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__convolution_double_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *ggI,
    const ctorch_tensor *ggW,
    const ctorch_tensor *ggb,
    const ctorch_tensor *gO,
    const ctorch_tensor *weight,
    const ctorch_tensor *self,
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

/** aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__convolution_mode(
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

/** aten::_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__convolution_out(
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
    bool benchmark,
    bool deterministic,
    bool cudnn_enabled,
    bool allow_tf32,
    ctorch_tensor *out);

/** aten::_copy_from(Tensor self, Tensor dst, bool non_blocking=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__copy_from(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *dst,
    bool non_blocking);

/** aten::_copy_from_and_resize(Tensor self, Tensor dst) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__copy_from_and_resize(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *dst);

/** aten::_copy_from_and_resize.out(Tensor self, Tensor dst, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__copy_from_and_resize_out(
    const ctorch_tensor *self,
    const ctorch_tensor *dst,
    ctorch_tensor *out);

/** aten::_copy_from.out(Tensor self, Tensor dst, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__copy_from_out(
    const ctorch_tensor *self,
    const ctorch_tensor *dst,
    bool non_blocking,
    ctorch_tensor *out);

/** aten::_cslt_compress(Tensor input) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cslt_compress(
    ctorch_tensor **out,
    const ctorch_tensor *input);

/** aten::_cslt_sparse_mm(Tensor compressed_A, Tensor dense_B, Tensor? bias=None, Tensor? alpha=None, ScalarType? out_dtype=None, bool transpose_result=False, int alg_id=0, int split_k=1, int split_k_mode=-1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cslt_sparse_mm(
    ctorch_tensor **out,
    const ctorch_tensor *compressed_A,
    const ctorch_tensor *dense_B,
    const ctorch_tensor *bias,
    const ctorch_tensor *alpha,
    const ctorch_dtype *out_dtype,
    bool transpose_result,
    int64_t alg_id,
    int64_t split_k,
    int64_t split_k_mode);

/** aten::_cslt_sparse_mm_search(Tensor compressed_A, Tensor dense_B, Tensor? bias=None, Tensor? alpha=None, ScalarType? out_dtype=None, bool transpose_result=False) -> int */
CTORCH_API ctorch_error *ctorch_aten__cslt_sparse_mm_search(
    int64_t *out,
    const ctorch_tensor *compressed_A,
    const ctorch_tensor *dense_B,
    const ctorch_tensor *bias,
    const ctorch_tensor *alpha,
    const ctorch_dtype *out_dtype,
    bool transpose_result);

/** aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__ctc_loss(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    int64_t blank,
    bool zero_infinity);

/** aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__ctc_loss_Tensor(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    int64_t blank,
    bool zero_infinity);

/** aten::_ctc_loss.Tensor_out(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__ctc_loss_Tensor_out(
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    int64_t blank,
    bool zero_infinity,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__ctc_loss_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    const ctorch_tensor *neg_log_likelihood,
    const ctorch_tensor *log_alpha,
    int64_t blank,
    bool zero_infinity);

/** aten::_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__ctc_loss_backward_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    const ctorch_tensor *neg_log_likelihood,
    const ctorch_tensor *log_alpha,
    int64_t blank,
    bool zero_infinity);

/** aten::_ctc_loss_backward.out(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__ctc_loss_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    const ctorch_tensor *neg_log_likelihood,
    const ctorch_tensor *log_alpha,
    int64_t blank,
    bool zero_infinity,
    ctorch_tensor *out);

/** aten::_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__ctc_loss_out(
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    int64_t blank,
    bool zero_infinity,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, Tensor attn_bias, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, *, float? scale=None) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__cudnn_attention_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *out,
    const ctorch_tensor *logsumexp,
    const ctorch_tensor *philox_seed,
    const ctorch_tensor *philox_offset,
    const ctorch_tensor *attn_bias,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    const double *scale);

/** aten::_cudnn_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask) */
CTORCH_API ctorch_error *ctorch_aten__cudnn_attention_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_logsumexp,
    ctorch_tensor **out_cum_seq_q,
    ctorch_tensor **out_cum_seq_k,
    int64_t *out_max_q,
    int64_t *out_max_k,
    ctorch_tensor **out_philox_seed,
    ctorch_tensor **out_philox_offset,
    ctorch_tensor **out_debug_attn_mask,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_bias,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    bool compute_log_sumexp,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const double *scale);

/** aten::_cudnn_attention_forward_no_dropout_inplace(Tensor(a!) out, Tensor query, Tensor key, Tensor value, Tensor cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, bool is_causal=False, *, float? scale=None, Tensor? seqused_k=None, Tensor? block_table=None) -> Tensor logsumexp */
CTORCH_API ctorch_error *ctorch_aten__cudnn_attention_forward_no_dropout_inplace(
    ctorch_tensor **result,
    ctorch_tensor *out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    bool is_causal,
    const double *scale,
    const ctorch_tensor *seqused_k,
    const ctorch_tensor *block_table);

/** aten::_cudnn_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__cudnn_ctc_loss(
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

/** aten::_cudnn_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__cudnn_ctc_loss_Tensor(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    int64_t blank,
    bool deterministic,
    bool zero_infinity);

/** aten::_cudnn_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank, bool deterministic, bool zero_infinity, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__cudnn_ctc_loss_out(
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

/** aten::_cudnn_init_dropout_state.out(float dropout, bool train, int dropout_seed, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__cudnn_init_dropout_state_out(
    double dropout,
    bool train,
    int64_t dropout_seed,
    ctorch_tensor *out);

/** aten::_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten__cudnn_rnn(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    const ctorch_tensor *input,
    const ctorch_tensor *const *weight,
    size_t weight_len,
    int64_t weight_stride0,
    const ctorch_tensor *weight_buf,
    const ctorch_tensor *hx,
    const ctorch_tensor *cx,
    int64_t mode,
    int64_t hidden_size,
    int64_t proj_size,
    int64_t num_layers,
    bool batch_first,
    double dropout,
    bool train,
    bool bidirectional,
    const int64_t *batch_sizes,
    size_t batch_sizes_len,
    const ctorch_tensor *dropout_state);

/** aten::_cudnn_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? dropout_state, Tensor reserve, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor[])
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten__cudnn_rnn_backward(
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
    int64_t proj_size,
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

/** aten::_cudnn_rnn_backward.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? dropout_state, Tensor reserve, bool[4] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!)[] out3) -> ()
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten__cudnn_rnn_backward_out(
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
    int64_t proj_size,
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

/** aten::_cudnn_rnn_flatten_weight(Tensor[] weight_arr, int weight_stride0, SymInt input_size, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, bool bidirectional) -> Tensor
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten__cudnn_rnn_flatten_weight(
    ctorch_tensor **out,
    const ctorch_tensor *const *weight_arr,
    size_t weight_arr_len,
    int64_t weight_stride0,
    int64_t input_size,
    int64_t mode,
    int64_t hidden_size,
    int64_t proj_size,
    int64_t num_layers,
    bool batch_first,
    bool bidirectional);

/** aten::_cudnn_rnn_flatten_weight.out(Tensor[] weight_arr, int weight_stride0, SymInt input_size, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, bool bidirectional, *, Tensor(a!) out) -> Tensor(a!)
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten__cudnn_rnn_flatten_weight_out(
    const ctorch_tensor *const *weight_arr,
    size_t weight_arr_len,
    int64_t weight_stride0,
    int64_t input_size,
    int64_t mode,
    int64_t hidden_size,
    int64_t proj_size,
    int64_t num_layers,
    bool batch_first,
    bool bidirectional,
    ctorch_tensor *out);

/** aten::_cudnn_rnn.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? dropout_state, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!))
 * mode: ctorch_rnn_mode */
CTORCH_API ctorch_error *ctorch_aten__cudnn_rnn_out(
    const ctorch_tensor *input,
    const ctorch_tensor *const *weight,
    size_t weight_len,
    int64_t weight_stride0,
    const ctorch_tensor *weight_buf,
    const ctorch_tensor *hx,
    const ctorch_tensor *cx,
    int64_t mode,
    int64_t hidden_size,
    int64_t proj_size,
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

/** aten::_cufft_clear_plan_cache(DeviceIndex device_index) -> () */
CTORCH_API ctorch_error *ctorch_aten__cufft_clear_plan_cache(
    int32_t device_index);

/** aten::_cufft_get_plan_cache_max_size(DeviceIndex device_index) -> int */
CTORCH_API ctorch_error *ctorch_aten__cufft_get_plan_cache_max_size(
    int64_t *out,
    int32_t device_index);

/** aten::_cufft_get_plan_cache_size(DeviceIndex device_index) -> int */
CTORCH_API ctorch_error *ctorch_aten__cufft_get_plan_cache_size(
    int64_t *out,
    int32_t device_index);

/** aten::_cufft_set_plan_cache_max_size(DeviceIndex device_index, int max_size) -> () */
CTORCH_API ctorch_error *ctorch_aten__cufft_set_plan_cache_max_size(
    int32_t device_index,
    int64_t max_size);

/** aten::_cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> () */
CTORCH_API ctorch_error *ctorch_aten__cummax_helper(
    const ctorch_tensor *self,
    ctorch_tensor *values,
    ctorch_tensor *indices,
    int64_t dim);

/** aten::_cummin_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> () */
CTORCH_API ctorch_error *ctorch_aten__cummin_helper(
    const ctorch_tensor *self,
    ctorch_tensor *values,
    ctorch_tensor *indices,
    int64_t dim);

/** aten::_debug_has_internal_overlap(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten__debug_has_internal_overlap(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::_dimI(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten__dimI(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::_dimV(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten__dimV(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::_dim_arange(Tensor like, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__dim_arange(
    ctorch_tensor **out,
    const ctorch_tensor *like,
    int64_t dim);

/** aten::_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__dirichlet_grad(
    ctorch_tensor **out,
    const ctorch_tensor *x,
    const ctorch_tensor *alpha,
    const ctorch_tensor *total);

/** aten::_dirichlet_grad.out(Tensor x, Tensor alpha, Tensor total, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__dirichlet_grad_out(
    const ctorch_tensor *x,
    const ctorch_tensor *alpha,
    const ctorch_tensor *total,
    ctorch_tensor *out);

/** aten::_dyn_quant_matmul_4bit(Tensor inp, Tensor packed_weights, int block_size, int in_features, int out_features) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__dyn_quant_matmul_4bit(
    ctorch_tensor **out,
    const ctorch_tensor *inp,
    const ctorch_tensor *packed_weights,
    int64_t block_size,
    int64_t in_features,
    int64_t out_features);

/** aten::_dyn_quant_pack_4bit_weight(Tensor weights, Tensor scales_zeros, Tensor? bias, int block_size, int in_features, int out_features) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__dyn_quant_pack_4bit_weight(
    ctorch_tensor **out,
    const ctorch_tensor *weights,
    const ctorch_tensor *scales_zeros,
    const ctorch_tensor *bias,
    int64_t block_size,
    int64_t in_features,
    int64_t out_features);

/** aten::_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, Tensor? bias, Tensor out, Tensor? cu_seqlens_q, Tensor? cu_seqlens_k, SymInt max_seqlen_q, SymInt max_seqlen_k, Tensor logsumexp, float dropout_p, Tensor philox_seed, Tensor philox_offset, int custom_mask_type, bool bias_requires_grad, *, float? scale=None, int? num_splits_key=None, int? window_size=None, bool shared_storage_dqdkdv=False) -> (Tensor, Tensor, Tensor, Tensor)
 * custom_mask_type: ctorch_custom_mask_type */
CTORCH_API ctorch_error *ctorch_aten__efficient_attention_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *grad_out_,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *bias,
    const ctorch_tensor *out,
    const ctorch_tensor *cu_seqlens_q,
    const ctorch_tensor *cu_seqlens_k,
    int64_t max_seqlen_q,
    int64_t max_seqlen_k,
    const ctorch_tensor *logsumexp,
    double dropout_p,
    const ctorch_tensor *philox_seed,
    const ctorch_tensor *philox_offset,
    int64_t custom_mask_type,
    bool bias_requires_grad,
    const double *scale,
    const int64_t *num_splits_key,
    const int64_t *window_size,
    bool shared_storage_dqdkdv);

/** aten::_efficient_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? bias, Tensor? cu_seqlens_q, Tensor? cu_seqlens_k, SymInt? max_seqlen_q, SymInt? max_seqlen_k, float dropout_p, int custom_mask_type, bool compute_log_sumexp=False, *, float? scale=None, Tensor? seqlen_k=None, int? window_size=None) -> (Tensor output, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, SymInt max_seqlen_batch_q, SymInt max_seqlen_batch_k)
 * custom_mask_type: ctorch_custom_mask_type */
CTORCH_API ctorch_error *ctorch_aten__efficient_attention_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_logsumexp,
    ctorch_tensor **out_philox_seed,
    ctorch_tensor **out_philox_offset,
    int64_t *out_max_seqlen_batch_q,
    int64_t *out_max_seqlen_batch_k,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *bias,
    const ctorch_tensor *cu_seqlens_q,
    const ctorch_tensor *cu_seqlens_k,
    const int64_t *max_seqlen_q,
    const int64_t *max_seqlen_k,
    double dropout_p,
    int64_t custom_mask_type,
    bool compute_log_sumexp,
    const double *scale,
    const ctorch_tensor *seqlen_k,
    const int64_t *window_size);

/** aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__efficientzerotensor(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::_efficientzerotensor.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__efficientzerotensor_out(
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag(
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
    int64_t padding_idx);

/** aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    const ctorch_tensor *offset2bag,
    const ctorch_tensor *bag_size,
    const ctorch_tensor *maximum_indices,
    int64_t num_weights,
    bool scale_grad_by_freq,
    int64_t mode,
    bool sparse,
    const ctorch_tensor *per_sample_weights,
    int64_t padding_idx);

/** aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_dense_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *indices,
    const ctorch_tensor *offset2bag,
    const ctorch_tensor *bag_size,
    const ctorch_tensor *maximum_indices,
    int64_t num_weights,
    bool scale_grad_by_freq,
    int64_t mode,
    const ctorch_tensor *per_sample_weights,
    int64_t padding_idx);

/** aten::_embedding_bag_dense_backward.out(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int padding_idx=-1, *, Tensor(a!) out) -> Tensor(a!)
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_dense_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *indices,
    const ctorch_tensor *offset2bag,
    const ctorch_tensor *bag_size,
    const ctorch_tensor *maximum_indices,
    int64_t num_weights,
    bool scale_grad_by_freq,
    int64_t mode,
    const ctorch_tensor *per_sample_weights,
    int64_t padding_idx,
    ctorch_tensor *out);

/** aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_forward_only(
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
    int64_t padding_idx);

/** aten::_embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_forward_only_out(
    const ctorch_tensor *weight,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    bool scale_grad_by_freq,
    int64_t mode,
    bool sparse,
    const ctorch_tensor *per_sample_weights,
    bool include_last_offset,
    int64_t padding_idx,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3);

/** aten::_embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_out(
    const ctorch_tensor *weight,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    bool scale_grad_by_freq,
    int64_t mode,
    bool sparse,
    const ctorch_tensor *per_sample_weights,
    bool include_last_offset,
    int64_t padding_idx,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3);

/** aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_per_sample_weights_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *weight,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    const ctorch_tensor *offset2bag,
    int64_t mode,
    int64_t padding_idx);

/** aten::_embedding_bag_per_sample_weights_backward.out(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1, *, Tensor(a!) out) -> Tensor(a!)
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_per_sample_weights_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *weight,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    const ctorch_tensor *offset2bag,
    int64_t mode,
    int64_t padding_idx,
    ctorch_tensor *out);

/** aten::_embedding_bag_sparse_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor
 * mode: ctorch_embedding_bag_mode */
CTORCH_API ctorch_error *ctorch_aten__embedding_bag_sparse_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *indices,
    const ctorch_tensor *offsets,
    const ctorch_tensor *offset2bag,
    const ctorch_tensor *bag_size,
    int64_t num_weights,
    bool scale_grad_by_freq,
    int64_t mode,
    const ctorch_tensor *per_sample_weights,
    int64_t padding_idx);

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

/** aten::_empty_affine_quantized.out(SymInt[] size, *, float scale=1, int zero_point=0, MemoryFormat? memory_format=contiguous_format, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__empty_affine_quantized_out(
    const int64_t *size,
    size_t size_len,
    double scale,
    int64_t zero_point,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::_empty_per_channel_affine_quantized(SymInt[] size, *, Tensor scales, Tensor zero_points, int axis, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=contiguous_format) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__empty_per_channel_affine_quantized(
    ctorch_tensor **out,
    const int64_t *size,
    size_t size_len,
    const ctorch_tensor *scales,
    const ctorch_tensor *zero_points,
    int64_t axis,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::_empty_per_channel_affine_quantized.out(SymInt[] size, *, Tensor scales, Tensor zero_points, int axis, MemoryFormat? memory_format=contiguous_format, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__empty_per_channel_affine_quantized_out(
    const int64_t *size,
    size_t size_len,
    const ctorch_tensor *scales,
    const ctorch_tensor *zero_points,
    int64_t axis,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__euclidean_dist(
    ctorch_tensor **out,
    const ctorch_tensor *x1,
    const ctorch_tensor *x2);

/** aten::_euclidean_dist.out(Tensor x1, Tensor x2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__euclidean_dist_out(
    const ctorch_tensor *x1,
    const ctorch_tensor *x2,
    ctorch_tensor *out);

/** aten::_fake_quantize_learnable_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_learnable_per_channel_affine(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis,
    int64_t quant_min,
    int64_t quant_max,
    double grad_factor);

/** aten::_fake_quantize_learnable_per_channel_affine_backward(Tensor grad, Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.0) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_learnable_per_channel_affine_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis,
    int64_t quant_min,
    int64_t quant_max,
    double grad_factor);

/** aten::_fake_quantize_learnable_per_channel_affine.out(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_learnable_per_channel_affine_out(
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis,
    int64_t quant_min,
    int64_t quant_max,
    double grad_factor,
    ctorch_tensor *out);

/** aten::_fake_quantize_learnable_per_tensor_affine(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_learnable_per_tensor_affine(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t quant_min,
    int64_t quant_max,
    double grad_factor);

/** aten::_fake_quantize_learnable_per_tensor_affine_backward(Tensor grad, Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.0) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_learnable_per_tensor_affine_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t quant_min,
    int64_t quant_max,
    double grad_factor);

/** aten::_fake_quantize_learnable_per_tensor_affine.out(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_learnable_per_tensor_affine_out(
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t quant_min,
    int64_t quant_max,
    double grad_factor,
    ctorch_tensor *out);

/** aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, Tensor mask) */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_per_tensor_affine_cachemask_tensor_qparams(
    ctorch_tensor **out_output,
    ctorch_tensor **out_mask,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    const ctorch_tensor *fake_quant_enabled,
    int64_t quant_min,
    int64_t quant_max);

/** aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__fake_quantize_per_tensor_affine_cachemask_tensor_qparams_out(
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    const ctorch_tensor *fake_quant_enabled,
    int64_t quant_min,
    int64_t quant_max,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor
 * normalization: ctorch_fft_norm_mode */
CTORCH_API ctorch_error *ctorch_aten__fft_c2c(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    int64_t normalization,
    bool forward);

/** aten::_fft_c2c.out(Tensor self, SymInt[] dim, int normalization, bool forward, *, Tensor(a!) out) -> Tensor(a!)
 * normalization: ctorch_fft_norm_mode */
CTORCH_API ctorch_error *ctorch_aten__fft_c2c_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    int64_t normalization,
    bool forward,
    ctorch_tensor *out);

/** aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor
 * normalization: ctorch_fft_norm_mode */
CTORCH_API ctorch_error *ctorch_aten__fft_c2r(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    int64_t normalization,
    int64_t last_dim_size);

/** aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, Tensor(a!) out) -> Tensor(a!)
 * normalization: ctorch_fft_norm_mode */
CTORCH_API ctorch_error *ctorch_aten__fft_c2r_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    int64_t normalization,
    int64_t last_dim_size,
    ctorch_tensor *out);

/** aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor
 * normalization: ctorch_fft_norm_mode */
CTORCH_API ctorch_error *ctorch_aten__fft_r2c(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    int64_t normalization,
    bool onesided);

/** aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) out) -> Tensor(a!)
 * normalization: ctorch_fft_norm_mode */
CTORCH_API ctorch_error *ctorch_aten__fft_r2c_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    int64_t normalization,
    bool onesided,
    ctorch_tensor *out);

/** aten::_fill_mem_eff_dropout_mask_(Tensor(a!) self, float dropout_p, int seed, int offset) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__fill_mem_eff_dropout_mask_(
    ctorch_tensor *self,
    double dropout_p,
    int64_t seed,
    int64_t offset);

/** aten::_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, Tensor rng_state, Tensor unused, *, float? scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__flash_attention_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *out,
    const ctorch_tensor *logsumexp,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    const ctorch_tensor *rng_state,
    const ctorch_tensor *unused,
    const double *scale,
    const int64_t *window_size_left,
    const int64_t *window_size_right);

/** aten::_flash_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, bool return_debug_mask, *, float? scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None, Tensor? seqused_k=None, Tensor? alibi_slopes=None, Tensor? block_table=None, int? num_splits=None) -> (Tensor output, Tensor softmax_logsumexp, Tensor rng_state, Tensor unused, Tensor debug_attn_mask) */
CTORCH_API ctorch_error *ctorch_aten__flash_attention_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_softmax_logsumexp,
    ctorch_tensor **out_rng_state,
    ctorch_tensor **out_unused,
    ctorch_tensor **out_debug_attn_mask,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const double *scale,
    const int64_t *window_size_left,
    const int64_t *window_size_right,
    const ctorch_tensor *seqused_k,
    const ctorch_tensor *alibi_slopes,
    const ctorch_tensor *block_table,
    const int64_t *num_splits);

/** aten::_flash_attention_forward_no_dropout_inplace(Tensor(a!) out, Tensor query, Tensor key, Tensor value, Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, bool return_debug_mask, *, float? scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None, Tensor? seqused_k=None, Tensor? alibi_slopes=None, Tensor? block_table=None, int? num_splits=None) -> Tensor softmax_logsumexp */
CTORCH_API ctorch_error *ctorch_aten__flash_attention_forward_no_dropout_inplace(
    ctorch_tensor **result,
    ctorch_tensor *out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const double *scale,
    const int64_t *window_size_left,
    const int64_t *window_size_right,
    const ctorch_tensor *seqused_k,
    const ctorch_tensor *alibi_slopes,
    const ctorch_tensor *block_table,
    const int64_t *num_splits);

/** aten::_flash_attention_forward.quantized(Tensor query, Tensor key, Tensor value, Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, bool return_debug_mask, Tensor? q_descale, Tensor? k_descale, Tensor? v_descale, *, float? scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None, Tensor? seqused_k=None, Tensor? alibi_slopes=None) -> (Tensor output, Tensor softmax_logsumexp, Tensor rng_state, Tensor unused, Tensor debug_attn_mask) */
CTORCH_API ctorch_error *ctorch_aten__flash_attention_forward_quantized(
    ctorch_tensor **out_output,
    ctorch_tensor **out_softmax_logsumexp,
    ctorch_tensor **out_rng_state,
    ctorch_tensor **out_unused,
    ctorch_tensor **out_debug_attn_mask,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const ctorch_tensor *q_descale,
    const ctorch_tensor *k_descale,
    const ctorch_tensor *v_descale,
    const double *scale,
    const int64_t *window_size_left,
    const int64_t *window_size_right,
    const ctorch_tensor *seqused_k,
    const ctorch_tensor *alibi_slopes);

/** aten::_foobar(Tensor self, bool arg1=True, bool arg2=True, *, bool arg3=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__foobar(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool arg1,
    bool arg2,
    bool arg3);

/** aten::_foobar.out(Tensor self, bool arg1=True, bool arg2=True, *, bool arg3=True, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__foobar_out(
    const ctorch_tensor *self,
    bool arg1,
    bool arg2,
    bool arg3,
    ctorch_tensor *out);

/** aten::_foreach_abs(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_abs(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_abs_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_abs_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_abs.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_abs_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_acos(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_acos(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_acos_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_acos_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_acos.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_acos_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    const ctorch_scalar *alpha);

/** aten::_foreach_add.List_out(Tensor[] self, Tensor[] other, *, Scalar alpha=1, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    const ctorch_scalar *alpha,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_add.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_add.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_add.Tensor(Tensor[] self, Tensor other, *, Scalar alpha=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::_foreach_add.Tensor_out(Tensor[] self, Tensor other, *, Scalar alpha=1, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add_Tensor_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_add_.List(Tensor(a!)[] self, Tensor[] other, *, Scalar alpha=1) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    const ctorch_scalar *alpha);

/** aten::_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_add_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_add_.Tensor(Tensor(a!)[] self, Tensor other, *, Scalar alpha=1) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add__Tensor(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::_foreach_addcdiv.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *value);

/** aten::_foreach_addcdiv.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_addcdiv.ScalarList_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_addcdiv.Scalar_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *value,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_addcdiv.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_tensor *scalars);

/** aten::_foreach_addcdiv.Tensor_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv_Tensor_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_tensor *scalars,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_addcdiv_.Scalar(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *value);

/** aten::_foreach_addcdiv_.ScalarList(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_addcdiv_.Tensor(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcdiv__Tensor(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_tensor *scalars);

/** aten::_foreach_addcmul.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *value);

/** aten::_foreach_addcmul.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_addcmul.ScalarList_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_addcmul.Scalar_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *value,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_addcmul.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_tensor *scalars);

/** aten::_foreach_addcmul.Tensor_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul_Tensor_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_tensor *scalars,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_addcmul_.Scalar(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *value);

/** aten::_foreach_addcmul_.ScalarList(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_addcmul_.Tensor(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_addcmul__Tensor(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensor1,
    size_t tensor1_len,
    const ctorch_tensor *const *tensor2,
    size_t tensor2_len,
    const ctorch_tensor *scalars);

/** aten::_foreach_asin(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_asin(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_asin_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_asin_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_asin.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_asin_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_atan(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_atan(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_atan_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_atan_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_atan.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_atan_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_ceil(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_ceil(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_ceil_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_ceil_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_ceil.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_ceil_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_clamp_max.List(Tensor[] self, Tensor[] other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_clamp_max.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_clamp_max.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_clamp_max.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_clamp_max.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_clamp_max.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_clamp_max_.List(Tensor(a!)[] self, Tensor[] other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_clamp_max_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_clamp_max_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_max__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_clamp_min.List(Tensor[] self, Tensor[] other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_clamp_min.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_clamp_min.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_clamp_min.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_clamp_min.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_clamp_min.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_clamp_min_.List(Tensor(a!)[] self, Tensor[] other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_clamp_min_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_clamp_min_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clamp_min__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_clone(Tensor[] self, *, MemoryFormat? memory_format=None) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_clone(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_memory_format *memory_format);

/** aten::_foreach_clone.out(Tensor[] self, *, MemoryFormat? memory_format=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_clone_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[] self_out */
CTORCH_API ctorch_error *ctorch_aten__foreach_copy(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *src,
    size_t src_len,
    bool non_blocking);

/** aten::_foreach_copy_(Tensor(a!)[] self, Tensor[] src, bool non_blocking=False) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_copy_(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *src,
    size_t src_len,
    bool non_blocking);

/** aten::_foreach_copy.out(Tensor[] self, Tensor[] src, bool non_blocking=False, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_copy_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *src,
    size_t src_len,
    bool non_blocking,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_cos(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_cos(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_cos_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_cos_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_cos.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_cos_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_cosh(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_cosh(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_cosh_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_cosh_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_cosh.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_cosh_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_div.List(Tensor[] self, Tensor[] other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_div.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_div.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_div.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_div.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_div.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_div.Tensor(Tensor[] self, Tensor other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other);

/** aten::_foreach_div.Tensor_out(Tensor[] self, Tensor other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div_Tensor_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_div_.List(Tensor(a!)[] self, Tensor[] other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_div_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_div_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_div_.Tensor(Tensor(a!)[] self, Tensor other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_div__Tensor(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other);

/** aten::_foreach_erf(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_erf(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_erf_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_erf_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_erf.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_erf_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_erfc(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_erfc(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_erfc_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_erfc_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_erfc.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_erfc_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_exp(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_exp(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_exp_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_exp_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_exp.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_exp_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_expm1(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_expm1(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_expm1_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_expm1_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_expm1.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_expm1_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_floor(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_floor(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_floor_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_floor_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_floor.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_floor_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_frac(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_frac(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_frac_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_frac_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_frac.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_frac_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_lerp.List(Tensor[] self, Tensor[] tensors1, Tensor[] weights) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_tensor *const *weights,
    size_t weights_len);

/** aten::_foreach_lerp.List_out(Tensor[] self, Tensor[] tensors1, Tensor[] weights, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_tensor *const *weights,
    size_t weights_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_scalar *weight);

/** aten::_foreach_lerp.ScalarList(Tensor[] self, Tensor[] tensors1, Scalar[] weight) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_scalar *weight,
    size_t weight_len);

/** aten::_foreach_lerp.ScalarList_out(Tensor[] self, Tensor[] tensors1, Scalar[] weight, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_scalar *weight,
    size_t weight_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_lerp.Scalar_out(Tensor[] self, Tensor[] tensors1, Scalar weight, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_scalar *weight,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_lerp_.List(Tensor(a!)[] self, Tensor[] tensors1, Tensor[] weights) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_tensor *const *weights,
    size_t weights_len);

/** aten::_foreach_lerp_.Scalar(Tensor(a!)[] self, Tensor[] tensors1, Scalar weight) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_scalar *weight);

/** aten::_foreach_lerp_.ScalarList(Tensor(a!)[] self, Tensor[] tensors1, Scalar[] weight) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lerp__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *tensors1,
    size_t tensors1_len,
    const ctorch_scalar *weight,
    size_t weight_len);

/** aten::_foreach_lgamma(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_lgamma(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_lgamma_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lgamma_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_lgamma.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_lgamma_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_log(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_log(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log10(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_log10(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log10_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log10_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log10.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log10_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_log1p(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_log1p(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log1p_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log1p_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log1p.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log1p_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_log2(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_log2(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log2_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log2_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log2.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log2_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_log_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_log.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_log_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_max(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_max(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_max.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_max_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_maximum.List(Tensor[] self, Tensor[] other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_maximum.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_maximum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_maximum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_maximum.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_maximum.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_maximum_.List(Tensor(a!)[] self, Tensor[] other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_maximum_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_maximum_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_maximum__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_minimum.List(Tensor[] self, Tensor[] other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_minimum.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_minimum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_minimum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_minimum.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_minimum.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_minimum_.List(Tensor(a!)[] self, Tensor[] other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_minimum_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_minimum_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_minimum__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_mm(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *mat2,
    size_t mat2_len);

/** aten::_foreach_mul.List(Tensor[] self, Tensor[] other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_mul.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_mul.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_mul.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_mul.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_mul.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_mul.Tensor(Tensor[] self, Tensor other) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_Tensor(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other);

/** aten::_foreach_mul.Tensor_out(Tensor[] self, Tensor other, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul_Tensor_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_mul_.List(Tensor(a!)[] self, Tensor[] other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len);

/** aten::_foreach_mul_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_mul_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_mul_.Tensor(Tensor(a!)[] self, Tensor other) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_mul__Tensor(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *other);

/** aten::_foreach_neg(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_neg(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_neg_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_neg_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_neg.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_neg_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_norm_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *ord,
    const ctorch_dtype *dtype);

/** aten::_foreach_norm.Scalar_out(Tensor[] self, Scalar ord=2, ScalarType? dtype=None, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_norm_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *ord,
    const ctorch_dtype *dtype,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_pow.List(Tensor[] self, Tensor[] exponent) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *exponent,
    size_t exponent_len);

/** aten::_foreach_pow.List_out(Tensor[] self, Tensor[] exponent, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *exponent,
    size_t exponent_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_pow.Scalar(Tensor[] self, Scalar exponent) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *exponent);

/** aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow_ScalarAndTensor(
    ctorch_tensor_list **out,
    const ctorch_scalar *self,
    const ctorch_tensor *const *exponent,
    size_t exponent_len);

/** aten::_foreach_pow.ScalarList(Tensor[] self, Scalar[] exponent) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *exponent,
    size_t exponent_len);

/** aten::_foreach_pow.ScalarList_out(Tensor[] self, Scalar[] exponent, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *exponent,
    size_t exponent_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_pow.Scalar_out(Tensor[] self, Scalar exponent, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *exponent,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_pow_.List(Tensor(a!)[] self, Tensor[] exponent) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *exponent,
    size_t exponent_len);

/** aten::_foreach_pow_.Scalar(Tensor(a!)[] self, Scalar exponent) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *exponent);

/** aten::_foreach_pow_.ScalarList(Tensor(a!)[] self, Scalar[] exponent) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_pow__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *exponent,
    size_t exponent_len);

/** aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_powsum_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *ord,
    const ctorch_dtype *dtype);

/** aten::_foreach_powsum.Scalar_out(Tensor[] self, Scalar ord=2, ScalarType? dtype=None, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_powsum_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *ord,
    const ctorch_dtype *dtype,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_reciprocal(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_reciprocal(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_reciprocal_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_reciprocal_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_reciprocal.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_reciprocal_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_round(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_round(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_round_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_round_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_round.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_round_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_rsqrt(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_rsqrt(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_rsqrt_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_rsqrt_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_rsqrt.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_rsqrt_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sigmoid(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sigmoid(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sigmoid_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sigmoid_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sigmoid.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sigmoid_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sign(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sign(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sign_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sign_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sign.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sign_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sin(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sin(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sin_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sin_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sin.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sin_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sinh(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sinh(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sinh_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sinh_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sinh.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sinh_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sqrt(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sqrt(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sqrt_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sqrt_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_sqrt.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sqrt_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sub.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub_List(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    const ctorch_scalar *alpha);

/** aten::_foreach_sub.List_out(Tensor[] self, Tensor[] other, *, Scalar alpha=1, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub_List_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    const ctorch_scalar *alpha,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sub.Scalar(Tensor[] self, Scalar scalar) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub_Scalar(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_sub.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub_ScalarList(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_sub.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub_ScalarList_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sub.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub_Scalar_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_sub_.List(Tensor(a!)[] self, Tensor[] other, *, Scalar alpha=1) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub__List(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *other,
    size_t other_len,
    const ctorch_scalar *alpha);

/** aten::_foreach_sub_.Scalar(Tensor(a!)[] self, Scalar scalar) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar);

/** aten::_foreach_sub_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_sub__ScalarList(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalars,
    size_t scalars_len);

/** aten::_foreach_tan(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_tan(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_tan_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_tan_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_tan.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_tan_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_tanh(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_tanh(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_tanh_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_tanh_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_tanh.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_tanh_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_trunc(Tensor[] self) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__foreach_trunc(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_trunc_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_trunc_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_trunc.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_trunc_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_foreach_zero(Tensor[] self) -> Tensor[] self_out */
CTORCH_API ctorch_error *ctorch_aten__foreach_zero(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_zero_(Tensor(a!)[] self) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_zero_(
    ctorch_tensor *const *self,
    size_t self_len);

/** aten::_foreach_zero.out(Tensor[] self, *, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_zero_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__functional_assert_async_msg(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *assert_msg,
    const ctorch_tensor *dep_token);

/** aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__functional_assert_scalar(
    ctorch_tensor **out,
    const ctorch_scalar *self,
    const char *assert_msg,
    const ctorch_tensor *dep_token);

/** aten::_functional_sym_constrain_range(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__functional_sym_constrain_range(
    ctorch_tensor **out,
    const ctorch_scalar *size,
    const int64_t *min,
    const int64_t *max,
    const ctorch_tensor *dep_token);

/** aten::_functional_sym_constrain_range_for_size(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__functional_sym_constrain_range_for_size(
    ctorch_tensor **out,
    const ctorch_scalar *size,
    const int64_t *min,
    const int64_t *max,
    const ctorch_tensor *dep_token);

/** aten::_fused_adagrad(Tensor[] self, Tensor[] grads, Tensor[] state_sums, Tensor[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] state_sums_out, Tensor[] state_steps_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_adagrad(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_state_sums_out,
    ctorch_tensor_list **out_state_steps_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *state_sums,
    size_t state_sums_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double lr_decay,
    double weight_decay,
    double eps,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adagrad_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, Tensor(d!)[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adagrad_(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *state_sums,
    size_t state_sums_len,
    ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double lr_decay,
    double weight_decay,
    double eps,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adagrad_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adagrad__tensor_lr(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *state_sums,
    size_t state_sums_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double lr_decay,
    double weight_decay,
    double eps,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adagrad.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, Tensor(d!)[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adagrad_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *state_sums,
    size_t state_sums_len,
    ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double lr_decay,
    double weight_decay,
    double eps,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fused_adagrad.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] state_sums, Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] state_sums_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_adagrad_tensor_lr(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_state_sums_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *state_sums,
    size_t state_sums_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double lr_decay,
    double weight_decay,
    double eps,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adagrad.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adagrad_tensor_lr_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *state_sums,
    size_t state_sums_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double lr_decay,
    double weight_decay,
    double eps,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fused_adam(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_adam(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_exp_avgs_out,
    ctorch_tensor_list **out_exp_avg_sqs_out,
    ctorch_tensor_list **out_max_exp_avg_sqs_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    const ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    const ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adam_(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adam_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adam__tensor_lr(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adam.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adam_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fused_adam.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_adam_tensor_lr(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_exp_avgs_out,
    ctorch_tensor_list **out_exp_avg_sqs_out,
    ctorch_tensor_list **out_max_exp_avg_sqs_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    const ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    const ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adam.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adam_tensor_lr_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fused_adamw(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_adamw(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_exp_avgs_out,
    ctorch_tensor_list **out_exp_avg_sqs_out,
    ctorch_tensor_list **out_max_exp_avg_sqs_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    const ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    const ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adamw_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adamw_(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adamw_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adamw__tensor_lr(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adamw.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adamw_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    double lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fused_adamw.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_adamw_tensor_lr(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_exp_avgs_out,
    ctorch_tensor_list **out_exp_avg_sqs_out,
    ctorch_tensor_list **out_max_exp_avg_sqs_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    const ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    const ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_adamw.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_adamw_tensor_lr_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *exp_avgs,
    size_t exp_avgs_len,
    ctorch_tensor *const *exp_avg_sqs,
    size_t exp_avg_sqs_len,
    ctorch_tensor *const *max_exp_avg_sqs,
    size_t max_exp_avg_sqs_len,
    const ctorch_tensor *const *state_steps,
    size_t state_steps_len,
    const ctorch_tensor *lr,
    double beta1,
    double beta2,
    double weight_decay,
    double eps,
    bool amsgrad,
    bool maximize,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fused_dropout(Tensor self, float p, Generator? generator=None) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__fused_dropout(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    double p,
    ctorch_generator *generator);

/** aten::_fused_dropout.out(Tensor self, float p, Generator? generator=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__fused_dropout_out(
    const ctorch_tensor *self,
    double p,
    ctorch_generator *generator,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

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

/** aten::_fused_moving_avg_obs_fq_helper_functional(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor running_min, Tensor running_max, Tensor scale, Tensor zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask, Tensor running_min_out, Tensor running_max_out, Tensor scale_out, Tensor zero_point_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_moving_avg_obs_fq_helper_functional(
    ctorch_tensor **out_output,
    ctorch_tensor **out_mask,
    ctorch_tensor **out_running_min_out,
    ctorch_tensor **out_running_max_out,
    ctorch_tensor **out_scale_out,
    ctorch_tensor **out_zero_point_out,
    const ctorch_tensor *self,
    const ctorch_tensor *observer_on,
    const ctorch_tensor *fake_quant_on,
    const ctorch_tensor *running_min,
    const ctorch_tensor *running_max,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    double averaging_const,
    int64_t quant_min,
    int64_t quant_max,
    int64_t ch_axis,
    bool per_row_fake_quant,
    bool symmetric_quant);

/** aten::_fused_moving_avg_obs_fq_helper.out(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False, *, Tensor(e!) out0, Tensor(f!) out1) -> (Tensor(e!), Tensor(f!)) */
CTORCH_API ctorch_error *ctorch_aten__fused_moving_avg_obs_fq_helper_out(
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
    bool symmetric_quant,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__fused_rms_norm(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *weight,
    const double *eps);

/** aten::_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, Tensor? weight, bool[2] output_mask) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__fused_rms_norm_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *input,
    const int64_t *normalized_shape,
    size_t normalized_shape_len,
    const ctorch_tensor *rstd,
    const ctorch_tensor *weight,
    const bool *output_mask,
    size_t output_mask_len);

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

/** aten::_fused_sgd(Tensor[] self, Tensor[] grads, Tensor[] momentum_buffer_list, *, float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] momentum_buffer_list_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_sgd(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_momentum_buffer_list_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *momentum_buffer_list,
    size_t momentum_buffer_list_len,
    double weight_decay,
    double momentum,
    double lr,
    double dampening,
    bool nesterov,
    bool maximize,
    bool is_first_step,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_sgd_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_sgd_(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *momentum_buffer_list,
    size_t momentum_buffer_list_len,
    double weight_decay,
    double momentum,
    double lr,
    double dampening,
    bool nesterov,
    bool maximize,
    bool is_first_step,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_sgd_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_sgd__tensor_lr(
    ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *momentum_buffer_list,
    size_t momentum_buffer_list_len,
    double weight_decay,
    double momentum,
    const ctorch_tensor *lr,
    double dampening,
    bool nesterov,
    bool maximize,
    bool is_first_step,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_sgd.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_sgd_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *momentum_buffer_list,
    size_t momentum_buffer_list_len,
    double weight_decay,
    double momentum,
    double lr,
    double dampening,
    bool nesterov,
    bool maximize,
    bool is_first_step,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fused_sgd.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] momentum_buffer_list_out) */
CTORCH_API ctorch_error *ctorch_aten__fused_sgd_tensor_lr(
    ctorch_tensor_list **out_self_out,
    ctorch_tensor_list **out_grads_out,
    ctorch_tensor_list **out_momentum_buffer_list_out,
    const ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    const ctorch_tensor *const *momentum_buffer_list,
    size_t momentum_buffer_list_len,
    double weight_decay,
    double momentum,
    const ctorch_tensor *lr,
    double dampening,
    bool nesterov,
    bool maximize,
    bool is_first_step,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf);

/** aten::_fused_sgd.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__fused_sgd_tensor_lr_out(
    const ctorch_tensor *const *self,
    size_t self_len,
    ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_tensor *const *momentum_buffer_list,
    size_t momentum_buffer_list_len,
    double weight_decay,
    double momentum,
    const ctorch_tensor *lr,
    double dampening,
    bool nesterov,
    bool maximize,
    bool is_first_step,
    const ctorch_tensor *grad_scale,
    const ctorch_tensor *found_inf,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_fw_primal(Tensor(a) self, int level) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__fw_primal(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t level);

/** aten::_fw_primal_copy(Tensor self, int level) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__fw_primal_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t level);

/** aten::_fw_primal_copy.out(Tensor self, int level, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__fw_primal_copy_out(
    const ctorch_tensor *self,
    int64_t level,
    ctorch_tensor *out);

/** aten::_gather_sparse_backward(Tensor self, int dim, Tensor index, Tensor grad) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__gather_sparse_backward(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_tensor *index,
    const ctorch_tensor *grad);

/** aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten__grid_sampler_2d_cpu_fallback(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners);

/** aten::_grid_sampler_2d_cpu_fallback_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> (Tensor, Tensor)
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten__grid_sampler_2d_cpu_fallback_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners);

/** aten::_grid_sampler_2d_cpu_fallback.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)
 * interpolation_mode: ctorch_grid_sampler_interpolation
 * padding_mode: ctorch_grid_sampler_padding */
CTORCH_API ctorch_error *ctorch_aten__grid_sampler_2d_cpu_fallback_out(
    const ctorch_tensor *input,
    const ctorch_tensor *grid,
    int64_t interpolation_mode,
    int64_t padding_mode,
    bool align_corners,
    ctorch_tensor *out);

/** aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__grouped_mm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    const ctorch_tensor *offs,
    const ctorch_tensor *bias,
    const ctorch_dtype *out_dtype);

/** aten::_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool */
CTORCH_API ctorch_error *ctorch_aten__has_compatible_shallow_copy_type(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *from);

/** aten::_has_same_storage_numel(Tensor self, Tensor other) -> bool */
CTORCH_API ctorch_error *ctorch_aten__has_same_storage_numel(
    bool *out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__histogramdd_bin_edges(
    ctorch_tensor_list **out,
    const ctorch_tensor *self,
    const int64_t *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density);

/** aten::_histogramdd_bin_edges.out(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor(a!)[] out) -> () */
CTORCH_API ctorch_error *ctorch_aten__histogramdd_bin_edges_out(
    const ctorch_tensor *self,
    const int64_t *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density,
    ctorch_tensor *const *out,
    size_t out_len);

/** aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__histogramdd_from_bin_cts(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density);

/** aten::_histogramdd_from_bin_cts.out(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__histogramdd_from_bin_cts_out(
    const ctorch_tensor *self,
    const int64_t *bins,
    size_t bins_len,
    const double *range,
    size_t range_len,
    const ctorch_tensor *weight,
    bool density,
    ctorch_tensor *out);

/** aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__histogramdd_from_bin_tensors(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *bins,
    size_t bins_len,
    const ctorch_tensor *weight,
    bool density);

/** aten::_histogramdd_from_bin_tensors.out(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__histogramdd_from_bin_tensors_out(
    const ctorch_tensor *self,
    const ctorch_tensor *const *bins,
    size_t bins_len,
    const ctorch_tensor *weight,
    bool density,
    ctorch_tensor *out);

/** aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__index_put_impl(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate,
    bool unsafe);

/** aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__index_put_impl_(
    ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate,
    bool unsafe);

/** aten::_index_put_impl.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__index_put_impl_out(
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate,
    bool unsafe,
    ctorch_tensor *out);

/** aten::_indices(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__indices(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_indices_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__indices_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__indices_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_int_mm(Tensor self, Tensor mat2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__int_mm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2);

/** aten::_int_mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__int_mm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    ctorch_tensor *out);

/** aten::_is_all_true(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__is_all_true(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_is_any_true(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__is_any_true(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_is_zerotensor(Tensor self) -> bool */
CTORCH_API ctorch_error *ctorch_aten__is_zerotensor(
    bool *out,
    const ctorch_tensor *self);

/** aten::_jagged_to_padded_dense_forward(Tensor values, Tensor[] offsets, SymInt[] max_lengths, float padding_value=0.0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__jagged_to_padded_dense_forward(
    ctorch_tensor **out,
    const ctorch_tensor *values,
    const ctorch_tensor *const *offsets,
    size_t offsets_len,
    const int64_t *max_lengths,
    size_t max_lengths_len,
    double padding_value);

/** aten::_lazy_clone(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__lazy_clone(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> () */
CTORCH_API ctorch_error *ctorch_aten__linalg_check_errors(
    const ctorch_tensor *info,
    const char *api_name,
    bool is_matrix);

/** aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots) */
CTORCH_API ctorch_error *ctorch_aten__linalg_det(
    ctorch_tensor **out_result,
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    const ctorch_tensor *A);

/** aten::_linalg_det.result(Tensor A, *, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots) -> (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots) */
CTORCH_API ctorch_error *ctorch_aten__linalg_det_result(
    const ctorch_tensor *A,
    ctorch_tensor *result,
    ctorch_tensor *LU,
    ctorch_tensor *pivots);

/** aten::_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors) */
CTORCH_API ctorch_error *ctorch_aten__linalg_eigh(
    ctorch_tensor **out_eigenvalues,
    ctorch_tensor **out_eigenvectors,
    const ctorch_tensor *A,
    const char *UPLO,
    bool compute_v);

/** aten::_linalg_eigh.eigenvalues(Tensor A, str UPLO="L", bool compute_v=True, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) */
CTORCH_API ctorch_error *ctorch_aten__linalg_eigh_eigenvalues(
    const ctorch_tensor *A,
    const char *UPLO,
    bool compute_v,
    ctorch_tensor *eigenvalues,
    ctorch_tensor *eigenvectors);

/** aten::_linalg_eigvals(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__linalg_eigvals(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots) */
CTORCH_API ctorch_error *ctorch_aten__linalg_slogdet(
    ctorch_tensor **out_sign,
    ctorch_tensor **out_logabsdet,
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    const ctorch_tensor *A);

/** aten::_linalg_slogdet.sign(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, Tensor(d!) pivots) -> (Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, Tensor(d!) pivots) */
CTORCH_API ctorch_error *ctorch_aten__linalg_slogdet_sign(
    const ctorch_tensor *A,
    ctorch_tensor *sign,
    ctorch_tensor *logabsdet,
    ctorch_tensor *LU,
    ctorch_tensor *pivots);

/** aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info) */
CTORCH_API ctorch_error *ctorch_aten__linalg_solve_ex(
    ctorch_tensor **out_result,
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    ctorch_tensor **out_info,
    const ctorch_tensor *A,
    const ctorch_tensor *B,
    bool left,
    bool check_errors);

/** aten::_linalg_solve_ex.result(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info) -> (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info) */
CTORCH_API ctorch_error *ctorch_aten__linalg_solve_ex_result(
    const ctorch_tensor *A,
    const ctorch_tensor *B,
    bool left,
    bool check_errors,
    ctorch_tensor *result,
    ctorch_tensor *LU,
    ctorch_tensor *pivots,
    ctorch_tensor *info);

/** aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh) */
CTORCH_API ctorch_error *ctorch_aten__linalg_svd(
    ctorch_tensor **out_U,
    ctorch_tensor **out_S,
    ctorch_tensor **out_Vh,
    const ctorch_tensor *A,
    bool full_matrices,
    bool compute_uv,
    const char *driver);

/** aten::_linalg_svd.U(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) */
CTORCH_API ctorch_error *ctorch_aten__linalg_svd_U(
    const ctorch_tensor *A,
    bool full_matrices,
    bool compute_uv,
    const char *driver,
    ctorch_tensor *U,
    ctorch_tensor *S,
    ctorch_tensor *Vh);

/** aten::_local_scalar_dense(Tensor self) -> Scalar */
CTORCH_API ctorch_error *ctorch_aten__local_scalar_dense(
    ctorch_scalar *out,
    const ctorch_tensor *self);

/** aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__log_softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float);

/** aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__log_softmax_backward_data(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    ctorch_dtype input_dtype);

/** aten::_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__log_softmax_backward_data_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    ctorch_dtype input_dtype,
    ctorch_tensor *out);

/** aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__log_softmax_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float,
    ctorch_tensor *out);

/** aten::_logcumsumexp(Tensor self, int dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__logcumsumexp(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim);

/** aten::_logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__logcumsumexp_out(
    const ctorch_tensor *self,
    int64_t dim,
    ctorch_tensor *out);

/** aten::_lstm_mps(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__lstm_mps(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    ctorch_tensor **out5,
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

/** aten::_lstm_mps.out(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4, Tensor(f!) out5) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!), Tensor(f!)) */
CTORCH_API ctorch_error *ctorch_aten__lstm_mps_out(
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
    bool batch_first,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3,
    ctorch_tensor *out4,
    ctorch_tensor *out5);

/** aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info) */
CTORCH_API ctorch_error *ctorch_aten__lu_with_info(
    ctorch_tensor **out_LU,
    ctorch_tensor **out_pivots,
    ctorch_tensor **out_info,
    const ctorch_tensor *self,
    bool pivot,
    bool check_errors);

/** aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__make_dep_token(
    ctorch_tensor **out,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const ctorch_memory_format *memory_format);

/** aten::_make_dual(Tensor(a) primal, Tensor tangent, int level) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__make_dual(
    ctorch_tensor **out,
    const ctorch_tensor *primal,
    const ctorch_tensor *tangent,
    int64_t level);

/** aten::_make_dual_copy(Tensor primal, Tensor tangent, int level) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__make_dual_copy(
    ctorch_tensor **out,
    const ctorch_tensor *primal,
    const ctorch_tensor *tangent,
    int64_t level);

/** aten::_make_dual_copy.out(Tensor primal, Tensor tangent, int level, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__make_dual_copy_out(
    const ctorch_tensor *primal,
    const ctorch_tensor *tangent,
    int64_t level,
    ctorch_tensor *out);

/** aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int axis) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__make_per_channel_quantized_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis);

/** aten::_make_per_channel_quantized_tensor.out(Tensor self, Tensor scale, Tensor zero_point, int axis, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__make_per_channel_quantized_tensor_out(
    const ctorch_tensor *self,
    const ctorch_tensor *scale,
    const ctorch_tensor *zero_point,
    int64_t axis,
    ctorch_tensor *out);

/** aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__make_per_tensor_quantized_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double scale,
    int64_t zero_point);

/** aten::_make_per_tensor_quantized_tensor.out(Tensor self, float scale, int zero_point, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__make_per_tensor_quantized_tensor_out(
    const ctorch_tensor *self,
    double scale,
    int64_t zero_point,
    ctorch_tensor *out);

/** aten::_masked_scale(Tensor self, Tensor mask, float scale) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__masked_scale(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    double scale);

/** aten::_masked_scale.out(Tensor self, Tensor mask, float scale, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__masked_scale_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    double scale,
    ctorch_tensor *out);

/** aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor
 * mask_type: ctorch_softmax_mask_type */
CTORCH_API ctorch_error *ctorch_aten__masked_softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const int64_t *dim,
    const int64_t *mask_type);

/** aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__masked_softmax_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *mask,
    const int64_t *dim);

/** aten::_masked_softmax_backward.out(Tensor grad_output, Tensor output, Tensor mask, int? dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__masked_softmax_backward_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    const ctorch_tensor *mask,
    const int64_t *dim,
    ctorch_tensor *out);

/** aten::_masked_softmax.out(Tensor self, Tensor mask, int? dim=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)
 * mask_type: ctorch_softmax_mask_type */
CTORCH_API ctorch_error *ctorch_aten__masked_softmax_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const int64_t *dim,
    const int64_t *mask_type,
    ctorch_tensor *out);

/** aten::_mixed_dtypes_linear(Tensor input, Tensor weight, Tensor scale, *, Tensor? bias=None, str? activation=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__mixed_dtypes_linear(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *scale,
    const ctorch_tensor *bias,
    const char *activation);

/** aten::_mkldnn_reshape(Tensor self, int[] shape) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__mkldnn_reshape(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *shape,
    size_t shape_len);

/** aten::_mkldnn_reshape.out(Tensor self, int[] shape, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__mkldnn_reshape_out(
    const ctorch_tensor *self,
    const int64_t *shape,
    size_t shape_len,
    ctorch_tensor *out);

/** aten::_mkldnn_transpose(Tensor self, int dim0, int dim1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__mkldnn_transpose(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1);

/** aten::_mkldnn_transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__mkldnn_transpose_(
    ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1);

/** aten::_mkldnn_transpose.out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__mkldnn_transpose_out(
    const ctorch_tensor *self,
    int64_t dim0,
    int64_t dim1,
    ctorch_tensor *out);

/** aten::_mps_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__mps_convolution(
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

/** aten::_mps_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__mps_convolution_out(
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

/** aten::_mps_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__mps_convolution_transpose(
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
    int64_t groups);

/** aten::_mps_convolution_transpose.out(Tensor self, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__mps_convolution_transpose_out(
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
    ctorch_tensor *out);

/** aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__native_batch_norm_legit(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    ctorch_tensor *running_mean,
    ctorch_tensor *running_var,
    bool training,
    double momentum,
    double eps);

/** aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out) */
CTORCH_API ctorch_error *ctorch_aten__native_batch_norm_legit_functional(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out_running_mean_out,
    ctorch_tensor **out_running_var_out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    bool training,
    double momentum,
    double eps);

/** aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__native_batch_norm_legit_no_stats(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    bool training,
    double momentum,
    double eps);

/** aten::_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__native_batch_norm_legit_no_stats_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    bool training,
    double momentum,
    double eps,
    ctorch_tensor *out,
    ctorch_tensor *save_mean,
    ctorch_tensor *save_invstd);

/** aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__native_batch_norm_legit_no_training(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps);

/** aten::_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__native_batch_norm_legit_no_training_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const ctorch_tensor *running_mean,
    const ctorch_tensor *running_var,
    double momentum,
    double eps,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), Tensor(f!)) */
CTORCH_API ctorch_error *ctorch_aten__native_batch_norm_legit_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    ctorch_tensor *running_mean,
    ctorch_tensor *running_var,
    bool training,
    double momentum,
    double eps,
    ctorch_tensor *out,
    ctorch_tensor *save_mean,
    ctorch_tensor *save_invstd);

/** aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)
 * mask_type: ctorch_softmax_mask_type */
CTORCH_API ctorch_error *ctorch_aten__native_multi_head_attention(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    int64_t embed_dim,
    int64_t num_head,
    const ctorch_tensor *qkv_weight,
    const ctorch_tensor *qkv_bias,
    const ctorch_tensor *proj_weight,
    const ctorch_tensor *proj_bias,
    const ctorch_tensor *mask,
    bool need_weights,
    bool average_attn_weights,
    const int64_t *mask_type);

/** aten::_native_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
 * mask_type: ctorch_softmax_mask_type */
CTORCH_API ctorch_error *ctorch_aten__native_multi_head_attention_out(
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    int64_t embed_dim,
    int64_t num_head,
    const ctorch_tensor *qkv_weight,
    const ctorch_tensor *qkv_bias,
    const ctorch_tensor *proj_weight,
    const ctorch_tensor *proj_bias,
    const ctorch_tensor *mask,
    bool need_weights,
    bool average_attn_weights,
    const int64_t *mask_type,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_neg_view(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__neg_view(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_neg_view_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__neg_view_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_neg_view_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__neg_view_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_nested_compute_contiguous_strides_offsets(Tensor nested_size) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__nested_compute_contiguous_strides_offsets(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *nested_size);

/** aten::_nested_from_padded(Tensor padded, Tensor cpu_nested_shape_example, bool fuse_transform_0213=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_from_padded(
    ctorch_tensor **out,
    const ctorch_tensor *padded,
    const ctorch_tensor *cpu_nested_shape_example,
    bool fuse_transform_0213);

/** aten::_nested_from_padded_and_nested_example(Tensor padded, Tensor nt_example) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_from_padded_and_nested_example(
    ctorch_tensor **out,
    const ctorch_tensor *padded,
    const ctorch_tensor *nt_example);

/** aten::_nested_from_padded_and_nested_example.out(Tensor padded, Tensor nt_example, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_from_padded_and_nested_example_out(
    const ctorch_tensor *padded,
    const ctorch_tensor *nt_example,
    ctorch_tensor *out);

/** aten::_nested_from_padded.out(Tensor padded, Tensor cpu_nested_shape_example, bool fuse_transform_0213=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_from_padded_out(
    const ctorch_tensor *padded,
    const ctorch_tensor *cpu_nested_shape_example,
    bool fuse_transform_0213,
    ctorch_tensor *out);

/** aten::_nested_from_padded_tensor(Tensor padded, Tensor offsets, Tensor dummy, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None, SymInt? sum_S=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_from_padded_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *padded,
    const ctorch_tensor *offsets,
    const ctorch_tensor *dummy,
    int64_t ragged_idx,
    const ctorch_tensor *min_seqlen,
    const ctorch_tensor *max_seqlen,
    const int64_t *sum_S);

/** aten::_nested_get_jagged_dummy(Tensor any) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_get_jagged_dummy(
    ctorch_tensor **out,
    const ctorch_tensor *any);

/** aten::_nested_get_lengths(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_get_lengths(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_get_max_seqlen(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_get_max_seqlen(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_get_min_seqlen(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_get_min_seqlen(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_get_offsets(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_get_offsets(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_get_ragged_idx(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten__nested_get_ragged_idx(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::_nested_get_values(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__nested_get_values(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_get_values_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_get_values_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_get_values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_get_values_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_nested_select_backward(Tensor grad_output, Tensor self, int dim, SymInt index) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_select_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    int64_t dim,
    int64_t index);

/** aten::_nested_sum_backward(Tensor grad, Tensor self, int[1]? dim, bool keepdim=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_sum_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim);

/** aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_from_mask(
    ctorch_tensor **out,
    const ctorch_tensor *t,
    const ctorch_tensor *mask,
    bool mask_check);

/** aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_from_mask_left_aligned(
    bool *out,
    const ctorch_tensor *t,
    const ctorch_tensor *mask);

/** aten::_nested_tensor_from_mask.out(Tensor t, Tensor mask, bool mask_check=True, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_from_mask_out(
    const ctorch_tensor *t,
    const ctorch_tensor *mask,
    bool mask_check,
    ctorch_tensor *out);

/** aten::_nested_tensor_from_tensor_list(Tensor[] list, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_from_tensor_list(
    ctorch_tensor **out,
    const ctorch_tensor *const *list,
    size_t list_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::_nested_tensor_from_tensor_list.out(Tensor[] list, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_from_tensor_list_out(
    const ctorch_tensor *const *list,
    size_t list_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    ctorch_tensor *out);

/** aten::_nested_tensor_size(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_size(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_tensor_size.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_size_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_nested_tensor_softmax_with_shape(Tensor self, Tensor query) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_softmax_with_shape(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *query);

/** aten::_nested_tensor_storage_offsets(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_storage_offsets(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_tensor_storage_offsets.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_storage_offsets_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_nested_tensor_strides(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_strides(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_nested_tensor_strides.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_tensor_strides_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_nested_view_from_buffer(Tensor(a) self, Tensor nested_size, Tensor nested_strides, Tensor offsets) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__nested_view_from_buffer(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *nested_size,
    const ctorch_tensor *nested_strides,
    const ctorch_tensor *offsets);

/** aten::_nested_view_from_buffer_copy(Tensor self, Tensor nested_size, Tensor nested_strides, Tensor offsets) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_view_from_buffer_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *nested_size,
    const ctorch_tensor *nested_strides,
    const ctorch_tensor *offsets);

/** aten::_nested_view_from_buffer_copy.out(Tensor self, Tensor nested_size, Tensor nested_strides, Tensor offsets, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_view_from_buffer_copy_out(
    const ctorch_tensor *self,
    const ctorch_tensor *nested_size,
    const ctorch_tensor *nested_strides,
    const ctorch_tensor *offsets,
    ctorch_tensor *out);

/** aten::_nested_view_from_jagged(Tensor(a) self, Tensor offsets, Tensor dummy, Tensor? lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__nested_view_from_jagged(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *offsets,
    const ctorch_tensor *dummy,
    const ctorch_tensor *lengths,
    int64_t ragged_idx,
    const ctorch_tensor *min_seqlen,
    const ctorch_tensor *max_seqlen);

/** aten::_nested_view_from_jagged_copy(Tensor self, Tensor offsets, Tensor dummy, Tensor? lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nested_view_from_jagged_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *offsets,
    const ctorch_tensor *dummy,
    const ctorch_tensor *lengths,
    int64_t ragged_idx,
    const ctorch_tensor *min_seqlen,
    const ctorch_tensor *max_seqlen);

/** aten::_nested_view_from_jagged_copy.out(Tensor self, Tensor offsets, Tensor dummy, Tensor? lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nested_view_from_jagged_copy_out(
    const ctorch_tensor *self,
    const ctorch_tensor *offsets,
    const ctorch_tensor *dummy,
    const ctorch_tensor *lengths,
    int64_t ragged_idx,
    const ctorch_tensor *min_seqlen,
    const ctorch_tensor *max_seqlen,
    ctorch_tensor *out);

/** aten::_new_zeros_with_same_feature_meta(Tensor self, Tensor other, *, int self_num_batch_dims=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__new_zeros_with_same_feature_meta(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    int64_t self_num_batch_dims);

/** aten::_new_zeros_with_same_feature_meta.out(Tensor self, Tensor other, *, int self_num_batch_dims=0, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__new_zeros_with_same_feature_meta_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    int64_t self_num_batch_dims,
    ctorch_tensor *out);

/** aten::_nnpack_available() -> bool */
CTORCH_API ctorch_error *ctorch_aten__nnpack_available(
    bool *out);

/** aten::_nnpack_spatial_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[2] padding, SymInt[2] stride=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__nnpack_spatial_convolution(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::_nnpack_spatial_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[2] padding, SymInt[2] stride=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__nnpack_spatial_convolution_out(
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    const int64_t *padding,
    size_t padding_len,
    const int64_t *stride,
    size_t stride_len,
    ctorch_tensor *out);

/** aten::_nnz(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten__nnz(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__pack_padded_sequence(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *lengths,
    bool batch_first);

/** aten::_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, bool batch_first) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__pack_padded_sequence_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const int64_t *input_size,
    size_t input_size_len,
    const ctorch_tensor *batch_sizes,
    bool batch_first);

/** aten::_pack_padded_sequence.out(Tensor input, Tensor lengths, bool batch_first, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__pack_padded_sequence_out(
    const ctorch_tensor *input,
    const ctorch_tensor *lengths,
    bool batch_first,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__pad_circular(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len);

/** aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor
 * mode: ctorch_padding_mode */
CTORCH_API ctorch_error *ctorch_aten__pad_enum(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *pad,
    size_t pad_len,
    int64_t mode,
    const double *value);

/** aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__pad_packed_sequence(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *data,
    const ctorch_tensor *batch_sizes,
    bool batch_first,
    const ctorch_scalar *padding_value,
    int64_t total_length);

/** aten::_padded_dense_to_jagged_forward(Tensor dense, Tensor[] offsets, SymInt? total_L=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__padded_dense_to_jagged_forward(
    ctorch_tensor **out,
    const ctorch_tensor *dense,
    const ctorch_tensor *const *offsets,
    size_t offsets_len,
    const int64_t *total_L);

/** aten::_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__pdist_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    double p,
    const ctorch_tensor *pdist);

/** aten::_pdist_backward.out(Tensor grad, Tensor self, float p, Tensor pdist, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__pdist_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    double p,
    const ctorch_tensor *pdist,
    ctorch_tensor *out);

/** aten::_pdist_forward(Tensor self, float p=2) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__pdist_forward(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    double p);

/** aten::_pdist_forward.out(Tensor self, float p=2, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__pdist_forward_out(
    const ctorch_tensor *self,
    double p,
    ctorch_tensor *out);

/** aten::_philox_key_fold_in(Tensor key, int data) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__philox_key_fold_in(
    ctorch_tensor **out,
    const ctorch_tensor *key,
    int64_t data);

/** aten::_philox_key_fold_in.Tensor(Tensor key, Tensor data) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__philox_key_fold_in_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *key,
    const ctorch_tensor *data);

/** aten::_philox_key_split(Tensor key, int num_splits) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__philox_key_split(
    ctorch_tensor **out,
    const ctorch_tensor *key,
    int64_t num_splits);

/** aten::_philox_normal(Tensor self, Tensor key, float mean=0, float std=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__philox_normal(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *key,
    double mean,
    double std);

/** aten::_philox_normal_(Tensor(a!) self, Tensor key, float mean=0, float std=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__philox_normal_(
    ctorch_tensor *self,
    const ctorch_tensor *key,
    double mean,
    double std);

/** aten::_philox_normal.out(Tensor self, Tensor key, float mean=0, float std=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__philox_normal_out(
    const ctorch_tensor *self,
    const ctorch_tensor *key,
    double mean,
    double std,
    ctorch_tensor *out);

/** aten::_philox_randint(Tensor self, Tensor key, int? low=None, int? high=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__philox_randint(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *key,
    const int64_t *low,
    const int64_t *high);

/** aten::_philox_randint_(Tensor(a!) self, Tensor key, int? low=None, int? high=None) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__philox_randint_(
    ctorch_tensor *self,
    const ctorch_tensor *key,
    const int64_t *low,
    const int64_t *high);

/** aten::_philox_randint.out(Tensor self, Tensor key, int? low=None, int? high=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__philox_randint_out(
    const ctorch_tensor *self,
    const ctorch_tensor *key,
    const int64_t *low,
    const int64_t *high,
    ctorch_tensor *out);

/** aten::_philox_uniform(Tensor self, Tensor key, float low=0, float high=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__philox_uniform(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *key,
    double low,
    double high);

/** aten::_philox_uniform_(Tensor(a!) self, Tensor key, float low=0, float high=1) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__philox_uniform_(
    ctorch_tensor *self,
    const ctorch_tensor *key,
    double low,
    double high);

/** aten::_philox_uniform.out(Tensor self, Tensor key, float low=0, float high=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__philox_uniform_out(
    const ctorch_tensor *self,
    const ctorch_tensor *key,
    double low,
    double high,
    ctorch_tensor *out);

/** aten::_pin_memory(Tensor self, Device? device=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__pin_memory(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_device *device);

/** aten::_pin_memory.out(Tensor self, Device? device=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__pin_memory_out(
    const ctorch_tensor *self,
    const ctorch_device *device,
    ctorch_tensor *out);

/** aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__prelu_kernel(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *weight);

/** aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__prelu_kernel_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *weight);

/** aten::_print(str s) -> () */
CTORCH_API ctorch_error *ctorch_aten__print(
    const char *s);

/** aten::_propagate_xla_data(Tensor input, Tensor output) -> () */
CTORCH_API ctorch_error *ctorch_aten__propagate_xla_data(
    const ctorch_tensor *input,
    const ctorch_tensor *output);

/** aten::_remove_batch_dim(Tensor self, int level, SymInt batch_size, int out_dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__remove_batch_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t level,
    int64_t batch_size,
    int64_t out_dim);

/** aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__reshape_alias(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__reshape_alias_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len);

/** aten::_reshape_alias_copy.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__reshape_alias_copy_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const int64_t *stride,
    size_t stride_len,
    ctorch_tensor *out);

/** aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__reshape_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::_reshape_from_tensor(Tensor self, Tensor shape) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__reshape_from_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *shape);

/** aten::_resize_output(Tensor self, SymInt[] size, Device device) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__resize_output(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_device *device);

/** aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__resize_output_(
    ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_device *device);

/** aten::_resize_output.out(Tensor self, SymInt[] size, Device device, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__resize_output_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    const ctorch_device *device,
    ctorch_tensor *out);

/** aten::_rowwise_prune(Tensor weight, Tensor mask, ScalarType compressed_indices_dtype) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__rowwise_prune(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *weight,
    const ctorch_tensor *mask,
    ctorch_dtype compressed_indices_dtype);

/** aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__safe_softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sample_dirichlet(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator);

/** aten::_sample_dirichlet.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sample_dirichlet_out(
    const ctorch_tensor *self,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::_saturate_weight_to_fp16(Tensor weight) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__saturate_weight_to_fp16(
    ctorch_tensor **out,
    const ctorch_tensor *weight);

/** aten::_scaled_addmm(Tensor self, Tensor mat1, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, bool use_fast_accum=False) -> Tensor
 * recipe_a: ctorch_scaling_type
 * swizzle_a: ctorch_swizzle_type
 * recipe_b: ctorch_scaling_type
 * swizzle_b: ctorch_swizzle_type */
CTORCH_API ctorch_error *ctorch_aten__scaled_addmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
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
    const int64_t *contraction_dim,
    size_t contraction_dim_len,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    bool use_fast_accum);

/** aten::_scaled_addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, bool use_fast_accum=False) -> Tensor(a!)
 * recipe_a: ctorch_scaling_type
 * swizzle_a: ctorch_swizzle_type
 * recipe_b: ctorch_scaling_type
 * swizzle_b: ctorch_swizzle_type */
CTORCH_API ctorch_error *ctorch_aten__scaled_addmm_(
    ctorch_tensor *self,
    const ctorch_tensor *mat1,
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
    const int64_t *contraction_dim,
    size_t contraction_dim_len,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    bool use_fast_accum);

/** aten::_scaled_addmm.out(Tensor self, Tensor mat1, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, bool use_fast_accum=False, Tensor(a!) out) -> Tensor(a!)
 * recipe_a: ctorch_scaling_type
 * swizzle_a: ctorch_swizzle_type
 * recipe_b: ctorch_scaling_type
 * swizzle_b: ctorch_swizzle_type */
CTORCH_API ctorch_error *ctorch_aten__scaled_addmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
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
    const int64_t *contraction_dim,
    size_t contraction_dim_len,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    bool use_fast_accum,
    ctorch_tensor *out);

/** aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_attention_math(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_mask,
    double dropout_p,
    bool is_causal,
    const ctorch_tensor *dropout_mask,
    const double *scale,
    bool enable_gqa);

/** aten::_scaled_dot_product_attention_math_for_mps(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_attention_math_for_mps(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_mask,
    double dropout_p,
    bool is_causal,
    const ctorch_tensor *dropout_mask,
    const double *scale,
    bool enable_gqa);

/** aten::_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_cudnn_attention(
    ctorch_tensor **out_output,
    ctorch_tensor **out_logsumexp,
    ctorch_tensor **out_cum_seq_q,
    ctorch_tensor **out_cum_seq_k,
    int64_t *out_max_q,
    int64_t *out_max_k,
    ctorch_tensor **out_philox_seed,
    ctorch_tensor **out_philox_offset,
    ctorch_tensor **out_debug_attn_mask,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_bias,
    bool compute_log_sumexp,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const double *scale);

/** aten::_scaled_dot_product_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, Tensor attn_bias, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, *, float? scale=None) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_cudnn_attention_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *out,
    const ctorch_tensor *logsumexp,
    const ctorch_tensor *philox_seed,
    const ctorch_tensor *philox_offset,
    const ctorch_tensor *attn_bias,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    const double *scale);

/** aten::_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, *, float? scale=None) -> (Tensor output, Tensor log_sumexp, Tensor philox_seed, Tensor philox_offset) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_efficient_attention(
    ctorch_tensor **out_output,
    ctorch_tensor **out_log_sumexp,
    ctorch_tensor **out_philox_seed,
    ctorch_tensor **out_philox_offset,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_bias,
    bool compute_log_sumexp,
    double dropout_p,
    bool is_causal,
    const double *scale);

/** aten::_scaled_dot_product_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, Tensor attn_bias, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, float dropout_p, bool[4] grad_input_mask, bool is_causal=False, *, float? scale=None) -> (Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_efficient_attention_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    const ctorch_tensor *grad_out_,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_bias,
    const ctorch_tensor *out,
    const ctorch_tensor *logsumexp,
    const ctorch_tensor *philox_seed,
    const ctorch_tensor *philox_offset,
    double dropout_p,
    const bool *grad_input_mask,
    size_t grad_input_mask_len,
    bool is_causal,
    const double *scale);

/** aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_flash_attention(
    ctorch_tensor **out_output,
    ctorch_tensor **out_logsumexp,
    ctorch_tensor **out_cum_seq_q,
    ctorch_tensor **out_cum_seq_k,
    int64_t *out_max_q,
    int64_t *out_max_k,
    ctorch_tensor **out_rng_state,
    ctorch_tensor **out_unused,
    ctorch_tensor **out_debug_attn_mask,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const double *scale);

/** aten::_scaled_dot_product_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, Tensor philox_seed, Tensor philox_offset, *, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_flash_attention_backward(
    ctorch_tensor **out_grad_query,
    ctorch_tensor **out_grad_key,
    ctorch_tensor **out_grad_value,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *out,
    const ctorch_tensor *logsumexp,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    const ctorch_tensor *philox_seed,
    const ctorch_tensor *philox_offset,
    const double *scale);

/** aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_flash_attention_for_cpu(
    ctorch_tensor **out_output,
    ctorch_tensor **out_logsumexp,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    double dropout_p,
    bool is_causal,
    const ctorch_tensor *attn_mask,
    const double *scale);

/** aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_flash_attention_for_cpu_backward(
    ctorch_tensor **out_grad_query,
    ctorch_tensor **out_grad_key,
    ctorch_tensor **out_grad_value,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *out,
    const ctorch_tensor *logsumexp,
    double dropout_p,
    bool is_causal,
    const ctorch_tensor *attn_mask,
    const double *scale);

/** aten::_scaled_dot_product_flash_attention.quantized(Tensor query, Tensor key, Tensor value, Tensor? q_descale, Tensor? k_descale, Tensor? v_descale, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_flash_attention_quantized(
    ctorch_tensor **out_output,
    ctorch_tensor **out_logsumexp,
    ctorch_tensor **out_cum_seq_q,
    ctorch_tensor **out_cum_seq_k,
    int64_t *out_max_q,
    int64_t *out_max_k,
    ctorch_tensor **out_rng_state,
    ctorch_tensor **out_unused,
    ctorch_tensor **out_debug_attn_mask,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *q_descale,
    const ctorch_tensor *k_descale,
    const ctorch_tensor *v_descale,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const double *scale);

/** aten::_scaled_dot_product_fused_attention_overrideable(Tensor query, Tensor key, Tensor value, Tensor? attn_bias=None, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_fused_attention_overrideable(
    ctorch_tensor **out_output,
    ctorch_tensor **out_logsumexp,
    ctorch_tensor **out_cum_seq_q,
    ctorch_tensor **out_cum_seq_k,
    int64_t *out_max_q,
    int64_t *out_max_k,
    ctorch_tensor **out_philox_seed,
    ctorch_tensor **out_philox_offset,
    ctorch_tensor **out_debug_attn_mask,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_bias,
    double dropout_p,
    bool is_causal,
    bool return_debug_mask,
    const double *scale);

/** aten::_scaled_dot_product_fused_attention_overrideable_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor attn_bias, bool[4] grad_input_mask, Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, Tensor philox_seed, Tensor philox_offset, *, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value, Tensor grad_attn_bias) */
CTORCH_API ctorch_error *ctorch_aten__scaled_dot_product_fused_attention_overrideable_backward(
    ctorch_tensor **out_grad_query,
    ctorch_tensor **out_grad_key,
    ctorch_tensor **out_grad_value,
    ctorch_tensor **out_grad_attn_bias,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    const ctorch_tensor *attn_bias,
    const bool *grad_input_mask,
    size_t grad_input_mask_len,
    const ctorch_tensor *out,
    const ctorch_tensor *logsumexp,
    const ctorch_tensor *cum_seq_q,
    const ctorch_tensor *cum_seq_k,
    int64_t max_q,
    int64_t max_k,
    double dropout_p,
    bool is_causal,
    const ctorch_tensor *philox_seed,
    const ctorch_tensor *philox_offset,
    const double *scale);

/** aten::_scaled_grouped_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? offs=None, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__scaled_grouped_mm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    const ctorch_tensor *scale_a,
    const ctorch_tensor *scale_b,
    const ctorch_tensor *offs,
    const ctorch_tensor *bias,
    const ctorch_tensor *scale_result,
    const ctorch_dtype *out_dtype,
    bool use_fast_accum);

/** aten::_scaled_grouped_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None, int[] contraction_dim=[], bool use_fast_accum=False) -> Tensor
 * recipe_a: ctorch_scaling_type
 * swizzle_a: ctorch_swizzle_type
 * recipe_b: ctorch_scaling_type
 * swizzle_b: ctorch_swizzle_type */
CTORCH_API ctorch_error *ctorch_aten__scaled_grouped_mm_v2(
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
    const ctorch_tensor *offs,
    const ctorch_tensor *bias,
    const ctorch_dtype *out_dtype,
    const int64_t *contraction_dim,
    size_t contraction_dim_len,
    bool use_fast_accum);

/** aten::_scaled_grouped_mm_v2.out(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None, int[] contraction_dim=[], bool use_fast_accum=False, *, Tensor(a!) out) -> Tensor(a!)
 * recipe_a: ctorch_scaling_type
 * swizzle_a: ctorch_swizzle_type
 * recipe_b: ctorch_scaling_type
 * swizzle_b: ctorch_swizzle_type */
CTORCH_API ctorch_error *ctorch_aten__scaled_grouped_mm_v2_out(
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
    const ctorch_tensor *offs,
    const ctorch_tensor *bias,
    const ctorch_dtype *out_dtype,
    const int64_t *contraction_dim,
    size_t contraction_dim_len,
    bool use_fast_accum,
    ctorch_tensor *out);

/** aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__scaled_mm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    const ctorch_tensor *scale_a,
    const ctorch_tensor *scale_b,
    const ctorch_tensor *bias,
    const ctorch_tensor *scale_result,
    const ctorch_dtype *out_dtype,
    bool use_fast_accum);

/** aten::_scaled_mm.out(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__scaled_mm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    const ctorch_tensor *scale_a,
    const ctorch_tensor *scale_b,
    const ctorch_tensor *bias,
    const ctorch_tensor *scale_result,
    const ctorch_dtype *out_dtype,
    bool use_fast_accum,
    ctorch_tensor *out);

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

/** aten::_scaled_mm_v2.out(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, int[] contraction_dim=[], bool use_fast_accum=False, *, Tensor(a!) out) -> Tensor(a!)
 * recipe_a: ctorch_scaling_type
 * swizzle_a: ctorch_swizzle_type
 * recipe_b: ctorch_scaling_type
 * swizzle_b: ctorch_swizzle_type */
CTORCH_API ctorch_error *ctorch_aten__scaled_mm_v2_out(
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
    bool use_fast_accum,
    ctorch_tensor *out);

/** aten::_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__segment_reduce_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *output,
    const ctorch_tensor *data,
    const char *reduce,
    const ctorch_tensor *lengths,
    const ctorch_tensor *offsets,
    int64_t axis,
    const ctorch_scalar *initial);

/** aten::_segment_reduce_backward.out(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__segment_reduce_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *output,
    const ctorch_tensor *data,
    const char *reduce,
    const ctorch_tensor *lengths,
    const ctorch_tensor *offsets,
    int64_t axis,
    const ctorch_scalar *initial,
    ctorch_tensor *out);

/** aten::_shape_as_tensor(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__shape_as_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_slow_conv2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) grad_input, Tensor(b!) grad_weight, Tensor(c!) grad_bias) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__slow_conv2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    ctorch_tensor *grad_input,
    ctorch_tensor *grad_weight,
    ctorch_tensor *grad_bias);

/** aten::_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias) */
CTORCH_API ctorch_error *ctorch_aten__slow_conv2d_backward_output_mask(
    ctorch_tensor **out_grad_input,
    ctorch_tensor **out_grad_weight,
    ctorch_tensor **out_grad_bias,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::_slow_conv2d_backward.output_mask_out(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__slow_conv2d_backward_output_mask_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *self,
    const ctorch_tensor *weight,
    const int64_t *kernel_size,
    size_t kernel_size_len,
    const int64_t *stride,
    size_t stride_len,
    const int64_t *padding,
    size_t padding_len,
    const bool *output_mask,
    size_t output_mask_len,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::_slow_conv2d_forward(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, SymInt[2] stride, SymInt[2] padding) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__slow_conv2d_forward(
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

/** aten::_slow_conv2d_forward.output(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) output) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__slow_conv2d_forward_output(
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

/** aten::_sobol_engine_draw(Tensor quasi, int n, Tensor sobolstate, int dimension, int num_generated, ScalarType? dtype) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__sobol_engine_draw(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *quasi,
    int64_t n,
    const ctorch_tensor *sobolstate,
    int64_t dimension,
    int64_t num_generated,
    const ctorch_dtype *dtype);

/** aten::_sobol_engine_ff_(Tensor(a!) self, int n, Tensor sobolstate, int dimension, int num_generated) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sobol_engine_ff_(
    ctorch_tensor *self,
    int64_t n,
    const ctorch_tensor *sobolstate,
    int64_t dimension,
    int64_t num_generated);

/** aten::_sobol_engine_initialize_state_(Tensor(a!) self, int dimension) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sobol_engine_initialize_state_(
    ctorch_tensor *self,
    int64_t dimension);

/** aten::_sobol_engine_scramble_(Tensor(a!) self, Tensor ltm, int dimension) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sobol_engine_scramble_(
    ctorch_tensor *self,
    const ctorch_tensor *ltm,
    int64_t dimension);

/** aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float);

/** aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__softmax_backward_data(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    ctorch_dtype input_dtype);

/** aten::_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__softmax_backward_data_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    ctorch_dtype input_dtype,
    ctorch_tensor *grad_input);

/** aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__softmax_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float,
    ctorch_tensor *out);

/** aten::_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_addmm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha);

/** aten::_sparse_addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_addmm_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat2,
    const ctorch_scalar *beta,
    const ctorch_scalar *alpha,
    ctorch_tensor *out);

/** aten::_sparse_broadcast_to(Tensor(a) self, int[] size) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__sparse_broadcast_to(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::_sparse_broadcast_to_copy(Tensor self, int[] size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_broadcast_to_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::_sparse_broadcast_to_copy.out(Tensor self, int[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_broadcast_to_copy_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::_sparse_bsc_tensor_unsafe(Tensor ccol_indices, Tensor row_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_bsc_tensor_unsafe(
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

/** aten::_sparse_bsr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_bsr_tensor_unsafe(
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

/** aten::_sparse_compressed_tensor_unsafe(Tensor compressed_indices, Tensor plain_indices, Tensor values, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_compressed_tensor_unsafe(
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

/** aten::_sparse_compressed_tensor_with_dims(int nnz, int dense_dim, int[] size, int[] blocksize, ScalarType index_dtype, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_compressed_tensor_with_dims(
    ctorch_tensor **out,
    int64_t nnz,
    int64_t dense_dim,
    const int64_t *size,
    size_t size_len,
    const int64_t *blocksize,
    size_t blocksize_len,
    ctorch_dtype index_dtype,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_coo_tensor_unsafe(
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

/** aten::_sparse_coo_tensor_with_dims(int sparse_dim, int dense_dim, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_coo_tensor_with_dims(
    ctorch_tensor **out,
    int64_t sparse_dim,
    int64_t dense_dim,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory);

/** aten::_sparse_coo_tensor_with_dims_and_tensors(int sparse_dim, int dense_dim, SymInt[] size, Tensor indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, bool? is_coalesced=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_coo_tensor_with_dims_and_tensors(
    ctorch_tensor **out,
    int64_t sparse_dim,
    int64_t dense_dim,
    const int64_t *size,
    size_t size_len,
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    const bool *is_coalesced);

/** aten::_sparse_coo_tensor_with_dims_and_tensors.out(int sparse_dim, int dense_dim, SymInt[] size, Tensor indices, Tensor values, *, bool? is_coalesced=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_coo_tensor_with_dims_and_tensors_out(
    int64_t sparse_dim,
    int64_t dense_dim,
    const int64_t *size,
    size_t size_len,
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const bool *is_coalesced,
    ctorch_tensor *out);

/** aten::_sparse_coo_tensor_with_dims.out(int sparse_dim, int dense_dim, int[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_coo_tensor_with_dims_out(
    int64_t sparse_dim,
    int64_t dense_dim,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::_sparse_csc_tensor_unsafe(Tensor ccol_indices, Tensor row_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_csc_tensor_unsafe(
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

/** aten::_sparse_csr_prod.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_csr_prod_dim_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::_sparse_csr_prod.dim_dtype_out(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_csr_prod_dim_dtype_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::_sparse_csr_sum.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_csr_sum_dim_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype);

/** aten::_sparse_csr_sum.dim_dtype_out(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_csr_sum_dim_dtype_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    bool keepdim,
    const ctorch_dtype *dtype,
    ctorch_tensor *out);

/** aten::_sparse_csr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_csr_tensor_unsafe(
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

/** aten::_sparse_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_log_softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float);

/** aten::_sparse_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_log_softmax_backward_data(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    const ctorch_tensor *self);

/** aten::_sparse_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_log_softmax_backward_data_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_sparse_log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_log_softmax_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::_sparse_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_log_softmax_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float,
    ctorch_tensor *out);

/** aten::_sparse_mask_projection(Tensor self, Tensor mask, bool accumulate_matches=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_mask_projection(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    bool accumulate_matches);

/** aten::_sparse_mask_projection.out(Tensor self, Tensor mask, bool accumulate_matches=False, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_mask_projection_out(
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    bool accumulate_matches,
    ctorch_tensor *out);

/** aten::_sparse_mm(Tensor sparse, Tensor dense) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_mm(
    ctorch_tensor **out,
    const ctorch_tensor *sparse,
    const ctorch_tensor *dense);

/** aten::_sparse_mm.reduce(Tensor sparse, Tensor dense, str reduce) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_mm_reduce(
    ctorch_tensor **out,
    const ctorch_tensor *sparse,
    const ctorch_tensor *dense,
    const char *reduce);

/** aten::_sparse_mm_reduce_impl(Tensor self, Tensor other, str reduce) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__sparse_mm_reduce_impl(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const char *reduce);

/** aten::_sparse_mm_reduce_impl_backward(Tensor self, Tensor grad_out, Tensor weight, str reduce, Tensor arg_out, bool[2] output_mask) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__sparse_mm_reduce_impl_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    const ctorch_tensor *grad_out,
    const ctorch_tensor *weight,
    const char *reduce,
    const ctorch_tensor *arg_out,
    const bool *output_mask,
    size_t output_mask_len);

/** aten::_sparse_semi_structured_addmm(Tensor input, Tensor mat1, Tensor mat1_meta, Tensor mat2, *, Scalar alpha=1, Scalar beta=1, ScalarType? out_dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_semi_structured_addmm(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat1_meta,
    const ctorch_tensor *mat2,
    const ctorch_scalar *alpha,
    const ctorch_scalar *beta,
    const ctorch_dtype *out_dtype);

/** aten::_sparse_semi_structured_apply(Tensor input, Tensor thread_masks) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__sparse_semi_structured_apply(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input,
    const ctorch_tensor *thread_masks);

/** aten::_sparse_semi_structured_apply_dense(Tensor input, Tensor thread_masks) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_semi_structured_apply_dense(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *thread_masks);

/** aten::_sparse_semi_structured_linear(Tensor input, Tensor weight, Tensor meta, *, Tensor? bias=None, str? activation=None, ScalarType? out_dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_semi_structured_linear(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *meta,
    const ctorch_tensor *bias,
    const char *activation,
    const ctorch_dtype *out_dtype);

/** aten::_sparse_semi_structured_mm(Tensor mat1, Tensor mat1_meta, Tensor mat2, *, ScalarType? out_dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_semi_structured_mm(
    ctorch_tensor **out,
    const ctorch_tensor *mat1,
    const ctorch_tensor *mat1_meta,
    const ctorch_tensor *mat2,
    const ctorch_dtype *out_dtype);

/** aten::_sparse_semi_structured_tile(Tensor input, str algorithm="", bool use_cutlass=True) -> (Tensor, Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__sparse_semi_structured_tile(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    const ctorch_tensor *input,
    const char *algorithm,
    bool use_cutlass);

/** aten::_sparse_softmax(Tensor self, int dim, bool half_to_float) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_softmax(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float);

/** aten::_sparse_softmax_backward_data(Tensor grad_output, Tensor output, int dim, Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_softmax_backward_data(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    const ctorch_tensor *self);

/** aten::_sparse_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_softmax_backward_data_out(
    const ctorch_tensor *grad_output,
    const ctorch_tensor *output,
    int64_t dim,
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_sparse_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_softmax_int(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t dim,
    const ctorch_dtype *dtype);

/** aten::_sparse_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_softmax_out(
    const ctorch_tensor *self,
    int64_t dim,
    bool half_to_float,
    ctorch_tensor *out);

/** aten::_sparse_sparse_matmul(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_sparse_matmul(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::_sparse_sparse_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_sparse_matmul_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::_sparse_sum(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_sum(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_sparse_sum_backward(Tensor grad, Tensor self, int[] dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_sum_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::_sparse_sum_backward.out(Tensor grad, Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_sum_backward_out(
    const ctorch_tensor *grad,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    ctorch_tensor *out);

/** aten::_sparse_sum.dim(Tensor self, int[1] dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_sum_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len);

/** aten::_sparse_sum.dim_dtype(Tensor self, int[1] dim, *, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_sum_dim_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    ctorch_dtype dtype);

/** aten::_sparse_sum.dim_out(Tensor self, int[1] dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__sparse_sum_dim_out(
    const ctorch_tensor *self,
    const int64_t *dim,
    size_t dim_len,
    ctorch_tensor *out);

/** aten::_sparse_sum.dtype(Tensor self, *, ScalarType dtype) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__sparse_sum_dtype(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_dtype dtype);

/** aten::_spdiags(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__spdiags(
    ctorch_tensor **out,
    const ctorch_tensor *diagonals,
    const ctorch_tensor *offsets,
    const int64_t *shape,
    size_t shape_len,
    const ctorch_layout *layout);

/** aten::_spdiags.out(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__spdiags_out(
    const ctorch_tensor *diagonals,
    const ctorch_tensor *offsets,
    const int64_t *shape,
    size_t shape_len,
    const ctorch_layout *layout,
    ctorch_tensor *out);

/** aten::_spsolve(Tensor A, Tensor B, *, bool left=True) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__spsolve(
    ctorch_tensor **out,
    const ctorch_tensor *A,
    const ctorch_tensor *B,
    bool left);

/** aten::_stack(Tensor[] tensors, int dim=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__stack(
    ctorch_tensor **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim);

/** aten::_stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__stack_out(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    int64_t dim,
    ctorch_tensor *out);

/** aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__standard_gamma(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    ctorch_generator *generator);

/** aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__standard_gamma_grad(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *output);

/** aten::_standard_gamma_grad.out(Tensor self, Tensor output, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__standard_gamma_grad_out(
    const ctorch_tensor *self,
    const ctorch_tensor *output,
    ctorch_tensor *out);

/** aten::_standard_gamma.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__standard_gamma_out(
    const ctorch_tensor *self,
    ctorch_generator *generator,
    ctorch_tensor *out);

/** aten::_test_ambiguous_defaults.a(Tensor dummy, int a=1, int b=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_ambiguous_defaults_a(
    ctorch_tensor **out,
    const ctorch_tensor *dummy,
    int64_t a,
    int64_t b);

/** aten::_test_ambiguous_defaults.b(Tensor dummy, int a=2, str b="2") -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_ambiguous_defaults_b(
    ctorch_tensor **out,
    const ctorch_tensor *dummy,
    int64_t a,
    const char *b);

/** aten::_test_autograd_multiple_dispatch.fullcoverage(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_autograd_multiple_dispatch_fullcoverage(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_test_autograd_multiple_dispatch.fullcoverage_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__test_autograd_multiple_dispatch_fullcoverage_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_test_autograd_multiple_dispatch.ntonly(Tensor self, bool b) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_autograd_multiple_dispatch_ntonly(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    bool b);

/** aten::_test_autograd_multiple_dispatch_view(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__test_autograd_multiple_dispatch_view(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_test_autograd_multiple_dispatch_view_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_autograd_multiple_dispatch_view_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_test_autograd_multiple_dispatch_view_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__test_autograd_multiple_dispatch_view_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_test_check_tensor(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_check_tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_test_functorch_fallback(Tensor self, Tensor other) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_functorch_fallback(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other);

/** aten::_test_functorch_fallback.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__test_functorch_fallback_out(
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    ctorch_tensor *out);

/** aten::_test_optional_filled_intlist(Tensor values, int[2]? addends) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_optional_filled_intlist(
    ctorch_tensor **out,
    const ctorch_tensor *values,
    const int64_t *addends,
    size_t addends_len);

/** aten::_test_optional_filled_intlist.out(Tensor values, int[2]? addends, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__test_optional_filled_intlist_out(
    const ctorch_tensor *values,
    const int64_t *addends,
    size_t addends_len,
    ctorch_tensor *out);

/** aten::_test_optional_floatlist(Tensor values, float[]? addends) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_optional_floatlist(
    ctorch_tensor **out,
    const ctorch_tensor *values,
    const double *addends,
    size_t addends_len);

/** aten::_test_optional_floatlist.out(Tensor values, float[]? addends, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__test_optional_floatlist_out(
    const ctorch_tensor *values,
    const double *addends,
    size_t addends_len,
    ctorch_tensor *out);

/** aten::_test_optional_intlist(Tensor values, int[]? addends) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_optional_intlist(
    ctorch_tensor **out,
    const ctorch_tensor *values,
    const int64_t *addends,
    size_t addends_len);

/** aten::_test_optional_intlist.out(Tensor values, int[]? addends, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__test_optional_intlist_out(
    const ctorch_tensor *values,
    const int64_t *addends,
    size_t addends_len,
    ctorch_tensor *out);

/** aten::_test_parallel_materialize(Tensor self, int num_parallel, bool skip_first=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_parallel_materialize(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t num_parallel,
    bool skip_first);

/** aten::_test_serialization_subcmul(Tensor self, Tensor other, Scalar alpha=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_serialization_subcmul(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *other,
    const ctorch_scalar *alpha);

/** aten::_test_string_default(Tensor dummy, str a="\"'\\", str b='"\'\\') -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_string_default(
    ctorch_tensor **out,
    const ctorch_tensor *dummy,
    const char *a,
    const char *b);

/** aten::_test_warn_in_autograd(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__test_warn_in_autograd(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_test_warn_in_autograd.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__test_warn_in_autograd_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_thnn_differentiable_gru_cell_backward(Tensor grad_hy, Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias, Tensor? hidden_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__thnn_differentiable_gru_cell_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *input_gates,
    const ctorch_tensor *hidden_gates,
    const ctorch_tensor *hx,
    const ctorch_tensor *input_bias,
    const ctorch_tensor *hidden_bias);

/** aten::_thnn_differentiable_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor input_gates, Tensor hidden_gates, Tensor? input_bias, Tensor? hidden_bias, Tensor cx, Tensor cy) -> (Tensor, Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__thnn_differentiable_lstm_cell_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    const ctorch_tensor *input_gates,
    const ctorch_tensor *hidden_gates,
    const ctorch_tensor *input_bias,
    const ctorch_tensor *hidden_bias,
    const ctorch_tensor *cx,
    const ctorch_tensor *cy);

/** aten::_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_gru_cell(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *input_gates,
    const ctorch_tensor *hidden_gates,
    const ctorch_tensor *hx,
    const ctorch_tensor *input_bias,
    const ctorch_tensor *hidden_bias);

/** aten::_thnn_fused_gru_cell_backward(Tensor grad_hy, Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_gru_cell_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *workspace,
    bool has_bias);

/** aten::_thnn_fused_gru_cell_backward.out(Tensor grad_hy, Tensor workspace, bool has_bias, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!)) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_gru_cell_backward_out(
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *workspace,
    bool has_bias,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2,
    ctorch_tensor *out3,
    ctorch_tensor *out4);

/** aten::_thnn_fused_gru_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_gru_cell_out(
    const ctorch_tensor *input_gates,
    const ctorch_tensor *hidden_gates,
    const ctorch_tensor *hx,
    const ctorch_tensor *input_bias,
    const ctorch_tensor *hidden_bias,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_lstm_cell(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *input_gates,
    const ctorch_tensor *hidden_gates,
    const ctorch_tensor *cx,
    const ctorch_tensor *input_bias,
    const ctorch_tensor *hidden_bias);

/** aten::_thnn_fused_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_lstm_cell_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    ctorch_tensor **out3,
    ctorch_tensor **out4,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    const ctorch_tensor *cx,
    const ctorch_tensor *cy,
    const ctorch_tensor *workspace,
    bool has_bias);

/** aten::_thnn_fused_lstm_cell_backward_impl(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_lstm_cell_backward_impl(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    const ctorch_tensor *cx,
    const ctorch_tensor *cy,
    const ctorch_tensor *workspace,
    bool has_bias);

/** aten::_thnn_fused_lstm_cell_backward_impl.out(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor workspace, bool has_bias, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_lstm_cell_backward_impl_out(
    const ctorch_tensor *grad_hy,
    const ctorch_tensor *grad_cy,
    const ctorch_tensor *cx,
    const ctorch_tensor *cy,
    const ctorch_tensor *workspace,
    bool has_bias,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::_thnn_fused_lstm_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__thnn_fused_lstm_cell_out(
    const ctorch_tensor *input_gates,
    const ctorch_tensor *hidden_gates,
    const ctorch_tensor *cx,
    const ctorch_tensor *input_bias,
    const ctorch_tensor *hidden_bias,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const ctorch_layout *layout,
    const ctorch_device *device,
    const bool *pin_memory,
    bool non_blocking,
    const ctorch_memory_format *memory_format);

/** aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_copy_out(
    const ctorch_tensor *self,
    bool non_blocking,
    const ctorch_memory_format *memory_format,
    ctorch_tensor *out);

/** aten::_to_cpu(Tensor[] tensors) -> Tensor[] */
CTORCH_API ctorch_error *ctorch_aten__to_cpu(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/** aten::_to_dense(Tensor self, ScalarType? dtype=None, bool? masked_grad=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_dense(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const bool *masked_grad);

/** aten::_to_dense.out(Tensor self, ScalarType? dtype=None, bool? masked_grad=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_dense_out(
    const ctorch_tensor *self,
    const ctorch_dtype *dtype,
    const bool *masked_grad,
    ctorch_tensor *out);

/** aten::_to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_sparse(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_layout *layout,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim);

/** aten::_to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_bsc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim);

/** aten::_to_sparse_bsc.out(Tensor self, int[2] blocksize, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_bsc_out(
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim,
    ctorch_tensor *out);

/** aten::_to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_bsr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim);

/** aten::_to_sparse_bsr.out(Tensor self, int[2] blocksize, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_bsr_out(
    const ctorch_tensor *self,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim,
    ctorch_tensor *out);

/** aten::_to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_csc(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dense_dim);

/** aten::_to_sparse_csc.out(Tensor self, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_csc_out(
    const ctorch_tensor *self,
    const int64_t *dense_dim,
    ctorch_tensor *out);

/** aten::_to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_csr(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *dense_dim);

/** aten::_to_sparse_csr.out(Tensor self, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_csr_out(
    const ctorch_tensor *self,
    const int64_t *dense_dim,
    ctorch_tensor *out);

/** aten::_to_sparse.out(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_out(
    const ctorch_tensor *self,
    const ctorch_layout *layout,
    const int64_t *blocksize,
    size_t blocksize_len,
    const int64_t *dense_dim,
    ctorch_tensor *out);

/** aten::_to_sparse_semi_structured(Tensor dense) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_semi_structured(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *dense);

/** aten::_to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_sparse_dim(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    int64_t sparse_dim);

/** aten::_to_sparse.sparse_dim_out(Tensor self, int sparse_dim, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__to_sparse_sparse_dim_out(
    const ctorch_tensor *self,
    int64_t sparse_dim,
    ctorch_tensor *out);

/** aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__transform_bias_rescale_qkv(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *qkv,
    const ctorch_tensor *qkv_bias,
    int64_t num_heads);

/** aten::_transform_bias_rescale_qkv.out(Tensor qkv, Tensor qkv_bias, int num_heads, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__transform_bias_rescale_qkv_out(
    const ctorch_tensor *qkv,
    const ctorch_tensor *qkv_bias,
    int64_t num_heads,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor
 * mask_type: ctorch_softmax_mask_type */
CTORCH_API ctorch_error *ctorch_aten__transformer_encoder_layer_fwd(
    ctorch_tensor **out,
    const ctorch_tensor *src,
    int64_t embed_dim,
    int64_t num_heads,
    const ctorch_tensor *qkv_weight,
    const ctorch_tensor *qkv_bias,
    const ctorch_tensor *proj_weight,
    const ctorch_tensor *proj_bias,
    bool use_gelu,
    bool norm_first,
    double eps,
    const ctorch_tensor *norm_weight_1,
    const ctorch_tensor *norm_bias_1,
    const ctorch_tensor *norm_weight_2,
    const ctorch_tensor *norm_bias_2,
    const ctorch_tensor *ffn_weight_1,
    const ctorch_tensor *ffn_bias_1,
    const ctorch_tensor *ffn_weight_2,
    const ctorch_tensor *ffn_bias_2,
    const ctorch_tensor *mask,
    const int64_t *mask_type);

/** aten::_transformer_encoder_layer_fwd.out(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)
 * mask_type: ctorch_softmax_mask_type */
CTORCH_API ctorch_error *ctorch_aten__transformer_encoder_layer_fwd_out(
    const ctorch_tensor *src,
    int64_t embed_dim,
    int64_t num_heads,
    const ctorch_tensor *qkv_weight,
    const ctorch_tensor *qkv_bias,
    const ctorch_tensor *proj_weight,
    const ctorch_tensor *proj_bias,
    bool use_gelu,
    bool norm_first,
    double eps,
    const ctorch_tensor *norm_weight_1,
    const ctorch_tensor *norm_bias_1,
    const ctorch_tensor *norm_weight_2,
    const ctorch_tensor *norm_bias_2,
    const ctorch_tensor *ffn_weight_1,
    const ctorch_tensor *ffn_bias_1,
    const ctorch_tensor *ffn_weight_2,
    const ctorch_tensor *ffn_bias_2,
    const ctorch_tensor *mask,
    const int64_t *mask_type,
    ctorch_tensor *out);

/** aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__trilinear(
    ctorch_tensor **out,
    const ctorch_tensor *i1,
    const ctorch_tensor *i2,
    const ctorch_tensor *i3,
    const int64_t *expand1,
    size_t expand1_len,
    const int64_t *expand2,
    size_t expand2_len,
    const int64_t *expand3,
    size_t expand3_len,
    const int64_t *sumdim,
    size_t sumdim_len,
    int64_t unroll_dim);

/** aten::_trilinear.out(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__trilinear_out(
    const ctorch_tensor *i1,
    const ctorch_tensor *i2,
    const ctorch_tensor *i3,
    const int64_t *expand1,
    size_t expand1_len,
    const int64_t *expand2,
    size_t expand2_len,
    const int64_t *expand3,
    size_t expand3_len,
    const int64_t *sumdim,
    size_t sumdim_len,
    int64_t unroll_dim,
    ctorch_tensor *out);

/** aten::_triton_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__triton_multi_head_attention(
    ctorch_tensor **out,
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    int64_t embed_dim,
    int64_t num_head,
    const ctorch_tensor *qkv_weight,
    const ctorch_tensor *qkv_bias,
    const ctorch_tensor *proj_weight,
    const ctorch_tensor *proj_bias,
    const ctorch_tensor *mask);

/** aten::_triton_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__triton_multi_head_attention_out(
    const ctorch_tensor *query,
    const ctorch_tensor *key,
    const ctorch_tensor *value,
    int64_t embed_dim,
    int64_t num_head,
    const ctorch_tensor *qkv_weight,
    const ctorch_tensor *qkv_bias,
    const ctorch_tensor *proj_weight,
    const ctorch_tensor *proj_bias,
    const ctorch_tensor *mask,
    ctorch_tensor *out);

/** aten::_triton_scaled_dot_attention(Tensor q, Tensor k, Tensor v, float dropout_p=0.0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__triton_scaled_dot_attention(
    ctorch_tensor **out,
    const ctorch_tensor *q,
    const ctorch_tensor *k,
    const ctorch_tensor *v,
    double dropout_p);

/** aten::_triton_scaled_dot_attention.out(Tensor q, Tensor k, Tensor v, float dropout_p=0.0, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__triton_scaled_dot_attention_out(
    const ctorch_tensor *q,
    const ctorch_tensor *k,
    const ctorch_tensor *v,
    double dropout_p,
    ctorch_tensor *out);

/** aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__unique(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *self,
    bool sorted,
    bool return_inverse);

/** aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__unique2(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    ctorch_tensor **out2,
    const ctorch_tensor *self,
    bool sorted,
    bool return_inverse,
    bool return_counts);

/** aten::_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!)) */
CTORCH_API ctorch_error *ctorch_aten__unique2_out(
    const ctorch_tensor *self,
    bool sorted,
    bool return_inverse,
    bool return_counts,
    ctorch_tensor *out0,
    ctorch_tensor *out1,
    ctorch_tensor *out2);

/** aten::_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__unique_out(
    const ctorch_tensor *self,
    bool sorted,
    bool return_inverse,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_unpack_dual(Tensor(a) dual, int level) -> (Tensor(a) primal, Tensor tangent) */
CTORCH_API ctorch_error *ctorch_aten__unpack_dual(
    ctorch_tensor **out_primal,
    ctorch_tensor **out_tangent,
    const ctorch_tensor *dual,
    int64_t level);

/** aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__unsafe_index_Tensor(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len);

/** aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__unsafe_index_put(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values,
    bool accumulate);

/** aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__unsafe_masked_index(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_scalar *fill);

/** aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__unsafe_masked_index_put_accumulate(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mask,
    const ctorch_tensor *const *indices,
    size_t indices_len,
    const ctorch_tensor *values);

/** aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__unsafe_view(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len);

/** aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__unsafe_view_out(
    const ctorch_tensor *self,
    const int64_t *size,
    size_t size_len,
    ctorch_tensor *out);

/** aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_bicubic2d_aa(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_bicubic2d_aa_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_bicubic2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_bicubic2d_aa_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::_upsample_bicubic2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_bicubic2d_aa_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_bicubic2d_aa_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_bilinear2d_aa(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_bilinear2d_aa_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_bilinear2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_bilinear2d_aa_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::_upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_bilinear2d_aa_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_bilinear2d_aa_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::_upsample_lanczos2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_lanczos2d_aa(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_lanczos2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_lanczos2d_aa_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_lanczos2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_lanczos2d_aa_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::_upsample_lanczos2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_lanczos2d_aa_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::_upsample_lanczos2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_lanczos2d_aa_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    bool align_corners,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact1d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales);

/** aten::_upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact1d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales);

/** aten::_upsample_nearest_exact1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact1d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales,
    ctorch_tensor *grad_input);

/** aten::_upsample_nearest_exact1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact1d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales,
    ctorch_tensor *out);

/** aten::_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact1d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact2d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact2d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_nearest_exact2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact2d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::_upsample_nearest_exact2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact2d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact2d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact3d(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact3d_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w);

/** aten::_upsample_nearest_exact3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact3d_backward_grad_input(
    const ctorch_tensor *grad_output,
    const int64_t *output_size,
    size_t output_size_len,
    const int64_t *input_size,
    size_t input_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *grad_input);

/** aten::_upsample_nearest_exact3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact3d_out(
    const ctorch_tensor *self,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scales_d,
    const double *scales_h,
    const double *scales_w,
    ctorch_tensor *out);

/** aten::_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__upsample_nearest_exact3d_vec(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *output_size,
    size_t output_size_len,
    const double *scale_factors,
    size_t scale_factors_len);

/** aten::_use_cudnn_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank) -> bool */
CTORCH_API ctorch_error *ctorch_aten__use_cudnn_ctc_loss(
    bool *out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    int64_t blank);

/** aten::_use_cudnn_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank) -> bool */
CTORCH_API ctorch_error *ctorch_aten__use_cudnn_ctc_loss_Tensor(
    bool *out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    int64_t blank);

/** aten::_use_cudnn_rnn_flatten_weight() -> bool */
CTORCH_API ctorch_error *ctorch_aten__use_cudnn_rnn_flatten_weight(
    bool *out);

/** aten::_use_miopen_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank) -> bool */
CTORCH_API ctorch_error *ctorch_aten__use_miopen_ctc_loss(
    bool *out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const int64_t *input_lengths,
    size_t input_lengths_len,
    const int64_t *target_lengths,
    size_t target_lengths_len,
    int64_t blank);

/** aten::_use_miopen_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank) -> bool */
CTORCH_API ctorch_error *ctorch_aten__use_miopen_ctc_loss_Tensor(
    bool *out,
    const ctorch_tensor *log_probs,
    const ctorch_tensor *targets,
    const ctorch_tensor *input_lengths,
    const ctorch_tensor *target_lengths,
    int64_t blank);

/** aten::_validate_compressed_sparse_indices(bool is_crow, Tensor compressed_idx, Tensor plain_idx, int cdim, int dim, int nnz) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_compressed_sparse_indices(
    bool is_crow,
    const ctorch_tensor *compressed_idx,
    const ctorch_tensor *plain_idx,
    int64_t cdim,
    int64_t dim,
    int64_t nnz);

/** aten::_validate_sparse_bsc_tensor_args(Tensor ccol_indices, Tensor row_indices, Tensor values, int[] size, bool? check_pinning=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_sparse_bsc_tensor_args(
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const bool *check_pinning);

/** aten::_validate_sparse_bsr_tensor_args(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, bool? check_pinning=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_sparse_bsr_tensor_args(
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const bool *check_pinning);

/** aten::_validate_sparse_compressed_tensor_args(Tensor compressed_indices, Tensor plain_indices, Tensor values, int[] size, Layout layout, bool? check_pinning=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_sparse_compressed_tensor_args(
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    ctorch_layout layout,
    const bool *check_pinning);

/** aten::_validate_sparse_coo_tensor_args(Tensor indices, Tensor values, int[] size, bool? is_coalesced=None, bool? check_pinning=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_sparse_coo_tensor_args(
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const bool *is_coalesced,
    const bool *check_pinning);

/** aten::_validate_sparse_csc_tensor_args(Tensor ccol_indices, Tensor row_indices, Tensor values, int[] size, bool? check_pinning=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_sparse_csc_tensor_args(
    const ctorch_tensor *ccol_indices,
    const ctorch_tensor *row_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const bool *check_pinning);

/** aten::_validate_sparse_csr_tensor_args(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size, bool? check_pinning=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__validate_sparse_csr_tensor_args(
    const ctorch_tensor *crow_indices,
    const ctorch_tensor *col_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const bool *check_pinning);

/** aten::_values(Tensor(a) self) -> Tensor(a) */
CTORCH_API ctorch_error *ctorch_aten__values(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_values_copy(Tensor self) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__values_copy(
    ctorch_tensor **out,
    const ctorch_tensor *self);

/** aten::_values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) */
CTORCH_API ctorch_error *ctorch_aten__values_copy_out(
    const ctorch_tensor *self,
    ctorch_tensor *out);

/** aten::_version(Tensor self) -> int */
CTORCH_API ctorch_error *ctorch_aten__version(
    int64_t *out,
    const ctorch_tensor *self);

/** aten::_weight_int4pack_mm(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__weight_int4pack_mm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    int64_t qGroupSize,
    const ctorch_tensor *qScaleAndZeros);

/** aten::_weight_int4pack_mm_for_cpu(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__weight_int4pack_mm_for_cpu(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    int64_t qGroupSize,
    const ctorch_tensor *qScaleAndZeros);

/** aten::_weight_int4pack_mm_with_scales_and_zeros(Tensor self, Tensor mat2, int qGroupSize, Tensor qScale, Tensor qZeros) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__weight_int4pack_mm_with_scales_and_zeros(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    int64_t qGroupSize,
    const ctorch_tensor *qScale,
    const ctorch_tensor *qZeros);

/** aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__weight_int8pack_mm(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const ctorch_tensor *mat2,
    const ctorch_tensor *scales);

/** aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__weight_norm(
    ctorch_tensor **out,
    const ctorch_tensor *v,
    const ctorch_tensor *g,
    int64_t dim);

/** aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__weight_norm_differentiable_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_w,
    const ctorch_tensor *saved_v,
    const ctorch_tensor *saved_g,
    const ctorch_tensor *saved_norms,
    int64_t dim);

/** aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__weight_norm_interface(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *v,
    const ctorch_tensor *g,
    int64_t dim);

/** aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor) */
CTORCH_API ctorch_error *ctorch_aten__weight_norm_interface_backward(
    ctorch_tensor **out0,
    ctorch_tensor **out1,
    const ctorch_tensor *grad_w,
    const ctorch_tensor *saved_v,
    const ctorch_tensor *saved_g,
    const ctorch_tensor *saved_norms,
    int64_t dim);

/** aten::_weight_norm_interface_backward.out(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__weight_norm_interface_backward_out(
    const ctorch_tensor *grad_w,
    const ctorch_tensor *saved_v,
    const ctorch_tensor *saved_g,
    const ctorch_tensor *saved_norms,
    int64_t dim,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_weight_norm_interface.out(Tensor v, Tensor g, int dim=0, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!)) */
CTORCH_API ctorch_error *ctorch_aten__weight_norm_interface_out(
    const ctorch_tensor *v,
    const ctorch_tensor *g,
    int64_t dim,
    ctorch_tensor *out0,
    ctorch_tensor *out1);

/** aten::_wrapped_linear_prepack(Tensor weight, Tensor weight_scale, Tensor weight_zero_point, Tensor bias) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__wrapped_linear_prepack(
    ctorch_tensor **out,
    const ctorch_tensor *weight,
    const ctorch_tensor *weight_scale,
    const ctorch_tensor *weight_zero_point,
    const ctorch_tensor *bias);

/** aten::_wrapped_quantized_linear_prepacked(Tensor input, Tensor input_scale, Tensor input_zero_point, Tensor packed_weight, Tensor output_scale, Tensor output_zero_point, int out_channel) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__wrapped_quantized_linear_prepacked(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *input_scale,
    const ctorch_tensor *input_zero_point,
    const ctorch_tensor *packed_weight,
    const ctorch_tensor *output_scale,
    const ctorch_tensor *output_zero_point,
    int64_t out_channel);

CTORCH_END_DECLS

#endif
