// autocast.h: regions in which operators choose lower precision.
#include "ctorch/settings/autocast.h"

#include <ATen/Context.h>

#include <algorithm>
#include <vector>

#include "core/abi/autocast_devices.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"
#include "core/torch/autocast.hpp"

using namespace ctorch;
using namespace at::autocast;

namespace {

/// What a pop returns to.
struct Outside {
  at::DeviceType device_type;
  bool enabled;
  at::ScalarType dtype;
  bool cache_enabled;
};

struct Regions final : PerThread {
  std::vector<Outside> regions;
};

bool available(ctorch_device_type device_type) {
  const auto &supported = autocast_devices();
  return std::any_of(supported.begin(), supported.end(), [&](at::DeviceType type) {
    return static_cast<ctorch_device_type>(type) == device_type;  // a cast the other way would cut its upper bytes off
  });
}

at::DeviceType check_device_type(ctorch_device_type device_type) {
  if (ctorch_device_type_name(device_type) == nullptr) {
    fail_argument("device_type", "unknown device type " + std::to_string(device_type));
  }
  if (!available(device_type)) {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string("no autocast for device type ") + ctorch_device_type_name(device_type));
  }
  return static_cast<at::DeviceType>(device_type);
}

/// What Python warns of, and then leaves autocast off.
void check_enabled(at::DeviceType device_type, at::ScalarType dtype) {
  if (device_type == at::kCUDA) {
    if (!at::globalContext().hasCUDA()) {
      fail(CTORCH_ERROR_UNSUPPORTED, "this LibTorch finds no CUDA device to autocast for");
    }
    if (at::isFloatingType(dtype)) {
      return;
    }
  }
  if (dtype != at::kBFloat16 && dtype != at::kHalf) {
    fail_argument(
        "dtype", std::string("autocast computes in bfloat16 or float16, not in ") +
                     ctorch_dtype_name(static_cast<ctorch_dtype>(dtype)));
  }
}

void enter(at::DeviceType type, bool enabled, at::ScalarType dtype, bool cache_enabled) {
  set_autocast_enabled(type, enabled);
  set_autocast_dtype(type, dtype);
  set_autocast_cache_enabled(cache_enabled);
}

/// False if this thread is in no region.
bool leave() {
  auto &regions = per_thread<Regions>().regions;
  if (regions.empty()) {
    return false;
  }
  const Outside outside = regions.back();
  regions.pop_back();
  enter(outside.device_type, outside.enabled, outside.dtype, outside.cache_enabled);
  if (decrement_nesting() == 0 && thread_phase != THREAD_ENDING) {  // the process may be ending, and the cache gone
    clear_cache();
  }
  return true;
}

const ModeKind autocast_region = {"autocast region", [](uintptr_t) noexcept { (void)leave(); }, false};

}  // namespace

ctorch_error *ctorch_autocast_push(
    ctorch_device_type device_type, bool enabled, const ctorch_dtype *dtype, const bool *cache_enabled) {
  return guard_while_ending(__func__, [&] {
    at::DeviceType type = check_device_type(device_type);
    Outside outside{type, is_autocast_enabled(type), get_autocast_dtype(type), is_autocast_cache_enabled()};
    at::ScalarType inside = from::optional_dtype(dtype, "dtype").value_or(outside.dtype);
    if (enabled) {
      check_enabled(type, inside);
    }
    push_mode(autocast_region, [&] {
      per_thread<Regions>().regions.push_back(outside);
      enter(type, enabled, inside, cache_enabled == nullptr ? outside.cache_enabled : *cache_enabled);
      increment_nesting();
      return 0;
    });
  });
}

ctorch_error *ctorch_autocast_pop(void) {
  return guard_while_ending(__func__, [&] {
    pop_mode(autocast_region, [] {
      if (!leave()) {
        fail(CTORCH_ERROR_RUNTIME, "no autocast region was pushed on this thread");
      }
    });
  });
}

bool ctorch_autocast_available(ctorch_device_type device_type) { return available(device_type); }

bool ctorch_autocast_enabled(ctorch_device_type device_type) {
  return available(device_type) && is_autocast_enabled(static_cast<at::DeviceType>(device_type));
}

ctorch_error *ctorch_autocast_dtype(ctorch_dtype *out, ctorch_device_type device_type) {
  return guard_while_ending(__func__, [&] {
    to::require(out, "out");
    to::give(get_autocast_dtype(check_device_type(device_type)), out);
  });
}

bool ctorch_autocast_cache_enabled(void) { return is_autocast_cache_enabled(); }

ctorch_error *ctorch_autocast_clear_cache(void) {
  return guard(__func__, [&] { clear_cache(); });
}
