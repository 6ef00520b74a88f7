// Tensors that are Python's `torch.nn.Parameter`.
#pragma once

#include <ATen/core/Tensor.h>

namespace ctorch {

/// The class's module and name.
constexpr const char PARAMETER_MODULE[] = "torch.nn.parameter", PARAMETER_NAME[] = "Parameter";

void set_parameter(const at::Tensor &tensor);
bool is_parameter(const at::TensorImpl &tensor);

}  // namespace ctorch
