// The elements of tensors of every layout that gradient checks change one by one.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_convert_indices_from_csr_to_coo_ops.h>
#include <ATen/ops/ones_ops.h>
#include <ATen/ops/sparse_coo_tensor_ops.h>
#include <ATen/ops/zeros_ops.h>

#include "core/abi/error.hpp"
#include "core/autograd/gradcheck.hpp"

namespace ctorch::gradcheck {
namespace {

at::Tensor zeros(at::IntArrayRef sizes, at::ScalarType dtype, at::Device device) {
  return at::_ops::zeros::call(c10::fromIntArrayRefSlow(sizes), dtype, {}, device, {});
}

at::Tensor coo_indices(const at::Tensor &compressed, const at::Tensor &plain, bool transpose) {
  return at::_ops::_convert_indices_from_csr_to_coo::call(compressed, plain, /*out_int32=*/false, transpose);
}

/// Where the values of a sparse tensor are, one row of indices each, and the values, one row each.
struct Specified {
  at::Tensor indices;
  at::Tensor values;
};

Specified specified(const at::Tensor &tensor) {
  const auto layout = tensor.layout();
  if (layout == at::kSparse) {
    return {tensor._indices().t(), tensor._values()};
  }
  const bool by_row = layout == at::kSparseCsr || layout == at::kSparseBsr;
  const at::Tensor indices = by_row ? coo_indices(tensor.crow_indices(), tensor.col_indices(), false)
                                    : coo_indices(tensor.ccol_indices(), tensor.row_indices(), true);
  at::Tensor values = tensor.values();
  if (layout == at::kSparseCsr || layout == at::kSparseCsc) {
    return {indices.t(), values};
  }
  // Blocks: each index stands for a block of elements.
  const int64_t rows = values.size(1), columns = values.size(2), blocks = values.size(0);
  const at::Tensor block_size = at::_ops::ones::call({2, 1}, at::kLong, {}, tensor.device(), {});
  block_size.select(0, 0).fill_(rows);
  block_size.select(0, 1).fill_(columns);
  const at::Tensor within = at::_ops::ones::call({rows, columns}, at::kByte, {}, tensor.device(), {}).nonzero().t();
  return {
      indices.repeat_interleave(rows * columns, 1).mul(block_size).add(within.repeat({1, blocks})).t(),
      values.flatten(0, 2)};
}

void for_each_specified(
    const at::Tensor &tensor,
    const std::function<void(const at::Tensor &whole, const at::Tensor &element, int64_t position)> &visit) {
  const auto [index_rows, shared] = specified(tensor);
  const at::Tensor indices = index_rows.to(at::kCPU, at::kLong).contiguous();
  const at::Tensor values = shared.variable_data();  // of the same memory, without a version to check
  const auto sizes = tensor.sizes();
  const int64_t sparse_dims = indices.size(1);
  int64_t elements_per_value = 1;
  for (int64_t dim = sparse_dims; dim < tensor.dim(); dim++) {
    elements_per_value *= sizes[dim];
  }
  for (int64_t row = 0; row < values.size(0); row++) {
    int64_t position = 0;
    for (int64_t dim = 0; dim < sparse_dims; dim++) {
      position = position * sizes[dim] + indices.const_data_ptr<int64_t>()[row * sparse_dims + dim];
    }
    const at::Tensor value = values.select(0, row);
    for (int64_t i = 0; i < elements_per_value; i++) {
      visit({}, element_at(value, i), position * elements_per_value + i);
    }
  }
}

at::Tensor densify_coo(const at::Tensor &tensor) {
  const auto sparse_sizes = tensor.sizes().slice(0, tensor.sparse_dim());
  const at::Tensor everywhere =
      at::_ops::ones::call(c10::fromIntArrayRefSlow(sparse_sizes), at::kChar, {}, tensor.device(), {});
  const at::Tensor indices = everywhere.nonzero().t();
  std::vector<int64_t> value_sizes = {everywhere.numel()};
  for (const int64_t size : tensor.sizes().slice(tensor.sparse_dim())) {
    value_sizes.push_back(size);
  }
  const at::Tensor values = zeros(value_sizes, tensor.scalar_type(), tensor.device());
  const at::Tensor coalesced = tensor.detach().coalesce();
  if (coalesced.numel() > 0) {
    const at::Tensor strides = zeros({everywhere.dim()}, at::kLong, at::kCPU);
    for (int64_t dim = 0; dim < everywhere.dim(); dim++) {
      strides.select(0, dim).fill_(everywhere.stride(dim));
    }
    const at::Tensor positions = coalesced.indices().mul(strides.to(tensor.device()).unsqueeze(1)).sum(0);
    values.index_copy_(0, positions, coalesced.values());
  }
  return at::_ops::sparse_coo_tensor_indices_size::call(
             indices, values, tensor.sizes(), tensor.scalar_type(), {}, tensor.device(), {}, {})
      ._coalesced_(true)
      .set_requires_grad(tensor.requires_grad());
}

at::Tensor densify_compressed(const at::Tensor &tensor) {
  at::OptionalIntArrayRef block_size;
  int64_t block[2];
  if (tensor.layout() == at::kSparseBsr || tensor.layout() == at::kSparseBsc) {
    block[0] = tensor.values().size(1);
    block[1] = tensor.values().size(2);
    block_size = block;
  }
  const at::Tensor result = densify(tensor.detach().to_sparse(at::kSparse)).to_sparse(tensor.layout(), block_size);
  const int64_t dense_numel = result.values().numel() / std::max<int64_t>(1, result.values().size(0));
  const bool by_row = tensor.layout() == at::kSparseCsr || tensor.layout() == at::kSparseBsr;
  const at::Tensor compressed = by_row ? tensor.crow_indices() : tensor.ccol_indices();
  const int64_t batch_numel = compressed.numel() / compressed.size(-1);
  const int64_t expected = result.numel() / std::max<int64_t>(1, dense_numel * batch_numel);
  if (expected != result._nnz()) {
    fail(
        CTORCH_ERROR_RUNTIME, "a sparse tensor could not be filled: expected nnz=" + std::to_string(expected) +
                                  " but got " + std::to_string(result._nnz()));
  }
  return result.set_requires_grad(tensor.requires_grad());
}

}  // namespace

bool is_continuous(const at::Tensor &tensor) {
  return c10::isFloatingType(tensor.scalar_type()) || c10::isComplexType(tensor.scalar_type());
}

bool is_sparse_compressed(const at::Tensor &tensor) {
  const auto layout = tensor.layout();
  return layout == at::kSparseCsr || layout == at::kSparseCsc || layout == at::kSparseBsr || layout == at::kSparseBsc;
}

bool is_sparse(const at::Tensor &tensor) { return is_sparse_compressed(tensor) || tensor.layout() == at::kSparse; }

Tensors that_require_grad(const Tensors &tensors) {
  Tensors result;
  for (const at::Tensor &tensor : tensors) {
    if (tensor.requires_grad()) {
      result.push_back(tensor);
    }
  }
  return result;
}

at::Tensor element_at(const at::Tensor &tensor, int64_t position) {
  at::Tensor element = tensor;
  for (int64_t dim = tensor.dim() - 1; dim >= 0; dim--) {
    element = element.select(dim, position % tensor.size(dim));
    position /= tensor.size(dim);
  }
  return element;
}

void for_each_element(
    const at::Tensor &tensor,
    const std::function<void(const at::Tensor &whole, const at::Tensor &element, int64_t position)> &visit) {
  if (is_sparse(tensor)) {
    for_each_specified(tensor, visit);
    return;
  }
  const bool mkldnn = tensor.layout() == at::kMkldnn;
  const at::Tensor shared = mkldnn ? at::Tensor() : tensor.variable_data();
  for (int64_t position = 0; position < tensor.numel(); position++) {
    const at::Tensor dense = mkldnn ? tensor.detach().to_dense() : shared;
    visit(mkldnn ? dense : at::Tensor(), element_at(dense, position), position);
  }
}

at::Tensor densify(const at::Tensor &tensor) {
  if (tensor.layout() == at::kSparse) {
    return densify_coo(tensor);
  }
  return is_sparse_compressed(tensor) ? densify_compressed(tensor) : tensor;
}

}  // namespace ctorch::gradcheck
