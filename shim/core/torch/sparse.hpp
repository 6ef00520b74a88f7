// The checks of sparse tensors, which know pinned memory since LibTorch 2.8.
#pragma once

#include <ATen/core/Tensor.h>

#include <ATen/ops/_validate_sparse_compressed_tensor_args_ops.h>
#include <ATen/ops/_validate_sparse_coo_tensor_args_ops.h>

#include "core/torch/version.hpp"

namespace ctorch::libtorch {

inline void validate_sparse_coo(
    const at::Tensor &indices, const at::Tensor &values, at::IntArrayRef sizes, std::optional<bool> is_coalesced) {
#if TORCH_VERSION_AT_LEAST(2, 8)
  at::_ops::_validate_sparse_coo_tensor_args::call(
      indices, values, sizes, is_coalesced, /*check_pinning=*/std::nullopt);
#else
  at::_ops::_validate_sparse_coo_tensor_args::call(indices, values, sizes, is_coalesced);
#endif
}

inline void validate_sparse_compressed(
    const at::Tensor &compressed,
    const at::Tensor &plain,
    const at::Tensor &values,
    at::IntArrayRef sizes,
    at::Layout layout) {
#if TORCH_VERSION_AT_LEAST(2, 8)
  at::_ops::_validate_sparse_compressed_tensor_args::call(
      compressed, plain, values, sizes, layout, /*check_pinning=*/std::nullopt);
#else
  at::_ops::_validate_sparse_compressed_tensor_args::call(compressed, plain, values, sizes, layout);
#endif
}

}  // namespace ctorch::libtorch
