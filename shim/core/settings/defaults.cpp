// defaults.h: the dtype and device of what is made without saying.
#include "ctorch/settings/defaults.h"

#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarTypeToTypeMeta.h>

#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

namespace {

struct DefaultDevices final : PerThread {
  // Never empty: the first is what ctorch_defaults_set_device sets.
  std::vector<std::optional<at::Device>> devices{std::nullopt};
};

std::vector<std::optional<at::Device>> &default_devices() { return per_thread<DefaultDevices>().devices; }

std::optional<at::Device> checked(const ctorch_device *device) {
  std::optional<at::Device> result = from::optional_device(device, "device");
  from::default_device_used = true;
  return result;
}

void take_back_device(uintptr_t) noexcept {
  if (auto &devices = default_devices(); devices.size() > 1) {
    devices.pop_back();
  }
}

const ModeKind default_device_mode = {"default device", take_back_device, false};

}  // namespace

std::atomic<bool> from::default_device_used{false};

std::optional<at::Device> from::default_device() {
  const auto *of_this_thread = find_per_thread<DefaultDevices>();
  return of_this_thread == nullptr ? std::nullopt : of_this_thread->devices.back();
}

ctorch_dtype ctorch_defaults_dtype(void) { return static_cast<ctorch_dtype>(c10::get_default_dtype_as_scalartype()); }

ctorch_error *ctorch_defaults_set_dtype(ctorch_dtype dtype) {
  return guard_while_ending(__func__, [&] {
    at::ScalarType type = from::dtype(dtype, "dtype");
    if (type != at::kHalf && type != at::kBFloat16 && type != at::kFloat && type != at::kDouble) {
      fail_argument(
          "dtype", std::string("expected float16, bfloat16, float32 or float64, got ") + ctorch_dtype_name(dtype));
    }
    c10::set_default_dtype(c10::scalarTypeToTypeMeta(type));
  });
}

ctorch_error *ctorch_defaults_device(ctorch_device *out) {
  return guard_while_ending(__func__, [&] {
    to::require(out, "out");
    *out = to::device(from::default_device().value_or(at::Device(at::kCPU)));
  });
}

ctorch_error *ctorch_defaults_set_device(const ctorch_device *device) {
  return guard_while_ending(__func__, [&] { default_devices().front() = checked(device); });
}

ctorch_error *ctorch_defaults_device_push(const ctorch_device *device) {
  return guard_while_ending(__func__, [&] {
    push_mode(default_device_mode, [&] {
      default_devices().push_back(checked(device));
      return 0;
    });
  });
}

ctorch_error *ctorch_defaults_device_pop(void) {
  return guard_while_ending(__func__, [&] {
    pop_mode(default_device_mode, [] {
      auto &devices = default_devices();
      if (devices.size() == 1) {
        fail(CTORCH_ERROR_RUNTIME, "no default device was pushed on this thread");
      }
      devices.pop_back();
    });
  });
}
