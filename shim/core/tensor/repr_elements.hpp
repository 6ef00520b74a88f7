// The elements of a dense tensor as text: internal to repr.cpp.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/tensor/repr.hpp"

namespace ctorch::repr {

/// The bracketed elements of `self`, a dense tensor with memory on any device. `indent` is the column of the first
/// bracket. Conjugate and negative views are read as the values that they stand for.
std::string elements(const at::Tensor &self, int64_t indent, const PrintOptions &options);

/// The only element of `self`, a 0-dimensional tensor, as Python's str prints the number `self.item()`.
std::string number(const at::Tensor &self);

/// As Python's repr of a float: the fewest digits that read back as `value`.
std::string shortest(double value);

}  // namespace ctorch::repr
