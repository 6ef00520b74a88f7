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

/** aten::_cdist_backward(Tensor grad_output, Tensor first, Tensor second, float p, Tensor cdist) -> Tensor */
CTORCH_API ctorch_error *ctorch_aten__cdist_backward(
    ctorch_tensor **out,
    const ctorch_tensor *grad_output,
    const ctorch_tensor *first,
    const ctorch_tensor *second,
    double p,
    const ctorch_tensor *cdist);

/** aten::_cslt_sparse_mm(Tensor compressed_A, Tensor dense_B, Tensor? bias=None, Tensor? alpha=None, ScalarType? out_dtype=None, bool transpose_result=False, int alg_id=0, int split_k=1, bool split_k_one_kernel=True) -> Tensor */
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
    bool split_k_one_kernel);

/** aten::_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar, *, int[]? only=None) -> () */
CTORCH_API ctorch_error *ctorch_aten__foreach_add__Scalar(
    ctorch_tensor *const *self,
    size_t self_len,
    const ctorch_scalar *scalar,
    const int64_t *only,
    size_t only_len);

CTORCH_END_DECLS

#endif
