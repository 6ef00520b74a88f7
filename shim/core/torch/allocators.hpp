// LibTorch's interface for the caching allocators of all devices, which is complete since 2.12.
#pragma once

#include <c10/core/Device.h>

#include <string>

#include "core/torch/fail.hpp"
#include "core/torch/version.hpp"

#if TORCH_VERSION_AT_LEAST(2, 12)
#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/AllocatorConfig.h>
#include <c10/core/CachingDeviceAllocator.h>
#endif

namespace ctorch::libtorch {

// `use` is called with the allocator, whose class it takes as `auto`: an older LibTorch never sees what is done with
// it.

#if TORCH_VERSION_AT_LEAST(2, 12)

template <class Use>
void with_device_allocator(at::Device device, const Use &use) {
  auto *allocator = device.is_cpu() ? nullptr : dynamic_cast<c10::DeviceAllocator *>(c10::GetAllocator(device.type()));
  if (allocator == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, device.str() + " has no caching allocator that LibTorch knows of");
  }
  use(*allocator);
}

template <class Use>
void with_host_allocator(at::Device device, const Use &use) {
  auto *allocator = device.is_cpu() ? nullptr : at::getHostAllocator(device.type());
  if (allocator == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, device.str() + " has no allocator of pinned memory that LibTorch knows of");
  }
  use(*allocator);
}

inline void set_allocator_settings(const std::string &settings) {
  c10::CachingAllocator::setAllocatorSettings(settings);
}

inline std::string allocator_settings() { return c10::CachingAllocator::getAllocatorSettings(); }

#else

[[noreturn]] inline void fail_without_allocators() {
  fail_older("the interface for the allocators of all devices", "2.12");
}

template <class Use>
[[noreturn]] void with_device_allocator(at::Device, const Use &) {
  fail_without_allocators();
}

template <class Use>
[[noreturn]] void with_host_allocator(at::Device, const Use &) {
  fail_without_allocators();
}

[[noreturn]] inline void set_allocator_settings(const std::string &) { fail_without_allocators(); }

[[noreturn]] inline std::string allocator_settings() { fail_without_allocators(); }

#endif

}  // namespace ctorch::libtorch
