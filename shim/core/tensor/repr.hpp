// The text form of a tensor, as Python's repr prints it.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

namespace ctorch {

/// The options of torch.set_printoptions.
struct PrintOptions {
  int64_t threshold = 1000;
  int64_t edge_items = 3;
  int64_t precision = 4;
  int64_t line_width = 80;
  std::optional<bool> sci_mode;
};

/// `self` is defined.
std::string tensor_repr(const at::Tensor &self, const PrintOptions &options);

}  // namespace ctorch
