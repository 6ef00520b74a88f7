// device.h: which devices there are, their properties, and the current one.
#include "ctorch/device/device.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/machine.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"
#include "core/device/cuda_driver.hpp"
#include "core/device/device.hpp"
#include "core/torch/accelerator.hpp"

namespace ctorch {

namespace {

bool is_known(ctorch_device_type type) { return type >= 0 && type < at::COMPILE_TIME_MAX_DEVICE_TYPES; }

struct PushedDevices final : PerThread {
  std::vector<at::Device> devices;
};

void take_back_device(uintptr_t) noexcept;

const ModeKind current_device = {"device", take_back_device, true};

/// The runtime of a device type; RUNTIME by LibTorch if it has none.
c10::impl::VirtualGuardImpl runtime_of(at::DeviceType type) { return c10::impl::VirtualGuardImpl(type); }

at::Device make_current(at::Device device) {
  if (device.is_cpu()) {
    return device;
  }
  return runtime_of(device.type()).exchangeDevice(device);
}

void take_back_device(uintptr_t) noexcept {
  auto &pushed = per_thread<PushedDevices>().devices;
  if (pushed.empty()) {
    return;
  }
  const at::Device before = pushed.back();
  pushed.pop_back();
  try {
    make_current(before);
  } catch (...) {  // the runtime refuses, and there is nobody to tell
  }
}

/// UNSUPPORTED unless the CUDA driver can be asked about a device.
void require_cuda(at::Device device, const char *what) {
  if (!device.is_cuda()) {
    fail(
        CTORCH_ERROR_UNSUPPORTED,
        std::string("ctorch cannot ask a device of type ") + at::DeviceTypeName(device.type(), true) + " for " + what);
  }
  if (at::Context::hasROCM()) {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string("ctorch asks the CUDA driver for ") + what + ", and this is ROCm");
  }
}

}  // namespace

at::DeviceType device_type(ctorch_device_type type, const char *name) {
  if (!is_known(type)) {
    from::fail_enumerator(name, "device type", type);
  }
  return static_cast<at::DeviceType>(type);
}

at::Device existing_device(const ctorch_device *device, const char *name) {
  at::Device where = device == nullptr ? at::Device(at::kCPU) : from::device(device, name);
  if (where.is_cpu()) {
    return {at::kCPU, 0};
  }
  auto runtime = runtime_of(where.type());
  int count = runtime.deviceCount();
  if (where.index() >= count || count == 0) {
    fail(
        CTORCH_ERROR_RUNTIME,
        std::string(name) + ": there is no " + where.str() + ", only " + std::to_string(count) + " of that type");
  }
  return where.has_index() ? where
                           : at::Device(where.type(), std::max<at::DeviceIndex>(runtime.getDevice().index(), 0));
}

c10::Stream existing_stream(const ctorch_stream *stream, const char *name) {
  c10::Stream result = from::stream(stream, name);
  ctorch_device device = {stream->device_type, stream->device_index};
  existing_device(&device, name);
  return result;
}

void require_same_type(at::Device expected, at::Device got, const char *name) {
  if (expected.type() != got.type()) {
    throw Failure{
        CTORCH_ERROR_DEVICE_MISMATCH,
        std::string(name) + " belongs to " + got.str() + ", expected " + at::DeviceTypeName(expected.type(), true),
        {.devices = std::pair(to::device(expected), to::device(got))}};
  }
}

ctorch_stream plain_stream(const c10::Stream &stream) {
  c10::StreamData3 data = stream.pack3();
  return {
      data.stream_id, static_cast<int32_t>(data.device_type),
      std::max<int32_t>(data.device_index, 0)};  // the only device of some types has no index
}

}  // namespace ctorch

using namespace ctorch;

ctorch_device_type ctorch_device_accelerator_type(void) {
  try {
    return static_cast<ctorch_device_type>(libtorch::accelerator_type());
  } catch (...) {  // built for several, which LibTorch refuses
    return CTORCH_DEVICE_TYPE_CPU;
  }
}

bool ctorch_device_is_built(ctorch_device_type type) {
  if (type == CTORCH_DEVICE_TYPE_CPU) {
    return true;
  }
  try {
    auto known = static_cast<at::DeviceType>(type);
    if (known == at::kVulkan) {
      return libtorch::has_vulkan();
    }
    return is_known(type) && libtorch::is_accelerator(known) && libtorch::is_built(known);
  } catch (...) {  // no hooks are registered
    return false;
  }
}

int32_t ctorch_device_count(ctorch_device_type type) {
  auto known = static_cast<at::DeviceType>(type);
  return is_known(type) && c10::impl::hasDeviceGuardImpl(known) && !libtorch::lacks_driver(known)
             ? c10::impl::getDeviceGuardImpl(known)->deviceCount()
             : 0;
}

bool ctorch_device_cuda_is_available(void) { return ctorch_device_count(CTORCH_DEVICE_TYPE_CUDA) > 0; }

ctorch_error *ctorch_device_current(ctorch_device *out, ctorch_device_type type) {
  return guard(__func__, [&] {
    to::require(out, "out");
    device_type(type, "type");
    ctorch_device current = {type, -1};
    *out = to::device(existing_device(&current, "type"));
  });
}

ctorch_error *ctorch_device_set_current(const ctorch_device *device) {
  return guard(__func__, [&] {
    from::device(device, "device");
    make_current(existing_device(device, "device"));
  });
}

ctorch_error *ctorch_device_push(const ctorch_device *device) {
  return guard(__func__, [&] {
    from::device(device, "device");
    at::Device where = existing_device(device, "device");
    push_mode(current_device, [&] {
      auto &pushed = per_thread<PushedDevices>().devices;
      pushed.push_back(where);
      try {
        pushed.back() = make_current(where);
      } catch (...) {
        pushed.pop_back();
        throw;
      }
      return 0;
    });
  });
}

ctorch_error *ctorch_device_pop(void) {
  return guard(__func__, [&] {
    pop_mode(current_device, [] {
      auto &pushed = per_thread<PushedDevices>().devices;
      if (pushed.empty()) {
        fail(CTORCH_ERROR_RUNTIME, "no device was pushed on this thread");
      }
      make_current(pushed.back());
      pushed.pop_back();
    });
  });
}

ctorch_error *ctorch_device_synchronize(const ctorch_device *device) {
  return guard(__func__, [&] {
    at::Device where = existing_device(device, "device");
    if (!where.is_cpu()) {
      runtime_of(where.type()).synchronizeDevice(where.index());
    }
  });
}

ctorch_error *ctorch_device_supports_dtype(bool *out, ctorch_dtype dtype, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto wanted = from::dtype(dtype, "dtype");
    *out = libtorch::supports_dtype(existing_device(device, "device"), wanted);
  });
}

ctorch_error *ctorch_device_name(ctorch_string **out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Device where = existing_device(device, "device");
    if (where.is_cpu()) {
      to::give(machine::processor_name(), out);
      return;
    }
    require_cuda(where, "its name");
    to::give(cuda_driver::name(where.index()), out);
  });
}

ctorch_error *ctorch_device_compute_capability(int32_t *out_major, int32_t *out_minor, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out_major, "out_major");
    to::require(out_minor, "out_minor");
    at::Device where = existing_device(device, "device");
    require_cuda(where, "a compute capability");
    int major = cuda_driver::attribute(where.index(), cuda_driver::COMPUTE_CAPABILITY_MAJOR);
    int minor = cuda_driver::attribute(where.index(), cuda_driver::COMPUTE_CAPABILITY_MINOR);
    *out_major = major;
    *out_minor = minor;
  });
}

ctorch_error *ctorch_device_multiprocessor_count(int32_t *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Device where = existing_device(device, "device");
    if (where.is_cpu()) {
      *out = static_cast<int32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
      return;
    }
    require_cuda(where, "its multiprocessors");
    *out = cuda_driver::attribute(where.index(), cuda_driver::MULTIPROCESSOR_COUNT);
  });
}
