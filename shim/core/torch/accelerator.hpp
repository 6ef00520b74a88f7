// Accelerators and their streams, as far as LibTorch's interface for all of them goes.
#pragma once

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/ops/is_vulkan_available_ops.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/torch/fail.hpp"
#include "core/torch/version.hpp"

namespace ctorch::libtorch {

#if TORCH_VERSION_AT_LEAST(2, 7)

inline bool is_accelerator(at::DeviceType type) { return at::accelerator::isAccelerator(type); }
inline at::DeviceType accelerator_type() { return at::getAccelerator().value_or(at::kCPU); }
inline int accelerator_count() { return at::accelerator::deviceCount(); }
inline void synchronize_accelerator() { at::accelerator::synchronizeDevice(at::accelerator::getDeviceIndex()); }
inline bool is_built(at::DeviceType type) { return at::globalContext().getAcceleratorHooksInterface(type).isBuilt(); }

#else

inline bool is_accelerator(at::DeviceType type) { return at::isAccelerator(type); }

inline int accelerator_count() {
  const auto type = at::getAccelerator();
  return type && c10::impl::hasDeviceGuardImpl(*type) ? c10::impl::getDeviceGuardImpl(*type)->deviceCount() : 0;
}

inline void synchronize_accelerator() {
  if (accelerator_count() > 0) {
    const c10::impl::VirtualGuardImpl guard(at::getAccelerator().value());
    guard.getStream(guard.getDevice()).synchronize();
  }
}

/// A device guard is registered by the library of the device.
inline bool is_built(at::DeviceType type) { return c10::impl::hasDeviceGuardImpl(type); }

/// That of LibTorch is one of which a device is there.
inline at::DeviceType accelerator_type() {
  for (auto type : {at::kCUDA, at::kHIP, at::kXPU, at::kMTIA, at::kMPS, at::kPrivateUse1}) {
    if (is_built(type)) {
      return type;
    }
  }
  return at::kCPU;
}

#endif

/// Vulkan, which is not among LibTorch's accelerators.
inline bool has_vulkan() { return c10::impl::hasDeviceGuardImpl(at::kVulkan); }

/// A LibTorch that was built for Vulkan, as Debian's is, looks for no driver before it uses one, and crashes.
inline bool lacks_driver(at::DeviceType type) {
  return type == at::kVulkan && has_vulkan() && !at::_ops::is_vulkan_available::call();
}

inline void *native_handle([[maybe_unused]] const c10::Stream &stream) {
#if TORCH_VERSION_AT_LEAST(2, 11)
  return stream.native_handle();
#else
  fail_older("the native handle of a stream", "2.11");
#endif
}

inline bool is_capturing([[maybe_unused]] const c10::Stream &stream) {
  if (stream.device().is_cpu()) {
    return false;
  }
#if TORCH_VERSION_AT_LEAST(2, 12)
  return stream.is_capturing();
#else
  fail_older("telling whether a stream is capturing", "2.12");
#endif
}

inline bool supports_dtype([[maybe_unused]] at::Device device, [[maybe_unused]] at::ScalarType dtype) {
#if TORCH_VERSION_AT_LEAST(2, 11)
  bool supported = false;
  c10::impl::getDeviceGuardImpl(device.type())
      ->getDeviceCapability(device)
      .forEachSupportedScalarType([&](at::ScalarType each) { supported |= each == dtype; });
  return supported;
#else
  fail_older("telling which dtypes a device supports", "2.11");
#endif
}

}  // namespace ctorch::libtorch
