// Jacobians: derivatives in every direction of a standard basis, many at once by vmap.
//
// All tensors on the side of the basis count as one long vector. Its basis is cut into a block of columns for each
// tensor, so that row k holds one 1 in the block of one tensor, and the product with row k is a derivative by or of one
// element.
#include <ATen/core/IListRef.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/cat_ops.h>
#include <ATen/ops/diagonal_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/movedim_ops.h>
#include <ATen/ops/new_zeros_ops.h>
#include <ATen/ops/select_ops.h>
#include <ATen/ops/split_with_sizes_ops.h>
#include <ATen/ops/squeeze_ops.h>
#include <ATen/ops/unflatten_ops.h>
#include <ATen/ops/unsqueeze_ops.h>
#include <ATen/ops/view_ops.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "core/abi/error.hpp"
#include "core/func/func_layers.hpp"

namespace ctorch::func {
namespace {

using Sizes = std::vector<c10::SymInt>;

void check_real(const Tensors &tensors, const char *transform, const char *what) {
  for (size_t i = 0; i < tensors.size(); i++) {
    if (tensors[i].defined() && tensors[i].is_complex()) {
      fail(
          CTORCH_ERROR_RUNTIME,
          std::string(transform) + ": Expected all " + what +
              " to be real but received complex tensor at flattened input idx: " + std::to_string(i));
    }
  }
}

void check_chunk_size(const std::optional<int64_t> &chunk_size, const char *transform) {
  if (chunk_size && *chunk_size <= 0) {
    fail(CTORCH_ERROR_VALUE, std::string(transform) + ": chunk_size should be greater than 0");
  }
}

Sizes numels(const Tensors &tensors) {
  Sizes result;
  for (const at::Tensor &tensor : tensors) {
    result.emplace_back(tensor.numel());
  }
  return result;
}

int64_t total(const Tensors &tensors) {
  int64_t result = 0;
  for (const at::Tensor &tensor : tensors) {
    result += tensor.numel();
  }
  return result;
}

Sizes concatenate(c10::SymIntArrayRef first, c10::SymIntArrayRef second) {
  Sizes result = first.vec();
  result.insert(result.end(), second.begin(), second.end());
  return result;
}

/// Rows of the standard basis, each block in the shape of its tensor.
Tensors basis_rows(const Tensors &tensors, int64_t first, int64_t rows) {
  Tensors blocks;
  int64_t column = 0;
  for (const at::Tensor &tensor : tensors) {
    const at::Tensor block = at::_ops::new_zeros::call(
        tensor, Sizes{rows, tensor.numel()}, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
    at::Tensor ones = at::_ops::diagonal::call(block, first - column, 0, 1);
    at::_ops::fill__Scalar::call(ones, 1);
    blocks.push_back(at::_ops::view::call(block, concatenate(Sizes{rows}, tensor.sym_sizes())));
    column += tensor.numel();
  }
  return blocks;
}

/// Apply a linear function to every row of the basis of `tensors`: each of its outputs gets the rows as dimension 0.
/// With chunks of one row it is called on each as it is, without the limits of vmap.
Tensors apply_to_basis(
    const Function &linear, const Tensors &tensors, Randomness randomness, std::optional<int64_t> chunk_size) {
  const int64_t rows = total(tensors);
  const bool row_by_row = chunk_size.value_or(0) == 1 && rows != 0;
  const int64_t chunk = std::min(chunk_size.value_or(rows), rows);
  std::vector<Tensors> chunks;  // of each output
  int64_t first = 0;
  do {
    const int64_t length = std::min(chunk, rows - first);
    Tensors basis = basis_rows(tensors, first, length);
    Tensors outputs;
    if (row_by_row) {
      for (at::Tensor &row : basis) {
        row = at::_ops::squeeze_dim::call(row, 0);
      }
      for (const at::Tensor &output : linear(basis)) {
        outputs.push_back(at::_ops::unsqueeze::call(output, 0));
      }
    } else {
      outputs = vmap(linear, basis, {std::nullopt, std::nullopt, randomness, std::nullopt});
    }
    chunks.resize(outputs.size());
    for (size_t i = 0; i < outputs.size(); i++) {
      chunks[i].push_back(std::move(outputs[i]));
    }
    first += length;
  } while (first < rows);
  Tensors outputs;
  for (Tensors &pieces : chunks) {
    outputs.push_back(pieces.size() == 1 ? std::move(pieces[0]) : at::_ops::cat::call(pieces, 0));
    pieces.clear();
  }
  return outputs;
}

}  // namespace

Jacobian jacrev(
    const Function &function,
    const Tensors &inputs,
    const Argnums &argnums,
    size_t aux_count,
    std::optional<int64_t> chunk_size) {
  check_chunk_size(chunk_size, "jacrev");
  check_real(inputs, "jacrev", "inputs");
  const Vjp at_inputs = vjp(function, inputs, argnums, aux_count);
  const Tensors &outputs = at_inputs.outputs;
  check_real(outputs, "jacrev", "outputs");
  const Tensors differentiated = select(inputs, check_argnums(argnums, inputs.size()));
  const Function rows = [&](const Tensors &cotangents) {
    return vjp_call(at_inputs.graph, cotangents, /*retain_graph=*/true, c10::GradMode::is_enabled());
  };
  const Tensors by_input = apply_to_basis(rows, outputs, Randomness::Error, chunk_size);
  Jacobian jacobian{Tensors(outputs.size() * differentiated.size()), at_inputs.aux};
  for (size_t j = 0; j < differentiated.size(); j++) {
    const Tensors blocks = at::_ops::split_with_sizes::call(by_input[j], numels(outputs), 0);
    for (size_t i = 0; i < outputs.size(); i++) {
      jacobian.blocks[i * differentiated.size() + j] =
          at::_ops::view::call(blocks[i], concatenate(outputs[i].sym_sizes(), differentiated[j].sym_sizes()));
    }
  }
  return jacobian;
}

Jacobian jacfwd(
    const Function &function,
    const Tensors &inputs,
    const Argnums &argnums,
    size_t aux_count,
    Randomness randomness,
    std::optional<int64_t> chunk_size) {
  check_chunk_size(chunk_size, "jacfwd");
  check_real(inputs, "jacfwd", "inputs");
  const Argnums checked = check_argnums(argnums, inputs.size());
  const Tensors differentiated = select(inputs, checked);
  for (const at::Tensor &tensor : differentiated) {
    if (!tensor.defined()) {
      fail(CTORCH_ERROR_VALUE, "an input that is NULL cannot be differentiated by");
    }
  }
  const Function columns = [&](const Tensors &tangents) {
    Jvp result = jvp(function, inputs, tangents, checked, aux_count, /*strict=*/false);
    check_real(result.outputs, "jacfwd", "outputs");
    result.tangents.insert(result.tangents.end(), result.aux.begin(), result.aux.end());
    return result.tangents;
  };
  Tensors by_output = apply_to_basis(columns, differentiated, randomness, chunk_size);
  Jacobian jacobian;
  // Every column computes them anew; one is as good as the other.
  for (const at::Tensor &aux : take_aux(by_output, aux_count)) {
    jacobian.aux.push_back(at::_ops::select_int::call(aux, 0, 0));
  }
  for (const at::Tensor &stacked : by_output) {
    const at::Tensor last = at::_ops::movedim_int::call(stacked, 0, -1);
    const Tensors blocks = at::_ops::split_with_sizes::call(last, numels(differentiated), -1);
    for (size_t j = 0; j < blocks.size(); j++) {
      jacobian.blocks.push_back(
          differentiated[j].dim() == 0 ? at::_ops::squeeze_dim::call(blocks[j], -1)
                                       : at::_ops::unflatten_int::call(blocks[j], -1, differentiated[j].sym_sizes()));
    }
  }
  return jacobian;
}

Tensors hessian(const Function &function, const Tensors &inputs, const Argnums &argnums) {
  const Function first = [&](const Tensors &wrapped) {
    return jacrev(function, wrapped, argnums, 0, std::nullopt).blocks;
  };
  return jacfwd(first, inputs, argnums, 0, Randomness::Error, std::nullopt).blocks;
}

}  // namespace ctorch::func
