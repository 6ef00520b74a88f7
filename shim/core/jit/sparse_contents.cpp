// The sparse tensors in what a file of TorchScript holds.
#include "core/jit/sparse_contents.hpp"

#include <ATen/core/ivalue.h>
#include <ATen/ops/_indices_ops.h>
#include <ATen/ops/_values_ops.h>
#include <ATen/ops/ccol_indices_ops.h>
#include <ATen/ops/col_indices_ops.h>
#include <ATen/ops/crow_indices_ops.h>
#include <ATen/ops/row_indices_ops.h>
#include <ATen/ops/values_ops.h>

#include "core/abi/error.hpp"
#include "core/torch/sparse.hpp"

namespace ctorch::jit {
namespace {

void check_tensor(const at::Tensor &tensor) try {
  if (!tensor.defined() || tensor.is_meta()) {
    return;
  }
  const at::Layout layout = tensor.layout();
  if (layout == at::kSparse) {
    const at::Tensor indices = at::_ops::_indices::call(tensor), values = at::_ops::_values::call(tensor);
    libtorch::validate_sparse_coo(indices, values, tensor.sizes(), tensor.is_coalesced());
  } else if (layout == at::kSparseCsr || layout == at::kSparseBsr) {
    const at::Tensor rows = at::_ops::crow_indices::call(tensor), columns = at::_ops::col_indices::call(tensor);
    libtorch::validate_sparse_compressed(rows, columns, at::_ops::values::call(tensor), tensor.sizes(), layout);
  } else if (layout == at::kSparseCsc || layout == at::kSparseBsc) {
    const at::Tensor columns = at::_ops::ccol_indices::call(tensor), rows = at::_ops::row_indices::call(tensor);
    libtorch::validate_sparse_compressed(columns, rows, at::_ops::values::call(tensor), tensor.sizes(), layout);
  }
} catch (const c10::Error &error) {
  fail(CTORCH_ERROR_FORMAT, std::string("data: a sparse tensor in it is damaged: ") + error.what_without_backtrace());
}

}  // namespace

void check_sparse_contents(const torch::jit::Module &module) {
  c10::IValue::HashAliasedIValues seen;
  c10::IValue(module._ivalue()).visit([&seen](const c10::IValue &part) {
    if (part.isTensor()) {
      check_tensor(part.toTensor());
      return true;
    }
    return part.isPtrType() && !seen.insert(part).second;  // what was visited may hold itself
  });
}

}  // namespace ctorch::jit
