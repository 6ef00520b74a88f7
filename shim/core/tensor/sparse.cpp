// sparse.h: making sparse tensors of their parts.
#include "ctorch/tensor/sparse.h"

#include <ATen/DeviceGuard.h>
#include <ATen/ops/sparse_compressed_tensor_ops.h>
#include <ATen/ops/sparse_coo_tensor_ops.h>
#include <ATen/ops/to_ops.h>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/text_stream.hpp"
#include "core/abi/to.hpp"
#include "core/torch/sparse.hpp"

using namespace ctorch;

namespace {

at::Tensor converted(const at::Tensor &tensor, at::ScalarType dtype, at::Device device) {
  return at::_ops::to_device::call(tensor, device, dtype, false, false, std::nullopt);
}

/// Where there are no elements, there is nothing to check.
bool has_data(const at::Tensor &indices) { return !indices.is_meta(); }

/// PyTorch's check lets blocks without elements pass, and its operators then divide by their size.
void check_blocks(const at::Tensor &compressed_indices, const at::Tensor &values, at::Layout layout) {
  if (layout != at::kSparseBsr && layout != at::kSparseBsc) {
    return;
  }
  const int64_t first = compressed_indices.dim();  // after the batches and nnz
  if (values.size(first) == 0 || values.size(first + 1) == 0) {
    fail_argument("values", "blocks of " + make_text(values.sizes().slice(first, 2)) + " have no elements");
  }
}

}  // namespace

ctorch_error *ctorch_tensor_sparse_coo(
    ctorch_tensor **out,
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_device *device,
    const bool *is_coalesced) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &index = from::tensor(indices, "indices");
    const at::Tensor &value = from::tensor(values, "values");
    const at::IntArrayRef shape = from::ints(size, size_len, "size");
    const at::ScalarType type = from::optional_dtype_or(dtype, "dtype", value.scalar_type()).value();
    const at::Device place = from::optional_device(device, "device").value_or(value.device());
    const std::optional<bool> coalesced = from::optional(is_coalesced);
    TORCH_CHECK_TYPE(
        at::isIntegralType(index.scalar_type(), /*includeBool=*/false), "indices must be integers, but got ",
        index.scalar_type());
    const at::OptionalDeviceGuard guard(place);
    const at::Tensor i = converted(index, at::kLong, place), v = converted(value, type, place);
    const auto check = [&](at::IntArrayRef sizes) {
      if (has_data(i)) {
        libtorch::validate_sparse_coo(i, v, sizes, coalesced);
      }
    };
    at::Tensor result;
    if (size == nullptr) {
      result = at::_ops::sparse_coo_tensor_indices::call(i, v, type, at::kSparse, place, false, coalesced);
      check(result.sizes());
    } else {
      check(shape);
      result = at::_ops::sparse_coo_tensor_indices_size::call(i, v, shape, type, at::kSparse, place, false, coalesced);
    }
    to::give(std::move(result), out);
  });
}

ctorch_error *ctorch_tensor_sparse_compressed(
    ctorch_tensor **out,
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    ctorch_layout layout,
    const ctorch_dtype *dtype,
    const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &compressed = from::tensor(compressed_indices, "compressed_indices");
    const at::Tensor &plain = from::tensor(plain_indices, "plain_indices");
    const at::Tensor &value = from::tensor(values, "values");
    const c10::SymIntArrayRef shape = from::symints(size, size_len, "size");
    const at::Layout format = from::layout(layout, "layout");
    const at::ScalarType type = from::optional_dtype_or(dtype, "dtype", value.scalar_type()).value();
    const at::Device place = from::optional_device(device, "device").value_or(value.device());
    const at::OptionalDeviceGuard guard(place);
    const at::Tensor c = converted(compressed, compressed.scalar_type(), place);
    const at::Tensor p = converted(plain, plain.scalar_type(), place);
    const at::Tensor v = converted(value, type, place);
    const auto check = [&](at::IntArrayRef sizes) {
      if (has_data(c)) {
        libtorch::validate_sparse_compressed(c, p, v, sizes, format);
      }
      check_blocks(c, v, format);
    };
    at::Tensor result;
    if (size == nullptr) {
      result = at::_ops::sparse_compressed_tensor_comp_plain_value::call(c, p, v, type, format, place, false);
      check(result.sizes());
    } else {
      check(from::ints(size, size_len, "size"));
      result =
          at::_ops::sparse_compressed_tensor_comp_plain_value_size::call(c, p, v, shape, type, format, place, false);
    }
    to::give(std::move(result), out);
  });
}
