// The devices that LibTorch can autocast on. For abi/autocast_devices.cpp, which alone pays for the header.
#pragma once

#include <ATen/autocast_mode.h>

#include <array>

#include "core/torch/fail.hpp"
#include "core/torch/version.hpp"

namespace ctorch::libtorch {

#if TORCH_VERSION_AT_LEAST(2, 7)

inline const auto &autocast_devices() { return at::autocast::_AUTOCAST_SUPPORTED_DEVICES; }

#else

/// LibTorch has no list of them yet; those for which it has a dispatch key.
inline const std::array<at::DeviceType, 8> &autocast_devices() {
  static const std::array<at::DeviceType, 8> devices = {at::kCPU, at::kCUDA, at::kXPU, at::kIPU,
                                                        at::kHPU, at::kXLA,  at::kMPS, at::kPrivateUse1};
  return devices;
}

#endif

}  // namespace ctorch::libtorch
