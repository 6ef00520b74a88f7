// The devices that LibTorch can autocast on.
#pragma once

#include <ATen/core/Tensor.h>

namespace ctorch {

/// In LibTorch's order.
at::ArrayRef<at::DeviceType> autocast_devices();

}  // namespace ctorch
